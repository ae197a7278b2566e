// Chooses the height of windows, and the depth of their halos.
//
// A window takes four bits of memory a cell and plane: two for the block's engine, one for reading
// ahead and one for writing. It is as high as memory allows, but at most a share of the board,
// because a window of nearly all rows leaves nothing to read ahead. The depth is chosen for each
// pass so that stepping takes about as long as reading and writing. Deeper halos waste work.
#include <stdlib.h>
#include <string.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "cover/disk/disk_board_internal.h"
#include "grid/frame.h"

static const uint64_t cache_bytes = 64 << 20;
static const int64_t first_share = 16; // of a window: the depth of the first pass
static const int64_t least_windows = 8;
static const int64_t even_columns = 128; // so that engines can move rows without shifting bits

// Settings ---------------------------------------------------------------------------------------

static bool take_number(const char *item, const char *key, uint64_t least, uint64_t *value)
{
    char *end;
    const size_t length = strlen(key);
    if (strncmp(item, key, length) != 0 || item[length] < '0' || item[length] > '9')
        return false;
    *value = strtoull(item + length, &end, 10);
    return (*end == '\0' || *end == ',') && *value >= least && *value <= INT64_MAX / 2;
}

static bool is_word(const char *item, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(item, word, length) == 0 && (item[length] == '\0' || item[length] == ',');
}

lc_status lc_disk_board_parse(const char *text, lc_disk_board_settings *settings,
                              lc_message *message)
{
    *settings = (lc_disk_board_settings){0};
    for (const char *item = text; *item != '\0';) {
        uint64_t value;
        if (take_number(item, "rows=", 1, &value))
            settings->rows = (int64_t)value;
        else if (take_number(item, "depth=", 1, &value))
            settings->depth = (int64_t)value;
        else if (take_number(item, "band=", 1, &value))
            settings->band_bytes = value;
        else if (is_word(item, "io=threads"))
            settings->ways.no_ring = true;
        else if (is_word(item, "io=ring"))
            settings->ways.no_ring = false;
        else if (is_word(item, "cached"))
            settings->ways.no_direct = true;
        else if (is_word(item, "previous"))
            settings->previous = true;
        else
            return lc_fail_setting(message, item,
                                   "rows=N, depth=N, band=BYTES, io=ring, io=threads, cached and "
                                   "previous",
                                   "a board on disk");
        item += strcspn(item, ",");
        item += *item == ',';
    }
    return LC_OK;
}

// Layout -----------------------------------------------------------------------------------------

static int64_t rounded_down(int64_t value, int64_t unit)
{
    return value / unit * unit;
}

lc_cover_options lc_disk_board_block_options(const lc_cover_options *asked,
                                             const lc_disk_board_layout *l)
{
    lc_cover_options o = *asked;
    o.disk = o.disk_settings = NULL;
    o.is_part = true;
    o.max_memory_bytes = l->block_bytes;
    if (l->way == LC_DISK_BOARD_WHOLE)
        return o;
    const bool is_plane = asked->topology.kind == LC_TOPOLOGY_PLANE;
    o.topology = (lc_topology){.kind = is_plane ? LC_TOPOLOGY_PLANE : LC_TOPOLOGY_TORUS,
                               .width_cells = asked->topology.width_cells + 2 * l->beside,
                               .height_cells = l->rows};
    return o;
}

uint64_t lc_disk_board_limit(const lc_cover_options *asked)
{
    if (asked->max_memory_bytes != 0)
        return asked->max_memory_bytes;
    const uint64_t machine_bytes = lc_memory_of_machine();
    return machine_bytes != 0 ? machine_bytes / 2 : (uint64_t)2 << 30;
}

// Counts the memory of buffers for windows of that many bands. Returns false on overflow.
static bool count_buffers(lc_disk_board_layout *l, uint64_t window_bands)
{
    const uint64_t band = l->shape.band_bytes;
    // A window that begins and ends on a seam has three pieces, each with a part of a band at
    // either end.
    l->buffer_bands = l->way == LC_DISK_BOARD_WHOLE ? window_bands : window_bands + 6;
    l->cache_bands = lc_least_u64(LC_DISK_BOARD_CACHE, cache_bytes / band);
    if (l->cache_bands < 4)
        l->cache_bands = 4;
    uint64_t bands;
    return lc_mul_u64(l->buffer_bands, 2, &bands) && lc_add_u64(bands, l->cache_bands, &bands) &&
           lc_mul_u64(bands, band, &l->bytes) &&
           lc_add_u64(l->bytes, LC_CHUNKS_ALIGN_BYTES, &l->bytes);
}

// Whether a layout fits into memory. A block on a GPU uses the GPU's memory.
static bool fits(const lc_cover_options *asked, lc_disk_board_layout *l, uint64_t window_bands,
                 lc_status *status, lc_message *message)
{
    const uint64_t all = lc_disk_board_limit(asked), index = lc_chunks_memory_bytes(&l->shape);
    const uint64_t limit = all > index ? all - index : 0;
    if (!count_buffers(l, window_bands) || l->bytes >= limit) {
        *status =
            lc_fail_limit(message, l->bytes + index, all,
                          "reading and writing %lld rows at a time needs", (long long)l->rows);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        l->block_bytes = i == 0 ? asked->max_memory_bytes : limit - l->bytes;
        const lc_cover_options block = lc_disk_board_block_options(asked, l);
        *status = lc_cover_check(&block, (lc_area){0}, &l->needs, message);
        if (*status != LC_OK || l->needs.on_gpu)
            break;
    }
    return *status == LC_OK;
}

// Finds the highest window that fits, of `least` to `most` bands.
static lc_status choose_rows(const lc_cover_options *asked, lc_disk_board_layout *l, int64_t least,
                             int64_t most, lc_message *message)
{
    lc_status status = LC_OK;
    const int64_t unit = l->shape.band_rows;
    int64_t best = 0, low = least, high = most;
    while (low <= high) {
        const int64_t middle = low + (high - low) / 2;
        lc_disk_board_layout tried = *l;
        tried.rows = middle * unit;
        if (fits(asked, &tried, (uint64_t)middle, &status, message)) {
            *l = tried;
            best = middle;
            low = middle + 1;
        } else if (status != LC_ERROR_LIMIT) {
            return status;
        } else {
            high = middle - 1;
        }
    }
    return best > 0 ? LC_OK : status;
}

static lc_disk_board_way way_of(const lc_topology *t)
{
    const lc_frame frame = lc_frame_of(t);
    return lc_frame_is_open(&frame) ? LC_DISK_BOARD_UNFOLDED : LC_DISK_BOARD_STRIPS;
}

// Windows and halos are whole bands, so a small board has small ones.
static uint64_t band_bytes(const lc_cover_options *asked, const lc_disk_board_settings *settings)
{
    const lc_topology *t = &asked->topology;
    const double board_bytes =
        (double)t->width_cells / 8 * (double)t->height_cells * lc_rule_traits(asked->rule)->planes;
    if (settings->band_bytes != 0)
        return settings->band_bytes;
    return board_bytes / 256 < LC_CHUNKS_BAND_BYTES ? (uint64_t)(board_bytes / 256)
                                                    : LC_CHUNKS_BAND_BYTES;
}

lc_status lc_disk_board_lay_out(const lc_cover_options *asked,
                                const lc_disk_board_settings *settings,
                                const lc_chunks_shape *shape, lc_disk_board_layout *l,
                                lc_message *message)
{
    const lc_topology *t = &asked->topology;
    lc_status status = LC_OK;
    *l = (lc_disk_board_layout){.way = LC_DISK_BOARD_WHOLE, .rows = t->height_cells};
    if (shape != NULL)
        l->shape = *shape;
    else
        status = lc_chunks_lay_out(t->height_cells, lc_disk_board_row_words(asked->rule, t),
                                   band_bytes(asked, settings), &l->shape, message);
    if (status != LC_OK)
        return status;
    const int64_t unit = l->shape.band_rows, bands = l->shape.band_count;
    if (settings->rows == 0 || settings->rows >= t->height_cells) {
        if (fits(asked, l, (uint64_t)bands, &status, message))
            return LC_OK;
        if (status != LC_ERROR_LIMIT)
            return status;
    }
    const lc_disk_board_layout whole = *l;
    l->way = way_of(t);
    // An inside of one band with halos of one band each, or the requested size.
    int64_t least = 3, most = t->height_cells / unit;
    if (settings->depth != 0)
        least = 1 + 2 * lc_rounded_up(settings->depth, unit) / unit;
    if (settings->rows != 0)
        most = lc_least(most, rounded_down(settings->rows, unit) / unit);
    else
        most = lc_least(most, lc_greatest(most / least_windows, least));
    if (l->way == LC_DISK_BOARD_UNFOLDED) {
        // The number of halo columns does not depend on the height: a sixteenth of the board, at
        // least one band.
        const int64_t wanted =
            settings->depth != 0 ? settings->depth : lc_greatest(t->width_cells / 16, unit);
        l->beside = lc_rounded_up(lc_least(wanted, 1 << 14), even_columns);
    }
    if (least > most) {
        if (settings->rows != 0)
            return lc_fail(message, LC_ERROR_ARGUMENT,
                           "windows of %lld rows are too low: bands have %lld rows, and a window "
                           "has %lld bands at least, within the board's %lld rows",
                           (long long)settings->rows, (long long)unit, (long long)least,
                           (long long)t->height_cells);
        *l = whole; // the message says why it does not fit
        return status;
    }
    status = choose_rows(asked, l, least, most, message);
    if (status != LC_OK)
        return status;
    l->most_depth = rounded_down((l->rows - unit) / 2, unit);
    if (settings->depth != 0)
        l->most_depth = lc_least(l->most_depth, lc_rounded_up(settings->depth, unit));
    return LC_OK;
}

// Depth ------------------------------------------------------------------------------------------

// Returns the time of a pass from the measured rates, and the bytes that it moves. Stepping
// overlaps with reading and writing, except for reading the first window and writing the last one.
static double parts_ns(const lc_disk_board *s, int64_t depth, uint64_t generations, double *bytes)
{
    const lc_disk_board_layout *l = &s->lay;
    const lc_topology *t = &s->base.asked.topology;
    const double inside = (double)(l->rows - 2 * depth), height = (double)t->height_cells;
    const double windows = (height / inside < 1 ? 1 : height / inside) * s->rates.live;
    const double cells = windows * (double)l->rows * (double)(t->width_cells + 2 * l->beside);
    const double row_bytes = (double)l->shape.pitch_words * 8;
    *bytes = row_bytes * (windows * (double)l->rows + height * s->rates.live);
    const double stepping =
        cells * (double)generations * s->rates.cell_ns + *bytes * s->rates.copy_ns;
    const double moving = *bytes * s->rates.byte_ns;
    const double ends = row_bytes * ((double)l->rows + inside) * s->rates.byte_ns;
    return (stepping > moving ? stepping : moving) + ends;
}

// Returns the time of the last pass of that depth and length; or a prediction from the rates and
// from what the last pass took beyond them.
static double pass_ns(const lc_disk_board *s, int64_t depth, uint64_t generations)
{
    // A prediction must be better than a measured time by more than this.
    static const double doubt = 1.03;
    for (uint64_t i = 1; i <= LC_DISK_BOARD_TAKEN && i <= s->passes; i++) {
        const lc_disk_board_taken *t = &s->taken[(s->passes - i) % LC_DISK_BOARD_TAKEN];
        if (t->depth == depth && t->generations == generations)
            return t->ns;
    }
    double bytes;
    const double parts = parts_ns(s, depth, generations, &bytes);
    const double ns = parts + bytes * s->rates.rest_ns;
    return (ns > parts / 2 ? ns : parts / 2) * doubt;
}

void lc_disk_board_learn(lc_disk_board *s, int64_t depth, uint64_t generations, double taken_ns)
{
    double bytes;
    const double parts = parts_ns(s, depth, generations, &bytes);
    lc_disk_board_taken *taken = &s->taken[s->passes++ % LC_DISK_BOARD_TAKEN];
    *taken = (lc_disk_board_taken){.generations = 0};
    if (parts > 0 && bytes > 0) {
        s->rates.rest_ns = (taken_ns - parts) / bytes;
        *taken = (lc_disk_board_taken){depth, generations, taken_ns};
    }
}

// Divides the generations into passes of one length, with at most that depth.
static int64_t cut_into_passes(const lc_disk_board *s, int64_t most_depth, uint64_t wanted,
                               uint64_t *generations, double *passes)
{
    const lc_rule *rule = s->base.asked.rule;
    int64_t cells = s->settings.depth != 0 ? lc_least(most_depth, s->settings.depth) : most_depth;
    if (s->lay.way == LC_DISK_BOARD_UNFOLDED)
        cells = lc_least(cells, s->lay.beside);
    const uint64_t most = lc_rule_halo_generations(rule, cells);
    const uint64_t count = wanted / most + (wanted % most != 0);
    *generations = wanted / count + (wanted % count != 0);
    *passes = (double)wanted / (double)*generations;
    return lc_least(most_depth,
                    lc_rounded_up(lc_rule_halo_cells(rule, *generations), s->lay.shape.band_rows));
}

int64_t lc_disk_board_choose_depth(const lc_disk_board *s, uint64_t wanted, uint64_t *generations)
{
    const lc_disk_board_layout *l = &s->lay;
    const int64_t unit = l->shape.band_rows;
    int64_t best = lc_least(lc_rounded_up(l->rows / first_share, unit), l->most_depth);
    double passes;
    if (s->settings.depth != 0) {
        best = lc_least(lc_rounded_up(s->settings.depth, unit), l->most_depth);
    } else if (s->rates.cell_ns > 0 && s->rates.byte_ns > 0) {
        double least_ns = 0;
        for (int64_t most = unit; most <= l->most_depth; most += unit) {
            const int64_t depth = cut_into_passes(s, most, wanted, generations, &passes);
            const double ns = passes * pass_ns(s, depth, *generations);
            if (most == unit || ns < least_ns) {
                least_ns = ns;
                best = most;
            }
        }
    }
    return cut_into_passes(s, best, wanted, generations, &passes);
}
