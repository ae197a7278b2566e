// Checks of connecting peers. A page from another site must not reach a server on this machine, not
// even by DNS rebinding: a host name that its owner points at this machine.
#ifndef LC_VIEWER_ACCESS_H
#define LC_VIEWER_ACCESS_H

#include <stdbool.h>

// Returns whether a server without a token accepts this Host header: "localhost" or a numeric
// address, with or without a port ("localhost:8080", "127.0.0.1:8080", "[::1]"). The owner of any
// other name could point it at this machine; a numeric address cannot be redirected.
bool lc_access_host(const char *host);

// Returns whether a Host header is the host of an origin: "life.example" for
// "https://life.example". `origin` NULL: false.
bool lc_access_host_of(const char *host, const char *origin);

// Returns whether an Origin header names the page of the server with this Host
// ("http://localhost:8080"). Accepts "": programs other than browsers send no Origin. `other`
// (NULL: none) is the origin of the same page behind a proxy.
bool lc_access_origin(const char *origin, const char *host, const char *other);

// Prefix of a token that a client sends as the second subprotocol of a WebSocket.
#define LC_TOKEN_PROTOCOL "token."
// Prefix of the key of an earlier connection of the client (hub.h).
#define LC_KEY_PROTOCOL "key."

// Returns whether `given` (NULL: none) is the token. The time of the comparison does not reveal how
// many characters match. `token` NULL: true for all.
bool lc_access_token(const char *token, const char *given);

#endif
