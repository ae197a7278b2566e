// One command with its client, shared by obey.c and obey_*.c.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_ORDER_H
#define LC_VIEWER_ORDER_H

#include "clients.h"
#include "identifier.h"
#include "replies.h"
#include "saver.h"

typedef struct order {
    lc_session *session;
    lc_pace *pace;
    lc_player *player;
    lc_travel *travel;
    lc_clients *clients;
    lc_saver *saver;
    lc_identifier *identifier;
    lc_client client;
    lc_view_command *command;
    lc_message message;
    bool answered;
    uint64_t changes; // lc_edits_changes before the command
    // The name of long work for the clients, "" for an edit. When the order began, and when it last
    // asked whether to cancel.
    char doing[LC_SESSION_NAME_BYTES + 16];
    uint64_t began_ns, asked_ns;
    bool is_long;     // the clients were told that it takes long
    bool is_given_up; // the order's later work is cancelled as well
} order;

static inline lc_status refuse(order *o, const char *text)
{
    return lc_fail(&o->message, LC_ERROR_ARGUMENT, "%s", text);
}

static inline void say(const order *o, json_t *object)
{
    lc_hub_say(o->clients->hub, o->client, object);
}

static inline void answer(order *o, json_t *object)
{
    say(o, object);
    o->answered = true;
}

// Keeps the edits with `keep`. An error does not fail the command; all clients are told.
static inline void keep_edited(order *o,
                               lc_status (*keep)(lc_session *session, lc_message *message))
{
    lc_message message = {0};
    if (keep(o->session, &message) != LC_OK)
        lc_clients_say_error(o->clients, message.text);
}

// Records the result of an edit or undo in the session; it may have changed no cell. Returns
// `status`.
lc_status lc_order_edited(order *o, lc_status status);

// Returns whether to cancel the order's work; a callback for lc_edits_set_give_up and
// lc_set_give_up.
bool lc_order_gives_up(void *context);

// Tells the clients about long work. Until lc_order_end the library asks whether to cancel it.
void lc_order_begin(order *o, const char *doing);
void lc_order_end(order *o);

// Commands that obey.c calls from its table: see docs/viewer-protocol.md.
lc_status lc_obey_cells(order *o);
lc_status lc_obey_fill(order *o);
lc_status lc_obey_clear(order *o);
lc_status lc_obey_paste(order *o);
lc_status lc_obey_shape(order *o);
lc_status lc_obey_flood(order *o);
lc_status lc_obey_invert(order *o);
lc_status lc_obey_move(order *o);
lc_status lc_obey_turn_cells(order *o);
lc_status lc_obey_advance(order *o);
lc_status lc_obey_shrink(order *o);
lc_status lc_obey_go(order *o);
lc_status lc_obey_back(order *o);
lc_status lc_obey_rewind(order *o);
lc_status lc_obey_past(order *o);
lc_status lc_obey_patterns(order *o);
lc_status lc_obey_thumbnail(order *o);
lc_status lc_obey_save(order *o);
lc_status lc_obey_identify(order *o);
lc_status lc_obey_objects(order *o);
lc_status lc_obey_cancel(order *o);

#endif
