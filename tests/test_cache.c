// The cache of base/cache.h: what it finds, how much it keeps, and when it frees values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/memory.h"
#include "support.h"

// Blocks of memory: the key says which byte they are full of, and how many.
enum { KEY_BYTES = 6 };

typedef struct block {
    uint8_t *bytes;
    size_t size_bytes;
} block;

static atomic_int made, freed;

static bool make_block(lc_cache *cache, void *value, const void *key, void *argument)
{
    (void)cache;
    if (argument != NULL && !*(bool *)argument)
        return false;
    block *b = value;
    const uint8_t *name = key;
    b->size_bytes = (size_t)name[1] << 8 | name[2];
    b->bytes = malloc(b->size_bytes + 1);
    memset(b->bytes, name[0], b->size_bytes + 1);
    (void)atomic_fetch_add(&made, 1);
    return true;
}

static void free_block(void *value)
{
    free(((block *)value)->bytes);
    (void)atomic_fetch_add(&freed, 1);
}

static size_t block_bytes(const void *value)
{
    return ((const block *)value)->size_bytes;
}

static const lc_cache_kind blocks = {.key_bytes = KEY_BYTES,
                                     .value_bytes = sizeof(block),
                                     .make = make_block,
                                     .free = free_block,
                                     .owned_bytes = block_bytes};
static const lc_cache_kind other_blocks = {
    .key_bytes = KEY_BYTES, .value_bytes = sizeof(block), .make = make_block, .free = free_block};

// Numbers: the sum of a key's bytes, and 1000 more for each time that one was computed.
static bool make_sum(lc_cache *cache, void *value, const void *key, void *argument)
{
    (void)cache;
    if (argument != NULL && !*(bool *)argument)
        return false;
    int sum = 1000 * (atomic_fetch_add(&made, 1) + 1);
    for (int i = 0; i < KEY_BYTES; i++)
        sum += ((const uint8_t *)key)[i];
    memcpy(value, &sum, sizeof sum);
    return true;
}

static const lc_cache_kind sums = {
    .key_bytes = KEY_BYTES, .value_bytes = sizeof(int), .make = make_sum};

static int set_up(void **state)
{
    (void)state;
    atomic_store(&made, 0);
    atomic_store(&freed, 0);
    return 0;
}

static const block *get(lc_cache *cache, uint8_t name, size_t size_bytes)
{
    const uint8_t key[KEY_BYTES] = {name, (uint8_t)(size_bytes >> 8), (uint8_t)size_bytes};
    const block *b = lc_cache_get(cache, &blocks, key, NULL);
    assert_non_null(b);
    assert_int_equal(b->size_bytes, size_bytes);
    for (size_t i = 0; i <= size_bytes; i++)
        assert_int_equal(b->bytes[i], name);
    return b;
}

static void test_values_are_made_once(void **state)
{
    (void)state;
    lc_cache *cache = lc_cache_create(1 << 20);
    const block *a = get(cache, 'a', 10), *b = get(cache, 'b', 10);
    assert_ptr_not_equal(a, b);
    assert_ptr_equal(get(cache, 'a', 10), a);
    assert_ptr_not_equal(get(cache, 'a', 11), a); // keys that differ in any byte
    assert_int_equal(made, 3);
    const uint8_t key[KEY_BYTES] = {'a', 0, 10};
    const void *of_other_kind = lc_cache_get(cache, &other_blocks, key, NULL);
    assert_ptr_not_equal(of_other_kind, a);
    assert_int_equal(made, 4);
    const uint8_t last_differs[KEY_BYTES] = {'a', 0, 10, 0, 0, 1};
    const void *different = lc_cache_get(cache, &blocks, last_differs, NULL);
    assert_ptr_not_equal(different, a);
    lc_cache_release(of_other_kind);
    lc_cache_release(different);
    lc_cache_release(a);
    lc_cache_release(a);
    lc_cache_release(b);
    const block *longer = get(cache, 'a', 11); // for the second time
    lc_cache_release(longer);
    lc_cache_release(longer);
    lc_cache_release(NULL);
    assert_int_equal(made, 5);
    assert_int_equal(freed, 0); // the cache has them
    lc_cache_destroy(cache);
    assert_int_equal(freed, 5);
}

// The least recently used value goes first, and one that is held stays valid.
static void test_limit(void **state)
{
    (void)state;
    enum { SIZE = 1000, ROOM = 5 };
    lc_cache *cache = lc_cache_create(ROOM * (SIZE + 200));
    const block *held = get(cache, 0, SIZE);
    for (uint8_t name = 1; name < ROOM; name++)
        lc_cache_release(get(cache, name, SIZE));
    assert_int_equal(freed, 0);
    lc_cache_release(get(cache, 1, SIZE)); // used again
    assert_int_equal(made, ROOM);
    lc_cache_release(get(cache, ROOM, SIZE)); // drops 0, which is held
    assert_int_equal(freed, 0);
    lc_cache_release(get(cache, ROOM + 1, SIZE)); // drops 2
    assert_int_equal(freed, 1);
    lc_cache_release(get(cache, 1, SIZE));
    assert_int_equal(made, ROOM + 2);
    lc_cache_release(get(cache, 2, SIZE)); // drops 3
    assert_int_equal(made, ROOM + 3);
    assert_int_equal(freed, 2);
    for (size_t i = 0; i <= SIZE; i++)
        assert_int_equal(held->bytes[i], 0);
    lc_cache_release(held);
    assert_int_equal(freed, 3);
    // What is larger than the whole cache drops all else and is not kept.
    const block *large = get(cache, 99, 20 * SIZE);
    assert_int_equal(freed, made - 1);
    lc_cache_release(large);
    assert_int_equal(freed, made);
    lc_cache_release(get(cache, 1, SIZE));
    lc_cache_destroy(cache);
    assert_int_equal(freed, made);
    lc_cache_destroy(NULL);
}

static void test_many_values(void **state)
{
    (void)state;
    lc_cache *cache = lc_cache_create(64 << 20);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 20000; i++) {
            const uint8_t key[KEY_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8)};
            int sum;
            assert_true(lc_cache_copy(cache, &sums, key, NULL, &sum));
            assert_int_equal(sum, 1000 * (i + 1) + key[0] + key[1]);
        }
    }
    lc_cache_destroy(cache);
}

// A value that cannot be computed now is asked for again, and can be there then.
static void test_not_made(void **state)
{
    (void)state;
    lc_cache *cache = lc_cache_create(1 << 20);
    const uint8_t key[KEY_BYTES] = {7, 0, 3};
    bool allowed = false;
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        assert_null(lc_cache_get(cache, &blocks, key, &allowed));
        assert_false(lc_cache_copy(cache, &sums, key, &allowed, &sum));
    }
    allowed = true;
    const void *b = lc_cache_get(cache, &blocks, key, &allowed);
    assert_non_null(b);
    assert_true(lc_cache_copy(cache, &sums, key, &allowed, &sum));
    const int first = sum;
    allowed = false; // the cache has both now
    assert_ptr_equal(lc_cache_get(cache, &blocks, key, &allowed), b);
    assert_true(lc_cache_copy(cache, &sums, key, &allowed, &sum));
    assert_int_equal(sum, first);
    lc_cache_release(b);
    lc_cache_release(b);
    lc_cache_destroy(cache);
    assert_int_equal(freed, 1);
}

static void test_without_a_cache(void **state)
{
    (void)state;
    const block *a = get(NULL, 1, 5), *b = get(NULL, 1, 5);
    assert_ptr_not_equal(a, b);
    lc_cache_release(a);
    assert_int_equal(freed, 1);
    lc_cache_release(b);
    assert_int_equal(freed, 2);
    const uint8_t key[KEY_BYTES] = {1};
    int first, second;
    assert_true(lc_cache_copy(NULL, &sums, key, NULL, &first));
    assert_true(lc_cache_copy(NULL, &sums, key, NULL, &second));
    assert_int_equal(second, first + 1000);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    lc_fail_allocation(1);
    assert_null(lc_cache_create(1 << 20));
    lc_cache *cache = lc_cache_create(1 << 20);
    const uint8_t key[KEY_BYTES] = {1, 0, 5};
    lc_fail_allocation(1);
    assert_null(lc_cache_get(cache, &blocks, key, NULL));
    lc_fail_allocation(0);
    assert_int_equal(made, 0);
    lc_cache_release(get(cache, 1, 5));
    lc_cache_destroy(cache);
    assert_int_equal(freed, 1);
}

// Threads that ask for the same few values, of a cache that holds half of them.
static void *ask(void *argument)
{
    lc_cache *cache = argument;
    uint64_t state = (uint64_t)(uintptr_t)&state;
    for (int i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint8_t name = (uint8_t)(state >> 60);
        const uint8_t key[KEY_BYTES] = {name, 0, 100};
        const block *b = lc_cache_get(cache, &blocks, key, NULL);
        if (b == NULL || b->bytes[0] != name || b->bytes[100] != name)
            return cache; // which says that it failed
        lc_cache_release(b);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    lc_cache *cache = lc_cache_create(8 * 300);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, cache), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    lc_cache_destroy(cache);
    assert_int_equal(freed, made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_values_are_made_once, set_up),
        cmocka_unit_test_setup(test_limit, set_up),
        cmocka_unit_test_setup(test_many_values, set_up),
        cmocka_unit_test_setup(test_not_made, set_up),
        cmocka_unit_test_setup(test_without_a_cache, set_up),
        cmocka_unit_test_setup(test_memory_runs_out, set_up),
        cmocka_unit_test_setup(test_threads, set_up),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
