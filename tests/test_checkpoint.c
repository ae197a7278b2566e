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
#include "support_checkpoint.h"
#include "support_facts.h"
#include "support_map.h"
#include "support_universe.h"

static lc_universe *create(const char *engine, const lc_rule *rule, lc_topology topology)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
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
    for (size_t i = 0; lc_engine_at(test_context(), i, &from); i++)
        for (size_t j = 0; lc_engine_at(test_context(), j, &to); j++)
            for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++)
                for (int b0 = 0; b0 < 2; b0++) {
                    const lc_topology *t = &shapes[shape];
                    bool strip = t->kind == LC_TOPOLOGY_PLANE &&
                                 (t->width_cells == 0) != (t->height_cells == 0);
                    if (!test_takes_engine(&from) || !test_takes_engine(&to) || !from.available ||
                        !to.available || (b0 && strip))
                        continue;
                    const lc_rule *rule = b0 ? rule_of("B023/S0246") : LIFE;
                    lc_universe *universe = create(from.name, rule, *t), *again = NULL;
                    lc_message message = {0};
                    assert_int_equal(
                        lc_universe_soup(universe, 17, 3, 100, 120, 0.3, shape, &message), LC_OK);
                    lc_universe_set_generation(universe, lc_count_of(UINT64_C(1) << 40));
                    assert_int_equal(
                        lc_universe_step(universe, lc_count_of(37), NULL, NULL, &message), LC_OK);
                    assert_int_equal(lc_universe_background(universe),
                                     b0 && (t->width_cells == 0 || t->height_cells == 0));
                    test_checkpoint_write(universe);
                    if (test_checkpoint_restore(&again, to.name, 0, &message) != LC_OK)
                        fail_msg("restore: %s", message.text);
                    assert_string_equal(lc_universe_info_of(again).engine, to.name);
                    test_checkpoint_same(universe, again);
                    assert_int_equal(
                        lc_universe_step(universe, lc_count_of(20), NULL, NULL, &message), LC_OK);
                    assert_int_equal(lc_universe_step(again, lc_count_of(20), NULL, NULL, &message),
                                     LC_OK);
                    test_checkpoint_same(universe, again);
                    lc_universe_destroy(&universe);
                    lc_universe_destroy(&again);
                }
}

// Any table, on all surfaces that carry it, and with a background that is alive.
static void test_maps(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++)
        for (int b0 = 0; b0 < 2; b0++) {
            const lc_rule *rule = test_map(TEST_GROUPS - 1, b0 != 0, 5 + shape);
            lc_message message = {0};
            if (lc_rule_check_topology(rule, &shapes[shape], &message) != LC_OK)
                continue;
            assert_int_equal(lc_rule_traits(rule)->family, LC_FAMILY_MAP);
            lc_universe *universe = create("scalar", rule, shapes[shape]), *again = NULL;
            assert_int_equal(lc_universe_soup(universe, 17, 3, 100, 120, 0.3, shape, &message),
                             LC_OK);
            assert_int_equal(lc_universe_step(universe, lc_count_of(3), NULL, NULL, &message),
                             LC_OK);
            test_checkpoint_write(universe);
            const char *const engine = b0 ? "scalar" : "auto";
            assert_int_equal(test_checkpoint_restore(&again, engine, 0, &message), LC_OK);
            test_checkpoint_same(universe, again);
            assert_int_equal(lc_universe_step(universe, lc_count_of(2), NULL, NULL, &message),
                             LC_OK);
            assert_int_equal(lc_universe_step(again, lc_count_of(2), NULL, NULL, &message), LC_OK);
            test_checkpoint_same(universe, again);
            lc_universe_destroy(&again);
            lc_universe_destroy(&universe);
        }
}

static void test_empty_far_and_wide(void **state)
{
    (void)state;
    lc_universe *universe = create("auto", LIFE, shapes[0]), *again = NULL;
    lc_message message = {0};
    test_checkpoint_write(universe); // nothing at all
    assert_int_equal(lc_universe_restore(&again, test_checkpoint, NULL, &message), LC_OK);
    test_checkpoint_same(universe, again);
    lc_universe_destroy(&again);
    lc_universe_destroy(&universe);

    const int64_t end = INT64_C(1) << 62; // in the corner of all coordinates
    universe = create("auto", LIFE, shapes[0]);
    assert_int_equal(lc_universe_set(universe, -end, end, true, &message), LC_OK);
    assert_int_equal(lc_universe_set(universe, -end + 70, end - 3, true, &message), LC_OK);
    test_checkpoint_write(universe);
    assert_int_equal(lc_universe_restore(&again, test_checkpoint, NULL, &message), LC_OK);
    test_checkpoint_same(universe, again);
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
        test_checkpoint_write(universe);
        assert_int_equal(lc_universe_restore(&again, test_checkpoint, NULL, &message), LC_OK);
        assert_int_equal(test_hash(again), test_hash(universe));
        if (i == 0)
            test_checkpoint_same(universe, again);
        lc_universe_destroy(&again);
        lc_universe_destroy(&universe);
    }
}

// Two parts, and so small that every byte can be tried.
static uint8_t *small_checkpoint(size_t *size_bytes)
{
    lc_universe *universe = create("auto", LIFE, shapes[0]);
    lc_message message = {0};
    assert_int_equal(lc_universe_set(universe, 5, 5, true, &message), LC_OK);
    assert_int_equal(lc_universe_set(universe, 20000, 440, true, &message), LC_OK);
    test_checkpoint_write(universe);
    lc_universe_destroy(&universe);
    uint8_t *bytes = test_checkpoint_bytes(size_bytes);
    assert_in_range(*size_bytes, 200, 2000);
    return bytes;
}

// Every byte in its turn is another one; the file ends after each; one more follows.
static void check_damage(uint8_t *bytes, size_t size_bytes)
{
    lc_universe *universe = NULL;
    lc_message message = {0};
    for (size_t at = 0; at < size_bytes; at++) {
        const uint8_t old = bytes[at];
        const uint8_t wrong[] = {(uint8_t)(old ^ 1 << at % 8), (uint8_t)~old, 0, 255};
        for (size_t i = at % 3; i < 4; i += 3) {
            if (wrong[i] == old)
                continue;
            bytes[at] = wrong[i];
            (void)test_checkpoint_refused(bytes, size_bytes, "a damaged byte", at);
        }
        bytes[at] = old;
    }
    for (size_t length = 0; length < size_bytes; length++) {
        assert_int_equal(test_checkpoint_refused(bytes, length, "an end", length), length);
        assert_int_equal(test_checkpoint_restore(&universe, "auto", 0, &message), LC_ERROR_FORMAT);
        assert_non_null(strstr(message.text, "it ends here")); // and not that something is wrong
    }
    bytes[size_bytes] = 0;
    (void)test_checkpoint_refused(bytes, size_bytes + 1, "one more byte", size_bytes);
    // Whole again, it is accepted: the refusals were not for another reason.
    test_checkpoint_replace(bytes, size_bytes);
    assert_int_equal(test_checkpoint_restore(&universe, "auto", 0, &message), LC_OK);
    lc_universe_destroy(&universe);
}

static void test_every_damaged_byte_is_seen(void **state)
{
    (void)state;
    size_t size_bytes;
    uint8_t *bytes = small_checkpoint(&size_bytes);
    check_damage(bytes, size_bytes);
    free(bytes);
}

static void test_the_damaged_place_is_named(void **state)
{
    (void)state;
    size_t size_bytes;
    uint8_t *bytes = small_checkpoint(&size_bytes);
    const struct {
        size_t at;
        uint64_t offset;
    } cases[] = {{3, 0},
                 {8, 8},
                 {60, 112},
                 {120, 120},               // no part, and no trailer
                 {120 + 30, 120 + 56},     // the head of a part
                 {120 + 64 + 9, 120 + 48}, // its frame
                 {size_bytes - 80, size_bytes - 80},
                 {size_bytes - 20, size_bytes - 8},
                 {size_bytes - 1, size_bytes - 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes[cases[i].at] ^= 0x40;
        assert_int_equal(test_checkpoint_refused(bytes, size_bytes, "damage", cases[i].at),
                         cases[i].offset);
        bytes[cases[i].at] ^= 0x40;
    }
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
    assert_int_equal(lc_universe_restore(&universe, test_folder, NULL, &message), LC_ERROR_IO);
    assert_int_equal(lc_universe_restore(&universe, "/dev/null", NULL, &message), LC_ERROR_FORMAT);
    assert_null(universe);

    universe = create("auto", LIFE, shapes[1]);
    assert_int_equal(lc_universe_soup(universe, 0, 0, 300, 201, 0.5, 1, &message), LC_OK);
    assert_int_equal(lc_universe_checkpoint(universe, "/no/such/directory/a.lcs", &message),
                     LC_ERROR_IO);
    assert_int_equal(lc_universe_checkpoint(universe, "/dev/full", &message), LC_ERROR_IO);
    // The old file stays when the new one cannot be finished: no memory, for one.
    test_checkpoint_write(universe);
    size_t size_bytes, size_after;
    uint8_t *before = test_checkpoint_bytes(&size_bytes);
    assert_int_equal(lc_universe_step(universe, lc_count_of(1), NULL, NULL, &message), LC_OK);
    lc_fail_allocation(1);
    assert_int_equal(lc_universe_checkpoint(universe, test_checkpoint, &message), LC_ERROR_MEMORY);
    lc_fail_allocation(0);
    uint8_t *after = test_checkpoint_bytes(&size_after);
    assert_int_equal(size_after, size_bytes);
    assert_memory_equal(before, after, size_bytes);
    free(before);
    free(after);
    // lc_universe_save knows the ending.
    assert_int_equal(lc_universe_save(universe, test_checkpoint, LC_FORMAT_AUTO, &message), LC_OK);
    lc_universe *again = NULL;
    assert_int_equal(lc_universe_restore(&again, test_checkpoint, NULL, &message), LC_OK);
    test_checkpoint_same(universe, again);
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
        lc_status status = lc_universe_checkpoint(universe, test_checkpoint, &message);
        lc_fail_allocation(0);
        failed = status != LC_OK;
        if (failed)
            assert_int_equal(status, LC_ERROR_MEMORY);
    }
    assert_false(failed);
    lc_engine_info info;
    for (size_t i = 0; lc_engine_at(test_context(), i, &info); i++) {
        failed = info.available && test_takes_engine(&info);
        for (uint64_t n = 1; failed && n < 200; n++) {
            lc_universe *again = NULL;
            lc_fail_allocation(n);
            lc_status status = test_checkpoint_restore(&again, info.name, 0, &message);
            lc_fail_allocation(0);
            failed = status != LC_OK;
            if (failed) {
                assert_int_equal(status, LC_ERROR_MEMORY);
                assert_null(again);
            } else {
                test_checkpoint_same(universe, again);
            }
            lc_universe_destroy(&again);
        }
        assert_false(failed);
    }
    lc_universe_destroy(&universe);
}

// The acorn under B02/S3 at generation 7, whose background is alive, in the first version of the
// format.
static const char first_version[] =
    "4c435354415445310100000088000000050008000004000000000000000000000000000000000000"
    "000000000000000000000000000000000700000000000000c0ffffffffffffffffffffffffffffff"
    "4a0000000000000006000000000000002800000000000000df870d491e76dde00100000000000000"
    "0000000000000000a4fb5e8c2e7288ba3300000060000000cdb514cefc17cc4e28b52ffd20605501"
    "00e8000080ab0040b50100c03d020040f7030080490300e00000000000000006100007e108473872"
    "e3c2024c435354454e4431e300000000000000a87411215ccb9911";

// The same as version 2, which files may have from now on, for ever.
static const char second_version[] =
    "4c4353544154453102000000b0000000000702000100050008000004000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000700000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000e0e9f28a17661e745041525411000000ffffffffffffffffffffffffffffffff"
    "3f000100ff0701000100000000000000d8e479aaa2a3ec9e951146160a6f887f5cc236c12648cec3"
    "28b52ffd2008410000000000000000008050415254110000000000000000000000ffffffffffffff"
    "ff00000100ff07010005000000000000001479dcbe4f9b2250d39b75e68e79257f04c831fb510761"
    "3628b52ffd2008410000ab00000000000000504152541f000000ffffffffffffffff000000000000"
    "00003f000100000004000500000000000000436f8e300fb47dd986861d18ee67cdbfdac6da990d57"
    "0c8d28b52ffd2020b500007800004000c0004000000000000000800350020063ae50415254260000"
    "000000000000000000000000000000000000000100000005001d000000000000004c89f09a0df1e3"
    "cd47e82e4148f875e01e6338562b3df7c328b52ffd2028ed000090b501003d0200f7030049e00000"
    "000000000004002b29401b40c605864c435354454e44326702000000000000040000000000000058"
    "b47bacb1e3324b2800000000000000000000000000000000000000000000000000000000000000f5"
    "61d5340fe47096862bfea6eba180ee";

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    const size_t size_bytes = strlen(hex) / 2;
    for (size_t i = 0; i < size_bytes; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    return size_bytes;
}

static lc_universe *make_acorn(void)
{
    const lc_rule *rule = rule_of("B02/S3");
    lc_message message;
    lc_universe *made = test_create("simd", rule, infinite_plane, 0);
    assert_int_equal(test_load(made, "x = 7, y = 3\nbo$3bo$2o2b3o!\n", 0, 0, &message), LC_OK);
    test_step(made, 7);
    return made;
}

static void test_versions(void **state)
{
    (void)state;
    const char *const versions[] = {first_version, second_version};
    lc_universe *restored, *made = make_acorn();
    lc_message message;
    for (size_t i = 0; i < 2; i++) {
        uint8_t bytes[1024];
        const size_t size_bytes = from_hex(versions[i], bytes);
        test_checkpoint_replace(bytes, size_bytes);
        assert_int_equal(test_checkpoint_restore(&restored, "simd", 0, &message), LC_OK);
        test_checkpoint_same(restored, made);
        lc_universe_destroy(&restored);
        check_damage(bytes, size_bytes);
    }
    lc_universe_destroy(&made);
}

// Headers of the first version with right checksums that say what cannot be.
static void test_forged_first_version(void **state)
{
    (void)state;
    const struct {
        size_t at;
        uint64_t value; // eight bytes
        uint64_t offset;
    } cases[] = {
        {8, UINT64_C(137) << 32 | 1, 12},         // size of the header
        {16, 0x0200, 16},                         // birth with 9 neighbours
        {16, UINT64_C(9) << 32 | 0x00080005, 20}, // kind of topology
        {16, UINT64_C(8) << 40 | 0x00080005, 21}, // a flag that is none
        {16, UINT64_C(1) << 48 | 0x00080005, 22}, // reserved
        {24, UINT64_MAX, 20},                     // negative width
        {64, 1, 64},                              // area not at a multiple of 64
        {72, (uint64_t)INT64_MIN, 64},            //
        {80, 0, 64},                              // live cells without an area
        {80, UINT64_MAX, 64},                     // negative
        {80, 6400, 136 + 4},                      // larger parts
        {88, UINT64_C(1) << 62, 112},             // more parts than said
        {96, 0, 64},                              // an area without live cells
        {96, UINT64_MAX, 96},                     // more live cells than cells
        {96, 3, 96},                              // not what is there
        {104, 0, 104},                            // the hash of something else
        {112, 2, 112},                            // parts
        {120, 1, 120},                            // reserved
    };
    uint8_t whole[1024], forged[1024];
    const size_t size_bytes = from_hex(first_version, whole);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(forged, whole, size_bytes);
        test_put(forged + cases[i].at, cases[i].value, 8);
        test_put(forged + 128, XXH64(forged, 128, 0), 8);
        test_put(forged + size_bytes - 8, XXH64(forged, size_bytes - 8, 0), 8);
        assert_int_equal(
            test_checkpoint_refused(forged, size_bytes, "a forged header", cases[i].at),
            cases[i].offset);
    }
    // A part that is right by itself, and a file that is not.
    memcpy(forged, whole, size_bytes);
    test_put(forged + size_bytes - 8, 0, 8);
    assert_int_equal(test_checkpoint_refused(forged, size_bytes, "a checksum", 0), size_bytes - 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_empty_far_and_wide),
        cmocka_unit_test(test_every_damaged_byte_is_seen),
        cmocka_unit_test(test_the_damaged_place_is_named),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_files_that_cannot_be),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_forged_first_version),
    };
    return cmocka_run_group_tests(tests, test_checkpoint_set_up, test_checkpoint_tear_down);
}
