// Support for tests of checkpoints.
#include "support_checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"
#include "support_facts.h"

char test_folder[] = "/tmp/lightcone-checkpoint-XXXXXX";
char test_checkpoint[128];

int test_checkpoint_set_up(void **state)
{
    (void)state;
    if (mkdtemp(test_folder) == NULL)
        return -1;
    snprintf(test_checkpoint, sizeof test_checkpoint, "%s/state.lcs", test_folder);
    return 0;
}

int test_checkpoint_tear_down(void **state)
{
    (void)state;
    unlink(test_checkpoint);
    return rmdir(test_folder);
}

void test_checkpoint_write(const lc_universe *universe)
{
    lc_message message = {0};
    if (lc_universe_checkpoint(universe, test_checkpoint, &message) != LC_OK)
        fail_msg("checkpoint: %s", message.text);
}

lc_status test_checkpoint_restore(lc_universe **universe, const char *engine,
                                  uint64_t max_memory_bytes, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .engine = engine,
                                         .threads = 2,
                                         .max_memory_bytes = max_memory_bytes};
    return lc_universe_restore(universe, test_checkpoint, &options, message);
}

uint8_t *test_checkpoint_bytes(size_t *size_bytes)
{
    return test_file_bytes(test_checkpoint, size_bytes);
}

uint8_t *test_file_bytes(const char *path, size_t *size_bytes)
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

void test_checkpoint_replace(const uint8_t *bytes, size_t size_bytes)
{
    FILE *file = fopen(test_checkpoint, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

uint64_t test_checkpoint_refused(const uint8_t *bytes, size_t size_bytes, const char *what,
                                 size_t at)
{
    lc_universe *universe = (lc_universe *)&universe;
    lc_message message = {0};
    test_checkpoint_replace(bytes, size_bytes);
    const lc_status status =
        test_checkpoint_restore(&universe, "auto", (uint64_t)256 << 20, &message);
    if (status != LC_ERROR_FORMAT)
        fail_msg("%s at byte %zu: %s: %s", what, at, lc_status_name(status), message.text);
    assert_null(universe);
    assert_true(message.text[0] != '\0' && message.offset <= size_bytes);
    return message.offset;
}

void test_checkpoint_same(const lc_universe *a, const lc_universe *b)
{
    assert_true(lc_universe_rule(a) == lc_universe_rule(b));
    char text_a[LC_RULE_TEXT_BYTES], text_b[LC_RULE_TEXT_BYTES];
    lc_rule_format(lc_universe_rule(a), lc_universe_topology(a), text_a);
    lc_rule_format(lc_universe_rule(b), lc_universe_topology(b), text_b);
    assert_string_equal(text_a, text_b);
    assert_int_equal(lc_count_compare(lc_universe_generation(a), lc_universe_generation(b)), 0);
    assert_int_equal(lc_universe_background(a), lc_universe_background(b));
    assert_int_equal(test_population(a), test_population(b));
    assert_int_equal(test_hash(a), test_hash(b));
    lc_box box = test_box(a), other = test_box(b);
    assert_true(box.empty == other.empty && box.x == other.x && box.y == other.y &&
                box.width_cells == other.width_cells && box.height_cells == other.height_cells);
    uint64_t row_a[200], row_b[200];
    assert_true(box.width_cells <= 12800);
    // Compare cells too: both hashes could be wrong.
    for (int64_t y = box.y; y < box.y + box.height_cells; y++) {
        assert_int_equal(test_read_row(a, box.x, y, box.width_cells, row_a), LC_OK);
        assert_int_equal(test_read_row(b, box.x, y, box.width_cells, row_b), LC_OK);
        assert_memory_equal(row_a, row_b, (size_t)(box.width_cells + 63) / 64 * 8);
    }
}

void test_put(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

uint64_t test_take(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}
