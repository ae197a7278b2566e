// Finds the longest-lived of 1,000 soups: random squares of 16 x 16 cells on the infinite plane.
//
// Shows how to create many universes that share a context, and how to find out when a pattern
// settles. Writes the soup to longest.rle. Build and run it:
//
//     cc -std=c17 longest_soup.c $(pkg-config --cflags --libs lightcone) -o longest_soup
//     ./longest_soup
#include <inttypes.h>
#include <stdio.h>

#include <lightcone/lightcone.h>

enum { SOUPS = 1000, SIDE_CELLS = 16 };

typedef struct outcome {
    uint64_t generation; // in which the soup settles; 0: it does not, or at once
    uint64_t population; // in that generation
} outcome;

static lc_status make_soup(lc_universe **universe, lc_context *context, uint64_t seed,
                           lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .rule_text = "B3/S23", .context = context};
    lc_status status = lc_universe_create(universe, &options, message);
    if (status == LC_OK)
        status = lc_universe_soup(*universe, 0, 0, SIDE_CELLS, SIDE_CELLS, 0.5, seed, message);
    return status;
}

// Steps a soup until its objects only repeat themselves and never meet.
static lc_status find_outcome(lc_universe *universe, outcome *found, lc_message *message)
{
    lc_identity *identity;
    const lc_status status = lc_identify(&identity, universe, NULL, message);
    if (status != LC_OK)
        return status;
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    *found = (outcome){0, 0};
    if (facts->kind == LC_IDENTITY_SETTLES || facts->kind == LC_IDENTITY_DIES)
        *found = (outcome){facts->settles, facts->population};
    lc_identity_destroy(&identity);
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
            status = find_outcome(universe, &now, &message);
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
        printf("soup %" PRIu64 " lives longest: it settles in generation %" PRIu64 " with %" PRIu64
               " live cells\n",
               longest_seed, longest.generation, longest.population);
    else
        fprintf(stderr, "longest_soup: %s\n", message.text);
    lc_universe_destroy(&universe);
    lc_context_destroy(&context);
    return status == LC_OK ? 0 : 1;
}
