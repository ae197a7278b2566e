// What commands end with.
#ifndef LC_CLI_EXIT_CODE_H
#define LC_CLI_EXIT_CODE_H

#include <signal.h>

// A run stopped by a signal ends with 128 + the signal's number, as shells have it; one whose
// output nobody reads as if by SIGPIPE.
enum {
    LC_EXIT_OK = 0,
    LC_EXIT_FAILURE = 1,
    LC_EXIT_USAGE = 2,
    LC_EXIT_SIGNAL = 128,
    LC_EXIT_UNREAD = LC_EXIT_SIGNAL + SIGPIPE,
};

#endif
