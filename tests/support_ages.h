// What somebody knows of cells' ages who looks at each cell and counts.
#ifndef LC_TESTS_SUPPORT_AGES_H
#define LC_TESTS_SUPPORT_AGES_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle.h"

typedef struct counted {
    int64_t width, height;
    uint8_t *alive;
    double *since; // the generation; below 0: never seen alive
    bool looked;
} counted;

counted counted_create(int64_t width, int64_t height);
void counted_free(counted *c);

// A look at a cell, or at all of them; after a look at each cell, `looked` is to be true.
void count_cell(counted *c, int64_t x, int64_t y, bool alive, double generation);
void count_board(counted *c, const oracle *board, double generation);

// The code of an age, as lightcone/ages.h defines it; and the byte that is made of it and a tone.
int counted_code(bool alive, double age);
int counted_index(int code, int tone);

// The code and the tone of a square of cells, as far as they exist.
void counted_square(const counted *c, int64_t x0, int64_t y0, int64_t side, double now, int *code,
                    int *tone);

#endif
