// Batches (batch.h): boards in 64 x 64 cells, on the CPU or a GPU, or a universe for each board.
#include "lightcone/batch.h"

#include <pthread.h>
#include <string.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "base/ones.h"
#include "base/structure.h"
#include "census/batch_rules.h"
#include "census/gpu_boards.h"
#include "census/tiled_board.h"
#include "grid/grid.h"
#include "lightcone/universe.h"
#include "rule/rule_value.h"

static const size_t rules_max = UINT32_MAX;

enum {
    ROW_WORDS_MAX = LC_BATCH_SIDE_MAX / 64,
    // Generations of boards of 64 x 64 cells: in a task, and between two questions whether to stop.
    GENERATIONS_OF_TASK = 1 << 10,
    GENERATIONS_OF_SLICE = 1 << 22,
    GENERATIONS_OF_GPU_SLICE = 1 << 29,
    GPU_BOARDS = 1 << 13, // fewer leave a GPU idle, and take as long
};

struct lc_batch {
    lc_context *context;
    int64_t width, height;
    size_t boards, row_words;
    uint64_t generation;
    lc_batch_rules rules;
    uint32_t *rule_of_board;
    bool tiled;
    lc_tiling tiling;
    uint64_t *cells;               // LC_BOARD_WORDS for each board, if they are tiled
    size_t cells_bytes;            // size of `cells`
    lc_universe **universes;       // if not
    lc_gpu_boards *gpu;            // which has the boards, too; NULL: none
    bool gpu_is_old, gpu_is_newer; // one of them has other cells than the other
    pthread_mutex_t mutex;         // guards `failure` and its text
    lc_status failure;             // LC_OK, or why the batch is lost
    lc_message failure_message;
};

// Loops over boards ---------------------------------------------------------------------------

// A function for each board of a range, called on any thread.
typedef struct board_loop {
    lc_batch *batch;
    void (*body)(const struct board_loop *loop, size_t board);
    size_t first, count, chunk; // `chunk` boards are a task
    bool writes;                // cells
    int generations;
    uint8_t *states;
    uint64_t *words; // or populations
    size_t pitch;    // of states or words
    uint64_t seed;
    uint32_t density_16;
} board_loop;

static void run_chunk(void *context, size_t index, int worker)
{
    (void)worker;
    const board_loop *loop = context;
    const size_t begin = index * loop->chunk;
    const size_t end = begin + (size_t)lc_least_u64(loop->chunk, loop->count - begin);
    for (size_t i = begin; i < end; i++)
        loop->body(loop, loop->first + i);
}

static lc_status failure_of(const lc_batch *b, lc_message *message)
{
    if (b->failure != LC_OK && message != NULL)
        *message = b->failure_message;
    return b->failure;
}

// A universe or a GPU that cannot be used any more takes the batch with it.
static void check_lost(lc_batch *b, lc_status status, const lc_message *why)
{
    if (status == LC_OK)
        return;
    (void)pthread_mutex_lock(&b->mutex);
    if (b->failure == LC_OK) {
        b->failure = status;
        b->failure_message = *why;
    }
    (void)pthread_mutex_unlock(&b->mutex);
}

// Copies the cells from the GPU.
static void fetch_cells(lc_batch *b)
{
    lc_message why;
    const lc_status status = lc_gpu_boards_download(b->gpu, b->cells, &why);
    check_lost(b, status, &why);
    b->gpu_is_newer = status != LC_OK;
}

// Universes that are fewer than the threads are taken one after the other: each uses all threads.
static lc_status run_loop(board_loop *loop, lc_message *message)
{
    lc_batch *b = loop->batch;
    const bool few = !b->tiled && loop->count < (size_t)lc_pool_threads(b->context->pool);
    if (b->failure == LC_OK && b->gpu_is_newer)
        fetch_cells(b);
    if (b->failure != LC_OK || loop->count == 0)
        return failure_of(b, message);
    b->gpu_is_old |= loop->writes;
    if (few || loop->chunk == 0)
        loop->chunk = few ? loop->count : 1;
    if (few)
        run_chunk(loop, 0, 0);
    else
        lc_pool_run(b->context->pool, (loop->count - 1) / loop->chunk + 1, run_chunk, loop);
    return failure_of(b, message);
}

// Rows of a board -----------------------------------------------------------------------------

static uint64_t *cells_of(const lc_batch *b, size_t board)
{
    return b->cells + board * LC_BOARD_WORDS;
}

static lc_cells rectangle(const lc_batch *b, uint64_t *words, size_t pitch)
{
    return (lc_cells){.width_cells = b->width,
                      .height_cells = b->height,
                      .planes = 1,
                      .words = words,
                      .pitch_words = pitch};
}

static void read_board(lc_batch *b, size_t board, uint64_t *words, size_t pitch)
{
    lc_message why;
    if (b->tiled) {
        uint64_t rows[LC_BOARD_WORDS];
        lc_tiling_read(&b->tiling, cells_of(b, board), rows);
        for (size_t y = 0; y < (size_t)b->height; y++)
            words[y * pitch] = rows[y];
        return;
    }
    const lc_cells to = rectangle(b, words, pitch);
    const lc_status status = lc_universe_read(b->universes[board], &to, &why);
    check_lost(b, status, &why);
}

static void write_board(lc_batch *b, size_t board, const uint64_t *words, size_t pitch)
{
    lc_message why;
    if (b->tiled) {
        uint64_t rows[LC_BOARD_WORDS];
        for (size_t y = 0; y < (size_t)b->height; y++)
            rows[y] = words[y * pitch];
        lc_tiling_write(&b->tiling, cells_of(b, board), rows);
        return;
    }
    const lc_cells from = rectangle(b, (uint64_t *)words, pitch);
    const lc_status status = lc_universe_write(b->universes[board], &from, &why);
    check_lost(b, status, &why);
}

static void read_rows(const board_loop *loop, size_t board)
{
    const size_t y = (board - loop->first) * (size_t)loop->batch->height;
    read_board(loop->batch, board, loop->words + y * loop->pitch, loop->pitch);
}

static void write_rows(const board_loop *loop, size_t board)
{
    const size_t y = (board - loop->first) * (size_t)loop->batch->height;
    write_board(loop->batch, board, loop->words + y * loop->pitch, loop->pitch);
}

// States --------------------------------------------------------------------------------------

static void unpack_row(const uint64_t *words, int64_t width, uint8_t *states)
{
    for (int64_t x = 0; x < width; x++)
        states[x] = words[x / 64] >> x % 64 & 1;
}

static void pack_row(const uint8_t *states, int64_t width, uint64_t *words)
{
    memset(words, 0, ((size_t)width + 63) / 64 * sizeof *words);
    for (int64_t x = 0; x < width; x++)
        words[x / 64] |= (uint64_t)states[x] << x % 64;
}

static uint8_t *states_of(const board_loop *loop, size_t board)
{
    return loop->states + (board - loop->first) * (size_t)loop->batch->height * loop->pitch;
}

static void read_states(const board_loop *loop, size_t board)
{
    const lc_batch *b = loop->batch;
    uint64_t rows[LC_BOARD_WORDS];
    uint8_t *states = states_of(loop, board);
    lc_tiling_read(&b->tiling, cells_of(b, board), rows);
    for (int64_t y = 0; y < b->height; y++, states += loop->pitch)
        unpack_row(&rows[y], b->width, states);
}

static void write_states(const board_loop *loop, size_t board)
{
    const lc_batch *b = loop->batch;
    uint64_t rows[LC_BOARD_WORDS];
    const uint8_t *states = states_of(loop, board);
    for (int64_t y = 0; y < b->height; y++, states += loop->pitch)
        pack_row(states, b->width, &rows[y]);
    lc_tiling_write(&b->tiling, cells_of(b, board), rows);
}

// Universes are copied row by row, so that no memory is needed.
static void read_universe_states(const board_loop *loop, size_t board)
{
    lc_batch *b = loop->batch;
    uint64_t words[ROW_WORDS_MAX];
    uint8_t *states = states_of(loop, board);
    lc_status status = LC_OK;
    lc_message why;
    for (int64_t y = 0; y < b->height && status == LC_OK; y++, states += loop->pitch) {
        const lc_cells row = lc_row_cells(0, y, b->width, words);
        status = lc_universe_read(b->universes[board], &row, &why);
        unpack_row(words, b->width, states);
    }
    check_lost(b, status, &why);
}

static void write_universe_states(const board_loop *loop, size_t board)
{
    lc_batch *b = loop->batch;
    uint64_t words[ROW_WORDS_MAX];
    const uint8_t *states = states_of(loop, board);
    lc_status status = LC_OK;
    lc_message why;
    for (int64_t y = 0; y < b->height && status == LC_OK; y++, states += loop->pitch) {
        const lc_cells row = lc_row_cells(0, y, b->width, words);
        pack_row(states, b->width, words);
        status = lc_universe_write(b->universes[board], &row, &why);
    }
    check_lost(b, status, &why);
}

static lc_status check_row(const lc_batch *b, const uint8_t *states, size_t board, size_t y,
                           lc_message *message)
{
    for (int64_t x = 0; x < b->width; x++)
        if (states[x] > 1)
            return lc_fail(message, LC_ERROR_ARGUMENT,
                           "a cell's state is 0 or 1, but cell (%d, %d) of board %zu has state %d",
                           (int)x, (int)y, board, states[x]);
    return LC_OK;
}

static lc_status check_states(const board_loop *loop, lc_message *message)
{
    const lc_batch *b = loop->batch;
    const uint8_t *states = loop->states;
    lc_status status = LC_OK;
    for (size_t i = 0; i < loop->count; i++)
        for (size_t y = 0; y < (size_t)b->height && status == LC_OK; y++, states += loop->pitch)
            status = check_row(b, states, loop->first + i, y, message);
    return status;
}

// Copying cells: `row` is the size of a row in what `pitch` and `unit_bytes` count.
static lc_status check_copy(const board_loop *loop, size_t row, size_t unit_bytes,
                            lc_message *message)
{
    const lc_batch *b = loop->batch;
    size_t size;
    if (loop->first > b->boards || loop->count > b->boards - loop->first)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the batch has %zu boards, not %zu boards from board %zu on", b->boards,
                       loop->count, loop->first);
    if (loop->pitch < row)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a pitch of %zu is less than a row, which is %zu", loop->pitch, row);
    if (!lc_mul_size(loop->pitch, unit_bytes, &size) ||
        !lc_mul_size(size, (size_t)b->height, &size) || !lc_mul_size(size, loop->count, &size))
        return lc_fail(message, LC_ERROR_ARGUMENT, "a pitch of %zu is impossible", loop->pitch);
    return failure_of(b, message);
}

// Boards of a task that copies or fills.
static size_t chunk_of(const lc_batch *b)
{
    return (size_t)(64 * 4096 / (b->width * b->height));
}

lc_status lc_batch_read_states(const lc_batch *batch, size_t first, size_t count, uint8_t *states,
                               size_t pitch_bytes, lc_message *message)
{
    board_loop loop = {.batch = (lc_batch *)batch,
                       .body = batch->tiled ? read_states : read_universe_states,
                       .first = first,
                       .count = count,
                       .chunk = chunk_of(batch),
                       .states = states,
                       .pitch = pitch_bytes};
    const lc_status status = check_copy(&loop, (size_t)batch->width, 1, message);
    return status == LC_OK ? run_loop(&loop, message) : status;
}

lc_status lc_batch_write_states(lc_batch *batch, size_t first, size_t count, const uint8_t *states,
                                size_t pitch_bytes, lc_message *message)
{
    board_loop loop = {.batch = batch,
                       .body = batch->tiled ? write_states : write_universe_states,
                       .writes = true,
                       .first = first,
                       .count = count,
                       .chunk = chunk_of(batch),
                       .states = (uint8_t *)states,
                       .pitch = pitch_bytes};
    lc_status status = check_copy(&loop, (size_t)batch->width, 1, message);
    if (status == LC_OK)
        status = check_states(&loop, message);
    return status == LC_OK ? run_loop(&loop, message) : status;
}

lc_status lc_batch_read_rows(const lc_batch *batch, size_t first, size_t count, uint64_t *words,
                             size_t pitch_words, lc_message *message)
{
    board_loop loop = {.batch = (lc_batch *)batch,
                       .body = read_rows,
                       .first = first,
                       .count = count,
                       .chunk = chunk_of(batch),
                       .words = words,
                       .pitch = pitch_words};
    const lc_status status = check_copy(&loop, batch->row_words, sizeof *words, message);
    return status == LC_OK ? run_loop(&loop, message) : status;
}

lc_status lc_batch_write_rows(lc_batch *batch, size_t first, size_t count, const uint64_t *words,
                              size_t pitch_words, lc_message *message)
{
    board_loop loop = {.batch = batch,
                       .body = write_rows,
                       .writes = true,
                       .first = first,
                       .count = count,
                       .chunk = chunk_of(batch),
                       .words = (uint64_t *)words,
                       .pitch = pitch_words};
    const lc_status status = check_copy(&loop, batch->row_words, sizeof *words, message);
    return status == LC_OK ? run_loop(&loop, message) : status;
}

// Soups and populations -----------------------------------------------------------------------

static void fill_universe(lc_batch *b, size_t board, double density, uint64_t seed)
{
    lc_message why;
    const lc_status status =
        lc_universe_soup(b->universes[board], 0, 0, b->width, b->height, density, seed, &why);
    check_lost(b, status, &why);
}

static void fill_board(const board_loop *loop, size_t board)
{
    lc_batch *b = loop->batch;
    const uint64_t seed = loop->seed + board;
    if (!b->tiled) {
        fill_universe(b, board, loop->density_16 / 65536.0, seed);
        return;
    }
    uint64_t rows[LC_BOARD_WORDS];
    for (int64_t y = 0; y < b->height; y++)
        rows[y] = lc_soup_word(seed, loop->density_16, 0, y);
    lc_tiling_write(&b->tiling, cells_of(b, board), rows);
}

lc_status lc_batch_fill_random(lc_batch *batch, double density, uint64_t seed, lc_message *message)
{
    board_loop loop = {.batch = batch,
                       .body = fill_board,
                       .writes = true,
                       .count = batch->boards,
                       .chunk = chunk_of(batch),
                       .seed = seed};
    const lc_status status = lc_soup_density(&loop.density_16, density, message);
    return status == LC_OK ? run_loop(&loop, message) : status;
}

static void count_tiled(const board_loop *loop, size_t board)
{
    const lc_batch *b = loop->batch;
    uint64_t rows[LC_BOARD_WORDS];
    lc_tiling_read(&b->tiling, cells_of(b, board), rows);
    loop->words[board] = lc_ones_of(rows, (size_t)b->height);
}

static void count_universe(const board_loop *loop, size_t board)
{
    lc_batch *b = loop->batch;
    uint64_t words[ROW_WORDS_MAX], population = 0;
    lc_status status = LC_OK;
    lc_message why;
    for (int64_t y = 0; y < b->height && status == LC_OK; y++) {
        const lc_cells row = lc_row_cells(0, y, b->width, words);
        status = lc_universe_read(b->universes[board], &row, &why);
        population += lc_ones_of(words, b->row_words);
    }
    check_lost(b, status, &why);
    loop->words[board] = population;
}

lc_status lc_batch_populations(const lc_batch *batch, uint64_t *populations, lc_message *message)
{
    board_loop loop = {.batch = (lc_batch *)batch,
                       .body = batch->tiled ? count_tiled : count_universe,
                       .count = batch->boards,
                       .chunk = chunk_of(batch),
                       .words = populations};
    return run_loop(&loop, message);
}

// Steps ---------------------------------------------------------------------------------------

static void step_tiled(const board_loop *loop, size_t board)
{
    const lc_batch *b = loop->batch;
    const lc_batch_rule *rule = &b->rules.rule[b->rule_of_board[board]];
    lc_tiling_step(&b->tiling, rule->step, cells_of(b, board), loop->generations, &rule->data);
}

static void step_universe(const board_loop *loop, size_t board)
{
    lc_message why;
    const lc_count generations = lc_count_of((uint64_t)loop->generations);
    const lc_status status =
        lc_universe_step(loop->batch->universes[board], generations, NULL, NULL, &why);
    check_lost(loop->batch, status, &why);
}

// Returns how many times `count` generations of a board fit in `work`; at least 1.
static uint64_t times_in(const lc_batch *b, uint64_t work, uint64_t count)
{
    const uint64_t each = (uint64_t)(b->width * b->height) / 4096 + 1;
    const uint64_t times = work / each / count;
    return times != 0 ? times : 1;
}

static lc_status step_on_gpu(lc_batch *b, int generations, lc_message *message)
{
    lc_message why;
    lc_status status = LC_OK;
    if (b->gpu_is_old)
        status = lc_gpu_boards_upload(b->gpu, b->cells, &why);
    b->gpu_is_old &= status != LC_OK;
    if (status == LC_OK)
        status = lc_gpu_boards_step(b->gpu, generations, &why);
    b->gpu_is_newer = true;
    check_lost(b, status, &why);
    return failure_of(b, message);
}

static uint64_t slice_of(const lc_batch *b)
{
    if (b->gpu == NULL)
        return times_in(b, GENERATIONS_OF_SLICE, b->boards);
    return times_in(b, GENERATIONS_OF_GPU_SLICE, b->boards < GPU_BOARDS ? GPU_BOARDS : b->boards);
}

// Steps all boards by generations that take about a tenth of a second, and at most by `left`.
static lc_status step_slice(lc_batch *b, uint64_t left, lc_message *message)
{
    const uint64_t slice = lc_least_u64(left, slice_of(b));
    board_loop loop = {.batch = b,
                       .body = b->tiled ? step_tiled : step_universe,
                       .count = b->boards,
                       .chunk = (size_t)times_in(b, GENERATIONS_OF_TASK, slice),
                       .generations = (int)slice};
    lc_status status = lc_check_give_up(message);
    if (status == LC_OK && b->gpu != NULL)
        status = step_on_gpu(b, (int)slice, message);
    else if (status == LC_OK)
        status = run_loop(&loop, message);
    if (status != LC_OK)
        return status;
    b->generation += slice;
    if (b->tiled && b->gpu == NULL)
        lc_batch_rules_count(&b->rules, (double)slice * (double)b->boards);
    return LC_OK;
}

lc_status lc_batch_step(lc_batch *batch, uint64_t generations, lc_message *message)
{
    uint64_t end;
    if (!lc_add_u64(batch->generation, generations, &end))
        return lc_fail(message, LC_ERROR_ARGUMENT, "a batch has at most 2^64 - 1 generations");
    lc_status status = failure_of(batch, message);
    while (status == LC_OK && batch->generation < end)
        status = step_slice(batch, end - batch->generation, message);
    return status;
}

uint64_t lc_batch_generation(const lc_batch *batch)
{
    return batch->generation;
}

// Creating ------------------------------------------------------------------------------------

static lc_status check_rules(const lc_batch_options *o, lc_message *message)
{
    if (o->rules == NULL || o->rule_count == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a batch needs at least one rule");
    if (o->rule_count > rules_max)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a batch has at most %zu rules", rules_max);
    for (size_t i = 0; i < o->rule_count; i++) {
        if (o->rules[i] == NULL)
            return lc_fail(message, LC_ERROR_ARGUMENT, "rule %zu of the batch is NULL", i);
        const lc_status status = lc_rule_need_two_states(o->rules[i], "a batch", message);
        if (status != LC_OK)
            return status;
    }
    if (o->rule_of_board == NULL && o->boards % o->rule_count != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "%zu boards cannot be shared equally by %zu rules: set rule_of_board",
                       o->boards, o->rule_count);
    for (size_t i = 0; i < o->boards && o->rule_of_board != NULL; i++)
        if (o->rule_of_board[i] >= o->rule_count)
            return lc_fail(message, LC_ERROR_ARGUMENT,
                           "board %zu has rule %u, and there are rules 0 to %zu", i,
                           (unsigned)o->rule_of_board[i], o->rule_count - 1);
    return LC_OK;
}

static bool is_side(int64_t cells)
{
    return cells >= 1 && cells <= LC_BATCH_SIDE_MAX;
}

static lc_status check(const lc_batch_options *o, lc_message *message)
{
    if (o->topology != LC_TOPOLOGY_TORUS)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the boards of a batch are tori (LC_TOPOLOGY_TORUS)");
    if (!is_side(o->width_cells) || !is_side(o->height_cells))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the boards of a batch have 1 to %d cells a side, not %lld x %lld",
                       LC_BATCH_SIDE_MAX, (long long)o->width_cells, (long long)o->height_cells);
    if (o->boards == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a batch needs at least one board");
    if (o->engine != NULL && strcmp(o->engine, "auto") != 0 && strcmp(o->engine, "simd") != 0 &&
        strcmp(o->engine, "cuda") != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a batch has the engine \"simd\" or \"cuda\", not \"%.40s\"", o->engine);
    return check_rules(o, message);
}

static lc_universe_options universe_options(const lc_batch *b, const lc_batch_options *o,
                                            const lc_rule *rule)
{
    return (lc_universe_options){
        .struct_bytes = sizeof(lc_universe_options),
        .rule = rule,
        .topology = {LC_TOPOLOGY_TORUS, b->width, b->height, 0, 0, false, false},
        .engine = "simd",
        .cpu_level = o->cpu_level,
        .max_memory_bytes = o->max_memory_bytes,
        .context = b->context};
}

// Sets *bytes to the memory of a board.
static lc_status bytes_of_board(const lc_batch *b, const lc_batch_options *o, uint64_t *bytes,
                                lc_message *message)
{
    *bytes = LC_BOARD_WORDS * sizeof *b->cells;
    if (b->tiled)
        return LC_OK;
    const lc_universe_options options = universe_options(b, o, o->rules[0]);
    lc_universe_needs needs = {0};
    const lc_status status = lc_universe_check(&options, &needs, message);
    *bytes = needs.memory_bytes;
    return status;
}

static lc_status check_memory(const lc_batch *b, const lc_batch_options *o, lc_message *message)
{
    uint64_t bytes;
    const uint64_t limit = lc_memory_limit(o->max_memory_bytes);
    const lc_status status = bytes_of_board(b, o, &bytes, message);
    if (status != LC_OK)
        return status;
    if (!lc_mul_u64(bytes, b->boards, &bytes))
        bytes = UINT64_MAX;
    if (bytes > limit)
        return lc_fail_limit(message, bytes, limit, "%zu boards need", b->boards);
    return LC_OK;
}

static lc_status create_universes(lc_batch *b, const lc_batch_options *o, lc_message *message)
{
    lc_status status = LC_OK;
    b->universes = lc_calloc(b->boards, sizeof *b->universes);
    if (b->universes == NULL)
        return lc_fail_memory(message, "%zu boards", b->boards);
    for (size_t i = 0; i < b->boards && status == LC_OK; i++) {
        const lc_universe_options options = universe_options(b, o, o->rules[b->rule_of_board[i]]);
        status = lc_universe_create(&b->universes[i], &options, message);
    }
    return status;
}

static lc_status create_cells(lc_batch *b, const lc_batch_options *o, lc_message *message)
{
    if (!b->tiled)
        return create_universes(b, o, message);
    b->cells_bytes = b->boards * LC_BOARD_WORDS * sizeof *b->cells;
    b->cells = lc_context_alloc(b->context, b->cells_bytes);
    return b->cells != NULL ? LC_OK : lc_fail_memory(message, "%zu boards", b->boards);
}

static bool copy_rule_of_board(lc_batch *b, const lc_batch_options *o)
{
    b->rule_of_board = lc_calloc(b->boards, sizeof *b->rule_of_board);
    if (b->rule_of_board == NULL)
        return false;
    for (size_t i = 0; i < b->boards; i++)
        b->rule_of_board[i] = o->rule_of_board != NULL
                                  ? o->rule_of_board[i]
                                  : (uint32_t)(i / (b->boards / o->rule_count));
    return true;
}

static bool is_on_gpu(const lc_batch_options *o)
{
    return o->engine != NULL && strcmp(o->engine, "cuda") == 0;
}

static lc_status create_on_gpu(lc_batch *b, const lc_batch_options *o, lc_message *message)
{
    const lc_gpu_boards_options options = {.context = b->context,
                                           .tiling = &b->tiling,
                                           .boards = b->boards,
                                           .rules = o->rules,
                                           .rule_count = o->rule_count,
                                           .rule_of_board = b->rule_of_board};
    b->gpu_is_old = true;
    return lc_gpu_boards_create(&b->gpu, &options, message);
}

static lc_status fill_in(lc_batch *b, const lc_batch_options *o, lc_message *message)
{
    const lc_level *level = lc_level_find(o->cpu_level, message);
    if (level == NULL)
        return LC_ERROR_UNSUPPORTED;
    lc_status status = lc_context_hold_alone(&b->context, o->context, message);
    if (status != LC_OK)
        return status;
    b->width = o->width_cells;
    b->height = o->height_cells;
    b->row_words = ((size_t)o->width_cells + 63) / 64;
    b->boards = o->boards;
    b->tiled = lc_tiling_set(&b->tiling, is_on_gpu(o) ? NULL : level, b->width, b->height);
    if (is_on_gpu(o) && !b->tiled)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "GPUs step batches of boards of 1 to 62 or 64 cells a side, not %lld x %lld",
                       (long long)b->width, (long long)b->height);
    status = check_memory(b, o, message);
    if (status != LC_OK)
        return status;
    if (!copy_rule_of_board(b, o) || lc_batch_rules_set(&b->rules, level, o->rules, o->rule_count,
                                                        lc_context_cache(b->context)) != LC_OK)
        return lc_fail_memory(message, "the rules of a batch");
    status = create_cells(b, o, message);
    return status == LC_OK && is_on_gpu(o) ? create_on_gpu(b, o, message) : status;
}

lc_status lc_batch_create(lc_batch **out, const lc_batch_options *options, lc_message *message)
{
    lc_batch_options o;
    *out = NULL;
    lc_status status = lc_structure_take(&o, sizeof o, options, "lc_batch_options", message);
    if (status == LC_OK)
        status = check(&o, message);
    if (status != LC_OK)
        return status;
    lc_batch *b = lc_calloc(1, sizeof *b);
    if (b == NULL)
        return lc_fail_memory(message, "a batch");
    (void)pthread_mutex_init(&b->mutex, NULL);
    status = fill_in(b, &o, message);
    if (status != LC_OK)
        lc_batch_destroy(&b);
    *out = b;
    return status;
}

void lc_batch_destroy(lc_batch **batch)
{
    if (batch == NULL || *batch == NULL)
        return;
    lc_batch *b = *batch;
    *batch = NULL;
    for (size_t i = 0; i < b->boards && b->universes != NULL; i++)
        lc_universe_destroy(&b->universes[i]);
    lc_free(b->universes);
    if (b->cells != NULL)
        lc_context_free(b->context, b->cells, b->cells_bytes);
    lc_gpu_boards_destroy(&b->gpu);
    lc_batch_rules_free(&b->rules);
    lc_free(b->rule_of_board);
    lc_context_destroy(&b->context);
    (void)pthread_mutex_destroy(&b->mutex);
    lc_free(b);
}
