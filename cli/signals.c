// Signals that stop a run. After the first signal, the current pass still completes. A second
// signal ends the process at once.
#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "exit_code.h"

static volatile sig_atomic_t received;

static void on_signal(int number)
{
    if (received != 0)
        _exit(LC_EXIT_SIGNAL + number);
    received = number;
}

void lc_signals_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction old;
    sigemptyset(&action.sa_mask);
    // When a script runs a command in the background, the shell starts the command with SIGINT
    // ignored. The command still catches SIGINT, because a user who sends SIGINT wants to stop the
    // run.
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // mpirun forwards SIGUSR1 to all ranks and waits for them. After a SIGTERM, mpirun would kill
    // the ranks within a second.
    sigaction(SIGUSR1, &action, NULL);
    // If nohup has set SIGHUP to be ignored, the command must keep ignoring SIGHUP.
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

int lc_signals_received(void)
{
    return received;
}

bool lc_signals_give_up(void *context)
{
    (void)context;
    return lc_signals_received() != 0;
}

const char *lc_signals_name(int number)
{
    switch (number) {
    case SIGINT:
        return "SIGINT";
    case SIGTERM:
        return "SIGTERM";
    case SIGUSR1:
        return "SIGUSR1";
    default:
        return "SIGHUP";
    }
}
