// The progress line of a run or a search on stderr. The line of a run looks like this:
//
//    "42 % [======>        ]  gen 420 of 1,000  120 gen/s  515 G cells/s  pop 81.2 M  0:05 left".
//
// If the memory of an engine grows during a run, the line also shows the number of nodes and the
// used part of the memory limit: "9.12 M nodes  38 % of memory". The number of nodes and the used
// memory are updated even during a pass.
//
// Counting the cells of a large board takes a while. If the population was counted at an earlier
// generation than the line shows, the line also shows that earlier generation: "pop 81.2 M at 400".
//
// The end of a search is not known: "searching  gen 41,210 of at most 100,000  9.1 k gen/s".
//
// The line is rewritten ten times a second and is never wider than the terminal. If the line is too
// long, the least important parts are left out first.
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "number.h"
#include "signals.h"

static const uint64_t second_ns = 1000000000;
static const uint64_t redraw_ns = 100000000;
static const uint64_t search_wait_ns = 2000000000; // most searches end before
static const double smoothing_seconds = 2.0;       // time constant for smoothing the speed

enum { MAX_COLUMNS = 400, MAX_BAR = 40, MIN_BAR = 8, PART_BYTES = 2 * LC_CLI_NUMBER_BYTES + 16 };

static bool line_stands; // an unfinished line is on the terminal

void lc_cli_progress_clear_line(void)
{
    if (line_stands) {
        fputs("\r\x1b[K", stderr);
        line_stands = false;
    }
}

uint64_t lc_cli_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void begin(lc_cli_progress *progress, lc_cli_progress_mode mode, lc_count total)
{
    const char *term = getenv("TERM");
    const char *no_colour = getenv("NO_COLOR");
    bool terminal = isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
    uint64_t now_ns = lc_cli_now_ns();
    *progress = (lc_cli_progress){
        .unit = "gen",
        .units = "gen",
        .shown = mode == LC_PROGRESS_ALWAYS || (mode == LC_PROGRESS_AUTO && terminal),
        .terminal = terminal,
        .colour = terminal && (no_colour == NULL || *no_colour == '\0'),
        .total = total,
        .due_ns = now_ns + (terminal ? redraw_ns : second_ns),
        .rated_ns = now_ns,
        .population_ns = now_ns + second_ns / 2,
    };
}

void lc_cli_progress_begin(lc_cli_progress *progress, lc_cli_progress_mode mode,
                           const lc_universe *universe, lc_count total)
{
    const lc_topology *topology = lc_universe_topology(universe);
    begin(progress, mode, total);
    progress->start = lc_universe_generation(universe);
    progress->cells = (double)topology->width_cells * (double)topology->height_cells;
}

void lc_cli_progress_begin_search(lc_cli_progress *progress, lc_cli_progress_mode mode,
                                  const lc_universe *universe, lc_count total)
{
    begin(progress, mode, total);
    progress->start = lc_universe_generation(universe);
    progress->searched = universe;
    progress->is_search = true;
    progress->due_ns += search_wait_ns;
}

void lc_cli_progress_begin_soups(lc_cli_progress *progress, lc_cli_progress_mode mode,
                                 lc_count total)
{
    begin(progress, mode, total);
    progress->unit = "soup";
    progress->units = "soups";
    progress->due_ns += search_wait_ns;
}

// Returns the current width of the terminal, which may change at any time.
static int terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col < MAX_COLUMNS ? size.ws_col : MAX_COLUMNS;
    return 80;
}

// The parts of the progress line after the bar, from left to right. Parts with a lower weight are
// left out first.
enum {
    PART_GENERATION,
    PART_OF,
    PART_RATE,
    PART_CELLS,
    PART_POPULATION,
    PART_NODES,
    PART_MEMORY,
    PART_LEFT,
    PARTS
};
static const int weights[PARTS] = {8, 1, 6, 5, 3, 2, 4, 7};

// Writes "0:12", "1:02:03".
static void format_clock(double seconds, char text[LC_CLI_NUMBER_BYTES])
{
    if (seconds >= 360000) {
        snprintf(text, LC_CLI_NUMBER_BYTES, "over 99 hours");
        return;
    }
    int whole = (int)ceil(seconds);
    if (whole < 3600) {
        snprintf(text, LC_CLI_NUMBER_BYTES, "%d:%02d", whole / 60, whole % 60);
    } else {
        snprintf(text, LC_CLI_NUMBER_BYTES, "%d:%02d:%02d", whole / 3600, whole / 60 % 60,
                 whole % 60);
    }
}

static double between(lc_count earlier, lc_count later)
{
    return lc_count_to_double(lc_count_distance(earlier, later));
}

static char *format_generation(const lc_cli_progress *progress, lc_count done,
                               char text[LC_CLI_NUMBER_BYTES])
{
    lc_count generation = progress->start;
    (void)lc_count_add(generation, done, &generation); // no overflow: the sum is at most the target
    return lc_cli_format_count(generation, text);
}

static void write_parts(const lc_cli_progress *progress, lc_count done,
                        char parts[PARTS][PART_BYTES])
{
    char text[LC_CLI_NUMBER_BYTES];
    memset(parts, 0, PARTS * sizeof *parts);
    snprintf(parts[PART_GENERATION], sizeof *parts, "  %s %s", progress->unit,
             format_generation(progress, done, text));
    if (!progress->is_search || lc_count_log2(progress->total) >= 0)
        snprintf(parts[PART_OF], sizeof *parts, " of %s%s", progress->is_search ? "at most " : "",
                 format_generation(progress, progress->total, text));
    if (progress->rate > 0) {
        snprintf(parts[PART_RATE], sizeof *parts, "  %s %s/s",
                 lc_cli_format_rate(progress->rate, text), progress->units);
        if (progress->cells > 0) {
            snprintf(parts[PART_CELLS], sizeof *parts, "  %s cells/s",
                     lc_cli_format_rate(progress->rate * progress->cells, text));
        }
        format_clock(between(done, progress->total) / progress->rate, text);
        if (!progress->is_search)
            snprintf(parts[PART_LEFT], sizeof *parts, "  %s left", text);
    }
    if (progress->nodes > 0)
        snprintf(parts[PART_NODES], sizeof *parts, "  %s nodes",
                 lc_cli_format_rate((double)progress->nodes, text));
    if (progress->cells == 0 && progress->memory_share > 0)
        snprintf(parts[PART_MEMORY], sizeof *parts, "  %.*f %% of memory",
                 progress->memory_share < 0.1 ? 1 : 0, 100 * progress->memory_share);
    if (progress->population_known) {
        const double population = lc_count_to_double(progress->population);
        char counted[LC_CLI_NUMBER_BYTES];
        const bool now = lc_count_compare(progress->population_done, done) == 0;
        snprintf(parts[PART_POPULATION], sizeof *parts, "  pop %s%s%s",
                 population < 10000000 ? lc_cli_format_count(progress->population, text)
                                       : lc_cli_format_rate(population, text),
                 now ? "" : " at ",
                 now ? "" : format_generation(progress, progress->population_done, counted));
    }
}

// Empties the least important parts until the remaining parts are at most `columns` wide. Returns
// the width of the remaining parts.
static int fit_parts(char parts[PARTS][PART_BYTES], int columns)
{
    for (int dropped = 0;; dropped++) {
        int width = 0;
        for (int i = 0; i < PARTS; i++) {
            if (weights[i] <= dropped)
                parts[i][0] = '\0';
            width += (int)strlen(parts[i]);
        }
        if (width <= columns || dropped == PARTS)
            return width;
    }
}

typedef struct line_text {
    char text[2 * MAX_COLUMNS];
    size_t used;
} line_text;

static void append(line_text *line, const char *text)
{
    size_t length = strlen(text);
    if (length < sizeof line->text - line->used) {
        memcpy(line->text + line->used, text, length + 1);
        line->used += length;
    }
}

static void append_bar(line_text *line, double share, size_t length, bool colour)
{
    char bar[MAX_BAR + 1] = "";
    size_t filled = (size_t)(share * (double)length);
    for (size_t i = 0; i < length; i++)
        bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
    append(line, " [");
    append(line, colour ? "\x1b[32m" : "");
    append(line, bar);
    append(line, colour ? "\x1b[0m" : "");
    append(line, "]");
}

static void print_line(const lc_cli_progress *progress, lc_count done)
{
    enum { BRACKET_COLUMNS = 3, NARROW_COLUMNS = 60 };
    char parts[PARTS][PART_BYTES];
    char head[16] = "searching";
    line_text line = {.used = 0};
    int columns = progress->terminal ? terminal_columns() - 1 : MAX_COLUMNS;
    const double total = lc_count_to_double(progress->total);
    const double share = total > 0 ? lc_count_to_double(done) / total : 1;
    if (!progress->is_search)
        snprintf(head, sizeof head, "%3d %%", (int)(share * 100));
    write_parts(progress, done, parts);
    int room = columns - (int)strlen(head);
    // Parts are left out to keep room for the bar. On a very narrow terminal there may be no bar.
    const bool has_bar = progress->terminal && !progress->is_search;
    int kept_for_bar = has_bar && columns >= NARROW_COLUMNS ? MIN_BAR + BRACKET_COLUMNS : 0;
    room -= fit_parts(parts, room - kept_for_bar) + BRACKET_COLUMNS;
    append(&line, progress->terminal ? "\r" : "");
    append(&line, head);
    if (has_bar && room >= MIN_BAR)
        append_bar(&line, share, (size_t)(room < MAX_BAR ? room : MAX_BAR), progress->colour);
    for (int i = 0; i < PARTS; i++)
        append(&line, parts[i]);
    append(&line, progress->terminal ? "\x1b[K" : "\n");
    fputs(line.text, stderr);
    line_stands = progress->terminal;
}

static bool is_due(const lc_cli_progress *progress, uint64_t now_ns)
{
    return progress->shown && now_ns >= progress->due_ns;
}

static void print_due_line(lc_cli_progress *progress, lc_count done, uint64_t now_ns)
{
    progress->due_ns = now_ns + (progress->terminal ? redraw_ns : second_ns);
    print_line(progress, done);
}

static void look_at_memory(lc_cli_progress *progress, const lc_universe *universe)
{
    const lc_universe_info info = lc_universe_info_of(universe);
    const double limit = (double)info.limit_bytes;
    progress->nodes = info.nodes;
    progress->memory_share = limit > 0 ? (double)info.memory_bytes / limit : 0;
}

void lc_cli_progress_within(lc_cli_progress *progress, const lc_universe *universe, uint64_t now_ns)
{
    if (!is_due(progress, now_ns) || progress->cells != 0)
        return;
    look_at_memory(progress, universe);
    print_due_line(progress, progress->printed_done, now_ns);
}

bool lc_cli_progress_update(lc_cli_progress *progress, const lc_universe *universe, lc_count done,
                            uint64_t now_ns)
{
    if (!is_due(progress, now_ns))
        return false;
    double seconds = (double)(now_ns - progress->rated_ns) * 1e-9;
    double rate = between(progress->printed_done, done) / seconds;
    double weight = progress->rate > 0 ? -expm1(-seconds / smoothing_seconds) : 1;
    progress->rate += weight * (rate - progress->rate);
    progress->rated_ns = now_ns;
    progress->printed_done = done;
    if (universe != NULL)
        look_at_memory(progress, universe);
    lc_facts facts;
    if (universe != NULL && now_ns >= progress->population_ns &&
        lc_universe_facts(universe, LC_FACT_POPULATION, &facts, NULL) == LC_OK) {
        progress->population = facts.population;
        progress->population_known = true;
        progress->population_done = done;
        const uint64_t counted_ns = lc_cli_now_ns();
        progress->population_ns = counted_ns + 50 * (counted_ns - now_ns);
    }
    print_due_line(progress, done, now_ns);
    return true;
}

bool lc_cli_progress_give_up(void *progress)
{
    lc_cli_progress *p = progress;
    const lc_count generation = lc_universe_generation(p->searched);
    lc_cli_progress_update(p, NULL, lc_count_distance(p->start, generation), lc_cli_now_ns());
    return lc_signals_received() != 0;
}

void lc_cli_progress_end(lc_cli_progress *progress)
{
    progress->shown = false;
    lc_cli_progress_clear_line();
}
