// A few cells on an infinite plane of their own, and their next generations under any rule.
//
// The cells are bits in rows of words, with dead cells all around. The rectangle moves and grows
// with them. Each row knows its first and last word with live cells, so that empty space between
// objects that fly apart costs nothing. A row is stepped only if it or one beside it differs from
// two generations before, so that still lifes and blinkers cost next to nothing. Rules with B0 are
// refused: under them empty space does not stay empty.
#ifndef LC_OBJECT_FIELD_H
#define LC_OBJECT_FIELD_H

#include "lightcone/rule.h"
#include "object/live.h"

enum { LC_FIELD_CELLS_LOG2_MAX = 24 }; // of the rectangle: 2 MiB of bits

// A rule, prepared for stepping.
typedef struct lc_field_rule {
    const lc_rule *rule; // lent; only compared
    unsigned symmetry;   // of the rule
    bool is_totalistic;
    // Of totalistic rules: bit n is set if a cell is alive next time that has n live cells among
    // itself and its neighbours: any cell; only one that is dead; only one that is alive.
    uint16_t next_any, next_dead, next_alive;
    uint8_t next[512]; // by neighbourhood, for rules that are not totalistic
    // Two opposite diagonal neighbours can cause a birth, so that groups need the larger distance.
    bool groups_are_square;
} lc_field_rule;

// A row of a field. Its words that have live cells lie from `first` to `last`, the cells in columns
// `left` to `right`; first > last: there are none.
typedef struct lc_field_row {
    int first, last;
    int left, right;
    unsigned population;
    bool changed; // since two generations ago, or it is not known
} lc_field_row;

typedef struct lc_field {
    const lc_field_rule *rule;
    uint64_t *words;         // rows x row_words
    lc_field_row *row_facts; // of the rows
    uint64_t *other;         // the generation before; then for the next one
    lc_field_row *other_facts;
    int64_t x, y; // of bit 0 of the first row
    int rows, row_words;
    int steps; // since the field was laid out; at most 2
    // The rows and columns of the rectangle that have live cells; top > bottom: there are none.
    int top, bottom, left, right;
    int other_top, other_bottom; // the same of the generation before
    uint64_t population;
    uint64_t work; // rows and live cells of all generations that this structure has stepped
    uint64_t words_stepped;
} lc_field;

void lc_field_rule_set(lc_field_rule *to, const lc_rule *rule);

// Returns a field without cells. It takes no memory.
lc_field lc_field_of(const lc_field_rule *rule);
void lc_field_free(lc_field *field);

// Replaces the cells by those of a sorted list. Returns LC_OK; LC_ERROR_LIMIT (the box of the cells
// is too large); LC_ERROR_MEMORY. On error the field has no cells.
lc_status lc_field_set(lc_field *field, const lc_live *live);
// Makes the next generation. Returns as lc_field_set.
lc_status lc_field_step(lc_field *field);
// Appends the cells to a list, in order. Returns false if out of memory.
bool lc_field_read(const lc_field *field, lc_live *live);

// Returns a cell of the rectangle by column and row.
static inline bool lc_field_has(const lc_field *field, int64_t column, int64_t row)
{
    const size_t word = (size_t)row * (size_t)field->row_words + (size_t)(column / 64);
    return (field->words[word] >> column % 64 & 1) != 0;
}

// Returns whether a cell of columns left .. right and rows top .. bottom is alive. Columns and rows
// are counted from the rectangle's corner and may lie outside of it.
bool lc_field_has_any(const lc_field *field, int64_t left, int64_t top, int64_t right,
                      int64_t bottom);

// Returns whether the field's cells are those of a sorted list, moved by some (*dx, *dy).
bool lc_field_is_moved(const lc_field *field, const lc_live *live, const lc_box *live_box,
                       int64_t *dx, int64_t *dy);

#endif
