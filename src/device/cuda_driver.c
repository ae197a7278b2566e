// Finds and loads the CUDA driver library.
#include "device/cuda_driver.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "device/dynamic_library.h"

// "libcuda.so.1" uses the loader's search path. Containers, WSL and NixOS put the driver into the
// other folders and do not always add them to that path.
static const char *const library_paths[] = {
    "libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/run/opengl-driver/lib/libcuda.so.1",
};

#define SYMBOL(name, version, parameters) {#name #version, offsetof(lc_cuda, name)},
static const lc_library_symbol symbols[] = {LC_CUDA_SYMBOLS(SYMBOL)};
#undef SYMBOL

// Guards the variables below until the driver is loaded.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool asked;
static lc_cuda driver;
static lc_status load_status;
static lc_message load_message;

static lc_status open_library(void **library, const char **path, const char *chosen,
                              lc_message *message)
{
    const char *why;
    if (chosen != NULL) {
        *path = chosen;
        *library = lc_library_open(chosen, &why);
        if (*library == NULL)
            return lc_fail(message, LC_ERROR_UNSUPPORTED, "cannot load the given CUDA driver: %s",
                           why);
        return LC_OK;
    }
    for (size_t i = 0; i < sizeof library_paths / sizeof *library_paths; i++) {
        // The message reports the last file that exists and does not load.
        if (i > 0 && access(library_paths[i], F_OK))
            continue;
        *path = library_paths[i];
        *library = lc_library_open(library_paths[i], &why);
        if (*library != NULL)
            return LC_OK;
        lc_fail(message, LC_ERROR_UNSUPPORTED, "no CUDA driver: %s", why);
    }
    return LC_ERROR_UNSUPPORTED;
}

static lc_status load(const char *chosen, lc_message *message)
{
    void *library;
    const char *path;
    lc_status status = open_library(&library, &path, chosen, message);
    if (status != LC_OK)
        return status;
    const char *missing =
        lc_library_resolve(library, symbols, sizeof symbols / sizeof *symbols, &driver);
    if (missing != NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the CUDA driver %s has no %s: a driver for CUDA 11.7 or later is needed",
                       path, missing);
    char text[LC_CUDA_ERROR_TEXT_BYTES];
    CUresult result = driver.cuInit(0);
    if (result != CUDA_SUCCESS)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "cuInit of %s failed: %s", path,
                       lc_cuda_error_text(&driver, result, text));
    result = driver.cuDriverGetVersion(&driver.version);
    if (result != CUDA_SUCCESS)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "cuDriverGetVersion of %s failed: %s", path,
                       lc_cuda_error_text(&driver, result, text));
    return LC_OK;
}

lc_status lc_cuda_load(const lc_cuda **out, const lc_context *context, lc_message *message)
{
    (void)pthread_mutex_lock(&mutex);
    if (!asked) {
        load_status = load(context != NULL ? context->options.cuda_library : NULL, &load_message);
        asked = true;
    }
    (void)pthread_mutex_unlock(&mutex);
    if (load_status != LC_OK) {
        if (message != NULL)
            *message = load_message;
        return load_status;
    }
    *out = &driver;
    return LC_OK;
}

const char *lc_cuda_error_text(const lc_cuda *cuda, CUresult result,
                               char text[LC_CUDA_ERROR_TEXT_BYTES])
{
    const char *name = NULL;
    const char *meaning = NULL;
    if (cuda->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
        name = "an error that this driver has no name for";
    if (cuda->cuGetErrorString(result, &meaning) != CUDA_SUCCESS || meaning == NULL)
        meaning = "";
    (void)snprintf(text, LC_CUDA_ERROR_TEXT_BYTES, "%s (%u)%s%s", name, result,
                   *meaning ? ", " : "", meaning);
    return text;
}
