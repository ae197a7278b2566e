// Lists the objects of the R-pentomino when it settles, and their places.
//
// Shows lc_identify, which finds the generation in which a pattern settles, and lc_census_create,
// which finds the objects of a generation. Build and run it:
//
//     cc -std=c17 settled_objects.c $(pkg-config --cflags --libs lightcone) -o settled_objects
//     ./settled_objects
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lightcone/lightcone.h>

static const char r_pentomino[] = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n";

static lc_status load(lc_universe *universe, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, r_pentomino, strlen(r_pentomino), message);
    if (status != LC_OK)
        return status;
    status = lc_universe_load(universe, pattern, 0, 0, message);
    lc_pattern_close(&pattern);
    return status;
}

// Finds the generation in which the pattern settles.
static lc_status find_end(lc_universe *universe, uint64_t *settles, lc_message *message)
{
    lc_identity *identity;
    const lc_status status = lc_identify(&identity, universe, NULL, message);
    if (status != LC_OK)
        return status;
    *settles = lc_identity_get_facts(identity)->settles;
    lc_identity_destroy(&identity);
    return LC_OK;
}

static lc_status print_objects(const lc_universe *universe, lc_message *message)
{
    lc_census *census;
    size_t count;
    const lc_status status = lc_census_create(&census, universe, NULL, message);
    if (status != LC_OK)
        return status;
    const lc_placed_object *objects = lc_census_get_objects(census, &count);
    for (size_t i = 0; i < count; i++) {
        printf("%s (%s) at (%" PRId64 ", %" PRId64 ")", objects[i].name, objects[i].code,
               objects[i].box.x, objects[i].box.y);
        if (objects[i].kind == LC_IDENTITY_SPACESHIP)
            printf(", moves by (%" PRId64 ", %" PRId64 ") every %" PRIu64 " generations",
                   objects[i].dx, objects[i].dy, objects[i].period);
        putchar('\n');
    }
    printf("%zu objects, and %" PRIu64 " cells in none\n", count, lc_census_active_cells(census));
    lc_census_destroy(&census);
    return LC_OK;
}

int main(void)
{
    lc_universe *universe = NULL;
    lc_message message;
    uint64_t settles = 0;
    const lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = load(universe, &message);
    if (status == LC_OK)
        status = find_end(universe, &settles, &message);
    // lc_identify has stepped the universe, so the pattern is loaded once more.
    lc_universe_destroy(&universe);
    if (status == LC_OK)
        status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = load(universe, &message);
    if (status == LC_OK)
        status = lc_universe_step(universe, lc_count_of(settles), NULL, NULL, &message);
    if (status == LC_OK) {
        printf("generation %" PRIu64 "\n", settles);
        status = print_objects(universe, &message);
    }
    if (status != LC_OK)
        fprintf(stderr, "settled_objects: %s\n", message.text);
    lc_universe_destroy(&universe);
    return status == LC_OK ? 0 : 1;
}
