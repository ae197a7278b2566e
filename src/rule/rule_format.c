// Writing rules and topologies as text. The inverse of rule_parse.c and topology_text.c.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rule/rule_table.h"
#include "rule/rule_text.h"

static char *write_counts(char *to, unsigned mask)
{
    for (unsigned n = 0; n <= 8; n++)
        if (mask >> n & 1)
            *to++ = (char)('0' + n);
    return to;
}

// Golly's form of arrangements: all of a count have no letters, and letters are taken away where
// that is shorter. The others are in the order of the alphabet.
static char *write_arrangements(char *to, const uint16_t arrangements[9])
{
    for (unsigned n = 0; n <= 8; n++) {
        const unsigned all = lc_arrangements_all(n), missing = all & ~arrangements[n];
        const bool minus = __builtin_popcount(missing) + 1 < __builtin_popcount(arrangements[n]);
        const unsigned written = minus ? missing : arrangements[n];
        if (arrangements[n] == 0)
            continue;
        *to++ = (char)('0' + n);
        if (missing == 0)
            continue;
        if (minus)
            *to++ = '-';
        for (char c = 'a'; c <= 'z'; c++) {
            const char *at = strchr(lc_arrangements_of(n), c);
            if (at != NULL && (written >> (at - lc_arrangements_of(n)) & 1) != 0)
                *to++ = c;
        }
    }
    return to;
}

// Births and survivals of a rule in the shortest notation that has both as lists.
typedef struct lists {
    bool by_counts;
    uint16_t counts[2]; // births, survivals
    lc_arrangements arrangements;
    char neighbours; // 'H', 'V', or 0 for all eight
} lists;

// Returns false if the rule can be written only as a table.
static bool make_lists(const lc_rule_value *rule, lists *made)
{
    *made = (lists){.by_counts = true, .counts = {rule->counts.birth, rule->counts.survival}};
    if (rule->totalistic)
        return true;
    if (lc_value_to_neighbours(rule, LC_HEXAGON, made->counts))
        made->neighbours = 'H';
    else if (lc_value_to_neighbours(rule, LC_CROSS, made->counts))
        made->neighbours = 'V';
    else if (rule->symmetry == LC_SYMMETRY_ALL)
        made->by_counts = false;
    else
        return false;
    if (!made->by_counts)
        lc_value_to_arrangements(rule, made->arrangements);
    return true;
}

static char *write_list(char *to, const lists *made, int which)
{
    return made->by_counts ? write_counts(to, made->counts[which])
                           : write_arrangements(to, made->arrangements[which]);
}

// Golly's form: of two states "B3/S23", of more "23/3/4", survivals first.
static char *write_lists(char *to, const lists *made, int states)
{
    if (states == 2) {
        *to++ = 'B';
        to = write_list(to, made, 0);
        *to++ = '/';
        *to++ = 'S';
        to = write_list(to, made, 1);
    } else {
        to = write_list(to, made, 1);
        *to++ = '/';
        to = write_list(to, made, 0);
        to += snprintf(to, 8, "/%d", states);
    }
    if (made->neighbours != 0)
        *to++ = made->neighbours;
    return to;
}

static char *write_table(char *to, const lc_rule_value *rule, int states)
{
    const int number = lc_value_to_wolfram(rule);
    if (states == 2 && number >= 0 && number % 2 == 0)
        return to + snprintf(to, LC_RULE_TEXT_BYTES, "W%d", number);
    memcpy(to, "MAP", 3);
    lc_value_to_digits(rule, to + 3);
    to += 3 + LC_MAP_DIGITS;
    return states == 2 ? to : to + snprintf(to, 8, "/%d", states);
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

void lc_value_format(const lc_rule_value *value, char text[LC_RULE_TEXT_BYTES])
{
    lists made;
    lc_rule_value of_two_states = *value;
    lc_value_set_states(&of_two_states, 2);
    const bool has_history = value->family == LC_FAMILY_HISTORY;
    const int states = has_history ? 2 : value->last_state + 1;
    if (has_history && lc_value_is_life(&of_two_states)) { // Golly's name
        memcpy(text, LC_LIFE_HISTORY, sizeof LC_LIFE_HISTORY);
        return;
    }
    char *end = make_lists(&of_two_states, &made) ? write_lists(text, &made, states)
                                                  : write_table(text, &of_two_states, states);
    memcpy(end, has_history ? LC_HISTORY : "", has_history ? sizeof LC_HISTORY : 1);
}

void lc_rule_format(const lc_rule *rule, const lc_topology *topology, char text[LC_RULE_TEXT_BYTES])
{
    const size_t length = strlen(lc_rule_traits(rule)->text);
    memcpy(text, lc_rule_traits(rule)->text, length + 1);
    if (topology != NULL && !is_infinite_plane(topology))
        write_suffix(topology, text + length, LC_RULE_TEXT_BYTES - length);
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
