// Boards on a GPU that are stepped in place (bands.h): the rows of the bands, by a model of memory
// in which each row knows what it is; and whole boards on the emulated GPU against the oracle, on
// every surface, in one block and in several, with edits and looks between passes, and in little
// memory.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_plan_choice.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_board.h"
#include "support_facts.h"
#include "support_universe.h"

// The rows of bands ------------------------------------------------------------------------------

// What kernels read below and above a band, although they have no use for all of it.
enum { LOADED_ROWS = LC_HALO_ROWS };

typedef struct memory {
    lc_cuda_bands bands;
    int64_t *row; // which row of the board, at which generation: row + 1000000 * generation
    int64_t cells, next;
} memory;

static int64_t tag(int64_t y, int64_t generation)
{
    return y + 1000000 * generation;
}

// One launch: reads what it needs, and writes its band.
static void launch(memory *m, int64_t i, int depth, int64_t generation)
{
    const lc_cuda_band band = lc_cuda_band_at(&m->bands, i, m->next < m->cells);
    const int64_t first = band.first_row, end = first + band.rows;
    for (int64_t y = first - depth; y < end + depth; y++)
        assert_int_equal(m->row[m->cells + y], tag(y, generation));
    // Nothing that it loads is written meanwhile.
    const int64_t to = m->next + first, to_end = m->next + end;
    assert_true(to_end <= m->cells + first - depth || to >= m->cells + end + LOADED_ROWS);
    for (int64_t y = first; y < end; y++)
        m->row[m->next + y] = tag(y, generation + 1);
}

static void walk(int64_t height, int64_t band_rows, int depth)
{
    memory m = {.bands = lc_cuda_bands_of(height, band_rows)};
    const int64_t shift = lc_cuda_bands_shift(&m.bands), rows = height + shift + 2 * LC_HALO_ROWS;
    int64_t covered = 0;
    assert_true(m.bands.count == 1 || height / m.bands.count >= LC_CUDA_TURN_ROWS);
    for (int64_t i = 0; i < m.bands.count; i++) {
        const lc_cuda_band band = lc_cuda_band_at(&m.bands, i, true);
        assert_int_equal(band.first_row, covered);
        assert_true(band.rows >= 1 &&
                    (band.rows <= band_rows || band_rows < 2 * LC_CUDA_TURN_ROWS));
        covered += band.rows;
    }
    assert_int_equal(covered, height);
    m.row = calloc((size_t)rows, sizeof *m.row);
    assert_non_null(m.row);
    m.cells = LC_HALO_ROWS;
    m.next = LC_HALO_ROWS + shift;
    for (int64_t y = 0; y < height; y++)
        m.row[m.cells + y] = tag(y, 0);
    for (int64_t pass = 0; pass < 3; pass++) {
        for (int64_t y = 1; y <= depth; y++) { // the halo
            m.row[m.cells - y] = tag(-y, pass);
            m.row[m.cells + height - 1 + y] = tag(height - 1 + y, pass);
        }
        for (int64_t i = 0; i < m.bands.count; i++)
            launch(&m, i, depth, pass);
        const int64_t next = m.next;
        m.next = m.cells;
        m.cells = next;
    }
    for (int64_t y = 0; y < height; y++)
        assert_int_equal(m.row[m.cells + y], tag(y, 3));
    free(m.row);
}

static void test_rows_of_bands(void **state)
{
    (void)state;
    static const int depths[] = {1, 8, 16, LC_HALO_ROWS};
    for (int64_t height = 1; height <= 130; height++)
        for (int64_t rows = 1; rows <= height + 1; rows += 1 + rows / 8)
            for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
                walk(height, rows, depths[d]);
}

// How they are chosen ----------------------------------------------------------------------------

static const uint64_t h200_bytes = UINT64_C(139) << 30;

static lc_device_facts h200(void)
{
    return (lc_device_facts){.architecture = 90,
                             .multiprocessors = 132,
                             .cooperative = true,
                             .memory_bytes = h200_bytes};
}

static lc_frame torus(int64_t width, int64_t height)
{
    return lc_frame_of(
        &(lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height});
}

// No surface of the board's size, so it is none that may settle.
static const lc_topology nothing_settles = {.kind = LC_TOPOLOGY_PLANE};

// The rows of a board's bands, 0 if there are none; and what it takes then.
static int64_t bands_chosen(lc_frame frame, const char *text, uint64_t room, uint64_t *size_bytes)
{
    const lc_device_facts facts = h200();
    const lc_cuda_where where = {NULL, &facts, LIFE};
    lc_cuda_settings settings;
    lc_message why = {0};
    assert_int_equal(lc_cuda_settings_parse(&settings, text, &why), LC_OK);
    lc_cuda_plan plan = lc_cuda_plan_guess(&facts, &frame);
    if (lc_cuda_plan_parse(&plan, settings.plan, &why) != LC_OK ||
        lc_cuda_bands_choose(&plan, &settings, &where, &frame, &nothing_settles, room, &why) !=
            LC_OK)
        fail_msg("%s", why.text);
    assert_true(lc_cuda_board_bytes(&frame, plan.words, plan.band_rows, size_bytes));
    return plan.band_rows;
}

static void test_choice(void **state)
{
    (void)state;
    uint64_t bytes, others;
    // Two buffers as long as they fit.
    assert_int_equal(bands_chosen(torus(1 << 20, 1 << 19), "", 0, &bytes), 0);
    assert_true(bytes <= h200_bytes);
    assert_int_equal(bands_chosen(torus(1 << 19, 1 << 18), "in-place=no", 1 << 20, &bytes), 0);
    // 2^40 cells, half of which an H200 has room for otherwise: the slack is a few percent, and
    // some GiB are left for all else.
    const int64_t rows = bands_chosen(torus(1 << 20, 1 << 20), "", 0, &bytes);
    assert_true(rows >= 1 << 14 && rows <= 1 << 16);
    assert_true(bytes > UINT64_C(128) << 30 && bytes < UINT64_C(137) << 30);
    // Two boards of 2^40 in two blocks, each of which has a GPU of its own.
    assert_true(bands_chosen(torus(1 << 21, 1 << 19), "", 0, &bytes) > 0);
    assert_true(bytes < UINT64_C(137) << 30);
    // Lower bands where there is less memory, down to some; what does not fit does not fit.
    const uint64_t tight = (UINT64_C(128) << 30) + (UINT64_C(3) << 30);
    const int64_t low = bands_chosen(torus(1 << 20, 1 << 20), "", tight, &others);
    assert_true(low >= 64 && low < rows && others < bytes && others <= tight);
    assert_int_equal(bands_chosen(torus(1 << 20, 1 << 20), "", UINT64_C(100) << 30, &bytes), 64);
    assert_true(bytes > UINT64_C(128) << 30);
    // As they are asked for.
    assert_int_equal(bands_chosen(torus(4096, 4096), "in-place=yes,band-rows=77", 0, &bytes), 77);
    assert_true(bands_chosen(torus(65536, 65536), "in-place=yes", 0, &bytes) <= 4096);
    assert_int_equal(bands_chosen(torus(4096, 4096), "band-rows=77", 0, &bytes), 0);
}

static void test_settings(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "in-place",    "in-place=", "in-place=maybe", "in-place=yess", "in-place=yes,band-rows=x",
        "band-rows=-6"};
    const lc_device_facts facts = h200();
    const lc_frame frame = torus(4096, 4096);
    const lc_cuda_where where = {NULL, &facts, LIFE};
    lc_cuda_settings settings;
    lc_message why;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lc_cuda_settings_parse(&settings, wrong[i], &why), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_cuda_settings_parse(&settings, "in-place=perhaps", &why),
                     LC_ERROR_ARGUMENT);
    assert_non_null(strstr(why.text, "in-place=auto, in-place=yes or in-place=no"));
    assert_int_equal(lc_cuda_settings_parse(&settings, "settled=yes,in-place=yes", &why), LC_OK);
    lc_cuda_plan plan = lc_cuda_plan_guess(&facts, &frame);
    assert_int_equal(
        lc_cuda_bands_choose(&plan, &settings, &where, &frame, &nothing_settles, 0, &why),
        LC_ERROR_ARGUMENT);
    assert_non_null(strstr(why.text, "so not in-place=yes"));
}

// Whole boards -----------------------------------------------------------------------------------

// Bands of a few rows, runs and tiles that do not divide them, strips and what they leave over.
static const char *const plans[] = {
    "words=4,generations=8,strip-warps=8,runs=0,tile-warps=8,tile-rows=5,depth=8,band-rows=6",
    "words=4,generations=7,strip-warps=3,runs=3,tile-warps=4,tile-rows=9,depth=7,band-rows=19",
    "words=2,generations=8,strip-warps=8,runs=2,tile-warps=8,tile-rows=6,depth=8,band-rows=14",
    "words=2,generations=11,strip-warps=2,runs=1,tile-warps=2,tile-rows=12,depth=10,band-rows=7",
    "words=1,generations=8,strip-warps=8,runs=9,tile-warps=8,tile-rows=6,depth=8,band-rows=1",
    "words=1,generations=0,tile-warps=8,tile-rows=5,depth=16,band-rows=9",
    "words=1,generations=0,tile-warps=1,tile-rows=21,depth=10,band-rows=1000",
    "words=2,generations=0,tile-warps=8,tile-rows=9,depth=32,band-rows=13",
    "words=4,generations=0,tile-warps=4,tile-rows=17,depth=32,band-rows=16",
    "",
};

static const shape shapes[] = {
    {SURFACE_TORUS, 128, 41},         {SURFACE_TORUS, 4224, 50},  {SURFACE_TORUS, 640, 24},
    {SURFACE_TORUS, 357, 44},         {SURFACE_TORUS, 1000, 31},  {SURFACE_TORUS_SHIFT_X, 256, 40},
    {SURFACE_TORUS_SHIFT_Y, 130, 37}, {SURFACE_KLEIN_X, 257, 33}, {SURFACE_KLEIN_Y, 192, 45},
    {SURFACE_CROSS, 200, 31},         {SURFACE_SPHERE, 77, 77},   {SURFACE_SPHERE, 128, 128},
    {SURFACE_PLANE, 128, 41},         {SURFACE_PLANE, 161, 50},   {SURFACE_PLANE, 4227, 30},
    {SURFACE_PLANE, 33, 29},
};
enum { PLANS = sizeof plans / sizeof *plans, SHAPES = sizeof shapes / sizeof *shapes };

// One to seven slabs, of which none is lower than a pass is deep; 0: one block.
static void write_engine(char engine[LC_ENGINE_SETTINGS_BYTES], const char *plan, int blocks)
{
    char cut[32] = "";
    if (blocks > 0)
        snprintf(cut, sizeof cut, "blocks=%d,", blocks);
    snprintf(engine, LC_ENGINE_SETTINGS_BYTES, "cuda:%sin-place=yes%s%s", cut,
             *plan != '\0' ? "," : "", plan);
}

// Steps a board and the oracle's, with cells written and looks of all kinds in between. False: the
// plan does not fit the board.
static bool compare(const char *plan, const shape *s, int blocks, const lc_rule *rule,
                    uint64_t number)
{
    static const uint64_t steps[] = {8, 1, 24, 3, 16, 29};
    char engine[LC_ENGINE_SETTINGS_BYTES];
    checked_board b;
    lc_message why;
    write_engine(engine, plan, blocks);
    const lc_status status = checked_board_create(&b, engine, s, rule, number, &why);
    if (status == LC_ERROR_ARGUMENT && strstr(why.text, "cannot") != NULL)
        return false;
    if (status != LC_OK)
        fail_msg("%s: %s", engine, why.text);
    assert_non_null(strstr(lc_universe_info_of(b.universe).plan, "in-place=yes"));
    assert_non_null(strstr(lc_universe_info_of(b.universe).plan, "band-rows="));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        checked_board_step(&b, steps[i]);
        // Facts first on one board, cells first on the next: both settle what has drifted.
        if (i % 3 != 1)
            checked_board_compare(&b, number % 2 == 0);
        else if (number % 2 == 0)
            (void)test_population(b.universe);
        for (int edits = 0; edits < 3 && i % 2 == 0; edits++)
            checked_board_edit(&b);
    }
    checked_board_destroy(&b);
    return true;
}

// Every plan on some shapes and every shape by some plans, or all by all.
static void test_boards(void **state)
{
    (void)state;
    int met_plan[PLANS] = {0}, met_shape[SHAPES] = {0};
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t p = 0; p < PLANS; p++) {
            if (!test_full() && (p + 3 * s) % 4 != 0 && p + 1 < PLANS)
                continue;
            const lc_rule *rule = rule_at(p % 3 == 0 ? 0 : p + 3, test_seed());
            const bool fits = compare(plans[p], &shapes[s], 0, rule, s * PLANS + p);
            met_plan[p] += fits;
            met_shape[s] += fits;
        }
    for (size_t p = 0; p < PLANS; p++)
        if (met_plan[p] < 2)
            fail_msg("%s fits %d boards", plans[p], met_plan[p]);
    for (size_t s = 0; s < SHAPES; s++)
        assert_true(met_shape[s] >= 2);
}

// Those that exchange their rows, and those that are given their halos, which show cells of blocks
// that have made their pass already.
static void test_slabs(void **state)
{
    (void)state;
    static const shape cut[] = {{SURFACE_TORUS, 256, 91},  {SURFACE_TORUS, 300, 98},
                                {SURFACE_PLANE, 161, 91},  {SURFACE_KLEIN_X, 257, 91},
                                {SURFACE_CROSS, 130, 105}, {SURFACE_SPHERE, 77, 77}};
    for (size_t s = 0; s < sizeof cut / sizeof *cut; s++)
        for (int blocks = 1; blocks <= 7; blocks++) {
            const size_t p = (s + (size_t)blocks) % PLANS;
            if (!test_full() && ((size_t)blocks + s) % 2 != 0)
                continue;
            if (!compare(plans[p], &cut[s], blocks, LIFE, 1000 + 10 * s + (size_t)blocks))
                assert_true(compare("", &cut[s], blocks, LIFE, 1000 + 10 * s + (size_t)blocks));
        }
}

// Memory -----------------------------------------------------------------------------------------

// 8,192 x 8,192 cells are 8 MiB: by itself it is two buffers, or one, as the limit is, and takes no
// more than it says; what does not fit is refused with what it needs at least.
static void test_limits(void **state)
{
    (void)state;
    const lc_topology t = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 8192};
    const uint64_t mib = UINT64_C(1) << 20;
    lc_universe *u;
    lc_message why = {0};
    assert_int_equal(test_try_create(&u, "cuda:settled=no", t, 32 * mib, &why), LC_OK);
    assert_null(strstr(lc_universe_info_of(u).plan, "in-place"));
    assert_true(lc_universe_info_of(u).memory_bytes > 16 * mib);
    lc_universe_destroy(&u);
    for (uint64_t limit = 17; limit <= 19; limit++) {
        if (test_try_create(&u, "cuda", t, limit * mib, &why) != LC_OK)
            fail_msg("%s", why.text);
        assert_non_null(strstr(lc_universe_info_of(u).plan, "in-place=yes"));
        assert_true(lc_universe_info_of(u).memory_bytes <= limit * mib);
        assert_int_equal(lc_universe_info_of(u).limit_bytes, limit * mib);
        lc_universe_destroy(&u);
    }
    assert_int_equal(test_try_create(&u, "cuda:in-place=no", t, 18 * mib, &why), LC_ERROR_LIMIT);
    assert_non_null(strstr(why.text, "8192 x 8192 cells need 2"));
    assert_int_equal(test_try_create(&u, "cuda", t, 9 * mib, &why), LC_ERROR_LIMIT);
    assert_non_null(strstr(why.text, "8192 x 8192 cells need 16."));
    assert_non_null(strstr(why.text, "the limit is 9.0 MiB"));
    // Blocks share the limit. Each has 2 MiB for rows that are exchanged.
    assert_int_equal(test_try_create(&u, "cuda:blocks=3", t, 27 * mib, &why), LC_OK);
    assert_non_null(strstr(lc_universe_info_of(u).plan, "in-place=yes"));
    assert_true(lc_universe_info_of(u).memory_bytes <= 27 * mib);
    lc_universe_destroy(&u);
}

// Who has the GPU for himself takes two buffers; beside another board it is one of lower bands.
// With FAKE_MEMORY there are 64 MiB.
static void test_shared_gpu(void **state)
{
    (void)state;
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 12288, .height_cells = 8192};
    const lc_topology small = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 4096};
    lc_universe *first, *second;
    lc_message why = {0};
    assert_int_equal(test_try_create(&first, "cuda", large, 0, &why), LC_OK);
    assert_null(strstr(lc_universe_info_of(first).plan, "in-place"));
    if (test_try_create(&second, "cuda", large, 0, &why) != LC_OK)
        fail_msg("%s", why.text);
    assert_non_null(strstr(lc_universe_info_of(second).plan, "in-place=yes"));
    lc_universe_destroy(&second);
    assert_int_equal(test_try_create(&second, "cuda:in-place=no", large, 0, &why), LC_ERROR_MEMORY);
    assert_non_null(strstr(why.text, "rows on their way need 8.0 MiB"));
    assert_int_equal(test_try_create(&second, "cuda", small, 0, &why), LC_OK);
    assert_null(strstr(lc_universe_info_of(second).plan, "in-place"));
    lc_universe_destroy(&second);
    lc_universe_destroy(&first);
}

// What a plan says can be given as settings, and makes the same plan.
static void test_plan_text(void **state)
{
    (void)state;
    const lc_topology t = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 512, .height_cells = 300};
    char engine[LC_ENGINE_SETTINGS_BYTES];
    lc_universe *u;
    lc_message why = {0};
    assert_int_equal(test_try_create(&u, "cuda:in-place=yes", t, 0, &why), LC_OK);
    snprintf(engine, sizeof engine, "cuda:%s", lc_universe_info_of(u).plan);
    lc_universe_destroy(&u);
    assert_int_equal(test_try_create(&u, engine, t, 0, &why), LC_OK);
    assert_string_equal(lc_universe_info_of(u).plan, engine + 5);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_of_bands), cmocka_unit_test(test_choice),
        cmocka_unit_test(test_settings),      cmocka_unit_test(test_boards),
        cmocka_unit_test(test_slabs),         cmocka_unit_test(test_limits),
        cmocka_unit_test(test_shared_gpu),    cmocka_unit_test(test_plan_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
