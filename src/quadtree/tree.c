// Trees of squares: the root, and reading, writing and seeking cells row by row.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/mix.h"
#include "level/tile.h"
#include "quadtree/tree.h"

enum {
    SIDE = LC_TILE_CELLS,
    PLACES = 1 << 12,             // capacity of the table of written tiles
    PLACES_MOST = PLACES / 4 * 3, // its maximum load
    PATH = LC_ROOT_LOG2_MAX + 1,
};

static void keep(void *context, const lc_keeping *keeping)
{
    lc_tree *t = context;
    lc_keep(keeping, &t->root);
    lc_keep(keeping, &t->before);
    lc_keep(keeping, &t->snapshot);
}

lc_status lc_tree_init(lc_tree *t, lc_store *store, lc_tree_reserve reserve, void *context,
                       lc_message *message)
{
    *t = (lc_tree){.store = store,
                   .reserve = reserve,
                   .context = context,
                   .root_log2 = LC_ROOT_LOG2_MIN,
                   .middle_y = LC_MIDDLE_Y};
    t->pending = lc_alloc_pages(PLACES * sizeof *t->pending);
    if (t->pending == NULL)
        return lc_fail_memory(message, "a tree of squares");
    t->gc_root = (lc_gc_root){.each = keep, .context = t};
    lc_store_add_root(store, &t->gc_root);
    return LC_OK;
}

void lc_tree_free(lc_tree *t)
{
    if (t->pending == NULL)
        return;
    lc_store_remove_root(t->store, &t->gc_root);
    lc_free_pages(t->pending, PLACES * sizeof *t->pending);
    t->pending = NULL;
}

uint64_t lc_tree_extent(const lc_tree *t)
{
    const int log2 = t->root_log2 <= LC_NEAR_LOG2 ? t->root_log2 - 1 : LC_NEAR_LOG2;
    uint64_t farthest = t->root != 0 ? UINT64_C(1) << log2 : 0;
    for (size_t i = 0; i < PLACES && t->pending_count > 0; i++) {
        const lc_pending *p = &t->pending[i];
        const uint64_t x = (uint64_t)(p->x < 0 ? -p->x : p->x + 1);
        const uint64_t y = (uint64_t)(p->y < 0 ? -p->y : p->y + 1);
        const uint64_t far = (x > y ? x : y) * SIDE;
        farthest = p->written && far > farthest ? far : farthest;
    }
    return farthest;
}

// Discards the written tiles. Without any, the table's memory was never used.
static void drop_pending(lc_tree *t)
{
    if (t->pending_count > 0)
        memset(t->pending, 0, PLACES * sizeof *t->pending);
    t->pending_count = t->live_count = 0;
}

lc_status lc_tree_set_root(lc_tree *t, lc_square root, int root_log2, lc_message *message)
{
    const int before_log2 = t->root_log2;
    lc_status status = LC_OK;
    t->before = t->root;
    t->root = root;
    t->root_log2 = root_log2;
    while (t->root_log2 < LC_ROOT_LOG2_MIN && status == LC_OK) {
        status = t->reserve(t->context, 5, 0, message);
        if (status == LC_OK)
            lc_tree_grow_root(t);
    }
    lc_tree_shrink_root(t);
    if (status == LC_OK && t->root_log2 > LC_WIDE_REACH_LOG2 + 1)
        status = lc_fail(message, LC_ERROR_LIMIT,
                         "the pattern has cells further than 2^%d from (0, 0)", LC_WIDE_REACH_LOG2);
    if (status == LC_OK) {
        drop_pending(t);
    } else {
        t->root = t->before;
        t->root_log2 = before_log2;
    }
    t->before = 0;
    return status;
}

lc_status lc_tree_snapshot(lc_tree *t, lc_message *message)
{
    const lc_status status = lc_tree_flush(t, message);
    if (status != LC_OK)
        return status;
    t->snapshot = t->root;
    t->snapshot_log2 = t->root_log2;
    return LC_OK;
}

bool lc_tree_end_snapshot(lc_tree *t, bool goes_back)
{
    const bool has_snapshot = t->snapshot_log2 != 0;
    if (has_snapshot && goes_back) {
        t->root = t->snapshot;
        t->root_log2 = t->snapshot_log2;
        drop_pending(t);
    }
    t->snapshot = 0;
    t->snapshot_log2 = 0;
    return has_snapshot;
}

// The root ----------------------------------------------------------------------------------------

void lc_tree_grow_root(lc_tree *t)
{
    lc_square corner[4];
    for (int i = 0; i < 4; i++) {
        lc_square key[4] = {0};
        key[3 - i] = lc_store_child(t->store, t->root, i); // upper left becomes lower right
        corner[i] = lc_store_find_node(t->store, key);
    }
    t->root_log2++;
    t->root = lc_store_find_node(t->store, corner);
}

// Replaces four squares around a corner by their quarters at that corner. Returns whether all other
// quarters are dead.
static bool take_middle(const lc_store *store, lc_square squares[4])
{
    lc_square rest = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++)
            rest |= k == 3 - i ? 0 : lc_store_child(store, squares[i], k);
        squares[i] = lc_store_child(store, squares[i], 3 - i);
    }
    return rest == 0;
}

static void quarters_of_root(const lc_tree *t, lc_square squares[4])
{
    for (int i = 0; i < 4; i++)
        squares[i] = lc_store_child(t->store, t->root, i);
}

void lc_tree_shrink_root(lc_tree *t)
{
    while (t->root_log2 > LC_ROOT_LOG2_MIN && t->reserve(t->context, 1, 0, NULL) == LC_OK) {
        lc_square middle[4];
        quarters_of_root(t, middle);
        if (!take_middle(t->store, middle))
            return;
        t->root_log2--;
        t->root = lc_store_find_node(t->store, middle);
    }
}

bool lc_tree_is_far(const lc_tree *t)
{
    lc_square middle[4];
    quarters_of_root(t, middle);
    for (int log2 = t->root_log2 - 1; log2 > LC_NEAR_LOG2; log2--)
        if (!take_middle(t->store, middle))
            return true;
    return false;
}

lc_status lc_tree_refuse_far(lc_message *message)
{
    return lc_fail(message, LC_ERROR_LIMIT,
                   "some live cells are further than 2^62 from (0, 0): only macrocell files (.mc) "
                   "and checkpoints hold them");
}

int lc_tree_middle(const lc_tree *t, int most_log2, lc_square squares[4])
{
    const int top = t->root_log2 - 1, log2 = top < most_log2 ? top : most_log2;
    for (int i = 0; i < 4; i++) {
        squares[i] = lc_store_child(t->store, t->root, i);
        for (int k = top; k > log2; k--)
            squares[i] = lc_store_child(t->store, squares[i], 3 - i);
    }
    return log2;
}

static int64_t side_of(int log2)
{
    return INT64_C(1) << log2;
}

// Returns the same cells with rows counted from the middle.
static lc_cells from_middle(const lc_tree *t, const lc_cells *cells)
{
    lc_cells same = *cells;
    same.y -= t->middle_y;
    return same;
}

// Writing -----------------------------------------------------------------------------------------

typedef struct place {
    int64_t x, y; // in tiles
} place;

static lc_pending *pending_at(lc_tree *t, int64_t x, int64_t y)
{
    uint64_t at = lc_mixed((uint64_t)x ^ lc_mixed((uint64_t)y));
    while (t->pending[at % PLACES].written &&
           (t->pending[at % PLACES].x != x || t->pending[at % PLACES].y != y))
        at++;
    return &t->pending[at % PLACES];
}

// Returns the leaf at a position in tiles.
static lc_square leaf_at(const lc_tree *t, int64_t x, int64_t y)
{
    lc_square squares[4];
    int log2 = lc_tree_near(t, squares) - LC_LEAF_LOG2; // in tiles
    const int64_t side = side_of(log2);
    if (x < -side || x >= side || y < -side || y >= side)
        return 0;
    lc_square s = squares[(y >= 0) * 2 + (x >= 0)];
    const uint64_t down = (uint64_t)y, right = (uint64_t)x; // their bits select the quarters
    while (s != 0 && log2-- > 0)
        s = lc_store_child(t->store, s, (int)(down >> log2 & 1) * 2 + (int)(right >> log2 & 1));
    return s;
}

// Returns a square of 2^log2 tiles with its corner at (x, y), after replacing some tiles by the
// written ones.
static lc_square with_tiles(lc_tree *t, lc_square square, int log2, place at, lc_pending **tiles,
                            size_t count)
{
    if (count == 0)
        return square;
    if (log2 == 0)
        return lc_store_find_leaf(t->store, tiles[0]->cells);
    const int64_t half = side_of(log2 - 1);
    lc_square child[4];
    size_t begin = 0;
    for (int i = 0; i < 4; i++) {
        const place corner = {at.x + i % 2 * half, at.y + i / 2 * half};
        size_t end = begin; // the tiles of this quarter come first
        for (size_t k = begin; k < count; k++) {
            if ((tiles[k]->x >= at.x + half) != (i % 2 != 0) ||
                (tiles[k]->y >= at.y + half) != (i / 2 != 0))
                continue;
            lc_pending *one = tiles[k];
            tiles[k] = tiles[end];
            tiles[end++] = one;
        }
        child[i] = with_tiles(t, lc_store_child(t->store, square, i), log2 - 1, corner,
                              tiles + begin, end - begin);
        begin = end;
    }
    return lc_store_find_node(t->store, child);
}

static lc_status reach(lc_tree *t, place from, place to, lc_message *message)
{
    while (t->root_log2 <= LC_NEAR_LOG2) { // a larger root contains all writable cells
        const int64_t side = side_of(t->root_log2 - 1 - LC_LEAF_LOG2);
        if (from.x >= -side && from.y >= -side && to.x < side && to.y < side)
            return LC_OK;
        const lc_status status = t->reserve(t->context, 5, 0, message);
        if (status != LC_OK)
            return status;
        lc_tree_grow_root(t);
    }
    return LC_OK;
}

// Replaces the four squares around the middle.
static void replace_near(lc_tree *t, const lc_square squares[4])
{
    lc_square path[4][PATH];
    const int top = t->root_log2 - 1, bottom = top < LC_NEAR_LOG2 ? top : LC_NEAR_LOG2;
    for (int i = 0; i < 4; i++) {
        path[i][top] = lc_store_child(t->store, t->root, i);
        for (int k = top; k > bottom; k--)
            path[i][k - 1] = lc_store_child(t->store, path[i][k], 3 - i);
        path[i][bottom] = squares[i];
        for (int k = bottom + 1; k <= top; k++) {
            lc_square key[4];
            for (int c = 0; c < 4; c++)
                key[c] = c == 3 - i ? path[i][k - 1] : lc_store_child(t->store, path[i][k], c);
            path[i][k] = lc_store_find_node(t->store, key);
        }
    }
    const lc_square root[4] = {path[0][top], path[1][top], path[2][top], path[3][top]};
    t->root = lc_store_find_node(t->store, root);
}

lc_status lc_tree_flush(lc_tree *t, lc_message *message)
{
    if (t->pending_count == 0)
        return LC_OK;
    lc_pending **tiles = lc_malloc(t->pending_count * sizeof(lc_pending *));
    if (tiles == NULL)
        return lc_fail_memory(message, "a list of tiles");
    size_t count = 0;
    place from = {INT64_MAX, INT64_MAX}, to = {INT64_MIN, INT64_MIN};
    for (size_t i = 0; i < PLACES; i++) {
        lc_pending *p = &t->pending[i];
        if (!p->written)
            continue;
        tiles[count++] = p;
        from = (place){lc_least(from.x, p->x), lc_least(from.y, p->y)};
        to = (place){lc_greatest(to.x, p->x), lc_greatest(to.y, p->y)};
    }
    lc_status status = reach(t, from, to, message);
    if (status == LC_OK)
        status =
            t->reserve(t->context, (count + 4) * (size_t)t->root_log2 + 1, t->live_count, message);
    if (status == LC_OK) {
        lc_square squares[4];
        const int log2 = lc_tree_near(t, squares) - LC_LEAF_LOG2;
        const int64_t side = side_of(log2);
        size_t begin = 0;
        for (int i = 0; i < 4; i++) {
            const place corner = {i % 2 == 0 ? -side : 0, i / 2 == 0 ? -side : 0};
            size_t end = begin;
            for (size_t k = begin; k < count; k++) {
                if ((tiles[k]->x >= 0) != (i % 2 != 0) || (tiles[k]->y >= 0) != (i / 2 != 0))
                    continue;
                lc_pending *one = tiles[k];
                tiles[k] = tiles[end];
                tiles[end++] = one;
            }
            squares[i] = with_tiles(t, squares[i], log2, corner, tiles + begin, end - begin);
            begin = end;
        }
        replace_near(t, squares);
        for (size_t i = 0; i < count; i++)
            tiles[i]->written = tiles[i]->is_live = false;
        t->pending_count = t->live_count = 0;
    }
    lc_free(tiles);
    return status;
}

static lc_status refuse_edge(lc_message *message)
{
    return lc_fail(message, LC_ERROR_LIMIT,
                   "a tree of squares holds cells to x = 2^62 - 1 and from y = 1 - 2^62 on");
}

static bool is_live(const lc_cells *cells)
{
    uint64_t any = 0;
    for (int64_t y = 0; y < cells->height_cells; y++)
        for (int64_t i = 0; i < (cells->width_cells + 63) / 64; i++)
            any |= lc_cells_row(cells, y)[i];
    return any != 0;
}

// Reserves room for the pending tiles and for the given ones before the first is written, so that
// putting them into the tree cannot fail.
static lc_status reserve(lc_tree *t, const lc_cells *from, lc_message *message)
{
    const int64_t side = side_of(t->root_log2 - 1 < LC_NEAR_LOG2 ? t->root_log2 - 1 : LC_NEAR_LOG2);
    const bool is_inside = from->x >= -side && from->y >= -side &&
                           from->x + from->width_cells <= side &&
                           from->y + from->height_cells <= side;
    const size_t levels = is_inside ? (size_t)t->root_log2 : LC_NEAR_LOG2 + 2;
    const size_t wide = (size_t)(from->width_cells / SIDE + 2);
    const size_t high = (size_t)(from->height_cells / SIDE + 2);
    size_t nodes = (t->pending_count + 4) * levels + 1;
    if (wide <= PLACES_MOST / high)
        nodes += wide * high * levels;
    else // most of them are adjacent, and some thousands are flushed at a time
        nodes += 2 * wide * high + PLACES_MOST * levels;
    // When cells die, only tiles that are partly covered can stay alive.
    const bool is_even =
        ((from->x | from->y | from->width_cells | from->height_cells) & (SIDE - 1)) == 0;
    const size_t leaves = is_live(from) ? wide * high : is_even ? 0 : 2 * (wide + high);
    return t->reserve(t->context, nodes, t->live_count + leaves, message);
}

lc_status lc_tree_write(lc_tree *t, const lc_cells *cells, lc_message *message)
{
    lc_cells same = from_middle(t, cells);
    const lc_cells *from = &same;
    const int64_t side = side_of(LC_NEAR_LOG2);
    const int64_t right = same.x + same.width_cells - side, above = -side - same.y;
    if ((right > 0 || above > 0) && is_live(cells))
        return refuse_edge(message);
    same.width_cells -= lc_greatest(right, 0); // dead cells: none of them could die
    same.height_cells -= lc_greatest(above, 0);
    same.y += lc_greatest(above, 0);
    if (same.width_cells <= 0 || same.height_cells <= 0)
        return LC_OK;
    const lc_status room = reserve(t, from, message);
    if (room != LC_OK)
        return room;
    const int64_t last_x = (from->x + from->width_cells - 1) >> LC_LEAF_LOG2;
    const int64_t last_y = (from->y + from->height_cells - 1) >> LC_LEAF_LOG2;
    for (int64_t y = from->y >> LC_LEAF_LOG2; y <= last_y; y++) {
        for (int64_t x = from->x >> LC_LEAF_LOG2; x <= last_x; x++) {
            if (t->pending_count == PLACES_MOST) {
                const lc_status status = lc_tree_flush(t, message);
                if (status != LC_OK)
                    return status;
            }
            lc_pending *p = pending_at(t, x, y);
            if (!p->written) {
                memcpy(p->cells, lc_store_cells(t->store, leaf_at(t, x, y)), sizeof p->cells);
                p->x = x;
                p->y = y;
                p->written = true;
                t->pending_count++;
            }
            (void)lc_tile_write(p->cells, x * SIDE, y * SIDE, from);
            const bool lives = memcmp(p->cells, lc_store_cells(t->store, 0), sizeof p->cells) != 0;
            t->live_count += lives;
            t->live_count -= p->is_live;
            p->is_live = lives;
        }
    }
    return LC_OK;
}

// Runs --------------------------------------------------------------------------------------------

// A run of live cells to write into the tree. On each level the squares that it crosses entirely
// are in one row, so equal ones stay equal.
typedef struct run {
    lc_tree *tree;
    int64_t x0, x1, y;
    bool is_counted; // count the new squares without creating them
    size_t nodes, leaves;
    struct crossed {
        lc_square before, after;
        bool is_known;
    } last[LC_NEAR_LOG2 + 1]; // last crossed square of that level
} run;

static lc_square leaf_with_run(run *r, lc_square leaf, int64_t x, int64_t y)
{
    uint32_t cells[LC_TILE_WORDS];
    const int64_t begin = lc_greatest(r->x0 - x, 0), end = lc_least(r->x1 - x, SIDE);
    r->leaves++;
    if (r->is_counted)
        return 0;
    memcpy(cells, lc_store_cells(r->tree->store, leaf), sizeof cells);
    cells[lc_tile_word((int)(r->y - y))] |=
        (uint32_t)((UINT64_C(1) << end) - (UINT64_C(1) << begin));
    return lc_store_find_leaf(r->tree->store, cells);
}

static lc_square with_run(run *r, lc_square square, int log2, int64_t x, int64_t y)
{
    const int64_t side = side_of(log2);
    if (x >= r->x1 || x + side <= r->x0 || r->y < y || r->y >= y + side)
        return square;
    struct crossed *last = x >= r->x0 && x + side <= r->x1 ? &r->last[log2] : NULL;
    if (last != NULL && last->is_known && last->before == square)
        return last->after;
    lc_square after = 0;
    if (log2 == LC_LEAF_LOG2) {
        after = leaf_with_run(r, square, x, y);
    } else {
        lc_square child[4];
        for (int i = 0; i < 4; i++)
            child[i] = with_run(r, lc_store_child(r->tree->store, square, i), log2 - 1,
                                x + i % 2 * (side / 2), y + i / 2 * (side / 2));
        r->nodes++;
        after = r->is_counted ? 0 : lc_store_find_node(r->tree->store, child);
    }
    if (last != NULL)
        *last = (struct crossed){square, after, true};
    return after;
}

// Writes or counts the run in the four squares around the middle.
static void go_through(run *r, bool is_counted)
{
    lc_square squares[4];
    const int log2 = lc_tree_near(r->tree, squares);
    const int64_t side = side_of(log2);
    memset(r->last, 0, sizeof r->last);
    r->is_counted = is_counted;
    for (int i = 0; i < 4; i++)
        squares[i] = with_run(r, squares[i], log2, i % 2 == 0 ? -side : 0, i / 2 == 0 ? -side : 0);
    if (!is_counted)
        replace_near(r->tree, squares);
}

lc_status lc_tree_fill_run(lc_tree *t, int64_t x, int64_t y, int64_t length, lc_message *message)
{
    const int64_t side = side_of(LC_NEAR_LOG2);
    run r = {.tree = t, .x0 = x, .x1 = x + length, .y = y - t->middle_y};
    if (r.x1 > side || r.y < -side)
        return refuse_edge(message);
    lc_status status = lc_tree_flush(t, message);
    if (status == LC_OK)
        status = reach(t, (place){x >> LC_LEAF_LOG2, r.y >> LC_LEAF_LOG2},
                       (place){(r.x1 - 1) >> LC_LEAF_LOG2, r.y >> LC_LEAF_LOG2}, message);
    if (status != LC_OK)
        return status;
    go_through(&r, true);
    status = t->reserve(t->context, r.nodes + 4 * (size_t)t->root_log2 + 1, r.leaves, message);
    if (status == LC_OK)
        go_through(&r, false);
    return status;
}

// Reading -----------------------------------------------------------------------------------------

static bool overlaps(int64_t x, int64_t y, int log2, const lc_cells *cells)
{
    const int64_t side = side_of(log2);
    return x < cells->x + cells->width_cells && x > cells->x - side &&
           y < cells->y + cells->height_cells && y > cells->y - side;
}

static void read_square(const lc_tree *t, lc_square square, int log2, int64_t x, int64_t y,
                        const lc_cells *to)
{
    if (square == 0 || !overlaps(x, y, log2, to))
        return;
    if (log2 == LC_LEAF_LOG2) {
        lc_tile_read(lc_store_leaf(t->store, square), x, y, to);
        return;
    }
    const int64_t half = side_of(log2 - 1);
    for (int i = 0; i < 4; i++)
        read_square(t, lc_store_child(t->store, square, i), log2 - 1, x + i % 2 * half,
                    y + i / 2 * half, to);
}

lc_status lc_tree_read(lc_tree *t, const lc_cells *to, lc_message *message)
{
    const lc_status status = lc_tree_flush(t, message);
    if (status != LC_OK || to->width_cells == 0 || to->height_cells == 0)
        return status;
    for (int64_t y = 0; y < to->height_cells; y++)
        memset(lc_cells_row(to, y), 0, (size_t)((to->width_cells + 63) / 64) * sizeof(uint64_t));
    lc_square squares[4];
    const int log2 = lc_tree_near(t, squares);
    const lc_cells same = from_middle(t, to);
    for (int i = 0; i < 4; i++)
        read_square(t, squares[i], log2, i % 2 == 0 ? -side_of(log2) : 0,
                    i / 2 == 0 ? -side_of(log2) : 0, &same);
    return LC_OK;
}

// Seeking -----------------------------------------------------------------------------------------

// The area of a search for a live leaf, and the result, in cells.
typedef struct search {
    const lc_tree *tree;
    int64_t x0, x1;     // columns to search, x1 excluded
    int64_t y;          // the row, or the first row to search
    int64_t begin, end; // of the piece found; end excluded
} search;

// Finds the first live piece of the row: adjacent leaves with live cells in it. Returns false once
// the piece cannot grow any more.
static bool seek_in_row(search *s, lc_square square, int log2, int64_t x, int64_t y)
{
    const int64_t side = side_of(log2);
    if (square == 0 || s->y < y || y <= s->y - side || x >= s->x1 || x <= s->x0 - side)
        return true;
    if (log2 == LC_LEAF_LOG2) {
        const int word = lc_tile_word((int)(s->y - y));
        if (lc_store_leaf(s->tree->store, square)[word] == 0)
            return true;
        if (s->begin < s->end && x > s->end)
            return false;
        if (s->begin == s->end)
            s->begin = lc_greatest(x, s->x0);
        s->end = x + side;
        return true;
    }
    const int64_t half = side / 2;
    const int row = s->y - y >= half ? 2 : 0;
    for (int i = 0; i < 2; i++) {
        if (s->begin < s->end && x + i * half > s->end)
            return false;
        if (!seek_in_row(s, lc_store_child(s->tree->store, square, row + i), log2 - 1, x + i * half,
                         y + row / 2 * half))
            return false;
    }
    return true;
}

// Returns the first row of leaves at or below y that has a live one, as its first row not above y.
static int64_t next_row(const search *s, lc_square square, int log2, int64_t x, int64_t y,
                        int64_t best)
{
    const int64_t side = side_of(log2);
    if (square == 0 || y <= s->y - side || y >= best || x >= s->x1 || x <= s->x0 - side)
        return best;
    if (log2 == LC_LEAF_LOG2)
        return lc_least(best, lc_greatest(y, s->y));
    for (int i = 0; i < 4; i++)
        best = next_row(s, lc_store_child(s->tree->store, square, i), log2 - 1,
                        x + i % 2 * (side / 2), y + i / 2 * (side / 2), best);
    return best;
}

lc_status lc_tree_seek(lc_tree *t, const lc_area *within, lc_cells *at, lc_message *message)
{
    lc_square squares[4];
    const lc_status status = lc_tree_flush(t, message);
    const int log2 = lc_tree_near(t, squares);
    const int64_t side = side_of(log2), y1 = within->y1 - t->middle_y;
    search s = {t, at->x, within->x1, at->y - t->middle_y, 0, 0};
    at->width_cells = 0;
    while (status == LC_OK && s.y < y1) {
        s.begin = s.end = 0;
        for (int i = 0; i < 4 && s.x0 < s.x1; i++) // otherwise the row has been searched
            if (!seek_in_row(&s, squares[i], log2, i % 2 == 0 ? -side : 0, i / 2 == 0 ? -side : 0))
                break;
        if (s.begin < s.end) {
            at->x = s.begin;
            at->y = s.y + t->middle_y;
            at->width_cells = lc_least(s.end, s.x1) - s.begin;
            return LC_OK;
        }
        s.x0 = within->x0;
        s.y++;
        int64_t best = INT64_MAX;
        for (int i = 0; i < 4; i++)
            best = next_row(&s, squares[i], log2, i % 2 == 0 ? -side : 0, i / 2 == 0 ? -side : 0,
                            best);
        s.y = best;
    }
    return status;
}
