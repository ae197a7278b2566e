// Clips from any text: what is accepted keeps a clip's promises, comes back the same from RLE and
// from four turns; what is refused says why.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/clip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static int same(const lc_clip *first, const lc_clip *second)
{
    const lc_cells *a = lc_clip_cells(first), *b = lc_clip_cells(second);
    return a->width_cells == b->width_cells && a->height_cells == b->height_cells &&
           memcmp(a->words, b->words,
                  (size_t)a->height_cells * a->pitch_words * sizeof *a->words) == 0;
}

static void check_promises(const lc_clip *clip)
{
    const lc_cells *cells = lc_clip_cells(clip);
    require(cells->width_cells >= 1 && cells->width_cells <= LC_CLIP_SIDE_MAX);
    require(cells->height_cells >= 1 && cells->height_cells <= LC_CLIP_SIDE_MAX);
    require(cells->width_cells * cells->height_cells <= LC_CLIP_CELLS_MAX);
    require(cells->pitch_words == (size_t)(cells->width_cells + 63) / 64);
    for (int64_t y = 0; y < cells->height_cells; y++)
        require(cells->width_cells % 64 == 0 ||
                lc_cells_row(cells, y)[cells->pitch_words - 1] >> (cells->width_cells % 64) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_clip *clip, *again;
    lc_message message = {0};
    lc_status status = lc_clip_from_text(&clip, data, size, 0, &message);
    if (status != LC_OK) {
        require(clip == NULL && message.text[0] != '\0');
        return 0;
    }
    check_promises(clip);
    char *text;
    size_t bytes;
    if (lc_clip_cells(clip)->width_cells * lc_clip_cells(clip)->height_cells <=
        1 << 22) { // larger ones take the fuzzer's time
        require(lc_clip_to_rle(clip, lc_rule_life(), SIZE_MAX, &text, &bytes, NULL) == LC_OK);
        require(lc_clip_from_text(&again, text, bytes, 0, NULL) == LC_OK);
        require(same(clip, again));
        for (int i = 0; i < 4; i++)
            require(lc_clip_turn(again, LC_TURN_RIGHT, NULL) == LC_OK);
        require(same(clip, again));
        lc_clip_destroy(&again);
        free(text);
    }
    lc_clip_destroy(&clip);
    return 0;
}
