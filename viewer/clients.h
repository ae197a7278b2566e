// The clients that watch the session. Records what each has received, and sends it pictures, states
// and facts.
//
// Reads session, pace, player, travel and settled, and changes none of them. Only clients.c writes
// an lc_clients. No function waits for a client.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_CLIENTS_H
#define LC_VIEWER_CLIENTS_H

#include "hub.h"
#include "local_preview.h"
#include "pace.h"
#include "player.h"
#include "session.h"
#include "settle_watch.h"
#include "travel.h"

enum { LC_RENDER_TIMES = 4 };

// The picture of a `picture` command.
typedef struct lc_still {
    bool wanted;
    bool at_rest; // send it once the universe is at rest
    lc_look look;
    bool has_id; // the command has the id `id`
    int64_t id;
} lc_still;

// A client, in the slot of the hub with the same index.
typedef struct lc_watcher {
    uint32_t serial; // 0: no client
    bool may_steer;
    lc_clip *clip; // its last copy; NULL: none
    bool follows;
    lc_still still;          // the picture that it waits for
    uint64_t next_still_ns;  // earliest time of that picture while the universe runs
    uint32_t look_revision;  // of the last picture: revision of the view,
    uint64_t shown_revision; // of the cells,
    uint64_t shown_part;     // part of a pass,
    uint64_t shown_ahead;    // generations ahead of the cells,
    int shown_coarser;       // scales coarser than requested
    lc_local_preview preview;
    bool preview_fails;                  // for example out of memory
    uint64_t next_frame_ns;              // earliest time of the next picture
    uint64_t waited_ns;                  // lc_clients.waited_ns at the last rendering
    uint64_t rendered_ns;                // time of the last rendering
    uint64_t render_ns[LC_RENDER_TIMES]; // durations of the last renderings
    uint32_t frames;
    lc_ages *ages;           // of its view; NULL: not requested
    uint64_t ages_line;      // lc_session.line to which the ages belong
    uint64_t noted_revision; // of the cells sampled last
    uint64_t next_note_ns;   // earliest time to sample cells without a picture
    bool greeted;
    bool told;   // has been sent the facts of the universe
    bool behind; // had not taken its answers when a state was due
} lc_watcher;

typedef struct lc_clients {
    lc_hub *hub;
    const lc_session *session;
    const lc_pace *pace;
    const lc_player *player;
    const lc_travel *travel;
    const lc_settled *settled;
    uint32_t editor; // the client that steers; 0: none
    lc_watcher watchers[LC_CLIENTS_MAX];
    uint64_t attention_ns; // when clients are next attended to
    bool state_changed, state_urgent;
    bool behind; // a watcher is behind
    uint64_t next_state_ns;
    uint64_t waited_ns; // total idle time of the thread
    bool counted;       // `population` has been counted
    lc_count population;
    lc_count population_generation;
    uint64_t population_revision, counted_ns, next_population_ns;
    uint64_t read_revision; // of the session, when a board on disk was last read completely
    lc_wide_box box;
    bool has_box;
    uint64_t box_revision, next_box_ns;
    char busy[320];  // the long work in progress; "": none
    bool may_cancel; // `cancel` ends the long work
} lc_clients;

// Creates the clients. Hub, session, pace, player, travel and settled must outlive them.
void lc_clients_create(lc_clients *clients, lc_hub *hub, const lc_session *session,
                       const lc_pace *pace, const lc_player *player, const lc_travel *travel,
                       const lc_settled *settled);
void lc_clients_close(lc_clients *clients);

// ---- looking after all of them, in this order ---------------------------------------------------

// Returns whether the clients are due for attention.
bool lc_clients_is_due(const lc_clients *clients, uint64_t now_ns);
// Greets new clients, and sends the pictures that are due.
void lc_clients_show(lc_clients *clients, uint64_t now_ns);
// Computes the facts that clients wait for, if they are due. Returns whether it has counted the
// population.
bool lc_clients_count(lc_clients *clients, uint64_t now_ns);
// Sends the states that are due.
void lc_clients_tell(lc_clients *clients, uint64_t now_ns);
// Returns whether the client that steers has been sent the current cells; true if no client steers,
// or if it has no view yet.
bool lc_clients_is_shown(const lc_clients *clients);
// Returns the time of the next work, if nothing happens before.
uint64_t lc_clients_next_ns(lc_clients *clients, uint64_t now_ns);

// Adds idle time of the thread.
void lc_clients_waited(lc_clients *clients, uint64_t waited_ns);

// ---- events ------------------------------------------------------------------------------------

// Record that the state has changed: clients are told soon, or at once.
void lc_clients_note(lc_clients *clients);
void lc_clients_update_soon(lc_clients *clients);
// Sends states at once if clients have come, left or taken over.
void lc_clients_meet(lc_clients *clients);
// Discards the facts of the cells: other cells have replaced them.
void lc_clients_forget_facts(lc_clients *clients);
// Tells the clients about another universe.
void lc_clients_introduce(lc_clients *clients);
// Tells the clients about long work; "": the work has ended.
void lc_clients_busy(lc_clients *clients, const char *doing);
// Like lc_clients_busy, for work that a client can cancel.
void lc_clients_busy_till_cancelled(lc_clients *clients, const char *doing);
// Ends long work. Clients are told later, after the reply to the client that asked for it.
void lc_clients_end_busy(lc_clients *clients);
// Sends an error to all clients that take their answers.
void lc_clients_say_error(lc_clients *clients, const char *text);

// ---- one of them -------------------------------------------------------------------------------

// Returns whether this client is still connected.
bool lc_clients_has(const lc_clients *clients, lc_client client);
// Returns the latest generation that a client has been shown: that of the universe, or a later one
// during a pass.
lc_count lc_clients_shown(const lc_clients *clients);
// Sets whether the client is told the bounding box.
void lc_clients_follow(lc_clients *clients, lc_client client, bool follows);
// Sends the client a picture as soon as possible. Returns false if it already waits for one.
bool lc_clients_ask_still(lc_clients *clients, lc_client client, const lc_still *still);
// Returns the client's clip; NULL: none.
const lc_clip *lc_clients_clip(const lc_clients *clients, lc_client client);
// Replaces the client's clip, and takes ownership of the new one.
void lc_clients_take_clip(lc_clients *clients, lc_client client, lc_clip *clip);
// Turns the client's clip, which must exist. Returns as lc_clip_turn.
lc_status lc_clients_turn_clip(lc_clients *clients, lc_client client, lc_turn turn,
                               lc_message *message);

#endif
