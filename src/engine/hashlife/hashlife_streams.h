// Streams: squares in which spaceships pass each other, taken apart.
//
// Two streams of gliders that go opposite ways on lanes of their own meet nowhere, but each piece
// of one passes each piece of the other, and a square for every such pair is remembered. Taken
// apart, a square A and B becomes what A becomes and what B becomes, each of which is remembered
// once: m + n results instead of m * n. The idea is that of Adam P. Goucher's StreamLife (2018,
// part of lifelib); what follows was written for lightcone.
//
// **Objects.** Cells of which each is within 2 cells of the next are an object. Alone, an object
// of up to 8 x 8 cells is stepped some generations, once for each shape and rule. Either it comes
// to rest, or repeats itself where it is, or repeats itself somewhere else, with a velocity: those
// are found for the rule at hand. Everything else is unknown, and is never taken apart.
//
// **Lanes.** What an object and the cells beside it ever cover is bounded: at rest by a box, in
// motion by its lane, a range of x - y, x + y, x or y that its motion does not change.
//
// **Why that is right.** Let a square, in a dead plane, be made of known objects C(1) .. C(n), and
// C(i, t) what C(i) alone becomes. Let no cell have neighbours (or itself) both in C(i, t) and in
// C(j, t), for all t and i != j. Then the square becomes the union of all C(i, t). If it is so at
// t, then each cell with a live neighbour sees what it sees with one C(i) alone, and a dead cell
// with no live neighbour stays dead, so it is so at t + 1. The same holds for each part of the
// objects, so the square's future is that of one part and that of the other. The result of a
// square depends on nothing round it, so it may as well be a dead plane. Two objects never meet
//
//     - if both are at rest, or have the same displacement in the same time, and what they cover in
//       one period, with the cells beside it, lies in two boxes that do not overlap;
//     - else if their lanes, with the cells beside them, do not overlap.
//
// The first is found out within windows of 64 x 64 cells, once for every four leaves: a box is at
// most MARGIN cells larger than its object on each side, so an object in the middle of a window
// only overlaps with others that the window shows. An object that the window may not show whole is
// taken for as large as objects can be. The second is found out for the whole square, by adding up
// the lanes of its windows. Where there are too many, neighbours are taken for one broad lane:
// that is a larger set and as right.
//
// **Taking apart.** One part are the objects that go back (up, or left), the others and those at
// rest are the other part. All move along the same line. Since lanes do not overlap, a cell's place
// along the line tells its part: cuts lie between lanes of one part and the other, at numbers as
// round as they can be, so that squares that are cut alike are often equal, and are cut once. Then
// both results are put together, square by square, with a memo for pairs.
//
// A part that has one velocity only, and goes a whole number of periods, need not be stepped: its
// result is cut out of it, a little further back.
//
// Only nodes that go as far as they can in a step are asked about, and of levels where hardly any
// comes apart only some.
#ifndef LC_ENGINE_HASHLIFE_HASHLIFE_STREAMS_H
#define LC_ENGINE_HASHLIFE_HASHLIFE_STREAMS_H

#include "engine/hashlife/hashlife.h"
#include "object/field.h"

enum {
    LC_STREAMS_LOG2 = 12, // squares smaller than that are not worth taking apart
    LC_STREAMS_LEAST_LOG2 = LC_LEAF_LOG2 + 2,
    LC_STREAMS_MOST_LOG2 = 60,
    LC_VELOCITIES = 16,
    LC_SHAPES = 1 << 12,
    LC_HELD = 8 * 64,
    LC_STREAMS_JUMP_LOG2 = 16,
};

// Lines that lanes go along: x - y, x + y, x or y is the same all along one.
typedef enum lc_line { LC_LINE_DOWN, LC_LINE_UP, LC_LINE_COLUMN, LC_LINE_ROW, LC_LINES } lc_line;

typedef struct lc_velocity {
    int dx, dy, period; // (0, 0): at rest, whatever the period
} lc_velocity;

typedef struct lc_box8 {
    int8_t left, top, right, bottom;
} lc_box8;

// An object, and what becomes of it alone.
typedef struct lc_stream_shape {
    uint64_t cells;  // 8 x 8, row by row; its upper row and left column are not empty
    int8_t velocity; // -1: unknown
    // Relative to its upper left corner, with the cells beside: what it covers in a period, and as
    // lanes.
    lc_box8 covers;
    int8_t first[LC_LINES], last[LC_LINES];
} lc_stream_shape;

typedef struct lc_stream_lane {
    int velocity;
    lc_line line;
    int64_t first, last;
} lc_stream_lane;

// Of a square, relative to its upper left corner.
typedef struct lc_lanes {
    bool are_unknown;
    size_t count;
    lc_stream_lane lanes[];
} lc_lanes;

// What was found out about squares, until their numbers may be other squares'.
typedef struct lc_note {
    lc_square key[4];
    uint64_t value; // never 0
} lc_note;

// What came of asking about nodes of one level.
typedef struct lc_asked {
    uint64_t nodes, apart; // in this trial
    uint64_t pause, left;  // batches until the next one
} lc_asked;

typedef struct lc_streams {
    lc_hashlife *h;
    int least_log2;
    bool always_asks;
    lc_field_rule rule; // that the shapes and velocities are of
    lc_velocity velocities[LC_VELOCITIES];
    int velocity_count;
    lc_stream_shape *shapes;
    size_t shape_count;

    uint64_t epoch; // of the store, that the notes are of
    lc_note *notes;
    uint64_t note_room, note_count;
    uint8_t **blocks; // of lanes
    size_t block_count, block;
    uint64_t block_used;
    bool is_full;

    lc_square held[LC_HELD]; // while room is made
    size_t held_count;
    lc_asked asked[256];
    struct lc_stream_parts *parts[256]; // of nodes that are worked on, by level
} lc_streams;

// How a square comes apart. Along the line, cells before the first cut are of the first part (0:
// what goes back), cells from there to the second cut of the other part, and so on in turns.
enum { LC_LANES_MOST = 120 };
typedef struct lc_parting {
    lc_line line;
    int first_part;
    size_t count;
    int64_t cuts[LC_LANES_MOST];
    int velocity[2]; // of all of a part; 0: not of all, or at rest
} lc_parting;

// Nodes of one level. Those that come apart have two squares and records; a square without a record
// is a result.
typedef struct lc_stream_parts {
    lc_batch batch;
    bool come_apart[LC_BATCH];
} lc_stream_parts;

// hashlife_streams.c: whether it is known what becomes of that square in a dead plane, and how it
// comes apart; if there are no cuts all is of the first part.
bool lc_streams_find_parting(lc_streams *streams, lc_square node, int log2, lc_parting *parting);
// Notes of keys; 0: there is none. They are forgotten when the store's epoch changes.
uint64_t lc_streams_note(lc_streams *streams, const lc_square key[4]);
void lc_streams_add_note(lc_streams *streams, const lc_square key[4], uint64_t value);
lc_status lc_streams_create(lc_streams **out, lc_hashlife *h, int least_log2, lc_message *message);
void lc_streams_destroy(lc_streams **streams);
void lc_streams_keep(lc_streams *streams, const lc_keeping *keeping);

// hashlife_object_steps.c: what becomes of that object alone; NULL: there is no room for more.
const lc_stream_shape *lc_streams_shape(lc_streams *streams, uint64_t cells);

// hashlife_streams_apart.c: results of nodes of that level, as lc_hashlife_worker_make, of parts
// where they come apart.
lc_status lc_streams_make(lc_hashlife_worker *worker, int log2, const lc_job *jobs, size_t count,
                          lc_message *message);

#endif
