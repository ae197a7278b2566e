// Writes checkpoints (checkpoint_format.h). Each thread trims, counts and compresses squares of the
// grid that have live cells. The file appears whole or not at all (file/output.h).
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "checkpoint/checkpoint_quadtree.h"
#include "checkpoint/checkpoint_rank_files.h"
#include "checkpoint/checkpoint_writer.h"
#include "grid/facts.h"

// Random cells do not compress at any level; patterns do at the lowest.
enum { COMPRESSION_LEVEL = 1 };

typedef struct slot { // a part being written
    uint64_t *cells;
    uint8_t *frame;
    lc_checkpoint_part part; // as read, then its bounding box; population 0: no live cells
    bool failed;
} slot;

typedef struct writer {
    lc_checkpoint_writer *out;
    lc_area area;                    // of all cells, from the left in whole words
    int64_t x, y;                    // of the next square
    size_t workers;                  // number of slots
    slot *slots;                     // [workers]
    ZSTD_CCtx **compressors;         // [workers]
    size_t cells_bytes, frame_bytes; // of the buffers of a slot
} writer;

void lc_checkpoint_emit(lc_checkpoint_writer *w, const void *data, size_t size_bytes)
{
    lc_output_write(w->output, data, size_bytes);
    w->written_bytes += size_bytes;
}

// Finds the next place in an area that may have live cells, row by row. The width is 0 if there is
// none.
static lc_status seek(const writer *w, lc_area within, lc_cells *at, lc_message *message)
{
    lc_cover *cover = w->out->cover;
    *at = (lc_cells){.x = within.x0, .y = within.y0, .height_cells = 1};
    return cover->vtable->seek(cover, &within, at, message);
}

// Moves on to the next square, row by row of squares. Behind the last one, y is the end.
static void next_square(writer *w)
{
    w->x += LC_PART_COLUMNS;
    if (w->x >= w->area.x1) {
        w->x = w->area.x0 & ~(int64_t)(LC_PART_COLUMNS - 1);
        w->y += LC_PART_ROWS;
    }
}

// Moves on from w->x to the first square of the row that may have live cells, or to the next row of
// squares. Dead space may be wide.
static lc_status pass_dead_squares(writer *w, lc_message *message)
{
    const lc_area rest = {lc_greatest(w->x, w->area.x0), lc_greatest(w->y, w->area.y0), w->area.x1,
                          lc_least(w->y + LC_PART_ROWS, w->area.y1)};
    int64_t x = w->area.x1;
    lc_cells at = {.x = rest.x0, .y = rest.y0, .height_cells = 1};
    while (at.y < rest.y1) {
        const lc_status status = w->out->cover->vtable->seek(w->out->cover, &rest, &at, message);
        if (status != LC_OK)
            return status;
        if (at.width_cells == 0)
            break;
        x = lc_least(x, at.x);
        at.x = rest.x0;
        at.y++;
    }
    w->x = x & ~(int64_t)(LC_PART_COLUMNS - 1);
    if (x >= w->area.x1)
        next_square(w);
    return LC_OK;
}

// Finds the next square that may have live cells. Sets *found to false if there is none.
static lc_status find_square(writer *w, lc_checkpoint_part *part, bool *found, lc_message *message)
{
    const int64_t left = w->area.x0 & ~(int64_t)(LC_PART_COLUMNS - 1);
    lc_status status = LC_OK;
    lc_cells at;
    *found = false;
    while (w->y < w->area.y1 && status == LC_OK && !*found) {
        lc_area square = {lc_greatest(w->x, w->area.x0), lc_greatest(w->y, w->area.y0),
                          lc_least(w->x + LC_PART_COLUMNS, w->area.x1),
                          lc_least(w->y + LC_PART_ROWS, w->area.y1)};
        if (w->x == left) { // start of a row: many rows may be dead
            const lc_area rest = {w->area.x0, square.y0, w->area.x1, w->area.y1};
            status = seek(w, rest, &at, message);
            if (status != LC_OK || at.width_cells == 0)
                return status;
            w->y = at.y & ~(int64_t)(LC_PART_ROWS - 1);
            square.y0 = lc_greatest(w->y, w->area.y0);
            square.y1 = lc_least(w->y + LC_PART_ROWS, w->area.y1);
        }
        status = seek(w, square, &at, message);
        *found = status == LC_OK && at.width_cells != 0;
        *part = (lc_checkpoint_part){.x = square.x0,
                                     .y = square.y0,
                                     .width_cells = square.x1 - square.x0,
                                     .rows = square.y1 - square.y0,
                                     .planes = lc_planes_for(w->out->header.states)};
        next_square(w);
        if (status == LC_OK && !*found && w->x != left)
            status = pass_dead_squares(w, message);
    }
    return status;
}

static lc_status read_part(const writer *w, slot *s, lc_message *message)
{
    const lc_checkpoint_part *part = &s->part;
    const lc_cells cells = lc_part_cells(part, s->cells);
    lc_cover *cover = w->out->cover;
    if (w->out->universe == NULL)
        return cover->vtable->read(cover, &cells, message);
    const lc_status status = lc_universe_read(w->out->universe, &cells, message);
    for (int64_t j = 0; w->out->header.background && j < part->rows; j++) // as they are stored
        lc_bits_flip(s->cells + (size_t)j * cells.pitch_words, 0, part->width_cells);
    return status;
}

// Trims the words to the live cells and sets the members of the part's head.
static void trim(slot *s)
{
    lc_checkpoint_part *part = &s->part;
    const size_t row_words = lc_part_row_words(part), planes = (size_t)part->planes;
    const lc_facts facts = lc_part_facts(part, s->cells, part->width_cells, LC_FACT_ALL);
    (void)lc_count_to_u64(facts.population, &part->population); // 2^23 at most
    if (facts.box.empty)
        return;
    part->hash = lc_hash_moved(facts.hash, part->x, part->y);
    const size_t first_word = (size_t)facts.box.x / 64;
    const size_t words = (size_t)(facts.box.x + facts.box.width_cells + 63) / 64 - first_word;
    const uint64_t *from = s->cells + (size_t)facts.box.y * planes * row_words + first_word;
    for (size_t j = 0; j < (size_t)facts.box.height_cells * planes; j++) // rows of planes
        for (size_t i = 0; i < words; i++) // never overtakes the words still to move
            s->cells[j * words + i] = from[j * row_words + i];
    part->x += (int64_t)first_word * 64;
    part->y += facts.box.y;
    part->width_cells = (int64_t)words * 64;
    part->rows = facts.box.height_cells;
}

// Makes a zstd frame of at most 2^32 uncompressed bytes: a head (magic, "one segment, 4 bytes of
// size", size) and blocks with heads. Returns its size, at most that of ZSTD_compressBound.
static size_t lay_plainly(uint8_t *frame, const void *bytes, size_t size_bytes)
{
    enum { BLOCK_BYTES = 1 << 17 };
    const uint8_t *from = bytes;
    uint8_t *to = frame;
    lc_put_bytes(to, 0xfd2fb528, 4);
    to[4] = 0xa0;
    lc_put_bytes(to + 5, size_bytes, 4);
    to += 9;
    for (size_t left = size_bytes; left > 0;) {
        const size_t block = left < BLOCK_BYTES ? left : BLOCK_BYTES;
        const size_t head = block << 3 | (block == left); // the last block?
        lc_put_bytes(to, head, 3);
        memcpy(to + 3, from, block);
        to += 3 + block;
        from += block;
        left -= block;
    }
    return (size_t)(to - frame);
}

static void make_part(void *context, size_t index, int worker)
{
    writer *w = context;
    slot *s = &w->slots[index];
    trim(s);
    if (s->part.population == 0)
        return;
    const size_t size_bytes = lc_part_size_bytes(&s->part);
    lc_checkpoint_turn_words(s->cells, size_bytes / sizeof *s->cells);
    const size_t result = w->out->plain
                              ? lay_plainly(s->frame, s->cells, size_bytes)
                              : ZSTD_compressCCtx(w->compressors[worker], s->frame, w->frame_bytes,
                                                  s->cells, size_bytes, COMPRESSION_LEVEL);
    s->failed = ZSTD_isError(result);
    s->part.frame_bytes = result;
    if (!s->failed)
        s->part.checksum = XXH64(s->frame, result, 0);
}

static void emit_part(lc_checkpoint_writer *w, const slot *s)
{
    uint8_t head[LC_CHECKPOINT_PART_BYTES];
    const uint64_t checksum = lc_checkpoint_encode_part(&w->header, &s->part, head);
    lc_checkpoint_count_part(&w->totals, &s->part, checksum);
    lc_checkpoint_emit(w, head, sizeof head);
    lc_checkpoint_emit(w, s->frame, s->part.frame_bytes);
}

static lc_status write_parts(writer *w, lc_message *message)
{
    for (size_t count = w->workers; count == w->workers && !lc_output_failed(w->out->output);) {
        for (count = 0; count < w->workers; count++) {
            slot *s = &w->slots[count];
            bool found;
            lc_status status = find_square(w, &s->part, &found, message);
            if (status == LC_OK && !found)
                break;
            s->failed = false;
            if (status == LC_OK)
                status = read_part(w, s, message);
            if (status != LC_OK)
                return status;
        }
        const lc_status given_up = lc_check_give_up(message);
        if (given_up != LC_OK)
            return given_up;
        lc_pool_run(w->out->cover->asked.pool, count, make_part, w);
        for (size_t i = 0; i < count; i++) {
            if (w->slots[i].failed)
                return lc_fail_memory(message, "compressing a checkpoint");
            if (w->slots[i].part.population != 0)
                emit_part(w->out, &w->slots[i]);
        }
    }
    return LC_OK;
}

// Allocates a slot and a compressor for each thread. Parts are at most as large as the area.
static bool allocate(writer *w)
{
    const size_t threads = (size_t)lc_pool_threads(w->out->cover->asked.pool);
    const lc_checkpoint_part largest = {
        .width_cells = lc_extent_within(w->area.x0, w->area.x1, LC_PART_COLUMNS),
        .rows = lc_extent_within(w->area.y0, w->area.y1, LC_PART_ROWS),
        .planes = lc_planes_for(w->out->header.states)};
    w->cells_bytes = lc_part_size_bytes(&largest);
    w->frame_bytes = ZSTD_compressBound(w->cells_bytes);
    w->slots = lc_calloc(threads, sizeof *w->slots);
    w->compressors = lc_calloc(threads, sizeof *w->compressors);
    if (w->slots == NULL || w->compressors == NULL)
        return false;
    for (w->workers = 0; w->workers < threads; w->workers++) {
        slot *s = &w->slots[w->workers];
        s->cells = lc_malloc(w->cells_bytes);
        s->frame = lc_malloc(w->frame_bytes);
        w->compressors[w->workers] = ZSTD_createCCtx();
        if (s->cells == NULL || s->frame == NULL || w->compressors[w->workers] == NULL) {
            w->workers++;
            return false;
        }
    }
    return true;
}

static void release(writer *w)
{
    for (size_t i = 0; i < w->workers; i++) {
        lc_free(w->slots[i].cells);
        lc_free(w->slots[i].frame);
        (void)ZSTD_freeCCtx(w->compressors[i]);
    }
    lc_free(w->slots);
    lc_free(w->compressors);
}

lc_status lc_checkpoint_write_parts(lc_checkpoint_writer *out, lc_box box, lc_message *message)
{
    writer w = {.out = out,
                .area = lc_area_of_box(&box),
                .x = box.x & ~(int64_t)(LC_PART_COLUMNS - 1),
                .y = box.y & ~(int64_t)(LC_PART_ROWS - 1)};
    w.area.x0 &= ~INT64_C(63);
    if (box.empty)
        return LC_OK;
    const lc_status status =
        allocate(&w) ? write_parts(&w, message) : lc_fail_memory(message, "writing a checkpoint");
    release(&w);
    return status;
}

void lc_checkpoint_write_trailer(lc_checkpoint_writer *w)
{
    uint8_t trailer[LC_CHECKPOINT_TRAILER_BYTES];
    lc_checkpoint_encode_trailer(&w->header, &w->totals, w->written_bytes + sizeof trailer,
                                 trailer);
    lc_checkpoint_emit(w, trailer, sizeof trailer);
}

static lc_checkpoint_header header_of(const lc_universe *u)
{
    lc_checkpoint_header header = {.states = lc_rule_traits(u->rule)->states,
                                   .topology = u->topology,
                                   .background = u->background,
                                   .generation = u->generation};
    lc_rule_format(u->rule, NULL, header.rule_text);
    return header;
}

// Writes one file: all cells, square by square, or the squares of a quadtree.
static lc_status write_whole(const lc_universe *u, bool plain, lc_output *output,
                             lc_message *message)
{
    lc_facts facts;
    uint8_t head[LC_CHECKPOINT_HEADER_MOST];
    lc_checkpoint_writer w = {
        .universe = u, .cover = u->cover, .header = header_of(u), .output = output, .plain = plain};
    const bool has_squares = w.header.has_squares = lc_universe_is_squares(u);
    const unsigned which = has_squares ? LC_FACT_POPULATION | LC_FACT_HASH : LC_FACT_BOX;
    lc_status status = lc_universe_facts(u, which, &facts, message);
    if (status != LC_OK)
        return status;
    lc_checkpoint_encode(&w.header, head);
    lc_checkpoint_emit(&w, head, w.header.bytes);
    status = has_squares ? lc_checkpoint_write_pieces(&w, &facts, message)
                         : lc_checkpoint_write_parts(&w, facts.box, message);
    if (status == LC_OK)
        lc_checkpoint_write_trailer(&w);
    return status;
}

static lc_status write_file(const lc_universe *u, const char *path, lc_message *message)
{
    lc_output *output;
    lc_status status = lc_output_create(&output, path, 0, message);
    if (status != LC_OK)
        return status;
    status = write_whole(u, false, output, message);
    if (status == LC_OK)
        return lc_output_commit(&output, message);
    lc_output_abandon(&output);
    return status;
}

// Writes one file, or one file per rank if `in_rank_files` and several ranks share the board.
static lc_status save(const lc_universe *u, const char *path, bool in_rank_files,
                      lc_message *message)
{
    lc_old_rank_files old;
    bool done = false;
    LC_RETURN_FAILURE(u, message);
    lc_old_rank_files_find(&old, path);
    lc_status status = LC_OK;
    if (in_rank_files && !lc_universe_is_squares(u) && u->cover->vtable->run_collective != NULL) {
        const lc_checkpoint_header header = header_of(u);
        status = lc_checkpoint_write_by_ranks(u, &header, path, &done, message);
    }
    if (!done && status == LC_OK)
        status = write_file(u, path, message);
    if (status == LC_OK)
        lc_old_rank_files_remove(&old);
    return status;
}

lc_status lc_universe_checkpoint(const lc_universe *u, const char *path, lc_message *message)
{
    return save(u, path, true, message);
}

lc_status lc_universe_save(const lc_universe *u, const char *path, lc_format format,
                           lc_message *message)
{
    return lc_universe_save_watched(u, path, format, NULL, NULL, message);
}

lc_status lc_universe_save_watched(const lc_universe *u, const char *path, lc_format format,
                                   lc_save_watch watch, void *context, lc_message *message)
{
    const lc_status status = lc_format_choose(path, format, &format, message);
    if (status != LC_OK)
        return status;
    return format == LC_FORMAT_CHECKPOINT
               ? save(u, path, false, message)
               : lc_save_pattern(u, path, format, watch, context, message);
}

static lc_status write_memory(const lc_universe *u, bool plain, size_t limit_bytes, void **data,
                              size_t *size_bytes, lc_message *message)
{
    lc_output *output;
    *data = NULL;
    *size_bytes = 0;
    LC_RETURN_FAILURE(u, message);
    lc_status status = lc_output_create_memory(&output, limit_bytes, message);
    if (status != LC_OK)
        return status;
    status = write_whole(u, plain, output, message);
    if (status == LC_OK)
        return lc_output_take_memory(&output, data, size_bytes, message);
    lc_output_abandon(&output);
    return status;
}

lc_status lc_universe_checkpoint_memory(const lc_universe *u, size_t limit_bytes, void **data,
                                        size_t *size_bytes, lc_message *message)
{
    return write_memory(u, false, limit_bytes, data, size_bytes, message);
}

lc_status lc_universe_checkpoint_plain(const lc_universe *u, size_t limit_bytes, void **data,
                                       size_t *size_bytes, lc_message *message)
{
    return write_memory(u, true, limit_bytes, data, size_bytes, message);
}
