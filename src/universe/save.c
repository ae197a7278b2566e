// Saves a universe as a pattern file: all of a bounded direction, the bounding box of an unbounded
// one.
#include "base/error.h"
#include "base/least.h"
#include "pattern/format.h"
#include "quadtree/tree.h"
#include "universe/universe_internal.h"

// The live cells of a part of the universe, whose (0, 0) is the part's corner.
typedef struct live_spans {
    const lc_universe *universe;
    lc_area within;
    lc_cells piece;   // where to look on
    int64_t end;      // of what may be alive in its row
    lc_status status; // of all that was read
    lc_message message;
    lc_save_watch watch; // NULL: none
    void *context;
    uint64_t words[LC_SPAN_WORDS];
} live_spans;

// Returns whether the watch asks to stop.
static bool is_stopped(live_spans *l)
{
    const double rows = (double)lc_extent(l->within.y0, l->within.y1);
    return l->watch != NULL &&
           l->watch(l->context, (double)lc_extent(l->within.y0, l->piece.y) / rows);
}

// Skipped cells are dead.
static lc_status find_piece(live_spans *l)
{
    lc_cover *cover = l->universe->cover;
    if (l->piece.x < l->end)
        return LC_OK;
    const lc_status status = cover->vtable->seek(cover, &l->within, &l->piece, &l->message);
    l->end = l->piece.x + l->piece.width_cells;
    return status;
}

static lc_status next_span(void *context, lc_span *span)
{
    live_spans *l = context;
    lc_cover *cover = l->universe->cover;
    int64_t begin, end;
    const int planes = lc_cover_planes(cover);
    *span = (lc_span){0};
    for (;;) {
        l->status = find_piece(l);
        if (l->status != LC_OK || l->piece.width_cells == 0)
            return l->status;
        if (is_stopped(l)) {
            l->status = lc_fail(&l->message, LC_ERROR_STOPPED, "saving was stopped");
            return l->status;
        }
        lc_cells *piece = &l->piece;
        const int64_t most = lc_span_cells_max(planes);
        const int64_t x = piece->x, width = lc_extent_within(x, l->end, most - (x & 63));
        const lc_cells cells = lc_span_cells(x, piece->y, width, planes, l->words);
        l->status = cover->vtable->read(cover, &cells, &l->message);
        piece->x += width;
        if (l->status != LC_OK)
            return l->status;
        if (lc_find_ends(&cells, 0, false, &begin, &end)) {
            *span = (lc_span){.x = x - l->within.x0,
                              .y = piece->y - l->within.y0,
                              .length = width,
                              .words = l->words,
                              .planes = planes,
                              .plane_words = cells.plane_words};
            return LC_OK;
        }
    }
}

lc_status lc_check_background(const lc_universe *u, bool background, lc_count generation,
                              lc_message *message)
{
    const bool is_odd = generation.words[0] % 2 != 0;
    if (!background && !(is_odd && lc_background_alternates(u)))
        return LC_OK;
    char text[LC_COUNT_TEXT_BYTES];
    lc_count_format(generation, text);
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "the cells out to infinity are %s at generation %s, which a pattern file "
                   "cannot say; a checkpoint (.lcs) can",
                   background ? "alive" : "dead", text);
}

lc_status lc_universe_check_save(const lc_universe *u, lc_count generations, const char *path,
                                 lc_format format, lc_message *message)
{
    lc_count last;
    LC_RETURN_FAILURE(u, message);
    lc_status status = lc_format_choose(path, format, &format, message);
    if (status == LC_OK)
        status = lc_generation_after(u, generations, &last, message);
    if (status == LC_OK)
        status = lc_pattern_check_rule(format, u->rule, message);
    if (format == LC_FORMAT_CHECKPOINT || status != LC_OK)
        return status;
    const bool bounded = !u->free_x && !u->free_y;
    status = lc_pattern_check_size(format, bounded ? u->topology.width_cells : 0,
                                   bounded ? u->topology.height_cells : 0, message);
    if (bounded || status != LC_OK)
        return status;
    return lc_check_background(u, lc_background_after(u->rule, u->background, generations), last,
                               message);
}

// Saves the quadtree as it is, without visiting its cells.
static lc_status save_tree(const lc_universe *u, const char *path, lc_message *message)
{
    lc_square root;
    int root_log2;
    lc_status status = lc_universe_failure(u, message);
    if (status == LC_OK)
        status = u->cover->vtable->get_root(u->cover, &root, &root_log2, message);
    const lc_pattern_write_options options = {
        .struct_bytes = sizeof options,
        .format = LC_FORMAT_MACROCELL,
        .rule = u->rule,
        .topology = &u->topology,
        .has_position = true,
        .generation = u->generation,
        .threads = lc_pool_threads(u->pool),
    };
    return status == LC_OK
               ? lc_pattern_write_tree(path, &options, u->cover->vtable->store(u->cover), root,
                                       root_log2, message)
               : status;
}

// Returns LC_ERROR_LIMIT if the universe is a quadtree with too many cells for such a file.
static lc_status check_squares(const lc_universe *u, lc_format format, lc_message *message)
{
    const lc_count few = lc_count_of((uint64_t)LC_TEXT_CELLS_MAX / 4);
    lc_square root;
    int root_log2;
    lc_facts facts;
    if (!lc_universe_is_squares(u))
        return LC_OK;
    lc_status status = lc_universe_facts(u, LC_FACT_POPULATION, &facts, message);
    if (status != LC_OK || lc_count_compare(facts.population, few) <= 0)
        return status;
    status = u->cover->vtable->get_root(u->cover, &root, &root_log2, message);
    return status == LC_OK
               ? lc_pattern_check_square(format, u->cover->vtable->store(u->cover), root, message)
               : status;
}

lc_status lc_save_pattern(const lc_universe *u, const char *path, lc_format format,
                          lc_save_watch watch, void *context, lc_message *message)
{
    LC_RETURN_FAILURE(u, message);
    lc_status status = lc_check_background(u, u->background, u->generation, message);
    if (status != LC_OK)
        return status;
    if (format == LC_FORMAT_MACROCELL && lc_universe_is_squares(u))
        return save_tree(u, path, message);
    lc_facts facts = {.box = {.empty = true}};
    status = u->free_x || u->free_y ? lc_universe_facts(u, LC_FACT_BOX, &facts, message)
                                    : lc_universe_failure(u, message);
    if (status != LC_OK || facts.is_far)
        return status == LC_OK ? lc_tree_refuse_far(message) : status;
    status = check_squares(u, format, message);
    if (status != LC_OK)
        return status;
    lc_box box = facts.box;
    if (!u->free_x)
        box.width_cells = u->topology.width_cells;
    if (!u->free_y)
        box.height_cells = u->topology.height_cells;
    const int64_t x = u->free_x ? box.x : 0, y = u->free_y ? box.y : 0;
    live_spans live = {.universe = u,
                       .within = {x, y, x + box.width_cells, y + box.height_cells},
                       .piece = {.x = x, .y = y, .height_cells = 1},
                       .watch = watch,
                       .context = context};
    live.end = x;
    const lc_pattern_write_options options = {
        .struct_bytes = sizeof options,
        .format = format,
        .rule = u->rule,
        .topology = &u->topology,
        // In files the middle of a bounded direction is 0, as in lc_universe_place.
        .x = x - u->topology.width_cells / 2,
        .y = y - u->topology.height_cells / 2,
        .has_position = true,
        .generation = u->generation,
        .width_cells = box.width_cells,
        .height_cells = box.height_cells,
        .threads = lc_pool_threads(u->pool),
        .max_memory_bytes = format == LC_FORMAT_MACROCELL ? lc_universe_left_bytes(u) : 0,
    };
    status = lc_pattern_write_spans(path, &options, next_span, &live, message);
    (void)lc_fail_again(message, live.status, &live.message); // which next_span could not hand over
    return status;
}
