// `lightcone run --soup DENSITY --seeds A..B`: runs many soups until each is stable.
//
// Worker threads take the seeds in order. Each worker runs one soup at a time in a universe of its
// own. The main thread prints the results in the order of the seeds. A ring holds the results that
// are not yet printed:
//
//     printed ........ taken ........ printed + RING
//     being run, or finished          free
//
// A worker that would overtake the ring waits until the main thread has printed a result.
#include "soups.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "message.h"
#include "number.h"
#include "progress.h"
#include "shared_context.h"
#include "signals.h"
#include "start.h"

enum { RING = 1024 };

typedef struct result {
    bool finished;
    lc_status status;
    lc_message message;
    lc_identity_facts facts;
} result;

typedef struct soups {
    const lc_run_options *options;
    uint64_t limit; // generations
    pthread_mutex_t lock;
    pthread_cond_t room;  // a result was printed, or the workers stop
    pthread_cond_t ready; // the next result to print is finished
    // Soups by index; index 0 is the first seed.
    uint64_t last, taken, printed;
    bool stops;
    result ring[RING];
    // Only for the main thread.
    lc_json json;
    lc_cli_progress progress;
    bool is_on_terminal; // the lines of the soups
    uint64_t settled, growing, undecided;
    uint64_t longest_seed;
    lc_identity_facts longest;
} soups;

// ---- options -----------------------------------------------------------------------------------

const char *lc_cli_parse_seeds(const char *text, void *to)
{
    lc_run_options *options = to;
    char begin[LC_CLI_NUMBER_BYTES];
    const char *dots = strstr(text, "..");
    const size_t length = dots != NULL ? (size_t)(dots - text) : sizeof begin;
    if (length >= sizeof begin)
        return "is not a range of seeds such as 1..100";
    memcpy(begin, text, length);
    begin[length] = '\0';
    if (lc_cli_parse_u64(begin, &options->first_seed) != NULL ||
        lc_cli_parse_u64(dots + 2, &options->last_seed) != NULL)
        return "is not a range of seeds such as 1..100";
    return options->first_seed <= options->last_seed
               ? NULL
               : "is empty; the first seed is the smaller one";
}

int lc_cli_soups_check(const lc_run_options *options)
{
    const struct {
        const char *option;
        bool given;
    } single[] = {
        {"a pattern", options->input != NULL},
        {"-o", options->output != NULL},
        {"--output-format", options->output_format != LC_FORMAT_AUTO},
        {"--checkpoint", options->checkpoint != NULL},
        {"--stats", options->stats != NULL},
        {"--record", options->record != NULL},
        {"--film", options->film.path != NULL},
        {"--watch", options->watch},
        {"--disk", options->disk != NULL},
        {"--devices", options->devices != NULL},
        {"-q", options->quiet},
    };
    if (!options->soup)
        return lc_cli_usage(options->command, "--seeds needs --soup DENSITY");
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i].given)
            return lc_cli_usage(options->command, "--seeds conflicts with %s; remove one of them",
                                single[i].option);
    if (options->until.kind != LC_UNTIL_NONE && options->until.kind != LC_UNTIL_STABLE)
        return lc_cli_usage(options->command, "--seeds allows --until stable only");
    return LC_EXIT_OK;
}

// ---- workers -----------------------------------------------------------------------------------

static void solve(const soups *s, uint64_t index, result *out)
{
    lc_run_options options = *s->options;
    lc_universe *universe;
    lc_identity *identity;
    const char *name;
    const lc_identify_options searching = {
        .struct_bytes = sizeof searching,
        .generations_max = options.has_limit ? lc_cli_generations_to_search(s->limit) : s->limit,
    };
    *out = (result){.finished = true};
    options.seed = options.first_seed + index;
    options.threads = 1;
    out->status = lc_start(&options, &universe, NULL, &name, &out->message);
    if (out->status != LC_OK)
        return;
    out->status = lc_identify(&identity, universe, &searching, &out->message);
    if (out->status == LC_OK)
        out->facts = *lc_identity_get_facts(identity);
    else if (out->status == LC_ERROR_LIMIT) // too large to be examined: undecided
        out->status = LC_OK;
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
}

static void *work(void *argument)
{
    soups *s = argument;
    lc_set_give_up(lc_signals_give_up, NULL);
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->stops && s->taken - s->printed == RING)
            pthread_cond_wait(&s->room, &s->lock);
        if (s->stops || s->taken > s->last)
            break;
        const uint64_t index = s->taken++;
        pthread_mutex_unlock(&s->lock);
        result one;
        solve(s, index, &one);
        pthread_mutex_lock(&s->lock);
        s->ring[index % RING] = one;
        if (index == s->printed)
            pthread_cond_signal(&s->ready);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

// ---- printing ----------------------------------------------------------------------------------

static void print_head(soups *s)
{
    const lc_run_options *options = s->options;
    if (!options->json) {
        printf("%20s %10s %10s %10s  %s\n", "seed", "lifespan", "population", "period", "fate");
        return;
    }
    s->json = (lc_json){.file = stdout};
    lc_json_open_object(&s->json, NULL);
    lc_json_string(&s->json, "program", "lightcone");
    lc_json_string(&s->json, "version", lc_version());
    lc_json_double(&s->json, "density", options->density);
    lc_json_i64(&s->json, "width", options->soup_width_cells);
    lc_json_i64(&s->json, "height", options->soup_height_cells);
    lc_json_rule(&s->json, "rule", options->has_rule ? options->rule : lc_rule_life());
    lc_json_topology(&s->json, "topology", &options->topology);
    lc_json_u64(&s->json, "limit", s->limit);
    lc_json_open_array(&s->json, "soups");
}

// Prints a number, or null or "-" if it is not known.
static void print_number(soups *s, const char *key, uint64_t number, bool is_known)
{
    if (s->options->json && is_known)
        lc_json_u64(&s->json, key, number);
    else if (s->options->json)
        lc_json_null(&s->json, key);
    else if (is_known)
        printf(" %10" PRIu64, number);
    else
        printf(" %10s", "-");
}

static void print_result(soups *s, uint64_t seed, const lc_identity_facts *facts)
{
    const bool grows = lc_cli_grows(facts->kind);
    const bool is_stable = lc_cli_is_stable(facts, s->limit);
    const lc_identity_kind kind = grows || is_stable ? facts->kind : LC_IDENTITY_UNDECIDED;
    s->growing += grows;
    s->settled += is_stable;
    s->undecided += kind == LC_IDENTITY_UNDECIDED;
    if (is_stable && (s->settled == 1 || facts->settles > s->longest.settles)) {
        s->longest = *facts;
        s->longest_seed = seed;
    }
    if (s->options->json) {
        lc_json_open_object(&s->json, NULL);
        lc_json_u64(&s->json, "seed", seed);
    } else {
        printf("%20" PRIu64, seed);
    }
    print_number(s, "lifespan", facts->settles, is_stable);
    print_number(s, "population", facts->population, is_stable);
    print_number(s, "period", facts->period, kind != LC_IDENTITY_UNDECIDED && facts->period != 0);
    if (s->options->json) {
        lc_json_string(&s->json, "fate", lc_identity_kind_name(kind));
        lc_json_close_object(&s->json);
    } else {
        printf("  %s\n", lc_identity_kind_name(kind));
    }
}

static void print_summary_for_machines(soups *s, int signal)
{
    lc_json *json = &s->json;
    lc_json_close_array(json);
    lc_json_u64(json, "settled", s->settled);
    lc_json_u64(json, "growing", s->growing);
    lc_json_u64(json, "undecided", s->undecided);
    if (s->settled > 0) {
        lc_json_open_object(json, "longest");
        lc_json_u64(json, "seed", s->longest_seed);
        lc_json_u64(json, "lifespan", s->longest.settles);
        lc_json_u64(json, "population", s->longest.population);
        lc_json_close_object(json);
    } else {
        lc_json_null(json, "longest");
    }
    lc_json_string(json, "stopped", signal != 0 ? lc_signals_name(signal) : NULL);
    lc_json_close_object(json);
}

static void print_summary(const soups *s)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], c[LC_CLI_NUMBER_BYTES];
    printf("soups         %s settled, %s grow, %s undecided\n", lc_cli_format_u64(s->settled, a),
           lc_cli_format_u64(s->growing, b), lc_cli_format_u64(s->undecided, c));
    if (s->settled > 0)
        printf("longest       seed %" PRIu64 ": %s generations, then %s cells\n", s->longest_seed,
               lc_cli_format_u64(s->longest.settles, a),
               lc_cli_format_u64(s->longest.population, b));
}

// ---- the command -------------------------------------------------------------------------------

// On a terminal the lines of the soups show the progress.
static void begin_progress(soups *s)
{
    lc_count total;
    const lc_cli_progress_mode mode = s->options->progress;
    s->is_on_terminal = isatty(STDOUT_FILENO) != 0;
    const bool is_needed = mode == LC_PROGRESS_ALWAYS || !s->is_on_terminal;
    (void)lc_count_add(lc_count_of(s->last), lc_count_of(1), &total); // no overflow: 256 bits
    lc_cli_progress_begin_soups(&s->progress, is_needed ? mode : LC_PROGRESS_NEVER, total);
}

static void show_progress(soups *s)
{
    lc_cli_progress_update(&s->progress, NULL, lc_count_of(s->printed), lc_cli_now_ns());
}

// Waits until the next result may be finished.
static void wait_for_result(soups *s)
{
    enum { WAIT_NS = 200000000, SECOND_NS = 1000000000 };
    struct timespec until;
    if (!s->progress.shown) {
        pthread_cond_wait(&s->ready, &s->lock);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    until.tv_sec += until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    pthread_cond_timedwait(&s->ready, &s->lock, &until);
    show_progress(s);
}

// Takes the next result in order. Returns false if there is none. Waits for it unless the workers
// have ended.
static bool take(soups *s, bool waits, result *out)
{
    pthread_mutex_lock(&s->lock);
    result *next = &s->ring[s->printed % RING];
    const bool is_left = s->printed <= s->last && (waits || s->printed < s->taken);
    if (is_left && waits && !next->finished) {
        (void)fflush(stdout); // lines are read while others are computed
        while (!next->finished)
            wait_for_result(s);
    }
    if (is_left) {
        *out = *next;
        next->finished = false;
        s->printed++;
        pthread_cond_signal(&s->room);
    }
    pthread_mutex_unlock(&s->lock);
    return is_left;
}

static void stop(soups *s, const pthread_t *threads, int count)
{
    pthread_mutex_lock(&s->lock);
    s->stops = true;
    pthread_cond_broadcast(&s->room);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static int end(soups *s, const result *failed, uint64_t seed)
{
    char number[LC_CLI_NUMBER_BYTES];
    const int signal = lc_signals_received();
    if (failed->status == LC_ERROR_STOPPED && signal != 0) {
        lc_cli_error("stopped by %s after %s soups", lc_signals_name(signal),
                     lc_cli_format_u64(s->settled + s->growing + s->undecided, number));
        return LC_EXIT_SIGNAL + signal;
    }
    if (failed->status == LC_OK)
        return LC_EXIT_OK;
    lc_cli_error("seed %" PRIu64 ": %s", seed,
                 failed->message.text[0] != '\0' ? failed->message.text
                                                 : lc_status_text(failed->status));
    return LC_EXIT_FAILURE;
}

// Prints all results, and those that are finished if the run is stopped. Returns an exit code.
static int print_all(soups *s, const pthread_t *threads, int count)
{
    result one, failed = {0};
    uint64_t seed = 0;
    bool waits = true;
    print_head(s);
    begin_progress(s);
    while (take(s, waits, &one)) {
        const uint64_t current = s->options->first_seed + s->printed - 1;
        if (s->is_on_terminal)
            lc_cli_progress_clear_line();
        if (one.finished && one.status == LC_OK)
            print_result(s, current, &one.facts);
        show_progress(s);
        if (waits && (one.status != LC_OK || ferror(stdout))) {
            failed = one;
            seed = current;
            waits = false;
            stop(s, threads, count);
        }
    }
    if (waits)
        stop(s, threads, count);
    lc_cli_progress_end(&s->progress);
    if (s->options->json)
        print_summary_for_machines(s,
                                   failed.status == LC_ERROR_STOPPED ? lc_signals_received() : 0);
    else
        print_summary(s);
    return end(s, &failed, seed);
}

// Starts threads until there are enough or the system refuses another. Returns how many run.
static int start_threads(soups *s, pthread_t *threads, int wanted)
{
    int count = 0;
    while (count < wanted && pthread_create(&threads[count], NULL, work, s) == 0)
        count++;
    return count;
}

int lc_cli_soups(const lc_run_options *options)
{
    lc_run_options first = *options;
    lc_universe *universe;
    first.seed = options->first_seed;
    first.threads = 1;
    int code = lc_start_report(&first, &universe, NULL); // reports an error once
    lc_universe_destroy(&universe);
    if (code != LC_EXIT_OK)
        return code;
    const uint64_t last = options->last_seed - options->first_seed;
    int wanted = options->threads != 0 ? options->threads : lc_context_threads(lc_cli_context());
    if ((uint64_t)wanted > last)
        wanted = (int)last + 1;
    soups *s = calloc(1, sizeof *s);
    pthread_t *threads = malloc((size_t)wanted * sizeof *threads);
    if (s == NULL || threads == NULL) {
        free(s);
        free(threads);
        lc_cli_error("%s", lc_status_text(LC_ERROR_MEMORY));
        return LC_EXIT_FAILURE;
    }
    s->options = options;
    s->last = last;
    s->limit = LC_UNTIL_LIMIT;
    if (options->has_limit && !lc_count_to_u64(options->generations, &s->limit))
        s->limit = UINT64_MAX;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->room, NULL);
    pthread_cond_init(&s->ready, NULL);
    lc_signals_catch();
    const int count = start_threads(s, threads, wanted);
    if (count > 0) {
        code = print_all(s, threads, count);
    } else {
        lc_cli_error("the system allows no more threads");
        code = LC_EXIT_FAILURE;
    }
    pthread_cond_destroy(&s->ready);
    pthread_cond_destroy(&s->room);
    pthread_mutex_destroy(&s->lock);
    free(threads);
    free(s);
    return code;
}
