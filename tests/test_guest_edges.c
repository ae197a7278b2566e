// A guest that knows no surface but its board's four edges, on every surface: compared with the
// scalar engine, through steps of any length and writes between them.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

enum { DEPTH = 5 };

// One byte a cell, with a halo DEPTH deep. What no one fills is rubbish.
typedef struct edged {
    lc_guest_board of;
    int64_t width, height, pitch;
    uint8_t *cells, *next;
} edged;

static bool halo_fails;

static uint8_t *at(const edged *e, uint8_t *cells, int64_t x, int64_t y)
{
    return cells + (y + DEPTH) * e->pitch + x + DEPTH;
}

static bool available(const void *context, const char **reason)
{
    (void)context;
    *reason = "always";
    return true;
}

static lc_status check(const void *context, const lc_guest_board *board, uint64_t *memory_bytes,
                       lc_message *message)
{
    (void)context;
    (void)message;
    *memory_bytes = 2 * (uint64_t)(board->topology.width_cells + 2 * DEPTH) *
                    (uint64_t)(board->topology.height_cells + 2 * DEPTH);
    return LC_OK;
}

static lc_status create(void **out, const void *context, const lc_guest_board *board,
                        lc_message *message)
{
    (void)context;
    (void)message;
    edged *e = calloc(1, sizeof *e);
    assert_non_null(e);
    e->of = *board;
    e->width = board->topology.width_cells;
    e->height = board->topology.height_cells;
    e->pitch = e->width + 2 * DEPTH;
    const size_t bytes = (size_t)(e->pitch * (e->height + 2 * DEPTH));
    e->cells = malloc(bytes);
    e->next = malloc(bytes);
    assert_true(e->cells != NULL && e->next != NULL);
    memset(e->cells, 1, bytes);
    memset(e->next, 1, bytes);
    for (int64_t y = 0; y < e->height; y++)
        memset(at(e, e->cells, 0, y), 0, (size_t)e->width);
    *out = e;
    return LC_OK;
}

static void destroy(void *board)
{
    edged *e = board;
    free(e->cells);
    free(e->next);
    free(e);
}

static void put(const edged *e, const lc_cells *from)
{
    for (int64_t j = 0; j < from->height_cells; j++)
        for (int64_t i = 0; i < from->width_cells; i++)
            *at(e, e->cells, from->x + i, from->y + j) =
                lc_cells_row(from, j)[i / 64] >> (i % 64) & 1;
}

static lc_status write_rows(void *board, const lc_cells *from, lc_message *message)
{
    const edged *e = board;
    (void)message;
    put(e, from);
    return LC_OK;
}

static lc_status read_rows(void *board, const lc_cells *to, lc_message *message)
{
    const edged *e = board;
    (void)message;
    for (int64_t i = 0; i < to->height_cells; i++) {
        uint64_t *row = lc_cells_row(to, i);
        memset(row, 0, (size_t)(e->width + 63) / 64 * 8);
        for (int64_t x = 0; x < e->width; x++)
            row[x / 64] |= (uint64_t)*at(e, e->cells, x, to->y + i) << (x % 64);
    }
    return LC_OK;
}

static lc_status write_halo(void *board, const lc_cells *halo, lc_message *message)
{
    const edged *e = board;
    if (halo_fails) {
        snprintf(message->text, sizeof message->text, "no halo today");
        return LC_ERROR_DEVICE;
    }
    assert_true(halo->x >= -DEPTH && halo->x + halo->width_cells <= e->width + DEPTH);
    assert_true(halo->y >= -DEPTH && halo->y + halo->height_cells <= e->height + DEPTH);
    assert_true(halo->y + halo->height_cells <= 0 || halo->y >= e->height ||
                halo->x + halo->width_cells <= 0 || halo->x >= e->width);
    put(e, halo);
    return LC_OK;
}

// What is beyond an edge that is not open. False: it is inside, or was given.
static bool own(const edged *e, int64_t x, int64_t y, uint8_t *cell)
{
    const lc_guest_board *b = &e->of;
    const lc_edge across = x < 0 ? b->left : b->right, down = y < 0 ? b->top : b->bottom;
    const bool out_x = x < 0 || x >= e->width, out_y = y < 0 || y >= e->height;
    if ((out_x && across == LC_EDGE_WALL) || (out_y && down == LC_EDGE_WALL)) {
        *cell = 0;
        return true;
    }
    if (b->left == LC_EDGE_OPEN || (out_y && down == LC_EDGE_OPEN))
        return false;
    x = ((x % e->width) + e->width) % e->width;
    y = ((y % e->height) + e->height) % e->height;
    *cell = *at(e, e->cells, x, y);
    return out_x || out_y;
}

static void see_to_edges(edged *e, int64_t depth)
{
    for (int64_t y = -depth; y < e->height + depth; y++) {
        for (int64_t x = -depth; x < e->width + depth; x++) {
            uint8_t cell;
            const bool inside = x >= 0 && x < e->width && y >= 0 && y < e->height;
            if (!inside && own(e, x, y, &cell))
                *at(e, e->cells, x, y) = cell;
        }
    }
}

// One generation of all cells at most `depth` from the board.
static void make(edged *e, int64_t depth)
{
    for (int64_t y = -depth; y < e->height + depth; y++) {
        for (int64_t x = -depth; x < e->width + depth; x++) {
            unsigned neighbourhood = 0;
            for (int64_t k = 0; k < 9; k++)
                neighbourhood = neighbourhood << 1 | *at(e, e->cells, x + k % 3 - 1, y + k / 3 - 1);
            *at(e, e->next, x, y) = lc_rule_next(e->of.rule, neighbourhood);
        }
    }
    uint8_t *made = e->next;
    e->next = e->cells;
    e->cells = made;
}

static lc_status step(void *board, uint64_t generations, double *stepping_ns, lc_message *message)
{
    edged *e = board;
    const lc_guest_board *b = &e->of;
    const bool open = b->left == LC_EDGE_OPEN || b->top == LC_EDGE_OPEN;
    (void)stepping_ns;
    (void)message;
    assert_true(!open || generations <= DEPTH);
    for (uint64_t g = 0; g < generations; g++) {
        const int64_t depth = open ? (int64_t)(generations - g) : 1;
        if (!open || g == 0)
            see_to_edges(e, depth);
        make(e, depth - 1);
    }
    return LC_OK;
}

static void facts(const void *board, lc_step_facts *facts)
{
    (void)board;
    *facts = (lc_step_facts){0};
}

static const char *settings(const void *board)
{
    (void)board;
    return "";
}

static lc_guest_engine engine = {.struct_bytes = sizeof engine,
                                 .name = "edged",
                                 .summary = "knows its edges",
                                 .available = available,
                                 .check = check,
                                 .create = create,
                                 .destroy = destroy,
                                 .write_rows = write_rows,
                                 .read_rows = read_rows,
                                 .step = step,
                                 .facts = facts,
                                 .settings = settings,
                                 .takes_edges = true,
                                 .halo_generations = DEPTH,
                                 .write_halo = write_halo};

static int add_engine(void **state)
{
    (void)state;
    lc_guest_engine bad = engine;
    lc_message message = {0};
    bad.halo_generations = 0;
    if (lc_engine_add(&bad, &message) != LC_ERROR_ARGUMENT || message.text[0] == '\0')
        return -1;
    bad = engine;
    bad.write_halo = NULL;
    if (lc_engine_add(&bad, NULL) != LC_ERROR_ARGUMENT)
        return -1;
    return lc_engine_add(&engine, NULL) == LC_OK ? 0 : -1;
}

static void test_every_surface(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 31);
    size_t cases = 0;
    for (surface kind = 0; kind < SURFACE_COUNT; kind++) {
        for (int n = 0; n < 24; n++) {
            const int64_t w = n < 6 ? 2 + n : 2 * (1 + dice_below(&d, 100));
            const int64_t h = kind == SURFACE_SPHERE ? w : 2 + 2 * dice_below(&d, 20);
            lc_topology topology;
            if (!topology_of(kind, w, h, &d, &topology))
                continue;
            const lc_rule *rule = rule_at((size_t)dice_below(&d, 30), test_seed());
            lc_universe *a = test_create("edged", rule, topology, 0);
            lc_universe *b = test_create("scalar", rule, topology, 0);
            for (int steps = 0; steps < 4; steps++) {
                const uint64_t seed = dice_word(&d), generations = (uint64_t)dice_below(&d, 30);
                const int64_t columns = steps == 0 ? w : 1, rows = steps == 0 ? h : 1;
                assert_int_equal(lc_universe_soup(a, 0, 0, columns, rows, 0.5, seed, NULL), LC_OK);
                assert_int_equal(lc_universe_soup(b, 0, 0, columns, rows, 0.5, seed, NULL), LC_OK);
                test_step(a, generations);
                test_step(b, generations);
                assert_int_equal(test_hash(a), test_hash(b));
                assert_int_equal(test_population(a), test_population(b));
            }
            lc_universe_destroy(&a);
            lc_universe_destroy(&b);
            cases++;
        }
    }
    assert_true(cases > 150);
}

// On the infinite plane it never sees an open edge.
static void test_plane(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_universe *u = test_create("edged", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(u, glider_rle, 0, 0, &message), LC_OK);
    halo_fails = true;
    test_step(u, 400);
    halo_fails = false;
    assert_int_equal(test_population(u), 5);
    assert_int_equal(test_box(u).x, 100);
    lc_universe_destroy(&u);
}

static void test_halo_fails(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_topology sphere;
    dice d = dice_from(1, 1);
    assert_true(topology_of(SURFACE_SPHERE, 30, 30, &d, &sphere));
    lc_universe *u = test_create("edged", LIFE, sphere, 0);
    halo_fails = true;
    assert_int_equal(lc_universe_step(u, lc_count_of(3), NULL, NULL, &message), LC_ERROR_DEVICE);
    assert_string_equal(message.text, "no halo today");
    halo_fails = false;
    assert_int_equal(lc_universe_failure(u, NULL), LC_ERROR_DEVICE);
    lc_universe_destroy(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_surface),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_halo_fails),
    };
    return cmocka_run_group_tests_name("guest_edges", tests, add_engine, NULL);
}
