// Assigns rows and settings to the slabs of a board, and checks their memory.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cover/block/one_block.h"
#include "cover/slabs/board_slabs.h"

enum { LEFT_FREE_SHARE = 32 }; // of a device's memory, for other users

static int ranks_of(const lc_parts *parts)
{
    return parts->ranks != NULL ? parts->ranks->count : 1;
}

int64_t lc_board_slabs_first_row(const lc_parts *parts, int rank)
{
    return parts->all_rows[(int64_t)parts->blocks * rank];
}

lc_area lc_board_slabs_area(const lc_cover_options *asked, const lc_parts *parts, int i)
{
    const int64_t *rows = parts->ranks != NULL
                              ? parts->all_rows + (int64_t)parts->blocks * parts->ranks->rank
                              : parts->rows;
    return (lc_area){0, rows[i], asked->topology.width_cells, rows[i + 1]};
}

static int64_t rows_of(const lc_cover_options *asked, const lc_parts *parts, int i)
{
    const lc_area area = lc_board_slabs_area(asked, parts, i);
    return area.y1 - area.y0;
}

// Returns the index of the i-th block's device.
static int place_of(const lc_parts *parts, int i)
{
    return i * parts->device_count / parts->blocks;
}

// Whether two blocks share a memory limit: that of their GPU, or a stated one.
static bool share_memory(const lc_cover_options *asked, const lc_parts *parts, int i, int j)
{
    return asked->max_memory_bytes != 0 || parts->device_count == 0 ||
           place_of(parts, j) == place_of(parts, i);
}

static int blocks_on_device(const lc_parts *parts, int i)
{
    int count = 0;
    for (int j = 0; j < parts->blocks; j++)
        count += parts->device_count == 0 || place_of(parts, j) == place_of(parts, i);
    return count;
}

// Puts settings before the others. lc_board_slabs_take_settings has left room for those of a
// device.
static void put_before(char settings[LC_ENGINE_SETTINGS_BYTES], const char *first)
{
    const size_t comma = *first != '\0' && *settings != '\0', length = strlen(first);
    memmove(settings + length + comma, settings, strlen(settings) + 1);
    memcpy(settings, first, length);
    if (comma != 0)
        settings[length] = ',';
}

// Returns the one-block cover of a slab of an area, without its block.
static lc_one_block slab_of(const lc_cover_options *asked, const lc_parts *parts, int i,
                            lc_area area)
{
    const lc_frame board = lc_frame_of(&asked->topology);
    lc_one_block s = {.base = {.asked = *asked}, .rule = asked->rule, .slab.is_part = true};
    char device[sizeof "device=-2147483648"];
    put_before(s.base.asked.settings, parts->alike);
    if (parts->device_count > 0) {
        (void)snprintf(device, sizeof device, "device=%d", parts->devices[place_of(parts, i)]);
        put_before(s.base.asked.settings, device);
    }
    s.slab.frame = lc_frame_of_slab(&board, area.y1 - area.y0, area.y0 == 0,
                                    area.y1 == asked->topology.height_cells);
    // On a torus cells drift, so a halo cannot be written as cells.
    if (asked->engine->slabs == NULL || (parts->way == LC_WAY_CELLS && board.left != LC_EDGE_WALL))
        s.slab.frame.is_slab = false;
    if (asked->engine->slabs != NULL && !s.slab.frame.is_slab)
        s.slab.frame.left = s.slab.frame.right = s.slab.frame.top = s.slab.frame.bottom =
            LC_EDGE_OPEN;
    return s;
}

static lc_area whole_board(const lc_cover_options *asked)
{
    return (lc_area){0, 0, asked->topology.width_cells, asked->topology.height_cells};
}

bool lc_board_slabs_joins(const lc_cover_options *asked, const lc_parts *parts)
{
    return asked->engine->slabs != NULL &&
           slab_of(asked, parts, 0, whole_board(asked)).slab.frame.is_slab;
}

uint64_t lc_board_slabs_limit_bytes(const lc_cover_options *asked, const lc_parts *parts)
{
    const lc_area area = whole_board(asked);
    const lc_one_block s = slab_of(asked, parts, 0, area);
    return lc_one_block_choose(&s, area).limit_bytes;
}

// Abilities ---------------------------------------------------------------------------------------

// Returns the configuration of a block with that many rows and that memory.
static lc_engine_config config_of(const lc_one_block *s, int64_t rows, uint64_t room_bytes)
{
    const lc_cover_options *asked = &s->base.asked;
    lc_engine_config config =
        lc_one_block_config(s, (lc_area){0, 0, asked->topology.width_cells, rows});
    config.engine = asked->engine;
    config.frame.height_cells = rows;
    config.room_bytes = room_bytes;
    return config;
}

// Returns the memory of one of `sharers` blocks: a part of the device's memory and of the stated
// limit. For several devices the stated limit is a sum, which does not count here.
static uint64_t room_of(const lc_one_block *s, const lc_parts *parts, int sharers)
{
    const lc_cover_options *asked = &s->base.asked;
    lc_engine_config config = config_of(s, asked->topology.height_cells, 0);
    const lc_choice c = lc_one_block_choose(s, whole_board(asked));
    uint64_t limit = c.limit_bytes;
    const lc_choice_ops *choice = asked->engine->choice;
    if (choice != NULL && choice->memory_limit_bytes != NULL) {
        const uint64_t device = choice->memory_limit_bytes(&config);
        limit = parts->device_count > 1 ? device : lc_least_u64(limit, device);
        limit -= limit / LEFT_FREE_SHARE;
    }
    return limit / (uint64_t)sharers;
}

static bool fits(const lc_one_block *s, int64_t rows, uint64_t room_bytes)
{
    const lc_engine_config config = config_of(s, rows, room_bytes);
    uint64_t bytes;
    (void)config.engine->check(&config, &bytes, NULL);
    return bytes != UINT64_MAX && bytes <= room_bytes;
}

static int64_t most_rows(const lc_one_block *s, uint64_t room_bytes)
{
    int64_t most = 1, too_many = s->base.asked.topology.height_cells;
    if (fits(s, too_many, room_bytes))
        return too_many;
    while (too_many - most > 1) {
        const int64_t middle = most + (too_many - most) / 2;
        if (fits(s, middle, room_bytes))
            most = middle;
        else
            too_many = middle;
    }
    return most;
}

void lc_board_slabs_abilities(const lc_cover_options *asked, const lc_parts *parts,
                              lc_slab_ability *slabs)
{
    const bool one_memory = parts->ranks == NULL && parts->device_count == 0;
    bool differ = false;
    for (int i = 0; i < parts->blocks; i++) {
        const lc_one_block s = slab_of(asked, parts, i, whole_board(asked));
        const lc_engine_config config = config_of(&s, asked->topology.height_cells, 0);
        const uint64_t room = room_of(&s, parts, blocks_on_device(parts, i));
        const lc_choice_ops *choice = asked->engine->choice;
        slabs[i] = (lc_slab_ability){
            .weight = choice != NULL && choice->speed != NULL ? choice->speed(&config) : 0,
            .most_rows = one_memory ? INT64_MAX : most_rows(&s, room)};
        differ = differ || slabs[i].weight != slabs[0].weight;
    }
    for (int i = 0; i < parts->blocks && differ; i++) // blocks of one device take turns
        slabs[i].weight = slabs[i].weight * LC_SLABS_MAX / (uint64_t)blocks_on_device(parts, i);
}

// Laying out --------------------------------------------------------------------------------------

// Writes the smallest shares that give these slabs; "" if there are too many.
static void write_shares(char text[LC_SHARES_BYTES], const lc_slab_ability *slabs, int count)
{
    uint64_t divisor = 0;
    size_t length = 0;
    *text = '\0';
    for (int i = 0; i < count; i++)
        divisor = lc_common_divisor(slabs[i].weight, divisor);
    for (int i = 0; i < count && count <= LC_SLABS_MAX && divisor > 0; i++)
        length +=
            (size_t)snprintf(text + length, LC_SHARES_BYTES - length, "%s%llu", i > 0 ? "+" : "",
                             (unsigned long long)(slabs[i].weight / divisor));
}

static bool same_rows(int64_t height, const lc_slab_ability *slabs, int count, const int64_t *rows,
                      int64_t *other_rows)
{
    lc_slab_first_rows(height, slabs, count, other_rows);
    return memcmp(rows, other_rows, ((size_t)count + 1) * sizeof *rows) == 0;
}

// Finds whether the heights differ, and the shares that give them. `other` and `other_rows` are
// buffers of the same size.
static void describe_heights(lc_parts *parts, int64_t height, const lc_slab_ability *slabs,
                             int count, const int64_t *rows, lc_slab_ability *other,
                             int64_t *other_rows)
{
    for (int i = 0; i < count; i++)
        other[i] = (lc_slab_ability){1, INT64_MAX};
    parts->uneven = !same_rows(height, other, count, rows, other_rows);
    if (!parts->uneven)
        return;
    for (int i = 0; i < count; i++)
        other[i].weight = slabs[i].weight;
    if (!same_rows(height, other, count, rows, other_rows)) // memory has limited some
        for (int i = 0; i < count; i++)
            other[i].weight = (uint64_t)(rows[i + 1] - rows[i]);
    write_shares(parts->shares_text, other, count);
}

int lc_board_slabs_leader(const lc_cover_options *asked, const lc_parts *parts)
{
    int leader = 0;
    for (int i = 1; i < parts->blocks; i++)
        if (rows_of(asked, parts, i) > rows_of(asked, parts, leader))
            leader = i;
    return leader;
}

// Chooses the settings that slabs of different heights, or of several processes, must share: those
// of the highest slab, or of the lowest if it is very low, or of the first if all are equal.
static lc_status choose_alike(const lc_cover_options *asked, lc_parts *parts, int count,
                              const int64_t *rows, lc_message *message)
{
    static const int64_t very_low = 64;
    int64_t lowest = INT64_MAX, highest = 0;
    for (int i = 0; i < count; i++) {
        lowest = lc_least(lowest, rows[i + 1] - rows[i]);
        highest = lc_greatest(highest, rows[i + 1] - rows[i]);
    }
    const int leader = lc_board_slabs_leader(asked, parts);
    const lc_one_block s = slab_of(asked, parts, leader, whole_board(asked));
    const lc_engine_config config = config_of(&s,
                                              !parts->uneven      ? rows_of(asked, parts, 0)
                                              : lowest < very_low ? lowest
                                                                  : highest,
                                              0);
    char alike[LC_ENGINE_SETTINGS_BYTES];
    const lc_status status = asked->engine->choice->slab_settings(&config, alike, message);
    if (status == LC_OK && strlen(alike) + strlen(asked->settings) + sizeof ",,device=2147483647" >
                               sizeof asked->settings)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the engine's settings are too long for slabs of different heights");
    if (status == LC_OK)
        memcpy(parts->alike, alike, sizeof alike);
    return status;
}

lc_status lc_board_slabs_assign_rows(const lc_cover_options *asked, lc_parts *parts,
                                     lc_slab_ability *slabs, int64_t *rows, lc_message *message)
{
    const int64_t height = asked->topology.height_cells;
    const int count = parts->blocks * ranks_of(parts);
    lc_status status = LC_OK;
    parts->alike[0] = parts->shares_text[0] = '\0';
    if (parts->share_count != 0 && parts->share_count != count)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "shares= says how %d slabs share the rows, and this board has %d",
                       parts->share_count, count);
    for (int i = 0; i < count && parts->share_count != 0; i++)
        slabs[i] = (lc_slab_ability){parts->shares[i], INT64_MAX};
    lc_slab_first_rows(height, slabs, count, rows);
    parts->all_rows = parts->ranks != NULL ? rows : NULL;
    lc_slab_ability *other = lc_calloc((size_t)count, sizeof *other);
    int64_t *other_rows = lc_calloc((size_t)count + 1, sizeof *other_rows);
    if (other != NULL && other_rows != NULL)
        describe_heights(parts, height, slabs, count, rows, other, other_rows);
    else
        status = lc_fail_memory(message, "%d slabs", count);
    lc_free(other);
    lc_free(other_rows);
    if (status == LC_OK && (parts->uneven || parts->ranks != NULL) &&
        asked->engine->choice != NULL && asked->engine->choice->slab_settings != NULL)
        status = choose_alike(asked, parts, count, rows, message);
    return status;
}

lc_status lc_board_slabs_lay_out(const lc_cover_options *asked, lc_parts *parts,
                                 lc_message *message)
{
    lc_slab_ability slabs[LC_SLABS_MAX];
    lc_board_slabs_abilities(asked, parts, slabs);
    return lc_board_slabs_assign_rows(asked, parts, slabs, parts->rows, message);
}

// Memory ------------------------------------------------------------------------------------------

lc_one_block lc_board_slabs_block(const lc_cover_options *asked, const lc_parts *parts, int i)
{
    lc_one_block s = slab_of(asked, parts, i, lc_board_slabs_area(asked, parts, i));
    int64_t all = 0;
    for (int j = 0; j < parts->blocks; j++)
        all += share_memory(asked, parts, i, j) ? rows_of(asked, parts, j) : 0;
    s.memory_share = (double)rows_of(asked, parts, i) / (double)all;
    return s;
}

// Adds the limit of the i-th block: each GPU counts once, if no limit is stated.
static uint64_t add_limit(const lc_cover_options *asked, const lc_parts *parts, uint64_t sum,
                          uint64_t limit_bytes, int i)
{
    const bool new_device = i == 0 || place_of(parts, i) != place_of(parts, i - 1);
    if (asked->max_memory_bytes != 0 || parts->device_count == 0)
        return limit_bytes;
    return new_device ? sum + limit_bytes : sum;
}

lc_status lc_board_slabs_check(const lc_cover_options *asked, const lc_parts *parts,
                               lc_universe_needs *needs, lc_message *message)
{
    lc_choice all = {0};
    lc_status status = LC_OK;
    for (int i = 0; i < parts->blocks; i++) {
        const lc_one_block s = lc_board_slabs_block(asked, parts, i);
        const lc_area area = lc_board_slabs_area(asked, parts, i);
        const lc_choice c = lc_one_block_choose(&s, area);
        uint64_t bytes;
        lc_engine_config config = lc_one_block_config(&s, area);
        config.engine = all.engine = c.engine;
        config.room_bytes = c.room_bytes;
        all.limit_bytes = add_limit(asked, parts, all.limit_bytes, c.limit_bytes, i);
        if (!lc_add_u64(all.bytes, c.bytes, &all.bytes))
            all.bytes = UINT64_MAX;
        if (status == LC_OK)
            status = c.engine->check(&config, &bytes, message);
    }
    *needs = (lc_universe_needs){.engine = all.engine->name,
                                 .on_gpu = all.engine->traits.on_gpu,
                                 .memory_bytes = all.bytes,
                                 .limit_bytes = all.limit_bytes};
    if (status == LC_OK && !lc_choice_fits(&all))
        status = lc_choice_refuse(&all, whole_board(asked), message);
    return status;
}
