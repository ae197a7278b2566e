// Shared by the designs that step a tile of words in shared memory several times a launch: where a
// block's tile is, how it is loaded and stored, and how many blocks there are.
//
//              ACROSS words
//            +-+--------+-+
//            | | halo   | |   `steps` rows    A tile has DOWN * ROWS rows; each thread has a column
//            +-+--------+-+                    of ROWS words of it. In every generation the cells
//            | |        | |                    at its edge go wrong, as what they depend on is
//            | | inside | |                    outside, and the wrong ones spread by one cell a
//            | |        | |                    generation. So a row of halo a generation is taken
//            +-+--------+-+                    in above and below, a word left and right, and the
//            | |        | |   `steps` rows     tiles overlap by that much.
//            +-+--------+-+
//           1 word     1 word
//
// A tile is in shared memory twice, this generation and the next one. Before it and after it lie
// MARGIN rows and a word that nobody writes, so that threads at the edge need not check where they
// read; and left of the first column are the last words of the row before. All of that is wrong,
// but so would be anything else from outside.
//
//     -DWORD, -DROWS, -DACROSS, -DDOWN
//     MARGIN   rows that a thread reads above and below its own
#ifndef LC_GALLERY_PACKED_TILE_H
#define LC_GALLERY_PACKED_TILE_H

#include "packed_word.cuh"

#ifndef LC_HOST

enum {
    TILE_ROWS = DOWN * ROWS,
    BUFFER_WORDS = (TILE_ROWS + 2 * MARGIN) * ACROSS + 2,
};

// A thread's part of a tile.
typedef struct part {
    word *from, *to;   // its first word, of this generation and of the next
    int x, y;          // where that is on the board, before it is wrapped
    int words, height; // of the board
    int steps;
} part;

LC_INLINE part part_at(word *pool, int words, int height, int steps)
{
    const int column = (int)threadIdx.x, row = (int)threadIdx.y * ROWS;
    part at;
    at.from = pool + 1 + (row + MARGIN) * ACROSS + column;
    at.to = at.from + BUFFER_WORDS;
    at.x = (int)blockIdx.x * (ACROSS - 2) + column - 1;
    at.y = (int)blockIdx.y * (TILE_ROWS - 2 * steps) + row - steps;
    at.words = words;
    at.height = height;
    at.steps = steps;
    return at;
}

// Must be followed by a barrier.
LC_INLINE void load_part(const part *at, const word *cells)
{
    const word *column = cells + wrapped(at->x, at->words);
    int y = wrapped(at->y, at->height);
    LC_UNROLL(ROWS)
    for (int i = 0; i < ROWS; i++) {
        at->from[i * ACROSS] = __ldg(column + (long long)y * at->words);
        y = y < at->height - 1 ? y + 1 : 0;
    }
}

// Whether the thread has any row that is right after `steps` generations.
LC_INLINE bool has_inside(int steps)
{
    const int row = (int)threadIdx.y * ROWS;
    return row + ROWS > steps && row < TILE_ROWS - steps;
}

LC_INLINE void turn_part(part *at)
{
    word *const from = at->from;
    at->from = at->to;
    at->to = from;
}

// Takes only what the thread itself has written, so no barrier is needed before it.
LC_INLINE void store_part(const part *at, word *next)
{
    const int row = (int)threadIdx.y * ROWS;
    if (threadIdx.x == 0 || threadIdx.x == ACROSS - 1 || at->x >= at->words)
        return;
    word *const to = next + (long long)at->y * at->words + at->x;
    LC_UNROLL(ROWS)
    for (int i = 0; i < ROWS; i++)
        if (row + i >= at->steps && row + i < TILE_ROWS - at->steps && at->y + i < at->height)
            to[(long long)i * at->words] = at->from[i * ACROSS];
}

#else // On the host -------------------------------------------------------------------------------

// The knobs of each of these designs begin with these.
enum { ROWS = WORD + 1, ACROSS, DOWN, STEPS };

#define TILE_KNOBS(rows, across, down, steps)                                                      \
    WORD_KNOB(64), {"rows", "rows of a thread", rows, LC_KNOB_VALUES(4, 8, 16, 32)},               \
        {"across", "threads of a block in x, each a word", across, LC_KNOB_VALUES(8, 16, 32, 64)}, \
        {"down", "threads of a block in y", down, LC_KNOB_VALUES(4, 8, 16)},                       \
    {                                                                                              \
        "steps", "generations a launch", steps, LC_KNOB_VALUES(1, 2, 3, 4, 6, 8, 12, 16, 32)       \
    }

enum { TILE_BYTES_MAX = 227 << 10 }; // of compute capability 9.0

static inline int tile_rows(const lc_gallery_board *board)
{
    return board->knob[ROWS] * board->knob[DOWN];
}

static inline int tile_bytes(const lc_gallery_board *board, int margin)
{
    const int words = (tile_rows(board) + 2 * margin) * board->knob[ACROSS] + 2;
    return 2 * words * board->knob[WORD] / 8;
}

static inline lc_status tile_check(const lc_gallery_board *board, int margin, lc_message *message)
{
    if (tile_rows(board) <= 2 * board->knob[STEPS])
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                               "a tile of %d rows (rows * down) is all halo with steps=%d",
                               tile_rows(board), board->knob[STEPS]);
    if (tile_bytes(board, margin) > TILE_BYTES_MAX)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                               "two tiles of %d x %d words take %d bytes of shared memory, and a "
                               "block can have %d",
                               board->knob[ACROSS], tile_rows(board), tile_bytes(board, margin),
                               TILE_BYTES_MAX);
    return packed_check_blocks(board, tile_rows(board) - 2 * board->knob[STEPS], message);
}

static inline void tile_compile(const lc_gallery_board *board, lc_gpu_options *options)
{
    lc_gpu_define(options, "WORD", board->knob[WORD]);
    lc_gpu_define(options, "ROWS", board->knob[ROWS]);
    lc_gpu_define(options, "ACROSS", board->knob[ACROSS]);
    lc_gpu_define(options, "DOWN", board->knob[DOWN]);
}

// How much a block computes for each word that it keeps.
static inline double tile_overlap(const lc_gallery_board *board)
{
    const double across = board->knob[ACROSS], rows = tile_rows(board);
    return across / (across - 2) * rows / (rows - 2 * board->knob[STEPS]);
}

// The cells come in with the halo and go out without.
static inline double tile_traffic(const lc_gallery_board *board)
{
    return (tile_overlap(board) + 1) / 8 / board->knob[STEPS];
}

static inline lc_status tile_step(lc_gpu_run *run, int margin, uint64_t generations, uint64_t *done,
                                  lc_message *message)
{
    const lc_gallery_board *board = &run->board;
    int words = (int)(board->width / board->knob[WORD]), height = (int)board->height;
    int steps = board->knob[STEPS];
    if (generations < (uint64_t)steps)
        steps = (int)generations;
    const lc_launch launch = {
        .grid = {lc_gpu_blocks(words, board->knob[ACROSS] - 2),
                 lc_gpu_blocks(height, tile_rows(board) - 2 * steps)},
        .block = {(uint32_t)board->knob[ACROSS], (uint32_t)board->knob[DOWN]},
        .shared_bytes = (uint32_t)tile_bytes(board, margin),
    };
    void *arguments[] = {&run->cells, &run->next, &words, &height, &steps};
    *done = (uint64_t)steps;
    lc_status status = lc_gpu_launch(run, 0, launch, arguments, message);
    lc_gpu_swap(run);
    return status;
}

static inline lc_status tile_prepare(lc_gpu_run *run, int margin, lc_message *message)
{
    const int bytes = tile_bytes(&run->board, margin);
    const uint64_t most = lc_device_facts_of(run->device)->shared_bytes_per_block;
    if ((uint64_t)bytes > most)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                               "two tiles take %d bytes of shared memory with these knobs, and a "
                               "block can have %llu on this GPU",
                               bytes, (unsigned long long)most);
    return lc_kernel_allow_shared(&run->kernels[0], (uint32_t)bytes, message);
}

#endif

#endif
