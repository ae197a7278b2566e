// The bench's charts, drawn from records made up here: files are well-formed, nothing in them is
// not a number or out of the picture, and what they say is what the records say.
//
// LC_TEST_PICTURES=FOLDER keeps what is drawn, to be looked at.
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/charts.h"
#include "support.h"

enum { RUNS = 10 };

// Records that are made up -----------------------------------------------------------------------

typedef struct made {
    const char *engine;
    const char *plan;
    bool on_gpu;
    int threads;
    int64_t side;
    double gcells;
    double spread; // of the runs, as a share
    double bytes;  // for a cell and generation; 0: not known
    double operations;
} made;

static uint64_t random_state = 1;

// 0 .. 1
static double random_share(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 40) / (double)(1 << 24);
}

static lc_bench_options options = {
    .runs = RUNS, .warmups = 2, .run_ns = 100000000, .interleave = true, .verify = {.seed = 7}};

static lc_machine_facts machine(void)
{
    return (lc_machine_facts){
        .machine = {.cpu_model = "A <CPU> & \"more\"", .threads = 16, .memory_bytes = 1u << 30},
        .cpus_online = 16,
        .os = "Linux",
        .compiler = "gcc 13",
        .compiler_flags = "-O2",
        .version = "0.1.0",
        .commit = "0123456789abcdef",
        .date = "2026-01-02T03:04:05Z",
    };
}

static void add_made(lc_charts *charts, made one)
{
    double runs[RUNS];
    double sorted[RUNS];
    double cells = (double)one.side * (double)one.side;
    double base_ns = 100 * cells / one.gcells;
    for (int i = 0; i < RUNS; i++)
        runs[i] = base_ns * (1 + one.spread * (random_share() + 3 * pow(random_share(), 12)));
    lc_bench_record record = {
        .configuration = {.engine = one.engine,
                          .cpu_level = "",
                          .threads = one.threads,
                          .rule = LIFE,
                          .topology = {.kind = LC_TOPOLOGY_TORUS,
                                       .width_cells = one.side,
                                       .height_cells = one.side}},
        .options = &options,
        .verification = {.method = "whole boards"},
        .generations = 100,
        .run_ns = runs,
        .time_ns = lc_statistics_of(runs, RUNS, sorted),
        .on_gpu = one.on_gpu,
        .step = {.bytes_per_cell = one.bytes,
                 .operations_per_cell = one.operations,
                 .registers = 40,
                 .threads_a_block = 256,
                 .occupancy = 0.75},
        .has_copy_rate = one.bytes > 0,
        .copy_bytes_per_second = one.on_gpu ? 4.1e12 : 2e10,
        .gates_per_second = one.on_gpu ? 1.6e13 : 3e10 * one.threads,
    };
    snprintf(record.plan, sizeof record.plan, "%s", one.plan);
    lc_statistics_of(runs, RUNS, sorted);
    record.median_ns = (lc_interval){record.time_ns.median, sorted[1], sorted[8], 0.9785};
    record.cells_per_second = 100 * cells / record.time_ns.median * 1e9;
    assert_int_equal(lc_charts_add(charts, &record), LC_OK);
    memset(runs, 0xff, sizeof runs); // what was added is a copy
}

static void add_failed(lc_charts *charts, const char *engine, lc_status status, const char *text)
{
    lc_bench_record record = {.configuration = {.engine = engine,
                                                .cpu_level = "",
                                                .rule = LIFE,
                                                .topology = {.kind = LC_TOPOLOGY_TORUS,
                                                             .width_cells = 100,
                                                             .height_cells = 100}},
                              .options = &options,
                              .status = status,
                              .refused = status == LC_ERROR_UNSUPPORTED};
    snprintf(record.message.text, sizeof record.message.text, "%s", text);
    record.time_ns.count = 99; // not known: not to be looked at
    record.cells_per_second = NAN;
    assert_int_equal(lc_charts_add(charts, &record), LC_OK);
}

static lc_charts *create(void)
{
    lc_machine_facts facts = machine();
    lc_charts *charts = NULL;
    assert_int_equal(lc_charts_create(&charts, &facts, &options), LC_OK);
    return charts;
}

// As a whole gallery: designs of all speeds at up to four boards, with sweeps of a few.
static void add_gallery(lc_charts *charts)
{
    static const struct {
        const char *name;
        bool on_gpu;
        int threads;
        double gcells, bytes, operations;
        int64_t largest;
    } designs[] = {
        {"bytes-cpu", false, 1, 0.31, 2, 12, 4096},
        {"bytes-rows", false, 1, 0.9, 2, 9, 4096},
        {"bits-cpu", false, 1, 14, 0.25, 0.6, 16384},
        {"bits-cpu", false, 16, 170, 0.25, 0.6, 16384},
        {"simd", false, 1, 190, 0.03, 0.04, 65536},
        {"simd", false, 16, 2300, 0.03, 0.04, 65536},
        {"lookup-table", false, 1, 3.3, 0.5, 1.1, 16384},
        {"cuda", true, 0, 41000, 0.016, 0.38, 65536},
        {"bytes-gpu", true, 0, 180, 2, 14, 65536},
        {"ints-gpu", true, 0, 90, 8, 14, 65536},
        {"bytes-texture", true, 0, 160, 2, 14, 16384},
        {"bytes-ldg", true, 0, 230, 2, 14, 65536},
        {"shared-tile", true, 0, 260, 2, 15, 65536},
        {"shared-tile-halo", true, 0, 240, 2.2, 16, 65536},
        {"four-cells-a-thread", true, 0, 900, 2, 6, 65536},
        {"eight-cells-a-thread", true, 0, 1100, 2, 5, 65536},
        {"bits-gpu", true, 0, 5200, 0.25, 1.9, 65536},
        {"bits-gpu-64", true, 0, 6100, 0.25, 1.7, 65536},
        {"bits-shared", true, 0, 6900, 0.25, 1.8, 65536},
        {"bits-shuffle", true, 0, 7400, 0.25, 1.5, 65536},
        {"bits-rows", true, 0, 8800, 0.25, 1.2, 65536},
        {"bits-pair", true, 0, 9600, 0.25, 1.0, 65536},
        {"tensor-int8", true, 0, 2100, 2, 18, 16384},
        {"tensor-b1", true, 0, 3900, 0.25, 9, 16384},
        {"packed-lookup", true, 0, 700, 0.25, 2.2, 65536},
        {"sparse-tiles", true, 0, 3100, 0.25, 2.4, 65536},
        {"steps-2", true, 0, 12000, 0.13, 1.1, 65536},
        {"steps-4", true, 0, 17000, 0.066, 1.1, 65536},
        {"steps-8", true, 0, 24000, 0.034, 0.9, 65536},
        {"steps-16", true, 0, 27000, 0.02, 0.9, 65536},
        {"warp-pipeline", true, 0, 33000, 0.018, 0.5, 65536},
        {"warp-pipeline-pairs", true, 0, 37000, 0.018, 0.42, 65536},
        {"cooperative-groups", true, 0, 210, 2, 14, 16384},
        {"graph-launch", true, 0, 235, 2, 14, 16384},
        {"managed-memory", true, 0, 150, 2, 14, 16384},
    };
    static const int64_t sides[] = {1024, 4096, 16384, 65536};
    for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++) {
        for (size_t k = 0; k < 4; k++) {
            if (sides[k] > designs[i].largest)
                continue;
            double filled = designs[i].on_gpu ? 1 / (1 + pow(4000.0 / (double)sides[k], 1.6)) : 1;
            add_made(charts, (made){.engine = designs[i].name,
                                    .plan = "block=256",
                                    .on_gpu = designs[i].on_gpu,
                                    .threads = designs[i].threads,
                                    .side = sides[k],
                                    .gcells = designs[i].gcells * filled,
                                    .spread = sides[k] == 1024 ? 0.03 : 0.006,
                                    .bytes = designs[i].bytes,
                                    .operations = designs[i].operations});
        }
    }
    add_failed(charts, "wide-only", LC_ERROR_UNSUPPORTED,
               "wide-only steps boards whose width is a multiple of 64 cells");
    add_failed(charts, "broken", LC_ERROR_MISMATCH, "cell (3, 4) of generation 5 is wrong");
}

static void add_sweeps(lc_charts *charts)
{
    for (int64_t side = 4096; side <= 16384; side *= 4) {
        for (int x = 8; x <= 128; x *= 2) // a map
            for (int y = 1; y <= 32; y *= 2) {
                char plan[64];
                snprintf(plan, sizeof plan, "block-x=%d,block-y=%d", x, y);
                double threads = x * y;
                if (threads > 1024)
                    continue;
                double fit = exp(-0.2 * pow(log2(threads / 256), 2)) * (x >= 32 ? 1 : 0.7);
                add_made(charts, (made){.engine = "shared-tile",
                                        .plan = plan,
                                        .on_gpu = true,
                                        .side = side,
                                        .gcells = 260 * fit,
                                        .spread = 0.01,
                                        .bytes = 2,
                                        .operations = 14});
            }
        static const char *const plans[] = {"block=64,ldg=0,rows=4",  "block=128,ldg=0,rows=4",
                                            "block=256,ldg=0,rows=4", "block=512,ldg=0,rows=4",
                                            "block=256,ldg=1,rows=4", "block=256,ldg=0,rows=8",
                                            "block=256,ldg=0,rows=2"};
        for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) // strips
            add_made(charts, (made){.engine = "bits-rows",
                                    .plan = plans[i],
                                    .on_gpu = true,
                                    .side = side,
                                    .gcells = 6000 + 500 * (double)i,
                                    .spread = 0.01,
                                    .bytes = 0.25,
                                    .operations = 1});
    }
}

// Folders and files -------------------------------------------------------------------------------

static char folder[512];

// A folder for one test; it is made by what is tested.
static void choose_folder(const char *name)
{
    const char *kept = getenv("LC_TEST_PICTURES");
    if (kept != NULL) {
        snprintf(folder, sizeof folder, "%s/%s", kept, name);
        return;
    }
    char parent[] = "/tmp/lightcone-charts-XXXXXX";
    assert_non_null(mkdtemp(parent));
    snprintf(folder, sizeof folder, "%s/%s", parent, name);
}

static void remove_folder(void)
{
    if (getenv("LC_TEST_PICTURES") != NULL)
        return;
    DIR *files = opendir(folder);
    if (files != NULL) {
        char path[1024];
        for (struct dirent *file; (file = readdir(files)) != NULL;) {
            snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
            if (file->d_name[0] != '.' && unlink(path) != 0)
                rmdir(path);
        }
        closedir(files);
        rmdir(folder);
    }
    *strrchr(folder, '/') = '\0';
    rmdir(folder);
}

static char *read_whole(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    text[size] = '\0';
    return text;
}

// XML ---------------------------------------------------------------------------------------------

// NULL if the text is well-formed, as far as charts and pages go: elements that nest, attributes
// in quotes, the named entities, no control characters; else what is wrong. *at: where.
static const char *malformed(const char *text, const char **at)
{
    char open[64][24];
    size_t depth = 0;
    const char *c = text;
    bool style = false;
    while (*c != '\0') {
        *at = c;
        if ((unsigned char)*c < 0x20 && *c != '\n')
            return "a control character";
        if (*c == '&' && !style) {
            static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#160;"};
            bool known = false;
            for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
                known |= strncmp(c, entities[i], strlen(entities[i])) == 0;
            if (!known)
                return "a bare &";
        }
        if (*c != '<') {
            c++;
            continue;
        }
        if (c[1] == '?' || c[1] == '!') {
            c = strchr(c, '>') + 1;
            continue;
        }
        bool closing = c[1] == '/';
        c += closing ? 2 : 1;
        size_t length = strspn(c, "abcdefghijklmnopqrstuvwxyz0123456789");
        if (length == 0 || length >= sizeof open[0])
            return "a bare <";
        char name[24];
        snprintf(name, sizeof name, "%.*s", (int)length, c);
        c += length;
        if (closing) {
            if (*c != '>' || depth == 0 || strcmp(open[--depth], name) != 0)
                return "a wrong end";
            style = false;
            c++;
            continue;
        }
        while (*c == ' ') {
            c += 1 + strcspn(c + 1, "=<>");
            if (c[0] != '=' || c[1] != '"')
                return "an attribute without quotes";
            c += 2 + strcspn(c + 2, "\"<");
            if (*c != '"')
                return "an attribute without end";
            c++;
        }
        if (strncmp(c, "/>", 2) == 0) {
            c += 2;
        } else if (*c == '>' && depth < 64) {
            memcpy(open[depth++], name, sizeof name);
            style = strcmp(name, "style") == 0;
            c++;
        } else {
            return "an element without end";
        }
    }
    *at = c;
    return depth == 0 ? NULL : "something is open at the end";
}

// Every number after one of these attributes lies within the picture.
static void expect_inside(const char *name, const char *text)
{
    double width = 0;
    double height = 0;
    const char *box = strstr(text, "viewBox=\"0 0 ");
    assert_non_null(box);
    assert_int_equal(sscanf(box, "viewBox=\"0 0 %lf %lf\"", &width, &height), 2);
    static const char *const horizontal[] = {" x=\"", " cx=\""};
    static const char *const vertical[] = {" y=\"", " cy=\""};
    for (int i = 0; i < 2; i++) {
        for (const char *c = text; (c = strstr(c, horizontal[i])) != NULL; c++) {
            double x = strtod(strchr(c, '"') + 1, NULL);
            if (!(x >= 0 && x <= width))
                fail_msg("%s: x is %g of %g", name, x, width);
        }
        for (const char *c = text; (c = strstr(c, vertical[i])) != NULL; c++) {
            double y = strtod(strchr(c, '"') + 1, NULL);
            if (!(y >= 0 && y <= height))
                fail_msg("%s: y is %g of %g", name, y, height);
        }
    }
}

static size_t check_files(void)
{
    DIR *files = opendir(folder);
    assert_non_null(files);
    size_t charts = 0;
    for (struct dirent *file; (file = readdir(files)) != NULL;) {
        const char *ending = strrchr(file->d_name, '.');
        if (file->d_name[0] == '.')
            continue;
        if (ending == NULL || (strcmp(ending, ".svg") != 0 && strcmp(ending, ".html") != 0))
            fail_msg("%s was left there", file->d_name);
        char *text = read_whole(file->d_name);
        assert_non_null(text);
        const char *at = text;
        const char *wrong = malformed(text, &at);
        if (wrong != NULL)
            fail_msg("%s: %s: %.60s", file->d_name, wrong, at);
        static const char *const no_numbers[] = {"nan", "NaN", "inf ", "inf\"", "-inf"};
        for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++)
            if (strstr(text, no_numbers[i]) != NULL)
                fail_msg("%s: %s", file->d_name, no_numbers[i]);
        if (strcmp(ending, ".svg") == 0) {
            charts++;
            expect_inside(file->d_name, text);
            assert_non_null(strstr(text, "<title>"));
        }
        free(text);
    }
    closedir(files);
    return charts;
}

static void write_pictures(lc_charts *charts)
{
    lc_message message = {.line = 0};
    lc_status status = lc_charts_write(charts, folder, &message);
    if (status != LC_OK)
        fail_msg("%s: %s", lc_status_name(status), message.text);
}

static void expect_text(const char *name, const char *part, bool there)
{
    char *text = read_whole(name);
    assert_non_null(text);
    if ((strstr(text, part) != NULL) != there)
        fail_msg("%s: \"%s\" is %s", name, part, there ? "missing" : "there");
    free(text);
}

// Tests ------------------------------------------------------------------------------------------

static void a_gallery_has_all_pictures(void **state)
{
    (void)state;
    choose_folder("gallery");
    lc_charts *charts = create();
    add_gallery(charts);
    add_sweeps(charts);
    write_pictures(charts);
    // speed-up, throughput, runs, two of knobs; rooflines of the GPU, of 1 and of 16 threads
    assert_int_equal(check_files(), 8);
    // The only serial design that is everywhere.
    expect_text("speed-up.svg", "simd, 1 thread at 1,024 × 1,024, 4,096 × 4,096, 16,384", true);
    expect_text("knobs-shared-tile.svg", ">block-x</text>", true);
    expect_text("knobs-shared-tile.svg", "Board of 4,096 × 4,096 cells", true); // a map
    expect_text("knobs-bits-rows.svg", ">ldg</text>", true);
    expect_text("knobs-bits-rows.svg", "Board of", false); // strips
    expect_text("index.html", "1 failed, 1 refused", true);
    expect_text("index.html", "whose width is a multiple of 64 cells", true);
    expect_text("index.html", "cell (3, 4) of generation 5 is wrong", true);
    expect_text("index.html", "0123456789abcdef", true);
    write_pictures(charts); // again, over what is there
    assert_int_equal(check_files(), 8);
    lc_charts_destroy(&charts);
    assert_null(charts);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void a_few_designs_are_a_picture_too(void **state)
{
    (void)state;
    choose_folder("few");
    lc_charts *charts = create();
    for (int64_t side = 512; side <= 8192; side *= 2) {
        add_made(charts, (made){"bytes-cpu", "", false, 1, side, 0.3, 0.02, 2, 12});
        add_made(charts,
                 (made){"simd", "", false, 1, side, side > 2048 ? 90 : 150, 0.05, 0.03, 0.1});
        add_made(charts,
                 (made){"simd", "", false, 2, side, side > 2048 ? 170 : 260, 0.1, 0.03, 0.1});
    }
    write_pictures(charts);
    assert_int_equal(check_files(), 5);
    expect_text("index.html", "No roofline of a GPU", true);
    expect_text("index.html", "No picture of settings", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void one_record_is_enough(void **state)
{
    (void)state;
    choose_folder("one");
    lc_charts *charts = create();
    add_made(charts, (made){"cuda", "", true, 0, 1000, 5000, 0.01, 0, 0});
    write_pictures(charts);
    assert_int_equal(check_files(), 2); // throughput, runs
    expect_text("throughput.svg", ">1,000</text>", true);
    expect_text("index.html", "at least two designs", true);
    expect_text("index.html", "the rate of copying within main memory was not measured", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void nothing_is_a_page_that_says_so(void **state)
{
    (void)state;
    choose_folder("none");
    lc_charts *charts = create();
    write_pictures(charts);
    assert_int_equal(check_files(), 0);
    expect_text("index.html", "Nothing was measured", true);
    add_failed(charts, "only", LC_ERROR_DEVICE, "no device");
    write_pictures(charts);
    assert_int_equal(check_files(), 0);
    expect_text("index.html", "1 failed, 0 refused", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void extreme_values_stay_inside(void **state)
{
    (void)state;
    choose_folder("extreme");
    lc_charts *charts = create();
    add_made(charts, (made){"slow", "", false, 1, 32, 0.001, 0, 1e-6, 1e6});
    add_made(charts, (made){"slow", "", false, 1, 65536, 0.001, 5, 1e6, 1e-6});
    add_made(charts, (made){"fast", "", true, 0, 32, 60000, 30, 1e-6, 1e-6});
    add_made(charts, (made){"fast", "", true, 0, 65536, 60000, 1e-9, 1e6, 1e6});
    add_made(charts, (made){"tiny", "", true, 0, 1, 1e-9, 0.5, 0, 0});
    add_made(charts, (made){"huge", "", true, 0, INT64_C(1) << 31, 1e12, 0.5, 1, 1});
    write_pictures(charts);
    assert_int_equal(check_files(), 5);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void two_hundred_designs_have_room(void **state)
{
    (void)state;
    choose_folder("many");
    lc_charts *charts = create();
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "design-%d", i);
        add_made(charts, (made){name, "", i % 2 == 0, 1, 1024 << (i % 3),
                                pow(10, 4 * random_share()), 0.01, 1, 10});
    }
    write_pictures(charts);
    assert_int_equal(check_files(), 5);
    expect_text("throughput.svg", "Only the 60 fastest designs", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void speed_ups_are_relative_to_the_slowest_serial_design(void **state)
{
    (void)state;
    choose_folder("baseline");
    lc_charts *charts = create();
    add_made(charts, (made){"slowest", "", false, 4, 64, 1, 0, 0, 0}); // not serial
    add_made(charts, (made){"slowest", "", false, 4, 128, 1, 0, 0, 0});
    add_made(charts, (made){"serial", "x=1", false, 1, 64, 2, 0, 0, 0});
    add_made(charts, (made){"serial", "x=2", false, 1, 64, 5, 0, 0, 0}); // its fastest settings
    add_made(charts, (made){"serial", "", false, 1, 128, 4, 0, 0, 0});
    add_made(charts, (made){"serial-once", "", false, 1, 64, 0.5, 0, 0, 0}); // at one board only
    add_made(charts, (made){"serial-too", "", false, 1, 64, 10, 0, 0, 0});
    add_made(charts, (made){"serial-too", "", false, 1, 128, 3, 0, 0, 0}); // slower here
    add_made(charts, (made){"gpu", "", true, 0, 64, 200, 0, 0, 0});
    add_made(charts, (made){"gpu", "", true, 0, 128, 800, 0, 0, 0});
    write_pictures(charts);
    check_files();
    expect_text("speed-up.svg", "serial, 1 thread at 64 × 64, 128 × 128.", true);
    expect_text("speed-up.svg", "slowest, 4 threads, 64 × 64: 0.2 times the baseline", true);
    expect_text("speed-up.svg", "serial, 1 thread, x=2, 64 × 64: 1 times the baseline", true);
    expect_text("speed-up.svg", "gpu, 64 × 64: 40 times the baseline", true);
    expect_text("speed-up.svg", "gpu, 128 × 128: 200 times the baseline", true);
    expect_text("throughput.svg", "gpu, 128 × 128: 800 Gcells/s", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void speed_ups_need_a_baseline_at_each_board(void **state)
{
    (void)state;
    choose_folder("baselines");
    lc_charts *charts = create();
    add_made(charts, (made){"serial", "", false, 1, 64, 2, 0, 0, 0});
    add_made(charts, (made){"gpu", "", true, 0, 64, 200, 0, 0, 0});
    add_made(charts, (made){"gpu", "", true, 0, 128, 800, 0, 0, 0});
    add_made(charts, (made){"gpu-slow", "", true, 0, 128, 400, 0, 0, 0});
    add_made(charts, (made){"gpu-slow", "", true, 0, 64, 100, 0, 0, 0});
    add_made(charts, (made){"lonely", "", true, 0, 256, 7, 0, 0, 0});
    write_pictures(charts);
    check_files();
    expect_text("speed-up.svg", "lonely at 256 × 256; gpu-slow at 64 × 64, 128 × 128.", true);
    expect_text("speed-up.svg", "serial, 64 × 64: 0.02 times the baseline", true);
    expect_text("speed-up.svg", "gpu, 128 × 128: 2 times the baseline", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void speed_ups_are_relative_to_what_was_asked_for(void **state)
{
    (void)state;
    choose_folder("asked");
    const lc_bench_configuration asked = {.engine = "gpu:x=1", .cpu_level = "", .threads = 2};
    const lc_bench_options before = options;
    options.against = &asked;
    lc_charts *charts = create();
    add_made(charts, (made){"serial", "", false, 1, 64, 2, 0, 0, 0});
    add_made(charts, (made){"gpu", "", true, 0, 64, 200, 0, 0, 0});
    add_made(charts, (made){"gpu-slow", "", true, 0, 64, 100, 0, 0, 0});
    write_pictures(charts);
    options = before;
    check_files();
    expect_text("speed-up.svg", "gpu at 64 × 64.", true);
    expect_text("speed-up.svg", "gpu-slow, 64 × 64: 0.5 times the baseline", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void names_and_messages_are_escaped(void **state)
{
    (void)state;
    choose_folder("escaped");
    lc_charts *charts = create();
    add_made(charts, (made){"<b>&\"'", "a=<,b=&", true, 0, 64, 5, 0.01, 1, 1});
    add_made(charts, (made){"<b>&\"'", "a=>,b=&", true, 0, 64, 6, 0.01, 1, 1});
    add_made(charts, (made){"\xff\x01../x", "", true, 0, 64, 7, 0.01, 1, 1});
    add_failed(charts, "<script>", LC_ERROR_DEVICE, "1 < 2 && \"\xc3\x28\" ]]> \x1b[0m");
    write_pictures(charts);
    check_files();
    expect_text("index.html", "<script", false);
    expect_text("index.html",
                "1 &lt; 2 &amp;&amp; &quot;\xef\xbf\xbd(&quot; ]]&gt; \xef\xbf\xbd[0m", true);
    expect_text("knobs-b.svg", "&lt;b&gt;&amp;&quot;'", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void take_record(void *context, const lc_bench_record *record)
{
    assert_int_equal(lc_charts_add(context, record), LC_OK);
}

static void what_the_runner_measures_can_be_drawn(void **state)
{
    (void)state;
    choose_folder("runner");
    lc_charts *charts = create();
    lc_bench_configuration configurations[4];
    for (int i = 0; i < 4; i++)
        configurations[i] = (lc_bench_configuration){.engine = i % 2 == 0 ? "scalar" : "simd",
                                                     .cpu_level = "",
                                                     .threads = 1,
                                                     .rule = LIFE,
                                                     .topology = {.kind = LC_TOPOLOGY_TORUS,
                                                                  .width_cells = 64 << (i / 2),
                                                                  .height_cells = 64}};
    lc_message message = {.line = 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(lc_bench_resolve(&configurations[i], test_context(), &message), LC_OK);
    lc_bench_options few = {
        .runs = 3, .generations = 4, .limit_milliseconds = 1, .verify = {.seed = 7, .quick = true}};
    lc_bench_observer observer = {.context = charts, .record = take_record};
    size_t failures = 0;
    assert_int_equal(lc_bench_run(configurations, 4, &few, &observer, &failures, &message), LC_OK);
    assert_int_equal(failures, 0);
    write_pictures(charts);
    check_files();
    // The baseline is what was slowest, which is not the same engine in every build.
    expect_text("speed-up.svg", "at 64 × 64, ", true);
    expect_text("speed-up.svg", "128 × 64.", true);
    expect_text("throughput.svg", "A board that is not square", true);
    lc_charts_destroy(&charts);
    remove_folder();
}

static void folders_that_cannot_be_written_are_errors(void **state)
{
    (void)state;
    choose_folder("unwritable");
    lc_charts *charts = create();
    add_made(charts, (made){"cuda", "", true, 0, 1000, 5000, 0.01, 0, 0});
    char path[1024];
    lc_message message = {.line = 0};

    snprintf(path, sizeof path, "%s/missing/further", folder);
    assert_int_equal(lc_charts_write(charts, path, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "No such file or directory"));

    // The page's name is that of a folder: nothing is left beside it, and it stays.
    assert_int_equal(mkdir(folder, 0777), 0);
    snprintf(path, sizeof path, "%s/index.html", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(lc_charts_write(charts, folder, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "irectory"));
    DIR *files = opendir(folder);
    for (struct dirent *file; (file = readdir(files)) != NULL;)
        assert_null(strstr(file->d_name, ".tmp"));
    closedir(files);
    rmdir(path);

    // A file where the folder should be.
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(lc_charts_write(charts, path, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "Not a directory"));
    lc_charts_destroy(&charts);
    remove_folder();
}

int main(void)
{
    const char *kept = getenv("LC_TEST_PICTURES");
    if (kept != NULL)
        mkdir(kept, 0777);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gallery_has_all_pictures),
        cmocka_unit_test(a_few_designs_are_a_picture_too),
        cmocka_unit_test(one_record_is_enough),
        cmocka_unit_test(nothing_is_a_page_that_says_so),
        cmocka_unit_test(extreme_values_stay_inside),
        cmocka_unit_test(two_hundred_designs_have_room),
        cmocka_unit_test(speed_ups_are_relative_to_the_slowest_serial_design),
        cmocka_unit_test(speed_ups_need_a_baseline_at_each_board),
        cmocka_unit_test(speed_ups_are_relative_to_what_was_asked_for),
        cmocka_unit_test(names_and_messages_are_escaped),
        cmocka_unit_test(what_the_runner_measures_can_be_drawn),
        cmocka_unit_test(folders_that_cannot_be_written_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
