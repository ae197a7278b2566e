// Lists of engines, CPU levels, sizes, rules, topologies and numbers of threads on the command
// line.
#include "bench_lists.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "number.h"
#include "shape.h"
#include "shared_context.h"

static const char no_memory[] = "has more words than there is memory for";

// Adding -----------------------------------------------------------------------------------------

// Makes room for one more item in an array. Returns the array, which may have moved, or NULL if out
// of memory. The capacity doubles whenever the count is a power of two.
static void *grown(void *items, size_t count, size_t item_bytes)
{
    if (count != 0 && (count & (count - 1)) != 0)
        return items;
    return realloc(items, (count != 0 ? 2 * count : 1) * item_bytes);
}

static bool add_text(char ***list, size_t *count, const char *text)
{
    char **larger = grown(*list, *count, sizeof *larger);
    char *copy = strdup(text);
    if (larger != NULL)
        *list = larger;
    if (larger == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    larger[(*count)++] = copy;
    return true;
}

bool lc_bench_add_engine(lc_bench_lists *lists, const char *name)
{
    return add_text(&lists->engines, &lists->engine_count, name);
}

bool lc_bench_add_level(lc_bench_lists *lists, const char *name)
{
    return add_text(&lists->levels, &lists->level_count, name);
}

bool lc_bench_add_size(lc_bench_lists *lists, lc_bench_size size)
{
    lc_bench_size *larger = grown(lists->sizes, lists->size_count, sizeof *larger);
    if (larger == NULL)
        return false;
    lists->sizes = larger;
    larger[lists->size_count++] = size;
    return true;
}

bool lc_bench_add_rule(lc_bench_lists *lists, const char *text)
{
    const lc_rule **larger = grown(lists->rules, lists->rule_count, sizeof *larger);
    if (larger == NULL)
        return false;
    lists->rules = larger;
    if (lc_rule_parse(text, &larger[lists->rule_count], NULL, NULL) != LC_OK)
        return false;
    lists->rule_count++;
    return true;
}

bool lc_bench_add_topology(lc_bench_lists *lists, lc_topology_kind kind)
{
    lc_topology_kind *larger = grown(lists->topologies, lists->topology_count, sizeof *larger);
    if (larger == NULL)
        return false;
    lists->topologies = larger;
    larger[lists->topology_count++] = kind;
    return true;
}

bool lc_bench_add_threads(lc_bench_lists *lists, int threads)
{
    int *larger = grown(lists->threads, lists->thread_count, sizeof *larger);
    if (larger == NULL)
        return false;
    lists->threads = larger;
    larger[lists->thread_count++] = threads;
    return true;
}

void lc_bench_lists_free(lc_bench_lists *lists)
{
    for (size_t i = 0; i < lists->engine_count; i++)
        free(lists->engines[i]);
    for (size_t i = 0; i < lists->level_count; i++)
        free(lists->levels[i]);
    free(lists->engines);
    free(lists->levels);
    for (size_t i = 0; i < lists->rule_count; i++)
        lc_rule_release(&lists->rules[i]);
    free(lists->sizes);
    free(lists->rules);
    free(lists->topologies);
    free(lists->threads);
    *lists = (lc_bench_lists){.engines = NULL};
}

// Words ------------------------------------------------------------------------------------------

static const char *take_level(lc_bench_lists *lists, const char *word)
{
    lc_cpu_level_info info;
    if (strcmp(word, "all") != 0) {
        bool found = strcmp(word, "auto") == 0;
        for (size_t i = 0; !found && lc_cpu_level_at(i, &info); i++)
            found = strcmp(word, info.name) == 0;
        if (!found)
            return "is an unknown CPU level; 'lightcone devices' lists them";
        return lc_bench_add_level(lists, word) ? NULL : no_memory;
    }
    for (size_t i = 0; lc_cpu_level_at(i, &info); i++)
        if (info.available && !lc_bench_add_level(lists, info.name))
            return no_memory;
    return NULL;
}

static const char *take_engine(lc_bench_lists *lists, const char *word)
{
    if (strcmp(word, "all") != 0)
        return lc_bench_add_engine(lists, word) ? NULL : no_memory;
    lc_engine_info info;
    for (size_t i = 0; lc_engine_at(lc_cli_context(), i, &info); i++)
        if (info.available && !info.infinite_only && !lc_bench_add_engine(lists, info.name))
            return no_memory;
    return NULL;
}

static const char *take_size(lc_bench_lists *lists, const char *word)
{
    lc_bench_size size;
    const char *wrong = lc_cli_parse_size(word, &size.width, &size.height);
    if (wrong != NULL)
        return wrong;
    if (size.width <= 0 || size.height <= 0)
        return "must be bounded in both directions";
    return lc_bench_add_size(lists, size) ? NULL : no_memory;
}

static const char *take_rule(lc_bench_lists *lists, const char *word)
{
    static char wrong[352];
    lc_topology topology;
    lc_message message;
    const lc_status status = lc_rule_parse(word, NULL, &topology, &message);
    if (status != LC_OK) {
        lc_cli_suggest_rule(word, status, &message);
        snprintf(wrong, sizeof wrong, "column %" PRIu64 ": %s", message.column, message.text);
        return wrong;
    }
    if (topology.kind != LC_TOPOLOGY_PLANE || topology.width_cells != 0 ||
        topology.height_cells != 0)
        return "has a topology suffix, which is not accepted here; use --topology and --size";
    return lc_bench_add_rule(lists, word) ? NULL : no_memory;
}

static const char *take_topology(lc_bench_lists *lists, const char *word)
{
    static const struct {
        const char *letter;
        lc_topology_kind kind;
    } letters[] = {
        {"T", LC_TOPOLOGY_TORUS},        {"P", LC_TOPOLOGY_PLANE},
        {"K", LC_TOPOLOGY_KLEIN_BOTTLE}, {"C", LC_TOPOLOGY_CROSS_SURFACE},
        {"S", LC_TOPOLOGY_SPHERE},
    };
    static char wrong[64];
    lc_topology_kind kind;
    bool found = lc_cli_topology_word(word, &kind);
    for (size_t i = 0; !found && i < sizeof letters / sizeof *letters; i++) {
        found = strcasecmp(word, letters[i].letter) == 0;
        kind = letters[i].kind;
    }
    if (found)
        return lc_bench_add_topology(lists, kind) ? NULL : no_memory;
    const char *meant = lc_cli_nearest_topology(word);
    if (meant == NULL)
        return "is an unknown topology; topologies are torus, plane, klein, cross and sphere";
    snprintf(wrong, sizeof wrong, "is an unknown topology; did you mean \"%s\"?", meant);
    return wrong;
}

static const char *take_threads(lc_bench_lists *lists, const char *word)
{
    uint64_t value = 0;
    const char *wrong = strcmp(word, "all") == 0 ? NULL : lc_cli_parse_u64(word, &value);
    if (wrong != NULL)
        return wrong;
    if (value > INT_MAX)
        return "is too large";
    return lc_bench_add_threads(lists, (int)value) ? NULL : no_memory;
}

// Texts ------------------------------------------------------------------------------------------

static size_t word_length(const char *text)
{
    return strcspn(text, ",");
}

// Returns how many characters of the text belong to the first engine and its settings.
static size_t engine_length(const char *text)
{
    size_t length = word_length(text);
    if (memchr(text, ':', length) == NULL)
        return length;
    while (text[length] == ',') {
        const char *next = text + length + 1;
        const size_t more = word_length(next);
        if (memchr(next, '=', more) == NULL || memchr(next, ':', more) != NULL)
            break;
        length += 1 + more;
    }
    return length;
}

static const char *take_words(lc_bench_lists *lists, const char *text,
                              size_t (*length_of)(const char *text),
                              const char *(*take)(lc_bench_lists *, const char *))
{
    for (;;) {
        const size_t length = length_of(text);
        if (length == 0)
            return "has an empty word in its list";
        char *word = strndup(text, length);
        const char *wrong = word != NULL ? take(lists, word) : no_memory;
        free(word);
        if (wrong != NULL || text[length] == '\0')
            return wrong;
        text += length + 1;
    }
}

const char *lc_bench_take_engines(const char *text, void *to)
{
    return take_words(to, text, engine_length, take_engine);
}

const char *lc_bench_take_levels(const char *text, void *to)
{
    return take_words(to, text, word_length, take_level);
}

const char *lc_bench_take_sizes(const char *text, void *to)
{
    return take_words(to, text, word_length, take_size);
}

const char *lc_bench_take_rules(const char *text, void *to)
{
    return take_words(to, text, word_length, take_rule);
}

const char *lc_bench_take_topologies(const char *text, void *to)
{
    return take_words(to, text, word_length, take_topology);
}

const char *lc_bench_take_threads(const char *text, void *to)
{
    return take_words(to, text, word_length, take_threads);
}
