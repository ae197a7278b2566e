// A universe that has come to its memory limit can still be saved: with the memory that was set
// aside for that, and not with as much again. A process of its own, which gets no more memory than
// that, saves it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_facts.h"
#include "support_universe.h"

enum {
    LIMIT_BYTES = 24 << 20,
    SPARE_BYTES = LIMIT_BYTES / 8,
    OTHER_BYTES = 5 << 20, // a piece of text and what it is compressed with; buffers
};

static char folder[64], checkpoint[96], macrocell[96], facts_path[96];

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "test_rescue.XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(checkpoint, sizeof checkpoint, "%s/a.lcs", folder);
    snprintf(macrocell, sizeof macrocell, "%s/a.mc", folder);
    snprintf(facts_path, sizeof facts_path, "%s/facts", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(checkpoint);
    unlink(macrocell);
    unlink(facts_path);
    return rmdir(folder);
}

static const lc_rule *seeds(void)
{
    lc_topology topology;
    const lc_rule *rule = rule_and_topology("B2/S", &topology);
    return rule;
}

// Cells that grow in all directions and never repeat themselves, until there is no room for more.
static lc_universe *fill_up(lc_context *context, uint64_t limit_bytes)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = context,
                                         .rule = seeds(),
                                         .engine = "hashlife",
                                         .max_memory_bytes = limit_bytes};
    lc_universe *u;
    if (lc_universe_create(&u, &options, NULL) != LC_OK)
        return NULL;
    for (int64_t i = 0; i < 4; i++)
        if (lc_universe_set(u, i % 2, i / 2, true, NULL) != LC_OK)
            return NULL;
    lc_status status = LC_OK;
    while (status == LC_OK)
        status = lc_universe_step(u, lc_count_of(256), NULL, NULL, NULL);
    return status == LC_ERROR_LIMIT ? u : NULL;
}

static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Fills one and saves it. An exit status: 0, or what failed.
static int save_in_little_memory(void)
{
    lc_context *context;
    lc_facts facts;
    lc_message message = {0};
    const lc_context_options own = {.struct_bytes = sizeof own, .threads = 2};
    if (lc_context_create(&context, &own, NULL) != LC_OK)
        return 1;
    lc_universe *u = fill_up(context, LIMIT_BYTES);
    const uint64_t bytes = address_space();
    if (u == NULL || bytes == 0)
        return 2;
    const struct rlimit limit = {bytes + SPARE_BYTES + OTHER_BYTES,
                                 bytes + SPARE_BYTES + OTHER_BYTES};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 3;
    int code = 0;
    if (lc_universe_checkpoint(u, checkpoint, &message) != LC_OK)
        code = 4;
    else if (lc_universe_save(u, macrocell, LC_FORMAT_MACROCELL, &message) != LC_OK)
        code = 5;
    else if (lc_universe_facts(u, LC_FACT_ALL, &facts, &message) != LC_OK)
        code = 6;
    if (code != 0)
        fprintf(stderr, "%s\n", message.text);
    FILE *file = fopen(facts_path, "w");
    if (file == NULL || fwrite(&facts.hash, sizeof facts.hash, 1, file) != 1)
        return 7;
    fclose(file);
    // It goes on as one that was not saved does: what it had no room for, it has none for now.
    if (code == 0 && lc_universe_step(u, lc_count_of(4096), NULL, NULL, NULL) != LC_ERROR_LIMIT)
        code = 8;
    return code;
}

static uint64_t hash_of(const char *path, bool is_checkpoint)
{
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .context = test_context(),
                                   .rule = seeds(),
                                   .engine = "hashlife"};
    lc_universe *u;
    lc_pattern *pattern;
    lc_message message = {0};
    if (is_checkpoint) {
        if (lc_universe_restore(&u, path, &options, &message) != LC_OK)
            fail_msg("%s: %s", path, message.text);
    } else {
        assert_int_equal(lc_universe_create(&u, &options, &message), LC_OK);
        assert_int_equal(lc_pattern_open(&pattern, path, &message), LC_OK);
        if (lc_universe_load(u, pattern, 0, 0, &message) != LC_OK)
            fail_msg("%s: %s", path, message.text);
        lc_pattern_close(&pattern);
    }
    const uint64_t hash = test_hash(u);
    lc_universe_destroy(&u);
    return hash;
}

static void test_saving(void **state)
{
    uint64_t hash;
    (void)state;
    if (test_slowness() > 4)
        skip(); // sanitizers take address space as they like
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(save_in_little_memory());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the process ended with %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    FILE *file = fopen(facts_path, "r");
    assert_non_null(file);
    assert_int_equal(fread(&hash, sizeof hash, 1, file), 1);
    fclose(file);
    assert_int_equal(hash_of(checkpoint, true), hash);
    assert_int_equal(hash_of(macrocell, false), hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_saving)};
    return cmocka_run_group_tests(tests, begin, end);
}
