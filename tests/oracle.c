// The oracle (see oracle.h). It is written to be read, not to be fast: a table with the next state
// for each 3 x 3 square of cells, and nothing else.
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "oracle: out of memory\n");
        exit(2);
    }
    return memory;
}

// Of a column of three cells the upper one counts 4, the middle one 2 and the lower one 1; of a
// square the left column counts 64, the middle one 8 and the right one 1.
enum { SQUARES = 512 };

static int cell_of(int square, int x, int y) // 0 .. 2 each
{
    return square >> (3 * (2 - x) + 2 - y) & 1;
}

static uint8_t next_state(const oracle_rule *rule, int square)
{
    int live = 0, case_of_map = 0;
    for (int y = 0; y < 3; y++) {
        for (int x = 0; x < 3; x++) {
            live += cell_of(square, x, y);
            case_of_map = 2 * case_of_map + cell_of(square, x, y);
        }
    }
    if (rule->is_map)
        return rule->table[case_of_map / 8] >> (7 - case_of_map % 8) & 1;
    if (cell_of(square, 1, 1))
        return rule->survival >> (live - 1) & 1;
    return rule->birth >> live & 1;
}

static void next_states(const oracle_rule *rule, uint8_t next[SQUARES])
{
    for (int square = 0; square < SQUARES; square++)
        next[square] = next_state(rule, square);
}

static int64_t wrap(int64_t value, int64_t size)
{
    int64_t rest = value % size;
    return rest < 0 ? rest + size : rest;
}

// Golly joins twisted edges with a shift of one whatever shift was asked for, and only where the
// edge has an even number of cells: every other shift is the same surface seen from another cell.
static int64_t klein_shift(const lc_topology *topology)
{
    if (topology->twist_x)
        return topology->shift_x_cells != 0 && topology->width_cells % 2 == 0 ? 1 : 0;
    return topology->shift_y_cells != 0 && topology->height_cells % 2 == 0 ? 1 : 0;
}

// A Klein bottle's twisted edge, `size` cells long: the cell joined to the border cell at `place`,
// which is -1 or size at the corners (a corner is joined along the untwisted edge first).
static int64_t twisted(int64_t place, int64_t size, int64_t shift)
{
    return wrap(size - 1 - wrap(place, size) - shift, size);
}

bool oracle_ring(const lc_topology *topology, int64_t *x, int64_t *y)
{
    const int64_t w = topology->width_cells, h = topology->height_cells;
    const bool beside = *x < 0 || *x >= w, above = *y < 0 || *y >= h;
    if (!beside && !above)
        return true;
    const int64_t far_x = *x < 0 ? w - 1 : 0, near_x = w - 1 - far_x;
    const int64_t far_y = *y < 0 ? h - 1 : 0, near_y = h - 1 - far_y;

    switch (topology->kind) {
    case LC_TOPOLOGY_PLANE:
        return false;
    case LC_TOPOLOGY_TORUS: { // at most one of the shifts is not zero
        const int64_t shift_x = above ? topology->shift_x_cells : 0;
        const int64_t shift_y = beside ? topology->shift_y_cells : 0;
        const int64_t from_x = *y < 0 ? *x - shift_x : *x + shift_x;
        const int64_t from_y = *x < 0 ? *y - shift_y : *y + shift_y;
        *x = wrap(from_x, w);
        *y = wrap(from_y, h);
        return true;
    }
    case LC_TOPOLOGY_KLEIN_BOTTLE:
        if (topology->twist_x) {
            *x = above ? twisted(*x, w, klein_shift(topology)) : far_x;
            *y = above ? far_y : *y;
        } else {
            *y = beside ? twisted(*y, h, klein_shift(topology)) : far_y;
            *x = beside ? far_x : *x;
        }
        return true;
    case LC_TOPOLOGY_CROSS_SURFACE:
        if (beside && above) { // each corner is its own neighbour
            *x = near_x;
            *y = near_y;
        } else if (above) {
            *x = w - 1 - *x;
            *y = far_y;
        } else {
            *y = h - 1 - *y;
            *x = far_x;
        }
        return true;
    case LC_TOPOLOGY_SPHERE:
        if (beside && above) {
            *x = near_x;
            *y = near_y;
        } else if (above) { // the top shows the left edge, the bottom the right edge
            int64_t along = *x;
            *x = near_y; // square: 0 at the top, w - 1 at the bottom
            *y = along;
        } else { // the left shows the top edge, the right the bottom edge
            int64_t along = *y;
            *y = near_x;
            *x = along;
        }
        return true;
    }
    return false;
}

// Crosses one of the edges that (x, y) is beyond: the isometry that joins that edge to its partner,
// applied to the whole plane. False if no edge is crossed any more.
static bool cross_edge(const lc_topology *topology, int64_t *x, int64_t *y)
{
    const int64_t w = topology->width_cells, h = topology->height_cells;
    const int64_t old_x = *x, old_y = *y;
    const bool up = h != 0 && old_y < 0, down = h != 0 && old_y >= h;
    const bool left = w != 0 && old_x < 0, right = w != 0 && old_x >= w;
    if (!up && !down && !left && !right)
        return false;

    if (topology->kind == LC_TOPOLOGY_SPHERE) {
        if (left) { // a quarter turn about the top left corner, and back
            *x = old_y;
            *y = -1 - old_x;
        } else if (up) {
            *x = -1 - old_y;
            *y = old_x;
        } else if (right) { // about the bottom right corner
            *x = old_y;
            *y = 2 * w - 1 - old_x;
        } else {
            *x = 2 * w - 1 - old_y;
            *y = old_x;
        }
        return true;
    }
    const bool cross = topology->kind == LC_TOPOLOGY_CROSS_SURFACE;
    if (up || down) {
        *y = up ? old_y + h : old_y - h;
        if (cross)
            *x = w - 1 - old_x;
        else if (topology->twist_x)
            *x = w - 1 - klein_shift(topology) - old_x;
        else if (topology->kind == LC_TOPOLOGY_TORUS)
            *x = up ? old_x - topology->shift_x_cells : old_x + topology->shift_x_cells;
    } else {
        *x = left ? old_x + w : old_x - w;
        if (cross)
            *y = h - 1 - old_y;
        else if (topology->twist_y)
            *y = h - 1 - klein_shift(topology) - old_y;
        else if (topology->kind == LC_TOPOLOGY_TORUS)
            *y = left ? old_y - topology->shift_y_cells : old_y + topology->shift_y_cells;
    }
    return true;
}

bool oracle_unfold(const lc_topology *topology, int64_t *x, int64_t *y)
{
    if (topology->kind == LC_TOPOLOGY_PLANE) {
        const int64_t w = topology->width_cells, h = topology->height_cells;
        return (w == 0 || (*x >= 0 && *x < w)) && (h == 0 || (*y >= 0 && *y < h));
    }
    while (cross_edge(topology, x, y)) {
    }
    return true;
}

static size_t place(const oracle *board, int64_t x, int64_t y)
{
    return (size_t)(y + 1) * board->pitch + (size_t)(x + 1);
}

static void add_ring_cell(oracle *board, int64_t x, int64_t y)
{
    board->ring_to[board->ring_count] = place(board, x, y);
    bool shown = oracle_ring(&board->topology, &x, &y);
    board->ring_from[board->ring_count] = shown ? place(board, x, y) : SIZE_MAX;
    board->ring_count++;
}

oracle *oracle_create(int64_t width, int64_t height, oracle_rule rule, const lc_topology *topology)
{
    oracle *board = must(calloc(1, sizeof *board));
    board->width = width;
    board->height = height;
    board->rule = rule;
    board->topology = *topology;
    board->pitch = (size_t)width + 2;
    const size_t size = board->pitch * ((size_t)height + 2);
    const size_t ring = 2 * ((size_t)width + (size_t)height) + 4;
    board->cells = must(calloc(size, 1));
    board->next = must(calloc(size, 1));
    board->ring_to = must(calloc(ring, sizeof *board->ring_to));
    board->ring_from = must(calloc(ring, sizeof *board->ring_from));
    for (int64_t x = -1; x <= width; x++) {
        add_ring_cell(board, x, -1);
        add_ring_cell(board, x, height);
    }
    for (int64_t y = 0; y < height; y++) {
        add_ring_cell(board, -1, y);
        add_ring_cell(board, width, y);
    }
    return board;
}

void oracle_destroy(oracle *board)
{
    if (board == NULL)
        return;
    free(board->cells);
    free(board->next);
    free(board->ring_to);
    free(board->ring_from);
    free(board);
}

// Steps `width` cells: `above`, `here`, `below` point at the first of them in three rows, and the
// cells on both sides of the rows are read too.
static void step_row(const uint8_t next[SQUARES], const uint8_t *above, const uint8_t *here,
                     const uint8_t *below, uint8_t *out, int64_t width)
{
    int left = 4 * above[-1] + 2 * here[-1] + below[-1];
    int middle = 4 * above[0] + 2 * here[0] + below[0];
    for (int64_t x = 0; x < width; x++) {
        const int right = 4 * above[x + 1] + 2 * here[x + 1] + below[x + 1];
        out[x] = next[64 * left + 8 * middle + right];
        left = middle;
        middle = right;
    }
}

// The same for cells of more than two states.
static void step_states(const oracle_rule *rule, const uint8_t next[SQUARES], const uint8_t *here,
                        size_t pitch, uint8_t *out, int64_t width)
{
    for (int64_t x = 0; x < width; x++) {
        int square = 0;
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
                square = 2 * square + (here[x + i + j * (int64_t)pitch] == 1);
        const int state = here[x], older = (state + 1) % rule->states;
        out[x] = (uint8_t)(state > 1 || (state == 1 && !next[square]) ? older : next[square]);
    }
}

// The same for a rule with history.
static uint8_t next_with_history(uint8_t state, bool lives, bool beside_6)
{
    switch (state) {
    case 0:
    case 2:
        return lives ? 1 : state;
    case 1:
        return lives && !beside_6 ? 1 : 2;
    case 3:
    case 5:
        return lives && !beside_6 ? state : 4;
    case 4:
        return lives ? 3 : 4;
    default:
        return 6;
    }
}

static void step_history(const uint8_t next[SQUARES], const uint8_t *here, size_t pitch,
                         uint8_t *out, int64_t width)
{
    for (int64_t x = 0; x < width; x++) {
        int square = 0;
        bool beside_6 = false;
        for (int i = -1; i <= 1; i++) {
            for (int j = -1; j <= 1; j++) {
                const uint8_t cell = here[x + i + j * (int64_t)pitch];
                square = 2 * square + (cell == 1 || cell == 3 || cell == 5);
                beside_6 |= cell == 6;
            }
        }
        out[x] = next_with_history(here[x], next[square], beside_6);
    }
}

void oracle_step(oracle *board, uint64_t generations)
{
    uint8_t next[SQUARES];
    next_states(&board->rule, next);
    for (uint64_t g = 0; g < generations; g++) {
        for (size_t i = 0; i < board->ring_count; i++) {
            size_t from = board->ring_from[i];
            board->cells[board->ring_to[i]] = from == SIZE_MAX ? 0 : board->cells[from];
        }
        for (int64_t y = 0; y < board->height; y++) {
            const uint8_t *here = oracle_row(board, y);
            uint8_t *out = board->next + place(board, 0, y);
            if (board->rule.has_history)
                step_history(next, here, board->pitch, out, board->width);
            else if (board->rule.states > 2)
                step_states(&board->rule, next, here, board->pitch, out, board->width);
            else
                step_row(next, here - board->pitch, here, here + board->pitch, out, board->width);
        }
        uint8_t *old = board->cells;
        board->cells = board->next;
        board->next = old;
    }
}

uint64_t oracle_population(const oracle *board)
{
    uint64_t population = 0;
    for (int64_t y = 0; y < board->height; y++)
        for (int64_t x = 0; x < board->width; x++)
            population += oracle_row(board, y)[x] != 0;
    return population;
}

lc_box oracle_bounding_box(const oracle *board)
{
    int64_t left = board->width, right = -1, top = -1, bottom = -1;
    for (int64_t y = 0; y < board->height; y++) {
        for (int64_t x = 0; x < board->width; x++) {
            if (oracle_row(board, y)[x] == 0)
                continue;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = top < 0 ? y : top;
            bottom = y;
        }
    }
    if (bottom < 0)
        return (lc_box){.empty = true};
    return (lc_box){false, left, top, right - left + 1, bottom - top + 1};
}

void oracle_pack(const oracle *board, int64_t x, int64_t y, int64_t width, uint64_t *words)
{
    const uint8_t *row = oracle_row(board, y) + x;
    memset(words, 0, ((size_t)width + 63) / 64 * sizeof *words);
    for (int64_t i = 0; i < width; i++)
        words[i / 64] |= (uint64_t)row[i] << (i % 64);
}

void oracle_window(oracle_rule rule, const lc_topology *topology, int64_t x, int64_t y,
                   int64_t width, int64_t height, int64_t generations, oracle_start start,
                   void *context, uint8_t *out)
{
    // `cells` is the light cone's base; each generation what is known shrinks by a cell a side.
    // `exists`: where a plane has no cell, nothing is ever born.
    const int64_t base_width = width + 2 * generations, base_height = height + 2 * generations;
    const size_t pitch = (size_t)base_width;
    const size_t size = pitch * (size_t)base_height;
    uint8_t *cells = must(calloc(size, 1));
    uint8_t *after = must(calloc(size, 1));
    uint8_t *exists = must(calloc(size, 1));
    for (int64_t j = 0; j < base_height; j++) {
        for (int64_t i = 0; i < base_width; i++) {
            int64_t from_x = x - generations + i, from_y = y - generations + j;
            size_t at = (size_t)j * pitch + (size_t)i;
            exists[at] = oracle_unfold(topology, &from_x, &from_y);
            cells[at] = exists[at] && start(context, from_x, from_y);
        }
    }
    uint8_t next[SQUARES];
    next_states(&rule, next);
    for (int64_t g = 1; g <= generations; g++) {
        for (int64_t j = g; j < base_height - g; j++) {
            const size_t at = (size_t)j * pitch + (size_t)g;
            step_row(next, cells + at - pitch, cells + at, cells + at + pitch, after + at,
                     base_width - 2 * g);
            for (int64_t i = 0; i < base_width - 2 * g; i++)
                after[at + (size_t)i] &= exists[at + (size_t)i];
        }
        uint8_t *old = cells;
        cells = after;
        after = old;
    }
    for (int64_t j = 0; j < height; j++)
        memcpy(out + (size_t)(j * width),
               cells + (size_t)(j + generations) * pitch + (size_t)generations, (size_t)width);
    free(cells);
    free(after);
    free(exists);
}
