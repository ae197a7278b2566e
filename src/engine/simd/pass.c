// A pass: a whole grid forward by several generations, main memory read once and written once.
//
// The grid is cut into strips of columns, each read with a halo as wide as the number of
// generations, and strips into runs of rows, each a task of its own. Down a run goes a wave of
// bands: the band that was just read goes through all generations before the next one is read.
// Each generation's rows come out one higher, so that what a band needs from above is just the last
// two rows of the band before, at each generation:
//
//      row   generation 0   1     2     3
//            ...
//       8    | band 1 |          .
//       9    |________|____     .         rows y of generation g are made from rows y - 1 .. y + 1
//      10    | band 2 |    |___           of g - 1: the slanted edge is one side of a light cone
//      11    |        |    |   |___
//      12    |________|____|   |   |
//      13    | band 3 |    |___|   |
//
// Two bands (generation g in one, g + 1 in the other, in turn) stay in the first-level cache, and
// the pairs of rows between the bands, one for each generation, in the second. At the upper end of
// a run a wave's generations begin one after the other, inside the light cone of the rows to be
// written; the work that is done twice is one triangle for each run.
#include <string.h>

#include "base/cpu.h"
#include "base/memory.h"
#include "engine/simd/simd.h"

typedef struct {
    uint8_t *band[2];
    uint8_t *saved; // [generation][K][2] vectors
    uint8_t *row;   // one row of cells
} scratch_parts;

static size_t vector_bytes(const lc_simd_level *level)
{
    return (size_t)level->vector_bits / 8;
}

static size_t row_bytes(const lc_simd_level *level)
{
    return (size_t)level->vectors_max * vector_bytes(level) + LC_COMB_SLACK_BYTES;
}

size_t lc_pass_scratch_bytes(const lc_simd_level *level)
{
    size_t vectors = (size_t)level->vectors_max;
    return vectors * vector_bytes(level) * (2 * LC_BAND_ROWS + 2 * LC_PASS_MAX) +
           LC_BAND_ROWS * row_bytes(level) + LC_VECTOR_BYTES_MAX;
}

static scratch_parts divide_scratch(const lc_simd_level *level, void *scratch)
{
    size_t column = (size_t)level->vectors_max * vector_bytes(level);
    scratch_parts parts;
    parts.band[0] = scratch;
    parts.band[1] = parts.band[0] + column * LC_BAND_ROWS;
    parts.saved = parts.band[1] + column * LC_BAND_ROWS;
    parts.row = parts.saved + column * 2 * LC_PASS_MAX;
    return parts;
}

static int64_t round_up(int64_t value, int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

// The halo that a strip is read with: whole bytes, so that its inside starts on one.
static int64_t halo_cells(const lc_pass_plan *plan)
{
    return plan->closed ? 0 : round_up(plan->generations, 8);
}

static double estimate(const lc_pass_plan *plan, const lc_simd_level *level, int64_t height_cells)
{
    double generations = plan->generations, rows = (double)height_cells;
    double above = (double)plan->runs * generations;
    double work = plan->vectors * (double)level->gates_per_word * generations * (rows + above);
    // The first and last vector of a row are shifted; rows are combed and uncombed.
    double edges = 6 * generations * (rows + above);
    double ends = level->comb_gates * (rows + above);
    size_t bands = (size_t)(2 * LC_BAND_ROWS * plan->vectors) * vector_bytes(level);
    // Bands that leave the first-level cache cost about a third more.
    double cache = bands <= lc_cpu_l1_bytes() * 7 / 8 ? 1 : 1.35;
    return (double)plan->strips * (work * cache + edges + ends) / generations;
}

// Divides the rows, and takes the plan if it is the cheapest so far.
static void offer(lc_pass_plan *best, lc_pass_plan p, const lc_simd_level *level,
                  int64_t height_cells, int threads)
{
    // Runs: enough tasks to share evenly, as few as that allows, since each costs a triangle.
    int64_t most = threads > 32 ? 2 * (int64_t)threads : 64;
    for (int64_t runs = 1; runs <= most; runs++) {
        p.run_rows = round_up(divide_up(height_cells, runs), LC_BAND_ROWS);
        p.runs = divide_up(height_cells, p.run_rows);
        int64_t tasks = p.runs * p.strips, rounds = divide_up(tasks, threads);
        p.cost = estimate(&p, level, height_cells) * (double)(rounds * threads) / (double)tasks;
        if (best->cost == 0 || p.cost < best->cost)
            *best = p;
        if (p.run_rows == LC_BAND_ROWS)
            break;
    }
}

void lc_pass_choose(lc_pass_plan *plan, const lc_simd_level *level, int64_t width_cells,
                    int64_t height_cells, bool closes, int generations, int threads)
{
    *plan = (lc_pass_plan){0};
    for (int vectors = 1; vectors <= level->vectors_max; vectors++) {
        lc_pass_plan p = {.generations = generations, .vectors = vectors};
        int64_t strip = (int64_t)vectors * level->vector_bits;
        if (closes && strip == width_cells) {
            p.closed = true;
            p.strips = 1;
            p.keep_cells = width_cells;
            offer(plan, p, level, height_cells, threads);
            p.closed = false;
        }
        int64_t keep = strip - halo_cells(&p) - generations;
        if (keep >= width_cells)
            keep = round_up(width_cells, 64);
        else if (keep < 64)
            continue;
        p.strips = divide_up(width_cells, keep / 64 * 64);
        // Strips of equal width leave room for fewer vectors; a smaller number then wins.
        p.keep_cells = round_up(divide_up(width_cells, p.strips), 64);
        offer(plan, p, level, height_cells, threads);
        if (p.strips == 1)
            break; // more vectors would only be more work
    }
}

// Reads rows y .. y + count - 1 of the strip at column x into the band. Vectors read further than a
// row's cells: near the end of the grid's memory that goes through a copy.
static void read_band(const lc_pass *pass, const scratch_parts *parts, int64_t x, int64_t y,
                      int count)
{
    const lc_grid *from = pass->from;
    int vectors = pass->plan->vectors;
    size_t pitch = from->pitch_words * sizeof(uint64_t);
    size_t need = (size_t)vectors * vector_bytes(pass->level) + LC_COMB_SLACK_BYTES;
    const uint8_t *end = (const uint8_t *)from->words + from->size_bytes;
    const uint8_t *cells = (const uint8_t *)lc_grid_row(from, y) + x / 8;
    if (cells + pitch * (size_t)(count - 1) + need <= end) {
        pass->level->comb(parts->band[0], 0, count, vectors, cells, pitch);
        return;
    }
    for (int row = 0; row < count; row++, cells += pitch) {
        size_t left = (size_t)(end - cells), bytes = left < need ? left : need;
        memcpy(parts->row, cells, bytes);
        memset(parts->row + bytes, 0, need - bytes);
        pass->level->comb(parts->band[0], row, 1, vectors, parts->row, 0);
    }
}

// The next band's cells, asked for while this one is stepped: the hardware does not look beyond a
// page.
static void prefetch_band(const lc_pass *pass, int64_t x, int64_t y, int count)
{
    size_t bytes = (size_t)pass->plan->vectors * vector_bytes(pass->level);
    for (int row = 0; row < count; row++) {
        const char *cells = (const char *)lc_grid_row(pass->from, y + row) + x / 8;
        for (size_t i = 0; i < bytes; i += 64)
            __builtin_prefetch(cells + i);
    }
}

// Writes rows y .. y + count - 1 of the strip's inside from band rows first ...
static void write_band(const lc_pass *pass, const scratch_parts *parts, const uint8_t *band,
                       int first, int64_t keep_x, int64_t keep_cells, int64_t y, int count)
{
    size_t pitch = row_bytes(pass->level), bytes = (size_t)(keep_cells + 7) / 8;
    size_t skip = (size_t)halo_cells(pass->plan) / 8;
    pass->level->uncomb(parts->row, pitch, band, first, count, pass->plan->vectors);
    for (int row = 0; row < count; row++)
        memcpy((uint8_t *)lc_grid_row(pass->to, y + row) + keep_x / 8,
               parts->row + (size_t)row * pitch + skip, bytes);
}

// Kills one column of cells in a band, by its number in the strip.
static void fence_column(const lc_pass *pass, uint8_t *band, int64_t column)
{
    int vectors = pass->plan->vectors, bits = pass->level->vector_bits;
    if (column < 0 || column >= (int64_t)vectors * bits)
        return;
    size_t k = (size_t)(column % vectors), bit = (size_t)(column / vectors);
    uint8_t *cell = band + k * LC_BAND_ROWS * vector_bytes(pass->level) + bit / 8;
    uint8_t others = (uint8_t) ~(1u << bit % 8);
    for (int row = 0; row < LC_BAND_ROWS; row++, cell += vector_bytes(pass->level))
        *cell &= others;
}

static void fence_row(const lc_pass *pass, uint8_t *band, int64_t row)
{
    if (row < 0 || row >= LC_BAND_ROWS)
        return;
    size_t size = vector_bytes(pass->level);
    for (int k = 0; k < pass->plan->vectors; k++)
        memset(band + ((size_t)k * LC_BAND_ROWS + (size_t)row) * size, 0, size);
}

void lc_pass_task(void *context, size_t index, int worker)
{
    const lc_pass *pass = context;
    const lc_pass_plan *plan = pass->plan;
    scratch_parts parts = divide_scratch(pass->level, pass->scratch[worker]);
    int generations = plan->generations;
    int64_t width = pass->from->width_cells, height = pass->from->height_cells;
    int64_t keep_x = (int64_t)index % plan->strips * plan->keep_cells;
    int64_t keep_cells = width - keep_x < plan->keep_cells ? width - keep_x : plan->keep_cells;
    int64_t x = keep_x - halo_cells(plan);
    int64_t y0 = (int64_t)index / plan->strips * plan->run_rows;
    int64_t y1 = height - y0 < plan->run_rows ? height : y0 + plan->run_rows;
    size_t saved_bytes = (size_t)plan->vectors * 2 * vector_bytes(pass->level);

    int64_t end = y1 + generations; // of the rows to be read
    int64_t done = 0;               // rows through the pipe
    for (int64_t y = y0 - generations; y < end; y += LC_BAND_ROWS, done += LC_BAND_ROWS) {
        int count = end - y < LC_BAND_ROWS ? (int)(end - y) : LC_BAND_ROWS;
        read_band(pass, &parts, x, y, count);
        if (y + LC_BAND_ROWS < end)
            prefetch_band(pass, x, y + LC_BAND_ROWS,
                          end - y - LC_BAND_ROWS < LC_BAND_ROWS ? (int)(end - y - LC_BAND_ROWS)
                                                                : LC_BAND_ROWS);
        uint8_t *in = parts.band[0], *out = parts.band[1];
        for (int g = 0; g < generations; g++) {
            void *saved = parts.saved + (size_t)g * saved_bytes;
            // Above the light cone nothing counts: the first row of generation g + 1 that does is
            // y0 - generations + g + 1, and this band makes it up to row y + 14 - g.
            bool above = done + LC_BAND_ROWS < 2 * g + 3;
            lc_band band = {plan->vectors, plan->closed, in, saved, out, pass->any, pass->code};
            if (above) {
                for (int k = 0; k < plan->vectors; k++)
                    memcpy((uint8_t *)saved + (size_t)k * 2 * vector_bytes(pass->level),
                           in + ((size_t)k * LC_BAND_ROWS + LC_BAND_ROWS - 2) *
                                    vector_bytes(pass->level),
                           2 * vector_bytes(pass->level));
                break;
            }
            pass->step(&band);
            if (pass->fence_columns) {
                fence_column(pass, out, -1 - x);
                fence_column(pass, out, width - x);
            }
            if (pass->fence_rows) {
                fence_row(pass, out, -1 - (y - g - 1));
                fence_row(pass, out, height - (y - g - 1));
            }
            uint8_t *made = out;
            out = in, in = made;
        }
        // Row i of what came out is row y - generations + i of the grid.
        int64_t top = y - generations;
        int64_t from = top < y0 ? y0 - top : 0;
        int64_t to = y1 - top < LC_BAND_ROWS ? y1 - top : LC_BAND_ROWS;
        if (from < to)
            write_band(pass, &parts, in, (int)from, keep_x, keep_cells, top + from,
                       (int)(to - from));
    }
}
