#include "bench_model.h"

#include <stdio.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "shared_context.h"

enum {
    LEAST_ROWS = 64, // the smallest number of rows of a measured slab
    ENGINE_BYTES = 320,
    MOST_DEVICES = 1 << 30,
    MOST_PASSES = 1024, // per message
};

void lc_bench_model_begin(lc_bench_model *model)
{
    *model = (lc_bench_model){.options = {.passes_a_message = 1}};
}

void lc_bench_model_end(lc_bench_model *model)
{
    lc_model_end(&model->model);
}

// Options -----------------------------------------------------------------------------------------

static const char *take_number(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t value;
    const char *wrong = lc_cli_parse_u64(text, &value);
    if (wrong != NULL)
        return wrong;
    if (value == 0)
        return "must be at least 1";
    if (value > most)
        return "is too large";
    *number = value;
    return NULL;
}

const char *lc_bench_model_number(const char *text, void *to)
{
    return take_number(text, MOST_DEVICES, to);
}

const char *lc_bench_model_passes(const char *text, void *to)
{
    return take_number(text, MOST_PASSES, to);
}

const char *lc_bench_model_link(const char *text, void *to)
{
    lc_link *link = to;
    uint64_t rate, latency_ns;
    const char *wrong = lc_cli_parse_link(text, &rate, &latency_ns);
    if (wrong == NULL)
        *link = (lc_link){(double)latency_ns / 1e9, (double)rate};
    return wrong;
}

static const char *take_board(lc_model_options *o, const char *word)
{
    int64_t width, height;
    const char *wrong = lc_cli_parse_size(word, &width, &height);
    if (wrong != NULL)
        return wrong;
    if (width <= 0 || height <= 0)
        return "must be bounded in both directions";
    if (o->board_count == LC_MODEL_BOARDS_MAX)
        return "has too many boards";
    o->boards[o->board_count++] = (lc_scale_board){(double)width, (double)height};
    return NULL;
}

static const char *take_count(lc_model_options *o, const char *word)
{
    uint64_t count = 0;
    const char *wrong = take_number(word, MOST_DEVICES, &count);
    if (wrong != NULL)
        return wrong;
    if (o->count_count == LC_MODEL_COUNTS_MAX)
        return "has too many numbers";
    if (o->count_count > 0 && count <= o->counts[o->count_count - 1])
        return "must be ascending";
    o->counts[o->count_count++] = count;
    return NULL;
}

static const char *take_words(lc_model_options *o, const char *text,
                              const char *(*take)(lc_model_options *, const char *))
{
    for (;;) {
        char word[96];
        const size_t length = strcspn(text, ",");
        if (length == 0)
            return "has an empty word in its list";
        if (length >= sizeof word)
            return "has a word that is too long";
        memcpy(word, text, length);
        word[length] = '\0';
        const char *wrong = take(o, word);
        if (wrong != NULL || text[length] == '\0')
            return wrong;
        text += length + 1;
    }
}

const char *lc_bench_model_boards(const char *text, void *to)
{
    lc_model_options *o = to;
    o->board_count = 0;
    return take_words(o, text, take_board);
}

const char *lc_bench_model_counts(const char *text, void *to)
{
    lc_model_options *o = to;
    o->count_count = 0;
    return take_words(o, text, take_count);
}

const char *lc_bench_model_facts(const char *text, void *to)
{
    lc_bench_model *model = to;
    if (text[0] == '\0')
        return "must not be empty";
    if (model->file_count == LC_BENCH_FACTS_MAX)
        return "are too many files";
    model->files[model->file_count++] = text;
    return NULL;
}

int lc_bench_model_check(const lc_bench_model *model, const lc_bench_arguments *arguments)
{
    const lc_bench_lists *l = &arguments->lists;
    if (!model->wanted && model->needs != NULL)
        return lc_cli_usage("bench", "--%s needs --model", model->needs);
    if (model->wanted && arguments->against != NULL)
        return lc_cli_usage("bench", "--model conflicts with --against; remove one of them");
    if (model->file_count > 0 && l->engine_count + l->level_count + l->size_count + l->rule_count +
                                         l->topology_count + l->thread_count >
                                     0)
        return lc_cli_usage("bench", "--facts replaces measurements; remove --engine, --cpu, "
                                     "--size, --rule, --topology and --threads, or use --board");
    return LC_EXIT_OK;
}

// The boards to measure ---------------------------------------------------------------------------

// Returns the engine's text with a setting appended. The lists own the returned text. Returns NULL
// if out of memory.
static const char *with_setting(lc_bench_lists *lists, const char *engine, const char *setting)
{
    char text[ENGINE_BYTES];
    (void)snprintf(text, sizeof text, "%.200s%c%s", engine, strchr(engine, ':') != NULL ? ',' : ':',
                   setting);
    return lc_bench_add_engine(lists, text) ? lists->engines[lists->engine_count - 1] : NULL;
}

static int add_boards(lc_bench_arguments *arguments, const lc_bench_configuration *whole,
                      const char *slab_engine)
{
    lc_bench_configuration slab = *whole;
    slab.engine = slab_engine;
    int code = lc_bench_add(arguments, *whole);
    for (int64_t rows = whole->topology.height_cells; rows >= 1 && code == LC_EXIT_OK; rows /= 2) {
        slab.topology.height_cells = rows;
        code = lc_bench_add(arguments, slab);
        if (rows / 2 < LEAST_ROWS)
            break;
    }
    return code;
}

int lc_bench_model_add(lc_bench_arguments *arguments, lc_bench_configuration whole)
{
    lc_bench_lists *lists = &arguments->lists;
    lc_bench_configuration resolved = whole;
    lc_engine_info info;
    lc_message message;
    const lc_status status = lc_bench_resolve(&resolved, lc_cli_context(), &message);
    if (status != LC_OK)
        return lc_cli_refuse(arguments->command, status, &message);
    whole.engine = resolved.engine;
    const bool gpu = lc_engine_named(lc_cli_context(), whole.engine, &info) && info.on_gpu;
    const char *slab = with_setting(lists, whole.engine, "blocks=1");
    // Without settled=no, the engine skips settled areas, so each run would be faster than the
    // previous run.
    if (gpu && strchr(whole.engine, ':') == NULL)
        whole.engine = with_setting(lists, whole.engine, "settled=no");
    if (slab == NULL || whole.engine == NULL)
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    return add_boards(arguments, &whole, slab);
}

int lc_bench_model_prepare(lc_bench_model *model, lc_bench_arguments *arguments)
{
    const int64_t side = arguments->options.verify.quick ? 16384 : 65536;
    lc_bench_lists *lists = &arguments->lists;
    lc_model_begin(&model->model, &model->options);
    arguments->model = &model->model;
    arguments->options.company = true;
    for (size_t i = 0; i < model->file_count; i++) {
        lc_message message = {.line = 0};
        const lc_status status = lc_model_read(&model->model, model->files[i], &message);
        if (status != LC_OK)
            return lc_cli_report(model->files[i], status, &message);
    }
    if (model->file_count == 0 && lists->size_count == 0 &&
        !lc_bench_add_size(lists, (lc_bench_size){side, side}))
        return lc_cli_report(NULL, LC_ERROR_MEMORY, NULL);
    return LC_EXIT_OK;
}
