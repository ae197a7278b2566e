// Compiles kernels with this machine's NVRTC, as the engine does. Compares the registers and spills
// that ptxas reports, and a hash of each kernel's code for sm_90, with a table: a change is seen
// where it is made, without a GPU.
// Each variant is compiled for sm_90 and for one other architecture, so that all have their turn;
// LC_TEST_FULL=1: each for each. A report that was kept (support_report.h) stands for compiling.
//
//     kernel_registers VARIANTS TABLE             exit status 77 if there is no NVRTC
//     kernel_registers VARIANTS TABLE --write     writes the table, for all architectures
//
// VARIANTS has a line for each compilation: its name, the file, the options. In TABLE a kernel has
// a line, an architecture a column. Counts are those of one version of NVRTC, which the table
// names; with another one the kernels are only compiled.
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/memory.h"
#include "device/gpu_device.h"
#include "device/nvrtc.h"
#include "logic/network.h"
#include "support.h"
#include "support_report.h"

enum {
    SKIPPED = 77,
    ALWAYS = 90, // the architecture that no variant goes without
    MOST_VARIANTS = 200,
    MOST_OPTIONS = 32,
    MOST_KERNELS = 16, // of a file
    MOST_THREADS = 64,
};

// The networks of B3/S23, which kernels include as rule.h.
static char rule_text[2 * LC_NETWORK_TEXT_BYTES];

static void print_rule(void)
{
    const lc_counts life = {1u << 3, 1u << 2 | 1u << 3};
    lc_network network;
    lc_pair_network pair;
    lc_network_build(&network, life, NULL);
    lc_network_build_pair(&pair, life, NULL);
    const size_t length = lc_network_print(&network, "B3/S23", rule_text, LC_NETWORK_TEXT_BYTES);
    (void)lc_network_print_pair(&pair, "B3/S23", rule_text + length, LC_NETWORK_TEXT_BYTES);
}

typedef struct variant {
    char line[512]; // cut into the words that the others point to
    const char *name;
    const char *file;
    const char *options[MOST_OPTIONS];
    size_t option_count;
} variant;

typedef struct usage {
    int registers;
    int stack_bytes;   // local memory of a thread
    int spilled_bytes; // stores and loads
    uint64_t code;     // hash of the machine code for ALWAYS; 0 for other architectures
} usage;

// One compilation, for one architecture.
typedef struct job {
    const variant *of;
    int architecture;
    bool wanted; // or it is not made
    char kernels[MOST_KERNELS][64];
    usage used[MOST_KERNELS];
    int kernel_count;
    char *failure; // NULL if it compiled
} job;

static const lc_nvrtc *nvrtc;
static lc_kernel_text *texts; // of the library, and the rule's
static variant variants[MOST_VARIANTS];
static size_t variant_count;
static int architectures[LC_NVRTC_MAX_ARCHITECTURES];
static size_t architecture_count;
static job *jobs; // of each variant, those of all architectures
static size_t job_count;

static _Noreturn void stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void stop(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("kernel_registers: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

// What to compile -----------------------------------------------------------------------------

static void read_variants(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        stop("%s: %s", path, strerror(errno));
    while (variant_count < MOST_VARIANTS) {
        variant *one = &variants[variant_count];
        char *rest;
        if (fgets(one->line, sizeof one->line, file) == NULL)
            break;
        one->name = strtok_r(one->line, " \t\n", &rest);
        if (one->name == NULL || one->name[0] == '#')
            continue;
        one->file = strtok_r(NULL, " \t\n", &rest);
        if (one->file == NULL || lc_kernel_text_find(texts, one->file) == NULL)
            stop("%s: variant %s has no file of kernels/", path, one->name);
        one->option_count = 0;
        const char *option;
        while (one->option_count < MOST_OPTIONS - 1 &&
               (option = strtok_r(NULL, " \t\n", &rest)) != NULL)
            one->options[one->option_count++] = option;
        one->options[one->option_count++] = "--ptxas-options=-v";
        variant_count++;
    }
    fclose(file);
}

static void make_texts(void)
{
    size_t count = 0;
    while (lc_kernel_texts[count].name != NULL)
        count++;
    texts = calloc(count + 2, sizeof *texts);
    memcpy(texts, lc_kernel_texts, count * sizeof *texts);
    texts[count] = (lc_kernel_text){.name = "rule.h", .text = rule_text};
}

static void check_that_none_is_missing(const char *path)
{
    for (const lc_kernel_text *text = lc_kernel_texts; text->name != NULL; text++) {
        size_t length = strlen(text->name);
        bool found = length < 3 || strcmp(text->name + length - 3, ".cu") != 0;
        for (size_t i = 0; i < variant_count && !found; i++)
            found = strcmp(variants[i].file, text->name) == 0;
        if (!found)
            stop("%s has no variant of %s", path, text->name);
    }
}

// Of the architectures but ALWAYS, each variant has one, the next variant the next one.
static bool is_chosen(size_t of_variant, size_t of_architecture)
{
    size_t others = 0, before = 0;
    for (size_t i = 0; i < architecture_count; i++) {
        others += architectures[i] != ALWAYS;
        before += architectures[i] != ALWAYS && i < of_architecture;
    }
    return architectures[of_architecture] == ALWAYS || of_variant % others == before;
}

static void make_jobs(bool all)
{
    for (int i = 0; i < nvrtc->architecture_count; i++)
        if (nvrtc->architectures[i] >= LC_DEVICE_OLDEST_ARCHITECTURE)
            architectures[architecture_count++] = nvrtc->architectures[i];
    job_count = variant_count * architecture_count;
    jobs = calloc(job_count, sizeof *jobs);
    for (size_t i = 0; i < job_count; i++)
        jobs[i] = (job){.of = &variants[i / architecture_count],
                        .architecture = architectures[i % architecture_count],
                        .wanted = all || is_chosen(i / architecture_count, i % architecture_count)};
}

// Compiling -----------------------------------------------------------------------------------

static usage *find_usage(job *one, const char *kernel)
{
    for (int i = 0; i < one->kernel_count; i++)
        if (strcmp(one->kernels[i], kernel) == 0)
            return &one->used[i];
    return NULL;
}

// "Compiling entry function 'strip' for 'sm_90'", and in lines after it "16 bytes stack frame, 8
// bytes spill stores, 8 bytes spill loads" and "Used 128 registers". Then the lines of print_code:
// "Code strip 0123456789abcdef".
static void read_report(job *one, const char *log)
{
    static const char entry[] = "Compiling entry function '";
    for (const char *line = log; line != NULL && *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        char text[512];
        snprintf(text, sizeof text, "%.*s", (int)(end - line), line);
        const char *name = strstr(text, entry);
        const char *stack = strstr(text, " bytes stack frame");
        const char *registers = strstr(text, "Used ");
        usage *last = one->kernel_count > 0 ? &one->used[one->kernel_count - 1] : NULL;
        if (name != NULL && one->kernel_count < MOST_KERNELS) {
            name += strlen(entry);
            snprintf(one->kernels[one->kernel_count], sizeof one->kernels[0], "%.*s",
                     (int)strcspn(name, "'"), name);
            one->kernel_count++;
        } else if (stack != NULL && last != NULL) {
            int stores = 0;
            int loads = 0;
            while (stack > text && stack[-1] >= '0' && stack[-1] <= '9')
                stack--;
            last->stack_bytes = atoi(stack);
            if (sscanf(strchr(stack, ',') + 1, "%d bytes spill stores, %d", &stores, &loads) == 2)
                last->spilled_bytes = stores + loads;
        } else if (registers != NULL && last != NULL) {
            last->registers = atoi(registers + strlen("Used "));
        } else {
            uint64_t code;
            char kernel[64];
            if (sscanf(text, "Code %63s %" SCNx64, kernel, &code) == 2 &&
                (last = find_usage(one, kernel)) != NULL)
                last->code = code;
        }
        line = *end == '\n' ? end + 1 : end;
    }
}

// Checks that the report has the numbers of each kernel.
static void check_report(job *one)
{
    bool counted = one->kernel_count > 0;
    for (int i = 0; i < one->kernel_count; i++)
        counted = counted && one->used[i].registers > 0 &&
                  (one->used[i].code != 0) == (one->architecture == ALWAYS);
    if (!counted && asprintf(&one->failure, "ptxas does not say what %s uses", one->of->file) < 0)
        stop("out of memory");
}

// A line for each kernel in an image, an ELF file with a section ".text.KERNEL" for each kernel.
static void print_code(FILE *to, const lc_kernel_image *image)
{
    static const char prefix[] = ".text.";
    const char *const bytes = image->bytes;
    const Elf64_Ehdr *const head = image->bytes;
    const Elf64_Shdr *const sections = (const void *)(bytes + head->e_shoff);
    const char *const names = bytes + sections[head->e_shstrndx].sh_offset;
    for (int i = 0; i < head->e_shnum; i++) {
        const char *const name = names + sections[i].sh_name;
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            fprintf(to, "Code %s %016" PRIx64 "\n", name + strlen(prefix),
                    XXH3_64bits(bytes + sections[i].sh_offset, sections[i].sh_size));
    }
}

// Returns the log of a compilation, and the hashes of its code.
static char *print_report(const lc_kernel_image *image, int architecture)
{
    char *report;
    size_t size_bytes;
    FILE *to = open_memstream(&report, &size_bytes);
    fprintf(to, "%s\n", image->log);
    if (architecture == ALWAYS)
        print_code(to, image);
    fclose(to);
    return report;
}

static void compile(job *one)
{
    const lc_kernel_source source = {.name = one->of->file,
                                     .texts = texts,
                                     .options = one->of->options,
                                     .option_count = one->of->option_count};
    const test_report report =
        test_report_of("machine-code", &source, nvrtc->version, one->architecture);
    char *kept = test_report_read(&report);
    if (kept != NULL) {
        read_report(one, kept);
        lc_free(kept);
        check_report(one);
        return;
    }
    lc_nvrtc_target target;
    lc_kernel_image image = {.bytes = NULL};
    lc_message message;
    lc_status status = lc_nvrtc_find_target(nvrtc, one->architecture, &target, &message);
    if (status == LC_OK)
        status = lc_nvrtc_compile(nvrtc, &source, &target, &image, &message);
    if (status == LC_OK) {
        char *text = print_report(&image, one->architecture);
        read_report(one, text);
        check_report(one);
        if (one->failure == NULL)
            test_report_keep(&report, text);
        free(text);
    } else if (asprintf(&one->failure, "%s\n%s", message.text, image.log != NULL ? image.log : "") <
               0)
        stop("out of memory");
    lc_kernel_image_free(&image);
}

static void *compile_some(void *unused)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static size_t taken;
    for (;;) {
        pthread_mutex_lock(&mutex);
        size_t mine = taken++;
        pthread_mutex_unlock(&mutex);
        if (mine >= job_count)
            return unused;
        if (jobs[mine].wanted)
            compile(&jobs[mine]);
    }
}

static void compile_all(void)
{
    pthread_t threads[MOST_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = processors < 1              ? 1
                   : processors < MOST_THREADS ? (size_t)processors
                                               : MOST_THREADS;
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, compile_some, NULL) != 0)
            stop("cannot start a thread");
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static size_t report_failures(void)
{
    size_t failures = 0;
    for (size_t i = 0; i < job_count; i++) {
        if (jobs[i].failure != NULL) {
            fprintf(stderr, "%s for sm_%d: %s\n", jobs[i].of->name, jobs[i].architecture,
                    jobs[i].failure);
            failures++;
        }
    }
    return failures;
}

// The table -----------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Of a job that was not wanted, "?".
static void print_variant(FILE *to, job *of_architectures)
{
    char kernels[MOST_KERNELS][64];
    const job *first = of_architectures;
    while (!first->wanted)
        first++;
    int count = first->kernel_count;
    memcpy(kernels, first->kernels, sizeof kernels);
    qsort(kernels, (size_t)count, sizeof *kernels, compare_names);
    for (int k = 0; k < count; k++) {
        uint64_t code = 0; // one architecture has it
        fprintf(to, "%-19s %-15s", of_architectures->of->name, kernels[k]);
        for (size_t i = 0; i < architecture_count; i++) {
            const usage *used = find_usage(&of_architectures[i], kernels[k]);
            code += used != NULL ? used->code : 0;
            char cell[32] = "-";
            if (!of_architectures[i].wanted)
                strcpy(cell, "?");
            else if (used != NULL && (used->stack_bytes > 0 || used->spilled_bytes > 0))
                snprintf(cell, sizeof cell, "%d/%d/%d", used->registers, used->stack_bytes,
                         used->spilled_bytes);
            else if (used != NULL)
                snprintf(cell, sizeof cell, "%d", used->registers);
            fprintf(to, " %6s", cell);
        }
        fprintf(to, " %016" PRIx64 "\n", code);
    }
}

static void version_line(char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "NVRTC %d.%d", nvrtc->version / 1000, nvrtc->version % 1000 / 10);
}

static char *print_table(void)
{
    char *table;
    size_t size_bytes;
    char version[32];
    version_line(version, sizeof version);
    FILE *to = open_memstream(&table, &size_bytes);
    fprintf(
        to,
        "# Registers of a thread, of each kernel of kernel_variants.txt on each architecture; if\n"
        "# it has local memory, /bytes of that/bytes of spills, stores and loads together. The "
        "last\n"
        "# column is a hash of the kernel's machine code, without names and line numbers.\n"
        "# Written by: cmake --build BUILD --target write_kernel_registers\n"
        "%s\n%-19s %-15s",
        version, "variant", "kernel");
    for (size_t i = 0; i < architecture_count; i++)
        fprintf(to, " %*s%d", architectures[i] < 100 ? 4 : 3, "sm_", architectures[i]);
    fprintf(to, " %16s\n", "sm_90-code");
    for (size_t i = 0; i < job_count; i += architecture_count)
        print_variant(to, &jobs[i]);
    fclose(to);
    return table;
}

static void write_table(const char *path)
{
    char *table = print_table();
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(table, file) < 0 || fclose(file) != 0)
        stop("cannot write %s: %s", path, strerror(errno));
    free(table);
}

static char *read_table(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room_bytes = 0;
    if (file == NULL || getdelim(&text, &room_bytes, '\0', file) < 0)
        stop("cannot read %s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

// Word by word; "?" is the same as any.
static bool same_words(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const char *const a_end = a + a_length, *const b_end = b + b_length;
    for (;;) {
        while (a < a_end && *a == ' ')
            a++;
        while (b < b_end && *b == ' ')
            b++;
        if (a == a_end || b == b_end)
            return a == a_end && b == b_end;
        const size_t a_word = strcspn(a, " \n"), b_word = strcspn(b, " \n");
        if (*a != '?' && *b != '?' && (a_word != b_word || memcmp(a, b, a_word) != 0))
            return false;
        a += a_word;
        b += b_word;
    }
}

// Whether the line at `line`, of `length` bytes, is one of the text's.
static bool has_line(const char *text, const char *line, size_t length)
{
    for (const char *at = text; *at != '\0';) {
        size_t have = strcspn(at, "\n");
        if (same_words(at, have, line, length))
            return true;
        at += have + (at[have] == '\n');
    }
    return false;
}

// Prints the lines of `text` that `other` does not have. How many there are.
static size_t print_missing(const char *text, const char *other, char mark)
{
    size_t count = 0;
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        if (!has_line(other, at, length)) {
            fprintf(stderr, "%c %.*s\n", mark, (int)length, at);
            count++;
        }
        at += length + (at[length] == '\n');
    }
    return count;
}

static void check_table(const char *path)
{
    char *want = read_table(path);
    char *have = print_table();
    char version[32];
    version_line(version, sizeof version);
    if (!has_line(want, version, strlen(version))) {
        printf(
            "All kernels compile. Their registers were not compared: %s is of another NVRTC than "
            "%s.\n",
            path, version);
    } else if (print_missing(want, have, '-') + print_missing(have, want, '+') > 0) {
        stop("kernels use other registers (+) than %s says (-); if they are to, write it anew "
             "with --write",
             path);
    } else {
        size_t made = 0;
        for (size_t i = 0; i < job_count; i++)
            made += jobs[i].wanted;
        printf("%zu compilations for %zu architectures: registers and spills are those of %s\n",
               made, architecture_count, path);
    }
    free(want);
    free(have);
}

int main(int count, char **arguments)
{
    print_rule();
    lc_message message;
    if (count < 3 || (count == 4 && strcmp(arguments[3], "--write") != 0) || count > 4)
        stop("usage: kernel_registers VARIANTS TABLE [--write]");
    if (lc_nvrtc_load(&nvrtc, NULL, &message) != LC_OK) {
        printf("SKIPPED: no kernel was compiled, since %s\n", message.text);
        return SKIPPED;
    }
    make_texts();
    read_variants(arguments[1]);
    check_that_none_is_missing(arguments[1]);
    make_jobs(count == 4 || test_full());
    compile_all();
    if (report_failures() > 0)
        return 1;
    if (count == 4)
        write_table(arguments[2]);
    else
        check_table(arguments[2]);
    for (size_t i = 0; i < job_count; i++)
        free(jobs[i].failure);
    free(jobs);
    free(texts);
    return 0;
}
