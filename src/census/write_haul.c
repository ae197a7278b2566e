// Writes a census as a haul, the field's format.
#include "base/error.h"
#include "census/census_internal.h"
#include "census/haul.h"

lc_status lc_soup_census_write_haul(const lc_soup_census *census, const char *path,
                                    lc_message *message)
{
    lc_haul haul;
    lc_output *output;
    if (census->source.width != 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a haul is of soups with a symmetry, not of random rectangles");
    lc_status status = lc_census_to_haul(&haul, census, message);
    if (status != LC_OK)
        return status;
    status = lc_output_create(&output, path, 0, message);
    if (status == LC_OK) {
        lc_haul_write(&haul, output);
        status = lc_output_commit(&output, message);
    }
    lc_haul_free(&haul);
    return status;
}
