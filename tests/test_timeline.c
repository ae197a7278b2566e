// Timelines: that every frame of a recording is the universe that it was, for every engine; and
// what is done with files of Golly, cut files and garbage.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lightcone/timeline.h"
#include "support.h"
#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"

static lc_recorder *record(const lc_universe *u, const char *path, uint64_t every,
                           uint64_t max_memory_bytes)
{
    lc_recorder *recorder;
    lc_message message = {0};
    const lc_recorder_options options = {.struct_bytes = sizeof options,
                                         .every = lc_count_of(every),
                                         .max_memory_bytes = max_memory_bytes,
                                         .threads = 2};
    if (lc_recorder_create(&recorder, path, u, &options, &message) != LC_OK)
        fail_msg("%s", message.text);
    return recorder;
}

static void add(lc_recorder *recorder, const lc_universe *u)
{
    lc_message message = {0};
    if (lc_recorder_add(recorder, u, &message) != LC_OK)
        fail_msg("%s", message.text);
}

static lc_timeline *open_timeline(const char *path)
{
    lc_pattern *pattern;
    lc_timeline *timeline;
    lc_message message = {0};
    if (lc_pattern_open(&pattern, path, &message) != LC_OK)
        fail_msg("%s", message.text);
    assert_true(lc_pattern_get_header(pattern)->has_frames);
    if (lc_timeline_read(&timeline, pattern, 0, &message) != LC_OK)
        fail_msg("%s", message.text);
    lc_pattern_close(&pattern);
    return timeline;
}

static lc_universe *frame_of(const lc_timeline *timeline, uint64_t frame, const char *engine)
{
    lc_pattern *pattern;
    int64_t x, y;
    assert_int_equal(lc_timeline_open_frame(&pattern, timeline, frame, NULL), LC_OK);
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    lc_universe *u = test_create(engine, header->rule, header->topology, 0);
    lc_universe_place(u, header, &x, &y);
    assert_int_equal(lc_universe_load(u, pattern, x, y, NULL), LC_OK);
    lc_pattern_close(&pattern);
    return u;
}

// A universe of that engine, and what it has to be: one of another engine.
static void play(const char *engine, const char *reader, lc_topology topology, dice *d)
{
    enum { FRAMES = 9 };
    const char *path = test_path(dice_below(d, 3) == 0 ? "play.mc" : "play.lct");
    const lc_rule *rule = rule_at((size_t)dice_below(d, 4), 1);
    const bool is_plane = topology.width_cells == 0;
    if (is_plane && lc_rule_traits(rule)->has_b0)
        return;
    lc_universe *u = test_create(engine, rule, topology, 0);
    lc_universe *other = test_create("scalar", rule, topology, 0);
    const uint64_t seed = dice_word(d);
    const int64_t x = is_plane ? dice_below(d, 600) - 300 : 0;
    const int64_t y = is_plane ? dice_below(d, 600) - 300 : 0;
    const int64_t width = is_plane ? 70 : topology.width_cells;
    const int64_t height = is_plane ? 60 : topology.height_cells;
    assert_int_equal(lc_universe_soup(u, x, y, width, height, 0.3, seed, NULL), LC_OK);
    assert_int_equal(lc_universe_soup(other, x, y, width, height, 0.3, seed, NULL), LC_OK);
    const uint64_t every = 1 + (uint64_t)dice_below(d, 7);
    // So little memory that all is forgotten again and again, or enough.
    lc_recorder *recorder = record(u, path, every, dice_below(d, 2) == 0 ? 1 : 1 << 20);
    for (int i = 0; i < FRAMES; i++) {
        add(recorder, u);
        test_step(u, every);
    }
    assert_int_equal(lc_recorder_frames(recorder), FRAMES);
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_timeline *timeline = open_timeline(path);
    const lc_timeline_info *info = lc_timeline_get_info(timeline);
    assert_int_equal(info->frames, FRAMES);
    assert_false(info->is_cut);
    assert_int_equal(info->every.words[0], every);
    for (uint64_t i = 0; i < FRAMES; i++) {
        lc_universe *frame = frame_of(timeline, i, reader);
        test_expect_same_facts(frame, other);
        assert_int_equal(lc_timeline_generation(timeline, i).words[0], i * every);
        assert_int_equal(lc_timeline_find(timeline, lc_count_of(i * every + every - 1)), i);
        lc_universe_destroy(&frame);
        test_step(other, every);
    }
    lc_timeline_destroy(&timeline);
    (void)remove(path);
    lc_universe_destroy(&u);
    lc_universe_destroy(&other);
}

static void test_every_engine(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 91);
    lc_engine_info info;
    FOR_EACH_ENGINE(info)
    {
        const bool on_plane = strcmp(info.name, "cuda") != 0;
        for (int i = 0; i < 6 && on_plane; i++)
            play(info.name, i % 2 == 0 ? "hashlife" : "simd", infinite_plane, &d);
        for (int i = 0; i < 8 && strcmp(info.name, "hashlife") != 0; i++) {
            lc_topology topology;
            if (topology_of((surface)(i % SURFACE_COUNT), 50 + dice_below(&d, 200),
                            50 + dice_below(&d, 200), &d, &topology))
                play(info.name, "simd", topology, &d);
        }
    }
}

// What stays the same is written once: a thousand frames of a blinker are a few bytes each.
static void test_shares(void **state)
{
    (void)state;
    static const char *const engines[] = {"hashlife", "sparse", "simd"};
    for (size_t e = 0; e < 3; e++) {
        const char *path = test_path("shares.mc");
        lc_universe *u = test_create(engines[e], LIFE, infinite_plane, 0);
        assert_int_equal(lc_universe_soup(u, -200, -200, 400, 400, 0.4, 5, NULL), LC_OK);
        assert_int_equal(test_load(u, "x=3,y=1\n3o!", 1000, 0, NULL), LC_OK);
        test_step(u, 6000);
        lc_recorder *recorder = record(u, path, 60, 0);
        struct stat first, last;
        add(recorder, u);
        assert_int_equal(stat(path, &first), 0);
        for (int i = 0; i < 100; i++) {
            test_step(u, 60);
            add(recorder, u);
        }
        assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
        assert_int_equal(stat(path, &last), 0);
        // Gliders fly: of a frame that is like the one before not more than they are new.
        assert_true(last.st_size - first.st_size < 100 * first.st_size / 10);
        lc_universe_destroy(&u);
        (void)remove(path);
    }
}

// Squares whose numbers mean other squares after a while, since the engine collects.
static void test_collections(void **state)
{
    (void)state;
    enum { FRAMES = 24 };
    const char *path = test_path("collections.lct");
    uint64_t hashes[FRAMES];
    lc_universe *u = test_create("hashlife", LIFE, infinite_plane, UINT64_C(24) << 20);
    assert_int_equal(lc_universe_soup(u, -450, -450, 900, 900, 0.4, 5, NULL), LC_OK);
    lc_recorder *recorder = record(u, path, 50, 0);
    for (int i = 0; i < FRAMES; i++) {
        hashes[i] = test_hash(u);
        add(recorder, u);
        test_step(u, 50);
    }
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_timeline *timeline = open_timeline(path);
    for (uint64_t i = 0; i < FRAMES; i++) {
        lc_universe *frame = frame_of(timeline, i, "hashlife");
        assert_int_equal(test_hash(frame), hashes[i]);
        lc_universe_destroy(&frame);
    }
    lc_timeline_destroy(&timeline);
    lc_universe_destroy(&u);
    (void)remove(path);
}

// Generations beyond 64 bits.
static void test_far_generations(void **state)
{
    (void)state;
    const char *path = test_path("far.lct");
    lc_universe *u = test_create("hashlife", LIFE, infinite_plane, 0);
    assert_int_equal(test_load(u, "x=3,y=3\n3o$3o$3o!", 0, 0, NULL), LC_OK);
    lc_count huge, generation;
    assert_int_equal(lc_count_parse("10^30", NULL, &huge, NULL), LC_OK);
    lc_universe_set_generation(u, huge);
    lc_recorder *recorder = record(u, path, 1, 0);
    add(recorder, u);
    assert_int_equal(lc_universe_step(u, huge, NULL, NULL, NULL), LC_OK);
    add(recorder, u);
    assert_int_equal(lc_recorder_add(recorder, u, NULL), LC_ERROR_ARGUMENT); // that one again
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_timeline *timeline = open_timeline(path);
    assert_int_equal(lc_timeline_get_info(timeline)->frames, 2);
    assert_int_equal(lc_count_compare(lc_timeline_generation(timeline, 0), huge), 0);
    assert_true(lc_count_add(huge, huge, &generation));
    assert_int_equal(lc_count_compare(lc_timeline_get_info(timeline)->last, generation), 0);
    assert_int_equal(lc_timeline_find(timeline, lc_count_of(0)), 0);
    lc_universe *frame = frame_of(timeline, 1, "hashlife");
    assert_int_equal(lc_count_compare(lc_universe_generation(frame), generation), 0);
    assert_int_equal(test_hash(frame), test_hash(u));
    lc_universe_destroy(&frame);
    lc_timeline_destroy(&timeline);
    lc_universe_destroy(&u);
    (void)remove(path);
}

// Read as a pattern, a timeline is its last frame, even if that one's squares came long before.
static void test_last_frame(void **state)
{
    (void)state;
    const char *path = test_path("last.lct");
    static const char *const engines[] = {"hashlife", "simd"};
    for (int frames = 1; frames <= 4; frames++) {
        lc_universe *u = test_create(engines[frames % 2], LIFE, infinite_plane, 0);
        assert_int_equal(test_load(u, "x=3,y=1\n3o!", 0, 0, NULL), LC_OK);
        lc_recorder *recorder = record(u, path, 1, 0);
        for (int i = 0; i < frames; i++) {
            test_step(u, i == 0 ? 0 : 1);
            add(recorder, u);
        }
        assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
        for (size_t e = 0; e < 2; e++) {
            lc_pattern *pattern;
            lc_universe *read = test_create(engines[e], LIFE, infinite_plane, 0);
            assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
            assert_int_equal(lc_universe_load(read, pattern, 0, 0, NULL), LC_OK);
            lc_pattern_close(&pattern);
            test_expect_same_facts(read, u);
            lc_universe_destroy(&read);
        }
        lc_universe_destroy(&u);
    }
    (void)remove(path);
}

static lc_status read_text(const char *text, size_t size, lc_timeline **timeline,
                           lc_message *message)
{
    lc_pattern *pattern;
    *timeline = NULL;
    lc_status status = lc_pattern_open_memory(&pattern, text, size, message);
    if (status == LC_OK)
        status = lc_timeline_read(timeline, pattern, 0, message);
    lc_pattern_close(&pattern);
    return status;
}

// As Golly writes them, and what it would not.
static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t frames, last; // generation; no frames: the text is refused
        const char *says;      // NULL: nothing is wrong
    } cases[] = {
        {"[M2]\n#R B3/S23\n#G 8\n#FRAMES 3 0 2^2\n*$\n4 1 0 0 0\n#FRAME 0 2\n.*$\n4 3 0 0 0\n"
         "#FRAME 1 4\n#FRAME 2 2\n",
         3, 8, NULL},
        {"[M2]\n#FRAMES 1 1,000 10^3\n*$\n#FRAME 0 1\n#FRAME 1 0\n", 2, 2000, NULL},
        {"[M2]\n#FRAMES 0 0 1\n#FRAME 0 0\n", 1, 0, NULL},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#G 5\n#FRAME 0 1\n#G 50\n#FRAME 1 0\n", 2, 50, NULL},
        {"[M2]\n#G 30\n#FRAMES 1 0 7\n*$\n#FRAME 0 1\n**$\n", 2, 30, NULL}, // and the pattern
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\n#FRAME 1 1", 1, 0, "within a line"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\n**$", 1, 0, "within a line"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\nnonsense\n#FRAME 1 1\n", 1, 0, "'.', '*'"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\n#FRAME 2 1\n", 1, 0, "one after the other"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\n#FRAME 1 9\n", 1, 0, "comes before"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\n#FRAME 1\n", 1, 0, "#FRAME is followed"},
        {"[M2]\n#FRAMES 0 5 0\n*$\n#FRAME 0 1\n#FRAME 1 1\n", 1, 5, "later generation"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1\n#G x\n#FRAME 1 1\n", 1, 0, "no number"},
        {"[M2]\n#FRAMES 0 0 2^255\n#FRAME 0 0\n#FRAME 1 0\n#FRAME 2 0\n", 2, 0, "2^256"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 1 1\n", 0, 0, "one after the other"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 2\n", 0, 0, "comes before"},
        {"[M2]\n#FRAMES 0 0 7\n*$\n#FRAME 0 1", 0, 0, "within a line"},
        {"[M2]\n#FRAMES 0 0\n", 0, 0, "three numbers"},
        {"[M2]\n#FRAMES 0 x 1\n", 0, 0, "three numbers"},
        {"[M2]\n#FRAMES 0 0 2^256\n", 0, 0, "three numbers"},
        {"[M2]\n#G 3\n#FRAMES 0 0 7\n*$\n", 0, 0, "no frame"},
        {"[M2]\n*$\n", 0, 0, "no timeline"},
        {"x=1,y=1\no!\n", 0, 0, "no timeline"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_timeline *timeline;
        lc_message message = {0};
        const lc_status status =
            read_text(cases[i].text, strlen(cases[i].text), &timeline, &message);
        if (cases[i].frames == 0) {
            assert_int_equal(status, LC_ERROR_FORMAT);
            assert_non_null(strstr(message.text, cases[i].says));
            continue;
        }
        if (status != LC_OK)
            fail_msg("text %zu: %s", i, message.text);
        const lc_timeline_info *info = lc_timeline_get_info(timeline);
        assert_int_equal(info->frames, cases[i].frames);
        assert_int_equal(info->is_cut, cases[i].says != NULL);
        if (cases[i].says != NULL)
            assert_non_null(strstr(info->cut.text, cases[i].says));
        else
            assert_int_equal(info->last.words[0], cases[i].last);
        lc_timeline_destroy(&timeline);
    }
}

static size_t read_file(const char *path, char **data)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *data = malloc(1 << 20);
    assert_non_null(*data);
    const size_t size = fread(*data, 1, 1 << 20, file);
    assert_true(size < 1 << 20);
    (void)fclose(file);
    return size;
}

// A file is good up to its last whole frame wherever it is cut off, and after each frame.
static void test_cut(void **state)
{
    (void)state;
    enum { FRAMES = 6 };
    static const char *const names[] = {"cut.lct", "cut.mc"};
    for (size_t n = 0; n < 2; n++) {
        const char *path = test_path(names[n]);
        size_t sizes[FRAMES];
        lc_universe *then[FRAMES];
        char *data;
        lc_timeline *timeline;
        lc_message message = {0};
        lc_universe *u = test_create("simd", LIFE, infinite_plane, 0);
        assert_int_equal(lc_universe_soup(u, 0, 0, 40, 40, 0.4, 3, NULL), LC_OK);
        (void)remove(path);
        lc_recorder *recorder = record(u, path, 5, 0);
        assert_int_not_equal(access(path, F_OK), 0); // not before there is a frame
        for (int i = 0; i < FRAMES; i++) {
            add(recorder, u);
            sizes[i] = read_file(path, &data);
            assert_int_equal(read_text(data, sizes[i], &timeline, &message), LC_OK);
            assert_int_equal(lc_timeline_get_info(timeline)->frames, i + 1);
            then[i] = frame_of(timeline, (uint64_t)i, "simd");
            test_expect_same_facts(then[i], u);
            lc_timeline_destroy(&timeline);
            free(data);
            test_step(u, 5);
        }
        assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
        const size_t size = read_file(path, &data);
        for (size_t cut = 0; cut < size; cut += (size_t)test_slowness()) {
            size_t frames = 0;
            while (frames < FRAMES && sizes[frames] <= cut)
                frames++;
            const lc_status status = read_text(data, cut, &timeline, &message);
            assert_int_equal(status == LC_OK, timeline != NULL);
            if (frames > 0)
                assert_int_equal(status, LC_OK);
            if (status != LC_OK)
                continue;
            const lc_timeline_info *info = lc_timeline_get_info(timeline);
            assert_true(info->frames == frames || (n == 0 && info->frames == frames + 1));
            assert_true(info->is_cut || n == 1);
            lc_universe *last = frame_of(timeline, info->frames - 1, "simd");
            test_expect_same_facts(last, then[info->frames - 1]);
            lc_universe_destroy(&last);
            lc_timeline_destroy(&timeline);
        }
        for (int i = 0; i < FRAMES; i++)
            lc_universe_destroy(&then[i]);
        free(data);
        lc_universe_destroy(&u);
        (void)remove(path);
    }
}

static void test_refused(void **state)
{
    (void)state;
    lc_recorder *recorder;
    lc_message message = {0};
    lc_recorder_options options = {.struct_bytes = sizeof options, .every = lc_count_of(1)};
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 0);
    lc_universe *other = test_create("simd", rule_at(1, 1), infinite_plane, 0);
    assert_int_equal(lc_recorder_create(&recorder, "-", u, &options, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_recorder_create(&recorder, "/nowhere/x.lct", u, &options, &message),
                     LC_ERROR_IO);
    assert_null(recorder);
    const char *path = test_path("refused.lct");
    recorder = record(u, path, 1, 0);
    assert_int_equal(lc_recorder_add(recorder, other, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    assert_int_not_equal(access(path, F_OK), 0); // without a frame there is no file
    options.every = lc_count_of(0);
    assert_int_equal(lc_recorder_create(&recorder, path, u, &options, &message), LC_ERROR_ARGUMENT);
    // Frames that need more memory than there may be.
    lc_pattern *pattern;
    lc_timeline *timeline;
    static const char text[] = "[M2]\n#FRAMES 0 0 1\n*$\n#FRAME 0 1\n";
    assert_int_equal(lc_pattern_open_memory(&pattern, text, sizeof text - 1, NULL), LC_OK);
    assert_int_equal(lc_timeline_read(&timeline, pattern, 1000, &message), LC_ERROR_LIMIT);
    assert_null(timeline);
    assert_int_equal(lc_timeline_read(&timeline, pattern, 0, &message), LC_ERROR_ARGUMENT);
    lc_pattern_close(&pattern);
    lc_universe_destroy(&u);
    lc_universe_destroy(&other);
}

// A full disk: the file keeps the frames that were whole. /dev/full takes nothing.
static void test_full_disk(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_universe *u = test_create("simd", LIFE, infinite_plane, 0);
    if (access("/dev/full", W_OK) != 0)
        skip();
    lc_recorder *recorder = record(u, "/dev/full", 1, 0);
    assert_int_equal(lc_recorder_add(recorder, u, &message), LC_ERROR_IO);
    assert_true(message.text[0] != '\0');
    assert_int_equal(lc_recorder_frames(recorder), 0);
    test_step(u, 1);
    assert_int_equal(lc_recorder_add(recorder, u, &message), LC_ERROR_IO);
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_universe_destroy(&u);
}

typedef struct patience {
    int looks; // before the end
    double share;
} patience;

static bool is_over(void *context, double share)
{
    patience *p = context;
    assert_true(share >= p->share && share <= 1);
    p->share = share;
    return p->looks-- == 0;
}

// A frame that is given up in its middle is in no file, nor are its cells in another frame.
static void test_given_up(void **state)
{
    (void)state;
    const char *path = test_path("given_up.lct");
    lc_message message = {0};
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 640, .height_cells = 640};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, 640, 640, 0.4, 5, NULL), LC_OK);
    const uint64_t hash = test_hash(u);
    patience p = {.looks = 16};
    const lc_recorder_options options = {.struct_bytes = sizeof options,
                                         .every = lc_count_of(1),
                                         .threads = 1,
                                         .watch = is_over,
                                         .watch_context = &p};
    lc_recorder *recorder;
    assert_int_equal(lc_recorder_create(&recorder, path, u, &options, &message), LC_OK);
    add(recorder, u);
    assert_true(p.share > 0.8);
    p.share = 0;
    test_step(u, 1);
    assert_int_equal(lc_recorder_add(recorder, u, &message), LC_ERROR_STOPPED);
    assert_true(message.text[0] != '\0');
    assert_true(p.looks < 0 && p.share > 0);
    p.looks = 1000;
    test_step(u, 1);
    assert_int_equal(lc_recorder_add(recorder, u, &message), LC_ERROR_STOPPED);
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_timeline *timeline = open_timeline(path);
    assert_int_equal(lc_timeline_get_info(timeline)->frames, 1);
    lc_universe *frame = frame_of(timeline, 0, "simd");
    assert_int_equal(test_hash(frame), hash);
    lc_universe_destroy(&frame);
    lc_timeline_destroy(&timeline);
    lc_universe_destroy(&u);
    (void)remove(path);
}

static bool asks_often(void *context)
{
    int *left = context;
    return (*left)-- == 0;
}

// However often it was asked before, reading that is given up gives no timeline: not the frames up
// to there, either, as of a file that is cut off.
static void test_reading_is_given_up(void **state)
{
    (void)state;
    const char *path = test_path("asked.mc");
    const lc_topology torus = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 600, .height_cells = 600};
    lc_universe *u = test_create("simd", LIFE, torus, 0);
    assert_int_equal(lc_universe_soup(u, 0, 0, 600, 600, 0.4, 5, NULL), LC_OK);
    lc_recorder *recorder = record(u, path, 1, 0);
    for (int i = 0; i < 4; i++) {
        add(recorder, u);
        test_step(u, 1);
    }
    assert_int_equal(lc_recorder_close(&recorder, NULL), LC_OK);
    lc_status status = LC_ERROR_STOPPED;
    int asked = 0;
    for (; status != LC_OK; asked++) {
        lc_message message = {0};
        lc_pattern *pattern;
        lc_timeline *timeline;
        assert_int_equal(lc_pattern_open(&pattern, path, NULL), LC_OK);
        int left = asked;
        lc_set_give_up(asks_often, &left);
        status = lc_timeline_read(&timeline, pattern, 0, &message);
        lc_set_give_up(NULL, NULL);
        lc_pattern_close(&pattern);
        if (status != LC_OK) {
            assert_int_equal(status, LC_ERROR_STOPPED);
            assert_null(timeline);
            assert_string_equal(message.text, "this was given up");
        } else {
            assert_int_equal(lc_timeline_get_info(timeline)->frames, 4);
        }
        lc_timeline_destroy(&timeline);
    }
    assert_true(asked > 4);
    lc_universe_destroy(&u);
    (void)remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_engine),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_collections),
        cmocka_unit_test(test_far_generations),
        cmocka_unit_test(test_last_frame),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_reading_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
