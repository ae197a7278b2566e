#include "cover/ranks/rank_board.h"

#include <stdio.h>
#include <string.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "cover/block/one_block.h"
#include "grid/facts.h"

typedef struct lc_rank_board {
    lc_cover base;
    lc_ranks *ranks;
    lc_rank_part *part;                // rank 0's
    lc_rank_reply *replies;            // to the last command, by rank
    int number;                        // of the universe
    uint64_t bytes;                    // held by all ranks
    char shares_text[LC_SHARES_BYTES]; // of lc_parts
    char plan[LC_BOARD_SLABS_PLAN_BYTES + LC_SHARES_BYTES];
    lc_status failed; // the error that made the cells unusable
    lc_message failure;
} lc_rank_board;

static lc_rank_board *board_of(const lc_cover *cover)
{
    return (lc_rank_board *)cover;
}

// Returns the error of the first rank that has one. LC_ERROR_STOPPED counts only if no rank has
// another error, because the failure of one rank stops the others.
static lc_status first_failure(const lc_ranks *ranks, const lc_rank_reply *replies,
                               lc_message *message)
{
    const lc_rank_reply *worst = NULL;
    int rank = 0;
    for (int r = 0; r < ranks->count; r++) {
        const lc_rank_reply *a = &replies[r];
        if (a->status != LC_OK && (worst == NULL || (worst->status == LC_ERROR_STOPPED &&
                                                     a->status != LC_ERROR_STOPPED))) {
            worst = a;
            rank = r;
        }
    }
    if (worst == NULL)
        return LC_OK;
    if (rank == 0 || worst->status == LC_ERROR_STOPPED)
        return lc_fail(message, worst->status, "%s", worst->text);
    return lc_fail(message, worst->status, "rank %d: %.290s", rank, worst->text);
}

static lc_status collect_replies(lc_ranks *ranks, const lc_rank_reply *own, lc_rank_reply *replies,
                                 lc_message *message)
{
    const lc_status status = ranks->gather(ranks, own, replies, sizeof *own, message);
    return status != LC_OK ? status : first_failure(ranks, replies, message);
}

static lc_status collect_reply(lc_rank_board *t, const lc_rank_reply *own, lc_message *message)
{
    return collect_replies(t->ranks, own, t->replies, message);
}

static lc_rank_command command_of(const lc_rank_board *t, lc_rank_command_kind kind)
{
    lc_rank_command command;
    memset(&command, 0, sizeof command); // the padding as well
    command.kind = kind;
    command.universe = t->number;
    return command;
}

// Sends a command, executes rank 0's part of it and collects the replies.
static lc_status run_command(lc_rank_board *t, lc_rank_command *command, const lc_cells *cells,
                             uint32_t *counts, lc_message *message)
{
    lc_rank_reply own = {.status = LC_OK};
    const lc_status status = t->ranks->broadcast(t->ranks, command, sizeof *command, message);
    if (status != LC_OK)
        return status;
    lc_rank_part_execute(t->part, t->ranks, command, cells, counts, &own);
    return collect_reply(t, &own, message);
}

// Creation ----------------------------------------------------------------------------------------

// Writes what the ranks must know of the options.
static void describe_board(lc_rank_command *command, const lc_cover_options *asked,
                           const lc_parts *parts)
{
    const bool own_pool = asked->threads != lc_context_threads(asked->context);
    lc_rule_format(asked->rule, NULL, command->create.rule);
    command->create.topology = asked->topology;
    command->create.max_memory_bytes = asked->max_memory_bytes;
    command->create.threads = own_pool ? asked->threads : 0;
    command->create.blocks = parts->blocks;
    (void)snprintf(command->create.engine, sizeof command->create.engine, "%s",
                   asked->engine->name);
    memcpy(command->create.settings, asked->settings, sizeof command->create.settings);
    memcpy(command->create.cpu_level, asked->cpu_level, sizeof command->create.cpu_level);
    memcpy(command->create.alike, parts->alike, sizeof command->create.alike);
}

// A board to be shared: `asked` is the caller's options with the engine chosen, `own` the same
// without the cover's settings. The caller frees `rows`, the first rows of all slabs.
typedef struct layout {
    lc_cover_options asked, own;
    lc_parts parts;
    int64_t *rows;
} layout;

// Asks all ranks for the abilities of their slabs and assigns the rows.
static lc_status ask_abilities(layout *l, lc_slab_ability *slabs, lc_rank_reply *replies,
                               lc_message *message)
{
    lc_ranks *ranks = l->parts.ranks;
    lc_rank_command command;
    lc_rank_reply own = {.status = LC_OK};
    memset(&command, 0, sizeof command);
    command.kind = LC_RANK_COMMAND_ABILITIES;
    describe_board(&command, &l->asked, &l->parts);
    lc_status status = ranks->broadcast(ranks, &command, sizeof command, message);
    if (status != LC_OK)
        return status;
    lc_rank_part_abilities(&command, ranks, l->asked.context, slabs, &own);
    status = collect_replies(ranks, &own, replies, message);
    return status != LC_OK
               ? status
               : lc_board_slabs_assign_rows(&l->own, &l->parts, slabs, l->rows, message);
}

// Checks the options before any other rank hears of them.
static lc_status lay_out(layout *l, const lc_cover_options *options, lc_message *message)
{
    *l = (layout){.asked = *options, .own = *options};
    lc_status status = lc_rank_part_begin(&l->own, &l->parts, message);
    if (status != LC_OK)
        return status;
    l->asked.engine = l->own.engine;
    const size_t ranks = (size_t)l->parts.ranks->count, count = ranks * (size_t)l->parts.blocks;
    lc_slab_ability *slabs = lc_calloc(count, sizeof *slabs);
    lc_rank_reply *replies = lc_calloc(ranks, sizeof *replies);
    l->rows = lc_calloc(count + 1, sizeof *l->rows);
    if (slabs != NULL && replies != NULL && l->rows != NULL)
        status = ask_abilities(l, slabs, replies, message);
    else
        status = lc_fail_memory(message, "%zu slabs", count);
    lc_free(slabs);
    lc_free(replies);
    if (status != LC_OK)
        lc_free(l->rows);
    return status;
}

lc_status lc_rank_board_check(const lc_cover_options *options, lc_universe_needs *needs,
                              lc_message *message)
{
    layout l;
    lc_status status = lay_out(&l, options, message);
    if (status != LC_OK)
        return status;
    status = lc_board_slabs_check(&l.own, &l.parts, needs, message);
    lc_free(l.rows);
    return status;
}

static const lc_cover_vtable lc_cover_rank_board;

// Creates the blocks of all ranks and connects them in the given way.
static lc_status create_all(lc_rank_board *t, const layout *l, lc_halo_way way, lc_message *message)
{
    const lc_cover_options *asked = &t->base.asked;
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_CREATE);
    lc_rank_reply own = {.status = LC_OK};
    lc_message why = {0};
    describe_board(&command, asked, &l->parts);
    command.create.way = (int32_t)way;
    const size_t bytes = lc_rank_command_row_count(&command, t->ranks) * sizeof(int64_t);
    int64_t *rows = lc_malloc(bytes);
    bool passed = false;
    if (rows != NULL)
        memcpy(rows, l->rows, bytes);
    lc_status status = t->ranks->broadcast(t->ranks, &command, sizeof command, message);
    if (status == LC_OK)
        status = lc_rank_broadcast(t->ranks, rows, bytes, &passed, message);
    if (status != LC_OK || !passed)
        lc_free(rows);
    if (status != LC_OK)
        return status;
    status = passed ? lc_rank_part_create(&t->part, &command, rows, asked->context, asked->pool,
                                          asked->watch, &why)
                    : lc_fail_memory(&why, "all slabs");
    lc_rank_reply_set(&own, status, &why);
    lc_rank_part_describe(t->part, &own);
    status = collect_reply(t, &own, message);
    for (int r = 0; r < t->ranks->count; r++)
        t->bytes += t->replies[r].bytes;
    if (status != LC_OK || way == LC_WAY_CELLS)
        return status;
    command = command_of(t, LC_RANK_COMMAND_JOIN);
    return run_command(t, &command, NULL, NULL, message);
}

static void destroy_all(lc_rank_board *t)
{
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_DESTROY);
    (void)t->ranks->broadcast(t->ranks, &command, sizeof command, NULL);
    lc_rank_part_destroy(&t->part);
    t->bytes = 0;
}

static void destroy(lc_cover *cover)
{
    lc_rank_board *t = board_of(cover);
    destroy_all(t);
    lc_free(t->replies);
    lc_free(t);
}

static void write_plan(lc_rank_board *t)
{
    lc_universe_info info;
    const bool uneven = t->shares_text[0] != '\0';
    const lc_cover *part = lc_rank_part_cover(t->part);
    part->vtable->describe(part, &info);
    (void)snprintf(t->plan, sizeof t->plan, "ranks=%d,%s%s%s%s", t->ranks->count,
                   uneven ? "shares=" : "", t->shares_text, uneven ? "," : "", info.plan);
}

static lc_status create_on_ranks(lc_rank_board *t, const layout *l, lc_message *message)
{
    lc_halo_way way = l->parts.way;
    lc_status status = create_all(t, l, way, message);
    while (status != LC_OK && way != LC_WAY_CELLS) { // LC_WAY_CELLS works between any two machines
        destroy_all(t);
        way = way == LC_WAY_MEMORY ? LC_WAY_ROWS : LC_WAY_CELLS;
        status = create_all(t, l, way, message);
    }
    return status;
}

lc_status lc_rank_board_create(lc_cover **out, const lc_cover_options *options, lc_message *message)
{
    lc_universe_needs needs;
    layout l;
    *out = NULL;
    lc_status status = lay_out(&l, options, message);
    if (status != LC_OK)
        return status;
    lc_rank_board *t = lc_calloc(1, sizeof *t);
    if (t != NULL)
        t->replies = lc_calloc((size_t)l.parts.ranks->count, sizeof *t->replies);
    if (t == NULL || t->replies == NULL) {
        lc_free(t);
        lc_free(l.rows);
        return lc_fail_memory(message, "a universe");
    }
    t->base = (lc_cover){.vtable = &lc_cover_rank_board, .asked = l.asked};
    t->ranks = l.parts.ranks;
    t->number = ++t->ranks->universes;
    memcpy(t->shares_text, l.parts.shares_text, sizeof t->shares_text);
    status = lc_board_slabs_check(&l.own, &l.parts, &needs, message);
    if (status == LC_OK)
        status = create_on_ranks(t, &l, message);
    lc_free(l.rows);
    if (status != LC_OK) {
        destroy(&t->base);
        return status;
    }
    write_plan(t);
    *out = &t->base;
    return LC_OK;
}

// Stepping ----------------------------------------------------------------------------------------

static lc_status advance(lc_cover *cover, uint64_t generations, uint64_t *done, lc_message *message)
{
    lc_rank_board *t = board_of(cover);
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_ADVANCE);
    command.generations = generations;
    lc_message why = {0};
    *done = 0;
    if (t->failed != LC_OK)
        return lc_fail(message, t->failed, "%s", t->failure.text);
    const lc_status status = run_command(t, &command, NULL, NULL, &why);
    *done = t->replies[0].done;
    if (status == LC_OK)
        return LC_OK;
    if (status != LC_ERROR_STOPPED) {
        t->failed = status;
        t->failure = why;
    }
    if (*done > 0 && status == LC_ERROR_STOPPED)
        return LC_OK; // some passes were made; the caller asks the watch again
    return lc_fail(message, status, "%s", why.text);
}

// Cells -------------------------------------------------------------------------------------------

// Moves a rectangle of any size in pieces that fit into a command.
static lc_status move_cells(lc_rank_board *t, lc_rank_command_kind kind, const lc_cells *cells,
                            lc_message *message)
{
    const int64_t x1 = cells->x + cells->width_cells, y1 = cells->y + cells->height_cells;
    const int64_t most_words = LC_RANK_COMMAND_WORDS / lc_cover_planes(&t->base); // of a plane
    lc_rank_command command = command_of(t, kind);
    lc_cells piece = *cells;
    lc_status status = LC_OK;
    for (int64_t x = cells->x; x < x1; x += piece.width_cells) {
        piece.x = x;
        piece.width_cells = lc_least(x1 - x, most_words * 64);
        const int64_t rows = most_words / ((piece.width_cells + 63) / 64);
        for (int64_t y = cells->y; y < y1 && status == LC_OK; y += piece.height_cells) {
            piece.y = y;
            piece.height_cells = lc_least(y1 - y, rows);
            piece.words = lc_cells_row(cells, y - cells->y) + (x - cells->x) / 64;
            command.area = (lc_area){x, y, x + piece.width_cells, y + piece.height_cells};
            status = run_command(t, &command, &piece, NULL, message);
        }
    }
    return status;
}

static lc_status read(lc_cover *cover, const lc_cells *to, lc_message *message)
{
    return move_cells(board_of(cover), LC_RANK_COMMAND_READ, to, message);
}

static lc_status write(lc_cover *cover, const lc_cells *from, lc_message *message)
{
    cover->changes++;
    return move_cells(board_of(cover), LC_RANK_COMMAND_WRITE, from, message);
}

static lc_status fill(lc_cover *cover, const lc_soup *soup, lc_message *message)
{
    lc_rank_board *t = board_of(cover);
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_FILL);
    command.soup = *soup;
    cover->changes++;
    return run_command(t, &command, NULL, NULL, message);
}

static lc_status facts(lc_cover *cover, unsigned which, lc_facts *all, lc_message *message)
{
    lc_rank_board *t = board_of(cover);
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_FACTS);
    command.which = which;
    const lc_status status = run_command(t, &command, NULL, NULL, message);
    *all = (lc_facts){.box = {.empty = true}};
    for (int r = 0; r < t->ranks->count && status == LC_OK; r++)
        *all = lc_facts_joined(all, &t->replies[r].facts);
    return status;
}

static lc_status view(lc_cover *cover, const lc_view *squares, lc_message *message)
{
    lc_rank_board *t = board_of(cover);
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_VIEW);
    const int64_t most = 2 * (int64_t)LC_RANK_COMMAND_WORDS;
    if (squares->width > most)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a picture of a board of ranks is at most %lld squares wide",
                       (long long)most);
    lc_status status = LC_OK;
    for (int64_t y = 0, rows; y < squares->height && status == LC_OK; y += rows) {
        rows = lc_least(squares->height - y, most / squares->width);
        command.view.x = squares->x;
        command.view.y = squares->y + (y << squares->log2_side);
        command.view.width = squares->width;
        command.view.height = rows;
        command.view.log2_side = squares->log2_side;
        status = run_command(t, &command, NULL, squares->counts + y * squares->width, message);
    }
    return status;
}

static lc_status run_collective(lc_cover *cover, lc_collective_work *work,
                                const lc_collective *collective, lc_message *message)
{
    lc_rank_board *t = board_of(cover);
    lc_rank_command command = command_of(t, LC_RANK_COMMAND_COLLECTIVE);
    lc_rank_reply own = {.status = LC_OK};
    command.bytes = collective->bytes;
    lc_status status = t->ranks->broadcast(t->ranks, &command, sizeof command, message);
    bool passed = false;
    if (status == LC_OK)
        status = lc_rank_broadcast(t->ranks, collective->data, collective->bytes, &passed, message);
    if (status != LC_OK)
        return status;
    if (passed)
        lc_rank_part_run_collective(t->part, t->ranks, work, collective, &own);
    return collect_reply(t, &own, message);
}

static bool reads_are_slow(const lc_cover *cover)
{
    (void)cover;
    return true; // most cells are in other processes
}

// Describes rank 0's part, with the plan and the memory of all ranks.
static void describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_rank_board *t = board_of(cover);
    const lc_cover *part = lc_rank_part_cover(t->part);
    part->vtable->describe(part, info);
    info->plan = t->plan;
    info->memory_bytes = t->bytes;
}

static uint64_t limit_bytes(const lc_cover *cover)
{
    const lc_cover *part = lc_rank_part_cover(board_of(cover)->part);
    return part->vtable->limit_bytes(part);
}

static lc_status failure(const lc_cover *cover, lc_message *message)
{
    const lc_rank_board *t = board_of(cover);
    return t->failed == LC_OK ? LC_OK : lc_fail(message, t->failed, "%s", t->failure.text);
}

static const lc_cover_vtable lc_cover_rank_board = {
    .destroy = destroy,
    .area = lc_bounded_area,
    .include = lc_complete_include,
    .prepare = lc_bounded_prepare,
    .advance = advance,
    .read = read,
    .write = write,
    .fill = fill,
    .seek = lc_cover_seek_row,
    .facts = facts,
    .view = view,
    .reads_are_slow = reads_are_slow,
    .run_collective = run_collective,
    .describe = describe,
    .limit_bytes = limit_bytes,
    .failure = failure,
};
