// The store of canonical squares: a square that was made is found again after the index has grown
// or squares were collected; by several threads, too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/threads.h"
#include "quadtree/store.h"
#include "support.h"

enum {
    LEAVES = 500,
    OF_LEVEL = 40000, // nodes
    LEVELS = 4,
    COUNT = OF_LEVEL * LEVELS,
    TOP = COUNT - OF_LEVEL, // the first of those that no other is made of
    DROPPED = OF_LEVEL / 2, // of these, in a collection
    THREADS = 4,
    AT_ONCE = 100,
    LARGE = 1 << 22, // more nodes than there is room for
};

static const uint64_t plenty = UINT64_C(1) << 30, little = UINT64_C(12) << 20;

// Squares of several levels. A node is known by the places of its squares in the list below.
typedef struct squares {
    lc_store store;
    lc_gc_root gc_root;
    lc_square leaves[LEAVES], nodes[COUNT];
    uint32_t parts[COUNT][4];
    uint32_t cells[LEAVES][LC_TILE_WORDS];
    size_t count;        // so many nodes there are, from the first on,
    size_t drop0, drop1; // of which these are not held; drop1 excluded
} squares;

static void keep(void *context, const lc_keeping *keeping)
{
    squares *s = context;
    for (size_t i = 0; i < LEAVES; i++)
        lc_keep(keeping, &s->leaves[i]);
    for (size_t i = 0; i < s->count; i++)
        if (i < s->drop0 || i >= s->drop1)
            lc_keep(keeping, &s->nodes[i]);
}

static void children_of(const squares *s, size_t node, lc_square children[4])
{
    for (int k = 0; k < 4; k++) {
        const uint32_t part = s->parts[node][k];
        children[k] = node < OF_LEVEL ? s->leaves[part] : s->nodes[part];
    }
}

static squares *make(uint64_t seed, uint64_t limit_bytes)
{
    squares *s = lc_alloc_pages(sizeof *s);
    lc_message message = {0};
    dice d = dice_from(seed, 0);
    assert_non_null(s);
    if (lc_store_init(&s->store, NULL, limit_bytes, &message) != LC_OK)
        fail_msg("%s", message.text);
    s->gc_root = (lc_gc_root){.each = keep, .context = s};
    lc_store_add_root(&s->store, &s->gc_root);
    assert_int_equal(lc_store_reserve(&s->store, &s->store.stock, 0, LEAVES, NULL), LC_OK);
    for (size_t i = 0; i < LEAVES; i++) {
        for (int k = 0; k < LC_TILE_WORDS; k++)
            s->cells[i][k] = (uint32_t)dice_word(&d);
        s->leaves[i] = lc_store_find_leaf(&s->store, s->cells[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        const size_t below = i < OF_LEVEL ? 0 : (i / OF_LEVEL - 1) * OF_LEVEL;
        for (int k = 0; k < 4; k++)
            s->parts[i][k] =
                (uint32_t)(below + (uint64_t)dice_below(&d, i < OF_LEVEL ? LEAVES : OF_LEVEL));
    }
    return s;
}

static void destroy(squares *s)
{
    lc_store_remove_root(&s->store, &s->gc_root);
    lc_store_free(&s->store);
    lc_free_pages(s, sizeof *s);
}

static void make_nodes(squares *s)
{
    for (size_t i = 0; i < COUNT; i++) {
        lc_square children[4];
        assert_int_equal(lc_store_reserve(&s->store, &s->store.stock, 1, 0, NULL), LC_OK);
        children_of(s, i, children);
        s->nodes[i] = lc_store_find_node(&s->store, children);
        s->count = s->count > i ? s->count : i + 1;
    }
    s->drop0 = s->drop1 = 0;
}

// Nothing is made when all of them are looked up.
static void expect_found(squares *s)
{
    lc_store_return(&s->store, &s->store.stock);
    assert_int_equal(lc_store_reserve(&s->store, &s->store.stock, 1, 1, NULL), LC_OK);
    for (size_t i = 0; i < LEAVES; i++) {
        assert_int_equal(lc_store_find_leaf(&s->store, s->cells[i]), s->leaves[i]);
        assert_memory_equal(lc_store_leaf(&s->store, s->leaves[i]), s->cells[i], LC_LEAF_BYTES);
    }
    for (size_t i = 0; i < s->count; i++) {
        lc_square children[4];
        if (i >= s->drop0 && i < s->drop1)
            continue;
        children_of(s, i, children);
        assert_int_equal(lc_store_find_node(&s->store, children), s->nodes[i]);
    }
    assert_int_equal(s->store.stock.made_nodes, 0);
    assert_int_equal(s->store.stock.made_leaves, 0);
}

static void test_grows(void **state)
{
    (void)state;
    squares *s = make(1, plenty);
    make_nodes(s); // the index has grown while they were made
    expect_found(s);
    const lc_square seventh = s->nodes[7];
    lc_store_node(&s->store, s->nodes[COUNT - 1])->result = seventh;
    const uint64_t lines = s->store.nodes.line_count, chunks = s->store.nodes.chunk_count;
    assert_int_equal(lc_store_reserve(&s->store, &s->store.stock, LARGE, 0, NULL), LC_OK);
    assert_true(s->store.nodes.line_count > lines && s->store.nodes.chunk_count > chunks);
    expect_found(s);
    assert_int_equal(s->nodes[7], seventh);
    assert_int_equal(lc_store_node(&s->store, s->nodes[COUNT - 1])->result, seventh);
    destroy(s);
}

// What nobody holds is gone, what somebody holds is where it was.
static void test_collects(void **state)
{
    (void)state;
    squares *s = make(2, little);
    make_nodes(s);
    for (int round = 0; round < 3; round++) {
        // Those that were made last stay, of which many lie behind some that go.
        s->drop0 = TOP;
        s->drop1 = TOP + DROPPED;
        lc_store_node(&s->store, s->nodes[3])->result = s->nodes[4];
        lc_store_node(&s->store, s->nodes[5])->result = s->nodes[TOP];
        assert_int_equal(lc_store_begin_collection(&s->store, NULL), LC_OK);
        lc_store_end_collection(&s->store);
        assert_in_range(s->store.nodes.used, 1, COUNT - DROPPED); // some may be the same
        assert_int_equal(s->store.leaves.used, LEAVES);
        assert_int_equal(lc_store_node(&s->store, s->nodes[3])->result, s->nodes[4]);
        assert_int_equal(lc_store_node(&s->store, s->nodes[5])->result, LC_RESULT_NONE);
        expect_found(s);
        make_nodes(s);
        expect_found(s);
    }
    destroy(s);
}

// Without memory for marks nothing is collected.
static void test_no_memory_for_marks(void **state)
{
    (void)state;
    squares *s = make(3, little);
    make_nodes(s);
    for (uint64_t n = 1; n <= 2; n++) {
        lc_fail_allocation(n);
        assert_int_equal(lc_store_begin_collection(&s->store, NULL), LC_ERROR_MEMORY);
        lc_fail_allocation(0);
        expect_found(s);
    }
    destroy(s);
}

// Tables of a full store move to where its indices are, with what they have, and the indices come
// back; without a lender, or with memory enough, nothing moves.
static void test_tables(void **state)
{
    (void)state;
    squares *s = make(8, plenty);
    make_nodes(s);
    for (int turn = 0; turn < 3; turn++) {
        lc_store_tables t;
        s->store.spare_bytes = 1;
        s->store.limit_bytes = turn == 0 ? plenty : s->store.held_bytes;
        s->store.lender = turn < 2 ? &s->store : NULL;
        assert_true(lc_store_take_tables(&s->store, &t));
        for (uint32_t i = 0; i < COUNT; i++)
            lc_store_table_put(&t, s->nodes[i], 7 * i + 1);
        for (uint32_t i = 0; i < LEAVES; i++)
            lc_store_table_put(&t, s->leaves[i], 5 * i + 3);
        assert_int_equal(t.of_nodes.is_lent, turn == 1);
        assert_int_equal(t.of_leaves.is_lent, turn == 1);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(lc_store_table_get(&t, s->nodes[i]), 7 * i + 1);
        for (uint32_t i = 0; i < LEAVES; i++)
            assert_int_equal(lc_store_table_get(&t, s->leaves[i]), 5 * i + 3);
        lc_store_return_tables(&t);
        s->store.limit_bytes = plenty;
        expect_found(s);
    }
    // No memory for tables of their own: those of the indices do.
    for (uint64_t n = 1; n <= 4; n++) {
        lc_store_tables t;
        s->store.lender = &s->store;
        lc_fail_allocation(n);
        const bool is_taken = lc_store_take_tables(&s->store, &t);
        lc_fail_allocation(0);
        assert_int_equal(is_taken, n % 2 == 0); // every second one is for the words
        if (is_taken)
            lc_store_return_tables(&t);
        expect_found(s);
    }
    destroy(s);
}

static int uses_of(const squares *s, size_t node)
{
    return lc_store_uses(&s->store, s->nodes[node]);
}

// How many numbers are in an index.
static uint64_t indexed(const lc_arena *arena)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < arena->line_count; i++)
        for (int k = 0; k < LC_LINE_NUMBERS && arena->lines[i].numbers[k] != 0; k++)
            count++;
    return count;
}

// The indices have what is left, and nothing of what is gone.
static void collect(squares *s)
{
    assert_int_equal(lc_store_begin_collection(&s->store, NULL), LC_OK);
    const uint64_t nodes = s->store.marked_nodes, leaves = s->store.marked_leaves;
    lc_store_end_collection(&s->store);
    assert_int_equal(s->store.nodes.used, nodes);
    assert_int_equal(s->store.leaves.used, leaves);
    assert_int_equal(indexed(&s->store.nodes), nodes);
    assert_int_equal(indexed(&s->store.leaves), leaves);
}

// Finding a node is noted, and the note is kept for two collections; what is made in the place of
// one that is gone was not found yet.
static void test_uses(void **state)
{
    (void)state;
    squares *s = make(6, little);
    make_nodes(s);
    collect(s);
    assert_int_equal(s->store.nodes.used, COUNT); // no two are the same
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(uses_of(s, i), 0);
    for (size_t i = 0; i < COUNT; i++) {
        lc_square children[4];
        children_of(s, i, children);
        for (size_t times = 0; times < i % 3; times++)
            lc_store_find_node(&s->store, children);
        if (i % 5 == 0)
            lc_store_note_use(&s->store, s->nodes[i]);
    }
    for (int collections = 0; collections < 3; collections++) {
        for (size_t i = 0; i < COUNT; i++) {
            const int uses = (int)(i % 3) + (i % 5 == 0);
            const int then = (uses < LC_USES_MOST ? uses : LC_USES_MOST) - collections;
            assert_int_equal(uses_of(s, i), collections == 0 ? then : then > 0 ? then : 0);
        }
        collect(s);
    }
    for (size_t i = 0; i < COUNT * LC_USES_MOST; i++)
        lc_store_note_use(&s->store, s->nodes[i % COUNT]);
    s->count = 0;
    collect(s);
    assert_int_equal(s->store.nodes.used, 0);
    make_nodes(s);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(uses_of(s, i), 0);
    destroy(s);
}

// Threads that look up the same squares get the same numbers, and each is made once.
typedef struct sharing {
    squares *s;
    size_t begin; // of the level
    lc_stock stocks[THREADS];
    lc_square found[THREADS][OF_LEVEL];
} sharing;

static void look_up(void *context, size_t index, int worker)
{
    sharing *h = context;
    (void)worker;
    lc_square children[AT_ONCE][4], results[AT_ONCE];
    for (size_t at = 0; at < OF_LEVEL; at += AT_ONCE) {
        for (size_t i = 0; i < AT_ONCE; i++)
            children_of(h->s, h->begin + at + i, children[i]);
        lc_store_find_nodes(&h->s->store, &h->stocks[index], (const lc_square(*)[4])children,
                            AT_ONCE, h->found[index] + at, results);
    }
}

static void test_is_shared(void **state)
{
    (void)state;
    squares *s = make(3, plenty), *alone = make(3, plenty);
    sharing *h = lc_alloc_pages(sizeof *h);
    lc_pool *pool = NULL;
    assert_non_null(h);
    assert_int_equal(lc_pool_create(&pool, THREADS), LC_OK);
    assert_int_equal(
        lc_store_reserve(&s->store, &s->store.stock, (size_t)COUNT * 2 * THREADS, 0, NULL), LC_OK);
    lc_store_return(&s->store, &s->store.stock);
    h->s = s;
    for (h->begin = 0; h->begin < COUNT; h->begin += OF_LEVEL) {
        for (size_t i = 0; i < THREADS; i++)
            assert_true(lc_store_draw(&s->store, &h->stocks[i], OF_LEVEL, 0));
        s->store.is_shared = true;
        lc_pool_run(pool, THREADS, look_up, h);
        s->store.is_shared = false;
        for (size_t i = 0; i < THREADS; i++) {
            assert_memory_equal(h->found[i], h->found[0], sizeof h->found[0]);
            lc_store_return(&s->store, &h->stocks[i]);
        }
        memcpy(s->nodes + h->begin, h->found[0], sizeof h->found[0]);
    }
    s->count = COUNT;
    expect_found(s);
    make_nodes(alone);
    lc_store_return(&alone->store, &alone->store.stock);
    assert_int_equal(s->store.nodes.used, alone->store.nodes.used);
    lc_pool_destroy(&pool);
    lc_free_pages(h, sizeof *h);
    destroy(s);
    destroy(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows),  cmocka_unit_test(test_collects),
        cmocka_unit_test(test_tables), cmocka_unit_test(test_no_memory_for_marks),
        cmocka_unit_test(test_uses),   cmocka_unit_test(test_is_shared),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
