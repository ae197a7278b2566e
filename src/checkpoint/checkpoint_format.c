// Encodes and decodes headers, heads of parts, and trailers of checkpoints.
#include "checkpoint/checkpoint_format.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/area.h"
#include "base/error.h"
#include "grid/facts.h"
#include "grid/grid.h"
#include "rule/rule_value.h"

const char lc_checkpoint_magic[8] = {'L', 'C', 'S', 'T', 'A', 'T', 'E', '1'};
static const char part_magic[4] = {'P', 'A', 'R', 'T'};
static const char end_magic[8] = {'L', 'C', 'S', 'T', 'E', 'N', 'D', '2'};

// Offsets, and numbers of headers.
enum {
    HEADER_RANK_FILES = 16,
    HEADER_RULE_BYTES = 20,
    HEADER_TOPOLOGY = 24,
    HEADER_RESERVED = 26,
    HEADER_SIZE = 32,
    HEADER_GENERATION = 64,
    HEADER_ID = 96,
    HEADER_RULE = 104,
    OLD_HEADER_BYTES = 176, // of versions 2 and 3
    OLD_RULE = 16,
    OLD_STATES = 2, // of all rules in such headers
    OLD_REACH = 1,
    OLD_TOPOLOGY = 26,
    OLD_RANK_FILES = 28,
    OLD_TABLE = 32,
    OLD_SIZE = 96,
    OLD_GENERATION = 128,
    OLD_ID = 160,
    CHECKSUM_BYTES = 8, // at the end of a header
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
    return lc_part_row_words(part) * (size_t)part->planes * (size_t)part->rows * sizeof(uint64_t);
}

lc_area lc_part_area(const lc_checkpoint_part *part)
{
    return (lc_area){part->x, part->y, part->x + part->width_cells, part->y + part->rows};
}

lc_cells lc_part_cells(const lc_checkpoint_part *part, uint64_t *words)
{
    return lc_area_cells(lc_part_area(part), part->planes, words);
}

lc_facts lc_part_facts(const lc_checkpoint_part *part, uint64_t *words, int64_t width_cells,
                       unsigned which)
{
    lc_cells cells = lc_part_cells(part, words);
    cells.width_cells = width_cells;
    return lc_cells_facts(&cells, which);
}

// Writing ----------------------------------------------------------------------------------------

// A multiple of 8, so that what follows the header is aligned.
static uint32_t header_bytes_of(uint64_t rule_bytes)
{
    return (uint32_t)(HEADER_RULE + (rule_bytes + 7) / 8 * 8 + CHECKSUM_BYTES);
}

static void put_topology(uint8_t *bytes, const lc_checkpoint_header *header)
{
    const lc_topology *t = &header->topology;
    const int64_t size[] = {t->width_cells, t->height_cells, t->shift_x_cells, t->shift_y_cells};
    bytes[HEADER_TOPOLOGY] = (uint8_t)t->kind;
    bytes[HEADER_TOPOLOGY + 1] = (uint8_t)((t->twist_x ? LC_CHECKPOINT_TWIST_X : 0) |
                                           (t->twist_y ? LC_CHECKPOINT_TWIST_Y : 0) |
                                           (header->background ? LC_CHECKPOINT_BACKGROUND : 0) |
                                           (header->has_squares ? LC_CHECKPOINT_SQUARES : 0));
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
        lc_put_bytes(bytes + HEADER_SIZE + 8 * i, (uint64_t)size[i], 8);
}

void lc_checkpoint_encode(lc_checkpoint_header *header, uint8_t bytes[LC_CHECKPOINT_HEADER_MOST])
{
    const size_t rule_bytes = strlen(header->rule_text);
    header->version = LC_CHECKPOINT_VERSION;
    header->bytes = header_bytes_of(rule_bytes);
    memset(bytes, 0, header->bytes);
    memcpy(bytes, lc_checkpoint_magic, sizeof lc_checkpoint_magic);
    lc_put_bytes(bytes + 8, header->version, 4);
    lc_put_bytes(bytes + 12, header->bytes, 4);
    lc_put_bytes(bytes + HEADER_RANK_FILES, header->rank_files, 4);
    lc_put_bytes(bytes + HEADER_RULE_BYTES, rule_bytes, 4);
    put_topology(bytes, header);
    lc_put_count(bytes + HEADER_GENERATION, header->generation);
    lc_put_bytes(bytes + HEADER_ID, header->id, 8);
    memcpy(bytes + HEADER_RULE, header->rule_text, rule_bytes);
    header->checksum = XXH64(bytes, header->bytes - CHECKSUM_BYTES, 0);
    lc_put_bytes(bytes + header->bytes - CHECKSUM_BYTES, header->checksum, 8);
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

const char *lc_checkpoint_refuses(lc_checkpoint_header *header, uint8_t kind, uint8_t flags,
                                  uint8_t known_flags, uint64_t *at, uint64_t rule_at,
                                  uint64_t topology_at)
{
    const lc_topology *t = &header->topology;
    lc_rule_value rule;
    lc_message reason;
    *at = rule_at;
    if (!lc_value_from_text(header->rule_text, &rule))
        return "the rule";
    header->states = rule.last_state + 1;
    *at = topology_at;
    if (kind > LC_TOPOLOGY_SPHERE || lc_topology_check(t, &reason) != LC_OK)
        return "the topology";
    *at = topology_at + 1;
    if (flags & ~known_flags)
        return "the flags";
    if (header->has_squares && (t->width_cells != 0 || t->height_cells != 0))
        return "squares of a bounded universe";
    if (header->background &&
        (!lc_value_next(&rule, 0) || (t->width_cells != 0 && t->height_cells != 0)))
        return "a live background";
    return NULL;
}

lc_status lc_checkpoint_measure_header(const uint8_t bytes[LC_CHECKPOINT_START_BYTES],
                                       uint32_t *header_bytes, lc_message *message)
{
    const uint64_t version = lc_get_bytes(bytes + 8, 4);
    *header_bytes = (uint32_t)lc_get_bytes(bytes + 12, 4);
    if (version < 2 || version > LC_CHECKPOINT_VERSION)
        return lc_fail_at_byte(message, LC_ERROR_FORMAT, 8,
                               "the checkpoint has version %u; this program reads 1 to %d",
                               (unsigned)version, LC_CHECKPOINT_VERSION);
    if (version < 4 ? *header_bytes != OLD_HEADER_BYTES
                    : *header_bytes % 8 != 0 || *header_bytes < header_bytes_of(1) ||
                          *header_bytes > header_bytes_of(LC_RULE_TEXT_BYTES - 1))
        return lc_checkpoint_invalid(message, 12, "the size of the header");
    return LC_OK;
}

static void get_topology(lc_checkpoint_header *header, const uint8_t *kind_and_flags,
                         const uint8_t *size)
{
    const uint8_t flags = kind_and_flags[1];
    header->topology = (lc_topology){.kind = (lc_topology_kind)kind_and_flags[0],
                                     .width_cells = get_signed(size),
                                     .height_cells = get_signed(size + 8),
                                     .shift_x_cells = get_signed(size + 16),
                                     .shift_y_cells = get_signed(size + 24),
                                     .twist_x = flags & LC_CHECKPOINT_TWIST_X,
                                     .twist_y = flags & LC_CHECKPOINT_TWIST_Y};
    header->background = flags & LC_CHECKPOINT_BACKGROUND;
    header->has_squares = flags & LC_CHECKPOINT_SQUARES;
}

// Checks the number of rank files: each has at least one row of a bounded board. Returns NULL, or
// the fault.
static const char *refuse_rank_files(const lc_checkpoint_header *header, uint64_t *at,
                                     uint64_t rank_files_at, uint64_t size_at, uint64_t id_at)
{
    const lc_topology *t = &header->topology;
    *at = id_at;
    if (header->rank_files == 0)
        return header->id != 0 ? "a reserved field" : NULL;
    if (header->id == 0)
        return "the number of the checkpoint";
    *at = size_at;
    if (t->width_cells == 0 || t->height_cells == 0)
        return "an unbounded universe in rank files";
    *at = rank_files_at;
    return header->rank_files > t->height_cells ? "the number of rank files" : NULL;
}

// Reads a header of version 2 or 3. Returns NULL, or the fault.
static const char *decode_old(lc_checkpoint_header *header, const uint8_t *bytes, uint64_t *at)
{
    lc_rule_value rule = {.family = bytes[OLD_RULE],
                          .totalistic = bytes[OLD_RULE] == LC_FAMILY_TOTALISTIC,
                          .last_state = 1,
                          .symmetry = bytes[OLD_RULE + 1],
                          .counts = {(uint16_t)lc_get_bytes(bytes + OLD_RULE + 6, 2),
                                     (uint16_t)lc_get_bytes(bytes + OLD_RULE + 8, 2)}};
    memcpy(rule.table, bytes + OLD_TABLE, sizeof rule.table);
    header->rank_files = (uint32_t)lc_get_bytes(bytes + OLD_RANK_FILES, 4);
    header->id = lc_get_bytes(bytes + OLD_ID, 8);
    header->generation = lc_get_count(bytes + OLD_GENERATION);
    get_topology(header, bytes + OLD_TOPOLOGY, bytes + OLD_SIZE);
    *at = OLD_RULE;
    if (lc_get_bytes(bytes + OLD_RULE + 2, 2) != OLD_STATES ||
        lc_get_bytes(bytes + OLD_RULE + 4, 2) != OLD_REACH || !lc_value_is_valid(&rule))
        return "the rule";
    lc_value_format(&rule, header->rule_text);
    const char *what = lc_checkpoint_refuses(header, bytes[OLD_TOPOLOGY], bytes[OLD_TOPOLOGY + 1],
                                             KNOWN_FLAGS, at, OLD_RULE, OLD_TOPOLOGY);
    if (what != NULL)
        return what;
    *at = OLD_RANK_FILES;
    if ((header->rank_files > 0) != (header->version == 3))
        return header->rank_files > 0 ? "a reserved field" : "the number of rank files";
    return refuse_rank_files(header, at, OLD_RANK_FILES, OLD_SIZE, OLD_ID);
}

// Reads a header of version 4. Returns NULL, or the fault.
static const char *decode_text(lc_checkpoint_header *header, const uint8_t *bytes, uint64_t *at)
{
    const uint64_t rule_bytes = lc_get_bytes(bytes + HEADER_RULE_BYTES, 4);
    header->rank_files = (uint32_t)lc_get_bytes(bytes + HEADER_RANK_FILES, 4);
    header->id = lc_get_bytes(bytes + HEADER_ID, 8);
    header->generation = lc_get_count(bytes + HEADER_GENERATION);
    get_topology(header, bytes + HEADER_TOPOLOGY, bytes + HEADER_SIZE);
    *at = HEADER_RULE_BYTES;
    if (rule_bytes >= LC_RULE_TEXT_BYTES || header_bytes_of(rule_bytes) != header->bytes)
        return "the length of the rule";
    memcpy(header->rule_text, bytes + HEADER_RULE, (size_t)rule_bytes);
    *at = HEADER_RULE;
    if (strlen(header->rule_text) != rule_bytes)
        return "the rule";
    for (*at = HEADER_RULE + rule_bytes; *at < header->bytes - CHECKSUM_BYTES; ++*at)
        if (bytes[*at] != 0)
            return "a reserved field";
    for (*at = HEADER_RESERVED; *at < HEADER_SIZE; ++*at)
        if (bytes[*at] != 0)
            return "a reserved field";
    const char *what =
        lc_checkpoint_refuses(header, bytes[HEADER_TOPOLOGY], bytes[HEADER_TOPOLOGY + 1],
                              KNOWN_FLAGS, at, HEADER_RULE, HEADER_TOPOLOGY);
    return what != NULL ? what
                        : refuse_rank_files(header, at, HEADER_RANK_FILES, HEADER_SIZE, HEADER_ID);
}

lc_status lc_checkpoint_decode(lc_checkpoint_header *header, const uint8_t *bytes,
                               uint32_t header_bytes, lc_message *message)
{
    const uint32_t checksum_at = header_bytes - CHECKSUM_BYTES;
    uint64_t at;
    *header = (lc_checkpoint_header){.version = (uint32_t)lc_get_bytes(bytes + 8, 4),
                                     .bytes = header_bytes,
                                     .checksum = lc_get_bytes(bytes + checksum_at, 8)};
    if (header->checksum != XXH64(bytes, checksum_at, 0))
        return lc_checkpoint_damaged(message, checksum_at,
                                     "the header does not have the checksum that stands there");
    const char *what =
        header->version < 4 ? decode_old(header, bytes, &at) : decode_text(header, bytes, &at);
    return what == NULL ? LC_OK : lc_checkpoint_invalid(message, at, what);
}

bool lc_checkpoint_is_part(const uint8_t bytes[4])
{
    return memcmp(bytes, part_magic, sizeof part_magic) == 0;
}

bool lc_checkpoint_is_trailer(const uint8_t bytes[8])
{
    return memcmp(bytes, end_magic, sizeof end_magic) == 0;
}

// Finds the start and length in cells of a part's area in one direction, from `first` and `count`
// in units of so many cells, in square `square` of the grid. Returns false if no such area exists.
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
    *part = (lc_checkpoint_part){.planes = lc_planes_for(header->states),
                                 .population = lc_get_bytes(bytes + 32, 8),
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
