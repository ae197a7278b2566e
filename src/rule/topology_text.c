// Topology suffixes: ":T30+5,20" and its relatives, as Golly reads them.
//
//     letter [width] ['*'] [('+' | '-') shift] [',' [height] ['*'] [('+' | '-') shift]]
//
// A letter alone is the infinite plane, one number is a square, 0 or no digits is unbounded. Every
// shift of a Klein bottle is the same as a shift by one (and by none where the twisted edge has an
// odd number of cells): moving the origin makes the others go away two cells at a time.
#include <string.h>

#include "base/error.h"
#include "rule/rule_text.h"

static void skip_blanks(lc_rule_cursor *c)
{
    while (c->at < c->end && lc_rule_is_blank(*c->at))
        c->at++;
}

static bool next_is(lc_rule_cursor *c, char wanted)
{
    skip_blanks(c);
    return c->at < c->end && *c->at == wanted;
}

static bool accept(lc_rule_cursor *c, char wanted)
{
    if (!next_is(c, wanted))
        return false;
    c->at++;
    return true;
}

// Digits; none at all are 0.
static lc_status parse_number(lc_rule_cursor *c, int64_t *number, lc_message *message)
{
    skip_blanks(c);
    const char *first = c->at;
    int64_t value = 0;
    for (; c->at < c->end && lc_rule_is_digit(*c->at); c->at++) {
        int digit = *c->at - '0';
        if (value > (LC_TOPOLOGY_SIDE_MAX - digit) / 10)
            return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, first,
                                "this size or shift is larger than 2^61 cells");
        value = value * 10 + digit;
    }
    *number = value;
    return LC_OK;
}

typedef struct side {
    int64_t cells;
    int64_t shift;
    bool twisted;
    const char *twist_at; // NULL if there is none
    const char *shift_at;
} side;

static lc_status parse_side(lc_rule_cursor *c, side *s, lc_message *message)
{
    *s = (side){0};
    lc_status status = parse_number(c, &s->cells, message);
    if (status != LC_OK)
        return status;
    if (next_is(c, '*')) {
        s->twisted = true;
        s->twist_at = c->at++;
    }
    if (next_is(c, '+') || next_is(c, '-')) {
        s->shift_at = c->at++;
        status = parse_number(c, &s->shift, message);
        if (status != LC_OK)
            return status;
        if (s->cells != 0)
            s->shift %= s->cells;
        if (*s->shift_at == '-')
            s->shift = -s->shift;
    }
    return LC_OK;
}

static lc_status check_twists(const lc_rule_cursor *c, lc_topology_kind kind, const side *x,
                              const side *y, lc_message *message)
{
    const char *at = x->twist_at != NULL ? x->twist_at : y->twist_at;
    if (at != NULL && kind != LC_TOPOLOGY_KLEIN_BOTTLE)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "only a Klein bottle (K) can have one pair of edges twisted");
    if (x->twist_at != NULL && y->twist_at != NULL)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, y->twist_at,
                            "a Klein bottle has one pair of twisted edges; both make a "
                            "cross-surface (C)");
    return LC_OK;
}

static lc_status check_shifts(const lc_rule_cursor *c, lc_topology_kind kind, const side *x,
                              const side *y, lc_message *message)
{
    const char *at = x->shift_at != NULL ? x->shift_at : y->shift_at;
    if (at == NULL)
        return LC_OK;
    if (kind != LC_TOPOLOGY_TORUS && kind != LC_TOPOLOGY_KLEIN_BOTTLE)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "only a torus (T) and a Klein bottle (K) can have a shift");
    if (kind == LC_TOPOLOGY_KLEIN_BOTTLE &&
        ((x->shift_at != NULL && !x->twisted) || (y->shift_at != NULL && !y->twisted)))
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "a Klein bottle's shift must be on its twisted edges");
    if (x->cells == 0 || y->cells == 0)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "edges can be shifted only where width and height are finite");
    if (x->shift != 0 && y->shift != 0)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, y->shift_at,
                            "only one pair of edges can be shifted");
    return LC_OK;
}

static int64_t klein_shift(const side *s)
{
    return s->shift != 0 && s->cells % 2 == 0 ? 1 : 0;
}

static lc_status parse_sides(lc_rule_cursor *c, lc_topology_kind kind, lc_topology *topology,
                             lc_message *message)
{
    const char *first = c->at;
    side x, y = {0};
    lc_status status = parse_side(c, &x, message);
    if (status != LC_OK)
        return status;
    bool square = true; // ":T100" is ":T100,100", and so is ":T100,"
    if (accept(c, ',')) {
        skip_blanks(c);
        square = c->at == c->end;
        if (!square)
            status = parse_side(c, &y, message);
    }
    if (status != LC_OK)
        return status;
    skip_blanks(c);
    if (c->at < c->end)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, c->at,
                            "%s does not belong into a topology such as :T30+5,20 or :K30*,20",
                            lc_rule_quote(*c->at).text);
    if (square)
        y.cells = x.cells;
    if (kind != LC_TOPOLOGY_PLANE && kind != LC_TOPOLOGY_TORUS && (x.cells == 0 || y.cells == 0))
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, first,
                            "only a plane (P) and a torus (T) can be unbounded (size 0)");
    if (kind == LC_TOPOLOGY_SPHERE && x.cells != y.cells)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, first,
                            "a sphere must be as wide as it is high");
    status = check_twists(c, kind, &x, &y, message);
    if (status == LC_OK)
        status = check_shifts(c, kind, &x, &y, message);
    if (status != LC_OK)
        return status;

    bool klein = kind == LC_TOPOLOGY_KLEIN_BOTTLE;
    *topology = (lc_topology){
        .kind = x.cells == 0 && y.cells == 0 ? LC_TOPOLOGY_PLANE : kind,
        .width_cells = x.cells,
        .height_cells = y.cells,
        .shift_x_cells = klein ? klein_shift(&x) : x.shift,
        .shift_y_cells = klein ? klein_shift(&y) : y.shift,
        .twist_x = x.twisted,
        .twist_y = y.twisted || (klein && !x.twisted), // ":K30,20" is ":K30,20*"
    };
    return LC_OK;
}

lc_status lc_topology_parse_suffix(lc_rule_cursor c, lc_topology *topology, lc_message *message)
{
    static const struct {
        char letter;
        lc_topology_kind kind;
    } kinds[] = {
        {'p', LC_TOPOLOGY_PLANE},        {'t', LC_TOPOLOGY_TORUS},
        {'k', LC_TOPOLOGY_KLEIN_BOTTLE}, {'c', LC_TOPOLOGY_CROSS_SURFACE},
        {'s', LC_TOPOLOGY_SPHERE},
    };
    skip_blanks(&c);
    if (c.at == c.end) {
        *topology = (lc_topology){0};
        return LC_OK;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (lc_rule_lower(*c.at) != kinds[i].letter)
            continue;
        c.at++;
        skip_blanks(&c);
        if (c.at == c.end) {
            *topology = (lc_topology){0};
            return LC_OK;
        }
        return parse_sides(&c, kinds[i].kind, topology, message);
    }
    return lc_rule_fail(message, LC_ERROR_FORMAT, c.start, c.at,
                        "unknown topology %s; use T for a torus, P for a plane, K for a Klein "
                        "bottle, C for a cross-surface, or S for a sphere",
                        lc_rule_quote(*c.at).text);
}

static bool is_word(lc_rule_cursor c, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(c.end - c.at) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lc_rule_lower(c.at[i]) != word[i])
            return false;
    return true;
}

lc_status lc_topology_parse(const char *text, lc_topology *topology, lc_message *message)
{
    lc_rule_cursor c = {text, text, text + strlen(text)};
    skip_blanks(&c);
    while (c.end > c.at && lc_rule_is_blank(c.end[-1]))
        c.end--;
    if (c.at == c.end)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c.start, c.at, "the topology is empty");
    lc_topology parsed = {0};
    lc_status status = LC_OK;
    if (!is_word(c, "plane") && !is_word(c, "infinite plane")) {
        (void)accept(&c, ':');
        status = lc_topology_parse_suffix(c, &parsed, message);
    }
    if (status == LC_OK && topology != NULL)
        *topology = parsed;
    return status;
}

static lc_status check_klein_bottle(const lc_topology *t, lc_message *message)
{
    if (t->twist_x == t->twist_y)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a Klein bottle has exactly one pair of twisted edges");
    int64_t side_cells = t->twist_x ? t->width_cells : t->height_cells;
    int64_t shift = t->twist_x ? t->shift_x_cells : t->shift_y_cells;
    int64_t other = t->twist_x ? t->shift_y_cells : t->shift_x_cells;
    if (other != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a Klein bottle's shift must be on its twisted edges");
    if (shift != 0 && (shift != 1 || side_cells % 2 != 0))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a Klein bottle's shift is 0 or 1, and 0 where the twisted edges have an "
                       "odd number of cells");
    return LC_OK;
}

lc_status lc_topology_check(const lc_topology *t, lc_message *message)
{
    if (t->width_cells < 0 || t->height_cells < 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "width and height cannot be negative");
    if (t->width_cells > LC_TOPOLOGY_SIDE_MAX || t->height_cells > LC_TOPOLOGY_SIDE_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "width and height are at most 2^61 cells");
    bool unbounded = t->width_cells == 0 || t->height_cells == 0;
    switch (t->kind) {
    case LC_TOPOLOGY_PLANE:
    case LC_TOPOLOGY_TORUS:
        break;
    case LC_TOPOLOGY_SPHERE:
        if (t->width_cells != t->height_cells)
            return lc_fail(message, LC_ERROR_ARGUMENT, "a sphere must be as wide as it is high");
        // fall through
    case LC_TOPOLOGY_KLEIN_BOTTLE:
    case LC_TOPOLOGY_CROSS_SURFACE:
        if (unbounded)
            return lc_fail(message, LC_ERROR_ARGUMENT, "only a plane and a torus can be unbounded");
        break;
    default:
        return lc_fail(message, LC_ERROR_ARGUMENT, "%d is no kind of topology", (int)t->kind);
    }
    if (t->kind == LC_TOPOLOGY_KLEIN_BOTTLE)
        return check_klein_bottle(t, message);
    if (t->twist_x || t->twist_y)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "only a Klein bottle can have one pair of edges twisted");
    if (t->shift_x_cells == 0 && t->shift_y_cells == 0)
        return LC_OK;
    if (t->kind != LC_TOPOLOGY_TORUS)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "only a torus and a Klein bottle can have a shift");
    if (unbounded)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "edges can be shifted only where width and height are finite");
    if (t->shift_x_cells != 0 && t->shift_y_cells != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "only one pair of edges can be shifted");
    if (t->shift_x_cells <= -t->width_cells || t->shift_x_cells >= t->width_cells ||
        t->shift_y_cells <= -t->height_cells || t->shift_y_cells >= t->height_cells)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a shift must be smaller than its edge");
    return LC_OK;
}
