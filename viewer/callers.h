// Callers: connections that are no clients, or not yet: they fetch a page, or have said nothing.
//
// Anybody who reaches the port can open connections and say nothing, and there are only so many. So
// there is a bound on callers, and one too many takes the place of the one that has been quiet for
// longest. Whoever means it asks for something at once, and is through long before its turn comes.
//
// A list from the quietest to the one that was heard last. Threads: only the server's.
#ifndef LC_VIEWER_CALLERS_H
#define LC_VIEWER_CALLERS_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_CALLERS_MAX = 256 };

typedef struct lc_callers {
    size_t count, most;           // most: up to LC_CALLERS_MAX
    void *places[LC_CALLERS_MAX]; // connections, as the caller of these functions calls them
} lc_callers;

void lc_callers_create(lc_callers *callers, size_t most);

// A new one. If there are too many the quietest leaves the list and is returned: the connection is
// to be closed. Else NULL.
void *lc_callers_add(lc_callers *callers, void *connection);
// It has asked for something.
void lc_callers_hear(lc_callers *callers, void *connection);
// It has gone, or is a client now. One that is not in the list is fine.
void lc_callers_remove(lc_callers *callers, const void *connection);

#endif
