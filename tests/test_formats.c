// Files that earlier builds wrote, in every version of every format (tests/formats): each is read,
// has the cells that formats/expected.txt states, and is stepped on as that build stepped it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_disk.h"
#include "support_facts.h"
#include "support_universe.h"

enum { TEXT_BYTES = 256, MOST_FILE_BYTES = 1 << 21 };

// The cells of a universe as the table states them.
typedef struct stated {
    char population[TEXT_BYTES];
    int background;
    uint64_t hash;
} stated;

typedef struct entry {
    char file[TEXT_BYTES], part[TEXT_BYTES], rule[TEXT_BYTES], generation[TEXT_BYTES];
    char steps[TEXT_BYTES];
    stated before, after;
} entry;

static const char *path_of(const char *file)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_FORMATS, file);
    return path;
}

// The next entry of the table; false at its end.
static bool read_entry(FILE *table, entry *e)
{
    char line[2048];
    do {
        if (fgets(line, sizeof line, table) == NULL)
            return false;
    } while (line[0] == '#');
    const int columns = sscanf(
        line, "%255s %255s %255s %255s %255s %d %" SCNx64 " %255s %255s %d %" SCNx64, e->file,
        e->part, e->rule, e->generation, e->before.population, &e->before.background,
        &e->before.hash, e->steps, e->after.population, &e->after.background, &e->after.hash);
    if (columns != 11)
        fail_msg("expected.txt: %s", line);
    return true;
}

static void unpack(const char *from, const char *to)
{
    static unsigned char bytes[MOST_FILE_BYTES];
    gzFile packed = gzopen(from, "rb");
    if (packed == NULL)
        fail_msg("%s cannot be read", from);
    const int size_bytes = gzread(packed, bytes, sizeof bytes);
    assert_in_range(size_bytes, 1, sizeof bytes - 1);
    assert_int_equal(gzclose(packed), Z_OK);
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, (size_t)size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static lc_status open_board(lc_universe **u, const entry *e, lc_message *message)
{
    lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .threads = 2};
    if (strcmp(e->part, "previous") == 0)
        options.disk_settings = e->part;
    unpack(path_of(e->file), test_disk_path);
    assert_true(lc_disk_is_board(test_disk_path));
    return lc_disk_open(u, test_disk_path, &options, message);
}

static lc_status open_frame(lc_universe **u, const entry *e, lc_message *message)
{
    lc_pattern *pattern, *frame;
    lc_timeline *timeline;
    int64_t x, y;
    lc_status status = lc_pattern_open(&pattern, path_of(e->file), message);
    if (status == LC_OK)
        status = lc_timeline_read(&timeline, pattern, 0, message);
    if (status != LC_OK)
        return status;
    assert_false(lc_timeline_get_info(timeline)->is_cut);
    lc_pattern_close(&pattern);
    status = lc_timeline_open_frame(&frame, timeline, strtoul(e->part, NULL, 10), message);
    if (status != LC_OK)
        return status;
    const lc_pattern_header *header = lc_pattern_get_header(frame);
    const bool is_plane = header->topology.width_cells == 0 && header->topology.height_cells == 0;
    *u = test_create(is_plane ? "hashlife" : "auto", header->rule, header->topology, 0);
    lc_universe_place(*u, header, &x, &y);
    status = lc_universe_load(*u, frame, x, y, message);
    lc_universe_set_generation(*u, lc_timeline_generation(timeline, strtoul(e->part, NULL, 10)));
    lc_pattern_close(&frame);
    lc_timeline_destroy(&timeline);
    return status;
}

static lc_status open_entry(lc_universe **u, const entry *e, lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .threads = 2};
    if (strncmp(e->file, "checkpoint-", strlen("checkpoint-")) == 0)
        return lc_universe_restore(u, path_of(e->file), &options, message);
    if (strncmp(e->file, "disk-", strlen("disk-")) == 0)
        return open_board(u, e, message);
    return open_frame(u, e, message);
}

static void expect(const lc_universe *u, const stated *wanted, const entry *e, const char *when)
{
    char population[LC_COUNT_TEXT_BYTES];
    const lc_facts facts = test_facts(u, LC_FACT_POPULATION | LC_FACT_HASH);
    lc_count_format(facts.population, population);
    if (strcmp(population, wanted->population) != 0 || facts.hash != wanted->hash ||
        lc_universe_background(u) != (wanted->background != 0))
        fail_msg("%s, %s, %s: population %s, background %d, hash %016" PRIx64, e->file, e->part,
                 when, population, lc_universe_background(u), facts.hash);
}

static void check_entry(const entry *e)
{
    char text[LC_RULE_TEXT_BYTES], generation[LC_COUNT_TEXT_BYTES];
    lc_count steps;
    lc_message message = {0};
    lc_universe *u;
    if (open_entry(&u, e, &message) != LC_OK)
        fail_msg("%s, %s: %s", e->file, e->part, message.text);
    lc_rule_format(lc_universe_rule(u), lc_universe_topology(u), text);
    assert_string_equal(text, e->rule);
    lc_count_format(lc_universe_generation(u), generation);
    assert_string_equal(generation, e->generation);
    expect(u, &e->before, e, "as read");
    assert_int_equal(lc_count_parse(e->steps, NULL, &steps, NULL), LC_OK);
    if (lc_universe_step(u, steps, NULL, NULL, &message) != LC_OK)
        fail_msg("%s, %s: %s", e->file, e->part, message.text);
    expect(u, &e->after, e, "stepped");
    lc_universe_destroy(&u);
}

static void files_of_earlier_builds(void **state)
{
    (void)state;
    enum { ENTRIES = 79 };
    entry e;
    int entries = 0;
    FILE *table = fopen(path_of("expected.txt"), "r");
    assert_non_null(table);
    for (; read_entry(table, &e); entries++)
        check_entry(&e);
    fclose(table);
    assert_int_equal(entries, ENTRIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_of_earlier_builds)};
    return cmocka_run_group_tests(tests, test_disk_set_up, test_disk_tear_down);
}
