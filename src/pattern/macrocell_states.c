// Writes macrocell files of more than two states. Each plane of the cells is a tree of its own in
// one store, and the trees are walked together: equal cells are equal squares in every plane.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/mix.h"
#include "grid/planes.h"
#include "pattern/macrocell.h"
#include "quadtree/tree.h"

enum {
    SIDE = LC_TILE_CELLS,
    FIRST_PLACES = 1 << 10,
    // In a key: the numbers are lines of the file, not squares of the planes.
    OF_LINES = 1 << 16,
};

// The line of a square, by its planes' squares, or by the lines of its quarters.
typedef struct entry {
    uint32_t key[LC_PLANES_MAX + 1]; // log2 of the side and OF_LINES, and the numbers
    uint32_t line;                   // 0: a free entry
} entry;

typedef struct writer {
    lc_output *output;
    const lc_store *store;
    int planes;
    entry *entries; // a hash table, at most half full
    size_t count, room;
    uint64_t limit_bytes; // of the entries
    uint64_t line;        // the last one
    lc_status status;
    lc_message *message;
} writer;

static entry *entry_of(const writer *w, const uint32_t key[LC_PLANES_MAX + 1])
{
    uint64_t at = 0;
    for (int i = 0; i <= LC_PLANES_MAX; i++)
        at = lc_mixed(at ^ key[i]);
    for (;; at++) {
        entry *e = &w->entries[at & (w->room - 1)];
        if (e->line == 0 || memcmp(e->key, key, sizeof e->key) == 0)
            return e;
    }
}

static lc_status make_room(writer *w)
{
    writer more = *w;
    if (2 * w->count < w->room)
        return LC_OK;
    more.room = w->room == 0 ? FIRST_PLACES : 2 * w->room;
    if (more.room > w->limit_bytes / sizeof *more.entries)
        return lc_fail_limit(w->message, (uint64_t)more.room * sizeof *more.entries, w->limit_bytes,
                             "the lines of a macrocell file need");
    more.entries = lc_calloc(more.room, sizeof *more.entries);
    if (more.entries == NULL)
        return lc_fail_memory(w->message, "the lines of a macrocell file");
    for (size_t i = 0; i < w->room; i++)
        if (w->entries[i].line != 0)
            *entry_of(&more, w->entries[i].key) = w->entries[i];
    lc_free(w->entries);
    *w = more;
    return LC_OK;
}

// Notes the line of a square under a key without one.
static void note_line(writer *w, const uint32_t key[LC_PLANES_MAX + 1], uint32_t line)
{
    if (w->status == LC_OK)
        w->status = make_room(w);
    if (w->status != LC_OK)
        return;
    entry *e = entry_of(w, key);
    memcpy(e->key, key, sizeof e->key);
    e->line = line;
    w->count++;
}

// Returns the line noted under a key; 0: none.
static uint32_t noted_line(const writer *w, const uint32_t key[LC_PLANES_MAX + 1])
{
    return w->room == 0 ? 0 : entry_of(w, key)->line;
}

// Writes a square unless it has a line, notes its line under the key, and returns the line.
static uint32_t line_of_node(writer *w, const uint32_t key[LC_PLANES_MAX + 1], int log2,
                             const uint32_t lines[4])
{
    const uint32_t noted = noted_line(w, key);
    if (noted != 0)
        return noted;
    if (w->status == LC_OK && w->line == UINT32_MAX)
        w->status = lc_fail(w->message, LC_ERROR_LIMIT, "a file has at most 2^32 - 1 squares");
    note_line(w, key, (uint32_t)w->line + 1);
    if (w->status != LC_OK)
        return 0;
    lc_macrocell_write_node(w->output, log2, lines);
    return (uint32_t)++w->line;
}

// Returns the line of a square of cells of a leaf; 0: dead.
static uint32_t line_of_cells(writer *w, const uint8_t *states, int log2)
{
    const size_t half = (size_t)1 << (log2 - 1);
    uint32_t lines[4], any = 0;
    for (size_t i = 0; i < 4; i++) {
        const uint8_t *quarter = states + i / 2 * half * SIDE + i % 2 * half;
        lines[i] = log2 == 1 ? *quarter : line_of_cells(w, quarter, log2 - 1);
        any |= lines[i];
    }
    const uint32_t key[LC_PLANES_MAX + 1] = {OF_LINES | (uint32_t)log2, lines[0], lines[1],
                                             lines[2], lines[3]};
    return any == 0 ? 0 : line_of_node(w, key, log2, lines);
}

// Converts a leaf of each plane into states.
static void draw_leaf(const writer *w, const lc_square squares[LC_PLANES_MAX],
                      uint8_t states[SIDE * SIDE])
{
    memset(states, 0, SIDE * SIDE);
    for (int plane = 0; plane < w->planes; plane++) {
        if (squares[plane] == 0)
            continue;
        const uint32_t *cells = lc_store_leaf(w->store, squares[plane]);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                states[y * SIDE + x] |= (uint8_t)((cells[lc_tile_word(y)] >> x & 1) << plane);
    }
}

// Returns the line of the square that has these squares in its planes; 0: dead.
static uint32_t line_of(writer *w, const lc_square squares[LC_PLANES_MAX], int log2)
{
    uint32_t key[LC_PLANES_MAX + 1] = {(uint32_t)log2}, any = 0, lines[4];
    for (int plane = 0; plane < w->planes; plane++) {
        key[plane + 1] = squares[plane];
        any |= squares[plane];
    }
    if (any == 0 || w->status != LC_OK || lc_output_failed(w->output))
        return 0;
    const uint32_t noted = noted_line(w, key);
    if (noted != 0)
        return noted;
    if (log2 == LC_LEAF_LOG2) {
        uint8_t states[SIDE * SIDE];
        draw_leaf(w, squares, states);
        const uint32_t line = line_of_cells(w, states, log2);
        note_line(w, key, line); // so that an equal leaf is not drawn again
        return line;
    }
    for (int i = 0; i < 4; i++) {
        lc_square child[LC_PLANES_MAX] = {0};
        for (int plane = 0; plane < w->planes; plane++)
            child[plane] = lc_store_child(w->store, squares[plane], i);
        lines[i] = line_of(w, child, log2 - 1);
    }
    return line_of_node(w, key, log2, lines);
}

// The planes -------------------------------------------------------------------------------------

static lc_status reserve(void *context, size_t nodes, size_t leaves, lc_message *message)
{
    lc_store *store = context;
    return lc_store_reserve(store, &store->stock, nodes, leaves, message);
}

// Writes a span into the planes' trees.
static lc_status put_span(lc_tree *trees, const lc_span *span, int64_t x, int64_t y,
                          lc_message *message)
{
    lc_status status = LC_OK;
    if (span->words == NULL)
        return lc_tree_fill_run(&trees[0], x + span->x, y + span->y, span->length, message);
    const lc_cells all = lc_span_of(span, 0, span->length);
    for (int plane = 0; plane < all.planes && status == LC_OK; plane++) {
        const lc_cells cells =
            lc_row_cells(x + span->x, y + span->y, span->length, lc_cells_plane(&all, plane, 0));
        if (!lc_cells_row_is_dead(&cells, 0))
            status = lc_tree_write(&trees[plane], &cells, message);
    }
    return status;
}

// Makes the roots of all trees as small as the cells allow, and equally large.
static lc_status fit_roots(lc_tree *trees, int planes, lc_message *message)
{
    lc_status status = LC_OK;
    int log2 = 0;
    for (int plane = 0; plane < planes && status == LC_OK; plane++) {
        status = lc_tree_flush(&trees[plane], message);
        lc_tree_shrink_root(&trees[plane]);
        log2 = trees[plane].root_log2 > log2 ? trees[plane].root_log2 : log2;
    }
    for (int plane = 0; plane < planes; plane++) {
        while (trees[plane].root_log2 < log2 && status == LC_OK) {
            status = reserve(trees[plane].store, 5, 0, message);
            if (status == LC_OK)
                lc_tree_grow_root(&trees[plane]);
        }
    }
    return status;
}

static lc_status write_planes(lc_output *output, const lc_pattern_write_options *options,
                              const lc_tree *trees, int planes, uint64_t limit_bytes,
                              lc_message *message)
{
    lc_square roots[LC_PLANES_MAX] = {0};
    writer w = {.output = output,
                .store = trees[0].store,
                .planes = planes,
                .limit_bytes = limit_bytes,
                .message = message};
    for (int plane = 0; plane < planes; plane++)
        roots[plane] = trees[plane].root;
    lc_macrocell_write_header(output, options);
    (void)line_of(&w, roots, trees[0].root_log2);
    lc_free(w.entries);
    return w.status;
}

lc_status lc_macrocell_write_states(lc_output *output, const lc_pattern_write_options *options,
                                    lc_span_source next, void *context, lc_message *message)
{
    lc_store store;
    lc_tree trees[LC_PLANES_MAX];
    lc_span span;
    int made = 0;
    const int planes = lc_rule_traits(options->rule)->planes;
    const uint64_t limit_bytes = lc_memory_limit(options->max_memory_bytes) / 2;
    lc_status status = lc_store_init_within(&store, NULL, limit_bytes, message);
    if (status != LC_OK)
        return status;
    for (; made < planes && status == LC_OK; made += status == LC_OK)
        status = lc_tree_init(&trees[made], &store, reserve, &store, message);
    while (status == LC_OK && (status = next(context, &span)) == LC_OK && span.length > 0)
        status = put_span(trees, &span, options->x, options->y, message);
    if (status == LC_OK)
        status = fit_roots(trees, planes, message);
    if (status == LC_OK)
        status = write_planes(output, options, trees, planes, limit_bytes, message);
    while (made > 0)
        lc_tree_free(&trees[--made]);
    lc_store_free(&store);
    return status;
}
