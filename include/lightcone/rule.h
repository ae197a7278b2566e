// Rules and topologies: what a rule string such as "B3/S23:T100,200" means.
#ifndef LIGHTCONE_RULE_H
#define LIGHTCONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// What of its surroundings decides what becomes of a cell.
typedef enum lc_family {
    LC_FAMILY_TOTALISTIC, // how many of its eight neighbours live, and whether it does
    LC_FAMILY_MAP         // which cells of its 3 x 3 square live: any rule of two states
} lc_family;

// The mirrors and turns that a rule does not notice: applied to all cells before a generation or
// after it, they give the same. A set of these bits.
enum {
    LC_SYMMETRY_NONE = 0,
    LC_SYMMETRY_MIRROR_X = 1, // left to right
    LC_SYMMETRY_MIRROR_Y = 2, // top to bottom
    LC_SYMMETRY_TURN = 4,     // by a quarter
    LC_SYMMETRY_ALL = 7
};

// A rule: a plain value without padding. Make one with an initialiser below, lc_rule_from_map or
// lc_rule_parse, which give each rule one value and fill in its traits; lc_rule_check says whether
// a value is such a one.
typedef struct lc_rule {
    uint8_t family;   // lc_family
    uint8_t symmetry; // LC_SYMMETRY_...
    uint16_t states;  // of a cell: 2, dead and alive
    uint16_t reach;   // how far off cells count, and so how many cells a generation life spreads: 1
    uint16_t birth;   // totalistic: bit n, a dead cell with n live neighbours comes alive
    uint16_t survival; // totalistic: bit n, a live cell with n live neighbours stays so
    uint8_t table[64]; // map: each neighbourhood's next cell, as lc_rule_from_map takes it
} lc_rule;

// Initialisers: of an outer-totalistic rule with these sets of counts 0 to 8, and of B3/S23.
//     static const lc_rule high_life = LC_RULE_TOTALISTIC(1u << 3 | 1u << 6, 1u << 2 | 1u << 3);
#define LC_RULE_TOTALISTIC(birth, survival)                                                        \
    {                                                                                              \
        LC_FAMILY_TOTALISTIC, LC_SYMMETRY_ALL, 2, 1, (uint16_t)(birth), (uint16_t)(survival),      \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define LC_RULE_LIFE LC_RULE_TOTALISTIC(1u << 3, 1u << 2 | 1u << 3)

// Makes the rule of a table of all 512 neighbourhoods. One is a number n: a cell and its eight
// neighbours row by row, the upper left one being bit 8, the cell itself bit 4 and the lower right
// one bit 0. Bit 7 - n % 8 of table[n / 8] says whether the cell lives in the next generation,
// which is the order of Golly's MAP rules. The rule gets the symmetry that the table has; a table
// in which only counts matter gives the outer-totalistic rule. Any thread.
LC_API void lc_rule_from_map(const uint8_t table[64], lc_rule *rule);

// Whether a cell with that neighbourhood, 0 to 511 as above, lives in the next generation. Any
// thread.
LC_API bool lc_rule_next(const lc_rule *rule, unsigned neighbourhood);

// Whether two rules are the same: memcmp. Any thread.
LC_API bool lc_rule_equal(const lc_rule *a, const lc_rule *b);

// Whether a value is a rule, and in its one form: LC_OK, or LC_ERROR_ARGUMENT with the reason. Any
// thread.
LC_API lc_status lc_rule_check(const lc_rule *rule, lc_message *message);

// What messages call a family: "outer-totalistic", "map"; NULL if there is none of that number. A
// static string. Any thread.
LC_API const char *lc_family_name(int family);

// How many bits hold the state of a cell: 1 where there are two states. Any thread.
LC_API int lc_rule_planes(const lc_rule *rule);

// How deep a halo must be for so many generations; INT64_MAX if it would be deeper. Any thread.
LC_API int64_t lc_rule_halo_cells(const lc_rule *rule, uint64_t generations);

// How many generations a halo of so many cells, 0 or more, is good for. Any thread.
LC_API uint64_t lc_rule_halo_generations(const lc_rule *rule, int64_t cells);

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
#define LC_RULE_TEXT_BYTES 192

// Parses a rule string: "B3/S23", "b3s23", "23/3", "S23/B3", a name ("Life", "Day & Night"),
// Hensel's letters ("B2-a/S12"), hexagonal and von Neumann's neighbourhoods ("B2/S34H",
// "B13/S024V"), "MAP" with Base64, Wolfram's even numbers ("W22"), each with an optional topology
// suffix (":T100,200"). Without a suffix *topology is the infinite plane.
// `text` is read up to its terminator; leading and trailing blanks are ignored.
// Returns LC_OK; LC_ERROR_FORMAT (malformed); LC_ERROR_UNSUPPORTED (a real rule of another family:
// the message names what is supported; or a name that means two rules). The message has the column
// in `text`, and line 0. On error nothing is written to *rule or *topology. Either of them may be
// NULL. Any thread.
LC_API lc_status lc_rule_parse(const char *text, lc_rule *rule, lc_topology *topology,
                               lc_message *message);

// Parses a topology alone: "T100,200", ":K30*,20", "P30,20"; "plane" and "infinite plane" both mean
// the infinite plane. *topology may be NULL and is written only on success. Returns LC_OK, or
// LC_ERROR_FORMAT with the column in `text`. Any thread.
LC_API lc_status lc_topology_parse(const char *text, lc_topology *topology, lc_message *message);

// Writes the canonical rule string, "B3/S23" or "B3/S23:T100,200", which lc_rule_parse takes; of a
// map the shortest notation that there is for it, if no other, Golly's "MAP" and 86 characters of
// Base64.
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

// Whether such a rule can live on such a surface: LC_OK, LC_ERROR_ARGUMENT (lc_rule_check or
// lc_topology_check says why), or LC_ERROR_UNSUPPORTED: beyond its twisted edges a Klein bottle
// shows its cells in a mirror, a cross-surface in two, and a sphere shows them turned by a quarter,
// so the rule must have that symmetry; and B0 would fill a plane that is bounded in one direction
// only with stripes. Any thread.
LC_API lc_status lc_rule_check_topology(const lc_rule *rule, const lc_topology *topology,
                                        lc_message *message);

// How many three-input gates per word and generation GPUs need to step a rule: the sums of a row,
// which three rows share, and the rule's network, of which two rows may share gates. Searches for
// the network, which may take 0.8 s. 0 of families that GPUs do not step. Any thread.
LC_API double lc_rule_gates(const lc_rule *rule);

// The i-th well-known rule (0, 1, 2 ...): its name ("HighLife", a static string) and rule; either
// pointer may be NULL. False, and nothing written, past the last. Any thread.
LC_API bool lc_rule_named(size_t index, const char **name, lc_rule *rule);

// The i-th of all names that lc_rule_parse takes, other names of the same rule included: those of
// lc_rule_named first, then all others by name. Otherwise as lc_rule_named. Any thread.
LC_API bool lc_rule_name_at(size_t index, const char **name, lc_rule *rule);

#ifdef __cplusplus
}
#endif
#endif
