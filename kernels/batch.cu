// Many boards of 64 x 64 cells: a warp holds a board in registers, and steps it.
//
// LC_BATCH_MANY 0: all boards have the rule of rule.h. 1: each has a rule by counts of its own,
// which is data: bit n of `rules` says whether a cell is born with n live neighbours, bit n + 16
// whether it survives.
#include "batch_job.h"
#include "warp_window.h"

#define WARPS (LC_BATCH_THREADS / 32)

// A rule as a function of the live cells among nine, which are 2 pair + low, and of the cell: the
// exclusive or of the constant, of `by_low` if low, of `by_cell` if the cell is alive, and of
// `by_both` if both. Words are 0 or ~0.
typedef struct rule_part {
    lc_word constant, by_low, by_cell, by_both;
} rule_part;

typedef struct data_rule {
    rule_part of_pair[5];
} data_rule;

// Returns all bits as bit `at`.
LC_INLINE lc_word spread_bit(lc_word bits, int at)
{
    return 0u - (bits >> at & 1);
}

// A dead cell is never one of nine live cells, and a live cell never one of none. There the
// functions of the first and of the last pair do without `by_both`.
LC_INLINE data_rule prepared_rule(lc_word rule)
{
    data_rule out;
    LC_UNROLL(5)
    for (int pair = 0; pair < 5; pair++) {
        const lc_word born = spread_bit(rule, 2 * pair), survives = spread_bit(rule, 16 + 2 * pair);
        const lc_word born_more = pair < 4 ? spread_bit(rule, 2 * pair + 1) : 0;
        const lc_word survives_less = pair > 0 ? spread_bit(rule, 15 + 2 * pair) : 0;
        rule_part *part = &out.of_pair[pair];
        part->constant = born;
        part->by_low = pair < 4 ? born ^ born_more : survives ^ survives_less;
        part->by_cell = pair > 0 ? born ^ survives_less : born_more ^ survives;
        part->by_both = pair > 0 && pair < 4 ? born ^ born_more ^ survives ^ survives_less : 0;
    }
    return out;
}

LC_INLINE lc_word value_of_part(const rule_part *part, lc_word low, lc_word cell, lc_word both)
{
    // a ^ (b & c)
    const lc_word by_low = LC_GATE(0x78, part->constant, low, part->by_low);
    const lc_word by_cell = LC_GATE(0x78, by_low, cell, part->by_cell);
    return LC_GATE(0x78, by_cell, both, part->by_both);
}

LC_INLINE lc_word choose(lc_word which, lc_word yes, lc_word no)
{
    return LC_GATE(0xCA, which, yes, no);
}

// Returns the next states of the cells in a word. Each row is given by its sums.
LC_INLINE lc_word next_by_data(const data_rule *rule, lc_word cells, lc_word above_parity,
                               lc_word above_majority, lc_word parity, lc_word majority,
                               lc_word below_parity, lc_word below_majority)
{
    const lc_word low = LC_GATE(0x96, above_parity, parity, below_parity);
    const lc_word carry = LC_GATE(0xE8, above_parity, parity, below_parity);
    const lc_word twos = LC_GATE(0x96, above_majority, majority, below_majority);
    const lc_word fours = LC_GATE(0xE8, above_majority, majority, below_majority);
    const lc_word two = twos ^ carry;
    const lc_word four = LC_GATE(0x78, fours, twos, carry);
    const lc_word eight = LC_GATE(0x80, fours, twos, carry);
    const lc_word both = low & cells;
    lc_word of_pair[5];
    LC_UNROLL(5)
    for (int pair = 0; pair < 5; pair++)
        of_pair[pair] = value_of_part(&rule->of_pair[pair], low, cells, both);
    const lc_word few = choose(two, of_pair[1], of_pair[0]);
    const lc_word many = choose(two, of_pair[3], of_pair[2]);
    return choose(eight, of_pair[4], choose(four, many, few));
}

LC_INLINE void step_by_data(warp_window *w, const data_rule *rule)
{
    const window_sums s = sums_of_window(w, true);
    LC_UNROLL(2)
    for (int i = 0; i < 2; i++) {
        w->cells[i] = next_by_data(rule, w->cells[i], s.above.parity[i], s.above.majority[i],
                                   s.first.parity[i], s.first.majority[i], s.second.parity[i],
                                   s.second.majority[i]);
        w->cells[2 + i] = next_by_data(
            rule, w->cells[2 + i], s.first.parity[i], s.first.majority[i], s.second.parity[i],
            s.second.majority[i], s.below.parity[i], s.below.majority[i]);
    }
}

// Tori whose sides do not divide 64 ---------------------------------------------------------------

// Returns row y of a board: copies of a row of the torus in the middle. `rows` is the whole board.
LC_INLINE lc_u64 refilled_row(const lc_batch_job *job, const lc_u64 *rows, int y)
{
    const lc_u64 columns = ~0ull >> (64 - job->width);
    const int turn = job->left % job->width;
    const int from = job->top + (y - job->top + 64 * job->height) % job->height;
    lc_u64 row = rows[from] >> job->left & columns;
    if (turn != 0)
        row = (row << turn | row >> (job->width - turn)) & columns;
    for (int filled = job->width; filled < 64; filled *= 2)
        row |= row << filled;
    return row;
}

LC_INLINE lc_u64 row_of(const warp_window *w, int i)
{
    return w->cells[2 * i] | (lc_u64)w->cells[2 * i + 1] << 32;
}

LC_INLINE void set_rows(warp_window *w, lc_u64 first, lc_u64 second)
{
    w->cells[0] = (lc_word)first;
    w->cells[1] = (lc_word)(first >> 32);
    w->cells[2] = (lc_word)second;
    w->cells[3] = (lc_word)(second >> 32);
}

LC_INLINE void refill(warp_window *w, const lc_batch_job *job, lc_u64 *rows, unsigned int lane)
{
    rows[2 * lane] = row_of(w, 0);
    rows[2 * lane + 1] = row_of(w, 1);
    __syncwarp();
    const lc_u64 first = refilled_row(job, rows, 2 * (int)lane);
    set_rows(w, first, refilled_row(job, rows, 2 * (int)lane + 1));
    __syncwarp();
}

// Boards -----------------------------------------------------------------------------------------

// Steps the boards of a job. `rules` has the rule of each.
LC_KERNEL void LC_LAUNCH_BOUNDS(LC_BATCH_THREADS)
    step_boards(lc_batch_job job, const lc_word *rules, lc_u64 *boards)
{
    LC_SHARED lc_u64 rows_of_warps[WARPS][LC_BATCH_ROWS];
    const unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (lc_u64 board = blockIdx.x * (lc_u64)WARPS + warp; board < job.boards;
         board += (lc_u64)gridDim.x * WARPS) {
        lc_u64 *const at = boards + board * LC_BATCH_ROWS + 2 * lane;
        warp_window w;
        set_rows(&w, at[0], at[1]);
        const data_rule rule = prepared_rule(rules[board]);
        int left = job.generations;
        while (left > 0) {
            const int now = job.refill == 0 ? left : min(left, job.refill);
            LC_UNROLL(4)
            for (int t = 0; t < now; t++)
                if (LC_BATCH_MANY)
                    step_by_data(&w, &rule);
                else
                    step_window(&w, true);
            if (job.refill != 0)
                refill(&w, &job, rows_of_warps[warp], lane);
            left -= now;
        }
        at[0] = row_of(&w, 0);
        at[1] = row_of(&w, 1);
    }
}
