// What the viewer says when it cannot listen on an address: real ones, and, through a bind() of the
// test's own, those that this machine or this user would never meet.
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "viewer/address.h"
#include "viewer_client.h"

// ---- bind --------------------------------------------------------------------------------------

enum { PATIENCE_CALLS = 20 };

static int refused_family = -1, refused_errno, calls;

// The system's; or, for one family of addresses, an error. libwebsockets calls this one too.
__attribute__((visibility("default"))) int bind(int s, const struct sockaddr *address,
                                                socklen_t size)
{
    if (address->sa_family == AF_INET || address->sa_family == AF_INET6)
        calls++;
    if (calls > PATIENCE_CALLS)
        fail_msg("bind is called over and over");
    if (address->sa_family != refused_family)
        return (int)syscall(SYS_bind, s, address, size);
    errno = refused_errno;
    return -1;
}

static void refuse(int family, int error)
{
    refused_family = family;
    refused_errno = error;
    calls = 0;
}

static int accept_again(void **state)
{
    (void)state;
    refuse(-1, 0);
    return 0;
}

// ---- helpers -----------------------------------------------------------------------------------

// The viewer refuses to listen there, and the sentence has these words.
static void assert_refused(const char *address, int port, lc_status status, const char *words)
{
    lc_message message = {0};
    lc_viewer *viewer;
    lc_viewer_options options = viewer_options();
    options.address = address;
    options.port = port;
    lc_universe *universe = viewer_glider();
    assert_int_equal(lc_viewer_create(&viewer, &options, universe, &message), status);
    assert_null(viewer);
    lc_universe_destroy(&universe);
    if (strstr(message.text, words) == NULL)
        fail_msg("no '%s' in: %s", words, message.text);
    assert_non_null(strstr(message.text, address));
}

static int listen_somewhere(int *port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(s >= 0);
    assert_int_equal(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)), 0);
    assert_int_equal(bind(s, (const struct sockaddr *)&place, size), 0);
    assert_int_equal(listen(s, 1), 0);
    assert_int_equal(getsockname(s, (struct sockaddr *)&place, &size), 0);
    *port = ntohs(place.sin_port);
    return s;
}

static bool has_ipv6(void)
{
    const struct sockaddr_in6 place = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback};
    const int s = socket(AF_INET6, SOCK_STREAM, 0);
    const bool has = s >= 0 && bind(s, (const struct sockaddr *)&place, sizeof place) == 0;
    if (s >= 0)
        close(s);
    return has;
}

// ---- tests -------------------------------------------------------------------------------------

// libwebsockets is not asked: 4.3 would try for ever.
static void test_errors_are_sentences(void **state)
{
    static const struct {
        const char *address, *words;
        int family, error;
    } cases[] = {
        {"192.0.2.1", "not an address of this machine", AF_INET, EADDRNOTAVAIL},
        {"2001:db8::1", "not an address of this machine", AF_INET6, EADDRNOTAVAIL},
        {"127.0.0.1", "port 80: you may not use this port", AF_INET, EACCES},
        {"::1", "port 80: you may not use this port", AF_INET6, EACCES},
        {"127.0.0.1", "port 80: another program uses", AF_INET, EADDRINUSE},
        {"::1", "port 80: another program uses", AF_INET6, EADDRINUSE},
        {"::1", "this machine has no IPv6", AF_INET6, EAFNOSUPPORT},
        {"127.0.0.1", "port 80: Cannot allocate memory", AF_INET, ENOMEM},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].family == AF_INET6 && !has_ipv6())
            continue; // the next test says what is said there
        refuse(cases[i].family, cases[i].error);
        assert_refused(cases[i].address, 80, LC_ERROR_SYSTEM, cases[i].words);
        assert_int_equal(calls, 1);
    }
}

static void test_ipv6_as_this_machine_has_it(void **state)
{
    lc_message message = {0};
    (void)state;
    const lc_status status = lc_address_try("::1", 0, &message);
    assert_int_equal(status, has_ipv6() ? LC_OK : LC_ERROR_SYSTEM);
    if (status != LC_OK)
        assert_non_null(strstr(message.text, "this machine"));
}

static void test_an_address_is_in_numbers(void **state)
{
    static const char *const wrong[] = {"eth0",  "localhost.example", "127.1", "1.2.3.256", "",
                                        "[::1]", "127.0.0.1:80",      "::1::", " 127.0.0.1"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(wrong[i], 0, LC_ERROR_ARGUMENT, "not an address in numbers");
    assert_refused("::ffff:127.0.0.1", 0, LC_ERROR_SYSTEM, "write it as an IPv4 address");
    assert_refused("fe80::1", 0, LC_ERROR_SYSTEM, "one link only");
    assert_int_equal(calls, 0);
}

static void test_an_address_of_another_machine(void **state)
{
    (void)state;
    assert_refused("192.0.2.1", 0, LC_ERROR_SYSTEM,
                   "not an address of this machine"); // one for documents
    assert_int_equal(calls, 1);
}

static void test_a_port_in_use(void **state)
{
    int port;
    (void)state;
    const int s = listen_somewhere(&port);
    assert_refused("127.0.0.1", port, LC_ERROR_SYSTEM, "another program uses this port");
    assert_refused("0.0.0.0", port, LC_ERROR_SYSTEM, "another program uses this port");
    if (has_ipv6())
        assert_refused("::", port, LC_ERROR_SYSTEM,
                       "another program uses this port"); // IPv4 is meant as well
    close(s);
}

// Who has not said which port is given the next that is free; what is wrong otherwise is said at
// once.
static void test_the_next_port(void **state)
{
    int first, port;
    lc_message message = {0};
    (void)state;
    const int s = listen_somewhere(&first);
    port = first;
    assert_int_equal(lc_address_find("127.0.0.1", &port, 0, &message), LC_ERROR_SYSTEM);
    assert_int_equal(port, first);
    calls = 0;
    if (lc_address_find("127.0.0.1", &port, 10, &message) == LC_OK)
        assert_in_range(port, first + 1, first + 10);
    close(s);
    port = first;
    assert_int_equal(lc_address_find("127.0.0.1", &port, 10, &message), LC_OK);
    assert_int_equal(port, first);
    refuse(AF_INET, EACCES);
    port = 80;
    assert_int_equal(lc_address_find("127.0.0.1", &port, 10, &message), LC_ERROR_SYSTEM);
    assert_int_equal(calls, 1);
    refuse(AF_INET, EADDRINUSE);
    port = 65530;
    assert_int_equal(lc_address_find("127.0.0.1", &port, 10, &message), LC_ERROR_SYSTEM);
    assert_int_equal(calls, 6); // up to 65535
    assert_int_equal(port, 65530);
    assert_non_null(strstr(message.text, "port 65530: another program uses"));
}

static void test_where_others_reach_it(void **state)
{
    char list[8][LC_ADDRESS_BYTES];
    (void)state;
    assert_int_equal(lc_address_reach("127.0.0.1", list, 8), 1);
    assert_string_equal(list[0], "127.0.0.1");
    assert_int_equal(lc_address_reach("::1", list, 8), 1);
    assert_string_equal(list[0], "[::1]");
    const char *all[] = {"0.0.0.0", "::"};
    for (int i = 0; i < 2; i++) {
        const size_t count = lc_address_reach(all[i], list, 8);
        for (size_t k = 0; k < count; k++) {
            assert_int_not_equal(strncmp(list[k], "127.", 4), 0);
            assert_int_not_equal(strncmp(list[k], "[fe80", 5), 0);
            assert_string_not_equal(list[k], "[::1]");
            assert_true(i == 1 || list[k][0] != '[');
        }
        assert_in_range(lc_address_reach(all[i], list, 1), 0, 1);
        assert_int_equal(lc_address_reach(all[i], list, 0), 0);
    }
}

// A viewer can be started anew at once, though connections of the last one are remembered.
static void test_a_port_that_was_in_use(void **state)
{
    int port;
    char byte;
    served server;
    client c;
    lc_viewer_options options = viewer_options();
    (void)state;
    const int s = listen_somewhere(&port);
    const struct sockaddr_in place = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int there = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(there, (const struct sockaddr *)&place, sizeof place), 0);
    const int here = accept(s, NULL, NULL);
    assert_true(here >= 0);
    close(s);
    close(here); // the first to close is who has to remember
    assert_int_equal(read(there, &byte, 1), 0);
    close(there);
    options.port = port;
    serve(&server, &options, viewer_glider());
    enter(&c, &server);
    close_client(&c);
    stop_serving(&server);
}

static void test_all_addresses(void **state)
{
    served server;
    client c;
    lc_viewer_options options = viewer_options();
    (void)state;
    options.address = has_ipv6() ? "::" : "0.0.0.0";
    serve(&server, &options, viewer_glider());
    enter(&c, &server); // by IPv4
    close_client(&c);
    stop_serving(&server);
    if (has_ipv6()) {
        refuse(AF_INET, EACCES);
        assert_refused("::", 80, LC_ERROR_SYSTEM, "you may not use");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_errors_are_sentences, accept_again),
        cmocka_unit_test_setup(test_ipv6_as_this_machine_has_it, accept_again),
        cmocka_unit_test_setup(test_an_address_is_in_numbers, accept_again),
        cmocka_unit_test_setup(test_an_address_of_another_machine, accept_again),
        cmocka_unit_test_setup(test_a_port_in_use, accept_again),
        cmocka_unit_test_setup(test_the_next_port, accept_again),
        cmocka_unit_test_setup(test_where_others_reach_it, accept_again),
        cmocka_unit_test_setup(test_a_port_that_was_in_use, accept_again),
        cmocka_unit_test_setup(test_all_addresses, accept_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
