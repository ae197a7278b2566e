// The audience: the clients that watch the session, what each of them has been sent, and what they
// are sent next: pictures, states, facts.
//
// It looks at session, pace, player, travel and settled, and changes none of them. Only audience.c
// writes an lc_audience; others read it. Nothing here waits for a client.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_AUDIENCE_H
#define LC_VIEWER_AUDIENCE_H

#include "hub.h"
#include "local_preview.h"
#include "pace.h"
#include "player.h"
#include "session.h"
#include "settle_watch.h"
#include "travel.h"

enum { LC_RENDER_TIMES = 4 };

// A picture that a client asked for by itself.
typedef struct lc_still {
    bool wanted;
    bool at_rest; // when nothing runs any more
    lc_look look;
    bool has_id; // of the command
    int64_t id;
} lc_still;

// A client, in the slot of the hub with the same index.
typedef struct lc_watcher {
    uint32_t serial; // 0: nobody
    bool may_steer;
    lc_clip *clip; // what it copied; NULL: nothing
    bool follows;
    lc_still still;          // that it waits for
    uint64_t next_still_ns;  // the earliest time of it, while the universe runs
    uint32_t look_revision;  // of the last picture: of what was looked at,
    uint64_t shown_revision; // of the cells
    uint64_t shown_part;     // of a pass,
    uint64_t shown_ahead;    // and how many generations before these cells it was
    int shown_coarser;       // than it was asked for
    lc_local_preview preview;
    bool preview_fails;     // there is no memory for it, say
    uint64_t next_frame_ns; // the earliest time of the next one
    uint64_t waited_ns;     // what the thread had waited when the last one was rendered
    uint64_t rendered_ns;   // when the last one was,
    uint64_t render_ns[LC_RENDER_TIMES]; // and what the last ones took
    uint32_t frames;
    lc_ages *ages;           // of what it looks at, if it asks for them; else NULL
    uint64_t ages_line;      // of the session's universe that they belong to
    uint64_t noted_revision; // of the cells that they have seen
    uint64_t next_note_ns;   // when they may see cells of which there is no picture
    bool greeted;
    bool told;   // what the universe is
    bool behind; // it did not take its answers when there was a state
} lc_watcher;

typedef struct lc_audience {
    lc_hub *hub;
    const lc_session *session;
    const lc_pace *pace;
    const lc_player *player;
    const lc_travel *travel;
    const lc_settled *settled;
    uint32_t editor; // the client that steers; 0: nobody
    lc_watcher watchers[LC_CLIENTS_MAX];
    uint64_t attention_ns; // when clients are next attended to
    bool state_changed, state_urgent;
    bool behind; // some of the watchers are
    uint64_t next_state_ns;
    uint64_t waited_ns; // that the thread has ever waited, having nothing to do
    bool counted;       // `population` has been counted
    lc_count population;
    lc_count population_generation;
    uint64_t population_revision, counted_ns, next_population_ns;
    uint64_t read_revision; // the session's, of a board on disk of which all has been looked at
    lc_wide_box box;
    bool has_box;
    uint64_t box_revision, next_box_ns;
    char busy[320];  // what is being done that takes long; "": nothing
    bool may_cancel; // `cancel` ends that
} lc_audience;

// Hub, session, pace, player, travel and settled must stay valid until it is closed.
void lc_audience_create(lc_audience *audience, lc_hub *hub, const lc_session *session,
                        const lc_pace *pace, const lc_player *player, const lc_travel *travel,
                        const lc_settled *settled);
void lc_audience_close(lc_audience *audience);

// ---- looking after all of them, in this order ---------------------------------------------------

// Whether a while has passed since they were last attended to.
bool lc_audience_is_due(const lc_audience *audience, uint64_t now_ns);
// Greets newcomers, and sends the pictures that are due. Cheap if none is.
void lc_audience_show(lc_audience *audience, uint64_t now_ns);
// Finds out the facts that somebody waits for, if they are due. True: the population has just been
// counted.
bool lc_audience_count(lc_audience *audience, uint64_t now_ns);
// Sends the states that are due.
void lc_audience_tell(lc_audience *audience, uint64_t now_ns);
// Whether the cells as they are have been shown to the client that steers; true if nobody does, or
// if it has not looked yet.
bool lc_audience_is_shown(const lc_audience *audience);
// When there will next be something to do, if nothing happens before.
uint64_t lc_audience_next_ns(lc_audience *audience, uint64_t now_ns);

// The thread has waited for so long, having nothing to do.
void lc_audience_waited(lc_audience *audience, uint64_t waited_ns);

// ---- what has happened -------------------------------------------------------------------------

// Something in the state has changed, and clients must learn of it: some time soon, or at once.
void lc_audience_note(lc_audience *audience);
void lc_audience_hurry(lc_audience *audience);
// Clients may have come, left or taken over: then states are sent now.
void lc_audience_meet(lc_audience *audience);
// The cells are others, and have to be counted anew.
void lc_audience_forget_facts(lc_audience *audience);
// The universe is another one, which clients are told now.
void lc_audience_introduce(lc_audience *audience);
// Says now what is being done, if that may take long; "" when it is over.
void lc_audience_busy(lc_audience *audience, const char *doing);
// The same of what a client can cancel.
void lc_audience_busy_till_cancelled(lc_audience *audience, const char *doing);
// It is over, which can be said after the answer to the one who asked for it.
void lc_audience_end_busy(lc_audience *audience);
// Says to all clients that take their answers that something went wrong.
void lc_audience_say_error(lc_audience *audience, const char *text);

// ---- one of them -------------------------------------------------------------------------------

// Whether this client, and not another one after it, is there.
bool lc_audience_has(const lc_audience *audience, lc_client client);
// The latest generation that anybody has seen of what runs: the universe's own, or a later one,
// seen while a pass goes on.
lc_count lc_audience_shown(const lc_audience *audience);
// Whether it is told the bounding box.
void lc_audience_follow(lc_audience *audience, lc_client client, bool follows);
// Sends it a picture as soon as that may be. False: another one is waited for.
bool lc_audience_ask_still(lc_audience *audience, lc_client client, const lc_still *still);
// What it copied last; NULL: nothing.
const lc_clip *lc_audience_clip(const lc_audience *audience, lc_client client);
// The clip goes over to the audience, in place of the one before.
void lc_audience_take_clip(lc_audience *audience, lc_client client, lc_clip *clip);
// Turns the client's clip, which there must be. Returns what lc_clip_turn returns.
lc_status lc_audience_turn_clip(lc_audience *audience, lc_client client, lc_turn turn,
                                lc_message *message);

#endif
