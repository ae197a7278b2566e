// The self-check of kernels: one awkward board, on the GPU and by the scalar engine.
//
// Awkward: a width that ends in the same column of a segment as the board's own, which kernels are
// compiled for, more than two windows of lanes and several runs of rows that do not divide it, an
// odd height, and a number of generations that is no multiple of a pass. A board smaller than that
// is checked at its own size.
#include "engine/cuda/self_check.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    WIDE_SEGMENTS = 67, // three strips of 32 lanes that overlap, and not evenly
    SPHERE_SEGMENTS = 5,
    HEIGHT = 67,
    RUNS = 3,
    GENERATIONS = 41,
    KINDS_REMEMBERED = 256,
};

static const uint64_t soup_seed = 0x5E1FC4EC;

// What has been checked in this process.
typedef struct kind {
    lc_rule rule;
    lc_topology_kind topology;
    bool shifted;
    int last_columns; // of the last segment
    lc_cuda_plan plan;
    int device;
} kind;

static struct {
    pthread_mutex_t lock;
    kind kinds[KINDS_REMEMBERED];
    size_t count; // of all checks; the list keeps the last of them
} checked = {.lock = PTHREAD_MUTEX_INITIALIZER};

static kind kind_of(const lc_device *device, const lc_cuda_board *board, const lc_rule *rule,
                    const lc_cuda_plan *plan)
{
    const lc_topology *t = &board->topology;
    kind k;
    memset(&k, 0, sizeof k); // kinds are compared as bytes
    k.rule = *rule;
    k.topology = t->kind;
    k.shifted = t->shift_x_cells != 0 || t->shift_y_cells != 0;
    k.last_columns = (int)(t->width_cells % (32 * board->words));
    k.plan = *plan;
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

static lc_topology awkward(const lc_cuda_board *board)
{
    lc_topology t = board->topology;
    const int64_t segment = 32 * board->words;
    const bool sphere = t.kind == LC_TOPOLOGY_SPHERE;
    int64_t width = segment * (sphere ? SPHERE_SEGMENTS : WIDE_SEGMENTS) + t.width_cells % segment;
    int64_t height = sphere ? width : HEIGHT;
    if (t.kind == LC_TOPOLOGY_KLEIN_BOTTLE && t.shift_x_cells != 0 && width % 2 != 0)
        width++; // a twisted edge is shifted only if it is even
    if (t.kind == LC_TOPOLOGY_KLEIN_BOTTLE && t.shift_y_cells != 0)
        height++;
    if (width > t.width_cells || height > t.height_cells)
        return t;
    t.width_cells = width;
    t.height_cells = height;
    if (t.shift_x_cells != 0)
        t.shift_x_cells = t.kind == LC_TOPOLOGY_KLEIN_BOTTLE ? 1 : 29;
    if (t.shift_y_cells != 0)
        t.shift_y_cells = t.kind == LC_TOPOLOGY_KLEIN_BOTTLE ? 1 : 29;
    return t;
}

// Both sides of the comparison.
typedef struct pair {
    lc_topology topology;
    lc_rule rule;
    lc_cuda_board board;
    lc_engine *scalar;
    size_t row_words;
    uint64_t *row, *other_row;
    uint64_t generation;
} pair;

static lc_status make_pair(pair *p, lc_device *device, lc_device_stream *stream,
                           const lc_cuda_board *like, lc_pool *pool, lc_message *message)
{
    const lc_engine_config config = {.rule = p->rule,
                                     .frame = lc_frame_of(&p->topology),
                                     .filler = lc_filler_of(&p->topology),
                                     .threads = lc_pool_threads(pool),
                                     .pool = pool};
    p->row_words = (size_t)(p->topology.width_cells + 63) / 64;
    p->row = lc_calloc(p->row_words, 2 * sizeof *p->row);
    if (p->row == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for the GPU's self-check");
    p->other_row = p->row + p->row_words;
    lc_status status = lc_engine_scalar.create(&p->scalar, &config, message);
    if (status == LC_OK)
        status =
            lc_cuda_board_create(&p->board, device, stream, &p->topology, like->words, message);
    for (int64_t y = 0; y < p->topology.height_cells && status == LC_OK; y++) {
        const lc_cells row = lc_row_cells(0, y, p->topology.width_cells, p->row);
        lc_soup_row(soup_seed, 1 << 15, 0, y, p->row, p->row_words);
        status = lc_engine_scalar.write(p->scalar, &row, message);
        if (status == LC_OK)
            status = lc_cuda_board_write_row(&p->board, 0, y, row.width_cells, p->row, message);
    }
    return status;
}

static void free_pair(pair *p)
{
    lc_cuda_board_destroy(&p->board);
    lc_engine_scalar.destroy(p->scalar);
    lc_free(p->row);
}

static lc_status step_pair(pair *p, lc_cuda_stepper *stepper, uint64_t generations,
                           lc_message *message)
{
    const uint32_t runs = lc_cuda_stepper_plan(stepper)->runs;
    lc_status status = lc_cuda_board_prepare(&p->board, message);
    lc_cuda_stepper_set_runs(stepper, RUNS);
    if (status == LC_OK)
        status = lc_cuda_stepper_run(stepper, &p->board, generations, message);
    lc_cuda_stepper_set_runs(stepper, runs);
    for (uint64_t left = generations, done; left > 0 && status == LC_OK; left -= done)
        status = lc_engine_scalar.step(p->scalar, left, &done, message);
    p->generation += generations;
    return status;
}

static lc_status differ(const pair *p, const char *what, lc_message *message)
{
    const lc_device_facts *facts = lc_device_facts_of(p->board.device);
    char rule[LC_RULE_TEXT_BYTES];
    lc_rule_format(&p->rule, &p->topology, rule);
    return lc_fail(message, LC_ERROR_MISMATCH,
                   "GPU %d (%s) fails its self-check: %s, soup, generation %llu: %s", facts->index,
                   facts->name, rule, (unsigned long long)p->generation, what);
}

static lc_status compare_cells(pair *p, lc_message *message)
{
    const int64_t width = p->topology.width_cells;
    for (int64_t y = 0; y < p->topology.height_cells; y++) {
        const lc_cells other = lc_row_cells(0, y, width, p->other_row);
        lc_status status = lc_cuda_board_read_row(&p->board, 0, y, width, p->row, message);
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
    lc_facts facts, right;
    lc_status status = lc_cuda_board_facts(&p->board, &facts, message);
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

lc_status lc_cuda_self_check(lc_cuda_stepper *stepper, const lc_cuda_board *board,
                             const lc_rule *rule, lc_pool *pool, lc_message *message)
{
    const kind k = kind_of(board->device, board, rule, lc_cuda_stepper_plan(stepper));
    if (is_checked(&k))
        return LC_OK;
    pair p = {.topology = awkward(board), .rule = *rule};
    lc_status status = make_pair(&p, board->device, board->stream, board, pool, message);
    if (status == LC_OK)
        status = step_pair(&p, stepper, GENERATIONS, message);
    // Facts before rows are read, since both settle the cells; but a wrong cell is the better news.
    if (status == LC_OK)
        status = compare_facts(&p, message);
    if (status == LC_OK || status == LC_ERROR_MISMATCH) {
        lc_status cells = compare_cells(&p, message);
        status = cells != LC_OK ? cells : status;
    }
    if (status == LC_OK)
        remember(&k);
    free_pair(&p);
    return status;
}
