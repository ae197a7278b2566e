// MCell files (.mcl), as Golly reads them. Read only.
//
//     #MCell 4.00
//     #GAME Generations               the family; the rule tells the same
//     #RULE 2367/3457/5               or "#GOLLY RULE", which counts if both are there
//     #BOARD 800x800                  the size of the board; without it the plane
//     #WRAP 1                         a torus; otherwise a plane with walls
//     #D comment
//     #L 19.AA$19.ADAA                runs of cells; '.' is dead, A to X are the states 1 to 24, aA
//                                     to aX 25 to 48, and so on; '$' ends a row
//
// Golly puts a pattern of the live cells' size into the middle of the board, and then the empty
// rows and columns before them move them. So the header is known only when all cells have been
// seen: they are checked line by line, their text is kept, and read_cells goes through it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "pattern/gather.h"
#include "pattern/text.h"

enum { MOST_TEXT_BYTES = 1 << 26 };

// A run of cells, or of row ends.
typedef struct run {
    uint64_t count;
    int state;
    bool ends_row;
} run;

// The extent of the live cells, from the pattern's (0, 0).
typedef struct extent {
    int64_t x, y;                     // of the next cell
    int64_t left, right, top, bottom; // of the live cells; right < left: none
} extent;

// The facts that the lines read so far have stated.
typedef struct reading {
    lc_topology board;
    bool has_golly_rule;
    extent extent;
} reading;

// Reads a run at *at and moves behind it. Returns false at a character that begins no run; *at is
// then at it.
static bool read_run(const char **at, run *r)
{
    const uint64_t most = (uint64_t)1 << 63; // beyond all coordinates
    const char *p = *at;
    uint64_t count = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        count = count > (most - 9) / 10 ? most : count * 10 + (uint64_t)(*p - '0');
    *r = (run){.count = count == 0 ? 1 : count, .ends_row = *p == '$'};
    *at = p;
    if (*p >= 'a' && *p <= 'j')
        r->state = 24 * (*p++ - 'a' + 1);
    if (*p >= 'A' && *p <= 'X')
        r->state += *p - 'A' + 1;
    else if (r->state != 0 || (*p != '.' && *p != '$'))
        return false;
    *at = p + 1;
    return true;
}

// Adds a run to the extent. Returns false if it goes beyond the coordinates.
static bool extend(extent *e, const run *r)
{
    const uint64_t reach = (uint64_t)LC_UNIVERSE_REACH;
    int64_t *place = r->ends_row ? &e->y : &e->x;
    if (r->count > reach - (uint64_t)*place)
        return false;
    if (r->state != 0) {
        const bool is_first = e->right < e->left;
        const int64_t last = e->x + (int64_t)r->count - 1;
        e->left = is_first || e->x < e->left ? e->x : e->left;
        e->right = is_first || last > e->right ? last : e->right;
        e->top = is_first ? e->y : e->top;
        e->bottom = e->y;
    }
    *place += (int64_t)r->count;
    if (r->ends_row)
        e->x = 0;
    return true;
}

// Checks the cells at `text` in a line, and adds them to the pattern's text.
static lc_status take_cells(lc_pattern *pattern, const lc_header_line *line, const char *text,
                            extent *e, lc_message *message)
{
    const int states =
        pattern->takes_any_rule ? LC_STATES_MAX : lc_rule_traits(pattern->header.rule)->states;
    if (line->cut)
        return lc_header_fail(line, text, message, LC_ERROR_FORMAT, "a line of cells is too long");
    const char *at = text;
    while (*(at = lc_skip_blanks(at)) != '\0') {
        const char *begin = at;
        char what[128];
        run r;
        if (!read_run(&at, &r))
            return lc_header_fail(
                line, at, message, LC_ERROR_FORMAT,
                "an MCell pattern has no cell like this: its cells are . A B ... X aA");
        (void)snprintf(what, sizeof what, "this cell has state %d: the rule has states 0 to %d",
                       r.state, states - 1);
        if (r.state >= states)
            return lc_header_fail(line, begin, message, LC_ERROR_FORMAT, what);
        if (!extend(e, &r))
            return lc_header_fail(line, begin, message, LC_ERROR_FORMAT,
                                  "the pattern reaches further than 2^62 cells from its origin");
    }
    const size_t length = (size_t)(at - text), used = pattern->cells_length;
    if (length > MOST_TEXT_BYTES - used)
        return lc_fail(message, LC_ERROR_LIMIT, "an MCell pattern has at most 64 MiB of cells");
    char *longer = lc_realloc(pattern->cells, used + length + 1);
    if (longer == NULL)
        return lc_fail_memory(message, "the cells of a pattern");
    memcpy(longer + used, text, length);
    longer[used + length] = '\0';
    pattern->cells = longer;
    pattern->cells_length = used + length;
    return LC_OK;
}

// Returns the text behind a keyword and blanks; NULL: the line has another keyword.
static char *behind(char *text, const char *keyword)
{
    const size_t length = strlen(keyword);
    if (strncmp(text, keyword, length) != 0 || (text[length] != '\0' && !lc_is_blank(text[length])))
        return NULL;
    return text + length + (lc_skip_blanks(text + length) - (text + length));
}

// Parses "800x600".
static lc_status read_board(lc_topology *topology, const lc_header_line *line, const char *text,
                            lc_message *message)
{
    int64_t sides[2];
    const char *at = text;
    for (int i = 0; i < 2; i++) {
        const lc_number result = lc_read_number(at, &at, &sides[i]);
        if (result != LC_NUMBER_OK || sides[i] < 1 || sides[i] > LC_TOPOLOGY_SIDE_MAX ||
            (i == 0 && *at++ != 'x'))
            return lc_header_fail(line, text, message, LC_ERROR_FORMAT,
                                  "#BOARD needs a size such as 800x600");
    }
    topology->width_cells = sides[0];
    topology->height_cells = sides[1];
    return LC_OK;
}

static lc_status read_line(lc_pattern *pattern, lc_header_line *line, reading *r,
                           lc_message *message)
{
    char *at;
    if ((at = behind(line->text, "#L")) != NULL)
        return take_cells(pattern, line, at, &r->extent, message);
    if ((at = behind(line->text, "#GOLLY")) != NULL) {
        r->has_golly_rule = true;
        return lc_header_rule(pattern, line, at, NULL, message);
    }
    if ((at = behind(line->text, "#RULE")) != NULL)
        return r->has_golly_rule ? LC_OK : lc_header_rule(pattern, line, at, NULL, message);
    if ((at = behind(line->text, "#BOARD")) != NULL)
        return read_board(&r->board, line, at, message);
    if ((at = behind(line->text, "#WRAP")) != NULL)
        r->board.kind = *at == '1' ? LC_TOPOLOGY_TORUS : LC_TOPOLOGY_PLANE;
    if ((at = behind(line->text, "#D")) != NULL)
        return lc_comment_add(pattern, at, message);
    return LC_OK;
}

// Where so many cells begin on a side: as near to the middle as in Golly, which counts from there.
static int64_t begin_of(int64_t side, int64_t cells)
{
    return (side - cells + 1) / 2 - side / 2;
}

static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    lc_pattern_header *header = &pattern->header;
    lc_header_line line;
    reading r = {.board = {.kind = LC_TOPOLOGY_PLANE}, .extent = {.left = 0, .right = -1}};
    while (lc_header_line_next(&pattern->input, &line)) {
        const lc_status status = read_line(pattern, &line, &r, message);
        if (status != LC_OK)
            return status;
    }
    const lc_status status = lc_input_end(&pattern->input, message);
    const extent *e = &r.extent;
    if (status != LC_OK || r.board.width_cells == 0)
        return status;
    header->topology = r.board;
    header->has_position = true;
    if (e->right >= e->left) {
        header->x = begin_of(r.board.width_cells, e->right - e->left + 1);
        header->y = begin_of(r.board.height_cells, e->bottom - e->top + 1);
        header->width_cells = e->right + 1;
        header->height_cells = e->bottom + 1;
    }
    return LC_OK;
}

static bool probe(const char *text, size_t length)
{
    return length >= 6 && memcmp(text, "#MCell", 6) == 0;
}

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_gather gather;
    lc_status status = LC_OK;
    const char *at = pattern->cells != NULL ? pattern->cells : "";
    lc_gather_start(&gather, sink, 0, 0);
    while (status == LC_OK && *(at = lc_skip_blanks(at)) != '\0') {
        run r;
        (void)read_run(&at, &r); // read_header has checked it
        if (r.ends_row)
            status = lc_gather_next_row(&gather, r.count, 0);
        else if (r.state < 2)
            status = lc_gather_run(&gather, r.count, r.state == 1);
        else if (sink->cells == NULL || sink->state_run == NULL)
            return lc_fail(message, LC_ERROR_UNSUPPORTED,
                           "the pattern has cells of state %d, and only two states can be read "
                           "here",
                           r.state);
        else
            status = lc_gather_state_run(&gather, r.count, r.state);
    }
    if (status == LC_OK)
        status = lc_gather_flush(&gather);
    return status == LC_OK
               ? lc_input_finish(&pattern->input, message)
               : lc_gather_fail(&gather, status, &pattern->input, pattern->input.next, message);
}

const lc_format_ops lc_format_mcell = {
    .format = LC_FORMAT_MCELL,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
};
