// Halo exchange between slabs. Rows of the same width have the same layout in all slabs, and follow
// each other in memory. So one copy from memory to memory brings all rows of a neighbour. Slabs on
// separate GPUs that reach each other's memory, in this process or in several, exchange messages
// (cuda_halo_messages.h). Other slabs copy:
//
//      slab i - 1   |            |
//                   | last rows  | ---+           Each slab copies the rows that it needs. The copy
//                   +------------+    |           is queued on its own stream and waits for the
//      slab i       | halo       | <--+           neighbour's pass that made the rows (event
//                   +------------+                `made`). Later passes of the neighbour overwrite
//                   |            |                those rows, so its stream waits for the copy
//                                                 (event `taken`). The host waits for nothing.
//
// On a torus of whole segments the cells drift, all slabs alike, and the copies drift with them.
#include "engine/cuda/cuda_slabs.h"

#include "base/error.h"
#include "base/least.h"
#include "engine/cuda/cuda_plan.h"

// Writes pending rows to the GPU. Moves drifted cells back unless all slabs have drifted equally
// far. `alike`: those of other processes have too.
static lc_status make_ready(lc_cuda_board *const *slabs, int count, bool alike, lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 0; i < count && status == LC_OK; i++) {
        status = slabs[i]->words == slabs[0]->words
                     ? lc_cuda_board_prepare(slabs[i], message)
                     : lc_fail(message, LC_ERROR_ARGUMENT, "slabs of %d and %d words a segment",
                               slabs[0]->words, slabs[i]->words);
        alike = alike && slabs[i]->origin == slabs[0]->origin;
    }
    for (int i = 0; i < count && status == LC_OK && !alike; i++)
        status = lc_cuda_board_settle(slabs[i], message);
    return status;
}

// Copies rows from one slab into the halo of another. The source waits until they are read.
static lc_status take(lc_cuda_board *to, int64_t to_row, lc_cuda_board *from, int64_t from_row,
                      int64_t rows, lc_message *message)
{
    lc_status status = LC_OK;
    if (from != to)
        status = lc_device_event_wait(to->device, to->stream, from->made, message);
    if (status == LC_OK)
        status = lc_device_copy_from(to->device, lc_cuda_board_row_at(to, to_row), from->device,
                                     lc_cuda_board_row_at(from, from_row),
                                     (size_t)((uint64_t)rows * lc_cuda_board_row_bytes(to)),
                                     to->stream, message);
    if (status == LC_OK && from != to)
        status = lc_device_event_record(to->device, to->taken, to->stream, message);
    if (status == LC_OK && from != to)
        status = lc_device_event_wait(from->device, from->stream, to->taken, message);
    return status;
}

// Copies the rows above or below a slab, from the nearest slab on: from several if they are thin.
static lc_status take_rows(lc_cuda_board *const *slabs, int count, int slab, bool above, int depth,
                           lc_message *message)
{
    lc_cuda_board *to = slabs[slab];
    lc_status status = LC_OK;
    int from = slab;
    for (int64_t done = 0, rows; done < depth && status == LC_OK; done += rows) {
        from = above ? (from + count - 1) % count : (from + 1) % count;
        const int64_t height = slabs[from]->frame.height_cells;
        rows = lc_least(depth - done, height);
        status = above ? take(to, -done - rows, slabs[from], height - rows, rows, message)
                       : take(to, to->frame.height_cells + done, slabs[from], 0, rows, message);
    }
    return status;
}

// Finds whether rows can be copied directly between the GPUs. *note names a pair that cannot.
static lc_status reach(lc_cuda_board *const *slabs, int count, lc_message *note,
                       lc_message *message)
{
    lc_status status = LC_OK;
    *note = (lc_message){0};
    for (int i = 0; i < count * count && status == LC_OK; i++) {
        lc_device *to = slabs[i / count]->device, *from = slabs[i % count]->device;
        bool direct;
        status = lc_device_enable_access(to, from, &direct, message);
        if (status == LC_OK && !direct)
            lc_fail(note, LC_OK,
                    "GPU %d does not reach the memory of GPU %d: what they exchange goes through "
                    "the host",
                    lc_device_facts_of(to)->index, lc_device_facts_of(from)->index);
    }
    return status;
}

static void end_messages(lc_cuda_board *const *slabs, int count)
{
    for (int i = 0; i < count; i++)
        if (slabs[i]->messages != NULL)
            lc_cuda_messages_leave(slabs[i]->messages);
    for (int i = 0; i < count; i++)
        lc_cuda_messages_destroy(&slabs[i]->messages);
}

lc_status lc_cuda_slabs_export(lc_cuda_board *slab, lc_cuda_message_key *key, lc_message *message)
{
    const lc_status status = lc_cuda_messages_create(&slab->messages, slab, message);
    return status != LC_OK ? status : lc_cuda_messages_export(slab->messages, key, message);
}

lc_status lc_cuda_slabs_import(lc_cuda_board *const *slabs, int count,
                               const lc_cuda_message_key *keys, int first, int total,
                               lc_message *note, lc_message *message)
{
    lc_cuda_messages *messages[LC_SLABS_MAX] = {NULL};
    bool direct = count < total || count > 1;
    lc_status status = reach(slabs, count, note, message);
    for (int i = 0; i < count && direct && status == LC_OK; i++) {
        if (slabs[i]->messages == NULL)
            status = lc_cuda_messages_create(&slabs[i]->messages, slabs[i], message);
        messages[first + i] = slabs[i]->messages;
    }
    for (int i = 0; i < count && direct && status == LC_OK; i++)
        status = lc_cuda_messages_import(slabs[i]->messages, messages, keys, total, first + i,
                                         &direct, message);
    if (status != LC_OK || !direct)
        end_messages(slabs, count);
    if (status == LC_OK && !direct && count < total)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "GPU %d does not reach the memory of all other processes' GPUs",
                       lc_device_facts_of(slabs[0]->device)->index);
    return status;
}

static lc_status exchange_by_messages(lc_cuda_board *const *slabs, int count, int depth_cells,
                                      lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 0; i < count && status == LC_OK; i++)
        status = lc_cuda_messages_send(slabs[i]->messages, depth_cells, message);
    for (int i = 0; i < count && status == LC_OK; i++)
        status = lc_cuda_messages_receive(slabs[i]->messages, depth_cells, message);
    return status;
}

static lc_status exchange_by_copies(lc_cuda_board *const *slabs, int count, int depth_cells,
                                    lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 0; i < count && status == LC_OK; i++)
        status =
            lc_device_event_record(slabs[i]->device, slabs[i]->made, slabs[i]->stream, message);
    for (int i = 0; i < count && status == LC_OK; i++) {
        const lc_frame *f = &slabs[i]->frame;
        if (f->top == LC_EDGE_OPEN)
            status = take_rows(slabs, count, i, true, depth_cells, message);
        if (status == LC_OK && f->bottom == LC_EDGE_OPEN)
            status = take_rows(slabs, count, i, false, depth_cells, message);
    }
    return status;
}

// Comes last: a word beside the cells may hold some cells, and a neighbour has to read those first.
lc_status lc_cuda_slabs_finish_rows(lc_cuda_board *slab, int depth_cells, lc_message *message)
{
    const bool drifts = lc_cuda_plan_drifts(&slab->frame, slab->words);
    return slab->frame.left == LC_EDGE_JOINED && !drifts
               ? lc_cuda_board_sides(slab, depth_cells, message)
               : LC_OK;
}

lc_status lc_cuda_slabs_read_rows(lc_cuda_board *slab, bool alike, int64_t first_row, int64_t rows,
                                  void *to, lc_message *message)
{
    lc_status status = make_ready(&slab, 1, alike, message);
    if (status == LC_OK)
        status = lc_device_download(slab->device, to, lc_cuda_board_row_at(slab, first_row),
                                    (size_t)((uint64_t)rows * lc_cuda_board_row_bytes(slab)),
                                    slab->stream, message);
    return status != LC_OK ? status : lc_device_synchronize(slab->device, slab->stream, message);
}

lc_status lc_cuda_slabs_write_rows(lc_cuda_board *slab, int64_t first_row, int64_t rows,
                                   const void *from, lc_message *message)
{
    return lc_device_upload(slab->device, lc_cuda_board_row_at(slab, first_row), from,
                            (size_t)((uint64_t)rows * lc_cuda_board_row_bytes(slab)), slab->stream,
                            message);
}

lc_status lc_cuda_slabs_exchange(lc_cuda_board *const *slabs, int count, bool alike,
                                 int depth_cells, lc_message *message)
{
    lc_status status = make_ready(slabs, count, alike, message);
    if (status == LC_OK)
        status = slabs[0]->messages != NULL
                     ? exchange_by_messages(slabs, count, depth_cells, message)
                     : exchange_by_copies(slabs, count, depth_cells, message);
    for (int i = 0; i < count && status == LC_OK; i++)
        status = lc_cuda_slabs_finish_rows(slabs[i], depth_cells, message);
    return status;
}
