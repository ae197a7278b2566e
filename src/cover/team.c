#include "cover/team.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "cover/single.h"
#include "grid/facts.h"

typedef struct lc_team {
    lc_cover base;
    lc_ranks *ranks;
    lc_share *share;                   // rank 0's
    lc_answer *answers;                // of each rank to the last order
    int number;                        // the universe's
    uint64_t bytes;                    // that all ranks hold
    char shares_text[LC_SHARES_BYTES]; // as lc_parts has it
    char plan[LC_SPLIT_PLAN_BYTES + LC_SHARES_BYTES];
    lc_status failed; // that ended the cells for good
    lc_message failure;
} lc_team;

// What all answered: the first rank's error that is not another one's doing.
static lc_status first_failure(const lc_ranks *ranks, const lc_answer *answers, lc_message *message)
{
    const lc_answer *worst = NULL;
    int rank = 0;
    for (int r = 0; r < ranks->count; r++) {
        const lc_answer *a = &answers[r];
        if (a->status != LC_OK && (worst == NULL || (worst->status == LC_ERROR_STOPPED &&
                                                     a->status != LC_ERROR_STOPPED))) {
            worst = a;
            rank = r;
        }
    }
    if (worst == NULL)
        return LC_OK;
    if (rank == 0 || worst->status == LC_ERROR_STOPPED)
        return lc_fail(message, worst->status, "%s", worst->text);
    return lc_fail(message, worst->status, "rank %d: %.290s", rank, worst->text);
}

static lc_status hear_all(lc_ranks *ranks, const lc_answer *own, lc_answer *answers,
                          lc_message *message)
{
    const lc_status status = ranks->gather(ranks, own, answers, sizeof *own, message);
    return status != LC_OK ? status : first_failure(ranks, answers, message);
}

static lc_status hear(lc_team *t, const lc_answer *own, lc_message *message)
{
    return hear_all(t->ranks, own, t->answers, message);
}

static lc_order order_of(const lc_team *t, lc_order_kind kind)
{
    lc_order order;
    memset(&order, 0, sizeof order); // with what is between its members
    order.kind = kind;
    order.universe = t->number;
    return order;
}

// Tells all what to do, does this rank's part of it, and hears the others.
static lc_status tell(lc_team *t, lc_order *order, const lc_cells *cells, uint32_t *counts,
                      lc_message *message)
{
    lc_answer own = {.status = LC_OK};
    const lc_status status = t->ranks->broadcast(t->ranks, order, sizeof *order, message);
    if (status != LC_OK)
        return status;
    lc_share_obey(t->share, t->ranks, order, cells, counts, &own);
    return hear(t, &own, message);
}

// Making one --------------------------------------------------------------------------------------

// Says what is asked for, as far as ranks have to know it.
static void describe_board(lc_order *order, const lc_cover_options *asked, const lc_parts *parts)
{
    const bool own_pool = asked->threads != lc_context_threads(asked->context);
    order->create.rule = asked->rule;
    order->create.topology = asked->topology;
    order->create.max_memory_bytes = asked->max_memory_bytes;
    order->create.threads = own_pool ? asked->threads : 0;
    order->create.blocks = parts->blocks;
    (void)snprintf(order->create.engine, sizeof order->create.engine, "%s", asked->engine->name);
    memcpy(order->create.settings, asked->settings, sizeof order->create.settings);
    memcpy(order->create.cpu_level, asked->cpu_level, sizeof order->create.cpu_level);
    memcpy(order->create.alike, parts->alike, sizeof order->create.alike);
}

// A board that ranks are to share. What was asked for, the engine chosen; and the same without what
// is the cover's, and how the rows are shared: `rows` is the caller's to free.
typedef struct layout {
    lc_cover_options asked, own;
    lc_parts parts;
    int64_t *rows;
} layout;

// Asks all ranks what they can do, and shares the rows accordingly.
static lc_status weigh(layout *l, lc_slab_ability *slabs, lc_answer *answers, lc_message *message)
{
    lc_ranks *ranks = l->parts.ranks;
    lc_order order;
    lc_answer own = {.status = LC_OK};
    memset(&order, 0, sizeof order);
    order.kind = LC_ORDER_WEIGH;
    describe_board(&order, &l->asked, &l->parts);
    lc_status status = ranks->broadcast(ranks, &order, sizeof order, message);
    if (status != LC_OK)
        return status;
    lc_share_weigh(&order, ranks, l->asked.context, slabs, &own);
    status = hear_all(ranks, &own, answers, message);
    return status != LC_OK ? status : lc_split_cut(&l->own, &l->parts, slabs, l->rows, message);
}

// What is wrong here is said before others hear of it.
static lc_status lay_out(layout *l, const lc_cover_options *options, lc_message *message)
{
    *l = (layout){.asked = *options, .own = *options};
    lc_status status = lc_share_begin(&l->own, &l->parts, message);
    if (status != LC_OK)
        return status;
    l->asked.engine = l->own.engine;
    const size_t ranks = (size_t)l->parts.ranks->count, count = ranks * (size_t)l->parts.blocks;
    lc_slab_ability *slabs = lc_calloc(count, sizeof *slabs);
    lc_answer *answers = lc_calloc(ranks, sizeof *answers);
    l->rows = lc_calloc(count + 1, sizeof *l->rows);
    if (slabs != NULL && answers != NULL && l->rows != NULL)
        status = weigh(l, slabs, answers, message);
    else
        status = lc_fail_memory(message, "%zu slabs", count);
    lc_free(slabs);
    lc_free(answers);
    if (status != LC_OK)
        lc_free(l->rows);
    return status;
}

lc_status lc_team_check(const lc_cover_options *options, lc_universe_needs *needs,
                        lc_message *message)
{
    layout l;
    lc_status status = lay_out(&l, options, message);
    if (status != LC_OK)
        return status;
    status = lc_split_check(&l.own, &l.parts, needs, message);
    lc_free(l.rows);
    return status;
}

static const lc_cover_vtable lc_cover_team;

// Makes all ranks' blocks, and lets them reach each other as far as they are to.
static lc_status create_all(lc_team *t, const layout *l, lc_halo_way way, lc_message *message)
{
    const lc_cover_options *asked = &t->base.asked;
    lc_order order = order_of(t, LC_ORDER_CREATE);
    lc_answer own = {.status = LC_OK};
    lc_message why = {0};
    describe_board(&order, asked, &l->parts);
    order.create.way = (int32_t)way;
    const size_t bytes = lc_share_row_count(&order, t->ranks) * sizeof(int64_t);
    int64_t *rows = lc_malloc(bytes);
    bool passed = false;
    if (rows != NULL)
        memcpy(rows, l->rows, bytes);
    lc_status status = t->ranks->broadcast(t->ranks, &order, sizeof order, message);
    if (status == LC_OK)
        status = lc_share_pass_on(t->ranks, rows, bytes, &passed, message);
    if (status != LC_OK || !passed)
        lc_free(rows);
    if (status != LC_OK)
        return status;
    if (passed)
        own.status = lc_share_create(&t->share, &order, rows, asked->context, asked->pool,
                                     asked->watch, &why);
    else
        own.status = lc_fail_memory(&why, "all slabs");
    memcpy(own.text, why.text, sizeof own.text);
    lc_share_describe(t->share, &own);
    status = hear(t, &own, message);
    for (int r = 0; r < t->ranks->count; r++)
        t->bytes += t->answers[r].bytes;
    if (status != LC_OK || way == LC_WAY_CELLS)
        return status;
    order = order_of(t, LC_ORDER_JOIN);
    return tell(t, &order, NULL, NULL, message);
}

static void destroy_all(lc_team *t)
{
    lc_order order = order_of(t, LC_ORDER_DESTROY);
    (void)t->ranks->broadcast(t->ranks, &order, sizeof order, NULL);
    lc_share_destroy(&t->share);
    t->bytes = 0;
}

static void destroy(lc_cover *cover)
{
    lc_team *t = (lc_team *)cover;
    destroy_all(t);
    lc_free(t->answers);
    lc_free(t);
}

static void write_plan(lc_team *t)
{
    lc_universe_info info;
    const bool uneven = t->shares_text[0] != '\0';
    const lc_cover *share = lc_share_cover(t->share);
    share->vtable->describe(share, &info);
    (void)snprintf(t->plan, sizeof t->plan, "ranks=%d,%s%s%s%s", t->ranks->count,
                   uneven ? "shares=" : "", t->shares_text, uneven ? "," : "", info.plan);
}

static lc_status create_team(lc_team *t, const layout *l, lc_message *message)
{
    lc_halo_way way = l->parts.way;
    lc_status status = create_all(t, l, way, message);
    while (status != LC_OK && way != LC_WAY_CELLS) { // slower, but between any two machines
        destroy_all(t);
        way = way == LC_WAY_MEMORY ? LC_WAY_ROWS : LC_WAY_CELLS;
        status = create_all(t, l, way, message);
    }
    return status;
}

lc_status lc_team_create(lc_cover **out, const lc_cover_options *options, lc_message *message)
{
    lc_universe_needs needs;
    layout l;
    *out = NULL;
    lc_status status = lay_out(&l, options, message);
    if (status != LC_OK)
        return status;
    lc_team *t = lc_calloc(1, sizeof *t);
    if (t != NULL)
        t->answers = lc_calloc((size_t)l.parts.ranks->count, sizeof *t->answers);
    if (t == NULL || t->answers == NULL) {
        lc_free(t);
        lc_free(l.rows);
        return lc_fail_memory(message, "a universe");
    }
    t->base = (lc_cover){.vtable = &lc_cover_team, .asked = l.asked};
    t->ranks = l.parts.ranks;
    t->number = ++t->ranks->universes;
    memcpy(t->shares_text, l.parts.shares_text, sizeof t->shares_text);
    status = lc_split_check(&l.own, &l.parts, &needs, message);
    if (status == LC_OK)
        status = create_team(t, &l, message);
    lc_free(l.rows);
    if (status != LC_OK) {
        destroy(&t->base);
        return status;
    }
    write_plan(t);
    *out = &t->base;
    return LC_OK;
}

// Stepping ----------------------------------------------------------------------------------------

static lc_status advance(lc_cover *cover, uint64_t generations, uint64_t *done, lc_message *message)
{
    lc_team *t = (lc_team *)cover;
    lc_order order = order_of(t, LC_ORDER_ADVANCE);
    order.generations = generations;
    lc_message why = {0};
    *done = 0;
    if (t->failed != LC_OK)
        return lc_fail(message, t->failed, "%s", t->failure.text);
    const lc_status status = tell(t, &order, NULL, NULL, &why);
    *done = t->answers[0].done;
    if (status == LC_OK)
        return LC_OK;
    if (status != LC_ERROR_STOPPED) {
        t->failed = status;
        t->failure = why;
    }
    if (*done > 0 && status == LC_ERROR_STOPPED)
        return LC_OK; // passes before it were made; the watch is asked again before the next one
    return lc_fail(message, status, "%s", why.text);
}

static void set_rule(lc_cover *cover, const lc_rule *rule)
{
    lc_team *t = (lc_team *)cover;
    lc_order order = order_of(t, LC_ORDER_SET_RULE);
    order.rule = *rule;
    (void)tell(t, &order, NULL, NULL, NULL);
}

// Cells -------------------------------------------------------------------------------------------

static lc_area area(const lc_cover *cover)
{
    const lc_topology *t = &cover->asked.topology;
    return (lc_area){0, 0, t->width_cells, t->height_cells};
}

// A rectangle of any size, in pieces that an order takes.
static lc_status move_cells(lc_team *t, lc_order_kind kind, const lc_cells *cells,
                            lc_message *message)
{
    const int64_t x1 = cells->x + cells->width_cells, y1 = cells->y + cells->height_cells;
    lc_order order = order_of(t, kind);
    lc_cells piece = *cells;
    lc_status status = LC_OK;
    for (int64_t x = cells->x; x < x1; x += piece.width_cells) {
        piece.x = x;
        piece.width_cells = lc_least(x1 - x, (int64_t)LC_ORDER_WORDS * 64);
        const int64_t rows = LC_ORDER_WORDS / ((piece.width_cells + 63) / 64);
        for (int64_t y = cells->y; y < y1 && status == LC_OK; y += piece.height_cells) {
            piece.y = y;
            piece.height_cells = lc_least(y1 - y, rows);
            piece.words = lc_cells_row(cells, y - cells->y) + (x - cells->x) / 64;
            order.area = (lc_area){x, y, x + piece.width_cells, y + piece.height_cells};
            status = tell(t, &order, &piece, NULL, message);
        }
    }
    return status;
}

static lc_status read(lc_cover *cover, const lc_cells *to, lc_message *message)
{
    return move_cells((lc_team *)cover, LC_ORDER_READ, to, message);
}

static lc_status write(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    cover->changes++;
    return move_cells((lc_team *)cover, LC_ORDER_WRITE, from, message);
}

static lc_status sow(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    lc_team *t = (lc_team *)cover;
    lc_order order = order_of(t, LC_ORDER_SOW);
    order.soup = *soup;
    cover->changes++;
    return tell(t, &order, NULL, NULL, message);
}

static lc_status facts(lc_cover *cover, unsigned which, lc_facts *all, lc_message *message)
{
    lc_team *t = (lc_team *)cover;
    lc_order order = order_of(t, LC_ORDER_FACTS);
    order.which = which;
    const lc_status status = tell(t, &order, NULL, NULL, message);
    *all = (lc_facts){.box = {.empty = true}};
    for (int r = 0; r < t->ranks->count && status == LC_OK; r++)
        *all = lc_facts_joined(all, &t->answers[r].facts);
    return status;
}

static lc_status view(lc_cover *cover, const lc_squares *squares, lc_message *message)
{
    lc_team *t = (lc_team *)cover;
    lc_order order = order_of(t, LC_ORDER_VIEW);
    const int64_t most = 2 * (int64_t)LC_ORDER_WORDS;
    if (squares->width > most)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a picture of a board of ranks is at most %lld squares wide",
                       (long long)most);
    lc_status status = LC_OK;
    for (int64_t y = 0, rows; y < squares->height && status == LC_OK; y += rows) {
        rows = lc_least(squares->height - y, most / squares->width);
        order.view.x = squares->x;
        order.view.y = squares->y + (y << squares->log2_side);
        order.view.width = squares->width;
        order.view.height = rows;
        order.view.log2_side = squares->log2_side;
        status = tell(t, &order, NULL, squares->counts + y * squares->width, message);
    }
    return status;
}

static lc_status send(lc_cover *cover, lc_errand_work *work, const lc_errand *errand,
                      lc_message *message)
{
    lc_team *t = (lc_team *)cover;
    lc_order order = order_of(t, LC_ORDER_ERRAND);
    lc_answer own = {.status = LC_OK};
    order.bytes = errand->bytes;
    lc_status status = t->ranks->broadcast(t->ranks, &order, sizeof order, message);
    bool passed = false;
    if (status == LC_OK)
        status = lc_share_pass_on(t->ranks, errand->data, errand->bytes, &passed, message);
    if (status != LC_OK)
        return status;
    if (passed)
        lc_share_work(t->share, t->ranks, work, errand, &own);
    return hear(t, &own, message);
}

static bool has_tones(const lc_cover *cover)
{
    (void)cover;
    return false; // they do not add up
}

static bool is_far(const lc_cover *cover)
{
    (void)cover;
    return true; // most cells are another process'
}

// As this rank's share is, but for what all hold.
static void describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_team *t = (const lc_team *)cover;
    const lc_cover *share = lc_share_cover(t->share);
    share->vtable->describe(share, info);
    info->plan = t->plan;
    info->memory_bytes = t->bytes;
}

static uint64_t limit_bytes(const lc_cover *cover)
{
    const lc_cover *share = lc_share_cover(((const lc_team *)cover)->share);
    return share->vtable->limit_bytes(share);
}

static lc_status failure(const lc_cover *cover, lc_message *message)
{
    const lc_team *t = (const lc_team *)cover;
    return t->failed == LC_OK ? LC_OK : lc_fail(message, t->failed, "%s", t->failure.text);
}

static const lc_cover_vtable lc_cover_team = {
    .destroy = destroy,
    .area = area,
    .include = lc_complete_include,
    .prepare = lc_bounded_prepare,
    .advance = advance,
    .set_rule = set_rule,
    .read = read,
    .write = write,
    .sow = sow,
    .seek = lc_cover_seek_row,
    .facts = facts,
    .view = view,
    .has_tones = has_tones,
    .is_far = is_far,
    .send = send,
    .describe = describe,
    .limit_bytes = limit_bytes,
    .failure = failure,
};
