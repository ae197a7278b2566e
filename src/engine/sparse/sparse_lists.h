// Lists, mostly of tiles. Their memory counts against the plane's limit, as tiles do.
#ifndef LC_ENGINE_SPARSE_SPARSE_LISTS_H
#define LC_ENGINE_SPARSE_SPARSE_LISTS_H

#include <stddef.h>

#include "engine/sparse/sparse_plane.h"

typedef struct lc_tile_list {
    lc_tile_index *items;
    size_t count, room;
    lc_list_kind kind;
} lc_tile_list;

// Room for so many in all. LC_ERROR_LIMIT, LC_ERROR_MEMORY: the list is what it was.
lc_status lc_tile_list_grow(lc_plane *plane, lc_tile_list *list, size_t count, lc_message *message);
static inline lc_status lc_tile_list_reserve(lc_plane *plane, lc_tile_list *list, size_t count,
                                             lc_message *message)
{
    return count <= list->room ? LC_OK : lc_tile_list_grow(plane, list, count, message);
}
// Empties it and gives its memory back.
void lc_tile_list_drop(lc_plane *plane, lc_tile_list *list);

// The same for items of that size: there is room for `room` of them, which is too little.
lc_status lc_list_grow(lc_plane *plane, lc_list_kind kind, void **items, size_t *room,
                       size_t item_bytes, size_t count, lc_message *message);

#endif
