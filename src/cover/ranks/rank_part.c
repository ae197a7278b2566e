#include "cover/ranks/rank_part.h"

#include <string.h>

#include "base/area.h"
#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "cover/block/one_block.h"

struct lc_rank_part {
    lc_cover *cover;
    lc_parts parts;
    int64_t *rows;     // first rows of all slabs
    lc_pool *own_pool; // NULL: the caller's or the context's is used
    uint64_t *words;   // LC_RANK_COMMAND_WORDS, for cells and counts on their way
    const lc_rule *rule;
};

// Making one --------------------------------------------------------------------------------------

// Returns the engine that "auto" would take for the whole board in this process.
static const lc_engine_vtable *choose(const lc_cover_options *asked)
{
    const lc_topology *t = &asked->topology;
    const lc_one_block whole = {.base = {.asked = *asked}, .rule = asked->rule};
    return lc_one_block_choose(&whole, (lc_area){0, 0, t->width_cells, t->height_cells}).engine;
}

// Assigns the named GPUs, or all if none is named, to the ranks of this machine: equal parts of the
// list if there are more GPUs than ranks, otherwise one for each rank.
static lc_status take_devices(const lc_cover_options *asked, lc_parts *parts, lc_message *message)
{
    const lc_ranks *ranks = parts->ranks;
    const int here = ranks->count_here, named = parts->device_count;
    int devices[LC_SLABS_MAX], count = named;
    if (asked->engine->choice == NULL || asked->engine->choice->devices == NULL ||
        strstr(asked->settings, "device=") != NULL)
        return LC_OK;
    if (named > here && named % here != 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "%d GPUs cannot be dealt out evenly to the %d ranks of a machine", named,
                       here);
    memcpy(devices, parts->devices, sizeof devices);
    if (named == 0) {
        const lc_status status =
            asked->engine->choice->devices(asked->context, LC_SLABS_MAX, devices, &count, message);
        if (status != LC_OK)
            return status;
    }
    parts->device_count = named > here ? named / here : 1;
    for (int i = 0; i < parts->device_count; i++)
        parts->devices[i] = devices[(ranks->rank_here * parts->device_count + i) % count];
    if (parts->blocks_for_devices)
        parts->blocks = parts->device_count;
    return LC_OK;
}

// Returns the fastest way that may work.
static lc_halo_way way_of(const lc_cover_options *asked, const lc_parts *parts)
{
    const lc_ranks *ranks = parts->ranks;
    if (!lc_board_slabs_joins(asked, parts))
        return LC_WAY_CELLS;
    return ranks->count_here < ranks->count || parts->blocks * ranks->count > LC_SLABS_MAX
               ? LC_WAY_ROWS
               : LC_WAY_MEMORY;
}

lc_status lc_rank_part_begin(lc_cover_options *asked, lc_parts *parts, lc_message *message)
{
    const lc_topology *t = &asked->topology;
    const char *reason;
    lc_ranks *ranks = asked->context->options.ranks;
    if (t->width_cells == 0 || t->height_cells == 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "ranks share bounded boards, and this universe has no end: give it a size, "
                       "or step it in one process");
    if (asked->engine == NULL)
        asked->engine = choose(asked);
    lc_status status = lc_board_slabs_take_settings(asked, parts, message);
    if (status != LC_OK)
        return status;
    if (!lc_engine_splits(asked->engine))
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "the engine \"%s\" cannot share a board",
                       asked->engine->name);
    if (!lc_engine_available(asked->engine, asked->context, &reason))
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "the engine \"%s\" cannot run here: %s",
                       asked->engine->name, reason);
    if (asked->settings[0] != '\0' && !asked->engine->traits.has_settings)
        return lc_fail_setting(message, asked->settings, "blocks=N and shares=N+N", "engine \"%s\"",
                               asked->engine->name);
    parts->ranks = ranks;
    if (parts->blocks_for_shares)
        parts->blocks = parts->share_count / ranks->count;
    status = take_devices(asked, parts, message);
    if (status != LC_OK)
        return status;
    parts->blocks = (int)lc_greatest(parts->blocks, 1);
    if (t->height_cells / ranks->count < parts->blocks)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a board %lld cells high cannot be shared by %d ranks with %d blocks each",
                       (long long)t->height_cells, ranks->count, parts->blocks);
    parts->way = way_of(asked, parts);
    // The ranks of a machine share its memory.
    if (asked->max_memory_bytes == 0 && !asked->engine->traits.on_gpu)
        asked->max_memory_bytes =
            lc_board_slabs_limit_bytes(asked, parts) / (uint64_t)ranks->count_here;
    return LC_OK;
}

// The caller releases asked->rule, also if this fails.
static lc_status read_command(const lc_rank_command *command, lc_context *context,
                              lc_cover_options *asked, lc_message *message)
{
    *asked = (lc_cover_options){.topology = command->create.topology,
                                .max_memory_bytes = command->create.max_memory_bytes,
                                .threads = command->create.threads,
                                .context = context};
    if (asked->threads == 0)
        asked->threads = lc_context_threads(context);
    memcpy(asked->settings, command->create.settings, sizeof asked->settings);
    memcpy(asked->cpu_level, command->create.cpu_level, sizeof asked->cpu_level);
    asked->engine = lc_engine_find(command->create.engine);
    const lc_status status = lc_rule_parse(command->create.rule, &asked->rule, NULL, message);
    if (status != LC_OK)
        return status;
    return asked->engine != NULL ? LC_OK
                                 : lc_fail(message, LC_ERROR_UNSUPPORTED,
                                           "no engine is called \"%s\"", command->create.engine);
}

void lc_rank_part_abilities(const lc_rank_command *command, lc_ranks *ranks, lc_context *context,
                            lc_slab_ability *slabs, lc_rank_reply *reply)
{
    lc_slab_ability own[LC_SLABS_MAX] = {{0}};
    lc_cover_options asked;
    lc_parts parts;
    lc_message why = {0};
    lc_status status = read_command(command, context, &asked, &why);
    if (status == LC_OK)
        status = lc_rank_part_begin(&asked, &parts, &why);
    if (status == LC_OK && parts.blocks != command->create.blocks)
        status = lc_fail(&why, LC_ERROR_UNSUPPORTED,
                         "there are %d blocks here and %d at rank 0: name as many devices for all "
                         "ranks",
                         parts.blocks, command->create.blocks);
    if (status == LC_OK)
        lc_board_slabs_abilities(&asked, &parts, own);
    lc_rule_release(&asked.rule);
    const lc_status sent =
        ranks->gather(ranks, own, slabs, (uint64_t)command->create.blocks * sizeof *own, &why);
    lc_rank_reply_set(reply, status != LC_OK ? status : sent, &why);
}

size_t lc_rank_command_row_count(const lc_rank_command *command, const lc_ranks *ranks)
{
    return (size_t)command->create.blocks * (size_t)ranks->count + 1;
}

lc_status lc_rank_part_create(lc_rank_part **out, const lc_rank_command *command, int64_t *rows,
                              lc_context *context, lc_pool *pool, const lc_engine_watch *watch,
                              lc_message *message)
{
    lc_cover_options asked;
    lc_universe_needs needs;
    *out = NULL;
    lc_rank_part *s = lc_calloc(1, sizeof *s);
    if (s == NULL) {
        lc_free(rows);
        return lc_fail_memory(message, "a universe");
    }
    s->rows = rows;
    s->words = lc_malloc(LC_RANK_COMMAND_WORDS * sizeof *s->words);
    lc_status status = read_command(command, context, &asked, message);
    s->rule = asked.rule;
    if (status == LC_OK)
        status = lc_rank_part_begin(&asked, &s->parts, message);
    s->parts.way = (lc_halo_way)command->create.way;
    s->parts.all_rows = rows;
    memcpy(s->parts.alike, command->create.alike, sizeof s->parts.alike);
    if (status == LC_OK)
        status = lc_board_slabs_check(&asked, &s->parts, &needs, message);
    if (status == LC_OK && pool == NULL && asked.threads != lc_context_threads(context))
        status = lc_pool_create(&s->own_pool, asked.threads);
    if (s->words == NULL || (status == LC_ERROR_MEMORY && needs.memory_bytes == 0))
        status = lc_fail_memory(message, "a universe");
    asked.pool = pool != NULL ? pool : s->own_pool != NULL ? s->own_pool : context->pool;
    asked.watch = watch;
    if (status == LC_OK)
        status = lc_board_slabs_create(&s->cover, &asked, &s->parts, message);
    if (status != LC_OK)
        lc_rank_part_destroy(&s);
    *out = s;
    return status;
}

void lc_rank_part_destroy(lc_rank_part **part)
{
    lc_rank_part *s = *part;
    if (s == NULL)
        return;
    lc_cover_destroy(&s->cover);
    lc_pool_destroy(&s->own_pool);
    lc_rule_release(&s->rule);
    lc_free(s->rows);
    lc_free(s->words);
    lc_free(s);
    *part = NULL;
}

lc_cover *lc_rank_part_cover(const lc_rank_part *part)
{
    return part->cover;
}

void lc_rank_part_describe(const lc_rank_part *part, lc_rank_reply *reply)
{
    lc_universe_info info;
    if (part == NULL)
        return;
    part->cover->vtable->describe(part->cover, &info);
    reply->bytes = info.memory_bytes;
}

// Exchanges the keys of all slabs. If a rank cannot lend its slabs, *keys is NULL on all ranks. The
// caller frees them.
static lc_status share_keys(lc_rank_part *s, lc_ranks *ranks, lc_slab_key **keys,
                            lc_message *message)
{
    const size_t own_bytes = (size_t)s->parts.blocks * sizeof(lc_slab_key);
    const size_t all_bytes = (size_t)ranks->count * own_bytes;
    lc_slab_key own[LC_SLABS_MAX];
    *keys = lc_malloc(all_bytes);
    lc_status status = *keys != NULL ? lc_board_slabs_lend(s->cover, own, message)
                                     : lc_fail_memory(message, "keys of shared memory");
    uint64_t fine = status == LC_OK;
    lc_status sent = ranks->least(ranks, &fine, 1, NULL);
    if (sent == LC_OK && fine)
        sent = ranks->gather(ranks, own, *keys, own_bytes, NULL);
    if (sent == LC_OK && fine)
        sent = ranks->broadcast(ranks, *keys, all_bytes, NULL);
    if (sent == LC_OK && fine)
        return LC_OK;
    lc_free(*keys);
    *keys = NULL;
    return status != LC_OK
               ? status
               : lc_fail(message, LC_ERROR_UNSUPPORTED, "another rank cannot share its memory");
}

static lc_status join(lc_rank_part *s, lc_ranks *ranks, lc_message *message)
{
    lc_slab_key *keys;
    if (s->parts.way == LC_WAY_ROWS)
        return lc_board_slabs_join_rows(s->cover, &s->parts, message);
    const lc_status status = share_keys(s, ranks, &keys, message);
    const lc_status joined = lc_board_slabs_join(s->cover, keys, message);
    lc_free(keys);
    return status != LC_OK ? status : joined;
}

// Cells -------------------------------------------------------------------------------------------

// Sets *out to the rows of a rectangle that a rank holds. Returns false if it holds none.
static bool rows_of_rank(const lc_rank_part *s, int rank, const lc_cells *cells, lc_cells *out)
{
    return lc_cells_between(cells, lc_board_slabs_first_row(&s->parts, rank),
                            lc_board_slabs_first_row(&s->parts, rank + 1), out);
}

static lc_rank_buffer buffer_of(int rank, const lc_cells *cells)
{
    return (lc_rank_buffer){rank, cells->words,
                            (uint64_t)cells->height_cells * cells->pitch_words *
                                sizeof *cells->words};
}

// Returns the rectangle of a command in the part's own memory.
static lc_cells ordered(const lc_rank_part *s, const lc_area *area)
{
    return lc_area_cells(*area, lc_cover_planes(s->cover), s->words);
}

// Copies rows of cells.
static void copy_rows(const lc_cells *to, const lc_cells *from)
{
    const size_t row_words = (size_t)((to->width_cells + 63) / 64);
    for (int64_t j = 0; j < to->height_cells; j++)
        for (int plane = 0; plane < to->planes; plane++)
            memcpy(lc_cells_plane(to, plane, j), lc_cells_plane(from, plane, j),
                   row_words * sizeof *to->words);
}

// Rank 0 receives or sends the other ranks' cells.
static lc_status exchange_with_all(lc_rank_part *s, lc_ranks *ranks, const lc_cells *cells,
                                   bool reads, lc_message *message)
{
    lc_cells packed = ordered(s, &(lc_area){cells->x, cells->y, cells->x + cells->width_cells,
                                            cells->y + cells->height_cells});
    lc_status status = LC_OK;
    if (!reads)
        copy_rows(&packed, cells);
    for (int r = 1; r < ranks->count && status == LC_OK; r++) {
        lc_cells some, place;
        if (!rows_of_rank(s, r, &packed, &some))
            continue;
        const lc_rank_buffer buffer = buffer_of(r, &some);
        status = ranks->exchange(ranks, &buffer, !reads, &buffer, reads, message);
        if (reads && rows_of_rank(s, r, cells, &place))
            copy_rows(&place, &some);
    }
    return status;
}

static lc_status move_cells(lc_rank_part *s, lc_ranks *ranks, const lc_rank_command *command,
                            const lc_cells *cells, lc_message *message)
{
    const bool reads = command->kind == LC_RANK_COMMAND_READ;
    const lc_cells packed = ordered(s, &command->area);
    lc_cells own;
    const bool has_some = rows_of_rank(s, ranks->rank, cells != NULL ? cells : &packed, &own);
    lc_status status = LC_OK, sent = LC_OK;
    const lc_rank_buffer buffer = buffer_of(0, &own);
    if (cells == NULL && has_some && !reads)
        sent = ranks->exchange(ranks, NULL, 0, &buffer, 1, message);
    if (has_some && sent == LC_OK)
        status = reads ? s->cover->vtable->read(s->cover, &own, message)
                       : s->cover->vtable->write(s->cover, &own, message);
    if (cells == NULL && has_some && reads) // even if reading failed: rank 0 waits for it
        sent = ranks->exchange(ranks, &buffer, 1, NULL, 0, status == LC_OK ? message : NULL);
    if (cells != NULL)
        sent = exchange_with_all(s, ranks, cells, reads, status == LC_OK ? message : NULL);
    return status != LC_OK ? status : sent;
}

static lc_status fill(lc_rank_part *s, int rank, const lc_soup *soup, lc_message *message)
{
    lc_soup own = *soup;
    own.area.y0 = lc_greatest(own.area.y0, lc_board_slabs_first_row(&s->parts, rank));
    own.area.y1 = lc_least(own.area.y1, lc_board_slabs_first_row(&s->parts, rank + 1));
    return own.area.y0 < own.area.y1 ? lc_cover_fill(s->cover, &own, message) : LC_OK;
}

// Views -------------------------------------------------------------------------------------------

// Finds the rows of squares that contain rows of a rank. Returns false if there are none.
static bool view_rows_of_rank(const lc_rank_part *s, int rank, const lc_rank_command *command,
                              int64_t *first, int64_t *count)
{
    const int64_t y = command->view.y;
    const int64_t y0 = lc_board_slabs_first_row(&s->parts, rank);
    const int64_t y1 = lc_board_slabs_first_row(&s->parts, rank + 1);
    *first = lc_greatest(0, (y0 - y) >> command->view.log2_side);
    const int64_t last =
        lc_least(command->view.height - 1, (y1 - 1 - y) >> command->view.log2_side);
    *count = last - *first + 1;
    return *count > 0;
}

// Counts the cells of a rank; counts[0] belongs to its first row of squares, *first.
static lc_status look(lc_rank_part *s, const lc_rank_command *command, int rank, uint32_t *counts,
                      int64_t *first, int64_t *count, lc_message *message)
{
    if (!view_rows_of_rank(s, rank, command, first, count))
        return LC_OK;
    const lc_view squares = {.x = command->view.x,
                             .y = command->view.y + (*first << command->view.log2_side),
                             .log2_side = command->view.log2_side,
                             .width = command->view.width,
                             .height = *count,
                             .counts = counts};
    return s->cover->vtable->view(s->cover, &squares, message);
}

static lc_status view(lc_rank_part *s, lc_ranks *ranks, const lc_rank_command *command,
                      uint32_t *counts, lc_message *message)
{
    uint32_t *looked = (uint32_t *)s->words;
    const int64_t width = command->view.width;
    int64_t first, count;
    lc_status status = look(s, command, ranks->rank, looked, &first, &count, message), sent = LC_OK;
    if (counts == NULL) {
        const lc_rank_buffer buffer = {0, looked, (uint64_t)(count * width) * sizeof *looked};
        return count <= 0
                   ? status
                   : ranks->exchange(ranks, &buffer, 1, NULL, 0, status == LC_OK ? message : NULL);
    }
    memset(counts, 0, (size_t)(width * command->view.height) * sizeof *counts);
    for (int r = 0; r < ranks->count && sent == LC_OK; r++) {
        if (!view_rows_of_rank(s, r, command, &first, &count))
            continue;
        const lc_rank_buffer buffer = {r, looked, (uint64_t)(count * width) * sizeof *looked};
        if (r > 0)
            sent = ranks->exchange(ranks, NULL, 0, &buffer, 1, status == LC_OK ? message : NULL);
        for (int64_t i = 0; i < count * width; i++)
            counts[first * width + i] += looked[i];
    }
    return status != LC_OK ? status : sent;
}

void lc_rank_part_execute(lc_rank_part *s, lc_ranks *ranks, const lc_rank_command *command,
                          const lc_cells *cells, uint32_t *counts, lc_rank_reply *reply)
{
    lc_message why = {0};
    lc_status status = LC_OK;
    lc_cover *cover = s->cover;
    switch (command->kind) {
    case LC_RANK_COMMAND_JOIN:
        status = join(s, ranks, &why);
        break;
    case LC_RANK_COMMAND_ADVANCE:
        status = cover->vtable->advance(cover, command->generations, &reply->done, &why);
        break;
    case LC_RANK_COMMAND_READ:
    case LC_RANK_COMMAND_WRITE:
        status = move_cells(s, ranks, command, cells, &why);
        break;
    case LC_RANK_COMMAND_FILL:
        status = fill(s, ranks->rank, &command->soup, &why);
        break;
    case LC_RANK_COMMAND_FACTS:
        status = cover->vtable->facts(cover, command->which, &reply->facts, &why);
        break;
    case LC_RANK_COMMAND_VIEW:
        status = view(s, ranks, command, counts, &why);
        break;
    default:
        status = lc_fail(&why, LC_ERROR_UNSUPPORTED, "ranks of different versions of lightcone");
    }
    lc_rank_reply_set(reply, status, &why);
}

// Collective operations --------------------------------------------------------------------------

enum { PASSED_ON_BYTES = 1 << 28 }; // at a time

lc_status lc_rank_broadcast(lc_ranks *ranks, void *data, uint64_t bytes, bool *passed,
                            lc_message *message)
{
    uint64_t have_room = data != NULL;
    lc_status status = ranks->least(ranks, &have_room, 1, message);
    *passed = have_room;
    for (uint64_t at = 0; at < bytes && have_room && status == LC_OK; at += PASSED_ON_BYTES) {
        const uint64_t some = bytes - at < PASSED_ON_BYTES ? bytes - at : PASSED_ON_BYTES;
        status = ranks->broadcast(ranks, (char *)data + at, some, message);
    }
    return status;
}

void lc_rank_part_run_collective(lc_rank_part *s, lc_ranks *ranks, lc_collective_work *work,
                                 const lc_collective *collective, lc_rank_reply *reply)
{
    lc_message why = {0};
    const lc_area held = {0, lc_board_slabs_first_row(&s->parts, ranks->rank),
                          s->cover->asked.topology.width_cells,
                          lc_board_slabs_first_row(&s->parts, ranks->rank + 1)};
    const lc_status status = work(collective, s->cover, held, ranks, &why);
    lc_rank_reply_set(reply, status, &why);
}
