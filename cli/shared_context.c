#include "shared_context.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi_ranks.h"

static lc_context *the_context;
static int wanted_threads;

// Folders in which the command searches for NVRTC, in addition to the folders that the library
// searches. NVRTC may be part of the CUDA toolkit, of conda, or of a Python wheel.
static const struct {
    const char *variable, *pattern; // the path is the variable's value followed by the pattern
} places[] = {
    {"CUDA_HOME", "/lib64"},
    {"CUDA_PATH", "/lib64"},
    {"CONDA_PREFIX", "/lib"},
    {"VIRTUAL_ENV", "/lib/python3*/site-packages/nvidia/cu[0-9]*/lib"},
    {"VIRTUAL_ENV", "/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"},
    {"HOME", "/.local/lib/python3*/site-packages/nvidia/cu[0-9]*/lib"},
    {"HOME", "/.local/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib"},
};

enum { PLACES = sizeof places / sizeof *places };

// Joins two parts of a path. Writes "" if the result is too long.
static const char *join(char path[PATH_MAX], const char *before, const char *after)
{
    const int length = snprintf(path, PATH_MAX, "%s%s", before, after);
    if (length < 0 || length >= PATH_MAX)
        path[0] = '\0';
    return path;
}

static const char *cache_folder(char path[PATH_MAX])
{
    const char *chosen = getenv("LIGHTCONE_CACHE");
    if (chosen != NULL)
        return chosen;
    const char *base = getenv("XDG_CACHE_HOME");
    if (base != NULL && *base == '/') // the XDG specification says to ignore relative paths
        return join(path, base, "/lightcone");
    base = getenv("HOME");
    return base != NULL && *base != '\0' ? join(path, base, "/.cache/lightcone") : "";
}

lc_context *lc_cli_context(void)
{
    static char cache[PATH_MAX], folder[PLACES][PATH_MAX];
    const char *folders[PLACES + 1] = {NULL};
    size_t count = 0;
    if (the_context != NULL)
        return the_context;
    for (size_t i = 0; i < PLACES; i++) {
        const char *before = getenv(places[i].variable);
        if (before != NULL && *before != '\0' &&
            *join(folder[count], before, places[i].pattern) != '\0') {
            folders[count] = folder[count];
            count++;
        }
    }
    const lc_context_options options = {
        .struct_bytes = sizeof options,
        .cache_folder = cache_folder(cache),
        .cuda_library = getenv("LIGHTCONE_CUDA"),
        .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
        .nvrtc_folders = folders,
        .threads = wanted_threads != 0 ? wanted_threads : lc_cli_ranks_threads(),
        .ranks = lc_cli_ranks(),
    };
    (void)lc_context_create(&the_context, &options, NULL);
    return the_context;
}

void lc_cli_context_set_threads(int threads)
{
    wanted_threads = threads;
}

void lc_cli_context_end(void)
{
    lc_context_destroy(&the_context);
}
