// Finds which squares can be split, from the lanes of their objects; hashlife_streams.h has the
// proof.
//
// A window is the 64 x 64 cells around a point that four leaves share. It owns the objects with a
// cell in its middle 32 x 32 cells. The lanes of a square are those of the windows around all
// points inside it that four leaves share: the points inside its quarters, and those on the two
// lines between them. A square in a dead plane also has the windows around the points on its edges.
#include "engine/hashlife/hashlife_streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    FIRST_NOTES = 1 << 12,
    MOST_NOTES = 1 << 22,
    BLOCK_BYTES = 1 << 20, // of lanes
    MOST_BLOCKS = 256,
    SIDE = 64,    // of a window
    OBJECTS = 64, // in one
    OBJECT_SIDE = 8,
    MARGIN = 4,     // by which the cells that an object covers exceed it, at most
    GATHERED = 256, // lanes, before overlapping ones are joined
    LANES_OF_KIND = 12,
    // Kinds of cached facts. They replace the second leaf of a window's key, or the third.
    KEY_OF_INSIDE = 1,
    KEY_OF_COLUMN = 2,
    KEY_OF_ROW = 3,
};

// Cached facts ------------------------------------------------------------------------------------

static void forget_notes(lc_streams *s)
{
    if (s->note_count > 0)
        memset(s->notes, 0, s->note_room * sizeof *s->notes);
    s->note_count = 0;
    s->block = 0;
    s->block_used = 0;
    s->is_full = false;
    s->epoch = s->h->store.epoch;
}

static lc_note *place_of(lc_note *notes, uint64_t room, const lc_square key[4])
{
    const uint64_t upper = (uint64_t)key[0] << 32 | key[1], lower = (uint64_t)key[2] << 32 | key[3];
    const uint64_t hash = lc_folded(
        lc_folded(upper ^ UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xD6E8FEB86659FD93)) ^ lower,
        UINT64_C(0xA0761D6478BD642F));
    uint64_t at = hash & (room - 1);
    while (notes[at].value != 0 && memcmp(notes[at].key, key, sizeof notes[at].key) != 0)
        at = (at + 1) & (room - 1);
    return &notes[at];
}

uint64_t lc_streams_note(lc_streams *s, const lc_square key[4])
{
    if (s->epoch != s->h->store.epoch)
        forget_notes(s);
    return s->note_room == 0 ? 0 : place_of(s->notes, s->note_room, key)->value;
}

// Whether facts and lanes would exceed an eighth of the memory limit.
static bool is_too_much(const lc_streams *s, uint64_t more_bytes)
{
    return s->note_room * sizeof *s->notes + s->block_count * BLOCK_BYTES + more_bytes >
           s->h->store.limit_bytes / 8;
}

// Doubles the table of facts. Returns false if there is not enough memory.
static bool make_room_for_notes(lc_streams *s)
{
    const uint64_t room = s->note_room == 0 ? FIRST_NOTES : 2 * s->note_room;
    void *memory = NULL;
    lc_message why;
    if (room > MOST_NOTES || is_too_much(s, room * sizeof(lc_note)) ||
        lc_store_take(&s->h->store, &memory, room * sizeof(lc_note), &why) != LC_OK)
        return false;
    lc_note *notes = memory;
    memset(notes, 0, room * sizeof *notes);
    for (uint64_t i = 0; i < s->note_room; i++)
        if (s->notes[i].value != 0)
            *place_of(notes, room, s->notes[i].key) = s->notes[i];
    lc_store_give(&s->h->store, s->notes, s->note_room * sizeof *s->notes);
    s->notes = notes;
    s->note_room = room;
    return true;
}

void lc_streams_add_note(lc_streams *s, const lc_square key[4], uint64_t value)
{
    if (s->epoch != s->h->store.epoch)
        forget_notes(s);
    if (s->note_count >= s->note_room / 2 && !make_room_for_notes(s)) {
        s->is_full = true;
        return;
    }
    lc_note *note = place_of(s->notes, s->note_room, key);
    s->note_count += note->value == 0;
    memcpy(note->key, key, sizeof note->key);
    note->value = value;
}

// Allocates lanes, which stay until the facts are discarded. NULL: there is not enough memory.
static lc_lanes *take_lanes(lc_streams *s, size_t count)
{
    const uint64_t bytes = sizeof(lc_lanes) + count * sizeof(lc_stream_lane);
    if (s->block < s->block_count && s->block_used + bytes > BLOCK_BYTES) {
        s->block++;
        s->block_used = 0;
    }
    if (s->block == s->block_count) {
        void *memory = NULL;
        lc_message why;
        if (s->block_count == MOST_BLOCKS || is_too_much(s, BLOCK_BYTES) ||
            lc_store_take(&s->h->store, &memory, BLOCK_BYTES, &why) != LC_OK) {
            s->is_full = true;
            return NULL;
        }
        s->blocks[s->block_count++] = memory;
    }
    lc_lanes *lanes = (lc_lanes *)(void *)(s->blocks[s->block] + s->block_used);
    s->block_used += bytes;
    return lanes;
}

static lc_lanes *copy_lanes(lc_streams *s, const lc_stream_lane *lanes, size_t count)
{
    lc_lanes *copy = take_lanes(s, count);
    if (copy == NULL)
        return NULL;
    copy->are_unknown = false;
    copy->count = count;
    memcpy(copy->lanes, lanes, count * sizeof *lanes);
    return copy;
}

// Gathering lanes ---------------------------------------------------------------------------------

typedef struct gathering {
    lc_streams *streams;
    bool are_unknown;
    size_t count;
    lc_stream_lane lanes[GATHERED];
} gathering;

// Starts gathering lanes.
static void begin(gathering *g, lc_streams *s)
{
    g->streams = s;
    g->are_unknown = false;
    g->count = 0;
}

static const lc_lanes no_lanes = {0}, unknown_lanes = {.are_unknown = true};

static int kind_of(const lc_stream_lane *lane)
{
    return lane->velocity * LC_LINES + (int)lane->line;
}

static bool is_before(const lc_stream_lane *a, const lc_stream_lane *b)
{
    const int kinds[2] = {kind_of(a), kind_of(b)};
    return kinds[0] != kinds[1] ? kinds[0] < kinds[1] : a->first < b->first;
}

// Insertion sort: there are few lanes, most of them in order.
static void sort(lc_stream_lane *lanes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const lc_stream_lane lane = lanes[i];
        size_t at = i;
        for (; at > 0 && is_before(&lane, &lanes[at - 1]); at--)
            lanes[at] = lanes[at - 1];
        lanes[at] = lane;
    }
}

// Joins the two nearest neighbours of `count` lanes of one kind. Returns the new count.
static size_t join_nearest(lc_stream_lane *lanes, size_t count)
{
    size_t at = 1;
    for (size_t i = 2; i < count; i++)
        if (lanes[i].first - lanes[i - 1].last < lanes[at].first - lanes[at - 1].last)
            at = i;
    lanes[at - 1].last = lanes[at].last;
    memmove(lanes + at, lanes + at + 1, (count - at - 1) * sizeof *lanes);
    return count - 1;
}

// Joins lanes that overlap or touch.
static void tidy(gathering *g)
{
    sort(g->lanes, g->count);
    size_t made = 0, of_kind = 0;
    for (size_t i = 0; i < g->count; i++) {
        const lc_stream_lane lane = g->lanes[i];
        lc_stream_lane *last = made > 0 ? &g->lanes[made - 1] : NULL;
        const bool is_same = last != NULL && kind_of(last) == kind_of(&lane);
        if (is_same && lane.first <= last->last + 1) {
            last->last = lane.last > last->last ? lane.last : last->last;
            continue;
        }
        of_kind = is_same ? of_kind + 1 : 1;
        g->lanes[made++] = lane;
        if (of_kind > LANES_OF_KIND) {
            of_kind = join_nearest(g->lanes + made - of_kind, of_kind);
            made--;
        }
    }
    g->count = made;
    if (made > LC_LANES_MOST)
        g->are_unknown = true;
}

static int64_t along(lc_line line, int64_t x, int64_t y)
{
    return line == LC_LINE_DOWN     ? x - y
           : line == LC_LINE_UP     ? x + y
           : line == LC_LINE_COLUMN ? x
                                    : y;
}

// Adds the lanes of a square or window whose upper left corner is at (x, y).
static void add_lanes(gathering *g, const lc_lanes *lanes, int64_t x, int64_t y)
{
    if (g->count + lanes->count > GATHERED)
        tidy(g);
    g->are_unknown |= lanes->are_unknown;
    for (size_t i = 0; i < lanes->count && !g->are_unknown; i++) {
        lc_stream_lane lane = lanes->lanes[i];
        const int64_t off = along(lane.line, x, y);
        lane.first += off;
        lane.last += off;
        g->lanes[g->count++] = lane;
    }
}

static const lc_lanes *note_lanes(lc_streams *s, const lc_square key[4], gathering *g)
{
    if (!g->are_unknown)
        tidy(g);
    const lc_lanes *found = g->are_unknown ? &unknown_lanes : &no_lanes;
    if (!g->are_unknown && g->count > 0)
        found = copy_lanes(s, g->lanes, g->count);
    if (found == NULL)
        return &unknown_lanes;
    lc_streams_add_note(s, key, (uint64_t)(uintptr_t)found);
    return found;
}

// Windows -----------------------------------------------------------------------------------------

typedef struct object {
    int left, top, right, bottom;
    bool is_own;                  // of the window
    const lc_stream_shape *shape; // NULL: unknown, or possibly larger than the window shows
} object;

// Finds the cells of the object that contains the cell (x, y). lc_live_groups finds the same
// objects in lists of cells. Here it takes equally long or 2 % longer, and needs memory that can
// run out.
static void find_object(const uint64_t cells[SIDE], int x, int y, uint64_t found[SIDE])
{
    int top = y, bottom = y;
    memset(found, 0, SIDE * sizeof *found);
    found[y] = UINT64_C(1) << x;
    for (bool grows = true; grows;) {
        grows = false;
        uint64_t wide[SIDE] = {0};
        for (int r = top; r <= bottom; r++)
            wide[r] = found[r] | found[r] << 1 | found[r] << 2 | found[r] >> 1 | found[r] >> 2;
        const int from = top > 2 ? top - 2 : 0, to = bottom < SIDE - 3 ? bottom + 2 : SIDE - 1;
        for (int r = from; r <= to; r++) {
            uint64_t near = 0;
            for (int k = r > 2 ? r - 2 : 0; k <= r + 2 && k < SIDE; k++)
                near |= wide[k];
            near &= cells[r] & ~found[r];
            if (near == 0)
                continue;
            found[r] |= near;
            grows = true;
            top = r < top ? r : top;
            bottom = r > bottom ? r : bottom;
        }
    }
}

// Describes an object, from the cells of it that the window shows.
static object look_at(lc_streams *s, const uint64_t cells[SIDE])
{
    object o = {.top = SIDE, .bottom = -1};
    uint64_t all = 0, middle = 0;
    for (int y = 0; y < SIDE; y++) {
        all |= cells[y];
        middle |= y >= SIDE / 4 && y < SIDE * 3 / 4 ? cells[y] : 0;
        o.bottom = cells[y] != 0 ? y : o.bottom;
        o.top = cells[y] != 0 && o.top == SIDE ? y : o.top;
    }
    o.left = __builtin_ctzll(all);
    o.right = 63 - __builtin_clzll(all);
    o.is_own = (middle & UINT64_C(0x0000FFFFFFFF0000)) != 0;
    const bool is_whole = o.left >= 2 && o.top >= 2 && o.right < SIDE - 2 && o.bottom < SIDE - 2;
    if (!is_whole || o.right - o.left >= OBJECT_SIDE || o.bottom - o.top >= OBJECT_SIDE)
        return o;
    uint64_t shape = 0;
    for (int y = o.top; y <= o.bottom; y++)
        shape |= (cells[y] >> o.left & 0xFF) << 8 * (y - o.top);
    o.shape = lc_streams_shape(s, shape);
    if (o.shape != NULL && o.shape->velocity < 0)
        o.shape = NULL;
    return o;
}

// Sets `box` to the cells that an object and its neighbours may cover.
static void cover_of(const object *o, int box[4])
{
    if (o->shape != NULL) {
        const lc_box8 *c = &o->shape->covers;
        const int covers[4] = {o->left + c->left, o->top + c->top, o->left + c->right,
                               o->top + c->bottom};
        memcpy(box, covers, sizeof covers);
        return;
    }
    const int wider = o->top < 2 || o->bottom >= SIDE - 2 ? OBJECT_SIDE : 0;
    const int higher = o->left < 2 || o->right >= SIDE - 2 ? OBJECT_SIDE : 0;
    const int covers[4] = {o->left - MARGIN - wider, o->top - MARGIN - higher,
                           o->right + MARGIN + wider, o->bottom + MARGIN + higher};
    memcpy(box, covers, sizeof covers);
}

// Whether the first object may meet the second although their velocities are equal.
static bool may_meet(const object *a, const object *b)
{
    if (b->shape != NULL && b->shape->velocity != a->shape->velocity)
        return false; // their lanes decide
    int of_a[4], of_b[4];
    cover_of(a, of_a);
    cover_of(b, of_b);
    return of_a[0] <= of_b[2] && of_b[0] <= of_a[2] && of_a[1] <= of_b[3] && of_b[1] <= of_a[3];
}

static lc_line line_of(const lc_velocity *v)
{
    return v->dx == v->dy    ? LC_LINE_DOWN
           : v->dx == -v->dy ? LC_LINE_UP
           : v->dx == 0      ? LC_LINE_COLUMN
                             : LC_LINE_ROW;
}

static void add_object(gathering *g, const object *o)
{
    const int velocity = o->shape->velocity;
    for (int line = 0; line < LC_LINES; line++) {
        if (velocity != 0 && line != (int)line_of(&g->streams->velocities[velocity]))
            continue;
        if (g->count == GATHERED)
            tidy(g);
        if (g->are_unknown)
            return;
        const int64_t at = along((lc_line)line, o->left, o->top);
        g->lanes[g->count++] = (lc_stream_lane){velocity, (lc_line)line, at + o->shape->first[line],
                                                at + o->shape->last[line]};
    }
}

static const lc_lanes *lanes_of_window(lc_streams *s, const lc_square leaves[4])
{
    uint64_t noted = lc_streams_note(s, leaves);
    if (noted != 0)
        return (const lc_lanes *)(uintptr_t)noted;
    gathering g;
    begin(&g, s);
    uint64_t left[SIDE], found[SIDE];
    for (int y = 0; y < SIDE; y++) {
        const lc_square *two = leaves + (y < SIDE / 2 ? 0 : 2);
        const int word = lc_tile_word(y % (SIDE / 2));
        left[y] = lc_store_cells(&s->h->store, two[0])[word] |
                  (uint64_t)lc_store_cells(&s->h->store, two[1])[word] << 32;
    }
    object objects[OBJECTS];
    size_t count = 0;
    for (int y = 0; y < SIDE && !g.are_unknown; y++) {
        while (left[y] != 0 && !g.are_unknown) {
            find_object(left, __builtin_ctzll(left[y]), y, found);
            for (int r = 0; r < SIDE; r++)
                left[r] &= ~found[r];
            g.are_unknown = count == OBJECTS;
            if (g.are_unknown)
                break;
            objects[count] = look_at(s, found);
            g.are_unknown = objects[count].is_own && objects[count].shape == NULL;
            count++;
        }
    }
    for (size_t i = 0; i < count && !g.are_unknown; i++) {
        for (size_t k = 0; k < count && objects[i].is_own && !g.are_unknown; k++)
            g.are_unknown = k != i && may_meet(&objects[i], &objects[k]);
        if (objects[i].is_own && !g.are_unknown)
            add_object(&g, &objects[i]);
    }
    return note_lanes(s, leaves, &g);
}

// Squares -----------------------------------------------------------------------------------------

static lc_square quarter(const gathering *g, lc_square square, int place)
{
    return lc_store_child(&g->streams->h->store, square, place);
}

// Adds the window around the point (x, y) that four squares of one size share.
static void add_window(gathering *g, const lc_square squares[4], int log2, int64_t x, int64_t y)
{
    lc_square at[4];
    memcpy(at, squares, sizeof at);
    for (; log2 > LC_LEAF_LOG2 && (at[0] | at[1] | at[2] | at[3]) != 0; log2--)
        for (int k = 0; k < 4; k++)
            at[k] = quarter(g, at[k], 3 - k);
    if (!g->are_unknown && (at[0] | at[1] | at[2] | at[3]) != 0)
        add_lanes(g, lanes_of_window(g->streams, at), x - SIDE / 2, y - SIDE / 2);
}

// Returns the lanes of the windows along the line between two squares, relative to the line's
// beginning. The second square is to the right of the first or below it.
static const lc_lanes *lanes_between(lc_streams *s, lc_square a, lc_square b, int log2, bool is_row)
{
    if ((a | b) == 0 || log2 == LC_LEAF_LOG2)
        return &no_lanes;
    const lc_square key[4] = {a, b, is_row ? KEY_OF_ROW : KEY_OF_COLUMN, 0};
    const uint64_t noted = lc_streams_note(s, key);
    if (noted != 0)
        return (const lc_lanes *)(uintptr_t)noted;
    gathering g;
    begin(&g, s);
    const int64_t half = INT64_C(1) << (log2 - 1), x = is_row ? half : 0, y = is_row ? 0 : half;
    const lc_square column[4] = {quarter(&g, a, LC_NE), quarter(&g, b, LC_NW),
                                 quarter(&g, a, LC_SE), quarter(&g, b, LC_SW)};
    const lc_square row[4] = {quarter(&g, a, LC_SW), quarter(&g, a, LC_SE), quarter(&g, b, LC_NW),
                              quarter(&g, b, LC_NE)};
    const lc_square *four = is_row ? row : column;
    const int second = is_row ? 2 : 1;
    add_lanes(&g, lanes_between(s, four[0], four[second], log2 - 1, is_row), 0, 0);
    add_window(&g, four, log2 - 1, x, y);
    if (!g.are_unknown)
        add_lanes(&g, lanes_between(s, four[3 - second], four[3], log2 - 1, is_row), x, y);
    return note_lanes(s, key, &g);
}

static void add_column(gathering *g, lc_square a, lc_square b, int log2, int64_t x, int64_t y)
{
    if (!g->are_unknown)
        add_lanes(g, lanes_between(g->streams, a, b, log2, false), x, y);
}

static void add_row(gathering *g, lc_square a, lc_square b, int log2, int64_t x, int64_t y)
{
    if (!g->are_unknown)
        add_lanes(g, lanes_between(g->streams, a, b, log2, true), x, y);
}

static const lc_lanes *lanes_of_square(lc_streams *s, lc_square node, int log2)
{
    if (node == 0 || log2 == LC_LEAF_LOG2)
        return &no_lanes;
    const lc_square key[4] = {node, KEY_OF_INSIDE, 0, 0};
    const uint64_t noted = lc_streams_note(s, key);
    if (noted != 0)
        return (const lc_lanes *)(uintptr_t)noted;
    gathering g;
    begin(&g, s);
    const int64_t half = INT64_C(1) << (log2 - 1);
    lc_square q[4];
    memcpy(q, lc_store_node(&s->h->store, node)->child, sizeof q);
    for (int k = 0; k < 4 && !g.are_unknown; k++)
        add_lanes(&g, lanes_of_square(s, q[k], log2 - 1), k % 2 * half, k / 2 * half);
    add_column(&g, q[0], q[1], log2 - 1, half, 0);
    add_column(&g, q[2], q[3], log2 - 1, half, half);
    add_row(&g, q[0], q[2], log2 - 1, 0, half);
    add_row(&g, q[1], q[3], log2 - 1, half, half);
    add_window(&g, q, log2 - 1, half, half);
    return note_lanes(s, key, &g);
}

// Gathers the lanes of a square in a dead plane.
static void gather_all(gathering *g, lc_square node, int log2)
{
    const int64_t side = INT64_C(1) << log2;
    add_lanes(g, lanes_of_square(g->streams, node, log2), 0, 0);
    add_column(g, 0, node, log2, 0, 0);
    add_column(g, node, 0, log2, side, 0);
    add_row(g, 0, node, log2, 0, 0);
    add_row(g, node, 0, log2, 0, side);
    for (int k = 0; k < 4; k++) {
        const lc_square corner[4] = {k == 3 ? node : 0, k == 2 ? node : 0, k == 1 ? node : 0,
                                     k == 0 ? node : 0};
        add_window(g, corner, log2, k == 0 || k == 2 ? side : 0, k < 2 ? side : 0);
    }
    if (!g->are_unknown)
        tidy(g);
}

static bool goes_back(const lc_velocity *v)
{
    return v->dy < 0 || (v->dy == 0 && v->dx < 0);
}

// Returns the number from least to most with the most trailing zero bits.
static int64_t roundest(int64_t least, int64_t most)
{
    for (int log2 = LC_STREAMS_MOST_LOG2; log2 > 0; log2--) {
        const int64_t unit = INT64_C(1) << log2;
        const int64_t beyond = least & (unit - 1); // distance from the previous multiple
        const int64_t number = beyond == 0 ? least : least - beyond + unit;
        if (number <= most)
            return number;
    }
    return least;
}

static int by_place(const void *a, const void *b)
{
    const lc_stream_lane *of[2] = {a, b};
    return of[0]->first < of[1]->first ? -1 : of[0]->first > of[1]->first;
}

// Cuts between lanes along one line. Returns false if lanes overlap.
static bool cut(const lc_streams *s, lc_stream_lane *lanes, size_t count, lc_parting *p)
{
    int part = 0;
    p->count = 0;
    p->velocity[0] = p->velocity[1] = 0;
    qsort(lanes, count, sizeof *lanes, by_place);
    for (size_t i = 0; i < count; i++) {
        const int next = goes_back(&s->velocities[lanes[i].velocity]) ? 0 : 1;
        if (i > 0 && lanes[i].first <= lanes[i - 1].last)
            return false;
        if (i == 0)
            p->first_part = next;
        else if (next != part)
            p->cuts[p->count++] = roundest(lanes[i - 1].last + 1, lanes[i].first);
        part = next;
    }
    for (size_t i = count; i > 0; i--)
        p->velocity[goes_back(&s->velocities[lanes[i - 1].velocity]) ? 0 : 1] =
            lanes[i - 1].velocity;
    for (size_t i = 0; i < count; i++) {
        const int of = goes_back(&s->velocities[lanes[i].velocity]) ? 0 : 1;
        if (lanes[i].velocity != p->velocity[of])
            p->velocity[of] = 0;
    }
    return true;
}

bool lc_streams_find_parting(lc_streams *s, lc_square node, int log2, lc_parting *p)
{
    if (s->is_full || s->epoch != s->h->store.epoch)
        forget_notes(s);
    if (lanes_of_square(s, node, log2)->are_unknown)
        return false;
    gathering g;
    begin(&g, s);
    gather_all(&g, node, log2);
    if (g.are_unknown || g.count == 0)
        return false;
    bool moves = false;
    p->line = LC_LINE_ROW;
    for (size_t i = 0; i < g.count; i++) {
        if (g.lanes[i].velocity == 0)
            continue;
        if (moves && g.lanes[i].line != p->line)
            return false; // two lines cross somewhere
        p->line = g.lanes[i].line;
        moves = true;
    }
    size_t count = 0;
    for (size_t i = 0; i < g.count; i++)
        if (g.lanes[i].line == p->line)
            g.lanes[count++] = g.lanes[i];
    return cut(s, g.lanes, count, p);
}

// Creation and destruction ------------------------------------------------------------------------

lc_status lc_streams_create(lc_streams **out, lc_hashlife *h, int least_log2, lc_message *message)
{
    lc_streams *s = lc_calloc(1, sizeof *s);
    *out = s;
    if (s != NULL) {
        s->h = h;
        s->least_log2 = least_log2;
        s->shapes = lc_calloc(LC_SHAPES, sizeof *s->shapes);
        s->blocks = lc_calloc(MOST_BLOCKS, sizeof *s->blocks);
    }
    return s != NULL && s->shapes != NULL && s->blocks != NULL
               ? LC_OK
               : lc_fail_memory(message, "an engine");
}

void lc_streams_destroy(lc_streams **streams)
{
    lc_streams *s = *streams;
    *streams = NULL;
    if (s == NULL)
        return;
    lc_store_give(&s->h->store, s->notes, s->note_room * sizeof *s->notes);
    for (size_t i = 0; i < s->block_count; i++)
        lc_store_give(&s->h->store, s->blocks[i], BLOCK_BYTES);
    for (size_t i = 0; i < sizeof s->parts / sizeof *s->parts; i++)
        if (s->parts[i] != NULL)
            lc_free_pages(s->parts[i], sizeof(lc_stream_parts));
    lc_free(s->blocks);
    lc_free(s->shapes);
    lc_free(s);
}

void lc_streams_keep(lc_streams *s, const lc_keeping *keeping)
{
    for (size_t i = 0; i < s->held_count; i++)
        lc_keep(keeping, &s->held[i]);
}
