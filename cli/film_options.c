// Chooses the area and the scale of a film.
#include "film_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "formats.h"
#include "message.h"
#include "multiple.h"
#include "number.h"
#include "options.h"
#include "progress.h"
#include "run_options.h"
#include "signals.h"
#include "start.h"

enum {
    USUAL_PIXELS = 1024, // pixels of the picture's longer side, unless --scale is given
    LARGEST_CELL = 16,   // pixels
    MARGIN_CELLS = 2,    // margin around the live cells in unbounded directions
};

static const char light_ending[] = "-light";

const char *lc_cli_film_rate(const char *text, void *to)
{
    lc_cli_film_options *film = to;
    uint64_t value;
    if (lc_cli_parse_u64(text, &value) != NULL || value == 0 || value > LC_FILM_RATE_MAX)
        return "must be 1 to 1000 frames per second";
    film->rate = value;
    return NULL;
}

// Parses a signed integer that is followed by a comma. Returns the text after the comma, or NULL if
// the text is invalid.
static const char *parse_place(const char *text, int64_t *place)
{
    char digits[64];
    const bool negative = *text == '-';
    uint64_t value;
    text += negative;
    const size_t length = strcspn(text, ",");
    if (text[length] != ',' || length >= sizeof digits)
        return NULL;
    snprintf(digits, sizeof digits, "%.*s", (int)length, text);
    if (lc_cli_parse_u64(digits, &value) != NULL || value > (uint64_t)LC_UNIVERSE_REACH)
        return NULL;
    *place = negative ? -(int64_t)value : (int64_t)value;
    return text + length + 1;
}

const char *lc_cli_film_area(const char *text, void *to)
{
    lc_cli_film_options *film = to;
    const char *rest = parse_place(text, &film->x);
    rest = rest != NULL ? parse_place(rest, &film->y) : NULL;
    if (rest == NULL || lc_cli_parse_size(rest, &film->width_cells, &film->height_cells) != NULL ||
        film->width_cells == 0 || film->height_cells == 0)
        return "is not a rectangle X,Y,WxH of cells, such as -50,-20,400x300";
    film->has_area = true;
    return NULL;
}

const char *lc_cli_film_scale(const char *text, void *to)
{
    lc_cli_film_options *film = to;
    static const char wrong[] =
        "is neither a number of pixels a cell, nor 1:N cells a pixel, N being a power of two";
    const bool is_far = strncmp(text, "1:", 2) == 0;
    uint64_t value;
    if (lc_cli_parse_u64(is_far ? text + 2 : text, &value) != NULL || value == 0)
        return wrong;
    if (!is_far) {
        if (value > LC_FILM_PIXELS_MAX)
            return "is too large";
        film->side_pixels = (int64_t)value;
        film->log2_side = 0;
        return NULL;
    }
    if ((value & (value - 1)) != 0)
        return wrong;
    film->side_pixels = 1;
    film->log2_side = lc_count_log2(lc_count_of(value));
    return NULL;
}

// Returns the name of the theme without the suffix "-light". Sets *light to whether `typed` has the
// suffix "-light". Returns NULL if the theme is unknown.
static const char *find_theme(const char *typed, bool *light)
{
    const size_t length = strlen(typed), ending = strlen(light_ending);
    *light = length > ending && strcmp(typed + length - ending, light_ending) == 0;
    const size_t own = *light ? length - ending : length;
    const char *name;
    for (size_t i = 0; (name = lc_film_theme_at(i)) != NULL; i++)
        if (strlen(name) == own && memcmp(name, typed, own) == 0)
            return name;
    return NULL;
}

static int refuse_theme(const char *command, const char *typed)
{
    lc_cli_nearest nearest = {.word = typed};
    const char *name;
    char all[256] = "themes are ";
    for (size_t i = 0; (name = lc_film_theme_at(i)) != NULL; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", name);
        lc_cli_nearest_try(&nearest, name);
    }
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, ", each also with %s", light_ending);
    return lc_cli_unknown(command, "theme", &nearest, all);
}

static const char *noun_of(const lc_cli_film_options *film)
{
    return film->is_picture ? "picture" : "film";
}

int lc_cli_film_check(const char *command, const lc_cli_film_options *film)
{
    bool light;
    const char *noun = noun_of(film);
    if (film->path == NULL)
        return film->has_area || film->rate != 0 || film->side_pixels != 0 || film->theme != NULL
                   ? lc_cli_usage(command, "--area, --rate, --scale and --theme need --%s FILE.png",
                                  noun)
                   : LC_EXIT_OK;
    const char *ending = lc_format_ending(film->path);
    if (strcmp(film->path, "-") == 0)
        return lc_cli_usage(command, "--%s needs a file, not standard output", noun);
    if (*ending != '\0' && strcmp(ending, ".png") != 0 && strcmp(ending, ".apng") != 0)
        return lc_cli_usage(command, "--%s: \"%s\": a %s is an animated PNG: .png or .apng", noun,
                            film->path, noun);
    if (film->theme != NULL && find_theme(film->theme, &light) == NULL)
        return refuse_theme(command, film->theme);
    return lc_cli_refuse_terminal(command, film->path);
}

// ---- the bounding box of the whole run ---------------------------------------------------------

typedef struct ahead {
    lc_cli_progress progress;
    lc_count start;
} ahead;

static bool between_passes(void *context, const lc_universe *universe, lc_count done,
                           lc_count total)
{
    ahead *a = context;
    (void)done;
    (void)total;
    const lc_count generation = lc_universe_generation(universe);
    lc_cli_progress_update(&a->progress, universe, lc_count_distance(a->start, generation),
                           lc_cli_now_ns());
    return lc_signals_received() != 0;
}

// Steps a copy of the universe to each generation that the film shows. Finds the smallest box that
// contains the live cells of all generations in the film. If the copy cannot continue, the run will
// fail at the same generation and report the error.
static lc_status look_ahead(const lc_run_options *options, const lc_universe *universe,
                            lc_count target, lc_cli_extent *x, lc_cli_extent *y,
                            lc_message *message)
{
    lc_universe *scout;
    ahead a = {.start = lc_universe_generation(universe)};
    lc_status status = lc_start_copy(options, universe, &scout, message);
    if (status != LC_OK)
        return status;
    lc_count generation = a.start;
    lc_cli_progress_begin(&a.progress, options->quiet ? LC_PROGRESS_NEVER : options->progress,
                          scout, lc_count_distance(a.start, target));
    for (bool goes_on = true;;) {
        lc_facts facts;
        status = lc_universe_facts(scout, LC_FACT_BOX, &facts, message);
        if (status != LC_OK)
            break;
        if (!facts.wide_box.empty) {
            lc_cli_extent_add(x, facts.wide_box.x, facts.wide_box.width_cells);
            lc_cli_extent_add(y, facts.wide_box.y, facts.wide_box.height_cells);
        }
        if (!goes_on || lc_count_compare(generation, target) >= 0)
            break;
        const lc_count next = lc_cli_next_multiple(generation, options->every_generations, target);
        goes_on = lc_universe_step(scout, lc_count_distance(generation, next), between_passes, &a,
                                   NULL) == LC_OK;
        generation = next;
    }
    lc_cli_progress_end(&a.progress);
    lc_universe_destroy(&scout);
    return status;
}

// ---- the view ----------------------------------------------------------------------------------

static bool find_view(const lc_cli_extent *x, const lc_cli_extent *y, int log2_side,
                      lc_film_options *view)
{
    view->log2_side = log2_side;
    return lc_cli_extent_squares(x, log2_side, &view->column, &view->width) &&
           lc_cli_extent_squares(y, log2_side, &view->row, &view->height);
}

// Chooses the scale that the user gave, or a scale that yields a picture of the default size.
static lc_status choose_view(const lc_cli_film_options *film, const lc_cli_extent *x,
                             const lc_cli_extent *y, lc_film_options *view, lc_message *message)
{
    if (film->side_pixels != 0) {
        view->side_pixels = film->side_pixels;
        return find_view(x, y, film->log2_side, view)
                   ? LC_OK
                   : lc_fail(message, LC_ERROR_LIMIT, "a picture of all cells would be too large");
    }
    for (int log2_side = 0; log2_side <= LC_WIDE_REACH_LOG2; log2_side++) {
        if (!find_view(x, y, log2_side, view) || view->width > USUAL_PIXELS ||
            view->height > USUAL_PIXELS)
            continue;
        const int64_t longer = view->width > view->height ? view->width : view->height;
        const int64_t fits = USUAL_PIXELS / longer;
        view->side_pixels = log2_side > 0 ? 1 : fits < LARGEST_CELL ? fits : LARGEST_CELL;
        return LC_OK;
    }
    return lc_fail(message, LC_ERROR_LIMIT, "some cells are too far away for a picture");
}

// Adds a margin to the extent of the live cells in an unbounded direction.
static void follow(lc_cli_extent *life)
{
    lc_cli_extent_widen_start(life, MARGIN_CELLS);
    lc_cli_extent_widen_end(life, MARGIN_CELLS);
}

static lc_status find_area(const lc_run_options *options, const lc_universe *universe,
                           lc_count target, lc_cli_extent *x, lc_cli_extent *y, lc_message *message)
{
    const lc_cli_film_options *film = &options->film;
    const lc_topology *topology = lc_universe_topology(universe);
    const int64_t width = topology->width_cells, height = topology->height_cells;
    if (film->has_area) {
        lc_cli_extent_add(x, lc_coordinate_of(film->x), lc_count_of((uint64_t)film->width_cells));
        lc_cli_extent_add(y, lc_coordinate_of(film->y), lc_count_of((uint64_t)film->height_cells));
        return LC_OK;
    }
    lc_status status = LC_OK;
    if (width == 0 || height == 0)
        status = look_ahead(options, universe, target, x, y, message);
    if (width == 0)
        follow(x);
    else
        *x = (lc_cli_extent){true, lc_coordinate_of(0), lc_coordinate_of(width - 1)};
    if (height == 0)
        follow(y);
    else
        *y = (lc_cli_extent){true, lc_coordinate_of(0), lc_coordinate_of(height - 1)};
    return status;
}

static int report(const lc_cli_film_options *film, lc_status status, const lc_message *message)
{
    lc_cli_report(film->path, status, message);
    if (status == LC_ERROR_LIMIT || (status == LC_ERROR_ARGUMENT && film->has_area))
        lc_cli_error("choose what a %s shows with --area X,Y,WxH, and how large with --scale N "
                     "or --scale 1:N",
                     noun_of(film));
    return LC_EXIT_FAILURE;
}

int lc_cli_film_view(const lc_run_options *options, const lc_universe *universe, lc_count target,
                     lc_film_options *view)
{
    const lc_cli_film_options *film = &options->film;
    lc_message message = {0};
    lc_cli_extent x = {0}, y = {0};
    *view = (lc_film_options){.struct_bytes = sizeof *view,
                              .rate = (uint32_t)film->rate,
                              .rule = lc_universe_rule(universe)};
    if (film->theme != NULL)
        view->theme = find_theme(film->theme, &view->light);
    lc_status status = find_area(options, universe, target, &x, &y, &message);
    const int signal = lc_signals_received();
    if (signal != 0) {
        lc_cli_error("stopped while finding the area of the %s; nothing was written",
                     noun_of(film));
        return LC_EXIT_SIGNAL + signal;
    }
    if (status == LC_OK)
        status = choose_view(film, &x, &y, view, &message);
    return status == LC_OK ? LC_EXIT_OK : report(film, status, &message);
}

int lc_cli_film_begin(lc_film **out, const lc_run_options *options, const lc_film_options *view)
{
    lc_message message = {0};
    const lc_status status = lc_film_create(out, options->film.path, view, &message);
    return status == LC_OK ? LC_EXIT_OK : report(&options->film, status, &message);
}

void lc_cli_film_print(FILE *file, const char *path, uint64_t pictures, const lc_film_options *view)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], c[LC_CLI_NUMBER_BYTES];
    lc_cli_print_text(file, path);
    fprintf(file, ", %s picture%s of %s x %s pixels, ", lc_cli_format_u64(pictures, a),
            pictures == 1 ? "" : "s", lc_cli_format_i64(view->width * view->side_pixels, b),
            lc_cli_format_i64(view->height * view->side_pixels, c));
    if (view->log2_side == 0) {
        fprintf(file, "%lld x %lld a cell\n", (long long)view->side_pixels,
                (long long)view->side_pixels);
    } else {
        lc_count cells;
        (void)lc_count_shift_left(lc_count_of(1), (unsigned)view->log2_side, &cells);
        fprintf(file, "1 for %s x %s cells\n", lc_cli_format_count(cells, a),
                lc_cli_format_count(cells, b));
    }
}
