// Builds decision diagrams of rules.
#include "logic/diagram.h"

#include <string.h>

#include "base/mix.h"

enum {
    CELLS = 9,
    NEIGHBOURHOODS = 1 << CELLS,
    STARTS = 6,
    FIRST = 2,
    NODES_MAX = FIRST + LC_DIAGRAM_STEPS_MAX,
};

// Node 0 is dead and node 1 alive. Every other node selects one of two earlier nodes.
typedef struct nodes {
    int count;
    uint8_t cell[NODES_MAX];
    uint8_t low[NODES_MAX], high[NODES_MAX];
    uint8_t root;
} nodes;

// Hash table: index of a node by its two children. Entries are never cleared; the reader checks
// each.
typedef uint8_t child_index[NODES_MAX][NODES_MAX];

static uint8_t find_or_add(nodes *n, child_index at, int from, int cell, uint8_t low, uint8_t high)
{
    if (low == high)
        return low;
    int i = at[low][high];
    if (i < from || i >= n->count || n->low[i] != low || n->high[i] != high) {
        i = n->count++;
        n->cell[i] = (uint8_t)cell, n->low[i] = low, n->high[i] = high;
        at[low][high] = (uint8_t)i;
    }
    return (uint8_t)i;
}

// Builds the diagram that tests cell order[0] first, from the leaves up.
static void build(nodes *n, child_index at, const uint8_t lives[NEIGHBOURHOODS],
                  const uint8_t order[CELLS])
{
    uint16_t neighbourhood[NEIGHBOURHOODS] = {0};
    uint8_t made[NEIGHBOURHOODS];
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < NEIGHBOURHOODS; j += 2 << (CELLS - 1 - i))
            neighbourhood[j + (1 << (CELLS - 1 - i))] =
                (uint16_t)(neighbourhood[j] | 1 << (CELLS - 1 - order[i]));
    for (int j = 0; j < NEIGHBOURHOODS; j++)
        made[j] = lives[neighbourhood[j]];
    n->count = FIRST;
    for (int i = CELLS - 1; i >= 0; i--) {
        const int from = n->count;
        for (int j = 0; j < 1 << i; j++)
            made[j] = find_or_add(n, at, from, order[i], made[2 * j], made[2 * j + 1]);
    }
    n->root = made[0];
}

static void exchange(uint8_t order[CELLS], int i, int j)
{
    const uint8_t cell = order[i];
    order[i] = order[j];
    order[j] = cell;
}

// Swaps cells of the order while a swap makes the diagram smaller.
static void improve(nodes *best, child_index at, const uint8_t lives[NEIGHBOURHOODS],
                    uint8_t order[CELLS])
{
    nodes n;
    build(&n, at, lives, order);
    int count = n.count;
    for (bool better = true; better;) {
        better = false;
        for (int i = 0; i < CELLS; i++) {
            for (int j = i + 1; j < CELLS; j++) {
                exchange(order, i, j);
                build(&n, at, lives, order);
                if (n.count < count) {
                    count = n.count;
                    better = true;
                } else {
                    exchange(order, i, j);
                }
            }
        }
    }
    if (count < best->count)
        build(best, at, lives, order);
}

// Writing the steps ----------------------------------------------------------------------------

typedef struct writer {
    const nodes *n;
    lc_diagram *diagram;
    uint8_t uses[NODES_MAX]; // uses not written yet
    uint8_t slot[NODES_MAX]; // 0, a cell's slot: none yet
    uint8_t unused[LC_DIAGRAM_SLOTS_MAX];
    int unused_count;
} writer;

static bool is_cell(const nodes *n, int i)
{
    return i >= FIRST && n->low[i] == 0 && n->high[i] == 1;
}

static uint8_t take_slot(writer *w)
{
    return w->unused_count > 0 ? w->unused[--w->unused_count] : (uint8_t)w->diagram->slots++;
}

static void use(writer *w, int i)
{
    if (--w->uses[i] == 0 && w->slot[i] >= LC_DIAGRAM_MADE)
        w->unused[w->unused_count++] = w->slot[i];
}

// Writes the nodes that node i uses, then node i. A diagram is at most nine nodes deep.
static void write_node(writer *w, int i)
{
    const nodes *n = w->n;
    if (i < FIRST || w->slot[i] != 0)
        return;
    if (is_cell(n, i)) {
        w->slot[i] = n->cell[i];
        return;
    }
    write_node(w, n->low[i]);
    write_node(w, n->high[i]);
    const uint8_t low = w->slot[n->low[i]], high = w->slot[n->high[i]];
    use(w, n->low[i]);
    use(w, n->high[i]);
    w->slot[i] = take_slot(w);
    w->diagram->step[w->diagram->steps++] = (lc_diagram_step){w->slot[i], n->cell[i], high, low};
}

static void write_diagram(lc_diagram *diagram, const nodes *n)
{
    writer w = {.n = n, .diagram = diagram, .slot = {LC_DIAGRAM_DEAD, LC_DIAGRAM_LIVE}};
    *diagram = (lc_diagram){.slots = LC_DIAGRAM_MADE};
    for (int i = FIRST; i < n->count; i++) {
        w.uses[n->low[i]] = (uint8_t)(w.uses[n->low[i]] + 1);
        w.uses[n->high[i]] = (uint8_t)(w.uses[n->high[i]] + 1);
    }
    write_node(&w, n->root);
    diagram->next = w.slot[n->root];
}

static bool make_diagram(lc_cache *cache, void *value, const void *key, void *argument)
{
    (void)cache;
    (void)argument;
    const uint8_t *table = key;
    uint8_t lives[NEIGHBOURHOODS];
    for (unsigned i = 0; i < NEIGHBOURHOODS; i++)
        lives[i] = table[i / 8] >> (7 - i % 8) & 1;
    nodes best = {.count = INT16_MAX};
    child_index at = {{0}};
    for (uint64_t start = 0; start < STARTS; start++) {
        uint8_t order[CELLS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        for (int i = CELLS - 1; i > 0 && start > 0; i--)
            exchange(order, i, (int)(lc_mixed(start << 8 | (uint64_t)i) % (uint64_t)(i + 1)));
        improve(&best, at, lives, order);
    }
    write_diagram(value, &best);
    return true;
}

void lc_diagram_build(lc_diagram *diagram, const uint8_t table[64], lc_cache *cache)
{
    static const lc_cache_kind diagrams = {
        .key_bytes = 64, .value_bytes = sizeof(lc_diagram), .make = make_diagram};
    (void)lc_cache_copy(cache, &diagrams, table, NULL, diagram);
}
