// Checks of the Host header, the Origin header and the token.
#include "access.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Writes the host without its port. Returns false if `host` is malformed.
static bool split_host(const char *host, char name[256])
{
    const bool bracketed = *host == '[';
    const char *end = bracketed ? strchr(host, ']') : host + strcspn(host, ":");
    if (end == NULL || (size_t)(end - host) >= 256 || end == host)
        return false;
    const char *rest = bracketed ? end + 1 : end;
    if (*rest == ':' && rest[1 + strspn(rest + 1, "0123456789")] == '\0')
        rest += strlen(rest);
    if (*rest != '\0')
        return false;
    snprintf(name, 256, "%.*s", (int)(end - host - bracketed), host + bracketed);
    return true;
}

bool lc_access_host(const char *host)
{
    char name[256];
    unsigned char address[16];
    return split_host(host, name) &&
           (strcasecmp(name, "localhost") == 0 ||
            inet_pton(*host == '[' ? AF_INET6 : AF_INET, name, address) == 1);
}

bool lc_access_host_of(const char *host, const char *origin)
{
    const char *scheme = origin != NULL ? strstr(origin, "://") : NULL;
    return scheme != NULL && strcasecmp(scheme + 3, host) == 0;
}

bool lc_access_origin(const char *origin, const char *host, const char *other)
{
    static const char scheme[] = "http://";
    return *origin == '\0' || (other != NULL && strcasecmp(origin, other) == 0) ||
           (strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
            strcasecmp(origin + sizeof scheme - 1, host) == 0);
}

bool lc_access_token(const char *token, const char *given)
{
    if (token == NULL)
        return true;
    if (given == NULL || strlen(given) != strlen(token))
        return false;
    unsigned char difference = 0;
    for (size_t i = 0; token[i] != '\0'; i++)
        difference |= (unsigned char)(token[i] ^ given[i]);
    return difference == 0;
}
