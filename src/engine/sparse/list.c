#include "engine/sparse/list.h"
#include "base/memory.h"

bool lc_tile_list_reserve(lc_tile_list *list, size_t count)
{
    if (count <= list->room)
        return true;
    size_t bytes;
    const size_t room = count + count / 2 + 64;
    if (!lc_mul_size(room, sizeof *list->items, &bytes))
        return false;
    lc_tile_index *items = lc_realloc(list->items, bytes);
    if (items == NULL)
        return false;
    list->items = items;
    list->room = room;
    return true;
}
