#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "census/haul_order.h"

static lc_status compare_texts(const char *what, const char *a, const char *b, lc_message *message)
{
    if (strcmp(a, b) == 0)
        return LC_OK;
    return lc_fail(message, LC_ERROR_MISMATCH, "the %s differ: \"%s\" and \"%s\"", what, a, b);
}

static lc_status compare_headers(const lc_haul *a, const lc_haul *b, lc_message *message)
{
    lc_status status = compare_texts("rules", a->rule, b->rule, message);
    if (status == LC_OK)
        status = compare_texts("symmetries", a->symmetry, b->symmetry, message);
    if (status == LC_OK)
        status = compare_texts("roots", a->root, b->root, message);
    if (status == LC_OK && a->soups != b->soups) {
        status =
            lc_fail(message, LC_ERROR_MISMATCH,
                    "the numbers of soups differ: %" PRIu64 " and %" PRIu64, a->soups, b->soups);
    }
    return status;
}

static bool are_samples_equal(const lc_haul_kind *a, const lc_haul_kind *b)
{
    return a->sample_count == b->sample_count &&
           memcmp(a->samples, b->samples, (size_t)a->sample_count * sizeof *a->samples) == 0;
}

// The differences of the tables: their number, and the first of them by code. Of a kind that only
// one haul has, the other pointer is NULL.
typedef struct differences {
    uint64_t count;
    const lc_haul_kind *a, *b;
} differences;

static void add_difference(differences *found, const lc_haul_kind *a, const lc_haul_kind *b)
{
    if (found->count++ > 0)
        return;
    found->a = a;
    found->b = b;
}

static int order_of(const lc_haul_kind *a, const lc_haul_kind *b)
{
    if (a == NULL || b == NULL)
        return a == NULL ? 1 : -1;
    return strcmp(a->code, b->code);
}

static differences compare_kinds(const lc_haul *a, const lc_haul *b)
{
    differences found = {0};
    for (size_t i = 0, j = 0; i < a->kind_count || j < b->kind_count;) {
        const lc_haul_kind *const left = i < a->kind_count ? &a->kinds[i] : NULL;
        const lc_haul_kind *const right = j < b->kind_count ? &b->kinds[j] : NULL;
        const int order = order_of(left, right);
        if (order != 0)
            add_difference(&found, order < 0 ? left : NULL, order < 0 ? NULL : right);
        else if (left->count != right->count || !are_samples_equal(left, right))
            add_difference(&found, left, right);
        i += order <= 0;
        j += order >= 0;
    }
    return found;
}

static lc_status fail_kinds(const differences *found, lc_message *message)
{
    const lc_haul_kind *const a = found->a, *const b = found->b;
    const char *const code = a != NULL ? a->code : b->code;
    if (a == NULL || b == NULL) {
        return lc_fail(message, LC_ERROR_MISMATCH,
                       "only the %s haul has \"%.160s\"; kinds that differ: %" PRIu64,
                       a != NULL ? "first" : "second", code, found->count);
    }
    if (a->count == b->count) {
        return lc_fail(message, LC_ERROR_MISMATCH,
                       "the samples of \"%.160s\" differ; kinds that differ: %" PRIu64, code,
                       found->count);
    }
    return lc_fail(message, LC_ERROR_MISMATCH,
                   "\"%.160s\" was found %" PRIu64 " and %" PRIu64
                   " times; kinds that differ: %" PRIu64,
                   code, a->count, b->count, found->count);
}

static lc_status compare_tables(lc_haul *a, lc_haul *b, lc_message *message)
{
    lc_haul_sort_by_code(a);
    lc_haul_sort_by_code(b);
    const differences found = compare_kinds(a, b);
    if (found.count > 0)
        return fail_kinds(&found, message);
    if (a->objects == b->objects)
        return LC_OK;
    return lc_fail(message, LC_ERROR_MISMATCH,
                   "the numbers of objects differ: %" PRIu64 " and %" PRIu64, a->objects,
                   b->objects);
}

lc_status lc_haul_compare(lc_haul *a, lc_haul *b, lc_message *message)
{
    const lc_status status = compare_headers(a, b, message);
    return status != LC_OK ? status : compare_tables(a, b, message);
}
