// Finds NVRTC and compiles kernels with it.
#include "device/nvrtc.h"

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cuda_driver.h"
#include "device/dynamic_library.h"

// Newest first. The number in a file name is the version in which the interface began.
static const struct {
    int major;
    const char *file;
} versions[] = {
    {13, "libnvrtc.so.13"},
    {12, "libnvrtc.so.12"},
    {11, "libnvrtc.so.11.2"},
};

// Folders searched after the loader's path and the context's folders: those of the CUDA toolkit and
// of Python wheels. Wheels have one folder per component up to CUDA 12, and one common folder since
// CUDA 13.
static const char *const library_folders[] = {
    "/usr/local/cuda/lib64",
    "/usr/local/cuda-*/lib64",
    "/usr/local/lib/python3*/*-packages/nvidia/cu[0-9]*/lib",
    "/usr/local/lib/python3*/*-packages/nvidia/cuda_nvrtc/lib",
    "/usr/lib/python3*/*-packages/nvidia/cu[0-9]*/lib",
    "/usr/lib/python3*/*-packages/nvidia/cuda_nvrtc/lib",
    NULL,
};

#define SYMBOL(name, parameters) {#name, offsetof(lc_nvrtc, name)},
static const lc_library_symbol symbols[] = {
    LC_NVRTC_SYMBOLS(SYMBOL){"nvrtcGetErrorString", offsetof(lc_nvrtc, nvrtcGetErrorString)}};
#undef SYMBOL

// Guards the variables below until NVRTC is loaded.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool asked;
static lc_nvrtc compiler;
static lc_status load_status;
static lc_message load_message;

// Opens the first loadable match of the pattern PLACE/FILE. NULL: no match loads; if a match
// exists, *message says why it does not load.
static void *open_matching(const char *place, const char *file, lc_message *message)
{
    char pattern[sizeof compiler.path];
    int length = snprintf(pattern, sizeof pattern, "%s/%s", place, file);
    glob_t found;
    if (length < 0 || (size_t)length >= sizeof pattern || glob(pattern, 0, NULL, &found))
        return NULL;
    void *library = NULL;
    for (size_t i = 0; i < found.gl_pathc && library == NULL; i++) {
        const char *why;
        library = lc_library_open(found.gl_pathv[i], &why);
        if (library != NULL)
            (void)snprintf(compiler.path, sizeof compiler.path, "%s", found.gl_pathv[i]);
        else
            lc_fail(message, LC_ERROR_UNSUPPORTED, "NVRTC does not load: %s", why);
    }
    globfree(&found);
    return library;
}

// Opens `file` in the first folder that has it. `folders` may be NULL.
static void *open_in(const char *const *folders, const char *file, lc_message *message)
{
    void *library = NULL;
    for (size_t i = 0; folders != NULL && folders[i] != NULL && library == NULL; i++)
        library = open_matching(folders[i], file, message);
    return library;
}

static void *open_version(const char *const *folders, const char *file, lc_message *message)
{
    const char *why;
    void *library = lc_library_open(file, &why);
    if (library != NULL)
        (void)snprintf(compiler.path, sizeof compiler.path, "%s", file);
    if (library == NULL)
        library = open_in(folders, file, message);
    return library != NULL ? library : open_in(library_folders, file, message);
}

static lc_status open_library(void **library, const lc_context *context, lc_message *message)
{
    const char *chosen = context != NULL ? context->options.nvrtc_library : NULL;
    const char *const *folders = context != NULL ? context->options.nvrtc_folders : NULL;
    if (chosen != NULL) {
        const char *why;
        *library = lc_library_open(chosen, &why);
        if (*library == NULL)
            return lc_fail(message, LC_ERROR_UNSUPPORTED, "cannot load the given NVRTC library: %s",
                           why);
        (void)snprintf(compiler.path, sizeof compiler.path, "%s", chosen);
        return LC_OK;
    }
    lc_fail(
        message, LC_ERROR_UNSUPPORTED,
        "no NVRTC, the library that compiles GPU kernels: libnvrtc.so.13, .12 and .11.2 are not in "
        "the loader's path, in /usr/local/cuda or in Python's packages; install NVRTC, or give its "
        "path in the context (in the command, LIGHTCONE_NVRTC)");
    const lc_cuda *cuda;
    int driver_major = lc_cuda_load(&cuda, context, NULL) != LC_OK ? 1000 : cuda->version / 1000;
    const size_t count = sizeof versions / sizeof *versions;
    for (size_t i = 0; i < count; i++) {
        *library = versions[i].major <= driver_major
                       ? open_version(folders, versions[i].file, message)
                       : NULL;
        if (*library != NULL)
            return LC_OK;
    }
    for (size_t i = count; i-- > 0;) { // then newer ones, oldest first
        *library = versions[i].major > driver_major
                       ? open_version(folders, versions[i].file, message)
                       : NULL;
        if (*library != NULL)
            return LC_OK;
    }
    return LC_ERROR_UNSUPPORTED;
}

static lc_status fail_call(const lc_nvrtc *nvrtc, nvrtcResult result, const char *call,
                           lc_message *message)
{
    return lc_fail(message, LC_ERROR_DEVICE, "%s of %s failed: %s (%u)", call, nvrtc->path,
                   nvrtc->nvrtcGetErrorString(result), result);
}

static lc_status load(const lc_context *context, lc_message *message)
{
    void *library;
    lc_status status = open_library(&library, context, message);
    if (status != LC_OK)
        return status;
    const char *missing =
        lc_library_resolve(library, symbols, sizeof symbols / sizeof *symbols, &compiler);
    if (missing != NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the NVRTC %s has no %s: NVRTC 11.2 or later is needed", compiler.path,
                       missing);
    int major;
    int minor;
    nvrtcResult result = compiler.nvrtcVersion(&major, &minor);
    if (result != NVRTC_SUCCESS)
        return fail_call(&compiler, result, "nvrtcVersion", message);
    compiler.version = 1000 * major + 10 * minor;
    result = compiler.nvrtcGetNumSupportedArchs(&compiler.architecture_count);
    if (result != NVRTC_SUCCESS)
        return fail_call(&compiler, result, "nvrtcGetNumSupportedArchs", message);
    if (compiler.architecture_count < 1 || compiler.architecture_count > LC_NVRTC_MAX_ARCHITECTURES)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the NVRTC %s claims to know %d architectures", compiler.path,
                       compiler.architecture_count);
    result = compiler.nvrtcGetSupportedArchs(compiler.architectures);
    if (result != NVRTC_SUCCESS)
        return fail_call(&compiler, result, "nvrtcGetSupportedArchs", message);
    return LC_OK;
}

lc_status lc_nvrtc_load(const lc_nvrtc **out, const lc_context *context, lc_message *message)
{
    (void)pthread_mutex_lock(&mutex);
    if (!asked) {
        load_status = load(context, &load_message);
        asked = true;
    }
    (void)pthread_mutex_unlock(&mutex);
    if (load_status != LC_OK) {
        if (message != NULL)
            *message = load_message;
        return load_status;
    }
    *out = &compiler;
    return LC_OK;
}

lc_status lc_nvrtc_find_target(const lc_nvrtc *nvrtc, int architecture, lc_nvrtc_target *target,
                               lc_message *message)
{
    int nearest = 0;
    for (int i = 0; i < nvrtc->architecture_count; i++)
        if (nvrtc->architectures[i] <= architecture && nvrtc->architectures[i] > nearest)
            nearest = nvrtc->architectures[i];
    if (nearest == 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "NVRTC %d.%d compiles for compute capability %d.%d and later, not for %d.%d",
                       nvrtc->version / 1000, nvrtc->version % 1000 / 10,
                       nvrtc->architectures[0] / 10, nvrtc->architectures[0] % 10,
                       architecture / 10, architecture % 10);
    target->ptx = nearest != architecture;
    (void)snprintf(target->name, sizeof target->name, "%s_%d", target->ptx ? "compute" : "sm",
                   nearest);
    return LC_OK;
}

lc_status lc_kernel_texts_for_rule(lc_kernel_text **out, const char *rule_text, lc_message *message)
{
    size_t count = 0;
    while (lc_kernel_texts[count].name != NULL)
        count++;
    lc_kernel_text *texts = lc_calloc(count + 2, sizeof *texts);
    *out = texts;
    if (texts == NULL)
        return lc_fail_memory(message, "the texts of the kernels");
    memcpy(texts, lc_kernel_texts, count * sizeof *texts);
    texts[count] = (lc_kernel_text){.name = "rule.h", .text = rule_text};
    return LC_OK;
}

const char *lc_kernel_text_find(const lc_kernel_text *texts, const char *name)
{
    for (; texts->name != NULL; texts++)
        if (strcmp(texts->name, name) == 0)
            return texts->text;
    return NULL;
}

static bool is_kernel(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".cu") == 0;
}

// Collects the texts that can be included. `names` and `texts` have room for all texts.
static int collect_headers(const lc_kernel_source *source, const char **names, const char **texts)
{
    int count = 0;
    for (const lc_kernel_text *text = source->texts; text->name != NULL; text++) {
        if (!is_kernel(text->name)) {
            names[count] = text->name;
            texts[count++] = text->text;
        }
    }
    return count;
}

static lc_status create_program(const lc_nvrtc *nvrtc, const lc_kernel_source *source,
                                nvrtcProgram *program, lc_message *message)
{
    const char *text = lc_kernel_text_find(source->texts, source->name);
    if (text == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no kernel text %s", source->name);
    size_t count = 0;
    while (source->texts[count].name != NULL)
        count++;
    const char **lists = lc_calloc(2 * count, sizeof *lists);
    if (lists == NULL)
        return lc_fail_memory(message, "the headers of %s", source->name);
    int headers = collect_headers(source, lists, lists + count);
    nvrtcResult result =
        nvrtc->nvrtcCreateProgram(program, text, source->name, headers, lists + count, lists);
    lc_free(lists);
    return result == NVRTC_SUCCESS ? LC_OK
                                   : fail_call(nvrtc, result, "nvrtcCreateProgram", message);
}

// Returns the compiler's log; "" if there is none.
static char *read_log(const lc_nvrtc *nvrtc, nvrtcProgram program)
{
    size_t size_bytes = 0;
    if (nvrtc->nvrtcGetProgramLogSize(program, &size_bytes) != NVRTC_SUCCESS)
        size_bytes = 0;
    char *log = lc_calloc(size_bytes + 1, 1);
    if (log != NULL && size_bytes > 0 && nvrtc->nvrtcGetProgramLog(program, log) != NVRTC_SUCCESS)
        log[0] = '\0';
    return log;
}

static lc_status read_image(const lc_nvrtc *nvrtc, nvrtcProgram program, bool ptx,
                            lc_kernel_image *image, lc_message *message)
{
    nvrtcResult result = ptx ? nvrtc->nvrtcGetPTXSize(program, &image->size_bytes)
                             : nvrtc->nvrtcGetCUBINSize(program, &image->size_bytes);
    if (result != NVRTC_SUCCESS)
        return fail_call(nvrtc, result, ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize", message);
    image->bytes = lc_malloc(image->size_bytes);
    if (image->bytes == NULL)
        return lc_fail_memory(message, "%zu bytes of compiled kernel", image->size_bytes);
    result = ptx ? nvrtc->nvrtcGetPTX(program, image->bytes)
                 : nvrtc->nvrtcGetCUBIN(program, image->bytes);
    if (result != NVRTC_SUCCESS)
        return fail_call(nvrtc, result, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", message);
    return LC_OK;
}

static lc_status fail_compilation(const lc_nvrtc *nvrtc, const lc_kernel_source *source,
                                  const lc_nvrtc_target *target, const char *log,
                                  nvrtcResult result, lc_message *message)
{
    // The line with the first "error"; if no line has one (as for an unknown option), the first
    // line.
    const char *line = log != NULL ? log : "";
    const char *error = strstr(line, "error");
    for (const char *at = line; error != NULL && at < error; at++)
        if (*at == '\n')
            line = at + 1;
    return lc_fail(message, LC_ERROR_DEVICE, "%s does not compile for %s with NVRTC %d.%d: %.*s%s",
                   source->name, target->name, nvrtc->version / 1000, nvrtc->version % 1000 / 10,
                   (int)strcspn(line, "\n"), line, *line ? "" : nvrtc->nvrtcGetErrorString(result));
}

static lc_status compile_program(const lc_nvrtc *nvrtc, const lc_kernel_source *source,
                                 const lc_nvrtc_target *target, nvrtcProgram program,
                                 lc_kernel_image *image, lc_message *message)
{
    char architecture[64];
    (void)snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", target->name);
    const char **options = lc_calloc(source->option_count + 1, sizeof *options);
    if (options == NULL)
        return lc_fail_memory(message, "the options of %s", source->name);
    options[0] = architecture;
    for (size_t i = 0; i < source->option_count; i++)
        options[i + 1] = source->options[i];
    nvrtcResult result =
        nvrtc->nvrtcCompileProgram(program, (int)source->option_count + 1, options);
    lc_free(options);
    image->log = read_log(nvrtc, program);
    if (result != NVRTC_SUCCESS)
        return fail_compilation(nvrtc, source, target, image->log, result, message);
    return read_image(nvrtc, program, target->ptx, image, message);
}

lc_status lc_nvrtc_compile(const lc_nvrtc *nvrtc, const lc_kernel_source *source,
                           const lc_nvrtc_target *target, lc_kernel_image *image,
                           lc_message *message)
{
    *image = (lc_kernel_image){0};
    nvrtcProgram program;
    lc_status status = create_program(nvrtc, source, &program, message);
    if (status != LC_OK)
        return status;
    status = compile_program(nvrtc, source, target, program, image, message);
    (void)nvrtc->nvrtcDestroyProgram(&program);
    return status;
}

void lc_kernel_image_free(lc_kernel_image *image)
{
    lc_free(image->bytes);
    lc_free(image->log);
    *image = (lc_kernel_image){0};
}
