// Commands that rank 0 sends to all ranks, itself included, and the ranks' replies. Commands have
// one size, so each rank knows how much to receive. Cells and counts are sent as messages of their
// own; the data of a collective operation (cover.h) follows its command.
#ifndef LC_COVER_RANK_COMMAND_H
#define LC_COVER_RANK_COMMAND_H

#include <string.h>

#include "cover/cover_fill.h"
#include "ranks/rank_calls.h"

typedef enum lc_rank_command_kind {
    LC_RANK_COMMAND_END = 1,   // the last command
    LC_RANK_COMMAND_ABILITIES, // sends abilities of slabs; creates nothing
    LC_RANK_COMMAND_CREATE,    // the first rows of all slabs follow
    LC_RANK_COMMAND_JOIN,      // connects the slabs of all ranks; follows CREATE
    LC_RANK_COMMAND_DESTROY,
    LC_RANK_COMMAND_ADVANCE,
    LC_RANK_COMMAND_READ,  // ranks send their rows of the rectangle
    LC_RANK_COMMAND_WRITE, // ranks receive their rows
    LC_RANK_COMMAND_FILL,  // ranks fill their rows
    LC_RANK_COMMAND_FACTS,
    LC_RANK_COMMAND_VIEW,       // ranks send the counts of their rows
    LC_RANK_COMMAND_COLLECTIVE, // lc_cover_vtable.run_collective
    LC_RANK_COMMAND_CENSUS,     // ranks count soups: lc_rank_census
} lc_rank_command_kind;

// Most words of cells of one READ or WRITE, and half the most counts of one VIEW.
enum { LC_RANK_COMMAND_WORDS = 1 << 16 };

typedef struct lc_rank_command {
    uint32_t kind;    // lc_rank_command_kind
    int32_t universe; // number of the universe
    union {
        struct {
            char rule[LC_RULE_TEXT_BYTES]; // canonical text
            lc_topology topology;
            char engine[32], settings[LC_ENGINE_SETTINGS_BYTES], cpu_level[32];
            uint64_t max_memory_bytes;            // of each rank
            int32_t threads;                      // of each rank; 0: its context's
            int32_t blocks;                       // of each rank
            int32_t way;                          // lc_halo_way
            char alike[LC_ENGINE_SETTINGS_BYTES]; // lc_parts
        } create;                                 // and ABILITIES
        uint64_t generations;
        uint32_t which; // lc_fact
        lc_area area;   // of cells
        lc_soup soup;
        uint64_t bytes; // of a collective operation
        struct {
            uint64_t bytes;  // of the data that follow
            uint64_t run_ns; // then no more soups are begun
            int32_t gpus;    // of each rank, at most
        } census;
        struct {
            int64_t x, y, width, height;
            int32_t log2_side;
        } view;
    };
} lc_rank_command;

typedef struct lc_rank_reply {
    int32_t status; // lc_status
    uint64_t bytes; // CREATE: held by the rank
    uint64_t done;  // ADVANCE: generations
    lc_facts facts;
    char text[LC_MESSAGE_TEXT_BYTES]; // of the error
} lc_rank_reply;

static inline void lc_rank_reply_set(lc_rank_reply *reply, lc_status status, const lc_message *why)
{
    reply->status = status;
    memcpy(reply->text, why->text, sizeof reply->text);
}

#endif
