// The scalar engine: one byte a cell, no optimisations. It is the reference for the other engines.
//
// Two boards of bytes, the states of the cells, each with a border one cell wide:
//
//     b b b b b b
//     b c c c c b      c: cell (x, y), at bytes[(y + 1) * pitch + x + 1]
//     b c c c c b      b: border, a halo one cell deep
//     b b b b b b
//
// A generation first fills the border of `cells`, a byte at a time. Then it makes a number of each
// cell and its eight neighbours, which are 1 if they are alive, looks up whether the cell is born
// or survives, and writes the next state into `next`. On a tiny board a cell may be its own
// neighbour, or a neighbour on two sides; it counts each time.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "engine/engine_interface.h"
#include "grid/cell_hash.h"
#include "grid/planes.h"
#include "grid/topology.h"
#include "rule/rule_value.h"

enum {
    BAND_ROWS = 32,     // rows of a task
    TWO_COLUMNS = 0x1b6 // mask of the two left columns of a shifted neighbourhood
};

typedef struct scalar {
    lc_engine base;
    lc_engine_config config;
    size_t width, height, pitch;
    size_t board_bytes;
    uint8_t *cells;
    uint8_t *next;
    int planes;
    uint8_t comes_alive[512];        // lc_rule_next of each neighbourhood
    uint8_t is_alive[LC_STATES_MAX]; // bits of a cell: 1 is alive, 2 kills (of rules with history)
    // By state, and whether the cell comes alive and is killed.
    uint8_t next_state[LC_STATES_MAX][2][2];
} scalar;

static uint8_t *cell_at(const scalar *s, int64_t x, int64_t y)
{
    return s->cells + (size_t)(y + 1) * s->pitch + (size_t)(x + 1);
}

// Computes the size of one board with its border. Returns false if that overflows.
static bool board_bytes(const lc_frame *frame, size_t *size_bytes)
{
    size_t columns, rows;
    return frame->width_cells >= 1 && frame->height_cells >= 1 &&
           lc_add_size((size_t)frame->width_cells, 2, &columns) &&
           lc_add_size((size_t)frame->height_cells, 2, &rows) &&
           lc_mul_size(columns, rows, size_bytes);
}

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    size_t board;
    (void)message;
    if (!board_bytes(&config->frame, &board) || !lc_mul_u64(board, 2, memory_bytes) ||
        *memory_bytes > PTRDIFF_MAX)
        *memory_bytes = UINT64_MAX;
    return LC_OK;
}

static void destroy(lc_engine *engine)
{
    scalar *s = (scalar *)engine;
    if (s == NULL)
        return;
    lc_context_free(s->config.context, s->cells, s->board_bytes);
    lc_context_free(s->config.context, s->next, s->board_bytes);
    lc_free(s);
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    scalar *s = (scalar *)engine;
    if (then != NULL)
        return false;
    const lc_traits *traits = lc_rule_traits(rule);
    s->config.rule = rule;
    s->planes = traits->planes;
    for (unsigned neighbourhood = 0; neighbourhood < sizeof s->comes_alive; neighbourhood++)
        s->comes_alive[neighbourhood] = lc_rule_next(rule, neighbourhood);
    const bool has_history = traits->family == LC_FAMILY_HISTORY;
    for (int state = 0; state < LC_STATES_MAX; state++) {
        s->is_alive[state] = (uint8_t)(lc_rule_is_alive(rule, state) |
                                       (has_history && state == LC_HISTORY_KILLS) << 1);
        for (int i = 0; i < 4; i++)
            s->next_state[state][i / 2][i % 2] =
                (uint8_t)lc_rule_next_state(rule, state, i / 2 != 0, i % 2 != 0);
    }
    return true;
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    *out = NULL;
    uint64_t size_bytes;
    (void)check(config, &size_bytes, message);
    if (size_bytes == UINT64_MAX)
        return lc_fail(message, LC_ERROR_LIMIT, "a board of %lld x %lld cells is too large",
                       (long long)config->frame.width_cells, (long long)config->frame.height_cells);
    if (config->cpu_level != NULL && strcmp(config->cpu_level, "auto") != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the scalar engine has no CPU levels, so not \"%s\" either",
                       config->cpu_level);
    scalar *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "an engine");
    s->base.vtable = &lc_engine_scalar;
    s->config = *config;
    set_rule(&s->base, config->rule, NULL);
    s->width = (size_t)config->frame.width_cells;
    s->height = (size_t)config->frame.height_cells;
    s->pitch = s->width + 2;
    s->board_bytes = (size_t)(size_bytes / 2);
    s->cells = lc_context_alloc(config->context, s->board_bytes);
    s->next = lc_context_alloc(config->context, s->board_bytes);
    if (s->cells == NULL || s->next == NULL) {
        destroy(&s->base);
        return lc_fail_memory(message, "two boards of %zu bytes", (size_t)(size_bytes / 2));
    }
    *out = &s->base;
    return LC_OK;
}

static lc_status read_cells(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    (void)message;
    for (int64_t j = 0; j < to->height_cells; j++)
        lc_cells_pack(to, j, cell_at((const scalar *)engine, to->x, to->y + j));
    return LC_OK;
}

// Writes cells of the block, or of its border.
static lc_status write_cells(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    (void)message;
    for (int64_t j = 0; j < from->height_cells; j++)
        lc_cells_unpack(from, j, cell_at((const scalar *)engine, from->x, from->y + j));
    return LC_OK;
}

// Fills the whole border by the topology: if one edge is open, all of the border may be needed.
static lc_status fill_halo(lc_engine *engine, const lc_topology *topology, int64_t depth_cells,
                           lc_message *message)
{
    scalar *s = (scalar *)engine;
    const int64_t width = (int64_t)s->width, height = (int64_t)s->height;
    (void)depth_cells; // 1
    (void)message;
    for (int64_t y = -1; y <= height; y++) {
        const int64_t stride = y < 0 || y == height ? 1 : width + 1;
        for (int64_t x = -1; x <= width; x += stride) {
            int64_t from_x = x, from_y = y;
            const bool shown = lc_topology_map(topology, &from_x, &from_y);
            *cell_at(s, x, y) = shown ? *cell_at(s, from_x, from_y) : 0;
        }
    }
    return LC_OK;
}

// Fills the border beyond walls and joined edges.
static void fill_own(scalar *s)
{
    const lc_frame *f = &s->config.frame;
    const int64_t width = (int64_t)s->width, height = (int64_t)s->height;
    for (int64_t y = -1; y <= height; y++) {
        const bool outside = y < 0 || y == height;
        const lc_edge across = y < 0 ? f->top : f->bottom;
        if (outside && across == LC_EDGE_OPEN)
            continue;
        for (int64_t x = -1; x <= width; x += outside ? 1 : width + 1) {
            const bool wall = (outside && across == LC_EDGE_WALL) ||
                              (x < 0 && f->left == LC_EDGE_WALL) ||
                              (x == width && f->right == LC_EDGE_WALL);
            *cell_at(s, x, y) =
                wall ? 0 : *cell_at(s, lc_floor_mod(x, width), lc_floor_mod(y, height));
        }
    }
}

// Fills the border: the engine fills it beyond its own edges, and the filler beyond open ones.
static lc_status surround(scalar *s, lc_message *message)
{
    const lc_frame *f = &s->config.frame;
    const lc_filler *filler = &s->config.filler;
    if (f->left != LC_EDGE_OPEN)
        fill_own(s);
    return lc_frame_is_open(f) ? filler->call(filler->context, &s->base, 1, message) : LC_OK;
}

static void step_two_states(const scalar *s, size_t begin, size_t end)
{
    const size_t pitch = s->pitch;
    for (size_t y = begin; y < end; y++) {
        // The three rows begin one cell left of the board.
        const uint8_t *above = s->cells + y * pitch, *here = above + pitch, *below = here + pitch;
        uint8_t *next = s->next + (y + 1) * pitch + 1;
        unsigned neighbourhood = (unsigned)(above[0] << 7 | above[1] << 6 | here[0] << 4 |
                                            here[1] << 3 | below[0] << 1 | below[1]);
        for (size_t x = 0; x < s->width; x++) {
            neighbourhood = (neighbourhood << 1 & TWO_COLUMNS) |
                            (unsigned)(above[x + 2] << 6 | here[x + 2] << 3 | below[x + 2]);
            next[x] = s->comes_alive[neighbourhood];
        }
    }
}

static void step_states(const scalar *s, size_t begin, size_t end)
{
    const int64_t pitch = (int64_t)s->pitch;
    for (size_t y = begin; y < end; y++) {
        const uint8_t *here = s->cells + (y + 1) * s->pitch + 1;
        uint8_t *next = s->next + (y + 1) * s->pitch + 1;
        for (size_t x = 0; x < s->width; x++) {
            unsigned alive = 0, kills = 0; // the neighbourhood, and whether a cell of it kills
            for (int i = 0; i < 9; i++) {
                const uint8_t bits = s->is_alive[(here + x)[(i / 3 - 1) * pitch + i % 3 - 1]];
                alive = alive << 1 | (bits & 1u);
                kills |= bits >> 1;
            }
            next[x] = s->next_state[here[x]][s->comes_alive[alive]][kills];
        }
    }
}

static void step_band(void *context, size_t index, int worker)
{
    (void)worker;
    const scalar *s = context;
    const size_t begin = index * BAND_ROWS;
    const size_t end = begin + BAND_ROWS < s->height ? begin + BAND_ROWS : s->height;
    if (s->planes == 1)
        step_two_states(s, begin, end);
    else
        step_states(s, begin, end);
}

static uint64_t pass_generations(const lc_engine *engine, uint64_t generations)
{
    (void)engine;
    (void)generations;
    return 1;
}

static lc_status make_pass(lc_engine *engine, uint64_t generations, lc_message *message)
{
    scalar *s = (scalar *)engine;
    (void)generations; // 1
    const lc_status status = surround(s, message);
    if (status == LC_OK)
        lc_pool_run(s->config.pool, (s->height + BAND_ROWS - 1) / BAND_ROWS, step_band, s);
    return status;
}

static void end_pass(lc_engine *engine)
{
    scalar *s = (scalar *)engine;
    uint8_t *old = s->cells;
    s->cells = s->next;
    s->next = old;
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    *done = 0;
    if (generations == 0)
        return LC_OK;
    const lc_status status = make_pass(engine, 1, message);
    if (status != LC_OK)
        return status;
    end_pass(engine);
    *done = 1;
    return LC_OK;
}

static uint64_t population(const scalar *s)
{
    uint64_t sum = 0;
    for (size_t y = 0; y < s->height; y++) {
        const uint8_t *row = cell_at(s, 0, (int64_t)y);
        for (size_t x = 0; x < s->width; x++)
            sum += row[x] != 0;
    }
    return sum;
}

static lc_box bounding_box(const scalar *s)
{
    size_t left = s->width, right = 0, top = s->height, bottom = 0; // inclusive
    for (size_t y = 0; y < s->height; y++) {
        const uint8_t *row = cell_at(s, 0, (int64_t)y);
        size_t first = 0, last = s->width - 1;
        while (first < last && row[first] == 0)
            first++;
        while (last > first && row[last] == 0)
            last--;
        if (row[first] == 0)
            continue;
        if (first < left)
            left = first;
        if (last > right)
            right = last;
        if (y < top)
            top = y;
        bottom = y;
    }
    if (top == s->height)
        return (lc_box){.empty = true};
    return (lc_box){.x = (int64_t)left,
                    .y = (int64_t)top,
                    .width_cells = (int64_t)(right - left + 1),
                    .height_cells = (int64_t)(bottom - top + 1)};
}

static uint64_t hash_of_plane(const scalar *s, int plane)
{
    uint64_t hash = 0;
    for (int64_t y = (int64_t)s->height - 1; y >= 0; y--) {
        uint64_t row = 0;
        for (int64_t x = ((int64_t)s->width - 1) & ~INT64_C(63); x >= 0; x -= 64) {
            const int64_t rest = (int64_t)s->width - x;
            uint64_t words[LC_PLANES_MAX];
            const lc_cells cells = lc_span_cells(x, y, rest < 64 ? rest : 64, s->planes, words);
            lc_cells_pack(&cells, 0, cell_at(s, x, y));
            row = lc_hash_words(&words[plane], 1, row);
        }
        hash = lc_hash_below(row, hash);
    }
    return hash;
}

static uint64_t hash(const scalar *s)
{
    uint64_t hash = 0;
    for (int plane = s->planes - 1; plane >= 0; plane--)
        hash = lc_hash_of_planes(hash_of_plane(s, plane), hash);
    return hash;
}

static lc_status facts(lc_engine *engine, unsigned which, lc_facts *facts, lc_message *message)
{
    const scalar *s = (const scalar *)engine;
    (void)message;
    *facts = (lc_facts){.box = {.empty = true}};
    if ((which & LC_FACT_POPULATION) != 0)
        facts->population = lc_count_of(population(s));
    if ((which & LC_FACT_BOX) != 0)
        facts->box = bounding_box(s);
    if ((which & LC_FACT_HASH) != 0)
        facts->hash = hash(s);
    return LC_OK;
}

static const lc_board_ops board = {
    .fill_halo = fill_halo,
    .pass_generations = pass_generations,
    .make_pass = make_pass,
    .end_pass = end_pass,
};

const lc_engine_vtable lc_engine_scalar = {
    .name = "scalar",
    .summary = "dense, one byte per cell, no optimisations: the reference",
    .reason = "slow, for checking the other engines",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC) | LC_FAMILY_BIT(LC_FAMILY_MAP) |
                           LC_FAMILY_BIT(LC_FAMILY_GENERATIONS) | LC_FAMILY_BIT(LC_FAMILY_HISTORY),
               .states_max = LC_STATES_MAX,
               .planes_max = LC_PLANES_MAX,
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
    .board = &board,
};
