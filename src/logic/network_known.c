// Networks of well-known rules, found by annealing (tools/network_search.c) over the 96 possible
// cases: a live cell's own row has a sum of at least 1, a dead cell's of at most 2.
// docs/networks.md has the search times. The list has only networks with fewer gates than
// lc_network_build finds.
#include "logic/network_known.h"

// Operands of lc_gate: signals, then outputs of gates from N0 on.
enum { SA, CA, SB, CB, SC, CC, X, N0, N1, N2, N3, N4, N5, N6 };

typedef struct {
    lc_counts counts;
    lc_network network;
} known;

static const known networks[] = {
    // Life, B3/S23
    {{0x008, 0x00C},
     {6,
      {{0x96, SA, SB, SC},
       {0x81, SA, SB, SC},
       {0x16, N1, CA, CC},
       {0x17, CA, SB, CC},
       {0x38, N2, CB, N3},
       {0xE0, N4, N0, X}}}},
    // HighLife, B36/S23
    {{0x048, 0x00C},
     {7,
      {{0x96, SA, SB, SC},
       {0xC9, N0, CA, X},
       {0x81, SA, SC, N0},
       {0x6F, CB, SA, CB},
       {0x18, CC, N3, CA},
       {0x96, CB, CC, N2},
       {0x42, N1, N4, N5}}}},
    // Seeds, B2/S
    {{0x004, 0x000},
     {5,
      {{0x96, SA, SB, SC},
       {0xEA, SA, CB, N0},
       {0x49, SB, CB, SC},
       {0x61, N2, CC, CA},
       {0x10, N3, X, N1}}}},
    // 34 Life, B34/S34
    {{0x018, 0x018},
     {6,
      {{0x89, X, X, SB},
       {0x9D, CA, CA, CC},
       {0x17, SA, N0, SC},
       {0x1E, CC, SA, CB},
       {0x59, CB, N0, N2},
       {0x85, N4, N3, N1}}}},
    // Amoeba, B357/S1358
    {{0x0A8, 0x12A},
     {6,
      {{0x96, SA, SB, SC},
       {0x17, SC, SA, SB},
       {0x4D, CA, CC, CB},
       {0x42, N1, N2, CC},
       {0x4F, N3, X, CB},
       {0x68, X, N4, N0}}}},
    // Coral, B3/S45678
    {{0x008, 0x1F0},
     {7,
      {{0x96, SA, SB, SC},
       {0x81, SB, SC, N0},
       {0x9E, SB, CC, CA},
       {0x80, N2, X, N2},
       {0x81, N3, N1, CB},
       {0x49, CA, N4, CC},
       {0x4A, N5, N0, X}}}},
    // Gnarl, B1/S1
    {{0x002, 0x002},
     {4, {{0x96, SA, SB, SC}, {0xEB, N0, X, CC}, {0xE8, SA, SC, CB}, {0x01, CA, N2, N1}}}},
    // Life without Death, B3/S012345678
    {{0x008, 0x1FF},
     {4, {{0x96, SA, SB, SC}, {0xF8, CB, SC, SA}, {0xE9, CA, N1, CC}, {0xDC, N0, X, N2}}}},
    // LowLife, B3/S13
    {{0x008, 0x00A},
     {6,
      {{0x96, SA, SB, SC},
       {0xE8, SC, SA, CB},
       {0x17, CC, N1, X},
       {0x16, N1, CC, CA},
       {0x0E, N0, N3, N2},
       {0xC2, X, N4, N3}}}},
    // Vote, B5678/S45678
    {{0x1E0, 0x1F0},
     {5,
      {{0x81, SC, SA, SB},
       {0xD3, N0, CB, SA},
       {0xB2, CC, N1, CA},
       {0xBD, SA, CB, N2},
       {0xC6, N3, N2, N0}}}},
    // AntiLife, B0123478/S01234678
    {{0x19F, 0x1DF},
     {6,
      {{0x96, SA, SB, SC},
       {0x97, CB, CC, CA},
       {0x81, SB, N0, SC},
       {0xE8, CA, N0, CC},
       {0x91, N3, N1, N2},
       {0x8F, N4, N0, X}}}},
    // Neon Blobs, B08/S4
    {{0x101, 0x010},
     {6,
      {{0x96, SA, SB, SC},
       {0x7E, SA, SC, CB},
       {0x66, SC, CC, CA},
       {0xBE, SC, CC, N2},
       {0x81, N3, X, N0},
       {0x84, N1, N4, N2}}}},
    // H-trees, B1/S012345678
    {{0x002, 0x1FF}, {3, {{0xE9, SA, SC, SB}, {0xFE, CA, CB, N0}, {0xAB, CC, N1, X}}}},
    // Star Trek, B3/S0248
    {{0x008, 0x115},
     {6,
      {{0x96, SA, SB, SC},
       {0x93, SC, CB, SB},
       {0x69, CC, N1, CA},
       {0x17, CA, CB, CC},
       {0x1F, N0, X, N2},
       {0x45, N2, N3, N4}}}},
    // Shoots and Roots, B3/S245678
    {{0x008, 0x1F4},
     {6,
      {{0x96, SA, SB, SC},
       {0x13, CB, CC, SB},
       {0xE8, SA, SC, CB},
       {0x16, CC, CA, N2},
       {0xA2, CA, N1, X},
       {0xE2, N0, N3, N4}}}},
    // Never Happy, B345/S0456
    {{0x038, 0x071},
     {7,
      {{0x96, SA, SB, SC},
       {0x96, SB, CB, X},
       {0xE8, SC, SA, N0},
       {0x7E, CC, N2, N1},
       {0x5B, N3, N0, CA},
       {0x97, N2, N1, CC},
       {0x5E, N4, N0, N5}}}},
    // Eppstein, B35/S236
    {{0x028, 0x04C},
     {7,
      {{0x96, SA, SB, SC},
       {0x17, SA, SB, SC},
       {0x69, CB, N1, CA},
       {0x9A, X, CC, N2},
       {0xA1, CA, X, CC},
       {0x68, X, N4, N3},
       {0x86, N4, N0, N5}}}},
    // Geology, B3578/S24678
    {{0x1A8, 0x1D4},
     {5,
      {{0x96, SA, SB, SC},
       {0x4D, CA, CC, CB},
       {0xD4, SC, SB, N0},
       {0x4D, N1, CC, N2},
       {0xE8, N2, N0, N3}}}},
    // 2x2 2, B3678/S1258
    {{0x1C8, 0x126},
     {7,
      {{0xE8, SB, SC, SA},
       {0x68, N0, CB, CA},
       {0x96, SA, SB, SC},
       {0x81, CC, CA, CA},
       {0x81, N2, X, N1},
       {0xDB, N0, N2, CB},
       {0x63, N3, N5, N4}}}},
    // DryLife without Death, B37/S012345678
    {{0x088, 0x1FF},
     {4, {{0x96, CA, CB, CC}, {0x96, SA, SB, SC}, {0x6C, SA, N0, SB}, {0xEC, N1, X, N2}}}},
    // Plow World, B378/S012345678
    {{0x188, 0x1FF},
     {6,
      {{0x96, SA, SB, SC},
       {0x4B, SC, SB, SC},
       {0x61, SA, N1, CA},
       {0x97, N2, N0, CB},
       {0x0B, CC, N3, N0},
       {0xF9, X, N3, N4}}}},
};

bool lc_network_known(lc_network *network, lc_counts counts)
{
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const known *k = &networks[i];
        if (k->counts.birth == counts.birth && k->counts.survival == counts.survival) {
            *network = k->network;
            return true;
        }
    }
    return false;
}

// Pairs of rows --------------------------------------------------------------------------------

// B3/S23, found by annealing with the parity of three rows given. Gates 0 to 2 encode the sum of
// rows b and c as far as the rule needs it. Row b: gate 3 is the parity of the three rows. Gates 4
// and 5 tell whether row a completes that sum to three cells or to four. Gate 6, the next state, is
// one if so and the sum is odd or the cell was alive. Gates 7 to 10 do the same for row c.
static const lc_pair_network life_pair = {
    11,
    LC_PAIR_SIGNALS + 6,
    LC_PAIR_SIGNALS + 10,
    {
#define GATE(i) (LC_PAIR_SIGNALS + (i))
        {0x17, LC_PAIR_CB, LC_PAIR_CC, LC_PAIR_SC},
        {0xE9, LC_PAIR_CC, GATE(0), LC_PAIR_CB},
        {0xDB, LC_PAIR_SC, GATE(1), LC_PAIR_SB},
        {0x96, LC_PAIR_SA, LC_PAIR_SB, LC_PAIR_SC},
        {0xD8, LC_PAIR_SA, GATE(1), GATE(2)},
        {0x61, GATE(0), GATE(4), LC_PAIR_CA},
        {0xA8, LC_PAIR_XB, GATE(3), GATE(5)},
        {0x96, LC_PAIR_SB, LC_PAIR_SC, LC_PAIR_SD},
        {0xAC, GATE(2), GATE(7), GATE(1)},
        {0x49, GATE(8), GATE(0), LC_PAIR_CD},
        {0xA8, LC_PAIR_XC, GATE(7), GATE(9)},
#undef GATE
    },
};

bool lc_network_known_pair(lc_pair_network *network, lc_counts counts)
{
    if (counts.birth != 0x008 || counts.survival != 0x00C) // B3/S23
        return false;
    *network = life_pair;
    return true;
}
