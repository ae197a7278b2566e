// Who may come in: a page that some other site shows must not reach a server on this machine, not
// even by a name that its owner points here.
#ifndef LC_VIEWER_ACCESS_H
#define LC_VIEWER_ACCESS_H

#include <stdbool.h>

// Whether a Host header is one that this server can have without a token: "localhost:8080",
// "127.0.0.1:8080", "[::1]", an address of numbers or "localhost", with any port or none. A name of
// some site could be pointed at this machine by its owner; an address of numbers cannot.
bool lc_access_host(const char *host);

// Whether an Origin header is the page of the server with this Host ("http://localhost:8080").
// "" is a program that is no browser.
bool lc_access_origin(const char *origin, const char *host);

// Whether `given` (NULL: none) is the token, in a time that says nothing about how far it was right.
// No token (NULL) lets everybody in.
bool lc_access_token(const char *token, const char *given);

#endif
