#include "census/gpu_soups.h"

#include <string.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "census/gliders.h"
#include "kernels/census_job.h"
#include "logic/network.h"

enum {
    LANES = 32,
    GROUPS_MAX = 1 << 17, // that the GPU knows; the host names further ones each time
    SLOTS = 2 * GROUPS_MAX,
    RECORDS_MAX = 1 << 18,
    // Soups of the first batch, in which each group is new, and how fast batches grow.
    FIRST_SOUPS = 4096,
    GROWTH = 8,
    PERIOD_LIMIT = 1024, // of groups, as in soup_census.c
    DIGEST_BYTES = 32,
    ROWS_BYTES = LC_CENSUS_GROUP_ROWS * sizeof(lc_word),
    COUNTERS_BYTES = LC_CENSUS_COUNTERS * sizeof(lc_u64),
};

static const char glider_name[] = "xq4_153";

// A kernel that takes soups, with blocks of cells of one size.
typedef struct census_pass {
    lc_module *module;
    lc_kernel kernel;
    uint32_t grid; // blocks of threads, at most
    uint64_t memory_bytes;
} census_pass;

// Memory for soups that are under way.
typedef struct batch {
    lc_device_stream *stream;
    lc_device_address memory[LC_CENSUS_PASSES], digests, slots, counts, records, left, counters;
    lc_number_range range;
    uint32_t groups; // that the GPU knew
} batch;

typedef struct kind_facts {
    bool has_samples; // the census has all samples that it can have
    double rate;      // objects in a soup of the last batch
} kind_facts;

struct lc_gpu_soups {
    lc_device *device;
    lc_kernel_text *texts;
    char rule_text[LC_NETWORKS_TEXT_BYTES];
    census_pass passes[LC_CENSUS_PASSES];
    lc_kernel digest;
    uint32_t soups_max;
    lc_census_job job; // without its soups
    lc_census_text text;
    lc_object_names names;
    uint32_t glider_kind;
    // Known groups: the hash table, the cells, and the objects of each.
    lc_census_slot *slots;
    lc_word *rows;
    lc_named_list *objects;
    uint32_t group_count, uploaded;
    lc_device_address device_rows;
    lc_named_list glider;
    lc_named_list unknown; // objects of a group that is not known
    lc_word *counts;
    lc_census_record *records;
    uint32_t *left;    // by each pass
    kind_facts *facts; // of the kinds of `names`
    size_t facts_room;
    uint64_t last_soups; // of the last batch; 0: there was none
    batch batches[LC_GPU_BATCHES];
};

bool lc_gpu_soups_can(const lc_rule *rule, const lc_soup_source *source, const char **why)
{
    lc_counts counts;
    *why = NULL;
    if (!lc_rule_counts(rule, &counts))
        *why = "GPUs take soups of rules by counts only";
    else if (source->symmetry_text[0] == '\0')
        *why = "GPUs take soups from a seed only";
    if (*why != NULL)
        return false;
    const lc_soup_plan plan =
        lc_symmetry_plan(&source->symmetry, source->seed, strlen(source->seed));
    if (plan.width << plan.doublings > LC_CENSUS_SOUP_CELLS ||
        plan.height << plan.doublings > LC_CENSUS_SOUP_CELLS)
        *why = "GPUs take soups of at most 384 cells a side";
    return *why == NULL;
}

// Creation ---------------------------------------------------------------------------------------

static void set_text(lc_census_text *text, const char *seed)
{
    text->bytes = (int)strlen(seed);
    for (int i = 0; i < text->bytes; i++)
        lc_sha256_put(text->words, i, (unsigned char)seed[i]);
}

static lc_status compile(lc_gpu_soups *g, const lc_rule *rule, lc_context *context,
                         lc_message *message)
{
    const char *const options[LC_CENSUS_PASSES] = {"-DLC_CENSUS_PASS=0", "-DLC_CENSUS_PASS=1"};
    lc_kernel_source sources[LC_CENSUS_PASSES];
    lc_module_work *works[LC_CENSUS_PASSES] = {NULL};
    lc_counts counts = {0};
    (void)lc_rule_counts(rule, &counts);
    lc_networks_print(g->rule_text, counts, lc_rule_traits(rule)->text, lc_context_cache(context));
    lc_status status = lc_kernel_texts_for_rule(&g->texts, g->rule_text, message);
    for (int i = 0; i < LC_CENSUS_PASSES && status == LC_OK; i++) {
        sources[i] = (lc_kernel_source){"census.cu", g->texts, &options[i], 1};
        status = lc_module_begin(&works[i], g->device, &sources[i], message);
    }
    for (int i = 0; i < LC_CENSUS_PASSES; i++) {
        lc_message why = {0};
        const lc_status ended =
            works[i] == NULL ? LC_OK : lc_module_end(&g->passes[i].module, &works[i], &why);
        if (status == LC_OK && ended != LC_OK)
            status = lc_fail(message, ended, "%s", why.text);
    }
    return status;
}

static lc_status find_kernels(lc_gpu_soups *g, lc_message *message)
{
    const uint64_t warp_bytes[LC_CENSUS_PASSES] = {LC_CENSUS_WARP_WORDS(0) * sizeof(lc_word),
                                                   LC_CENSUS_WARP_WORDS(1) * sizeof(lc_word)};
    const uint32_t multiprocessors = (uint32_t)lc_device_facts_of(g->device)->multiprocessors;
    lc_status status = lc_kernel_find(&g->digest, g->passes[0].module, "digest", message);
    for (int i = 0; i < LC_CENSUS_PASSES && status == LC_OK; i++) {
        census_pass *pass = &g->passes[i];
        int blocks = 1;
        status = lc_kernel_find(&pass->kernel, pass->module, "census", message);
        if (status == LC_OK && i == 0)
            status = lc_kernel_occupancy(&pass->kernel, LC_CENSUS_THREADS, 0, &blocks, message);
        // The second pass runs beside the first one of another batch, and has few soups.
        pass->grid = (blocks > 0 ? (uint32_t)blocks : 1) * multiprocessors;
        pass->memory_bytes = (uint64_t)pass->grid * (LC_CENSUS_THREADS / LANES) * warp_bytes[i];
    }
    return status;
}

static lc_status allocate_batch(lc_gpu_soups *g, batch *b, lc_message *message)
{
    const uint64_t soups = g->soups_max;
    const struct {
        lc_device_address *to;
        uint64_t size_bytes;
    } parts[] = {{&b->memory[0], g->passes[0].memory_bytes},
                 {&b->memory[1], g->passes[1].memory_bytes},
                 {&b->digests, soups * DIGEST_BYTES},
                 {&b->slots, SLOTS * sizeof *g->slots},
                 {&b->counts, GROUPS_MAX * sizeof *g->counts},
                 {&b->records, RECORDS_MAX * sizeof *g->records},
                 {&b->left, LC_CENSUS_PASSES * soups * sizeof *g->left},
                 {&b->counters, COUNTERS_BYTES}};
    lc_status status = lc_device_stream_create(g->device, &b->stream, message);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == LC_OK; i++)
        status = lc_device_alloc(g->device, "a census", parts[i].size_bytes, parts[i].to, message);
    for (int i = 0; i < LC_CENSUS_PASSES && status == LC_OK; i++)
        status = lc_device_fill(g->device, b->memory[i], 0, g->passes[i].memory_bytes, b->stream,
                                message);
    return status;
}

static lc_status allocate(lc_gpu_soups *g, lc_message *message)
{
    const struct {
        void **to;
        size_t size_bytes;
    } parts[] = {{(void **)&g->slots, SLOTS * sizeof *g->slots},
                 {(void **)&g->rows, GROUPS_MAX * (size_t)ROWS_BYTES},
                 {(void **)&g->objects, GROUPS_MAX * sizeof *g->objects},
                 {(void **)&g->counts, GROUPS_MAX * sizeof *g->counts},
                 {(void **)&g->records, RECORDS_MAX * sizeof *g->records},
                 {(void **)&g->left, LC_CENSUS_PASSES * g->soups_max * sizeof *g->left}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i].to = lc_calloc(1, parts[i].size_bytes);
        if (*parts[i].to == NULL)
            return lc_fail_memory(message, "a census on a GPU");
    }
    lc_status status = lc_device_alloc(g->device, "the known groups",
                                       GROUPS_MAX * (uint64_t)ROWS_BYTES, &g->device_rows, message);
    for (int i = 0; i < LC_GPU_BATCHES && status == LC_OK; i++)
        status = allocate_batch(g, &g->batches[i], message);
    return status;
}

static lc_status prepare_names(lc_gpu_soups *g, const lc_rule *rule, lc_context *context,
                               lc_message *message)
{
    const lc_status status = lc_object_names_init(&g->names, rule, context, message);
    if (status != LC_OK)
        return status;
    g->glider_kind = lc_kinds_number(&g->names.kinds, glider_name);
    g->job.takes_gliders = lc_gliders_lead(&g->names.fates.rule);
    g->job.groups_are_square = g->names.fates.rule.groups_are_square;
    if (g->glider_kind == UINT32_MAX || !lc_named_add(&g->glider, g->glider_kind, 1))
        return lc_fail_memory(message, "a census");
    return LC_OK;
}

lc_status lc_gpu_soups_create(lc_gpu_soups **out, lc_device *device, const lc_rule *rule,
                              const lc_soup_source *source, uint32_t soups_max, lc_context *context,
                              lc_message *message)
{
    lc_gpu_soups *g = lc_calloc(1, sizeof *g);
    *out = g;
    if (g == NULL)
        return lc_fail_memory(message, "a census on a GPU");
    g->device = device;
    g->soups_max = soups_max;
    set_text(&g->text, source->seed);
    g->job.slot_mask = SLOTS - 1;
    g->job.records_max = RECORDS_MAX;
    g->job.plan = lc_symmetry_plan(&source->symmetry, source->seed, strlen(source->seed));
    lc_status status = prepare_names(g, rule, context, message);
    if (status == LC_OK)
        status = compile(g, rule, context, message);
    if (status == LC_OK)
        status = find_kernels(g, message);
    if (status == LC_OK)
        status = allocate(g, message);
    if (status != LC_OK)
        lc_gpu_soups_destroy(out);
    return status;
}

static void free_batch(lc_gpu_soups *g, batch *b)
{
    lc_device_address *const parts[] = {&b->memory[0], &b->memory[1], &b->digests, &b->slots,
                                        &b->counts,    &b->records,   &b->left,    &b->counters};
    if (b->stream != NULL)
        (void)lc_device_synchronize(g->device, b->stream, NULL);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        lc_device_free(g->device, parts[i]);
    lc_device_stream_destroy(g->device, &b->stream);
}

void lc_gpu_soups_destroy(lc_gpu_soups **soups)
{
    lc_gpu_soups *g = *soups;
    *soups = NULL;
    if (g == NULL)
        return;
    for (int i = 0; i < LC_GPU_BATCHES; i++)
        free_batch(g, &g->batches[i]);
    lc_device_free(g->device, &g->device_rows);
    for (int i = 0; i < LC_CENSUS_PASSES; i++)
        lc_module_destroy(&g->passes[i].module);
    for (uint32_t i = 0; i < GROUPS_MAX && g->objects != NULL; i++)
        lc_free(g->objects[i].at);
    lc_object_names_free(&g->names);
    lc_free(g->texts);
    lc_free(g->slots);
    lc_free(g->rows);
    lc_free(g->objects);
    lc_free(g->glider.at);
    lc_free(g->unknown.at);
    lc_free(g->counts);
    lc_free(g->records);
    lc_free(g->left);
    lc_free(g->facts);
    lc_free(g);
}

// Known groups -----------------------------------------------------------------------------------

static lc_word hash_of(const lc_word rows[LC_CENSUS_GROUP_ROWS])
{
    lc_word hash = 0;
    for (lc_word i = 0; i < LC_CENSUS_GROUP_ROWS; i++)
        hash += lc_census_row_hash(rows[i], i);
    return hash;
}

// Returns where the group is in the table, or belongs.
static lc_census_slot *slot_of(const lc_gpu_soups *g, const lc_word rows[LC_CENSUS_GROUP_ROWS],
                               lc_word hash)
{
    lc_word i = hash & (SLOTS - 1);
    for (; g->slots[i].group != 0; i = (i + 1) & (SLOTS - 1)) {
        const lc_word number = (g->slots[i].group & ~LC_CENSUS_WANTED) - 1;
        const lc_word *known = g->rows + (size_t)number * LC_CENSUS_GROUP_ROWS;
        if (g->slots[i].hash == hash && memcmp(known, rows, ROWS_BYTES) == 0)
            break;
    }
    return &g->slots[i];
}

static void make_group(lc_group *group, const lc_word rows[LC_CENSUS_GROUP_ROWS])
{
    lc_word all = 0;
    *group = (lc_group){0};
    for (int i = 0; i < LC_CENSUS_GROUP_ROWS; i++) {
        group->rows[i] = rows[i];
        all |= rows[i];
        group->height = rows[i] != 0 ? i + 1 : group->height;
    }
    group->width = 32 - __builtin_clz(all);
}

// Sets *objects to those of a group, which becomes known if there is room. NULL: it does not repeat
// itself.
static lc_status find_objects(lc_gpu_soups *g, const lc_word rows[LC_CENSUS_GROUP_ROWS],
                              const lc_named_list **objects, lc_message *message)
{
    const lc_word hash = hash_of(rows);
    lc_census_slot *slot = slot_of(g, rows, hash);
    lc_group group;
    if (slot->group != 0) {
        *objects = &g->objects[(slot->group & ~LC_CENSUS_WANTED) - 1];
        return LC_OK;
    }
    lc_named_list *to = g->group_count < GROUPS_MAX ? &g->objects[g->group_count] : &g->unknown;
    make_group(&group, rows);
    to->count = 0;
    bool repeats;
    if (lc_name_repeating_group(to, &g->names, &group, PERIOD_LIMIT, &repeats) != LC_OK)
        return lc_fail_memory(message, "the objects of a soup");
    *objects = repeats ? to : NULL;
    if (!repeats || to == &g->unknown)
        return LC_OK;
    memcpy(g->rows + (size_t)g->group_count * LC_CENSUS_GROUP_ROWS, rows, ROWS_BYTES);
    *slot = (lc_census_slot){hash, ++g->group_count};
    return LC_OK;
}

// Makes room for the facts of each kind. New entries are 0.
static bool reserve_kinds(lc_gpu_soups *g)
{
    const size_t old = g->facts_room;
    if (!lc_grow(&g->facts, &g->facts_room, g->names.kinds.count, sizeof *g->facts))
        return false;
    for (size_t i = old; i < g->facts_room; i++)
        g->facts[i] = (kind_facts){0};
    return true;
}

lc_status lc_gpu_soups_prepare(lc_gpu_soups *g, const lc_kinds *counted, uint64_t first,
                               uint64_t *soups_max, lc_message *message)
{
    const lc_kinds *kinds = &g->names.kinds;
    double reports = 0; // in a soup
    if (!reserve_kinds(g))
        return lc_fail_memory(message, "a census");
    for (size_t i = 0; i < kinds->count; i++) {
        const lc_kind *kind = lc_kinds_find(counted, kinds->at[i].name);
        g->facts[i].has_samples = kind != NULL && kind->sample_count == LC_KIND_SAMPLES &&
                                  kind->samples[LC_KIND_SAMPLES - 1] < first;
        reports += g->facts[i].has_samples ? 0 : g->facts[i].rate;
    }
    const uint64_t grown = g->last_soups == 0 ? FIRST_SOUPS : g->last_soups * GROWTH;
    *soups_max = grown < g->soups_max ? grown : g->soups_max;
    if (reports * (double)*soups_max > RECORDS_MAX / 2)
        *soups_max = (uint64_t)(RECORDS_MAX / 2 / reports) + 1;
    return LC_OK;
}

static void mark_wanted_groups(lc_gpu_soups *g)
{
    for (size_t i = 0; i < SLOTS; i++) {
        lc_census_slot *slot = &g->slots[i];
        if (slot->group == 0)
            continue;
        slot->group &= ~LC_CENSUS_WANTED;
        const lc_named_list *objects = &g->objects[slot->group - 1];
        bool wanted = false;
        for (size_t k = 0; k < objects->count; k++)
            wanted |= !g->facts[objects->at[k].kind].has_samples;
        slot->group |= wanted ? LC_CENSUS_WANTED : 0;
    }
}

// Batches ----------------------------------------------------------------------------------------

static lc_status upload(lc_gpu_soups *g, batch *b, lc_message *message)
{
    const uint64_t from = (uint64_t)g->uploaded * ROWS_BYTES;
    const size_t rows_bytes = (size_t)(g->group_count - g->uploaded) * ROWS_BYTES;
    lc_status status = lc_device_upload(g->device, b->slots, g->slots, SLOTS * sizeof *g->slots,
                                        b->stream, message);
    if (status == LC_OK && rows_bytes > 0)
        status = lc_device_upload(g->device, g->device_rows + from, (const char *)g->rows + from,
                                  rows_bytes, b->stream, message);
    if (status == LC_OK)
        status = lc_device_fill(g->device, b->counts, 0, GROUPS_MAX * sizeof *g->counts, b->stream,
                                message);
    if (status == LC_OK)
        status = lc_device_fill(g->device, b->counters, 0, COUNTERS_BYTES, b->stream, message);
    // The other batch's kernel may start before these rows have arrived, but does not know them.
    if (status == LC_OK)
        status = lc_device_synchronize(g->device, b->stream, message);
    g->uploaded = g->group_count;
    return status;
}

lc_status lc_gpu_soups_start(lc_gpu_soups *g, int number, lc_number_range range,
                             lc_message *message)
{
    batch *b = &g->batches[number];
    lc_census_job job = g->job;
    mark_wanted_groups(g);
    b->range = range;
    b->groups = g->group_count;
    job.first = range.first;
    job.soups = (lc_word)(range.end - range.first);
    job.wants_gliders = !g->facts[g->glider_kind].has_samples;
    lc_status status = upload(g, b, message);
    void *to_digest[] = {&job, &g->text, &b->digests};
    lc_launch how = {.block = {LC_CENSUS_THREADS}, .stream = b->stream};
    const uint32_t blocks = (job.soups - 1) / (LC_CENSUS_THREADS / LANES) + 1;
    for (int i = 0; i < LC_CENSUS_PASSES && status == LC_OK; i++) {
        void *to_census[] = {&job,       &b->digests, &b->memory[i], &b->slots,   &g->device_rows,
                             &b->counts, &b->records, &b->left,      &b->counters};
        how.grid[0] = blocks < g->passes[i].grid ? blocks : g->passes[i].grid;
        if (i == 0)
            status = lc_kernel_launch(&g->digest, &how, to_digest, message);
        if (status == LC_OK)
            status = lc_kernel_launch(&g->passes[i].kernel, &how, to_census, message);
    }
    return status;
}

// Sets the bits of the soups that each pass has left.
static void mark_left(uint8_t *marks, const lc_gpu_soups *g, const lc_u64 *counters, size_t bytes)
{
    for (size_t i = 0; i < LC_CENSUS_PASSES; i++)
        for (lc_u64 k = 0; k < counters[LC_CENSUS_LEFT(i)]; k++) {
            const lc_word soup = g->left[i * g->soups_max + k];
            marks[i * bytes + soup / 8] |= (uint8_t)(1 << soup % 8);
        }
}

// Whether the pass that wrote a record has left the soup.
static bool is_left(const uint8_t *marks, size_t bytes, lc_word soup)
{
    const uint8_t *of_pass = (soup & LC_CENSUS_SECOND_PASS) != 0 ? marks + bytes : marks;
    soup &= ~LC_CENSUS_SECOND_PASS;
    return (of_pass[soup / 8] >> soup % 8 & 1) != 0;
}

// Adds what the records say: groups that were not known, and samples. Groups that do not repeat
// themselves are in soups that are left.
static lc_status add_records(lc_gpu_soups *g, const batch *b, size_t count, const lc_u64 *counters,
                             lc_message *message)
{
    const size_t bytes = (size_t)(b->range.end - b->range.first) / 8 + 1;
    lc_status status = LC_OK;
    uint8_t *left = lc_calloc(LC_CENSUS_PASSES, bytes);
    if (left == NULL)
        return lc_fail_memory(message, "a census");
    mark_left(left, g, counters, bytes);
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        const lc_census_record *record = &g->records[i];
        const lc_named_list *objects = NULL;
        const bool is_known = record->group != LC_CENSUS_GROUP_UNKNOWN;
        if (record->group == LC_CENSUS_GROUP_GLIDER)
            objects = &g->glider;
        else if (is_known)
            objects = &g->objects[record->group];
        else
            status = find_objects(g, record->rows, &objects, message);
        if (status != LC_OK || is_left(left, bytes, record->soup))
            continue;
        for (size_t k = 0; objects != NULL && k < objects->count; k++)
            lc_kinds_add(&g->names.kinds, objects->at[k].kind, is_known ? 0 : objects->at[k].count,
                         b->range.first + (record->soup & ~LC_CENSUS_SECOND_PASS));
    }
    lc_free(left);
    return status;
}

static void add_counts(lc_gpu_soups *g, const batch *b, uint64_t gliders)
{
    lc_kind *kinds = g->names.kinds.at;
    for (uint32_t i = 0; i < b->groups; i++)
        for (size_t k = 0; g->counts[i] != 0 && k < g->objects[i].count; k++) {
            const lc_named *object = &g->objects[i].at[k];
            kinds[object->kind].count += (uint64_t)g->counts[i] * object->count;
        }
    kinds[g->glider_kind].count += gliders;
}

static lc_status finish(lc_gpu_soups *g, int number, lc_gpu_batch_result *result,
                        lc_message *message)
{
    batch *b = &g->batches[number];
    lc_u64 counters[LC_CENSUS_COUNTERS];
    lc_status status =
        lc_device_download(g->device, counters, b->counters, COUNTERS_BYTES, b->stream, message);
    if (status == LC_OK)
        status = lc_device_synchronize(g->device, b->stream, message);
    if (status != LC_OK)
        return status;
    const size_t records = counters[LC_CENSUS_RECORDS] < RECORDS_MAX
                               ? (size_t)counters[LC_CENSUS_RECORDS]
                               : RECORDS_MAX;
    const size_t soups = (size_t)(b->range.end - b->range.first);
    const size_t left[LC_CENSUS_PASSES] = {(size_t)counters[LC_CENSUS_LEFT(0)],
                                           (size_t)counters[LC_CENSUS_LEFT(1)]};
    uint32_t *const left_last = g->left + g->soups_max;
    const struct {
        void *to;
        lc_device_address from;
        size_t size_bytes;
    } parts[] = {{g->counts, b->counts, b->groups * sizeof *g->counts},
                 {g->records, b->records, records * sizeof *g->records},
                 {g->left, b->left, left[0] * sizeof *g->left},
                 {left_last, b->left + soups * sizeof *g->left, left[1] * sizeof *g->left}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == LC_OK; i++)
        if (parts[i].size_bytes > 0)
            status = lc_device_download(g->device, parts[i].to, parts[i].from, parts[i].size_bytes,
                                        b->stream, message);
    if (status == LC_OK)
        status = lc_device_synchronize(g->device, b->stream, message);
    if (status == LC_OK)
        status = add_records(g, b, records, counters, message);
    if (status != LC_OK)
        return status;
    add_counts(g, b, counters[LC_CENSUS_GLIDERS]);
    if (!reserve_kinds(g))
        return lc_fail_memory(message, "a census");
    g->last_soups = b->range.end - b->range.first;
    for (size_t i = 0; i < g->names.kinds.count; i++)
        g->facts[i].rate = (double)g->names.kinds.at[i].count / (double)g->last_soups;
    *result = (lc_gpu_batch_result){
        .range = b->range, .kinds = &g->names.kinds, .left = left_last, .left_count = left[1]};
    return LC_OK;
}

lc_status lc_gpu_soups_finish(lc_gpu_soups *g, int number, lc_gpu_batch_result *result,
                              lc_message *message)
{
    const lc_status status = finish(g, number, result, message);
    if (status != LC_OK)
        lc_kinds_clear_counts(&g->names.kinds); // of soups that are counted again later
    return status;
}
