// The hub passes commands, answers and pictures between the server's thread and the universe's.
//
//      server.c (one thread)                                 simulation.c (one thread)
//      looks, acknowledgements  ---->  slots[i]
//      commands                 ---->  queue   ---------->   taken one by one
//      sends                    <----  slots[i].first    <-- answers, states: all of them, in order
//                               <----  slots[i].frame    <-- the newest picture only
//
// One mutex, held only briefly, protects everything below except the atomics. A slot and the serial
// number of a connection identify a client, so an answer never reaches the next client in the slot.
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
    LC_QUEUE_BYTES_MAX = 4 << 20,    // of these commands, without files
    LC_MESSAGES_BYTES_MAX = 4 << 20, // of a client's waiting answers; beyond it its commands wait
    LC_COARSER_MAX = 5,              // scales
    LC_SEND_RESERVE = 16,            // bytes that libwebsockets needs before a message
    LC_KEY_BYTES = 33,               // of a random key, with its terminating zero
    LC_HELM_KEPT_S = 10,             // seconds for the editor to return after its connection ended
};

typedef struct lc_client {
    int slot;
    uint32_t serial;
} lc_client;

// A message to send. Its bytes begin after LC_SEND_RESERVE bytes.
typedef struct lc_outgoing {
    struct lc_outgoing *next;
    bool binary;
    bool is_frame;
    bool may_be_coarser; // a picture that a coarser one may replace
    bool moves;          // a picture of a running or played universe: another one follows
    uint32_t number;     // of the frame
    size_t size_bytes;   // of the message
    size_t room_bytes;   // capacity of `bytes` without the reserve
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
    bool may_steer; // false: it can only watch
    // Identifies the client when it connects again; "": none.
    char key[LC_KEY_BYTES];
    // View and pictures.
    lc_look look;
    uint32_t look_revision; // grows with each new view; 0: no view yet
    int under_way;          // frames rendered and not acknowledged
    lc_send_window window;
    int coarser;        // scales coarser than requested, because the connection is slow
    lc_outgoing *frame; // rendered, not sent yet
    lc_outgoing *spare; // a sent frame, reused for the next one
    // Answers.
    lc_outgoing *first, *last;
    size_t waiting_bytes;
    int queued; // number of its commands in the queue
    size_t queued_bytes;
    // The file that the client saved last. Its address is "/saved/KEY/NAME".
    char saved_path[320]; // "": none. The file is removed with the slot
    char saved_url[256];
} lc_slot;

// The helm of an editor whose connection has ended. The client gets it back until `end_ns`.
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
    size_t file_bytes; // of the files in the queue
    lc_client editor;  // the client that steers; serial 0: none
    lc_kept_helm kept;
    bool locked;                 // other clients cannot take over from the editor
    bool clients_changed;        // a client came, left or took over, or the lock changed
    bool attention;              // a client has a new view or has drawn a picture, for example
    bool stop;                   // the universe's thread must end
    _Atomic uint64_t signs;      // signs of life of the universe's thread
    _Atomic bool waits;          // the universe's thread waits for work
    _Atomic bool interrupt;      // commands can be taken, or the thread must end
    _Atomic bool urgent;         // as `interrupt`, for commands that steer or come from the
                                 // editor: the thread abandons its pass
    void (*wake)(void *context); // makes the server's thread look at the slots
    void *wake_context;
} lc_hub;

lc_status lc_hub_create(lc_hub *hub, lc_message *message);
void lc_hub_destroy(lc_hub *hub);

// Adds a client in a free slot. Returns slot -1 if no slot is free for it. `may_steer`: the client
// can become the editor. `key`: that of an earlier connection of the client; NULL: none. If that
// connection steers, or its helm is still kept, the new one steers instead.
lc_client lc_hub_join(lc_hub *hub, bool may_steer, const char *key);
// Removes a client and its saved file. If the client steered, keeps the helm and a slot for it for
// LC_HELM_KEPT_S seconds.
void lc_hub_leave(lc_hub *hub, lc_client client);
// Returns whether a slot is free for a client with that key.
bool lc_hub_has_room(lc_hub *hub, const char *key);
// Writes the client's key; "" if it has none.
void lc_hub_key(lc_hub *hub, lc_client client, char key[LC_KEY_BYTES]);
// Releases a kept helm whose time is over. If no client steers, unlocks the helm and gives it to
// the client that joined first of those that may steer.
void lc_hub_pass_helm(lc_hub *hub, uint64_t now_ns);

// Carries out `look`, `drawn`, `take` and `lock`; queues all other commands of a client. The hub
// owns the contents of *command, even on error. A `frame` replaces the client's `frame` right
// before it in the queue. Returns LC_OK; LC_ERROR_ARGUMENT (lc_hub_allows); LC_ERROR_LIMIT (the
// files that wait to be opened exceed LC_VIEW_FILE_BYTES_MAX together); LC_ERROR_MEMORY.
lc_status lc_hub_post(lc_hub *hub, lc_client client, lc_view_command *command, lc_message *message);
// Checks whether a client can give that command now. Returns LC_OK; LC_ERROR_ARGUMENT (the client
// has left, does not steer, or cannot take over).
lc_status lc_hub_allows(lc_hub *hub, lc_client client, lc_view_do what, lc_message *message);
// Returns whether the server should not read the client's commands for now.
bool lc_hub_is_full(lc_hub *hub, lc_client client);

// Returns whether the client is still connected.
bool lc_hub_has(lc_hub *hub, lc_client client);
// Wakes the universe's thread if it waits.
void lc_hub_attract(lc_hub *hub);

// Returns whether the client steers.
bool lc_hub_steers(lc_hub *hub, lc_client client);

// Takes the next command from the queue; the caller owns it. NULL: none. Skips the commands of a
// client that does not take its answers, until it does.
lc_queued *lc_hub_take(lc_hub *hub);
// Returns whether to abandon the command of a client that is being carried out: the universe's
// thread must end, the client has left, or the client or the editor has sent `cancel` (but not that
// of an identification). Sets *cancel to that command, which the caller owns, or to NULL.
bool lc_hub_gives_up(lc_hub *hub, lc_client client, lc_queued **cancel);
// Gives a sign of life of the universe's thread, also during long work.
void lc_hub_give_sign(lc_hub *hub);
// Returns whether the universe's thread must end.
bool lc_hub_is_over(lc_hub *hub);
void lc_queued_free(lc_queued *queued);

// Sends a JSON object and releases it. NULL (out of memory): sends nothing.
void lc_hub_say(lc_hub *hub, lc_client client, json_t *object);
// Sends a message and takes ownership of it.
void lc_hub_send(lc_hub *hub, lc_client client, lc_outgoing *outgoing);
lc_outgoing *lc_outgoing_create(size_t size_bytes);

// For the universe's thread. Returns whether the client in slot `index` can take another picture.
// If so, sets the client, its view and the revision of the view.
bool lc_hub_wants_frame(lc_hub *hub, int index, lc_client *client, lc_look *look,
                        uint32_t *look_revision);
// Returns a used message to fill again; the caller owns it. NULL: none.
lc_outgoing *lc_hub_spare(lc_hub *hub, lc_client client);
// Returns how many scales coarser than requested the client's pictures should be.
int lc_hub_coarser(lc_hub *hub, lc_client client);
// Publishes a picture and takes ownership of it. Replaces one that has not been sent.
void lc_hub_publish(lc_hub *hub, lc_client client, lc_outgoing *frame);
// Returns whether a published picture has not been sent yet.
bool lc_hub_has_frame(lc_hub *hub, lc_client client);

// For the server's thread. Returns the next message to send; the caller owns it. NULL: none.
lc_outgoing *lc_hub_next(lc_hub *hub, lc_client client);
// Takes back a picture that is too large to send, and requests one that is a scale coarser.
void lc_hub_not_sent(lc_hub *hub, lc_client client, lc_outgoing *frame);
// Makes the pictures of a client one scale finer, if they are coarser than requested.
void lc_hub_make_finer(lc_hub *hub, lc_client client);
// Takes back a message that was sent. Keeps a picture for lc_hub_spare, frees other messages.
void lc_hub_sent(lc_hub *hub, lc_client client, lc_outgoing *outgoing);

// Offers a saved file to a client at a random address, and writes the address. Removes the client's
// previous file. The hub owns the file and removes it later, or at once on error. Returns LC_OK;
// LC_ERROR_SYSTEM (no random numbers).
lc_status lc_hub_offer(lc_hub *hub, lc_client client, const char *path, const char *name,
                       char url[256], lc_message *message);
// Writes the path of the file with that address. Returns false if no file has it.
bool lc_hub_find_saved(lc_hub *hub, const char *url, char path[320]);

static inline unsigned char *lc_outgoing_bytes(lc_outgoing *outgoing)
{
    return outgoing->bytes + LC_SEND_RESERVE;
}

#endif
