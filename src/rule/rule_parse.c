// Reading a rule: a name, or birth and survival counts in any of the usual spellings, and then
// perhaps a topology suffix (topology_text.c).
//
// Counts come in parts, which '/', 'B' and 'S' begin:
//
//     B3/S23   b3s23   S23/B3   B3/23   B3        letters say which part is which
//     23/3   /3   23/                             no letters: survival first
//     23/3/2   B3/S23/C2                          a third part counts states: 2 is what we have
//     B2aceikn3/S   B2-/S                         letters: all that a count has, or all but none
//
// Rules of other families are recognised, so that the message can say what they are.
#include <string.h>

#include "rule/rule_text.h"

#define GENERATIONS "a Generations rule (dying cells pass through further states)"
#define ISOTROPIC "an isotropic non-totalistic rule (the arrangement of the neighbours counts)"
#define SUPPORTED                                                                                  \
    "supported are two-state rules that count the live ones of eight neighbours, such as B3/S23"

static lc_status unsupported(const lc_rule_cursor *c, const char *at, const char *family,
                             lc_message *message)
{
    return lc_rule_fail(message, LC_ERROR_UNSUPPORTED, c->start, at, "this is %s; " SUPPORTED,
                        family);
}

// Other families ------------------------------------------------------------------------------

// The text from `at` without blanks, in lower case, cut to the buffer: enough to know a family by.
static size_t squeeze(const char *at, const char *end, char *to, size_t size)
{
    size_t n = 0;
    for (; at < end && n + 1 < size; at++)
        if (!lc_rule_is_blank(*at))
            to[n++] = lc_rule_lower(*at);
    to[n] = '\0';
    return n;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length > n && memcmp(text + length - n, end, n) == 0;
}

static size_t skip_digits(const char *text)
{
    return strspn(text, "0123456789");
}

// "5,34,45,34,58": Larger than Life in the notation of Kellie Evans.
static bool is_number_list(const char *text)
{
    int numbers = 0;
    for (;;) {
        size_t n = skip_digits(text);
        if (n == 0)
            return false;
        numbers++;
        text += n;
        if (*text == '\0')
            return numbers >= 3;
        if (*text++ != ',')
            return false;
    }
}

// "B2-a/S12", "B2cekin/S12", also with a count of states, or with '_' for '/'.
static bool is_isotropic(const char *text)
{
    bool letters = false;
    if (text[strcspn(text, "012345678")] == '\0' || strchr("bs/_012345678", text[0]) == NULL)
        return false;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (strchr("aceijknqrtwyz-", text[i]) != NULL) {
            bool after = i > 0 && strchr("012345678aceijknqrtwyz-", text[i - 1]) != NULL;
            if (!after)
                return false;
            letters = true;
        } else if (strchr("bs/_012345678", text[i]) == NULL) {
            return false;
        }
    }
    return letters;
}

// What a rule is that is not a list of counts; NULL if it is none that we know. The text is
// squeezed.
static const char *other_family(const char *text, size_t length)
{
    if (starts_with(text, "map") && length >= 9)
        return "a MAP rule (a table of all 512 neighbourhoods)";
    if (ends_with(text, length, "history") || ends_with(text, length, "super"))
        return "a rule with history states (it remembers where cells have been alive)";
    if ((text[0] == 'r' && lc_rule_is_digit(text[1])) || is_number_list(text))
        return "a Larger than Life rule (neighbours further away than one cell count)";
    if (text[0] == 'w' && length > 1 && skip_digits(text + 1) == length - 1)
        return "one of Wolfram's elementary rules (one-dimensional)";
    if (starts_with(text, "nw") && lc_rule_is_digit(text[2]))
        return "a Weighted Life rule (neighbours count differently)";
    if (starts_with(text, "ms,") || (text[0] == 'm' && lc_rule_is_digit(text[1])))
        return "a Margolus rule (cells change in blocks of 2 x 2)";
    if (text[0] == 'g' && skip_digits(text + 1) > 0)
        return GENERATIONS;
    if (is_isotropic(text))
        return ISOTROPIC;
    return NULL;
}

// The arrangements that live neighbours of a count may have, in Hensel's letters. Those of more
// than four are those of the dead ones.
static const char *arrangements_of(unsigned count)
{
    static const char *const letters[] = {"", "ce", "ceaikn", "ceaiknjqry", "ceaiknjqrytwz"};
    return letters[count <= 4 ? count : 8 - count];
}

// The bit of a letter among the arrangements of a count; 0 if it has no such arrangement.
static unsigned arrangement_bit(unsigned count, char letter)
{
    const char *letters = arrangements_of(count);
    const char *at = lc_rule_is_letter(letter) ? strchr(letters, lc_rule_lower(letter)) : NULL;
    return at != NULL ? 1u << (at - letters) : 0;
}

static unsigned all_arrangements(unsigned count)
{
    return (1u << strlen(arrangements_of(count))) - 1;
}

// A letter behind the counts that stands for another neighbourhood.
static const char *other_neighbourhood(const char *at, const char *end)
{
    char letters[4];
    size_t n = squeeze(at, end, letters, sizeof letters);
    if (n == 1 && letters[0] == 'h')
        return "a rule on the hexagonal neighbourhood (six neighbours)";
    if (n == 1 && letters[0] == 'v')
        return "a rule on the von Neumann neighbourhood (four neighbours)";
    if (n >= 1 && n <= 2 && letters[0] == 'l')
        return "a rule on the triangular neighbourhood";
    return NULL;
}

// Three letters in a row, other than those of arrangements behind a count: someone meant a name.
static bool is_wordy(const lc_rule_cursor *c)
{
    int letters = 0;
    bool counted = false;
    for (const char *p = c->at; p < c->end && letters < 3; p++) {
        counted = lc_rule_is_digit(*p) || (counted && arrangement_bit(4, *p) != 0) ||
                  (counted && *p == '-');
        letters = lc_rule_is_letter(*p) && !counted ? letters + 1 : 0;
    }
    return letters == 3;
}

// Something that cannot stand in counts: finds the best thing to say.
static lc_status explain(const lc_rule_cursor *c, const char *at, bool after_counts,
                         lc_message *message)
{
    char text[200];
    size_t length = squeeze(c->at, c->end, text, sizeof text);
    const char *family = after_counts ? other_neighbourhood(at, c->end) : NULL;
    if (family != NULL)
        return unsupported(c, at, family, message);
    family = other_family(text, length);
    if (family != NULL)
        return unsupported(c, c->at, family, message);
    if (is_wordy(c))
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, c->at,
                            "no rule is known by this name; a rule is written like B3/S23");
    return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                        "%s does not belong into a rule such as B3/S23", lc_rule_quote(*at).text);
}

// Counts --------------------------------------------------------------------------------------

typedef struct part {
    const char *at; // where it begins
    char letter;    // 'b', 's', 'c' (count of states), 0 if none
    bool has_digits;
    uint16_t counts;
    uint16_t without;    // counts that are there with a '-' and all their letters
    unsigned letters[9]; // of each count, as far as it has some
    unsigned states;     // of a third part; stops growing at 1000
} part;

typedef struct parts {
    part list[3];
    int count;
} parts;

// The letters behind the count at `at` go to `current`; returns the last character taken, which is
// the count itself if there are none.
static const char *add_arrangements(const lc_rule_cursor *c, const char *at, part *current)
{
    const unsigned count = (unsigned)(*at - '0');
    const unsigned all = all_arrangements(count);
    const char *last = at;
    unsigned letters = 0;
    bool minus = false;
    for (const char *p = at + 1; p < c->end; p++) {
        const unsigned bit = arrangement_bit(count, *p);
        if (*p == '-' && last == at)
            minus = true;
        else if (bit != 0)
            letters |= bit;
        else if (lc_rule_is_blank(*p))
            continue;
        else
            break;
        last = p;
    }
    if (letters == 0 || (letters == all && !minus))
        current->counts |= (uint16_t)(1u << count);
    else if (letters == all)
        current->without |= (uint16_t)(1u << count);
    else
        current->letters[count] |= minus ? all & ~letters : letters;
    return last;
}

// Whether each count is there with all of its arrangements or with none; then `counts` has it.
static bool has_whole_counts(part *current)
{
    for (unsigned count = 0; count <= 8; count++) {
        const unsigned all = all_arrangements(count);
        const uint16_t bit = (uint16_t)(1u << count);
        if (current->letters[count] == all && all != 0)
            current->counts |= bit;
        else if (current->letters[count] != 0 || (current->without & current->counts & bit) != 0)
            return false;
    }
    return true;
}

// *end goes to the last character that belongs to the digit.
static lc_status add_digit(const lc_rule_cursor *c, const char **end, part *current, bool third,
                           lc_message *message)
{
    const char *at = *end;
    unsigned digit = (unsigned)(*at - '0');
    current->has_digits = true;
    if (third) {
        if (current->states < 1000)
            current->states = current->states * 10 + digit;
        return LC_OK;
    }
    if (digit > 8)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "a cell has eight neighbours: counts are 0 to 8, not 9");
    *end = add_arrangements(c, at, current);
    return LC_OK;
}

static lc_status begin_part(const lc_rule_cursor *c, const char *at, parts *p, lc_message *message)
{
    if (p->count == 3)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "a rule has a birth and a survival part; this begins a fourth part");
    p->list[p->count++] = (part){.at = at};
    return LC_OK;
}

static lc_status add_letter(const lc_rule_cursor *c, const char *at, char letter, parts *p,
                            lc_message *message)
{
    part *current = &p->list[p->count - 1];
    for (int i = 0; i < p->count; i++) {
        if (p->list[i].letter == letter && !is_wordy(c))
            return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                                "%s is there twice: a rule has one birth (B) and one survival (S) "
                                "part",
                                lc_rule_quote(*at).text);
    }
    if (p->count == 3 || is_wordy(c))
        return explain(c, at, false, message);
    if (current->letter == 0 && current->has_digits)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, current->at,
                            "these counts belong neither to B nor to S; write B3/S23 or 23/3");
    if (current->letter != 0) {
        lc_status status = begin_part(c, at, p, message);
        if (status != LC_OK)
            return status;
        current++;
    }
    current->letter = letter;
    return LC_OK;
}

static lc_status split(const lc_rule_cursor *c, parts *p, lc_message *message)
{
    p->count = 0;
    lc_status status = begin_part(c, c->at, p, message);
    for (const char *at = c->at; at < c->end && status == LC_OK; at++) {
        char letter = lc_rule_lower(*at);
        part *current = &p->list[p->count - 1];
        if (lc_rule_is_blank(*at))
            continue;
        if (lc_rule_is_digit(*at))
            status = add_digit(c, &at, current, p->count == 3, message);
        else if (*at == '/')
            status = begin_part(c, at + 1, p, message);
        else if (letter == 'b' || letter == 's')
            status = add_letter(c, at, letter, p, message);
        else if (p->count == 3 && (letter == 'c' || letter == 'g') && !current->letter &&
                 !current->has_digits)
            current->letter = 'c';
        else
            status = explain(c, at, p->list[0].letter || p->count > 1, message);
    }
    return status;
}

static lc_status parse_counts(const lc_rule_cursor *c, lc_rule *rule, lc_message *message)
{
    parts p = {0};
    lc_status status = split(c, &p, message);
    if (status != LC_OK)
        return status;
    if (p.count == 1 && p.list[0].letter == 0) {
        char text[200];
        size_t length = squeeze(c->at, c->end, text, sizeof text);
        const char *family = other_family(text, length);
        if (family != NULL)
            return unsupported(c, c->at, family, message);
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, c->at,
                            "one list of counts is no rule; write B3/S23 or 23/3");
    }
    if (!has_whole_counts(&p.list[0]) || !has_whole_counts(&p.list[1]))
        return unsupported(c, c->at, ISOTROPIC, message);
    if (p.count == 3) {
        if (!p.list[2].has_digits)
            return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, p.list[2].at,
                                "the number of states is missing behind the second '/'");
        if (p.list[2].states != 2)
            return unsupported(c, p.list[2].at, GENERATIONS, message);
    }
    part second = p.count == 1 ? (part){0} : p.list[1];
    bool birth_first = p.list[0].letter == 'b' || second.letter == 's';
    *rule = birth_first ? (lc_rule)LC_RULE_TOTALISTIC(p.list[0].counts, second.counts)
                        : (lc_rule)LC_RULE_TOTALISTIC(second.counts, p.list[0].counts);
    return LC_OK;
}

static lc_status parse_rule(const lc_rule_cursor *c, lc_rule *rule, lc_message *message)
{
    size_t length = (size_t)(c->end - c->at);
    if (lc_rule_by_name(c->at, length, rule))
        return LC_OK;
    const char *family = lc_rule_family_by_name(c->at, length);
    if (family != NULL)
        return unsupported(c, c->at, family, message);
    return parse_counts(c, rule, message);
}

lc_status lc_rule_parse(const char *text, lc_rule *rule, lc_topology *topology, lc_message *message)
{
    lc_rule_cursor c = {text, text, text + strlen(text)};
    while (c.at < c.end && lc_rule_is_blank(*c.at))
        c.at++;
    while (c.end > c.at && lc_rule_is_blank(c.end[-1]))
        c.end--;
    lc_rule_cursor suffix = {text, c.end, c.end};
    const char *colon = memchr(c.at, ':', (size_t)(c.end - c.at));
    if (colon != NULL) {
        suffix.at = colon + 1;
        c.end = colon;
        while (c.end > c.at && lc_rule_is_blank(c.end[-1]))
            c.end--;
    }
    if (c.at == c.end)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c.start, c.at,
                            "the rule is empty; a rule is written like B3/S23");
    lc_rule parsed_rule;
    lc_topology parsed_topology = {0};
    lc_status status = parse_rule(&c, &parsed_rule, message);
    if (status == LC_OK)
        status = lc_topology_parse_suffix(suffix, &parsed_topology, message);
    if (status != LC_OK)
        return status;
    if (rule != NULL)
        *rule = parsed_rule;
    if (topology != NULL)
        *topology = parsed_topology;
    return LC_OK;
}
