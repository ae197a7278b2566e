// Clips: made from universes and patterns, turned by squares of 64 x 64 bits, packed. See clip.h.
//
// A pattern is read twice. The first time only its bounding box is kept, so that a file that says
// "999999999o" is refused before any memory is asked for; the second time the cells are written.
#include "edit/clip.h"

#include <stdlib.h>
#include <string.h>

bool lc_turn_named(const char *name, lc_turn *turn)
{
    static const char *const names[] = {[LC_TURN_RIGHT] = "right",
                                        [LC_TURN_LEFT] = "left",
                                        [LC_TURN_FLIP_X] = "flip-x",
                                        [LC_TURN_FLIP_Y] = "flip-y"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            *turn = (lc_turn)i;
            return true;
        }
    }
    return false;
}

static lc_status check_size(uint64_t width, uint64_t height, lc_message *message)
{
    if (width > LC_CLIP_SIDE_MAX || height > LC_CLIP_SIDE_MAX || width * height > LC_CLIP_CELLS_MAX)
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%llu x %llu cells are too many to copy: at most 2^24 a side and "
                       "2^30 in all",
                       (unsigned long long)width, (unsigned long long)height);
    return LC_OK;
}

lc_status lc_clip_create(lc_clip **out, int64_t width, int64_t height, lc_message *message)
{
    *out = NULL;
    if (width < 1 || height < 1)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no clip of %lld x %lld cells",
                       (long long)width, (long long)height);
    lc_status status = check_size((uint64_t)width, (uint64_t)height, message);
    if (status != LC_OK)
        return status;
    lc_clip *clip = malloc(sizeof *clip);
    if (clip != NULL) {
        *clip = (lc_clip){.width_cells = width, .height_cells = height};
        clip->pitch_words = (size_t)(width + 63) / 64;
        clip->words = calloc((size_t)height * clip->pitch_words, sizeof *clip->words);
        if (clip->words != NULL) {
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
        free((*clip)->words);
        free(*clip);
        *clip = NULL;
    }
}

static uint64_t *row_of(const lc_clip *clip, int64_t y)
{
    return clip->words + (size_t)y * clip->pitch_words;
}

lc_status lc_clip_copy(lc_clip **out, const lc_clip *clip, lc_message *message)
{
    lc_status status = lc_clip_create(out, clip->width_cells, clip->height_cells, message);
    if (status != LC_OK)
        return status;
    memcpy((*out)->words, clip->words,
           (size_t)clip->height_cells * clip->pitch_words * sizeof *clip->words);
    (*out)->population = clip->population;
    return LC_OK;
}

void lc_clip_count(lc_clip *clip)
{
    const size_t count = (size_t)clip->height_cells * clip->pitch_words;
    clip->population = 0;
    for (size_t i = 0; i < count; i++)
        clip->population += (uint64_t)__builtin_popcountll(clip->words[i]);
}

bool lc_clip_live_box(const lc_clip *clip, lc_box *box)
{
    int64_t x0 = clip->width_cells, y0 = -1, x1 = 0, y1 = 0;
    for (int64_t y = 0; y < clip->height_cells; y++) {
        const uint64_t *row = row_of(clip, y);
        int64_t first = 0, last = (int64_t)clip->pitch_words - 1;
        while (first <= last && row[first] == 0)
            first++;
        if (first > last)
            continue;
        while (row[last] == 0)
            last--;
        const int64_t begin = first * 64 + __builtin_ctzll(row[first]);
        const int64_t end = last * 64 + 64 - __builtin_clzll(row[last]);
        x0 = begin < x0 ? begin : x0;
        x1 = end > x1 ? end : x1;
        y0 = y0 < 0 ? y : y0;
        y1 = y + 1;
    }
    *box = y0 < 0 ? (lc_box){.empty = true} : (lc_box){false, x0, y0, x1 - x0, y1 - y0};
    return y0 >= 0;
}

lc_status lc_clip_from_universe(lc_clip **out, const lc_universe *universe, int64_t x, int64_t y,
                                int64_t width_cells, int64_t height_cells, lc_message *message)
{
    *out = NULL;
    if (width_cells < 1 || height_cells < 1 || x > INT64_MAX - 64 - width_cells ||
        y > INT64_MAX - height_cells)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "there is no rectangle of %lld x %lld cells at (%lld, %lld)",
                       (long long)width_cells, (long long)height_cells, (long long)x, (long long)y);
    lc_clip *clip;
    lc_status status = lc_clip_create(&clip, width_cells, height_cells, message);
    if (status == LC_OK) {
        const lc_cells cells = {.x = x,
                                .y = y,
                                .width_cells = width_cells,
                                .height_cells = height_cells,
                                .words = clip->words,
                                .pitch_words = clip->pitch_words};
        status = lc_universe_read(universe, &cells, message);
    }
    if (status != LC_OK) {
        lc_clip_destroy(&clip);
        return status;
    }
    lc_clip_count(clip);
    *out = clip;
    return LC_OK;
}

// Patterns -----------------------------------------------------------------------------------

typedef struct box_reader { // right and bottom are excluded
    bool empty;
    int64_t x0, y0, x1, y1;
    lc_message message; // why it ended
} box_reader;

static lc_status widen(box_reader *box, int64_t x, int64_t y, int64_t width, int64_t height)
{
    if (box->empty) {
        box->x0 = box->x1 = x;
        box->y0 = box->y1 = y;
        box->empty = false;
    }
    box->x0 = x < box->x0 ? x : box->x0;
    box->y0 = y < box->y0 ? y : box->y0;
    box->x1 = x + width > box->x1 ? x + width : box->x1;
    box->y1 = y + height > box->y1 ? y + height : box->y1;
    // Sides of up to 2^63 + 1: more than an int64_t holds.
    return check_size((uint64_t)box->x1 - (uint64_t)box->x0, (uint64_t)box->y1 - (uint64_t)box->y0,
                      &box->message);
}

static lc_status box_run(void *context, int64_t x, int64_t y, int64_t length)
{
    return widen(context, x, y, length, 1);
}

static lc_status box_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                          int64_t length)
{
    int64_t first = 0, last = (length - 1) / 64;
    while (first <= last && words[first] == 0)
        first++;
    if (first > last)
        return LC_OK;
    while (words[last] == 0)
        last--;
    const int64_t begin = first * 64 + __builtin_ctzll(words[first]);
    const int64_t end = last * 64 + 64 - __builtin_clzll(words[last]);
    return widen(context, x + begin, y, end - begin, 1);
}

typedef struct cell_reader {
    lc_clip *clip;
    int64_t x0, y0; // of the clip's top left cell
} cell_reader;

static lc_status cells_run(void *context, int64_t x, int64_t y, int64_t length)
{
    const cell_reader *reader = context;
    uint64_t *row = row_of(reader->clip, y - reader->y0);
    for (int64_t begin = x - reader->x0, end = begin + length; begin < end;) {
        const int64_t place = begin % 64,
                      here = end - begin < 64 - place ? end - begin : 64 - place;
        row[begin / 64] |= ~UINT64_C(0) >> (64 - here) << place;
        begin += here;
    }
    return LC_OK;
}

static lc_status cells_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                            int64_t length)
{
    const cell_reader *reader = context;
    uint64_t *row = row_of(reader->clip, y - reader->y0);
    for (int64_t i = 0; i < (length + 63) / 64; i++) {
        if (words[i] == 0)
            continue;
        // The word may begin left of the clip, and end right of it: with dead cells.
        const int64_t at = x - reader->x0 + i * 64, place = at & 63, word = at >> 6;
        if (words[i] << place != 0)
            row[word] |= words[i] << place;
        if (place != 0 && words[i] >> (64 - place) != 0)
            row[word + 1] |= words[i] >> (64 - place);
    }
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
    *box = (box_reader){.empty = true};
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
    if (status == LC_OK && box->empty)
        status =
            lc_fail(message, LC_ERROR_FORMAT, "the pattern has no live cell and states no size");
    return status;
}

lc_status lc_clip_from_text(lc_clip **out, const void *data, size_t size_bytes, lc_message *message)
{
    return lc_clip_from_text_within(out, data, size_bytes, LC_CLIP_CELLS_MAX, message);
}

lc_status lc_clip_from_text_within(lc_clip **out, const void *data, size_t size_bytes,
                                   int64_t cells_max, lc_message *message)
{
    box_reader box;
    *out = NULL;
    lc_status status = find_box(data, size_bytes, &box, message);
    if (status != LC_OK)
        return status;
    const int64_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    if (width * height > cells_max)
        return lc_fail(message, LC_ERROR_LIMIT, "%lld x %lld cells are more than %lld in all",
                       (long long)width, (long long)height, (long long)cells_max);
    cell_reader reader = {.x0 = box.x0, .y0 = box.y0};
    status = lc_clip_create(&reader.clip, width, height, message);
    const lc_sink sink = {
        .struct_bytes = sizeof sink, .context = &reader, .run = cells_run, .bits = cells_bits};
    if (status == LC_OK)
        status = read_cells(data, size_bytes, &sink, message);
    if (status != LC_OK) {
        lc_clip_destroy(&reader.clip);
        return status;
    }
    lc_clip_count(reader.clip);
    *out = reader.clip;
    return LC_OK;
}

static lc_status give_row(void *context, int64_t y, uint64_t *words)
{
    const lc_clip *clip = context;
    memcpy(words, row_of(clip, y), clip->pitch_words * sizeof *words);
    return LC_OK;
}

lc_status lc_clip_to_rle(const lc_clip *clip, const lc_rule *rule, size_t limit_bytes, char **text,
                         size_t *size_bytes, lc_message *message)
{
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .format = LC_FORMAT_RLE,
                                              .rule = rule,
                                              .width_cells = clip->width_cells,
                                              .height_cells = clip->height_cells};
    void *data;
    lc_clip source = *clip; // a row source's context is not const
    lc_status status = lc_pattern_write_memory(&data, size_bytes, limit_bytes, &options, give_row,
                                               &source, message);
    *text = data;
    return status;
}

// Turning ------------------------------------------------------------------------------------

// Bit j of word i becomes bit i of word j: halves of squares change places, then halves of those.
static void transpose(uint64_t square[64])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (unsigned half = 32; half != 0; half >>= 1, mask ^= mask << half)
        for (unsigned base = 0; base < 64; base += 2 * half)
            for (unsigned i = base; i < base + half; i++) {
                const uint64_t swap = (square[i] >> half ^ square[i + half]) & mask;
                square[i] ^= swap << half;
                square[i + half] ^= swap;
            }
}

static lc_status make_transposed(lc_clip **out, const lc_clip *clip, lc_message *message)
{
    lc_status status = lc_clip_create(out, clip->height_cells, clip->width_cells, message);
    if (status != LC_OK)
        return status;
    (*out)->population = clip->population;
    for (int64_t y = 0; y < clip->height_cells; y += 64) {
        for (int64_t x = 0; x < clip->width_cells; x += 64) {
            uint64_t square[64] = {0};
            const int64_t rows = clip->height_cells - y < 64 ? clip->height_cells - y : 64;
            const int64_t columns = clip->width_cells - x < 64 ? clip->width_cells - x : 64;
            for (int64_t i = 0; i < rows; i++)
                square[i] = row_of(clip, y + i)[x / 64];
            transpose(square);
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

// The words in reverse order, each reversed; what was past the width is then in front of it.
static void flip_x(lc_clip *clip)
{
    const size_t count = clip->pitch_words;
    const unsigned past = (unsigned)(64 * (int64_t)count - clip->width_cells);
    for (int64_t y = 0; y < clip->height_cells; y++) {
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
    for (int64_t y = 0; y < clip->height_cells / 2; y++) {
        uint64_t *upper = row_of(clip, y), *lower = row_of(clip, clip->height_cells - 1 - y);
        for (size_t i = 0; i < clip->pitch_words; i++) {
            const uint64_t word = upper[i];
            upper[i] = lower[i];
            lower[i] = word;
        }
    }
}

lc_status lc_clip_turn(lc_clip **clip, lc_turn turn, lc_message *message)
{
    if (turn == LC_TURN_RIGHT || turn == LC_TURN_LEFT) {
        lc_clip *transposed;
        lc_status status = make_transposed(&transposed, *clip, message);
        if (status != LC_OK)
            return status;
        lc_clip_destroy(clip);
        *clip = transposed;
    }
    if (turn == LC_TURN_RIGHT || turn == LC_TURN_FLIP_X)
        flip_x(*clip);
    else
        flip_y(*clip);
    return LC_OK;
}

// Packing ------------------------------------------------------------------------------------

uint8_t *lc_pack_row(const uint64_t *words, int64_t width_cells, uint8_t *bytes)
{
    const size_t row_bytes = (size_t)(width_cells + 7) / 8;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        memcpy(bytes, words, row_bytes);
    for (size_t i = 0; __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && i < row_bytes; i++)
        bytes[i] = (uint8_t)(words[i / 8] >> (8 * (i % 8)));
    return bytes + row_bytes;
}

size_t lc_clip_packed_bytes(const lc_clip *clip)
{
    return (size_t)((clip->width_cells + 7) / 8 * clip->height_cells);
}

void lc_clip_pack(const lc_clip *clip, uint8_t *bytes)
{
    for (int64_t y = 0; y < clip->height_cells; y++)
        bytes = lc_pack_row(row_of(clip, y), clip->width_cells, bytes);
}
