// Writing a checkpoint: the bounding box in compressed parts, each thread compressing its own. The
// format is in checkpoint_format.h; how the file gets to its place whole, in file/output.h.
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/output.h"
#include "pattern/format.h"
#include "universe/checkpoint_format.h"

// Random cells do not compress at any level; patterns do at the lowest.
enum { COMPRESSION_LEVEL = 1 };

typedef struct slot { // a part in work
    uint64_t *cells;
    uint8_t *frame;
    size_t cells_bytes;
    size_t frame_bytes; // 0: zstd failed
} slot;

typedef struct writer {
    const lc_universe *universe;
    lc_checkpoint_header header;
    lc_parts parts;
    size_t workers;                  // as many as there are slots
    slot *slots;                     // [workers]
    ZSTD_CCtx **compressors;         // [workers]
    size_t cells_bytes, frame_bytes; // of the buffers of a slot
    XXH64_state_t *hash;
    uint64_t written_bytes;
    lc_output *output;
} writer;

static void emit(writer *w, const void *data, size_t size_bytes)
{
    lc_output_write(w->output, data, size_bytes);
    (void)XXH64_update(w->hash, data, size_bytes);
    w->written_bytes += size_bytes;
}

static lc_status read_part(const writer *w, uint64_t index, slot *s, lc_message *message)
{
    const lc_universe *u = w->universe;
    const lc_part part = lc_part_at(&w->header, &w->parts, index);
    const lc_cells cells = {
        .x = w->header.x + part.x,
        .y = w->header.y + part.y,
        .width_cells = part.width_cells,
        .height_cells = part.rows,
        .planes = 1,
        .words = s->cells,
        .pitch_words = part.row_words,
    };
    s->cells_bytes = part.size_bytes;
    const lc_status status = u->cover->vtable->read(u->cover, &cells, message);
    for (size_t i = 0; i < part.size_bytes / sizeof *s->cells; i++) {
        const uint64_t word = s->cells[i];
        lc_put_u64((uint8_t *)(s->cells + i), word); // nothing at all on most machines
    }
    return status;
}

static void compress_part(void *context, size_t index, int worker)
{
    writer *w = context;
    slot *s = &w->slots[index];
    size_t result = ZSTD_compressCCtx(w->compressors[worker], s->frame, w->frame_bytes, s->cells,
                                      s->cells_bytes, COMPRESSION_LEVEL);
    s->frame_bytes = ZSTD_isError(result) ? 0 : result;
}

static lc_status write_parts(writer *w, lc_message *message)
{
    for (uint64_t first = 0; first < w->parts.count && !lc_output_failed(w->output);
         first += w->workers) {
        uint64_t left = w->parts.count - first;
        size_t count = left < w->workers ? (size_t)left : w->workers;
        for (size_t i = 0; i < count; i++) {
            const lc_status status = read_part(w, first + i, &w->slots[i], message);
            if (status != LC_OK)
                return status;
        }
        lc_pool_run(w->universe->pool, count, compress_part, w);
        for (size_t i = 0; i < count; i++) {
            const slot *s = &w->slots[i];
            if (s->frame_bytes == 0)
                return lc_fail(message, LC_ERROR_MEMORY, "no memory to compress a checkpoint");
            uint8_t head[LC_CHECKPOINT_PART_BYTES];
            lc_put_u32(head, (uint32_t)s->frame_bytes);
            lc_put_u32(head + 4, (uint32_t)s->cells_bytes);
            lc_put_u64(head + 8, XXH64(s->frame, s->frame_bytes, first + i));
            emit(w, head, sizeof head);
            emit(w, s->frame, s->frame_bytes);
        }
    }
    return LC_OK;
}

static lc_status write_all(writer *w, lc_message *message)
{
    uint8_t head[LC_CHECKPOINT_HEADER_BYTES];
    lc_checkpoint_encode(&w->header, head);
    emit(w, head, sizeof head);
    lc_status status = write_parts(w, message);
    if (status != LC_OK)
        return status;
    uint8_t trailer[LC_CHECKPOINT_TRAILER_BYTES];
    memcpy(trailer, lc_checkpoint_end_magic, sizeof lc_checkpoint_end_magic);
    lc_put_u64(trailer + 8, w->written_bytes + sizeof trailer);
    emit(w, trailer, 16);
    lc_put_u64(trailer + 16, XXH64_digest(w->hash));
    lc_output_write(w->output, trailer + 16, 8);
    return LC_OK;
}

// Memory for a slot and a compressor a thread, none of it if there are no cells.
static bool allocate(writer *w)
{
    w->hash = XXH64_createState();
    if (w->hash == NULL)
        return false;
    (void)XXH64_reset(w->hash, 0);
    if (w->parts.count == 0)
        return true;
    size_t threads = (size_t)lc_pool_threads(w->universe->pool);
    w->cells_bytes = lc_part_at(&w->header, &w->parts, 0).size_bytes; // none is larger
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
    (void)XXH64_freeState(w->hash);
}

static lc_status describe(const lc_universe *u, lc_checkpoint_header *header, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(u, LC_FACT_ALL, &facts, message);
    *header = (lc_checkpoint_header){.rule = u->rule,
                                     .topology = u->topology,
                                     .background = u->background,
                                     .generation = u->generation,
                                     .hash = facts.hash};
    const lc_box box = facts.box;
    if (status == LC_OK && !lc_count_to_u64(facts.population, &header->population))
        return lc_fail(message, LC_ERROR_LIMIT, "more live cells than a checkpoint counts");
    if (!box.empty) {
        header->x = box.x & ~INT64_C(63);
        header->y = box.y;
        header->width_cells = box.x + box.width_cells - header->x;
        header->height_cells = box.height_cells;
    }
    return status;
}

lc_status lc_universe_checkpoint(const lc_universe *u, const char *path, lc_message *message)
{
    lc_status status = lc_pattern_check_rule(LC_FORMAT_CHECKPOINT, &u->rule, message);
    if (status != LC_OK)
        return status;
    writer w = {.universe = u};
    status = describe(u, &w.header, message);
    if (status != LC_OK)
        return status;
    if (!lc_parts_of(&w.header, &w.parts))
        return lc_fail(message, LC_ERROR_LIMIT, "too many cells for a checkpoint");
    if (!allocate(&w))
        status = lc_fail(message, LC_ERROR_MEMORY, "no memory to write a checkpoint");
    if (status == LC_OK)
        status = lc_output_create(&w.output, path, 0, message);
    if (status == LC_OK) {
        status = write_all(&w, message);
        if (status == LC_OK)
            status = lc_output_commit(&w.output, message);
        else
            lc_output_abandon(&w.output);
    }
    release(&w);
    return status;
}
