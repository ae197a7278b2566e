// Commands that identify patterns and find the objects in view.
#include "order.h"

// Margin in cells that is examined around the view, so that objects at its edge are whole.
enum { AROUND_CELLS = 32 };

static lc_identify_job job_of(const order *o)
{
    const lc_view_command *c = o->command;
    return (lc_identify_job){.client = o->client,
                             .what = c->what,
                             .has_id = c->has_id,
                             .id = c->id,
                             .generation = lc_universe_generation(o->session->universe),
                             .revision = o->session->revision,
                             .seen = c->area};
}

// Adds advice to the message if there are too many cells.
static lc_status advise(order *o, lc_status status, const char *advice)
{
    const lc_message why = o->message;
    return status == LC_ERROR_LIMIT ? lc_fail(&o->message, status, "%.400s; %s", why.text, advice)
                                    : status;
}

static lc_status start(order *o, const lc_identify_job *job)
{
    const lc_status status = lc_identifier_start(o->identifier, job, &o->message);
    o->answered = status == LC_OK; // by the identifier
    return status;
}

lc_status lc_obey_identify(order *o)
{
    const lc_view_command *c = o->command;
    lc_identify_job job = job_of(o);
    const lc_status status =
        c->has_area
            ? lc_cell_copy_area(&job.copy, o->session, &c->area, LC_IDENTIFY_CELLS_MAX, &o->message)
            : lc_cell_copy_all(&job.copy, o->session, LC_IDENTIFY_CELLS_MAX, &o->message);
    return status == LC_OK ? start(o, &job) : advise(o, status, "select fewer cells");
}

lc_status lc_obey_objects(order *o)
{
    const lc_rectangle *a = &o->command->area;
    const lc_topology *t = lc_universe_topology(o->session->universe);
    const int64_t reach = LC_UNIVERSE_REACH;
    const bool has_width = t->width_cells != 0, has_height = t->height_cells != 0;
    lc_identify_job job = job_of(o);
    lc_status status = LC_ERROR_ARGUMENT; // the area has no cells
    job.copied =
        (lc_rectangle){a->x - AROUND_CELLS, a->y - AROUND_CELLS, a->width_cells + 2 * AROUND_CELLS,
                       a->height_cells + 2 * AROUND_CELLS};
    if (lc_cut_rectangle(&job.copied, has_width ? 0 : -reach, has_height ? 0 : -reach,
                         has_width ? t->width_cells : reach + 1,
                         has_height ? t->height_cells : reach + 1))
        status = lc_cell_copy_area(&job.copy, o->session, &job.copied, LC_OBJECTS_CELLS_MAX,
                                   &o->message);
    if (status == LC_ERROR_ARGUMENT) {
        answer(o, lc_identifier_say_none(&job));
        return LC_OK;
    }
    return status == LC_OK ? start(o, &job) : advise(o, status, "zoom in");
}
