// Checks whether the server can listen on an address, before libwebsockets tries.
#ifndef LC_VIEWER_ADDRESS_H
#define LC_VIEWER_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "lightcone/status.h"

// Returns whether the address is "::": all addresses of this machine, IPv4 and IPv6.
bool lc_address_is_all(const char *address);

// Tries a numeric IPv4 or IPv6 address and a port (0: any) with sockets that it closes at once. A
// recently ended connection (TIME_WAIT) does not count as use of the port. Returns LC_OK;
// LC_ERROR_ARGUMENT (not a numeric address); LC_ERROR_SYSTEM (not an address of this machine, an
// IPv4-mapped or link-local one, port in use or reserved).
lc_status lc_address_try(const char *address, int port, lc_message *message);

enum { LC_ADDRESS_BYTES = 64 };

// Lists the numeric addresses at which other machines reach a server that listens on this address,
// as in a URL (IPv6 in brackets). For "0.0.0.0" and "::" these are the addresses of this machine
// except loopback and link-local ones, IPv4 first; for others the address itself. Returns their
// number, at most `most`, which is at least 1.
size_t lc_address_reach(const char *address, char (*list)[LC_ADDRESS_BYTES], size_t most);

// Sets *port to the first port, of this one and the `more` ports after it, on which the server can
// listen. The search ends at the first error other than "port in use". On error *port keeps its
// value; returns the error of the first port, as lc_address_try.
lc_status lc_address_find(const char *address, int *port, int more, lc_message *message);

#endif
