// Fills an area up to its border: runs of cells in rows, each found once.
#include "base/memory.h"
#include "edit/edit_area.h"
#include "grid/grid.h"

typedef struct run_start {
    uint32_t x, y;
} run_start;

// A flood fill. `open` has the cells that are like the first one and not found yet; `found` has the
// cells that were found.
typedef struct flood {
    lc_clip *open_clip, *found_clip;
    const lc_cells *open, *found; // the cells of the clips
    bool around_x, around_y;      // opposite edges are joined
    int64_t slanting;             // 1: cells are joined at corners, too
    run_start *stack;
    size_t count, room;
    bool touches_edge;
    bool failed; // out of memory
} flood;

static bool has(const uint64_t *row, int64_t x)
{
    return row[x / 64] >> (x % 64) & 1;
}

// Returns the first cell from x on that is set (or not set), or `end`.
static int64_t next_cell(const uint64_t *row, int64_t x, int64_t end, bool set)
{
    while (x < end) {
        const uint64_t word = (set ? row[x / 64] : ~row[x / 64]) >> (x % 64);
        if (word != 0) {
            x += __builtin_ctzll(word);
            return x < end ? x : end;
        }
        x = (x / 64 + 1) * 64;
    }
    return end;
}

// Returns the first cell of the run of set cells that contains x.
static int64_t run_begin(const uint64_t *row, int64_t x)
{
    for (;;) {
        const unsigned place = (unsigned)(x % 64);
        const uint64_t unset = ~row[x / 64] << (63 - place);
        if (unset != 0)
            return x - __builtin_clzll(unset) + 1;
        if (x < 64)
            return 0;
        x -= place + 1;
    }
}

static void push(flood *f, int64_t x, int64_t y)
{
    if (lc_grow(&f->stack, &f->room, f->count + 1, sizeof *f->stack))
        f->stack[f->count++] = (run_start){(uint32_t)x, (uint32_t)y};
    else
        f->failed = true;
}

// Moves the run of an open cell to the found cells, and onto the stack. Returns its end.
static int64_t take(flood *f, int64_t x, int64_t y)
{
    uint64_t *open = lc_cells_row(f->open, y), *found = lc_cells_row(f->found, y);
    const int64_t begin = run_begin(open, x);
    const int64_t end = next_cell(open, x, f->open->width_cells, false);
    lc_bits_fill(open, begin, end - begin, false);
    lc_bits_fill(found, begin, end - begin, true);
    push(f, begin, y);
    return end;
}

// Takes the runs with open cells from `first` to `last` of a row.
static void look(flood *f, int64_t first, int64_t last, int64_t y)
{
    const int64_t width = f->open->width_cells, height = f->open->height_cells;
    if (y < 0 || y >= height) {
        if (!f->around_y)
            return;
        y = y < 0 ? height - 1 : 0;
    }
    if (f->around_x && first < 0 && has(lc_cells_row(f->open, y), width - 1))
        take(f, width - 1, y);
    if (f->around_x && last >= width && has(lc_cells_row(f->open, y), 0))
        take(f, 0, y);
    const uint64_t *row = lc_cells_row(f->open, y);
    const int64_t end = last < width ? last + 1 : width;
    for (int64_t x = first > 0 ? first : 0; !f->failed && (x = next_cell(row, x, end, true)) < end;)
        x = take(f, x, y);
}

static void spread(flood *f, int64_t x, int64_t y)
{
    const int64_t width = f->open->width_cells, height = f->open->height_cells;
    take(f, x, y);
    while (f->count > 0 && !f->failed) {
        const run_start run = f->stack[--f->count];
        const int64_t first = run.x, row = run.y;
        const int64_t last = next_cell(lc_cells_row(f->found, row), first, width, false) - 1;
        f->touches_edge |= first == 0 || last == width - 1 || row == 0 || row == height - 1;
        look(f, first - f->slanting, last + f->slanting, row - 1);
        look(f, first - f->slanting, last + f->slanting, row + 1);
        look(f, first - 1, last + 1, row);
    }
}

// Chooses the area to examine, and whether its edges are those of the area that is filled.
static lc_status choose_area(const lc_universe *universe, const lc_rectangle *within, lc_area *a,
                             bool *has_edges, lc_message *message)
{
    const lc_area all = lc_area_of_universe(universe);
    lc_status status = LC_OK;
    *has_edges = true;
    *a = all;
    if (within != NULL) {
        status = lc_area_of_rectangle(a, within, message);
    } else if (!lc_is_bounded(universe)) {
        lc_facts facts;
        status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
        *has_edges = false;
        *a = lc_area_of_box(&facts.box);
        *a = (lc_area){a->x0 - 1, a->y0 - 1, a->x1 + 1, a->y1 + 1};
        if (status == LC_OK && (facts.is_far || lc_universe_background(universe)))
            status = lc_fail(message, LC_ERROR_LIMIT,
                             "the live cells have no end: select a rectangle to fill");
    }
    *a = lc_area_intersection(*a, all);
    return status;
}

static lc_status flood_area(flood *f, const lc_universe *universe, lc_area a, int64_t x, int64_t y,
                            lc_message *message)
{
    const int64_t width = a.x1 - a.x0, height = a.y1 - a.y0;
    lc_status status = lc_clip_from_universe(&f->open_clip, universe,
                                             &(lc_rectangle){a.x0, a.y0, width, height}, message);
    if (status == LC_OK)
        status = lc_clip_create(&f->found_clip, width, height, message);
    if (status != LC_OK)
        return status;
    f->open = lc_clip_cells(f->open_clip);
    f->found = lc_clip_cells(f->found_clip);
    const bool alive = has(lc_cells_row(f->open, y - a.y0), x - a.x0);
    f->slanting = alive;
    for (int64_t j = 0; j < height && !alive; j++) {
        uint64_t *row = lc_cells_row(f->open, j);
        for (size_t i = 0; i < f->open->pitch_words; i++)
            row[i] = ~row[i];
        if (width % 64 != 0)
            row[f->open->pitch_words - 1] &= (UINT64_C(1) << width % 64) - 1;
    }
    spread(f, x - a.x0, y - a.y0);
    return f->failed ? lc_fail(message, LC_ERROR_MEMORY, "out of memory for that fill") : LC_OK;
}

lc_status lc_edits_flood(lc_edits *edits, lc_universe *universe, int64_t x, int64_t y,
                         const lc_rectangle *within, uint64_t *count, lc_message *message)
{
    lc_area a;
    bool has_edges;
    flood f = {0};
    *count = 0;
    lc_status status = choose_area(universe, within, &a, &has_edges, message);
    if (status != LC_OK)
        return status;
    if (x < a.x0 || y < a.y0 || x >= a.x1 || y >= a.y1)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       has_edges ? "that cell is beyond the edge"
                                 : "that area is not closed: draw a line round it, or select a "
                                   "rectangle to fill");
    if (a.x1 - a.x0 > LC_FLOOD_CELLS_MAX / (a.y1 - a.y0))
        return lc_fail(message, LC_ERROR_LIMIT,
                       "that area is too large to fill: select a rectangle of at most 2^26 cells");
    const bool wraps = within == NULL && lc_edits_wraps(universe);
    const lc_topology *t = lc_universe_topology(universe);
    f.around_x = wraps && t->width_cells != 0;
    f.around_y = wraps && t->height_cells != 0;
    status = flood_area(&f, universe, a, x, y, message);
    if (status == LC_OK && f.touches_edge && !has_edges)
        status = lc_fail(message, LC_ERROR_ARGUMENT,
                         "that area is not closed: draw a line round it, or select a rectangle to "
                         "fill");
    if (status == LC_OK) {
        *count = lc_clip_population(f.found_clip);
        status = lc_edits_paste(edits, universe, f.found_clip, a.x0, a.y0, LC_PASTE_XOR, message);
    }
    lc_free(f.stack);
    lc_clip_destroy(&f.open_clip);
    lc_clip_destroy(&f.found_clip);
    return status;
}
