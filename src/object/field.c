// See field.h.
#include "object/field.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/ones.h"

static const lc_field_row NO_CELLS = {.first = INT_MAX, .last = -1, .changed = true};

enum {
    MARGIN_ROWS = 32, // of dead rows above and below a field that is laid out anew
    CENTRE = 1 << 4,  // bits of a neighbourhood, as in lc_rule_next
    UPPER_LEFT_AND_LOWER_RIGHT = 1 << 8 | 1 << 0,
    UPPER_RIGHT_AND_LOWER_LEFT = 1 << 6 | 1 << 2,
};

void lc_field_rule_set(lc_field_rule *to, const lc_rule *rule)
{
    to->rule = rule;
    to->symmetry = lc_rule_traits(rule)->symmetry;
    lc_counts counts = {0};
    to->is_totalistic = lc_rule_counts(rule, &counts);
    const unsigned dead = counts.birth, alive = (unsigned)counts.survival << 1;
    to->next_any = (uint16_t)(dead & alive);
    to->next_dead = (uint16_t)(dead & ~alive);
    to->next_alive = (uint16_t)(alive & ~dead);
    for (unsigned n = 0; n < 512; n++)
        to->next[n] = lc_rule_next(rule, n);
    to->groups_are_square =
        to->next[UPPER_LEFT_AND_LOWER_RIGHT] != 0 || to->next[UPPER_RIGHT_AND_LOWER_LEFT] != 0;
}

lc_field lc_field_of(const lc_field_rule *rule)
{
    return (lc_field){.rule = rule, .bottom = -1};
}

void lc_field_free(lc_field *field)
{
    lc_free(field->words);
    lc_free(field->row_facts);
    lc_free(field->other);
    lc_free(field->other_facts);
    *field = (lc_field){.rule = field->rule,
                        .bottom = -1,
                        .work = field->work,
                        .words_stepped = field->words_stepped};
}

static uint64_t *row_of(const lc_field *f, uint64_t *words, int y)
{
    return words + (size_t)y * (size_t)f->row_words;
}

static void forget_bounds(lc_field *f)
{
    f->population = 0;
    f->top = f->rows;
    f->bottom = -1;
    f->left = f->row_words * 64;
    f->right = -1;
}

// Sets the facts of a row whose words first .. last may have live cells.
static void set_facts(lc_field_row *facts, const uint64_t *row, int first, int last)
{
    while (first <= last && row[first] == 0)
        first++;
    while (first <= last && row[last] == 0)
        last--;
    *facts = NO_CELLS;
    if (first > last)
        return;
    facts->first = first;
    facts->last = last;
    facts->left = first * 64 + __builtin_ctzll(row[first]);
    facts->right = last * 64 + 63 - __builtin_clzll(row[last]);
    for (int i = first; i <= last; i++)
        facts->population += (unsigned)lc_ones(row[i]);
}

// Takes row y into account in the field's bounds. Rows come from top to bottom.
static void add_row(lc_field *f, const lc_field_row *facts, int y)
{
    if (facts->first > facts->last)
        return;
    f->left = facts->left < f->left ? facts->left : f->left;
    f->right = facts->right > f->right ? facts->right : f->right;
    f->top = f->top == f->rows ? y : f->top;
    f->bottom = y;
    f->population += facts->population;
}

// Gives the field memory for a box with margins. Its old memory is still the caller's.
static lc_status lay_out(lc_field *f, int64_t x, int64_t y, int64_t width, int64_t height)
{
    const int64_t most = INT64_C(1) << LC_FIELD_CELLS_LOG2_MAX;
    if (width > most || height > most)
        return LC_ERROR_LIMIT;
    // 3: each side has a margin of 96 columns or more.
    const int64_t words = (width + 63) / 64 + 3, rows = height + 2 * MARGIN_ROWS;
    if (words * 64 * rows > most)
        return LC_ERROR_LIMIT;
    f->words = lc_calloc((size_t)(words * rows), sizeof *f->words);
    f->other = lc_calloc((size_t)(words * rows), sizeof *f->other);
    f->row_facts = lc_malloc((size_t)rows * sizeof *f->row_facts);
    f->other_facts = lc_malloc((size_t)rows * sizeof *f->other_facts);
    if (f->words == NULL || f->other == NULL || f->row_facts == NULL || f->other_facts == NULL) {
        lc_field_free(f);
        return LC_ERROR_MEMORY;
    }
    for (int64_t row = 0; row < rows; row++)
        f->row_facts[row] = f->other_facts[row] = NO_CELLS;
    f->row_words = (int)words;
    f->rows = (int)rows;
    f->other_top = f->rows;
    f->other_bottom = -1;
    f->x = x - (words * 64 - width) / 2;
    f->y = y - MARGIN_ROWS;
    return LC_OK;
}

lc_status lc_field_set(lc_field *field, const lc_live *live)
{
    const lc_box box = lc_live_box(live);
    lc_field_free(field);
    if (box.empty)
        return LC_OK;
    const lc_status status = lay_out(field, box.x, box.y, box.width_cells, box.height_cells);
    if (status != LC_OK)
        return status;
    for (size_t i = 0; i < live->count; i++) {
        const int64_t x = live->at[i].x - field->x;
        const int64_t y = live->at[i].y - field->y;
        row_of(field, field->words, (int)y)[x / 64] |= UINT64_C(1) << x % 64;
    }
    forget_bounds(field);
    for (int y = 0; y < field->rows; y++) {
        set_facts(&field->row_facts[y], row_of(field, field->words, y), 0, field->row_words - 1);
        add_row(field, &field->row_facts[y], y);
    }
    return LC_OK;
}

// Lays the field out anew, with margins on all sides.
static lc_status move(lc_field *field)
{
    lc_live live = {0};
    lc_status status = lc_field_read(field, &live) ? LC_OK : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_field_set(field, &live);
    else
        lc_field_free(field);
    lc_live_free(&live);
    return status;
}

// The number of live cells among the nine of each cell of a word, a bit of it in each of four.
static void count_nine(const uint64_t *above, const uint64_t *here, const uint64_t *below, int i,
                       uint64_t count[4])
{
    const uint64_t *rows[3] = {above, here, below};
    uint64_t sum[3], carry[3];
    for (int k = 0; k < 3; k++) {
        const uint64_t *row = rows[k];
        const uint64_t centre = row[i];
        const uint64_t left = centre << 1 | row[i - 1] >> 63;
        const uint64_t right = centre >> 1 | row[i + 1] << 63;
        sum[k] = left ^ centre ^ right;
        carry[k] = (left & centre) | (right & (left | centre));
    }
    const uint64_t twos = (sum[0] & sum[1]) | (sum[2] & (sum[0] | sum[1]));
    const uint64_t pair = carry[0] ^ carry[1], triple = pair ^ carry[2];
    const uint64_t fours = (carry[0] & carry[1]) | (carry[2] & pair);
    count[0] = sum[0] ^ sum[1] ^ sum[2];
    count[1] = triple ^ twos;
    const uint64_t more = triple & twos;
    count[2] = fours ^ more;
    count[3] = fours & more;
}

// Returns the cells for which a set has the number of live cells among nine.
static uint64_t is_in_set(unsigned set, const uint64_t count[4])
{
    uint64_t found = 0;
    for (; set != 0; set &= set - 1) {
        const unsigned n = (unsigned)__builtin_ctz(set);
        uint64_t is = UINT64_MAX;
        for (unsigned i = 0; i < 4; i++)
            is &= count[i] ^ ((uint64_t)(n >> i & 1) - 1);
        found |= is;
    }
    return found;
}

static uint64_t next_of_totalistic(const lc_field_rule *rule, const uint64_t count[4],
                                   uint64_t alive)
{
    return is_in_set(rule->next_any, count) | (is_in_set(rule->next_alive, count) & alive) |
           (is_in_set(rule->next_dead, count) & ~alive);
}

static uint64_t next_of_table(const uint8_t *table, const uint64_t *above, const uint64_t *here,
                              const uint64_t *below, int i)
{
    const uint64_t *rows[3] = {above, here, below};
    uint64_t planes[9], next = 0; // a plane for each bit of a neighbourhood
    for (int k = 0; k < 3; k++) {
        const uint64_t *row = rows[k];
        planes[8 - 3 * k] = row[i] << 1 | row[i - 1] >> 63;
        planes[7 - 3 * k] = row[i];
        planes[6 - 3 * k] = row[i] >> 1 | row[i + 1] << 63;
    }
    for (int bit = 0; bit < 64; bit++) {
        unsigned n = 0;
        for (unsigned k = 0; k < 9; k++)
            n |= (unsigned)(planes[k] >> bit & 1) << k;
        next |= (uint64_t)table[n] << bit;
    }
    return next;
}

// Makes words first .. last of a row of the next generation. Returns whether they differ from those
// of the generation before, which they replace.
static bool step_words(const lc_field *f, int y, int first, int last, uint64_t *next)
{
    const uint64_t *here = row_of(f, f->words, y), *above = here - f->row_words;
    const uint64_t *below = here + f->row_words;
    uint64_t change = 0;
    for (int i = first; i <= last; i++) {
        const uint64_t near = above[i] | here[i] | below[i] |
                              (above[i - 1] | here[i - 1] | below[i - 1]) >> 63 |
                              (above[i + 1] | here[i + 1] | below[i + 1]) << 63;
        const uint64_t before = next[i];
        if (near == 0) {
            next[i] = 0;
        } else if (f->rule->is_totalistic) {
            uint64_t count[4];
            count_nine(above, here, below, i, count);
            next[i] = next_of_totalistic(f->rule, count, here[i]);
        } else {
            next[i] = next_of_table(f->rule->next, above, here, below, i);
        }
        change |= before ^ next[i];
    }
    return change != 0;
}

// Makes row y of the next generation in place of that of the generation before.
static void step_row(lc_field *f, int y)
{
    const lc_field_row *facts = &f->row_facts[y];
    lc_field_row *old = &f->other_facts[y];
    if (f->steps == 2 && !facts[-1].changed && !facts->changed && !facts[1].changed) {
        old->changed = false; // the same happens again
        return;
    }
    int first = facts->first, last = facts->last;
    for (int k = -1; k <= 1; k += 2) {
        first = facts[k].first < first ? facts[k].first : first;
        last = facts[k].last > last ? facts[k].last : last;
    }
    // A word at each end stays dead, since cells of the outermost words are not alive.
    first = first > 1 ? first - 1 : 1;
    last = last < f->row_words - 2 ? last + 1 : f->row_words - 2;
    first = old->first < first ? old->first : first;
    last = old->last > last ? old->last : last;
    f->words_stepped += first <= last ? (uint64_t)(last - first + 1) : 0;
    uint64_t *next = row_of(f, f->other, y);
    const bool changed = step_words(f, y, first, last, next);
    set_facts(old, next, first, last);
    old->changed = changed;
}

// Exchanges the two generations.
static void take_next(lc_field *f, int top, int bottom)
{
    uint64_t *words = f->words;
    lc_field_row *facts = f->row_facts;
    f->words = f->other;
    f->row_facts = f->other_facts;
    f->other = words;
    f->other_facts = facts;
    f->other_top = f->top;
    f->other_bottom = f->bottom;
    f->steps += f->steps < 2;
    forget_bounds(f);
    for (int y = top; y <= bottom; y++)
        add_row(f, &f->row_facts[y], y);
}

lc_status lc_field_step(lc_field *field)
{
    lc_field *f = field;
    if (f->top > f->bottom)
        return LC_OK;
    if (f->top < 2 || f->bottom >= f->rows - 2 || f->left < 65 ||
        f->right >= (f->row_words - 1) * 64 - 1) {
        const lc_status status = move(f);
        if (status != LC_OK)
            return status;
    }
    f->work += f->population + (uint64_t)(f->bottom - f->top + 2);
    const int top = (f->top < f->other_top ? f->top : f->other_top) - 1;
    const int bottom = (f->bottom > f->other_bottom ? f->bottom : f->other_bottom) + 1;
    for (int y = top; y <= bottom; y++)
        step_row(f, y);
    take_next(f, top, bottom);
    return LC_OK;
}

bool lc_field_read(const lc_field *field, lc_live *live)
{
    for (int y = field->top; y <= field->bottom; y++) {
        const lc_field_row *facts = &field->row_facts[y];
        if (facts->first <= facts->last &&
            !lc_live_add_bits(live, field->x + facts->first * 64, field->y + y,
                              row_of(field, field->words, y) + facts->first,
                              (int64_t)(facts->last - facts->first + 1) * 64))
            return false;
    }
    return true;
}

bool lc_field_has_any(const lc_field *field, int64_t left, int64_t top, int64_t right,
                      int64_t bottom)
{
    left = left > field->left ? left : field->left;
    right = right < field->right ? right : field->right;
    top = top > field->top ? top : field->top;
    bottom = bottom < field->bottom ? bottom : field->bottom;
    if (left > right)
        return false;
    const int first = (int)(left / 64), last = (int)(right / 64);
    const uint64_t from = UINT64_MAX << left % 64, to = UINT64_MAX >> (63 - right % 64);
    for (int y = (int)top; y <= (int)bottom; y++) {
        const uint64_t *row = row_of(field, field->words, y);
        for (int i = first; i <= last; i++)
            if ((row[i] & (i == first ? from : UINT64_MAX) & (i == last ? to : UINT64_MAX)) != 0)
                return true;
    }
    return false;
}

bool lc_field_is_moved(const lc_field *field, const lc_live *live, const lc_box *live_box,
                       int64_t *dx, int64_t *dy)
{
    if (field->population != live->count)
        return false;
    if (live->count == 0) {
        *dx = *dy = 0;
        return true;
    }
    if (field->right - field->left + 1 != live_box->width_cells ||
        field->bottom - field->top + 1 != live_box->height_cells)
        return false;
    *dx = field->x + field->left - live_box->x;
    *dy = field->y + field->top - live_box->y;
    for (size_t i = 0; i < live->count; i++) {
        const int64_t x = live->at[i].x + *dx - field->x;
        const int64_t y = live->at[i].y + *dy - field->y;
        if (!lc_field_has(field, x, y))
            return false;
    }
    return true;
}
