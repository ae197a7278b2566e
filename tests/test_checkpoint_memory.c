// Checkpoints in memory: the bytes are a file's, and are believed as little.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_checkpoint.h"
#include "support_facts.h"
#include "support_universe.h"

// A soup of some generations, by this engine.
static lc_universe *create(const char *engine, lc_topology topology)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = 2};
    lc_universe *universe = NULL;
    if (lc_universe_create(&universe, &options, NULL) != LC_OK)
        return NULL; // it does not step such boards
    assert_int_equal(lc_universe_soup(universe, 17, 3, 100, 120, 0.3, 5, NULL), LC_OK);
    assert_int_equal(lc_universe_step(universe, lc_count_of(37), NULL, NULL, NULL), LC_OK);
    return universe;
}

static lc_status restore(lc_universe **universe, const char *engine, const void *bytes,
                         size_t size_bytes)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .engine = engine, .threads = 2};
    return lc_universe_restore_memory(universe, bytes, size_bytes, &options, NULL);
}

static const lc_topology shapes[] = {
    {.kind = LC_TOPOLOGY_PLANE},
    {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 201},
    {.kind = LC_TOPOLOGY_PLANE, .width_cells = 150, .height_cells = 151},
};

static void the_bytes_are_those_of_a_file(void **state)
{
    (void)state;
    lc_engine_info engine;
    int made = 0;
    for (size_t i = 0; lc_engine_at(test_context(), i, &engine); i++)
        for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
            lc_universe *universe = engine.available ? create(engine.name, shapes[shape]) : NULL,
                        *again = NULL;
            if (universe == NULL)
                continue;
            void *bytes;
            size_t size_bytes, file_bytes;
            assert_int_equal(
                lc_universe_checkpoint_memory(universe, SIZE_MAX / 2, &bytes, &size_bytes, NULL),
                LC_OK);
            test_checkpoint_write(universe);
            uint8_t *file = test_checkpoint_bytes(&file_bytes);
            assert_int_equal(size_bytes, file_bytes);
            assert_memory_equal(bytes, file, size_bytes);
            assert_int_equal(restore(&again, engine.name, bytes, size_bytes), LC_OK);
            test_checkpoint_same(universe, again);
            free(file);
            free(bytes);
            lc_universe_destroy(&again);
            lc_universe_destroy(&universe);
            made++;
        }
    assert_true(made >= 6);
}

// Not compressed they are restored as well.
static void plain_cells_are_the_same(void **state)
{
    (void)state;
    lc_engine_info engine;
    int made = 0;
    for (size_t i = 0; lc_engine_at(test_context(), i, &engine); i++)
        for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
            lc_universe *universe = engine.available ? create(engine.name, shapes[shape]) : NULL,
                        *again = NULL;
            if (universe == NULL)
                continue;
            void *bytes;
            size_t size_bytes;
            assert_int_equal(
                lc_universe_checkpoint_plain(universe, SIZE_MAX / 2, &bytes, &size_bytes, NULL),
                LC_OK);
            assert_int_equal(restore(&again, engine.name, bytes, size_bytes), LC_OK);
            test_checkpoint_same(universe, again);
            free(bytes);
            lc_universe_destroy(&again);
            lc_universe_destroy(&universe);
            made++;
        }
    assert_true(made >= 6);
}

// More than a block of a frame, and more than a part; the last ones are of any size.
static void plain_cells_may_be_many(void **state)
{
    (void)state;
    for (int64_t width = 1; width < 10000; width = width * 3 + 64)
        for (int64_t height = 1; height < 3000; height = height * 5 + 13) {
            lc_universe *again = NULL,
                        *universe = test_create("simd", LIFE,
                                                (lc_topology){.kind = LC_TOPOLOGY_PLANE,
                                                              .width_cells = width,
                                                              .height_cells = height},
                                                0);
            void *bytes;
            size_t size_bytes;
            assert_int_equal(lc_universe_soup(universe, 0, 0, width, height, 0.9, 3, NULL), LC_OK);
            assert_int_equal(
                lc_universe_checkpoint_plain(universe, SIZE_MAX / 2, &bytes, &size_bytes, NULL),
                LC_OK);
            assert_true(size_bytes >= (size_t)(width * height / 8));
            assert_int_equal(restore(&again, "simd", bytes, size_bytes), LC_OK);
            test_checkpoint_same(universe, again);
            free(bytes);
            assert_int_equal(
                lc_universe_checkpoint_plain(universe, size_bytes - 1, &bytes, &size_bytes, NULL),
                LC_ERROR_LIMIT);
            assert_null(bytes);
            lc_universe_destroy(&again);
            lc_universe_destroy(&universe);
        }
}

static void no_more_bytes_than_allowed(void **state)
{
    (void)state;
    void *bytes;
    size_t size_bytes, some_bytes;
    lc_message message;
    lc_universe *universe = create("auto", shapes[0]);
    assert_int_equal(
        lc_universe_checkpoint_memory(universe, SIZE_MAX / 2, &bytes, &size_bytes, NULL), LC_OK);
    free(bytes);
    for (size_t limit = 0; limit < size_bytes; limit += limit < 16 ? 1 : size_bytes / 7) {
        bytes = &message;
        assert_int_equal(
            lc_universe_checkpoint_memory(universe, limit, &bytes, &some_bytes, &message),
            LC_ERROR_LIMIT);
        assert_null(bytes);
    }
    assert_int_equal(lc_universe_checkpoint_memory(universe, size_bytes, &bytes, &some_bytes, NULL),
                     LC_OK);
    assert_int_equal(some_bytes, size_bytes);
    free(bytes);
    lc_universe_destroy(&universe);
}

static void nothing_is_believed(void **state)
{
    (void)state;
    void *data;
    size_t size_bytes;
    lc_universe *universe = create("auto", shapes[1]), *again = NULL;
    assert_int_equal(
        lc_universe_checkpoint_memory(universe, SIZE_MAX / 2, &data, &size_bytes, NULL), LC_OK);
    uint8_t *bytes = data;
    for (size_t at = 0; at < size_bytes; at += at < 400 ? 1 : 97) {
        bytes[at] ^= (uint8_t)(1 << at % 8);
        assert_int_not_equal(restore(&again, "auto", bytes, size_bytes), LC_OK);
        assert_null(again);
        bytes[at] ^= (uint8_t)(1 << at % 8);
        // In memory of just that size, so that whoever reads beyond is caught.
        uint8_t *cut = malloc(at + 1);
        memcpy(cut, bytes, at);
        assert_int_equal(restore(&again, "auto", cut, at), LC_ERROR_FORMAT);
        free(cut);
    }
    assert_int_equal(restore(&again, "auto", bytes, size_bytes), LC_OK);
    test_checkpoint_same(universe, again);
    lc_universe_destroy(&again);
    lc_universe_destroy(&universe);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_of_a_file),
        cmocka_unit_test(plain_cells_are_the_same),
        cmocka_unit_test(plain_cells_may_be_many),
        cmocka_unit_test(no_more_bytes_than_allowed),
        cmocka_unit_test(nothing_is_believed),
    };
    return cmocka_run_group_tests(tests, test_checkpoint_set_up, test_checkpoint_tear_down);
}
