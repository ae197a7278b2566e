// HTTP: the page, saved files, and the replies to refused peers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "server.h"

enum { HEADER_BYTES = 2048 };

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

// A reply.
typedef struct answer {
    unsigned status;
    const char *type;
    const void *bytes;
    size_t size_bytes;
    bool gzip;
    const char *cache, *tag; // tag: NULL for none
} answer;

static bool asks_for_head(struct lws *wsi)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
}

// Sends the headers now, and the body when the socket can take it.
static int send_answer(struct lws *wsi, lc_connection *s, const answer *a)
{
    unsigned char buffer[LWS_PRE + HEADER_BYTES], *start = buffer + LWS_PRE, *p = start;
    unsigned char *end = buffer + sizeof buffer;
    const bool is_known = a->status == HTTP_STATUS_NOT_MODIFIED;
    const bool has_body = !asks_for_head(wsi) && !is_known;
    if ((is_known ? lws_add_http_header_status(wsi, a->status, &p, end)
                  : lws_add_http_common_headers(wsi, a->status, a->type, a->size_bytes, &p, end)) ||
        add_header(wsi, "cache-control:", a->cache, &p, end) ||
        (a->gzip && !is_known && add_header(wsi, "content-encoding:", "gzip", &p, end)) ||
        (a->tag != NULL && (add_header(wsi, "etag:", a->tag, &p, end) ||
                            add_header(wsi, "vary:", "accept-encoding", &p, end))) ||
        lws_finalize_write_http_header(wsi, start, &p, end))
        return -1;
    if (!has_body)
        return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
    free(s->body);
    s->body = malloc(LWS_PRE + a->size_bytes);
    if (s->body == NULL)
        return -1;
    memcpy(s->body + LWS_PRE, a->bytes, a->size_bytes);
    s->body_bytes = a->size_bytes;
    lws_callback_on_writable(wsi);
    return 0;
}

// Returns whether a header contains that word.
static bool header_has(struct lws *wsi, enum lws_token_indexes header, const char *word)
{
    char text[512];
    return lws_hdr_total_length(wsi, header) > 0 &&
           lws_hdr_copy(wsi, text, sizeof text, header) > 0 && strstr(text, word) != NULL;
}

// Sends a file of the page, compressed or plain, or 304 if the browser's copy is current.
static int send_page(struct lws *wsi, lc_connection *s, const lc_page_file *file)
{
    char tag[64];
    const bool gzip = header_has(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, "gzip");
    snprintf(tag, sizeof tag, "\"%s%s\"", file->word, gzip ? "-gz" : "");
    const bool known = header_has(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, tag);
    const answer a = {.status = known ? HTTP_STATUS_NOT_MODIFIED : HTTP_STATUS_OK,
                      .type = file->type,
                      .bytes = gzip ? (const void *)file->gzip : file->text,
                      .size_bytes = gzip ? file->gzip_bytes : file->size_bytes,
                      .gzip = gzip,
                      .cache = "no-cache", // browsers may store it, but must revalidate it
                      .tag = tag};
    return send_answer(wsi, s, &a);
}

static int send_saved(struct lws *wsi, const char *path)
{
    static const char headers[] = "content-disposition: attachment\r\n"
                                  "cache-control: no-store\r\n";
    const int sent = lws_serve_http_file(wsi, path, "application/octet-stream", headers,
                                         (int)sizeof headers - 1);
    // Negative: an error; positive: all bytes are sent.
    return sent < 0 || (sent > 0 && lws_http_transaction_completed(wsi) != 0) ? -1 : 0;
}

// Says why the server would refuse a WebSocket. A browser does not tell its page, so the page asks.
static int send_refusal(lc_viewer *viewer, struct lws *wsi, lc_connection *s)
{
    json_t *object = lc_refusal_say(lc_refuse_client(viewer, wsi));
    char *text = json_dumps(object, JSON_COMPACT);
    const answer a = {.status = HTTP_STATUS_OK,
                      .type = "application/json",
                      .bytes = text,
                      .size_bytes = text != NULL ? strlen(text) : 0,
                      .cache = "no-store"};
    const int sent = text != NULL ? send_answer(wsi, s, &a) : -1;
    free(text);
    json_decref(object);
    return sent;
}

static int answer_get(lc_viewer *viewer, struct lws *wsi, lc_connection *s, const char *address)
{
    lc_page_file file;
    char path[320];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 && !asks_for_head(wsi))
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD are possible here");
    const lc_refusal refusal = lc_refuse_page(viewer, wsi);
    if (refusal != LC_REFUSAL_NONE)
        return refuse(wsi, lc_refusal_status(refusal), lc_refusal_text(refusal));
    if (strcmp(address, "/socket") == 0)
        return send_refusal(viewer, wsi, s);
    // The random address of a saved file serves as its token.
    if (strncmp(address, "/saved/", 7) == 0 && lc_hub_find_saved(&viewer->hub, address, path))
        return send_saved(wsi, path);
    if (lc_page_find(address, &file))
        return send_page(wsi, s, &file);
    return refuse(wsi, HTTP_STATUS_NOT_FOUND, "there is nothing at this address");
}

// Checks any WebSocket before libwebsockets looks at its protocol.
static int confirm_upgrade(lc_viewer *viewer, struct lws *wsi)
{
    char address[32];
    const bool here = lws_hdr_copy(wsi, address, sizeof address, WSI_TOKEN_GET_URI) >= 0 &&
                      strcmp(address, "/socket") == 0;
    const lc_refusal refusal = here ? lc_refuse_client(viewer, wsi) : LC_REFUSAL_NONE;
    if (here && refusal == LC_REFUSAL_NONE)
        return 0;
    return lws_return_http_status(wsi, here ? lc_refusal_status(refusal) : HTTP_STATUS_NOT_FOUND,
                                  here ? lc_refusal_text(refusal)
                                       : "there is nothing at this address") != 0
               ? -1
               : 1;
}

// Adds a new connection to the pending ones, and closes the quietest if there are too many.
static void welcome(lc_viewer *viewer, struct lws *wsi)
{
    struct lws *quietest = lc_pending_add(&viewer->pending, wsi);
    if (quietest != NULL)
        lws_set_timeout(quietest, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

int lc_server_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t length)
{
    lc_connection *s = user;
    lc_viewer *viewer = lws_context_user(lws_get_context(wsi));
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        welcome(viewer, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        lc_pending_remove(&viewer->pending, wsi);
        return 0;
    case LWS_CALLBACK_HTTP:
        lc_pending_hear(&viewer->pending, wsi);
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
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return confirm_upgrade(viewer, wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: // a WebSocket without our protocol
        return 1;
    default:
        return 0;
    }
}
