// Estimates the time and memory of a run in an unbounded universe.
#include "forecast.h"

#include <string.h>

#include "message.h"
#include "number.h"

static const uint64_t small_bytes = UINT64_C(64) << 20; // no estimate for smaller blocks
static const uint64_t large_bytes = UINT64_C(4) << 30;
static const double long_seconds = 10;

// Measured speed of the first access to new memory.
static const double touched_bytes_per_second = 1e9;

// Estimates the speed in cells per second. On large boards, engines reach about half of the speed
// that the CPU's rate of logic operations allows. Returns 0 if the speed is unknown.
static double guess_rate(const lc_universe *universe)
{
    enum { MEASURING_MS = 10 };
    const lc_universe_info info = lc_universe_info_of(universe);
    lc_cpu_level_info level;
    double operations;
    for (size_t i = 0; lc_cpu_level_at(i, &level); i++)
        if (strcmp(level.name, info.cpu_level) == 0 && level.gates_per_word > 0 &&
            lc_cpu_gate_rate(level.name, info.threads, MEASURING_MS, &operations) == LC_OK)
            return operations / level.gates_per_word * level.vector_bits / 2;
    return 0;
}

bool lc_cli_forecast_say(lc_cli_forecast *forecast, const lc_universe *universe,
                         lc_count generations)
{
    const lc_topology *topology = lc_universe_topology(universe);
    const lc_universe_info info = lc_universe_info_of(universe);
    const uint64_t bytes = info.memory_bytes;
    const bool unbounded = topology->width_cells == 0 || topology->height_cells == 0;
    // The time of the engines "sparse" and "hashlife" cannot be predicted from their memory.
    if (strcmp(info.engine, "sparse") == 0 || strcmp(info.engine, "hashlife") == 0)
        forecast->said = true;
    if (forecast->said || !unbounded || lc_count_compare(generations, lc_count_of(0)) == 0 ||
        bytes < small_bytes)
        return false;
    const bool asks = forecast->cells_per_second == 0;
    if (asks)
        forecast->cells_per_second = guess_rate(universe);
    if (forecast->cells_per_second == 0) { // the engine uses a GPU, whose speed is unknown
        forecast->said = true;
        return true;
    }
    // The engine's memory holds two boards at one bit per cell.
    const double seconds =
        (double)bytes * 4 * lc_count_to_double(generations) / forecast->cells_per_second +
        (double)bytes / touched_bytes_per_second;
    if (bytes < large_bytes && seconds < long_seconds)
        return asks;
    forecast->said = true;
    char width[LC_CLI_NUMBER_BYTES];
    char height[LC_CLI_NUMBER_BYTES];
    char cells[LC_CLI_NUMBER_BYTES];
    char alive[LC_CLI_NUMBER_BYTES];
    char memory[LC_CLI_NUMBER_BYTES];
    char time[LC_CLI_NUMBER_BYTES];
    lc_facts facts;
    if (lc_universe_facts(universe, LC_FACT_POPULATION | LC_FACT_BOX, &facts, NULL) != LC_OK)
        return asks; // the run will report the error
    const lc_box box = facts.box;
    lc_cli_error("note: this run may be slow: this engine computes the whole bounding box of %s x "
                 "%s, %s cells "
                 "with %s alive. It needs %s of memory and, by a rough estimate, %s. Run distant "
                 "patterns one by one, bound the universe with --size WxH, or limit memory with "
                 "--max-memory "
                 "SIZE; Ctrl-C stops and saves",
                 lc_cli_format_i64(box.width_cells, width),
                 lc_cli_format_i64(box.height_cells, height),
                 lc_cli_format_rate((double)box.width_cells * (double)box.height_cells, cells),
                 lc_cli_format_count(facts.population, alive), lc_cli_format_bytes(bytes, memory),
                 lc_cli_format_seconds(seconds, time));
    return true;
}
