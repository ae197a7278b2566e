// Topologies: what the cells beyond the edge are, that stepping with them gives what Golly gives,
// and that lc_halo_fill puts exactly those cells round a grid.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/frame.h"
#include "grid/topology.h"
#include "grid/unfold.h"
#include "lightcone/rule.h"
#include "support_rule.h"

static uint64_t random_state = 1;

static uint64_t next_random(void) // splitmix64
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int64_t random_below(int64_t n)
{
    return (int64_t)(next_random() % (uint64_t)n);
}

static lc_topology parse_topology(const char *text)
{
    lc_topology topology;
    lc_message message = {0};
    if (lc_topology_parse(text, &topology, &message) != LC_OK)
        fail_msg("%s: %s", text, message.text);
    return topology;
}

// The cells round a small universe, letter by letter ----------------------------------------------

// The rings round a grid whose inside is A, B, C ... in reading order. They are those of the
// diagrams in Golly's description of bounded grids, but for the Klein bottles with a shift, where
// they are what Golly 3.3 does (see golly_topologies.inc): it shifts the other way.
static const struct {
    const char *topology;
    const char *rows[6];
} rings[] = {
    {"P4,3", {"......", ".ABCD.", ".EFGH.", ".IJKL.", "......"}},
    {"T4,3", {"LIJKLI", "DABCDA", "HEFGHE", "LIJKLI", "DABCDA"}},
    {"T4+1,3", {"KLIJKL", "DABCDA", "HEFGHE", "LIJKLI", "ABCDAB"}},
    {"T4,3+1", {"HIJKLA", "LABCDE", "DEFGHI", "HIJKLA", "LABCDE"}},
    {"K4*,3", {"ILKJIL", "DABCDA", "HEFGHE", "LIJKLI", "ADCBAD"}},
    {"K4,3*", {"DIJKLA", "LABCDI", "HEFGHE", "DIJKLA", "LABCDI"}},
    {"K4*+1,3", {"LKJILK", "DABCDA", "HEFGHE", "LIJKLI", "DCBADC"}},
    {"K3,4*+1", {"LJKLJ", "IABCG", "FDEFD", "CGHIA", "LJKLJ", "IABCG"}},
    {"C4,3", {"ALKJID", "LABCDI", "HEFGHE", "DIJKLA", "IDCBAL"}},
    {"S3", {"AADGC", "AABCG", "BDEFH", "CGHII", "GCFII"}},
};

static void test_rings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        lc_topology t = parse_topology(rings[i].topology);
        for (int64_t y = -1; y <= t.height_cells; y++) {
            for (int64_t x = -1; x <= t.width_cells; x++) {
                int64_t to_x = x, to_y = y;
                char shown = '.';
                if (lc_topology_map(&t, &to_x, &to_y))
                    shown = (char)('A' + to_y * t.width_cells + to_x);
                char expected = rings[i].rows[y + 1][x + 1];
                if (shown != expected)
                    fail_msg("%s: (%" PRId64 ", %" PRId64 ") shows %c, not %c", rings[i].topology,
                             x, y, shown, expected);
            }
        }
    }
}

// The unfolding is consistent everywhere: round any cell of the unbounded plane lie the same nine
// cells as round the cell that it shows.
static const char *const shapes[] = {
    "T1,1",
    "T1,7",
    "T9,1",
    "T2,2",
    "T30,20",
    "T30+7,20",
    "T30-29,20",
    "T30,20-7",
    "T30,20+19",
    "T1,5+2",
    "T5-2,1",
    "K1*,1",
    "K1,1*",
    "K2*+1,1",
    "K1,2*+1",
    "K30*,20",
    "K30,20*",
    "K30*+1,20",
    "K30,20*+1",
    "K31*,7",
    "K7,31*",
    "K3*,1",
    "C1,1",
    "C1,2",
    "C2,1",
    "C30,20",
    "C13,64",
    "S1",
    "S2",
    "S3",
    "S64",
    "S65",
    "T130,3",
    "T64+63,64",
    "P5,4",
    "T0,7",
    "T7,0",
    "P0,9",
    "T1000000007+3,998244353",
    "C1000000007,3",
    "S1000000007",
    "K4,1000000006*+1",
};

static int compare_places(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(int64_t));
}

static void places_round(const lc_topology *t, int64_t x, int64_t y, int64_t places[9][2])
{
    for (int i = 0; i < 9; i++) {
        int64_t to_x = x + i % 3 - 1, to_y = y + i / 3 - 1;
        bool shows = lc_topology_map(t, &to_x, &to_y);
        places[i][0] = shows ? to_x : -1;
        places[i][1] = shows ? to_y : -1;
    }
    qsort(places, 9, sizeof *places, compare_places);
}

static void check_unfolding_at(const char *name, const lc_topology *t, int64_t x, int64_t y)
{
    int64_t to_x = x, to_y = y;
    if (!lc_topology_map(t, &to_x, &to_y)) {
        assert_int_equal(t->kind, LC_TOPOLOGY_PLANE);
        return;
    }
    assert_true(t->width_cells == 0 ? to_x == x : to_x >= 0 && to_x < t->width_cells);
    assert_true(t->height_cells == 0 ? to_y == y : to_y >= 0 && to_y < t->height_cells);
    int64_t there[9][2], here[9][2];
    places_round(t, x, y, there);
    places_round(t, to_x, to_y, here);
    if (memcmp(there, here, sizeof here) != 0)
        fail_msg("%s: (%" PRId64 ", %" PRId64 ") has other neighbours than (%" PRId64 ", %" PRId64
                 "), which it shows",
                 name, x, y, to_x, to_y);
}

// The cells of a board that are alive, for what follows: any.
static bool is_live(int64_t x, int64_t y)
{
    return ((uint64_t)x * 0x9E3779B97F4A7C15u ^ (uint64_t)y * 0xC2B2AE3D27D4EB4Fu) >> 61 & 1;
}

typedef struct pieces {
    const char *name;
    const lc_topology *topology;
    lc_cells area;
    uint8_t seen[64][64];
} pieces;

// Each piece shows what the map says, cell by cell.
static lc_status check_piece(void *context, const lc_unfolded *p)
{
    pieces *c = context;
    uint64_t rows[64] = {0};
    for (int64_t y = 0; !p->is_dead && y < p->height_cells; y++)
        for (int64_t x = 0; x < p->width_cells; x++)
            rows[y] |= (uint64_t)is_live(p->x + x, p->y + y) << x;
    if (!p->is_dead)
        lc_unfolded_turn(p, rows);
    for (int64_t row = 0; row < p->rows; row++) {
        for (int64_t column = 0; column < p->columns; column++) {
            int64_t x = p->plane_x + column, y = p->plane_y + row;
            c->seen[y - c->area.y][x - c->area.x]++;
            const bool shows = lc_topology_map(c->topology, &x, &y);
            if (shows == p->is_dead || (rows[row] >> column & 1) != (shows && is_live(x, y)))
                fail_msg("%s: cell (%" PRId64 ", %" PRId64 ") of the unfolded plane is wrong",
                         c->name, p->plane_x + column, p->plane_y + row);
        }
        assert_int_equal(p->columns < 64 ? rows[row] >> p->columns : 0, 0);
    }
    return LC_OK;
}

static void test_unfolding_by_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const lc_topology t = parse_topology(shapes[i]);
        const lc_surface surface = lc_surface_of(&t);
        for (int n = 0; n < 60; n++) {
            pieces c = {.name = shapes[i], .topology = &t};
            c.area.x = random_below(300) - 150;
            c.area.y = random_below(300) - 150;
            if (n % 4 == 0)
                c.area.x = (int64_t)next_random() >> (4 + random_below(50));
            c.area.width_cells = 1 + random_below(64);
            c.area.height_cells = 1 + random_below(64);
            assert_int_equal(lc_unfold(&surface, &c.area, check_piece, &c), LC_OK);
            for (int64_t y = 0; y < c.area.height_cells; y++)
                for (int64_t x = 0; x < c.area.width_cells; x++)
                    assert_int_equal(c.seen[y][x], 1);
        }
    }
}

static void test_unfolding(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        lc_topology t = parse_topology(shapes[i]);
        for (int64_t y = -70; y <= 70; y++)
            for (int64_t x = -70; x <= 70; x++)
                check_unfolding_at(shapes[i], &t, x, y);
        for (int n = 0; n < 2000; n++) {
            int64_t x = (int64_t)next_random() >> (1 + random_below(60));
            int64_t y = (int64_t)next_random() >> (1 + random_below(60));
            check_unfolding_at(shapes[i], &t, x, y);
        }
    }
}

// x and y exchanged: the same cells. And where rows stack, the row above the first is the last.
static void test_turned(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const lc_topology t = parse_topology(shapes[i]), turned = lc_topology_turned(&t);
        const lc_frame frame = lc_frame_of(&t);
        const bool stacks = lc_frame_stacks(&frame);
        bool stacked = true;
        for (int64_t y = -70; y <= 70; y++) {
            for (int64_t x = -70; x <= 70; x++) {
                int64_t a = x, b = y, b2 = y, a2 = x;
                const bool is_cell = lc_topology_map(&t, &a, &b);
                assert_int_equal(lc_topology_map(&turned, &b2, &a2), is_cell);
                assert_true(!is_cell || (a == a2 && b == b2));
                int64_t c = x, d = y + t.height_cells;
                const bool below = lc_topology_map(&t, &c, &d);
                if (t.kind != LC_TOPOLOGY_PLANE && (!below || c != a || d != b))
                    stacked = false;
            }
        }
        const bool mirrored_alike = t.width_cells <= 2; // and not asked about
        if (stacks != stacked && !(stacked && mirrored_alike))
            fail_msg("%s: its rows are said %sto stack", shapes[i], stacks ? "" : "not ");
    }
}

// The ends of int64_t are coordinates like any other.
static void test_far_ends(void **state)
{
    (void)state;
    static const char *const huge[] = {
        "T2305843009213693952+2305843009213693951,1", "C2305843009213693952,2305843009213693952",
        "S2305843009213693952", "K2305843009213693952*+1,3", "K5,2305843009213693952*+1"};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        lc_topology t = parse_topology(huge[i]);
        static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, INT64_MAX - 1, INT64_MAX};
        for (size_t a = 0; a < 6; a++) {
            for (size_t b = 0; b < 6; b++) {
                int64_t x = ends[a], y = ends[b];
                assert_true(lc_topology_map(&t, &x, &y));
                assert_true(x >= 0 && x < t.width_cells && y >= 0 && y < t.height_cells);
            }
        }
    }
}

// Against Golly -----------------------------------------------------------------------------------

// A stepper that knows nothing but lc_topology_map.
static void step_naively(const lc_rule *rule, const lc_topology *t, uint8_t *cells)
{
    int64_t w = t->width_cells, h = t->height_cells;
    const lc_counts counts = counts_of(rule);
    uint8_t *next = test_malloc((size_t)(w * h));
    for (int64_t y = 0; y < h; y++) {
        for (int64_t x = 0; x < w; x++) {
            int neighbours = 0;
            for (int i = 0; i < 9; i++) {
                int64_t to_x = x + i % 3 - 1, to_y = y + i / 3 - 1;
                if (i != 4 && lc_topology_map(t, &to_x, &to_y))
                    neighbours += cells[to_y * w + to_x];
            }
            int mask = cells[y * w + x] ? counts.survival : counts.birth;
            next[y * w + x] = (uint8_t)(mask >> neighbours & 1);
        }
    }
    memcpy(cells, next, (size_t)(w * h));
    test_free(next);
}

static void sow(uint8_t *cells, size_t count, uint64_t seed)
{
    random_state = seed;
    for (size_t i = 0; i < count; i++)
        cells[i] = (next_random() & 3) == 0; // a quarter alive
}

static uint64_t fingerprint(const uint8_t *cells, size_t count) // FNV-1a
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ cells[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// The fingerprints of what bgolly 3.3 makes of sow(..., 1). To record more, run this program with
// LC_TEST_RECORD=1: it prints the lines from bgolly's cells.
static const struct {
    const char *rule;
    int generations;
    uint64_t fingerprint;
} recorded[] = {
#include "golly_topologies.inc"
};

enum { RECORDED = sizeof recorded / sizeof *recorded };

static void test_recorded(void **state)
{
    (void)state;
    for (size_t i = 0; i < RECORDED; i++) {
        lc_topology t;
        const lc_rule *rule = rule_and_topology(recorded[i].rule, &t);
        size_t count = (size_t)(t.width_cells * t.height_cells);
        uint8_t *cells = test_malloc(count);
        sow(cells, count, 1);
        for (int n = 0; n < recorded[i].generations; n++)
            step_naively(rule, &t, cells);
        if (fingerprint(cells, count) != recorded[i].fingerprint)
            fail_msg("%s differs from Golly after %d generations", recorded[i].rule,
                     recorded[i].generations);
        test_free(cells);
    }
}

// A macrocell file's quadtree, the one format in which bgolly keeps coordinates: leaves of 8 x 8
// cells as text, and nodes "level nw ne sw se" of line numbers.
typedef struct macrocell {
    char (*lines)[128];
    size_t count;
    uint8_t *cells;
    int64_t width, height, left, top; // the grid, in the file's coordinates
} macrocell;

static void draw_node(const macrocell *m, size_t line, int level, int64_t x, int64_t y)
{
    if (line == 0)
        return;
    const char *text = m->lines[line - 1];
    if (level == 3) {
        int64_t at_x = x, at_y = y;
        for (; *text != '\0' && *text != '\n'; text++) {
            if (*text == '$') {
                at_x = x;
                at_y++;
                continue;
            }
            if (*text == '*') {
                int64_t column = at_x - m->left, row = at_y - m->top;
                assert_in_range(column, 0, m->width - 1);
                assert_in_range(row, 0, m->height - 1);
                m->cells[row * m->width + column] = 1;
            }
            at_x++;
        }
        return;
    }
    int own;
    size_t nw, ne, sw, se;
    assert_int_equal(sscanf(text, "%d %zu %zu %zu %zu", &own, &nw, &ne, &sw, &se), 5);
    assert_int_equal(own, level);
    int64_t half = INT64_C(1) << (level - 1);
    draw_node(m, nw, level - 1, x, y);
    draw_node(m, ne, level - 1, x + half, y);
    draw_node(m, sw, level - 1, x, y + half);
    draw_node(m, se, level - 1, x + half, y + half);
}

static void read_macrocell(const char *path, const lc_topology *t, uint8_t *cells)
{
    macrocell m = {.cells = cells, .width = t->width_cells, .height = t->height_cells};
    m.left = -(m.width / 2);
    m.top = -(m.height / 2) - 1; // the file's rows are one higher than Golly's
    enum { MOST = 20000 };
    m.lines = test_malloc(MOST * sizeof *m.lines);
    memset(cells, 0, (size_t)(m.width * m.height));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[128];
    while (fgets(line, sizeof line, file) != NULL) {
        if (strchr("[#\n", line[0]) != NULL)
            continue;
        assert_true(m.count < MOST);
        memcpy(m.lines[m.count++], line, sizeof line);
    }
    (void)fclose(file);
    const char *root = m.count > 0 ? m.lines[m.count - 1] : "";
    if (root[0] >= '0' && root[0] <= '9') {
        int level = atoi(root);
        draw_node(&m, m.count, level, -(INT64_C(1) << (level - 1)), -(INT64_C(1) << (level - 1)));
    } else if (m.count > 0) {
        draw_node(&m, 1, 3, -4, -4);
    }
    test_free(m.lines);
}

static bool have_bgolly(void)
{
    return system("command -v bgolly >/dev/null 2>&1") == 0;
}

// What bgolly makes of the cells, which become the result.
static void step_with_bgolly(const char *folder, const char *rule, const lc_topology *t,
                             int generations, uint8_t *cells)
{
    char in[256], out[256], command[1024];
    (void)snprintf(in, sizeof in, "%s/in.rle", folder);
    (void)snprintf(out, sizeof out, "%s/out.mc", folder);
    FILE *file = fopen(in, "w");
    assert_non_null(file);
    // As large as the universe, so that Golly puts it at the top left corner.
    (void)fprintf(file, "x = %" PRId64 ", y = %" PRId64 ", rule = %s\n", t->width_cells,
                  t->height_cells, rule);
    for (int64_t y = 0; y < t->height_cells; y++) {
        for (int64_t x = 0; x < t->width_cells; x++)
            (void)fputc(cells[y * t->width_cells + x] ? 'o' : 'b', file);
        (void)fputs(y + 1 == t->height_cells ? "!\n" : "$\n", file);
    }
    assert_int_equal(fclose(file), 0);
    (void)snprintf(command, sizeof command,
                   "bgolly -a HashLife -q -q -m %d -o '%s' '%s' >/dev/null 2>&1", generations, out,
                   in);
    assert_int_equal(system(command), 0);
    read_macrocell(out, t, cells);
    (void)unlink(in);
    (void)unlink(out);
}

static void compare_with_bgolly(const char *folder, const char *rule_text, int generations,
                                uint64_t seed, bool record)
{
    lc_topology t;
    const lc_rule *rule = rule_and_topology(rule_text, &t);
    size_t count = (size_t)(t.width_cells * t.height_cells);
    uint8_t *ours = test_malloc(count), *golly = test_malloc(count);
    sow(ours, count, seed);
    memcpy(golly, ours, count);
    step_with_bgolly(folder, rule_text, &t, generations, golly);
    if (record)
        print_message("    {\"%s\", %d, UINT64_C(0x%016" PRIx64 ")},\n", rule_text, generations,
                      fingerprint(golly, count));
    for (int n = 0; n < generations; n++)
        step_naively(rule, &t, ours);
    for (size_t i = 0; i < count; i++) {
        if (ours[i] != golly[i])
            fail_msg("%s, seed %" PRIu64 ": cell (%zu, %zu) is %d after %d generations, in bgolly "
                     "%d",
                     rule_text, seed, i % (size_t)t.width_cells, i / (size_t)t.width_cells, ours[i],
                     generations, golly[i]);
    }
    test_free(ours);
    test_free(golly);
}

static void test_live(void **state)
{
    (void)state;
    if (!have_bgolly())
        skip();
    bool record = getenv("LC_TEST_RECORD") != NULL;
    char folder[] = "/tmp/lightcone-topology-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < RECORDED; i++)
        compare_with_bgolly(folder, recorded[i].rule, recorded[i].generations, record ? 1 : 2,
                            record);
    assert_int_equal(rmdir(folder), 0);
}

// Halos -------------------------------------------------------------------------------------------

// Margins and all, the grid as it should be after filling: cells by lc_topology_map, and everything
// else as it was.
static void check_halo(const lc_grid *grid, const lc_grid *before, const lc_topology *t,
                       int64_t depth, const char *name)
{
    int64_t w = grid->width_cells, h = grid->height_cells;
    int64_t right = (int64_t)grid->pitch_words * 64 - grid->left_cells;
    for (int64_t y = -grid->margin_rows; y < h + grid->margin_rows; y++) {
        const uint64_t *row = lc_grid_row(grid, y), *old = lc_grid_row(before, y);
        for (int64_t x = -grid->left_cells; x < right; x++) {
            bool in_reach = x >= -depth && x < w + depth && y >= -depth && y < h + depth;
            bool inside = x >= 0 && x < w && y >= 0 && y < h;
            bool was = old[x >> 6] >> (x & 63) & 1;
            bool is = row[x >> 6] >> (x & 63) & 1;
            bool expected = was;
            if (in_reach && !inside) {
                int64_t from_x = x, from_y = y;
                expected = lc_topology_map(t, &from_x, &from_y) &&
                           (lc_grid_row(before, from_y)[from_x >> 6] >> (from_x & 63) & 1);
            }
            if (is != expected)
                fail_msg("%s, depth %" PRId64 ": (%" PRId64 ", %" PRId64 ") is %d, was %d", name,
                         depth, x, y, is, was);
        }
    }
}

// A halo in margins of so many columns and rows, of which it has to leave the rest alone.
static void check_halo_in(const char *name, int64_t depth, int64_t margin_columns,
                          int64_t margin_rows)
{
    lc_topology t = parse_topology(name);
    lc_grid grid, before;
    assert_int_equal(
        lc_grid_init(&grid, NULL, t.width_cells, t.height_cells, margin_columns, margin_rows),
        LC_OK);
    assert_int_equal(
        lc_grid_init(&before, NULL, t.width_cells, t.height_cells, margin_columns, margin_rows),
        LC_OK);
    assert_int_equal(grid.size_bytes, before.size_bytes);
    for (size_t i = 0; i < grid.size_bytes / 8; i++)
        grid.words[i] = before.words[i] = next_random();

    const lc_halo halo = {&t, depth, LC_HALO_ALL};
    size_t tasks = lc_halo_tasks(&grid, &halo);
    assert_in_range(tasks, 1, 100000);
    size_t *order = test_malloc(tasks * sizeof *order);
    for (size_t i = 0; i < tasks; i++) { // a random order, built from the inside out
        size_t j = (size_t)random_below((int64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < tasks; i++)
        lc_halo_fill(&grid, &halo, order[i]);
    check_halo(&grid, &before, &t, depth, name);
    size_t used = (size_t)(t.height_cells + 2 * grid.margin_rows) * grid.pitch_words;
    assert_memory_equal(grid.words + used, before.words + used,
                        grid.size_bytes - used * sizeof *grid.words);
    test_free(order);
    lc_grid_free(&grid);
    lc_grid_free(&before);
}

static void check_halo_of(const char *name, int64_t depth, int64_t spare_columns,
                          int64_t spare_rows)
{
    check_halo_in(name, depth, depth + spare_columns, depth + spare_rows);
}

// A topology of every kind in that size.
static void check_halos_of_size(int64_t w, int64_t h, int64_t depth)
{
    char name[128];
    int64_t shift_x = random_below(w), shift_y = random_below(h);
    int spare = (int)random_below(3) * 40;
    const struct {
        bool fits;
        const char *format;
    } kinds[] = {
        {true, "P%d,%d"},  {true, "T%d,%d"},  {true, "T%d+%d,%d"},       {true, "T%d,%d-%d"},
        {true, "K%d*,%d"}, {true, "K%d,%d*"}, {w % 2 == 0, "K%d*+1,%d"}, {h % 2 == 0, "K%d,%d*+1"},
        {true, "C%d,%d"},  {true, "S%d"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].fits)
            continue;
        if (i == 2)
            (void)snprintf(name, sizeof name, "T%d+%d,%d", (int)w, (int)shift_x, (int)h);
        else if (i == 3)
            (void)snprintf(name, sizeof name, "T%d,%d-%d", (int)w, (int)h, (int)shift_y);
        else
            (void)snprintf(name, sizeof name, kinds[i].format, (int)w, (int)h);
        check_halo_of(name, depth, spare, spare / 2);
    }
}

static void test_halos_small(void **state)
{
    (void)state;
    random_state = 7;
    for (int64_t w = 1; w <= 130; w++) {
        check_halos_of_size(w, 1 + 2 * random_below(35), 1 + random_below(70));
        check_halos_of_size(w, 1 + random_below(6), 1 + random_below(9));
    }
    static const int64_t sides[] = {1, 2, 3, 63, 64, 65, 127, 128, 129};
    static const int64_t depths[] = {1, 63, 64, 65, 128};
    for (size_t i = 0; i < 9; i++)
        for (size_t j = 0; j < 5; j++)
            check_halos_of_size(sides[i], sides[(i + j) % 9], depths[j]);
}

// Large enough for many tasks, long runs and whole transposed blocks.
static void test_halos_large(void **state)
{
    (void)state;
    random_state = 8;
    static const char *const names[] = {
        "P1500,900",  "T1500,900",    "T1536+77,900", "T1500,1024-77", "K1500*,900",
        "K1500,900*", "K1500*+1,901", "K1501,900*+1", "C1500,900",     "C1537,1024",
        "S1024",      "S1100",        "S1279",        "T5000,3",       "T3,5000",
        "C5001,2",    "C2,5001",      "K4001*,7",     "K7,4001*",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_halo_of(names[i], 64, 0, 0);
        check_halo_of(names[i], 1 + random_below(128), random_below(70), random_below(3));
    }
}

// Without margin rows the columns are filled, and nothing else is touched.
static void test_halos_of_columns(void **state)
{
    (void)state;
    random_state = 9;
    static const char *const names[] = {"P3,1",  "T1,1",      "T5,2",      "T9,16-3",
                                        "K7,5*", "K700,4*+1", "T5000,3",   "T200000,16",
                                        "P64,8", "T128,1",    "P100000,2", "K90000,16*"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_halo_in(names[i], 1 + random_below(128), 128, 0);
}

static void test_halo_tasks(void **state)
{
    (void)state;
    lc_topology t = parse_topology("T100,100");
    lc_grid grid;
    assert_int_equal(lc_grid_init(&grid, NULL, 100, 100, 32, 32), LC_OK);
    assert_int_equal(lc_halo_tasks(&grid, &(lc_halo){&t, 32, LC_HALO_ALL}),
                     1); // not worth a thread
    assert_int_equal(lc_halo_tasks(&grid, &(lc_halo){&t, 0, LC_HALO_ALL}), 1);
    lc_halo_fill(&grid, &(lc_halo){&t, 0, LC_HALO_ALL}, 0);
    lc_grid_free(&grid);
    t = parse_topology("T2048,2048");
    assert_int_equal(lc_grid_init(&grid, NULL, 2048, 2048, 128, 128), LC_OK);
    assert_in_range(lc_halo_tasks(&grid, &(lc_halo){&t, 128, LC_HALO_ALL}), 4, 64);
    lc_grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_unfolding),
        cmocka_unit_test(test_unfolding_by_pieces),
        cmocka_unit_test(test_far_ends),
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_halos_small),
        cmocka_unit_test(test_halos_large),
        cmocka_unit_test(test_halo_tasks),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_halos_of_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
