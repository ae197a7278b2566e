// `lightcone info`: prints facts about a pattern file.
//
// The command counts the cells while reading, without storing the cells. The command needs little
// memory, except for a checkpoint, whose universe the command restores.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"
#include "json.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "pattern_input.h"
#include "shared_context.h"
#include "timeline_frame.h"

// ---- counting ----------------------------------------------------------------------------------

typedef struct cell_count {
    lc_count population;
    bool any;
    int64_t left, top, right, bottom; // box of the live cells, inclusive
} cell_count;

static lc_status count(cell_count *census, uint64_t cells, int64_t left, int64_t right, int64_t y)
{
    if (!lc_count_add(census->population, lc_count_of(cells), &census->population))
        return LC_ERROR_LIMIT;
    if (!census->any) {
        census->any = true;
        census->left = left;
        census->right = right;
        census->top = census->bottom = y;
        return LC_OK;
    }
    census->left = left < census->left ? left : census->left;
    census->right = right > census->right ? right : census->right;
    census->top = y < census->top ? y : census->top;
    census->bottom = y > census->bottom ? y : census->bottom;
    return LC_OK;
}

static lc_status count_run(void *context, int64_t x, int64_t y, int64_t length)
{
    return count(context, (uint64_t)length, x, x + (length - 1), y);
}

static lc_status count_state_run(void *context, int64_t x, int64_t y, int64_t length, int state)
{
    (void)state;
    return count_run(context, x, y, length);
}

static lc_status count_cells(void *context, const lc_cells *row)
{
    uint64_t population = 0;
    int64_t first = -1;
    int64_t last = 0;
    for (int64_t i = 0; i * 64 < row->width_cells; i++) {
        uint64_t word = 0; // a bit for each cell that is alive in any plane
        for (int plane = 0; plane < row->planes; plane++)
            word |= row->words[(size_t)plane * row->plane_words + (size_t)i];
        if (word != 0) {
            population += (uint64_t)__builtin_popcountll(word);
            first = first < 0 ? i * 64 + __builtin_ctzll(word) : first;
            last = i * 64 + 63 - __builtin_clzll(word);
        }
    }
    return first < 0 ? LC_OK : count(context, population, row->x + first, row->x + last, row->y);
}

static lc_status count_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                            int64_t length)
{
    const lc_cells row = lc_row_cells(x, y, length, (uint64_t *)(uintptr_t)words); // only read
    return count_cells(context, &row);
}

// ---- printing ----------------------------------------------------------------------------------

enum { NAME_BYTES = 256 }; // buffer size for a name from header->names

typedef struct pattern_facts {
    const char *path;
    lc_pattern_header header;
    lc_count population;
    bool exact; // the count is exact, since the format cannot list a cell twice
    lc_wide_box box;
    bool background;
    bool has_hash;
    uint64_t hash;
} pattern_facts;

// Copies the next name from header->names, or "" if that pattern has no name. Returns false if
// there are no more names.
static bool next_name(const char **names, char name[NAME_BYTES])
{
    if (*names == NULL)
        return false;
    const size_t length = strcspn(*names, "\n");
    snprintf(name, NAME_BYTES, "%.*s", (int)length, *names);
    *names = (*names)[length] == '\n' ? *names + length + 1 : NULL;
    return true;
}

static void print_patterns_for_machines(lc_json *json, const lc_pattern_header *header)
{
    char name[NAME_BYTES];
    lc_json_u64(json, "patterns", header->patterns);
    lc_json_u64(json, "nth", header->number);
    lc_json_open_array(json, "names");
    for (const char *names = header->names; next_name(&names, name);)
        lc_json_string(json, NULL, name[0] != '\0' ? name : NULL);
    lc_json_close_array(json);
}

static void print_patterns(const lc_pattern_header *header)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], name[NAME_BYTES];
    uint64_t number = 0;
    printf("patterns      %s; this is number %s\n", lc_cli_format_u64(header->patterns, a),
           lc_cli_format_u64(header->number, b));
    for (const char *names = header->names; next_name(&names, name);) {
        printf("  %-10s  ", lc_cli_format_u64(++number, a));
        lc_cli_print_text(stdout, name[0] != '\0' ? name : "no name");
        putchar('\n');
    }
    if (number < header->patterns)
        printf("  and %s more\n", lc_cli_format_u64(header->patterns - number, a));
}

static void print_for_machines(const pattern_facts *facts)
{
    const lc_pattern_header *header = &facts->header;
    lc_json json = {.file = stdout};
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "file", facts->path);
    lc_json_string(&json, "format", lc_format_name(header->format));
    lc_json_bool(&json, "gzip", header->gzip);
    lc_json_rule(&json, "rule", header->rule);
    lc_json_bool(&json, "rule_stated", header->has_rule);
    lc_json_string(&json, "rule_text", header->rule_text);
    lc_json_topology(&json, "topology", &header->topology);
    lc_json_i64(&json, "width", header->width_cells);
    lc_json_i64(&json, "height", header->height_cells);
    lc_json_count(&json, "population", facts->population);
    lc_json_bool(&json, "population_exact", facts->exact);
    lc_json_bool(&json, "background", facts->background);
    lc_json_box(&json, "bounding_box", &facts->box);
    lc_json_count(&json, "generation", header->generation);
    if (facts->has_hash)
        lc_json_hash(&json, "hash", facts->hash);
    lc_json_string(&json, "comments", header->comments);
    if (header->format == LC_FORMAT_RLE)
        print_patterns_for_machines(&json, header);
    lc_json_close_object(&json);
}

static void print_comments(const char *comments)
{
    char line[512];
    puts("comments");
    while (*comments != '\0') {
        size_t length = strcspn(comments, "\n");
        for (size_t at = 0; at < length;) {
            size_t part = length - at < sizeof line - 1 ? length - at : sizeof line - 1;
            memcpy(line, comments + at, part);
            line[part] = '\0';
            fputs(at == 0 ? "  " : "", stdout);
            lc_cli_print_text(stdout, line);
            at += part;
        }
        putchar('\n');
        comments += length;
        comments += *comments == '\n' ? 1 : 0;
    }
}

static void print_for_people(const pattern_facts *facts)
{
    const lc_pattern_header *header = &facts->header;
    char a[LC_CLI_NUMBER_BYTES];
    char b[LC_CLI_NUMBER_BYTES];
    char text[LC_RULE_TEXT_BYTES];
    printf("format        %s%s\n", lc_format_name(header->format), header->gzip ? ", gzip" : "");
    lc_rule_format(header->rule, NULL, text);
    printf("rule          %s%s\n", text, header->has_rule ? "" : " (the file names none)");
    lc_topology_format(&header->topology, text);
    printf("topology      %s\n", text);
    if (header->width_cells > 0 || header->height_cells > 0) {
        printf("size          %s x %s\n", lc_cli_format_i64(header->width_cells, a),
               lc_cli_format_i64(header->height_cells, b));
    }
    printf("population    %s%s%s\n", lc_cli_format_count(facts->population, a),
           facts->background ? " dead cells in a live background" : "",
           facts->exact ? "" : " (a cell that the file lists twice counts twice)");
    lc_cli_print_box(stdout, "bounding box  ", &facts->box);
    printf("generation    %s\n", lc_cli_format_count(header->generation, a));
    if (facts->has_hash)
        printf("hash          %016" PRIx64 "\n", facts->hash);
    if (header->comments != NULL && header->comments[0] != '\0')
        print_comments(header->comments);
    if (header->patterns > 1)
        print_patterns(header);
}

static void print_facts(const pattern_facts *facts, bool json)
{
    (json ? print_for_machines : print_for_people)(facts);
}

// ---- the command -------------------------------------------------------------------------------

static int examine_checkpoint(const char *path, uint64_t max_memory_bytes, bool json)
{
    lc_universe *universe;
    lc_message message = {0};
    lc_status status = lc_cli_restore_to_look(&universe, path, max_memory_bytes, &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(path), status, &message);
    const lc_topology *topology = lc_universe_topology(universe);
    lc_facts cells;
    status = lc_universe_facts(universe, LC_FACT_ALL, &cells, &message);
    pattern_facts facts = {
        .path = path,
        .header = {.format = LC_FORMAT_CHECKPOINT,
                   .rule_text = "",
                   .has_rule = true,
                   .rule = lc_universe_rule(universe),
                   .topology = *topology,
                   .width_cells = topology->width_cells,
                   .height_cells = topology->height_cells,
                   .generation = lc_universe_generation(universe),
                   .comments = ""},
        .population = cells.population,
        .exact = true,
        .box = cells.wide_box,
        .background = lc_universe_background(universe),
        .has_hash = true,
        .hash = cells.hash,
    };
    if (status == LC_OK)
        print_facts(&facts, json);
    lc_universe_destroy(&universe);
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report(lc_cli_input_name(path), status, &message);
}

// Finds the bounding box of the cells at the place where `lightcone run` would put them. Returns
// false if the box exceeds the range of coordinates.
static bool place_box(pattern_facts *facts, const cell_count *census)
{
    int64_t x;
    int64_t y;
    lc_box box;
    lc_pattern_place(&facts->header, &facts->header.topology, &x, &y);
    if (__builtin_add_overflow(x, census->left, &box.x) ||
        __builtin_add_overflow(y, census->top, &box.y) ||
        __builtin_sub_overflow(census->right + 1, census->left, &box.width_cells) ||
        __builtin_sub_overflow(census->bottom + 1, census->top, &box.height_cells))
        return false;
    facts->box = (lc_wide_box){.x = lc_coordinate_of(box.x),
                               .y = lc_coordinate_of(box.y),
                               .width_cells = lc_count_of((uint64_t)box.width_cells),
                               .height_cells = lc_count_of((uint64_t)box.height_cells)};
    return true;
}

// Examines a macrocell file, which may hold too many cells to read one by one. HashLife computes
// the facts of each node once.
static int examine_squares(const char *path, lc_pattern *pattern, const char *engine,
                           uint64_t max_memory_bytes, bool json)
{
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .rule = header->rule,
                                         .topology = header->topology,
                                         .engine = engine,
                                         .max_memory_bytes = max_memory_bytes,
                                         .context = lc_cli_context()};
    lc_universe *universe;
    lc_message message = {0};
    lc_facts cells;
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = lc_universe_load(universe, pattern, 0, 0, &message);
    if (status == LC_OK)
        status = lc_universe_facts(universe, LC_FACT_ALL, &cells, &message);
    if (status == LC_OK) {
        const pattern_facts facts = {.path = path,
                                     .header = *header,
                                     .population = cells.population,
                                     .exact = true,
                                     .box = cells.wide_box,
                                     .has_hash = true,
                                     .hash = cells.hash};
        print_facts(&facts, json);
    }
    lc_universe_destroy(&universe);
    lc_pattern_close(&pattern);
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report(lc_cli_input_name(path), status, &message);
}

// Facts about the first or the last frame of a timeline.
typedef struct timeline_end {
    lc_count generation, population;
    lc_wide_box box;
} timeline_end;

static lc_status examine_end(const lc_timeline *timeline, uint64_t frame, uint64_t max_memory_bytes,
                             timeline_end *end, lc_message *message)
{
    const lc_pattern_header *header = lc_timeline_get_header(timeline);
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule = header->rule,
        .topology = header->topology,
        .engine = lc_cli_engine_for(header->format, header->rule, &header->topology, NULL),
        .max_memory_bytes = max_memory_bytes,
        .context = lc_cli_context()};
    lc_universe *universe;
    lc_pattern *pattern = NULL;
    lc_facts facts = {.box = {.empty = true}};
    lc_status status = lc_universe_create(&universe, &options, message);
    if (status == LC_OK)
        status = lc_timeline_open_frame(&pattern, timeline, frame, message);
    if (status == LC_OK) {
        int64_t x, y;
        lc_universe_place(universe, header, &x, &y);
        status = lc_universe_load(universe, pattern, x, y, message);
    }
    if (status == LC_OK)
        status = lc_universe_facts(universe, LC_FACT_POPULATION | LC_FACT_BOX, &facts, message);
    *end =
        (timeline_end){lc_timeline_generation(timeline, frame), facts.population, facts.wide_box};
    lc_pattern_close(&pattern);
    lc_universe_destroy(&universe);
    return status;
}

static void print_end_for_machines(lc_json *json, const char *key, const timeline_end *end)
{
    lc_json_open_object(json, key);
    lc_json_count(json, "generation", end->generation);
    lc_json_count(json, "population", end->population);
    lc_json_box(json, "bounding_box", &end->box);
    lc_json_close_object(json);
}

static void print_timeline(const char *path, const lc_timeline *timeline,
                           const timeline_end ends[2], bool is_json)
{
    static const char *const names[] = {"first", "last"};
    const lc_timeline_info *info = lc_timeline_get_info(timeline);
    const lc_pattern_header *header = lc_timeline_get_header(timeline);
    char rule[LC_RULE_TEXT_BYTES], text[LC_RULE_TEXT_BYTES];
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    if (is_json) {
        lc_json json = {.file = stdout};
        lc_json_open_object(&json, NULL);
        lc_json_string(&json, "file", path);
        lc_json_string(&json, "format", lc_format_name(LC_FORMAT_TIMELINE));
        lc_json_bool(&json, "gzip", header->gzip);
        lc_json_rule(&json, "rule", header->rule);
        lc_json_topology(&json, "topology", &header->topology);
        lc_json_u64(&json, "frames", info->frames);
        lc_json_count(&json, "every", info->every);
        lc_json_bool(&json, "cut", info->is_cut);
        for (int i = 0; i < 2; i++)
            print_end_for_machines(&json, names[i], &ends[i]);
        lc_json_string(&json, "comments", header->comments);
        lc_json_close_object(&json);
        return;
    }
    lc_rule_format(header->rule, NULL, rule);
    lc_topology_format(&header->topology, text);
    printf("format        %s%s\n", lc_format_name(LC_FORMAT_TIMELINE),
           header->gzip ? ", gzip" : "");
    printf("rule          %s%s\n", rule, header->has_rule ? "" : " (the file names none)");
    printf("topology      %s\n", text);
    printf("frames        %s, 0 to %s\n", lc_cli_format_u64(info->frames, a),
           lc_cli_format_u64(info->frames - 1, b));
    printf("every         %s generations\n", lc_cli_format_count(info->every, a));
    for (int i = 0; i < 2; i++) {
        printf("%-5s         generation %s\n", names[i],
               lc_cli_format_count(ends[i].generation, a));
        printf("  population  %s\n", lc_cli_format_count(ends[i].population, a));
        lc_cli_print_box(stdout, "  box         ", &ends[i].box);
    }
    if (header->comments[0] != '\0')
        print_comments(header->comments);
}

static int examine_timeline(const char *path, const lc_timeline *timeline,
                            uint64_t max_memory_bytes, bool json)
{
    timeline_end ends[2];
    lc_message message = {0};
    lc_status status = examine_end(timeline, 0, max_memory_bytes, &ends[0], &message);
    if (status == LC_OK)
        status = examine_end(timeline, lc_timeline_get_info(timeline)->frames - 1, max_memory_bytes,
                             &ends[1], &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(path), status, &message);
    print_timeline(path, timeline, ends, json);
    return LC_EXIT_OK;
}

typedef struct disk_state {
    lc_disk_info info;
    bool has_cells;
    lc_facts cells;
    char note[256]; // "": none
} disk_state;

// Fills `state` with facts about an open board on disk.
static lc_status take_disk(const lc_universe *universe, disk_state *state, lc_message *message)
{
    lc_disk_facts facts;
    lc_rule_format(lc_universe_rule(universe), NULL, state->info.rule_text);
    state->info.topology = *lc_universe_topology(universe);
    state->info.generation = lc_universe_generation(universe);
    if (lc_disk_get_facts(universe, &facts)) {
        state->info.file_bytes = facts.file_bytes;
        snprintf(state->note, sizeof state->note, "%s", facts.note);
    }
    state->has_cells = true;
    return lc_universe_facts(universe, LC_FACT_ALL, &state->cells, message);
}

// Reads the header of a board on disk. Also reads facts about the board's cells, unless another
// process is stepping the board.
static lc_status look_at_disk(const char *path, uint64_t max_memory_bytes, bool previous,
                              disk_state *state, lc_message *message)
{
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .max_memory_bytes = max_memory_bytes,
                                         .disk_settings = previous ? "previous" : NULL,
                                         .context = lc_cli_context()};
    lc_universe *universe;
    *state = (disk_state){.has_cells = false};
    lc_status status = previous ? LC_OK : lc_disk_look(path, &state->info, message);
    if (status != LC_OK)
        return status;
    status = lc_disk_open(&universe, path, &options, message);
    if (status == LC_OK)
        status = take_disk(universe, state, message);
    else if (!previous &&
             (status == LC_ERROR_IO || status == LC_ERROR_LIMIT || status == LC_ERROR_MEMORY)) {
        // If another process is stepping the board, or if the board does not fit in memory, the
        // command prints only the header.
        lc_cli_error("%s", message->text);
        return LC_OK;
    }
    lc_universe_destroy(&universe);
    return status;
}

static void print_disk_for_machines(const char *path, const disk_state *state)
{
    const lc_disk_info *info = &state->info;
    lc_json json = {.file = stdout};
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "file", path);
    lc_json_string(&json, "format", "board on disk");
    lc_json_string(&json, "rule", info->rule_text);
    lc_json_topology(&json, "topology", &info->topology);
    lc_json_count(&json, "generation", info->generation);
    lc_json_u64(&json, "file_bytes", info->file_bytes);
    if (state->has_cells) {
        lc_json_count(&json, "population", state->cells.population);
        lc_json_box(&json, "bounding_box", &state->cells.wide_box);
        lc_json_hash(&json, "hash", state->cells.hash);
    } else {
        lc_json_null(&json, "population");
        lc_json_null(&json, "bounding_box");
        lc_json_null(&json, "hash");
    }
    lc_json_string(&json, "note", state->note[0] != '\0' ? state->note : NULL);
    lc_json_close_object(&json);
}

static int examine_disk(const char *path, uint64_t max_memory_bytes, bool previous, bool is_json)
{
    disk_state state;
    lc_message message = {0};
    char text[LC_RULE_TEXT_BYTES], a[LC_CLI_NUMBER_BYTES];
    const lc_status status = look_at_disk(path, max_memory_bytes, previous, &state, &message);
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    if (state.note[0] != '\0')
        lc_cli_error("%s: %s", path, state.note);
    if (is_json) {
        print_disk_for_machines(path, &state);
        return LC_EXIT_OK;
    }
    lc_topology_format(&state.info.topology, text);
    printf("format        board on disk, %s bytes\n", lc_cli_format_u64(state.info.file_bytes, a));
    printf("rule          %s\n", state.info.rule_text);
    printf("topology      %s\n", text);
    if (state.has_cells) {
        printf("population    %s\n", lc_cli_format_count(state.cells.population, a));
        lc_cli_print_box(stdout, "bounding box  ", &state.cells.wide_box);
    }
    printf("generation    %s\n", lc_cli_format_count(state.info.generation, a));
    if (state.has_cells)
        printf("hash          %016" PRIx64 "\n", state.cells.hash);
    return LC_EXIT_OK;
}

static int examine_pattern(const char *path, uint64_t nth, uint64_t max_memory_bytes, bool json)
{
    lc_cli_opened opened;
    lc_message message = {0};
    cell_count census = {0};
    const lc_sink sink = {.struct_bytes = sizeof sink,
                          .context = &census,
                          .run = count_run,
                          .bits = count_bits,
                          .max_memory_bytes = max_memory_bytes,
                          .cells = count_cells,
                          .state_run = count_state_run};
    lc_status status =
        lc_cli_open(&opened, path, false, &(lc_cli_frame){.nth = nth}, max_memory_bytes, &message);
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(path), status, &message);
    lc_pattern *pattern = opened.pattern;
    if (opened.timeline != NULL) {
        const int code = examine_timeline(path, opened.timeline, max_memory_bytes, json);
        lc_cli_close(&opened);
        return code;
    }
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    const char *engine = lc_cli_engine_for(header->format, header->rule, &header->topology, NULL);
    if (engine != NULL)
        return examine_squares(path, pattern, engine, max_memory_bytes, json);
    status = lc_pattern_read(pattern, &sink, &message);
    if (status != LC_OK) {
        lc_pattern_close(&pattern);
        return lc_cli_report(lc_cli_input_name(path), status, &message);
    }
    lc_cli_warn_of_no_end(path, lc_pattern_get_header(pattern));
    pattern_facts facts = {
        .path = path,
        .header = *lc_pattern_get_header(pattern),
        .population = census.population,
        .box = {.empty = !census.any},
    };
    facts.exact =
        facts.header.format != LC_FORMAT_LIFE_105 && facts.header.format != LC_FORMAT_LIFE_106;
    if (census.any && !place_box(&facts, &census)) {
        lc_cli_error("%s: the pattern is larger than 2^62 cells", lc_cli_input_name(path));
        lc_pattern_close(&pattern);
        return LC_EXIT_FAILURE;
    }
    print_facts(&facts, json);
    lc_pattern_close(&pattern);
    return LC_EXIT_OK;
}

int lc_cli_info(int argc, char **argv)
{
    const char *path = NULL;
    bool json = false, previous = false;
    uint64_t max_memory_bytes = 0, nth = 0;
    int code;
    const lc_cli_option options[] = {
        {0, "json", NULL, .given = &json},
        {0, "max-memory", "SIZE", .bytes = &max_memory_bytes},
        {0, "nth", "N", .positive = &nth},
        {0, "previous", NULL, .given = &previous},
        {0},
    };
    const lc_cli_syntax syntax = {
        .command = "info", .help = lc_help_info, .options = options, .pattern = &path};
    if (!lc_cli_parse(&syntax, argc, argv, &code))
        return code;
    const bool is_disk = lc_disk_is_board(path);
    const bool is_checkpoint = !is_disk && lc_cli_is_checkpoint(path);
    if (nth != 0 && (is_disk || is_checkpoint))
        return lc_cli_usage("info", "--nth needs a pattern file");
    if (is_disk)
        return examine_disk(path, max_memory_bytes, previous, json);
    if (previous)
        return lc_cli_usage("info", "--previous needs a board on disk");
    return is_checkpoint ? examine_checkpoint(path, max_memory_bytes, json)
                         : examine_pattern(path, nth, max_memory_bytes, json);
}
