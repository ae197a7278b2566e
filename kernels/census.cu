// A census of soups: from their numbers to counts of groups of cells.
//
//   digest   one thread per soup: hashes the seed and the number (soup_digest.h).
//   census   one warp per soup, which makes its cells, runs it until all is periodic
//            (soup_canvas.h), takes away gliders and other spaceships that leave (soup_gliders.h,
//            soup_leavers.h), and divides what remains into groups (soup_groups.h).
//
// The host names groups that are not in the table of known groups, and puts them into it. Soups
// that grow beyond the canvas, or move and have a group that is not known, are left: by the first
// pass to the second one, which has a larger canvas, and by the second one to the host.
#include "soup_leavers.h"
#include "soup_rounds.h"

#define WARPS (LC_CENSUS_THREADS / 32)

LC_KERNEL void LC_LAUNCH_BOUNDS(LC_CENSUS_THREADS)
    digest(lc_census_job job, lc_census_text text, uint4 *digests)
{
    for (lc_u64 i = blockIdx.x * (lc_u64)blockDim.x + threadIdx.x; i < job.soups;
         i += (lc_u64)gridDim.x * blockDim.x) {
        lc_word words[LC_CENSUS_TEXT_WORDS], to[8];
        for (int k = 0; k < LC_CENSUS_TEXT_WORDS; k++)
            words[k] = text.words[k];
        lc_sha256_digest(to, words, lc_soup_append(words, text.bytes, job.first + i));
        digests[2 * i] = make_uint4(to[0], to[1], to[2], to[3]);
        digests[2 * i + 1] = make_uint4(to[4], to[5], to[6], to[7]);
    }
}

// Soups ------------------------------------------------------------------------------------------

// Returns a lane's row of T. Lane i has row i % 16 of D.
LC_INLINE lc_word turned_rows(lc_word d, unsigned int lane)
{
    lc_word t = 0;
    for (unsigned int bit = 0; bit < 16; bit++) {
        const lc_word column = __ballot_sync(~0u, (d >> bit & 1) != 0);
        if (lane % 16 == 15 - bit)
            t = __brev(column) >> 16;
    }
    return t;
}

// Writes a row of a soup, 32 cells of it, doubled as often as the plan says.
LC_INLINE void write_cells(soup *s, const lc_soup_plan *plan, int left, int top, int y, lc_word row)
{
    const int copies = 1 << plan->doublings;
    for (int k = 0; k < copies; k++) {
        lc_word cells = plan->doublings == 0 ? row : row >> (32 >> plan->doublings) * k;
        for (int i = 0; i < plan->doublings; i++)
            cells = lc_soup_doubled(cells & 0xFFFF);
        for (int i = 0; i < copies; i++)
            s->canvas[(left / 32 + k) * CANVAS_CELLS + top + y * copies + i] = cells;
        s->cells += copies * __popc(cells);
    }
}

LC_INLINE void make_soup(soup *s, const lc_soup_plan *plan, const lc_word *digest)
{
    const int width = plan->width << plan->doublings, height = plan->height << plan->doublings;
    const int left = (CANVAS_CELLS - width) / 2 / 32 * 32;
    const int top = (CANVAS_CELLS - height) / 2 / BLOCK_CELLS * BLOCK_CELLS;
    const int y = (int)s->lane;
    if (plan->flags & LC_SOUP_WIDE) {
        const int words = plan->width / 32;
        if (y < 8)
            write_cells(s, plan, left + (y % words << plan->doublings) * 32, top, y / words,
                        lc_soup_wide_word(digest, plan->width, y / words, y % words));
    } else {
        lc_word d = lc_soup_row_of_d(digest, y % 16), t = 0;
        if (plan->flags & LC_SOUP_NEEDS_T)
            t = turned_rows(d, s->lane);
        lc_soup_prepare(plan->flags, y % 16, &d, &t);
        const int low = (y - plan->down) & 15, high = (15 - y) & 15;
        const lc_word row =
            lc_soup_row_of_four(plan, __shfl_sync(~0u, d, low), __shfl_sync(~0u, t, low),
                                __shfl_sync(~0u, d, high), __shfl_sync(~0u, t, high), y);
        if (y < plan->height)
            write_cells(s, plan, left, top, y, row);
    }
    __syncwarp();
    s->touched.left = left / BLOCK_CELLS;
    s->touched.top = top / BLOCK_CELLS;
    s->touched.right = (left + width + BLOCK_CELLS - 1) / BLOCK_CELLS;
    s->touched.bottom = (top + height + BLOCK_CELLS - 1) / BLOCK_CELLS;
    set_range(s->active, s->lane, s->touched, true);
}

// Settling ---------------------------------------------------------------------------------------

#define GLIDER_GENERATIONS 24 // at least, between two searches for gliders
#define QUIET_DURATION 2

// Steps by an even number of generations. Returns a reason why the host must take the soup;
// LC_CENSUS_LEFT_REASONS: there is none.
LC_INLINE int step_by(soup *s, soup_groups *g, int generations)
{
    int left = LC_CENSUS_LEFT_REASONS;
    while (generations > 0 && rows_of(s->active) != 0 && left == LC_CENSUS_LEFT_REASONS) {
        const int made = step_soup(s, generations);
        generations -= made;
        if (made == 0)
            left = clear_edges(s, g);
        else if (made < 0)
            return LC_CENSUS_LEFT_PATCHES;
    }
    return left;
}

// Runs a soup until nothing changes, or its population stays the same in many rounds, as
// src/census/soup_settle.c does. Sets *duration to the generations of history that tell its objects
// apart. Returns as step_by.
LC_INLINE int settle_soup(soup *s, soup_groups *g, int *duration)
{
    int equal = 0, length = LC_SOUP_FIRST_LENGTH, glider_check = GLIDER_GENERATIONS;
    lc_word population_before = 0;
    for (int round = 0; round < LC_SOUP_ROUNDS_MAX; round++) {
        length = lc_soup_round_length(round, length);
        const int left = step_by(s, g, length);
        if (left != LC_CENSUS_LEFT_REASONS)
            return left;
        s->generation += length;
        if (g->job->takes_gliders && s->generation >= glider_check) {
            glider_check = s->generation + GLIDER_GENERATIONS;
            take_gliders(s);
        }
        *duration = rows_of(s->active) == 0 ? QUIET_DURATION : length;
        if (*duration == QUIET_DURATION)
            return LC_CENSUS_LEFT_REASONS;
        const lc_word population = sum_of_lanes((lc_word)s->cells);
        equal = population == population_before ? equal + 1 : 0;
        length = equal == 0 ? length ^ LC_SOUP_OTHER_LENGTH : length;
        population_before = population;
        if (equal == lc_soup_rounds_needed(round))
            return LC_CENSUS_LEFT_REASONS;
    }
    return LC_CENSUS_LEFT_LATE;
}

LC_INLINE int count_soup(soup *s, soup_groups *g)
{
    int duration = 0, left = settle_soup(s, g, &duration);
    g->rests = duration == QUIET_DURATION;
    if (left == LC_CENSUS_LEFT_REASONS && reach_all(s, duration))
        left = LC_CENSUS_LEFT_PATCHES;
    if (left == LC_CENSUS_LEFT_REASONS)
        left = take_groups(s, g);
    if (left == LC_CENSUS_LEFT_REASONS && s->gliders > 0 && g->job->wants_gliders &&
        !write_record(g, LC_CENSUS_GROUP_GLIDER, 0, s->lane))
        left = LC_CENSUS_LEFT_RECORDS;
    __syncwarp();
    for (int i = (int)s->lane; i < g->count && left == LC_CENSUS_LEFT_REASONS; i += 32)
        atomicAdd(&g->tables->counts[g->list[i]], 1u);
    __syncwarp();
    clear_cells(s, s->canvas);
    clear_cells(s, s->reached);
    return left;
}

// Counts the soups of a job. `memory` has LC_CENSUS_WARP_WORDS for each warp, with an empty canvas
// and nothing reached, and does so again in the end. `slots` and `rows` are the known groups,
// `counts` those of each, `left` the soups that each pass leaves, job.soups of them at most.
LC_KERNEL void LC_LAUNCH_BOUNDS(LC_CENSUS_THREADS)
    census(lc_census_job job, const lc_word *digests, lc_word *memory, const lc_census_slot *slots,
           const lc_word *rows, lc_word *counts, lc_census_record *records, lc_word *left,
           lc_u64 *counters)
{
    LC_SHARED lc_word lists[WARPS][GROUPS_MAX];
    const census_tables tables = {slots, rows, counts, records, counters};
    const unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    lc_word *const mine =
        memory + ((lc_u64)blockIdx.x * WARPS + warp) * LC_CENSUS_WARP_WORDS(LC_CENSUS_PASS);
    const lc_u64 soups = LC_CENSUS_PASS == 0 ? job.soups : counters[LC_CENSUS_LEFT(0)];
    for (;;) {
        lc_u64 number = 0;
        if (lane == 0)
            number = atomicAdd(&counters[LC_CENSUS_TAKEN(LC_CENSUS_PASS)], 1ull);
        number = __shfl_sync(~0u, number, 0);
        if (number >= soups)
            return;
        number = LC_CENSUS_PASS == 0 ? number : left[number];
        soup s = {mine,
                  mine + LC_CENSUS_CANVAS_WORDS(LC_CENSUS_PASS),
                  mine + 2 * LC_CENSUS_CANVAS_WORDS(LC_CENSUS_PASS),
                  lane,
                  0,
                  {0, 0},
                  {0, 0, 0, 0},
                  0,
                  0};
        make_soup(&s, &job.plan, digests + 8 * number);
        soup_groups groups = {&tables, &job, (lc_word)number, lists[warp], 0, 0, false};
        const int why = count_soup(&s, &groups);
        if (lane != 0)
            continue;
        if (why == LC_CENSUS_LEFT_REASONS)
            atomicAdd(&counters[LC_CENSUS_GLIDERS], (lc_u64)s.gliders);
        else
            left[LC_CENSUS_PASS * (lc_u64)job.soups +
                 atomicAdd(&counters[LC_CENSUS_LEFT(LC_CENSUS_PASS)], 1ull)] = (lc_word)number;
    }
}
