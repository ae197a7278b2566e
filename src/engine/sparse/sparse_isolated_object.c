#include "engine/sparse/sparse_isolated_object.h"

#include <string.h>

#include "base/ones.h"

enum { SIDE = 8, TILE = LC_TILE_CELLS, MIDDLE = LC_TILE_CELLS / 2 };

typedef uint32_t lanes __attribute__((vector_size(16)));

// Finds the columns and rows of a tile that have a live cell.
static inline void extent(const uint32_t *tile, uint32_t *columns, uint32_t *rows)
{
    lanes any = {0}, in_rows = {0}, of_row = {1, 1 << 8, 1 << 16, 1 << 24};
    for (int i = 0; i < LC_TILE_WORDS; i += 4, of_row += of_row) { // rows 8 apart are adjacent
        lanes words;
        memcpy(&words, tile + i, sizeof words);
        any |= words;
        in_rows |= (lanes)(words != 0) & of_row;
    }
    *columns = any[0] | any[1] | any[2] | any[3];
    *rows = in_rows[0] | in_rows[1] | in_rows[2] | in_rows[3];
}

// Returns rows y .. y + 7 of a tile, 8 columns from x on. No other row has a live cell. Rows 8
// apart are adjacent in memory, and at most one of them has live cells.
static lc_isolated_shape shape_at(const uint32_t *tile, int x, int y)
{
    lc_isolated_shape turned = 0; // row r is byte r % 8
    for (int i = 0; i < SIDE; i++) {
        uint64_t two[2];
        memcpy(two, tile + lc_tile_word(i), sizeof two);
        const uint64_t both = two[0] | two[1];
        turned |= ((uint32_t)(both | both >> 32) >> x & (uint64_t)UINT8_MAX) << (SIDE * i);
    }
    const int by = y % SIDE * SIDE;
    return turned >> by | turned << (-by & 63);
}

bool lc_isolated_find(const uint32_t *const tiles[4], unsigned live, lc_isolated_object *o)
{
    uint64_t columns = 0, rows = 0;
    for (int q = 0; q < 4; q++) {
        uint32_t c, r;
        if ((live >> q & 1) == 0)
            continue;
        extent(tiles[q], &c, &r);
        columns |= (uint64_t)c << (q % 2 * TILE);
        rows |= (uint64_t)r << (q / 2 * TILE);
    }
    o->x = __builtin_ctzll(columns);
    o->y = __builtin_ctzll(rows);
    if (columns >> o->x > UINT8_MAX || rows >> o->y > UINT8_MAX)
        return false;
    if ((live & (live - 1)) == 0) {
        const int q = __builtin_ctz(live);
        o->shape = shape_at(tiles[q], o->x % TILE, o->y);
        return true;
    }
    o->shape = 0;
    for (int i = 0, y = o->y; i < SIDE && y < 2 * TILE; i++, y++) {
        const uint32_t *const *sides = tiles + y / TILE * 2;
        const int word = lc_tile_word(y % TILE);
        const uint64_t row = sides[0][word] | (uint64_t)sides[1][word] << TILE;
        o->shape |= (row >> o->x & UINT8_MAX) << (SIDE * i);
    }
    return true;
}

// Stepping a shape --------------------------------------------------------------------------------
//
// A step in one of the engine's windows takes 0.3 us, also with alternating rules. Stepping a list
// of cells (object/field.h) takes at least 3 us.

typedef struct square {
    _Alignas(64) uint32_t tiles[4][LC_TILE_WORDS];
    _Alignas(64) uint32_t middle[LC_TILE_WORDS];
} square;

// Steps the window of the square's tiles. Writes the result to `middle`.
static void step_square(square *s, int generations, lc_window_step *step,
                        const lc_window_rules *rules)
{
    const lc_window w = {.tiles = {s->tiles[0], s->tiles[1], s->tiles[2], s->tiles[3]},
                         .middle = s->middle,
                         .generations = generations,
                         .rules = rules};
    (void)step(&w);
}

static bool is_dead(const uint32_t *tile)
{
    uint32_t columns, rows;
    extent(tile, &columns, &rows);
    return columns == 0;
}

// Finds the first column and row with live cells. Returns false if no cell is alive, or if the live
// cells are more than `most` cells wide or high.
static bool find_begin(const uint32_t *tile, int most, int *left, int *top)
{
    uint32_t columns, rows;
    extent(tile, &columns, &rows);
    if (columns == 0)
        return false;
    *left = __builtin_ctz(columns);
    *top = __builtin_ctz(rows);
    return (uint64_t)columns >> *left >> most == 0 && (uint64_t)rows >> *top >> most == 0;
}

// Moves the cells of `middle` to the centre of the tiles. Adds the opposite displacement to *x and
// *y. Returns false if the cells do not fit into 16 x 16.
static bool centre(square *s, int *x, int *y)
{
    const int begin = TILE - SIDE; // the centre: 16 cells from here on
    int left, top;
    if (!find_begin(s->middle, 2 * SIDE, &left, &top))
        return false;
    memset(s->tiles, 0, sizeof s->tiles);
    for (int row = 0; row < 2 * SIDE && top + row < TILE; row++) {
        const uint64_t bits = (uint64_t)(s->middle[lc_tile_word(top + row)] >> left) << begin;
        const int at = begin + row;
        s->tiles[at / TILE * 2][lc_tile_word(at % TILE)] = (uint32_t)bits;
        s->tiles[at / TILE * 2 + 1][lc_tile_word(at % TILE)] = (uint32_t)(bits >> TILE);
    }
    *x += left + MIDDLE - begin;
    *y += top + MIDDLE - begin;
    return true;
}

// Computes an entry in two steps, each half of the generations, at most 8. So a pattern within 16 x
// 16 cells in the centre of the window is still within the window's middle after a step.
static void find_out(lc_isolated_entry *e, lc_window_step *step, const lc_window_rules *rules)
{
    square s;
    int x = 0, y = 0, left, top; // displacement of the centre; place of the result in `middle`
    memset(&s, 0, sizeof s);
    for (int row = 0; row < SIDE; row++)
        s.middle[lc_tile_word(row)] = (uint32_t)(e->shape >> (SIDE * row) & UINT8_MAX);
    e->state = LC_ISOLATED_GROWS;
    for (int half = 0; half < 2; half++) {
        const int generations = (e->generations + half) / 2;
        if (generations == 0)
            continue;
        if (!centre(&s, &x, &y))
            return;
        step_square(&s, generations, step, rules);
        if (is_dead(s.middle)) {
            e->state = LC_ISOLATED_MOVES;
            return;
        }
    }
    if (!find_begin(s.middle, SIDE, &left, &top))
        return;
    for (int row = 0; row < SIDE && top + row < TILE; row++)
        e->next |= (uint64_t)(s.middle[lc_tile_word(top + row)] >> left & UINT8_MAX)
                   << (SIDE * row);
    e->x = (int8_t)(x + left);
    e->y = (int8_t)(y + top);
    e->state = LC_ISOLATED_MOVES;
}

bool lc_isolated_step(lc_isolated_memo *isolated, lc_isolated_object *o, int generations,
                      const lc_window_rules *rules, lc_window_step *step)
{
    const uint64_t hash = (o->shape + (uint64_t)generations) * UINT64_C(0x9E3779B97F4A7C15);
    lc_isolated_entry *e = &isolated->entries[hash >> (64 - LC_ISOLATED_LOG2)];
    if (e->shape != o->shape || e->generations != generations || e->state == LC_ISOLATED_UNKNOWN) {
        *e = (lc_isolated_entry){.shape = o->shape, .generations = (uint8_t)generations};
        find_out(e, step, rules);
    }
    if (e->state == LC_ISOLATED_GROWS)
        return false;
    o->shape = e->next;
    o->x += e->x;
    o->y += e->y;
    return true;
}

int lc_isolated_put(const lc_isolated_object *o, int x, int y, uint32_t cells[LC_TILE_WORDS])
{
    const int left = o->x - x, top = o->y - y;
    lc_isolated_shape inside = o->shape;
    if (left <= -SIDE || left >= TILE || top <= -SIDE || top >= TILE)
        return 0;
    if (top < 0)
        inside &= UINT64_MAX << (-top * SIDE);
    if (top > TILE - SIDE)
        inside &= UINT64_MAX >> ((top - (TILE - SIDE)) * SIDE);
    if (left < 0)
        inside &= UINT64_C(0x0101010101010101) * (UINT8_MAX << -left & UINT8_MAX);
    if (left > TILE - SIDE)
        inside &= UINT64_C(0x0101010101010101) * (UINT8_MAX >> (left - (TILE - SIDE)));
    if (inside == 0)
        return 0;
    memset(cells, 0, LC_TILE_WORDS * sizeof *cells);
    for (int i = 0; i < SIDE; i++) {
        const uint32_t row = (uint32_t)(inside >> (SIDE * i) & UINT8_MAX);
        if (row != 0)
            cells[lc_tile_word(top + i)] = left < 0 ? row >> -left : row << left;
    }
    return (int)lc_ones(inside);
}
