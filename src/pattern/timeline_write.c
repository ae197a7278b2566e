// Writes timelines: macrocell files with a frame after each group of squares that are new in it.
//
//     [M2] (lightcone 0.1.0)
//     #R B3/S23
//     #FRAMES 0 0 100^1         number (0: not known yet), first generation, generations between
//     *..$*$...                 squares, as in any macrocell file
//     4 1 0 0 1
//     #G 0                      the generation and the square of a frame
//     #FRAME 0 2
//     ...
//
// A square of an earlier frame is not written again: a **dictionary** maps the contents of a square
// to its line. It may drop entries at any time, and does so when memory is exhausted. Lines keep
// their meaning, so the file stays correct and only becomes longer.
//
//     8 x 8 cells, or four lines -> line          the dictionary
//     number in a store -> line                   squares seen in a store, until a collection
//     (x, y) -> 64 x 64 cells and their line      previous tiles; most of them are unchanged
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/mix.h"
#include "base/threads.h"
#include "pattern/macrocell.h"
#include "quadtree/store.h"

enum {
    SMALL_LOG2 = 3,
    TILE_LOG2 = 6,
    FIRST_PLACES = 1 << 12,
    MOST_KEPT = 1 << 16,
};

typedef struct known {
    uint32_t key[4];
    uint32_t line; // 0: free entry
    uint32_t log2;
} known;

typedef struct seen {
    lc_square square;
    uint32_t line; // 0: free entry
} seen;

typedef struct kept {
    int64_t x, y;
    uint32_t line; // 0: free entry
    uint64_t rows[LC_FRAME_TILE];
} kept;

typedef struct place {
    int64_t x, y;
    uint32_t line;
} place;

struct lc_frame_writer {
    lc_output *output;
    uint64_t limit_bytes;
    uint64_t frames;
    uint32_t line; // the last one
    lc_status status;
    lc_message message; // of the first failure
    known *known;
    size_t known_count, known_room;
    seen *seen;
    size_t seen_count, seen_room;
    const lc_store *store; // the store of `seen`, in the state of
    uint64_t epoch;
    kept *kept;
    size_t kept_room; // 0: no memory for any
    place *places;    // of this frame
    size_t place_count, place_room;
};

static lc_status fail(lc_frame_writer *w, lc_status status, const char *what)
{
    if (w->status == LC_OK)
        w->status = lc_fail(&w->message, status, "%s", what);
    return w->status;
}

static lc_status say(const lc_frame_writer *w, lc_message *message)
{
    return lc_fail_again(message, w->status, &w->message);
}

// The dictionary ----------------------------------------------------------------------------------

static known *known_at(const lc_frame_writer *w, uint32_t log2, const uint32_t key[4])
{
    const uint64_t low = key[0] | (uint64_t)key[1] << 32, high = key[2] | (uint64_t)key[3] << 32;
    for (uint64_t at = lc_mixed((low + log2 * UINT64_C(0x9E3779B97F4A7C15)) ^ lc_mixed(high));;
         at++) {
        known *k = &w->known[at & (w->known_room - 1)];
        if (k->line == 0 || (k->log2 == log2 && memcmp(k->key, key, sizeof k->key) == 0))
            return k;
    }
}

// Makes room for one more entry. If memory is exhausted, drops all entries.
static bool make_room(lc_frame_writer *w)
{
    if (2 * w->known_count < w->known_room)
        return true;
    lc_frame_writer more = *w;
    more.known_room = w->known_room == 0 ? FIRST_PLACES : 2 * w->known_room;
    more.known = NULL;
    if (w->known_room == 0 || more.known_room <= w->limit_bytes / 2 / sizeof *w->known)
        more.known = lc_calloc(more.known_room, sizeof *more.known);
    if (more.known == NULL) {
        w->known_count = 0;
        if (w->known != NULL)
            memset(w->known, 0, w->known_room * sizeof *w->known);
        return w->known != NULL;
    }
    for (size_t i = 0; i < w->known_room; i++)
        if (w->known[i].line != 0)
            *known_at(&more, w->known[i].log2, w->known[i].key) = w->known[i];
    lc_free(w->known);
    w->known = more.known;
    w->known_room = more.known_room;
    return true;
}

// Returns the line of a square with live cells.
static uint32_t line_of(lc_frame_writer *w, int log2, const uint32_t key[4])
{
    if (w->status != LC_OK || lc_output_failed(w->output))
        return 0;
    if (!make_room(w)) {
        (void)fail(w, LC_ERROR_MEMORY, "out of memory for recording squares");
        return 0;
    }
    known *k = known_at(w, (uint32_t)log2, key);
    if (k->line != 0)
        return k->line;
    if (w->line == UINT32_MAX) {
        (void)fail(w, LC_ERROR_LIMIT, "a timeline holds at most 2^32 - 1 squares");
        return 0;
    }
    *k = (known){{key[0], key[1], key[2], key[3]}, ++w->line, (uint32_t)log2};
    w->known_count++;
    if (log2 == SMALL_LOG2)
        lc_macrocell_write_cells(w->output, key[0] | (uint64_t)key[1] << 32);
    else
        lc_macrocell_write_node(w->output, log2, key);
    return k->line;
}

static uint32_t line_of_four(lc_frame_writer *w, int log2, const uint32_t lines[4])
{
    return (lines[0] | lines[1] | lines[2] | lines[3]) == 0 ? 0 : line_of(w, log2, lines);
}

// Returns the line of a square of cells: 2^log2 rows from (x, y) on.
static uint32_t line_of_cells(lc_frame_writer *w, const uint64_t *rows, int log2, int x, int y)
{
    uint32_t lines[4];
    if (log2 > SMALL_LOG2) {
        const int half = 1 << (log2 - 1);
        for (int i = 0; i < 4; i++)
            lines[i] = line_of_cells(w, rows, log2 - 1, x + i % 2 * half, y + i / 2 * half);
        return line_of_four(w, log2, lines);
    }
    uint64_t cells = 0;
    for (int row = 0; row < 1 << SMALL_LOG2; row++)
        cells |= (rows[y + row] >> x & 0xFF) << (row << SMALL_LOG2);
    if (cells == 0)
        return 0;
    return line_of(w, SMALL_LOG2, (const uint32_t[4]){(uint32_t)cells, (uint32_t)(cells >> 32)});
}

// Squares of a store ------------------------------------------------------------------------------

static seen *seen_at(const lc_frame_writer *w, lc_square square)
{
    for (uint64_t at = lc_mixed(square);; at++) {
        seen *s = &w->seen[at & (w->seen_room - 1)];
        if (s->line == 0 || s->square == square)
            return s;
    }
}

static void add_seen(lc_frame_writer *w, lc_square square, uint32_t line)
{
    if (2 * w->seen_count >= w->seen_room) {
        lc_frame_writer more = *w;
        more.seen_room = w->seen_room == 0 ? FIRST_PLACES : 2 * w->seen_room;
        more.seen = lc_calloc(more.seen_room, sizeof *more.seen);
        if (more.seen == NULL) { // without it, shared squares would be walked repeatedly
            (void)fail(w, LC_ERROR_MEMORY, "out of memory for recording squares");
            return;
        }
        for (size_t i = 0; i < w->seen_room; i++)
            if (w->seen[i].line != 0)
                *seen_at(&more, w->seen[i].square) = w->seen[i];
        lc_free(w->seen);
        w->seen = more.seen;
        w->seen_room = more.seen_room;
    }
    *seen_at(w, square) = (seen){square, line};
    w->seen_count++;
}

static uint32_t line_of_square(lc_frame_writer *w, lc_square square, int log2)
{
    uint32_t lines[4], line;
    if (square == 0 || w->status != LC_OK || lc_output_failed(w->output))
        return 0;
    if (w->seen_room != 0 && (line = seen_at(w, square)->line) != 0)
        return line;
    if (log2 == LC_LEAF_LOG2) {
        uint64_t rows[LC_TILE_CELLS];
        const uint32_t *cells = lc_store_leaf(w->store, square);
        for (int row = 0; row < LC_TILE_CELLS; row++)
            rows[row] = cells[lc_tile_word(row)];
        line = line_of_cells(w, rows, LC_LEAF_LOG2, 0, 0);
    } else {
        for (int i = 0; i < 4; i++)
            lines[i] = line_of_square(w, lc_store_child(w->store, square, i), log2 - 1);
        line = line_of_four(w, log2, lines);
    }
    if (line != 0)
        add_seen(w, square, line);
    return line;
}

static lc_status end_frame(lc_frame_writer *w, lc_count generation, uint32_t line,
                           lc_message *message)
{
    char text[LC_COUNT_TEXT_BYTES];
    if (w->status != LC_OK)
        return say(w, message);
    lc_count_format(generation, text);
    lc_output_print(w->output, "#G %s\n#FRAME %" PRIu64 " %" PRIu32 "\n", text, w->frames, line);
    w->status = lc_output_publish(w->output, &w->message);
    w->frames += w->status == LC_OK;
    return say(w, message);
}

lc_status lc_frame_writer_tree(lc_frame_writer *w, lc_count generation, const lc_store *store,
                               lc_square root, int root_log2, lc_message *message)
{
    const bool is_large = w->seen_room > w->limit_bytes / 4 / sizeof *w->seen;
    if (w->store != store || w->epoch != store->epoch || is_large) {
        w->store = store;
        w->epoch = store->epoch;
        w->seen_count = 0;
        if (is_large) {
            lc_free(w->seen);
            w->seen = NULL;
            w->seen_room = 0;
        } else if (w->seen != NULL) {
            memset(w->seen, 0, w->seen_room * sizeof *w->seen);
        }
    }
    return end_frame(w, generation, line_of_square(w, root, root_log2), message);
}

// Tiles -------------------------------------------------------------------------------------------

static kept *kept_at(const lc_frame_writer *w, int64_t x, int64_t y)
{
    return &w->kept[lc_mixed((uint64_t)x ^ lc_mixed((uint64_t)y)) & (w->kept_room - 1)];
}

lc_status lc_frame_writer_tile(lc_frame_writer *w, int64_t x, int64_t y,
                               const uint64_t rows[LC_FRAME_TILE], lc_message *message)
{
    uint64_t any = 0;
    for (int i = 0; i < LC_FRAME_TILE; i++)
        any |= rows[i];
    if (any == 0 || w->status != LC_OK)
        return say(w, message);
    kept *k = w->kept_room != 0 ? kept_at(w, x, y) : NULL;
    uint32_t line;
    if (k != NULL && k->line != 0 && k->x == x && k->y == y &&
        memcmp(k->rows, rows, sizeof k->rows) == 0) {
        line = k->line;
    } else {
        line = line_of_cells(w, rows, TILE_LOG2, 0, 0);
        if (k != NULL) {
            *k = (kept){.x = x, .y = y, .line = line};
            memcpy(k->rows, rows, sizeof k->rows);
        }
    }
    if (!lc_grow(&w->places, &w->place_room, w->place_count + 1, sizeof *w->places))
        (void)fail(w, LC_ERROR_MEMORY, "out of memory for recording squares");
    else
        w->places[w->place_count++] = (place){x, y, line};
    return say(w, message);
}

// Joins the squares of two rows into squares twice as wide. Both rows are in the order of columns.
static size_t join_rows(lc_frame_writer *w, int log2, const place *upper, size_t upper_count,
                        const place *lower, size_t lower_count, place *out)
{
    size_t u = 0, l = 0, made = 0;
    while (u < upper_count || l < lower_count) {
        int64_t x = u < upper_count ? upper[u].x >> 1 : INT64_MAX;
        if (l < lower_count && lower[l].x >> 1 < x)
            x = lower[l].x >> 1;
        uint32_t lines[4] = {0};
        const int64_t y = (u < upper_count ? upper[u].y : lower[l].y) >> 1;
        for (; u < upper_count && upper[u].x >> 1 == x; u++)
            lines[upper[u].x & 1] = upper[u].line;
        for (; l < lower_count && lower[l].x >> 1 == x; l++)
            lines[2 + (lower[l].x & 1)] = lower[l].line;
        out[made++] = (place){x, y, line_of_four(w, log2, lines)};
    }
    return made;
}

static size_t row_length(const place *places, size_t count)
{
    size_t length = 0;
    while (length < count && places[length].y == places[0].y)
        length++;
    return length;
}

static bool is_all_near(const place *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (places[i].x < -1 || places[i].x > 0 || places[i].y < -1 || places[i].y > 0)
            return false;
    return true;
}

// Returns the line of the square of all places around the middle.
static uint32_t join_all(lc_frame_writer *w, place *spare)
{
    int log2 = TILE_LOG2;
    place *from = w->places, *to = spare;
    size_t count = w->place_count;
    for (; !is_all_near(from, count) && w->status == LC_OK; log2++) {
        size_t made = 0;
        for (size_t at = 0; at < count;) {
            const size_t first = row_length(from + at, count - at);
            const size_t second =
                from[at].y % 2 == 0 && at + first < count && from[at + first].y == from[at].y + 1
                    ? row_length(from + at + first, count - at - first)
                    : 0;
            const place *row = from + at;
            made += (row->y & 1) == 0
                        ? join_rows(w, log2 + 1, row, first, row + first, second, to + made)
                        : join_rows(w, log2 + 1, NULL, 0, row, first, to + made);
            at += first + second;
        }
        place *full = to;
        to = from;
        from = full;
        count = made;
    }
    uint32_t lines[4] = {0};
    for (size_t i = 0; i < count; i++)
        lines[(from[i].y + 1) * 2 + from[i].x + 1] = from[i].line;
    return line_of_four(w, log2 + 1, lines);
}

lc_status lc_frame_writer_end(lc_frame_writer *w, lc_count generation, lc_message *message)
{
    if (w->status == LC_OK && lc_output_failed(w->output))
        return end_frame(w, generation, 0, message); // reports the error
    place *spare = lc_malloc((w->place_count + 1) * sizeof *spare);
    if (spare == NULL)
        (void)fail(w, LC_ERROR_MEMORY, "out of memory for recording squares");
    const uint32_t line = spare != NULL && w->status == LC_OK ? join_all(w, spare) : 0;
    lc_free(spare);
    w->place_count = 0;
    return end_frame(w, generation, line, message);
}

// The file ----------------------------------------------------------------------------------------

lc_status lc_frame_writer_create(lc_frame_writer **out, const char *path,
                                 const lc_pattern_write_options *options, lc_count every,
                                 uint64_t limit_bytes, lc_message *message)
{
    bool gzip;
    char first[LC_COUNT_TEXT_BYTES], apart[LC_COUNT_TEXT_BYTES];
    *out = NULL;
    lc_frame_writer *w = lc_calloc(1, sizeof *w);
    if (w == NULL)
        return lc_fail_memory(message, "writing a timeline");
    w->limit_bytes = limit_bytes;
    const bool is_plain = lc_format_from_path(path, &gzip) == LC_FORMAT_MACROCELL && !gzip;
    const int threads = options->threads != 0 ? options->threads : lc_cpu_count();
    const lc_status status = lc_output_create(&w->output, path, is_plain ? 0 : threads, message);
    if (status != LC_OK) {
        lc_free(w);
        return status;
    }
    size_t tiles = 1;
    while (tiles < MOST_KEPT && 2 * tiles <= limit_bytes / 4 / sizeof *w->kept)
        tiles *= 2;
    w->kept = lc_calloc(tiles, sizeof *w->kept);
    w->kept_room = w->kept != NULL ? tiles : 0;
    // Zlib's default level takes more time than everything else, for files that are a fifth
    // smaller.
    lc_output_set_fast(w->output);
    lc_pattern_write_options head = *options;
    head.generation = lc_count_of(0);
    lc_macrocell_write_header(w->output, &head);
    lc_count_format(options->generation, first);
    lc_count_format(every, apart);
    lc_output_print(w->output, "#FRAMES 0 %s %s^1\n", first, apart); // Golly requires a power
    *out = w;
    return LC_OK;
}

uint64_t lc_frame_writer_count(const lc_frame_writer *w)
{
    return w->frames;
}

lc_status lc_frame_writer_close(lc_frame_writer **writer, lc_message *message)
{
    lc_status status = LC_OK;
    if (writer == NULL || *writer == NULL)
        return LC_OK;
    lc_frame_writer *w = *writer;
    if (w->frames > 0 && w->status == LC_OK)
        status = lc_output_commit(&w->output, message);
    else
        lc_output_abandon(&w->output);
    lc_free(w->known);
    lc_free(w->seen);
    lc_free(w->kept);
    lc_free(w->places);
    lc_free(w);
    *writer = NULL;
    return status;
}
