// `lightcone identify`: finds out what a pattern is, by stepping it.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "formats.h"
#include "help.h"
#include "json.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "pattern_facts.h"
#include "pattern_input.h"
#include "period_picture.h"
#include "progress.h"
#include "shape.h"
#include "shared_context.h"
#include "signals.h"
#include "start.h"
#include "until.h"

typedef struct request {
    lc_run_options universe;
    uint64_t limit; // generations
    bool json;
    lc_period_picture picture; // once it is written
} request;

// ---- printing ----------------------------------------------------------------------------------

static bool moves(const lc_identity_facts *facts)
{
    return facts->dx != 0 || facts->dy != 0;
}

// Writes "c/4 diagonal"; "" if nothing moves.
static void format_speed(int64_t dx, int64_t dy, uint64_t period, char text[LC_PATTERN_SPEED_BYTES])
{
    const lc_pattern_facts facts = {.dx = dx, .dy = dy, .period = period};
    lc_pattern_speed(&facts, text);
}

static void print_object_for_machines(lc_json *json, const lc_object *object)
{
    lc_json_open_object(json, NULL);
    lc_json_u64(json, "count", object->count);
    lc_json_string(json, "apgcode", object->code[0] != '\0' ? object->code : NULL);
    lc_json_string(json, "name", object->name[0] != '\0' ? object->name : NULL);
    lc_json_string(json, "kind", lc_identity_kind_name(object->kind));
    lc_json_u64(json, "period", object->period);
    lc_json_i64(json, "dx", object->dx);
    lc_json_i64(json, "dy", object->dy);
    lc_json_u64(json, "population_min", object->population_min);
    lc_json_u64(json, "population_max", object->population_max);
    lc_json_close_object(json);
}

static void print_for_machines(const request *asked, const lc_universe *universe,
                               const lc_identity *identity)
{
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    const uint64_t active = facts->rotor + facts->stator;
    lc_json json = {.file = stdout};
    char speed[LC_PATTERN_SPEED_BYTES];
    size_t count;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    format_speed(facts->dx, facts->dy, facts->period, speed);
    lc_json_open_object(&json, NULL);
    lc_json_string(&json, "input", asked->universe.input);
    lc_json_rule(&json, "rule", lc_universe_rule(universe));
    lc_json_topology(&json, "topology", lc_universe_topology(universe));
    lc_json_string(&json, "kind", lc_identity_kind_name(facts->kind));
    lc_json_u64(&json, "generations_made", facts->generations);
    lc_json_u64(&json, "settles", facts->settles);
    lc_json_u64(&json, "population", facts->population);
    lc_json_u64(&json, "period", facts->period);
    lc_json_i64(&json, "dx", facts->dx);
    lc_json_i64(&json, "dy", facts->dy);
    lc_json_string(&json, "speed", moves(facts) ? speed : NULL);
    lc_json_u64(&json, "returns_after", facts->returns_after);
    lc_json_u64(&json, "population_min", facts->population_min);
    lc_json_u64(&json, "population_max", facts->population_max);
    if (active != 0) {
        lc_json_double(&json, "heat", facts->heat);
        lc_json_u64(&json, "stator", facts->stator);
        lc_json_u64(&json, "rotor", facts->rotor);
        lc_json_double(&json, "volatility", (double)facts->rotor / (double)active);
        lc_json_double(&json, "strict_volatility",
                       (double)facts->full_period_cells / (double)active);
        lc_json_double(&json, "temperature", facts->heat / (double)facts->rotor);
    }
    if (lc_cli_grows(facts->kind)) {
        lc_json_i64(&json, "growth", facts->growth);
        lc_json_u64(&json, "periods_seen", facts->periods_seen);
        lc_json_bool(&json, "proved", facts->proved);
        lc_json_u64(&json, "copies", facts->copies);
    }
    lc_json_open_array(&json, "objects");
    for (size_t i = 0; i < count; i++)
        print_object_for_machines(&json, &objects[i]);
    lc_json_close_array(&json);
    lc_json_string(&json, "picture",
                   asked->picture.pictures != 0 ? asked->universe.film.path : NULL);
    lc_json_close_object(&json);
}

// Prints the kind of the pattern. For some kinds, also prints the generation at which the kind
// begins.
static void print_kind(const lc_identity_facts *facts)
{
    char a[LC_CLI_NUMBER_BYTES];
    printf("kind          ");
    switch (facts->kind) {
    case LC_IDENTITY_UNDECIDED:
        printf("undecided after %s generations; --limit N looks further\n",
               lc_cli_format_u64(facts->generations, a));
        break;
    case LC_IDENTITY_DIES:
        printf("dies in generation %s\n", lc_cli_format_u64(facts->settles, a));
        break;
    case LC_IDENTITY_SETTLES:
        if (facts->settles == 0)
            printf("several objects that never meet\n");
        else
            printf("settles in generation %s\n", lc_cli_format_u64(facts->settles, a));
        break;
    default:
        puts(lc_identity_kind_name(facts->kind));
    }
}

static void print_object(const lc_object *object, const char *title)
{
    char a[LC_CLI_NUMBER_BYTES], speed[LC_PATTERN_SPEED_BYTES];
    printf("%-14s%s ", title, lc_cli_format_u64(object->count, a));
    if (object->name[0] != '\0')
        printf("%s%s", object->name, object->code[0] != '\0' ? ", " : "");
    printf("%s", object->code[0] != '\0' ? object->code : object->name[0] == '\0' ? "large " : "");
    if (object->name[0] != '\0') {
        putchar('\n');
        return;
    }
    printf("%s%s", object->code[0] != '\0' ? ", " : "", lc_identity_kind_name(object->kind));
    if (object->period != 1)
        printf(", period %s", lc_cli_format_u64(object->period, a));
    if (object->kind == LC_IDENTITY_SPACESHIP) {
        format_speed(object->dx, object->dy, object->period, speed);
        printf(", %s", speed);
    }
    putchar('\n');
}

static void print_oscillation(const lc_identity_facts *facts)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    const uint64_t active = facts->rotor + facts->stator;
    if (active == 0)
        return;
    printf("cells         %s in the rotor, %s in the stator\n", lc_cli_format_u64(facts->rotor, a),
           lc_cli_format_u64(facts->stator, b));
    printf("heat          %.2f cells change in a generation, %.2f for each cell of the rotor\n",
           facts->heat, facts->heat / (double)facts->rotor);
    printf("volatility    %.3f, strict %.3f\n", (double)facts->rotor / (double)active,
           (double)facts->full_period_cells / (double)active);
}

static void print_growth(const lc_identity_facts *facts)
{
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    if (facts->kind == LC_IDENTITY_REPLICATOR)
        printf("copies        %s after a period\n", lc_cli_format_u64(facts->copies, a));
    if (!lc_cli_grows(facts->kind) || facts->kind == LC_IDENTITY_REPLICATOR)
        return;
    printf("growth        %lld cells a period%s from generation %s on, ", (long long)facts->growth,
           facts->kind == LC_IDENTITY_QUADRATIC ? " more than in the period before" : "",
           lc_cli_format_u64(facts->settles, b));
    if (facts->proved)
        puts("proved for ever");
    else
        printf("seen for %s periods, not proved\n", lc_cli_format_u64(facts->periods_seen, a));
}

static void print_for_people(const request *asked, const lc_universe *universe,
                             const lc_identity *identity)
{
    const lc_identity_facts *facts = lc_identity_get_facts(identity);
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES], text[LC_RULE_TEXT_BYTES];
    char speed[LC_PATTERN_SPEED_BYTES];
    size_t count;
    const lc_object *objects = lc_identity_get_objects(identity, &count);
    print_kind(facts);
    if (facts->period > 1)
        printf("period        %s\n", lc_cli_format_u64(facts->period, a));
    if (moves(facts)) {
        format_speed(facts->dx, facts->dy, facts->period, speed);
        printf("speed         %s\n", speed);
        printf("displacement  %lld, %lld\n", (long long)facts->dx, (long long)facts->dy);
    }
    if (facts->returns_after != 0)
        printf("returns       after %s generations\n", lc_cli_format_u64(facts->returns_after, a));
    if (facts->population_max != facts->population_min)
        printf("population    %s to %s\n", lc_cli_format_u64(facts->population_min, a),
               lc_cli_format_u64(facts->population_max, b));
    else if (facts->kind != LC_IDENTITY_UNDECIDED && facts->kind != LC_IDENTITY_DIES)
        printf("population    %s\n", lc_cli_format_u64(facts->population, a));
    print_oscillation(facts);
    print_growth(facts);
    for (size_t i = 0; i < count; i++)
        print_object(&objects[i], i > 0                       ? ""
                                  : lc_cli_grows(facts->kind) ? "each period"
                                                              : "objects");
    lc_rule_format(lc_universe_rule(universe), NULL, text);
    printf("rule          %s, ", text);
    lc_topology_format(lc_universe_topology(universe), text);
    puts(text);
    if (asked->picture.pictures != 0) {
        fputs("picture       ", stdout);
        lc_cli_film_print(stdout, asked->universe.film.path, asked->picture.pictures,
                          &asked->picture.view);
    }
}

// ---- the command -------------------------------------------------------------------------------

static const char *take_rule(const char *text, void *to)
{
    lc_run_options *universe = to;
    const int code = lc_cli_parse_rule("identify", text, &universe->rule, &universe->topology,
                                       &universe->has_topology);
    return code == LC_EXIT_OK ? NULL : "";
}

static bool parse_options(request *asked, int argc, char **argv, int *code)
{
    lc_run_options *universe = &asked->universe;
    lc_cli_frame *frame = &universe->frame;
    lc_cli_film_options *film = &universe->film;
    const lc_cli_option options[] = {
        {0, "area", "X,Y,WxH", .take = lc_cli_film_area, .to = film},
        {0, "at", "GENERATION", .given = &frame->has_generation, .count = &frame->generation},
        {0, "frame", "N", .given = &frame->has_number, .number = &frame->number},
        {0, "json", NULL, .given = &asked->json},
        {0, "limit", "N", .positive = &asked->limit},
        {0, "max-memory", "SIZE", .bytes = &universe->max_memory_bytes},
        {0, "nth", "N", .positive = &frame->nth},
        {0, "picture", "FILE.png", .text = &film->path},
        {0, "rate", "N", .take = lc_cli_film_rate, .to = film},
        {'r', "rule", "RULE", .given = &universe->has_rule, .take = take_rule, .to = universe},
        {0, "scale", "N|1:N", .take = lc_cli_film_scale, .to = film},
        {0, "theme", "NAME", .text = &film->theme},
        {0},
    };
    const lc_cli_syntax syntax = {.command = "identify",
                                  .help = lc_help_identify,
                                  .options = options,
                                  .pattern = &universe->input};
    if (!lc_cli_parse(&syntax, argc, argv, code))
        return false;
    if (frame->has_number && frame->has_generation)
        *code = lc_cli_usage("identify", "--frame conflicts with --at; remove one of them");
    else if (!lc_cli_is_built_in(universe->input) && lc_cli_same_file(film->path, universe->input))
        *code =
            lc_cli_usage("identify", "--picture would overwrite the pattern %s", universe->input);
    else
        *code = lc_cli_film_check("identify", film);
    return *code == LC_EXIT_OK;
}

// `copy` is the universe for the picture; NULL: the user wants no picture.
static int identify(request *asked, lc_universe *universe, lc_universe *copy)
{
    lc_identity *identity;
    lc_cli_progress progress;
    lc_message message = {0};
    int code = LC_EXIT_OK;
    const lc_identify_options options = {.struct_bytes = sizeof options,
                                         .generations_max = asked->limit};
    lc_signals_catch();
    lc_cli_progress_begin_search(&progress, LC_PROGRESS_AUTO, universe,
                                 lc_count_of(asked->limit != 0 ? asked->limit : LC_UNTIL_LIMIT));
    lc_set_give_up(lc_cli_progress_give_up, &progress);
    const lc_status status = lc_identify(&identity, universe, &options, &message);
    lc_set_give_up(NULL, NULL);
    lc_cli_progress_end(&progress);
    if (status == LC_ERROR_STOPPED) {
        char number[LC_CLI_NUMBER_BYTES];
        lc_cli_error("stopped by %s at generation %s, before anything was known",
                     lc_signals_name(lc_signals_received()),
                     lc_cli_format_count(lc_universe_generation(universe), number));
        return LC_EXIT_SIGNAL + lc_signals_received();
    }
    if (status != LC_OK)
        return lc_cli_report(lc_cli_input_name(asked->universe.input), status, &message);
    if (copy != NULL)
        code = lc_period_picture_write(&asked->picture, &asked->universe, copy,
                                       lc_identity_get_facts(identity));
    (asked->json ? print_for_machines : print_for_people)(asked, universe, identity);
    lc_identity_destroy(&identity);
    return code;
}

int lc_cli_identify(int argc, char **argv)
{
    request asked = {.universe = {.command = "identify",
                                  .film = {.is_picture = true},
                                  .every_generations = lc_count_of(1)}};
    lc_universe *universe, *copy = NULL;
    lc_message message = {0};
    int code;
    if (!parse_options(&asked, argc, argv, &code))
        return code;
    if (asked.universe.film.path != NULL)
        code = lc_cli_check_output("identify", asked.universe.film.path);
    if (code != LC_EXIT_OK)
        return code;
    asked.universe.resume = lc_cli_is_checkpoint(asked.universe.input);
    asked.universe.threads = 1; // more threads do not speed up small patterns
    code = lc_start_report(&asked.universe, &universe, NULL);
    if (code != LC_EXIT_OK)
        return code;
    if (asked.universe.film.path != NULL) {
        const lc_status status = lc_start_copy(&asked.universe, universe, &copy, &message);
        if (status != LC_OK)
            code = lc_cli_report(lc_cli_input_name(asked.universe.input), status, &message);
    }
    if (code == LC_EXIT_OK)
        code = identify(&asked, universe, copy);
    lc_universe_destroy(&copy);
    lc_universe_destroy(&universe);
    return code;
}
