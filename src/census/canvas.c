#include "census/canvas.h"

#include "base/memory.h"
#include "base/ones.h"

enum {
    // Active blocks that a patch may have in x and in y. With 4 generations, active cells lie at
    // least 8 away from its edges, so that it is right 4 beyond them; with 8, at least 16.
    NEAR_BLOCKS = 6,
    FAR_BLOCKS = 4,
    NEAR_GENERATIONS = 4,
    FAR_GENERATIONS = 8,
    PATCH_BLOCKS = 8,
    COMPARED_MAX = 64, // patches; of more it takes long to compare each two
};

static const lc_blocks no_blocks = {INT32_MAX, INT32_MAX, 0, 0};

static size_t cells_bytes(const lc_canvas *c)
{
    return (size_t)c->blocks * c->column_bytes;
}

static size_t active_bytes(const lc_canvas *c)
{
    return (size_t)c->blocks * (size_t)c->row_words * sizeof *c->active;
}

lc_status lc_canvas_create(lc_canvas *c, int side_log2, lc_window_steps *steps)
{
    *c = (lc_canvas){.steps = steps, .blocks = 1 << (side_log2 - 3)};
    c->row_words = (c->blocks + 63) / 64;
    // The columns of a patch lie in different sets of the first cache.
    c->column_bytes = ((size_t)1 << side_log2) + 5 * 64;
    c->touched = c->busy = no_blocks;
    c->cells = lc_alloc_pages(cells_bytes(c));
    c->active = lc_alloc_pages(active_bytes(c));
    if (c->cells != NULL && c->active != NULL)
        return LC_OK;
    lc_canvas_free(c);
    return LC_ERROR_MEMORY;
}

static void free_patches(lc_canvas *c)
{
    if (c->patches != NULL)
        lc_free_pages(c->patches, (size_t)c->patch_room * sizeof *c->patches);
}

void lc_canvas_free(lc_canvas *c)
{
    lc_free_pages(c->cells, c->cells == NULL ? 0 : cells_bytes(c));
    lc_free_pages(c->active, c->active == NULL ? 0 : active_bytes(c));
    free_patches(c);
    lc_free(c->places);
    *c = (lc_canvas){0};
}

static void clear_active(lc_canvas *c)
{
    for (int y = c->busy.top; y < c->busy.bottom; y++)
        memset(c->active + (size_t)y * (size_t)c->row_words, 0,
               (size_t)c->row_words * sizeof *c->active);
    c->busy = no_blocks;
}

int lc_canvas_next_block(const lc_canvas *canvas, int column, int row, int end)
{
    for (; row + 4 <= end; row += 4) // most blocks have no cells
        if ((lc_canvas_block(canvas, column, row) | lc_canvas_block(canvas, column, row + 1) |
             lc_canvas_block(canvas, column, row + 2) | lc_canvas_block(canvas, column, row + 3)) !=
            0)
            break;
    while (row < end && lc_canvas_block(canvas, column, row) == 0)
        row++;
    return row;
}

void lc_canvas_clear(lc_canvas *c)
{
    const lc_blocks *b = &c->touched;
    for (int x = b->left; x < b->right; x++)
        memset(c->cells + (size_t)x * c->column_bytes + 8 * (size_t)b->top, 0,
               8 * (size_t)(b->bottom - b->top));
    clear_active(c);
    c->touched = no_blocks;
    c->population = 0;
    c->overflow = false;
    c->patches_stepped = 0;
}

static void extend(lc_blocks *b, int left, int top, int right, int bottom)
{
    b->left = left < b->left ? left : b->left;
    b->top = top < b->top ? top : b->top;
    b->right = right > b->right ? right : b->right;
    b->bottom = bottom > b->bottom ? bottom : b->bottom;
}

// Activates block (column + i, row) for each bit i of `bits`, at most 8. `busy` stays as it is.
static void activate_row(lc_canvas *c, int column, int row, uint64_t bits)
{
    uint64_t *words = c->active + (size_t)row * (size_t)c->row_words + column / 64;
    words[0] |= bits << column % 64;
    if (column % 64 > 56 && bits >> (64 - column % 64) != 0)
        words[1] |= bits >> (64 - column % 64);
}

static void activate(lc_canvas *c, int column, int row)
{
    activate_row(c, column, row, 1);
    extend(&c->busy, column, row, column + 1, row + 1);
}

// Activates the blocks of a patch that begins at a block.
static void activate_patch(lc_canvas *c, const lc_patch_place *at, uint64_t active)
{
    if (active == 0)
        return;
    for (int y = __builtin_ctzll(active) / 8; y <= (63 - __builtin_clzll(active)) / 8; y++)
        activate_row(c, at->column, at->row + y, active >> 8 * y & 0xFF);
    uint64_t columns = active | active >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 0xFF;
    extend(&c->busy, at->column + __builtin_ctzll(columns), at->row + __builtin_ctzll(active) / 8,
           at->column + 64 - __builtin_clzll(columns), at->row + 8 - __builtin_clzll(active) / 8);
}

static bool is_inside(const lc_canvas *c, const lc_blocks *b)
{
    return b->left >= LC_CANVAS_MARGIN && b->top >= LC_CANVAS_MARGIN &&
           b->right <= c->blocks - LC_CANVAS_MARGIN && b->bottom <= c->blocks - LC_CANVAS_MARGIN;
}

void lc_canvas_add(lc_canvas *c, int x, int y, uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1) {
        const int at = x + __builtin_ctzll(bits);
        uint8_t *byte = &c->cells[(size_t)(at / 8) * c->column_bytes + (size_t)y];
        c->population += (*byte >> at % 8 & 1) == 0;
        *byte |= (uint8_t)(1 << at % 8);
        activate(c, at / 8, y / 8);
        extend(&c->touched, at / 8, y / 8, at / 8 + 1, y / 8 + 1);
    }
}

void lc_canvas_turn(lc_canvas *c, int x, int y)
{
    c->cells[(size_t)(x / 8) * c->column_bytes + (size_t)y] ^= (uint8_t)(1 << x % 8);
}

void lc_canvas_set_active(lc_canvas *c, int column, int row, bool active)
{
    uint64_t *word = c->active + (size_t)row * (size_t)c->row_words + column / 64;
    if (active)
        activate(c, column, row);
    else
        *word &= ~((uint64_t)1 << column % 64);
}

static bool make_room(lc_canvas *c, int count)
{
    if (count <= c->patch_room)
        return true;
    const int room = 2 * count + 16;
    lc_patch_place *places = lc_realloc(c->places, (size_t)room * sizeof *places);
    c->places = places != NULL ? places : c->places;
    lc_canvas_patch *patches = lc_alloc_pages((size_t)room * sizeof *patches); // aligned
    if (places == NULL || patches == NULL) {
        lc_free_pages(patches, patches == NULL ? 0 : (size_t)room * sizeof *patches);
        return false;
    }
    free_patches(c);
    c->patches = patches;
    c->patch_room = room;
    return true;
}

// Returns the active blocks of a row: bit i stands for column `left` + i.
static uint64_t active_row(const lc_canvas *c, int row, int left)
{
    const uint64_t *words = c->active + (size_t)row * (size_t)c->row_words + left / 64;
    const int shift = left % 64;
    const bool more = shift != 0 && left / 64 + 1 < c->row_words;
    return words[0] >> shift | (more ? words[1] << (64 - shift) : 0);
}

// Appends patches whose inner side x side blocks cover the active blocks of `side` rows, from
// column `left` on. Returns the new number of patches; -1: out of memory.
static int cover_bits(lc_canvas *c, int side, int left, int row, uint64_t bits, int count)
{
    const int edge = (PATCH_BLOCKS - side) / 2;
    while (bits != 0) {
        const int at = __builtin_ctzll(bits);
        bits = at + side < 64 ? bits & UINT64_MAX << (at + side) : 0;
        if (!make_room(c, count + 1))
            return -1;
        c->places[count++] = (lc_patch_place){left + at - edge, row - edge};
    }
    return count;
}

// Sets the places of patches that cover the active blocks of 64 columns and more. Those that cover
// blocks of one column of words may reach into the next one. Returns their number; -1: out of
// memory.
static int cover(lc_canvas *c, int side)
{
    int count = 0;
    for (int left = c->busy.left; left < c->busy.right; left += 64) {
        const int columns = c->busy.right - left;
        const uint64_t inside = columns < 64 ? ((uint64_t)1 << columns) - 1 : UINT64_MAX;
        for (int row = c->busy.top; row < c->busy.bottom && count >= 0;) {
            uint64_t bits = active_row(c, row, left) & inside;
            if (bits == 0) {
                row++;
                continue;
            }
            for (int y = row + 1; y < row + side && y < c->busy.bottom; y++)
                bits |= active_row(c, y, left) & inside;
            count = cover_bits(c, side, left, row, bits, count);
            row += side;
        }
    }
    return count;
}

static int write_patches(lc_canvas *c, int count, int generations)
{
    clear_active(c);
    c->patch_count = count;
    for (int i = 0; i < count; i++) {
        const lc_canvas_patch *patch = &c->patches[i];
        const int column = c->places[i].column, row = c->places[i].row;
        c->population += c->steps->level->patch_write(
            patch, c->cells + (size_t)column * c->column_bytes + 8 * (size_t)row);
        extend(&c->touched, column, row, column + PATCH_BLOCKS, row + PATCH_BLOCKS);
        activate_patch(c, &c->places[i], patch->active);
    }
    return generations;
}

static void step_patch(lc_canvas *c, int number, int generations, bool repeats)
{
    const lc_patch_place *at = &c->places[number];
    lc_canvas_patch *patch = &c->patches[number];
    patch->from = c->cells + (size_t)at->column * c->column_bytes + 8 * (size_t)at->row;
    patch->column_bytes = c->column_bytes;
    patch->generations = generations;
    patch->repeats = repeats;
    patch->rules = &c->steps->from[0];
    c->steps->patch(patch);
    c->patches_stepped++;
}

// Steps the patches at their places, and writes them when all are stepped, because they overlap.
// Returns the generations.
static int step_patches(lc_canvas *c, int count, int generations)
{
    for (int i = 0; i < count; i++)
        step_patch(c, i, generations, false);
    return write_patches(c, count, generations);
}

// Whether there are few patches, and none overlaps another one.
static bool are_apart(const lc_canvas *c, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            const int x = c->places[i].column - c->places[k].column;
            const int y = c->places[i].row - c->places[k].row;
            if (x > -PATCH_BLOCKS && x < PATCH_BLOCKS && y > -PATCH_BLOCKS && y < PATCH_BLOCKS)
                return false;
        }
    return true;
}

// Steps patches that are apart and cover all active blocks by so many generations, or fewer if life
// leaves one of them. Returns the generations.
static int repeat_patches(lc_canvas *c, int count, int generations)
{
    int made = generations;
    for (int i = 0; i < count; i++) {
        step_patch(c, i, made, true);
        made = c->patches[i].made;
    }
    for (int i = 0; i < count; i++)
        if (c->patches[i].made > made)
            step_patch(c, i, made, true);
    return write_patches(c, count, made);
}

// Whether the box of the active blocks fits into a patch. If so, sets one patch, with that box in
// its middle.
static bool place_one(lc_canvas *c, int side)
{
    const lc_blocks *b = &c->busy;
    const int width = b->right - b->left, height = b->bottom - b->top;
    if (width > side || height > side || !make_room(c, 1))
        return false;
    c->places[0] = (lc_patch_place){b->left - (PATCH_BLOCKS - width) / 2,
                                    b->top - (PATCH_BLOCKS - height) / 2};
    return true;
}

// Steps by 8 generations or fewer. Returns how many; 0: nothing was stepped, because the canvas is
// too small; -1: out of memory.
static int step_some(lc_canvas *c, int generations)
{
    const int few = generations < NEAR_GENERATIONS ? generations : NEAR_GENERATIONS;
    const int repeated = generations / LC_PATCH_REPEAT * LC_PATCH_REPEAT;
    if (!is_inside(c, &c->busy))
        return 0;
    if (place_one(c, NEAR_BLOCKS))
        return repeated > 0 ? repeat_patches(c, 1, repeated) : step_patches(c, 1, few);
    const int count = cover(c, NEAR_BLOCKS);
    if (count < 0)
        return -1;
    if (repeated > NEAR_GENERATIONS && count <= COMPARED_MAX && are_apart(c, count))
        return repeat_patches(c, count, repeated);
    if (generations < FAR_GENERATIONS)
        return step_patches(c, count, few);
    const int far_count = cover(c, FAR_BLOCKS);
    // A patch of 8 generations takes three quarters of the time of two patches of 4.
    if ((int64_t)far_count * 3 <= (int64_t)count * 4)
        return far_count < 0 ? -1 : step_patches(c, far_count, FAR_GENERATIONS);
    return step_patches(c, cover(c, NEAR_BLOCKS), few);
}

lc_status lc_canvas_step(lc_canvas *c, int generations)
{
    while (generations > 0 && !c->overflow && !lc_canvas_is_quiet(c)) {
        const int made = step_some(c, generations);
        if (made < 0)
            return LC_ERROR_MEMORY;
        c->overflow = made == 0 || c->patches_stepped > c->patches_max;
        generations -= made;
    }
    return LC_OK;
}

lc_status lc_canvas_step_once(lc_canvas *c)
{
    c->patch_count = 0;
    if (lc_canvas_is_quiet(c) || c->overflow)
        return LC_OK;
    const int made = step_some(c, 1);
    c->overflow = made == 0 || c->patches_stepped > c->patches_max;
    return made < 0 ? LC_ERROR_MEMORY : LC_OK;
}

void lc_canvas_wake(lc_canvas *c)
{
    const lc_blocks all = c->touched;
    clear_active(c);
    for (int x = all.left; x < all.right; x++) {
        for (int y = all.top; y < all.bottom; y++)
            if (lc_canvas_block(c, x, y) != 0)
                activate(c, x, y);
    }
}
