// A loss of power, at any moment of a board's life on disk: what has been written since the last
// flush may be there or not, in any order and torn at any sector, and what was flushed is there.
// All writes of a run are recorded, and files are made of them as a disk may have them afterwards:
// each holds a whole generation, the last one that was kept or the one that was about to be.
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "chunks/chunks.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_disk.h"
#include "support_facts.h"
#include "support_universe.h"

enum { SECTOR_BYTES = 512, MOST_WRITES = 4000, MOST_STATES = 64 };

// One write; or, with no bytes, a flush.
typedef struct event {
    unsigned char *bytes;
    size_t size_bytes;
    uint64_t at;
} event;

static struct {
    pthread_mutex_t mutex;
    event events[MOST_WRITES];
    size_t count;
} events = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// What was kept, and with how many events it had been.
typedef struct kept_state {
    size_t events;
    lc_count generation;
    uint64_t hash;
    bool is_early; // it was not kept yet
} kept_state;

static kept_state states[MOST_STATES];
static size_t state_count;
static char lost[96];

static void add(const void *bytes, size_t size_bytes, uint64_t at)
{
    pthread_mutex_lock(&events.mutex);
    if (events.count < MOST_WRITES) {
        event *e = &events.events[events.count++];
        *e = (event){.bytes = malloc(size_bytes + 1), .size_bytes = size_bytes, .at = at};
        memcpy(e->bytes, bytes, size_bytes);
    }
    pthread_mutex_unlock(&events.mutex);
}

static void writes(void *context, const void *bytes, size_t size_bytes, uint64_t at)
{
    (void)context;
    add(bytes, size_bytes, at);
}

static void flushed(void *context)
{
    (void)context;
    add("", 0, 0);
}

static const lc_chunks_listener listener = {writes, flushed, NULL};

// The cells as they are now are what the file has, as far as it was said.
static void note(const lc_universe *u, bool is_early)
{
    const uint64_t hash = test_hash(u);
    assert_true(state_count < MOST_STATES);
    states[state_count++] = (kept_state){events.count, lc_universe_generation(u), hash, is_early};
}

static bool stop(void *context, const lc_universe *u)
{
    (void)u;
    return --*(int *)context < 0;
}

// A life: a soup, passes, edits, a pass that is given up, passes after that.
static void live(const char *settings)
{
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 500},
        .engine = "simd",
        .threads = 2,
        .disk = test_disk_path,
        .disk_settings = settings};
    lc_message message = {0};
    lc_universe *u;
    state_count = 0;
    unlink(test_disk_path);
    lc_chunks_listen(&listener);
    assert_int_equal(lc_universe_create(&u, &options, &message), LC_OK);
    assert_int_equal(lc_universe_soup(u, 0, 0, 1000, 500, 0.4, 3, &message), LC_OK);
    assert_int_equal(lc_disk_keep(u, &message), LC_OK);
    note(u, false);
    for (int pass = 0; pass < 8; pass++) {
        int looks = 3;
        if (pass == 3 || pass == 5) {
            for (int64_t x = 0; x < 40; x++)
                test_set(u, x * 25, 100 + x * pass);
            if (pass == 3)
                assert_int_equal(lc_disk_keep(u, &message), LC_OK);
            note(u, pass == 5); // the pass keeps them first, if nobody has
        }
        if (pass == 4) {
            lc_universe_set_watch(u, stop, &looks, 0);
            assert_int_equal(lc_universe_step(u, lc_count_of(13), NULL, NULL, &message),
                             LC_ERROR_STOPPED);
            lc_universe_set_watch(u, NULL, NULL, 0);
        }
        test_step(u, 13);
        note(u, false);
    }
    lc_universe_destroy(&u);
    lc_chunks_listen(NULL);
    assert_true(events.count < MOST_WRITES);
}

static void put(int file, const event *e, size_t from, size_t size_bytes)
{
    assert_int_equal(pwrite(file, e->bytes + from, size_bytes, (off_t)(e->at + from)), size_bytes);
}

// What the disk has after the power was lost with `happened` events begun, of which those since the
// last flush are there as `is_there` says of each sector.
typedef bool chooser(void *context, size_t which, size_t sector);

static void check_after_loss(size_t happened, chooser *is_there, void *context, const char *what)
{
    size_t flushed_to = 0, before = 0, first;
    lc_facts facts;
    lc_universe *u;
    lc_message message = {0};
    struct stat whole;
    const int file = fileno(fopen(lost, "w"));
    assert_int_equal(stat(test_disk_path, &whole), 0);
    assert_int_equal(ftruncate(file, whole.st_size), 0);
    for (size_t i = 0; i < happened; i++)
        if (events.events[i].size_bytes == 0)
            flushed_to = i;
    for (size_t i = 0; i < happened; i++) {
        const event *e = &events.events[i];
        for (size_t at = 0; at < e->size_bytes; at += SECTOR_BYTES)
            if (i < flushed_to || is_there(context, i, at / SECTOR_BYTES))
                put(file, e, at, SECTOR_BYTES);
    }
    while (before < state_count && states[before].events <= happened)
        before++;
    const lc_universe_options options = {
        .struct_bytes = sizeof options, .context = test_context(), .engine = "simd", .threads = 2};
    lc_status status = lc_disk_open(&u, lost, &options, &message);
    if (status == LC_OK)
        status = lc_universe_facts(u, LC_FACT_ALL, &facts, &message);
    // Before anything was kept there is no board, which is said.
    if (before == 0 && status == LC_ERROR_FORMAT) {
        lc_universe_destroy(&u);
        assert_int_equal(close(file), 0);
        return;
    }
    if (status != LC_OK)
        fail_msg("%s, %zu events: %s", what, happened, message.text);
    // A header that was torn is known to be: nothing is said, as nothing is lost.
    lc_disk_facts disk;
    assert_true(lc_disk_get_facts(u, &disk));
    assert_string_equal(disk.note, "");
    bool found = false;
    // The one that was kept last, or the next one; and where the last one was noted before it was
    // kept, the one before.
    first = before > 0 ? before - 1 : 0;
    if (first > 0 && states[first].is_early)
        first--;
    for (size_t i = first; i < state_count && i <= before; i++)
        found = found || (facts.hash == states[i].hash &&
                          lc_count_compare(lc_universe_generation(u), states[i].generation) == 0);
    if (!found)
        fail_msg("%s, %zu events: generation %" PRIu64 " with hash %016" PRIx64
                 " was never kept then",
                 what, happened, test_generation(u), facts.hash);
    lc_universe_destroy(&u);
    assert_int_equal(close(file), 0);
}

static bool all(void *context, size_t which, size_t sector)
{
    (void)context;
    (void)which;
    (void)sector;
    return true;
}

static bool none(void *context, size_t which, size_t sector)
{
    return !all(context, which, sector);
}

// The dice say a number for each write and sector, whoever asks how often.
typedef struct chance {
    uint64_t seed;
    int of_writes, of_sectors; // that are lost, of 16
} chance;

static bool by_chance(void *context, size_t which, size_t sector)
{
    const chance *c = context;
    dice write = dice_from(c->seed, which), part = dice_from(c->seed ^ which, sector);
    return (int)dice_below(&write, 16) >= c->of_writes &&
           (int)dice_below(&part, 16) >= c->of_sectors;
}

static bool all_but(void *context, size_t which, size_t sector)
{
    (void)sector;
    return which != *(const size_t *)context;
}

static bool only(void *context, size_t which, size_t sector)
{
    return !all_but(context, which, sector);
}

static void check_life(const char *settings)
{
    dice d = dice_from(test_seed(), 1);
    live(settings);
    for (size_t n = 0; n <= events.count; n++) {
        check_after_loss(n, all, NULL, "all is there");
        check_after_loss(n, none, NULL, "nothing is there");
        for (int i = 0; i < 3; i++) {
            chance c = {dice_word(&d), (int)dice_below(&d, 16), (int)dice_below(&d, 3) * 5};
            check_after_loss(n, by_chance, &c, "some of it is there");
        }
        if (n > 0) {
            const size_t which = n - 1 - (size_t)dice_below(&d, (int64_t)(n < 20 ? n : 20));
            check_after_loss(n, all_but, (void *)&which, "one write is missing");
            check_after_loss(n, only, (void *)&which, "one write is there");
        }
    }
    unlink(test_disk_path);
    for (size_t i = 0; i < events.count; i++)
        free(events.events[i].bytes);
    events.count = 0;
}

static void test_windows(void **state)
{
    (void)state;
    check_life("band=16384,rows=400,depth=13");
}

static void test_threads(void **state)
{
    (void)state;
    check_life("band=16384,rows=400,depth=13,io=threads,cached");
}

static void test_whole(void **state)
{
    (void)state;
    check_life("band=16384");
}

static int begin(void **state)
{
    const int status = test_disk_set_up(state);
    snprintf(lost, sizeof lost, "%s/lost.lcd", test_disk_folder);
    return status;
}

static int end(void **state)
{
    unlink(lost);
    return test_disk_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_whole),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
