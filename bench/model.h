// What several devices would do with a board, from what was measured with one (scale.h).
//
//     run      a configuration that was measured: a record of this process, or of a file that
//              `lightcone bench --json` wrote
//     group    runs that differ in nothing but the board's height and how many devices shared it.
//              Those of one device are the curves of the model; the others are what it is compared
//              with.
#ifndef LC_BENCH_MODEL_H
#define LC_BENCH_MODEL_H

#include <stdio.h>

#include "machine_facts.h"
#include "runner.h"
#include "scale.h"

enum { LC_MODEL_BOARDS_MAX = 8, LC_MODEL_COUNTS_MAX = 32, LC_MODEL_GROUPS_MAX = 16 };

typedef struct lc_model_options {
    lc_link inside, network; // no bytes_per_second: what is usual for the kind of device
    uint64_t host_devices;   // 0: as many as is usual
    uint64_t passes_a_message;
    bool overlaps;
    lc_scale_board boards[LC_MODEL_BOARDS_MAX]; // to share; none: the largest that was measured
    size_t board_count;
    uint64_t counts[LC_MODEL_COUNTS_MAX]; // of devices; none: the usual ones
    size_t count_count;
} lc_model_options;

enum { LC_MODEL_NAME_BYTES = 96, LC_MODEL_PLAN_BYTES = 256 };

typedef struct lc_model_run {
    char engine[LC_MODEL_NAME_BYTES]; // without settings
    char cpu_level[16];
    char device[LC_MODEL_NAME_BYTES]; // the GPU's name, or the CPU's
    char rule[LC_RULE_TEXT_BYTES];
    char surface[24]; // "torus"
    bool on_gpu;
    uint64_t threads; // of each device, if it is no GPU
    double width_cells, height_cells;
    double pass_generations;             // of the engine's passes; 0: not known
    double seconds, least_s, most_s;     // a generation: median, fastest and slowest run
    double company;                      // times as long if all of a host are at work; 0: not known
    uint64_t ranks, devices, slabs_each; // slabs_each 0: one device, the board in one piece
} lc_model_run;

typedef struct lc_model_check { // a run of several slabs, and what the model says of it
    const lc_model_run *run;
    lc_scale_cost cost;
    double predicted_s, error; // a generation; predicted / measured - 1
} lc_model_check;

typedef struct lc_model_point {
    uint64_t devices;
    bool known; // false: there are more devices than rows
    lc_scale_board board;
    lc_scale_cost cost;
    double speed_up, efficiency;
} lc_model_point;

typedef struct lc_model_line { // the same board on more and more devices, or a slab for each
    bool weak;
    lc_scale_board board; // of one device, if weak
    double alone_s;       // a generation of it
    lc_model_point *points;
    size_t count;
} lc_model_line;

typedef struct lc_model_group {
    const lc_model_run *first;
    lc_slab_time *slab_points, *whole_points, *company_points;
    lc_scale_facts facts;
    lc_model_check *checks;
    size_t check_count;
    lc_model_line lines[LC_MODEL_BOARDS_MAX + 1];
    size_t line_count;
} lc_model_group;

typedef struct lc_model {
    lc_model_options options;
    lc_model_run *runs;
    size_t run_count, run_room;
    lc_model_group groups[LC_MODEL_GROUPS_MAX];
    size_t group_count;
} lc_model;

void lc_model_begin(lc_model *model, const lc_model_options *options);
void lc_model_end(lc_model *model); // frees what it holds

// Takes a record in, if it was measured. LC_OK or LC_ERROR_MEMORY.
lc_status lc_model_add(lc_model *model, const lc_bench_record *record,
                       const lc_machine_facts *facts);

// Takes in what a file has that `lightcone bench --json` wrote. LC_OK, LC_ERROR_IO,
// LC_ERROR_FORMAT (it is no such file, or says what cannot be), LC_ERROR_MEMORY.
lc_status lc_model_read(lc_model *model, const char *path, lc_message *message);

// Makes groups and their lines, once everything is in. LC_OK; LC_ERROR_ARGUMENT (nothing was
// measured with one device), LC_ERROR_LIMIT (too many groups), LC_ERROR_MEMORY.
lc_status lc_model_solve(lc_model *model, lc_message *message);

// model_text.c, model_json.c: what came out. The second is an object, without a newline behind it.
void lc_model_write_text(const lc_model *model, FILE *file);
void lc_model_write_json(const lc_model *model, FILE *file);

#endif
