// Engines that a program brings along: rows go in and out in any pieces, what a guest says comes
// through, and a guest that fails ends the universe with its own words, without a wrong cell.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"

// A guest that turns the board by one column a generation, so that where each cell goes is plain.
typedef struct turning {
    int64_t width, height;
    size_t pitch;
    uint64_t *rows;
    char settings[32];
    uint64_t steps;   // calls of step
    uint64_t partial; // of them: those of 24 generations and more that 24 does not divide
} turning;

static const char *fails_at;  // the function that fails; NULL: none
static int64_t narrowest = 0; // boards that are narrower are refused
static uint64_t last_steps;   // calls of step of the last board
static uint64_t last_partial; // the partial ones
static size_t boards;         // alive now
static size_t tasks_run;      // by the lent threads
static bool is_available = true;

static bool fails(const char *function, lc_message *message)
{
    if (fails_at == NULL || strcmp(fails_at, function) != 0)
        return false;
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%s does not work today", function);
    return true;
}

static bool available(const void *context, const char **reason)
{
    assert_string_equal(context, "context");
    *reason = is_available ? "always" : "not on this day";
    return is_available;
}

static lc_status check(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message)
{
    (void)context;
    *memory_bytes = (uint64_t)(board->topology.width_cells + 63) / 64 * 8 *
                    (uint64_t)board->topology.height_cells;
    if (board->topology.width_cells >= narrowest && strcmp(board->settings, "wrong") != 0)
        return LC_OK;
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "too narrow for this guest, or \"%s\"",
                 board->settings);
    return LC_ERROR_UNSUPPORTED;
}

static void run_task(void *context, size_t index, int worker)
{
    (void)index;
    assert_true(worker >= 0);
    __atomic_fetch_add((size_t *)context, 1, __ATOMIC_SEQ_CST);
}

static lc_status create(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message)
{
    (void)context;
    if (fails("create", message))
        return LC_ERROR_MEMORY;
    turning *t = calloc(1, sizeof *t);
    t->width = board->topology.width_cells;
    t->height = board->topology.height_cells;
    t->pitch = (size_t)(t->width + 63) / 64;
    t->rows = calloc(t->pitch * (size_t)t->height, sizeof *t->rows);
    snprintf(t->settings, sizeof t->settings, "by=%s", board->settings);
    board->run(board->pool, 10, run_task, &tasks_run);
    assert_true(board->threads >= 1);
    boards++;
    *out = t;
    return LC_OK;
}

static void destroy(void *board)
{
    turning *t = board;
    last_steps = t->steps;
    last_partial = t->partial;
    boards--;
    free(t->rows);
    free(t);
}

static lc_status write_rows(void *board, const lc_cells *from, lc_message *message)
{
    turning *t = board;
    assert_true(from->x == 0 && from->width_cells == t->width && from->planes == 1);
    assert_true(from->y >= 0 && from->height_cells > 0 &&
                from->y + from->height_cells <= t->height && from->pitch_words >= t->pitch);
    if (fails("write_rows", message))
        return LC_ERROR_DEVICE;
    for (int64_t i = 0; i < from->height_cells; i++)
        memcpy(t->rows + (size_t)(from->y + i) * t->pitch, lc_cells_row(from, i), t->pitch * 8);
    return LC_OK;
}

static lc_status read_rows(void *board, const lc_cells *to, lc_message *message)
{
    const turning *t = board;
    if (fails("read_rows", message))
        return LC_ERROR_DEVICE;
    for (int64_t i = 0; i < to->height_cells; i++)
        memcpy(lc_cells_row(to, i), t->rows + (size_t)(to->y + i) * t->pitch, t->pitch * 8);
    return LC_OK;
}

static bool bit(const uint64_t *row, int64_t x)
{
    return row[x / 64] >> (x % 64) & 1;
}

static lc_status step(void *board, uint64_t generations, double *stepping_ns, lc_message *message)
{
    turning *t = board;
    if (fails("step", message))
        return LC_ERROR_DEVICE;
    t->steps++;
    t->partial += generations > 24 && generations % 24 != 0;
    *stepping_ns = 1000.0 * (double)generations;
    uint64_t *turned = calloc(t->pitch, sizeof *turned);
    for (int64_t y = 0; y < t->height; y++) {
        uint64_t *row = t->rows + (size_t)y * t->pitch;
        memset(turned, 0, t->pitch * 8);
        for (int64_t x = 0; x < t->width; x++) {
            const int64_t to = (int64_t)(((uint64_t)x + generations) % (uint64_t)t->width);
            turned[to / 64] |= (uint64_t)bit(row, x) << (to % 64);
        }
        memcpy(row, turned, t->pitch * 8);
    }
    free(turned);
    return LC_OK;
}

static void facts(const void *board, lc_step_facts *facts)
{
    (void)board;
    *facts = (lc_step_facts){.bytes_per_cell = 0.25, .registers = 12};
}

static const char *settings(const void *board)
{
    return ((const turning *)board)->settings;
}

static const lc_guest_engine engine = {
    .struct_bytes = sizeof engine,
    .name = "turning",
    .summary = "one column a generation",
    .context = "context",
    .available = available,
    .check = check,
    .create = create,
    .destroy = destroy,
    .write_rows = write_rows,
    .read_rows = read_rows,
    .step = step,
    .facts = facts,
    .settings = settings,
};

static lc_status make(lc_universe **out, const char *name, int64_t width, int64_t height,
                      lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = height},
        .engine = name,
        .threads = 2,
    };
    return lc_universe_create(out, &options, message);
}

// Boards whose rows are one word and many windows: each cell is where it should be.
static void test_cells(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {64, 3}, {65, 40}, {1000, 77}, {70000, 1200}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int64_t width = sizes[i][0], height = sizes[i][1];
        lc_universe *u = NULL, *simd = NULL;
        lc_message why = {0};
        assert_int_equal(make(&u, "turning:3", width, height, &why), LC_OK);
        assert_int_equal(make(&simd, "simd", width, height, &why), LC_OK);
        assert_string_equal(lc_universe_info_of(u).engine, "turning");
        assert_string_equal(lc_universe_info_of(u).plan, "by=3");
        assert_int_equal(lc_universe_soup(u, 0, 0, width, height, 0.3, 7, &why), LC_OK);
        assert_int_equal(lc_universe_soup(simd, 0, 0, width, height, 0.3, 7, &why), LC_OK);
        assert_int_equal(test_hash(u), test_hash(simd));
        assert_int_equal(test_population(u), test_population(simd));
        const lc_box box = test_box(u), other = test_box(simd);
        assert_int_equal(box.empty, other.empty);
        assert_int_equal(box.x, other.x);
        assert_int_equal(box.y, other.y);
        assert_int_equal(box.width_cells, other.width_cells);
        assert_int_equal(box.height_cells, other.height_cells);
        // Parts of rows, far apart.
        for (int64_t y = 0; y < height; y += height / 3 + 1) {
            const bool alive = test_get(u, width / 2, y);
            assert_int_equal(lc_universe_set(u, width / 2, y, !alive, &why), LC_OK);
            assert_int_equal(lc_universe_set(simd, width / 2, y, !alive, &why), LC_OK);
        }
        assert_int_equal(test_hash(u), test_hash(simd));
        assert_int_equal(lc_universe_step(u, lc_count_of(5), NULL, NULL, &why), LC_OK);
        assert_int_equal(lc_universe_info_of(u).stepping_ns, 5000);
        for (int64_t x = 0; x < width; x += width / 50 + 1)
            assert_int_equal(test_get(u, (x + 5) % width, height / 2),
                             test_get(simd, x, height / 2));
        lc_step_facts of;
        of = lc_universe_info_of(u).step;
        assert_int_equal(of.registers, 12);
        assert_int_equal(lc_universe_info_of(u).traffic_bytes,
                         (uint64_t)(0.25 * 5 * (double)width * (double)height));
        lc_universe_destroy(&u);
        lc_universe_destroy(&simd);
    }
    assert_int_equal(boards, 0);
    assert_int_equal(tasks_run, 10 * (sizeof sizes / sizeof sizes[0]));
}

static void test_many_generations(void **state)
{
    (void)state;
    lc_universe *u = NULL;
    lc_message why = {0};
    assert_int_equal(make(&u, "turning", 97, 5, &why), LC_OK);
    assert_int_equal(lc_universe_set(u, 3, 4, true, &why), LC_OK);
    assert_int_equal(lc_universe_step(u, lc_count_of(1000000), NULL, NULL, &why), LC_OK);
    assert_true(test_get(u, (3 + 1000000) % 97, 4));
    assert_int_equal(test_population(u), 1);
    lc_universe_destroy(&u);
    assert_true(last_steps < 60); // calls grow while they are short
    // Where a guest makes 2, 3, 4, 6, 8 or 12 generations in a launch they are whole launches. The
    // last one is what is left.
    assert_in_range(last_partial, 0, 1);
}

static void test_refusals(void **state)
{
    (void)state;
    lc_universe *u = NULL;
    lc_message why = {0};
    narrowest = 100;
    assert_int_equal(make(&u, "turning:2", 99, 5, &why), LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(why.text, "too narrow"));
    narrowest = 0;
    assert_int_equal(make(&u, "turning:wrong", 99, 5, &why), LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(why.text, "\"wrong\""));
    assert_int_equal(make(&u, "turnin", 99, 5, &why), LC_ERROR_ARGUMENT);
    assert_int_equal(make(&u, "turnings", 99, 5, &why), LC_ERROR_ARGUMENT);
    assert_int_equal(make(&u, "simd:x", 99, 5, &why), LC_ERROR_ARGUMENT);
    char name[400];
    memset(name, 'x', sizeof name);
    memcpy(name, "turning:", 8);
    name[sizeof name - 1] = '\0';
    assert_int_equal(make(&u, name, 99, 5, &why), LC_ERROR_ARGUMENT);
    is_available = false;
    assert_int_equal(make(&u, "turning", 99, 5, &why), LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(why.text, "not on this day"));
    is_available = true;

    static const char *const bad[] = {"turning", "simd", "a:b", "a,b", "", "auto"};
    lc_guest_engine other = engine;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        other.name = bad[i];
        assert_int_equal(lc_engine_add(&other, &why), LC_ERROR_ARGUMENT);
        assert_non_null(strstr(why.text, "called"));
    }
    other.name = "halved";
    other.step = NULL;
    assert_int_equal(lc_engine_add(&other, &why), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(why.text, "all functions"));
    // That of a program from before there was `settings`.
    other = engine;
    other.name = "old";
    other.struct_bytes = offsetof(lc_guest_engine, settings);
    assert_int_equal(lc_engine_add(&other, &why), LC_ERROR_ARGUMENT);
    other.struct_bytes = 0;
    assert_int_equal(lc_engine_add(&other, &why), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(why.text, "sizeof(lc_guest_engine)"));
    // One of before there was `population`, which may be missing: what stands there is not read. It
    // need not be kept.
    const size_t old_bytes = offsetof(lc_guest_engine, population);
    memset((char *)&other + old_bytes, 0xff, sizeof other - old_bytes);
    other.struct_bytes = old_bytes;
    assert_int_equal(lc_engine_add(&other, &why), LC_OK);
    memset(&other, 0xff, sizeof other);
    assert_int_equal(make(&u, "old", 99, 5, &why), LC_OK);
    assert_int_equal(test_population(u), 0);
    lc_universe_destroy(&u);
    // It is not among the library's own, and never chosen for anybody.
    lc_engine_info info;
    for (size_t i = 0; lc_engine_at(test_context(), i, &info); i++)
        assert_string_not_equal(info.name, "turning");
}

static void test_failures(void **state)
{
    (void)state;
    static const char *const functions[] = {"create", "write_rows", "step", "read_rows"};
    for (size_t i = 0; i < 4; i++) {
        lc_universe *u = NULL;
        lc_message why = {0};
        fails_at = i == 0 ? functions[0] : NULL;
        lc_status status = make(&u, "turning", 200, 50, &why);
        fails_at = functions[i];
        if (i > 0) {
            assert_int_equal(status, LC_OK);
            status = lc_universe_soup(u, 0, 0, 200, 50, 0.5, 1, &why);
        }
        if (status == LC_OK)
            status = lc_universe_step(u, lc_count_of(10), NULL, NULL, &why);
        lc_facts facts;
        if (status == LC_OK)
            status = lc_universe_facts(u, LC_FACT_ALL, &facts, &why);
        assert_int_equal(status, i == 0 ? LC_ERROR_MEMORY : LC_ERROR_DEVICE);
        assert_non_null(strstr(why.text, functions[i]));
        if (u != NULL) { // lost for good
            fails_at = NULL;
            assert_int_equal(lc_universe_step(u, lc_count_of(1), NULL, NULL, &why),
                             LC_ERROR_DEVICE);
            assert_int_equal(lc_universe_save(u, "never.rle", LC_FORMAT_RLE, &why),
                             LC_ERROR_DEVICE);
        }
        lc_universe_destroy(&u);
    }
    fails_at = NULL;
    assert_int_equal(boards, 0);
}

// A guest that steps another family is given its rules, and no others. This one's rule is a map:
// each cell becomes what its left neighbour was.
static void test_families(void **state)
{
    (void)state;
    static lc_guest_engine maps;
    maps = engine;
    maps.name = "maps";
    maps.families = 1u << LC_FAMILY_MAP;
    uint8_t table[64] = {0};
    for (unsigned neighbourhood = 0; neighbourhood < 512; neighbourhood++)
        table[neighbourhood / 8] |= (uint8_t)((neighbourhood >> 5 & 1) << (7 - neighbourhood % 8));
    lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = rule_of_map(table),
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300, .height_cells = 300},
        .engine = "maps",
        .threads = 2,
        .audit_generations = 1};
    lc_universe *u;
    lc_message why = {0};
    assert_int_equal(lc_engine_add(&maps, &why), LC_OK);
    assert_int_equal(lc_universe_create(&u, &options, &why), LC_OK);
    assert_int_equal(lc_universe_soup(u, 0, 0, 300, 300, 0.5, 1, &why), LC_OK);
    const bool alive = test_get(u, 17, 5);
    if (lc_universe_step(u, lc_count_of(600), NULL, NULL, &why) != LC_OK) // and the audits agree
        fail_msg("%s", why.text);
    assert_int_equal(test_get(u, 17, 5), alive);
    lc_universe_destroy(&u);
    options.engine = "turning";
    assert_int_equal(lc_universe_create(&u, &options, &why), LC_ERROR_UNSUPPORTED);
    assert_string_equal(why.text, "the engine \"turning\" does not step map rules");
    options.engine = "maps";
    options.rule = LIFE;
    assert_int_equal(lc_universe_create(&u, &options, &why), LC_ERROR_UNSUPPORTED);
    assert_string_equal(why.text, "the engine \"maps\" does not step outer-totalistic rules");
}

static int add(void **state)
{
    (void)state;
    lc_message why = {0};
    return lc_engine_add(&engine, &why) == LC_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),    cmocka_unit_test(test_many_generations),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_families),
    };
    return cmocka_run_group_tests(tests, add, NULL);
}
