// What a design of the gallery is: one published way of stepping Life, with its knobs.
//
// A design is one file. It opens with what it is, where it was published, a diagram of its layout,
// what it costs per cell and generation, its knobs and its limits. Then comes the code that steps
// the cells, and at the end the lc_design that puts it into the table of designs.c. For the GPU the
// file is CUDA C: NVRTC sees the kernels, and the host's compiler, which defines LC_HOST, the code
// that launches them.
//
// They all step B3/S23 on a torus, as published, unless they say otherwise; an infinite plane works
// too, since its block is a torus that life never reaches round.
#ifndef LC_GALLERY_DESIGN_H
#define LC_GALLERY_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/context.h"
#include "lightcone/engine.h"

enum { LC_KNOBS_MAX = 8, LC_KNOB_VALUES_MAX = 15 };

// A number that the user can choose: "tile:block=16". A sweep tries the values listed.
typedef struct lc_knob {
    const char *name;
    const char *meaning;
    int usual;
    int values[LC_KNOB_VALUES_MAX + 1]; // ascending, 0 or more, ended by -1
} lc_knob;

#define LC_KNOB_VALUES(...)                                                                        \
    {                                                                                              \
        __VA_ARGS__, -1                                                                            \
    }

// A board as a design sees it.
typedef struct lc_gallery_board {
    int64_t width, height;  // in cells
    const lc_rule *rule;    // B3/S23, except for designs with any_rule
    int knob[LC_KNOBS_MAX]; // values, in the order of the design's knobs
    int threads;
} lc_gallery_board;

// Where cell (x, y) is in the memory of a board: with 8 or 32 bits a cell, the byte or int at
// (top_rows + y) * pitch_bytes + (left_cells + x) * cell_bits / 8, which is 1 if it is alive; with
// 1 bit, bit (left_cells + x) % 8 of that byte, or if high_bit_first, bit 7 - (left_cells + x) % 8.
typedef struct lc_cell_layout {
    int cell_bits; // 1, 8 or 32
    bool high_bit_first;
    int64_t pitch_bytes;          // a multiple of 4 where a cell has 32 bits
    int64_t left_cells, top_rows; // of ghosts or padding
    uint64_t size_bytes;          // of a board
} lc_cell_layout;

typedef struct lc_cpu_design lc_cpu_design; // cpu_design.h
typedef struct lc_gpu_design lc_gpu_design; // gpu_design.h

typedef struct lc_design {
    const char *name;     // the file's, with - for _
    const char *title;    // one line
    const char *source;   // author, title, year, and where in it
    const char *file;     // in this folder; NULL: none
    const lc_knob *knobs; // up to LC_KNOBS_MAX, ended by a NULL name; NULL: none
    bool any_rule;
    bool one_thread; // on the CPU: uses one thread however many there are

    // Exactly one of the three.
    const lc_cpu_design *cpu;
    const lc_gpu_design *gpu;
    const char *engine; // one of the library's own

    // NULL, or whether it can step such a board: LC_OK, or LC_ERROR_UNSUPPORTED with a sentence
    // that says which boards it can step.
    lc_status (*check)(const lc_gallery_board *board, lc_message *message);
    // The layout of one of the two boards.
    void (*layout)(const lc_gallery_board *board, lc_cell_layout *layout);
    // Per cell and generation: bytes that go between main memory and the chip if caches are perfect
    // but keep nothing longer than a generation (or a launch), and operations on words, as the
    // source has them.
    void (*cost)(const lc_gallery_board *board, double *bytes, double *operations);
} lc_design;

// LC_OK if the width is a multiple of `cells`, else an error that says it must be.
lc_status lc_gallery_check_width(const lc_gallery_board *board, int64_t cells, lc_message *message);

// LC_OK if no side is longer than 2^30 cells, so that coordinates fit into 32 bits, else an error
// that says so.
lc_status lc_gallery_check_sides(const lc_gallery_board *board, lc_message *message);

// A layout without ghosts whose rows follow each other: 1, 8 or 32 bits a cell.
void lc_gallery_plain_layout(const lc_gallery_board *board, int cell_bits, lc_cell_layout *layout);

// The same with 8 bits a cell, and with 1 bit a cell, the first cell in the highest bit.
void lc_gallery_byte_layout(const lc_gallery_board *board, lc_cell_layout *layout);
void lc_gallery_bit_layout(const lc_gallery_board *board, lc_cell_layout *layout);

// The text of a design's file, or of another file of the gallery; NULL if there is none.
const char *lc_gallery_text(const char *file);

// What lc_gallery_use said.
lc_context *lc_gallery_context(void);
const char *lc_gallery_python(void);

#endif
