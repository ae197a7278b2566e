// Fuzzes identification: bytes become a rule, a universe and a few cells. When the cells are
// stepped again, the result must hold.
//
//     byte 0      rule
//     byte 1      plane, torus, finite plane or Klein bottle
//     others      two bytes a cell: x and y, 0 to 31
#include <stdint.h>
#include <stdlib.h>

#include "lightcone/lightcone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 2, GENERATIONS = 400 };

static const char *const rules[] = {"B3/S23",      "B36/S23", "B2/S",       "B3678/S34678",
                                    "B1357/S1357", "B2a/S12", "B3/S2-i34q", "B03/S23",
                                    "B2/S34H",     "B3/S",    "B13/S024V",  "B3/S12345"};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static lc_context *the_context(void)
{
    static lc_context *context;
    const lc_context_options options = {.struct_bytes = sizeof options, .threads = 1};
    if (context == NULL)
        check(lc_context_create(&context, &options, NULL) == LC_OK);
    return context;
}

static lc_universe *make(const uint8_t *data, size_t size)
{
    static const lc_topology topologies[] = {
        {LC_TOPOLOGY_PLANE, 0, 0, 0, 0, false, false},
        {LC_TOPOLOGY_PLANE, 0, 0, 0, 0, false, false},
        {LC_TOPOLOGY_TORUS, 40, 33, 0, 0, false, false},
        {LC_TOPOLOGY_PLANE, 35, 36, 0, 0, false, false},
        {LC_TOPOLOGY_TORUS, 34, 33, 9, 0, false, false},
        {LC_TOPOLOGY_KLEIN_BOTTLE, 35, 32, 0, 0, false, true},
    };
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .rule_text = rules[data[0] % (sizeof rules / sizeof *rules)],
                                   .topology = topologies[size > 1 ? data[1] % 6 : 0],
                                   .context = the_context()};
    lc_universe *universe;
    if (lc_universe_create(&universe, &options, NULL) != LC_OK) { // a rule without mirror images
        options.topology = topologies[0];
        check(lc_universe_create(&universe, &options, NULL) == LC_OK);
    }
    for (size_t i = HEAD_BYTES; i + 1 < size; i += 2)
        check(lc_universe_set(universe, data[i] % 32, data[i + 1] % 32, true, NULL) == LC_OK);
    return universe;
}

static lc_facts facts_after(lc_universe *universe, uint64_t generations)
{
    lc_facts facts;
    check(lc_universe_step(universe, lc_count_of(generations), NULL, NULL, NULL) == LC_OK);
    check(lc_universe_facts(universe, LC_FACT_ALL, &facts, NULL) == LC_OK);
    return facts;
}

// A pattern that repeats itself has moved as it is said; one that has settled has its population
// again after a period.
static void check_facts(const lc_identity_facts *f, const uint8_t *data, size_t size)
{
    const bool repeats = f->population_max != 0;
    if (f->period == 0 || f->period > GENERATIONS || f->kind == LC_IDENTITY_UNDECIDED ||
        (f->kind != LC_IDENTITY_SETTLES && !repeats))
        return;
    lc_universe *universe = make(data, size);
    const lc_facts first = facts_after(universe, f->settles);
    const lc_facts second = facts_after(universe, f->period);
    check(lc_count_compare(first.population, lc_count_of(f->population)) == 0);
    check(lc_count_compare(first.population, second.population) == 0);
    const lc_topology *t = lc_universe_topology(universe);
    const bool laps = t->kind == LC_TOPOLOGY_TORUS && (f->dx != 0 || f->dy != 0);
    if (repeats && !laps)
        check(second.hash == lc_hash_moved(first.hash, f->dx, f->dy));
    if (repeats && laps) { // after so many periods the cells are back
        const uint64_t periods = (uint64_t)(t->width_cells * t->height_cells);
        check(facts_after(universe, f->period * (periods - 1)).hash == first.hash);
    }
    lc_universe_destroy(&universe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const lc_identify_options options = {.struct_bytes = sizeof options,
                                         .generations_max = GENERATIONS};
    lc_universe *universe = make(data, size);
    lc_identity *identity;
    size_t count;
    uint64_t cells = 0;
    check(lc_identify(&identity, universe, &options, NULL) == LC_OK);
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    for (size_t i = 0; i < count; i++) {
        check(objects[i].count != 0 && objects[i].period != 0);
        cells += objects[i].count * objects[i].population_min;
    }
    check(facts->kind != LC_IDENTITY_SETTLES || cells <= facts->population);
    check_facts(facts, data, size);
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
    return 0;
}
