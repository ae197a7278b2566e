#include "census/separate.h"

#include <string.h>

#include "base/memory.h"
#include "base/transpose.h"

enum {
    WORD_BLOCKS = 8,  // blocks in a word of a row
    EDGE = 2,         // cells of a window in which a group must not lie: more may lie beyond
    ABOVE = 24,       // rows of a window above the first cell of a group
    BESIDE = 32,      // columns to its left
    MARGIN_ROWS = 64, // of dead cells above and below the planes, and a word at each side
};

void lc_separation_free(lc_separation *s)
{
    lc_free_pages(s->history, s->history == NULL ? 0 : s->history_bytes);
    lc_free(s->live);
    lc_free(s->reached);
    *s = (lc_separation){0};
}

// ---- History ----

static lc_status make_history(lc_separation *s, const lc_canvas *c)
{
    const size_t bytes = (size_t)c->blocks * c->column_bytes;
    if (s->history_bytes != bytes) {
        lc_free_pages(s->history, s->history == NULL ? 0 : s->history_bytes);
        s->history = lc_alloc_pages(bytes);
        s->history_bytes = s->history == NULL ? 0 : bytes;
    }
    return s->history == NULL ? LC_ERROR_MEMORY : LC_OK;
}

static uint64_t block_of(const lc_separation *s, const lc_canvas *c, int column, int row)
{
    uint64_t block;
    memcpy(&block, s->history + (size_t)column * c->column_bytes + 8 * (size_t)row, sizeof block);
    return block;
}

static void add_history(lc_separation *s, const lc_canvas *c, const lc_blocks *b)
{
    for (int x = b->left; x < b->right; x++)
        for (int y = b->top; y < b->bottom; y++) {
            const uint64_t all = block_of(s, c, x, y) | lc_canvas_block(c, x, y);
            memcpy(s->history + (size_t)x * c->column_bytes + 8 * (size_t)y, &all, sizeof all);
        }
}

static void clear_history(lc_separation *s, const lc_canvas *c)
{
    const lc_blocks *b = &c->touched;
    for (int x = b->left; x < b->right; x++)
        memset(s->history + (size_t)x * c->column_bytes + 8 * (size_t)b->top, 0,
               8 * (size_t)(b->bottom - b->top));
}

// Steps one by one. After the first generation only blocks that differ from the one before are
// stepped.
static lc_status run(lc_separation *s, lc_canvas *c, int duration)
{
    lc_status status = make_history(s, c);
    if (status != LC_OK)
        return status;
    add_history(s, c, &c->touched);
    lc_canvas_wake(c);
    for (int i = 0; i < duration && status == LC_OK && !c->overflow; i++) {
        status = lc_canvas_step_once(c);
        for (int k = 0; k < c->patch_count; k++) {
            const lc_patch_place *at = &c->places[k];
            add_history(s, c, &(lc_blocks){at->column, at->row, at->column + 8, at->row + 8});
        }
    }
    return status;
}

// ---- Planes ----

static bool make_planes(lc_separation *s, const lc_canvas *c)
{
    const lc_blocks *b = &c->touched;
    s->columns = (b->right - b->left + WORD_BLOCKS - 1) / WORD_BLOCKS + 2;
    s->rows = 8 * (b->bottom - b->top) + 2 * MARGIN_ROWS;
    const size_t words = (size_t)s->columns * (size_t)s->rows;
    if (words > s->room) {
        lc_free(s->live);
        lc_free(s->reached);
        s->live = lc_malloc(words * sizeof *s->live);
        s->reached = lc_malloc(words * sizeof *s->reached);
        s->room = s->live == NULL || s->reached == NULL ? 0 : words;
    }
    if (words > s->room)
        return false;
    memset(s->live, 0, words * sizeof *s->live);
    memset(s->reached, 0, words * sizeof *s->reached);
    return true;
}

// Copies 8 x 8 blocks into both planes.
static void copy_rows(lc_separation *s, const lc_canvas *c, int word, int row)
{
    const int left = c->touched.left + WORD_BLOCKS * word, top = c->touched.top + row;
    uint64_t live[8], reached[8], any = 0;
    for (int i = 0; i < WORD_BLOCKS; i++) {
        const bool inside = left + i < c->touched.right;
        live[i] = inside ? lc_canvas_block(c, left + i, top) : 0;
        reached[i] = inside ? block_of(s, c, left + i, top) : 0;
        any |= reached[i];
    }
    if (any == 0)
        return;
    lc_transpose_bytes(live); // columns of eight rows become rows
    lc_transpose_bytes(reached);
    const size_t at = (size_t)(word + 1) * (size_t)s->rows + MARGIN_ROWS + 8 * (size_t)row;
    memcpy(s->live + at, live, sizeof live);
    memcpy(s->reached + at, reached, sizeof reached);
}

static bool fill_planes(lc_separation *s, const lc_canvas *c)
{
    if (!make_planes(s, c))
        return false;
    for (int word = 0; word < s->columns - 2; word++)
        for (int row = 0; row < c->touched.bottom - c->touched.top; row++)
            copy_rows(s, c, word, row);
    return true;
}

// ---- Small groups ----

// A window of 64 x 64 cells of a plane.
typedef struct window {
    int x, y;
} window;

static uint64_t read_row(const lc_separation *s, const uint64_t *plane, const window *w, int row)
{
    const size_t at = (size_t)(w->x / 64) * (size_t)s->rows + (size_t)(w->y + row);
    const int shift = w->x % 64;
    return shift == 0 ? plane[at]
                      : plane[at] >> shift | plane[at + (size_t)s->rows] << (64 - shift);
}

static void clear_row(const lc_separation *s, uint64_t *plane, const window *w, int row,
                      uint64_t cells)
{
    const size_t at = (size_t)(w->x / 64) * (size_t)s->rows + (size_t)(w->y + row);
    const int shift = w->x % 64;
    plane[at] &= ~(cells << shift);
    if (shift != 0)
        plane[at + (size_t)s->rows] &= ~(cells >> (64 - shift));
}

static uint64_t spread(uint64_t cells, int by)
{
    uint64_t wide = cells | cells << 1 | cells >> 1;
    return by == 1 ? wide : wide | cells << 2 | cells >> 2;
}

// The rows of a window that a group has reached so far.
typedef struct reach {
    uint64_t rows[LC_GROUP_CELLS];
    uint64_t around[LC_GROUP_CELLS]; // rows of the plane
    int top, bottom;                 // rows of the group; `around` is known to 2 rows beyond them
} reach;

// Adds the cells of a row that are near cells of the group. Returns whether there were any.
static bool grow_row(reach *r, int row, bool square)
{
    uint64_t near = 0;
    for (int y = row - EDGE; y <= row + EDGE; y++) {
        const bool far = y == row - EDGE || y == row + EDGE;
        if (y >= 0 && y < LC_GROUP_CELLS)
            near |= spread(r->rows[y], far && !square ? 1 : 2);
    }
    near &= r->around[row] & ~r->rows[row];
    r->rows[row] |= near;
    return near != 0;
}

// Extends the group by a row, and reads the row that is now 2 rows beyond it.
static void extend_group(reach *r, const lc_separation *s, const window *w, int row)
{
    for (; r->top > row; r->top--)
        if (r->top - 1 - EDGE >= 0)
            r->around[r->top - 1 - EDGE] = read_row(s, s->reached, w, r->top - 1 - EDGE);
    for (; r->bottom < row; r->bottom++)
        if (r->bottom + 1 + EDGE < LC_GROUP_CELLS)
            r->around[r->bottom + 1 + EDGE] = read_row(s, s->reached, w, r->bottom + 1 + EDGE);
}

// Returns false if the group may not lie within the window.
static bool grow_group(reach *r, const lc_separation *s, const window *w, bool square)
{
    for (bool grows = true; grows;) {
        grows = false;
        const int top = r->top - EDGE, bottom = r->bottom + EDGE;
        if (top < 0 || bottom >= LC_GROUP_CELLS)
            return false;
        for (int y = top; y <= bottom; y++)
            if (grow_row(r, y, square)) {
                grows = true;
                extend_group(r, s, w, y);
            }
    }
    uint64_t all = 0;
    for (int y = r->top; y <= r->bottom; y++)
        all |= r->rows[y];
    return (all & 0xC000000000000003) == 0;
}

// Moves live cells of the group to the group's corner.
static void make_group(lc_group *group, const uint64_t *live, int top, int bottom)
{
    uint64_t all = 0;
    while (live[top] == 0)
        top++;
    while (live[bottom] == 0)
        bottom--;
    for (int y = top; y <= bottom; y++)
        all |= live[y];
    const int left = __builtin_ctzll(all);
    group->width = 64 - __builtin_clzll(all) - left;
    group->height = bottom - top + 1;
    for (int y = top; y <= bottom; y++)
        group->rows[y - top] = live[y] >> left;
}

// Takes the group of the first cell of a word out of the planes. Returns false if it is too large.
static bool take_group(lc_group *group, lc_separation *s, int word, int row, bool square)
{
    const int bit = __builtin_ctzll(s->live[(size_t)word * (size_t)s->rows + (size_t)row]);
    const window w = {64 * word + bit - BESIDE, row - ABOVE};
    reach r = {.top = ABOVE, .bottom = ABOVE};
    uint64_t live[LC_GROUP_CELLS];
    r.rows[ABOVE] = (uint64_t)1 << BESIDE;
    for (int y = ABOVE - EDGE; y <= ABOVE + EDGE; y++)
        r.around[y] = read_row(s, s->reached, &w, y);
    if (!grow_group(&r, s, &w, square))
        return false;
    for (int y = r.top; y <= r.bottom; y++) {
        live[y] = r.rows[y] & read_row(s, s->live, &w, y);
        clear_row(s, s->reached, &w, y, r.rows[y]);
        clear_row(s, s->live, &w, y, r.rows[y]);
    }
    make_group(group, live, r.top, r.bottom);
    return true;
}

// ---- Large groups ----

static uint64_t *word_at(const lc_separation *s, uint64_t *plane, int64_t x, int64_t y)
{
    return &plane[(size_t)(x / 64) * (size_t)s->rows + (size_t)y];
}

// Moves a cell from the planes to the lists, if it was reached.
static bool take_cell(lc_live *all, lc_live *live, lc_separation *s, int64_t x, int64_t y)
{
    const uint64_t bit = (uint64_t)1 << x % 64;
    uint64_t *reached = word_at(s, s->reached, x, y), *alive = word_at(s, s->live, x, y);
    if ((*reached & bit) == 0)
        return true;
    *reached &= ~bit;
    if (!lc_live_add(all, x, y))
        return false;
    if ((*alive & bit) == 0)
        return true;
    *alive &= ~bit;
    return lc_live_add(live, x, y);
}

// Takes the group of a cell out of the planes.
static bool take_cells(lc_live *live, lc_separation *s, int64_t x, int64_t y, bool square)
{
    lc_live all = {0};
    bool fits = take_cell(&all, live, s, x, y);
    for (size_t i = 0; i < all.count && fits; i++) {
        const lc_live_cell at = all.at[i];
        for (int dy = -2; dy <= 2 && fits; dy++)
            for (int dx = -2; dx <= 2 && fits; dx++)
                if (square || dx * dx + dy * dy <= 5)
                    fits = take_cell(&all, live, s, at.x + dx, at.y + dy);
    }
    lc_live_free(&all);
    lc_live_sort(live);
    return fits;
}

// ---- All groups ----

static lc_status name_next(lc_named_list *list, lc_separation *s, int word, int row,
                           lc_object_names *names, uint64_t limit, lc_message *message)
{
    const bool square = names->fates.rule.groups_are_square;
    const uint64_t cells = s->live[(size_t)word * (size_t)s->rows + (size_t)row];
    lc_group group;
    lc_live live = {0};
    if (take_group(&group, s, word, row, square))
        return lc_name_group(list, names, &group, limit, message);
    lc_status status = LC_ERROR_MEMORY;
    if (take_cells(&live, s, 64 * (int64_t)word + __builtin_ctzll(cells), row, square))
        status = lc_name_cells(list, names, &live, limit, message);
    lc_live_free(&live);
    return status;
}

lc_status lc_soup_separate(lc_named_list *list, lc_separation *s, lc_canvas *c, int duration,
                           lc_object_names *names, uint64_t limit, lc_message *message)
{
    if (c->touched.left >= c->touched.right) // no cell was ever alive
        return LC_OK;
    lc_status status = run(s, c, duration);
    if (status == LC_OK && !c->overflow && !fill_planes(s, c))
        status = LC_ERROR_MEMORY;
    if (s->history != NULL)
        clear_history(s, c);
    lc_canvas_wake(c);
    if (status != LC_OK || c->overflow)
        return status;
    for (int word = 1; word < s->columns - 1; word++)
        for (int row = MARGIN_ROWS; row < s->rows - MARGIN_ROWS; row++)
            while (s->live[(size_t)word * (size_t)s->rows + (size_t)row] != 0 && status == LC_OK)
                status = name_next(list, s, word, row, names, limit, message);
    return status;
}
