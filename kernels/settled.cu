// Steps boards that have settled, in rounds of 15 generations. A round steps only tiles that can
// differ from one cycle (30 generations) earlier.
//
// Rounds alternate between two buffers, so the target of a tile holds the cells of one cycle
// earlier. If all cells of the tile's window are the same as one cycle earlier, the target is
// already correct. Still lifes, blinkers, pulsars and pentadecathlons are skipped, and so is a gun
// of period 30 with all its gliders. A round is
//
//   choose   one thread per tile: reads the flags of the tiles around it, and adds the tile to the
//            list or clears its flags. The list stays on the GPU.
//   visit    one warp per tile of the list: 15 generations of its window in registers (settled.h),
//            two rows per lane. Compares the result with the target, writes the difference, and
//            sets the flags of the parts that differ.
//
// The first round visits all tiles and has nothing to compare with. The second round is the first
// that records changes, and the third the first that skips tiles.
//
// A generation of a window takes 11 gates for each of 4 words of two rows (B3/S23), 16 gates and 4
// shifts for the sums of the rows, and 16 shuffles for the sums of the rows above and below. The
// shuffles use another pipe. So a lane needs 64 operations for 2 x 128 cells, and 2,048 of a warp's
// 8,192 cells are the tile's. Visiting all tiles takes four to five times as long as strips do.
//
//     -DLC_K=4
//     -DLC_WALLS=1  cells beyond the board are dead; otherwise its halo is filled, 15 cells deep
#define LC_LOAD __ldg
#define LC_DRIFTING 0
#define LC_FENCED 0 // strand.h's fences suit only whole rows of lanes
#include "settled.h"
#include "strand.h"
#include "topology_map.h"

#define THREADS 128
#define WARPS (THREADS / LC_LANES)
#define MARGIN_COLUMNS 32 // of a window, on each side of its tile
#define MARGIN_ROWS 16

#define FIRST_WARP (blockIdx.x * WARPS + threadIdx.x / LC_LANES)
#define WARP_STRIDE (gridDim.x * WARPS)

// Windows ----------------------------------------------------------------------------------------

// Loads a lane's two rows of a tile's window. Rows beyond the halo are not needed; the halo's last
// row replaces them.
LC_INLINE void load_window(lc_strand row[2], const lc_board_view *board, long long x, long long y,
                           int lane)
{
    const long long column = x - MARGIN_COLUMNS;
    const long long first = column >= 0 ? column / LC_SEGMENT_CELLS : -1; // segment
    const unsigned int shift = (unsigned int)(column - first * LC_SEGMENT_CELLS) / LC_K;
    const long long last = board->height_cells + LC_HALO_ROWS - 1;
    for (int i = 0; i < 2; i++) {
        const long long from_y = y - MARGIN_ROWS + 2 * lane + i;
        const lc_word *from = lc_row_at(board, from_y < last ? from_y : last) + first * LC_K;
        const lc_strand low = lc_strand_load(from), high = lc_strand_load(from + LC_K);
        LC_UNROLL(LC_K)
        for (int k = 0; k < LC_K; k++)
            row[i].word[k] = __funnelshift_r(low.word[k], high.word[k], shift);
    }
}

// Computes a row's sums. Cells beyond the ends of a window are arbitrary.
LC_INLINE lc_sums sums_of(lc_strand strand)
{
    const lc_word before = strand.word[LC_K - 1] << 1, after = strand.word[0] >> 1;
    lc_sums sums;
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++) {
        const lc_word left = k == 0 ? before : strand.word[k > 0 ? k - 1 : 0];
        const lc_word right = k == LC_K - 1 ? after : strand.word[k < LC_K - 1 ? k + 1 : 0];
        sums.parity.word[k] = LC_GATE(0x96, left, strand.word[k], right);
        sums.majority.word[k] = LC_GATE(0xE8, left, strand.word[k], right);
        sums.cell.word[k] = strand.word[k];
    }
    return sums;
}

// Steps a window by one generation. All lanes of the warp call it together.
LC_INLINE void step_window(lc_strand row[2])
{
    const lc_sums here = sums_of(row[0]), below = sums_of(row[1]);
    lc_sums above = below, beyond = here;
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++) {
        above.parity.word[k] = __shfl_up_sync(~0u, below.parity.word[k], 1);
        above.majority.word[k] = __shfl_up_sync(~0u, below.majority.word[k], 1);
        beyond.parity.word[k] = __shfl_down_sync(~0u, here.parity.word[k], 1);
        beyond.majority.word[k] = __shfl_down_sync(~0u, here.majority.word[k], 1);
    }
    lc_strand_next_pair(&above, &here, &below, &beyond, &row[0], &row[1]);
}

#if LC_WALLS
// The cells of a lane's two rows that are on the board.
typedef struct board_part {
    lc_strand columns;
    bool row[2];
    bool all; // all cells of all lanes
} board_part;

LC_INLINE board_part part_on_board(const lc_board_view *board, long long x, long long y, int lane)
{
    board_part part;
    lc_word all = ~0u;
    LC_UNROLL(LC_K)
    for (int k = 0; k < LC_K; k++) {
        part.columns.word[k] =
            lc_columns_within(x - MARGIN_COLUMNS + k, 0, board->width_cells);
        all &= part.columns.word[k];
    }
    for (int i = 0; i < 2; i++) {
        const long long row = y - MARGIN_ROWS + 2 * lane + i;
        part.row[i] = row >= 0 && row < board->height_cells;
    }
    part.all = __all_sync(~0u, all == ~0u && part.row[0] && part.row[1]);
    return part;
}

LC_INLINE void clear_beyond(lc_strand row[2], const board_part *part)
{
    for (int i = 0; i < 2; i++) {
        LC_UNROLL(LC_K)
        for (int k = 0; k < LC_K; k++)
            row[i].word[k] = part->row[i] ? row[i].word[k] & part->columns.word[k] : 0;
    }
}
#endif

// Visiting ---------------------------------------------------------------------------------------

// Writes the cells of a tile that differ. Returns the flags of the parts with differences.
LC_INLINE unsigned int store_tile(const lc_strand row[2], const lc_board_view *board, long long x,
                                  long long y, int lane)
{
    const int half = (int)(x / LC_SETTLED_COLUMNS % 2); // half of the segment's words
    const long long right = x + LC_SETTLED_COLUMNS;
    const long long end = right < board->width_cells ? right : board->width_cells;
    const bool mine = lane >= MARGIN_ROWS / 2 && lane < (MARGIN_ROWS + LC_SETTLED_ROWS) / 2;
    lc_word changed = 0; // in bits of the window
    for (int i = 0; i < 2; i++) {
        const long long to_y = y - MARGIN_ROWS + 2 * lane + i;
        if (!mine || to_y >= board->height_cells)
            continue;
        lc_word *to = lc_row_at(board, to_y) + x / LC_SEGMENT_CELLS * LC_K;
        const uint4 there = *(const uint4 *)to; // another warp may be writing the other half
        const lc_word words[LC_K] = {there.x, there.y, there.z, there.w};
        lc_word differs[LC_K], any = 0;
        LC_UNROLL(LC_K)
        for (int k = 0; k < LC_K; k++) {
            const lc_word was = (half ? words[k] >> 16 : words[k] & 0xFFFF) << 8;
            const lc_word cells = lc_columns_within(x - MARGIN_COLUMNS + k, x, end);
            differs[k] = (was ^ row[i].word[k]) & cells;
            any |= differs[k];
        }
        if (any == 0)
            continue;
        changed |= any;
        LC_UNROLL(LC_K)
        for (int k = 0; k < LC_K; k++) {
            const lc_word now = (half ? words[k] >> 16 : words[k] & 0xFFFF) ^ differs[k] >> 8;
            ((unsigned short *)(to + k))[half] = (unsigned short)now;
        }
    }
    const lc_word rows = __ballot_sync(~0u, changed != 0);
    const lc_word left = __ballot_sync(~0u, (changed & 0xF00u) != 0);
    const lc_word at_right = __ballot_sync(~0u, (changed & 0xF00000u) != 0);
    const lc_word top = 0xFF00u, bottom = 0xFF0000u; // lanes
    return ((rows & top) != 0 ? LC_PART_TOP : 0) | ((rows & bottom) != 0 ? LC_PART_BOTTOM : 0) |
           (left != 0 ? LC_PART_LEFT : 0) | (at_right != 0 ? LC_PART_RIGHT : 0) |
           ((left & top) != 0 ? LC_PART_TOP_LEFT : 0) |
           ((at_right & top) != 0 ? LC_PART_TOP_RIGHT : 0) |
           ((left & bottom) != 0 ? LC_PART_BOTTOM_LEFT : 0) |
           ((at_right & bottom) != 0 ? LC_PART_BOTTOM_RIGHT : 0);
}

// Steps the tiles on the list by one round. `changed`: flags of the tiles in `out`. `first`: `out`
// does not hold the cells of one cycle earlier. `turn`: index of the list's counter; the kernel
// clears the other counter for the next round.
LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS)
    visit(lc_board_view in, lc_board_view out, lc_settled_tiles tiles, const unsigned int *list,
          unsigned char *changed, lc_u64 *counts, int turn, int first)
{
    LC_WAIT_FOR_KERNEL_BEFORE();
    const int lane = (int)(threadIdx.x % LC_LANES);
    const lc_u64 due = counts[LC_SETTLED_DUE + turn];
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        counts[LC_SETTLED_DUE + 1 - turn] = 0;
        counts[LC_SETTLED_VISITED] += due;
    }
    for (lc_u64 i = FIRST_WARP; i < due; i += WARP_STRIDE) {
        const unsigned int tile = list[i], tile_y = tile / tiles.across;
        const long long x = (long long)(tile - tile_y * tiles.across) * LC_SETTLED_COLUMNS;
        const long long y = (long long)tile_y * LC_SETTLED_ROWS;
        lc_strand row[2];
        load_window(row, &in, x, y, lane);
#if LC_WALLS
        const board_part part = part_on_board(&in, x, y, lane);
        if (!part.all)
            clear_beyond(row, &part);
#endif
        LC_UNROLL(1)
        for (int t = 0; t < LC_SETTLED_GENERATIONS; t++) {
            step_window(row);
#if LC_WALLS
            if (!part.all)
                clear_beyond(row, &part);
#endif
        }
        const unsigned int parts = store_tile(row, &out, x, y, lane);
        if (lane == 0)
            changed[tile] = (unsigned char)(first ? LC_PART_ALL : parts);
    }
}

// Choosing ---------------------------------------------------------------------------------------

// Returns the list of a tile whose window reaches beyond the board.
LC_INLINE unsigned int list_of(const lc_settled_tiles *tiles, unsigned int x, unsigned int y)
{
    if (y == 0)
        return x;
    if (y >= tiles->bottom)
        return (1 + y - tiles->bottom) * tiles->across + x;
    return 3 * tiles->across + 3 * y + (x == 0 ? 0 : 1 + x - tiles->right);
}

// The reverse. Returns false if the list has no tile.
LC_INLINE bool tile_of_list(const lc_settled_tiles *tiles, unsigned int list, unsigned int *x,
                            unsigned int *y)
{
    const unsigned int rows = 3 * tiles->across;
    if (list < rows) {
        const unsigned int row = list / tiles->across;
        *x = list - row * tiles->across;
        *y = row == 0 ? 0 : tiles->bottom + row - 1;
    } else {
        const unsigned int column = (list - rows) % 3;
        *x = column == 0 ? 0 : tiles->right + column - 1;
        *y = (list - rows) / 3;
    }
    return *x < tiles->across && *y < tiles->down;
}

// Returns whether any of the listed tiles beyond the board has changed.
LC_INLINE bool changed_beyond(const unsigned int *seen, const unsigned char *changed)
{
    if (seen[0] == LC_BEYOND_TOO_MANY)
        return true;
    for (int i = 0; i < LC_BEYOND_ENTRIES && seen[i] != LC_BEYOND_NONE; i++)
        if (changed[seen[i]] != 0)
            return true;
    return false;
}

// Returns whether any cell in the window of a tile has changed. `beyond`: the lists of tiles beyond
// the board.
LC_INLINE bool window_changed(const lc_settled_tiles *tiles, const unsigned char *changed,
                              const unsigned int *beyond, unsigned int x, unsigned int y)
{
    const unsigned int across = tiles->across;
    const unsigned char *at = changed + (lc_u64)y * across + x;
    const bool left = x > 0, right = x + 1 < across, above = y > 0, below = y + 1 < tiles->down;
    unsigned int parts = at[0];
    if (left)
        parts |= at[-1] & LC_PART_RIGHT;
    if (right)
        parts |= at[1] & LC_PART_LEFT;
    if (above) {
        const unsigned char *row = at - across;
        parts |= row[0] & LC_PART_BOTTOM;
        parts |= left ? row[-1] & LC_PART_BOTTOM_RIGHT : 0;
        parts |= right ? row[1] & LC_PART_BOTTOM_LEFT : 0;
    }
    if (below) {
        const unsigned char *row = at + across;
        parts |= row[0] & LC_PART_TOP;
        parts |= left ? row[-1] & LC_PART_TOP_RIGHT : 0;
        parts |= right ? row[1] & LC_PART_TOP_LEFT : 0;
    }
    if (parts != 0)
        return true;
    if (left && x < tiles->right && above && y < tiles->bottom)
        return false;
    return changed_beyond(beyond + (lc_u64)list_of(tiles, x, y) * LC_BEYOND_ENTRIES, changed);
}

// Makes the list of tiles to visit. `changed`: flags of the tiles in this round's source buffer.
// `next`: flags in the target buffer, cleared for tiles not visited.
LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS)
    choose(lc_settled_tiles tiles, const unsigned char *changed, unsigned char *next,
           const unsigned int *beyond, unsigned int *list, lc_u64 *counts, int turn)
{
    LC_WAIT_FOR_KERNEL_BEFORE();
    const int lane = (int)(threadIdx.x % LC_LANES);
    const unsigned int count = tiles.across * tiles.down;
    for (unsigned int first = FIRST_WARP * LC_LANES; first < count;
         first += WARP_STRIDE * LC_LANES) {
        const unsigned int tile = first + (unsigned int)lane, y = tile / tiles.across;
        const bool due = tile < count &&
                         window_changed(&tiles, changed, beyond, tile - y * tiles.across, y);
        const lc_word all_due = __ballot_sync(~0u, due);
        if (tile < count && !due)
            next[tile] = 0;
        if (all_due == 0)
            continue;
        lc_u64 place = 0;
        if (lane == 0)
            place = atomicAdd(&counts[LC_SETTLED_DUE + turn], (lc_u64)__popc(all_due));
        place = __shfl_sync(~0u, place, 0);
        if (due)
            list[place + (lc_u64)__popc(all_due & ((1u << lane) - 1))] = tile;
    }
}

// Beyond the board -------------------------------------------------------------------------------

// Makes the lists of tiles that windows see beyond the board, once per board. One warp per list,
// one entry per lane.
LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS)
    find_beyond(lc_surface surface, lc_settled_tiles tiles, unsigned int *beyond)
{
    const int lane = (int)(threadIdx.x % LC_LANES);
    const long long width = surface.width_cells, height = surface.height_cells;
    for (unsigned int list = FIRST_WARP; list < 3 * (tiles.across + tiles.down);
         list += WARP_STRIDE) {
        unsigned int tile_x, tile_y, mine = LC_BEYOND_NONE;
        int count = 0;
        if (!tile_of_list(&tiles, list, &tile_x, &tile_y))
            continue;
        const long long x = (long long)tile_x * LC_SETTLED_COLUMNS;
        const long long y = (long long)tile_y * LC_SETTLED_ROWS;
        const long long right = (x + LC_SETTLED_COLUMNS < width ? x + LC_SETTLED_COLUMNS : width) +
                                LC_SETTLED_GENERATIONS;
        const long long bottom = (y + LC_SETTLED_ROWS < height ? y + LC_SETTLED_ROWS : height) +
                                 LC_SETTLED_GENERATIONS;
        for (long long j = y - LC_SETTLED_GENERATIONS; j < bottom; j++) {
            for (long long i = x - LC_SETTLED_GENERATIONS; i < right; i += LC_LANES) {
                long long from_x = i + lane, from_y = j;
                const bool outside = from_x < 0 || from_x >= width || j < 0 || j >= height;
                bool sees = from_x < right && outside &&
                            lc_place(&surface, &from_x, &from_y) != LC_COPY_NONE;
                const unsigned int seen =
                    sees ? (unsigned int)(from_y / LC_SETTLED_ROWS) * tiles.across +
                               (unsigned int)(from_x / LC_SETTLED_COLUMNS)
                         : LC_BEYOND_NONE;
                for (lc_word left = __ballot_sync(~0u, sees); left != 0;
                     left = __ballot_sync(~0u, sees)) {
                    const unsigned int tile = __shfl_sync(~0u, seen, __ffs((int)left) - 1);
                    sees = sees && seen != tile;
                    if (__any_sync(~0u, mine == tile))
                        continue;
                    if (lane == count)
                        mine = tile;
                    count++;
                }
            }
        }
        if (count > LC_BEYOND_ENTRIES && lane == 0)
            mine = LC_BEYOND_TOO_MANY;
        beyond[(lc_u64)list * LC_BEYOND_ENTRIES + (lc_u64)lane] = mine;
    }
}

// Sampling ---------------------------------------------------------------------------------------

// Counts those of `samples` windows, spread over the board, whose middle differs from one cycle
// earlier. There are inner_across x inner_down tiles whose windows lie on the board, at least
// `samples` of them. The middle is 4 rows of 64 columns. The window contains all cells that can
// affect it within a cycle.
LC_KERNEL void LC_LAUNCH_BOUNDS(THREADS)
    sample(lc_board_view board, unsigned int inner_across, unsigned int inner_down,
           unsigned int samples, lc_u64 *counts)
{
    const int lane = (int)(threadIdx.x % LC_LANES);
    const lc_u64 inner = (lc_u64)inner_across * inner_down;
    for (unsigned int i = FIRST_WARP; i < samples; i += WARP_STRIDE) {
        const lc_u64 tile = samples < inner ? LC_MULTIPLY_HIGH(i * 0x9E3779B97F4A7C15u, inner) : i;
        const long long x = (long long)(1 + tile % inner_across) * LC_SETTLED_COLUMNS;
        const long long y = (long long)(1 + tile / inner_across) * LC_SETTLED_ROWS;
        lc_strand row[2], was[2];
        load_window(row, &board, x, y, lane);
        was[0] = row[0];
        was[1] = row[1];
        LC_UNROLL(1)
        for (int t = 0; t < 2 * LC_SETTLED_GENERATIONS; t++)
            step_window(row);
        lc_word differs = 0;
        LC_UNROLL(LC_K)
        for (int k = 0; k < LC_K; k++)
            differs |= (row[0].word[k] ^ was[0].word[k]) | (row[1].word[k] ^ was[1].word[k]);
        const bool middle = lane == 15 || lane == 16;
        const bool lively = __any_sync(~0u, middle && (differs & 0x00FFFF00u) != 0);
        if (lane == 0 && lively)
            atomicAdd(&counts[LC_SETTLED_LIVELY], (lc_u64)1);
    }
}
