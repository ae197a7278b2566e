// Structures and limits that the kernels of a census share with the host (census.cu; C and CUDA C).
#ifndef LC_KERNELS_CENSUS_JOB_H
#define LC_KERNELS_CENSUS_JOB_H

#include "soup_digest.h"

#define LC_CENSUS_THREADS 128 // of a block

// The canvas of a soup has 64 x 64 blocks. The first pass, 0, takes all soups. The second one takes
// those that the first one leaves, with larger blocks.
#define LC_CENSUS_PASSES 2
#define LC_CENSUS_BLOCKS 64                 // along a side of the canvas
#define LC_CENSUS_BLOCK(pass) (8 << (pass)) // cells along a side

#define LC_CENSUS_PATCHES_MAX 32 // in a step; lane i has the place of patch i
#define LC_CENSUS_PATCH_WORDS 128

// Memory of a warp: the canvas, the cells that were alive lately, and the patches of a step.
#define LC_CENSUS_CANVAS_WORDS(pass)                                                               \
    (LC_CENSUS_BLOCK(pass) * LC_CENSUS_BLOCKS * (LC_CENSUS_BLOCK(pass) * LC_CENSUS_BLOCKS / 32))
#define LC_CENSUS_WARP_WORDS(pass)                                                                 \
    (2 * LC_CENSUS_CANVAS_WORDS(pass) + LC_CENSUS_PATCHES_MAX * LC_CENSUS_PATCH_WORDS)

// A soup that is wider or higher than this in the beginning is for the host.
#define LC_CENSUS_SOUP_CELLS 384

// Groups of cells that the host has named. Row i of group n is word n * LC_CENSUS_GROUP_ROWS + i.
#define LC_CENSUS_GROUP_ROWS 32
#define LC_CENSUS_GROUP_UNKNOWN (~0u)
#define LC_CENSUS_GROUP_GLIDER (~0u - 1) // of a record: the soup has a glider

// An entry of the hash table of known groups. The table is at most half full.
typedef struct lc_census_slot {
    lc_word hash;  // the sum of lc_census_row_hash
    lc_word group; // number + 1; 0: the slot is empty
} lc_census_slot;

// Added to a slot's group: the host wants to know in which soups the group is.
#define LC_CENSUS_WANTED 0x80000000u

// Added to a record's soup in the second pass.
#define LC_CENSUS_SECOND_PASS 0x80000000u

// A group that the host must name, or that it wants to know of.
typedef struct lc_census_record {
    lc_word soup;  // counted from the first one, and LC_CENSUS_SECOND_PASS
    lc_word group; // LC_CENSUS_GROUP_UNKNOWN: `rows` are its cells
    lc_word rows[LC_CENSUS_GROUP_ROWS];
} lc_census_record;

// Why a soup is left to the host, for the kernel's own use.
#define LC_CENSUS_LEFT_EDGE 0    // it grows beyond the canvas
#define LC_CENSUS_LEFT_PATCHES 1 // too much happens at a time, or too near the edge
#define LC_CENSUS_LEFT_LATE 2    // it does not settle soon enough
#define LC_CENSUS_LEFT_GROUP 3   // a group is too large
#define LC_CENSUS_LEFT_GROUPS 4  // too many groups or cells
#define LC_CENSUS_LEFT_LINE 5    // apgsearch has a line of its own for it
#define LC_CENSUS_LEFT_RECORDS 6 // no room for a record
#define LC_CENSUS_LEFT_UNKNOWN 7 // it does not rest, and a group is not known
#define LC_CENSUS_LEFT_REASONS 8

// Indices of the counters.
#define LC_CENSUS_TAKEN(pass) (2 * (pass))    // soups
#define LC_CENSUS_LEFT(pass) (2 * (pass) + 1) // soups
#define LC_CENSUS_RECORDS 4                   // may be more than there is room for
#define LC_CENSUS_GLIDERS 5
#define LC_CENSUS_COUNTERS 6

// The soups of a launch.
typedef struct lc_census_job {
    lc_u64 first; // number of the first soup
    lc_word soups;
    lc_word slot_mask; // number of slots - 1
    lc_word records_max;
    int takes_gliders;     // those that lead (census/gliders.h)
    int wants_gliders;     // the host wants to know which soups have gliders
    int groups_are_square; // cells of one group are near each other if dx, dy <= 2
    lc_soup_plan plan;
} lc_census_job;

// The beginning of a text that is hashed: the seed, with zeros behind it.
#define LC_CENSUS_TEXT_WORDS 64
typedef struct lc_census_text {
    int bytes;
    lc_word words[LC_CENSUS_TEXT_WORDS];
} lc_census_text;

// Returns what a row adds to the hash of a group.
LC_INLINE lc_word lc_census_row_hash(lc_word cells, lc_word row)
{
    lc_word hash = (cells ^ row * 0x9E3779B1u) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 15) * 0xC2B2AE35u;
    return cells == 0 ? 0 : hash ^ hash >> 13;
}

#endif
