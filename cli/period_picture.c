// Writes one period of an identified pattern as a film.
//
// All cells of most patterns repeat after the period. The cells of a gun do not, because its
// spaceships fly further and further. So the film of a gun shows the area of the first period, and
// begins once the spaceships have crossed this area: from then on the cells in it repeat.
#include "period_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "progress.h"
#include "run_options.h"
#include "signals.h"

enum {
    RATE = 6,           // default number of generations per second
    PERIOD_MAX = 10000, // longest period, in generations
    // Generations that a gun's spaceships may take to cross the area. A glider crosses 5,000 cells.
    CROSSING_MAX = 20000,
};

typedef struct filming {
    const lc_run_options *options;
    lc_universe *universe;
    lc_film *film;
    lc_period_picture *picture;
    lc_cli_progress progress;
    lc_count start; // generation at which the progress line begins
} filming;

// Prints why the pattern has no picture. Returns whether it has none.
static bool refuse(const lc_run_options *options, const lc_identity_facts *facts)
{
    const char *path = options->film.path;
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    if (facts->kind == LC_IDENTITY_UNDECIDED)
        lc_cli_error("%s: not written, because the period is unknown; --limit N looks further",
                     path);
    else if (facts->kind == LC_IDENTITY_DIES && facts->settles == 0)
        lc_cli_error("%s: not written, because no cell is alive", path);
    else if (facts->kind == LC_IDENTITY_DIES)
        lc_cli_error("%s: not written, because no cell is alive from generation %s on; use "
                     "'lightcone run --film FILE' to show generations before it",
                     path, lc_cli_format_u64(facts->settles, a));
    else if (facts->period == 0 || facts->period > PERIOD_MAX)
        lc_cli_error("%s: not written, because a picture has at most %s generations and the period "
                     "is %s; use 'lightcone run --film FILE --every N' to show some of them",
                     path, lc_cli_format_u64(PERIOD_MAX, a),
                     facts->period != 0 ? lc_cli_format_u64(facts->period, b) : "above 2^64 - 1");
    else
        return false;
    return true;
}

static bool between_passes(void *context, const lc_universe *universe, lc_count done,
                           lc_count total)
{
    filming *f = context;
    (void)done;
    (void)total;
    lc_cli_progress_update(&f->progress, universe,
                           lc_count_distance(f->start, lc_universe_generation(universe)),
                           lc_cli_now_ns());
    return lc_signals_received() != 0;
}

static lc_status step(filming *f, uint64_t generations, lc_message *message)
{
    return lc_universe_step(f->universe, lc_count_of(generations), between_passes, f, message);
}

// Begins the progress line of the next generations.
static void begin(filming *f, uint64_t generations)
{
    f->start = lc_universe_generation(f->universe);
    lc_cli_progress_begin(&f->progress, f->options->progress, f->universe,
                          lc_count_of(generations));
}

static lc_status look(const filming *f, uint8_t *tones, lc_message *message)
{
    const lc_film_options *view = &f->picture->view;
    return lc_universe_far_picture(f->universe, view->column, view->row, view->log2_side,
                                   view->width, view->height, tones, message);
}

// Steps the universe by whole periods until the visible cells repeat.
static lc_status cross(filming *f, uint64_t period, lc_message *message)
{
    const size_t size_bytes = (size_t)f->picture->view.width * (size_t)f->picture->view.height;
    uint8_t *now = malloc(2 * size_bytes);
    if (now == NULL)
        return LC_ERROR_MEMORY;
    uint8_t *before = now + size_bytes;
    lc_status status = look(f, before, message);
    f->start = lc_universe_generation(f->universe);
    lc_cli_progress_begin_search(&f->progress, f->options->progress, f->universe,
                                 lc_count_of(CROSSING_MAX));
    for (uint64_t made = 0; made < CROSSING_MAX && status == LC_OK; made += period) {
        status = step(f, period, message);
        if (status == LC_OK)
            status = look(f, now, message);
        if (status == LC_OK && memcmp(now, before, size_bytes) == 0)
            break;
        memcpy(before, now, size_bytes);
    }
    lc_cli_progress_end(&f->progress);
    free(now);
    return status;
}

static lc_status add_period(filming *f, uint64_t period, lc_message *message)
{
    lc_status status = LC_OK;
    begin(f, period);
    for (uint64_t i = 0; i < period && status == LC_OK; i++) {
        status = lc_film_add(f->film, f->universe, message);
        if (status == LC_OK && i + 1 < period)
            status = step(f, 1, message);
    }
    lc_cli_progress_end(&f->progress);
    return status;
}

static lc_status settle(filming *f, uint64_t generations, lc_message *message)
{
    begin(f, generations);
    const lc_status status = step(f, generations, message);
    lc_cli_progress_end(&f->progress);
    return status;
}

// Closes the film, which may be incomplete, and reports what went wrong.
static int end(filming *f, lc_status status, uint64_t period, lc_message *message)
{
    const char *path = f->options->film.path;
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    lc_message closing = {0};
    const uint64_t pictures = f->film != NULL ? lc_film_pictures(f->film) : 0;
    const lc_status closed = lc_film_close(&f->film, &closing);
    if (closed == LC_OK)
        f->picture->pictures = pictures;
    if (status == LC_ERROR_STOPPED && lc_signals_received() != 0) {
        const int signal = lc_signals_received();
        lc_cli_error("%s: stopped by %s; %s of %s generations were written", path,
                     lc_signals_name(signal), lc_cli_format_u64(f->picture->pictures, a),
                     lc_cli_format_u64(period, b));
        return LC_EXIT_SIGNAL + signal;
    }
    if (status != LC_OK)
        return lc_cli_report(path, status, message);
    return closed == LC_OK ? LC_EXIT_OK : lc_cli_report(path, closed, &closing);
}

int lc_period_picture_write(lc_period_picture *picture, const lc_run_options *options,
                            lc_universe *universe, const lc_identity_facts *facts)
{
    filming f = {.options = options, .universe = universe, .picture = picture};
    lc_message message = {0};
    lc_count last;
    *picture = (lc_period_picture){0};
    if (refuse(options, facts))
        return LC_EXIT_FAILURE;
    lc_signals_catch();
    lc_status status = settle(&f, facts->settles, &message);
    if (status == LC_OK &&
        !lc_count_add(lc_universe_generation(universe), lc_count_of(facts->period - 1), &last))
        status = LC_ERROR_LIMIT;
    if (status != LC_OK)
        return end(&f, status, facts->period, &message);
    int code = lc_cli_film_view(options, universe, last, &picture->view);
    if (options->film.rate == 0)
        picture->view.rate = RATE;
    if (code == LC_EXIT_OK)
        code = lc_cli_film_begin(&f.film, options, &picture->view);
    if (code != LC_EXIT_OK)
        return code;
    if (facts->kind == LC_IDENTITY_GUN)
        status = cross(&f, facts->period, &message);
    if (status == LC_OK)
        status = add_period(&f, facts->period, &message);
    return end(&f, status, facts->period, &message);
}
