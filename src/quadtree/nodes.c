// The table of nodes: looking up, growing, freeing.
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "quadtree/store.h"

enum {
    BLOCK = 32, // look-ups in flight, and as many in hand
    AHEAD = 16, // nodes that are moved, at each place where memory is waited for
    SOME = 64,  // those of which something is kept; a power of two
    LEVELS = 256,
    PARTS = 64,             // that are moved on their own when the table grows,
    LEAST_SHARED = 1 << 14, // by several threads if there are so many nodes
    PLACES = 0x00FFFFFF,    // flags of lines, beside the levels of their nodes
    IS_PASSED = 1 << 24,    // there was no place left, and the next line may have what belongs here
    IS_LOCKED = 1 << 25,    // somebody writes
    // From there on, two bits for each place: its node was found of late, and more than once.
    USES_SHIFT = 26,
};

// Of the table's places, so many may be taken: the fuller it is, the more lines are looked at. If
// there is no memory for a larger one, it gets fuller.
static const double full = 0.6, fullest = 0.85;
static const double least_growth = 1.25;
static const uint64_t most_lines = UINT64_C(1) << 29; // so that numbers are below 2^31

static inline uint64_t hash_of(const lc_square child[4])
{
    const uint64_t a = child[0] | (uint64_t)child[1] << 32;
    const uint64_t b = child[2] | (uint64_t)child[3] << 32;
    return lc_folded(lc_folded(a ^ UINT64_C(0x9E3779B97F4A7C15), b ^ UINT64_C(0xD6E8FEB86659FD93)),
                     UINT64_C(0xA0761D6478BD642F));
}

static inline uint64_t home_of(const lc_square child[4], uint64_t line_count)
{
    return (hash_of(child) >> 32) * line_count >> 32;
}

static inline uint64_t after(uint64_t line, uint64_t line_count)
{
    return line + 1 < line_count ? line + 1 : 0;
}

static inline int level_at(uint32_t state, int place)
{
    return (int)(state >> 8 * place & 0xFF);
}

// The first place that is free; LC_NODES_OF_LINE: none is.
static inline int free_place(uint32_t state)
{
    int place = 0;
    while (place < LC_NODES_OF_LINE && level_at(state, place) != 0)
        place++;
    return place;
}

// Look-ups ----------------------------------------------------------------------------------------

static LC_RACY bool are_same(const lc_square a[4], const lc_square b[4])
{
    uint64_t x[2], y[2];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

// Which of a line's places have those four squares, a bit each. Somebody may just be writing to one
// that is not in use yet: what was read there does not matter.
static LC_RACY uint32_t places_with(const lc_node_line *line, const lc_square child[4])
{
    const lc_node *n = line->nodes;
    return (uint32_t)are_same(n[0].child, child) | (uint32_t)are_same(n[1].child, child) << 1 |
           (uint32_t)are_same(n[2].child, child) << 2;
}

// The place of a node in a line; -1: it has none.
static inline int place_of(const lc_node_line *line, uint32_t state, const lc_square child[4])
{
    const uint32_t found = places_with(line, child);
    if (found == 0)
        return -1;
    const int place = __builtin_ctz(found);
    return level_at(state, place) != 0 ? place : -1;
}

// The level of a node of these squares, not all dead.
static int level_of(const lc_nodes *nodes, const lc_square child[4])
{
    int k = 0;
    while (child[k] == 0)
        k++;
    if (lc_square_is_leaf(child[k]))
        return LC_LEAF_LOG2 + 1;
    const uint32_t state = __atomic_load_n(&nodes->lines[child[k] / 4].state, __ATOMIC_RELAXED);
    return level_at(state, child[k] % 4) + 1;
}

static uint32_t lock(lc_node_line *line)
{
    uint32_t state;
    do
        state = __atomic_fetch_or(&line->state, IS_LOCKED, __ATOMIC_ACQUIRE);
    while ((state & IS_LOCKED) != 0);
    return state;
}

static inline void set_state(lc_node_line *line, uint32_t state)
{
    __atomic_store_n(&line->state, state, __ATOMIC_RELEASE);
}

static inline uint32_t used_once(int place)
{
    return UINT32_C(1) << (USES_SHIFT + 2 * place);
}

// Whoever has locked the line may take that back.
static inline void note_use(const lc_store *store, lc_node_line *line, uint32_t state, int place)
{
    const uint32_t once = used_once(place), often = once << 1;
    if (!store->notes_uses || (state & often) != 0)
        return;
    const uint32_t use = (state & once) != 0 ? often : once;
    if (store->is_shared)
        __atomic_fetch_or(&line->state, use, __ATOMIC_RELAXED);
    else
        line->state = state | use;
}

void lc_store_note_use(const lc_store *store, lc_square node)
{
    lc_node_line *line = &store->nodes.lines[node / 4];
    note_use(store, line, __atomic_load_n(&line->state, __ATOMIC_RELAXED), (int)(node % 4));
}

int lc_store_uses(const lc_store *store, lc_square node)
{
    const uint32_t state = store->nodes.lines[node / 4].state, once = used_once((int)(node % 4));
    return (state & once << 1) != 0 ? LC_USES_MOST : (state & once) != 0 ? 1 : 0;
}

static lc_square find_node(lc_store *store, lc_stock *stock, int log2, uint64_t home,
                           const lc_square child[4])
{
    lc_node_line *lines = store->nodes.lines;
    for (;;) { // again after a line got full or somebody else was faster
        uint64_t at = home, roomy = UINT64_MAX;
        for (;; at = after(at, store->nodes.line_count)) {
            const uint32_t state = __atomic_load_n(&lines[at].state, __ATOMIC_ACQUIRE);
            const int place = place_of(&lines[at], state, child);
            if (place >= 0) {
                note_use(store, &lines[at], state, place);
                return (lc_square)(at * 4 + (unsigned)place);
            }
            if (roomy == UINT64_MAX && free_place(state) < LC_NODES_OF_LINE)
                roomy = at;
            if ((state & IS_PASSED) == 0)
                break;
        }
        const bool has_room = roomy != UINT64_MAX;
        at = has_room ? roomy : at;
        lc_node_line *line = &lines[at];
        const uint32_t state = store->is_shared ? lock(line) : line->state;
        const int made = store->is_shared ? place_of(line, state, child) : -1;
        const int place = free_place(state);
        if (made >= 0) {
            set_state(line, state);
            return (lc_square)(at * 4 + (unsigned)made);
        }
        if (place == LC_NODES_OF_LINE) {
            set_state(line, has_room ? state : state | IS_PASSED);
            continue;
        }
        memcpy(line->nodes[place].child, child, sizeof line->nodes[place].child);
        line->nodes[place].result = LC_RESULT_NONE;
        const int level = log2 != 0 ? log2 : level_of(&store->nodes, child);
        set_state(line, state | (uint32_t)level << 8 * place);
        stock->nodes--;
        stock->made_nodes++;
        return (lc_square)(at * 4 + (unsigned)place);
    }
}

static inline bool is_dead(const lc_square child[4])
{
    return (child[0] | child[1] | child[2] | child[3]) == 0;
}

// Look-ups whose lines are being fetched.
typedef struct fetched {
    size_t count;
    uint32_t homes[BLOCK], keys[BLOCK];
} fetched;

// Those of the keys from `first` on; the dead are found at once.
static inline void fetch(const lc_nodes *nodes, const lc_square (*children)[4], size_t first,
                         size_t count, lc_square *found, lc_square *results, fetched *f)
{
    const size_t end = first + BLOCK < count ? first + BLOCK : count;
    f->count = 0;
    for (size_t i = first; i < end; i++) {
        found[i] = results[i] = 0;
        if (is_dead(children[i]))
            continue;
        const uint64_t home = home_of(children[i], nodes->line_count);
        __builtin_prefetch(&nodes->lines[home], 1);
        f->homes[f->count] = (uint32_t)home;
        f->keys[f->count] = (uint32_t)i;
        f->count++;
    }
}

// Where a line was passed the next one is needed, too.
static inline void fetch_next(const lc_nodes *nodes, const fetched *f)
{
    for (size_t k = 0; k < f->count; k++) {
        const uint64_t home = f->homes[k];
        if ((__atomic_load_n(&nodes->lines[home].state, __ATOMIC_RELAXED) & IS_PASSED) != 0)
            __builtin_prefetch(&nodes->lines[after(home, nodes->line_count)], 1);
    }
}

// Most are in the first line that is looked at.
static inline void look_up(lc_store *store, lc_stock *stock, int log2, const fetched *f,
                           const lc_square (*children)[4], lc_square *found, lc_square *results)
{
    for (size_t k = 0; k < f->count; k++) {
        const uint32_t home = f->homes[k], i = f->keys[k];
        lc_node_line *line = &store->nodes.lines[home];
        const uint32_t state = __atomic_load_n(&line->state, __ATOMIC_ACQUIRE);
        const int place = place_of(line, state, children[i]);
        const lc_node *node;
        if (place >= 0) {
            note_use(store, line, state, place);
            node = &line->nodes[place];
            found[i] = home * 4 + (unsigned)place;
        } else {
            found[i] = find_node(store, stock, log2, home, children[i]);
            node = lc_store_node(store, found[i]);
        }
        results[i] = __atomic_load_n(&node->result, __ATOMIC_ACQUIRE);
    }
}

void lc_store_find_nodes(lc_store *store, lc_stock *stock, int log2, const lc_square (*children)[4],
                         size_t count, lc_square *found, lc_square *results)
{
    const lc_nodes *nodes = &store->nodes;
    fetched blocks[2];
    fetch(nodes, children, 0, count, found, results, &blocks[0]);
    for (size_t i = 0; i < count; i += BLOCK) {
        const fetched *f = &blocks[i / BLOCK % 2];
        fetch(nodes, children, i + BLOCK, count, found, results, &blocks[(i / BLOCK + 1) % 2]);
        fetch_next(nodes, f);
        look_up(store, stock, log2, f, children, found, results);
    }
}

// Growing -----------------------------------------------------------------------------------------

// How many nodes there may be in so many lines, and how many lines so many nodes need.
static uint64_t room_of(uint64_t lines, double share)
{
    return (uint64_t)((double)lines * LC_NODES_OF_LINE * share);
}

static uint64_t lines_for(uint64_t nodes, double share)
{
    return (uint64_t)((double)nodes / (LC_NODES_OF_LINE * share)) + 1;
}

static void begin_table(lc_nodes *nodes)
{
    nodes->lines[0].state = LC_LEVEL_OF_WAYS; // number 0 is nobody's
    nodes->most = room_of(nodes->line_count, full);
}

// A table and what is moved into it from an older one, in parts that several threads may take.
typedef struct move {
    const lc_nodes *from;
    lc_nodes to;
    bool is_shared;
    // The numbers of all nodes in use, by their levels; level k has those from begins[k] on, and
    // begins[k + 1] is where they end.
    uint32_t *numbers;
    uint64_t begins[LEVELS + 1];
    uint32_t next[PARTS][LEVELS]; // how many there are in that part, later where they go
    int level;                    // that is moved
} move;

static inline lc_node *old_node(const move *m, lc_square node)
{
    return &m->from->lines[node / 4].nodes[node % 4];
}

static inline bool is_node(lc_square square)
{
    return square != 0 && !lc_square_is_leaf(square);
}

// What was moved says so in the place of its first square.
static inline lc_square new_number(const move *m, lc_square square)
{
    return is_node(square) ? old_node(m, square)->child[0] : square;
}

static lc_square put(const move *m, uint64_t home, const lc_node *node)
{
    const lc_nodes *to = &m->to;
    for (uint64_t at = home;; at = after(at, to->line_count)) {
        lc_node_line *line = &to->lines[at];
        const uint32_t state = m->is_shared ? lock(line) : line->state;
        const int place = free_place(state);
        if (place < LC_NODES_OF_LINE) {
            line->nodes[place] = *node;
            set_state(line, state | (uint32_t)m->level << 8 * place);
            return (lc_square)(at * 4 + (unsigned)place);
        }
        set_state(line, state | IS_PASSED);
    }
}

// Moves nodes of one level, those below having been moved: a node's place comes from the numbers of
// what it is made of.
static void move_nodes(const move *m, const uint32_t *numbers, uint64_t count)
{
    lc_node moved[SOME];
    uint64_t homes[SOME];
    for (uint64_t i = 0; i < count + 3 * AHEAD; i++) {
        if (i < count)
            __builtin_prefetch(old_node(m, numbers[i]));
        if (i >= AHEAD && i - AHEAD < count) {
            const lc_node *node = old_node(m, numbers[i - AHEAD]);
            for (int k = 0; k < 4; k++)
                if (is_node(node->child[k]))
                    __builtin_prefetch(old_node(m, node->child[k]));
        }
        if (i >= 2 * AHEAD && i - 2 * AHEAD < count) {
            lc_node *node = &moved[(i - 2 * AHEAD) % SOME];
            *node = *old_node(m, numbers[i - 2 * AHEAD]);
            const int parts = lc_node_is_way(node) ? 1 : 4;
            for (int k = 0; k < parts; k++)
                node->child[k] = new_number(m, node->child[k]);
            uint64_t *home = &homes[(i - 2 * AHEAD) % SOME];
            *home = home_of(node->child, m->to.line_count);
            __builtin_prefetch(&m->to.lines[*home], 1);
        }
        if (i < 3 * AHEAD)
            continue;
        const uint64_t k = i - 3 * AHEAD;
        old_node(m, numbers[k])->child[0] = put(m, homes[k % SOME], &moved[k % SOME]);
    }
}

// The part of `count` things that begins here; it ends where the next one begins.
static inline uint64_t part_begin(uint64_t count, size_t part)
{
    return count * part / PARTS;
}

static void move_part(void *argument, size_t part)
{
    const move *m = argument;
    const uint64_t begin = m->begins[m->level], count = m->begins[m->level + 1] - begin;
    const uint64_t from = part_begin(count, part), to = part_begin(count, part + 1);
    move_nodes(m, m->numbers + begin + from, to - from);
}

static void move_results(void *argument, size_t part)
{
    const move *m = argument;
    const uint64_t begin = part_begin(m->to.line_count, part);
    const uint64_t end = part_begin(m->to.line_count, part + 1);
    for (uint64_t i = begin; i < end + AHEAD; i++) {
        for (int k = 0; k < LC_NODES_OF_LINE && i < end; k++) {
            const lc_square result = m->to.lines[i].nodes[k].result;
            if (is_node(result))
                __builtin_prefetch(old_node(m, result));
        }
        for (int k = 0; k < LC_NODES_OF_LINE && i >= begin + AHEAD; k++) {
            lc_square *result = &m->to.lines[i - AHEAD].nodes[k].result;
            *result = new_number(m, *result);
        }
    }
}

// How many nodes of each level a part of the table has; and their numbers.
static void count_part(void *argument, size_t part)
{
    move *m = argument;
    const uint64_t end = part_begin(m->from->line_count, part + 1);
    memset(m->next[part], 0, sizeof m->next[part]);
    for (uint64_t i = part_begin(m->from->line_count, part); i < end; i++)
        for (int k = 0; k < LC_NODES_OF_LINE; k++)
            m->next[part][level_at(m->from->lines[i].state, k)]++;
}

static void sort_part(void *argument, size_t part)
{
    move *m = argument;
    const uint64_t end = part_begin(m->from->line_count, part + 1);
    for (uint64_t i = part_begin(m->from->line_count, part); i < end; i++) {
        for (int k = 0; k < LC_NODES_OF_LINE; k++) {
            const int level = level_at(m->from->lines[i].state, k);
            if (level != 0 && i + (unsigned)k != 0)
                m->numbers[m->next[part][level]++] = (uint32_t)(i * 4 + (unsigned)k);
        }
    }
}

static void run_parts(const lc_store *store, const move *m, uint64_t nodes,
                      void (*task)(void *argument, size_t part))
{
    if (m->is_shared && nodes >= LEAST_SHARED) {
        store->run_parts(store->parts_context, PARTS, task, (void *)(uintptr_t)m);
        return;
    }
    for (size_t part = 0; part < PARTS; part++)
        task((void *)(uintptr_t)m, part);
}

static void move_all(const lc_store *store, move *m)
{
    run_parts(store, m, m->from->used, count_part);
    m->next[0][LC_LEVEL_OF_WAYS]--; // number 0
    uint64_t at = 0;
    for (int level = 1; level < LEVELS; level++) {
        m->begins[level] = at;
        for (size_t part = 0; part < PARTS; part++) {
            const uint32_t count = m->next[part][level];
            m->next[part][level] = (uint32_t)at;
            at += count;
        }
    }
    m->begins[LEVELS] = at;
    run_parts(store, m, m->from->used, sort_part);
    for (m->level = 1; m->level < LEVELS; m->level++)
        if (m->begins[m->level] < m->begins[m->level + 1])
            run_parts(store, m, m->begins[m->level + 1] - m->begins[m->level], move_part);
    run_parts(store, m, m->from->used, move_results);
}

typedef struct renaming {
    lc_keeping keeping;
    const move *move;
} renaming;

static void rename_square(const lc_keeping *self, lc_square *square, bool with_result)
{
    (void)with_result;
    *square = new_number(((const renaming *)self)->move, *square);
}

static lc_status grow(lc_store *store, uint64_t line_count, lc_message *message)
{
    lc_nodes *nodes = &store->nodes;
    move m = {.from = nodes, .to = {.line_count = line_count, .used = nodes->used}};
    const uint64_t list_bytes = (nodes->used + 1) * sizeof *m.numbers;
    void *lines, *numbers;
    lc_status status = lc_store_take(store, &lines, line_count * sizeof *nodes->lines, message);
    if (status != LC_OK)
        return status;
    status = lc_store_take(store, &numbers, list_bytes, message);
    if (status != LC_OK) {
        lc_store_give(store, lines, line_count * sizeof *nodes->lines);
        return status;
    }
    m.to.lines = lines;
    m.numbers = numbers;
    m.is_shared = store->run_parts != NULL && nodes->used >= LEAST_SHARED;
    begin_table(&m.to);
    move_all(store, &m);
    const renaming r = {{rename_square, store}, &m};
    for (lc_keeper *keeper = store->keepers; keeper != NULL; keeper = keeper->next)
        keeper->each(keeper->context, &r.keeping);
    lc_store_give(store, numbers, list_bytes);
    lc_store_give(store, nodes->lines, nodes->line_count * sizeof *nodes->lines);
    *nodes = m.to;
    store->epoch++;
    return LC_OK;
}

// So many lines fit into memory after a table of `lines`, which was `held` bytes with all else.
// While nodes are moved there are two tables, and leaves will need more, too.
static double fitting_lines(const lc_store *store, double lines, double held)
{
    const double table = lines * sizeof(lc_node_line);
    const double numbers = lines * LC_NODES_OF_LINE * fullest * sizeof(lc_square);
    const double fits = ((double)store->limit_bytes - table - numbers) / held * lines;
    return fits < (double)most_lines ? fits : (double)most_lines;
}

// How many lines there should be next for so many nodes: growing costs less if it is done seldom,
// and small tables are no burden. What would be the last time takes what there is. 0: there is no
// memory for many more.
static uint64_t next_lines(const lc_store *store, uint64_t wanted)
{
    enum { SMALL_LINES = 1 << 18, MIDDLE_LINES = 1 << 20 };
    const uint64_t lines = store->nodes.line_count;
    const uint64_t more = lines * (lines < SMALL_LINES ? 8 : lines < MIDDLE_LINES ? 4 : 2);
    const uint64_t least = lines_for(wanted, full), next = more > least ? more : least;
    const double held = (double)store->held_bytes, growth = (double)next / (double)lines;
    const double fits = fitting_lines(store, (double)lines, held);
    const double then = fitting_lines(store, (double)next, held * growth);
    if (fits >= (double)next && then >= least_growth * (double)next)
        return next;
    if (fits >= least_growth * (double)lines && fits >= (double)lines_for(wanted, fullest))
        return (uint64_t)fits;
    return 0;
}

static lc_status first_table(lc_store *store, uint64_t wanted, lc_message *message)
{
    lc_nodes *nodes = &store->nodes;
    const uint64_t least = lines_for(wanted, full);
    const uint64_t count = least > LC_FIRST_NODE_LINES ? least : LC_FIRST_NODE_LINES;
    void *lines;
    const lc_status status = lc_store_take(store, &lines, count * sizeof *nodes->lines, message);
    if (status == LC_OK) {
        *nodes = (lc_nodes){.lines = lines, .line_count = count};
        begin_table(nodes);
    }
    return status;
}

lc_status lc_nodes_reserve(lc_store *store, uint64_t count, lc_message *message)
{
    lc_nodes *nodes = &store->nodes;
    const uint64_t wanted = nodes->used + count;
    if (wanted <= nodes->most)
        return LC_OK;
    if (nodes->line_count == 0)
        return first_table(store, wanted, message);
    uint64_t lines = next_lines(store, wanted);
    const uint64_t needed = lines_for(wanted, fullest);
    if (lines == 0 && (double)needed > least_growth * (double)nodes->line_count)
        lines = needed; // it is asked for at once, and may fit
    if (needed > most_lines)
        return lc_fail(message, LC_ERROR_LIMIT, "more than a thousand million squares");
    const lc_status status =
        lines == 0 ? lc_store_is_full(store, message) : grow(store, lines, message);
    if (next_lines(store, nodes->most + 1) == 0)
        store->notes_uses = true;
    if (wanted > nodes->most && wanted <= room_of(nodes->line_count, fullest))
        nodes->most = room_of(nodes->line_count, fullest);
    return wanted <= nodes->most ? LC_OK : status;
}

void lc_nodes_free(lc_store *store)
{
    lc_nodes *nodes = &store->nodes;
    lc_store_give(store, nodes->lines, nodes->line_count * sizeof *nodes->lines);
    *nodes = (lc_nodes){0};
}

// Sweeping ----------------------------------------------------------------------------------------

// A place that was freed may be on the way to a node that was put behind it: such ways are marked
// anew.
void lc_nodes_sweep(lc_store *store)
{
    lc_nodes *nodes = &store->nodes;
    const uint32_t often_used = (used_once(0) | used_once(1) | used_once(2)) << 1;
    nodes->used = 0;
    for (uint64_t i = 0; i < nodes->line_count; i++) {
        lc_node_line *line = &nodes->lines[i];
        uint32_t keep = 0;
        for (unsigned k = 0; k < LC_NODES_OF_LINE; k++) {
            const uint64_t number = i * 4 + k;
            if (number == 0 || (nodes->marks[number / 64] >> number % 64 & 1) != 0)
                keep |= UINT32_C(0xFF) << 8 * k | (used_once((int)k) << 1);
            else
                line->nodes[k] = (lc_node){0};
        }
        line->state &= keep;
        const uint32_t often = line->state & often_used;
        line->state = (line->state & ~often_used) | often >> 1;
    }
    for (uint64_t i = 0; i < nodes->line_count; i++) {
        for (unsigned k = 0; k < LC_NODES_OF_LINE; k++) {
            if (i * 4 + k == 0 || level_at(nodes->lines[i].state, (int)k) == 0)
                continue;
            nodes->used++;
            uint64_t on_way = home_of(nodes->lines[i].nodes[k].child, nodes->line_count);
            for (; on_way != i; on_way = after(on_way, nodes->line_count))
                nodes->lines[on_way].state |= IS_PASSED;
        }
    }
}
