// Rules and topologies: parses, writes and checks rule strings such as "B3/S23:T100,200".
//
// Example:
//
//     const lc_rule *rule;
//     lc_topology topology;
//     if (lc_rule_parse("B36/S23:T100,200", &rule, &topology, &message) != LC_OK)
//         fprintf(stderr, "column %d: %s\n", (int)message.column, message.text);
//     printf("%d\n", lc_rule_next(rule, 7 << 6)); // 1: born of the three live cells above.
//     lc_rule_release(&rule);
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

// Families of rules. State 0 is dead, and state 1 is alive.
typedef enum lc_family {
    // Two states. The next state depends on the cell itself and on how many of its eight neighbours
    // are alive.
    LC_FAMILY_TOTALISTIC,
    LC_FAMILY_MAP, // two states: the next state depends on all cells of the 3 x 3 square
    // 3 to 256 states. Dead cells are born, and live cells survive, as under a two-state rule in
    // which only state 1 is alive. A live cell that does not survive gets state 2, and ages by one
    // state a generation until it is dead.
    LC_FAMILY_GENERATIONS,
    // Seven states, as in Golly's LifeHistory: a two-state rule for the live states 1, 3 and 5.
    // State 2 is a dead cell that was alive as state 1. States 3 and 4 are marked cells, alive and
    // dead, which stay marked. State 5 is alive, and becomes 4 when it dies. State 6 never changes,
    // and live cells beside it die.
    LC_FAMILY_HISTORY
} lc_family;

#define LC_STATES_MAX 256 // of a rule
#define LC_PLANES_MAX 8   // bits that the largest state needs

// Symmetries of a rule, as a set of LC_SYMMETRY bits. Applying a symmetry of the rule to all cells
// before a generation gives the same cells as applying it after the generation.
enum {
    LC_SYMMETRY_NONE = 0,
    LC_SYMMETRY_MIRROR_X = 1, // left to right
    LC_SYMMETRY_MIRROR_Y = 2, // top to bottom
    LC_SYMMETRY_TURN = 4,     // by a quarter
    LC_SYMMETRY_ALL = 7
};

// A rule. Rules never change. Equal rules are the same object, so compare pointers. Functions that
// make a rule return a reference, and the caller releases it. Other functions lend a rule; their
// comments say how long the reference is valid.
typedef struct lc_rule lc_rule;

// Properties of a rule. The library makes the structure; it may get further members at its end.
typedef struct lc_traits {
    lc_family family;
    unsigned symmetry; // set of LC_SYMMETRY bits
    int states;        // number of states of a cell: 2 to LC_STATES_MAX
    int planes;        // number of bits per cell, 1 to 8: as many as the largest state needs
    int reach;         // distance in cells to the furthest cell that the rule reads; always 1
    bool has_b0;       // a cell without live neighbours is born
    const char *text;  // canonical text: "B3/S23", "345/2/4"
    uint64_t id[2];    // hash of the text: 128 bits, the same in every process
    // Births and survivals depend only on the number of live neighbours: lc_rule_counts has them.
    bool totalistic;
} lc_traits;

// Returns the properties of a rule. They are valid as long as the rule.
LC_API const lc_traits *lc_rule_traits(const lc_rule *rule);

// Returns B3/S23, Conway's Life. The rule is valid until the process ends, and lc_rule_release
// leaves it as it is.
LC_API const lc_rule *lc_rule_life(void);

// Adds a reference to a rule and returns the rule. NULL stays NULL.
LC_API const lc_rule *lc_rule_retain(const lc_rule *rule);

// Releases a reference and sets *rule to NULL. The last release frees the rule. *rule may be NULL.
LC_API void lc_rule_release(const lc_rule **rule);

// The counts of live neighbours, 0 to 8, of an outer-totalistic rule.
typedef struct lc_counts {
    uint16_t birth;    // bit n is set if a dead cell with n live neighbours is born
    uint16_t survival; // bit n is set if a live cell with n live neighbours survives
} lc_counts;

// Makes an outer-totalistic rule. For example, HighLife is B36/S23:
//     lc_rule_from_counts((lc_counts){1u << 3 | 1u << 6, 1u << 2 | 1u << 3}, &rule, &message)
// Returns LC_OK; LC_ERROR_ARGUMENT (a count above 8); LC_ERROR_MEMORY. On error *rule is NULL.
LC_API lc_status lc_rule_from_counts(lc_counts counts, const lc_rule **rule, lc_message *message);

// Gets the counts of a rule whose traits say `totalistic`. Returns false for other rules, with
// nothing written.
LC_API bool lc_rule_counts(const lc_rule *rule, lc_counts *counts);

// Makes a rule from a table of all 512 neighbourhoods, in the order of Golly's MAP rules.
// A neighbourhood is a number n of nine bits: the cells of the 3 x 3 square row by row, with the
// upper left cell as bit 8, the centre as bit 4 and the lower right cell as bit 0. Bit 7 - n % 8 of
// table[n / 8] is the next state of the centre. If the next state depends only on the centre and on
// the number of live neighbours, the rule is outer-totalistic.
// Returns LC_OK; LC_ERROR_MEMORY. On error *rule is NULL.
LC_API lc_status lc_rule_from_map(const uint8_t table[64], const lc_rule **rule,
                                  lc_message *message);

// Writes the table of births and survivals of a rule, as lc_rule_from_map reads it.
// lc_rule_is_alive says which states are alive.
LC_API void lc_rule_map(const lc_rule *rule, uint8_t table[64]);

// Returns whether the centre of a neighbourhood is born or survives. `neighbourhood` is 0 to 511,
// as in lc_rule_from_map.
LC_API bool lc_rule_next(const lc_rule *rule, unsigned neighbourhood);

// Makes the Generations rule with the births and survivals of a two-state rule. 2 states give the
// two-state rule itself.
// Returns LC_OK; LC_ERROR_ARGUMENT (not 2 to LC_STATES_MAX states, or `from` has more than two);
// LC_ERROR_UNSUPPORTED (`from` has B0); LC_ERROR_MEMORY. On error *rule is NULL.
LC_API lc_status lc_rule_with_states(const lc_rule *from, int states, const lc_rule **rule,
                                     lc_message *message);

// Returns whether cells of that state, which the rule has, are live neighbours.
LC_API bool lc_rule_is_alive(const lc_rule *rule, int state);

// Returns the state of a cell after a generation. `state` is its present state, `comes_alive` is
// lc_rule_next of its neighbourhood, and `is_killed` is whether a neighbour is in the state that
// kills: 6 of rules with history, and none of other rules.
LC_API int lc_rule_next_state(const lc_rule *rule, int state, bool comes_alive, bool is_killed);

// Makes the rule with history of a two-state rule.
// Returns LC_OK; LC_ERROR_ARGUMENT (`from` has more than two states); LC_ERROR_UNSUPPORTED (`from`
// has B0); LC_ERROR_MEMORY. On error *rule is NULL.
LC_API lc_status lc_rule_with_history(const lc_rule *from, const lc_rule **rule,
                                      lc_message *message);

// Writes the usual colour of each state of a rule, in red, green and blue, as Golly has them: black
// for dead cells, white for live cells of two states; of Generations rules, red for state 1 and
// then evenly towards yellow; of rules with history, those of LifeHistory.
LC_API void lc_rule_colours(const lc_rule *rule, uint8_t rgb[LC_STATES_MAX][3]);

// Returns the name of a family, "outer-totalistic", "map", "Generations" or "history", or NULL for
// any other number. Static string.
LC_API const char *lc_family_name(int family);

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
// ("B2/S34H", "B13/S024V"); "MAP" with Base64; Wolfram's even numbers ("W22"). Generations rules
// add a number of states to counts, letters or MAP ("345/2/4", "B2/S345/C4", "g4b2s345",
// "MAP.../4"). "History" behind a rule of two states adds history ("B3/S23History"). A topology may
// follow the rule (":T100,200"). If the string has no topology, *topology becomes the infinite
// plane. Blanks at both ends of `text` are ignored. `rule` and `topology` may be NULL; the caller
// releases *rule. Returns LC_OK; LC_ERROR_FORMAT (malformed); LC_ERROR_UNSUPPORTED (a rule of
// another family, or a name that two rules share); LC_ERROR_MEMORY. For a rule of another family,
// the message lists the supported rules. The message gives the column in `text`; the line in the
// message is 0. On error *rule is NULL and *topology is not written.
LC_API lc_status lc_rule_parse(const char *text, const lc_rule **rule, lc_topology *topology,
                               lc_message *message);

// Parses a topology that stands without a rule: "T100,200", ":K30*,20", "P30,20". The words "plane"
// and "infinite plane" both mean the infinite plane. `topology` may be NULL.
// Returns LC_OK; LC_ERROR_FORMAT (with the column in `text`). On error *topology is not written.
LC_API lc_status lc_topology_parse(const char *text, lc_topology *topology, lc_message *message);

// Writes the canonical rule string: "B3/S23", "345/2/4" or "B3/S23:T100,200". The text can be
// parsed with lc_rule_parse. A map rule is written in its shortest notation. A map rule whose only
// notation is "MAP" is written as "MAP" and 86 characters of Base64. If `topology` is NULL or the
// infinite plane, the text has no topology. The text is always terminated. The text is complete for
// every topology that lc_topology_check accepts.
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
// Returns LC_OK; LC_ERROR_ARGUMENT (as lc_topology_check); LC_ERROR_UNSUPPORTED (the rule is not
// defined on the topology).
LC_API lc_status lc_rule_check_topology(const lc_rule *rule, const lc_topology *topology,
                                        lc_message *message);

// Returns the number of three-input gates per word and generation that a GPU needs to step the
// rule. This is 2 for the sums of a row, plus half of the gates of the network that steps two rows
// at once. The search for the network may take 0.8 s. Returns 0 if GPUs do not step rules of this
// family.
LC_API double lc_rule_gates(const lc_rule *rule);

// Gives the i-th well-known rule, counted from 0: its name ("HighLife") and its text ("B36/S23"),
// which lc_rule_parse reads. Both are static strings. `name` and `text` may be NULL. Returns false
// past the last rule, with nothing written.
LC_API bool lc_rule_named(size_t index, const char **name, const char **text);

// Gives the i-th of all rule names that lc_rule_parse reads, including synonyms. The names of
// lc_rule_named come first, then all other names in alphabetical order. Apart from the list of
// names, lc_rule_name_at works like lc_rule_named.
LC_API bool lc_rule_name_at(size_t index, const char **name, const char **text);

#ifdef __cplusplus
}
#endif
#endif
