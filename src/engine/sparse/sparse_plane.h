// Tiles of the plane: where they are kept, found and linked.
//
// There are two layers of plane, half a tile apart. A tile overlaps four of the other layer, which
// together are the window of 64 x 64 cells round it (level/level.h):
//
//        +-------+-------+
//        |   .   |   .   |      Layer 0: tile (x, y) begins at cell (32 x, 32 y).
//        |   +---+---+   |      Layer 1: at (32 x + 16, 32 y + 16).
//        +---+ tile  +---+
//        |   +---+---+   |      across[0 .. 3]: upper left, upper right, lower left, lower right.
//        |   .   |   .   |      A tile is across[3 - i] of its across[i].
//        +-------+-------+
//
// What is in one layer now is in the other one a round later (sparse.h). Tile 0 is nowhere, dead,
// and stands for all that are not kept.
#ifndef LC_ENGINE_SPARSE_SPARSE_PLANE_H
#define LC_ENGINE_SPARSE_SPARSE_PLANE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context_resources.h"
#include "engine/sparse/sparse_tile_hash.h"
#include "kernels/topology_map.h"
#include "lightcone/cells.h"

typedef uint32_t lc_tile_index;

typedef struct lc_tile {
    int64_t x, y;              // place in its layer
    _Atomic(uint64_t) claim;   // of the last round that looked after it (sparse_tile_update.h)
    lc_tile_index across[4];   // 0: not kept
    lc_tile_index next_unused; // of those in no use
    unsigned layer : 1, used : 1;
    unsigned edge : 1; // something matters to those across that lies beyond an edge (sparse_edge.h)
    unsigned touched : 1; // on the list of that name (sparse.h)
    unsigned written : 1; // since the round began
    unsigned lives : 1;   // lc_plane_sweep: in one of its copies
    // Behind it in memory: for each copy, which is the cells at some time, its name; then, at a
    // multiple of 64 bytes, the copies' cells.
    lc_tile_hash names[];
} lc_tile;

enum {
    LC_PLANE_CHUNK_LOG2 = 10,
    LC_PLANE_CHUNK = 1 << LC_PLANE_CHUNK_LOG2,
    LC_PLANE_GROUP_LOG2 = 4,
    LC_PLANE_GROUP = 1 << LC_PLANE_GROUP_LOG2,
};

typedef struct lc_plane {
    const lc_context *context;
    lc_surface surface; // that it is; a side of 0 is unbounded
    bool all_kept;      // whether anything lives there or not; as if all were beside an edge
    uint64_t limit_bytes, held_bytes;
    uint64_t promised_bytes;         // that may be taken at any time, for looking at what is kept
    uint64_t list_promise_bytes;     // the same, for lists that looking or writing needs,
    uint64_t listed_bytes;           // of which so many are taken, or even more
    int copies;                      // of each tile
    size_t cells_offset, tile_bytes; // in bytes, of a tile
    lc_tile_hash_secrets secrets;
    uint8_t **chunks; // LC_PLANE_CHUNK tiles each; NULL: none at the moment
    size_t chunk_count, chunk_room;
    _Atomic(uint64_t) *stamps; // the last claim of each group of tiles; NULL: nobody wants to know
    size_t stamped_chunks;
    lc_tile_index unused; // the first of those in no use; 0: none
    uint64_t used_count;
    int64_t farthest; // of all places that tiles were made at, the largest coordinate
    uint64_t *map;    // open addressing: a part of the hash, and below it the index; 0: free
    size_t map_slots; // a power of two
} lc_plane;

// Empty, but for tile 0. LC_ERROR_MEMORY, LC_ERROR_LIMIT. Freed by lc_plane_free, also after an
// error.
lc_status lc_plane_init(lc_plane *plane, const lc_context *context, const lc_surface *surface,
                        int copies, uint64_t limit_bytes, lc_message *message);
void lc_plane_free(lc_plane *plane);

static inline lc_tile *lc_tile_at(const lc_plane *plane, lc_tile_index index)
{
    return (lc_tile *)(void *)(plane->chunks[index >> LC_PLANE_CHUNK_LOG2] +
                               (index & (LC_PLANE_CHUNK - 1)) * plane->tile_bytes);
}

static inline uint32_t *lc_tile_cells(const lc_plane *plane, lc_tile *tile, int copy)
{
    return (uint32_t *)(void *)((uint8_t *)tile + plane->cells_offset) + copy * LC_TILE_WORDS;
}

// The tile at that place; 0: it is not kept.
lc_tile_index lc_plane_find(const lc_plane *plane, int layer, int64_t x, int64_t y);

// The tile at that place; made, all dead, if there is none. LC_ERROR_LIMIT (memory, or the end of
// all coordinates), LC_ERROR_MEMORY: none was made.
lc_status lc_plane_make(lc_plane *plane, int layer, int64_t x, int64_t y, lc_tile_index *index,
                        lc_message *message);

// Makes the tiles that are missing of the four across; beside an edge, of all that see it.
lc_status lc_plane_surround(lc_plane *plane, lc_tile_index index, lc_message *message);

// Tiles have another number of copies: the first is what copy `kept` is now, and the others are
// dead. LC_ERROR_LIMIT, LC_ERROR_MEMORY: nothing has changed.
lc_status lc_plane_set_copies(lc_plane *plane, int copies, int kept, lc_message *message);

// Gives back tiles that are dead in all copies, as are those across; of touched ones, if those
// across the latter are, too.
void lc_plane_sweep(lc_plane *plane);

// All tiles in use, in no particular order: 0 < index < lc_plane_end, where lc_tile_if_used.
static inline lc_tile_index lc_plane_end(const lc_plane *plane)
{
    return (lc_tile_index)(plane->chunk_count << LC_PLANE_CHUNK_LOG2);
}

static inline lc_tile *lc_tile_if_used(const lc_plane *plane, lc_tile_index index)
{
    if (plane->chunks[index >> LC_PLANE_CHUNK_LOG2] == NULL)
        return NULL;
    lc_tile *t = lc_tile_at(plane, index);
    return t->used ? t : NULL;
}

// The next one of a layer behind *index, which is 0 at first; NULL: there is none.
static inline lc_tile *lc_plane_next(const lc_plane *plane, int layer, lc_tile_index *index)
{
    while (++*index < lc_plane_end(plane)) {
        lc_tile *t = lc_tile_if_used(plane, *index);
        if (t != NULL && t->layer == layer)
            return t;
    }
    return NULL;
}

// Memory that counts as that of tiles does; zeroed. LC_ERROR_LIMIT, LC_ERROR_MEMORY.
lc_status lc_plane_take(lc_plane *plane, void **memory, size_t size_bytes, lc_message *message);
void lc_plane_give(lc_plane *plane, void *memory, size_t size_bytes); // NULL is fine

// The same for a list, which grows or is given back: then it has 0 bytes. What is in it stays.
// After an error nothing has changed. For each tile there is a promise of LC_PLANE_LIST_BYTES, for
// lists that looking or writing needs: what was written, when it is due, the order of tiles, and
// where shown cells are.
enum { LC_PLANE_LIST_BYTES = 4 + 16 + 4 + 1 };
typedef enum lc_list_kind { LC_LIST_OF_ROUNDS, LC_LIST_PROMISED } lc_list_kind;
lc_status lc_plane_resize(lc_plane *plane, lc_list_kind kind, void **memory, size_t old_bytes,
                          size_t size_bytes, lc_message *message);

// Stamps for all tiles. What was claimed before is not known. False: there is no memory for it.
bool lc_plane_begin_stamps(lc_plane *plane);
void lc_plane_end_stamps(lc_plane *plane);

// A tile is claimed; any thread.
static inline void lc_plane_stamp(_Atomic(uint64_t) *stamps, lc_tile_index index, uint64_t claim)
{
    atomic_store_explicit(&stamps[index >> LC_PLANE_GROUP_LOG2], claim, memory_order_relaxed);
}

// For each chunk there is a promise of memory for one more copy of its tiles. These take one, so
// that it fails only if the machine has none, and give it back.
enum { LC_PLANE_COPY_BYTES = LC_PLANE_CHUNK * LC_TILE_WORDS * 4 };
lc_status lc_plane_take_promised(lc_plane *plane, void **memory, lc_message *message);
void lc_plane_give_promised(lc_plane *plane, void *memory); // NULL is fine

int lc_tile_population(const uint32_t cells[LC_TILE_WORDS]);
extern const uint32_t lc_dead_cells[LC_TILE_WORDS]; // of a tile

// Where a tile begins, in cells.
static inline int64_t lc_tile_cell(int layer, int64_t place)
{
    return place * LC_TILE_CELLS + layer * (LC_TILE_CELLS / 2);
}

// The tile of a layer that holds cells at that coordinate.
static inline int64_t lc_tile_place(int layer, int64_t cell)
{
    return (cell - layer * (LC_TILE_CELLS / 2)) >> LC_TILE_LOG2;
}

#endif
