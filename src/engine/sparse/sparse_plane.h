// Tiles of the plane: storage, look-up and links.
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
// The cells of one layer are in the other layer a round later (sparse.h). Tile 0 has no place and
// no live cells. It stands for every tile that is not stored.
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
    _Atomic(uint64_t) claim;   // latest round that claimed it (sparse_tile_update.h)
    lc_tile_index across[4];   // 0: not stored
    lc_tile_index next_unused; // in the list of unused tiles
    unsigned layer : 1, used : 1;
    unsigned edge : 1;    // an overlapping tile depends on cells beyond an edge (sparse_edge.h)
    unsigned touched : 1; // in the list of that name (sparse.h)
    unsigned written : 1; // since the round began
    unsigned lives : 1;   // lc_plane_sweep: one of its copies has a live cell
    // In memory behind the tile: the hash of each copy, then the cells of the copies, from a
    // multiple of 64 bytes on. A copy has the cells of one round.
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
    lc_surface surface; // a side of 0 is unbounded
    bool all_kept;      // all tiles are stored, also dead ones, and count as beside an edge
    uint64_t limit_bytes, held_bytes;
    uint64_t promised_bytes;         // reserved for reading and counting the stored cells
    uint64_t list_promise_bytes;     // reserved for lists of those functions and of writes
    uint64_t listed_bytes;           // taken by these lists; may exceed the reserve
    int copies;                      // of each tile
    size_t cells_offset, tile_bytes; // in bytes, of a tile
    lc_tile_hash_secrets secrets;
    uint8_t **chunks; // LC_PLANE_CHUNK tiles each; NULL: freed
    size_t chunk_count, chunk_room;
    _Atomic(uint64_t) *stamps; // newest claim of each group of tiles; NULL: not recorded
    size_t stamped_chunks;
    lc_tile_index unused; // first unused tile; 0: none
    uint64_t used_count;
    int64_t farthest; // largest coordinate, in tiles, of any tile made so far
    uint64_t *map;    // open addressing: part of the hash, and the index in the low bits; 0: free
    size_t map_slots; // a power of two
} lc_plane;

// Initializes a plane with tile 0 only. LC_ERROR_MEMORY; LC_ERROR_LIMIT. Call lc_plane_free also
// after an error.
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

// Finds the tile at that place. 0: not stored.
lc_tile_index lc_plane_find(const lc_plane *plane, int layer, int64_t x, int64_t y);

// Finds the tile at that place, or makes one without live cells. LC_ERROR_LIMIT (memory,
// coordinates); LC_ERROR_MEMORY. On error no tile is made.
lc_status lc_plane_make(lc_plane *plane, int layer, int64_t x, int64_t y, lc_tile_index *index,
                        lc_message *message);

// Makes the missing ones of the four overlapping tiles; beside an edge, of all tiles that see this
// one.
lc_status lc_plane_surround(lc_plane *plane, lc_tile_index index, lc_message *message);

// Changes the number of copies of all tiles. Copy `kept` becomes the first, and the others have no
// live cells. LC_ERROR_LIMIT; LC_ERROR_MEMORY. On error nothing has changed.
lc_status lc_plane_set_copies(lc_plane *plane, int copies, int kept, lc_message *message);

// Frees tiles without live cells in any copy, whose overlapping tiles have none, either. A touched
// tile also stays beside an edge, or if one of its overlapping tiles overlaps live cells.
void lc_plane_sweep(lc_plane *plane);

// Returns the end of the indices. The tiles in use are those with 0 < index < lc_plane_end for
// which lc_tile_if_used is not NULL.
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

// Returns the next tile of a layer behind *index, which is 0 at first. NULL: that was the last.
static inline lc_tile *lc_plane_next(const lc_plane *plane, int layer, lc_tile_index *index)
{
    while (++*index < lc_plane_end(plane)) {
        lc_tile *t = lc_tile_if_used(plane, *index);
        if (t != NULL && t->layer == layer)
            return t;
    }
    return NULL;
}

// Allocates zeroed memory that counts against the limit. LC_ERROR_LIMIT; LC_ERROR_MEMORY.
lc_status lc_plane_take(lc_plane *plane, void **memory, size_t size_bytes, lc_message *message);
void lc_plane_give(lc_plane *plane, void *memory, size_t size_bytes); // NULL is fine

// Resizes a list; its content stays. A size of 0 frees it. On error nothing has changed. The plane
// reserves LC_PLANE_LIST_BYTES for each tile, for lists that reads, views or writes need: written
// tiles, due tiles, the order of tiles, and the places of shown cells.
enum { LC_PLANE_LIST_BYTES = 4 + 16 + 4 + 1 };
typedef enum lc_list_kind { LC_LIST_OF_ROUNDS, LC_LIST_PROMISED } lc_list_kind;
lc_status lc_plane_resize(lc_plane *plane, lc_list_kind kind, void **memory, size_t old_bytes,
                          size_t size_bytes, lc_message *message);

// Starts to record stamps for all tiles. Earlier claims are not in them. Returns false if out of
// memory.
bool lc_plane_begin_stamps(lc_plane *plane);
void lc_plane_end_stamps(lc_plane *plane);

// Records the claim of a tile. Any thread.
static inline void lc_plane_stamp(_Atomic(uint64_t) *stamps, lc_tile_index index, uint64_t claim)
{
    atomic_store_explicit(&stamps[index >> LC_PLANE_GROUP_LOG2], claim, memory_order_relaxed);
}

// The plane reserves memory for one more copy of the tiles of each chunk. lc_plane_take_promised
// takes one such copy; it fails only if the machine is out of memory.
enum { LC_PLANE_COPY_BYTES = LC_PLANE_CHUNK * LC_TILE_WORDS * 4 };
lc_status lc_plane_take_promised(lc_plane *plane, void **memory, lc_message *message);
void lc_plane_give_promised(lc_plane *plane, void *memory); // NULL is fine

int lc_tile_population(const uint32_t cells[LC_TILE_WORDS]);
extern const uint32_t lc_dead_cells[LC_TILE_WORDS]; // of a tile

// Returns the coordinate of a tile's first cell.
static inline int64_t lc_tile_cell(int layer, int64_t place)
{
    return place * LC_TILE_CELLS + layer * (LC_TILE_CELLS / 2);
}

// Returns the place of the tile that holds that coordinate.
static inline int64_t lc_tile_place(int layer, int64_t cell)
{
    return (cell - layer * (LC_TILE_CELLS / 2)) >> LC_TILE_LOG2;
}

#endif
