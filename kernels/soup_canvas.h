// A soup on its canvas, stepped by a warp.
//
// Only what changes is stepped, as src/census/canvas.h explains: blocks are active if they differ
// from two generations before. In each step, patches of 64 x 64 cells cover the active blocks and
// the cells around them. A lane keeps the active blocks of two of the 64 rows of blocks.
#ifndef LC_KERNELS_SOUP_CANVAS_H
#define LC_KERNELS_SOUP_CANVAS_H

#include "soup_window.h"

#define BLOCKS LC_CENSUS_BLOCKS
#define LAST_BLOCK (BLOCKS - PATCH_BLOCKS) // of a patch, on the canvas
// Cells of a patch that must not be active: twice the generations, in whole blocks.
#define NEAR_EDGE 1
#define FAR_EDGE (16 / BLOCK_CELLS)
#define NEAR_BLOCKS (PATCH_BLOCKS - 2 * NEAR_EDGE) // that a patch covers
#define FAR_BLOCKS (PATCH_BLOCKS - 2 * FAR_EDGE)
#define NEAR_GENERATIONS 4
#define FAR_GENERATIONS 8
// In cells. A change further inside a dead square has no effect outside within two generations.
#define STILL_EDGE 4
// Rows and columns of the canvas in which nothing may be active.
#define EDGES (((1ull << FAR_EDGE) - 1) | ((1ull << FAR_EDGE) - 1) << (BLOCKS - FAR_EDGE))

// A range of blocks, without `right` and `bottom`.
typedef struct blocks_range {
    int left, top, right, bottom;
} blocks_range;

typedef struct soup {
    lc_word *canvas, *reached, *spare; // memory of the warp
    unsigned int lane;
    int generation;
    // Blocks of rows lane and lane + 32: bit x stands for column x.
    lc_u64 active[2];
    blocks_range touched; // blocks that have cells, or had some
    // Live cells that a lane has stored, and those of spaceships that were taken away. Only the sum
    // of all lanes has a meaning.
    int cells;
    lc_word gliders;
} soup;

// Places of patches, in blocks: column | row << 8.
LC_INLINE unsigned int place_at(int column, int row)
{
    column = column < 0 ? 0 : column > LAST_BLOCK ? LAST_BLOCK : column;
    row = row < 0 ? 0 : row > LAST_BLOCK ? LAST_BLOCK : row;
    return (unsigned int)column | (unsigned int)row << 8;
}

#define PLACE_X(place) ((place) % 256 * BLOCK_CELLS) // in cells
#define PLACE_Y(place) ((place) / 256 * BLOCK_CELLS)

// Sets of blocks ---------------------------------------------------------------------------------

LC_INLINE lc_u64 rows_of(const lc_u64 blocks[2])
{
    const lc_word upper = __ballot_sync(~0u, blocks[0] != 0);
    return upper | (lc_u64)__ballot_sync(~0u, blocks[1] != 0) << 32;
}

// Returns the columns of the blocks in `count` rows from `first` on.
LC_INLINE lc_u64 columns_of(const lc_u64 blocks[2], unsigned int lane, unsigned int first,
                            unsigned int count)
{
    const lc_u64 upper = lane - first < count ? blocks[0] : 0;
    const lc_u64 lower = lane + 32 - first < count ? blocks[1] : 0;
    return or_of_lanes_64(upper | lower);
}

// Adds the blocks of a patch. Lane i of `row` has those of row i / BLOCK_LANES.
LC_INLINE void add_blocks(lc_u64 blocks[2], unsigned int lane, unsigned int place, lc_word row)
{
    const unsigned int first = place / 256, i = (lane - first) % 32;
    const lc_u64 here = (lc_u64)__shfl_sync(~0u, row, BLOCK_LANES * i % 32) << place % 256;
    if (i >= PATCH_BLOCKS)
        return;
    if (first + i < 32)
        blocks[0] |= here;
    else
        blocks[1] |= here;
}

// Adds the blocks of a range, which is not 64 wide, or takes them away.
LC_INLINE void set_range(lc_u64 blocks[2], unsigned int lane, blocks_range range, bool active)
{
    const lc_u64 columns = ((1ull << (range.right - range.left)) - 1) << range.left;
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        const int row = (int)lane + 32 * i;
        if (row >= range.top && row < range.bottom)
            blocks[i] = active ? blocks[i] | columns : blocks[i] & ~columns;
    }
}

// Returns the blocks of a square that are inactive if none of its cells is alive. Blocks nearer to
// its edges than STILL_EDGE may be active: cells that have died in them may have changed what
// becomes of the live cells beside the square.
LC_INLINE blocks_range still_blocks(int x, int y, int size)
{
    const int first = STILL_EDGE + BLOCK_CELLS - 1, end = size - STILL_EDGE;
    const blocks_range still = {x == 0 ? 0 : (x + first) / BLOCK_CELLS,
                                y == 0 ? 0 : (y + first) / BLOCK_CELLS,
                                x + size == CANVAS_CELLS ? BLOCKS : (x + end) / BLOCK_CELLS,
                                y + size == CANVAS_CELLS ? BLOCKS : (y + end) / BLOCK_CELLS};
    return still;
}

LC_INLINE void touch_patch(soup *s, unsigned int place)
{
    const int left = (int)(place % 256), top = (int)(place / 256);
    s->touched.left = min(s->touched.left, left);
    s->touched.top = min(s->touched.top, top);
    s->touched.right = max(s->touched.right, left + PATCH_BLOCKS);
    s->touched.bottom = max(s->touched.bottom, top + PATCH_BLOCKS);
}

// Finds patches whose inner side x side blocks cover the active ones. Lane i gets the place of
// patch i, of the first 32. Returns how many there are.
LC_INLINE int cover(unsigned int *place, const lc_u64 active[2], unsigned int lane, int side)
{
    const int edge = (PATCH_BLOCKS - side) / 2;
    const lc_u64 ones = (1ull << side) - 1;
    lc_u64 rows = rows_of(active);
    int count = 0;
    while (rows != 0) {
        const int row = __ffsll((long long)rows) - 1;
        lc_u64 columns = columns_of(active, lane, (unsigned int)row, (unsigned int)side);
        rows &= ~(ones << row);
        while (columns != 0) {
            const int column = __ffsll((long long)columns) - 1;
            columns &= ~(ones << column);
            if ((int)lane == count)
                *place = place_at(column - edge, row - edge);
            count++;
        }
    }
    return count;
}

// Whether active blocks are too near the edges of the canvas.
LC_INLINE bool is_at_edge(lc_u64 rows, lc_u64 columns)
{
    return ((rows | columns) & EDGES) != 0;
}

// Steps ------------------------------------------------------------------------------------------

// Whether only the blocks in the middle of a patch are active, `edge` away from its edges.
LC_INLINE bool is_middle(lc_word blocks, unsigned int lane, unsigned int edge)
{
    const unsigned int row = lane / BLOCK_LANES;
    const lc_word all = (1u << PATCH_BLOCKS) - 1;
    const bool inner = row >= edge && row < PATCH_BLOCKS - edge;
    const lc_word outer = inner ? ((1u << edge) - 1) | ~(all >> edge) : all;
    return !__any_sync(~0u, (blocks & outer) != 0);
}

// Cells so near the edges of a patch are wrong after so many generations, or are not needed.
#define MARGIN(generations) ((unsigned int)max(generations, NEAR_GENERATIONS))

// Steps one patch that covers all active blocks, by at most `generations`, until they leave it.
// `far`: they are only in its middle. Returns the generations.
LC_INLINE int step_alone(soup *s, unsigned int place, bool far, int generations)
{
    warp_window now, before;
    load_window(&now, s->canvas, PLACE_X(place), PLACE_Y(place), s->lane);
    int made = 0;
    lc_word blocks = 0;
    bool goes_on = true;
    while (goes_on) {
        const int more = min(generations - made, far ? FAR_GENERATIONS : NEAR_GENERATIONS);
        const warp_window first = now;
        step_window_by(&now, &before, more);
        made += more;
        blocks = blocks_that_differ(&now, &before, s->lane, MARGIN(more));
        keep_edges(&now, &first, s->lane, MARGIN(more));
        far = is_middle(blocks, s->lane, FAR_EDGE);
        goes_on = made < generations && __any_sync(~0u, blocks != 0) &&
                  (far || is_middle(blocks, s->lane, NEAR_EDGE));
    }
    s->cells +=
        store_window(s->canvas, &now, PLACE_X(place), PLACE_Y(place), s->lane, NEAR_GENERATIONS);
    __syncwarp();
    s->active[0] = s->active[1] = 0;
    add_blocks(s->active, s->lane, place, blocks);
    touch_patch(s, place);
    return made;
}

LC_INLINE void put_spare(const soup *s, int number, const warp_window *w)
{
    ((uint4 *)s->spare)[32 * number + (int)s->lane] =
        make_uint4(w->cells[0], w->cells[1], w->cells[2], w->cells[3]);
}

// Stores the cells of patches that are at least `margin` from the edges. The others may be wrong.
LC_INLINE void store_spare(soup *s, unsigned int places, int count, unsigned int margin)
{
    __syncwarp(); // all have read the canvas
    for (int i = 0; i < count; i++) {
        const unsigned int place = __shfl_sync(~0u, places, i);
        const uint4 words = ((const uint4 *)s->spare)[32 * i + (int)s->lane];
        const warp_window now = {{words.x, words.y, words.z, words.w}};
        s->cells += store_window(s->canvas, &now, PLACE_X(place), PLACE_Y(place), s->lane, margin);
        __syncwarp(); // the next one may have cells of the same words
    }
}

// Steps patches by 8 generations or fewer. All are stepped before the first one is stored, because
// they overlap. Returns the generations.
LC_INLINE int step_patches(soup *s, unsigned int places, int count, int generations)
{
    lc_u64 active[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        const unsigned int place = __shfl_sync(~0u, places, i);
        warp_window now, before;
        load_window(&now, s->canvas, PLACE_X(place), PLACE_Y(place), s->lane);
        step_window_by(&now, &before, generations);
        add_blocks(active, s->lane, place,
                   blocks_that_differ(&now, &before, s->lane, MARGIN(generations)));
        touch_patch(s, place);
        put_spare(s, i, &now);
    }
    store_spare(s, places, count, MARGIN(generations));
    s->active[0] = active[0];
    s->active[1] = active[1];
    return generations;
}

// Steps the soup by at most `generations`, an even number. Some blocks are active. Returns how many
// were made; 0: some blocks are too near the edge, -1: there are too many patches.
LC_INLINE int step_soup(soup *s, int generations)
{
    unsigned int places = 0, far_places = 0;
    const lc_u64 rows = rows_of(s->active), columns = columns_of(s->active, s->lane, 0, BLOCKS);
    if (is_at_edge(rows, columns))
        return 0;
    const int top = __ffsll((long long)rows) - 1, left = __ffsll((long long)columns) - 1;
    const int height = 64 - __clzll((long long)rows) - top;
    const int width = 64 - __clzll((long long)columns) - left;
    if (width <= NEAR_BLOCKS && height <= NEAR_BLOCKS)
        return step_alone(
            s, place_at(left - (PATCH_BLOCKS - width) / 2, top - (PATCH_BLOCKS - height) / 2),
            width <= FAR_BLOCKS && height <= FAR_BLOCKS, generations);
    const int count = cover(&places, s->active, s->lane, NEAR_BLOCKS);
    if (generations >= FAR_GENERATIONS) {
        const int far_count = cover(&far_places, s->active, s->lane, FAR_BLOCKS);
        // A patch of 8 generations takes four fifths of the time of two patches of 4.
        if (far_count * 4 <= count * 5 && far_count <= LC_CENSUS_PATCHES_MAX)
            return step_patches(s, far_places, far_count, FAR_GENERATIONS);
    }
    if (count > LC_CENSUS_PATCHES_MAX)
        return -1;
    return step_patches(s, places, count, min(generations, NEAR_GENERATIONS));
}

// The whole canvas -------------------------------------------------------------------------------

// Columns of words with touched blocks.
LC_INLINE int first_column(const soup *s)
{
    return s->touched.left * BLOCK_CELLS / 32;
}

LC_INLINE int end_column(const soup *s)
{
    return (s->touched.right * BLOCK_CELLS + 31) / 32;
}

// Rows of cells with touched blocks.
LC_INLINE int first_row(const soup *s)
{
    return s->touched.top * BLOCK_CELLS;
}

LC_INLINE int end_row(const soup *s)
{
    return s->touched.bottom * BLOCK_CELLS;
}

LC_INLINE void clear_cells(const soup *s, lc_word *cells)
{
    for (int column = first_column(s); column < end_column(s); column++)
        for (int y = first_row(s) + 4 * (int)s->lane; y < end_row(s); y += 128)
            *(uint4 *)(cells + column * CANVAS_CELLS + y) = make_uint4(0, 0, 0, 0);
    __syncwarp();
}

// Sets s->reached to the cells that are alive now or in the next generation.
LC_INLINE void reach_next(const soup *s)
{
    for (int row = s->touched.top; row < s->touched.bottom; row += NEAR_BLOCKS)
        for (int column = s->touched.left; column < s->touched.right; column += NEAR_BLOCKS) {
            const unsigned int place = place_at(column - NEAR_EDGE, row - NEAR_EDGE);
            warp_window now, next;
            load_window(&now, s->canvas, PLACE_X(place), PLACE_Y(place), s->lane);
            if (!__any_sync(~0u, (now.cells[0] | now.cells[1] | now.cells[2] | now.cells[3]) != 0))
                continue;
            next = now;
            step_window(&next, false);
            LC_UNROLL(4)
            for (int i = 0; i < 4; i++)
                next.cells[i] |= now.cells[i];
            (void)store_window(s->reached, &next, PLACE_X(place), PLACE_Y(place), s->lane,
                               NEAR_GENERATIONS);
            __syncwarp();
        }
}

// Runs active blocks for some generations, at most four, and adds all cells alive then to
// s->reached.
LC_INLINE void reach_further(soup *s, unsigned int places, int count, int generations)
{
    lc_u64 active[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        const unsigned int place = __shfl_sync(~0u, places, i);
        warp_window now, before, all;
        load_window(&now, s->canvas, PLACE_X(place), PLACE_Y(place), s->lane);
        load_window(&all, s->reached, PLACE_X(place), PLACE_Y(place), s->lane);
        before = now;
        LC_UNROLL(1)
        for (int t = 0; t < generations; t++) {
            if (t == generations - 2)
                before = now;
            step_window(&now, false);
            LC_UNROLL(4)
            for (int k = 0; k < 4; k++)
                all.cells[k] |= now.cells[k];
        }
        add_blocks(active, s->lane, place,
                   blocks_that_differ(&now, &before, s->lane, NEAR_GENERATIONS));
        touch_patch(s, place);
        put_spare(s, i, &now);
        (void)store_window(s->reached, &all, PLACE_X(place), PLACE_Y(place), s->lane,
                           NEAR_GENERATIONS);
        __syncwarp();
    }
    store_spare(s, places, count, NEAR_GENERATIONS);
    s->active[0] = active[0];
    s->active[1] = active[1];
}

// Runs the soup for an even number of generations, and sets s->reached to all cells that are alive
// meanwhile. Returns whether there are too many patches, or some too near the edge.
LC_INLINE bool reach_all(soup *s, int generations)
{
    reach_next(s);
    for (int t = 0; t < generations && rows_of(s->active) != 0; t += NEAR_GENERATIONS) {
        unsigned int places = 0;
        const int count = cover(&places, s->active, s->lane, NEAR_BLOCKS);
        if (count > LC_CENSUS_PATCHES_MAX ||
            is_at_edge(rows_of(s->active), columns_of(s->active, s->lane, 0, BLOCKS)))
            return true;
        reach_further(s, places, count, min(generations - t, NEAR_GENERATIONS));
    }
    return false;
}

#endif
