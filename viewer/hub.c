// Slots of clients, the command queue and outgoing messages.
#include "hub.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "access.h"
#include "now.h"

static const uint64_t second_ns = 1000000000;

lc_status lc_hub_create(lc_hub *hub, lc_message *message)
{
    *hub = (lc_hub){0};
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    const bool made = pthread_cond_init(&hub->changed, &clock) == 0;
    pthread_condattr_destroy(&clock);
    if (!made)
        return lc_fail(message, LC_ERROR_SYSTEM, "no condition variable could be made");
    pthread_mutex_init(&hub->mutex, NULL);
    return LC_OK;
}

static void empty(lc_slot *slot)
{
    while (slot->first != NULL) {
        lc_outgoing *next = slot->first->next;
        free(slot->first);
        slot->first = next;
    }
    free(slot->frame);
    free(slot->spare);
    if (slot->saved_path[0] != '\0')
        unlink(slot->saved_path);
}

void lc_hub_destroy(lc_hub *hub)
{
    lc_queued *queued;
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        empty(&hub->slots[i]);
        hub->slots[i] = (lc_slot){0};
    }
    while ((queued = lc_hub_take(hub)) != NULL)
        lc_queued_free(queued);
    pthread_cond_destroy(&hub->changed);
    pthread_mutex_destroy(&hub->mutex);
}

static lc_slot *slot_of(lc_hub *hub, lc_client client)
{
    lc_slot *slot = client.slot >= 0 ? &hub->slots[client.slot] : NULL; // NULL: not admitted
    return slot != NULL && slot->used && slot->serial == client.serial ? slot : NULL;
}

// Locks the hub and returns the client's slot, or NULL.
static lc_slot *lock(lc_hub *hub, lc_client client)
{
    pthread_mutex_lock(&hub->mutex);
    return slot_of(hub, client);
}

static void wake_universe(lc_hub *hub)
{
    pthread_cond_signal(&hub->changed);
}

// Returns whether so many answers wait for a client that its commands must wait.
static bool is_deaf(const lc_slot *slot)
{
    return slot != NULL && slot->waiting_bytes > LC_MESSAGES_BYTES_MAX;
}

// Sets `interrupt` and `urgent`, and wakes the universe's thread if it has commands to take.
static void announce(lc_hub *hub)
{
    bool any = hub->stop, urgent = hub->stop;
    for (const lc_queued *q = hub->first; q != NULL && !urgent; q = q->next)
        if (!is_deaf(slot_of(hub, q->client))) {
            any = true;
            urgent = lc_view_do_has(q->command.what, LC_STEERS) ||
                     q->client.serial == hub->editor.serial;
        }
    atomic_store(&hub->interrupt, any);
    atomic_store(&hub->urgent, urgent);
    if (any)
        wake_universe(hub);
}

// Writes a random key. Returns false, with key "", if the system has no random numbers.
static bool make_key(char key[LC_KEY_BYTES])
{
    unsigned char bytes[(LC_KEY_BYTES - 1) / 2];
    key[0] = '\0';
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool is_key(const char *key, const char *given)
{
    return key[0] != '\0' && lc_access_token(key, given);
}

static int used_slots(const lc_hub *hub)
{
    int used = 0;
    for (int i = 0; i < LC_CLIENTS_MAX; i++)
        used += hub->slots[i].used;
    return used;
}

// Returns whether a client with that key gets a slot. A kept helm reserves one for its client.
static bool has_room(const lc_hub *hub, const char *key)
{
    const bool keeps = hub->kept.end_ns != 0 && !is_key(hub->kept.key, key);
    return used_slots(hub) + keeps < LC_CLIENTS_MAX;
}

// Returns whether the key is that of the editor, or of the client for which the helm is kept.
static bool has_helm(const lc_hub *hub, const char *key)
{
    const lc_slot *editor = hub->editor.serial != 0 ? &hub->slots[hub->editor.slot] : NULL;
    return is_key(hub->kept.key, key) || (editor != NULL && is_key(editor->key, key));
}

// Gives a new client the helm if the client had it before. Otherwise gives the helm if no client
// steers, and none is kept, or the kept one is not locked and the new client is alone. The client
// with the kept helm still gets it back when it returns.
static void offer_helm(lc_hub *hub, lc_client client, const char *key)
{
    if (has_helm(hub, key)) {
        hub->kept = (lc_kept_helm){0};
        hub->editor = client;
    } else if (hub->editor.serial == 0 &&
               (hub->kept.end_ns == 0 || (!hub->locked && used_slots(hub) == 1))) {
        hub->editor = client;
    }
}

lc_client lc_hub_join(lc_hub *hub, bool may_steer, const char *key)
{
    lc_client client = {.slot = -1};
    pthread_mutex_lock(&hub->mutex);
    for (int i = 0; i < LC_CLIENTS_MAX && client.slot < 0 && has_room(hub, key); i++)
        if (!hub->slots[i].used)
            client = (lc_client){i, ++hub->serials};
    if (client.slot >= 0) {
        lc_slot *slot = &hub->slots[client.slot];
        *slot = (lc_slot){.used = true, .serial = client.serial, .may_steer = may_steer};
        if (may_steer) {
            make_key(slot->key);
            offer_helm(hub, client, key);
        }
        hub->clients_changed = true;
        wake_universe(hub);
    }
    pthread_mutex_unlock(&hub->mutex);
    return client;
}

bool lc_hub_has_room(lc_hub *hub, const char *key)
{
    pthread_mutex_lock(&hub->mutex);
    const bool room = has_room(hub, key);
    pthread_mutex_unlock(&hub->mutex);
    return room;
}

void lc_hub_key(lc_hub *hub, lc_client client, char key[LC_KEY_BYTES])
{
    const lc_slot *slot = lock(hub, client);
    strcpy(key, slot != NULL ? slot->key : "");
    pthread_mutex_unlock(&hub->mutex);
}

// Returns the client that joined first of those that may steer; serial 0: none.
static lc_client longest_there(const lc_hub *hub)
{
    lc_client longest = {0};
    for (int i = 0; i < LC_CLIENTS_MAX; i++) {
        const lc_slot *other = &hub->slots[i];
        if (other->used && other->may_steer &&
            (longest.serial == 0 || other->serial < longest.serial))
            longest = (lc_client){i, other->serial};
    }
    return longest;
}

void lc_hub_pass_helm(lc_hub *hub, uint64_t now_ns)
{
    pthread_mutex_lock(&hub->mutex);
    if (hub->kept.end_ns != 0 && now_ns >= hub->kept.end_ns) {
        hub->kept = (lc_kept_helm){0};
        if (hub->editor.serial == 0) {
            hub->locked = false;
            hub->editor = longest_there(hub);
        }
        hub->clients_changed = true;
        announce(hub); // the new editor's commands are urgent
        wake_universe(hub);
    }
    pthread_mutex_unlock(&hub->mutex);
}

void lc_hub_leave(lc_hub *hub, lc_client client)
{
    lc_slot *slot = lock(hub, client);
    if (slot != NULL) {
        if (hub->editor.serial == client.serial) {
            hub->editor = (lc_client){0};
            hub->kept.end_ns = lc_view_now_ns() + LC_HELM_KEPT_S * second_ns;
            strcpy(hub->kept.key, slot->key);
        }
        empty(slot);
        *slot = (lc_slot){0};
        hub->clients_changed = true;
        announce(hub); // the commands of the client wait no longer
        wake_universe(hub);
    }
    pthread_mutex_unlock(&hub->mutex);
}

static void attract(lc_hub *hub)
{
    hub->attention = true;
    wake_universe(hub);
}

static void look(lc_slot *slot, const lc_look *look)
{
    slot->look = *look;
    slot->look_revision++;
}

// Returns whether the server should not read the client's commands for now.
static bool is_full(const lc_slot *slot)
{
    return slot->queued >= LC_QUEUE_MAX || slot->queued_bytes > LC_QUEUE_BYTES_MAX || is_deaf(slot);
}

static void enqueue(lc_hub *hub, lc_slot *slot, lc_queued *queued)
{
    *(hub->first == NULL ? &hub->first : &hub->last->next) = queued;
    hub->last = queued;
    hub->file_bytes += queued->command.file_bytes;
    slot->queued++;
    slot->queued_bytes += queued->size_bytes;
}

static lc_status allow(const lc_hub *hub, const lc_slot *slot, lc_view_do what, lc_message *message)
{
    const bool takes = what == LC_DO_TAKE;
    if (slot == NULL)
        return LC_ERROR_ARGUMENT;
    if ((!takes && !lc_view_do_has(what, LC_STEERS)) || hub->editor.serial == slot->serial)
        return LC_OK;
    if (!slot->may_steer)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "with this token one may watch, copy and save, and not steer");
    if (hub->locked)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "somebody else is steering, and has locked it: nobody can take over now");
    return takes
               ? LC_OK
               : lc_fail(message, LC_ERROR_ARGUMENT, "somebody else is steering; take over first");
}

lc_status lc_hub_allows(lc_hub *hub, lc_client client, lc_view_do what, lc_message *message)
{
    pthread_mutex_lock(&hub->mutex);
    lc_status status = allow(hub, slot_of(hub, client), what, message);
    pthread_mutex_unlock(&hub->mutex);
    return status;
}

lc_status lc_hub_post(lc_hub *hub, lc_client client, lc_view_command *command, lc_message *message)
{
    lc_slot *slot = lock(hub, client);
    lc_status status = allow(hub, slot, command->what, message);
    lc_queued *queued = NULL, *before = hub->last;
    // A client that moves along a timeline wants to see the newest frame, so this command replaces
    // an earlier one that still waits.
    const bool replaces = command->what == LC_DO_FRAME && before != NULL &&
                          before->command.what == LC_DO_FRAME &&
                          before->client.serial == client.serial;
    const lc_view_command replaced = replaces ? before->command : (lc_view_command){0};
    if (status != LC_OK) {
        // The command changes nothing.
    } else if (command->what == LC_DO_LOOK) {
        look(slot, &command->look);
        attract(hub);
    } else if (command->what == LC_DO_DRAWN) {
        slot->under_way -= slot->under_way > 0;
        lc_send_window_drawn(&slot->window, lc_view_now_ns());
        attract(hub);
    } else if (command->what == LC_DO_TAKE) {
        hub->editor = client;
        hub->kept = (lc_kept_helm){0};
        hub->clients_changed = true;
        wake_universe(hub);
    } else if (command->what == LC_DO_LOCK) {
        hub->locked = command->flag;
        hub->kept = (lc_kept_helm){0};
        hub->clients_changed = true;
        wake_universe(hub);
    } else if (replaces) {
        before->command = *command;
    } else if (command->file_bytes > LC_VIEW_FILE_BYTES_MAX - hub->file_bytes) {
        status = lc_fail(message, LC_ERROR_LIMIT, "other files are still waiting to be opened");
    } else if ((queued = malloc(sizeof *queued)) == NULL) {
        status = lc_fail(message, LC_ERROR_MEMORY, "out of memory for that");
    }
    if (queued != NULL) {
        *queued = (lc_queued){.client = client,
                              .size_bytes =
                                  command->text_bytes + command->run_count * sizeof *command->runs,
                              .command = *command};
        *command = (lc_view_command){.what = command->what};
        enqueue(hub, slot, queued);
        announce(hub);
    }
    pthread_mutex_unlock(&hub->mutex);
    if (replaced.has_id && status == LC_OK)
        lc_hub_say(hub, client, lc_reply("done", &replaced));
    lc_view_command_free(command);
    return status;
}

bool lc_hub_has(lc_hub *hub, lc_client client)
{
    pthread_mutex_lock(&hub->mutex);
    const bool has = slot_of(hub, client) != NULL;
    pthread_mutex_unlock(&hub->mutex);
    return has;
}

void lc_hub_attract(lc_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    attract(hub);
    pthread_mutex_unlock(&hub->mutex);
}

bool lc_hub_steers(lc_hub *hub, lc_client client)
{
    pthread_mutex_lock(&hub->mutex);
    const bool steers = hub->editor.serial == client.serial;
    pthread_mutex_unlock(&hub->mutex);
    return steers;
}

bool lc_hub_is_full(lc_hub *hub, lc_client client)
{
    const lc_slot *slot = lock(hub, client);
    const bool full = slot != NULL && is_full(slot);
    pthread_mutex_unlock(&hub->mutex);
    return full;
}

// Takes the command behind `before` (NULL: the first) out of the queue. Returns NULL if none is
// there.
static lc_queued *dequeue(lc_hub *hub, lc_queued *before)
{
    lc_queued **link = before != NULL ? &before->next : &hub->first;
    lc_queued *queued = *link;
    if (queued != NULL) {
        *link = queued->next;
        if (hub->last == queued)
            hub->last = before;
        hub->file_bytes -= queued->command.file_bytes;
        lc_slot *slot = slot_of(hub, queued->client);
        const bool was_full = slot != NULL && is_full(slot);
        if (slot != NULL) {
            slot->queued--;
            slot->queued_bytes -= queued->size_bytes;
        }
        if (was_full && !is_full(slot) && hub->wake != NULL)
            hub->wake(hub->wake_context); // so the server reads its commands again
    }
    announce(hub);
    return queued;
}

lc_queued *lc_hub_take(lc_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    lc_queued *before = NULL;
    for (lc_queued *q = hub->first; q != NULL && is_deaf(slot_of(hub, q->client)); q = q->next)
        before = q;
    lc_queued *queued = dequeue(hub, before);
    pthread_mutex_unlock(&hub->mutex);
    return queued;
}

bool lc_hub_gives_up(lc_hub *hub, lc_client client, lc_queued **cancel)
{
    *cancel = NULL;
    pthread_mutex_lock(&hub->mutex);
    lc_queued *before = NULL, *q = hub->first;
    for (; q != NULL; before = q, q = q->next)
        if (q->command.what == LC_DO_CANCEL && !q->command.flag &&
            (q->client.serial == client.serial || q->client.serial == hub->editor.serial))
            break;
    if (q != NULL)
        *cancel = dequeue(hub, before);
    const bool gives_up = q != NULL || hub->stop || slot_of(hub, client) == NULL;
    pthread_mutex_unlock(&hub->mutex);
    return gives_up;
}

void lc_hub_give_sign(lc_hub *hub)
{
    atomic_fetch_add_explicit(&hub->signs, 1, memory_order_relaxed);
}

bool lc_hub_is_over(lc_hub *hub)
{
    pthread_mutex_lock(&hub->mutex);
    const bool over = hub->stop;
    pthread_mutex_unlock(&hub->mutex);
    return over;
}

void lc_queued_free(lc_queued *queued)
{
    lc_view_command_free(&queued->command);
    free(queued);
}

lc_outgoing *lc_outgoing_create(size_t size_bytes)
{
    lc_outgoing *outgoing = malloc(sizeof *outgoing + LC_SEND_RESERVE + size_bytes);
    if (outgoing != NULL)
        *outgoing = (lc_outgoing){.size_bytes = size_bytes, .room_bytes = size_bytes};
    return outgoing;
}

void lc_hub_say(lc_hub *hub, lc_client client, json_t *object)
{
    const size_t size = json_dumpb(object, NULL, 0, JSON_COMPACT);
    lc_outgoing *outgoing = size > 0 ? lc_outgoing_create(size) : NULL;
    if (outgoing != NULL) {
        json_dumpb(object, (char *)lc_outgoing_bytes(outgoing), size, JSON_COMPACT);
        lc_hub_send(hub, client, outgoing);
    }
    json_decref(object);
}

void lc_hub_send(lc_hub *hub, lc_client client, lc_outgoing *outgoing)
{
    lc_slot *slot = lock(hub, client);
    if (slot != NULL) {
        *(slot->first == NULL ? &slot->first : &slot->last->next) = outgoing;
        slot->last = outgoing;
        slot->waiting_bytes += outgoing->size_bytes;
        outgoing = NULL;
        if (hub->wake != NULL)
            hub->wake(hub->wake_context);
    }
    pthread_mutex_unlock(&hub->mutex);
    free(outgoing);
}

bool lc_hub_wants_frame(lc_hub *hub, int index, lc_client *client, lc_look *look,
                        uint32_t *look_revision)
{
    pthread_mutex_lock(&hub->mutex);
    const lc_slot *slot = &hub->slots[index];
    const bool wants = slot->used && slot->look_revision != 0 &&
                       slot->under_way < lc_send_window_size(&slot->window);
    if (wants) {
        *client = (lc_client){index, slot->serial};
        *look = slot->look;
        *look_revision = slot->look_revision;
    }
    pthread_mutex_unlock(&hub->mutex);
    return wants;
}

bool lc_hub_has_frame(lc_hub *hub, lc_client client)
{
    const lc_slot *slot = lock(hub, client);
    const bool has = slot != NULL && slot->frame != NULL;
    pthread_mutex_unlock(&hub->mutex);
    return has;
}

lc_outgoing *lc_hub_spare(lc_hub *hub, lc_client client)
{
    lc_outgoing *spare = NULL;
    lc_slot *slot = lock(hub, client);
    if (slot != NULL) {
        spare = slot->spare;
        slot->spare = NULL;
    }
    pthread_mutex_unlock(&hub->mutex);
    return spare;
}

void lc_hub_publish(lc_hub *hub, lc_client client, lc_outgoing *frame)
{
    lc_slot *slot = lock(hub, client);
    if (slot != NULL) {
        lc_outgoing *older = slot->frame;
        slot->frame = frame;
        frame = older;
        slot->under_way += older == NULL;
        if (hub->wake != NULL)
            hub->wake(hub->wake_context);
    }
    pthread_mutex_unlock(&hub->mutex);
    free(frame);
}

lc_outgoing *lc_hub_next(lc_hub *hub, lc_client client)
{
    lc_outgoing *outgoing = NULL;
    lc_slot *slot = lock(hub, client);
    if (slot != NULL && slot->first != NULL) {
        const bool was_deaf = is_deaf(slot);
        outgoing = slot->first;
        slot->first = outgoing->next;
        slot->waiting_bytes -= outgoing->size_bytes;
        if (was_deaf && !is_deaf(slot))
            announce(hub);
    } else if (slot != NULL) {
        outgoing = slot->frame;
        slot->frame = NULL;
        if (outgoing != NULL)
            attract(hub); // the universe's thread may wait for that
    }
    pthread_mutex_unlock(&hub->mutex);
    return outgoing;
}

int lc_hub_coarser(lc_hub *hub, lc_client client)
{
    const lc_slot *slot = lock(hub, client);
    const int coarser = slot != NULL ? slot->coarser : 0;
    pthread_mutex_unlock(&hub->mutex);
    return coarser;
}

void lc_hub_not_sent(lc_hub *hub, lc_client client, lc_outgoing *frame)
{
    lc_slot *slot = lock(hub, client);
    if (slot != NULL) {
        slot->coarser += slot->coarser < LC_COARSER_MAX;
        slot->under_way -= slot->under_way > 0;
        slot->look_revision++; // so another one is rendered
        attract(hub);
    }
    pthread_mutex_unlock(&hub->mutex);
    lc_hub_sent(hub, client, frame);
}

void lc_hub_make_finer(lc_hub *hub, lc_client client)
{
    lc_slot *slot = lock(hub, client);
    if (slot != NULL)
        slot->coarser -= slot->coarser > 0;
    pthread_mutex_unlock(&hub->mutex);
}

void lc_hub_sent(lc_hub *hub, lc_client client, lc_outgoing *outgoing)
{
    if (outgoing->is_frame) {
        lc_slot *slot = lock(hub, client);
        if (slot != NULL && slot->spare == NULL) {
            slot->spare = outgoing;
            outgoing = NULL;
        }
        pthread_mutex_unlock(&hub->mutex);
    }
    free(outgoing);
}

lc_status lc_hub_offer(lc_hub *hub, lc_client client, const char *path, const char *name,
                       char url[256], lc_message *message)
{
    char key[LC_KEY_BYTES];
    if (!make_key(key)) {
        unlink(path);
        return lc_fail(message, LC_ERROR_SYSTEM, "there are no random numbers: %s",
                       strerror(errno));
    }
    snprintf(url, 256, "/saved/%s/%s", key, name);
    lc_slot *slot = lock(hub, client);
    char old[320] = "";
    if (slot != NULL) {
        strcpy(old, slot->saved_path);
        snprintf(slot->saved_path, sizeof slot->saved_path, "%s", path);
        strcpy(slot->saved_url, url);
    }
    pthread_mutex_unlock(&hub->mutex);
    unlink(slot != NULL ? old : path);
    return LC_OK;
}

bool lc_hub_find_saved(lc_hub *hub, const char *url, char path[320])
{
    bool found = false;
    pthread_mutex_lock(&hub->mutex);
    for (int i = 0; i < LC_CLIENTS_MAX && !found; i++) {
        const lc_slot *slot = &hub->slots[i];
        found = slot->used && slot->saved_path[0] != '\0' && strcmp(url, slot->saved_url) == 0;
        if (found)
            strcpy(path, slot->saved_path);
    }
    pthread_mutex_unlock(&hub->mutex);
    return found;
}
