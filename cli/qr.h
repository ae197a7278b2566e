// QR codes on a terminal: an address for the telephone that is pointed at it.
#ifndef LC_CLI_QR_H
#define LC_CLI_QR_H

#include <stdbool.h>
#include <stdio.h>

// Whether this build can make them.
bool lc_cli_has_qr(void);

// Prints a text as a QR code, black on white whatever the terminal's colours are: two rows of
// squares are a line. False, and nothing is printed, if the text is too long or memory is short.
bool lc_cli_print_qr(FILE *file, const char *text);

#endif
