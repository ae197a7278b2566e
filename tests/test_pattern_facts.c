// Each built-in pattern is what it says: the facts that its file states are checked by stepping it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "patterns/pattern_facts.h"
#include "support.h"
#include "support_facts.h"
#include "support_live.h"
#include "support_universe.h"

// How long something is watched: a puffer for so many periods, what a methuselah leaves for so many
// generations, which are a multiple of the periods that leftovers have.
enum { PERIODS = 4, ASH_PERIOD = 120, ASH_TIMES = 5 };

// A pattern that is being checked.
typedef struct subject {
    const char *text;
    lc_pattern_facts facts;
    const lc_rule *rule;
    lc_universe *universe;
    lc_fates fates;  // of the rule; not under a rule with B0
    char fault[300]; // "": none so far
} subject;

static bool wrong(subject *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(subject *s, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(s->fault, sizeof s->fault, format, values);
    va_end(values);
    return false;
}

static const char *text_of(const char *name)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s.rle", name);
    for (const lc_built_in_pattern *p = lc_built_in_patterns(); p->name != NULL; p++)
        if (strcmp(p->name, file) == 0)
            return p->text;
    return NULL;
}

static void step_to(lc_universe *universe, uint64_t generation)
{
    lc_message message = {0};
    const lc_count by = lc_count_of(generation - test_generation(universe));
    if (lc_universe_step(universe, by, NULL, NULL, &message) != LC_OK)
        fail_msg("step: %s", message.text);
}

static lc_live at(subject *s, uint64_t generation)
{
    step_to(s->universe, generation);
    return live_read(s->universe);
}

static uint64_t population_at(subject *s, uint64_t generation)
{
    step_to(s->universe, generation);
    return test_population(s->universe);
}

// The largest proper divisors of a period: whoever has a shorter period has one of these.
static size_t shorter_periods(uint64_t period, uint64_t shorter[16])
{
    size_t count = 0;
    for (uint64_t prime = 2, left = period; left > 1; prime++) {
        if (left % prime != 0)
            continue;
        while (left % prime == 0)
            left /= prime;
        shorter[count++] = period / prime;
    }
    for (size_t i = 0; i < count / 2; i++) { // the shortest first
        const uint64_t one = shorter[i];
        shorter[i] = shorter[count - 1 - i];
        shorter[count - 1 - i] = one;
    }
    return count;
}

// The object that this one emits or makes. Returns NULL if the pattern is unknown.
static const lc_fate *object_named(subject *s, const char *name)
{
    const char *text = text_of(name);
    const lc_fate *fate = NULL;
    if (text == NULL)
        return NULL;
    lc_pattern_facts facts;
    lc_universe *universe = test_create_pattern(NULL, text);
    lc_live cells = live_read(universe);
    (void)lc_pattern_facts_read(&facts, text);
    if (facts.period > 0 && lc_universe_rule(universe) == s->rule)
        assert_int_equal(lc_fate_find(&fate, &s->fates, &cells, facts.period), LC_OK);
    lc_live_free(&cells);
    lc_universe_destroy(&universe);
    return fate;
}

// Kinds --------------------------------------------------------------------------------------

// Still lifes, oscillators, agars, spaceships.
static bool check_repeating(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    const bool moves = f->dx != 0 || f->dy != 0;
    uint64_t shorter[16];
    if (f->period == 0 || moves != (f->kind == LC_PATTERN_SPACESHIP) ||
        (f->kind == LC_PATTERN_STILL_LIFE && f->period != 1) ||
        (f->kind == LC_PATTERN_OSCILLATOR && f->period == 1))
        return wrong(s, "period and movement do not fit the kind");
    lc_live first = at(s, 0), now;
    bool good = first.count > 0 || wrong(s, "it is empty");
    for (size_t i = 0, n = shorter_periods(f->period, shorter); good && i < n; i++) {
        now = at(s, shorter[i]);
        good = !(f->kind == LC_PATTERN_AGAR ? lc_live_equal(&first, &now, 0, 0)
                                            : live_alike(&first, &now)) ||
               wrong(s, "its period is at most %" PRIu64, shorter[i]);
        lc_live_free(&now);
    }
    now = at(s, f->period);
    if (good && !lc_live_equal(&first, &now, f->dx, f->dy))
        good = wrong(s, "it is another one, or elsewhere, after %" PRIu64, f->period);
    lc_live_free(&now);
    lc_live_free(&first);
    return good;
}

// The cells that a gun has inside the box that it had at first, and how many objects are outside.
static size_t look_at_gun(subject *s, uint64_t generation, const lc_box *box, const lc_fate *object,
                          lc_live *inside)
{
    lc_live all = at(s, generation);
    if (inside != NULL)
        *inside = live_within(&all, box, true);
    const size_t count = live_count_objects(&all, &s->fates, object, box, NULL);
    lc_live_free(&all);
    return count;
}

static bool check_gun(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    const lc_box box = test_box(s->universe);
    const lc_fate *object = f->period > 0 && f->emits > 0 ? object_named(s, f->object) : NULL;
    if (object == NULL)
        return wrong(s, "a gun has a period, and emits something that is here by name");
    bool good = true;
    uint64_t shorter[16];
    lc_live first, now;
    const uint64_t from = f->from;
    size_t before = look_at_gun(s, from, &box, object, &first);
    for (size_t i = 0, n = shorter_periods(f->period, shorter); good && i < n; i++) {
        (void)look_at_gun(s, from + shorter[i], &box, object, &now);
        if (lc_live_equal(&first, &now, 0, 0))
            good = wrong(s, "its period is at most %" PRIu64, shorter[i]);
        lc_live_free(&now);
    }
    // What is emitted needs a while to be outside the box.
    const uint64_t away = (uint64_t)(box.width_cells + box.height_cells) * 4 / f->period + 1;
    for (uint64_t i = 1; good && i <= away + PERIODS; i++) {
        const size_t count = look_at_gun(s, from + i * f->period, &box, object, &now);
        if (!lc_live_equal(&first, &now, 0, 0))
            good = wrong(s, "it is another gun after %" PRIu64 " periods", i);
        else if (i > away && count != before + f->emits)
            good = wrong(s, "it emits %zu of them", count - before);
        before = count;
        lc_live_free(&now);
    }
    lc_live_free(&first);
    return good;
}

// Where the front of something is that goes this way; 0 along an axis on which it does not go.
static lc_live_cell front_of(const lc_pattern_facts *f, const lc_box *box)
{
    const int64_t right = box->x + box->width_cells, bottom = box->y + box->height_cells;
    return (lc_live_cell){f->dx > 0   ? right
                          : f->dx < 0 ? box->x
                                      : 0,
                          f->dy > 0   ? bottom
                          : f->dy < 0 ? box->y
                                      : 0};
}

// Whether it grows by so much, and its front moves by so much, in each of some periods.
static bool is_puffing(subject *s, uint64_t from, uint64_t period, int64_t dx, int64_t dy,
                       uint64_t grows)
{
    uint64_t before = population_at(s, from);
    lc_box box = test_box(s->universe);
    lc_live_cell front = front_of(&s->facts, &box);
    for (uint64_t i = 1; i <= PERIODS; i++) {
        const uint64_t now = population_at(s, from + i * period);
        box = test_box(s->universe);
        const lc_live_cell there = front_of(&s->facts, &box);
        if (now != before + grows || there.x != front.x + dx || there.y != front.y + dy)
            return wrong(s,
                         "it grows by %" PRId64 " and moves by %" PRId64 ", %" PRId64
                         " in period %" PRIu64,
                         (int64_t)(now - before), there.x - front.x, there.y - front.y, i);
        before = now;
        front = there;
    }
    return true;
}

static lc_universe *again(subject *s)
{
    lc_universe *before = s->universe;
    s->universe = test_create_pattern(NULL, s->text);
    return before;
}

static bool check_puffer(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    uint64_t shorter[16];
    if (f->period == 0 || f->grows == 0)
        return wrong(s, "a puffer has a period, and grows");
    if (!is_puffing(s, f->from, f->period, f->dx, f->dy, f->grows))
        return false;
    for (size_t i = 0, n = shorter_periods(f->period, shorter); i < n; i++) {
        const uint64_t times = f->period / shorter[i];
        if (f->dx % (int64_t)times != 0 || f->dy % (int64_t)times != 0 || f->grows % times != 0)
            continue;
        lc_universe *used = again(s);
        lc_universe_destroy(&used);
        if (is_puffing(s, f->from, shorter[i], f->dx / (int64_t)times, f->dy / (int64_t)times,
                       f->grows / times))
            return wrong(s, "its period is at most %" PRIu64, shorter[i]);
        s->fault[0] = '\0';
    }
    return true;
}

static bool check_rake(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    const lc_fate *object = f->emits > 0 ? object_named(s, f->object) : NULL;
    if (object == NULL)
        return wrong(s, "a rake emits something that is here by name");
    bool good = true;
    size_t before = 0;
    for (uint64_t i = 0; good && i <= PERIODS; i++) {
        lc_live now = at(s, f->from + i * f->period);
        const size_t count = live_count_objects(&now, &s->fates, object, NULL, NULL);
        if (i > 0 && count != before + f->emits)
            good = wrong(s, "it emits %zu of them", count - before);
        before = count;
        lc_live_free(&now);
    }
    if (!good)
        return false;
    lc_universe *used = again(s);
    lc_universe_destroy(&used);
    return check_puffer(s);
}

static bool check_breeder(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    uint64_t cells[PERIODS + 2];
    if (f->period == 0 || f->grows == 0)
        return wrong(s, "a breeder has a period, and grows");
    for (uint64_t i = 0; i < PERIODS + 2; i++)
        cells[i] = population_at(s, f->from + i * f->period);
    for (size_t i = 0; i < PERIODS; i++)
        if (cells[i + 2] + cells[i] != 2 * cells[i + 1] + f->grows)
            return wrong(s, "its growth grows by %" PRId64,
                         (int64_t)(cells[i + 2] + cells[i] - 2 * cells[i + 1]));
    return true;
}

// From the stated generation on the population is the same after the periods of all that leftovers
// have. That the generation before is still another one is a matter of cells, not of populations:
// lc_identify finds it.
static bool check_methuselah(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    lc_message message = {0};
    lc_identity *identity;
    if (f->settles == 0)
        return wrong(s, "a methuselah settles");
    lc_universe *same = test_create_pattern(NULL, s->text);
    if (lc_identify(&identity, same, NULL, &message) != LC_OK)
        fail_msg("identify: %s", message.text);
    const uint64_t settles = lc_identity_get_facts(identity)->settles;
    lc_identity_destroy(&identity);
    lc_universe_destroy(&same);
    if (settles != f->settles)
        return wrong(s, "it settles in generation %" PRIu64, settles);
    const uint64_t settled = population_at(s, f->settles);
    if (settled != f->leaves)
        return wrong(s, "it has %" PRIu64 " cells at generation %" PRIu64, settled, f->settles);
    for (uint64_t i = 1; i <= ASH_TIMES; i++)
        if (population_at(s, f->settles + i * ASH_PERIOD) != settled)
            return wrong(s, "it is not settled");
    return true;
}

// Where the cells of `all` that are not `some` of them would be after the circuit's time, alone.
static lc_live without(subject *s, const lc_live *all, const lc_live *some)
{
    lc_universe *used = again(s);
    lc_message message = {0};
    lc_universe_destroy(&used);
    for (size_t i = 0; i < some->count; i++)
        if (lc_universe_set(s->universe, some->at[i].x, some->at[i].y, false, &message) != LC_OK)
            fail_msg("set: %s", message.text);
    assert_int_equal(test_population(s->universe), all->count - some->count);
    return at(s, s->facts.after);
}

static bool check_circuit(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    const lc_fate *glider = object_named(s, "glider");
    lc_live first = at(s, 0), before, now, behind;
    bool good = true;
    const size_t taken = live_count_objects(&first, &s->fates, glider, NULL, &before);
    now = at(s, f->after);
    const size_t given = live_count_objects(&now, &s->fates, glider, NULL, &behind);
    lc_live free_flight = without(s, &first, &before), flying = live_others(&now, &behind);
    if (f->after == 0 || taken == 0 || taken != f->takes || given != f->gives)
        good = wrong(s, "it takes %zu gliders and gives %zu", taken, given);
    else if (before.count == 0 || !lc_live_equal(&before, &behind, 0, 0))
        good = wrong(s, "it is another circuit afterwards");
    else if (lc_live_equal(&free_flight, &flying, 0, 0))
        good = wrong(s, "its gliders fly past");
    lc_live_free(&flying);
    lc_live_free(&free_flight);
    lc_live_free(&behind);
    lc_live_free(&now);
    lc_live_free(&before);
    lc_live_free(&first);
    return good;
}

static bool check_synthesis(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    const lc_fate *glider = object_named(s, "glider"), *object = object_named(s, f->object);
    lc_live cells = at(s, 0);
    const size_t gliders = live_count_objects(&cells, &s->fates, glider, NULL, NULL);
    bool good = true;
    if (gliders != f->takes || cells.count != 5 * gliders)
        good = wrong(s, "it has %zu gliders and %zu cells", gliders, cells.count);
    lc_live_free(&cells);
    cells = at(s, f->after);
    if (good && !live_is_object(&cells, &s->fates, object))
        good = wrong(s, "what it makes is no %s", f->object);
    lc_live_free(&cells);
    return good;
}

// Rules of parity copy whatever there is: after a power of two of periods there are so many again.
static bool check_replicator(subject *s)
{
    const lc_pattern_facts *f = &s->facts;
    const uint64_t one = population_at(s, 0);
    if (f->period == 0 || f->copies < 2)
        return wrong(s, "a replicator has a period, and copies");
    for (uint64_t times = 1; times <= 16; times *= 2)
        if (population_at(s, times * f->period) != f->copies * one)
            return wrong(s, "it has %" PRIu64 " cells after %" PRIu64 " periods",
                         test_population(s->universe), times);
    return population_at(s, 17 * f->period) == f->copies * f->copies * one ||
           wrong(s, "it has %" PRIu64 " cells after 17 periods", test_population(s->universe));
}

static bool (*const checks[LC_PATTERN_KINDS])(subject *) = {
    [LC_PATTERN_STILL_LIFE] = check_repeating,
    [LC_PATTERN_OSCILLATOR] = check_repeating,
    [LC_PATTERN_AGAR] = check_repeating,
    [LC_PATTERN_SPACESHIP] = check_repeating,
    [LC_PATTERN_GUN] = check_gun,
    [LC_PATTERN_PUFFER] = check_puffer,
    [LC_PATTERN_RAKE] = check_rake,
    [LC_PATTERN_BREEDER] = check_breeder,
    [LC_PATTERN_METHUSELAH] = check_methuselah,
    [LC_PATTERN_CIRCUIT] = check_circuit,
    [LC_PATTERN_SYNTHESIS] = check_synthesis,
    [LC_PATTERN_REPLICATOR] = check_replicator,
};

// Tests --------------------------------------------------------------------------------------

// Checks the facts of a text; returns "" or what is wrong, which lives until the next call.
static const char *fault_of(const char *text)
{
    static subject s;
    s = (subject){.text = text};
    if (!lc_pattern_facts_read(&s.facts, text)) {
        (void)wrong(&s, "its facts cannot be read");
    } else if (s.facts.kind == LC_PATTERN_UNKNOWN) {
        (void)wrong(&s, "it states no facts");
    } else {
        s.universe = test_create_pattern(NULL, text);
        s.rule = lc_universe_rule(s.universe);
        (void)lc_fates_init(&s.fates, s.rule, NULL);
        (void)checks[s.facts.kind](&s);
        lc_fates_free(&s.fates);
        lc_universe_destroy(&s.universe);
    }
    return s.fault;
}

static void test_each_is_what_it_says(void **state)
{
    (void)state;
    size_t count = 0, faults = 0;
    for (const lc_built_in_pattern *p = lc_built_in_patterns(); p->name != NULL; p++, count++) {
        const char *fault = fault_of(p->text);
        if (fault[0] != '\0') {
            print_error("%s: %s\n", p->name, fault);
            faults++;
        }
    }
    assert_int_equal(faults, 0);
    assert_true(count >= 200);
}

// Of the same cells, facts that are false are found.
static void test_false_facts_are_found(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"block", "oscillator, period 1"},
        {"block", "oscillator, period 2"},
        {"block", "still life, moves 1 0"},
        {"blinker", "still life"},
        {"pulsar", "oscillator, period 2"},
        {"pulsar", "oscillator, period 6"},
        {"pulsar", "spaceship, period 3"},
        {"pulsar", "oscillator"},
        {"toad-sucker", "oscillator, period 120"},
        {"houndstooth-agar", "agar, period 4"},
        {"glider", "spaceship, period 4, moves 1 0"},
        {"glider", "spaceship, period 8, moves 2 2"},
        {"glider", "spaceship, period 2, moves 1 1"},
        {"glider", "oscillator, period 4"},
        {"gosper-glider-gun", "gun, period 30, emits 2 glider"},
        {"gosper-glider-gun", "gun, period 30, emits 1 lwss"},
        {"gosper-glider-gun", "gun, period 30, emits 1 nothing-known"},
        {"gosper-glider-gun", "gun, period 60, emits 2 glider"},
        {"gosper-glider-gun", "gun, period 15, emits 1 glider"},
        {"gosper-glider-gun", "oscillator, period 30"},
        {"day-and-night-guns", "gun, period 400, from 825, emits 1 glider"}, // of another rule
        {"pufferfish", "puffer, period 12, moves 0 -6, grows 9"},
        {"pufferfish", "puffer, period 12, moves 0 -5, grows 8"},
        {"pufferfish", "puffer, period 24, moves 0 -12, grows 16"},
        {"pufferfish", "rake, period 12, moves 0 -6, grows 8, emits 1 glider"},
        {"puffer-train", "puffer, period 210, moves 105 0, grows 660, from 5000"},
        {"backrake", "rake, period 8, moves 0 -4, grows 5, emits 2 glider, from 29"},
        {"spacefiller", "breeder, period 4, grows 9"},
        {"spacefiller", "puffer, period 4, grows 8"},
        {"acorn", "methuselah, settles 5207, leaves 633"},
        {"acorn", "methuselah, settles 5205, leaves 635"},
        {"acorn", "methuselah, settles 5206, leaves 634"},
        {"p8-bouncer", "circuit, after 24, gliders 1 2"},
        {"p8-bouncer", "circuit, after 20, gliders 1 1"},
        {"p8-bouncer", "circuit, after 0, gliders 1 1"},
        {"kickback", "synthesis, after 20, gliders 2, makes block"},
        {"kickback", "synthesis, after 20, gliders 3, makes glider"},
        {"lwss-synthesis", "synthesis, after 10, gliders 3, makes lwss"},
        {"highlife-replicator", "replicator, period 12, copies 3"},
        {"highlife-replicator", "replicator, period 6, copies 2"},
        {"glider", "replicator, period 4, copies 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *cells = strstr(text_of(cases[i][0]), "\nx = ");
        char text[8192];
        assert_non_null(cells);
        (void)snprintf(text, sizeof text, "#C facts: %s%s", cases[i][1], cells);
        if (fault_of(text)[0] == '\0')
            fail_msg("%s: '%s' goes through", cases[i][0], cases[i][1]);
    }
}

// A circuit that its gliders miss is none.
static void test_a_glider_that_flies_past(void **state)
{
    (void)state;
    const char *text = "#C facts: circuit, after 40, gliders 1 1\n"
                       "x = 23, y = 21, rule = B3/S23\nbo$2bo$3o17$21b2o$21b2o!\n";
    assert_string_not_equal(fault_of(text), "");
}

static lc_pattern_facts read_well(const char *text)
{
    lc_pattern_facts facts;
    if (!lc_pattern_facts_read(&facts, text))
        fail_msg("'%s' is not read", text);
    return facts;
}

static void test_authors(void **state)
{
    (void)state;
    static const struct {
        const char *line, *author;
        int year;
    } cases[] = {
        {"Bill Gosper, November 1970", "Bill Gosper", 1970},
        {"Ann, Bob and Cy, 1971 \r", "Ann, Bob and Cy", 1971},
        {"Ann and Bob", "Ann and Bob", 0},
        {"Ann, Bob", "Ann, Bob", 0},
        {"Ann, 21971", "Ann, 21971", 0},
        {"zdr,2016", "zdr", 2016},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "#N name\n#O %s\n#O Somebody else\nx = 1\no!",
                       cases[i].line);
        const lc_pattern_facts f = read_well(text);
        assert_string_equal(f.author, cases[i].author);
        assert_int_equal(f.year, cases[i].year);
        const char *line = cases[i].line;
        assert_true(lc_pattern_facts_has_line(&f, line, strlen(line)));
        assert_false(lc_pattern_facts_has_line(&f, "Somebody", 8));
    }
    char text[400] = "#O ";
    memset(text + 3, 'a', 300);
    assert_string_equal(read_well(text).author, "");
    assert_false(lc_pattern_facts_has_line(&(lc_pattern_facts){0}, "", 0));
}

static void test_facts_lines(void **state)
{
    (void)state;
    lc_pattern_facts f = read_well("#C facts: gun , period 30,emits  2 mwss, from 90\no!");
    assert_true(f.kind == LC_PATTERN_GUN && f.period == 30 && f.emits == 2 && f.from == 90);
    assert_string_equal(f.object, "mwss");
    assert_true(lc_pattern_facts_has_line(&f, "facts: gun", 10));
    f = read_well("#r B36/S23\n#C facts: spaceship, period 4, moves -1 2\n");
    assert_true(f.kind == LC_PATTERN_SPACESHIP && f.period == 4 && f.dx == -1 && f.dy == 2);
    f = read_well("#C facts: still life");
    assert_true(f.kind == LC_PATTERN_STILL_LIFE && f.period == 1);
    f = read_well("#C facts: circuit, after 50, gliders 2 1");
    assert_true(f.after == 50 && f.takes == 2 && f.gives == 1);
    f = read_well("#C facts: synthesis, after 9, gliders 3, makes hwss");
    assert_true(f.takes == 3 && f.gives == 0 && strcmp(f.object, "hwss") == 0);
    // What is no comment at the head of the file is not read.
    assert_int_equal(read_well("o!\n#C facts: gun").kind, LC_PATTERN_UNKNOWN);
    assert_int_equal(read_well("#N facts: gun\n#Cfacts: gun\n#C the facts: gun\n").kind,
                     LC_PATTERN_UNKNOWN);
    assert_int_equal(read_well("").kind, LC_PATTERN_UNKNOWN);
}

static void test_mistakes(void **state)
{
    (void)state;
    static const char *const wrong_facts[] = {
        "",
        "gu",
        "guns",
        "gun, period",
        "gun, period 0",
        "gun, period x",
        "gun, period 1x",
        "gun, period 30 31",
        "gun, period -3",
        "gun, period 1234567890123456789",
        "gun, emits glider",
        "gun, emits 1",
        "gun, emits 1 an-object-whose-name-is-longer-than-any-name-of-an-object",
        "gun, speed 3",
        "gun,, period 3",
        "spaceship, moves 1",
        "spaceship, moves 1 2 3",
        "spaceship, moves -- 2",
        "circuit, gliders",
        "circuit, gliders 1 2 3",
    };
    for (size_t i = 0; i < sizeof wrong_facts / sizeof wrong_facts[0]; i++) {
        char text[200];
        lc_pattern_facts f;
        (void)snprintf(text, sizeof text, "#C facts: %s\n", wrong_facts[i]);
        if (i > 0 && lc_pattern_facts_read(&f, text))
            fail_msg("'%s' is read", wrong_facts[i]);
        (void)lc_pattern_facts_read(&f, text);
        assert_true(f.kind == LC_PATTERN_UNKNOWN && f.period == 0);
    }
}

static void test_speeds(void **state)
{
    (void)state;
    static const struct {
        uint64_t period;
        int64_t dx, dy;
        const char *speed;
    } cases[] = {
        {4, 1, 1, "c/4 diagonal"},
        {4, -2, 0, "c/2 orthogonal"},
        {5, 0, -2, "2c/5 orthogonal"},
        {1, 0, 1, "c orthogonal"},
        {6, -1, -2, "(2,1)c/6 oblique"},
        {168, 7, 8, "(8,7)c/168 oblique"},
        {96, 8, -8, "c/12 diagonal"},
        {2, 2, 2, "c diagonal"},
        {3, 0, 0, ""},
        {0, 1, 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char speed[LC_PATTERN_SPEED_BYTES];
        const lc_pattern_facts f = {
            .period = cases[i].period, .dx = cases[i].dx, .dy = cases[i].dy};
        lc_pattern_speed(&f, speed);
        assert_string_equal(speed, cases[i].speed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_what_it_says),
        cmocka_unit_test(test_false_facts_are_found),
        cmocka_unit_test(test_a_glider_that_flies_past),
        cmocka_unit_test(test_authors),
        cmocka_unit_test(test_facts_lines),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_speeds),
    };
    return cmocka_run_group_tests_name("pattern facts", tests, NULL, NULL);
}
