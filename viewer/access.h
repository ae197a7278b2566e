// Who may connect: a page from another site must not reach a server on this machine, not even by a
// host name that its owner points here.
#ifndef LC_VIEWER_ACCESS_H
#define LC_VIEWER_ACCESS_H

#include <stdbool.h>

// Whether a Host header is one that this server can have without a token: "localhost" or a numeric
// address, with or without a port ("localhost:8080", "127.0.0.1:8080", "[::1]"). The owner of a
// name could point it at this machine; a numeric address cannot be redirected.
bool lc_access_host(const char *host);

// Whether a Host header is the host of an origin: "life.example" of "https://life.example".
bool lc_access_host_of(const char *host, const char *origin);

// Whether an Origin header is the page of the server with this Host ("http://localhost:8080"). ""
// comes from a program that is not a browser. `other` (NULL: none) is the origin of the same page
// behind a proxy.
bool lc_access_origin(const char *origin, const char *host, const char *other);

// What a token begins with where it comes as a WebSocket's second subprotocol.
#define LC_TOKEN_PROTOCOL "token."
// The same for the key of a connection that the client had before (hub.h).
#define LC_KEY_PROTOCOL "key."

// Whether `given` (NULL: none) is the token, in a time that does not reveal how much of it was
// right. If `token` is NULL, everybody may connect.
bool lc_access_token(const char *token, const char *given);

#endif
