// Primitives of the bench's charts: elements of SVG, written into an open file, in pixels from
// the top left corner.
//
// How an element looks is said by classes ("line c3"), whose meaning is in one style sheet, on
// light and on dark ground: c0 .. c6 are the colours of Okabe and Ito that can be told apart on
// both, black among them, whatever kind of colour blindness the reader has. No element has an id,
// so that any number of charts can stand on one page.
#ifndef LC_BENCH_SVG_H
#define LC_BENCH_SVG_H

#include <stdio.h>

enum { LC_SVG_COLOURS = 7, LC_SVG_MARKERS = 8 };

typedef enum lc_svg_anchor { LC_SVG_START, LC_SVG_MIDDLE, LC_SVG_END } lc_svg_anchor;

// Writes the text for XML, escaped for elements and quoted attributes; what XML cannot hold
// (control characters, bytes that are not UTF-8) becomes U+FFFD.
void lc_xml_write(FILE *file, const char *text);

void lc_svg_line(FILE *file, const char *look, double x1, double y1, double x2, double y2);
void lc_svg_rect(FILE *file, const char *look, double x, double y, double width, double height);
#if defined(__GNUC__)
__attribute__((format(printf, 6, 7)))
#endif
void lc_svg_text(FILE *file, const char *look, double x, double y, lc_svg_anchor anchor,
                 const char *format, ...);
// One of LC_SVG_MARKERS shapes, about as large as a disc of that radius. `told` is shown when the
// pointer rests on it; NULL: nothing.
void lc_svg_marker(FILE *file, const char *look, int shape, double x, double y, double radius,
                   const char *told);

// The style sheet of all that.
const char *lc_svg_style(void);

// About how wide a text will be, in the widest of the usual fonts.
double lc_svg_text_width(const char *text, double font_pixels);

// The text's beginning, with an ellipsis if it has more than `characters`.
void lc_svg_shorten(const char *text, size_t characters, char *out, size_t out_bytes);

// Three digits or all before the point, in groups: "0.00123", "12.3", "60,000".
enum { LC_NUMBER_BYTES = 48 };
void lc_number_format(double value, char text[LC_NUMBER_BYTES]);

#endif
