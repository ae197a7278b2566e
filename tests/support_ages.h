// Ages of cells, computed by examining each cell at each look.
#ifndef LC_TESTS_SUPPORT_AGES_H
#define LC_TESTS_SUPPORT_AGES_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle.h"

typedef struct counted {
    int64_t width, height;
    uint8_t *alive;
    double *since; // generation of the last change; below 0: never seen alive
    bool looked;
} counted;

counted counted_create(int64_t width, int64_t height);
void counted_free(counted *c);

// Record a look at one cell or at all cells. After looking at each cell the caller sets `looked`.
void count_cell(counted *c, int64_t x, int64_t y, bool alive, double generation);
void count_board(counted *c, const oracle *board, double generation);

// Return the code of an age, as lightcone/ages.h defines it, and the palette index of a code and a
// grey level.
int counted_code(bool alive, double age);
int counted_index(int code, int tone);

// Computes the code and the grey level of a square of cells, of those that exist.
void counted_square(const counted *c, int64_t x0, int64_t y0, int64_t side, double now, int *code,
                    int *tone);

#endif
