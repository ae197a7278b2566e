// The bytes of checkpoints of version 2, and what version 3 has in common with it: header, heads of
// parts, trailer. See checkpoint_format.h.
#include "checkpoint/checkpoint_format.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"

const char lc_checkpoint_magic[8] = {'L', 'C', 'S', 'T', 'A', 'T', 'E', '1'};
static const char part_magic[4] = {'P', 'A', 'R', 'T'};
static const char end_magic[8] = {'L', 'C', 'S', 'T', 'E', 'N', 'D', '2'};

// Offsets.
enum {
    HEADER_RULE = 16,
    HEADER_TOPOLOGY = 26,
    HEADER_SHARES = 28,
    HEADER_TABLE = 32,
    HEADER_SIZE = 96,
    HEADER_GENERATION = 128,
    HEADER_ID = 160,
    HEADER_CHECKSUM = LC_CHECKPOINT_HEADER_BYTES - 8,
    PART_CHECKSUM = LC_CHECKPOINT_PART_BYTES - 8,
    TRAILER_CHECKSUM = LC_CHECKPOINT_TRAILER_BYTES - 8,
    KNOWN_FLAGS = LC_CHECKPOINT_TWIST_X | LC_CHECKPOINT_TWIST_Y | LC_CHECKPOINT_BACKGROUND |
                  LC_CHECKPOINT_SQUARES,
};

// Bytes ------------------------------------------------------------------------------------------

void lc_put_bytes(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

uint64_t lc_get_bytes(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

void lc_put_count(uint8_t *bytes, lc_count count)
{
    for (int i = 0; i < 4; i++)
        lc_put_bytes(bytes + 8 * i, count.words[i], 8);
}

lc_count lc_get_count(const uint8_t *bytes)
{
    lc_count count;
    for (int i = 0; i < 4; i++)
        count.words[i] = lc_get_bytes(bytes + 8 * i, 8);
    return count;
}

static int64_t get_signed(const uint8_t *bytes)
{
    return (int64_t)lc_get_bytes(bytes, 8);
}

void lc_checkpoint_turn_words(uint64_t *words, size_t count)
{
    for (size_t i = 0; __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && i < count; i++)
        words[i] = __builtin_bswap64(words[i]);
}

size_t lc_part_row_words(const lc_checkpoint_part *part)
{
    return (size_t)(part->width_cells + 63) / 64;
}

size_t lc_part_size_bytes(const lc_checkpoint_part *part)
{
    return lc_part_row_words(part) * (size_t)part->rows * sizeof(uint64_t);
}

// Writing ----------------------------------------------------------------------------------------

void lc_checkpoint_encode(lc_checkpoint_header *header, uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES])
{
    const lc_rule *rule = &header->rule;
    const lc_topology *t = &header->topology;
    const int64_t size[] = {t->width_cells, t->height_cells, t->shift_x_cells, t->shift_y_cells};
    memset(bytes, 0, LC_CHECKPOINT_HEADER_BYTES);
    memcpy(bytes, lc_checkpoint_magic, sizeof lc_checkpoint_magic);
    header->version = header->shares > 0 ? LC_CHECKPOINT_VERSION_SHARED : LC_CHECKPOINT_VERSION;
    lc_put_bytes(bytes + 8, header->version, 4);
    lc_put_bytes(bytes + 12, LC_CHECKPOINT_HEADER_BYTES, 4);
    bytes[16] = rule->family;
    bytes[17] = rule->symmetry;
    lc_put_bytes(bytes + 18, rule->states, 2);
    lc_put_bytes(bytes + 20, rule->reach, 2);
    lc_put_bytes(bytes + 22, rule->birth, 2);
    lc_put_bytes(bytes + 24, rule->survival, 2);
    bytes[HEADER_TOPOLOGY] = (uint8_t)t->kind;
    bytes[HEADER_TOPOLOGY + 1] = (uint8_t)((t->twist_x ? LC_CHECKPOINT_TWIST_X : 0) |
                                           (t->twist_y ? LC_CHECKPOINT_TWIST_Y : 0) |
                                           (header->background ? LC_CHECKPOINT_BACKGROUND : 0) |
                                           (header->has_squares ? LC_CHECKPOINT_SQUARES : 0));
    lc_put_bytes(bytes + HEADER_SHARES, header->shares, 4);
    memcpy(bytes + HEADER_TABLE, rule->table, sizeof rule->table);
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
        lc_put_bytes(bytes + HEADER_SIZE + 8 * i, (uint64_t)size[i], 8);
    lc_put_count(bytes + HEADER_GENERATION, header->generation);
    lc_put_bytes(bytes + HEADER_ID, header->id, 8);
    header->checksum = XXH64(bytes, HEADER_CHECKSUM, 0);
    lc_put_bytes(bytes + HEADER_CHECKSUM, header->checksum, 8);
}

uint64_t lc_checkpoint_encode_part(const lc_checkpoint_header *header,
                                   const lc_checkpoint_part *part,
                                   uint8_t bytes[LC_CHECKPOINT_PART_BYTES])
{
    // Both are powers of two, so this is also right of negative coordinates.
    const int64_t column = part->x & ~(int64_t)(LC_PART_COLUMNS - 1);
    const int64_t row = part->y & ~(int64_t)(LC_PART_ROWS - 1);
    memcpy(bytes, part_magic, sizeof part_magic);
    lc_put_bytes(bytes + 4, part->frame_bytes, 4);
    lc_put_bytes(bytes + 8, (uint64_t)(column / LC_PART_COLUMNS), 8);
    lc_put_bytes(bytes + 16, (uint64_t)(row / LC_PART_ROWS), 8);
    lc_put_bytes(bytes + 24, (uint64_t)(part->x - column) / 64, 2);
    lc_put_bytes(bytes + 26, lc_part_row_words(part), 2);
    lc_put_bytes(bytes + 28, (uint64_t)(part->y - row), 2);
    lc_put_bytes(bytes + 30, (uint64_t)part->rows, 2);
    lc_put_bytes(bytes + 32, part->population, 8);
    lc_put_bytes(bytes + 40, part->hash, 8);
    lc_put_bytes(bytes + 48, part->checksum, 8);
    const uint64_t checksum = XXH64(bytes, PART_CHECKSUM, header->checksum);
    lc_put_bytes(bytes + PART_CHECKSUM, checksum, 8);
    return checksum;
}

void lc_checkpoint_add_totals(lc_checkpoint_totals *totals, const lc_checkpoint_totals *others)
{
    totals->parts += others->parts;
    totals->checksum += others->checksum;
    (void)lc_count_add(totals->population, others->population, &totals->population);
    totals->hash = lc_hash_joined(totals->hash, others->hash);
}

void lc_checkpoint_count_part(lc_checkpoint_totals *totals, const lc_checkpoint_part *part,
                              uint64_t checksum)
{
    totals->parts++;
    totals->checksum += checksum;
    (void)lc_count_add(totals->population, lc_count_of(part->population), &totals->population);
    totals->hash = lc_hash_joined(totals->hash, part->hash);
}

void lc_checkpoint_encode_trailer(const lc_checkpoint_header *header,
                                  const lc_checkpoint_totals *totals, uint64_t file_bytes,
                                  uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES])
{
    memcpy(bytes, end_magic, sizeof end_magic);
    lc_put_bytes(bytes + 8, file_bytes, 8);
    lc_put_bytes(bytes + 16, totals->parts, 8);
    lc_put_bytes(bytes + 24, totals->checksum, 8);
    lc_put_count(bytes + LC_TRAILER_POPULATION, totals->population);
    lc_put_bytes(bytes + LC_TRAILER_HASH, totals->hash, 8);
    lc_put_bytes(bytes + TRAILER_CHECKSUM, XXH64(bytes, TRAILER_CHECKSUM, header->checksum), 8);
}

// Reading ----------------------------------------------------------------------------------------

lc_status lc_checkpoint_damaged(lc_message *message, uint64_t offset, const char *what)
{
    return lc_fail_at_byte(message, LC_ERROR_FORMAT, offset, "the checkpoint is damaged: %s", what);
}

lc_status lc_checkpoint_invalid(lc_message *message, uint64_t offset, const char *what)
{
    return lc_fail_at_byte(message, LC_ERROR_FORMAT, offset,
                           "the checkpoint is not valid: %s cannot be so", what);
}

bool lc_checkpoint_lies_within(int64_t size, int64_t begin, int64_t length)
{
    if (length < 1)
        return false;
    if (size != 0)
        return begin >= 0 && begin < size && length <= size - begin;
    return begin >= -LC_UNIVERSE_REACH && begin <= LC_UNIVERSE_REACH &&
           (uint64_t)length <= (uint64_t)LC_UNIVERSE_REACH + 1 - (uint64_t)begin;
}

const char *lc_checkpoint_refuses(const lc_checkpoint_header *header, uint8_t kind, uint8_t flags,
                                  uint8_t known_flags, uint64_t *at, uint64_t rule_at,
                                  uint64_t topology_at)
{
    const lc_topology *t = &header->topology;
    lc_message reason;
    *at = rule_at;
    if (lc_rule_check(&header->rule, &reason) != LC_OK)
        return "the rule";
    *at = topology_at;
    if (kind > LC_TOPOLOGY_SPHERE || lc_topology_check(t, &reason) != LC_OK)
        return "the topology";
    *at = topology_at + 1;
    if (flags & ~known_flags)
        return "the flags";
    if (header->has_squares && (t->width_cells != 0 || t->height_cells != 0))
        return "squares of a bounded universe";
    if (header->background &&
        (!lc_rule_next(&header->rule, 0) || (t->width_cells != 0 && t->height_cells != 0)))
        return "a live background";
    return NULL;
}

// Shares have rows of a bounded board, each one at least.
static lc_status check_shares(const lc_checkpoint_header *header, lc_message *message)
{
    const lc_topology *t = &header->topology;
    if (t->width_cells == 0 || t->height_cells == 0)
        return lc_checkpoint_invalid(message, HEADER_SIZE, "an unbounded universe in shares");
    if (header->shares < 1 || header->shares > t->height_cells)
        return lc_checkpoint_invalid(message, HEADER_SHARES, "the number of shares");
    if (header->id == 0)
        return lc_checkpoint_invalid(message, HEADER_ID, "the number of the checkpoint");
    return LC_OK;
}

lc_status lc_checkpoint_decode(lc_checkpoint_header *header,
                               const uint8_t bytes[LC_CHECKPOINT_HEADER_BYTES], lc_message *message)
{
    const uint64_t checksum = lc_get_bytes(bytes + HEADER_CHECKSUM, 8);
    const uint8_t kind = bytes[HEADER_TOPOLOGY], flags = bytes[HEADER_TOPOLOGY + 1];
    const char *what;
    uint64_t at;
    if (checksum != XXH64(bytes, HEADER_CHECKSUM, 0))
        return lc_checkpoint_damaged(message, HEADER_CHECKSUM,
                                     "the header does not have the checksum that stands there");
    *header = (lc_checkpoint_header){
        .version = (uint32_t)lc_get_bytes(bytes + 8, 4),
        .shares = (uint32_t)lc_get_bytes(bytes + HEADER_SHARES, 4),
        .id = lc_get_bytes(bytes + HEADER_ID, 8),
        .checksum = checksum,
        .rule = {.family = bytes[16],
                 .symmetry = bytes[17],
                 .states = (uint16_t)lc_get_bytes(bytes + 18, 2),
                 .reach = (uint16_t)lc_get_bytes(bytes + 20, 2),
                 .birth = (uint16_t)lc_get_bytes(bytes + 22, 2),
                 .survival = (uint16_t)lc_get_bytes(bytes + 24, 2)},
        .topology = {.kind = (lc_topology_kind)kind,
                     .width_cells = get_signed(bytes + HEADER_SIZE),
                     .height_cells = get_signed(bytes + HEADER_SIZE + 8),
                     .shift_x_cells = get_signed(bytes + HEADER_SIZE + 16),
                     .shift_y_cells = get_signed(bytes + HEADER_SIZE + 24),
                     .twist_x = flags & LC_CHECKPOINT_TWIST_X,
                     .twist_y = flags & LC_CHECKPOINT_TWIST_Y},
        .background = flags & LC_CHECKPOINT_BACKGROUND,
        .has_squares = flags & LC_CHECKPOINT_SQUARES,
        .generation = lc_get_count(bytes + HEADER_GENERATION),
    };
    memcpy(header->rule.table, bytes + HEADER_TABLE, sizeof header->rule.table);
    if (lc_get_bytes(bytes + 12, 4) != LC_CHECKPOINT_HEADER_BYTES)
        return lc_checkpoint_invalid(message, 12, "the size of the header");
    what =
        lc_checkpoint_refuses(header, kind, flags, KNOWN_FLAGS, &at, HEADER_RULE, HEADER_TOPOLOGY);
    if (what != NULL)
        return lc_checkpoint_invalid(message, at, what);
    if (header->version == LC_CHECKPOINT_VERSION_SHARED)
        return check_shares(header, message);
    if (header->shares != 0)
        return lc_checkpoint_invalid(message, HEADER_SHARES, "a reserved field");
    if (header->id != 0)
        return lc_checkpoint_invalid(message, HEADER_ID, "a reserved field");
    return LC_OK;
}

bool lc_checkpoint_is_part(const uint8_t bytes[4])
{
    return memcmp(bytes, part_magic, sizeof part_magic) == 0;
}

bool lc_checkpoint_is_trailer(const uint8_t bytes[8])
{
    return memcmp(bytes, end_magic, sizeof end_magic) == 0;
}

// Where one direction of a part's area begins and how long it is, in cells: `first` and `count` of
// units of so many cells, in square `square` of the grid. False: there is no such area.
static bool find_area(int64_t size, int64_t square, int64_t square_cells, int64_t first,
                      int64_t count, int64_t unit_cells, int64_t *begin, int64_t *length)
{
    const int64_t most = LC_UNIVERSE_REACH / square_cells;
    if (square < -most || square > most || count < 1 || (first + count) * unit_cells > square_cells)
        return false;
    *begin = square * square_cells + first * unit_cells;
    *length = count * unit_cells;
    // The last word may reach beyond the end of the universe, but begins in it.
    if (!lc_checkpoint_lies_within(size, *begin, *length - unit_cells + 1))
        return false;
    const int64_t end = size != 0 ? size : LC_UNIVERSE_REACH + 1;
    if (*begin + *length > end)
        *length = end - *begin;
    return true;
}

lc_status lc_checkpoint_decode_part(const lc_checkpoint_header *header,
                                    const uint8_t bytes[LC_CHECKPOINT_PART_BYTES], uint64_t start,
                                    lc_checkpoint_part *part, uint64_t *checksum,
                                    lc_message *message)
{
    const lc_topology *t = &header->topology;
    *checksum = lc_get_bytes(bytes + PART_CHECKSUM, 8);
    if (*checksum != XXH64(bytes, PART_CHECKSUM, header->checksum))
        return lc_checkpoint_damaged(message, start + PART_CHECKSUM,
                                     "the head of a part does not have the checksum that stands "
                                     "there");
    *part = (lc_checkpoint_part){.population = lc_get_bytes(bytes + 32, 8),
                                 .hash = lc_get_bytes(bytes + 40, 8),
                                 .start = start,
                                 .checksum = lc_get_bytes(bytes + 48, 8),
                                 .checksum_at = start + 48,
                                 .frame_start = start + LC_CHECKPOINT_PART_BYTES,
                                 .frame_bytes = lc_get_bytes(bytes + 4, 4)};
    const int64_t first_word = (int64_t)lc_get_bytes(bytes + 24, 2);
    const int64_t words = (int64_t)lc_get_bytes(bytes + 26, 2);
    const int64_t first_row = (int64_t)lc_get_bytes(bytes + 28, 2);
    const int64_t rows = (int64_t)lc_get_bytes(bytes + 30, 2);
    if (!find_area(t->width_cells, get_signed(bytes + 8), LC_PART_COLUMNS, first_word, words, 64,
                   &part->x, &part->width_cells))
        return lc_checkpoint_invalid(message, start + 8, "the columns of a part");
    if (!find_area(t->height_cells, get_signed(bytes + 16), LC_PART_ROWS, first_row, rows, 1,
                   &part->y, &part->rows))
        return lc_checkpoint_invalid(message, start + 16, "the rows of a part");
    if (part->frame_bytes > ZSTD_compressBound(lc_part_size_bytes(part)))
        return lc_checkpoint_invalid(message, start + 4, "the size of a part");
    if (part->population < 1 || part->population > (uint64_t)(part->width_cells * part->rows))
        return lc_checkpoint_invalid(message, start + 32, "the population of a part");
    return LC_OK;
}

void lc_checkpoint_take_totals(const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES],
                               lc_checkpoint_totals *totals)
{
    totals->population = lc_get_count(bytes + LC_TRAILER_POPULATION);
    totals->hash = lc_get_bytes(bytes + LC_TRAILER_HASH, 8);
}

lc_status lc_checkpoint_check_trailer(const lc_checkpoint_header *header,
                                      const uint8_t bytes[LC_CHECKPOINT_TRAILER_BYTES],
                                      uint64_t start, const lc_checkpoint_totals *totals,
                                      lc_message *message)
{
    uint64_t at = 0;
    const char *what = NULL;
    if (lc_get_bytes(bytes + TRAILER_CHECKSUM, 8) !=
        XXH64(bytes, TRAILER_CHECKSUM, header->checksum))
        at = TRAILER_CHECKSUM, what = "the trailer does not have the checksum that stands there";
    else if (lc_get_bytes(bytes + 8, 8) != start + LC_CHECKPOINT_TRAILER_BYTES)
        at = 8, what = "the file does not have the length that stands there";
    else if (lc_get_bytes(bytes + 16, 8) != totals->parts)
        at = 16, what = "the file does not have as many parts as stands there";
    else if (lc_get_bytes(bytes + 24, 8) != totals->checksum)
        at = 24, what = "the parts do not have the checksum that stands there";
    else if (lc_count_compare(lc_get_count(bytes + LC_TRAILER_POPULATION), totals->population) != 0)
        at = LC_TRAILER_POPULATION, what = "the parts do not have the population that stands there";
    else if (lc_get_bytes(bytes + LC_TRAILER_HASH, 8) != totals->hash)
        at = LC_TRAILER_HASH, what = "the parts do not have the hash that stands there";
    return what == NULL ? LC_OK : lc_checkpoint_damaged(message, start + at, what);
}
