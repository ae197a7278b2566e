// What the server's thread and the universe's thread say to each other.
//
//      server.c (one thread)                                 simulation.c (one thread)
//      looks, acknowledgements  ---->  slots[i]
//      commands                 ---->  queue   ---------->   taken one by one
//      sends                    <----  slots[i].messages <-- answers, states: all of them, in order
//                               <----  slots[i].frame    <-- the newest picture only
//
// Everything below is under one mutex, held only briefly. A client is known by its slot and the
// serial number of its connection, so that an answer never reaches the next client in the slot.
#ifndef LC_VIEWER_HUB_H
#define LC_VIEWER_HUB_H

#include <pthread.h>
#include <stdatomic.h>

#include "command.h"
#include "replies.h"
#include "send_window.h"

enum {
    LC_CLIENTS_MAX = 16,
    LC_QUEUE_MAX = 64,               // waiting commands of a client
    LC_QUEUE_BYTES_MAX = 4 << 20,    // of them, without files
    LC_MESSAGES_BYTES_MAX = 4 << 20, // of waiting answers: then its commands wait too
    LC_COARSER_MAX = 5,              // scales
    LC_SEND_RESERVE = 16,            // bytes that libwebsockets needs in front
    LC_KEY_BYTES = 33,               // of a text that cannot be guessed, with its zero
    LC_HELM_KEPT_S = 10,             // for the client that steered, after its connection has ended
};

typedef struct lc_client {
    int slot;
    uint32_t serial;
} lc_client;

// Bytes to be sent, after LC_SEND_RESERVE bytes.
typedef struct lc_outgoing {
    struct lc_outgoing *next;
    bool binary;
    bool is_frame;
    bool may_be_coarser; // a picture that need not come as it is
    bool moves;          // a picture of what runs, or is played: another one follows
    uint32_t number;     // of a frame
    size_t size_bytes;   // of what is to be sent
    size_t room_bytes;   // its capacity
    unsigned char bytes[];
} lc_outgoing;

typedef struct lc_queued {
    struct lc_queued *next;
    lc_client client;
    size_t size_bytes; // of its text and runs
    lc_view_command command;
} lc_queued;

typedef struct lc_slot {
    bool used;
    uint32_t serial;
    bool may_steer; // else it only watches, for good
    // With this the client says who it is when it connects again; "": it cannot.
    char key[LC_KEY_BYTES];
    // Looking.
    lc_look look;
    uint32_t look_revision; // how many looks there were; 0: none
    int under_way;          // frames rendered and not acknowledged
    lc_send_window window;
    int coarser;        // so many scales than asked for, as the connection is slow
    lc_outgoing *frame; // rendered, not sent
    lc_outgoing *spare; // a frame that was sent, for the next one
    // Answers.
    lc_outgoing *first, *last;
    size_t waiting_bytes;
    int queued; // its commands in the queue
    size_t queued_bytes;
    // The file that it saved last: "/saved/KEY/NAME" is its address.
    char saved_path[320]; // "" if there is none; removed with the slot
    char saved_url[256];
} lc_slot;

// The helm of a client whose connection has ended. The client may come back for it until then.
typedef struct lc_kept_helm {
    char key[LC_KEY_BYTES]; // the client's
    uint64_t end_ns;        // 0: no helm is kept
} lc_kept_helm;

typedef struct lc_hub {
    pthread_mutex_t mutex;
    pthread_cond_t changed; // for the universe's thread
    lc_slot slots[LC_CLIENTS_MAX];
    uint32_t serials;
    lc_queued *first, *last;
    size_t file_bytes; // of the files in it
    lc_client editor;  // serial 0: nobody
    lc_kept_helm kept;
    bool locked;                 // nobody may take over from the editor
    bool clients_changed;        // one came, left or took over; or the lock has changed
    bool attention;              // a client looks elsewhere, or has drawn
    bool stop;                   // the universe's thread must end
    _Atomic uint64_t signs;      // of life, that the universe's thread has given
    _Atomic bool waits;          // it waits for something to do
    _Atomic bool interrupt;      // there are commands to take, or it must end
    _Atomic bool urgent;         // one is from the editor, or it must end: a pass is abandoned
    void (*wake)(void *context); // makes the server's thread look at the slots
    void *wake_context;
} lc_hub;

lc_status lc_hub_create(lc_hub *hub, lc_message *message);
void lc_hub_destroy(lc_hub *hub);

// A new client in a free slot; slot -1 if there is none for it. `may_steer`: it may become the
// editor. `key` (NULL: none): the key of a connection that it had before. If that connection
// steered, and has not ended or its helm is still kept, the new one steers.
lc_client lc_hub_join(lc_hub *hub, bool may_steer, const char *key);
// The helm of a client that steered is kept for LC_HELM_KEPT_S, with a slot for it.
void lc_hub_leave(lc_hub *hub, lc_client client);
// Whether there is a free slot for a client with that key.
bool lc_hub_has_room(lc_hub *hub, const char *key);
// Writes the client's key; "" if it has none.
void lc_hub_key(lc_hub *hub, lc_client client, char key[LC_KEY_BYTES]);
// A helm that has been kept long enough goes to the client that has been there longest, of those
// that may steer.
void lc_hub_pass_helm(lc_hub *hub, uint64_t now_ns);

// Queues a client's command, which goes over to the hub even on error. Frames that are asked for
// one right after the other are one command, the last. All files waiting to be
// opened have at most LC_VIEW_FILE_BYTES_MAX bytes together; a file beyond that is refused.
lc_status lc_hub_post(lc_hub *hub, lc_client client, lc_view_command *command, lc_message *message);
// Whether a client may give that command now: LC_OK, or LC_ERROR_ARGUMENT (it does not steer, or
// may not take over).
lc_status lc_hub_allows(lc_hub *hub, lc_client client, lc_view_do what, lc_message *message);
// Whether a client's commands should not be read for now.
bool lc_hub_is_full(lc_hub *hub, lc_client client);

// Whether the client is still there.
bool lc_hub_has(lc_hub *hub, lc_client client);
// Wakes the universe's thread, if it waits.
void lc_hub_attract(lc_hub *hub);

// Whether it is the client that steers.
bool lc_hub_steers(lc_hub *hub, lc_client client);

// The next command, which goes over to the caller; NULL: none. The commands of a client that does
// not take its answers wait until it does.
lc_queued *lc_hub_take(lc_hub *hub);
// In the midst of what a client asked for: whether that is to be given up, as the universe's thread
// must end, the client has left, or it or who steers has said `cancel`. That command then goes over
// to the caller; else *cancel is NULL.
bool lc_hub_gives_up(lc_hub *hub, lc_client client, lc_queued **cancel);
// The universe's thread is well, also in the midst of something long.
void lc_hub_give_sign(lc_hub *hub);
// Whether the universe's thread must end.
bool lc_hub_is_over(lc_hub *hub);
void lc_queued_free(lc_queued *queued);

// Sends the object (NULL: there was no memory for it), which goes over to the hub.
void lc_hub_say(lc_hub *hub, lc_client client, json_t *object);
// Sends bytes; the message goes over to the hub.
void lc_hub_send(lc_hub *hub, lc_client client, lc_outgoing *outgoing);
lc_outgoing *lc_outgoing_create(size_t size_bytes);

// For the universe's thread: whether the client in slot `index` could take another picture; if so,
// which client it is, where it looks, and which of its looks that is.
bool lc_hub_wants_frame(lc_hub *hub, int index, lc_client *client, lc_look *look,
                        uint32_t *look_revision);
// A used message to fill again, which goes over to the caller; NULL: there is none.
lc_outgoing *lc_hub_spare(lc_hub *hub, lc_client client);
// How many scales coarser its pictures should be.
int lc_hub_coarser(lc_hub *hub, lc_client client);
// Publishes a picture, which goes over to the hub and replaces one that has not been sent.
void lc_hub_publish(lc_hub *hub, lc_client client, lc_outgoing *frame);
// Whether such a picture has not been sent yet.
bool lc_hub_has_frame(lc_hub *hub, lc_client client);

// For the server's thread: what to send next, which goes over to the caller; NULL: nothing.
lc_outgoing *lc_hub_next(lc_hub *hub, lc_client client);
// A picture that may be coarser is too large to be sent: another one takes its place.
void lc_hub_not_sent(lc_hub *hub, lc_client client, lc_outgoing *frame);
// Pictures may be one scale finer again, if they are coarser than asked for.
void lc_hub_make_finer(lc_hub *hub, lc_client client);
// It was sent.
void lc_hub_sent(lc_hub *hub, lc_client client, lc_outgoing *outgoing);

// Offers a file that was saved for a client in place of the previous one, which is removed; writes
// its address, which nobody can guess. The file goes over to the hub, even on error.
lc_status lc_hub_offer(lc_hub *hub, lc_client client, const char *path, const char *name,
                       char url[256], lc_message *message);
// The path of the file with that address; false if there is none.
bool lc_hub_find_saved(lc_hub *hub, const char *url, char path[320]);

static inline unsigned char *lc_outgoing_bytes(lc_outgoing *outgoing)
{
    return outgoing->bytes + LC_SEND_RESERVE;
}

#endif
