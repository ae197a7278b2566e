// Parses a client's message into a command and checks all its bounds.
//
// A table gives the name of each message and the function that reads its members. Coordinates,
// sizes in cells and numbers of generations are JSON integers or strings of digits, because numbers
// in JavaScript do not hold 64 bits.
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t reach = LC_UNIVERSE_REACH;

typedef struct reader {
    const json_t *object;
    lc_view_command *command;
    lc_message *message;
} reader;

static lc_status wrong(const reader *r, const char *format, const char *name)
{
    return lc_fail(r->message, LC_ERROR_FORMAT, format, name);
}

// ---- members -----------------------------------------------------------------------------------

// Returns whether the value is a JSON integer, or a string of digits with an optional minus sign.
static bool is_integer(const json_t *value)
{
    const char *text = json_string_value(value);
    if (text == NULL)
        return json_is_integer(value);
    const char *digits = text + (*text == '-');
    return *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

// Returns whether a value that passes is_integer lies within the bounds, which are -INT64_MAX to
// INT64_MAX at most. Sets *number to the value, or to 0 if it is out of bounds.
static bool is_within(const json_t *value, int64_t least, int64_t most, int64_t *number)
{
    const char *text = json_string_value(value);
    errno = 0;
    const int64_t read = text != NULL ? strtoll(text, NULL, 10) : json_integer_value(value);
    const bool within = errno == 0 && read >= least && read <= most;
    *number = within ? read : 0;
    return within;
}

// Reads a coordinate or a size in cells. A selection of all live cells can reach beyond the
// coordinates of edits, so this error has its own message.
static lc_status read_cells(const reader *r, const char *name, int64_t least, int64_t most,
                            int64_t *value)
{
    const json_t *member = json_object_get(r->object, name);
    const char *text = json_string_value(member);
    const double about = text != NULL ? strtod(text, NULL) : json_number_value(member);
    *value = 0;
    if (fabs(about) > (double)reach)
        return wrong(
            r, "cells farther than 2^62 from (0, 0) can be seen, but not copied or edited%s", "");
    if (!is_integer(member))
        return wrong(r, "\"%s\" has to be an integer, or a string of its digits", name);
    return is_within(member, least, most, value) ? LC_OK : wrong(r, "\"%s\" is out of range", name);
}

static lc_status read_integer(const reader *r, const char *name, int64_t least, int64_t most,
                              int64_t *value)
{
    const json_t *member = json_object_get(r->object, name);
    *value = json_integer_value(member); // 0 if it is not an integer
    if (!json_is_integer(member))
        return wrong(r, "\"%s\" has to be an integer", name);
    return *value >= least && *value <= most ? LC_OK : wrong(r, "\"%s\" is out of range", name);
}

// Reads an optional integer; `usual` if it is absent.
static lc_status read_optional(const reader *r, const char *name, int64_t least, int64_t most,
                               int64_t usual, int64_t *value)
{
    *value = usual;
    return json_object_get(r->object, name) == NULL ? LC_OK
                                                    : read_integer(r, name, least, most, value);
}

// Reads a count: an integer of at least 0, or a string of digits.
static lc_status read_count(const reader *r, const char *name, lc_count *value)
{
    const json_t *member = json_object_get(r->object, name);
    if (json_is_integer(member) && json_integer_value(member) >= 0) {
        *value = lc_count_of((uint64_t)json_integer_value(member));
        return LC_OK;
    }
    const char *digits = json_string_value(member);
    if (digits == NULL || *digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
        return wrong(r, "\"%s\" has to be a number or a string of digits", name);
    return lc_count_parse(digits, NULL, value, NULL) == LC_OK
               ? LC_OK
               : wrong(r, "\"%s\" is out of range", name);
}

static lc_status read_u64(const reader *r, const char *name, uint64_t *value)
{
    lc_count count;
    const lc_status status = read_count(r, name, &count);
    if (status != LC_OK)
        return status;
    return lc_count_to_u64(count, value) ? LC_OK : wrong(r, "\"%s\" is out of range", name);
}

static lc_status read_flag(const reader *r, const char *name, bool *value)
{
    const json_t *member = json_object_get(r->object, name);
    if (!json_is_boolean(member))
        return wrong(r, "\"%s\" has to be true or false", name);
    *value = json_is_true(member);
    return LC_OK;
}

// Reads an optional flag.
static lc_status read_flag_if(const reader *r, const char *name)
{
    r->command->has_flag = json_object_get(r->object, name) != NULL;
    return r->command->has_flag ? read_flag(r, name, &r->command->flag) : LC_OK;
}

static lc_status read_density(const reader *r, double *density)
{
    const json_t *member = json_object_get(r->object, "density");
    if (!json_is_number(member))
        return wrong(r, "\"%s\" has to be a number", "density");
    *density = json_number_value(member);
    return *density >= 0 && *density <= 1 ? LC_OK : wrong(r, "\"%s\" is not 0 to 1", "density");
}

// Returns the index of a member's word in `words`, which end with NULL; -1 if it is not there.
static int find_word(const reader *r, const char *name, const char *const *words)
{
    const char *word = json_string_value(json_object_get(r->object, name));
    for (int place = 0; word != NULL && words[place] != NULL; place++)
        if (strcmp(word, words[place]) == 0)
            return place;
    return -1;
}

static lc_status read_word(const reader *r, const char *name, const char *const *words, int *place)
{
    *place = find_word(r, name, words);
    return *place >= 0 ? LC_OK : wrong(r, "\"%s\" is not one of the words allowed there", name);
}

static lc_status read_corner(const reader *r)
{
    lc_rectangle *area = &r->command->area;
    lc_status status = read_cells(r, "x", -reach, reach, &area->x);
    return status != LC_OK ? status : read_cells(r, "y", -reach, reach, &area->y);
}

static lc_status read_area(const reader *r)
{
    lc_rectangle *area = &r->command->area;
    lc_status status = read_corner(r);
    if (status == LC_OK)
        status = read_cells(r, "width", 1, reach, &area->width_cells);
    if (status == LC_OK)
        status = read_cells(r, "height", 1, reach, &area->height_cells);
    if (status == LC_OK &&
        (area->x > reach - area->width_cells || area->y > reach - area->height_cells))
        return wrong(r, "the rectangle extends beyond the universe%s", "");
    return status;
}

// Reads a centre: two integers, in half cells.
static lc_status read_centre(const reader *r, lc_edit_symmetry *symmetry)
{
    const json_t *about = json_object_get(r->object, "about");
    const json_t *x = json_array_get(about, 0), *y = json_array_get(about, 1);
    if (json_array_size(about) != 2 || !is_integer(x) || !is_integer(y))
        return wrong(r, "\"%s\" has to be two integers: half cells", "about");
    if (!is_within(x, -INT64_MAX, INT64_MAX, &symmetry->x_halves) ||
        !is_within(y, -INT64_MAX, INT64_MAX, &symmetry->y_halves))
        return wrong(r, "\"%s\" is out of range", "about");
    if (lc_edit_symmetry_is_square(symmetry->kind) &&
        (symmetry->x_halves % 2 == 0) != (symmetry->y_halves % 2 == 0))
        return wrong(r, "\"%s\" has to be the middle or the corner of a cell", "about");
    return LC_OK;
}

// Reads an optional symmetry. With `has_centre`, also its centre.
static lc_status read_symmetry(const reader *r, bool has_centre)
{
    // Same order as lc_edit_symmetry_kind.
    static const char *const words[] = {"none",   "x",      "y",   "both", "diagonal",
                                        "turn-2", "turn-4", "all", NULL};
    lc_edit_symmetry *symmetry = &r->command->symmetry;
    int place;
    if (json_object_get(r->object, "symmetry") == NULL)
        return LC_OK;
    const lc_status status = read_word(r, "symmetry", words, &place);
    if (status != LC_OK)
        return status;
    symmetry->kind = (lc_edit_symmetry_kind)place;
    return has_centre && symmetry->kind != LC_EDIT_SYMMETRY_NONE ? read_centre(r, symmetry) : LC_OK;
}

// Copies a string member, which can have any bytes but zero.
static lc_status read_text(const reader *r, const char *name)
{
    const json_t *member = json_object_get(r->object, name);
    if (!json_is_string(member))
        return wrong(r, "\"%s\" has to be a string", name);
    lc_view_command *command = r->command;
    command->text_bytes = json_string_length(member);
    command->text = malloc(command->text_bytes + 1);
    if (command->text == NULL)
        return lc_fail(r->message, LC_ERROR_MEMORY, "out of memory for \"%s\"", name);
    memcpy(command->text, json_string_value(member), command->text_bytes + 1);
    return LC_OK;
}

// Reads an integer of at most 32 bits; 0 on error.
static lc_status read_number(const reader *r, const char *name, uint32_t least, uint32_t most,
                             uint32_t *value)
{
    int64_t number;
    lc_status status = read_integer(r, name, least, most, &number);
    *value = status == LC_OK ? (uint32_t)number : 0;
    return status;
}

static lc_status read_pattern(const reader *r)
{
    return read_number(r, "pattern", 1, UINT32_MAX, &r->command->pattern);
}

// ---- messages ----------------------------------------------------------------------------------

static lc_status nothing_more(const reader *r)
{
    (void)r;
    return LC_OK;
}

static lc_status look(const reader *r)
{
    static const char *const deflate[] = {"auto", "always", "never", NULL};
    lc_look *look = &r->command->look;
    int64_t number, scale, width, height, frames;
    int word = LC_DEFLATE_AUTO;
    lc_status status = read_optional(r, "look", 0, UINT32_MAX, 0, &number);
    if (status == LC_OK)
        status = read_corner(r);
    if (status == LC_OK)
        status = read_integer(r, "scale", 0, LC_VIEW_SCALE_MAX, &scale);
    if (status == LC_OK)
        status = read_integer(r, "width", 1, LC_VIEW_SIDE_PIXELS_MAX, &width);
    if (status == LC_OK)
        status = read_integer(r, "height", 1, LC_VIEW_SIDE_PIXELS_MAX, &height);
    if (status == LC_OK)
        status = read_optional(r, "frames", 1, 240, 60, &frames);
    if (status == LC_OK && json_object_get(r->object, "deflate") != NULL)
        status = read_word(r, "deflate", deflate, &word);
    bool ages = false, pieces = false;
    if (status == LC_OK && json_object_get(r->object, "ages") != NULL)
        status = read_flag(r, "ages", &ages);
    if (status == LC_OK && json_object_get(r->object, "pieces") != NULL)
        status = read_flag(r, "pieces", &pieces);
    if (status != LC_OK)
        return status;
    if (width * height > LC_VIEW_PIXELS_MAX)
        return wrong(r, "a picture has at most 2^24 pixels%s", "");
    const lc_rectangle *corner = &r->command->area;
    // The bounds of the library.
    const int shift = scale <= LC_VIEW_NEAR_SCALE_MAX ? (int)scale : 0;
    if (corner->x <= -reach || corner->y <= -reach || corner->x >= reach - (width << shift) ||
        corner->y >= reach - (height << shift))
        return wrong(r, "the picture extends beyond the universe%s", "");
    const int64_t within = ((int64_t)1 << shift) - 1;
    if (ages && ((corner->x | corner->y) & within) != 0)
        return wrong(r, "a picture of ages begins with one of its squares%s", "");
    *look = (lc_look){.number = (uint32_t)number,
                      .x = corner->x,
                      .y = corner->y,
                      .scale = (int)scale,
                      .width = (int)width,
                      .height = (int)height,
                      .frames = (int)frames,
                      .deflate = (lc_view_deflate)word,
                      .pieces = pieces,
                      .ages = ages};
    return LC_OK;
}

// A picture: at once, or when the universe is at rest.
static lc_status picture(const reader *r)
{
    lc_status status = look(r);
    return status == LC_OK ? read_flag_if(r, "rest") : status;
}

static lc_status drawn(const reader *r)
{
    int64_t held_ms = 0;
    lc_status status = read_number(r, "frame", 0, UINT32_MAX, &r->command->frame);
    if (status == LC_OK)
        status = read_optional(r, "held", 0, 60000, 0, &held_ms);
    r->command->held_ms = (uint32_t)held_ms;
    return status;
}

static lc_status step(const reader *r)
{
    lc_status status = read_count(r, "generations", &r->command->generations);
    if (status == LC_OK && lc_count_compare(r->command->generations, lc_count_of(0)) == 0)
        return wrong(r, "\"%s\" has to be at least 1", "generations");
    return status;
}

static lc_status pictures(const reader *r)
{
    return json_is_null(json_object_get(r->object, "generations")) ? LC_OK : step(r);
}

static lc_status go(const reader *r)
{
    return read_count(r, "generation", &r->command->generations);
}

static lc_status speed(const reader *r)
{
    const json_t *member = json_object_get(r->object, "generations_per_second");
    if (json_is_null(member))
        return LC_OK;
    r->command->speed = json_number_value(member);
    return json_is_number(member) && r->command->speed >= 0.01 && r->command->speed <= 1e12
               ? LC_OK
               : wrong(r, "\"%s\" has to be null, or a number from 0.01 to 10^12",
                       "generations_per_second");
}

static lc_status snapshot(const reader *r)
{
    return read_number(r, "moment", 1, INT32_MAX, &r->command->snapshot);
}

static lc_status frame(const reader *r)
{
    return read_u64(r, "frame", &r->command->shown);
}

static lc_status play(const reader *r)
{
    return read_flag_if(r, "backwards");
}

static lc_status player(const reader *r)
{
    const json_t *member = json_object_get(r->object, "frames_per_second");
    r->command->speed = json_number_value(member);
    if (member != NULL && !(r->command->speed >= 0.01 && r->command->speed <= 240))
        return wrong(r, "\"%s\" has to be a number from 0.01 to 240", "frames_per_second");
    return read_flag_if(r, "loop");
}

// Fails with the reason and the position of a syntax error. The caller put `before` characters in
// front of the text.
static lc_status refuse_text(const reader *r, const char *what, uint64_t before,
                             const lc_message *why)
{
    if (why->column <= before)
        return lc_fail(r->message, LC_ERROR_FORMAT, "%s: %s", what, why->text);
    return lc_fail(r->message, LC_ERROR_FORMAT, "%s, at character %" PRIu64 ": %s", what,
                   why->column - before, why->text);
}

// Reads a rule with an optional topology.
static lc_status read_rule(const reader *r)
{
    lc_view_command *command = r->command;
    lc_message why = {0};
    const char *rule = json_string_value(json_object_get(r->object, "rule"));
    if (rule == NULL)
        return wrong(r, "\"%s\" has to be a string", "rule");
    lc_status status = lc_rule_parse(rule, &command->rule, &command->topology, &why);
    if (status == LC_OK)
        status = lc_topology_check(&command->topology, &why);
    return status == LC_OK ? LC_OK : refuse_text(r, "the rule", 0, &why);
}

static lc_status another(const reader *r)
{
    lc_view_command *command = r->command;
    lc_status status = read_rule(r);
    if (status != LC_OK)
        return status;
    if (json_object_get(r->object, "density") == NULL)
        return LC_OK;
    status = read_density(r, &command->density);
    if (status == LC_OK && json_object_get(r->object, "seed") != NULL)
        status = read_u64(r, "seed", &command->seed);
    const lc_topology *t = &command->topology;
    const int64_t most_x = t->width_cells != 0 ? t->width_cells : reach;
    const int64_t most_y = t->height_cells != 0 ? t->height_cells : reach;
    if (status == LC_OK)
        status = read_optional(r, "width", 1, most_x, t->width_cells, &command->area.width_cells);
    if (status == LC_OK)
        status =
            read_optional(r, "height", 1, most_y, t->height_cells, &command->area.height_cells);
    if (status == LC_OK && (command->area.width_cells == 0 || command->area.height_cells == 0))
        return wrong(r, "random cells in an unbounded universe need a width and a height%s", "");
    return status;
}

// Reads a topology, written as after the colon of a rule; "": the infinite plane.
static lc_status read_topology(const reader *r, lc_topology *topology)
{
    char text[LC_RULE_TEXT_BYTES];
    lc_message why = {0};
    const char *suffix = json_string_value(json_object_get(r->object, "topology"));
    if (suffix == NULL || strlen(suffix) > sizeof text - 16)
        return wrong(r, "\"%s\" has to be a string as behind the colon of a rule", "topology");
    snprintf(text, sizeof text, "B3/S23%s%s", *suffix != '\0' ? ":" : "", suffix);
    if (lc_rule_parse(text, NULL, topology, &why) != LC_OK ||
        lc_topology_check(topology, &why) != LC_OK)
        return refuse_text(r, "the topology", 7, &why);
    return LC_OK;
}

static lc_status rule(const reader *r)
{
    lc_view_command *command = r->command;
    lc_message why = {0};
    lc_topology plane;
    const json_t *member = json_object_get(r->object, "rule");
    command->has_topology = json_object_get(r->object, "topology") != NULL;
    command->has_rule = member != NULL || !command->has_topology;
    if (command->has_topology) {
        lc_status status = read_topology(r, &command->topology);
        if (status != LC_OK)
            return status;
    }
    if (!command->has_rule)
        return read_flag_if(r, "try");
    const char *text = json_string_value(member);
    if (text == NULL)
        return wrong(r, "\"%s\" has to be a string", "rule");
    if (lc_rule_parse(text, &command->rule, &plane, &why) != LC_OK)
        return refuse_text(r, "the rule", 0, &why);
    if (plane.kind != LC_TOPOLOGY_PLANE || plane.width_cells != 0 || plane.height_cells != 0)
        return wrong(r, "\"%s\" has to be a rule without a topology: \"topology\" says that",
                     "rule");
    return read_flag_if(r, "try");
}

static lc_status open(const reader *r)
{
    if (json_object_get(r->object, "pattern") != NULL)
        return read_pattern(r);
    int64_t bytes;
    lc_status status = read_integer(r, "bytes", 0, LC_VIEW_FILE_BYTES_MAX, &bytes);
    if (status == LC_OK)
        status = read_text(r, "name");
    if (status == LC_OK && bytes == 0)
        return wrong(r, "%.200s is empty", r->command->text);
    r->command->file_bytes = status == LC_OK ? (size_t)bytes : 0;
    return status;
}

// Reads how to draw: the state "alive" (or "pencil": the first cell of the stroke decides), the
// number of the stroke, "wrap", and the symmetry.
static lc_status read_stroke(const reader *r)
{
    lc_view_command *command = r->command;
    const char *word = json_string_value(json_object_get(r->object, "alive"));
    int64_t stroke;
    command->has_flag = word == NULL || strcmp(word, "pencil") != 0;
    lc_status status = LC_OK;
    if (command->has_flag)
        status = read_flag(r, "alive", &command->flag);
    if (status == LC_OK)
        status = read_optional(r, "stroke", 0, UINT32_MAX, 0, &stroke);
    if (status == LC_OK && json_object_get(r->object, "wrap") != NULL)
        status = read_flag(r, "wrap", &command->wraps);
    if (status != LC_OK)
        return status;
    command->stroke = (uint32_t)stroke;
    return read_symmetry(r, true);
}

static lc_status undo(const reader *r)
{
    int64_t stroke;
    lc_status status = read_optional(r, "stroke", 1, UINT32_MAX, 0, &stroke);
    if (status == LC_OK)
        r->command->undone_stroke = (uint32_t)stroke;
    return status;
}

static lc_status cells(const reader *r)
{
    lc_view_command *command = r->command;
    const json_t *runs = json_object_get(r->object, "runs");
    lc_status status = read_stroke(r);
    if (status != LC_OK)
        return status;
    const size_t numbers = json_array_size(runs);
    if (numbers == 0 || numbers % 3 != 0 || numbers > 3 * LC_VIEW_RUNS_MAX)
        return wrong(r, "\"%s\" has to be an array of x, y, length, for 1 to 4,096 runs", "runs");
    command->run_count = numbers / 3;
    command->runs = malloc(command->run_count * sizeof *command->runs);
    if (command->runs == NULL)
        return lc_fail(r->message, LC_ERROR_MEMORY, "out of memory for \"%s\"", "runs");
    for (size_t i = 0; i < command->run_count; i++) {
        const json_t *x = json_array_get(runs, 3 * i), *y = json_array_get(runs, 3 * i + 1);
        const json_t *length = json_array_get(runs, 3 * i + 2);
        if (!is_integer(x) || !is_integer(y) || !is_integer(length))
            return wrong(r, "\"%s\" has to be of integers", "runs");
        lc_rectangle *run = &command->runs[i];
        run->height_cells = 1;
        if (!is_within(length, 1, LC_VIEW_RUN_CELLS_MAX, &run->width_cells) ||
            !is_within(x, -reach, reach - run->width_cells, &run->x) ||
            !is_within(y, -reach, reach, &run->y))
            return wrong(r, "a run in \"%s\" is out of range", "runs");
    }
    return LC_OK;
}

static lc_status fill(const reader *r)
{
    lc_status status = read_area(r);
    if (status == LC_OK)
        status = read_density(r, &r->command->density);
    if (status == LC_OK && json_object_get(r->object, "seed") != NULL)
        status = read_u64(r, "seed", &r->command->seed);
    return status == LC_OK ? read_symmetry(r, false) : status;
}

static lc_status clear(const reader *r)
{
    lc_status status = read_area(r);
    return status == LC_OK ? read_flag_if(r, "outside") : status;
}

static lc_status read_mode(const reader *r)
{
    static const char *const words[] = {"or", "copy", "xor", NULL}; // as lc_paste_mode
    if (json_object_get(r->object, "mode") == NULL)
        return LC_OK;
    const int place = find_word(r, "mode", words);
    r->command->mode = (lc_paste_mode)place;
    return place >= 0 ? LC_OK : wrong(r, "\"%s\" has to be or, copy or xor", "mode");
}

static lc_status paste(const reader *r)
{
    lc_status status = read_corner(r);
    return status == LC_OK ? read_mode(r) : status;
}

static lc_status shape(const reader *r)
{
    lc_view_command *command = r->command;
    static const char *const words[] = {"rectangle", "ellipse", NULL}; // as lc_edit_shape
    const int place = find_word(r, "shape", words);
    command->shape = (lc_edit_shape)place;
    if (place < 0)
        return wrong(r, "\"%s\" has to be rectangle or ellipse", "shape");
    lc_status status = read_area(r);
    if (status == LC_OK)
        status =
            read_optional(r, "thickness", 0, LC_VIEW_THICKNESS_MAX, 0, &command->thickness_cells);
    return status == LC_OK ? read_stroke(r) : status;
}

static lc_status flood(const reader *r)
{
    lc_view_command *command = r->command;
    command->has_area = json_object_get(r->object, "width") != NULL;
    lc_status status = read_cells(r, "at_x", -reach, reach, &command->at_x);
    if (status == LC_OK)
        status = read_cells(r, "at_y", -reach, reach, &command->at_y);
    return status == LC_OK && command->has_area ? read_area(r) : status;
}

static lc_status move(const reader *r)
{
    lc_status status = read_area(r);
    if (status == LC_OK)
        status = read_cells(r, "right", -reach, reach, &r->command->at_x);
    if (status == LC_OK)
        status = read_cells(r, "down", -reach, reach, &r->command->at_y);
    if (status == LC_OK)
        status = read_flag_if(r, "copies");
    return status == LC_OK ? read_mode(r) : status;
}

// A rectangle; all cells if it is absent.
static lc_status identify(const reader *r)
{
    r->command->has_area = json_object_get(r->object, "width") != NULL;
    return r->command->has_area ? read_area(r) : LC_OK;
}

static lc_status cancel(const reader *r)
{
    return read_flag_if(r, "identification");
}

static lc_status clip(const reader *r)
{
    return json_object_get(r->object, "pattern") != NULL ? read_pattern(r) : read_text(r, "rle");
}

static lc_status turn(const reader *r)
{
    static const char *const words[] = {"right", "left", "flip-x", "flip-y", NULL}; // as lc_turn
    const int place = find_word(r, "how", words);
    r->command->turning = (lc_turn)place;
    return place >= 0 ? LC_OK : wrong(r, "\"%s\" has to be right, left, flip-x or flip-y", "how");
}

static lc_status turn_cells(const reader *r)
{
    lc_status status = read_area(r);
    return status == LC_OK ? turn(r) : status;
}

// Reads the length of a timeline and the distance between its frames, in generations.
static lc_status read_length(const reader *r)
{
    lc_count *every = &r->command->every;
    lc_status status = step(r);
    *every = lc_count_of(1);
    if (status == LC_OK && json_object_get(r->object, "every") != NULL)
        status = read_count(r, "every", every);
    if (status == LC_OK && lc_count_compare(*every, lc_count_of(0)) == 0)
        return wrong(r, "\"%s\" has to be at least 1", "every");
    return status;
}

static lc_status save(const reader *r)
{
    static const char *const words[] = {"rle", "macrocell",  "cells",    "life106",
                                        "png", "checkpoint", "timeline", NULL};
    static const lc_format values[] = {
        LC_FORMAT_RLE, LC_FORMAT_MACROCELL,  LC_FORMAT_CELLS,   LC_FORMAT_LIFE_106,
        LC_FORMAT_PNG, LC_FORMAT_CHECKPOINT, LC_FORMAT_TIMELINE};
    int place;
    lc_status status = read_word(r, "format", words, &place);
    if (status == LC_OK)
        r->command->format = values[place];
    if (status == LC_OK)
        status = read_flag_if(r, "aside");
    return status == LC_OK && r->command->format == LC_FORMAT_TIMELINE ? read_length(r) : status;
}

static lc_status on_or_off(const reader *r)
{
    return read_flag(r, "on", &r->command->flag);
}

// Same order as lc_view_do.
static const struct {
    const char *name;
    lc_status (*read)(const reader *r);
    bool steers;
} table[] = {
    {"look", look, false},
    {"drawn", drawn, false},
    {"take", nothing_more, false},
    {"lock", on_or_off, true},
    {"run", nothing_more, true},
    {"pause", nothing_more, true},
    {"step", step, true},
    {"speed", speed, true},
    {"pictures", pictures, true},
    {"reset", nothing_more, true},
    {"go", go, true},
    {"back", step, true},
    {"rewind", nothing_more, true},
    {"past", nothing_more, false},
    {"keep", nothing_more, true},
    {"return", snapshot, true},
    {"forget", snapshot, true},
    {"frame", frame, true},
    {"play", play, true},
    {"player", player, true},
    {"new", another, true},
    {"rule", rule, true},
    {"open", open, true},
    {"cells", cells, true},
    {"fill", fill, true},
    {"clear", clear, true},
    {"paste", paste, true},
    {"shape", shape, true},
    {"flood", flood, true},
    {"invert", read_area, true},
    {"move", move, true},
    {"turn-cells", turn_cells, true},
    {"advance", clear, true},
    {"undo", undo, true},
    {"redo", nothing_more, true},
    {"copy", read_area, false},
    {"cut", read_area, true},
    {"clip", clip, false},
    {"turn", turn, false},
    {"patterns", nothing_more, false},
    {"rules", nothing_more, false},
    {"explain", read_rule, false},
    {"thumbnail", read_pattern, false},
    {"save", save, false},
    {"box", nothing_more, false},
    {"follow", on_or_off, false},
    {"shrink", read_area, false},
    {"picture", picture, false},
    {"identify", identify, false},
    {"objects", read_area, false},
    {"cancel", cancel, false},
};
_Static_assert(sizeof table / sizeof *table == LC_DO_CANCEL + 1, "one entry for each command");

bool lc_view_do_steers(lc_view_do what)
{
    return table[what].steers;
}

static lc_status read_message(const reader *r)
{
    const json_t *id = json_object_get(r->object, "id");
    if (id != NULL && !json_is_integer(id))
        return wrong(r, "\"%s\" has to be an integer", "id");
    r->command->has_id = id != NULL;
    r->command->id = json_integer_value(id);
    const char *name = json_string_value(json_object_get(r->object, "do"));
    if (name == NULL)
        return wrong(r, "a message is an object with a string \"%s\"", "do");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            r->command->what = (lc_view_do)i;
            return table[i].read(r);
        }
    return wrong(r, "there is no message \"%.40s\"", name);
}

lc_status lc_view_command_parse(lc_view_command *command, const char *text, size_t size_bytes,
                                lc_message *message)
{
    *command = (lc_view_command){0};
    json_error_t error;
    json_t *object = json_loadb(text, size_bytes, 0, &error);
    const reader r = {object, command, message};
    lc_status status =
        object != NULL ? read_message(&r)
                       : lc_fail(message, LC_ERROR_FORMAT, "this is not JSON: %.200s", error.text);
    json_decref(object);
    if (status != LC_OK)
        lc_view_command_free(command);
    return status;
}

void lc_view_command_free(lc_view_command *command)
{
    lc_rule_release(&command->rule);
    free(command->runs);
    free(command->text);
    free(command->file);
    command->runs = NULL;
    command->text = NULL;
    command->file = NULL;
}
