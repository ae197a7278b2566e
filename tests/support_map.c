#include "support_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTIONS = 8, NEIGHBOURHOODS = 512 };

static const motion all[MOTIONS] = {
    {1, 0, 0, 1},   // identity
    {-1, 0, 0, -1}, // half turn
    {0, -1, 1, 0},  // quarter turn
    {0, 1, -1, 0},  // quarter turn back
    {-1, 0, 0, 1},  // left-right reflection
    {1, 0, 0, -1},  // top-bottom reflection
    {0, 1, 1, 0},   // reflection about a diagonal
    {0, -1, -1, 0}, // reflection about the other diagonal
};

static const struct {
    const char *name;
    unsigned motions; // bit i: all[i]
} groups[TEST_GROUPS] = {
    {"none", 0x01},         {"half turns", 0x03},     {"mirror x", 0x11},
    {"mirror y", 0x21},     {"diagonal", 0x41},       {"other diagonal", 0x81},
    {"both mirrors", 0x33}, {"both diagonals", 0xc3}, {"turns", 0x0f},
    {"all", 0xff},
};

const char *test_group_name(size_t group)
{
    return groups[group].name;
}

static bool same(motion a, motion b)
{
    return a.xx == b.xx && a.xy == b.xy && a.yx == b.yx && a.yy == b.yy;
}

bool test_group_has(size_t group, motion m)
{
    for (unsigned i = 0; i < MOTIONS; i++)
        if ((groups[group].motions >> i & 1) != 0 && same(all[i], m))
            return true;
    return false;
}

unsigned test_moved_neighbourhood(unsigned neighbourhood, motion m)
{
    unsigned result = 0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            const int to_x = m.xx * x + m.xy * y, to_y = m.yx * x + m.yy * y;
            const unsigned alive = neighbourhood >> (8 - 3 * (y + 1) - (x + 1)) & 1;
            result |= alive << (8 - 3 * (to_y + 1) - (to_x + 1));
        }
    }
    return result;
}

const lc_rule *test_map(size_t group, bool b0, uint64_t seed)
{
    uint8_t table[64] = {0};
    for (unsigned neighbourhood = 0; neighbourhood < NEIGHBOURHOODS; neighbourhood++) {
        unsigned least = neighbourhood; // smallest of its images, which all have one next state
        for (unsigned i = 0; i < MOTIONS; i++) {
            const unsigned moved = test_moved_neighbourhood(neighbourhood, all[i]);
            if ((groups[group].motions >> i & 1) != 0 && moved < least)
                least = moved;
        }
        dice d = dice_from(seed, least);
        const bool alive = least == 0 ? b0 : dice_word(&d) % 8 < 3;
        table[neighbourhood / 8] |= (uint8_t)(alive << (7 - neighbourhood % 8));
    }
    return rule_of_map(table);
}

// Computes the offset on the board between two cells that are adjacent on the unfolded plane.
// Inside one copy they are adjacent on the board too, unless an edge separates them.
static bool difference(const lc_topology *t, int64_t x, int64_t y, int dx, int dy, int *to_x,
                       int *to_y)
{
    int64_t x0 = x, y0 = y, x1 = x + dx, y1 = y + dy;
    (void)oracle_unfold(t, &x0, &y0);
    (void)oracle_unfold(t, &x1, &y1);
    *to_x = (int)(x1 - x0);
    *to_y = (int)(y1 - y0);
    return abs(*to_x) + abs(*to_y) == 1;
}

size_t test_motions_of(const lc_topology *topology, motion motions[8])
{
    const int64_t w = topology->width_cells, h = topology->height_cells;
    size_t count = 1;
    motions[0] = all[0];
    if (topology->kind == LC_TOPOLOGY_PLANE)
        return count;
    for (int64_t y = -3 * h; y < 3 * h; y++) {
        for (int64_t x = -3 * w; x < 3 * w; x++) {
            motion m;
            if ((x + 4 * w) % w == w - 1 || (y + 4 * h) % h == h - 1 ||
                !difference(topology, x, y, 1, 0, &m.xx, &m.yx) ||
                !difference(topology, x, y, 0, 1, &m.xy, &m.yy))
                continue;
            size_t i = 0;
            while (i < count && !same(motions[i], m))
                i++;
            if (i == count)
                motions[count++] = m;
        }
    }
    return count;
}
