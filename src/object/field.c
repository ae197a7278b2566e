// See field.h.
#include "object/field.h"

#include <string.h>

#include "base/memory.h"
#include "base/ones.h"

enum {
    MARGIN_ROWS = 32, // of dead rows above and below a field that is laid out anew
    CENTRE = 1 << 4,  // bits of a neighbourhood, as in lc_rule_next
    UPPER_LEFT_AND_LOWER_RIGHT = 1 << 8 | 1 << 0,
    UPPER_RIGHT_AND_LOWER_LEFT = 1 << 6 | 1 << 2,
};

void lc_field_rule_set(lc_field_rule *to, const lc_rule *rule)
{
    to->rule = *rule;
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
    *field = lc_field_of(field->rule);
}

static uint64_t *row_of(const lc_field *f, int y)
{
    return f->words + (size_t)y * (size_t)f->row_words;
}

// Finds the ends of the live cells within rows top .. bottom.
static void bound(lc_field *f, int top, int bottom)
{
    f->population = 0;
    f->top = f->rows;
    f->bottom = -1;
    f->left = f->row_words * 64;
    f->right = -1;
    for (int y = top; y <= bottom; y++) {
        const uint64_t *row = row_of(f, y);
        for (int i = 0; i < f->row_words; i++) {
            if (row[i] == 0)
                continue;
            const int left = i * 64 + __builtin_ctzll(row[i]);
            const int right = i * 64 + 63 - __builtin_clzll(row[i]);
            f->left = left < f->left ? left : f->left;
            f->right = right > f->right ? right : f->right;
            f->top = f->top == f->rows ? y : f->top;
            f->bottom = y;
            f->population += lc_ones(row[i]);
        }
    }
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
    f->words = lc_calloc((size_t)(2 * words * rows), sizeof *f->words);
    if (f->words == NULL)
        return LC_ERROR_MEMORY;
    f->row_words = (int)words;
    f->rows = (int)rows;
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
        row_of(field, (int)(live->at[i].y - field->y))[x / 64] |= UINT64_C(1) << x % 64;
    }
    bound(field, 0, field->rows - 1);
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

static uint64_t is_count(const uint64_t count[4], unsigned n)
{
    uint64_t is = UINT64_MAX;
    for (unsigned i = 0; i < 4; i++)
        is &= (n >> i & 1) != 0 ? count[i] : ~count[i];
    return is;
}

static uint64_t next_of_totalistic(const lc_rule *rule, const uint64_t count[4], uint64_t alive)
{
    uint64_t next = 0;
    for (unsigned born = rule->birth; born != 0; born &= born - 1)
        next |= is_count(count, (unsigned)__builtin_ctz(born)) & ~alive;
    for (unsigned stays = rule->survival; stays != 0; stays &= stays - 1)
        next |= is_count(count, (unsigned)__builtin_ctz(stays) + 1) & alive;
    return next;
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

lc_status lc_field_step(lc_field *field)
{
    lc_field *f = field;
    if (f->top > f->bottom)
        return LC_OK;
    // A word at each end stays dead, since words there are not stepped.
    if (f->top < 2 || f->bottom >= f->rows - 2 || f->left < 65 ||
        f->right >= (f->row_words - 1) * 64 - 1) {
        const lc_status status = move(f);
        if (status != LC_OK)
            return status;
    }
    const size_t size = (size_t)f->rows * (size_t)f->row_words;
    uint64_t *next = f->words + size;
    const int top = f->top - 1, bottom = f->bottom + 1;
    const int first = (f->left - 1) / 64, last = (f->right + 1) / 64;
    for (int y = top; y <= bottom; y++) {
        const uint64_t *here = row_of(f, y), *above = here - f->row_words;
        const uint64_t *below = here + f->row_words;
        for (int i = first; i <= last; i++) {
            uint64_t count[4];
            if (f->rule->rule.family == LC_FAMILY_TOTALISTIC) {
                count_nine(above, here, below, i, count);
                next[(size_t)(y * f->row_words + i)] =
                    next_of_totalistic(&f->rule->rule, count, here[i]);
            } else {
                next[(size_t)(y * f->row_words + i)] =
                    next_of_table(f->rule->next, above, here, below, i);
            }
        }
    }
    const size_t from = (size_t)top * (size_t)f->row_words;
    const size_t rows = (size_t)(bottom - top + 1);
    memcpy(f->words + from, next + from, rows * (size_t)f->row_words * sizeof *next);
    memset(next + from, 0, rows * (size_t)f->row_words * sizeof *next);
    bound(f, top, bottom);
    return LC_OK;
}

bool lc_field_read(const lc_field *field, lc_live *live)
{
    for (int y = field->top; y <= field->bottom; y++)
        if (!lc_live_add_bits(live, field->x, field->y + y, row_of(field, y),
                              (int64_t)field->row_words * 64))
            return false;
    return true;
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
