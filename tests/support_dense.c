// A minimal dense engine, with only the required functions.
//
// It stores one byte per cell in two boards, each with a border one cell wide. Before each
// generation the cover writes the border beyond open edges, so the engine steps boards of every
// topology without knowing any. The engine itself copies the border of joined edges and leaves that
// of walls dead.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/cell_hash.h"
#include "grid/facts.h"
#include "support_cover.h"

typedef struct dense {
    lc_engine base;
    lc_engine_config config;
    int64_t width, height, pitch;
    uint8_t *cells, *next; // including the borders
} dense;

static uint8_t *cell_at(const dense *d, int64_t x, int64_t y)
{
    return d->cells + (y + 1) * d->pitch + x + 1;
}

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    const lc_frame *f = &config->frame;
    (void)message;
    *memory_bytes = f->width_cells > 1 << 20 || f->height_cells > 1 << 20
                        ? UINT64_MAX
                        : 2 * (uint64_t)(f->width_cells + 2) * (uint64_t)(f->height_cells + 2);
    return LC_OK;
}

static void destroy(lc_engine *engine)
{
    dense *d = (dense *)engine;
    lc_free(d->cells);
    lc_free(d->next);
    lc_free(d);
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    if (then == NULL)
        ((dense *)engine)->config.rule = rule;
    return then == NULL;
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    dense *d = lc_calloc(1, sizeof *d);
    if (d == NULL)
        return lc_fail_memory(message, "an engine");
    *d = (dense){.base = {.vtable = &test_engine_dense},
                 .config = *config,
                 .width = config->frame.width_cells,
                 .height = config->frame.height_cells,
                 .pitch = config->frame.width_cells + 2};
    d->cells = lc_calloc((size_t)(d->height + 2), (size_t)d->pitch);
    d->next = lc_calloc((size_t)(d->height + 2), (size_t)d->pitch);
    *out = &d->base;
    if (d->cells != NULL && d->next != NULL)
        return LC_OK;
    destroy(&d->base);
    *out = NULL;
    return lc_fail_memory(message, "a board");
}

static lc_status read_cells(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    (void)message;
    for (int64_t j = 0; j < to->height_cells; j++) {
        uint64_t *words = lc_cells_row(to, j);
        memset(words, 0, (size_t)(to->width_cells + 63) / 64 * sizeof *words);
        for (int64_t i = 0; i < to->width_cells; i++)
            words[i / 64] |= (uint64_t)*cell_at((dense *)engine, to->x + i, to->y + j) << (i % 64);
    }
    return LC_OK;
}

static lc_status write_cells(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    (void)message;
    for (int64_t j = 0; j < from->height_cells; j++)
        for (int64_t i = 0; i < from->width_cells; i++)
            *cell_at((dense *)engine, from->x + i, from->y + j) =
                lc_cells_row(from, j)[i / 64] >> (i % 64) & 1;
    return LC_OK;
}

static lc_status fill_border(dense *d, lc_message *message)
{
    const lc_frame *f = &d->config.frame;
    const int64_t w = d->width, h = d->height;
    for (int64_t y = 0; y < h && f->left == LC_EDGE_JOINED; y++) {
        *cell_at(d, -1, y) = *cell_at(d, w - 1, y);
        *cell_at(d, w, y) = *cell_at(d, 0, y);
    }
    if (f->top == LC_EDGE_JOINED) {
        memcpy(cell_at(d, -1, -1), cell_at(d, -1, h - 1), (size_t)d->pitch);
        memcpy(cell_at(d, -1, h), cell_at(d, -1, 0), (size_t)d->pitch);
    }
    const lc_filler *filler = &d->config.filler;
    return lc_frame_is_open(f) ? filler->call(filler->context, &d->base, 1, message) : LC_OK;
}

static void step_row(void *context, size_t index, int worker)
{
    const dense *d = context;
    const int64_t y = (int64_t)index;
    (void)worker;
    for (int64_t x = 0; x < d->width; x++) {
        unsigned neighbourhood = 0;
        for (int k = 0; k < 9; k++)
            neighbourhood = neighbourhood << 1 | *cell_at(d, x + k % 3 - 1, y + k / 3 - 1);
        d->next[(y + 1) * d->pitch + x + 1] = lc_rule_next(d->config.rule, neighbourhood);
    }
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    dense *d = (dense *)engine;
    (void)generations; // at least 1
    *done = 0;
    const lc_status status = fill_border(d, message);
    if (status != LC_OK)
        return status;
    lc_pool_run(d->config.pool, (size_t)d->height, step_row, d);
    uint8_t *old = d->cells;
    d->cells = d->next;
    d->next = old;
    *done = 1;
    return LC_OK;
}

static lc_status facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    const dense *d = (const dense *)engine;
    uint64_t population = 0;
    (void)which; // computes all facts
    (void)message;
    *facts = (lc_facts){.box = {.empty = true}};
    for (int64_t y = 0; y < d->height; y++) {
        for (int64_t x = 0; x < d->width; x++) {
            if (*cell_at(d, x, y) == 0)
                continue;
            const lc_box cell = {.x = x, .y = y, .width_cells = 1, .height_cells = 1};
            population++;
            facts->box = lc_box_union(facts->box, cell);
            facts->hash = lc_hash_joined(facts->hash, lc_hash_moved(1, x, y));
        }
    }
    facts->population = lc_count_of(population);
    return LC_OK;
}

const lc_engine_vtable test_engine_dense = {
    .name = "dense",
    .summary = "a byte per cell",
    .reason = "an example",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC) | LC_FAMILY_BIT(LC_FAMILY_MAP),
               .states_max = 2,
               .planes_max = 1,
               .reach_max = 1,
               .takes_halo = true},
    .check = check,
    .create = create,
    .destroy = destroy,
    .set_rule = set_rule,
    .read = read_cells,
    .write = write_cells,
    .step = step,
    .facts = facts,
};
