// Compares a board of an engine with the oracle's.
#include "support_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support_facts.h"

static void read_row(const void *context, int64_t y, int64_t width, uint64_t *words)
{
    assert_int_equal(test_read_row(context, 0, y, width, words), LC_OK);
}

lc_status checked_board_create(checked_board *board, const char *engine, const shape *s,
                               const lc_rule *rule, uint64_t number, lc_message *message)
{
    const uint64_t seed = test_seed() + number;
    *board = (checked_board){.dice = dice_from(seed, number)};
    board->where = (scene){.engine = engine,
                           .level = "",
                           .threads = 1,
                           .seed = seed,
                           .width = s->width,
                           .height = s->height,
                           .rule = rule,
                           .fill = "soup"};
    assert_true(topology_of(s->kind, s->width, s->height, &board->dice, &board->where.topology));
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .rule = rule,
                                         .topology = board->where.topology,
                                         .engine = engine,
                                         .threads = 1};
    const lc_status status = lc_universe_create(&board->universe, &options, message);
    if (status != LC_OK)
        return status;
    board->oracle =
        oracle_create(s->width, s->height, oracle_rule_of(rule), &board->where.topology);
    assert_int_equal(
        lc_universe_soup(board->universe, 0, 0, s->width, s->height, 0.4, seed, message), LC_OK);
    uint64_t *words = calloc((size_t)(s->width + 63) / 64, sizeof *words);
    assert_non_null(words);
    for (int64_t y = 0; y < s->height; y++) {
        read_row(board->universe, y, s->width, words);
        for (int64_t x = 0; x < s->width; x++)
            oracle_row(board->oracle, y)[x] = words[x / 64] >> (x % 64) & 1;
    }
    free(words);
    return LC_OK;
}

void checked_board_destroy(checked_board *board)
{
    oracle_destroy(board->oracle);
    lc_universe_destroy(&board->universe);
}

void checked_board_step(checked_board *board, uint64_t generations)
{
    lc_message why;
    if (lc_universe_step(board->universe, lc_count_of(generations), NULL, NULL, &why) != LC_OK)
        fail_msg("%s: %s", board->where.engine, why.text);
    oracle_step(board->oracle, generations);
    board->where.generation += generations;
}

void checked_board_edit(checked_board *board)
{
    const int64_t x = dice_below(&board->dice, board->where.width);
    const int64_t y = dice_below(&board->dice, board->where.height);
    const bool alive = dice_below(&board->dice, 2) == 0;
    assert_int_equal(lc_universe_set(board->universe, x, y, alive, NULL), LC_OK);
    oracle_row(board->oracle, y)[x] = alive;
}

void checked_board_compare(const checked_board *board, bool population_first)
{
    snapshot expected = snapshot_take(board->oracle, board->where.generation);
    const uint64_t population = expected.population;
    if (population_first)
        assert_int_equal(test_population(board->universe), population);
    const bool equal = snapshot_equals(&expected, read_row, board->universe, &board->where);
    snapshot_free(&expected);
    assert_true(equal);
    if (!population_first)
        assert_int_equal(test_population(board->universe), population);
}

void checked_board_replace(checked_board *board, lc_universe *universe, const char *engine)
{
    lc_universe_destroy(&board->universe);
    board->universe = universe;
    board->where.engine = engine;
}
