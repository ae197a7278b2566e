// Fuzzes the sparse engine: bytes become edits, steps and looks, done by it and by a dense engine,
// and every look must show the same. An input begins with 5 bytes: the rule, threads and the
// reference, where it all happens, and on which surface; then come operations of 6 bytes each. At
// the end it says how many were made; steps without a generation left do not count.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/lightcone.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
    uint64_t inputs, edits, steps, looks;
} made;

static void print_made(void)
{
    (void)fprintf(stderr,
                  "operations: %" PRIu64 " edits, %" PRIu64 " steps, %" PRIu64 " looks in %" PRIu64
                  " inputs\n",
                  made.edits, made.steps, made.looks, made.inputs);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return atexit(print_made);
}

enum { HEAD_BYTES = 5, OPERATION_BYTES = 6, OPERATIONS_MAX = 300, LOOK = 96, PICTURE = 12 };

static const struct {
    const char *rule;
    uint64_t generations; // at most, in one input
} rules[] = {
    {"B3/S23", 3000}, {"B36/S23", 1000}, {"B3678/S34678", 400},
    {"B2/S", 60},     {"B01/S23", 40}, // a background that blinks
    {"B03/S238", 60},                  // one that stays alive
};

// Of all kinds, and the plane as often as all others.
static const lc_topology surfaces[] = {
    {LC_TOPOLOGY_TORUS, 96, 96, 0, 0, false, false},
    {LC_TOPOLOGY_TORUS, 131, 70, 5, 0, false, false},
    {LC_TOPOLOGY_TORUS, 31, 0, 0, 0, false, false},
    {LC_TOPOLOGY_TORUS, 0, 130, 0, 0, false, false},
    {LC_TOPOLOGY_PLANE, 100, 75, 0, 0, false, false},
    {LC_TOPOLOGY_PLANE, 200, 0, 0, 0, false, false},
    {LC_TOPOLOGY_KLEIN_BOTTLE, 65, 90, 0, 0, true, false},
    {LC_TOPOLOGY_KLEIN_BOTTLE, 90, 64, 0, 0, false, true},
    {LC_TOPOLOGY_CROSS_SURFACE, 128, 33, 0, 0, false, false},
    {LC_TOPOLOGY_SPHERE, 97, 97, 0, 0, false, false},
};

static const char *const objects[] = {
    "bob$2bo$3o!",
    "3o!",
    "2o$2o!",
    "2bo4bo$2ob4ob2o$2bo4bo!",
    "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$"
    "2b3o3b3o!",
    "24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$"
    "11bo3bo$12b2o!",
};

typedef struct both {
    lc_universe *universes[2]; // the sparse one, and the other
    int64_t x, y;              // where it all happens
    uint64_t left;             // generations
    lc_topology topology;
} both;

static void require(int condition)
{
    if (!condition)
        abort();
}

// False: there is no such universe, as strips have no background.
static bool create(both *b, const uint8_t *head)
{
    static lc_context *context; // for all inputs: its threads go on
    const lc_context_options context_options = {.struct_bytes = sizeof context_options,
                                                .threads = 3};
    if (context == NULL)
        require(lc_context_create(&context, &context_options, NULL) == LC_OK);
    const size_t surface = head[4] % (2 * sizeof surfaces / sizeof *surfaces);
    b->topology = (lc_topology){.kind = LC_TOPOLOGY_PLANE};
    if (surface < sizeof surfaces / sizeof *surfaces)
        b->topology = surfaces[surface];
    const size_t rule = head[0] % (sizeof rules / sizeof *rules);
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = context,
                                   .rule_text = rules[rule].rule,
                                   .topology = b->topology,
                                   .engine = "sparse",
                                   .threads = head[1] % 4 == 0 ? 3 : 1,
                                   .audit_generations = head[1] % 128 == 1 ? 200 : 0,
                                   .every_generation = head[1] / 64 != 0};
    const lc_status status = lc_universe_create(&b->universes[0], &options, NULL);
    const bool is_slow = head[1] % 16 == 15;
    options.engine = is_slow ? "scalar" : "simd";
    options.threads = 1;
    options.audit_generations = 0;
    require(lc_universe_create(&b->universes[1], &options, NULL) == status);
    if (status != LC_OK)
        return false;
    // The lowest bits move it against the tiles, the others far away.
    b->x = head[2] % 64;
    b->y = head[3] % 64;
    if (b->topology.width_cells == 0)
        b->x += (head[2] / 64 - 1) * (INT64_C(1) << 40);
    if (b->topology.height_cells == 0)
        b->y += (head[3] / 64 - 1) * (INT64_C(1) << 60);
    b->left = rules[rule].generations / (is_slow ? 60 : 1);
    return true;
}

static void load(const both *b, const char *object, int64_t x, int64_t y)
{
    made.edits++;
    lc_status statuses[2];
    for (int i = 0; i < 2; i++) {
        lc_pattern *pattern;
        const lc_count generation = lc_universe_generation(b->universes[i]);
        require(lc_pattern_open_memory(&pattern, object, strlen(object), NULL) == LC_OK);
        statuses[i] = lc_universe_load(b->universes[i], pattern, x, y, NULL);
        lc_universe_set_generation(b->universes[i], generation);
        lc_pattern_close(&pattern);
    }
    require(statuses[0] == statuses[1]); // it may lie beyond an edge
}

// A rectangle up to 64 cells wide, whose rows are the same byte again and again.
static void write(const both *b, int64_t x, int64_t y, uint8_t size, uint8_t row)
{
    made.edits++;
    uint64_t words[16];
    const lc_cells cells = {.x = x,
                            .y = y,
                            .width_cells = 1 + size % 64,
                            .height_cells = 1 + size % 16,
                            .planes = 1,
                            .words = words,
                            .pitch_words = 1};
    for (uint64_t i = 0; i < 16; i++)
        words[i] = row * (UINT64_C(0x0101010101010101) << i);
    lc_status statuses[2];
    for (int i = 0; i < 2; i++)
        statuses[i] = lc_universe_write(b->universes[i], &cells, NULL);
    require(statuses[0] == statuses[1]);
}

static void step(both *b, uint64_t generations)
{
    const uint64_t some = generations < b->left ? generations : b->left;
    made.steps += some > 0;
    b->left -= some;
    for (int i = 0; i < 2; i++)
        require(lc_universe_step(b->universes[i], lc_count_of(some), NULL, NULL, NULL) == LC_OK);
}

static void compare_cells(const both *b, int64_t x, int64_t y)
{
    made.looks++;
    uint64_t words[2][LOOK * 3];
    memset(words, 0, sizeof words);
    for (int i = 0; i < 2; i++) {
        const lc_cells cells = {.x = x,
                                .y = y,
                                .width_cells = LOOK + 37,
                                .height_cells = LOOK,
                                .planes = 1,
                                .words = words[i],
                                .pitch_words = 3};
        require(lc_universe_read(b->universes[i], &cells, NULL) == LC_OK);
    }
    require(memcmp(words[0], words[1], sizeof words[0]) == 0);
}

static void compare_counts(const both *b, int64_t x, int64_t y, int64_t side)
{
    made.looks++;
    uint32_t counts[2][PICTURE * PICTURE];
    for (int i = 0; i < 2; i++)
        require(lc_universe_counts(b->universes[i], x, y, side, PICTURE, PICTURE, counts[i],
                                   NULL) == LC_OK);
    require(memcmp(counts[0], counts[1], sizeof counts[0]) == 0);
}

static void compare_facts(const both *b, unsigned which)
{
    made.looks++;
    lc_facts facts[2];
    for (int i = 0; i < 2; i++)
        require(lc_universe_facts(b->universes[i], which, &facts[i], NULL) == LC_OK);
    const lc_box p = facts[0].box, q = facts[1].box;
    require(lc_universe_background(b->universes[0]) == lc_universe_background(b->universes[1]));
    if ((which & LC_FACT_POPULATION) != 0)
        require(lc_count_compare(facts[0].population, facts[1].population) == 0);
    if ((which & LC_FACT_BOX) != 0)
        require(p.empty == q.empty && p.x == q.x && p.y == q.y && p.width_cells == q.width_cells &&
                p.height_cells == q.height_cells);
    if ((which & LC_FACT_HASH) != 0)
        require(facts[0].hash == facts[1].hash);
}

static int64_t within(int64_t coordinate, int64_t side)
{
    return side == 0 ? coordinate : (coordinate % side + side) % side;
}

static void operate(both *b, const uint8_t *o)
{
    const int64_t x = within(b->x + (int8_t)o[1] + o[3] % 4 * 64, b->topology.width_cells);
    const int64_t y = within(b->y + (int8_t)o[2] + o[3] / 64 * 32, b->topology.height_cells);
    switch (o[0] % 12) {
    case 0:
        step(b, 1 + o[4] % 16u);
        break;
    case 1:
        step(b, 15u * (1 + o[4] % 4u));
        break;
    case 2:
        step(b, o[4]);
        break;
    case 3:
        write(b, x, y, o[4], o[5]);
        break;
    case 4:
        write(b, x, y, o[4], 0);
        break;
    case 5:
        load(b, objects[o[4] % (sizeof objects / sizeof *objects)], x, y);
        break;
    case 6:
        compare_cells(b, x, y);
        break;
    case 7:
        compare_counts(b, x - o[5], y, INT64_C(1) << o[4] % 12);
        break;
    case 8:
        compare_facts(b, o[4] % (LC_FACT_ALL + 1u));
        break;
    default:
        made.edits++;
        for (int i = 0; i < 2; i++)
            require(lc_universe_set(b->universes[i], x, y, o[4] % 2 == 0, NULL) == LC_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    both b = {0};
    uint8_t head[HEAD_BYTES] = {0};
    memcpy(head, data, size < HEAD_BYTES ? size : HEAD_BYTES);
    if (!create(&b, head))
        return 0;
    made.inputs++;
    const size_t whole = size < HEAD_BYTES ? 0 : (size - HEAD_BYTES) / OPERATION_BYTES;
    const size_t count = whole < OPERATIONS_MAX ? whole : OPERATIONS_MAX;
    for (size_t i = 0; i < count; i++)
        operate(&b, data + HEAD_BYTES + i * OPERATION_BYTES);
    compare_facts(&b, LC_FACT_ALL);
    for (int i = 0; i < 2; i++)
        lc_universe_destroy(&b.universes[i]);
    return 0;
}
