// Reading a checkpoint. Nothing in the file is believed before it was checked: the header by its
// checksum and by what can be, the memory against the limit and the length of the file before it is
// asked for, each frame by its checksum before it is decompressed, the whole by its checksum, and
// the cells at last by their population and hash.
//
// Parts are read one after the other, some at a time; then all threads check and decompress them,
// and they are written in their order. So a part that is damaged is found before what follows it.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "universe/checkpoint_format.h"

enum {
    LEAST_FRAME_BYTES = 9, // magic number, frame header, one block header, as zstd has it
    MOST_SLOTS = 32,       // parts, of 2 MiB in all, that are worked on at a time
};

// A part on its way.
typedef struct slot {
    lc_part part;
    uint64_t index, start; // where in the file
    uint8_t head[LC_CHECKPOINT_PART_BYTES];
    size_t frame_bytes;
    uint8_t *frame;
    uint64_t *cells;
    ZSTD_DCtx *decompressor;
    const char *fault; // NULL: none
    uint64_t fault_offset;
} slot;

typedef struct reader {
    const char *path;
    lc_message *message;
    int descriptor;
    uint64_t offset; // of the next byte
    XXH64_state_t *hash;
    slot slots[MOST_SLOTS];
    size_t slot_count, slots_read;
    size_t frame_capacity_bytes;
    lc_checkpoint_header header;
    lc_parts parts;
    lc_universe *universe;
} reader;

static lc_status damaged(const reader *r, uint64_t offset, const char *what)
{
    return lc_fail_at_byte(r->message, LC_ERROR_FORMAT, offset, "the checkpoint is damaged: %s",
                           what);
}

// Reads exactly `size_bytes`, and hashes them if `hashed`.
static lc_status take(reader *r, void *data, size_t size_bytes, bool hashed)
{
    size_t filled = 0;
    while (filled < size_bytes) {
        ssize_t count = read(r->descriptor, (uint8_t *)data + filled, size_bytes - filled);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return lc_fail(r->message, LC_ERROR_IO, "cannot read: %s", strerror(errno));
        if (count == 0)
            return damaged(r, r->offset + filled, "it ends here, before all of its parts");
        filled += (size_t)count;
    }
    if (hashed)
        (void)XXH64_update(r->hash, data, size_bytes);
    r->offset += size_bytes;
    return LC_OK;
}

static lc_status open_file(reader *r)
{
    r->descriptor = open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->descriptor < 0)
        return lc_fail(r->message, LC_ERROR_IO, "cannot open: %s", strerror(errno));
    r->hash = XXH64_createState();
    if (r->hash == NULL)
        return lc_fail(r->message, LC_ERROR_MEMORY, "no memory to read a checkpoint");
    (void)XXH64_reset(r->hash, 0);
    return LC_OK;
}

static lc_status read_header(reader *r)
{
    uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES];
    lc_status status = take(r, bytes, sizeof bytes, true);
    if (status == LC_OK)
        status = lc_checkpoint_decode(&r->header, bytes, r->message);
    if (status != LC_OK)
        return status;
    (void)lc_parts_of(&r->header, &r->parts);
    // A file too short for its parts is found before memory is asked for.
    struct stat facts;
    if (fstat(r->descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
        uint64_t least;
        if (!lc_mul_u64(r->parts.count, LC_CHECKPOINT_PART_BYTES + LEAST_FRAME_BYTES, &least) ||
            !lc_add_u64(least, sizeof bytes + LC_CHECKPOINT_TRAILER_BYTES, &least) ||
            (uint64_t)facts.st_size < least)
            return damaged(r, (uint64_t)facts.st_size, "it ends here, before all of its parts");
    }
    return LC_OK;
}

static lc_status make_slots(reader *r)
{
    const size_t cells_bytes = lc_part_at(&r->header, &r->parts, 0).size_bytes; // none is larger
    const size_t wanted = 2 * (size_t)lc_pool_threads(r->universe->pool);
    r->frame_capacity_bytes = ZSTD_compressBound(cells_bytes);
    while (r->slot_count < wanted && r->slot_count < MOST_SLOTS && r->slot_count < r->parts.count) {
        slot *s = &r->slots[r->slot_count++];
        s->cells = lc_malloc(cells_bytes);
        s->frame = lc_malloc(r->frame_capacity_bytes);
        s->decompressor = ZSTD_createDCtx();
        if (s->cells == NULL || s->frame == NULL || s->decompressor == NULL)
            return lc_fail(r->message, LC_ERROR_MEMORY, "no memory to read a checkpoint");
    }
    return LC_OK;
}

static lc_status make_universe(reader *r, const lc_universe_options *options)
{
    lc_universe_options all = {.struct_bytes = sizeof all};
    lc_status status = LC_OK;
    if (options != NULL)
        status = lc_structure_take(&all, sizeof all, options, "lc_universe_options", r->message);
    all.rule = r->header.rule;
    all.topology = r->header.topology;
    if (status == LC_OK)
        status = lc_universe_create(&r->universe, &all, r->message);
    if (status != LC_OK || r->parts.count == 0)
        return status;
    const lc_checkpoint_header *h = &r->header;
    lc_area area = {h->x, h->y, h->x + h->width_cells, h->y + h->height_cells};
    lc_cover *cover = r->universe->cover;
    status = cover->vtable->include(cover, area, r->message);
    if (status != LC_OK)
        return status;
    return make_slots(r);
}

static lc_status read_part(reader *r, slot *s, uint64_t index)
{
    s->part = lc_part_at(&r->header, &r->parts, index);
    s->index = index;
    s->start = r->offset;
    s->fault = NULL;
    lc_status status = take(r, s->head, sizeof s->head, false);
    if (status != LC_OK)
        return status;
    s->frame_bytes = lc_get_u32(s->head);
    if (s->frame_bytes > r->frame_capacity_bytes)
        return damaged(r, s->start, "a part is larger than it can be");
    if (lc_get_u32(s->head + 4) != s->part.size_bytes)
        return damaged(r, s->start + 4, "a part does not have the size that its place asks for");
    return take(r, s->frame, s->frame_bytes, false);
}

static void hash_parts(reader *r)
{
    for (size_t i = 0; i < r->slots_read; i++) {
        (void)XXH64_update(r->hash, r->slots[i].head, sizeof r->slots[i].head);
        (void)XXH64_update(r->hash, r->slots[i].frame, r->slots[i].frame_bytes);
    }
}

static void decompress_part(slot *s)
{
    if (XXH64(s->frame, s->frame_bytes, s->index) != lc_get_u64(s->head + 8)) {
        s->fault = "a part does not have the checksum that stands there";
        s->fault_offset = s->start + 8;
    } else if (ZSTD_decompressDCtx(s->decompressor, s->cells, s->part.size_bytes, s->frame,
                                   s->frame_bytes) != s->part.size_bytes) {
        s->fault = "a part cannot be decompressed";
        s->fault_offset = s->start + sizeof s->head;
    } else {
        for (size_t i = 0; i < s->part.size_bytes / sizeof *s->cells; i++)
            s->cells[i] = lc_get_u64((const uint8_t *)(s->cells + i));
    }
}

static lc_status write_part(const reader *r, const slot *s)
{
    const lc_part *part = &s->part;
    const lc_cells cells = {.x = r->header.x + part->x,
                            .y = r->header.y + part->y,
                            .width_cells = part->width_cells,
                            .height_cells = part->rows,
                            .planes = 1,
                            .words = s->cells,
                            .pitch_words = part->row_words};
    return lc_universe_write(r->universe, &cells, r->message);
}

// The file's hash goes on beside the first parts' own.
static void work_on_parts(void *context, size_t index, int worker)
{
    (void)worker;
    reader *r = context;
    if (index == 0)
        hash_parts(r);
    else
        decompress_part(&r->slots[index - 1]);
}

// Part `index` and those after it that there are slots for; *count: how many.
static lc_status read_parts(reader *r, uint64_t index, size_t *count)
{
    lc_status status = LC_OK;
    lc_message *message = r->message, why;
    r->message = &why; // said only if no part before it is at fault
    for (*count = 0; *count < r->slot_count && index + *count < r->parts.count && status == LC_OK;)
        if ((status = read_part(r, &r->slots[*count], index + *count)) == LC_OK)
            (*count)++;
    r->message = message;
    r->slots_read = *count;
    lc_pool_run(r->universe->pool, *count + 1, work_on_parts, r);
    for (size_t i = 0; i < *count; i++) {
        const slot *s = &r->slots[i];
        if (s->fault != NULL)
            return damaged(r, s->fault_offset, s->fault);
        const lc_status written = write_part(r, s);
        if (written != LC_OK)
            return written;
    }
    if (status != LC_OK && message != NULL)
        *message = why;
    return status;
}

static lc_status read_trailer(reader *r)
{
    uint64_t start = r->offset;
    uint8_t trailer[LC_CHECKPOINT_TRAILER_BYTES];
    lc_status status = take(r, trailer, 16, true);
    if (status == LC_OK)
        status = take(r, trailer + 16, 8, false);
    if (status != LC_OK)
        return status;
    if (memcmp(trailer, lc_checkpoint_end_magic, sizeof lc_checkpoint_end_magic) != 0)
        return damaged(r, start, "the trailer is not there");
    if (lc_get_u64(trailer + 8) != r->offset)
        return damaged(r, start + 8, "the file does not have the length that stands there");
    if (lc_get_u64(trailer + 16) != XXH64_digest(r->hash))
        return damaged(r, start + 16, "the file does not have the checksum that stands there");
    char more;
    ssize_t count;
    do
        count = read(r->descriptor, &more, 1);
    while (count < 0 && errno == EINTR);
    return count == 0 ? LC_OK : damaged(r, r->offset, "something follows the end");
}

static lc_status read_all(reader *r, const lc_universe_options *options)
{
    lc_status status = open_file(r);
    if (status == LC_OK)
        status = read_header(r);
    if (status == LC_OK)
        status = make_universe(r, options);
    size_t count;
    for (uint64_t i = 0; status == LC_OK && i < r->parts.count; i += count)
        status = read_parts(r, i, &count);
    if (status == LC_OK)
        status = read_trailer(r);
    if (status != LC_OK)
        return status;
    lc_universe *u = r->universe;
    lc_facts facts;
    status = lc_universe_facts(u, LC_FACT_ALL, &facts, r->message);
    if (status != LC_OK)
        return status;
    if (lc_count_compare(facts.population, lc_count_of(r->header.population)) != 0)
        return damaged(r, 96, "the cells do not have the population that stands there");
    if (r->header.version == 1)
        status = lc_checkpoint_first_hash(u, facts.box, &facts.hash, r->message);
    if (status != LC_OK)
        return status;
    if (facts.hash != r->header.hash)
        return damaged(r, 104, "the cells do not have the hash that stands there");
    u->background = r->header.background; // only now: parts are differences from it
    u->generation = r->header.generation;
    return LC_OK;
}

lc_status lc_universe_restore(lc_universe **out, const char *path,
                              const lc_universe_options *options, lc_message *message)
{
    *out = NULL;
    reader r = {.path = path, .message = message, .descriptor = -1};
    lc_status status = read_all(&r, options);
    if (r.descriptor >= 0)
        (void)close(r.descriptor);
    (void)XXH64_freeState(r.hash);
    for (size_t i = 0; i < r.slot_count; i++) {
        (void)ZSTD_freeDCtx(r.slots[i].decompressor);
        lc_free(r.slots[i].cells);
        lc_free(r.slots[i].frame);
    }
    if (status != LC_OK) {
        lc_universe_destroy(&r.universe);
        return status;
    }
    *out = r.universe;
    return LC_OK;
}
