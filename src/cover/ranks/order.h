// What rank 0 asks of all ranks, itself included, and what each answers. An order has one size, so
// that all know how much to wait for; cells and counts go beside it, as buffers, and the bytes of
// an errand (cover.h) behind it.
#ifndef LC_COVER_ORDER_H
#define LC_COVER_ORDER_H

#include "cover/sow.h"
#include "ranks/ranks.h"

typedef enum lc_order_kind {
    LC_ORDER_END = 1, // no order follows
    LC_ORDER_WEIGH,   // what can the blocks of such a board do? Nothing is made
    LC_ORDER_CREATE,  // what follows says where its slabs begin
    LC_ORDER_JOIN,    // lets ranks reach each other's slabs, before anything else
    LC_ORDER_DESTROY,
    LC_ORDER_ADVANCE,
    LC_ORDER_SET_RULE,
    LC_ORDER_READ,  // whoever holds some of the rectangle sends it
    LC_ORDER_WRITE, // or receives it
    LC_ORDER_SOW,   // the rows that they hold
    LC_ORDER_FACTS,
    LC_ORDER_VIEW,   // whoever holds some of a row of squares sends it
    LC_ORDER_ERRAND, // all do what is not the covers' business, each with its rows
} lc_order_kind;

// A rectangle or a view of an order has at most so many words of cells, or twice as many counts.
enum { LC_ORDER_WORDS = 1 << 16 };

typedef struct lc_order {
    uint32_t kind;    // lc_order_kind
    int32_t universe; // its number
    union {
        struct {
            lc_rule rule;
            lc_topology topology;
            char engine[32], settings[LC_ENGINE_SETTINGS_BYTES], cpu_level[32];
            uint64_t max_memory_bytes;            // of each rank
            int32_t threads;                      // of each rank; 0: its context's
            int32_t blocks;                       // of each rank
            int32_t way;                          // lc_halo_way
            char alike[LC_ENGINE_SETTINGS_BYTES]; // lc_parts
        } create;                                 // and weigh
        lc_rule rule;
        uint64_t generations;
        uint32_t which; // lc_fact
        lc_area area;   // of cells
        lc_soup soup;
        uint64_t bytes; // of an errand
        struct {
            int64_t x, y, width, height;
            int32_t log2_side;
        } view;
    };
} lc_order;

typedef struct lc_answer {
    int32_t status; // lc_status
    uint64_t bytes; // that they hold: create
    uint64_t done;  // advance: generations
    lc_facts facts;
    char text[LC_MESSAGE_TEXT_BYTES]; // why it failed
} lc_answer;

#endif
