// The list of pending connections.
#include "pending_connections.h"

#include <string.h>

void lc_pending_create(lc_pending_connections *pending, size_t most)
{
    *pending = (lc_pending_connections){
        .most = most < LC_PENDING_CONNECTIONS_MAX ? most : LC_PENDING_CONNECTIONS_MAX};
}

// Removes the i-th connection.
static void take_out(lc_pending_connections *pending, size_t i)
{
    pending->count--;
    memmove(&pending->places[i], &pending->places[i + 1],
            (pending->count - i) * sizeof *pending->places);
}

static size_t find(const lc_pending_connections *pending, const void *connection)
{
    size_t i = 0;
    while (i < pending->count && pending->places[i] != connection)
        i++;
    return i;
}

void *lc_pending_add(lc_pending_connections *pending, void *connection)
{
    void *quietest = NULL;
    if (pending->count == pending->most) {
        quietest = pending->places[0];
        take_out(pending, 0);
    }
    pending->places[pending->count++] = connection;
    return quietest;
}

void lc_pending_hear(lc_pending_connections *pending, void *connection)
{
    const size_t i = find(pending, connection);
    if (i < pending->count) {
        take_out(pending, i);
        pending->places[pending->count++] = connection;
    }
}

void lc_pending_remove(lc_pending_connections *pending, const void *connection)
{
    const size_t i = find(pending, connection);
    if (i < pending->count)
        take_out(pending, i);
}
