// QR codes on a terminal, to open an address on a telephone.
#ifndef LC_CLI_QR_H
#define LC_CLI_QR_H

#include <stdbool.h>
#include <stdio.h>

// Whether this build includes libqrencode.
bool lc_cli_has_qr(void);

// Prints a text as a QR code, two rows of modules per line. It is black on white for any colours of
// the terminal. Returns false and prints nothing if the text is too long or out of memory.
bool lc_cli_print_qr(FILE *file, const char *text);

#endif
