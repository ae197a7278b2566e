// Clips from any text: what is accepted keeps a clip's promises, comes back the same from RLE and
// from four turns; what is refused says why.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "edit/clip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static int same(const lc_clip *a, const lc_clip *b)
{
    return a->width_cells == b->width_cells && a->height_cells == b->height_cells &&
           a->population == b->population &&
           memcmp(a->words, b->words,
                  (size_t)a->height_cells * a->pitch_words * sizeof *a->words) == 0;
}

static void check_promises(const lc_clip *clip)
{
    require(clip->width_cells >= 1 && clip->width_cells <= LC_CLIP_SIDE_MAX);
    require(clip->height_cells >= 1 && clip->height_cells <= LC_CLIP_SIDE_MAX);
    require(clip->width_cells * clip->height_cells <= LC_CLIP_CELLS_MAX);
    require(clip->pitch_words == (size_t)(clip->width_cells + 63) / 64);
    uint64_t population = 0;
    for (int64_t y = 0; y < clip->height_cells; y++) {
        const uint64_t *row = clip->words + (size_t)y * clip->pitch_words;
        for (size_t i = 0; i < clip->pitch_words; i++)
            population += (uint64_t)__builtin_popcountll(row[i]);
        require(clip->width_cells % 64 == 0 ||
                row[clip->pitch_words - 1] >> (clip->width_cells % 64) == 0);
    }
    require(population == clip->population);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_clip *clip, *again;
    lc_message message = {0};
    lc_status status = lc_clip_from_text(&clip, data, size, &message);
    if (status != LC_OK) {
        require(clip == NULL && message.text[0] != '\0');
        return 0;
    }
    check_promises(clip);
    char *text;
    size_t bytes;
    if (clip->width_cells * clip->height_cells <= 1 << 22) { // larger ones take the fuzzer's time
        require(lc_clip_to_rle(clip, lc_rule_life(), SIZE_MAX, &text, &bytes, NULL) == LC_OK);
        require(lc_clip_from_text(&again, text, bytes, NULL) == LC_OK);
        require(same(clip, again));
        for (int i = 0; i < 4; i++)
            require(lc_clip_turn(&again, LC_TURN_RIGHT, NULL) == LC_OK);
        require(same(clip, again));
        lc_clip_destroy(&again);
        free(text);
    }
    lc_clip_destroy(&clip);
    return 0;
}
