// Checkpoints that ranks write together: an index, and a rank file of each. What any number of them
// wrote, any number reads; and what is said, and what is kept, when files do not belong together.
// The ranks are threads of the test (support_ranks.h), who see one folder.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

#include "base/memory.h"
#include "lightcone/lightcone.h"
#include "support_checkpoint.h"
#include "support_facts.h"
#include "support_ranks.h"
#include "support_universe.h"

enum { HEADER = 120, NAME = 256, RECORDS = HEADER + NAME + 8, RECORD = 96, TRAILER = 80 };

// The folder -------------------------------------------------------------------------------------

static char (*names)[256]; // of the folder's files, in order
static size_t name_count;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_folder(void)
{
    const struct dirent *entry;
    DIR *folder = opendir(test_folder);
    assert_non_null(folder);
    name_count = 0;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.' && strlen(entry->d_name) < 3)
            continue;
        names = realloc(names, (name_count + 1) * sizeof *names);
        assert_non_null(names);
        snprintf(names[name_count++], sizeof *names, "%s", entry->d_name);
    }
    closedir(folder);
    qsort(names, name_count, sizeof *names, by_name);
}

static const char *path_of(const char *name)
{
    static char paths[2][1024];
    static int turn;
    char *path = paths[turn ^= 1];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder, name);
    return path;
}

static void empty_folder(void)
{
    list_folder();
    for (size_t i = 0; i < name_count; i++)
        assert_int_equal(unlink(path_of(names[i])), 0);
}

static void write_file(const char *path, const void *bytes, size_t size_bytes)
{
    // A file that is first made empty, some file systems write to the disk at once.
    const int descriptor = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, size_bytes), size_bytes);
    assert_int_equal(ftruncate(descriptor, (off_t)size_bytes), 0);
    assert_int_equal(close(descriptor), 0);
}

// The folder has the index and that many rank files of one id, and nothing else.
static void check_files(int rank_files)
{
    list_folder();
    assert_int_equal(name_count, rank_files + 1);
    assert_string_equal(names[0], "state.lcs");
    for (int i = 0; i < rank_files; i++) {
        char ending[32];
        snprintf(ending, sizeof ending, "-%d.share", i);
        assert_int_equal(strlen(names[1 + i]), strlen("state.lcs-") + 16 + strlen(ending));
        assert_memory_equal(names[1 + i], names[1], strlen("state.lcs-") + 16);
        assert_string_equal(names[1 + i] + strlen("state.lcs-") + 16, ending);
    }
}

static const lc_topology small = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 90, .height_cells = 40};

// Universes --------------------------------------------------------------------------------------

static lc_context *context_of(int ranks)
{
    return ranks == 1 ? test_context() : test_ranks_context(ranks);
}

static lc_universe *create(int ranks, lc_topology topology, double density)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = context_of(ranks),
                                         .rule = LIFE,
                                         .topology = topology,
                                         .engine = "simd"};
    lc_universe *universe;
    lc_message message = {0};
    if (lc_universe_create(&universe, &options, &message) != LC_OK ||
        (density > 0 && lc_universe_soup(universe, 0, 0, topology.width_cells,
                                         topology.height_cells, density, 7, &message) != LC_OK))
        fail_msg("%s", message.text);
    return universe;
}

static lc_status restore(lc_universe **out, int ranks, lc_message *message)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .context = context_of(ranks), .engine = "simd"};
    *message = (lc_message){0};
    return lc_universe_restore(out, test_checkpoint, &options, message);
}

// All cells, in pieces of many rows: each order to ranks takes a while.
static uint64_t *read_board(const lc_universe *universe, size_t *count)
{
    const lc_topology *t = lc_universe_topology(universe);
    const size_t row_words = (size_t)(t->width_cells + 63) / 64;
    *count = row_words * (size_t)t->height_cells;
    uint64_t *words = calloc(*count, sizeof *words);
    assert_non_null(words);
    const lc_cells all = {.width_cells = t->width_cells,
                          .height_cells = t->height_cells,
                          .planes = 1,
                          .words = words,
                          .pitch_words = row_words};
    assert_int_equal(lc_universe_read(universe, &all, NULL), LC_OK);
    return words;
}

static void check_same(const lc_universe *a, const lc_universe *b)
{
    size_t count_a, count_b;
    uint64_t *words_a = read_board(a, &count_a), *words_b = read_board(b, &count_b);
    test_expect_same_facts(a, b);
    assert_int_equal(count_a, count_b);
    assert_memory_equal(words_a, words_b, count_a * sizeof *words_a);
    free(words_a);
    free(words_b);
}

// What stands there is that universe, whoever reads it.
static void check_restored(const lc_universe *universe, int ranks)
{
    lc_universe *again;
    lc_message message;
    if (restore(&again, ranks, &message) != LC_OK)
        fail_msg("%d ranks, byte %" PRIu64 ": %s", ranks, message.offset, message.text);
    check_same(universe, again);
    test_step(again, 3); // it is whole
    lc_universe_destroy(&again);
}

// One and several processes refuse it; returns what the one said.
static const char *check_refused(lc_status expected, const char *what, size_t at)
{
    static lc_message message;
    static const int ranks[] = {3, 1};
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        lc_universe *universe = (lc_universe *)&message;
        const lc_status status = restore(&universe, ranks[i], &message);
        if (status != expected)
            fail_msg("%s at byte %zu: %d ranks: %s: %s", what, at, ranks[i], lc_status_name(status),
                     message.text);
        assert_null(universe);
        assert_true(message.text[0] != '\0');
    }
    return message.text;
}

// A board of three rank files, which is restored in no time.
static void write_small(void)
{
    lc_universe *universe = create(3, small, 0.3);
    test_checkpoint_write(universe);
    lc_universe_destroy(&universe);
    check_files(3);
}

// Tests ------------------------------------------------------------------------------------------

static void test_any_number_of_ranks(void **state)
{
    (void)state;
    static const struct {
        lc_topology topology;
        int most; // ranks that it is wide enough for
        double density;
    } boards[] = {
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 90, .height_cells = 40}, 7, 0.4},
        // Squares that two ranks share.
        {{.kind = LC_TOPOLOGY_PLANE, .width_cells = 5001, .height_cells = 2549}, 7, 0.001},
        {{.kind = LC_TOPOLOGY_KLEIN_BOTTLE,
          .width_cells = 64,
          .height_cells = 4100,
          .twist_x = true},
         7,
         0.4},
        {{.kind = LC_TOPOLOGY_SPHERE, .width_cells = 129, .height_cells = 129}, 7, 0.3},
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 4097, .height_cells = 7}, 7, 0.4},
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 70, .height_cells = 65}, 7, 0}, // all dead
        {{.kind = LC_TOPOLOGY_TORUS, .width_cells = 1, .height_cells = 2}, 2, 1}};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        for (int writers = 2; writers <= boards[i].most; writers += writers == 2 ? 1 : 2) {
            lc_universe *universe = create(writers, boards[i].topology, boards[i].density);
            test_step(universe, 5);
            test_checkpoint_write(universe);
            check_files(writers);
            for (int readers = 1; readers <= boards[i].most; readers++)
                check_restored(universe, readers);
            lc_universe_destroy(&universe);
            empty_folder();
        }
    }
}

// All cells of some ranks dead, and one file read by several, each from the parts of its own rows.
static void test_few_cells_and_one_file(void **state)
{
    (void)state;
    const lc_topology board = {
        .kind = LC_TOPOLOGY_TORUS, .width_cells = 9000, .height_cells = 5000};
    static const int64_t cells[][2] = {{8999, 0}, {0, 2047}, {4096, 2048}, {17, 4999}, {17, 4998}};
    for (int writers = 1; writers <= 5; writers += 2) {
        lc_universe *universe = create(writers, board, 0);
        for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
            test_set(universe, cells[i][0], cells[i][1]);
        test_checkpoint_write(universe);
        check_files(writers == 1 ? 0 : writers);
        for (int readers = 1; readers <= 7; readers += 2)
            check_restored(universe, readers);
        // As an output it is one file, whoever writes it; the rank files are gone.
        assert_int_equal(lc_universe_save(universe, test_checkpoint, LC_FORMAT_AUTO, NULL), LC_OK);
        check_files(0);
        check_restored(universe, 2);
        lc_universe_destroy(&universe);
        empty_folder();
    }
}

// Whoever writes it anew, and in whatever way, leaves no file of the one before.
static void test_the_one_before_goes(void **state)
{
    (void)state;
    static const int writers[] = {3, 3, 5, 1, 1, 2, 7, 2};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        lc_universe *universe = create(writers[i], small, 0.1 * (double)(i + 1));
        test_checkpoint_write(universe);
        check_files(writers[i] == 1 ? 0 : writers[i]);
        check_restored(universe, 2);
        lc_universe_destroy(&universe);
    }
    empty_folder();
}

static void test_every_damaged_byte_is_seen(void **state)
{
    (void)state;
    write_small();
    for (int i = 0; i < 4; i++) {
        size_t size_bytes;
        char path[512];
        snprintf(path, sizeof path, "%s", path_of(names[i]));
        uint8_t *bytes = test_file_bytes(path, &size_bytes);
        for (size_t at = 0; at < size_bytes; at += i < 2 ? 1 : 7) {
            bytes[at] ^= 0x10;
            write_file(path, bytes, size_bytes);
            const char *text = check_refused(LC_ERROR_FORMAT, names[i], at);
            assert_true(i == 0 || strncmp(text, names[i], strlen(names[i])) == 0);
            bytes[at] ^= 0x10;
        }
        for (size_t length = 0; length < size_bytes; length += i == 0 ? 11 : 97) {
            write_file(path, bytes, length);
            check_refused(LC_ERROR_FORMAT, "cut off", length);
        }
        memset(bytes + size_bytes, 0, 16);
        write_file(path, bytes, size_bytes + 16);
        check_refused(LC_ERROR_FORMAT, "too long", size_bytes);
        write_file(path, bytes, size_bytes);
        free(bytes);
    }
    lc_universe *universe;
    lc_message message;
    assert_int_equal(restore(&universe, 2, &message), LC_OK);
    lc_universe_destroy(&universe);
    empty_folder();
}

// That each rank reads its own rows shows in who finds the damage in the last of them.
static void test_each_reads_its_own(void **state)
{
    (void)state;
    static const int writers[] = {1, 3};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        size_t size_bytes;
        char path[512];
        lc_universe *universe = create(
            writers[i],
            (lc_topology){.kind = LC_TOPOLOGY_TORUS, .width_cells = 70, .height_cells = 6200}, 0.4);
        test_checkpoint_write(universe);
        check_files(writers[i] == 1 ? 0 : 3);
        lc_universe_destroy(&universe);
        snprintf(path, sizeof path, "%s", path_of(names[name_count - 1]));
        uint8_t *bytes = test_file_bytes(path, &size_bytes);
        bytes[size_bytes - TRAILER - 9] ^= 1; // the end of the last frame
        write_file(path, bytes, size_bytes);
        lc_message message;
        assert_int_equal(restore(&universe, 3, &message), LC_ERROR_FORMAT);
        assert_memory_equal(message.text, "rank 2: ", strlen("rank 2: "));
        assert_non_null(strstr(message.text, "a part does not have the checksum"));
        assert_int_equal(restore(&universe, 1, &message), LC_ERROR_FORMAT);
        free(bytes);
        empty_folder();
    }
}

static void test_rank_files_that_are_not_right(void **state)
{
    (void)state;
    size_t size_bytes, other_bytes;
    char rank_file[256], other[256], text[512];
    write_small();
    snprintf(rank_file, sizeof rank_file, "%s", names[2]);
    snprintf(other, sizeof other, "%s", names[1]);
    uint8_t *bytes = test_file_bytes(path_of(rank_file), &size_bytes);

    snprintf(text, sizeof text, "%s", path_of("away"));
    assert_int_equal(rename(path_of(rank_file), text), 0);
    const char *said = check_refused(LC_ERROR_IO, "a lost rank file", 0);
    assert_non_null(strstr(said, rank_file));
    assert_non_null(strstr(said, strerror(ENOENT)));
    assert_int_equal(mkdir(path_of(rank_file), 0777), 0);
    assert_non_null(strstr(check_refused(LC_ERROR_FORMAT, "a folder", 0), rank_file));
    assert_int_equal(rmdir(path_of(rank_file)), 0);

    uint8_t *others = test_file_bytes(path_of(other), &other_bytes);
    write_file(path_of(rank_file), others, other_bytes);
    said = check_refused(LC_ERROR_FORMAT, "the rank file of another rank", 0);
    assert_non_null(strstr(said, rank_file));
    assert_non_null(strstr(said, "another rank file of this checkpoint"));
    free(others);
    write_file(path_of(rank_file), bytes, size_bytes);

    // The same board again: all but the id is the same.
    char index_before[512];
    snprintf(index_before, sizeof index_before, "%s", path_of("before"));
    assert_int_equal(rename(test_checkpoint, index_before), 0);
    assert_int_equal(unlink(path_of("away")), 0);
    lc_universe *universe = create(3, small, 0.3);
    test_checkpoint_write(universe);
    lc_universe_destroy(&universe);
    const uint64_t first_id = strtoull(rank_file + strlen("state.lcs-"), NULL, 16);
    list_folder();
    size_t at = 0;
    while (at < name_count && (strstr(names[at], "-1.share") == NULL ||
                               strtoull(names[at] + strlen("state.lcs-"), NULL, 16) == first_id))
        at++;
    assert_true(at < name_count);
    write_file(path_of(names[at]), bytes, size_bytes);
    said = check_refused(LC_ERROR_FORMAT, "the rank file of another checkpoint", 0);
    assert_non_null(strstr(said, names[at]));
    assert_non_null(strstr(said, "a rank file of another checkpoint"));
    free(bytes);

    // A rank file is no checkpoint.
    snprintf(text, sizeof text, "%s", path_of(rank_file));
    assert_true(lc_universe_is_checkpoint(text));
    lc_message message;
    assert_int_equal(lc_universe_restore(&universe, text, NULL, &message), LC_ERROR_FORMAT);
    assert_non_null(strstr(message.text, "one rank's file of a checkpoint"));
    empty_folder();
}

// Puts the right checksum wherever one belongs in an index.
static void seal_index(uint8_t *bytes)
{
    const size_t rank_files = test_take(bytes + 16, 4);
    uint64_t sum = 0, hash = 0, population = 0;
    test_put(bytes + HEADER - 8, XXH64(bytes, HEADER - 8, 0), 8);
    const uint64_t seed = test_take(bytes + HEADER - 8, 8);
    test_put(bytes + HEADER + NAME, XXH64(bytes + HEADER, NAME, seed), 8);
    uint8_t *record = bytes + RECORDS;
    for (size_t i = 0; i < rank_files && i < 3; i++, record += RECORD) {
        test_put(record + 88, XXH64(record, 88, seed), 8);
        sum += test_take(record + 88, 8);
        population += test_take(record + 48, 8);
        hash = lc_hash_joined(hash, test_take(record + 80, 8));
    }
    test_put(record + 16, rank_files, 8);
    test_put(record + 24, sum, 8);
    test_put(record + 32, population, 8);
    test_put(record + 64, hash, 8);
    test_put(record + 72, XXH64(record, 72, seed), 8);
}

static void test_indexes_that_cannot_be(void **state)
{
    (void)state;
    enum { NUMBER = RECORDS + 4, FIRST = RECORDS + 8, END = RECORDS + 16 };
    static const struct {
        size_t at;
        int count;
        uint64_t value;
        const char *what; // that is said
    } cases[] = {
        {8, 4, 5, "reads 1 to 4"},
        {25, 1, 4, "a live background"},
        {25, 1, 8, "squares of a bounded universe"},
        {16, 4, 0, "a reserved field"},
        {16, 4, 41, "the number of rank files"},
        {16, 4, 4, "ends here"},
        {16, 4, 2, "the rows of a rank file"},
        {32, 8, 0, "unbounded universe in rank files"},
        {40, 8, 50, "the rows of a rank file"},
        {96, 8, 0, "the number of the checkpoint"},
        {96, 8, 1, "-0000000000000001-0.share"}, // no such files
        {HEADER, 1, 0, "the length of the rank files' name"},
        {HEADER + 255, 1, 'x', "leads elsewhere or is none"},
        {HEADER, 3, '.' | '.' << 8 | '/' << 16, "leads elsewhere"},
        {HEADER, 1, '/', "leads elsewhere"},
        {HEADER + 4, 1, '/', "leads elsewhere"},
        {HEADER + 4, 1, '\n', "leads elsewhere or is none"},
        {NUMBER, 4, 1, "the record of a rank file"},
        {RECORDS, 1, 'X', "the record of a rank file"},
        {FIRST, 8, 1, "the rows of a rank file"},
        {END, 8, 14, "the rows of a rank file"},
        {END, 8, 0, "the rows of a rank file"},
        {END, 8, UINT64_MAX, "the rows of a rank file"},
        {RECORDS + 2 * RECORD + 16, 8, 41, "the rows of a rank file"},
        {RECORDS + 24, 8, 64, "the length that the index says"},
        {RECORDS + 32, 8, 7, "the parts that the index says"},
        {RECORDS + 40, 8, 7, "the parts that the index says"},
        {RECORDS + 48, 8, 1, "the parts that the index says"},
        {RECORDS + 80, 8, 1, "the parts that the index says"},
    };
    size_t size_bytes;
    write_small();
    uint8_t *good = test_checkpoint_bytes(&size_bytes);
    assert_int_equal(size_bytes, RECORDS + 3 * RECORD + TRAILER);
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    memcpy(bytes, good, size_bytes);
    seal_index(bytes);
    assert_memory_equal(bytes, good, size_bytes); // so it knows where checksums belong
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(bytes, good, size_bytes);
        test_put(bytes + cases[i].at, cases[i].value, cases[i].count);
        seal_index(bytes);
        test_checkpoint_replace(bytes, size_bytes);
        lc_universe *universe;
        lc_message message;
        const lc_status status = restore(&universe, 1, &message);
        if (status == LC_OK || strstr(message.text, cases[i].what) == NULL)
            fail_msg("case %zu: %s: %s", i, lc_status_name(status), message.text);
        assert_int_equal(restore(&universe, 2, &message), status);
    }
    free(bytes);
    free(good);
    empty_folder();
}

// Whatever memory is missing, and at whichever rank, the old or the new one is whole, and no file
// of the other is left.
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    write_small();
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        lc_message message = {0};
        lc_universe *universe = create(3, small, 0.5), *again = NULL;
        test_step(universe, 1);
        lc_fail_allocation(n);
        lc_status status = lc_universe_checkpoint(universe, test_checkpoint, &message);
        lc_fail_allocation(0);
        failed = status != LC_OK;
        if (failed && status != LC_ERROR_MEMORY)
            fail_msg("allocation %d: %s: %s", (int)n, lc_status_name(status), message.text);
        assert_true(!failed || message.text[0] != '\0');
        lc_universe_destroy(&universe);
        check_files(3);

        lc_fail_allocation(n);
        status = restore(&again, 3, &message);
        lc_fail_allocation(0);
        if (status != LC_OK && status != LC_ERROR_MEMORY)
            fail_msg("allocation %d: %s: %s", (int)n, lc_status_name(status), message.text);
        failed = failed || status != LC_OK;
        lc_universe_destroy(&again);
        assert_int_equal(restore(&again, 1, &message), LC_OK);
        lc_universe_destroy(&again);
        assert_true(n < 1000);
    }
    empty_folder();
}

// Links lead to it, and its rank files lie where the file is; permissions are those of the index.
static void test_links_and_permissions(void **state)
{
    (void)state;
    struct stat facts;
    char beside[] = "/tmp/lightcone-link-XXXXXX", link[128];
    assert_non_null(mkdtemp(beside));
    snprintf(link, sizeof link, "%s/l.lcs", beside);
    write_small();
    assert_int_equal(symlink(test_checkpoint, link), 0);
    assert_int_equal(chmod(test_checkpoint, 0640), 0);
    lc_universe *universe = create(2, small, 0.2), *again;
    assert_int_equal(lc_universe_checkpoint(universe, link, NULL), LC_OK);
    check_files(2);
    for (size_t i = 0; i < name_count; i++) {
        assert_int_equal(stat(path_of(names[i]), &facts), 0);
        assert_int_equal(facts.st_mode & 0777, 0640);
    }
    assert_int_equal(lc_universe_restore(&again, link, NULL, NULL), LC_OK);
    check_same(universe, again);
    lc_universe_destroy(&again);
    lc_universe_destroy(&universe);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(beside), 0);
    empty_folder();
}

// What stays is what an index names, what somebody is writing, and what is none of our business.
static void test_what_is_left_behind(void **state)
{
    (void)state;
    size_t size_bytes, rank_file_bytes;
    char first[3][256], path[512];
    write_small();
    for (int i = 0; i < 3; i++)
        snprintf(first[i], sizeof first[i], "%s", names[1 + i]);
    uint8_t *index = test_checkpoint_bytes(&size_bytes);
    uint8_t *rank_file = test_file_bytes(path_of(first[1]), &rank_file_bytes);
    write_file(path_of("copy.lcs"), index, size_bytes);

    // The copy still names them. A process' first checkpoint of a name looks for what was left.
    lc_universe *universe = create(2, small, 0.2);
    test_checkpoint_write(universe);
    for (int i = 0; i < 3; i++)
        assert_int_equal(access(path_of(first[i]), F_OK), 0);
    lc_universe *again;
    snprintf(path, sizeof path, "%s", path_of("copy.lcs"));
    assert_int_equal(lc_universe_restore(&again, path, NULL, NULL), LC_OK);
    lc_universe_destroy(&again);

    // Another path in between, so that it is the first of its name again.
    snprintf(path, sizeof path, "%s", path_of("other.lcs"));
    assert_int_equal(lc_universe_checkpoint(universe, path, NULL), LC_OK);
    assert_int_equal(unlink(path_of("copy.lcs")), 0);
    const int held = open(path_of(first[0]), O_RDONLY);
    assert_true(held >= 0);
    assert_int_equal(flock(held, LOCK_EX), 0);
    write_file(path_of("state.lcs-0123456789abcdef-1.share"), rank_file,
               rank_file_bytes);                                      // not its id
    write_file(path_of("state.lcs-0123456789abcdef-0.share"), "", 0); // was just begun
    write_file(path_of("state.lcs-0123456789abcdeF-0.share"), "", 0); // not so written
    write_file(path_of("state.lcs-0123456789abcdef-00.share"), "", 0);
    write_file(path_of("state.lcs-x.share"), "", 0);
    test_checkpoint_write(universe);
    lc_universe_destroy(&universe);
    assert_int_equal(access(path_of(first[0]), F_OK), 0);
    assert_int_equal(access(path_of(first[1]), F_OK), -1);
    assert_int_equal(access(path_of(first[2]), F_OK), -1);
    assert_int_equal(access(path_of("state.lcs-0123456789abcdef-1.share"), F_OK), 0);
    assert_int_equal(access(path_of("state.lcs-0123456789abcdef-0.share"), F_OK), -1);
    assert_int_equal(access(path_of("state.lcs-0123456789abcdeF-0.share"), F_OK), 0);
    assert_int_equal(access(path_of("state.lcs-0123456789abcdef-00.share"), F_OK), 0);
    assert_int_equal(access(path_of("state.lcs-x.share"), F_OK), 0);
    close(held);
    free(index);
    free(rank_file);
    empty_folder();
}

// Looking for what was left behind follows no links: a pipe behind one keeps what was written into
// it.
static void test_links_are_not_followed(void **state)
{
    (void)state;
    const char *const rank_file = "state.lcs-0123456789abcdef-0.share";
    char beside[] = "/tmp/lightcone-link-XXXXXX", pipe[128], other[512];
    uint8_t bytes[256] = {1, 2, 3}, again[sizeof bytes];
    assert_non_null(mkdtemp(beside));
    snprintf(pipe, sizeof pipe, "%s/pipe", beside);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const int end = open(pipe, O_RDWR | O_NONBLOCK);
    assert_true(end >= 0);
    assert_int_equal(write(end, bytes, sizeof bytes), sizeof bytes);
    assert_int_equal(symlink(pipe, path_of(rank_file)), 0);

    // Another path first, so that the process looks.
    lc_universe *universe = create(2, small, 0.2);
    snprintf(other, sizeof other, "%s", path_of("other.lcs"));
    assert_int_equal(lc_universe_checkpoint(universe, other, NULL), LC_OK);
    test_checkpoint_write(universe);
    lc_universe_destroy(&universe);
    assert_int_equal(read(end, again, sizeof again), sizeof bytes);
    assert_memory_equal(again, bytes, sizeof bytes);
    assert_int_equal(unlink(path_of(rank_file)), 0);
    assert_int_equal(close(end), 0);
    assert_int_equal(unlink(pipe), 0);
    assert_int_equal(rmdir(beside), 0);
    empty_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_ranks),
        cmocka_unit_test(test_few_cells_and_one_file),
        cmocka_unit_test(test_the_one_before_goes),
        cmocka_unit_test(test_every_damaged_byte_is_seen),
        cmocka_unit_test(test_each_reads_its_own),
        cmocka_unit_test(test_rank_files_that_are_not_right),
        cmocka_unit_test(test_indexes_that_cannot_be),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_links_and_permissions),
        cmocka_unit_test(test_what_is_left_behind),
        cmocka_unit_test(test_links_are_not_followed),
    };
    const int failures =
        cmocka_run_group_tests(tests, test_checkpoint_set_up, test_checkpoint_tear_down);
    test_ranks_end();
    free(names);
    return failures;
}
