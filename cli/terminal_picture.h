// Cells drawn with characters, for `lightcone show` and `lightcone run --watch`.
//
// A character shows 1 x 2 dots (half blocks), 2 x 4 dots (braille), or one (plain letters). A dot
// is a square of 2^log2_side cells a side, and is drawn if any of them is alive. A pattern is drawn
// with half blocks where it fits; else with braille, which is finer; else with larger squares.
#ifndef LC_CLI_TERMINAL_PICTURE_H
#define LC_CLI_TERMINAL_PICTURE_H

#include <stdio.h>

#include "extent.h"
#include "lightcone/lightcone.h"

// Characters: the most that a picture is wide and high.
enum { LC_CLI_PICTURE_SIDE_MAX = 1000 };

// The largest squares, as log2 of their side, that are within LC_UNIVERSE_REACH; larger ones are
// "seen from far away", and lie anywhere.
enum { LC_CLI_PICTURE_NEAR_LOG2 = 15 };
_Static_assert(INT64_C(1) << LC_CLI_PICTURE_NEAR_LOG2 == LC_CELLS_PER_PIXEL_MAX,
               "lc_universe_far_picture says so");

// Where a picture is drawn.
typedef struct lc_cli_text_area {
    int columns, rows; // characters, 1 to LC_CLI_PICTURE_SIDE_MAX
    bool is_ascii;     // letters of ASCII only
} lc_cli_text_area;

typedef enum lc_cli_glyphs {
    LC_GLYPHS_ASCII,
    LC_GLYPHS_HALF_BLOCKS,
    LC_GLYPHS_BRAILLE
} lc_cli_glyphs;

// The cells that a picture shows. Columns and rows are counted in dots, as lc_universe_far_picture
// does.
typedef struct lc_cli_picture {
    lc_cli_glyphs glyphs;
    int log2_side;
    int64_t column, row, width, height;
} lc_cli_picture;

// Whether the locale that the environment names (LC_ALL, LC_CTYPE, LANG) has UTF-8.
bool lc_cli_locale_has_utf8(void);

// The size of the terminal that is standard output, each side at most LC_CLI_PICTURE_SIDE_MAX.
// False: standard output is no terminal; then it is 80 x 24.
bool lc_cli_terminal_size(int *columns, int *rows);

// Pictures have levels: 0 is the nearest, and each further one shows twice as many cells in either
// direction. Sets glyphs and log2_side of a level, and the dots that fit in the area as width and
// height. False: there are no such large squares.
bool lc_cli_picture_level(lc_cli_picture *picture, const lc_cli_text_area *area, int level);

// The squares of the picture's log2_side that hold the cells from x and y, of that universe.
// False: they are too far away.
bool lc_cli_picture_place(lc_cli_picture *picture, const lc_universe *universe,
                          const lc_cli_extent *x, const lc_cli_extent *y);

// The nearest picture of all these cells that fits in the area. False: no picture reaches so far.
bool lc_cli_picture_fit(lc_cli_picture *picture, const lc_universe *universe,
                        const lc_cli_extent *x, const lc_cli_extent *y,
                        const lc_cli_text_area *area);

// How many lines of text it has.
int lc_cli_picture_lines(const lc_cli_picture *picture);

// Prints the picture; `line_end` follows each line. Blanks at the end of a line are left out, dots
// of ASCII are not.
// Returns LC_OK, LC_ERROR_MEMORY, or the universe's failure; then nothing was printed.
lc_status lc_cli_picture_print(FILE *file, const lc_universe *universe,
                               const lc_cli_picture *picture, const char *line_end,
                               lc_message *message);

// ", 1 dot = 16 x 16 cells", or "" where a dot is a cell.
enum { LC_CLI_PICTURE_SCALE_BYTES = 80 };
const char *lc_cli_picture_scale(const lc_cli_picture *picture,
                                 char text[LC_CLI_PICTURE_SCALE_BYTES]);

#endif
