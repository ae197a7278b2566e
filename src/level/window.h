// Windows of tiles (lc_window in level.h), for any vector of 64-bit lanes. Included by each level,
// after band.h and diagram_steps.h and the definitions that these need, and
//
//   LANES                            64-bit lanes in a VEC
//   V_TURN_HIGH(x), V_TURN_LOW(x)    each lane turned by one bit: bit b from bit b - 1 (b + 1), and
//                                    the end from the other end
//   V_LANE_ABOVE(x), V_LANE_BELOW(x) lane q from lane q - 1 (q + 1), and the end from the other end
//   WINDOW_OWN_TILES                 the level defines rows_load and window_store itself
//   CODE_COLUMNS                     if there is a code generator (band.h)
//
// A row of the window is a lane. Lane q of vector v is row q * vectors + v, so that the rows above
// and below are in the vectors beside it, and only the first and last vector need lanes moved. Rows
// and columns wrap round at the window's ends. So the cells there become wrong, one more row and
// column in each generation. The middle is 16 cells away from the ends. A column of windows is a
// window with more rows.
#include <string.h>

#include "base/ones.h"
#include "level/level.h"

enum {
    WINDOW_VECTORS = 2 * LC_TILE_CELLS / LANES,
    COLUMN_VECTORS = (LC_COLUMN_WINDOWS + 1) * LC_TILE_CELLS / LANES,
};

#ifdef WINDOW_OWN_TILES
INLINE void rows_load(VEC *row, int vectors, const uint32_t *const *tiles);
INLINE lc_window_change window_store(const VEC *row, int vectors, int which, uint32_t *middle);
#else
// Loads rows from pairs of adjacent tiles.
INLINE void rows_load(VEC *row, int vectors, const uint32_t *const *tiles)
{
    uint64_t rows[COLUMN_VECTORS * LANES];
    for (int side = 0; side < vectors * LANES / LC_TILE_CELLS; side++) {
        const uint32_t *left = tiles[2 * side], *right = tiles[2 * side + 1];
        for (int i = 0; i < LC_TILE_WORDS; i++) {
            const int y = lc_tile_row(i) + LC_TILE_CELLS * side;
            rows[y % vectors * LANES + y / vectors] = left[i] | (uint64_t)right[i] << 32;
        }
    }
    memcpy(row, rows, (size_t)vectors * sizeof *row);
}

// Stores the middle of window `which` of those in the rows.
INLINE lc_window_change window_store(const VEC *row, int vectors, int which, uint32_t *middle)
{
    uint64_t rows[COLUMN_VECTORS * LANES], changed = 0;
    uint64_t before = 0, after = 0;
    memcpy(rows, row, (size_t)vectors * sizeof *row);
    for (int i = 0; i < LC_TILE_WORDS; i += 2) {
        uint64_t two = 0, old;
        for (int k = 0; k < 2; k++) {
            const int y = 16 + LC_TILE_CELLS * which + lc_tile_row(i + k);
            two |= (rows[y % vectors * LANES + y / vectors] >> 16 & UINT32_MAX) << (32 * k);
        }
        old = middle[i] | (uint64_t)middle[i + 1] << 32;
        changed |= two ^ old;
        before += lc_ones(old);
        after += lc_ones(two);
        middle[i] = (uint32_t)two;
        middle[i + 1] = (uint32_t)(two >> 32);
    }
    return (lc_window_change){changed != 0, (int32_t)((int64_t)after - (int64_t)before)};
}
#endif

// Sums a row: parity and majority of each cell and its left and right neighbour.
INLINE void window_sums(VEC x, VEC *s, VEC *c)
{
    const VEC left = V_TURN_HIGH(x), right = V_TURN_LOW(x);
    *s = V_XOR(V_XOR(left, right), x);
    *c = V_MAJORITY(x, left, right);
}

INLINE void rows_generation(bool life, const uint64_t *any, VEC *row, int vectors)
{
    VEC sa, ca, sb, cb, s0, c0;
    window_sums(row[vectors - 1], &sa, &ca);
    const VEC last_s = sa, last_c = ca;
    sa = V_LANE_ABOVE(sa), ca = V_LANE_ABOVE(ca);
    window_sums(row[0], &sb, &cb);
    s0 = V_LANE_BELOW(sb), c0 = V_LANE_BELOW(cb);
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++) {
        VEC sc = s0, cc = c0;
        if (v == vectors - 2)
            sc = last_s, cc = last_c;
        else if (v < vectors - 2)
            window_sums(row[v + 1], &sc, &cc);
        row[v] = life ? V_NEXT_LIFE(v % 2, sa, ca, sb, cb, sc, cc, row[v])
                      : next_any(any, sa, ca, sb, cb, sc, cc, row[v]);
        sa = sb, ca = cb, sb = sc, cb = cc;
    }
}

// Steps the rows by a rule's diagram.
INLINE void rows_map(diagram_values *values, const lc_diagram *map, VEC *row, int vectors)
{
    VEC rows[3][COLUMN_VECTORS + 2];
    rows[1][0] = V_LANE_ABOVE(row[vectors - 1]);
    memcpy(rows[1] + 1, row, (size_t)vectors * sizeof *row);
    rows[1][vectors + 1] = V_LANE_BELOW(row[0]);
    for (int v = 0; v < vectors + 2; v++) {
        rows[0][v] = V_TURN_HIGH(rows[1][v]);
        rows[2][v] = V_TURN_LOW(rows[1][v]);
    }
    for (int v = 0; v < vectors; v += DIAGRAM_ROWS)
        memcpy(row + v, diagram_rows(values, map, rows[0] + v, rows[1] + v, rows[2] + v),
               DIAGRAM_ROWS * sizeof *row);
}

// Steps the rows by all generations, with two alternating diagrams.
INLINE void rows_generations_map(const lc_diagram *const maps[2], int generations, VEC *row,
                                 int vectors, const VEC *fence)
{
    diagram_values values;
    for (int i = 0; i < generations; i++) {
        if (i == 0 || maps[1] != maps[0])
            diagram_begin(&values, maps[i % 2]);
        rows_map(&values, maps[i % 2], row, vectors);
        for (int v = 0; v < vectors && fence != NULL; v++)
            row[v] = V_AND(row[v], fence[v]);
    }
}

// Loads the cells that may be alive: the others are killed after each generation.
INLINE void window_fence(VEC fence[], const uint64_t *may_live)
{
    uint64_t rows[64];
    for (int y = 0; y < 64; y++)
        rows[y % WINDOW_VECTORS * LANES + y / WINDOW_VECTORS] = may_live[y];
    memcpy(fence, rows, sizeof rows);
}

// Where the rule is: compiled in, data, or code made at run time.
typedef enum { RULE_LIFE, RULE_ANY, RULE_MAP, RULE_CODE } rule_is;

INLINE lc_window_change step_window(rule_is rule, bool fenced, const lc_window *window)
{
    VEC row[WINDOW_VECTORS + LC_CODE_ROWS_SCRATCH], fence[WINDOW_VECTORS];
    rows_load(row, WINDOW_VECTORS, window->tiles);
    if (fenced)
        window_fence(fence, window->may_live);
    if (rule == RULE_MAP)
        rows_generations_map(window->rules->map, window->generations, row, WINDOW_VECTORS,
                             fenced ? fence : NULL);
    for (int i = 0; i < window->generations && rule != RULE_MAP; i++) {
        if (rule == RULE_CODE)
            window->rules->code[i % 2]->window(row);
        else
            rows_generation(rule == RULE_LIFE, rule == RULE_ANY ? window->rules->any[i % 2] : NULL,
                            row, WINDOW_VECTORS);
        for (int v = 0; v < WINDOW_VECTORS && fenced; v++)
            row[v] = V_AND(row[v], fence[v]);
    }
    return window_store(row, WINDOW_VECTORS, 0, window->middle);
}

INLINE void step_column(rule_is rule, const lc_column *column, lc_window_change *changes)
{
    VEC row[COLUMN_VECTORS + LC_CODE_ROWS_SCRATCH];
    rows_load(row, COLUMN_VECTORS, column->tiles);
    if (rule == RULE_MAP)
        rows_generations_map(column->rules->map, column->generations, row, COLUMN_VECTORS, NULL);
    for (int i = 0; i < column->generations && rule != RULE_MAP; i++) {
        if (rule == RULE_CODE)
            column->rules->code[i % 2]->column(row);
        else
            rows_generation(rule == RULE_LIFE, rule == RULE_ANY ? column->rules->any[i % 2] : NULL,
                            row, COLUMN_VECTORS);
    }
#pragma GCC unroll 4 // common parts are computed once
    for (int i = 0; i < LC_COLUMN_WINDOWS; i++)
        changes[i] = window_store(row, COLUMN_VECTORS, i, column->middles[i]);
}

static lc_window_change window_life(const lc_window *window)
{
    return step_window(RULE_LIFE, false, window);
}

static lc_window_change window_any(const lc_window *window)
{
    return step_window(RULE_ANY, false, window);
}

static lc_window_change window_map(const lc_window *window)
{
    return step_window(RULE_MAP, false, window);
}

static lc_window_change window_fenced_map(const lc_window *window)
{
    return step_window(RULE_MAP, true, window);
}

static void column_map(const lc_column *column, lc_window_change changes[LC_COLUMN_WINDOWS])
{
    step_column(RULE_MAP, column, changes);
}

static lc_window_change window_fenced(const lc_window *window)
{
    return step_window(RULE_ANY, true, window);
}

static void column_life(const lc_column *column, lc_window_change changes[LC_COLUMN_WINDOWS])
{
    step_column(RULE_LIFE, column, changes);
}

static void column_any(const lc_column *column, lc_window_change changes[LC_COLUMN_WINDOWS])
{
    step_column(RULE_ANY, column, changes);
}

#ifdef CODE_COLUMNS
static lc_window_change window_code(const lc_window *window)
{
    return step_window(RULE_CODE, false, window);
}

static lc_window_change window_fenced_code(const lc_window *window)
{
    return step_window(RULE_CODE, true, window);
}

static void column_code(const lc_column *column, lc_window_change changes[LC_COLUMN_WINDOWS])
{
    step_column(RULE_CODE, column, changes);
}
#endif
