// Makes the palettes of themes, equal to those of the page (colours.js, ages.js). Tones are in
// OKLCH, where equal steps of lightness look equal.
#include "record/film_colours.h"

#include <math.h>
#include <string.h>

// The bytes of lc_age_indices.
enum { TRAILS = 64, AGES = 48, DENSITIES = 4 };

// The share of the colour in pixels of increasing density; the rest is the colour of dead cells.
static const double strengths[DENSITIES] = {0.76, 0.84, 0.92, 1};

static uint8_t nearest(double value)
{
    return (uint8_t)floor(value + 0.5);
}

static uint8_t to_byte(double linear)
{
    const double light = fmin(1, fmax(0, linear));
    const double coded = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return nearest(coded * 255);
}

static void to_colour(lc_theme_tone tone, uint8_t rgb[3])
{
    const double angle = tone.hue * 3.14159265358979323846 / 180;
    const double a = tone.chroma * cos(angle), b = tone.chroma * sin(angle);
    const double l = pow(tone.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(tone.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(tone.lightness - 0.0894841775 * a - 1.291485548 * b, 3);
    rgb[0] = to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    rgb[1] = to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    rgb[2] = to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
}

static lc_theme_tone mix(lc_theme_tone from, lc_theme_tone to, double part)
{
    return (lc_theme_tone){
        from.lightness + (to.lightness - from.lightness) * part,
        from.chroma + (to.chroma - from.chroma) * part,
        from.hue + (to.hue - from.hue) * part,
    };
}

// Interpolates all tones at equal distances; `part` is 0 to 1.
static void along(const lc_theme_tone tones[LC_THEME_TONES], double part, uint8_t rgb[3])
{
    int count = 0;
    while (count < LC_THEME_TONES && tones[count].lightness > 0)
        count++;
    const double place = part * (count - 1);
    const int from = (int)fmin(count - 2, floor(place));
    to_colour(mix(tones[from], tones[from + 1], place - from), rgb);
}

static void make_levels(const lc_theme_shades *shades, uint8_t rgb[LC_FILM_COLOURS][3])
{
    const lc_theme_tone first = shades->levels[0], middle = shades->levels[1];
    const lc_theme_tone last = shades->levels[2];
    // Lightness goes evenly from first to last; the middle is on its way. From 0 to 1 there is a
    // jump, so that a single cell in a large square is seen.
    const double turn = (middle.lightness - first.lightness) / (last.lightness - first.lightness);
    for (int level = 1; level < LC_FILM_COLOURS; level++) {
        const double part = (level - 1) / 254.0;
        to_colour(part < turn ? mix(first, middle, part / turn)
                              : mix(middle, last, (part - turn) / (1 - turn)),
                  rgb[level]);
    }
}

static void make_ages(const lc_theme_shades *shades, uint8_t rgb[LC_FILM_COLOURS][3])
{
    for (int i = 1; i < TRAILS; i++)
        along(shades->trail, (double)(TRAILS - 1 - i) / (TRAILS - 2), rgb[i]);
    for (int age = 0; age < AGES; age++) {
        uint8_t colour[3];
        along(shades->live, (double)age / (AGES - 1), colour);
        for (int density = 0; density < DENSITIES; density++) {
            uint8_t *to = rgb[TRAILS + DENSITIES * age + density];
            for (int i = 0; i < 3; i++)
                to[i] =
                    nearest(shades->dead[i] + (colour[i] - shades->dead[i]) * strengths[density]);
        }
    }
}

bool lc_theme_has_ages(const lc_theme *theme)
{
    return strcmp(theme->shows, "cells") != 0;
}

const lc_theme *lc_theme_named(const char *id)
{
    for (const lc_theme *theme = lc_themes; theme->id != NULL; theme++)
        if (strcmp(theme->id, id) == 0)
            return theme;
    return NULL;
}

void lc_theme_palette(const lc_theme *theme, bool light, uint8_t rgb[LC_FILM_COLOURS][3])
{
    const lc_theme_shades *shades = light ? &theme->light : &theme->dark;
    memcpy(rgb[0], shades->dead, 3);
    if (lc_theme_has_ages(theme))
        make_ages(shades, rgb);
    else
        make_levels(shades, rgb);
}
