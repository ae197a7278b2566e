// See islands.h.
#include "object/islands.h"

#include <string.h>

#include "base/memory.h"
#include "object/union_find.h"

enum {
    ISLANDS_MAX = 16,     // for trying sets of islands
    TRIALS_MAX = 1 << 20, // ways to give each island a number of a part
    PARTS_MAX_NEAR = 4,   // by the four colour theorem, in place and for periods of up to FEW
    PARTS_MAX_SQUARE = 7,
    FEW = 3,
};

// Whether a set of islands alone does the same as in company.
enum { NOT_TRIED, DOES_THE_SAME, DOES_NOT };

typedef struct division {
    const lc_phases *phases;
    lc_field field;
    uint32_t *island_of; // of all cells, phase after phase
    uint32_t islands;
    uint8_t *tried; // by set of islands
    uint8_t colour_of[ISLANDS_MAX];
    lc_status status;
} division;

// Joins each cell of `b`, whose numbers begin at `b_first`, with the cells of `a` at most one cell
// away from it. Cells of `b` count as moved by (dx, dy).
static void join(uint32_t *up, const lc_live *a, uint32_t a_first, const lc_live *b,
                 uint32_t b_first, int64_t dx, int64_t dy)
{
    size_t from[3] = {0};
    for (size_t i = 0; i < b->count; i++) {
        const int64_t x = b->at[i].x + dx, y = b->at[i].y + dy;
        for (int row = 0; row < 3; row++) {
            const lc_live_cell first = {x - 1, y + row - 1};
            size_t *k = &from[row];
            while (*k < a->count && lc_live_compare(&a->at[*k], &first) < 0)
                (*k)++;
            for (size_t j = *k; j < a->count && a->at[j].y == first.y && a->at[j].x <= x + 1; j++)
                (void)lc_set_join(up, a_first + (uint32_t)j, b_first + (uint32_t)i);
        }
    }
}

// Finds the islands. Returns false if out of memory.
static bool find_islands(division *d, uint32_t cells)
{
    const lc_phases *p = d->phases;
    uint32_t *up = lc_malloc((size_t)cells * sizeof *up);
    if (up == NULL)
        return false;
    for (uint32_t i = 0; i < cells; i++)
        up[i] = i;
    uint32_t first = 0;
    for (uint64_t t = 0; t < p->period; t++) {
        const lc_live *phase = &p->at[t];
        const uint32_t next = first + (uint32_t)phase->count;
        join(up, phase, first, phase, first, 0, 0);
        if (t + 1 < p->period)
            join(up, phase, first, &p->at[t + 1], next, 0, 0);
        else
            join(up, phase, first, &p->at[0], 0, p->dx, p->dy);
        first = next;
    }
    d->islands = lc_set_number(up, cells, d->island_of);
    lc_free(up);
    return true;
}

static bool is_in_set(const division *d, uint32_t cell, uint32_t set, uint32_t island)
{
    return d->islands > ISLANDS_MAX ? d->island_of[cell] == island
                                    : (set >> d->island_of[cell] & 1) != 0;
}

static bool has_cell(const lc_field *f, lc_live_cell cell)
{
    const int64_t x = cell.x - f->x, y = cell.y - f->y;
    return y >= f->top && y <= f->bottom && x >= f->left && x <= f->right && lc_field_has(f, x, y);
}

// Returns whether the field's cells are those of the set in a phase.
static bool is_phase(const division *d, const lc_live *phase, uint32_t first, int64_t dx,
                     int64_t dy, uint32_t set, uint32_t island)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < phase->count; i++) {
        if (!is_in_set(d, first + i, set, island))
            continue;
        if (!has_cell(&d->field, (lc_live_cell){phase->at[i].x + dx, phase->at[i].y + dy}))
            return false;
        count++;
    }
    return count == d->field.population;
}

// Returns whether a set of islands (or, if there are many, an island) alone has the phases that it
// has in company.
static bool find_whether_same(division *d, uint32_t set, uint32_t island)
{
    const lc_phases *p = d->phases;
    lc_live cells = {0};
    for (uint32_t i = 0; i < p->at[0].count && d->status == LC_OK; i++)
        if (is_in_set(d, i, set, island) &&
            !lc_live_add(&cells, p->at[0].at[i].x, p->at[0].at[i].y))
            d->status = LC_ERROR_MEMORY;
    if (d->status == LC_OK)
        d->status = lc_field_set(&d->field, &cells);
    lc_live_free(&cells);
    bool same = d->field.population != 0;
    uint32_t first = (uint32_t)p->at[0].count;
    for (uint64_t t = 1; t <= p->period && same && d->status == LC_OK; t++) {
        const bool ends = t == p->period;
        d->status = lc_field_step(&d->field);
        same = d->status == LC_OK && is_phase(d, &p->at[ends ? 0 : t], ends ? 0 : first,
                                              ends ? p->dx : 0, ends ? p->dy : 0, set, island);
        first += ends ? 0 : (uint32_t)p->at[t].count;
    }
    return same;
}

static bool does_the_same(division *d, uint32_t set)
{
    if (d->tried[set] == NOT_TRIED)
        d->tried[set] = find_whether_same(d, set, 0) ? DOES_THE_SAME : DOES_NOT;
    return d->tried[set] == DOES_THE_SAME;
}

static bool is_division(division *d, uint32_t colours)
{
    for (uint32_t colour = 0; colour < colours; colour++) {
        uint32_t set = 0;
        for (uint32_t i = 0; i < d->islands; i++)
            set |= (uint32_t)(d->colour_of[i] == colour) << i;
        if (!does_the_same(d, set))
            return false;
    }
    return d->status == LC_OK;
}

// Tries all divisions into so many sets, in which islands 0 .. island - 1 have the first `used`
// colours.
static bool find_division(division *d, uint32_t island, uint32_t used, uint32_t colours)
{
    if (d->islands - island < colours - used)
        return false;
    if (island == d->islands)
        return is_division(d, colours);
    for (uint32_t colour = 0; colour <= used && colour < colours && d->status == LC_OK; colour++) {
        d->colour_of[island] = (uint8_t)colour;
        if (find_division(d, island + 1, colour == used ? used + 1 : used, colours))
            return true;
    }
    return false;
}

static bool are_all_alone(division *d)
{
    bool alone = true;
    for (uint32_t i = 0; i < d->islands && alone && d->status == LC_OK; i++)
        alone = d->islands > ISLANDS_MAX ? find_whether_same(d, 0, i)
                                         : does_the_same(d, UINT32_C(1) << i);
    return alone && d->status == LC_OK;
}

// Returns the largest number of parts that is tried.
static uint32_t most_parts(const division *d)
{
    const lc_phases *p = d->phases;
    if (d->islands > ISLANDS_MAX)
        return 1;
    if (p->period > FEW || p->dx != 0 || p->dy != 0)
        return d->islands - 1;
    return d->field.rule->groups_are_square ? PARTS_MAX_SQUARE : PARTS_MAX_NEAR;
}

// Returns whether there are few enough ways to give each island one of so many colours.
static bool are_few(const division *d, uint32_t colours)
{
    uint64_t ways = 1;
    for (uint32_t i = 0; i < d->islands && ways <= TRIALS_MAX; i++)
        ways *= colours;
    return ways <= TRIALS_MAX;
}

static void divide(division *d, uint32_t *part_of, uint32_t *parts)
{
    const uint32_t cells = (uint32_t)d->phases->at[0].count;
    *parts = 1;
    memset(part_of, 0, cells * sizeof *part_of);
    if (d->islands == 1)
        return;
    if (are_all_alone(d)) {
        *parts = d->islands;
        memcpy(part_of, d->island_of, cells * sizeof *part_of);
        return;
    }
    const uint32_t most = most_parts(d);
    for (uint32_t n = 2; n <= most && n < d->islands && are_few(d, n); n++) {
        if (!find_division(d, 0, 0, n))
            continue;
        *parts = n;
        for (uint32_t i = 0; i < cells; i++)
            part_of[i] = d->colour_of[d->island_of[i]];
        return;
    }
}

lc_status lc_phases_divide(const lc_phases *phases, const lc_field_rule *rule, uint32_t *part_of,
                           uint32_t *parts)
{
    size_t cells = 0;
    for (uint64_t t = 0; t < phases->period; t++)
        cells += phases->at[t].count;
    division d = {
        .phases = phases,
        .field = lc_field_of(rule),
        .island_of = lc_malloc(cells * sizeof *d.island_of),
        .status = LC_ERROR_MEMORY,
    };
    if (d.island_of != NULL && find_islands(&d, (uint32_t)cells))
        d.tried = lc_calloc((size_t)1 << (d.islands <= ISLANDS_MAX ? d.islands : 0), 1);
    if (d.tried != NULL) {
        d.status = LC_OK;
        divide(&d, part_of, parts);
    }
    lc_field_free(&d.field);
    lc_free(d.tried);
    lc_free(d.island_of);
    return d.status;
}
