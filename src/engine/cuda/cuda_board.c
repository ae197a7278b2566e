// Boards in a GPU's memory. Their kernels are in kernels/board.cu.
#include "engine/cuda/cuda_board.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/cuda/cuda_halo_messages.h"
#include "grid/topology.h"
#include "kernels/hash.h"
#include "kernels/tone.h"

enum {
    THREADS = 256,      // of a block, for every kernel here
    BLOCKS_AT_MOST = 16 // for each multiprocessor; kernels loop over further items
};

// The window is large enough that a launch and a wait do not count. It is not larger, because a
// read of one cell copies a whole tile.
static const int64_t window_bytes = 8 << 20;
static const int64_t least_window_bytes = 64 << 10; // pieces of counts go through it too
static const int64_t tile_words = 1 << 16;          // of a row, at most; even, like a group

enum { FACTS = 7 }; // numbers that find_facts writes

// Creation ---------------------------------------------------------------------------------------

typedef struct layout {
    int64_t segments; // of a row
    lc_cuda_bands bands;
    uint64_t buffer_bytes, second_bytes; // of one buffer; from its start to that of the other
} layout;

static bool lay_out(const lc_frame *frame, int words, int64_t band_rows, layout *out)
{
    uint64_t rows, row_bytes;
    if (frame->width_cells < 1 || frame->height_cells < 1)
        return false;
    *out = (layout){.segments = lc_divided_up(frame->width_cells, 32 * words)};
    if (!lc_add_u64((uint64_t)frame->height_cells, 2 * LC_HALO_ROWS, &rows) ||
        !lc_mul_u64((uint64_t)out->segments + 2, sizeof(lc_word) * (uint64_t)words, &row_bytes) ||
        !lc_mul_u64(rows, row_bytes, &out->buffer_bytes) || out->buffer_bytes > INT64_MAX / 4)
        return false;
    out->second_bytes = out->buffer_bytes;
    if (band_rows > 0) { // not more than two buffers: a shift is at most the rows of a buffer
        out->bands = lc_cuda_bands_of(frame->height_cells, band_rows);
        out->second_bytes = (uint64_t)lc_cuda_bands_shift(&out->bands) * row_bytes;
    }
    return true;
}

static void lay_out_window(lc_cuda_window *window, const lc_frame *frame)
{
    int64_t words = lc_divided_up(frame->width_cells, 64);
    window->words = words < tile_words ? words : tile_words;
    window->tile_rows = window_bytes / (window->words * 8);
    if (window->tile_rows > frame->height_cells)
        window->tile_rows = frame->height_cells;
    int64_t bytes = window->words * window->tile_rows * 8;
    window->size_bytes = (size_t)(bytes > least_window_bytes ? bytes : least_window_bytes);
}

bool lc_cuda_board_bytes(const lc_frame *frame, int words, int64_t band_rows, uint64_t *size_bytes)
{
    layout of;
    if (!lay_out(frame, words, band_rows, &of))
        return false;
    lc_cuda_window window = {0};
    lay_out_window(&window, frame);
    *size_bytes = of.buffer_bytes + of.second_bytes + window.size_bytes;
    if (frame->is_slab)
        *size_bytes += lc_cuda_messages_bytes(((uint64_t)of.segments + 2) * 4 * (uint64_t)words);
    return true;
}

lc_status lc_cuda_board_module(const lc_cuda_board *b, const char *name, lc_module **module,
                               lc_message *message)
{
    char option[16];
    const char *options[] = {option};
    (void)snprintf(option, sizeof option, "-DLC_K=%d", b->words);
    const lc_kernel_source source = {
        .name = name, .texts = lc_kernel_texts, .options = options, .option_count = 1};
    return lc_module_create(module, b->device, &source, NULL, message);
}

static lc_status find_kernels(lc_cuda_board *b, lc_message *message)
{
    lc_status status = lc_cuda_board_module(b, "board.cu", &b->module, message);
    const struct {
        lc_kernel *kernel;
        const char *name;
    } kernels[] = {{&b->scatter, "scatter"},
                   {&b->gather, "gather"},
                   {&b->halo, "halo"},
                   {&b->give, "give"},
                   {&b->settle, "settle"},
                   {&b->count_squares, "count_squares"},
                   {&b->find_facts, "find_facts"}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels && status == LC_OK; i++)
        status = lc_kernel_find(kernels[i].kernel, b->module, kernels[i].name, message);
    return status;
}

// Allocates both buffers at once, so that the message of a too small GPU has the bytes of the whole
// board.
static lc_status allocate(lc_cuda_board *b, uint64_t second_bytes, lc_message *message)
{
    lc_device_address both, small;
    void *rows;
    const uint64_t facts_bytes = FACTS * sizeof(uint64_t);
    const uint64_t both_bytes = b->buffer_bytes + second_bytes;
    lc_status status = lc_device_alloc(b->device, "the cells", both_bytes, &both, message);
    if (status != LC_OK)
        return status;
    b->cells = both;
    b->next = both + second_bytes;
    status = lc_device_alloc(b->device, "rows on their way", b->window.size_bytes,
                             &b->window.on_gpu, message);
    if (status == LC_OK)
        status = lc_device_alloc(b->device, "facts about the cells", facts_bytes, &small, message);
    if (status != LC_OK)
        return status;
    b->facts_on_gpu = small;
    status =
        lc_device_host_alloc(b->device, "rows on their way", b->window.size_bytes, &rows, message);
    if (status != LC_OK)
        return status;
    b->window.rows = rows;
    return lc_device_fill(b->device, both, 0, both_bytes, b->stream, message);
}

lc_status lc_cuda_board_create(lc_cuda_board *board, lc_device *device, lc_device_stream *stream,
                               const lc_frame *frame, int words, int64_t band_rows,
                               lc_message *message)
{
    layout of;
    *board = (lc_cuda_board){.device = device, .stream = stream, .frame = *frame, .words = words};
    if (!lay_out(frame, words, band_rows, &of))
        return lc_fail(message, LC_ERROR_LIMIT, "a board of %lld x %lld cells is too large",
                       (long long)frame->width_cells, (long long)frame->height_cells);
    board->segments = of.segments;
    board->bands = of.bands;
    board->buffer_bytes = of.buffer_bytes;
    lay_out_window(&board->window, frame);
    lc_status status = allocate(board, of.second_bytes, message);
    if (status == LC_OK)
        status = find_kernels(board, message);
    if (status == LC_OK && frame->is_slab)
        status = lc_device_event_create(device, &board->made, message);
    if (status == LC_OK && frame->is_slab)
        status = lc_device_event_create(device, &board->taken, message);
    if (status != LC_OK)
        lc_cuda_board_destroy(board);
    return status;
}

void lc_cuda_board_destroy(lc_cuda_board *b)
{
    if (b->device == NULL)
        return;
    void *rows = b->window.rows;
    lc_device_address both = b->cells < b->next ? b->cells : b->next;
    lc_device_host_free(b->device, &rows);
    lc_device_free(b->device, &b->window.on_gpu);
    lc_device_free(b->device, &b->facts_on_gpu);
    lc_device_free(b->device, &both);
    lc_device_event_destroy(b->device, &b->made);
    lc_device_event_destroy(b->device, &b->taken);
    lc_module_destroy(&b->module);
    *b = (lc_cuda_board){0};
}

// Launches ---------------------------------------------------------------------------------------

lc_board_view lc_cuda_board_view(const lc_cuda_board *b, lc_device_address buffer)
{
    return (lc_board_view){
        .cells = buffer,
        .width_cells = b->frame.width_cells,
        .height_cells = b->frame.height_cells,
        .segments = b->segments,
        .above = b->frame.top == LC_EDGE_OPEN ? LC_HALO_ROWS : 0,
        .below = b->frame.bottom == LC_EDGE_OPEN ? LC_HALO_ROWS : 0,
    };
}

uint64_t lc_cuda_board_row_bytes(const lc_cuda_board *b)
{
    return ((uint64_t)b->segments + 2) * (uint64_t)b->words * sizeof(lc_word);
}

lc_device_address lc_cuda_board_row_at(const lc_cuda_board *b, int64_t y)
{
    return b->cells + (uint64_t)(y + LC_HALO_ROWS) * lc_cuda_board_row_bytes(b);
}

void lc_cuda_board_band(const lc_cuda_board *b, int64_t i, lc_board_view *in, lc_board_view *out)
{
    const lc_cuda_band band = lc_cuda_band_at(&b->bands, i, b->next < b->cells);
    const uint64_t before_bytes = (uint64_t)band.first_row * lc_cuda_board_row_bytes(b);
    const int64_t rows_below = b->frame.height_cells - band.first_row - band.rows;
    *in = lc_cuda_board_view(b, b->cells + before_bytes);
    in->height_cells = band.rows;
    in->above = (int)lc_least(LC_HALO_ROWS, in->above + band.first_row);
    in->below = (int)lc_least(LC_HALO_ROWS, in->below + rows_below);
    *out = *in;
    out->cells = b->next + before_bytes;
}

static lc_status launch(const lc_cuda_board *b, const lc_kernel *kernel, uint64_t threads,
                        void **arguments, lc_message *message)
{
    const lc_device_facts *facts = lc_device_facts_of(b->device);
    uint64_t most = (uint64_t)facts->multiprocessors * BLOCKS_AT_MOST;
    uint64_t blocks = threads / THREADS + (threads % THREADS != 0);
    lc_launch how = {
        .grid = {(uint32_t)(blocks < most ? blocks : most)},
        .block = {THREADS},
        // `halo` runs between the passes of a stepper.
        .overlapped = kernel == &b->halo && facts->architecture >= LC_DEVICE_OVERLAP_ARCHITECTURE,
        .stream = b->stream,
    };
    return lc_kernel_launch(kernel, &how, arguments, message);
}

lc_status lc_cuda_board_halo(lc_cuda_board *b, const lc_topology *topology, int depth_cells,
                             lc_message *message)
{
    lc_board_view view = lc_cuda_board_view(b, b->cells);
    lc_surface surface = lc_surface_of(topology);
    int with_rows = true;
    void *arguments[] = {&view, &surface, &depth_cells, &with_rows};
    uint64_t outer = 2 * (uint64_t)depth_cells * (uint64_t)(b->segments + 2);
    if (topology->kind == LC_TOPOLOGY_SPHERE)
        outer *= 32; // one warp for each word
    uint64_t sides = 3 * (uint64_t)b->frame.height_cells;
    return launch(b, &b->halo, (outer + sides) * (uint64_t)b->words, arguments, message);
}

lc_status lc_cuda_board_wrap(lc_cuda_board *b, int depth_cells, lc_message *message)
{
    const uint64_t row_bytes = lc_cuda_board_row_bytes(b);
    const int64_t height = b->frame.height_cells;
    const lc_device_address first = b->cells + LC_HALO_ROWS * row_bytes;
    const lc_device_address end = first + (uint64_t)height * row_bytes;
    lc_status status = LC_OK;
    // In several pieces if the torus is lower than the halo is deep.
    for (int64_t done = 0, rows; done < depth_cells && status == LC_OK; done += rows) {
        rows = lc_least(depth_cells - done, height);
        const uint64_t done_bytes = (uint64_t)done * row_bytes, bytes = (uint64_t)rows * row_bytes;
        status = lc_device_copy(b->device, first - done_bytes - bytes, end - bytes, bytes,
                                b->stream, message);
        if (status == LC_OK)
            status = lc_device_copy(b->device, end + done_bytes, first, bytes, b->stream, message);
    }
    return status;
}

// Treats the slab and the rows above and below it as a whole torus.
lc_status lc_cuda_board_sides(lc_cuda_board *b, int depth_cells, lc_message *message)
{
    lc_board_view view = lc_cuda_board_view(b, b->cells);
    view.cells -= (uint64_t)depth_cells * lc_cuda_board_row_bytes(b);
    view.height_cells += 2 * depth_cells;
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS,
                               .width_cells = view.width_cells,
                               .height_cells = view.height_cells};
    lc_surface surface = lc_surface_of(&torus);
    int with_rows = false;
    void *arguments[] = {&view, &surface, &depth_cells, &with_rows};
    return launch(b, &b->halo, 3 * (uint64_t)view.height_cells * (uint64_t)b->words, arguments,
                  message);
}

lc_status lc_cuda_board_give(lc_cuda_board *b, const lc_cells *halo, lc_message *message)
{
    lc_board_view view = lc_cuda_board_view(b, b->cells);
    long long pitch = (long long)halo->pitch_words, x = halo->x, y = halo->y;
    long long width = halo->width_cells, height = halo->height_cells;
    void *arguments[] = {&view, &b->window.on_gpu, &pitch, &x, &y, &width, &height};
    const size_t size_bytes = (size_t)height * halo->pitch_words * sizeof *halo->words;
    lc_status status = size_bytes > b->window.size_bytes
                           ? lc_fail(message, LC_ERROR_ARGUMENT, "a piece of a halo is too large")
                           : lc_device_upload(b->device, b->window.on_gpu, halo->words, size_bytes,
                                              b->stream, message);
    const uint64_t segments = (uint64_t)width / (32 * (uint64_t)b->words) + 2;
    if (status == LC_OK)
        status = launch(b, &b->give, segments * (uint64_t)b->words * (uint64_t)height, arguments,
                        message);
    return status;
}

lc_status lc_cuda_board_fill_halo(lc_cuda_board *b, int depth_cells, lc_message *message)
{
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS,
                               .width_cells = b->frame.width_cells,
                               .height_cells = b->frame.height_cells};
    if (lc_frame_is_open(&b->frame))
        return b->filler.call(b->filler.context, b, depth_cells, message);
    return lc_cuda_board_halo(b, &torus, depth_cells, message);
}

static lc_status fill(void *context, lc_cuda_board *board, int depth_cells, lc_message *message)
{
    return lc_cuda_board_halo(board, context, depth_cells, message);
}

lc_cuda_filler lc_cuda_board_filler(const lc_topology *topology)
{
    return (lc_cuda_filler){fill, (void *)topology};
}

void lc_cuda_board_swap(lc_cuda_board *b)
{
    lc_device_address next = b->cells;
    b->cells = b->next;
    b->next = next;
}

static lc_status settle(lc_cuda_board *b, lc_board_view from, lc_board_view to, lc_message *message)
{
    long long origin = b->origin;
    void *arguments[] = {&from, &to, &origin};
    uint64_t words = (uint64_t)b->segments * (uint64_t)b->words * (uint64_t)from.height_cells;
    return launch(b, &b->settle, words, arguments, message);
}

lc_status lc_cuda_board_settle(lc_cuda_board *b, lc_message *message)
{
    lc_board_view from = lc_cuda_board_view(b, b->cells), to = lc_cuda_board_view(b, b->next);
    lc_status status = LC_OK;
    if (b->origin == 0)
        return LC_OK;
    if (b->bands.count == 0)
        status = settle(b, from, to, message);
    for (int64_t i = 0; i < b->bands.count && status == LC_OK; i++) {
        lc_cuda_board_band(b, i, &from, &to);
        status = settle(b, from, to, message);
    }
    if (status != LC_OK)
        return status;
    lc_cuda_board_swap(b);
    b->origin = 0;
    return LC_OK;
}

// Rows -------------------------------------------------------------------------------------------

// Return the words and rows of the window's tile that lie on the board.
static int64_t words_of_tile(const lc_cuda_board *b)
{
    int64_t left = lc_divided_up(b->frame.width_cells, 64) - b->window.first_word;
    return left < b->window.words ? left : b->window.words;
}

static int64_t rows_of_tile(const lc_cuda_board *b)
{
    int64_t left = b->frame.height_cells - b->window.first_row;
    return left < b->window.tile_rows ? left : b->window.tile_rows;
}

// Launches scatter or gather between the window's GPU memory and the place of a piece.
static lc_status move_on_gpu(lc_cuda_board *b, const lc_kernel *kernel, const lc_cells *piece,
                             lc_message *message)
{
    lc_board_view view = lc_cuda_board_view(b, b->cells);
    long long pitch = (long long)piece->pitch_words, first_row = piece->y;
    long long rows = piece->height_cells, first_word = piece->x / 64;
    long long words = lc_divided_up(piece->width_cells, 64);
    void *arguments[] = {&view, &b->window.on_gpu, &pitch, &first_row, &rows, &first_word, &words};
    return launch(b, kernel, (uint64_t)words * (uint64_t)rows, arguments, message);
}

// Returns the bytes from the first word of a piece to its last.
static size_t bytes_of(const lc_cells *piece)
{
    const size_t words = (size_t)lc_divided_up(piece->width_cells, 64);
    return ((size_t)(piece->height_cells - 1) * piece->pitch_words + words) * sizeof *piece->words;
}

static lc_status put_piece(lc_cuda_board *b, const lc_cells *piece, lc_message *message)
{
    const lc_status status = lc_device_upload(b->device, b->window.on_gpu, piece->words,
                                              bytes_of(piece), b->stream, message);
    return status == LC_OK ? move_on_gpu(b, &b->scatter, piece, message) : status;
}

static lc_status get_piece(lc_cuda_board *b, const lc_cells *piece, lc_message *message)
{
    const lc_status status = move_on_gpu(b, &b->gather, piece, message);
    return status == LC_OK ? lc_device_download(b->device, piece->words, b->window.on_gpu,
                                                bytes_of(piece), b->stream, message)
                           : status;
}

// Rows `begin` to `end` - 1 of the window's tile.
static lc_cells part_of_tile(const lc_cuda_board *b, int64_t begin, int64_t end)
{
    const lc_cuda_window *w = &b->window;
    return (lc_cells){.x = 64 * w->first_word,
                      .y = w->first_row + begin,
                      .width_cells = 64 * words_of_tile(b),
                      .height_cells = end - begin,
                      .words = w->rows + begin * w->words,
                      .pitch_words = (size_t)w->words};
}

// Writes the window's changed rows back to the board.
static lc_status flush(lc_cuda_board *b, lc_message *message)
{
    lc_cuda_window *w = &b->window;
    if (w->dirty_begin >= w->dirty_end)
        return LC_OK;
    const lc_cells changed = part_of_tile(b, w->dirty_begin, w->dirty_end);
    lc_status status = put_piece(b, &changed, message);
    if (status == LC_OK)
        status = lc_device_synchronize(b->device, b->stream, message);
    if (status != LC_OK)
        return status;
    b->dead_from = lc_greatest(b->dead_from, w->first_row + w->dirty_end);
    w->dirty_begin = w->dirty_end = 0;
    return LC_OK;
}

static lc_status download_tile(lc_cuda_board *b, lc_message *message)
{
    const lc_cells tile = part_of_tile(b, 0, rows_of_tile(b));
    lc_status status = lc_cuda_board_settle(b, message);
    if (status == LC_OK)
        status = get_piece(b, &tile, message);
    return status != LC_OK ? status : lc_device_synchronize(b->device, b->stream, message);
}

// Loads the tile with a word of a row into the window.
static lc_status look_at(lc_cuda_board *b, int64_t word, int64_t y, lc_message *message)
{
    lc_cuda_window *w = &b->window;
    const int64_t first_word = word / w->words * w->words;
    const int64_t first_row = y / w->tile_rows * w->tile_rows;
    if (w->loaded && w->first_word == first_word && w->first_row == first_row)
        return LC_OK;
    lc_status status = flush(b, message);
    if (status != LC_OK)
        return status;
    w->loaded = false;
    w->first_word = first_word;
    w->first_row = first_row;
    if (first_row >= b->dead_from)
        memset(w->rows, 0, (size_t)(rows_of_tile(b) * w->words) * sizeof *w->rows);
    else
        status = download_tile(b, message);
    w->loaded = status == LC_OK;
    return status;
}

lc_status lc_cuda_board_read_row(lc_cuda_board *b, int64_t x, int64_t y, int64_t width_cells,
                                 uint64_t *words, lc_message *message)
{
    lc_cuda_window *w = &b->window;
    const int64_t count = lc_divided_up(width_cells, 64);
    for (int64_t i = 0; i < count;) {
        lc_status status = look_at(b, x / 64 + i, y, message);
        if (status != LC_OK)
            return status;
        const int64_t at = x / 64 + i - w->first_word;
        const int64_t here = w->words - at < count - i ? w->words - at : count - i;
        memcpy(words + i, w->rows + (y - w->first_row) * w->words + at,
               (size_t)here * sizeof *words);
        i += here;
    }
    if (width_cells % 64 != 0)
        words[count - 1] &= (UINT64_C(1) << width_cells % 64) - 1;
    return LC_OK;
}

lc_status lc_cuda_board_write_row(lc_cuda_board *b, int64_t x, int64_t y, int64_t width_cells,
                                  const uint64_t *words, lc_message *message)
{
    lc_cuda_window *w = &b->window;
    const int64_t count = lc_divided_up(width_cells, 64);
    for (int64_t i = 0; i < count;) {
        lc_status status = look_at(b, x / 64 + i, y, message);
        if (status != LC_OK)
            return status;
        const int64_t at = x / 64 + i - w->first_word, row = y - w->first_row;
        const int64_t here = w->words - at < count - i ? w->words - at : count - i;
        const int64_t bits = width_cells - 64 * i < 64 * here ? width_cells - 64 * i : 64 * here;
        lc_bits_copy(w->rows + row * w->words + at, 0, words + i, 0, bits);
        const bool clean = w->dirty_begin >= w->dirty_end;
        w->dirty_begin = clean || row < w->dirty_begin ? row : w->dirty_begin;
        w->dirty_end = clean || row >= w->dirty_end ? row + 1 : w->dirty_end;
        b->facts_known = false;
        i += here;
    }
    return LC_OK;
}

// Rectangles -------------------------------------------------------------------------------------

// The fewest bytes for which it is worth giving up the tile in the window.
static const int64_t least_direct_bytes = 256 << 10;
static const int64_t group_cells = 128; // at least those of LC_GROUP words

// Returns whether rows can bypass the window's host memory. Kernels take whole groups of words,
// except at the end of a row.
static bool goes_direct(const lc_cuda_board *b, const lc_cells *cells)
{
    const int64_t words = lc_divided_up(cells->width_cells, 64);
    const bool ends_with_rows = cells->x + cells->width_cells == b->frame.width_cells;
    return cells->x % group_cells == 0 &&
           (ends_with_rows || cells->width_cells % group_cells == 0) &&
           words * cells->height_cells * 8 >= least_direct_bytes &&
           cells->pitch_words <= b->window.size_bytes / 8;
}

// Moves a piece of a rectangle that fits in the window's GPU memory.
typedef lc_status move_piece(lc_cuda_board *b, const lc_cells *piece, lc_message *message);

static lc_status move_direct(lc_cuda_board *b, const lc_cells *cells, move_piece *move,
                             lc_message *message)
{
    const int64_t most_rows = (int64_t)(b->window.size_bytes / 8 / cells->pitch_words);
    lc_status status = flush(b, message);
    b->window.loaded = false;
    if (status == LC_OK)
        status = lc_cuda_board_settle(b, message);
    for (int64_t j = 0; j < cells->height_cells && status == LC_OK; j += most_rows) {
        lc_cells piece = *cells;
        piece.y += j;
        piece.words = lc_cells_row(cells, j);
        piece.height_cells = lc_least(cells->height_cells - j, most_rows);
        status = move(b, &piece, message);
    }
    // The GPU uses the caller's memory until this wait ends, even after an error.
    const lc_status waited =
        lc_device_synchronize(b->device, b->stream, status == LC_OK ? message : NULL);
    return status == LC_OK ? waited : status;
}

// A direct read would overwrite memory between the caller's rows, so it requires rows without gaps.
lc_status lc_cuda_board_read(lc_cuda_board *b, const lc_cells *to, lc_message *message)
{
    lc_status status = LC_OK;
    if (goes_direct(b, to) && to->pitch_words == (size_t)lc_divided_up(to->width_cells, 64))
        return move_direct(b, to, get_piece, message);
    for (int64_t j = 0; j < to->height_cells && status == LC_OK; j++)
        status = lc_cuda_board_read_row(b, to->x, to->y + j, to->width_cells, lc_cells_row(to, j),
                                        message);
    return status;
}

// Bits behind the width are not cells and must not enter the board.
lc_status lc_cuda_board_write(lc_cuda_board *b, const lc_cells *from, lc_message *message)
{
    lc_status status = LC_OK;
    if (goes_direct(b, from) && from->width_cells % 64 == 0) {
        b->facts_known = false;
        b->dead_from = lc_greatest(b->dead_from, from->y + from->height_cells);
        return move_direct(b, from, put_piece, message);
    }
    for (int64_t j = 0; j < from->height_cells && status == LC_OK; j++)
        status = lc_cuda_board_write_row(b, from->x, from->y + j, from->width_cells,
                                         lc_cells_row(from, j), message);
    return status;
}

lc_status lc_cuda_board_prepare(lc_cuda_board *b, lc_message *message)
{
    lc_status status = flush(b, message);
    b->window.loaded = false;
    b->facts_known = false;
    b->dead_from = b->frame.height_cells;
    return status;
}

// The whole board --------------------------------------------------------------------------------

// Writes changed rows back and moves drifted cells to their place.
static lc_status complete(lc_cuda_board *b, lc_message *message)
{
    lc_status status = flush(b, message);
    return status != LC_OK ? status : lc_cuda_board_settle(b, message);
}

static lc_facts facts_of(const uint64_t found[FACTS])
{
    if (found[0] == 0)
        return (lc_facts){.box = {.empty = true}};
    const int64_t left = (int64_t)~found[3], right = (int64_t)found[4];
    const int64_t top = (int64_t)~found[5], bottom = (int64_t)found[6];
    return (lc_facts){
        .population = lc_count_of(found[0]),
        .box = {.x = left,
                .y = top,
                .width_cells = right - left + 1,
                .height_cells = bottom - top + 1},
        .hash = lc_hash_joined(lc_hash_canonical(found[1]), lc_hash_moved(found[2], 32, 0)),
    };
}

lc_status lc_cuda_board_facts(lc_cuda_board *b, lc_facts *facts, lc_message *message)
{
    uint64_t found[FACTS];
    if (b->facts_known) {
        *facts = b->facts;
        return LC_OK;
    }
    lc_status status = complete(b, message);
    if (status == LC_OK)
        status = lc_device_fill(b->device, b->facts_on_gpu, 0, sizeof found, b->stream, message);
    lc_board_view view = lc_cuda_board_view(b, b->cells);
    void *arguments[] = {&view, &b->facts_on_gpu};
    const uint64_t words =
        (uint64_t)lc_divided_up(view.width_cells, 64) * (uint64_t)view.height_cells;
    if (status == LC_OK) // a column of words for each thread: finding its place costs as much
        status = launch(b, &b->find_facts, words / 32 + 1, arguments, message);
    if (status == LC_OK)
        status =
            lc_device_download(b->device, found, b->facts_on_gpu, sizeof found, b->stream, message);
    if (status == LC_OK)
        status = lc_device_synchronize(b->device, b->stream, message);
    if (status != LC_OK)
        return status;
    b->facts = facts_of(found);
    b->facts_known = true;
    *facts = b->facts;
    return LC_OK;
}

// Squares of a view that the GPU sends at a time, through the window's memory.
typedef struct piece {
    int64_t left, top; // in the view
    long long width, height;
} piece;

static lc_status look_at_piece(lc_cuda_board *b, const lc_view *s, const piece *p,
                               lc_message *message)
{
    const bool as_tones = s->tones != NULL;
    const size_t bytes = as_tones ? sizeof *s->tones : sizeof *s->counts; // of a square
    lc_board_view view = lc_cuda_board_view(b, b->cells);
    lc_device_address counts = as_tones ? 0 : b->window.on_gpu;
    lc_device_address tones = as_tones ? b->window.on_gpu : 0;
    long long x = s->x + (p->left << s->log2_side), y = s->y + (p->top << s->log2_side);
    long long width = p->width, height = p->height;
    int log2_side = s->log2_side;
    void *arguments[] = {&view, &counts, &tones, &x, &y, &log2_side, &width, &height};
    const uint64_t squares = (uint64_t)(width * height);
    lc_status status = launch(b, &b->count_squares, squares << lc_log2_lanes_of_square(log2_side),
                              arguments, message);
    if (status == LC_OK)
        status = lc_device_download(b->device, b->window.rows, b->window.on_gpu,
                                    (size_t)squares * bytes, b->stream, message);
    if (status == LC_OK)
        status = lc_device_synchronize(b->device, b->stream, message);
    if (status != LC_OK)
        return status;
    unsigned char *to = as_tones ? s->tones : (unsigned char *)s->counts;
    const unsigned char *from = (const unsigned char *)b->window.rows;
    const size_t row_bytes = (size_t)width * bytes;
    for (int64_t row = 0; row < height; row++)
        memcpy(to + (size_t)((p->top + row) * s->width + p->left) * bytes,
               from + (size_t)row * row_bytes, row_bytes);
    return LC_OK;
}

lc_status lc_cuda_board_count(lc_cuda_board *b, const lc_view *s, lc_message *message)
{
    lc_status status = complete(b, message);
    b->window.loaded = false;
    const size_t bytes = s->tones != NULL ? sizeof *s->tones : sizeof *s->counts;
    const int64_t room = (int64_t)(b->window.size_bytes / bytes);
    const int64_t columns = s->width < room ? s->width : room, rows = room / columns;
    for (int64_t top = 0; top < s->height && status == LC_OK; top += rows) {
        for (int64_t left = 0; left < s->width && status == LC_OK; left += columns) {
            const int64_t right = s->width - left, below = s->height - top;
            const piece p = {left, top, right < columns ? right : columns,
                             below < rows ? below : rows};
            status = look_at_piece(b, s, &p, message);
        }
    }
    return status;
}
