// Writing patterns: round trips through every format, what the bytes look like, what becomes of the
// old file when writing fails, and Golly's opinion.
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#if defined(LC_PNG)
#include <png.h>
#define HAS_PNG 1
#else
#define HAS_PNG 0
#endif

#include "base/memory.h"
#include "lightcone/pattern.h"
#include "support.h"
#include "support_pattern.h"

// Writes to a file in each text format, plain and compressed, reads it again and compares.
static void assert_round_trips(const cells *set, int64_t x, int64_t y, int64_t width,
                               int64_t height)
{
    static const struct {
        const char *name;
        lc_format format;
        bool placed; // cells come back where they stood
    } files[] = {
        {"a.rle", LC_FORMAT_RLE, false},      {"a.rle.gz", LC_FORMAT_RLE, false},
        {"a.cells", LC_FORMAT_CELLS, false},  {"a.cells.gz", LC_FORMAT_CELLS, false},
        {"a.lif", LC_FORMAT_LIFE_105, true},  {"a.lif.gz", LC_FORMAT_LIFE_105, true},
        {"a.life", LC_FORMAT_LIFE_106, true}, {"a.life.gz", LC_FORMAT_LIFE_106, true},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *path = test_path(files[i].name);
        cells_write(set, path, LC_FORMAT_AUTO, x, y, width, height);
        lc_pattern *pattern;
        lc_message message = {0};
        if (lc_pattern_open(&pattern, path, &message) != LC_OK)
            fail_msg("%s: %s", path, message.text);
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        assert_int_equal(header->format, files[i].format);
        assert_int_equal(header->gzip, strstr(path, ".gz") != NULL);
        if (files[i].format == LC_FORMAT_RLE) {
            assert_true(header->has_position);
            assert_true(header->x == x && header->y == y);
            assert_true(header->width_cells == width && header->height_cells == height);
        }
        lc_pattern_close(&pattern);
        cells got = cells_of_file(path);
        if (!files[i].placed)
            cells_shift(&got, x, y);
        if (!cells_equal(&got, set))
            fail_msg("%s, %" PRId64 " x %" PRId64 " at (%" PRId64 ", %" PRId64 ")", path, width,
                     height, x, y);
        cells_free(&got);
    }
}

static void test_round_trips(void **state)
{
    (void)state;
    static const int64_t places[][2] = {
        {0, 0}, {-7, -1}, {1000000007, -998244353}, {-((int64_t)1 << 62), ((int64_t)1 << 62) - 90}};
    static const int64_t sizes[][2] = {{1, 1},   {63, 2},   {64, 2},  {65, 3},   {79, 70}, {80, 64},
                                       {81, 65}, {145, 66}, {160, 1}, {4097, 3}, {9000, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof places / sizeof places[0]; j++) {
            int64_t x = places[j][0], y = places[j][1];
            int64_t width = sizes[i][0], height = sizes[i][1];
            for (int percent = 0; percent <= 100; percent += percent < 2 ? 1 : 49) {
                cells set = cells_random(i, x, y, width, height, percent);
                assert_round_trips(&set, x, y, width, height);
                cells_free(&set);
            }
            cells corners = {0};
            cells_add(&corners, x, y);
            cells_add(&corners, x + width - 1, y + height - 1);
            cells_sort(&corners);
            assert_round_trips(&corners, x, y, width, height);
            cells_free(&corners);
        }
    }
    cells empty = {0};
    assert_round_trips(&empty, 0, 0, 0, 0);
    cells far = {0}; // two cells, far apart in both directions
    cells_add(&far, -3, 5);
    cells_add(&far, 99996, 20004);
    assert_round_trips(&far, -3, 5, 100000, 20000);
    cells_free(&far);
}

static void test_rle_bytes(void **state)
{
    (void)state;
    cells glider = cells_of_text("bob$2bo$3o!");
    lc_topology torus;
    assert_int_equal(lc_topology_parse("T100,200", &torus, NULL), LC_OK);
    cells_window window = {.set = &glider, .width = 4};
    lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                        .rule = LIFE,
                                        .topology = &torus,
                                        .x = -5,
                                        .y = 6,
                                        .has_position = true,
                                        .generation = {{1234567890123}},
                                        .comments = "first\n\nthird\tline",
                                        .width_cells = 4,
                                        .height_cells = 5};
    const char *path = test_path("bytes.rle");
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_OK);
    char *text = file_text(path, NULL);
    assert_string_equal(text, "#CXRLE Pos=-5,6 Gen=1234567890123\n#C first\n#C \n#C third line\n"
                              "x = 4, y = 5, rule = B3/S23:T100,200\nbo$2bo$3o!\n");
    free(text);
    options =
        (lc_pattern_write_options){.struct_bytes = sizeof(lc_pattern_write_options), .rule = LIFE};
    for (int side = 0; side < 3; side++) { // one that is 0 is enough
        options.width_cells = side == 1 ? 4 : 0;
        options.height_cells = side == 2 ? 5 : 0;
        assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_OK);
        text = file_text(path, NULL);
        assert_string_equal(text, "x = 0, y = 0, rule = B3/S23\n!\n");
        free(text);
    }
    cells_free(&glider);
}

// Row 0: the last cell alone. Row 1: all cells.
static lc_status long_row(void *width_cells, int64_t y, uint64_t *words)
{
    const uint64_t width = *(const uint64_t *)width_cells;
    const size_t last = (size_t)(width - 1) / 64;
    memset(words, y == 0 ? 0 : 0xff, (last + 1) * sizeof *words);
    const uint64_t first_behind = width % 64; // never 0 here
    words[last] = y == 0 ? UINT64_C(1) << (first_behind - 1) : (UINT64_C(1) << first_behind) - 1;
    return LC_OK;
}

// Runs of more than 2^32 cells, dead and alive, are written with their whole length.
static void test_rle_long_runs(void **state)
{
    (void)state;
    uint64_t width = (UINT64_C(1) << 32) + 5;
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .rule = LIFE,
                                              .width_cells = (int64_t)width,
                                              .height_cells = 2};
    const char *path = test_path("long.rle");
    lc_message message = {0};
    if (lc_pattern_write(path, &options, long_row, &width, &message) != LC_OK)
        fail_msg("%s", message.text);
    char *text = file_text(path, NULL);
    assert_string_equal(text, "x = 4294967301, y = 2, rule = B3/S23\n4294967300bo$4294967301o!\n");
    free(text);
}

// No line is longer than the format's own limit, and none breaks a token.
static void test_line_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t limit;
    } files[] = {{"l.rle", 70}, {"l.lif", 80}};
    cells set = cells_random(5, -100, -100, 777, 333, 30);
    cells_add(&set, 123456, 40000);
    cells_sort(&set);
    for (size_t i = 0; i < 2; i++) {
        const char *path = test_path(files[i].name);
        cells_write(&set, path, LC_FORMAT_AUTO, -100, -100, 123600, 40200);
        char *text = file_text(path, NULL);
        size_t longest = 0;
        for (const char *line = text; *line != '\0';) {
            size_t length = strcspn(line, "\n");
            longest = length > longest ? length : longest;
            if (i == 0 && length > 0)
                assert_true(line[length - 1] < '0' || line[length - 1] > '9' || line == text ||
                            *line == 'x' || *line == '#');
            line += length + (line[length] == '\n');
        }
        assert_true(longest <= files[i].limit && longest > files[i].limit - 8);
        free(text);
    }
    cells_free(&set);
}

static void test_life_105_rule(void **state)
{
    (void)state;
    const lc_rule *highlife = rule_of("B36/S23");
    cells set = {0};
    cells_add(&set, 0, 0);
    cells_window window = {.set = &set, .width = 1};
    lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                        .rule = highlife,
                                        .comments = "one",
                                        .width_cells = 1,
                                        .height_cells = 1};
    const char *path = test_path("rule.lif");
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_OK);
    char *text = file_text(path, NULL);
    assert_string_equal(text, "#Life 1.05\n#D one\n#R 23/36\n#P 0 0\n*\n");
    free(text);
    options.rule = LIFE;
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_OK);
    text = file_text(path, NULL);
    assert_string_equal(text, "#Life 1.05\n#D one\n#N\n#P 0 0\n*\n");
    free(text);
    cells_free(&set);
}

#if HAS_PNG
static void test_png(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {7, 3}, {8, 8}, {64, 5}, {65, 5}, {4099, 31}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int64_t width = sizes[i][0], height = sizes[i][1];
        cells set = cells_random(i, 0, 0, width, height, 50);
        const char *path = test_path("a.png");
        cells_write(&set, path, LC_FORMAT_AUTO, 0, 0, width, height);
        png_image image = {.version = PNG_IMAGE_VERSION};
        assert_true(png_image_begin_read_from_file(&image, path));
        assert_int_equal(image.width, width);
        assert_int_equal(image.height, height);
        image.format = PNG_FORMAT_GRAY;
        uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
        assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
        size_t next = 0;
        for (int64_t y = 0; y < height; y++) {
            for (int64_t x = 0; x < width; x++) {
                bool alive = next < set.count && set.list[next].x == x && set.list[next].y == y;
                next += alive;
                assert_int_equal(pixels[y * width + x], alive ? 255 : 0);
            }
        }
        free(pixels);
        cells_free(&set);
    }
    cells empty = {0};
    cells_write(&empty, test_path("e.png"), LC_FORMAT_AUTO, 0, 0, 0, 0);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, test_path("e.png")));
    assert_int_equal(image.width, 1);
    png_image_free(&image);
}
#else
// A build without libpng says so, and the file that was there stays.
static void test_png(void **state)
{
    (void)state;
    const char *path = test_path("a.png");
    const lc_pattern_write_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .width_cells = 3, .height_cells = 3};
    cells set = cells_of_text("bob$2bo$3o!");
    cells_window window = {.set = &set, .width = 3};
    lc_message message = {0};
    file_put(path, "old", 3);
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, &message),
                     LC_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message.text, "built without libpng"));
    assert_int_equal(window.rows, 0);
    char *kept = file_text(path, NULL);
    assert_string_equal(kept, "old");
    free(kept);
    cells_free(&set);
}
#endif

static lc_status failing_row(void *context, int64_t y, uint64_t *words)
{
    (void)words;
    return y < *(int64_t *)context ? LC_OK : LC_ERROR_STOPPED;
}

static unsigned files_beside(void)
{
    char command[300];
    (void)snprintf(command, sizeof command, "ls -A %s | wc -l", test_path(""));
    FILE *pipe = popen(command, "r");
    unsigned count = 0;
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    (void)pclose(pipe);
    return count;
}

static void test_limits(void **state)
{
    (void)state;
    const char *path = test_path("limit.png");
    lc_message message = {0};
    cells set = {0};
    cells_window window = {.set = &set};
    const int64_t big = (int64_t)1 << 62;
    static const struct {
        int64_t width, height;
    } sizes[] = {{(int64_t)1 << 31, 1}, {1, (int64_t)1 << 31}, {1 << 20, 1 << 20}};
    file_put(path, "old", 3);
    for (size_t i = 0; i < 3; i++) {
        lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                            .rule = LIFE,
                                            .width_cells = sizes[i].width,
                                            .height_cells = sizes[i].height};
        assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, &message),
                         HAS_PNG ? LC_ERROR_LIMIT : LC_ERROR_UNSUPPORTED);
        assert_non_null(strstr(message.text, "PNG"));
    }
    lc_pattern_write_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .width_cells = big, .height_cells = 1};
    const lc_format formats[] = {LC_FORMAT_RLE, LC_FORMAT_CELLS, LC_FORMAT_LIFE_105,
                                 LC_FORMAT_LIFE_106};
    for (size_t i = 0; i < 4; i++) {
        options.format = formats[i];
        lc_status status = lc_pattern_write(path, &options, cells_row, &window, &message);
        assert_true(status == LC_ERROR_LIMIT || status == LC_ERROR_MEMORY);
    }
    options.width_cells = -1;
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_ERROR_ARGUMENT);
    options.width_cells = 2;
    options.x = big - 1;
    options.has_position = true;
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_ERROR_ARGUMENT);
    options = (lc_pattern_write_options){.struct_bytes = sizeof(lc_pattern_write_options),
                                         .format = LC_FORMAT_RLE,
                                         .rule = LIFE,
                                         .threads = -1};
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_ERROR_ARGUMENT);
    options = (lc_pattern_write_options){.struct_bytes = sizeof(lc_pattern_write_options),
                                         .format = LC_FORMAT_CHECKPOINT,
                                         .rule = LIFE};
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_ERROR_ARGUMENT);
    options = (lc_pattern_write_options){.struct_bytes = sizeof(lc_pattern_write_options),
                                         .format = LC_FORMAT_RLE};
    assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_ERROR_ARGUMENT);
    assert_int_equal(window.rows, 0);
    char *kept = file_text(path, NULL);
    assert_string_equal(kept, "old");
    free(kept);
}

// A source that fails, a disk that is full, a directory that is not there: the old file stays, and
// nothing is left beside it.
static void test_failures(void **state)
{
    (void)state;
    static const char *const names[] = {
        "f.rle",
        "f.rle.gz",
        "f.cells",
        "f.lif",
        "f.life",
#if HAS_PNG
        "f.png"
#endif
    };
    lc_message message = {0};
    lc_pattern_write_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .width_cells = 5000, .height_cells = 400};
    cells set = cells_random(8, 0, 0, 5000, 400, 50);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = test_path(names[i]);
        file_put(path, "old", 3);
        unsigned before = files_beside();
        int64_t rows = 3;
        assert_int_equal(lc_pattern_write(path, &options, failing_row, &rows, &message),
                         LC_ERROR_STOPPED);
        (void)fflush(NULL);
        pid_t child = fork(); // a file size limit is a full disk that needs no disk
        if (child == 0) {
            (void)signal(SIGXFSZ, SIG_IGN);
            const struct rlimit limit = {4096, 4096};
            (void)setrlimit(RLIMIT_FSIZE, &limit);
            cells_window window = {.set = &set, .width = 5000};
            lc_status status = lc_pattern_write(path, &options, cells_row, &window, &message);
            bool told = strstr(message.text, strerror(EFBIG)) != NULL;
            bool ended = window.rows < 400 || i == 1; // deflate holds back a lot
            _exit(status == LC_ERROR_IO && told && ended ? 0 : 1);
        }
        int result;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_int_equal(result, 0);
        char *kept = file_text(path, NULL);
        assert_string_equal(kept, "old");
        free(kept);
        assert_int_equal(files_beside(), before);
    }
    cells_window window = {.set = &set, .width = 5000};
    assert_int_equal(
        lc_pattern_write("/nowhere/at/all.rle", &options, cells_row, &window, &message),
        LC_ERROR_IO);
    assert_non_null(strstr(message.text, "No such file"));
    assert_int_equal(lc_pattern_write("/dev/full", &options, cells_row, &window, &message),
                     LC_ERROR_IO);
    assert_non_null(strstr(message.text, "No space"));
    cells_free(&set);
}

// What is written to memory is what the file has, to the byte, and no more than is allowed.
static void test_memory(void **state)
{
    (void)state;
    static const lc_format formats[] = {
        LC_FORMAT_AUTO,
        LC_FORMAT_RLE,
        LC_FORMAT_CELLS,
        LC_FORMAT_LIFE_105,
        LC_FORMAT_LIFE_106,
#if HAS_PNG
        LC_FORMAT_PNG
#endif
    };
    cells small = cells_of_text("bob$2bo$3o!"), large = cells_random(9, 0, 0, 1000, 700, 50);
    cells none = {0};
    const cells *const sets[] = {&small, &large, &none};
    static const int64_t sizes[][2] = {{4, 5}, {1000, 700}, {0, 3}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < sizeof formats / sizeof formats[0]; j++) {
            cells_window window = {.set = sets[i], .width = sizes[i][0]};
            lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                                .format = formats[j],
                                                .rule = LIFE,
                                                .x = -5,
                                                .has_position = true,
                                                .comments = "one\ntwo",
                                                .width_cells = sizes[i][0],
                                                .height_cells = sizes[i][1]};
            const char *path = test_path("same");
            assert_int_equal(lc_pattern_write(path, &options, cells_row, &window, NULL), LC_OK);
            size_t file_bytes, bytes;
            char *file = file_text(path, &file_bytes);
            void *data;
            lc_message message = {0};
            assert_int_equal(lc_pattern_write_memory(&data, &bytes, file_bytes, &options, cells_row,
                                                     &window, &message),
                             LC_OK);
            assert_int_equal(bytes, file_bytes);
            assert_memory_equal(data, file, bytes + 1);
            free(data);
            for (size_t less = 1; less <= file_bytes; less += 1 + file_bytes / 3) {
                assert_int_equal(lc_pattern_write_memory(&data, &bytes, file_bytes - less, &options,
                                                         cells_row, &window, &message),
                                 LC_ERROR_LIMIT);
                assert_null(data);
                assert_true(message.text[0] != '\0');
            }
            lc_status status = LC_ERROR_MEMORY;
            for (uint64_t n = 1; status == LC_ERROR_MEMORY && n < 100; n++) {
                lc_fail_allocation(n);
                status = lc_pattern_write_memory(&data, &bytes, SIZE_MAX, &options, cells_row,
                                                 &window, &message);
                lc_fail_allocation(0);
                assert_true((data != NULL) == (status == LC_OK));
            }
            assert_int_equal(status, LC_OK);
            free(data);
            free(file);
        }
    }
    void *data = &data;
    size_t bytes;
    int64_t rows = 3;
    lc_pattern_write_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .width_cells = 5000, .height_cells = 400};
    assert_int_equal(
        lc_pattern_write_memory(&data, &bytes, SIZE_MAX, &options, failing_row, &rows, NULL),
        LC_ERROR_STOPPED);
    assert_null(data);
    options.format = LC_FORMAT_CHECKPOINT;
    assert_int_equal(
        lc_pattern_write_memory(&data, &bytes, SIZE_MAX, &options, cells_row, NULL, NULL),
        LC_ERROR_ARGUMENT);
    cells_free(&small);
    cells_free(&large);
}

static void test_files(void **state)
{
    (void)state;
    cells set = cells_of_text("bob$2bo$3o!");
    const char *path = test_path("mode.rle");
    struct stat after;
    mode_t mask = umask(027);
    cells_write(&set, path, LC_FORMAT_AUTO, 0, 0, 3, 3);
    (void)umask(mask);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0640); // a new file: the umask
    assert_int_equal(chmod(path, 0604), 0);
    cells_write(&set, path, LC_FORMAT_AUTO, 0, 0, 3, 3);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_mode & 0777, 0604); // an old one keeps its own
    const char *link = test_path("link.rle");
    assert_int_equal(symlink(path, link), 0);
    cells_write(&set, link, LC_FORMAT_AUTO, 0, 0, 2, 2);
    assert_int_equal(lstat(link, &after), 0);
    assert_true(S_ISLNK(after.st_mode));
    char *text = file_text(path, NULL);
    assert_string_equal(text, "#CXRLE Pos=0,0\nx = 2, y = 2, rule = B3/S23\nbo!\n");
    free(text);
    cells_write(&set, "/dev/null", LC_FORMAT_AUTO, 0, 0, 3, 3);
    assert_int_equal(stat("/dev/null", &after), 0);
    assert_true(S_ISCHR(after.st_mode));
    assert_int_equal(chmod(path, 0444), 0);
    cells_window window = {.set = &set, .width = 3};
    lc_pattern_write_options options = {
        .struct_bytes = sizeof options, .rule = LIFE, .width_cells = 3, .height_cells = 3};
    (void)fflush(NULL);
    pid_t child = fork(); // gives up what root may do
    if (child == 0) {
        struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
        struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
        bool refused = syscall(SYS_capset, &header, none) == 0 &&
                       lc_pattern_write(path, &options, cells_row, &window, NULL) == LC_ERROR_IO;
        _exit(refused ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    cells_free(&set);
}

// "-": a child writes to a pipe that is its standard output, and we read it as our standard input.
static void test_standard_streams(void **state)
{
    (void)state;
    cells set = cells_random(31, 0, 0, 900, 700, 50); // more than a pipe holds
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        cells_window window = {.set = &set, .width = 900};
        lc_pattern_write_options options = {
            .struct_bytes = sizeof options, .rule = LIFE, .width_cells = 900, .height_cells = 700};
        _exit(lc_pattern_write("-", &options, cells_row, &window, NULL) == LC_OK ? 0 : 1);
    }
    int old = dup(STDIN_FILENO);
    (void)dup2(ends[0], STDIN_FILENO);
    (void)close(ends[0]);
    (void)close(ends[1]);
    cells got = cells_of_file("-");
    (void)dup2(old, STDIN_FILENO);
    (void)close(old);
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    assert_true(cells_equal(&got, &set));
    cells_free(&got);
    cells_free(&set);
}

// Golly reads what we write and writes the same cells, and we read what Golly writes.
static void test_golly(void **state)
{
    (void)state;
    if (system("command -v bgolly >/dev/null 2>&1") != 0) // NOLINT: a fixed command
        skip();
    static const int64_t sizes[][2] = {{1, 1}, {71, 9}, {300, 200}, {5000, 3}};
    static const char *const suffixes[] = {"", ":T5200,300", ":P5200,300"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof suffixes / sizeof suffixes[0]; j++) {
            int64_t width = sizes[i][0], height = sizes[i][1];
            cells set = cells_random(i + 20, 0, 0, width, height, i == 0 ? 100 : 40);
            lc_topology topology;
            char rule[64];
            (void)snprintf(rule, sizeof rule, "B3/S23%s", suffixes[j]);
            assert_int_equal(lc_rule_parse(rule, NULL, &topology, NULL), LC_OK);
            cells_window window = {.set = &set, .width = width};
            lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                                .rule = LIFE,
                                                .topology = &topology,
                                                .x = -20,
                                                .y = -30,
                                                .has_position = true,
                                                .generation = {{77}},
                                                .comments = "for Golly",
                                                .width_cells = width,
                                                .height_cells = height};
            const char *ours = test_path("ours.rle");
            const char *theirs = test_path("theirs.rle");
            assert_int_equal(lc_pattern_write(ours, &options, cells_row, &window, NULL), LC_OK);
            char command[600];
            (void)snprintf(command, sizeof command, "bgolly -q -q -m 0 -o %s %s >/dev/null 2>&1",
                           theirs, ours);
            assert_int_equal(system(command), 0); // NOLINT: names of our own
            cells got = cells_of_file(theirs);
            if (!cells_equal_moved(&got, &set))
                fail_msg("size %zu %s", i, rule);
            char *text = file_text(theirs, NULL);
            assert_non_null(strstr(text, rule));
            free(text);
            cells_free(&got);
            cells_free(&set);
        }
    }
}

// Golly reads what several threads have compressed.
static void test_golly_gzip(void **state)
{
    (void)state;
    if (system("command -v bgolly >/dev/null 2>&1") != 0) // NOLINT: a fixed command
        skip();
    enum { SIDE = 1300 }; // some ten blocks of text
    cells set = cells_random(40, 0, 0, SIDE, SIDE, 50);
    cells_window window = {.set = &set, .width = SIDE};
    const char *ours = test_path("large.rle.gz"), *theirs = test_path("large.rle");
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .rule = LIFE,
                                              .width_cells = SIDE,
                                              .height_cells = SIDE,
                                              .threads = 3};
    assert_int_equal(lc_pattern_write(ours, &options, cells_row, &window, NULL), LC_OK);
    char command[600];
    (void)snprintf(command, sizeof command, "bgolly -q -q -m 0 -o %s %s >/dev/null 2>&1", theirs,
                   ours);
    assert_int_equal(system(command), 0); // NOLINT: names of our own
    cells got = cells_of_file(theirs);
    assert_true(cells_equal_moved(&got, &set));
    cells_free(&got);
    cells_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),      cmocka_unit_test(test_rle_bytes),
        cmocka_unit_test(test_rle_long_runs),    cmocka_unit_test(test_line_lengths),
        cmocka_unit_test(test_life_105_rule),    cmocka_unit_test(test_png),
        cmocka_unit_test(test_limits),           cmocka_unit_test(test_failures),
        cmocka_unit_test(test_memory),           cmocka_unit_test(test_files),
        cmocka_unit_test(test_standard_streams), cmocka_unit_test(test_golly),
        cmocka_unit_test(test_golly_gzip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
