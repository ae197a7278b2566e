// Exit codes of the commands.
#ifndef LC_CLI_EXIT_CODE_H
#define LC_CLI_EXIT_CODE_H

#include <signal.h>

// If a signal stops a run, the exit code is 128 + the signal's number, as in shells. If the reader
// of standard output closes the pipe, the exit code is 128 + the number of SIGPIPE.
enum {
    LC_EXIT_OK = 0,
    LC_EXIT_FAILURE = 1,
    LC_EXIT_USAGE = 2,
    LC_EXIT_SIGNAL = 128,
    LC_EXIT_UNREAD = LC_EXIT_SIGNAL + SIGPIPE,
};

#endif
