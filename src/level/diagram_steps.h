// Rules of any table, for any vector type: included by each level, after band.h. A kernel makes
// each step of a rule's diagram for several rows at once, so decoding a step costs little beside
// making it.
//
//   V_CHOOSE(cell, high, low)  if there is an instruction for it
#include <string.h>

#include "level/level.h"

#ifndef V_CHOOSE
#define V_CHOOSE(cell, high, low) V_XOR_AND(low, cell, V_XOR(high, low))
#endif

enum { DIAGRAM_ROWS = LANES == 8 ? 8 : 16 };

// The values, and a pointer to those of each slot.
typedef struct {
    VEC value[LC_DIAGRAM_SLOTS_MAX - LC_DIAGRAM_DEAD][DIAGRAM_ROWS];
    const VEC *at[LC_DIAGRAM_SLOTS_MAX];
} diagram_values;

INLINE void diagram_begin(diagram_values *v, const lc_diagram *d)
{
    for (int i = 0; i < DIAGRAM_ROWS; i++) {
        v->value[0][i] = V_ALL(0);
        v->value[LC_DIAGRAM_LIVE - LC_DIAGRAM_DEAD][i] = V_ALL(UINT64_MAX);
    }
    for (int i = LC_DIAGRAM_DEAD; i < d->slots; i++)
        v->at[i] = v->value[i - LC_DIAGRAM_DEAD];
}

// Returns the next states of DIAGRAM_ROWS rows of a column. Their upper left neighbours begin at
// left[0], the cells above them at middle[0], and the upper right ones at right[0].
INLINE const VEC *diagram_rows(diagram_values *v, const lc_diagram *d, const VEC *left,
                               const VEC *middle, const VEC *right)
{
    for (int i = 0; i < 3; i++) {
        v->at[3 * i] = left + i;
        v->at[3 * i + 1] = middle + i;
        v->at[3 * i + 2] = right + i;
    }
    for (int i = 0; i < d->steps; i++) {
        const lc_diagram_step step = d->step[i];
        const VEC *cell = v->at[step.cell], *high = v->at[step.high], *low = v->at[step.low];
        VEC *result = v->value[step.result - LC_DIAGRAM_DEAD];
#pragma GCC unroll 16
        for (int row = 0; row < DIAGRAM_ROWS; row++)
            result[row] = V_CHOOSE(cell[row], high[row], low[row]);
    }
    return v->at[d->next];
}

static void step_map(const lc_band *band)
{
    const int last = band->vectors - 1;
    const VEC *in = band->in;
    VEC *saved = band->saved, *out = band->out;
    VEC start[2] = {saved[0], saved[1]}, left[2] = {saved[2 * last], saved[2 * last + 1]};
    VEC rows[3][ROWS + 2];
    diagram_values values;
    diagram_begin(&values, band->map);
    for (int k = 0; k <= last; k++, in += ROWS, out += ROWS, saved += 2) {
        const VEC *in_left = k == 0 ? in + (size_t)last * ROWS : in - ROWS;
        const VEC *in_right = k == last ? (const VEC *)band->in : in + ROWS;
        for (int i = 0; i < 2; i++) {
            rows[0][i] = left[i];
            rows[1][i] = saved[i];
            rows[2][i] = k == last ? start[i] : saved[2 + i];
        }
        for (int i = 0; i < ROWS; i++) {
            rows[0][i + 2] = in_left[i];
            rows[1][i + 2] = in[i];
            rows[2][i + 2] = in_right[i];
        }
        for (int i = 0; i < 2; i++) {
            left[i] = saved[i];
            saved[i] = in[ROWS - 2 + i];
        }
        for (int i = 0; i < ROWS + 2 && k == 0; i++)
            rows[0][i] = V_TOWARDS_HIGH(rows[0][i], band->closed);
        for (int i = 0; i < ROWS + 2 && k == last; i++)
            rows[2][i] = V_TOWARDS_LOW(rows[2][i], band->closed);
        for (int row = 0; row < ROWS; row += DIAGRAM_ROWS)
            memcpy(out + row,
                   diagram_rows(&values, band->map, rows[0] + row, rows[1] + row, rows[2] + row),
                   DIAGRAM_ROWS * sizeof *out);
    }
}

static void ribbon_map(const lc_ribbon *r)
{
    const int last = r->vectors - 1, rows_count = r->rows;
    VEC rows[3][ROWS + 2];
    diagram_values values;
    diagram_begin(&values, r->map);
    memset(rows, 0, sizeof rows);
    for (int k = 0; k <= last; k++) {
        const VEC *in = (const VEC *)r->in + (size_t)k * ROWS;
        const VEC *in_left = k == 0 ? in + (size_t)last * ROWS : in - ROWS;
        const VEC *in_right = k == last ? (const VEC *)r->in : in + ROWS;
        VEC *out = (VEC *)r->out + (size_t)k * ROWS;
        for (int i = 0; i < rows_count; i++) {
            rows[0][i + 1] = k == 0 ? V_TOWARDS_HIGH(in_left[i], r->closed) : in_left[i];
            rows[1][i + 1] = in[i];
            rows[2][i + 1] = k == last ? V_TOWARDS_LOW(in_right[i], r->closed) : in_right[i];
        }
        for (int j = 0; j < 3 && r->joined; j++) {
            rows[j][0] = rows[j][rows_count];
            rows[j][rows_count + 1] = rows[j][1];
        }
        for (int row = 0; row < rows_count; row += DIAGRAM_ROWS) {
            const VEC *next =
                diagram_rows(&values, r->map, rows[0] + row, rows[1] + row, rows[2] + row);
            for (int i = 0; i < DIAGRAM_ROWS && row + i < rows_count; i++)
                out[row + i] = next[i];
        }
    }
}
