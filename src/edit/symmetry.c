// Images of rectangles under a symmetry, and clips made symmetric.
#include <string.h>

#include "grid/grid.h"
#include "lightcone/edits.h"

bool lc_edit_symmetry_is_square(lc_edit_symmetry_kind kind)
{
    return kind == LC_EDIT_SYMMETRY_DIAGONAL || kind == LC_EDIT_SYMMETRY_TURN_4 ||
           kind == LC_EDIT_SYMMETRY_ALL;
}

// Areas --------------------------------------------------------------------------------------

// The symmetries of a square: first x and y are exchanged, then each is mirrored.
typedef struct motion {
    bool transposes, flips_x, flips_y;
} motion;

static const motion all_motions[LC_EDIT_IMAGES_MAX] = {
    {false, false, false}, {false, true, false}, {false, false, true}, {false, true, true},
    {true, false, false},  {true, true, false},  {true, false, true},  {true, true, true},
};

// Bit i: motion i belongs to the symmetry.
static const unsigned motions_of[] = {
    [LC_EDIT_SYMMETRY_NONE] = 0x01,     [LC_EDIT_SYMMETRY_X] = 0x03,
    [LC_EDIT_SYMMETRY_Y] = 0x05,        [LC_EDIT_SYMMETRY_BOTH] = 0x0f,
    [LC_EDIT_SYMMETRY_DIAGONAL] = 0x11, [LC_EDIT_SYMMETRY_TURN_2] = 0x09,
    [LC_EDIT_SYMMETRY_TURN_4] = 0x69,   [LC_EDIT_SYMMETRY_ALL] = 0xff,
};

// Mirrors a side that begins at *start. Returns false on overflow.
static bool flip(int64_t *start, int64_t length, int64_t halves)
{
    return !__builtin_sub_overflow(halves, *start, start) &&
           !__builtin_sub_overflow(*start, length, start);
}

static bool move_area(const lc_edit_symmetry *s, const motion *m, lc_rectangle *a)
{
    if (m->transposes) {
        const lc_rectangle old = *a;
        const int64_t shift = (s->x_halves >> 1) - (s->y_halves >> 1);
        *a = (lc_rectangle){0, 0, old.height_cells, old.width_cells};
        if (((s->x_halves ^ s->y_halves) & 1) != 0 || __builtin_add_overflow(old.y, shift, &a->x) ||
            __builtin_sub_overflow(old.x, shift, &a->y))
            return false;
    }
    return (!m->flips_x || flip(&a->x, a->width_cells, s->x_halves)) &&
           (!m->flips_y || flip(&a->y, a->height_cells, s->y_halves));
}

size_t lc_edit_images(const lc_edit_symmetry *symmetry, const lc_rectangle *from,
                      lc_rectangle images[LC_EDIT_IMAGES_MAX])
{
    size_t count = 0;
    if ((unsigned)symmetry->kind > LC_EDIT_SYMMETRY_ALL)
        return 0;
    for (size_t i = 0; i < LC_EDIT_IMAGES_MAX; i++) {
        if (!(motions_of[symmetry->kind] >> i & 1))
            continue;
        images[count] = *from;
        if (!move_area(symmetry, &all_motions[i], &images[count++]))
            return 0;
    }
    return count;
}

// Clips --------------------------------------------------------------------------------------

// Finds the cells first .. end-1 that row y of the result takes from the turned clip.
typedef void (*chooser)(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end);

static void right_half(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    (void)y;
    *first = (clip->width_cells + 1) / 2;
    *end = clip->width_cells;
}

static void lower_half(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    *first = 0;
    *end = y >= (clip->height_cells + 1) / 2 ? clip->width_cells : 0;
}

// The lower half, and the right half of a row in the middle.
static void second_half(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    const bool middle = clip->height_cells % 2 != 0 && y == clip->height_cells / 2;
    if (middle)
        right_half(clip, y, first, end);
    else
        lower_half(clip, y, first, end);
}

static void below_diagonal(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    (void)clip;
    *first = 0;
    *end = y;
}

// The second, third and fourth quarter of a square.
static void quarter_2(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    const int64_t most = (clip->width_cells + 1) / 2;
    *first = most;
    *end = y < most ? clip->width_cells : most;
}

static void quarter_3(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    *first = clip->width_cells / 2;
    *end = y >= (clip->width_cells + 1) / 2 ? clip->width_cells : *first;
}

static void quarter_4(const lc_cells *clip, int64_t y, int64_t *first, int64_t *end)
{
    *first = 0;
    *end = y >= clip->width_cells / 2 ? clip->width_cells / 2 : 0;
}

// One step of making a clip symmetric: turns the copy, and takes a part of it.
typedef struct recipe_step {
    lc_turn turns[2];
    size_t turn_count;
    chooser choose;
} recipe_step;

static lc_status follow(lc_clip *clip, const recipe_step *steps, size_t count, lc_message *message)
{
    const lc_cells *cells = lc_clip_cells(clip);
    lc_clip *copy;
    lc_status status = lc_clip_copy(&copy, clip, message);
    for (size_t i = 0; i < count && status == LC_OK; i++) {
        for (size_t j = 0; j < steps[i].turn_count && status == LC_OK; j++)
            status = lc_clip_turn(copy, steps[i].turns[j], message);
        for (int64_t y = 0; y < cells->height_cells && status == LC_OK; y++) {
            int64_t first, end;
            steps[i].choose(cells, y, &first, &end);
            if (first < end)
                lc_bits_copy(lc_cells_row(cells, y), first, lc_cells_row(lc_clip_cells(copy), y),
                             first, end - first);
        }
    }
    lc_clip_destroy(&copy);
    return status;
}

static const recipe_step mirror_x = {{LC_TURN_FLIP_X}, 1, right_half};
static const recipe_step mirror_y = {{LC_TURN_FLIP_Y}, 1, lower_half};
static const recipe_step mirror_diagonal = {{LC_TURN_RIGHT, LC_TURN_FLIP_X}, 2, below_diagonal};
static const recipe_step half_turn = {{LC_TURN_FLIP_X, LC_TURN_FLIP_Y}, 2, second_half};
static const recipe_step quarter_turns[] = {{{LC_TURN_RIGHT}, 1, quarter_2},
                                            {{LC_TURN_RIGHT}, 1, quarter_3},
                                            {{LC_TURN_RIGHT}, 1, quarter_4}};

lc_status lc_clip_make_symmetric(lc_clip *clip, lc_edit_symmetry_kind kind, lc_message *message)
{
    const lc_cells *cells = lc_clip_cells(clip);
    if ((unsigned)kind > LC_EDIT_SYMMETRY_ALL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "invalid symmetry %d", (int)kind);
    if (lc_edit_symmetry_is_square(kind) && cells->width_cells != cells->height_cells)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "that symmetry needs a square, not %lld x %lld cells",
                       (long long)cells->width_cells, (long long)cells->height_cells);
    lc_status status = LC_OK;
    if (kind == LC_EDIT_SYMMETRY_DIAGONAL || kind == LC_EDIT_SYMMETRY_ALL)
        status = follow(clip, &mirror_diagonal, 1, message);
    const bool both = kind == LC_EDIT_SYMMETRY_BOTH || kind == LC_EDIT_SYMMETRY_ALL;
    if (status == LC_OK && (both || kind == LC_EDIT_SYMMETRY_X))
        status = follow(clip, &mirror_x, 1, message);
    if (status == LC_OK && (both || kind == LC_EDIT_SYMMETRY_Y))
        status = follow(clip, &mirror_y, 1, message);
    if (kind == LC_EDIT_SYMMETRY_TURN_2)
        status = follow(clip, &half_turn, 1, message);
    if (kind == LC_EDIT_SYMMETRY_TURN_4)
        status = follow(clip, quarter_turns, 3, message);
    return status;
}
