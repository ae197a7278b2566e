// Steps several slabs of one bounded board in lockstep. A slab is a block with some of the rows.
//
//      +----------------------------+       Before each pass a block gets a halo as deep as the
//      |  block 0                   |       pass has generations. The cells come from other
//      |----------------------------|       blocks: from the neighbours, from blocks behind
//      |  block 1                   |       them if slabs are thin, and at the board's edges
//      |----------------------------|       from any block, possibly mirrored or turned
//      |  block 2                   |       (halo_unfold.h). The engine handles left and right
//      +----------------------------+       edges that are joined or walls.
//
// All blocks write the cells of a pass beside the old ones. When all have finished, all switch. So
// every halo belongs to one generation, and a pass that stops leaves all blocks as they were.
//
// Blocks on the CPU take turns on the thread pool. Blocks on GPUs run at the same time: many passes
// are queued before the host waits. On a torus or plane they fill their halos from each other
// without the host (lc_frame.is_slab).
//
// Each of several ranks holds the blocks of its own rows. Blocks on GPUs of one machine work as
// above, across processes. Other ranks exchange halos (halo_rows.h, halo_exchange.h), and blocks
// that need no cells of other ranks step meanwhile. After a pass all ranks agree that it was made.
#include "cover/slabs/board_slabs.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "cover/block/one_block.h"
#include "cover/halo_unfold.h"
#include "cover/slabs/halo_exchange.h"
#include "cover/slabs/halo_rows.h"
#include "engine/time_slice.h"
#include "grid/facts.h"

enum { FIRST_SLICE = 8 }; // passes

typedef struct lc_board_slabs {
    lc_cover base;
    int count;           // blocks in this process
    lc_one_block *parts; // from top to bottom
    uint64_t *strip;     // buffer for halos
    bool exchanges;      // the blocks fill their halos from each other
    uint64_t slice;      // passes that are queued before they are waited for
    char plan[LC_BOARD_SLABS_PLAN_BYTES];
    lc_engine_watch watch; // that the blocks get
    uint64_t looked_ns;    // the last call of the board's watch, or the start of the pass
    lc_ranks *ranks;       // NULL: this process has all blocks
    lc_halo_exchange *halo_exchange;
    lc_halo_rows *halo_rows; // LC_WAY_ROWS; otherwise NULL
    bool met;                // lc_board_slabs_join was called
    int64_t *first_rows;     // of each rank, and the board's height
    lc_cover around;         // reads cells of these blocks and those that an exchange brought
} lc_board_slabs;

static lc_board_slabs *board_of(const lc_cover *cover)
{
    return (lc_board_slabs *)cover;
}

// The filler of all blocks.
static lc_status give_halo(void *context, lc_engine *engine, int64_t depth_cells,
                           lc_message *message)
{
    lc_board_slabs *s = context;
    int i = 0;
    if (s->exchanges)
        return LC_OK; // before the pass
    while (s->parts[i].block.engine != engine)
        i++;
    return lc_unfolded_give(s->ranks != NULL ? &s->around : &s->base, &s->parts[i].block,
                            depth_cells, s->strip, message);
}

// Creation ----------------------------------------------------------------------------------------

// Ends all access of blocks to each other. `lost`: one of them has failed.
static void part(lc_board_slabs *s, bool lost)
{
    for (int i = 0; s->parts != NULL && i < s->count; i++) {
        const lc_block *b = &s->parts[i].block;
        if (b->engine != NULL && b->vtable->slabs != NULL)
            b->vtable->slabs->leave(b->engine, lost);
    }
}

static void destroy(lc_cover *cover)
{
    lc_board_slabs *s = board_of(cover);
    uint64_t parted = 1;
    part(s, false);
    if (s->met) // no rank frees memory that another one still uses
        (void)s->ranks->least(s->ranks, &parted, 1, NULL);
    for (int i = 0; s->parts != NULL && i < s->count; i++)
        if (s->parts[i].block.engine != NULL)
            s->parts[i].block.vtable->destroy(s->parts[i].block.engine);
    lc_halo_exchange_destroy(&s->halo_exchange);
    lc_halo_rows_destroy(&s->halo_rows);
    lc_free(s->first_rows);
    lc_free(s->parts);
    lc_free(s->strip);
    lc_free(s);
}

static const lc_cover_vtable lc_cover_board_slabs;

// All engines, from top to bottom.
static lc_engine *const *engines_of(const lc_board_slabs *s, lc_engine *engines[LC_SLABS_MAX])
{
    for (int i = 0; i < s->count; i++)
        engines[i] = s->parts[i].block.engine;
    return engines;
}

static const char *plan_of(const lc_board_slabs *s, int i)
{
    return lc_engine_report_of(s->parts[i].block.engine).plan;
}

// The first block's plan, but for its device, which it begins with if it was told.
static const char *first_plan(const lc_board_slabs *s, const lc_parts *parts)
{
    const char *plan = plan_of(s, 0), *after = strchr(plan, ',');
    if (parts->device_count == 0)
        return plan;
    return after != NULL ? after + 1 : "";
}

// Whether a list of settings has this one.
static bool has_item(const char *list, const char *item, size_t length)
{
    for (const char *at = list; *at != '\0'; at += *at == ',') {
        const size_t here = strcspn(at, ",");
        if (here == length && memcmp(at, item, length) == 0)
            return true;
        at += here;
    }
    return false;
}

// Writes lc_universe_info.plan: the blocks, their devices, and the settings that all have. Equal
// blocks have the plan of the first; the number of runs depends on the height.
static void write_plan(lc_board_slabs *s, const lc_parts *parts)
{
    const size_t room = sizeof s->plan;
    size_t length = (size_t)snprintf(s->plan, room, "blocks=%d", s->count);
    for (int i = 0; i < parts->device_count; i++)
        length += (size_t)snprintf(s->plan + length, room - length, "%s%d",
                                   i == 0 ? ",devices=" : "+", parts->devices[i]);
    if (parts->shares_text[0] != '\0')
        length +=
            (size_t)snprintf(s->plan + length, room - length, ",shares=%s", parts->shares_text);
    const char *plan = first_plan(s, parts);
    for (size_t here; *plan != '\0'; plan += here, plan += *plan == ',') {
        bool common = true;
        here = strcspn(plan, ",");
        for (int i = 1; i < s->count && parts->alike[0] != '\0'; i++)
            common = common && has_item(plan_of(s, i), plan, here);
        if (common)
            length += (size_t)snprintf(s->plan + length, room - length, ",%.*s", (int)here, plan);
    }
}

// Makes the i-th block. With a GPU's engine, those behind the first take its plan if all are alike.
static lc_status make_block(lc_board_slabs *s, const lc_parts *parts, int i, lc_message *message)
{
    lc_cover_options asked = s->base.asked;
    if (i > 0 && asked.engine->slabs != NULL && parts->alike[0] == '\0')
        (void)snprintf(asked.settings, sizeof asked.settings, "%s", first_plan(s, parts));
    const lc_area area = lc_board_slabs_area(&asked, parts, i);
    s->parts[i] = lc_board_slabs_block(&asked, parts, i);
    s->parts[i].slab.filler = (lc_filler){give_halo, s};
    s->parts[i].base.asked.watch = &s->watch;
    const lc_block_request request = lc_one_block_request(&s->parts[i], area);
    return lc_one_block_make(&s->parts[i], &request, &s->parts[i].block, message);
}

static const lc_cover_vtable lc_cover_around;

// Prepares the board for sharing with other ranks.
static lc_status meet_ranks(lc_board_slabs *s, const lc_parts *parts, lc_message *message)
{
    const int ranks = parts->ranks->count;
    s->ranks = parts->ranks;
    s->around = (lc_cover){.vtable = &lc_cover_around, .asked = s->base.asked};
    s->first_rows = lc_calloc((size_t)ranks + 1, sizeof *s->first_rows);
    if (s->first_rows == NULL)
        return lc_fail_memory(message, "%d ranks", ranks);
    for (int r = 0; r <= ranks; r++)
        s->first_rows[r] = lc_board_slabs_first_row(parts, r);
    return lc_halo_exchange_create(&s->halo_exchange, s->ranks, &s->base.asked, s->first_rows,
                                   parts->blocks, message);
}

lc_status lc_board_slabs_create(lc_cover **out, const lc_cover_options *asked,
                                const lc_parts *parts, lc_message *message)
{
    const int blocks = parts->blocks;
    lc_universe_needs needs;
    *out = NULL;
    lc_status status = lc_board_slabs_check(asked, parts, &needs, message);
    if (status != LC_OK)
        return status;
    lc_board_slabs *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "a universe");
    s->base = (lc_cover){.vtable = &lc_cover_board_slabs, .asked = *asked};
    s->count = blocks;
    s->slice = FIRST_SLICE;
    s->parts = lc_calloc((size_t)blocks, sizeof *s->parts);
    s->strip = lc_malloc(LC_STRIP_WORDS * sizeof *s->strip);
    if (s->parts == NULL || s->strip == NULL)
        status = lc_fail_memory(message, "%d blocks", blocks);
    if (status == LC_OK && parts->ranks != NULL)
        status = meet_ranks(s, parts, message);
    for (int i = 0; i < blocks && status == LC_OK; i++)
        status = make_block(s, parts, i, message);
    if (status == LC_OK && s->parts[0].slab.frame.is_slab && s->ranks == NULL) {
        lc_engine *engines[LC_SLABS_MAX];
        s->exchanges = true;
        status = asked->engine->slabs->import_slabs(engines_of(s, engines), blocks, NULL, 0, blocks,
                                                    &s->parts[0].history.note, message);
    }
    if (status != LC_OK) {
        destroy(&s->base);
        return status;
    }
    if (parts->way != LC_WAY_MEMORY && asked->engine->traits.on_gpu)
        lc_fail(&s->parts[0].history.note, LC_OK,
                "%s go through the hosts' memory: not all ranks' GPUs reach each other's",
                parts->way == LC_WAY_ROWS ? "rows" : "halos");
    write_plan(s, parts);
    *out = &s->base;
    return LC_OK;
}

lc_status lc_board_slabs_lend(lc_cover *cover, lc_slab_key *keys, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    lc_status status = LC_OK;
    for (int i = 0; i < s->count && status == LC_OK; i++)
        status = s->parts[i].block.vtable->slabs->export_slab(s->parts[i].block.engine, &keys[i],
                                                              message);
    return status;
}

lc_status lc_board_slabs_join(lc_cover *cover, const lc_slab_key *keys, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    lc_engine *engines[LC_SLABS_MAX];
    lc_status status = LC_OK;
    s->met = true;
    if (keys != NULL)
        status = s->base.asked.engine->slabs->import_slabs(
            engines_of(s, engines), s->count, keys, s->count * s->ranks->rank,
            s->count * s->ranks->count, &s->parts[0].history.note, message);
    s->exchanges = keys != NULL && status == LC_OK;
    return status;
}

lc_status lc_board_slabs_join_rows(lc_cover *cover, const lc_parts *parts, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    lc_engine *engines[LC_SLABS_MAX];
    const lc_block *b = &s->parts[0].block;
    uint64_t own = b->vtable->slabs->layout(b->engine).row_bytes;
    uint64_t bytes[] = {own, UINT64_MAX - own};
    lc_status status = lc_halo_rows_create(&s->halo_rows, s->ranks, engines_of(s, engines),
                                           s->count, parts->all_rows,
                                           s->parts[0].slab.frame.left == LC_EDGE_JOINED, message);
    const lc_status heard = s->ranks->least(s->ranks, bytes, 2, status == LC_OK ? message : NULL);
    if (status == LC_OK)
        status = heard;
    if (status == LC_OK && bytes[0] != UINT64_MAX - bytes[1])
        status = lc_fail(message, LC_ERROR_UNSUPPORTED, "rows do not lie alike in all ranks");
    s->exchanges = status == LC_OK;
    return status;
}

// Stepping ---------------------------------------------------------------------------------------

// Returns the most generations that all blocks can make in one pass. Between walls it is limited by
// the height: cells born behind a wall are dead, but only the block at the wall knows that, so its
// halo must not reach beyond it.
static uint64_t common_pass(const lc_board_slabs *s, uint64_t generations)
{
    for (int i = 0; i < s->count; i++) {
        const lc_frame *f = &s->parts[i].slab.frame;
        const lc_block *b = &s->parts[i].block;
        if ((f->top == LC_EDGE_WALL) != (f->bottom == LC_EDGE_WALL))
            generations = lc_least_u64(generations,
                                       lc_rule_halo_generations(s->parts[i].rule, f->height_cells));
        generations = b->vtable->board->pass_generations(b->engine, generations);
    }
    return generations;
}

static lc_status exchange(const lc_board_slabs *s, uint64_t generations, bool alike,
                          lc_message *message)
{
    lc_engine *engines[LC_SLABS_MAX];
    const int64_t depth = lc_rule_halo_cells(s->parts[0].rule, generations);
    return s->halo_rows != NULL ? lc_halo_rows_exchange(s->halo_rows, alike, depth, message)
                                : s->parts[0].block.vtable->slabs->exchange_halos(
                                      engines_of(s, engines), s->count, alike, depth, message);
}

static bool is_queued(const lc_board_slabs *s)
{
    return s->parts[0].block.vtable->board->finish != NULL;
}

static bool look(void *context)
{
    lc_board_slabs *s = context;
    const lc_engine_watch *asked = s->base.asked.watch;
    const bool stop = asked->call(asked->context);
    s->watch.interval_ns = asked->interval_ns;
    s->looked_ns = lc_clock_ns();
    return stop;
}

// Called before a block makes its pass: gives it the rest of the watch's interval. Returns true if
// the watch ends the pass.
static bool is_stopped_before(lc_board_slabs *s, int block)
{
    const lc_engine_watch *asked = s->base.asked.watch;
    const bool watched = asked != NULL && asked->call != NULL;
    if (!watched || is_queued(s)) { // then the universe calls the watch between slices
        s->watch = (lc_engine_watch){.call = NULL};
        return false;
    }
    s->watch = (lc_engine_watch){look, s, asked->interval_ns};
    const uint64_t now_ns = lc_clock_ns();
    if (block == 0)
        s->looked_ns = now_ns;
    else if (now_ns - s->looked_ns >= asked->interval_ns)
        return look(s);
    s->watch.interval_ns -= now_ns - s->looked_ns;
    return false;
}

static lc_status make_pass(lc_board_slabs *s, uint64_t generations, uint64_t *done,
                           lc_message *message)
{
    const uint64_t count = common_pass(s, generations);
    lc_status status = s->exchanges ? exchange(s, count, true, message) : LC_OK;
    *done = 0;
    for (int i = 0; i < s->count && status == LC_OK; i++) {
        const lc_block *b = &s->parts[i].block;
        status = is_stopped_before(s, i) ? LC_ERROR_STOPPED
                                         : b->vtable->board->make_pass(b->engine, count, message);
    }
    if (status != LC_OK)
        return status;
    for (int i = 0; i < s->count; i++)
        s->parts[i].block.vtable->board->end_pass(s->parts[i].block.engine);
    *done = count;
    return LC_OK;
}

static lc_status finish(lc_board_slabs *s, lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 0; i < s->count && status == LC_OK; i++)
        status = s->parts[i].block.vtable->board->finish(s->parts[i].block.engine, message);
    return status;
}

// Queues passes and waits for them.
static lc_status make_slice(lc_board_slabs *s, uint64_t generations, uint64_t *done,
                            lc_message *message)
{
    const uint64_t begin_ns = lc_clock_ns();
    lc_status status = LC_OK;
    uint64_t passes = 0, some;
    for (*done = 0; *done < generations && passes < s->slice && status == LC_OK; passes++) {
        status = make_pass(s, generations - *done, &some, message);
        *done += some;
    }
    if (status == LC_OK)
        status = finish(s, message);
    s->slice = lc_slice_after(s->slice, 1, passes == s->slice, lc_clock_ns() - begin_ns,
                              s->base.asked.watch);
    return status;
}

// Ranks -------------------------------------------------------------------------------------------

// Numbers of all ranks, whose minimum decides, before and after a pass.
typedef struct agreement {
    uint64_t pass;           // generations of the next pass
    uint64_t fine;           // no rank has failed
    uint64_t more;           // rank 0 has time for another pass
    uint64_t drift, against; // of a slab; and 2^64 - 1 - drift, for the maximum
} agreement;

enum { AGREED = sizeof(agreement) / sizeof(uint64_t) };

static agreement opinion(const lc_board_slabs *s, uint64_t left, bool fine, bool more)
{
    agreement a = {left > 0 ? common_pass(s, left) : UINT64_MAX, fine, more, UINT64_MAX,
                   UINT64_MAX};
    for (int i = 0; i < s->count; i++) {
        const lc_block *b = &s->parts[i].block;
        const uint64_t drift = s->exchanges ? b->vtable->slabs->layout(b->engine).drift : 0;
        a.drift = lc_least_u64(a.drift, drift);
        a.against = lc_least_u64(a.against, UINT64_MAX - drift);
    }
    return a;
}

static lc_status make_blocks(lc_board_slabs *s, uint64_t generations, bool need_others,
                             lc_message *message)
{
    lc_status status = LC_OK;
    for (int i = 0; i < s->count && status == LC_OK; i++) {
        const lc_block *b = &s->parts[i].block;
        if (!s->exchanges && lc_halo_exchange_needs(s->halo_exchange, i) != need_others)
            continue;
        status = is_stopped_before(s, i)
                     ? LC_ERROR_STOPPED
                     : b->vtable->board->make_pass(b->engine, generations, message);
    }
    return status;
}

// Makes this rank's part of a pass, which is ended later.
static lc_status begin_together(lc_board_slabs *s, uint64_t generations, bool alike,
                                lc_message *message)
{
    const int64_t depth = lc_rule_halo_cells(s->parts[0].rule, generations);
    if (s->exchanges) {
        const lc_status status = exchange(s, generations, alike, message);
        return status != LC_OK ? status : make_blocks(s, generations, true, message);
    }
    lc_message why;
    lc_status status = lc_halo_exchange_begin(s->halo_exchange, &s->base, s->parts, depth, message);
    const bool begun = status == LC_OK;
    if (begun)
        status = make_blocks(s, generations, false, message);
    if (begun && lc_halo_exchange_end(s->halo_exchange, &why) != LC_OK && status == LC_OK)
        status = lc_fail(message, LC_ERROR_IO, "%s", why.text);
    return status != LC_OK ? status : make_blocks(s, generations, true, message);
}

// Makes passes until rank 0's slice is over. Then rank 0 can call its watch; the others wait for
// its next command.
static lc_status advance_together(lc_board_slabs *s, uint64_t generations, uint64_t *done,
                                  lc_message *message)
{
    const uint64_t begin_ns = lc_clock_ns();
    lc_status status = LC_OK;
    uint64_t made = 0; // by all blocks here, but not ended
    *done = 0;
    for (;;) {
        const uint64_t left = generations - *done - made;
        const bool more =
            s->ranks->rank > 0 || lc_clock_ns() - begin_ns < lc_slice_ns(s->base.asked.watch);
        agreement a = opinion(s, left, status == LC_OK, more);
        const lc_status heard =
            s->ranks->least(s->ranks, &a.pass, AGREED, status == LC_OK ? message : NULL);
        if (status != LC_OK || heard != LC_OK || !a.fine) {
            part(s, true);
            return status != LC_OK ? status
                   : heard != LC_OK
                       ? heard
                       : lc_fail(message, LC_ERROR_STOPPED, "another rank has stopped");
        }
        for (int i = 0; i < s->count && made > 0; i++)
            s->parts[i].block.vtable->board->end_pass(s->parts[i].block.engine);
        *done += made;
        if (left == 0 || (made > 0 && !a.more))
            return is_queued(s) ? finish(s, message) : LC_OK;
        made = a.pass;
        status = begin_together(s, made, a.drift == UINT64_MAX - a.against, message);
    }
}

static lc_status advance(lc_cover *cover, uint64_t generations, uint64_t *done, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    if (s->ranks != NULL)
        return advance_together(s, generations, done, message);
    return is_queued(s) ? make_slice(s, generations, done, message)
                        : make_pass(s, generations, done, message);
}

// Cells ------------------------------------------------------------------------------------------

// Sets *out to the rows of a rectangle that a part holds. Returns false if it holds none.
static bool cut(const lc_one_block *part, const lc_cells *cells, lc_cells *out)
{
    const lc_area held = lc_one_block_area(&part->base);
    return lc_cells_between(cells, held.y0, held.y1, out);
}

static lc_status read(lc_cover *cover, const lc_cells *to, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    lc_status status = LC_OK;
    lc_cells some;
    for (int i = 0; i < s->count && status == LC_OK; i++)
        if (cut(&s->parts[i], to, &some))
            status = lc_one_block_read(&s->parts[i].base, &some, message);
    return status;
}

static lc_status read_around(lc_cover *around, const lc_cells *to, lc_message *message)
{
    lc_board_slabs *s = (lc_board_slabs *)((char *)around - offsetof(lc_board_slabs, around));
    lc_halo_exchange_read(s->halo_exchange, to);
    return read(&s->base, to, message);
}

static const lc_cover_vtable lc_cover_around = {.read = read_around};

static lc_status write(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    lc_status status = LC_OK;
    lc_cells some;
    cover->changes++;
    for (int i = 0; i < s->count && status == LC_OK; i++)
        if (cut(&s->parts[i], from, &some))
            status = lc_one_block_write(&s->parts[i].base, &some, message);
    return status;
}

static void announce_buffer(lc_cover *cover, void *memory, size_t size_bytes)
{
    lc_board_slabs *s = board_of(cover);
    for (int i = 0; i < s->count; i++)
        lc_one_block_announce_buffer(&s->parts[i].base, memory, size_bytes);
}

static lc_status facts(lc_cover *cover, unsigned which, lc_facts *all, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    lc_status status = LC_OK;
    *all = (lc_facts){.box = {.empty = true}};
    for (int i = 0; i < s->count && status == LC_OK; i++) {
        lc_facts some;
        status = lc_one_block_facts(&s->parts[i].base, which, &some, message);
        *all = lc_facts_joined(all, &some);
    }
    return status;
}

// Adds the cells of a part to the counts; `looked` is a buffer as large as they are.
static lc_status add_part(lc_one_block *part, const lc_view *p, uint32_t *looked,
                          lc_message *message)
{
    const lc_area held = lc_one_block_area(&part->base);
    const int64_t first = lc_greatest(0, (held.y0 - p->y) >> p->log2_side);
    const int64_t last = lc_least(p->height - 1, (held.y1 - 1 - p->y) >> p->log2_side);
    if (first > last)
        return LC_OK;
    lc_view some = *p;
    some.y += first << p->log2_side;
    some.height = last - first + 1;
    some.counts = looked;
    some.forming = false; // a block that has made its pass waits for the others
    const lc_status status = lc_one_block_view(&part->base, &some, message);
    for (int64_t i = 0; i < some.width * some.height && status == LC_OK; i++)
        p->counts[first * p->width + i] += looked[i];
    return status;
}

static lc_status view(lc_cover *cover, const lc_view *squares, lc_message *message)
{
    lc_board_slabs *s = board_of(cover);
    const size_t pixels = (size_t)squares->width * (size_t)squares->height;
    uint32_t *looked = lc_calloc(pixels, sizeof *looked);
    if (looked == NULL)
        return lc_fail_memory(message, "a picture");
    lc_status status = LC_OK;
    memset(squares->counts, 0, pixels * sizeof *squares->counts);
    for (int i = 0; i < s->count && status == LC_OK; i++)
        status = add_part(&s->parts[i], squares, looked, message);
    lc_free(looked);
    return status;
}

static bool reads_are_slow(const lc_cover *cover)
{
    return lc_one_block_reads_are_slow(&board_of(cover)->parts[0].base);
}

static void describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_board_slabs *s = board_of(cover);
    lc_one_block_describe(&s->parts[0].base, info);
    info->plan = s->plan;
    for (int i = 1; i < s->count; i++) {
        lc_universe_info of;
        lc_one_block_describe(&s->parts[i].base, &of);
        info->memory_bytes += of.memory_bytes;
        info->traffic_bytes += of.traffic_bytes;
        info->stepping_ns = is_queued(s) ? fmax(info->stepping_ns, of.stepping_ns)
                                         : info->stepping_ns + of.stepping_ns;
    }
}

static uint64_t limit_bytes(const lc_cover *cover)
{
    return lc_one_block_limit_bytes(&board_of(cover)->parts[0].base);
}

static lc_status failure(const lc_cover *cover, lc_message *message)
{
    const lc_board_slabs *s = board_of(cover);
    lc_status status = LC_OK;
    for (int i = 0; i < s->count && status == LC_OK; i++)
        status = lc_one_block_failure(&s->parts[i].base, message);
    return status;
}

static const lc_cover_vtable lc_cover_board_slabs = {
    .destroy = destroy,
    .area = lc_bounded_area,
    .include = lc_complete_include,
    .prepare = lc_bounded_prepare,
    .advance = advance,
    .read = read,
    .write = write,
    .announce_buffer = announce_buffer,
    .seek = lc_cover_seek_row,
    .facts = facts,
    .view = view,
    .reads_are_slow = reads_are_slow,
    .describe = describe,
    .limit_bytes = limit_bytes,
    .failure = failure,
};
