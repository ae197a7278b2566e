// Takes soups on a GPU, by the kernels of kernels/census.cu.
//
// A batch of soups gives the counts of groups of cells. The host names each group when it first
// sees it, and from then on the GPU counts it. Soups that the GPU cannot decide are left to the
// caller.
//
// Threads: one thread at a time may use a structure and its device.
#ifndef LC_CENSUS_GPU_SOUPS_H
#define LC_CENSUS_GPU_SOUPS_H

#include "census/number_ranges.h"
#include "census/object_names.h"
#include "census/soup_source.h"
#include "device/gpu_device.h"

typedef struct lc_gpu_soups lc_gpu_soups;

// That may be under way at the same time: while the second pass of one batch runs, the first pass
// of the next does, and one more waits.
enum { LC_GPU_BATCHES = 3 };

// Whether a GPU can take these soups: those from a seed, not too large, of rules by counts. If not,
// *why is the reason.
bool lc_gpu_soups_can(const lc_rule *rule, const lc_soup_source *source, const char **why);

// Allocates memory for batches of up to `soups_max` soups, and compiles the kernels. `device`,
// `rule` and `context` outlive the structure. Returns LC_OK; LC_ERROR_MEMORY; LC_ERROR_DEVICE. On
// error *out is NULL.
lc_status lc_gpu_soups_create(lc_gpu_soups **out, lc_device *device, const lc_rule *rule,
                              const lc_soup_source *source, uint32_t soups_max, lc_context *context,
                              lc_message *message);
void lc_gpu_soups_destroy(lc_gpu_soups **soups);

// Says which samples the census has: of kinds that have LC_KIND_SAMPLES of them below `first` in
// `counted`, the next batch, which begins at `first`, reports none. Sets *soups_max to how many
// soups the batch can have so that there is room for its reports. Returns LC_OK; LC_ERROR_MEMORY.
lc_status lc_gpu_soups_prepare(lc_gpu_soups *soups, const lc_kinds *counted, uint64_t first,
                               uint64_t *soups_max, lc_message *message);

// Starts batch number `batch`, which is not under way.
lc_status lc_gpu_soups_start(lc_gpu_soups *soups, int batch, lc_number_range range,
                             lc_message *message);

typedef struct lc_gpu_batch_result {
    lc_number_range range;
    lc_kinds *kinds; // counts of all soups but those that are left. Valid until the next batch ends
    const uint32_t *left; // soups that the caller must take, counted from range.first, in no order
    size_t left_count;
} lc_gpu_batch_result;

// Waits for a batch. The caller sets result->kinds's counts to 0 before the next batch ends.
// Returns LC_OK; LC_ERROR_MEMORY; LC_ERROR_DEVICE.
lc_status lc_gpu_soups_finish(lc_gpu_soups *soups, int batch, lc_gpu_batch_result *result,
                              lc_message *message);

#endif
