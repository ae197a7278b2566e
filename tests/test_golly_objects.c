// Compares what lc_identify finds with a table of facts about the patterns in Golly's folders of
// oscillators, spaceships, guns and puffers. tools/golly-objects.py finds the facts by plain
// stepping. Collections are divided: each of their patterns is identified alone.
//
// A share of the patterns that are identified quickly is tested, and all patterns with
// LC_TEST_FULL=1. Without Golly's patterns the test is skipped.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lightcone/object.h"
#include "support.h"
#include "support_pattern.h"
#include "support_universe.h"

static const char folder[] = "/usr/share/golly/Patterns/Life";

typedef enum line_kind { LINE_FILE, LINE_PATTERN, LINE_ALSO, LINE_GROWS, LINE_HIDDEN } line_kind;

// A line of the table. tools/golly-objects.py says what each number is.
typedef struct line {
    line_kind kind;
    const char *file;
    int64_t x, y, width, height;
    uint64_t period;
    int64_t dx, dy;
    uint64_t fewest, most;
    uint64_t since;
    // LINE_GROWS: `periods` periods add `growth` cells.
    lc_identity_kind grows;
    int64_t periods, growth;
} line;

#define FILE_OF(name) {.kind = LINE_FILE, .file = (name)},
#define PATTERN(x, y, width, height, period, dx, dy, fewest, most, since)                          \
    {LINE_PATTERN, NULL, x, y, width, height, period, dx, dy, fewest, most, since, 0, 0, 0},
#define ALSO(x, y, width, height) {LINE_ALSO, NULL, x, y, width, height, 0, 0, 0, 0, 0, 0, 0, 0, 0},
#define GROWS(file, grows, period, periods, growth)                                                \
    {LINE_GROWS, file, 0, 0, 0, 0, period, 0, 0, 0, 0, 0, grows, periods, growth},
#define HIDDEN(file) {LINE_HIDDEN, file, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},

static const line lines[] = {
#include "golly_objects.inc"
};

enum { LINES = sizeof lines / sizeof *lines };

typedef enum verdict { RIGHT, UNDECIDED, WRONG, VERDICTS } verdict;

// ---- patterns of a file ------------------------------------------------------------------------

static void set_cells_of_box(lc_universe *universe, const cells *all, const line *box)
{
    for (size_t i = 0; i < all->count; i++) {
        const cell *c = &all->list[i];
        if (c->x >= box->x && c->x < box->x + box->width && c->y >= box->y &&
            c->y < box->y + box->height)
            test_set(universe, c->x, c->y);
    }
}

// Returns a universe with the pattern of a line and of the lines below that belong to it.
static lc_universe *universe_of(const cells *all, const line *at)
{
    lc_universe *universe = test_create(NULL, LIFE, infinite_plane, 0);
    set_cells_of_box(universe, all, at);
    for (at++; at < lines + LINES && at->kind == LINE_ALSO; at++)
        set_cells_of_box(universe, all, at);
    return universe;
}

// ---- comparison --------------------------------------------------------------------------------

static lc_identity_kind known_kind(const line *known)
{
    if (known->period == 0)
        return LC_IDENTITY_DIES;
    if (known->since != 0)
        return LC_IDENTITY_SETTLES;
    if (known->dx != 0 || known->dy != 0)
        return LC_IDENTITY_SPACESHIP;
    return known->period == 1 ? LC_IDENTITY_STILL_LIFE : LC_IDENTITY_OSCILLATOR;
}

static verdict judge_repeating(const lc_identity_facts *f, const line *known)
{
    if (f->kind == LC_IDENTITY_UNDECIDED)
        return UNDECIDED;
    if (f->kind != known_kind(known) || f->settles != known->since)
        return WRONG;
    if (f->kind == LC_IDENTITY_DIES)
        return RIGHT;
    // The numbers of cells are not found for parts that never meet.
    const bool has_cells = f->population_max == 0 || known->most == 0 ||
                           (f->population_min == known->fewest && f->population_max == known->most);
    const bool agrees =
        f->period == known->period && f->dx == known->dx && f->dy == known->dy && has_cells;
    return agrees ? RIGHT : WRONG;
}

// Guns and puffers do grow linearly, but the kind is not named.
static verdict judge_growing(const lc_identity_facts *f, const line *known)
{
    if (f->kind == LC_IDENTITY_UNDECIDED)
        return UNDECIDED;
    const bool grows = f->kind == LC_IDENTITY_GUN || f->kind == LC_IDENTITY_PUFFER ||
                       f->kind == LC_IDENTITY_STRETCHER || f->kind == LC_IDENTITY_LINEAR;
    if (!grows || f->period % known->period != 0)
        return WRONG;
    // If the number of new cells differs from period to period, `growth` is the mean, rounded.
    const int64_t all = known->periods * (int64_t)known->period;
    const int64_t more = f->growth * all - known->growth * (int64_t)f->period;
    if (more >= all || more <= -all)
        return WRONG;
    if (f->kind == LC_IDENTITY_LINEAR)
        return UNDECIDED;
    return (f->kind == LC_IDENTITY_GUN) == (known->grows == LC_IDENTITY_GUN) ? RIGHT : WRONG;
}

static void print_verdict(verdict found, const char *file, const line *known,
                          const lc_identity_facts *f)
{
    const lc_identity_kind kind = known->kind == LINE_GROWS    ? known->grows
                                  : known->kind == LINE_HIDDEN ? LC_IDENTITY_UNDECIDED
                                                               : known_kind(known);
    print_error("%s: %s, %" PRId64 " %" PRId64 ": %s, period %" PRIu64 " moves %" PRId64 " %" PRId64
                " cells %" PRIu64 " to %" PRIu64 " since %" PRIu64 " growth %" PRId64
                "; known: %s, %" PRIu64 " moves %" PRId64 " %" PRId64 " cells %" PRIu64
                " to %" PRIu64 " since %" PRIu64 "\n",
                found == WRONG ? "wrong" : "undecided", file, known->x, known->y,
                lc_identity_kind_name(f->kind), f->period, f->dx, f->dy, f->population_min,
                f->population_max, f->settles, f->growth, lc_identity_kind_name(kind),
                known->period, known->dx, known->dy, known->fewest, known->most, known->since);
}

static verdict identify(lc_universe *universe, const char *file, const line *known)
{
    lc_identity *identity;
    lc_message message = {0};
    if (lc_identify(&identity, universe, NULL, &message) != LC_OK)
        fail_msg("identify: %s", message.text);
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    const verdict found = known->kind == LINE_PATTERN        ? judge_repeating(f, known)
                          : known->kind == LINE_GROWS        ? judge_growing(f, known)
                          : f->kind == LC_IDENTITY_UNDECIDED ? UNDECIDED
                                                             : WRONG;
    if (found != RIGHT)
        print_verdict(found, file, known, f);
    lc_identity_destroy(&identity);
    return found;
}

static cells read_file(const char *file)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    return cells_of_file(path);
}

static lc_universe *universe_of_file(const char *file)
{
    cells all = read_file(file);
    lc_universe *universe = test_create(NULL, LIFE, infinite_plane, 0);
    for (size_t i = 0; i < all.count; i++)
        test_set(universe, all.list[i].x, all.list[i].y);
    cells_free(&all);
    return universe;
}

// Whether identification takes more than a second or so.
static bool is_long(const line *one)
{
    return one->kind != LINE_PATTERN || one->period > 5000 || one->most > 2500 || one->width > 1000;
}

static void test_golly(void **state)
{
    (void)state;
    const size_t share = (test_full() ? 1 : 8) * (size_t)test_slowness() * (size_t)test_share();
    size_t count[VERDICTS] = {0};
    cells all = {0};
    const char *file = NULL;
    if (access(folder, R_OK) != 0)
        skip();
    for (size_t i = 0; i < LINES; i++) {
        const line *one = &lines[i];
        if (one->kind == LINE_FILE) {
            file = one->file;
            cells_free(&all);
            all = read_file(file);
        }
        if (one->kind == LINE_FILE || one->kind == LINE_ALSO || i % share != 0 ||
            (is_long(one) && !test_full()))
            continue;
        const bool is_file = one->kind != LINE_PATTERN;
        lc_universe *universe = is_file ? universe_of_file(one->file) : universe_of(&all, one);
        count[identify(universe, is_file ? one->file : file, one)]++;
        lc_universe_destroy(&universe);
    }
    cells_free(&all);
    const size_t patterns = count[RIGHT] + count[UNDECIDED] + count[WRONG];
    print_message("%zu patterns: %zu right, %zu undecided, %zu wrong\n", patterns, count[RIGHT],
                  count[UNDECIDED], count[WRONG]);
    assert_int_equal(count[WRONG], 0);
    assert_true(100 * count[RIGHT] >= 95 * patterns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
