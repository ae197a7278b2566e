// The hub between the viewer's two threads, by itself: who steers, which commands wait for whom,
// and what is sent in which order. The threads are in test_viewer_server.c and test_viewer_greed.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub.h"
#include "now.h"
#include "order.h"

static lc_hub hub;

static int make_hub(void **state)
{
    (void)state;
    lc_message message;
    return lc_hub_create(&hub, &message) == LC_OK ? 0 : -1;
}

static int end_hub(void **state)
{
    (void)state;
    lc_hub_destroy(&hub);
    return 0;
}

// A command that anyone may send.
static void post(lc_client client, int64_t id)
{
    lc_view_command command = {.what = LC_DO_COPY, .has_id = true, .id = id};
    lc_message message;
    assert_false(lc_view_do_has(command.what, LC_STEERS));
    assert_int_equal(lc_hub_post(&hub, client, &command, &message), LC_OK);
}

// The id of the next command, 0: none is to be taken.
static int64_t take(void)
{
    lc_queued *queued = lc_hub_take(&hub);
    if (queued == NULL)
        return 0;
    const int64_t id = queued->command.id;
    lc_queued_free(queued);
    return id;
}

// Answers that the client does not take: more than may wait.
static void make_deaf(lc_client client)
{
    lc_outgoing *answer = lc_outgoing_create((size_t)LC_MESSAGES_BYTES_MAX + 1);
    assert_non_null(answer);
    lc_hub_send(&hub, client, answer);
}

static void make_listen(lc_client client)
{
    lc_outgoing *answer = lc_hub_next(&hub, client);
    assert_non_null(answer);
    lc_hub_sent(&hub, client, answer);
}

// The client leaves, and so much time goes by that its helm is no longer kept.
static void leave_for_good(lc_client client)
{
    lc_hub_leave(&hub, client);
    lc_hub_pass_helm(&hub, UINT64_MAX);
}

static void test_who_steers(void **state)
{
    (void)state;
    lc_client clients[4];
    for (int i = 0; i < 4; i++) {
        clients[i] = lc_hub_join(&hub, true, NULL);
        assert_int_equal(clients[i].slot, i);
        assert_int_equal(lc_hub_steers(&hub, clients[i]), i == 0);
    }
    // Who steers goes: the one who has been there longest goes on, whatever its slot.
    lc_hub_leave(&hub, clients[1]);
    const lc_client late = lc_hub_join(&hub, true, NULL);
    assert_int_equal(late.slot, 1);
    assert_true(lc_hub_steers(&hub, clients[0]));
    leave_for_good(clients[0]);
    assert_true(lc_hub_steers(&hub, clients[2]));
    leave_for_good(clients[2]);
    assert_true(lc_hub_steers(&hub, clients[3]));
    leave_for_good(clients[2]); // who is gone goes once
    leave_for_good(clients[3]);
    assert_true(lc_hub_steers(&hub, late));
    leave_for_good(late);
    assert_true(lc_hub_steers(&hub, lc_hub_join(&hub, true, NULL)));
}

static lc_status ask(lc_client client, lc_view_do what, bool flag)
{
    lc_view_command command = {.what = what, .flag = flag};
    lc_message message = {0};
    const lc_status allowed = lc_hub_allows(&hub, client, what, &message);
    const lc_status status = lc_hub_post(&hub, client, &command, &message);
    assert_int_equal(allowed, status);
    assert_true(status == LC_OK || strlen(message.text) > 10);
    return status;
}

// Who may only watch never steers, whoever leaves; nobody takes over from one who has locked it.
static void test_watching_and_locks(void **state)
{
    (void)state;
    const lc_client onlooker = lc_hub_join(&hub, false, NULL);
    assert_false(lc_hub_steers(&hub, onlooker));
    assert_int_equal(ask(onlooker, LC_DO_TAKE, false), LC_ERROR_ARGUMENT);
    const lc_client one = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    assert_true(lc_hub_steers(&hub, one));
    assert_int_equal(ask(onlooker, LC_DO_RUN, false), LC_ERROR_ARGUMENT);
    assert_int_equal(ask(onlooker, LC_DO_LOCK, true), LC_ERROR_ARGUMENT);
    assert_int_equal(ask(other, LC_DO_LOCK, true), LC_ERROR_ARGUMENT);
    assert_int_equal(ask(one, LC_DO_LOCK, true), LC_OK);
    assert_int_equal(ask(one, LC_DO_TAKE, false), LC_OK);
    assert_int_equal(ask(other, LC_DO_TAKE, false), LC_ERROR_ARGUMENT);
    assert_int_equal(ask(onlooker, LC_DO_TAKE, false), LC_ERROR_ARGUMENT);
    assert_true(lc_hub_steers(&hub, one));
    assert_int_equal(ask(one, LC_DO_LOCK, false), LC_OK);
    assert_int_equal(ask(other, LC_DO_TAKE, false), LC_OK);
    assert_int_equal(ask(other, LC_DO_LOCK, true), LC_OK);
    leave_for_good(other); // the lock goes with the one who made it
    assert_true(lc_hub_steers(&hub, one));
    const lc_client next = lc_hub_join(&hub, true, NULL);
    assert_int_equal(ask(next, LC_DO_TAKE, false), LC_OK);
    leave_for_good(next);
    leave_for_good(one);
    assert_int_equal(hub.editor.serial, 0);
    assert_true(lc_hub_steers(&hub, lc_hub_join(&hub, true, NULL)));
}

// A client that steers leaves and comes back, with the key that it had: no other client has got the
// helm meanwhile.
static void test_helm_is_kept(void **state)
{
    (void)state;
    char key[LC_KEY_BYTES], again[LC_KEY_BYTES];
    const lc_client first = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    lc_hub_key(&hub, first, key);
    assert_int_equal(strlen(key), LC_KEY_BYTES - 1);
    lc_hub_leave(&hub, first);
    lc_hub_pass_helm(&hub, lc_view_now_ns());
    assert_false(lc_hub_steers(&hub, other));
    const lc_client late = lc_hub_join(&hub, true, NULL), wrong = lc_hub_join(&hub, true, "guess");
    assert_false(lc_hub_steers(&hub, late));
    assert_false(lc_hub_steers(&hub, wrong));
    // Who comes with a token that only lets it watch does not steer, whatever else it knows.
    assert_false(lc_hub_steers(&hub, lc_hub_join(&hub, false, key)));
    const lc_client back = lc_hub_join(&hub, true, key);
    assert_true(lc_hub_steers(&hub, back));
    lc_hub_key(&hub, back, again);
    assert_string_not_equal(key, again);
    // The key has been used, and nothing is kept any more.
    assert_false(lc_hub_steers(&hub, lc_hub_join(&hub, true, key)));
    lc_hub_pass_helm(&hub, UINT64_MAX);
    assert_true(lc_hub_steers(&hub, back));
    // The server does not know yet that the connection has ended: the new one steers.
    const lc_client once_more = lc_hub_join(&hub, true, again);
    assert_true(lc_hub_steers(&hub, once_more));
    assert_false(lc_hub_steers(&hub, back));
}

// While a helm is kept, a client that may take over does so; it then keeps it. A lock is kept with
// the helm.
static void test_taking_a_kept_helm(void **state)
{
    (void)state;
    char key[LC_KEY_BYTES];
    const lc_client first = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    lc_hub_key(&hub, first, key);
    assert_int_equal(ask(first, LC_DO_LOCK, true), LC_OK);
    lc_hub_leave(&hub, first);
    assert_int_equal(ask(other, LC_DO_TAKE, false), LC_ERROR_ARGUMENT);
    const lc_client back = lc_hub_join(&hub, true, key);
    assert_true(lc_hub_steers(&hub, back));
    assert_int_equal(ask(other, LC_DO_TAKE, false), LC_ERROR_ARGUMENT);
    assert_int_equal(ask(back, LC_DO_LOCK, false), LC_OK);
    lc_hub_key(&hub, back, key);
    lc_hub_leave(&hub, back);
    assert_int_equal(ask(other, LC_DO_TAKE, false), LC_OK);
    assert_false(lc_hub_steers(&hub, lc_hub_join(&hub, true, key)));
    assert_true(lc_hub_steers(&hub, other));
}

// A new client that is alone steers at once. The one that the helm is kept for gets it back.
static void test_alone_with_a_kept_helm(void **state)
{
    (void)state;
    char key[LC_KEY_BYTES];
    const lc_client first = lc_hub_join(&hub, true, NULL);
    lc_hub_key(&hub, first, key);
    lc_hub_leave(&hub, first);
    const lc_client alone = lc_hub_join(&hub, true, NULL);
    assert_true(lc_hub_steers(&hub, alone));
    const lc_client back = lc_hub_join(&hub, true, key);
    assert_true(lc_hub_steers(&hub, back));
    // A locked one waits for its owner.
    assert_int_equal(ask(back, LC_DO_LOCK, true), LC_OK);
    lc_hub_leave(&hub, alone);
    lc_hub_leave(&hub, back);
    const lc_client next = lc_hub_join(&hub, true, NULL);
    assert_false(lc_hub_steers(&hub, next));
    lc_hub_pass_helm(&hub, UINT64_MAX);
    assert_true(lc_hub_steers(&hub, next));
    assert_false(hub.locked);
}

// With the helm a place is kept among those that there are.
static void test_place_is_kept(void **state)
{
    (void)state;
    char key[LC_KEY_BYTES];
    const lc_client first = lc_hub_join(&hub, true, NULL);
    lc_hub_key(&hub, first, key);
    for (int i = 1; i < LC_CLIENTS_MAX; i++)
        assert_true(lc_hub_join(&hub, true, NULL).slot > 0);
    assert_false(lc_hub_has_room(&hub, NULL));
    lc_hub_leave(&hub, first);
    assert_false(lc_hub_has_room(&hub, NULL));
    assert_int_equal(lc_hub_join(&hub, true, NULL).slot, -1);
    assert_true(lc_hub_has_room(&hub, key));
    const lc_client back = lc_hub_join(&hub, true, key);
    assert_true(lc_hub_steers(&hub, back));
    lc_hub_leave(&hub, back);
    lc_hub_pass_helm(&hub, UINT64_MAX);
    assert_true(lc_hub_has_room(&hub, NULL));
}

// A client in the slot of an earlier one is another client: the hub finds neither by the other's
// name, and takes no command of one for the other's.
static void test_slots_are_used_again(void **state)
{
    (void)state;
    char key[LC_KEY_BYTES], url[256];
    lc_queued *cancel;
    lc_message message = {0};
    lc_view_command copy = {.what = LC_DO_COPY};
    lc_view_command frame = {.what = LC_DO_FRAME, .has_id = true, .id = 3},
                    stop = {.what = LC_DO_CANCEL, .has_id = true, .id = 4};
    const lc_client gone = lc_hub_join(&hub, true, NULL), onlooker = lc_hub_join(&hub, false, NULL);
    post(gone, 1);
    leave_for_good(gone);
    const lc_client next = lc_hub_join(&hub, true, NULL);
    assert_int_equal(next.slot, gone.slot);
    assert_false(lc_hub_has(&hub, gone));
    assert_true(lc_hub_has(&hub, next));
    assert_false(lc_hub_steers(&hub, gone));
    assert_true(lc_hub_steers(&hub, next));
    lc_hub_key(&hub, gone, key);
    assert_string_equal(key, "");
    assert_int_equal(lc_hub_allows(&hub, gone, LC_DO_COPY, &message), LC_ERROR_ARGUMENT);
    assert_int_equal(lc_hub_post(&hub, gone, &copy, &message), LC_ERROR_ARGUMENT);
    post(onlooker, 2);
    assert_false(atomic_load(&hub.urgent)); // neither command is of the client that steers
    assert_int_equal(take(), 1);
    assert_int_equal(take(), 2);
    assert_int_equal(take(), 0);

    // An answer, a picture and a file that are late reach nobody.
    lc_hub_say(&hub, gone, lc_reply("done", NULL));
    lc_outgoing *picture = lc_outgoing_create(1);
    assert_non_null(picture);
    picture->is_frame = true;
    lc_hub_publish(&hub, gone, picture);
    assert_null(lc_hub_next(&hub, next));
    assert_int_equal(lc_hub_offer(&hub, gone, "/nonexistent/file", "file", url, &message), LC_OK);
    assert_false(lc_hub_find_saved(&hub, url, (char[320]){0}));
    assert_true(lc_hub_gives_up(&hub, gone, &cancel)); // what it asked for
    lc_hub_leave(&hub, gone);                          // this changes nothing
    assert_true(lc_hub_has(&hub, next));
    assert_true(lc_hub_steers(&hub, next));

    // Commands of the client that is gone: another frame does not replace its own, and its
    // cancelling ends nothing that the next client asked for.
    assert_int_equal(lc_hub_post(&hub, next, &stop, NULL), LC_OK);
    assert_int_equal(lc_hub_post(&hub, next, &frame, NULL), LC_OK);
    leave_for_good(next);
    const lc_client last = lc_hub_join(&hub, true, NULL);
    assert_int_equal(last.slot, next.slot);
    frame = (lc_view_command){.what = LC_DO_FRAME, .has_id = true, .id = 5};
    assert_int_equal(lc_hub_post(&hub, last, &frame, NULL), LC_OK);
    assert_false(lc_hub_gives_up(&hub, last, &cancel));
    assert_int_equal(take(), 4);
    assert_int_equal(take(), 3);
    assert_int_equal(take(), 5);
}

// Commands come in order; those of a client that takes no answers wait, and nobody else's.
static void test_commands_wait(void **state)
{
    (void)state;
    const lc_client deaf = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    make_deaf(deaf);
    post(deaf, 1);
    post(other, 2);
    assert_int_equal(take(), 2); // the last one of the queue
    assert_int_equal(take(), 0);
    post(other, 3);
    post(deaf, 4);
    post(other, 5);
    assert_int_equal(take(), 3);
    assert_int_equal(take(), 5);
    assert_int_equal(take(), 0);
    make_listen(deaf);
    post(other, 6);
    assert_int_equal(take(), 1);
    assert_int_equal(take(), 4);
    assert_int_equal(take(), 6);
    assert_int_equal(take(), 0);
    post(other, 7); // the queue was empty
    assert_int_equal(take(), 7);
    assert_int_equal(take(), 0);
}

// A client's own commands are no longer read when too many wait, until one was taken.
static void test_full_queue(void **state)
{
    (void)state;
    const lc_client one = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    for (int i = 1; i <= LC_QUEUE_MAX; i++) {
        assert_false(lc_hub_is_full(&hub, one));
        post(one, i);
    }
    assert_true(lc_hub_is_full(&hub, one));
    assert_false(lc_hub_is_full(&hub, other));
    assert_int_equal(take(), 1);
    assert_false(lc_hub_is_full(&hub, one));
    make_deaf(other);
    assert_true(lc_hub_is_full(&hub, other));
    make_listen(other);
    assert_false(lc_hub_is_full(&hub, other));
}

// Of frames of a timeline that a client asks for one right after the other, the last is enough.
static void test_frames_are_left_out(void **state)
{
    (void)state;
    const lc_client one = lc_hub_join(&hub, true, NULL), other = lc_hub_join(&hub, true, NULL);
    lc_message message;
    lc_view_command command;
    // 1, 2 and 3 are one command; a command in between begins another one.
    for (int id = 1; id <= 5; id++) {
        command = (lc_view_command){
            .what = LC_DO_FRAME, .has_id = true, .id = id, .shown = 10 * (uint64_t)id};
        if (id == 4)
            post(one, 99);
        assert_int_equal(lc_hub_post(&hub, one, &command, &message), LC_OK);
    }
    command = (lc_view_command){.what = LC_DO_FRAME, .has_id = true, .id = 6};
    assert_int_equal(lc_hub_post(&hub, other, &command, &message), LC_ERROR_ARGUMENT);
    lc_queued *queued = lc_hub_take(&hub);
    assert_int_equal(queued->command.id, 3);
    assert_int_equal(queued->command.shown, 30);
    lc_queued_free(queued);
    assert_int_equal(take(), 99);
    assert_int_equal(take(), 5);
    assert_int_equal(take(), 0);
    // Each that was left out is answered.
    static const int answered[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) {
        char text[64];
        lc_outgoing *answer = lc_hub_next(&hub, one);
        assert_non_null(answer);
        snprintf(text, sizeof text, "{\"is\":\"done\",\"re\":%d}", answered[i]);
        assert_int_equal(answer->size_bytes, strlen(text));
        assert_memory_equal(lc_outgoing_bytes(answer), text, strlen(text));
        lc_hub_sent(&hub, one, answer);
    }
    assert_null(lc_hub_next(&hub, one));
}

// Answers first, all of them in order; then the newest picture. Two pictures may be under way.
static void test_what_is_sent(void **state)
{
    (void)state;
    const lc_client client = lc_hub_join(&hub, true, NULL);
    lc_view_command look = {.what = LC_DO_LOOK};
    lc_message message;
    lc_client who;
    lc_look where;
    uint32_t revision;
    assert_false(lc_hub_wants_frame(&hub, client.slot, &who, &where, &revision)); // no look yet
    assert_int_equal(lc_hub_post(&hub, client, &look, &message), LC_OK);
    lc_outgoing *made[5];
    for (int i = 0; i < 5; i++) {
        made[i] = lc_outgoing_create(8);
        assert_non_null(made[i]);
        made[i]->is_frame = i >= 2;
    }
    lc_hub_publish(&hub, client, made[2]);
    assert_true(lc_hub_wants_frame(&hub, client.slot, &who, &where, &revision));
    lc_hub_publish(&hub, client, made[3]); // in place of the one before, which was never sent
    assert_true(lc_hub_wants_frame(&hub, client.slot, &who, &where, &revision));
    assert_true(who.serial == client.serial && revision == 1);
    lc_hub_send(&hub, client, made[0]);
    lc_hub_send(&hub, client, made[1]);
    for (int i = 0; i < 2; i++) {
        assert_ptr_equal(lc_hub_next(&hub, client), made[i]);
        lc_hub_sent(&hub, client, made[i]);
    }
    assert_ptr_equal(lc_hub_next(&hub, client), made[3]);
    assert_null(lc_hub_next(&hub, client));
    lc_hub_sent(&hub, client, made[3]);
    assert_ptr_equal(lc_hub_spare(&hub, client), made[3]); // to be used again
    assert_null(lc_hub_spare(&hub, client));
    free(made[3]);
    lc_hub_publish(&hub, client, made[4]);
    assert_false(lc_hub_wants_frame(&hub, client.slot, &who, &where, &revision)); // two under way
    lc_view_command drawn = {.what = LC_DO_DRAWN};
    assert_int_equal(lc_hub_post(&hub, client, &drawn, &message), LC_OK);
    assert_true(lc_hub_wants_frame(&hub, client.slot, &who, &where, &revision));
    // What is for one who is gone reaches nobody, also not the next one in the slot.
    lc_hub_leave(&hub, client);
    assert_int_equal(lc_hub_join(&hub, true, NULL).slot, client.slot);
    lc_hub_send(&hub, client, lc_outgoing_create(8));
    assert_null(lc_hub_next(&hub, (lc_client){client.slot, client.serial + 1}));
}

// Whoever throws the first of two pictures away again and again gets one at a time, and now and
// then two, to see whether that is still so.
static void test_pairs(void **state)
{
    (void)state;
    const uint64_t ms = 1000000;
    lc_send_window window = {0};
    uint64_t now_ns = 1000 * ms;
    // One after the other: always two ahead.
    for (int i = 0; i < 1000; i++) {
        lc_send_window_drawn(&window, now_ns += 16 * ms);
        assert_int_equal(lc_send_window_size(&window), 2);
    }
    // A pair once in a while changes nothing.
    for (int i = 0; i < 1000; i++) {
        lc_send_window_drawn(&window, now_ns += i % 8 == 7 ? 1000 : 16 * ms);
        assert_int_equal(lc_send_window_size(&window), 2);
    }
    // In pairs: of those that are drawn from then on, nearly all come alone.
    int alone = 0, pairs = 0;
    for (int i = 0; i < 2000; i++) {
        const bool is_single = lc_send_window_size(&window) == 1;
        alone += is_single;
        pairs += !is_single;
        lc_send_window_drawn(&window, now_ns += is_single || i % 2 == 0 ? 50 * ms : 1000);
    }
    assert_true(alone > 5 * pairs);
    assert_true(pairs >= 100); // it is tried again
    // And once they no longer come in pairs there are two ahead again.
    for (int i = 0; i < 200; i++)
        lc_send_window_drawn(&window, now_ns += 16 * ms);
    assert_int_equal(lc_send_window_size(&window), 2);
}

// As the hub does it: both are drawn at once, and then no second one is wanted.
static void test_pairs_are_not_sent(void **state)
{
    (void)state;
    lc_client who;
    lc_look where;
    uint32_t revision;
    const lc_client client = lc_hub_join(&hub, true, NULL);
    lc_view_command look = {.what = LC_DO_LOOK, .look = {.width = 8, .height = 8, .frames = 60}};
    assert_int_equal(lc_hub_post(&hub, client, &look, NULL), LC_OK);
    int most = 0;
    for (int i = 0; i < 20; i++) {
        for (most = 0; lc_hub_wants_frame(&hub, client.slot, &who, &where, &revision); most++) {
            lc_outgoing *frame = lc_outgoing_create(8);
            assert_non_null(frame);
            frame->is_frame = true;
            lc_hub_publish(&hub, client, frame);
            lc_hub_sent(&hub, client, lc_hub_next(&hub, client));
        }
        assert_in_range(most, 1, 2);
        if (most == 1)
            break;
        for (int k = 0; k < most; k++) {
            lc_view_command drawn = {.what = LC_DO_DRAWN};
            assert_int_equal(lc_hub_post(&hub, client, &drawn, NULL), LC_OK);
        }
    }
    assert_int_equal(most, 1);
}

// Whoever asked for something long may give it up, and so may who steers; the others may not.
static void test_giving_up(void **state)
{
    (void)state;
    lc_queued *cancel;
    const lc_client editor = lc_hub_join(&hub, true, NULL), asks = lc_hub_join(&hub, true, NULL),
                    other = lc_hub_join(&hub, true, NULL), all[] = {other, asks, editor};
    assert_false(lc_hub_gives_up(&hub, asks, &cancel));
    for (int i = 0; i < 3; i++) {
        lc_view_command command = {.what = LC_DO_CANCEL, .has_id = true, .id = 20 + i};
        post(all[i], i + 1);
        assert_int_equal(lc_hub_post(&hub, all[i], &command, NULL), LC_OK);
        assert_int_equal(lc_hub_gives_up(&hub, asks, &cancel), i > 0);
        assert_int_equal(cancel != NULL, i > 0);
        if (cancel != NULL) {
            assert_int_equal(cancel->command.id, 20 + i);
            lc_queued_free(cancel);
        }
    }
    post(editor, 4);
    const int64_t left[] = {1, 20, 2, 3, 4, 0}; // in their order
    for (int i = 0; i < 6; i++)
        assert_int_equal(take(), left[i]);
    lc_hub_leave(&hub, asks);
    assert_true(lc_hub_gives_up(&hub, asks, &cancel) && cancel == NULL);
    assert_false(lc_hub_gives_up(&hub, editor, &cancel));
}

// The clients are told once that an edit takes long; nobody has joined here.
static void test_long_edits(void **state)
{
    (void)state;
    static lc_clients clients;
    const uint64_t second_ns = 1000000000;
    clients = (lc_clients){.hub = &hub};
    order o = {
        .clients = &clients, .client = {.slot = -1}, .began_ns = lc_view_now_ns() - second_ns};
    assert_true(lc_order_gives_up(&o)); // the client is not there
    assert_true(o.is_long);
    assert_string_equal(clients.busy, "changing cells");
    clients.busy[0] = '\0';
    o.asked_ns = 0;
    assert_true(lc_order_gives_up(&o));
    assert_string_equal(clients.busy, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_who_steers, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_watching_and_locks, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_slots_are_used_again, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_long_edits, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_helm_is_kept, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_taking_a_kept_helm, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_alone_with_a_kept_helm, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_place_is_kept, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_commands_wait, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_full_queue, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_frames_are_left_out, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_giving_up, make_hub, end_hub),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test_setup_teardown(test_pairs_are_not_sent, make_hub, end_hub),
        cmocka_unit_test_setup_teardown(test_what_is_sent, make_hub, end_hub),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
