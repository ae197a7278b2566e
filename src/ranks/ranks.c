// Ranks: finding what carries their words. lightcone/ranks.h says what they are for.
#include "ranks/rank_calls.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"

lc_status lc_ranks_open(lc_ranks **out, const char *component, lc_message *message)
{
    *out = NULL;
    // Global, because MPI loads parts of its own, which look for its names there.
    void *library = dlopen(component, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        return lc_fail(message, LC_ERROR_SYSTEM, "%s", dlerror());
    lc_ranks_component *open;
    void *symbol = dlsym(library, LC_RANKS_SYMBOL);
    memcpy(&open, &symbol, sizeof open);
    if (open == NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "%s is no component of this version of lightcone", component);
    return open(out, message); // the library stays: MPI has handlers in it until the process ends
}

int lc_ranks_rank(const lc_ranks *ranks)
{
    return ranks->rank;
}

int lc_ranks_count(const lc_ranks *ranks)
{
    return ranks->count;
}

int lc_ranks_count_here(const lc_ranks *ranks)
{
    return ranks->count_here;
}

lc_status lc_ranks_agree(lc_ranks *ranks, lc_status status, lc_message *message)
{
    uint64_t fine = status == LC_OK;
    const lc_status heard = ranks->least(ranks, &fine, 1, status == LC_OK ? message : NULL);
    if (status != LC_OK || heard != LC_OK)
        return status != LC_OK ? status : heard;
    return fine ? LC_OK : lc_fail(message, LC_ERROR_STOPPED, "another rank failed");
}
