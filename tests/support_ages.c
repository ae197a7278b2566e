#include "support_ages.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support_universe.h"

counted counted_create(int64_t width, int64_t height)
{
    const size_t cells = (size_t)(width * height);
    counted c = {.width = width, .height = height};
    c.alive = calloc(cells, 1);
    c.since = calloc(cells, sizeof *c.since);
    assert_non_null(c.alive);
    assert_non_null(c.since);
    return c;
}

void counted_free(counted *c)
{
    free(c->alive);
    free(c->since);
}

void count_cell(counted *c, int64_t x, int64_t y, bool alive, double generation)
{
    const size_t i = (size_t)(y * c->width + x);
    if (!c->looked || alive != c->alive[i])
        c->since[i] = alive || c->looked ? generation : -1;
    c->alive[i] = alive;
}

void count_board(counted *c, const oracle *board, double generation)
{
    for (int64_t y = 0; y < c->height; y++)
        for (int64_t x = 0; x < c->width; x++)
            count_cell(c, x, y, oracle_row(board, y)[x] != 0, generation);
    c->looked = true;
}

int counted_code(bool alive, double age)
{
    const int step = (int)floor((alive ? 8 : 12) * log2(1 + age));
    return alive ? 128 + (step < 127 ? step : 127) : step < 127 ? 127 - step : 0;
}

int counted_index(int code, int tone)
{
    if (code < 128)
        return code == 127 ? 63 : (code + 1) / 2;
    return 64 + 4 * ((code - 128) * 3 / 8) + tone / 64;
}

void counted_square(const counted *c, int64_t x0, int64_t y0, int64_t side, double now, int *code,
                    int *tone)
{
    uint32_t live = 0, sum = 0;
    int trail = 0;
    for (int64_t y = y0; y < y0 + side; y++)
        for (int64_t x = x0; x < x0 + side; x++) {
            if (x < 0 || y < 0 || x >= c->width || y >= c->height)
                continue;
            const size_t i = (size_t)(y * c->width + x);
            const int this = c->since[i] < 0 ? 0 : counted_code(c->alive[i], now - c->since[i]);
            live += c->alive[i];
            sum += c->alive[i] ? (uint32_t)this : 0;
            trail = !c->alive[i] && this > trail ? this : trail;
        }
    *code = live > 0 ? (int)(sum / live) : trail;
    *tone = test_tone(live, side);
}
