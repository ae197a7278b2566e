// QR codes on a terminal, to open an address on a telephone.
#ifndef LC_CLI_QR_H
#define LC_CLI_QR_H

#include <stdbool.h>
#include <stdio.h>

// Whether this build includes libqrencode.
bool lc_cli_has_qr(void);

// Prints a text as a QR code, two rows of modules per line. The code is always black on white. If
// the text is too long or memory is short, returns false and prints nothing.
bool lc_cli_print_qr(FILE *file, const char *text);

#endif
