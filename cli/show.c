// `lightcone show`: draws a pattern in the terminal.
//
// The command loads the cells into an infinite plane and ignores the topology of the file. A glider
// on a torus of 2^20 x 2^20 cells takes no more memory than a glider on the infinite plane. The
// command keeps the topology of a checkpoint or a board on disk.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "pattern_input.h"
#include "shared_context.h"
#include "terminal_picture.h"
#include "timeline_frame.h"

typedef struct request {
    const char *input;
    lc_cli_frame frame; // selected pattern or frame of the input
    lc_cli_text_area area;
    uint64_t max_memory_bytes;
} request;

// The universe to draw, and the rule that the file states. The universe may have another rule than
// the file.
typedef struct shown {
    lc_universe *universe;
    bool has_rule; // false: the file names an unknown rule
    const lc_rule *rule;
    lc_topology topology;
} shown;

// ---- opening -----------------------------------------------------------------------------------

static int open_pattern(const request *asked, shown *out)
{
    lc_cli_opened opened;
    lc_message message = {0};
    lc_status status =
        lc_cli_open(&opened, asked->input, true, &asked->frame, asked->max_memory_bytes, &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(asked->input), status, &message);
    const lc_pattern_header *header = lc_pattern_get_header(opened.pattern);
    // The command steps nothing, so any rule of as many states works. With the rule B3/S23, the
    // background stays dead. The engine "hashlife" accepts runs of cells of any length.
    const bool has_states = header->rule_error == NULL && lc_rule_traits(header->rule)->states > 2;
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = has_states ? header->rule : lc_rule_life(),
                                         .topology = {.kind = LC_TOPOLOGY_PLANE},
                                         .engine = has_states ? "auto" : "hashlife",
                                         .max_memory_bytes = asked->max_memory_bytes,
                                         .context = lc_cli_context()};
    out->has_rule = header->rule_error == NULL;
    out->rule = lc_rule_retain(header->rule);
    out->topology = header->topology;
    status = lc_universe_create(&out->universe, &options, &message);
    if (status == LC_OK)
        status = lc_universe_load(out->universe, opened.pattern, 0, 0, &message);
    int code = LC_EXIT_OK;
    if (status == LC_OK) {
        lc_cli_warn_of_no_end(asked->input, header);
        lc_cli_note_others(asked->input, asked->frame.nth, header);
    } else {
        code = lc_cli_report(lc_cli_input_name(asked->input), status, &message);
    }
    lc_cli_close(&opened);
    return code;
}

static int open_universe(const request *asked, shown *out)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .max_memory_bytes = asked->max_memory_bytes,
                                         .context = lc_cli_context()};
    lc_message message = {0};
    if (asked->frame.has_number || asked->frame.has_generation)
        return lc_cli_usage("show", "--frame and --at need a timeline");
    if (asked->frame.nth != 0)
        return lc_cli_usage("show", "--nth needs a pattern file");
    const bool is_disk = lc_disk_is_board(asked->input);
    const lc_status status = is_disk
                                 ? lc_disk_open(&out->universe, asked->input, &options, &message)
                                 : lc_cli_restore_to_look(&out->universe, asked->input,
                                                          asked->max_memory_bytes, &message);
    if (status != LC_OK) // a message about a board on disk already contains the file's name
        return lc_cli_report(is_disk ? NULL : lc_cli_input_name(asked->input), status, &message);
    out->has_rule = true;
    out->rule = lc_rule_retain(lc_universe_rule(out->universe));
    out->topology = *lc_universe_topology(out->universe);
    return LC_EXIT_OK;
}

// ---- drawing -----------------------------------------------------------------------------------

// Prints facts about the pattern, such as "glider, 3 x 3, population 5, B3/S23".
static void print_line(const request *asked, const shown *pattern, const lc_facts *facts,
                       const lc_cli_picture *picture)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    char rule[LC_RULE_TEXT_BYTES], scale[LC_CLI_PICTURE_SCALE_BYTES];
    const lc_count generation = lc_universe_generation(pattern->universe);
    lc_cli_print_text(stdout, lc_cli_input_name(asked->input));
    if (!facts->wide_box.empty)
        printf(", %s x %s", lc_cli_format_count(facts->wide_box.width_cells, a),
               lc_cli_format_count(facts->wide_box.height_cells, b));
    printf(", population %s%s", lc_cli_format_count(facts->population, a),
           lc_universe_background(pattern->universe) ? " dead cells in a live background" : "");
    if (lc_count_compare(generation, lc_count_of(0)) != 0)
        printf(", generation %s", lc_cli_format_count(generation, a));
    lc_rule_format(pattern->rule, &pattern->topology, rule);
    printf(", %s", pattern->has_rule ? rule : "unknown rule");
    puts(picture != NULL ? lc_cli_picture_scale(picture, scale) : "");
}

static int draw(const request *asked, const shown *pattern)
{
    const char *name = lc_cli_input_name(asked->input);
    lc_cli_picture picture;
    lc_cli_extent x = {0}, y = {0};
    lc_facts facts;
    lc_message message = {0};
    lc_status status =
        lc_universe_facts(pattern->universe, LC_FACT_POPULATION | LC_FACT_BOX, &facts, &message);
    if (status != LC_OK)
        return lc_cli_report(name, status, &message);
    const lc_wide_box *box = &facts.wide_box;
    if (box->empty) {
        print_line(asked, pattern, &facts, NULL);
        return LC_EXIT_OK;
    }
    lc_cli_extent_add(&x, box->x, box->width_cells);
    lc_cli_extent_add(&y, box->y, box->height_cells);
    if (!lc_cli_picture_fit(&picture, pattern->universe, &x, &y, &asked->area)) {
        lc_cli_error("%s: some cells are too far away for a picture", name);
        return LC_EXIT_FAILURE;
    }
    status = lc_cli_picture_print(stdout, pattern->universe, &picture, "\n", &message);
    if (status != LC_OK)
        return lc_cli_report(name, status, &message);
    print_line(asked, pattern, &facts, &picture);
    return LC_EXIT_OK;
}

// ---- the command -------------------------------------------------------------------------------

static const char *take_side(const char *text, void *to)
{
    int *side = to;
    uint64_t value;
    if (lc_cli_parse_u64(text, &value) != NULL || value == 0 || value > LC_CLI_PICTURE_SIDE_MAX)
        return "must be a number of characters from 1 to 1000";
    *side = (int)value;
    return NULL;
}

// Sets the width and the height unless the user gave them. A drawing fills the terminal, except for
// one line of facts and one line for the shell's prompt. Output to a file or a pager may have the
// maximum height, because a pager can scroll.
static void find_area(lc_cli_text_area *area)
{
    int columns, rows;
    const bool is_terminal = lc_cli_terminal_size(&columns, &rows);
    const int usable = rows > 3 ? rows - 2 : 1;
    if (area->columns == 0)
        area->columns = columns;
    if (area->rows == 0)
        area->rows = is_terminal ? usable : LC_CLI_PICTURE_SIDE_MAX;
    area->is_ascii = area->is_ascii || !lc_cli_locale_has_utf8();
}

int lc_cli_show(int argc, char **argv)
{
    request asked = {0};
    shown pattern = {0};
    int code;
    lc_cli_frame *frame = &asked.frame;
    const lc_cli_option options[] = {
        {0, "ascii", NULL, .given = &asked.area.is_ascii},
        {0, "at", "GENERATION", .given = &frame->has_generation, .count = &frame->generation},
        {0, "frame", "N", .given = &frame->has_number, .number = &frame->number},
        {0, "height", "N", .take = take_side, .to = &asked.area.rows},
        {0, "max-memory", "SIZE", .bytes = &asked.max_memory_bytes},
        {0, "nth", "N", .positive = &frame->nth},
        {0, "width", "N", .take = take_side, .to = &asked.area.columns},
        {0},
    };
    const lc_cli_syntax syntax = {
        .command = "show", .help = lc_help_show, .options = options, .pattern = &asked.input};
    if (!lc_cli_parse(&syntax, argc, argv, &code))
        return code;
    if (frame->has_number && frame->has_generation)
        return lc_cli_usage("show", "--frame conflicts with --at; remove one of them");
    find_area(&asked.area);
    code = lc_disk_is_board(asked.input) || lc_cli_is_checkpoint(asked.input)
               ? open_universe(&asked, &pattern)
               : open_pattern(&asked, &pattern);
    if (code == LC_EXIT_OK)
        code = draw(&asked, &pattern);
    lc_universe_destroy(&pattern.universe);
    lc_rule_release(&pattern.rule);
    return code;
}
