// Tries to listen with sockets of its own. libwebsockets does not say why it cannot listen, and
// version 4.3 retries for ever if an address belongs to another machine or the port is reserved.
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool lc_address_is_all(const char *address)
{
    return strcmp(address, "::") == 0;
}

// Returns 0 or the errno of the call that failed. Sets the same options as libwebsockets.
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

// Tries the address as lc_address_try. Sets *error to the errno of the call that failed; 0: no call
// failed, or the address was not tried.
static lc_status try_address(const char *address, int port, int *error, lc_message *message)
{
    *error = 0;
    struct in_addr ipv4 = {INADDR_ANY};
    struct in6_addr ipv6;
    if (inet_pton(AF_INET, address, &ipv4) == 1) {
        *error = try_ipv4(ipv4, port);
        return explain(*error, address, port, message);
    }
    if (inet_pton(AF_INET6, address, &ipv6) != 1)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "cannot listen on '%s': that is not an address in numbers, such as "
                       "127.0.0.1, ::1, or 0.0.0.0 for all that this machine has",
                       address);
    // The versions of libwebsockets treat these addresses differently, and browsers could not open
    // the page at them.
    if (IN6_IS_ADDR_V4MAPPED(&ipv6))
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s: please write it as an IPv4 address", address);
    if (IN6_IS_ADDR_LINKLOCAL(&ipv6))
        return lc_fail(message, LC_ERROR_SYSTEM,
                       "cannot listen on %s: browsers cannot open an address of one link only",
                       address);
    *error = try_ipv6(ipv6, port);
    if (*error == 0 && lc_address_is_all(address))
        *error = try_ipv4(ipv4, port);
    return explain(*error, address, port, message);
}

lc_status lc_address_try(const char *address, int port, lc_message *message)
{
    int error;
    return try_address(address, port, &error, message);
}

lc_status lc_address_find(const char *address, int *port, int more, lc_message *message)
{
    int error;
    lc_status status = try_address(address, *port, &error, message);
    for (int i = 1; error == EADDRINUSE && i <= more && *port + i <= 65535; i++)
        if (try_address(address, *port + i, &error, NULL) == LC_OK) {
            *port += i;
            return LC_OK;
        }
    return status;
}

// Writes an interface's address if it has that family and other machines can reach it.
static bool write_reachable(const struct ifaddrs *interface, int family,
                            char text[LC_ADDRESS_BYTES])
{
    const struct sockaddr *place = interface->ifa_addr;
    char numbers[INET6_ADDRSTRLEN];
    if (place == NULL || place->sa_family != family || (interface->ifa_flags & IFF_UP) == 0 ||
        (interface->ifa_flags & IFF_LOOPBACK) != 0)
        return false;
    if (family == AF_INET) {
        const struct in_addr *ipv4 = &((const struct sockaddr_in *)(const void *)place)->sin_addr;
        return (ntohl(ipv4->s_addr) >> 16) != 0xa9fe && // 169.254: link-local
               inet_ntop(AF_INET, ipv4, text, LC_ADDRESS_BYTES) != NULL;
    }
    const struct in6_addr *ipv6 = &((const struct sockaddr_in6 *)(const void *)place)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(ipv6) || inet_ntop(AF_INET6, ipv6, numbers, sizeof numbers) == NULL)
        return false;
    snprintf(text, LC_ADDRESS_BYTES, "[%s]", numbers);
    return true;
}

size_t lc_address_reach(const char *address, char (*list)[LC_ADDRESS_BYTES], size_t most)
{
    const bool all = lc_address_is_all(address), has_colon = strchr(address, ':') != NULL;
    if (!all && strcmp(address, "0.0.0.0") != 0) {
        snprintf(list[0], LC_ADDRESS_BYTES, has_colon ? "[%s]" : "%s", address);
        return 1;
    }
    struct ifaddrs *interfaces;
    size_t count = 0;
    if (getifaddrs(&interfaces) != 0)
        return 0;
    for (int round = 0; round < (all ? 2 : 1); round++)
        for (const struct ifaddrs *i = interfaces; i != NULL && count < most; i = i->ifa_next)
            count += write_reachable(i, round == 0 ? AF_INET : AF_INET6, list[count]);
    freeifaddrs(interfaces);
    return count;
}
