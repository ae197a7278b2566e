// Apgcodes, the names that Catagolue gives to objects: xq4_153 is a glider.
//
//     xs4_33      still life of 4 live cells
//     xp2_7       oscillator of period 2
//     xq4_153     spaceship of period 4
//
// The cells stand behind the '_', in strips of five rows with a 'z' between two strips. Each
// character is a column of its strip: 0 to 9 and a to v are five bits, the top row lowest. w and x
// stand for two and three columns of dead cells, and y with a character behind it for 4 (y0) to 39
// (yz). Dead columns at the end of a strip are left out.
#include "base/error.h"
#include "pattern/text.h"

enum { STRIP_ROWS = 5, WORD_COLUMNS = 64 };

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool probe(const char *text, size_t length)
{
    return length >= 3 && text[0] == 'x' && (text[1] == 's' || text[1] == 'p' || text[1] == 'q') &&
           is_digit((unsigned char)text[2]);
}

// Leaves the input at the code's first letter, because read_cells needs the number.
static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    (void)pattern;
    (void)message;
    return LC_OK;
}

// Reads "xs4_". Sets *population to the number of a still life. For other objects the number is a
// period, and *population is -1.
static lc_status read_prefix(lc_input *input, int64_t *population, lc_message *message)
{
    enum { DIGITS = 18 }; // any number of 18 digits fits an int64_t
    const bool is_still = input->next[1] == 's';
    int64_t number = 0;
    int digits = 0;
    int byte;
    for (input->next += 2; is_digit(byte = lc_input_peek(input)); input->next++) {
        if (++digits > DIGITS)
            return lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                                 "the number in this apgcode has more than %d digits", DIGITS);
        number = number * 10 + byte - '0';
    }
    if (byte != '_') {
        const lc_status status = byte < 0 ? lc_input_end(input, message) : LC_OK;
        return status != LC_OK ? status
                               : lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                                               "an apgcode needs '_' behind its number, as in "
                                               "xq4_153");
    }
    input->next++;
    *population = is_still ? number : -1;
    return LC_OK;
}

// Returns 0 to 35 for 0 to 9 and a to z, and -1 for other bytes.
static int value_of(int byte)
{
    return is_digit(byte) ? byte - '0' : byte >= 'a' && byte <= 'z' ? byte - 'a' + 10 : -1;
}

// The current strip. A word for each row collects its last columns.
typedef struct strip {
    const lc_sink *sink;
    int64_t x, y; // of bit 0 of rows[0]
    int columns;  // in use of each word, below WORD_COLUMNS
    uint64_t rows[STRIP_ROWS];
    int64_t population; // of all strips so far
} strip;

static lc_status flush(strip *s)
{
    lc_status status = LC_OK;
    for (int i = 0; i < STRIP_ROWS && status == LC_OK; i++) {
        if (s->rows[i] != 0)
            status = s->sink->bits(s->sink->context, s->x, s->y + i, &s->rows[i], s->columns);
        s->population += __builtin_popcountll(s->rows[i]);
        s->rows[i] = 0;
    }
    s->x += s->columns;
    s->columns = 0;
    return status;
}

// Coordinates stay below 2^62: two bytes add at most 39 columns, and one byte at most five rows.
static lc_status add_dead(strip *s, int columns)
{
    const lc_status status = flush(s);
    s->x += columns;
    return status;
}

static lc_status add_column(strip *s, int bits)
{
    for (int i = 0; i < STRIP_ROWS; i++)
        s->rows[i] |= (uint64_t)(bits >> i & 1) << s->columns;
    return ++s->columns == WORD_COLUMNS ? flush(s) : LC_OK;
}

static lc_status end_strip(strip *s)
{
    const lc_status status = flush(s);
    s->x = 0;
    s->y += STRIP_ROWS;
    return status;
}

// Reads one character of the cells, and for 'y' the next one as well.
static lc_status read_columns(strip *s, lc_input *input, lc_message *message)
{
    enum { STRIP_END = 35, FIRST_RUN = 32, LONG_RUN = 34 }; // z, w, y
    const int value = value_of(*input->next);
    if (value < 0) {
        return lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                             "'%c' is not a character of an apgcode: 0 to 9 and a to z are",
                             *input->next >= ' ' && *input->next <= '~' ? *input->next : '?');
    }
    if (value == STRIP_END)
        return end_strip(s);
    if (value < FIRST_RUN)
        return add_column(s, value);
    if (value < LONG_RUN)
        return add_dead(s, value - FIRST_RUN + 2);
    input->next++;
    const int run = value_of(lc_input_peek(input));
    if (run < 0) {
        const lc_status status = lc_input_end(input, message);
        return status != LC_OK
                   ? status
                   : lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                                   "behind a 'y' an apgcode needs a character of 0 to 9 "
                                   "or a to z, the length of a run of dead columns");
    }
    return add_dead(s, run + 4);
}

static bool is_space(int byte)
{
    return lc_is_blank(byte) || byte == '\n' || byte == '\r';
}

// Only whitespace may follow a code.
static lc_status read_rest(lc_input *input, lc_message *message)
{
    for (int byte; (byte = lc_input_peek(input)) >= 0; input->next++) {
        if (!is_space(byte))
            return lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                                 "unexpected text behind an apgcode");
        if (byte == '\n' || byte == '\r')
            lc_input_newline(input, input->next);
    }
    return lc_input_end(input, message);
}

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_input *input = &pattern->input;
    int64_t population = -1;
    lc_status status = read_prefix(input, &population, message);
    strip s = {.sink = sink};
    const uint64_t begin = lc_input_offset(input, input->next);
    for (int byte; status == LC_OK && (byte = lc_input_peek(input)) >= 0 && !is_space(byte);
         input->next += status == LC_OK)
        status = read_columns(&s, input, message);
    if (status == LC_OK)
        status = flush(&s);
    if (status == LC_OK)
        status = lc_input_end(input, message);
    if (status != LC_OK)
        return status;
    if (lc_input_offset(input, input->next) == begin) {
        return lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                             "an apgcode needs cells behind its '_', as in xq4_153");
    }
    if (population >= 0 && population != s.population) {
        return lc_input_fail(input, input->next, message, LC_ERROR_FORMAT,
                             "this apgcode has %lld live cells and says %lld",
                             (long long)s.population, (long long)population);
    }
    return read_rest(input, message);
}

const lc_format_ops lc_format_apgcode = {
    .format = LC_FORMAT_APGCODE,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
};
