// See fate.h.
#include "object/fate.h"

#include <string.h>

#include "base/area.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/mix.h"
#include "object/apgcode_search.h"
#include "object/islands.h"

enum {
    PHASE_CELLS_MAX = 1 << 22, // of all phases together; more are not divided and get no code
    SIDE_MAX = 1 << LC_FIELD_CELLS_LOG2_MAX,
    FIRST_ROOM = 64,
    FIRST_MARK = 32,     // generation that is kept first
    BETWEEN_ASKING = 64, // generations after which the caller is asked whether to give up
};

lc_status lc_fates_init(lc_fates *fates, const lc_rule *rule, lc_message *message)
{
    lc_field_rule_set(&fates->rule, rule);
    fates->field = lc_field_of(&fates->rule);
    if (fates->rule.next[0] != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "under a rule with B0 empty space does not stay empty, so cells are not "
                       "separated into objects");
    return LC_OK;
}

bool lc_fates_are_alike(const lc_fate *a, const lc_fate *b)
{
    if (a == b)
        return true;
    if (a->code != NULL && b->code != NULL)
        return strcmp(a->code, b->code) == 0;
    return a->code == b->code && a->period == b->period && a->cells_min == b->cells_min &&
           a->cells_max == b->cells_max;
}

// Forgets everything about a fate but its cells.
static void forget(lc_fate *fate)
{
    lc_live_free(&fate->footprint);
    lc_free(fate->phase_hashes);
    lc_free(fate->parts);
    lc_free(fate->code);
    *fate = (lc_fate){.cells = fate->cells, .box = fate->box, .hash = fate->hash};
}

static void free_fate(lc_fate *fate)
{
    if (fate == NULL)
        return;
    forget(fate);
    lc_live_free(&fate->cells);
    lc_free(fate);
}

void lc_fates_free(lc_fates *fates)
{
    for (size_t i = 0; i < fates->room; i++)
        free_fate(fates->table[i]);
    lc_free(fates->table);
    lc_field_free(&fates->field);
    *fates = (lc_fates){0};
}

// ---- the table ----------------------------------------------------------------------------------

static uint64_t hash_of(const lc_live *cells, const lc_box *box)
{
    uint64_t hash = cells->count;
    for (size_t i = 0; i < cells->count; i++) {
        const uint64_t x = (uint64_t)(cells->at[i].x - box->x);
        hash = lc_mixed(hash ^ (x << 32 ^ (uint64_t)(cells->at[i].y - box->y)));
    }
    return hash;
}

// Returns the place of the cells' fate in the table: their fate, or NULL.
static lc_fate **find_place(const lc_fates *fates, const lc_live *cells, const lc_box *box,
                            uint64_t hash)
{
    for (size_t i = hash & (fates->room - 1);; i = (i + 1) & (fates->room - 1)) {
        lc_fate **place = &fates->table[i];
        if (*place == NULL ||
            ((*place)->hash == hash && lc_live_equal(&(*place)->cells, cells, box->x, box->y)))
            return place;
    }
}

static bool grow(lc_fates *fates)
{
    const size_t room = fates->room == 0 ? FIRST_ROOM : 2 * fates->room;
    if (2 * fates->count < fates->room)
        return true;
    lc_fate **old = fates->table, **table = lc_calloc(room, sizeof(lc_fate *));
    if (table == NULL)
        return false;
    for (size_t i = 0; i < fates->room; i++) {
        size_t at = old[i] != NULL ? old[i]->hash & (room - 1) : 0;
        while (old[i] != NULL && table[at] != NULL)
            at = (at + 1) & (room - 1);
        if (old[i] != NULL)
            table[at] = old[i];
    }
    fates->table = table;
    fates->room = room;
    lc_free(old);
    return true;
}

// ---- one shape ----------------------------------------------------------------------------------

static lc_box box_of_field(const lc_field *f)
{
    if (f->top > f->bottom)
        return (lc_box){.empty = true};
    return (lc_box){.x = f->x + f->left,
                    .y = f->y + f->top,
                    .width_cells = f->right - f->left + 1,
                    .height_cells = f->bottom - f->top + 1};
}

// The cells of a generation, kept to find out whether later ones repeat them.
typedef struct mark {
    lc_live cells;
    lc_box box;
    uint64_t next; // generation that is kept next
} mark;

// Returns whether the field repeats the marked generation. Then it never comes back to a generation
// before that. Keeps generation t if it is time.
static bool has_cycle(mark *m, const lc_field *f, uint64_t t, lc_status *status)
{
    int64_t dx, dy;
    if (m->cells.count != 0 && lc_field_is_moved(f, &m->cells, &m->box, &dx, &dy))
        return true;
    if (t == m->next) {
        m->cells.count = 0;
        m->next *= 2;
        if (!lc_field_read(f, &m->cells))
            *status = LC_ERROR_MEMORY;
        m->box = box_of_field(f);
    }
    return false;
}

// Steps the cells until they repeat.
static lc_status find_period(lc_fates *fates, lc_fate *fate, uint64_t limit)
{
    lc_field *f = &fates->field;
    mark m = {.next = FIRST_MARK};
    lc_status status = lc_field_set(f, &fate->cells);
    fate->cells_min = fate->cells_max = fate->cells.count;
    fate->swept = fate->box;
    fate->tried = limit;
    for (uint64_t t = 1; t <= limit && status == LC_OK; t++) {
        status = t % BETWEEN_ASKING == 0 ? lc_check_give_up(NULL) : LC_OK;
        if (status == LC_OK)
            status = lc_field_step(f);
        if (status != LC_OK || f->population == 0 || lc_explodes(f->population, fate->cells.count))
            break;
        fate->swept = lc_box_union(fate->swept, box_of_field(f));
        if (lc_field_is_moved(f, &fate->cells, &fate->box, &fate->dx, &fate->dy)) {
            fate->period = t;
            break;
        }
        if (has_cycle(&m, f, t, &status)) {
            fate->tried = UINT64_MAX; // they never will
            break;
        }
        fate->cells_min = f->population < fate->cells_min ? f->population : fate->cells_min;
        fate->cells_max = f->population > fate->cells_max ? f->population : fate->cells_max;
    }
    lc_live_free(&m.cells);
    return status;
}

static void free_phases(lc_phases *phases)
{
    for (uint64_t t = 0; phases->at != NULL && t < phases->period; t++)
        lc_live_free(&phases->at[t]);
    lc_free(phases->at);
}

// Takes another phase into account.
static void find_range(lc_fate *fate, const lc_box *box, int64_t generation)
{
    const int64_t period = (int64_t)fate->period;
    const int64_t x = period * box->x - fate->dx * generation;
    const int64_t y = period * box->y - fate->dy * generation;
    const int64_t right = x + period * (box->width_cells - 1);
    const int64_t bottom = y + period * (box->height_cells - 1);
    fate->x_low = generation == 0 || x < fate->x_low ? x : fate->x_low;
    fate->x_high = generation == 0 || right > fate->x_high ? right : fate->x_high;
    fate->y_low = generation == 0 || y < fate->y_low ? y : fate->y_low;
    fate->y_high = generation == 0 || bottom > fate->y_high ? bottom : fate->y_high;
}

// Steps the cells again, and this time keeps all phases.
static lc_status make_phases(lc_fates *fates, lc_fate *fate, lc_phases *phases)
{
    lc_status status = lc_field_set(&fates->field, &fate->cells);
    size_t cells = 0;
    *phases = (lc_phases){.period = fate->period, .dx = fate->dx, .dy = fate->dy};
    if (fate->period > PHASE_CELLS_MAX)
        return LC_ERROR_LIMIT;
    phases->at = lc_calloc((size_t)fate->period, sizeof *phases->at);
    if (phases->at == NULL)
        return LC_ERROR_MEMORY;
    for (uint64_t t = 0; t < fate->period && status == LC_OK; t++) {
        cells += fates->field.population;
        if (cells > PHASE_CELLS_MAX)
            return LC_ERROR_LIMIT;
        if (!lc_field_read(&fates->field, &phases->at[t]))
            return LC_ERROR_MEMORY;
        const lc_box box = box_of_field(&fates->field);
        find_range(fate, &box, (int64_t)t);
        status = lc_field_step(&fates->field);
    }
    return status;
}

// Finds the fates of the parts into which the cells are divided. Parts of parts become parts.
static lc_status find_parts(lc_fates *fates, lc_fate *fate, const uint32_t *part_of, uint32_t parts)
{
    lc_status status = LC_OK;
    for (uint32_t i = 0; i < parts && status == LC_OK; i++) {
        const lc_fate *one = NULL;
        lc_live cells = {0};
        for (size_t k = 0; k < fate->cells.count && status == LC_OK; k++)
            if (part_of[k] == i && !lc_live_add(&cells, fate->cells.at[k].x, fate->cells.at[k].y))
                status = LC_ERROR_MEMORY;
        const lc_box box = lc_live_box(&cells);
        if (status == LC_OK)
            status = lc_fate_find(&one, fates, &cells, fate->period);
        lc_live_free(&cells);
        if (status != LC_OK)
            return status;
        const size_t more = one->part_count == 0 ? 1 : one->part_count;
        lc_part *all = lc_realloc(fate->parts, (fate->part_count + more) * sizeof *all);
        if (all == NULL)
            return LC_ERROR_MEMORY;
        fate->parts = all;
        for (size_t k = 0; k < one->part_count; k++)
            all[fate->part_count + k] =
                (lc_part){one->parts[k].fate, box.x + one->parts[k].x, box.y + one->parts[k].y};
        if (one->part_count == 0)
            all[fate->part_count] = (lc_part){one, box.x, box.y};
        fate->part_count += more;
    }
    return status;
}

static lc_status divide(lc_fates *fates, lc_fate *fate, const lc_phases *phases)
{
    uint32_t parts = 1, *part_of = lc_malloc(fate->cells.count * sizeof *part_of);
    if (part_of == NULL)
        return LC_ERROR_MEMORY;
    lc_status status = lc_phases_divide(phases, &fates->rule, part_of, &parts);
    if (status == LC_OK && parts > 1)
        status = find_parts(fates, fate, part_of, parts);
    lc_free(part_of);
    return status;
}

static lc_status find_code(lc_fate *fate, const lc_phases *phases, unsigned symmetry)
{
    lc_apgcode_search search = {0};
    lc_status status = LC_OK;
    for (uint64_t t = 0; t < phases->period && status == LC_OK; t++)
        status = lc_apgcode_add_phase(&search, &phases->at[t], symmetry);
    if (status == LC_OK) {
        fate->code =
            lc_apgcode_finish(&search, fate->cells.count, fate->period, lc_fate_moves(fate));
        status = fate->code == NULL ? LC_ERROR_MEMORY : LC_OK;
    }
    lc_apgcode_free(&search);
    return status == LC_ERROR_LIMIT ? LC_OK : status; // too large for a code
}

static lc_status find_footprint(lc_fate *fate, const lc_phases *phases)
{
    for (uint64_t t = 0; t < phases->period; t++)
        if (!lc_live_add_all(&fate->footprint, &phases->at[t]))
            return LC_ERROR_MEMORY;
    lc_live_sort(&fate->footprint);
    return LC_OK;
}

static lc_status find_hashes(lc_fate *fate, const lc_phases *phases)
{
    fate->phase_hashes = lc_calloc((size_t)phases->period, sizeof *fate->phase_hashes);
    if (fate->phase_hashes == NULL)
        return LC_ERROR_MEMORY;
    for (uint64_t t = 0; t < phases->period; t++)
        fate->phase_hashes[t] = lc_live_hash(&phases->at[t]);
    return LC_OK;
}

static lc_status find_out(lc_fates *fates, lc_fate *fate, uint64_t limit)
{
    lc_phases phases = {0};
    lc_status status = find_period(fates, fate, limit);
    if (status != LC_OK || fate->period == 0)
        return status;
    status = make_phases(fates, fate, &phases);
    if (status == LC_OK && !lc_fate_moves(fate))
        status = find_footprint(fate, &phases);
    if (status == LC_OK)
        status = find_hashes(fate, &phases);
    if (status == LC_OK)
        status = divide(fates, fate, &phases);
    if (status == LC_OK && fate->part_count == 0)
        status = find_code(fate, &phases, fates->rule.symmetry);
    free_phases(&phases);
    return status;
}

// Returns a new fate of cells whose box and hash are given; NULL: out of memory.
static lc_fate *make_fate(const lc_live *cells, const lc_box *box, uint64_t hash)
{
    lc_fate *fate = lc_calloc(1, sizeof *fate);
    if (fate == NULL || !lc_live_add_all(&fate->cells, cells)) {
        free_fate(fate);
        return NULL;
    }
    for (size_t i = 0; i < fate->cells.count; i++) {
        fate->cells.at[i].x -= box->x;
        fate->cells.at[i].y -= box->y;
    }
    fate->box = (lc_box){.width_cells = box->width_cells, .height_cells = box->height_cells};
    fate->hash = hash;
    return fate;
}

lc_status lc_fate_find(const lc_fate **out, lc_fates *fates, const lc_live *cells, uint64_t limit)
{
    const lc_box box = lc_live_box(cells);
    *out = NULL;
    if (box.width_cells > SIDE_MAX || box.height_cells > SIDE_MAX)
        return LC_ERROR_LIMIT;
    const uint64_t hash = hash_of(cells, &box);
    if (!grow(fates))
        return LC_ERROR_MEMORY;
    lc_fate *known = *find_place(fates, cells, &box, hash);
    if (known != NULL && (known->period != 0 || known->tried >= limit)) {
        *out = known;
        return LC_OK;
    }
    // A fate that is known up to a lower limit stays where it is: others point to it.
    lc_fate *fate = known != NULL ? known : make_fate(cells, &box, hash);
    if (fate == NULL)
        return LC_ERROR_MEMORY;
    lc_status status = find_out(fates, fate, limit);
    if (status == LC_OK && !grow(fates)) // its parts were added
        status = LC_ERROR_MEMORY;
    if (status != LC_OK) {
        if (known != NULL)
            forget(known);
        else
            free_fate(fate);
        return status;
    }
    if (known == NULL) {
        *find_place(fates, cells, &box, hash) = fate;
        fates->count++;
    }
    *out = fate;
    return LC_OK;
}
