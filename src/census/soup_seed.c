#include "census/soup_seed.h"

#include <string.h>

#include "base/error.h"

#define ONE LC_SOUP_SELF
#define FOUR (LC_SOUP_SELF | LC_SOUP_UP | LC_SOUP_SIDE | LC_SOUP_ROT)

typedef struct symmetry_kind {
    char name[8];
    lc_soup_plan plan;
} symmetry_kind;

static const symmetry_kind kinds[] = {
    {"C1", {ONE, 0, 0, 16, 16, 0}},
    {"G1", {ONE, 0, 0, 16, 16, 0}},
    {"10x10", {ONE | LC_SOUP_CUT, 0, 0, 16, 16, 0}},
    {"8x32", {LC_SOUP_WIDE, 0, 0, 32, 8, 0}},
    {"4x64", {LC_SOUP_WIDE, 0, 0, 64, 4, 0}},
    {"2x128", {LC_SOUP_WIDE, 0, 0, 128, 2, 0}},
    {"1x256", {LC_SOUP_WIDE, 0, 0, 256, 1, 0}},
    {"D2_x", {ONE | LC_SOUP_DIAGONAL, 0, 0, 16, 16, 0}},
    {"D2_xo", {LC_SOUP_UP | LC_SOUP_DIAGONAL, 0, 0, 16, 16, 0}},
    {"D2_+1", {ONE | LC_SOUP_UP, 0, 15, 16, 31, 0}},
    {"D2_+2", {ONE | LC_SOUP_UP, 0, 16, 16, 32, 0}},
    {"C2_1", {ONE | LC_SOUP_ROT, 15, 15, 31, 31, 0}},
    {"C2_2", {ONE | LC_SOUP_ROT, 16, 15, 32, 31, 0}},
    {"C2_4", {ONE | LC_SOUP_ROT, 16, 16, 32, 32, 0}},
    {"C4_1", {FOUR | LC_SOUP_TURNED, 15, 15, 31, 31, 0}},
    {"C4_4", {FOUR | LC_SOUP_TURNED, 16, 16, 32, 32, 0}},
    {"D4_+1", {FOUR, 15, 15, 31, 31, 0}},
    {"D4_+2", {FOUR, 16, 15, 32, 31, 0}},
    {"D4_+4", {FOUR, 16, 16, 32, 32, 0}},
    {"D4_x1", {FOUR | LC_SOUP_DIAGONAL | LC_SOUP_TURNED, 15, 15, 31, 31, 0}},
    {"D4_x4", {FOUR | LC_SOUP_DIAGONAL | LC_SOUP_TURNED, 16, 16, 32, 32, 0}},
    {"D8_1", {FOUR | LC_SOUP_DIAGONAL, 15, 15, 31, 31, 0}},
    {"D8_4", {FOUR | LC_SOUP_DIAGONAL, 16, 16, 32, 32, 0}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Symmetries -------------------------------------------------------------------------------------

static lc_status fail_unknown(const char *text, lc_message *message)
{
    return lc_fail(message, LC_ERROR_FORMAT,
                   "unknown symmetry \"%.40s\"; use C1, C2_1, C2_2, C2_4, C4_1, C4_4, D2_+1, "
                   "D2_+2, D2_x, D4_+1, D4_+2, D4_+4, D4_x1, D4_x4, D8_1, D8_4, 10x10, 8x32, "
                   "4x64, 2x128 or 1x256, or one of them behind up to %d letters \"i\"",
                   text, LC_SYMMETRY_DOUBLINGS_MAX);
}

lc_status lc_symmetry_parse(const char *text, lc_symmetry *symmetry, lc_message *message)
{
    const size_t doublings = strspn(text, "i");
    for (int kind = 0; kind < KINDS; kind++) {
        if (doublings <= LC_SYMMETRY_DOUBLINGS_MAX &&
            strcmp(text + doublings, kinds[kind].name) == 0) {
            *symmetry = (lc_symmetry){kind, (int)doublings};
            return LC_OK;
        }
    }
    return fail_unknown(text, message);
}

const char *lc_symmetry_format(const lc_symmetry *symmetry, char text[LC_SYMMETRY_TEXT_BYTES])
{
    const size_t doublings = (size_t)symmetry->doublings;
    memset(text, 'i', doublings);
    strcpy(text + doublings, kinds[symmetry->kind].name);
    return text;
}

static bool is_symmetry(const lc_symmetry *symmetry)
{
    return symmetry->kind >= 0 && symmetry->kind < KINDS && symmetry->doublings >= 0 &&
           symmetry->doublings <= LC_SYMMETRY_DOUBLINGS_MAX;
}

// The first programs that searched C2_2 exchanged D and T. Roots of later ones begin with "l_".
static bool has_exchanged_squares(const lc_symmetry *symmetry, const char *root, size_t root_bytes)
{
    const bool is_old = root_bytes < 2 || memcmp(root, "l_", 2) != 0;
    return is_old && strcmp(kinds[symmetry->kind].name, "C2_2") == 0;
}

lc_soup_plan lc_symmetry_plan(const lc_symmetry *symmetry, const char *root, size_t root_bytes)
{
    lc_soup_plan plan = kinds[symmetry->kind].plan;
    plan.doublings = symmetry->doublings;
    if (has_exchanged_squares(symmetry, root, root_bytes))
        plan.flags |= LC_SOUP_EXCHANGED;
    return plan;
}

// Soups ------------------------------------------------------------------------------------------

enum {
    DIGITS_MAX = 20, // of 2^64 - 1
    TEXT_WORDS = (LC_SOUP_ROOT_BYTES_MAX + DIGITS_MAX + 9 + 63) / 64 * 16,
    BASE_WORDS_MAX = 256 / 32, // of a row, before it is doubled
    ROW_WORDS_MAX = BASE_WORDS_MAX << LC_SYMMETRY_DOUBLINGS_MAX,
};

static void make_digest(lc_word digest[8], const char *root, size_t root_bytes, uint64_t number)
{
    lc_word text[TEXT_WORDS];
    const int blocks = lc_sha256_blocks((int)root_bytes + lc_soup_digits(number));
    memset(text, 0, (size_t)blocks * 64);
    for (size_t i = 0; i < root_bytes; i++)
        lc_sha256_put(text, (int)i, (unsigned char)root[i]);
    lc_sha256_digest(digest, text, lc_soup_append(text, (int)root_bytes, number));
}

static void make_squares(const lc_soup_plan *plan, const lc_word digest[8], unsigned short s[16],
                         unsigned short q[16])
{
    for (int y = 0; y < 16; y++) {
        lc_word d = lc_soup_row_of_d(digest, y);
        lc_word t = plan->flags & LC_SOUP_NEEDS_T ? lc_soup_row_of_t(digest, y) : 0;
        lc_soup_prepare(plan->flags, y, &d, &t);
        s[y] = (unsigned short)d;
        q[y] = (unsigned short)t;
    }
}

// Makes each cell of a row twice as wide. `words` has room for twice as many words.
static void double_row(lc_word *words, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        const lc_word word = words[i];
        words[2 * i] = lc_soup_doubled(word & 0xffff);
        words[2 * i + 1] = lc_soup_doubled(word >> 16);
    }
}

// Writes the rows of `out` that row y of the soup becomes.
static void write_rows(lc_soup_cells *out, const lc_soup_plan *plan, int y, lc_word *words,
                       int count)
{
    for (int i = 0; i < plan->doublings; i++, count *= 2)
        double_row(words, count);
    if (count == 1)
        words[1] = 0;
    uint64_t *const first = out->words + ((size_t)y << plan->doublings) * (size_t)out->row_words;
    for (int i = 0; i < out->row_words; i++)
        first[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    for (int i = 1; i < 1 << plan->doublings; i++)
        memcpy(first + i * out->row_words, first, (size_t)out->row_words * sizeof *first);
}

static void make_from_squares(lc_soup_cells *out, const lc_soup_plan *plan, const lc_word digest[8])
{
    unsigned short s[16], q[16];
    lc_word words[ROW_WORDS_MAX];
    make_squares(plan, digest, s, q);
    for (int y = 0; y < plan->height; y++) {
        words[0] = lc_soup_row_of_squares(plan, s, q, y);
        write_rows(out, plan, y, words, 1);
    }
}

static void make_wide(lc_soup_cells *out, const lc_soup_plan *plan, const lc_word digest[8])
{
    const int count = plan->width / 32;
    lc_word words[ROW_WORDS_MAX];
    for (int y = 0; y < plan->height; y++) {
        for (int i = 0; i < count; i++)
            words[i] = lc_soup_wide_word(digest, plan->width, y, i);
        write_rows(out, plan, y, words, count);
    }
}

lc_status lc_soup_from_seed(lc_soup_cells *out, const lc_symmetry *symmetry, const char *root,
                            size_t root_bytes, uint64_t number)
{
    if (root_bytes > LC_SOUP_ROOT_BYTES_MAX || !is_symmetry(symmetry))
        return LC_ERROR_ARGUMENT;
    const lc_soup_plan plan = lc_symmetry_plan(symmetry, root, root_bytes);
    lc_word digest[8];
    make_digest(digest, root, root_bytes, number);
    out->width = plan.width << plan.doublings;
    out->height = plan.height << plan.doublings;
    out->row_words = (out->width + 63) / 64;
    if (plan.flags & LC_SOUP_WIDE)
        make_wide(out, &plan, digest);
    else
        make_from_squares(out, &plan, digest);
    return LC_OK;
}

bool lc_soup_cells_list(lc_live *live, const lc_soup_cells *cells)
{
    for (int y = 0; y < cells->height; y++)
        if (!lc_live_add_bits(live, 0, y, &cells->words[(size_t)y * (size_t)cells->row_words],
                              cells->width))
            return false;
    return true;
}
