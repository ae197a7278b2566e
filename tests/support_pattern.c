// Sets of single cells for tests of pattern files.
#include "support_pattern.h"

#include <ftw.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"

void cells_add(cells *set, int64_t x, int64_t y)
{
    if (set->count == set->room) {
        set->room = set->room == 0 ? 256 : set->room * 2;
        set->list = realloc(set->list, set->room * sizeof *set->list);
        if (set->list == NULL)
            abort();
    }
    set->list[set->count++] = (cell){x, y};
}

static int compare(const void *a, const void *b)
{
    const cell *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

void cells_sort(cells *set)
{
    if (set->count == 0)
        return;
    qsort(set->list, set->count, sizeof *set->list, compare);
    size_t kept = 1;
    for (size_t i = 1; i < set->count; i++)
        if (compare(&set->list[i], &set->list[kept - 1]) != 0)
            set->list[kept++] = set->list[i];
    set->count = kept;
}

void cells_shift(cells *set, int64_t dx, int64_t dy)
{
    for (size_t i = 0; i < set->count; i++) {
        set->list[i].x += dx;
        set->list[i].y += dy;
    }
}

void cells_free(cells *set)
{
    free(set->list);
    *set = (cells){0};
}

bool cells_equal(const cells *a, const cells *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && compare(&a->list[i], &b->list[i]) == 0)
        i++;
    if (i == a->count && i == b->count)
        return true;
    print_error("%zu and %zu cells; the first difference is at index %zu:", a->count, b->count, i);
    const cells *sets[2] = {a, b};
    for (int k = 0; k < 2; k++)
        if (i < sets[k]->count)
            print_error(" (%" PRId64 ", %" PRId64 ")", sets[k]->list[i].x, sets[k]->list[i].y);
        else
            print_error(" none");
    print_error("\n");
    return false;
}

static cell corner(const cells *set)
{
    cell least = set->count > 0 ? set->list[0] : (cell){0, 0};
    for (size_t i = 0; i < set->count; i++)
        least.x = set->list[i].x < least.x ? set->list[i].x : least.x;
    return least;
}

bool cells_equal_moved(const cells *a, const cells *b)
{
    cell at = corner(a), to = corner(b);
    cells moved = {0};
    for (size_t i = 0; i < a->count; i++)
        cells_add(&moved, a->list[i].x - at.x + to.x, a->list[i].y - at.y + to.y);
    bool equal = cells_equal(&moved, b);
    cells_free(&moved);
    return equal;
}

static lc_status on_run(void *context, int64_t x, int64_t y, int64_t length)
{
    cells *set = context;
    assert_true(length > 0);
    set->calls++;
    set->longest = length > set->longest ? length : set->longest;
    for (int64_t i = 0; i < length; i++)
        cells_add(set, x + i, y);
    return LC_OK;
}

static lc_status on_bits(void *context, int64_t x, int64_t y, const uint64_t *words, int64_t length)
{
    cells *set = context;
    assert_true(length > 0);
    int64_t count = (length + 63) / 64;
    set->calls++;
    set->most_words = count > set->most_words ? count : set->most_words;
    if (length % 64 != 0)
        assert_int_equal(words[count - 1] >> length % 64, 0);
    for (int64_t i = 0; i < length; i++)
        if (words[i / 64] >> i % 64 & 1)
            cells_add(set, x + i, y);
    return LC_OK;
}

lc_sink cells_sink(cells *set)
{
    return (lc_sink){
        .struct_bytes = sizeof(lc_sink), .context = set, .run = on_run, .bits = on_bits};
}

static cells read_all(lc_pattern *pattern)
{
    lc_message message = {0};
    cells set = {0};
    lc_sink sink = cells_sink(&set);
    if (lc_pattern_read(pattern, &sink, &message) != LC_OK)
        fail_msg("line %" PRIu64 ", column %" PRIu64 ": %s", message.line, message.column,
                 message.text);
    lc_pattern_close(&pattern);
    cells_sort(&set);
    return set;
}

cells cells_of_text(const char *text)
{
    lc_message message = {0};
    lc_pattern *pattern;
    if (lc_pattern_open_memory(&pattern, text, strlen(text), &message) != LC_OK)
        fail_msg("line %" PRIu64 ", column %" PRIu64 ": %s", message.line, message.column,
                 message.text);
    return read_all(pattern);
}

cells cells_of_file(const char *path)
{
    lc_message message = {0};
    lc_pattern *pattern;
    if (lc_pattern_open(&pattern, path, &message) != LC_OK)
        fail_msg("line %" PRIu64 ", column %" PRIu64 ": %s", message.line, message.column,
                 message.text);
    return read_all(pattern);
}

lc_status cells_row(void *context, int64_t y, uint64_t *words)
{
    cells_window *window = context;
    const cells *set = window->set;
    window->rows++;
    memset(words, 0, ((size_t)window->width + 63) / 64 * sizeof *words);
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->list[middle].y < window->y + y)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < set->count && set->list[low].y == window->y + y; low++) {
        int64_t x = set->list[low].x - window->x;
        if (x >= 0 && x < window->width)
            words[x / 64] |= UINT64_C(1) << x % 64;
    }
    return LC_OK;
}

void cells_write(const cells *set, const char *path, lc_format format, int64_t x, int64_t y,
                 int64_t width, int64_t height)
{
    lc_message message = {0};
    cells_window window = {.set = set, .x = x, .y = y, .width = width};
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .format = format,
                                              .rule = LIFE,
                                              .x = x,
                                              .y = y,
                                              .has_position = true,
                                              .width_cells = width,
                                              .height_cells = height};
    if (lc_pattern_write(path, &options, cells_row, &window, &message) != LC_OK)
        fail_msg("%s", message.text);
}

cells cells_random(uint64_t seed, int64_t x, int64_t y, int64_t width, int64_t height, int percent)
{
    dice d = dice_from(test_seed(), seed);
    cells set = {0};
    for (int64_t j = 0; j < height; j++)
        for (int64_t i = 0; i < width; i++)
            if (dice_below(&d, 100) < percent)
                cells_add(&set, x + i, y + j);
    return set;
}

static char directory[64];

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_directory(void)
{
    (void)nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *test_path(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    if (directory[0] == '\0') {
        (void)snprintf(directory, sizeof directory, "/tmp/lightcone-test-XXXXXX");
        if (mkdtemp(directory) == NULL)
            abort();
        (void)atexit(remove_directory);
    }
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

char *file_text(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size)
        abort();
    (void)fclose(file);
    text[size] = '\0';
    if (size_bytes != NULL)
        *size_bytes = (size_t)size;
    return text;
}

void file_put(const char *path, const void *data, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size_bytes, file) != size_bytes || fclose(file) != 0)
        abort();
}
