// Adapts engines that a program adds (lightcone/engine.h) to the engine interface.
//
// A guest reads and writes whole rows, many at a time, because that is fast on a GPU. The universe
// accesses parts of single rows. Between them is a window: a copy of `count` rows of the board,
// from row `first` on. It is read when one of these rows is needed, and written back before another
// window is read and before a step.
#include <string.h>

#include "base/area.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/engine_interface.h"
#include "engine/guest/guest.h"
#include "engine/time_slice.h"
#include "grid/cell_hash.h"
#include "grid/facts.h"
#include "kernels/hash.h"

enum { WINDOW_BYTES = 8 << 20 };

typedef struct guest {
    lc_engine base;
    const lc_guest_engine *by;
    lc_guest_board board;
    void *state;
    lc_context *context;
    int64_t width, height;
    size_t pitch_words; // of a row in the window
    uint64_t *rows;
    size_t rows_bytes;
    int64_t rows_at_most;
    int64_t first, count; // of the window; count 0: empty
    bool changed;         // the window has cells that the guest has not received
    int64_t blank_from;   // rows from here on were never written or stepped
    uint64_t slice;       // generations of one call of step
    uint64_t stepped;     // generations so far
    bool is_open;         // the board has an open edge
    lc_filler filler;
    double stepping_ns;
} guest;

// Creation ---------------------------------------------------------------------------------------

static void run_on_pool(void *pool, size_t count, void (*task)(void *, size_t, int), void *context)
{
    lc_pool_run(pool, count, task, context);
}

static lc_guest_board board_of(const lc_engine_config *config)
{
    return (lc_guest_board){
        .rule = config->rule,
        .topology = config->topology,
        .settings = config->settings != NULL ? config->settings : "",
        .threads = config->threads,
        .run = run_on_pool,
        .pool = config->pool,
        .left = config->frame.left,
        .right = config->frame.right,
        .top = config->frame.top,
        .bottom = config->frame.bottom,
    };
}

static bool available(const lc_engine_vtable *self, lc_context *context, const char **reason)
{
    (void)context;
    return self->guest->available(self->guest->context, reason);
}

static uint64_t memory_limit_bytes(const lc_engine_config *config)
{
    const lc_guest_engine *by = config->engine->guest;
    if (by->memory_limit_bytes != NULL)
        return by->memory_limit_bytes(by->context);
    return lc_memory_of_machine() / 2;
}

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    const lc_guest_engine *by = config->engine->guest;
    const lc_guest_board board = board_of(config);
    *memory_bytes = 0;
    const lc_status status = by->check(by->context, &board, memory_bytes, message);
    if (status == LC_OK && *memory_bytes > PTRDIFF_MAX)
        *memory_bytes = UINT64_MAX;
    return status;
}

static void destroy(lc_engine *engine)
{
    guest *g = (guest *)engine;
    if (g == NULL)
        return;
    if (g->state != NULL)
        g->by->destroy(g->state);
    if (g->rows != NULL)
        lc_context_free(g->context, g->rows, g->rows_bytes);
    lc_free(g);
}

static lc_status lay_out_window(guest *g, lc_message *message)
{
    g->pitch_words = (size_t)((g->width + 63) / 64);
    g->rows_at_most = WINDOW_BYTES / ((int64_t)g->pitch_words * 8);
    if (g->rows_at_most > g->height)
        g->rows_at_most = g->height;
    if (g->rows_at_most < 1)
        g->rows_at_most = 1;
    g->rows_bytes = (size_t)g->rows_at_most * g->pitch_words * 8;
    g->rows = lc_context_alloc(g->context, g->rows_bytes);
    return g->rows != NULL ? LC_OK
                           : lc_fail_memory(message, "a window of %zu bytes", g->rows_bytes);
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    *out = NULL;
    const lc_guest_engine *by = config->engine->guest;
    uint64_t size_bytes;
    if (config->cpu_level != NULL && strcmp(config->cpu_level, "auto") != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the engine \"%s\" has no CPU levels, so not \"%s\" either", by->name,
                       config->cpu_level);
    guest *g = lc_calloc(1, sizeof *g);
    if (g == NULL)
        return lc_fail_memory(message, "an engine");
    g->base.vtable = config->engine;
    g->by = by;
    g->context = config->context;
    g->board = board_of(config);
    g->width = config->topology.width_cells;
    g->height = config->topology.height_cells;
    g->slice = 1;
    g->is_open = by->takes_edges && lc_frame_is_open(&config->frame);
    g->filler = config->filler;
    lc_status status = by->check(by->context, &g->board, &size_bytes, message);
    if (status == LC_OK)
        status = lay_out_window(g, message);
    if (status == LC_OK)
        status = by->create(&g->state, by->context, &g->board, message);
    g->board.settings = NULL;
    if (status != LC_OK) {
        destroy(&g->base);
        return status;
    }
    *out = &g->base;
    return LC_OK;
}

// The window -------------------------------------------------------------------------------------

static lc_cells window_of(const guest *g)
{
    return (lc_cells){.y = g->first,
                      .width_cells = g->width,
                      .height_cells = g->count,
                      .planes = 1,
                      .words = g->rows,
                      .pitch_words = g->pitch_words};
}

static lc_status give_back(guest *g)
{
    const lc_cells window = window_of(g);
    lc_message why = {0};
    if (!g->changed)
        return g->base.failed;
    g->changed = false;
    if (g->first + g->count > g->blank_from)
        g->blank_from = g->first + g->count;
    return lc_engine_end(&g->base, g->by->write_rows(g->state, &window, &why), &why);
}

// Returns row y in the window, and reads the window if necessary. NULL: that failed.
static uint64_t *find_row(guest *g, int64_t y)
{
    lc_message why = {0};
    if (g->base.failed != LC_OK)
        return NULL;
    if (g->count == 0 || y < g->first || y >= g->first + g->count) {
        if (give_back(g) != LC_OK)
            return NULL;
        g->first = y / g->rows_at_most * g->rows_at_most;
        g->count = g->rows_at_most < g->height - g->first ? g->rows_at_most : g->height - g->first;
        const lc_cells window = window_of(g);
        if (g->first >= g->blank_from)
            memset(g->rows, 0, (size_t)g->count * g->pitch_words * 8);
        else if (lc_engine_end(&g->base, g->by->read_rows(g->state, &window, &why), &why) != LC_OK)
            return NULL;
    }
    return g->rows + (size_t)(y - g->first) * g->pitch_words;
}

static lc_status read_cells(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    guest *g = (guest *)engine;
    const size_t count = (size_t)(to->width_cells + 63) / 64;
    for (int64_t j = 0; j < to->height_cells && count > 0; j++) {
        const uint64_t *row = find_row(g, to->y + j);
        if (row == NULL)
            break;
        uint64_t *words = lc_cells_row(to, j);
        memcpy(words, row + to->x / 64, count * sizeof *words);
        words[count - 1] &= lc_last_mask(to->width_cells);
    }
    return lc_engine_failure(engine, message);
}

static lc_status write_cells(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    guest *g = (guest *)engine;
    const lc_frame block = {.width_cells = g->width, .height_cells = g->height};
    lc_message why = {0};
    if (lc_is_halo(&block, from)) {
        if (g->base.failed == LC_OK)
            lc_engine_end(&g->base, g->by->write_halo(g->state, from, &why), &why);
        return lc_engine_failure(engine, message);
    }
    const size_t count = (size_t)(from->width_cells + 63) / 64;
    const uint64_t mask = lc_last_mask(from->width_cells);
    for (int64_t j = 0; j < from->height_cells && count > 0; j++) {
        uint64_t *row = find_row(g, from->y + j);
        if (row == NULL)
            break;
        const uint64_t *words = lc_cells_row(from, j);
        row += from->x / 64;
        memcpy(row, words, (count - 1) * sizeof *words);
        row[count - 1] = (row[count - 1] & ~mask) | (words[count - 1] & mask);
        g->changed = true;
    }
    return lc_engine_failure(engine, message);
}

// Stepping ---------------------------------------------------------------------------------------

// Slices have 1, 2, 4, 8, 24, 48 ... generations. From 24 on they are whole launches for guests
// with 2, 3, 4, 6, 8 or 12 generations a launch, and soon for those with 16 or 32.
static uint64_t rounded_slice(uint64_t slice)
{
    return slice == 16 ? 24 : slice;
}

// Only a rule with B0 on a plane needs this. Guests cannot change their rule, so this ends the
// engine; for an alternating pair it returns false.
static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    guest *g = (guest *)engine;
    lc_message why = {0};
    (void)rule;
    if (then != NULL)
        return false;
    lc_fail(&why, LC_ERROR_UNSUPPORTED,
            "the engine \"%s\" cannot change its rule between "
            "generations, as a rule with B0 wants on a plane",
            g->by->name);
    lc_engine_end(&g->base, LC_ERROR_UNSUPPORTED, &why);
    return true;
}

// Fills the halo for that many generations.
static lc_status fill(guest *g, uint64_t generations)
{
    lc_message why = {0};
    const int64_t depth = lc_rule_halo_cells(g->board.rule, generations);
    return lc_engine_end(&g->base, g->filler.call(g->filler.context, &g->base, depth, &why), &why);
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    guest *g = (guest *)engine;
    lc_message why = {0};
    *done = 0;
    if (g->base.failed == LC_OK && give_back(g) == LC_OK) {
        const bool whole = generations >= g->slice;
        const uint64_t count = whole ? g->slice : generations;
        const uint64_t begin_ns = lc_clock_ns();
        double stepping_ns = 0;
        g->blank_from = g->height;
        for (uint64_t now; *done < count && g->base.failed == LC_OK; *done += now) {
            now = g->is_open ? lc_least_u64(count - *done, g->by->halo_generations) : count;
            if (g->is_open && fill(g, now) != LC_OK)
                break;
            g->count = 0;
            lc_engine_end(&g->base, g->by->step(g->state, now, &stepping_ns, &why), &why);
        }
        if (g->base.failed == LC_OK) {
            g->stepped += count;
            g->stepping_ns += stepping_ns;
        }
        g->slice =
            rounded_slice(lc_slice_after(g->slice, 1, whole, lc_clock_ns() - begin_ns, NULL));
    }
    return lc_engine_failure(engine, message);
}

// Facts ------------------------------------------------------------------------------------------

// Adds row y to the facts. `weight` is the hash weight of its first cell.
static void add_row(lc_facts *facts, uint64_t *population, const uint64_t *row, size_t words,
                    int64_t y, uint64_t weight)
{
    size_t first = 0, last = words;
    while (first < last && row[first] == 0)
        first++;
    if (first == last)
        return;
    while (row[last - 1] == 0)
        last--;
    for (size_t i = first; i < last; i++)
        *population += (uint64_t)__builtin_popcountll(row[i]);
    const int64_t from = (int64_t)first * 64 + __builtin_ctzll(row[first]);
    const int64_t to = (int64_t)last * 64 - __builtin_clzll(row[last - 1]);
    facts->box = lc_box_union(
        facts->box, (lc_box){.x = from, .y = y, .width_cells = to - from, .height_cells = 1});
    const uint64_t hash = lc_hash_times(lc_hash_words(row, last, 0), weight);
    facts->hash = lc_hash_joined(facts->hash, lc_hash_canonical(hash));
}

static lc_status facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    guest *g = (guest *)engine;
    const uint64_t *row;
    uint64_t population = 0, weight = 1;
    *facts = (lc_facts){.box = {.empty = true}};
    if (which == LC_FACT_POPULATION && g->by->population != NULL && give_back(g) == LC_OK &&
        g->by->population(g->state, &population)) {
        facts->population = lc_count_of(population);
        return LC_OK;
    }
    population = 0;
    for (int64_t y = 0; y < g->height && (row = find_row(g, y)) != NULL; y++) {
        add_row(facts, &population, row, g->pitch_words, y, weight);
        weight = lc_hash_times(weight, LC_HASH_ROW);
    }
    facts->population = lc_count_of(population);
    if (g->base.failed != LC_OK)
        *facts = (lc_facts){.box = {.empty = true}};
    return lc_engine_failure(engine, message);
}

static void report(const lc_engine *engine, lc_engine_report *report)
{
    const guest *g = (const guest *)engine;
    report->plan = g->by->settings(g->state);
    report->stepping_ns = g->stepping_ns;
    g->by->facts(g->state, &report->step);
    report->traffic_bytes = (uint64_t)(report->step.bytes_per_cell * (double)g->width *
                                       (double)g->height * (double)g->stepped);
}

static const lc_choice_ops choice = {
    .auto_cells = UINT64_MAX,
    .available = available,
    .memory_limit_bytes = memory_limit_bytes,
};

lc_engine_vtable lc_guest_vtable(const lc_guest_engine *engine)
{
    return (lc_engine_vtable){
        .name = engine->name,
        .summary = engine->summary,
        .guest = engine,
        .traits = {.families = engine->families != 0 ? engine->families
                                                     : LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC),
                   .states_max = 2,
                   .planes_max = 1,
                   .reach_max = 1,
                   .takes_halo = engine->takes_edges,
                   .on_gpu = engine->on_gpu,
                   .has_settings = true},
        .check = check,
        .create = create,
        .destroy = destroy,
        .set_rule = set_rule,
        .read = read_cells,
        .write = write_cells,
        .step = step,
        .facts = facts,
        .report = report,
        .choice = &choice,
    };
}
