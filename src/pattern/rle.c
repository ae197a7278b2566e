// RLE as Golly reads and writes it.
//
//     #CXRLE Pos=-1,-1 Gen=4          position and generation
//     #C comment  #N name  #O author  #r rule
//     x = 3, y = 3, rule = B3/S23     spaces anywhere; rule optional; the size is only a hint
//     bob$2bo$3o!                     runs: [count] b or . = dead, o or A = alive, $ = row ends
//
// Under a rule of many states, B to X are the states 2 to 24, pA to pX 25 to 48, ..., yA to yO 241
// to 255. Without a capital behind them, p to y are alive, as in the files of old databases.
//
// The runs of a random soup average 1.5 characters and are unpredictable. So the main loop (scan)
// takes one character at a time and has no branch that depends on it: a digit is a run of length 0,
// and the next letter clears the count. Rare characters (line ends, '$', p to y, counts above
// SHORT_RUN) leave the loop.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "grid/planes.h"
#include "pattern/gather.h"
#include "pattern/rle_several.h"
#include "pattern/text.h"

// The kind of a character: DIGIT + value, ZERO, DEAD or ALIVE; OTHER leaves the loop. Kinds are
// multiples of 64, so that kind + count is an index.
enum { ZERO = 0, DIGIT = 64, DEAD = 128, ALIVE = 192, KINDS = 256, OTHER = 255 };

enum {
    SHORT_RUN = 56,  // longest run of the loop, so that it ends in the next word at most
    LINE_LENGTH = 70 // of the output
};

#define X OTHER
#define N(value) (DIGIT + (value))
#define D DEAD
#define L ALIVE
static const uint8_t kind_of[256] = {
    // clang-format off
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, D, X, // ' ' ..
    ZERO, N(1), N(2), N(3), N(4), N(5), N(6), N(7), N(8), N(9), X, X, X, X, X, X, // '0' ..
    X, L, X, X, X, X, X, X, X, X, X, X, X, X, X, X, // '@' ..
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, // 'P' ..
    X, X, D, X, X, X, X, X, X, X, X, X, X, X, X, L, // '`' ..
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, // 'p' ..
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    // clang-format on
};
#undef X
#undef N
#undef D
#undef L

// The effect of a character on the cells, by its kind and the count before it.
typedef struct rle_step {
    uint64_t cells;
    unsigned length;
} rle_step;

typedef struct rle_reader {
    lc_input *input;
    const lc_traits *rule; // NULL: unknown, so the sink checks states
    lc_gather gather;
    uint64_t count;        // 0: none
    uint64_t blank_offset; // the line is blank up to here
    rle_step steps[KINDS]; // at kind + count; empty for digits
} rle_reader;

// The length of a run for '0' without a digit before it. It overflows any word, so the loop needs
// no extra test for it.
#define LEADING_ZERO 1024

static void make_steps(rle_step steps[KINDS])
{
    memset(steps, 0, KINDS * sizeof steps[0]);
    steps[ZERO].length = LEADING_ZERO;
    for (unsigned count = 0; count <= SHORT_RUN; count++) {
        unsigned length = count == 0 ? 1 : count;
        steps[DEAD + count].length = length;
        steps[ALIVE + count].length = length;
        steps[ALIVE + count].cells = ((uint64_t)1 << length) - 1;
    }
}

// Reads digits and cells up to `stop`, or until the loop must end: a character of another kind, a
// long count, or a full gather. Returns the position.
static const unsigned char *scan(rle_reader *reader, const unsigned char *at,
                                 const unsigned char *stop)
{
    lc_gather *gather = &reader->gather;
    uint64_t last = gather->last;
    unsigned filled = gather->filled;
    unsigned count = (unsigned)reader->count;
    for (; at < stop; at++) {
        unsigned kind = kind_of[*at];
        if (kind == OTHER || count > SHORT_RUN)
            break;
        const rle_step step = reader->steps[(kind & ALIVE) + count];
        count = (count * 10 + kind % 16) & (0u - (kind < DEAD));
        last |= step.cells << filled;
        filled += step.length;
        if (filled >= 64) {
            if (step.length == LEADING_ZERO) {
                filled -= LEADING_ZERO;
                break;
            }
            filled -= 64;
            gather->words[0][gather->full++] = last;
            last = step.cells >> (step.length - filled);
            if (gather->full == LC_GATHER_WORDS) {
                at++;
                break;
            }
        }
    }
    gather->last = last;
    gather->filled = filled;
    reader->count = count;
    return at;
}

// Reports the wrong character after the count at `at`.
static lc_status wrong_character(const rle_reader *reader, const unsigned char *at,
                                 lc_message *message)
{
    const lc_input *input = reader->input;
    if (*at == 0) {
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                             "a NUL byte among the cells of an RLE pattern");
    }
    if (*at == '*') {
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                             "an RLE pattern has no cells '*'; a Life 1.05 pattern has, and begins "
                             "with \"#Life 1.05\"");
    }
    return lc_cell_fail(input, at, message, "among the cells of an RLE pattern", 0);
}

// Takes a digit outside the fast loop. Counts stop at 2^63, because all larger ones exceed the
// limit.
static lc_status digit(rle_reader *reader, const unsigned char *at, lc_message *message)
{
    if (*at == '0' && reader->count == 0) {
        return lc_input_fail(reader->input, at, message, LC_ERROR_FORMAT,
                             "a run count must not begin with 0");
    }
    const uint64_t limit = (uint64_t)1 << 63;
    uint64_t value = *at - (uint64_t)'0';
    reader->count = reader->count > (limit - value) / 10 ? limit : reader->count * 10 + value;
    return LC_OK;
}

// Skips a '#' line between cells.
static void skip_line(lc_input *input)
{
    int byte;
    while ((byte = lc_input_peek(input)) >= 0 && byte != '\n' && byte != '\r')
        input->next++;
}

// Whether the letter at input->next, which is p to y, forms one cell state with the next letter.
static bool is_pair(lc_input *input)
{
    if (input->next + 1 == input->end && !lc_input_more(input))
        return false;
    return input->next[1] >= 'A' && input->next[1] <= 'X';
}

static bool is_live_letter(lc_input *input)
{
    const unsigned char letter = *input->next;
    return letter == 'o' || letter == 'A' || letter == 'z' ||
           (letter >= 'p' && letter <= 'y' && !is_pair(input));
}

// Returns the state that the letters at input->next stand for, if it is above 1; 0: none. May move
// the window.
static int state_at(lc_input *input)
{
    const unsigned char letter = *input->next;
    if (letter >= 'B' && letter <= 'X')
        return letter - 'A' + 1;
    if (letter >= 'p' && letter <= 'y' && is_pair(input))
        return (letter - 'p' + 1) * 24 + input->next[1] - 'A' + 1;
    return 0;
}

// Takes a run of that state, whose letters are at input->next.
static lc_status take_state(rle_reader *reader, int state, lc_message *message)
{
    lc_input *input = reader->input;
    const unsigned char *at = input->next;
    const lc_sink *sink = reader->gather.sink;
    const int letters = state < 25 ? 1 : 2;
    const uint64_t length = reader->count == 0 ? 1 : reader->count;
    if (state >= LC_STATES_MAX || (reader->rule != NULL && state >= reader->rule->states))
        return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                             "the cell '%.*s' has state %d: %s has states 0 to %d", letters,
                             (const char *)at, state,
                             reader->rule != NULL ? reader->rule->text : "every rule",
                             (reader->rule != NULL ? reader->rule->states : LC_STATES_MAX) - 1);
    if (sink->cells == NULL || sink->state_run == NULL)
        return lc_input_fail(input, at, message, LC_ERROR_UNSUPPORTED,
                             "the cell '%.*s' has state %d, and only two states can be read here",
                             letters, (const char *)at, state);
    const lc_status status = lc_gather_state_run(&reader->gather, length, state);
    if (status != LC_OK)
        return lc_gather_fail(&reader->gather, status, input, at, message);
    reader->count = 0;
    input->next += letters;
    return LC_OK;
}

// Takes any character at input->next. Sets *done at '!'.
static lc_status take(rle_reader *reader, bool *done, lc_message *message)
{
    lc_input *input = reader->input;
    const int state = state_at(input);
    if (state != 0)
        return take_state(reader, state, message);
    const bool alive = is_live_letter(input); // may move the window
    const unsigned char *at = input->next;
    uint64_t length = reader->count == 0 ? 1 : reader->count;
    lc_status status = LC_OK;
    switch (alive ? 'o' : *at) {
    case 'b':
    case '.':
    case 'o':
        status = lc_gather_run(&reader->gather, length, alive);
        reader->count = 0;
        break;
    case '$':
        status = lc_gather_next_row(&reader->gather, length, 0);
        reader->count = 0;
        break;
    case '\n':
    case '\r': // an old way of wrapping lines separates a count from its letter
        lc_input_newline(input, at);
        reader->blank_offset = input->line_offset;
        break;
    case ' ':
    case '\t':
    case '\v':
    case '\f':
        if (reader->count > 0) { // programs disagree on its meaning
            return lc_input_fail(input, at, message, LC_ERROR_FORMAT,
                                 "a blank between a run count and its cell");
        }
        if (reader->blank_offset == lc_input_offset(input, at))
            reader->blank_offset++;
        break;
    case '!': // a count before it has no meaning
        reader->count = 0;
        *done = true;
        break;
    case '#':
        if (reader->blank_offset != lc_input_offset(input, at))
            return wrong_character(reader, at, message);
        skip_line(input);
        return LC_OK;
    default:
        if (*at < '0' || *at > '9')
            return wrong_character(reader, at, message);
        status = digit(reader, at, message);
        if (status != LC_OK)
            return status;
        break;
    }
    if (status != LC_OK)
        return lc_gather_fail(&reader->gather, status, input, at, message);
    input->next++;
    return LC_OK;
}

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_input *input = &pattern->input;
    rle_reader reader;
    reader.input = input;
    reader.rule = pattern->takes_any_rule ? NULL : lc_rule_traits(pattern->header.rule);
    reader.count = 0;
    reader.blank_offset = input->line_offset;
    make_steps(reader.steps);
    lc_gather_start(&reader.gather, sink, 0, 0);
    bool done = false;
    while (!done && lc_input_peek(input) >= 0) {
        if (reader.count <= SHORT_RUN) {
            input->next = scan(&reader, input->next, input->end);
            if (reader.gather.full == LC_GATHER_WORDS) {
                lc_status status = lc_gather_flush_words(&reader.gather);
                if (status != LC_OK)
                    return lc_gather_fail(&reader.gather, status, input, input->next, message);
                continue;
            }
            if (input->next == input->end)
                continue;
        }
        lc_status status = take(&reader, &done, message);
        if (status != LC_OK)
            return status;
    }
    lc_status status = lc_input_end(input, message);
    if (status == LC_OK && reader.count > 0) {
        status = lc_input_fail(input, input->end, message, LC_ERROR_FORMAT,
                               "the pattern ends within a run count");
    }
    if (status != LC_OK)
        return status;
    pattern->header.has_no_end = !done; // accepted as complete, as in Golly
    status = lc_gather_flush(&reader.gather);
    if (status != LC_OK)
        return lc_gather_fail(&reader.gather, status, input, input->next, message);
    if (done)
        status = lc_rle_count(pattern, message);
    return status == LC_OK ? lc_input_finish(input, message) : status;
}

// Returns the value of a key in "Key=value", with spaces around the '='. NULL: `at` is at another
// key.
static const char *value_of(const char *at, const char *key)
{
    const size_t length = strlen(key);
    if (strncmp(at, key, length) != 0)
        return NULL;
    at = lc_skip_blanks(at + length);
    return *at == '=' ? lc_skip_blanks(at + 1) : NULL;
}

// Parses "-1,-1". Sets *end to the position after it.
static lc_status read_position(lc_pattern_header *header, const lc_header_line *line,
                               const char *number, const char **end, lc_message *message)
{
    int64_t place[2];
    for (int i = 0; i < 2; i++) {
        const lc_number result = lc_read_number(number, end, &place[i]);
        const char *behind = lc_skip_blanks(*end);
        if (result != LC_NUMBER_OK || (i == 0 && *behind != ',')) {
            return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                                  "Pos= needs two numbers with a comma between, at most 2^62 in "
                                  "size");
        }
        number = i == 0 ? lc_skip_blanks(behind + 1) : number;
    }
    header->has_position = true;
    header->x = place[0];
    header->y = place[1];
    return LC_OK;
}

static lc_status read_generation(lc_pattern_header *header, const lc_header_line *line,
                                 const char *number, const char **end, lc_message *message)
{
    char digits[LC_COUNT_TEXT_BYTES] = "0"; // and no other form of an integer
    const char *first = number + strspn(number, "0");
    const size_t length = strspn(first, "0123456789");
    *end = first + length;
    if (*end == number)
        return lc_header_fail(line, number, message, LC_ERROR_FORMAT, "Gen= needs a number");
    if (length < sizeof digits)
        memcpy(digits, first, length);
    if (length >= sizeof digits || lc_count_parse(digits, NULL, &header->generation, NULL) != LC_OK)
        return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                              "the generation is larger than 2^256 - 1");
    return LC_OK;
}

// Parses "#CXRLE Pos=-1,-1 Gen=4". The keys may have any order; unknown ones are skipped.
static lc_status read_cxrle(lc_pattern *pattern, const lc_header_line *line, lc_message *message)
{
    const char *at = line->text + strcspn(line->text, "#") + strlen("#CXRLE");
    lc_status status = LC_OK;
    while (status == LC_OK && *(at = lc_skip_blanks(at)) != '\0') {
        const char *position = value_of(at, "Pos");
        const char *generation = value_of(at, "Gen");
        if (position != NULL)
            status = read_position(&pattern->header, line, position, &at, message);
        else if (generation != NULL)
            status = read_generation(&pattern->header, line, generation, &at, message);
        else
            at += strcspn(at, " \t");
    }
    return status;
}

// Recognises RLE without a header by text that plaintext cannot have. The first line decides.
static bool looks_like_cells(const char *text, size_t length)
{
    bool sure = false;
    for (size_t i = 0; i < length && text[i] != '\n' && text[i] != '\r'; i++) {
        char byte = text[i];
        if (byte == '!')
            return true;
        if ((byte >= '0' && byte <= '9') || byte == '$' || byte == 'b')
            sure = true;
        else if (byte != 'o' && byte != '.' && byte != 'A' && !lc_is_blank(byte))
            return false;
    }
    return sure;
}

const char *lc_rle_behind_key(const char *at)
{
    const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    const char *value = lc_skip_blanks(at + length);
    if (length == 0 || *value != '=' || (length == 4 && strncmp(at, "rule", 4) == 0))
        return NULL;
    value += strcspn(value, ",");
    return *value == ',' ? lc_skip_blanks(value + 1) : value;
}

// Parses "x = 3, y = 3, rule = B3/S23".
static lc_status read_size_line(lc_pattern *pattern, lc_header_line *line, const char *at,
                                lc_message *message)
{
    int64_t *const sizes[2] = {&pattern->header.width_cells, &pattern->header.height_cells};
    for (int i = 0; i < 2; i++) {
        if (*at != "xy"[i] || *(at = lc_skip_blanks(at + 1)) != '=') {
            return lc_header_fail(line, at, message, LC_ERROR_FORMAT,
                                  "the header must read \"x = WIDTH, y = HEIGHT\", with "
                                  "\", rule = RULE\" if it names one");
        }
        const char *number = lc_skip_blanks(at + 1);
        if (lc_read_number(number, &at, sizes[i]) == LC_NUMBER_NONE || *sizes[i] < 0) {
            return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                                  "the header's size must be a number of cells");
        }
        at = lc_skip_blanks(at);
        if (*at == ',')
            at = lc_skip_blanks(at + 1);
    }
    const char *next;
    while ((next = lc_rle_behind_key(at)) != NULL)
        at = next;
    if (strncmp(at, "rule", 4) == 0) {
        at = lc_skip_blanks(at + 4);
        if (*at != '=')
            return lc_header_fail(line, at, message, LC_ERROR_FORMAT, "\"rule\" needs a '='");
        at = lc_skip_blanks(at + 1);
        const char *rest;
        lc_status status =
            lc_header_rule(pattern, line, line->text + (at - line->text), &rest, message);
        if (status == LC_OK && looks_like_cells(rest, strlen(rest))) {
            status = lc_header_fail(line, rest, message, LC_ERROR_FORMAT,
                                    "cells behind the rule; they begin on the next line");
        }
        return status;
    }
    if (*at != '\0' || line->cut) {
        return lc_header_fail(line, at, message, LC_ERROR_FORMAT,
                              "unexpected text behind the header's size");
    }
    return LC_OK;
}

// Parses a '#' line; `at` is the '#'.
static lc_status read_hash_line(lc_pattern *pattern, lc_header_line *line, char *at,
                                lc_message *message)
{
    if (strncmp(at, "#CXRLE", 6) == 0)
        return read_cxrle(pattern, line, message);
    switch (at[1]) {
    case 'r':
        at += lc_skip_blanks(at + 2) - at;
        return lc_header_rule(pattern, line, at, NULL, message);
    case 'N':
        lc_rle_name_first(pattern, at + 2);
        at += 2;
        break;
    case 'P':
    case 'R': // a position that old programs write; ignored, as in Golly
        return LC_OK;
    case 'C':
    case 'c':
    case 'D':
    case 'O':
        at += 2;
        break;
    default:
        at += 1;
        break;
    }
    return lc_comment_add(pattern, *at == ' ' ? at + 1 : at, message);
}

// Whether the 'x' at input->next begins the header and is not a cell.
static bool is_size_line(lc_input *input)
{
    if (input->next + 1 == input->end && !lc_input_more(input))
        return false;
    return input->next[1] == '=' || lc_is_blank(input->next[1]);
}

static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    lc_input *input = &pattern->input;
    lc_header_line line;
    for (;;) {
        // Reads only blank, '#' and 'x' lines: the first line of cells must stay in the input.
        int byte = lc_input_peek(input);
        if (byte < 0)
            return lc_input_end(input, message);
        if (byte == '\n' || byte == '\r') {
            lc_input_newline(input, input->next++);
            continue;
        }
        if (lc_is_blank(byte)) {
            input->next++;
            continue;
        }
        if (byte != '#' && !(byte == 'x' && is_size_line(input)))
            return LC_OK;
        uint64_t column = lc_input_offset(input, input->next) - input->line_offset;
        if (!lc_header_line_next(input, &line))
            return lc_input_end(input, message);
        lc_status status = byte == '#' ? read_hash_line(pattern, &line, line.text, message)
                                       : read_size_line(pattern, &line, line.text, message);
        if (status != LC_OK) {
            if (message != NULL && message->line == line.number)
                message->column += column; // spaces before it were skipped
            return status;
        }
        if (byte == 'x')
            return LC_OK;
    }
}

static bool probe(const char *text, size_t length)
{
    if (text[0] == '#') { // any '#' line except those of other formats
        return strncasecmp(text, "#Life", length < 5 ? length : 5) != 0 &&
               !lc_is_life_version(text, length, "1.0") &&
               strncmp(text, "#MCell", length < 6 ? length : 6) != 0;
    }
    if (text[0] == 'x') {
        size_t i = 1;
        while (i < length && lc_is_blank(text[i]))
            i++;
        return i < length && text[i] == '=';
    }
    return text[0] != '!' && looks_like_cells(text, length);
}

// Writing ------------------------------------------------------------------------------------

typedef struct rle_writer {
    lc_output *output;
    char *at;          // where the next token goes
    char *limit;       // a token that starts here or before it fits
    char *line;        // start of the line, as if it had no break in the buffer
    uint64_t row_ends; // '$' to write before the next cell
    int64_t y;         // the row of the run below
    int64_t x;         // the row is known up to here
    int64_t start;     // of the run that ends there or continues
    unsigned state;    // of the run's cells
    bool has_many_states;
} rle_writer;

enum { TOKEN_BYTES = 32, ROOM_BYTES = 4096 };

static void make_room(rle_writer *writer)
{
    ptrdiff_t length = writer->at - writer->line;
    lc_output_advance(writer->output, writer->at);
    writer->at = lc_output_reserve(writer->output, ROOM_BYTES);
    writer->limit = writer->at + ROOM_BYTES - TOKEN_BYTES;
    writer->line = writer->at - length;
}

// Writes a count and a letter. `more` characters will follow at once.
static inline void put_token(rle_writer *writer, uint64_t count, char letter, int more)
{
    if (writer->at > writer->limit)
        make_room(writer);
    char digits[24];
    int length = 0;
    if (count > 9)
        length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    ptrdiff_t needed = length > 0 ? length + 1 : 1 + (count > 1);
    if (writer->at - writer->line + needed + more > LINE_LENGTH) {
        *writer->at++ = '\n';
        writer->line = writer->at;
    }
    if (length > 0) {
        memcpy(writer->at, digits, (size_t)length);
        writer->at[length] = letter;
    } else { // no branch on the count: it is written first and then perhaps overwritten
        writer->at[0] = (char)('0' + count);
        writer->at[count > 1] = letter;
    }
    writer->at += needed;
}

static inline void put_row_ends(rle_writer *writer)
{
    if (writer->row_ends > 0)
        put_token(writer, writer->row_ends, '$', 0);
    writer->row_ends = 0;
}

// Ends the run at `end`, where a run of the opposite cells begins.
static inline void end_run(rle_writer *writer, int64_t end)
{
    put_row_ends(writer);
    if (end > writer->start)
        put_token(writer, (uint64_t)(end - writer->start), "bo"[writer->state], 0);
    writer->start = end;
    writer->state ^= 1;
}

static void put_state(rle_writer *writer, uint64_t count, unsigned state)
{
    const unsigned pair = (state - 1) / 24, letter = (state - 1) % 24;
    if (state == 0) {
        put_token(writer, count, '.', 0);
    } else if (pair == 0) {
        put_token(writer, count, (char)('A' + letter), 0);
    } else {
        put_token(writer, count, (char)('p' + pair - 1), 1);
        *writer->at++ = (char)('A' + letter);
    }
}

// Ends the run at `end` if a run of another state begins there. Under a rule of many states.
static void change_state(rle_writer *writer, int64_t end, unsigned state)
{
    if (state == writer->state)
        return;
    put_row_ends(writer);
    if (end > writer->start)
        put_state(writer, (uint64_t)(end - writer->start), writer->state);
    writer->start = end;
    writer->state = state;
}

// Ends a row and omits its trailing dead cells.
static void end_row(rle_writer *writer)
{
    if (writer->state != 0 && writer->has_many_states)
        change_state(writer, writer->x, 0);
    else if (writer->state != 0)
        end_run(writer, writer->x);
}

// Moves to a cell. Between it and the written cells all cells are dead.
static void go_to(rle_writer *writer, int64_t x, int64_t y)
{
    if (y != writer->y) {
        end_row(writer);
        writer->row_ends += (uint64_t)(y - writer->y);
        writer->y = y;
        writer->start = 0;
    } else if (x > writer->x) {
        end_row(writer);
    }
    writer->x = x;
}

// Writes the runs of words. A run ends where a cell differs from its left neighbour.
static void put_words(rle_writer *writer, const uint64_t *words, int64_t length)
{
    const int64_t x = writer->x;
    uint64_t before = writer->state; // the last cell of the word before
    for (int64_t i = 0; i < length; i += 64) {
        const uint64_t word = words[i / 64];
        uint64_t ends = word ^ (word << 1 | before);
        if (length - i < 64) // a run at the span's end may continue in the next span
            ends &= ((uint64_t)1 << (length - i)) - 1;
        before = word >> 63;
        for (; ends != 0; ends &= ends - 1)
            end_run(writer, x + i + __builtin_ctzll(ends));
    }
}

// Writes the runs of states.
static void put_states(rle_writer *writer, const lc_span *span)
{
    uint8_t states[512];
    for (int64_t done = 0; done < span->length; done += (int64_t)sizeof states) {
        lc_cells cells = lc_span_of(span, done, (int64_t)sizeof states);
        lc_cells_unpack(&cells, 0, states);
        for (int64_t i = 0; i < cells.width_cells; i++)
            change_state(writer, span->x + done + i, states[i]);
    }
}

static void put_span(rle_writer *writer, const lc_span *span)
{
    go_to(writer, span->x, span->y);
    if (span->words != NULL && writer->has_many_states)
        put_states(writer, span);
    else if (span->words != NULL)
        put_words(writer, span->words, span->length);
    else if (writer->has_many_states)
        change_state(writer, span->x, 1);
    else if (writer->state == 0)
        end_run(writer, span->x);
    writer->x = span->x + span->length;
}

static void write_header(lc_output *output, const lc_pattern_write_options *options)
{
    char digits[LC_COUNT_TEXT_BYTES], rule[LC_RULE_TEXT_BYTES];
    const bool has_generation = lc_count_compare(options->generation, lc_count_of(0)) != 0;
    if (options->has_position || has_generation) { // Golly reads it only in the first line
        lc_output_text(output, "#CXRLE");
        if (options->has_position)
            lc_output_print(output, " Pos=%lld,%lld", (long long)options->x, (long long)options->y);
        lc_count_format(options->generation, digits);
        if (has_generation)
            lc_output_print(output, " Gen=%s", digits);
        lc_output_text(output, "\n");
    }
    lc_comments_write(output, options->comments, "#C ", LC_LINE_BYTES - 8);
    lc_rule_format(options->rule, options->topology, rule);
    lc_output_print(output, "x = %lld, y = %lld, rule = %s\n", (long long)options->width_cells,
                    (long long)options->height_cells, rule);
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message)
{
    (void)message; // this format cannot fail
    lc_span span;
    lc_status status;
    write_header(output, options);
    rle_writer writer = {.output = output,
                         .has_many_states = lc_rule_traits(options->rule)->states > 2};
    writer.line = writer.at = lc_output_reserve(output, ROOM_BYTES);
    writer.limit = writer.at + ROOM_BYTES - TOKEN_BYTES;
    while ((status = next(context, &span)) == LC_OK && span.length > 0 && !lc_output_failed(output))
        put_span(&writer, &span);
    end_row(&writer);
    put_token(&writer, 1, '!', 0);
    lc_output_advance(output, writer.at);
    lc_output_text(output, "\n");
    return status;
}

const lc_format_ops lc_format_rle = {
    .format = LC_FORMAT_RLE,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .next = lc_rle_next,
    .has_many_states = true,
    .write = write,
};
