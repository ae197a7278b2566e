// A universe that changes its engine in mid-run: dense while much of it changes, sparse when most
// of it has settled, and back.
//
// While it is dense, some windows are read now and then, and once more 30 generations later: those
// that differ are the share that the sparse engine would have to visit (engine/sparse). What a
// visit takes is known well enough, and what dense generations take has been measured. While it is
// sparse, its own time is measured against that, or before it ever was dense against what the CPU
// should do. Both are times without what disturbs (lc_time_of_late). Each look that found nothing
// makes the time to the next one longer, and so does memory that was lacking. On a plane remembered
// squares are tried as well (engine_trial.h).
//
// A board begins dense, and the sparse engine gets what that leaves of the memory, so that there is
// always room to go back, as it does where it lacks some. What has no end begins sparse.
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cover/block/engine_trial.h"
#include "cover/cover_fill.h"
#include "level/level.h"

enum {
    SAMPLES = 512, // windows
    SAMPLE_CELLS = 64,
    PERIOD = 30,        // generations between two looks at them: what repeats mostly does so
    ROUND = PERIOD / 2, // generations of a visit
    FIRST_LOOK = 256,   // generations
    WARM_UP = 4 * PERIOD,
    PIECE = 2 * PERIOD, // generations of which the time is taken
    MEASURED = 10 * PIECE,
    TILE_CELLS = 32 * 32,
    VISIT_NS = 400,
    CONVERSION_NS = 1500, // of a tile
    // Cells: below it boards are in the caches, and cycles are found (universe/cycle.c).
    LEAST_CELLS = 1 << 20,
    COPIED_COLUMNS = 32 * 64,
    COPIED_ROWS = 64,
    SOUP = 16, // cells for each that is alive, at most: all of it changes
    // What it takes to start a GPU that nobody uses yet, 0.31 to 0.37 s on an H200, and a little
    // more: what is left is judged by the first passes, which are slower than those that follow.
    GPU_NS = 400000000,
    // Larger boards have their GPU from the beginning: moving this one is a copy of 32 MiB.
    MOVED_CELLS = 1 << 28,
};

static const double worth = 0.75;    // of what dense generations take: sparse ones should be faster
static const double too_slow = 1.25; // and not slower
static const double cells_ns = 0.35; // that a dense engine steps, for each bit of a vector
static const double margins = 2.25;  // of a block that follows life: its cells for each in the box

typedef struct adaptive {
    lc_one_block one;
    uint64_t changes;              // of the cover, when the samples were taken
    double dense_ns;               // a cell's generation, of late; 0: not known yet
    uint64_t cpu_ns;               // that all dense generations on the CPU have taken
    uint64_t generations, look_at; // since the engine was made
    uint64_t interval;             // from a look to the next
    uint64_t wanted;               // generations, when it was last prepared for some
    int since;                     // samples were taken: generations left; 0: there are none
    uint64_t measured_from, measured_to;
    uint64_t piece, piece_ns; // generations that are being measured, and what they took
    double sparse_ns;         // a generation, of late; 0: not known yet
    lc_engine_trial trial;
    uint64_t samples[SAMPLES][SAMPLE_CELLS];
} adaptive;

const size_t lc_adaptive_bytes = sizeof(adaptive);

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

bool lc_adaptive_suits(const lc_cover_options *asked)
{
    const lc_topology *t = &asked->topology;
    return t->width_cells >= SAMPLE_CELLS && t->height_cells >= SAMPLE_CELLS &&
           t->height_cells >= LEAST_CELLS / t->width_cells &&
           !lc_rule_traits(asked->rule)->has_b0 && lc_engine_steps(&lc_engine_sparse, asked->rule);
}

static bool may_begin_on_cpu(const lc_cover_options *asked)
{
    const lc_topology *t = &asked->topology;
    return !asked->every_cell &&
           (t->width_cells == 0 || t->height_cells <= MOVED_CELLS / t->width_cells);
}

bool lc_adaptive_begins_on_cpu(const lc_one_block *one, lc_area area)
{
    lc_one_block on_cpu = *one;
    on_cpu.avoids_gpu = true;
    return one->base.vtable == &lc_cover_adaptive && is_bounded(&one->base) &&
           may_begin_on_cpu(&one->base.asked) && lc_one_block_any_holds(&on_cpu, area);
}

// The cover that it is now.
static const lc_cover_vtable *now(const lc_cover *cover)
{
    return is_sparse((const adaptive *)cover) ? &lc_cover_self_covering
           : is_bounded(cover)                ? &lc_cover_whole_board
                                              : &lc_cover_growing_block;
}

// Changing engines --------------------------------------------------------------------------------

static bool is_dead(const lc_cells *cells)
{
    uint64_t any = 0;
    for (int64_t y = 0; y < cells->height_cells; y++)
        for (size_t i = 0; i < cells->pitch_words; i++)
            any |= lc_cells_row(cells, y)[i];
    return any == 0;
}

// Whether the watch wants an end, if it is time to ask: the cells are those of the old block.
static bool is_stopped(const lc_engine_watch *watch, uint64_t *looked_ns)
{
    if (watch == NULL || watch->call == NULL || lc_clock_ns() - *looked_ns < watch->interval_ns)
        return false;
    const bool stops = watch->call(watch->context);
    *looked_ns = lc_clock_ns();
    return stops;
}

static lc_status copy_piece(const lc_block *from, const lc_block *to, const lc_cells *piece,
                            lc_message *message)
{
    lc_cells cells = *piece;
    cells.x -= from->x;
    cells.y -= from->y;
    const lc_status status = from->vtable->read(from->engine, &cells, message);
    if (status != LC_OK || is_dead(&cells))
        return status;
    cells.x += from->x - to->x;
    cells.y += from->y - to->y;
    return to->vtable->write(to->engine, &cells, message);
}

static lc_status copy_cells(const lc_block *from, const lc_block *to, lc_area area,
                            lc_message *message)
{
    uint64_t looked_ns = lc_clock_ns();
    uint64_t words[COPIED_COLUMNS / 64 * COPIED_ROWS];
    lc_status status = LC_OK;
    lc_cells piece = {.words = words};
    for (piece.y = area.y0; piece.y < area.y1 && status == LC_OK; piece.y += COPIED_ROWS) {
        if (is_stopped(from->config.watch, &looked_ns))
            return lc_fail(message, LC_ERROR_STOPPED, "stopped by the watch");
        piece.height_cells = lc_least(COPIED_ROWS, area.y1 - piece.y);
        for (piece.x = area.x0; piece.x < area.x1 && status == LC_OK; piece.x += COPIED_COLUMNS) {
            piece.width_cells = lc_least(COPIED_COLUMNS, area.x1 - piece.x);
            piece.pitch_words = (size_t)(piece.width_cells + 63) / 64;
            status = copy_piece(from, to, &piece, message);
        }
    }
    return status;
}

// All cells that may be alive, out to whole words.
static lc_status live_area(lc_cover *cover, lc_area *area, lc_message *message)
{
    lc_facts facts = {.box = {.empty = true}};
    lc_status status = LC_OK;
    *area = now(cover)->area(cover);
    if (!is_bounded(cover) && is_sparse((adaptive *)cover)) {
        status = lc_one_block_facts(cover, LC_FACT_BOX, &facts, message);
        *area = lc_one_block_rounded(cover, lc_area_of_box(&facts.box));
    }
    return status;
}

static void measure_from(adaptive *b, uint64_t generation)
{
    b->piece = b->piece_ns = 0;
    b->sparse_ns = 0;
    b->measured_from = generation;
    b->measured_to = generation + MEASURED;
}

// Its own time, from when it has found out what sleeps: all tiles are awake at first.
static void measure_anew(adaptive *b)
{
    measure_from(b, b->generations + WARM_UP);
}

// Of a block round all that lives there.
static double dense_cells(const adaptive *b, lc_area area)
{
    return (is_bounded(&b->one.base) ? 1 : margins) * (double)cells_of(area);
}

// What a dense generation of so many cells should take.
static double dense_ns(const adaptive *b, double cells)
{
    const lc_cover_options *asked = &b->one.base.asked;
    const lc_level *level = lc_level_find(asked->cpu_level, NULL);
    if (b->dense_ns != 0)
        return cells * b->dense_ns;
    return cells / (cells_ns * asked->threads * (level != NULL ? level->vector_bits : 64));
}

// A GPU that is not at work yet has to make up for its start: by the generations that are wanted
// now, or by what dense ones have taken so far. (If more come, they take at most twice as long as
// if that had been known.)
static bool avoids_gpu(const adaptive *b, double cells)
{
    const lc_one_block *s = &b->one;
    return !s->block.vtable->traits.on_gpu && may_begin_on_cpu(&s->base.asked) &&
           (double)b->cpu_ns + dense_ns(b, cells) * (double)b->wanted < GPU_NS;
}

// Hands the cells to another engine; NULL: the one that "auto" chooses. `area` holds all live
// cells, and the new block, if the engine has one, holds `area`.
static lc_status make_over(adaptive *b, const lc_engine_vtable *engine, lc_area area,
                           const char *reason, lc_message *message)
{
    lc_one_block *s = &b->one;
    lc_cover *cover = &s->base;
    const lc_engine_vtable *const before = cover->asked.engine;
    const uint64_t kept_free = s->kept_free_bytes;
    lc_block block;
    cover->asked.engine = engine;
    s->kept_free_bytes = engine != NULL ? s->block.bytes : 0;
    lc_status status = lc_one_block_make(s, area, &block, message);
    if (status == LC_OK) {
        status = copy_cells(&s->block, &block, area, message);
        if (status != LC_OK)
            block.vtable->destroy(block.engine);
    }
    if (status != LC_OK) {
        cover->asked.engine = before;
        s->kept_free_bytes = kept_free;
        return status;
    }
    lc_engine_trial_drop(&b->trial);
    s->block.vtable->destroy(s->block.engine);
    s->block = block;
    s->safe_generations = 0;
    if (!is_bounded(cover))
        s->kept_free_bytes = 0; // dense or not, what has no end may need all of it
    cover->changes++;
    b->generations = 0;
    b->since = 0;
    b->look_at = b->interval;
    measure_anew(b);
    lc_fail(&s->reason, LC_OK, "%s", reason);
    return LC_OK;
}

static const char all_changes[] = "much of the board is active";

lc_status lc_adaptive_change(lc_cover *cover, lc_message *message)
{
    adaptive *b = (adaptive *)cover;
    lc_one_block *s = &b->one;
    const bool to_sparse = !is_sparse(b);
    lc_area area;
    if (s->takes_turns) // which the other engine cannot
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "two rules take turns");
    const lc_status status = live_area(cover, &area, message);
    if (status != LC_OK)
        return status;
    s->avoids_gpu = avoids_gpu(b, dense_cells(b, area));
    return make_over(b, to_sparse ? &lc_engine_sparse : NULL, area,
                     to_sparse ? "most of the board has settled" : all_changes, message);
}

// Whether so many nanoseconds a generation make up for changing engines, in as many generations as
// were made by now, or are known to come.
static bool makes_up(const adaptive *b, double ns, lc_area area, uint64_t left)
{
    const uint64_t generations = left > b->generations ? left : b->generations;
    return ns * (double)generations > (double)cells_of(area) / TILE_CELLS * CONVERSION_NS;
}

// Dense -------------------------------------------------------------------------------------------

// The i-th window: anywhere in the block.
static lc_cells sample_at(const adaptive *b, int i, uint64_t *words)
{
    const lc_frame *f = &b->one.block.config.frame;
    const uint64_t random = (uint64_t)(i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t columns = (uint64_t)(f->width_cells / SAMPLE_CELLS);
    const uint64_t rows = (uint64_t)(f->height_cells - SAMPLE_CELLS + 1);
    return (lc_cells){.x = (int64_t)((random >> 32) * columns >> 32) * SAMPLE_CELLS,
                      .y = (int64_t)((random & UINT32_MAX) % rows),
                      .width_cells = SAMPLE_CELLS,
                      .height_cells = SAMPLE_CELLS,
                      .words = words,
                      .pitch_words = 1};
}

static bool can_look(const adaptive *b)
{
    const lc_frame *f = &b->one.block.config.frame;
    return b->one.block.vtable == &lc_engine_simd && f->width_cells >= SAMPLE_CELLS &&
           f->height_cells >= SAMPLE_CELLS;
}

static lc_status take_samples(adaptive *b, lc_message *message)
{
    const lc_block *block = &b->one.block;
    lc_status status = LC_OK;
    for (int i = 0; i < SAMPLES && status == LC_OK; i++) {
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
    for (int i = 0; i < SAMPLES && status == LC_OK; i++) {
        uint64_t words[SAMPLE_CELLS];
        const lc_cells window = sample_at(b, i, words);
        status = block->vtable->read(block->engine, &window, message);
        *changed += memcmp(words, b->samples[i], sizeof words) != 0;
    }
    return status;
}

static bool sparse_pays(const adaptive *b, int changed, uint64_t left)
{
    const lc_area area = lc_one_block_area(&b->one.base);
    const double cells = (double)cells_of(area), dense_ns = cells * b->dense_ns;
    const double sparse_ns =
        cells / TILE_CELLS * changed / SAMPLES * VISIT_NS / ROUND / b->one.base.asked.threads;
    return sparse_ns < worth * dense_ns && makes_up(b, dense_ns - sparse_ns, area, left);
}

static lc_status look(adaptive *b, uint64_t left, lc_message *message)
{
    int changed;
    if (b->changes != b->one.base.changes) // the samples are of something else
        return LC_OK;
    const lc_status status = count_changed(b, &changed, message);
    b->interval += b->interval / 4;
    b->look_at = b->generations + b->interval;
    if (status == LC_OK && sparse_pays(b, changed, left))
        (void)lc_adaptive_change(&b->one.base, NULL); // else it stays what it is
    return status;
}

static lc_status advance_dense(adaptive *b, uint64_t generations, uint64_t *done,
                               lc_message *message)
{
    lc_status status = LC_OK;
    if (b->since == 0 && b->generations >= b->look_at && can_look(b)) {
        status = take_samples(b, message);
        b->since = PERIOD;
    }
    if (status != LC_OK)
        return status;
    const bool hurries = b->since > 0; // and so takes longer
    const uint64_t most = hurries ? lc_least_u64(generations, (uint64_t)b->since) : generations;
    const double cells = (double)cells_of(lc_one_block_area(&b->one.base));
    const uint64_t begin_ns = lc_clock_ns();
    status = lc_one_block_advance(&b->one.base, most, done, message);
    if (status != LC_OK || *done == 0)
        return status;
    const uint64_t took_ns = lc_clock_ns() - begin_ns;
    const double ns = (double)took_ns / (double)*done / cells;
    b->generations += *done;
    b->cpu_ns += b->one.block.vtable->traits.on_gpu ? 0 : took_ns;
    if (!hurries) {
        b->dense_ns = lc_time_of_late(b->dense_ns, ns);
        return LC_OK;
    }
    b->since -= (int)*done;
    return b->since == 0 ? look(b, generations - *done, message) : LC_OK;
}

// Sparse ------------------------------------------------------------------------------------------

// After it failed: whether it was memory that lacked, and there is enough for the other engine.
static bool turns_for_memory(adaptive *b, lc_status failed)
{
    if (failed != LC_ERROR_LIMIT && failed != LC_ERROR_MEMORY)
        return false;
    b->interval *= 4;
    return lc_adaptive_change(&b->one.base, NULL) == LC_OK;
}

static lc_status compare(adaptive *b, double ns, uint64_t left, lc_message *message)
{
    lc_cover *cover = &b->one.base;
    lc_area area = {0, 0, LEAST_CELLS, 1};
    if (ns < too_slow * dense_ns(b, dense_cells(b, area))) // nothing is so small
        return LC_OK;
    const lc_status status = live_area(cover, &area, message);
    if (status != LC_OK)
        return status;
    const double dense = dense_ns(b, dense_cells(b, area));
    if (cells_of(area) >= LEAST_CELLS && ns > too_slow * dense &&
        makes_up(b, ns - dense, area, left))
        (void)lc_adaptive_change(cover, NULL); // else it stays what it is
    return LC_OK;
}

// A soup needs no look at what it does: all of it changes.
static lc_status begin_sparse(adaptive *b, uint64_t left, lc_message *message)
{
    lc_cover *cover = &b->one.base;
    lc_facts facts;
    const lc_status status =
        lc_one_block_facts(cover, LC_FACT_POPULATION | LC_FACT_BOX, &facts, message);
    if (status != LC_OK || facts.is_far)
        return status;
    const lc_area area = lc_one_block_rounded(cover, lc_area_of_box(&facts.box));
    const double cells = (double)cells_of(area), dense = dense_ns(b, dense_cells(b, area));
    const double sparse = cells / TILE_CELLS * VISIT_NS / ROUND / cover->asked.threads;
    if (cells_of(area) >= LEAST_CELLS && lc_count_to_double(facts.population) * SOUP > cells &&
        sparse > too_slow * dense && makes_up(b, sparse - dense, area, left))
        (void)lc_adaptive_change(cover, NULL); // else it stays what it is
    return LC_OK;
}

static void measure(adaptive *b, uint64_t made, uint64_t took_ns)
{
    if (b->generations <= b->measured_from)
        return;
    b->piece += made;
    b->piece_ns += took_ns;
    if (b->piece < PIECE)
        return;
    b->sparse_ns = lc_time_of_late(b->sparse_ns, (double)b->piece_ns / (double)b->piece);
    b->piece = b->piece_ns = 0;
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
    b->generations += made;
    measure(b, made, took_ns);
    if (b->generations >= b->measured_to && b->sparse_ns != 0) {
        const double ns = b->sparse_ns;
        measure_from(b, b->generations);
        status = compare(b, ns, left, message);
        if (status != LC_OK || !is_sparse(b))
            return status;
    }
    uint64_t tried;
    status = lc_engine_trial_run(&b->one, &b->trial, made, took_ns, left, &tried, message);
    *done += tried;
    return status == LC_ERROR_STOPPED ? LC_OK : status; // with what was done before it
}

static lc_status advance_hashlife(adaptive *b, uint64_t generations, uint64_t *done,
                                  lc_message *message)
{
    const lc_status status =
        lc_engine_trial_advance_hashlife(&b->one, &b->trial, generations, done, message);
    if (!lc_is_hashlife(&b->one))
        measure_anew(b);
    return status;
}

// The cover ---------------------------------------------------------------------------------------

static lc_status advance(lc_cover *cover, uint64_t generations, uint64_t *done, lc_message *message)
{
    adaptive *b = (adaptive *)cover;
    if (b->interval == 0) { // at the very beginning
        b->interval = b->look_at = FIRST_LOOK;
        b->measured_to = PIECE;
        const lc_status status =
            is_sparse(b) && !is_bounded(cover)
                ? begin_sparse(b, lc_greatest_u64(generations, b->wanted), message)
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
    const bool avoided = s->avoids_gpu;
    const lc_area area = lc_one_block_area(&s->base);
    s->avoids_gpu = avoids_gpu(b, (double)cells_of(area));
    if (avoided && !s->avoids_gpu && lc_one_block_choose(s, area).engine->traits.on_gpu)
        (void)make_over(b, NULL, area, "so many generations are worth a GPU", NULL);
}

// A block that can no longer follow life need not.
static lc_status prepare(lc_cover *cover, uint64_t wanted, uint64_t *safe, lc_message *message)
{
    adaptive *b = (adaptive *)cover;
    b->wanted = wanted;
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
    return status != LC_OK && !is_sparse((adaptive *)cover) &&
                   turns_for_memory((adaptive *)cover, status)
               ? now(cover)->include(cover, area, message)
               : status;
}

// Whether a soup is the first thing on a plane, and large.
static bool is_first_soup(adaptive *b, const lc_soup *soup)
{
    lc_facts facts;
    return !is_bounded(&b->one.base) && is_sparse(b) && b->interval == 0 && !b->one.takes_turns &&
           cells_of(soup->area) >= LEAST_CELLS && soup->density_16 >= (1 << 16) / SOUP &&
           lc_one_block_facts(&b->one.base, LC_FACT_POPULATION, &facts, NULL) == LC_OK &&
           lc_count_compare(facts.population, lc_count_of(0)) == 0;
}

// All of a soup changes, so it is not put into tiles only to be taken out of them for the first
// step. How many generations are wanted is not known yet: no GPU is started.
static lc_status fill(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    adaptive *b = (adaptive *)cover;
    lc_status status = LC_OK;
    if (is_first_soup(b, soup)) {
        const int64_t x = soup->area.x0, y = soup->area.y0;
        const lc_area corner = lc_one_block_rounded(cover, (lc_area){x, y, x + 1, y + 1});
        b->one.avoids_gpu = true;
        if (make_over(b, NULL, corner, all_changes, NULL) == LC_OK)
            status = include(cover, soup->area, message); // tiles, where there is no room for it
    }
    return status == LC_OK ? lc_cover_fill_rows(cover, soup, message) : status;
}

static lc_status write_cells(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    const lc_status status = lc_one_block_write(cover, from, message);
    return status != LC_OK && is_sparse((adaptive *)cover) && is_bounded(cover) &&
                   turns_for_memory((adaptive *)cover, status)
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
    lc_engine_trial_drop(&((adaptive *)cover)->trial);
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
    const lc_engine_trial *l = &((const adaptive *)cover)->trial;
    now(cover)->describe(cover, info);
    if (l->is_parked)
        info->memory_bytes += l->parked.vtable->plane->held_bytes(l->parked.engine);
}

const lc_cover_vtable lc_cover_adaptive = {
    .destroy = destroy,
    .advance = advance,
    .jump = lc_self_covering_jump,
    .count_coarse = lc_self_covering_count_coarse,
    .store = lc_self_covering_store,
    .set_root = lc_self_covering_set_root,
    .get_root = lc_self_covering_get_root,
    .snapshot = lc_self_covering_snapshot,
    .end_snapshot = lc_self_covering_end_snapshot,
    .set_rule = lc_one_block_set_rule,
    .set_turns = lc_one_block_set_turns,
    .period = lc_one_block_period,
    .soup_bytes = soup_bytes,
    .fill = fill,
    .fill_run = fill_run,
    .read = lc_one_block_read,
    .write = write_cells,
    .facts = lc_one_block_facts,
    .view = lc_one_block_view,
    .has_tones = lc_one_block_has_tones,
    .is_far = lc_one_block_is_far,
    .limit_bytes = lc_one_block_limit_bytes,
    .failure = lc_one_block_failure,
    .include = include,
    .prepare = prepare,
    .area = area,
    .seek = seek,
    .describe = describe,
};
