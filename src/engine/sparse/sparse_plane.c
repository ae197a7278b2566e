#include "engine/sparse/sparse_plane.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/mix.h"
#include "base/ones.h"
#include "engine/sparse/sparse_edge.h"

enum { FIRST_MAP_SLOTS = 1 << 10 };

// The largest place of a tile: all cells of it and its neighbours have valid coordinates.
static const int64_t place_max = LC_UNIVERSE_REACH / LC_TILE_CELLS + 1;

static const uint64_t chunk_list_bytes = LC_PLANE_CHUNK * LC_PLANE_LIST_BYTES;

const uint32_t lc_dead_cells[LC_TILE_WORDS];

int lc_tile_population(const uint32_t cells[LC_TILE_WORDS])
{
    uint64_t words[LC_TILE_WORDS / 2];
    memcpy(words, cells, sizeof words);
    return (int)lc_ones_of(words, LC_TILE_WORDS / 2);
}

// Memory ------------------------------------------------------------------------------------------

static lc_status refuse(const lc_plane *plane, lc_message *message)
{
    return lc_fail_limit(message, 0, plane->limit_bytes, "more than %llu tiles of cells need",
                         (unsigned long long)plane->used_count);
}

// Returns whether more_bytes fit within the limit besides the reserves. Lists have taken
// listed_bytes of theirs.
static bool has_room(const lc_plane *plane, uint64_t listed_bytes, size_t more_bytes)
{
    const uint64_t promised_bytes = plane->promised_bytes + plane->list_promise_bytes -
                                    lc_least_u64(plane->list_promise_bytes, listed_bytes);
    return more_bytes <= plane->limit_bytes &&
           plane->held_bytes + promised_bytes <= plane->limit_bytes - more_bytes;
}

lc_status lc_plane_take(lc_plane *plane, void **out, size_t size_bytes, lc_message *message)
{
    *out = NULL;
    if (!has_room(plane, plane->listed_bytes, size_bytes))
        return refuse(plane, message);
    *out = lc_context_alloc(plane->context, size_bytes);
    if (*out == NULL)
        return lc_fail_memory(message, "%zu more bytes of tiles", size_bytes);
    plane->held_bytes += size_bytes;
    return LC_OK;
}

void lc_plane_give(lc_plane *plane, void *memory, size_t size_bytes)
{
    if (memory == NULL)
        return;
    lc_context_free(plane->context, memory, size_bytes);
    plane->held_bytes -= size_bytes;
}

lc_status lc_plane_resize(lc_plane *plane, lc_list_kind kind, void **memory, size_t old_bytes,
                          size_t size_bytes, lc_message *message)
{
    const uint64_t listed_bytes =
        plane->listed_bytes + (kind == LC_LIST_PROMISED ? size_bytes - old_bytes : 0);
    if (size_bytes > old_bytes && !has_room(plane, listed_bytes, size_bytes - old_bytes))
        return refuse(plane, message);
    void *resized = NULL;
    if (size_bytes == 0)
        lc_free(*memory);
    else
        resized = lc_realloc(*memory, size_bytes);
    if (resized == NULL && size_bytes > 0)
        return lc_fail_memory(message, "a list of tiles");
    *memory = resized;
    plane->held_bytes += size_bytes - old_bytes;
    plane->listed_bytes = listed_bytes;
    return LC_OK;
}

lc_status lc_plane_take_promised(lc_plane *plane, void **memory, lc_message *message)
{
    plane->promised_bytes -= LC_PLANE_COPY_BYTES;
    const lc_status status = lc_plane_take(plane, memory, LC_PLANE_COPY_BYTES, message);
    if (status != LC_OK)
        plane->promised_bytes += LC_PLANE_COPY_BYTES;
    return status;
}

void lc_plane_give_promised(lc_plane *plane, void *memory)
{
    if (memory == NULL)
        return;
    lc_plane_give(plane, memory, LC_PLANE_COPY_BYTES);
    plane->promised_bytes += LC_PLANE_COPY_BYTES;
}

static size_t chunk_bytes(const lc_plane *plane)
{
    return plane->tile_bytes * LC_PLANE_CHUNK;
}

static size_t stamps_bytes(size_t chunks)
{
    return chunks * (LC_PLANE_CHUNK / LC_PLANE_GROUP) * sizeof(uint64_t);
}

static lc_status resize_stamps(lc_plane *plane, size_t chunks, lc_message *message)
{
    void *stamps = plane->stamps;
    const size_t old_bytes = stamps_bytes(plane->stamped_chunks), bytes = stamps_bytes(chunks);
    const lc_status status =
        lc_plane_resize(plane, LC_LIST_OF_ROUNDS, &stamps, old_bytes, bytes, message);
    if (status != LC_OK)
        return status;
    if (bytes > old_bytes)
        memset((uint8_t *)stamps + old_bytes, 0, bytes - old_bytes);
    plane->stamps = stamps;
    plane->stamped_chunks = chunks;
    return LC_OK;
}

bool lc_plane_begin_stamps(lc_plane *plane)
{
    return plane->stamps != NULL || resize_stamps(plane, plane->chunk_room, NULL) == LC_OK;
}

void lc_plane_end_stamps(lc_plane *plane)
{
    (void)resize_stamps(plane, 0, NULL);
}

static lc_status make_room_for_chunk(lc_plane *plane, lc_message *message)
{
    const size_t room = plane->chunk_room * 2 + 16;
    void *chunks = plane->chunks;
    if (plane->chunk_count < plane->chunk_room)
        return LC_OK;
    lc_status status = plane->stamps != NULL ? resize_stamps(plane, room, message) : LC_OK;
    if (status != LC_OK)
        return status;
    status = lc_plane_resize(plane, LC_LIST_OF_ROUNDS, &chunks,
                             plane->chunk_room * sizeof *plane->chunks,
                             room * sizeof *plane->chunks, message);
    plane->chunks = chunks;
    plane->chunk_room = status == LC_OK ? room : plane->chunk_room;
    return status;
}

static void put_unused(lc_plane *plane, lc_tile_index index)
{
    lc_tile_at(plane, index)->next_unused = plane->unused;
    plane->unused = index;
}

static lc_status add_chunk(lc_plane *plane, lc_message *message)
{
    size_t at = 0;
    while (at < plane->chunk_count && plane->chunks[at] != NULL)
        at++;
    if (at == UINT32_MAX >> LC_PLANE_CHUNK_LOG2)
        return lc_fail(message, LC_ERROR_LIMIT, "there are too many tiles of cells: 2^32");
    lc_status status = at == plane->chunk_count ? make_room_for_chunk(plane, message) : LC_OK;
    if (status != LC_OK)
        return status;
    void *chunk;
    plane->promised_bytes += LC_PLANE_COPY_BYTES;
    plane->list_promise_bytes += chunk_list_bytes;
    status = lc_plane_take(plane, &chunk, chunk_bytes(plane), message);
    if (status != LC_OK) {
        plane->promised_bytes -= LC_PLANE_COPY_BYTES;
        plane->list_promise_bytes -= chunk_list_bytes;
        return status;
    }
    plane->chunks[at] = chunk;
    plane->chunk_count += at == plane->chunk_count;
    const lc_tile_index first = (lc_tile_index)(at << LC_PLANE_CHUNK_LOG2);
    for (lc_tile_index i = LC_PLANE_CHUNK; i-- > (first == 0 ? 1 : 0);)
        put_unused(plane, first + i);
    return LC_OK;
}

// The map -----------------------------------------------------------------------------------------

static uint64_t hash_of(int layer, int64_t x, int64_t y)
{
    uint64_t h = (uint64_t)x * UINT64_C(0x9E3779B97F4A7C15) ^
                 ((uint64_t)y + (uint64_t)layer) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h = (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return h ^ h >> 29;
}

static const uint64_t index_bits = UINT32_MAX;

static void put(uint64_t *map, size_t slots, uint64_t hash, lc_tile_index index)
{
    size_t at = hash & (slots - 1);
    while (map[at] != 0)
        at = (at + 1) & (slots - 1);
    map[at] = (hash & ~index_bits) | index;
}

static void put_all(const lc_plane *plane, uint64_t *map, size_t slots)
{
    for (lc_tile_index i = 1; i < lc_plane_end(plane); i++) {
        const lc_tile *t = lc_tile_if_used(plane, i);
        if (t != NULL)
            put(map, slots, hash_of(t->layer, t->x, t->y), i);
    }
}

// Makes room for one more tile. At most half of the slots are in use.
static lc_status widen_map(lc_plane *plane, lc_message *message)
{
    if (2 * (plane->used_count + 1) <= plane->map_slots)
        return LC_OK;
    const size_t slots = plane->map_slots == 0 ? FIRST_MAP_SLOTS : 2 * plane->map_slots;
    void *map;
    const lc_status status = lc_plane_take(plane, &map, slots * sizeof *plane->map, message);
    if (status != LC_OK)
        return status;
    put_all(plane, map, slots);
    lc_plane_give(plane, plane->map, plane->map_slots * sizeof *plane->map);
    plane->map = map;
    plane->map_slots = slots;
    return LC_OK;
}

lc_tile_index lc_plane_find(const lc_plane *plane, int layer, int64_t x, int64_t y)
{
    const uint64_t hash = hash_of(layer, x, y);
    for (size_t at = hash & (plane->map_slots - 1); plane->map[at] != 0;
         at = (at + 1) & (plane->map_slots - 1)) {
        if (((plane->map[at] ^ hash) & ~index_bits) != 0)
            continue;
        const lc_tile_index index = (lc_tile_index)(plane->map[at] & index_bits);
        const lc_tile *t = lc_tile_at(plane, index);
        if (t->x == x && t->y == y && t->layer == layer)
            return index;
    }
    return 0;
}

// Tiles -------------------------------------------------------------------------------------------

// Draws secrets that differ for each universe and each run of the program.
static void draw_secrets(lc_tile_hash_secrets *secrets)
{
    static _Atomic(uint64_t) drawn;
    uint64_t state =
        lc_clock_ns() ^ (uint64_t)(uintptr_t)secrets << 20 ^ atomic_fetch_add(&drawn, 1) << 56;
    for (int i = 0; i < LC_TILE_HASH_SECRETS; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        secrets->of_words[i] = lc_mixed(state);
    }
}

static void lay_out(lc_plane *plane, int copies)
{
    const size_t names_end = sizeof(lc_tile) + (size_t)copies * sizeof(lc_tile_hash);
    plane->copies = copies;
    plane->cells_offset = (names_end + 63) & ~(size_t)63;
    plane->tile_bytes = plane->cells_offset + (size_t)copies * LC_TILE_WORDS * sizeof(uint32_t);
}

lc_status lc_plane_init(lc_plane *plane, const lc_context *context, const lc_surface *surface,
                        int copies, uint64_t limit_bytes, lc_message *message)
{
    const size_t names_end = sizeof(lc_tile) + (size_t)copies * sizeof(lc_tile_hash);
    const size_t cells_offset = (names_end + 63) & ~(size_t)63;
    *plane =
        (lc_plane){.context = context,
                   .surface = *surface,
                   .limit_bytes = limit_bytes,
                   .copies = copies,
                   .cells_offset = cells_offset,
                   .tile_bytes = cells_offset + (size_t)copies * LC_TILE_WORDS * sizeof(uint32_t)};
    draw_secrets(&plane->secrets);
    const lc_status status = add_chunk(plane, message);
    return status == LC_OK ? widen_map(plane, message) : status;
}

void lc_plane_free(lc_plane *plane)
{
    for (size_t i = 0; i < plane->chunk_count; i++)
        lc_plane_give(plane, plane->chunks[i], chunk_bytes(plane));
    lc_plane_end_stamps(plane);
    lc_free(plane->chunks);
    lc_plane_give(plane, plane->map, plane->map_slots * sizeof *plane->map);
    *plane = (lc_plane){0};
}

// Finds the tile of the other layer that is across[i] of the tile at (x, y).
static lc_tile_index find_across(const lc_plane *plane, int layer, int64_t x, int64_t y, int i)
{
    return lc_plane_find(plane, 1 - layer, x + i % 2 - (layer == 0), y + i / 2 - (layer == 0));
}

// Makes a tile that is not stored yet. `across` has its overlapping tiles, or `unknown`.
static const lc_tile_index unknown = UINT32_MAX;

static lc_status make(lc_plane *plane, int layer, int64_t x, int64_t y,
                      const lc_tile_index across[4], lc_tile_index *index, lc_message *message)
{
    if (x > place_max || x < -place_max || y > place_max || y < -place_max)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "life has come to the end of all coordinates, 2^62 cells from the origin");
    lc_status status = widen_map(plane, message);
    if (status == LC_OK && plane->unused == 0)
        status = add_chunk(plane, message);
    if (status != LC_OK)
        return status;
    *index = plane->unused;
    lc_tile *t = lc_tile_at(plane, *index);
    plane->unused = t->next_unused;
    plane->used_count++;
    memset(t, 0, plane->tile_bytes);
    t->x = x;
    t->y = y;
    t->layer = (unsigned)layer & 1;
    t->used = true;
    t->edge = plane->all_kept || lc_edge_is_near(&plane->surface, layer, x, y);
    plane->farthest = lc_greatest(plane->farthest, lc_greatest(lc_magnitude(x), lc_magnitude(y)));
    put(plane->map, plane->map_slots, hash_of(layer, x, y), *index);
    for (int i = 0; i < 4; i++) {
        t->across[i] = across[i] != unknown ? across[i] : find_across(plane, layer, x, y, i);
        if (t->across[i] != 0)
            lc_tile_at(plane, t->across[i])->across[3 - i] = *index;
    }
    return LC_OK;
}

lc_status lc_plane_make(lc_plane *plane, int layer, int64_t x, int64_t y, lc_tile_index *index,
                        lc_message *message)
{
    const lc_tile_index across[4] = {unknown, unknown, unknown, unknown};
    *index = lc_plane_find(plane, layer, x, y);
    return *index != 0 ? LC_OK : make(plane, layer, x, y, across, index, message);
}

// Finds the overlapping tiles of a new tile, which will be across[q] of tile `index`, as far as
// links lead to them. Two adjacent tiles share two overlapping tiles, so one of the two leads to
// the neighbour. A link of 0 means: no tile.
static void follow_links(const lc_plane *plane, lc_tile_index index, int q, lc_tile_index across[4])
{
    const lc_tile *t = lc_tile_at(plane, index);
    const int own = 3 - q; // the index of the other tile in `across`
    for (int i = 0; i < 4; i++)
        across[i] = unknown;
    across[own] = index;
    for (int way = 1; way <= 2; way++) { // to its neighbours in the column and the row
        const lc_tile_index beside = t->across[q ^ way];
        if (beside != 0)
            across[own ^ way ^ 3] = lc_tile_at(plane, beside)->across[own ^ 3];
    }
    for (int way = 1; way <= 2; way++) { // to its diagonal neighbour
        const lc_tile_index neighbour = across[own ^ way];
        if (neighbour == 0 || neighbour == unknown)
            continue;
        const lc_tile_index beyond = lc_tile_at(plane, neighbour)->across[q];
        if (beyond != 0)
            across[own ^ 3] = lc_tile_at(plane, beyond)->across[own ^ 3 ^ way];
    }
}

typedef struct making {
    lc_plane *plane;
    lc_message *message;
} making;

static lc_status make_around(void *context, int layer, int64_t x, int64_t y)
{
    const making *m = context;
    lc_tile_index made;
    return lc_plane_make(m->plane, layer, x, y, &made, m->message);
}

lc_status lc_plane_surround(lc_plane *plane, lc_tile_index index, lc_message *message)
{
    const lc_tile *t = lc_tile_at(plane, index); // stays valid: tiles do not move
    lc_status status = LC_OK;
    if (t->edge)
        return lc_edge_around(plane, t, make_around, &(making){plane, message});
    for (int q = 0; q < 4 && status == LC_OK; q++) {
        lc_tile_index across[4], made;
        if (t->across[q] != 0)
            continue;
        follow_links(plane, index, q, across);
        status = make(plane, 1 - t->layer, t->x + q % 2 - (t->layer == 0),
                      t->y + q / 2 - (t->layer == 0), across, &made, message);
    }
    return status;
}

static void copy_chunk(const lc_plane *to, const lc_plane *from, size_t chunk, int kept)
{
    for (size_t i = 0; i < LC_PLANE_CHUNK; i++) {
        lc_tile *old = lc_tile_at(from, (lc_tile_index)(chunk * LC_PLANE_CHUNK + i));
        lc_tile *now = lc_tile_at(to, (lc_tile_index)(chunk * LC_PLANE_CHUNK + i));
        memcpy(now, old, sizeof *old);
        now->names[0] = old->names[kept];
        memcpy(lc_tile_cells(to, now, 0), lc_tile_cells(from, old, kept),
               LC_TILE_WORDS * sizeof(uint32_t));
    }
}

lc_status lc_plane_set_copies(lc_plane *plane, int copies, int kept, lc_message *message)
{
    if (copies == plane->copies && kept == 0)
        return LC_OK;
    lc_plane other = *plane;
    lc_status status = LC_OK;
    lay_out(&other, copies);
    other.chunks = lc_calloc(plane->chunk_room, sizeof *other.chunks);
    if (other.chunks == NULL)
        return lc_fail_memory(message, "a list of tiles");
    for (size_t i = 0; i < plane->chunk_count && status == LC_OK; i++) {
        void *chunk = NULL;
        if (plane->chunks[i] != NULL)
            status = lc_plane_take(&other, &chunk, chunk_bytes(&other), message);
        other.chunks[i] = chunk;
    }
    for (size_t i = 0; i < plane->chunk_count && status == LC_OK; i++)
        if (plane->chunks[i] != NULL)
            copy_chunk(&other, plane, i, kept);
    // Free the chunks that are not used.
    lc_plane *useless = status == LC_OK ? plane : &other;
    const size_t bytes = chunk_bytes(useless);
    for (size_t i = 0; i < plane->chunk_count; i++)
        lc_plane_give(&other, useless->chunks[i], bytes);
    lc_free(useless->chunks);
    if (status == LC_OK)
        *plane = other;
    return status;
}

// Sweeping ----------------------------------------------------------------------------------------

typedef struct finding {
    const lc_plane *plane;
    bool lives;
} finding;

static lc_status find_live(void *context, int layer, int64_t x, int64_t y)
{
    finding *f = context;
    const lc_tile_index index = lc_plane_find(f->plane, layer, x, y);
    f->lives |= index != 0 && lc_tile_at(f->plane, index)->lives;
    return LC_OK;
}

static bool has_live_across(const lc_plane *plane, const lc_tile *t)
{
    finding f = {plane, false};
    if (t->edge)
        (void)lc_edge_around(plane, t, find_live, &f);
    if (f.lives)
        return true;
    for (int i = 0; i < 4; i++)
        if (t->across[i] != 0 && lc_tile_at(plane, t->across[i])->lives)
            return true;
    return false;
}

// Returns whether a tile must stay. A touched tile must still schedule its overlapping tiles, if
// they have live cells round them.
static bool is_needed(const lc_plane *plane, const lc_tile *t)
{
    bool needed = t->lives || (t->edge && t->touched) || has_live_across(plane, t);
    for (int i = 0; i < 4 && !needed && t->touched; i++)
        needed = t->across[i] != 0 && has_live_across(plane, lc_tile_at(plane, t->across[i]));
    return needed;
}

static void release(lc_plane *plane, lc_tile *t)
{
    for (int i = 0; i < 4; i++)
        if (t->across[i] != 0)
            lc_tile_at(plane, t->across[i])->across[3 - i] = 0;
    t->used = false;
    plane->used_count--;
}

// Lists the unused tiles, lowest first, and frees chunks without used tiles.
static void collect_unused(lc_plane *plane)
{
    plane->unused = 0;
    for (size_t chunk = plane->chunk_count; chunk-- > 0;) {
        const lc_tile_index first = (lc_tile_index)(chunk << LC_PLANE_CHUNK_LOG2);
        bool any = chunk == 0;
        if (plane->chunks[chunk] == NULL)
            continue;
        for (lc_tile_index i = 0; i < LC_PLANE_CHUNK && !any; i++)
            any = lc_tile_at(plane, first + i)->used;
        if (!any) {
            lc_plane_give(plane, plane->chunks[chunk], chunk_bytes(plane));
            plane->promised_bytes -= LC_PLANE_COPY_BYTES;
            plane->list_promise_bytes -= chunk_list_bytes;
            plane->chunks[chunk] = NULL;
            continue;
        }
        for (lc_tile_index i = LC_PLANE_CHUNK; i-- > (first == 0 ? 1 : 0);)
            if (!lc_tile_at(plane, first + i)->used)
                put_unused(plane, first + i);
    }
}

void lc_plane_sweep(lc_plane *plane)
{
    for (lc_tile_index i = 1; i < lc_plane_end(plane); i++) {
        lc_tile *t = lc_tile_if_used(plane, i);
        if (t == NULL)
            continue;
        t->lives = false;
        for (int copy = 0; copy < plane->copies && !t->lives; copy++)
            t->lives = lc_tile_hash_population(t->names[copy]) != 0;
    }
    for (lc_tile_index i = 1; i < lc_plane_end(plane); i++) {
        lc_tile *t = lc_tile_if_used(plane, i);
        if (t != NULL && !is_needed(plane, t))
            release(plane, t);
    }
    collect_unused(plane);
    memset(plane->map, 0, plane->map_slots * sizeof *plane->map);
    put_all(plane, plane->map, plane->map_slots);
}
