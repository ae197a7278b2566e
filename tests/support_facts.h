// Single facts, cells and rows of a universe. Errors, which no test expects, end the program.
#ifndef LC_TESTS_SUPPORT_FACTS_H
#define LC_TESTS_SUPPORT_FACTS_H

#include <stdio.h>
#include <stdlib.h>

#include "lightcone/lightcone.h"

static inline lc_facts test_facts(const lc_universe *universe, unsigned which)
{
    lc_facts facts;
    lc_message message = {0};
    if (lc_universe_facts(universe, which, &facts, &message) != LC_OK) {
        fprintf(stderr, "facts: %s\n", message.text);
        abort();
    }
    return facts;
}

static inline uint64_t test_population(const lc_universe *universe)
{
    uint64_t population;
    if (!lc_count_to_u64(test_facts(universe, LC_FACT_POPULATION).population, &population))
        abort();
    return population;
}

// The functions below require values below 2^64, as in nearly all tests.
static inline uint64_t test_generation(const lc_universe *universe)
{
    uint64_t generation;
    if (!lc_count_to_u64(lc_universe_generation(universe), &generation))
        abort();
    return generation;
}

static inline lc_box test_box(const lc_universe *universe)
{
    return test_facts(universe, LC_FACT_BOX).box;
}

static inline uint64_t test_hash(const lc_universe *universe)
{
    return test_facts(universe, LC_FACT_HASH).hash;
}

static inline bool test_get(const lc_universe *universe, int64_t x, int64_t y)
{
    bool alive;
    lc_message message = {0};
    if (lc_universe_get(universe, x, y, &alive, &message) != LC_OK) {
        fprintf(stderr, "a cell: %s\n", message.text);
        abort();
    }
    return alive;
}

static inline lc_status test_read_row(const lc_universe *universe, int64_t x, int64_t y,
                                      int64_t width_cells, uint64_t *words)
{
    const lc_cells row = lc_row_cells(x, y, width_cells, words);
    return lc_universe_read(universe, &row, NULL);
}

static inline lc_status test_write_row(lc_universe *universe, int64_t x, int64_t y,
                                       int64_t width_cells, const uint64_t *words,
                                       lc_message *message)
{
    const lc_cells row = lc_row_cells(x, y, width_cells, (uint64_t *)words);
    return lc_universe_write(universe, &row, message);
}

#endif
