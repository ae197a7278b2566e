// See pattern_facts.h.
#include "pattern_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *category;
} kinds[LC_PATTERN_KINDS] = {
    [LC_PATTERN_UNKNOWN] = {"", ""},
    [LC_PATTERN_STILL_LIFE] = {"still life", "still-lifes"},
    [LC_PATTERN_OSCILLATOR] = {"oscillator", "oscillators"},
    [LC_PATTERN_AGAR] = {"agar", "oscillators"},
    [LC_PATTERN_SPACESHIP] = {"spaceship", "spaceships"},
    [LC_PATTERN_GUN] = {"gun", "guns"},
    [LC_PATTERN_PUFFER] = {"puffer", "puffers"},
    [LC_PATTERN_RAKE] = {"rake", "puffers"},
    [LC_PATTERN_BREEDER] = {"breeder", "puffers"},
    [LC_PATTERN_METHUSELAH] = {"methuselah", "methuselahs"},
    [LC_PATTERN_CIRCUIT] = {"circuit", "circuits"},
    [LC_PATTERN_SYNTHESIS] = {"synthesis", "syntheses"},
    [LC_PATTERN_REPLICATOR] = {"replicator", "puffers"},
};

static const struct {
    const char *name, *title;
} categories[] = {
    {"guns", "Guns"},
    {"spaceships", "Spaceships"},
    {"oscillators", "Oscillators"},
    {"methuselahs", "Methuselahs"},
    {"puffers", "Puffers and growth"},
    {"circuits", "Circuits"},
    {"syntheses", "Glider syntheses"},
    {"still-lifes", "Still lifes"},
    {"other-rules", "Other rules"},
};

static const char facts_mark[] = "facts:";

// Pieces of text -----------------------------------------------------------------------------

typedef struct piece {
    const char *at, *end;
} piece;

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static piece trimmed(piece p)
{
    while (p.at < p.end && is_blank(*p.at))
        p.at++;
    while (p.end > p.at && is_blank(p.end[-1]))
        p.end--;
    return p;
}

// What comes before the next `separator`; *rest becomes what comes behind it.
static piece cut(piece *rest, char separator)
{
    const char *found = memchr(rest->at, separator, (size_t)(rest->end - rest->at));
    const piece first = {rest->at, found != NULL ? found : rest->end};
    rest->at = found != NULL ? found + 1 : rest->end;
    return trimmed(first);
}

static bool is_word(piece p, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(p.end - p.at) == length && memcmp(p.at, word, length) == 0;
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

// Takes a number from the front; up to 18 digits.
static bool take_number(piece *p, uint64_t *number)
{
    *p = trimmed(*p);
    const piece digits = cut(p, ' ');
    *number = 0;
    for (const char *at = digits.at; at < digits.end; at++) {
        if (!is_digit(*at) || at - digits.at >= 18)
            return false;
        *number = 10 * *number + (uint64_t)(*at - '0');
    }
    return digits.at < digits.end;
}

static bool take_signed(piece *p, int64_t *number)
{
    uint64_t size;
    *p = trimmed(*p);
    const bool negative = p->at < p->end && *p->at == '-';
    p->at += negative;
    if ((negative && p->at < p->end && is_blank(*p->at)) || !take_number(p, &size))
        return false;
    *number = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

static bool copy_piece(piece p, char *to, size_t bytes)
{
    const size_t length = (size_t)(p.end - p.at);
    if (length == 0 || length >= bytes)
        return false;
    memcpy(to, p.at, length);
    to[length] = '\0';
    return true;
}

// The two lines ------------------------------------------------------------------------------

// "Bill Gosper, November 1970"; the year is what ends with four digits behind the last comma.
static void read_author(lc_pattern_facts *facts, piece line)
{
    const char *comma = line.end;
    while (comma > line.at && comma[-1] != ',')
        comma--;
    if (comma > line.at) {
        const piece when = trimmed((piece){comma, line.end});
        const char *digits = when.end - when.at >= 4 ? when.end - 4 : NULL;
        uint64_t year;
        if (digits != NULL && (digits == when.at || !is_digit(digits[-1])) &&
            take_number(&(piece){digits, when.end}, &year)) {
            facts->year = (int)year;
            line = trimmed((piece){line.at, comma - 1});
        }
    }
    if (!copy_piece(line, facts->author, sizeof facts->author))
        facts->author[0] = '\0';
}

static bool read_fact(lc_pattern_facts *f, piece p)
{
    const piece name = cut(&p, ' ');
    bool good = true;
    if (is_word(name, "period"))
        good = take_number(&p, &f->period) && f->period > 0;
    else if (is_word(name, "moves"))
        good = take_signed(&p, &f->dx) && take_signed(&p, &f->dy);
    else if (is_word(name, "from"))
        good = take_number(&p, &f->from);
    else if (is_word(name, "grows"))
        good = take_number(&p, &f->grows);
    else if (is_word(name, "settles"))
        good = take_number(&p, &f->settles);
    else if (is_word(name, "leaves"))
        good = take_number(&p, &f->leaves);
    else if (is_word(name, "after"))
        good = take_number(&p, &f->after);
    else if (is_word(name, "copies"))
        good = take_number(&p, &f->copies);
    else if (is_word(name, "gliders"))
        good = take_number(&p, &f->takes) && (p.at == p.end || take_number(&p, &f->gives));
    else if (is_word(name, "makes"))
        return copy_piece(trimmed(p), f->object, sizeof f->object);
    else if (is_word(name, "emits"))
        return take_number(&p, &f->emits) && copy_piece(trimmed(p), f->object, sizeof f->object);
    else
        return false;
    return good && p.at == p.end;
}

static bool read_facts(lc_pattern_facts *facts, piece line)
{
    lc_pattern_facts read = *facts;
    const piece kind = cut(&line, ',');
    for (int i = 1; i < LC_PATTERN_KINDS; i++)
        if (is_word(kind, kinds[i].name))
            read.kind = (lc_pattern_kind)i;
    if (read.kind == LC_PATTERN_UNKNOWN)
        return false;
    while (line.at < line.end)
        if (!read_fact(&read, cut(&line, ',')))
            return false;
    if (read.kind == LC_PATTERN_STILL_LIFE)
        read.period = 1;
    *facts = read;
    return true;
}

static bool is_facts_line(piece line)
{
    const size_t length = strlen(facts_mark);
    return (size_t)(line.end - line.at) > length && memcmp(line.at, facts_mark, length) == 0;
}

bool lc_pattern_facts_has_line(const lc_pattern_facts *facts, const char *line, size_t length)
{
    const piece p = trimmed((piece){line, line + length});
    lc_pattern_facts read = {0};
    if (is_facts_line(p))
        return true;
    read_author(&read, p);
    return facts->author[0] != '\0' && strcmp(facts->author, read.author) == 0 &&
           facts->year == read.year;
}

bool lc_pattern_facts_read(lc_pattern_facts *facts, const char *text)
{
    bool complete = true;
    *facts = (lc_pattern_facts){0};
    piece rest = {text, text + strlen(text)};
    while (rest.at < rest.end && *rest.at == '#') {
        piece line = cut(&rest, '\n');
        if (line.end - line.at < 4 || !is_blank(line.at[2]))
            continue;
        const char letter = line.at[1];
        line = trimmed((piece){line.at + 2, line.end});
        if (letter == 'O' && facts->author[0] == '\0') {
            read_author(facts, line);
        } else if (letter == 'C' && is_facts_line(line)) {
            line.at += strlen(facts_mark);
            complete = read_facts(facts, line) && complete;
        }
    }
    return complete;
}

// Words --------------------------------------------------------------------------------------

const char *lc_pattern_kind_name(lc_pattern_kind kind)
{
    return kinds[kind].name;
}

const char *lc_pattern_category(lc_pattern_kind kind, bool is_life)
{
    return is_life ? kinds[kind].category : "other-rules";
}

const char *lc_pattern_category_at(size_t index)
{
    return index < sizeof categories / sizeof categories[0] ? categories[index].name : NULL;
}

const char *lc_pattern_category_title(const char *category)
{
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++)
        if (strcmp(categories[i].name, category) == 0)
            return categories[i].title;
    return "";
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void lc_pattern_speed(const lc_pattern_facts *facts, char speed[LC_PATTERN_SPEED_BYTES])
{
    const uint64_t x = (uint64_t)(facts->dx < 0 ? -facts->dx : facts->dx);
    const uint64_t y = (uint64_t)(facts->dy < 0 ? -facts->dy : facts->dy);
    const uint64_t more = x > y ? x : y, less = x > y ? y : x;
    speed[0] = '\0';
    if (more == 0 || facts->period == 0)
        return;
    const uint64_t divisor = common_divisor(common_divisor(more, less), facts->period);
    char cells[48], generations[24] = "";
    if (less != 0 && less != more)
        (void)snprintf(cells, sizeof cells, "(%" PRIu64 ",%" PRIu64 ")", more / divisor,
                       less / divisor);
    else
        (void)snprintf(cells, sizeof cells, "%" PRIu64, more / divisor);
    if (strcmp(cells, "1") == 0)
        cells[0] = '\0';
    if (facts->period != divisor)
        (void)snprintf(generations, sizeof generations, "/%" PRIu64, facts->period / divisor);
    (void)snprintf(speed, LC_PATTERN_SPEED_BYTES, "%.24sc%.18s %s", cells, generations,
                   less == 0      ? "orthogonal"
                   : less == more ? "diagonal"
                                  : "oblique");
}
