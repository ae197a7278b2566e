// What the thread of the clients and the thread of the universe say to each other.
//
//      server.c (one thread)                                  simulation.c (one thread)
//      looks, acknowledgements  ---->  slots[i]
//      commands                 ---->  queue   ---------->    taken one by one
//      sends                    <----  slots[i].messages <--  answers, states: all of them, in order
//                               <----  slots[i].frame    <--  the newest picture only
//
// Everything below lies under one mutex, held for moments. A client is known by its slot and by the
// serial number of its connection, so that an answer never reaches the next one in the slot.
#ifndef LC_VIEWER_HUB_H
#define LC_VIEWER_HUB_H

#include <pthread.h>
#include <stdatomic.h>

#include "command.h"
#include "say.h"

enum {
    LC_CLIENTS_MAX = 16,
    LC_FRAMES_UNDER_WAY = 2,
    LC_QUEUE_MAX = 64,               // commands of a client that wait
    LC_QUEUE_BYTES_MAX = 4 << 20,    // of them, without files
    LC_MESSAGES_BYTES_MAX = 4 << 20, // of answers that wait: then its commands wait, too
    LC_SEND_RESERVE = 16,            // bytes that libwebsockets wants in front
};

typedef struct lc_client {
    int slot;
    uint32_t serial;
} lc_client;

// Bytes to be sent, behind LC_SEND_RESERVE bytes.
typedef struct lc_outgoing {
    struct lc_outgoing *next;
    bool binary;
    bool is_frame;
    uint32_t number;   // of a frame
    size_t size_bytes; // of what is to be sent
    size_t room_bytes; // that it could have
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
    // Looking.
    lc_look look;
    uint32_t look_revision; // how many looks there were; 0: none
    int under_way;          // frames rendered and not acknowledged
    lc_outgoing *frame;     // rendered, not sent
    lc_outgoing *spare;     // a frame that was sent, for the next one
    // Answers.
    lc_outgoing *first, *last;
    size_t waiting_bytes;
    int queued; // its commands in the queue
    size_t queued_bytes;
    // The file that it saved last: "/saved/KEY/NAME" is its address.
    char saved_path[320]; // "" if there is none; removed with the slot
    char saved_url[256];
} lc_slot;

typedef struct lc_hub {
    pthread_mutex_t mutex;
    pthread_cond_t changed; // for the universe's thread
    lc_slot slots[LC_CLIENTS_MAX];
    uint32_t serials;
    lc_queued *first, *last;
    size_t file_bytes;      // of the files in it
    lc_client editor;       // serial 0: nobody
    bool clients_changed;   // came, went, took over
    bool attention;         // somebody looks elsewhere, or has drawn
    bool stop;              // the universe's thread is to end
    _Atomic bool interrupt; // there are commands to be taken, or it is to end
    _Atomic bool urgent;    // one is of who steers, or it is to end: a pass is given up for that
    void (*wake)(void *context); // makes the server's thread look at the slots
    void *wake_context;
} lc_hub;

lc_status lc_hub_create(lc_hub *hub, lc_message *message);
void lc_hub_destroy(lc_hub *hub);

// A new client in a free slot; slot -1: there is none.
lc_client lc_hub_join(lc_hub *hub);
void lc_hub_leave(lc_hub *hub, lc_client client);

// What a client said: takes the command over, whether it works or not. All files that wait to be
// opened have at most LC_VIEW_FILE_BYTES_MAX bytes; one more is refused.
lc_status lc_hub_post(lc_hub *hub, lc_client client, lc_view_command *command, lc_message *message);
// Whether a client's commands should not be read for now.
bool lc_hub_is_full(lc_hub *hub, lc_client client);

// Whether it is the one who steers.
bool lc_hub_steers(lc_hub *hub, lc_client client);

// The next command, which goes over to the caller; NULL: none. Those of a client that does not take
// its answers wait until it does.
lc_queued *lc_hub_take(lc_hub *hub);
// Whether the universe's thread is to end.
bool lc_hub_is_over(lc_hub *hub);
void lc_queued_free(lc_queued *queued);

// Takes the object over (NULL: there was no memory for it) and sends it.
void lc_hub_say(lc_hub *hub, lc_client client, json_t *object);
// Bytes; the message is taken over.
void lc_hub_send(lc_hub *hub, lc_client client, lc_outgoing *outgoing);
lc_outgoing *lc_outgoing_create(size_t size_bytes);

// For the universe's thread: whether the client of slot `index` could take another picture; then who
// it is, where it looks, and which look of it that is.
bool lc_hub_wants_frame(lc_hub *hub, int index, lc_client *client, lc_look *look,
                        uint32_t *look_revision);
// A message that was used before and goes over to the caller; NULL: there is none.
lc_outgoing *lc_hub_spare(lc_hub *hub, lc_client client);
// A picture, taken over; it takes the place of one that has not been sent.
void lc_hub_publish(lc_hub *hub, lc_client client, lc_outgoing *frame);

// For the server's thread: what is to be sent next, which goes over to the caller; NULL: nothing.
lc_outgoing *lc_hub_next(lc_hub *hub, lc_client client);
// It was sent.
void lc_hub_sent(lc_hub *hub, lc_client client, lc_outgoing *outgoing);

// Offers a file that was saved for a client, in place of the one before, which is removed; writes its
// address, that nobody can guess. The file goes over to the hub, on error too.
lc_status lc_hub_offer(lc_hub *hub, lc_client client, const char *path, const char *name,
                       char url[256], lc_message *message);
// The path of the file with that address; false: there is none.
bool lc_hub_find_saved(lc_hub *hub, const char *url, char path[320]);

static inline unsigned char *lc_outgoing_bytes(lc_outgoing *outgoing)
{
    return outgoing->bytes + LC_SEND_RESERVE;
}

#endif
