// PNG in a build without libpng. The format has a name and is refused before hours of work. Every
// write begins with check_size, so this needs no other function.
#include "base/error.h"
#include "pattern/format.h"

static lc_status check_size(int64_t width_cells, int64_t height_cells, lc_message *message)
{
    (void)width_cells;
    (void)height_cells;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "this lightcone was built without libpng and writes no PNG; please choose "
                   "another format");
}

const lc_format_ops lc_format_png = {
    .format = LC_FORMAT_PNG,
    .check_size = check_size,
};
