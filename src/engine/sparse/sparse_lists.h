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

// Makes room for `count` tiles in all. LC_ERROR_LIMIT; LC_ERROR_MEMORY. On error the list is
// unchanged.
lc_status lc_tile_list_grow(lc_plane *plane, lc_tile_list *list, size_t count, lc_message *message);
static inline lc_status lc_tile_list_reserve(lc_plane *plane, lc_tile_list *list, size_t count,
                                             lc_message *message)
{
    return count <= list->room ? LC_OK : lc_tile_list_grow(plane, list, count, message);
}
// Empties the list and frees its memory.
void lc_tile_list_drop(lc_plane *plane, lc_tile_list *list);

// Grows a list of items of that size from room for *room items, which is too little, to `count`.
lc_status lc_list_grow(lc_plane *plane, lc_list_kind kind, void **items, size_t *room,
                       size_t item_bytes, size_t count, lc_message *message);

#endif
