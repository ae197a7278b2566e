// Reads a checkpoint: the heads, then the parts (checkpoint_reader.h).
//
// All data are checked before they are used. Header, heads and trailer are checked by checksum and
// range before memory is allocated, and the memory is compared with the limit. A frame is checked
// by checksum before it is decompressed, its cells by population and hash, and in the end all cells
// likewise.
//
// Threads read and decompress some parts at a time. The cells are then written in the order of the
// file, so the error names the first damaged part.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/structure.h"
#include "checkpoint/checkpoint_quadtree.h"
#include "checkpoint/checkpoint_rank_files.h"
#include "grid/facts.h"

enum { MOST_SLOTS = 32 }; // parts, of 2 MiB in all, that are worked on at a time

// A part being read.
typedef struct slot {
    const lc_checkpoint_part *part;
    uint8_t *frame;
    uint64_t *cells;
    ZSTD_DCtx *decompressor;
    lc_status status;
    lc_message why;
} slot;

typedef struct batch {
    const lc_checkpoint_reader *reader;
    size_t count; // of slots
    slot slots[MOST_SLOTS];
} batch;

// The heads --------------------------------------------------------------------------------------

static int64_t grid_column(const lc_checkpoint_part *part)
{
    return part->x & ~(int64_t)(LC_PART_COLUMNS - 1);
}

static int64_t grid_row(const lc_checkpoint_part *part)
{
    return part->y & ~(int64_t)(LC_PART_ROWS - 1);
}

static int order_in_file(const void *a, const void *b)
{
    const lc_checkpoint_part *p = a, *q = b;
    return (p->start > q->start) - (p->start < q->start);
}

static int order_in_grid(const void *a, const void *b)
{
    const lc_checkpoint_part *p = a, *q = b;
    const int rows = (grid_row(p) > grid_row(q)) - (grid_row(p) < grid_row(q));
    const int columns = (grid_column(p) > grid_column(q)) - (grid_column(p) < grid_column(q));
    return rows != 0 ? rows : columns != 0 ? columns : order_in_file(a, b);
}

// Checks that no square has two parts. Parts of different squares cannot overlap.
static lc_status check_places(lc_checkpoint_reader *r)
{
    const lc_checkpoint_part *second = NULL; // the first repetition in the file
    if (r->part_count < 2)
        return LC_OK;
    qsort(r->parts, r->part_count, sizeof *r->parts, order_in_grid);
    for (size_t i = 1; i < r->part_count; i++) {
        const lc_checkpoint_part *part = &r->parts[i];
        if (grid_row(part) == grid_row(part - 1) && grid_column(part) == grid_column(part - 1) &&
            (second == NULL || part->start < second->start))
            second = part;
    }
    if (second != NULL)
        return lc_fail_at_byte(r->message, LC_ERROR_FORMAT, second->start + 8,
                               "the checkpoint is not valid: two parts have the same place");
    qsort(r->parts, r->part_count, sizeof *r->parts, order_in_file);
    return LC_OK;
}

// The first bytes tell whether a part or the trailer follows.
lc_status lc_checkpoint_look_at_parts(lc_checkpoint_reader *r, uint64_t start)
{
    const bool pieces = r->header.has_squares;
    uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES];
    uint64_t at = start;
    for (;;) {
        lc_status status = lc_checkpoint_take(r, at, bytes, 8, r->message);
        if (status != LC_OK)
            return status;
        if (!(pieces ? lc_checkpoint_is_piece(bytes) : lc_checkpoint_is_part(bytes)))
            break;
        lc_checkpoint_part part;
        uint64_t checksum = 0;
        status = lc_checkpoint_take(r, at, bytes, LC_CHECKPOINT_PART_BYTES, r->message);
        if (status == LC_OK)
            status = pieces ? lc_checkpoint_decode_piece(r, bytes, at, &part, &checksum)
                            : lc_checkpoint_decode_part(&r->header, bytes, at, &part, &checksum,
                                                        r->message);
        if (status == LC_OK)
            status = lc_checkpoint_list(r, &part);
        if (status != LC_OK)
            return status;
        lc_checkpoint_count_part(&r->totals, &part, checksum);
        at = part.frame_start + part.frame_bytes;
    }
    if (!lc_checkpoint_is_trailer(bytes))
        return lc_checkpoint_damaged(r->message, at,
                                     pieces ? "neither a piece nor the trailer begins here"
                                            : "neither a part nor the trailer begins here");
    lc_status status = lc_checkpoint_take(r, at, bytes, sizeof bytes, r->message);
    if (status == LC_OK)
        status = lc_checkpoint_end(r, bytes, at);
    return status == LC_OK && !pieces ? check_places(r) : status;
}

static lc_status open_file(lc_checkpoint_reader *r, const char *path)
{
    struct stat facts;
    r->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (r->descriptor < 0 || fstat(r->descriptor, &facts) != 0)
        return lc_fail(r->message, LC_ERROR_IO, "cannot open: %s", strerror(errno));
    r->size_bytes = (uint64_t)facts.st_size;
    return LC_OK;
}

// `path` is NULL if the checkpoint is in memory.
static lc_status look(lc_checkpoint_reader *r, const char *path)
{
    uint8_t bytes[LC_CHECKPOINT_HEADER_MOST];
    uint32_t header_bytes;
    lc_status status = path != NULL ? open_file(r, path) : LC_OK;
    if (status != LC_OK)
        return status;
    status = lc_checkpoint_take(r, 0, bytes, LC_CHECKPOINT_START_BYTES, r->message);
    if (status != LC_OK)
        return status;
    if (memcmp(bytes, lc_rank_file_magic, sizeof lc_rank_file_magic) == 0)
        return lc_fail_at_byte(r->message, LC_ERROR_FORMAT, 0,
                               "this is one rank's file of a checkpoint: open the checkpoint, "
                               "which lies beside it");
    if (memcmp(bytes, lc_checkpoint_magic, sizeof lc_checkpoint_magic) != 0)
        return lc_fail_at_byte(r->message, LC_ERROR_FORMAT, 0,
                               "this is not a lightcone checkpoint");
    if (lc_get_bytes(bytes + 8, 4) == 1)
        return lc_checkpoint_look_at_version_1(r);
    status = lc_checkpoint_measure_header(bytes, &header_bytes, r->message);
    if (status == LC_OK)
        status = lc_checkpoint_take(r, 0, bytes, header_bytes, r->message);
    if (status == LC_OK)
        status = lc_checkpoint_decode(&r->header, bytes, header_bytes, r->message);
    if (status != LC_OK)
        return status;
    if (path == NULL && r->header.rank_files > 0)
        return lc_fail_at_byte(r->message, LC_ERROR_FORMAT, 0,
                               "the rank files of this checkpoint lie beside its file");
    if (path != NULL && realpath(path, r->path) == NULL)
        return lc_fail(r->message, LC_ERROR_IO, "cannot open: %s", strerror(errno));
    if (r->header.rank_files == 0)
        return lc_checkpoint_look_at_parts(r, r->header.bytes);
    if (!lc_rank_file_folder(path, r->folder))
        return lc_fail(r->message, LC_ERROR_IO, "cannot open its folder: %s", strerror(errno));
    return lc_checkpoint_look_at_index(r);
}

// The parts --------------------------------------------------------------------------------------

static lc_status make_universe(lc_checkpoint_reader *r, const lc_universe_options *options)
{
    const lc_status status = lc_universe_create(&r->universe, options, r->message);
    if (status != LC_OK || r->part_count == 0 || r->header.has_squares)
        return status;
    lc_area area = {0};
    for (size_t i = 0; i < r->part_count; i++)
        area = lc_area_union(area, lc_part_area(&r->parts[i]));
    lc_cover *cover = r->universe->cover;
    return cover->vtable->include(cover, area, r->message);
}

// Returns the pool whose threads read.
static lc_pool *pool_of(const lc_checkpoint_reader *r)
{
    return r->universe != NULL ? r->universe->pool : r->cover->asked.pool;
}

bool lc_checkpoint_wants(const lc_checkpoint_reader *r, int64_t first_row, int64_t end_row)
{
    return r->universe != NULL || (first_row < r->held.y1 && end_row > r->held.y0);
}

static lc_status make_slots(batch *b)
{
    const lc_checkpoint_reader *r = b->reader;
    const size_t wanted = 2 * (size_t)lc_pool_threads(pool_of(r));
    size_t cells_bytes = 0, frame_bytes = 0; // of the largest ones
    for (size_t i = 0; i < r->part_count; i++) {
        const lc_checkpoint_part *part = &r->parts[i];
        const size_t size_bytes = lc_part_size_bytes(part);
        cells_bytes = size_bytes > cells_bytes ? size_bytes : cells_bytes;
        frame_bytes = part->frame_bytes > frame_bytes ? (size_t)part->frame_bytes : frame_bytes;
    }
    while (b->count < wanted && b->count < MOST_SLOTS && b->count < r->part_count) {
        slot *s = &b->slots[b->count++];
        s->cells = lc_malloc(cells_bytes);
        s->frame = lc_malloc(frame_bytes);
        s->decompressor = ZSTD_createDCtx();
        if (s->cells == NULL || s->frame == NULL || s->decompressor == NULL)
            return lc_fail_memory(r->message, "reading a checkpoint");
    }
    return LC_OK;
}

// Checks that the cells of a part have the population and hash of its head, and states of the rule.
static lc_status check_cells(slot *s, int states)
{
    const lc_checkpoint_part *part = s->part;
    const lc_cells cells = lc_part_cells(part, s->cells);
    int64_t wrong;
    const int64_t columns = 64 * (int64_t)lc_part_row_words(part);
    const lc_facts facts =
        lc_part_facts(part, s->cells, columns, LC_FACT_POPULATION | LC_FACT_HASH);
    if (lc_count_compare(facts.population, lc_count_of(part->population)) != 0)
        return lc_checkpoint_damaged(&s->why, part->start + 32,
                                     "a part does not have the population that stands there");
    if (lc_hash_moved(facts.hash, part->x, part->y) != part->hash)
        return lc_checkpoint_damaged(&s->why, part->start + 40,
                                     "a part does not have the hash that stands there");
    for (int64_t j = 0; j < part->rows; j++)
        if (lc_cells_find_above(&cells, j, states, &wrong) != 0)
            return lc_checkpoint_invalid(&s->why, part->frame_start, "a state in a part");
    return LC_OK;
}

static lc_status unpack(const lc_checkpoint_reader *r, slot *s)
{
    const lc_checkpoint_part *part = s->part;
    const size_t size_bytes = lc_part_size_bytes(part);
    lc_status status =
        lc_checkpoint_take(r, part->frame_start, s->frame, (size_t)part->frame_bytes, &s->why);
    if (status != LC_OK)
        return status;
    if (XXH64(s->frame, (size_t)part->frame_bytes, part->seed) != part->checksum)
        return lc_checkpoint_damaged(&s->why, part->checksum_at,
                                     "a part does not have the checksum that stands there");
    if (ZSTD_decompressDCtx(s->decompressor, s->cells, size_bytes, s->frame,
                            (size_t)part->frame_bytes) != size_bytes)
        return lc_checkpoint_damaged(&s->why, part->frame_start, "a part cannot be decompressed");
    lc_checkpoint_turn_words(s->cells, size_bytes / sizeof *s->cells);
    return r->header.version == 1 ? LC_OK : check_cells(s, r->header.states);
}

static void unpack_slot(void *context, size_t index, int worker)
{
    (void)worker;
    batch *b = context;
    b->slots[index].status = unpack(b->reader, &b->slots[index]);
}

static lc_status write_part(const lc_checkpoint_reader *r, const slot *s)
{
    const lc_cells cells = lc_part_cells(s->part, s->cells);
    lc_cells held;
    if (r->universe != NULL)
        return lc_universe_write(r->universe, &cells, r->message);
    (void)lc_cells_between(&cells, r->held.y0, r->held.y1, &held); // there are some
    return r->cover->vtable->write(r->cover, &held, r->message);
}

static lc_status read_batches(batch *b)
{
    const lc_checkpoint_reader *r = b->reader;
    lc_status status = make_slots(b);
    for (size_t next = 0; status == LC_OK && next < r->part_count;) {
        size_t count = 0;
        for (; count < b->count && next < r->part_count; next++) {
            const lc_checkpoint_part *part = &r->parts[next];
            if (lc_checkpoint_wants(r, part->y, part->y + part->rows))
                b->slots[count++].part = part;
        }
        lc_pool_run(pool_of(r), count, unpack_slot, b);
        status = lc_check_give_up(r->message);
        for (size_t i = 0; i < count && status == LC_OK; i++) {
            const slot *s = &b->slots[i];
            status = s->status == LC_OK ? write_part(r, s)
                                        : lc_fail_again(r->message, s->status, &s->why);
        }
    }
    return status;
}

lc_status lc_checkpoint_read_parts(const lc_checkpoint_reader *r)
{
    batch b = {.reader = r};
    const lc_status status = read_batches(&b);
    for (size_t i = 0; i < b.count; i++) {
        (void)ZSTD_freeDCtx(b.slots[i].decompressor);
        lc_free(b.slots[i].cells);
        lc_free(b.slots[i].frame);
    }
    return status;
}

// Reads all parts: on all ranks that share the board, or in this process.
static lc_status read_cells(lc_checkpoint_reader *r)
{
    bool done = false;
    if (r->header.has_squares)
        return lc_checkpoint_read_quadtree(r);
    lc_status status = lc_checkpoint_read_by_ranks(r, &done);
    if (status != LC_OK || done)
        return status;
    for (uint32_t i = 0; i < r->header.rank_files && status == LC_OK; i++)
        status = lc_checkpoint_read_rank_file(r, i);
    return r->header.rank_files > 0 ? status : lc_checkpoint_read_parts(r);
}

// Compares the cells of the universe with the totals of the file.
static lc_status check_universe(const lc_checkpoint_reader *r)
{
    lc_facts facts;
    lc_status status = lc_universe_facts(r->universe, LC_FACT_ALL, &facts, r->message);
    if (status != LC_OK)
        return status;
    if (lc_count_compare(facts.population, r->totals.population) != 0)
        return lc_checkpoint_damaged(r->message, r->population_at,
                                     "the cells do not have the population that stands there");
    if (r->header.version == 1)
        return lc_checkpoint_check_version_1(r, facts.box);
    if (facts.hash != r->totals.hash)
        return lc_checkpoint_damaged(r->message, r->hash_at,
                                     "the cells do not have the hash that stands there");
    return LC_OK;
}

static lc_status read_all(lc_checkpoint_reader *r, const char *path, lc_universe_options *options)
{
    lc_status status = look(r, path);
    options->rule = NULL;
    options->rule_text = r->header.rule_text;
    options->topology = r->header.topology;
    const bool is_auto = options->engine == NULL || strcmp(options->engine, "auto") == 0;
    if (r->header.has_squares && is_auto)
        options->engine = lc_engine_hashlife.name;
    if (status == LC_OK)
        status = make_universe(r, options);
    if (status != LC_OK)
        return status;
    status = read_cells(r);
    if (status == LC_OK)
        status = check_universe(r);
    if (status != LC_OK)
        return status;
    r->universe->background = r->header.background; // only now: parts are differences from it
    r->universe->generation = r->header.generation;
    return LC_OK;
}

// Restores from the file at `path`, or from the reader's memory.
static lc_status restore(lc_universe **out, lc_checkpoint_reader *r, const char *path,
                         const lc_universe_options *options)
{
    *out = NULL;
    lc_universe_options all = {.struct_bytes = sizeof all};
    lc_status status = LC_OK;
    if (options != NULL)
        status = lc_structure_take(&all, sizeof all, options, "lc_universe_options", r->message);
    if (status != LC_OK)
        return status;
    r->limit_bytes = all.max_memory_bytes != 0 ? all.max_memory_bytes : lc_memory_of_machine() / 2;
    if (r->limit_bytes == 0) // unknown
        r->limit_bytes = UINT64_MAX;
    status = read_all(r, path, &all);
    if (r->descriptor >= 0)
        (void)close(r->descriptor);
    lc_free(r->parts);
    lc_free(r->rank_files);
    if (status != LC_OK) {
        lc_universe_destroy(&r->universe);
        return status;
    }
    *out = r->universe;
    return LC_OK;
}

lc_status lc_universe_restore(lc_universe **out, const char *path,
                              const lc_universe_options *options, lc_message *message)
{
    lc_checkpoint_reader r = {.message = message, .descriptor = -1};
    return restore(out, &r, path, options);
}

lc_status lc_universe_restore_memory(lc_universe **out, const void *data, size_t size_bytes,
                                     const lc_universe_options *options, lc_message *message)
{
    lc_checkpoint_reader r = {
        .message = message, .descriptor = -1, .memory = data, .size_bytes = size_bytes};
    return restore(out, &r, NULL, options);
}
