// Windows of universes, taken, foreseen and compared; board_window.h says what they are.
#include "board_window.h"

#include <stdlib.h>
#include <string.h>

bool lc_board_window_wraps(const lc_topology *topology)
{
    return topology->kind == LC_TOPOLOGY_TORUS && topology->width_cells > 0 &&
           topology->height_cells > 0 && topology->shift_x_cells == 0 &&
           topology->shift_y_cells == 0;
}

static int64_t modulo(int64_t a, int64_t n)
{
    int64_t rest = a % n;
    return rest < 0 ? rest + n : rest;
}

static int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static size_t words_for(int64_t cells)
{
    return (size_t)((cells + 63) / 64);
}

// Or's `count` bits, of which those past the last are zero, into `to` from bit `at` on.
static void put_bits(uint64_t *to, int64_t at, const uint64_t *from, int64_t count)
{
    size_t word = (size_t)(at / 64);
    unsigned shift = (unsigned)(at % 64);
    for (size_t i = 0; i < words_for(count); i++) {
        to[word + i] |= from[i] << shift;
        // The part that spills over exists only if it has live cells.
        if (shift != 0 && from[i] >> (64 - shift) != 0)
            to[word + i + 1] |= from[i] >> (64 - shift);
    }
}

// A row of a window, at `words`.
static lc_cells row_cells(const lc_board_window *w, int64_t x, int64_t y, int64_t width_cells,
                          uint64_t *words)
{
    lc_cells row = lc_row_cells(x, y, width_cells, words);
    row.planes = w->planes;
    row.plane_words = w->plane_words;
    row.pitch_words = w->pitch_words;
    return row;
}

// Row y, cells w->x and further, of the universe or of the plane that it unfolds to. `words` and
// `piece` have room for a row of the window.
static lc_status read_unfolded(const lc_universe *universe, const lc_board_window *w, int64_t y,
                               uint64_t *words, uint64_t *piece)
{
    const lc_topology *topology = lc_universe_topology(universe);
    if (!lc_board_window_wraps(topology)) {
        const lc_cells row = row_cells(w, w->x, y, w->width_cells, words);
        return lc_universe_read(universe, &row, NULL);
    }
    y = modulo(y, topology->height_cells);
    memset(words, 0, w->pitch_words * sizeof *words);
    for (int64_t at = 0; at < w->width_cells;) {
        int64_t from = modulo(w->x + at, topology->width_cells);
        int64_t count = min_i64(w->width_cells - at, topology->width_cells - from);
        const lc_cells row = row_cells(w, from, y, count, piece);
        lc_status status = lc_universe_read(universe, &row, NULL);
        if (status != LC_OK)
            return status;
        for (size_t p = 0; p < (size_t)w->planes; p++)
            put_bits(words + p * w->plane_words, at, piece + p * w->plane_words, count);
        at += count;
    }
    return LC_OK;
}

void lc_board_window_free(lc_board_window *window)
{
    free(window->words);
    *window = (lc_board_window){.words = NULL};
}

lc_status lc_board_window_take(lc_board_window *out, const lc_universe *universe, int64_t x,
                               int64_t y, int64_t width_cells, int64_t height_cells)
{
    const int planes = lc_rule_traits(lc_universe_rule(universe))->planes;
    *out = (lc_board_window){.x = x,
                             .y = y,
                             .width_cells = width_cells,
                             .height_cells = height_cells,
                             .planes = planes,
                             .plane_words = words_for(width_cells),
                             .pitch_words = words_for(width_cells) * (size_t)planes};
    size_t words = 0;
    if (__builtin_mul_overflow(out->pitch_words, (size_t)height_cells, &words))
        return LC_ERROR_MEMORY;
    out->words = calloc(words, sizeof *out->words);
    uint64_t *piece = malloc((out->pitch_words + 1) * sizeof *piece);
    lc_status status = out->words != NULL && piece != NULL ? LC_OK : LC_ERROR_MEMORY;
    for (int64_t row = 0; row < height_cells && status == LC_OK; row++)
        status = read_unfolded(universe, out, y + row, out->words + (size_t)row * out->pitch_words,
                               piece);
    free(piece);
    if (status != LC_OK)
        lc_board_window_free(out);
    return status;
}

static int window_state(const lc_board_window *window, int64_t column, int64_t row)
{
    const uint64_t *words = window->words + (size_t)row * window->pitch_words;
    int state = 0;
    for (int p = 0; p < window->planes; p++)
        state |=
            (int)(words[(size_t)p * window->plane_words + (size_t)(column / 64)] >> (column % 64) &
                  1)
            << p;
    return state;
}

// Writes a window to the origin of a universe.
static lc_status fill_from_window(lc_universe *universe, const lc_board_window *window,
                                  lc_message *message)
{
    lc_cells cells = row_cells(window, 0, 0, window->width_cells, window->words);
    cells.height_cells = window->height_cells;
    return lc_universe_write(universe, &cells, message);
}

// What a light cone can see along one axis: from `*start` on, `*length` cells.
static lc_status cone_extent(const lc_topology *topology, int64_t size_cells, int64_t depth,
                             int64_t *start, int64_t *length, lc_message *message)
{
    int64_t first = *start - depth;
    int64_t end = *start + *length + depth;
    if (!lc_board_window_wraps(topology) && (first < 0 || end > size_cells)) {
        if (topology->kind != LC_TOPOLOGY_PLANE)
            return lc_fail(message, LC_ERROR_ARGUMENT,
                           "the light cone of a window crosses an edge that is twisted or "
                           "shifted");
        // The cut plane has the same edge there: nothing beyond it.
        first = first < 0 ? 0 : first;
        end = min_i64(end, size_cells);
    }
    *start = first;
    *length = end - first;
    return LC_OK;
}

// Steps the cone's cells alone and takes the middle of them.
static lc_status step_cone(lc_board_window *out, const lc_board_window *cone, const lc_rule *rule,
                           int64_t x, int64_t y, int64_t width_cells, int64_t height_cells,
                           uint64_t generations, int threads, lc_message *message)
{
    lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = rule,
        .topology = {.kind = LC_TOPOLOGY_PLANE,
                     .width_cells = cone->width_cells,
                     .height_cells = cone->height_cells},
        .engine = "scalar",
        .threads = threads,
    };
    lc_universe *alone = NULL;
    lc_status status = lc_universe_create(&alone, &options, message);
    if (status != LC_OK)
        return status;
    status = fill_from_window(alone, cone, message);
    if (status == LC_OK)
        status = lc_universe_step(alone, lc_count_of(generations), NULL, NULL, message);
    if (status == LC_OK) {
        status =
            lc_board_window_take(out, alone, x - cone->x, y - cone->y, width_cells, height_cells);
        out->x = x;
        out->y = y;
    }
    lc_universe_destroy(&alone);
    return status;
}

lc_status lc_board_window_foresee(lc_board_window *out, const lc_universe *universe, int64_t x,
                                  int64_t y, int64_t width_cells, int64_t height_cells,
                                  uint64_t generations, int threads, lc_message *message)
{
    *out = (lc_board_window){.words = NULL};
    const lc_topology *topology = lc_universe_topology(universe);
    int64_t depth = lc_rule_halo_cells(lc_universe_rule(universe), generations);
    int64_t cone_x = x;
    int64_t cone_y = y;
    int64_t cone_width = width_cells;
    int64_t cone_height = height_cells;
    lc_status status =
        cone_extent(topology, topology->width_cells, depth, &cone_x, &cone_width, message);
    if (status == LC_OK)
        status =
            cone_extent(topology, topology->height_cells, depth, &cone_y, &cone_height, message);
    if (status != LC_OK)
        return status;

    lc_board_window cone;
    status = lc_board_window_take(&cone, universe, cone_x, cone_y, cone_width, cone_height);
    if (status != LC_OK)
        return lc_fail(message, status, "a window of %lld x %lld cells could not be read: %s",
                       (long long)cone_width, (long long)cone_height, lc_status_text(status));
    status = step_cone(out, &cone, lc_universe_rule(universe), x, y, width_cells, height_cells,
                       generations, threads, message);
    lc_board_window_free(&cone);
    return status;
}

static char letter_of(int state)
{
    return state < 2 ? ".O"[state] : state < 27 ? (char)('a' + state - 2) : 'z';
}

static char found_cell(const lc_universe *universe, const lc_board_window *window, int64_t column,
                       int64_t row)
{
    const lc_topology *topology = lc_universe_topology(universe);
    int64_t x = window->x + column, y = window->y + row;
    if (lc_board_window_wraps(topology)) {
        x = modulo(x, topology->width_cells);
        y = modulo(y, topology->height_cells);
    }
    bool beyond_x = topology->width_cells > 0 && (x < 0 || x >= topology->width_cells);
    bool beyond_y = topology->height_cells > 0 && (y < 0 || y >= topology->height_cells);
    if (beyond_x || beyond_y)
        return ' ';
    lc_board_window cell;
    if (lc_board_window_take(&cell, universe, x, y, 1, 1) != LC_OK)
        return '?';
    const int state = window_state(&cell, 0, 0);
    lc_board_window_free(&cell);
    return letter_of(state);
}

static char expected_cell(const lc_board_window *window, int64_t column, int64_t row)
{
    if (column < 0 || column >= window->width_cells || row < 0 || row >= window->height_cells)
        return '?';
    return letter_of(window_state(window, column, row));
}

uint64_t lc_bench_generation(const lc_universe *universe)
{
    return lc_universe_generation(universe).words[0];
}

static void describe_difference(lc_difference *difference, const lc_board_window *expected,
                                const lc_universe *found, int64_t column, int64_t row)
{
    const lc_topology *topology = lc_universe_topology(found);
    *difference = (lc_difference){.x = expected->x + column,
                                  .y = expected->y + row,
                                  .generation = lc_bench_generation(found),
                                  .expected_state = window_state(expected, column, row)};
    for (int64_t r = 0; r < LC_NEIGHBOURHOOD_SIDE; r++) {
        for (int64_t c = 0; c < LC_NEIGHBOURHOOD_SIDE; c++) {
            int64_t dx = c - LC_NEIGHBOURHOOD_REACH;
            int64_t dy = r - LC_NEIGHBOURHOOD_REACH;
            difference->expected[r][c] = expected_cell(expected, column + dx, row + dy);
            difference->found[r][c] = found_cell(found, expected, column + dx, row + dy);
            // A window of a whole plane knows nothing beyond it, and there is nothing.
            if (difference->found[r][c] == ' ')
                difference->expected[r][c] = ' ';
        }
    }
    if (lc_board_window_wraps(topology)) {
        difference->x = modulo(difference->x, topology->width_cells);
        difference->y = modulo(difference->y, topology->height_cells);
    }
}

lc_status lc_board_window_compare(const lc_board_window *expected, const lc_universe *found,
                                  lc_difference *difference)
{
    uint64_t *words = malloc((expected->pitch_words + 1) * sizeof *words);
    uint64_t *piece = malloc((expected->pitch_words + 1) * sizeof *piece);
    lc_status status = words != NULL && piece != NULL ? LC_OK : LC_ERROR_MEMORY;
    for (int64_t row = 0; row < expected->height_cells && status == LC_OK; row++) {
        status = read_unfolded(found, expected, expected->y + row, words, piece);
        const uint64_t *must = expected->words + (size_t)row * expected->pitch_words;
        for (size_t i = 0; i < expected->plane_words && status == LC_OK; i++) {
            uint64_t differs = 0;
            for (size_t at = i; at < expected->pitch_words; at += expected->plane_words)
                differs |= words[at] ^ must[at];
            if (differs == 0)
                continue;
            int64_t column = (int64_t)i * 64 + __builtin_ctzll(differs);
            describe_difference(difference, expected, found, column, row);
            status = LC_ERROR_MISMATCH;
        }
    }
    free(words);
    free(piece);
    return status;
}
