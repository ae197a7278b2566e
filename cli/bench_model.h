// `lightcone bench --model`: predicts the speed of several devices from measurements of one device.
#ifndef LC_CLI_BENCH_MODEL_H
#define LC_CLI_BENCH_MODEL_H

#include "bench_options.h"

enum { LC_BENCH_FACTS_MAX = 32 }; // files

typedef struct lc_bench_model {
    bool wanted;
    const char *needs; // an option that the user gave and that needs --model; NULL: none
    lc_model_options options;
    const char *files[LC_BENCH_FACTS_MAX];
    size_t file_count;
    lc_model model;
} lc_bench_model;

void lc_bench_model_begin(lc_bench_model *model);
void lc_bench_model_end(lc_bench_model *model);

// Each function parses the value of an option for lc_cli_parse.
const char *lc_bench_model_facts(const char *text, void *to);  // `to` is a lc_bench_model
const char *lc_bench_model_boards(const char *text, void *to); // a lc_model_options
const char *lc_bench_model_counts(const char *text, void *to); // a lc_model_options
const char *lc_bench_model_link(const char *text, void *to);   // a lc_link
const char *lc_bench_model_number(const char *text, void *to); // an uint64_t
const char *lc_bench_model_passes(const char *text, void *to); // an uint64_t

// Checks for options that conflict. Returns LC_EXIT_OK, or LC_EXIT_USAGE after printing an error.
int lc_bench_model_check(const lc_bench_model *model, const lc_bench_arguments *arguments);

// Reads the files of measurements. If the user gave no files, checks that there is a board to
// measure. Returns LC_EXIT_OK, or another exit code after printing an error.
int lc_bench_model_prepare(lc_bench_model *model, lc_bench_arguments *arguments);

// Adds the configurations that the model needs for one board: the whole board, and slabs of the
// board from the full height down to a few rows. Returns the same exit codes as lc_bench_add.
int lc_bench_model_add(lc_bench_arguments *arguments, lc_bench_configuration configuration);

#endif
