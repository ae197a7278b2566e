// The model behind a plan: the cycles that a generation takes by strips and by tiles.
//
// Both kernels are bound by the integer pipe. On each of a multiprocessor's four partitions it
// takes a warp's instruction every other cycle. So a row of a lane's K words costs 2 * (K * gates +
// 2) cycles per generation, times the warps that share a partition. The constants are those of an
// H200 (docs/gpu.md). On another GPU all are off by about the same factor.
#include "engine/cuda/cuda_plan.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "engine/cuda/cuda_in_place.h"
#include "kernels/board_layout.h"

enum {
    LANES = 32,
    PARTITIONS = 4, // of a multiprocessor
    GATES = 8,      // per word: the row sums and B3/S23
    STRIP_GENERATIONS = 8,
    STRIP_WARPS = 8,      // as many as 255 registers allow
    STRIP_START_ROWS = 6, // time until the first rows arrive, in rows
    TILE_WARPS = 8,
    TILE_DEPTH = 16,
    TILE_STEP_CYCLES = 150,  // a barrier
    TILE_PASS_CYCLES = 6000, // write, wait for all blocks, load
    LAUNCH_CYCLES = 4000,
    REST_WORDS = 48,  // of a lane, in a tile for the remaining generations
    BAND_COUNTS = 32, // numbers of bands that are compared
};

bool lc_cuda_plan_drifts(const lc_frame *frame, int words)
{
    const bool joined =
        frame->is_slab ? frame->left == LC_EDGE_JOINED : lc_frame_is_all(frame, LC_EDGE_JOINED);
    return joined && frame->width_cells % (LANES * words) == 0;
}

bool lc_cuda_plan_fences(const lc_frame *frame)
{
    return frame->is_slab ? frame->left == LC_EDGE_WALL : lc_frame_is_all(frame, LC_EDGE_WALL);
}

int lc_cuda_plan_halo_lanes(const lc_frame *frame, int words)
{
    return lc_cuda_plan_drifts(frame, words) ? 1 : 2;
}

// Returns the segments of a row, without its halo.
static int64_t segments_of(const lc_frame *frame, int words)
{
    return lc_divided_up(frame->width_cells, LANES * words);
}

uint32_t lc_cuda_plan_run_rows(const lc_frame *frame, uint32_t runs)
{
    const int64_t rows = (frame->height_cells + runs - 1) / runs;
    return (uint32_t)((rows + LC_CUDA_TURN_ROWS - 1) / LC_CUDA_TURN_ROWS) * LC_CUDA_TURN_ROWS;
}

// Returns the warps that `runs` runs take.
static double warps_for(const lc_frame *frame, int words, double runs)
{
    const int halo = lc_cuda_plan_halo_lanes(frame, words);
    return runs * (double)(segments_of(frame, words) + halo) / (LANES - halo);
}

// Returns the runs that fit in `waves` waves.
static uint32_t runs_that_fit(const lc_frame *frame, int words, int waves, int64_t warps)
{
    const double fit = waves * (double)warps / warps_for(frame, words, 1);
    return fit < 1 ? 1 : (uint32_t)fit;
}

uint32_t lc_cuda_plan_whole_runs(const lc_frame *frame, uint32_t runs)
{
    while (lc_cuda_plan_run_rows(frame, runs) > frame->height_cells)
        runs++;
    const uint32_t rows = lc_cuda_plan_run_rows(frame, runs);
    return (uint32_t)((frame->height_cells + rows - 1) / rows);
}

uint32_t lc_cuda_plan_runs_of_waves(const lc_frame *frame, int words, int waves, int64_t warps)
{
    return lc_cuda_plan_whole_runs(frame, runs_that_fit(frame, words, waves, warps));
}

uint32_t lc_cuda_plan_runs(const lc_frame *frame, int words, int generations, int64_t warps)
{
    // Each wave costs a prologue. With few waves the runs are coarse, and some warps stay idle.
    const double lost_rows = (double)(generations + STRIP_START_ROWS);
    double best_rows = 0;
    uint32_t best = 1;
    for (int waves = 1; waves <= 16; waves++) {
        const uint32_t runs = runs_that_fit(frame, words, waves, warps);
        const double turns = warps_for(frame, words, runs) / (double)warps;
        const double whole = turns > waves ? turns : waves; // a board wider than the GPU
        const double rows = whole * (lc_cuda_plan_run_rows(frame, runs) + lost_rows);
        if (waves == 1 || rows < best_rows) {
            best_rows = rows;
            best = runs;
        }
    }
    return lc_cuda_plan_whole_runs(frame, best);
}

static double row_cycles(int words)
{
    return 2.0 * (words * GATES + 2);
}

// Returns the cycles of a generation of the whole board.
static double strip_cycles(const lc_device_facts *facts, const lc_frame *frame,
                           const lc_cuda_plan *plan)
{
    const int64_t warps = (int64_t)facts->multiprocessors * STRIP_WARPS;
    const uint32_t runs = lc_cuda_plan_runs(frame, plan->words, plan->generations, warps);
    const double waves = warps_for(frame, plan->words, runs) / (double)warps;
    const int64_t rows =
        (int64_t)lc_cuda_plan_run_rows(frame, runs) + plan->generations + STRIP_START_ROWS;
    return (waves < 1 ? 1 : waves) * (double)rows * row_cycles(plan->words) *
               ((double)STRIP_WARPS / (double)PARTITIONS) +
           (double)LAUNCH_CYCLES / plan->generations;
}

static double tile_cycles(const lc_frame *frame, const lc_cuda_plan *plan)
{
    const double pass =
        TILE_PASS_CYCLES +
        (lc_cuda_plan_drifts(frame, plan->words) || lc_cuda_plan_fences(frame) ? 0 : LAUNCH_CYCLES);
    return plan->tile_rows * row_cycles(plan->words) * plan->tile_warps / (double)PARTITIONS +
           (double)TILE_STEP_CYCLES + pass / plan->depth;
}

// Returns the blocks of the tile kernel.
static double tile_blocks(const lc_frame *frame, const lc_cuda_plan *plan)
{
    const int own = plan->tile_warps * plan->tile_rows - 2 * plan->depth;
    const int64_t runs = (frame->height_cells + own - 1) / own;
    return warps_for(frame, plan->words, (double)runs);
}

bool lc_cuda_plan_of_tiles(lc_cuda_plan *plan, const lc_device_facts *facts, const lc_frame *frame,
                           int warps, int depth)
{
    *plan =
        (lc_cuda_plan){.words = 1, .strip_warps = STRIP_WARPS, .tile_warps = warps, .depth = depth};
    const int halo = 2 * depth / warps + 1; // rows of a warp: with fewer a tile is all halo
    for (plan->tile_rows = halo > 5 ? halo : 5; plan->tile_rows <= LC_CUDA_TILE_ROWS_MAX;
         plan->tile_rows++)
        if (tile_blocks(frame, plan) <= facts->multiprocessors)
            return true;
    plan->tile_rows = LC_CUDA_TILE_ROWS_MAX;
    return false;
}

lc_cuda_plan lc_cuda_plan_of_strips(int words, int generations)
{
    return (lc_cuda_plan){.words = words,
                          .generations = generations,
                          .strip_warps = STRIP_WARPS,
                          .tile_warps = TILE_WARPS,
                          .tile_rows = REST_WORDS / words,
                          .depth = generations};
}

// Rounds to one of a few numbers of rows, so that a growing universe seldom compiles another
// kernel.
static int round_rows(int tile_rows)
{
    static const int rows[] = {6, 9, 12, 16, 21, 28, 38, 50, LC_CUDA_TILE_ROWS_MAX};
    size_t i = 0;
    while (rows[i] < tile_rows)
        i++;
    return rows[i];
}

lc_cuda_plan lc_cuda_plan_guess(const lc_device_facts *facts, const lc_frame *frame)
{
    lc_cuda_plan tiles;
    const bool resident = lc_cuda_plan_of_tiles(&tiles, facts, frame, TILE_WARPS, TILE_DEPTH);
    tiles.tile_rows = round_rows(tiles.tile_rows);
    // A torus that drifts saves the kernel a shift and a lane of halo, which is worth smaller
    // segments.
    int words = 4;
    while (words > 1 && lc_cuda_plan_drifts(frame, 1) && !lc_cuda_plan_drifts(frame, words))
        words /= 2;
    const lc_cuda_plan strips = lc_cuda_plan_of_strips(words, STRIP_GENERATIONS);
    if (lc_cuda_plan_check(&strips, frame, NULL) != LC_OK ||
        (resident && tile_cycles(frame, &tiles) < strip_cycles(facts, frame, &strips)))
        return tiles;
    return strips;
}

// Returns the cycles that a pass over `count` bands takes. The highest of them has that frame.
static double band_cycles(const lc_device_facts *facts, const lc_frame *band,
                          const lc_cuda_plan *plan, int64_t count)
{
    const int64_t warps = (int64_t)facts->multiprocessors * STRIP_WARPS;
    const uint32_t runs = plan->runs > 0
                              ? lc_cuda_plan_whole_runs(band, plan->runs)
                              : lc_cuda_plan_runs(band, plan->words, plan->generations, warps);
    const int64_t waves = (int64_t)(warps_for(band, plan->words, runs) / (double)warps) + 1;
    const int64_t rows =
        (int64_t)lc_cuda_plan_run_rows(band, runs) + plan->generations + STRIP_START_ROWS;
    const double row = plan->generations * row_cycles(plan->words) * STRIP_WARPS / PARTITIONS;
    return (double)count * ((double)(waves * rows) * row + LAUNCH_CYCLES);
}

int lc_cuda_plan_bands(const lc_cuda_plan *plan, const lc_device_facts *facts,
                       const lc_frame *frame, int64_t most_rows)
{
    const lc_cuda_bands fewest = lc_cuda_bands_of(frame->height_cells, most_rows);
    double least_cycles = 0;
    int64_t best_rows = 0;
    for (int64_t count = fewest.count; count < fewest.count + BAND_COUNTS; count++) {
        lc_frame band = *frame;
        band.height_cells = (frame->height_cells - 1) / count + 1;
        if (best_rows > 0 && (plan->generations == 0 || band.height_cells < LC_CUDA_TURN_ROWS))
            break;
        const double cycles = plan->generations == 0 ? 0 : band_cycles(facts, &band, plan, count);
        if (best_rows == 0 || cycles < least_cycles) {
            least_cycles = cycles;
            best_rows = band.height_cells;
        }
    }
    return (int)best_rows;
}

lc_status lc_cuda_plan_check(const lc_cuda_plan *plan, const lc_frame *frame, lc_message *message)
{
    const bool words = plan->words == 1 || plan->words == 2 || plan->words == 4;
    if (!words)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a plan has 1, 2 or 4 words, not %d",
                       plan->words);
    // Kernels count rows, and the bytes of a row, in 32 bits.
    if (frame->height_cells > INT32_MAX - 4 * LC_HALO_ROWS ||
        segments_of(frame, plan->words) + 2 > (INT64_C(1) << 30) / plan->words)
        return lc_fail(message, LC_ERROR_LIMIT, "a board of %lld x %lld cells is too %s for a GPU",
                       (long long)frame->width_cells, (long long)frame->height_cells,
                       frame->height_cells > frame->width_cells ? "high" : "wide");
    const bool drifts = lc_cuda_plan_drifts(frame, plan->words);
    const int columns = LANES * plan->words / (drifts ? 2 : 1); // of halo in a lane
    const int depth_most = columns < LC_HALO_ROWS ? columns : LC_HALO_ROWS;
    if (plan->tile_warps < 1 || plan->tile_warps > 32 || plan->tile_rows < 3 ||
        plan->tile_rows * plan->words > 4 * LC_CUDA_TILE_ROWS_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a plan's tiles cannot have %d warps of %d rows",
                       plan->tile_warps, plan->tile_rows);
    if (plan->depth < 1 || plan->depth > depth_most ||
        2 * plan->depth >= plan->tile_warps * plan->tile_rows)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a plan's tiles cannot be %d generations deep",
                       plan->depth);
    if (plan->generations == 0)
        return LC_OK;
    if (plan->generations < 1 || plan->generations > LC_CUDA_GENERATIONS_MAX ||
        plan->generations > depth_most)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a plan's strips cannot make %d generations",
                       plan->generations);
    if (plan->strip_warps < 1 || plan->strip_warps > LC_CUDA_STRIP_WARPS_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a plan's blocks cannot have %d warps",
                       plan->strip_warps);
    // A band may have fewer rows than that. It then has fewer runs too.
    const uint32_t runs = plan->band_rows > 0 ? 0 : plan->runs;
    const int64_t rows = runs > 0 ? lc_cuda_plan_run_rows(frame, runs) : 0;
    if (rows > frame->height_cells || runs > frame->height_cells ||
        frame->height_cells < plan->generations + LC_CUDA_STRIP_ROWS_AHEAD)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a plan cannot cut %lld rows into %u runs for strips",
                       (long long)frame->height_cells, plan->runs);
    return LC_OK;
}

// Texts ----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
    {"words", offsetof(lc_cuda_plan, words)},
    {"generations", offsetof(lc_cuda_plan, generations)},
    {"strip-warps", offsetof(lc_cuda_plan, strip_warps)},
    {"runs", offsetof(lc_cuda_plan, runs)},
    {"tile-warps", offsetof(lc_cuda_plan, tile_warps)},
    {"tile-rows", offsetof(lc_cuda_plan, tile_rows)},
    {"depth", offsetof(lc_cuda_plan, depth)},
    {"band-rows", offsetof(lc_cuda_plan, band_rows)},
};

static lc_status refuse_setting(const char *settings, lc_message *message)
{
    char accepted[256] = "device=N, settled=auto|yes|no, in-place=auto|yes|no";
    size_t used = strlen(accepted);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        used += (size_t)snprintf(accepted + used, sizeof accepted - used, ", %s=N", fields[i].name);
    return lc_fail_setting(message, settings, accepted, "engine \"cuda\"");
}

lc_status lc_cuda_plan_parse(lc_cuda_plan *plan, const char *text, lc_message *message)
{
    lc_cuda_plan parsed = *plan;
    for (const char *at = text; *at != '\0';) {
        const size_t name = strcspn(at, "=,");
        size_t i = 0;
        while (i < sizeof fields / sizeof *fields &&
               (strlen(fields[i].name) != name || memcmp(at, fields[i].name, name) != 0))
            i++;
        char *end = NULL;
        const long value = at[name] == '=' ? strtol(at + name + 1, &end, 10) : -1;
        if (i == sizeof fields / sizeof *fields || end == at + name + 1 || value < 0 ||
            value > INT32_MAX || (*end != ',' && *end != '\0'))
            return refuse_setting(at, message);
        const int number = (int)value;
        memcpy((char *)&parsed + fields[i].offset, &number, sizeof number);
        at = *end == ',' ? end + 1 : end;
    }
    *plan = parsed;
    return LC_OK;
}

static void format(const lc_cuda_plan *plan, bool common, char text[LC_CUDA_PLAN_TEXT_BYTES])
{
    const size_t room = LC_CUDA_PLAN_TEXT_BYTES;
    size_t length =
        (size_t)snprintf(text, room, "words=%d,generations=%d,", plan->words, plan->generations);
    if (plan->generations > 0)
        length +=
            (size_t)snprintf(text + length, room - length, "strip-warps=%d,", plan->strip_warps);
    if (plan->generations > 0 && !common)
        length += (size_t)snprintf(text + length, room - length, "runs=%u,", plan->runs);
    length += (size_t)snprintf(text + length, room - length, "tile-warps=%d,tile-rows=%d,depth=%d",
                               plan->tile_warps, plan->tile_rows, plan->depth);
    if (plan->band_rows > 0 && !common)
        (void)snprintf(text + length, room - length, ",band-rows=%d", plan->band_rows);
}

void lc_cuda_plan_format(const lc_cuda_plan *plan, char text[LC_CUDA_PLAN_TEXT_BYTES])
{
    format(plan, false, text);
}

void lc_cuda_plan_format_common(const lc_cuda_plan *plan, char text[LC_CUDA_PLAN_TEXT_BYTES])
{
    format(plan, true, text);
}
