// Creates, opens, commits and describes a board on disk.
#include "cover/disk/disk_board_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "cover/block/one_block.h"
#include "cover/disk/disk_board.h"
#include "cover/halo_unfold.h"
#include "ranks/rank_calls.h"

static const lc_cover_vtable lc_cover_disk_board;

// A folder stands for the file board.lcd in it.
static lc_status name_file(const char *path, char name[PATH_MAX], lc_message *message)
{
    struct stat facts;
    const bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    const size_t length = strlen(path);
    const bool has_slash = length > 0 && path[length - 1] == '/';
    const int written = snprintf(name, PATH_MAX, "%s%s%s", path, is_folder && !has_slash ? "/" : "",
                                 is_folder ? "board.lcd" : "");
    return written >= 0 && written < PATH_MAX
               ? LC_OK
               : lc_fail(message, LC_ERROR_ARGUMENT, "the path of the board is too long");
}

// The note ---------------------------------------------------------------------------------------
//
//     byte 0     u64[4]   generation
//          32    text     rule and topology, as lc_rule_format writes them, and a 0

enum { TEXT_BYTE = 32 };

static void write_note(const lc_rule *rule, const lc_topology *topology, lc_count generation,
                       unsigned char note[LC_CHUNKS_NOTE_BYTES])
{
    char text[LC_RULE_TEXT_BYTES] = {0};
    memset(note, 0, LC_CHUNKS_NOTE_BYTES);
    memcpy(note, generation.words, sizeof generation.words); // such machines are little-endian
    lc_rule_format(rule, topology, text);
    memcpy(note + TEXT_BYTE, text, sizeof text);
}

static lc_status read_note(const unsigned char note[LC_CHUNKS_NOTE_BYTES],
                           const lc_chunks_shape *shape, const char *path,
                           char rule_text[LC_RULE_TEXT_BYTES], lc_topology *topology,
                           lc_count *generation, lc_message *message)
{
    char text[LC_RULE_TEXT_BYTES];
    lc_message why = {0};
    memcpy(generation->words, note, sizeof generation->words);
    memcpy(text, note + TEXT_BYTE, sizeof text);
    text[sizeof text - 1] = '\0';
    const lc_rule *rule;
    const lc_status status = lc_rule_parse(text, &rule, topology, &why);
    if (status != LC_OK)
        return lc_fail(message, status, "%.150s: its rule: %.120s", path, why.text);
    lc_rule_format(rule, NULL, rule_text);
    const uint64_t row_words = lc_disk_board_row_words(rule, topology);
    lc_rule_release(&rule);
    if (topology->height_cells != shape->rows || row_words != shape->row_words)
        return lc_fail(message, LC_ERROR_FORMAT,
                       "%.150s: its rule states another size than the cells have", path);
    return LC_OK;
}

lc_status lc_disk_board_keep(lc_disk_board *s, lc_count generation, lc_message *message)
{
    unsigned char note[LC_CHUNKS_NOTE_BYTES];
    const lc_cover_options *asked = &s->base.asked;
    write_note(asked->rule, &asked->topology, generation, note);
    return lc_chunks_commit(s->chunks, note, message);
}

bool lc_disk_board_is_file(const char *path)
{
    char name[PATH_MAX];
    return name_file(path, name, NULL) == LC_OK && lc_chunks_is_file(name);
}

static lc_status look(const char *path, bool previous, lc_disk_info *info, lc_message *message)
{
    unsigned char note[LC_CHUNKS_NOTE_BYTES];
    lc_chunks_shape shape;
    char name[PATH_MAX];
    lc_status status = name_file(path, name, message);
    if (status == LC_OK)
        status = lc_chunks_read_header(name, previous, &shape, note, message);
    if (status != LC_OK)
        return status;
    info->file_bytes = lc_chunks_file_bytes(&shape);
    return read_note(note, &shape, path, info->rule_text, &info->topology, &info->generation,
                     message);
}

// If the newest state is damaged, the message names the one before it.
static lc_status name_previous(const char *path, lc_status refusal, lc_message *message)
{
    lc_disk_info info;
    char number[LC_COUNT_TEXT_BYTES];
    if (refusal != LC_ERROR_FORMAT || message == NULL || look(path, true, &info, NULL) != LC_OK)
        return refusal;
    const lc_message why = *message;
    lc_count_format(info.generation, number);
    return lc_fail(message, refusal,
                   "%.150s; the state kept before it, generation %s, can be opened (--previous)",
                   why.text, number);
}

lc_status lc_disk_board_info(const char *path, const char *text, lc_disk_info *info,
                             lc_message *message)
{
    lc_disk_board_settings settings;
    lc_status status = lc_disk_board_parse(text != NULL ? text : "", &settings, message);
    if (status != LC_OK)
        return status;
    status = look(path, settings.previous, info, message);
    return settings.previous ? status : name_previous(path, status, message);
}

static bool is_disk_board(const lc_cover *cover)
{
    return cover->vtable == &lc_cover_disk_board;
}

lc_status lc_disk_board_keep_now(lc_cover *cover, lc_message *message)
{
    if (!is_disk_board(cover))
        return LC_OK;
    lc_disk_board *s = lc_disk_board_of(cover);
    char rule[LC_RULE_TEXT_BYTES];
    lc_topology topology;
    lc_count kept;
    const lc_status status = lc_disk_board_flush(s, message);
    if (status != LC_OK)
        return status;
    if (lc_chunks_is_read_only(s->chunks)) // so there is no change to commit
        return LC_OK;
    const bool is_kept = read_note(lc_chunks_note(s->chunks), &s->lay.shape, "", rule, &topology,
                                   &kept, NULL) == LC_OK;
    if (is_kept && lc_count_compare(kept, cover->generation) == 0 &&
        !lc_chunks_has_uncommitted(s->chunks))
        return LC_OK;
    return lc_disk_board_keep(s, cover->generation, message);
}

bool lc_disk_board_was_kept(const lc_cover *cover)
{
    const lc_disk_board *s = lc_disk_board_of(cover);
    return is_disk_board(cover) && lc_chunks_note(s->chunks)[TEXT_BYTE] != 0;
}

// Creation ----------------------------------------------------------------------------------------

static lc_status check(const lc_cover_options *asked, lc_disk_board_settings *settings,
                       lc_message *message)
{
    const lc_topology *t = &asked->topology;
    const lc_ranks *ranks = asked->context != NULL ? asked->context->options.ranks : NULL;
    if (t->width_cells == 0 || t->height_cells == 0)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a board on disk has a size: this universe has no end");
    if (ranks != NULL && lc_ranks_count(ranks) > 1)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "a board on disk is stepped by one process, not by several ranks");
    if (asked->engine != NULL && asked->engine->plane != NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the engine \"%s\" holds its cells in a way of its own, and not on disk",
                       asked->engine->name);
    return lc_disk_board_parse(asked->disk_settings != NULL ? asked->disk_settings : "", settings,
                               message);
}

lc_status lc_disk_board_check(const lc_cover_options *asked, lc_universe_needs *needs,
                              lc_message *message)
{
    lc_disk_board_settings settings;
    lc_disk_board_layout layout;
    lc_status status = check(asked, &settings, message);
    if (status == LC_OK)
        status = lc_disk_board_lay_out(asked, &settings, NULL, &layout, message);
    if (status == LC_OK) {
        *needs = layout.needs;
        needs->memory_bytes +=
            needs->on_gpu ? 0 : layout.bytes + lc_chunks_memory_bytes(&layout.shape);
    }
    return status;
}

static void destroy(lc_cover *cover)
{
    lc_disk_board *s = lc_disk_board_of(cover);
    lc_cover_destroy(&s->block);
    lc_chunks_close(&s->chunks);
    lc_context_free(s->base.asked.context, s->memory, (size_t)s->lay.bytes);
    lc_free(s->strip);
    lc_free(s->overview.counts);
    lc_free(s);
}

static lc_status furnish(lc_disk_board *s, lc_message *message)
{
    const uint64_t band_words = s->lay.shape.band_bytes / 8;
    char text[LC_SIZE_TEXT_BYTES];
    s->memory = lc_context_alloc(s->base.asked.context, (size_t)s->lay.bytes);
    s->strip = lc_malloc(LC_STRIP_WORDS * sizeof *s->strip);
    if (s->memory == NULL || s->strip == NULL)
        return lc_fail_memory(message, "buffers of %s", lc_size_text(s->lay.bytes, text));
    const uintptr_t align = LC_CHUNKS_ALIGN_BYTES, at = (uintptr_t)s->memory;
    uint64_t *free_words = s->memory + ((align - at % align) % align) / sizeof *s->memory;
    for (int i = 0; i < 2; i++, free_words += s->lay.buffer_bands * band_words)
        s->buffers[i] = free_words;
    for (uint64_t i = 0; i < s->lay.cache_bands; i++, free_words += band_words)
        s->cache[i] = (lc_disk_board_slot){.band = -1, .words = free_words};
    lc_disk_board_forget(s);
    lc_cover_options block = lc_disk_board_block_options(&s->base.asked, &s->lay);
    block.watch = &s->watch;
    return lc_cover_create(&s->block, &block, (lc_area){0}, message);
}

// Opens the file in the requested state.
static lc_status open_state(lc_disk_board *s, const char *path, lc_message *message)
{
    char rule[LC_RULE_TEXT_BYTES];
    lc_topology topology;
    char number[LC_COUNT_TEXT_BYTES];
    const bool previous = s->settings.previous;
    lc_status status = lc_chunks_open(&s->chunks, path, &s->settings.ways, previous,
                                      lc_disk_board_limit(&s->base.asked), message);
    if (status == LC_OK)
        status = read_note(lc_chunks_note(s->chunks), lc_chunks_get_shape(s->chunks), path, rule,
                           &topology, &s->base.generation, message);
    if (status != LC_OK)
        return previous ? status : name_previous(path, status, message);
    lc_count_format(s->base.generation, number);
    switch (lc_chunks_get_opened(s->chunks)) {
    case LC_CHUNKS_PREVIOUS:
        snprintf(s->note, sizeof s->note,
                 "this is the state kept before the newest one, generation %.20s", number);
        break;
    case LC_CHUNKS_DOUBTFUL:
        snprintf(s->note, sizeof s->note,
                 "a header is damaged: there may have been a newer state than generation %.20s",
                 number);
        break;
    default:
        break;
    }
    return LC_OK;
}

static lc_status ignore(void *context, const uint64_t *words, int64_t y, int64_t rows,
                        lc_message *message)
{
    (void)context;
    (void)words;
    (void)y;
    (void)rows;
    (void)message;
    return LC_OK;
}

// Bands of an older state may have been overwritten. Stepping destroys the newest state, so the
// whole older state is read first.
static lc_status check_whole(lc_disk_board *s, lc_message *message)
{
    if (lc_chunks_get_opened(s->chunks) == LC_CHUNKS_NEWEST)
        return LC_OK;
    return lc_disk_board_look_through(s, 0, s->lay.shape.band_count, ignore, NULL, message);
}

lc_status lc_disk_board_create(lc_cover **out, const lc_cover_options *asked, lc_message *message)
{
    char path[PATH_MAX];
    *out = NULL;
    lc_disk_board *s = lc_calloc(1, sizeof *s);
    if (s == NULL)
        return lc_fail_memory(message, "a universe");
    s->base = (lc_cover){.vtable = &lc_cover_disk_board, .asked = *asked};
    s->base.asked.disk = s->base.asked.disk_settings = NULL; // they belong to the caller
    lc_status status = check(asked, &s->settings, message);
    if (status == LC_OK)
        status = name_file(asked->disk, path, message);
    if (status == LC_OK && asked->disk_exists)
        status = open_state(s, path, message);
    else if (status == LC_OK && s->settings.previous)
        status = lc_fail(message, LC_ERROR_ARGUMENT,
                         "a board on disk that begins has no previous state");
    const lc_chunks_shape *shape = s->chunks != NULL ? lc_chunks_get_shape(s->chunks) : NULL;
    if (status == LC_OK)
        status = lc_disk_board_lay_out(asked, &s->settings, shape, &s->lay, message);
    if (status == LC_OK && s->chunks == NULL)
        status = lc_chunks_create(&s->chunks, path, &s->lay.shape, &s->settings.ways, message);
    if (status == LC_OK)
        status = furnish(s, message);
    if (status == LC_OK && asked->disk_exists)
        status = check_whole(s, message);
    if (status != LC_OK) {
        destroy(&s->base);
        return status;
    }
    *out = &s->base;
    return LC_OK;
}

// Description -------------------------------------------------------------------------------------

static bool reads_are_slow(const lc_cover *cover)
{
    (void)cover;
    return true;
}

static void describe(const lc_cover *cover, lc_universe_info *info)
{
    const lc_disk_board *s = lc_disk_board_of(cover);
    s->block->vtable->describe(s->block, info);
    info->memory_bytes += s->lay.bytes + lc_chunks_memory_bytes(&s->lay.shape);
}

static uint64_t limit_bytes(const lc_cover *cover)
{
    const lc_disk_board *s = lc_disk_board_of(cover);
    return s->base.asked.max_memory_bytes != 0 ? s->base.asked.max_memory_bytes
                                               : s->block->vtable->limit_bytes(s->block);
}

static lc_status failure(const lc_cover *cover, lc_message *message)
{
    const lc_disk_board *s = lc_disk_board_of(cover);
    return s->block->vtable->failure(s->block, message);
}

bool lc_disk_board_describe(const lc_cover *cover, lc_disk_facts *facts)
{
    if (!is_disk_board(cover))
        return false;
    const lc_disk_board *s = lc_disk_board_of(cover);
    const lc_chunks_traffic traffic = lc_chunks_get_traffic(s->chunks);
    *facts = (lc_disk_facts){
        .path = lc_chunks_path(s->chunks),
        .way = lc_chunks_io_method(s->chunks),
        .file_bytes = lc_chunks_file_bytes(&s->lay.shape),
        .window_rows = s->lay.rows,
        .depth = s->lay.way == LC_DISK_BOARD_WHOLE ? 0 : s->depth,
        .passes = s->passes,
        .read_bytes = traffic.read_bytes,
        .written_bytes = traffic.written_bytes,
        .moving_ns = traffic.busy_ns,
        .note = s->note,
    };
    return true;
}

static const lc_cover_vtable lc_cover_disk_board = {
    .destroy = destroy,
    .area = lc_bounded_area,
    .include = lc_complete_include,
    .prepare = lc_bounded_prepare,
    .advance = lc_disk_board_advance,
    .read = lc_disk_board_read,
    .write = lc_disk_board_write,
    .fill = lc_disk_board_fill,
    .seek = lc_disk_board_seek,
    .facts = lc_disk_board_facts,
    .view = lc_disk_board_view,
    .reads_are_slow = reads_are_slow,
    .describe = describe,
    .limit_bytes = limit_bytes,
    .failure = failure,
};
