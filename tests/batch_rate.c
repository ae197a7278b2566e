// How many generations of small boards a second a batch steps on one thread or on a GPU: a program,
// not a test.
//
//     batch_rate [SIDE [BOARDS [GENERATIONS [ROUNDS [LEVEL]]]]]
//
// steps BOARDS boards of SIDE x SIDE random cells by GENERATIONS in each call of lc_batch_step,
// once with one rule for all boards and once with a rule of its own for each board. LEVEL is one of
// the CPU's, or "cuda": the first GPU. It prints the best and the median of ROUNDS rounds, by the
// thread's CPU time; for a GPU, by the clock. Then it fills the boards anew and steps them. It
// compares all cells with the oracle; of more than 4,096 boards, those of some.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lightcone/lightcone.h"
#include "oracle_words.h"

enum { COMPARED = 4096 };

typedef struct run {
    const char *name;
    const lc_rule **rules;
    size_t rule_count;
    int64_t side;
    size_t boards;
    uint64_t generations;
    int rounds;
    const char *level;
    bool on_gpu;
    lc_context *context;
} run;

static void must(lc_status status, const lc_message *message)
{
    if (status == LC_OK)
        return;
    fprintf(stderr, "batch_rate: %s\n", message->text);
    exit(1);
}

static double seconds_of(const run *r)
{
    struct timespec now;
    (void)clock_gettime(r->on_gpu ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static oracle_rule oracle_rule_of(const lc_rule *rule)
{
    oracle_rule own = {0};
    lc_counts counts;
    own.is_map = !lc_rule_counts(rule, &counts);
    if (own.is_map)
        lc_rule_map(rule, own.table);
    else
        own.birth = counts.birth, own.survival = counts.survival;
    return own;
}

static lc_batch *create(const run *r)
{
    const lc_batch_options options = {
        .struct_bytes = sizeof options,
        .topology = LC_TOPOLOGY_TORUS,
        .width_cells = r->side,
        .height_cells = r->side,
        .boards = r->boards,
        .rules = r->rules,
        .rule_count = r->rule_count,
        .cpu_level = r->on_gpu ? NULL : r->level,
        .engine = r->on_gpu ? "cuda" : "simd",
        .context = r->context,
    };
    lc_batch *batch;
    lc_message message;
    must(lc_batch_create(&batch, &options, &message), &message);
    must(lc_batch_fill_random(batch, 0.5, 1, &message), &message);
    return batch;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const run *r, lc_batch *batch)
{
    double *seconds = calloc((size_t)r->rounds, sizeof *seconds);
    lc_message message;
    if (seconds == NULL)
        exit(1);
    must(lc_batch_step(batch, r->generations, &message), &message);
    for (int i = 0; i < r->rounds; i++) {
        const double begin = seconds_of(r);
        must(lc_batch_step(batch, r->generations, &message), &message);
        seconds[i] = seconds_of(r) - begin;
    }
    qsort(seconds, (size_t)r->rounds, sizeof *seconds, rising);
    const double work = (double)r->boards * (double)r->generations * 1e-6;
    printf("%s: %.1f million generations of boards a second (median of %d rounds: %.1f)\n", r->name,
           work / seconds[0], r->rounds, work / seconds[r->rounds / 2]);
    free(seconds);
}

// Ends the program unless a board is right.
static void compare(const run *r, size_t board, const uint64_t *before, const uint64_t *after)
{
    const size_t row_words = ((size_t)r->side + 63) / 64;
    const lc_topology torus = {LC_TOPOLOGY_TORUS, r->side, r->side, 0, 0, false, false};
    const lc_rule *rule = r->rules[board / (r->boards / r->rule_count)];
    word_oracle *oracle = word_oracle_create(r->side, r->side, oracle_rule_of(rule), &torus);
    for (int64_t y = 0; y < r->side; y++)
        memcpy(word_oracle_row(oracle, y), before + (size_t)y * row_words,
               row_words * sizeof *before);
    word_oracle_step(oracle, r->generations);
    for (int64_t y = 0; y < r->side; y++) {
        uint64_t *row = word_oracle_row(oracle, y);
        row[row_words - 1] &= oracle->last_mask;
        if (memcmp(row, after + (size_t)y * row_words, row_words * sizeof *after) != 0) {
            fprintf(stderr, "batch_rate: %s: board %zu is wrong\n", r->name, board);
            exit(1);
        }
    }
    word_oracle_destroy(oracle);
}

static void verify(const run *r, lc_batch *batch)
{
    const size_t row_words = ((size_t)r->side + 63) / 64, size = row_words * (size_t)r->side;
    uint64_t *before = calloc(r->boards, size * sizeof *before);
    uint64_t *after = calloc(r->boards, size * sizeof *after);
    lc_message message;
    if (before == NULL || after == NULL)
        exit(1);
    must(lc_batch_fill_random(batch, 0.5, 2, &message), &message);
    must(lc_batch_read_rows(batch, 0, r->boards, before, row_words, &message), &message);
    must(lc_batch_step(batch, r->generations, &message), &message);
    must(lc_batch_read_rows(batch, 0, r->boards, after, row_words, &message), &message);
    const size_t apart = (r->boards - 1) / COMPARED + 1;
    for (size_t i = 0; i < r->boards; i += apart)
        compare(r, i, before + i * size, after + i * size);
    printf(
        "    all cells of every board compared are those of the oracle, %llu generations later\n",
        (unsigned long long)r->generations);
    free(before);
    free(after);
}

static void run_one(const run *r)
{
    lc_batch *batch = create(r);
    measure(r, batch);
    verify(r, batch);
    lc_batch_destroy(&batch);
}

// Rule i of many: any births and survivals. The first 2^18 rules differ.
static const lc_rule *rule_at(size_t i)
{
    const unsigned drawn = (unsigned)i * 0x2545Fu; // odd: all numbers of 18 bits come up
    const lc_counts counts = {drawn & 0x1FF, drawn >> 9 & 0x1FF};
    const lc_rule *rule;
    lc_message message;
    must(lc_rule_from_counts(counts, &rule, &message), &message);
    return rule;
}

static void run_all(run *r)
{
    const lc_rule **rules = calloc(r->boards, sizeof *rules);
    const lc_rule *life = lc_rule_life(), *high_life;
    lc_message message;
    if (rules == NULL)
        exit(1);
    must(lc_rule_parse("B36/S23", &high_life, NULL, &message), &message);
    for (size_t i = 0; i < r->boards; i++)
        rules[i] = rule_at(i);
    r->rule_count = 1, r->rules = &life, r->name = "B3/S23";
    run_one(r);
    r->rules = &high_life, r->name = "B36/S23";
    run_one(r);
    r->rule_count = r->boards, r->rules = rules, r->name = "a rule for each board";
    run_one(r);
    for (size_t i = 0; i < r->boards; i++)
        lc_rule_release(&rules[i]);
    lc_rule_release(&high_life);
    free(rules);
}

int main(int argc, char **argv)
{
    const lc_context_options one = {.struct_bytes = sizeof one,
                                    .threads = 1,
                                    .cuda_library = getenv("LIGHTCONE_CUDA"),
                                    .nvrtc_library = getenv("LIGHTCONE_NVRTC")};
    run r = {.side = argc > 1 ? strtoll(argv[1], NULL, 10) : 64,
             .boards = argc > 2 ? strtoull(argv[2], NULL, 10) : 4096,
             .generations = argc > 3 ? strtoull(argv[3], NULL, 10) : 100,
             .rounds = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 20,
             .level = argc > 5 ? argv[5] : NULL};
    r.on_gpu = r.level != NULL && strcmp(r.level, "cuda") == 0;
    lc_message message;
    must(lc_context_create(&r.context, &one, &message), &message);
    printf("%zu boards of %lld x %lld cells, %llu generations a call, 1 %s\n", r.boards,
           (long long)r.side, (long long)r.side, (unsigned long long)r.generations,
           r.on_gpu ? "GPU" : "thread");
    run_all(&r);
    lc_context_destroy(&r.context);
    return 0;
}
