// Signals that stop a run. After the first signal, the current pass still completes. A second
// signal ends the process at once.
#ifndef LC_CLI_SIGNALS_H
#define LC_CLI_SIGNALS_H

#include <stdbool.h>

// Installs the handlers. After this call, SIGINT, SIGTERM, SIGHUP and SIGUSR1 request a stop.
void lc_signals_catch(void);

// Returns the signal that requested a stop, or 0.
int lc_signals_received(void);

// Returns whether a signal has requested a stop. A callback for lc_set_give_up, which does not use
// `context`.
bool lc_signals_give_up(void *context);

// Returns the name of a signal that requests a stop, such as "SIGINT".
const char *lc_signals_name(int number);

#endif
