// Replies to clients, as JSON.
#include "replies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *lc_reply(const char *is, const lc_view_command *answered)
{
    json_t *object = json_pack("{s:s}", "is", is);
    if (answered != NULL && answered->has_id)
        json_object_set_new(object, "re", json_integer(answered->id));
    return object;
}

json_t *lc_reply_text(const char *text)
{
    json_t *string = json_string(text);
    if (string != NULL)
        return string;
    char *plain = strdup(text);
    if (plain == NULL)
        return NULL;
    for (char *c = plain; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(plain);
    free(plain);
    return string;
}

json_t *lc_reply_count(lc_count count)
{
    char digits[LC_COUNT_TEXT_BYTES];
    lc_count_format(count, digits);
    return json_string(digits);
}

// JavaScript's numbers, and so JSON in many languages, are exact up to 2^53 - 1.
static const int64_t exact_number_max = (INT64_C(1) << 53) - 1;

static json_t *say_coordinate(lc_coordinate coordinate)
{
    int64_t value;
    if (lc_coordinate_to_i64(coordinate, &value) && value >= -exact_number_max &&
        value <= exact_number_max)
        return json_integer(value);
    char text[LC_COORDINATE_TEXT_BYTES];
    lc_coordinate_format(coordinate, text);
    return json_string(text);
}

json_t *lc_reply_integer(int64_t value)
{
    return say_coordinate(lc_coordinate_of(value));
}

json_t *lc_reply_box(const lc_wide_box *box)
{
    const lc_coordinate width = {box->width_cells, false}, height = {box->height_cells, false};
    if (box->empty)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "x", say_coordinate(box->x), "y",
                     say_coordinate(box->y), "width", say_coordinate(width), "height",
                     say_coordinate(height));
}

json_t *lc_reply_error(const lc_view_command *answered, const char *text)
{
    json_t *object = lc_reply("error", answered);
    json_object_set_new(object, "text", lc_reply_text(text));
    return object;
}

// "avx512, 2 threads", "words=4,depth=8"
static void describe_engine(const lc_universe *universe, char *text, size_t size)
{
    lc_engine_info engine;
    const lc_universe_info info = lc_universe_info_of(universe);
    const char *plan = info.plan, *level = info.cpu_level;
    if (lc_engine_named(NULL, info.engine, &engine) && engine.on_gpu)
        snprintf(text, size, "%s", plan);
    else
        snprintf(text, size, "%s%s%s%s%d thread%s", level, *level != '\0' ? ", " : "", plan,
                 *plan != '\0' ? ", " : "", info.threads, info.threads == 1 ? "" : "s");
}

static json_t *say_timeline(const lc_timeline *timeline)
{
    if (timeline == NULL)
        return json_null();
    const lc_timeline_info *info = lc_timeline_get_info(timeline);
    json_t *object = json_pack("{s:I}", "frames", (json_int_t)info->frames);
    json_object_set_new(object, "every", lc_reply_count(info->every));
    json_object_set_new(object, "first", lc_reply_count(info->first));
    json_object_set_new(object, "last", lc_reply_count(info->last));
    json_object_set_new(object, "cut", info->is_cut ? lc_reply_text(info->cut.text) : json_null());
    return object;
}

json_t *lc_reply_universe(const lc_universe *universe, const char *name, const char *comments,
                          const lc_wide_box *box, const lc_timeline *timeline)
{
    char rule[LC_RULE_TEXT_BYTES], text[LC_RULE_TEXT_BYTES], topology[LC_RULE_TEXT_BYTES];
    char settings[256];
    const lc_topology *shape = lc_universe_topology(universe);
    lc_rule_format(lc_universe_rule(universe), NULL, rule);
    lc_rule_format(lc_universe_rule(universe), shape, text);
    lc_topology_format(shape, topology);
    describe_engine(universe, settings, sizeof settings);
    json_t *object = lc_reply("universe", NULL);
    json_object_set_new(object, "name", lc_reply_text(name));
    json_object_set_new(object, "comments", lc_reply_text(comments));
    json_object_set_new(object, "rule", json_string(rule));
    json_object_set_new(object, "rule_text", json_string(text));
    json_object_set_new(object, "topology", json_string(topology));
    json_object_set_new(object, "width", lc_reply_integer(shape->width_cells));
    json_object_set_new(object, "height", lc_reply_integer(shape->height_cells));
    json_object_set_new(object, "engine", json_string(lc_universe_info_of(universe).engine));
    json_object_set_new(object, "settings", lc_reply_text(settings));
    json_object_set_new(object, "box", box != NULL ? lc_reply_box(box) : json_null());
    json_object_set_new(object, "timeline", say_timeline(timeline));
    return object;
}

json_t *lc_reply_rules(const lc_view_command *answered)
{
    const char *name, *text;
    json_t *list = json_array();
    for (size_t i = 0; lc_rule_named(i, &name, &text); i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "rule", text));
    json_t *object = lc_reply("rules", answered);
    json_object_set_new(object, "list", list);
    return object;
}

// Returns the name of a rule with this text; "": none.
static const char *name_of_rule(const char *text)
{
    const char *name, *other;
    for (size_t i = 0; lc_rule_named(i, &name, &other); i++)
        if (strcmp(text, other) == 0)
            return name;
    return "";
}

json_t *lc_reply_rule(const lc_view_command *answered)
{
    char text[LC_RULE_TEXT_BYTES], topology[LC_RULE_TEXT_BYTES];
    lc_rule_format(answered->rule, NULL, text);
    lc_topology_format(&answered->topology, topology);
    json_t *object = lc_reply("rule", answered);
    json_object_set_new(object, "rule", json_string(text));
    json_object_set_new(object, "name", json_string(name_of_rule(text)));
    json_object_set_new(object, "topology", json_string(topology));
    return object;
}
