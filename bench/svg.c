#include "svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "utf8.h"

// Length of the UTF-8 character that `text` begins with; 0 if it begins with none that XML holds.
static size_t character_bytes(const char *text)
{
    uint32_t code;
    const size_t bytes = lc_utf8_bytes(text, &code);
    const bool is_control = code < 0x20 && code != '\t' && code != '\n';
    return is_control || (code & 0xfffe) == 0xfffe ? 0 : bytes;
}

void lc_xml_write(FILE *file, const char *text)
{
    while (*text != '\0') {
        size_t bytes = character_bytes(text);
        if (bytes == 0) {
            fputs("\xef\xbf\xbd", file);
            text++;
            continue;
        }
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fwrite(text, 1, bytes, file);
        }
        text += bytes;
    }
}

void lc_svg_line(FILE *file, const char *look, double x1, double y1, double x2, double y2)
{
    fprintf(file, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", look, x1, y1, x2, y2);
}

void lc_svg_rect(FILE *file, const char *look, double x, double y, double width, double height)
{
    fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            look, x, y, width, height);
}

void lc_svg_text(FILE *file, const char *look, double x, double y, lc_svg_anchor anchor,
                 const char *format, ...)
{
    static const char *const anchors[] = {
        [LC_SVG_START] = "", [LC_SVG_MIDDLE] = " middle", [LC_SVG_END] = " end"};
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(file, "<text class=\"%s%s\" x=\"%.1f\" y=\"%.1f\">", look, anchors[anchor], x, y);
    lc_xml_write(file, text);
    fputs("</text>\n", file);
}

// Polygons round the centre, in units of the radius; the disc is none.
static const struct {
    int count;
    double x[12], y[12];
} shapes[LC_SVG_MARKERS] = {
    [1] = {4, {-0.88, 0.88, 0.88, -0.88}, {-0.88, -0.88, 0.88, 0.88}}, // square
    [2] = {3, {0, 1.15, -1.15}, {-1.25, 0.8, 0.8}},                    // triangle
    [3] = {4, {0, 1.25, 0, -1.25}, {-1.25, 0, 1.25, 0}},               // diamond
    [4] = {3, {0, 1.15, -1.15}, {1.25, -0.8, -0.8}},                   // triangle, down
    [5] = {12,                                                         // plus
           {-0.4, 0.4, 0.4, 1.2, 1.2, 0.4, 0.4, -0.4, -0.4, -1.2, -1.2, -0.4},
           {-1.2, -1.2, -0.4, -0.4, 0.4, 0.4, 1.2, 1.2, 0.4, 0.4, -0.4, -0.4}},
    [6] = {12, // cross
           {-0.6, 0, 0.6, 1.15, 0.55, 1.15, 0.6, 0, -0.6, -1.15, -0.55, -1.15},
           {-1.15, -0.55, -1.15, -0.6, 0, 0.6, 1.15, 0.55, 1.15, 0.6, 0, -0.6}},
    [7] = {10, // star
           {0, 0.35, 1.33, 0.57, 0.82, 0, -0.82, -0.57, -1.33, -0.35},
           {-1.4, -0.49, -0.43, 0.19, 1.13, 0.6, 1.13, 0.19, -0.43, -0.49}},
};

void lc_svg_marker(FILE *file, const char *look, int shape, double x, double y, double radius,
                   const char *told)
{
    int corners = shapes[shape].count;
    if (corners == 0) {
        fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", look, x, y,
                radius);
    } else {
        fprintf(file, "<path class=\"%s\" d=\"", look);
        for (int i = 0; i < corners; i++)
            fprintf(file, "%c%.1f %.1f", i == 0 ? 'M' : 'L', x + radius * shapes[shape].x[i],
                    y + radius * shapes[shape].y[i]);
        fputs("Z\"", file);
    }
    if (told == NULL) {
        fputs("/>\n", file);
        return;
    }
    fputs("><title>", file);
    lc_xml_write(file, told);
    fprintf(file, "</title></%s>\n", corners == 0 ? "circle" : "path");
}

// On dark ground black becomes white, and the darker colours lighter.
const char *lc_svg_style(void)
{
    return ".chart{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
           "'DejaVu Sans',sans-serif;font-size:12px}\n"
           ".chart text{fill:#1a1a1a}.chart .end{text-anchor:end}"
           ".chart .middle{text-anchor:middle}\n"
           ".chart .heading{font-size:15px;font-weight:600}.chart .small{font-size:11px}"
           ".chart .soft{fill:#595959}\n"
           ".chart .ground{fill:#fff}.chart path{fill:none}\n"
           ".chart .axis{stroke:#1a1a1a;stroke-width:1}.chart .grid{stroke:#e4e4e4;stroke-width:1}"
           ".chart .rule{stroke:#8c8c8c;stroke-width:1}\n"
           ".chart .line{stroke-width:2;stroke-linejoin:round}"
           ".chart .thin{stroke-width:1;stroke-linejoin:round}\n"
           ".chart .bar{stroke-width:1.3}.chart .leader{stroke-width:1;stroke-dasharray:1 3}"
           ".chart .cpu{stroke-dasharray:7 4}\n"
           ".chart .roof{stroke:#1a1a1a;stroke-width:2.5;stroke-linejoin:round}"
           ".chart .band{fill:#1a1a1a;fill-opacity:.09}"
           ".chart .under{fill:#1a1a1a;fill-opacity:.04}\n"
           ".chart .c0{stroke:#0072b2}.chart .c1{stroke:#d55e00}.chart .c2{stroke:#009e73}"
           ".chart .c3{stroke:#cc79a7}.chart .c4{stroke:#e69f00}.chart .c5{stroke:#56b4e9}"
           ".chart .c6{stroke:#000}.chart .muted{stroke:#a6a6a6}\n"
           ".chart .f0{fill:#0072b2}.chart .f1{fill:#d55e00}.chart .f2{fill:#009e73}"
           ".chart .f3{fill:#cc79a7}.chart .f4{fill:#e69f00}.chart .f5{fill:#56b4e9}"
           ".chart .f6{fill:#000}.chart .fmuted{fill:#a6a6a6}\n"
           ".chart .mark{stroke:#fff;stroke-width:.8}.chart .run{fill-opacity:.65}"
           ".chart .blank{fill:none;stroke:#bdbdbd;stroke-dasharray:2 2}"
           ".chart text.light{fill:#fff}.chart text.dark{fill:#000}"
           ".chart .chosen{fill:none;stroke:#d55e00;stroke-width:2.5}\n"
           "@media(prefers-color-scheme:dark){.chart text{fill:#ececec}.chart .soft{fill:#b0b0b0}"
           ".chart .ground{fill:#17191d}.chart .axis,.chart .roof{stroke:#ececec}"
           ".chart .grid{stroke:#33363c}.chart .rule{stroke:#8c8c8c}"
           ".chart .band,.chart .under{fill:#fff}\n"
           ".chart .c0{stroke:#2f95dc}.chart .c5{stroke:#9ad7fb}.chart .c6{stroke:#fff}"
           ".chart .f0{fill:#2f95dc}.chart .f5{fill:#9ad7fb}.chart .f6{fill:#fff}\n"
           ".chart .muted{stroke:#71757d}.chart .fmuted{fill:#71757d}.chart .mark{stroke:#17191d}"
           ".chart .blank{stroke:#5a5e66}}\n";
}

static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

double lc_svg_text_width(const char *text, double font_pixels)
{
    return 0.64 * font_pixels * (double)count_characters(text);
}

void lc_svg_shorten(const char *text, size_t characters, char *out, size_t out_bytes)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    bool whole = count_characters(text) <= characters && strlen(text) < out_bytes;
    size_t room = out_bytes - (whole ? 1 : sizeof ellipsis);
    size_t wanted = whole ? SIZE_MAX : characters - 1;
    size_t bytes = 0;
    for (size_t taken = 0; text[bytes] != '\0' && taken < wanted; taken++) {
        size_t next = character_bytes(text + bytes);
        if (next == 0)
            next = 1;
        if (bytes + next > room)
            break;
        bytes += next;
    }
    memcpy(out, text, bytes);
    strcpy(out + bytes, whole ? "" : ellipsis);
}

void lc_number_format(double value, char text[LC_NUMBER_BYTES])
{
    if (!isfinite(value) || fabs(value) >= 1e15) {
        snprintf(text, LC_NUMBER_BYTES, "%.3g", value);
        return;
    }
    if (fabs(value) < 999.5) {
        snprintf(text, LC_NUMBER_BYTES, "%.3g", value);
        return;
    }
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
}
