// Maps coordinates and fills halos. kernels/topology_map.h has the map and the tiling of the plane.
//
// Except on the sphere, a row of a copy is a row of the universe, plain or reversed, so a halo
// consists of copied bit strings. On the sphere half of the copies are transposed, in blocks of 64
// x 64 cells.
//
// The word with a row's last cells also holds the first cells of the halo to its right. One task
// may write this word while another reads its interior bits. These bits keep their value, and all
// such accesses are relaxed atomics, so there is no data race.
#include "grid/topology.h"

#include "base/least.h"

enum { TASK_BITS = 100000, LONG_RUN_BITS = 512 };

_Static_assert(LC_MAP_PLANE == (int)LC_TOPOLOGY_PLANE && LC_MAP_TORUS == (int)LC_TOPOLOGY_TORUS &&
                   LC_MAP_KLEIN_BOTTLE == (int)LC_TOPOLOGY_KLEIN_BOTTLE &&
                   LC_MAP_CROSS_SURFACE == (int)LC_TOPOLOGY_CROSS_SURFACE &&
                   LC_MAP_SPHERE == (int)LC_TOPOLOGY_SPHERE,
               "the kernels number the topologies as the API does");

lc_surface lc_surface_of(const lc_topology *t)
{
    return (lc_surface){
        .width_cells = t->width_cells,
        .height_cells = t->height_cells,
        .shift_x_cells = t->shift_x_cells,
        .shift_y_cells = t->shift_y_cells,
        .kind = (int)t->kind,
        .twist_x = t->twist_x,
        .twist_y = t->twist_y,
    };
}

static int place(const lc_topology *t, int64_t *x, int64_t *y)
{
    const lc_surface surface = lc_surface_of(t);
    long long to_x = *x, to_y = *y;
    const int kind = lc_place(&surface, &to_x, &to_y);
    *x = to_x;
    *y = to_y;
    return kind;
}

bool lc_topology_map(const lc_topology *topology, int64_t *x, int64_t *y)
{
    return place(topology, x, y) != LC_COPY_NONE;
}

lc_topology lc_topology_turned(const lc_topology *t)
{
    return (lc_topology){
        .kind = t->kind,
        .width_cells = t->height_cells,
        .height_cells = t->width_cells,
        .shift_x_cells = t->shift_y_cells,
        .shift_y_cells = t->shift_x_cells,
        .twist_x = t->twist_y,
        .twist_y = t->twist_x,
    };
}

// Bits ---------------------------------------------------------------------------------------

static inline uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline uint64_t low_bits(int64_t count) // 0 <= count <= 64
{
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

static inline int64_t word_of(int64_t bit)
{
    return bit >> 6; // rounds down: all supported compilers shift arithmetically
}

// Returns bits bit .. bit+count-1 of a row; 1 <= count <= 64. Reads only words that hold one of
// them.
static inline uint64_t take(const uint64_t *row, int64_t bit, int64_t count)
{
    int64_t w = word_of(bit), offset = bit & 63;
    uint64_t value = load(row + w) >> offset;
    if (offset + count > 64)
        value |= load(row + w + 1) << (64 - offset);
    return value & low_bits(count);
}

static inline void put_in_word(uint64_t *word, uint64_t value, uint64_t mask)
{
    store(word, mask == ~UINT64_C(0) ? value : (load(word) & ~mask) | (value & mask));
}

// Writes the low `count` bits of value (1 <= count <= 64) to bits bit .. bit+count-1 of a row.
static inline void put(uint64_t *row, int64_t bit, uint64_t value, int64_t count)
{
    int64_t w = word_of(bit), offset = bit & 63;
    put_in_word(row + w, value << offset, low_bits(count) << offset);
    if (offset + count > 64)
        put_in_word(row + w + 1, value >> (64 - offset), low_bits(offset + count - 64));
}

static inline uint64_t reversed_word(uint64_t v)
{
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(v);
}

// Runs: parts of a row of the universe, copied to a row of the halo ----------------------------

static void copy_short(uint64_t *to, int64_t to_bit, const uint64_t *from, int64_t from_bit,
                       int64_t count, bool reversed)
{
    for (int64_t done = 0; done < count;) {
        int64_t n = count - done < 64 ? count - done : 64;
        if (reversed) {
            uint64_t v = take(from, from_bit + count - done - n, n);
            put(to, to_bit + done, reversed_word(v) >> (64 - n), n);
        } else {
            put(to, to_bit + done, take(from, from_bit + done, n), n);
        }
        done += n;
    }
}

// Copies cells from_bit .. from_bit+count-1 of row `from` of the universe, or reverses them.
// `exclusive`: no other task accesses the target's words (a row above or below the universe).
static void copy_run(const lc_grid *grid, uint64_t *to, int64_t to_bit, int64_t from,
                     int64_t from_bit, int64_t count, bool reversed, bool exclusive)
{
    const uint64_t *row = lc_grid_row(grid, from);
    if (count < LONG_RUN_BITS || !exclusive) {
        copy_short(to, to_bit, row, from_bit, count, reversed);
        return;
    }
    // Another task may be writing the word with the last cells, so it is read atomically.
    int64_t shared = grid->width_cells & ~INT64_C(63);
    int64_t tail = from_bit + count - (shared > from_bit ? shared : from_bit);
    if (tail < 0)
        tail = 0;
    int64_t head = count - tail;
    if (reversed) {
        copy_short(to, to_bit, row, from_bit + head, tail, true);
        lc_bits_copy_reversed(to, to_bit + tail, row, from_bit, head);
    } else {
        lc_bits_copy(to, to_bit, row, from_bit, head);
        copy_short(to, to_bit + head, row, from_bit + head, tail, false);
    }
}

static void clear_run(uint64_t *to, int64_t bit, int64_t count, bool exclusive)
{
    if (exclusive) {
        lc_bits_fill(to, bit, count, false);
        return;
    }
    for (int64_t done = 0; done < count; done += 64)
        put(to, bit + done, 0, count - done < 64 ? count - done : 64);
}

// Fills cells x0 .. x1-1 of row y, one copy after the other. Not for the sphere.
static void fill_row(lc_grid *grid, const lc_topology *t, int64_t x0, int64_t x1, int64_t y)
{
    uint64_t *to = lc_grid_row(grid, y);
    bool exclusive = y < 0 || y >= grid->height_cells;
    if (t->kind == LC_TOPOLOGY_PLANE) {
        clear_run(to, x0, x1 - x0, exclusive);
        return;
    }
    for (int64_t x = x0; x < x1;) {
        int64_t from_x = x, from_y = y;
        bool reversed = place(t, &from_x, &from_y) == LC_COPY_REVERSED;
        int64_t run = reversed ? from_x + 1 : grid->width_cells - from_x;
        if (run > x1 - x)
            run = x1 - x;
        copy_run(grid, to, x, from_y, reversed ? from_x - run + 1 : from_x, run, reversed,
                 exclusive);
        x += run;
    }
}

// Fills the columns left and right of one row; depth <= width. The last cells of row `left_from` go
// left of row `to`, the first cells of `right_from` right of it.
static inline void wrap_columns(uint64_t *to, const uint64_t *left_from, const uint64_t *right_from,
                                int64_t width, int64_t depth)
{
    int64_t full = depth / 64, rest = depth % 64;
    for (int64_t k = 1; k <= full; k++)
        store(to - k, take(left_from, width - 64 * k, 64));
    if (rest > 0)
        put(to, -depth, take(left_from, width - depth, rest), rest);

    int64_t edge = width / 64, offset = width % 64;
    if (offset == 0) {
        for (int64_t k = 0; k < full; k++)
            store(to + edge + k, load(right_from + k));
    } else {
        uint64_t carry = load(to + edge) & low_bits(offset);
        for (int64_t k = 0; k < full; k++) {
            uint64_t v = load(right_from + k);
            store(to + edge + k, carry | v << offset);
            carry = v >> (64 - offset);
        }
        if (full > 0)
            put(to, width + 64 * full - offset, carry, offset);
    }
    if (rest > 0)
        put(to, width + 64 * full, take(right_from, 64 * full, rest), rest);
}

// Fills the columns beside interior rows y0 .. y1-1. Not for the sphere.
static void fill_columns(lc_grid *grid, const lc_topology *t, int64_t depth, int64_t y0, int64_t y1)
{
    int64_t width = grid->width_cells, height = grid->height_cells;
    if (t->kind == LC_TOPOLOGY_PLANE || depth > width) {
        for (int64_t y = y0; y < y1; y++) {
            fill_row(grid, t, -depth, 0, y);
            fill_row(grid, t, width, width + depth, y);
        }
        return;
    }
    // Rows of the copies left and right, beside row y0. They go down from row to row, or up where
    // these copies are upside down.
    int64_t x = -1, left = y0, x_right = width, right = y0;
    place(t, &x, &left);
    place(t, &x_right, &right);
    bool mirrored =
        t->kind == LC_TOPOLOGY_CROSS_SURFACE || (t->kind == LC_TOPOLOGY_KLEIN_BOTTLE && t->twist_y);
    for (int64_t y = y0; y < y1; y++) {
        wrap_columns(lc_grid_row(grid, y), lc_grid_row(grid, left), lc_grid_row(grid, right), width,
                     depth);
        if (mirrored) {
            left = left == 0 ? height - 1 : left - 1;
            right = right == 0 ? height - 1 : right - 1;
        } else {
            left = left == height - 1 ? 0 : left + 1;
            right = right == height - 1 ? 0 : right + 1;
        }
    }
}

// The sphere -----------------------------------------------------------------------------------

// Fills at most 64 x 64 cells of a transposed copy. (a, b): (x, y) modulo twice the width.
static void fill_transposed(lc_grid *grid, int64_t x, int64_t y, int64_t columns, int64_t rows,
                            int64_t a, int64_t b)
{
    int64_t w = grid->width_cells;
    uint64_t block[64] = {0};
    // Column j of the target is a row of the universe. It runs forward in a copy right or left of
    // an even copy, and backward in one above or below.
    bool beside = a >= w;
    int64_t from_x = beside ? b : 2 * w - b - rows;
    for (int64_t j = 0; j < columns; j++) {
        int64_t from_y = beside ? 2 * w - 1 - a - j : a + j;
        block[j] = take(lc_grid_row(grid, from_y), from_x, rows);
    }
    lc_bits_transpose(block);
    for (int64_t i = 0; i < rows; i++)
        put(lc_grid_row(grid, y + i), x, block[beside ? i : rows - 1 - i], columns);
}

// Fills cells x0 .. x1-1 of rows y0 .. y1-1, all in one copy.
static void fill_sphere_copy(lc_grid *grid, int64_t x0, int64_t x1, int64_t y0, int64_t y1)
{
    int64_t w = grid->width_cells;
    int64_t a = lc_floor_mod(x0, 2 * w), b = lc_floor_mod(y0, 2 * w);
    if ((a >= w) == (b >= w)) {
        bool reversed = a >= w;
        for (int64_t y = y0; y < y1; y++) {
            int64_t from_y = b + (y - y0), count = x1 - x0;
            copy_run(grid, lc_grid_row(grid, y), x0, reversed ? 2 * w - 1 - from_y : from_y,
                     reversed ? 2 * w - a - count : a, count, reversed,
                     y < 0 || y >= grid->height_cells);
        }
        return;
    }
    for (int64_t y = y0; y < y1; y += 64) {
        for (int64_t x = x0; x < x1; x += 64) {
            fill_transposed(grid, x, y, x1 - x < 64 ? x1 - x : 64, y1 - y < 64 ? y1 - y : 64,
                            a + (x - x0), b + (y - y0));
        }
    }
}

static void fill_sphere(lc_grid *grid, int64_t x0, int64_t x1, int64_t y0, int64_t y1)
{
    int64_t w = grid->width_cells;
    for (int64_t y = y0, next_y; y < y1; y = next_y) {
        next_y = (lc_floor_div(y, w) + 1) * w;
        if (next_y > y1)
            next_y = y1;
        for (int64_t x = x0, next_x; x < x1; x = next_x) {
            next_x = (lc_floor_div(x, w) + 1) * w;
            if (next_x > x1)
                next_x = x1;
            fill_sphere_copy(grid, x, next_x, y, next_y);
        }
    }
}

// Tasks ----------------------------------------------------------------------------------------

// Returns the number of halo rows to fill above the universe, which is also the number below.
static int64_t rows_deep(const lc_grid *grid, const lc_halo *halo)
{
    if ((halo->parts & (LC_HALO_ENDS | LC_HALO_CORNERS)) == 0)
        return 0;
    return grid->margin_rows < halo->depth_cells ? grid->margin_rows : halo->depth_cells;
}

// The first `bands` tasks each fill the columns beside band_rows interior rows. The others fill the
// rows above and below: row_span whole rows each. On the sphere these rows are columns of the
// universe, and a task fills row_span columns of all of them. Tasks are split only at word
// boundaries.
typedef struct halo_plan {
    int64_t band_rows;
    int64_t bands;
    int64_t row_span; // rows; on the sphere, columns
    int64_t row_tasks;
} halo_plan;

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static halo_plan plan_halo(const lc_grid *grid, const lc_halo *halo)
{
    const int64_t width = grid->width_cells, height = grid->height_cells;
    const int64_t depth = halo->depth_cells, halo_rows = 2 * rows_deep(grid, halo);
    const bool sphere = halo->topology->kind == LC_TOPOLOGY_SPHERE;
    halo_plan plan = {height, 0, sphere ? width : halo_rows, 0};
    // A multiple of 64 rows or columns keeps the sphere's blocks whole.
    const int64_t band = lc_greatest(64, (TASK_BITS / (2 * depth) + 63) / 64 * 64);
    if ((halo->parts & LC_HALO_BESIDE) != 0) {
        plan.band_rows = lc_least(band, height);
        plan.bands = ceil_div(height, plan.band_rows);
    }
    if (halo_rows > 0 && sphere) {
        plan.row_span = lc_least(band, width);
        plan.row_tasks = ceil_div(width, plan.row_span);
    } else if (halo_rows > 0) {
        plan.row_span = lc_greatest(1, TASK_BITS / (width + 2 * depth));
        plan.row_tasks = ceil_div(halo_rows, plan.row_span);
    }
    return plan;
}

// Returns whether one task fills the whole halo. For small halos, waking a thread costs more than
// it saves.
static bool halo_is_small(const lc_grid *grid, int64_t depth)
{
    return (grid->width_cells + grid->height_cells + 2 * depth) <= TASK_BITS / (depth + 1);
}

static void fill_band(lc_grid *grid, const lc_halo *halo, int64_t y0, int64_t y1)
{
    const int64_t width = grid->width_cells, depth = halo->depth_cells;
    if (halo->topology->kind == LC_TOPOLOGY_SPHERE) {
        fill_sphere(grid, -depth, 0, y0, y1);
        fill_sphere(grid, width, width + depth, y0, y1);
    } else {
        fill_columns(grid, halo->topology, depth, y0, y1);
    }
}

// Fills halo rows first .. end-1, counted from the top, those above the universe first. On the
// sphere: columns first .. end-1 of all halo rows; the first and last columns include the corners.
static void fill_rows(lc_grid *grid, const lc_halo *halo, int64_t first, int64_t end)
{
    const int64_t width = grid->width_cells, height = grid->height_cells;
    const int64_t depth = halo->depth_cells, above = rows_deep(grid, halo);
    if (halo->topology->kind == LC_TOPOLOGY_SPHERE) {
        const int64_t x0 = first == 0 ? -depth : first, x1 = end == width ? width + depth : end;
        fill_sphere(grid, x0, x1, -depth, 0);
        fill_sphere(grid, x0, x1, height, height + depth);
        return;
    }
    const bool ends = (halo->parts & LC_HALO_ENDS) != 0;
    const int64_t corner = (halo->parts & LC_HALO_CORNERS) != 0 ? depth : 0;
    for (int64_t i = first; i < end; i++) {
        const int64_t y = i < above ? i - above : height + i - above;
        fill_row(grid, halo->topology, -corner, ends ? width + corner : 0, y);
        if (!ends)
            fill_row(grid, halo->topology, width, width + corner, y);
    }
}

size_t lc_halo_tasks(const lc_grid *grid, const lc_halo *halo)
{
    if (halo->depth_cells <= 0 || halo_is_small(grid, halo->depth_cells))
        return 1;
    const halo_plan plan = plan_halo(grid, halo);
    return (size_t)(plan.bands + plan.row_tasks);
}

static void run_task(lc_grid *grid, const lc_halo *halo, const halo_plan *plan, int64_t index)
{
    const bool sphere = halo->topology->kind == LC_TOPOLOGY_SPHERE;
    const int64_t rows_end = sphere ? grid->width_cells : 2 * rows_deep(grid, halo);
    if (index < plan->bands) {
        const int64_t y0 = index * plan->band_rows;
        fill_band(grid, halo, y0, lc_least(y0 + plan->band_rows, grid->height_cells));
    } else {
        const int64_t first = (index - plan->bands) * plan->row_span;
        fill_rows(grid, halo, first, lc_least(first + plan->row_span, rows_end));
    }
}

void lc_halo_fill(lc_grid *grid, const lc_halo *halo, size_t task)
{
    if (halo->depth_cells <= 0)
        return;
    const halo_plan plan = plan_halo(grid, halo);
    if (!halo_is_small(grid, halo->depth_cells)) {
        run_task(grid, halo, &plan, (int64_t)task);
        return;
    }
    for (int64_t i = 0; i < plan.bands + plan.row_tasks; i++)
        run_task(grid, halo, &plan, i);
}
