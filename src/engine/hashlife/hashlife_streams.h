// Streams: splitting squares in which spaceships pass each other.
//
// Two streams of gliders that move in opposite directions on separate lanes never meet. But each
// piece of one passes each piece of the other, and HashLife memoises a square for every such pair.
// If a square is split into A and B, it becomes the union of the futures of A and B, and each of
// these is memoised once: m + n results instead of m * n. The idea is that of Adam P. Goucher's
// StreamLife (2018, part of lifelib); this code was written for lightcone.
//
// **Objects.** An object is a group of cells, each within 2 cells of the next. An object of up to 8
// x 8 cells is stepped alone for some generations, once for each shape and rule. It comes to rest,
// repeats in place, or repeats elsewhere, with a velocity: velocities are found for the current
// rule. Every other object is unknown, and a square that holds one is never split.
//
// **Lanes.** The cells that an object and their neighbours ever cover are bounded: at rest by a
// box, in motion by its lane, a range of x - y, x + y, x or y that its motion does not change.
//
// **Proof.** Let a square in a dead plane consist of known objects C(1) .. C(n), and let C(i, t) be
// C(i) alone after t generations. Let no cell have neighbours (or itself) both in C(i, t) and in
// C(j, t), for all t and i != j. Then the square becomes the union of all C(i, t). For if it is
// this union at t, each cell with a live neighbour sees the same as with one C(i) alone, and a dead
// cell without a live neighbour stays dead. So it is this union at t + 1. The same holds for each
// subset of the objects, so the square's future is the union of its parts' futures. The result of a
// square does not depend on the cells around it, which may as well be dead. Two objects never meet
//
//     - if both are at rest, or have the same displacement in the same time, and the cells that
//       they cover in one period, with their neighbours, lie in two boxes that do not overlap;
//     - otherwise, if their lanes, with the cells beside them, do not overlap.
//
// The engine checks the first condition in windows of 64 x 64 cells, once for every four leaves. A
// box is at most MARGIN cells larger than its object on each side, so an object in the middle of a
// window overlaps only with objects that the window shows. An object that may reach beyond the
// window counts as large as objects can be. The engine checks the second condition for the whole
// square, by adding up the lanes of its windows. If there are too many lanes, it joins neighbours
// into one broad lane, which is a larger set and as correct.
//
// **Splitting.** The first part holds the objects that move back (up, or left); the second part
// holds the others and those at rest. All move along the same line. Lanes do not overlap, so a
// cell's place along the line tells its part. Cuts lie between lanes of different parts, at the
// roundest possible numbers, so that squares with the same cuts are often equal and are split once.
// Then both results are united, square by square, with a memo for pairs.
//
// A part with a single velocity that moves for a whole number of periods need not be stepped: its
// result is a shifted copy of its middle.
//
// The engine only tries nodes that go as far as they can in a step. On levels where few nodes
// split, it tries only some.
#ifndef LC_ENGINE_HASHLIFE_HASHLIFE_STREAMS_H
#define LC_ENGINE_HASHLIFE_HASHLIFE_STREAMS_H

#include "engine/hashlife/hashlife.h"
#include "object/field.h"

enum {
    LC_STREAMS_LOG2 = 12, // splitting smaller squares does not pay
    LC_STREAMS_LEAST_LOG2 = LC_LEAF_LOG2 + 2,
    LC_STREAMS_MOST_LOG2 = 60,
    LC_VELOCITIES = 16,
    LC_SHAPES = 1 << 12,
    LC_HELD = 8 * 64,
    LC_STREAMS_JUMP_LOG2 = 16,
};

// Directions of lanes. Along a line, x - y, x + y, x or y is constant.
typedef enum lc_line { LC_LINE_DOWN, LC_LINE_UP, LC_LINE_COLUMN, LC_LINE_ROW, LC_LINES } lc_line;

typedef struct lc_velocity {
    int dx, dy, period; // at rest, with any period
} lc_velocity;

typedef struct lc_box8 {
    int8_t left, top, right, bottom;
} lc_box8;

// An object, and its future alone.
typedef struct lc_stream_shape {
    uint64_t cells;  // 8 x 8, row by row; its upper row and left column are not empty
    int8_t velocity; // -1: unknown
    // The cells that it and their neighbours cover in a period, relative to its upper left corner,
    // as a box and as lanes.
    lc_box8 covers;
    int8_t first[LC_LINES], last[LC_LINES];
} lc_stream_shape;

typedef struct lc_stream_lane {
    int velocity;
    lc_line line;
    int64_t first, last;
} lc_stream_lane;

// The lanes of a square, relative to its upper left corner.
typedef struct lc_lanes {
    bool are_unknown;
    size_t count;
    lc_stream_lane lanes[];
} lc_lanes;

// A cached fact about squares. It is valid until the store may reuse their numbers.
typedef struct lc_note {
    lc_square key[4];
    uint64_t value; // never 0
} lc_note;

// The outcome of trying to split nodes of one level.
typedef struct lc_asked {
    uint64_t nodes, apart; // in this trial
    uint64_t pause, left;  // of the current pause, and left of it, in batches
} lc_asked;

typedef struct lc_streams {
    lc_hashlife *h;
    int least_log2;
    bool always_asks;
    lc_field_rule rule; // of the shapes and velocities
    lc_velocity velocities[LC_VELOCITIES];
    int velocity_count;
    lc_stream_shape *shapes;
    size_t shape_count;

    uint64_t epoch; // of the store, when the notes were made
    lc_note *notes;
    uint64_t note_room, note_count;
    uint8_t **blocks; // memory for lanes
    size_t block_count, block;
    uint64_t block_used;
    bool is_full;

    lc_square held[LC_HELD]; // kept by garbage collections
    size_t held_count;
    lc_asked asked[256];
    struct lc_stream_parts *parts[256]; // of the nodes in work, by level
} lc_streams;

// How a square is split. Along the line, cells before the first cut belong to the first part, cells
// from there to the second cut to the other part, and so on in turns. Part 0 moves back.
enum { LC_LANES_MOST = 120 };
typedef struct lc_parting {
    lc_line line;
    int first_part;
    size_t count;
    int64_t cuts[LC_LANES_MOST];
    int velocity[2]; // of a whole part; 0: several velocities, or at rest
} lc_parting;

// Nodes of one level. A split node has two squares and two records; a square without a record is a
// result.
typedef struct lc_stream_parts {
    lc_square_batch batch;
    bool come_apart[LC_BATCH];
} lc_stream_parts;

// hashlife_streams.c. Finds how a square in a dead plane splits into parts that never meet. Returns
// false if that is not known. Without cuts, all cells belong to part `first_part`.
bool lc_streams_find_parting(lc_streams *streams, lc_square node, int log2, lc_parting *parting);
// Read and add cached facts by key; 0: none. They are discarded when the store's epoch changes.
uint64_t lc_streams_note(lc_streams *streams, const lc_square key[4]);
void lc_streams_add_note(lc_streams *streams, const lc_square key[4], uint64_t value);
lc_status lc_streams_create(lc_streams **out, lc_hashlife *h, int least_log2, lc_message *message);
void lc_streams_destroy(lc_streams **streams);
void lc_streams_keep(lc_streams *streams, const lc_keeping *keeping);

// hashlife_object_steps.c. Returns the shape with its future alone; NULL: the table is full.
const lc_stream_shape *lc_streams_shape(lc_streams *streams, uint64_t cells);

// hashlife_streams_apart.c. Computes results of nodes of that level, as lc_hashlife_worker_make.
// Splits nodes where it can.
lc_status lc_streams_make(lc_hashlife_worker *worker, int log2, const lc_job *jobs, size_t count,
                          lc_message *message);

#endif
