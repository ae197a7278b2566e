// Reads what a pattern's file states about it.
#include "pattern_library_facts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum {
    TITLE_BYTES = 256,
    HEAD_BYTES = 64 * 1024,      // of a file, searched for a #N line
    MEASURED_BYTES = 1024 * 1024 // largest file that is measured if it states no size
};

// Text ---------------------------------------------------------------------------------------

// Returns the length of the UTF-8 character at the beginning of `text`, with `left` bytes; 0:
// invalid.
static size_t character_bytes(const unsigned char *text, size_t left)
{
    if (text[0] < 0x80)
        return 1;
    const size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    // Overlong forms, surrogates, and codes beyond the last character.
    const bool wrong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
                       (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f);
    return wrong ? 0 : length;
}

// Copies text as UTF-8, at most `limit` bytes. Returns NULL if out of memory.
static char *copy_text(const char *text, size_t length, size_t limit)
{
    const unsigned char *from = (const unsigned char *)text, *end = from + length;
    char *copy = malloc((2 * length < limit ? 2 * length : limit) + 1), *to = copy;
    if (copy == NULL)
        return NULL;
    while (from < end) {
        const size_t bytes = character_bytes(from, (size_t)(end - from));
        if ((size_t)(to - copy) + (bytes != 0 ? bytes : 2) > limit)
            break;
        if (bytes != 0) {
            memcpy(to, from, bytes);
            to += bytes;
            from += bytes;
        } else {
            *to++ = (char)(0xc0 | *from >> 6);
            *to++ = (char)(0x80 | (*from++ & 0x3f));
        }
    }
    *to = '\0';
    return copy;
}

// Text without blanks at its ends.
typedef struct line {
    const char *text;
    size_t length;
} line;

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

static line trimmed(const char *text, size_t length)
{
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    return (line){text, length};
}

// Returns the next line of a text and moves *text past it; false: none is left.
static bool next_line(const char **text, line *out)
{
    if (**text == '\0')
        return false;
    const size_t length = strcspn(*text, "\n");
    *out = trimmed(*text, length);
    *text += length + ((*text)[length] == '\n');
    return true;
}

// Finds the name that an RLE file states. The pattern reader treats it as a comment, so the text is
// searched.
static bool find_name(const char *text, line *name)
{
    line l;
    while (next_line(&text, &l)) {
        if (l.length > 0 && l.text[0] != '#')
            return false; // the cells begin
        if (l.length > 2 && l.text[1] == 'N' && is_blank(l.text[2])) {
            *name = trimmed(l.text + 2, l.length - 2);
            return name->length > 0;
        }
    }
    return false;
}

// Sets title and comments. `head` is the beginning of the file.
static bool copy_comments(lc_library_facts *facts, const lc_pattern_header *header,
                          const char *head)
{
    line title = {"", 0}, l;
    const char *rest = header->comments;
    if (header->format != LC_FORMAT_RLE || !find_name(head, &title))
        while (title.length == 0 && next_line(&rest, &l))
            if (!lc_pattern_facts_has_line(&facts->stated, l.text, l.length))
                title = l;
    // All lines except the title and the facts that have their own field.
    char *others = malloc(strlen(header->comments) + 1), *to = others;
    if (others == NULL)
        return false;
    bool left_out = title.length == 0;
    for (rest = header->comments; next_line(&rest, &l);) {
        if (!left_out && l.length == title.length && memcmp(l.text, title.text, l.length) == 0) {
            left_out = true;
            continue;
        }
        if (lc_pattern_facts_has_line(&facts->stated, l.text, l.length))
            continue;
        memcpy(to, l.text, l.length);
        to += l.length;
        *to++ = '\n';
    }
    l = trimmed(others, (size_t)(to - others));
    facts->comments = copy_text(l.text, l.length, LC_LIBRARY_COMMENT_BYTES);
    if (header->format == LC_FORMAT_CELLS && title.length > 5 &&
        strncasecmp(title.text, "Name:", 5) == 0)
        title = trimmed(title.text + 5, title.length - 5);
    facts->title = copy_text(title.text, title.length, TITLE_BYTES);
    free(others);
    return facts->comments != NULL && facts->title != NULL;
}

// Copies the file's name without folder, ".gz" and another suffix.
static char *copy_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 3 && strcasecmp(name + length - 3, ".gz") == 0)
        length -= 3;
    for (size_t i = length - 1; i > 0 && length > 0; i--)
        if (name[i] == '.') {
            length = i;
            break;
        }
    return copy_text(name, length, SIZE_MAX);
}

// Reads the first bytes of a file, inflated if it is gzip, with a 0 behind them. Returns NULL if
// out of memory.
static char *read_head(const char *path)
{
    char *head = malloc(HEAD_BYTES + 1);
    gzFile file = head != NULL ? gzopen(path, "rb") : NULL;
    if (head == NULL)
        return NULL;
    const int bytes = file != NULL ? gzread(file, head, HEAD_BYTES) : 0;
    head[bytes > 0 ? bytes : 0] = '\0';
    if (file != NULL)
        (void)gzclose(file);
    return head;
}

// Size ---------------------------------------------------------------------------------------

typedef struct box { // right and bottom exclusive
    bool empty;
    int64_t x0, y0, x1, y1;
} box;

static lc_status measure_run(void *context, int64_t x, int64_t y, int64_t length)
{
    box *b = context;
    if (b->empty)
        *b = (box){false, x, y, x + length, y + 1};
    b->x0 = x < b->x0 ? x : b->x0;
    b->y0 = y < b->y0 ? y : b->y0;
    b->x1 = x + length > b->x1 ? x + length : b->x1;
    b->y1 = y + 1 > b->y1 ? y + 1 : b->y1;
    return LC_OK;
}

static lc_status measure_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                              int64_t length)
{
    for (int64_t i = 0; i < (length + 63) / 64; i++)
        if (words[i] != 0) {
            const int64_t begin = __builtin_ctzll(words[i]), end = 64 - __builtin_clzll(words[i]);
            (void)measure_run(context, x + i * 64 + begin, y, end - begin);
        }
    return LC_OK;
}

// Returns the length of a side; 0, unknown, if it exceeds INT64_MAX.
static int64_t side(int64_t begin, int64_t end)
{
    const uint64_t cells = (uint64_t)end - (uint64_t)begin;
    return cells <= INT64_MAX ? (int64_t)cells : 0;
}

static lc_status find_size(lc_library_facts *facts, lc_pattern *pattern, uint64_t size_bytes,
                           lc_message *message)
{
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    facts->width_cells = header->width_cells;
    facts->height_cells = header->height_cells;
    if ((header->width_cells > 0 && header->height_cells > 0) || size_bytes > MEASURED_BYTES)
        return LC_OK;
    box b = {.empty = true};
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = &b, .run = measure_run, .bits = measure_bits};
    lc_status status = lc_pattern_read(pattern, &sink, message);
    if (!b.empty) {
        facts->width_cells = side(b.x0, b.x1);
        facts->height_cells = side(b.y0, b.y1);
    }
    return status;
}

void lc_library_facts_free(lc_library_facts *facts)
{
    free(facts->name);
    free(facts->title);
    free(facts->comments);
    free(facts->rule);
    free(facts->author);
    *facts = (lc_library_facts){0};
}

lc_status lc_library_facts_read(lc_library_facts *facts, const char *path, const char *text,
                                uint64_t size_bytes, lc_message *message)
{
    lc_pattern *pattern;
    *facts = (lc_library_facts){0};
    lc_status status = text != NULL ? lc_pattern_open_memory(&pattern, text, size_bytes, message)
                                    : lc_pattern_open(&pattern, path, message);
    if (status != LC_OK)
        return status;
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    char rule[LC_RULE_TEXT_BYTES];
    lc_rule_format(header->rule, &header->topology, rule);
    facts->rule = copy_text(rule, strlen(rule), SIZE_MAX);
    facts->name = copy_name(path);
    char *head = text != NULL ? NULL : read_head(path);
    if (text == NULL)
        text = head;
    if (text != NULL && header->format == LC_FORMAT_RLE)
        (void)lc_pattern_facts_read(&facts->stated, text);
    facts->is_life = header->rule == lc_rule_life();
    facts->author = copy_text(facts->stated.author, strlen(facts->stated.author), SIZE_MAX);
    lc_pattern_speed(&facts->stated, facts->speed);
    if (facts->rule == NULL || facts->name == NULL || facts->author == NULL || text == NULL ||
        !copy_comments(facts, header, text))
        status = lc_fail(message, LC_ERROR_MEMORY, "out of memory for the library");
    if (status == LC_OK)
        status = find_size(facts, pattern, size_bytes, message);
    free(head);
    lc_pattern_close(&pattern);
    if (status != LC_OK)
        lc_library_facts_free(facts);
    return status;
}
