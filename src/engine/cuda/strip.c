// The stepper that is one launch a generation: kernels/plain.cu.
#include "engine/cuda/strip.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"

enum { THREADS = 256, BLOCKS_AT_MOST = 64 };

struct lc_cuda_stepper {
    lc_device *device;
    lc_device_stream *stream;
    lc_module *module;
    lc_kernel step;
    lc_rule rule;
};

int lc_cuda_plan_words(const lc_device_facts *facts, const lc_topology *topology)
{
    (void)facts;
    return topology->width_cells < 1 << 12 ? 1 : topology->width_cells < 1 << 15 ? 2 : 4;
}

lc_status lc_cuda_stepper_create(lc_cuda_stepper **out, lc_device *device, lc_device_stream *stream,
                                 const lc_cuda_board *board, const lc_rule *rule,
                                 lc_message *message)
{
    char option[16];
    const char *options[] = {option};
    (void)snprintf(option, sizeof option, "-DLC_K=%d", board->words);
    const lc_kernel_source source = {
        .name = "plain.cu", .texts = lc_kernel_texts, .options = options, .option_count = 1};
    *out = NULL;
    lc_cuda_stepper *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "no memory for a stepper");
    *s = (lc_cuda_stepper){.device = device, .stream = stream, .rule = *rule};
    lc_status status = lc_module_create(&s->module, device, &source, NULL, message);
    if (!status)
        status = lc_kernel_find(&s->step, s->module, "plain_step", message);
    if (status) {
        lc_cuda_stepper_destroy(&s);
        return status;
    }
    *out = s;
    return LC_OK;
}

void lc_cuda_stepper_destroy(lc_cuda_stepper **stepper)
{
    if (*stepper == NULL)
        return;
    lc_module_destroy(&(*stepper)->module);
    lc_free(*stepper);
    *stepper = NULL;
}

lc_status lc_cuda_stepper_run(lc_cuda_stepper *s, lc_cuda_board *board, uint64_t generations,
                              uint64_t *done, lc_message *message)
{
    const uint64_t words = (uint64_t)board->segments * (uint64_t)board->words *
                           (uint64_t)board->topology.height_cells;
    const uint64_t most =
        (uint64_t)lc_device_facts_of(s->device)->multiprocessors * BLOCKS_AT_MOST;
    const uint64_t blocks = (words + THREADS - 1) / THREADS;
    const lc_launch how = {
        .grid = {(uint32_t)(blocks < most ? blocks : most)},
        .block = {THREADS},
        .stream = s->stream,
    };
    lc_status status = LC_OK;
    for (*done = 0; *done < generations && *done < LC_HALO_ROWS && !status; ++*done) {
        lc_board_view from = lc_cuda_board_view(board, board->cells);
        lc_board_view to = lc_cuda_board_view(board, board->next);
        lc_word birth = s->rule.birth, survival = s->rule.survival;
        void *arguments[] = {&from, &to, &birth, &survival};
        status = lc_cuda_board_halo(board, 1, message);
        if (!status)
            status = lc_kernel_launch(&s->step, &how, arguments, message);
        if (!status)
            lc_cuda_board_swap(board);
    }
    return status;
}
