#include "engine/cuda/plan_choice.h"

#include <stdlib.h>

#include "engine/cuda/kept_plan.h"

lc_status lc_cuda_plan_choose(lc_cuda_plan *plan, const lc_device_facts *facts,
                              const lc_topology *topology, const lc_rule *rule, lc_message *message)
{
    const char *text = getenv("LIGHTCONE_GPU_PLAN");
    if (text == NULL && lc_cuda_kept_plan_read(plan, facts, topology, rule))
        return LC_OK;
    *plan = lc_cuda_plan_guess(facts, topology);
    lc_status status = text != NULL ? lc_cuda_plan_parse(plan, text, message) : LC_OK;
    return status != LC_OK ? status : lc_cuda_plan_check(plan, topology, message);
}
