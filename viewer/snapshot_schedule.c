// Decides when the history gets a snapshot, and takes it.
#include "snapshot_schedule.h"

#include "lightcone/machine.h"
#include "now.h"

// Limits of universes that get snapshots, in memory or, with HashLife, in nodes. The largest
// snapshot takes a good part of a second.
static const uint64_t most_bytes = (uint64_t)768 << 20, most_squares = (uint64_t)1 << 22;
// Memory of the largest universe whose snapshot takes next to no time.
static const uint64_t quick_bytes = (uint64_t)16 << 20;
static const uint64_t interval_ns = 4000000; // shortest time between two
// Upper limit for the memory of all snapshots, which is an eighth of a universe's memory limit.
static const uint64_t history_most_bytes = (uint64_t)1 << 30;

size_t lc_snapshot_limit_bytes(const lc_universe_options *creation)
{
    lc_machine machine;
    lc_machine_get(&machine);
    uint64_t most = creation->max_memory_bytes;
    if (most == 0 || (machine.memory_bytes != 0 && most > machine.memory_bytes / 2))
        most = machine.memory_bytes != 0 ? machine.memory_bytes / 2 : history_most_bytes;
    return (size_t)(most / 8 < history_most_bytes ? most / 8 : history_most_bytes);
}

bool lc_snapshot_is_free(const lc_universe *universe)
{
    return lc_universe_info_of(universe).memory_bytes <= quick_bytes;
}

// Returns whether to store the snapshot without compression, which takes most of the time: the
// board is large, and the memory can hold several such boards.
static bool is_kept_plain(const lc_universe *universe, size_t limit_bytes)
{
    const lc_topology *shape = lc_universe_topology(universe);
    const double bytes = (double)shape->width_cells * (double)shape->height_cells / 8;
    return bytes > 0 && !lc_snapshot_is_free(universe) &&
           bytes <= (double)lc_universe_info_of(universe).memory_bytes &&
           8 * bytes <= (double)limit_bytes;
}

// Returns the earliest time of the next snapshot after one at `kept_ns`.
static uint64_t next_ns(const lc_snapshot_schedule *schedule, uint64_t kept_ns, uint64_t share)
{
    const uint64_t wait_ns = schedule->cost_ns * (share - 1);
    return kept_ns + (wait_ns > interval_ns ? wait_ns : interval_ns);
}

bool lc_snapshot_take(lc_snapshot_schedule *schedule, lc_history *history,
                      const lc_universe *universe, uint64_t era, lc_count around, uint64_t share)
{
    const lc_count generation = lc_universe_generation(universe);
    const lc_universe_info info = lc_universe_info_of(universe);
    const bool is_too_large =
        info.nodes > 0 ? info.nodes > most_squares : info.memory_bytes > most_bytes;
    if (is_too_large)
        return false;
    if (lc_history_has(history, era, generation))
        return true;
    void *bytes;
    size_t size_bytes;
    const uint64_t begin_ns = lc_view_now_ns();
    const size_t limit_bytes = history->limit_bytes / 2;
    lc_status status =
        is_kept_plain(universe, history->limit_bytes)
            ? lc_universe_checkpoint_plain(universe, limit_bytes, &bytes, &size_bytes, NULL)
            : lc_universe_checkpoint_memory(universe, limit_bytes, &bytes, &size_bytes, NULL);
    const uint64_t end_ns = lc_view_now_ns();
    // The cheaper of the last two: now and then another program has the processors for ten times as
    // long.
    const uint64_t took_ns = end_ns - begin_ns;
    const bool is_first = schedule->took_ns == 0;
    schedule->cost_ns = is_first || took_ns < schedule->took_ns ? took_ns : schedule->took_ns;
    schedule->took_ns = took_ns;
    schedule->next_ns = next_ns(schedule, end_ns, share);
    if (status == LC_OK)
        lc_history_keep(history, era, generation, bytes, size_bytes, around);
    return status != LC_ERROR_LIMIT;
}

void lc_snapshot_schedule_travel(lc_snapshot_schedule *schedule)
{
    const uint64_t due_ns = next_ns(schedule, lc_view_now_ns(), LC_SNAPSHOT_SHARE_TRAVELS);
    if (due_ns < schedule->next_ns)
        schedule->next_ns = due_ns;
}

uint64_t lc_snapshot_wait_ns(const lc_snapshot_schedule *schedule)
{
    const uint64_t now_ns = lc_view_now_ns();
    return now_ns < schedule->next_ns ? schedule->next_ns - now_ns : 0;
}
