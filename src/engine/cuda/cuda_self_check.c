// The self-check of kernels: steps a test board on the GPU and with the scalar engine.
//
// The test board is awkward. Its width ends in the same column of a segment as the width of the
// real board, because kernels are compiled for that column. It has more than two windows of lanes.
// Its height is odd and not a multiple of its runs. The generations are not a multiple of a pass. A
// shorter side of the board keeps its length. Kernels for slabs step two slabs, the halves of one
// board. A board that is stepped in place is checked in place, in a few bands.
#include "engine/cuda/cuda_self_check.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "engine/cuda/cuda_slabs.h"
#include "engine/engine_interface.h"
#include "grid/facts.h"

enum {
    WIDE_SEGMENTS = 67, // three strips of 32 lanes that overlap unevenly
    FEW_SEGMENTS = 5,   // of a sphere, which is square; and if a tile is half a segment
    HEIGHT = 67,
    RUNS = 3,
    BAND_ROWS = 26, // three bands of unequal height; two in a half
    GENERATIONS = 41,
    ROUNDS = 8,
    HALF = 1 << 15,   // density of soups
    SPARSE = 1 << 12, // some tiles soon become inactive, and some are activated
    SLABS = 2,
    KINDS_REMEMBERED = 256,
};

static const uint64_t soup_seed = 0x5E1FC4EC;

// A kind of board that this process has checked.
typedef struct kind {
    uint64_t rule_id[2];
    lc_edge left, top;
    int last_columns; // of the last segment
    lc_cuda_plan plan;
    int device;
    bool settled, is_slab, in_place;
} kind;

static struct {
    pthread_mutex_t lock;
    kind kinds[KINDS_REMEMBERED];
    size_t count; // of all checks; the list has the last ones
} checked = {.lock = PTHREAD_MUTEX_INITIALIZER};

static kind kind_of(const lc_device *device, const lc_cuda_board *board, const lc_rule *rule,
                    const lc_cuda_plan *plan, bool settled)
{
    const lc_frame *f = &board->frame;
    kind k;
    memset(&k, 0, sizeof k); // kinds are compared as bytes
    memcpy(k.rule_id, lc_rule_traits(rule)->id, sizeof k.rule_id);
    k.left = f->left;
    k.top = f->is_slab ? LC_EDGE_OPEN : f->top; // walls of slabs are not compiled into kernels
    k.is_slab = f->is_slab;
    k.in_place = board->bands.count > 0;
    k.last_columns = (int)(f->width_cells % (32 * board->words));
    k.settled = settled;
    if (!settled) // rounds do not depend on the plan
        k.plan = *plan;
    k.plan.band_rows = 0; // bands of all heights use the same kernels
    k.device = lc_device_facts_of(device)->index;
    return k;
}

static bool is_checked(const kind *k)
{
    bool found = false;
    (void)pthread_mutex_lock(&checked.lock);
    for (size_t i = 0; i < checked.count && i < KINDS_REMEMBERED && !found; i++)
        found = memcmp(&checked.kinds[i], k, sizeof *k) == 0;
    (void)pthread_mutex_unlock(&checked.lock);
    return found;
}

static void remember(const kind *k)
{
    (void)pthread_mutex_lock(&checked.lock);
    checked.kinds[checked.count++ % KINDS_REMEMBERED] = *k;
    (void)pthread_mutex_unlock(&checked.lock);
}

// Finds the i-th surface with such edges to check, as large as the board itself. Returns false past
// the last. The engine does not know the surface of a board with open edges. So it checks surfaces
// that use nearly all abilities of the halo kernel.
static bool surface_at(const lc_frame *f, int i, lc_topology *t)
{
    const bool beside = f->left == LC_EDGE_OPEN, ends = f->top == LC_EDGE_OPEN;
    *t = (lc_topology){.width_cells = f->width_cells, .height_cells = f->height_cells};
    if (f->is_slab)
        t->height_cells = lc_least(2 * f->height_cells, HEIGHT);
    if (f->is_slab || (!beside && !ends)) {
        t->kind = f->left == LC_EDGE_WALL ? LC_TOPOLOGY_PLANE : LC_TOPOLOGY_TORUS;
    } else if (beside && ends) {
        t->kind = i == 0 ? LC_TOPOLOGY_CROSS_SURFACE : LC_TOPOLOGY_SPHERE;
    } else if (i == 0) {
        t->kind = LC_TOPOLOGY_KLEIN_BOTTLE;
        t->twist_x = ends;
        t->twist_y = beside;
    } else {
        t->kind = LC_TOPOLOGY_TORUS;
        t->shift_x_cells = ends ? t->width_cells / 3 : 0;
        t->shift_y_cells = beside ? t->height_cells / 3 : 0;
    }
    return i == 0 || (i == 1 && !f->is_slab && (beside || ends));
}

// Returns the same surface with awkward sides. A shorter side of the board keeps its length. Each
// side is cut by itself, because on a narrow board of full height the scalar engine would take
// seconds. Kernels for settled boards need many tiles: for them the function cuts both sides or
// neither.
static lc_topology awkward(lc_topology t, int words, bool settled)
{
    const int64_t segment = 32 * words, rest = t.width_cells % segment;
    const bool sphere = t.kind == LC_TOPOLOGY_SPHERE;
    const int64_t width = segment * (sphere || settled ? FEW_SEGMENTS : WIDE_SEGMENTS) + rest;
    if (sphere) { // as wide as the board, or a few segments and the rest
        t.height_cells = t.width_cells = lc_least(t.width_cells, width);
        return t;
    }
    const bool wide = width < t.width_cells, high = HEIGHT < t.height_cells;
    if (wide && (high || !settled)) {
        t.width_cells = width;
        t.shift_x_cells = t.shift_x_cells != 0 ? 29 : 0;
    }
    if (high && (wide || !settled)) {
        t.height_cells = HEIGHT;
        t.shift_y_cells = t.shift_y_cells != 0 ? 29 : 0;
    }
    return t;
}

// Both sides of the comparison.
typedef struct pair {
    lc_topology topology;
    const lc_rule *rule;
    lc_cuda_board boards[SLABS];
    int count;                // of boards: 1, or more for slabs
    lc_cuda_settled *settled; // NULL: a stepper steps the board
    lc_engine *scalar;
    size_t row_words;
    uint64_t *row, *other_row;
    uint64_t generation;
} pair;

// Returns the frame of the i-th board, and finds its first row.
static lc_frame frame_of(const pair *p, int i, int64_t *first_row)
{
    const lc_frame board = lc_frame_of(&p->topology);
    const int64_t end = board.height_cells * (i + 1) / p->count;
    *first_row = board.height_cells * i / p->count;
    return p->count == 1 ? board
                         : lc_frame_of_slab(&board, end - *first_row, i == 0, i == p->count - 1);
}

// Returns the board with row *y of the surface. *y becomes a row of that board.
static lc_cuda_board *board_at(pair *p, int64_t *y)
{
    int64_t first_row = 0;
    int i = p->count;
    do
        (void)frame_of(p, --i, &first_row);
    while (*y < first_row);
    *y -= first_row;
    return &p->boards[i];
}

static lc_status make_pair(pair *p, lc_device *device, lc_device_stream *stream,
                           const lc_cuda_board *like, uint32_t density, lc_pool *pool,
                           lc_message *message)
{
    const lc_engine_config config = {.rule = p->rule,
                                     .frame = lc_frame_of(&p->topology),
                                     .filler = lc_filler_of(&p->topology),
                                     .threads = lc_pool_threads(pool),
                                     .pool = pool};
    p->row_words = (size_t)(p->topology.width_cells + 63) / 64;
    p->row = lc_calloc(p->row_words, 2 * sizeof *p->row);
    if (p->row == NULL)
        return lc_fail_memory(message, "the GPU's self-check");
    p->other_row = p->row + p->row_words;
    lc_status status = lc_engine_scalar.create(&p->scalar, &config, message);
    for (int i = 0; i < p->count && status == LC_OK; i++) {
        int64_t first_row;
        const lc_frame frame = frame_of(p, i, &first_row);
        status = lc_cuda_board_create(&p->boards[i], device, stream, &frame, like->words,
                                      like->bands.count > 0 ? BAND_ROWS : 0, message);
        if (p->count == 1)
            p->boards[i].filler = lc_cuda_board_filler(&p->topology);
    }
    for (int64_t y = 0; y < p->topology.height_cells && status == LC_OK; y++) {
        const lc_cells row = lc_row_cells(0, y, p->topology.width_cells, p->row);
        lc_soup_row(soup_seed, density, 0, y, p->row, p->row_words);
        status = lc_engine_scalar.write(p->scalar, &row, message);
        int64_t own_y = y;
        lc_cuda_board *board = board_at(p, &own_y);
        if (status == LC_OK)
            status = lc_cuda_board_write_row(board, 0, own_y, row.width_cells, p->row, message);
    }
    return status;
}

static void free_pair(pair *p)
{
    lc_cuda_settled_destroy(&p->settled);
    for (int i = 0; i < p->count; i++)
        lc_cuda_board_destroy(&p->boards[i]);
    lc_engine_scalar.destroy(p->scalar);
    lc_free(p->row);
}

static lc_status step_slabs(pair *p, lc_cuda_stepper *stepper, uint64_t generations,
                            lc_message *message)
{
    lc_cuda_board *slabs[SLABS];
    lc_status status = LC_OK;
    uint64_t least = generations;
    for (int i = 0; i < p->count; i++) {
        slabs[i] = &p->boards[i];
        least =
            lc_least_u64(least, lc_rule_halo_generations(p->rule, slabs[i]->frame.height_cells));
    }
    for (uint64_t left = generations, pass; left > 0 && status == LC_OK; left -= pass) {
        pass = lc_cuda_stepper_pass_generations(stepper, lc_least_u64(least, left));
        status = lc_cuda_slabs_exchange(slabs, p->count, true,
                                        (int)lc_rule_halo_cells(p->rule, pass), message);
        for (int i = 0; i < p->count && status == LC_OK; i++)
            status = lc_cuda_stepper_make_pass(stepper, slabs[i], pass, message);
        for (int i = 0; i < p->count && status == LC_OK; i++)
            status = lc_cuda_stepper_end_pass(stepper, slabs[i], pass, message);
    }
    return status;
}

static lc_status step_pair(pair *p, lc_cuda_stepper *stepper, lc_message *message)
{
    const uint32_t runs = lc_cuda_stepper_plan(stepper)->runs;
    const uint64_t generations = p->settled != NULL ? ROUNDS * LC_SETTLED_GENERATIONS : GENERATIONS;
    lc_status status = LC_OK;
    for (int i = 0; i < p->count && status == LC_OK; i++)
        status = lc_cuda_board_prepare(&p->boards[i], message);
    lc_cuda_stepper_set_runs(stepper, RUNS);
    if (status == LC_OK && p->settled != NULL)
        status = lc_cuda_settled_run(p->settled, &p->boards[0], ROUNDS, message);
    else if (status == LC_OK && p->count > 1)
        status = step_slabs(p, stepper, generations, message);
    else if (status == LC_OK)
        status = lc_cuda_stepper_run(stepper, &p->boards[0], generations, message);
    lc_cuda_stepper_set_runs(stepper, runs);
    for (uint64_t left = generations, done; left > 0 && status == LC_OK; left -= done)
        status = lc_engine_scalar.step(p->scalar, left, &done, message);
    p->generation += generations;
    return status;
}

static lc_status differ(const pair *p, const char *what, lc_message *message)
{
    const lc_device_facts *facts = lc_device_facts_of(p->boards[0].device);
    char rule[LC_RULE_TEXT_BYTES];
    lc_rule_format(p->rule, &p->topology, rule);
    return lc_fail(message, LC_ERROR_MISMATCH,
                   "GPU %d (%s) fails its self-check: %s, soup, generation %llu: %s", facts->index,
                   facts->name, rule, (unsigned long long)p->generation, what);
}

static lc_status compare_cells(pair *p, lc_message *message)
{
    const int64_t width = p->topology.width_cells;
    for (int64_t y = 0; y < p->topology.height_cells; y++) {
        const lc_cells other = lc_row_cells(0, y, width, p->other_row);
        int64_t own_y = y;
        lc_cuda_board *board = board_at(p, &own_y);
        lc_status status = lc_cuda_board_read_row(board, 0, own_y, width, p->row, message);
        if (status == LC_OK)
            status = lc_engine_scalar.read(p->scalar, &other, message);
        if (status != LC_OK)
            return status;
        for (size_t i = 0; i < p->row_words; i++) {
            const uint64_t wrong = p->row[i] ^ p->other_row[i];
            if (wrong == 0)
                continue;
            const int bit = __builtin_ctzll(wrong);
            lc_message what;
            lc_fail(&what, LC_ERROR_MISMATCH, "cell (%lld, %lld) is %s instead of %s",
                    (long long)i * 64 + bit, (long long)y, p->row[i] >> bit & 1 ? "alive" : "dead",
                    p->row[i] >> bit & 1 ? "dead" : "alive");
            return differ(p, what.text, message);
        }
    }
    return LC_OK;
}

static bool same_box(lc_box a, lc_box b)
{
    return a.empty == b.empty && a.x == b.x && a.y == b.y && a.width_cells == b.width_cells &&
           a.height_cells == b.height_cells;
}

static lc_status compare_facts(pair *p, lc_message *message)
{
    lc_facts facts = {.box = {.empty = true}}, right;
    lc_status status = LC_OK;
    for (int i = 0; i < p->count && status == LC_OK; i++) {
        int64_t first_row;
        lc_facts some = {0};
        (void)frame_of(p, i, &first_row);
        status = lc_cuda_board_facts(&p->boards[i], &some, message);
        some = lc_facts_moved(&some, 0, first_row);
        facts = lc_facts_joined(&facts, &some);
    }
    if (status == LC_OK)
        status = lc_engine_scalar.facts(p->scalar, LC_FACT_ALL, &right, message);
    if (status != LC_OK)
        return status;
    if (lc_count_compare(facts.population, right.population) != 0)
        return differ(p, "the population is wrong", message);
    if (!same_box(facts.box, right.box))
        return differ(p, "the bounding box is wrong", message);
    if (facts.hash != right.hash)
        return differ(p, "the hash is wrong", message);
    return LC_OK;
}

// Runs the check on one surface.
static lc_status check_on(const lc_topology *topology, lc_cuda_stepper *stepper,
                          const lc_cuda_board *board, const lc_rule *rule, bool settled,
                          lc_pool *pool, lc_message *message)
{
    pair p = {.topology = *topology, .rule = rule, .count = board->frame.is_slab ? SLABS : 1};
    lc_status status =
        make_pair(&p, board->device, board->stream, board, settled ? SPARSE : HALF, pool, message);
    if (status == LC_OK && settled)
        status = lc_cuda_settled_create(&p.settled, &p.boards[0], stepper, topology, message);
    if (status == LC_OK)
        status = step_pair(&p, stepper, message);
    // Facts are compared before rows are read, because either moves drifted cells back. A wrong
    // cell is reported rather than wrong facts.
    if (status == LC_OK)
        status = compare_facts(&p, message);
    if (status == LC_OK || status == LC_ERROR_MISMATCH) {
        lc_status cells = compare_cells(&p, message);
        status = cells != LC_OK ? cells : status;
    }
    free_pair(&p);
    return status;
}

static lc_status check(lc_cuda_stepper *stepper, const lc_cuda_board *board, const lc_rule *rule,
                       bool settled, lc_pool *pool, lc_message *message)
{
    const lc_cuda_plan *plan = lc_cuda_stepper_plan(stepper);
    const kind k = kind_of(board->device, board, rule, plan, settled);
    lc_status status = LC_OK;
    lc_topology t;
    if (is_checked(&k))
        return LC_OK;
    for (int i = 0; status == LC_OK && surface_at(&board->frame, i, &t); i++) {
        const lc_topology surface = awkward(t, board->words, settled);
        const lc_frame frame = lc_frame_of(&surface);
        // A sphere as high as the board is wide may be too low for the plan. Without its shift, a
        // torus one cell wide is the same surface as before.
        if (i == 0 || (lc_cuda_plan_check(plan, &frame, NULL) == LC_OK &&
                       lc_frame_is_open(&frame) == lc_frame_is_open(&board->frame)))
            status = check_on(&surface, stepper, board, rule, settled, pool, message);
    }
    if (status == LC_OK)
        remember(&k);
    return status;
}

lc_status lc_cuda_self_check(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                             const lc_rule *rule, lc_pool *pool, lc_message *message)
{
    return check(stepper, board, rule, false, pool, message);
}

lc_status lc_cuda_self_check_settled(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                                     const lc_rule *rule, lc_pool *pool, lc_message *message)
{
    return check(stepper, board, rule, true, pool, message);
}
