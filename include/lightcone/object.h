// Identifies patterns: still lifes, oscillators, spaceships, guns, puffers, and what becomes of
// everything else.
//
//     lc_identity *identity;
//     if (lc_identify(&identity, universe, NULL, &message) != LC_OK)
//         fprintf(stderr, "%s\n", message.text);
//     printf("%s, period %llu\n", lc_identity_kind_name(lc_identity_get_facts(identity)->kind),
//            (unsigned long long)lc_identity_get_facts(identity)->period);
//     lc_identity_destroy(&identity);
//
// Threads: as universe.h for the universe; any thread may read an identity.
#ifndef LIGHTCONE_OBJECT_H
#define LIGHTCONE_OBJECT_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a pattern is, or what it becomes.
typedef enum lc_identity_kind {
    LC_IDENTITY_UNDECIDED,  // nothing of the following within the limits
    LC_IDENTITY_DIES,       // no cell is alive from `settles` on
    LC_IDENTITY_STILL_LIFE, // does not change
    LC_IDENTITY_OSCILLATOR, // repeats itself in place
    LC_IDENTITY_SPACESHIP,  // repeats itself elsewhere
    // From `settles` on it consists of objects that repeat themselves and never meet.
    LC_IDENTITY_SETTLES,
    // The following grow for ever, as far as can be seen: they were observed for some periods.
    LC_IDENTITY_GUN,       // repeats itself in place and sends out spaceships
    LC_IDENTITY_PUFFER,    // moves and leaves objects behind that stay
    LC_IDENTITY_RAKE,      // moves and sends out spaceships, and leaves nothing behind that stays
    LC_IDENTITY_STRETCHER, // grows at one end, as a wick that is being made longer
    LC_IDENTITY_LINEAR,    // its population grows by the same number in each period
    LC_IDENTITY_QUADRATIC, // the growth of its population grows by the same number in each period
} lc_identity_kind;

// Returns the name of a kind: "still life", "linear growth"; "undecided" for any other number.
// Static string.
LC_API const char *lc_identity_kind_name(lc_identity_kind kind);

// Limits. 0 in a member selects its default.
typedef struct lc_identify_options {
    size_t struct_bytes;      // sizeof(lc_identify_options)
    uint64_t generations_max; // that are made; 0: 100,000
    uint64_t cells_max;       // live cells that are separated into objects; 0: 1,000,000
} lc_identify_options;

// Numbers that do not belong to the kind are 0.
typedef struct lc_identity_facts {
    lc_identity_kind kind;
    uint64_t generations; // that were made to find this out
    // The first generation from which the pattern does what it does at the end: repeats itself,
    // consists of objects that never meet, is dead, or grows regularly.
    uint64_t settles;
    uint64_t population; // live cells in that generation
    // Generations. Of objects that never meet, the least common multiple of their periods; 0 if
    // that is above 2^64 - 1.
    uint64_t period;
    // How far it has moved after a period, right and down; of a growing pattern, how far its moving
    // part has. 0 if parts move differently.
    int64_t dx, dy;
    // Least and most live cells within a period, of a pattern that repeats itself.
    uint64_t population_min, population_max;
    // Of an oscillator: the mean number of cells that change in a generation (heat); how many cells
    // are alive in all phases (stator) and in some (rotor); and how many cells of the rotor have
    // the period of the whole.
    double heat;
    uint64_t stator, rotor, full_period_cells;
    // Of a growing pattern: live cells that are added in a period; of quadratic growth, how much
    // more are added in each period than in the one before.
    int64_t growth;
    uint64_t periods_seen; // for which the growth was observed
} lc_identity_facts;

// An object, and how many of it there are: of a pattern that repeats itself or settles, all that it
// consists of; of a growing pattern, those that a period adds.
typedef struct lc_object {
    const char *code;      // apgcode, such as "xq4_153"; "" if the object is too large for one
    const char *name;      // common name, such as "glider"; "" if it has none here
    lc_identity_kind kind; // LC_IDENTITY_STILL_LIFE, _OSCILLATOR or _SPACESHIP
    uint64_t count;
    uint64_t period;
    int64_t dx, dy; // how far it moves in a period; 0 <= dy <= dx: the direction is left out
    uint64_t population_min, population_max;
} lc_object;

typedef struct lc_identity lc_identity;

// Finds out what the pattern in `universe` is, by stepping it. Afterwards the universe is at a
// later generation. Nothing is guessed: a period and a displacement were seen by all cells, by
// their hashes and once more cell by cell; objects that never meet have been proved not to.
// Objects are separated, and growth is recognised, on the infinite plane under rules without B0;
// elsewhere the pattern is identified as a whole. For a small pattern the function creates a second
// universe with the same context and memory limit. `options` may be NULL. The function asks the
// callback of lc_set_give_up.
// Returns LC_OK (also for LC_IDENTITY_UNDECIDED); LC_ERROR_STOPPED; LC_ERROR_MEMORY; or an error of
// lc_universe_step. On error *out is NULL. The caller destroys the identity.
LC_API lc_status lc_identify(lc_identity **out, lc_universe *universe,
                             const lc_identify_options *options, lc_message *message);

// Frees the identity and sets *identity to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_identity_destroy(lc_identity **identity);

// Returns the facts. They belong to the identity.
LC_API const lc_identity_facts *lc_identity_get_facts(const lc_identity *identity);

// Returns the objects, sorted by count and then by code, and sets *count. They belong to the
// identity.
LC_API const lc_object *lc_identity_get_objects(const lc_identity *identity, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
