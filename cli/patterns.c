// `lightcone patterns`: lists and searches the built-in patterns.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "help.h"
#include "json.h"
#include "listing.h"
#include "message.h"
#include "pattern_facts.h"
#include "pattern_input.h"

// Facts about a built-in pattern.
typedef struct built_in {
    char name[LC_CLI_BUILT_IN_BYTES];
    lc_pattern *pattern;
    const lc_pattern_header *header;
    lc_pattern_facts facts;
    const char *category;
    char rule[LC_RULE_TEXT_BYTES];
    bool is_life;
    char speed[LC_PATTERN_SPEED_BYTES];
} built_in;

static lc_status open_built_in(built_in *b, size_t index, lc_message *message)
{
    (void)lc_cli_built_in_name(index, b->name);
    const char *text = lc_cli_built_in_pattern(b->name);
    lc_status status = lc_pattern_open_memory(&b->pattern, text, strlen(text), message);
    if (status != LC_OK)
        return status;
    b->header = lc_pattern_get_header(b->pattern);
    lc_rule_format(b->header->rule, NULL, b->rule);
    (void)lc_pattern_facts_read(&b->facts, text);
    b->is_life = strcmp(b->rule, "B3/S23") == 0;
    b->category = lc_pattern_category(b->facts.kind, b->is_life);
    lc_pattern_speed(&b->facts, b->speed);
    return LC_OK;
}

// Copies the description from the comments. Leaves out the first line, which is the title, and the
// lines that state facts or the author. Joins the lines of the description with spaces.
static void copy_sentences(const built_in *b, char *text, size_t bytes)
{
    size_t used = 0;
    const char *line = strchr(b->header->comments, '\n');
    while (line != NULL && used + 1 < bytes) {
        line++;
        const size_t length = strcspn(line, "\n");
        if (!lc_pattern_facts_has_line(&b->facts, line, length)) {
            const int more = snprintf(text + used, bytes - used, "%s%.*s", used > 0 ? " " : "",
                                      (int)length, line);
            used += (size_t)more < bytes - used ? (size_t)more : bytes - used - 1;
        }
        line = strchr(line, '\n');
    }
    text[used] = '\0';
}

// Cuts a text to its first clause. If the clause has more than `letters` letters, cuts the clause
// after a whole word and adds "...".
static void cut_to_clause(char *text, size_t letters)
{
    size_t used = 0, word = 0;
    for (; text[used] != '\0'; used++) {
        if (strchr(".:;", text[used]) != NULL && (text[used + 1] == ' ' || text[used + 1] == '\0'))
            break;
        word = text[used] == ' ' && used + 3 <= letters ? used : word;
        if (used == letters) {
            memcpy(text + word, "...", 4);
            return;
        }
    }
    text[used] = '\0';
}

// Writes the period of the pattern, such as "p30", or the speed if the pattern moves, such as
// "c/4".
static void format_period(const built_in *b, char text[32])
{
    text[0] = '\0';
    if (b->speed[0] != '\0')
        (void)snprintf(text, 32, "%.*s", (int)strcspn(b->speed, " "), b->speed);
    else if (b->facts.period > 1)
        (void)snprintf(text, 32, "p%llu", (unsigned long long)b->facts.period);
}

static void print_for_people(const built_in *b)
{
    char size[48], period[32], text[512];
    snprintf(size, sizeof size, "%lldx%lld", (long long)b->header->width_cells,
             (long long)b->header->height_cells);
    format_period(b, period);
    copy_sentences(b, text, sizeof text);
    const int columns = printf("%-21s %-7s %-9s ", b->name, size, period);
    const size_t rule = b->is_life ? 0 : strlen(b->rule) + 2;
    const size_t room = columns + (int)rule < 90 ? (size_t)(99 - columns) - rule : 10;
    cut_to_clause(text, room);
    printf("%s%s%s\n", text, b->is_life ? "" : ", ", b->is_life ? "" : b->rule);
}

static void print_for_machines(lc_json *json, const built_in *b)
{
    char rule[LC_RULE_TEXT_BYTES];
    lc_rule_format(b->header->rule, &b->header->topology, rule);
    lc_json_open_object(json, NULL);
    lc_json_string(json, "name", b->name);
    lc_json_string(json, "category", b->category);
    lc_json_string(json, "kind", lc_pattern_kind_name(b->facts.kind));
    lc_json_string(json, "rule", rule);
    lc_json_i64(json, "width", b->header->width_cells);
    lc_json_i64(json, "height", b->header->height_cells);
    if (b->facts.period > 0)
        lc_json_u64(json, "period", b->facts.period);
    if (b->speed[0] != '\0')
        lc_json_string(json, "speed", b->speed);
    if (b->facts.author[0] != '\0')
        lc_json_string(json, "author", b->facts.author);
    if (b->facts.year > 0)
        lc_json_i64(json, "year", b->facts.year);
    lc_json_string(json, "comments", b->header->comments);
    lc_json_close_object(json);
}

// ---- the search ---------------------------------------------------------------------------------

// The search finds the same patterns as the search in the viewer's page
// (viewer/page/library_search.js). The test of library_search.js compares the search of the command
// with that of the page. The page lists the best-known patterns first. The command always sorts by
// category and name, because scripts and users rely on the order.

// Returns the next letter to compare, in lower case, or '\0' at the end. Skips hyphens and
// apostrophes, and spaces if `squeezed` is true.
static char next_letter(const char **text, const char *end, bool squeezed)
{
    static const char *const marks[] = {"'", "-", "\xe2\x80\x99", "\xe2\x80\x90", "\xe2\x80\x91"};
    while (*text < end) {
        size_t skipped = squeezed && isspace((unsigned char)**text) ? 1 : 0;
        for (size_t i = 0; skipped == 0 && i < sizeof marks / sizeof *marks; i++)
            if (strncmp(*text, marks[i], strlen(marks[i])) == 0)
                skipped = strlen(marks[i]);
        if (skipped == 0)
            return (char)tolower((unsigned char)*(*text)++);
        *text += skipped;
    }
    return '\0';
}

static bool begins_with(const char *text, const char *word, const char *word_end, bool squeezed)
{
    const char *end = text + strlen(text);
    char letter;
    while ((letter = next_letter(&word, word_end, squeezed)) != '\0')
        if (next_letter(&text, end, squeezed) != letter)
            return false;
    return true;
}

// Whether the text contains the word. The ending "'s" of the word is ignored, so "Gosper glider
// gun" contains "gosper's".
static bool has(const char *text, const char *word, bool squeezed)
{
    static const char *const endings[] = {"'s", "\xe2\x80\x99s"};
    size_t length = strlen(word);
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !squeezed; i++)
        if (length >= strlen(endings[i]) &&
            strcasecmp(word + length - strlen(endings[i]), endings[i]) == 0)
            length -= strlen(endings[i]);
    do
        if (begins_with(text, word, word + length, squeezed))
            return true;
    while (*text++ != '\0');
    return false;
}

// Whether the title or the description contains the word. A match in the title may skip spaces.
static bool comments_have(const built_in *b, const char *word)
{
    bool is_title = true;
    for (const char *line = b->header->comments; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char text[512];
        (void)snprintf(text, sizeof text, "%.*s", (int)length, line);
        if (!lc_pattern_facts_has_line(&b->facts, line, length)) {
            if (has(text, word, false) || (is_title && has(text, word, true)))
                return true;
            is_title = false;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

// Whether the pattern matches one word of the search. "p30" matches only patterns of period 30, and
// "c/4" matches only patterns of this speed. A word that is neither a period nor a speed matches if
// some text about the pattern contains the word.
static bool fits(const built_in *b, const char *word)
{
    const size_t digits = strspn(word + 1, "0123456789");
    if ((word[0] == 'p' || word[0] == 'P') && digits > 0 && word[1 + digits] == '\0') {
        char period[24];
        (void)snprintf(period, sizeof period, "%llu", (unsigned long long)b->facts.period);
        return strcmp(period, word + 1) == 0;
    }
    if (strcasestr(word, "c/") != NULL)
        return strlen(word) == strcspn(b->speed, " ") &&
               strncasecmp(b->speed, word, strlen(word)) == 0;
    char year[16] = "", rule[LC_RULE_TEXT_BYTES];
    if (b->facts.year > 0)
        (void)snprintf(year, sizeof year, "%d", b->facts.year);
    lc_rule_format(b->header->rule, &b->header->topology, rule);
    const char *const texts[] = {b->name,
                                 b->category,
                                 lc_pattern_category_title(b->category),
                                 lc_pattern_kind_name(b->facts.kind),
                                 b->facts.author,
                                 year,
                                 rule,
                                 b->speed};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (has(texts[i], word, false))
            return true;
    return has(b->name, word, true) || comments_have(b, word);
}

// ---- the list -----------------------------------------------------------------------------------

typedef struct listing {
    lc_cli_listing asked;
    lc_json json;
    size_t found;
} listing;

static lc_status list_category(listing *l, const char *category, lc_message *message)
{
    built_in b;
    char name[LC_CLI_BUILT_IN_BYTES];
    bool begun = false;
    for (size_t i = 0; lc_cli_built_in_name(i, name); i++) {
        lc_status status = open_built_in(&b, i, message);
        if (status != LC_OK)
            return status;
        bool wanted = strcmp(b.category, category) == 0;
        for (size_t k = 0; wanted && k < l->asked.word_count; k++)
            wanted = fits(&b, l->asked.words[k]);
        if (wanted && l->asked.as_json) {
            print_for_machines(&l->json, &b);
        } else if (wanted) {
            if (!begun)
                printf("%s%s:\n", l->found > 0 ? "\n" : "", category);
            print_for_people(&b);
        }
        begun = begun || wanted;
        l->found += wanted;
        lc_pattern_close(&b.pattern);
    }
    return LC_OK;
}

static int list(listing *l)
{
    lc_message message = {0};
    const char *category;
    l->json = (lc_json){.file = stdout};
    if (l->asked.as_json) {
        lc_json_open_object(&l->json, NULL);
        lc_json_open_array(&l->json, "patterns");
    }
    for (size_t i = 0; (category = lc_pattern_category_at(i)) != NULL; i++) {
        lc_status status = list_category(l, category, &message);
        if (status != LC_OK)
            return lc_cli_report(category, status, &message);
    }
    if (l->asked.as_json) {
        lc_json_close_array(&l->json);
        lc_json_close_object(&l->json);
    } else if (l->found > 0) {
        puts("\n'lightcone run NAME', show, info, convert and view take them; a file of that name "
             "comes first.");
    }
    if (l->found > 0 || l->asked.as_json)
        return LC_EXIT_OK;
    lc_cli_error(lc_built_in_patterns()->name == NULL
                     ? "this build has no built-in patterns"
                     : "no built-in pattern has all of these words; 'lightcone patterns' lists "
                       "all patterns");
    return LC_EXIT_FAILURE;
}

int lc_cli_patterns(int argc, char **argv)
{
    listing l = {0};
    int code;
    return lc_cli_listing_parse(&l.asked, "patterns", lc_help_patterns, argc, argv, &code)
               ? list(&l)
               : code;
}
