// Boards that are stepped only where something happens, on the emulated GPU (or a real one): whole
// boards against the scalar engine on every surface, with life that wakes what sleeps across seams;
// how many tiles are visited; and when the engine changes to that and back.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/cuda/cuda_adaptive.h"
#include "engine/engine_interface.h"
#include "grid/topology.h"
#include "support.h"
#include "support_facts.h"
#include "support_gpu.h"
#include "support_pair.h"
#include "support_universe.h"

static lc_pool *pool; // for the kernels' self-check

// Whole boards ------------------------------------------------------------------------------------

typedef struct shape {
    int64_t width, height;
} shape;

// Wider than some windows, ending inside a tile by one cell, a few, and all but a few; smaller than
// a tile; and as small as it gets.
static const shape shapes[] = {{260, 96},  {357, 70},  {129, 33}, {192, 64}, {200, 200}, {143, 47},
                               {64, 32},   {130, 110}, {40, 20},  {77, 77},  {20, 130},  {300, 9},
                               {128, 128}, {3, 5},     {1, 40},   {79, 46},  {6, 6}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

// One plan for all, so that few kernels are to be compiled.
static const char always[] =
    "cuda:settled=yes,words=4,generations=0,tile-warps=8,tile-rows=8,depth=8";

typedef struct couple {
    lc_universe *universe[2]; // on the GPU, scalar
    lc_topology topology;
} couple;

static couple couple_of(const lc_rule *rule, const lc_topology *topology)
{
    couple c = {.topology = *topology};
    for (int i = 0; i < 2; i++)
        c.universe[i] = test_create(i == 0 ? always : "scalar", rule, *topology, 0);
    return c;
}

static void couple_free(couple *c)
{
    for (int i = 0; i < 2; i++)
        lc_universe_destroy(&c->universe[i]);
}

static void compare(const couple *c, const char *what)
{
    const int64_t width = c->topology.width_cells;
    const size_t words = (size_t)(width + 63) / 64;
    uint64_t *row = malloc(2 * words * sizeof *row);
    assert_non_null(row);
    for (int64_t y = 0; y < c->topology.height_cells; y++) {
        for (int i = 0; i < 2; i++)
            assert_int_equal(test_read_row(c->universe[i], 0, y, width, row + (size_t)i * words),
                             LC_OK);
        if (memcmp(row, row + words, words * sizeof *row) != 0) {
            char text[LC_RULE_TEXT_BYTES];
            lc_topology_format(&c->topology, text);
            fail_msg("%s, %s, generation %" PRIu64 ": row %" PRId64 " differs, seed %" PRIu64, text,
                     what, test_generation(c->universe[1]), y, test_seed());
        }
    }
    free(row);
    assert_int_equal(test_hash(c->universe[0]), test_hash(c->universe[1]));
    assert_int_equal(test_population(c->universe[0]), test_population(c->universe[1]));
}

static void load(const couple *c, const char *rle, int64_t x, int64_t y)
{
    for (int i = 0; i < 2; i++) {
        const lc_count generation = lc_universe_generation(c->universe[i]);
        assert_int_equal(test_load(c->universe[i], rle, x, y, NULL), LC_OK);
        lc_universe_set_generation(c->universe[i], generation);
    }
}

static void soup(const couple *c, double density, uint64_t seed)
{
    for (int i = 0; i < 2; i++)
        assert_int_equal(lc_universe_soup(c->universe[i], 0, 0, c->topology.width_cells,
                                          c->topology.height_cells, density, seed, NULL),
                         LC_OK);
}

// Something that is or moves, at a place where it has room.
static void add(const couple *c, dice *d)
{
    static const struct {
        const char *rle;
        int64_t width, height;
    } objects[] = {{glider_rle, 3, 3},   {glider_rle, 3, 3},    {pair_block, 2, 2},
                   {pair_blinker, 3, 1}, {pair_pulsar, 13, 13}, {pair_pentadecathlon, 10, 3}};
    const int64_t i = dice_below(d, sizeof objects / sizeof *objects);
    const int64_t room_x = c->topology.width_cells - objects[i].width + 1;
    const int64_t room_y = c->topology.height_cells - objects[i].height + 1;
    if (room_x > 0 && room_y > 0)
        load(c, objects[i].rle, dice_below(d, room_x), dice_below(d, room_y));
}

static void step_both(const couple *c, uint64_t generations)
{
    for (int i = 0; i < 2; i++)
        test_step(c->universe[i], generations);
}

// In odd pieces, some of them no round, some many; looked at, and drawn upon, in between.
static void run(const couple *c, dice *d, const char *what)
{
    static const uint64_t pieces[] = {1, 30, 7, 15, 16, 105, 31, 100, 14, 180};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        step_both(c, pieces[i]);
        compare(c, what);
        if (i % 4 == 3)
            add(c, d);
    }
}

static void test_surfaces(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 71);
    size_t met[SURFACE_COUNT] = {0};
    for (int kind = 0; kind < SURFACE_COUNT; kind++) {
        size_t fits =
            0; // shapes that this surface may have: every fifth, but all squares there are
        for (size_t i = 0; i < SHAPES; i++) {
            lc_topology topology;
            if (!topology_of((surface)kind, shapes[i].width, shapes[i].height, &d, &topology) ||
                (!test_full() && kind != SURFACE_SPHERE && (fits++ + (size_t)kind) % 5 != 0))
                continue;
            couple c = couple_of(LIFE, &topology);
            const bool sparse = i % 2 == 1;
            if (!sparse)
                soup(&c, 0.35, test_seed() + i);
            for (int objects = sparse ? 6 : 0; objects > 0; objects--)
                add(&c, &d);
            run(&c, &d, sparse ? "objects" : "soup");
            couple_free(&c);
            met[kind]++;
        }
        assert_true(met[kind] >= 2);
    }
}

// Gliders to all four corners, which cross tiles at their corners, or a cell to either side of
// them, at different times in a round.
static void test_corners(void **state)
{
    (void)state;
    static const char *const gliders[] = {"x = 3, y = 3\nbo$2bo$3o!\n", "x = 3, y = 3\n3o$o$bo!\n",
                                          "x = 3, y = 3\nbo$o$3o!\n", "x = 3, y = 3\n3o$2bo$bo!\n"};
    const lc_topology topology = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 768, .height_cells = 160};
    for (size_t i = 0; i < sizeof gliders / sizeof *gliders; i++) {
        couple c = couple_of(LIFE, &topology);
        for (int64_t k = 0; k < 6; k++) {
            // From where they cross a corner back or on along their way; too far apart to wake
            // each other's tiles.
            const int64_t along = 10 + k, aside = k % 3 - 1;
            load(&c, gliders[i], 128 * k + along + aside, i < 2 ? 64 + along : 61 - along);
        }
        for (int times = 0; times < 6; times++) {
            step_both(&c, 60 + 15 * (uint64_t)times);
            compare(&c, "gliders");
        }
        assert_int_equal(test_population(c.universe[1]), 6 * 5);
        couple_free(&c);
    }
}

// Among the rules are those with B0, which on a surface without an outside fill dead space at once;
// and on a plane with walls.
static void test_rules(void **state)
{
    (void)state;
    static const char *const rules[] = {"B36/S23",     "B3678/S34678",  "B03/S23", "B0/S8",
                                        "B1357/S1357", "B3/S012345678", "B2/S"};
    dice d = dice_from(test_seed(), 72);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const surface kinds[] = {SURFACE_TORUS, SURFACE_PLANE};
        for (size_t k = 0; k < 2; k++) {
            lc_topology topology;
            const lc_rule *rule = rule_of(rules[i]);
            assert_true(topology_of(kinds[k], 192, 75, &d, &topology));
            couple c = couple_of(rule, &topology);
            soup(&c, 0.3, test_seed() + i);
            run(&c, &d, rules[i]);
            couple_free(&c);
        }
    }
}

// Visits ------------------------------------------------------------------------------------------

typedef struct subject {
    lc_topology topology;
    const lc_rule *rule;
    lc_cuda_board board;
    lc_cuda_stepper *stepper;
    lc_cuda_settled *settled;
} subject;

static const lc_cuda_plan plan = {.words = 4, .tile_warps = 8, .tile_rows = 8, .depth = 8};

static void subject_init(subject *s, const lc_topology *topology)
{
    const lc_frame frame = lc_frame_of(topology);
    *s = (subject){.topology = *topology, .rule = LIFE};
    GOOD(lc_cuda_board_create(&s->board, device, stream, &frame, 4, 0, &why));
    s->board.filler = lc_cuda_board_filler(&s->topology);
    GOOD(lc_cuda_stepper_create(&s->stepper, device, stream, &frame, s->rule, NULL, &plan, &why));
    GOOD(lc_cuda_settled_create(&s->settled, &s->board, s->stepper, topology, &why));
}

static void subject_free(subject *s)
{
    lc_cuda_settled_destroy(&s->settled);
    lc_cuda_stepper_destroy(&s->stepper);
    lc_cuda_board_destroy(&s->board);
}

static void put(subject *s, const char *rle, int64_t x, int64_t y)
{
    lc_universe *u = test_create("scalar", LIFE, s->topology, 0);
    const int64_t width = s->topology.width_cells;
    uint64_t *row = calloc((size_t)(width + 63) / 64 * 2, sizeof *row);
    uint64_t *there = row + (width + 63) / 64;
    assert_non_null(row);
    assert_int_equal(test_load(u, rle, x, y, NULL), LC_OK);
    for (int64_t j = 0; j < s->topology.height_cells; j++) {
        assert_int_equal(test_read_row(u, 0, j, width, row), LC_OK);
        GOOD(lc_cuda_board_read_row(&s->board, 0, j, width, there, &why));
        for (int64_t i = 0; i < (width + 63) / 64; i++)
            row[i] |= there[i];
        GOOD(lc_cuda_board_write_row(&s->board, 0, j, width, row, &why));
    }
    free(row);
    lc_universe_destroy(&u);
    lc_cuda_settled_begin_anew(s->settled);
}

// Makes rounds, and returns how many tiles they visited.
static uint64_t visits(subject *s, uint64_t rounds)
{
    uint64_t before, after;
    GOOD(lc_cuda_board_prepare(&s->board, &why));
    GOOD(lc_cuda_settled_ready(s->settled, &why));
    GOOD(lc_cuda_settled_visited(s->settled, &before, &why));
    GOOD(lc_cuda_settled_run(s->settled, &s->board, rounds, &why));
    GOOD(lc_cuda_settled_visited(s->settled, &after, &why));
    return after - before;
}

static lc_facts facts_of(subject *s)
{
    lc_facts facts;
    GOOD(lc_cuda_board_facts(&s->board, &facts, &why));
    return facts;
}

static const lc_topology small_torus = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 512, .height_cells = 256};

// What has a period of 1, 2, 3, 5, 6, 10, 15 or 30 sleeps, wherever in a tile it is; two rounds see
// every tile, and none is visited after that.
static void test_sleep(void **state)
{
    (void)state;
    const lc_topology surfaces[] = {
        small_torus,
        {.kind = LC_TOPOLOGY_PLANE, .width_cells = 500, .height_cells = 250},
        {.kind = LC_TOPOLOGY_KLEIN_BOTTLE,
         .width_cells = 450,
         .height_cells = 230,
         .twist_x = true},
    };
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++) {
        subject s;
        subject_init(&s, &surfaces[i]);
        put(&s, pair_block, 62, 30);
        put(&s, pair_blinker, 190, 31);
        put(&s, pair_pulsar, 250, 120);
        put(&s, pair_pentadecathlon, 123, 95);
        put(&s, pair_block, 0, 0);
        put(&s, pair_blinker, 440, 229);
        const lc_facts facts = facts_of(&s);
        const uint64_t tiles = (uint64_t)((surfaces[i].width_cells + 63) / 64) *
                               (uint64_t)((surfaces[i].height_cells + 31) / 32);
        assert_int_equal(visits(&s, 1), tiles);
        assert_int_equal(visits(&s, 1), tiles);
        assert_int_equal(visits(&s, 20), 0);
        assert_int_equal(facts_of(&s).hash, facts.hash);
        subject_free(&s);
    }
}

// A gun of period 30 sleeps with its gliders, and what it builds ahead of them is all that is
// visited.
static void test_gun(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, &small_torus);
    put(&s, pair_gun, 5, 5);
    (void)visits(&s, 12);
    const uint64_t visited = visits(&s, 40);
    assert_true(visited >= 40 && visited <= 40 * 6);
    subject_free(&s);
}

// A glider wakes what it comes to, also beyond the seams, and leaves it asleep.
static void test_glider(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, &small_torus);
    put(&s, glider_rle, 100, 100);
    (void)visits(&s, 2);
    const uint64_t visited = visits(&s, 134);
    const lc_facts facts = facts_of(&s);
    assert_true(visited >= 134 && visited <= 134 * 8);
    // 2,040 generations: 510 columns and rows.
    assert_int_equal(lc_count_compare(facts.population, lc_count_of(5)), 0);
    assert_int_equal(facts.box.x, (100 + 510) % 512);
    assert_int_equal(facts.box.y, (100 + 510) % 256);
    subject_free(&s);
}

static void test_samples(void **state)
{
    (void)state;
    subject s;
    double lively;
    subject_init(&s, &small_torus);
    put(&s, pair_pulsar, 250, 120);
    GOOD(lc_cuda_board_prepare(&s.board, &why));
    GOOD(lc_cuda_settled_sample(s.settled, &s.board, &lively, &why));
    assert_true(lively == 0);
    put(&s, glider_rle, 70, 46); // in the middle of a window, of 36
    GOOD(lc_cuda_board_prepare(&s.board, &why));
    GOOD(lc_cuda_settled_sample(s.settled, &s.board, &lively, &why));
    assert_true(lively > 0 && lively < 0.2);
    subject_free(&s);
    // No window of it lies on the board.
    subject_init(
        &s, &(lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = 159, .height_cells = 300});
    GOOD(lc_cuda_settled_sample(s.settled, &s.board, &lively, &why));
    assert_true(lively == 1);
    subject_free(&s);
}

// When -------------------------------------------------------------------------------------------

// Chooses, makes the rounds that were chosen, and says that it took so long. Returns rounds, or
// minus the generations by the stepper.
static int64_t go(lc_cuda_adaptive *adaptive, subject *s, uint64_t limit, uint64_t left,
                  double rounds_ns, double generations_ns)
{
    lc_cuda_pass pass;
    GOOD(lc_cuda_adaptive_choose(adaptive, s->stepper, &s->board, s->rule, limit, left, &pass,
                                 &why));
    assert_true(pass.generations >= 1 && pass.generations <= limit);
    assert_true(pass.rounds == 0 || pass.generations == 15 * pass.rounds);
    if (pass.rounds > 0)
        GOOD(lc_cuda_adaptive_run(adaptive, &s->board, &pass, &why));
    GOOD(lc_cuda_adaptive_learn(adaptive, &pass,
                                pass.rounds > 0 ? rounds_ns * (double)pass.rounds
                                                : generations_ns * (double)pass.generations,
                                &why));
    return pass.rounds > 0 ? (int64_t)pass.rounds : -(int64_t)pass.generations;
}

static const lc_rule *other_rule(void)
{
    const lc_rule *rule = rule_of("B36/S23");
    return rule;
}

// Generations of 1 ms.
static const double ms = 1e6;

static void test_change(void **state)
{
    (void)state;
    const uint64_t many = 15 * 10000;
    subject s;
    subject_init(&s, &small_torus);
    put(&s, pair_pulsar, 250, 120);
    GOOD(lc_cuda_board_prepare(&s.board, &why));
    lc_cuda_adaptive adaptive = lc_cuda_adaptive_of(LC_CUDA_IF_WORTH, &s.topology, pool);
    // Not before a quarter of a second has gone by.
    for (int i = 0; i < 4; i++)
        assert_int_equal(go(&adaptive, &s, 64, many, ms, ms), -64);
    // Few generations are not worth it.
    assert_int_equal(go(&adaptive, &s, 64, 479, ms, ms), -64);
    assert_false(adaptive.settled);
    // Then what would be left over in the end, and the rounds that visit all; they may take long.
    assert_int_equal(go(&adaptive, &s, 64, many + 7, ms, ms), -7);
    assert_int_equal(go(&adaptive, &s, 64, many, 100 * ms, ms), 2);
    assert_int_equal(go(&adaptive, &s, 64, many, 11 * ms, ms), 4);
    assert_true(adaptive.settled);
    assert_int_equal(go(&adaptive, &s, 600, many, 11 * ms, ms), 40);
    // Too slow: back, and not at once again, and the second time later than the first.
    assert_int_equal(go(&adaptive, &s, 60, many, 13 * ms, ms), 4);
    assert_false(adaptive.settled);
    assert_int_equal(go(&adaptive, &s, 90, many, ms, ms), -90);
    assert_int_equal(go(&adaptive, &s, 20, many, ms, ms), -20);
    assert_int_equal(go(&adaptive, &s, 60, many, 100 * ms, ms), 2);
    assert_int_equal(go(&adaptive, &s, 60, many, 13 * ms, ms), 4);
    assert_int_equal(go(&adaptive, &s, 190, many, ms, ms), -190);
    assert_int_equal(go(&adaptive, &s, 20, many, ms, ms), -20);
    assert_int_equal(go(&adaptive, &s, 64, 480, ms, ms), 2);
    // What is left over ends it, and so does what is drawn; then it may begin at once.
    assert_int_equal(go(&adaptive, &s, 17, 17, ms, ms), 1);
    assert_int_equal(go(&adaptive, &s, 2, 2, ms, ms), -2);
    assert_false(adaptive.settled);
    assert_int_equal(go(&adaptive, &s, 64, many, ms, ms), 2);
    lc_cuda_adaptive_forget(&adaptive);
    assert_int_equal(go(&adaptive, &s, 64, many, ms, ms), 2);
    assert_int_equal(lc_cuda_settled_rounds(adaptive.stepper), 2);
    // Generations by another rule, too.
    s.rule = other_rule();
    assert_int_equal(go(&adaptive, &s, 64, 479, ms, ms), -64);
    s.rule = LIFE;
    assert_false(adaptive.settled);
    assert_int_equal(go(&adaptive, &s, 64, many, ms, ms), 2);
    lc_cuda_adaptive_end(&adaptive);
    subject_free(&s);
}

static void test_no_change(void **state)
{
    (void)state;
    subject s;
    dice d = dice_from(test_seed(), 74);
    subject_init(&s, &small_torus);
    // Nothing is settled.
    for (int64_t y = 0; y < s.topology.height_cells; y++) {
        uint64_t row[512 / 64];
        for (int i = 0; i < 512 / 64; i++)
            row[i] = dice_word(&d) & dice_word(&d);
        GOOD(lc_cuda_board_write_row(&s.board, 0, y, 512, row, &why));
    }
    GOOD(lc_cuda_board_prepare(&s.board, &why));
    lc_cuda_adaptive adaptive = lc_cuda_adaptive_of(LC_CUDA_IF_WORTH, &s.topology, pool);
    for (int i = 0; i < 10; i++)
        assert_int_equal(go(&adaptive, &s, 64, 100000, ms, ms), -64);
    assert_non_null(adaptive.stepper); // it was looked
    lc_cuda_adaptive_end(&adaptive);
    // It is not wanted.
    adaptive = lc_cuda_adaptive_of(LC_CUDA_NEVER, &s.topology, pool);
    for (int i = 0; i < 10; i++)
        assert_int_equal(go(&adaptive, &s, 64, 100000, ms, ms), -64);
    assert_null(adaptive.stepper);
    // It is wanted whatever it takes.
    adaptive = lc_cuda_adaptive_of(LC_CUDA_ALWAYS, &s.topology, pool);
    assert_int_equal(go(&adaptive, &s, 15, 15, 100 * ms, ms), 1);
    assert_int_equal(go(&adaptive, &s, 64, 64, 100 * ms, ms), 4);
    assert_true(adaptive.settled);
    // Another rule, for which nothing is known.
    lc_cuda_stepper_destroy(&s.stepper);
    s.rule = other_rule();
    GOOD(lc_cuda_stepper_create(&s.stepper, device, stream, &s.board.frame, s.rule, NULL, &plan,
                                &why));
    assert_int_equal(go(&adaptive, &s, 64, 64, 100 * ms, ms), 2);
    assert_int_equal(lc_cuda_settled_rounds(adaptive.stepper), 2);
    assert_int_equal(go(&adaptive, &s, 64, 64, 100 * ms, ms), 4);
    lc_cuda_adaptive_end(&adaptive);
    subject_free(&s);
}

// A GPU without memory for it goes on as it did.
static void test_no_memory(void **state)
{
    (void)state;
    if (getenv("LIGHTCONE_CUDA") == NULL) // a real one has it
        skip();
    subject s;
    subject_init(&s, &small_torus);
    GOOD(lc_cuda_board_prepare(&s.board, &why));
    lc_cuda_adaptive adaptive = lc_cuda_adaptive_of(LC_CUDA_IF_WORTH, &s.topology, pool);
    setenv("FAKE_FAIL", "cuMemAlloc_v2=2@1", 1);
    for (int i = 0; i < 8; i++)
        assert_int_equal(go(&adaptive, &s, 64, 100000, ms, ms), -64);
    unsetenv("FAKE_FAIL");
    assert_null(adaptive.stepper);
    lc_cuda_adaptive_end(&adaptive);
    subject_free(&s);
}

// What can be stepped so: four words a segment, and rules that see one cell far.
static void test_fits(void **state)
{
    (void)state;
    const lc_topology klein = {
        .kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 512, .height_cells = 256, .twist_y = true};
    const lc_frame frame = lc_frame_of(&small_torus), other = lc_frame_of(&klein);
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = INT64_C(1) << 30, .height_cells = 1 << 20};
    const lc_frame of_large = lc_frame_of(&large);
    assert_true(lc_cuda_settled_fits(&frame, &small_torus, 4, 1));
    assert_false(lc_cuda_settled_fits(&frame, &small_torus, 2, 1));
    assert_false(lc_cuda_settled_fits(&frame, &small_torus, 1, 1));
    assert_false(lc_cuda_settled_fits(&frame, &small_torus, 4, 2));
    assert_false(lc_cuda_settled_fits(&other, &small_torus, 4, 1));
    assert_false(lc_cuda_settled_fits(&of_large, &large, 4, 1));
}

// A universe changes to rounds by itself, and the cells are the same through all changes. The clock
// of the emulated GPU shows 20 to 34 ms between any two events, so small pieces are soon a quarter
// of a second; what was read and written shows that there were rounds.
static void test_by_itself(void **state)
{
    (void)state;
    static const char *const engines[] = {
        "cuda:settled=auto,words=4,generations=0,tile-warps=8,tile-rows=8,depth=1",
        "cuda:settled=no,words=4,generations=0,tile-warps=8,tile-rows=8,depth=1", "scalar",
        // and again the first, but a universe for measuring
        "cuda:settled=auto,words=4,generations=0,tile-warps=8,tile-rows=8,depth=1"};
    enum { ENGINES = sizeof engines / sizeof *engines };
    const lc_topology topology = {
        .kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 300, .height_cells = 180, .twist_x = true};
    uint64_t hashes[ENGINES], traffic[ENGINES];
    for (int i = 0; i < ENGINES; i++) {
        lc_universe *u = NULL;
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .context = test_context(),
                                             .rule = LIFE,
                                             .topology = topology,
                                             .engine = engines[i],
                                             .every_generation = i == 3};
        assert_int_equal(lc_universe_create(&u, &options, NULL), LC_OK);
        assert_int_equal(test_load(u, pair_pulsar, 250, 100, NULL), LC_OK);
        assert_int_equal(test_load(u, glider_rle, 20, 30, NULL), LC_OK);
        for (int piece = 0; piece < 15; piece++)
            test_step(u, 17);
        test_step(u, 907);
        test_set(u, 10, 10);
        test_set(u, 10, 11);
        test_set(u, 10, 12);
        test_step(u, 601);
        hashes[i] = test_hash(u);
        traffic[i] = lc_universe_info_of(u).traffic_bytes;
        lc_universe_destroy(&u);
    }
    assert_int_equal(hashes[0], hashes[2]);
    assert_int_equal(hashes[1], hashes[2]);
    assert_int_equal(hashes[3], hashes[2]);
    assert_int_equal(traffic[3], traffic[1]);
    if (getenv("LIGHTCONE_CUDA") != NULL)
        assert_int_not_equal(traffic[0], traffic[1]);
}

// Settings ----------------------------------------------------------------------------------------

static void test_settings(void **state)
{
    (void)state;
    lc_cuda_settings settings;
    lc_message why = {0};
    lc_universe *u = NULL;
    const struct {
        const char *text;
        lc_cuda_when when;
    } good[] = {{"", LC_CUDA_IF_WORTH},
                {"settled=auto,words=4", LC_CUDA_IF_WORTH},
                {"words=4,settled=yes", LC_CUDA_ALWAYS},
                {"settled=no", LC_CUDA_NEVER}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(lc_cuda_settings_parse(&settings, good[i].text, &why), LC_OK);
        assert_int_equal(settings.settled, good[i].when);
        assert_null(strstr(settings.plan, "settled"));
    }
    const char *const bad[] = {"settled=", "settled=maybe", "settled=yesno", "words=4,settled=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lc_cuda_settings_parse(&settings, bad[i], &why), LC_ERROR_ARGUMENT);
        assert_non_null(strstr(why.text, "settled=auto, settled=yes or settled=no"));
    }
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = small_torus,
                                         .engine = "cuda:settled=yes,words=2"};
    assert_int_equal(lc_universe_create(&u, &options, &why), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(why.text, "settled=yes needs words=4, not words=2"));
    // A small board, which otherwise has one word a segment; what it says are settings.
    char again[LC_ENGINE_SETTINGS_BYTES];
    u = test_create("cuda:settled=yes", LIFE, small_torus, 0);
    assert_non_null(strstr(lc_universe_info_of(u).plan, "settled=yes,words=4,"));
    snprintf(again, sizeof again, "cuda:%s", lc_universe_info_of(u).plan);
    lc_universe_destroy(&u);
    u = test_create(again, LIFE, small_torus, 0);
    assert_string_equal(lc_universe_info_of(u).plan, again + 5);
    lc_universe_destroy(&u);
    u = test_create("cuda", LIFE, small_torus, 0);
    assert_null(strstr(lc_universe_info_of(u).plan, "settled"));
    lc_universe_destroy(&u);
}

static int set_up(void **state)
{
    return lc_pool_create(&pool, 1) == LC_OK ? open_device(state) : -1;
}

static int tear_down(void **state)
{
    lc_pool_destroy(&pool);
    return close_device(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surfaces),  cmocka_unit_test(test_corners),
        cmocka_unit_test(test_rules),     cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_gun),       cmocka_unit_test(test_glider),
        cmocka_unit_test(test_samples),   cmocka_unit_test(test_change),
        cmocka_unit_test(test_no_change), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_fits),      cmocka_unit_test(test_by_itself),
        cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests_name("cuda_settled", tests, set_up, tear_down);
}
