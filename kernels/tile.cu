// Steps any number of generations, in tiles that blocks hold in registers. For boards too small to
// fill the GPU with long strips, and for generations left over after the passes of strips.
//
// A block holds a tile of LC_WARPS * LC_ROWS rows, 32 segments wide (strand.h). Each warp has
// LC_ROWS rows of it, and each lane a strand of each row:
//
//          32 lanes
//        +----------+   `depth` rows of halo
//        |  warp 0  |   LC_ROWS rows
//        |  warp 1  |   ...
//        |   ...    |
//        +----------+   `depth` rows of halo
//
// In a generation each warp steps its rows from top to bottom, in place. It needs one row of the
// warp above and one of the warp below. The warps exchange them through shared memory. The barrier
// for this comes after the rows in the middle, when most warps have long written theirs. After
// `depth` generations the halo is used up: the block writes its own rows and loads the tile again.
// Between these passes all blocks wait for each other in one cooperative launch, unless another
// kernel has to fill the board's halo.
//
//     -DLC_K      words per lane: 1, 2 or 4
//     -DLC_ROWS   rows per warp
//     -DLC_WARPS  warps per block
//     -DLC_DRIFTING, -DLC_FENCED, -DLC_FENCE_WORD, -DLC_SLAB: strand.h
//
// Cost with a network of G gates for two words: 2 + G/2 gates, 2/K shifts and 2/K shuffles per word
// and generation, multiplied by the halo's factor, (LC_WARPS * LC_ROWS) / (LC_WARPS * LC_ROWS - 2 *
// depth).
//
// Limits: 2 * depth < LC_WARPS * LC_ROWS; depth <= LC_HALO_ROWS; depth columns (if the cells drift,
// twice as many) fit into one lane; height < 2^31; bytes of a row < 2^32.
#define LC_LOAD __ldcg
#include "strand.h"

#define LC_TILE_ROWS (LC_WARPS * LC_ROWS)

typedef struct lc_place {
    long long words;          // offset of the lane's segment in a row
    unsigned int pitch_bytes; // of a row
    unsigned int y, last;     // the warp's first row; last row of the board or of its halo
    int first, end;           // the warp writes its rows first .. end - 1
} lc_place;

LC_INLINE void load_tile(lc_strand *row, const lc_board_view *board, const lc_place *place)
{
    lc_word *const from = lc_row_at(board, LC_WRAPS ? 0 : -LC_HALO_ROWS) + place->words;
    unsigned int y = place->y;
    LC_UNROLL(LC_ROWS)
    for (int i = 0; i < LC_ROWS; i++) {
        row[i] = lc_strand_load(lc_row_below(from, y, place->pitch_bytes));
        y = lc_next_row(y, place->last);
#if !LC_WRAPS
        y = y < place->last ? y : place->last;
#endif
    }
}

LC_INLINE void store_tile(const lc_strand *row, const lc_board_view *board, const lc_place *place)
{
    lc_word *const to = lc_row_at(board, LC_WRAPS ? 0 : -LC_HALO_ROWS) + place->words;
    unsigned int y = place->y;
    LC_UNROLL(LC_ROWS)
    for (int i = 0; i < LC_ROWS; i++) {
        if (i >= place->first && i < place->end)
            lc_strand_store(lc_row_below(to, y, place->pitch_bytes), row[i]);
        y = lc_next_row(y, place->last);
    }
}

// Steps the warp's rows by one generation. `edge` holds the first and the last row of each warp for
// the others. Two such buffers alternate, so a warp that is a generation ahead does not overwrite
// rows that another warp still has to read.
LC_INLINE void step(lc_strand *row, lc_strand edge[LC_WARPS][2][LC_LANES], unsigned int warp,
                    unsigned int lane)
{
    edge[warp][0][lane] = row[0];
    edge[warp][1][lane] = row[LC_ROWS - 1];
    const lc_sums first = lc_strand_sums(row[0]), second = lc_strand_sums(row[1]);
    lc_sums above = first, here = second;
    LC_UNROLL(LC_ROWS)
    for (int i = 1; i + 2 < LC_ROWS; i += 2) {
        const lc_sums below = lc_strand_sums(row[i + 1]), beyond = lc_strand_sums(row[i + 2]);
        lc_strand_next_pair(&above, &here, &below, &beyond, &row[i], &row[i + 1]);
        above = below;
        here = beyond;
    }
#if LC_ROWS % 2
    const lc_sums last = lc_strand_sums(row[LC_ROWS - 1]);
    row[LC_ROWS - 2] = lc_strand_next(&above, &here, &last);
    above = here;
    here = last;
#endif
    __syncthreads();
    // Rows beyond the tile are arbitrary, because its outermost rows are halo.
    const lc_sums before = lc_strand_sums(edge[warp > 0 ? warp - 1 : 0][1][lane]);
    const lc_sums after =
        lc_strand_sums(edge[warp + 1 < LC_WARPS ? warp + 1 : warp][0][lane]);
    row[0] = lc_strand_next(&before, &first, &second);
    row[LC_ROWS - 1] = lc_strand_next(&above, &here, &after);
}

// Waits until all blocks have arrived here `times` times. *arrived is 0 before the launch.
LC_INLINE void wait_for_all(unsigned int *arrived, unsigned int times)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        LC_ARRIVE(arrived);
        while (LC_ARRIVED(arrived) < times * gridDim.x)
            LC_SPIN();
    }
    __syncthreads();
}

// Steps `generations` generations in passes of `depth`, the last pass shorter if necessary. The
// board has `runs` runs of LC_TILE_ROWS - 2 * depth rows. More than one pass requires a cooperative
// launch and a board whose halo need not be filled. The result is in `out` after an odd number of
// passes, otherwise in `in`.
LC_KERNEL void LC_LAUNCH_BOUNDS(LC_WARPS * LC_LANES, 1)
    tile(lc_board_view in, lc_board_view out, unsigned int runs, unsigned int depth,
         unsigned int generations, unsigned int *arrived)
{
    LC_SHARED lc_strand edge[2][LC_WARPS][2][LC_LANES];
    LC_WAIT_FOR_KERNEL_BEFORE();
    const unsigned int warp = threadIdx.x / LC_LANES, lane_index = threadIdx.x % LC_LANES;
    const int height = (int)in.height_cells;
    const lc_lane lane = lc_lane_at(blockIdx.x, (int)lane_index, in.segments, runs);
    const int rows = LC_TILE_ROWS - 2 * (int)depth;
    const long long begin = (long long)lane.run * rows; // of the run
    const int own = begin + rows <= height ? rows : (int)(height - begin);
    const int row_of_tile = (int)(warp * LC_ROWS) - (int)depth;
    long long y = begin + row_of_tile;

    lc_place place;
    place.words = lane.segment * LC_K;
    place.pitch_bytes = (unsigned int)(in.segments + 2) * LC_K * (unsigned int)sizeof(lc_word);
    place.first = -row_of_tile;
    place.end = lane.owner ? own - row_of_tile : 0;
#if LC_WRAPS
    y %= height;
    place.y = (unsigned int)(y < 0 ? y + height : y);
    place.last = (unsigned int)height - 1;
#else
    place.last = (unsigned int)height - 1 + 2 * LC_HALO_ROWS;
    y += LC_HALO_ROWS;
    place.y = y < place.last ? (unsigned int)y : place.last;
#endif
#if LC_FENCED
    const lc_fence fence = lc_fence_at(&in, lane.segment);
    const int row_0 = (int)-(begin + row_of_tile); // in the warp's row numbers
    const int top = row_0 - lc_rows_above(&in), bottom = row_0 + height + lc_rows_below(&in);
    const bool edge_of_board = __any_sync(~0u, top > 0 || bottom < LC_ROWS);
#endif

    for (unsigned int pass = 1;; pass++) {
        lc_strand row[LC_ROWS];
        load_tile(row, &in, &place);
        const unsigned int todo = generations < depth ? generations : depth;
        LC_UNROLL(1)
        for (unsigned int i = 0; i < todo; i++) {
#if LC_FENCED
            LC_UNROLL(LC_ROWS)
            for (int r = 0; r < LC_ROWS; r++)
                lc_strand_fence(&row[r], fence);
            if (edge_of_board) {
                LC_UNROLL(LC_ROWS)
                for (int r = 0; r < LC_ROWS; r++)
                    lc_strand_clear_unless(&row[r], r >= top && r < bottom);
            }
#endif
            step(row, edge[i & 1], warp, lane_index);
        }
        store_tile(row, &out, &place);
        generations -= todo;
        if (generations == 0)
            return;
        wait_for_all(arrived, pass);
        const lc_board_view written = out;
        out = in;
        in = written;
    }
}
