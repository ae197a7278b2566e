// Films: generations of a universe as an animated PNG file, which browsers play.
//
// A film shows one part of the plane in one scale from beginning to end. Its pictures are those of
// lc_universe_far_picture in the colours of a theme; of a theme that shows ages, those of
// lc_ages_picture, as the looks of this film have found them. The viewer's page shows the same.
//
// Threads: functions may run in several at once, but only one at a time for a given film. Adding
// also uses the universe.
#ifndef LIGHTCONE_FILM_H
#define LIGHTCONE_FILM_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LC_FILM_PIXELS_MAX = 1 << 26, // of a picture: more than programs may still open
    LC_FILM_RATE = 30,            // pictures a second, if none is asked for
    LC_FILM_RATE_MAX = 1000,
};

typedef struct lc_film lc_film;

typedef struct lc_film_options {
    size_t struct_bytes; // sizeof(lc_film_options)
    const char *theme;   // one of lc_film_theme_at; NULL: the first one
    bool light;          // its light colours, not the dark ones
    uint32_t rate;       // pictures a second, up to LC_FILM_RATE_MAX; 0: LC_FILM_RATE
    // What is seen, as lc_universe_far_picture has it: width x height squares of 2^log2_side cells
    // a side, `column` squares to the right of (0, 0) and `row` below it.
    int64_t column, row;
    int log2_side;
    int64_t width, height;
    int64_t side_pixels; // of such a square; 0: 1
} lc_film_options;

// Starts a film. The file takes its place when the film is closed: until then an old one stays.
// Takes 4 bytes a square, and the memory that ages need (lightcone/ages.h). Returns LC_OK;
// LC_ERROR_ARGUMENT (no options, no such theme, a rate or a view that cannot be, "-");
// LC_ERROR_LIMIT (a picture would have more than LC_FILM_PIXELS_MAX pixels); LC_ERROR_UNSUPPORTED
// (the path is a pipe); LC_ERROR_IO; LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_film_create(lc_film **out, const char *path, const lc_film_options *options,
                                lc_message *message);

// Adds the universe as it is now as a picture, which is seen for 1/rate seconds; one that is the
// same as the picture before takes no room. Returns LC_OK; what lc_ages_picture returns;
// LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_LIMIT (2^29 pictures that differ). If it was the writing
// that failed, no other can be added, no file will be made, and lc_film_close returns the same.
LC_API lc_status lc_film_add(lc_film *film, const lc_universe *universe, lc_message *message);

LC_API uint64_t lc_film_pictures(const lc_film *film); // that were added

// Ends the film, puts the file in its place, frees the film and clears *film. Without a picture no
// file is made. NULL and a pointer to NULL are fine. LC_OK; or LC_ERROR_IO, or what has ended
// lc_film_add: then no file is made, and an old one stays.
LC_API lc_status lc_film_close(lc_film **film, lc_message *message);

// The names of the themes, "sea"; NULL behind the last one. Valid until the process ends.
LC_API const char *lc_film_theme_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
