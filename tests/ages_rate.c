// What ages cost: a program, not a test.
//
//     ages_rate [SECONDS [ENGINE...]]
//
// steps soups on tori for SECONDS (usually 2), in turns without anybody who looks and with pictures
// of ages as the viewer makes them: at most 60 a second, at most a ninth of the time, and a
// thirtieth for looks between them (viewer/clients.c). It says how long a look and a picture take,
// how many of them there were, and what share of the time they took: nothing is stepped meanwhile.
// The share of generations that were lost to that is measured too, but needs a quiet machine.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "lightcone/lightcone.h"

enum { WIDTH = 1920, HEIGHT = 1080, TURNS = 5, PICTURE_SHARE = 9, NOTE_SHARE = 30 };

static void must(lc_status status, const lc_message *message)
{
    if (status == LC_OK)
        return;
    fprintf(stderr, "ages_rate: %s\n", message->text);
    exit(1);
}

typedef struct run {
    lc_ages *ages; // NULL: nobody looks
    int log2_side;
    int64_t width, height;
    uint8_t *codes, *tones;
    uint64_t end_ns, next_picture_ns, next_note_ns;
    uint64_t picture_ns, note_ns; // in all
    uint64_t pictures, notes;
} run;

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool look(void *context, const lc_universe *u, lc_count done, lc_count total)
{
    run *r = context;
    lc_message message;
    (void)done;
    (void)total;
    const uint64_t begin_ns = lc_clock_ns();
    if (r->ages != NULL && begin_ns >= r->next_picture_ns) {
        must(lc_ages_picture(r->ages, u, 0, 0, r->log2_side, r->width, r->height, r->codes,
                             r->tones, &message),
             &message);
        const uint64_t took_ns = lc_clock_ns() - begin_ns;
        r->picture_ns += took_ns;
        r->pictures++;
        r->next_picture_ns = begin_ns + greatest(1000000000 / 60, took_ns * PICTURE_SHARE);
    } else if (r->ages != NULL && begin_ns >= r->next_note_ns) {
        must(lc_ages_note(r->ages, u, &message), &message);
        const uint64_t took_ns = lc_clock_ns() - begin_ns;
        r->note_ns += took_ns;
        r->notes++;
        r->next_note_ns = begin_ns + took_ns * NOTE_SHARE;
    }
    return lc_clock_ns() >= r->end_ns;
}

// Generations a second.
static double step(lc_universe *u, run *r, double seconds)
{
    lc_message message;
    const uint64_t begin_ns = lc_clock_ns();
    const lc_count before = lc_universe_generation(u);
    r->end_ns = begin_ns + (uint64_t)(seconds * 1e9);
    r->next_picture_ns = r->next_note_ns = begin_ns;
    const lc_status status = lc_universe_step(u, lc_count_of(UINT64_C(1) << 60), look, r, &message);
    if (status != LC_ERROR_STOPPED)
        must(status, &message);
    const lc_count made = lc_count_distance(before, lc_universe_generation(u));
    return lc_count_to_double(made) * 1e9 / (double)(lc_clock_ns() - begin_ns);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(lc_context *context, const char *engine, int64_t side, int log2_side,
                    double seconds)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = context,
        .rule_text = "B3/S23",
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side},
        .engine = engine,
        .every_generation = true};
    static uint8_t codes[WIDTH * HEIGHT], tones[WIDTH * HEIGHT];
    run none = {0}, looks = {.log2_side = log2_side, .codes = codes, .tones = tones};
    double lost[TURNS];
    lc_universe *u;
    lc_message message;
    looks.width = side >> log2_side < WIDTH ? side >> log2_side : WIDTH;
    looks.height = side >> log2_side < HEIGHT ? side >> log2_side : HEIGHT;
    must(lc_universe_create(&u, &options, &message), &message);
    must(lc_universe_soup(u, 0, 0, side, side, 0.4, 1, &message), &message);
    must(lc_ages_create(&looks.ages, &message), &message);
    (void)step(u, &none, seconds / 4);
    double rate = 0;
    for (int i = 0; i < TURNS; i++) {
        const double without = step(u, &none, seconds), with = step(u, &looks, seconds);
        lost[i] = 1 - with / without;
        rate += without / TURNS;
    }
    qsort(lost, TURNS, sizeof *lost, by_size);
    printf("%-6s %6" PRId64 "^2, %2d cells a pixel: %9.1f generations/s; a picture %7.2f ms, "
           "%5.1f/s; a look %6.2f ms, %5.1f/s; %4.1f %% of the time; lost %5.1f %% (%.1f to "
           "%.1f)\n",
           lc_universe_info_of(u).engine, side, 1 << log2_side, rate,
           (double)looks.picture_ns * 1e-6 / (double)looks.pictures,
           (double)looks.pictures / (seconds * TURNS),
           looks.notes > 0 ? (double)looks.note_ns * 1e-6 / (double)looks.notes : 0,
           (double)looks.notes / (seconds * TURNS),
           (double)(looks.picture_ns + looks.note_ns) * 1e-9 * 100 / (seconds * TURNS),
           100 * lost[TURNS / 2], 100 * lost[0], 100 * lost[TURNS - 1]);
    lc_ages_destroy(&looks.ages);
    lc_universe_destroy(&u);
}

int main(int argc, char **argv)
{
    static char *const usual[] = {"simd"};
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 2;
    char *const *engines = argc > 2 ? argv + 2 : usual;
    const int count = argc > 2 ? argc - 2 : 1;
    const lc_context_options shared = {.struct_bytes = sizeof shared,
                                       .cuda_library = getenv("LIGHTCONE_CUDA"),
                                       .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
                                       .cache_folder = getenv("LIGHTCONE_CACHE")};
    lc_context *context;
    lc_message message;
    must(lc_context_create(&context, &shared, &message), &message);
    for (int i = 0; i < count; i++) {
        measure(context, engines[i], 4096, 0, seconds);
        measure(context, engines[i], 4096, 2, seconds);
        measure(context, engines[i], 16384, 0, seconds);
        measure(context, engines[i], 16384, 4, seconds);
        measure(context, engines[i], 65536, 6, seconds);
    }
    lc_context_destroy(&context);
    return 0;
}
