// One generation by any rule, one thread a word, nothing clever: what the stepping kernels are
// compared with on boards too large for the CPU. -DLC_K as in board_layout.h.
//
// The halo of `from` is right one cell deep. Reads 8 neighbouring words and its own for each word
// that it writes, and finds the next state by comparing the count of neighbours with each of 0..8:
// about 60 logic operations a word.
#include "board_layout.h"

LC_INLINE lc_word parity(lc_word a, lc_word b, lc_word c)
{
    return a ^ b ^ c;
}

LC_INLINE lc_word majority(lc_word a, lc_word b, lc_word c)
{
    return (a & b) | (c & (a ^ b));
}

// The words whose bits are the neighbours of word k's cells to the left and to the right.
LC_INLINE lc_word left_of(const lc_word *segment, int k)
{
    return k > 0 ? segment[k - 1] : segment[LC_K - 1] << 1 | segment[-1] >> 31;
}

LC_INLINE lc_word right_of(const lc_word *segment, int k)
{
    return k < LC_K - 1 ? segment[k + 1] : segment[0] >> 1 | segment[LC_K] << 31;
}

// Bit n of birth (survival): a dead (live) cell with n live neighbours is alive next.
LC_KERNEL void plain_step(lc_board_view from, lc_board_view to, lc_word birth, lc_word survival)
{
    const lc_u64 row_words = (lc_u64)from.segments * LC_K;
    const lc_u64 items = row_words * (lc_u64)from.height_cells;
    const lc_u64 stride = (lc_u64)gridDim.x * blockDim.x;
    for (lc_u64 item = (lc_u64)blockIdx.x * blockDim.x + threadIdx.x; item < items;
         item += stride) {
        const long long y = (long long)(item / row_words), word = (long long)(item % row_words);
        const int k = (int)(word & (LC_K - 1));
        lc_word ones[3], twos[3]; // the sums of three rows, without the cell itself
        for (int i = 0; i < 3; i++) {
            const lc_word *segment = lc_row_at(&from, y + i - 1) + (word - k);
            const lc_word here = i == 1 ? 0 : segment[k];
            const lc_word left = left_of(segment, k), right = right_of(segment, k);
            ones[i] = parity(left, here, right);
            twos[i] = majority(left, here, right);
        }
        const lc_word bit0 = parity(ones[0], ones[1], ones[2]);
        const lc_word carry = majority(ones[0], ones[1], ones[2]);
        const lc_word two = parity(twos[0], twos[1], twos[2]);
        const lc_word four = majority(twos[0], twos[1], twos[2]);
        const lc_word bit1 = two ^ carry;
        const lc_word bit2 = four ^ (two & carry);
        const lc_word bit3 = four & two & carry;
        const lc_word alive = lc_row_at(&from, y)[word];
        lc_word next = 0;
        for (int n = 0; n < 9; n++) {
            const lc_word equal = (n & 1 ? bit0 : ~bit0) & (n & 2 ? bit1 : ~bit1) &
                                  (n & 4 ? bit2 : ~bit2) & (n & 8 ? bit3 : ~bit3);
            const lc_word wanted = (birth >> n & 1 ? ~alive : 0) | (survival >> n & 1 ? alive : 0);
            next |= equal & wanted;
        }
        lc_row_at(&to, y)[word] = next;
    }
}
