// The server: HTTP for the page and saved files (http.c), a WebSocket for everything else.
//
// One thread, the caller of lc_viewer_serve, runs libwebsockets' loop. It puts the clients'
// messages into the hub as commands. When a client's socket is ready, it sends the messages that
// the universe's thread has put into the hub. It also compresses pictures, so that stepping does
// not wait for that.
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "address.h"
#include "embedded.h"
#include "now.h"

_Static_assert(LC_SEND_RESERVE >= LWS_PRE, "libwebsockets writes its header in front");

enum {
    // Pending connections, clients, and replaced connections that are being closed.
    CONNECTIONS_MAX = 2 * LC_PENDING_CONNECTIONS_MAX,
    RECEIVE_BYTES = 1 << 16,
    STOP_CHECK_US = 100000,
    HEART_US = 1000000, // time between two heartbeats to a client that gets nothing else
    PIECE_BYTES = 8192, // piece of a large message; a third of a second at 200 kbit/s
};

// ---- messages from clients ---------------------------------------------------------------------

static void say_error(lc_viewer *viewer, const lc_connection *s, const lc_view_command *command,
                      const char *text)
{
    lc_hub_say(&viewer->hub, s->client, lc_reply_error(command, text));
}

static void post(lc_viewer *viewer, lc_connection *s, lc_view_command *command)
{
    lc_message message = {0};
    const lc_view_command asked = {.has_id = command->has_id, .id = command->id};
    if (lc_hub_post(&viewer->hub, s->client, command, &message) != LC_OK)
        say_error(viewer, s, &asked, message.text);
}

static void end_opening(lc_connection *s)
{
    if (s->opening != NULL)
        lc_view_command_free(s->opening);
    free(s->opening);
    s->opening = NULL;
}

// Stores a command whose file comes in the next message.
static void expect_file(lc_viewer *viewer, lc_connection *s, lc_view_command *command)
{
    end_opening(s);
    lc_message message = {.text = "out of memory for that"};
    const bool may = lc_hub_allows(&viewer->hub, s->client, LC_DO_OPEN, &message) == LC_OK;
    s->opening = may ? malloc(sizeof *s->opening) : NULL;
    if (s->opening == NULL) {
        say_error(viewer, s, command, message.text);
        lc_view_command_free(command);
        return;
    }
    *s->opening = *command;
}

static void take_look(lc_connection *s, const lc_look *look)
{
    lc_deflater_choose(&s->deflater, look->deflate);
    s->joins = look->pieces;
}

static void take_drawn(lc_connection *s, uint32_t frame, uint32_t held_ms)
{
    const uint64_t now_ns = lc_view_now_ns();
    lc_deflater_arrived(&s->deflater, frame, now_ns);
    lc_link_speed_arrived(&s->link, frame, (uint64_t)held_ms * 1000000, now_ns);
}

static void take_text(lc_viewer *viewer, lc_connection *s)
{
    lc_view_command command;
    lc_message message = {0};
    lc_status status = lc_view_command_parse(&command, s->input, s->input_bytes, &message);
    if (status != LC_OK) {
        say_error(viewer, s, &command, message.text);
    } else if (command.what == LC_DO_OPEN && command.file_bytes > 0) {
        expect_file(viewer, s, &command);
    } else {
        if (command.what == LC_DO_LOOK)
            take_look(s, &command.look);
        else if (command.what == LC_DO_DRAWN)
            take_drawn(s, command.frame, command.held_ms);
        // These commands are checked now, and their results come after the answer.
        const bool answers = command.has_id && command.what <= LC_DO_LOCK &&
                             lc_hub_allows(&viewer->hub, s->client, command.what, NULL) == LC_OK;
        if (answers)
            lc_hub_say(&viewer->hub, s->client, lc_reply("done", &command));
        post(viewer, s, &command);
    }
}

static void take_file(lc_viewer *viewer, lc_connection *s)
{
    lc_view_command *command = s->opening;
    if (command == NULL) {
        say_error(viewer, s, NULL, "no file was announced");
        return;
    }
    if (s->input_bytes != command->file_bytes) {
        say_error(viewer, s, command, "the file does not have the size that was announced");
        end_opening(s);
        return;
    }
    command->file = (unsigned char *)s->input;
    s->input = NULL;
    s->input_room = 0;
    post(viewer, s, command);
    end_opening(s);
}

static void free_input(lc_connection *s)
{
    free(s->input);
    s->input = NULL;
    s->input_bytes = s->input_room = 0;
}

// Rejects the rest of the incoming message.
static void skip_message(lc_viewer *viewer, lc_connection *s, const char *why)
{
    say_error(viewer, s, lws_frame_is_binary(s->wsi) != 0 ? s->opening : NULL, why);
    end_opening(s);
    free_input(s);
    s->skip = true;
}

// Drops a partial file whose client no longer steers.
static void drop_file(lc_viewer *viewer, lc_connection *s)
{
    if (s->opening != NULL && s->input_bytes > 0 && lws_frame_is_binary(s->wsi) != 0 &&
        !lc_hub_steers(&viewer->hub, s->client))
        skip_message(viewer, s, "somebody else is steering; take over first");
}

// Makes room for `bytes` more of a message of at most `limit` bytes. Returns false if it is longer,
// or out of memory.
static bool make_room(lc_connection *s, size_t bytes, size_t limit)
{
    const size_t need = s->input_bytes + bytes;
    if (need > limit)
        return false;
    if (need <= s->input_room)
        return true;
    size_t room = s->input_room < RECEIVE_BYTES ? RECEIVE_BYTES : s->input_room * 2;
    room = room < need ? need : room;
    char *input = realloc(s->input, room);
    if (input == NULL)
        return false;
    s->input = input;
    s->input_room = room;
    return true;
}

static void receive(lc_viewer *viewer, lc_connection *s, const void *bytes, size_t length)
{
    const bool binary = lws_frame_is_binary(s->wsi) != 0;
    // If the client no longer steers, its file is rejected.
    const bool opens = s->opening != NULL && lc_hub_steers(&viewer->hub, s->client);
    const size_t limit = !binary ? LC_VIEW_TEXT_BYTES_MAX : opens ? s->opening->file_bytes : 0;
    if (lws_is_first_fragment(s->wsi)) {
        s->input_bytes = 0;
        s->skip = false;
    }
    if (!s->skip && !make_room(s, length, limit))
        skip_message(viewer, s,
                     binary ? "that file was not announced, or is larger than announced"
                            : "a message has at most 2 MiB");
    if (s->skip)
        return;
    if (length > 0)
        memcpy(s->input + s->input_bytes, bytes, length);
    s->input_bytes += length;
    if (!lws_is_final_fragment(s->wsi))
        return;
    if (binary)
        take_file(viewer, s);
    else
        take_text(viewer, s);
    s->input_bytes = 0;
    if (s->input_room > RECEIVE_BYTES) // long messages are rare
        free_input(s);
}

// Stops reading from a client whose commands are queued, or that does not take its answers.
static void throttle(lc_viewer *viewer, lc_connection *s)
{
    const bool full = lc_hub_is_full(&viewer->hub, s->client);
    if (full != s->throttled)
        lws_rx_flow_control(s->wsi, full ? 0 : 1);
    s->throttled = full;
}

// ---- messages to clients -----------------------------------------------------------------------

// Sends a heartbeat, if it is due.
static int send_heartbeat(lc_connection *s)
{
    static const char text[] = "{\"is\":\"alive\"}";
    unsigned char bytes[LWS_PRE + sizeof text];
    if (!s->silent)
        return 0;
    s->silent = false;
    memcpy(bytes + LWS_PRE, text, sizeof text);
    return lws_write(s->wsi, bytes + LWS_PRE, sizeof text - 1, LWS_WRITE_TEXT) < 0 ? -1 : 0;
}

// Returns whether a picture may be sent at its size, and records it as sent. Later pictures of this
// client become coarser or finer, to suit its connection.
static bool fits(lc_viewer *viewer, lc_connection *s, const lc_outgoing *frame, size_t size_bytes)
{
    enum { FINER = 6 }; // a picture of the next finer scale may have this many times the bytes
    // Until the speed is known, pictures of a resting universe have no limit: nothing waits for
    // them yet.
    const bool is_known = lc_link_speed_is_known(&s->link);
    const size_t room = is_known || frame->moves ? lc_link_speed_limit_bytes(&s->link) : SIZE_MAX;
    if (frame->may_be_coarser && size_bytes > room)
        return false;
    if (is_known && frame->may_be_coarser && size_bytes < room / FINER)
        lc_hub_make_finer(&viewer->hub, s->client);
    lc_link_speed_sent(&s->link, frame->number, size_bytes, lc_view_now_ns());
    return true;
}

// Sends the next piece of a message. A browser delivers only whole messages to its page, so over a
// slow line a large one would look like silence.
static int send_piece(lc_viewer *viewer, lc_connection *s)
{
    lc_outgoing *whole = s->partial;
    const size_t left = whole->size_bytes - s->partial_sent;
    const size_t bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
    const int written =
        lws_write(s->wsi, lc_outgoing_bytes(whole) + s->partial_sent, bytes, LWS_WRITE_BINARY);
    s->silent = false;
    s->partial_sent += bytes;
    if (bytes == left) {
        lc_hub_sent(&viewer->hub, s->client, whole);
        s->partial = NULL;
    }
    lws_callback_on_writable(s->wsi);
    return written < 0 ? -1 : 0;
}

// Announces a message in pieces.
static int begin_pieces(lc_connection *s, lc_outgoing *whole)
{
    char text[LWS_PRE + 80];
    const int length = snprintf(text + LWS_PRE, sizeof text - LWS_PRE,
                                "{\"is\":\"pieces\",\"bytes\":%zu,\"text\":%s}", whole->size_bytes,
                                whole->binary ? "false" : "true");
    s->partial = whole;
    s->partial_sent = 0;
    lws_callback_on_writable(s->wsi);
    return lws_write(s->wsi, (unsigned char *)text + LWS_PRE, (size_t)length, LWS_WRITE_TEXT) < 0
               ? -1
               : 0;
}

static int send_next(lc_viewer *viewer, lc_connection *s)
{
    if (s->partial != NULL)
        return send_piece(viewer, s);
    lc_outgoing *outgoing = lc_hub_next(&viewer->hub, s->client);
    if (outgoing == NULL)
        return send_heartbeat(s);
    s->silent = false;
    lc_outgoing *compressed = NULL;
    if (outgoing->is_frame)
        compressed = lc_deflater_compress(&s->deflater, outgoing,
                                          lc_link_speed_compresses(&s->link, outgoing->size_bytes),
                                          lc_view_now_ns());
    lc_outgoing *sent = compressed != NULL ? compressed : outgoing;
    if (outgoing->is_frame && !fits(viewer, s, outgoing, sent->size_bytes)) {
        free(compressed);
        lc_hub_not_sent(&viewer->hub, s->client, outgoing);
        lws_callback_on_writable(s->wsi);
        return 0;
    }
    if (compressed != NULL)
        lc_hub_sent(&viewer->hub, s->client, outgoing);
    if (s->joins && sent->size_bytes > PIECE_BYTES && !lc_link_speed_is_quick(&s->link))
        return begin_pieces(s, sent);
    const int written = lws_write(s->wsi, lc_outgoing_bytes(sent), sent->size_bytes,
                                  sent->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    lc_hub_sent(&viewer->hub, s->client, sent);
    lws_callback_on_writable(s->wsi);
    return written < 0 ? -1 : 0;
}

static int join(lc_viewer *viewer, lc_connection *s, struct lws *wsi)
{
    *s = (lc_connection){.wsi = wsi, .client = lc_admit(viewer, wsi)};
    if (s->client.slot < 0)
        return -1; // another client has taken the last place
    lc_pending_remove(&viewer->pending, wsi);
    s->next = viewer->sessions;
    viewer->sessions = s;
    return 0;
}

static void leave(lc_viewer *viewer, lc_connection *s)
{
    lc_connection **link = &viewer->sessions;
    while (*link != NULL && *link != s)
        link = &(*link)->next;
    if (*link == NULL)
        return; // it was never admitted
    *link = s->next;
    lc_hub_leave(&viewer->hub, s->client);
    end_opening(s);
    free(s->input);
    free(s->partial);
    lc_deflater_free(&s->deflater);
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t length)
{
    lc_connection *s = user;
    lc_viewer *viewer = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return lc_refuse_client(viewer, wsi) == LC_REFUSAL_NONE ? 0 : 1;
    case LWS_CALLBACK_ESTABLISHED:
        return join(viewer, s, wsi);
    case LWS_CALLBACK_RECEIVE:
        receive(viewer, s, in, length);
        throttle(viewer, s);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        throttle(viewer, s);
        return send_next(viewer, s);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: // the hub has something
        for (lc_connection *each = viewer->sessions; each != NULL; each = each->next) {
            throttle(viewer, each);
            drop_file(viewer, each);
            lws_callback_on_writable(each->wsi);
        }
        return 0;
    case LWS_CALLBACK_CLOSED:
        leave(viewer, s);
        return 0;
    default:
        return 0;
    }
}

// ---- the whole ---------------------------------------------------------------------------------

static const struct lws_protocols protocols[] = {
    {"http", lc_server_on_http, sizeof(lc_connection), RECEIVE_BYTES, 0, NULL, 0},
    {"lightcone-view", on_socket, sizeof(lc_connection), RECEIVE_BYTES, 1, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// Pings a silent connection, and closes it if it does not answer.
static const lws_retry_bo_t idle_policy = {.secs_since_valid_ping = 20,
                                           .secs_since_valid_hangup = 40};

// Headers of every response, including errors. The page loads nothing from other sites. Pages of
// other sites may not frame it, embed its files, or have it as opener.
static const struct lws_protocol_vhost_options headers[] = {
    {&headers[1], NULL, "x-content-type-options:", "nosniff"},
    {&headers[2], NULL, "referrer-policy:", "no-referrer"},
    {&headers[3], NULL, "cross-origin-resource-policy:", "same-origin"},
    {NULL, NULL, "cross-origin-opener-policy:", "same-origin"},
};

// Writes the content security policy, which names the one inline script of the page.
static void write_policy(lc_viewer *viewer)
{
    snprintf(viewer->policy_text, sizeof viewer->policy_text,
             "default-src 'none'; script-src 'self' '%s'; style-src 'self'; "
             "img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; "
             "form-action 'none'; frame-ancestors 'none'",
             lc_page_texts_script_hash);
    viewer->policy = (struct lws_protocol_vhost_options){
        headers, NULL, "content-security-policy:", viewer->policy_text};
}

static void wake(void *context)
{
    lws_cancel_service(context);
}

// Returns the largest number of connections. The process needs file descriptors for other purposes
// as well.
static unsigned most_connections(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur / 2 > CONNECTIONS_MAX)
        return CONNECTIONS_MAX;
    return files.rlim_cur / 2 > 4 * LC_CLIENTS_MAX ? (unsigned)(files.rlim_cur / 2)
                                                   : 4 * LC_CLIENTS_MAX;
}

static lc_status listen_on(lc_viewer *viewer, lc_message *message)
{
    const lc_viewer_options *options = &viewer->options;
    const char *address = options->address != NULL ? options->address : "127.0.0.1";
    const bool is_ipv6 = strchr(address, ':') != NULL;
    int port = options->port;
    lc_status status = lc_address_find(address, &port, options->more_ports, message);
    if (status != LC_OK)
        return status;
    const unsigned connections = most_connections();
    lc_pending_create(&viewer->pending, connections / 2);
    write_policy(viewer);
    struct lws_context_creation_info info = {
        .port = port,
        // With "::" as the interface, libwebsockets 4.3 leaves out IPv4.
        .iface = lc_address_is_all(address) ? NULL : address,
        .protocols = protocols,
        .headers = &viewer->policy,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   (is_ipv6 ? 0 : (uint64_t)LWS_SERVER_OPTION_DISABLE_IPV6),
        .fd_limit_per_thread = connections,
        // A client that sends half a request does not delay others.
        .max_http_header_pool2 = connections,
        .keepalive_timeout = 30,
        .timeout_secs = 10,
        .retry_and_idle_policy = &idle_policy,
        .server_string = "lightcone",
        .user = viewer,
    };
    lws_set_log_level(0, NULL);
    viewer->context = lws_create_context(&info);
    if (viewer->context == NULL)
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s, port %d: libwebsockets refuses it", address, port);
    struct lws_vhost *vhost = lws_get_vhost_by_name(viewer->context, "default");
    viewer->port = port != 0 ? port : lws_get_vhost_listen_port(vhost);
    viewer->hub.wake = wake;
    viewer->hub.wake_context = viewer->context;
    return LC_OK;
}

// Adds an address of the page: `origin`, "http://192.0.2.7:8080", and the token, for steering and
// for watching.
static bool add_url(lc_viewer *viewer, size_t i, const char *origin)
{
    const char *tokens[] = {viewer->options.token, viewer->options.watch_token};
    for (size_t who = 0; who < 2; who++) {
        const char *token = tokens[who];
        const bool any = who == 0 || token != NULL;
        if (any && asprintf(&viewer->urls[who][i], "%s/%s%s", origin,
                            token != NULL ? "#token=" : "", token != NULL ? token : "") < 0) {
            viewer->urls[who][i] = NULL;
            return false;
        }
    }
    return true;
}

// Lists the proxy's address first, then numeric ones, then the name of this machine, if the server
// listens on all of its addresses.
static lc_status write_urls(lc_viewer *viewer)
{
    const lc_viewer_options *options = &viewer->options;
    const char *address = options->address != NULL ? options->address : "127.0.0.1";
    const bool any = strcmp(address, "0.0.0.0") == 0 || lc_address_is_all(address);
    char names[LC_URLS_MAX - 1][LC_ADDRESS_BYTES], origin[LC_ADDRESS_BYTES + 32];
    size_t count = lc_address_reach(address, names, LC_URLS_MAX - 2), urls = 0;
    if (any && gethostname(names[count], LC_ADDRESS_BYTES) == 0) {
        names[count][LC_ADDRESS_BYTES - 1] = '\0';
        count++;
    }
    if (options->origin != NULL && !add_url(viewer, urls++, options->origin))
        return LC_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        snprintf(origin, sizeof origin, "http://%.63s:%d", names[i], viewer->port);
        if (!add_url(viewer, urls++, origin))
            return LC_ERROR_MEMORY;
    }
    return LC_OK;
}

lc_status lc_viewer_create(lc_viewer **out, const lc_viewer_options *options, lc_universe *universe,
                           lc_message *message)
{
    *out = NULL;
    lc_viewer *viewer = calloc(1, sizeof *viewer);
    if (viewer == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a viewer");
    viewer->options = *options;
    lc_status status = lc_hub_create(&viewer->hub, message);
    if (status != LC_OK) {
        free(viewer);
        return status;
    }
    status = listen_on(viewer, message);
    if (status == LC_OK)
        status = write_urls(viewer);
    if (status == LC_OK)
        status = lc_simulation_start(&viewer->simulation, &viewer->hub, &viewer->options, universe,
                                     message);
    if (status != LC_OK)
        lc_viewer_destroy(&viewer);
    *out = viewer;
    return status;
}

const char *lc_viewer_url(const lc_viewer *viewer, size_t i, bool watch)
{
    return i < LC_URLS_MAX ? viewer->urls[watch][i] : NULL;
}

int lc_viewer_port(const lc_viewer *viewer)
{
    return viewer->port;
}

static void check_stop(lws_sorted_usec_list_t *timer)
{
    lc_viewer *viewer = lws_container_of(timer, lc_viewer, timer);
    viewer->over = viewer->stop();
    lws_sul_schedule(viewer->context, 0, timer, check_stop, STOP_CHECK_US);
}

// Tells the clients each second that the universe's thread has stopped giving signs of life, and
// once that it does again.
static void look_after_universe(lc_viewer *viewer)
{
    enum { STUCK_S = 4 };
    const uint64_t now_ns = lc_view_now_ns(), signs = atomic_load(&viewer->hub.signs);
    if (signs != viewer->signs || viewer->signs_ns == 0 || atomic_load(&viewer->hub.waits)) {
        viewer->signs = signs;
        viewer->signs_ns = now_ns;
    }
    const unsigned seconds = (unsigned)((now_ns - viewer->signs_ns) / 1000000000);
    const unsigned stuck = seconds >= STUCK_S ? seconds : 0;
    if (stuck == viewer->told_stuck)
        return;
    viewer->told_stuck = stuck;
    for (lc_connection *s = viewer->sessions; s != NULL; s = s->next) {
        json_t *object = lc_reply("stuck", NULL);
        json_object_set_new(object, "seconds", json_integer(stuck));
        lc_hub_say(&viewer->hub, s->client, object);
    }
}

// Sends each client something at least every HEART_US microseconds: a client that gets nothing
// knows that the server hangs or is gone. The heartbeat comes from the server's thread, since the
// universe's may be busy for longer.
static void beat(lws_sorted_usec_list_t *heart)
{
    lc_viewer *viewer = lws_container_of(heart, lc_viewer, heart);
    look_after_universe(viewer);
    lc_hub_pass_helm(&viewer->hub, lc_view_now_ns());
    for (lc_connection *s = viewer->sessions; s != NULL; s = s->next) {
        if (s->silent)
            lws_callback_on_writable(s->wsi);
        s->silent = true;
    }
    lws_sul_schedule(viewer->context, 0, heart, beat, HEART_US / 2);
}

lc_status lc_viewer_serve(lc_viewer *viewer, bool (*stop)(void), lc_message *message)
{
    viewer->stop = stop;
    lws_sul_schedule(viewer->context, 0, &viewer->timer, check_stop, 1);
    lws_sul_schedule(viewer->context, 0, &viewer->heart, beat, HEART_US / 2);
    while (!viewer->over)
        if (lws_service(viewer->context, 0) < 0)
            return lc_fail(message, LC_ERROR_SYSTEM, "the server's loop has ended");
    return LC_OK;
}

bool lc_viewer_end(lc_viewer *viewer, uint64_t patience_ns)
{
    return lc_simulation_end(&viewer->simulation, patience_ns);
}

bool lc_viewer_is_unsaved(const lc_viewer *viewer)
{
    return viewer->simulation.was_unsaved;
}

const char *lc_viewer_name(const lc_viewer *viewer)
{
    return viewer->simulation.name;
}

lc_universe *lc_viewer_release(lc_viewer *viewer)
{
    return lc_simulation_stop(&viewer->simulation);
}

void lc_viewer_destroy(lc_viewer **viewer)
{
    lc_viewer *v = *viewer;
    if (v == NULL)
        return;
    // The universe's thread wakes the context, so it ends first.
    lc_universe *universe = lc_simulation_stop(&v->simulation);
    lc_universe_destroy(&universe);
    if (v->context != NULL)
        lws_context_destroy(v->context);
    lc_hub_destroy(&v->hub);
    for (size_t i = 0; i < LC_URLS_MAX; i++) {
        free(v->urls[0][i]);
        free(v->urls[1][i]);
    }
    free(v);
    *viewer = NULL;
}
