// A pass: steps a whole grid by several generations, and reads and writes main memory once.
//
// The grid is divided into strips of columns, each read with a halo as wide as the number of
// generations. Strips are divided into runs of rows, and each run is a task. A wave of bands moves
// down a run: a band goes through all generations before the next band is read. Each generation's
// rows come out one row higher. So a band needs from above only the last two rows of the previous
// band, at each generation:
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
// Two bands (generation g in one, g + 1 in the other, in turn) stay in the first-level cache. The
// pairs of rows between the bands, one for each generation, stay in the second. At the upper end of
// a run the generations of a wave start one after the other, inside the light cone of the rows to
// write. The work done twice is one triangle for each run.
//
// Between two bands the state of a wave is only those pairs of rows, and a row of each other plane,
// in the worker's scratch memory. So a wave can pause there for any time. A long pass is
// interrupted this way, at the cost of reading the clock.
#include <string.h>

#include "base/clock.h"
#include "base/cpu_features.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/simd/simd.h"
#include "engine/simd/simd_tile_counts.h"

typedef struct {
    uint8_t *band[2];
    uint8_t *saved; // [generation][K][2] vectors
    uint8_t *row;   // rows of cells
    // For other planes:
    uint8_t *above;        // [K] vectors
    uint8_t *others;       // [K][planes][LC_BAND_ROWS] vectors
    uint8_t *saved_others; // [generation][K][planes] vectors
    uint8_t *killed;       // [K][LC_BAND_ROWS] vectors: cells beside those that kill
    uint8_t *saved_kills;  // [K][2] vectors: cells that kill
    uint8_t *saved_killed; // [generation][K] vectors
} scratch_parts;

static size_t vector_bytes(const lc_level *level)
{
    return (size_t)level->vector_bits / 8;
}

static size_t row_bytes(const lc_level *level)
{
    return (size_t)level->vectors_max * vector_bytes(level) + LC_COMB_SLACK_BYTES;
}

size_t lc_pass_scratch_bytes(const lc_level *level, int other_planes)
{
    const size_t column = (size_t)level->vectors_max * vector_bytes(level);
    const size_t of_others = (size_t)other_planes * (LC_BAND_ROWS + LC_PASS_MAX) + 1;
    const size_t of_kills = other_planes > 0 ? LC_BAND_ROWS + LC_PASS_MAX + 2 : 0;
    return column * (2 * LC_BAND_ROWS + 2 * LC_PASS_MAX + of_others + of_kills) +
           LC_BAND_ROWS * row_bytes(level) + LC_VECTOR_BYTES_MAX;
}

static scratch_parts divide_scratch(const lc_level *level, int other_planes, void *scratch)
{
    const size_t column = (size_t)level->vectors_max * vector_bytes(level);
    const size_t planes = (size_t)other_planes;
    scratch_parts parts;
    parts.band[0] = scratch;
    parts.band[1] = parts.band[0] + column * LC_BAND_ROWS;
    parts.saved = parts.band[1] + column * LC_BAND_ROWS;
    parts.above = parts.saved + column * 2 * LC_PASS_MAX;
    parts.others = parts.above + column;
    parts.saved_others = parts.others + column * planes * LC_BAND_ROWS;
    parts.killed = parts.saved_others + column * planes * LC_PASS_MAX;
    parts.saved_kills = parts.killed + (planes > 0 ? column * LC_BAND_ROWS : 0);
    parts.saved_killed = parts.saved_kills + (planes > 0 ? column * 2 : 0);
    parts.row = parts.saved_killed + (planes > 0 ? column * LC_PASS_MAX : 0);
    return parts;
}

// Returns the width of the halo with which a strip is read: whole bytes, so that the strip's inside
// starts on a byte.
static int64_t halo_cells(const lc_pass_plan *plan)
{
    return plan->closed ? 0 : lc_rounded_up(plan->generations, 8);
}

static double estimate(const lc_pass_plan *plan, const lc_level *level, int64_t height_cells)
{
    double generations = plan->generations, rows = (double)height_cells;
    double above = plan->ribbon ? 0 : (double)plan->runs * generations;
    const int planes = plan->other_planes;
    const double gates = level->gates_per_word + (planes > 0 ? 2 + 4 * planes : 0);
    double work = plan->vectors * gates * generations * (rows + above);
    // The first and last vector of a row are shifted; rows are combed and uncombed.
    double edges = 6 * generations * (rows + above);
    double ends = (1 + planes) * level->comb_gates * (rows + above);
    size_t bands = (size_t)((2 + planes) * LC_BAND_ROWS * plan->vectors) * vector_bytes(level);
    // Bands that leave the first-level cache cost about a third more.
    double cache = bands <= lc_cpu_l1_bytes() * 7 / 8 ? 1 : 1.35;
    return (double)plan->strips * (work * cache + edges + ends) / generations;
}

// Divides the rows, and keeps the plan if it is the cheapest so far.
static void offer(lc_pass_plan *best, lc_pass_plan p, const lc_level *level, int64_t height_cells,
                  int threads)
{
    // Tries numbers of runs: enough tasks to share evenly, but few, since each run costs a
    // triangle.
    int64_t most = threads > 32 ? 2 * (int64_t)threads : 64;
    for (int64_t runs = 1; runs <= most; runs++) {
        p.run_rows = lc_rounded_up(lc_divided_up(height_cells, runs), LC_BAND_ROWS);
        p.runs = lc_divided_up(height_cells, p.run_rows);
        int64_t tasks = p.runs * p.strips, rounds = lc_divided_up(tasks, threads);
        p.cost = estimate(&p, level, height_cells) * (double)(rounds * threads) / (double)tasks;
        if (best->cost == 0 || p.cost < best->cost)
            *best = p;
        if (p.run_rows == LC_BAND_ROWS)
            break;
    }
}

void lc_pass_choose(lc_pass_plan *plan, const lc_level *level, const lc_frame *frame, bool ribbon,
                    int other_planes, int generations, int threads)
{
    const int64_t width_cells = frame->width_cells, height_cells = frame->height_cells;
    const bool closes = frame->left == LC_EDGE_JOINED;
    *plan = (lc_pass_plan){0};
    for (int vectors = 1; vectors <= level->vectors_max; vectors++) {
        lc_pass_plan p = {.generations = generations,
                          .other_planes = other_planes,
                          .ribbon = ribbon,
                          .vectors = vectors};
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
            keep = lc_rounded_up(width_cells, 64);
        else if (keep < 64)
            continue;
        p.strips = lc_divided_up(width_cells, keep / 64 * 64);
        // Strips of equal width may need fewer vectors; a smaller number is then cheaper.
        p.keep_cells = lc_rounded_up(lc_divided_up(width_cells, p.strips), 64);
        offer(plan, p, level, height_cells, threads);
        if (p.strips == 1)
            break; // more vectors only add work
    }
}

static int rows_of_band(int64_t y, int64_t end)
{
    return end - y < LC_BAND_ROWS ? (int)(end - y) : LC_BAND_ROWS;
}

// Reads rows y .. y + count - 1 of the strip at column x of a grid into a band. Vectors read beyond
// a row's cells, so near the end of the grid's memory the rows are read through a copy.
static void read_grid(const lc_pass *pass, const scratch_parts *parts, const lc_grid *from,
                      int64_t x, int64_t y, int count, uint8_t *band)
{
    int vectors = pass->plan->vectors;
    size_t pitch = from->pitch_words * sizeof(uint64_t);
    size_t need = (size_t)vectors * vector_bytes(pass->level) + LC_COMB_SLACK_BYTES;
    const uint8_t *end = (const uint8_t *)from->words + from->size_bytes;
    const uint8_t *cells = (const uint8_t *)lc_grid_row(from, y) + x / 8;
    if (cells + pitch * (size_t)(count - 1) + need <= end) {
        pass->level->comb(band, 0, count, vectors, cells, pitch);
        return;
    }
    for (int row = 0; row < count; row++, cells += pitch) {
        size_t left = (size_t)(end - cells), bytes = left < need ? left : need;
        memcpy(parts->row, cells, bytes);
        memset(parts->row + bytes, 0, need - bytes);
        pass->level->comb(band, row, 1, vectors, parts->row, 0);
    }
}

// Moves plane p of the others to (from) a band of its own.
static void move_others(const lc_pass *pass, const scratch_parts *parts, int p, uint8_t *band,
                        bool to_band)
{
    const size_t bytes = LC_BAND_ROWS * vector_bytes(pass->level);
    for (int k = 0; k < pass->plan->vectors; k++) {
        uint8_t *own = parts->others + (size_t)(k * pass->others.count + p) * bytes;
        uint8_t *column = band + (size_t)k * bytes;
        memcpy(to_band ? column : own, to_band ? own : column, bytes);
    }
}

// Reads those rows of all planes: the live cells into the first band, and the others.
static void read_band(const lc_pass *pass, const scratch_parts *parts, int64_t x, int64_t y,
                      int count)
{
    for (int p = 0; p < pass->others.count; p++) {
        read_grid(pass, parts, &pass->from[1 + p], x, y, count, parts->band[1]);
        move_others(pass, parts, p, parts->band[1], false);
    }
    read_grid(pass, parts, pass->from, x, y, count, parts->band[0]);
}

// Prefetches the next band's cells while this band is stepped. The hardware prefetcher stops at
// page borders.
static void prefetch_band(const lc_pass *pass, int64_t x, int64_t y, int count)
{
    size_t bytes = (size_t)pass->plan->vectors * vector_bytes(pass->level);
    for (int p = 0; p <= pass->others.count; p++) {
        for (int row = 0; row < count; row++) {
            const char *cells = (const char *)lc_grid_row(&pass->from[p], y + row) + x / 8;
            for (size_t i = 0; i < bytes; i += 64)
                __builtin_prefetch(cells + i);
        }
    }
}

// Writes rows y .. y + count - 1 of the strip's inside of a grid, from band row `first` on.
static void write_grid(const lc_pass *pass, const scratch_parts *parts, const uint8_t *band,
                       int first, int64_t keep_x, int64_t keep_cells, lc_grid *to, int64_t y,
                       int count)
{
    size_t pitch = row_bytes(pass->level), bytes = (size_t)(keep_cells + 7) / 8;
    size_t skip = (size_t)halo_cells(pass->plan) / 8;
    pass->level->uncomb(parts->row, pitch, band, first, count, pass->plan->vectors);
    for (int row = 0; row < count; row++)
        memcpy((uint8_t *)lc_grid_row(to, y + row) + keep_x / 8,
               parts->row + (size_t)row * pitch + skip, bytes);
}

// Counts the tiles of rows that were just written. A band lies in one or two rows of tiles. Runs
// begin with a row of tiles and go down, so the first row of a tile clears its count.
static void count_tiles(const lc_pass *pass, int64_t keep_x, int64_t keep_cells, int64_t y,
                        int count)
{
    const int64_t across = (pass->to->width_cells + LC_TILE_COLUMNS - 1) / LC_TILE_COLUMNS;
    const int64_t tiles = (keep_cells + LC_TILE_COLUMNS - 1) / LC_TILE_COLUMNS;
    while (count > 0) {
        const int row = (int)(y % LC_TILE_ROWS);
        const int rows = count < LC_TILE_ROWS - row ? count : LC_TILE_ROWS - row;
        uint16_t *counts = pass->tiles + y / LC_TILE_ROWS * across + keep_x / LC_TILE_COLUMNS;
        if (row == 0)
            memset(counts, 0, (size_t)tiles * sizeof *counts);
        lc_tiles_count(pass->to, pass->level, keep_x, y, keep_cells, rows, counts);
        y += rows;
        count -= rows;
    }
}

// A column of cells in a band: the offset of its byte in the first row, and a mask of the other
// bits of that byte.
typedef struct fence {
    size_t byte;
    uint8_t others; // 0: no such column in the strip, or no wall before it
} fence;

// Returns the fence at column `column` of the strip, behind an edge of that kind.
static fence fence_at(const lc_pass *pass, lc_edge edge, int64_t column)
{
    const int vectors = pass->plan->vectors, bits = pass->level->vector_bits;
    if (edge != LC_EDGE_WALL || column < 0 || column >= (int64_t)vectors * bits)
        return (fence){0};
    const size_t k = (size_t)(column % vectors), bit = (size_t)(column / vectors);
    return (fence){k * LC_BAND_ROWS * vector_bytes(pass->level) + bit / 8,
                   (uint8_t) ~(1u << bit % 8)};
}

typedef struct fences {
    fence left, right;
} fences;

// Returns the fences of the strip whose first column is x.
static fences fences_of(const lc_pass *pass, int64_t x)
{
    const lc_frame *f = pass->frame;
    return (fences){fence_at(pass, f->left, -1 - x), fence_at(pass, f->right, f->width_cells - x)};
}

static void kill_column(uint8_t *band, fence f, size_t vector)
{
    for (size_t row = 0; row < LC_BAND_ROWS && f.others != 0; row++)
        band[f.byte + row * vector] &= f.others;
}

static void kill_columns(uint8_t *band, const fences *f, size_t vector)
{
    kill_column(band, f->left, vector);
    kill_column(band, f->right, vector);
}

static void fence_row(const lc_pass *pass, uint8_t *band, int64_t row)
{
    if (row < 0 || row >= LC_BAND_ROWS)
        return;
    size_t size = vector_bytes(pass->level);
    for (int k = 0; k < pass->plan->vectors; k++)
        memset(band + ((size_t)k * LC_BAND_ROWS + (size_t)row) * size, 0, size);
}

// Writes `count` finished rows of a part, from row y on. They are in the band from row `first` on.
static void finish_rows(const lc_pass *pass, const scratch_parts *parts, const lc_pass_part *part,
                        const uint8_t *band, int first, int64_t y, int count)
{
    write_grid(pass, parts, band, first, part->keep_x, part->keep_cells, pass->to, y, count);
    if (pass->tiles != NULL)
        count_tiles(pass, part->keep_x, part->keep_cells, y, count);
    for (int p = 0; p < pass->others.count; p++) { // `band` has been written
        move_others(pass, parts, p, parts->band[0], true);
        write_grid(pass, parts, parts->band[0], first, part->keep_x, part->keep_cells,
                   &pass->to[1 + p], y, count);
    }
}

// Steps all rows of a strip through all generations, as one band as high as the board.
static void step_ribbon(const lc_pass *pass, const scratch_parts *parts, const lc_pass_part *part)
{
    const int64_t x = part->keep_x - halo_cells(pass->plan);
    const int rows = (int)pass->from->height_cells;
    read_band(pass, parts, x, 0, rows);
    uint8_t *in = parts->band[0], *out = parts->band[1];
    const bool joined = pass->frame->top == LC_EDGE_JOINED;
    const fences columns = fences_of(pass, x);
    for (int g = 0; g < pass->plan->generations; g++) {
        const lc_ribbon ribbon = {
            pass->plan->vectors, rows, pass->plan->closed, joined, in, out, pass->any, pass->map};
        pass->step_ribbon(&ribbon);
        kill_columns(out, &columns, vector_bytes(pass->level));
        uint8_t *made = out;
        out = in, in = made;
    }
    finish_rows(pass, parts, part, in, 0, 0, rows);
}

// Finds the cells of the first generation of a band that are beside those that kill. Writes to the
// second band.
static void find_killed(const lc_pass *pass, const scratch_parts *parts)
{
    const size_t vectors = (size_t)pass->plan->vectors;
    const size_t column = LC_BAND_ROWS * vector_bytes(pass->level) / sizeof(uint64_t);
    uint64_t *kills = (uint64_t *)parts->band[1];
    for (size_t k = 0; k < vectors; k++) {
        const uint64_t *alive = (const uint64_t *)parts->band[0] + k * column;
        const uint64_t *marked = (const uint64_t *)parts->others + 2 * k * column;
        for (size_t i = 0; i < column; i++)
            kills[k * column + i] = marked[i] & marked[column + i] & ~alive[i];
    }
    pass->level->step_any(&(lc_band){pass->plan->vectors, pass->plan->closed, kills,
                                     parts->saved_kills, parts->killed, pass->any_beside, NULL,
                                     NULL});
}

// Moves the cells that are killed down by a row, for the next generation.
static void move_killed(const lc_pass *pass, const scratch_parts *parts, int generation)
{
    const size_t vector = vector_bytes(pass->level);
    for (int k = 0; k < pass->plan->vectors; k++) {
        uint8_t *column = parts->killed + (size_t)k * LC_BAND_ROWS * vector,
                last[LC_VECTOR_BYTES_MAX];
        uint8_t *saved =
            parts->saved_killed + (size_t)(generation * pass->plan->vectors + k) * vector;
        memcpy(last, column + (LC_BAND_ROWS - 1) * vector, vector);
        memmove(column + vector, column, (LC_BAND_ROWS - 1) * vector);
        memcpy(column, saved, vector);
        memcpy(saved, last, vector);
    }
}

// Makes generation g + 1 of the other planes. `in` and `out` have the live cells of g and g + 1.
static void step_planes(const lc_pass *pass, const scratch_parts *parts, int g, const uint8_t *in,
                        uint8_t *out)
{
    const int planes = pass->others.count, vectors = pass->plan->vectors;
    uint8_t *saved =
        parts->saved_others + (size_t)(g * vectors * planes) * vector_bytes(pass->level);
    const bool kills = pass->any_beside != NULL;
    const lc_aging aging = {
        vectors,       planes, pass->others.start,          in, parts->above, out,
        parts->others, saved,  kills ? parts->killed : NULL};
    if (kills && g > 0)
        move_killed(pass, parts, g);
    if (pass->others.start > 0)
        pass->level->age(&aging);
    else
        pass->level->remember(&aging);
}

// Copies the last `rows` rows of each column of a band.
static void save_last_rows(const uint8_t *band, int columns, int rows, size_t vector, uint8_t *to)
{
    const size_t bytes = (size_t)rows * vector;
    for (int k = 0; k < columns; k++)
        memcpy(to + (size_t)k * bytes, band + (size_t)(k + 1) * LC_BAND_ROWS * vector - bytes,
               bytes);
}

// Steps one band of a task through all generations, after `done` of its rows.
static void step_band(const lc_pass *pass, const scratch_parts *parts, const lc_pass_part *part,
                      int64_t done)
{
    const int generations = pass->plan->generations, vectors = pass->plan->vectors;
    const int64_t x = part->keep_x - halo_cells(pass->plan);
    const int64_t y = part->y0 - generations + done, end = part->y1 + generations;
    const size_t vector = vector_bytes(pass->level), saved_bytes = (size_t)vectors * 2 * vector;
    const int planes = pass->others.count;
    read_band(pass, parts, x, y, rows_of_band(y, end));
    if (pass->any_beside != NULL)
        find_killed(pass, parts);
    if (y + LC_BAND_ROWS < end)
        prefetch_band(pass, x, y + LC_BAND_ROWS, rows_of_band(y + LC_BAND_ROWS, end));
    uint8_t *in = parts->band[0], *out = parts->band[1];
    const fences columns = fences_of(pass, x);
    const bool wall_above = pass->frame->top == LC_EDGE_WALL;
    const bool wall_below = pass->frame->bottom == LC_EDGE_WALL;
    for (int g = 0; g < generations; g++) {
        void *saved = parts->saved + (size_t)g * saved_bytes;
        // Rows above the light cone are not needed. The first row of generation g + 1 inside it is
        // y0 - generations + g + 1, and this band makes rows up to y + 14 - g. A wider cone is
        // correct but costs time: rows above the edge come from wrong rows, and no needed row is
        // made from them. A narrower cone is wrong. (The left side is even, so with + 2 the cone is
        // one wider, and + 4 is the same as + 3.)
        bool above = done + LC_BAND_ROWS < 2 * g + 3;
        lc_band band = {vectors, pass->plan->closed, in,         saved,
                        out,     pass->any,          pass->code, pass->map};
        if (above) {
            save_last_rows(in, vectors, 2, vector, saved);
            save_last_rows(parts->others, vectors * planes, 1, vector,
                           parts->saved_others + (size_t)(g * vectors * planes) * vector);
            if (pass->any_beside != NULL)
                save_last_rows(parts->killed, vectors, 1, vector,
                               parts->saved_killed + (size_t)(g * vectors) * vector);
            break;
        }
        for (int k = 0; k < vectors && planes > 0; k++)
            memcpy(parts->above + (size_t)k * vector,
                   (const uint8_t *)saved + (size_t)(2 * k + 1) * vector, vector);
        pass->step(&band);
        kill_columns(out, &columns, vector);
        if (wall_above)
            fence_row(pass, out, -1 - (y - g - 1));
        if (wall_below)
            fence_row(pass, out, pass->from->height_cells - (y - g - 1));
        if (planes > 0)
            step_planes(pass, parts, g, in, out);
        uint8_t *made = out;
        out = in, in = made;
    }
    // Row i of the resulting band is row y - generations + i of the grid.
    const int64_t top = y - generations;
    const int64_t first = top < part->y0 ? part->y0 - top : 0;
    const int64_t last = part->y1 - top < LC_BAND_ROWS ? part->y1 - top : LC_BAND_ROWS;
    if (first < last)
        finish_rows(pass, parts, part, in, (int)first, top + first, (int)(last - first));
}

lc_pass_part lc_pass_part_of(const lc_pass *pass, size_t task)
{
    const lc_pass_plan *plan = pass->plan;
    const int64_t width = pass->from->width_cells, height = pass->from->height_cells;
    lc_pass_part part = {.keep_x = (int64_t)task % plan->strips * plan->keep_cells,
                         .y0 = (int64_t)task / plan->strips * plan->run_rows};
    part.keep_cells =
        width - part.keep_x < plan->keep_cells ? width - part.keep_x : plan->keep_cells;
    part.y1 = height - part.y0 < plan->run_rows ? height : part.y0 + plan->run_rows;
    return part;
}

size_t lc_pass_tasks(const lc_pass *pass)
{
    return (size_t)(pass->plan->strips * pass->plan->runs);
}

void lc_pass_slice(void *context, size_t index, int worker)
{
    (void)worker;
    lc_pass *pass = context;
    lc_pass_worker *own = &pass->workers[index];
    const scratch_parts parts = divide_scratch(pass->level, pass->others.count, own->scratch);
    for (bool out_of_time = false; !out_of_time;) {
        if (!own->busy) {
            own->task = atomic_fetch_add_explicit(&pass->taken, 1, memory_order_relaxed);
            own->done = 0;
        }
        own->busy = own->task < lc_pass_tasks(pass);
        if (!own->busy)
            return;
        const lc_pass_part part = lc_pass_part_of(pass, own->task);
        const int64_t end =
            pass->plan->ribbon ? LC_BAND_ROWS : part.y1 - part.y0 + 2 * pass->plan->generations;
        int64_t done = own->done;
        for (; done < end && !out_of_time; done += LC_BAND_ROWS) {
            if (pass->plan->ribbon)
                step_ribbon(pass, &parts, &part);
            else
                step_band(pass, &parts, &part, done);
            out_of_time = pass->until_ns != UINT64_MAX && lc_clock_ns() >= pass->until_ns;
        }
        own->done = done;
        own->busy = done < end;
    }
}

bool lc_pass_done(const lc_pass *pass)
{
    for (int i = 0; i < pass->worker_count; i++)
        if (pass->workers[i].busy)
            return false;
    return pass->taken >= lc_pass_tasks(pass);
}

bool lc_pass_finished(const lc_pass *pass, int64_t strip, int64_t y)
{
    const lc_pass_plan *plan = pass->plan;
    const size_t task = (size_t)(y / plan->run_rows * plan->strips + strip);
    for (int i = 0; i < pass->worker_count; i++) {
        const lc_pass_worker *w = &pass->workers[i];
        if (w->busy && w->task == task) {
            const lc_pass_part part = lc_pass_part_of(pass, task);
            const int64_t made = part.y0 + w->done - 2 * plan->generations;
            return made >= y + LC_BAND_ROWS || made >= part.y1;
        }
    }
    return task < pass->taken;
}
