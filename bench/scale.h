// How long a board takes that many devices share: the model, which is nothing but arithmetic.
//
// A device is a GPU, or a rank of some threads. Each has a slab of rows. Before a pass of T
// generations a slab takes the T rows above it and the T below it from its neighbours; with R
// passes a message it takes R T rows of each, once in R passes, and steps those rows again that
// the passes in between still need. With h rows in the largest of P slabs of W columns, a
// generation of all of them takes
//
//     all     = cells + uneven + again + company + link - hidden + agree + answers
//     cells   = t(H / P)                           t(h): measured, of one device
//     uneven  = t(h) - t(H / P)                    slabs are whole multiples of 16 rows
//     again   = t(h + (R - 1) T) - t(h)            the mean of R passes
//     company = c(h + (R - 1) T) - t(h + (R - 1) T)    c(h): the same while all of a host work
//     link    = (L ceil(R T / h) / R + 2 T W / 8 / B) / T       L: latency, B: bytes a second
//     hidden  = min(link, cells) if copies go on beside the inside of the slab, else 0
//     agree   = (log2(of a host) L(inside) + log2(hosts) L(network)) / R T, if all agree before
//               each message
//     answers = of the rest as much as P A / B(network) is of a slice: rank 0 hears of all ranks
//               that a slice of many passes is made, A bytes of each
//
// and of link that is taken off which is in t already: a slab alone on a torus is its own
// neighbour. Where there are several hosts, link is the slower one of those inside of a host and
// between hosts. T is what the engine chose for a slab about as high.
#ifndef LC_BENCH_SCALE_H
#define LC_BENCH_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a message takes: its latency, and its bytes at this rate. {0, INFINITY} costs nothing.
typedef struct lc_link {
    double latency_s, bytes_per_second;
} lc_link;

// A generation of one device on a board of so many rows, and how many there are in a pass.
typedef struct lc_slab_time {
    double rows, seconds, pass_generations;
} lc_slab_time;

// What was measured at one width, by rows, ascending and different.
typedef struct lc_slab_curve {
    const lc_slab_time *points;
    size_t count; // at least 1
} lc_slab_curve;

typedef struct lc_scale_facts {
    lc_slab_curve slabs;     // of a slab that takes its halo from itself
    lc_slab_curve company;   // the same while all devices of a host step one; count 0: as alone
    lc_slab_curve wholes;    // of a board in one piece, what speed-ups are relative to
    double width_cells;      // of both
    double passes_a_message; // R, 1 or more
    uint64_t host_devices;   // that are on one host
    lc_link own;             // of a slab's halo from itself: part of `slabs`
    lc_link inside, network; // between devices of a host, and between hosts
    bool overlaps;           // the link is hidden behind the inside of the slab
    double answer_bytes;     // A; 0: one process has all devices, and none answers
    double slice_s;          // after which they do
    bool agrees;             // before each message each waits to hear of all others
} lc_scale_facts;

typedef struct lc_scale_board {
    double width_cells, height_cells;
} lc_scale_board;

// Seconds of a generation.
typedef struct lc_scale_cost {
    double rows; // of the largest slab
    double pass_generations;
    double cells_s, uneven_s, again_s, company_s, link_s, hidden_s, agree_s, answers_s;
    double all_s;
} lc_scale_cost;

// A generation of so many rows: between measured ones by a line, above them at the rate of the
// last, below them by the line of the first two, but at no better rate than the first.
double lc_slab_curve_at(const lc_slab_curve *curve, double rows);

// Generations of a pass of so many rows: those of the measured one that is nearest by its ratio.
double lc_slab_curve_pass(const lc_slab_curve *curve, double rows);

// Rows of the largest of so many slabs of a board.
double lc_scale_rows(double height_cells, double slabs);

// A generation of a board on so many devices, each of which has so many slabs one after the other.
// False: there are fewer rows than slabs.
bool lc_scale_cost_of(const lc_scale_facts *facts, const lc_scale_board *board, uint64_t devices,
                      uint64_t slabs_each, lc_scale_cost *cost);

// A generation of it on one device, in one piece.
double lc_scale_alone_s(const lc_scale_facts *facts, const lc_scale_board *board);

#endif
