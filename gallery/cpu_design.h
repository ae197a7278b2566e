// What a design for the CPU consists of, and what it is given.
#ifndef LC_GALLERY_CPU_DESIGN_H
#define LC_GALLERY_CPU_DESIGN_H

#include "design.h"

typedef struct lc_cpu_run {
    lc_gallery_board board;
    lc_cell_layout layout;
    uint8_t *cells; // this generation, in that layout
    uint8_t *next;  // where the next one goes: lc_cpu_swap makes it this one
    void *own;      // the design's, from prepare to release
    double own_ns;  // if the design has a clock of its own, what step took by it
    lc_guest_board guest;
} lc_cpu_run;

struct lc_cpu_design {
    // NULL, or the memory that stepping needs besides this generation's cells and the next one's.
    // The design allocates it.
    uint64_t (*extra_bytes)(const lc_gallery_board *board);
    // NULL, or they make what is needed before the first generation and free it at the end. If
    // prepare fails it has freed what it made.
    lc_status (*prepare)(lc_cpu_run *run, lc_message *message);
    void (*release)(lc_cpu_run *run);
    // NULL, or why it cannot run on this machine.
    const char *(*missing)(void);
    // One of the two. Makes rows first .. end - 1 of the next generation; the threads share the
    // rows.
    void (*rows)(const lc_cpu_run *run, int64_t first, int64_t end);
    // Advances the cells by exactly that many generations.
    lc_status (*step)(lc_cpu_run *run, uint64_t generations, lc_message *message);
};

void lc_cpu_swap(lc_cpu_run *run);

// Has the threads work on rows 0 .. height-1, some rows at a time; with one thread, all at once.
void lc_cpu_for_rows(lc_cpu_run *run,
                     void (*rows)(const lc_cpu_run *run, int64_t first, int64_t end));

// Sets the functions of a design's engine, and all other members to 0.
void lc_cpu_guest(lc_guest_engine *engine);

#endif
