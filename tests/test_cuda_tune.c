// Tuning, on the emulated GPU. Which plan wins there is as good as random; that one wins, is kept,
// is taken by universes and steps them rightly is not, and neither is what happens when something
// fails.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/cuda/cuda_plan_store.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_device.h"
#include "support_facts.h"

// Strips of six generations alone, tiles alone, and boards that need a halo or a fence.
static const lc_topology strips = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 2304, .height_cells = 12};
static const lc_topology tiles = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 256, .height_cells = 11};
static const lc_topology klein = {
    .kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 2300, .height_cells = 13, .twist_x = true};
static const lc_topology plane = {
    .kind = LC_TOPOLOGY_PLANE, .width_cells = 2299, .height_cells = 12};

// What the callback was told.
typedef struct told {
    int count, stop_at; // calls; the one that stops, from 1 on
    int failed;
    double best_rate;
    char best[LC_CUDA_PLAN_TEXT_BYTES];
    char problem[320];
    char kept_in[512]; // "?": was not told
} told;

static bool take(void *context, const lc_gpu_trial *trial)
{
    told *t = context;
    lc_cuda_plan plan = {0};
    CHECK(strcmp(t->kept_in, "?") == 0); // nothing comes after that
    CHECK(lc_cuda_plan_parse(&plan, trial->plan, NULL) == LC_OK);
    if (trial->kept_in != NULL) {
        CHECK(trial->best && trial->cells_per_second == t->best_rate);
        CHECK(strcmp(trial->plan, t->best) == 0);
        snprintf(t->kept_in, sizeof t->kept_in, "%s", trial->kept_in);
        return false;
    }
    t->count++;
    if (trial->cells_per_second == 0) {
        CHECK(trial->problem[0] != '\0' && !trial->best);
        snprintf(t->problem, sizeof t->problem, "%s", trial->problem);
        t->failed++;
    } else {
        CHECK(trial->problem[0] == '\0' && isfinite(trial->cells_per_second));
        CHECK(trial->best == (trial->cells_per_second > t->best_rate));
    }
    if (trial->best) {
        t->best_rate = trial->cells_per_second;
        snprintf(t->best, sizeof t->best, "%s", trial->plan);
    }
    return t->count == t->stop_at;
}

static lc_status tune(const lc_topology *topology, told *t, lc_message *message)
{
    const lc_rule *rule = LIFE;
    *message = (lc_message){0};
    t->kept_in[0] = '?';
    return lc_gpu_tune(test_context(), rule, topology, take, t, message);
}

static void tune_well(const lc_topology *topology, told *t)
{
    lc_message why;
    const lc_status status = tune(topology, t, &why);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(status == LC_OK);
    CHECK(strcmp(t->kept_in, getenv("LIGHTCONE_CACHE")) == 0);
}

static lc_universe *universe(const char *engine, const lc_rule *rule, const lc_topology *topology)
{
    lc_universe *u;
    lc_message why;
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = *topology,
                                         .engine = engine,
                                         .threads = 1};
    const lc_status status = lc_universe_create(&u, &options, &why);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(status == LC_OK);
    return u;
}

static void expect_plan_of(const char *engine, const lc_rule *rule, const lc_topology *topology,
                           const char *plan)
{
    lc_universe *u = universe(engine, rule, topology);
    if (strcmp(lc_universe_info_of(u).plan, plan) != 0)
        fprintf(stderr, "'%s' is not '%s'\n", lc_universe_info_of(u).plan, plan);
    CHECK(strcmp(lc_universe_info_of(u).plan, plan) == 0);
    lc_universe_destroy(&u);
}

static void expect_plan(const lc_rule *rule, const lc_topology *topology, const char *plan)
{
    expect_plan_of("cuda", rule, topology, plan);
}

static uint64_t hash_after(const char *engine, const lc_topology *topology)
{
    lc_message why;
    lc_universe *u = universe(engine, LIFE, topology);
    CHECK(lc_universe_soup(u, 0, 0, topology->width_cells, topology->height_cells, 0.4, 3, &why) ==
          LC_OK);
    CHECK(lc_universe_step(u, lc_count_of(53), NULL, NULL, &why) == LC_OK);
    CHECK((lc_universe_info_of(u).plan[0] != '\0') == (strncmp(engine, "cuda", 4) == 0));
    const uint64_t hash = test_hash(u);
    lc_universe_destroy(&u);
    return hash;
}

static void tune_and_use(const lc_topology *topology)
{
    told t = {0};
    tune_well(topology, &t);
    CHECK(t.count > 1 && t.failed == 0);
    expect_plan(LIFE, topology, t.best);
    CHECK(hash_after("cuda", topology) == hash_after("simd", topology));
}

static void tuned_strips(void)
{
    tune_and_use(&strips);
}

static void tuned_tiles(void)
{
    tune_and_use(&tiles);
}

static void tuned_klein(void)
{
    tune_and_use(&klein);
}

static void tuned_plane(void)
{
    tune_and_use(&plane);
}

// Slabs, and boards in place ---------------------------------------------------------------------

// Strips alone step these boards, but each shape of the tiles beside them is a plan of its own, and
// an emulated GPU takes half a second to try one: so some of that shape is typed.

enum { SLABS = 3 };

// What the callback was told of each slab.
typedef struct heard {
    int count, trials[SLABS], kept[SLABS];
    int64_t rows[SLABS];
    char best[SLABS][LC_ENGINE_SETTINGS_BYTES];
    const char *all_have; // each plan that was tried; NULL: nothing
} heard;

static bool listen(void *context, const lc_gpu_trial *trial)
{
    heard *h = context;
    const int i = trial->slab;
    CHECK(i >= 0 && i < trial->slab_count && trial->slab_count <= SLABS);
    CHECK(trial->problem[0] == '\0');
    h->count = trial->slab_count;
    h->rows[i] = trial->rows;
    h->trials[i] += trial->kept_in == NULL;
    h->kept[i] += trial->kept_in != NULL && trial->kept_in[0] != '\0';
    if (h->all_have != NULL)
        CHECK_HAS(trial->plan, h->all_have);
    if (trial->best)
        snprintf(h->best[i], sizeof h->best[i], "%s", trial->plan);
    return false;
}

static lc_status tune_as(const char *engine, const lc_topology *topology, uint64_t max_memory_bytes,
                         heard *h, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = *topology,
                                         .engine = engine,
                                         .max_memory_bytes = max_memory_bytes};
    return lc_universe_tune(&options, listen, h, message);
}

static void tune_well_as(const char *engine, const lc_topology *topology, heard *h)
{
    lc_message why = {0};
    if (tune_as(engine, topology, 0, h, &why) != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(why.text[0] == '\0');
}

// A trial's plan says what it is a plan of, and a universe's says it as far as it was asked for.
static void expect_best(const char *engine, const lc_topology *topology, const char *before,
                        const heard *h)
{
    char plan[2 * LC_ENGINE_SETTINGS_BYTES];
    snprintf(plan, sizeof plan, "%s%s", before, h->best[0]);
    expect_plan_of(engine, LIFE, topology, plan);
}

static void tuned_in_place(void)
{
    const lc_topology board = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1300, .height_cells = 240};
    const char *engine = "cuda:in-place=yes,generations=8,tile-rows=12,depth=8";
    heard h = {.all_have = "in-place=yes,words="};
    tune_well_as(engine, &board, &h);
    CHECK(h.count == 1 && h.trials[0] > 3 && h.kept[0] == 1 && h.rows[0] == 240);
    CHECK_HAS(h.best[0], "band-rows=");
    expect_best(engine, &board, "", &h);
    expect_best("cuda:in-place=yes", &board, "", &h);
    lc_universe *u = universe("cuda", LIFE, &board); // that is another board
    CHECK(strstr(lc_universe_info_of(u).plan, "band-rows=") == NULL);
    lc_universe_destroy(&u);
    CHECK(hash_after(engine, &board) == hash_after("simd", &board));
}

static void expect_plan_within(uint64_t max_memory_bytes, const lc_topology *topology,
                               const char *plan, bool same)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = LIFE,
                                         .topology = *topology,
                                         .engine = "cuda",
                                         .max_memory_bytes = max_memory_bytes};
    lc_universe *u;
    CHECK(lc_universe_create(&u, &options, NULL) == LC_OK);
    CHECK_HAS(lc_universe_info_of(u).plan, "in-place=yes,");
    CHECK((strcmp(lc_universe_info_of(u).plan, plan) == 0) == same);
    CHECK(lc_universe_info_of(u).memory_bytes <= max_memory_bytes);
    lc_universe_destroy(&u);
}

// Where two buffers do not fit it is in place by itself, in bands for which there is room.
static void tuned_in_little_memory(void)
{
    const lc_topology board = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1280, .height_cells = 400};
    lc_universe_options one = {.struct_bytes = sizeof one,
                               .context = test_context(),
                               .rule = LIFE,
                               .topology = board,
                               .engine = "cuda:in-place=no,settled=no"};
    heard h = {.all_have = "in-place=yes,words=4,generations=8,"};
    lc_universe_needs needs;
    lc_message why = {0};
    CHECK(lc_universe_check(&one, &needs, NULL) == LC_OK);
    const uint64_t room = needs.memory_bytes - 20000;
    one.engine = "cuda:in-place=yes,words=4,band-rows=70";
    CHECK(lc_universe_check(&one, &needs, NULL) == LC_OK);
    const uint64_t less = needs.memory_bytes / 63 * 64; // some is left to the driver
    if (tune_as("cuda:words=4,generations=8,tile-rows=12,depth=8,band-rows=120", &board, room, &h,
                &why) != LC_OK)
        fprintf(stderr, "%s\n", why.text);
    CHECK(h.kept[0] == 1 && h.trials[0] > 1);
    expect_plan_within(room, &board, h.best[0], true);
    expect_plan_within(less, &board, h.best[0], false);
}

static const lc_topology slabs_board = {
    .kind = LC_TOPOLOGY_TORUS, .width_cells = 1280, .height_cells = 330};

static void tuned_slabs(void)
{
    heard h = {0};
    setenv("FAKE_GPUS", "2", 1);
    test_context_anew();
    tune_well_as("cuda:devices=0+1,words=2,tile-rows=12,depth=8", &slabs_board, &h);
    CHECK(h.count == 2 && h.trials[0] > 3 && h.kept[0] == 1 && h.trials[1] == 0);
    CHECK(h.rows[0] == 160);
    expect_best("cuda:devices=0+1", &slabs_board, "blocks=2,devices=0+1,", &h);
    CHECK(hash_after("cuda:devices=0+1", &slabs_board) == hash_after("simd", &slabs_board));
}

// The others keep to what slabs have in common; each has its own runs.
static void tuned_uneven_slabs(void)
{
    heard h = {0};
    setenv("FAKE_GPUS", "2", 1);
    setenv("FAKE_MULTIPROCESSORS", "1,4", 1);
    test_context_anew();
    tune_well_as("cuda:devices=0+1,generations=8,words=1,tile-rows=12,depth=8", &slabs_board, &h);
    CHECK(h.count == 2 && h.kept[0] == 1 && h.kept[1] == 1 && h.trials[0] >= 1 && h.trials[1] > 1);
    CHECK(h.rows[0] == 64 && h.rows[1] == 266);
    lc_universe *u = universe("cuda:devices=0+1", LIFE, &slabs_board);
    CHECK_HAS(lc_universe_info_of(u).plan,
              "blocks=2,devices=0+1,shares=1+4,words=1,generations=8,");
    for (const char *at = strstr(lc_universe_info_of(u).plan, "words="); *at != '\0';
         at += *at == ',') {
        char item[32];
        snprintf(item, sizeof item, "%.*s", (int)strcspn(at, ","), at);
        CHECK_HAS(h.best[0], item);
        CHECK_HAS(h.best[1], item);
        at += strlen(item);
    }
    lc_universe_destroy(&u);
    CHECK(hash_after("cuda:devices=0+1", &slabs_board) == hash_after("simd", &slabs_board));
}

static void expect_refusal_as(const char *engine, const lc_topology *topology, const char *part)
{
    heard h = {0};
    lc_message why;
    CHECK(tune_as(engine, topology, 0, &h, &why) != LC_OK);
    CHECK_HAS(why.text, part);
    CHECK(h.count == 0);
}

static void refused_settings(void)
{
    expect_refusal_as("simd", &slabs_board, "the engine \"simd\" has nothing to tune");
    expect_refusal_as("cuda:words=3", &slabs_board, "1, 2 or 4 words, not 3");
    expect_refusal_as("cuda:blocks=2,shares=1", &slabs_board, "shares= says how 1 slabs");
    expect_refusal_as("cuda", &(lc_topology){.kind = LC_TOPOLOGY_PLANE}, "bounded in both");
}

static void nothing_to_tell(void)
{
    const lc_rule *rule = LIFE;
    CHECK(lc_gpu_tune(test_context(), rule, &strips, NULL, NULL, NULL) == LC_OK);
    CHECK(lc_universe_info_of(universe("simd", LIFE, &strips)).plan[0] == '\0');
}

// Kept plans -------------------------------------------------------------------------------------

// One that no guess and no tuning comes to.
static const char odd_text[] =
    "words=2,generations=5,strip-warps=3,runs=2,tile-warps=2,tile-rows=9,depth=4";

static lc_device_facts facts_of_gpu(void)
{
    lc_device_facts facts;
    CHECK(lc_device_find_usable(test_context(), &facts, NULL) == LC_OK);
    return facts;
}

static lc_cuda_plan odd_plan(void)
{
    lc_cuda_plan plan = {0};
    CHECK(lc_cuda_plan_parse(&plan, odd_text, NULL) == LC_OK);
    return plan;
}

static void keep(lc_cuda_plan plan, const lc_rule *rule)
{
    const lc_device_facts facts = facts_of_gpu();
    const lc_frame frame = lc_frame_of(&strips);
    CHECK(lc_cuda_stored_plan_write(&plan, test_context(), &facts, &frame, rule));
}

static void guess(const lc_topology *topology, char text[LC_CUDA_PLAN_TEXT_BYTES])
{
    const lc_device_facts facts = facts_of_gpu();
    const lc_frame frame = lc_frame_of(topology);
    const lc_cuda_plan plan = lc_cuda_plan_guess(&facts, &frame);
    lc_cuda_plan_format(&plan, text);
    CHECK(strcmp(text, odd_text) != 0);
}

// The first rule of a series that has as many gates as this one, or has not.
static const lc_rule *another_rule(const lc_rule *rule, bool as_many)
{
    const lc_rule *other;
    unsigned birth = 0;
    do {
        birth += 2;
        CHECK(birth < 1u << 9);
        other = rule_of_counts(birth, 1u << 2);
    } while ((lc_rule_gates(other) == lc_rule_gates(rule)) != as_many);
    return other;
}

// What is kept is for one size, kind of surface and number of gates, and what is typed comes first.
static void kept_plan(void)
{
    char text[LC_CUDA_PLAN_TEXT_BYTES];
    const lc_rule *high_life = rule_of("B36/S23");
    keep(odd_plan(), high_life);
    expect_plan(high_life, &strips, odd_text);
    expect_plan(another_rule(high_life, true), &strips, odd_text);
    guess(&strips, text);
    expect_plan(another_rule(high_life, false), &strips, text);
    keep(odd_plan(), LIFE);
    expect_plan(LIFE, &strips, odd_text);
    lc_topology other = strips;
    other.height_cells++;
    guess(&other, text);
    expect_plan(LIFE, &other, text);
    other = strips;
    other.kind = LC_TOPOLOGY_PLANE;
    guess(&other, text);
    expect_plan(LIFE, &other, text);
    other = strips;
    other.shift_x_cells = 1;
    guess(&other, text);
    expect_plan(LIFE, &other, text);
    char with_device[LC_ENGINE_SETTINGS_BYTES];
    snprintf(with_device, sizeof with_device, "device=0,%s", odd_text);
    const char *typed = "words=1,generations=0,tile-warps=2,tile-rows=10,depth=3";
    expect_plan_of("cuda:words=1,generations=0,tile-warps=2,tile-rows=10,depth=3", LIFE, &strips,
                   typed);
    expect_plan_of("cuda:device=0", LIFE, &strips, with_device);
}

static void expect_ignored(lc_cuda_plan plan)
{
    char text[LC_CUDA_PLAN_TEXT_BYTES];
    keep(plan, LIFE);
    guess(&strips, text);
    expect_plan(LIFE, &strips, text);
}

static void impossible_plan(void)
{
    lc_cuda_plan plan = odd_plan();
    plan.words = 3;
    expect_ignored(plan);
    plan = odd_plan();
    plan.runs = 13;
    expect_ignored(plan);
    expect_ignored((lc_cuda_plan){0});
}

static void damaged_plan(void)
{
    char path[512], text[LC_CUDA_PLAN_TEXT_BYTES];
    keep(odd_plan(), LIFE);
    CHECK(cache_entries(path, sizeof path) == 1);
    FILE *file = fopen(path, "r+");
    CHECK(file != NULL && fseek(file, -1, SEEK_END) == 0 && fputc('5', file) == '5');
    CHECK(fclose(file) == 0);
    guess(&strips, text);
    expect_plan(LIFE, &strips, text);
}

static void nowhere_to_keep(void)
{
    told t = {0};
    lc_message why;
    char text[LC_CUDA_PLAN_TEXT_BYTES];
    setenv("LIGHTCONE_CACHE", "", 1);
    test_context_anew();
    CHECK(tune(&strips, &t, &why) == LC_OK);
    CHECK(t.kept_in[0] == '\0');
    guess(&strips, text);
    expect_plan(LIFE, &strips, text);
}

// Failures ---------------------------------------------------------------------------------------

static void expect_nothing_kept(void)
{
    const lc_frame frame = lc_frame_of(&strips);
    const lc_device_facts facts = facts_of_gpu();
    const lc_rule *rule = LIFE;
    lc_cuda_plan plan;
    CHECK(!lc_cuda_stored_plan_read(&plan, test_context(), &facts, &frame, false, rule));
}

static void stopped(void)
{
    told t = {.stop_at = 1};
    lc_message why;
    CHECK(tune(&strips, &t, &why) == LC_ERROR_STOPPED);
    CHECK(t.count == 1 && strcmp(t.kept_in, "?") == 0);
    expect_nothing_kept();
}

static void expect_refusal(lc_topology topology, lc_status expected, const char *part)
{
    told t = {0};
    lc_message why;
    CHECK(tune(&topology, &t, &why) == expected);
    CHECK_HAS(why.text, part);
    CHECK(t.count == 0);
}

static void refused(void)
{
    expect_refusal((lc_topology){.kind = LC_TOPOLOGY_PLANE}, LC_ERROR_ARGUMENT, "bounded");
    expect_refusal((lc_topology){.kind = LC_TOPOLOGY_SPHERE, .width_cells = 3, .height_cells = 4},
                   LC_ERROR_ARGUMENT, "as wide as it is high");
    expect_refusal((lc_topology){.kind = LC_TOPOLOGY_TORUS,
                                 .width_cells = 64,
                                 .height_cells = INT64_C(1) << 31},
                   LC_ERROR_LIMIT, "too high");
    setenv("FAKE_MEMORY", "3", 1);
    expect_refusal(
        (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = 8192, .height_cells = 4096},
        LC_ERROR_MEMORY, "the cells need");
}

static void no_gpu(void)
{
    expect_refusal(strips, LC_ERROR_UNSUPPORTED, "/nowhere/libcuda.so");
}

// Strips that compute something else are passed over, however fast.
static void wrong_strips(void)
{
    told t = {0};
    setenv("FAKE_MISCOMPILE", "level[t].above = sums0;=>level[t].above = sums1;", 1);
    tune_well(&strips, &t);
    CHECK(t.failed > 0 && t.count > t.failed);
    CHECK_HAS(t.problem, "fails its self-check");
    CHECK_HAS(t.best, "generations=0");
}

static void all_wrong(void)
{
    told t = {0};
    lc_message why;
    setenv("FAKE_MISCOMPILE", "majority.word[k] = LC_GATE(0xE8=>majority.word[k] = LC_GATE(0xE0",
           1);
    CHECK(tune(&strips, &t, &why) == LC_ERROR_MISMATCH);
    CHECK_HAS(why.text, "fails its self-check");
    CHECK(t.failed == t.count && strcmp(t.kept_in, "?") == 0);
    expect_nothing_kept();
}

static int lost_at;
static const char *lost_kernels;

// Exit status 3: there were fewer calls.
static void lose_device(void)
{
    told t = {0};
    lc_message why;
    char failing[32];
    setenv("LIGHTCONE_CACHE", lost_kernels, 1);
    test_context_anew();
    snprintf(failing, sizeof failing, "any=719@%d", lost_at);
    setenv("FAKE_FAIL", failing, 1);
    const lc_status status = tune(&strips, &t, &why);
    if (status == LC_OK)
        _exit(3);
    if (strstr(why.text, "failed") == NULL)
        fprintf(stderr, "call %d: %s: '%s'\n", lost_at, lc_status_name(status), why.text);
    CHECK(status == LC_ERROR_DEVICE || status == LC_ERROR_UNSUPPORTED);
    CHECK_HAS(why.text, "failed");
    CHECK(strcmp(t.kept_in, "?") == 0);
}

static void test_lost_device(void **state)
{
    (void)state;
    char folder[] = "/tmp/lightcone-test-XXXXXX", command[64];
    lost_kernels = mkdtemp(folder);
    assert_non_null(lost_kernels);
    for (lost_at = 1;; lost_at += test_full() ? 1 : 307) {
        assert_true(lost_at < 10000);
        if (in_child_status(lose_device, EMULATED_CUDA, EMULATED_CUDA) == 3)
            break;
    }
    assert_true(lost_at > 100);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

// Without a GPU ----------------------------------------------------------------------------------

static void test_texts(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 1);
    for (int i = 0; i < 1000; i++) {
        const bool with_strips = i % 3 != 0;
        const lc_cuda_plan plan = {
            .words = (int)dice_below(&d, 5),
            .generations = with_strips ? 1 + (int)dice_below(&d, INT32_MAX) : 0,
            .strip_warps = with_strips ? (int)dice_below(&d, INT32_MAX) : 0,
            .runs = with_strips ? (uint32_t)dice_below(&d, INT32_MAX) : 0,
            .tile_warps = (int)dice_below(&d, INT32_MAX),
            .tile_rows = (int)dice_below(&d, INT32_MAX),
            .depth = (int)dice_below(&d, 33),
        };
        char text[LC_CUDA_PLAN_TEXT_BYTES];
        lc_cuda_plan parsed = {0};
        lc_cuda_plan_format(&plan, text);
        assert_int_equal(lc_cuda_plan_parse(&parsed, text, NULL), LC_OK);
        assert_memory_equal(&parsed, &plan, sizeof plan);
    }
}

// However many waves, each run has rows of its own and all rows have a run.
static void test_waves(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 2);
    for (int i = 0; i < 20000; i++) {
        const lc_frame t = {.width_cells = 1 + dice_below(&d, (int64_t)1 << dice_below(&d, 21)),
                            .height_cells = 14 + dice_below(&d, (int64_t)1 << dice_below(&d, 21))};
        const int words = 1 << dice_below(&d, 3), waves = 1 + (int)dice_below(&d, 8);
        const uint32_t runs =
            lc_cuda_plan_runs_of_waves(&t, words, waves, 1 + dice_below(&d, 4000));
        const int64_t rows = lc_cuda_plan_run_rows(&t, runs);
        assert_true(runs >= 1 && rows <= t.height_cells);
        assert_true((int64_t)runs * rows >= t.height_cells);
        assert_true((int64_t)(runs - 1) * rows < t.height_cells);
    }
}

#define EMULATED(run) CASE(run, EMULATED_CUDA, EMULATED_CUDA)

int main(void)
{
    const struct CMUnitTest tests[] = {
        EMULATED(tuned_strips),
        EMULATED(tuned_tiles),
        EMULATED(tuned_klein),
        EMULATED(tuned_plane),
        EMULATED(tuned_in_place),
        EMULATED(tuned_in_little_memory),
        EMULATED(tuned_slabs),
        EMULATED(tuned_uneven_slabs),
        EMULATED(refused_settings),
        EMULATED(nothing_to_tell),
        EMULATED(kept_plan),
        EMULATED(impossible_plan),
        EMULATED(damaged_plan),
        EMULATED(nowhere_to_keep),
        EMULATED(stopped),
        EMULATED(refused),
        CASE(no_gpu, "/nowhere/libcuda.so", EMULATED_CUDA),
        EMULATED(wrong_strips),
        EMULATED(all_wrong),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
