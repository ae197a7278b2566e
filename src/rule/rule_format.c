// Writing rules and topologies as text. The inverse of rule_parse.c and topology_text.c.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rule/rule_text.h"

static char *write_counts(char *to, char letter, unsigned mask)
{
    *to++ = letter;
    for (unsigned n = 0; n <= 8; n++)
        if (mask >> n & 1)
            *to++ = (char)('0' + n);
    return to;
}

// Golly's form of a table: its bytes in Base64 without padding.
static char *write_map(char *to, const uint8_t table[64])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    memcpy(to, "MAP", 3);
    to += 3;
    for (int bit = 0; bit < 512; bit += 6) {
        const int byte = bit / 8;
        const unsigned pair = (unsigned)table[byte] << 8 | (byte < 63 ? table[byte + 1] : 0u);
        *to++ = digits[pair >> (10 - bit % 8) & 63];
    }
    return to;
}

// "+5", "-2"; "" for 0.
typedef struct shift_text {
    char text[24];
} shift_text;

static shift_text shift_to_text(int64_t shift)
{
    shift_text result = {""};
    if (shift != 0)
        (void)snprintf(result.text, sizeof result.text, "%+" PRId64, shift);
    return result;
}

static void write_suffix(const lc_topology *t, char *to, size_t size)
{
    char letter = t->kind == LC_TOPOLOGY_TORUS           ? 'T'
                  : t->kind == LC_TOPOLOGY_KLEIN_BOTTLE  ? 'K'
                  : t->kind == LC_TOPOLOGY_CROSS_SURFACE ? 'C'
                  : t->kind == LC_TOPOLOGY_SPHERE        ? 'S'
                                                         : 'P';
    if (t->kind == LC_TOPOLOGY_SPHERE) {
        (void)snprintf(to, size, ":S%" PRId64, t->width_cells);
        return;
    }
    bool klein = t->kind == LC_TOPOLOGY_KLEIN_BOTTLE;
    (void)snprintf(to, size, ":%c%" PRId64 "%s%s,%" PRId64 "%s%s", letter, t->width_cells,
                   klein && t->twist_x ? "*" : "", shift_to_text(t->shift_x_cells).text,
                   t->height_cells, klein && t->twist_y ? "*" : "",
                   shift_to_text(t->shift_y_cells).text);
}

static bool is_infinite_plane(const lc_topology *t)
{
    return t->width_cells == 0 && t->height_cells == 0;
}

void lc_rule_format(const lc_rule *rule, const lc_topology *topology, char text[LC_RULE_TEXT_BYTES])
{
    char *end = text;
    if (rule->family == LC_FAMILY_MAP) {
        end = write_map(end, rule->table);
    } else {
        end = write_counts(end, 'B', rule->birth);
        *end++ = '/';
        end = write_counts(end, 'S', rule->survival);
    }
    *end = '\0';
    if (topology != NULL && !is_infinite_plane(topology))
        write_suffix(topology, end, (size_t)(text + LC_RULE_TEXT_BYTES - end));
}

typedef struct side_text {
    char text[24];
} side_text;

static side_text side_to_text(int64_t cells)
{
    side_text result = {"unbounded"};
    if (cells != 0)
        (void)snprintf(result.text, sizeof result.text, "%" PRId64, cells);
    return result;
}

void lc_topology_format(const lc_topology *topology, char text[LC_RULE_TEXT_BYTES])
{
    if (is_infinite_plane(topology)) {
        (void)snprintf(text, LC_RULE_TEXT_BYTES, "infinite plane");
        return;
    }
    const char *name = topology->kind == LC_TOPOLOGY_TORUS           ? "torus"
                       : topology->kind == LC_TOPOLOGY_KLEIN_BOTTLE  ? "Klein bottle"
                       : topology->kind == LC_TOPOLOGY_CROSS_SURFACE ? "cross-surface"
                       : topology->kind == LC_TOPOLOGY_SPHERE        ? "sphere"
                                                                     : "plane";
    if (topology->kind == LC_TOPOLOGY_TORUS &&
        (topology->width_cells == 0 || topology->height_cells == 0))
        name = "tube";
    int n = snprintf(text, LC_RULE_TEXT_BYTES, "%s %s x %s", name,
                     side_to_text(topology->width_cells).text,
                     side_to_text(topology->height_cells).text);
    if (n < 0 || n >= LC_RULE_TEXT_BYTES)
        return;
    char *rest = text + n;
    size_t room = (size_t)(LC_RULE_TEXT_BYTES - n);
    if (topology->kind == LC_TOPOLOGY_KLEIN_BOTTLE) {
        bool shifted = topology->shift_x_cells != 0 || topology->shift_y_cells != 0;
        (void)snprintf(rest, room, ", %s edges twisted%s",
                       topology->twist_x ? "top and bottom" : "left and right",
                       shifted ? " and shifted" : "");
    } else if (topology->shift_x_cells != 0) {
        (void)snprintf(rest, room, ", top and bottom edges shifted by %+" PRId64,
                       topology->shift_x_cells);
    } else if (topology->shift_y_cells != 0) {
        (void)snprintf(rest, room, ", left and right edges shifted by %+" PRId64,
                       topology->shift_y_cells);
    }
}
