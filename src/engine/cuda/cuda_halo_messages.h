// Halo exchange between GPUs by direct writes. Only the GPUs take part, and the host waits for
// nothing.
//
// Each slab has a receive buffer in its GPU's memory. The GPUs of its neighbours write to it, also
// from other processes:
//
//      +-----------+   for each message: the number of the exchange that has arrived
//      | numbers   |
//      +-----------+   two halves, used by alternate exchanges
//      | rows from |
//      | above     |   LC_HALO_ROWS rows each
//      | rows from |
//      | below     |
//      +-----------+
//
// An exchange has three steps on a slab's stream. The slab writes its outer rows to the buffers of
// the slabs whose halos show them, and then the exchange's number. It waits until all messages to
// itself have this number. It copies the rows from its buffer into the halo. A slab may write to a
// half without waiting: it has seen the number of the previous exchange, which the receiver sent
// when it had finished with that half, two exchanges ago.
//
// All exchanges send the same rows between the same slabs, except for the depth: a message may be
// shorter, or only a number.
#ifndef LC_ENGINE_CUDA_CUDA_HALO_MESSAGES_H
#define LC_ENGINE_CUDA_CUDA_HALO_MESSAGES_H

#include "engine/cuda/cuda_board.h"

typedef struct lc_cuda_messages lc_cuda_messages;

// The key by which another process writes to a slab.
typedef struct lc_cuda_message_key {
    uint8_t uuid[16]; // the GPU's
    lc_device_memory_key box;
    int64_t height_cells;
    uint64_t row_bytes;
} lc_cuda_message_key;

// Returns the bytes of the receive buffer on the GPU.
uint64_t lc_cuda_messages_bytes(uint64_t row_bytes);

// Creates the receive buffer of a slab. The slab outlives it. LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_messages_create(lc_cuda_messages **out, lc_cuda_board *slab, lc_message *message);
void lc_cuda_messages_destroy(lc_cuda_messages **messages); // accepts NULL and a pointer to NULL

lc_status lc_cuda_messages_export(lc_cuda_messages *messages, lc_cuda_message_key *key,
                                  lc_message *message);

// Opens the buffers of all slabs of the board, from the uppermost on; this slab is number `own`.
// slabs[i] is a slab of this process, or NULL: then keys[i] is the key of another process's slab.
// Sets *direct to whether this slab can write to all buffers. LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_messages_import(lc_cuda_messages *messages, lc_cuda_messages *const *slabs,
                                  const lc_cuda_message_key *keys, int count, int own, bool *direct,
                                  lc_message *message);

// Queue the two halves of an exchange on the slab's stream. All slabs of a process send first.
lc_status lc_cuda_messages_send(lc_cuda_messages *messages, int depth_cells, lc_message *message);
lc_status lc_cuda_messages_receive(lc_cuda_messages *messages, int depth_cells,
                                   lc_message *message);

// Waits for all queued work on the slab's stream. LC_ERROR_DEVICE: another slab has not sent its
// message after some seconds; then queued work waits no longer. `lost`: does so at once, because
// the caller knows that another slab has failed.
lc_status lc_cuda_messages_wait(lc_cuda_messages *messages, bool lost, lc_message *message);

// Closes the buffers of other slabs. Call it before any slab is destroyed.
void lc_cuda_messages_leave(lc_cuda_messages *messages);

#endif
