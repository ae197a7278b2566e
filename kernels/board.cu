// Everything done with a board except stepping: reading and writing rows, the halo, moving the
// origin, facts about the cells, and downsampled views. -DLC_K=1, 2 or 4, see board_layout.h.
//
// Every kernel works through a list of items, one per thread, in strides of the whole grid, so any
// number of blocks works. Memory traffic limits every kernel: each reads or writes its words once.
// All use fewer than 64 registers at sm_90 and no local memory.
#include "board_layout.h"
#include "hash.h"
#include "tone.h"
#include "topology_map.h"

#define FIRST_ITEM ((lc_u64)blockIdx.x * blockDim.x + threadIdx.x)
#define ITEM_STRIDE ((lc_u64)gridDim.x * blockDim.x)

// Returns a mask of the bits of plain word w that are left of column `end`.
LC_INLINE lc_u64 bits_before(long long end, long long w)
{
    const long long count = end - 64 * w;
    return count >= 64 ? ~(lc_u64)0 : count <= 0 ? 0 : ((lc_u64)1 << count) - 1;
}

// Rows in and out --------------------------------------------------------------------------------

// Writes plain words to the board: `row_count` rows from first_row on, and of each row `word_count`
// words from first_word on. Source: plain[row * pitch_words + word]. The kernel writes whole
// groups: first_word begins a group, and a partial last group must end right of the width.
LC_KERNEL void scatter(lc_board_view board, const lc_u64 *plain, long long pitch_words,
                       long long first_row, long long row_count, long long first_word,
                       long long word_count)
{
    const lc_u64 groups = (lc_u64)((word_count + LC_GROUP - 1) / LC_GROUP);
    for (lc_u64 item = FIRST_ITEM; item < groups * (lc_u64)row_count; item += ITEM_STRIDE) {
        const long long row = (long long)(item / groups);
        const long long w = (long long)(item % groups) * LC_GROUP;
        lc_u64 cells[LC_GROUP];
        for (int i = 0; i < LC_GROUP; i++)
            cells[i] = w + i < word_count ? plain[row * pitch_words + w + i] : 0;
        lc_comb(cells, lc_row_at(&board, first_row + row) + 2 * (first_word + w));
    }
}

// The reverse; bits right of the width are zero.
LC_KERNEL void gather(lc_board_view board, lc_u64 *plain, long long pitch_words,
                      long long first_row, long long row_count, long long first_word,
                      long long word_count)
{
    for (lc_u64 item = FIRST_ITEM; item < (lc_u64)word_count * (lc_u64)row_count;
         item += ITEM_STRIDE) {
        const long long row = (long long)(item / (lc_u64)word_count);
        const long long w = (long long)(item % (lc_u64)word_count);
        plain[row * pitch_words + w] = lc_plain_word(lc_row_at(&board, first_row + row),
                                                     first_word + w) &
                                       bits_before(board.width_cells, first_word + w);
    }
}

// The halo ---------------------------------------------------------------------------------------

// Returns the cells that columns column, column + K ... of row y show. Only the bits of `needed`,
// which is not 0, are computed.
LC_INLINE lc_word shown(const lc_board_view *board, const lc_surface *surface, long long column,
                        long long y, lc_word needed)
{
    const int first = __ffs((int)needed) - 1, last = 31 - __clz((int)needed);
    long long x0 = column + (long long)first * LC_K, y0 = y;
    long long x1 = column + (long long)last * LC_K, y1 = y;
    const long long span = x1 - x0;
    const int kind = lc_place(surface, &x0, &y0);
    const int kind_of_last = lc_place(surface, &x1, &y1);
    // The ends are as far apart as expected, so no seam lies between them, and they span a run of
    // one row.
    if (kind == kind_of_last) {
        if (kind == LC_COPY_NONE)
            return 0;
        if (kind == LC_COPY_STRAIGHT && x1 - x0 == span)
            return lc_columns_from(lc_row_at(board, y0), x0) << first & needed;
        if (kind == LC_COPY_REVERSED && x0 - x1 == span)
            return __brev(lc_columns_from(lc_row_at(board, y0), x1)) >> (31 - last) & needed;
    }
    lc_word cells = 0;
    for (int bit = first; bit <= last; bit++) {
        long long x = column + (long long)bit * LC_K, from_y = y;
        if ((needed >> bit & 1) && lc_place(surface, &x, &from_y) != LC_COPY_NONE)
            cells |= lc_cell_at(lc_row_at(board, from_y), x) << bit;
    }
    return cells;
}

// Most of these divisions fit 32 bits. A 64-bit division takes a hundred instructions.
LC_INLINE lc_u64 quotient(lc_u64 a, lc_u64 b)
{
    return (a | b) >> 32 == 0 ? (lc_word)a / (lc_word)b : a / b;
}

// Fills the halo `depth` cells deep, 1 to LC_HALO_ROWS, one word per thread. First, if `with_rows`,
// the rows above and below with their ends; then beside each row the words to the left and those of
// columns width .. width+depth-1. Reads only cells, never the halo. A word with both keeps its
// cells.
//
// A sphere's rows above and below are columns of the board, so the cells of a word come from 32
// rows. There a warp makes a word, one cell per lane, because a single thread would wait for memory
// 32 times.
LC_KERNEL void halo(lc_board_view board, lc_surface surface, int depth, int with_rows)
{
    LC_WAIT_FOR_KERNEL_BEFORE();
    const long long width = board.width_cells, height = board.height_cells;
    const lc_u64 row_words = (lc_u64)(board.segments + 2) * LC_K;
    const lc_u64 outer_words = with_rows ? 2 * (lc_u64)depth * row_words : 0;
    const long long right = width / LC_SEGMENT_CELLS; // the first segment with a halo column
    const lc_u64 right_words =
        (lc_u64)((width + depth - 1) / LC_SEGMENT_CELLS - right + 1) * LC_K;
    const lc_u64 side_words = LC_K + right_words;
    const unsigned int lanes = surface.kind == LC_MAP_SPHERE ? 32 : 1; // per outer word
    const lc_u64 outer_items = outer_words * lanes;
    const lc_u64 items = outer_items + side_words * (lc_u64)height;
    for (lc_u64 item = FIRST_ITEM; item < items; item += ITEM_STRIDE) {
        long long y, word; // counted from segment 0
        const bool outer = item < outer_items;
        if (outer) {
            const lc_u64 row = quotient(item / lanes, row_words);
            y = (long long)row < depth ? (long long)row - depth : height + (long long)row - depth;
            word = (long long)(item / lanes - row * row_words) - LC_K;
        } else {
            y = (long long)quotient(item - outer_items, side_words);
            word = (long long)(item - outer_items - (lc_u64)y * side_words) - LC_K;
            if (word >= 0)
                word += right * LC_K;
        }
        const long long column = (word >> (LC_K / 2)) * LC_SEGMENT_CELLS + (word & (LC_K - 1));
        const lc_word inside =
            y >= 0 && y < height ? lc_columns_within(column, 0, width) : (lc_word)0;
        const lc_word needed =
            lc_columns_within(column, -(long long)depth, width + depth) & ~inside;
        lc_word *to = lc_row_at(&board, y) + word;
        if (outer && lanes == 32) {
            const int bit = (int)(item % 32);
            const lc_word mine = (lc_word)1 << bit & needed;
            const lc_word cells =
                __ballot_sync(~0u, mine != 0 && shown(&board, &surface, column, y, mine) != 0);
            if (bit == 0)
                *to = cells;
            continue;
        }
        const lc_word halo_cells = needed == 0 ? 0 : shown(&board, &surface, column, y, needed);
        *to = inside == 0 ? halo_cells : (*to & inside) | halo_cells;
    }
}

// Writes a rectangle of plain rows to the halo or beyond it, with its corner at (x, y), one word
// per thread. Other bits of the words stay.
LC_KERNEL void give(lc_board_view board, const lc_u64 *plain, long long pitch_words, long long x,
                    long long y, long long width, long long height)
{
    const long long first = (x + LC_SEGMENT_CELLS) / LC_SEGMENT_CELLS - 1; // x >= -LC_SEGMENT_CELLS
    const long long last = (x + width - 1 + LC_SEGMENT_CELLS) / LC_SEGMENT_CELLS - 1;
    const lc_u64 words = (lc_u64)(last - first + 1) * LC_K;
    for (lc_u64 item = FIRST_ITEM; item < words * (lc_u64)height; item += ITEM_STRIDE) {
        const long long row = (long long)quotient(item, words);
        const long long word = (long long)(item - (lc_u64)row * words) + first * LC_K;
        const long long column = (word >> (LC_K / 2)) * LC_SEGMENT_CELLS + (word & (LC_K - 1));
        const lc_word given = lc_columns_within(column, x, x + width);
        lc_word cells = 0;
        for (int bit = 0; bit < 32; bit++) {
            const long long at = column + (long long)bit * LC_K - x;
            if (given >> bit & 1)
                cells |= (lc_word)(plain[row * pitch_words + at / 64] >> (at % 64) & 1) << bit;
        }
        lc_word *to = lc_row_at(&board, y + row) + word;
        *to = (*to & ~given) | cells;
    }
}

// Moves the origin of a torus of whole segments: column p of `from` becomes column (p + origin) mod
// width of `to`.
LC_KERNEL void settle(lc_board_view from, lc_board_view to, long long origin)
{
    const lc_u64 row_words = (lc_u64)from.segments * LC_K;
    for (lc_u64 item = FIRST_ITEM; item < row_words * (lc_u64)from.height_cells;
         item += ITEM_STRIDE) {
        const long long y = (long long)(item / row_words);
        const long long word = (long long)(item % row_words);
        long long column = (word >> (LC_K / 2)) * LC_SEGMENT_CELLS + (word & (LC_K - 1)) - origin;
        if (column < 0)
            column += from.width_cells;
        const long long bit = column >> (LC_K / 2);
        const long long segment = bit >> 5;
        const long long following = segment + 1 == from.segments ? 0 : segment + 1;
        const int shift = (int)(bit & 31);
        const lc_word *row = lc_row_at(&from, y) + (column & (LC_K - 1));
        lc_word cells = row[segment * LC_K] >> shift;
        if (shift != 0)
            cells |= row[following * LC_K] << (32 - shift);
        lc_row_at(&to, y)[word] = cells;
    }
}

// Facts ------------------------------------------------------------------------------------------

#define FACTS_THREADS 256
#define FACTS 7
#define SUMS 3 // the first SUMS facts are sums, the others maxima

LC_INLINE lc_u64 larger(lc_u64 a, lc_u64 b)
{
    return a > b ? a : b;
}

// Computes all facts at once, because each needs all cells. The caller sets `facts` to zero.
// Minimum coordinates are kept as maxima of their complements.
//
//     0 population     1, 2 hash: the sums of its lower and of its upper halves
//     3 ~left     4 right     5 ~top     6 bottom
//
// An item is a column of words, `rows` high. From the lowest row up each row costs one
// multiplication of the hash; the item's position enters once at the end.
LC_KERNEL void LC_LAUNCH_BOUNDS(FACTS_THREADS) find_facts(lc_board_view board, lc_u64 *facts)
{
    LC_SHARED lc_u64 of_warps[FACTS][FACTS_THREADS / 32];
    const lc_u64 row_words = (lc_u64)((board.width_cells + 63) / 64);
    const lc_u64 words = row_words * (lc_u64)board.height_cells;
    const lc_u64 rows = (words + ITEM_STRIDE - 1) / ITEM_STRIDE;
    const lc_u64 items = row_words * (((lc_u64)board.height_cells + rows - 1) / rows);
    lc_u64 found[FACTS] = {0, 0, 0, 0, 0, 0, 0}, all_hashes = 0;
    for (lc_u64 item = FIRST_ITEM; item < items; item += ITEM_STRIDE) {
        const long long w = (long long)(item % row_words);
        const long long y0 = (long long)(item / row_words * rows);
        const long long below = y0 + (long long)rows;
        long long y = below < board.height_cells ? below : board.height_cells;
        const lc_u64 mask = bits_before(board.width_cells, w);
        lc_u64 hash = 0, any = 0;
        while (y-- > y0) {
            const lc_u64 cells = lc_plain_word(lc_row_at(&board, y), w) & mask;
            hash = lc_hash_plus(lc_hash_times(hash, LC_HASH_ROW), cells);
            if (cells == 0)
                continue;
            any |= cells;
            found[0] += (lc_u64)__popcll(cells);
            found[5] = larger(found[5], ~(lc_u64)y);
            found[6] = larger(found[6], (lc_u64)y);
        }
        if (any == 0)
            continue;
        found[3] = larger(found[3], ~(lc_u64)(64 * w + __ffsll((long long)any) - 1));
        found[4] = larger(found[4], (lc_u64)(64 * w + 63 - __clzll((long long)any)));
        all_hashes = lc_hash_plus(all_hashes, lc_hash_times(hash, lc_hash_weight(64 * w, y0)));
    }
    found[1] = all_hashes & 0xFFFFFFFFu;
    found[2] = all_hashes >> 32;
    for (int fact = 0; fact < FACTS; fact++) {
        for (int distance = 16; distance > 0; distance /= 2) {
            const lc_u64 other = __shfl_down_sync(0xFFFFFFFFu, found[fact], distance);
            found[fact] = fact < SUMS ? found[fact] + other : larger(found[fact], other);
        }
        if (threadIdx.x % 32 == 0)
            of_warps[fact][threadIdx.x / 32] = found[fact];
    }
    __syncthreads();
    if (threadIdx.x >= FACTS)
        return;
    lc_u64 all = of_warps[threadIdx.x][0];
    for (int warp = 1; warp < FACTS_THREADS / 32; warp++) {
        const lc_u64 other = of_warps[threadIdx.x][warp];
        all = threadIdx.x < SUMS ? all + other : larger(all, other);
    }
    if (threadIdx.x < SUMS)
        atomicAdd(&facts[threadIdx.x], all);
    else
        atomicMax(&facts[threadIdx.x], all);
}

// Downsampled views -----------------------------------------------------------------------------

// Counts a lane's part of the live cells of the square with corner (x0, y0). Cells outside the
// board are dead. The count reads the board's words without conversion.
LC_INLINE lc_word live_cells(const lc_board_view *board, long long x0, long long y0, int log2_side,
                             int lane, int lanes)
{
    long long x1 = x0 + (1LL << log2_side), y1 = y0 + (1LL << log2_side);
    x0 = x0 > 0 ? x0 : 0;
    y0 = y0 > 0 ? y0 : 0;
    x1 = x1 < board->width_cells ? x1 : board->width_cells;
    y1 = y1 < board->height_cells ? y1 : board->height_cells;
    if (x0 >= x1 || y0 >= y1)
        return 0;
    const long long first = x0 / LC_SEGMENT_CELLS, last = (x1 - 1) / LC_SEGMENT_CELLS; // segments
    const lc_word words = (lc_word)(last - first + 1) * LC_K, rows = (lc_word)(y1 - y0);
    lc_word count = 0;
    for (lc_word i = (lc_word)lane; i < words * rows; i += (lc_word)lanes) {
        const long long word = first * LC_K + i % words;
        const long long column = (word >> (LC_K / 2)) * LC_SEGMENT_CELLS + (word & (LC_K - 1));
        count += (lc_word)__popc(lc_row_at(board, y0 + i / words)[word] &
                                 lc_columns_within(column, x0, x1));
    }
    return count;
}

// Counts the live cells of each of width x height squares of 2^log2_side cells a side, or computes
// their grey levels. One of the two pointers is null. The first square's corner is (x, y). A warp
// has one square, or several small ones, with one lane per row of a square.
LC_KERNEL void count_squares(lc_board_view board, lc_word *counts, unsigned char *tones,
                             long long x, long long y, int log2_side, long long width,
                             long long height)
{
    const int log2_lanes = lc_log2_lanes_of_square(log2_side), lanes = 1 << log2_lanes;
    const int lane = (int)(threadIdx.x % 32);
    const lc_u64 squares = (lc_u64)width * (lc_u64)height;
    // All lanes of a warp stay in the loop, even past the last square, because they synchronise in
    // it.
    for (lc_u64 first = FIRST_ITEM - (lc_u64)lane; first >> log2_lanes < squares;
         first += ITEM_STRIDE) {
        const lc_u64 square = (first + (lc_u64)lane) >> log2_lanes;
        const lc_u64 row = quotient(square, (lc_u64)width);
        lc_word count = 0;
        if (square < squares)
            count = live_cells(&board, x + ((long long)(square - row * (lc_u64)width) << log2_side),
                               y + ((long long)row << log2_side), log2_side, lane & (lanes - 1),
                               lanes);
        for (int distance = lanes / 2; distance > 0; distance /= 2)
            count += __shfl_down_sync(0xFFFFFFFFu, count, distance);
        if (square >= squares || (lane & (lanes - 1)) != 0)
            continue;
        if (tones != 0)
            tones[square] = (unsigned char)lc_tone(count, log2_side);
        else
            counts[square] = count;
    }
}
