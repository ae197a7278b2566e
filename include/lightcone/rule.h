// Rules and topologies: parses, writes and checks rule strings such as "B3/S23:T100,200".
//
// Example:
//
//     lc_rule rule;
//     lc_topology topology;
//     if (lc_rule_parse("B36/S23:T100,200", &rule, &topology, &message) != LC_OK)
//         fprintf(stderr, "column %d: %s\n", (int)message.column, message.text);
//     printf("%d\n", lc_rule_next(&rule, 7 << 6)); // 1: born of the three live cells above.
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

// The cells that a rule reads to compute the next state of a cell.
typedef enum lc_family {
    LC_FAMILY_TOTALISTIC, // the cell itself, and how many of its eight neighbours are alive
    LC_FAMILY_MAP         // all cells of the 3 x 3 square around the cell: any two-state rule
} lc_family;

// Symmetries of a rule, as a set of LC_SYMMETRY bits. Applying a symmetry of the rule to all cells
// before a generation gives the same cells as applying it after the generation.
enum {
    LC_SYMMETRY_NONE = 0,
    LC_SYMMETRY_MIRROR_X = 1, // left to right
    LC_SYMMETRY_MIRROR_Y = 2, // top to bottom
    LC_SYMMETRY_TURN = 4,     // by a quarter
    LC_SYMMETRY_ALL = 7
};

// A rule: a plain value without padding. Build a rule with LC_RULE_TOTALISTIC, LC_RULE_LIFE,
// lc_rule_from_map or lc_rule_parse, which fill in symmetry, states and reach. Equal rules have
// equal bytes. The function lc_rule_check accepts only values that lc_rule_from_map or
// lc_rule_parse can build.
typedef struct lc_rule {
    uint8_t family;    // lc_family
    uint8_t symmetry;  // LC_SYMMETRY_...
    uint16_t states;   // number of states of a cell: 2, dead and alive
    uint16_t reach;    // distance in cells to the furthest cell that the rule reads; always 1
    uint16_t birth;    // totalistic: bit n is set if a dead cell with n live neighbours is born
    uint16_t survival; // totalistic: bit n is set if a live cell with n live neighbours survives
    uint8_t table[64]; // map: the next state for each neighbourhood, as in lc_rule_from_map
} lc_rule;

// Initialisers for rules. LC_RULE_TOTALISTIC builds any outer-totalistic rule from two bit sets of
// neighbour counts, 0 to 8. LC_RULE_LIFE builds B3/S23. For example, HighLife is B36/S23:
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

// Returns the next state of the centre of a neighbourhood. `neighbourhood` is 0 to 511, as in
// lc_rule_from_map.
LC_API bool lc_rule_next(const lc_rule *rule, unsigned neighbourhood);

// Returns whether two rules are equal, byte by byte.
LC_API bool lc_rule_equal(const lc_rule *a, const lc_rule *b);

// Checks whether a value is a valid rule. Returns LC_OK; LC_ERROR_ARGUMENT (with the reason).
LC_API lc_status lc_rule_check(const lc_rule *rule, lc_message *message);

// Returns the name of a family, "outer-totalistic" or "map", or NULL for any other number. Static
// string.
LC_API const char *lc_family_name(int family);

// Returns the number of bits per cell: 1 for two states.
LC_API int lc_rule_planes(const lc_rule *rule);

// Returns the depth in cells, at most INT64_MAX, of a halo that suffices for `generations`
// generations.
LC_API int64_t lc_rule_halo_cells(const lc_rule *rule, uint64_t generations);

// Returns the number of generations for which a halo with a depth of `cells` cells suffices.
// `cells` is 0 or more.
LC_API uint64_t lc_rule_halo_generations(const lc_rule *rule, int64_t cells);

typedef enum lc_topology_kind {
    LC_TOPOLOGY_PLANE,         // a plane: cells beyond a finite edge are always dead
    LC_TOPOLOGY_TORUS,         // opposite edges are joined
    LC_TOPOLOGY_KLEIN_BOTTLE,  // a torus in which one pair of edges is joined with a twist
    LC_TOPOLOGY_CROSS_SURFACE, // a torus in which both pairs of edges are joined with a twist
    LC_TOPOLOGY_SPHERE         // left and top edge joined, right and bottom edge joined; square
} lc_topology_kind;

// Largest side of a topology, in cells. Coordinates up to twice a side must fit in 64 bits.
#define LC_TOPOLOGY_SIDE_MAX (INT64_C(1) << 61)

// The shape of a universe. Every topology means the same as in Golly. A universe with a width or
// height of 0 is unbounded in that direction. Only a plane or a torus can have an unbounded
// direction. The infinite plane, {LC_TOPOLOGY_PLANE, 0, 0, ...}, is the default.
typedef struct lc_topology {
    lc_topology_kind kind;
    int64_t width_cells;  // 0 = unbounded
    int64_t height_cells; // 0 = unbounded
    // A pattern that leaves through the top or bottom edge moves sideways by shift_x_cells
    // (":T30+5,20"). A pattern that leaves through the left or right edge moves vertically by
    // shift_y_cells (":T30,20-2").
    // At most one of shift_x_cells and shift_y_cells is non-zero.
    int64_t shift_x_cells;
    int64_t shift_y_cells;
    // A Klein bottle has exactly one of twist_x and twist_y set. If twist_x is set (":K30*,20"),
    // the top edge is joined to the left-right mirror image of the bottom edge. If twist_y is set
    // (":K30,20*"), the left edge is joined to the top-bottom mirror image of the right edge.
    bool twist_x;
    bool twist_y;
} lc_topology;

// Bytes of the longest text that lc_rule_format writes, including the terminator.
#define LC_RULE_TEXT_BYTES 192

// Parses a rule string in any of these notations: "B3/S23", "b3s23", "23/3", "S23/B3"; a name
// ("Life", "Day & Night"); Hensel's letters ("B2-a/S12"); hexagonal and von Neumann neighbourhoods
// ("B2/S34H", "B13/S024V"); "MAP" with Base64; Wolfram's even numbers ("W22"). A topology may
// follow the rule (":T100,200"). If the string has no topology, *topology becomes the infinite
// plane. Blanks at both ends of `text` are ignored. `rule` and `topology` may be NULL.
// Returns LC_OK; LC_ERROR_FORMAT (malformed); LC_ERROR_UNSUPPORTED (a rule of another family, or a
// name that two rules share). For a rule of another family, the message lists the supported rules.
// The message gives the column in `text`; the line in the message is 0. On error *rule and
// *topology are not written.
LC_API lc_status lc_rule_parse(const char *text, lc_rule *rule, lc_topology *topology,
                               lc_message *message);

// Parses a topology that stands without a rule: "T100,200", ":K30*,20", "P30,20". The words "plane"
// and "infinite plane" both mean the infinite plane. `topology` may be NULL.
// Returns LC_OK; LC_ERROR_FORMAT (with the column in `text`). On error *topology is not written.
LC_API lc_status lc_topology_parse(const char *text, lc_topology *topology, lc_message *message);

// Writes the canonical rule string: "B3/S23" or "B3/S23:T100,200". The text can be parsed with
// lc_rule_parse. A map rule is written in its shortest notation. A map rule whose only notation is
// "MAP" is written as "MAP" and 86 characters of Base64. If `topology` is NULL or the infinite
// plane, the text has no topology. The text is always terminated. The text is complete for every
// topology that lc_topology_check accepts.
LC_API void lc_rule_format(const lc_rule *rule, const lc_topology *topology,
                           char text[LC_RULE_TEXT_BYTES]);

// Describes a topology in words: "infinite plane", "torus 100 x 200", "tube unbounded x 20", "Klein
// bottle ...". The text is terminated.
LC_API void lc_topology_format(const lc_topology *topology, char text[LC_RULE_TEXT_BYTES]);

// Checks whether a topology is valid, regardless of memory.
// Returns LC_OK; LC_ERROR_ARGUMENT (for example a negative size, a side above LC_TOPOLOGY_SIDE_MAX,
// a sphere that is not square, a shift of an unbounded edge, or a shift that is not smaller than
// its edge).
LC_API lc_status lc_topology_check(const lc_topology *topology, lc_message *message);

// Checks whether a rule is defined on a topology. On some topologies cells beyond the edge appear
// mirrored or turned. A Klein bottle needs a rule that is symmetric under one reflection. A
// cross-surface needs a rule that is symmetric under both reflections, and a sphere a rule that is
// symmetric under a quarter turn. A plane that is bounded in only one direction does not allow
// rules with B0.
// Returns LC_OK; LC_ERROR_ARGUMENT (as lc_rule_check and lc_topology_check); LC_ERROR_UNSUPPORTED
// (the rule is not defined on the topology).
LC_API lc_status lc_rule_check_topology(const lc_rule *rule, const lc_topology *topology,
                                        lc_message *message);

// Returns the number of three-input gates per word and generation that a GPU needs to step the
// rule. This is 2 for the sums of a row, plus half of the gates of the network that steps two rows
// at once. The search for the network may take 0.8 s. Returns 0 if GPUs do not step rules of this
// family.
LC_API double lc_rule_gates(const lc_rule *rule);

// Gives the i-th well-known rule, counted from 0: its name ("HighLife", a static string) and its
// value. `name` and `rule` may be NULL. Returns false past the last rule, with nothing written.
LC_API bool lc_rule_named(size_t index, const char **name, lc_rule *rule);

// Gives the i-th of all rule names that lc_rule_parse reads, including synonyms. The names of
// lc_rule_named come first, then all other names in alphabetical order. Apart from the list of
// names, lc_rule_name_at works like lc_rule_named.
LC_API bool lc_rule_name_at(size_t index, const char **name, lc_rule *rule);

#ifdef __cplusplus
}
#endif
#endif
