// Paints runs of cells with lc_edits_paint.
#ifndef LC_TESTS_SUPPORT_EDITS_H
#define LC_TESTS_SUPPORT_EDITS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lightcone/edits.h"

typedef struct run { // cells x .. x+length-1 of row y
    int64_t x, y, length;
} run;

static inline lc_status test_draw(lc_edits *edits, lc_universe *u, bool alive, uint64_t stroke,
                                  const run *runs, size_t count, lc_message *message)
{
    lc_rectangle *areas = calloc(count + 1, sizeof *areas);
    assert_non_null(areas);
    for (size_t i = 0; i < count; i++)
        areas[i] = (lc_rectangle){runs[i].x, runs[i].y, runs[i].length, 1};
    const lc_status status = lc_edits_paint(edits, u, alive ? LC_PAINT_ALIVE : LC_PAINT_DEAD,
                                            stroke, areas, count, false, message);
    free(areas);
    return status;
}

#endif
