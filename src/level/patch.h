// Patches of canvases (lc_canvas_patch in level.h), for any vector of 64-bit lanes. Included by
// each level, with what window.h needs. The rows of a patch lie in vectors as those of a window do.
//
//   PATCH_OWN_ROWS    the level defines the four functions below itself
#include "base/transpose.h"
#include "level/window.h"

#ifdef PATCH_OWN_ROWS
INLINE void patch_load(VEC *row, const lc_canvas_patch *patch);
INLINE void patch_store(const VEC *row, lc_canvas_patch *patch);
INLINE uint64_t patch_active(const VEC *row, const VEC *before, int margin);
INLINE void patch_keep_edges(VEC *row, const VEC *first);
static int64_t patch_write(const lc_canvas_patch *patch, uint8_t *at);
#else
INLINE uint64_t *lane_of_row(uint64_t *rows, int y)
{
    return &rows[y % WINDOW_VECTORS * LANES + y / WINDOW_VECTORS];
}

INLINE void patch_load(VEC *row, const lc_canvas_patch *patch)
{
    uint64_t rows[64];
    for (int block = 0; block < 8; block++) {
        uint64_t m[8];
        for (int i = 0; i < 8; i++)
            memcpy(&m[i], patch->from + (size_t)i * patch->column_bytes + 8 * block, sizeof m[i]);
        lc_transpose_bytes(m);
        for (int i = 0; i < 8; i++)
            *lane_of_row(rows, 8 * block + i) = m[i];
    }
    memcpy(row, rows, sizeof rows);
}

INLINE void patch_store(const VEC *row, lc_canvas_patch *patch)
{
    uint64_t rows[64];
    memcpy(rows, row, sizeof rows);
    for (int block = 0; block < 8; block++) {
        uint64_t m[8];
        for (int i = 0; i < 8; i++)
            m[i] = *lane_of_row(rows, 8 * block + i);
        lc_transpose_bytes(m);
        for (int i = 0; i < 8; i++)
            memcpy(patch->to[i] + 8 * block, &m[i], sizeof m[i]);
    }
}

INLINE uint64_t patch_active(const VEC *row, const VEC *before, int margin)
{
    uint64_t rows[64], old[64], active = 0;
    const uint64_t columns = UINT64_MAX << margin & UINT64_MAX >> margin;
    memcpy(rows, row, sizeof rows);
    memcpy(old, before, sizeof old);
    for (int block = 0; block < 8; block++) {
        uint64_t differs = 0;
        for (int y = 8 * block; y < 8 * block + 8; y++)
            if (y >= margin && y < 64 - margin)
                differs |= *lane_of_row(rows, y) ^ *lane_of_row(old, y);
        differs &= columns;
        for (int i = 0; i < 8; i++)
            active |= (uint64_t)((differs >> 8 * i & 0xFF) != 0) << (8 * block + i);
    }
    return active;
}

// Gives the cells at most LC_PATCH_REPEAT away from the edges their first states.
INLINE void patch_keep_edges(VEC *row, const VEC *first)
{
    uint64_t rows[64], old[64];
    const uint64_t inside = UINT64_MAX << LC_PATCH_REPEAT & UINT64_MAX >> LC_PATCH_REPEAT;
    memcpy(rows, row, sizeof rows);
    memcpy(old, first, sizeof old);
    for (int y = 0; y < 64; y++) {
        const uint64_t keep =
            y < LC_PATCH_REPEAT || y >= 64 - LC_PATCH_REPEAT ? UINT64_MAX : ~inside;
        uint64_t *cells = lane_of_row(rows, y);
        *cells = (*cells & ~keep) | (*lane_of_row(old, y) & keep);
    }
    memcpy(row, rows, sizeof rows);
}

static int64_t patch_write(const lc_canvas_patch *patch, uint8_t *at)
{
    const int margin = patch->margin;
    const uint64_t columns = UINT64_MAX << margin & UINT64_MAX >> margin;
    int64_t more = 0;
    for (int i = 0; i < 8; i++) {
        const uint64_t bits = (columns >> 8 * i & 0xFF) * 0x0101010101010101;
        uint8_t *column = at + (size_t)i * patch->column_bytes;
        for (int y = 0; y < 64 && bits != 0; y += 8) {
            uint64_t old, now, right = bits;
            if (y == 0)
                right = margin < 8 ? bits << 8 * margin : 0;
            if (y == 56)
                right = margin < 8 ? bits >> 8 * margin : 0;
            memcpy(&old, column + y, sizeof old);
            memcpy(&now, patch->to[i] + y, sizeof now);
            now = (old & ~right) | (now & right);
            more += (int64_t)lc_ones(now) - (int64_t)lc_ones(old);
            memcpy(column + y, &now, sizeof now);
        }
    }
    return more;
}
#endif

INLINE void patch_generations(rule_is rule, const lc_window_rules *rules, int generations, VEC *row)
{
    if (rule == RULE_MAP) {
        rows_generations_map(rules->map, generations, row, WINDOW_VECTORS, NULL);
        return;
    }
    for (int i = 0; i < generations; i++) {
        if (rule == RULE_CODE)
            rules->code[0]->window(row);
        else
            rows_generation(rule == RULE_LIFE, rule == RULE_ANY ? rules->any[0] : NULL, row,
                            WINDOW_VECTORS);
    }
}

// Blocks at the edges of a patch.
static const uint64_t patch_edge_blocks = 0xFF818181818181FF;

INLINE void step_patch(rule_is rule, lc_canvas_patch *patch)
{
    VEC row[WINDOW_VECTORS + LC_CODE_ROWS_SCRATCH], before[WINDOW_VECTORS], first[WINDOW_VECTORS];
    const int generations = patch->repeats ? LC_PATCH_REPEAT : patch->generations;
    const int last = generations < 2 ? generations : 2;
    patch_load(row, patch);
    memcpy(first, row, sizeof first);
    patch->margin = generations;
    patch->made = 0;
    for (;;) {
        patch_generations(rule, patch->rules, generations - last, row);
        memcpy(before, row, sizeof before);
        patch_generations(rule, patch->rules, last, row);
        patch->active = patch_active(row, before, generations);
        patch->made += generations;
        if (patch->made == patch->generations || (patch->active & patch_edge_blocks) != 0)
            break;
        patch_keep_edges(row, first);
    }
    patch_store(row, patch);
}

static void patch_life(lc_canvas_patch *patch)
{
    step_patch(RULE_LIFE, patch);
}

static void patch_any(lc_canvas_patch *patch)
{
    step_patch(RULE_ANY, patch);
}

static void patch_map(lc_canvas_patch *patch)
{
    step_patch(RULE_MAP, patch);
}

#ifdef CODE_COLUMNS
static void patch_code(lc_canvas_patch *patch)
{
    step_patch(RULE_CODE, patch);
}
#endif
