// Creates censuses of soups, adds counts and lists them.
#include <stdlib.h>
#include <string.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "census/census_internal.h"
#include "object/names.h"
#include "rule/rule_value.h"

// Creation ---------------------------------------------------------------------------------------

lc_status lc_census_create_empty(lc_soup_census **out, const lc_rule *rule,
                                 const lc_soup_source *source, lc_context *context,
                                 lc_message *message)
{
    *out = NULL;
    const lc_status usable = lc_rule_need_two_states(rule, "a census", message);
    if (usable != LC_OK)
        return usable;
    if (lc_rule_next(rule, 0))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a census needs a rule without B0, under which empty space stays empty");
    lc_soup_census *census = lc_calloc(1, sizeof *census);
    if (census == NULL)
        return lc_fail_memory(message, "a census");
    census->rule = lc_rule_retain(rule);
    census->source = *source;
    lc_rule_format(rule, NULL, census->rule_text);
    census->ranks = context != NULL ? context->options.ranks : NULL;
    lc_status status = lc_context_hold_alone(&census->context, context, message);
    if (status == LC_OK) {
        census->workers =
            lc_calloc((size_t)lc_pool_threads(census->context->pool), sizeof *census->workers);
        if (census->workers == NULL)
            status = lc_fail_memory(message, "a census");
    }
    if (status != LC_OK)
        lc_soup_census_destroy(&census);
    *out = census;
    return status;
}

static lc_status take_rule(const lc_rule **rule, const lc_soup_census_options *options,
                           lc_message *message)
{
    lc_topology topology;
    if ((options->rule == NULL) == (options->rule_text == NULL))
        return lc_fail(message, LC_ERROR_ARGUMENT, "a census needs either a rule or its text");
    if (options->rule != NULL) {
        *rule = lc_rule_retain(options->rule);
        return LC_OK;
    }
    const lc_status status = lc_rule_parse(options->rule_text, rule, &topology, message);
    if (status != LC_OK || (topology.kind == LC_TOPOLOGY_PLANE && topology.width_cells == 0 &&
                            topology.height_cells == 0))
        return status;
    lc_rule_release(rule);
    return lc_fail(message, LC_ERROR_UNSUPPORTED, "a census runs soups on the infinite plane only");
}

lc_status lc_soup_census_create(lc_soup_census **out, const lc_soup_census_options *stated,
                                lc_message *message)
{
    lc_soup_census_options options;
    lc_soup_source source;
    const lc_rule *rule = NULL;
    *out = NULL;
    lc_status status =
        lc_structure_take(&options, sizeof options, stated, "lc_soup_census_options", message);
    if (status == LC_OK)
        status = lc_soup_source_take(&source, &options, message);
    if (status == LC_OK)
        status = take_rule(&rule, &options, message);
    if (status == LC_OK)
        status = lc_census_create_empty(out, rule, &source, options.context, message);
    if (status == LC_OK)
        status = lc_soup_census_want(*out, options.first_soup, options.soups, message);
    if (status != LC_OK)
        lc_soup_census_destroy(out);
    lc_rule_release(&rule);
    return status;
}

lc_status lc_soup_census_want(lc_soup_census *census, uint64_t first_soup, uint64_t soups,
                              lc_message *message)
{
    uint64_t end;
    if (!lc_add_u64(first_soup, soups, &end))
        return lc_fail(message, LC_ERROR_ARGUMENT, "the numbers of soups end at 2^64 - 2");
    const int cells = census->source.width * census->source.height;
    if (census->source.enumerates && end > UINT64_C(1) << cells)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a rectangle of %d cells has 2^%d patterns, with numbers from 0", cells,
                       cells);
    if (!lc_ranges_reserve(&census->wanted, 1))
        return lc_fail_memory(message, "the numbers of soups");
    if (soups > 0)
        lc_ranges_add(&census->wanted, (lc_number_range){first_soup, end});
    return LC_OK;
}

void lc_soup_census_destroy(lc_soup_census **out)
{
    if (out == NULL || *out == NULL)
        return;
    lc_soup_census *census = *out;
    const int workers = census->workers == NULL ? 0 : lc_pool_threads(census->context->pool);
    for (int i = 0; i < workers; i++)
        lc_soup_taker_destroy(&census->workers[i].taker);
    lc_free(census->workers);
    lc_census_gpus_free(census);
    lc_free(census->listed);
    lc_kinds_free(&census->kinds);
    lc_ranges_free(&census->wanted);
    lc_ranges_free(&census->counted);
    lc_rule_release(&census->rule);
    lc_context_destroy(&census->context);
    lc_free(census);
    *out = NULL;
}

// Counts -----------------------------------------------------------------------------------------

static bool reserve_listed(lc_soup_census *census)
{
    return lc_grow(&census->listed, &census->listed_room, census->kinds.count,
                   sizeof *census->listed);
}

void lc_census_clear(lc_soup_census *census)
{
    lc_kinds_clear_counts(&census->kinds);
    census->objects = 0;
    census->wanted.count = 0;
    census->counted.count = 0;
}

bool lc_census_add(lc_soup_census *census, const lc_kinds *kinds, const lc_number_ranges *numbers)
{
    if (!lc_kinds_add_names(&census->kinds, kinds) || !reserve_listed(census) ||
        !lc_ranges_reserve(&census->counted, numbers->count))
        return false;
    lc_kinds_add_counts(&census->kinds, kinds);
    for (size_t i = 0; i < kinds->count; i++)
        census->objects += kinds->at[i].count;
    for (size_t i = 0; i < numbers->count; i++)
        lc_ranges_add(&census->counted, numbers->at[i]);
    return true;
}

static int compare(const void *a, const void *b)
{
    const lc_soup_kind *left = a, *right = b;
    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return strcmp(left->code, right->code);
}

const lc_soup_kind *lc_soup_census_get_kinds(lc_soup_census *census, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < census->kinds.count; i++) {
        const lc_kind *kind = &census->kinds.at[i];
        if (kind->count == 0)
            continue;
        lc_soup_kind *listed = &census->listed[(*count)++];
        *listed = (lc_soup_kind){.code = kind->name,
                                 .name = lc_object_name(kind->name),
                                 .count = kind->count,
                                 .sample_count = kind->sample_count};
        memcpy(listed->samples, kind->samples, sizeof listed->samples);
    }
    if (*count > 0)
        qsort(census->listed, *count, sizeof *census->listed, compare);
    return census->listed;
}

void lc_soup_census_get_facts(const lc_soup_census *census, lc_soup_census_facts *facts)
{
    const lc_soup_source *source = &census->source;
    const uint64_t soups = lc_ranges_size(&census->counted);
    *facts = (lc_soup_census_facts){
        .soups = soups,
        .objects = census->objects,
        .soups_left = lc_ranges_size(&census->wanted) - soups,
        .rule = census->rule_text,
        .symmetry = source->symmetry_text,
        .seed = source->seed,
        .width_cells = source->width,
        .height_cells = source->height,
        .density = source->density_16 / 65536.0,
        .random_seed = source->random_seed,
        .enumerate = source->enumerates,
    };
}

lc_status lc_soup_census_read_soup(const lc_soup_census *census, uint64_t number, uint8_t *states,
                                   size_t pitch_bytes, int *width, int *height, lc_message *message)
{
    lc_soup_cells *cells = lc_malloc(sizeof *cells);
    if (cells == NULL)
        return lc_fail_memory(message, "a soup");
    lc_soup_source_make(cells, &census->source, number);
    *width = cells->width;
    *height = cells->height;
    lc_status status = LC_OK;
    if (states != NULL && pitch_bytes < (size_t)cells->width)
        status = lc_fail(message, LC_ERROR_ARGUMENT, "a row of the soup has %d cells, not %zu",
                         cells->width, pitch_bytes);
    for (int y = 0; states != NULL && status == LC_OK && y < cells->height; y++)
        for (int x = 0; x < cells->width; x++)
            states[(size_t)y * pitch_bytes + (size_t)x] =
                cells->words[y * cells->row_words + x / 64] >> x % 64 & 1;
    lc_free(cells);
    return status;
}
