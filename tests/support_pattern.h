// Support for tests of pattern files: sets of single cells, with sinks and sources.
#ifndef LC_TESTS_SUPPORT_PATTERN_H
#define LC_TESTS_SUPPORT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/pattern.h"

// Live cells, after cells_sort each once and in the order of (y, x).
typedef struct cell {
    int64_t x, y;
} cell;

typedef struct cells {
    cell *list;
    size_t count, room;
    uint64_t calls;     // calls of the sink
    int64_t longest;    // longest run
    int64_t most_words; // most words in one call
} cells;

void cells_add(cells *set, int64_t x, int64_t y);
void cells_sort(cells *set);
void cells_shift(cells *set, int64_t dx, int64_t dy);
void cells_free(cells *set);
bool cells_equal(const cells *a, const cells *b);       // both sorted; prints the first difference
bool cells_equal_moved(const cells *a, const cells *b); // the same up to a translation

// Returns a sink that adds every cell to the set and checks the guarantees of lc_sink.
lc_sink cells_sink(cells *set);

// Reads text and returns its sorted cells; fails the test if it cannot.
cells cells_of_text(const char *text);
cells cells_of_file(const char *path);

// A source of rows from a sorted set, for a rectangle that begins at (x, y).
typedef struct cells_window {
    const cells *set;
    int64_t x, y, width;
    uint64_t rows; // requested rows
} cells_window;
lc_status cells_row(void *window, int64_t y, uint64_t *words);

// Writes the rectangle x, y, width, height of the set; fails the test if it cannot.
void cells_write(const cells *set, const char *path, lc_format format, int64_t x, int64_t y,
                 int64_t width, int64_t height);

// Returns a random board with its top left at (x, y) and `percent` % live cells.
cells cells_random(uint64_t seed, int64_t x, int64_t y, int64_t width, int64_t height, int percent);

// Returns a path in this process's own folder, which the first call creates and the exit removes.
// The text is static and valid until the fourth later call.
const char *test_path(const char *name);

// Returns a file's contents, terminated; the caller frees them. NULL: it cannot be read.
char *file_text(const char *path, size_t *size_bytes);
void file_put(const char *path, const void *data, size_t size_bytes);

#endif
