// See apgcode_search.h.
#include "object/apgcode_search.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum {
    STRIP_ROWS = 5,
    TRANSFORMATIONS = 8,
    MIRROR_X = 1,
    MIRROR_Y = 2,
    EXCHANGE = 4,
    PREFIX_BYTES = 24, // "xp" and a number of 64 bits
    RUN_MAX = 39,      // of dead columns: "yz"
};

// Returns whether a transformation maps generations to generations. It mirrors left and right if
// bit 0 is set, then top and bottom if bit 1 is, and then exchanges x and y if bit 2 is.
static bool is_symmetry(unsigned symmetry, unsigned transformation)
{
    const bool x = (symmetry & LC_SYMMETRY_MIRROR_X) != 0;
    const bool y = (symmetry & LC_SYMMETRY_MIRROR_Y) != 0;
    const bool turn = (symmetry & LC_SYMMETRY_TURN) != 0;
    switch (transformation) {
    case 0:
        return true;
    case MIRROR_X:
        return x;
    case MIRROR_Y:
        return y;
    case MIRROR_X | MIRROR_Y: // half a turn
        return (x && y) || turn;
    case EXCHANGE | MIRROR_X: // quarters of a turn
    case EXCHANGE | MIRROR_Y:
        return turn;
    default: // mirrored at a diagonal
        return turn && (x || y);
    }
}

static bool reserve(lc_apgcode_search *s, size_t column_count, size_t text_bytes)
{
    size_t room = s->room; // until both texts have more
    return lc_grow(&s->columns, &s->column_room, column_count, sizeof *s->columns) &&
           lc_grow(&s->text, &room, text_bytes, 1) && lc_grow(&s->other, &s->room, text_bytes, 1);
}

// Writes the number of a run of dead columns.
static char *write_run(char *text, size_t columns)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    for (; columns > RUN_MAX; columns -= RUN_MAX) {
        *text++ = 'y';
        *text++ = 'z';
    }
    if (columns == 0)
        return text;
    if (columns < 4) {
        *text++ = "0wx"[columns - 1];
        return text;
    }
    *text++ = 'y';
    *text++ = digits[columns - 4];
    return text;
}

// Writes strips of columns, and returns the text's length. Dead columns at the end of a strip and
// empty strips at the end are left out.
static size_t write_strips(char *text, const uint8_t *columns, size_t width, size_t strips)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    char *at = text, *end = text;
    for (size_t i = 0; i < strips; i++) {
        size_t dead = 0;
        for (size_t x = 0; x < width; x++) {
            const uint8_t bits = columns[i * width + x];
            if (bits == 0) {
                dead++;
                continue;
            }
            at = write_run(at, dead);
            dead = 0;
            *at++ = digits[bits];
            end = at;
        }
        *at++ = 'z';
    }
    *end = '\0';
    return (size_t)(end - text);
}

static void fill_columns(uint8_t *columns, const lc_live *phase, const lc_box *box, size_t width,
                         unsigned transformation)
{
    for (size_t i = 0; i < phase->count; i++) {
        int64_t x = phase->at[i].x - box->x, y = phase->at[i].y - box->y;
        if ((transformation & MIRROR_X) != 0)
            x = box->width_cells - 1 - x;
        if ((transformation & MIRROR_Y) != 0)
            y = box->height_cells - 1 - y;
        const size_t column = (size_t)((transformation & EXCHANGE) != 0 ? y : x);
        const size_t row = (size_t)((transformation & EXCHANGE) != 0 ? x : y);
        columns[row / STRIP_ROWS * width + column] |= (uint8_t)(1 << row % STRIP_ROWS);
    }
}

lc_status lc_apgcode_add_phase(lc_apgcode_search *search, const lc_live *phase, unsigned symmetry)
{
    const lc_box box = lc_live_box(phase);
    if (box.width_cells > LC_APGCODE_BYTES_MAX || box.height_cells > LC_APGCODE_BYTES_MAX)
        return LC_ERROR_LIMIT;
    for (unsigned t = 0; t < TRANSFORMATIONS; t++) {
        if (!is_symmetry(symmetry, t))
            continue;
        const bool exchanged = (t & EXCHANGE) != 0;
        const size_t width = (size_t)(exchanged ? box.height_cells : box.width_cells);
        const size_t height = (size_t)(exchanged ? box.width_cells : box.height_cells);
        const size_t strips = (height + STRIP_ROWS - 1) / STRIP_ROWS;
        if (strips * (width + 1) > LC_APGCODE_BYTES_MAX)
            return LC_ERROR_LIMIT;
        if (!reserve(search, strips * width, strips * (width + 1) + 1))
            return LC_ERROR_MEMORY;
        memset(search->columns, 0, strips * width);
        fill_columns(search->columns, phase, &box, width, t);
        const size_t length = write_strips(search->other, search->columns, width, strips);
        if (search->length != 0 &&
            (length > search->length ||
             (length == search->length && strcmp(search->other, search->text) >= 0)))
            continue;
        char *text = search->text;
        search->text = search->other;
        search->other = text;
        search->length = length;
    }
    return LC_OK;
}

char *lc_apgcode_finish(const lc_apgcode_search *search, uint64_t population, uint64_t period,
                        bool moves)
{
    const size_t room = search->length + PREFIX_BYTES;
    char *code = lc_malloc(room);
    if (code == NULL)
        return NULL;
    const char *prefix = period == 1 && !moves ? "xs" : moves ? "xq" : "xp";
    const uint64_t number = period == 1 && !moves ? population : period;
    (void)snprintf(code, room, "%s%llu_%s", prefix, (unsigned long long)number, search->text);
    return code;
}

void lc_apgcode_free(lc_apgcode_search *search)
{
    lc_free(search->text);
    lc_free(search->other);
    lc_free(search->columns);
    *search = (lc_apgcode_search){0};
}
