// Stopping a run: the first signal asks it to finish the pass in hand, the second ends it at once.
#ifndef LC_CLI_SIGNALS_H
#define LC_CLI_SIGNALS_H

// From now on SIGINT, SIGTERM and SIGHUP are requests to stop.
void lc_signals_catch(void);

// The signal that asked to stop, 0 if none has.
int lc_signals_received(void);

// "SIGINT", "SIGTERM", "SIGHUP".
const char *lc_signals_name(int number);

#endif
