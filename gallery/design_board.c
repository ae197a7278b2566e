// Turns a board that is to be stepped into the form that a design sees.
#include "design_board.h"

#include "settings.h"

static lc_status check_rule(const lc_design *design, const lc_rule *rule, lc_message *message)
{
    if (lc_rule_traits(rule)->has_b0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "the design \"%s\" steps no rule with B0",
                       design->name);
    if (design->any_rule || rule == lc_rule_life())
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "the design \"%s\" steps B3/S23 only, as it was published", design->name);
}

static lc_status check_topology(const lc_design *design, const lc_topology *t, lc_message *message)
{
    if (t->kind == LC_TOPOLOGY_TORUS && t->shift_x_cells == 0 && t->shift_y_cells == 0)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "the design \"%s\" steps a torus without shift, or the infinite plane; "
                   "say --topology torus, or leave --size away",
                   design->name);
}

lc_status lc_gallery_board_make(const lc_design *design, const lc_guest_board *guest,
                                lc_gallery_board *board, lc_message *message)
{
    *board = (lc_gallery_board){
        .width = guest->topology.width_cells,
        .height = guest->topology.height_cells,
        .rule = guest->rule,
        .threads = guest->threads,
    };
    lc_status status = lc_gallery_settings(design, guest->settings, board->knob, message);
    if (status == LC_OK)
        status = check_rule(design, guest->rule, message);
    if (status == LC_OK)
        status = check_topology(design, &guest->topology, message);
    // So that the size of a board, at up to 32 bits a cell, fits into 64 bits.
    if (status == LC_OK && board->width > (INT64_C(1) << 50) / board->height)
        status = lc_fail(message, LC_ERROR_LIMIT, "%lld x %lld cells are too many",
                         (long long)board->width, (long long)board->height);
    if (status == LC_OK && design->check != NULL)
        status = design->check(board, message);
    return status;
}
