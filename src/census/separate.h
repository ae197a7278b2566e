// Divides the cells of a settled soup into groups, and names the objects of each.
#ifndef LC_CENSUS_SEPARATE_H
#define LC_CENSUS_SEPARATE_H

#include "census/canvas.h"
#include "census/object_names.h"

// Two planes of bits: bit x of words[column * rows + y] is a cell.
typedef struct lc_separation {
    uint8_t *history; // cells that were alive, laid out as the canvas
    size_t history_bytes;
    uint64_t *live, *reached; // live cells, and cells that are or were alive
    size_t room;              // words in each
    int columns, rows;        // of words
} lc_separation;

void lc_separation_free(lc_separation *s);

// Runs the soup for `duration` generations, and appends the objects of all cells then to the list.
// Cells belong to one group if a chain of cells, each alive in one of these generations, leads from
// one to the other and each is near the next (lc_live_groups). Afterwards the blocks with live
// cells are active. Returns as lc_name_group.
lc_status lc_soup_separate(lc_named_list *list, lc_separation *s, lc_canvas *canvas, int duration,
                           lc_object_names *names, uint64_t period_limit, lc_message *message);

#endif
