// What lc_identify finds of the patterns in Golly's folders of oscillators, spaceships, guns and
// puffers, against a table of facts: tools/golly-objects.py finds those by plain stepping and from
// the files' comments. Collections are divided: each of their patterns is identified alone.
//
// Each day a share of the patterns is identified; all of them with LC_TEST_FULL=1. Without Golly's
// patterns the test is skipped.
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

typedef enum line_kind { LINE_FILE, LINE_PATTERN, LINE_ALSO } line_kind;

// A line of the table. tools/golly-objects.py says what each number is.
typedef struct line {
    line_kind kind;
    const char *file;
    int64_t x, y, width, height;
    uint64_t period;
    int64_t dx, dy;
    uint64_t fewest, most;
    uint64_t since;
} line;

#define FILE_OF(name) {.kind = LINE_FILE, .file = (name)},
#define PATTERN(x, y, width, height, period, dx, dy, fewest, most, since)                          \
    {LINE_PATTERN, NULL, x, y, width, height, period, dx, dy, fewest, most, since},
#define ALSO(x, y, width, height) {LINE_ALSO, NULL, x, y, width, height, 0, 0, 0, 0, 0, 0},

static const line lines[] = {
#include "golly_objects.inc"
};

enum { LINES = sizeof lines / sizeof *lines };

// What became of the patterns so far.
typedef struct tally {
    size_t patterns, right, undecided, wrong;
    size_t cells; // of the file's patterns, if all of them were taken
} tally;

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

static bool is_right(const lc_identity_facts *f, const line *known)
{
    if (f->kind != known_kind(known) || f->settles != known->since)
        return false;
    if (f->kind == LC_IDENTITY_DIES)
        return true;
    // The numbers of cells are not found for parts that never meet.
    const bool has_cells = f->population_max == 0 || known->most == 0 ||
                           (f->population_min == known->fewest && f->population_max == known->most);
    return f->period == known->period && f->dx == known->dx && f->dy == known->dy && has_cells;
}

static void identify(tally *t, const char *file, const cells *all, const line *known)
{
    lc_universe *universe = universe_of(all, known);
    lc_identity *identity;
    lc_message message = {0};
    if (lc_identify(&identity, universe, NULL, &message) != LC_OK)
        fail_msg("identify: %s", message.text);
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    const bool right = is_right(f, known), undecided = f->kind == LC_IDENTITY_UNDECIDED;
    t->patterns++;
    t->right += right;
    t->undecided += !right && undecided;
    t->wrong += !right && !undecided;
    if (!right)
        print_error("%s, %" PRId64 " %" PRId64 ": %s, period %" PRIu64 " moves %" PRId64 " %" PRId64
                    " cells %" PRIu64 " to %" PRIu64 " since %" PRIu64 "; known: %s, %" PRIu64
                    " moves %" PRId64 " %" PRId64 " cells %" PRIu64 " to %" PRIu64 " since %" PRIu64
                    "\n",
                    file, known->x, known->y, lc_identity_kind_name(f->kind), f->period, f->dx,
                    f->dy, f->population_min, f->population_max, f->settles,
                    lc_identity_kind_name(known_kind(known)), known->period, known->dx, known->dy,
                    known->fewest, known->most, known->since);
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
}

static cells read_file(const char *file)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    return cells_of_file(path);
}

static void test_golly(void **state)
{
    (void)state;
    const size_t share = test_full() ? 1 : 8 * (size_t)test_slowness() * (size_t)test_share();
    tally t = {0};
    cells all = {0};
    const char *file = NULL;
    if (access(folder, R_OK) != 0)
        skip();
    for (size_t i = 0; i < LINES; i++) {
        if (lines[i].kind == LINE_FILE) {
            file = lines[i].file;
            cells_free(&all);
            all = read_file(file);
        } else if (lines[i].kind == LINE_PATTERN && i % share == 0) {
            identify(&t, file, &all, &lines[i]);
        }
    }
    cells_free(&all);
    print_message("%zu patterns: %zu right, %zu undecided, %zu wrong\n", t.patterns, t.right,
                  t.undecided, t.wrong);
    assert_int_equal(t.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
