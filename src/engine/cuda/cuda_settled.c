// Steps boards that have settled, by rounds of the kernels in kernels/settled.cu.
#include "engine/cuda/cuda_settled.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/topology.h"

enum {
    THREADS = 128, // in a block of every kernel
    LANES = 32,
    SAMPLES = 4096, // at most
    OPTIONS = 2,
    COUNTS_BYTES = LC_SETTLED_COUNTS * sizeof(lc_u64),
};

typedef struct program {
    lc_kernel kernel;
    uint32_t blocks; // that the GPU holds at a time
} program;

struct lc_cuda_settled {
    lc_device *device;
    lc_device_stream *stream;
    lc_surface surface;
    bool walls;
    lc_settled_tiles tiles;
    uint64_t tile_count;
    // One allocation: counts, the tiles seen beyond the board, the list of tiles, and the changes
    // in each of the two buffers, those of `cells` first.
    lc_device_address counts, beyond, list, changed, changed_next;
    uint64_t rounds; // since the last beginning
    int turn;        // index of the next round's count of the list
    char rule_text[LC_NETWORKS_TEXT_BYTES];
    char option_text[OPTIONS][24];
    const char *options[OPTIONS];
    lc_kernel_text *texts;
    lc_kernel_source source;
    lc_module_work *work; // NULL: ended
    lc_module *module;    // NULL: not yet
    program visit, choose, find_beyond, sample;
};

// Memory -----------------------------------------------------------------------------------------

static uint64_t round_up(uint64_t size_bytes)
{
    return (size_bytes + 255) / 256 * 256;
}

static uint64_t tiles_of(const lc_frame *frame)
{
    return ((uint64_t)(frame->width_cells - 1) / LC_SETTLED_COLUMNS + 1) *
           ((uint64_t)(frame->height_cells - 1) / LC_SETTLED_ROWS + 1);
}

static uint64_t beyond_bytes(const lc_settled_tiles *tiles)
{
    return round_up((uint64_t)lc_settled_lists(tiles) * LC_BEYOND_ENTRIES * sizeof(uint32_t));
}

uint64_t lc_cuda_settled_bytes(const lc_frame *frame)
{
    const lc_settled_tiles tiles = lc_settled_tiles_of(frame->width_cells, frame->height_cells);
    const uint64_t count = tiles_of(frame);
    return round_up(COUNTS_BYTES) + beyond_bytes(&tiles) + round_up(count * sizeof(uint32_t)) +
           2 * round_up(count);
}

bool lc_cuda_settled_fits(const lc_frame *frame, const lc_topology *topology, int words, int reach)
{
    const lc_frame own = lc_frame_of(topology);
    return !frame->is_slab && words == LC_SETTLED_WORDS && reach == 1 &&
           tiles_of(frame) <= INT32_MAX && topology->width_cells == frame->width_cells &&
           topology->height_cells == frame->height_cells && own.left == frame->left &&
           own.right == frame->right && own.top == frame->top && own.bottom == frame->bottom;
}

static lc_status allocate(lc_cuda_settled *s, const lc_frame *frame, lc_message *message)
{
    lc_status status = lc_device_alloc(s->device, "the list of tiles in which something happens",
                                       lc_cuda_settled_bytes(frame), &s->counts, message);
    s->beyond = s->counts + round_up(COUNTS_BYTES);
    s->list = s->beyond + beyond_bytes(&s->tiles);
    s->changed = s->list + round_up(s->tile_count * sizeof(uint32_t));
    s->changed_next = s->changed + round_up(s->tile_count);
    return status != LC_OK
               ? status
               : lc_device_fill(s->device, s->counts, 0, COUNTS_BYTES, s->stream, message);
}

// Creation ---------------------------------------------------------------------------------------

static lc_status begin(lc_cuda_settled *s, const lc_cuda_stepper *stepper, lc_message *message)
{
    (void)snprintf(s->rule_text, sizeof s->rule_text, "%s", lc_cuda_stepper_rule_text(stepper));
    (void)snprintf(s->option_text[0], sizeof s->option_text[0], "-DLC_K=%d", LC_SETTLED_WORDS);
    (void)snprintf(s->option_text[1], sizeof s->option_text[1], "-DLC_WALLS=%d", s->walls);
    for (size_t i = 0; i < OPTIONS; i++)
        s->options[i] = s->option_text[i];
    const lc_status status = lc_kernel_texts_for_rule(&s->texts, s->rule_text, message);
    s->source = (lc_kernel_source){
        .name = "settled.cu", .texts = s->texts, .options = s->options, .option_count = OPTIONS};
    return status != LC_OK ? status : lc_module_begin(&s->work, s->device, &s->source, message);
}

lc_status lc_cuda_settled_create(lc_cuda_settled **out, const lc_cuda_board *board,
                                 const lc_cuda_stepper *stepper, const lc_topology *topology,
                                 lc_message *message)
{
    *out = NULL;
    lc_cuda_settled *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "a stepper");
    s->device = board->device;
    s->stream = board->stream;
    s->surface = lc_surface_of(topology);
    s->walls = lc_frame_is_all(&board->frame, LC_EDGE_WALL);
    s->tiles = lc_settled_tiles_of(board->frame.width_cells, board->frame.height_cells);
    s->tile_count = tiles_of(&board->frame);
    lc_status status = allocate(s, &board->frame, message);
    if (status == LC_OK)
        status = begin(s, stepper, message);
    if (status != LC_OK)
        lc_cuda_settled_destroy(&s);
    *out = s;
    return status;
}

void lc_cuda_settled_destroy(lc_cuda_settled **settled)
{
    lc_cuda_settled *s = *settled;
    *settled = NULL;
    if (s == NULL)
        return;
    (void)lc_module_end(NULL, &s->work, NULL);
    lc_module_destroy(&s->module);
    lc_device_free(s->device, &s->counts);
    lc_free(s->texts);
    lc_free(s);
}

// Launches ---------------------------------------------------------------------------------------

static lc_status launch(const lc_cuda_settled *s, const program *p, uint64_t warps, bool overlapped,
                        void **arguments, lc_message *message)
{
    const uint64_t blocks = (warps + THREADS / LANES - 1) / (THREADS / LANES);
    const lc_launch how = {
        .grid = {(uint32_t)(blocks < p->blocks ? blocks : p->blocks)},
        .block = {THREADS},
        .overlapped = overlapped &&
                      lc_device_facts_of(s->device)->architecture >= LC_DEVICE_OVERLAP_ARCHITECTURE,
        .stream = s->stream,
    };
    return lc_kernel_launch(&p->kernel, &how, arguments, message);
}

static lc_status find_beyond(lc_cuda_settled *s, lc_message *message)
{
    void *arguments[] = {&s->surface, &s->tiles, &s->beyond};
    return launch(s, &s->find_beyond, lc_settled_lists(&s->tiles), false, arguments, message);
}

lc_status lc_cuda_settled_ready(lc_cuda_settled *s, lc_message *message)
{
    const struct {
        program *program;
        const char *name;
    } programs[] = {{&s->visit, "visit"},
                    {&s->choose, "choose"},
                    {&s->find_beyond, "find_beyond"},
                    {&s->sample, "sample"}};
    if (s->module != NULL)
        return LC_OK;
    lc_status status = lc_module_end(&s->module, &s->work, message);
    for (size_t i = 0; i < sizeof programs / sizeof *programs && status == LC_OK; i++) {
        program *p = programs[i].program;
        int blocks = 0;
        status = lc_kernel_find(&p->kernel, s->module, programs[i].name, message);
        if (status == LC_OK)
            status = lc_kernel_occupancy(&p->kernel, THREADS, 0, &blocks, message);
        p->blocks =
            (uint32_t)((blocks > 0 ? blocks : 1) * lc_device_facts_of(s->device)->multiprocessors);
    }
    return status != LC_OK ? status : find_beyond(s, message);
}

// Rounds -----------------------------------------------------------------------------------------

void lc_cuda_settled_begin_anew(lc_cuda_settled *settled)
{
    settled->rounds = 0;
}

uint64_t lc_cuda_settled_rounds(const lc_cuda_settled *settled)
{
    return settled->rounds;
}

static lc_status make_round(lc_cuda_settled *s, lc_cuda_board *board, lc_message *message)
{
    lc_status status = LC_OK;
    int first = s->rounds == 0, turn = s->turn;
    if (first)
        status =
            lc_device_fill(s->device, s->changed, LC_PART_ALL, s->tile_count, s->stream, message);
    if (status == LC_OK && !s->walls)
        status = lc_cuda_board_fill_halo(board, LC_SETTLED_GENERATIONS, message);
    lc_board_view in = lc_cuda_board_view(board, board->cells);
    lc_board_view out = lc_cuda_board_view(board, board->next);
    void *to_choose[] = {&s->tiles,  &s->changed, &s->changed_next, &s->beyond, &s->list,
                         &s->counts, &turn};
    void *to_visit[] = {&in,        &out,  &s->tiles, &s->list, &s->changed_next,
                        &s->counts, &turn, &first};
    if (status == LC_OK)
        status =
            launch(s, &s->choose, (s->tile_count + LANES - 1) / LANES, !first, to_choose, message);
    if (status == LC_OK)
        status = launch(s, &s->visit, s->tile_count, true, to_visit, message);
    if (status != LC_OK)
        return status;
    const lc_device_address changed = s->changed_next;
    s->changed_next = s->changed;
    s->changed = changed;
    s->turn = 1 - turn;
    s->rounds++;
    lc_cuda_board_swap(board);
    return LC_OK;
}

lc_status lc_cuda_settled_run(lc_cuda_settled *s, lc_cuda_board *board, uint64_t rounds,
                              lc_message *message)
{
    lc_status status = lc_cuda_settled_ready(s, message);
    if (status == LC_OK)
        status = lc_cuda_board_settle(board, message);
    for (; rounds > 0 && status == LC_OK; rounds--)
        status = make_round(s, board, message);
    return status;
}

// Counts -----------------------------------------------------------------------------------------

static lc_status read_count(lc_cuda_settled *s, int which, lc_u64 *count, lc_message *message)
{
    const lc_status status =
        lc_device_download(s->device, count, s->counts + (uint64_t)which * sizeof *count,
                           sizeof *count, s->stream, message);
    return status != LC_OK ? status : lc_device_synchronize(s->device, s->stream, message);
}

lc_status lc_cuda_settled_visited(lc_cuda_settled *s, uint64_t *tiles, lc_message *message)
{
    lc_u64 count = 0;
    const lc_status status = read_count(s, LC_SETTLED_VISITED, &count, message);
    *tiles = count;
    return status;
}

lc_status lc_cuda_settled_sample(lc_cuda_settled *s, const lc_cuda_board *board, double *lively,
                                 lc_message *message)
{
    // Tiles whose windows of 128 columns and 64 rows lie on the board.
    const int64_t across = (board->frame.width_cells - 96) / LC_SETTLED_COLUMNS;
    const int64_t down = (board->frame.height_cells - 48) / LC_SETTLED_ROWS;
    lc_board_view view = lc_cuda_board_view(board, board->cells);
    uint32_t inner_across = (uint32_t)across, inner_down = (uint32_t)down, samples = SAMPLES;
    lc_u64 count = 0;
    *lively = 1;
    if (across < 1 || down < 1)
        return LC_OK;
    if (across * down < SAMPLES)
        samples = (uint32_t)(across * down);
    lc_status status = lc_cuda_settled_ready(s, message);
    if (status == LC_OK)
        status = lc_device_fill(s->device, s->counts + LC_SETTLED_LIVELY * sizeof(lc_u64), 0,
                                sizeof(lc_u64), s->stream, message);
    void *arguments[] = {&view, &inner_across, &inner_down, &samples, &s->counts};
    if (status == LC_OK)
        status = launch(s, &s->sample, samples, false, arguments, message);
    if (status == LC_OK)
        status = read_count(s, LC_SETTLED_LIVELY, &count, message);
    *lively = (double)count / samples;
    return status;
}
