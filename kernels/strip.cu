// Steps LC_GENERATIONS generations in one pass over memory, by a pipeline in a warp's registers.
//
// A warp walks down a strip 32 segments wide. For each level (a generation) it keeps the row sums
// of the last two rows and the cells of the last row. Two new rows of a level produce two rows of
// the next one:
//
//      level 0 (in memory)     row y      row y + 1                    two rows in
//      level 1                 row y - 1  row y
//      ...
//      level T (to memory)     row y - T  row y - T + 1                two rows out
//
// The kernel uses no shared memory and no barrier, and reads and writes memory once for T
// generations. Neighbours in a row come from the adjacent lane (strand.h). The rows of the board
// are divided into runs, one after the other on the tape. A run also reads T rows above and below
// its own.
//
//     -DLC_K            words per lane: 1, 2 or 4
//     -DLC_GENERATIONS  T: if the cells drift, 2T columns of halo must fit into one lane
//     -DLC_WARPS        warps per block
//     -DLC_DRIFTING, -DLC_FENCED, -DLC_FENCE_WORD, -DLC_SLAB: strand.h
//
// Cost with a network of G gates for two words: 2 + G/2 gates, 2/K shifts and 2/K shuffles per word
// and generation; 2/T bits of memory traffic per cell and generation; 20*K*T bytes of registers for
// the levels (K = 4, T = 8: 160 registers of 255). The prologue, in which the levels fill one after
// the other, takes the time of T rows per run. 1 lane of 32 (drifting; 2 centred) is halo.
//
// Limits: the board has at least T + 2 rows and at least `rows` rows; `rows` is a multiple of
// LC_TURN; T + LC_AHEAD + 2 <= LC_HALO_ROWS; height < 2^31; bytes of a row < 2^32.
#define LC_LOAD __ldg
#include "strand.h"

// The states rotate through three sets of registers. Unrolling the steps three times avoids one
// move per two gates.
#define LC_STEPS 3
#define LC_TURN (2 * LC_STEPS)

// Distance in rows at which rows are prefetched into the L2 cache. The compiler moves the loads
// down to where registers are free: too late for memory, early enough for the cache.
#define LC_AHEAD 4
// Rows prefetched at the beginning of a run.
#define LC_AHEAD_AT_FIRST 12

#if LC_DRIFTING && 2 * LC_GENERATIONS > LC_SEGMENT_CELLS
#error "the halo is more than one lane"
#endif

typedef struct lc_level_sums {
    lc_sums above, here;
} lc_level_sums;

typedef struct lc_walk {
    lc_word *from;           // of the lane's segment, row 0
    unsigned int pitch_bytes;
    unsigned int y, last;    // next row to load; the board's last row
    lc_strand ahead0, ahead1; // rows y - 2 and y - 1, already loaded
#if LC_FENCED
    lc_fence fence;
    unsigned int above, height; // rows above row 0 that can have live cells; all such rows
#endif
} lc_walk;

LC_INLINE lc_strand load_next(lc_walk *walk)
{
    const lc_strand strand = lc_strand_load(lc_row_below(walk->from, walk->y, walk->pitch_bytes));
    LC_PREFETCH(lc_row_below(walk->from, walk->y + LC_AHEAD, walk->pitch_bytes));
    walk->y = lc_next_row(walk->y, walk->last);
    return strand;
}

// Passes two rows through the first `levels` levels; two rows of the last one result. `edge`, a
// constant: the rows may lie outside a plane.
LC_INLINE void step(lc_walk *walk, lc_level_sums *level, int levels, int edge, lc_strand *row0,
                    lc_strand *row1)
{
    *row0 = walk->ahead0;
    *row1 = walk->ahead1;
#if LC_FENCED
    const unsigned int y = walk->y - 2 - LC_HALO_ROWS + walk->above; // row of *row0 on the plane
#else
    (void)edge;
#endif
    walk->ahead0 = load_next(walk);
    walk->ahead1 = load_next(walk);
    LC_UNROLL(LC_GENERATIONS)
    for (int t = 0; t < LC_GENERATIONS; t++) {
        if (t >= levels)
            continue;
#if LC_FENCED
        lc_strand_fence(row0, walk->fence);
        lc_strand_fence(row1, walk->fence);
        if (edge) {
            lc_strand_clear_unless(row0, y - (unsigned int)t < walk->height);
            lc_strand_clear_unless(row1, y + 1 - (unsigned int)t < walk->height);
        }
#endif
        const lc_sums sums0 = lc_strand_sums(*row0), sums1 = lc_strand_sums(*row1);
        lc_strand_next_pair(&level[t].above, &level[t].here, &sums0, &sums1, row0, row1);
        level[t].above = sums0;
        level[t].here = sums1;
    }
}

LC_INLINE void turn(lc_walk *walk, lc_level_sums *level, int edge, bool owner, lc_word *to,
                    unsigned int y)
{
    LC_UNROLL(LC_STEPS)
    for (unsigned int i = 0; i < LC_TURN; i += 2) {
        lc_strand row0, row1;
        step(walk, level, LC_GENERATIONS, edge, &row0, &row1);
        if (owner) {
            lc_strand_store(lc_row_below(to, y + i, walk->pitch_bytes), row0);
            lc_strand_store(lc_row_below(to, y + i + 1, walk->pitch_bytes), row1);
        }
    }
}

// Steps the board in `runs` runs of `rows` rows each. The last run overlaps the one before if
// `rows` does not divide the height. Grid and block are one-dimensional.
LC_KERNEL void LC_LAUNCH_BOUNDS(LC_WARPS * LC_LANES, 1)
    strip(lc_board_view in, lc_board_view out, unsigned int rows, unsigned int runs)
{
    LC_WAIT_FOR_KERNEL_BEFORE();
    const unsigned int warp = blockIdx.x * LC_WARPS + threadIdx.x / LC_LANES;
    const unsigned int height = (unsigned int)in.height_cells;
    const lc_lane lane = lc_lane_at(warp, (int)(threadIdx.x % LC_LANES), in.segments, runs);
    const unsigned int first = lane.run * rows + rows <= height ? (unsigned int)lane.run * rows
                                                                 : height - rows;
    // Row numbers count from the first readable row: the halo's first if its rows are filled.
    const int origin = LC_WRAPS ? 0 : -LC_HALO_ROWS;
    const long long words = lane.segment * LC_K;
    lc_word *const to = lc_row_at(&out, origin) + words;
    const unsigned int to_y = first - (unsigned int)origin;

    lc_walk walk;
    walk.from = lc_row_at(&in, origin) + words;
    walk.pitch_bytes = (unsigned int)(in.segments + 2) * LC_K * (unsigned int)sizeof(lc_word);
    walk.last = height - 1;
    walk.y = to_y - LC_GENERATIONS;
#if LC_WRAPS
    if (first < LC_GENERATIONS)
        walk.y += height;
#endif
    LC_UNROLL(1)
    for (unsigned int i = 0; i < LC_AHEAD_AT_FIRST; i++)
        LC_PREFETCH(lc_row_below(walk.from, walk.y + i, walk.pitch_bytes));
#if LC_FENCED
    walk.fence = lc_fence_at(&in, lane.segment);
    walk.above = (unsigned int)lc_rows_above(&in);
    walk.height = height + walk.above + (unsigned int)lc_rows_below(&in);
    // The last turns of a run at the board's end read rows below the board.
    const unsigned int seeing = (LC_GENERATIONS + LC_TURN + 3) / LC_TURN * LC_TURN;
    unsigned int plain_rows = rows;
    if (__any_sync(~0u, first + rows + LC_GENERATIONS >= height))
        plain_rows = rows > seeing ? rows - seeing : 0;
#endif

    // The levels' initial values are arbitrary but must be defined. Level t enters in step t. Its
    // first two output rows are wrong, and only rows that are discarded depend on them.
    lc_level_sums level[LC_GENERATIONS] = {0};
    walk.ahead0 = load_next(&walk);
    walk.ahead1 = load_next(&walk);
    lc_strand row0, row1;
    LC_UNROLL(LC_GENERATIONS)
    for (int i = 1; i <= LC_GENERATIONS; i++)
        step(&walk, level, i, 1, &row0, &row1);

    LC_UNROLL(1)
    for (unsigned int y = 0; y < rows; y += LC_TURN) {
#if LC_FENCED
        if (y >= plain_rows) {
            turn(&walk, level, 1, lane.owner, to, to_y + y);
            continue;
        }
#endif
        turn(&walk, level, 0, lane.owner, to, to_y + y);
    }
}
