// Rules and topologies: parses, writes and checks rule strings such as "B3/S23:T100,200".
//
// Example:
//
//     lc_rule rule;
//     lc_topology topology;
//     if (lc_rule_parse("B36/S23:T100,200", &rule, &topology, &message) != LC_OK)
//         fprintf(stderr, "column %d: %s\n", (int)message.column, message.text);
//     printf("%s\n", lc_rule_next(&rule, 7 << 6) ? "born" : "dead"); // three live cells above
//
// Threads: any thread may call these functions.
#ifndef LIGHTCONE_RULE_H
#define LIGHTCONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which cells a rule reads.
typedef enum lc_family {
    LC_FAMILY_TOTALISTIC, // the cell itself and the number of its eight live neighbours
    LC_FAMILY_MAP         // each cell of the 3 x 3 square: any two-state rule
} lc_family;

// Symmetries of a rule, a set of these bits. Applying one to all cells before or after a generation
// gives the same result.
enum {
    LC_SYMMETRY_NONE = 0,
    LC_SYMMETRY_MIRROR_X = 1, // left to right
    LC_SYMMETRY_MIRROR_Y = 2, // top to bottom
    LC_SYMMETRY_TURN = 4,     // by a quarter
    LC_SYMMETRY_ALL = 7
};

// A rule: a plain value without padding. Build it with an initialiser below, lc_rule_from_map or
// lc_rule_parse. These fill in symmetry, states and reach, and equal rules get equal bytes.
// lc_rule_check rejects every other value.
typedef struct lc_rule {
    uint8_t family;    // lc_family
    uint8_t symmetry;  // LC_SYMMETRY_...
    uint16_t states;   // of a cell: 2, dead and alive
    uint16_t reach;    // distance of the furthest cell that the rule reads, in cells: 1
    uint16_t birth;    // totalistic: bit n is set if a dead cell with n live neighbours is born
    uint16_t survival; // totalistic: bit n is set if a live cell with n live neighbours survives
    uint8_t table[64]; // map: the next cell for each neighbourhood, as in lc_rule_from_map
} lc_rule;

// Initialisers: the first one for any outer-totalistic rule, from two sets of counts 0 to 8, the
// second one for B3/S23.
//     static const lc_rule high_life = LC_RULE_TOTALISTIC(1u << 3 | 1u << 6, 1u << 2 | 1u << 3);
#define LC_RULE_TOTALISTIC(birth, survival)                                                        \
    {                                                                                              \
        LC_FAMILY_TOTALISTIC, LC_SYMMETRY_ALL, 2, 1, (uint16_t)(birth), (uint16_t)(survival),      \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define LC_RULE_LIFE LC_RULE_TOTALISTIC(1u << 3, 1u << 2 | 1u << 3)

// Builds a rule from a table of all 512 neighbourhoods, in the order of Golly's MAP rules.
// A neighbourhood is a number n of nine bits: the cells of the 3 x 3 square row by row, with the
// upper left cell as bit 8, the centre as bit 4 and the lower right cell as bit 0. Bit 7 - n % 8 of
// table[n / 8] is the next state of the centre. The rule gets the symmetries of the table. If the
// next state depends only on the centre and on the number of live neighbours, the result is an
// outer-totalistic rule.
LC_API void lc_rule_from_map(const uint8_t table[64], lc_rule *rule);

// Returns the next state of the centre of a neighbourhood, 0 to 511 as above.
LC_API bool lc_rule_next(const lc_rule *rule, unsigned neighbourhood);

// Returns whether two rules are equal, byte by byte.
LC_API bool lc_rule_equal(const lc_rule *a, const lc_rule *b);

// Checks whether a value is a rule as the functions above build it. Returns LC_OK;
// LC_ERROR_ARGUMENT (with the reason).
LC_API lc_status lc_rule_check(const lc_rule *rule, lc_message *message);

// Returns the name of a family: "outer-totalistic", "map"; NULL for any other number. Static
// string.
LC_API const char *lc_family_name(int family);

// Returns the number of bits per cell: 1 for two states.
LC_API int lc_rule_planes(const lc_rule *rule);

// Returns the halo depth in cells that a number of generations needs, at most INT64_MAX.
LC_API int64_t lc_rule_halo_cells(const lc_rule *rule, uint64_t generations);

// Returns the number of generations for which a halo of `cells` cells, 0 or more, is deep enough.
LC_API uint64_t lc_rule_halo_generations(const lc_rule *rule, int64_t cells);

typedef enum lc_topology_kind {
    LC_TOPOLOGY_PLANE,         // no cell lives or is born beyond a finite edge
    LC_TOPOLOGY_TORUS,         // opposite edges are joined
    LC_TOPOLOGY_KLEIN_BOTTLE,  // a torus with one pair of edges joined with a twist
    LC_TOPOLOGY_CROSS_SURFACE, // both pairs joined with a twist
    LC_TOPOLOGY_SPHERE         // left edge joined to top, right edge to bottom; square only
} lc_topology_kind;

// Largest side of a topology, in cells. Coordinates up to twice a side must fit in 64 bits.
#define LC_TOPOLOGY_SIDE_MAX (INT64_C(1) << 61)

// The shape of a universe, with Golly's meaning. A width or height of 0 is unbounded in that
// direction; only planes and tori can be. {LC_TOPOLOGY_PLANE, 0, 0, ...} is the infinite plane, the
// default.
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

// Bytes of the longest text that lc_rule_format writes, with its terminator.
#define LC_RULE_TEXT_BYTES 192

// Parses a rule string: "B3/S23", "b3s23", "23/3", "S23/B3"; a name ("Life", "Day & Night");
// Hensel's letters ("B2-a/S12"); hexagonal and von Neumann neighbourhoods ("B2/S34H", "B13/S024V");
// "MAP" with Base64; Wolfram's even numbers ("W22"). A topology may follow (":T100,200"); without
// one *topology is the infinite plane. Blanks at both ends of `text` are ignored. `rule` and
// `topology` may be NULL.
// Returns LC_OK; LC_ERROR_FORMAT (malformed); LC_ERROR_UNSUPPORTED (a rule of another family, and
// the message lists the supported ones; or a name that two rules share). The message gives the
// column in `text`; its line is 0. On error *rule and *topology are not written.
LC_API lc_status lc_rule_parse(const char *text, lc_rule *rule, lc_topology *topology,
                               lc_message *message);

// Parses a topology alone: "T100,200", ":K30*,20", "P30,20"; "plane" and "infinite plane" both mean
// the infinite plane. `topology` may be NULL.
// Returns LC_OK; LC_ERROR_FORMAT (with the column in `text`). On error *topology is not written.
LC_API lc_status lc_topology_parse(const char *text, lc_topology *topology, lc_message *message);

// Writes the canonical rule string, "B3/S23" or "B3/S23:T100,200", which lc_rule_parse reads. A map
// is written in its shortest notation, or as "MAP" and 86 characters of Base64 if it has no other.
// `topology` NULL and the infinite plane: no suffix. The text is terminated, and complete for every
// value that lc_topology_check accepts.
LC_API void lc_rule_format(const lc_rule *rule, const lc_topology *topology,
                           char text[LC_RULE_TEXT_BYTES]);

// Describes a topology for people: "infinite plane", "torus 100 x 200", "tube unbounded x 20",
// "Klein bottle ...". The text is terminated.
LC_API void lc_topology_format(const lc_topology *topology, char text[LC_RULE_TEXT_BYTES]);

// Checks whether a topology is valid, regardless of memory.
// Returns LC_OK; LC_ERROR_ARGUMENT (a negative size, a side above LC_TOPOLOGY_SIDE_MAX, a sphere
// that is not square, a shift of an unbounded edge, a shift not smaller than its edge ...).
LC_API lc_status lc_topology_check(const lc_topology *topology, lc_message *message);

// Checks whether a rule is defined on a topology. On some topologies cells beyond the edge appear
// mirrored or turned. So a Klein bottle needs a rule that is symmetric under one reflection, a
// cross-surface needs both reflections, and a sphere needs a quarter turn. A plane that is bounded
// in one direction only does not allow B0.
// Returns LC_OK; LC_ERROR_ARGUMENT (as lc_rule_check and lc_topology_check); LC_ERROR_UNSUPPORTED
// (not defined).
LC_API lc_status lc_rule_check_topology(const lc_rule *rule, const lc_topology *topology,
                                        lc_message *message);

// Returns the number of three-input gates that a GPU needs to step the rule, per word and
// generation. It includes the row sums, which three rows share, and the rule's gate network, in
// which two rows may share gates. The search for the network may take 0.8 s. Returns 0 if GPUs do
// not step this family.
LC_API double lc_rule_gates(const lc_rule *rule);

// Gives the i-th well-known rule, counted from 0: its name ("HighLife", a static string) and its
// value. Either pointer may be NULL. Returns false past the last one, with nothing written.
LC_API bool lc_rule_named(size_t index, const char **name, lc_rule *rule);

// Gives the i-th name that lc_rule_parse reads, synonyms included: first the names of
// lc_rule_named, then all others in alphabetical order. Otherwise like lc_rule_named.
LC_API bool lc_rule_name_at(size_t index, const char **name, lc_rule *rule);

#ifdef __cplusplus
}
#endif
#endif
