// The commands that ask what cells are.
#include "order.h"

lc_status lc_obey_identify(order *o)
{
    const lc_view_command *c = o->command;
    lc_cell_copy copy;
    lc_status status =
        c->has_area
            ? lc_cell_copy_area(&copy, o->stage, &c->area, LC_IDENTIFY_CELLS_MAX, &o->message)
            : lc_cell_copy_all(&copy, o->stage, LC_IDENTIFY_CELLS_MAX, &o->message);
    if (status != LC_OK)
        return status;
    status = lc_identifier_start(o->identifier, o->client, c,
                                 lc_universe_generation(o->stage->universe), &copy, &o->message);
    o->answered = status == LC_OK; // by the identifier
    return status;
}
