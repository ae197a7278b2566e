// Films: animated PNG files that show generations of a universe and play in browsers.
//
// Example:
//
//     lc_film *film = NULL;
//     lc_film_options options = {.struct_bytes = sizeof options, .width = 320, .height = 200};
//     if (lc_film_create(&film, "life.png", &options, &message) == LC_OK)
//         lc_film_add(film, universe, &message); // once per picture, between steps
//     lc_film_close(&film, &message); // completes the file.
//
// A film shows one fixed area at one scale. The pictures of a film are those of
// lc_universe_far_picture, in the colours of a theme. If the theme shows ages, the pictures are
// those of lc_ages_picture. The age of a cell counts from the first picture that shows the cell
// alive. The viewer's page shows the same pictures as a film.
//
// Threads: any thread may call these functions. Only one thread at a time may use the same film. A
// call of lc_film_add also counts as a use of the universe.
#ifndef LIGHTCONE_FILM_H
#define LIGHTCONE_FILM_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    // Largest number of pixels per picture. Many programs do not open larger pictures.
    LC_FILM_PIXELS_MAX = 1 << 26,
    LC_FILM_RATE = 30, // default number of pictures per second
    LC_FILM_RATE_MAX = 1000,
};

typedef struct lc_film lc_film;

// Options for lc_film_create. Set struct_bytes, width and height; 0 in any other member selects its
// default.
typedef struct lc_film_options {
    size_t struct_bytes; // sizeof(lc_film_options)
    const char *theme;   // a name from lc_film_theme_at; NULL: the first theme
    bool light;          // true: the theme's light colours; false: the theme's dark colours
    uint32_t rate;       // pictures per second, 1 to LC_FILM_RATE_MAX; 0: LC_FILM_RATE
    // The area, as in lc_universe_far_picture: width x height squares, each of 2^log2_side x
    // 2^log2_side cells. The first square is `column` squares to the right of (0, 0), and `row`
    // squares below (0, 0).
    int64_t column, row;
    int log2_side;
    int64_t width, height;
    int64_t side_pixels; // pixels per side of a square; the default is 1
    // The rule of the universe. If it has more than two states and squares are cells, the film
    // shows states in the colours of lc_rule_colours, on the theme's colour of dead cells. NULL:
    // two states.
    const lc_rule *rule;
} lc_film_options;

// Starts a film. The file appears at `path` when the film is closed. An existing file at `path`
// stays unchanged until the film is closed. A film takes 4 bytes of memory per square. If the theme
// shows ages, the film also takes the memory for ages (ages.h). The caller closes the film.
// Returns LC_OK; LC_ERROR_ARGUMENT (no options, an unknown theme, an invalid rate or area, path
// "-"); LC_ERROR_LIMIT (a picture would have more than LC_FILM_PIXELS_MAX pixels);
// LC_ERROR_UNSUPPORTED (the path is a pipe); LC_ERROR_IO; LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_film_create(lc_film **out, const char *path, const lc_film_options *options,
                                lc_message *message);

// Adds the current cells of the universe as a picture, shown for 1/rate seconds. A picture that
// equals the previous picture takes no room in the file.
// Returns the same statuses as lc_ages_picture, or LC_ERROR_IO or LC_ERROR_LIMIT (more than 2^29
// different pictures). After a failed write the film accepts no more pictures, and lc_film_close
// creates no file and returns the error of the failed write.
LC_API lc_status lc_film_add(lc_film *film, const lc_universe *universe, lc_message *message);

// Returns the number of pictures added.
LC_API uint64_t lc_film_pictures(const lc_film *film);

// Ends the film, puts the file at its path, frees the film and sets *film to NULL. If no picture
// was added, no file is created. Accepts NULL and a pointer to NULL.
// Returns LC_OK; LC_ERROR_IO; or the error that ended lc_film_add. On error no file is created, and
// an old file stays unchanged.
LC_API lc_status lc_film_close(lc_film **film, lc_message *message);

// Returns the name of the i-th theme, counted from 0, for example "sea". Returns NULL past the last
// theme. The name is valid until the process ends.
LC_API const char *lc_film_theme_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
