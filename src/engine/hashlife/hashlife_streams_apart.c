// Computes results of squares that split: the results of their parts, united. See
// hashlife_streams.h.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "engine/hashlife/hashlife_streams.h"

enum {
    // The third member of a cached fact's key. hashlife_streams.c uses other values.
    KEY_OF_PAIR = 4,
    KEY_OF_CUT = 8,
    MOST_NOTED_LOG2 = 30,
};

static lc_status reserve(lc_streams *s, size_t nodes, size_t leaves, lc_message *message)
{
    return lc_hashlife_reserve(s->h, &s->h->workers[0]->stock, nodes, leaves, message);
}

static lc_square find_node(lc_streams *s, const lc_square children[4])
{
    lc_square found, result;
    lc_store_find_nodes(&s->h->store, &s->h->workers[0]->stock, (const lc_square(*)[4])children, 1,
                        &found, &result);
    return found;
}

static lc_square find_leaf(lc_streams *s, const uint32_t cells[LC_TILE_WORDS])
{
    lc_square found;
    lc_store_find_leaves(&s->h->store, &s->h->workers[0]->stock,
                         (const uint32_t(*)[LC_TILE_WORDS])cells, 1, &found);
    return found;
}

// Adds eight held squares, all empty: four pairs, one for each quarter of a square. Returns the
// index of the first.
static size_t push(lc_streams *s)
{
    const size_t base = s->held_count;
    memset(s->held + base, 0, 8 * sizeof *s->held);
    s->held_count += 8;
    return base;
}

// Copies every other held square.
static void every_other(const lc_square *held, lc_square four[4])
{
    for (int k = 0; k < 4; k++)
        four[k] = held[2 * k];
}

// Splitting ---------------------------------------------------------------------------------------

// Return the first place along the line that a square at (x, y) covers, and the number of places.
static int64_t first_place(lc_line line, int log2, int64_t x, int64_t y)
{
    return line == LC_LINE_DOWN     ? x - y - (INT64_C(1) << log2) + 1
           : line == LC_LINE_UP     ? x + y
           : line == LC_LINE_COLUMN ? x
                                    : y;
}

static int64_t place_count(lc_line line, int log2)
{
    const int64_t side = INT64_C(1) << log2;
    return line < LC_LINE_COLUMN ? 2 * side - 1 : side;
}

// Returns the part to which the cells at a place belong.
static size_t part_of(const lc_parting *p, int64_t place)
{
    size_t before = 0;
    while (before < p->count && p->cuts[before] <= place)
        before++;
    return ((size_t)p->first_part + before) % 2;
}

// Splits the leaf held at `at`.
static lc_status part_leaf(lc_streams *s, const lc_parting *p, size_t at, int64_t x, int64_t y,
                           lc_message *message)
{
    const lc_status status = reserve(s, 0, 2, message);
    if (status != LC_OK)
        return status;
    uint32_t cells[2][LC_TILE_WORDS] = {0};
    const uint32_t *whole = lc_store_cells(&s->h->store, s->held[at]);
    for (int row = 0; row < LC_TILE_CELLS; row++) {
        const int word = lc_tile_word(row);
        for (uint32_t left = whole[word]; left != 0; left &= left - 1) {
            const int64_t place = first_place(p->line, 0, x + __builtin_ctz(left), y + row);
            cells[part_of(p, place)][word] |= left & -left;
        }
    }
    s->held[at] = find_leaf(s, cells[0]);
    s->held[at + 1] = find_leaf(s, cells[1]);
    return LC_OK;
}

// Sets the key under which the halves of a node with one cut are cached: the node, the place of the
// cut, and the part before it. Returns false if they are not cached.
static bool key_of_cut(const lc_parting *p, lc_square node, int log2, int64_t first,
                       lc_square key[4])
{
    size_t before = 0;
    while (before < p->count && p->cuts[before] <= first)
        before++;
    const int64_t end = first + place_count(p->line, log2);
    if (log2 > MOST_NOTED_LOG2 || (before + 1 < p->count && p->cuts[before + 1] < end))
        return false;
    key[0] = node;
    key[1] = (lc_square)(p->cuts[before] - first);
    key[2] = KEY_OF_CUT + 2 * (unsigned)p->line + (unsigned)(p->first_part + (int)before) % 2;
    key[3] = 0;
    return true;
}

static lc_status take_apart(lc_streams *s, const lc_parting *p, size_t at, int log2, int64_t x,
                            int64_t y, lc_message *message);

// Splits the node held at `at`, which has cuts.
static lc_status part_node(lc_streams *s, const lc_parting *p, size_t at, int log2, int64_t x,
                           int64_t y, lc_message *message)
{
    lc_square key[4];
    const int64_t first = first_place(p->line, log2, x, y);
    const bool is_noted = key_of_cut(p, s->held[at], log2, first, key);
    const uint64_t noted = is_noted ? lc_streams_note(s, key) : 0;
    if (noted != 0) {
        s->held[at] = (lc_square)noted;
        s->held[at + 1] = (lc_square)(noted >> 32);
        return LC_OK;
    }
    const size_t base = push(s);
    for (int k = 0; k < 4; k++)
        s->held[base + 2 * (size_t)k] = lc_store_child(&s->h->store, s->held[at], k);
    const int64_t half = INT64_C(1) << (log2 - 1);
    lc_status status = LC_OK;
    for (int k = 0; k < 4 && status == LC_OK; k++)
        status = take_apart(s, p, base + 2 * (size_t)k, log2 - 1, x + k % 2 * half,
                            y + k / 2 * half, message);
    if (status == LC_OK)
        status = reserve(s, 2, 0, message);
    if (status == LC_OK) {
        key[0] = s->held[at]; // a collection may have changed its number
        for (size_t part = 0; part < 2; part++) {
            lc_square four[4];
            every_other(s->held + base + part, four);
            s->held[at + part] = find_node(s, four);
        }
        if (is_noted)
            lc_streams_add_note(s, key, (uint64_t)s->held[at + 1] << 32 | s->held[at]);
    }
    s->held_count = base;
    return status;
}

// Splits the square held at `at` into two, held at `at` and at + 1.
static lc_status take_apart(lc_streams *s, const lc_parting *p, size_t at, int log2, int64_t x,
                            int64_t y, lc_message *message)
{
    const int64_t first = first_place(p->line, log2, x, y);
    const size_t part = part_of(p, first);
    s->held[at + 1] = 0;
    for (size_t i = 0; i < p->count && s->held[at] != 0; i++)
        if (p->cuts[i] > first && p->cuts[i] < first + place_count(p->line, log2))
            return log2 == LC_LEAF_LOG2 ? part_leaf(s, p, at, x, y, message)
                                        : part_node(s, p, at, log2, x, y, message);
    if (part == 1) {
        s->held[at + 1] = s->held[at];
        s->held[at] = 0;
    }
    return LC_OK;
}

// Uniting -----------------------------------------------------------------------------------------

static lc_status unite_leaves(lc_streams *s, size_t at, lc_message *message)
{
    const lc_status status = reserve(s, 0, 1, message);
    if (status != LC_OK)
        return status;
    uint32_t cells[LC_TILE_WORDS];
    const uint32_t *a = lc_store_cells(&s->h->store, s->held[at]);
    const uint32_t *b = lc_store_cells(&s->h->store, s->held[at + 1]);
    for (int i = 0; i < LC_TILE_WORDS; i++)
        cells[i] = a[i] | b[i];
    s->held[at] = find_leaf(s, cells);
    return LC_OK;
}

// Unites the two squares held at `at` and at + 1 into one, held at `at`.
static lc_status unite(lc_streams *s, size_t at, int log2, lc_message *message)
{
    if (s->held[at + 1] == 0)
        return LC_OK;
    if (s->held[at] == 0) {
        s->held[at] = s->held[at + 1];
        return LC_OK;
    }
    if (log2 == LC_LEAF_LOG2)
        return unite_leaves(s, at, message);
    const uint64_t noted =
        lc_streams_note(s, (lc_square[4]){s->held[at], s->held[at + 1], KEY_OF_PAIR, 0});
    if (noted != 0) {
        s->held[at] = (lc_square)noted;
        return LC_OK;
    }
    const size_t base = push(s);
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < 2; i++)
            s->held[base + 2 * (size_t)k + i] = lc_store_child(&s->h->store, s->held[at + i], k);
    lc_status status = LC_OK;
    for (size_t k = 0; k < 4 && status == LC_OK; k++)
        status = unite(s, base + 2 * k, log2 - 1, message);
    if (status == LC_OK)
        status = reserve(s, 1, 0, message);
    if (status == LC_OK) {
        lc_square four[4];
        every_other(s->held + base, four);
        const lc_square whole = find_node(s, four);
        lc_streams_add_note(s, (lc_square[4]){s->held[at], s->held[at + 1], KEY_OF_PAIR, 0}, whole);
        s->held[at] = whole;
    }
    s->held_count = base;
    return status;
}

// Cutting out -------------------------------------------------------------------------------------

static lc_status cut_out_leaf(lc_streams *s, size_t at, unsigned x, unsigned y, lc_message *message)
{
    const lc_status status = reserve(s, 0, 1, message);
    if (status != LC_OK)
        return status;
    uint32_t cells[LC_TILE_WORDS];
    for (unsigned row = 0; row < LC_TILE_CELLS; row++) {
        const size_t two = at + (row + y < LC_TILE_CELLS ? 0 : 2);
        const int word = lc_tile_word((int)((row + y) % LC_TILE_CELLS));
        const uint64_t both = lc_store_cells(&s->h->store, s->held[two])[word] |
                              (uint64_t)lc_store_cells(&s->h->store, s->held[two + 1])[word] << 32;
        cells[lc_tile_word((int)row)] = (uint32_t)(both >> x);
    }
    s->held[at] = find_leaf(s, cells);
    return LC_OK;
}

// Replaces the first of four squares of that size, held from `at` on, by the square of that size
// that begins (x, y) to the right of and below the first one's corner.
static lc_status cut_out(lc_streams *s, size_t at, int log2, int64_t x, int64_t y,
                         lc_message *message)
{
    if ((s->held[at] | s->held[at + 1] | s->held[at + 2] | s->held[at + 3]) == 0)
        return LC_OK;
    const int64_t side = INT64_C(1) << log2, half = side / 2;
    if (x % side == 0 && y % side == 0) {
        s->held[at] = s->held[at + (x > 0 ? 1 : 0) + (y > 0 ? 2 : 0)];
        return LC_OK;
    }
    if (log2 == LC_LEAF_LOG2)
        return cut_out_leaf(s, at, (unsigned)x, (unsigned)y, message);
    const size_t base = push(s);
    lc_status status = LC_OK;
    for (int q = 0; q < 4 && status == LC_OK; q++) {
        const int64_t left = x + q % 2 * half, top = y + q / 2 * half;
        for (int k = 0; k < 4; k++) {
            // of the 4 x 4 quarters
            const int64_t column = left / half + k % 2, row = top / half + k / 2;
            const size_t of = at + (size_t)(column / 2 + row / 2 * 2);
            const bool is_beyond = column > 3 || row > 3; // and the result does not need it
            s->held[base + 4 + (size_t)k] =
                is_beyond
                    ? 0
                    : lc_store_child(&s->h->store, s->held[of], (int)(column % 2 + row % 2 * 2));
        }
        status = cut_out(s, base + 4, log2 - 1, left % half, top % half, message);
        s->held[base + (size_t)q] = s->held[base + 4];
    }
    if (status == LC_OK)
        status = reserve(s, 1, 0, message);
    if (status == LC_OK)
        s->held[at] = find_node(s, s->held + base);
    s->held_count = base;
    return status;
}

// Results -----------------------------------------------------------------------------------------

static void set_result(lc_hashlife *h, lc_square record, lc_square result)
{
    lc_store_node(&h->store, record)->result = result;
}

static lc_square result_of(const lc_hashlife *h, lc_square record)
{
    return record == 0 ? 0 : lc_store_node(&h->store, record)->result;
}

// Replaces the part held at `at`, which has that velocity, by its result. Sets *is_moved to false
// if the step is not a multiple of its period.
static lc_status move(lc_streams *s, size_t at, int log2, int velocity, bool *is_moved,
                      lc_message *message)
{
    const lc_velocity *v = &s->velocities[velocity];
    const int64_t quarter = INT64_C(1) << (log2 - 2); // also the number of generations
    *is_moved = velocity != 0 && quarter % v->period == 0;
    if (!*is_moved)
        return LC_OK;
    const int64_t times = quarter / v->period;
    const lc_square known = result_of(s->h, s->held[at]);
    if (known < LC_RESULT_WANTED) {
        s->held[at] = known;
        return LC_OK;
    }
    const size_t base = push(s);
    for (int k = 0; k < 4; k++)
        s->held[base + (size_t)k] = lc_store_child(&s->h->store, s->held[at], k);
    const lc_status status =
        cut_out(s, base, log2 - 1, quarter - v->dx * times, quarter - v->dy * times, message);
    if (status == LC_OK)
        set_result(s->h, s->held[at], s->held[base]);
    s->held[at] = s->held[base];
    s->held_count = base;
    return status;
}

// Splits node i if possible. Then squares[i] are its parts. records[i] are the records that will
// hold the parts' results; 0: the square is the result.
static lc_status take_job(lc_streams *s, lc_stream_parts *parts, size_t i, int log2,
                          lc_message *message)
{
    lc_square_batch *b = &parts->batch;
    lc_parting p;
    const bool is_understood = lc_streams_find_parting(s, b->jobs[i].node, log2, &p);
    if (!is_understood || (p.count == 0 && p.velocity[p.first_part] == 0))
        return LC_OK;
    s->held[0] = b->jobs[i].node;
    s->held_count = 2;
    lc_status status = take_apart(s, &p, 0, log2, 0, 0, message);
    parts->come_apart[i] = status == LC_OK;
    for (size_t k = 0; k < 2 && status == LC_OK; k++) {
        bool is_moved = s->held[k] == 0;
        if (!is_moved)
            status = move(s, k, log2, p.velocity[k], &is_moved, message);
        b->squares[i][k] = s->held[k];
        b->records[i][k] = is_moved ? 0 : s->held[k];
    }
    s->held_count = 0;
    return status;
}

static bool is_listed(const lc_square_batch *b, lc_square record)
{
    for (size_t i = 0; i < b->list_count; i++)
        if (b->list[i].record == record)
            return true;
    return false;
}

// Lists the nodes that were not split, and the parts without a known result. A list above may also
// have claimed a part, and would compute it later; so it is computed here.
static void list_jobs(lc_streams *s, lc_stream_parts *parts)
{
    lc_square_batch *b = &parts->batch;
    b->list_count = 0;
    for (size_t i = 0; i < b->count; i++)
        if (!parts->come_apart[i] && result_of(s->h, b->jobs[i].record) >= LC_RESULT_WANTED)
            b->list[b->list_count++] = b->jobs[i];
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 2 && parts->come_apart[i]; k++) {
            const lc_job part = {b->squares[i][k], b->records[i][k]};
            const lc_square result = result_of(s->h, part.record);
            if (result < LC_RESULT_WANTED ||
                (result == LC_RESULT_WANTED && is_listed(b, part.record)))
                continue;
            set_result(s->h, part.record, LC_RESULT_WANTED);
            b->list[b->list_count++] = part;
        }
    }
}

// Unites the results of node i's parts and sets its result.
static lc_status put_together(lc_streams *s, const lc_square_batch *b, size_t i, int log2,
                              lc_message *message)
{
    for (int k = 0; k < 2; k++)
        s->held[k] = b->records[i][k] == 0 ? b->squares[i][k] : result_of(s->h, b->records[i][k]);
    s->held_count = 2;
    const lc_status status = unite(s, 0, log2 - 1, message);
    if (status == LC_OK)
        set_result(s->h, b->jobs[i].record, s->held[0]);
    s->held_count = 0;
    return status;
}

static lc_status make_parts(lc_hashlife_worker *worker, int log2, lc_stream_parts *parts,
                            lc_message *message)
{
    lc_streams *s = worker->h->streams;
    lc_square_batch *b = &parts->batch;
    lc_status status = LC_OK;
    for (size_t i = 0; i < b->count && status == LC_OK; i++)
        status = take_job(s, parts, i, log2, message);
    if (status == LC_OK)
        list_jobs(s, parts);
    for (size_t i = 0; i < b->list_count && status == LC_OK; i += LC_BATCH) {
        const size_t left = b->list_count - i;
        status = lc_hashlife_worker_make_whole(worker, log2, b->list + i,
                                               left < LC_BATCH ? left : LC_BATCH, message);
    }
    for (size_t i = 0; i < b->count && status == LC_OK; i++) {
        if (parts->come_apart[i]) {
            status = put_together(s, b, i, log2, message);
            worker->results++;
            s->asked[log2].apart++;
        }
    }
    return status;
}

// Prepares for the current rule. Returns false if it cannot be used: two rules alternate, or dead
// planes come alive.
static bool know_rule(lc_streams *s)
{
    const lc_rule *const *rules = s->h->rules;
    if (rules[0] != rules[1] || lc_rule_traits(rules[0])->has_b0)
        return false;
    if (s->rule.rule == rules[0])
        return true;
    lc_field_rule_set(&s->rule, rules[0]);
    memset(s->shapes, 0, LC_SHAPES * sizeof *s->shapes);
    s->shape_count = 0;
    s->velocity_count = 1;
    return true;
}

// Whether to try splitting the nodes of a batch of that level. If few nodes split, a pause of some
// batches follows, which doubles after each trial that does not pay.
static bool asks(lc_streams *s, int log2, size_t count)
{
    enum { ENOUGH = 512, ONE_IN = 5, FIRST_PAUSE = 64 };
    lc_asked *a = &s->asked[log2];
    if (s->always_asks)
        return true;
    if (a->left > 0) {
        a->left--;
        return false;
    }
    if (a->nodes > ENOUGH) {
        const bool pays = a->apart * ONE_IN >= a->nodes;
        a->pause = pays ? 0 : a->pause == 0 ? FIRST_PAUSE : 2 * a->pause;
        a->left = a->pause;
        a->nodes = a->apart = 0;
    }
    a->nodes += count;
    return true;
}

lc_status lc_streams_make(lc_hashlife_worker *worker, int log2, const lc_job *jobs, size_t count,
                          lc_message *message)
{
    lc_streams *s = worker->h->streams;
    if (log2 < s->least_log2 || log2 > LC_STREAMS_MOST_LOG2 || log2 - 2 > s->h->step_log2 ||
        !know_rule(s) || !asks(s, log2, count))
        return lc_hashlife_worker_make_whole(worker, log2, jobs, count, message);
    if (s->parts[log2] == NULL)
        s->parts[log2] = lc_alloc_pages(sizeof(lc_stream_parts));
    lc_stream_parts *parts = s->parts[log2];
    if (parts == NULL)
        return lc_fail_memory(message, "pending results");
    lc_square_batch *b = &parts->batch;
    memcpy(b->jobs, jobs, count * sizeof *jobs);
    memset(b->squares, 0, count * sizeof *b->squares);
    memset(b->records, 0, count * sizeof *b->records);
    memset(parts->come_apart, 0, sizeof parts->come_apart);
    b->count = count;
    b->each = 2;
    const lc_status status = make_parts(worker, log2, parts, message);
    if (status == LC_OK)
        b->count = b->list_count = 0;
    return status;
}
