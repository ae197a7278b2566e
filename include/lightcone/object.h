// Identifies patterns: tells whether a pattern is a still life, an oscillator, a spaceship, a gun
// or a puffer, and what any other pattern becomes.
//
// Example:
//
//     lc_identity *identity;
//     if (lc_identify(&identity, universe, NULL, &message) != LC_OK)
//         fprintf(stderr, "%s\n", message.text);
//     printf("%s, period %llu\n", lc_identity_kind_name(lc_identity_get_facts(identity)->kind),
//            (unsigned long long)lc_identity_get_facts(identity)->period);
//     lc_identity_destroy(&identity); // frees the identity.
//
// A census lists the objects of one generation with their places:
//
//     lc_census *census;
//     size_t count;
//     if (lc_census_create(&census, universe, NULL, &message) == LC_OK) {
//         const lc_placed_object *objects = lc_census_get_objects(census, &count);
//         ...
//         lc_census_destroy(&census);
//     }
//
// Threads: any thread may read an identity or a census. Only one thread at a time may use the
// universe.
#ifndef LIGHTCONE_OBJECT_H
#define LIGHTCONE_OBJECT_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

// The kind of a pattern, found by observing its generations.
typedef enum lc_identity_kind {
    LC_IDENTITY_UNDECIDED,  // no kind was found within the limits
    LC_IDENTITY_DIES,       // from generation `settles` on, no cell is alive
    LC_IDENTITY_STILL_LIFE, // does not change
    LC_IDENTITY_OSCILLATOR, // repeats itself in place
    LC_IDENTITY_SPACESHIP,  // repeats itself at another place
    // From generation `settles` on, the pattern repeats itself as a whole, or consists of objects
    // that repeat themselves and never meet.
    LC_IDENTITY_SETTLES,
    // Patterns of the kinds from LC_IDENTITY_GUN to LC_IDENTITY_QUADRATIC grow for ever. Guns,
    // puffers, rakes and wickstretchers are proved to do so; `proved` says whether the others are.
    LC_IDENTITY_GUN,       // repeats itself in place and sends out spaceships
    LC_IDENTITY_PUFFER,    // moves and leaves still lifes or oscillators behind
    LC_IDENTITY_RAKE,      // moves and sends out spaceships, and leaves no other objects behind
    LC_IDENTITY_STRETCHER, // grows at one end, like a wick that becomes longer
    LC_IDENTITY_LINEAR,    // the population grows by the same number of cells in each period
    LC_IDENTITY_QUADRATIC, // the growth per period rises by a constant number of cells
    // After `period` generations the pattern consists of `copies` copies of its first generation.
    LC_IDENTITY_REPLICATOR,
} lc_identity_kind;

// Returns the name of a kind: "still life", "linear growth"; "undecided" for any other number.
// The string is static.
LC_API const char *lc_identity_kind_name(lc_identity_kind kind);

// The limits of lc_identify. 0 in a member selects its default.
typedef struct lc_identify_options {
    size_t struct_bytes;      // sizeof(lc_identify_options)
    uint64_t generations_max; // largest number of generations to step; 0: 100,000
    uint64_t cells_max;       // largest number of cells to separate into objects; 0: 1,000,000
} lc_identify_options;

// Facts about an identified pattern. A member that does not apply to the pattern's kind is 0.
typedef struct lc_identity_facts {
    lc_identity_kind kind;
    uint64_t generations; // number of generations that lc_identify has observed
    // The generation at which the pattern's final behaviour begins: from then on it repeats itself,
    // consists of objects that never meet, is dead, or grows regularly.
    uint64_t settles;
    uint64_t population; // number of live cells in generation `settles`
    // The period in generations. For objects that never meet, the least common multiple of their
    // periods, or 0 if the multiple is above 2^64 - 1.
    uint64_t period;
    // How many cells to the right and down the pattern moves per period, also round a torus. For a
    // growing pattern, the distance that its moving part moves. 0 if parts of the pattern move by
    // different distances.
    int64_t dx, dy;
    // For a pattern that moves round a torus, the number of generations after which it is back at
    // its place; 0: never, or after 2^62 or more.
    uint64_t returns_after;
    // For a pattern that repeats itself, the smallest and the largest population within a period.
    uint64_t population_min, population_max;
    double heat; // for an oscillator, the mean number of cells that change per generation
    // For an oscillator: the number of cells that are alive in all phases (stator), the number of
    // cells that are alive in some phases but not in all (rotor), and the number of rotor cells
    // whose period is that of the oscillator.
    uint64_t stator, rotor, full_period_cells;
    // For a growing pattern, the number of live cells that a period adds. For quadratic growth, the
    // number of cells by which the growth rises from one period to the next.
    int64_t growth;
    uint64_t periods_seen; // number of periods in which the growth was observed
    bool proved;           // the growth goes on for ever; otherwise it was only observed
    uint64_t copies;       // for a replicator, the number of copies
} lc_identity_facts;

// An object, and the number of times that it occurs. The objects of a pattern that repeats itself
// or settles make up the whole pattern. The objects of a growing pattern are those that a period
// adds.
typedef struct lc_object {
    const char *code;      // apgcode, such as "xq4_153"; "" if the object is too large for one
    const char *name;      // common name, such as "glider"; "" if the library knows no name
    lc_identity_kind kind; // LC_IDENTITY_STILL_LIFE, _OSCILLATOR or _SPACESHIP
    uint64_t count;
    uint64_t period;
    // How many cells the object moves per period. The direction is left out: 0 <= dy <= dx.
    int64_t dx, dy;
    uint64_t population_min, population_max;
} lc_object;

typedef struct lc_identity lc_identity;

// Finds out what the pattern in `universe` is. The function steps the universe, which may be at any
// later generation after the call. A period and a displacement are found with hashes of the cells, and
// are then verified cell by cell. The function reports that objects never meet only after a proof.
// On the infinite plane, under rules without B0, the function separates objects, recognises growth,
// and says whether it could prove that the growth goes on for ever. On any other topology it
// separates the objects of patterns that repeat themselves, if no object crosses an edge; on a
// torus or a Klein bottle, objects may cross edges. Under a rule with B0, the pattern is identified
// as a whole.
// For a small pattern the function creates further universes with the same context and memory
// limit. `options` may be NULL. The callback of lc_set_give_up can stop the function.
// Returns LC_OK (also for LC_IDENTITY_UNDECIDED); LC_ERROR_STOPPED; LC_ERROR_MEMORY; or an error of
// lc_universe_step. On error *out is NULL. The caller destroys the identity.
LC_API lc_status lc_identify(lc_identity **out, lc_universe *universe,
                             const lc_identify_options *options, lc_message *message);

// Frees the identity and sets *identity to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_identity_destroy(lc_identity **identity);

// Returns the facts, which belong to the identity.
LC_API const lc_identity_facts *lc_identity_get_facts(const lc_identity *identity);

// Returns the objects, which belong to the identity, and sets *count to their number. The objects
// are sorted by count, largest first, and then by code.
LC_API const lc_object *lc_identity_get_objects(const lc_identity *identity, size_t *count);

// The limits of lc_census_create. 0 in a member selects its default.
typedef struct lc_census_options {
    size_t struct_bytes; // sizeof(lc_census_options)
    // Longest period of an object, in generations; 0: 64. Cells that do not repeat themselves are
    // followed for as long. Objects that they touch in this time count as active cells, too.
    uint64_t period_max;
    uint64_t cells_max; // largest number of live cells; 0: 1,000,000
} lc_census_options;

// An object at its place on the plane.
typedef struct lc_placed_object {
    const char *code;      // apgcode, such as "xq4_153"; "" if the object is too large for one
    const char *name;      // common name, such as "glider"; "" if the library knows no name
    lc_identity_kind kind; // LC_IDENTITY_STILL_LIFE, _OSCILLATOR or _SPACESHIP
    uint64_t period;       // in generations
    int64_t dx, dy;        // how many cells the object moves to the right and down per period
    uint64_t population;   // number of live cells in this generation
    lc_box box;            // bounding box of the live cells in this generation
} lc_placed_object;

// The objects of one generation.
typedef struct lc_census lc_census;

// Divides the live cells of the universe's current generation into objects that repeat themselves.
// The universe must be an infinite plane. The function does not step the universe: it copies groups
// of cells that are near each other, and steps the copies. `options` may be NULL. The callback of
// lc_set_give_up can stop the function.
// Returns LC_OK; LC_ERROR_UNSUPPORTED (another topology, or a rule with B0); LC_ERROR_LIMIT (too
// many live cells or spaceships, or cells beyond LC_UNIVERSE_REACH); LC_ERROR_STOPPED;
// LC_ERROR_MEMORY; LC_ERROR_ARGUMENT; or the failure of the universe. On error *out is NULL. The
// caller destroys the census, which does not depend on the universe.
LC_API lc_status lc_census_create(lc_census **out, const lc_universe *universe,
                                  const lc_census_options *options, lc_message *message);

// Frees the census and sets *census to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_census_destroy(lc_census **census);

// Returns the objects, which belong to the census, and sets *count to their number. The objects are
// sorted by their boxes, from top to bottom and then from left to right.
LC_API const lc_placed_object *lc_census_get_objects(const lc_census *census, size_t *count);

// Returns the number of live cells that belong to no object, because they do not repeat themselves
// within `period_max` generations.
LC_API uint64_t lc_census_active_cells(const lc_census *census);

// Returns whether objects may come near each other, now or later, so that their future is not that
// of objects that are alone. If no object does and there are no active cells, the pattern has
// settled.
LC_API bool lc_census_will_meet(const lc_census *census);

#ifdef __cplusplus
}
#endif
#endif
