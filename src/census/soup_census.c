#include "census/soup_census.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "census/apgsearch_lines.h"
#include "census/gliders.h"
#include "census/soup_settle.h"

enum {
    SIDE_LOG2 = 11,        // of the canvas for most soups
    SIDE_LOG2_MAX = 15,    // 128 MiB
    PATCHES_MAX = 1 << 23, // steps of patches for a soup: a few seconds
    ATTEMPTS_MAX = 5,
    PERIOD_LIMIT = 1024, // of the first attempt; four times as much in each further one
    FIRST_WAIT = 120,    // generations before the second attempt
    DURATION_MAX = 7680,
};

static const char glider_name[] = "xq4_153";

lc_status lc_soup_taker_init(lc_soup_taker *t, const lc_rule *rule, const lc_level *level,
                             lc_context *context, lc_message *message)
{
    const lc_rule *const rules[2] = {rule, rule};
    *t = (lc_soup_taker){.side_log2 = SIDE_LOG2, .square = 16, .is_life = rule == lc_rule_life()};
    lc_status status = lc_object_names_init(&t->names, rule, context, message);
    if (status != LC_OK)
        return status;
    lc_window_steps_set(&t->steps, level, rules, NULL);
    t->take_gliders = lc_gliders_lead(&t->names.fates.rule);
    t->glider_kind = lc_kinds_number(&t->names.kinds, glider_name);
    status = lc_canvas_create(&t->canvas, t->side_log2, &t->steps);
    if (t->glider_kind == UINT32_MAX || status != LC_OK)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory");
    return LC_OK;
}

void lc_soup_taker_free(lc_soup_taker *t)
{
    lc_canvas_free(&t->canvas);
    lc_separation_free(&t->separation);
    lc_object_names_free(&t->names);
    lc_window_steps_free(&t->steps);
    lc_free(t->objects.at);
    lc_free(t->lines.at);
    *t = (lc_soup_taker){0};
}

lc_status lc_soup_taker_create(lc_soup_taker **out, const lc_rule *rule, int square,
                               lc_context *context, lc_message *message)
{
    const lc_level *level = lc_level_find("auto", message);
    lc_soup_taker *t = lc_malloc(sizeof *t);
    *out = t;
    if (t == NULL)
        return lc_fail_memory(message, "a soup");
    const lc_status status = lc_soup_taker_init(t, rule, level, context, message);
    t->square = square;
    if (status != LC_OK)
        lc_soup_taker_destroy(out);
    return status;
}

void lc_soup_taker_destroy(lc_soup_taker **out)
{
    if (*out == NULL)
        return;
    lc_soup_taker_free(*out);
    lc_free(*out);
    *out = NULL;
}

// Puts the soup into the middle of the canvas, and sets where cell (0, 0) of apgsearch's plane
// lies. There a single square of 16 x 16 cells begins at (8, 8). Of several squares the lower left
// one begins at (0, 0).
static void put_soup(lc_running_soup *soup, const lc_soup_cells *cells, int square)
{
    lc_canvas *c = soup->canvas;
    const int top = 4 * c->blocks - cells->height / 2;
    soup->x = 4 * c->blocks - cells->width / 2;
    soup->y = cells->height > square ? top + cells->height - square : top;
    const int left = soup->x;
    if (cells->width == square && cells->height == square) {
        soup->x -= square / 2;
        soup->y -= square / 2;
    }
    for (int y = 0; y < cells->height; y++)
        for (int i = 0; i < cells->row_words; i++)
            lc_canvas_add(c, left + 64 * i, top + y,
                          cells->words[(size_t)y * (size_t)cells->row_words + (size_t)i]);
}

// Whether the objects must be told apart again, later: some do not repeat themselves.
static bool must_try_again(const lc_soup_taker *t, int attempt)
{
    for (size_t i = 0; i < t->objects.count; i++) {
        const char *name = t->names.kinds.at[t->objects.at[i].kind].name;
        if (strcmp(name, "PATHOLOGICAL") == 0 || (name[0] == 'z' && t->is_life && attempt <= 2))
            return true;
    }
    return false;
}

static bool has_linear_growth(const lc_soup_taker *t)
{
    for (size_t i = 0; i < t->objects.count; i++)
        if (t->names.kinds.at[t->objects.at[i].kind].name[0] == 'y')
            return true;
    return false;
}

// With linear growth, cells of no known growth are those that it leaves.
static void remove_pathological(lc_named_list *objects, const lc_kinds *kinds)
{
    size_t kept = 0;
    for (size_t i = 0; i < objects->count; i++)
        if (strcmp(kinds->at[objects->at[i].kind].name, "PATHOLOGICAL") != 0)
            objects->at[kept++] = objects->at[i];
    objects->count = kept;
}

// Appends gliders and spaceships that have left, and apgsearch's lines.
static lc_status complete_objects(lc_soup_taker *t, const lc_running_soup *soup)
{
    if (has_linear_growth(t))
        remove_pathological(&t->objects, &t->names.kinds);
    if (soup->gliders > 0 && !lc_named_add(&t->objects, t->glider_kind, (uint32_t)soup->gliders))
        return LC_ERROR_MEMORY;
    const lc_status status = lc_named_add_all(&t->objects, &soup->ship_kinds);
    return status == LC_OK ? lc_named_add_all(&t->objects, &t->lines) : status;
}

// Separates the objects. If some do not repeat themselves, runs the soup further and tries again.
static lc_status separate(lc_soup_taker *t, lc_running_soup *soup, const lc_soup_cells *cells,
                          lc_message *message)
{
    int wait = FIRST_WAIT;
    for (int attempt = 0;; attempt++) {
        t->objects.count = 0;
        lc_status status =
            lc_soup_separate(&t->objects, &t->separation, &t->canvas, soup->duration, &t->names,
                             (uint64_t)PERIOD_LIMIT << 2 * attempt, message);
        if (status == LC_OK && !t->canvas.overflow && attempt == 0 && t->is_life &&
            !has_linear_growth(t))
            status = lc_apgsearch_lines_add(&t->lines, &t->names, soup, cells, message);
        if (status != LC_OK || t->canvas.overflow || attempt == ATTEMPTS_MAX ||
            !must_try_again(t, attempt))
            return status;
        status = lc_soup_run(soup, wait);
        if (status != LC_OK)
            return status;
        wait *= 4;
        soup->duration = 2 * wait < DURATION_MAX ? 2 * wait : DURATION_MAX;
    }
}

static lc_status take_on_canvas(lc_soup_taker *t, const lc_soup_cells *cells, lc_message *message)
{
    lc_running_soup soup = {
        .canvas = &t->canvas, .names = &t->names, .take_gliders = t->take_gliders};
    lc_canvas_clear(&t->canvas);
    t->canvas.patches_max = PATCHES_MAX;
    t->lines.count = 0;
    put_soup(&soup, cells, t->square);
    lc_status status = lc_soup_settle(&soup);
    t->settled_at = soup.generations;
    t->population = lc_soup_population(&soup);
    if (status == LC_OK && !t->canvas.overflow)
        status = separate(t, &soup, cells, message);
    if (status == LC_OK && !t->canvas.overflow)
        status = complete_objects(t, &soup);
    lc_soup_free(&soup);
    return status;
}

static lc_status enlarge_canvas(lc_soup_taker *t, int side_log2)
{
    lc_canvas_free(&t->canvas);
    lc_separation_free(&t->separation);
    t->side_log2 = side_log2;
    return lc_canvas_create(&t->canvas, side_log2, &t->steps);
}

// A soup without an end is a single object, named by its growth.
static lc_status name_whole_soup(lc_soup_taker *t, const lc_soup_cells *cells, lc_message *message)
{
    lc_live live = {0};
    t->objects.count = 0;
    lc_status status = LC_ERROR_MEMORY;
    if (lc_soup_cells_list(&live, cells))
        status = lc_name_growth(&t->objects, &t->names, &live, message);
    lc_live_free(&live);
    return status;
}

lc_status lc_soup_take(lc_soup_taker *t, const lc_soup_cells *cells, lc_message *message)
{
    lc_status status = take_on_canvas(t, cells, message);
    while (status == LC_OK && t->canvas.overflow && t->canvas.patches_stepped < PATCHES_MAX &&
           t->side_log2 < SIDE_LOG2_MAX) {
        status = enlarge_canvas(t, t->side_log2 + 2);
        if (status == LC_OK)
            status = take_on_canvas(t, cells, message);
    }
    lc_window_steps_count(&t->steps, t->canvas.patches_stepped);
    if (status == LC_OK && t->canvas.overflow)
        status = name_whole_soup(t, cells, message);
    if (status == LC_OK && t->side_log2 != SIDE_LOG2)
        status = enlarge_canvas(t, SIDE_LOG2);
    return status;
}

void lc_soup_count(lc_soup_taker *t, uint64_t number)
{
    for (size_t i = 0; i < t->objects.count; i++)
        lc_kinds_add(&t->names.kinds, t->objects.at[i].kind, t->objects.at[i].count, number);
}
