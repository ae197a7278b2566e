// What the tests share: seeds, topologies and fills that hurt, and the report of a mismatch.
#ifndef LC_TESTS_SUPPORT_H
#define LC_TESTS_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lightcone/context.h"
#include "oracle.h"
#include "oracle_words.h"
#include "support_rule.h"

// The seed of everything random: environment variable LC_TEST_SEED, or always the same.
uint64_t test_seed(void);

// LC_TEST_FULL=1: run the whole product of cases where a test otherwise takes a sample.
bool test_full(void);

// LC_TEST_SHARE=N: of cases that are only more of the same, one in N is to be run, since each takes
// long (kernels on an emulated GPU). 1 without it, and where the whole product is wanted.
int64_t test_share(void);

// How many of so many rules are to be run: all, or the first LC_TEST_RULES of them where each takes
// long to get ready (a kernel is compiled for it).
size_t test_rule_count(size_t rules);

// LC_TEST_THREADED=1: what one thread does alone need not be run, since it is threads that are
// watched.
bool test_threaded(void);

// Whether an engine is to be tested: all, or the one that LC_TEST_ENGINE names.
bool test_wants_engine(const char *name);

// The context that the tests use: libraries and cache as LIGHTCONE_CUDA, LIGHTCONE_NVRTC and
// LIGHTCONE_CACHE say, made when it is first asked for; and made anew after those have changed.
lc_context *test_context(void);
void test_context_anew(void);

// How many times slower this build is than an optimised one (sanitizers): the tests divide by it
// the work that is only more of the same.
int test_slowness(void);

typedef struct dice {
    uint64_t state;
} dice;
dice dice_from(uint64_t seed, uint64_t stream);
uint64_t dice_word(dice *d);
int64_t dice_below(dice *d, int64_t limit); // 0 .. limit-1

// The surfaces, each in the forms that a halo can get wrong.
typedef enum surface {
    SURFACE_PLANE,
    SURFACE_TORUS,
    SURFACE_TORUS_SHIFT_X,
    SURFACE_TORUS_SHIFT_X_BACK,
    SURFACE_TORUS_SHIFT_Y,
    SURFACE_TORUS_SHIFT_Y_BACK,
    SURFACE_KLEIN_X,
    SURFACE_KLEIN_Y,
    SURFACE_KLEIN_X_SHIFT,
    SURFACE_KLEIN_Y_SHIFT,
    SURFACE_CROSS,
    SURFACE_SPHERE,
    SURFACE_COUNT
} surface;

// A topology of that surface and size; shifts are drawn from `d`. False if there is none: a sphere
// that is not square, a shift of an edge one cell long, a Klein shift of an odd edge.
bool topology_of(surface kind, int64_t width, int64_t height, dice *d, lc_topology *topology);

typedef enum fill {
    FILL_RANDOM, // one half
    FILL_EMPTY,
    FILL_FULL,
    FILL_CORNERS, // the four corner cells
    FILL_VERTICAL_STRIPES,
    FILL_HORIZONTAL_STRIPES,
    FILL_CHECKERBOARD,
    FILL_SPARSE, // 1 in 32
    FILL_DENSE,  // 31 in 32
    FILL_EDGES,  // the outermost cells, one half of them
    FILL_COUNT
} fill;
const char *fill_name(fill kind);
void fill_board(oracle *board, fill kind, uint64_t seed);
void fill_words(word_oracle *board, fill kind, uint64_t seed); // the same cells

// What was being tested, for the report of a mismatch.
typedef struct scene {
    const char *engine, *level;
    int threads;
    uint64_t seed;
    int64_t width, height;
    lc_topology topology;
    const lc_rule *rule;
    const char *fill;
    uint64_t generation;
} scene;

// Rows of what is tested, from x = 0 on and the whole width.
typedef void (*row_reader)(const void *context, int64_t y, int64_t width, uint64_t *words);

// A board at one generation, as words: row y starts at words[y * pitch].
typedef struct snapshot {
    int64_t width, height;
    size_t pitch;
    uint64_t generation;
    uint64_t *words;
    uint64_t population;
    lc_box box;
    uint64_t hash; // of the words (plain_hash), if the test needs it and sets it; else 0
} snapshot;
snapshot snapshot_take(const oracle *board, uint64_t generation);
snapshot snapshot_of_words(const word_oracle *board, uint64_t generation);
void snapshot_free(snapshot *taken);
bool snapshot_cell(const snapshot *taken, int64_t x, int64_t y);
// A row_reader of a snapshot.
void snapshot_row(const void *taken, int64_t y, int64_t width, uint64_t *words);

// Compares every cell. If they differ: prints the scene, the first cell, how many and where, and
// the surroundings in both, and returns false.
bool snapshot_equals(const snapshot *expected, row_reader read, const void *context,
                     const scene *where);

// The same for two boards of one byte a cell (light-cone windows), whose (0, 0) is (x, y).
bool bytes_equal(const uint8_t *expected, const uint8_t *actual, int64_t x, int64_t y,
                 int64_t width, int64_t height, const scene *where);

void scene_print(const scene *where);

// The hash of rows of words, cell by cell as docs/formats.md defines it; (0, 0) is the first one's
// lowest bit. Other bits than cells' are 0.
uint64_t plain_hash(const uint64_t *words, size_t pitch_words, int64_t rows);

// Makes a call that must succeed. Its message is `why`.
#define GOOD(call)                                                                                 \
    do {                                                                                           \
        lc_message why = {0};                                                                      \
        if ((call) != LC_OK)                                                                       \
            fail_msg("%s", why.text);                                                              \
    } while (0)

#endif
