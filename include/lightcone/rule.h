// Rules and topologies: what a rule string such as "B3/S23:T100,200" means.
#ifndef LIGHTCONE_RULE_H
#define LIGHTCONE_RULE_H

#include <stdbool.h>

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// An outer-totalistic two-state rule on the Moore neighbourhood. Bit n of `birth` (`survival`): a
// dead (live) cell with n live neighbours is alive in the next generation. Bits 9 and up are zero.
typedef struct lc_rule {
    uint16_t birth;
    uint16_t survival;
} lc_rule;

// Whether two rules are the same. Any thread.
LC_API bool lc_rule_equal(const lc_rule *a, const lc_rule *b);

typedef enum lc_topology_kind {
    LC_TOPOLOGY_PLANE,         // nothing lives beyond a finite edge, and nothing is born there
    LC_TOPOLOGY_TORUS,         // opposite edges are joined
    LC_TOPOLOGY_KLEIN_BOTTLE,  // like the torus, one pair of edges joined with a twist
    LC_TOPOLOGY_CROSS_SURFACE, // both pairs joined with a twist
    LC_TOPOLOGY_SPHERE         // left edge joined to top, right edge to bottom; square only
} lc_topology_kind;

// The most cells that a side can have: coordinates up to twice a side are computed with.
#define LC_TOPOLOGY_SIDE_MAX (INT64_C(1) << 61)

// A universe's shape, with Golly's meaning. Width or height 0 is unbounded in that direction (plane
// and torus only). The default universe is {LC_TOPOLOGY_PLANE, 0, 0, ...}: the infinite plane.
typedef struct lc_topology {
    lc_topology_kind kind;
    int64_t width_cells;  // 0 = unbounded
    int64_t height_cells; // 0 = unbounded
    // Leaving through the top or bottom edge moves a cell sideways by shift_x (":T30+5,20");
    // leaving through the left or right edge moves it vertically by shift_y (":T30,20-2").
    // At most one is non-zero.
    int64_t shift_x_cells;
    int64_t shift_y_cells;
    // Klein bottle: twist_x (":K30*,20") mirrors the top and bottom edges left to right;
    // twist_y (":K30,20*") mirrors the left and right edges top to bottom. Exactly one is set.
    bool twist_x;
    bool twist_y;
} lc_topology;

// Longest text that lc_rule_format writes, with its terminator.
#define LC_RULE_TEXT_BYTES 128

// Parses a rule string: "B3/S23", "b3s23", "23/3", "S23/B3", a name ("Life", "Day & Night"), each
// with an optional topology suffix (":T100,200"). Without a suffix *topology is the infinite plane.
// `text` is read up to its terminator; leading and trailing blanks are ignored.
// Returns LC_OK; LC_ERROR_FORMAT (malformed); LC_ERROR_UNSUPPORTED (a real rule of another family:
// the message names what is supported). The message has the column in `text`, and line 0. On error
// nothing is written to *rule or *topology. Either of them may be NULL. Any thread.
LC_API lc_status lc_rule_parse(const char *text, lc_rule *rule, lc_topology *topology,
                               lc_message *message);

// Parses a topology alone: "T100,200", ":K30*,20", "P30,20"; "plane" and "infinite plane" both mean
// the infinite plane. *topology may be NULL and is written only on success. Returns LC_OK, or
// LC_ERROR_FORMAT with the column in `text`. Any thread.
LC_API lc_status lc_topology_parse(const char *text, lc_topology *topology, lc_message *message);

// Writes the canonical rule string, "B3/S23" or "B3/S23:T100,200", which lc_rule_parse takes.
// `topology` may be NULL (no suffix); the infinite plane has no suffix. The text is whole for all
// values that lc_topology_check accepts, and always terminated. Any thread.
LC_API void lc_rule_format(const lc_rule *rule, const lc_topology *topology,
                           char text[LC_RULE_TEXT_BYTES]);

// Describes the topology for people: "infinite plane", "torus 100 x 200", "tube unbounded x 20",
// "Klein bottle ...". The text is always terminated. Any thread.
LC_API void lc_topology_format(const lc_topology *topology, char text[LC_RULE_TEXT_BYTES]);

// Whether such a universe can exist, whatever its size in memory: LC_OK, or LC_ERROR_ARGUMENT with
// the reason (a sphere that is not square, a shift of an unbounded edge, a shift not smaller than
// its edge, a negative size, a side above LC_TOPOLOGY_SIDE_MAX ...). Any thread.
LC_API lc_status lc_topology_check(const lc_topology *topology, lc_message *message);

// How many three-input gates per word and generation GPUs need to step a rule: the sums of a row,
// which three rows share, and the rule's network, of which two rows may share gates. Searches for
// the network, which may take 0.8 s. Any thread.
LC_API double lc_rule_gates(const lc_rule *rule);

// The i-th well-known rule (0, 1, 2 ...): its name ("HighLife", a static string) and rule; either
// pointer may be NULL. False, and nothing written, past the last. Any thread.
LC_API bool lc_rule_named(size_t index, const char **name, lc_rule *rule);

#ifdef __cplusplus
}
#endif
#endif
