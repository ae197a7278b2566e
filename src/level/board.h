// Boards of 64 x 64 cells (lc_board_step in level.h), for any vector of 64-bit lanes. Included by
// each level, with what window.h needs. The rows of a board lie in memory as those of a window lie
// in vectors.
#include "level/patch.h"

INLINE void step_board(rule_is rule, uint64_t *cells, int generations, const lc_window_rules *rules)
{
    VEC row[WINDOW_VECTORS + LC_CODE_ROWS_SCRATCH];
    memcpy(row, cells, WINDOW_VECTORS * sizeof *row);
    patch_generations(rule, rules, generations, row);
    memcpy(cells, row, WINDOW_VECTORS * sizeof *row);
}

static void board_life(uint64_t *cells, int generations, const lc_window_rules *rules)
{
    step_board(RULE_LIFE, cells, generations, rules);
}

static void board_any(uint64_t *cells, int generations, const lc_window_rules *rules)
{
    step_board(RULE_ANY, cells, generations, rules);
}

static void board_map(uint64_t *cells, int generations, const lc_window_rules *rules)
{
    step_board(RULE_MAP, cells, generations, rules);
}

#ifdef CODE_COLUMNS
static void board_code(uint64_t *cells, int generations, const lc_window_rules *rules)
{
    step_board(RULE_CODE, cells, generations, rules);
}
#endif
