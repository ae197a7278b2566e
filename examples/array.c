// Copies cells from an array into a universe and back.
//
// A glider crosses a torus of 12 x 12 cells, and after 48 generations it is back at its first
// place. Build and run it:
//
//     cc -std=c17 array.c $(pkg-config --cflags --libs lightcone) -o array
//     ./array
#include <stdio.h>
#include <string.h>

#include <lightcone/lightcone.h>

enum { WIDTH = 12, HEIGHT = 12 };

typedef uint8_t board[HEIGHT][WIDTH]; // 1 if a cell is alive

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
    const lc_box whole = {.width_cells = WIDTH, .height_cells = HEIGHT};
    board first = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, now;
    lc_universe *universe;
    lc_message message;

    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule_text = "B3/S23",
                                         .topology = {LC_TOPOLOGY_TORUS, WIDTH, HEIGHT, 0, 0, 0, 0},
                                         .threads = 1};
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = lc_universe_write_states(universe, &whole, first[0], WIDTH, &message);
    for (int generation = 0; status == LC_OK && generation <= 48; generation += 16) {
        status = lc_universe_read_states(universe, &whole, now[0], WIDTH, &message);
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
