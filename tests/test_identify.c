// Identification. Results for the built-in patterns agree with the facts in their files, and
// objects left by soups with those of apgsearch. Results for random patterns of many rules are
// checked by plain stepping.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/object.h"
#include "patterns/pattern_facts.h"
#include "support.h"
#include "support_facts.h"
#include "support_live.h"
#include "support_objects.h"
#include "support_pattern.h"
#include "support_universe.h"

static lc_identity *identify(lc_universe *universe, uint64_t generations_max)
{
    const lc_identify_options options = {.struct_bytes = sizeof options,
                                         .generations_max = generations_max};
    lc_identity *identity;
    lc_message message = {0};
    if (lc_identify(&identity, universe, &options, &message) != LC_OK)
        fail_msg("identify: %s", message.text);
    return identity;
}

static lc_identity *identify_text(const char *text)
{
    lc_universe *universe = test_create_pattern(NULL, text);
    lc_identity *identity = identify(universe, 0);
    lc_universe_destroy(&universe);
    return identity;
}

// ---- built-in patterns -------------------------------------------------------------------------

static bool is_multiple(uint64_t number, uint64_t of)
{
    return of == 0 || (number != 0 && number % of == 0);
}

// Whether a growing pattern has the stated facts. Identification demands that the engine is the
// same after a period, and that of a puffer may be its mirror image after the stated one. The
// population of puffer-train has another period than its engine: there is a pulsar in its debris.
static bool grows_so(const lc_identity_facts *f, const lc_pattern_facts *stated)
{
    if (stated->period == 210)
        return f->proved && f->period == 140 && f->growth == 440 && f->dx == 70 && f->dy == 0;
    const int64_t times = stated->period != 0 ? (int64_t)(f->period / stated->period) : 1;
    return is_multiple(f->period, stated->period) && (f->proved || f->kind == LC_IDENTITY_LINEAR) &&
           (stated->grows == 0 || f->growth == times * (int64_t)stated->grows) &&
           ((stated->dx == 0 && stated->dy == 0) ||
            (f->dx == times * stated->dx && f->dy == times * stated->dy));
}

static uint64_t emitted(const lc_identity *identity, lc_identity_kind kind)
{
    uint64_t sum = 0;
    size_t count;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    for (size_t i = 0; i < count; i++)
        sum += objects[i].kind == kind ? objects[i].count : 0;
    return sum;
}

// Whether the result agrees with the facts in the file. Kinds that leave open what becomes of
// the pattern (circuits, syntheses) agree with everything that is decided.
static bool agrees(const lc_identity *identity, const lc_pattern_facts *stated)
{
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    const bool has_move = stated->dx == f->dx && stated->dy == f->dy;
    switch (stated->kind) {
    case LC_PATTERN_STILL_LIFE:
        return f->kind == LC_IDENTITY_STILL_LIFE;
    case LC_PATTERN_OSCILLATOR:
        return f->kind == LC_IDENTITY_OSCILLATOR && f->period == stated->period;
    case LC_PATTERN_AGAR:
        return f->period == stated->period && f->settles == 0;
    case LC_PATTERN_SPACESHIP:
        return f->kind == LC_IDENTITY_SPACESHIP && f->period == stated->period && has_move;
    case LC_PATTERN_GUN:
        return f->kind == LC_IDENTITY_GUN && f->period == stated->period && f->proved &&
               emitted(identity, LC_IDENTITY_SPACESHIP) == stated->emits;
    case LC_PATTERN_PUFFER:
        return (f->kind == LC_IDENTITY_PUFFER || f->kind == LC_IDENTITY_STRETCHER ||
                f->kind == LC_IDENTITY_LINEAR) &&
               grows_so(f, stated);
    case LC_PATTERN_RAKE: // some leave other objects, too
        return (f->kind == LC_IDENTITY_RAKE || f->kind == LC_IDENTITY_PUFFER) &&
               grows_so(f, stated) && emitted(identity, LC_IDENTITY_SPACESHIP) >= stated->emits;
    case LC_PATTERN_BREEDER:
        return f->kind == LC_IDENTITY_QUADRATIC && f->period == stated->period &&
               f->growth == (int64_t)stated->grows;
    case LC_PATTERN_METHUSELAH:
        return (f->kind == LC_IDENTITY_SETTLES || f->kind == LC_IDENTITY_DIES) &&
               f->settles == stated->settles && f->population == stated->leaves;
    case LC_PATTERN_REPLICATOR:
        return f->kind == LC_IDENTITY_REPLICATOR && f->period == stated->period &&
               f->copies == stated->copies;
    default:
        return f->kind != LC_IDENTITY_UNDECIDED;
    }
}

static bool are_sorted(const lc_identity *identity)
{
    size_t count;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    for (size_t i = 1; i < count; i++)
        if (objects[i - 1].count < objects[i].count ||
            (objects[i - 1].count == objects[i].count &&
             strcmp(objects[i - 1].code, objects[i].code) > 0))
            return false;
    return true;
}

static void test_built_in(void **state)
{
    (void)state;
    const int64_t share = test_share();
    size_t wrong = 0, tried = 0;
    for (const lc_built_in_pattern *p = lc_built_in_patterns(); p->name != NULL; p++) {
        lc_pattern_facts stated;
        if ((p - lc_built_in_patterns()) % share != 0)
            continue;
        (void)lc_pattern_facts_read(&stated, p->text);
        const bool is_long = stated.settles > 10000 || stated.from > 5000 ||
                             strstr(p->name, "day-and-night-guns") != NULL;
        if (stated.kind == LC_PATTERN_UNKNOWN || (is_long && !test_full()))
            continue;
        lc_identity *identity = identify_text(p->text);
        const lc_identity_facts *f = lc_identity_get_facts(identity);
        tried++;
        if (!agrees(identity, &stated) || !are_sorted(identity)) {
            print_error("%s: %s, period %" PRIu64 ", moves %" PRId64 " %" PRId64
                        ", settles %" PRIu64 " with %" PRIu64 ", growth %" PRId64 "\n",
                        p->name, lc_identity_kind_name(f->kind), f->period, f->dx, f->dy,
                        f->settles, f->population, f->growth);
            wrong++;
        }
        lc_identity_destroy(&identity);
    }
    assert_int_equal(wrong, 0);
    assert_true((int64_t)tried > 300 / share);
}

// An object that is a pattern here has the pattern's name.
static void test_names(void **state)
{
    (void)state;
    size_t named = 0;
    for (const lc_built_in_pattern *p = lc_built_in_patterns(); p->name != NULL; p++) {
        lc_pattern_facts stated;
        (void)lc_pattern_facts_read(&stated, p->text);
        if ((stated.kind != LC_PATTERN_STILL_LIFE && stated.kind != LC_PATTERN_OSCILLATOR &&
             stated.kind != LC_PATTERN_SPACESHIP) ||
            strncmp(p->text, "#N ", 3) != 0 || strstr(p->text, "rule = B3/S23\n") == NULL)
            continue;
        size_t count;
        lc_identity *identity = identify_text(p->text);
        const lc_object *objects = lc_identity_get_objects(identity, &count);
        if (count == 1 && objects[0].count == 1 && objects[0].name[0] != '\0') {
            const size_t length = strcspn(p->text + 3, "\n");
            if (strlen(objects[0].name) != length ||
                strncasecmp(objects[0].name, p->text + 3, length) != 0)
                fail_msg("%s is called %s", p->name, objects[0].name);
            named++;
        }
        lc_identity_destroy(&identity);
    }
    assert_true(named >= 190);
}

// ---- soups -------------------------------------------------------------------------------------

static void write_objects(const lc_identity *identity, char *text, size_t size)
{
    size_t count, used = 0;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s*%" PRIu64, i > 0 ? " " : "",
                                 objects[i].code, objects[i].count);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Sorts the words of a text.
static void sort_words(char *text)
{
    char *words[100], copy[4000];
    size_t count = 0;
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word != NULL && count < 100; word = strtok(NULL, " "))
        words[count++] = word;
    qsort(words, count, sizeof *words, compare_words);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(strcat(text, i > 0 ? " " : ""), words[i]);
}

static void test_soups(void **state)
{
    (void)state;
    for (size_t i = 0; known_soups[i].rle != NULL; i++) {
        char found[4000], wanted[4000];
        lc_identity *identity = identify_text(known_soups[i].rle);
        write_objects(identity, found, sizeof found);
        (void)snprintf(wanted, sizeof wanted, "%s", known_soups[i].objects);
        sort_words(found);
        sort_words(wanted);
        assert_string_equal(found, wanted);
        lc_identity_destroy(&identity);
    }
}

// ---- random patterns ---------------------------------------------------------------------------

static lc_universe *random_universe(uint64_t seed, const lc_rule *rule, lc_topology topology)
{
    lc_universe *universe = test_create("scalar", rule, topology, 0);
    cells soup = cells_random(seed, 3, 4, 2 + (int64_t)(seed % 6), 2 + (int64_t)(seed / 6 % 6),
                              30 + (int)(seed % 50));
    for (size_t i = 0; i < soup.count; i++)
        test_set(universe, soup.list[i].x, soup.list[i].y);
    cells_free(&soup);
    return universe;
}

static void step_to(lc_universe *universe, uint64_t generation)
{
    test_step(universe, generation - test_generation(universe));
}

static bool is_same_after(lc_universe *universe, uint64_t from, uint64_t to, int64_t dx, int64_t dy)
{
    step_to(universe, from);
    lc_live a = live_read(universe);
    step_to(universe, to);
    lc_live b = live_read(universe);
    live_move(&a, lc_universe_topology(universe), dx, dy);
    const bool same = lc_live_equal(&a, &b, 0, 0);
    lc_live_free(&a);
    lc_live_free(&b);
    return same;
}

// The cells repeat with that period and move, and with none that is a proper divisor. A generation
// before `settles` they do not.
static void check_repeats(uint64_t seed, const lc_rule *rule, lc_topology topology,
                          const lc_identity_facts *f)
{
    for (uint64_t period = 1; period <= f->period; period++) {
        if (f->period % period != 0)
            continue;
        lc_universe *universe = random_universe(seed, rule, topology);
        step_to(universe, f->settles);
        lc_live a = live_read(universe);
        step_to(universe, f->settles + period);
        lc_live b = live_read(universe);
        if (topology.width_cells == 0 && period != f->period)
            assert_false(live_alike(&a, &b));
        else if (period != f->period) // on a torus, other cells can look alike elsewhere
            assert_false(lc_live_equal(&a, &b, 0, 0));
        live_move(&a, &topology, f->dx, f->dy);
        if (period == f->period)
            assert_true(lc_live_equal(&a, &b, 0, 0));
        lc_live_free(&a);
        lc_live_free(&b);
        lc_universe_destroy(&universe);
    }
    if (f->settles == 0)
        return;
    lc_universe *universe = random_universe(seed, rule, topology);
    assert_false(is_same_after(universe, f->settles - 1, f->settles - 1 + f->period, f->dx, f->dy));
    lc_universe_destroy(&universe);
}

// Objects that never meet: from `settles` on the population is periodic, and so is the number of
// pieces of each kind, for as long as we look.
static void check_settles(uint64_t seed, const lc_rule *rule, const lc_identity_facts *f)
{
    enum { LOOK = 300 };
    lc_universe *universe = random_universe(seed, rule, infinite_plane);
    uint64_t populations[LOOK];
    step_to(universe, f->settles);
    for (uint64_t t = 0; t < LOOK; t++) {
        populations[t] = test_population(universe);
        if (t >= f->period)
            assert_int_equal(populations[t], populations[t - f->period]);
        test_step(universe, 1);
    }
    assert_int_equal(populations[0], f->population);
    lc_universe_destroy(&universe);
}

static void check_random(uint64_t seed, const lc_rule *rule, lc_topology topology)
{
    lc_universe *universe = random_universe(seed, rule, topology);
    lc_identity *identity = identify(universe, 300);
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    size_t objects;
    (void)lc_identity_get_objects(identity, &objects);
    if (f->kind == LC_IDENTITY_STILL_LIFE || f->kind == LC_IDENTITY_OSCILLATOR ||
        f->kind == LC_IDENTITY_SPACESHIP || f->kind == LC_IDENTITY_DIES ||
        (f->kind == LC_IDENTITY_SETTLES && f->population_max != 0))
        check_repeats(seed, rule, topology, f);
    else if (f->kind == LC_IDENTITY_SETTLES)
        check_settles(seed, rule, f);
    lc_identity_destroy(&identity);
    lc_universe_destroy(&universe);
}

static void test_random(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "B3/S23",    "B36/S23",      "B2/S",       "B3678/S34678", "B3/S12345",
        "B368/S245", "B35678/S5678", "B3/S2-i34q", "B2a/S12",      "B2/S34H",
        "B13/S024V", "B3/S",         "B34/S34",    "B36/S125",     "B3/S238",
        "B38/S23",   "B2-a/S12",     "B3/S1",      "B4/S1234",     "B2cei3/S23",
    };
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 12, .height_cells = 13};
    const uint64_t seeds = test_full() ? 500 : 12;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const lc_rule *rule = rule_of(rules[i]);
        for (uint64_t seed = 1; seed <= seeds; seed++)
            check_random(1000 * i + seed, rule, seed % 4 == 0 ? torus : infinite_plane);
    }
}

// ---- numbers of oscillators --------------------------------------------------------------------

static void test_oscillation(void **state)
{
    (void)state;
    static const struct {
        const char *rle;
        uint64_t period, rotor, stator, full;
        double heat;
    } known[] = {
        {"3o!", 2, 4, 1, 4, 4},
        {"2o$2o$2b2o$2b2o!", 2, 2, 6, 2, 2},
        {"x = 12, y = 4, rule = B3/S23\n3o7b2o$10b2o!", 2, 4, 5, 4, 4},
        // A pulsar, and far away a blinker: of a rotor of 68 cells none has period 6.
        {"2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo"
         "4bo2$2b3o3b3o20$3o!",
         6, 68, 25, 0, 42.0 + 2.0 / 3 + 4},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        lc_identity *identity = identify_text(known[i].rle);
        const lc_identity_facts *f = lc_identity_get_facts(identity);
        assert_int_equal(f->kind, LC_IDENTITY_OSCILLATOR);
        assert_int_equal(f->period, known[i].period);
        assert_int_equal(f->rotor, known[i].rotor);
        assert_int_equal(f->stator, known[i].stator);
        assert_int_equal(f->full_period_cells, known[i].full);
        assert_true(f->heat > known[i].heat - 1e-9 && f->heat < known[i].heat + 1e-9);
        lc_identity_destroy(&identity);
    }
}

// ---- growth -------------------------------------------------------------------------------------

#define GOSPER                                                                                     \
    "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$"        \
    "11bo3bo$12b2o"

// A gun is called so if nothing is in the way of its gliders, however far away.
static void test_guns(void **state)
{
    (void)state;
    lc_identity *identity = identify_text(GOSPER "!");
    const lc_identity_facts *f = lc_identity_get_facts(identity);
    assert_int_equal(f->kind, LC_IDENTITY_GUN);
    assert_true(f->proved);
    assert_int_equal(f->growth, 5);
    lc_identity_destroy(&identity);
    // An eater: the gliders end there, and the whole repeats itself.
    identity = identify_text(GOSPER "171$193b2o$193bobo$195bo$195b2o!");
    f = lc_identity_get_facts(identity);
    assert_int_equal(f->kind, LC_IDENTITY_SETTLES);
    assert_int_equal(f->period, 30);
    assert_int_equal(f->settles, 671);
    assert_int_equal(f->growth, 0);
    lc_identity_destroy(&identity);
    // A block in the way is hit later than the growth is first looked for.
    identity = identify_text(GOSPER "300$322b2o$322b2o!");
    f = lc_identity_get_facts(identity);
    assert_int_equal(f->kind, LC_IDENTITY_GUN);
    assert_int_equal(f->settles, 1217);
    lc_identity_destroy(&identity);
}

// A wick that is stretched: proved by its two ends.
static void test_stretchers(void **state)
{
    (void)state;
    static const char *const names[] = {"wickstretcher", "tubstretcher", "blinker-ship"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const lc_built_in_pattern *p = lc_built_in_patterns();
        while (strcmp(p->name, names[i]) != 0 && strncmp(p->name, names[i], strlen(names[i])) != 0)
            p++;
        lc_identity *identity = identify_text(p->text);
        const lc_identity_facts *f = lc_identity_get_facts(identity);
        assert_int_equal(f->kind, LC_IDENTITY_STRETCHER);
        assert_true(f->proved);
        assert_true(f->dx < 0);
        lc_identity_destroy(&identity);
    }
}

// ---- limits ------------------------------------------------------------------------------------

static bool stop_at_once(void *context)
{
    *(int *)context += 1;
    return true;
}

static void test_limits(void **state)
{
    (void)state;
    lc_universe *universe = test_create_pattern(NULL, "bo$3bo$2o2b3o!");
    lc_identity *identity = identify(universe, 10);
    assert_int_equal(lc_identity_get_facts(identity)->kind, LC_IDENTITY_UNDECIDED);
    assert_int_equal(lc_identity_get_facts(identity)->generations, 10);
    assert_int_equal(test_generation(universe), 10);
    lc_identity_destroy(&identity);
    lc_identity_destroy(&identity);
    lc_identity_destroy(NULL);

    lc_identify_options options = {.struct_bytes = sizeof options};
    lc_message message;
    options.generations_max = UINT64_MAX;
    assert_int_equal(lc_identify(&identity, universe, &options, &message), LC_ERROR_ARGUMENT);
    assert_null(identity);
    options = (lc_identify_options){.struct_bytes = 0};
    assert_int_equal(lc_identify(&identity, universe, &options, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_identify(&identity, NULL, NULL, &message), LC_ERROR_ARGUMENT);

    int asked = 0;
    lc_set_give_up(stop_at_once, &asked);
    assert_int_equal(lc_identify(&identity, universe, NULL, &message), LC_ERROR_STOPPED);
    lc_set_give_up(NULL, NULL);
    assert_int_equal(asked, 1);
    assert_null(identity);
    lc_universe_destroy(&universe);
    assert_string_equal(lc_identity_kind_name((lc_identity_kind)99), "undecided");
}

// An empty universe is dead; a rule with B0 has no objects, and patterns repeat as a whole.
static void test_edges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        lc_identity_kind kind;
        uint64_t settles, period;
    } known[] = {
        {"x = 0, y = 0, rule = B3/S23\n!", LC_IDENTITY_DIES, 0, 1},
        {"x = 1, y = 1, rule = B3/S23\no!", LC_IDENTITY_DIES, 1, 1},
        {"x = 0, y = 0, rule = B03/S23\n!", LC_IDENTITY_DIES, 0, 2},
        {"x = 3, y = 1, rule = B3/S23:T30,20\n3o!", LC_IDENTITY_OSCILLATOR, 0, 2},
        {"x = 3, y = 3, rule = B3/S23:T10,10\nbo$2bo$3o!", LC_IDENTITY_SPACESHIP, 0, 4},
        {"x = 3, y = 3, rule = B3/S23:P10,10\nbo$2bo$3o!", LC_IDENTITY_SETTLES, 0, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        lc_identity *identity = identify_text(known[i].text);
        const lc_identity_facts *f = lc_identity_get_facts(identity);
        assert_int_equal(f->kind, known[i].kind);
        assert_int_equal(f->period, known[i].period);
        if (known[i].settles != 0)
            assert_int_equal(f->settles, known[i].settles);
        lc_identity_destroy(&identity);
    }
}

// Every allocation of the library fails once.
static void test_allocations(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "3o15b2o$18b2o!",
        "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$"
        "11bo3bo$12b2o!",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lc_status status = LC_ERROR_MEMORY;
        const uint64_t step = test_full() || i == 0 ? 1 : 13;
        for (uint64_t n = 1; status != LC_OK; n += step) {
            lc_universe *universe = test_create_pattern("scalar", texts[i]);
            lc_identity *identity;
            lc_fail_allocation(n);
            status = lc_identify(&identity, universe, NULL, NULL);
            lc_fail_allocation(0);
            assert_true(status == LC_OK || (status == LC_ERROR_MEMORY && identity == NULL));
            lc_identity_destroy(&identity);
            lc_universe_destroy(&universe);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_soups),       cmocka_unit_test(test_random),
        cmocka_unit_test(test_oscillation), cmocka_unit_test(test_guns),
        cmocka_unit_test(test_stretchers),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_edges),       cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
