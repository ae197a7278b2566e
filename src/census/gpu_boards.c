#include "census/gpu_boards.h"

#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/gpu_device.h"
#include "kernels/batch_job.h"
#include "logic/network.h"

enum { WARPS = LC_BATCH_THREADS / 32 };

struct lc_gpu_boards {
    lc_device *device;
    lc_device_stream *stream;
    lc_kernel_text *texts;
    char rule_text[LC_NETWORKS_TEXT_BYTES];
    lc_module *module;
    lc_kernel step;
    uint32_t grid;
    uint64_t cells_bytes;
    lc_device_address cells, rules;
    lc_batch_job job;
};

static lc_word data_of(const lc_rule *rule)
{
    lc_counts counts = {0};
    (void)lc_rule_counts(rule, &counts);
    return counts.birth | (lc_word)counts.survival << 16;
}

static lc_status check_rules(const lc_gpu_boards_options *o, lc_message *message)
{
    lc_counts counts;
    for (size_t i = 0; i < o->rule_count; i++)
        if (!lc_rule_counts(o->rules[i], &counts))
            return lc_fail(message, LC_ERROR_UNSUPPORTED,
                           "GPUs step batches of rules by counts only, not of %s",
                           lc_rule_traits(o->rules[i])->text);
    return LC_OK;
}

// With one rule, its gates are compiled.
static lc_status compile(lc_gpu_boards *g, const lc_gpu_boards_options *o, lc_message *message)
{
    const char *const option = o->rule_count == 1 ? "-DLC_BATCH_MANY=0" : "-DLC_BATCH_MANY=1";
    const lc_rule *rule = o->rule_count == 1 ? o->rules[0] : lc_rule_life();
    lc_counts counts = {0};
    int blocks = 0;
    (void)lc_rule_counts(rule, &counts);
    lc_networks_print(g->rule_text, counts, lc_rule_traits(rule)->text,
                      lc_context_cache(o->context));
    lc_status status = lc_kernel_texts_for_rule(&g->texts, g->rule_text, message);
    const lc_kernel_source source = {"batch.cu", g->texts, &option, 1};
    if (status == LC_OK)
        status = lc_module_create(&g->module, g->device, &source, NULL, message);
    if (status == LC_OK)
        status = lc_kernel_find(&g->step, g->module, "step_boards", message);
    if (status == LC_OK)
        status = lc_kernel_occupancy(&g->step, LC_BATCH_THREADS, 0, &blocks, message);
    if (status != LC_OK)
        return status;
    const uint64_t at_once = (uint64_t)(blocks > 0 ? blocks : 1) *
                             (uint64_t)lc_device_facts_of(g->device)->multiprocessors;
    const uint64_t all = (o->boards - 1) / WARPS + 1;
    g->grid = (uint32_t)(all < at_once ? all : at_once);
    return LC_OK;
}

static lc_status upload_rules(lc_gpu_boards *g, const lc_gpu_boards_options *o, lc_message *message)
{
    const size_t bytes = o->boards * sizeof(lc_word);
    lc_word *rules = lc_malloc(bytes);
    if (rules == NULL)
        return lc_fail_memory(message, "the rules of a batch");
    for (size_t i = 0; i < o->boards; i++)
        rules[i] = data_of(o->rules[o->rule_of_board[i]]);
    lc_status status =
        lc_device_alloc(g->device, "the rules of a batch", bytes, &g->rules, message);
    if (status == LC_OK)
        status = lc_device_upload(g->device, g->rules, rules, bytes, g->stream, message);
    if (status == LC_OK)
        status = lc_device_synchronize(g->device, g->stream, message);
    lc_free(rules);
    return status;
}

static lc_status allocate(lc_gpu_boards *g, const lc_gpu_boards_options *o, lc_message *message)
{
    lc_status status = lc_device_stream_create(g->device, &g->stream, message);
    if (status == LC_OK)
        status =
            lc_device_alloc(g->device, "the boards of a batch", g->cells_bytes, &g->cells, message);
    if (status == LC_OK)
        status = upload_rules(g, o, message);
    return status;
}

lc_status lc_gpu_boards_create(lc_gpu_boards **out, const lc_gpu_boards_options *o,
                               lc_message *message)
{
    const lc_tiling *t = o->tiling;
    *out = NULL;
    lc_status status = check_rules(o, message);
    if (status != LC_OK)
        return status;
    lc_gpu_boards *g = lc_calloc(1, sizeof *g);
    if (g == NULL)
        return lc_fail_memory(message, "a batch on a GPU");
    g->cells_bytes = o->boards * LC_BOARD_WORDS * sizeof(uint64_t);
    g->job = (lc_batch_job){.boards = o->boards,
                            .refill = t->fits ? 0 : t->generations,
                            .width = t->width,
                            .height = t->height,
                            .left = t->left,
                            .top = t->top};
    status = lc_device_open(&g->device, o->context, 0, message);
    if (status == LC_OK)
        status = compile(g, o, message);
    if (status == LC_OK)
        status = allocate(g, o, message);
    if (status != LC_OK)
        lc_gpu_boards_destroy(&g);
    *out = g;
    return status;
}

void lc_gpu_boards_destroy(lc_gpu_boards **boards)
{
    lc_gpu_boards *g = *boards;
    *boards = NULL;
    if (g == NULL)
        return;
    if (g->device != NULL) {
        lc_device_free(g->device, &g->cells);
        lc_device_free(g->device, &g->rules);
        lc_device_stream_destroy(g->device, &g->stream);
    }
    lc_module_destroy(&g->module);
    lc_device_close(&g->device);
    lc_free(g->texts);
    lc_free(g);
}

lc_status lc_gpu_boards_upload(lc_gpu_boards *g, const uint64_t *cells, lc_message *message)
{
    const lc_status status =
        lc_device_upload(g->device, g->cells, cells, g->cells_bytes, g->stream, message);
    return status == LC_OK ? lc_device_synchronize(g->device, g->stream, message) : status;
}

lc_status lc_gpu_boards_download(const lc_gpu_boards *g, uint64_t *cells, lc_message *message)
{
    const lc_status status =
        lc_device_download(g->device, cells, g->cells, g->cells_bytes, g->stream, message);
    return status == LC_OK ? lc_device_synchronize(g->device, g->stream, message) : status;
}

lc_status lc_gpu_boards_step(lc_gpu_boards *g, int generations, lc_message *message)
{
    lc_batch_job job = g->job;
    const lc_launch how = {.grid = {g->grid}, .block = {LC_BATCH_THREADS}, .stream = g->stream};
    void *arguments[] = {&job, &g->rules, &g->cells};
    job.generations = generations;
    const lc_status status = lc_kernel_launch(&g->step, &how, arguments, message);
    return status == LC_OK ? lc_device_synchronize(g->device, g->stream, message) : status;
}
