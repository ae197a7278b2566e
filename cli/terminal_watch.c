// Draws a running universe in the terminal.
#include "terminal_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "number.h"
#include "progress.h"
#include "signals.h"

enum { PICTURES_A_SECOND = 20, STATUS_BYTES = LC_CLI_PICTURE_SIDE_MAX + 24 };

static const uint64_t second_ns = 1000000000;
static const uint64_t redraw_ns = 1000000000 / PICTURES_A_SECOND;
static const double usual_speed = PICTURES_A_SECOND;

static int lines_above; // number of lines of the last drawing, all above the cursor

void lc_cli_watch_leave(void)
{
    lines_above = 0;
}

bool lc_cli_watch_can_draw(void)
{
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

// ---- the view ----------------------------------------------------------------------------------

// Returns the extent to draw in one direction: all cells of a bounded direction, or the live cells
// of an unbounded direction.
static lc_cli_extent extent_of(int64_t size_cells, lc_coordinate first, lc_count length)
{
    lc_cli_extent extent = {0};
    if (size_cells > 0)
        lc_cli_extent_add(&extent, lc_coordinate_of(0), lc_count_of((uint64_t)size_cells));
    else
        lc_cli_extent_add(&extent, first, length);
    return extent;
}

static bool is_within(int64_t first, int64_t count, int64_t all_first, int64_t all_count)
{
    return first >= all_first && first + count <= all_first + all_count;
}

// Centres a window of `window` squares on `count` squares. The window stays within the range of
// coordinates.
static void centre(int log2_side, int64_t window, int64_t *first, int64_t *count)
{
    const int64_t reach =
        LC_UNIVERSE_REACH >> (log2_side > LC_CLI_PICTURE_NEAR_LOG2 ? 0 : log2_side);
    int64_t begin = *first - (window - *count) / 2;
    if (begin > reach - window)
        begin = reach - window;
    if (begin < -reach)
        begin = -reach;
    *first = begin;
    *count = window;
}

// Chooses the picture of a level. In unbounded directions, a margin is added around the cells.
// Returns false if the cells do not fit or are out of a picture's range.
static bool choose_level(lc_cli_picture *picture, const lc_universe *universe,
                         const lc_cli_extent *x, const lc_cli_extent *y,
                         const lc_cli_text_area *area, int level)
{
    const lc_topology *topology = lc_universe_topology(universe);
    if (!lc_cli_picture_level(picture, area, level))
        return false;
    const int64_t width = picture->width, height = picture->height;
    const int64_t room_x = topology->width_cells > 0 ? width : width - width / 4;
    const int64_t room_y = topology->height_cells > 0 ? height : height - height / 4;
    if (!lc_cli_picture_place(picture, universe, x, y) || picture->width > room_x ||
        picture->height > room_y)
        return false;
    if (topology->width_cells == 0)
        centre(picture->log2_side, width, &picture->column, &picture->width);
    if (topology->height_cells == 0)
        centre(picture->log2_side, height, &picture->row, &picture->height);
    return true;
}

// Whether the picture of the last drawing still contains all cells.
static bool still_fits(const lc_cli_picture *last, const lc_universe *universe,
                       const lc_cli_extent *x, const lc_cli_extent *y)
{
    lc_cli_picture picture = *last;
    return lc_cli_picture_place(&picture, universe, x, y) &&
           is_within(picture.column, picture.width, last->column, last->width) &&
           is_within(picture.row, picture.height, last->row, last->height);
}

// Chooses the picture to draw. Returns false if no picture contains all cells.
static bool choose_picture(lc_cli_watch *watch, const lc_universe *universe, const lc_wide_box *box)
{
    const lc_topology *topology = lc_universe_topology(universe);
    const lc_cli_text_area area = {.columns = watch->columns > 1 ? watch->columns - 1 : 1,
                                   .rows = watch->rows > 3 ? watch->rows - 2 : 1,
                                   .is_ascii = watch->is_ascii};
    lc_cli_picture picture;
    // If there are no live cells, the bounding box has size 0 at (0, 0), and the picture shows one
    // cell there.
    const lc_count one = lc_count_of(1);
    const lc_cli_extent x =
        extent_of(topology->width_cells, box->x, box->empty ? one : box->width_cells);
    const lc_cli_extent y =
        extent_of(topology->height_cells, box->y, box->empty ? one : box->height_cells);
    if (watch->has_picture && (box->empty || still_fits(&watch->picture, universe, &x, &y)))
        return true;
    for (int level = 0; lc_cli_picture_level(&picture, &area, level); level++) {
        if (choose_level(&picture, universe, &x, &y, &area, level)) {
            watch->picture = picture;
            watch->has_picture = true;
            return true;
        }
    }
    return false;
}

// ---- drawing -----------------------------------------------------------------------------------

// Writes the line below a drawing. Cuts the line at the terminal's width, because a wrapped line
// would break the next drawing.
static void write_status(const lc_cli_watch *watch, const lc_universe *universe,
                         const lc_facts *facts, char text[STATUS_BYTES])
{
    static const char cut[] = "...";
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], c[LC_CLI_NUMBER_BYTES];
    char rule[LC_RULE_TEXT_BYTES], scale[LC_CLI_PICTURE_SCALE_BYTES];
    const size_t columns = (size_t)watch->columns;
    lc_rule_format(lc_universe_rule(universe), lc_universe_topology(universe), rule);
    snprintf(text, STATUS_BYTES, "generation %s of %s, population %s%s, %s%s",
             lc_cli_format_count(lc_universe_generation(universe), a),
             lc_cli_format_count(watch->target, b), lc_cli_format_count(facts->population, c),
             lc_universe_background(universe) ? " dead cells in a live background" : "", rule,
             watch->has_picture ? lc_cli_picture_scale(&watch->picture, scale) : "");
    if (strlen(text) < columns)
        return;
    text[columns - 1] = '\0';
    if (columns > sizeof cut)
        memcpy(text + columns - sizeof cut, cut, sizeof cut);
}

static lc_status draw(lc_cli_watch *watch, const lc_universe *universe, lc_message *message)
{
    const uint64_t begin_ns = lc_cli_now_ns();
    char line[STATUS_BYTES];
    lc_facts facts;
    int columns, rows;
    lc_status status =
        lc_universe_facts(universe, LC_FACT_POPULATION | LC_FACT_BOX, &facts, message);
    if (status != LC_OK)
        return status;
    (void)lc_cli_terminal_size(&columns, &rows);
    // A resized terminal may have wrapped the lines, so the start of the drawing is unknown.
    const bool is_resized = columns != watch->columns || rows != watch->rows;
    watch->columns = columns;
    watch->rows = rows;
    if (is_resized)
        watch->has_picture = false;
    if (is_resized && lines_above > 0)
        fputs("\x1b[2J\x1b[H", stdout);
    else if (lines_above > 0)
        printf("\x1b[%dA\r", lines_above);
    lines_above = 0;
    if (choose_picture(watch, universe, &facts.wide_box)) {
        status = lc_cli_picture_print(stdout, universe, &watch->picture, "\x1b[K\n", message);
        lines_above = lc_cli_picture_lines(&watch->picture);
    } else {
        watch->has_picture = false; // the cells are now too far away for any picture
    }
    write_status(watch, universe, &facts, line);
    printf("%s\x1b[K\n\x1b[J", line);
    fflush(stdout);
    lines_above++;
    watch->drawn_ns = lc_cli_now_ns();
    watch->cost_ns = watch->drawn_ns - begin_ns;
    return status;
}

// ---- the run -----------------------------------------------------------------------------------

lc_status lc_cli_watch_begin(lc_cli_watch *watch, const lc_universe *universe, lc_count target,
                             double speed, lc_message *message)
{
    // With a large buffer, stdio writes a whole drawing in one call instead of line by line.
    static char buffer[65536];
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    *watch = (lc_cli_watch){
        .is_on = true,
        .is_ascii = !lc_cli_locale_has_utf8(),
        .target = target,
        .next = lc_universe_generation(universe),
    };
    const double generations_a_second = speed > 0 ? speed : usual_speed;
    if (isfinite(generations_a_second)) {
        const double stride = ceil(generations_a_second / PICTURES_A_SECOND);
        watch->stride = lc_count_of((uint64_t)stride);
        watch->interval_ns = (uint64_t)(stride / generations_a_second * (double)second_ns);
    }
    const lc_status status = draw(watch, universe, message);
    watch->due_ns = watch->drawn_ns + watch->interval_ns;
    return status;
}

lc_count lc_cli_watch_wait(lc_cli_watch *watch, lc_count generation, lc_count limit)
{
    const lc_count zero = lc_count_of(0);
    if (!watch->is_on || lc_count_compare(watch->stride, zero) == 0)
        return limit;
    if (lc_count_compare(generation, watch->next) >= 0) {
        uint64_t now_ns = lc_cli_now_ns();
        while (now_ns < watch->due_ns && lc_signals_received() == 0) {
            // Each sleep is short, because a signal that arrives just before a sleep does not
            // interrupt it.
            const uint64_t left_ns = watch->due_ns - now_ns;
            const struct timespec nap = {.tv_nsec =
                                             (long)(left_ns < redraw_ns ? left_ns : redraw_ns)};
            (void)nanosleep(&nap, NULL);
            now_ns = lc_cli_now_ns();
        }
        watch->due_ns = now_ns + watch->interval_ns;
        if (!lc_count_add(generation, watch->stride, &watch->next))
            watch->next = limit;
    }
    return lc_count_compare(watch->next, limit) < 0 ? watch->next : limit;
}

lc_status lc_cli_watch_update(lc_cli_watch *watch, const lc_universe *universe, lc_message *message)
{
    const uint64_t since_ns = lc_cli_now_ns() - watch->drawn_ns;
    const bool is_next = lc_count_compare(watch->stride, lc_count_of(0)) != 0 &&
                         lc_count_compare(lc_universe_generation(universe), watch->next) == 0;
    if (!watch->is_on || since_ns < 4 * watch->cost_ns || (!is_next && since_ns < redraw_ns))
        return LC_OK;
    return draw(watch, universe, message);
}

lc_status lc_cli_watch_end(lc_cli_watch *watch, const lc_universe *universe, lc_message *message)
{
    if (!watch->is_on)
        return LC_OK;
    watch->is_on = false;
    return draw(watch, universe, message);
}
