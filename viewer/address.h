// Whether the server can listen on an address, found out before libwebsockets is asked.
#ifndef LC_VIEWER_ADDRESS_H
#define LC_VIEWER_ADDRESS_H

#include <stdbool.h>

#include "lightcone/status.h"

// Whether it is "::", all addresses of this machine, IPv4 and IPv6.
bool lc_address_is_all(const char *address);

// Tries the address, a numeric IPv4 or IPv6 one, and the port (0: any) with sockets that are closed
// at once. LC_ERROR_SYSTEM with a sentence that says why it cannot listen there: it is not an
// address, or not one of this machine, or the port is in use or reserved. A recently ended
// connection (TIME_WAIT) does not count as use.
lc_status lc_address_try(const char *address, int port, lc_message *message);

#endif
