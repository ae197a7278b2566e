// Charts of what was measured: self-contained SVG files, and a page that holds them all.
//
//     speed-up.svg       against the board's size, relative to a serial design
//     throughput.svg     against the board's size
//     knobs-DESIGN.svg   of a design that ran with several settings: throughput for each
//     roofline-*.svg     where each design stands under the rates of copying and of gates
//     runs.svg           distribution of the run times
//     strong-*.svg, weak-*.svg   with a model (model.h): a board, or a slab each, on more and more
//                        devices
//     index.html         these, the machine, and all records
//
// A picture that lacks what it needs is left out, and the page says why.
#ifndef LC_BENCH_CHARTS_H
#define LC_BENCH_CHARTS_H

#include "machine_facts.h"
#include "runner.h"

typedef struct lc_charts lc_charts;

// Opens nothing; copies both structures. LC_OK or LC_ERROR_MEMORY.
lc_status lc_charts_create(lc_charts **out, const lc_machine_facts *facts,
                           const lc_bench_options *options);

// Takes a record in, whether it was measured or not; what it points to is copied. LC_OK or
// LC_ERROR_MEMORY.
lc_status lc_charts_add(lc_charts *charts, const lc_bench_record *record);

// Has what a model says drawn as well; it is lent until the charts are destroyed.
struct lc_model;
void lc_charts_set_model(lc_charts *charts, const struct lc_model *model);

// Writes all files into a folder, which is created if need be (the one above it is not). Each
// appears whole or not at all. LC_OK, LC_ERROR_MEMORY, LC_ERROR_IO (message: the system's reason).
lc_status lc_charts_write(lc_charts *charts, const char *folder, lc_message *message);

void lc_charts_destroy(lc_charts **charts);

#endif
