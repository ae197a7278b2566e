// The viewer's library: what the command has inside, a folder in all its disorder, and pictures of
// patterns against sums over single cells.
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "lightcone/clip.h"
#include "support.h"
#include "support_facts.h"
#include "support_pattern.h"
#include "support_universe.h"
#include "viewer/pattern_library.h"
#include "viewer/picture_message.h"

// A folder of the user's -----------------------------------------------------------------------

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    file_put(in_folder(name), text, strlen(text));
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts;
    (void)kind;
    (void)where;
    return remove(path);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/lightcone-test-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static lc_library *library_of(const char *path)
{
    lc_library *library;
    lc_message message = {0};
    if (lc_library_create(&library, path, &message) != LC_OK)
        fail_msg("%s", message.text);
    return library;
}

// The i-th of the user's patterns; NULL past the last.
static const lc_library_entry *yours(const lc_library *library, size_t i)
{
    size_t inside = 0;
    const lc_library_entry *entry;
    while ((entry = lc_library_at(library, inside)) != NULL && !entry->yours)
        inside++;
    return lc_library_at(library, inside + i);
}

static const lc_library_entry *named(const lc_library *library, const char *name)
{
    const lc_library_entry *entry;
    for (size_t i = 0; (entry = lc_library_at(library, i)) != NULL; i++)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

// Inside ---------------------------------------------------------------------------------------

static void test_inside(void **state)
{
    (void)state;
    lc_library *library = library_of(NULL);
    const lc_library_entry *entry;
    size_t count = 0;
    for (; (entry = lc_library_at(library, count)) != NULL; count++) {
        char path[300];
        size_t bytes, file_bytes;
        void *data;
        (void)snprintf(path, sizeof path, "%s/%s/%s.rle", TEST_PATTERNS, entry->category,
                       entry->name);
        char *file = file_text(path, &file_bytes);
        assert_non_null(file);
        assert_int_equal(lc_library_read(library, entry->id, &data, &bytes, NULL), LC_OK);
        assert_int_equal(bytes, file_bytes);
        assert_memory_equal(data, file, bytes);
        assert_true(entry->title[0] != '\0' && entry->comments[0] != '\0' && !entry->yours);
        assert_true(entry->width_cells > 0 && entry->height_cells > 0);
        assert_ptr_equal(lc_library_find(library, entry->id), entry);
        assert_true(count == 0 || strcmp(lc_library_at(library, count - 1)->name, entry->name) < 0);
        lc_thumbnail picture;
        assert_int_equal(lc_library_thumbnail(library, entry->id, &picture, NULL), LC_OK);
        assert_true(picture.bits == 1 && picture.width == entry->width_cells);
        assert_true(entry->kind[0] != '\0' && strstr(entry->comments, "facts:") == NULL);
        free(data);
        free(file);
    }
    assert_true(count >= 200 && lc_built_in_patterns()[count].name == NULL);
    entry = named(library, "glider");
    assert_string_equal(entry->title, "Glider");
    assert_string_equal(entry->comments, "Moves one cell diagonally every four generations.");
    assert_string_equal(entry->rule, "B3/S23");
    assert_true(entry->width_cells == 3 && entry->height_cells == 3);
    assert_string_equal(entry->author, "Richard Guy");
    assert_string_equal(entry->kind, "spaceship");
    assert_string_equal(entry->category, "spaceships");
    assert_string_equal(entry->speed, "c/4 diagonal");
    assert_true(entry->year == 1970 && entry->period == 4);
    lc_thumbnail picture;
    assert_int_equal(lc_library_thumbnail(library, entry->id, &picture, NULL), LC_OK);
    assert_true(picture.width == 3 && picture.height == 3 && picture.size_bytes == 3);
    assert_memory_equal(picture.pixels, "\2\4\7", 3);

    void *data = &data;
    size_t bytes;
    lc_message message = {0};
    assert_int_equal(lc_library_read(library, 0, &data, &bytes, &message), LC_ERROR_ARGUMENT);
    assert_null(data);
    assert_true(message.text[0] != '\0');
    assert_int_equal(lc_library_thumbnail(library, 999, &picture, &message), LC_ERROR_ARGUMENT);
    assert_null(lc_library_find(library, 999));
    lc_library_destroy(&library);
    assert_null(library);
    lc_library_destroy(&library);
    library = library_of("/nowhere/at/all");
    assert_null(lc_library_at(library, count));
    lc_library_destroy(&library);
}

// A folder -------------------------------------------------------------------------------------

static void test_a_folder(void **state)
{
    (void)state;
    static const struct {
        const char *name, *title, *comments, *rule;
        int64_t width, height;
    } expected[] = {
        {"Alpha", "Named second", "Said first\nsaid last", "B36/S23:T50,60", 9, 8},
        {"beta", "Named", "by its author", "B3/S23", 3, 2},
        {"deep", "", "", "B3/S23", 2, 1},
        {"delta", "", "", "B3/S23", 3, 5},
        {"delta", "caf\xc3\xa9 \xe2\x82\xac \xc3\xbf", "", "B3/S23", 1, 1},
        {"gamma.2", "of 1.05, normal", "", "B3/S23", 3, 1},
        {"nothing", "", "", "B3/S23", 0, 0},
        {"quad", "", "", "B3/S23", 4, 2},
        {"zipped", "Packed", "and named", "B3/S23", 3, 1},
    };
    put("Alpha.rle", "#C Said first\n#N Named second\n#C said last\n"
                     "x = 9, y = 8, rule = B36/S23:T50,60\n3o!\n");
    put("beta.cells", "!Name: Named\n!by its author\n.O\nO.O\n");
    put("gamma.2.lif", "#Life 1.05\n#D of 1.05, normal\n#N\n#P 0 0\n***\n");
    put("delta", "#Life 1.06\n-1 0\n1 4\n");
    put("nothing.rle", "x = 0, y = 0\n!");
    put("quad.mc", "[M2] (golly 2.0)\n#R B3/S23\n..*$.....*$\n");
    put("bad.rle", "x = 3, y = what\n");
    put("bad.txt", "Dear user,\n");
    put("empty.rle", "");
    put(".hidden.rle", "3o!\n");
    assert_int_equal(mkdir(in_folder("sub"), 0777), 0);
    put("sub/delta.rle", "#C caf\xe9 \xe2\x82\xac \xff\nx = 1, y = 1\no!\n"); // two encodings
    put("sub/deep.txt", "2o!\n");
    assert_int_equal(mkdir(in_folder("sub/sub"), 0777), 0);
    put("sub/sub/deeper.rle", "3o!\n");
    assert_int_equal(mkdir(in_folder(".git"), 0777), 0);
    put(".git/not.rle", "3o!\n");
    assert_int_equal(mkfifo(in_folder("pipe.rle"), 0666), 0); // opening it would last for ever
    assert_int_equal(symlink("/nowhere", in_folder("link.rle")), 0);
    gzFile zipped = gzopen(in_folder("zipped.rle.GZ"), "wb");
    assert_true(gzputs(zipped, "#C and named\n#N Packed\nx = 3, y = 1\n3o!\n") > 0);
    assert_int_equal(gzclose(zipped), Z_OK);
    file_put(in_folder("large.rle"), "x = 3, y = 1\n3o!\n", 17);
    assert_int_equal(truncate(in_folder("large.rle"), LC_LIBRARY_FILE_BYTES_MAX + 1), 0);

    lc_library *library = library_of(folder);
    const lc_library_entry *entry;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        entry = yours(library, i);
        assert_non_null(entry);
        assert_string_equal(entry->name, expected[i].name);
        assert_string_equal(entry->title, expected[i].title);
        assert_string_equal(entry->comments, expected[i].comments);
        assert_string_equal(entry->rule, expected[i].rule);
        assert_int_equal(entry->width_cells, expected[i].width);
        assert_int_equal(entry->height_cells, expected[i].height);
        assert_true(entry->yours);
    }
    assert_null(yours(library, sizeof expected / sizeof expected[0]));

    lc_message message = {0};
    lc_thumbnail picture;
    assert_int_equal(
        lc_library_thumbnail(library, named(library, "zipped")->id, &picture, &message), LC_OK);
    assert_true(picture.size_bytes == 1 && picture.pixels[0] == 7);
    assert_int_equal(
        lc_library_thumbnail(library, named(library, "nothing")->id, &picture, &message),
        LC_ERROR_FORMAT);
    // A file that has grown, or gone, since the folder was read.
    void *data = &data;
    size_t bytes;
    const uint32_t id = named(library, "beta")->id;
    assert_int_equal(truncate(in_folder("beta.cells"), LC_LIBRARY_FILE_BYTES_MAX + 1), 0);
    assert_int_equal(lc_library_read(library, id, &data, &bytes, &message), LC_ERROR_LIMIT);
    assert_null(data);
    assert_int_equal(unlink(in_folder("beta.cells")), 0);
    assert_int_equal(lc_library_read(library, id, &data, &bytes, &message), LC_ERROR_IO);
    assert_non_null(strstr(message.text, "No such file"));
    assert_int_equal(mkfifo(in_folder("beta.cells"), 0666), 0);
    assert_int_equal(lc_library_read(library, id, &data, &bytes, &message), LC_ERROR_IO);
    assert_null(data);
    lc_library_destroy(&library);
}

static void test_long_comments(void **state)
{
    (void)state;
    char text[9000] = "#N ";
    for (size_t i = 3; i < sizeof text; i++)
        text[i] = i % 100 == 0 ? '\n' : i % 100 == 1 ? '#' : i % 100 == 2 ? 'C' : '\xe4';
    strcpy(text + sizeof text - 6, "\n3o!\n");
    put("long.rle", text);
    lc_library *library = library_of(folder);
    const lc_library_entry *entry = named(library, "long");
    assert_int_equal(strlen(entry->title), 2 * 97);
    assert_in_range(strlen(entry->comments), LC_LIBRARY_COMMENT_BYTES - 1,
                    LC_LIBRARY_COMMENT_BYTES);
    for (const char *c = entry->comments; *c != '\0'; c += *c == '\n' ? 1 : 2)
        assert_true(*c == '\n' || memcmp(c, "\xc3\xa4", 2) == 0);
    lc_library_destroy(&library);
}

// Reading the folder again: who stays keeps the id, and nobody gets that of another.
static void test_refresh(void **state)
{
    (void)state;
    lc_message message;
    put("b.rle", "3o!\n");
    put("d.rle", "4o!\n");
    lc_library *library = library_of(folder);
    const uint32_t b = named(library, "b")->id, d = named(library, "d")->id;
    put("a.rle", "5o!\n");
    put("c.rle", "6o!\n");
    assert_int_equal(unlink(in_folder("d.rle")), 0);
    put("b.rle", "#N Changed\n7o!\n");
    const lc_library_entry *const inside = lc_library_at(library, 0);
    assert_int_equal(lc_library_refresh(library, &message), LC_OK);
    assert_ptr_equal(lc_library_at(library, 0), inside);
    assert_string_equal(yours(library, 0)->name, "a");
    assert_string_equal(yours(library, 1)->name, "b");
    assert_string_equal(yours(library, 2)->name, "c");
    assert_null(yours(library, 3));
    assert_int_equal(yours(library, 1)->id, b);
    assert_string_equal(yours(library, 1)->title, "Changed");
    assert_int_equal(yours(library, 1)->width_cells, 7);
    assert_null(lc_library_find(library, d));
    const uint32_t a = yours(library, 0)->id, c = yours(library, 2)->id;
    assert_true(a != c && a > d && c > d);
    const lc_library_entry *const same = yours(library, 0);
    put("d.rle", "4o!\n");
    assert_int_equal(lc_library_refresh(library, &message), LC_OK);
    assert_ptr_equal(yours(library, 0), same); // not opened again
    assert_true(yours(library, 3)->id > a && yours(library, 3)->id > c);
    put("b.rle", "no pattern any more\n");
    assert_int_equal(lc_library_refresh(library, &message), LC_OK);
    assert_null(lc_library_find(library, b));
    assert_int_equal(lc_library_find(library, c)->width_cells, 6);
    lc_library_destroy(&library);
}

static void test_many_files(void **state)
{
    (void)state;
    char name[32];
    for (int i = 0; i < LC_LIBRARY_FILES_MAX + 20; i++) {
        (void)snprintf(name, sizeof name, "%05d.rle", i);
        put(name, i % 1000 == 7 ? "bad" : "3o!");
    }
    lc_library *library = library_of(folder);
    const lc_library_entry *last = yours(library, LC_LIBRARY_FILES_MAX - 1);
    assert_non_null(last);
    assert_string_equal(last->name, "04100"); // five were bad
    assert_null(yours(library, LC_LIBRARY_FILES_MAX));
    lc_library_destroy(&library);
}

// Pictures -------------------------------------------------------------------------------------

static void check_picture(int64_t width, int64_t height, double density, uint64_t seed)
{
    lc_message message;
    lc_clip *clip;
    lc_universe *universe = test_create("simd", LIFE, infinite_plane, 0);
    assert_int_equal(lc_universe_soup(universe, 0, 0, width, height, density, seed, &message),
                     LC_OK);
    assert_int_equal(
        lc_clip_from_universe(&clip, universe, &(lc_rectangle){0, 0, width, height}, &message),
        LC_OK);
    const lc_rule *rule = LIFE;
    char *text;
    size_t bytes;
    assert_int_equal(lc_clip_to_rle(clip, rule, SIZE_MAX, &text, &bytes, &message), LC_OK);
    put("soup.rle", text);
    free(text);
    lc_library *library = library_of(folder);
    lc_thumbnail picture;
    if (lc_library_thumbnail(library, named(library, "soup")->id, &picture, &message) != LC_OK)
        fail_msg("%s", message.text);
    const int64_t longest = width > height ? width : height;
    int scale = 0;
    while ((longest + (INT64_C(1) << scale) - 1) >> scale > 128)
        scale++;
    const int64_t side = INT64_C(1) << scale;
    assert_int_equal(picture.scale, scale);
    assert_int_equal(picture.bits, scale == 0 ? 1 : 8);
    assert_int_equal(picture.width, (width + side - 1) / side);
    assert_int_equal(picture.height, (height + side - 1) / side);
    const size_t row_bytes = scale == 0 ? (size_t)(width + 7) / 8 : (size_t)picture.width;
    assert_int_equal(picture.size_bytes, row_bytes * (size_t)picture.height);
    uint64_t shades = 0;
    for (int64_t y = 0; y < picture.height; y++)
        for (int64_t x = 0; x < picture.width; x++) {
            const uint8_t *row = picture.pixels + (size_t)y * row_bytes;
            if (scale == 0) {
                assert_int_equal(row[x / 8] >> (x % 8) & 1, test_get(universe, x, y));
                continue;
            }
            int count = 0;
            for (int64_t i = 0; i < side * side; i++)
                count += test_get(universe, x * side + i % side, y * side + i / side);
            const double value = 255 * sqrt((double)count / (double)(side * side));
            const int shade = count == 0 ? 0 : value < 1 ? 1 : (int)(value + 0.5);
            assert_int_equal(row[x], shade);
            shades |= UINT64_C(1) << shade / 4;
        }
    if (scale > 0 && density > 0.2 && density < 1)
        assert_true(__builtin_popcountll(shades) > 2);
    lc_library_destroy(&library);
    lc_clip_destroy(&clip);
    lc_universe_destroy(&universe);
}

static void test_charts(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1},    {128, 128}, {129, 5},   {5, 129},  {64, 256},
                                       {257, 90}, {300, 513}, {1025, 40}, {3, 4097}, {8200, 9}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_picture(sizes[i][0], sizes[i][1], i % 3 == 2 ? 0.004 : 0.5, i);
    check_picture(200, 200, 1, 1);
}

static void test_pictures_of_large_patterns(void **state)
{
    (void)state;
    lc_message message = {0};
    lc_thumbnail picture;
    put("wide.rle", "16777216o!");
    put("tall.rle", "x = 4, y = 16777216\no!"); // 2^26 cells
    put("huge.rle", "x = 8192, y = 8193\no!");
    put("vast.rle", "x = 999999999999, y = 999999999999\no!");
    lc_library *library = library_of(folder);
    assert_int_equal(lc_library_thumbnail(library, named(library, "wide")->id, &picture, &message),
                     LC_OK);
    assert_true(picture.scale == 17 && picture.width == 128 && picture.height == 1);
    assert_int_equal(picture.pixels[127], 1); // of 2^17 rows one: 0.7
    assert_int_equal(lc_library_thumbnail(library, named(library, "tall")->id, &picture, &message),
                     LC_OK);
    assert_true(picture.width == 1 && picture.height == 128 && picture.pixels[0] == 1);
    assert_int_equal(picture.pixels[1], 0);
    assert_int_equal(lc_library_thumbnail(library, named(library, "huge")->id, &picture, &message),
                     LC_ERROR_LIMIT);
    assert_true(message.text[0] != '\0');
    assert_int_equal(named(library, "vast")->width_cells, INT64_C(999999999999));
    assert_int_equal(lc_library_thumbnail(library, named(library, "vast")->id, &picture, &message),
                     LC_ERROR_LIMIT);
    lc_library_destroy(&library);
}

// Pixels of one bit: each row begins a byte, and the leftmost cell is the lowest bit.
static void test_packing(void **state)
{
    (void)state;
    dice d = dice_from(test_seed(), 3);
    for (int64_t width = 1; width < 140; width += 1 + (width > 20) * 7) {
        uint64_t words[5 * 3];
        const lc_cells rows = {.width_cells = width,
                               .height_cells = 5,
                               .planes = 1,
                               .words = words,
                               .pitch_words = (size_t)(width + 63) / 64};
        for (size_t i = 0; i < 5 * rows.pitch_words; i++) {
            words[i] = dice_word(&d);
            if (i % rows.pitch_words == rows.pitch_words - 1 && width % 64 != 0)
                words[i] &= (UINT64_C(1) << width % 64) - 1;
        }
        const size_t row_bytes = lc_frame_payload_bytes(1, (int)width, 1);
        unsigned char bytes[5 * 18 + 1];
        memset(bytes, 0xa5, sizeof bytes);
        assert_ptr_equal(lc_frame_pack(&rows, bytes), bytes + 5 * row_bytes);
        for (size_t y = 0; y < 5; y++)
            for (size_t x = 0; x < row_bytes * 8; x++)
                assert_int_equal(bytes[y * row_bytes + x / 8] >> (x % 8) & 1,
                                 (int64_t)x < width &&
                                     (lc_cells_row(&rows, (int64_t)y)[x / 64] >> (x % 64) & 1));
        assert_int_equal(bytes[5 * row_bytes], 0xa5);
    }
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing), cmocka_unit_test(test_inside),
        IN_A_FOLDER(test_a_folder),     IN_A_FOLDER(test_long_comments),
        IN_A_FOLDER(test_refresh),      IN_A_FOLDER(test_many_files),
        IN_A_FOLDER(test_charts),       IN_A_FOLDER(test_pictures_of_large_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
