// What it costs the viewer to keep generations, and how long a step back takes: a program, not a
// test.
//
//     past_rate ENGINE SIDE [SECONDS [ROUNDS]]
//
// steps a soup of SIDE x SIDE cells as fast as it goes, in turn by itself and by a session, which
// keeps generations, and compares what they make in a second of the processors' time. Then goes
// back a generation, ten times, and compares the cells with those that another universe makes.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/clock.h"
#include "support.h"
#include "support_facts.h"
#include "viewer/travel.h"
#include "viewer_client.h"

enum { STEPS_BACK = 10 };

typedef struct run {
    uint64_t end_ns;
} run;

static bool is_over(void *context)
{
    const run *r = context;
    return lc_clock_ns() >= r->end_ns;
}

static bool passed(void *context, const lc_universe *universe, lc_count done, lc_count total)
{
    (void)universe;
    (void)done;
    (void)total;
    return is_over(context);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

static void busy(void *context, const char *doing)
{
    (void)context;
    (void)doing;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void must(lc_status status, const lc_message *message)
{
    if (status == LC_OK || status == LC_ERROR_STOPPED)
        return;
    fprintf(stderr, "past_rate: %s\n", message->text);
    exit(1);
}

// Generations in a second of the processors' time.
static double rate(lc_session *session, run *r, bool keeps, double seconds)
{
    lc_message message;
    const lc_count many = lc_count_of(1 << 20);
    const uint64_t first = test_generation(session->universe);
    const double begin = cpu_seconds();
    r->end_ns = lc_clock_ns() + (uint64_t)(seconds * 1e9);
    while (!is_over(r))
        must(keeps ? lc_session_step(session, many, &message)
                   : lc_universe_step(session->universe, many, passed, r, &message),
             &message);
    return (double)(test_generation(session->universe) - first) / (cpu_seconds() - begin);
}

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double distance_back(const lc_session *session, const lc_kept *kept)
{
    const lc_count now = lc_universe_generation(session->universe);
    return lc_count_to_double(lc_count_distance(kept->generation, now));
}

static void print_kept(const lc_session *session)
{
    const lc_history *h = &session->history;
    printf("kept: %zu, %.0f MB; so many generations back:", h->kept_count,
           (double)h->held_bytes * 1e-6);
    for (size_t i = h->kept_count, shown = 0; i-- > 0 && shown < 12; shown++)
        printf(" %.0f", distance_back(session, &h->kept[i]));
    printf(h->kept_count > 12 ? " ...\n" : "\n");
}

// Goes back a generation; milliseconds of the whole and to the departure, and of the processors.
static double step_back(lc_travel *travel, double *departure_ms, double *cpu_ms)
{
    lc_message message;
    bool arrived = false;
    lc_count to = lc_universe_generation(travel->session->universe);
    (void)lc_count_subtract(to, lc_count_of(1), &to);
    const uint64_t begin_ns = lc_clock_ns();
    const double begin = cpu_seconds();
    must(lc_travel_go(travel, to, begin_ns, &message), &message);
    *departure_ms = (double)(lc_clock_ns() - begin_ns) * 1e-6;
    while (!arrived)
        must(lc_travel_work(travel, &arrived, &message), &message);
    *cpu_ms = (cpu_seconds() - begin) * 1e3;
    return (double)(lc_clock_ns() - begin_ns) * 1e-6;
}

static lc_universe *soup(const lc_universe_options *creation)
{
    lc_universe *universe;
    lc_message message;
    const int64_t side = creation->topology.width_cells;
    must(lc_universe_create(&universe, creation, &message), &message);
    must(lc_universe_soup(universe, 0, 0, side, side, 0.5, 42, &message), &message);
    must(lc_universe_step(universe, lc_count_of(512), NULL, NULL, &message), &message);
    return universe;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: past_rate ENGINE SIDE [SECONDS [ROUNDS]]\n");
        return 2;
    }
    const int64_t side = atoll(argv[2]);
    const double seconds = argc > 3 ? atof(argv[3]) : 3;
    const int rounds = argc > 4 ? atoi(argv[4]) : 5;
    const lc_universe_options creation = {
        .struct_bytes = sizeof creation,
        .context = test_context(),
        .rule_text = "B3/S23",
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = side, .height_cells = side},
        .engine = argv[1]};
    lc_viewer_options options = viewer_options();
    options.creation = creation;
    run r = {0};
    const lc_session_calls calls = {
        .passed = is_over, .in_a_pass = never, .busy = busy, .context = &r};
    lc_session session;
    lc_travel travel;
    lc_message message;
    must(lc_session_create(&session, &options, &calls, soup(&creation), &message), &message);
    lc_travel_create(&travel, &session, never, NULL);
    lc_session_keep_origin(&session, NULL);
    printf("%s, %" PRId64 " x %" PRId64 "\n", argv[1], side, side);

    double shares[64];
    for (int i = 0; i < rounds && i < 64; i++) {
        const double alone = rate(&session, &r, false, seconds);
        const double keeping = rate(&session, &r, true, seconds);
        shares[i] = keeping / alone;
        printf("in a CPU second: alone %.0f gen; keeping %.0f gen (%.1f %%)\n", alone, keeping,
               100 * shares[i]);
        fflush(stdout);
    }
    if (rounds > 0) {
        qsort(shares, (size_t)rounds, sizeof *shares, by_size);
        printf("speed kept: median %.1f %%, %.1f to %.1f\n", 100 * shares[rounds / 2],
               100 * shares[0], 100 * shares[rounds - 1]);
    }
    for (int i = 0; i < STEPS_BACK; i++) {
        double departure_ms, cpu_ms;
        if (i < 3)
            print_kept(&session);
        const double ms = step_back(&travel, &departure_ms, &cpu_ms);
        printf("step back %d: %.0f ms, of which %.0f until it sets out (%.0f of the processors); "
               "%" PRIu64 " generations on the way\n",
               i + 1, ms, departure_ms, cpu_ms,
               test_generation(session.universe) - travel.from.words[0]);
        fflush(stdout);
    }
    lc_universe *shown = lc_session_close(&session), *other = soup(&creation);
    const lc_count way = lc_count_of(test_generation(shown) - test_generation(other));
    must(lc_universe_step(other, way, NULL, NULL, &message), &message);
    const bool same = test_hash(shown) == test_hash(other);
    printf("the cells %s\n", same ? "are those that were there" : "ARE WRONG");
    lc_universe_destroy(&shown);
    lc_universe_destroy(&other);
    return same ? 0 : 1;
}
