// Records a universe in a timeline: the quadtree of an engine that has one, or the cells tile by
// tile.
//
// In the file the middle of a bounded direction is 0, and row 0 is above the middle of all squares
// (quadtree/tree.h). Tiles follow the file's coordinates, so they need not begin at a word of the
// universe.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/structure.h"
#include "lightcone/timeline.h"
#include "pattern/macrocell.h"
#include "quadtree/tree.h"
#include "universe/universe_internal.h"
#include "universe/universe_live.h"

enum {
    TILE = LC_FRAME_TILE,
    RUN_TILES = 64, // read together
    SHARE = 16,     // of the machine's memory
};

struct lc_recorder {
    lc_frame_writer *writer;
    const lc_rule *rule;
    lc_topology topology;
    lc_count last;       // generation
    lc_save_watch watch; // NULL: none
    void *watch_context;
    lc_status status; // of the frame that failed; the writer has some of its cells
    lc_message message;
    // Columns of the tiles of a row that may have live cells.
    int64_t *columns;
    size_t column_count, column_room;
    uint64_t *words; // RUN_TILES x TILE
};

static int64_t tile_of(int64_t cell)
{
    return cell >> 6;
}

// Adds the columns first .. last; the first may have been added already.
static lc_status add_columns(lc_recorder *r, int64_t first, int64_t last, lc_message *message)
{
    if (r->column_count > 0 && r->columns[r->column_count - 1] == first)
        first++;
    for (int64_t x = first; x <= last; x++) {
        if (!lc_grow(&r->columns, &r->column_room, r->column_count + 1, sizeof *r->columns))
            return lc_fail_memory(message, "recording squares");
        r->columns[r->column_count++] = x;
    }
    return LC_OK;
}

static int by_column(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Finds the parts of a row of tiles that may have live cells. Starts at *at and sets *at to the
// first part beyond the row. Parts are in the universe's coordinates, where (dx, dy) is the middle
// of the file's squares.
static lc_status find_columns(lc_recorder *r, const lc_universe *u, const lc_area *band, int64_t dx,
                              lc_cells *at, lc_message *message)
{
    lc_status status = LC_OK;
    r->column_count = 0;
    while (status == LC_OK && at->width_cells > 0 && at->y < band->y1) {
        const int64_t end = at->x + at->width_cells;
        status = add_columns(r, tile_of(at->x - dx), tile_of(end - 1 - dx), message);
        if (at->x == band->x0 && end == band->x1) { // the whole row
            at->y = band->y1;
            at->x = band->x0;
        } else {
            at->x = end;
        }
        if (status == LC_OK && at->y < band->y1)
            status = u->cover->vtable->seek(u->cover, band, at, message);
    }
    if (r->column_count == 0)
        return status;
    qsort(r->columns, r->column_count, sizeof *r->columns, by_column);
    size_t kept = 1;
    for (size_t i = 1; i < r->column_count; i++)
        if (r->columns[i] != r->columns[kept - 1])
            r->columns[kept++] = r->columns[i];
    r->column_count = kept;
    return status;
}

// Reads the tiles `columns` of row ty, side by side.
static lc_status add_run(lc_recorder *r, const lc_universe *u, const int64_t *columns, size_t count,
                         int64_t ty, int64_t dx, int64_t dy, lc_message *message)
{
    const lc_cells cells = {.x = columns[0] * TILE + dx,
                            .y = ty * TILE + dy,
                            .width_cells = (int64_t)count * TILE,
                            .height_cells = TILE,
                            .words = r->words,
                            .pitch_words = count};
    lc_status status = lc_universe_read(u, &cells, message);
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        uint64_t rows[TILE];
        for (size_t row = 0; row < TILE; row++)
            rows[row] = r->words[row * count + i];
        status = lc_frame_writer_tile(r->writer, columns[i], ty, rows, message);
    }
    return status;
}

static lc_status add_band(lc_recorder *r, const lc_universe *u, int64_t ty, int64_t dx, int64_t dy,
                          lc_message *message)
{
    lc_status status = LC_OK;
    for (size_t i = 0, count; i < r->column_count && status == LC_OK; i += count) {
        for (count = 1; count < RUN_TILES && i + count < r->column_count &&
                        r->columns[i + count] == r->columns[i] + (int64_t)count;)
            count++;
        status = add_run(r, u, r->columns + i, count, ty, dx, dy, message);
    }
    return status;
}

// Asks the watch whether to stop; the rows above y have been recorded.
static bool is_stopped(const lc_recorder *r, const lc_area *area, int64_t y)
{
    const double rows = (double)lc_extent(area->y0, area->y1);
    return r->watch != NULL && r->watch(r->watch_context, (double)lc_extent(area->y0, y) / rows);
}

static lc_status add_cells(lc_recorder *r, const lc_universe *u, lc_message *message)
{
    const int64_t dx = u->topology.width_cells / 2;
    const int64_t dy = u->topology.height_cells / 2 + LC_MIDDLE_Y;
    lc_facts facts = {.box = {.empty = false}};
    lc_status status = lc_universe_facts(u, LC_FACT_BOX, &facts, message);
    if (status != LC_OK || facts.box.empty)
        return status;
    const lc_area area = lc_area_of_box(&facts.box);
    lc_cells at = {.x = area.x0, .y = area.y0, .height_cells = 1};
    status = u->cover->vtable->seek(u->cover, &area, &at, message);
    while (status == LC_OK && at.width_cells > 0) {
        const int64_t ty = tile_of(at.y - dy);
        if (is_stopped(r, &area, at.y))
            return lc_fail(message, LC_ERROR_STOPPED, "recording was stopped");
        lc_area band = area;
        band.y1 = lc_least((ty + 1) * TILE + dy, area.y1);
        status = find_columns(r, u, &band, dx, &at, message);
        if (status == LC_OK)
            status = add_band(r, u, ty, dx, dy, message);
        at = (lc_cells){.x = area.x0, .y = band.y1, .height_cells = 1};
        if (status == LC_OK && at.y < area.y1)
            status = u->cover->vtable->seek(u->cover, &area, &at, message);
    }
    return status;
}

static bool is_same_universe(const lc_recorder *r, const lc_universe *u)
{
    char ours[LC_RULE_TEXT_BYTES], other[LC_RULE_TEXT_BYTES];
    lc_rule_format(r->rule, &r->topology, ours);
    lc_rule_format(u->rule, &u->topology, other);
    return strcmp(ours, other) == 0;
}

static lc_status check_frame(const lc_recorder *r, const lc_universe *u, lc_message *message)
{
    LC_RETURN_FAILURE(u, message);
    if (!is_same_universe(r, u))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the frames of a timeline have one rule and one topology");
    if (lc_recorder_frames(r) > 0 && lc_count_compare(u->generation, r->last) <= 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the frames of a timeline have rising generations");
    return lc_check_background(u, u->background, u->generation, message);
}

static lc_status add_frame(lc_recorder *r, const lc_universe *u, lc_message *message)
{
    const lc_cover_vtable *cover = u->cover->vtable;
    lc_square root;
    int root_log2;
    if (!lc_universe_is_squares(u)) {
        const lc_status status = add_cells(r, u, message);
        return status == LC_OK ? lc_frame_writer_end(r->writer, u->generation, message) : status;
    }
    const lc_status status = cover->get_root(u->cover, &root, &root_log2, message);
    return status == LC_OK ? lc_frame_writer_tree(r->writer, u->generation, cover->store(u->cover),
                                                  root, root_log2, message)
                           : status;
}

lc_status lc_recorder_add(lc_recorder *r, const lc_universe *u, lc_message *message)
{
    if (r == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the recorder is NULL");
    if (r->status == LC_OK) {
        const lc_status status = check_frame(r, u, message);
        if (status != LC_OK)
            return status;
        r->status = add_frame(r, u, &r->message);
    }
    if (r->status == LC_OK)
        r->last = u->generation;
    return lc_fail_again(message, r->status, &r->message);
}

uint64_t lc_recorder_frames(const lc_recorder *r)
{
    return lc_frame_writer_count(r->writer);
}

lc_status lc_recorder_create(lc_recorder **out, const char *path, const lc_universe *u,
                             const lc_recorder_options *asked, lc_message *message)
{
    lc_recorder_options options;
    *out = NULL;
    lc_status status =
        lc_structure_take(&options, sizeof options, asked, "lc_recorder_options", message);
    if (status == LC_OK && lc_count_compare(options.every, lc_count_of(0)) == 0)
        status = lc_fail(message, LC_ERROR_ARGUMENT, "frames are at least 1 generation apart");
    if (status == LC_OK && strcmp(path, "-") == 0)
        status = lc_fail(message, LC_ERROR_ARGUMENT, "a timeline is written to a file");
    if (status == LC_OK)
        status = lc_universe_need_two_states(u, "a timeline", message);
    if (status != LC_OK)
        return status;
    lc_recorder *r = lc_calloc(1, sizeof *r);
    if (r == NULL)
        return lc_fail_memory(message, "writing a timeline");
    r->rule = lc_rule_retain(u->rule);
    r->topology = u->topology;
    r->watch = options.watch;
    r->watch_context = options.watch_context;
    r->words = lc_malloc((size_t)RUN_TILES * TILE * sizeof *r->words);
    const lc_pattern_write_options head = {.struct_bytes = sizeof head,
                                           .rule = r->rule,
                                           .topology = &r->topology,
                                           .generation = u->generation,
                                           .threads = options.threads};
    const uint64_t machine_bytes = lc_memory_of_machine();
    const uint64_t limit_bytes = options.max_memory_bytes != 0 ? options.max_memory_bytes
                                 : machine_bytes != 0          ? machine_bytes / SHARE
                                                               : UINT32_MAX;
    status = r->words == NULL ? lc_fail_memory(message, "writing a timeline")
                              : lc_frame_writer_create(&r->writer, path, &head, options.every,
                                                       limit_bytes, message);
    if (status != LC_OK) {
        lc_rule_release(&r->rule);
        lc_free(r->words);
        lc_free(r);
        return status;
    }
    *out = r;
    return LC_OK;
}

lc_status lc_recorder_close(lc_recorder **recorder, lc_message *message)
{
    if (recorder == NULL || *recorder == NULL)
        return LC_OK;
    lc_recorder *r = *recorder;
    const lc_status status = lc_frame_writer_close(&r->writer, message);
    lc_rule_release(&r->rule);
    lc_free(r->columns);
    lc_free(r->words);
    lc_free(r);
    *recorder = NULL;
    return status;
}
