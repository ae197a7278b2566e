// A universe that changes its engine during a run: dense while much of it changes, sparse when most
// of it has settled, and back. choice/adaptive_policy.h decides when. On a plane HashLife is tried
// as well (engine_trial.h).
//
// A board starts dense. The sparse engine gets the memory that a dense block leaves, so the board
// can always go back, and it does so if the sparse engine lacks memory. An unbounded universe
// starts sparse.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "choice/adaptive_policy.h"
#include "choice/auto_start.h"
#include "choice/tuned.h"
#include "cover/block/block_copy.h"
#include "cover/block/engine_trial.h"
#include "cover/cover_fill.h"

typedef struct adaptive {
    lc_one_block one;
    lc_adaptive_policy policy;
    lc_engine_trial trial;
    int since;        // generations until the samples are compared; 0: there are no samples
    uint64_t changes; // lc_cover.changes when they were taken
    uint64_t samples[LC_TUNED_SAMPLES][LC_TUNED_SAMPLE_CELLS];
} adaptive;

const size_t lc_adaptive_bytes = sizeof(adaptive);

static adaptive *adaptive_of(const lc_cover *cover)
{
    return (adaptive *)cover;
}

static bool is_sparse(const adaptive *b)
{
    return b->one.block.vtable->plane != NULL;
}

static bool is_bounded(const lc_cover *cover)
{
    return !cover->free_x && !cover->free_y;
}

static uint64_t cells_of(lc_area area)
{
    return lc_extent(area.x0, area.x1) * lc_extent(area.y0, area.y1);
}

// The cover that it is now.
static const lc_cover_vtable *now(const lc_cover *cover)
{
    return is_sparse(adaptive_of(cover)) ? &lc_cover_self_covering
           : is_bounded(cover)           ? &lc_cover_whole_board
                                         : &lc_cover_growing_block;
}

// Changing engines --------------------------------------------------------------------------------

// All cells that may be alive, out to whole words.
static lc_status live_area(lc_cover *cover, lc_area *area, lc_message *message)
{
    lc_facts facts = {.box = {.empty = true}};
    lc_status status = LC_OK;
    *area = now(cover)->area(cover);
    if (!is_bounded(cover) && is_sparse(adaptive_of(cover))) {
        status = lc_one_block_facts(cover, LC_FACT_BOX, &facts, message);
        *area = lc_one_block_rounded(cover, lc_area_of_box(&facts.box));
    }
    return status;
}

// A decision about the universe, whose live cells, or all, are in an area of so many cells.
static lc_adaptive_case case_of(const adaptive *b, uint64_t cells, uint64_t left)
{
    return (lc_adaptive_case){.config = &b->one.block.config,
                              .is_bounded = is_bounded(&b->one.base),
                              .cells = cells,
                              .left = left};
}

static bool avoids_gpu(const adaptive *b, double dense_cells)
{
    const lc_cover_options *asked = &b->one.base.asked;
    return !b->one.block.vtable->traits.on_gpu &&
           lc_auto_may_start_on_cpu(&asked->topology, asked->every_cell) &&
           lc_adaptive_avoids_gpu(&b->policy, &b->one.block.config, dense_cells);
}

// Hands the cells to another engine; NULL: the one that "auto" chooses. `area` holds all live
// cells, and the new block, if the engine has one, holds `area`.
static lc_status make_over(adaptive *b, const lc_engine_vtable *engine, lc_area area,
                           const char *reason, lc_message *message)
{
    lc_one_block *s = &b->one;
    lc_cover *cover = &s->base;
    const lc_block_request request = {.area = area,
                                      .engine = engine,
                                      .watch = cover->asked.watch,
                                      .kept_free_bytes = engine != NULL ? s->block.bytes : 0};
    lc_block block;
    lc_status status = lc_one_block_make(s, &request, &block, message);
    if (status == LC_OK) {
        status = lc_block_copy(&s->block, &block, area, cover->asked.watch, message);
        if (status != LC_OK)
            block.vtable->destroy(block.engine);
    }
    if (status != LC_OK)
        return status;
    cover->asked.engine = engine;
    lc_engine_trial_drop(&b->trial);
    s->block.vtable->destroy(s->block.engine);
    s->block = block;
    s->safe_generations = 0;
    cover->changes++;
    b->since = 0;
    lc_adaptive_changed(&b->policy);
    lc_fail(&s->reason, LC_OK, "%s", reason);
    return LC_OK;
}

static const char all_changes[] = "much of the board is active";

lc_status lc_adaptive_change(lc_cover *cover, lc_message *message)
{
    adaptive *b = adaptive_of(cover);
    lc_one_block *s = &b->one;
    const bool to_sparse = !is_sparse(b);
    lc_area area;
    if (s->alternates) // which the other engine cannot
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "two rules take turns");
    const lc_status status = live_area(cover, &area, message);
    if (status != LC_OK)
        return status;
    const lc_adaptive_case c = case_of(b, cells_of(area), 0);
    s->history.avoids_gpu = avoids_gpu(b, lc_adaptive_dense_cells(&c));
    return make_over(b, to_sparse ? &lc_engine_sparse : NULL, area,
                     to_sparse ? "most of the board has settled" : all_changes, message);
}

// Dense -------------------------------------------------------------------------------------------

// The i-th window: anywhere in the block.
static lc_cells sample_at(const adaptive *b, int i, uint64_t *words)
{
    const lc_frame *f = &b->one.block.config.frame;
    const uint64_t random = (uint64_t)(i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t columns = (uint64_t)(f->width_cells / LC_TUNED_SAMPLE_CELLS);
    const uint64_t rows = (uint64_t)(f->height_cells - LC_TUNED_SAMPLE_CELLS + 1);
    return (lc_cells){.x = (int64_t)((random >> 32) * columns >> 32) * LC_TUNED_SAMPLE_CELLS,
                      .y = (int64_t)((random & UINT32_MAX) % rows),
                      .width_cells = LC_TUNED_SAMPLE_CELLS,
                      .height_cells = LC_TUNED_SAMPLE_CELLS,
                      .planes = 1,
                      .words = words,
                      .pitch_words = 1};
}

static bool can_sample(const adaptive *b)
{
    const lc_frame *f = &b->one.block.config.frame;
    return b->one.block.vtable == &lc_engine_simd && f->width_cells >= LC_TUNED_SAMPLE_CELLS &&
           f->height_cells >= LC_TUNED_SAMPLE_CELLS;
}

static lc_status take_samples(adaptive *b, lc_message *message)
{
    const lc_block *block = &b->one.block;
    lc_status status = LC_OK;
    for (int i = 0; i < LC_TUNED_SAMPLES && status == LC_OK; i++) {
        const lc_cells window = sample_at(b, i, b->samples[i]);
        status = block->vtable->read(block->engine, &window, message);
    }
    b->changes = b->one.base.changes;
    return status;
}

static lc_status count_changed(const adaptive *b, int *changed, lc_message *message)
{
    const lc_block *block = &b->one.block;
    lc_status status = LC_OK;
    *changed = 0;
    for (int i = 0; i < LC_TUNED_SAMPLES && status == LC_OK; i++) {
        uint64_t words[LC_TUNED_SAMPLE_CELLS];
        const lc_cells window = sample_at(b, i, words);
        status = block->vtable->read(block->engine, &window, message);
        *changed += memcmp(words, b->samples[i], sizeof words) != 0;
    }
    return status;
}

static lc_status compare_samples(adaptive *b, uint64_t left, lc_message *message)
{
    int changed;
    if (b->changes != b->one.base.changes) // the samples are of other cells
        return LC_OK;
    const lc_status status = count_changed(b, &changed, message);
    const lc_adaptive_case c = case_of(b, cells_of(lc_one_block_area(&b->one.base)), left);
    if (lc_adaptive_wants_sparse(&b->policy, &c, changed) && status == LC_OK)
        (void)lc_adaptive_change(&b->one.base, NULL); // if it fails, the universe stays dense
    return status;
}

static lc_status advance_dense(adaptive *b, uint64_t generations, uint64_t *done,
                               lc_message *message)
{
    lc_status status = LC_OK;
    if (b->since == 0 && lc_adaptive_sample_is_due(&b->policy) && can_sample(b)) {
        status = take_samples(b, message);
        b->since = LC_TUNED_PERIOD;
    }
    if (status != LC_OK)
        return status;
    const bool sampled = b->since > 0;
    const uint64_t most = sampled ? lc_least_u64(generations, (uint64_t)b->since) : generations;
    const uint64_t cells = cells_of(lc_one_block_area(&b->one.base)), begin_ns = lc_clock_ns();
    status = lc_one_block_advance(&b->one.base, most, done, message);
    if (status != LC_OK || *done == 0)
        return status;
    lc_adaptive_note_dense(&b->policy, *done, lc_clock_ns() - begin_ns, cells,
                           b->one.block.vtable->traits.on_gpu, sampled);
    if (!sampled)
        return LC_OK;
    b->since -= (int)*done;
    return b->since == 0 ? compare_samples(b, generations - *done, message) : LC_OK;
}

// Sparse ------------------------------------------------------------------------------------------

// After it failed: whether it was memory that lacked, and there is enough for the other engine.
static bool turns_for_memory(adaptive *b, lc_status failed)
{
    if (failed != LC_ERROR_LIMIT && failed != LC_ERROR_MEMORY)
        return false;
    lc_adaptive_lacked_memory(&b->policy);
    return lc_adaptive_change(&b->one.base, NULL) == LC_OK;
}

// Changes to a dense engine if a sparse generation, which takes `ns`, is too slow.
static lc_status compare_with_dense(adaptive *b, double ns, uint64_t left, lc_message *message)
{
    lc_cover *cover = &b->one.base;
    lc_area area;
    lc_adaptive_case c = case_of(b, 0, left);
    if (!lc_adaptive_may_want_dense(&b->policy, &c, ns))
        return LC_OK;
    const lc_status status = live_area(cover, &area, message);
    if (status != LC_OK)
        return status;
    c.cells = cells_of(area);
    if (lc_adaptive_wants_dense(&b->policy, &c, ns))
        (void)lc_adaptive_change(cover, NULL); // if it fails, the universe stays sparse
    return LC_OK;
}

// Before the first step of an unbounded universe: a soup goes to a dense engine.
static lc_status begin_sparse(adaptive *b, uint64_t left, lc_message *message)
{
    lc_cover *cover = &b->one.base;
    lc_facts facts;
    const lc_status status =
        lc_one_block_facts(cover, LC_FACT_POPULATION | LC_FACT_BOX, &facts, message);
    if (status != LC_OK || facts.is_far)
        return status;
    const lc_area area = lc_one_block_rounded(cover, lc_area_of_box(&facts.box));
    const lc_adaptive_case c = case_of(b, cells_of(area), left);
    if (lc_adaptive_soup_wants_dense(&b->policy, &c, lc_count_to_double(facts.population)))
        (void)lc_adaptive_change(cover, NULL); // if it fails, the universe stays sparse
    return LC_OK;
}

static lc_status advance_sparse(adaptive *b, uint64_t generations, uint64_t *done,
                                lc_message *message)
{
    const uint64_t begin_ns = lc_clock_ns();
    lc_status status = lc_one_block_advance(&b->one.base, generations, done, message);
    if (status != LC_OK && *done == 0 && is_bounded(&b->one.base) && turns_for_memory(b, status))
        return advance_dense(b, generations, done, message);
    if (status != LC_OK)
        return status;
    const uint64_t took_ns = lc_clock_ns() - begin_ns, made = *done, left = generations - made;
    double ns;
    if (lc_adaptive_note_sparse(&b->policy, made, took_ns, &ns)) {
        status = compare_with_dense(b, ns, left, message);
        if (status != LC_OK || !is_sparse(b))
            return status;
    }
    uint64_t tried;
    status = lc_engine_trial_run(&b->one, &b->trial, made, took_ns, left, &tried, message);
    *done += tried;
    return status == LC_ERROR_STOPPED
               ? LC_OK
               : status; // the trial ended; the generations before it were made
}

static lc_status advance_hashlife(adaptive *b, uint64_t generations, uint64_t *done,
                                  lc_message *message)
{
    const lc_status status =
        lc_engine_trial_advance_hashlife(&b->one, &b->trial, generations, done, message);
    if (!lc_is_hashlife(&b->one))
        lc_adaptive_measure_anew(&b->policy);
    return status;
}

// The cover ---------------------------------------------------------------------------------------

static lc_status advance(lc_cover *cover, uint64_t generations, uint64_t *done, lc_message *message)
{
    adaptive *b = adaptive_of(cover);
    if (b->policy.interval == 0) {
        lc_adaptive_start(&b->policy);
        const lc_status status =
            is_sparse(b) && !is_bounded(cover)
                ? begin_sparse(b, lc_greatest_u64(generations, b->policy.wanted), message)
                : LC_OK;
        if (status != LC_OK)
            return status;
    }
    if (is_sparse(b) && !lc_is_hashlife(&b->one))
        lc_engine_trial_start_hashlife(&b->one, &b->trial, generations);
    if (lc_is_hashlife(&b->one)) {
        const lc_status status = advance_hashlife(b, generations, done, message);
        if (status != LC_OK || *done > 0)
            return status;
    }
    return is_sparse(b) ? advance_sparse(b, generations, done, message)
                        : advance_dense(b, generations, done, message);
}

// To the GPU, if one may be started by now.
static void start_gpu(adaptive *b)
{
    lc_one_block *s = &b->one;
    const bool avoided = s->history.avoids_gpu;
    const lc_area area = lc_one_block_area(&s->base);
    s->history.avoids_gpu = avoids_gpu(b, (double)cells_of(area));
    if (avoided && !s->history.avoids_gpu && lc_one_block_choose(s, area).engine->traits.on_gpu)
        (void)make_over(b, NULL, area, "so many generations are worth a GPU", NULL);
}

// A block that can no longer follow life need not.
static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    adaptive *b = adaptive_of(cover);
    b->policy.wanted = wanted;
    if (!is_sparse(b))
        start_gpu(b);
    const lc_status status = now(cover)->prepare(cover, wanted, safe, message);
    return status != LC_OK && !is_sparse(b) && turns_for_memory(b, status)
               ? now(cover)->prepare(cover, wanted, safe, message)
               : status;
}

static lc_status include(lc_cover *cover, lc_area area, lc_message *message)
{
    const lc_status status = now(cover)->include(cover, area, message);
    return status != LC_OK && !is_sparse(adaptive_of(cover)) &&
                   turns_for_memory(adaptive_of(cover), status)
               ? now(cover)->include(cover, area, message)
               : status;
}

// Whether a soup is the first thing on a plane, and large.
static bool is_first_soup(adaptive *b, const lc_soup *soup)
{
    lc_facts facts;
    return !is_bounded(&b->one.base) && is_sparse(b) && b->policy.interval == 0 &&
           !b->one.alternates &&
           lc_adaptive_soup_is_large(cells_of(soup->area), soup->density_16) &&
           lc_one_block_facts(&b->one.base, LC_FACT_POPULATION, &facts, NULL) == LC_OK &&
           lc_count_compare(facts.population, lc_count_of(0)) == 0;
}

// All of a soup changes, so it is not put into tiles only to be taken out of them for the first
// step. How many generations are wanted is not known yet: no GPU is started.
static lc_status fill(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    adaptive *b = adaptive_of(cover);
    lc_status status = LC_OK;
    if (is_first_soup(b, soup)) {
        const int64_t x = soup->area.x0, y = soup->area.y0;
        const lc_area corner = lc_one_block_rounded(cover, (lc_area){x, y, x + 1, y + 1});
        b->one.history.avoids_gpu = true;
        if (make_over(b, NULL, corner, all_changes, NULL) == LC_OK)
            status =
                include(cover, soup->area, message); // back to the sparse engine if memory is short
    }
    return status == LC_OK ? lc_cover_fill_rows(cover, soup, message) : status;
}

static lc_status write_cells(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    const lc_status status = lc_one_block_write(cover, from, message);
    return status != LC_OK && is_sparse(adaptive_of(cover)) && is_bounded(cover) &&
                   turns_for_memory(adaptive_of(cover), status)
               ? lc_one_block_write(cover, from, message)
               : status;
}

// A board becomes dense if that is too much.
static double soup_bytes(const lc_cover *cover, double cells, double density)
{
    return is_bounded(cover) ? 0 : lc_one_block_soup_bytes(cover, cells, density);
}

static lc_status fill_run(lc_cover *cover, int64_t x, int64_t y, int64_t length,
                          lc_message *message)
{
    return is_bounded(cover) ? LC_ERROR_UNSUPPORTED
                             : lc_one_block_fill_run(cover, x, y, length, message);
}

static void destroy(lc_cover *cover)
{
    lc_engine_trial_drop(&adaptive_of(cover)->trial);
    lc_one_block_destroy(cover);
}

static lc_area area(const lc_cover *cover)
{
    return now(cover)->area(cover);
}

static lc_status seek(lc_cover *cover, const lc_area *within, lc_cells *at, lc_message *message)
{
    return now(cover)->seek(cover, within, at, message);
}

static void describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_engine_trial *l = &adaptive_of(cover)->trial;
    now(cover)->describe(cover, info);
    if (l->is_parked)
        info->memory_bytes += l->parked.vtable->plane->held_bytes(l->parked.engine);
}

const lc_cover_vtable lc_cover_adaptive = {
    LC_ANY_BLOCK_FUNCTIONS,
    LC_SELF_COVERING_FUNCTIONS,
    .destroy = destroy,
    .advance = advance,
    .soup_bytes = soup_bytes,
    .fill = fill,
    .fill_run = fill_run,
    .write = write_cells,
    .include = include,
    .prepare = prepare,
    .area = area,
    .seek = seek,
    .describe = describe,
};
