// The autotuner: times plans on the present GPU and stores the best one.
//
// It tries the guess of the model. It tries strips of each number of words with as many generations
// per pass as registers may hold, and for each the numbers of runs that fill the GPU in one wave,
// in two and so on. It tries tiles of some shapes, if the GPU holds all of them at a time. In
// place, each plan has the bands that the model chooses, and strips are also tried in lower ones.
// The settings stay as given. The kernels of each plan must pass the self-check before they are
// timed. All are timed on boards of the same random cells, one board at a time. Meanwhile the
// kernels of the next plan are compiled.
//
// A slab takes its halo from itself, by the same exchange as between slabs of one GPU.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "engine/cuda/cuda_plan_choice.h"
#include "engine/cuda/cuda_plan_store.h"
#include "engine/cuda/cuda_self_check.h"
#include "engine/cuda/cuda_slabs.h"
#include "engine/cuda/cuda_tune.h"
#include "grid/grid.h"

enum {
    PLANS_MAX = 48,
    RUNS_MAX = 8,    // numbers of runs for one plan
    SOUP_ROWS = 256, // different rows of the board
    SAMPLES = 3,     // the median counts
    PASSES_MAX = 1 << 20,
};

static const double sample_ns = 20e6; // at least
static const uint64_t soup_seed = 0x70E;

typedef struct tuning {
    const lc_engine_config *config;
    lc_cuda_settings settings;
    lc_device_facts facts;
    lc_gpu_tuned callback;
    void *callback_context;
    lc_device *device;
    lc_device_stream *stream;
    lc_device_event *start, *end;
    lc_cuda_board board; // device NULL: not created
    uint64_t *row;       // of the soup
    lc_cuda_plan best;
    double best_rate; // cells per second; 0: no usable plan yet
    lc_status failed; // error of the first plan that failed
    lc_message failure;
} tuning;

// Plans to try ---------------------------------------------------------------------------------

typedef struct plan_list {
    lc_cuda_plan plan[PLANS_MAX];
    size_t count;
} plan_list;

static bool same_but_for_runs(lc_cuda_plan a, lc_cuda_plan b)
{
    a.runs = b.runs = 0;
    return memcmp(&a, &b, sizeof a) == 0;
}

// Adds a plan, changed by the settings, with its bands if it is stepped in place. Returns false if
// the settings exclude it, or if the list has it or is full.
static bool add_plan(plan_list *list, const tuning *t, lc_cuda_plan plan)
{
    const lc_engine_config *c = t->config;
    const lc_cuda_where where = {NULL, &t->facts, c->rule};
    bool known = lc_cuda_plan_parse(&plan, t->settings.plan, NULL) != LC_OK ||
                 lc_cuda_bands_choose(&plan, &t->settings, &where, &c->frame, &c->topology,
                                      c->room_bytes, NULL) != LC_OK;
    for (size_t i = 0; i < list->count && !known; i++)
        known = same_but_for_runs(list->plan[i], plan);
    if (known || list->count == PLANS_MAX)
        return false;
    list->plan[list->count++] = plan;
    return true;
}

static void add_strips(plan_list *list, const tuning *t, int words, int generations)
{
    if (!add_plan(list, t, lc_cuda_plan_of_strips(words, generations)))
        return;
    lc_cuda_plan lower = list->plan[list->count - 1];
    lower.band_rows /= 2;
    if (lower.band_rows > 0)
        (void)add_plan(list, t, lower);
}

// Lists the plans to try. LC_ERROR_LIMIT (the board is too large for any plan); LC_ERROR_ARGUMENT
// (no plan agrees with the settings).
static lc_status list_plans(plan_list *list, const tuning *t, lc_message *message)
{
    static const struct {
        int words, generations;
    } strips[] = {{4, 6}, {4, 7}, {4, 8}, {4, 9}, {2, 8}, {2, 10}, {2, 12}, {1, 8}, {1, 12}};
    static const int tile_warps[] = {4, 8, 12, 16}, tile_depths[] = {8, 12, 16};
    const lc_frame *frame = &t->config->frame;
    lc_cuda_plan first;
    const lc_status status =
        lc_cuda_plan_choose(&first, &t->settings, NULL, &t->facts, frame, t->config->rule, message);
    list->count = 0;
    if (status != LC_OK)
        return status;
    (void)add_plan(list, t, first);
    for (size_t i = 0; i < sizeof strips / sizeof *strips; i++)
        add_strips(list, t, strips[i].words, strips[i].generations);
    for (size_t w = 0; w < sizeof tile_warps / sizeof *tile_warps; w++)
        for (size_t d = 0; d < sizeof tile_depths / sizeof *tile_depths; d++) {
            lc_cuda_plan tiles;
            if (lc_cuda_plan_of_tiles(&tiles, &t->facts, frame, tile_warps[w], tile_depths[d]))
                (void)add_plan(list, t, tiles);
        }
    return list->count > 0 ? LC_OK
                           : lc_fail(message, LC_ERROR_ARGUMENT,
                                     "no plan for this board agrees with the settings");
}

static lc_cuda_bands bands_of(const tuning *t, const lc_cuda_plan *plan)
{
    return plan->band_rows > 0 ? lc_cuda_bands_of(t->config->frame.height_cells, plan->band_rows)
                               : (lc_cuda_bands){0};
}

// Lists numbers of runs for strips if the GPU holds `warps` warps of them. The model's choice comes
// first. In place they are the runs of a band.
static size_t list_runs(uint32_t runs[RUNS_MAX], const lc_cuda_plan *plan, const tuning *t,
                        int64_t warps)
{
    static const int waves[] = {1, 2, 3, 4, 6};
    lc_frame cut = t->config->frame;
    size_t count = 1;
    runs[0] = plan->runs;
    if (strstr(t->settings.plan, "runs=") != NULL)
        return count;
    const lc_cuda_bands bands = bands_of(t, plan);
    if (bands.count > 0)
        cut.height_cells = (cut.height_cells - 1) / bands.count + 1;
    runs[0] = lc_cuda_plan_runs(&cut, plan->words, plan->generations, warps);
    for (size_t i = 0; i < sizeof waves / sizeof *waves; i++) {
        const uint32_t more = lc_cuda_plan_runs_of_waves(&cut, plan->words, waves[i], warps);
        size_t same = 0;
        while (same < count && runs[same] != more)
            same++;
        if (same == count)
            runs[count++] = more;
    }
    return count;
}

// The board ------------------------------------------------------------------------------------

static lc_status exchange_with_itself(void *context, lc_cuda_board *board, int depth_cells,
                                      lc_message *message)
{
    (void)context;
    return lc_cuda_slabs_exchange(&board, 1, true, depth_cells, message);
}

static lc_status leave_halo(void *context, lc_cuda_board *board, int depth_cells,
                            lc_message *message)
{
    (void)context;
    (void)board;
    (void)depth_cells;
    (void)message;
    return LC_OK;
}

// Returns the filler of the halo: the topology, the slab itself, or none if the host would write
// it.
static lc_cuda_filler filler_of(const lc_engine_config *config)
{
    if (config->frame.is_slab)
        return (lc_cuda_filler){exchange_with_itself, NULL};
    return config->topology.height_cells == config->frame.height_cells
               ? lc_cuda_board_filler(&config->topology)
               : (lc_cuda_filler){leave_halo, NULL};
}

// Creates the board for such a plan, and destroys the previous one.
static lc_status need_board(tuning *t, const lc_cuda_plan *plan, lc_message *message)
{
    lc_cuda_board *b = &t->board;
    if (b->device != NULL && b->words == plan->words && b->bands.count == bands_of(t, plan).count)
        return LC_OK;
    lc_cuda_board_destroy(b);
    const lc_status status = lc_cuda_board_create(b, t->device, t->stream, &t->config->frame,
                                                  plan->words, plan->band_rows, message);
    b->filler = filler_of(t->config);
    return status;
}

// Fills the board with random cells, because a GPU's speed also depends on the power that its bits
// draw. The host writes some rows, and the GPU copies them down the board.
static lc_status sow(tuning *t, lc_message *message)
{
    lc_cuda_board *b = &t->board;
    const int64_t width = b->frame.width_cells, height = b->frame.height_cells;
    const int64_t rows = height < SOUP_ROWS ? height : SOUP_ROWS;
    const uint64_t pitch_bytes = lc_cuda_board_row_bytes(b);
    lc_status status = LC_OK;
    for (int64_t y = 0; y < rows && status == LC_OK; y++) {
        lc_soup_row(soup_seed, 1 << 15, 0, y, t->row, (size_t)(width + 63) / 64);
        status = lc_cuda_board_write_row(b, 0, y, width, t->row, message);
    }
    if (status == LC_OK)
        status = lc_cuda_board_prepare(b, message);
    for (int64_t done = rows, more; done < height && status == LC_OK; done += more) {
        more = done < height - done ? done : height - done;
        status =
            lc_device_copy(t->device, lc_cuda_board_row_at(b, done), lc_cuda_board_row_at(b, 0),
                           (size_t)more * pitch_bytes, t->stream, message);
    }
    return status;
}

// Timing ---------------------------------------------------------------------------------------

static lc_status time_passes(tuning *t, lc_cuda_stepper *stepper, uint64_t generations,
                             double *elapsed_ns, lc_message *message)
{
    lc_status status = lc_device_event_record(t->device, t->start, t->stream, message);
    if (status == LC_OK)
        status = lc_cuda_stepper_run(stepper, &t->board, generations, message);
    if (status == LC_OK)
        status = lc_device_event_record(t->device, t->end, t->stream, message);
    return status != LC_OK
               ? status
               : lc_device_event_elapsed(t->device, t->start, t->end, elapsed_ns, message);
}

static int compare_times(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

static lc_status measure(tuning *t, lc_cuda_stepper *stepper, double *cells_per_second,
                         lc_message *message)
{
    const lc_cuda_plan *plan = lc_cuda_stepper_plan(stepper);
    const uint64_t pass = (uint64_t)(plan->generations > 0 ? plan->generations : plan->depth);
    double elapsed_ns[SAMPLES] = {0};
    uint64_t passes = 2;
    lc_status status = time_passes(t, stepper, passes * pass, elapsed_ns, message); // warms up
    if (status == LC_OK)
        status = time_passes(t, stepper, passes * pass, elapsed_ns, message);
    while (status == LC_OK && elapsed_ns[0] < sample_ns && passes < PASSES_MAX) {
        const double factor = elapsed_ns[0] > 0 ? 1.1 * sample_ns / elapsed_ns[0] : 64;
        passes = (uint64_t)((double)passes * (factor < 64 ? factor : 64)) + 1;
        status = time_passes(t, stepper, passes * pass, elapsed_ns, message);
    }
    for (size_t i = 1; i < SAMPLES && status == LC_OK; i++)
        status = time_passes(t, stepper, passes * pass, &elapsed_ns[i], message);
    qsort(elapsed_ns, SAMPLES, sizeof *elapsed_ns, compare_times);
    const lc_frame *frame = &t->config->frame;
    *cells_per_second = (double)frame->width_cells * (double)frame->height_cells *
                        (double)(passes * pass) / (elapsed_ns[SAMPLES / 2] * 1e-9);
    return status;
}

// Trying plans ---------------------------------------------------------------------------------

static lc_status report(const tuning *t, const lc_cuda_plan *plan, lc_gpu_trial trial,
                        lc_message *message)
{
    static const char in_place[] = "in-place=yes,";
    char text[LC_CUDA_PLAN_TEXT_BYTES + sizeof in_place];
    strcpy(text, plan->band_rows > 0 ? in_place : "");
    lc_cuda_plan_format(plan, text + strlen(text));
    trial.plan = text;
    trial.slab_count = 1;
    trial.rows = t->config->frame.height_cells;
    if (t->callback != NULL && t->callback(t->callback_context, &trial))
        return lc_fail(message, LC_ERROR_STOPPED, "stopped on request");
    return LC_OK;
}

// Skips a plan that cannot be used. Returns an error only if the GPU is lost or the caller stops.
static lc_status pass_over(tuning *t, const lc_cuda_plan *plan, lc_status status,
                           const lc_message *why, lc_message *message)
{
    if (t->failed == LC_OK) {
        t->failed = status;
        t->failure = *why;
    }
    if (!lc_device_is_lost(t->device))
        return report(t, plan, (lc_gpu_trial){.problem = why->text}, message);
    return lc_fail_again(message, status, why);
}

static lc_status try_runs(tuning *t, lc_cuda_stepper *stepper, uint32_t runs, lc_message *message)
{
    lc_message why;
    double rate;
    lc_cuda_stepper_set_runs(stepper, runs);
    const lc_cuda_plan *plan = lc_cuda_stepper_plan(stepper);
    const lc_status status = measure(t, stepper, &rate, &why);
    if (status != LC_OK)
        return pass_over(t, plan, status, &why, message);
    const bool best = rate > t->best_rate;
    if (best) {
        t->best = *plan;
        t->best_rate = rate;
    }
    return report(t, plan, (lc_gpu_trial){.cells_per_second = rate, .problem = "", .best = best},
                  message);
}

static lc_status try_plan(tuning *t, lc_cuda_stepper *stepper, lc_message *message)
{
    const lc_cuda_plan plan = *lc_cuda_stepper_plan(stepper);
    uint32_t runs[RUNS_MAX] = {0};
    size_t count = 1;
    int64_t warps;
    lc_message why;
    lc_status status = need_board(t, &plan, message);
    if (status != LC_OK)
        return status;
    status = lc_cuda_self_check(stepper, &t->board, t->config->rule, t->config->pool, &why);
    if (status == LC_OK)
        status = lc_cuda_stepper_warps(stepper, &warps, &why);
    if (status == LC_OK)
        status = sow(t, &why);
    if (status != LC_OK)
        return pass_over(t, &plan, status, &why, message);
    if (plan.generations > 0)
        count = list_runs(runs, &plan, t, warps);
    for (size_t i = 0; i < count && status == LC_OK; i++)
        status = try_runs(t, stepper, runs[i], message);
    return status;
}

static lc_status begin(const tuning *t, lc_cuda_stepper **stepper, const lc_cuda_plan *plan,
                       lc_message *message)
{
    const lc_engine_config *c = t->config;
    return lc_cuda_stepper_create(stepper, t->device, t->stream, &c->frame, c->rule,
                                  lc_context_cache(c->context), plan, message);
}

static lc_status try_plans(tuning *t, lc_message *message)
{
    plan_list list;
    lc_cuda_stepper *now, *next = NULL;
    lc_status status = list_plans(&list, t, message);
    if (status == LC_OK)
        status = begin(t, &next, &list.plan[0], message);
    for (size_t i = 0; i < list.count && status == LC_OK; i++) {
        now = next;
        next = NULL;
        if (i + 1 < list.count) // compiled while the present plan is timed
            status = begin(t, &next, &list.plan[i + 1], message);
        if (status == LC_OK)
            status = try_plan(t, now, message);
        lc_cuda_stepper_destroy(&now);
    }
    lc_cuda_stepper_destroy(&next);
    return status == LC_OK && t->best_rate == 0 ? lc_fail_again(message, t->failed, &t->failure)
                                                : status;
}

// Stores the best plan and reports it.
static void keep_best(const tuning *t)
{
    const char *folder = lc_context_cache_folder(t->config->context);
    const bool kept = lc_cuda_stored_plan_write(&t->best, t->config->context, &t->facts,
                                                &t->config->frame, t->config->rule);
    const lc_gpu_trial trial = {.cells_per_second = t->best_rate,
                                .problem = "",
                                .best = true,
                                .kept_in = kept ? folder : ""};
    (void)report(t, &t->best, trial, NULL);
}

// Tuning -----------------------------------------------------------------------------------------

static lc_status open_tuning(tuning *t, lc_message *message)
{
    const lc_engine_config *c = t->config;
    lc_status status = lc_cuda_settings_parse(&t->settings, c->settings, message);
    if (status == LC_OK)
        status = lc_cuda_gpu_choose(&t->facts, c->context, &t->settings, message);
    if (status == LC_OK)
        status = lc_device_open(&t->device, c->context, t->facts.index, message);
    if (status == LC_OK)
        status = lc_device_stream_create(t->device, &t->stream, message);
    if (status == LC_OK)
        status = lc_device_event_create(t->device, &t->start, message);
    if (status == LC_OK)
        status = lc_device_event_create(t->device, &t->end, message);
    if (status != LC_OK)
        return status;
    t->row = lc_calloc((size_t)(c->frame.width_cells + 63) / 64, sizeof *t->row);
    return t->row != NULL ? LC_OK : lc_fail_memory(message, "a row of cells");
}

static void close_tuning(tuning *t)
{
    lc_free(t->row);
    if (t->device == NULL)
        return;
    lc_cuda_board_destroy(&t->board);
    lc_device_event_destroy(t->device, &t->end);
    lc_device_event_destroy(t->device, &t->start);
    lc_device_stream_destroy(t->device, &t->stream);
    lc_device_close(&t->device);
}

lc_status lc_cuda_tune(const lc_engine_config *config, lc_gpu_tuned callback,
                       void *callback_context, lc_message *message)
{
    tuning t = {.config = config, .callback = callback, .callback_context = callback_context};
    lc_status status = open_tuning(&t, message);
    if (status == LC_OK)
        status = try_plans(&t, message);
    if (status == LC_OK)
        keep_best(&t);
    close_tuning(&t);
    return status;
}

lc_status lc_gpu_tune(lc_context *context, const lc_rule *rule, const lc_topology *topology,
                      lc_gpu_tuned callback, void *callback_context, lc_message *message)
{
    lc_engine_config config = {.engine = &lc_engine_cuda, .rule = rule, .topology = *topology};
    lc_context *held;
    lc_status status = lc_topology_check(topology, message);
    if (status == LC_OK && (topology->width_cells == 0 || topology->height_cells == 0))
        status = lc_fail(message, LC_ERROR_ARGUMENT,
                         "only boards that are bounded in both directions can be tuned for");
    if (status == LC_OK)
        status = lc_context_hold(&held, context, message);
    if (status != LC_OK)
        return status;
    config.frame = lc_frame_of(topology);
    config.context = held;
    config.pool = held->pool;
    config.threads = lc_context_threads(held);
    status = lc_cuda_tune(&config, callback, callback_context, message);
    lc_context_destroy(&held);
    return status;
}
