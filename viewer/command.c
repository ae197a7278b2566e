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
    lc_status status; // of the first error; later members are read, but their errors do not count
} reader;

static void wrong(reader *r, const char *format, const char *name)
{
    if (r->status == LC_OK)
        r->status = lc_fail(r->message, LC_ERROR_FORMAT, format, name);
}

static void lacks_memory(reader *r, const char *name)
{
    if (r->status == LC_OK)
        r->status = lc_fail(r->message, LC_ERROR_MEMORY, "out of memory for \"%s\"", name);
}

static bool has(const reader *r, const char *name)
{
    return json_object_get(r->object, name) != NULL;
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
static void read_cells(reader *r, const char *name, int64_t least, int64_t most, int64_t *value)
{
    const json_t *member = json_object_get(r->object, name);
    const char *text = json_string_value(member);
    const double about = text != NULL ? strtod(text, NULL) : json_number_value(member);
    *value = 0;
    if (fabs(about) > (double)reach)
        wrong(r, "cells farther than 2^62 from (0, 0) can be seen, but not copied or edited%s", "");
    else if (!is_integer(member))
        wrong(r, "\"%s\" has to be an integer, or a string of its digits", name);
    else if (!is_within(member, least, most, value))
        wrong(r, "\"%s\" is out of range", name);
}

// Reads an integer; 0 on error.
static void read_integer(reader *r, const char *name, int64_t least, int64_t most, int64_t *value)
{
    const json_t *member = json_object_get(r->object, name);
    const int64_t read = json_integer_value(member);
    const bool within = json_is_integer(member) && read >= least && read <= most;
    *value = within ? read : 0;
    if (!within)
        wrong(r, json_is_integer(member) ? "\"%s\" is out of range" : "\"%s\" has to be an integer",
              name);
}

// Reads an optional integer; `usual` if it is absent.
static void read_optional(reader *r, const char *name, int64_t least, int64_t most, int64_t usual,
                          int64_t *value)
{
    *value = usual;
    if (has(r, name))
        read_integer(r, name, least, most, value);
}

// Reads a count: an integer of at least 0, or a string of digits. The count is 0 on error.
static void read_count(reader *r, const char *name, lc_count *value)
{
    const json_t *member = json_object_get(r->object, name);
    const char *digits = json_string_value(member);
    *value = lc_count_of(0);
    if (json_is_integer(member) && json_integer_value(member) >= 0)
        *value = lc_count_of((uint64_t)json_integer_value(member));
    else if (digits == NULL || *digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
        wrong(r, "\"%s\" has to be a number or a string of digits", name);
    else if (lc_count_parse(digits, NULL, value, NULL) != LC_OK)
        wrong(r, "\"%s\" is out of range", name);
}

static void read_positive(reader *r, const char *name, lc_count *value)
{
    read_count(r, name, value);
    if (lc_count_compare(*value, lc_count_of(0)) == 0)
        wrong(r, "\"%s\" has to be at least 1", name);
}

static void read_u64(reader *r, const char *name, uint64_t *value)
{
    lc_count count;
    read_count(r, name, &count);
    if (!lc_count_to_u64(count, value))
        wrong(r, "\"%s\" is out of range", name);
}

static void read_seed(reader *r)
{
    if (has(r, "seed"))
        read_u64(r, "seed", &r->command->seed);
}

static void read_flag(reader *r, const char *name, bool *value)
{
    const json_t *member = json_object_get(r->object, name);
    *value = json_is_true(member);
    if (!json_is_boolean(member))
        wrong(r, "\"%s\" has to be true or false", name);
}

// Reads an optional flag.
static void read_optional_flag(reader *r, const char *name, bool *value)
{
    if (has(r, name))
        read_flag(r, name, value);
}

// Reads the command's optional flag.
static void read_flag_if(reader *r, const char *name)
{
    r->command->has_flag = has(r, name);
    read_optional_flag(r, name, &r->command->flag);
}

static void read_density(reader *r, double *density)
{
    const json_t *member = json_object_get(r->object, "density");
    *density = json_number_value(member);
    if (!json_is_number(member))
        wrong(r, "\"%s\" has to be a number", "density");
    else if (!(*density >= 0 && *density <= 1))
        wrong(r, "\"%s\" is not 0 to 1", "density");
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

// Reads the index of a member's word in `words`; 0 on error.
static void read_word(reader *r, const char *name, const char *const *words, int *place)
{
    const int found = find_word(r, name, words);
    *place = found >= 0 ? found : 0;
    if (found < 0)
        wrong(r, "\"%s\" is not one of the words allowed there", name);
}

static void read_corner(reader *r)
{
    lc_rectangle *area = &r->command->area;
    read_cells(r, "x", -reach, reach, &area->x);
    read_cells(r, "y", -reach, reach, &area->y);
}

static void read_area(reader *r)
{
    lc_rectangle *area = &r->command->area;
    read_corner(r);
    read_cells(r, "width", 1, reach, &area->width_cells);
    read_cells(r, "height", 1, reach, &area->height_cells);
    if (area->x > reach - area->width_cells || area->y > reach - area->height_cells)
        wrong(r, "the rectangle extends beyond the universe%s", "");
}

// Reads an optional rectangle.
static void read_area_if(reader *r)
{
    r->command->has_area = has(r, "width");
    if (r->command->has_area)
        read_area(r);
}

// Reads a centre: two integers, in half cells.
static void read_centre(reader *r, lc_edit_symmetry *symmetry)
{
    const json_t *about = json_object_get(r->object, "about");
    const json_t *x = json_array_get(about, 0), *y = json_array_get(about, 1);
    if (json_array_size(about) != 2 || !is_integer(x) || !is_integer(y))
        wrong(r, "\"%s\" has to be two integers: half cells", "about");
    else if (!is_within(x, -INT64_MAX, INT64_MAX, &symmetry->x_halves) ||
             !is_within(y, -INT64_MAX, INT64_MAX, &symmetry->y_halves))
        wrong(r, "\"%s\" is out of range", "about");
    else if (lc_edit_symmetry_is_square(symmetry->kind) &&
             (symmetry->x_halves % 2 == 0) != (symmetry->y_halves % 2 == 0))
        wrong(r, "\"%s\" has to be the middle or the corner of a cell", "about");
}

// Reads an optional symmetry. With `has_centre`, also its centre.
static void read_symmetry(reader *r, bool has_centre)
{
    // Same order as lc_edit_symmetry_kind.
    static const char *const words[] = {"none",   "x",      "y",   "both", "diagonal",
                                        "turn-2", "turn-4", "all", NULL};
    lc_edit_symmetry *symmetry = &r->command->symmetry;
    int place;
    if (!has(r, "symmetry"))
        return;
    read_word(r, "symmetry", words, &place);
    symmetry->kind = (lc_edit_symmetry_kind)place;
    if (has_centre && symmetry->kind != LC_EDIT_SYMMETRY_NONE)
        read_centre(r, symmetry);
}

// Copies a string member, which can have any bytes but zero.
static void read_text(reader *r, const char *name)
{
    const json_t *member = json_object_get(r->object, name);
    lc_view_command *command = r->command;
    if (!json_is_string(member)) {
        wrong(r, "\"%s\" has to be a string", name);
        return;
    }
    command->text_bytes = json_string_length(member);
    command->text = malloc(command->text_bytes + 1);
    if (command->text != NULL)
        memcpy(command->text, json_string_value(member), command->text_bytes + 1);
    else
        lacks_memory(r, name);
}

// Reads an integer of at most 32 bits; 0 on error.
static void read_number(reader *r, const char *name, uint32_t least, uint32_t most, uint32_t *value)
{
    int64_t number;
    read_integer(r, name, least, most, &number);
    *value = (uint32_t)number;
}

static void read_pattern(reader *r)
{
    read_number(r, "pattern", 1, UINT32_MAX, &r->command->pattern);
}

// ---- messages ----------------------------------------------------------------------------------

static void nothing_more(reader *r)
{
    (void)r;
}

static void look(reader *r)
{
    static const char *const deflate[] = {"auto", "always", "never", NULL};
    lc_look *look = &r->command->look;
    int64_t number, scale, width, height, frames;
    int word = LC_DEFLATE_AUTO;
    bool ages = false, pieces = false;
    read_optional(r, "look", 0, UINT32_MAX, 0, &number);
    read_corner(r);
    read_integer(r, "scale", 0, LC_VIEW_SCALE_MAX, &scale);
    read_integer(r, "width", 1, LC_VIEW_SIDE_PIXELS_MAX, &width);
    read_integer(r, "height", 1, LC_VIEW_SIDE_PIXELS_MAX, &height);
    read_optional(r, "frames", 1, 240, 60, &frames);
    if (has(r, "deflate"))
        read_word(r, "deflate", deflate, &word);
    read_optional_flag(r, "ages", &ages);
    read_optional_flag(r, "pieces", &pieces);
    if (width * height > LC_VIEW_PIXELS_MAX)
        wrong(r, "a picture has at most 2^24 pixels%s", "");
    const lc_rectangle *corner = &r->command->area;
    // The bounds of the library.
    const int shift = scale <= LC_VIEW_NEAR_SCALE_MAX ? (int)scale : 0;
    if (corner->x <= -reach || corner->y <= -reach || corner->x >= reach - (width << shift) ||
        corner->y >= reach - (height << shift))
        wrong(r, "the picture extends beyond the universe%s", "");
    const int64_t within = ((int64_t)1 << shift) - 1;
    if (ages && ((corner->x | corner->y) & within) != 0)
        wrong(r, "a picture of ages begins with one of its squares%s", "");
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
}

// A picture: at once, or when the universe is at rest.
static void picture(reader *r)
{
    look(r);
    read_flag_if(r, "rest");
}

static void drawn(reader *r)
{
    int64_t held_ms;
    read_number(r, "frame", 0, UINT32_MAX, &r->command->frame);
    read_optional(r, "held", 0, 60000, 0, &held_ms);
    r->command->held_ms = (uint32_t)held_ms;
}

static void step(reader *r)
{
    read_positive(r, "generations", &r->command->generations);
}

static void pictures(reader *r)
{
    if (!json_is_null(json_object_get(r->object, "generations")))
        step(r);
}

static void go(reader *r)
{
    read_count(r, "generation", &r->command->generations);
}

static void speed(reader *r)
{
    const json_t *member = json_object_get(r->object, "generations_per_second");
    r->command->speed = json_number_value(member); // 0 if it is null
    if (!json_is_null(member) &&
        !(json_is_number(member) && r->command->speed >= 0.01 && r->command->speed <= 1e12))
        wrong(r, "\"%s\" has to be null, or a number from 0.01 to 10^12", "generations_per_second");
}

static void snapshot(reader *r)
{
    read_number(r, "moment", 1, INT32_MAX, &r->command->snapshot);
}

static void frame(reader *r)
{
    read_u64(r, "frame", &r->command->shown);
}

static void play(reader *r)
{
    read_flag_if(r, "backwards");
}

static void player(reader *r)
{
    const json_t *member = json_object_get(r->object, "frames_per_second");
    r->command->speed = json_number_value(member);
    if (member != NULL && !(r->command->speed >= 0.01 && r->command->speed <= 240))
        wrong(r, "\"%s\" has to be a number from 0.01 to 240", "frames_per_second");
    read_flag_if(r, "loop");
}

// Fails with the reason and the position of a syntax error. The caller put `before` characters in
// front of the text.
static void refuse_text(reader *r, const char *what, uint64_t before, const lc_message *why)
{
    if (r->status != LC_OK)
        return;
    if (why->column <= before)
        r->status = lc_fail(r->message, LC_ERROR_FORMAT, "%s: %s", what, why->text);
    else
        r->status = lc_fail(r->message, LC_ERROR_FORMAT, "%s, at character %" PRIu64 ": %s", what,
                            why->column - before, why->text);
}

// Reads a rule with an optional topology.
static void read_rule(reader *r)
{
    lc_view_command *command = r->command;
    lc_message why = {0};
    const char *rule = json_string_value(json_object_get(r->object, "rule"));
    if (rule == NULL)
        wrong(r, "\"%s\" has to be a string", "rule");
    else if (lc_rule_parse(rule, &command->rule, &command->topology, &why) != LC_OK ||
             lc_topology_check(&command->topology, &why) != LC_OK)
        refuse_text(r, "the rule", 0, &why);
}

static void another(reader *r)
{
    lc_view_command *command = r->command;
    read_rule(r);
    if (r->status != LC_OK || !has(r, "density"))
        return;
    read_density(r, &command->density);
    read_seed(r);
    const lc_topology *t = &command->topology;
    const int64_t most_x = t->width_cells != 0 ? t->width_cells : reach;
    const int64_t most_y = t->height_cells != 0 ? t->height_cells : reach;
    read_optional(r, "width", 1, most_x, t->width_cells, &command->area.width_cells);
    read_optional(r, "height", 1, most_y, t->height_cells, &command->area.height_cells);
    if (command->area.width_cells == 0 || command->area.height_cells == 0)
        wrong(r, "random cells in an unbounded universe need a width and a height%s", "");
}

// Reads a topology, written as after the colon of a rule; "": the infinite plane.
static void read_topology(reader *r, lc_topology *topology)
{
    char text[LC_RULE_TEXT_BYTES];
    lc_message why = {0};
    const char *suffix = json_string_value(json_object_get(r->object, "topology"));
    if (suffix == NULL || strlen(suffix) > sizeof text - 16) {
        wrong(r, "\"%s\" has to be a string as behind the colon of a rule", "topology");
        return;
    }
    snprintf(text, sizeof text, "B3/S23%s%s", *suffix != '\0' ? ":" : "", suffix);
    if (lc_rule_parse(text, NULL, topology, &why) != LC_OK ||
        lc_topology_check(topology, &why) != LC_OK)
        refuse_text(r, "the topology", 7, &why);
}

static void rule(reader *r)
{
    lc_view_command *command = r->command;
    lc_message why = {0};
    lc_topology plane = {.kind = LC_TOPOLOGY_PLANE};
    const json_t *member = json_object_get(r->object, "rule");
    const char *text = json_string_value(member);
    command->has_topology = has(r, "topology");
    command->has_rule = member != NULL || !command->has_topology;
    if (command->has_topology)
        read_topology(r, &command->topology);
    if (command->has_rule && text == NULL)
        wrong(r, "\"%s\" has to be a string", "rule");
    else if (command->has_rule && lc_rule_parse(text, &command->rule, &plane, &why) != LC_OK)
        refuse_text(r, "the rule", 0, &why);
    else if (plane.kind != LC_TOPOLOGY_PLANE || plane.width_cells != 0 || plane.height_cells != 0)
        wrong(r, "\"%s\" has to be a rule without a topology: \"topology\" says that", "rule");
    read_flag_if(r, "try");
}

static void open(reader *r)
{
    int64_t bytes;
    if (has(r, "pattern")) {
        read_pattern(r);
        return;
    }
    read_integer(r, "bytes", 0, LC_VIEW_FILE_BYTES_MAX, &bytes);
    read_text(r, "name");
    if (bytes == 0)
        wrong(r, "%.200s is empty", r->command->text);
    r->command->file_bytes = (size_t)bytes;
}

// Reads how to draw: the state "alive" (or "pencil": the first cell of the stroke decides), the
// number of the stroke, "wrap", and the symmetry.
static void read_stroke(reader *r)
{
    lc_view_command *command = r->command;
    const char *word = json_string_value(json_object_get(r->object, "alive"));
    int64_t stroke;
    command->has_flag = word == NULL || strcmp(word, "pencil") != 0;
    if (command->has_flag)
        read_flag(r, "alive", &command->flag);
    read_optional(r, "stroke", 0, UINT32_MAX, 0, &stroke);
    read_optional_flag(r, "wrap", &command->wraps);
    command->stroke = (uint32_t)stroke;
    read_symmetry(r, true);
}

static void undo(reader *r)
{
    int64_t stroke;
    read_optional(r, "stroke", 1, UINT32_MAX, 0, &stroke);
    r->command->undone_stroke = (uint32_t)stroke;
}

// Reads a run of cells: three numbers of the array, from `first` on.
static void read_run(reader *r, const json_t *runs, size_t first, lc_rectangle *run)
{
    const json_t *x = json_array_get(runs, first), *y = json_array_get(runs, first + 1);
    const json_t *length = json_array_get(runs, first + 2);
    run->height_cells = 1;
    if (!is_integer(x) || !is_integer(y) || !is_integer(length))
        wrong(r, "\"%s\" has to be of integers", "runs");
    else if (!is_within(length, 1, LC_VIEW_RUN_CELLS_MAX, &run->width_cells) ||
             !is_within(x, -reach, reach - run->width_cells, &run->x) ||
             !is_within(y, -reach, reach, &run->y))
        wrong(r, "a run in \"%s\" is out of range", "runs");
}

static void cells(reader *r)
{
    lc_view_command *command = r->command;
    const json_t *runs = json_object_get(r->object, "runs");
    const size_t numbers = json_array_size(runs);
    read_stroke(r);
    if (numbers == 0 || numbers % 3 != 0 || numbers > 3 * LC_VIEW_RUNS_MAX) {
        wrong(r, "\"%s\" has to be an array of x, y, length, for 1 to 4,096 runs", "runs");
        return;
    }
    command->run_count = numbers / 3;
    command->runs = malloc(command->run_count * sizeof *command->runs);
    if (command->runs == NULL)
        lacks_memory(r, "runs");
    for (size_t i = 0; i < command->run_count && r->status == LC_OK; i++)
        read_run(r, runs, 3 * i, &command->runs[i]);
}

static void fill(reader *r)
{
    read_area(r);
    read_density(r, &r->command->density);
    read_seed(r);
    read_symmetry(r, false);
}

static void clear(reader *r)
{
    read_area(r);
    read_flag_if(r, "outside");
}

static void read_mode(reader *r)
{
    static const char *const words[] = {"or", "copy", "xor", NULL}; // as lc_paste_mode
    const int place = has(r, "mode") ? find_word(r, "mode", words) : 0;
    r->command->mode = (lc_paste_mode)place;
    if (place < 0)
        wrong(r, "\"%s\" has to be or, copy or xor", "mode");
}

static void paste(reader *r)
{
    read_corner(r);
    read_mode(r);
}

static void shape(reader *r)
{
    lc_view_command *command = r->command;
    static const char *const words[] = {"rectangle", "ellipse", NULL}; // as lc_edit_shape
    const int place = find_word(r, "shape", words);
    command->shape = (lc_edit_shape)place;
    if (place < 0)
        wrong(r, "\"%s\" has to be rectangle or ellipse", "shape");
    read_area(r);
    read_optional(r, "thickness", 0, LC_VIEW_THICKNESS_MAX, 0, &command->thickness_cells);
    read_stroke(r);
}

static void flood(reader *r)
{
    lc_view_command *command = r->command;
    read_cells(r, "at_x", -reach, reach, &command->at_x);
    read_cells(r, "at_y", -reach, reach, &command->at_y);
    read_area_if(r);
}

static void move(reader *r)
{
    read_area(r);
    read_cells(r, "right", -reach, reach, &r->command->at_x);
    read_cells(r, "down", -reach, reach, &r->command->at_y);
    read_flag_if(r, "copies");
    read_mode(r);
}

static void cancel(reader *r)
{
    read_flag_if(r, "identification");
}

static void clip(reader *r)
{
    if (has(r, "pattern"))
        read_pattern(r);
    else
        read_text(r, "rle");
}

static void turn(reader *r)
{
    static const char *const words[] = {"right", "left", "flip-x", "flip-y", NULL}; // as lc_turn
    const int place = find_word(r, "how", words);
    r->command->turning = (lc_turn)place;
    if (place < 0)
        wrong(r, "\"%s\" has to be right, left, flip-x or flip-y", "how");
}

static void turn_cells(reader *r)
{
    read_area(r);
    turn(r);
}

static void save(reader *r)
{
    static const char *const words[] = {"rle", "macrocell",  "cells",    "life106",
                                        "png", "checkpoint", "timeline", NULL};
    static const lc_format values[] = {
        LC_FORMAT_RLE, LC_FORMAT_MACROCELL,  LC_FORMAT_CELLS,   LC_FORMAT_LIFE_106,
        LC_FORMAT_PNG, LC_FORMAT_CHECKPOINT, LC_FORMAT_TIMELINE};
    int place;
    lc_view_command *command = r->command;
    read_word(r, "format", words, &place);
    command->format = values[place];
    read_flag_if(r, "aside");
    if (command->format != LC_FORMAT_TIMELINE)
        return;
    step(r); // the length of the timeline
    command->every = lc_count_of(1);
    if (has(r, "every"))
        read_positive(r, "every", &command->every);
}

static void on_or_off(reader *r)
{
    read_flag(r, "on", &r->command->flag);
}

static const struct {
    const char *name;
    void (*read)(reader *r);
    unsigned flags;
} table[] = {
#define LC_DO_ROW(id, name, read, flags, obey) {name, read, flags},
    LC_VIEW_COMMANDS(LC_DO_ROW)
#undef LC_DO_ROW
};

bool lc_view_do_has(lc_view_do what, unsigned flags)
{
    return (table[what].flags & flags) == flags;
}

static void read_message(reader *r)
{
    const json_t *id = json_object_get(r->object, "id");
    const char *name = json_string_value(json_object_get(r->object, "do"));
    if (id != NULL && !json_is_integer(id)) {
        wrong(r, "\"%s\" has to be an integer", "id");
        return;
    }
    r->command->has_id = id != NULL;
    r->command->id = json_integer_value(id);
    if (name == NULL) {
        wrong(r, "a message is an object with a string \"%s\"", "do");
        return;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0) {
            r->command->what = (lc_view_do)i;
            table[i].read(r);
            return;
        }
    wrong(r, "there is no message \"%.40s\"", name);
}

lc_status lc_view_command_parse(lc_view_command *command, const char *text, size_t size_bytes,
                                lc_message *message)
{
    *command = (lc_view_command){0};
    json_error_t error;
    json_t *object = json_loadb(text, size_bytes, 0, &error);
    reader r = {object, command, message, LC_OK};
    if (object != NULL)
        read_message(&r);
    else
        wrong(&r, "this is not JSON: %.200s", error.text);
    json_decref(object);
    if (r.status != LC_OK)
        lc_view_command_free(command);
    return r.status;
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
