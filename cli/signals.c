// Signals that stop a run. After the first signal, the current pass still completes. A second one
// ends the process at once.
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
    // Shells start the background commands of a script with SIGINT ignored. The run still catches
    // SIGINT, because if it arrives, the user has sent it to stop the run.
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // mpirun forwards SIGUSR1 to all ranks and waits. After a SIGTERM it would kill them in a
    // second.
    sigaction(SIGUSR1, &action, NULL);
    // nohup ignores SIGHUP, and this must stay so.
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

int lc_signals_received(void)
{
    return received;
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
