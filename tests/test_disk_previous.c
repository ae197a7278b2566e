// Boards on disk whose newest state is damaged: refused, never replaced by an older one in silence;
// and the state before it, which can be opened, and is not lost before another one is whole.
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <xxhash.h>

#include "chunks/chunks_header.h"
#include "lightcone/lightcone.h"
#include "support.h"
#include "support_disk.h"
#include "support_facts.h"
#include "support_universe.h"

enum { PASS = 13, PAGE = LC_CHUNKS_HEADER_BYTES, SECTOR_BYTES = 512, WORDS = PAGE / 8 };

static const char *const settings = "band=4096,rows=300,depth=13";
static const char *const before = "previous,rows=300,depth=13";

static uint64_t hashes[3]; // by passes

static lc_status open_board(lc_universe **u, const char *how, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = test_context(),
                                         .engine = "simd",
                                         .threads = 2,
                                         .disk_settings = how};
    return lc_disk_open(u, test_disk_path, &options, message);
}

// A board that was kept at generations 0, 13 and 26: its newest header is the second one, number 3.
static void make_board(void)
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
    unlink(test_disk_path);
    assert_int_equal(lc_universe_create(&u, &options, &message), LC_OK);
    assert_int_equal(lc_universe_soup(u, 0, 0, 1000, 500, 0.4, 3, &message), LC_OK);
    assert_int_equal(lc_disk_keep(u, &message), LC_OK);
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            test_step(u, PASS);
        hashes[i] = test_hash(u);
    }
    lc_universe_destroy(&u);
}

static unsigned char *read_file(size_t *size_bytes)
{
    struct stat facts;
    assert_int_equal(stat(test_disk_path, &facts), 0);
    unsigned char *bytes = malloc((size_t)facts.st_size);
    assert_non_null(bytes);
    FILE *file = fopen(test_disk_path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, (size_t)facts.st_size, file), facts.st_size);
    fclose(file);
    *size_bytes = (size_t)facts.st_size;
    return bytes;
}

static void write_file(const unsigned char *bytes, size_t size_bytes)
{
    FILE *file = fopen(test_disk_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static void expect_file(const unsigned char *bytes, size_t size_bytes, const char *what)
{
    size_t now_bytes;
    unsigned char *now = read_file(&now_bytes);
    if (now_bytes != size_bytes || memcmp(now, bytes, size_bytes) != 0)
        fail_msg("%s: the file has changed", what);
    free(now);
}

static void flip(off_t at, unsigned char bits)
{
    unsigned char byte;
    const int file = open(test_disk_path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= bits;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    close(file);
}

// What is in the file, all of its cells: how many passes it is old.
static int passes_of(const lc_universe *u)
{
    const int passes = (int)(test_generation(u) / PASS);
    assert_int_equal(test_generation(u) % PASS, 0);
    assert_true(passes < 3 && test_hash(u) == hashes[passes]);
    return passes;
}

static void expect_state(const char *how, int passes, bool has_note, const char *what)
{
    lc_universe *u;
    lc_disk_facts facts;
    lc_message message = {0};
    if (open_board(&u, how, &message) != LC_OK)
        fail_msg("%s: %s", what, message.text);
    assert_int_equal(passes_of(u), passes);
    assert_true(lc_disk_get_facts(u, &facts));
    if ((*facts.note != '\0') != has_note)
        fail_msg("%s: the note is \"%s\"", what, facts.note);
    lc_universe_destroy(&u);
}

static void expect_refusal(const char *how, const char *text, const char *what)
{
    lc_universe *u;
    lc_message message = {0};
    const lc_status status = open_board(&u, how, &message);
    if (status != LC_ERROR_FORMAT || strstr(message.text, text) == NULL)
        fail_msg("%s: %s: %s", what, lc_status_name(status), message.text);
    assert_null(u);
}

// The newest state --------------------------------------------------------------------------------

static void test_newest(void **state)
{
    static const struct {
        const char *what;
        off_t at;
    } places[] = {
        {"magic", PAGE},
        {"number", PAGE + 16},
        {"index sum", PAGE + 64},
        {"generation", PAGE + 128},
        {"rule", PAGE + 161},
        {"nothing", PAGE + 3000},
        {"number again", PAGE + 4080},
        {"header's sum", PAGE + 4090},
        {"index", 2 * PAGE + PAGE + 8},
    };
    (void)state;
    make_board();
    size_t size_bytes;
    lc_disk_info info;
    lc_message message = {0};
    unsigned char *whole = read_file(&size_bytes);
    expect_state(NULL, 2, false, "whole");
    expect_state(before, 1, true, "whole, the one before");
    expect_file(whole, size_bytes, "whole");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *what = places[i].what;
        flip(places[i].at, 4);
        expect_refusal(NULL, "generation 13, can be opened (--previous)", what);
        if (i + 1 < sizeof places / sizeof *places) { // an index is read when a board is opened
            assert_int_equal(lc_disk_look(test_disk_path, &info, &message), LC_ERROR_FORMAT);
            assert_non_null(strstr(message.text, "generation 13"));
        }
        expect_state(before, 1, true, what);
        flip(places[i].at, 4);
        expect_file(whole, size_bytes, what);
    }
    // Without the first header's magic it is a board still.
    flip(0, 4);
    assert_true(lc_disk_is_board(test_disk_path));
    free(whole);
}

// Damage to what is older changes nothing, and is said when that is asked for.
static void test_older(void **state)
{
    static const off_t places[] = {0, 16, 64, 128, 161, 3000, 4080, 4090, 2 * PAGE + 8};
    (void)state;
    make_board();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        flip(places[i], 4);
        expect_state(NULL, 2, false, "the older one is damaged");
        expect_refusal(before, i + 1 < sizeof places / sizeof *places ? "no state before" : "index",
                       "the older one");
        flip(places[i], 4);
    }
    // Both.
    flip(PAGE + 128, 1);
    flip(128, 1);
    expect_refusal(NULL, "header is damaged", "both");
    flip(128, 1);
    flip(2 * PAGE + 8, 1);
    expect_refusal(NULL, "its newest header is damaged", "header and index");
    expect_refusal(before, "its index is damaged", "header and index");
    // A file in which only one state was kept.
    unlink(test_disk_path);
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .context = test_context(),
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 1000, .height_cells = 500},
        .disk = test_disk_path};
    lc_universe *u;
    lc_message message = {0};
    assert_int_equal(lc_universe_create(&u, &options, &message), LC_OK);
    assert_int_equal(lc_disk_keep(u, &message), LC_OK);
    lc_universe_destroy(&u);
    expect_refusal(before, "no state before", "the first one");
    flip(PAGE + 128, 1);
    expect_refusal(NULL, "its header is damaged", "the only one");
    // A new board has no other state.
    lc_universe_options made = options;
    unlink(test_disk_path);
    made.disk_settings = "previous";
    assert_int_equal(lc_universe_create(&u, &made, &message), LC_ERROR_ARGUMENT);
    assert_int_not_equal(access(test_disk_path, F_OK), 0);
}

// Going on from the one before --------------------------------------------------------------------

// Steps the previous state in a process of its own, which ends at the n-th write. False: it came to
// its end before that.
static bool step_and_end(uint64_t n)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        lc_universe *u;
        lc_context *context;
        const lc_context_options own = {.struct_bytes = sizeof own, .threads = 2};
        if (lc_context_create(&context, &own, NULL) != LC_OK)
            _exit(1);
        const lc_universe_options options = {.struct_bytes = sizeof options,
                                             .context = context,
                                             .engine = "simd",
                                             .disk_settings = before};
        if (lc_disk_open(&u, test_disk_path, &options, NULL) != LC_OK)
            _exit(2);
        lc_chunks_fail_write(n, 0);
        _exit(lc_universe_step(u, lc_count_of(PASS), NULL, NULL, NULL) == LC_OK ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != 9 && WEXITSTATUS(status) != 0)
        fail_msg("the process ended with %d", WEXITSTATUS(status));
    return WEXITSTATUS(status) == 9;
}

// Wherever that ends, there is the state that was gone on with, or the next one; and as long as the
// newest one is there by its header, its cells are.
static void go_on(off_t damage)
{
    size_t size_bytes;
    make_board();
    if (damage != 0)
        flip(damage, 1);
    unsigned char *whole = read_file(&size_bytes);
    uint64_t ended = 0;
    for (uint64_t n = 1;; n++) {
        lc_universe *u;
        lc_message message = {0};
        write_file(whole, size_bytes);
        const bool cut = step_and_end(n);
        ended += cut;
        if (!cut) {
            expect_state(NULL, 2, false, "to its end");
            break;
        }
        if (open_board(&u, NULL, &message) == LC_OK) {
            const int passes = passes_of(u);
            assert_true(passes == 1 || (passes == 2 && damage == 0 && n == 1));
            lc_universe_destroy(&u);
        } else {
            if (damage == 0 || n > 1)
                fail_msg("damage at %d, write %" PRIu64 ": %s", (int)damage, n, message.text);
            expect_state(before, 1, true, "as it was");
        }
    }
    assert_true(ended > 10);
    free(whole);
}

static void test_going_on(void **state)
{
    (void)state;
    go_on(0);
    go_on(PAGE + 128);
    go_on(2 * PAGE + PAGE + 8);
}

// What a pass has begun to write over is not whole: it is refused before anything is written.
static void test_overwritten(void **state)
{
    size_t size_bytes;
    lc_chunks_shape shape;
    (void)state;
    make_board();
    // A band of it, where the newest one is in the other place.
    assert_int_equal(lc_chunks_lay_out(500, 16, 4096, &shape, NULL), LC_OK);
    for (int place = 0; place < 2; place++)
        flip((off_t)lc_chunks_band_at(&shape, place, 3), 1);
    flip(PAGE + 128, 1);
    unsigned char *whole = read_file(&size_bytes);
    expect_refusal(before, "rows 96 to 127 are damaged", "a band");
    expect_file(whole, size_bytes, "a band");
    free(whole);
    // Damage to cells says that there is another state, until something is written.
    flip(PAGE + 128, 1);
    lc_universe *u;
    lc_facts facts;
    lc_message message = {0};
    assert_int_equal(open_board(&u, settings, &message), LC_OK);
    assert_int_equal(lc_universe_facts(u, LC_FACT_HASH, &facts, &message), LC_ERROR_FORMAT);
    assert_non_null(strstr(message.text, "may be whole (--previous)"));
    lc_universe_destroy(&u);
}

// Headers -----------------------------------------------------------------------------------------

static void make_header(uint64_t number, bool is_old, unsigned char bytes[PAGE])
{
    lc_chunks_header h = {.number = number, .index_sum = number * 0x9e3779b97f4a7c15u};
    assert_int_equal(lc_chunks_lay_out(500, 16, 4096, &h.shape, NULL), LC_OK);
    memcpy(h.note, &number, sizeof number);
    strcpy((char *)h.note + 32, "B3/S23:T1000,500");
    lc_chunks_header_write(&h, bytes);
    if (is_old) { // as they were before they had their number twice
        uint64_t words[WORDS];
        memcpy(words, bytes, PAGE);
        words[WORDS - 2] = 0;
        words[WORDS - 1] = XXH3_64bits(words, PAGE - 8);
        memcpy(bytes, words, PAGE);
    }
}

// Any mixture of the sectors of a page and of what was to be written over it: the first number is
// what counts with the old page, the second one with the new one, the third one with a torn one.
static void expect_torn(unsigned char pages[2 * PAGE], int slot, const unsigned char *next,
                        const uint64_t numbers[3])
{
    unsigned char old[PAGE];
    memcpy(old, pages + slot * PAGE, PAGE);
    for (unsigned sectors = 0; sectors < 256; sectors++) {
        lc_chunks_choice choice = {.slot = 9};
        for (int i = 0; i < 8; i++)
            memcpy(pages + slot * PAGE + i * SECTOR_BYTES,
                   (sectors >> i & 1 ? next : old) + i * SECTOR_BYTES, SECTOR_BYTES);
        assert_int_equal(lc_chunks_header_choose(pages, false, &choice, NULL), LC_OK);
        const unsigned ends = sectors & 129;
        assert_int_equal(choice.header.number, numbers[ends == 0 ? 0 : ends == 129 ? 1 : 2]);
        assert_int_equal(choice.opened, LC_CHUNKS_NEWEST);
        assert_true(choice.next_number > choice.header.number);
    }
    memcpy(pages + slot * PAGE, old, PAGE);
}

static void test_torn_headers(void **state)
{
    unsigned char pages[2 * PAGE], next[PAGE];
    (void)state;
    for (uint64_t kept = 1; kept < 300; kept += 1 + kept / 7) {
        const int slot = (int)(kept % 2), other = 1 - slot;
        make_header(kept, false, pages + slot * PAGE);
        make_header(kept - 1, false, pages + other * PAGE);
        make_header(kept + 1, false, next);
        expect_torn(pages, other, next, (uint64_t[]){kept, kept + 1, kept});
        // A newer state that is given up.
        make_header(kept + 1, false, pages + other * PAGE);
        assert_int_equal(lc_chunks_header_void(kept, kept + 3, next) % 2, (uint64_t)other);
        expect_torn(pages, other, next, (uint64_t[]){kept + 1, kept, kept});
        memcpy(pages + other * PAGE, next, PAGE);
        // Torn again and again: each time the next one is seen to be, too.
        for (int i = 0; i < 12; i++) {
            lc_chunks_choice choice;
            const int from = i % 3 == 0 ? 0 : 1, count = i % 3 == 2 ? 7 : 4;
            assert_int_equal(lc_chunks_header_choose(pages, false, &choice, NULL), LC_OK);
            assert_int_equal(choice.header.number, kept);
            assert_int_equal(choice.opened, LC_CHUNKS_NEWEST);
            assert_int_equal(choice.next_number % 2, (uint64_t)other);
            make_header(choice.next_number, false, next);
            memcpy(pages + other * PAGE + from * SECTOR_BYTES, next + from * SECTOR_BYTES,
                   (size_t)count * SECTOR_BYTES);
        }
    }
}

// Every bit of a newest header that was whole, also of one that has its number once, which cannot
// always be told from a torn one; then that is said.
static void test_flipped_headers(void **state)
{
    unsigned char pages[2 * PAGE];
    (void)state;
    for (int is_old = 0; is_old < 2; is_old++) {
        int doubts = 0;
        for (int slot = 0; slot < 2; slot++) {
            make_header((uint64_t)slot + 4, is_old, pages + slot * PAGE);
            make_header((uint64_t)slot + 3, is_old, pages + (1 - slot) * PAGE);
            for (int bit = 0; bit < 8 * PAGE; bit++) {
                unsigned char *at = &pages[slot * PAGE + bit / 8];
                lc_chunks_choice choice;
                *at ^= (unsigned char)(1 << bit % 8);
                const lc_status status = lc_chunks_header_choose(pages, false, &choice, NULL);
                *at ^= (unsigned char)(1 << bit % 8);
                if (status != LC_ERROR_FORMAT &&
                    (!is_old || status != LC_OK || choice.opened != LC_CHUNKS_DOUBTFUL))
                    fail_msg("bit %d of header %d: %s", bit, slot, lc_status_name(status));
                doubts += status == LC_OK;
            }
        }
        assert_true(is_old || doubts == 0);
    }
    // A file of a later version is not one of this version with an older state.
    uint64_t words[WORDS];
    memcpy(words, pages + PAGE, PAGE);
    words[1]++;
    words[WORDS - 1] = XXH3_64bits(words, PAGE - 8);
    memcpy(pages + PAGE, words, PAGE);
    lc_chunks_choice choice;
    assert_int_equal(lc_chunks_header_choose(pages, false, &choice, NULL), LC_ERROR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newest),       cmocka_unit_test(test_older),
        cmocka_unit_test(test_going_on),     cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_torn_headers), cmocka_unit_test(test_flipped_headers),
    };
    return cmocka_run_group_tests(tests, test_disk_set_up, test_disk_tear_down);
}
