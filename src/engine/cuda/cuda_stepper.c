// Steps boards with two kernels. `strip` makes the whole passes of the plan's strips. `tile` steps
// boards without strips, and the generations that strips leave over.
#include "engine/cuda/cuda_stepper.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "logic/network.h"

enum {
    LANES = 32,
    OPTIONS_MAX = 8,
    OPTION_BYTES = 40,
};

// A kernel. Compiling starts with the stepper, and the first use waits for it.
typedef struct program {
    char option_text[OPTIONS_MAX][OPTION_BYTES];
    const char *options[OPTIONS_MAX];
    lc_kernel_source source;
    lc_module_work *work; // NULL: ended
    lc_module *module;    // NULL: not yet
    lc_kernel kernel;
    int warps;  // of a block
    int blocks; // that the GPU holds at a time
} program;

struct lc_cuda_stepper {
    lc_device *device;
    lc_device_stream *stream;
    lc_cuda_plan plan;
    int reach_cells;     // of a generation
    bool drifts, fences; // as the kernels are compiled
    bool is_slab;        // of the board: its filler or the exchange fills its halo rows
    int fence_word;
    char rule_text[LC_NETWORKS_TEXT_BYTES];
    lc_kernel_text *texts; // of kernels/, and of the rule as "rule.h"
    program strip, tile;
    lc_device_address arrived; // counts the blocks of a tile kernel that have finished a pass
};

// Programs -------------------------------------------------------------------------------------

static void add_option(program *p, const char *name, int value)
{
    char *text = p->option_text[p->source.option_count];
    (void)snprintf(text, OPTION_BYTES, "-D%s=%d", name, value);
    p->options[p->source.option_count++] = text;
}

// Starts compiling. The program must not move until compiling ends.
static lc_status begin(lc_cuda_stepper *s, program *p, const char *file, int warps,
                       const char *size_name, int size, lc_message *message)
{
    p->warps = warps;
    p->source = (lc_kernel_source){.name = file, .texts = s->texts, .options = p->options};
    add_option(p, "LC_K", s->plan.words);
    add_option(p, "LC_WARPS", warps);
    add_option(p, "LC_DRIFTING", s->drifts);
    add_option(p, "LC_FENCED", s->fences);
    add_option(p, "LC_SLAB", s->is_slab || s->plan.band_rows > 0);
    if (s->fences)
        add_option(p, "LC_FENCE_WORD", s->fence_word);
    add_option(p, size_name, size);
    return lc_module_begin(&p->work, s->device, &p->source, message);
}

static lc_status need(const lc_cuda_stepper *s, program *p, const char *kernel, lc_message *message)
{
    if (p->kernel.function != NULL)
        return LC_OK;
    int blocks = 0;
    lc_status status = lc_module_end(&p->module, &p->work, message);
    if (status == LC_OK)
        status = lc_kernel_find(&p->kernel, p->module, kernel, message);
    if (status == LC_OK)
        status = lc_kernel_occupancy(&p->kernel, p->warps * LANES, 0, &blocks, message);
    if (status == LC_OK && blocks < 1)
        status = lc_fail(message, LC_ERROR_DEVICE, "the GPU has no room for a block of kernel %s",
                         kernel);
    p->blocks = blocks * lc_device_facts_of(s->device)->multiprocessors;
    return status;
}

static void end(program *p)
{
    (void)lc_module_end(NULL, &p->work, NULL);
    lc_module_destroy(&p->module);
}

// Creation -------------------------------------------------------------------------------------

lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_frame *frame, const lc_rule *rule, lc_cache *cache,
                                 const lc_cuda_plan *plan, lc_message *message)
{
    *out = NULL;
    lc_status status = lc_cuda_plan_check(plan, frame, message);
    if (status != LC_OK)
        return status;
    lc_cuda_stepper *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "a stepper");
    s->device = device;
    s->stream = stream;
    s->plan = *plan;
    s->reach_cells = (int)lc_rule_halo_cells(rule, 1);
    s->drifts = lc_cuda_plan_drifts(frame, plan->words);
    s->fences = lc_cuda_plan_fences(frame);
    s->is_slab = frame->is_slab;
    s->fence_word = (int)(frame->width_cells % plan->words);
    lc_counts counts = {0};
    (void)lc_rule_counts(rule, &counts); // the engine steps outer-totalistic rules only
    lc_networks_print(s->rule_text, counts, lc_rule_traits(rule)->text, cache);
    status = lc_kernel_texts_for_rule(&s->texts, s->rule_text, message);
    if (status == LC_OK && plan->generations > 0)
        status = begin(s, &s->strip, "strip.cu", plan->strip_warps, "LC_GENERATIONS",
                       plan->generations, message);
    if (status == LC_OK)
        status =
            begin(s, &s->tile, "tile.cu", plan->tile_warps, "LC_ROWS", plan->tile_rows, message);
    if (status == LC_OK)
        status =
            lc_device_alloc(device, "the count of blocks", sizeof(uint32_t), &s->arrived, message);
    if (status != LC_OK)
        lc_cuda_stepper_destroy(&s);
    *out = s;
    return status;
}

void lc_cuda_stepper_destroy(lc_cuda_stepper **stepper)
{
    lc_cuda_stepper *s = *stepper;
    *stepper = NULL;
    if (s == NULL)
        return;
    end(&s->strip);
    end(&s->tile);
    lc_device_free(s->device, &s->arrived);
    lc_free(s->texts);
    lc_free(s);
}

const lc_cuda_plan *lc_cuda_stepper_plan(const lc_cuda_stepper *stepper)
{
    return &stepper->plan;
}

const char *lc_cuda_stepper_rule_text(const lc_cuda_stepper *stepper)
{
    return stepper->rule_text;
}

// Launches -------------------------------------------------------------------------------------

// Returns whether the kernels need no halo beyond the edges.
static bool needs_no_halo(const lc_cuda_stepper *s)
{
    return (s->fences || (s->drifts && s->plan.band_rows == 0)) && !s->is_slab;
}

static lc_status fill_halo(const lc_cuda_stepper *s, lc_cuda_board *board, int generations,
                           lc_message *message)
{
    const int depth_cells = generations * s->reach_cells;
    if (needs_no_halo(s) || (s->is_slab && board->filler.call == NULL)) // it was exchanged before
        return LC_OK;
    return s->drifts && !s->is_slab ? lc_cuda_board_wrap(board, depth_cells, message)
                                    : lc_cuda_board_fill_halo(board, depth_cells, message);
}

// Updates the board's buffers and origin after `passes` passes.
static void account(const lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                    uint64_t passes)
{
    if (passes % 2)
        lc_cuda_board_swap(board);
    if (s->drifts) {
        const uint64_t width = (uint64_t)board->frame.width_cells;
        board->origin = (int64_t)(((uint64_t)board->origin + generations % width) % width);
    }
}

// Returns the blocks for `runs` runs. Each block has `warps` windows of the tape
// (kernels/strand.h).
static uint64_t blocks_for(const lc_cuda_stepper *s, const lc_cuda_board *board, uint64_t runs,
                           uint64_t warps)
{
    const uint64_t halo = (uint64_t)lc_cuda_plan_halo_lanes(&board->frame, s->plan.words);
    const uint64_t places = runs * ((uint64_t)board->segments + halo);
    const uint64_t windows = (places + LANES - halo - 1) / (LANES - halo);
    return (windows + warps - 1) / warps;
}

// The views that a launch reads and writes: a board's two buffers, or a band.
typedef struct span {
    lc_board_view in, out;
    lc_frame frame; // of the board, with the height of the views
} span;

static span whole(const lc_cuda_board *board)
{
    return (span){.in = lc_cuda_board_view(board, board->cells),
                  .out = lc_cuda_board_view(board, board->next),
                  .frame = board->frame};
}

static span band(const lc_cuda_board *board, int64_t i)
{
    span at = {.frame = board->frame};
    lc_cuda_board_band(board, i, &at.in, &at.out);
    at.frame.height_cells = at.in.height_cells;
    return at;
}

// Launches strips that cut the span into `runs` runs. The halo is filled.
static lc_status launch_strip(lc_cuda_stepper *s, const lc_cuda_board *board, span *at,
                              uint32_t runs, lc_message *message)
{
    const lc_cuda_plan *plan = &s->plan;
    uint32_t rows = lc_cuda_plan_run_rows(&at->frame, runs);
    void *arguments[] = {&at->in, &at->out, &rows, &runs};
    const lc_launch launch = {
        .grid = {(uint32_t)blocks_for(s, board, runs, (uint64_t)plan->strip_warps)},
        .block = {(uint32_t)plan->strip_warps * LANES},
        .overlapped = lc_device_facts_of(s->device)->architecture >= LC_DEVICE_OVERLAP_ARCHITECTURE,
        .stream = s->stream,
    };
    return lc_kernel_launch(&s->strip.kernel, &launch, arguments, message);
}

// Returns the runs of strips. The strip kernel must be compiled: the number depends on how many of
// its blocks the GPU holds.
static uint32_t runs_of(const lc_cuda_stepper *s, const lc_frame *frame)
{
    const lc_cuda_plan *plan = &s->plan;
    if (plan->runs == 0)
        return lc_cuda_plan_runs(frame, plan->words, plan->generations,
                                 (int64_t)s->strip.blocks * plan->strip_warps);
    return plan->band_rows > 0 ? lc_cuda_plan_whole_runs(frame, plan->runs) : plan->runs;
}

static uint32_t runs_of_tiles(const lc_cuda_stepper *s, const lc_frame *frame, uint32_t depth)
{
    const uint64_t own = (uint64_t)(s->plan.tile_warps * s->plan.tile_rows) - 2 * (uint64_t)depth;
    return (uint32_t)(((uint64_t)frame->height_cells + own - 1) / own);
}

// Launches tiles, in passes of `depth` generations. The halo is filled.
static lc_status launch_tile(lc_cuda_stepper *s, const lc_cuda_board *board, span *at,
                             uint32_t depth, uint32_t generations, lc_message *message)
{
    const lc_cuda_plan *plan = &s->plan;
    uint32_t runs = runs_of_tiles(s, &at->frame, depth);
    const bool together = generations > depth;
    lc_status status =
        together ? lc_device_fill(s->device, s->arrived, 0, sizeof(uint32_t), s->stream, message)
                 : LC_OK;
    if (status != LC_OK)
        return status;
    void *arguments[] = {&at->in, &at->out, &runs, &depth, &generations, &s->arrived};
    const lc_launch launch = {
        .grid = {(uint32_t)blocks_for(s, board, runs, 1)},
        .block = {(uint32_t)plan->tile_warps * LANES},
        .cooperative = together,
        .stream = s->stream,
    };
    return lc_kernel_launch(&s->tile.kernel, &launch, arguments, message);
}

// One pass from one buffer to the other ---------------------------------------------------------

static lc_status make_strips(lc_cuda_stepper *s, lc_cuda_board *board, uint32_t runs,
                             lc_message *message)
{
    span all = whole(board);
    lc_status status = fill_halo(s, board, s->plan.generations, message);
    return status != LC_OK ? status : launch_strip(s, board, &all, runs, message);
}

// The work of one launch of tiles, which makes as many passes as it can.
typedef struct launched {
    uint64_t generations, passes;
} launched;

static lc_status make_tiles(lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                            launched *made, lc_message *message)
{
    const uint64_t most = (uint64_t)s->plan.depth;
    const uint32_t depth = (uint32_t)(generations < most ? generations : most);
    const uint64_t blocks = blocks_for(s, board, runs_of_tiles(s, &board->frame, depth), 1);
    const bool together = needs_no_halo(s) && lc_device_facts_of(s->device)->cooperative &&
                          blocks <= (uint64_t)s->tile.blocks;
    const uint32_t todo = together && generations <= UINT32_MAX ? (uint32_t)generations
                          : together                            ? UINT32_MAX / 2
                                                                : depth;
    span all = whole(board);
    *made = (launched){todo, ((uint64_t)todo + depth - 1) / depth};
    lc_status status = fill_halo(s, board, (int)depth, message);
    return status != LC_OK ? status : launch_tile(s, board, &all, depth, todo, message);
}

// Running --------------------------------------------------------------------------------------

uint64_t lc_cuda_stepper_pass_generations(const lc_cuda_stepper *s, uint64_t generations)
{
    const uint64_t pass = (uint64_t)s->plan.generations, depth = (uint64_t)s->plan.depth;
    if (pass > 0 && generations >= pass)
        return pass;
    return generations < depth ? generations : depth;
}

static bool by_strips(const lc_cuda_stepper *s, uint64_t generations)
{
    return s->plan.generations > 0 && generations == (uint64_t)s->plan.generations;
}

lc_status lc_cuda_stepper_make_pass(lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                                    lc_message *message)
{
    const bool strips = by_strips(s, generations);
    lc_status status = s->drifts ? LC_OK : lc_cuda_board_settle(board, message);
    if (status == LC_OK)
        status = strips ? need(s, &s->strip, "strip", message) : need(s, &s->tile, "tile", message);
    if (status != LC_OK)
        return status;
    if (board->bands.count > 0)
        return fill_halo(s, board, (int)generations, message);
    launched made;
    return strips ? make_strips(s, board, runs_of(s, &board->frame), message)
                  : make_tiles(s, board, generations, &made, message);
}

lc_status lc_cuda_stepper_end_pass(lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                                   lc_message *message)
{
    const bool strips = by_strips(s, generations);
    lc_status status = LC_OK;
    for (int64_t i = 0; i < board->bands.count && status == LC_OK; i++) {
        span at = band(board, i);
        status = strips ? launch_strip(s, board, &at, runs_of(s, &at.frame), message)
                        : launch_tile(s, board, &at, (uint32_t)generations, (uint32_t)generations,
                                      message);
    }
    if (status == LC_OK)
        account(s, board, generations, 1);
    return status;
}

static lc_status run_in_place(lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                              lc_message *message)
{
    lc_status status = LC_OK;
    for (uint64_t pass; generations > 0 && status == LC_OK; generations -= pass) {
        pass = lc_cuda_stepper_pass_generations(s, generations);
        status = lc_cuda_stepper_make_pass(s, board, pass, message);
        if (status == LC_OK)
            status = lc_cuda_stepper_end_pass(s, board, pass, message);
    }
    return status;
}

lc_status lc_cuda_stepper_run(lc_cuda_stepper *stepper, lc_cuda_board *board, uint64_t generations,
                              lc_message *message)
{
    const uint64_t pass = (uint64_t)stepper->plan.generations;
    if (board->bands.count > 0)
        return run_in_place(stepper, board, generations, message);
    lc_status status = stepper->drifts ? LC_OK : lc_cuda_board_settle(board, message);
    if (status == LC_OK && pass > 0 && generations >= pass) {
        status = need(stepper, &stepper->strip, "strip", message);
        const uint32_t runs = status != LC_OK ? 0 : runs_of(stepper, &board->frame);
        for (; status == LC_OK && generations >= pass; generations -= pass) {
            status = make_strips(stepper, board, runs, message);
            if (status == LC_OK)
                account(stepper, board, pass, 1);
        }
    }
    if (status == LC_OK && generations > 0)
        status = need(stepper, &stepper->tile, "tile", message);
    while (status == LC_OK && generations > 0) {
        launched made;
        status = make_tiles(stepper, board, generations, &made, message);
        if (status != LC_OK)
            break;
        account(stepper, board, made.generations, made.passes);
        generations -= made.generations;
    }
    return status;
}

void lc_cuda_stepper_set_runs(lc_cuda_stepper *stepper, uint32_t runs)
{
    stepper->plan.runs = runs;
}

lc_status lc_cuda_stepper_warps(lc_cuda_stepper *stepper, int64_t *warps, lc_message *message)
{
    const bool strips = stepper->plan.generations > 0;
    lc_status status = strips ? need(stepper, &stepper->strip, "strip", message) : LC_OK;
    *warps = (int64_t)stepper->strip.blocks * stepper->strip.warps;
    return status;
}

// Facts ----------------------------------------------------------------------------------------

// Returns the bytes that a pass reads and writes per cell: one bit each. Reads include a halo of
// `halo_rows` rows at each end of every `rows`, and the lanes of halo of a warp.
static double pass_bytes(const lc_cuda_stepper *s, const lc_cuda_board *board, double rows,
                         double halo_rows)
{
    const int halo = lc_cuda_plan_halo_lanes(&board->frame, s->plan.words);
    const double read = (double)LANES / (LANES - halo) * (rows + 2 * halo_rows) / rows;
    return (read + 1) / 8;
}

static void kernel_facts(const lc_cuda_stepper *s, const program *p, lc_step_facts *facts)
{
    if (p->kernel.function == NULL)
        return;
    const lc_device_facts *device = lc_device_facts_of(s->device);
    facts->registers = p->kernel.registers;
    facts->local_bytes = p->kernel.local_bytes;
    facts->shared_bytes = p->kernel.shared_bytes;
    facts->threads_a_block = p->warps * LANES;
    facts->blocks = p->blocks / device->multiprocessors;
    facts->occupancy =
        (double)facts->blocks * facts->threads_a_block / device->threads_per_multiprocessor;
}

void lc_cuda_stepper_facts(const lc_cuda_stepper *stepper, const lc_cuda_board *board,
                           lc_step_facts *facts)
{
    const lc_cuda_stepper *s = stepper;
    const lc_cuda_plan *plan = &s->plan;
    *facts = (lc_step_facts){0};
    if (plan->generations == 0) {
        const int own = plan->tile_warps * plan->tile_rows - 2 * plan->depth;
        facts->bytes_per_cell = pass_bytes(s, board, own, plan->depth) / plan->depth;
        kernel_facts(s, &s->tile, facts);
        return;
    }
    kernel_facts(s, &s->strip, facts);
    if (s->strip.kernel.function == NULL)
        return; // the number of runs is unknown too
    const lc_frame frame = board->bands.count > 0 ? band(board, 0).frame : board->frame;
    const double rows = lc_cuda_plan_run_rows(&frame, runs_of(s, &frame));
    facts->bytes_per_cell = pass_bytes(s, board, rows, plan->generations) / plan->generations;
}
