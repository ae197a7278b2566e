#include "support_cover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

lc_universe *test_create_with(const lc_engine_vtable *engine, const lc_rule *rule,
                              lc_topology topology, uint64_t audit_generations)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = rule,
                                         .topology = topology,
                                         .engine = "scalar",
                                         .threads = 2,
                                         .audit_generations = audit_generations};
    lc_universe *universe = NULL;
    assert_int_equal(lc_universe_create(&universe, &options, NULL), LC_OK);
    lc_cover_options asked = universe->cover->asked;
    lc_cover_destroy(&universe->cover);
    asked.engine = engine;
    assert_int_equal(lc_cover_create(&universe->cover, &asked, (lc_area){0, 0, 64, 64}, NULL),
                     LC_OK);
    return universe;
}
