// Every engine, at every CPU level this machine has, and in several blocks if it can, against an
// oracle over the whole board: all surfaces, all widths 1..130 and those round the edges of words,
// vectors and tiles, fills that hurt, rules of every sort, and generations on both sides of each
// pass. Cases that the scalar engine runs are compared with the oracle of bytes, the others, which
// are mostly large, with that of words.
//
// The product of all that is too large, so each group of cases runs one dimension (or two) through
// completely and draws the others from the seed. LC_TEST_FULL=1 runs every engine on every case,
// LC_TEST_SEED=N draws others, LC_TEST_ENGINE=cuda runs that engine alone, LC_TEST_RANKS=1
// shares each board among ranks; LC_TEST_SHARE and LC_TEST_RULES say how much of it, where it is
// slow. Whatever fails prints its scene.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/least.h"
#include "cover/cover.h"
#include "oracle.h"
#include "support.h"
#include "support_ranks.h"

#define THREADS_MAX 3
#define RUNNERS_MAX 32

// An engine at a level; each runs with 1, 2 and 3 threads.
typedef struct runner {
    const lc_engine_vtable *engine;
    const char *level; // NULL: it has none
    bool split;        // the board is cut into 1 to 7 blocks, as far as it has rows
    bool ranks;        // it is shared by 2 to 7 ranks, as far as it has rows
} runner;

static runner runners[RUNNERS_MAX];
static size_t runner_count;
static lc_pool *pools[THREADS_MAX + 1];

typedef struct board_case {
    lc_topology topology;
    const lc_rule *rule;
    fill fill;
    uint64_t fill_seed;
    uint64_t generations; // the last that is looked at, besides the checkpoints before it
    size_t number;        // chooses what is sampled: threads, and how the steps are asked for
} board_case;

static const uint64_t checkpoints[] = {0,  1,  2,  3,  7,  8,   15,  16,  17, 31,
                                       32, 33, 63, 64, 65, 100, 127, 130, 200};
#define CHECKPOINTS (sizeof checkpoints / sizeof checkpoints[0])

// The settings of the environment that an engine takes, behind those that it has.
static void add_settings(lc_cover_options *options)
{
    const char *more = getenv("LC_TEST_SETTINGS");
    const size_t used = strlen(options->settings);
    if (more != NULL && options->engine->traits.has_settings)
        (void)snprintf(options->settings + used, sizeof options->settings - used, "%s%s",
                       used > 0 ? "," : "", more);
}

static lc_cover_options options_of(const board_case *c, const runner *r, int threads)
{
    lc_cover_options options = {.context = test_context(),
                                .rule = c->rule,
                                .topology = c->topology,
                                .engine = r->engine,
                                .cpu_level = "auto",
                                .threads = threads,
                                .pool = pools[threads]};
    const int64_t blocks = 2 + (int64_t)(c->number % 7), rows = c->topology.height_cells;
    if (r->level != NULL)
        (void)snprintf(options.cpu_level, sizeof options.cpu_level, "%s", r->level);
    if (r->split)
        (void)snprintf(options.settings, sizeof options.settings, "blocks=%d",
                       (int)(blocks == 8 ? 1 : lc_least(blocks, rows)));
    if (r->ranks && rows >= 2) {
        const int count = (int)lc_least(2 + (int64_t)(c->number % (TEST_RANKS_MAX - 1)), rows);
        options.context = test_ranks_context(count);
        if (c->number % 3 == 0 && rows >= 2 * count)
            strcpy(options.settings, "blocks=2");
    }
    add_settings(&options);
    return options;
}

static void board_row(const void *context, int64_t y, int64_t width, uint64_t *words)
{
    lc_cover *cover = (lc_cover *)context;
    const lc_cells row = lc_row_cells(0, y, width, words);
    assert_int_equal(cover->vtable->read(cover, &row, NULL), LC_OK);
}

// Whether so many cases are run that each size meets every surface in some round. With fewer (on a
// GPU, on ranks, with sanitizers) a case has one number of threads, and less of all else, too.
static bool has_all_surfaces(void)
{
    return test_share() < SURFACE_COUNT;
}

// Every cell, at one look in four, which `d` draws, row by row, and otherwise in one read.
static bool cells_equal(lc_cover *cover, const snapshot *s, dice *d, const scene *where)
{
    if (dice_below(d, 4) == 0)
        return snapshot_equals(s, board_row, cover, where);
    snapshot found = *s;
    const size_t words = s->pitch * (size_t)s->height;
    found.words = malloc(words * sizeof *found.words);
    assert_non_null(found.words);
    memset(found.words, 0xA5, words * sizeof *found.words);
    const lc_cells all = {.width_cells = s->width,
                          .height_cells = s->height,
                          .planes = 1,
                          .words = found.words,
                          .pitch_words = s->pitch};
    assert_int_equal(cover->vtable->read(cover, &all, NULL), LC_OK);
    const bool equal = snapshot_equals(s, snapshot_row, &found, where);
    free(found.words);
    return equal;
}

static void write_row(lc_cover *cover, int64_t x, int64_t y, int64_t width, uint64_t *words)
{
    const lc_cells row = lc_row_cells(x, y, width, words);
    assert_int_equal(cover->vtable->write(cover, &row, NULL), LC_OK);
}

static bool same_box(lc_box a, lc_box b)
{
    return a.empty == b.empty &&
           (a.empty || (a.x == b.x && a.y == b.y && a.width_cells == b.width_cells &&
                        a.height_cells == b.height_cells));
}

// All facts at once; at one look in eight, which `d` draws, also population and box, and each of
// them alone.
static bool facts_equal(lc_cover *cover, const snapshot *s, dice *d, const scene *where)
{
    const uint64_t hash = s->hash;
    const unsigned last = dice_below(d, 8) == 0 ? 1 : LC_FACT_ALL;
    for (unsigned which = LC_FACT_ALL; which >= last; which--) {
        lc_facts facts;
        if (which == (LC_FACT_BOX | LC_FACT_HASH) || which == (LC_FACT_POPULATION | LC_FACT_HASH))
            continue;
        assert_int_equal(cover->vtable->facts(cover, which, &facts, NULL), LC_OK);
        if (((which & LC_FACT_POPULATION) == 0 || facts.population.words[0] == s->population) &&
            ((which & LC_FACT_BOX) == 0 || same_box(facts.box, s->box)) &&
            ((which & LC_FACT_HASH) == 0 || facts.hash == hash))
            continue;
        fprintf(stderr,
                "WRONG FACTS (%u): population %" PRIu64 " for %" PRIu64 "; box %d %" PRId64
                " %" PRId64 " %" PRId64 " %" PRId64 " for %d %" PRId64 " %" PRId64 " %" PRId64
                " %" PRId64 "; hash %016" PRIx64 " for %016" PRIx64 "\n",
                which, facts.population.words[0], s->population, facts.box.empty, facts.box.x,
                facts.box.y, facts.box.width_cells, facts.box.height_cells, s->box.empty, s->box.x,
                s->box.y, s->box.width_cells, s->box.height_cells, facts.hash, hash);
        scene_print(where);
        return false;
    }
    return true;
}

// How a run asks for its generations: up to the next snapshot, all at once, one by one, or any.
typedef enum pace { PACE_SNAPSHOTS, PACE_STRAIGHT, PACE_SINGLE, PACE_ANY, PACE_COUNT } pace;

static uint64_t ask(pace how, uint64_t to_next, dice *d)
{
    switch (how) {
    case PACE_SINGLE:
        return 1;
    case PACE_ANY:
        return 1 + (uint64_t)dice_below(d, (int64_t)to_next);
    default:
        return to_next;
    }
}

static bool advance(lc_cover *cover, uint64_t from, uint64_t to, pace how, dice *d,
                    const scene *where)
{
    while (from < to) {
        const uint64_t asked = ask(how, to - from, d);
        uint64_t done = 0;
        lc_message message = {0};
        lc_status status = cover->vtable->advance(cover, asked, &done, &message);
        if (status != LC_OK || done < 1 || done > asked) {
            fprintf(stderr, "STEP: asked %" PRIu64 ", done %" PRIu64 ", %s: %s\n", asked, done,
                    lc_status_name(status), message.text);
            scene_print(where);
            return false;
        }
        from += done;
    }
    return true;
}

static lc_cover *cover_with(const board_case *c, const runner *r, int threads,
                            const snapshot *start, const scene *where)
{
    const lc_cover_options options = options_of(c, r, threads);
    const lc_area all = {0, 0, c->topology.width_cells, c->topology.height_cells};
    lc_cover *cover = NULL;
    lc_message message = {0};
    const lc_status status = lc_cover_create(&cover, &options, all, &message);
    if (status != LC_OK || cover == NULL) {
        fprintf(stderr, "CREATE: %s: %s\n", lc_status_name(status), message.text);
        scene_print(where);
        return NULL;
    }
    for (int64_t y = 0; y < start->height; y++)
        write_row(cover, 0, y, start->width, start->words + (size_t)y * start->pitch);
    return cover;
}

static scene scene_of(const board_case *c, const runner *r, int threads, const char *what)
{
    return (scene){.engine = r->engine->name,
                   .level = r->level,
                   .threads = threads,
                   .seed = test_seed(),
                   .width = c->topology.width_cells,
                   .height = c->topology.height_cells,
                   .topology = c->topology,
                   .rule = c->rule,
                   .fill = what};
}

static bool run_one(const board_case *c, const runner *r, int threads, pace how,
                    const snapshot *taken, size_t count)
{
    scene where = scene_of(c, r, threads, fill_name(c->fill));
    lc_cover *cover = cover_with(c, r, threads, &taken[0], &where);
    if (cover == NULL)
        return false;
    dice d = dice_from(c->fill_seed, 0x50414345u);
    dice looks = dice_from(c->fill_seed, 0x46414354u + (uint64_t)(r - runners));
    bool right = true;
    uint64_t generation = 0;
    for (size_t i = 0; i < count && right; i++) {
        if (how == PACE_STRAIGHT && i != 0 && i + 1 != count)
            continue;
        where.generation = taken[i].generation;
        right = advance(cover, generation, taken[i].generation, how, &d, &where) &&
                cells_equal(cover, &taken[i], &looks, &where) &&
                facts_equal(cover, &taken[i], &looks, &where);
        generation = taken[i].generation;
    }
    cover->vtable->destroy(cover);
    return right;
}

static bool is_scalar(const runner *r)
{
    return strcmp(r->engine->name, "scalar") == 0;
}

// The slow engine sees a share of the large cases: it is compared for itself, not as an oracle.
static bool worth_running(const board_case *c, const runner *r, size_t *scalar_cases)
{
    if (!is_scalar(r) || test_full())
        return true;
    const double work =
        (double)c->topology.width_cells * (double)c->topology.height_cells * (double)c->generations;
    return work < 4e5 || (*scalar_cases)++ % 6 == 0;
}

// Takes all snapshots of a case from one oracle or the other; returns their count.
static size_t take_snapshots(const board_case *c, bool by_bytes, snapshot taken[CHECKPOINTS + 1])
{
    const int64_t w = c->topology.width_cells, h = c->topology.height_cells;
    oracle *bytes = by_bytes ? oracle_create(w, h, oracle_rule_of(c->rule), &c->topology) : NULL;
    word_oracle *words =
        by_bytes ? NULL : word_oracle_create(w, h, oracle_rule_of(c->rule), &c->topology);
    if (by_bytes)
        fill_board(bytes, c->fill, c->fill_seed);
    else
        fill_words(words, c->fill, c->fill_seed);
    size_t count = 0;
    for (uint64_t generation = 0; generation <= c->generations;) {
        snapshot *now = &taken[count++];
        *now = by_bytes ? snapshot_take(bytes, generation) : snapshot_of_words(words, generation);
        now->hash = plain_hash(now->words, now->pitch, now->height);
        if (generation == c->generations)
            break;
        uint64_t to = count < CHECKPOINTS ? checkpoints[count] : c->generations;
        to = to < c->generations ? to : c->generations;
        if (by_bytes)
            oracle_step(bytes, to - generation);
        else
            word_oracle_step(words, to - generation);
        generation = to;
    }
    oracle_destroy(bytes);
    word_oracle_destroy(words);
    return count;
}

// Runs an oracle once and every engine against it. Each level gets another number of threads and
// another pace from case to case; `thorough` gives each all threads.
static bool run_case(const board_case *c, bool thorough)
{
    static size_t scalar_cases;
    bool runs[RUNNERS_MAX], by_bytes = false;
    for (size_t i = 0; i < runner_count; i++) {
        runs[i] = worth_running(c, &runners[i], &scalar_cases);
        by_bytes = by_bytes || (runs[i] && is_scalar(&runners[i]));
    }
    snapshot taken[CHECKPOINTS + 1];
    const size_t count = take_snapshots(c, by_bytes, taken);

    bool right = true;
    for (size_t i = 0; i < runner_count; i++) {
        if (!runs[i])
            continue;
        const bool all = test_full() || (thorough && has_all_surfaces());
        for (int threads = 1; threads <= THREADS_MAX; threads++) {
            const size_t turn = c->number + i;
            if (!all && threads != 1 + (int)(turn % THREADS_MAX))
                continue;
            const pace how = (pace)((turn / THREADS_MAX + (size_t)threads) % PACE_COUNT);
            right = run_one(c, &runners[i], threads, how, taken, count) && right;
        }
    }
    for (size_t i = 0; i < count; i++)
        snapshot_free(&taken[i]);
    return right;
}

// Counts what a group ran, and fails it after some mismatches have been printed.
typedef struct tally {
    size_t cases, wrong;
} tally;
#define WRONG_MAX 4

static void tally_case(tally *group, board_case *c, bool thorough)
{
    c->number = group->cases++;
    c->fill_seed = test_seed() * 1000003u + group->cases;
    if (!run_case(c, thorough) && ++group->wrong >= WRONG_MAX)
        fail_msg("%zu of %zu cases wrong so far; stopping here", group->wrong, group->cases);
}

// One of the many cases of a group in which all kinds come round again and again. A share of a few
// changes its place in each round, or it would have the same surfaces each time.
static void tally_sample(tally *group, board_case *c, bool thorough)
{
    const size_t share = (size_t)test_share();
    const size_t rounds = has_all_surfaces() ? group->cases / (SURFACE_COUNT + 1) : 0;
    if ((group->cases + rounds) % share == 0)
        tally_case(group, c, thorough);
    else
        group->cases++;
}

static void tally_end(const tally *group)
{
    assert_true(group->cases > 0);
    if (group->wrong != 0)
        fail_msg("%zu of %zu cases wrong", group->wrong, group->cases);
}

static const lc_rule *mostly_life(dice *d)
{
    return dice_below(d, 2) == 0 ? LIFE : rule_at((size_t)dice_below(d, 40), test_seed());
}

static fill mostly_random(dice *d)
{
    return dice_below(d, 2) == 0 ? FILL_RANDOM : (fill)dice_below(d, FILL_COUNT);
}

static uint64_t up_to(dice *d, int64_t generations)
{
    return (uint64_t)(generations / 2 + dice_below(d, generations / 2 + 1));
}

// Engines against the oracle ----------------------------------------------------------------------

// All sizes from 1 x 1 to 10 x 10 on every surface: halos that wrap several times.
static void test_tiny_boards(void **state)
{
    (void)state;
    tally group = {0};
    dice d = dice_from(test_seed(), 3);
    for (int64_t w = 1; w <= 10; w++) {
        for (int64_t h = 1; h <= 10; h++) {
            for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
                board_case c = {.rule = mostly_life(&d), .fill = FILL_RANDOM, .generations = 33};
                if (topology_of(kind, w, h, &d, &c.topology))
                    tally_sample(&group, &c, false);
            }
        }
    }
    tally_end(&group);
}

// Every width 1..130 on every surface.
static void test_every_width(void **state)
{
    (void)state;
    static const int64_t heights[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16, 17, 29,
                                      31, 32, 33, 47, 61, 63, 64, 65, 67, 70, 97, 131};
    const int64_t height_count = (int64_t)(sizeof heights / sizeof heights[0]);
    tally group = {0};
    dice d = dice_from(test_seed(), 4);
    for (int64_t w = 1; w <= 130; w += test_slowness() / 4 + 1) {
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            board_case c = {.rule = mostly_life(&d),
                            .fill = mostly_random(&d),
                            .generations = up_to(&d, dice_below(&d, 4) == 0 ? 200 : 70)};
            int64_t h = heights[dice_below(&d, height_count)];
            if (kind == SURFACE_SPHERE)
                h = w;
            if (topology_of(kind, w, h, &d, &c.topology) ||
                topology_of(kind, w, h + 1, &d, &c.topology) ||
                topology_of(kind, w + 1, h, &d, &c.topology))
                tally_sample(&group, &c, false);
        }
    }
    tally_end(&group);
}

// Widths round the edges of words, vectors and tiles.
static void test_wide_boards(void **state)
{
    (void)state;
    static const int64_t widths[] = {191,  192,  193,  255,  256,  257,  319,  384,  447,
                                     448,  449,  511,  512,  513,  575,  640,  767,  769,
                                     1023, 1024, 1025, 1500, 2047, 2049, 3000, 4095, 4096,
                                     4097, 4600, 5121, 7679, 8193, 9000};
    static const int64_t heights[] = {1, 2, 3, 5, 17, 31, 40, 64, 70};
    tally group = {0};
    dice d = dice_from(test_seed(), 5);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            if (kind != SURFACE_TORUS && test_slowness() > 1 && dice_below(&d, 4) != 0)
                continue;
            const int64_t w = widths[i];
            int64_t h = heights[dice_below(&d, 9)];
            if (kind == SURFACE_SPHERE)
                h = w <= 513 ? w : 0;
            if (h == 0)
                continue;
            board_case c = {.rule = mostly_life(&d),
                            .fill = mostly_random(&d),
                            .generations = up_to(&d, w * h > 100000 ? 40 : 140)};
            if (topology_of(kind, w, h, &d, &c.topology) ||
                topology_of(kind, w, h + 1, &d, &c.topology) ||
                topology_of(kind, w + 1, h, &d, &c.topology))
                tally_sample(&group, &c, i % 4 == 0);
        }
    }
    tally_end(&group);
}

// Many rows: the edges of tiles from above to below, and threads that share them.
static void test_tall_boards(void **state)
{
    (void)state;
    static const int64_t widths[] = {1, 3, 64, 65, 130, 513};
    static const int64_t heights[] = {127, 128, 129, 255,  257,  311,  383, 400,
                                      511, 512, 513, 1023, 1025, 2049, 3001};
    tally group = {0};
    dice d = dice_from(test_seed(), 6);
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        for (surface kind = 0; kind < SURFACE_SPHERE; kind++) {
            if (test_slowness() > 1 && dice_below(&d, 4) != 0)
                continue;
            const int64_t w = widths[dice_below(&d, 6)], h = heights[i];
            board_case c = {.rule = mostly_life(&d),
                            .fill = mostly_random(&d),
                            .generations = up_to(&d, w * h > 100000 ? 70 : 200)};
            if (topology_of(kind, w, h, &d, &c.topology) ||
                topology_of(kind, w, h + 1, &d, &c.topology) ||
                topology_of(kind, w + 1, h, &d, &c.topology))
                tally_sample(&group, &c, i % 3 == 0);
        }
    }
    tally_end(&group);
}

// Every rule that matters and random ones, on boards of several tiles or of few words.
static void test_rules(void **state)
{
    (void)state;
    tally group = {0};
    dice d = dice_from(test_seed(), 7);
    for (size_t i = 0; i < test_rule_count(RULES_NAMED + 48); i++) {
        static const surface surfaces[] = {SURFACE_PLANE, SURFACE_TORUS, SURFACE_KLEIN_X_SHIFT,
                                           SURFACE_CROSS};
        for (size_t k = 0; k < 4; k++) {
            board_case c = {.rule = rule_at(i, test_seed()),
                            .fill = k == 0 ? FILL_RANDOM : (fill)dice_below(&d, FILL_COUNT),
                            .generations = 33};
            const int64_t w = k == 1 ? 600 : 2 * (30 + dice_below(&d, 60));
            if (topology_of(surfaces[k], w, 20 + dice_below(&d, 60), &d, &c.topology))
                tally_case(&group, &c, false);
        }
    }
    tally_end(&group);
}

// Many more rules, since an engine may make itself a kernel for each: those of one count of
// neighbours, all but one, and random ones.
static void test_many_rules(void **state)
{
    (void)state;
    tally group = {0};
    const size_t rules = test_rule_count(36 + (test_full() ? 4000 : 150));
    for (size_t i = 0; i < rules; i++) {
        board_case c = {.rule = rule_at(RULES_NAMED + 48 + i, test_seed()),
                        .fill = i % 4 == 3 ? FILL_DENSE : FILL_RANDOM,
                        .topology = {.kind = LC_TOPOLOGY_TORUS,
                                     .width_cells = 200 + (int64_t)i,
                                     .height_cells = 23},
                        .generations = 8};
        if (i < 36) {
            const uint16_t one = (uint16_t)(1u << (i % 9)), others = (uint16_t)(0x1FF & ~one);
            const uint16_t counts = i % 18 < 9 ? one : others;
            c.rule = i < 18 ? rule_of_counts(counts, 0x00C) : rule_of_counts(0x008, counts);
        }
        tally_case(&group, &c, false);
    }
    tally_end(&group);
}

// Every fill on every surface, on a board of several words, for long.
static void test_fills(void **state)
{
    (void)state;
    tally group = {0};
    dice d = dice_from(test_seed(), 8);
    for (fill kind = 0; kind < FILL_COUNT; kind++) {
        for (surface s = 0; s < SURFACE_COUNT; s++) {
            board_case c = {.rule = LIFE, .fill = kind, .generations = 200};
            if (topology_of(s, 134, s == SURFACE_SPHERE ? 134 : 46, &d, &c.topology))
                tally_sample(&group, &c, false);
        }
    }
    tally_end(&group);
}

// Rows in and out ---------------------------------------------------------------------------

// A random board in an engine and in the oracle.
typedef struct pair {
    oracle *board;
    snapshot start;
    scene where;
    lc_cover *cover;
} pair;

static pair pair_begin(const board_case *c, const runner *r, int threads, const char *what, dice *d)
{
    const lc_topology *t = &c->topology;
    pair p = {.where = scene_of(c, r, threads, what)};
    p.board = oracle_create(t->width_cells, t->height_cells, oracle_rule_of(c->rule), t);
    fill_board(p.board, FILL_RANDOM, dice_word(d));
    p.start = snapshot_take(p.board, 0);
    p.cover = cover_with(c, r, threads, &p.start, &p.where);
    assert_non_null(p.cover);
    return p;
}

static void pair_end(pair *p)
{
    p->cover->vtable->destroy(p->cover);
    oracle_destroy(p->board);
    snapshot_free(&p->start);
}

#define CANARY 0xA5C3F00D5EED1234u
#define ROW_WORDS 24

// Partial rows: what is outside the span stays in the engine, and no word round the caller's buffer
// is touched; bits past the span are ignored going in and zero coming out.
static bool rows_one(const runner *r, int64_t n, int64_t width, dice *d)
{
    board_case c = {
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = width, .height_cells = 3}};
    pair p = pair_begin(&c, r, 1 + (int)(n % THREADS_MAX), "random", d);
    bool right = true;
    for (int i = 0; i < 12 && right; i++) {
        const int64_t x = dice_below(d, (width + 63) / 64) * 64;
        const int64_t y = dice_below(d, 3);
        const int64_t span = i % 4 == 0 ? width - x : 1 + dice_below(d, width - x);
        const size_t words = (size_t)(span + 63) / 64;
        uint64_t buffer[ROW_WORDS + 2];
        for (size_t k = 0; k < ROW_WORDS + 2; k++)
            buffer[k] = CANARY;
        for (size_t k = 1; k <= words; k++)
            buffer[k] = dice_word(d); // bits past the span are set too
        for (int64_t k = 0; k < span; k++)
            oracle_row(p.board, y)[x + k] = buffer[1 + k / 64] >> (k % 64) & 1;
        write_row(p.cover, x, y, span, buffer + 1);
        snapshot now = snapshot_take(p.board, 0);
        now.hash = plain_hash(now.words, now.pitch, now.height);
        right = snapshot_equals(&now, board_row, p.cover, &p.where) &&
                facts_equal(p.cover, &now, d, &p.where);
        snapshot_free(&now);

        uint64_t expected[ROW_WORDS];
        oracle_pack(p.board, x, y, span, expected);
        for (size_t k = 1; k <= words; k++)
            buffer[k] = CANARY;
        const lc_cells piece = lc_row_cells(x, y, span, buffer + 1);
        assert_int_equal(p.cover->vtable->read(p.cover, &piece, NULL), LC_OK);
        bool intact = buffer[0] == CANARY && memcmp(buffer + 1, expected, words * 8) == 0;
        for (size_t k = words + 1; k < ROW_WORDS + 2; k++)
            intact = intact && buffer[k] == CANARY;
        if (!intact) {
            fprintf(stderr,
                    "ROW: cells %" PRId64 " .. %" PRId64 " of row %" PRId64
                    " come out wrong or touch what is round the buffer\n",
                    x, x + span - 1, y);
            scene_print(&p.where);
            right = false;
        }
    }
    // What was written past spans must not show after a step either.
    oracle_step(p.board, 3);
    p.where.generation = 3;
    snapshot later = snapshot_take(p.board, 3);
    right = right && advance(p.cover, 0, 3, PACE_STRAIGHT, d, &p.where) &&
            snapshot_equals(&later, board_row, p.cover, &p.where);
    snapshot_free(&later);
    pair_end(&p);
    return right;
}

static void test_rows(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 9);
    size_t wrong = 0;
    const int64_t stride = has_all_surfaces() ? 1 : test_share();
    for (size_t i = 0; i < runner_count; i++) {
        for (int64_t width = 1; width <= 130; width += stride)
            wrong += !rows_one(&runners[i], width, width, &d);
        for (int64_t n = 0; n < 60; n += stride)
            wrong += !rows_one(&runners[i], n, 1 + dice_below(&d, 1500), &d);
    }
    assert_int_equal(wrong, 0);
}

// Every engine on boards of every surface, where a sphere is as high as it is wide.
static void run_on_surfaces(int64_t width, int64_t height, uint64_t stream,
                            bool (*one)(const board_case *c, const runner *r, dice *d))
{
    dice d = dice_from(test_seed(), stream);
    size_t wrong = 0;
    for (size_t i = 0; i < runner_count; i++) {
        for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
            board_case c = {.rule = LIFE, .fill = FILL_RANDOM};
            const int64_t h = kind == SURFACE_SPHERE ? width : height;
            if (topology_of(kind, width, h, &d, &c.topology))
                wrong += !one(&c, &runners[i], &d);
        }
    }
    assert_int_equal(wrong, 0);
}

static bool writes_one(const board_case *c, const runner *r, dice *d)
{
    const int64_t w = c->topology.width_cells, h = c->topology.height_cells;
    pair p = pair_begin(c, r, 2, "random, rows rewritten", d);
    bool right = true;
    for (uint64_t g = 0; g < 60 && right; g += 5) {
        const int64_t y = g % 2 == 0 ? h - 1 : dice_below(d, h);
        uint64_t words[2] = {dice_word(d), dice_word(d)};
        for (int64_t x = 0; x < w; x++)
            oracle_row(p.board, y)[x] = words[x / 64] >> (x % 64) & 1;
        write_row(p.cover, 0, y, w, words);
        oracle_step(p.board, 5);
        p.where.generation = g + 5;
        snapshot now = snapshot_take(p.board, g + 5);
        now.hash = plain_hash(now.words, now.pitch, now.height);
        right = advance(p.cover, g, g + 5, PACE_STRAIGHT, d, &p.where) &&
                snapshot_equals(&now, board_row, p.cover, &p.where) &&
                facts_equal(p.cover, &now, d, &p.where);
        snapshot_free(&now);
    }
    pair_end(&p);
    return right;
}

// Rewriting a row between steps: no stale copy of it (in a halo, in another buffer) is used.
static void test_writes_between_steps(void **state)
{
    (void)state;
    run_on_surfaces(70, 12, 10, writes_one);
}

static bool rules_one(const board_case *c, const runner *r, dice *d)
{
    pair p = pair_begin(c, r, 2, "random, rules that change", d);
    bool right = true;
    for (int n = 0; n < 16 && right && p.cover->vtable->set_rule != NULL; n++) {
        const int64_t most = has_all_surfaces() ? 40 : 15;
        const uint64_t generations = n < 8 ? 1 : 1 + (uint64_t)dice_below(d, most);
        const lc_rule *rule = rule_at((size_t)dice_below(d, 40), test_seed());
        p.where.rule = rule;
        p.board->rule = oracle_rule_of(rule);
        (void)p.cover->vtable->set_rule(p.cover, rule, NULL);
        oracle_step(p.board, generations);
        const uint64_t to = p.where.generation + generations;
        snapshot now = snapshot_take(p.board, to);
        p.where.generation = to;
        right = advance(p.cover, to - generations, to, PACE_STRAIGHT, d, &p.where) &&
                snapshot_equals(&now, board_row, p.cover, &p.where);
        snapshot_free(&now);
    }
    pair_end(&p);
    return right;
}

// Another rule every few generations, as a universe does whose empty space blinks: nothing made
// from the old rule (tables, a pass in hand) is used on.
static void test_rules_that_change(void **state)
{
    (void)state;
    run_on_surfaces(150, 40, 11, rules_one);
}

// Which engines and levels there are -------------------------------------------------------

static void add_runner(const lc_engine_vtable *engine, const char *level, bool split, bool ranks)
{
    assert_true(runner_count < RUNNERS_MAX);
    runners[runner_count++] = (runner){engine, level, split, ranks};
}

static int find_runners(void **state)
{
    (void)state;
    for (int threads = 1; threads <= THREADS_MAX; threads++)
        if (lc_pool_create(&pools[threads], threads) != LC_OK)
            return -1;
    const lc_engine_vtable *engine;
    for (size_t i = 0; (engine = lc_engine_get(i)) != NULL; i++) {
        const char *reason = NULL;
        if (!test_wants_engine(engine->name) ||
            (engine->plane != NULL && !engine->traits.every_surface))
            continue;
        if (!lc_engine_available(engine, test_context(), &reason)) {
            print_message("engine %s is not available: %s\n", engine->name, reason);
            continue;
        }
        const bool on_ranks = getenv("LC_TEST_RANKS") != NULL;
        if (lc_engine_splits(engine))
            add_runner(engine, NULL, !on_ranks, on_ranks);
        if (!on_ranks && !engine->traits.has_levels)
            add_runner(engine, NULL, false, false);
        if (on_ranks || !engine->traits.has_levels)
            continue;
        lc_cpu_level_info level;
        for (size_t k = 0; lc_cpu_level_at(k, &level); k++)
            if (level.available)
                add_runner(engine, level.name, false, false);
    }
    for (size_t i = 0; i < runner_count; i++)
        print_message("engine %s, level %s%s\n", runners[i].engine->name,
                      runners[i].level == NULL ? "-" : runners[i].level,
                      runners[i].split   ? ", in blocks"
                      : runners[i].ranks ? ", on ranks"
                                         : "");
    return runner_count == 0 ? -1 : 0;
}

static int free_pools(void **state)
{
    (void)state;
    test_ranks_end();
    for (int threads = 1; threads <= THREADS_MAX; threads++)
        lc_pool_destroy(&pools[threads]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_tiny_boards),
        cmocka_unit_test(test_every_width),
        cmocka_unit_test(test_wide_boards),
        cmocka_unit_test(test_tall_boards),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_many_rules),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_writes_between_steps),
        cmocka_unit_test(test_rules_that_change),
    };
    return cmocka_run_group_tests_name("engines", tests, find_runners, free_pools);
}
