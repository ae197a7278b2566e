// The pace of a run: the generations that are due, and the measured speed.
#include "pace.h"

static const uint64_t second_ns = 1000000000;
static const double most_at_once = 1 << 20; // an empty universe steps that many in no time
// A pass is long if less than 25 of them fit into a second. A pass of more generations than
// most_even does not progress evenly.
static const uint64_t long_pass_ns = 40000000;
static const uint64_t most_even = 1024;
// The longest time that a pause waits for a generation that a client has seen.
static const uint64_t pause_ns = 1000000000;
static const lc_count last_generation = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

void lc_pace_create(lc_pace *pace, bool running, lc_count generation, uint64_t now_ns)
{
    *pace = (lc_pace){.running = running};
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_restart(lc_pace *pace, lc_count generation, uint64_t now_ns)
{
    pace->begin_ns = now_ns;
    pace->begin_generation = generation;
    pace->sample_count = 0;
}

void lc_pace_run(lc_pace *pace, lc_count generation, uint64_t now_ns)
{
    pace->running = true;
    pace->has_target = pace->pauses = false;
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_run_to(lc_pace *pace, lc_count target, lc_count generation, uint64_t now_ns)
{
    pace->running = pace->has_target = true;
    pace->pauses = false;
    pace->target = target;
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_pause(lc_pace *pace)
{
    pace->running = pace->has_target = pace->pauses = false;
}

void lc_pace_pause_at(lc_pace *pace, lc_count shown, lc_count generation, uint64_t now_ns)
{
    if (pace->running && lc_count_compare(shown, generation) > 0 &&
        pace->passes.took_ns <= pause_ns) {
        lc_pace_run_to(pace, shown, generation, now_ns);
        pace->pauses = true;
    } else {
        lc_pace_pause(pace);
    }
}

void lc_pace_set_speed(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns)
{
    pace->speed = speed;
    pace->chosen = true;
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_suit(lc_pace *pace, double speed, lc_count generation, uint64_t now_ns)
{
    if (!pace->chosen)
        pace->speed = speed;
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_set_every(lc_pace *pace, lc_count every, lc_count generation, uint64_t now_ns)
{
    pace->every = every;
    lc_pace_restart(pace, generation, now_ns);
}

static bool is_in_pieces(const lc_pace *pace)
{
    return lc_count_compare(pace->every, lc_count_of(0)) > 0;
}

double lc_pace_generations(const lc_pace *pace)
{
    return is_in_pieces(pace) ? pace->speed * lc_count_to_double(pace->every) : pace->speed;
}

static lc_count least(double a, lc_count b)
{
    const lc_count whole = lc_count_of((uint64_t)a);
    return lc_count_compare(whole, b) < 0 ? whole : b;
}

lc_count lc_pace_allow(lc_pace *pace, lc_count generation, uint64_t now_ns, uint64_t *wake_ns)
{
    *wake_ns = UINT64_MAX;
    if (pace->has_target)
        return lc_count_distance(generation, pace->target);
    const lc_count left = lc_count_distance(generation, last_generation);
    const bool in_pieces = is_in_pieces(pace);
    const double piece = in_pieces ? lc_count_to_double(pace->every) : 1;
    const lc_count most = !in_pieces                                ? least(most_at_once, left)
                          : lc_count_compare(pace->every, left) < 0 ? pace->every
                                                                    : left;
    const double speed = lc_pace_generations(pace);
    if (speed == 0)
        return most;
    // Generations due since the pace began, less those done. A delay is not made up for.
    const double elapsed = (double)(now_ns - pace->begin_ns) * 1e-9;
    const double done = lc_count_to_double(lc_count_distance(pace->begin_generation, generation));
    const double due = elapsed * speed + piece - done;
    const double slack = speed * 0.1 + piece;
    if (due > slack) {
        pace->begin_ns = now_ns;
        pace->begin_generation = generation;
        return in_pieces ? most : least(slack, most);
    }
    if (due < piece) {
        const double wait_ns = (piece - due) / speed * 1e9;
        *wake_ns = now_ns + (wait_ns < 1e18 ? (uint64_t)wait_ns : (uint64_t)1e18) + 1;
        return lc_count_of(0);
    }
    return in_pieces ? most : least(due, most);
}

bool lc_pace_is_over(const lc_pace *pace, lc_count generation)
{
    return lc_count_compare(generation, pace->has_target ? pace->target : last_generation) >= 0;
}

void lc_pace_sample(lc_pace *pace, lc_count generation, uint64_t now_ns)
{
    const int last = (pace->sample_count + LC_RATE_SAMPLES - 1) % LC_RATE_SAMPLES;
    if (pace->sample_count > 0 && now_ns - pace->samples[last].ns < second_ns / 8)
        return;
    const int next = pace->sample_count++ % LC_RATE_SAMPLES;
    pace->samples[next].ns = now_ns;
    pace->samples[next].generation = generation;
}

double lc_pace_rate(const lc_pace *pace)
{
    const int taken = pace->sample_count < LC_RATE_SAMPLES ? pace->sample_count : LC_RATE_SAMPLES;
    if (!pace->running || taken < 2)
        return 0;
    const int last = (pace->sample_count - 1) % LC_RATE_SAMPLES;
    const int first = (pace->sample_count - taken) % LC_RATE_SAMPLES;
    const double done = lc_count_to_double(
        lc_count_distance(pace->samples[first].generation, pace->samples[last].generation));
    return done * 1e9 / (double)(pace->samples[last].ns - pace->samples[first].ns);
}

void lc_pace_begin_pass(lc_pace *pace, lc_count generation, lc_count end, uint64_t now_ns)
{
    pace->passes.begin_ns = now_ns;
    pace->passes.begin = generation;
    pace->passes.end = end;
}

void lc_pace_passed(lc_pace *pace, lc_count generation, uint64_t now_ns)
{
    lc_pass_times *p = &pace->passes;
    if (!lc_count_to_u64(lc_count_distance(p->begin, generation), &p->generations))
        p->generations = UINT64_MAX;
    p->took_ns = now_ns - p->begin_ns;
    lc_pace_begin_pass(pace, generation, p->end, now_ns);
}

void lc_pace_end_passes(lc_pace *pace)
{
    pace->passes.begin_ns = 0;
}

uint64_t lc_pace_ahead(const lc_pace *pace, uint64_t now_ns)
{
    const lc_pass_times *p = &pace->passes;
    uint64_t left;
    if (is_in_pieces(pace))
        return 0; // generations within a piece are not shown
    if (p->begin_ns == 0 || p->took_ns < long_pass_ns || p->generations > most_even)
        return 0;
    if (!lc_count_to_u64(lc_count_distance(p->begin, p->end), &left) || left > p->generations)
        left = p->generations;
    const double made = (double)(now_ns - p->begin_ns) / (double)p->took_ns;
    const uint64_t ahead = (uint64_t)(made * (double)p->generations);
    return left == 0 ? 0 : ahead < left ? ahead : left - 1;
}
