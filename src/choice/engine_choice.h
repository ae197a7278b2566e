// Which engine a block gets: the one that the caller named, or the first engine of the registry
// that suits the block. Engines that failed are passed over.
#ifndef LC_CHOICE_ENGINE_CHOICE_H
#define LC_CHOICE_ENGINE_CHOICE_H

#include "engine/engine_interface.h"

// What "auto" has learnt about the engines of a universe.
typedef struct lc_engine_history {
    unsigned passed_over; // engines that failed: bit i is the i-th of the registry
    bool avoids_gpu;      // the run is too short to start a GPU
    lc_message note;      // why the first of them failed; "" if none did
} lc_engine_history;

// A block for which an engine is chosen.
typedef struct lc_engine_request {
    const lc_engine_vtable *engine; // NULL: "auto"
    const lc_engine_history *history;
    lc_engine_config config;
    uint64_t max_memory_bytes;          // of all blocks; 0: the engine's own limit
    uint64_t kept_free_bytes;           // of it, for the block that may come next
    double memory_share;                // of the rest, if several blocks share it; 0: all
    const lc_engine_vtable *old_engine; // of the block that the new one replaces, or NULL
    uint64_t old_bytes;                 // that it holds
} lc_engine_request;

typedef struct lc_choice {
    const lc_engine_vtable *engine;
    size_t index;        // in the registry
    uint64_t bytes;      // of the new block; UINT64_MAX if they cannot be counted
    uint64_t held_bytes; // by the old block, in the same memory
    uint64_t limit_bytes;
    uint64_t room_bytes; // that the new block may take: lc_engine_config.room_bytes
} lc_choice;

// Chooses the engine and counts its memory. Some engine must suit the block.
lc_choice lc_choose_engine(const lc_engine_request *request);

// Returns the memory limit of an engine; max_memory_bytes 0: none was stated.
uint64_t lc_engine_limit_bytes(uint64_t max_memory_bytes, const lc_engine_config *config);

// Whether the old block and the new one fit into memory together.
bool lc_choice_fits(const lc_choice *choice);
// Returns the error of a choice that does not fit.
lc_status lc_choice_refuse(const lc_choice *choice, lc_area area, lc_message *message);

// Passes over an engine that failed, and notes why. Returns false, with nothing changed, if no
// other engine suits the block or the caller named the engine.
bool lc_choice_pass_over(const lc_engine_request *request, const lc_choice *choice,
                         lc_engine_history *history, const lc_message *why);

#endif
