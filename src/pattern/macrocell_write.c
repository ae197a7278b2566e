// Writes macrocell files: the squares of a tree, each after its parts.
#include "pattern/macrocell.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/mix.h"
#include "pattern/text.h"
#include "quadtree/tree.h"

enum {
    SMALL = 8, // a side of the squares that are written as cells
    ROOM_BYTES = 128,
    RUN_WORDS = 64,
    FIRST_PLACES = 1 << 10,
};

// A square that has a line: one of 8 x 8 or 16 x 16 cells, by its content.
typedef struct small {
    uint64_t key[2];
    uint32_t line;
} small;

typedef struct writer {
    lc_output *output;
    const lc_store *store;
    lc_store_tables lines; // by number; 0: not written yet
    small *smalls;         // in the order of their lines
    size_t small_count, small_room;
    // Hash table of `smalls`: a hash, and in the low bits the index plus one; 0: free slot. The
    // hash alone mostly shows that a square is new.
    uint64_t *slots;
    size_t slot_count;
    uint64_t line; // the last one; beyond UINT32_MAX: too many lines
    // New small squares are no longer stored and may be written twice, because memory or its limit
    // is exhausted.
    bool is_full;
    uint64_t scratch_bytes;
} writer;

// Small squares -----------------------------------------------------------------------------------

static uint32_t hash_of(const uint64_t key[2])
{
    return (uint32_t)lc_mixed(key[0] ^ lc_mixed(key[1]));
}

static uint64_t *slot_at(const writer *w, uint64_t place)
{
    return &w->slots[place & (w->slot_count - 1)];
}

// Returns the slot of a square, or the free slot for it.
static uint64_t *slot_of(const writer *w, const uint64_t key[2])
{
    const uint32_t hash = hash_of(key);
    for (uint64_t at = hash;; at++) {
        uint64_t *slot = slot_at(w, at);
        if (*slot == 0 || (*slot >> 32 == hash &&
                           memcmp(w->smalls[(uint32_t)*slot - 1].key, key, 2 * sizeof *key) == 0))
            return slot;
    }
}

// Whether tables of that size fit in the limit beside the existing ones.
static bool is_allowed(const writer *w, size_t small_room, size_t slot_count)
{
    const uint64_t old = w->slot_count * sizeof *w->slots + w->small_room * sizeof *w->smalls;
    const uint64_t more = slot_count * sizeof *w->slots + small_room * sizeof *w->smalls;
    return more <= w->scratch_bytes && old <= w->scratch_bytes - more;
}

static bool make_slots(writer *w)
{
    writer more = *w;
    more.slot_count = w->slot_count == 0 ? FIRST_PLACES : 2 * w->slot_count;
    if (!is_allowed(w, 0, more.slot_count))
        return false;
    more.slots = lc_calloc(more.slot_count, sizeof *more.slots);
    if (more.slots == NULL)
        return false;
    for (size_t i = 0; i < w->slot_count; i++) {
        if (w->slots[i] == 0)
            continue;
        uint64_t at = w->slots[i] >> 32;
        while (*slot_at(&more, at) != 0)
            at++;
        *slot_at(&more, at) = w->slots[i];
    }
    lc_free(w->slots);
    *w = more;
    return true;
}

static bool make_smalls(writer *w)
{
    const size_t room = w->small_room == 0 ? FIRST_PLACES : 2 * w->small_room;
    size_t bytes;
    small *smalls = lc_mul_size(room, sizeof *smalls, &bytes) && is_allowed(w, room, 0)
                        ? lc_realloc(w->smalls, bytes)
                        : NULL;
    if (smalls == NULL)
        return false;
    w->smalls = smalls;
    w->small_room = room;
    return true;
}

// Makes room for one more square.
static bool make_room(writer *w)
{
    return (2 * w->small_count < w->slot_count || make_slots(w)) &&
           (w->small_count < w->small_room || make_smalls(w));
}

void lc_macrocell_write_cells(lc_output *output, uint64_t cells)
{
    char *at = lc_output_reserve(output, ROOM_BYTES);
    for (; cells != 0; cells >>= SMALL) {
        for (unsigned row = cells & 0xFF; row != 0; row >>= 1)
            *at++ = (row & 1) != 0 ? '*' : '.';
        *at++ = '$';
    }
    *at++ = '\n';
    lc_output_advance(output, at);
}

// Writes a number and returns the position after it.
static char *write_number(char *at, uint32_t number)
{
    char digits[10];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

void lc_macrocell_write_node(lc_output *output, int log2, const uint32_t lines[4])
{
    char *at = write_number(lc_output_reserve(output, ROOM_BYTES), (uint32_t)log2);
    for (int i = 0; i < 4; i++) {
        *at++ = ' ';
        at = write_number(at, lines[i]);
    }
    *at++ = '\n';
    lc_output_advance(output, at);
}

// Returns the line of 8 x 8 cells, or of 16 x 16 cells made of four lines; 0: dead.
static uint32_t line_of_small(writer *w, const uint64_t key[2], const uint32_t *lines)
{
    w->is_full = w->is_full || !make_room(w);
    uint64_t *slot = w->slot_count != 0 ? slot_of(w, key) : NULL;
    if (slot != NULL && *slot != 0)
        return w->smalls[(uint32_t)*slot - 1].line;
    w->line++;
    if (!w->is_full) {
        w->smalls[w->small_count++] = (small){{key[0], key[1]}, (uint32_t)w->line};
        *slot = (uint64_t)hash_of(key) << 32 | w->small_count;
    }
    if (lines != NULL)
        lc_macrocell_write_node(w->output, 4, lines);
    else
        lc_macrocell_write_cells(w->output, key[0]);
    return (uint32_t)w->line;
}

// Marks a key of 8 x 8 cells. Four lines of 16 x 16 cells never have this value.
static const uint64_t is_8 = UINT64_MAX;

// Divides a leaf into its 16 squares of 8 x 8 cells, by quarter, and prefetches their slots.
static void cut_leaf(const writer *w, const uint32_t *cells, uint64_t squares[4][4])
{
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            const int x = (i % 2 * 2 + k % 2) * SMALL, y = (i / 2 * 2 + k / 2) * SMALL;
            uint64_t bits = 0;
            for (int row = 0; row < SMALL; row++)
                bits |= (uint64_t)(cells[lc_tile_word(y + row)] >> x & 0xFF) << (SMALL * row);
            squares[i][k] = bits;
            if (bits != 0 && w->slot_count != 0)
                __builtin_prefetch(slot_at(w, hash_of((const uint64_t[2]){bits, is_8})));
        }
    }
}

static uint32_t line_of_16(writer *w, const uint64_t squares[4])
{
    uint32_t lines[4];
    for (int i = 0; i < 4; i++)
        lines[i] =
            squares[i] == 0 ? 0 : line_of_small(w, (const uint64_t[2]){squares[i], is_8}, NULL);
    const uint64_t key[2] = {lines[0] | (uint64_t)lines[1] << 32,
                             lines[2] | (uint64_t)lines[3] << 32};
    return (key[0] | key[1]) == 0 ? 0 : line_of_small(w, key, lines);
}

// Larger ones -------------------------------------------------------------------------------------

static uint32_t line_of(writer *w, lc_square square, int log2)
{
    if (square == 0 || w->line > UINT32_MAX || lc_output_failed(w->output))
        return 0;
    uint32_t lines[4];
    const uint32_t known = lc_store_table_get(&w->lines, square);
    if (known != 0)
        return known;
    if (log2 == LC_LEAF_LOG2) {
        uint64_t squares[4][4];
        cut_leaf(w, lc_store_leaf(w->store, square), squares);
        for (int i = 0; i < 4; i++)
            lines[i] = line_of_16(w, squares[i]);
    } else {
        for (int i = 0; i < 4; i++)
            lines[i] = line_of(w, lc_store_child(w->store, square, i), log2 - 1);
    }
    lc_macrocell_write_node(w->output, log2, lines);
    const uint32_t line = (uint32_t)++w->line;
    lc_store_table_put(&w->lines, square, line);
    return line;
}

void lc_macrocell_write_header(lc_output *output, const lc_pattern_write_options *options)
{
    char rule[LC_RULE_TEXT_BYTES], generation[LC_COUNT_TEXT_BYTES];
    lc_rule_format(options->rule, options->topology, rule);
    lc_count_format(options->generation, generation);
    lc_output_print(output, "[M2] (lightcone %s)\n#R %s\n", lc_version(), rule);
    if (lc_count_compare(options->generation, lc_count_of(0)) != 0)
        lc_output_print(output, "#G %s\n", generation);
    lc_comments_write(output, options->comments, "#C ", LC_LINE_BYTES - 16);
}

lc_status lc_macrocell_write_tree(lc_output *output, const lc_pattern_write_options *options,
                                  const lc_store *store, lc_square root, int root_log2,
                                  lc_message *message)
{
    writer w = {
        .output = output, .store = store, .scratch_bytes = lc_store_scratch_bytes(store) / 2};
    if (!lc_store_take_tables(store, &w.lines))
        return lc_fail_memory(message, "the line numbers of squares");
    lc_macrocell_write_header(output, options);
    (void)line_of(&w, root, root_log2);
    lc_store_return_tables(&w.lines);
    lc_free(w.smalls);
    lc_free(w.slots);
    return w.line <= UINT32_MAX
               ? LC_OK
               : lc_fail(message, LC_ERROR_LIMIT, "more squares than a file's lines can count");
}

// From spans --------------------------------------------------------------------------------------

static lc_status refuse(uint64_t limit_bytes, lc_message *message)
{
    char limit[LC_SIZE_TEXT_BYTES];
    return lc_fail(message, LC_ERROR_LIMIT,
                   "out of memory: a macrocell file of these cells needs more than the %s that the "
                   "limit leaves; an RLE file (.rle) needs none",
                   lc_size_text(limit_bytes, limit));
}

static lc_status reserve(void *context, size_t nodes, size_t leaves, lc_message *message)
{
    lc_store *store = context;
    const lc_status status = lc_store_reserve(store, &store->stock, nodes, leaves, message);
    return status == LC_ERROR_LIMIT ? refuse(store->limit_bytes + store->spare_bytes, message)
                                    : status;
}

static lc_status put_span(lc_tree *tree, const lc_span *span, int64_t x, int64_t y,
                          lc_message *message)
{
    uint64_t run[RUN_WORDS];
    if (span->words == NULL && span->length > RUN_WORDS * 64)
        return lc_tree_fill_run(tree, x + span->x, y + span->y, span->length, message);
    if (span->words == NULL)
        memset(run, 0xFF, sizeof run);
    uint64_t *words = span->words != NULL ? (uint64_t *)(uintptr_t)span->words : run; // only read
    const lc_cells cells = lc_row_cells(x + span->x, y + span->y, span->length, words);
    return lc_tree_write(tree, &cells, message);
}

lc_status lc_macrocell_write(lc_output *output, const lc_pattern_write_options *options,
                             lc_span_source next, void *context, lc_message *message)
{
    lc_store store;
    lc_tree tree;
    lc_span span;
    if (lc_rule_traits(options->rule)->states > 2)
        return lc_macrocell_write_states(output, options, next, context, message);
    const uint64_t limit_bytes = lc_memory_limit(options->max_memory_bytes);
    lc_status status = lc_store_init_within(&store, NULL, limit_bytes, message);
    if (status != LC_OK)
        return status == LC_ERROR_LIMIT ? refuse(limit_bytes, message) : status;
    store.lender = &store; // no square is looked up while they are written
    status = lc_tree_init(&tree, &store, reserve, &store, message);
    if (status == LC_OK) {
        while ((status = next(context, &span)) == LC_OK && span.length > 0) {
            status = put_span(&tree, &span, options->x, options->y, message);
            if (status != LC_OK)
                break;
        }
        if (status == LC_OK)
            status = lc_tree_flush(&tree, message);
        if (status == LC_OK) {
            lc_tree_shrink_root(&tree);
            status = lc_macrocell_write_tree(output, options, &store, tree.root, tree.root_log2,
                                             message);
        }
        lc_tree_free(&tree);
    }
    lc_store_free(&store);
    return status;
}
