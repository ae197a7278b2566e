// Macrocell: Golly's quadtrees, in which a square that comes again is written once.
//
//     [M2] (golly 4.0)          A line is a square; it has the number of its line, from 1 on, not
//     #R B3/S23                 counting those with a '#'. 0 is a dead square of any size.
//     .**$**$.*$$$$$$           8 x 8 cells, row by row
//     4 1 0 0 1                 2^4 x 2^4 cells: the four squares nw ne sw se
//     5 0 2 0 0                 The last line is the pattern. Row 0 is above its middle.
//
// A timeline has "#FRAMES count first every" in its header and "#FRAME 7 123" behind the squares of
// each frame: which one it is, and the line of its square. Before it may stand "#G" with its
// generation; without that it is 7 times `every` behind the first one.
//
// Squares below 8 x 8 may be written as nodes, too: "1 0 1 1 0" are the states of the four cells
// themselves. Files of more than two states have no other cells. The store has squares of two
// states, so such files are walked as they are.
#include "pattern/macrocell.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/planes.h"
#include "pattern/text.h"
#include "quadtree/tree.h"

enum {
    SIDE = LC_TILE_CELLS,
    SMALL_LOG2 = 3,     // squares up to that are kept as cells
    LARGEST_LOG2 = 254, // as for the engines that have use for it
    FIRST_LINES = 1 << 12,
    TOGETHER = 64,       // nodes that are looked up together
    LONGEST = 64 * 1024, // bytes of a line
};

// A square of the file. Of more than two states, all have children: numbers of lines, or for 2 x 2
// cells their states.
typedef struct square {
    union {
        uint64_t cells;    // up to 8 x 8: bit 8 * y + x
        uint32_t child[4]; // 16 x 16: numbers of lines
        lc_square stored;  // from 32 x 32 on
    };
    uint8_t log2;
} square;

typedef struct reader {
    lc_pattern *pattern;
    int states; // of the rule
    lc_store *store;
    square *squares; // [1 ..]
    size_t count, room;
    uint64_t lists_bytes; // of the squares and the frames
    // The last squares of all, which are not looked up yet: their children in the store.
    lc_square waiting[TOGETHER][4];
    size_t waiting_count;
    const unsigned char *line; // the one that is being read
    lc_kept_frames *frames;    // those that were read; root_log2 0: `root` is the number of a line
    bool has_generation;       // the header's is that of the frame to come
    size_t frame_end;          // squares before the last frame
} reader;

static bool probe(const char *text, size_t length)
{
    return length >= 4 && memcmp(text, "[M2]", 4) == 0;
}

static const char frames_mark[] = "#FRAMES", frame_mark[] = "#FRAME";

// Parses a number in Golly's notation, "1,000" or "2^10".
static const char *read_golly_number(const char *text, lc_count *number)
{
    char digits[LC_COUNT_TEXT_BYTES];
    size_t length = 0;
    text = lc_skip_blanks(text);
    for (; *text != '\0' && !lc_is_blank(*text); text++)
        if (*text != ',' && length < sizeof digits - 1)
            digits[length++] = *text;
    digits[length] = '\0';
    return lc_count_parse(digits, NULL, number, NULL) == LC_OK ? text : NULL;
}

// "#FRAMES 17 0 2^2"
static lc_status read_frames_line(lc_pattern *pattern, const lc_header_line *line,
                                  lc_message *message)
{
    lc_count count;
    const char *at = read_golly_number(line->text + sizeof frames_mark - 1, &count);
    at = at != NULL ? read_golly_number(at, &pattern->first_generation) : NULL;
    at = at != NULL ? read_golly_number(at, &pattern->every) : NULL;
    if (at == NULL)
        return lc_header_fail(line, line->text, message, LC_ERROR_FORMAT,
                              "#FRAMES is followed by three numbers: how many frames, the first "
                              "generation, and how far apart they are");
    pattern->header.has_frames = true;
    return LC_OK;
}

static lc_status read_comment(lc_pattern *pattern, lc_header_line *line, lc_message *message)
{
    char *text = line->text + 1;
    const char mark = *text;
    const bool is_marked = mark != '\0' && (text[1] == '\0' || lc_is_blank(text[1]));
    if (strncmp(line->text, frames_mark, sizeof frames_mark - 1) == 0 &&
        lc_is_blank(line->text[sizeof frames_mark - 1]))
        return read_frames_line(pattern, line, message);
    if (is_marked && mark == 'R') {
        text += lc_skip_blanks(text + 1) - text;
        return lc_header_rule(pattern, line, text, NULL, message);
    }
    if (is_marked && mark == 'G') {
        const char *number = lc_skip_blanks(text + 1);
        lc_count generation;
        const lc_status status = lc_count_parse(number, NULL, &generation, NULL);
        if (status != LC_OK)
            return lc_header_fail(line, number, message, LC_ERROR_FORMAT,
                                  "the generation must be a whole number below 2^256");
        pattern->header.generation = generation;
        return LC_OK;
    }
    const bool is_comment = is_marked && (mark == 'C' || mark == 'D' || mark == 'N' || mark == 'O');
    return lc_comment_add(pattern, lc_skip_blanks(is_comment ? text + 1 : text), message);
}

// Whether the next nonempty line begins with '#'.
static bool has_mark(lc_input *input)
{
    int byte;
    while ((byte = lc_input_peek(input)) == '\n' || byte == '\r')
        lc_input_newline(input, input->next++);
    return byte == '#';
}

static lc_status read_header(lc_pattern *pattern, lc_message *message)
{
    lc_input *input = &pattern->input;
    lc_header_line line;
    pattern->header.has_position = true;
    if (!lc_header_line_next(input, &line)) // "[M2] ..."
        return lc_input_end(input, message);
    while (!pattern->header.has_frames && has_mark(input)) {
        if (!lc_header_line_next(input, &line))
            break;
        const lc_status status = read_comment(pattern, &line, message);
        if (status != LC_OK)
            return status;
    }
    // Of a truncated timeline, the complete part is read.
    return pattern->header.has_frames ? LC_OK : lc_input_end(input, message);
}

// Lines -------------------------------------------------------------------------------------------

static lc_status fail(const reader *r, const unsigned char *at, lc_message *message,
                      lc_status status, const char *what)
{
    return lc_input_fail(&r->pattern->input, at, message, status, "%s", what);
}

static lc_status add_square(reader *r, square s, lc_message *message)
{
    if (r->count == UINT32_MAX)
        return lc_fail(message, LC_ERROR_LIMIT, "a file has at most 2^32 - 1 squares");
    if (r->count + 1 >= r->room) {
        void *squares = r->squares;
        const lc_status status =
            lc_store_grow_list(r->store, &r->lists_bytes, &squares, &r->room,
                               r->room == 0 ? FIRST_LINES : r->count + 2, sizeof s, message);
        if (status != LC_OK)
            return status;
        r->squares = squares;
    }
    r->squares[++r->count] = s;
    return LC_OK;
}

static void look_up(reader *r)
{
    lc_square found[TOGETHER], results[TOGETHER];
    if (r->waiting_count == 0)
        return;
    lc_store_find_nodes(r->store, &r->store->stock, (const lc_square(*)[4])r->waiting,
                        r->waiting_count, found, results);
    for (size_t i = 0; i < r->waiting_count; i++)
        r->squares[r->count - r->waiting_count + 1 + i].stored = found[i];
    r->waiting_count = 0;
}

// Parses "..*$": rows of a square of 8 x 8 cells.
static lc_status read_leaf(reader *r, const unsigned char *end, lc_message *message)
{
    square s = {.log2 = SMALL_LOG2};
    int x = 0, y = 0;
    if (r->states > 2)
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "squares of more than two states are five numbers each");
    for (const unsigned char *at = r->line; at < end; at++) {
        if (*at == '$') {
            x = 0;
            y++;
            continue;
        }
        if ((*at != '.' && *at != '*') || x >= 8 || y >= 8)
            return fail(r, at, message, LC_ERROR_FORMAT,
                        x >= 8 || y >= 8 ? "a square of cells has more than 8 x 8"
                                         : "a row of cells is made of '.', '*' and '$'");
        s.cells |= (uint64_t)(*at == '*') << (8 * y + x++);
    }
    look_up(r);
    return add_square(r, s, message);
}

static bool read_digits(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
    *value = 0;
    while (*at < end && lc_is_blank(**at))
        *at += 1;
    const unsigned char *begin = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        *value = *value > UINT32_MAX ? *value : *value * 10 + (uint64_t)(**at - '0');
    return *at > begin && (*at == end || lc_is_blank(**at));
}

// Joins four squares of 2^(log2 - 1) cells a side.
static uint64_t joined(const uint64_t part[4], int log2)
{
    const int half = 1 << (log2 - 1);
    uint64_t cells = 0;
    for (int i = 0; i < 4; i++)
        cells |= part[i] << (i / 2 * half * 8 + i % 2 * half);
    return cells;
}

// Draws a tile of 16 squares of 8 x 8 cells.
static void draw_tile(const reader *r, const uint32_t child[4], uint32_t cells[LC_TILE_WORDS])
{
    memset(cells, 0, LC_TILE_WORDS * sizeof *cells);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4 && child[i] != 0; k++) {
            const uint32_t small = r->squares[child[i]].child[k];
            const uint64_t bits = small == 0 ? 0 : r->squares[small].cells;
            const int x = i % 2 * 16 + k % 2 * 8, y = i / 2 * 16 + k / 2 * 8;
            for (int row = 0; row < 8; row++)
                cells[lc_tile_word(y + row)] |= (uint32_t)(bits >> (8 * row) & 0xFF) << x;
        }
    }
}

static lc_status add_stored(reader *r, int log2, const uint32_t child[4], lc_message *message)
{
    for (int i = 0; i < 4 && r->waiting_count > 0; i++)
        if (child[i] > r->count - r->waiting_count)
            look_up(r);
    if (r->waiting_count == TOGETHER)
        look_up(r);
    lc_status status = lc_store_reserve(r->store, &r->store->stock, TOGETHER, 1, message);
    square s = {.log2 = (uint8_t)log2};
    if (status == LC_OK && log2 == LC_LEAF_LOG2) {
        _Alignas(64) uint32_t cells[LC_TILE_WORDS];
        look_up(r); // those that wait are the last squares
        draw_tile(r, child, cells);
        s.stored = lc_store_find_leaf(r->store, cells);
    } else if (status == LC_OK) {
        for (int i = 0; i < 4; i++)
            r->waiting[r->waiting_count][i] = child[i] == 0 ? 0 : r->squares[child[i]].stored;
    }
    if (status == LC_OK)
        status = add_square(r, s, message);
    if (status == LC_OK && log2 > LC_LEAF_LOG2)
        r->waiting_count++;
    return status;
}

// Whether a square of more than two states, whose quarters are not dead squares of lines, is dead.
static bool is_dead(const square *s)
{
    return (s->child[0] | s->child[1] | s->child[2] | s->child[3]) == 0;
}

// Parses "4 1 0 0 1": a square's size and its four quarters.
static lc_status read_node(reader *r, const unsigned char *end, lc_message *message)
{
    const unsigned char *at = r->line;
    uint64_t log2, number;
    uint32_t child[4];
    if (!read_digits(&at, end, &log2) || log2 < 1)
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "a line is cells ('.', '*', '$') or five numbers");
    if (log2 > LARGEST_LOG2)
        return fail(r, r->line, message, LC_ERROR_LIMIT,
                    "squares larger than 2^254 x 2^254 cells are not read");
    for (int i = 0; i < 4; i++) {
        if (!read_digits(&at, end, &number))
            return fail(r, at, message, LC_ERROR_FORMAT,
                        "a square's size must be followed by four numbers");
        if (log2 == 1 ? number >= (uint64_t)r->states : number > r->count)
            return fail(r, at, message, LC_ERROR_FORMAT,
                        log2 == 1 ? "the rule does not have this state"
                                  : "a square is made of squares that come before it");
        child[i] = (uint32_t)number;
        if (log2 > 1 && number != 0 && r->squares[number].log2 != log2 - 1)
            return fail(r, at, message, LC_ERROR_FORMAT,
                        "a square's quarters must be half as wide as it is");
        if (r->states > 2 && log2 > 1 && number != 0 && is_dead(&r->squares[number]))
            child[i] = 0; // so that nothing walks through dead squares
    }
    if (r->states > 2) {
        square of_states = {.log2 = (uint8_t)log2};
        memcpy(of_states.child, child, sizeof child);
        return add_square(r, of_states, message);
    }
    if (log2 > SMALL_LOG2 + 1)
        return add_stored(r, (int)log2, child, message);
    square s = {.log2 = (uint8_t)log2};
    uint64_t part[4];
    for (int i = 0; i < 4; i++)
        part[i] = log2 == 1 || child[i] == 0 ? child[i] : r->squares[child[i]].cells;
    if (log2 <= SMALL_LOG2)
        s.cells = joined(part, (int)log2);
    else
        memcpy(s.child, child, sizeof child);
    look_up(r);
    return add_square(r, s, message);
}

// Finds the next line and its end in the window. Returns false at the end and on error.
static bool next_line(reader *r, const unsigned char **end)
{
    lc_input *input = &r->pattern->input;
    size_t seen = 0;
    if (lc_input_peek(input) < 0)
        return false;
    for (;;) {
        for (*end = input->next + seen; *end < input->end; ++*end)
            if (**end == '\n' || **end == '\r')
                return true;
        seen = (size_t)(input->end - input->next);
        if (seen > LONGEST || !lc_input_more(input)) {
            *end = input->end;
            return true;
        }
    }
}

static lc_status add_frame(reader *r, uint32_t line, lc_count generation, lc_message *message)
{
    lc_kept_frames *f = r->frames;
    if (f->count == f->room) {
        void *frames = f->frames;
        const lc_status status =
            lc_store_grow_list(r->store, &r->lists_bytes, &frames, &f->room,
                               f->room == 0 ? TOGETHER : f->count + 1, sizeof *f->frames, message);
        if (status != LC_OK)
            return status;
        f->frames = frames;
    }
    if (f->count > 0 && lc_count_compare(generation, f->frames[f->count - 1].generation) <= 0)
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "a frame must be of a later generation than the one before");
    f->frames[f->count++] = (lc_kept_frame){.root = line, .generation = generation};
    return LC_OK;
}

// Computes first + every * number. Returns false if it is 2^256 or more.
static bool generation_of(const lc_kept_frames *f, uint64_t number, lc_count *generation)
{
    lc_count step = f->every;
    *generation = f->first;
    for (; number != 0; number >>= 1) {
        if ((number & 1) != 0 && !lc_count_add(*generation, step, generation))
            return false;
        if (number > 1 && !lc_count_add(step, step, &step))
            return false;
    }
    return true;
}

// "#FRAME 7 123"
static lc_status read_frame(reader *r, const unsigned char *end, lc_message *message)
{
    const unsigned char *at = r->line + sizeof frame_mark - 1;
    uint64_t number, line;
    lc_count generation = r->pattern->header.generation;
    if (!read_digits(&at, end, &number) || !read_digits(&at, end, &line))
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "#FRAME is followed by the frame's number and that of its square");
    if (number != r->frames->count)
        return fail(r, r->line, message, LC_ERROR_FORMAT, "frames must come one after the other");
    if (line > r->count)
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "a frame is a square that comes before it");
    if (!r->has_generation && !generation_of(r->frames, number, &generation))
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "generations beyond 2^256-1 are not read");
    r->has_generation = false;
    r->frame_end = r->count;
    return add_frame(r, (uint32_t)line, generation, message);
}

// Reads a line between squares. Most are comments; a rule is an error.
static lc_status read_mark(reader *r, const unsigned char *end, lc_message *message)
{
    const size_t length = (size_t)(end - r->line);
    char text[LC_COUNT_TEXT_BYTES];
    const char kind = length >= 3 && lc_is_blank(r->line[2]) ? (char)r->line[1] : '\0';
    if (kind == 'R')
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "the rule has to stand before the first square");
    if (r->frames != NULL && length >= sizeof frame_mark &&
        memcmp(r->line, frame_mark, sizeof frame_mark - 1) == 0 &&
        lc_is_blank(r->line[sizeof frame_mark - 1]))
        return read_frame(r, end, message);
    if (kind != 'G')
        return LC_OK;
    if (r->frames == NULL)
        return fail(r, r->line, message, LC_ERROR_FORMAT,
                    "the generation has to stand before the first square");
    const size_t digits = length - 3;
    if (digits >= sizeof text)
        return fail(r, r->line, message, LC_ERROR_FORMAT, "this is no number of a generation");
    memcpy(text, r->line + 3, digits);
    text[digits] = '\0';
    if (read_golly_number(text, &r->pattern->header.generation) == NULL)
        return fail(r, r->line, message, LC_ERROR_FORMAT, "this is no number of a generation");
    r->has_generation = true;
    return LC_OK;
}

static lc_status read_lines(reader *r, lc_message *message)
{
    lc_input *input = &r->pattern->input;
    const unsigned char *end;
    lc_status status = LC_OK;
    while (status == LC_OK && next_line(r, &end)) {
        if (input->status != LC_OK && end == input->end)
            break;
        r->line = input->next;
        // A truncated number would be another number.
        if (r->frames != NULL && end == input->end)
            return fail(r, end, message, LC_ERROR_FORMAT, "the file ends within a line");
        if (end > r->line && *r->line == '#')
            status = read_mark(r, end, message);
        if (end - r->line > LONGEST)
            return fail(r, r->line, message, LC_ERROR_FORMAT, "a line is longer than 64 KiB");
        if (end > r->line && *r->line >= '0' && *r->line <= '9')
            status = read_node(r, end, message);
        else if (end > r->line && *r->line != '#')
            status = read_leaf(r, end, message);
        input->next = end;
        if (end < input->end)
            lc_input_newline(input, input->next++);
    }
    look_up(r);
    return status == LC_OK ? lc_input_end(input, message) : status;
}

// The root --------------------------------------------------------------------------------------

// Whether a cell of a small square is alive.
static bool is_alive(const reader *r, const square *s, int x, int y)
{
    if (s->log2 <= SMALL_LOG2)
        return (s->cells >> (8 * y + x) & 1) != 0;
    if (s->log2 == LC_LEAF_LOG2)
        return s->stored != 0 && (lc_store_leaf(r->store, s->stored)[lc_tile_word(y)] >> x & 1);
    const uint32_t small = s->child[y / 8 * 2 + x / 8]; // 16 x 16
    return small != 0 && (r->squares[small].cells >> (y % 8 * 8 + x % 8) & 1) != 0;
}

// Returns the square of a line. Smaller squares are placed in the middle of one of 64 x 64.
static lc_status find_root(reader *r, size_t line, lc_square *root, int *root_log2,
                           lc_message *message)
{
    *root = 0;
    *root_log2 = LC_LEAF_LOG2 + 1;
    if (line == 0)
        return LC_OK;
    const square *last = &r->squares[line];
    if (last->log2 > LC_LEAF_LOG2) {
        *root = last->stored;
        *root_log2 = last->log2;
        return LC_OK;
    }
    const lc_status status = lc_store_reserve(r->store, &r->store->stock, 1, 4, message);
    if (status != LC_OK)
        return status;
    _Alignas(64) uint32_t cells[4][LC_TILE_WORDS] = {0};
    const int side = 1 << last->log2;
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const int at_x = SIDE + x - side / 2, at_y = SIDE + y - side / 2;
            cells[at_y / SIDE * 2 + at_x / SIDE][lc_tile_word(at_y % SIDE)] |=
                (uint32_t)is_alive(r, last, x, y) << (at_x % SIDE);
        }
    }
    lc_square leaves[4];
    for (int i = 0; i < 4; i++)
        leaves[i] = lc_store_find_leaf(r->store, cells[i]);
    *root = lc_store_find_node(r->store, leaves);
    return LC_OK;
}

// Marks the squares read so far as in use.
static void keep(void *context, const lc_keeping *keeping)
{
    reader *r = context;
    for (size_t i = 1; i <= r->count - r->waiting_count; i++)
        if (r->squares[i].log2 >= LC_LEAF_LOG2)
            lc_keep(keeping, &r->squares[i].stored);
    for (size_t i = 0; i < r->waiting_count; i++)
        for (int k = 0; k < 4; k++)
            lc_keep(keeping, &r->waiting[i][k]);
    for (size_t i = 0; r->frames != NULL && i < r->frames->count; i++)
        if (r->frames->frames[i].root_log2 != 0)
            lc_keep(keeping, &r->frames->frames[i].root);
}

// Handles the end of a timeline. A pattern of a later generation after the last frame becomes a
// frame. If the file is damaged, the frames before the damage remain.
static lc_status end_frames(reader *r, lc_count last, lc_status status, lc_message *message)
{
    lc_kept_frames *f = r->frames;
    if (status != LC_OK && r->pattern->input.status == LC_ERROR_STOPPED)
        return lc_input_end(&r->pattern->input, message); // the line in which that was is whole
    const bool is_damage = status == LC_ERROR_FORMAT || status == LC_ERROR_IO;
    if (is_damage && f->count > 0) {
        f->is_cut = true;
        return LC_OK;
    }
    if (status == LC_OK && f->count == 0)
        return lc_fail(message, LC_ERROR_FORMAT, "the timeline has no frame");
    if (status == LC_OK && r->frame_end < r->count &&
        lc_count_compare(last, f->frames[f->count - 1].generation) > 0)
        return add_frame(r, (uint32_t)r->count, last, message);
    return status;
}

static lc_status read_frames(reader *r, lc_message *message)
{
    const lc_count last = r->pattern->header.generation; // Golly's
    lc_status status = read_lines(r, &r->frames->cut);
    look_up(r); // those that waited when the lines ended early
    (void)lc_fail_again(message, status, &r->frames->cut);
    status = end_frames(r, last, status, message);
    for (size_t i = 0; i < r->frames->count && status == LC_OK; i++) {
        lc_square root;
        int log2;
        lc_kept_frame *frame = &r->frames->frames[i];
        status = find_root(r, frame->root, &root, &log2, message);
        frame->root = root;
        frame->root_log2 = log2;
    }
    return status;
}

lc_status lc_macrocell_read_frames(lc_pattern *pattern, lc_store *store, lc_kept_frames *frames,
                                   lc_message *message)
{
    reader r = {.pattern = pattern, .states = 2, .store = store, .frames = frames};
    if (lc_rule_traits(pattern->header.rule)->states > 2)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "timelines of more than two states are not read");
    lc_gc_root gc_root = {.each = keep, .context = &r};
    frames->first = pattern->first_generation;
    frames->every = pattern->every;
    lc_store_add_root(store, &gc_root);
    const lc_status status = read_frames(&r, message);
    lc_store_remove_root(store, &gc_root);
    lc_store_forget_lists(store, &r.lists_bytes);
    lc_free(r.squares);
    return status;
}

// Reads the last frame of a timeline.
static lc_status read_last_frame(lc_pattern *pattern, lc_store *store, lc_square *root,
                                 int *root_log2, lc_message *message)
{
    lc_kept_frames frames = {0};
    lc_status status = lc_macrocell_read_frames(pattern, store, &frames, message);
    if (status == LC_OK && frames.is_cut)
        status = lc_fail_again(message, LC_ERROR_FORMAT, &frames.cut);
    if (status == LC_OK) {
        const lc_kept_frame *last = &frames.frames[frames.count - 1];
        *root = last->root;
        *root_log2 = last->root_log2;
        pattern->header.generation = last->generation;
    }
    lc_free(frames.frames);
    return status;
}

static lc_status read_tree(lc_pattern *pattern, lc_store *store, lc_square *root, int *root_log2,
                           lc_message *message)
{
    if (pattern->header.has_frames)
        return read_last_frame(pattern, store, root, root_log2, message);
    reader r = {.pattern = pattern, .states = 2, .store = store};
    lc_gc_root gc_root = {.each = keep, .context = &r};
    lc_store_add_root(store, &gc_root);
    lc_status status = read_lines(&r, message);
    if (status == LC_OK)
        status = find_root(&r, r.count, root, root_log2, message);
    lc_store_remove_root(store, &gc_root);
    lc_store_forget_lists(store, &r.lists_bytes);
    lc_free(r.squares);
    return status;
}

// Cell by cell ------------------------------------------------------------------------------------

enum { ASK_LOG2 = 11 }; // the squares in which it is asked whether to give up

typedef struct walk {
    const lc_store *store;
    const lc_sink *sink;
    lc_message *message;
} walk;

static lc_status give_leaf(const walk *w, const uint32_t *cells, int64_t x, int64_t y)
{
    lc_status status = LC_OK;
    for (int row = 0; row < SIDE && status == LC_OK; row++) {
        const uint64_t word = cells[lc_tile_word(row)];
        if (word != 0)
            status = w->sink->bits(w->sink->context, x, y + row, &word, SIDE);
    }
    return status;
}

static lc_status give_square(const walk *w, lc_square s, int log2, int64_t x, int64_t y)
{
    if (s == 0)
        return LC_OK;
    if (log2 == LC_LEAF_LOG2)
        return give_leaf(w, lc_store_leaf(w->store, s), x, y);
    lc_status status = log2 == ASK_LOG2 ? lc_check_give_up(w->message) : LC_OK;
    const int64_t half = INT64_C(1) << (log2 - 1);
    for (int i = 0; i < 4 && status == LC_OK; i++)
        status = give_square(w, lc_store_node(w->store, s)->child[i], log2 - 1, x + i % 2 * half,
                             y + i / 2 * half);
    return status;
}

// Leaves out squares further than 2^62 from the middle, which must be dead.
static lc_status give_root(const walk *w, lc_square root, int log2)
{
    enum { NEAR_LOG2 = 62 };
    lc_status status = LC_OK;
    for (int i = 0; i < 4 && root != 0 && status == LC_OK; i++) {
        lc_square s = lc_store_node(w->store, root)->child[i];
        int k = log2 - 1;
        for (; k > NEAR_LOG2 && s != 0; k--) {
            const lc_node *node = lc_store_node(w->store, s);
            for (int c = 0; c < 4; c++)
                if (c != 3 - i && node->child[c] != 0)
                    return lc_fail(w->message, LC_ERROR_LIMIT,
                                   "the pattern has cells further than 2^62 from the middle");
            s = node->child[3 - i];
        }
        const int64_t half = INT64_C(1) << (k < NEAR_LOG2 ? k : NEAR_LOG2);
        status =
            give_square(w, s, k, i % 2 == 0 ? -half : 0, LC_MIDDLE_Y + (i / 2 == 0 ? -half : 0));
    }
    return status;
}

lc_status lc_macrocell_give(const lc_store *store, lc_square root, int root_log2,
                            const lc_sink *sink, lc_message *message)
{
    return give_root(&(walk){store, sink, message}, root, root_log2);
}

// More than two states ----------------------------------------------------------------------------

// Copies the states of a square of at most 32 x 32 cells.
static void draw_states(const reader *r, uint32_t line, uint8_t *at)
{
    const square *s = &r->squares[line];
    const size_t half = (size_t)1 << (s->log2 - 1);
    for (size_t i = 0; i < 4; i++) {
        uint8_t *quarter = at + i / 2 * half * SIDE + i % 2 * half;
        if (s->log2 == 1)
            *quarter = (uint8_t)s->child[i];
        else if (s->child[i] != 0)
            draw_states(r, s->child[i], quarter);
    }
}

static lc_status give_states(const reader *r, const lc_sink *sink, uint32_t line, int64_t x,
                             int64_t y, lc_message *message)
{
    const square *s = &r->squares[line];
    lc_status status = LC_OK;
    if (line == 0)
        return LC_OK;
    if (s->log2 <= LC_LEAF_LOG2) {
        uint8_t states[SIDE][SIDE] = {{0}};
        uint64_t words[LC_PLANES_MAX];
        draw_states(r, line, states[0]);
        for (int row = 0; row < 1 << s->log2 && status == LC_OK; row++) {
            const lc_cells cells =
                lc_span_cells(x, y + row, 1 << s->log2, lc_planes_for(r->states), words);
            lc_cells_pack(&cells, 0, states[row]);
            if (!lc_cells_row_is_dead(&cells, 0))
                status = sink->cells(sink->context, &cells);
        }
        return status;
    }
    if (s->log2 == ASK_LOG2)
        status = lc_check_give_up(message);
    const int64_t half = INT64_C(1) << (s->log2 - 1);
    for (int i = 0; i < 4 && status == LC_OK; i++)
        status = give_states(r, sink, s->child[i], x + i % 2 * half, y + i / 2 * half, message);
    return status;
}

static lc_status give_all_states(reader *r, const lc_sink *sink, lc_message *message)
{
    const square *root = &r->squares[r->count];
    if (r->count == 0)
        return LC_OK;
    if (root->log2 > LC_NEAR_LOG2)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "squares of more than two states are read up to 2^62 x 2^62 cells");
    const int64_t half = INT64_C(1) << (root->log2 - 1);
    return give_states(r, sink, (uint32_t)r->count, -half, LC_MIDDLE_Y - half, message);
}

static lc_status read_states(lc_pattern *pattern, lc_store *store, const lc_sink *sink,
                             lc_message *message)
{
    const int states = lc_rule_traits(pattern->header.rule)->states;
    reader r = {.pattern = pattern, .states = states, .store = store};
    if (sink->cells == NULL || sink->state_run == NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "%s has %d states, and only two states can be read here",
                       lc_rule_traits(pattern->header.rule)->text, states);
    lc_status status = read_lines(&r, message);
    if (status == LC_OK)
        status = give_all_states(&r, sink, message);
    lc_store_forget_lists(store, &r.lists_bytes);
    lc_free(r.squares);
    return status;
}

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    lc_store store;
    lc_status status =
        lc_store_init_within(&store, NULL, lc_memory_limit(sink->max_memory_bytes), message);
    if (status != LC_OK)
        return status;
    if (lc_rule_traits(pattern->header.rule)->states > 2 && !pattern->header.has_frames) {
        status = read_states(pattern, &store, sink, message);
    } else {
        lc_square root;
        int root_log2;
        status = read_tree(pattern, &store, &root, &root_log2, message);
        if (status == LC_OK)
            status = lc_macrocell_give(&store, root, root_log2, sink, message);
    }
    lc_store_free(&store);
    return status;
}

const lc_format_ops lc_format_macrocell = {
    .format = LC_FORMAT_MACROCELL,
    .probe = probe,
    .read_header = read_header,
    .read_cells = read_cells,
    .read_tree = read_tree,
    .has_many_states = true,
    .write = lc_macrocell_write,
    .write_tree = lc_macrocell_write_tree,
};
