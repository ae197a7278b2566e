// Facts of a quadtree, and downsampled views. Each distinct square is examined once. Its facts stay
// cached until a garbage collection (lc_store's epoch), so after a step only new squares are
// examined.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/mix.h"
#include "base/ones.h"
#include "engine/hashlife/hashlife.h"
#include "grid/cell_hash.h"
#include "grid/facts.h"
#include "kernels/hash.h"

enum {
    SIDE = LC_TILE_CELLS,
    FIRST_ENTRIES = 1 << 10,
    KEPT_ENTRIES = 1 << 21, // 48 MiB at most are kept between calls
    SMALL_LOG2 = 31,        // squares of that side have less than 2^64 cells
};

// The cached facts of a square.
typedef struct entry {
    lc_square square; // 0: an empty slot
    uint32_t large;   // 0, or the population is larges[large]
    uint64_t population, hash;
} entry;

typedef struct lc_hashlife_sums {
    const lc_hashlife *hashlife;
    uint64_t epoch;
    bool wants_hash;
    // Hash weights of displacements by 2^k cells, forward and back.
    uint64_t right[LC_ROOT_LOG2_MAX], down[LC_ROOT_LOG2_MAX];
    uint64_t left[LC_ROOT_LOG2_MAX], up[LC_ROOT_LOG2_MAX];
    entry *entries;
    size_t size, count;
    lc_count *larges;
    uint32_t large_count;
    size_t large_room;
    bool lacks_memory, is_too_much; // is_too_much: a population exceeds lc_count
    bool is_thinned;
} sums;

// Table of cached facts ---------------------------------------------------------------------------

static entry *place_of(const sums *s, lc_square square)
{
    uint64_t at = lc_mixed(square);
    while (s->entries[at & (s->size - 1)].square != 0 &&
           s->entries[at & (s->size - 1)].square != square)
        at++;
    return &s->entries[at & (s->size - 1)];
}

// If there are too many squares, only those of every fourth size are kept. Those between are summed
// again, each for at most 4 + 16 + 64 + 256 larger ones.
static bool is_kept(const sums *s, int log2)
{
    return !s->is_thinned || log2 % 4 == 1;
}

static void thin_out(sums *s)
{
    s->is_thinned = true;
    s->count = 0;
    memset(s->entries, 0, s->size * sizeof *s->entries);
}

// Doubles the table. Returns false if out of memory.
static bool grow(sums *s)
{
    const size_t old_size = s->size;
    entry *old = s->entries;
    s->size = old_size == 0 ? FIRST_ENTRIES : 2 * old_size;
    s->entries = lc_calloc(s->size, sizeof *s->entries);
    if (s->entries == NULL) {
        s->entries = old;
        s->size = old_size;
        return false;
    }
    for (size_t i = 0; i < old_size; i++)
        if (old[i].square != 0)
            *place_of(s, old[i].square) = old[i];
    lc_free(old);
    return true;
}

static bool make_room(sums *s)
{
    if (s->count < s->size / 2)
        return true;
    const uint64_t most = lc_store_scratch_bytes(&s->hashlife->store) / sizeof(entry);
    if ((s->is_thinned || 3 * s->size <= most) && grow(s))
        return true;
    if (s->is_thinned || s->size == 0)
        return false;
    thin_out(s);
    return true;
}

static lc_count population_of(const sums *s, const entry *e)
{
    return e->large != 0 ? s->larges[e->large] : lc_count_of(e->population);
}

static bool keep_large(sums *s, lc_count population, entry *e)
{
    if (!lc_grow(&s->larges, &s->large_room, s->large_count + 2, sizeof *s->larges))
        return false;
    e->large = ++s->large_count;
    s->larges[e->large] = population;
    return true;
}

static void free_sums(sums *s)
{
    lc_free(s->entries);
    lc_free(s->larges);
    *s = (sums){0};
}

void lc_hashlife_free_sums(lc_hashlife *h)
{
    if (h->sums != NULL)
        free_sums(h->sums);
    lc_free(h->sums);
    h->sums = NULL;
}

// Returns the cached facts, emptied if they are outdated. NULL: out of memory.
static sums *begin(lc_hashlife *h, bool wants_hash)
{
    if (h->sums == NULL)
        h->sums = lc_calloc(1, sizeof *h->sums);
    sums *s = h->sums;
    if (s == NULL)
        return NULL;
    if (s->entries != NULL && s->epoch == h->store.epoch && (s->wants_hash || !wants_hash))
        return s;
    free_sums(s);
    *s = (sums){.hashlife = h, .epoch = h->store.epoch, .wants_hash = wants_hash};
    s->right[LC_LEAF_LOG2] = lc_hash_weight(SIDE, 0);
    s->down[LC_LEAF_LOG2] = lc_hash_weight(0, SIDE);
    s->left[LC_LEAF_LOG2] = lc_hash_weight(-SIDE, 0);
    s->up[LC_LEAF_LOG2] = lc_hash_weight(0, -SIDE);
    for (int k = LC_LEAF_LOG2 + 1; k < LC_ROOT_LOG2_MAX; k++) {
        s->right[k] = lc_hash_times(s->right[k - 1], s->right[k - 1]);
        s->down[k] = lc_hash_times(s->down[k - 1], s->down[k - 1]);
        s->left[k] = lc_hash_times(s->left[k - 1], s->left[k - 1]);
        s->up[k] = lc_hash_times(s->up[k - 1], s->up[k - 1]);
    }
    return make_room(s) ? s : NULL;
}

// Returns the number of entries kept between calls. Squares may later need all but the spare bytes.
static uint64_t most_kept(const sums *s)
{
    return lc_least_u64(KEPT_ENTRIES, s->hashlife->store.spare_bytes / 4 / sizeof(entry));
}

// Ends a computation. Returns whether it is complete.
static bool end(sums *s)
{
    const bool is_done = s != NULL && !s->lacks_memory;
    if (s != NULL && (s->size > most_kept(s) || s->is_too_much || !is_done))
        free_sums(s);
    return is_done;
}

static uint64_t leaf_population(const uint32_t *cells)
{
    uint64_t live = 0;
    for (int i = 0; i < LC_TILE_WORDS; i += 2)
        live += lc_ones(cells[i] | (uint64_t)cells[i + 1] << 32);
    return live;
}

static entry of_leaf(const sums *s, lc_square leaf)
{
    const uint32_t *cells = lc_store_leaf(&s->hashlife->store, leaf);
    entry e = {.square = leaf, .population = leaf_population(cells)};
    for (int row = SIDE; row-- > 0 && s->wants_hash;)
        e.hash = lc_hash_below(cells[lc_tile_word(row)], e.hash);
    return e;
}

// Returns the facts of a square; its coordinates start at its upper left cell.
static entry sum(sums *s, lc_square square, int log2)
{
    if (square == 0)
        return (entry){0};
    const entry *known = place_of(s, square);
    if (known->square != 0)
        return *known;
    entry all = {.square = square};
    lc_count population = lc_count_of(0);
    if (log2 == LC_LEAF_LOG2)
        all = of_leaf(s, square);
    for (int i = 0; i < 4 && log2 > LC_LEAF_LOG2; i++) {
        const entry part = sum(s, lc_store_child(&s->hashlife->store, square, i), log2 - 1);
        uint64_t hash = part.hash;
        if (s->wants_hash && i % 2 != 0)
            hash = lc_hash_times(hash, s->right[log2 - 1]);
        if (s->wants_hash && i / 2 != 0)
            hash = lc_hash_times(hash, s->down[log2 - 1]);
        all.hash = lc_hash_plus(all.hash, hash);
        all.population += part.population;
        if (log2 > SMALL_LOG2 && !lc_count_add(population, population_of(s, &part), &population))
            s->is_too_much = true;
    }
    if (log2 > SMALL_LOG2 && !lc_count_to_u64(population, &all.population) &&
        !keep_large(s, population, &all))
        s->lacks_memory = true;
    if (!is_kept(s, log2))
        return all;
    if (!make_room(s)) {
        s->lacks_memory = true;
        return all;
    }
    s->count++;
    *place_of(s, square) = all;
    return all;
}

lc_status lc_hashlife_facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    lc_status status = lc_tree_flush(&h->tree, message);
    *facts = (lc_facts){.box = {.empty = true}};
    if (status != LC_OK || h->tree.root == 0)
        return status;
    sums *s = begin(h, (which & LC_FACT_HASH) != 0);
    bool is_too_much = false;
    if (s != NULL) {
        const int half_log2 = h->tree.root_log2 - 1;
        const entry all = sum(s, h->tree.root, h->tree.root_log2);
        facts->population = population_of(s, &all);
        facts->hash = lc_hash_times(lc_hash_times(all.hash, s->left[half_log2]), s->up[half_log2]);
        facts->hash = lc_hash_moved(lc_hash_canonical(facts->hash), 0, h->tree.middle_y);
        is_too_much = s->is_too_much;
    }
    bool is_done = end(s);
    if (is_done && (which & LC_FACT_BOX) != 0)
        is_done = lc_tree_boxes(&h->tree, facts);
    if (!is_done)
        return lc_fail_memory(message, "counting live cells");
    if (is_too_much && (which & LC_FACT_POPULATION) != 0)
        return lc_fail(message, LC_ERROR_LIMIT, "2^256 cells or more are alive");
    return LC_OK;
}

// Downsampled views -------------------------------------------------------------------------------

typedef struct view {
    sums *sums;
    const lc_view *squares;
    uint32_t *counts;
} view;

// Returns the column or row of squares of a cell, counted from the first one.
static int64_t square_of(const lc_view *p, int64_t cell, int64_t first)
{
    return (int64_t)((uint64_t)cell - (uint64_t)first) >> p->log2_side;
}

static void count_leaf(const view *v, const uint32_t *cells, int64_t x, int64_t y)
{
    const lc_view *p = v->squares;
    for (int row = 0; row < SIDE; row++) {
        const int64_t of = square_of(p, y + row, p->y);
        uint32_t word = of >= 0 && of < p->height ? cells[lc_tile_word(row)] : 0;
        while (word != 0) { // from the first live cell to the end of its square
            const int64_t first = x + __builtin_ctz(word), square = square_of(p, first, p->x);
            const int64_t rest = p->x + (square + 1) * (INT64_C(1) << p->log2_side) - x;
            const uint32_t here = rest >= SIDE ? word : word & ((UINT32_C(1) << rest) - 1);
            if (square >= 0 && square < p->width)
                v->counts[of * p->width + square] += (uint32_t)__builtin_popcount(here);
            word &= ~here;
        }
    }
}

static void count_square(view *v, lc_square square, int log2, int64_t x, int64_t y)
{
    const lc_view *p = v->squares;
    const int64_t side = INT64_C(1) << log2;
    if (square == 0 || x >= p->x + (p->width << p->log2_side) || x <= p->x - side ||
        y >= p->y + (p->height << p->log2_side) || y <= p->y - side)
        return;
    const int64_t column = square_of(p, x, p->x), row = square_of(p, y, p->y);
    if (log2 <= p->log2_side && column == square_of(p, x + side - 1, p->x) &&
        row == square_of(p, y + side - 1, p->y)) {
        if (column >= 0 && column < p->width && row >= 0 && row < p->height)
            v->counts[row * p->width + column] += (uint32_t)sum(v->sums, square, log2).population;
    } else if (log2 == LC_LEAF_LOG2) {
        count_leaf(v, lc_store_leaf(&v->sums->hashlife->store, square), x, y);
    } else {
        for (int i = 0; i < 4; i++)
            count_square(v, lc_store_child(&v->sums->hashlife->store, square, i), log2 - 1,
                         x + i % 2 * (side / 2), y + i / 2 * (side / 2));
    }
}

lc_status lc_hashlife_view(lc_engine *engine, const lc_view *squares, lc_message *message)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    const size_t size = (size_t)(squares->width * squares->height);
    lc_status status = lc_tree_flush(&h->tree, message);
    if (status != LC_OK)
        return status;
    view v = {.squares = squares, .counts = squares->counts};
    if (v.counts == NULL)
        v.counts = lc_malloc(size * sizeof *v.counts);
    if (v.counts != NULL)
        v.sums = begin(h, false);
    if (v.sums != NULL) {
        lc_square near[4];
        const int log2 = lc_tree_near(&h->tree, near);
        const int64_t side = INT64_C(1) << log2;
        memset(v.counts, 0, size * sizeof *v.counts);
        for (int i = 0; i < 4; i++)
            count_square(&v, near[i], log2, i % 2 == 0 ? -side : 0,
                         h->tree.middle_y + (i / 2 == 0 ? -side : 0));
        if (squares->counts == NULL)
            lc_tones_of_counts(squares->tones_of, v.counts, size, squares->tones);
    }
    const bool is_done = end(v.sums);
    if (squares->counts == NULL)
        lc_free(v.counts);
    return is_done ? LC_OK : lc_fail_memory(message, "a picture's counts");
}

// Coarse views ------------------------------------------------------------------------------------

typedef struct far_view {
    sums *sums;
    const lc_coarse_view *squares;
} far_view;

static void count_far_square(const far_view *v, int64_t column, int64_t row, lc_square square,
                             int log2)
{
    const lc_coarse_view *p = v->squares;
    if (square == 0 || column < p->column || column - p->column >= p->width || row < p->row ||
        row - p->row >= p->height)
        return;
    const entry all = sum(v->sums, square, log2);
    p->counts[(row - p->row) * p->width + column - p->column] +=
        lc_count_to_double(population_of(v->sums, &all));
}

// Counts a node of 2^side_log2 x 2^side_log2 squares.
static void count_far_part(const far_view *v, lc_square square, int side_log2, int64_t column,
                           int64_t row)
{
    const lc_coarse_view *p = v->squares;
    const int64_t side = INT64_C(1) << side_log2;
    if (square == 0 || column >= p->column + p->width || column <= p->column - side ||
        row >= p->row + p->height || row <= p->row - side)
        return;
    if (side_log2 == 0) {
        count_far_square(v, column, row, square, p->log2_side);
        return;
    }
    for (int i = 0; i < 4; i++)
        count_far_part(v, lc_store_child(&v->sums->hashlife->store, square, i), side_log2 - 1,
                       column + i % 2 * (side / 2), row + i / 2 * (side / 2));
}

lc_status lc_hashlife_count_coarse(lc_engine *engine, const lc_coarse_view *squares,
                                   lc_message *message)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    const lc_status status = lc_tree_flush(&h->tree, message);
    if (status != LC_OK)
        return status;
    const far_view v = {.sums = begin(h, false), .squares = squares};
    memset(squares->counts, 0, (size_t)(squares->width * squares->height) * sizeof(double));
    if (v.sums != NULL) {
        lc_square middle[4];
        const int log2 = lc_tree_middle(
            &h->tree, (int)lc_least(squares->log2_side + LC_NEAR_LOG2, LC_ROOT_LOG2_MAX), middle);
        const int side_log2 = log2 - squares->log2_side;
        for (int i = 0; i < 4; i++) {
            const int64_t side = side_log2 > 0 ? INT64_C(1) << side_log2 : 1;
            const int64_t column = i % 2 == 0 ? -side : 0, row = i / 2 == 0 ? -side : 0;
            if (side_log2 > 0)
                count_far_part(&v, middle[i], side_log2, column, row);
            else // all cells are in four squares
                count_far_square(&v, column, row, middle[i], log2);
        }
    }
    return end(v.sums) ? LC_OK : lc_fail_memory(message, "a picture's counts");
}
