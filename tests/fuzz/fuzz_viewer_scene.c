// Commands of two clients to a live scene, a line each: what simulation.c does with them, without
// its thread and without connections. Clients may say anything; afterwards the session still has a
// universe that can be counted, and it is within its limit.
//
// A line that begins with '2' is the second client's. The file that an "open" announces is what
// follows its line, as far as there is so much.
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "pattern/built_in.h"
#include "viewer/now.h"
#include "viewer/obey.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COMMANDS_MAX = 40, PASSES_MAX = 3, CLIENTS = 2 };
static const uint64_t limit_bytes = (uint64_t)2 << 20;
static const uint64_t later_ns = 2000000000; // pictures, states and facts are due by then

// Clients cannot change the command's own patterns; with all of them a list takes as long as a
// hundred other commands. These are some of each kind, in place of those in pattern_texts.c.
const lc_built_in_pattern lc_built_in_texts[] = {
    {"blinker.rle", "#N Blinker\n#C On a torus.\n#O John Conway\n#C facts: oscillator, period 2\n"
                    "x = 3, y = 1, rule = B3/S23:T8,6\n3o!"},
    {"glider.rle", "#N Glider\n#C Moves one cell diagonally every four generations.\n"
                   "#O Richard Guy, 1970\n#C facts: spaceship, period 4, moves 1 1\n"
                   "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!"},
    {"gosper-glider-gun.rle",
     "#N Gosper glider gun\n#O Bill Gosper, 1970\n#C facts: gun, period 30, emits 1 glider\n"
     "x = 36, y = 9, rule = B3/S23\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$"
     "2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!"},
    {"replicator.rle", "#C Another rule, and no name.\nx = 5, y = 5, rule = HighLife\n"
                       "2b3o$bo2bo$o3bo$o2bo$3o!"},
    {NULL, NULL},
};

typedef struct scene {
    lc_hub hub;
    lc_session session;
    lc_pace pace;
    lc_player player;
    lc_travel travel;
    lc_clients clients;
    lc_saver saver;
    lc_identifier identifier;
    lc_settled settled;
    lc_client ids[CLIENTS];
    int passes; // of the piece in hand
} scene;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void wake(void *context)
{
    (void)context;
}

static bool passed(void *context)
{
    scene *s = context;
    lc_pace_passed(&s->pace, lc_universe_generation(s->session.universe), lc_view_now_ns());
    return ++s->passes >= PASSES_MAX;
}

static bool in_a_pass(void *context)
{
    (void)context;
    return true;
}

static bool travelled(void *context)
{
    scene *s = context;
    return ++s->passes >= PASSES_MAX;
}

static void busy(void *context, const char *doing)
{
    scene *s = context;
    lc_clients_busy(&s->clients, doing);
}

static lc_universe *first_universe(const lc_universe_options *creation)
{
    static const char rle[] = "x = 3, y = 3\nbob$2bo$3o!";
    lc_universe_options options = *creation;
    lc_universe *universe;
    lc_pattern *pattern;
    options.rule = lc_rule_life();
    options.topology = (lc_topology){LC_TOPOLOGY_TORUS, 96, 64, 0, 0, false, false};
    require(lc_universe_create(&universe, &options, NULL) == LC_OK);
    require(lc_pattern_open_memory(&pattern, rle, sizeof rle - 1, NULL) == LC_OK);
    require(lc_universe_load(universe, pattern, 10, 10, NULL) == LC_OK);
    lc_pattern_close(&pattern);
    return universe;
}

static void open_scene(scene *s)
{
    static lc_context *context; // for all inputs
    if (context == NULL)
        require(lc_context_create(&context, NULL, NULL) == LC_OK);
    const lc_session_calls calls = {
        .passed = passed, .in_a_pass = in_a_pass, .busy = busy, .context = s};
    const lc_viewer_options options = {.name = "fuzz",
                                       .temporary_folder =
                                           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
                                       .creation = {.struct_bytes = sizeof(lc_universe_options),
                                                    .context = context,
                                                    .threads = 1,
                                                    .max_memory_bytes = limit_bytes}};
    memset(s, 0, sizeof *s);
    require(lc_hub_create(&s->hub, NULL) == LC_OK);
    s->hub.wake = wake;
    require(lc_session_create(&s->session, &options, &calls, first_universe(&options.creation),
                              NULL) == LC_OK);
    lc_pace_create(&s->pace, false, lc_count_of(0), lc_view_now_ns());
    lc_player_create(&s->player);
    lc_travel_create(&s->travel, &s->session, travelled, s);
    lc_clients_create(&s->clients, &s->hub, &s->session, &s->pace, &s->player, &s->travel,
                      &s->settled);
    lc_saver_create(&s->saver, &s->hub);
    lc_identifier_create(&s->identifier, &s->hub);
    for (int i = 0; i < CLIENTS; i++)
        s->ids[i] = lc_hub_join(&s->hub, true, NULL);
}

static void close_scene(scene *s)
{
    lc_saver_close(&s->saver);
    lc_identifier_close(&s->identifier);
    lc_settled_close(&s->settled);
    lc_clients_close(&s->clients);
    lc_travel_stop(&s->travel);
    lc_universe *universe = lc_session_close(&s->session);
    lc_universe_destroy(&universe);
    for (int i = 0; i < CLIENTS; i++)
        lc_hub_leave(&s->hub, s->ids[i]);
    lc_hub_destroy(&s->hub);
}

// ---- a turn of the universe's thread -----------------------------------------------------------

static void step(scene *s)
{
    uint64_t wake_ns;
    const lc_count before = lc_universe_generation(s->session.universe);
    const lc_count most = lc_pace_allow(&s->pace, before, lc_view_now_ns(), &wake_ns);
    lc_count end = before;
    (void)lc_session_keep_origin(&s->session, NULL);
    (void)lc_count_add(before, most, &end);
    lc_pace_begin_pass(&s->pace, before, end, lc_view_now_ns());
    const lc_status status = lc_session_step(&s->session, most, NULL);
    lc_pace_end_passes(&s->pace);
    if ((status != LC_OK && status != LC_ERROR_STOPPED) ||
        lc_pace_is_over(&s->pace, lc_universe_generation(s->session.universe)))
        lc_pace_pause(&s->pace);
}

static void play(scene *s)
{
    uint64_t frame, wake_ns;
    const uint64_t frames = lc_timeline_get_info(s->session.place.timeline)->frames;
    if (lc_player_next(&s->player, s->session.place.frame, frames, lc_view_now_ns() + later_ns,
                       &frame, &wake_ns) &&
        (lc_session_show_frame(&s->session, frame, NULL) != LC_OK ||
         lc_player_is_over(&s->player, s->player.way, frame, frames)))
        lc_player_pause(&s->player);
}

static void take_turn(scene *s)
{
    lc_status status;
    bool arrived;
    s->passes = 0;
    if (s->pace.running)
        step(s);
    else if (s->player.way != 0)
        play(s);
    else if (s->travel.universe != NULL)
        (void)lc_travel_work(&s->travel, &arrived, NULL);
    else if (s->travel.plays)
        (void)lc_travel_play(&s->travel, s->pace.speed, lc_view_now_ns(), &status, NULL);
    const uint64_t now_ns = lc_view_now_ns() + later_ns;
    lc_clients_note(&s->clients);
    lc_clients_show(&s->clients, now_ns);
    if (lc_clients_count(&s->clients, now_ns))
        lc_session_count(&s->session, s->clients.population_generation, s->clients.population);
    lc_clients_tell(&s->clients, now_ns);
}

// ---- what clients say, and hear ----------------------------------------------------------------

// The answer to every command is an object. Most answers are the same in many inputs, and
// each is parsed once.
static void check_answer(const void *text, size_t size_bytes)
{
    static uint64_t checked[4096]; // by their hashes
    const uint64_t hash = XXH3_64bits(text, size_bytes);
    uint64_t *const before = &checked[hash % (sizeof checked / sizeof *checked)];
    if (*before == hash)
        return;
    json_t *said = json_loadb(text, size_bytes, 0, NULL);
    require(json_is_object(said));
    json_decref(said);
    *before = hash;
}

static void hear(scene *s, lc_client client)
{
    lc_outgoing *outgoing;
    while ((outgoing = lc_hub_next(&s->hub, client)) != NULL) {
        if (!outgoing->binary)
            check_answer(lc_outgoing_bytes(outgoing), outgoing->size_bytes);
        const uint32_t number = outgoing->number;
        const bool is_frame = outgoing->is_frame;
        lc_hub_sent(&s->hub, client, outgoing);
        lc_view_command drawn = {.what = LC_DO_DRAWN, .frame = number};
        if (is_frame)
            (void)lc_hub_post(&s->hub, client, &drawn, NULL);
    }
}

static void obey(scene *s)
{
    lc_queued *queued;
    while ((queued = lc_hub_take(&s->hub)) != NULL) {
        lc_obey(&s->session, &s->pace, &s->player, &s->travel, &s->clients, &s->saver,
                &s->identifier, queued->client, &queued->command);
        lc_queued_free(queued);
    }
}

// The line, and returns how much of what follows it was its file.
static size_t say(scene *s, lc_client client, const char *line, size_t length, const uint8_t *rest,
                  size_t rest_bytes)
{
    lc_view_command command;
    lc_message message = {0};
    size_t file_bytes = 0;
    if (lc_view_command_parse(&command, line, length, &message) != LC_OK) {
        require(message.text[0] != '\0');
        return 0;
    }
    if (command.what == LC_DO_OPEN && command.file_bytes > 0) {
        file_bytes = command.file_bytes < rest_bytes ? command.file_bytes : rest_bytes;
        command.file = malloc(file_bytes + 1);
        require(command.file != NULL);
        memcpy(command.file, rest, file_bytes);
        command.file_bytes = file_bytes;
        if (file_bytes == 0) {
            lc_view_command_free(&command);
            return 0;
        }
    }
    const lc_status status = lc_hub_post(&s->hub, client, &command, &message);
    require(status == LC_OK || message.text[0] != '\0');
    return file_bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scene s;
    open_scene(&s);
    for (int i = 0; i < COMMANDS_MAX && size > 0; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - data) : size;
        const size_t used = end != NULL ? length + 1 : length;
        const bool is_second = length > 0 && data[0] == '2';
        const size_t file_bytes = say(&s, s.ids[is_second], (const char *)data + is_second,
                                      length - is_second, data + used, size - used);
        data += used + file_bytes;
        size -= used + file_bytes;
        obey(&s);
        take_turn(&s);
        for (int client = 0; client < CLIENTS; client++)
            hear(&s, s.ids[client]);
    }
    lc_facts facts;
    require(s.session.universe != NULL);
    require(lc_universe_facts(s.session.universe, LC_FACT_POPULATION, &facts, NULL) == LC_OK);
    require(lc_universe_info_of(s.session.universe).memory_bytes <= limit_bytes);
    close_scene(&s);
    return 0;
}
