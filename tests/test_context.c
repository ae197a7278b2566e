// Contexts: what they refuse, what universes share through one, and that threads may do so at the
// same time. How fast they make universes is what universe_rate.c measures.
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/context_resources.h"
#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "support.h"

static const lc_topology small = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64};

static lc_context *create(const lc_context_options *options)
{
    lc_context *context;
    lc_message message = {0};
    if (lc_context_create(&context, options, &message) != LC_OK)
        fail_msg("%s", message.text);
    return context;
}

static lc_context *create_of(int64_t threads)
{
    const lc_context_options options = {.struct_bytes = sizeof options, .threads = threads};
    return create(&options);
}

// NULL if it fails: cmocka's own checks are for the main thread.
static lc_universe *make(lc_context *context, const char *engine, lc_topology topology, int threads)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = LIFE,
                                         .topology = topology,
                                         .engine = engine,
                                         .threads = threads,
                                         .context = context};
    lc_universe *universe;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK)
        print_error("%s\n", message.text);
    return universe;
}

// The hash of a soup after some generations, in few calls; 0 if that fails.
static uint64_t evolve(lc_universe *universe, uint64_t seed)
{
    lc_facts facts;
    if (universe == NULL)
        return 0;
    const lc_topology *t = lc_universe_topology(universe);
    lc_status status =
        lc_universe_soup(universe, 0, 0, t->width_cells, t->height_cells, 0.4, seed, NULL);
    for (int i = 0; i < 5 && status == LC_OK; i++)
        status = lc_universe_step(universe, lc_count_of(7), NULL, NULL, NULL);
    if (status == LC_OK)
        status = lc_universe_facts(universe, LC_FACT_HASH, &facts, NULL);
    return status == LC_OK ? facts.hash : 0;
}

static int threads_of_process(void)
{
    DIR *list = opendir("/proc/self/task");
    int count = -2; // "." and ".."
    assert_non_null(list);
    while (readdir(list) != NULL)
        count++;
    (void)closedir(list);
    return count;
}

// Options ----------------------------------------------------------------------------------------

static void *allocate_none(void *allocator, size_t size_bytes)
{
    (void)allocator;
    (void)size_bytes;
    return NULL;
}

static void test_refusals(void **state)
{
    (void)state;
    const lc_context_options bad[] = {
        {.struct_bytes = sizeof bad[0], .threads = -1},
        {.struct_bytes = sizeof bad[0], .threads = LC_THREADS_MAX + 1},
        {.struct_bytes = sizeof bad[0], .threads = INT64_MAX},
        {.struct_bytes = sizeof bad[0], .allocate = allocate_none},
        {.threads = 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        lc_context *context = (lc_context *)state;
        lc_message message = {0};
        assert_int_equal(lc_context_create(&context, &bad[i], &message), LC_ERROR_ARGUMENT);
        assert_null(context);
        assert_true(strlen(message.text) > 20);
    }
    lc_context_destroy(NULL);
    lc_context *none = NULL;
    lc_context_destroy(&none);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    const char *const folders[] = {"/one", "", NULL};
    const lc_context_options options = {.struct_bytes = sizeof options,
                                        .threads = 3,
                                        .cache_folder = "a",
                                        .cuda_library = "b",
                                        .nvrtc_library = "c",
                                        .nvrtc_folders = folders};
    lc_context *context = NULL;
    uint64_t n = 0;
    lc_status status = LC_ERROR_MEMORY;
    while (status != LC_OK) {
        assert_true(n < 20);
        lc_fail_allocation(++n);
        status = lc_context_create(&context, &options, NULL);
        lc_fail_allocation(0);
        assert_true((status == LC_OK) == (context != NULL));
        assert_true(status == LC_OK || status == LC_ERROR_MEMORY);
    }
    assert_true(n > 6);
    lc_context_destroy(&context);
    assert_null(context);
}

static void test_texts_are_copied(void **state)
{
    (void)state;
    char cache[] = "/cache", library[] = "/library", folder[] = "/folder";
    const char *folders[] = {folder, NULL};
    const lc_context_options options = {.struct_bytes = sizeof options,
                                        .cache_folder = cache,
                                        .cuda_library = library,
                                        .nvrtc_library = "",
                                        .nvrtc_folders = folders};
    lc_context *context = create(&options);
    cache[1] = library[1] = folder[1] = 'X';
    folders[0] = NULL;
    assert_string_equal(lc_context_cache_folder(context), "/cache");
    assert_string_equal(context->options.cuda_library, "/library");
    assert_null(context->options.nvrtc_library);
    assert_string_equal(context->options.nvrtc_folders[0], "/folder");
    assert_null(context->options.nvrtc_folders[1]);
    lc_context_destroy(&context);
    context = create(NULL);
    assert_string_equal(lc_context_cache_folder(context), "");
    assert_int_equal(lc_context_threads(context), lc_cpu_count());
    lc_context_destroy(&context);
    assert_string_equal(lc_context_cache_folder(NULL), "");
}

// Threads ----------------------------------------------------------------------------------------

static void test_threads_start_with_work(void **state)
{
    (void)state;
    const lc_topology large = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 4096, .height_cells = 4096};
    const int before = threads_of_process();
    lc_context *context = create_of(4);
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .topology = large, .context = context};
    lc_universe_needs needs;
    assert_int_equal(lc_universe_check(&options, &needs, NULL), LC_OK);
    lc_universe *first = make(context, "simd", large, 0), *second = make(context, "simd", large, 0);
    assert_int_equal(lc_universe_info_of(first).threads, 4);
    assert_int_equal(threads_of_process(), before);
    const uint64_t hash = evolve(first, 1);
    assert_true(hash != 0);
    const int started = threads_of_process(); // a sanitizer may have one more
    assert_true(started >= before + 3);
    assert_true(evolve(second, 1) == hash);
    assert_int_equal(threads_of_process(), started); // both use the same
    lc_universe_destroy(&first);
    lc_universe_destroy(&second);
    lc_context_destroy(&context);
    for (int i = 0; threads_of_process() != started - 3; i++) { // a thread that was joined may
        assert_true(i < 10000);                                 // still be seen
        usleep(1000);
    }
}

// Another number than the context has: the rest of it is shared, the threads are not.
static void test_threads_of_its_own(void **state)
{
    (void)state;
    lc_context *context = create_of(2);
    lc_universe *shared = make(context, "simd", small, 0), *own = make(context, "simd", small, 3);
    lc_universe *same = make(context, "simd", small, 2);
    assert_int_equal(lc_universe_info_of(shared).threads, 2);
    assert_int_equal(lc_universe_info_of(own).threads, 3);
    assert_int_equal(lc_universe_info_of(same).threads, 2);
    const uint64_t hash = evolve(shared, 1);
    assert_true(hash != 0);
    assert_true(evolve(own, 1) == hash);
    assert_true(evolve(same, 1) == hash);
    lc_universe_destroy(&shared);
    lc_universe_destroy(&own);
    lc_universe_destroy(&same);
    lc_context_destroy(&context);
}

// Universes keep the context that they are in.
static void test_destroyed_early(void **state)
{
    (void)state;
    lc_context *context = create_of(2);
    lc_universe *first = make(context, "simd", small, 0),
                *second = make(context, "scalar", small, 0);
    lc_context_destroy(&context);
    assert_null(context);
    assert_true(evolve(first, 1) == evolve(second, 1));
    lc_universe_destroy(&first);
    assert_true(evolve(second, 2) != evolve(second, 1));
    lc_universe_destroy(&second);
}

enum { AT_ONCE = 4, BOARDS = 6 };

typedef struct stepper {
    lc_context *context;
    uint64_t expected[BOARDS];
    int wrong;
} stepper;

static const struct {
    const char *engine;
    lc_topology topology;
} boards[BOARDS] = {
    {"simd", {.kind = LC_TOPOLOGY_TORUS, .width_cells = 64, .height_cells = 64}},
    {"simd", {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1500, .height_cells = 900}},
    {"scalar", {.kind = LC_TOPOLOGY_PLANE, .width_cells = 100, .height_cells = 130}},
    {"simd", {.kind = LC_TOPOLOGY_SPHERE, .width_cells = 300, .height_cells = 300}},
    {"simd", {.kind = LC_TOPOLOGY_PLANE, .width_cells = 3000, .height_cells = 100}},
    {"simd",
     {.kind = LC_TOPOLOGY_KLEIN_BOTTLE, .width_cells = 65, .height_cells = 700, .twist_x = true}},
};

static void *step_all(void *context)
{
    stepper *s = context;
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < BOARDS; i++) {
            lc_universe *universe = make(s->context, boards[i].engine, boards[i].topology, 0);
            s->wrong += evolve(universe, (uint64_t)i) != s->expected[i];
            lc_universe_destroy(&universe);
        }
    return NULL;
}

// Several threads, each with universes of its own, in one context: they take turns with its pool.
static void test_universes_at_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        pthread_t steps[AT_ONCE];
        stepper one = {.context = create_of(threads)}, s[AT_ONCE];
        for (int i = 0; i < BOARDS; i++) {
            lc_universe *alone = make(NULL, "scalar", boards[i].topology, 1);
            one.expected[i] = evolve(alone, (uint64_t)i);
            assert_true(one.expected[i] != 0);
            lc_universe_destroy(&alone);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            s[i] = one;
            assert_int_equal(pthread_create(&steps[i], NULL, step_all, &s[i]), 0);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            assert_int_equal(pthread_join(steps[i], NULL), 0);
            assert_int_equal(s[i].wrong, 0);
        }
        lc_context_destroy(&one.context);
    }
}

// Memory -----------------------------------------------------------------------------------------

// An allocator that counts, and gives out no more than `most`.
typedef struct counter {
    atomic_size_t held, most_held, limit;
} counter;

static void *allocate(void *allocator, size_t size_bytes)
{
    counter *c = allocator;
    const size_t now = atomic_fetch_add(&c->held, size_bytes) + size_bytes;
    if (now > atomic_load(&c->limit)) {
        atomic_fetch_sub(&c->held, size_bytes);
        return NULL;
    }
    if (now > atomic_load(&c->most_held))
        atomic_store(&c->most_held, now);
    void *memory = aligned_alloc(64, (size_bytes + 63) / 64 * 64);
    assert_non_null(memory);
    return memset(memory, 0, size_bytes);
}

static void release(void *allocator, void *memory, size_t size_bytes)
{
    counter *c = allocator;
    assert_non_null(memory);
    assert_true(atomic_fetch_sub(&c->held, size_bytes) >= size_bytes);
    free(memory);
}

static lc_context *create_counted(counter *c)
{
    const lc_context_options options = {.struct_bytes = sizeof options,
                                        .threads = 2,
                                        .allocate = allocate,
                                        .release = release,
                                        .allocator = c};
    return create(&options);
}

static void test_allocator(void **state)
{
    (void)state;
    static const char *const engines[] = {"simd", "scalar"};
    for (size_t i = 0; i < 2; i++) {
        counter c = {.limit = SIZE_MAX};
        lc_context *context = create_counted(&c);
        lc_universe *universe =
            make(context, engines[i], (lc_topology){.kind = LC_TOPOLOGY_PLANE}, 0);
        const uint64_t first = lc_universe_info_of(universe).memory_bytes;
        assert_true(c.held <= first && c.held > first * 3 / 4);
        assert_int_equal(lc_universe_soup(universe, 0, 0, 100, 100, 0.4, 1, NULL), LC_OK);
        assert_int_equal(lc_universe_step(universe, lc_count_of(300), NULL, NULL, NULL),
                         LC_OK); // it grows
        const uint64_t stated = lc_universe_info_of(universe).memory_bytes;
        assert_true(c.held > stated * 3 / 4); // all but what nobody asked for
        const size_t most = c.most_held;
        lc_universe_destroy(&universe);
        assert_true(c.held < stated); // what engines work in is kept for the next one,
        for (int again = 0; again < 5; again++) {
            universe = make(context, engines[i], small, 0);
            lc_universe_destroy(&universe);
        }
        assert_int_equal(c.most_held, most); // and no more than that
        lc_context_destroy(&context);
        assert_int_equal(c.held, 0);
    }
}

static void test_allocator_runs_out(void **state)
{
    (void)state;
    static const char *const engines[] = {"simd", "scalar"};
    for (size_t i = 0; i < 2; i++) {
        counter c = {.limit = SIZE_MAX};
        lc_context *context = create_counted(&c);
        lc_universe *universe = make(context, engines[i], small, 0);
        const size_t needed = c.held;
        lc_universe_destroy(&universe);
        lc_context_destroy(&context);
        for (size_t limit = 0; limit < needed; limit += needed / 8) {
            c.limit = limit;
            context = create_counted(&c);
            const lc_universe_options wanted = {.struct_bytes = sizeof wanted,
                                                .rule = LIFE,
                                                .topology = small,
                                                .engine = engines[i],
                                                .context = context};
            lc_message message = {0};
            assert_int_equal(lc_universe_create(&universe, &wanted, &message), LC_ERROR_MEMORY);
            assert_null(universe);
            assert_true(strlen(message.text) > 10);
            lc_context_destroy(&context);
            assert_int_equal(c.held, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),           cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_texts_are_copied),   cmocka_unit_test(test_threads_start_with_work),
        cmocka_unit_test(test_threads_of_its_own), cmocka_unit_test(test_destroyed_early),
        cmocka_unit_test(test_universes_at_once),  cmocka_unit_test(test_allocator),
        cmocka_unit_test(test_allocator_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
