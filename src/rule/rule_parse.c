// Reading a rule: a name, or birth and survival counts in any of the usual spellings, and then
// perhaps a topology suffix (topology_text.c).
//
// Counts come in parts, which '/', 'B' and 'S' begin:
//
//     B3/S23   b3s23   S23/B3   B3/23   B3        letters say which part is which
//     23/3   /3   23/                             no letters: survival first
//     345/2/4  B2/S345/C4  g4b2s345               a third part, or 'g': the number of states
//     B2-a3ce/S12                                 letters: arrangements of a count (Hensel)
//     B2/S34H   B13/S024V                         six neighbours, or four
//
// "History" may follow a rule of two states. MAP and Base64 is a whole table, perhaps with '/' and
// states; W and a number is one of Wolfram's rules. The parser recognises rules of other families,
// so that the message can name the family.
#include <string.h>

#include "rule/rule_table.h"
#include "rule/rule_text.h"

#define SUPPORTED                                                                                  \
    "supported are rules of a cell and its eight neighbours, such as B3/S23, B2-a/S12 or 345/2/4"

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
    return length >= n && memcmp(text + length - n, end, n) == 0;
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

// Returns the family of a squeezed text that is not a list of counts, as a noun phrase; NULL if it
// is unknown.
static const char *other_family(const char *text, size_t length)
{
    if (ends_with(text, length, "super"))
        return "a rule with the states of LifeSuper";
    if (text[0] == 'r' && text[1] == '1' && !lc_rule_is_digit(text[2]))
        return "a rule in the notation of Larger than Life, which is not read";
    if ((text[0] == 'r' && lc_rule_is_digit(text[1])) || is_number_list(text))
        return "a Larger than Life rule (neighbours further away than one cell count)";
    if (starts_with(text, "nw") && lc_rule_is_digit(text[2]))
        return "a Weighted Life rule (neighbours count differently)";
    if (starts_with(text, "ms,") || (text[0] == 'm' && lc_rule_is_digit(text[1])))
        return "a Margolus rule (cells change in blocks of 2 x 2)";
    return NULL;
}

// The bit of a letter among the arrangements of a count; 0 if it has no such arrangement.
static unsigned arrangement_bit(unsigned count, char letter)
{
    const char *letters = lc_arrangements_of(count);
    const char *at = lc_rule_is_letter(letter) ? strchr(letters, lc_rule_lower(letter)) : NULL;
    return at != NULL ? 1u << (at - letters) : 0;
}

// A letter behind the counts that stands for another neighbourhood.
static const char *other_neighbourhood(const char *at, const char *end)
{
    char letters[4];
    size_t n = squeeze(at, end, letters, sizeof letters);
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

// Fails at a character that counts cannot contain, with the best explanation.
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
                            "unknown rule name; write a rule as in B3/S23");
    return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                        "%s does not belong into a rule such as B3/S23", lc_rule_quote(*at).text);
}

// Counts --------------------------------------------------------------------------------------

typedef struct part {
    const char *at; // where it begins
    char letter;    // 'b', 's', 'g' (number of states), 0 if none
    bool has_digits;
    // Of each count, wherever it stands in the part: Golly reads "B3a3-e" as "B3-ae".
    bool is_there[9], minus[9];
    uint16_t letters[9];
    unsigned states; // of 'g'; stops growing at 1000
} part;

typedef struct parts {
    part list[3];
    int count;
} parts;

// Whether a character behind a count can only be meant as a letter of it.
static bool is_arrangement_letter(char c)
{
    return arrangement_bit(4, c) != 0;
}

static lc_status fail_letter(const lc_rule_cursor *c, const char *at, unsigned count,
                             lc_message *message)
{
    const char *letters = lc_arrangements_of(count);
    if (*letters == '\0')
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "%u neighbours can be arranged in one way only: no letter or '-' can "
                            "follow",
                            count);
    return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                        "%u neighbour%s no arrangement %s; the letters of %u are %s", count,
                        count == 1 ? " has" : "s have", lc_rule_quote(*at).text, count, letters);
}

// The letters behind the count at *end; *end goes to the last character taken, which is the count
// itself if there are none.
static lc_status add_arrangements(const lc_rule_cursor *c, const char **end, part *current,
                                  lc_message *message)
{
    const unsigned count = (unsigned)(**end - '0'), all = lc_arrangements_all(count);
    const char *start = *end;
    unsigned letters = 0;
    bool minus = false, any = false;
    for (const char *p = start + 1; p < c->end; p++) {
        const unsigned bit = arrangement_bit(count, *p);
        if (lc_rule_is_blank(*p))
            continue;
        if (*p == '-' && any)
            return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, p,
                                "'-' takes letters away from a count, and stands right behind it: "
                                "B2-a");
        if (*p != '-' && bit == 0 && !is_arrangement_letter(*p))
            break;
        if (*p == '-' ? all == 1 : bit == 0)
            return fail_letter(c, p, count, message);
        minus |= *p == '-';
        letters |= bit;
        any = true;
        *end = p;
    }
    current->is_there[count] = true;
    current->minus[count] |= minus && letters != 0;
    current->letters[count] |= (uint16_t)letters;
    return LC_OK;
}

// Returns the arrangements of a count in a part. A count without letters means all arrangements.
static uint16_t arrangements_of(const part *p, unsigned count)
{
    const unsigned all = lc_arrangements_all(count), letters = p->letters[count];
    if (!p->is_there[count])
        return 0;
    return (uint16_t)(letters == 0 || p->minus[count] ? all & ~letters : letters);
}

// *end goes to the last character that belongs to the digit.
static lc_status add_digit(const lc_rule_cursor *c, const char **end, part *current,
                           lc_message *message)
{
    const char *at = *end;
    unsigned digit = (unsigned)(*at - '0');
    current->has_digits = true;
    if (current->letter == 'g') {
        if (current->states < 1000)
            current->states = current->states * 10 + digit;
        return LC_OK;
    }
    if (digit > 8)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "a cell has eight neighbours: counts are 0 to 8, not 9");
    return is_wordy(c) ? LC_OK : add_arrangements(c, end, current, message);
}

static lc_status begin_part(const lc_rule_cursor *c, const char *at, parts *p, lc_message *message)
{
    if (p->count == 3)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "a rule has births, survivals and states; this begins a fourth part");
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
    if (is_wordy(c))
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
        const bool is_third = p->count == 3 && current->letter == 0 && !current->has_digits;
        if (is_third && (lc_rule_is_digit(*at) || letter == 'c'))
            status = add_letter(c, at, 'g', p, message);
        if (status == LC_OK && lc_rule_is_digit(*at))
            status = add_digit(c, &at, current, message);
        else if (*at == '/' || *at == '_') // '_' in the names of files
            status = begin_part(c, at + 1, p, message);
        else if (letter == 'b' || letter == 's' || letter == 'g')
            status = add_letter(c, at, letter, p, message);
        else if (!is_third || letter != 'c')
            status = explain(c, at, p->list[0].letter || p->count > 1, message);
    }
    return status;
}

// Six or four neighbours: 'H' or 'V' behind a rule, which is cut off.
static char cut_neighbours(lc_rule_cursor *c)
{
    const char letter = lc_rule_lower(c->end[-1]);
    const char *before = c->end - 1;
    while (before > c->at && lc_rule_is_blank(before[-1]))
        before--;
    if ((letter != 'h' && letter != 'v') || before == c->at || is_wordy(c))
        return 0;
    const char last = lc_rule_lower(before[-1]);
    if (!lc_rule_is_digit(last) && last != '/' && last != '_' && last != 's' && last != 'b')
        return 0;
    c->end = before;
    return letter;
}

// Behind which count there is something that six or four neighbours do not have; NULL: nowhere.
static const char *beyond(const lc_rule_cursor *c, char most)
{
    int slashes = 0;
    for (const char *at = c->at; at < c->end; at++) {
        slashes += *at == '/' || *at == '_';
        if (slashes == 2) // states follow
            break;
        if (lc_rule_lower(*at) == 'g')
            at += skip_digits(at + 1);
        else if ((lc_rule_is_digit(*at) && *at > most) || *at == '-' || is_arrangement_letter(*at))
            return at;
    }
    return NULL;
}

static lc_status check_neighbours(const lc_rule_cursor *c, bool hexagonal, lc_message *message)
{
    const char *at = beyond(c, hexagonal ? '6' : '4');
    if (at == NULL)
        return LC_OK;
    if (!lc_rule_is_digit(*at))
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                            "arrangements have letters where there are eight neighbours; with %s "
                            "only counts are known",
                            hexagonal ? "H" : "V");
    return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                        "with %s a cell has %s neighbours: counts are 0 to %c, not %c",
                        hexagonal ? "H" : "V", hexagonal ? "six" : "four", hexagonal ? '6' : '4',
                        *at);
}

static void make_rule(const part *birth, const part *survival, char neighbours, lc_rule_value *rule)
{
    const part *of[2] = {birth, survival};
    lc_arrangements arrangements;
    uint16_t counts[2] = {0};
    bool have_letters = false;
    for (int k = 0; k < 2; k++) {
        for (unsigned n = 0; n <= 8; n++) {
            arrangements[k][n] = arrangements_of(of[k], n);
            counts[k] |= (uint16_t)((arrangements[k][n] != 0) << n);
            have_letters |= arrangements[k][n] != 0 && arrangements[k][n] != lc_arrangements_all(n);
        }
    }
    if (have_letters)
        lc_value_from_arrangements(arrangements, rule);
    else if (neighbours == 0)
        *rule = lc_value_from_counts((lc_counts){counts[0], counts[1]});
    else
        lc_value_from_neighbours(counts, neighbours == 'h' ? LC_HEXAGON : LC_CROSS, rule);
}

// Gives a two-state rule as many states as the text says at `at`.
static lc_status set_states(const lc_rule_cursor *c, const char *at, unsigned states,
                            lc_rule_value *rule, lc_message *message)
{
    if (states < 2 || states > LC_STATES_MAX)
        return lc_rule_fail(message, states < 2 ? LC_ERROR_FORMAT : LC_ERROR_UNSUPPORTED, c->start,
                            at, "a rule has 2 to %d states", LC_STATES_MAX);
    if (states > 2 && lc_value_next(rule, 0))
        return lc_rule_fail(message, LC_ERROR_UNSUPPORTED, c->start, c->at, LC_NO_B0);
    lc_value_set_states(rule, (int)states);
    return LC_OK;
}

// Fails for a text with no list of counts, or with only one that could be either.
static lc_status fail_single(const lc_rule_cursor *c, lc_message *message)
{
    char text[200];
    size_t length = squeeze(c->at, c->end, text, sizeof text);
    const char *family = other_family(text, length);
    if (family != NULL)
        return unsupported(c, c->at, family, message);
    return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, c->at,
                        "no rule has only one list of counts; write B3/S23 or 23/3");
}

static lc_status fail_third(const lc_rule_cursor *c, const part *third, lc_message *message)
{
    if (third->letter != 0 && third->letter != 'g')
        return explain(c, third->at, false, message);
    return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, third->at,
                        "the number of states is missing");
}

static lc_status parse_counts(const lc_rule_cursor *whole, lc_rule_value *rule, lc_message *message)
{
    parts p = {0};
    lc_rule_cursor cursor = *whole, *c = &cursor;
    const char neighbours = cut_neighbours(c);
    lc_status status = neighbours != 0 ? check_neighbours(c, neighbours == 'h', message) : LC_OK;
    if (status == LC_OK)
        status = split(c, &p, message);
    if (status != LC_OK)
        return status;
    const part *states = NULL;
    part counts[2] = {0}; // in the order of the text
    int listed = 0;
    for (int i = 0; i < p.count; i++) {
        const part *one = &p.list[i];
        if (one->letter == 'g')
            states = one;
        else if (listed < 2)
            counts[listed++] = *one;
        else
            return fail_third(c, one, message);
    }
    if (states != NULL && !states->has_digits)
        return fail_third(c, states, message);
    if (listed == 0 || (listed == 1 && counts[0].letter == 0))
        return fail_single(c, message);
    const bool birth_first = counts[0].letter == 'b' || counts[1].letter == 's';
    make_rule(&counts[!birth_first], &counts[birth_first], neighbours, rule);
    return states != NULL ? set_states(c, states->at, states->states, rule, message) : LC_OK;
}

// Tables ---------------------------------------------------------------------------------------

static bool begins_with_letters(const lc_rule_cursor *c, const char *letters)
{
    size_t n = strlen(letters);
    for (size_t i = 0; i < n; i++)
        if (c->at + i >= c->end || lc_rule_lower(c->at[i]) != letters[i])
            return false;
    return true;
}

// "MAP" and at least the digits of the shortest table.
static bool is_map(const lc_rule_cursor *c)
{
    return begins_with_letters(c, "map") && c->end - c->at >= 3 + 6;
}

// Returns where '/' and a number of states follow a table; NULL: nowhere. '/' is a digit of Base64,
// too, so only the length of the table tells.
static const char *states_of_map(const char *digits, const char *end)
{
    static const size_t lengths[] = {LC_MAP_DIGITS, LC_HEXAGON_DIGITS, LC_CROSS_DIGITS};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if ((size_t)(end - digits) <= lengths[i] + 1 || digits[lengths[i]] != '/')
            continue;
        const char *at = digits + lengths[i] + 1;
        const bool has_letter = strchr("CcGg", *at) != NULL;
        if (at + has_letter < end &&
            skip_digits(at + has_letter) >= (size_t)(end - at) - has_letter)
            return at;
    }
    return NULL;
}

static unsigned read_states(const char *at, const char *end)
{
    unsigned states = 0;
    for (; at < end && states < 1000; at++)
        if (lc_rule_is_digit(*at))
            states = states * 10 + (unsigned)(*at - '0');
    return states;
}

static lc_status parse_map(const lc_rule_cursor *c, lc_rule_value *rule, lc_message *message)
{
    const char *digits = c->at + 3, *end = c->end;
    const char *states = states_of_map(digits, end);
    if (states != NULL)
        end = states - 1;
    while (end > digits && c->end - end < 2 && end[-1] == '=')
        end--;
    for (const char *at = digits; at < end && at - digits < LC_MAP_DIGITS; at++)
        if (lc_map_digit(*at) < 0)
            return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, at,
                                "%s is no digit of Base64, which a MAP rule's table is written in",
                                lc_rule_quote(*at).text);
    const size_t length = (size_t)(end - digits);
    if (!lc_map_has_length(length))
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, end,
                            "a MAP rule has 86 digits of Base64, 22 for the hexagonal or 6 for von "
                            "Neumann's neighbourhood; these are %zu",
                            length);
    lc_value_from_digits(digits, length, rule);
    return states != NULL ? set_states(c, states, read_states(states, c->end), rule, message)
                          : LC_OK;
}

// "W" and a number.
static bool is_wolfram(const lc_rule_cursor *c)
{
    const char *at = c->at + 1;
    if (!begins_with_letters(c, "w") || at == c->end)
        return false;
    while (at < c->end && lc_rule_is_digit(*at))
        at++;
    return at == c->end;
}

static lc_status parse_wolfram(const lc_rule_cursor *c, lc_rule_value *rule, lc_message *message)
{
    unsigned number = 0;
    for (const char *at = c->at + 1; at < c->end && number < 1000; at++)
        number = number * 10 + (unsigned)(*at - '0');
    if (number > 254 || number % 2 != 0)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, c->at + 1,
                            "Wolfram's rules are known by even numbers from 0 to 254 (an odd one "
                            "would fill every row that is empty)");
    lc_value_from_wolfram(number, rule);
    return LC_OK;
}

// Cuts "History" off. Returns false if the text does not end so.
static bool cut_history(lc_rule_cursor *c)
{
    const size_t length = sizeof LC_HISTORY - 1;
    if ((size_t)(c->end - c->at) < length)
        return false;
    const lc_rule_cursor end = {c->start, c->end - length, c->end};
    if (!begins_with_letters(&end, "history"))
        return false;
    c->end -= length;
    while (c->end > c->at && lc_rule_is_blank(c->end[-1]))
        c->end--;
    return true;
}

// Adds history to a rule that was read.
static lc_status add_history(const lc_rule_cursor *c, lc_rule_value *rule, lc_message *message)
{
    if (rule->last_state != 1)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c->start, c->end,
                            "only a rule of two states can have history");
    if (lc_value_next(rule, 0))
        return lc_rule_fail(message, LC_ERROR_UNSUPPORTED, c->start, c->at, LC_NO_B0_WITH_HISTORY);
    lc_value_set_history(rule);
    return LC_OK;
}

lc_status lc_rule_parse_notation(const lc_rule_cursor *whole, lc_rule_value *rule,
                                 lc_message *message)
{
    lc_rule_cursor cursor = *whole, *c = &cursor;
    if (cut_history(c)) {
        const bool is_life =
            c->end == c->at || (c->end - c->at == 4 && begins_with_letters(c, "life"));
        *rule = lc_value_from_counts((lc_counts){1u << 3, 1u << 2 | 1u << 3});
        const lc_status status = is_life ? LC_OK : lc_rule_parse_notation(c, rule, message);
        return status == LC_OK ? add_history(c, rule, message) : status;
    }
    if (is_map(c))
        return parse_map(c, rule, message);
    if (is_wolfram(c))
        return parse_wolfram(c, rule, message);
    return parse_counts(c, rule, message);
}

static lc_status parse_rule(const lc_rule_cursor *c, lc_rule_value *rule, lc_message *message)
{
    const size_t length = (size_t)(c->end - c->at);
    const char *rules[2];
    // Most rules are counts, and to look up a name is to compare it with some 650 others.
    if (strspn(c->at, "BbSs0123456789/") >= length)
        return lc_rule_parse_notation(c, rule, message);
    if (lc_rule_by_name(c->at, length, rule))
        return LC_OK;
    lc_rule_cursor of_two_states = *c;
    if (cut_history(&of_two_states) && of_two_states.end > of_two_states.at) {
        const lc_status status = parse_rule(&of_two_states, rule, message);
        return status == LC_OK ? add_history(&of_two_states, rule, message) : status;
    }
    if (lc_rule_two_by_name(c->at, length, rules))
        return lc_rule_fail(message, LC_ERROR_UNSUPPORTED, c->start, c->at,
                            "this is the name of two rules, %s and %s; write the one that is meant",
                            rules[0], rules[1]);
    const char *family = lc_rule_family_by_name(c->at, length);
    if (family != NULL)
        return unsupported(c, c->at, family, message);
    return lc_rule_parse_notation(c, rule, message);
}

bool lc_value_from_text(const char *text, lc_rule_value *value)
{
    const lc_rule_cursor c = {text, text, text + strlen(text)};
    char canonical[LC_RULE_TEXT_BYTES];
    if (c.at == c.end || lc_rule_parse_notation(&c, value, NULL) != LC_OK)
        return false;
    lc_value_format(value, canonical);
    return strcmp(canonical, text) == 0;
}

lc_status lc_rule_parse(const char *text, const lc_rule **rule, lc_topology *topology,
                        lc_message *message)
{
    lc_rule_cursor c = {text, text, text + strlen(text)};
    if (rule != NULL)
        *rule = NULL;
    while (c.at < c.end && lc_rule_is_blank(*c.at))
        c.at++;
    while (c.end > c.at && lc_rule_is_blank(c.end[-1]))
        c.end--;
    lc_rule_cursor suffix = {text, c.end, c.end};
    lc_rule_value value;
    const size_t length = (size_t)(c.end - c.at);
    const char *colon = memchr(c.at, ':', length);
    if (colon != NULL && !lc_rule_by_name(c.at, length, &value)) { // "9:43 at Knight" is one
        suffix.at = colon + 1;
        c.end = colon;
        while (c.end > c.at && lc_rule_is_blank(c.end[-1]))
            c.end--;
    }
    if (c.at == c.end)
        return lc_rule_fail(message, LC_ERROR_FORMAT, c.start, c.at,
                            "the rule is empty; a rule is written like B3/S23");
    lc_topology parsed_topology = {0};
    lc_status status = parse_rule(&c, &value, message);
    if (status == LC_OK)
        status = lc_topology_parse_suffix(suffix, &parsed_topology, message);
    if (status == LC_OK && rule != NULL)
        status = lc_rule_from_value(&value, rule, message);
    if (status == LC_OK && topology != NULL)
        *topology = parsed_topology;
    return status;
}
