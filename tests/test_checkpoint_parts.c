// Parts of checkpoints: in any order, from any number of writers, without the empty ones; and what
// is said when they do not belong together. Files are taken apart and put together here, with right
// checksums wherever one belongs, by the text of checkpoint_format.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include <cmocka.h>

#include "checkpoint/checkpoint_format.h"
#include "lightcone/lightcone.h"
#include "support_checkpoint.h"
#include "support_facts.h"
#include "support_universe.h"

enum { HEADER = 120, HEAD = 64, TRAILER = 80, MOST_PARTS = 16, MOST_BYTES = 1 << 16 };

typedef struct part {
    uint8_t head[HEAD];
    uint8_t frame[4096];
    size_t frame_bytes;
} part;

typedef struct file {
    uint8_t header[HEADER], trailer[TRAILER];
    part parts[MOST_PARTS];
    size_t count;
    size_t starts[MOST_PARTS + 1]; // of the parts and the trailer, as put together
    uint8_t bytes[MOST_BYTES];
    size_t size_bytes;
} file;

static void take_apart(file *f)
{
    size_t size_bytes;
    uint8_t *bytes = test_checkpoint_bytes(&size_bytes);
    size_t at = HEADER;
    memcpy(f->header, bytes, HEADER);
    for (f->count = 0; memcmp(bytes + at, "PART", 4) == 0; f->count++) {
        assert_true(f->count < MOST_PARTS);
        part *p = &f->parts[f->count];
        memcpy(p->head, bytes + at, HEAD);
        p->frame_bytes = test_take(bytes + at + 4, 4);
        assert_true(p->frame_bytes <= sizeof p->frame);
        memcpy(p->frame, bytes + at + HEAD, p->frame_bytes);
        at += HEAD + p->frame_bytes;
    }
    assert_int_equal(size_bytes, at + TRAILER);
    memcpy(f->trailer, bytes + at, TRAILER);
    free(bytes);
}

static uint64_t header_checksum(const file *f)
{
    return test_take(f->header + HEADER - 8, 8);
}

static void seal_trailer(file *f)
{
    test_put(f->trailer + 72, XXH64(f->trailer, 72, header_checksum(f)), 8);
    memcpy(f->bytes + f->starts[f->count], f->trailer, TRAILER);
}

// Puts the file together, as writers would that know nothing of each other's parts.
static void put_together(file *f)
{
    uint64_t sum = 0, population = 0, hash = 0;
    size_t at = HEADER;
    test_put(f->header + HEADER - 8, XXH64(f->header, HEADER - 8, 0), 8);
    memcpy(f->bytes, f->header, HEADER);
    for (size_t i = 0; i < f->count; i++) {
        part *p = &f->parts[i];
        const uint64_t checksum = XXH64(p->head, HEAD - 8, header_checksum(f));
        test_put(p->head + HEAD - 8, checksum, 8);
        f->starts[i] = at;
        memcpy(f->bytes + at, p->head, HEAD);
        memcpy(f->bytes + at + HEAD, p->frame, p->frame_bytes);
        at += HEAD + p->frame_bytes;
        sum += checksum;
        population += test_take(p->head + 32, 8);
        hash = lc_hash_joined(hash, test_take(p->head + 40, 8));
    }
    memset(f->trailer, 0, TRAILER);
    memcpy(f->trailer, "LCSTEND2", 8);
    test_put(f->trailer + 8, at + TRAILER, 8);
    test_put(f->trailer + 16, f->count, 8);
    test_put(f->trailer + 24, sum, 8);
    test_put(f->trailer + 32, population, 8);
    test_put(f->trailer + 64, hash, 8);
    f->starts[f->count] = at;
    seal_trailer(f);
    f->size_bytes = at + TRAILER;
}

// Gives a part other cells: `words` words, row by row, that its area has room for.
static void set_cells(part *p, const uint64_t *words, size_t count)
{
    uint8_t bytes[1024];
    assert_true(count * 8 <= sizeof bytes);
    for (size_t i = 0; i < count; i++)
        test_put(bytes + 8 * i, words[i], 8);
    p->frame_bytes = ZSTD_compress(p->frame, sizeof p->frame, bytes, 8 * count, 3);
    assert_false(ZSTD_isError(p->frame_bytes));
    test_put(p->head + 4, p->frame_bytes, 4);
    test_put(p->head + 48, XXH64(p->frame, p->frame_bytes, 0), 8);
}

static void put_area(part *p, int64_t column, int64_t row, const unsigned area[4])
{
    test_put(p->head + 8, (uint64_t)column, 8);
    test_put(p->head + 16, (uint64_t)row, 8);
    for (int i = 0; i < 4; i++)
        test_put(p->head + 24 + 2 * i, area[i], 2);
}

static const lc_topology board = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 200};

static lc_universe *with_cells(lc_topology topology, const int64_t cells[][2], size_t count)
{
    lc_universe *universe = test_create("simd", LIFE, topology, 0);
    for (size_t i = 0; i < count; i++)
        test_set(universe, cells[i][0], cells[i][1]);
    test_checkpoint_write(universe);
    return universe;
}

// A file of such a universe, in pieces.
static void take_apart_new(file *f, lc_topology topology, const int64_t cells[][2], size_t count)
{
    lc_universe *universe = with_cells(topology, cells, count);
    lc_universe_destroy(&universe);
    take_apart(f);
}

// A file of five parts on both sides of (0, 0), some far from the others.
static const int64_t scattered[][2] = {{-1, -1}, {0, -1},   {-1, 0},  {3, 3},
                                       {4, 3},   {9000, 5}, {9000, 6}};
enum { SCATTERED = sizeof scattered / sizeof scattered[0] };

static void check_restored(const lc_universe *universe)
{
    lc_message message = {0};
    lc_universe *again = NULL;
    if (test_checkpoint_restore(&again, "simd", 0, &message) != LC_OK)
        fail_msg("byte %llu: %s", (unsigned long long)message.offset, message.text);
    test_checkpoint_same(universe, again);
    lc_universe_destroy(&again);
}

static void test_empty_parts_are_left_out(void **state)
{
    (void)state;
    static file f;
    lc_universe *universe = with_cells(infinite_plane, scattered, SCATTERED);
    take_apart(&f);
    assert_int_equal(f.count, 5);
    const uint8_t two[8] = {2};
    const part *far = &f.parts[4];
    assert_int_equal(test_take(far->head + 8, 8), 2);
    assert_int_equal(test_take(far->head + 16, 8), 0);
    assert_int_equal(test_take(far->head + 24, 2), (9000 - 8192) / 64);
    assert_int_equal(test_take(far->head + 26, 2), 1);
    assert_int_equal(test_take(far->head + 28, 2), 5);
    assert_memory_equal(far->head + 30, two, 2);
    assert_memory_equal(far->head + 32, two, 8); // and its population
    assert_int_equal(test_take(far->head + 40, 8),
                     lc_hash_joined(lc_hash_moved(1, 9000, 5), lc_hash_moved(1, 9000, 6)));
    // What is put together here is what was written, byte by byte.
    size_t size_bytes;
    uint8_t *bytes = test_checkpoint_bytes(&size_bytes);
    put_together(&f);
    assert_int_equal(f.size_bytes, size_bytes);
    assert_memory_equal(f.bytes, bytes, size_bytes);
    free(bytes);
    lc_universe_destroy(&universe);

    // A whole board of dead cells costs nothing.
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 12000, .height_cells = 20000};
    const int64_t corners[][2] = {{0, 0}, {11999, 19999}};
    universe = with_cells(large, corners, 2);
    take_apart(&f);
    assert_int_equal(f.count, 2);
    check_restored(universe);
    lc_universe_destroy(&universe);
}

static void test_any_order(void **state)
{
    (void)state;
    static file f, other;
    lc_universe *universe = with_cells(infinite_plane, scattered, SCATTERED);
    take_apart(&f);
    for (size_t shift = 0; shift < f.count; shift++)
        for (int back = 0; back < 2; back++) {
            other = f;
            for (size_t i = 0; i < f.count; i++)
                other.parts[i] = f.parts[((back ? f.count - 1 - i : i) + shift) % f.count];
            put_together(&other);
            test_checkpoint_replace(other.bytes, other.size_bytes);
            check_restored(universe);
        }
    lc_universe_destroy(&universe);
}

static uint64_t refused(file *f, const char *what, size_t number)
{
    return test_checkpoint_refused(f->bytes, f->size_bytes, what, number);
}

// Heads of parts with right checksums that say what cannot be, or what is not so.
static void test_forged_heads(void **state)
{
    (void)state;
    static file whole, f;
    const struct {
        size_t at;
        int count;
        uint64_t value;
        size_t offset; // in the part
    } cases[] = {
        {4, 4, 1 << 20, 4},               // more bytes than one word can need
        {8, 8, UINT64_MAX, 8},            // left of the board
        {8, 8, 1, 8},                     // right of it
        {8, 8, UINT64_C(1) << 62, 8},     // nowhere
        {16, 8, (uint64_t)INT64_MIN, 16}, //
        {16, 8, 1, 16},                   // below the board
        {24, 2, 5, 8},                    // words beyond its edge
        {24, 2, 64, 8},                   // or beyond the square's
        {26, 2, 0, 8},                    // no word
        {26, 2, 65, 8},                   //
        {26, 2, 2, HEAD},                 // another size than that of the frame
        {28, 2, 200, 16},                 // rows beyond the edge
        {30, 2, 0, 16},                   // no row
        {30, 2, 201, 16},                 //
        {30, 2, 3, HEAD},                 //
        {32, 8, 0, 32},                   // no live cell
        {32, 8, 1, 32},                   // too few
        {32, 8, 4, 32},                   // too many
        {32, 8, 129, 32},                 // more than cells
        {40, 8, 0, 40},                   // the hash of nothing
        {40, 8, 5, 40},                   //
        {28, 2, 7, 40},                   // of cells that lie elsewhere
        {48, 8, 5, 48},                   // the checksum of another frame
    };
    const int64_t cells[][2] = {{70, 5}, {71, 5}, {72, 6}};
    take_apart_new(&whole, board, cells, 3);
    assert_int_equal(whole.count, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f = whole;
        test_put(f.parts[0].head + cases[i].at, cases[i].value, cases[i].count);
        put_together(&f);
        assert_int_equal(refused(&f, "a forged head", i), HEADER + cases[i].offset);
    }
    // A frame that is none.
    f = whole;
    memset(f.parts[0].frame, 'x', f.parts[0].frame_bytes);
    test_put(f.parts[0].head + 48, XXH64(f.parts[0].frame, f.parts[0].frame_bytes, 0), 8);
    put_together(&f);
    assert_int_equal(refused(&f, "a forged frame", 0), HEADER + HEAD);
    // A frame that goes on behind the end of the file.
    f = whole;
    f.parts[0].frame_bytes = 3;
    put_together(&f);
    f.size_bytes = HEADER + HEAD + 3;
    assert_int_equal(refused(&f, "a short frame", 0), f.size_bytes);
}

// Cells of a part's last word beyond the edge of the board: its head may be right, the board is
// not.
static void test_cells_beyond_the_edge(void **state)
{
    (void)state;
    static file f;
    const int64_t cells[][2] = {{260, 5}};
    const unsigned area[4] = {4, 1, 5, 1};
    lc_universe *universe;
    take_apart_new(&f, board, cells, 1);
    put_area(&f.parts[0], 0, 0, area);
    for (int beyond = 0; beyond < 2; beyond++) {
        const uint64_t word = 1u << 4 | (beyond ? UINT64_C(1) << 44 : 0); // cells 260 and 300
        const uint64_t hash = lc_hash_moved(1, 260, 5);
        set_cells(&f.parts[0], &word, 1);
        test_put(f.parts[0].head + 32, beyond ? 2 : 1, 8);
        test_put(f.parts[0].head + 40,
                 beyond ? lc_hash_joined(hash, lc_hash_moved(1, 300, 5)) : hash, 8);
        put_together(&f);
        if (beyond) {
            assert_int_equal(refused(&f, "a cell beyond the edge", 0), f.starts[1] + 32);
        } else {
            test_checkpoint_replace(f.bytes, f.size_bytes);
            universe = NULL;
            assert_int_equal(test_checkpoint_restore(&universe, "auto", 0, NULL), LC_OK);
            assert_true(test_get(universe, 260, 5));
            lc_universe_destroy(&universe);
        }
    }
}

static void test_twice(void **state)
{
    (void)state;
    static file whole, f;
    take_apart_new(&whole, infinite_plane, scattered, SCATTERED);
    for (size_t i = 0; i < whole.count; i++) {
        f = whole;
        f.parts[f.count++] = whole.parts[i];
        put_together(&f);
        assert_int_equal(refused(&f, "the same part again", i), f.starts[whole.count] + 8);
    }
    // Of the same square, and other cells.
    const unsigned area[4] = {5, 1, 7, 1};
    const uint64_t word = 1;
    f = whole;
    f.count = 3;
    f.parts[1] = f.parts[0];
    put_area(&f.parts[1], -1, -1, area);
    set_cells(&f.parts[1], &word, 1);
    test_put(f.parts[1].head + 32, 1, 8);
    test_put(f.parts[1].head + 40, lc_hash_moved(1, -4096 + 5 * 64, -2048 + 7), 8);
    put_together(&f);
    assert_int_equal(refused(&f, "the same square", 0), f.starts[1] + 8);
}

// Trailers with a right checksum that are of another file.
static void test_forged_trailers(void **state)
{
    (void)state;
    static file whole, f;
    static const size_t fields[] = {8, 16, 24, 32, 40, 48, 56, 64};
    lc_universe *universe = with_cells(infinite_plane, scattered, SCATTERED);
    take_apart(&whole);
    put_together(&whole);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (int less = 0; less < 2; less++) {
            f = whole;
            test_put(f.trailer + fields[i],
                     test_take(f.trailer + fields[i], 8) + (less ? UINT64_MAX : 1), 8);
            seal_trailer(&f);
            const size_t offset = fields[i] > 32 && fields[i] < 64 ? 32 : fields[i];
            assert_int_equal(refused(&f, "a trailer", fields[i]), f.starts[f.count] + offset);
        }
    // A part is missing, or one too many is there, and the trailer knows only the length.
    for (int more = 0; more < 2; more++) {
        f = whole;
        f.count = more ? whole.count : whole.count - 1;
        if (more) {
            const unsigned area[4] = {0, 1, 0, 1};
            const uint64_t word = 1;
            f.parts[f.count] = f.parts[0];
            put_area(&f.parts[f.count], 0, 1, area);
            set_cells(&f.parts[f.count], &word, 1);
            test_put(f.parts[f.count].head + 32, 1, 8);
            test_put(f.parts[f.count].head + 40, lc_hash_moved(1, 0, 2048), 8);
            f.count++;
        }
        put_together(&f);
        memcpy(f.trailer + 16, whole.trailer + 16, 56);
        seal_trailer(&f);
        assert_int_equal(refused(&f, "another number of parts", 0), f.starts[f.count] + 16);
    }
    // The extra part itself is fine.
    put_together(&f);
    test_checkpoint_replace(f.bytes, f.size_bytes);
    test_set(universe, 0, 2048);
    check_restored(universe);

    // Something follows the end: the trailer again, say.
    f = whole;
    memcpy(f.bytes + f.size_bytes, f.trailer, TRAILER);
    f.size_bytes += TRAILER;
    assert_int_equal(refused(&f, "two trailers", 0), whole.size_bytes);
    lc_universe_destroy(&universe);
}

// A part or a trailer of another checkpoint, right in itself.
static void test_parts_of_another_file(void **state)
{
    (void)state;
    static file first, second, f;
    lc_universe *universe = with_cells(infinite_plane, scattered, SCATTERED);
    take_apart(&first);
    put_together(&first);
    lc_universe_set_generation(universe, lc_count_of(1)); // the same cells
    test_checkpoint_write(universe);
    take_apart(&second);
    put_together(&second);
    lc_universe_destroy(&universe);
    f = first;
    memcpy(f.bytes + f.starts[2], second.bytes + f.starts[2], f.starts[3] - f.starts[2]);
    assert_int_equal(refused(&f, "a part of another file", 2), f.starts[2] + 56);
    f = first;
    memcpy(f.bytes + f.starts[f.count], second.bytes + f.starts[f.count], TRAILER);
    assert_int_equal(refused(&f, "a trailer of another file", 0), f.starts[f.count] + 72);
}

// Headers with right checksums that say what cannot be.
static void test_forged_headers(void **state)
{
    (void)state;
    static file whole, f;
    const struct {
        size_t at;
        int count;
        uint64_t value;
        size_t offset;
    } cases[] = {
        {8, 4, 5, 8},      // version
        {8, 4, 0, 8},      //
        {12, 4, 128, 120}, // size of the header
        {12, 4, 119, 12},
        {12, 4, 8, 12},
        {12, 4, 1 << 20, 12},
        {16, 4, 1, 96},          // rank files without an id
        {20, 4, 0, 20},          // a rule of no length
        {20, 4, 5, 109},         // a byte behind the rule
        {20, 4, 7, 104},         // a 0 in the rule
        {20, 4, UINT32_MAX, 20}, //
        {24, 1, 9, 24},          // kind of topology
        {24, 1, LC_TOPOLOGY_SPHERE, 24},
        {25, 1, 4, 25},                // a live background without B0
        {25, 1, 8, 120},               // squares, but a part stands there
        {25, 1, 16, 25},               // a flag that is none
        {26, 2, 1, 26},                // reserved
        {31, 1, 1, 31},                //
        {32, 8, UINT64_MAX, 24},       // negative width
        {48, 8, 5, 24},                // a shift of an unbounded edge
        {96, 8, 1, 96},                // an id without rank files
        {104, 1, 'X', 104},            // no rule
        {105, 1, '9', 104},            //
        {104, 6, 0x33322f334262, 104}, // "bB3/23"
        {104, 6, 0x33322f336273, 104}, // "sb3/23"
        {110, 1, ' ', 110},            // reserved
    };
    take_apart_new(&whole, infinite_plane, scattered, SCATTERED);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f = whole;
        test_put(f.header + cases[i].at, cases[i].value, cases[i].count);
        put_together(&f);
        assert_int_equal(refused(&f, "a forged header", cases[i].at), cases[i].offset);
    }
}

// Headers of version 2 with right checksums that say what cannot be, and one that is right.
static void test_forged_old_headers(void **state)
{
    (void)state;
    enum { OLD_HEADER = 176 };
    static const struct {
        size_t at;
        int count;
        uint64_t value;
        size_t offset;
    } cases[] = {
        {16, 1, 7, 16},                // family
        {16, 1, LC_FAMILY_MAP, 16},    // a map without a table
        {17, 1, LC_SYMMETRY_NONE, 16}, // not the rule's symmetry
        {18, 2, 3, 16},                // states
        {20, 2, 2, 16},                // reach
        {22, 2, 1 << 9, 16},           // birth with 9 neighbours
        {24, 2, 1 << 15, 16},          // survival with 15
        {32, 8, 1, 16},                // a table that a totalistic rule does not have
        {26, 1, 9, 26},                // kind of topology
        {26, 1, LC_TOPOLOGY_SPHERE, 26},
        {27, 1, 4, 27},          // a live background without B0
        {27, 1, 16, 27},         // a flag that is none
        {28, 4, 1, 28},          // rank files in version 2
        {8, 4, 3, 28},           // version 3 without rank files
        {96, 8, UINT64_MAX, 26}, // negative width
        {112, 8, 5, 26},         // a shift of an unbounded edge
        {160, 8, 1, 160},        // an id without rank files
    };
    const uint8_t rule[] = {
        LC_FAMILY_TOTALISTIC, LC_SYMMETRY_ALL, 2, 0, 1, 0, 1 << 3, 0, 3 << 2, 0};
    lc_checkpoint_header header;
    lc_message message = {0};
    for (size_t i = 0; i <= sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[OLD_HEADER] = "LCSTATE1";
        const bool is_right = i == sizeof cases / sizeof cases[0];
        uint32_t header_bytes;
        test_put(bytes + 8, 2, 4);
        test_put(bytes + 12, OLD_HEADER, 4);
        memcpy(bytes + 16, rule, sizeof rule);
        if (!is_right)
            test_put(bytes + cases[i].at, cases[i].value, cases[i].count);
        test_put(bytes + 168, XXH64(bytes, 168, 0), 8);
        assert_int_equal(lc_checkpoint_measure_header(bytes, &header_bytes, &message), LC_OK);
        assert_int_equal(header_bytes, OLD_HEADER);
        assert_int_equal(lc_checkpoint_decode(&header, bytes, header_bytes, &message),
                         is_right ? LC_OK : LC_ERROR_FORMAT);
        if (is_right)
            assert_string_equal(header.rule_text, "B3/S23");
        else
            assert_int_equal(message.offset, cases[i].offset);
    }
}

// A generation beyond 64 bits stands in the header, least byte first, and comes back.
static void test_late_generations(void **state)
{
    (void)state;
    static file f;
    const lc_count late = {{UINT64_MAX, 3, 0, UINT64_C(1) << 63}};
    lc_message message = {0};
    lc_universe *universe = with_cells(infinite_plane, scattered, SCATTERED);
    lc_universe_set_generation(universe, late);
    test_checkpoint_write(universe);
    take_apart(&f);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(f.header[64 + i], (uint8_t)(late.words[i / 8] >> i % 8 * 8));
    lc_universe *again;
    assert_int_equal(test_checkpoint_restore(&again, "auto", 0, &message), LC_OK);
    assert_int_equal(lc_count_compare(lc_universe_generation(again), late), 0);
    assert_int_equal(test_hash(again), test_hash(universe));
    lc_universe_destroy(&universe);
    lc_universe_destroy(&again);
}

// Files that are whole and ask for more than is allowed: nothing is asked for.
static void test_limits(void **state)
{
    (void)state;
    static file whole, f;
    lc_message message = {0};
    lc_universe *universe;
    take_apart_new(&whole, infinite_plane, scattered, SCATTERED);
    assert_int_equal(test_checkpoint_restore(&universe, "auto", 40000, &message), LC_ERROR_LIMIT);
    assert_null(universe);
    // Two cells, and all of the plane between them.
    static const int64_t far[] = {1 << 20, INT64_C(1) << 50};
    for (size_t i = 0; i < 2; i++) {
        f = whole;
        test_put(f.parts[4].head + 8, (uint64_t)far[i], 8);
        put_together(&f);
        test_checkpoint_replace(f.bytes, f.size_bytes);
        if (i == 0) {
            assert_int_equal(
                test_checkpoint_restore(&universe, "simd", (uint64_t)1 << 30, &message),
                LC_ERROR_LIMIT);
            assert_null(universe);
        } else { // word 12 of the last column is beyond all coordinates
            assert_int_equal(refused(&f, "a place", i), f.starts[4] + 8);
        }
    }
    // A board without a live cell, larger than allowed, unless only what lives takes memory.
    f = whole;
    f.count = 0;
    f.header[24] = LC_TOPOLOGY_TORUS;
    test_put(f.header + 32, UINT64_C(1) << 30, 8);
    test_put(f.header + 40, UINT64_C(1) << 30, 8);
    put_together(&f);
    test_checkpoint_replace(f.bytes, f.size_bytes);
    assert_int_equal(test_checkpoint_restore(&universe, "simd", (uint64_t)1 << 30, &message),
                     LC_ERROR_LIMIT);
    assert_null(universe);
    assert_int_equal(test_checkpoint_restore(&universe, "auto", (uint64_t)1 << 30, &message),
                     LC_OK);
    assert_int_equal(test_population(universe), 0);
    lc_universe_destroy(&universe);
}

// Hundreds of parts, so that the list of them grows; and even that keeps to the limit.
static void test_many_parts(void **state)
{
    (void)state;
    const lc_topology wide = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 4096 * 300, .height_cells = 3};
    lc_universe *universe = test_create("simd", LIFE, wide, 0), *again = NULL;
    for (int64_t x = 0; x < wide.width_cells; x += 4096)
        test_set(universe, x + x / 4096, 1);
    test_checkpoint_write(universe);
    lc_message message = {0};
    assert_int_equal(test_checkpoint_restore(&again, "simd", 0, &message), LC_OK);
    assert_int_equal(test_population(again), 300);
    assert_int_equal(test_hash(again), test_hash(universe));
    lc_universe_destroy(&again);
    assert_int_equal(test_checkpoint_restore(&again, "simd", 20000, &message), LC_ERROR_LIMIT);
    assert_non_null(strstr(message.text, "out of memory: a list of more than"));
    assert_null(again);
    lc_universe_destroy(&universe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_parts_are_left_out),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_forged_heads),
        cmocka_unit_test(test_cells_beyond_the_edge),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_forged_trailers),
        cmocka_unit_test(test_parts_of_another_file),
        cmocka_unit_test(test_forged_headers),
        cmocka_unit_test(test_forged_old_headers),
        cmocka_unit_test(test_late_generations),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_many_parts),
    };
    return cmocka_run_group_tests(tests, test_checkpoint_set_up, test_checkpoint_tear_down);
}
