// The decisions of "auto", recorded: which engine it takes for a universe, and when it changes it.
// Compares them with tests/choices.txt, so that a change of a decision is seen as a changed line.
//
//     test_choices [gpu] [--write]
//
// gpu: on the emulated GPUs, with tests/choices_on_gpu.txt. --write: writes the table anew.
//
// Decisions depend on time and memory. Here the clock advances by a fixed time whenever the thread
// that steps looks at it, and the machine has 8 GiB. So rows that say "look" show what "auto" does
// with the results of trials and measurements, and not how fast an engine is.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/lightcone.h"
#include "support.h"
#include "support_ranks.h"

#define KI(n) ((uint64_t)(n) << 10)
#define MI(n) ((uint64_t)(n) << 20)
#define GI(n) ((uint64_t)(n) << 30)

// Replacements for functions of the library, by the linker's --wrap --------------------------

uint64_t __wrap_lc_clock_ns(void);
uint64_t __wrap_lc_memory_of_machine(void);

static pthread_t stepping_thread;
static uint64_t now_ns, look_ns;

uint64_t __wrap_lc_clock_ns(void)
{
    if (pthread_equal(pthread_self(), stepping_thread))
        __atomic_fetch_add(&now_ns, look_ns, __ATOMIC_RELAXED);
    return __atomic_load_n(&now_ns, __ATOMIC_RELAXED);
}

uint64_t __wrap_lc_memory_of_machine(void)
{
    return GI(8);
}

// Universes -----------------------------------------------------------------------------------

static FILE *table; // as it is now
static bool on_gpu;
static int rows;

static void begin_row(const char *kind, const char *universe)
{
    fprintf(table, "%s %s", kind, universe);
    rows++;
}

static lc_universe_options options_of(const char *universe, uint64_t limit_bytes)
{
    return (lc_universe_options){.struct_bytes = sizeof(lc_universe_options),
                                 .rule_text = universe,
                                 .context = test_context(),
                                 .threads = 1,
                                 .max_memory_bytes = limit_bytes};
}

static void print_size(uint64_t bytes)
{
    if (bytes != 0)
        fprintf(table, ", %llu KiB", (unsigned long long)(bytes >> 10));
}

// Prints engine and reason, with N for each number, which was measured.
static void print_engine(const lc_universe *u)
{
    const lc_universe_info info = lc_universe_info_of(u);
    fprintf(table, " %s (", info.engine);
    for (const char *c = info.engine_reason; *c != '\0'; c++) {
        const size_t digits = strspn(c, "0123456789.");
        fputc(digits > 0 ? 'N' : *c, table);
        c += digits > 0 ? digits - 1 : 0;
    }
    fputs(*info.engine_note != '\0' ? "; with a note)" : ")", table);
}

// Checks a universe, and creates it unless it is large or on a GPU.
static void print_creation(const lc_universe_options *options)
{
    lc_universe_needs needs = {.engine = ""};
    lc_universe *u = NULL;
    fputc(':', table);
    const lc_status status = lc_universe_check(options, &needs, NULL);
    if (status != LC_OK)
        fprintf(table, " %s", lc_status_name(status));
    else if (needs.on_gpu)
        fprintf(table, " %s, %llu MiB", needs.engine, (unsigned long long)needs.memory_bytes >> 20);
    else if (needs.memory_bytes > MI(32))
        fprintf(table, " %s", needs.engine);
    else if (lc_universe_create(&u, options, NULL) != LC_OK)
        fputs(" cannot be created", table);
    else
        print_engine(u);
    if (u != NULL && strcmp(lc_universe_info_of(u).engine, needs.engine) != 0)
        fprintf(table, ", checked as %s", needs.engine);
    fputc('\n', table);
    lc_universe_destroy(&u);
}

static void create(const char *universe, uint64_t limit_bytes)
{
    const lc_universe_options options = options_of(universe, limit_bytes);
    begin_row("create", universe);
    print_size(limit_bytes);
    print_creation(&options);
}

static const char *with(const char *rule, const char *topology)
{
    static char text[256];
    snprintf(text, sizeof text, "%s%s%s", rule, *topology != '\0' ? ":" : "", topology);
    return text;
}

#define MAP                                                                                        \
    "MAPfVq+GPqOu574maALS8tY96egah8Cjmkhtpy4FCVHaTlxFsxqH/6072mYtVQ658tq0oc0/NKIPrZBIUL4de4PoA"

static void sizes_and_surfaces(void)
{
    static const char *const topologies[] = {"",
                                             "T0,64",
                                             "T0,5000",
                                             "T64,0",
                                             "P0,64",
                                             "P5000,0",
                                             "T1,1",
                                             "T64,64",
                                             "T63,5000",
                                             "T5000,63",
                                             "T64,16384",
                                             "T1000,1000",
                                             "T1023,1024",
                                             "T1024,1024",
                                             "P1024,1024",
                                             "T1024,1024+7",
                                             "K1024*,1024",
                                             "C1024,1024",
                                             "S1024",
                                             "T32,1000000",
                                             "T4095,4096",
                                             "T4096,4096",
                                             "P4096,4096",
                                             "K4096*,4096",
                                             "S4096",
                                             "T63,1000000",
                                             "T64,1000000",
                                             "T16384,16384",
                                             "T16384,16385",
                                             "P16384,16385",
                                             "T65536,65536",
                                             "T65536,65537",
                                             "C65536,65536",
                                             "T131072,131072",
                                             "T131072,140000",
                                             "T262144,262144",
                                             "T1048576,1048576",
                                             "P1048576,1048576",
                                             "T1048576,1048577",
                                             "T1073741824,1073741824",
                                             "S1073741824",
                                             "T1152921504606846976,1152921504606846976"};
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++)
        create(with("B3/S23", topologies[i]), 0);
}

static void rules(void)
{
    static const char *const all[] = {"B36/S23",  "B0123478/S34678", "B02/S3",
                                      "B2-a/S12", "B2/S34H",         MAP};
    static const char *const topologies[] = {"",           "T0,64",        "T64,64",
                                             "T1024,1024", "T16384,16385", "T1048576,1048576"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t k = 0; k < sizeof topologies / sizeof topologies[0]; k++)
            create(with(all[i], topologies[k]), 0);
}

static void limits(void)
{
    static const uint64_t limits[] = {KI(64), KI(1023), MI(1), MI(16), MI(256), GI(2)};
    static const char *const topologies[] = {"",
                                             "P0,64",
                                             "T1024,1024",
                                             "T16384,16384",
                                             "T65536,65536",
                                             "T65537,65536",
                                             "T1048576,1048576"};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        for (size_t k = 0; k < sizeof topologies / sizeof topologies[0]; k++)
            create(with("B3/S23", topologies[k]), limits[i]);
}

// The other options, each with several kinds of universes.
static void options(void)
{
    static const char *const topologies[] = {"", "T0,64", "T64,64", "T1024,1024", "T16384,16385"};
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++) {
        const char *const universe = with("B3/S23", topologies[i]);
        lc_universe_options options = options_of(universe, 0);
        options.cpu_level = "portable";
        begin_row("portable", universe);
        print_creation(&options);
        options = options_of(universe, 0);
        options.every_generation = true;
        begin_row("every generation", universe);
        print_creation(&options);
        options = options_of(universe, 0);
        options.threads = 8;
        begin_row("8 threads", universe);
        print_creation(&options);
        options = options_of(universe, 0);
        options.audit_generations = 100;
        begin_row("audited", universe);
        print_creation(&options);
    }
}

// A board that two ranks share.
static void ranks(void)
{
    static const char *const all[] = {"B3/S23:T64,64", "B3/S23:T1024,1024", "B02/S3:K1024*,1024",
                                      MAP ":T4096,4096", "B3/S23"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        lc_universe_options options = options_of(all[i], MI(512));
        options.context = test_ranks_context(2);
        begin_row("2 ranks", all[i]);
        print_creation(&options);
    }
    test_ranks_end();
}

// Boards on disk, and how many rows of them are in memory.
static void disks(void)
{
    static const char *const all[] = {"B3/S23:T1024,1024", "B3/S23:T8192,4096", "B02/S3:P1000,2000",
                                      MAP ":T1024,3000"};
    static const uint64_t limits[] = {0, MI(1)};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
            char folder[] = "/tmp/lightcone-choices-XXXXXX", path[64];
            lc_universe *u;
            lc_disk_facts facts;
            lc_universe_options options = options_of(all[i], limits[k]);
            if (mkdtemp(folder) == NULL)
                exit(2);
            snprintf(path, sizeof path, "%s/board.lcd", folder);
            options.disk = path;
            options.cpu_level = "portable"; // wider vectors need more memory
            begin_row("disk", all[i]);
            print_size(limits[k]);
            if (lc_universe_create(&u, &options, NULL) == LC_OK && lc_disk_get_facts(u, &facts)) {
                fputc(':', table);
                print_engine(u);
                fprintf(table, ", %lld rows\n", (long long)facts.window_rows);
            } else {
                fputs(": refused\n", table);
            }
            lc_universe_destroy(&u);
            rmdir(folder);
        }
}

// Checkpoints; squares choose an engine.
static void files(void)
{
    static const char *const all[] = {"checkpoint-2-squares.lcs",   "checkpoint-2-squares-b0.lcs",
                                      "checkpoint-2-plane-far.lcs", "checkpoint-2-b0-odd.lcs",
                                      "checkpoint-2-map-torus.lcs", "checkpoint-2-tube.lcs",
                                      "checkpoint-1-klein.lcs",     "checkpoint-3-torus.lcs"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char path[512];
        lc_universe *u;
        const lc_universe_options options = {
            .struct_bytes = sizeof options, .context = test_context(), .threads = 1};
        snprintf(path, sizeof path, "%s/formats/%s", TEST_FOLDER, all[i]);
        begin_row("restore", all[i]);
        fputc(':', table);
        if (lc_universe_restore(&u, path, &options, NULL) == LC_OK)
            print_engine(u);
        fputc('\n', table);
        lc_universe_destroy(&u);
    }
}

// Runs ----------------------------------------------------------------------------------------

static const char glider[] = "x = 3, y = 3\nbob$2bo$3o!\n";
static const char acorn[] = "x = 7, y = 3\nbo$3bo$2o2b3o!\n";
static const char gun[] =
    "x = 36, y = 9\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bo"
    "bo$10bo5bo7bo$11bo3bo$12b2o!\n";

// The cells that a run begins with: a pattern, or a soup of so many cells a side.
typedef struct cells {
    const char *name, *rle;
    int64_t soup_cells;
    double density;
} cells;

static const cells one_glider = {"glider", glider, 0, 0}, one_acorn = {"acorn", acorn, 0, 0},
                   one_gun = {"gun", gun, 0, 0}, small_soup = {"soup of 120", NULL, 120, 0.4},
                   soup = {"soup of 1100", NULL, 1100, 0.4},
                   thin_soup = {"thin soup of 1100", NULL, 1100, 0.04},
                   narrow_soup = {"soup of 1000", NULL, 1000, 0.4};

static void put_cells(lc_universe *u, const cells *c)
{
    lc_pattern *pattern;
    lc_status status;
    if (c->rle != NULL) {
        status = lc_pattern_open_memory(&pattern, c->rle, strlen(c->rle), NULL);
        if (status == LC_OK)
            status = lc_universe_load(u, pattern, 100, 20, NULL);
        lc_pattern_close(&pattern);
    } else {
        status = lc_universe_soup(u, 0, 0, c->soup_cells, c->soup_cells, c->density, 3, NULL);
    }
    if (status != LC_OK)
        fputs(" cells refused", table);
}

// Prints the engine if it or its reason has changed.
static void print_change(const lc_universe *u, char said[512], uint64_t generation)
{
    char now[512];
    const lc_universe_info info = lc_universe_info_of(u);
    snprintf(now, sizeof now, "%s %s", info.engine, info.engine_reason);
    if (strcmp(now, said) == 0)
        return;
    fprintf(table, " [%llu]", (unsigned long long)generation);
    print_engine(u);
    strcpy(said, now);
}

enum { MOST_STEPS = 8 };

// A universe, its cells and memory, and the generations of each step.
typedef struct plan {
    const char *universe;
    const cells *begins_with;
    uint64_t limit_bytes;
    uint64_t steps[MOST_STEPS + 1];
} plan;

static const plan plans[] = {
    {"B3/S23", &one_glider, 0, {100000, 100000}},
    {"B3/S23", &one_acorn, 0, {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}},
    {"B3/S23", &one_acorn, 0, {20000, 20000}},
    {"B3/S23", &one_acorn, 0, {8192, 100, 100, 100, 100, 100}},
    {"B3/S23", &one_gun, 0, {1500, 1500, 1500}},
    {"B3/S23", &one_gun, 0, {100000}},
    {"B3/S23", &small_soup, 0, {300, 300, 300, 300}},
    {"B3/S23", &small_soup, 0, {8192}},
    {"B3/S23", &narrow_soup, 0, {64, 64, 64, 64}},
    {"B3/S23", &soup, 0, {64, 64, 64, 64}},
    {"B3/S23", &thin_soup, 0, {64, 64, 64, 64}},
    {"B02/S3", &small_soup, 0, {100, 100, 100, 100}},
    {MAP, &small_soup, 0, {20, 20, 20}},
    {"B3/S23:T0,1100", &soup, 0, {64, 64, 64, 64}},
    {"B3/S23:T0,64", &one_acorn, 0, {10000, 10000}},
    {"B3/S23:T1100,1100", &one_acorn, 0, {300, 300, 300, 300, 300, 300}},
    {"B3/S23:T1100,1100", &soup, 0, {300, 300, 300}},
    {"B3/S23:P1100,1100", &one_gun, 0, {300, 300, 300, 300, 300, 300}},
    {"B3/S23:K1100*,1100", &one_glider, 0, {1000, 1000}},
    {"B3/S23:T1000,1000", &one_acorn, 0, {1000}},
    {"B02/S3:T1100,1100", &one_acorn, 0, {100, 100, 100}},
    {"B3/S23", &small_soup, MI(2), {8192}},
    {"B3/S23", &small_soup, MI(6), {8192}},
    {"B3/S23", &one_glider, 0, {100000, 100, 100, 100, 100, 100, 100, 100}},
    {"B3/S23", &soup, MI(2), {64, 64}},
    {"B3/S23:T65536,65536", &one_gun, MI(64), {1000, 1000, 1000}},
    {"B3/S23:T65537,65536", &one_gun, MI(64), {1000, 1000, 1000}},
};

static void run(const plan *p)
{
    lc_universe_options options = options_of(p->universe, p->limit_bytes);
    char said[512] = "";
    lc_universe *u;
    uint64_t generation = 0;
    options.cpu_level = "portable";
    begin_row("run", p->universe);
    print_size(p->limit_bytes);
    fprintf(table, ", %s, look %llu us, steps", p->begins_with->name,
            (unsigned long long)look_ns / 1000);
    for (const uint64_t *step = p->steps; *step != 0; step++)
        fprintf(table, " %llu", (unsigned long long)*step);
    fputc(':', table);
    if (lc_universe_create(&u, &options, NULL) != LC_OK) {
        fputs(" refused\n", table);
        return;
    }
    print_change(u, said, 0);
    put_cells(u, p->begins_with);
    print_change(u, said, 0);
    for (const uint64_t *step = p->steps; *step != 0; step++) {
        const lc_status status = lc_universe_step(u, lc_count_of(*step), NULL, NULL, NULL);
        print_change(u, said, generation += *step);
        if (status != LC_OK) {
            fprintf(table, " %s", lc_status_name(status));
            break;
        }
    }
    fputc('\n', table);
    lc_universe_destroy(&u);
}

static void runs(void)
{
    static const uint64_t looks[] = {1000, 100000, 3000000};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        for (size_t k = 0; k < sizeof plans / sizeof plans[0]; k++) {
            look_ns = looks[i];
            run(&plans[k]);
        }
}

static bool stop(void *context, const lc_universe *u, lc_count done, lc_count total)
{
    (void)context, (void)u, (void)done, (void)total;
    return true;
}

// A board that a GPU may take over, if so many generations are wanted.
static void many_generations(void)
{
    static const uint64_t wanted[] = {1, 1000, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const char *const universe = "B3/S23:T4096,4096";
        const lc_universe_options options = options_of(universe, 0);
        lc_universe *u;
        begin_row("wanted", universe);
        fprintf(table, ", %llu generations:", (unsigned long long)wanted[i]);
        if (lc_universe_create(&u, &options, NULL) == LC_OK) {
            (void)lc_universe_step(u, lc_count_of(wanted[i]), stop, NULL, NULL);
            print_engine(u);
        }
        fputc('\n', table);
        lc_universe_destroy(&u);
    }
}

// The table -----------------------------------------------------------------------------------

static char *read_file(const char *path)
{
    char *text = NULL;
    size_t room_bytes = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL || getdelim(&text, &room_bytes, '\0', file) < 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

// Prints the lines of a text that another one does not have. Returns how many.
static int print_missing(const char *text, const char *other, char mark)
{
    int count = 0;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        char *copy = strndup(line, length);
        if (strstr(other, copy) == NULL) {
            fprintf(stderr, "%c %s", mark, copy);
            count++;
        }
        free(copy);
        line += length;
    }
    return count;
}

static int compare(const char *path, const char *now)
{
    char *recorded = read_file(path);
    const int changes = print_missing(recorded, now, '-') + print_missing(now, recorded, '+');
    free(recorded);
    if (changes == 0)
        printf("%d decisions, all as in %s\n", rows, path);
    else
        fprintf(stderr, "\"auto\" decides otherwise (+) than %s says (-)\n", path);
    return changes == 0 ? 0 : 1;
}

static int write_table(const char *path, const char *now)
{
    FILE *file = fopen(path, "w");
    return file != NULL && fputs(now, file) >= 0 && fclose(file) == 0 ? 0 : 2;
}

int main(int count, char **arguments)
{
    bool writes = false;
    char path[512], *now;
    size_t size_bytes;
    for (int i = 1; i < count; i++) {
        on_gpu = on_gpu || strcmp(arguments[i], "gpu") == 0;
        writes = writes || strcmp(arguments[i], "--write") == 0;
    }
    setenv("LIGHTCONE_CUDA", on_gpu ? EMULATED_CUDA : "none", 1);
    setenv("LIGHTCONE_NVRTC", on_gpu ? EMULATED_CUDA : "none", 1);
    setenv("FAKE_GPUS", "2", 1);
    setenv("FAKE_MEMORY", "4096", 1);
    stepping_thread = pthread_self();
    table = open_memstream(&now, &size_bytes);
    fputs("# What \"auto\" decides; see test_choices.c. Written by: cmake --build BUILD --target "
          "write_choices\n",
          table);
    sizes_and_surfaces();
    rules();
    limits();
    options();
    many_generations();
    if (!on_gpu) {
        ranks();
        disks();
        files();
        runs();
    }
    fclose(table);
    snprintf(path, sizeof path, "%s/%s", TEST_FOLDER,
             on_gpu ? "choices_on_gpu.txt" : "choices.txt");
    const int code = writes ? write_table(path, now) : compare(path, now);
    free(now);
    test_context_anew();
    return code;
}
