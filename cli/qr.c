// QR codes on a terminal, made with libqrencode.
#include "qr.h"

#ifdef LC_QR
#include <qrencode.h>

enum { QUIET = 4 }; // width of the margin in modules; the standard requires four

// Whether a module is black. The margin is white.
static bool is_black(const QRcode *code, int x, int y)
{
    const bool inside = x >= 0 && y >= 0 && x < code->width && y < code->width;
    return inside && (code->data[y * code->width + x] & 1) != 0;
}

bool lc_cli_has_qr(void)
{
    return true;
}

bool lc_cli_print_qr(FILE *file, const char *text)
{
    // Each character shows two modules, one above the other. In an index into `halves`, bit 0 is
    // the upper module and bit 1 is the lower module.
    static const char *const halves[] = {" ", "\u2580", "\u2584", "\u2588"};
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L);
    if (code == NULL)
        return false;
    for (int y = -QUIET; y < code->width + QUIET; y += 2) {
        fputs("\033[30;107m", file);
        for (int x = -QUIET; x < code->width + QUIET; x++)
            fputs(halves[is_black(code, x, y) + 2 * is_black(code, x, y + 1)], file);
        fputs("\033[0m\n", file);
    }
    QRcode_free(code);
    return true;
}

#else

bool lc_cli_has_qr(void)
{
    return false;
}

bool lc_cli_print_qr(FILE *file, const char *text)
{
    (void)file;
    (void)text;
    return false;
}

#endif
