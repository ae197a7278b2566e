// Tries listening with sockets of our own. libwebsockets does not say why it cannot listen, and 4.3
// retries for ever if an address is not this machine's or the port is reserved.
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool lc_address_is_all(const char *address)
{
    return strcmp(address, "::") == 0;
}

// 0, or the errno of the call that failed. The options are those that libwebsockets sets.
static int try_socket(const struct sockaddr *place, socklen_t size)
{
    const int on = 1;
    int error = 0;
    const int s = socket(place->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0)
        return errno;
    if (setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        (place->sa_family == AF_INET6 &&
         setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) != 0) ||
        bind(s, place, size) != 0)
        error = errno;
    close(s);
    return error;
}

static int try_ipv4(struct in_addr address, int port)
{
    const struct sockaddr_in place = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = address};
    return try_socket((const struct sockaddr *)&place, sizeof place);
}

static int try_ipv6(struct in6_addr address, int port)
{
    const struct sockaddr_in6 place = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = address};
    return try_socket((const struct sockaddr *)&place, sizeof place);
}

static lc_status explain(int error, const char *address, int port, lc_message *message)
{
    switch (error) {
    case 0:
        return LC_OK;
    case EADDRNOTAVAIL:
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s: that is not an address of this machine (0.0.0.0 "
                       "means all that it has)",
                       address);
    case EADDRINUSE:
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s, port %d: another program uses this port (port 0 "
                       "picks a free one)",
                       address, port);
    case EACCES:
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s, port %d: you may not use this port; ports from "
                       "1024 on are open to everybody",
                       address, port);
    case EAFNOSUPPORT:
        return lc_fail(message, LC_ERROR_SYSTEM, "cannot listen on %s: this machine has no IPv%c",
                       address, strchr(address, ':') != NULL ? '6' : '4');
    default:
        return lc_fail(message, LC_ERROR_SYSTEM, "cannot listen on %s, port %d: %s", address, port,
                       strerror(error));
    }
}

lc_status lc_address_try(const char *address, int port, lc_message *message)
{
    struct in_addr ipv4 = {INADDR_ANY};
    struct in6_addr ipv6;
    if (inet_pton(AF_INET, address, &ipv4) == 1)
        return explain(try_ipv4(ipv4, port), address, port, message);
    if (inet_pton(AF_INET6, address, &ipv6) != 1)
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on '%s': that is not an address in numbers, such as "
                       "127.0.0.1, ::1, or 0.0.0.0 for all that this machine has",
                       address);
    // What libwebsockets makes of these depends on its version, and the page's address would not
    // work.
    if (IN6_IS_ADDR_V4MAPPED(&ipv6))
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s: please write it as an IPv4 address", address);
    if (IN6_IS_ADDR_LINKLOCAL(&ipv6))
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s: browsers cannot open an address of one link only",
                       address);
    int error = try_ipv6(ipv6, port);
    if (error == 0 && lc_address_is_all(address))
        error = try_ipv4(ipv4, port);
    return explain(error, address, port, message);
}
