// One soup after the other: made, run, settled, separated, named and counted.
#ifndef LC_CENSUS_SOUP_CENSUS_H
#define LC_CENSUS_SOUP_CENSUS_H

#include "census/canvas.h"
#include "census/object_names.h"
#include "census/separate.h"
#include "census/soup_seed.h"

// The memory in which one thread takes soups of one rule.
typedef struct lc_soup_taker {
    lc_window_steps steps;
    lc_canvas canvas;
    int side_log2; // of the canvas
    int square;    // side of the square of a soup that the seed gives
    lc_separation separation;
    lc_object_names names;
    // Of the current soup:
    lc_named_list objects;
    lc_named_list lines; // apgsearch's own, which `objects` has, too
    uint64_t settled_at; // generation
    int64_t population;  // then
    bool take_gliders, is_life;
    uint32_t glider_kind;
} lc_soup_taker;

lc_status lc_soup_taker_init(lc_soup_taker *t, const lc_rule *rule, const lc_level *level,
                             lc_context *context, lc_message *message);
void lc_soup_taker_free(lc_soup_taker *t);

// The same in memory of its own. `square` is the side of the square of a soup. On error *out is
// NULL.
lc_status lc_soup_taker_create(lc_soup_taker **out, const lc_rule *rule, int square,
                               lc_context *context, lc_message *message);
void lc_soup_taker_destroy(lc_soup_taker **out);

// Takes a soup, and sets t->objects. A soup that grows beyond all limits (2^15 cells a side, or too
// much work) becomes a single object, which is named by its growth. Returns LC_OK; LC_ERROR_MEMORY;
// or an error of lc_growth_name. After an error t->objects has no meaning.
lc_status lc_soup_take(lc_soup_taker *t, const lc_soup_cells *cells, lc_message *message);

// Counts the objects of the current soup in t->names.kinds.
void lc_soup_count(lc_soup_taker *t, uint64_t number);

#endif
