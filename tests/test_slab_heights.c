// Where boards are cut into slabs (cover/slabs/slab_heights.h).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cover/slabs/slab_heights.h"
#include "support.h"

enum { MOST = 64 };

static void assign(int64_t height, const lc_slab_ability *slabs, int count, int64_t *rows)
{
    lc_slab_first_rows(height, slabs, count, rows);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[count], height);
    for (int i = 0; i < count; i++)
        assert_true(rows[i] < rows[i + 1]);
}

// Slabs of equal devices are what they have always been, whatever their speed is called.
static void test_equal(void **state)
{
    (void)state;
    static const uint64_t weights[] = {0, 1, 7, 261360, UINT32_MAX};
    dice d = dice_from(test_seed(), 1);
    for (int n = 0; n < 3000; n++) {
        const int count = 1 + (int)dice_below(&d, MOST);
        const int64_t height = count + dice_below(&d, n % 3 == 0   ? INT64_C(1) << 40
                                                      : n % 3 == 1 ? 5000
                                                                   : 200);
        lc_slab_ability slabs[MOST];
        int64_t rows[MOST + 1];
        for (int i = 0; i < count; i++)
            slabs[i] = (lc_slab_ability){weights[n % 5], height};
        assign(height, slabs, count, rows);
        const int64_t even = height / count >= 64 ? 16 : 1, units = height / even;
        for (int i = 0; i < count; i++)
            assert_int_equal(rows[i], (units / count * i + units % count * i / count) * even);
    }
}

static void test_shares(void **state)
{
    (void)state;
    const lc_slab_ability two[] = {{2, INT64_MAX}, {1, INT64_MAX}};
    const lc_slab_ability unknown[] = {{2, INT64_MAX}, {0, INT64_MAX}};
    const lc_slab_ability tiny[] = {{1, INT64_MAX}, {UINT32_MAX, INT64_MAX}, {1, INT64_MAX}};
    int64_t rows[MOST + 1];
    assign(48000, two, 2, rows);
    assert_int_equal(rows[1], 32000);
    assign(100, two, 2, rows); // low: not in steps of 16
    assert_int_equal(rows[1], 66);
    assign(48000, unknown, 2, rows); // then all are alike
    assert_int_equal(rows[1], 24000);
    assign(3, tiny, 3, rows); // a row for each, at least
    assign(1000, tiny, 3, rows);
    assert_int_equal(rows[1], 1);
    assert_int_equal(rows[2], 999);
}

static void test_memory(void **state)
{
    (void)state;
    const lc_slab_ability small[] = {{1, INT64_MAX}, {1, 1000}, {2, INT64_MAX}};
    const lc_slab_ability both[] = {{1, 30000}, {5, 20000}};
    const lc_slab_ability none[] = {{1, 10}, {1, 20}};
    int64_t rows[MOST + 1];
    assign(48000, small, 3, rows); // the rest is shared as the others are fast
    assert_true(rows[2] - rows[1] <= 1000 && rows[2] - rows[1] > 1000 - 16);
    assert_true(rows[1] >= 15600 && rows[1] <= 15700);
    assign(48000, both, 2, rows);
    assert_true(rows[1] <= 30000 && 48000 - rows[1] <= 20000);
    assign(48000, none, 2, rows); // too small: as if it were not
    assert_int_equal(rows[1], 24000);
}

// Nobody gets much more than is due, or more than fits if all fits.
static void test_random(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (int n = 0; n < 5000; n++) {
        const int count = 1 + (int)dice_below(&d, n % 2 == 0 ? 4 : MOST);
        const int64_t height = count + dice_below(&d, n % 3 == 0 ? 1 << 30 : 3000);
        const bool limits = n % 4 == 0 && height > 4000 * count;
        lc_slab_ability slabs[MOST];
        int64_t rows[MOST + 1], room = 0;
        double all = 0;
        for (int i = 0; i < count; i++) {
            slabs[i].weight = 1 + (uint64_t)dice_below(&d, n % 5 == 0 ? UINT32_MAX - 1 : 9);
            slabs[i].most_rows =
                limits ? height / count + dice_below(&d, height / count) + 32 : INT64_MAX;
            room += limits ? slabs[i].most_rows / 16 * 16 - 32 : 0;
            all += (double)slabs[i].weight;
        }
        assign(height, slabs, count, rows);
        for (int i = 0; i < count; i++) {
            const double due = (double)height * (double)slabs[i].weight / all;
            if (limits && room >= height)
                assert_true(rows[i + 1] - rows[i] <= slabs[i].most_rows);
            else if (!limits)
                assert_true((double)(rows[i + 1] - rows[i]) < due + 32 + count);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
