// Compiles the kernels of the gallery as the gallery does, with the NVRTC of this machine: each
// design as it usually is for the newest architecture and one other, in turn, and each value of
// each knob for the oldest or the newest, in turn. LC_TEST_FULL=1: for every architecture, and for
// both. What compiled before, by the same text and NVRTC, is not compiled again (support_report.h).
// Exit status 77 if there is no NVRTC.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "device/nvrtc.h"
#include "gallery/gallery.h"
#include "gallery/gpu_design.h"
#include "support.h"
#include "support_report.h"

enum { SKIPPED = 77, MOST_JOBS = 4096, MOST_THREADS = 16, SIDE = 4096 };

typedef struct job {
    const lc_design *design;
    lc_gallery_board board;
    int architecture;
} job;

static job jobs[MOST_JOBS];
static int job_count;
static const lc_nvrtc *nvrtc;
static atomic_int taken, failed;

static void add(const lc_design *design, const lc_gallery_board *board, int architecture)
{
    lc_message message = {0};
    if (design->check != NULL && design->check(board, &message) != LC_OK)
        return;
    if (job_count == MOST_JOBS) {
        fprintf(stderr, "more designs and knobs than this test has room for\n");
        exit(2);
    }
    jobs[job_count++] = (job){design, *board, architecture};
}

static void add_design(const lc_design *design, const int *architectures, int count)
{
    lc_gallery_board board = {.width = SIDE, .height = SIDE, .rule = lc_rule_life(), .threads = 1};
    lc_gallery_settings(design, "", board.knob, NULL);
    static int designs;
    const int before = job_count, turn = designs++ % count;
    for (int i = 0; i < count; i++)
        if (test_full() || i == turn || i == count - 1)
            add(design, &board, architectures[i]);
    if (job_count == before) {
        fprintf(stderr, "%s does not step %d x %d cells as it usually is\n", design->name, SIDE,
                SIDE);
        atomic_fetch_add(&failed, 1);
    }
    for (size_t k = 0; k < lc_gallery_knob_count(design); k++) {
        const lc_knob *knob = &design->knobs[k];
        for (const int *v = knob->values; *v >= 0; v++) {
            const bool oldest = (v - knob->values + (int)k) % 2 == 0;
            board.knob[k] = *v;
            if (test_full() || oldest)
                add(design, &board, architectures[0]);
            if (test_full() || !oldest)
                add(design, &board, architectures[count - 1]);
        }
        board.knob[k] = knob->usual;
    }
}

static void compile(const job *one)
{
    lc_gpu_options options;
    lc_kernel_source source;
    lc_nvrtc_target target;
    lc_kernel_image image = {0};
    lc_message message = {0};
    lc_gpu_find_source(one->design, &one->board, &options, &source);
    char kind[128];
    snprintf(kind, sizeof kind, "gallery/%s", one->design->name); // a folder holds 256 reports
    const test_report report = test_report_of(kind, &source, nvrtc->version, one->architecture);
    char *kept = test_report_read(&report); // it compiled before
    if (kept != NULL) {
        lc_free(kept);
        return;
    }
    lc_status status = lc_nvrtc_find_target(nvrtc, one->architecture, &target, &message);
    if (status == LC_OK)
        status = lc_nvrtc_compile(nvrtc, &source, &target, &image, &message);
    if (status == LC_OK)
        test_report_keep(&report, "compiles");
    if (status != LC_OK) {
        char settings[256];
        lc_gallery_format_settings(one->design, one->board.knob, settings, sizeof settings);
        fprintf(stderr, "%s:%s for %d: %s\n%s\n", one->design->name, settings, one->architecture,
                message.text, image.log != NULL ? image.log : "");
        atomic_fetch_add(&failed, 1);
    }
    lc_kernel_image_free(&image);
}

static void *work(void *unused)
{
    for (int i; (i = atomic_fetch_add(&taken, 1)) < job_count;)
        compile(&jobs[i]);
    return unused;
}

int main(void)
{
    lc_message message = {0};
    pthread_t threads[MOST_THREADS];
    if (lc_nvrtc_load(&nvrtc, NULL, &message) != LC_OK) {
        printf("SKIPPED: no kernel was compiled, since %s\n", message.text);
        return SKIPPED;
    }
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        if (design->gpu != NULL)
            add_design(design, nvrtc->architectures, nvrtc->architecture_count);
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    count = count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : count;
    for (long i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 2;
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    printf("%d compilations, %d failed\n", job_count, atomic_load(&failed));
    return atomic_load(&failed) != 0 || job_count == 0;
}
