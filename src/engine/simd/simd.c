// The dense CPU engine: cells in two grids, one bit a cell, stepped from one to the other by
// passes. Rules of more than two states have several such pairs of grids (simd_states.h).
#include <string.h>

#include "base/clock.h"
#include "base/cpu_features.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/simd/simd.h"
#include "engine/simd/simd_tile_sums.h"
#include "engine/simd/simd_turned.h"
#include "engine/simd/simd_view.h"
#include "grid/facts.h"
#include "grid/topology.h"
#include "rule/rule_value.h"

// How the grids store the board.
typedef struct layout {
    lc_frame frame;  // of the grids: the block's frame, transposed if `turned`
    bool turned;     // see simd_turned.h
    bool ribbon;     // see lc_ribbon
    int reach_cells; // of one generation
    lc_other_planes others;
} layout;

typedef struct simd {
    lc_engine base;
    lc_engine_config config;
    layout lies;
    const lc_level *level;
    lc_grid cells[LC_STORED_PLANES_MAX],
        next[LC_STORED_PLANES_MAX]; // layout.others says how many
    int depth;                      // generations of a full pass
    lc_pass_plan full, partial;
    lc_pass_worker *workers; // one for each thread
    size_t scratch_bytes;
    void (*step)(const lc_band *band); // the level's fastest function for the rule
    void (*step_ribbon)(const lc_ribbon *ribbon);
    uint64_t any[LC_ANY_WORDS];
    uint64_t any_beside[LC_ANY_WORDS]; // of the rule that brings the neighbours of live cells alive
    bool has_kills;                    // cells that kill were written
    const lc_code *code;               // from the context's cache; NULL: no machine code
    lc_diagram map;                    // of a rule given by a table
    uint64_t traffic_bytes;
    const lc_pass *forming; // the current pass; NULL: none
    bool counted;           // the last complete pass counted its tiles
    lc_tiles *tiles;        // cached facts, which functions of a const engine may fill
} simd;

static const int64_t words_of_move = 1 << 16; // that a task copies, at least

// Possible numbers of generations of a full pass. More generations amortise reading, combing and
// halos; fewer waste less work on the halos' own cells.
static const int depths[] = {1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128};

// The halo of a thin board can be larger than the board. So a grid above this size may need at most
// a quarter more memory than with the least depth.
static const uint64_t free_halo_bytes = 64 << 20;

static layout layout_of(const lc_engine_config *config)
{
    const lc_frame *f = &config->frame;
    layout lies = {.frame = *f,
                   .turned = lc_turns(f->width_cells, f->height_cells),
                   .reach_cells = (int)lc_rule_halo_cells(config->rule, 1),
                   .others = lc_other_planes_of(config->rule)};
    if (lies.turned)
        lies.frame = lc_frame_turned(f);
    lies.ribbon = lies.frame.height_cells <= LC_BAND_ROWS && lc_frame_stacks(&lies.frame) &&
                  lies.others.count == 0;
    return lies;
}

static int stored_planes(const layout *lies)
{
    return 1 + lies->others.count;
}

static void choose_pass(lc_pass_plan *plan, const layout *lies, const lc_level *level,
                        int generations, int threads)
{
    lc_pass_choose(plan, level, &lies->frame, lies->ribbon, lies->others.count, generations,
                   threads);
}

static int halo_cells(const layout *lies, int generations)
{
    return generations * lies->reach_cells;
}

// Returns the rows of halo above and below the board in its grid.
static int margin_rows(const layout *lies, int generations)
{
    return lies->ribbon ? 0 : halo_cells(lies, generations);
}

// Computes the bytes of the grids of all planes.
static bool grid_bytes(const layout *lies, int generations, uint64_t *size_bytes)
{
    uint64_t one;
    return lc_grid_bytes(lies->frame.width_cells, lies->frame.height_cells,
                         halo_cells(lies, generations), margin_rows(lies, generations), &one) &&
           lc_mul_u64(one, (uint64_t)stored_planes(lies), size_bytes);
}

// Chooses the generations and the plan of a full pass, and sets *size_bytes to the size of the
// grids with their halos. Returns false if no grid can be that large.
static bool choose_depth(const layout *lies, const lc_level *level, int threads, lc_pass_plan *plan,
                         uint64_t *size_bytes)
{
    uint64_t least;
    if (!grid_bytes(lies, depths[0], &least))
        return false;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        uint64_t bytes;
        if (!grid_bytes(lies, depths[i], &bytes) ||
            (bytes > free_halo_bytes && bytes - least > least / 4))
            break;
        lc_pass_plan p;
        choose_pass(&p, lies, level, depths[i], threads);
        if (i == 0 || p.cost < plan->cost) {
            *plan = p;
            *size_bytes = bytes;
        }
    }
    return true;
}

static uint64_t speed(const lc_engine_config *config)
{
    return (uint64_t)config->threads;
}

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    uint64_t grid, two, scratch, tiles, with_tiles;
    lc_pass_plan plan;
    const lc_level *level = lc_level_find(config->cpu_level, NULL);
    if (level == NULL)
        level = lc_level_find("auto", NULL);
    const layout lies = layout_of(config);
    const int threads = config->threads;
    (void)message;
    if (!choose_depth(&lies, level, threads, &plan, &grid) || !lc_mul_u64(grid, 2, &two) ||
        !lc_mul_u64(lc_pass_scratch_bytes(level, lies.others.count), (uint64_t)threads, &scratch) ||
        !lc_tiles_bytes(lies.frame.width_cells, lies.frame.height_cells, &tiles) ||
        !lc_add_u64(two, tiles, &with_tiles) || !lc_add_u64(with_tiles, scratch, memory_bytes))
        *memory_bytes = UINT64_MAX;
    return LC_OK;
}

static void destroy(lc_engine *engine)
{
    simd *s = (simd *)engine;
    if (s == NULL)
        return;
    if (s->workers != NULL)
        for (int i = 0; i < lc_pool_threads(s->config.pool); i++)
            lc_context_free_scratch(s->config.context, s->workers[i].scratch, s->scratch_bytes);
    lc_free(s->workers);
    lc_cache_release(s->code);
    if (s->tiles != NULL)
        lc_tiles_free(s->tiles);
    lc_free(s->tiles);
    for (int p = 0; p < LC_STORED_PLANES_MAX; p++) {
        lc_grid_free(&s->cells[p]);
        lc_grid_free(&s->next[p]);
    }
    lc_free(s);
}

// Gets the rule's machine code. Returns false if the code is not available.
static bool get_code(simd *s, lc_counts counts)
{
    const lc_code *before = s->code;
    s->code = lc_code_get(lc_context_cache(s->config.context), s->level->code_target, counts);
    lc_cache_release(before);
    return s->code != NULL;
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    simd *s = (simd *)engine;
    lc_counts counts;
    if (then != NULL)
        return false;
    if (s->step != NULL && s->config.rule == rule)
        return true;
    s->config.rule = rule;
    if (!lc_rule_counts(rule, &counts)) {
        uint8_t table[64];
        (s->lies.turned ? lc_turned_map : lc_rule_map)(rule, table);
        lc_diagram_build(&s->map, table, lc_context_cache(s->config.context));
        s->step = s->level->step_map;
        s->step_ribbon = s->level->ribbon_map;
    } else if (counts.birth == 1 << 3 && counts.survival == (1 << 2 | 1 << 3)) {
        s->step = s->level->step_life;
        s->step_ribbon = s->level->ribbon_life;
    } else if (!s->lies.ribbon && s->level->step_code != NULL && get_code(s, counts)) {
        s->step = s->level->step_code;
    } else {
        lc_any_rule(counts, s->any);
        s->step = s->level->step_any;
        s->step_ribbon = s->level->ribbon_any;
    }
    return true;
}

static lc_status allocate(simd *s)
{
    const lc_frame *f = &s->lies.frame;
    const int threads = lc_pool_threads(s->config.pool);
    const int columns = halo_cells(&s->lies, s->depth), rows = margin_rows(&s->lies, s->depth);
    lc_context *context = s->config.context;
    lc_status status = LC_OK;
    for (int i = 0; i < 2 * stored_planes(&s->lies) && status == LC_OK; i++)
        status = lc_grid_init(&(i % 2 == 0 ? s->cells : s->next)[i / 2], context, f->width_cells,
                              f->height_cells, columns, rows);
    if (status != LC_OK)
        return status;
    s->tiles = lc_calloc(1, sizeof *s->tiles);
    if (s->tiles == NULL)
        return LC_ERROR_MEMORY;
    lc_tiles_init(s->tiles, s->cells);
    s->scratch_bytes = lc_pass_scratch_bytes(s->level, s->lies.others.count);
    s->workers = lc_calloc((size_t)threads, sizeof *s->workers);
    if (s->workers == NULL)
        return LC_ERROR_MEMORY;
    for (int i = 0; i < threads; i++) {
        s->workers[i].scratch = lc_context_alloc_scratch(context, s->scratch_bytes);
        if (s->workers[i].scratch == NULL)
            return LC_ERROR_MEMORY;
    }
    return LC_OK;
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    *out = NULL;
    const lc_level *level = lc_level_find(config->cpu_level, message);
    if (level == NULL)
        return LC_ERROR_UNSUPPORTED;
    simd *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "an engine");
    s->base.vtable = &lc_engine_simd;
    s->config = *config;
    s->level = level;
    s->lies = layout_of(config);
    set_rule(&s->base, config->rule, NULL);
    uint64_t size_bytes;
    lc_status status = LC_ERROR_LIMIT;
    if (choose_depth(&s->lies, level, lc_pool_threads(config->pool), &s->full, &size_bytes)) {
        s->depth = s->full.generations;
        status = allocate(s);
    }
    if (status != LC_OK) {
        destroy(&s->base);
        return lc_fail(message, status, "out of memory for a board of %lld x %lld cells",
                       (long long)config->frame.width_cells, (long long)config->frame.height_cells);
    }
    *out = &s->base;
    return LC_OK;
}

// Moving cells ------------------------------------------------------------------------------------

// Returns the stored bits of up to 64 cells from cell x on of row y of the board; x is a multiple
// of 64.
static uint64_t stored_word(const simd *s, int plane, int64_t x, int64_t y)
{
    const lc_grid *grid = &s->cells[plane];
    return s->lies.turned ? lc_turned_read(grid, y) : lc_grid_row(grid, y)[x / 64];
}

static void read_row(const simd *s, const lc_cells *to, int64_t j)
{
    const size_t count = (size_t)((to->width_cells + 63) / 64);
    const lc_other_planes *others = &s->lies.others;
    const int64_t y = to->y + j;
    if (others->count == 0 && !s->lies.turned)
        memcpy(lc_cells_row(to, j), lc_grid_row(s->cells, y) + to->x / 64, count * 8);
    else
        for (size_t i = 0; i < count; i++) {
            uint64_t stored[LC_STORED_PLANES_MAX], states[LC_PLANES_MAX] = {0};
            for (int p = 0; p < stored_planes(&s->lies); p++)
                stored[p] = stored_word(s, p, to->x + 64 * (int64_t)i, y);
            lc_states_of_stored(others, stored, states, to->planes);
            for (int p = 0; p < to->planes; p++)
                lc_cells_plane(to, p, j)[i] = states[p];
        }
    for (int p = 0; p < to->planes; p++)
        lc_cells_plane(to, p, j)[count - 1] &= lc_last_mask(to->width_cells);
}

// Computes the stored bits of up to 64 cells of the j-th row, from bit x on; x is a multiple of 64.
static void stored_of_cells(const simd *s, const lc_cells *cells, int64_t j, int64_t x,
                            uint64_t stored[LC_STORED_PLANES_MAX])
{
    uint64_t states[LC_PLANES_MAX] = {0};
    for (int p = 0; p < cells->planes; p++)
        states[p] = lc_cells_plane(cells, p, j)[x / 64];
    lc_stored_of_states(&s->lies.others, states, cells->planes, stored);
}

static void write_row(const simd *s, const lc_cells *from, int64_t j)
{
    const int64_t y = from->y + j;
    if (s->lies.others.count == 0 && !s->lies.turned) {
        lc_bits_copy(lc_grid_row(s->cells, y), from->x, lc_cells_row(from, j), 0,
                     from->width_cells);
        return;
    }
    for (int64_t x = 0; x < from->width_cells; x += 64) {
        const int64_t cells = lc_least(from->width_cells - x, 64);
        uint64_t stored[LC_STORED_PLANES_MAX];
        stored_of_cells(s, from, j, x, stored);
        for (int p = 0; p < stored_planes(&s->lies); p++)
            if (s->lies.turned)
                lc_turned_write(&s->cells[p], from->x + x, y, cells, stored[p]);
            else
                lc_bits_copy(lc_grid_row(&s->cells[p], y), from->x + x, &stored[p], 0, cells);
    }
}

typedef struct {
    simd *simd;
    const lc_cells *cells;
    void (*move)(const simd *s, const lc_cells *cells, int64_t j);
    int64_t rows; // of a task
} move_work;

static void move_task(void *context, size_t index, int worker)
{
    (void)worker;
    const move_work *work = context;
    const int64_t begin = (int64_t)index * work->rows;
    const int64_t end = lc_least(begin + work->rows, work->cells->height_cells);
    for (int64_t j = begin; j < end; j++)
        work->move(work->simd, work->cells, j);
}

// Moves rows of cells. All threads share large rectangles, except on a transposed board, where a
// word has cells of many rows.
static void move_cells(simd *s, const lc_cells *cells,
                       void (*move)(const simd *s, const lc_cells *cells, int64_t j))
{
    const int64_t words = (cells->width_cells + 63) / 64;
    move_work work = {s, cells, move, cells->height_cells};
    if (words == 0 || cells->height_cells <= 0)
        return;
    if (!s->lies.turned && words * cells->height_cells > 2 * words_of_move)
        work.rows = words_of_move / words + 1;
    const int64_t tasks = (cells->height_cells + work.rows - 1) / work.rows;
    lc_pool_run(s->config.pool, (size_t)tasks, move_task, &work);
}

static lc_status read_cells(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    (void)message;
    move_cells((simd *)engine, to, read_row);
    return LC_OK;
}

// A ribbon has no rows of halo.
static bool has_row(const lc_grid *grid, int64_t y)
{
    return y >= -grid->margin_rows && y < grid->height_cells + grid->margin_rows;
}

// Writes 64 cells or fewer of the halo.
static void write_halo_word(simd *s, int plane, int64_t x, int64_t y, int64_t cells, uint64_t word)
{
    lc_grid *grid = &s->cells[plane];
    if (!s->lies.turned && has_row(grid, y))
        lc_bits_copy(lc_grid_row(grid, y), x, &word, 0, cells);
    for (int64_t i = 0; s->lies.turned && i < cells; i++)
        if (has_row(grid, x + i))
            lc_grid_set(grid, y, x + i, word >> i & 1);
}

static void write_halo(simd *s, const lc_cells *halo)
{
    for (int64_t j = 0; j < halo->height_cells; j++) {
        for (int64_t x = 0; x < halo->width_cells; x += 64) {
            uint64_t stored[LC_STORED_PLANES_MAX];
            stored_of_cells(s, halo, j, x, stored);
            for (int p = 0; p < stored_planes(&s->lies); p++)
                write_halo_word(s, p, halo->x + x, halo->y + j, lc_least(halo->width_cells - x, 64),
                                stored[p]);
        }
    }
}

static void note_kills(simd *s, const lc_cells *from)
{
    int64_t at;
    if (s->has_kills || lc_rule_traits(s->config.rule)->family != LC_FAMILY_HISTORY)
        return;
    for (int64_t j = 0; j < from->height_cells && !s->has_kills; j++)
        s->has_kills = lc_cells_find_above(from, j, LC_HISTORY_KILLS, &at) != 0;
    if (s->has_kills)
        lc_any_rule((lc_counts){.birth = 0x1FE, .survival = 0x1FF}, s->any_beside);
}

static lc_status write_cells(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    simd *s = (simd *)engine;
    (void)message;
    note_kills(s, from);
    if (lc_is_halo(&s->config.frame, from)) {
        write_halo(s, from);
        return LC_OK;
    }
    move_cells(s, from, write_row);
    s->tiles->valid = false;
    return LC_OK;
}

// Halo --------------------------------------------------------------------------------------------

typedef struct {
    lc_grid *grid;
    lc_halo halo;
} halo_work;

static void fill_task(void *context, size_t index, int worker)
{
    (void)worker;
    const halo_work *work = context;
    lc_halo_fill(work->grid, &work->halo, index);
}

static void fill_parts(simd *s, const lc_topology *topology, int64_t depth_cells, unsigned parts)
{
    for (int p = 0; p < stored_planes(&s->lies); p++) {
        halo_work work = {&s->cells[p], {topology, depth_cells, parts}};
        lc_pool_run(s->config.pool, lc_halo_tasks(work.grid, &work.halo), fill_task, &work);
    }
}

// Returns the parts of the block's halo that the engine fills, as engine_interface.h defines. The
// filler fills the others.
static unsigned own_parts(const lc_frame *f)
{
    if (f->left == LC_EDGE_OPEN)
        return 0;
    return f->top == LC_EDGE_OPEN || f->bottom == LC_EDGE_OPEN ? LC_HALO_BESIDE : LC_HALO_ALL;
}

// Translates parts of the block's halo to parts of the grid's halo.
static unsigned in_grid(const layout *lies, unsigned parts)
{
    if (!lies->turned)
        return parts;
    return (parts & LC_HALO_CORNERS) | ((parts & LC_HALO_BESIDE) != 0 ? LC_HALO_ENDS : 0) |
           ((parts & LC_HALO_ENDS) != 0 ? LC_HALO_BESIDE : 0);
}

// Fills the filler's parts of the halo from the block's own cells. The block is the whole board.
static lc_status fill_halo(lc_engine *engine, const lc_topology *topology, int64_t depth_cells,
                           lc_message *message)
{
    simd *s = (simd *)engine;
    (void)message;
    const lc_topology own = s->lies.turned ? lc_topology_turned(topology) : *topology;
    const unsigned parts = LC_HALO_ALL & ~own_parts(&s->config.frame);
    fill_parts(s, &own, depth_cells, in_grid(&s->lies, parts));
    return LC_OK;
}

// Fills the whole halo: its own parts, then the filler's.
static lc_status surround(simd *s, int64_t depth_cells, lc_message *message)
{
    const lc_frame *f = &s->config.frame, *grid = &s->lies.frame;
    const lc_filler *filler = &s->config.filler;
    const lc_topology own = {.kind =
                                 f->left == LC_EDGE_WALL ? LC_TOPOLOGY_PLANE : LC_TOPOLOGY_TORUS,
                             .width_cells = grid->width_cells,
                             .height_cells = grid->height_cells};
    unsigned parts = own_parts(f);
    if (f->top == LC_EDGE_WALL || f->bottom == LC_EDGE_WALL)
        parts |= LC_HALO_ENDS; // dead cells; the side opposite a wall may be the filler's
    if (parts != 0)
        fill_parts(s, &own, depth_cells, in_grid(&s->lies, parts));
    return lc_frame_is_open(f) ? filler->call(filler->context, &s->base, depth_cells, message)
                               : LC_OK;
}

// Runs a pass, and calls the watch between slices. Returns false if the watch stopped the pass.
static bool run_pass(simd *s, lc_pass *pass)
{
    const lc_engine_watch *watch = s->config.watch;
    for (;;) {
        const bool watched = watch != NULL && watch->call != NULL;
        if (!watched || !lc_add_u64(lc_clock_ns(), watch->interval_ns, &pass->until_ns))
            pass->until_ns = UINT64_MAX;
        lc_pool_run(s->config.pool, (size_t)pass->worker_count, lc_pass_slice, pass);
        if (lc_pass_done(pass))
            return true;
        if (watch->call(watch->context))
            return false;
    }
}

static uint64_t pass_generations(const lc_engine *engine, uint64_t generations)
{
    return lc_least_u64(generations, (uint64_t)((const simd *)engine)->depth);
}

// Returns the plan of a pass of that many generations, at most `depth`.
static const lc_pass_plan *plan_of(simd *s, int generations)
{
    if (generations == s->depth)
        return &s->full;
    if (s->partial.generations != generations)
        choose_pass(&s->partial, &s->lies, s->level, generations, lc_pool_threads(s->config.pool));
    return &s->partial;
}

static lc_status make_pass(lc_engine *engine, uint64_t generations, lc_message *message)
{
    simd *s = (simd *)engine;
    const lc_pass_plan *plan = plan_of(s, (int)generations);
    const lc_status status = surround(s, halo_cells(&s->lies, plan->generations), message);
    if (status != LC_OK)
        return status;
    lc_pass pass = {
        .level = s->level,
        .plan = plan,
        .from = s->cells,
        .to = s->next,
        .others = s->lies.others,
        .step = s->step,
        .step_ribbon = s->step_ribbon,
        .any = s->any,
        .any_beside = s->has_kills ? s->any_beside : NULL,
        .code = s->code,
        .map = &s->map,
        .frame = &s->lies.frame,
        .tiles = lc_tiles_of_next(s->tiles),
        .workers = s->workers,
        .worker_count = lc_pool_threads(s->config.pool),
    };
    if (lc_pass_tasks(&pass) < (size_t)pass.worker_count)
        pass.worker_count = (int)lc_pass_tasks(&pass);
    for (int i = 0; i < pass.worker_count; i++)
        s->workers[i].busy = false; // a stopped pass leaves some busy
    s->forming = &pass;
    const bool made_all = run_pass(s, &pass);
    s->forming = NULL;
    s->counted = pass.tiles != NULL;
    return made_all ? LC_OK : LC_ERROR_STOPPED;
}

static void end_pass(lc_engine *engine)
{
    simd *s = (simd *)engine;
    const lc_frame *f = &s->lies.frame;
    for (int p = 0; p < stored_planes(&s->lies); p++) {
        const lc_grid made = s->next[p];
        s->next[p] = s->cells[p];
        s->cells[p] = made;
    }
    lc_tiles_exchange(s->tiles, s->counted);
    s->traffic_bytes += 2 * (uint64_t)stored_planes(&s->lies) * (uint64_t)f->height_cells *
                        (((uint64_t)f->width_cells + 7) / 8);
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    const uint64_t count = pass_generations(engine, generations);
    const lc_status status = make_pass(engine, count, message);
    if (status != LC_OK)
        return status;
    end_pass(engine);
    *done = count;
    return LC_OK;
}

// Facts, computed by shares of the rows -----------------------------------------------------------

enum { SHARE_BYTES = 1 << 18, TURNED_SHARE_ROWS = 1 << 16, WORKERS_MAX = 256 };

typedef struct {
    const simd *simd;
    unsigned which;
    int64_t rows, share_rows;
    bool turned;    // the rows are those of the board, not of the grid
    lc_facts *made; // one for each worker
} shares;

// Reads the cells of a row of the grids that are alive in any plane.
static void read_any_plane(const simd *s, const lc_cells *to)
{
    const size_t count = (size_t)((to->width_cells + 63) / 64);
    uint64_t *words = lc_cells_row(to, 0);
    memset(words, 0, count * sizeof *words);
    for (int p = 0; p < stored_planes(&s->lies); p++) {
        const uint64_t *from = lc_grid_row(&s->cells[p], to->y) + to->x / 64;
        for (size_t i = 0; i < count; i++)
            words[i] |= from[i];
    }
    words[count - 1] &= lc_last_mask(to->width_cells);
}

// Computes the facts of rows y0 .. y1 - 1 of a board of more than two states, by pieces. Only the
// hash needs the states, and takes the board's rows; all else takes those of the grids.
static lc_facts facts_of_states(const simd *s, int64_t y0, int64_t y1, unsigned which)
{
    enum { PIECE_WORDS = 128 }; // of each plane
    uint64_t words[PIECE_WORDS * LC_PLANES_MAX];
    const bool hashes = (which & LC_FACT_HASH) != 0;
    const int64_t width = hashes ? s->config.frame.width_cells : s->cells->width_cells;
    const int planes = hashes ? lc_rule_traits(s->config.rule)->planes : 1;
    lc_facts all = {.box = {.empty = true}};
    for (int64_t y = y0; y < y1; y++) {
        for (int64_t x = 0; x < width; x += PIECE_WORDS * 64) {
            const lc_cells piece =
                lc_span_cells(x, y, lc_least(width - x, PIECE_WORDS * 64), planes, words);
            if (hashes)
                read_row(s, &piece, 0);
            else
                read_any_plane(s, &piece);
            const lc_facts here = lc_cells_facts(&piece, which),
                           moved = lc_facts_moved(&here, x, y);
            all = lc_facts_joined(&all, &moved);
        }
    }
    return all;
}

static void look_at_share(void *context, size_t index, int worker)
{
    const shares *s = context;
    const int64_t y0 = (int64_t)index * s->share_rows, rest = s->rows - y0;
    const int64_t y1 = y0 + (rest < s->share_rows ? rest : s->share_rows);
    const lc_grid *grid = s->simd->cells;
    const lc_facts share =
        s->simd->lies.others.count > 0 ? facts_of_states(s->simd, y0, y1, s->which)
        : s->turned ? (lc_facts){.box = {.empty = true}, .hash = lc_turned_hash(grid, y0, y1)}
                    : lc_grid_facts(grid, y0, y1, s->which);
    s->made[worker] = lc_facts_joined(&s->made[worker], &share);
}

static lc_facts look(const simd *s, unsigned which, bool turned)
{
    const int64_t row_bytes = (int64_t)s->cells->pitch_words * 8;
    lc_facts made[WORKERS_MAX], all = {.box = {.empty = true}};
    shares by = {.simd = s,
                 .which = which,
                 .rows = turned ? s->config.frame.height_cells : s->cells->height_cells,
                 .share_rows = turned                     ? TURNED_SHARE_ROWS
                               : row_bytes >= SHARE_BYTES ? 1
                                                          : SHARE_BYTES / row_bytes,
                 .turned = turned,
                 .made = made};
    const size_t count = (size_t)((by.rows + by.share_rows - 1) / by.share_rows);
    const int threads = lc_pool_threads(s->config.pool);
    const int used = threads <= WORKERS_MAX ? threads : 1;
    for (int i = 0; i < used; i++)
        made[i] = all;
    if (used == threads)
        lc_pool_run(s->config.pool, count, look_at_share, &by);
    else // more workers than `made` has entries
        for (size_t i = 0; i < count; i++)
            look_at_share(&by, i, 0);
    for (int i = 0; i < used; i++)
        all = lc_facts_joined(&all, &made[i]);
    return all;
}

static lc_status facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    const simd *s = (const simd *)engine;
    (void)message;
    const bool by_tiles = (which & LC_FACT_POPULATION) != 0 && s->tiles->valid;
    const bool by_side = (which & LC_FACT_HASH) != 0 && s->lies.turned;
    const unsigned left =
        which & ~(unsigned)((by_tiles ? LC_FACT_POPULATION : 0) | (by_side ? LC_FACT_HASH : 0));
    *facts = (lc_facts){.box = {.empty = true}};
    if (left != 0)
        *facts = look(s, left, false);
    if (by_tiles)
        facts->population = lc_count_of(lc_tiles_population(s->tiles, s->config.pool));
    if (by_side)
        facts->hash = look(s, LC_FACT_HASH, true).hash;
    if (s->lies.turned) {
        const lc_box b = facts->box;
        facts->box = (lc_box){b.empty, b.y, b.x, b.height_cells, b.width_cells};
    }
    return LC_OK;
}

static lc_status view(lc_engine *engine, const lc_view *squares, lc_message *message)
{
    const simd *s = (const simd *)engine;
    lc_pool *pool = s->config.pool;
    if (s->lies.turned)
        return lc_turned_count(squares, s->cells, s->level, pool, message);
    const lc_pass *forming = squares->forming ? s->forming : NULL;
    if (!lc_tiles_fit(squares) || !lc_tiles_want(s->tiles, squares, s->cells, s->level, pool))
        lc_squares_count(squares, s->cells, s->level, pool);
    else
        lc_tiles_sum(squares, s->tiles, forming != NULL && forming->tiles != NULL ? forming : NULL,
                     pool);
    return LC_OK;
}

static void report(const lc_engine *engine, lc_engine_report *report)
{
    const simd *s = (const simd *)engine;
    report->cpu_level = s->level->name;
    report->traffic_bytes = s->traffic_bytes;
}

static const lc_board_ops board = {
    .fill_halo = fill_halo,
    .pass_generations = pass_generations,
    .make_pass = make_pass,
    .end_pass = end_pass,
};

// Estimates the time of a generation. Every cell is stepped, even if no cell changes.
static double estimate_ns(const lc_engine_config *config, double cells, double changing)
{
    // For each bit of a vector. An AMD EPYC with AVX-512 steps 1.1 (docs/lab/choosing-engines.md).
    // The low value counts only until the first dense generations are timed.
    static const double cells_per_ns = 0.35;
    const lc_level *level = lc_level_find(config->cpu_level, NULL);
    (void)changing;
    return cells / (cells_per_ns * config->threads * (level != NULL ? level->vector_bits : 64));
}

static const lc_choice_ops choice = {.speed = speed, .estimate_ns = estimate_ns};

const lc_engine_vtable lc_engine_simd = {
    .name = "simd",
    .summary = "dense, one bit per cell, SIMD with temporal blocking",
    .reason = "bounded boards of any size; fastest dense engine on a CPU",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC) | LC_FAMILY_BIT(LC_FAMILY_MAP) |
                           LC_FAMILY_BIT(LC_FAMILY_GENERATIONS) | LC_FAMILY_BIT(LC_FAMILY_HISTORY),
               .states_max = LC_STATES_MAX,
               .planes_max = LC_PLANES_MAX,
               .reach_max = 1,
               .takes_halo = true,
               .has_levels = true},
    .check = check,
    .create = create,
    .destroy = destroy,
    .set_rule = set_rule,
    .read = read_cells,
    .write = write_cells,
    .step = step,
    .facts = facts,
    .view = view,
    .report = report,
    .board = &board,
    .choice = &choice,
};
