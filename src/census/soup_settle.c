#include "census/soup_settle.h"

#include "base/memory.h"
#include "base/mix.h"
#include "census/gliders.h"
#include "census/left_ships.h"
#include "kernels/soup_rounds.h"

enum {
    // Between two searches for gliders. More often they cost more than the patches of the gliders.
    GLIDER_GENERATIONS = 36,
    QUIET_DURATION = 2,
    REPEAT_GENERATIONS = 30, // between two hashes
    REPEATS_MAX = 4000,
    CHECKS = 20,             // of the population, after a hash has come back
    UNKNOWN_DURATION = 1280, // of soups that do not repeat themselves
};

void lc_soup_free(lc_running_soup *soup)
{
    for (size_t i = 0; i < soup->ship_count; i++)
        lc_free(soup->ships[i].populations);
    lc_free(soup->ships);
    lc_free(soup->ship_kinds.at);
    *soup = (lc_running_soup){0};
}

lc_status lc_soup_run(lc_running_soup *soup, int generations)
{
    const lc_status status = lc_canvas_step(soup->canvas, generations);
    soup->generations += (uint64_t)generations;
    if (status != LC_OK || soup->canvas->overflow)
        return status;
    if (soup->take_gliders && soup->generations >= soup->glider_check) {
        soup->glider_check = soup->generations + GLIDER_GENERATIONS;
        soup->gliders += (uint64_t)lc_gliders_take(soup->canvas);
    }
    return lc_left_ships_take(soup);
}

int64_t lc_soup_population(const lc_running_soup *soup)
{
    return soup->canvas->population + lc_left_ships_growth(soup);
}

// Sets soup->duration if the population stays equal; 0: it does not.
static lc_status settle_by_population(lc_running_soup *soup)
{
    const lc_canvas *canvas = soup->canvas;
    int64_t before = 0;
    int equal = 0, length = LC_SOUP_FIRST_LENGTH;
    for (int round = 0; round < LC_SOUP_ROUNDS_MAX && !canvas->overflow; round++) {
        length = lc_soup_round_length(round, length);
        const lc_status status = lc_soup_run(soup, length);
        if (status != LC_OK)
            return status;
        if (lc_canvas_is_quiet(canvas)) {
            soup->duration = QUIET_DURATION;
            return LC_OK;
        }
        const int64_t population = lc_soup_population(soup);
        equal = population == before ? equal + 1 : 0;
        length ^= equal == 0 ? LC_SOUP_OTHER_LENGTH : 0;
        before = population;
        if (equal == lc_soup_rounds_needed(round)) {
            soup->duration = length;
            return LC_OK;
        }
    }
    return LC_OK;
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

// Whether a cell is in the middle of the canvas, counted from the soup's origin. This is where
// apgsearch looks: it has tiles of 28 x 44 cells in skewed columns, and takes those less than 120
// tiles away from the first one.
static bool is_middle(int64_t x, int64_t y)
{
    const int64_t row = floor_of(y, 44), column = floor_of(x - 14 * row, 28);
    return column * column + row * row + column * row < 120 * 120;
}

// Returns the cells of a block that are in the middle.
static uint64_t middle_of(const lc_running_soup *soup, int column, int row)
{
    const uint64_t block = lc_canvas_block(soup->canvas, column, row);
    const int64_t x = 8 * (int64_t)column - soup->x, y = 8 * (int64_t)row - soup->y;
    uint64_t inside = 0;
    int corners = 0;
    for (int i = 0; i < 4 && block != 0; i++)
        corners += is_middle(x + 7 * (i % 2), y + 7 * (i / 2));
    if (corners == 0 || corners == 4)
        return corners == 0 ? 0 : block;
    for (int i = 0; i < 64; i++)
        inside |= (uint64_t)is_middle(x + i % 8, y + i / 8) << i;
    return block & inside;
}

static uint64_t hash_of(const lc_running_soup *soup)
{
    const lc_blocks *b = &soup->canvas->touched;
    uint64_t hash = 0;
    for (int x = b->left; x < b->right; x++)
        for (int y = b->top; y < b->bottom; y++) {
            y = lc_canvas_next_block(soup->canvas, x, y, b->bottom);
            const uint64_t block = y < b->bottom ? middle_of(soup, x, y) : 0;
            if (block != 0)
                hash += lc_mixed(block + lc_mixed((uint64_t)x << 32 | (uint64_t)y));
        }
    return hash;
}

// A rising sequence of hashes, and when they were seen.
typedef struct stack {
    uint64_t hash[REPEATS_MAX];
    uint64_t at[REPEATS_MAX];
    int count;
} stack;

// Removes larger hashes, then pushes this one. Returns when it was seen before; 0: it was not.
static uint64_t push(stack *s, uint64_t hash, uint64_t at)
{
    while (s->count > 0 && s->hash[s->count - 1] > hash)
        s->count--;
    if (s->count > 0 && s->hash[s->count - 1] == hash)
        return s->at[s->count - 1];
    s->hash[s->count] = hash;
    s->at[s->count++] = at;
    return 0;
}

static lc_status check_period(lc_running_soup *soup)
{
    const int64_t population = lc_soup_population(soup);
    const int period = soup->duration;
    for (int i = 0; i < CHECKS && !soup->canvas->overflow; i++) {
        const lc_status status = lc_soup_run(soup, period);
        if (status != LC_OK)
            return status;
        if (lc_soup_population(soup) != population) {
            soup->duration = period < UNKNOWN_DURATION ? UNKNOWN_DURATION : period;
            return LC_OK;
        }
    }
    return LC_OK;
}

static lc_status settle_by_hash(lc_running_soup *soup, stack *seen)
{
    const lc_canvas *canvas = soup->canvas;
    for (uint64_t i = 1; i <= REPEATS_MAX && !canvas->overflow; i++) {
        const lc_status status = lc_soup_run(soup, REPEAT_GENERATIONS);
        if (status != LC_OK)
            return status;
        const uint64_t before = push(seen, hash_of(soup), i);
        if (before != 0) {
            soup->duration = (int)(i - before) * REPEAT_GENERATIONS;
            return check_period(soup);
        }
    }
    soup->duration = UNKNOWN_DURATION;
    return canvas->overflow ? LC_OK : lc_soup_run(soup, UNKNOWN_DURATION);
}

lc_status lc_soup_settle(lc_running_soup *soup)
{
    lc_status status = settle_by_population(soup);
    if (status != LC_OK || soup->duration != 0 || soup->canvas->overflow)
        return status;
    stack *seen = lc_calloc(1, sizeof *seen);
    if (seen == NULL)
        return LC_ERROR_MEMORY;
    status = settle_by_hash(soup, seen);
    lc_free(seen);
    return status;
}
