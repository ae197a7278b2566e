// Lists of tiles.
#ifndef LC_ENGINE_SPARSE_LIST_H
#define LC_ENGINE_SPARSE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/sparse/plane.h"

typedef struct lc_tile_list {
    lc_tile_index *items;
    size_t count, room;
} lc_tile_list;

bool lc_tile_list_reserve(lc_tile_list *list, size_t count); // room for so many in all

#endif
