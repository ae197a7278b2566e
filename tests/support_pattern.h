// What the tests of pattern files share: boards of single cells, and sinks and sources for them.
#ifndef LC_TESTS_SUPPORT_PATTERN_H
#define LC_TESTS_SUPPORT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/pattern.h"

// Live cells in the order of (y, x), each once, after cells_sort.
typedef struct cell {
    int64_t x, y;
} cell;

typedef struct cells {
    cell *list;
    size_t count, room;
    uint64_t calls;     // of the sink
    int64_t longest;    // run
    int64_t most_words; // in one call
} cells;

void cells_add(cells *set, int64_t x, int64_t y);
void cells_sort(cells *set);
void cells_shift(cells *set, int64_t dx, int64_t dy);
void cells_free(cells *set);
bool cells_equal(const cells *a, const cells *b);       // both sorted; prints the first difference
bool cells_equal_moved(const cells *a, const cells *b); // the same up to a translation

// A sink that adds every cell, and checks what a sink may rely on.
lc_sink cells_sink(cells *set);

// Reads text and returns its sorted cells; fails the test if it cannot.
cells cells_of_text(const char *text);
cells cells_of_file(const char *path);

// A source of rows out of a sorted set, for a rectangle that begins at (x, y).
typedef struct cells_window {
    const cells *set;
    int64_t x, y, width;
    uint64_t rows; // asked for
} cells_window;
lc_status cells_row(void *window, int64_t y, uint64_t *words);

// Writes the rectangle x, y, width, height of the set; fails the test if it cannot.
void cells_write(const cells *set, const char *path, lc_format format, int64_t x, int64_t y,
                 int64_t width, int64_t height);

// A random board with its top left at (x, y), `percent` of the cells alive.
cells cells_random(uint64_t seed, int64_t x, int64_t y, int64_t width, int64_t height, int percent);

// A directory of this process for files, made at the first call, removed at exit; and a path in it
// (static, valid until the fourth call after).
const char *test_path(const char *name);

// The whole of a file, terminated; the caller frees it. NULL if it cannot be read.
char *file_text(const char *path, size_t *size_bytes);
void file_put(const char *path, const void *data, size_t size_bytes);

#endif
