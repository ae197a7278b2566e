// Every design of the gallery, with each value of each knob, against the oracle over the whole
// board: the rules that it steps, sizes that hurt, fills that hurt, generations on both sides of
// what a launch makes; then settings and boards drawn at random, all knobs at once. A board that a
// design does not step has to be refused with a sentence; and there must be boards that it does.
//
// Designs for the CPU are tested, or with LC_TEST_ENGINE=cuda those for the GPU, on whatever driver
// LIGHTCONE_CUDA names; LC_TEST_DESIGN=NAME tests one alone. LC_TEST_FULL=1 tries every value of
// every knob on every board, and not on a share of them, and draws more. (LC_TEST_SHARE: fewer.)
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/engine_interface.h"
#include "gallery/gallery.h"
#include "gallery/gpu_design.h"
#include "oracle.h"
#include "support.h"
#include "support_facts.h"

#define THREADS_MAX 3

// Has counts that Life has not, up to the largest: B3678/S34678.
#define DAY_AND_NIGHT rule_of("B3678/S34678")

static lc_pool *pools[THREADS_MAX + 1];

typedef struct board_size {
    int64_t width, height;
} board_size;

// Up to `USUAL_SIZES` those that most designs can step; then those that few can.
static const board_size sizes[] = {
    {256, 64}, {128, 128}, {512, 96}, {1024, 33}, {64, 200}, {192, 40}, {96, 31},
    {32, 7},   {100, 50},  {33, 17},  {8, 8},     {3, 3},    {1, 1},    {131, 3},
    {160, 9},  {24, 5},    {8, 1},    {2, 2},     {1, 6},
};
enum { USUAL_SIZES = 6, SIZES = sizeof sizes / sizeof sizes[0] };

static const uint64_t checkpoints[] = {0, 1, 2, 3, 8, 17, 33, 66};
enum { CHECKPOINTS = sizeof checkpoints / sizeof checkpoints[0] };

static bool wants(const lc_design *design)
{
    const char *only = getenv("LC_TEST_DESIGN"), *engine = getenv("LC_TEST_ENGINE");
    if (design->engine != NULL || (only != NULL && strcmp(only, design->name) != 0))
        return false;
    const bool gpu = engine != NULL && strcmp(engine, "cuda") == 0;
    return gpu == (design->gpu != NULL);
}

// A design's board as the library has it (src/engine/guest), but for what that puts between: calls
// of step are as long as the test wants, so that launches are as long as the design makes them.
typedef struct design_board {
    const lc_guest_engine *by;
    void *state;
    int64_t width, height;
    size_t pitch_words;
    uint64_t *rows;
} design_board;

static void run_on_pool(void *pool, size_t count, void (*task)(void *, size_t, int), void *context)
{
    lc_pool_run(pool, count, task, context);
}

static void check_status(const design_board *b, lc_status status, const lc_message *message)
{
    if (status != LC_OK)
        fail_msg("%s: %s: %s", b->by->name, lc_status_name(status), message->text);
}

static lc_cells rows_of(const design_board *b, int64_t y, int64_t count)
{
    uint64_t *words = b->rows + (size_t)y * b->pitch_words;
    return (lc_cells){0, y, b->width, count, 1, words, b->pitch_words, 0};
}

// What lies past the width is to be ignored. In two parts, as large boards come in many.
static void write_board(design_board *b, const oracle *board)
{
    lc_message message = {0};
    const int64_t half = b->height / 2;
    memset(b->rows, 0xff, (size_t)b->height * b->pitch_words * 8);
    for (int64_t y = 0; y < b->height; y++) {
        uint64_t *row = b->rows + (size_t)y * b->pitch_words;
        oracle_pack(board, 0, y, b->width, row);
        if (b->width % 64 != 0)
            row[b->width / 64] |= ~UINT64_C(0) << (b->width % 64);
    }
    const lc_cells lower = rows_of(b, half, b->height - half), upper = rows_of(b, 0, half);
    check_status(b, b->by->write_rows(b->state, &lower, &message), &message);
    if (half > 0)
        check_status(b, b->by->write_rows(b->state, &upper, &message), &message);
}

static void read_board(design_board *b)
{
    lc_message message = {0};
    const int64_t half = b->height / 2;
    memset(b->rows, 0xff, (size_t)b->height * b->pitch_words * 8);
    const lc_cells lower = rows_of(b, half, b->height - half), upper = rows_of(b, 0, half);
    check_status(b, b->by->read_rows(b->state, &lower, &message), &message);
    if (half > 0)
        check_status(b, b->by->read_rows(b->state, &upper, &message), &message);
}

static void row_of_board(const void *context, int64_t y, int64_t width, uint64_t *words)
{
    const design_board *b = context;
    memcpy(words, b->rows + (size_t)y * b->pitch_words, (size_t)(width + 63) / 64 * 8);
}

// Of what was read, with what has to be zero past the width; and as the design counted, if it does.
static bool population_is(design_board *b, uint64_t expected)
{
    uint64_t sum = 0, counted;
    for (size_t i = 0; i < (size_t)b->height * b->pitch_words; i++)
        sum += (uint64_t)__builtin_popcountll(b->rows[i]);
    if (sum != expected)
        return false;
    return b->by->population == NULL || !b->by->population(b->state, &counted) ||
           counted == expected;
}

// False if the design refuses the board.
static bool make_board(design_board *b, const char *settings, const lc_topology *torus,
                       const lc_rule *rule, int threads)
{
    const lc_guest_board what = {
        .rule = rule,
        .topology = *torus,
        .settings = settings,
        .threads = threads,
        .run = run_on_pool,
        .pool = pools[threads],
    };
    uint64_t size_bytes = 0;
    lc_message message = {0};
    lc_status status = b->by->check(b->by->context, &what, &size_bytes, &message);
    if (status == LC_OK) {
        assert_true(size_bytes > 0);
        status = b->by->create(&b->state, b->by->context, &what, &message);
    }
    // A refusal is fine, an error is not.
    if (status == LC_ERROR_UNSUPPORTED && message.text[0] != '\0') {
        assert_null(b->state);
        return false;
    }
    check_status(b, status, &message);
    b->width = torus->width_cells;
    b->height = torus->height_cells;
    b->pitch_words = (size_t)(b->width + 63) / 64 + 1;
    b->rows = malloc((size_t)b->height * b->pitch_words * 8);
    assert_non_null(b->rows);
    return true;
}

static void destroy_board(design_board *b)
{
    b->by->destroy(b->state);
    free(b->rows);
}

static const lc_rule *rule_without_b0(size_t number)
{
    const lc_counts counts = counts_of(rule_at(number / 2, test_seed()));
    return rule_of_counts(counts.birth & ~1u, counts.survival);
}

// Steps and compares; false if the design refuses the board.
static bool run_case(const lc_design *design, const char *settings, board_size size, fill how,
                     size_t number)
{
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = size.width, .height_cells = size.height};
    const int threads = 1 + (int)(number % THREADS_MAX);
    const lc_rule *rule = design->any_rule ? rule_without_b0(number) : LIFE;
    char name[320];
    snprintf(name, sizeof name, "%s:%s", design->name, settings);
    scene where = {.engine = name,
                   .threads = threads,
                   .seed = test_seed(),
                   .width = size.width,
                   .height = size.height,
                   .topology = torus,
                   .rule = rule,
                   .fill = fill_name(how)};
    design_board under_test = {.by = lc_engine_find(design->name)->guest};
    if (!make_board(&under_test, settings, &torus, rule, threads))
        return false;
    oracle *board = oracle_create(size.width, size.height, oracle_rule_of(rule), &torus);
    fill_board(board, how, test_seed() + number);
    write_board(&under_test, board);
    const int most = size.height > 60000 ? 4 : test_slowness() > 1 ? CHECKPOINTS - 1 : CHECKPOINTS;
    for (int i = 0; i < most; i++) {
        const uint64_t generations = checkpoints[i] - where.generation;
        double stepping_ns = 0;
        lc_message message = {0};
        if (generations > 0)
            check_status(&under_test,
                         under_test.by->step(under_test.state, generations, &stepping_ns, &message),
                         &message);
        oracle_step(board, generations);
        where.generation = checkpoints[i];
        snapshot taken = snapshot_take(board, where.generation);
        read_board(&under_test);
        const bool right = snapshot_equals(&taken, row_of_board, &under_test, &where);
        const bool counted = population_is(&under_test, taken.population);
        snapshot_free(&taken);
        assert_true(right);
        assert_true(counted);
    }
    destroy_board(&under_test);
    oracle_destroy(board);
    return true;
}

// Of what is only more of the same, one in so many.
static size_t one_in(void)
{
    return test_share() < 16 ? 1 : (size_t)test_share() / 8;
}

// All boards with one setting, number `index` of those that are tried, or one that most designs can
// step and one that few can; how many the design steps.
static size_t run_boards(const lc_design *design, const char *settings, size_t index, bool thorough)
{
    const size_t usual = index % USUAL_SIZES;
    const size_t other = USUAL_SIZES + index % (SIZES - USUAL_SIZES);
    size_t ran = 0;
    for (size_t i = 0; i < SIZES; i++) {
        if (thorough ? i % one_in() != 0 : i != usual && i != other)
            continue;
        // A large share of the fills dies out at once: so half are random, of each size in its
        // turn.
        const bool random = (index + index / USUAL_SIZES + i) % 2 == 0;
        const fill how = random ? FILL_RANDOM : (fill)((index + i) / 2 % FILL_COUNT);
        ran += run_case(design, settings, sizes[i], how, index * SIZES + i);
    }
    return ran;
}

// Each value of each knob, the other knobs as usual. *tried: how many.
static size_t run_knobs(const lc_design *design, size_t *tried)
{
    static size_t values; // of all designs
    size_t ran = 0;
    *tried = 0;
    for (size_t i = 0; i < lc_gallery_knob_count(design); i++) {
        const lc_knob *knob = &design->knobs[i];
        bool usual_is_a_value = false;
        for (const int *v = knob->values; *v >= 0; v++) {
            char settings[64];
            usual_is_a_value |= *v == knob->usual;
            if (values++ % one_in() != 0)
                continue;
            snprintf(settings, sizeof settings, "%s=%d", knob->name, *v);
            ran += run_boards(design, settings, ++*tried, test_full());
        }
        assert_true(usual_is_a_value);
    }
    return ran;
}

static void test_design(const lc_design *design)
{
    const lc_engine_vtable *engine = lc_engine_find(design->name);
    const char *reason;
    size_t tried;
    assert_non_null(engine);
    if (!lc_engine_available(engine, test_context(), &reason)) {
        print_message("%s cannot run here: %s\n", design->name, reason);
        return;
    }
    size_t ran = run_boards(design, "", 0, true);
    assert_true(ran > 0);
    ran += run_knobs(design, &tried);
    print_message("%s: %zu settings, %zu boards right\n", design->name, tried + 1, ran);
}

static void test_designs(void **state)
{
    (void)state;
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        if (wants(design))
            test_design(design);
}

static void draw_settings(const lc_design *design, dice *d, char *settings, size_t settings_bytes)
{
    int values[LC_KNOBS_MAX] = {0};
    for (size_t i = 0; i < lc_gallery_knob_count(design); i++) {
        int64_t count = 0;
        while (design->knobs[i].values[count] >= 0)
            count++;
        values[i] = design->knobs[i].values[dice_below(d, count)];
    }
    lc_gallery_format_settings(design, values, settings, settings_bytes);
}

// Widths that designs ask for, and any; a low board now and then.
static board_size draw_size(dice *d)
{
    static const int64_t units[] = {1, 8, 16, 32, 64, 64};
    const int64_t unit = units[dice_below(d, sizeof units / sizeof units[0])];
    const int64_t width = unit * (1 + dice_below(d, 512 / (unit < 8 ? 4 * unit : unit)));
    return (board_size){width, 1 + dice_below(d, dice_below(d, 4) == 0 ? 4 : 20000 / width + 16)};
}

static void test_combinations_of(const lc_design *design, size_t wanted)
{
    const char *reason;
    const lc_engine_vtable *engine = lc_engine_find(design->name);
    dice d = dice_from(test_seed(), 1);
    size_t ran = 0;
    if (!lc_engine_available(engine, test_context(), &reason))
        return;
    for (size_t number = 0; ran < wanted; number++) {
        char settings[256];
        assert_true(number < 100 * wanted);
        draw_settings(design, &d, settings, sizeof settings);
        const fill how = number % 4 != 0 ? FILL_RANDOM : (fill)(number / 4 % FILL_COUNT);
        ran += run_case(design, settings, draw_size(&d), how, number);
    }
}

static void test_combinations(void **state)
{
    (void)state;
    const size_t usual = test_full() ? 400 : 40 / (size_t)test_share() + 1;
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        // Each board of this one starts Python, which takes a hundred times as long as its cells.
        const bool slow = strcmp(design->name, "scipy") == 0 && !test_full();
        if (wants(design))
            test_combinations_of(design, slow ? usual / 8 + 1 : usual);
    }
}

// More rows of blocks than a grid holds: a block has more rows, or blocks lie behind each other.
static void test_tall(void **state)
{
    (void)state;
    static const struct {
        const char *name, *settings;
        int64_t width;
        bool refused;
    } tall[] = {
        {"shared-tile", "block=1", 3, false},
        {"simple", "down=1", 3, false},
        {"wide-loads", "down=1", 16, false},
        {"packed", "down=1", 64, false},
        {"grouped", "rows=1,down=1", 64, false},
        {"ghost-cells", "y=1", 3, true},
        {"texture", "", 3, true},
        {"overlapped-tile", "y=4", 3, false},
    };
    for (size_t i = 0; i < sizeof tall / sizeof tall[0]; i++) {
        const lc_design *design = lc_gallery_find(tall[i].name);
        const char *reason;
        assert_non_null(design);
        const board_size size = {tall[i].width, 66000};
        if (wants(design) && lc_gallery_available(design, &reason))
            assert_int_equal(run_case(design, tall[i].settings, size, FILL_RANDOM, i),
                             !tall[i].refused);
    }
}

// A GPU with less shared memory than that for which the designs were tuned.
static void test_small_gpu(void **state)
{
    (void)state;
    const lc_design *design = lc_gallery_find("multistep");
    const char *driver = getenv("LIGHTCONE_CUDA"), *reason;
    assert_non_null(design);
    if (!wants(design) || driver == NULL || strstr(driver, "emulated") == NULL ||
        !lc_gallery_available(design, &reason))
        skip();
    assert_int_equal(setenv("FAKE_SHARED", "65536", 1), 0);
    const bool usual = run_case(design, "", (board_size){256, 64}, FILL_RANDOM, 0);
    const bool less = run_case(design, "rows=8", (board_size){256, 64}, FILL_RANDOM, 0);
    assert_int_equal(unsetenv("FAKE_SHARED"), 0);
    assert_false(usual);
    assert_true(less);
}

// Many generations in one call are made by a recorded graph, and what is left by launches; through
// lc_guest_engine itself, since an engine asks for few generations at a time where each takes long.
static void test_graph(const lc_design *design)
{
    enum { WIDTH = 256, HEIGHT = 32, GENERATIONS = 32 * 8 + 5 };
    const lc_topology torus = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = WIDTH, .height_cells = HEIGHT};
    const lc_guest_board board = {.rule = LIFE, .topology = torus, .settings = "", .threads = 1};
    lc_guest_engine guest;
    void *state = NULL;
    lc_message message = {0};
    uint64_t rows[HEIGHT][WIDTH / 64];
    double stepping_ns = 0;
    oracle *expected = oracle_create(WIDTH, HEIGHT, oracle_rule_of(LIFE), &torus);
    fill_board(expected, FILL_RANDOM, test_seed());
    for (int64_t y = 0; y < HEIGHT; y++)
        oracle_pack(expected, 0, y, WIDTH, rows[y]);
    lc_gpu_guest(&guest);
    if (guest.create(&state, design, &board, &message) != LC_OK)
        fail_msg("%s: %s", design->name, message.text);
    const lc_cells all = {0, 0, WIDTH, HEIGHT, 1, rows[0], WIDTH / 64, 0};
    assert_int_equal(guest.write_rows(state, &all, &message), LC_OK);
    for (int i = 0; i < 2; i++) {
        if (guest.step(state, GENERATIONS, &stepping_ns, &message) != LC_OK)
            fail_msg("%s: %s", design->name, message.text);
        assert_true(stepping_ns > 0);
        assert_int_equal(guest.read_rows(state, &all, &message), LC_OK);
        oracle_step(expected, GENERATIONS);
        for (int64_t y = 0; y < HEIGHT; y++) {
            uint64_t row[WIDTH / 64];
            oracle_pack(expected, 0, y, WIDTH, row);
            if (memcmp(row, rows[y], sizeof row) != 0)
                fail_msg("%s: row %d differs after %d generations in one call", design->name,
                         (int)y, (i + 1) * GENERATIONS);
        }
    }
    guest.destroy(state);
    oracle_destroy(expected);
}

static void test_graphs(void **state)
{
    (void)state;
    const lc_design *design;
    const char *reason;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        if (wants(design) && design->gpu != NULL && lc_gallery_available(design, &reason))
            test_graph(design);
}

static void test_settings(void **state)
{
    (void)state;
    const lc_design *design = lc_gallery_find("bytes-gpu");
    int values[LC_KNOBS_MAX];
    char text[64];
    lc_message message;
    assert_non_null(design);
    assert_int_equal(lc_gallery_settings(design, "threads=256", values, &message), LC_OK);
    lc_gallery_format_settings(design, values, text, sizeof text);
    assert_string_equal(text, "threads=256");
    assert_int_equal(lc_gallery_settings(design, "threads=7", values, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "32, 64, 128"));
    assert_int_equal(lc_gallery_settings(design, "thread=64", values, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "it accepts threads"));
    assert_int_equal(lc_gallery_settings(design, "threads", values, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_gallery_settings(design, ",", values, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_gallery_settings(design, "threads=64,threads=128", values, &message),
                     LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "\"threads\" is set twice"));
    assert_null(lc_gallery_find("bytes"));
    assert_ptr_equal(lc_gallery_find("bytes-gpu:threads=64"), design);
}

// What every design says of itself is there, and its text is what `gallery show` prints.
static void test_table(void **state)
{
    (void)state;
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        assert_non_null(design->title);
        assert_non_null(design->source);
        assert_ptr_equal(lc_gallery_find(design->name), design);
        assert_int_equal((design->cpu != NULL) + (design->gpu != NULL) + (design->engine != NULL),
                         1);
        if (design->engine != NULL)
            continue;
        const char *text = lc_gallery_text(design->file);
        assert_non_null(text);
        assert_memory_equal(text, "// ", 3);
        assert_non_null(strstr(text, "\n// Source: "));
        assert_non_null(strstr(text, "Bytes a cell: "));
        assert_non_null(strstr(text, "Operations a cell: "));
        assert_non_null(strstr(text, "\n// Knobs: "));
        assert_non_null(strstr(text, "\n// Limits: "));
        assert_true(design->layout != NULL && design->cost != NULL);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    lc_universe_options options[] = {
        {.rule = rule_of("B36/S23"),
         .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64},
         .engine = "bytes-cpu"},
        {.rule = LIFE,
         .topology = {.kind = LC_TOPOLOGY_PLANE, .width_cells = 64, .height_cells = 64},
         .engine = "bytes-cpu"},
        {.rule = LIFE,
         .topology =
             {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64, .shift_x_cells = 5},
         .engine = "bytes-cpu"},
        {.rule = rule_of("B0/S"), .engine = "bytes-cpu"},
        {.rule = LIFE, .engine = "bytes-cpu:threads=4"},
        {.rule = LIFE, .engine = "bytes-cpu", .cpu_level = "avx2"},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        lc_universe *universe = NULL;
        lc_message message = {0};
        options[i].struct_bytes = sizeof options[i];
        assert_int_not_equal(lc_universe_create(&universe, &options[i], &message), LC_OK);
        assert_null(universe);
        assert_true(strlen(message.text) > 20);
    }
}

// A glider on the infinite plane, whose block grows and moves.
static void test_plane(void **state)
{
    (void)state;
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .engine = "bytes-cpu",
                                         .threads = 2};
    lc_universe *universe = NULL;
    lc_message message = {0};
    assert_int_equal(lc_universe_create(&universe, &options, &message), LC_OK);
    static const int64_t glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(lc_universe_set(universe, glider[i][0], glider[i][1], true, &message),
                         LC_OK);
    const int64_t columns = 1000 / test_slowness();
    assert_int_equal(
        lc_universe_step(universe, lc_count_of(4 * (uint64_t)columns), NULL, NULL, &message),
        LC_OK);
    const lc_box box = test_box(universe);
    assert_int_equal(test_population(universe), 5);
    assert_int_equal(box.x, columns);
    assert_int_equal(box.y, columns);
    lc_universe_destroy(&universe);
}

// Makes and steps a board of the design "scipy" in a child process in which Python is this shell
// script; what that has to fail with. Before test_designs, since Python is looked for once in a
// process.
static void check_python(const char *script, lc_status wanted, const char *part)
{
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char folder[] = "/tmp/lightcone-python-XXXXXX", path[64];
        if (mkdtemp(folder) == NULL)
            _exit(2);
        snprintf(path, sizeof path, "%s/python3", folder);
        lc_gallery_use(test_context(), path);
        const int file = open(path, O_WRONLY | O_CREAT, 0700);
        const ssize_t length = (ssize_t)strlen(script);
        if (file < 0 || write(file, script, (size_t)length) != length || close(file) != 0)
            _exit(2);
        // More cells than a socket holds.
        const lc_universe_options options = {
            .struct_bytes = sizeof options,
            .context = test_context(),
            .rule = LIFE,
            .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 2048, .height_cells = 2048},
            .engine = "scipy",
        };
        lc_universe *universe = NULL;
        lc_message message = {0};
        lc_status status = lc_universe_create(&universe, &options, &message);
        if (status == LC_OK)
            status = lc_universe_soup(universe, 0, 0, 2048, 2048, 0.5, 1, &message);
        if (status == LC_OK)
            status = lc_universe_step(universe, lc_count_of(1), NULL, NULL, &message);
        lc_universe_destroy(&universe);
        const bool no_zombie = waitpid(-1, NULL, 0) == -1 && errno == ECHILD;
        unlink(path);
        rmdir(folder);
        if (status != wanted || strstr(message.text, part) == NULL)
            fprintf(stderr, "%s: %s\n", lc_status_name(status), message.text);
        else if (no_zombie)
            _exit(0);
        _exit(1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_python(void **state)
{
    (void)state;
    check_python("#!/bin/sh\necho 'no module' >&2\nexit 1\n", LC_ERROR_UNSUPPORTED,
                 "python3 with numpy and scipy is not installed");
    check_python("#!/nowhere/python3\n", LC_ERROR_UNSUPPORTED, "is not installed");
    check_python("#!/bin/sh\nprintf ready\necho first >&2\necho 'last words' >&2\nexit 1\n",
                 LC_ERROR_SYSTEM, "ended: last words");
    check_python("#!/bin/sh\nprintf ready\nkill -9 $$\n", LC_ERROR_SYSTEM, "ended early");
}

static int prepare(void **state)
{
    (void)state;
    lc_message message = {0};
    for (int threads = 1; threads <= THREADS_MAX; threads++)
        if (lc_pool_create(&pools[threads], threads) != LC_OK)
            return -1;
    lc_gallery_use(test_context(), NULL);
    if (lc_gallery_add_engines(&message) == LC_OK)
        return 0;
    fprintf(stderr, "%s\n", message.text);
    return -1;
}

static int finish(void **state)
{
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads++)
        lc_pool_destroy(&pools[threads]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_plane),
        cmocka_unit_test(test_python),       cmocka_unit_test(test_designs),
        cmocka_unit_test(test_combinations), cmocka_unit_test(test_tall),
        cmocka_unit_test(test_small_gpu),    cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
