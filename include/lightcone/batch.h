// Batches: many small boards of one size, under one rule or many, stepped side by side, on the CPU
// or a GPU.
//
// Example:
//
//     const lc_rule *rule = lc_rule_life();
//     lc_batch *batch;
//     lc_batch_options options = {.struct_bytes = sizeof options, .topology = LC_TOPOLOGY_TORUS,
//                                 .width_cells = 64, .height_cells = 64, .boards = 4096,
//                                 .rules = &rule, .rule_count = 1};
//     lc_batch_create(&batch, &options, &message);
//
// The boards are filled, stepped and read together:
//
//     uint64_t populations[4096];
//     if (batch != NULL && lc_batch_fill_random(batch, 0.5, 1, &message) == LC_OK &&
//         lc_batch_step(batch, 1000, &message) == LC_OK)
//         lc_batch_populations(batch, populations, &message);
//     lc_batch_destroy(&batch);
//
// Speed depends on the size. Fastest are boards whose width and height both divide 64. They are
// stepped in registers. If each side is 1 to 62 or 64, a board is copied side by side into 64 x 64
// cells. Every (64 - side) / 2 generations it is copied again. A board with any other size is a
// universe of the engine "simd".
//
// A rule with counts of live neighbours (lc_rule_counts) costs nothing to prepare. So each board
// can have a rule of its own. Preparing any other rule takes milliseconds.
//
// Threads: one thread at a time may use a batch. Its functions use all threads of the context.
#ifndef LIGHTCONE_BATCH_H
#define LIGHTCONE_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "lightcone/context.h"
#include "lightcone/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LC_BATCH_SIDE_MAX = 4096 }; // longest side of a board, in cells

// Options for lc_batch_create. 0 in a member without a range selects its default.
typedef struct lc_batch_options {
    size_t struct_bytes;       // sizeof(lc_batch_options)
    lc_topology_kind topology; // LC_TOPOLOGY_TORUS; the others are not supported
    int64_t width_cells;       // 1 to LC_BATCH_SIDE_MAX
    int64_t height_cells;      // 1 to LC_BATCH_SIDE_MAX
    size_t boards;             // at least 1
    // The rules, at least one. The batch adds references of its own. List each rule once: machine
    // code is generated for batches of a few rules only.
    const lc_rule *const *rules;
    size_t rule_count;
    // For each board, the index of its rule. The batch copies the indices. NULL: each rule has
    // boards / rule_count boards, one after the other, and rule_count divides boards.
    const uint32_t *rule_of_board;
    lc_context *context;       // NULL: a context of its own, with all threads
    const char *cpu_level;     // a name from lc_cpu_level_at; NULL or "auto": the best one
    uint64_t max_memory_bytes; // memory limit for the cells; 0: half of the machine's memory
    // "simd"; "cuda": the first GPU. NULL or "auto": "simd". A GPU takes boards of 1 to 62 or 64
    // cells a side, and rules with counts. Cells are copied when they are read after a step, or
    // stepped after they were written.
    const char *engine;
} lc_batch_options;

typedef struct lc_batch lc_batch;

// Creates a batch of boards without live cells, at generation 0. The options may be freed after the
// call. Returns LC_OK; LC_ERROR_ARGUMENT (no options, or a member is out of range);
// LC_ERROR_UNSUPPORTED (another topology than the torus, a CPU level or an engine that this machine
// does not have, or boards or rules that a GPU does not take); LC_ERROR_LIMIT (the cells need more
// than max_memory_bytes); LC_ERROR_MEMORY; LC_ERROR_DEVICE (from the GPU). On error *out is NULL.
// The caller destroys the batch.
LC_API lc_status lc_batch_create(lc_batch **out, const lc_batch_options *options,
                                 lc_message *message);

// Frees the batch and sets *batch to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_batch_destroy(lc_batch **batch);

// Advances every board by `generations`, which may be 0. The callback of lc_set_give_up can stop
// the function.
// Returns LC_OK; LC_ERROR_ARGUMENT (the generation would be 2^64 or more: nothing was done);
// LC_ERROR_STOPPED (all boards are at the generation that lc_batch_generation returns);
// LC_ERROR_MEMORY (only if the boards are universes) or LC_ERROR_DEVICE (on a GPU): the batch is
// lost, and each later call that needs cells returns the same error.
LC_API lc_status lc_batch_step(lc_batch *batch, uint64_t generations, lc_message *message);

// Returns the generation of all boards.
LC_API uint64_t lc_batch_generation(const lc_batch *batch);

// The next four functions copy the cells of boards `first` to first + count - 1. `count` may be 0.
// They return LC_OK; LC_ERROR_ARGUMENT (there are no such boards, the pitch is less than a row, or
// the size of the cells does not fit in size_t); or the error of a lost batch.

// One byte per cell: the state, 0 or 1, of cell (x, y) of board first + i is
// states[(i * height + y) * pitch_bytes + x]. Other bytes stay. If a state to write is above 1,
// lc_batch_write_states returns LC_ERROR_ARGUMENT, and no cell changes.
LC_API lc_status lc_batch_read_states(const lc_batch *batch, size_t first, size_t count,
                                      uint8_t *states, size_t pitch_bytes, lc_message *message);
LC_API lc_status lc_batch_write_states(lc_batch *batch, size_t first, size_t count,
                                       const uint8_t *states, size_t pitch_bytes,
                                       lc_message *message);

// One bit per cell: cell (x, y) of board first + i is bit x % 64 of
// words[(i * height + y) * pitch_words + x / 64]. The unused bits of a row's last word become zero
// when they are read and are ignored when they are written. Other words stay.
LC_API lc_status lc_batch_read_rows(const lc_batch *batch, size_t first, size_t count,
                                    uint64_t *words, size_t pitch_words, lc_message *message);
LC_API lc_status lc_batch_write_rows(lc_batch *batch, size_t first, size_t count,
                                     const uint64_t *words, size_t pitch_words,
                                     lc_message *message);

// Replaces all cells by random ones: board i gets the cells that lc_universe_soup gives the whole
// of a universe of its size with that density and the seed `seed` + i, modulo 2^64.
// Returns LC_OK; LC_ERROR_ARGUMENT (a density that lc_universe_soup refuses: no cell changes); or
// the error of a lost batch.
LC_API lc_status lc_batch_fill_random(lc_batch *batch, double density, uint64_t seed,
                                      lc_message *message);

// Writes the number of live cells of every board: populations[i] for board i.
// Returns LC_OK or the error of a lost batch.
LC_API lc_status lc_batch_populations(const lc_batch *batch, uint64_t *populations,
                                      lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
