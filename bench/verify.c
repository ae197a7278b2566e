// Verification: which comparison a board needs, and the results that configurations share.
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/machine.h"

enum {
    WHOLE_BOARD_CELLS = 2048 * 2048, // up to here the scalar engine steps all of it
    SNAPSHOTS = 3,                   // of a whole board: start, one generation, the end
    MAX_WINDOWS = 32,
    WINDOW_CELLS = 128, // width and height of a window, its halo not counted
    MAX_WITNESSES = 8,
    LARGE_BOARD_GENERATIONS = 160,
    // Of a guest, if quick. On a GPU it makes up to 32 in a launch, and such a one has to be among
    // them: they are made by calls of 1, 2, 4, 8, 24, 34 and 7.
    FEW_GENERATIONS_CPU = 40,
    FEW_GENERATIONS_GPU = 80,
    // The last call steps so many, which is no whole pass of an engine that blocks in time.
    PARTIAL_GENERATIONS = 7
};

// A way to step a board: an engine at a level; one_by_one: a pass for each generation, so that
// nothing is blocked in time. An independent path where the machine has no second level.
typedef struct path {
    const char *engine;
    const char *cpu_level;
    bool one_by_one;
} path;

typedef struct oracle { // of a board that is compared whole
    path by;
    lc_board_window snapshots[SNAPSHOTS];
} oracle;

typedef struct witness { // of a larger one
    path by;
    uint64_t start_hash;
    uint64_t end_hash;
} witness;

typedef struct board {
    const lc_rule *rule;
    lc_topology topology;
    bool whole;
    uint64_t generations;
    oracle oracles[2]; // by the scalar engine; for the scalar engine, by another
    size_t oracle_count;
    lc_board_window windows[MAX_WINDOWS];
    size_t window_count;
    witness witnesses[MAX_WITNESSES];
    size_t witness_count;
    struct board *next;
} board;

struct lc_verifier {
    lc_verify_options options;
    board *boards;
};

// Watches a universe being stepped: how long its passes are, and whether it is to stop.
typedef struct watch {
    const lc_verify_options *options;
    uint64_t last_generation;
    uint64_t longest_pass;
} watch;

static bool observe(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)done;
    (void)total;
    watch *w = context;
    uint64_t generation = lc_bench_generation(universe);
    if (generation - w->last_generation > w->longest_pass)
        w->longest_pass = generation - w->last_generation;
    w->last_generation = generation;
    return w->options->stop != NULL && w->options->stop(w->options->stop_context);
}

// Steps to `generation`. *longest_pass (may be NULL) is raised to the longest pass seen.
static lc_status step_to(const lc_verifier *verifier, lc_universe *universe, uint64_t generation,
                         bool one_by_one, uint64_t *longest_pass, lc_message *message)
{
    uint64_t now = lc_bench_generation(universe);
    watch w = {.options = &verifier->options, .last_generation = now};
    lc_status status = LC_OK;
    while (status == LC_OK && now < generation) {
        uint64_t count = one_by_one ? 1 : generation - now;
        status = lc_universe_step(universe, lc_count_of(count), observe, &w, message);
        now = lc_bench_generation(universe);
    }
    if (longest_pass != NULL && w.longest_pass > *longest_pass)
        *longest_pass = w.longest_pass;
    return status;
}

static bool same_path(const path *a, const path *b)
{
    return strcmp(a->engine, b->engine) == 0 && strcmp(a->cpu_level, b->cpu_level) == 0 &&
           a->one_by_one == b->one_by_one;
}

void lc_path_format(const char *engine, const char *cpu_level, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%s%s%s", engine, cpu_level[0] != '\0' ? "/" : "", cpu_level);
}

static void format_path(const path *p, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "%s%s%s%s", p->engine, p->cpu_level[0] != '\0' ? "/" : "",
             p->cpu_level, p->one_by_one ? ", one generation a pass" : "");
}

bool lc_same_topology(const lc_topology *a, const lc_topology *b)
{
    return a->kind == b->kind && a->width_cells == b->width_cells &&
           a->height_cells == b->height_cells && a->shift_x_cells == b->shift_x_cells &&
           a->shift_y_cells == b->shift_y_cells && a->twist_x == b->twist_x &&
           a->twist_y == b->twist_y;
}

lc_status lc_verifier_create(lc_verifier **out, const lc_verify_options *options)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return LC_ERROR_MEMORY;
    (*out)->options = *options;
    return LC_OK;
}

static void forget_windows(board *b)
{
    for (size_t i = 0; i < b->window_count; i++)
        lc_board_window_free(&b->windows[i]);
    b->window_count = 0;
}

static void free_board(board *b)
{
    for (size_t i = 0; i < b->oracle_count; i++)
        for (size_t j = 0; j < SNAPSHOTS; j++)
            lc_board_window_free(&b->oracles[i].snapshots[j]);
    forget_windows(b);
    free(b);
}

void lc_verifier_destroy(lc_verifier **verifier)
{
    if (*verifier == NULL)
        return;
    for (board *b = (*verifier)->boards; b != NULL;) {
        board *next = b->next;
        free_board(b);
        b = next;
    }
    free(*verifier);
    *verifier = NULL;
}

// The same work whatever the size, within bounds: small boards go through many whole passes, and
// none through less than one of 128 generations and a part of another.
static uint64_t whole_board_generations(int64_t cells, bool quick)
{
    const int64_t work = quick ? 1 << 26 : 1 << 29;
    const int64_t least = 200;
    const int64_t most = quick ? 400 : 2000;
    int64_t generations = work / cells;
    return (uint64_t)(generations < least ? least : generations > most ? most : generations);
}

// Whether the engine is the one of that name, whatever its settings are.
static bool is_called(const char *engine, const char *name)
{
    const size_t length = strcspn(engine, ":"); // behind it are settings
    return strncmp(name, engine, length) == 0 && name[length] == '\0';
}

bool lc_bench_is_guest(const char *engine)
{
    const char *own;
    for (size_t i = 0; (own = lc_engine_name(i)) != NULL; i++)
        if (is_called(engine, own))
            return false;
    return true;
}

// Whether the scalar engine steps all of such a board.
static bool is_whole(const lc_topology *topology)
{
    return topology->width_cells <= WHOLE_BOARD_CELLS / topology->height_cells;
}

uint64_t lc_verifier_generations(const lc_verifier *verifier,
                                 const lc_bench_configuration *configuration)
{
    const lc_topology *topology = &configuration->topology;
    const bool quick = verifier->options.quick;
    if (is_whole(topology))
        return whole_board_generations(topology->width_cells * topology->height_cells, quick);
    if (!quick || !lc_bench_is_guest(configuration->engine))
        return LARGE_BOARD_GENERATIONS;
    lc_engine_info info;
    return lc_engine_named(verifier->options.context, configuration->engine, &info) && info.on_gpu
               ? FEW_GENERATIONS_GPU
               : FEW_GENERATIONS_CPU;
}

// The board of a configuration; NULL if there is no memory.
static board *find_board(lc_verifier *verifier, const lc_bench_configuration *configuration)
{
    const lc_topology *topology = &configuration->topology;
    const uint64_t generations = lc_verifier_generations(verifier, configuration);
    for (board *b = verifier->boards; b != NULL; b = b->next)
        if (b->rule == configuration->rule && b->generations == generations &&
            lc_same_topology(&b->topology, topology))
            return b;
    board *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->rule = configuration->rule;
    b->topology = *topology;
    b->whole = is_whole(topology);
    b->generations = generations;
    b->next = verifier->boards;
    verifier->boards = b;
    return b;
}

lc_universe_options lc_bench_universe_options(const lc_bench_configuration *configuration,
                                              const lc_verify_options *verify)
{
    const char *level = configuration->cpu_level;
    return (lc_universe_options){
        .struct_bytes = sizeof(lc_universe_options),
        .rule = configuration->rule,
        .topology = configuration->topology,
        .engine = configuration->engine,
        .cpu_level = level != NULL && level[0] != '\0' ? level : NULL,
        .threads = configuration->threads,
        .max_memory_bytes = verify->max_memory_bytes,
        .audit_generations = verify->audit_generations,
        .every_generation = true,
        .context = verify->context,
    };
}

lc_status lc_bench_universe(lc_universe **out, const lc_bench_configuration *configuration,
                            const lc_verify_options *verify, lc_message *message)
{
    const lc_universe_options options = lc_bench_universe_options(configuration, verify);
    lc_status status = lc_universe_create(out, &options, message);
    if (status != LC_OK)
        return status;
    status = lc_universe_soup(*out, 0, 0, configuration->topology.width_cells,
                              configuration->topology.height_cells, LC_BENCH_DENSITY, verify->seed,
                              message);
    if (status != LC_OK)
        lc_universe_destroy(out);
    return status;
}

static lc_status make_by_path(lc_universe **out, const lc_verifier *verifier, const board *b,
                              const path *by, lc_message *message)
{
    lc_bench_configuration configuration = {.engine = by->engine,
                                            .cpu_level = by->cpu_level,
                                            .threads = 0,
                                            .rule = b->rule,
                                            .topology = b->topology};
    return lc_bench_universe(out, &configuration, &verifier->options, message);
}

// The fastest level of this machine that is not `other`; NULL if there is none.
static const char *best_level_but(const char *other)
{
    const char *best = NULL;
    int best_bits = 0;
    lc_cpu_level_info info;
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++) {
        if (!info.available || strcmp(info.name, other) == 0 || info.vector_bits <= best_bits)
            continue;
        best = info.name;
        best_bits = info.vector_bits;
    }
    return best;
}

// A path that has as little as possible in common with the one to be checked.
static path other_path(const lc_bench_configuration *configuration)
{
    bool simd = is_called(configuration->engine, "simd");
    const char *level = best_level_but(simd ? configuration->cpu_level : "");
    if (level == NULL)
        return (path){configuration->engine, configuration->cpu_level, true};
    return (path){"simd", level, false};
}

static path configured_path(const lc_bench_configuration *configuration)
{
    return (path){configuration->engine, configuration->cpu_level, false};
}

// Whole boards --------------------------------------------------------------------------------

static path oracle_path(const lc_bench_configuration *configuration)
{
    if (is_called(configuration->engine, "scalar"))
        return other_path(configuration);
    return (path){"scalar", "", false};
}

static const oracle *find_oracle(const board *b, const path *by)
{
    for (size_t i = 0; i < b->oracle_count; i++)
        if (same_path(&b->oracles[i].by, by))
            return &b->oracles[i];
    return NULL;
}

static uint64_t snapshot_generation(const board *b, size_t index)
{
    const uint64_t generations[SNAPSHOTS] = {0, 1, b->generations};
    return generations[index];
}

static lc_status take_snapshots(const lc_verifier *verifier, const board *b, oracle *o,
                                lc_universe *universe, lc_message *message)
{
    for (size_t i = 0; i < SNAPSHOTS; i++) {
        lc_status status =
            step_to(verifier, universe, snapshot_generation(b, i), o->by.one_by_one, NULL, message);
        if (status != LC_OK)
            return status;
        status = lc_board_window_take(&o->snapshots[i], universe, 0, 0, b->topology.width_cells,
                                      b->topology.height_cells);
        if (status != LC_OK)
            return lc_fail(message, status, "the board could not be read: %s",
                           lc_status_text(status));
    }
    return LC_OK;
}

static lc_status prepare_oracle(lc_verifier *verifier, board *b, path by, lc_message *message)
{
    if (find_oracle(b, &by) != NULL)
        return LC_OK;
    lc_universe *universe = NULL;
    lc_status status = make_by_path(&universe, verifier, b, &by, message);
    if (status != LC_OK)
        return status;
    oracle o = {.by = by};
    status = take_snapshots(verifier, b, &o, universe, message);
    lc_universe_destroy(&universe);
    if (status == LC_OK)
        b->oracles[b->oracle_count++] = o;
    else
        for (size_t i = 0; i < SNAPSHOTS; i++)
            lc_board_window_free(&o.snapshots[i]);
    return status;
}

static lc_status check_whole(const lc_verifier *verifier, const board *b, const oracle *o,
                             lc_universe *universe, lc_verification *verification,
                             lc_message *message)
{
    format_path(&o->by, verification->expected_path, sizeof verification->expected_path);
    snprintf(verification->method, sizeof verification->method,
             "whole board against %s after 0, 1 and %llu generations", verification->expected_path,
             (unsigned long long)b->generations);
    for (size_t i = 0; i < SNAPSHOTS; i++) {
        lc_status status = step_to(verifier, universe, snapshot_generation(b, i), false,
                                   &verification->longest_pass, message);
        if (status != LC_OK)
            return status;
        status = lc_board_window_compare(&o->snapshots[i], universe, &verification->difference);
        verification->located = status == LC_ERROR_MISMATCH;
        if (status != LC_OK)
            return lc_fail(message, status, "generation %llu: %s",
                           (unsigned long long)snapshot_generation(b, i),
                           status == LC_ERROR_MISMATCH ? "the boards differ"
                                                       : lc_status_text(status));
    }
    return LC_OK;
}

// Larger boards -------------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state) // splitmix64
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// From first to last, both included.
static int64_t random_between(uint64_t *state, int64_t first, int64_t last)
{
    if (last <= first)
        return first;
    return first + (int64_t)(next_random(state) % (uint64_t)(last - first + 1));
}

// Where a window stands along one axis: 0 at the low edge (on a torus: across it), 1 at the high
// edge, 2 anywhere.
static int64_t window_position(const board *b, int64_t size_cells, int64_t window, int where,
                               uint64_t *random)
{
    if (b->topology.kind == LC_TOPOLOGY_PLANE)
        return where == 0   ? 0
               : where == 1 ? size_cells - window
                            : random_between(random, 0, size_cells - window);
    if (lc_board_window_wraps(&b->topology))
        return where == 2 ? random_between(random, 0, size_cells - 1) : -(window / 2);
    // Twisted and shifted edges: as near as the light cone allows.
    int64_t halo = (int64_t)b->generations;
    int64_t last = size_cells - window - halo;
    return where == 0 ? halo : where == 1 ? last : random_between(random, halo, last);
}

// Computes all windows of a board, or none.
static lc_status foresee_windows(const lc_verifier *verifier, board *b, const lc_universe *universe,
                                 lc_message *message)
{
    // Corners, edges, then anywhere. The four corners of a torus are one place, and each pair of
    // its edges is one seam.
    static const int edged[][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}, {0, 2}, {1, 2}, {2, 0}, {2, 1}};
    static const int closed[][2] = {{0, 0}, {0, 2}, {2, 0}, {0, 2}, {2, 0}};
    static const int anywhere[2] = {2, 2};
    bool wraps = lc_board_window_wraps(&b->topology);
    const int(*places)[2] = wraps ? closed : edged;
    size_t place_count = wraps ? sizeof closed / sizeof closed[0] : sizeof edged / sizeof edged[0];

    int64_t width_cells = b->topology.width_cells;
    int64_t height_cells = b->topology.height_cells;
    int64_t width = width_cells < WINDOW_CELLS ? width_cells : WINDOW_CELLS;
    int64_t height = height_cells < WINDOW_CELLS ? height_cells : WINDOW_CELLS;
    uint64_t random = verifier->options.seed;
    size_t wanted = verifier->options.quick ? MAX_WINDOWS / 4 : MAX_WINDOWS;
    lc_status status = LC_OK;
    while (b->window_count < wanted && status == LC_OK) {
        if (verifier->options.stop != NULL &&
            verifier->options.stop(verifier->options.stop_context)) {
            status = lc_fail(message, LC_ERROR_STOPPED, "stopped on request");
            break;
        }
        const int *place = b->window_count < place_count ? places[b->window_count] : anywhere;
        int64_t x = window_position(b, width_cells, width, place[0], &random);
        int64_t y = window_position(b, height_cells, height, place[1], &random);
        status = lc_board_window_foresee(&b->windows[b->window_count], universe, x, y, width,
                                         height, b->generations, 0, message);
        if (status == LC_OK)
            b->window_count++;
    }
    if (status != LC_OK)
        forget_windows(b);
    return status;
}

static lc_status check_windows(const board *b, const lc_universe *universe,
                               lc_verification *verification, lc_message *message)
{
    for (size_t i = 0; i < b->window_count; i++) {
        const lc_board_window *window = &b->windows[i];
        lc_status status = lc_board_window_compare(window, universe, &verification->difference);
        if (status == LC_OK)
            continue;
        verification->located = status == LC_ERROR_MISMATCH;
        snprintf(verification->expected_path, sizeof verification->expected_path,
                 "scalar, a window's light cone");
        return lc_fail(message, status, "window %zu of %zu at (%lld, %lld): %s", i + 1,
                       b->window_count, (long long)window->x, (long long)window->y,
                       lc_status_text(status));
    }
    return LC_OK;
}

static lc_status step_large(const lc_verifier *verifier, const board *b, lc_universe *universe,
                            bool one_by_one, uint64_t *longest_pass, lc_message *message)
{
    lc_status status = step_to(verifier, universe, b->generations - PARTIAL_GENERATIONS, one_by_one,
                               longest_pass, message);
    if (status != LC_OK)
        return status;
    return step_to(verifier, universe, b->generations, one_by_one, longest_pass, message);
}

// The first witness that is not the path itself, but for the fallback of a machine with one level.
static const witness *find_witness(const board *b, const path *by)
{
    for (size_t i = 0; i < b->witness_count; i++)
        if (!same_path(&b->witnesses[i].by, by))
            return &b->witnesses[i];
    return NULL;
}

static void add_witness(board *b, const witness *w)
{
    for (size_t i = 0; i < b->witness_count; i++)
        if (same_path(&b->witnesses[i].by, &w->by))
            return;
    if (b->witness_count < MAX_WITNESSES)
        b->witnesses[b->witness_count++] = *w;
}

static lc_status find_hash(const lc_universe *universe, uint64_t *hash, lc_message *message)
{
    lc_facts facts;
    const lc_status status = lc_universe_facts(universe, LC_FACT_HASH, &facts, message);
    *hash = facts.hash;
    return status;
}

// Lets another path step the board, checks its windows and keeps its hashes.
static lc_status prepare_witness(lc_verifier *verifier, board *b, path by,
                                 lc_verification *verification, lc_message *message)
{
    lc_universe *universe = NULL;
    lc_status status = make_by_path(&universe, verifier, b, &by, message);
    if (status != LC_OK)
        return status;
    format_path(&by, verification->found_path, sizeof verification->found_path);
    witness w = {.by = by};
    status = find_hash(universe, &w.start_hash, message);
    if (status == LC_OK && b->window_count == 0)
        status = foresee_windows(verifier, b, universe, message);
    if (status == LC_OK)
        status = step_large(verifier, b, universe, by.one_by_one, NULL, message);
    if (status == LC_OK)
        status = check_windows(b, universe, verification, message);
    if (status == LC_OK)
        status = find_hash(universe, &w.end_hash, message);
    if (status == LC_OK)
        add_witness(b, &w);
    lc_universe_destroy(&universe);
    return status;
}

// Steps the witness's path again, to find the cell in which `universe` differs from it.
static void locate(const lc_verifier *verifier, const board *b, const witness *w,
                   const lc_universe *universe, lc_verification *verification)
{
    lc_universe *other = NULL;
    if (make_by_path(&other, verifier, b, &w->by, NULL) != LC_OK)
        return;
    lc_status status =
        step_to(verifier, other, lc_bench_generation(universe), w->by.one_by_one, NULL, NULL);
    // Some rows at a time, with a few that overlap so that the neighbourhood is whole.
    const int64_t strip = 64;
    int64_t height = b->topology.height_cells;
    for (int64_t y = 0; y < height && status == LC_OK; y += strip) {
        int64_t from = y < LC_NEIGHBOURHOOD_REACH ? 0 : y - LC_NEIGHBOURHOOD_REACH;
        int64_t end = y + strip + LC_NEIGHBOURHOOD_REACH;
        lc_board_window window;
        status = lc_board_window_take(&window, other, 0, from, b->topology.width_cells,
                                      (end < height ? end : height) - from);
        if (status == LC_OK)
            status = lc_board_window_compare(&window, universe, &verification->difference);
        lc_board_window_free(&window);
    }
    verification->located = status == LC_ERROR_MISMATCH;
    lc_universe_destroy(&other);
}

static lc_status compare_hash(const lc_verifier *verifier, const board *b, const witness *w,
                              uint64_t expected, const lc_universe *universe, uint64_t *hash,
                              lc_verification *verification, lc_message *message)
{
    const lc_status status = find_hash(universe, hash, message);
    if (status != LC_OK || *hash == expected)
        return status;
    format_path(&w->by, verification->expected_path, sizeof verification->expected_path);
    locate(verifier, b, w, universe, verification);
    return lc_fail(message, LC_ERROR_MISMATCH, "generation %llu: hash %016llx, but %016llx by %s",
                   (unsigned long long)lc_bench_generation(universe), (unsigned long long)*hash,
                   (unsigned long long)expected, verification->expected_path);
}

static lc_status check_large(const lc_verifier *verifier, board *b, const witness *other,
                             const path *by, lc_universe *universe, lc_verification *verification,
                             lc_message *message)
{
    witness own = {.by = *by};
    lc_status status = compare_hash(verifier, b, other, other->start_hash, universe,
                                    &own.start_hash, verification, message);
    if (status == LC_OK)
        status = step_large(verifier, b, universe, false, &verification->longest_pass, message);
    if (status == LC_OK)
        status = check_windows(b, universe, verification, message);
    if (status == LC_OK)
        status = compare_hash(verifier, b, other, other->end_hash, universe, &own.end_hash,
                              verification, message);
    if (status != LC_OK)
        return status;
    format_path(&other->by, verification->expected_path, sizeof verification->expected_path);
    snprintf(verification->method, sizeof verification->method,
             "%zu windows' light cones against scalar, whole board's hash against %s, after %llu "
             "generations",
             b->window_count, verification->expected_path, (unsigned long long)b->generations);
    add_witness(b, &own);
    return LC_OK;
}

lc_status lc_verifier_prepare(lc_verifier *verifier, const lc_bench_configuration *configuration,
                              lc_verification *verification, lc_message *message)
{
    *verification = (lc_verification){.generations = 0};
    const lc_topology *topology = &configuration->topology;
    if (topology->width_cells <= 0 || topology->height_cells <= 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "only universes that are bounded in both directions are timed");
    board *b = find_board(verifier, configuration);
    if (b == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for verification");
    if (b->whole)
        return prepare_oracle(verifier, b, oracle_path(configuration), message);
    int64_t least = WINDOW_CELLS + 2 * (int64_t)b->generations;
    if (topology->kind != LC_TOPOLOGY_PLANE && !lc_board_window_wraps(topology) &&
        (topology->width_cells < least || topology->height_cells < least))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a board of this shape with twisted or shifted edges can be verified "
                       "only if it has at most %d cells or both sides are at least %lld",
                       WHOLE_BOARD_CELLS, (long long)least);
    path by = configured_path(configuration);
    if (find_witness(b, &by) != NULL)
        return LC_OK;
    return prepare_witness(verifier, b, other_path(configuration), verification, message);
}

lc_status lc_verifier_check(lc_verifier *verifier, const lc_bench_configuration *configuration,
                            lc_universe *universe, lc_verification *verification,
                            lc_message *message)
{
    lc_status status = lc_verifier_prepare(verifier, configuration, verification, message);
    if (status != LC_OK)
        return status;
    board *b = find_board(verifier, configuration);
    path by = configured_path(configuration);
    format_path(&by, verification->found_path, sizeof verification->found_path);
    if (b->whole) {
        path reference = oracle_path(configuration);
        status =
            check_whole(verifier, b, find_oracle(b, &reference), universe, verification, message);
    } else {
        status =
            check_large(verifier, b, find_witness(b, &by), &by, universe, verification, message);
    }
    if (status == LC_OK)
        verification->generations = b->generations;
    return status;
}

int lc_verification_explain(const lc_verification *verification, uint64_t seed, char *text,
                            size_t text_bytes)
{
    if (!verification->located)
        return snprintf(text, text_bytes, "%s does not agree with %s (seed %llu)\n",
                        verification->found_path, verification->expected_path,
                        (unsigned long long)seed);
    const lc_difference *d = &verification->difference;
    char state[32];
    snprintf(state, sizeof state, "in state %d", d->expected_state);
    int length =
        snprintf(text, text_bytes,
                 "%s differs from %s first at cell (%lld, %lld), generation %llu, seed "
                 "%llu: it must be %s\n    must be    is\n",
                 verification->found_path, verification->expected_path, (long long)d->x,
                 (long long)d->y, (unsigned long long)d->generation, (unsigned long long)seed,
                 d->expected_state == 0   ? "dead"
                 : d->expected_state == 1 ? "alive"
                                          : state);
    for (size_t row = 0; row < LC_NEIGHBOURHOOD_SIDE; row++) {
        size_t used = (size_t)length < text_bytes ? (size_t)length : text_bytes;
        length += snprintf(text + used, text_bytes - used, "    %s  %s\n", d->expected[row],
                           d->found[row]);
    }
    return length;
}
