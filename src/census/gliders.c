#include "census/gliders.h"

#include "base/ones.h"

enum {
    GLIDER_CELLS = 5,
    GLIDER_BOX = 3,
    GLIDER_PHASES = 4,
    AROUND = 2, // blocks on each side of a glider's block that have no other cells
    // Of these, blocks that are inactive without the glider. Cells that have died in the outer ones
    // may have changed what becomes of the live cells beside them.
    STILL = AROUND - 1,
    ROWS = (2 * AROUND + 1) * LC_BLOCK_CELLS,
    GAP_CELLS = 0,  // between a glider and the cells behind it, in the direction x + y
    TAKEN_MAX = 16, // gliders of one direction at a time
    CENTRE = 1 << 4,
};

// Phases of a glider that flies right and down: bit 3 y + x is a cell of its box. From the third
// to the fourth phase its box moves right, from the first to the second one down.
static const unsigned phases[GLIDER_PHASES] = {0742, 0265, 0654, 0361};

// The sides to which a glider flies: 1 or -1.
typedef struct direction {
    int x, y;
} direction;

static const direction directions[4] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

static unsigned mirrored(unsigned shape, direction to)
{
    unsigned result = 0;
    for (int y = 0; y < GLIDER_BOX; y++)
        for (int x = 0; x < GLIDER_BOX; x++) {
            const int from_x = to.x > 0 ? x : 2 - x, from_y = to.y > 0 ? y : 2 - y;
            result |= (shape >> (3 * from_y + from_x) & 1) << (3 * y + x);
        }
    return result;
}

static bool is_glider(unsigned shape, direction to)
{
    for (int i = 0; i < GLIDER_PHASES; i++)
        if (mirrored(phases[i], to) == shape)
            return true;
    return false;
}

// Returns the next generation of 8 x 8 cells with dead ones around.
static uint64_t next_square(const lc_field_rule *rule, uint64_t square)
{
    uint64_t next = 0;
    for (int y = 1; y < 7; y++)
        for (int x = 1; x < 7; x++) {
            unsigned around = 0;
            for (int i = 0; i < 9; i++)
                around = around << 1 | (square >> (8 * (y + i / 3 - 1) + x + i % 3 - 1) & 1);
            next |= (uint64_t)(rule->next[around] != 0) << (8 * y + x);
        }
    return next;
}

static uint64_t square_of(unsigned shape, int x, int y)
{
    uint64_t square = 0;
    for (int row = 0; row < GLIDER_BOX; row++)
        square |= (uint64_t)(shape >> 3 * row & 7) << (8 * (y + row) + x);
    return square;
}

static bool has_glider(const lc_field_rule *rule, direction to)
{
    uint64_t square = square_of(mirrored(phases[0], to), 3, 3);
    for (int i = 0; i < GLIDER_PHASES; i++)
        square = next_square(rule, square);
    return square == square_of(mirrored(phases[0], to), 3 + to.x, 3 + to.y);
}

// The bit of a neighbour in lc_field_rule's neighbourhoods.
static unsigned neighbour(direction to, int x, int y)
{
    return 1u << (4 - 3 * y * to.y - x * to.x);
}

// Let d be the greatest x + y of all live cells. A cell at d + 1 is born only of cells at d and d -
// 1: its left, upper and upper left neighbours. If it needs all three of them, then for d + 2 in
// the generation after, the upper left one has to survive beside at least four others, and must
// not. So d grows by at most 1 in two generations.
static bool is_fastest(const lc_field_rule *rule, direction to)
{
    const unsigned left = neighbour(to, -1, 0), upper = neighbour(to, 0, -1);
    const unsigned corner = neighbour(to, -1, -1);
    const unsigned four = left | upper | neighbour(to, -1, 1) | neighbour(to, 1, -1) | CENTRE;
    const unsigned births[] = {0, left, upper, corner, left | upper, left | corner, upper | corner};
    for (size_t i = 0; i < sizeof births / sizeof births[0]; i++)
        if (rule->next[births[i]] != 0)
            return false;
    return rule->next[four] == 0 && rule->next[four | corner] == 0;
}

bool lc_gliders_lead(const lc_field_rule *rule)
{
    for (int i = 0; i < 4; i++)
        if (!has_glider(rule, directions[i]) || !is_fastest(rule, directions[i]))
            return false;
    return true;
}

// A glider that was taken away for a trial.
typedef struct glider {
    int x, y; // upper left corner of its box
    unsigned shape;
    int column, row; // its block
} glider;

// The active block that is foremost in a direction.
typedef struct foremost {
    int at; // to.x * column + to.y * row; INT32_MIN: none is active
    int column, row;
} foremost;

static void consider(foremost *best, direction to, int column, int row)
{
    const int at = to.x * column + to.y * row;
    if (at > best->at)
        *best = (foremost){at, column, row};
}

// Finds the foremost active blocks in all directions.
static void find_foremost(const lc_canvas *c, foremost best[4])
{
    const int first = c->busy.left / 64, last = (c->busy.right - 1) / 64;
    for (int i = 0; i < 4; i++)
        best[i].at = INT32_MIN;
    for (int y = c->busy.top; y < c->busy.bottom; y++) {
        const uint64_t *words = c->active + (size_t)y * (size_t)c->row_words;
        int low = first, high = last;
        while (low <= last && words[low] == 0)
            low++;
        if (low > last)
            continue;
        while (words[high] == 0)
            high--;
        const int left = 64 * low + __builtin_ctzll(words[low]);
        const int right = 64 * high + 63 - __builtin_clzll(words[high]);
        for (int i = 0; i < 4; i++)
            consider(&best[i], directions[i], directions[i].x > 0 ? right : left, y);
    }
}

// Finds the box of the cells around a block, if it is 3 x 3.
static bool find_box(const uint64_t rows[ROWS], glider *out)
{
    uint64_t all = 0;
    int top = -1, bottom = -1;
    for (int y = 0; y < ROWS; y++) {
        if (rows[y] == 0)
            continue;
        top = top < 0 ? y : top;
        bottom = y;
        all |= rows[y];
    }
    if (all == 0 || bottom - top != 2 || 63 - __builtin_clzll(all) - __builtin_ctzll(all) != 2)
        return false;
    out->x = __builtin_ctzll(all);
    out->y = top;
    out->shape = 0;
    for (int y = 0; y < GLIDER_BOX; y++)
        out->shape |= (unsigned)(rows[top + y] >> out->x) << 3 * y;
    return true;
}

// Returns whether there may be a glider in a block and those beside it.
static bool has_few_cells(const lc_canvas *c, int column, int row)
{
    uint64_t cells = lc_ones(lc_canvas_block(c, column, row));
    for (int i = 0; i < 9 && cells <= GLIDER_CELLS; i++)
        if (i != 4)
            cells += lc_ones(lc_canvas_block(c, column + i % 3 - 1, row + i / 3 - 1));
    return cells == GLIDER_CELLS;
}

// Returns whether there is a glider in a block that flies in the direction, isolated.
static bool find_glider(const lc_canvas *c, direction to, const foremost *at, glider *out)
{
    if (at->at == INT32_MIN || !has_few_cells(c, at->column, at->row))
        return false;
    out->column = at->column;
    out->row = at->row;
    uint64_t rows[ROWS] = {0}, cells = 0;
    for (int x = -AROUND; x <= AROUND; x++)
        for (int y = -AROUND; y <= AROUND; y++) {
            const uint64_t block = lc_canvas_block(c, out->column + x, out->row + y);
            cells += lc_ones(block);
            if (cells > GLIDER_CELLS)
                return false;
            for (int i = 0; i < LC_BLOCK_CELLS && block != 0; i++)
                rows[LC_BLOCK_CELLS * (y + AROUND) + i] |= (block >> 8 * i & 0xFF)
                                                           << 8 * (x + AROUND);
        }
    if (cells != GLIDER_CELLS || !find_box(rows, out) || !is_glider(out->shape, to))
        return false;
    out->x += LC_BLOCK_CELLS * (out->column - AROUND);
    out->y += LC_BLOCK_CELLS * (out->row - AROUND);
    return true;
}

// Takes the glider away, or puts it back.
static void turn(lc_canvas *c, const glider *g, bool back)
{
    for (int i = 0; i < GLIDER_BOX * GLIDER_BOX; i++)
        if ((g->shape >> i & 1) != 0)
            lc_canvas_turn(c, g->x + i % 3, g->y + i / 3);
    for (int x = -STILL; x <= STILL; x++)
        for (int y = -STILL; y <= STILL; y++)
            lc_canvas_set_active(c, g->column + x, g->row + y, back);
}

// Returns the greatest to.x * x + to.y * y of a live cell, if that is above `low`. Otherwise
// returns `low`. It may return anything that is at least `high`.
static int greatest(const lc_canvas *c, direction to, int low, int high)
{
    int best = low;
    for (int x = c->touched.left; x < c->touched.right; x++)
        for (int y = c->touched.top; y < c->touched.bottom && best < high; y++) {
            const int corner = 8 * (to.x * x + to.y * y) + (to.x > 0 ? 7 : 0) + (to.y > 0 ? 7 : 0);
            uint64_t block = corner > best ? lc_canvas_block(c, x, y) : 0;
            for (; block != 0; block &= block - 1) {
                const int i = __builtin_ctzll(block);
                const int at = to.x * (8 * x + i % 8) + to.y * (8 * y + i / 8);
                best = at > best ? at : best;
            }
        }
    return best;
}

static int least_of(const glider *g, direction to)
{
    return to.x * (to.x > 0 ? g->x : g->x + 2) + to.y * (to.y > 0 ? g->y : g->y + 2);
}

static int take_in_direction(lc_canvas *c, int number, const foremost *start)
{
    const direction to = directions[number];
    glider taken[TAKEN_MAX];
    foremost at[4] = {0};
    int count = 0, stay = 0, low = INT32_MAX, high = INT32_MIN;
    at[number] = *start;
    while (count < TAKEN_MAX && find_glider(c, to, &at[number], &taken[count])) {
        const int least = least_of(&taken[count], to) - GAP_CELLS;
        low = least < low ? least : low;
        high = least > high ? least : high;
        turn(c, &taken[count++], false);
        find_foremost(c, at);
    }
    if (count == 0)
        return 0;
    const int others = greatest(c, to, low - 1, high);
    for (int i = 0; i < count; i++)
        if (least_of(&taken[i], to) - GAP_CELLS <= others) {
            turn(c, &taken[i], true);
            stay++;
        }
    return count - stay;
}

int lc_gliders_take(lc_canvas *c)
{
    int taken = 0;
    if (lc_canvas_is_quiet(c))
        return 0;
    foremost at[4];
    find_foremost(c, at);
    for (int i = 0; i < 4; i++) // a glider that is taken is foremost in its own direction
        taken += take_in_direction(c, i, &at[i]);
    return taken;
}
