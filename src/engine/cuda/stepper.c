// See stepper.h. Three kernels: `strip` for whole passes of the plan's strips; `tile` for boards that
// have no strips; `rest`, a tile kernel too, for what strips leave over.
#include "engine/cuda/stepper.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "rule/network.h"

enum {
    LANES = 32,
    OPTIONS_MAX = 8,
    OPTION_BYTES = 40,
    OVERLAP_ARCHITECTURE = 90, // from which a kernel can wait for the one before by itself
};

// A kernel, once it was needed.
typedef struct program {
    lc_module *module; // NULL: not yet
    lc_kernel kernel;
    int blocks; // that the GPU holds at a time
} program;

struct lc_cuda_stepper {
    lc_device *device;
    lc_device_stream *stream;
    lc_rule rule;
    lc_cuda_plan plan;
    bool drifts, fences; // as the kernels are compiled
    int fence_word;
    program strip, tile;
    lc_device_address arrived; // counts the blocks of a tile kernel that have finished a pass
};

// Programs -------------------------------------------------------------------------------------

typedef struct options {
    char text[OPTIONS_MAX][OPTION_BYTES];
    size_t count;
} options;

static void add_option(options *o, const char *name, int value)
{
    (void)snprintf(o->text[o->count++], OPTION_BYTES, "-D%s=%d", name, value);
}

static options options_for(const lc_cuda_stepper *s, int warps)
{
    options o = {.count = 0};
    add_option(&o, "LC_K", s->plan.words);
    add_option(&o, "LC_WARPS", warps);
    add_option(&o, "LC_DRIFTING", s->drifts);
    add_option(&o, "LC_FENCED", s->fences);
    if (s->fences)
        add_option(&o, "LC_FENCE_WORD", s->fence_word);
    return o;
}

// The kernels' texts and the rule's, as "rule.h".
static const lc_kernel_text *texts_with_rule(const char *rule_text)
{
    size_t count = 0;
    while (lc_kernel_texts[count].name != NULL)
        count++;
    lc_kernel_text *texts = lc_calloc(count + 2, sizeof *texts);
    if (texts == NULL)
        return NULL;
    memcpy(texts, lc_kernel_texts, count * sizeof *texts);
    texts[count] = (lc_kernel_text){.name = "rule.h", .text = rule_text};
    return texts;
}

static lc_status make_program(lc_cuda_stepper *s, program *p, const char *file, const char *kernel,
                              const options *o, int threads, lc_message *message)
{
    if (p->module != NULL)
        return LC_OK;
    char rule_text[LC_NETWORK_TEXT_BYTES];
    lc_network network;
    lc_network_build(&network, &s->rule);
    (void)lc_network_print(&network, &s->rule, rule_text, sizeof rule_text);
    const lc_kernel_text *texts = texts_with_rule(rule_text);
    if (texts == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for the texts of the kernels");
    const char *list[OPTIONS_MAX];
    for (size_t i = 0; i < o->count; i++)
        list[i] = o->text[i];
    const lc_kernel_source source = {
        .name = file, .texts = texts, .options = list, .option_count = o->count};
    int blocks = 0;
    lc_status status = lc_module_create(&p->module, s->device, &source, NULL, message);
    lc_free((void *)texts);
    if (!status)
        status = lc_kernel_find(&p->kernel, p->module, kernel, message);
    if (!status)
        status = lc_kernel_occupancy(&p->kernel, threads, 0, &blocks, message);
    if (!status && blocks < 1)
        status = lc_fail(message, LC_ERROR_DEVICE, "the GPU has no room for a block of kernel %s",
                         kernel);
    if (status)
        lc_module_destroy(&p->module);
    p->blocks = blocks * lc_device_facts_of(s->device)->multiprocessors;
    return status;
}

static lc_status need_strip(lc_cuda_stepper *s, lc_message *message)
{
    options o = options_for(s, s->plan.strip_warps);
    add_option(&o, "LC_GENERATIONS", s->plan.generations);
    return make_program(s, &s->strip, "strip.cu", "strip", &o, s->plan.strip_warps * LANES,
                        message);
}

static lc_status need_tile(lc_cuda_stepper *s, lc_message *message)
{
    options o = options_for(s, s->plan.tile_warps);
    add_option(&o, "LC_ROWS", s->plan.tile_rows);
    return make_program(s, &s->tile, "tile.cu", "tile", &o, s->plan.tile_warps * LANES, message);
}

// Creation -------------------------------------------------------------------------------------

lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_topology *topology, const lc_rule *rule,
                                 const lc_cuda_plan *plan, lc_message *message)
{
    *out = NULL;
    lc_status status = lc_cuda_plan_check(plan, topology, message);
    if (status)
        return status;
    lc_cuda_stepper *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for a stepper");
    s->device = device;
    s->stream = stream;
    s->rule = *rule;
    s->plan = *plan;
    s->drifts = lc_cuda_plan_drifts(topology, plan->words);
    s->fences = lc_cuda_plan_fences(topology);
    s->fence_word = (int)(topology->width_cells % plan->words);
    status = lc_device_alloc(device, "the count of blocks", sizeof(uint32_t), &s->arrived, message);
    if (status)
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
    lc_device_free(s->device, &s->arrived);
    lc_module_destroy(&s->strip.module);
    lc_module_destroy(&s->tile.module);
    lc_free(s);
}

const lc_cuda_plan *lc_cuda_stepper_plan(const lc_cuda_stepper *stepper)
{
    return &stepper->plan;
}

// Launches -------------------------------------------------------------------------------------

// Whether the kernels find what they need beyond the edges by themselves.
static bool needs_no_halo(const lc_cuda_stepper *s)
{
    return s->drifts || s->fences;
}

static lc_status fill_halo(const lc_cuda_stepper *s, lc_cuda_board *board, int depth,
                           lc_message *message)
{
    return needs_no_halo(s) ? LC_OK : lc_cuda_board_halo(board, depth, message);
}

// What `passes` passes have made of the board.
static void account(const lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                    uint64_t passes)
{
    if (passes % 2)
        lc_cuda_board_swap(board);
    if (s->drifts) {
        const uint64_t width = (uint64_t)board->topology.width_cells;
        board->origin = (int64_t)(((uint64_t)board->origin + generations % width) % width);
    }
}

// Blocks for `runs` runs, each block having `warps` windows of the tape (kernels/strand.h).
static uint64_t blocks_for(const lc_cuda_stepper *s, const lc_cuda_board *board, uint64_t runs,
                           uint64_t warps)
{
    const uint64_t halo = s->drifts ? 1 : 2;
    const uint64_t places = runs * ((uint64_t)board->segments + halo);
    const uint64_t windows = (places + LANES - halo - 1) / (LANES - halo);
    return (windows + warps - 1) / warps;
}

// One pass of strips.
static lc_status launch_strip(lc_cuda_stepper *s, lc_cuda_board *board, lc_message *message)
{
    const lc_cuda_plan *plan = &s->plan;
    lc_status status = fill_halo(s, board, plan->generations, message);
    if (status)
        return status;
    lc_board_view in = lc_cuda_board_view(board, board->cells);
    lc_board_view out = lc_cuda_board_view(board, board->next);
    uint32_t runs = plan->runs;
    if (runs == 0)
        runs = lc_cuda_plan_runs(&board->topology, plan->words, plan->generations,
                                 (int64_t)s->strip.blocks * plan->strip_warps);
    uint32_t rows = lc_cuda_plan_run_rows(&board->topology, runs);
    void *arguments[] = {&in, &out, &rows, &runs};
    const lc_launch launch = {
        .grid = {(uint32_t)blocks_for(s, board, runs, (uint64_t)plan->strip_warps)},
        .block = {(uint32_t)plan->strip_warps * LANES},
        .overlapped = lc_device_facts_of(s->device)->architecture >= OVERLAP_ARCHITECTURE,
        .stream = s->stream,
    };
    status = lc_kernel_launch(&s->strip.kernel, &launch, arguments, message);
    if (!status)
        account(s, board, (uint64_t)plan->generations, 1);
    return status;
}

// As many passes of tiles as one launch can make; *done: generations.
static lc_status launch_tile(lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                             uint64_t *done, lc_message *message)
{
    const lc_cuda_plan *plan = &s->plan;
    const lc_device_facts *facts = lc_device_facts_of(s->device);
    uint32_t depth = (uint32_t)plan->depth;
    if (generations < depth)
        depth = (uint32_t)generations;
    const uint64_t own = (uint64_t)(plan->tile_warps * plan->tile_rows) - 2 * (uint64_t)depth;
    uint32_t runs = (uint32_t)(((uint64_t)board->topology.height_cells + own - 1) / own);
    const uint64_t blocks = blocks_for(s, board, runs, 1);
    const bool together =
        needs_no_halo(s) && facts->cooperative && blocks <= (uint64_t)s->tile.blocks;
    uint32_t todo = together && generations <= UINT32_MAX ? (uint32_t)generations
                    : together                            ? UINT32_MAX / 2
                                                          : depth;
    const uint64_t passes = ((uint64_t)todo + depth - 1) / depth;
    lc_status status = fill_halo(s, board, (int)depth, message);
    if (!status && passes > 1)
        status = lc_device_fill(s->device, s->arrived, 0, sizeof(uint32_t), s->stream, message);
    if (status)
        return status;
    lc_board_view in = lc_cuda_board_view(board, board->cells);
    lc_board_view out = lc_cuda_board_view(board, board->next);
    void *arguments[] = {&in, &out, &runs, &depth, &todo, &s->arrived};
    const lc_launch launch = {
        .grid = {(uint32_t)blocks},
        .block = {(uint32_t)plan->tile_warps * LANES},
        .cooperative = passes > 1,
        .stream = s->stream,
    };
    status = lc_kernel_launch(&s->tile.kernel, &launch, arguments, message);
    *done = todo;
    if (!status)
        account(s, board, todo, passes);
    return status;
}

// Running --------------------------------------------------------------------------------------

lc_status lc_cuda_stepper_run(lc_cuda_stepper *stepper, lc_cuda_board *board, uint64_t generations,
                              lc_message *message)
{
    const uint64_t pass = (uint64_t)stepper->plan.generations;
    lc_status status = stepper->drifts ? LC_OK : lc_cuda_board_settle(board, message);
    if (!status && pass > 0 && generations >= pass)
        status = need_strip(stepper, message);
    for (; !status && pass > 0 && generations >= pass; generations -= pass)
        status = launch_strip(stepper, board, message);
    if (!status && generations > 0)
        status = need_tile(stepper, message);
    while (!status && generations > 0) {
        uint64_t made = 0;
        status = launch_tile(stepper, board, generations, &made, message);
        generations -= made;
    }
    return status;
}

void lc_cuda_stepper_set_runs(lc_cuda_stepper *stepper, uint32_t runs)
{
    stepper->plan.runs = runs;
}
