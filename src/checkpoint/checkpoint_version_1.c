// Reads checkpoints of version 1, which are no longer written.
//
//     header    136 bytes, see below
//     part      once for each part of the area, in order, rows of parts from the top:
//                 0  u32  bytes of the zstd frame
//                 4  u32  bytes of the cells in it
//                 8  u64  xxhash64 of the frame, seeded with the number of the part
//                16       one zstd frame
//     trailer     0  8    "LCSTEND1"
//                 8  u64  bytes of the whole file
//                16  u64  xxhash64 of all bytes before this one
//
//     header      0  8    "LCSTATE1"
//                 8  u32  version, 1
//                12  u32  bytes of the header, 136
//                16  u16  birth                       18  u16  survival
//                20  u8   kind of topology            21  u8   flags, LC_CHECKPOINT_...
//                22  u16  0
//                24  i64  width, 0: unbounded         32  i64  height
//                40  i64  shift_x                     48  i64  shift_y
//                56  u64  generation
//                64  i64  x of the area of cells, a multiple of 64     72  i64  y
//                80  i64  width of the area, 0: no live cell           88  i64  height
//                96  u64  population                 104  u64  hash, see hash_cells
//               112  u64  number of parts            120  u64  0
//               128  u64  xxhash64 of bytes 0 .. 127
//
// The area is the bounding box, widened to the left to a multiple of 64. A part is a rectangle of
// at most MOST_WORDS words: as many columns as fit, and then as many rows. The parts at the right
// and at the bottom are smaller.
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/memory.h"
#include "checkpoint/checkpoint_reader.h"
#include "rule/rule_value.h"

enum {
    HEADER_BYTES = 136,
    HEAD_BYTES = 16,
    TRAILER_BYTES = 24,
    MOST_WORDS = 1 << 17,
    MOST_COLUMNS = 1 << 14, // of words
    CHECKSUM_AT = 128,
    KNOWN_FLAGS = LC_CHECKPOINT_TWIST_X | LC_CHECKPOINT_TWIST_Y | LC_CHECKPOINT_BACKGROUND,
};

// The header -------------------------------------------------------------------------------------

// The area of the cells, and its parts.
typedef struct cut {
    int64_t x, y, width_cells, height_cells;
    int64_t part_words, part_rows;
    uint64_t across, count; // of parts
} cut;

// Returns false if there are too many parts to count.
static bool make_cut(cut *c)
{
    if (c->width_cells == 0)
        return true;
    const int64_t row_words = c->width_cells / 64 + (c->width_cells % 64 != 0);
    c->part_words = row_words < MOST_COLUMNS ? row_words : MOST_COLUMNS;
    c->part_rows = MOST_WORDS / c->part_words;
    c->across = (uint64_t)((row_words - 1) / c->part_words + 1);
    return lc_mul_u64(c->across, (uint64_t)((c->height_cells - 1) / c->part_rows + 1), &c->count);
}

static lc_checkpoint_part part_at(const cut *c, uint64_t index)
{
    const int64_t x = (int64_t)(index % c->across) * c->part_words * 64;
    const int64_t y = (int64_t)(index / c->across) * c->part_rows;
    const int64_t right = c->width_cells - x, below = c->height_cells - y;
    return (lc_checkpoint_part){
        .x = c->x + x,
        .y = c->y + y,
        .width_cells = right < c->part_words * 64 ? right : c->part_words * 64,
        .rows = below < c->part_rows ? below : c->part_rows,
        .planes = 1,
        .seed = index,
    };
}

// Checks the area and sets *c. Returns NULL, or the fault and its offset.
static const char *refuse_cells(const lc_checkpoint_header *header, cut *c, uint64_t population,
                                uint64_t parts, uint64_t *at)
{
    const lc_topology *t = &header->topology;
    uint64_t cells;
    *at = 64;
    if (population == 0
            ? (c->x | c->y | c->width_cells | c->height_cells) != 0
            : c->x % 64 != 0 || !lc_checkpoint_lies_within(t->width_cells, c->x, c->width_cells) ||
                  !lc_checkpoint_lies_within(t->height_cells, c->y, c->height_cells))
        return "the area of the cells";
    *at = 96;
    if (lc_mul_u64((uint64_t)c->width_cells, (uint64_t)c->height_cells, &cells) &&
        population > cells)
        return "the population";
    *at = 112;
    return !make_cut(c) || c->count != parts ? "the number of parts" : NULL;
}

static lc_status decode(lc_checkpoint_reader *r, const uint8_t bytes[HEADER_BYTES], cut *c)
{
    lc_checkpoint_header *header = &r->header;
    int64_t numbers[12];
    if (lc_get_bytes(bytes + CHECKSUM_AT, 8) != XXH64(bytes, CHECKSUM_AT, 0))
        return lc_checkpoint_damaged(r->message, CHECKSUM_AT,
                                     "the header does not have the checksum that stands there");
    for (size_t i = 0; i < 12; i++)
        numbers[i] = (int64_t)lc_get_bytes(bytes + 24 + 8 * i, 8);
    *header = (lc_checkpoint_header){
        .version = 1,
        .topology = {.kind = (lc_topology_kind)bytes[20],
                     .width_cells = numbers[0],
                     .height_cells = numbers[1],
                     .shift_x_cells = numbers[2],
                     .shift_y_cells = numbers[3],
                     .twist_x = bytes[21] & LC_CHECKPOINT_TWIST_X,
                     .twist_y = bytes[21] & LC_CHECKPOINT_TWIST_Y},
        .background = bytes[21] & LC_CHECKPOINT_BACKGROUND,
        .generation = lc_count_of((uint64_t)numbers[4]),
    };
    const lc_rule_value rule = lc_value_from_counts(
        (lc_counts){(uint16_t)lc_get_bytes(bytes + 16, 2), (uint16_t)lc_get_bytes(bytes + 18, 2)});
    if (lc_value_is_valid(&rule)) // otherwise the text is empty and refused
        lc_value_format(&rule, header->rule_text);
    *c = (cut){
        .x = numbers[5], .y = numbers[6], .width_cells = numbers[7], .height_cells = numbers[8]};
    const uint64_t population = (uint64_t)numbers[9];
    r->totals.population = lc_count_of(population);
    r->totals.hash = (uint64_t)numbers[10];
    r->population_at = 96;
    r->hash_at = 104;

    // The checksum is right, so another program made the file.
    uint64_t at = 12;
    const char *what = "the size of the header";
    if (lc_get_bytes(bytes + 12, 4) == HEADER_BYTES)
        what = lc_checkpoint_refuses(header, bytes[20], bytes[21], KNOWN_FLAGS, &at, 16, 20);
    if (what == NULL)
        what = refuse_cells(header, c, population, (uint64_t)numbers[11], &at);
    if (what == NULL && lc_get_bytes(bytes + 22, 2) != 0)
        at = 22, what = "a reserved field";
    if (what == NULL && lc_get_bytes(bytes + 120, 8) != 0)
        at = 120, what = "a reserved field";
    return what == NULL ? LC_OK : lc_checkpoint_invalid(r->message, at, what);
}

// The heads --------------------------------------------------------------------------------------

static lc_status look_at_trailer(const lc_checkpoint_reader *r, uint64_t start)
{
    uint8_t trailer[TRAILER_BYTES];
    const lc_status status = lc_checkpoint_take(r, start, trailer, sizeof trailer, r->message);
    if (status != LC_OK)
        return status;
    if (memcmp(trailer, "LCSTEND1", 8) != 0)
        return lc_checkpoint_damaged(r->message, start, "the trailer is not there");
    if (lc_get_bytes(trailer + 8, 8) != start + sizeof trailer)
        return lc_checkpoint_damaged(r->message, start + 8,
                                     "the file does not have the length that stands there");
    if (r->size_bytes != start + sizeof trailer)
        return lc_checkpoint_damaged(r->message, start + sizeof trailer,
                                     "something follows the end");
    return LC_OK;
}

lc_status lc_checkpoint_look_at_version_1(lc_checkpoint_reader *r)
{
    uint8_t bytes[HEADER_BYTES];
    cut c;
    lc_status status = lc_checkpoint_take(r, 0, bytes, sizeof bytes, r->message);
    if (status == LC_OK)
        status = decode(r, bytes, &c);
    if (status != LC_OK)
        return status;
    uint64_t at = sizeof bytes;
    for (uint64_t i = 0; i < c.count; i++) {
        uint8_t head[HEAD_BYTES];
        status = lc_checkpoint_take(r, at, head, sizeof head, r->message);
        if (status != LC_OK)
            return status;
        lc_checkpoint_part part = part_at(&c, i);
        part.start = at;
        part.frame_start = at + sizeof head;
        part.frame_bytes = lc_get_bytes(head, 4);
        part.checksum = lc_get_bytes(head + 8, 8);
        part.checksum_at = at + 8;
        if (part.frame_bytes > ZSTD_compressBound(lc_part_size_bytes(&part)))
            return lc_checkpoint_damaged(r->message, at, "a part is larger than it can be");
        if (lc_get_bytes(head + 4, 4) != lc_part_size_bytes(&part))
            return lc_checkpoint_damaged(r->message, at + 4,
                                         "a part does not have the size that its place asks for");
        status = lc_checkpoint_list(r, &part);
        if (status != LC_OK)
            return status;
        at = part.frame_start + part.frame_bytes;
    }
    return look_at_trailer(r, at);
}

// At the end -------------------------------------------------------------------------------------

static uint64_t row_key(int64_t y)
{
    uint64_t key = (uint64_t)y * 0x9fb21c651e98df25u + 0x632be59bd9b4e019u;
    key ^= key >> 32;
    return key * 0xd6e8feb86659fd93u;
}

static uint64_t summand(uint64_t word, uint64_t key)
{
    uint64_t h = word ^ key;
    h ^= h >> 32;
    h *= 0xe9846af9b1a615d5u;
    h ^= h >> 29;
    h *= 0x9e6c63d0676a9a99u;
    h ^= h >> 32;
    return word != 0 ? h : 0;
}

// Computes the hash of version 1: the sum, over all words of 64 cells, of the word mixed with its
// place.
static lc_status hash_cells(const lc_checkpoint_reader *r, lc_box box, uint64_t *hash)
{
    const uint64_t column_factor = 0xc2b2ae3d27d4eb4fu;
    uint64_t span[LC_SPAN_WORDS];
    *hash = 0;
    for (int64_t y = box.y; y < box.y + box.height_cells; y++) {
        const int64_t end = box.x + box.width_cells;
        for (int64_t x = box.x & ~INT64_C(63); x < end; x += LC_SPAN_CELLS) {
            const int64_t width = end - x < LC_SPAN_CELLS ? end - x : LC_SPAN_CELLS;
            const lc_cells cells = lc_row_cells(x, y, width, span);
            const lc_status status = lc_universe_read(r->universe, &cells, r->message);
            if (status != LC_OK)
                return status;
            for (int64_t i = 0; i < (width + 63) / 64; i++)
                *hash += summand(span[i], row_key(y) + (uint64_t)(x / 64 + i) * column_factor);
        }
    }
    return LC_OK;
}

static lc_status check_file(const lc_checkpoint_reader *r, XXH64_state_t *state)
{
    const uint64_t end = r->size_bytes - 8;
    uint8_t piece[LC_SPAN_WORDS * 8];
    (void)XXH64_reset(state, 0);
    for (uint64_t at = 0; at < end; at += sizeof piece) {
        const size_t count = end - at < sizeof piece ? (size_t)(end - at) : sizeof piece;
        const lc_status status = lc_checkpoint_take(r, at, piece, count, r->message);
        if (status != LC_OK)
            return status;
        (void)XXH64_update(state, piece, count);
    }
    const lc_status status = lc_checkpoint_take(r, end, piece, 8, r->message);
    if (status == LC_OK && lc_get_bytes(piece, 8) != XXH64_digest(state))
        return lc_checkpoint_damaged(r->message, end,
                                     "the file does not have the checksum that stands there");
    return status;
}

lc_status lc_checkpoint_check_version_1(const lc_checkpoint_reader *r, lc_box box)
{
    uint64_t hash;
    lc_status status = hash_cells(r, box, &hash);
    if (status != LC_OK)
        return status;
    if (hash != r->totals.hash)
        return lc_checkpoint_damaged(r->message, r->hash_at,
                                     "the cells do not have the hash that stands there");
    XXH64_state_t *state = XXH64_createState();
    if (state == NULL)
        return lc_fail_memory(r->message, "reading a checkpoint");
    status = check_file(r, state);
    (void)XXH64_freeState(state);
    return status;
}
