// Makes a rule from a function and runs it.
//
// Shows lc_rule_from_map, which makes a rule from a table of all states of a cell and its eight
// neighbours. In this rule a cell is born if exactly one of its upper left and upper right
// neighbours is alive, and no cell ever dies. From one cell it draws Sierpinski's triangle.
// lightcone recognises Wolfram's rule 90, and writes it as W90. Build and run it:
//
//     cc -std=c17 own_rule.c $(pkg-config --cflags --libs lightcone) -o own_rule
//     ./own_rule
#include <stdbool.h>
#include <stdio.h>

#include <lightcone/lightcone.h>

enum { ROWS = 16, WIDTH = 2 * ROWS - 1 };

// The next state of the cell in the middle of a square; square[0] is the upper row.
static bool next_state(bool square[3][3])
{
    return square[1][1] || square[0][0] != square[0][2];
}

// Calls next_state for each of the 512 squares. lightcone/rule.h says how they are numbered.
static lc_status make_rule(const lc_rule **rule, lc_message *message)
{
    uint8_t table[64] = {0};
    for (unsigned n = 0; n < 512; n++) {
        bool square[3][3];
        for (unsigned i = 0; i < 9; i++)
            square[i / 3][i % 3] = n >> (8 - i) & 1;
        if (next_state(square))
            table[n / 8] |= (uint8_t)(1u << (7 - n % 8));
    }
    return lc_rule_from_map(table, rule, message);
}

static lc_status print_cells(const lc_universe *universe, lc_message *message)
{
    lc_status status = LC_OK;
    for (int y = 0; status == LC_OK && y < ROWS; y++) {
        uint64_t word;
        const lc_cells row = lc_row_cells(1 - ROWS, y, WIDTH, &word);
        status = lc_universe_read(universe, &row, message);
        for (int x = 0; status == LC_OK && x < WIDTH; x++)
            putchar(word >> x & 1 ? 'O' : ' ');
        putchar('\n');
    }
    return status;
}

int main(void)
{
    lc_universe *universe;
    lc_message message;
    lc_universe_options options = {.struct_bytes = sizeof options};

    if (make_rule(&options.rule, &message) != LC_OK) {
        fprintf(stderr, "own_rule: %s\n", message.text);
        return 1;
    }
    printf("rule %s\n", lc_rule_traits(options.rule)->text);
    lc_status status = lc_universe_create(&universe, &options, &message);
    lc_rule_release(&options.rule); // the universe has a reference of its own
    if (status == LC_OK)
        status = lc_universe_set(universe, 0, 0, true, &message);
    if (status == LC_OK)
        status = lc_universe_step(universe, lc_count_of(ROWS - 1), NULL, NULL, &message);
    if (status == LC_OK)
        status = print_cells(universe, &message);
    if (status != LC_OK)
        fprintf(stderr, "own_rule: %s\n", message.text);
    lc_universe_destroy(&universe);
    return status == LC_OK ? 0 : 1;
}
