#include "census/left_ships.h"

#include "base/memory.h"

enum {
    NEAR_EDGE = LC_CANVAS_MARGIN + 16, // in blocks
    GROUP_BLOCKS_MAX = 256,
    PERIOD_MAX = 1024,
    WAIT = 64, // generations after a search, in which nothing crosses half of the edge
};

// Blocks with live cells, each beside another one.
typedef struct block_group {
    lc_patch_place at[GROUP_BLOCKS_MAX];
    int count;
} block_group;

static bool has_block(const block_group *group, int column, int row)
{
    for (int i = 0; i < group->count; i++)
        if (group->at[i].column == column && group->at[i].row == row)
            return true;
    return false;
}

// Returns false if the group has too many blocks.
static bool find_blocks(block_group *group, const lc_canvas *c, int column, int row)
{
    group->at[0] = (lc_patch_place){column, row};
    group->count = 1;
    for (int i = 0; i < group->count; i++)
        for (int k = 0; k < 9; k++) {
            const int x = group->at[i].column + k % 3 - 1, y = group->at[i].row + k / 3 - 1;
            if (x < 0 || y < 0 || x >= c->blocks || y >= c->blocks || has_block(group, x, y) ||
                lc_canvas_block(c, x, y) == 0)
                continue;
            if (group->count == GROUP_BLOCKS_MAX)
                return false;
            group->at[group->count++] = (lc_patch_place){x, y};
        }
    return true;
}

static bool list_cells(lc_live *live, const lc_canvas *c, const block_group *group)
{
    for (int i = 0; i < group->count; i++) {
        const int x = 8 * group->at[i].column, y = 8 * group->at[i].row;
        uint64_t block = lc_canvas_block(c, group->at[i].column, group->at[i].row);
        for (; block != 0; block &= block - 1) {
            const int bit = __builtin_ctzll(block);
            if (!lc_live_add(live, x + bit % 8, y + bit / 8))
                return false;
        }
    }
    lc_live_sort(live);
    return true;
}

// Whether something at that block flies away from the middle.
static bool flies_away(const lc_fate *fate, const lc_canvas *c, int column, int row)
{
    const int64_t x = column - c->blocks / 2, y = row - c->blocks / 2;
    return x * fate->dx + y * fate->dy > 0;
}

static lc_status find_populations(lc_left_ship *ship, lc_fates *fates, const lc_live *cells)
{
    ship->populations = lc_malloc((size_t)ship->period * sizeof *ship->populations);
    if (ship->populations == NULL)
        return LC_ERROR_MEMORY;
    lc_field field = lc_field_of(&fates->rule);
    lc_status status = lc_field_set(&field, cells);
    for (uint64_t t = 0; t < ship->period && status == LC_OK; t++) {
        ship->populations[t] = (uint32_t)field.population;
        status = lc_field_step(&field);
    }
    lc_field_free(&field);
    return status;
}

static lc_status add_ship(lc_running_soup *soup, const lc_fate *fate, const lc_live *cells)
{
    lc_left_ship *ships = lc_realloc(soup->ships, (soup->ship_count + 1) * sizeof *ships);
    if (ships == NULL)
        return LC_ERROR_MEMORY;
    soup->ships = ships;
    ships[soup->ship_count] =
        (lc_left_ship){.generation = soup->generations, .period = fate->period};
    lc_status status = find_populations(&ships[soup->ship_count], &soup->names->fates, cells);
    if (status != LC_OK) {
        lc_free(ships[soup->ship_count].populations);
        return status;
    }
    soup->ship_count++;
    status = lc_name_cells(&soup->ship_kinds, soup->names, cells, PERIOD_MAX, NULL);
    for (size_t i = 0; i < cells->count && status == LC_OK; i++)
        lc_canvas_turn(soup->canvas, (int)cells->at[i].x, (int)cells->at[i].y);
    return status;
}

// Takes the cells around a block away, if they are a spaceship that flies away from the middle.
static lc_status take_at(lc_running_soup *soup, int column, int row)
{
    block_group group;
    lc_live cells = {0};
    const lc_fate *fate = NULL;
    if (!find_blocks(&group, soup->canvas, column, row))
        return LC_OK;
    lc_status status = list_cells(&cells, soup->canvas, &group) ? LC_OK : LC_ERROR_MEMORY;
    if (status == LC_OK)
        status = lc_fate_find(&fate, &soup->names->fates, &cells, PERIOD_MAX);
    if (status == LC_OK && fate->period != 0 && flies_away(fate, soup->canvas, column, row))
        status = add_ship(soup, fate, &cells);
    lc_live_free(&cells);
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

static bool is_near_edge(const lc_canvas *c, int column, int row)
{
    return column < NEAR_EDGE || row < NEAR_EDGE || column >= c->blocks - NEAR_EDGE ||
           row >= c->blocks - NEAR_EDGE;
}

lc_status lc_left_ships_take(lc_running_soup *soup)
{
    const lc_canvas *c = soup->canvas;
    const lc_blocks busy = c->busy;
    lc_status status = LC_OK;
    if (lc_canvas_is_quiet(c) || soup->generations < soup->ship_check ||
        (busy.left >= NEAR_EDGE && busy.top >= NEAR_EDGE && busy.right <= c->blocks - NEAR_EDGE &&
         busy.bottom <= c->blocks - NEAR_EDGE))
        return LC_OK;
    soup->ship_check = soup->generations + WAIT;
    for (int y = busy.top; y < busy.bottom; y++)
        for (int x = busy.left; x < busy.right && status == LC_OK; x++)
            if (is_near_edge(c, x, y) && lc_canvas_is_active(c, x, y) &&
                lc_canvas_block(c, x, y) != 0)
                status = take_at(soup, x, y);
    return status;
}

int64_t lc_left_ships_growth(const lc_running_soup *soup)
{
    int64_t more = 0;
    for (size_t i = 0; i < soup->ship_count; i++) {
        const lc_left_ship *ship = &soup->ships[i];
        const uint64_t phase = (soup->generations - ship->generation) % ship->period;
        more += (int64_t)ship->populations[phase] - (int64_t)ship->populations[0];
    }
    return more;
}
