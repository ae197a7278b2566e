#include "support_census.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

void check_same_census(lc_soup_census *a, lc_soup_census *b)
{
    size_t count, more;
    const lc_soup_kind *kinds = lc_soup_census_get_kinds(a, &count);
    const lc_soup_kind *others = lc_soup_census_get_kinds(b, &more);
    lc_soup_census_facts facts, other_facts;
    assert_int_equal(count, more);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(kinds[i].code, others[i].code);
        assert_int_equal(kinds[i].count, others[i].count);
        assert_int_equal(kinds[i].sample_count, others[i].sample_count);
        assert_memory_equal(kinds[i].samples, others[i].samples, sizeof kinds[i].samples);
    }
    lc_soup_census_get_facts(a, &facts);
    lc_soup_census_get_facts(b, &other_facts);
    assert_int_equal(facts.soups, other_facts.soups);
    assert_int_equal(facts.soups_left, 0);
    assert_int_equal(facts.objects, other_facts.objects);
}
