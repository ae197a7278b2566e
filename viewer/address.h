// Whether the server can listen on an address, found out before libwebsockets is asked.
#ifndef LC_VIEWER_ADDRESS_H
#define LC_VIEWER_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "lightcone/status.h"

// Whether it is "::", all addresses of this machine, IPv4 and IPv6.
bool lc_address_is_all(const char *address);

// Tries the address, a numeric IPv4 or IPv6 one, and the port (0: any) with sockets that are closed
// at once. LC_ERROR_SYSTEM with a sentence that says why it cannot listen there: it is not an
// address, or not one of this machine, or the port is in use or reserved. A recently ended
// connection (TIME_WAIT) does not count as use.
lc_status lc_address_try(const char *address, int port, lc_message *message);

enum { LC_ADDRESS_BYTES = 64 };

// Where others reach a server that listens on this address, in numbers, as an address of a page has
// them (IPv6 in brackets): the address itself; or, if it stands for all, those of this machine but
// for loopback and those of one link only, IPv4 first. Returns how many there are, at most `most`.
size_t lc_address_reach(const char *address, char (*list)[LC_ADDRESS_BYTES], size_t most);

// The first of this port and so many after it on which the server can listen. If none is free, the
// failure is that of the first; anything else than that a port is in use ends the search.
lc_status lc_address_find(const char *address, int *port, int more, lc_message *message);

#endif
