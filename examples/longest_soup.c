// Finds the longest-lived of 1,000 soups: random squares of 16 x 16 cells on the infinite plane.
//
// Shows how to create many universes that share a context, step them, and ask for their population.
// Writes the soup to longest.rle. Build and run it:
//
//     cc -std=c17 longest_soup.c $(pkg-config --cflags --libs lightcone) -o longest_soup
//     ./longest_soup
#include <inttypes.h>
#include <stdio.h>

#include <lightcone/lightcone.h>

enum {
    SOUPS = 1000,
    SIDE_CELLS = 16,
    // The periods of nearly all patterns that a soup leaves behind divide 60, and gliders that fly
    // away keep their number of cells. So a soup has settled when its population stays the same for
    // 20 steps of 60 generations.
    STEP_GENERATIONS = 60,
    SETTLED_STEPS = 20,
    GENERATIONS_MAX = 60000, // a soup that has not settled by then grows for ever
};

typedef struct outcome {
    uint64_t generation; // the first with the last population, in steps; 0: does not settle
    uint64_t population;
} outcome;

static lc_status make_soup(lc_universe **universe, lc_context *context, uint64_t seed,
                           lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .rule = LC_RULE_LIFE, .context = context};
    lc_status status = lc_universe_create(universe, &options, message);
    if (status == LC_OK)
        status = lc_universe_soup(*universe, 0, 0, SIDE_CELLS, SIDE_CELLS, 0.5, seed, message);
    return status;
}

// Runs a soup until it has settled.
static lc_status run_until_settled(lc_universe *universe, outcome *found, lc_message *message)
{
    int same = 0;
    *found = (outcome){0, UINT64_MAX};
    for (uint64_t g = 0; same < SETTLED_STEPS && g < GENERATIONS_MAX; g += STEP_GENERATIONS) {
        lc_facts facts;
        uint64_t population = 0;
        lc_status status = lc_universe_facts(universe, LC_FACT_POPULATION, &facts, message);
        if (status == LC_OK)
            status = lc_universe_step(universe, lc_count_of(STEP_GENERATIONS), NULL, NULL, message);
        if (status != LC_OK)
            return status;
        lc_count_to_u64(facts.population, &population);
        same++;
        if (population != found->population) {
            *found = (outcome){g, population};
            same = 0;
        }
    }
    if (same < SETTLED_STEPS)
        found->generation = 0;
    return LC_OK;
}

int main(void)
{
    lc_context *context = NULL;
    lc_universe *universe = NULL;
    lc_message message;
    outcome longest = {0, 0};
    uint64_t longest_seed = 0;

    // One thread: each of these universes is small.
    const lc_context_options options = {.struct_bytes = sizeof options, .threads = 1};
    lc_status status = lc_context_create(&context, &options, &message);
    for (uint64_t seed = 1; status == LC_OK && seed <= SOUPS; seed++) {
        outcome now = {0, 0};
        status = make_soup(&universe, context, seed, &message);
        if (status == LC_OK)
            status = run_until_settled(universe, &now, &message);
        if (now.generation > longest.generation) {
            longest = now;
            longest_seed = seed;
        }
        lc_universe_destroy(&universe);
    }
    if (status == LC_OK)
        status = make_soup(&universe, context, longest_seed, &message);
    if (status == LC_OK)
        status = lc_universe_save(universe, "longest.rle", LC_FORMAT_RLE, &message);
    if (status == LC_OK)
        printf("soup %" PRIu64 " lives longest: it settles by generation %" PRIu64 " with %" PRIu64
               " live cells\n",
               longest_seed, longest.generation, longest.population);
    else
        fprintf(stderr, "longest_soup: %s\n", message.text);
    lc_universe_destroy(&universe);
    lc_context_destroy(&context);
    return status == LC_OK ? 0 : 1;
}
