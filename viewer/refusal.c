// Access control, from the headers of a request.
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "server.h"

enum { HOST_BYTES = 300, TOKEN_BYTES = 256, PROTOCOLS_BYTES = 384 };

static bool copy_header(struct lws *wsi, enum lws_token_indexes header, char *text, int size)
{
    *text = '\0';
    return lws_hdr_total_length(wsi, header) == 0 || lws_hdr_copy(wsi, text, size, header) >= 0;
}

// Finds a subprotocol that begins with `begin` and copies the rest of its name. Returns false if
// there is none.
static bool find_protocol(struct lws *wsi, const char *begin, char *value, int size)
{
    char text[PROTOCOLS_BYTES];
    if (!copy_header(wsi, WSI_TOKEN_PROTOCOL, text, sizeof text))
        return false;
    for (char *next, *one = strtok_r(text, ", \t", &next); one != NULL;
         one = strtok_r(NULL, ", \t", &next))
        if (strncmp(one, begin, strlen(begin)) == 0) {
            snprintf(value, (size_t)size, "%s", one + strlen(begin));
            return true;
        }
    return false;
}

// Returns the token of a request; NULL: none. A page sends it as a second subprotocol of its
// WebSocket, or as a header of HTTP requests, so that no log has it. Programs may send it in the
// address.
static const char *find_token(struct lws *wsi, char text[TOKEN_BYTES])
{
    if (find_protocol(wsi, LC_TOKEN_PROTOCOL, text, TOKEN_BYTES))
        return text;
    if (copy_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, text, TOKEN_BYTES) &&
        strncmp(text, "Bearer ", 7) == 0)
        return text + 7;
    return lws_get_urlarg_by_name(wsi, "token=", text, TOKEN_BYTES);
}

lc_refusal lc_refuse_page(const lc_viewer *viewer, struct lws *wsi)
{
    char host[HOST_BYTES];
    // An attacker who has pointed a host name at this machine does not know the token.
    return copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host) &&
                   (viewer->options.token != NULL || lc_access_host(host) ||
                    lc_access_host_of(host, viewer->options.origin))
               ? LC_REFUSAL_NONE
               : LC_REFUSAL_HOST;
}

lc_refusal lc_refuse_client(lc_viewer *viewer, struct lws *wsi)
{
    char host[HOST_BYTES], origin[HOST_BYTES], text[TOKEN_BYTES];
    const lc_refusal refusal = lc_refuse_page(viewer, wsi);
    if (refusal != LC_REFUSAL_NONE)
        return refusal;
    if (!copy_header(wsi, WSI_TOKEN_HOST, host, sizeof host) ||
        !copy_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) ||
        !lc_access_origin(origin, host, viewer->options.origin))
        return LC_REFUSAL_ORIGIN;
    const char *token = find_token(wsi, text);
    const bool watches =
        viewer->options.watch_token != NULL && lc_access_token(viewer->options.watch_token, token);
    if (!watches && !lc_access_token(viewer->options.token, token))
        return token == NULL || *token == '\0' ? LC_REFUSAL_NO_TOKEN : LC_REFUSAL_WRONG_TOKEN;
    char key[LC_KEY_BYTES] = "";
    (void)find_protocol(wsi, LC_KEY_PROTOCOL, key, sizeof key);
    return lc_hub_has_room(&viewer->hub, key) ? LC_REFUSAL_NONE : LC_REFUSAL_FULL;
}

lc_client lc_admit(lc_viewer *viewer, struct lws *wsi)
{
    char text[TOKEN_BYTES], key[LC_KEY_BYTES] = "";
    (void)find_protocol(wsi, LC_KEY_PROTOCOL, key, sizeof key);
    return lc_hub_join(&viewer->hub, lc_access_token(viewer->options.token, find_token(wsi, text)),
                       key);
}

static const struct {
    unsigned status;
    const char *why, *text;
} refusals[] = {
    [LC_REFUSAL_NONE] = {HTTP_STATUS_OK, "none", "a WebSocket may come in here"},
    [LC_REFUSAL_HOST] = {HTTP_STATUS_FORBIDDEN, "host",
                         "this name of the server is not one of its own: only localhost and "
                         "addresses in numbers are, unless it has a token"},
    [LC_REFUSAL_ORIGIN] = {HTTP_STATUS_FORBIDDEN, "origin",
                           "not allowed from there: this page is not the server's own"},
    [LC_REFUSAL_NO_TOKEN] = {HTTP_STATUS_FORBIDDEN, "no-token",
                             "not allowed without the token, which is in the address that "
                             "'lightcone view' has printed"},
    [LC_REFUSAL_WRONG_TOKEN] = {HTTP_STATUS_FORBIDDEN, "wrong-token",
                                "not allowed: that is not the token"},
    [LC_REFUSAL_FULL] = {HTTP_STATUS_SERVICE_UNAVAILABLE, "full",
                         "16 clients are connected, and there is no room for more"},
};
_Static_assert(LC_CLIENTS_MAX == 16, "as the sentence says");

unsigned lc_refusal_status(lc_refusal refusal)
{
    return refusals[refusal].status;
}

const char *lc_refusal_text(lc_refusal refusal)
{
    return refusals[refusal].text;
}

json_t *lc_refusal_say(lc_refusal refusal)
{
    return refusal == LC_REFUSAL_NONE
               ? json_pack("{s:s}", "is", "welcome")
               : json_pack("{s:s, s:s, s:s}", "is", "refused", "why", refusals[refusal].why, "text",
                           refusals[refusal].text);
}
