// Checkpoints: what is restored is what was written, and no damage goes unseen.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "support_facts.h"
#include "support_universe.h"

static char directory[] = "/tmp/lightcone-checkpoint-XXXXXX";
static char path[128];

static int set_up(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/state.lcs", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory); // fails if a temporary file was left behind
}

static lc_universe *create(const char *engine, lc_rule rule, lc_topology topology)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = rule,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = 2};
    lc_universe *universe = NULL;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        fail_msg("create: %s", message.text);
    return universe;
}

static void write_checkpoint(const lc_universe *universe)
{
    lc_message message = {0};
    if (lc_universe_checkpoint(universe, path, &message) != LC_OK)
        fail_msg("checkpoint: %s", message.text);
}

static lc_status restore(lc_universe **universe, const char *engine, uint64_t max_memory_bytes,
                         lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .engine = engine,
                                         .threads = 2,
                                         .max_memory_bytes = max_memory_bytes};
    return lc_universe_restore(universe, path, &options, message);
}

static void assert_same(const lc_universe *a, const lc_universe *b)
{
    char text_a[LC_RULE_TEXT_BYTES], text_b[LC_RULE_TEXT_BYTES];
    lc_rule_format(lc_universe_rule(a), lc_universe_topology(a), text_a);
    lc_rule_format(lc_universe_rule(b), lc_universe_topology(b), text_b);
    assert_string_equal(text_a, text_b);
    assert_int_equal(lc_universe_generation(a), lc_universe_generation(b));
    assert_int_equal(lc_universe_background(a), lc_universe_background(b));
    assert_int_equal(test_population(a), test_population(b));
    assert_int_equal(test_hash(a), test_hash(b));
    lc_box box = test_box(a), other = test_box(b);
    assert_true(box.empty == other.empty && box.x == other.x && box.y == other.y &&
                box.width_cells == other.width_cells && box.height_cells == other.height_cells);
    uint64_t row_a[200], row_b[200];
    assert_true(box.width_cells <= 12800);
    for (int64_t y = box.y; y < box.y + box.height_cells; y++) { // the hash could be wrong twice
        assert_int_equal(test_read_row(a, box.x, y, box.width_cells, row_a), LC_OK);
        assert_int_equal(test_read_row(b, box.x, y, box.width_cells, row_b), LC_OK);
        assert_memory_equal(row_a, row_b, (size_t)(box.width_cells + 63) / 64 * 8);
    }
}

// The whole file, as it is now.
static uint8_t *slurp(size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size_bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size_bytes + 16);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size_bytes, file), *size_bytes);
    fclose(file);
    return bytes;
}

static void spill(const uint8_t *bytes, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static void put_u64(uint8_t *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static const lc_topology shapes[] = {
    {.kind = LC_TOPOLOGY_PLANE},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 201},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 200, .shift_x_cells = 7},
    {.kind = LC_TOPOLOGY_PLANE, .width_cells = 150, .height_cells = 151},
    {.kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 150, .height_cells = 152, .twist_y = true},
    {.kind = LC_TOPOLOGY_CROSS_SURFACE, .width_cells = 151, .height_cells = 150},
    {.kind = LC_TOPOLOGY_SPHERE, .width_cells = 170, .height_cells = 170},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 131},
    {.kind = LC_TOPOLOGY_PLANE, .height_cells = 140},
};

// Written by one engine in the middle of a run, restored by another, and both go on alike.
static void test_round_trips(void **state)
{
    (void)state;
    lc_engine_info from, to;
    for (size_t i = 0; lc_engine_at(i, &from); i++)
        for (size_t j = 0; lc_engine_at(j, &to); j++)
            for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++)
                for (int b0 = 0; b0 < 2; b0++) {
                    const lc_topology *t = &shapes[shape];
                    bool strip = t->kind == LC_TOPOLOGY_PLANE &&
                                 (t->width_cells == 0) != (t->height_cells == 0);
                    if (!from.available || !to.available || (b0 && strip))
                        continue;
                    lc_rule rule = b0 ? (lc_rule)LC_RULE_TOTALISTIC(0x0d, 0x55) : LIFE;
                    lc_universe *universe = create(from.name, rule, *t), *again = NULL;
                    lc_message message = {0};
                    assert_int_equal(
                        lc_universe_soup(universe, 17, 3, 100, 120, 0.3, shape, &message), LC_OK);
                    lc_universe_set_generation(universe, UINT64_C(1) << 40);
                    assert_int_equal(lc_universe_step(universe, 37, NULL, NULL, &message), LC_OK);
                    assert_int_equal(lc_universe_background(universe),
                                     b0 && (t->width_cells == 0 || t->height_cells == 0));
                    write_checkpoint(universe);
                    if (restore(&again, to.name, 0, &message) != LC_OK)
                        fail_msg("restore: %s", message.text);
                    assert_string_equal(lc_universe_engine(again), to.name);
                    assert_same(universe, again);
                    assert_int_equal(lc_universe_step(universe, 20, NULL, NULL, &message), LC_OK);
                    assert_int_equal(lc_universe_step(again, 20, NULL, NULL, &message), LC_OK);
                    assert_same(universe, again);
                    lc_universe_destroy(&universe);
                    lc_universe_destroy(&again);
                }
}

static void test_empty_far_and_wide(void **state)
{
    (void)state;
    lc_universe *universe = create("auto", LIFE, shapes[0]), *again = NULL;
    lc_message message = {0};
    write_checkpoint(universe); // nothing at all
    assert_int_equal(lc_universe_restore(&again, path, NULL, &message), LC_OK);
    assert_same(universe, again);
    lc_universe_destroy(&again);
    lc_universe_destroy(&universe);

    const int64_t end = INT64_C(1) << 62; // in the corner of all coordinates
    universe = create("auto", LIFE, shapes[0]);
    assert_int_equal(lc_universe_set(universe, -end, end, true, &message), LC_OK);
    assert_int_equal(lc_universe_set(universe, -end + 70, end - 3, true, &message), LC_OK);
    write_checkpoint(universe);
    assert_int_equal(lc_universe_restore(&again, path, NULL, &message), LC_OK);
    assert_same(universe, again);
    lc_universe_destroy(&again);
    lc_universe_destroy(&universe);

    // More than one part down, and more than one across: 1 MiB of cells a part, 2^20 cells wide.
    const lc_topology tall = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 9001, .height_cells = 2003};
    const lc_topology wide = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = (1 << 20) + 64 * 3 + 5, .height_cells = 11};
    for (int i = 0; i < 2; i++) {
        const lc_topology *t = i == 0 ? &tall : &wide;
        universe = create("auto", LIFE, *t);
        assert_int_equal(
            lc_universe_soup(universe, 0, 0, t->width_cells, t->height_cells, 0.5, 9, &message),
            LC_OK);
        write_checkpoint(universe);
        assert_int_equal(lc_universe_restore(&again, path, NULL, &message), LC_OK);
        assert_int_equal(test_hash(again), test_hash(universe));
        if (i == 0)
            assert_same(universe, again);
        lc_universe_destroy(&again);
        lc_universe_destroy(&universe);
    }
}

// The checkpoint that the next tests damage: two parts, so small that every byte can be tried.
static uint8_t *small_checkpoint(size_t *size_bytes, lc_rule rule)
{
    lc_universe *universe = create("auto", rule, shapes[0]);
    lc_message message = {0};
    assert_int_equal(lc_universe_set(universe, 5, 5, true, &message), LC_OK);
    assert_int_equal(lc_universe_set(universe, 20000, 440, true, &message), LC_OK);
    write_checkpoint(universe);
    lc_universe_destroy(&universe);
    uint8_t *bytes = slurp(size_bytes);
    assert_in_range(*size_bytes, 200, 2000);
    return bytes;
}

static void assert_refused(size_t size_bytes, const char *what, size_t at)
{
    lc_universe *universe = (lc_universe *)&universe;
    lc_message message = {0};
    lc_status status = restore(&universe, "auto", (uint64_t)256 << 20, &message);
    if (status != LC_ERROR_FORMAT)
        fail_msg("%s at byte %zu: %s: %s", what, at, lc_status_name(status), message.text);
    assert_null(universe);
    assert_true(message.text[0] != '\0' && message.offset <= size_bytes);
}

static void test_every_damaged_byte_is_seen(void **state)
{
    (void)state;
    size_t size_bytes;
    uint8_t *bytes = small_checkpoint(&size_bytes, LIFE);
    for (size_t at = 0; at < size_bytes; at++) {
        const uint8_t old = bytes[at];
        const uint8_t wrong[] = {(uint8_t)(old ^ 1 << at % 8), (uint8_t)~old, 0, 255};
        for (size_t i = at % 3; i < 4; i += 3) {
            if (wrong[i] == old)
                continue;
            bytes[at] = wrong[i];
            spill(bytes, size_bytes);
            assert_refused(size_bytes, "a damaged byte", at);
        }
        bytes[at] = old;
    }
    for (size_t length = 0; length < size_bytes; length++) {
        spill(bytes, length);
        assert_refused(size_bytes, "an end", length);
        lc_universe *cut = NULL;
        lc_message why = {0};
        assert_int_equal(restore(&cut, "auto", 0, &why), LC_ERROR_FORMAT);
        assert_non_null(strstr(why.text, "it ends here")); // and not that something is wrong
        assert_int_equal(why.offset, length);
    }
    bytes[size_bytes] = 0;
    spill(bytes, size_bytes + 1);
    assert_refused(size_bytes + 1, "one more byte", size_bytes);
    // Whole again, it is accepted: the refusals were not for another reason.
    spill(bytes, size_bytes);
    lc_universe *universe = NULL;
    lc_message message = {0};
    assert_int_equal(restore(&universe, "auto", 0, &message), LC_OK);
    assert_int_equal(test_population(universe), 2);
    lc_universe_destroy(&universe);
    free(bytes);
}

static void test_the_damaged_place_is_named(void **state)
{
    (void)state;
    size_t size_bytes;
    uint8_t *bytes = small_checkpoint(&size_bytes, LIFE);
    const struct {
        size_t at;
        uint64_t offset;
    } cases[] = {{3, 0},
                 {8, 8},
                 {60, 128},
                 {136 + 30, 136 + 8},
                 {size_bytes - 1, size_bytes - 8},
                 {size_bytes - 20, size_bytes - 24}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes[cases[i].at] ^= 0x40;
        spill(bytes, size_bytes);
        bytes[cases[i].at] ^= 0x40;
        lc_universe *universe;
        lc_message message = {0};
        assert_int_equal(restore(&universe, "auto", 0, &message), LC_ERROR_FORMAT);
        assert_int_equal(message.offset, cases[i].offset);
    }
    free(bytes);
}

// Headers with a right checksum that say what cannot be, or ask for too much.
static void test_forged_headers(void **state)
{
    (void)state;
    const uint64_t big = UINT64_C(1) << 62;
    const struct {
        size_t at;
        uint64_t value; // eight bytes
    } cases[] = {
        {8, UINT64_C(137) << 32 | 1},         // size of the header
        {8, UINT64_C(136) << 32 | 3},         // version
        {16, 0x0200},                         // birth with 9 neighbours
        {16, UINT64_C(0x8000) << 16},         // survival with 15
        {16, UINT64_C(9) << 32 | 0x000c0008}, // kind of topology
        {16, UINT64_C(4) << 32 | 0x000c0008}, // a sphere without a size
        {16, UINT64_C(4) << 40 | 0x000c0008}, // a live background without B0
        {16, UINT64_C(8) << 40 | 0x000c0008}, // a flag that is none
        {16, UINT64_C(1) << 48 | 0x000c0008}, // reserved
        {24, UINT64_MAX},                     // negative width
        {40, 5},                              // a shift of an unbounded edge
        {64, 1},                              // area not at a multiple of 64
        {64, big},                            // area beyond the coordinates
        {72, (uint64_t)INT64_MIN},            //
        {80, 0},                              // live cells without an area
        {80, UINT64_MAX},                     // negative
        {80, (uint64_t)INT64_MAX},            //
        {88, big},                            // more parts than said
        {96, 0},                              // an area without live cells
        {96, UINT64_MAX},                     // more live cells than cells
        {96, 3},                              // not what is there
        {104, 0},                             // the hash of something else
        {112, 1},                             // parts
        {112, UINT64_MAX},                    //
        {120, 1},                             // reserved
    };
    size_t size_bytes;
    uint8_t *bytes = small_checkpoint(&size_bytes, LIFE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *forged = malloc(size_bytes);
        assert_non_null(forged);
        memcpy(forged, bytes, size_bytes);
        put_u64(forged + cases[i].at, cases[i].value);
        put_u64(forged + 128, XXH64(forged, 128, 0));
        put_u64(forged + size_bytes - 8, XXH64(forged, size_bytes - 8, 0));
        spill(forged, size_bytes);
        assert_refused(size_bytes, "a forged header", cases[i].at);
        free(forged);
    }
    // Consistent and larger than allowed: refused before memory is asked for.
    uint8_t *huge = malloc(136 + 24);
    assert_non_null(huge);
    memcpy(huge, bytes, 136);
    put_u64(huge + 24, (uint64_t)1 << 30);
    put_u64(huge + 32, (uint64_t)1 << 30);
    huge[20] = LC_TOPOLOGY_TORUS;
    put_u64(huge + 64, 0);
    for (int at = 72; at <= 120; at += 8)
        put_u64(huge + at, 0);
    put_u64(huge + 128, XXH64(huge, 128, 0));
    spill(huge, 136 + 24);
    lc_universe *universe;
    lc_message message = {0};
    assert_int_equal(restore(&universe, "auto", (uint64_t)1 << 30, &message), LC_ERROR_LIMIT);
    assert_null(universe);
    free(huge);
    // And what is honest but does not fit.
    spill(bytes, size_bytes);
    assert_int_equal(restore(&universe, "auto", 500000, &message), LC_ERROR_LIMIT);
    assert_null(universe);
    free(bytes);
}

static void test_files_that_cannot_be(void **state)
{
    (void)state;
    lc_universe *universe;
    lc_message message = {0};
    assert_int_equal(lc_universe_restore(&universe, "/no/such/file.lcs", NULL, &message),
                     LC_ERROR_IO);
    assert_non_null(strstr(message.text, strerror(ENOENT)));
    assert_int_equal(lc_universe_restore(&universe, directory, NULL, &message), LC_ERROR_IO);
    assert_int_equal(lc_universe_restore(&universe, "/dev/null", NULL, &message), LC_ERROR_FORMAT);
    assert_null(universe);

    universe = create("auto", LIFE, shapes[1]);
    assert_int_equal(lc_universe_soup(universe, 0, 0, 300, 201, 0.5, 1, &message), LC_OK);
    assert_int_equal(lc_universe_checkpoint(universe, "/no/such/directory/a.lcs", &message),
                     LC_ERROR_IO);
    assert_int_equal(lc_universe_checkpoint(universe, "/dev/full", &message), LC_ERROR_IO);
    // The old file stays when the new one cannot be finished: no memory, for one.
    write_checkpoint(universe);
    size_t size_bytes, size_after;
    uint8_t *before = slurp(&size_bytes);
    assert_int_equal(lc_universe_step(universe, 1, NULL, NULL, &message), LC_OK);
    lc_fail_allocation(1);
    assert_int_equal(lc_universe_checkpoint(universe, path, &message), LC_ERROR_MEMORY);
    lc_fail_allocation(0);
    uint8_t *after = slurp(&size_after);
    assert_int_equal(size_after, size_bytes);
    assert_memory_equal(before, after, size_bytes);
    free(before);
    free(after);
    // lc_universe_save knows the ending.
    assert_int_equal(lc_universe_save(universe, path, LC_FORMAT_AUTO, &message), LC_OK);
    lc_universe *again = NULL;
    assert_int_equal(lc_universe_restore(&again, path, NULL, &message), LC_OK);
    assert_same(universe, again);
    lc_universe_destroy(&again);
    lc_universe_destroy(&universe);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    lc_universe *universe = create("auto", LIFE, shapes[0]);
    lc_message message = {0};
    assert_int_equal(lc_universe_soup(universe, -300, 50, 600, 600, 0.5, 1, &message), LC_OK);
    bool failed = true;
    for (uint64_t n = 1; failed && n < 200; n++) {
        lc_fail_allocation(n);
        lc_status status = lc_universe_checkpoint(universe, path, &message);
        lc_fail_allocation(0);
        failed = status != LC_OK;
        if (failed)
            assert_int_equal(status, LC_ERROR_MEMORY);
    }
    assert_false(failed);
    lc_engine_info info;
    for (size_t i = 0; lc_engine_at(i, &info); i++) {
        failed = info.available;
        for (uint64_t n = 1; failed && n < 200; n++) {
            lc_universe *again = NULL;
            lc_fail_allocation(n);
            lc_status status = restore(&again, info.name, 0, &message);
            lc_fail_allocation(0);
            failed = status != LC_OK;
            if (failed) {
                assert_int_equal(status, LC_ERROR_MEMORY);
                assert_null(again);
            } else {
                assert_same(universe, again);
            }
            lc_universe_destroy(&again);
        }
        assert_false(failed);
    }
    lc_universe_destroy(&universe);
}

// The acorn under B02/S3 at generation 7, whose background is alive, as version 0.1.0 wrote it.
static const char first_version[] =
    "4c435354415445310100000088000000050008000004000000000000000000000000000000000000"
    "000000000000000000000000000000000700000000000000c0ffffffffffffffffffffffffffffff"
    "4a0000000000000006000000000000002800000000000000df870d491e76dde00100000000000000"
    "0000000000000000a4fb5e8c2e7288ba3300000060000000cdb514cefc17cc4e28b52ffd20605501"
    "00e8000080ab0040b50100c03d020040f7030080490300e00000000000000006100007e108473872"
    "e3c2024c435354454e4431e300000000000000a87411215ccb9911";

static void test_first_version(void **state)
{
    (void)state;
    const lc_rule rule = LC_RULE_TOTALISTIC(1u | 1u << 2, 1u << 3);
    uint8_t bytes[sizeof first_version / 2];
    for (size_t i = 0; i < sizeof bytes; i++) {
        unsigned byte;
        assert_int_equal(sscanf(first_version + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    lc_message message;
    lc_universe *restored, *made = test_create("simd", rule, infinite_plane, 0);
    assert_int_equal(test_load(made, "x = 7, y = 3\nbo$3bo$2o2b3o!\n", 0, 0, &message), LC_OK);
    test_step(made, 7);
    spill(bytes, sizeof bytes);
    assert_int_equal(restore(&restored, "simd", 0, &message), LC_OK);
    assert_same(restored, made);
    lc_universe_destroy(&restored);
    lc_universe_destroy(&made);

    bytes[104] ^= 1; // another hash, and the header's checksum with it
    put_u64(bytes + 128, XXH64(bytes, 128, 0));
    put_u64(bytes + sizeof bytes - 8, XXH64(bytes, sizeof bytes - 8, 0));
    spill(bytes, sizeof bytes);
    assert_int_equal(restore(&restored, "simd", 0, &message), LC_ERROR_FORMAT);
    assert_int_equal(message.offset, 104);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_empty_far_and_wide),
        cmocka_unit_test(test_every_damaged_byte_is_seen),
        cmocka_unit_test(test_the_damaged_place_is_named),
        cmocka_unit_test(test_forged_headers),
        cmocka_unit_test(test_files_that_cannot_be),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_first_version),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
