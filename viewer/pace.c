// How fast the universe is to run, and how far; and how fast it does.
#include "pace.h"

static const uint64_t second_ns = 1000000000;

void lc_pace_create(lc_pace *pace, bool running, uint64_t generation, uint64_t now_ns)
{
    *pace = (lc_pace){.running = running};
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_restart(lc_pace *pace, uint64_t generation, uint64_t now_ns)
{
    pace->begin_ns = now_ns;
    pace->begin_generation = generation;
    pace->sample_count = 0;
}

void lc_pace_run(lc_pace *pace, uint64_t generation, uint64_t now_ns)
{
    pace->running = true;
    pace->has_target = false;
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_run_to(lc_pace *pace, uint64_t target, uint64_t generation, uint64_t now_ns)
{
    pace->running = pace->has_target = true;
    pace->target = target;
    lc_pace_restart(pace, generation, now_ns);
}

void lc_pace_pause(lc_pace *pace)
{
    pace->running = pace->has_target = false;
}

void lc_pace_set_speed(lc_pace *pace, double speed, uint64_t generation, uint64_t now_ns)
{
    pace->speed = speed;
    lc_pace_restart(pace, generation, now_ns);
}

uint64_t lc_pace_allow(lc_pace *pace, uint64_t generation, uint64_t now_ns, uint64_t *wake_ns)
{
    uint64_t most = UINT64_MAX - generation;
    *wake_ns = UINT64_MAX;
    if (pace->has_target)
        most = pace->target - generation;
    else if (most > 1 << 20)
        most = 1 << 20; // an empty universe does that many in no time
    if (pace->speed == 0 || pace->has_target)
        return most;
    // What should have been done since the pace began; a delay is not made up for.
    const double elapsed = (double)(now_ns - pace->begin_ns) * 1e-9;
    const double due = elapsed * pace->speed + 1 - (double)(generation - pace->begin_generation);
    const double slack = pace->speed * 0.1 + 1;
    if (due > slack) {
        pace->begin_ns = now_ns;
        pace->begin_generation = generation;
        return (uint64_t)slack < most ? (uint64_t)slack : most;
    }
    if (due < 1) {
        *wake_ns = now_ns + (uint64_t)((1 - due) / pace->speed * 1e9) + 1;
        return 0;
    }
    return (uint64_t)due < most ? (uint64_t)due : most;
}

bool lc_pace_is_over(const lc_pace *pace, uint64_t generation)
{
    return pace->has_target ? generation >= pace->target : generation == UINT64_MAX;
}

void lc_pace_sample(lc_pace *pace, uint64_t generation, uint64_t now_ns)
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
    return (double)(pace->samples[last].generation - pace->samples[first].generation) * 1e9 /
           (double)(pace->samples[last].ns - pace->samples[first].ns);
}
