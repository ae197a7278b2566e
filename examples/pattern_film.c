// Makes a film of the R-pentomino: film.png, an animated PNG file that browsers play.
//
// Shows how to read a pattern from text and how to add a picture after every step. The film has 251
// pictures of 480 x 360 pixels, every fourth generation up to 1,000. Build and run it:
//
//     cc -std=c17 pattern_film.c $(pkg-config --cflags --libs lightcone) -o pattern_film
//     ./pattern_film
#include <stdio.h>
#include <string.h>

#include <lightcone/lightcone.h>

static lc_status load(lc_universe *universe, const char *rle, lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, rle, strlen(rle), message);
    if (status == LC_OK)
        status = lc_universe_load(universe, pattern, 0, 0, message);
    lc_pattern_close(&pattern);
    return status;
}

// Adds the universe as it is, and then after every four generations.
static lc_status shoot(lc_film *film, lc_universe *universe, lc_message *message)
{
    lc_status status = lc_film_add(film, universe, message);
    for (int generation = 0; status == LC_OK && generation < 1000; generation += 4) {
        status = lc_universe_step(universe, lc_count_of(4), NULL, NULL, message);
        if (status == LC_OK)
            status = lc_film_add(film, universe, message);
    }
    return status;
}

int main(void)
{
    lc_universe *universe = NULL;
    lc_film *film = NULL;
    lc_message message;

    const lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
    // 160 x 120 cells with (0, 0) in the middle, each of them 3 x 3 pixels.
    const lc_film_options film_options = {.struct_bytes = sizeof film_options,
                                          .theme = "embers",
                                          .column = -80,
                                          .row = -60,
                                          .width = 160,
                                          .height = 120,
                                          .side_pixels = 3};
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = load(universe, "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n", &message);
    if (status == LC_OK)
        status = lc_film_create(&film, "film.png", &film_options, &message);
    if (status == LC_OK)
        status = shoot(film, universe, &message);
    if (status == LC_OK) {
        printf("film.png has %d pictures\n", (int)lc_film_pictures(film));
        status = lc_film_close(&film, &message); // the file appears now
    }
    if (status != LC_OK)
        fprintf(stderr, "pattern_film: %s\n", message.text);
    lc_film_close(&film, NULL);
    lc_universe_destroy(&universe);
    return status == LC_OK ? 0 : 1;
}
