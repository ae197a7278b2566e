// Copies cells from an array into a universe and back.
//
// Shows how cells are packed in memory: 64 cells in a word, the first in the lowest bit. A glider
// crosses a torus of 12 x 12 cells, and after 48 generations it is back at its first place. Build
// and run it:
//
//     cc -std=c17 array.c $(pkg-config --cflags --libs lightcone) -o array
//     ./array
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <lightcone/lightcone.h>

enum { WIDTH = 12, HEIGHT = 12, WORDS = (WIDTH + 63) / 64 }; // WORDS in a row

typedef bool board[HEIGHT][WIDTH];

// The whole board, in `words`.
static lc_cells cells_at(uint64_t words[HEIGHT][WORDS])
{
    const lc_cells cells = {.width_cells = WIDTH,
                            .height_cells = HEIGHT,
                            .planes = 1,
                            .words = words[0],
                            .pitch_words = WORDS};
    return cells;
}

static lc_status write_board(lc_universe *universe, board from, lc_message *message)
{
    uint64_t words[HEIGHT][WORDS] = {{0}};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            words[y][x / 64] |= (uint64_t)from[y][x] << x % 64;
    const lc_cells cells = cells_at(words);
    return lc_universe_write(universe, &cells, message);
}

static lc_status read_board(const lc_universe *universe, board to, lc_message *message)
{
    uint64_t words[HEIGHT][WORDS];
    const lc_cells cells = cells_at(words);
    const lc_status status = lc_universe_read(universe, &cells, message);
    for (int y = 0; status == LC_OK && y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            to[y][x] = words[y][x / 64] >> x % 64 & 1;
    return status;
}

static void print_board(int generation, board cells)
{
    printf("generation %d\n", generation);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            putchar(cells[y][x] ? 'O' : '.');
        putchar('\n');
    }
}

int main(void)
{
    board first = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, now;
    lc_universe *universe;
    lc_message message;

    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule_text = "B3/S23",
                                         .topology = {LC_TOPOLOGY_TORUS, WIDTH, HEIGHT, 0, 0, 0, 0},
                                         .threads = 1};
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = write_board(universe, first, &message);
    for (int generation = 0; status == LC_OK && generation <= 48; generation += 16) {
        status = read_board(universe, now, &message);
        if (status == LC_OK)
            print_board(generation, now);
        if (status == LC_OK && generation < 48)
            status = lc_universe_step(universe, lc_count_of(16), NULL, NULL, &message);
    }
    if (status == LC_OK)
        printf("the last board is %s\n",
               memcmp(first, now, sizeof first) == 0 ? "the first" : "another one");
    else
        fprintf(stderr, "array: %s\n", message.text);
    lc_universe_destroy(&universe);
    return status == LC_OK ? 0 : 1;
}
