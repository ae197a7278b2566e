// What the bench's charts are drawn from, and what they are drawn into.
//
//     measurement   one record, with copies of what it points to
//     series        the measurements of one design (engine, level, threads, rule and kind of board)
//                   at all boards and settings; at each board the fastest one stands for it in the
//                   charts that compare designs
//     figure        a drawing with its caption, or the sentence that says why there is none
#ifndef LC_BENCH_CHART_H
#define LC_BENCH_CHART_H

#include <stdio.h>

#include "charts.h"

typedef struct lc_measurement {
    lc_bench_record record;
    char *engine; // as the record's, with the settings that were asked for
    char *cpu_level;
    double *run_ns;
    double side_cells; // of the board, or of the square with as many cells
    bool drawn;        // LC_OK, and its rate is a number above 0
} lc_measurement;

enum { LC_SERIES_NAME_BYTES = 128 };

typedef struct lc_series {
    char name[LC_SERIES_NAME_BYTES];
    const lc_measurement **all; // with all settings, as they were added
    size_t all_count;
    const lc_measurement **points; // the fastest of each board, by size
    size_t count;
    bool on_gpu;
    int colour; // -1: one of the many, drawn in grey
    int marker;
    double best_cells_per_second;
} lc_series;

typedef struct lc_figure {
    char name[64]; // of the file, without its ending
    char heading[96];
    double width, height;
    char *drawing; // elements of SVG; NULL: there is none, and the caption says why
    size_t drawing_bytes;
    char *caption; // plain text
    size_t caption_bytes;
    FILE *drawing_file; // open between lc_figure_begin and lc_figure_end
    FILE *caption_file;
} lc_figure;

struct lc_charts {
    lc_machine_facts facts;
    lc_bench_options options;
    lc_measurement **measurements;
    size_t count, capacity;
    const struct lc_model *model; // NULL: there is none
    // Made by lc_charts_write.
    lc_series *series; // the fastest first
    size_t series_count;
    lc_figure *figures;
    size_t figure_count, figure_capacity;
};

// chart_series.c: puts the measurements in order. LC_OK or LC_ERROR_MEMORY.
lc_status lc_series_make(lc_charts *charts);
void lc_series_drop(lc_charts *charts);
// The series' measurement at the board of another one; NULL: none.
const lc_measurement *lc_series_at_board(const lc_series *series, const lc_measurement *board);
bool lc_same_board(const lc_measurement *a, const lc_measurement *b);
// Compares the sides of two boards, for qsort of pointers to measurements.
int lc_measurement_by_side(const void *a, const void *b);
// The settings that a measurement ran with: its plan, or what its engine's name says.
const char *lc_measurement_settings(const lc_measurement *measurement);
// Its name in tables: "simd/avx512", "tile".
void lc_measurement_design(const lc_measurement *measurement, char *text, size_t text_bytes);
// "1,024 x 1,024".
void lc_measurement_board(const lc_measurement *measurement, char *text, size_t text_bytes);
// A rate with the interval that comes from the confidence interval of the median time; both ends
// are the rate itself if none is known.
lc_interval lc_measurement_rate(const lc_measurement *measurement);
// What speed-ups are relative to at this measurement's board, among the designs measured there: the
// one that the bench was asked to compare with (lc_bench_options); else, of those measured on the
// most boards, the slowest serial one on the CPU, or the slowest. Never NULL for one that is drawn.
const lc_measurement *lc_measurement_baseline(const lc_charts *charts,
                                              const lc_measurement *measurement);

// chart.c. Starts the next figure, both its files open; NULL: no memory. The name is made into one
// for a file, different from all others.
lc_figure *lc_figure_begin(lc_charts *charts, const char *name, const char *heading);
// Heading, and a line below it that says what is seen, and of which machine: its GPU, its CPU.
void lc_figure_head(const lc_charts *charts, lc_figure *figure, bool gpu, bool cpu);
// `drawn` false: the drawing is dropped, the caption stays.
lc_status lc_figure_end(lc_figure *figure, bool drawn, double width, double height);
void lc_figures_drop(lc_charts *charts);
// The classes of a series' lines: "line c3 cpu".
void lc_series_style(const lc_series *series, char text[32]);
void lc_series_draw_marker(FILE *file, const lc_series *series, double x, double y,
                           const char *told);

// The figures. Each returns LC_OK or LC_ERROR_MEMORY.
lc_status lc_chart_speed_up(lc_charts *charts);
lc_status lc_chart_throughput(lc_charts *charts);
lc_status lc_chart_knobs(lc_charts *charts);
lc_status lc_chart_rooflines(lc_charts *charts);
lc_status lc_chart_runs(lc_charts *charts);
lc_status lc_chart_scaling(lc_charts *charts);

// charts_page.c: the page that holds them.
void lc_page_write(FILE *file, const lc_charts *charts);

#endif
