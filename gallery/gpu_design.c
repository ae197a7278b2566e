// Designs for the GPU as engines: two boards in the design's layout, in the GPU's memory.
//
// Rows are transferred as bits, 8 MiB at a time, and change their layout on the GPU
// (cell_layout.cu). A call of step queues all its generations between two events and waits: the
// time reported is the time between the events.
//
// A GPU steps a small board faster than a host can launch kernels. So the launches of some
// generations are recorded once, as a graph, and the GPU then runs all of them at once: what is
// timed is the design, not the host.
#include "gpu_design.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design_board.h"
#include "settings.h"

enum {
    ROW_THREADS = 256,
    TEXTS_MAX = 64,
    CACHE_LINE = 256,
    GRAPH_GENERATIONS = 32, // at least that many in a graph
};

typedef struct gpu_board {
    lc_gpu_run run;
    const lc_design *design;
    lc_module *module, *layout_module;
    lc_kernel write, read; // of cell_layout.cu
    lc_device_address rows;
    uint64_t rows_bytes;
    lc_device_event *begin, *end;
    lc_device_graph *graph;        // NULL: not recorded yet
    uint64_t graph_generations;    // that it makes
    lc_device_address graph_cells; // the board that it begins and ends with
    bool stepped;                  // since cells were last written
    char settings[LC_ENGINE_SETTINGS_BYTES];
} gpu_board;

// What cell_layout.cu is told of a board.
typedef struct layout_view {
    lc_device_address board;
    uint64_t pitch_bytes;
    uint64_t width;
} layout_view;

// The first GPU that kernels can run on; looked for once in a process.
static struct {
    pthread_once_t once;
    lc_device_facts facts;
    bool found;
    char reason[sizeof((lc_message *)0)->text];
} gpu = {.once = PTHREAD_ONCE_INIT};

static void find_gpu(void)
{
    lc_message message = {0};
    gpu.found = lc_device_find_usable(lc_gallery_context(), &gpu.facts, &message) == LC_OK;
    snprintf(gpu.reason, sizeof gpu.reason, "%s", gpu.found ? gpu.facts.name : message.text);
}

static bool available(const void *context, const char **reason)
{
    (void)context;
    pthread_once(&gpu.once, find_gpu);
    *reason = gpu.reason;
    return gpu.found;
}

static uint64_t memory_limit_bytes(const void *context)
{
    const char *reason;
    return available(context, &reason) ? gpu.facts.memory_bytes : 0;
}

// A design's own memory begins on a cache line.
static uint64_t rounded(uint64_t bytes)
{
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static uint64_t extra_bytes(const lc_design *design, const lc_gallery_board *board)
{
    return design->gpu->extra_bytes != NULL ? rounded(design->gpu->extra_bytes(board)) : 0;
}

static lc_status check(const void *context, const lc_guest_board *guest, uint64_t *memory_bytes,
                       lc_message *message)
{
    const lc_design *design = context;
    lc_gallery_board board;
    lc_cell_layout layout;
    lc_status status = lc_gallery_board_make(design, guest, &board, message);
    if (status != LC_OK)
        return status;
    design->layout(&board, &layout);
    *memory_bytes =
        (design->gpu->one_board ? 1 : 2) * rounded(layout.size_bytes) + extra_bytes(design, &board);
    if (design->gpu->own_bytes != NULL)
        *memory_bytes += design->gpu->own_bytes(&board);
    return LC_OK;
}

// Compiling --------------------------------------------------------------------------------------

void lc_gpu_define(lc_gpu_options *options, const char *name, int64_t value)
{
    if (options->count == LC_GPU_OPTIONS_MAX)
        return; // then the kernel does not compile, and the error names what is missing
    char *text = options->text[options->count];
    snprintf(text, sizeof options->text[0], "-D%s=%" PRId64, name, value);
    options->list[options->count++] = text;
}

// The gallery's texts, and those of the headers that the project's own kernels share.
static lc_kernel_text all_texts[TEXTS_MAX + 1]; // ended by NULL
static pthread_once_t all_texts_once = PTHREAD_ONCE_INIT;

static void find_all_texts(void)
{
    extern const lc_kernel_text lc_gallery_texts[];
    size_t count = 0;
    for (const lc_kernel_text *t = lc_gallery_texts; t->name != NULL && count < TEXTS_MAX - 1; t++)
        all_texts[count++] = *t;
    all_texts[count] = (lc_kernel_text){"cuda.h", lc_kernel_text_find(lc_kernel_texts, "cuda.h")};
}

static lc_kernel_source source_of(const char *file, const lc_gpu_options *options)
{
    pthread_once(&all_texts_once, find_all_texts);
    return (lc_kernel_source){
        .name = file,
        .texts = all_texts,
        .options = options->list,
        .option_count = options->count,
    };
}

void lc_gpu_find_source(const lc_design *design, const lc_gallery_board *board,
                        lc_gpu_options *options, lc_kernel_source *source)
{
    options->count = 0;
    for (int i = 0; i < LC_KNOBS_MAX; i++)
        if (design->gpu->macros[i] != NULL)
            lc_gpu_define(options, design->gpu->macros[i], board->knob[i]);
    if (design->gpu->compile != NULL)
        design->gpu->compile(board, options);
    *source = source_of(design->file, options);
}

static lc_status compile_design(gpu_board *b, lc_message *message)
{
    const char *const *names = b->design->gpu->kernels;
    lc_gpu_options options;
    lc_kernel_source source;
    lc_gpu_find_source(b->design, &b->run.board, &options, &source);
    lc_status status = lc_module_create(&b->module, b->run.device, &source, NULL, message);
    for (int i = 0; names[i] != NULL && status == LC_OK; i++)
        status = lc_kernel_find(&b->run.kernels[i], b->module, names[i], message);
    return status;
}

static lc_status compile_layout(gpu_board *b, lc_message *message)
{
    lc_gpu_options options = {.count = 0};
    lc_gpu_define(&options, "CELL_BITS", b->run.layout.cell_bits);
    lc_gpu_define(&options, "HIGH_BIT_FIRST", b->run.layout.high_bit_first);
    const lc_kernel_source source = source_of("cell_layout.cu", &options);
    lc_status status = lc_module_create(&b->layout_module, b->run.device, &source, NULL, message);
    if (status == LC_OK)
        status = lc_kernel_find(&b->write, b->layout_module, "write_rows", message);
    return status != LC_OK ? status
                           : lc_kernel_find(&b->read, b->layout_module, "read_rows", message);
}

// Creation ---------------------------------------------------------------------------------------

static void destroy(void *state)
{
    gpu_board *b = state;
    if (b == NULL)
        return;
    lc_gpu_run *run = &b->run;
    if (b->design->gpu->release != NULL && run->own != NULL)
        b->design->gpu->release(run);
    if (run->device != NULL) {
        lc_device_graph_destroy(run->device, &b->graph);
        lc_device_event_destroy(run->device, &b->begin);
        lc_device_event_destroy(run->device, &b->end);
        lc_module_destroy(&b->module);
        lc_module_destroy(&b->layout_module);
        lc_device_free(run->device, &run->cells);
        lc_device_free(run->device, &run->next);
        lc_device_free(run->device, &run->extra);
        lc_device_free(run->device, &b->rows);
        lc_device_stream_destroy(run->device, &run->stream);
        lc_device_close(&run->device);
    }
    free(b);
}

static lc_status zeroed(gpu_board *b, const char *what, uint64_t size_bytes, lc_device_address *out,
                        lc_message *message)
{
    if (size_bytes == 0)
        return LC_OK;
    lc_status status = lc_device_alloc(b->run.device, what, rounded(size_bytes), out, message);
    return status != LC_OK ? status
                           : lc_device_fill(b->run.device, *out, 0, rounded(size_bytes),
                                            b->run.stream, message);
}

static lc_status open_board(gpu_board *b, lc_message *message)
{
    lc_gpu_run *run = &b->run;
    lc_status status = lc_device_open(&run->device, lc_gallery_context(), gpu.facts.index, message);
    if (status == LC_OK)
        status = lc_device_stream_create(run->device, &run->stream, message);
    if (status == LC_OK)
        status = lc_device_event_create(run->device, &b->begin, message);
    if (status == LC_OK)
        status = lc_device_event_create(run->device, &b->end, message);
    if (status == LC_OK)
        status = zeroed(b, "the cells", run->layout.size_bytes, &run->cells, message);
    if (status == LC_OK)
        status =
            zeroed(b, "the next generation", b->design->gpu->one_board ? 0 : run->layout.size_bytes,
                   &run->next, message);
    if (status == LC_OK)
        status = zeroed(b, "the design's own memory", extra_bytes(b->design, &run->board),
                        &run->extra, message);
    if (status == LC_OK)
        status = compile_design(b, message);
    if (status == LC_OK)
        status = compile_layout(b, message);
    if (status == LC_OK && b->design->gpu->prepare != NULL)
        status = b->design->gpu->prepare(run, message);
    return status != LC_OK ? status : lc_device_synchronize(run->device, run->stream, message);
}

static lc_status create(void **out, const void *context, const lc_guest_board *guest,
                        lc_message *message)
{
    const lc_design *design = context;
    const char *reason;
    *out = NULL;
    if (!available(context, &reason))
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "%s", reason);
    gpu_board *b = calloc(1, sizeof *b);
    if (b == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a board");
    b->design = design;
    lc_status status = lc_gallery_board_make(design, guest, &b->run.board, message);
    if (status == LC_OK) {
        lc_gallery_format_settings(design, b->run.board.knob, b->settings, sizeof b->settings);
        design->layout(&b->run.board, &b->run.layout);
        status = open_board(b, message);
    }
    if (status != LC_OK) {
        destroy(b);
        return status;
    }
    *out = b;
    return LC_OK;
}

// Cells ------------------------------------------------------------------------------------------

// Memory on the GPU for rows in transit.
static lc_status need_rows(gpu_board *b, uint64_t size_bytes, lc_message *message)
{
    if (b->rows_bytes >= size_bytes)
        return LC_OK;
    lc_device_free(b->run.device, &b->rows);
    b->rows_bytes = 0;
    lc_status status =
        lc_device_alloc(b->run.device, "rows on their way", size_bytes, &b->rows, message);
    if (status == LC_OK)
        b->rows_bytes = size_bytes;
    return status;
}

static lc_status convert(gpu_board *b, const lc_kernel *kernel, const lc_cells *cells,
                         lc_message *message)
{
    const lc_cell_layout *l = &b->run.layout;
    layout_view view = {
        .board = b->run.cells +
                 (uint64_t)(l->top_rows * l->pitch_bytes + l->left_cells * l->cell_bits / 8),
        .pitch_bytes = (uint64_t)l->pitch_bytes,
        .width = (uint64_t)b->run.board.width,
    };
    uint64_t pitch = 2 * cells->pitch_words, first = (uint64_t)cells->y;
    uint64_t rows = (uint64_t)cells->height_cells;
    void *arguments[] = {&view, &b->rows, &pitch, &first, &rows};
    const lc_launch launch = {
        .grid = {(uint32_t)gpu.facts.multiprocessors * 8},
        .block = {ROW_THREADS},
        .stream = b->run.stream,
    };
    return lc_kernel_launch(kernel, &launch, arguments, message);
}

static size_t rows_bytes(const lc_cells *cells)
{
    return (size_t)cells->height_cells * cells->pitch_words * sizeof *cells->words;
}

static lc_status write_rows(void *state, const lc_cells *from, lc_message *message)
{
    gpu_board *b = state;
    const size_t size_bytes = rows_bytes(from);
    lc_status status = need_rows(b, size_bytes, message);
    b->stepped = false;
    if (status == LC_OK)
        status = lc_device_upload(b->run.device, b->rows, from->words, size_bytes, b->run.stream,
                                  message);
    if (status == LC_OK)
        status = convert(b, &b->write, from, message);
    return status != LC_OK ? status : lc_device_synchronize(b->run.device, b->run.stream, message);
}

static lc_status read_rows(void *state, const lc_cells *to, lc_message *message)
{
    gpu_board *b = state;
    const size_t size_bytes = rows_bytes(to);
    lc_status status = need_rows(b, size_bytes, message);
    if (status == LC_OK)
        status = convert(b, &b->read, to, message);
    if (status == LC_OK)
        status = lc_device_download(b->run.device, to->words, b->rows, size_bytes, b->run.stream,
                                    message);
    return status != LC_OK ? status : lc_device_synchronize(b->run.device, b->run.stream, message);
}

// Stepping ---------------------------------------------------------------------------------------

void lc_gpu_swap(lc_gpu_run *run)
{
    const lc_device_address cells = run->cells;
    run->cells = run->next;
    run->next = cells;
}

lc_status lc_gpu_launch(lc_gpu_run *run, int index, lc_launch launch, void **arguments,
                        lc_message *message)
{
    launch.stream = run->stream;
    run->launched[index] = launch;
    return lc_kernel_launch(&run->kernels[index], &launch, arguments, message);
}

lc_status lc_gpu_generation(lc_gpu_run *run, lc_launch launch, void **arguments, uint64_t *done,
                            lc_message *message)
{
    lc_status status = lc_gpu_launch(run, 0, launch, arguments, message);
    lc_gpu_swap(run);
    *done = 1;
    return status;
}

uint32_t lc_gpu_blocks(int64_t count, int64_t size)
{
    return (uint32_t)((count + size - 1) / size);
}

lc_launch lc_gpu_plane(uint32_t blocks_across, uint32_t blocks_down, uint32_t threads_across,
                       uint32_t threads_down)
{
    const uint32_t most = 32768; // of the 65,535 allowed
    const uint32_t layers = (blocks_down + most - 1) / most;
    return (lc_launch){
        .grid = {blocks_across, layers == 1 ? blocks_down : most, layers},
        .block = {threads_across, threads_down},
    };
}

// Records calls of the design, each of as many generations as it makes in one go; an even number of
// calls, so that the two boards end where they began.
static lc_status record_graph(gpu_board *b, lc_message *message)
{
    lc_gpu_run *run = &b->run;
    lc_device_graph *graph = NULL;
    uint64_t generations = 0;
    const lc_device_address cells = run->cells;
    lc_status status = lc_device_capture_begin(run->device, run->stream, message);
    if (status != LC_OK)
        return status;
    for (int i = 0; (i % 2 != 0 || generations < GRAPH_GENERATIONS) && status == LC_OK; i++) {
        uint64_t done = 0;
        status = b->design->gpu->step(run, UINT64_MAX, &done, message);
        generations += done;
    }
    // A recording that was begun has to be ended even if a launch failed.
    lc_status ended =
        lc_device_capture_end(run->device, run->stream, &graph, status != LC_OK ? NULL : message);
    status = status != LC_OK ? status : ended;
    if (status == LC_OK && run->cells != cells)
        status = lc_fail(message, LC_ERROR_SYSTEM,
                         "the design \"%s\" does not exchange its boards in every call",
                         b->design->name);
    b->graph = graph;
    b->graph_cells = cells;
    b->graph_generations = generations;
    return status;
}

static lc_status queue(gpu_board *b, uint64_t generations, lc_message *message)
{
    lc_gpu_run *run = &b->run;
    lc_status status = LC_OK;
    while (status == LC_OK && generations > 0) {
        uint64_t done = b->graph_generations;
        if (b->graph != NULL && generations >= done && run->cells == b->graph_cells)
            status = lc_device_graph_launch(run->device, b->graph, run->stream, message);
        else
            status = b->design->gpu->step(run, generations, &done, message);
        generations -= done;
    }
    return status;
}

static lc_status step(void *state, uint64_t generations, double *stepping_ns, lc_message *message)
{
    gpu_board *b = state;
    lc_gpu_run *run = &b->run;
    lc_status status = LC_OK;
    b->stepped = true;
    if (b->graph == NULL && generations >= GRAPH_GENERATIONS)
        status = record_graph(b, message);
    if (status == LC_OK)
        status = lc_device_event_record(run->device, b->begin, run->stream, message);
    if (status == LC_OK)
        status = queue(b, generations, message);
    if (status == LC_OK)
        status = lc_device_event_record(run->device, b->end, run->stream, message);
    return status != LC_OK
               ? status
               : lc_device_event_elapsed(run->device, b->begin, b->end, stepping_ns, message);
}

static bool population(void *state, uint64_t *population)
{
    gpu_board *b = state;
    const lc_gpu_design *of = b->design->gpu;
    return of->population != NULL && b->stepped &&
           of->population(&b->run, population, NULL) == LC_OK;
}

static int product(const uint32_t sizes[3])
{
    uint32_t result = 1;
    for (int i = 0; i < 3; i++)
        result *= sizes[i] != 0 ? sizes[i] : 1;
    return (int)result;
}

static void facts(const void *state, lc_step_facts *facts)
{
    const gpu_board *b = state;
    const lc_kernel *kernel = &b->run.kernels[0];
    const lc_launch *launch = &b->run.launched[0];
    *facts = (lc_step_facts){
        .registers = kernel->registers,
        .local_bytes = kernel->local_bytes,
        .shared_bytes = kernel->shared_bytes + (int)launch->shared_bytes,
        .threads_a_block = product(launch->block),
    };
    b->design->cost(&b->run.board, &facts->bytes_per_cell, &facts->operations_per_cell);
    int blocks = 0;
    if (launch->block[0] != 0 && lc_kernel_occupancy(kernel, facts->threads_a_block,
                                                     launch->shared_bytes, &blocks, NULL) == LC_OK)
        facts->occupancy = (double)blocks * facts->threads_a_block /
                           lc_device_facts_of(b->run.device)->threads_per_multiprocessor;
    facts->blocks = blocks;
}

static const char *settings(const void *state)
{
    return ((const gpu_board *)state)->settings;
}

void lc_gpu_guest(lc_guest_engine *engine)
{
    *engine = (lc_guest_engine){
        .on_gpu = true,
        .available = available,
        .check = check,
        .memory_limit_bytes = memory_limit_bytes,
        .create = create,
        .destroy = destroy,
        .write_rows = write_rows,
        .read_rows = read_rows,
        .step = step,
        .facts = facts,
        .settings = settings,
        .population = population,
    };
}
