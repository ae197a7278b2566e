// LC_GENERATIONS generations in one pass over memory, by a pipeline in a warp's registers.
//
// A warp walks down a strip 32 segments wide. For each level, a generation, it keeps the row sums
// of the last two rows that it has seen and the cells of the last one; two new rows yield two rows
// of the next level:
//
//      level 0 (in memory)     row y      row y + 1                    two rows in
//      level 1                 row y - 1  row y
//      ...
//      level T (to memory)     row y - T  row y - T + 1                two rows out
//
// No shared memory, no barrier, and one read and one write of memory for T generations. Neighbours
// in a row come from the lane beside (strand.h). The rows of the board are cut into runs, which
// follow each other on the tape; a run also reads T rows above and below its own.
//
//     -DLC_K            words a lane: 1, 2 or 4
//     -DLC_GENERATIONS  T: 2T columns of halo must fit into one lane where the cells drift
//     -DLC_WARPS        warps a block
//     -DLC_DRIFTING, -DLC_FENCED, -DLC_FENCE_WORD, -DLC_SLAB: strand.h
//
// What it costs, with a network of G gates for two words: 2 + G/2 gates, 2/K shifts and 2/K
// shuffles per word and generation; 2/T bits of memory traffic per cell and generation; 20*K*T
// bytes of registers for the levels (K = 4, T = 8: 160 registers of 255). The prologue, in which
// the levels fill one after the other, takes the time of T rows a run, and 1 lane of 32 (drifting;
// 2 centred) is halo.
//
// Limits: the board has at least T + 2 rows and `rows` of them; `rows` is a multiple of LC_TURN;
// T + LC_AHEAD + 2 <= LC_HALO_ROWS; height and bytes of a row are below 2^31 and 2^32.
#define LC_LOAD __ldg
#include "strand.h"

// The states rotate through three sets of registers. Unrolled three times, the steps need no moves;
// otherwise there is half a move a gate.
#define LC_STEPS 3
#define LC_TURN (2 * LC_STEPS)

// Rows that the level 2 cache is told about before they are loaded. The loads themselves are moved
// down by the compiler to where registers are free, too late for memory, but not for the cache.
#define LC_AHEAD 4
// At the beginning of a run nothing has been prefetched yet.
#define LC_AHEAD_AT_FIRST 12

#if LC_DRIFTING && 2 * LC_GENERATIONS > LC_SEGMENT_CELLS
#error "the halo is more than one lane"
#endif

typedef struct lc_level_sums {
    lc_sums above, here;
} lc_level_sums;

typedef struct lc_walk {
    lc_word *from;           // row 0 of the lane's segment
    unsigned int pitch_bytes;
    unsigned int y, last;    // the next row to load; the board's last
    lc_strand ahead0, ahead1; // loaded already: rows y - 2, y - 1
#if LC_FENCED
    lc_fence fence;
    unsigned int above, height; // rows that may be alive above row 0, and all of them
#endif
} lc_walk;

LC_INLINE lc_strand load_next(lc_walk *walk)
{
    const lc_strand strand = lc_strand_load(lc_row_below(walk->from, walk->y, walk->pitch_bytes));
    LC_PREFETCH(lc_row_below(walk->from, walk->y + LC_AHEAD, walk->pitch_bytes));
    walk->y = lc_next_row(walk->y, walk->last);
    return strand;
}

// Two rows into the first `levels` levels, two rows out of the last of them. `edge`, a constant:
// they may lie outside a plane.
LC_INLINE void step(lc_walk *walk, lc_level_sums *level, int levels, int edge, lc_strand *row0,
                    lc_strand *row1)
{
    *row0 = walk->ahead0;
    *row1 = walk->ahead1;
#if LC_FENCED
    const unsigned int y = walk->y - 2 - LC_HALO_ROWS + walk->above; // of *row0, on the plane
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

// `runs` runs of `rows` rows each; the last one overlaps the one before if `rows` does not divide
// the height. Grid and block are one-dimensional.
LC_KERNEL void LC_LAUNCH_BOUNDS(LC_WARPS * LC_LANES, 1)
    strip(lc_board_view in, lc_board_view out, unsigned int rows, unsigned int runs)
{
    LC_WAIT_FOR_KERNEL_BEFORE();
    const unsigned int warp = blockIdx.x * LC_WARPS + threadIdx.x / LC_LANES;
    const unsigned int height = (unsigned int)in.height_cells;
    const lc_lane lane = lc_lane_at(warp, (int)(threadIdx.x % LC_LANES), in.segments, runs);
    const unsigned int first = lane.run * rows + rows <= height ? (unsigned int)lane.run * rows
                                                                 : height - rows;
    // Row numbers count from the first row that may be read: the halo's, if its rows are filled.
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
    // The last turns of a run at the end of the board see rows below it.
    const unsigned int seeing = (LC_GENERATIONS + LC_TURN + 3) / LC_TURN * LC_TURN;
    unsigned int plain_rows = rows;
    if (__any_sync(~0u, first + rows + LC_GENERATIONS >= height))
        plain_rows = rows > seeing ? rows - seeing : 0;
#endif

    // What the levels hold at first does not matter, but must not be undefined: as level t enters
    // in step t, its first two rows out are wrong, and only wrong rows are made from them.
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
