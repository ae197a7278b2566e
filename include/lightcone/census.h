// Censuses of soups: many small random patterns run until they repeat themselves, and all objects
// that they leave are counted.
//
// Example:
//
//     lc_soup_census *census;
//     lc_soup_census_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23",
//                                       .seed = "l_example", .soups = 1000000};
//     if (lc_soup_census_create(&census, &options, &message) == LC_OK)
//         lc_soup_census_run(census, NULL, &message); // lc_soup_census_get_kinds has the counts.
//     lc_soup_census_destroy(&census);
//
// The soups are those of apgsearch, made from a seed, a number and a symmetry, or random
// rectangles. The definitions of when a soup has settled, of what an object is and of its name are
// apgsearch's, too, so that equal censuses give equal counts. The document census.md explains them.
//
// Threads: one thread at a time may use a census. lc_soup_census_run uses all threads of the
// context. If the context has ranks (ranks.h), all of them take soups, unless each soup is reported
// to a callback.
#ifndef LIGHTCONE_CENSUS_H
#define LIGHTCONE_CENSUS_H

#include "lightcone/context.h"
#include "lightcone/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LC_SOUP_SAMPLES = 10,          // soups that are named as samples of a kind
    LC_SOUP_SIDE_MAX = 256,        // longest side of a random rectangle, in cells
    LC_SOUP_ENUMERATED_CELLS = 32, // largest rectangle to enumerate, in cells
};

typedef struct lc_soup_census_options {
    size_t struct_bytes; // sizeof(lc_soup_census_options)
    // Exactly one of the two. The census keeps a reference to the rule. Rules with B0 are refused.
    const lc_rule *rule;
    const char *rule_text;
    // NULL: a context of its own, with all threads. If the context has ranks, the census makes one
    // without, and the ranks must stay open until the census is destroyed.
    lc_context *context;
    // Soups of apgsearch: the symmetry, such as "C1", "D8_4" or "iC1" (NULL: "C1"), and the seed,
    // which is hashed with a soup's number behind it.
    const char *symmetry;
    const char *seed;
    // Random soups, if width_cells is not 0: rectangles of at most LC_SOUP_SIDE_MAX cells a side,
    // in which each cell is alive with the probability `density` (as for lc_universe_soup). Soup n
    // has the cells that lc_universe_soup gives a rectangle at (0, 0) with the seed
    // `random_seed` + n. `symmetry` and `seed` are NULL then.
    int64_t width_cells, height_cells;
    double density;
    uint64_t random_seed;
    // True: all patterns of a rectangle of at most 32 cells, width_cells x height_cells. Bit
    // y * width_cells + x of a soup's number is cell (x, y). `density` and `random_seed` are not
    // used then.
    bool enumerate;
    // Numbers of the soups: first_soup .. first_soup + soups - 1.
    uint64_t first_soup, soups;
} lc_soup_census_options;

// Objects of one kind.
typedef struct lc_soup_kind {
    // An apgcode, such as "xq4_153", or apgsearch's name of something else: "zz_LINEAR",
    // "yl144_1_16_...", "PATHOLOGICAL", "methuselah_25k", "megasized_31h".
    const char *code;
    const char *name; // common name, such as "glider"; "" if the library knows no name
    uint64_t count;
    uint64_t samples[LC_SOUP_SAMPLES]; // the first soups with such an object; rising
    int sample_count;
} lc_soup_kind;

typedef struct lc_soup_census lc_soup_census;

// Creates a census that has counted nothing. Returns LC_OK; LC_ERROR_ARGUMENT (a member is out of
// range); LC_ERROR_FORMAT (rule_text or symmetry cannot be parsed); LC_ERROR_UNSUPPORTED (a rule
// with B0); LC_ERROR_MEMORY. On error *out is NULL. The caller destroys the census.
LC_API lc_status lc_soup_census_create(lc_soup_census **out, const lc_soup_census_options *options,
                                       lc_message *message);

// Adds the numbers first_soup .. first_soup + soups - 1 to those that the census counts. It may
// have some of them already. Returns LC_OK; LC_ERROR_ARGUMENT (numbers above 2^64 - 2, or more
// patterns than a rectangle has); LC_ERROR_MEMORY. On error nothing changes.
LC_API lc_status lc_soup_census_want(lc_soup_census *census, uint64_t first_soup, uint64_t soups,
                                     lc_message *message);

// Frees the census and sets *census to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_soup_census_destroy(lc_soup_census **census);

// Sets how many GPUs, at most, take soups in later runs, beside the threads. A new census has 0.
// Compiles the kernels and allocates memory on the GPUs, about 2 GB on each. GPUs take soups from a
// seed, up to 384 cells a side, of rules by counts, such as B3/S23. They take no part in runs with
// lc_soup_census_callbacks.soup. Counts and samples are the same with and without them. If ranks
// share the census and rank 0 has a GPU, each rank uses its own GPUs, at most so many. Returns
// LC_OK; LC_ERROR_ARGUMENT (a negative number); LC_ERROR_UNSUPPORTED (the message says why: no
// driver, no GPU, or other soups); LC_ERROR_DEVICE; LC_ERROR_MEMORY. After an error there are 0.
LC_API lc_status lc_soup_census_use_gpus(lc_soup_census *census, int64_t count,
                                         lc_message *message);

// The result of a soup.
typedef struct lc_soup_result {
    uint64_t number;
    uint64_t generations;     // until the soup was found to have settled
    uint64_t population;      // live cells then, those of spaceships that have left included
    size_t kinds;             // different kinds of objects
    const char *const *codes; // of the kinds
    const uint64_t *counts;
} lc_soup_result;

typedef struct lc_soup_census_callbacks {
    size_t struct_bytes; // sizeof(lc_soup_census_callbacks)
    void *user;          // passed to both
    // Called on the calling thread several times a second, except while a soup takes longer, and
    // while other ranks end their work. The function may read the facts of the census and save it,
    // with all soups that were counted so far. Returns whether to go on. May be NULL.
    bool (*progress)(void *user, const lc_soup_census *census);
    // Called after each soup, on any thread, on one at a time. Returns whether to go on. The result
    // is valid until the function returns. A soup that an error keeps from being counted is passed
    // again in the next run. May be NULL.
    bool (*soup)(void *user, const lc_soup_result *result);
} lc_soup_census_callbacks;

// Counts the soups that have not been counted yet. `callbacks` may be NULL. Returns LC_OK;
// LC_ERROR_STOPPED (by a callback: the soups so far are counted, also those that `soup` has seen,
// but not those of GPUs' batches that are under way; another call goes on); LC_ERROR_MEMORY;
// LC_ERROR_DEVICE (a GPU failed).
// After an error, too, soups are counted as a whole or not at all, and another call goes on.
LC_API lc_status lc_soup_census_run(lc_soup_census *census,
                                    const lc_soup_census_callbacks *callbacks, lc_message *message);

// Returns all kinds, which belong to the census and are valid until it changes. They are sorted by
// count, largest first, and equally frequent ones by code.
LC_API const lc_soup_kind *lc_soup_census_get_kinds(lc_soup_census *census, size_t *count);

typedef struct lc_soup_census_facts {
    uint64_t soups;   // that were counted
    uint64_t objects; // sum of all counts
    uint64_t soups_left;
    const char *rule;     // canonical text; these strings belong to the census
    const char *symmetry; // "" for random soups
    const char *seed;     // "" for random soups
    // The parameters of random soups; 0 for soups of apgsearch.
    int64_t width_cells, height_cells;
    double density;
    uint64_t random_seed;
    bool enumerate; // all patterns of a rectangle
} lc_soup_census_facts;

// Sets *facts.
LC_API void lc_soup_census_get_facts(const lc_soup_census *census, lc_soup_census_facts *facts);

// Writes the cells of a soup of the census: byte y * pitch_bytes + x of `states` is 1 if cell
// (x, y) is alive. Sets *width and *height to its size. `states` may be NULL: only the size is set.
// The number need not be one that the census counts. Returns LC_OK; LC_ERROR_ARGUMENT (pitch_bytes
// is below the width); LC_ERROR_MEMORY.
LC_API lc_status lc_soup_census_read_soup(const lc_soup_census *census, uint64_t number,
                                          uint8_t *states, size_t pitch_bytes, int *width,
                                          int *height, lc_message *message);

// Files ------------------------------------------------------------------------------------------

// Writes a census to a file, which lc_soup_census_open reads: the rule, the soups, the numbers that
// were counted and those that are wanted, and all kinds with counts and samples. The document
// formats.md defines the file. An old file stays as it is until the new one is complete and on the
// disk. Returns LC_OK; LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_LIMIT (more than 1 GiB of text).
LC_API lc_status lc_soup_census_save(const lc_soup_census *census, const char *path,
                                     lc_message *message);

// Writes the counts and samples as a haul, the text format of searches for Catagolue. `path` "-" is
// standard output. An old file stays as it is until the new one is complete. Returns LC_OK;
// LC_ERROR_UNSUPPORTED (random soups, which hauls do not know); LC_ERROR_IO; LC_ERROR_MEMORY.
LC_API lc_status lc_soup_census_write_haul(const lc_soup_census *census, const char *path,
                                           lc_message *message);

// Reads a census from a file. lc_soup_census_run then counts the soups that are left. `context`
// NULL: a context of its own, with all threads. Returns LC_OK; LC_ERROR_FORMAT (damaged, or no
// census); LC_ERROR_UNSUPPORTED (a later version of the file's format, or of the definition of
// objects); LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_LIMIT. On error *out is NULL. The caller
// destroys the census.
LC_API lc_status lc_soup_census_open(lc_soup_census **out, const char *path, lc_context *context,
                                     lc_message *message);

// Adds the counts of another census of the same rule and the same kind of soups, with the numbers
// that it wants. Returns LC_OK; LC_ERROR_ARGUMENT (another rule, symmetry, seed, size or density,
// or soups that both have counted); LC_ERROR_LIMIT (more than 2^64 - 1 objects); LC_ERROR_MEMORY.
// On error `into` does not change.
LC_API lc_status lc_soup_census_merge(lc_soup_census *into, const lc_soup_census *from,
                                      lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
