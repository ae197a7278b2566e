// Pictures of cells made of characters, for `lightcone show` and `lightcone run --watch`.
//
// A character shows 1 x 2 dots (half blocks), 2 x 4 dots (braille), or one dot (ASCII). A dot is a
// square with sides of 2^log2_side cells. A dot is drawn if any cell in its square is alive. A
// pattern is drawn with half blocks if it fits, and otherwise with braille. If a pattern does not
// fit even with braille, each dot stands for a larger square.
#ifndef LC_CLI_TERMINAL_PICTURE_H
#define LC_CLI_TERMINAL_PICTURE_H

#include <stdio.h>

#include "extent.h"
#include "lightcone/lightcone.h"

// The maximum width and height of a picture in characters.
enum { LC_CLI_PICTURE_SIDE_MAX = 1000 };

// log2 of the largest side of a square that lc_universe_picture draws. The squares of
// lc_universe_picture lie within LC_UNIVERSE_REACH. The function lc_universe_far_picture draws
// squares of any size, which may lie anywhere.
enum { LC_CLI_PICTURE_NEAR_LOG2 = 15 };
_Static_assert(INT64_C(1) << LC_CLI_PICTURE_NEAR_LOG2 == LC_CELLS_PER_PIXEL_MAX,
               "lc_universe_far_picture says so");

// The text area for a picture.
typedef struct lc_cli_text_area {
    int columns, rows; // characters, 1 to LC_CLI_PICTURE_SIDE_MAX
    bool is_ascii;     // ASCII characters only
} lc_cli_text_area;

typedef enum lc_cli_glyphs {
    LC_GLYPHS_ASCII,
    LC_GLYPHS_HALF_BLOCKS,
    LC_GLYPHS_BRAILLE
} lc_cli_glyphs;

// The cells that a picture shows. Position and size are in dots, as in lc_universe_far_picture.
typedef struct lc_cli_picture {
    lc_cli_glyphs glyphs;
    int log2_side;
    int64_t column, row, width, height;
} lc_cli_picture;

// Whether the locale in the environment (LC_ALL, LC_CTYPE, LANG) uses UTF-8.
bool lc_cli_locale_has_utf8(void);

// Finds the size of the terminal on standard output; each side is at most LC_CLI_PICTURE_SIDE_MAX.
// If standard output is not a terminal, returns false and sets 80 x 24.
bool lc_cli_terminal_size(int *columns, int *rows);

// Sets glyphs and log2_side to the values of a level. Sets width and height to the number of dots
// that fit in the area. Level 0 shows the most detail, and each further level shows twice as many
// cells in each direction. Returns false if the squares would be too large.
bool lc_cli_picture_level(lc_cli_picture *picture, const lc_cli_text_area *area, int level);

// Sets the position and the size of the picture so that its squares contain all cells of the
// extents `x` and `y`. Returns false if the squares are out of range.
bool lc_cli_picture_place(lc_cli_picture *picture, const lc_universe *universe,
                          const lc_cli_extent *x, const lc_cli_extent *y);

// Chooses the lowest level at which all cells of the extents `x` and `y` fit in the area. Returns
// false if the cells do not fit at any level.
bool lc_cli_picture_fit(lc_cli_picture *picture, const lc_universe *universe,
                        const lc_cli_extent *x, const lc_cli_extent *y,
                        const lc_cli_text_area *area);

// Returns the number of text lines of the picture.
int lc_cli_picture_lines(const lc_cli_picture *picture);

// Prints the picture with `line_end` after each line. Omits spaces at the end of a line, but prints
// the ASCII dots of all dead cells. Returns LC_OK; LC_ERROR_MEMORY; or the error of
// lc_universe_far_picture. On error nothing is printed.
lc_status lc_cli_picture_print(FILE *file, const lc_universe *universe,
                               const lc_cli_picture *picture, const char *line_end,
                               lc_message *message);

// Writes the scale of the picture: ", 1 dot = 16 x 16 cells", or "" if a dot is one cell. Returns
// `text`.
enum { LC_CLI_PICTURE_SCALE_BYTES = 80 };
const char *lc_cli_picture_scale(const lc_cli_picture *picture,
                                 char text[LC_CLI_PICTURE_SCALE_BYTES]);

#endif
