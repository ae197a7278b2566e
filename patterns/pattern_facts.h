// What a pattern says about itself in its comments, in words that a program can check.
//
// Two lines of an RLE file's head are read:
//
//     #O Bill Gosper, November 1970
//     #C facts: gun, period 30, emits 1 glider
//
// The first is who found it, and after the last comma when. The second begins with a kind, and
// after commas come what kinds of it have to say (docs/formats.md lists them all).
// tests/test_pattern_facts.c steps every built-in pattern, and checks each of these.
#ifndef LC_PATTERNS_PATTERN_FACTS_H
#define LC_PATTERNS_PATTERN_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lc_pattern_kind {
    LC_PATTERN_UNKNOWN, // nothing is said, or nothing that is known here
    LC_PATTERN_STILL_LIFE,
    LC_PATTERN_OSCILLATOR,
    LC_PATTERN_AGAR, // fills a torus, and repeats
    LC_PATTERN_SPACESHIP,
    LC_PATTERN_GUN,
    LC_PATTERN_PUFFER,
    LC_PATTERN_RAKE,
    LC_PATTERN_BREEDER, // its population grows as the square of time
    LC_PATTERN_METHUSELAH,
    LC_PATTERN_CIRCUIT, // takes gliders in, gives gliders out, and is as it was
    LC_PATTERN_SYNTHESIS,
    LC_PATTERN_REPLICATOR,
    LC_PATTERN_KINDS // how many there are
} lc_pattern_kind;

enum {
    LC_PATTERN_AUTHOR_BYTES = 128,
    LC_PATTERN_OBJECT_BYTES = 48,
    LC_PATTERN_SPEED_BYTES = 64, // of lc_pattern_speed's text
};

// Numbers are 0 where nothing is said. Strings are "" then.
typedef struct lc_pattern_facts {
    char author[LC_PATTERN_AUTHOR_BYTES]; // as in the file, any encoding
    int year;
    lc_pattern_kind kind;
    uint64_t period;  // generations; 1 for a still life
    int64_t dx, dy;   // cells that it has moved, or its front has, after a period
    uint64_t from;    // the generation from which it does what it is said to do
    uint64_t emits;   // objects a period
    uint64_t grows;   // cells a period; of a breeder, how much that grows with each period
    uint64_t settles; // the generation when nothing new happens any more
    uint64_t leaves;  // cells at that time
    uint64_t after;   // generations after which a circuit or a synthesis is done
    uint64_t takes;   // gliders that it takes in
    uint64_t gives;   // gliders that it gives out
    uint64_t copies;  // what a replicator is after a period, and after 2, 4, 8, ... of them
    char object[LC_PATTERN_OBJECT_BYTES]; // the name of what is emitted or made
} lc_pattern_facts;

// Reads the lines that begin with '#' at the start of an RLE file's text. What cannot be read of
// them is left out: the kind, if a part of the facts is none. Returns whether the facts were read
// completely, or there were none. Allocates nothing.
bool lc_pattern_facts_read(lc_pattern_facts *facts, const char *text);

// Whether a line of a pattern's comments, without its mark, is one of the two that the facts were
// read from, so that it need not be said again.
bool lc_pattern_facts_has_line(const lc_pattern_facts *facts, const char *line, size_t length);

// "gun", "still life"; "" for LC_PATTERN_UNKNOWN.
const char *lc_pattern_kind_name(lc_pattern_kind kind);

// The category that a pattern of this kind belongs to, which is the name of its folder here:
// "guns", "still-lifes". Patterns of other rules than Life are in "other-rules". "" for a pattern
// of Life whose kind is unknown.
const char *lc_pattern_category(lc_pattern_kind kind, bool is_life);
// The i-th category, in the order in which they are shown; NULL past the last.
const char *lc_pattern_category_at(size_t index);
// Title, such as "Puffers and growth"; "" for none.
const char *lc_pattern_category_title(const char *category);

// How fast it moves, as it is written in the field: "c/4 diagonal", "2c/5 orthogonal",
// "(2,1)c/6 oblique"; "" if it does not move.
void lc_pattern_speed(const lc_pattern_facts *facts, char speed[LC_PATTERN_SPEED_BYTES]);

#endif
