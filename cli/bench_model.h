// `lightcone bench --model`: what several devices would do, from what one does.
#ifndef LC_CLI_BENCH_MODEL_H
#define LC_CLI_BENCH_MODEL_H

#include "bench_options.h"

enum {
    LC_BENCH_MODEL = LC_BENCH_OWN,
    LC_BENCH_FACTS,
    LC_BENCH_BOARD,
    LC_BENCH_COUNTS,
    LC_BENCH_LINK,
    LC_BENCH_NETWORK,
    LC_BENCH_PER_HOST,
    LC_BENCH_MESSAGE_PASSES,
    LC_BENCH_OVERLAP,
    LC_BENCH_FACTS_MAX = 32 // files
};

typedef struct lc_bench_model {
    bool wanted;
    const char *needs; // an option that was given and means nothing without --model; NULL: none was
    lc_model_options options;
    const char *files[LC_BENCH_FACTS_MAX];
    size_t file_count;
    lc_model model;
} lc_bench_model;

void lc_bench_model_begin(lc_bench_model *model);
void lc_bench_model_end(lc_bench_model *model);

// Takes one of the options above; NULL, or what is wrong with its value.
const char *lc_bench_model_take(lc_bench_model *model, int id, const char *value);

// What options exclude each other: LC_EXIT_OK, or LC_EXIT_USAGE when that has been said.
int lc_bench_model_check(const lc_bench_model *model, const lc_bench_arguments *arguments);

// Reads the files, or sees to it that there is a board to measure. LC_EXIT_OK, or the code when it
// has been said what is wrong.
int lc_bench_model_prepare(lc_bench_model *model, lc_bench_arguments *arguments);

// Adds what is to be measured of a board: all of it in one piece, and slabs of it from as high as
// the board down to some rows. Returns as lc_bench_add.
int lc_bench_model_add(lc_bench_arguments *arguments, lc_bench_configuration configuration);

#endif
