// The checkpoint's header and how its cells are cut into parts. See checkpoint_format.h.
#include "universe/checkpoint_format.h"

#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/memory.h"

const char lc_checkpoint_magic[8] = {'L', 'C', 'S', 'T', 'A', 'T', 'E', '1'};
const char lc_checkpoint_end_magic[8] = {'L', 'C', 'S', 'T', 'E', 'N', 'D', '1'};

enum { CHECKSUM_AT = 128 };

static void put(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

void lc_put_u32(uint8_t *bytes, uint32_t value)
{
    put(bytes, value, 4);
}

void lc_put_u64(uint8_t *bytes, uint64_t value)
{
    put(bytes, value, 8);
}

uint32_t lc_get_u32(const uint8_t *bytes)
{
    return (uint32_t)get(bytes, 4);
}

uint64_t lc_get_u64(const uint8_t *bytes)
{
    return get(bytes, 8);
}

bool lc_parts_of(const lc_checkpoint_header *header, lc_parts *parts)
{
    *parts = (lc_parts){0};
    if (header->width_cells == 0)
        return true;
    parts->row_words = header->width_cells / 64 + (header->width_cells % 64 != 0);
    parts->part_words = parts->row_words < LC_PART_COLUMNS ? parts->row_words : LC_PART_COLUMNS;
    parts->part_rows = LC_PART_WORDS / parts->part_words;
    parts->across = (uint64_t)((parts->row_words - 1) / parts->part_words + 1);
    uint64_t down = (uint64_t)((header->height_cells - 1) / parts->part_rows + 1);
    return lc_mul_u64(parts->across, down, &parts->count);
}

lc_part lc_part_at(const lc_checkpoint_header *header, const lc_parts *parts, uint64_t index)
{
    lc_part part = {.x = (int64_t)(index % parts->across) * parts->part_words * 64,
                    .y = (int64_t)(index / parts->across) * parts->part_rows};
    int64_t right = header->width_cells - part.x, below = header->height_cells - part.y;
    part.width_cells = right < parts->part_words * 64 ? right : parts->part_words * 64;
    part.rows = below < parts->part_rows ? below : parts->part_rows;
    part.row_words = (size_t)(part.width_cells + 63) / 64;
    part.size_bytes = part.row_words * (size_t)part.rows * sizeof(uint64_t);
    return part;
}

void lc_checkpoint_encode(const lc_checkpoint_header *header,
                          uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES])
{
    const lc_topology *t = &header->topology;
    lc_parts parts;
    (void)lc_parts_of(header, &parts);
    memset(bytes, 0, LC_CHECKPOINT_HEADER_BYTES);
    memcpy(bytes, lc_checkpoint_magic, sizeof lc_checkpoint_magic);
    put(bytes + 8, LC_CHECKPOINT_VERSION, 4);
    put(bytes + 12, LC_CHECKPOINT_HEADER_BYTES, 4);
    put(bytes + 16, header->rule.birth, 2);
    put(bytes + 18, header->rule.survival, 2);
    bytes[20] = (uint8_t)t->kind;
    bytes[21] = (uint8_t)((t->twist_x ? LC_CHECKPOINT_TWIST_X : 0) |
                          (t->twist_y ? LC_CHECKPOINT_TWIST_Y : 0) |
                          (header->background ? LC_CHECKPOINT_BACKGROUND : 0));
    const int64_t numbers[] = {t->width_cells,
                               t->height_cells,
                               t->shift_x_cells,
                               t->shift_y_cells,
                               (int64_t)header->generation,
                               header->x,
                               header->y,
                               header->width_cells,
                               header->height_cells,
                               (int64_t)header->population,
                               (int64_t)header->hash,
                               (int64_t)parts.count};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        put(bytes + 24 + 8 * i, (uint64_t)numbers[i], 8);
    put(bytes + CHECKSUM_AT, XXH64(bytes, CHECKSUM_AT, 0), 8);
}

// Whether an area of `length` cells from `begin` can exist in a direction of `size` cells.
static bool lies_within(int64_t size, int64_t begin, int64_t length)
{
    if (length < 1)
        return false;
    if (size != 0)
        return begin >= 0 && begin < size && length <= size - begin;
    return begin >= -LC_UNIVERSE_REACH && begin <= LC_UNIVERSE_REACH &&
           (uint64_t)length <= (uint64_t)LC_UNIVERSE_REACH + 1 - (uint64_t)begin;
}

lc_status lc_checkpoint_decode(lc_checkpoint_header *header,
                               const uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES], lc_message *message)
{
    if (memcmp(bytes, lc_checkpoint_magic, sizeof lc_checkpoint_magic) != 0)
        return lc_fail_at_byte(message, LC_ERROR_FORMAT, 0, "this is not a lightcone checkpoint");
    if (get(bytes + 8, 4) < 1 || get(bytes + 8, 4) > LC_CHECKPOINT_VERSION)
        return lc_fail_at_byte(message, LC_ERROR_FORMAT, 8,
                               "the checkpoint has version %u; this program reads 1 to %d",
                               (unsigned)get(bytes + 8, 4), LC_CHECKPOINT_VERSION);
    if (get(bytes + CHECKSUM_AT, 8) != XXH64(bytes, CHECKSUM_AT, 0))
        return lc_fail_at_byte(message, LC_ERROR_FORMAT, CHECKSUM_AT,
                               "the checkpoint is damaged: the header does not have the checksum "
                               "that stands there");
    *header = (lc_checkpoint_header){
        .version = (uint32_t)get(bytes + 8, 4),
        .rule = LC_RULE_TOTALISTIC(get(bytes + 16, 2), get(bytes + 18, 2)),
        .topology = {.kind = (lc_topology_kind)bytes[20],
                     .width_cells = (int64_t)get(bytes + 24, 8),
                     .height_cells = (int64_t)get(bytes + 32, 8),
                     .shift_x_cells = (int64_t)get(bytes + 40, 8),
                     .shift_y_cells = (int64_t)get(bytes + 48, 8),
                     .twist_x = bytes[21] & LC_CHECKPOINT_TWIST_X,
                     .twist_y = bytes[21] & LC_CHECKPOINT_TWIST_Y},
        .background = bytes[21] & LC_CHECKPOINT_BACKGROUND,
        .generation = get(bytes + 56, 8),
        .x = (int64_t)get(bytes + 64, 8),
        .y = (int64_t)get(bytes + 72, 8),
        .width_cells = (int64_t)get(bytes + 80, 8),
        .height_cells = (int64_t)get(bytes + 88, 8),
        .population = get(bytes + 96, 8),
        .hash = get(bytes + 104, 8),
    };

    // The checksum was right, so what follows is a file made by someone else.
    const lc_topology *t = &header->topology;
    lc_message reason;
    lc_parts parts;
    uint64_t cells;
    uint64_t at = 0;
    const char *what = NULL;
    if (get(bytes + 12, 4) != LC_CHECKPOINT_HEADER_BYTES)
        at = 12, what = "the size of the header";
    else if (lc_rule_check(&header->rule, &reason) != LC_OK)
        at = 16, what = "the rule";
    else if (bytes[20] > LC_TOPOLOGY_SPHERE || lc_topology_check(t, &reason) != LC_OK)
        at = 20, what = "the topology";
    else if (bytes[21] & ~7 || get(bytes + 22, 2) != 0)
        at = 21, what = "the flags";
    else if (header->background &&
             (!lc_rule_next(&header->rule, 0) || (t->width_cells != 0 && t->height_cells != 0)))
        at = 21, what = "a live background";
    else if (header->population == 0
                 ? (header->x | header->y | header->width_cells | header->height_cells) != 0
                 : header->x % 64 != 0 ||
                       !lies_within(t->width_cells, header->x, header->width_cells) ||
                       !lies_within(t->height_cells, header->y, header->height_cells))
        at = 64, what = "the area of the cells";
    else if (lc_mul_u64((uint64_t)header->width_cells, (uint64_t)header->height_cells, &cells) &&
             header->population > cells)
        at = 96, what = "the population";
    else if (!lc_parts_of(header, &parts) || parts.count != get(bytes + 112, 8))
        at = 112, what = "the number of parts";
    else if (get(bytes + 120, 8) != 0)
        at = 120, what = "a reserved field";
    if (what != NULL)
        return lc_fail_at_byte(message, LC_ERROR_FORMAT, at,
                               "the checkpoint is not valid: %s cannot be so", what);
    return LC_OK;
}
