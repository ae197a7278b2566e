// An NVRTC that compiles kernels for the CPU, with the C compiler that built the tests, as C17: so
// the texts are also seen to be what kernels/cuda.h says of them.
//
// The text is preprocessed after emulated_builtins.h; in what comes out, LC_KERNEL marks the
// kernels, and for each of them a function is appended that takes its arguments from where the
// driver's pointers say. Compiled with UBSan, whose findings emulated_builtins.h takes.
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emulator/emulated_image.h"
#include "emulator/emulated_kept.h"
#include "emulator/stand_in.h"
#include "emulator/stand_in_nvrtc.h"

enum { ERROR_INVALID_OPTION = 5, ERROR_INTERNAL = 11, MOST_OPTIONS = 64 };

// Files ---------------------------------------------------------------------------------------

static bool write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool good = fwrite(text, 1, strlen(text), file) == strlen(text);
    return fclose(file) == 0 && good;
}

// The whole file and a zero byte, malloc'd; NULL if there is none.
static char *read_file(const char *folder, const char *name, size_t *size_bytes)
{
    char path[512];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    if (fstat(fileno(file), &facts) == 0) {
        text = malloc((size_t)facts.st_size + 1);
        *size_bytes = fread(text, 1, (size_t)facts.st_size, file);
        text[*size_bytes] = '\0';
    }
    fclose(file);
    return text;
}

static const char *const own_files[] = {"kernel.i", "kernel.o", "kernel.so", "log"};

static void remove_folder(const stand_in_program *program, const char *folder)
{
    char path[512];
    for (size_t i = 0; i < sizeof own_files / sizeof *own_files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, own_files[i]);
        unlink(path);
    }
    for (size_t i = 0; i <= program->header_count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder,
                 i < program->header_count ? program->header_names[i] : program->name);
        unlink(path);
    }
    rmdir(folder);
}

static bool write_texts(const stand_in_program *program, const char *folder)
{
    bool good = write_file(folder, program->name, program->text);
    for (size_t i = 0; i < program->header_count; i++)
        good = write_file(folder, program->header_names[i], program->headers[i]) && good;
    return good;
}

// Compilers -----------------------------------------------------------------------------------

// Runs the compiler in the folder, so that its complaints have names without one; what it says goes
// to the folder's "log".
static bool run_compiler(const char *folder, const char **arguments)
{
    pid_t child = fork();
    if (child == 0) {
        int log = -1;
        if (chdir(folder) == 0)
            log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
            _exit(126);
        execvp(arguments[0], (char **)arguments);
        _exit(127);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// What changes nothing here.
static bool is_ignored(const char *option)
{
    static const char *const ignored[] = {"--ptxas-options=", "--maxrregcount=", "--std=",
                                          "-lineinfo",        "--restrict",      "-default-device"};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (strncmp(option, ignored[i], strlen(ignored[i])) == 0)
            return true;
    return false;
}

static bool preprocess(const stand_in_program *program, const char *folder, size_t option_count,
                       const char *const *options)
{
    const char *arguments[MOST_OPTIONS + 16] = {
        EMULATED_CC, "-std=c17", "-E", "-x", "c", "-include", EMULATED_BUILTINS, "-o", "kernel.i"};
    char architecture[64];
    size_t count = 9;
    snprintf(architecture, sizeof architecture, "-D__CUDA_ARCH__=%s0",
             strchr(program->target, '_') + 1);
    arguments[count++] = architecture;
    for (size_t i = 0; i < option_count; i++)
        if (!is_ignored(options[i]))
            arguments[count++] = options[i];
    arguments[count++] = program->name;
    return run_compiler(folder, arguments);
}

static bool compile(const char *folder)
{
    const char *to_object[] = {
        EMULATED_CC, "-std=c17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
        "-Wno-unused-function", "-fPIC", "-fvisibility=hidden",
        "-fno-math-errno",      // a square root is an instruction then, and needs no library
        "-fno-strict-aliasing", // as in CUDA, words are also loaded by fours
        "-fsanitize=undefined", "-fno-sanitize-recover=undefined",
        // What these find is also seen by a fault; they take most of the time.
        "-fno-sanitize=null,pointer-overflow,object-size", "-x", "cpp-output", "-c", "kernel.i",
        "-o", "kernel.o", NULL};
    const char *to_library[] = {EMULATED_CC, "-shared", "kernel.o", "-o", "kernel.so", NULL};
    return run_compiler(folder, to_object) && run_compiler(folder, to_library);
}

// Kernels in the preprocessed text ------------------------------------------------------------

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

// After the parenthesis that closes the one at `open`; NULL if none does.
static char *after_parentheses(char *open)
{
    int depth = 0;
    for (char *at = open; *at != '\0'; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

// The parameter without its name: the type. Prints the types, which `separator` stands between,
// with the text around each. How many there are.
static unsigned int print_types(FILE *to, const char *list, size_t length, const char *before,
                                const char *after, bool numbered)
{
    unsigned int count = 0;
    for (size_t start = 0; start < length;) {
        size_t end = start;
        for (int depth = 0; end < length && (list[end] != ',' || depth > 0); end++)
            depth += list[end] == '(' ? 1 : list[end] == ')' ? -1 : 0;
        size_t name_end = end;
        while (name_end > start && !is_word(list[name_end - 1]))
            name_end--;
        size_t type_end = name_end;
        while (type_end > start && is_word(list[type_end - 1]))
            type_end--;
        bool empty = true; // "void", or nothing
        for (size_t i = start; i < type_end; i++)
            empty = empty && isspace((unsigned char)list[i]);
        if (!empty) {
            fprintf(to, "%s%s%.*s%s", count > 0 ? ", " : "", before, (int)(type_end - start),
                    list + start, after);
            if (numbered)
                fprintf(to, "[%u]", count);
            count++;
        }
        start = end + 1;
    }
    return count;
}

typedef struct found_kernel {
    char name[64];
    const char *parameters;
    size_t parameters_length;
    const char *bounds; // the first of LC_LAUNCH_BOUNDS; NULL if it has none
    size_t bounds_length;
} found_kernel;

// Reads a kernel's declaration, which begins at `at`. The words that are no C are blanked; where
// they hold something that is wanted, `copy`, another one of the same text, still has it.
static bool read_kernel(char *at, const char *text, const char *copy, found_kernel *found)
{
    static const char bounds[] = "EMULATED_BOUNDS";
    char *open = strchr(at, '(');
    char *bound = strstr(at, bounds);
    *found = (found_kernel){.bounds = NULL};
    if (bound != NULL && bound < open) {
        char *end = after_parentheses(open);
        if (end == NULL)
            return false;
        found->bounds = copy + (open + 1 - text);
        found->bounds_length = strcspn(found->bounds, ",)");
        blank(bound, end);
        open = strchr(end, '(');
    }
    char *end = open != NULL ? after_parentheses(open) : NULL;
    if (end == NULL)
        return false;
    char *name_end = open;
    while (name_end > at && !is_word(name_end[-1]))
        name_end--;
    char *name = name_end;
    while (name > at && is_word(name[-1]))
        name--;
    snprintf(found->name, sizeof found->name, "%.*s", (int)(name_end - name), name);
    found->parameters = copy + (open + 1 - text);
    found->parameters_length = (size_t)(end - open) - 2;
    return true;
}

static void print_kernel(FILE *to, const found_kernel *kernel)
{
    fprintf(to,
            "static void emulated_run_%s(void **emulated_arguments) { (void)emulated_arguments; "
            "%s(",
            kernel->name, kernel->name);
    print_types(to, kernel->parameters, kernel->parameters_length, "*(", "*)emulated_arguments",
                true);
    fprintf(to, "); }\nstatic const unsigned int emulated_bytes_%s[] = {", kernel->name);
    print_types(to, kernel->parameters, kernel->parameters_length, "sizeof(", ")", false);
    fprintf(to, "};\n");
}

// The text with what the driver needs to find its kernels. NULL if a declaration makes no sense.
static char *add_wrappers(char *text)
{
    static const char mark[] = "EMULATED_KERNEL";
    char *result = NULL;
    char *list = NULL;
    size_t size_bytes;
    size_t list_bytes;
    unsigned int count = 0;
    bool good = true;
    char *copy = strdup(text);
    for (char *at = copy; (at = strchr(at, '\n')) != NULL;) { // lines like # 12 "strip.cu"
        at++;
        if (*at == '#')
            blank(at, at + strcspn(at, "\n"));
    }
    FILE *wrappers = open_memstream(&result, &size_bytes);
    FILE *entries = open_memstream(&list, &list_bytes);
    char *functions = NULL;
    size_t functions_bytes;
    FILE *printed = open_memstream(&functions, &functions_bytes);
    for (char *at = text; good && (at = strstr(at, mark)) != NULL;) {
        found_kernel kernel;
        memcpy(at, "static         ", strlen(mark));
        good = read_kernel(at, text, copy, &kernel);
        if (!good)
            break;
        print_kernel(printed, &kernel);
        fprintf(entries,
                "{\"%s\", emulated_run_%s, sizeof emulated_bytes_%s / 4, emulated_bytes_%s, %.*s},",
                kernel.name, kernel.name, kernel.name, kernel.name,
                kernel.bounds != NULL ? (int)kernel.bounds_length : 4,
                kernel.bounds != NULL ? kernel.bounds : "1024");
        count++;
    }
    fclose(printed);
    fclose(entries);
    fprintf(
        wrappers,
        "%s\n# 1 \"emulated_wrappers\" 3\n%s"
        "static const emulated_kernel emulated_kernels[] = {%s{0, 0, 0, 0, 0}};\n"
        "extern char __start_emulated_shared[] __attribute__((weak));\n"
        "extern char __stop_emulated_shared[] __attribute__((weak));\n"
        "__attribute__((visibility(\"default\")))\n"
        "const emulated_module emulated_module_of_kernels = {&emulated_self, emulated_kernels,\n"
        "    %u, __start_emulated_shared, __stop_emulated_shared};\n",
        text, functions, list, count);
    fclose(wrappers);
    free(functions);
    free(list);
    free(copy);
    if (!good) {
        free(result);
        return NULL;
    }
    return result;
}

// The whole -----------------------------------------------------------------------------------

static void replace(char **text, char *with)
{
    free(*text);
    *text = with;
}

static nvrtcResult fail(stand_in_program *program, nvrtcResult result, const char *text,
                        const char *about)
{
    char log[512];
    snprintf(log, sizeof log, "%s: error: %s%s\n", program->name, text, about);
    replace(&program->log, strdup(log));
    return result;
}

static void set_image(stand_in_program *program, const char *library, size_t size_bytes)
{
    emulated_image head = {.magic = EMULATED_MAGIC, .size_bytes = size_bytes};
    snprintf(head.stamp, sizeof head.stamp, "%s", EMULATED_STAMP);
    program->image_bytes = sizeof head + size_bytes;
    replace(&program->image, malloc(program->image_bytes));
    memcpy(program->image, &head, sizeof head);
    memcpy(program->image + sizeof head, library, size_bytes);
}

static nvrtcResult compile_in(stand_in_program *program, const char *folder,
                              const emulated_key *key, size_t option_count,
                              const char *const *options)
{
    size_t size_bytes;
    if (!write_texts(program, folder))
        return fail(program, ERROR_INTERNAL, "cannot write to ", folder);
    if (!preprocess(program, folder, option_count, options))
        return NVRTC_ERROR_COMPILATION;
    char *text = read_file(folder, "kernel.i", &size_bytes);
    char *whole = text != NULL ? add_wrappers(text) : NULL;
    free(text);
    if (whole == NULL)
        return fail(program, NVRTC_ERROR_COMPILATION, "an LC_KERNEL that is none", "");
    bool written = write_file(folder, "kernel.i", whole);
    free(whole);
    if (!written)
        return fail(program, ERROR_INTERNAL, "cannot write to ", folder);
    if (!compile(folder))
        return NVRTC_ERROR_COMPILATION;
    char *library = read_file(folder, "kernel.so", &size_bytes);
    if (library == NULL)
        return fail(program, ERROR_INTERNAL, "there is no library in ", folder);
    set_image(program, library, size_bytes);
    emulated_keep(key, library, size_bytes);
    free(library);
    return NVRTC_SUCCESS;
}

// FAKE_MISCOMPILE=this=>that: the first "this" of each text is compiled as "that".
static void miscompile(char **text)
{
    const char *plan = getenv("FAKE_MISCOMPILE");
    const char *that = plan != NULL ? strstr(plan, "=>") : NULL;
    if (that == NULL)
        return;
    const size_t length = (size_t)(that - plan);
    char *wrong = NULL;
    for (char *at = *text; *at != '\0' && wrong == NULL; at++) {
        if (strncmp(at, plan, length) != 0)
            continue;
        const size_t before = (size_t)(at - *text);
        wrong = malloc(strlen(*text) + strlen(that));
        sprintf(wrong, "%.*s%s%s", (int)before, *text, that + 2, at + length);
    }
    if (wrong != NULL)
        replace(text, wrong);
}

nvrtcResult stand_in_compile(stand_in_program *program, size_t option_count,
                             const char *const *options)
{
    if (option_count > MOST_OPTIONS)
        return ERROR_INVALID_OPTION;
    miscompile(&program->text);
    for (size_t i = 0; i < program->header_count; i++)
        miscompile(&program->headers[i]);
    for (size_t i = 0; i < option_count; i++)
        if (strncmp(options[i], "-D", 2) != 0 && !is_ignored(options[i]))
            return fail(program, ERROR_INVALID_OPTION, "unrecognized option ", options[i]);
    size_t kept_bytes;
    const emulated_key key = emulated_key_of(program, option_count, options);
    char *kept = emulated_kept_read(&key, &kept_bytes);
    if (kept != NULL) {
        set_image(program, kept, kept_bytes);
        free(kept);
        return NVRTC_SUCCESS;
    }
    char folder[256];
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/lightcone-nvrtc-XXXXXX", where != NULL ? where : "/tmp");
    if (mkdtemp(folder) == NULL)
        return fail(program, ERROR_INTERNAL, "cannot make the folder ", folder);
    nvrtcResult result = compile_in(program, folder, &key, option_count, options);
    size_t log_bytes;
    char *log = read_file(folder, "log", &log_bytes);
    if (log != NULL && log_bytes > 0)
        replace(&program->log, log);
    else
        free(log);
    remove_folder(program, folder);
    return result;
}
