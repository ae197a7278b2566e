// Films: draws each picture of a universe as palette indices. file/apng.h writes the pictures, and
// film_colours.h has the palettes.
#include "lightcone/film.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "file/apng.h"
#include "lightcone/ages.h"
#include "record/film_colours.h"
#include "universe/universe_internal.h"

_Static_assert(LC_FILM_RATE_MAX <= (int)LC_APNG_RATE_MAX, "rates that the file can say");

// With one cell per pixel, no byte of lc_age_indices stands for a sparse square.
enum { UNUSED = 64 };

struct lc_film {
    lc_apng *file;
    lc_film_options options;
    lc_ages *ages;    // NULL: the theme shows cells
    bool black_white; // pictures are of live and dead cells and have a bit a pixel
    int states;       // pictures have a byte per state; 0: they do not
    size_t squares;
    uint8_t *bytes; // of a picture: tones or codes, then palette indices
    uint8_t *tones; // beside codes, if a pixel has several cells
};

const char *lc_film_theme_at(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (lc_themes[i].id == NULL)
            return NULL;
    return lc_themes[index].id;
}

static lc_status check(lc_film_options *o, const lc_theme **theme, lc_message *message)
{
    *theme = o->theme != NULL ? lc_theme_named(o->theme) : lc_themes;
    o->rate = o->rate != 0 ? o->rate : LC_FILM_RATE;
    o->side_pixels = o->side_pixels != 0 ? o->side_pixels : 1;
    if (*theme == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "unknown theme \"%s\"", o->theme);
    if (o->rate > LC_FILM_RATE_MAX)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a film has at most %d pictures a second",
                       LC_FILM_RATE_MAX);
    if (o->side_pixels < 0)
        return lc_fail(message, LC_ERROR_ARGUMENT, "a square has at least one pixel");
    const int64_t most = LC_FILM_PIXELS_MAX;
    if (o->width > 0 && o->height > 0 &&
        (o->side_pixels > most || o->width > most / o->side_pixels ||
         o->height > most / o->side_pixels ||
         o->width * o->side_pixels > most / (o->height * o->side_pixels)))
        return lc_fail(message, LC_ERROR_LIMIT,
                       "pictures of %lld x %lld squares, each of %lld x %lld pixels, are too large "
                       "for a film: at most %lld pixels in all",
                       (long long)o->width, (long long)o->height, (long long)o->side_pixels,
                       (long long)o->side_pixels, (long long)most);
    return lc_check_far_view(o->column, o->row, o->log2_side, o->width, o->height, message);
}

static void destroy(lc_film **film)
{
    lc_film *f = *film;
    lc_ages_destroy(&f->ages);
    lc_free(f->bytes);
    lc_free(f->tones);
    lc_free(f);
    *film = NULL;
}

static lc_status open_file(lc_film *f, const char *path, const lc_theme *theme, lc_message *message)
{
    const lc_film_options *o = &f->options;
    uint8_t rgb[LC_FILM_COLOURS][3];
    lc_theme_palette(theme, o->light, rgb);
    if (f->states > 0) {
        uint8_t dead[3];
        memcpy(dead, rgb[0], sizeof dead);
        lc_rule_colours(o->rule, rgb);
        memcpy(rgb[0], dead, sizeof dead);
    }
    if (f->black_white)
        memcpy(rgb[1], rgb[LC_FILM_COLOURS - 1], sizeof rgb[1]);
    const lc_apng_options options = {
        .width = (uint32_t)o->width,
        .height = (uint32_t)o->height,
        .side = (uint32_t)o->side_pixels,
        .bits = f->black_white ? 1 : 8,
        .palette = (const uint8_t(*)[3])rgb,
        .colours = f->black_white  ? 2
                   : f->states > 0 ? f->states
                                   : LC_FILM_COLOURS,
        .clear = f->ages != NULL && o->log2_side == 0 ? UNUSED : 0,
        .rate = o->rate,
    };
    return lc_apng_create(&f->file, path, &options, message);
}

lc_status lc_film_create(lc_film **out, const char *path, const lc_film_options *asked,
                         lc_message *message)
{
    lc_film_options options;
    const lc_theme *theme;
    *out = NULL;
    lc_status status =
        lc_structure_take(&options, sizeof options, asked, "lc_film_options", message);
    if (status == LC_OK)
        status = check(&options, &theme, message);
    if (status == LC_OK && strcmp(path, "-") == 0)
        status = lc_fail(message, LC_ERROR_ARGUMENT, "a film is written to a file");
    if (status != LC_OK)
        return status;
    lc_film *f = lc_calloc(1, sizeof *f);
    if (f == NULL)
        return lc_fail_memory(message, "writing a film");
    if (options.rule != NULL && options.log2_side == 0 && lc_rule_traits(options.rule)->states > 2)
        f->states = lc_rule_traits(options.rule)->states;
    const bool has_ages = lc_theme_has_ages(theme) && f->states == 0;
    f->options = options;
    f->options.theme = NULL; // the caller's, as the rule
    f->squares = (size_t)options.width * (size_t)options.height;
    f->black_white = !has_ages && options.log2_side == 0 && f->states == 0;
    f->bytes = lc_malloc(f->squares);
    if (has_ages && options.log2_side > 0)
        f->tones = lc_malloc(f->squares);
    if (f->bytes == NULL || (has_ages && options.log2_side > 0 && f->tones == NULL))
        status = lc_fail_memory(message, "writing a film");
    if (status == LC_OK && has_ages)
        status = lc_ages_create(&f->ages, message);
    if (status == LC_OK)
        status = open_file(f, path, theme, message);
    f->options.rule = NULL;
    if (status == LC_OK)
        *out = f;
    else
        destroy(&f);
    return status;
}

static lc_status look(lc_film *f, const lc_universe *u, lc_message *message)
{
    const lc_film_options *o = &f->options;
    if (f->states > 0) {
        const lc_box box = {
            .x = o->column, .y = o->row, .width_cells = o->width, .height_cells = o->height};
        return lc_rule_traits(u->rule)->states == f->states
                   ? lc_universe_read_states(u, &box, f->bytes, (size_t)o->width, message)
                   : lc_fail(message, LC_ERROR_ARGUMENT, "the film is for a rule of %d states",
                             f->states);
    }
    if (f->ages == NULL) {
        const lc_status status = lc_universe_far_picture(u, o->column, o->row, o->log2_side,
                                                         o->width, o->height, f->bytes, message);
        for (size_t i = 0; f->black_white && status == LC_OK && i < f->squares; i++)
            f->bytes[i] = f->bytes[i] != 0;
        return status;
    }
    const lc_status status = lc_ages_picture(f->ages, u, o->column, o->row, o->log2_side, o->width,
                                             o->height, f->bytes, f->tones, message);
    if (status == LC_OK)
        lc_age_indices(f->bytes, f->tones, f->squares);
    return status;
}

lc_status lc_film_add(lc_film *f, const lc_universe *u, lc_message *message)
{
    if (f == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the film is NULL");
    LC_RETURN_FAILURE(u, message);
    const lc_status status = look(f, u, message);
    return status == LC_OK ? lc_apng_add(f->file, f->bytes, message) : status;
}

uint64_t lc_film_pictures(const lc_film *f)
{
    return lc_apng_frames(f->file);
}

lc_status lc_film_close(lc_film **film, lc_message *message)
{
    if (film == NULL || *film == NULL)
        return LC_OK;
    const lc_status status = lc_apng_close(&(*film)->file, message);
    destroy(film);
    return status;
}
