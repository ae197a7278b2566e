#include "census/soup_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "grid/grid.h"

enum { SEED_SQUARE = 16 };

static const char random_word[] = "random ";

static bool is_random(const lc_soup_source *source)
{
    return source->width != 0;
}

static lc_status take_seed(lc_soup_source *source, const char *seed, lc_message *message)
{
    const size_t bytes = strlen(seed);
    if (bytes == 0 || bytes > LC_SOUP_ROOT_BYTES_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a seed of soups has 1 to %d bytes, not %zu",
                       LC_SOUP_ROOT_BYTES_MAX, bytes);
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)seed[i] < ' ' || seed[i] == 0x7f)
            return lc_fail(message, LC_ERROR_ARGUMENT, "a seed of soups with a control character");
    memcpy(source->seed, seed, bytes + 1);
    return LC_OK;
}

static lc_status take_symmetric(lc_soup_source *source, const char *symmetry, const char *seed,
                                lc_message *message)
{
    const lc_status status = lc_symmetry_parse(symmetry, &source->symmetry, message);
    if (status != LC_OK)
        return status;
    lc_symmetry_format(&source->symmetry, source->symmetry_text);
    return take_seed(source, seed, message);
}

static lc_status take_random(lc_soup_source *source, const lc_soup_census_options *options,
                             lc_message *message)
{
    const int64_t width = options->width_cells, height = options->height_cells;
    if (width < 1 || height < 1 || width > LC_SOUP_SIDE_MAX || height > LC_SOUP_SIDE_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a random soup has 1 to %d cells a side, not %" PRId64 " x %" PRId64,
                       LC_SOUP_SIDE_MAX, width, height);
    source->width = (int)width;
    source->height = (int)height;
    source->random_seed = options->random_seed;
    return lc_soup_density(&source->density_16, options->density, message);
}

lc_status lc_soup_source_take(lc_soup_source *source, const lc_soup_census_options *options,
                              lc_message *message)
{
    *source = (lc_soup_source){0};
    const bool has_size = options->width_cells != 0 || options->height_cells != 0;
    if (has_size == (options->seed != NULL) || (has_size && options->symmetry != NULL))
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "a census needs either a seed or the size of random soups");
    if (has_size)
        return take_random(source, options, message);
    return take_symmetric(source, options->symmetry != NULL ? options->symmetry : "C1",
                          options->seed, message);
}

const char *lc_soup_source_format(const lc_soup_source *source, char text[LC_SOURCE_TEXT_BYTES])
{
    if (is_random(source))
        (void)snprintf(text, LC_SOURCE_TEXT_BYTES, "%s%d %d %" PRIu32 " %" PRIu64, random_word,
                       source->width, source->height, source->density_16, source->random_seed);
    else
        (void)snprintf(text, LC_SOURCE_TEXT_BYTES, "%s %s", source->symmetry_text, source->seed);
    return text;
}

static lc_status parse_random(lc_soup_source *source, const char *text, lc_message *message)
{
    lc_soup_census_options options = {0};
    uint32_t density_16 = 0;
    char again[LC_SOURCE_TEXT_BYTES];
    if (sscanf(text + strlen(random_word), "%" SCNd64 " %" SCNd64 " %" SCNu32 " %" SCNu64,
               &options.width_cells, &options.height_cells, &density_16, &options.random_seed) != 4)
        return lc_fail(message, LC_ERROR_FORMAT, "\"%.80s\" are no random soups", text);
    options.density = density_16 / 65536.0;
    const lc_status status = take_random(source, &options, message);
    if (status == LC_OK && strcmp(lc_soup_source_format(source, again), text) != 0)
        return lc_fail(message, LC_ERROR_FORMAT, "\"%.80s\" are no random soups", text);
    return status;
}

lc_status lc_soup_source_parse(lc_soup_source *source, const char *text, lc_message *message)
{
    char symmetry[LC_SYMMETRY_TEXT_BYTES];
    const size_t bytes = strcspn(text, " ");
    *source = (lc_soup_source){0};
    if (strncmp(text, random_word, strlen(random_word)) == 0)
        return parse_random(source, text, message);
    if (bytes >= sizeof symmetry || text[bytes] == '\0')
        return lc_fail(message, LC_ERROR_FORMAT, "\"%.80s\" are no soups", text);
    memcpy(symmetry, text, bytes);
    symmetry[bytes] = '\0';
    return take_symmetric(source, symmetry, text + bytes + 1, message);
}

static void make_random(lc_soup_cells *cells, const lc_soup_source *source, uint64_t number)
{
    cells->width = source->width;
    cells->height = source->height;
    cells->row_words = (source->width + 63) / 64;
    const uint64_t last = UINT64_MAX >> (-source->width & 63);
    for (int y = 0; y < source->height; y++) {
        uint64_t *row = &cells->words[(size_t)y * (size_t)cells->row_words];
        lc_soup_row(source->random_seed + number, source->density_16, 0, y, row,
                    (size_t)cells->row_words);
        row[cells->row_words - 1] &= last;
    }
}

void lc_soup_source_make(lc_soup_cells *cells, const lc_soup_source *source, uint64_t number)
{
    if (is_random(source))
        make_random(cells, source, number);
    else
        (void)lc_soup_from_seed(cells, &source->symmetry, source->seed, strlen(source->seed),
                                number);
}

int lc_soup_source_square(const lc_soup_source *source)
{
    return is_random(source) ? source->height : SEED_SQUARE << source->symmetry.doublings;
}
