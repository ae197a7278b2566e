// Rules as networks of three-input gates.
//
// A cell's next state depends on three row sums and on itself. A row's sum, of the cell in the
// middle and its two neighbours in that row, has two bits: s (parity) and c (majority). Rows a, b,
// c are the one above, its own and the one below; x is the cell.
#ifndef LC_LOGIC_NETWORK_H
#define LC_LOGIC_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cache.h"
#include "lightcone/rule.h"

enum {
    LC_SIGNAL_SA,
    LC_SIGNAL_CA,
    LC_SIGNAL_SB,
    LC_SIGNAL_CB,
    LC_SIGNAL_SC,
    LC_SIGNAL_CC,
    LC_SIGNAL_X,
    LC_SIGNALS,
    LC_NETWORK_GATES_MAX = 9,
};

// A three-input gate. Its output for inputs a, b, c is bit 4a + 2b + c of `table`. An operand below
// LC_SIGNALS is a signal; operand LC_SIGNALS + i is the output of gate i, an earlier gate.
typedef struct lc_gate {
    uint8_t table;
    uint8_t a, b, c;
} lc_gate;

typedef struct lc_network {
    int gates; // 1 or more; the last gate's output is the next state
    lc_gate gate[LC_NETWORK_GATES_MAX];
} lc_network;

// Builds a small network for a rule: six gates for B3/S23, seven or eight for most rules. Always
// succeeds; the same rule always gives the same network. The search takes some milliseconds, up to
// 0.1 s. `cache` stores the result (NULL: no cache). Any thread.
void lc_network_build(lc_network *network, lc_counts counts, lc_cache *cache);
// Builds the same network if it is in the cache or a search of one or two milliseconds finds it, as
// for most named rules and a quarter of all rules. Otherwise returns false, and *network is
// undefined.
bool lc_network_build_briefly(lc_network *network, lc_counts counts, lc_cache *cache);

// Networks that step two rows at once. The rows are a, b, c, d from the top; b and c are stepped.
// Signals as above; xb and xc are the cells.
enum {
    LC_PAIR_SA,
    LC_PAIR_CA,
    LC_PAIR_SB,
    LC_PAIR_CB,
    LC_PAIR_SC,
    LC_PAIR_CC,
    LC_PAIR_SD,
    LC_PAIR_CD,
    LC_PAIR_XB,
    LC_PAIR_XC,
    LC_PAIR_SIGNALS,
    LC_PAIR_GATES_MAX = 2 * LC_NETWORK_GATES_MAX,
};

// Gates as in lc_network, with operands counted from LC_PAIR_SIGNALS.
typedef struct lc_pair_network {
    int gates;
    uint8_t next_b, next_c; // operands of the next states
    lc_gate gate[LC_PAIR_GATES_MAX];
} lc_pair_network;

// Builds a small network for pairs of rows: eleven gates for B3/S23, at most 17 for any rule tried.
// The rows share gates unless two networks of lc_network_build have fewer. Always succeeds; the
// same rule always gives the same network. The search takes 0.25 s on average and at most 0.8 s.
// Any thread.
void lc_network_build_pair(lc_pair_network *network, lc_counts counts, lc_cache *cache);

// Returns lc_rule_gates of an outer-totalistic rule. Uses the caller's cache.
double lc_network_gates(lc_counts counts, lc_cache *cache);

// Enough bytes for the text of the functions below, with its terminator.
#define LC_NETWORK_TEXT_BYTES 2048

// Writes the network as a C function, below a comment that names the rule:
//     LC_INLINE lc_word lc_next(lc_word sa, lc_word ca, ... lc_word x)
// Each gate is a line with LC_GATE(table, a, b, c). The including text defines the macros and
// lc_word. A text longer than size_bytes is cut off and terminated; size_bytes 0: nothing is
// written. Returns the length of the whole text without terminator. Any thread.
size_t lc_network_print(const lc_network *network, const char *rule_text, char *text,
                        size_t size_bytes);

// The same for a pair of rows. The parameters before next_b are the signals in the order of
// LC_PAIR_SA ... LC_PAIR_XC:
//     LC_INLINE void lc_next_pair(lc_word sa, ... lc_word xc, lc_word *next_b, lc_word *next_c)
size_t lc_network_print_pair(const lc_pair_network *network, const char *rule_text, char *text,
                             size_t size_bytes);

// Writes both networks of a rule, which kernels include as "rule.h". Builds them if `cache` does
// not have the text (NULL: no cache). Any thread.
enum { LC_NETWORKS_TEXT_BYTES = 2 * LC_NETWORK_TEXT_BYTES };
void lc_networks_print(char text[LC_NETWORKS_TEXT_BYTES], lc_counts counts, const char *rule_text,
                       lc_cache *cache);

#endif
