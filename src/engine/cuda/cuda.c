// The dense GPU engine: one bit per cell, stepped by kernels that are compiled for the rule. The
// cells are in two buffers on the GPU, or in one buffer that each pass overwrites
// (cuda_in_place.h).
//
// The host sees errors of the GPU late and cannot recover. The first error ends the engine, and
// every later call returns it.
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/cuda/cuda_adaptive.h"
#include "engine/cuda/cuda_board.h"
#include "engine/cuda/cuda_plan_choice.h"
#include "engine/cuda/cuda_self_check.h"
#include "engine/cuda/cuda_slabs.h"
#include "engine/cuda/cuda_stepper.h"
#include "engine/cuda/cuda_tune.h"
#include "engine/engine_interface.h"
#include "engine/time_slice.h"

// From this many cells on, "auto" takes the GPU. A smaller board fits in a CPU's caches: starting
// the driver and compiling would cost more than the GPU saves.
#define LEAST_CELLS_WORTH (UINT64_C(1) << 24)

enum { LEAST_SLICE = 64 }; // generations

typedef struct rule_stepper {
    const lc_rule *rule;
    lc_cuda_stepper *stepper; // NULL: none
} rule_stepper;

typedef struct cuda {
    lc_engine base;
    lc_engine_config config;
    lc_device *device;
    lc_device_stream *stream;
    lc_cuda_board board;
    lc_cuda_plan plan;
    char plan_text[LC_ENGINE_SETTINGS_BYTES];
    rule_stepper steppers[2]; // of the last two rules: a B0 rule on a plane alternates between two
    int last_stepper;
    lc_cuda_adaptive adaptive;
    uint64_t slice;               // generations that one call of `step` queues
    lc_device_event *begin, *end; // around the queued work
    uint64_t queued;              // generations of passes queued between them
    double stepping_ns;           // between them, in all calls
    uint64_t stepped;             // generations, without those of rounds
    uint64_t pass;                // generations of the present pass, for boards in parts
    void *known_memory;           // registered by this block; NULL: none
} cuda;

// The GPU ----------------------------------------------------------------------------------------

static bool available(const lc_engine_vtable *self, lc_context *context, const char **reason)
{
    lc_device_facts facts;
    (void)self;
    return lc_cuda_first_gpu(context, &facts, reason);
}

static lc_status devices(lc_context *context, int most, int *devices, int *count,
                         lc_message *message)
{
    int shown;
    *count = 0;
    lc_status status = lc_device_count(context, &shown, message);
    for (int i = 0; i < shown && status == LC_OK && *count < most; i++) {
        lc_device_facts facts;
        if (lc_device_find_facts(context, i, &facts, message) == LC_OK &&
            lc_device_check_usable(context, &facts, message) == LC_OK)
            devices[(*count)++] = i;
    }
    lc_device_facts none;
    return status == LC_OK && *count == 0 ? lc_device_find_usable(context, &none, message) : status;
}

// Parses the settings and finds the facts of the GPU that they name.
static lc_status choose_gpu(const lc_engine_config *config, lc_cuda_settings *settings,
                            lc_device_facts *facts, lc_message *message)
{
    const lc_status status = lc_cuda_settings_parse(settings, config->settings, message);
    if (config->every_cell && settings->settled == LC_CUDA_IF_WORTH)
        settings->settled = LC_CUDA_NEVER;
    return status != LC_OK ? status : lc_cuda_gpu_choose(facts, config->context, settings, message);
}

static lc_status choose_plan(const lc_engine_config *config, const lc_cuda_settings *settings,
                             const lc_device_facts *facts, lc_cuda_plan *plan, lc_message *message)
{
    const lc_frame *f = &config->frame;
    lc_status status =
        lc_cuda_plan_choose(plan, settings, config->context, facts, f, config->rule, message);
    if (status != LC_OK)
        return status;
    const lc_cuda_where where = {config->context, facts, config->rule};
    return lc_cuda_bands_choose(plan, settings, &where, f, &config->topology, config->room_bytes,
                                message);
}

// Like choose_gpu, but takes the first GPU if the settings are invalid: `create` refuses those with
// a message. Returns false if there are no GPUs.
static bool assume_gpu(const lc_engine_config *config, lc_cuda_settings *settings,
                       lc_device_facts *facts)
{
    const char *reason;
    return choose_gpu(config, settings, facts, NULL) == LC_OK ||
           lc_cuda_first_gpu(config->context, facts, &reason);
}

static uint64_t memory_limit_bytes(const lc_engine_config *config)
{
    lc_cuda_settings settings;
    lc_device_facts facts;
    return assume_gpu(config, &settings, &facts) ? facts.memory_bytes : 0;
}

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    lc_cuda_settings settings;
    lc_device_facts facts;
    lc_cuda_plan plan;
    const char *reason;
    lc_status status = choose_gpu(config, &settings, &facts, message);
    *memory_bytes = UINT64_MAX;
    if (status != LC_OK && !lc_cuda_first_gpu(config->context, &facts, &reason))
        return status;
    const lc_status planned =
        choose_plan(config, &settings, &facts, &plan, status == LC_OK ? message : NULL);
    if (planned != LC_OK)
        plan = lc_cuda_plan_guess(&facts, &config->frame);
    if (!lc_cuda_board_bytes(&config->frame, plan.words, plan.band_rows, memory_bytes))
        *memory_bytes = UINT64_MAX;
    else if (lc_cuda_may_settle(&settings, &plan, &config->frame, &config->topology, config->rule))
        *memory_bytes += lc_cuda_settled_bytes(&config->frame);
    return status != LC_OK ? status : planned;
}

// The kernels are bound by one kind of pipe, and a multiprocessor has as many of those on all
// architectures.
static uint64_t speed(const lc_engine_config *config)
{
    static const int khz_of_unit = 1000;
    lc_cuda_settings settings;
    lc_device_facts facts;
    if (!assume_gpu(config, &settings, &facts) || facts.multiprocessors < 1 || facts.clock_khz < 1)
        return 0;
    return (uint64_t)facts.multiprocessors * (uint64_t)(facts.clock_khz / khz_of_unit);
}

static lc_status slab_settings(const lc_engine_config *config,
                               char settings[LC_ENGINE_SETTINGS_BYTES], lc_message *message)
{
    lc_cuda_settings said;
    lc_device_facts facts;
    lc_cuda_plan plan;
    lc_status status = choose_gpu(config, &said, &facts, message);
    if (status == LC_OK)
        status = choose_plan(config, &said, &facts, &plan, message);
    if (status == LC_OK)
        lc_cuda_plan_format_common(&plan, settings);
    return status;
}

// Creation ---------------------------------------------------------------------------------------

static void destroy(lc_engine *engine)
{
    cuda *c = (cuda *)engine;
    if (c == NULL)
        return;
    lc_cuda_adaptive_end(&c->adaptive);
    for (size_t i = 0; i < 2; i++)
        lc_cuda_stepper_destroy(&c->steppers[i].stepper);
    lc_cuda_messages_destroy(&c->board.messages);
    lc_cuda_board_destroy(&c->board);
    if (c->device != NULL) {
        if (c->known_memory != NULL)
            lc_device_host_unregister(c->device, c->known_memory);
        lc_device_event_destroy(c->device, &c->begin);
        lc_device_event_destroy(c->device, &c->end);
        lc_device_stream_destroy(c->device, &c->stream);
        lc_device_close(&c->device);
    }
    lc_free(c);
}

// Creates the stepper of the present rule, in place of the one used longer ago.
static lc_status make_stepper(cuda *c, lc_message *message)
{
    rule_stepper *made = &c->steppers[1 - c->last_stepper];
    lc_cuda_stepper_destroy(&made->stepper);
    made->rule = c->config.rule;
    c->last_stepper = 1 - c->last_stepper;
    return lc_cuda_stepper_create(&made->stepper, c->device, c->stream, &c->config.frame,
                                  made->rule, lc_context_cache(c->config.context), &c->plan,
                                  message);
}

static lc_status check_stepper(cuda *c, lc_message *message)
{
    rule_stepper *made = &c->steppers[c->last_stepper];
    lc_status status =
        lc_cuda_self_check(made->stepper, &c->board, made->rule, c->config.pool, message);
    if (status != LC_OK)
        lc_cuda_stepper_destroy(&made->stepper);
    return status;
}

// Finds the stepper of the present rule. Creates and checks it if it is new.
static lc_status find_stepper(cuda *c, lc_cuda_stepper **out, lc_message *message)
{
    lc_status status = LC_OK;
    int found = -1;
    for (int i = 0; i < 2; i++)
        if (c->steppers[i].stepper != NULL && c->steppers[i].rule == c->config.rule)
            found = i;
    if (found >= 0)
        c->last_stepper = found;
    else
        status = make_stepper(c, message);
    if (status == LC_OK && found < 0)
        status = check_stepper(c, message);
    *out = c->steppers[c->last_stepper].stepper;
    return status;
}

// Writes the plan as settings. Adds the GPU and settled= if the caller set them. Adds in-place= if
// the board is stepped in place or the caller forbade it.
static void write_settings(cuda *c, const lc_cuda_settings *asked)
{
    char plan[LC_CUDA_PLAN_TEXT_BYTES], gpu[24] = "", settled[16] = "", in_place[16] = "";
    lc_cuda_plan_format(&c->plan, plan);
    if (asked->device >= 0)
        (void)snprintf(gpu, sizeof gpu, "device=%d,", asked->device);
    if (asked->settled != LC_CUDA_IF_WORTH)
        (void)snprintf(settled, sizeof settled, "settled=%s,", lc_cuda_when_name(asked->settled));
    if (asked->in_place == LC_CUDA_NEVER || c->plan.band_rows > 0)
        (void)snprintf(in_place, sizeof in_place, "in-place=%s,",
                       c->plan.band_rows > 0 ? "yes" : "no");
    (void)snprintf(c->plan_text, sizeof c->plan_text, "%s%s%s%s", gpu, settled, in_place, plan);
}

// The filler of the GPU's board: calls the engine's filler.
static lc_status ask_filler(void *context, lc_cuda_board *board, int depth_cells,
                            lc_message *message)
{
    cuda *c = context;
    const lc_filler *filler = &c->config.filler;
    (void)board; // its own
    return filler->call(filler->context, &c->base, depth_cells, message);
}

static lc_status fill_halo(lc_engine *engine, const lc_topology *topology, int64_t depth_cells,
                           lc_message *message)
{
    cuda *c = (cuda *)engine;
    return lc_cuda_board_halo(&c->board, topology, (int)depth_cells, message);
}

// Chooses another plan if the GPU has less free memory than the plan needs: other programs use it
// too.
static lc_status fit_plan(cuda *c, const lc_cuda_settings *settings, const lc_device_facts *gpu,
                          lc_message *message)
{
    lc_engine_config less = c->config;
    uint64_t needed_bytes;
    const lc_status status = lc_device_memory_free(c->device, &less.room_bytes, message);
    if (status != LC_OK || less.room_bytes == 0 ||
        !lc_cuda_board_bytes(&less.frame, c->plan.words, c->plan.band_rows, &needed_bytes) ||
        needed_bytes <= less.room_bytes)
        return status;
    return choose_plan(&less, settings, gpu, &c->plan, message);
}

static lc_status open_gpu(cuda *c, lc_message *message)
{
    lc_cuda_settings settings;
    lc_device_facts gpu;
    const lc_frame *f = &c->config.frame;
    lc_status status = choose_gpu(&c->config, &settings, &gpu, message);
    if (status == LC_OK)
        status = choose_plan(&c->config, &settings, &gpu, &c->plan, message);
    if (status != LC_OK)
        return status;
    if (f->is_slab && settings.settled == LC_CUDA_ALWAYS)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "settled=yes is for a board that is one block");
    status = lc_device_open(&c->device, c->config.context, gpu.index, message);
    if (status == LC_OK)
        status = fit_plan(c, &settings, &gpu, message);
    write_settings(c, &settings);
    c->adaptive = lc_cuda_adaptive_of(c->plan.band_rows > 0 ? LC_CUDA_NEVER : settings.settled,
                                      &c->config.topology, c->config.pool);
    if (status == LC_OK)
        status = lc_device_stream_create(c->device, &c->stream, message);
    if (status == LC_OK)
        status = lc_device_event_create(c->device, &c->begin, message);
    if (status == LC_OK)
        status = lc_device_event_create(c->device, &c->end, message);
    if (status == LC_OK) // first, since its kernels are compiled in the background
        status = make_stepper(c, message);
    if (status == LC_OK)
        status = lc_cuda_board_create(&c->board, c->device, c->stream, f, c->plan.words,
                                      c->plan.band_rows, message);
    c->board.filler = (lc_cuda_filler){ask_filler, c};
    return status != LC_OK ? status : check_stepper(c, message);
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    *out = NULL;
    if (config->cpu_level != NULL && strcmp(config->cpu_level, "auto") != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the cuda engine has no CPU levels, so not \"%s\" either",
                       config->cpu_level);
    cuda *c = lc_calloc(1, sizeof *c);
    if (c == NULL)
        return lc_fail_memory(message, "an engine");
    c->base.vtable = &lc_engine_cuda;
    c->config = *config;
    c->slice = LEAST_SLICE;
    lc_status status = open_gpu(c, message);
    if (status != LC_OK) {
        destroy(&c->base);
        return status;
    }
    *out = &c->base;
    return LC_OK;
}

// Cells ------------------------------------------------------------------------------------------

static lc_status read_cells(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, lc_cuda_board_read(&c->board, to, &why), &why);
    return lc_engine_failure(engine, message);
}

// x is at least -LC_HALO_ROWS: within the segment beside the cells.
static void write_halo(cuda *c, const lc_cells *halo)
{
    lc_message why;
    const int64_t row_bytes = (int64_t)(halo->pitch_words * sizeof *halo->words);
    const int64_t rows = (int64_t)c->board.window.size_bytes / row_bytes;
    lc_cells piece = *halo;
    for (int64_t done = 0; done < halo->height_cells && c->base.failed == LC_OK; done += rows) {
        piece.y = halo->y + done;
        piece.height_cells = lc_least(rows, halo->height_cells - done);
        piece.words = lc_cells_row(halo, done);
        lc_engine_end(&c->base, lc_cuda_board_give(&c->board, &piece, &why), &why);
    }
}

static lc_status write_cells(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    if (lc_is_halo(&c->config.frame, from)) {
        write_halo(c, from);
        return lc_engine_failure(engine, message);
    }
    lc_cuda_adaptive_forget(&c->adaptive);
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, lc_cuda_board_write(&c->board, from, &why), &why);
    return lc_engine_failure(engine, message);
}

// The system may refuse to lock that much memory. Copies are then slower.
static void announce_buffer(lc_engine *engine, void *memory, size_t size_bytes)
{
    cuda *c = (cuda *)engine;
    if (c->known_memory == NULL &&
        lc_device_host_register(c->device, memory, size_bytes, NULL) == LC_OK)
        c->known_memory = memory;
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    if (then == NULL)
        ((cuda *)engine)->config.rule = rule;
    return then == NULL;
}

// Waits for the work queued since `begin` was recorded. Errors of kernels show here.
static lc_status wait_for_queued(cuda *c, double *elapsed_ns, lc_message *message)
{
    lc_status status = lc_device_event_record(c->device, c->end, c->stream, message);
    if (status == LC_OK)
        status = lc_device_synchronize(c->device, c->stream, message);
    if (status == LC_OK)
        status = lc_device_event_elapsed(c->device, c->begin, c->end, elapsed_ns, message);
    return status;
}

// Queues passes between two events and waits for them: at most `limit` of the `left` generations.
static lc_status run(cuda *c, uint64_t limit, uint64_t left, uint64_t *done, lc_message *message)
{
    lc_cuda_stepper *stepper;
    lc_cuda_pass pass = {0};
    double elapsed_ns = 0;
    *done = 0;
    lc_status status = find_stepper(c, &stepper, message);
    if (status == LC_OK)
        status = lc_cuda_board_prepare(&c->board, message);
    if (status == LC_OK)
        status = lc_cuda_adaptive_choose(&c->adaptive, stepper, &c->board, c->config.rule, limit,
                                         left, &pass, message);
    if (status == LC_OK)
        status = lc_device_event_record(c->device, c->begin, c->stream, message);
    if (status == LC_OK && pass.rounds > 0)
        status = lc_cuda_adaptive_run(&c->adaptive, &c->board, &pass, message);
    else if (status == LC_OK)
        status = lc_cuda_stepper_run(stepper, &c->board, pass.generations, message);
    if (status == LC_OK)
        status = wait_for_queued(c, &elapsed_ns, message);
    if (status == LC_OK)
        status = lc_cuda_adaptive_learn(&c->adaptive, &pass, elapsed_ns, message);
    if (status != LC_OK)
        return status;
    *done = pass.generations;
    c->stepped += pass.rounds > 0 ? 0 : pass.generations;
    c->stepping_ns += elapsed_ns;
    return LC_OK;
}

// Returns the generations to queue at a time: whole passes of strips, if the plan has strips.
static uint64_t slice_of(const cuda *c)
{
    const uint64_t pass = c->plan.generations > 0 ? (uint64_t)c->plan.generations : 1;
    return c->slice / pass * pass;
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    *done = 0;
    if (c->base.failed == LC_OK) {
        const uint64_t begin_ns = lc_clock_ns();
        const uint64_t slice = slice_of(c);
        const bool whole = generations >= slice, settled = c->adaptive.settled;
        lc_engine_end(&c->base, run(c, whole ? slice : generations, generations, done, &why), &why);
        if (settled != c->adaptive.settled) // so the speed differs
            c->slice = LEAST_SLICE;
        else
            c->slice = lc_slice_after(c->slice, LEAST_SLICE,
                                      whole && *done + LC_SETTLED_GENERATIONS > slice,
                                      lc_clock_ns() - begin_ns, c->config.watch);
    }
    return lc_engine_failure(engine, message);
}

// Passes of a part of a board --------------------------------------------------------------------

// Collects the boards of the slabs. Returns the error of the first slab that has failed.
static lc_status boards_of(lc_engine *const *slabs, int count, lc_cuda_board **boards,
                           lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 0; i < count && status == LC_OK; i++) {
        boards[i] = &((cuda *)slabs[i])->board;
        status = lc_engine_failure(slabs[i], message);
    }
    return status;
}

_Static_assert(sizeof(lc_cuda_message_key) <= sizeof(lc_slab_key), "a key has room for ours");

static lc_status export_slab(lc_engine *slab, lc_slab_key *key, lc_message *message)
{
    lc_cuda_message_key own;
    const lc_status status = lc_cuda_slabs_export(&((cuda *)slab)->board, &own, message);
    *key = (lc_slab_key){0};
    memcpy(key->bytes, &own, sizeof own);
    return status;
}

static lc_status import_slabs(lc_engine *const *slabs, int count, const lc_slab_key *keys,
                              int first, int total, lc_message *note, lc_message *message)
{
    lc_cuda_board *boards[LC_SLABS_MAX];
    lc_cuda_message_key others[LC_SLABS_MAX];
    const lc_status status = boards_of(slabs, count, boards, message);
    for (int i = 0; i < total && keys != NULL; i++)
        memcpy(&others[i], keys[i].bytes, sizeof others[i]);
    return status != LC_OK
               ? status
               : lc_cuda_slabs_import(boards, count, others, first, total, note, message);
}

static lc_status exchange_halos(lc_engine *const *slabs, int count, bool alike, int64_t depth_cells,
                                lc_message *message)
{
    lc_cuda_board *boards[LC_SLABS_MAX];
    lc_message why;
    const lc_status status = boards_of(slabs, count, boards, message);
    if (status != LC_OK)
        return status;
    lc_engine_end(slabs[0], lc_cuda_slabs_exchange(boards, count, alike, (int)depth_cells, &why),
                  &why);
    return lc_engine_failure(slabs[0], message);
}

static lc_status read_rows(lc_engine *slab, bool alike, int64_t first_row, int64_t rows, void *to,
                           lc_message *message)
{
    cuda *c = (cuda *)slab;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base,
                      lc_cuda_slabs_read_rows(&c->board, alike, first_row, rows, to, &why), &why);
    return lc_engine_failure(slab, message);
}

static lc_status write_rows(lc_engine *slab, int64_t first_row, int64_t rows, const void *from,
                            lc_message *message)
{
    cuda *c = (cuda *)slab;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, lc_cuda_slabs_write_rows(&c->board, first_row, rows, from, &why),
                      &why);
    return lc_engine_failure(slab, message);
}

static lc_status finish_rows(lc_engine *slab, int64_t depth_cells, lc_message *message)
{
    cuda *c = (cuda *)slab;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, lc_cuda_slabs_finish_rows(&c->board, (int)depth_cells, &why), &why);
    return lc_engine_failure(slab, message);
}

static lc_slab_layout layout(const lc_engine *slab)
{
    const lc_cuda_board *board = &((const cuda *)slab)->board;
    return (lc_slab_layout){lc_cuda_board_row_bytes(board), (uint64_t)board->origin};
}

static void leave(lc_engine *slab, bool lost)
{
    cuda *c = (cuda *)slab;
    lc_message why;
    if (c->board.messages == NULL)
        return;
    lc_engine_end(&c->base, lc_cuda_messages_wait(c->board.messages, true, &why), &why);
    if (lost)
        lc_engine_end(&c->base,
                      lc_fail(&why, LC_ERROR_DEVICE, "another part of the board has failed"), &why);
    else
        lc_cuda_messages_leave(c->board.messages);
}

static uint64_t pass_generations(const lc_engine *engine, uint64_t generations)
{
    const cuda *c = (const cuda *)engine;
    const lc_cuda_stepper *stepper = c->steppers[c->last_stepper].stepper;
    return stepper != NULL ? lc_cuda_stepper_pass_generations(stepper, generations) : 1;
}

static lc_status queue_pass(cuda *c, uint64_t generations, lc_message *message)
{
    lc_cuda_stepper *stepper;
    lc_status status = find_stepper(c, &stepper, message);
    if (status == LC_OK)
        status = lc_cuda_board_prepare(&c->board, message);
    if (status == LC_OK && c->queued == 0)
        status = lc_device_event_record(c->device, c->begin, c->stream, message);
    return status != LC_OK ? status
                           : lc_cuda_stepper_make_pass(stepper, &c->board, generations, message);
}

static lc_status make_pass(lc_engine *engine, uint64_t generations, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, queue_pass(c, generations, &why), &why);
    c->pass = generations;
    return lc_engine_failure(engine, message);
}

static void end_pass(lc_engine *engine)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base,
                      lc_cuda_stepper_end_pass(c->steppers[c->last_stepper].stepper, &c->board,
                                               c->pass, &why),
                      &why);
    c->board.window.loaded = false; // other blocks may have read cells since the pass was made
    c->board.facts_known = false;
    c->queued += c->pass;
    c->stepped += c->pass;
}

static lc_status finish(lc_engine *engine, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    double elapsed_ns = 0;
    if (c->base.failed == LC_OK && c->queued > 0 && c->board.messages != NULL)
        lc_engine_end(&c->base, lc_cuda_messages_wait(c->board.messages, false, &why), &why);
    if (c->base.failed == LC_OK && c->queued > 0)
        lc_engine_end(&c->base, wait_for_queued(c, &elapsed_ns, &why), &why);
    c->queued = 0;
    c->stepping_ns += elapsed_ns;
    return lc_engine_failure(engine, message);
}

// Facts ------------------------------------------------------------------------------------------

static lc_status facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    (void)which; // one kernel finds all
    *facts = (lc_facts){.box = {.empty = true}};
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, lc_cuda_board_facts(&c->board, facts, &why), &why);
    return lc_engine_failure(engine, message);
}

static lc_status view(lc_engine *engine, const lc_view *squares, lc_message *message)
{
    cuda *c = (cuda *)engine;
    lc_message why;
    if (c->base.failed == LC_OK)
        lc_engine_end(&c->base, lc_cuda_board_count(&c->board, squares, &why), &why);
    return lc_engine_failure(engine, message);
}

// Counts a shorter pass with the traffic per generation of a whole one.
static void report(const lc_engine *engine, lc_engine_report *report)
{
    const cuda *c = (const cuda *)engine;
    const rule_stepper *used = &c->steppers[c->last_stepper];
    report->plan = c->plan_text;
    report->stepping_ns = c->stepping_ns;
    if (used->stepper != NULL) {
        lc_counts counts = {0};
        (void)lc_rule_counts(used->rule, &counts);
        lc_cuda_stepper_facts(used->stepper, &c->board, &report->step);
        report->step.operations_per_cell =
            lc_network_gates(counts, lc_context_cache(c->config.context)) / 32;
    }
    report->traffic_bytes =
        lc_cuda_adaptive_bytes(&c->adaptive) +
        (uint64_t)(report->step.bytes_per_cell * (double)c->config.frame.width_cells *
                   (double)c->config.frame.height_cells * (double)c->stepped);
}

static const lc_board_ops board = {
    .fill_halo = fill_halo,
    .pass_generations = pass_generations,
    .make_pass = make_pass,
    .end_pass = end_pass,
    .finish = finish,
    .announce_buffer = announce_buffer,
};

static const lc_slab_ops slabs = {
    .export_slab = export_slab,
    .import_slabs = import_slabs,
    .exchange_halos = exchange_halos,
    .layout = layout,
    .leave = leave,
    .read_rows = read_rows,
    .write_rows = write_rows,
    .finish_rows = finish_rows,
};

static const lc_choice_ops choice = {
    .auto_cells = LEAST_CELLS_WORTH,
    .auto_width_cells = 64, // even a short row takes two more segments
    .available = available,
    .devices = devices,
    .memory_limit_bytes = memory_limit_bytes,
    .speed = speed,
    .slab_settings = slab_settings,
    .tune = lc_cuda_tune,
};

const lc_engine_vtable lc_engine_cuda = {
    .name = "cuda",
    .summary = "dense, one bit per cell, NVIDIA GPU",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC),
               .states_max = 2,
               .planes_max = 1,
               .reach_max = 1,
               .takes_halo = true,
               .on_gpu = true,
               .has_settings = true},
    .check = check,
    .create = create,
    .destroy = destroy,
    .set_rule = set_rule,
    .read = read_cells,
    .write = write_cells,
    .step = step,
    .facts = facts,
    .view = view,
    .report = report,
    .board = &board,
    .slabs = &slabs,
    .choice = &choice,
};
