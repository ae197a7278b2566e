// Reads bytes of a checkpoint of any version, and lists its parts.
#include "checkpoint/checkpoint_reader.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

enum { FIRST_LIST = 64 }; // parts

lc_status lc_checkpoint_take(const lc_checkpoint_reader *r, uint64_t offset, void *data,
                             size_t size_bytes, lc_message *message)
{
    if (r->memory != NULL) {
        if (offset > r->size_bytes || size_bytes > r->size_bytes - offset)
            return lc_checkpoint_damaged(message, r->size_bytes,
                                         "it ends here, before all of its parts");
        memcpy(data, r->memory + offset, size_bytes);
        return LC_OK;
    }
    for (size_t filled = 0; filled < size_bytes;) {
        const ssize_t count = pread(r->descriptor, (uint8_t *)data + filled, size_bytes - filled,
                                    (off_t)(offset + filled));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return lc_fail(message, LC_ERROR_IO, "cannot read: %s",
                           errno == ESPIPE ? "a checkpoint must be a file" : strerror(errno));
        if (count == 0)
            return lc_checkpoint_damaged(message, offset + filled,
                                         "it ends here, before all of its parts");
        filled += (size_t)count;
    }
    return LC_OK;
}

lc_status lc_checkpoint_list(lc_checkpoint_reader *r, const lc_checkpoint_part *part)
{
    if (part->frame_bytes > r->size_bytes - part->frame_start)
        return lc_checkpoint_damaged(r->message, r->size_bytes,
                                     "it ends here, before all of its parts");
    if (r->part_count == r->part_capacity) {
        const size_t capacity = r->part_capacity == 0 ? FIRST_LIST : 2 * r->part_capacity;
        size_t size_bytes;
        if (!lc_mul_size(capacity, sizeof *r->parts, &size_bytes) || size_bytes > r->limit_bytes) {
            return lc_fail_limit(r->message, 0, r->limit_bytes,
                                 "a list of more than %zu parts of a checkpoint needs",
                                 r->part_count);
        }
        lc_checkpoint_part *parts = lc_realloc(r->parts, size_bytes);
        if (parts == NULL)
            return lc_fail_memory(r->message, "reading a checkpoint");
        r->parts = parts;
        r->part_capacity = capacity;
    }
    r->parts[r->part_count++] = *part;
    return LC_OK;
}

lc_status lc_checkpoint_end(lc_checkpoint_reader *r,
                            const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES], uint64_t start)
{
    if (r->header.has_squares)
        lc_checkpoint_take_totals(bytes, &r->totals);
    const lc_status status =
        lc_checkpoint_check_trailer(&r->header, bytes, start, &r->totals, r->message);
    if (status != LC_OK)
        return status;
    if (r->size_bytes != start + LC_CHECKPOINT_TRAILER_BYTES)
        return lc_checkpoint_damaged(r->message, start + LC_CHECKPOINT_TRAILER_BYTES,
                                     "something follows the end");
    r->population_at = start + LC_TRAILER_POPULATION;
    r->hash_at = start + LC_TRAILER_HASH;
    return LC_OK;
}
