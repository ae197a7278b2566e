// `lightcone devices`: lists the engines, CPU levels and GPUs of this machine, and marks the ones
// used by default.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"
#include "json.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "shared_context.h"

// Returns the index of the engine that "auto" selects for universes of every size.
static size_t used_engine(void)
{
    lc_engine_info info;
    size_t i = 0;
    while (lc_engine_at(lc_cli_context(), i, &info) && (!info.available || info.auto_cells > 0))
        i++;
    return i;
}

// Prints 13000 as "13.0" and 0 as null.
static void print_version(lc_json *json, const char *key, int version)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    lc_json_string(json, key, version > 0 ? text : NULL);
}

static void print_gpus_for_machines(lc_json *json)
{
    lc_message message = {.text = ""};
    lc_gpu_info gpu;
    size_t count;
    lc_status status = lc_gpu_count(lc_cli_context(), &count, &message);
    lc_json_open_array(json, "gpus");
    for (size_t i = 0; lc_gpu_at(lc_cli_context(), i, &gpu); i++) {
        lc_json_open_object(json, NULL);
        lc_json_string(json, "name", gpu.name);
        lc_json_u64(json, "memory_bytes", gpu.memory_bytes);
        lc_json_i64(json, "multiprocessors", gpu.multiprocessors);
        lc_json_i64(json, "architecture", gpu.architecture);
        lc_json_i64(json, "clock_khz", gpu.clock_khz);
        lc_json_u64(json, "l2_bytes", gpu.l2_bytes);
        print_version(json, "driver_cuda", gpu.driver_version);
        print_version(json, "nvrtc", gpu.nvrtc_version);
        lc_json_bool(json, "available", gpu.available);
        lc_json_string(json, "reason", gpu.reason);
        lc_json_close_object(json);
    }
    lc_json_close_array(json);
    lc_json_string(json, "no_gpu_reason", status == LC_OK ? NULL : message.text);
}

static void print_gpus_for_people(void)
{
    char bytes[LC_CLI_NUMBER_BYTES];
    lc_message message = {.text = ""};
    lc_gpu_info gpu;
    size_t count;
    puts("\nGPUs");
    if (lc_gpu_count(lc_cli_context(), &count, &message) != LC_OK)
        printf("  none: %s\n", message.text);
    for (size_t i = 0; lc_gpu_at(lc_cli_context(), i, &gpu); i++) {
        printf("  %-2zu %s", i, gpu.name);
        if (gpu.architecture > 0) {
            printf(": %s, %d multiprocessors, compute capability %d.%d",
                   lc_cli_format_bytes(gpu.memory_bytes, bytes), gpu.multiprocessors,
                   gpu.architecture / 10, gpu.architecture % 10);
            printf("\n     %d MHz, L2 %s, driver for CUDA %d.%d", gpu.clock_khz / 1000,
                   lc_cli_format_bytes(gpu.l2_bytes, bytes), gpu.driver_version / 1000,
                   gpu.driver_version % 1000 / 10);
        }
        if (gpu.nvrtc_version > 0)
            printf(", NVRTC %d.%d", gpu.nvrtc_version / 1000, gpu.nvrtc_version % 1000 / 10);
        printf("\n     %s%s\n", gpu.available ? "available" : "not available: ", gpu.reason);
    }
}

static void print_for_machines(const lc_machine *machine)
{
    lc_json json = {.file = stdout};
    lc_engine_info engine;
    lc_cpu_level_info level;
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "version", lc_version());
    lc_json_string(&json, "cpu_model", machine->cpu_model);
    lc_json_i64(&json, "threads", machine->threads);
    lc_json_u64(&json, "memory_bytes", machine->memory_bytes);
    lc_json_u64(&json, "l1_data_bytes", machine->l1_data_bytes);
    lc_json_u64(&json, "l2_bytes", machine->l2_bytes);
    lc_json_open_array(&json, "engines");
    for (size_t i = 0; lc_engine_at(lc_cli_context(), i, &engine); i++) {
        lc_json_open_object(&json, NULL);
        lc_json_string(&json, "name", engine.name);
        lc_json_string(&json, "summary", engine.summary);
        lc_json_bool(&json, "available", engine.available);
        lc_json_bool(&json, "used", i == used_engine());
        lc_json_string(&json, "reason", engine.reason);
        if (engine.auto_cells < UINT64_MAX)
            lc_json_u64(&json, "auto_cells", engine.auto_cells);
        else
            lc_json_null(&json, "auto_cells");
        lc_json_close_object(&json);
    }
    lc_json_close_array(&json);
    lc_json_open_array(&json, "cpu_levels");
    for (size_t i = 0; lc_cpu_level_at(i, &level); i++) {
        lc_json_open_object(&json, NULL);
        lc_json_string(&json, "name", level.name);
        lc_json_i64(&json, "vector_bits", level.vector_bits);
        if (level.gates_per_word > 0)
            lc_json_i64(&json, "gates_per_word", level.gates_per_word);
        else // the level belongs to another CPU architecture
            lc_json_null(&json, "gates_per_word");
        lc_json_bool(&json, "available", level.available);
        lc_json_bool(&json, "used", level.best);
        lc_json_string(&json, "reason", level.reason);
        lc_json_close_object(&json);
    }
    lc_json_close_array(&json);
    print_gpus_for_machines(&json);
    lc_json_close_object(&json);
}

static void print_for_people(const lc_machine *machine)
{
    char a[LC_CLI_NUMBER_BYTES];
    char b[LC_CLI_NUMBER_BYTES];
    lc_engine_info engine;
    lc_cpu_level_info level;
    printf("CPU       %s\n", machine->cpu_model[0] != '\0' ? machine->cpu_model : "unknown model");
    printf("threads   %d (default of --threads)\n", machine->threads);
    if (machine->memory_bytes > 0) {
        printf("memory    %s; a universe may use %s (--max-memory)\n",
               lc_cli_format_bytes(machine->memory_bytes, a),
               lc_cli_format_bytes(machine->memory_bytes / 2, b));
    } else {
        puts("memory    unknown");
    }
    printf("caches    L1 %s, L2 %s\n", lc_cli_format_bytes(machine->l1_data_bytes, a),
           lc_cli_format_bytes(machine->l2_bytes, b));

    puts("\nengines (--engine)");
    for (size_t i = 0; lc_engine_at(lc_cli_context(), i, &engine); i++) {
        printf("%c %-10s %s\n", i == used_engine() ? '*' : ' ', engine.name, engine.summary);
        printf("             %s%s",
               engine.available ? "available; " : "not available: ", engine.reason);
        if (engine.available && engine.auto_cells > 0 && engine.auto_cells < UINT64_MAX)
            printf("; default from %s cells", lc_cli_format_u64(engine.auto_cells, a));
        putchar('\n');
    }

    puts("\nCPU levels (--cpu)");
    for (size_t i = 0; lc_cpu_level_at(i, &level); i++) {
        printf("%c %-10s %3d bits", level.best ? '*' : ' ', level.name, level.vector_bits);
        if (level.gates_per_word > 0)
            printf(", %2d operations per word", level.gates_per_word);
        printf("; %s%s\n",
               level.best        ? "available, fastest"
               : level.available ? "available"
                                 : "not available: ",
               level.available ? "" : level.reason);
    }
    puts("\n* default. On unbounded universes \"auto\" starts with sparse or hashlife.");
    print_gpus_for_people();
}

int lc_cli_devices(int argc, char **argv)
{
    lc_machine machine;
    bool json = false;
    int code;
    const lc_cli_option options[] = {{0, "json", NULL, .given = &json}, {0}};
    const lc_cli_syntax syntax = {
        .command = "devices", .help = lc_help_devices, .options = options};
    if (!lc_cli_parse(&syntax, argc, argv, &code))
        return code;
    lc_machine_get(&machine);
    (json ? print_for_machines : print_for_people)(&machine);
    return LC_EXIT_OK;
}
