// Near pictures during a long pass.
#include "local_preview.h"

#include <stdlib.h>

#include "picture_message.h"

enum {
    COPIED_ROWS = 64,
    SHARE = 16, // a window has at most 1/SHARE of a bounded universe's cells
    LARGEST_CELLS = 1 << 28,
    COLUMNS = 64,
    ROWS = 16, // it begins at a multiple of COLUMNS and ROWS: fast to render
};

// A direction of the universe, from 0 to `size`; 0: unbounded.
typedef struct direction {
    int64_t size;
    bool joined; // its two ends are joined without a shift
} direction;

static direction across(const lc_topology *t)
{
    return (direction){t->width_cells, t->kind == LC_TOPOLOGY_TORUS && t->shift_y_cells == 0};
}

static direction down(const lc_topology *t)
{
    return (direction){t->height_cells, t->kind == LC_TOPOLOGY_TORUS && t->shift_x_cells == 0};
}

// Widens start .. start + length by a halo, rounds its beginning down to a multiple of `unit`, and
// cuts it at the edges of a bounded plane. Returns false if cells in it are unknown.
static bool widen(direction d, int64_t halo, int64_t unit, bool is_plane, int64_t *start,
                  int64_t *length)
{
    const int64_t reach = d.size == 0 ? LC_UNIVERSE_REACH : d.size;
    const int64_t least = d.size == 0 ? -LC_UNIVERSE_REACH : 0;
    if (*start < least || *length > reach - *start || *length > INT32_MAX)
        return false; // the view crosses the end
    int64_t begin = *start - halo, end = *start + *length + halo;
    begin -= (begin % unit + unit) % unit;
    const bool is_beyond = begin < least || end > reach;
    if (is_beyond && d.size != 0 && is_plane) {
        begin = begin < 0 ? 0 : begin;
        end = end > d.size ? d.size : end;
    } else if (is_beyond && (d.size == 0 || !d.joined || end - begin > d.size)) {
        return false;
    }
    *start = begin;
    *length = end - begin;
    return true;
}

// Sets *area to the cells that a view needs. Returns false if it cannot be previewed.
static bool find_area(const lc_universe *universe, const lc_look *look, uint64_t generations,
                      lc_rectangle *area)
{
    const lc_topology *t = lc_universe_topology(universe);
    const bool is_plane = t->kind == LC_TOPOLOGY_PLANE;
    const int64_t halo = lc_rule_halo_cells(lc_universe_rule(universe), generations);
    if (lc_render_shows_passes(look->scale) || halo > INT32_MAX)
        return false;
    *area = (lc_rectangle){look->x, look->y, (int64_t)look->width << look->scale,
                           (int64_t)look->height << look->scale};
    if (!widen(across(t), halo, COLUMNS, is_plane, &area->x, &area->width_cells) ||
        !widen(down(t), halo, ROWS, is_plane, &area->y, &area->height_cells))
        return false;
    const double cells = (double)area->width_cells * (double)area->height_cells;
    const double all = (double)t->width_cells * (double)t->height_cells;
    return cells <= LARGEST_CELLS && (all == 0 || cells <= all / SHARE);
}

bool lc_local_preview_is_possible(const lc_universe *universe, const lc_look *look,
                                  uint64_t generations)
{
    lc_rectangle area;
    return find_area(universe, look, generations, &area);
}

// Creates a window of this size, or keeps the present one with its cells.
static lc_status make_window(lc_local_preview *preview, const lc_universe *universe,
                             const lc_rectangle *area, const lc_universe_options *options,
                             lc_message *message)
{
    const lc_rule *rule = lc_universe_rule(universe);
    if (preview->window != NULL && area->width_cells == preview->area.width_cells &&
        area->height_cells == preview->area.height_cells &&
        rule == lc_universe_rule(preview->window))
        return LC_OK;
    lc_local_preview_free(preview);
    const lc_universe_options window = {.struct_bytes = sizeof window,
                                        .rule = rule,
                                        .topology = {.kind = LC_TOPOLOGY_PLANE,
                                                     .width_cells = area->width_cells,
                                                     .height_cells = area->height_cells},
                                        .engine = "simd",
                                        .cpu_level = options->cpu_level,
                                        .threads = 1,
                                        .every_generation = true,
                                        .context = options->context};
    const size_t row_words = (size_t)(area->width_cells + 63) / 64;
    preview->words_bytes = row_words * COPIED_ROWS * sizeof *preview->words;
    preview->words = malloc(preview->words_bytes);
    lc_status status = preview->words == NULL
                           ? lc_fail(message, LC_ERROR_MEMORY, "out of memory for a picture")
                           : lc_universe_create(&preview->window, &window, message);
    if (status != LC_OK)
        lc_local_preview_free(preview);
    return status;
}

// Copies cells that do not cross an edge, from (x, y) in the universe to (to_x, to_y) in the
// window.
static lc_status copy(const lc_local_preview *preview, const lc_universe *universe, int64_t x,
                      int64_t y, int64_t to_x, int64_t to_y, int64_t width, int64_t height,
                      lc_message *message)
{
    const size_t row_words = (size_t)(width + 63) / 64;
    lc_status status = LC_OK;
    for (int64_t done = 0; done < height && status == LC_OK; done += COPIED_ROWS) {
        const int64_t rows = height - done < COPIED_ROWS ? height - done : COPIED_ROWS;
        lc_cells cells = {x, y + done, width, rows, 1, preview->words, row_words, 0};
        status = lc_universe_read(universe, &cells, message);
        cells.x = to_x;
        cells.y = to_y + done;
        if (status == LC_OK)
            status = lc_universe_write(preview->window, &cells, message);
    }
    return status;
}

// Returns the length of the part from `at` on that does not cross the end of a direction. Sets
// *place to its coordinate in the universe.
static int64_t piece(int64_t size, int64_t at, int64_t length, int64_t *place)
{
    *place = at;
    if (size == 0)
        return length;
    *place = (at % size + size) % size;
    return length < size - *place ? length : size - *place;
}

static lc_status copy_all(lc_local_preview *preview, const lc_universe *universe,
                          lc_message *message)
{
    const lc_topology *t = lc_universe_topology(universe);
    const lc_rectangle *a = &preview->area;
    lc_status status = LC_OK;
    int64_t x, y, width, height;
    for (int64_t j = 0; j < a->height_cells && status == LC_OK; j += height) {
        height = piece(t->height_cells, a->y + j, a->height_cells - j, &y);
        for (int64_t i = 0; i < a->width_cells && status == LC_OK; i += width) {
            width = piece(t->width_cells, a->x + i, a->width_cells - i, &x);
            status = copy(preview, universe, x, y, i, j, width, height, message);
        }
    }
    return status;
}

static lc_status begin(lc_local_preview *preview, const lc_universe *universe, const lc_look *look,
                       uint64_t generations, const lc_universe_options *options,
                       lc_message *message)
{
    lc_rectangle area;
    if (!find_area(universe, look, generations, &area))
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "that cannot be shown ahead");
    lc_status status = make_window(preview, universe, &area, options, message);
    if (status != LC_OK)
        return status;
    preview->area = area;
    preview->made = 0;
    return copy_all(preview, universe, message);
}

lc_status lc_local_preview_render(lc_local_preview *preview, const lc_universe *universe,
                                  uint64_t revision, const lc_look *look, uint32_t look_revision,
                                  uint64_t ahead, uint64_t generations,
                                  const lc_universe_options *options, unsigned char *payload,
                                  lc_message *message)
{
    lc_status status = LC_OK;
    if (!preview->holds || preview->revision != revision ||
        preview->look_revision != look_revision || ahead < preview->made) {
        status = begin(preview, universe, look, generations, options, message);
        preview->revision = revision;
        preview->look_revision = look_revision;
    }
    if (status == LC_OK)
        status = lc_universe_step(preview->window, lc_count_of(ahead - preview->made), NULL, NULL,
                                  message);
    preview->holds = status == LC_OK;
    if (status != LC_OK)
        return status;
    preview->made = ahead;
    lc_look shown = *look;
    shown.x -= preview->area.x;
    shown.y -= preview->area.y;
    return lc_render(preview->window, &shown, payload, message);
}

void lc_local_preview_free(lc_local_preview *preview)
{
    lc_universe_destroy(&preview->window);
    free(preview->words);
    *preview = (lc_local_preview){0};
}
