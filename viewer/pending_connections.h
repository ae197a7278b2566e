// Connections that are not clients, or not yet: they fetch a page, or have sent nothing.
//
// Any peer can open connections and send nothing, and the server has a limited number. So the list
// is bounded: a new connection replaces the one that has been quiet longest. A real request arrives
// at once and ends long before its turn comes.
//
// The list is ordered from the quietest to the latest. Threads: only the server's.
#ifndef LC_VIEWER_PENDING_CONNECTIONS_H
#define LC_VIEWER_PENDING_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_PENDING_CONNECTIONS_MAX = 256 };

typedef struct lc_pending_connections {
    size_t count, most;                       // most: up to LC_PENDING_CONNECTIONS_MAX
    void *places[LC_PENDING_CONNECTIONS_MAX]; // pointers of the caller
} lc_pending_connections;

void lc_pending_create(lc_pending_connections *pending, size_t most);

// Adds a connection. If the list is full, removes and returns the quietest one, which the caller
// closes. Otherwise returns NULL.
void *lc_pending_add(lc_pending_connections *pending, void *connection);
// Records that the connection has sent a request.
void lc_pending_hear(lc_pending_connections *pending, void *connection);
// Removes a connection that has closed or become a client. Accepts one that is not in the list.
void lc_pending_remove(lc_pending_connections *pending, const void *connection);

#endif
