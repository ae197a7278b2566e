// Batches of boards: cells, populations and rows of every size, level and kind of rule against the
// oracle.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_universe.h"

enum { SIDE_MAX = 200, ROW_WORDS_MAX = (SIDE_MAX + 63) / 64 };

static lc_topology torus_of(int64_t width, int64_t height)
{
    return (lc_topology){LC_TOPOLOGY_TORUS, width, height, 0, 0, false, false};
}

static lc_context *context_of(int threads)
{
    const lc_context_options options = {.struct_bytes = sizeof options, .threads = threads};
    lc_context *context;
    lc_message message;
    if (lc_context_create(&context, &options, &message) != LC_OK)
        fail_msg("%s", message.text);
    return context;
}

// A batch, and an oracle for each of its boards.
typedef struct pair {
    lc_batch_options options;
    lc_batch *batch;
    word_oracle **oracles;
    size_t row_words;
    dice dice;
} pair;

static const lc_rule *rule_of_board(const pair *p, size_t board)
{
    const lc_batch_options *o = &p->options;
    return o->rules[o->rule_of_board != NULL ? o->rule_of_board[board]
                                             : board / (o->boards / o->rule_count)];
}

static void write_board(pair *p, size_t board)
{
    uint64_t words[SIDE_MAX * ROW_WORDS_MAX];
    const size_t height = (size_t)p->options.height_cells;
    for (size_t i = 0; i < height * p->row_words; i++)
        words[i] = dice_word(&p->dice);
    assert_int_equal(lc_batch_write_rows(p->batch, board, 1, words, p->row_words, NULL), LC_OK);
    for (size_t y = 0; y < height; y++) {
        uint64_t *row = word_oracle_row(p->oracles[board], (int64_t)y);
        memcpy(row, words + y * p->row_words, p->row_words * sizeof *row);
        row[p->row_words - 1] &= p->oracles[board]->last_mask;
    }
}

static pair pair_create(const lc_batch_options *options, uint64_t seed)
{
    pair p = {.options = *options, .dice = dice_from(test_seed(), seed)};
    lc_message message;
    if (lc_batch_create(&p.batch, options, &message) != LC_OK)
        fail_msg("%s", message.text);
    const lc_topology torus = torus_of(options->width_cells, options->height_cells);
    p.row_words = ((size_t)options->width_cells + 63) / 64;
    p.oracles = calloc(options->boards, sizeof(word_oracle *));
    assert_non_null(p.oracles);
    for (size_t i = 0; i < options->boards; i++) {
        p.oracles[i] = word_oracle_create(options->width_cells, options->height_cells,
                                          oracle_rule_of(rule_of_board(&p, i)), &torus);
        write_board(&p, i);
    }
    return p;
}

static void pair_destroy(pair *p)
{
    for (size_t i = 0; i < p->options.boards; i++)
        word_oracle_destroy(p->oracles[i]);
    free(p->oracles);
    lc_batch_destroy(&p->batch);
}

static void compare_board(const pair *p, size_t board, const uint64_t *words, const char *when)
{
    for (int64_t y = 0; y < p->options.height_cells; y++, words += p->row_words) {
        const uint64_t *right = word_oracle_row(p->oracles[board], y);
        uint64_t last =
            words[p->row_words - 1] ^ (right[p->row_words - 1] & p->oracles[board]->last_mask);
        if (last != 0 || memcmp(words, right, (p->row_words - 1) * sizeof *words) != 0)
            fail_msg("%s: board %zu of %lld x %lld, %s, level %s: row %lld differs", when, board,
                     (long long)p->options.width_cells, (long long)p->options.height_cells,
                     lc_rule_traits(rule_of_board(p, board))->text, p->options.cpu_level,
                     (long long)y);
    }
}

static uint64_t population_of(const pair *p, size_t board)
{
    uint64_t population = 0;
    const word_oracle *o = p->oracles[board];
    for (int64_t y = 0; y < p->options.height_cells; y++)
        for (size_t i = 0; i < p->row_words; i++)
            population += (uint64_t)__builtin_popcountll(
                word_oracle_row(o, y)[i] & (i + 1 == p->row_words ? o->last_mask : UINT64_MAX));
    return population;
}

static void compare_populations(const pair *p)
{
    uint64_t *populations = calloc(p->options.boards, sizeof *populations);
    assert_non_null(populations);
    assert_int_equal(lc_batch_populations(p->batch, populations, NULL), LC_OK);
    for (size_t i = 0; i < p->options.boards; i++)
        assert_int_equal(populations[i], population_of(p, i));
    free(populations);
}

static void compare(const pair *p, const char *when)
{
    const size_t words_of_board = p->row_words * (size_t)p->options.height_cells;
    uint64_t *words = calloc(p->options.boards * words_of_board, sizeof *words);
    assert_non_null(words);
    assert_int_equal(lc_batch_read_rows(p->batch, 0, p->options.boards, words, p->row_words, NULL),
                     LC_OK);
    for (size_t i = 0; i < p->options.boards; i++)
        compare_board(p, i, words + i * words_of_board, when);
    free(words);
    compare_populations(p);
}

static void step(pair *p, uint64_t generations)
{
    const uint64_t before = lc_batch_generation(p->batch);
    assert_int_equal(lc_batch_step(p->batch, generations, NULL), LC_OK);
    assert_int_equal(lc_batch_generation(p->batch), before + generations);
    for (size_t i = 0; i < p->options.boards; i++)
        word_oracle_step(p->oracles[i], generations);
    compare(p, "stepped");
}

// Rules of all kinds. A batch with few boards takes some of them.
enum { RULES = 10 };

static const lc_rule *const *all_rules(void)
{
    static const lc_rule *rules[RULES];
    static const char *const texts[RULES - 1] = {"B3/S23",   "B36/S23",  "B0123478/S34678",
                                                 "B01/S",    "B2-a/S12", "W22",
                                                 "B3/S023H", "B02/S13V", "B0/S012345678"};
    for (int i = 0; i < RULES - 1; i++)
        rules[i] = rule_of(texts[i]);
    uint8_t table[64];
    dice d = dice_from(test_seed(), 9);
    for (int i = 0; i < 64; i++)
        table[i] = (uint8_t)dice_word(&d);
    rules[RULES - 1] = rule_of_map(table);
    return rules;
}

static lc_batch_options options_of(int64_t width, int64_t height, size_t boards)
{
    return (lc_batch_options){.struct_bytes = sizeof(lc_batch_options),
                              .topology = LC_TOPOLOGY_TORUS,
                              .width_cells = width,
                              .height_cells = height,
                              .boards = boards,
                              .rules = all_rules(),
                              .rule_count = RULES};
}

static void check_size(lc_context *context, const char *level, int64_t width, int64_t height)
{
    lc_batch_options options = options_of(width, height, RULES);
    options.context = context;
    options.cpu_level = level;
    pair p = pair_create(&options, (uint64_t)(width * 1000 + height));
    compare(&p, "written");
    step(&p, 1);
    step(&p, 2 + (uint64_t)dice_below(&p.dice, 40));
    pair_destroy(&p);
}

static void check_sizes(lc_context *context, const char *level)
{
    dice d = dice_from(test_seed(), 1);
    for (int64_t side = 1; side <= 70; side += 1 + dice_below(&d, 2 * test_slowness())) {
        check_size(context, level, side, 1 + dice_below(&d, 64));
        check_size(context, level, 1 + dice_below(&d, 64), side);
    }
    static const int64_t sides[][2] = {{64, 64}, {1, 1},   {1, 64},  {64, 2},  {32, 32}, {16, 62},
                                       {62, 62}, {62, 64}, {63, 63}, {64, 63}, {65, 3},  {130, 20}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        check_size(context, level, sides[i][0], sides[i][1]);
}

static void test_sizes(void **state)
{
    (void)state;
    lc_cpu_level_info info;
    lc_context *context = context_of(1);
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++)
        if (info.available)
            check_sizes(context, info.name);
    lc_context_destroy(&context);
}

// Many boards and threads; a rule for each board by its number.
static void test_threads(void **state)
{
    (void)state;
    enum { BOARDS = 300 };
    uint32_t numbers[BOARDS];
    dice d = dice_from(test_seed(), 2);
    for (int i = 0; i < BOARDS; i++)
        numbers[i] = (uint32_t)dice_below(&d, RULES);
    for (int threads = 1; threads <= 4; threads += 3) {
        lc_context *context = context_of(threads);
        for (int64_t width = 62; width <= 66; width += 2) {
            lc_batch_options options = options_of(width, 64, BOARDS);
            options.context = context;
            options.rule_of_board = numbers;
            pair p = pair_create(&options, 3);
            step(&p, 1);
            step(&p, 12);
            pair_destroy(&p);
        }
        lc_context_destroy(&context);
    }
}

// One large board, on all threads.
static void test_large(void **state)
{
    (void)state;
    lc_context *context = context_of(4);
    lc_batch_options options = options_of(SIDE_MAX, SIDE_MAX, 2);
    options.rule_count = 2;
    options.context = context;
    pair p = pair_create(&options, 4);
    step(&p, 33);
    pair_destroy(&p);
    lc_context_destroy(&context);
}

// Batches of one rule are stepped by machine code after many generations. B3/S23 and HighLife have
// gates that are found quickly.
static void test_code(void **state)
{
    (void)state;
    enum { BOARDS = 64, GENERATIONS = 9000 };
    static const char *const texts[] = {"B36/S23", "B3678/S34678"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const lc_rule *rule = rule_of(texts[i]);
        lc_batch_options options = options_of(64, 32, BOARDS);
        options.rules = &rule;
        options.rule_count = 1;
        pair p = pair_create(&options, 5);
        assert_int_equal(lc_batch_step(p.batch, GENERATIONS, NULL), LC_OK);
        for (size_t k = 0; k < BOARDS; k++)
            write_board(&p, k);
        step(&p, 30);
        pair_destroy(&p);
    }
}

// States, at a pitch that is more than a row; bytes between rows stay.
static void check_states(int64_t width, int64_t height)
{
    enum { BOARDS = 7, FIRST = 2, COUNT = 3 };
    lc_batch_options options = options_of(width, height, BOARDS);
    options.rule_count = 1;
    pair p = pair_create(&options, 6);
    const size_t pitch = (size_t)width + 3, bytes = COUNT * (size_t)height * pitch;
    uint8_t *states = malloc(bytes), *again = malloc(bytes);
    assert_non_null(states);
    assert_non_null(again);
    for (size_t i = 0; i < bytes; i++)
        states[i] = i % pitch < (size_t)width ? (uint8_t)dice_below(&p.dice, 2) : 99;
    memset(again, 99, bytes);
    assert_int_equal(lc_batch_write_states(p.batch, FIRST, COUNT, states, pitch, NULL), LC_OK);
    assert_int_equal(lc_batch_read_states(p.batch, FIRST, COUNT, again, pitch, NULL), LC_OK);
    assert_memory_equal(states, again, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (i % pitch < (size_t)width) {
            const size_t y = i / pitch;
            uint64_t *row = word_oracle_row(p.oracles[FIRST + y / (size_t)height],
                                            (int64_t)(y % (size_t)height));
            const uint64_t bit = UINT64_C(1) << (i % pitch % 64);
            row[i % pitch / 64] = (row[i % pitch / 64] & ~bit) | (states[i] != 0 ? bit : 0);
        }
    compare(&p, "written as states");
    lc_message message;
    states[bytes - 4] = 2; // the last cell
    assert_int_equal(lc_batch_write_states(p.batch, FIRST, COUNT, states, pitch, &message),
                     LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "of board 4 has state 2"));
    compare(&p, "refused states");
    free(states);
    free(again);
    pair_destroy(&p);
}

static void test_states(void **state)
{
    (void)state;
    check_states(64, 64);
    check_states(20, 33);
    check_states(100, 5);
}

// Random cells are those of universes.
static void check_random(int64_t width, int64_t height, double density)
{
    enum { BOARDS = 5 };
    lc_batch_options options = options_of(width, height, BOARDS);
    const uint64_t seed = UINT64_MAX - 2;
    const lc_rule *life = LIFE;
    options.rules = &life;
    options.rule_count = 1;
    pair p = pair_create(&options, 7);
    assert_int_equal(lc_batch_fill_random(p.batch, density, seed, NULL), LC_OK);
    for (size_t i = 0; i < BOARDS; i++) {
        lc_universe *universe = test_create("scalar", LIFE, torus_of(width, height), 0);
        assert_int_equal(lc_universe_soup(universe, 0, 0, width, height, density, seed + i, NULL),
                         LC_OK);
        for (int64_t y = 0; y < height; y++) {
            const lc_cells row = lc_row_cells(0, y, width, word_oracle_row(p.oracles[i], y));
            assert_int_equal(lc_universe_read(universe, &row, NULL), LC_OK);
        }
        lc_universe_destroy(&universe);
    }
    compare(&p, "random");
    assert_int_equal(lc_batch_fill_random(p.batch, 1.5, 1, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_fill_random(p.batch, 0.000001, 1, NULL), LC_ERROR_ARGUMENT);
    compare(&p, "refused density");
    step(&p, 20);
    pair_destroy(&p);
}

static void test_random(void **state)
{
    (void)state;
    check_random(64, 64, 0.5);
    check_random(17, 64, 0.3);
    check_random(63, 80, 0.25);
}

static void refuse(const lc_batch_options *options, lc_status status, const char *text)
{
    lc_batch *batch = (lc_batch *)&batch;
    lc_message message = {0};
    assert_int_equal(lc_batch_create(&batch, options, &message), status);
    assert_null(batch);
    if (strstr(message.text, text) == NULL)
        fail_msg("\"%s\" does not have \"%s\"", message.text, text);
}

#define REFUSE(member, value, status, text)                                                        \
    do {                                                                                           \
        lc_batch_options wrong = options_of(64, 64, RULES);                                        \
        wrong.member = value;                                                                      \
        refuse(&wrong, status, text);                                                              \
    } while (0)

static void test_refused_options(void **state)
{
    (void)state;
    static const lc_rule *const no_rules[RULES] = {NULL};
    static const uint32_t numbers[RULES] = {0, 1, RULES};
    refuse(NULL, LC_ERROR_ARGUMENT, "there is no lc_batch_options");
    REFUSE(struct_bytes, 0, LC_ERROR_ARGUMENT, "struct_bytes");
    REFUSE(topology, LC_TOPOLOGY_PLANE, LC_ERROR_UNSUPPORTED, "tori");
    REFUSE(topology, LC_TOPOLOGY_SPHERE, LC_ERROR_UNSUPPORTED, "tori");
    REFUSE(width_cells, 0, LC_ERROR_ARGUMENT, "1 to 4096");
    REFUSE(height_cells, -1, LC_ERROR_ARGUMENT, "64 x -1");
    REFUSE(width_cells, LC_BATCH_SIDE_MAX + 1, LC_ERROR_ARGUMENT, "4097 x 64");
    REFUSE(boards, 0, LC_ERROR_ARGUMENT, "at least one board");
    REFUSE(boards, RULES + 1, LC_ERROR_ARGUMENT, "set rule_of_board");
    REFUSE(rule_count, 0, LC_ERROR_ARGUMENT, "at least one rule");
    REFUSE(rules, NULL, LC_ERROR_ARGUMENT, "at least one rule");
    REFUSE(rules, no_rules, LC_ERROR_ARGUMENT, "rule 0 of the batch is NULL");
    REFUSE(rule_of_board, numbers, LC_ERROR_ARGUMENT, "board 2 has rule 10");
    REFUSE(cpu_level, "abacus", LC_ERROR_UNSUPPORTED, "abacus");
    REFUSE(max_memory_bytes, 512 * RULES - 1, LC_ERROR_LIMIT, "10 boards need");
    lc_batch_options many = options_of(63, 64, SIZE_MAX / RULES * RULES);
    refuse(&many, LC_ERROR_LIMIT, "boards need");
    many.width_cells = 64;
    refuse(&many, LC_ERROR_LIMIT, "boards need");
}

static void test_refused_calls(void **state)
{
    (void)state;
    lc_batch_options options = options_of(70, 2, RULES);
    pair p = pair_create(&options, 8);
    uint64_t words[4 * RULES];
    uint8_t states[140 * RULES];
    lc_batch *b = p.batch;
    assert_int_equal(lc_batch_read_rows(b, 0, RULES + 1, words, 2, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_read_rows(b, 2, RULES - 1, words, 2, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_read_rows(b, RULES + 1, 0, words, 2, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_read_rows(b, RULES, 0, NULL, 2, NULL), LC_OK);
    assert_int_equal(lc_batch_read_rows(b, 0, 1, words, 1, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_write_rows(b, 0, 1, words, 1, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_write_rows(b, 0, 2, words, SIZE_MAX / 16, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_read_states(b, 1, SIZE_MAX, states, 70, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_batch_write_states(b, 0, 1, states, 69, NULL), LC_ERROR_ARGUMENT);
    step(&p, 3);
    assert_int_equal(lc_batch_step(b, UINT64_MAX - 2, NULL), LC_ERROR_ARGUMENT);
    step(&p, 0);
    pair_destroy(&p);
    lc_batch_destroy(NULL);
    lc_batch_destroy(&p.batch);
}

static bool gives_up(void *context)
{
    int *times = context;
    return --*times == 0;
}

// Stops a call when the library asks for the second time. Returns the generation reached.
static uint64_t step_and_stop(lc_batch *batch)
{
    int times = 1;
    lc_set_give_up(gives_up, &times);
    assert_int_equal(lc_batch_step(batch, UINT64_MAX, NULL), LC_ERROR_STOPPED);
    assert_int_equal(lc_batch_generation(batch), 0);
    times = 2;
    assert_int_equal(lc_batch_step(batch, UINT64_MAX, NULL), LC_ERROR_STOPPED);
    lc_set_give_up(NULL, NULL);
    return lc_batch_generation(batch);
}

// A call that is stopped leaves all boards at the same generation: after so many generations a
// universe has the same cells.
static void test_stop(void **state)
{
    (void)state;
    enum { BOARDS = 64 };
    const lc_rule *life = LIFE;
    lc_batch_options options = options_of(64, 64, BOARDS);
    options.rules = &life;
    options.rule_count = 1;
    pair p = pair_create(&options, 10);
    assert_int_equal(lc_batch_fill_random(p.batch, 0.5, 1, NULL), LC_OK);
    const uint64_t reached = step_and_stop(p.batch);
    assert_true(reached > 0);
    for (size_t i = 0; i < BOARDS; i++) {
        lc_universe *universe = test_create("simd", LIFE, torus_of(64, 64), 0);
        assert_int_equal(lc_universe_soup(universe, 0, 0, 64, 64, 0.5, 1 + i, NULL), LC_OK);
        test_step(universe, reached);
        for (int64_t y = 0; y < 64; y++) {
            const lc_cells row = lc_row_cells(0, y, 64, word_oracle_row(p.oracles[i], y));
            assert_int_equal(lc_universe_read(universe, &row, NULL), LC_OK);
        }
        lc_universe_destroy(&universe);
    }
    compare(&p, "stopped");
    pair_destroy(&p);
}

// Each allocation fails once.
static void check_allocations(int64_t width, lc_context *context)
{
    lc_batch_options options = options_of(width, 64, 2 * RULES);
    lc_status status = LC_ERROR_MEMORY;
    options.context = context;
    for (uint64_t n = 1; status != LC_OK; n++) {
        lc_batch *batch;
        lc_fail_allocation(n);
        status = lc_batch_create(&batch, &options, NULL);
        lc_fail_allocation(0);
        assert_true(status == LC_OK ? batch != NULL : status == LC_ERROR_MEMORY && batch == NULL);
        lc_batch_destroy(&batch);
        assert_true(n < 10000);
    }
}

static void test_allocations(void **state)
{
    (void)state;
    lc_context *context = context_of(1);
    check_allocations(64, context);
    check_allocations(63, context);
    lc_context_destroy(&context);
}

// Once a batch exists, its functions need no memory.
static void test_no_memory(void **state)
{
    (void)state;
    lc_context *context = context_of(1);
    uint8_t states[63 * 64] = {0};
    for (uint64_t n = 1; n < 12; n++) {
        lc_batch_options options = options_of(63, 64, RULES);
        options.context = context;
        pair p = pair_create(&options, 11);
        lc_fail_allocation(n);
        assert_int_equal(lc_batch_step(p.batch, 10, NULL), LC_OK);
        assert_int_equal(lc_batch_read_states(p.batch, 1, 1, states, 63, NULL), LC_OK);
        assert_int_equal(lc_batch_write_states(p.batch, 1, 1, states, 63, NULL), LC_OK);
        lc_fail_allocation(0);
        for (size_t i = 0; i < RULES; i++)
            word_oracle_step(p.oracles[i], 10);
        compare(&p, "without memory");
        pair_destroy(&p);
    }
    lc_context_destroy(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_refused_calls),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_no_memory),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rules_end() ? failed : 1;
}
