// The server: HTTP for the page and for files that were saved, a WebSocket for everything else.
//
// One thread, the caller of lc_viewer_serve, runs libwebsockets' loop. What a client says becomes a
// command in the hub; what the universe's thread has left in the hub is sent when the client's
// socket is ready. Pictures are compressed here, if at all, so that stepping does not wait for it.
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "address.h"
#include "deflater.h"
#include "now.h"
#include "page.h"
#include "simulation.h"

_Static_assert(LC_SEND_RESERVE >= LWS_PRE, "libwebsockets writes its header in front");

enum { CONNECTIONS_MAX = 64, RECEIVE_BYTES = 1 << 16, HEADER_BYTES = 2048, STOP_CHECK_US = 100000 };

typedef struct session {
    struct session *next;
    struct lws *wsi;
    lc_client client; // of a WebSocket; slot -1 before
    // An incoming message.
    char *input;
    size_t input_bytes, input_room;
    bool skip;                // the rest of a message that is too long
    lc_view_command *opening; // its file is still to come; NULL: none is
    bool throttled;
    lc_deflater deflater;
    // The body of an HTTP answer, after LWS_PRE bytes.
    unsigned char *body;
    size_t body_bytes;
} session;

struct lc_viewer {
    lc_viewer_options options;
    char *url;
    int port;
    struct lws_context *context;
    lc_hub hub;
    lc_simulation simulation;
    session *sessions; // that speak the protocol
    bool (*stop)(void);
    bool over;
    lws_sorted_usec_list_t timer;
};

// ---- access ------------------------------------------------------------------------------------

static bool copy_header(struct lws *wsi, enum lws_token_indexes header, char *text, int size)
{
    *text = '\0';
    return lws_hdr_total_length(wsi, header) == 0 || lws_hdr_copy(wsi, text, size, header) >= 0;
}

static bool may_come_in(const lc_viewer *viewer, struct lws *wsi, bool needs_token)
{
    char host[300], origin[300], argument[300];
    const char *token = viewer->options.token;
    if (!copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host) ||
        !copy_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin))
        return false;
    if (token == NULL && !lc_access_host(host))
        return false;
    if (!needs_token)
        return true;
    return lc_access_origin(origin, host) &&
           lc_access_token(token, lws_get_urlarg_by_name(wsi, "token=", argument, sizeof argument));
}

static bool may_connect(const lc_viewer *viewer, struct lws *wsi)
{
    char address[32];
    return copy_header(wsi, WSI_TOKEN_GET_URI, address, sizeof address) &&
           strcmp(address, "/socket") == 0 && may_come_in(viewer, wsi, true);
}

static const char forbidden[] = "not allowed from there, or not without the token";

// ---- HTTP --------------------------------------------------------------------------------------

static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                             "img-src 'self' blob: data:; connect-src 'self'; "
                             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static int add_header(struct lws *wsi, const char *name, const char *value, unsigned char **p,
                      unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), p, end);
}

static int refuse(struct lws *wsi, unsigned code, const char *text)
{
    return lws_return_http_status(wsi, code, text) != 0 || lws_http_transaction_completed(wsi) != 0
               ? -1
               : 0;
}

static int send_page(struct lws *wsi, session *s, const lc_page_file *file)
{
    unsigned char buffer[LWS_PRE + HEADER_BYTES], *start = buffer + LWS_PRE, *p = start;
    unsigned char *end = buffer + sizeof buffer;
    free(s->body);
    s->body = malloc(LWS_PRE + file->size_bytes);
    if (s->body == NULL)
        return -1;
    memcpy(s->body + LWS_PRE, file->text, file->size_bytes);
    s->body_bytes = file->size_bytes;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, file->type, file->size_bytes, &p, end) ||
        add_header(wsi, "content-security-policy:", policy, &p, end) ||
        add_header(wsi, "x-content-type-options:", "nosniff", &p, end) ||
        add_header(wsi, "referrer-policy:", "no-referrer", &p, end) ||
        add_header(wsi, "cache-control:", "no-cache", &p, end) ||
        lws_finalize_write_http_header(wsi, start, &p, end))
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_saved(struct lws *wsi, const char *path)
{
    static const char headers[] = "content-disposition: attachment\r\n"
                                  "x-content-type-options: nosniff\r\n"
                                  "cache-control: no-store\r\n";
    const int sent = lws_serve_http_file(wsi, path, "application/octet-stream", headers,
                                         (int)sizeof headers - 1);
    // Negative: it failed; positive: it is all sent.
    return sent < 0 || (sent > 0 && lws_http_transaction_completed(wsi) != 0) ? -1 : 0;
}

static int answer_get(lc_viewer *viewer, struct lws *wsi, session *s, const char *address)
{
    lc_page_file file;
    char path[320];
    const bool is_saved = strncmp(address, "/saved/", 7) == 0;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0)
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET is possible here");
    if (!may_come_in(viewer, wsi, is_saved))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN, forbidden);
    if (is_saved && lc_hub_find_saved(&viewer->hub, address, path))
        return send_saved(wsi, path);
    if (lc_page_find(address, &file))
        return send_page(wsi, s, &file);
    return refuse(wsi, HTTP_STATUS_NOT_FOUND, "there is nothing at this address");
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t length)
{
    session *s = user;
    lc_viewer *viewer = lws_context_user(lws_get_context(wsi));
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return answer_get(viewer, wsi, s, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        if (s->body == NULL)
            return 0;
        if (lws_write(wsi, s->body + LWS_PRE, s->body_bytes, LWS_WRITE_HTTP_FINAL) < 0)
            return -1;
        free(s->body);
        s->body = NULL;
        return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
    case LWS_CALLBACK_HTTP_FILE_COMPLETION:
        return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        if (s != NULL) {
            free(s->body);
            s->body = NULL;
        }
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: // any WebSocket, before its protocol is looked at
        if (may_connect(viewer, wsi))
            return 0;
        return lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, forbidden) != 0 ? -1 : 1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: // a WebSocket without our protocol
        return 1;
    default:
        return 0;
    }
}

// ---- what clients say --------------------------------------------------------------------------

static void say_error(lc_viewer *viewer, const session *s, const lc_view_command *command,
                      const char *text)
{
    lc_hub_say(&viewer->hub, s->client, lc_say_error(command, text));
}

static void post(lc_viewer *viewer, session *s, lc_view_command *command)
{
    lc_message message = {0};
    const lc_view_command asked = {.has_id = command->has_id, .id = command->id};
    if (lc_hub_post(&viewer->hub, s->client, command, &message) != LC_OK)
        say_error(viewer, s, &asked, message.text);
}

static void end_opening(session *s)
{
    if (s->opening != NULL)
        lc_view_command_free(s->opening);
    free(s->opening);
    s->opening = NULL;
}

// A file is announced: its bytes come in the next message.
static void expect_file(lc_viewer *viewer, session *s, lc_view_command *command)
{
    end_opening(s);
    s->opening = lc_hub_steers(&viewer->hub, s->client) ? malloc(sizeof *s->opening) : NULL;
    if (s->opening == NULL) {
        say_error(viewer, s, command, "somebody else is steering; take over first");
        lc_view_command_free(command);
        return;
    }
    *s->opening = *command;
}

static void take_text(lc_viewer *viewer, session *s)
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
            lc_deflater_choose(&s->deflater, command.look.deflate);
        else if (command.what == LC_DO_DRAWN)
            lc_deflater_arrived(&s->deflater, command.frame, lc_view_now_ns());
        const bool answers = command.has_id && command.what <= LC_DO_TAKE;
        if (answers) // these cannot fail, and what follows from them comes after the answer
            lc_hub_say(&viewer->hub, s->client, lc_say("done", &command));
        post(viewer, s, &command);
    }
}

static void take_file(lc_viewer *viewer, session *s)
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

static void free_input(session *s)
{
    free(s->input);
    s->input = NULL;
    s->input_bytes = s->input_room = 0;
}

// The rest of the incoming message is not wanted.
static void skip_message(lc_viewer *viewer, session *s, const char *why)
{
    say_error(viewer, s, lws_frame_is_binary(s->wsi) != 0 ? s->opening : NULL, why);
    end_opening(s);
    free_input(s);
    s->skip = true;
}

// A client that no longer steers need not go on with a file, and what has arrived of it is dropped.
static void drop_file(lc_viewer *viewer, session *s)
{
    if (s->opening != NULL && s->input_bytes > 0 && lws_frame_is_binary(s->wsi) != 0 &&
        !lc_hub_steers(&viewer->hub, s->client))
        skip_message(viewer, s, "somebody else is steering; take over first");
}

// Makes room for `bytes` more of a message of at most `limit`; false if there is none.
static bool make_room(session *s, size_t bytes, size_t limit)
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

static void receive(lc_viewer *viewer, session *s, const void *bytes, size_t length)
{
    const bool binary = lws_frame_is_binary(s->wsi) != 0;
    // A client that no longer steers need not go on.
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

// A client whose commands wait, or that does not take its answers, is not read from.
static void throttle(lc_viewer *viewer, session *s)
{
    const bool full = lc_hub_is_full(&viewer->hub, s->client);
    if (full != s->throttled)
        lws_rx_flow_control(s->wsi, full ? 0 : 1);
    s->throttled = full;
}

// ---- what clients get --------------------------------------------------------------------------

static int send_next(lc_viewer *viewer, session *s)
{
    lc_outgoing *outgoing = lc_hub_next(&viewer->hub, s->client);
    if (outgoing == NULL)
        return 0;
    lc_outgoing *compressed = NULL;
    if (outgoing->is_frame)
        compressed = lc_deflater_compress(&s->deflater, outgoing, lc_view_now_ns());
    lc_outgoing *sent = compressed != NULL ? compressed : outgoing;
    const int written = lws_write(s->wsi, lc_outgoing_bytes(sent), sent->size_bytes,
                                  sent->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    free(compressed);
    lc_hub_sent(&viewer->hub, s->client, outgoing);
    lws_callback_on_writable(s->wsi);
    return written < 0 ? -1 : 0;
}

static int join(lc_viewer *viewer, session *s, struct lws *wsi)
{
    *s = (session){.wsi = wsi, .client = lc_hub_join(&viewer->hub)};
    if (s->client.slot < 0) {
        static unsigned char why[] = "too many viewers";
        lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, why, sizeof why - 1);
        return -1;
    }
    s->next = viewer->sessions;
    viewer->sessions = s;
    return 0;
}

static void leave(lc_viewer *viewer, session *s)
{
    session **link = &viewer->sessions;
    while (*link != NULL && *link != s)
        link = &(*link)->next;
    if (*link == NULL)
        return; // it was never let in
    *link = s->next;
    lc_hub_leave(&viewer->hub, s->client);
    end_opening(s);
    free(s->input);
    lc_deflater_free(&s->deflater);
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t length)
{
    session *s = user;
    lc_viewer *viewer = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return may_connect(viewer, wsi) ? 0 : 1;
    case LWS_CALLBACK_ESTABLISHED:
        return join(viewer, s, wsi);
    case LWS_CALLBACK_RECEIVE:
        receive(viewer, s, in, length);
        throttle(viewer, s);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        throttle(viewer, s);
        return send_next(viewer, s);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: // there is something in the hub
        for (session *each = viewer->sessions; each != NULL; each = each->next) {
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
    {"http", on_http, sizeof(session), RECEIVE_BYTES, 0, NULL, 0},
    {"lightcone-view", on_socket, sizeof(session), RECEIVE_BYTES, 1, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// A silent connection is asked whether it is still there, and closed if not.
static const lws_retry_bo_t idle_policy = {.secs_since_valid_ping = 20,
                                           .secs_since_valid_hangup = 40};

static void wake(void *context)
{
    lws_cancel_service(context);
}

static lc_status listen_on(lc_viewer *viewer, lc_message *message)
{
    const lc_viewer_options *options = &viewer->options;
    const char *address = options->address != NULL ? options->address : "127.0.0.1";
    const bool is_ipv6 = strchr(address, ':') != NULL;
    lc_status status = lc_address_try(address, options->port, message);
    if (status != LC_OK)
        return status;
    struct lws_context_creation_info info = {
        .port = options->port,
        // If "::" is named, libwebsockets 4.3 leaves out IPv4.
        .iface = lc_address_is_all(address) ? NULL : address,
        .protocols = protocols,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   (is_ipv6 ? 0 : (uint64_t)LWS_SERVER_OPTION_DISABLE_IPV6),
        .fd_limit_per_thread = CONNECTIONS_MAX,
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
                       "cannot listen on %s, port %d: libwebsockets refuses it", address,
                       options->port);
    struct lws_vhost *vhost = lws_get_vhost_by_name(viewer->context, "default");
    viewer->port = options->port != 0 ? options->port : lws_get_vhost_listen_port(vhost);
    viewer->hub.wake = wake;
    viewer->hub.wake_context = viewer->context;
    return LC_OK;
}

static lc_status write_url(lc_viewer *viewer)
{
    const lc_viewer_options *options = &viewer->options;
    const char *address = options->address != NULL ? options->address : "127.0.0.1";
    const bool is_ipv6 = strchr(address, ':') != NULL;
    const bool any = strcmp(address, "0.0.0.0") == 0 || lc_address_is_all(address);
    char name[256] = "localhost";
    if (any)
        gethostname(name, sizeof name - 1);
    return asprintf(&viewer->url, "http://%s%s%s:%d/%s%s", is_ipv6 && !any ? "[" : "",
                    any ? name : address, is_ipv6 && !any ? "]" : "", viewer->port,
                    options->token != NULL ? "#token=" : "",
                    options->token != NULL ? options->token : "") < 0
               ? LC_ERROR_MEMORY
               : LC_OK;
}

lc_status lc_viewer_create(lc_viewer **out, const lc_viewer_options *options, lc_universe *universe,
                           lc_message *message)
{
    *out = NULL;
    lc_viewer *viewer = calloc(1, sizeof *viewer);
    if (viewer == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "there is no memory for a viewer");
    viewer->options = *options;
    lc_status status = lc_hub_create(&viewer->hub, message);
    if (status != LC_OK) {
        free(viewer);
        return status;
    }
    status = listen_on(viewer, message);
    if (status == LC_OK)
        status = write_url(viewer);
    if (status == LC_OK)
        status = lc_simulation_start(&viewer->simulation, &viewer->hub, &viewer->options, universe,
                                     message);
    if (status != LC_OK)
        lc_viewer_destroy(&viewer);
    *out = viewer;
    return status;
}

const char *lc_viewer_url(const lc_viewer *viewer)
{
    return viewer->url;
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

lc_status lc_viewer_serve(lc_viewer *viewer, bool (*stop)(void), lc_message *message)
{
    viewer->stop = stop;
    lws_sul_schedule(viewer->context, 0, &viewer->timer, check_stop, 1);
    while (!viewer->over)
        if (lws_service(viewer->context, 0) < 0)
            return lc_fail(message, LC_ERROR_SYSTEM, "the server's loop has ended");
    return LC_OK;
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
    free(v->url);
    free(v);
    *viewer = NULL;
}
