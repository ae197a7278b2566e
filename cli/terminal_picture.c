// Draws cells with characters.
#include "terminal_picture.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "number.h"

// Dots per character.
static const struct {
    int64_t across, down;
} dots[] = {
    [LC_GLYPHS_ASCII] = {1, 1},
    [LC_GLYPHS_HALF_BLOCKS] = {1, 2},
    [LC_GLYPHS_BRAILLE] = {2, 4},
};

bool lc_cli_locale_has_utf8(void)
{
    // The first variable that is set determines the locale, as in setlocale().
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *locale = getenv(variables[i]);
        if (locale == NULL || *locale == '\0')
            continue;
        const char *codeset = strchr(locale, '.');
        return codeset != NULL &&
               (strncasecmp(codeset, ".utf-8", 6) == 0 || strncasecmp(codeset, ".utf8", 5) == 0);
    }
    return false;
}

static int side_of(int characters, int usual)
{
    if (characters == 0) // some terminals do not report their size
        return usual;
    return characters < LC_CLI_PICTURE_SIDE_MAX ? characters : LC_CLI_PICTURE_SIDE_MAX;
}

bool lc_cli_terminal_size(int *columns, int *rows)
{
    struct winsize size = {0};
    const bool is_terminal = isatty(STDOUT_FILENO);
    if (is_terminal)
        (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *columns = side_of(size.ws_col, 80);
    *rows = side_of(size.ws_row, 24);
    return is_terminal;
}

bool lc_cli_picture_level(lc_cli_picture *picture, const lc_cli_text_area *area, int level)
{
    picture->glyphs = area->is_ascii ? LC_GLYPHS_ASCII
                      : level == 0   ? LC_GLYPHS_HALF_BLOCKS
                                     : LC_GLYPHS_BRAILLE;
    picture->log2_side = area->is_ascii || level == 0 ? level : level - 1;
    picture->width = area->columns * dots[picture->glyphs].across;
    picture->height = area->rows * dots[picture->glyphs].down;
    return picture->log2_side <= LC_WIDE_REACH_LOG2;
}

bool lc_cli_picture_place(lc_cli_picture *picture, const lc_universe *universe,
                          const lc_cli_extent *x, const lc_cli_extent *y)
{
    lc_cli_extent rows = *y;
    // In far pictures, HashLife's squares lie one cell further down than those of other engines.
    if (picture->log2_side > LC_CLI_PICTURE_NEAR_LOG2 &&
        strcmp(lc_universe_info_of(universe).engine, "hashlife") == 0)
        lc_cli_extent_widen_start(&rows, 1);
    return lc_cli_extent_squares(x, picture->log2_side, &picture->column, &picture->width) &&
           lc_cli_extent_squares(&rows, picture->log2_side, &picture->row, &picture->height);
}

bool lc_cli_picture_fit(lc_cli_picture *picture, const lc_universe *universe,
                        const lc_cli_extent *x, const lc_cli_extent *y,
                        const lc_cli_text_area *area)
{
    for (int level = 0; lc_cli_picture_level(picture, area, level); level++) {
        const int64_t width = picture->width, height = picture->height;
        if (lc_cli_picture_place(picture, universe, x, y) && picture->width <= width &&
            picture->height <= height)
            return true;
    }
    return false;
}

int lc_cli_picture_lines(const lc_cli_picture *picture)
{
    const int64_t down = dots[picture->glyphs].down;
    return (int)((picture->height + down - 1) / down);
}

// ---- printing ----------------------------------------------------------------------------------

// Whether the dot at (x, y) of the picture is drawn. Dots outside the picture are not drawn.
static bool has_dot(const lc_cli_picture *picture, const uint8_t *tones, int64_t x, int64_t y)
{
    return x < picture->width && y < picture->height && tones[y * picture->width + x] != 0;
}

// Returns the dots of a character as bits, row by row from left to right.
static unsigned dots_at(const lc_cli_picture *picture, const uint8_t *tones, int64_t column,
                        int64_t line)
{
    const int64_t across = dots[picture->glyphs].across, down = dots[picture->glyphs].down;
    unsigned bits = 0;
    for (int64_t j = 0; j < down; j++)
        for (int64_t i = 0; i < across; i++)
            if (has_dot(picture, tones, column * across + i, line * down + j))
                bits |= 1u << (j * across + i);
    return bits;
}

// In a Unicode braille character, the upper six dots are numbered down the left column and then
// down the right column. Unicode gives the last two numbers to the two lowest dots of a braille
// character.
static void print_braille(FILE *file, unsigned bits)
{
    static const unsigned char places[8] = {0, 3, 1, 4, 2, 5, 6, 7};
    unsigned pattern = 0;
    for (int i = 0; i < 8; i++)
        pattern |= (bits >> i & 1) << places[i];
    const unsigned char text[3] = {0xE2, (unsigned char)(0xA0 | pattern >> 6),
                                   (unsigned char)(0x80 | (pattern & 0x3F))};
    (void)fwrite(text, 1, sizeof text, file);
}

static void print_character(FILE *file, lc_cli_glyphs glyphs, unsigned bits)
{
    // Each character shows two dots, one above the other. In an index into `halves`, bit 0 is the
    // upper dot and bit 1 is the lower dot.
    static const char *const halves[] = {" ", "\u2580", "\u2584", "\u2588"};
    if (glyphs == LC_GLYPHS_BRAILLE)
        print_braille(file, bits);
    else if (glyphs == LC_GLYPHS_HALF_BLOCKS)
        fputs(halves[bits], file);
    else
        fputc(bits != 0 ? 'O' : '.', file);
}

lc_status lc_cli_picture_print(FILE *file, const lc_universe *universe,
                               const lc_cli_picture *picture, const char *line_end,
                               lc_message *message)
{
    const int64_t across = dots[picture->glyphs].across;
    const int64_t columns = (picture->width + across - 1) / across;
    const int lines = lc_cli_picture_lines(picture);
    uint8_t *tones = malloc((size_t)(picture->width * picture->height));
    if (tones == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a picture");
    const lc_status status =
        lc_universe_far_picture(universe, picture->column, picture->row, picture->log2_side,
                                picture->width, picture->height, tones, message);
    for (int line = 0; line < lines && status == LC_OK; line++) {
        int64_t used = columns;
        while (picture->glyphs != LC_GLYPHS_ASCII && used > 0 &&
               dots_at(picture, tones, used - 1, line) == 0)
            used--;
        for (int64_t column = 0; column < used; column++)
            print_character(file, picture->glyphs, dots_at(picture, tones, column, line));
        fputs(line_end, file);
    }
    free(tones);
    return status;
}

const char *lc_cli_picture_scale(const lc_cli_picture *picture,
                                 char text[LC_CLI_PICTURE_SCALE_BYTES])
{
    const char *dot = picture->glyphs == LC_GLYPHS_ASCII ? "letter" : "dot";
    const int log2_side = picture->log2_side;
    char side[LC_CLI_NUMBER_BYTES];
    text[0] = '\0';
    if (log2_side >= 24) {
        snprintf(text, LC_CLI_PICTURE_SCALE_BYTES, ", 1 %s = 2^%d x 2^%d cells", dot, log2_side,
                 log2_side);
    } else if (log2_side > 0) {
        lc_cli_format_i64(INT64_C(1) << log2_side, side);
        snprintf(text, LC_CLI_PICTURE_SCALE_BYTES, ", 1 %s = %.20s x %.20s cells", dot, side, side);
    }
    return text;
}
