// All live cells of a pattern. Memory depends on the live cells, not on the area: two cells 10^12
// apart are two spans.
//
//     spans   x y length first_word | x y length state | ...    in the order of reading
//     words   ....................................             of the spans that are not runs,
//                                                              plane by plane
//
// A span begins and ends with a live cell and has fewer than GAP_WORDS consecutive words without
// one. RLE and plaintext files list cells in order, and their spans are returned as stored. Other
// formats may list cells in any order and repeat them. Their spans are sorted once, and where spans
// overlap, the row is assembled in pieces of WINDOW_WORDS.
//
// A pattern of squares (macrocell) stays a tree, because it may have too many cells for a list.
// Spans are found in the tree on demand.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "grid/grid.h"
#include "grid/planes.h"
#include "pattern/format.h"
#include "quadtree/tree.h"

enum { GAP_WORDS = 4, WINDOW_WORDS = 64 };

enum { PLANES_SHIFT = 56 };

typedef struct held {
    int64_t x, y, length;
    uint64_t what; // planes << PLANES_SHIFT | number of the first word; of a run, its state
} held;

static bool is_run(const held *span)
{
    return span->what >> PLANES_SHIFT == 0;
}

// Returns the planes that the states of a span need.
static int planes_of(const held *span)
{
    return is_run(span) ? lc_planes_for((int)span->what + 1) : (int)(span->what >> PLANES_SHIFT);
}

struct lc_spans {
    held *list;
    size_t count, room;
    uint64_t *words;
    size_t word_count, word_room;
    uint64_t limit_bytes;
    int planes;                       // the most that a span has
    bool sorted;                      // in order, without overlap
    int64_t left, top, right, bottom; // of the live cells, inclusive
    lc_message message;               // why the sink failed

    bool is_tree; // then the list is empty
    lc_store store;
    lc_tree tree;
    lc_facts tree_facts; // bounding boxes
};

// Returns the cells of a span that has words.
static lc_cells cells_of(const lc_spans *s, const held *span)
{
    const uint64_t first_word = span->what & ((UINT64_C(1) << PLANES_SHIFT) - 1);
    return lc_span_cells(span->x, span->y, span->length, planes_of(span), s->words + first_word);
}

static int64_t end_of(const held *span)
{
    return span->x + span->length;
}

// Collecting -----------------------------------------------------------------------------------

// Makes room for `more` elements after `count`, within the limit that remains beside the other
// array.
static lc_status make_room(lc_spans *s, void **array, size_t element_bytes, size_t count,
                           size_t more, size_t *room, uint64_t other_bytes)
{
    size_t needed;
    size_t size_bytes;
    if (!lc_add_size(count, more, &needed))
        return lc_fail_memory(&s->message, "the cells of a pattern");
    if (needed <= *room)
        return LC_OK;
    const size_t twice = *room > SIZE_MAX / 2 ? needed : 2 * *room;
    const size_t wanted = needed > twice ? needed : twice;
    const uint64_t free_bytes = s->limit_bytes > other_bytes ? s->limit_bytes - other_bytes : 0;
    if (needed > free_bytes / element_bytes)
        return lc_fail_limit(&s->message, 0, s->limit_bytes, "the live cells need");
    const size_t allowed =
        wanted <= free_bytes / element_bytes ? wanted : (size_t)(free_bytes / element_bytes);
    void *larger =
        lc_mul_size(allowed, element_bytes, &size_bytes) ? lc_realloc(*array, size_bytes) : NULL;
    if (larger == NULL)
        return lc_fail_memory(&s->message, "the cells of a pattern");
    *array = larger;
    *room = allowed;
    return LC_OK;
}

static void widen_box(lc_spans *s, const held *span)
{
    const int64_t last = end_of(span) - 1;
    const bool first = s->count == 0;
    s->left = first || span->x < s->left ? span->x : s->left;
    s->right = first || last > s->right ? last : s->right;
    s->top = first || span->y < s->top ? span->y : s->top;
    s->bottom = first || span->y > s->bottom ? span->y : s->bottom;
}

static lc_status append(lc_spans *s, held span)
{
    void *list = s->list;
    lc_status status = make_room(s, &list, sizeof *s->list, s->count, 1, &s->room,
                                 (uint64_t)s->word_room * sizeof *s->words);
    s->list = list;
    if (status != LC_OK)
        return status;
    if (s->count > 0) {
        const held *last = &s->list[s->count - 1];
        s->sorted &= span.y > last->y || (span.y == last->y && span.x >= end_of(last));
    }
    widen_box(s, &span);
    s->planes = planes_of(&span) > s->planes ? planes_of(&span) : s->planes;
    s->list[s->count++] = span;
    return LC_OK;
}

static lc_status add_run(void *context, int64_t x, int64_t y, int64_t length)
{
    return append(context, (held){x, y, length, 1});
}

static lc_status add_state_run(void *context, int64_t x, int64_t y, int64_t length, int state)
{
    return append(context, (held){x, y, length, (uint64_t)state});
}

// Adds the words begin .. end-1 of a row. The first and the last hold live cells.
static lc_status add_words(lc_spans *s, const lc_cells *row, int64_t begin, int64_t end)
{
    const int64_t first = begin * 64 + __builtin_ctzll(lc_cells_live_word(row, 0, begin));
    const int64_t length = end * 64 - __builtin_clzll(lc_cells_live_word(row, 0, end - 1)) - first;
    const size_t plane_words = (size_t)((length + 63) / 64);
    const size_t count = plane_words * (size_t)row->planes;
    void *array = s->words;
    lc_status status = make_room(s, &array, sizeof *s->words, s->word_count, count, &s->word_room,
                                 (uint64_t)s->room * sizeof *s->list);
    s->words = array;
    if (status != LC_OK)
        return status;
    const lc_cells to = lc_span_cells(0, 0, length, row->planes, s->words + s->word_count);
    for (int plane = 0; plane < to.planes; plane++)
        lc_cells_plane(&to, plane, 0)[plane_words - 1] = 0;
    lc_cells_copy(&to, 0, 0, row, 0, first, length);
    s->word_count += count;
    const uint64_t what = (uint64_t)row->planes << PLANES_SHIFT | (s->word_count - count);
    return append(s, (held){row->x + first, row->y, length, what});
}

static lc_status add_cells(void *context, const lc_cells *row)
{
    const int64_t count = (row->width_cells + 63) / 64;
    lc_status status = LC_OK;
    for (int64_t i = 0; status == LC_OK && i < count; i++) {
        if (lc_cells_live_word(row, 0, i) == 0)
            continue;
        int64_t end = i + 1;
        for (int64_t j = end; j < count && j - end < GAP_WORDS; j++)
            end = lc_cells_live_word(row, 0, j) != 0 ? j + 1 : end;
        status = add_words(context, row, i, end);
        i = end - 1;
    }
    return status;
}

static lc_status add_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                          int64_t length)
{
    const lc_cells row = lc_row_cells(x, y, length, (uint64_t *)(uintptr_t)words); // only read
    return add_cells(context, &row);
}

static int compare(const void *a, const void *b)
{
    const held *p = a;
    const held *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

static bool too_far(int64_t first, int64_t last)
{
    return (uint64_t)last - (uint64_t)first >= (uint64_t)LC_UNIVERSE_REACH;
}

static lc_status read_all(lc_spans *s, lc_pattern *pattern, lc_message *message)
{
    const lc_sink sink = {.struct_bytes = sizeof sink,
                          .context = s,
                          .run = add_run,
                          .bits = add_bits,
                          .cells = add_cells,
                          .state_run = add_state_run};
    lc_status status = lc_pattern_read(pattern, &sink, message);
    if (s->message.text[0] != '\0' && message != NULL)
        *message = s->message;
    if (status == LC_OK && (too_far(s->left, s->right) || too_far(s->top, s->bottom))) {
        return lc_fail(message, LC_ERROR_LIMIT,
                       "the live cells lie further than 2^62 cells from each other");
    }
    return status;
}

static lc_status reserve(void *context, size_t nodes, size_t leaves, lc_message *message)
{
    lc_store *store = context;
    return lc_store_reserve(store, &store->stock, nodes, leaves, message);
}

static lc_status read_tree(lc_spans *s, lc_pattern *pattern, lc_message *message)
{
    lc_square root;
    int root_log2;
    s->is_tree = true;
    lc_status status = lc_store_init_within(&s->store, NULL, s->limit_bytes, message);
    if (status == LC_OK)
        status = lc_tree_init(&s->tree, &s->store, reserve, &s->store, message);
    if (status == LC_OK)
        status = lc_pattern_read_tree(pattern, &s->store, &root, &root_log2, message);
    if (status == LC_OK)
        status = lc_tree_set_root(&s->tree, root, root_log2, message);
    return status != LC_OK || lc_tree_boxes(&s->tree, &s->tree_facts)
               ? status
               : lc_fail_memory(message, "the cells of a pattern");
}

lc_status lc_spans_read(lc_spans **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                        lc_message *message)
{
    *out = NULL;
    lc_status status = lc_pattern_check_unread(pattern, message);
    if (status != LC_OK)
        return status;
    lc_spans *s = lc_calloc(1, sizeof *s);
    *out = s;
    if (s == NULL)
        return lc_fail_memory(message, "the cells of a pattern");
    s->limit_bytes = lc_memory_limit(max_memory_bytes);
    s->sorted = true;
    s->planes = 1;
    status = lc_pattern_is_tree(pattern) ? read_tree(s, pattern, message)
                                         : read_all(s, pattern, message);
    if (status != LC_OK)
        lc_spans_destroy(out);
    else if (!s->sorted)
        qsort(s->list, s->count, sizeof *s->list, compare);
    return status;
}

void lc_spans_destroy(lc_spans **spans)
{
    if (spans != NULL && *spans != NULL) {
        lc_free((*spans)->list);
        lc_free((*spans)->words);
        lc_tree_free(&(*spans)->tree);
        lc_store_free(&(*spans)->store);
        lc_free(*spans);
        *spans = NULL;
    }
}

lc_box lc_spans_box(const lc_spans *s)
{
    if (s->is_tree)
        return s->tree_facts.box;
    if (s->count == 0)
        return (lc_box){.empty = true};
    return (lc_box){
        .x = s->left,
        .y = s->top,
        .width_cells = s->right - s->left + 1,
        .height_cells = s->bottom - s->top + 1,
    };
}

// Giving back ------------------------------------------------------------------------------------

typedef struct span_cursor {
    const lc_spans *spans;
    int64_t left, top; // of the rectangle
    size_t at;         // the first span not yet returned
    int64_t y, x;      // next_of_many: the row is returned up to here
    uint64_t window[WINDOW_WORDS];
    lc_cells piece; // of a tree: the remaining part of its row
} span_cursor;

// Gives cells of one plane.
static lc_status give(const span_cursor *c, int64_t x, int64_t y, int64_t length,
                      const uint64_t *words, lc_span *span)
{
    *span =
        (lc_span){.x = x - c->left, .y = y - c->top, .length = length, .words = words, .planes = 1};
    return LC_OK;
}

// Returns the cells that fit into the window, from the cursor on.
static lc_cells window_cells(span_cursor *c)
{
    const int planes = c->spans->planes;
    return lc_span_cells(c->x, c->y, WINDOW_WORDS / planes * 64, planes, c->window);
}

static lc_status next_in_order(void *context, lc_span *span)
{
    span_cursor *c = context;
    const lc_spans *s = c->spans;
    if (c->at == s->count) {
        *span = (lc_span){0};
        return LC_OK;
    }
    const held *from = &s->list[c->at++];
    return give(c, from->x, from->y, from->length, is_run(from) ? NULL : cells_of(s, from).words,
                span);
}

// Moves to the next span that is not yet returned. Returns false at the end.
static bool find_rest(span_cursor *c)
{
    const lc_spans *s = c->spans;
    while (c->at < s->count && s->list[c->at].y == c->y && end_of(&s->list[c->at]) <= c->x)
        c->at++;
    if (c->at == s->count)
        return false;
    const held *from = &s->list[c->at];
    if (from->y != c->y || from->x > c->x) {
        c->y = from->y;
        c->x = from->x;
    }
    return true;
}

// Assembles the cells of the row from the cursor on. Returns their number.
static int64_t fill_window(span_cursor *c)
{
    const lc_spans *s = c->spans;
    const lc_cells window = window_cells(c);
    const int64_t end = c->x + window.width_cells;
    int64_t length = 0;
    memset(c->window, 0, sizeof c->window);
    for (size_t i = c->at; i < s->count && s->list[i].y == c->y && s->list[i].x < end; i++) {
        const held *from = &s->list[i];
        const int64_t begin = from->x > c->x ? from->x : c->x;
        const int64_t stop = end_of(from) < end ? end_of(from) : end;
        if (begin >= stop)
            continue;
        if (is_run(from)) {
            lc_cells_fill(&window, 0, begin - c->x, stop - begin, (int)from->what);
        } else {
            const lc_cells row = cells_of(s, from);
            lc_cells_merge(&window, 0, begin - c->x, &row, 0, begin - from->x, stop - begin);
        }
        length = stop - c->x > length ? stop - c->x : length;
    }
    return length;
}

static lc_status next_of_many(void *context, lc_span *span)
{
    span_cursor *c = context;
    if (!find_rest(c)) {
        *span = (lc_span){0};
        return LC_OK;
    }
    const lc_cells window = window_cells(c);
    const int64_t length = fill_window(c);
    c->x += length;
    (void)give(c, window.x, c->y, length, c->window, span);
    span->planes = window.planes;
    span->plane_words = window.plane_words;
    return LC_OK;
}

// Returns the next part of a row of the tree. The const cast is safe: seeking changes nothing,
// because the tree has no pending writes.
static lc_status next_of_tree(void *context, lc_span *span)
{
    span_cursor *c = context;
    lc_tree *tree = (lc_tree *)(uintptr_t)&c->spans->tree;
    lc_cells *piece = &c->piece;
    lc_status status = LC_OK;
    *span = (lc_span){0};
    if (c->spans->tree_facts.box.empty)
        return LC_OK;
    const lc_area within = lc_area_of_box(&c->spans->tree_facts.box);
    if (piece->width_cells == 0)
        status = lc_tree_seek(tree, &within, piece, NULL);
    if (status != LC_OK || piece->width_cells == 0)
        return status;
    const int64_t length = lc_least(piece->width_cells, WINDOW_WORDS * 64);
    const lc_cells cells = lc_row_cells(piece->x, piece->y, length, c->window);
    status = lc_tree_read(tree, &cells, NULL);
    piece->x += length;
    piece->width_cells -= length;
    return status == LC_OK ? give(c, cells.x, cells.y, length, c->window, span) : status;
}

// Returns LC_ERROR_LIMIT if there are too many cells for a file of that format.
static lc_status check_size(const lc_spans *s, lc_format format, lc_message *message)
{
    const lc_box box = lc_spans_box(s);
    const double most_cells = (double)box.width_cells * (double)box.height_cells;
    return s->is_tree && most_cells > (double)LC_TEXT_CELLS_MAX / 4
               ? lc_pattern_check_square(format, &s->store, s->tree.root, message)
               : LC_OK;
}

// Returns the part of the limit that the cells leave free, at least 1.
static uint64_t left_bytes(const lc_spans *s)
{
    const uint64_t used = s->is_tree ? s->store.held_bytes
                                     : (uint64_t)s->room * sizeof *s->list +
                                           (uint64_t)s->word_room * sizeof *s->words;
    return used < s->limit_bytes ? s->limit_bytes - used : 1;
}

// Whether the squares can be written unchanged, because their position is unchanged.
static bool stays_tree(const lc_spans *s, int64_t x, int64_t y,
                       const lc_pattern_write_options *options)
{
    return s->is_tree && options->format == LC_FORMAT_MACROCELL && options->has_position &&
           options->x == x && options->y == y;
}

// Returns LC_ERROR_ARGUMENT if a cell has a state that the rule lacks.
static lc_status check_states(const lc_spans *s, const lc_rule *rule, lc_message *message)
{
    const int states = lc_rule_traits(rule)->states;
    for (size_t i = 0; i < s->count && 1 << s->planes > states; i++) {
        const held *one = &s->list[i];
        int64_t at = 0;
        int state = (int)one->what;
        if (!is_run(one)) {
            const lc_cells row = cells_of(s, one);
            state = lc_cells_find_above(&row, 0, states, &at);
        }
        if (state >= states)
            return lc_fail(message, LC_ERROR_ARGUMENT,
                           "cell (%lld, %lld) has state %d: %s has states 0 to %d",
                           (long long)(one->x + at), (long long)one->y, state,
                           lc_rule_traits(rule)->text, states - 1);
    }
    return LC_OK;
}

lc_status lc_spans_write(const lc_spans *spans, int64_t x, int64_t y, const char *path,
                         const lc_pattern_write_options *options, lc_message *message)
{
    const lc_box box = lc_spans_box(spans);
    lc_pattern_write_options all;
    lc_status status =
        lc_structure_take(&all, sizeof all, options, "lc_pattern_write_options", message);
    if (status != LC_OK)
        return status;
    if (!box.empty && (box.x < x || box.x - x > all.width_cells - box.width_cells || box.y < y ||
                       box.y - y > all.height_cells - box.height_cells)) {
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "live cells lie outside the rectangle that is to be written");
    }
    status = lc_format_choose(path, all.format, &all.format, message);
    if (status == LC_OK && all.rule != NULL)
        status = check_states(spans, all.rule, message);
    if (status != LC_OK)
        return status;
    if (stays_tree(spans, x, y, &all))
        return lc_pattern_write_tree(path, &all, &spans->store, spans->tree.root,
                                     spans->tree.root_log2, message);
    if (spans->tree_facts.is_far)
        return lc_tree_refuse_far(message);
    if (all.max_memory_bytes == 0)
        all.max_memory_bytes = left_bytes(spans);
    status = all.any_size ? LC_OK : check_size(spans, all.format, message);
    if (status != LC_OK)
        return status;
    span_cursor cursor = {.spans = spans, .left = x, .top = y, .y = INT64_MIN};
    cursor.piece = (lc_cells){.x = box.x, .y = box.y, .height_cells = 1};
    return lc_pattern_write_spans(path, &all,
                                  spans->is_tree                        ? next_of_tree
                                  : spans->sorted && spans->planes == 1 ? next_in_order
                                                                        : next_of_many,
                                  &cursor, message);
}
