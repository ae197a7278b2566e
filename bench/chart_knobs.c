// What the settings of a design do: a map of two knobs, or a strip of one.
//
// Settings are a text of knobs, "block=16,ldg=1". At each board one of the measurements is the
// base: that from which the most others differ in one knob only. A map shows the measurements that
// differ from it in no more than two knobs, if they are more than a row and a column crossing;
// knobs that are in no map have a strip, a row a board.
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"

enum { KNOBS_MAX = 16, VALUES_MAX = 24, BOARDS_MAX = 16, WORD_BYTES = 24 };

typedef char word[WORD_BYTES];

typedef struct setting {
    const lc_measurement *measurement;
    word values[KNOBS_MAX]; // "" where the knob is not among its settings
} setting;

typedef struct knob_sweep {
    const lc_charts *charts;
    const lc_series *series;
    word knobs[KNOBS_MAX];
    size_t knob_count;
    setting *settings; // all of the series
    size_t count;
    const lc_measurement *boards[BOARDS_MAX]; // one of each, by size
    size_t board_count;
    FILE *file;
    double y; // where the next panel goes
    double width;
} knob_sweep;

static const double left = 16, row_height = 30;

static void copy_word(word out, const char *text, size_t bytes)
{
    snprintf(out, WORD_BYTES, "%.*s", (int)(bytes < WORD_BYTES ? bytes : WORD_BYTES - 1), text);
}

static void read_settings(knob_sweep *sweep, setting *into, const lc_measurement *measurement)
{
    *into = (setting){.measurement = measurement};
    const char *text = lc_measurement_settings(measurement);
    while (*text != '\0') {
        size_t bytes = strcspn(text, ",");
        const char *equals = memchr(text, '=', bytes);
        if (equals != NULL) {
            word name;
            copy_word(name, text, (size_t)(equals - text));
            size_t k = 0;
            while (k < sweep->knob_count && strcmp(sweep->knobs[k], name) != 0)
                k++;
            if (k < KNOBS_MAX) {
                if (k == sweep->knob_count)
                    memcpy(sweep->knobs[sweep->knob_count++], name, sizeof name);
                copy_word(into->values[k], equals + 1, bytes - (size_t)(equals + 1 - text));
            }
        }
        text += bytes + (text[bytes] == ',' ? 1 : 0);
    }
}

static bool at_board(const setting *one, const lc_measurement *board)
{
    return lc_same_board(one->measurement, board);
}

// In how many knobs they differ, not counting two of them (KNOBS_MAX: none).
static size_t distance(const knob_sweep *sweep, const setting *a, const setting *b, size_t but,
                       size_t and_but)
{
    size_t differ = 0;
    for (size_t k = 0; k < sweep->knob_count; k++)
        differ += k != but && k != and_but && strcmp(a->values[k], b->values[k]) != 0;
    return differ;
}

static double rate_of(const setting *one)
{
    return one->measurement->record.cells_per_second;
}

static const setting *find_base(const knob_sweep *sweep, const lc_measurement *board)
{
    const setting *base = NULL;
    size_t most = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const setting *one = &sweep->settings[i];
        if (!at_board(one, board))
            continue;
        size_t near = 0;
        for (size_t k = 0; k < sweep->count; k++)
            near += at_board(&sweep->settings[k], board) &&
                    distance(sweep, one, &sweep->settings[k], KNOBS_MAX, KNOBS_MAX) <= 1;
        if (base == NULL || near > most || (near == most && rate_of(one) > rate_of(base))) {
            base = one;
            most = near;
        }
    }
    return base;
}

// The fastest measurement at a board with these values of two knobs (`second` KNOBS_MAX: of one)
// and the base's values of all others.
static const setting *find_cell(const knob_sweep *sweep, const setting *base, size_t first,
                                const char *first_value, size_t second, const char *second_value)
{
    const setting *found = NULL;
    for (size_t i = 0; i < sweep->count; i++) {
        const setting *one = &sweep->settings[i];
        if (at_board(one, base->measurement) && distance(sweep, one, base, first, second) == 0 &&
            strcmp(one->values[first], first_value) == 0 &&
            (second == KNOBS_MAX || strcmp(one->values[second], second_value) == 0) &&
            (found == NULL || rate_of(one) > rate_of(found)))
            found = one;
    }
    return found;
}

static int by_value(const void *a, const void *b)
{
    const char *p = a;
    const char *q = b;
    char *p_end = NULL;
    char *q_end = NULL;
    double x = strtod(p, &p_end);
    double y = strtod(q, &q_end);
    if (p_end != p && q_end != q && x != y)
        return x < y ? -1 : 1;
    return strcmp(p, q);
}

// Adds a value that is not among the values yet.
static void add_value(word values[VALUES_MAX], size_t *count, const char *value)
{
    for (size_t k = 0; k < *count; k++)
        if (strcmp(values[k], value) == 0)
            return;
    if (*count < VALUES_MAX)
        memcpy(values[(*count)++], value, WORD_BYTES);
}

// The values that a knob has, ascending, among the measurements that differ from a base in no other
// knob than this one and `second`.
static size_t find_values(const knob_sweep *sweep, const setting *base, size_t knob, size_t second,
                          word values[VALUES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const setting *one = &sweep->settings[i];
        if (!at_board(one, base->measurement) || distance(sweep, one, base, knob, second) > 0)
            continue;
        add_value(values, &count, one->values[knob]);
    }
    qsort(values, count, WORD_BYTES, by_value);
    return count;
}

static bool has_map(const knob_sweep *sweep, const setting *base, size_t first, size_t second)
{
    word rows[VALUES_MAX];
    word columns[VALUES_MAX];
    size_t row_count = find_values(sweep, base, first, second, rows);
    size_t column_count = find_values(sweep, base, second, first, columns);
    if (row_count < 2 || column_count < 2)
        return false;
    size_t filled = 0;
    for (size_t i = 0; i < row_count; i++)
        for (size_t k = 0; k < column_count; k++)
            filled += find_cell(sweep, base, first, rows[i], second, columns[k]) != NULL;
    return filled > row_count + column_count - 1;
}

// Cells ---------------------------------------------------------------------------------------

// A share of the fastest from 50 % up, in the colours of viridis.
static void share_colour(double share, int rgb[3])
{
    static const int stops[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142},
                                   {38, 130, 142}, {31, 158, 137}, {53, 183, 121}, {109, 205, 89},
                                   {180, 222, 44}, {253, 231, 37}};
    const int last = (int)(sizeof stops / sizeof stops[0]) - 1;
    double at = fmin(fmax((share - 0.5) * 2, 0), 1) * last;
    int stop = at >= last ? last - 1 : (int)at;
    for (int i = 0; i < 3; i++)
        rgb[i] = (int)lround(stops[stop][i] + (at - stop) * (stops[stop + 1][i] - stops[stop][i]));
}

static void draw_cell(FILE *file, const setting *one, double fastest, double x, double y,
                      double cell_width)
{
    if (one == NULL) {
        lc_svg_rect(file, "blank", x + 1.5, y + 1.5, cell_width - 3, row_height - 3);
        return;
    }
    double share = rate_of(one) / fastest;
    int rgb[3];
    char number[LC_NUMBER_BYTES];
    share_colour(share, rgb);
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"#%02x%02x%02x\"/>\n",
            x + 0.5, y + 0.5, cell_width - 1, row_height - 1, (unsigned)rgb[0], (unsigned)rgb[1],
            (unsigned)rgb[2]);
    bool is_fastest = rate_of(one) >= fastest;
    if (is_fastest)
        lc_svg_rect(file, "chosen", x + 2, y + 2, cell_width - 4, row_height - 4);
    lc_number_format(rate_of(one) / 1e9, number);
    bool light = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] < 115;
    lc_svg_text(file, light ? "light" : "dark", x + cell_width / 2, y + row_height / 2 + 4,
                LC_SVG_MIDDLE, "%s", number);
}

static double cell_width_for(size_t columns)
{
    return columns > 12 ? 52 : 62;
}

static double widest(word *words, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, lc_svg_text_width(words[i], 12));
    return most;
}

static void draw_columns(knob_sweep *sweep, word *values, size_t count, double x, double cell_width)
{
    for (size_t k = 0; k < count; k++)
        lc_svg_text(sweep->file, "", x + ((double)k + 0.5) * cell_width, sweep->y - 6,
                    LC_SVG_MIDDLE, "%.9s", values[k][0] != '\0' ? values[k] : "-");
    sweep->width = fmax(sweep->width, x + (double)count * cell_width + 16);
}

static void draw_map(knob_sweep *sweep, const setting *base, size_t first, size_t second)
{
    word rows[VALUES_MAX];
    word columns[VALUES_MAX];
    size_t row_count = find_values(sweep, base, first, second, rows);
    size_t column_count = find_values(sweep, base, second, first, columns);
    double fastest = 0;
    for (size_t i = 0; i < row_count; i++)
        for (size_t k = 0; k < column_count; k++) {
            const setting *one = find_cell(sweep, base, first, rows[i], second, columns[k]);
            fastest = one != NULL ? fmax(fastest, rate_of(one)) : fastest;
        }
    char board[96];
    double cell_width = cell_width_for(column_count);
    double x =
        left + fmax(widest(rows, row_count), lc_svg_text_width(sweep->knobs[first], 12)) + 24;
    lc_measurement_board(base->measurement, board, sizeof board);
    lc_svg_text(sweep->file, "", left, sweep->y + 14, LC_SVG_START, "Board of %s cells", board);
    lc_svg_text(sweep->file, "soft", x + (double)column_count * cell_width / 2, sweep->y + 38,
                LC_SVG_MIDDLE, "%s", sweep->knobs[second]);
    sweep->y += 62;
    lc_svg_text(sweep->file, "soft", x - 10, sweep->y - 6, LC_SVG_END, "%s", sweep->knobs[first]);
    draw_columns(sweep, columns, column_count, x, cell_width);
    for (size_t i = 0; i < row_count; i++) {
        lc_svg_text(sweep->file, "", x - 10, sweep->y + row_height / 2 + 4, LC_SVG_END, "%s",
                    rows[i][0] != '\0' ? rows[i] : "-");
        for (size_t k = 0; k < column_count; k++)
            draw_cell(sweep->file, find_cell(sweep, base, first, rows[i], second, columns[k]),
                      fastest, x + (double)k * cell_width, sweep->y, cell_width);
        sweep->y += row_height;
    }
    sweep->y += 26;
}

// A row for each board that has more than one value.
static void draw_strip(knob_sweep *sweep, size_t knob, const bool rows[BOARDS_MAX])
{
    word columns[VALUES_MAX];
    size_t column_count = 0;
    for (size_t b = 0; b < sweep->board_count; b++) {
        if (!rows[b])
            continue;
        word values[VALUES_MAX];
        size_t count =
            find_values(sweep, find_base(sweep, sweep->boards[b]), knob, KNOBS_MAX, values);
        for (size_t i = 0; i < count; i++)
            add_value(columns, &column_count, values[i]);
    }
    qsort(columns, column_count, WORD_BYTES, by_value);

    double cell_width = cell_width_for(column_count);
    double x = left + 140;
    sweep->y += 38;
    lc_svg_text(sweep->file, "soft", x - 10, sweep->y - 6, LC_SVG_END, "board, cells");
    lc_svg_text(sweep->file, "soft", x + (double)column_count * cell_width / 2, sweep->y - 24,
                LC_SVG_MIDDLE, "%s", sweep->knobs[knob]);
    draw_columns(sweep, columns, column_count, x, cell_width);
    for (size_t b = 0; b < sweep->board_count; b++) {
        if (!rows[b])
            continue;
        const setting *base = find_base(sweep, sweep->boards[b]);
        const setting *cells[VALUES_MAX];
        double fastest = 0;
        for (size_t k = 0; k < column_count; k++) {
            cells[k] = find_cell(sweep, base, knob, columns[k], KNOBS_MAX, "");
            fastest = cells[k] != NULL ? fmax(fastest, rate_of(cells[k])) : fastest;
        }
        char board[96];
        lc_measurement_board(base->measurement, board, sizeof board);
        lc_svg_text(sweep->file, "", x - 10, sweep->y + row_height / 2 + 4, LC_SVG_END, "%s",
                    board);
        for (size_t k = 0; k < column_count; k++)
            draw_cell(sweep->file, cells[k], fastest, x + (double)k * cell_width, sweep->y,
                      cell_width);
        sweep->y += row_height;
    }
    sweep->y += 24;
}

static void draw_scale(knob_sweep *sweep)
{
    const int steps = 25;
    const double step_width = 12;
    for (int i = 0; i < steps; i++) {
        int rgb[3];
        share_colour(0.5 + 0.5 * (i + 0.5) / steps, rgb);
        fprintf(sweep->file,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" "
                "fill=\"#%02x%02x%02x\"/>\n",
                left + i * step_width, sweep->y, step_width + 0.3, (unsigned)rgb[0],
                (unsigned)rgb[1], (unsigned)rgb[2]);
    }
    double end = left + steps * step_width;
    lc_svg_text(sweep->file, "small", left, sweep->y + 25, LC_SVG_START, "50 %% or less");
    lc_svg_text(sweep->file, "small", (left + end) / 2, sweep->y + 25, LC_SVG_MIDDLE, "75 %%");
    lc_svg_text(sweep->file, "small", end, sweep->y + 25, LC_SVG_END, "100 %% of the fastest");
    sweep->y += 40;
}

// Panels --------------------------------------------------------------------------------------

static bool read_sweep(knob_sweep *sweep)
{
    const lc_series *series = sweep->series;
    sweep->settings = calloc(series->all_count, sizeof *sweep->settings);
    if (sweep->settings == NULL)
        return false;
    sweep->count = series->all_count;
    for (size_t i = 0; i < series->all_count; i++)
        read_settings(sweep, &sweep->settings[i], series->all[i]);
    for (size_t i = 0; i < series->count && sweep->board_count < BOARDS_MAX; i++)
        sweep->boards[sweep->board_count++] = series->points[i];
    qsort(sweep->boards, sweep->board_count, sizeof sweep->boards[0], lc_measurement_by_side);
    return true;
}

// Draws into the figure that is open, or, without one, finds out whether there is anything to draw.
static bool draw_panels(knob_sweep *sweep)
{
    bool strips[KNOBS_MAX][BOARDS_MAX] = {{false}};
    bool any = false;
    for (size_t b = 0; b < sweep->board_count; b++) {
        const setting *base = find_base(sweep, sweep->boards[b]);
        bool mapped[KNOBS_MAX] = {false};
        for (size_t i = 0; i < sweep->knob_count; i++) {
            for (size_t k = i + 1; k < sweep->knob_count; k++) {
                if (!has_map(sweep, base, i, k))
                    continue;
                if (sweep->file != NULL)
                    draw_map(sweep, base, i, k);
                mapped[i] = mapped[k] = any = true;
            }
        }
        for (size_t i = 0; i < sweep->knob_count; i++) {
            word values[VALUES_MAX];
            strips[i][b] = !mapped[i] && find_values(sweep, base, i, KNOBS_MAX, values) > 1;
            any |= strips[i][b];
        }
    }
    for (size_t i = 0; i < sweep->knob_count && sweep->file != NULL; i++)
        if (memchr(strips[i], true, sizeof strips[i]) != NULL)
            draw_strip(sweep, i, strips[i]);
    return any;
}

static lc_status draw_figure(lc_charts *charts, knob_sweep *sweep)
{
    char name[LC_SERIES_NAME_BYTES + 8];
    char heading[LC_SERIES_NAME_BYTES + 24];
    snprintf(name, sizeof name, "knobs-%s", sweep->series->name);
    snprintf(heading, sizeof heading, "Settings of %s", sweep->series->name);
    lc_figure *figure = lc_figure_begin(charts, name, heading);
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    sweep->file = figure->drawing_file;
    sweep->y = 62;
    sweep->width = 560;
    lc_svg_text(sweep->file, "soft", left, sweep->y + 8, LC_SVG_START, "throughput, Gcells/s");
    sweep->y += 22;
    lc_figure_head(charts, figure, sweep->series->on_gpu, !sweep->series->on_gpu);
    draw_panels(sweep);
    draw_scale(sweep);
    fputs(
        "Numbers: throughput in Gcells/s, from the median run. Colours: its share of the fastest "
        "in "
        "the map, or in the row of a strip; the fastest has a frame. All other knobs are as in the "
        "setting that most others differ from in one knob only. Dashed: not measured, or refused.",
        figure->caption_file);
    return lc_figure_end(figure, true, sweep->width, sweep->y + 10);
}

lc_status lc_chart_knobs(lc_charts *charts)
{
    bool any = false;
    for (size_t i = 0; i < charts->series_count; i++) {
        knob_sweep sweep = {.charts = charts, .series = &charts->series[i]};
        if (!read_sweep(&sweep))
            return LC_ERROR_MEMORY;
        lc_status status = LC_OK;
        if (draw_panels(&sweep)) {
            any = true;
            status = draw_figure(charts, &sweep);
        }
        free(sweep.settings);
        if (status != LC_OK)
            return status;
    }
    if (any)
        return LC_OK;
    lc_figure *figure = lc_figure_begin(charts, "knobs", "Settings");
    if (figure == NULL)
        return LC_ERROR_MEMORY;
    fputs("No picture of settings: no design was measured with more than one at the same board.",
          figure->caption_file);
    return lc_figure_end(figure, false, 0, 0);
}
