// Stores plans by a key of all that decides which plan is fastest: the GPU, its driver, the size
// and kind of the board, whether it is stepped in place, and the gates of the rule. Rules with
// equal gates share a plan.
#include "engine/cuda/cuda_plan_store.h"

#include <stdio.h>
#include <string.h>

#include "base/context_resources.h"
#include "base/memory.h"
#include "device/kernel_cache.h"
#include "logic/network.h"

// Raise it when a text changes its meaning, or when changed kernels make stored plans outdated.
static const char version[] = "plan 1";

static lc_kernel_key key_of(lc_context *context, const lc_device_facts *facts,
                            const lc_frame *frame, bool is_slab, bool in_place, const lc_rule *rule)
{
    char gpu[96], board[128];
    lc_counts counts = {0};
    (void)lc_rule_counts(rule, &counts);
    const char *kind = lc_cuda_plan_fences(frame)      ? "fenced"
                       : lc_cuda_plan_drifts(frame, 1) ? "drifting"
                                                       : "with a halo";
    (void)snprintf(gpu, sizeof gpu, "sm_%d, %d multiprocessors, driver %d", facts->architecture,
                   facts->multiprocessors, facts->driver_version);
    (void)snprintf(board, sizeof board, "%lld x %lld, %s, %.1f gates%s%s",
                   (long long)frame->width_cells, (long long)frame->height_cells, kind,
                   lc_network_gates(counts, lc_context_cache(context)), is_slab ? ", a slab" : "",
                   in_place ? ", in place" : "");
    const char *const parts[] = {version, facts->name, gpu, board};
    return lc_kernel_key_of(parts, sizeof parts / sizeof *parts);
}

static bool read_plan(lc_cuda_plan *plan, const char *folder, const lc_kernel_key *key,
                      const lc_frame *frame, bool in_place)
{
    char text[LC_CUDA_PLAN_TEXT_BYTES] = "";
    lc_cuda_plan kept = {0};
    void *content;
    size_t size_bytes;
    if (!lc_kernel_cache_read(folder, key, &content, &size_bytes))
        return false;
    if (size_bytes < sizeof text)
        memcpy(text, content, size_bytes);
    lc_free(content);
    if (lc_cuda_plan_parse(&kept, text, NULL) != LC_OK ||
        lc_cuda_plan_check(&kept, frame, NULL) != LC_OK || (kept.band_rows > 0) != in_place)
        return false;
    *plan = kept;
    return true;
}

bool lc_cuda_stored_plan_read(lc_cuda_plan *plan, lc_context *context, const lc_device_facts *facts,
                              const lc_frame *frame, bool in_place, const lc_rule *rule)
{
    const char *folder = lc_context_cache_folder(context);
    if (folder[0] == '\0') // saves finding the gates
        return false;
    const lc_kernel_key own = key_of(context, facts, frame, frame->is_slab, in_place, rule);
    const lc_kernel_key board = key_of(context, facts, frame, false, in_place, rule);
    return read_plan(plan, folder, &own, frame, in_place) ||
           (frame->is_slab && read_plan(plan, folder, &board, frame, in_place));
}

bool lc_cuda_stored_plan_write(const lc_cuda_plan *plan, lc_context *context,
                               const lc_device_facts *facts, const lc_frame *frame,
                               const lc_rule *rule)
{
    const lc_kernel_key key =
        key_of(context, facts, frame, frame->is_slab, plan->band_rows > 0, rule);
    char text[LC_CUDA_PLAN_TEXT_BYTES];
    lc_cuda_plan_format(plan, text);
    return lc_kernel_cache_write(lc_context_cache_folder(context), &key, text, strlen(text));
}
