#include "engine/cuda/cuda_halo_messages.h"

#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "kernels/slabs.h"

enum {
    NUMBERS_MAX = 2 * LC_HALO_ROWS, // a parcel has at least one row
    COUNTS_AT = NUMBERS_MAX * 8,    // of finished blocks, for each parcel of a launch
    ROWS_AT = 1024,
    BLOCK_THREADS = 256,
    BLOCK_SEGMENTS = 4 * BLOCK_THREADS, // that a block copies at least
    BLOCKS_MAX = 64,
};

// The driver shares memory with other processes in pieces of at least this size.
#define LEAST_BOX_BYTES (UINT64_C(2) << 20)

// A slab gives up waiting for a message after this time.
#define PATIENCE_NS UINT64_C(20000000000)

// Rows of one slab in the halo of another: those whose distance from that slab's edge is
// `done` + 1 to `done` + `rows`.
typedef struct parcel {
    int slab; // its receiver or sender
    bool above;
    int64_t done, rows;
} parcel;

typedef struct place {
    int64_t height_cells;
    lc_device_address box; // its address on this GPU
    bool borrowed;
} place;

struct lc_cuda_messages {
    lc_cuda_board *slab;
    lc_device_stream *aside; // for work that must not wait
    lc_module *module;
    lc_kernel carry;
    lc_device_address box;
    uint64_t row_bytes;
    place *places;
    int count, own;
    parcel out[NUMBERS_MAX], in[NUMBERS_MAX];
    int outs, ins;
    uint64_t number; // of the last exchange
};

static uint64_t half_bytes(uint64_t row_bytes)
{
    return 2 * LC_HALO_ROWS * row_bytes;
}

uint64_t lc_cuda_messages_bytes(uint64_t row_bytes)
{
    return lc_greatest_u64(ROWS_AT + 2 * half_bytes(row_bytes), LEAST_BOX_BYTES);
}

// Creation ----------------------------------------------------------------------------------------

static lc_status find_kernel(lc_cuda_messages *m, lc_message *message)
{
    const lc_status status = lc_cuda_board_module(m->slab, "slabs.cu", &m->module, message);
    return status != LC_OK ? status : lc_kernel_find(&m->carry, m->module, "carry", message);
}

lc_status lc_cuda_messages_create(lc_cuda_messages **out, lc_cuda_board *slab, lc_message *message)
{
    lc_cuda_messages *m = lc_calloc(1, sizeof *m);
    *out = NULL;
    if (m == NULL)
        return lc_fail_memory(message, "the halo exchange");
    m->slab = slab;
    m->row_bytes = lc_cuda_board_row_bytes(slab);
    const uint64_t bytes = lc_cuda_messages_bytes(m->row_bytes);
    lc_status status = find_kernel(m, message);
    if (status == LC_OK)
        status = lc_device_stream_create(slab->device, &m->aside, message);
    if (status == LC_OK)
        status = lc_device_alloc(slab->device, "the rows between slabs", bytes, &m->box, message);
    if (status == LC_OK)
        status = lc_device_fill(slab->device, m->box, 0, ROWS_AT, m->aside, message);
    if (status == LC_OK) // before other slabs write to it
        status = lc_device_synchronize(slab->device, m->aside, message);
    if (status != LC_OK)
        lc_cuda_messages_destroy(&m);
    *out = m;
    return status;
}

void lc_cuda_messages_leave(lc_cuda_messages *m)
{
    for (int i = 0; i < m->count; i++)
        if (m->places[i].borrowed)
            lc_device_unmap_memory(m->slab->device, &m->places[i].box);
    lc_free(m->places);
    m->places = NULL;
    m->count = 0;
}

void lc_cuda_messages_destroy(lc_cuda_messages **messages)
{
    lc_cuda_messages *m = *messages;
    if (m == NULL)
        return;
    lc_cuda_messages_leave(m);
    lc_device_free(m->slab->device, &m->box);
    lc_device_stream_destroy(m->slab->device, &m->aside);
    lc_module_destroy(&m->module);
    lc_free(m);
    *messages = NULL;
}

lc_status lc_cuda_messages_export(lc_cuda_messages *m, lc_cuda_message_key *key,
                                  lc_message *message)
{
    *key = (lc_cuda_message_key){.height_cells = m->slab->frame.height_cells,
                                 .row_bytes = m->row_bytes};
    memcpy(key->uuid, lc_device_facts_of(m->slab->device)->uuid, sizeof key->uuid);
    return lc_device_export_memory(m->slab->device, m->box, &key->box, message);
}

// Senders and receivers ---------------------------------------------------------------------------

// Finds the parcels that arrive at one side of a slab, from the nearest slab on: several if slabs
// are thin. Adds those that this slab sends or receives.
static void add_side(lc_cuda_messages *m, int to, bool above)
{
    const bool ring = m->slab->frame.left == LC_EDGE_JOINED; // false: walls at top and bottom
    int from = to;
    for (int64_t done = 0, rows; done < LC_HALO_ROWS; done += rows) {
        if (!ring && from == (above ? 0 : m->count - 1))
            return;
        from = above ? (from + m->count - 1) % m->count : (from + 1) % m->count;
        rows = lc_least(LC_HALO_ROWS - done, m->places[from].height_cells);
        if (from == m->own && m->outs < NUMBERS_MAX)
            m->out[m->outs++] = (parcel){to, above, done, rows};
        if (to == m->own && m->ins < NUMBERS_MAX)
            m->in[m->ins++] = (parcel){from, above, done, rows};
    }
}

// Opens a slab of this process. Requires different GPUs: on a shared GPU the wait of one slab could
// block the work for which it waits.
static lc_status import_own(lc_cuda_messages *m, int i, const lc_cuda_messages *other, bool *direct,
                            lc_message *message)
{
    m->places[i] = (place){other->slab->frame.height_cells, other->box, false};
    if (i == m->own)
        return LC_OK;
    *direct = lc_device_facts_of(m->slab->device)->index !=
              lc_device_facts_of(other->slab->device)->index;
    return *direct ? lc_device_enable_access(m->slab->device, other->slab->device, direct, message)
                   : LC_OK;
}

// Opens a slab of another process. A failure is not an error; it only sets *direct to false.
static void import_by_key(lc_cuda_messages *m, int i, const lc_cuda_message_key *key, bool *direct)
{
    m->places[i] = (place){.height_cells = key->height_cells};
    *direct = key->row_bytes == m->row_bytes && key->height_cells > 0 &&
              memcmp(key->uuid, lc_device_facts_of(m->slab->device)->uuid, sizeof key->uuid) != 0 &&
              lc_device_import_memory(m->slab->device, &key->box, &m->places[i].box, NULL) == LC_OK;
    m->places[i].borrowed = *direct;
}

lc_status lc_cuda_messages_import(lc_cuda_messages *m, lc_cuda_messages *const *slabs,
                                  const lc_cuda_message_key *keys, int count, int own, bool *direct,
                                  lc_message *message)
{
    lc_status status = LC_OK;
    *direct = lc_device_facts_of(m->slab->device)->can_wait_for_value;
    m->places = lc_calloc((size_t)count, sizeof *m->places);
    if (m->places == NULL)
        return lc_fail_memory(message, "%d slabs", count);
    m->count = count;
    m->own = own;
    for (int i = 0; i < count && *direct && status == LC_OK; i++)
        if (slabs[i] != NULL)
            status = import_own(m, i, slabs[i], direct, message);
        else
            import_by_key(m, i, &keys[i], direct);
    for (int i = 0; i < count && *direct && status == LC_OK; i++) {
        add_side(m, i, true);
        add_side(m, i, false);
    }
    return status;
}

// Exchanges ---------------------------------------------------------------------------------------

static int64_t rows_of(const parcel *p, int depth_cells)
{
    return lc_greatest(0, lc_least(depth_cells - p->done, p->rows));
}

// Return the offsets in a box of a parcel's number and of its rows.
static uint64_t number_at(const parcel *p)
{
    return 8 * ((p->above ? 0 : LC_HALO_ROWS) + (uint64_t)p->done);
}

static uint64_t rows_at(const lc_cuda_messages *m, bool above, int64_t done, int64_t rows)
{
    const int64_t row = above ? LC_HALO_ROWS - done - rows : LC_HALO_ROWS + done;
    return ROWS_AT + m->number % 2 * half_bytes(m->row_bytes) + (uint64_t)row * m->row_bytes;
}

static lc_status launch(const lc_cuda_messages *m, lc_parcels *parcels, int count,
                        lc_message *message)
{
    uint64_t longest = 0, number = m->number;
    lc_device_address done = m->box + COUNTS_AT;
    for (int i = 0; i < count; i++)
        longest = lc_greatest_u64(longest, parcels->list[i].segments);
    const uint64_t blocks = lc_least_u64(longest / BLOCK_SEGMENTS + 1, BLOCKS_MAX);
    void *arguments[] = {parcels, &done, &number};
    const lc_launch how = {.grid = {(uint32_t)blocks, (uint32_t)count},
                           .block = {BLOCK_THREADS},
                           .stream = m->slab->stream};
    return count > 0 ? lc_kernel_launch(&m->carry, &how, arguments, message) : LC_OK;
}

lc_status lc_cuda_messages_send(lc_cuda_messages *m, int depth_cells, lc_message *message)
{
    const int64_t height = m->slab->frame.height_cells;
    const uint64_t segments = m->row_bytes / (uint64_t)(4 * m->slab->words); // of a row
    lc_status status = LC_OK;
    m->number++;
    for (int first = 0; first < m->outs && status == LC_OK; first += LC_PARCELS_MAX) {
        const int count = (int)lc_least(m->outs - first, LC_PARCELS_MAX);
        lc_parcels parcels = {0};
        for (int i = 0; i < count; i++) {
            const parcel *p = &m->out[first + i];
            const lc_device_address box = m->places[p->slab].box;
            const int64_t rows = rows_of(p, depth_cells);
            parcels.list[i] = (lc_parcel){
                .from = lc_cuda_board_row_at(m->slab, p->above ? height - rows : 0),
                .to = box + rows_at(m, p->above, p->done, rows),
                .segments = (uint64_t)rows * segments,
                .number = box + number_at(p),
            };
        }
        status = launch(m, &parcels, count, message);
    }
    return status;
}

lc_status lc_cuda_messages_receive(lc_cuda_messages *m, int depth_cells, lc_message *message)
{
    const lc_cuda_board *b = m->slab;
    const uint64_t segments = (uint64_t)depth_cells * m->row_bytes / (uint64_t)(4 * b->words);
    lc_parcels parcels = {0};
    lc_status status = LC_OK;
    int count = 0;
    for (int i = 0; i < m->ins && status == LC_OK; i++)
        status = lc_device_wait_for_value(b->device, m->box + number_at(&m->in[i]), m->number,
                                          b->stream, message);
    if (b->frame.top == LC_EDGE_OPEN)
        parcels.list[count++] = (lc_parcel){.from = m->box + rows_at(m, true, 0, depth_cells),
                                            .to = lc_cuda_board_row_at(b, -depth_cells),
                                            .segments = segments};
    if (b->frame.bottom == LC_EDGE_OPEN)
        parcels.list[count++] = (lc_parcel){.from = m->box + rows_at(m, false, 0, depth_cells),
                                            .to = lc_cuda_board_row_at(b, b->frame.height_cells),
                                            .segments = segments};
    return status != LC_OK ? status : launch(m, &parcels, count, message);
}

// Ends all waiting on this slab's stream: writes numbers higher than any expected one.
static lc_status give_up(lc_cuda_messages *m, lc_message *message)
{
    uint64_t numbers[NUMBERS_MAX];
    for (int i = 0; i < NUMBERS_MAX; i++)
        numbers[i] = m->number + (UINT64_C(1) << 62);
    const lc_status status =
        lc_device_upload(m->slab->device, m->box, numbers, sizeof numbers, m->aside, message);
    return status != LC_OK ? status : lc_device_synchronize(m->slab->device, m->aside, message);
}

lc_status lc_cuda_messages_wait(lc_cuda_messages *m, bool lost, lc_message *message)
{
    static const uint64_t again_ns = 100000000; // a late parcel may overwrite a number
    lc_device *device = m->slab->device;
    bool done = false;
    lc_status status = lc_device_synchronize_within(device, m->slab->stream, lost ? 0 : PATIENCE_NS,
                                                    &done, message);
    if (status != LC_OK || done)
        return status;
    while (status == LC_OK && !done) {
        status = give_up(m, message);
        if (status == LC_OK)
            status =
                lc_device_synchronize_within(device, m->slab->stream, again_ns, &done, message);
    }
    return status != LC_OK
               ? status
               : lc_fail(message, LC_ERROR_DEVICE,
                         "GPU %d waited for rows of another part of the board, which did not come",
                         lc_device_facts_of(device)->index);
}
