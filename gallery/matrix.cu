// Byte a cell on the GPU's matrix unit: the sum over 3 x 3 cells as two products with banded
// matrices.
//
// Source: Malte Skarupke, "Initial CUDA Performance Lessons" (2024), "Most of the Performance is
// now in Specialized Hardware". The mapping of Life onto that hardware is this project's.
//
//     S = V X H      X   16 rows of 32 cells, and a column at each side
//                    V   row m has ones at m, m + 1, m + 2: V X are sums of three cells of a column
//                    H   column n has ones at the columns beside n and n itself
//                    S   14 rows of 32 sums, each cell with its eight neighbours
//
//     rows above and below are read by two warps; tiles are 14 rows apart
//
//     -1 | 0 1 2 3   4 5 6 7   ...   28 29 30 31 | 32        columns of a tile
//          \ word 0  \ word 1         \ word 7
//
// A product is m16n8k16 in halves (two m16n8k8 before compute capability 8.0), arranged so that
// nothing has to be moved between memory, one product, the next one and memory:
//
// - Columns need not be in order. A lane loads four cells as a word, from four rows. Product number
//   q of X takes byte q of the eight words of a row as its eight columns, 4 n + q.
// - What a product leaves in a lane is already in place as the left factor of the next; H is
//   permuted to fit. The columns -1 and 32 come with a fifth product, in which H has zeros for the
//   six others.
// - A cell 0 or 1 as a byte with a zero byte above it is already a half: 1 is the smallest there
//   is, 2^-24. Halves up to 2,047 times that have that number as their bits, and the matrix unit
//   adds small ones as exactly as others. So nothing is converted, neither in nor out.
// - H holds 1 for a column's own sum and 16 for that of the column to its right. Then a half
//   carries two sums, a tile needs two products with H instead of four, and a lane ends up with
//   eight sums in eight nibbles in the order of the cells.
//
// The rest, from sum and cell to next cell, is done four bytes at a time, and stored eight at a
// time.
//
// Per tile of 448 cells a warp has 5 products for V X and 2 x 3 for the sums, of 2,048
// multiplications each: 50 a cell, in place of 2 additions of three numbers. The matrix unit is
// that fast; the limit is memory.
//
// Bytes a cell: 2 (one read, one written; the rows and columns round a tile come from the cache).
// Operations a cell: 6 (54 and 30 for addresses, by a lane for its 14 of a tile's cells), and 1/41
// of a matrix product.
// Knobs: warps (beside each other in a block), tiles (below each other that a warp steps).
// Limits: the width is a multiple of 32; sides of up to 2^30 cells.
#ifndef LC_HOST

#include "cuda.h"

enum { ROWS = 14, COLUMNS = 32 }; // of a tile

typedef struct factors {
    lc_word vertical[4];
    // For the sums of columns 4 n, 4 n + 1 and of 4 n + 2, 4 n + 3: from the same columns, and from
    // the sides.
    lc_word horizontal[2][3][2];
} factors;

// As halves: 0, 1, 16 or 17.
LC_INLINE lc_word weight(int column, int of)
{
    const int right = column - of;
    return right == -1 ? 0x3C00 : right == 0 || right == 1 ? 0x4C40 : right == 2 ? 0x4C00 : 0;
}

LC_INLINE lc_word pair(lc_word low, lc_word high)
{
    return low | high << 16;
}

LC_INLINE lc_word one_in_band(int distance)
{
    return distance >= 0 && distance <= 2 ? 0x3C00 : 0;
}

LC_INLINE factors make_factors(int g, int t)
{
    factors f;
    for (int i = 0; i < 4; i++) {
        const int distance = 2 * t + 8 * (i / 2) - (g + 8 * (i % 2));
        f.vertical[i] = pair(one_in_band(distance), one_in_band(distance + 1));
    }
    for (int p = 0; p < 2; p++) {
        const int of = 4 * g + 2 * p;
        for (int i = 0; i < 2; i++) {
            for (int c = 0; c < 2; c++) {
                const int column = 8 * t + 2 * c + i;
                f.horizontal[p][c][i] = pair(weight(column, of), weight(column + 4, of));
            }
            f.horizontal[p][2][i] =
                t == 0 && i == 0 ? pair(weight(-1, of), weight(COLUMNS, of)) : 0;
        }
    }
    return f;
}

// Byte q of two words.
LC_INLINE lc_word two_cells(lc_word upper, lc_word lower, unsigned int q)
{
    return __byte_perm(upper, lower, q | (4 + q) << 8) & 0x00010001;
}

// Eight cells from the sums in eight nibbles. For four bytes, n | cell is 3 where life is next, and
// 16 minus what differs from that has bit 4 only if nothing does.
LC_INLINE uint2 next_eight(lc_word sums, uint2 cells)
{
    const lc_word even = sums & 0x0F0F0F0F, odd = sums >> 4 & 0x0F0F0F0F;
    const lc_word x = ((__byte_perm(even, odd, 0x5140) - cells.x) | cells.x) ^ 0x03030303;
    const lc_word y = ((__byte_perm(even, odd, 0x7362) - cells.y) | cells.y) ^ 0x03030303;
    return make_uint2((0x10101010 - x) >> 4 & 0x01010101, (0x10101010 - y) >> 4 & 0x01010101);
}

LC_KERNEL void LC_LAUNCH_BOUNDS(32 * WARPS, 1)
    step(const unsigned char *LC_RESTRICT cells, unsigned char *LC_RESTRICT next,
         unsigned int width, unsigned int height)
{
    const unsigned int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const unsigned int left = (blockIdx.x * WARPS + threadIdx.y) * COLUMNS;
    const unsigned int first = (blockIdx.z * gridDim.y + blockIdx.y) * (ROWS * TILES);
    if (left >= width || first >= height) // the whole warp
        return;
    const factors f = make_factors((int)g, (int)t);
    const unsigned int before = (left > 0 ? left : width) - 1;
    const unsigned int after = left + COLUMNS < width ? left + COLUMNS : 0;
    const unsigned char *of_word = cells + left + 4 * g;
    const unsigned char *of_side = cells + (g == 0 ? before : after); // in H, 0 from g = 2 on

    LC_UNROLL(1)
    for (unsigned int top = first; top < min(first + ROWS * TILES, height); top += ROWS) {
        // Rows 2t, 2t + 1, 2t + 8 and 2t + 9 of the 16 that begin above the tile. Below the board
        // it is row 0: it follows the last one, and nothing else needs it.
        lc_word words[4], sides[4];
        LC_UNROLL(4)
        for (unsigned int i = 0; i < 4; i++) {
            const unsigned int y = top + 2 * t + i % 2 + 8 * (i / 2); // and one row up
            const unsigned int row = y == 0 ? height - 1 : y - 1 < height ? y - 1 : 0;
            words[i] = *(const lc_word *)(of_word + (lc_u64)row * width);
            sides[i] = of_side[(lc_u64)row * width];
        }

        lc_word sums[2][2] = {{0, 0}, {0, 0}};
        LC_UNROLL(3)
        for (unsigned int c = 0; c < 3; c++) {
            lc_word of_rows[4] = {0, 0, 0, 0};
            LC_UNROLL(2)
            for (unsigned int i = 0; i < 2; i++) {
                const unsigned int q = 2 * c + i;
                lc_word x[2];
                if (c < 2) {
                    x[0] = two_cells(words[0], words[1], q);
                    x[1] = two_cells(words[2], words[3], q);
                } else if (i == 0) {
                    x[0] = pair(sides[0], sides[1]);
                    x[1] = pair(sides[2], sides[3]);
                } else {
                    continue;
                }
                LC_MULTIPLY_HALVES(of_rows + 2 * i, f.vertical, x);
            }
            LC_MULTIPLY_HALVES(sums[0], of_rows, f.horizontal[0][c]);
            LC_MULTIPLY_HALVES(sums[1], of_rows, f.horizontal[1][c]);
        }

        LC_UNROLL(2)
        for (unsigned int i = 0; i < 2; i++) {
            const unsigned int m = g + 8 * i, y = top + m;
            const lc_u64 at = (lc_u64)y * width + left + 8 * t;
            if (m < ROWS && y < height)
                *(uint2 *)(next + at) =
                    next_eight(sums[0][i] | sums[1][i] << 8, *(const uint2 *)(cells + at));
        }
    }
}

#else // How it is launched ------------------------------------------------------------------------

#include "gpu_design.h"

enum { WARPS, TILES };
enum { ROWS = 14, COLUMNS = 32 };

static const lc_knob knobs[] = {
    {"warps", "warps of a block, side by side", 4, LC_KNOB_VALUES(1, 2, 4, 8, 16)},
    {"tiles", "tiles below each other that a warp steps", 8, LC_KNOB_VALUES(1, 2, 4, 8, 16, 32)},
    {.name = NULL},
};

static lc_status check(const lc_gallery_board *board, lc_message *message)
{
    const lc_status status = lc_gallery_check_width(board, COLUMNS, message);
    return status != LC_OK ? status : lc_gallery_check_sides(board, message);
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    (void)board;
    *bytes = 2;
    *operations = 6;
}

static lc_status step(lc_gpu_run *run, uint64_t generations, uint64_t *done, lc_message *message)
{
    (void)generations;
    uint32_t width = (uint32_t)run->board.width, height = (uint32_t)run->board.height;
    const uint32_t warps = (uint32_t)run->board.knob[WARPS];
    const lc_launch launch =
        lc_gpu_plane(lc_gpu_blocks(width, COLUMNS * warps),
                     lc_gpu_blocks(height, ROWS * run->board.knob[TILES]), 32, warps);
    void *arguments[] = {&run->cells, &run->next, &width, &height};
    return lc_gpu_generation(run, launch, arguments, done, message);
}

const lc_design lc_design_matrix = {
    .name = "matrix",
    .title = "byte a cell on the GPU's matrix unit, 3 x 3 sums as banded products",
    .source = "Skarupke 2024, \"Most of the Performance is now in Specialized Hardware\"",
    .file = "matrix.cu",
    .knobs = knobs,
    .check = check,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .gpu = &(const lc_gpu_design){.kernels = {"step"},
                                  .macros = {[WARPS] = "WARPS", [TILES] = "TILES"},
                                  .step = step},
};

#endif
