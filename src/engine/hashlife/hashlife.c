// Creates, destroys and steps the hashlife engine, and sets its rules.
#include "engine/hashlife/hashlife_streams.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"

enum {
    PASS_NS = 50000000, // a pass takes about this long
    // The duration of a jump is unpredictable. The next jump is twice as long if the last one took
    // less than SHORT_NS, and half as long if it took more than LONG_NS.
    SHORT_NS = 100000000,
    LONG_NS = 500000000,
    // Jumps longer than WORTHWHILE_NS may be faster on several threads, one for each
    // NS_OF_A_WORKER. Jumps longer than MEASURED_NS measure the speed. (28 patterns on 16 cores:
    // 0.4 ms and 0.1 ms were 5 % faster on 8 threads and 2 % slower on 16, where twice as many
    // patterns were slower than on 8.)
    WORTHWHILE_NS = 1000000,
    NS_OF_A_WORKER = 500000,
    MEASURED_NS = 100000,
    ALONE_JUMPS = 4, // on one thread, before several are tried again
    FIRST_JUMP_LOG2 = 10,
    WIDE_JUMP_LOG2 = 63, // jumps of 2^63 generations or more are made by wide_jump
    JUMP_LOG2_MAX = LC_ROOT_LOG2_MAX - 3,
    // The least number of nodes that a worker steals. 2 and 16 were slower.
    LEAST_PART = 4,
};

static lc_status check(const lc_engine_config *config, uint64_t *memory_bytes, lc_message *message)
{
    *memory_bytes = LC_STORE_BYTES;
    if (!lc_hashlife_takes(&config->topology))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the engine \"hashlife\" steps infinite planes, and tori whose sides are "
                       "powers of two from 64 on, neither more than 2^20 times the other; nothing "
                       "else");
    if (config->topology.width_cells == 0 || !lc_rule_traits(config->rule)->has_b0)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "on a torus the engine \"hashlife\" steps no rules with B0, under which nothing "
                   "stays empty");
}

static void take_rules(lc_hashlife *h, const lc_rule *const rules[2])
{
    h->odd = 0;
    for (int i = 0; i < 2; i++)
        h->rules[i] = rules[i];
    lc_window_steps_set(&h->steps, h->level, rules, lc_context_cache(h->config.context));
}

static void destroy(lc_engine *engine)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    lc_hashlife_free_sums(h);
    lc_hashlife_free_workers(h);
    lc_streams_destroy(&h->streams);
    lc_tree_free(&h->tree);
    lc_store_free(&h->store);
    lc_window_steps_free(&h->steps);
    lc_free(h);
}

static lc_status reserve(void *context, size_t nodes, size_t leaves, lc_message *message)
{
    lc_hashlife *h = context;
    return lc_hashlife_reserve(h, &h->store.stock, nodes, leaves, message);
}

// Returns the number after "name=", from 1 to most; 0 if it has another form.
static int setting(const char *settings, const char *name, unsigned long most)
{
    char *end = NULL;
    const size_t length = strlen(name);
    if (strncmp(settings, name, length) != 0 || settings[length] < '0' || settings[length] > '9')
        return 0;
    const unsigned long number = strtoul(settings + length, &end, 10);
    return *end == '\0' && number <= most ? (int)number : 0;
}

// Applies the settings "part=N", "streams" or "streams=N".
static lc_status take_settings(lc_hashlife *h, const char *settings, lc_message *message)
{
    h->least_part = LEAST_PART;
    if (settings == NULL || *settings == '\0')
        return LC_OK;
    const int part = setting(settings, "part=", LC_BATCH);
    const int least = strcmp(settings, "streams") == 0
                          ? LC_STREAMS_LOG2
                          : setting(settings, "streams=", LC_STREAMS_MOST_LOG2);
    if (part > 0) {
        h->least_part = (size_t)part;
        h->is_always_worthwhile = true;
        return LC_OK;
    }
    if (least >= LC_STREAMS_LEAST_LOG2) {
        h->config.threads = 1;
        const lc_status status = lc_streams_create(&h->streams, h, least, message);
        if (status == LC_OK)
            h->streams->always_asks = strcmp(settings, "streams") != 0;
        return status;
    }
    char accepted[64];
    (void)snprintf(accepted, sizeof accepted, "part=N (1 to %d), streams and streams=N (%d to %d)",
                   LC_BATCH, LC_STREAMS_LEAST_LOG2, LC_STREAMS_MOST_LOG2);
    return lc_fail_setting(message, settings, accepted, "engine \"hashlife\"");
}

// Returns the length up to which jumps grow regardless of their duration. Streams are long, and
// split only in long jumps.
static int least_jump_log2(const lc_hashlife *h)
{
    return h->streams != NULL ? LC_STREAMS_JUMP_LOG2 : FIRST_JUMP_LOG2;
}

static lc_status create(lc_engine **out, const lc_engine_config *config, lc_message *message)
{
    *out = NULL;
    uint64_t least_bytes;
    const lc_level *level = lc_level_find(config->cpu_level, message);
    if (level == NULL || check(config, &least_bytes, message) != LC_OK)
        return LC_ERROR_UNSUPPORTED;
    lc_hashlife *h = lc_calloc(1, sizeof *h);
    if (h == NULL)
        return lc_fail_memory(message, "an engine");
    h->base.vtable = &lc_engine_hashlife;
    h->config = *config;
    h->level = level;
    lc_status status = take_settings(h, config->settings, message);
    if (status == LC_OK)
        status = lc_store_init_within(&h->store, config->context, config->limit_bytes, message);
    if (status == LC_OK)
        h->store.lender = &h->store;
    if (status == LC_OK)
        status = lc_hashlife_create_workers(h, message);
    if (status == LC_OK)
        status = lc_tree_init(&h->tree, &h->store, reserve, h, message);
    if (status != LC_OK) {
        destroy(&h->base);
        return status;
    }
    lc_hashlife_take_torus(h, &config->topology);
    h->jump_log2 = h->torus_log2 != 0 && h->torus_log2 <= FIRST_JUMP_LOG2 ? h->torus_log2 - 1
                                                                          : FIRST_JUMP_LOG2;
    h->is_worthwhile = h->is_always_worthwhile;
    h->workers_wanted = h->worker_count;
    h->help_after_ns = WORTHWHILE_NS;
    take_rules(h, (const lc_rule *const[2]){config->rule, config->rule});
    *out = &h->base;
    return LC_OK;
}

// Reports the contents of the store and the number of garbage collections in the plan.
static void report(const lc_engine *engine, lc_engine_report *report)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    char bytes[LC_SIZE_TEXT_BYTES];
    if (!h->store.is_shared) // otherwise workers are using them
        lc_hashlife_return_stocks(h);
    snprintf(h->plan, sizeof h->plan,
             "%" PRIu64 " nodes and %" PRIu64 " leaves in %s, %" PRIu64 " results, %" PRIu64
             " collections",
             h->store.nodes.used, h->store.leaves.used, lc_size_text(h->store.held_bytes, bytes),
             lc_hashlife_results(h), h->collections);
    report->cpu_level = h->level->name;
    report->plan = h->plan;
    report->nodes = h->store.nodes.used;
}

// A soup is random: no store holds it in fewer bits than its entropy.
static double soup_bytes(const lc_engine *engine, double cells, double density)
{
    (void)engine;
    if (density <= 0 || density >= 1)
        return 0;
    return cells / 8 * -(density * log2(density) + (1 - density) * log2(1 - density));
}

static uint64_t held_bytes(const lc_engine *engine)
{
    return __atomic_load_n(&((const lc_hashlife *)engine)->store.held_bytes, __ATOMIC_RELAXED);
}

static void set_limit(lc_engine *engine, uint64_t limit_bytes)
{
    lc_store_set_limit(&((lc_hashlife *)engine)->store, limit_bytes);
}

static uint64_t extent(const lc_engine *engine)
{
    return lc_tree_extent(&((const lc_hashlife *)engine)->tree);
}

static lc_status read(lc_engine *engine, const lc_cells *to, lc_message *message)
{
    return lc_tree_read(&((lc_hashlife *)engine)->tree, to, message);
}

// Forgets the remembered roots, because the cells or the rule have changed.
static void forget_roots(lc_hashlife *h)
{
    h->seen_count = 0;
    h->seen_generations = h->period = 0;
}

// Looks for the present root among the remembered ones, after so many more generations.
static void look_back(lc_hashlife *h, uint64_t generations)
{
    if (h->period != 0)
        return;
    if (generations > UINT64_MAX - h->seen_generations)
        forget_roots(h);
    h->seen_generations += generations;
    if (h->odd != 0) // the next generation depends on the phase of the rules
        return;
    const lc_seen now = {h->tree.root, h->tree.root_log2, h->seen_generations};
    for (size_t i = 0; i < LC_SEEN && i < h->seen_count && h->period == 0; i++)
        if (h->seen[i].root == now.root && h->seen[i].root_log2 == now.root_log2)
            h->period = now.at - h->seen[i].at;
    h->seen[h->seen_count % LC_SEEN] = now;
    h->seen_count++;
}

static uint64_t period(const lc_engine *engine)
{
    return ((const lc_hashlife *)engine)->period;
}

static lc_status write(lc_engine *engine, const lc_cells *from, lc_message *message)
{
    forget_roots((lc_hashlife *)engine);
    return lc_tree_write(&((lc_hashlife *)engine)->tree, from, message);
}

static lc_status fill_run(lc_engine *engine, int64_t x, int64_t y, int64_t length,
                          lc_message *message)
{
    forget_roots((lc_hashlife *)engine);
    return lc_tree_fill_run(&((lc_hashlife *)engine)->tree, x, y, length, message);
}

static lc_status seek(lc_engine *engine, const lc_area *within, lc_cells *at, lc_message *message)
{
    return lc_tree_seek(&((lc_hashlife *)engine)->tree, within, at, message);
}

static lc_store *store(lc_engine *engine)
{
    return &((lc_hashlife *)engine)->store;
}

static lc_status set_root(lc_engine *engine, lc_square root, int root_log2, lc_message *message)
{
    forget_roots((lc_hashlife *)engine);
    return lc_tree_set_root(&((lc_hashlife *)engine)->tree, root, root_log2, message);
}

static lc_status get_root(lc_engine *engine, lc_square *root, int *root_log2, lc_message *message)
{
    lc_tree *tree = &((lc_hashlife *)engine)->tree;
    const lc_status status = lc_tree_flush(tree, message);
    *root = tree->root;
    *root_log2 = tree->root_log2;
    return status;
}

static lc_status snapshot(lc_engine *engine, lc_message *message)
{
    return lc_tree_snapshot(&((lc_hashlife *)engine)->tree, message);
}

static bool end_snapshot(lc_engine *engine, bool goes_back)
{
    return lc_tree_end_snapshot(&((lc_hashlife *)engine)->tree, goes_back);
}

static bool set_rule(lc_engine *engine, const lc_rule *rule, const lc_rule *then)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    const lc_rule *const rules[2] = {rule, then != NULL ? then : rule};
    const bool are_same = rules[0] == h->rules[h->odd] && rules[1] == h->rules[1 - h->odd];
    if (are_same)
        return true;
    take_rules(h, rules);
    forget_roots(h);
    h->has_other_rules = true;
    return true;
}

// Jumps 2^log2 generations.
static lc_status jump(lc_hashlife *h, int log2, unsigned odd, lc_message *message)
{
    h->step_log2 = log2;
    h->step_odd = odd;
    if (h->torus_log2 != 0)
        return lc_hashlife_jump_on_torus(h, message);
    // Live cells spread by at most 2^log2 cells; the result is the middle half. After a failed jump
    // the root is larger than its cells need.
    lc_tree_shrink_root(&h->tree);
    const int least = h->tree.root_log2 + 2 > log2 + 3 ? h->tree.root_log2 + 2 : log2 + 3;
    if (least > LC_ROOT_LOG2_MAX)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "life has reached the end of the coordinates, 2^%d cells from (0, 0)",
                       LC_WIDE_REACH_LOG2);
    lc_status status = LC_OK;
    while (h->tree.root_log2 < least && status == LC_OK) {
        status = reserve(h, 5, 0, message);
        if (status == LC_OK)
            lc_tree_grow_root(&h->tree);
    }
    lc_square result = 0;
    if (status == LC_OK)
        status = lc_hashlife_result(h, h->tree.root, h->tree.root_log2, &result, message);
    if (status != LC_OK)
        return status; // the same universe in a larger square
    h->tree.root = result;
    h->tree.root_log2--;
    lc_tree_shrink_root(&h->tree);
    return LC_OK;
}

static lc_status begin_pass(lc_hashlife *h, lc_message *message)
{
    lc_status status = lc_tree_flush(&h->tree, message);
    if (status == LC_OK && h->has_other_rules) {
        status = lc_hashlife_forget(h, message);
        h->has_other_rules = status != LC_OK;
    }
    h->looked_ns = lc_clock_ns();
    h->has_jumped = false;
    h->store.lender = NULL;
    return status;
}

// Chooses the number of threads of the next jump, from the duration and results of the last one.
static void choose_threads(lc_hashlife *h, bool began_alone, uint64_t results, uint64_t took_ns)
{
    if (h->is_always_worthwhile)
        return;
    const bool is_long = took_ns > WORTHWHILE_NS, was_helped = began_alone && h->is_worthwhile;
    const uint64_t workers = took_ns / NS_OF_A_WORKER;
    if (took_ns > MEASURED_NS && !was_helped)
        h->rates[began_alone ? 0 : 1] = (double)results / (double)took_ns;
    if (!began_alone && is_long && h->rates[0] > h->rates[1])
        h->alone_left = ALONE_JUMPS;
    else if (h->alone_left > 0)
        h->alone_left = was_helped ? 0 : h->alone_left - 1;
    h->workers_wanted = workers < 2                           ? 2
                        : workers < (unsigned)h->worker_count ? (int)workers
                                                              : h->worker_count;
    h->help_after_ns = h->alone_left > 0 && is_long ? 2 * took_ns : WORTHWHILE_NS;
    h->is_worthwhile = is_long && h->alone_left == 0;
}

static void end_pass(lc_hashlife *h)
{
    h->store.lender = &h->store;
}

// Jumps, and adapts the number of threads and the length of the next jump to the duration.
static lc_status timed_jump(lc_hashlife *h, int log2, lc_message *message)
{
    const uint64_t begin_ns = lc_clock_ns(), results = lc_hashlife_results(h);
    const bool begins_alone = !h->is_worthwhile;
    const lc_status status = jump(h, log2, h->odd, message);
    if (status != LC_OK)
        return status;
    const uint64_t took_ns = lc_clock_ns() - begin_ns;
    lc_window_steps_count(&h->steps, lc_hashlife_results(h) - results); // most of them are windows
    choose_threads(h, begins_alone, lc_hashlife_results(h) - results, took_ns);
    const int most_log2 = h->torus_log2 != 0 ? h->torus_log2 - 1 : JUMP_LOG2_MAX;
    if (log2 == h->jump_log2 && h->jump_log2 < most_log2 &&
        (took_ns < SHORT_NS || h->jump_log2 < least_jump_log2(h)))
        h->jump_log2++;
    else if (log2 == h->jump_log2 && took_ns > LONG_NS && h->jump_log2 > least_jump_log2(h))
        h->jump_log2--;
    return LC_OK;
}

static lc_status step(lc_engine *engine, uint64_t generations, uint64_t *done, lc_message *message)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    *done = 0;
    lc_status status = begin_pass(h, message);
    const uint64_t begin_ns = h->looked_ns;
    while (status == LC_OK && *done < generations) {
        const uint64_t left = generations - *done;
        const int most_log2 = 63 - __builtin_clzll(left);
        const int log2 = h->odd != 0 ? 0 : most_log2 < h->jump_log2 ? most_log2 : h->jump_log2;
        status = timed_jump(h, log2, message);
        if (status != LC_OK)
            break;
        *done += UINT64_C(1) << log2;
        h->has_jumped = true;
        if (log2 == 0 && h->rules[0] != h->rules[1])
            h->odd ^= 1;
        look_back(h, UINT64_C(1) << log2);
        if (h->jump_log2 >= WIDE_JUMP_LOG2 || lc_clock_ns() - begin_ns > PASS_NS)
            break;
    }
    end_pass(h);
    return *done > 0 ? LC_OK : status;
}

static lc_status wide_jump(lc_engine *engine, int most_log2, int *log2, lc_message *message)
{
    lc_hashlife *h = (lc_hashlife *)engine;
    const int longest = most_log2 < h->jump_log2 ? most_log2 : h->jump_log2;
    *log2 = 0;
    if (longest < WIDE_JUMP_LOG2 || h->odd != 0)
        return LC_OK;
    lc_status status = begin_pass(h, message);
    if (status == LC_OK)
        status = timed_jump(h, longest, message);
    end_pass(h);
    if (status != LC_OK)
        return status;
    forget_roots(h);
    *log2 = longest;
    return LC_OK;
}

static const lc_plane_ops plane = {
    .held_bytes = held_bytes,
    .set_limit = set_limit,
    .extent = extent,
    .seek = seek,
    .soup_bytes = soup_bytes,
    .fill_run = fill_run,
    .period = period,
};

static const lc_tree_ops tree = {
    .store = store,
    .set_root = set_root,
    .get_root = get_root,
    .snapshot = snapshot,
    .end_snapshot = end_snapshot,
    .jump = wide_jump,
    .count_coarse = lc_hashlife_count_coarse,
};

const lc_engine_vtable lc_engine_hashlife = {
    .name = "hashlife",
    .summary = "HashLife (memoised quadtree)",
    .reason = "infinite planes, and tori with power-of-two sides",
    .traits = {.families = LC_FAMILY_BIT(LC_FAMILY_TOTALISTIC) | LC_FAMILY_BIT(LC_FAMILY_MAP),
               .states_max = 2,
               .planes_max = 1,
               .reach_max = 1,
               .has_settings = true,
               .has_levels = true},
    .check = check,
    .create = create,
    .destroy = destroy,
    .set_rule = set_rule,
    .read = read,
    .write = write,
    .step = step,
    .facts = lc_hashlife_facts,
    .view = lc_hashlife_view,
    .report = report,
    .plane = &plane,
    .tree = &tree,
};
