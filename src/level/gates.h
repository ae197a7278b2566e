// B3/S23 from two-input operations: included by the levels of instruction sets without three-input
// gates, after V_XOR, V_AND, V_OR and V_AND_NOT (a and not b).
#define V_MAJORITY(a, b, c) V_OR(V_AND(a, V_XOR(b, c)), V_AND(b, c))
#define V_XOR_AND(a, b, c) V_XOR(a, V_AND(b, c))

// Found by annealing over networks of two-input gates against the 96 cases that can occur (a live
// centre has a row sum of at least 1, a dead one of at most 2). 14 operations.
//
// Two rows share the exclusive or of the sums between them: the compiler sees that it is the same
// for an odd row and the even row above.
INLINE VEC next_life(bool odd_row, VEC sa, VEC ca, VEC sb, VEC cb, VEC sc, VEC cc, VEC x)
{
    VEC p = odd_row ? V_XOR(V_XOR(sa, sb), sc) : V_XOR(V_XOR(sb, sc), sa);
    VEC ends = V_AND(sa, sc);
    VEC carry = V_AND(cb, V_OR(p, sb));
    VEC many = V_AND(V_OR(carry, ends), V_OR(ca, cc));
    VEC odd = V_XOR(V_OR(cc, carry), V_XOR(ca, ends));
    return V_AND(V_OR(x, p), V_AND_NOT(odd, many));
}
#define V_NEXT_LIFE next_life
