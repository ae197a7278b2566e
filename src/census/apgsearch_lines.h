// Lines that apgsearch adds to a census under B3/S23 for soups that are remarkable as a whole:
//
//     megasized_31h     the soup leaves at least 3,000 live cells: here 31 hundreds
//     messless_6h       the soup leaves nothing, and lives for at least 500 generations: 6 hundreds
//     methuselah_27k    the soup lives for at least 25,000 generations: 27 thousands
#ifndef LC_CENSUS_APGSEARCH_LINES_H
#define LC_CENSUS_APGSEARCH_LINES_H

#include "census/soup_seed.h"
#include "census/soup_settle.h"

// Appends the lines of a soup that has just been separated. `cells` are those of generation 0.
// Returns LC_OK; LC_ERROR_MEMORY; or an error of lc_soup_lifespan.
lc_status lc_apgsearch_lines_add(lc_named_list *lines, lc_object_names *names,
                                 const lc_running_soup *soup, const lc_soup_cells *cells,
                                 lc_message *message);

#endif
