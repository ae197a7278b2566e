// Commands that change cells: drawing, and editing a selection.
#include <stdlib.h>

#include "lightcone/edits.h"
#include "now.h"
#include "order.h"

// Time between two checks for cancellation; duration of an edit about which the clients are told.
static const uint64_t ask_ns = 10000000, long_ns = 300000000;

bool lc_order_gives_up(void *context)
{
    order *o = context;
    lc_hub *hub = o->clients->hub;
    const uint64_t now_ns = lc_view_now_ns();
    lc_queued *cancel;
    if (now_ns - o->asked_ns < ask_ns)
        return o->is_given_up;
    o->asked_ns = now_ns;
    lc_hub_give_sign(hub);
    if (!o->is_long && now_ns - o->began_ns > long_ns) {
        o->is_long = true;
        lc_clients_busy_till_cancelled(o->clients,
                                       o->doing[0] != '\0' ? o->doing : "changing cells");
    }
    o->is_given_up = lc_hub_gives_up(hub, o->client, &cancel) || o->is_given_up;
    if (cancel == NULL)
        return o->is_given_up;
    if (cancel->command.has_id)
        lc_hub_say(hub, cancel->client, lc_reply("done", &cancel->command));
    lc_queued_free(cancel);
    return true;
}

// Called before each edit.
static void about_to_edit(order *o)
{
    if (o->pace->running)
        lc_session_keep_before_stroke(o->session, o->command->stroke);
}

lc_status lc_order_edited(order *o, lc_status status)
{
    if (status != LC_OK || lc_edits_changes(o->session->edits) == o->changes) {
        lc_session_not_edited(o->session);
        return status;
    }
    lc_session_edited(o->session, o->command->stroke);
    if (o->pace->pauses)
        lc_pace_pause(o->pace); // the run will not reach the generation seen before the edit
    lc_player_pause(o->player);
    lc_clients_update_soon(o->clients);
    if (!lc_edits_kept(o->session->edits))
        say(o, lc_reply_error(NULL, "that was too large to keep: it cannot be undone"));
    return LC_OK;
}

// ---- drawing -----------------------------------------------------------------------------------

// Paints areas and their images, as the command says. (x, y) is the first cell of a stroke that
// begins.
static lc_status paint(order *o, const lc_rectangle *areas, size_t count, int64_t x, int64_t y)
{
    const lc_view_command *c = o->command;
    lc_session *session = o->session;
    bool alive = c->flag;
    about_to_edit(o);
    lc_status status = LC_OK;
    if (!c->has_flag)
        status = lc_edits_pencil(session->edits, session->universe, c->stroke, x, y, &alive,
                                 &o->message);
    lc_rectangle *images = malloc(count * LC_EDIT_IMAGES_MAX * sizeof *images);
    if (status == LC_OK && images == NULL)
        status = lc_fail(&o->message, LC_ERROR_MEMORY, "out of memory for that edit");
    size_t used = 0;
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        const size_t found = lc_edit_images(&c->symmetry, &areas[i], &images[used]);
        if (found == 0)
            status = refuse(o, "an image of that would be beyond the universe");
        used += found;
    }
    if (status == LC_OK)
        status = lc_edits_paint(session->edits, session->universe,
                                alive ? LC_PAINT_ALIVE : LC_PAINT_DEAD, c->stroke, images, used,
                                c->wraps, &o->message);
    free(images);
    return lc_order_edited(o, status);
}

lc_status lc_obey_cells(order *o)
{
    const lc_view_command *c = o->command;
    return paint(o, c->runs, c->run_count, c->runs[0].x, c->runs[0].y);
}

lc_status lc_obey_shape(order *o)
{
    const lc_view_command *c = o->command;
    lc_rectangle *areas;
    size_t count;
    lc_status status = lc_edit_shape_rectangles(c->shape, &c->area, c->thickness_cells, &areas,
                                                &count, &o->message);
    if (status == LC_OK)
        status = paint(o, areas, count, c->area.x, c->area.y);
    free(areas);
    return status;
}

// Answers `done` with one more member: the number of changed cells, or of those lost beyond an
// edge.
static lc_status answer_with(order *o, lc_status status, const char *name, uint64_t cells)
{
    if (status != LC_OK || cells == 0 || !o->command->has_id)
        return status;
    json_t *object = lc_reply("done", o->command);
    json_object_set_new(object, name, lc_reply_count(lc_count_of(cells)));
    answer(o, object);
    return LC_OK;
}

lc_status lc_obey_flood(order *o)
{
    const lc_view_command *c = o->command;
    uint64_t count;
    about_to_edit(o);
    lc_status status = lc_edits_flood(o->session->edits, o->session->universe, c->at_x, c->at_y,
                                      c->has_area ? &c->area : NULL, &count, &o->message);
    return answer_with(o, lc_order_edited(o, status), "cells", count);
}

// ---- rectangles --------------------------------------------------------------------------------

lc_status lc_obey_fill(order *o)
{
    const lc_view_command *c = o->command;
    about_to_edit(o);
    return lc_order_edited(o, lc_edits_fill(o->session->edits, o->session->universe,
                                            &o->session->creation, &c->area, c->density, c->seed,
                                            c->symmetry.kind, &o->message));
}

lc_status lc_obey_invert(order *o)
{
    about_to_edit(o);
    return lc_order_edited(o,
                           lc_edits_paint(o->session->edits, o->session->universe, LC_PAINT_INVERT,
                                          0, &o->command->area, 1, true, &o->message));
}

lc_status lc_obey_clear(order *o)
{
    about_to_edit(o);
    return lc_order_edited(o, lc_edits_clear(o->session->edits, o->session->universe,
                                             &o->command->area, o->command->flag, &o->message));
}

// Ends an edit and answers with the number of live cells lost beyond an edge.
static lc_status answer_lost(order *o, lc_status status)
{
    status = lc_order_edited(o, status);
    return answer_with(o, status, "lost", lc_edits_lost(o->session->edits));
}

lc_status lc_obey_paste(order *o)
{
    const lc_view_command *c = o->command;
    const lc_clip *clip = lc_clients_clip(o->clients, o->client);
    if (clip == NULL)
        return refuse(o, "nothing has been copied yet");
    about_to_edit(o);
    return answer_lost(o, lc_edits_paste(o->session->edits, o->session->universe, clip, c->area.x,
                                         c->area.y, c->mode, &o->message));
}

lc_status lc_obey_move(order *o)
{
    const lc_view_command *c = o->command;
    about_to_edit(o);
    return answer_lost(o, lc_edits_move(o->session->edits, o->session->universe, &c->area, c->at_x,
                                        c->at_y, c->flag, c->mode, &o->message));
}

// `box` NULL: no rectangle.
static void answer_box(order *o, const lc_rectangle *box, uint64_t lost)
{
    json_t *object = lc_reply("box", o->command);
    json_object_set_new(object, "box",
                        box == NULL
                            ? json_null()
                            : json_pack("{s:o, s:o, s:o, s:o}", "x", lc_reply_integer(box->x), "y",
                                        lc_reply_integer(box->y), "width",
                                        lc_reply_integer(box->width_cells), "height",
                                        lc_reply_integer(box->height_cells)));
    if (lost != 0)
        json_object_set_new(object, "lost", lc_reply_count(lc_count_of(lost)));
    answer(o, object);
}

lc_status lc_obey_turn_cells(order *o)
{
    lc_rectangle to;
    about_to_edit(o);
    const lc_status status =
        lc_order_edited(o, lc_edits_turn(o->session->edits, o->session->universe, &o->command->area,
                                         o->command->turning, &to, &o->message));
    if (status == LC_OK)
        answer_box(o, &to, lc_edits_lost(o->session->edits));
    return status;
}

lc_status lc_obey_advance(order *o)
{
    about_to_edit(o);
    return lc_order_edited(o, lc_edits_advance(o->session->edits, o->session->universe,
                                               &o->session->creation, &o->command->area,
                                               o->command->flag, &o->message));
}

lc_status lc_obey_shrink(order *o)
{
    lc_box box;
    const lc_status status =
        lc_clip_find_box(o->session->universe, &o->command->area, &box, &o->message);
    const lc_rectangle found = {box.x, box.y, box.width_cells, box.height_cells};
    if (status == LC_OK)
        answer_box(o, box.empty ? NULL : &found, 0);
    return status;
}
