// `lightcone convert`: converts a file from any readable format to any writable one.
//
// The command needs memory in proportion to the number of live cells, so distant cells cost no more
// than adjacent ones. The output keeps the rule, topology, position, generation and comments of the
// input. If the input or the output is a checkpoint, the command restores or saves a whole
// universe.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "formats.h"
#include "help.h"
#include "message.h"
#include "options.h"
#include "pattern_input.h"
#include "shape.h"
#include "shared_context.h"
#include "timeline_frame.h"

typedef struct request {
    const char *input;
    const char *output;
    lc_cli_frame frame; // selected pattern or frame of the input
    lc_format format;
    const char *rule_text; // NULL: use the file's rule
    const lc_rule *rule;
    bool has_topology; // the rule text has a topology suffix
    lc_topology topology;
    uint64_t max_memory_bytes;
    bool quiet;
    bool any_size;
} request;

// ---- losses ------------------------------------------------------------------------------------

// The facts that a file states in addition to its cells.
typedef struct extras {
    bool rule, topology, position, generation, comments;
} extras;

// Returns the facts that a format can store. docs/formats.md has the same table.
static extras kept_by(lc_format format)
{
    switch (format) {
    case LC_FORMAT_RLE:
    case LC_FORMAT_MACROCELL:
        return (extras){true, true, true, true, true};
    case LC_FORMAT_CELLS:
        return (extras){.comments = true};
    case LC_FORMAT_LIFE_105:
        return (extras){.rule = true, .position = true, .comments = true};
    case LC_FORMAT_LIFE_106:
        return (extras){.position = true};
    case LC_FORMAT_CHECKPOINT:
        return (extras){true, true, true, true, false};
    default:
        return (extras){0};
    }
}

// Returns the facts that a file must state because they differ from the defaults. If a file does
// not state a fact, programs assume the default: position 0, generation 0, the infinite plane or
// the rule B3/S23.
static extras said_by(const lc_rule *rule, const lc_topology *topology)
{
    return (extras){
        .rule = rule != lc_rule_life(),
        .topology = topology->kind != LC_TOPOLOGY_PLANE || topology->width_cells != 0 ||
                    topology->height_cells != 0,
    };
}

static void warn_of_losses(const request *conversion, extras said)
{
    extras kept = kept_by(conversion->format);
    const struct {
        const char *name;
        bool lost;
    } all[] = {
        {"rule", said.rule && !kept.rule},
        {"topology", said.topology && !kept.topology},
        {"position", said.position && !kept.position},
        {"generation", said.generation && !kept.generation},
        {"comments", said.comments && !kept.comments},
    };
    char text[80] = "";
    size_t lost = 0;
    for (size_t i = sizeof all / sizeof *all; i-- > 0;) { // backwards: "and" precedes the last fact
        if (all[i].lost) {
            char rest[sizeof text];
            memcpy(rest, text, sizeof rest);
            snprintf(text, sizeof text, "%s%s%.60s", all[i].name,
                     lost == 0   ? ""
                     : lost == 1 ? " and "
                                 : ", ",
                     rest);
            lost++;
        }
    }
    if (lost > 0 && !conversion->quiet) {
        lc_cli_error("%s: lost, because the format %s cannot store it: %s",
                     lc_cli_output_name(conversion->output), lc_format_name(conversion->format),
                     text);
    }
}

// ---- patterns ----------------------------------------------------------------------------------

// Returns the rectangle to write, in the coordinates of the input file. The rectangle contains the
// live cells and the dead margins that determine the position of the cells. If the file states no
// position, dead rows and columns before the first live cell belong to the pattern. If the file
// states a size that is small enough to write out, the whole area of that size belongs to the
// pattern.
static lc_box choose_frame(const lc_spans *spans, const lc_pattern_header *header)
{
    const int64_t most_cells = INT64_C(1) << 34;
    const lc_box box = lc_spans_box(spans);
    const bool stated = header->width_cells > 0 && header->height_cells > 0 &&
                        header->width_cells <= most_cells / header->height_cells;
    const bool from_corner =
        header->format == LC_FORMAT_RLE || header->format == LC_FORMAT_CELLS || stated;
    int64_t left = box.x;
    int64_t top = box.y;
    int64_t right = box.x + box.width_cells;
    int64_t bottom = box.y + box.height_cells;
    if (from_corner && (stated || !box.empty)) {
        left = left < 0 ? left : 0;
        top = top < 0 ? top : 0;
    }
    if (stated) {
        right = right > header->width_cells ? right : header->width_cells;
        bottom = bottom > header->height_cells ? bottom : header->height_cells;
    }
    return (lc_box){
        .empty = box.empty,
        .x = left,
        .y = top,
        .width_cells = right - left,
        .height_cells = bottom - top,
    };
}

// Whether the input names an unknown rule and the user gave no other rule.
static bool has_unknown_rule(const request *conversion, const lc_pattern_header *header)
{
    return header->rule_error != NULL && conversion->rule_text == NULL;
}

static lc_universe_options universe_options(const request *conversion)
{
    return (lc_universe_options){
        .struct_bytes = sizeof(lc_universe_options),
        .rule = lc_rule_life(),
        .max_memory_bytes = conversion->max_memory_bytes,
        .context = lc_cli_context(),
    };
}

static int report_output(const request *conversion, lc_status status, const lc_message *message)
{
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report_output(conversion->output, status, message);
}

// If a file states no position, the size that the file states determines where the cells lie. If
// the output states another size than the input, the output also states a position, so that the
// cells stay in place.
static void keep_place(lc_pattern_write_options *options, const lc_pattern_header *header,
                       const lc_box *frame)
{
    const lc_topology *topology = options->topology;
    const lc_pattern_header written = {
        .format = LC_FORMAT_RLE,
        .has_rule = true,
        .width_cells = frame->width_cells,
        .height_cells = frame->height_cells,
    };
    int64_t x, y, written_x, written_y;
    if (options->has_position || frame->empty || options->format != LC_FORMAT_RLE ||
        (topology->width_cells == 0 && topology->height_cells == 0))
        return;
    lc_pattern_place(header, topology, &x, &y);
    lc_pattern_place(&written, topology, &written_x, &written_y);
    if (x + frame->x != written_x || y + frame->y != written_y) {
        options->has_position = true;
        options->x = x + frame->x - topology->width_cells / 2;
        options->y = y + frame->y - topology->height_cells / 2;
    }
}

static int write_pattern(const request *conversion, const lc_spans *spans,
                         const lc_pattern_header *header)
{
    lc_message message = {0};
    const lc_rule *rule = conversion->rule_text != NULL ? conversion->rule : header->rule;
    const lc_topology *topology =
        conversion->has_topology ? &conversion->topology : &header->topology;
    const lc_box box = lc_spans_box(spans);
    const lc_box frame = choose_frame(spans, header);
    if ((topology->width_cells > 0 && box.width_cells > topology->width_cells) ||
        (topology->height_cells > 0 && box.height_cells > topology->height_cells)) {
        lc_cli_error("%s: the pattern is larger than the universe of the rule", conversion->input);
        return LC_EXIT_FAILURE;
    }
    lc_pattern_write_options options = {
        .struct_bytes = sizeof options,
        .format = conversion->format,
        .rule = rule,
        .topology = topology,
        .has_position = header->has_position,
        .generation = header->generation,
        .comments = header->comments,
        .width_cells = frame.width_cells,
        .height_cells = frame.height_cells,
        .any_size = conversion->any_size,
    };
    if (__builtin_add_overflow(header->x, frame.x, &options.x) ||
        __builtin_add_overflow(header->y, frame.y, &options.y)) {
        lc_cli_error("%s: the pattern reaches further than 2^62 from the origin",
                     lc_cli_input_name(conversion->input));
        return LC_EXIT_FAILURE;
    }
    keep_place(&options, header, &frame);
    lc_status status =
        lc_spans_write(spans, frame.x, frame.y, conversion->output, &options, &message);
    if (status == LC_OK) {
        extras said = said_by(rule, topology);
        said.rule = said.rule || has_unknown_rule(conversion, header);
        said.position = options.has_position && (options.x != 0 || options.y != 0);
        said.generation = lc_count_compare(options.generation, lc_count_of(0)) != 0;
        said.comments = *options.comments != '\0';
        warn_of_losses(conversion, said);
    }
    return report_output(conversion, status, &message);
}

// Writes a universe whose input or output is a checkpoint.
static int write_universe(const request *conversion, const lc_universe *universe,
                          const char *comments)
{
    lc_message message = {0};
    lc_status status = lc_universe_save(universe, conversion->output, conversion->format, &message);
    lc_facts facts;
    if (status == LC_OK)
        status = lc_universe_facts(universe, LC_FACT_BOX, &facts, &message);
    if (status == LC_OK) {
        const lc_topology *topology = lc_universe_topology(universe);
        const lc_box box = facts.box;
        extras said = said_by(lc_universe_rule(universe), topology);
        // In a bounded direction the file covers the whole universe. A file that covers the
        // universe keeps the cells in place even if the file states no position.
        said.position = (topology->width_cells == 0 && box.x != 0) ||
                        (topology->height_cells == 0 && box.y != 0);
        said.generation = lc_count_compare(lc_universe_generation(universe), lc_count_of(0)) != 0;
        said.comments = *comments != '\0';
        warn_of_losses(conversion, said);
    }
    return report_output(conversion, status, &message);
}

static int convert_to_checkpoint(const request *conversion, lc_pattern *pattern)
{
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    lc_universe *universe;
    lc_message message = {0};
    int64_t x;
    int64_t y;
    lc_universe_options options = universe_options(conversion);
    options.rule = conversion->rule_text != NULL ? conversion->rule : header->rule;
    options.topology = conversion->has_topology ? conversion->topology : header->topology;
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    lc_universe_place(universe, header, &x, &y);
    status = lc_universe_load(universe, pattern, x, y, &message);
    int code = status == LC_OK
                   ? write_universe(conversion, universe, header->comments)
                   : lc_cli_report(lc_cli_input_name(conversion->input), status, &message);
    lc_universe_destroy(&universe);
    return code;
}

static int convert_to_pattern(const request *conversion, lc_pattern *pattern)
{
    lc_spans *spans;
    lc_message message = {0};
    lc_status status = lc_spans_read(&spans, pattern, conversion->max_memory_bytes, &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(conversion->input), status, &message);
    int code = write_pattern(conversion, spans, lc_pattern_get_header(pattern));
    lc_spans_destroy(&spans);
    return code;
}

static int convert_pattern(const request *conversion)
{
    lc_cli_opened opened;
    lc_message message = {0};
    lc_status status = lc_cli_open(&opened, conversion->input, true, &conversion->frame,
                                   conversion->max_memory_bytes, &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(conversion->input), status, &message);
    const lc_pattern_header *header = lc_pattern_get_header(opened.pattern);
    int code;
    if (has_unknown_rule(conversion, header) && kept_by(conversion->format).rule)
        code = lc_cli_report(lc_cli_input_name(conversion->input),
                             lc_cli_refuse_rule_of(header, &message), &message);
    else if (conversion->format == LC_FORMAT_CHECKPOINT)
        code = convert_to_checkpoint(conversion, opened.pattern);
    else
        code = convert_to_pattern(conversion, opened.pattern);
    if (code == LC_EXIT_OK)
        lc_cli_warn_of_no_end(conversion->input, header);
    if (code == LC_EXIT_OK && !conversion->quiet)
        lc_cli_note_others(conversion->input, conversion->frame.nth, header);
    lc_cli_close(&opened);
    return code;
}

static int convert_checkpoint(const request *conversion)
{
    lc_universe *universe;
    lc_message message = {0};
    if (conversion->rule_text != NULL)
        return lc_cli_usage("convert", "a checkpoint has its own rule; remove --rule");
    if (conversion->frame.has_number || conversion->frame.has_generation)
        return lc_cli_usage("convert", "--frame and --at need a timeline");
    if (conversion->frame.nth != 0)
        return lc_cli_usage("convert", "--nth needs a pattern file");
    lc_status status = lc_cli_restore_to_look(&universe, conversion->input,
                                              conversion->max_memory_bytes, &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(conversion->input), status, &message);
    int code = write_universe(conversion, universe, "");
    lc_universe_destroy(&universe);
    return code;
}

static int take_operand(const char *operand, void *to)
{
    request *conversion = to;
    if (conversion->output != NULL)
        return lc_cli_usage("convert", "unexpected argument \"%s\"; give one input and one output",
                            operand);
    *(conversion->input == NULL ? &conversion->input : &conversion->output) = operand;
    return LC_EXIT_OK;
}

static const char *take_rule(const char *text, void *to)
{
    request *conversion = to;
    lc_message message = {0};
    conversion->rule_text = text;
    conversion->has_topology = false;
    if (lc_cli_parse_rule("convert", text, &conversion->rule, &conversion->topology,
                          &conversion->has_topology) != LC_EXIT_OK)
        return "";
    if (!conversion->has_topology ||
        lc_rule_check_topology(conversion->rule, &conversion->topology, &message) == LC_OK)
        return NULL;
    lc_cli_usage("convert", "--rule: %s", message.text);
    return "";
}

static bool parse_options(request *conversion, int argc, char **argv, int *code)
{
    lc_cli_frame *frame = &conversion->frame;
    const lc_cli_option options[] = {
        {0, "any-size", NULL, .given = &conversion->any_size},
        {0, "at", "GENERATION", .given = &frame->has_generation, .count = &frame->generation},
        {0, "frame", "N", .given = &frame->has_number, .number = &frame->number},
        {0, "max-memory", "SIZE", .bytes = &conversion->max_memory_bytes},
        {0, "nth", "N", .positive = &frame->nth},
        {'q', "quiet", NULL, .given = &conversion->quiet},
        {'r', "rule", "RULE", .take = take_rule, .to = conversion},
        {0, "to", "FORMAT", .take = lc_cli_parse_format, .to = &conversion->format},
        {0},
    };
    const lc_cli_syntax syntax = {.command = "convert",
                                  .help = lc_help_convert,
                                  .options = options,
                                  .take_operand = take_operand,
                                  .to = conversion};
    if (!lc_cli_parse(&syntax, argc, argv, code))
        return false;
    if (frame->has_number && frame->has_generation)
        *code = lc_cli_usage("convert", "--frame conflicts with --at; remove one of them");
    else if (conversion->output == NULL)
        *code = lc_cli_usage(
            "convert",
            "missing arguments: give an input and an output; - is standard input or output");
    return *code == LC_EXIT_OK;
}

int lc_cli_convert(int argc, char **argv)
{
    request conversion = {0};
    int code;
    if (!parse_options(&conversion, argc, argv, &code))
        return code;
    code = lc_cli_choose_format("convert", conversion.output, "--to", &conversion.format);
    if (code == LC_EXIT_OK)
        code = lc_cli_check_output("convert", conversion.output);
    if (code != LC_EXIT_OK)
        return code;
    return lc_cli_is_checkpoint(conversion.input) ? convert_checkpoint(&conversion)
                                                  : convert_pattern(&conversion);
}
