// The themes of films and of the viewer's page, and the palettes of films. The page makes the same
// palettes from the themes (viewer/page/colours.js, ages.js).
#ifndef LC_RECORD_FILM_COLOURS_H
#define LC_RECORD_FILM_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LC_THEME_TONES = 8, LC_FILM_COLOURS = 256 };

typedef struct lc_theme_tone { // in OKLCH, the hue in degrees
    double lightness, chroma, hue;
} lc_theme_tone;

typedef struct lc_theme_shades {
    uint8_t dead[4];         // red, green, blue, opacity
    lc_theme_tone levels[3]; // from sparse to full squares
    // From just born to old, and from just died to long ago. The first without a lightness ends
    // them; themes that show cells only have none.
    lc_theme_tone live[LC_THEME_TONES], trail[LC_THEME_TONES];
} lc_theme_shades;

typedef struct lc_theme {
    const char *id, *title, *shows;
    bool safe; // suits red-green colour blindness
    lc_theme_shades dark, light;
} lc_theme;

extern const lc_theme lc_themes[]; // the last has no id

// Returns whether pictures have the bytes of lc_age_indices, not those of lc_universe_picture.
bool lc_theme_has_ages(const lc_theme *theme);

// Returns the theme with that id, or NULL.
const lc_theme *lc_theme_named(const char *id);

// Sets the colour of each byte: red, green and blue.
void lc_theme_palette(const lc_theme *theme, bool light, uint8_t rgb[LC_FILM_COLOURS][3]);

#endif
