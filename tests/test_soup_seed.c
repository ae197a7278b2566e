// Soups from seeds are a promise to the field: Catagolue publishes which soups hold which objects.
// The hashes written down are of cells that a program of sets of cells made from the definition; it
// shares no code with the library.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "census/soup_seed.h"

#define HASH_START UINT64_C(0xcbf29ce484222325)

static uint64_t fold(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

static bool is_alive(const lc_soup_cells *cells, int x, int y)
{
    return cells->words[y * cells->row_words + x / 64] >> x % 64 & 1;
}

// The places of all live cells, row by row.
static uint64_t add_cells(uint64_t hash, const lc_soup_cells *cells)
{
    for (int y = 0; y < cells->height; y++)
        for (int x = 0; x < 64 * cells->row_words; x++)
            if (is_alive(cells, x, y))
                hash = fold(hash, (uint64_t)(y * 65536 + x));
    return fold(hash, UINT64_MAX);
}

static lc_symmetry symmetry_of(const char *text)
{
    lc_symmetry symmetry;
    assert_int_equal(lc_symmetry_parse(text, &symmetry, NULL), LC_OK);
    return symmetry;
}

static void make(lc_soup_cells *cells, const char *symmetry_text, const char *root, uint64_t number)
{
    const lc_symmetry symmetry = symmetry_of(symmetry_text);
    memset(cells, 0xa5, sizeof *cells);
    assert_int_equal(lc_soup_from_seed(cells, &symmetry, root, strlen(root), number), LC_OK);
    assert_true(cells->height * cells->row_words <= LC_SOUP_WORDS_MAX);
}

static void test_a_soup_drawn(void **state)
{
    (void)state;
    static const char *const rows[16] = {
        ".....OOOOOOO....", "..O.OO.OOOO.....", ".O...O.OO.O.O...", ".O.O..O.....OO..",
        "O...OO..O.OO...O", "...O..O.O.OO.OOO", "OO..O..O......OO", "..O..OO...OO.OOO",
        "..OOO.O..O...OOO", "..OO.O.OO.O.O..O", "O.O.OOO.O..O.OOO", "O.OO.O.O.O.O..O.",
        ".O.OO.OO..O.O...", ".OO.OOOOO.....O.", ".OOO.....O..OO..", "O...OO...O.O....",
    };
    lc_soup_cells cells;
    make(&cells, "D2_x", "l_lightcone1", 0);
    assert_int_equal(cells.width, 16);
    assert_int_equal(cells.height, 16);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            assert_int_equal(is_alive(&cells, x, y), rows[y][x] == 'O');
}

// 50 soups of each.
static void test_all_symmetries(void **state)
{
    (void)state;
    static const struct {
        const char *symmetry, *root;
        uint64_t hash;
    } known[] = {
        {"C1", "l_lightcone1", 0xef4eb0c4bc5b0c4f},
        {"G1", "l_lightcone1", 0xef4eb0c4bc5b0c4f},
        {"10x10", "l_lightcone1", 0x2604dc1c51a2f191},
        {"8x32", "l_lightcone1", 0xa39e331183bd76cf},
        {"4x64", "l_lightcone1", 0x4cf220fa854af97b},
        {"2x128", "l_lightcone1", 0xb058bfbf77813559},
        {"1x256", "l_lightcone1", 0x9b647e6026486b77},
        {"D2_x", "l_lightcone1", 0xdc2ae4f7d8cdf48b},
        {"D2_xo", "l_lightcone1", 0xb9dd89f525991d61},
        {"D2_+1", "l_lightcone1", 0xa5b77ef430b2f5f5},
        {"D2_+2", "l_lightcone1", 0x49ed0e698ee6db87},
        {"C2_1", "l_lightcone1", 0xdbc8b12e4b3edfce},
        {"C2_2", "l_lightcone1", 0x55ef349b3e2851f4},
        {"C2_4", "l_lightcone1", 0xdb987e0cfee2040a},
        {"C4_1", "l_lightcone1", 0x9cac9de984a60c52},
        {"C4_4", "l_lightcone1", 0xfc7cd330765925f1},
        {"D4_+1", "l_lightcone1", 0xa52f017720530e94},
        {"D4_+2", "l_lightcone1", 0x82bca546f0f1bfd2},
        {"D4_+4", "l_lightcone1", 0xfc3c719f6d8f0507},
        {"D4_x1", "l_lightcone1", 0x516dd1b0da01dcde},
        {"D4_x4", "l_lightcone1", 0x886d85d9f94afa1d},
        {"D8_1", "l_lightcone1", 0xa78a737a01e0310e},
        {"D8_4", "l_lightcone1", 0xdd55004ece480b37},
        {"C1", "k_lightcone1", 0x54773dc6a15187e7},
        {"4x64", "k_lightcone1", 0xb5dd0da3146e5b0d},
        {"C2_1", "k_lightcone1", 0xd23feb947836da26},
        {"C2_2", "k_lightcone1", 0xc8df4e0faaf3004c},
        {"D4_x4", "k_lightcone1", 0x234dc4cac5fd36f3},
        {"iC1", "l_lightcone1", 0xc1d5eff5a9bd58ab},
        {"iiC1", "l_lightcone1", 0x48d86314acf5fc93},
        {"iC2_1", "l_lightcone1", 0xcac508ebc924c5ff},
        {"iC2_2", "l_lightcone1", 0x84bc4b60b62c56e3},
        {"iD2_x", "l_lightcone1", 0xa5d4c6752c112197},
        {"iiD2_+1", "l_lightcone1", 0x88c30701d2c94833},
        {"iD8_4", "l_lightcone1", 0xf0bb8287d7d8a0c3},
        {"iiiD8_4", "l_lightcone1", 0x01cffd8364ac9673},
        {"iii8x32", "l_lightcone1", 0xe0f26cb4b6cbdef3},
        {"iii1x256", "l_lightcone1", 0xcf86ce81c0e7d873},
        {"ii2x128", "l_lightcone1", 0x627211395cb70913},
        {"i4x64", "l_lightcone1", 0xc8d54cb1259b4f13},
        {"i10x10", "l_lightcone1", 0xa56e562060a5ebe3},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        lc_soup_cells cells;
        uint64_t hash = HASH_START;
        for (uint64_t number = 0; number < 50; number++) {
            make(&cells, known[i].symmetry, known[i].root, number);
            hash = add_cells(hash, &cells);
        }
        if (hash != known[i].hash)
            fail_msg("%s of %s: %016" PRIx64, known[i].symmetry, known[i].root, hash);
    }
}

// Texts of all lengths: one to four blocks, numbers of one to twenty digits.
static void test_all_lengths(void **state)
{
    (void)state;
    const lc_symmetry symmetry = symmetry_of("C1");
    lc_soup_cells cells;
    uint64_t hash = 0;
    for (int length = 0; length <= LC_SOUP_ROOT_BYTES_MAX; length++) {
        char *const root = malloc((size_t)length + 1); // its own block: reading past it is seen
        assert_non_null(root);
        for (int i = 0; i < length; i++)
            root[i] = (char)(33 + (i * 7 + length) % 90);
        const uint64_t number = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)length >> length * 5 % 64;
        assert_int_equal(lc_soup_from_seed(&cells, &symmetry, root, (size_t)length, number), LC_OK);
        hash = fold(hash, add_cells(HASH_START, &cells));
        free(root);
    }
    assert_int_equal(hash, UINT64_C(0xeb5352d4d7cf610b));
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *symmetry;
        int width, height;
    } sizes[] = {
        {"C1", 16, 16},         {"D2_+1", 16, 31},    {"D2_+2", 16, 32},   {"C2_1", 31, 31},
        {"D4_+2", 32, 31},      {"iC2_2", 64, 62},    {"1x256", 256, 1},   {"iii1x256", 2048, 8},
        {"iii2x128", 1024, 16}, {"iii4x64", 512, 32}, {"ii8x32", 128, 32}, {"iiiD8_4", 256, 256},
        {"iiiC4_1", 248, 248},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        lc_soup_cells cells;
        make(&cells, sizes[i].symmetry, "k", UINT64_MAX);
        assert_int_equal(cells.width, sizes[i].width);
        assert_int_equal(cells.height, sizes[i].height);
        assert_int_equal(cells.row_words, (cells.width + 63) / 64);
    }
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "C1",    "G1",    "10x10", "8x32",  "4x64",  "2x128", "1x256", "D2_x",
        "D2_xo", "D2_+1", "D2_+2", "C2_1",  "C2_2",  "C2_4",  "C4_1",  "C4_4",
        "D4_+1", "D4_+2", "D4_+4", "D4_x1", "D4_x4", "D8_1",  "D8_4",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int doublings = 0; doublings <= LC_SYMMETRY_DOUBLINGS_MAX; doublings++) {
            char name[LC_SYMMETRY_TEXT_BYTES] = "iii", text[LC_SYMMETRY_TEXT_BYTES];
            strcpy(name + doublings, names[i]);
            const lc_symmetry symmetry = symmetry_of(name);
            assert_int_equal(symmetry.doublings, doublings);
            assert_ptr_equal(lc_symmetry_format(&symmetry, text), text);
            assert_string_equal(text, name);
        }
    }
}

static void test_wrong_names(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",     "i",      "iiiiC1", "c1",    "C1 ",   " C1", "C2_3",
                                        "D2_+", "D2_xoo", "Ci1",    "16x16", "D8_4i", "C"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char expected[64];
        lc_message message = {0};
        lc_symmetry symmetry = {-7, -8};
        assert_int_equal(lc_symmetry_parse(wrong[i], &symmetry, &message), LC_ERROR_FORMAT);
        assert_int_equal(symmetry.kind, -7);
        assert_int_equal(symmetry.doublings, -8);
        snprintf(expected, sizeof expected, "unknown symmetry \"%s\"; use C1, C2_1,", wrong[i]);
        assert_memory_equal(message.text, expected, strlen(expected));
        assert_int_equal(message.text[strlen(message.text) - 1], '"'); // not cut off
    }
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    static const char root[LC_SOUP_ROOT_BYTES_MAX + 1] = {0};
    static const lc_symmetry wrong[] = {{-1, 0}, {23, 0}, {0, -1}, {0, 4}};
    const lc_symmetry right = {0, 0};
    lc_soup_cells cells;
    assert_int_equal(lc_soup_from_seed(&cells, &right, root, sizeof root - 1, 0), LC_OK);
    assert_int_equal(lc_soup_from_seed(&cells, &right, root, sizeof root, 0), LC_ERROR_ARGUMENT);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lc_soup_from_seed(&cells, &wrong[i], root, 1, 0), LC_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_soup_drawn),    cmocka_unit_test(test_all_symmetries),
        cmocka_unit_test(test_all_lengths),     cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_names),           cmocka_unit_test(test_wrong_names),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
