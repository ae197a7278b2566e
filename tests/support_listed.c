#include "support_listed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grid/cell_hash.h"
#include "grid/facts.h"
#include "kernels/tone.h"
#include "support_cover.h"
#include "support_universe.h"

typedef struct cell {
    int64_t y, x;
} cell;

typedef struct listed {
    lc_engine base;
    const lc_rule *rule; // the caller keeps ownership
    cell *cells;         // live cells, sorted by rows
    size_t count;
    bool spoilt;
} listed;

static int compare(const void *a, const void *b)
{
    const cell *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

// Returns the index of the first cell in the list that is not before (x, y).
static size_t find(const listed *l, int64_t x, int64_t y)
{
    const cell wanted = {y, x};
    size_t low = 0, high = l->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(&l->cells[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_alive(const listed *l, int64_t x, int64_t y)
{
    const size_t i = find(l, x, y);
    return i < l->count && l->cells[i].x == x && l->cells[i].y == y;
}

static void *grown(void *old, size_t count, size_t size)
{
    void *more = realloc(old, (count + 1) * size);
    assert_non_null(more);
    return more;
}

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    (void)config;
    (void)message;
    *memory_bytes = sizeof(listed);
    return LC_OK;
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    (void)message;
    listed *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->base.vtable = &test_engine_listed;
    l->rule = config->rule;
    *out = &l->base;
    return LC_OK;
}

static void destroy(lc_engine *engine)
{
    listed *l = (listed *)engine;
    free(l->cells);
    free(l);
}

static uint64_t held_bytes(const lc_engine *engine)
{
    return sizeof(listed) + ((const listed *)engine)->count * sizeof(cell);
}

static uint64_t extent(const lc_engine *engine)
{
    (void)engine;
    return UINT64_C(1) << 40; // beyond all cells of the tests
}

static lc_status read_cells(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    const listed *l = (const listed *)engine;
    (void)message;
    assert_int_equal(to->x % 64, 0);
    for (int64_t j = 0; j < to->height_cells; j++) {
        uint64_t *row = lc_cells_row(to, j);
        memset(row, 0, (size_t)(to->width_cells + 63) / 64 * sizeof *row);
        for (size_t i = find(l, to->x, to->y + j); i < l->count; i++) {
            const cell c = l->cells[i];
            if (c.y != to->y + j || c.x - to->x >= to->width_cells)
                break;
            row[(c.x - to->x) / 64] |= UINT64_C(1) << ((c.x - to->x) % 64);
        }
    }
    return LC_OK;
}

static lc_status write_cells(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    listed *l = (listed *)engine;
    size_t kept = 0;
    (void)message;
    assert_int_equal(from->x % 64, 0);
    for (size_t i = 0; i < l->count; i++) {
        const cell c = l->cells[i];
        if (c.x < from->x || c.x - from->x >= from->width_cells || c.y < from->y ||
            c.y - from->y >= from->height_cells)
            l->cells[kept++] = c;
    }
    l->count = kept;
    for (int64_t j = 0; j < from->height_cells; j++) {
        for (int64_t i = 0; i < from->width_cells; i++) {
            if ((lc_cells_row(from, j)[i / 64] >> (i % 64) & 1) == 0)
                continue;
            l->cells = grown(l->cells, l->count, sizeof *l->cells);
            l->cells[l->count++] = (cell){from->y + j, from->x + i};
        }
    }
    if (l->count > 0)
        qsort(l->cells, l->count, sizeof *l->cells, compare);
    return LC_OK;
}

static lc_status seek(lc_engine *engine, const lc_area *within, lc_cells *at, lc_message *message)
{
    const listed *l = (const listed *)engine;
    (void)message;
    at->width_cells = 0;
    for (size_t i = find(l, at->x, at->y); i < l->count && l->cells[i].y < within->y1; i++) {
        if (l->cells[i].x < within->x0 || l->cells[i].x >= within->x1)
            continue;
        at->x = l->cells[i].x;
        at->y = l->cells[i].y;
        at->width_cells = 1;
        break;
    }
    return LC_OK;
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    if (then == NULL)
        ((listed *)engine)->rule = rule;
    return then == NULL;
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    listed *l = (listed *)engine;
    const size_t most = l->count * 9;
    cell *near = calloc(most + 1, sizeof *near), *next = calloc(most + 1, sizeof *next);
    size_t count = 0;
    (void)message;
    assert_true(generations >= 1 && near != NULL && next != NULL);
    for (size_t i = 0; i < most; i++)
        near[i] = (cell){l->cells[i / 9].y + (int64_t)(i % 9 / 3) - 1,
                         l->cells[i / 9].x + (int64_t)(i % 3) - 1};
    if (most > 0)
        qsort(near, most, sizeof *near, compare);
    for (size_t i = 0; i < most; i++) {
        if (i > 0 && compare(&near[i], &near[i - 1]) == 0)
            continue;
        unsigned neighbourhood = 0;
        for (int k = 0; k < 9; k++)
            neighbourhood = neighbourhood << 1 |
                            (unsigned)is_alive(l, near[i].x + k % 3 - 1, near[i].y + k / 3 - 1);
        if (lc_rule_next(l->rule, neighbourhood))
            next[count++] = near[i];
    }
    if (l->spoilt && count > 0)
        count--;
    l->spoilt = false;
    free(near);
    free(l->cells);
    l->cells = next;
    l->count = count;
    *done = 1;
    return LC_OK;
}

static lc_status facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    const listed *l = (const listed *)engine;
    (void)which;
    (void)message;
    *facts = (lc_facts){.population = lc_count_of(l->count), .box = {.empty = true}};
    for (size_t i = 0; i < l->count; i++) {
        const cell c = l->cells[i];
        facts->box = lc_box_union(
            facts->box, (lc_box){.x = c.x, .y = c.y, .width_cells = 1, .height_cells = 1});
        facts->hash = lc_hash_joined(facts->hash, lc_hash_moved(1, c.x, c.y));
    }
    return LC_OK;
}

static lc_status view(lc_engine *engine, const lc_view *squares, lc_message *message)
{
    const listed *l = (const listed *)engine;
    const size_t pixels = (size_t)(squares->width * squares->height);
    uint32_t *counts = calloc(pixels, sizeof *counts);
    (void)message;
    assert_non_null(counts);
    for (size_t i = 0; i < l->count; i++) {
        const int64_t x = (l->cells[i].x - squares->x) >> squares->log2_side;
        const int64_t y = (l->cells[i].y - squares->y) >> squares->log2_side;
        if (x >= 0 && x < squares->width && y >= 0 && y < squares->height)
            counts[y * squares->width + x]++;
    }
    if (squares->counts != NULL)
        memcpy(squares->counts, counts, pixels * sizeof *counts);
    else
        lc_tones_of_counts(squares->tones_of, counts, pixels, squares->tones);
    free(counts);
    return LC_OK;
}

static const lc_plane_ops plane = {
    .held_bytes = held_bytes,
    .extent = extent,
    .seek = seek,
};

const lc_engine_vtable test_engine_listed = {
    .name = "listed",
    .summary = "a list of live cells",
    .reason = "a list of cells",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC) | LC_FAMILY_BIT(LC_FAMILY_MAP),
               .states_max = 2,
               .planes_max = 1,
               .reach_max = 1},
    .check = check,
    .create = create,
    .destroy = destroy,
    .set_rule = set_rule,
    .read = read_cells,
    .write = write_cells,
    .step = step,
    .facts = facts,
    .view = view,
    .plane = &plane,
};

void test_listed_spoil(lc_universe *universe)
{
    ((listed *)block_of(universe)->engine)->spoilt = true;
}
