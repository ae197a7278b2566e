// Clips: made from universes and patterns, turned by squares of 64 x 64 bits.
//
// A pattern is read twice. The first time only its bounding box is kept, so a file that says
// "999999999o" is refused before memory is allocated. The second time the cells are written.
#include "lightcone/clip.h"

#include <stdlib.h>
#include <string.h>

#include "edit/edit_area.h"
#include "grid/grid.h"

struct lc_clip {
    lc_cells cells;
};

static lc_status check_size(uint64_t width, uint64_t height, lc_message *message)
{
    if (width > LC_CLIP_SIDE_MAX || height > LC_CLIP_SIDE_MAX || width * height > LC_CLIP_CELLS_MAX)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%llu x %llu cells are too many to copy: at most 2^24 a side and "
                       "2^30 in all",
                       (unsigned long long)width, (unsigned long long)height);
    return LC_OK;
}

static size_t word_count(const lc_clip *clip)
{
    return (size_t)clip->cells.height_cells * clip->cells.pitch_words;
}

lc_status lc_clip_create(lc_clip **out, int64_t width, int64_t height, lc_message *message)
{
    *out = NULL;
    if (width < 1 || height < 1)
        return lc_fail(message, LC_ERROR_ARGUMENT, "invalid size of a clip: %lld x %lld cells",
                       (long long)width, (long long)height);
    lc_status status = check_size((uint64_t)width, (uint64_t)height, message);
    if (status != LC_OK)
        return status;
    lc_clip *clip = malloc(sizeof *clip);
    if (clip != NULL) {
        clip->cells = (lc_cells){.width_cells = width,
                                 .height_cells = height,
                                 .planes = 1,
                                 .pitch_words = (size_t)(width + 63) / 64};
        clip->cells.words = calloc(word_count(clip), sizeof *clip->cells.words);
        if (clip->cells.words != NULL) {
            *out = clip;
            return LC_OK;
        }
        free(clip);
    }
    return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a clip of %lld x %lld cells",
                   (long long)width, (long long)height);
}

void lc_clip_destroy(lc_clip **clip)
{
    if (clip != NULL && *clip != NULL) {
        free((*clip)->cells.words);
        free(*clip);
        *clip = NULL;
    }
}

const lc_cells *lc_clip_cells(const lc_clip *clip)
{
    return &clip->cells;
}

static uint64_t *row_of(const lc_clip *clip, int64_t y)
{
    return lc_cells_row(&clip->cells, y);
}

lc_status lc_clip_copy(lc_clip **out, const lc_clip *clip, lc_message *message)
{
    lc_status status =
        lc_clip_create(out, clip->cells.width_cells, clip->cells.height_cells, message);
    if (status == LC_OK)
        memcpy((*out)->cells.words, clip->cells.words,
               word_count(clip) * sizeof *clip->cells.words);
    return status;
}

uint64_t lc_clip_population(const lc_clip *clip)
{
    uint64_t population = 0;
    for (size_t i = 0; i < word_count(clip); i++)
        population += (uint64_t)__builtin_popcountll(clip->cells.words[i]);
    return population;
}

// Finds the first live cell of a row of `length` cells, and the end of the last one. Returns false
// if there is none.
static bool find_ends(const uint64_t *words, int64_t length, int64_t *begin, int64_t *end)
{
    int64_t first = 0, last = (length - 1) / 64;
    while (first <= last && words[first] == 0)
        first++;
    if (first > last)
        return false;
    while (words[last] == 0)
        last--;
    *begin = first * 64 + __builtin_ctzll(words[first]);
    *end = last * 64 + 64 - __builtin_clzll(words[last]);
    return true;
}

lc_box lc_clip_box(const lc_clip *clip)
{
    lc_area box = {0};
    for (int64_t y = 0; y < clip->cells.height_cells; y++) {
        int64_t begin, end;
        if (find_ends(row_of(clip, y), clip->cells.width_cells, &begin, &end))
            box = lc_area_union(box, (lc_area){begin, y, end, y + 1});
    }
    return lc_area_is_empty(box)
               ? (lc_box){.empty = true}
               : (lc_box){false, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0};
}

// Copying ------------------------------------------------------------------------------------

static lc_status read_part(const lc_universe *universe, const lc_cells *cells, int64_t x, int64_t y,
                           lc_message *message)
{
    lc_cells part = *cells;
    part.x = x;
    part.y = y;
    return lc_universe_read(universe, &part, message);
}

// ORs `count` cells into a row, from cell `at` on. Dead cells may lie beyond both ends of the row.
static void put_cells(uint64_t *row, int64_t at, const uint64_t *cells, int64_t count)
{
    const int64_t place = at & 63, word = at >> 6;
    for (int64_t i = 0; i < (count + 63) / 64; i++) {
        const uint64_t low = cells[i] << place, high = place != 0 ? cells[i] >> (64 - place) : 0;
        if (low != 0)
            row[word + i] |= low;
        if (high != 0)
            row[word + i + 1] |= high;
    }
}

// Copies a rectangle that crosses an edge of a torus, part by part.
static lc_status read_parts(lc_clip *clip, const lc_universe *universe, const lc_placement *place,
                            lc_message *message)
{
    lc_status status = LC_OK;
    for (size_t i = 0; i < place->count && status == LC_OK; i++) {
        const lc_area a = place->parts[i];
        const int64_t x = a.x0 - lc_placed_start(a.x0, place->x, place->around_x);
        const int64_t y = a.y0 - lc_placed_start(a.y0, place->y, place->around_y);
        lc_clip *part;
        status = lc_clip_create(&part, a.x1 - a.x0, a.y1 - a.y0, message);
        if (status == LC_OK)
            status = read_part(universe, &part->cells, a.x0, a.y0, message);
        for (int64_t j = 0; status == LC_OK && j < a.y1 - a.y0; j++)
            put_cells(row_of(clip, y + j), x, row_of(part, j), a.x1 - a.x0);
        lc_clip_destroy(&part);
    }
    return status;
}

lc_status lc_clip_from_universe(lc_clip **out, const lc_universe *universe,
                                const lc_rectangle *area, lc_message *message)
{
    lc_placement place;
    lc_area a;
    *out = NULL;
    lc_status status = lc_area_of_rectangle(&a, area, message);
    if (status == LC_OK)
        status = lc_clip_create(out, area->width_cells, area->height_cells, message);
    if (status != LC_OK)
        return status;
    lc_place_area(&place, universe, a, lc_edits_wraps(universe));
    status = place.count > 1 ? read_parts(*out, universe, &place, message)
                             : read_part(universe, &(*out)->cells, place.x, place.y, message);
    if (status != LC_OK)
        lc_clip_destroy(out);
    return status;
}

lc_status lc_clip_find_box(const lc_universe *universe, const lc_rectangle *area, lc_box *box,
                           lc_message *message)
{
    lc_facts facts;
    lc_clip *clip;
    lc_area a;
    *box = (lc_box){.empty = true};
    lc_status status = lc_area_of_rectangle(&a, area, message);
    // Cells beyond the bounding box need not be read.
    const bool may_cut = !lc_edits_wraps(universe) && !lc_universe_background(universe);
    if (status == LC_OK && may_cut) {
        status = lc_universe_facts(universe, LC_FACT_BOX, &facts, message);
        if (status == LC_OK && !facts.is_far)
            a = lc_area_intersection(a, lc_area_of_box(&facts.box));
        if (status == LC_OK && lc_area_is_empty(a))
            return LC_OK;
    }
    const lc_rectangle part = {a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0};
    if (status == LC_OK)
        status = lc_clip_from_universe(&clip, universe, &part, message);
    if (status != LC_OK)
        return status;
    *box = lc_clip_box(clip);
    lc_clip_destroy(&clip);
    if (!box->empty) {
        box->x += a.x0;
        box->y += a.y0;
    }
    return LC_OK;
}

// Patterns -----------------------------------------------------------------------------------

typedef struct box_reader {
    lc_area area;
    lc_message message; // the reason why reading ended
} box_reader;

static lc_status widen(box_reader *box, int64_t x, int64_t y, int64_t width, int64_t height)
{
    const lc_area a = box->area = lc_area_union(box->area, (lc_area){x, y, x + width, y + height});
    return check_size(lc_extent(a.x0, a.x1), lc_extent(a.y0, a.y1), &box->message);
}

static lc_status box_run(void *context, int64_t x, int64_t y, int64_t length)
{
    return widen(context, x, y, length, 1);
}

static lc_status box_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                          int64_t length)
{
    int64_t begin, end;
    return find_ends(words, length, &begin, &end) ? widen(context, x + begin, y, end - begin, 1)
                                                  : LC_OK;
}

typedef struct cell_reader {
    lc_clip *clip;
    int64_t x0, y0; // of the clip's top left cell
} cell_reader;

static lc_status cells_run(void *context, int64_t x, int64_t y, int64_t length)
{
    const cell_reader *reader = context;
    uint64_t *row = row_of(reader->clip, y - reader->y0);
    lc_bits_fill(row, x - reader->x0, length, true);
    return LC_OK;
}

static lc_status cells_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                            int64_t length)
{
    const cell_reader *reader = context;
    put_cells(row_of(reader->clip, y - reader->y0), x - reader->x0, words, length);
    return LC_OK;
}

// Reads all of the pattern into a sink.
static lc_status read_cells(const void *data, size_t size_bytes, const lc_sink *sink,
                            lc_message *message)
{
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, data, size_bytes, message);
    if (status == LC_OK)
        status = lc_pattern_read(pattern, sink, message);
    lc_pattern_close(&pattern);
    return status;
}

static lc_status find_box(const void *data, size_t size_bytes, box_reader *box, lc_message *message)
{
    lc_pattern *pattern;
    *box = (box_reader){0};
    lc_status status = lc_pattern_open_memory(&pattern, data, size_bytes, message);
    if (status != LC_OK)
        return status;
    const lc_pattern_header *header = lc_pattern_get_header(pattern);
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = box, .run = box_run, .bits = box_bits};
    if (header->width_cells > 0 && header->height_cells > 0)
        status = widen(box, 0, 0, header->width_cells, header->height_cells);
    if (status == LC_OK)
        status = lc_pattern_read(pattern, &sink, message);
    lc_pattern_close(&pattern);
    if (box->message.text[0] != '\0' && message != NULL)
        *message = box->message;
    if (status == LC_OK && lc_area_is_empty(box->area))
        status =
            lc_fail(message, LC_ERROR_FORMAT, "the pattern has no live cell and states no size");
    return status;
}

lc_status lc_clip_from_text(lc_clip **out, const void *data, size_t size_bytes, int64_t cells_max,
                            lc_message *message)
{
    box_reader box;
    *out = NULL;
    lc_status status = find_box(data, size_bytes, &box, message);
    if (status != LC_OK)
        return status;
    const lc_area a = box.area;
    const int64_t width = a.x1 - a.x0, height = a.y1 - a.y0;
    if (cells_max != 0 && width * height > cells_max)
        return lc_fail(message, LC_ERROR_LIMIT, "%lld x %lld cells are more than %lld in all",
                       (long long)width, (long long)height, (long long)cells_max);
    cell_reader reader = {.x0 = a.x0, .y0 = a.y0};
    status = lc_clip_create(&reader.clip, width, height, message);
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = &reader, .run = cells_run, .bits = cells_bits};
    if (status == LC_OK)
        status = read_cells(data, size_bytes, &sink, message);
    if (status != LC_OK)
        lc_clip_destroy(&reader.clip);
    *out = reader.clip;
    return status;
}

static lc_status give_row(void *context, int64_t y, uint64_t *words)
{
    const lc_clip *clip = context;
    memcpy(words, row_of(clip, y), clip->cells.pitch_words * sizeof *words);
    return LC_OK;
}

lc_status lc_clip_to_rle(const lc_clip *clip, const lc_rule *rule, size_t limit_bytes, char **text,
                         size_t *size_bytes, lc_message *message)
{
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .format = LC_FORMAT_RLE,
                                              .rule = rule,
                                              .width_cells = clip->cells.width_cells,
                                              .height_cells = clip->cells.height_cells};
    void *data;
    lc_clip source = *clip; // a row source's context is not const
    lc_status status = lc_pattern_write_memory(&data, size_bytes, limit_bytes, &options, give_row,
                                               &source, message);
    *text = data;
    return status;
}

// Turning ------------------------------------------------------------------------------------

static lc_status make_transposed(lc_clip **out, const lc_clip *clip, lc_message *message)
{
    lc_status status =
        lc_clip_create(out, clip->cells.height_cells, clip->cells.width_cells, message);
    if (status != LC_OK)
        return status;
    for (int64_t y = 0; y < clip->cells.height_cells; y += 64) {
        for (int64_t x = 0; x < clip->cells.width_cells; x += 64) {
            uint64_t square[64] = {0};
            const int64_t rows = lc_least(clip->cells.height_cells - y, 64);
            const int64_t columns = lc_least(clip->cells.width_cells - x, 64);
            for (int64_t i = 0; i < rows; i++)
                square[i] = row_of(clip, y + i)[x / 64];
            lc_bits_transpose(square);
            for (int64_t i = 0; i < columns; i++)
                row_of(*out, x + i)[y / 64] = square[i];
        }
    }
    return LC_OK;
}

static uint64_t reverse(uint64_t word)
{
    word = (word >> 1 & UINT64_C(0x5555555555555555)) | (word & UINT64_C(0x5555555555555555)) << 1;
    word = (word >> 2 & UINT64_C(0x3333333333333333)) | (word & UINT64_C(0x3333333333333333)) << 2;
    word = (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(word);
}

// Reverses the words of each row and their bits, then shifts out the unused bits, which come first.
static void flip_x(lc_clip *clip)
{
    const size_t count = clip->cells.pitch_words;
    const unsigned past = (unsigned)(64 * (int64_t)count - clip->cells.width_cells);
    for (int64_t y = 0; y < clip->cells.height_cells; y++) {
        uint64_t *row = row_of(clip, y);
        for (size_t i = 0, j = count; i < j; i++) {
            const uint64_t left = row[i];
            j--;
            row[i] = reverse(row[j]);
            row[j] = reverse(left);
        }
        for (size_t i = 0; past != 0 && i < count; i++)
            row[i] = row[i] >> past | (i + 1 < count ? row[i + 1] << (64 - past) : 0);
    }
}

static void flip_y(lc_clip *clip)
{
    for (int64_t y = 0; y < clip->cells.height_cells / 2; y++) {
        uint64_t *upper = row_of(clip, y), *lower = row_of(clip, clip->cells.height_cells - 1 - y);
        for (size_t i = 0; i < clip->cells.pitch_words; i++) {
            const uint64_t word = upper[i];
            upper[i] = lower[i];
            lower[i] = word;
        }
    }
}

lc_status lc_clip_turn(lc_clip *clip, lc_turn turn, lc_message *message)
{
    if ((unsigned)turn > LC_TURN_FLIP_Y)
        return lc_fail(message, LC_ERROR_ARGUMENT, "invalid turn %d", (int)turn);
    if (turn == LC_TURN_RIGHT || turn == LC_TURN_LEFT) {
        lc_clip *transposed;
        lc_status status = make_transposed(&transposed, clip, message);
        if (status != LC_OK)
            return status;
        free(clip->cells.words);
        *clip = *transposed;
        free(transposed);
    }
    if (turn == LC_TURN_RIGHT || turn == LC_TURN_FLIP_X)
        flip_x(clip);
    else
        flip_y(clip);
    return LC_OK;
}
