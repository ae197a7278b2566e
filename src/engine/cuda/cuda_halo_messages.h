// How slabs of a board on several GPUs hand each other the rows of their halos: by mail, with
// nobody but the GPUs in the loop.
//
// Each slab has a box in its GPU's memory that the GPUs of its neighbours reach, those of other
// processes too:
//
//      +-----------+   an exchange's number for each parcel: "it is there"
//      | numbers   |
//      +-----------+   two halves, for exchanges in turns
//      | rows that |
//      | come from |   LC_HALO_ROWS rows each
//      | above     |
//      | ... below |
//      +-----------+
//
// An exchange is three things on a slab's stream: its outer rows are written into the boxes of
// those whose halos show them, and then the exchange's number; it waits until all its own parcels
// have this number; and what came is put into the halo. The neighbour waits for nobody when it
// writes: it has seen the number of the exchange before, which this slab sent when it was done with
// the half that is written now, two exchanges ago.
//
// Which rows of which slab a halo shows is the same for all exchanges, but for how deep they are: a
// parcel may be shorter, or be a number alone.
#ifndef LC_ENGINE_CUDA_CUDA_HALO_MESSAGES_H
#define LC_ENGINE_CUDA_CUDA_HALO_MESSAGES_H

#include "engine/cuda/cuda_board.h"

typedef struct lc_cuda_messages lc_cuda_messages;

// What another process has to know of a slab, to write to it.
typedef struct lc_cuda_message_key {
    uint8_t uuid[16]; // the GPU's
    lc_device_key box;
    int64_t height_cells;
    uint64_t row_bytes;
} lc_cuda_message_key;

// Bytes on the GPU that the box of such a slab takes.
uint64_t lc_cuda_messages_bytes(uint64_t row_bytes);

// The box of a slab, which outlives it. LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_messages_create(lc_cuda_messages **out, lc_cuda_board *slab, lc_message *message);
void lc_cuda_messages_destroy(lc_cuda_messages **messages); // NULL and a pointer to NULL are fine

lc_status lc_cuda_messages_lend(lc_cuda_messages *messages, lc_cuda_message_key *key,
                                lc_message *message);

// Gets to know all slabs of the board, from the uppermost on, this one being the own-th: those of
// this process by their mail, others by their keys; one of the two is NULL. *direct: whether all of
// them can be written to. LC_ERROR_MEMORY, LC_ERROR_DEVICE.
lc_status lc_cuda_messages_join(lc_cuda_messages *messages, lc_cuda_messages *const *slabs,
                                const lc_cuda_message_key *keys, int count, int own, bool *direct,
                                lc_message *message);

// Both halves of an exchange, queued on the slab's stream; all slabs of a process first send.
lc_status lc_cuda_messages_send(lc_cuda_messages *messages, int depth_cells, lc_message *message);
lc_status lc_cuda_messages_receive(lc_cuda_messages *messages, int depth_cells,
                                   lc_message *message);

// Waits for all that is queued on the slab's stream. If another slab does not send what is waited
// for, it is LC_ERROR_DEVICE after some seconds, and nothing is waited for any more; with `lost`,
// at once: then it is known that somebody will not.
lc_status lc_cuda_messages_wait(lc_cuda_messages *messages, bool lost, lc_message *message);

// Lets go of other slabs' boxes, before any of them is destroyed.
void lc_cuda_messages_part(lc_cuda_messages *messages);

#endif
