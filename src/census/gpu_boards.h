// The boards of a batch on a GPU, stepped by kernels/batch.cu.
//
// The caller has the cells, too. It uploads those that it has changed, and downloads them when it
// reads.
//
// Threads: one thread at a time may use a structure and its device.
#ifndef LC_CENSUS_GPU_BOARDS_H
#define LC_CENSUS_GPU_BOARDS_H

#include "census/tiled_board.h"
#include "lightcone/context.h"

typedef struct lc_gpu_boards lc_gpu_boards;

// How boards are stepped. Board i has rule rules[rule_of_board[i]]. The rows of a board are in
// order.
typedef struct lc_gpu_boards_options {
    lc_context *context; // outlives the structure
    const lc_tiling *tiling;
    size_t boards;
    const lc_rule *const *rules;
    size_t rule_count;
    const uint32_t *rule_of_board;
} lc_gpu_boards_options;

// Returns LC_OK; LC_ERROR_UNSUPPORTED (no GPU, or a rule without counts); LC_ERROR_DEVICE;
// LC_ERROR_MEMORY. On error *out is NULL.
lc_status lc_gpu_boards_create(lc_gpu_boards **out, const lc_gpu_boards_options *options,
                               lc_message *message);
void lc_gpu_boards_destroy(lc_gpu_boards **boards);

// Copy the cells of all boards, LC_BOARD_WORDS words each. Errors of these: LC_ERROR_DEVICE,
// LC_ERROR_MEMORY.
lc_status lc_gpu_boards_upload(lc_gpu_boards *boards, const uint64_t *cells, lc_message *message);
lc_status lc_gpu_boards_download(const lc_gpu_boards *boards, uint64_t *cells, lc_message *message);

// Steps all boards, and waits.
lc_status lc_gpu_boards_step(lc_gpu_boards *boards, int generations, lc_message *message);

#endif
