#include "engine/sparse/sparse_lists.h"

#include "base/error.h"
#include "base/memory.h"

// Returns the new room of a list: half as much again, so that lists seldom grow. A list with
// reserved memory gets no more than one item a tile, unless `count` is more: the reserve must
// suffice for all such lists.
static size_t room_for(const lc_plane *plane, lc_list_kind kind, size_t count)
{
    const size_t more = count + count / 2 + 64;
    const size_t tiles = plane->list_promise_bytes / LC_PLANE_LIST_BYTES;
    if (kind == LC_LIST_OF_ROUNDS || more <= tiles)
        return more;
    return count > tiles ? count : tiles;
}

lc_status lc_list_grow(lc_plane *plane, lc_list_kind kind, void **items, size_t *room,
                       size_t item_bytes, size_t count, lc_message *message)
{
    size_t bytes, more_bytes;
    const size_t more = room_for(plane, kind, count), old_bytes = *room * item_bytes;
    if (!lc_mul_size(count, item_bytes, &bytes) || !lc_mul_size(more, item_bytes, &more_bytes))
        return lc_fail_memory(message, "a list of tiles");
    lc_status status = lc_plane_resize(plane, kind, items, old_bytes, more_bytes, message);
    if (status == LC_OK)
        *room = more;
    if (status != LC_ERROR_LIMIT)
        return status;
    status = lc_plane_resize(plane, kind, items, old_bytes, bytes, message);
    if (status == LC_OK)
        *room = count;
    return status;
}

lc_status lc_tile_list_grow(lc_plane *plane, lc_tile_list *list, size_t count, lc_message *message)
{
    void *items = list->items;
    const lc_status status =
        lc_list_grow(plane, list->kind, &items, &list->room, sizeof *list->items, count, message);
    list->items = items;
    return status;
}

void lc_tile_list_drop(lc_plane *plane, lc_tile_list *list)
{
    void *items = list->items;
    (void)lc_plane_resize(plane, list->kind, &items, list->room * sizeof *list->items, 0, NULL);
    list->items = NULL;
    list->count = list->room = 0;
}
