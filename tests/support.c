// See support.h.
#include "support.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

uint64_t test_seed(void)
{
    const char *text = getenv("LC_TEST_SEED");
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 0) : 20240611;
}

bool test_full(void)
{
    const char *text = getenv("LC_TEST_FULL");
    return text != NULL && strcmp(text, "1") == 0;
}

bool test_threaded(void)
{
    const char *text = getenv("LC_TEST_THREADED");
    return text != NULL && strcmp(text, "1") == 0;
}

// A number in the environment; `otherwise` where it is not set, or the whole product is wanted.
static int64_t sample(const char *variable, int64_t otherwise)
{
    const char *text = getenv(variable);
    const int64_t number = text != NULL && !test_full() ? strtoll(text, NULL, 10) : 0;
    return number > 0 ? number : otherwise;
}

int64_t test_share(void)
{
    return sample("LC_TEST_SHARE", 1);
}

size_t test_rule_count(size_t rules)
{
    const int64_t most = sample("LC_TEST_RULES", INT64_MAX);
    return rules < (uint64_t)most ? rules : (size_t)most;
}

bool test_wants_engine(const char *name)
{
    const char *only = getenv("LC_TEST_ENGINE");
    const size_t length = only != NULL ? strcspn(only, ":") : 0; // settings follow
    return only == NULL || (strlen(name) == length && strncmp(only, name, length) == 0);
}

static lc_context *the_context;
static pthread_mutex_t context_mutex = PTHREAD_MUTEX_INITIALIZER; // threads of a test may be first

lc_context *test_context(void)
{
    const lc_context_options options = {
        .struct_bytes = sizeof options,
        .cache_folder = getenv("LIGHTCONE_CACHE"),
        .cuda_library = getenv("LIGHTCONE_CUDA"),
        .nvrtc_library = getenv("LIGHTCONE_NVRTC"),
    };
    lc_message message;
    (void)pthread_mutex_lock(&context_mutex);
    if (the_context == NULL && lc_context_create(&the_context, &options, &message) != LC_OK) {
        fprintf(stderr, "test: %s\n", message.text);
        exit(2);
    }
    lc_context *context = the_context;
    (void)pthread_mutex_unlock(&context_mutex);
    return context;
}

void test_context_anew(void)
{
    lc_context_destroy(&the_context);
}

int test_slowness(void)
{
#if defined(SANITIZED)
    return 8;
#elif !defined(__OPTIMIZE__)
    return 4;
#else
    return 1;
#endif
}

dice dice_from(uint64_t seed, uint64_t stream)
{
    dice d = {seed ^ (stream * 0xD1342543DE82EF95u)};
    dice_word(&d);
    return d;
}

uint64_t dice_word(dice *d) // splitmix64
{
    d->state += 0x9E3779B97F4A7C15u;
    uint64_t z = d->state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

int64_t dice_below(dice *d, int64_t limit)
{
    return (int64_t)(dice_word(d) % (uint64_t)limit);
}

bool topology_of(surface kind, int64_t width, int64_t height, dice *d, lc_topology *topology)
{
    *topology = (lc_topology){.width_cells = width, .height_cells = height};
    switch (kind) {
    case SURFACE_PLANE:
        topology->kind = LC_TOPOLOGY_PLANE;
        return true;
    case SURFACE_TORUS:
        topology->kind = LC_TOPOLOGY_TORUS;
        return true;
    case SURFACE_TORUS_SHIFT_X:
    case SURFACE_TORUS_SHIFT_X_BACK:
        topology->kind = LC_TOPOLOGY_TORUS;
        if (width == 1)
            return false;
        topology->shift_x_cells = 1 + dice_below(d, width - 1);
        if (kind == SURFACE_TORUS_SHIFT_X_BACK)
            topology->shift_x_cells = -topology->shift_x_cells;
        return true;
    case SURFACE_TORUS_SHIFT_Y:
    case SURFACE_TORUS_SHIFT_Y_BACK:
        topology->kind = LC_TOPOLOGY_TORUS;
        if (height == 1)
            return false;
        topology->shift_y_cells = 1 + dice_below(d, height - 1);
        if (kind == SURFACE_TORUS_SHIFT_Y_BACK)
            topology->shift_y_cells = -topology->shift_y_cells;
        return true;
    case SURFACE_KLEIN_X:
    case SURFACE_KLEIN_X_SHIFT:
        topology->kind = LC_TOPOLOGY_KLEIN_BOTTLE;
        topology->twist_x = true;
        topology->shift_x_cells = kind == SURFACE_KLEIN_X_SHIFT ? 1 : 0;
        return kind == SURFACE_KLEIN_X || width % 2 == 0;
    case SURFACE_KLEIN_Y:
    case SURFACE_KLEIN_Y_SHIFT:
        topology->kind = LC_TOPOLOGY_KLEIN_BOTTLE;
        topology->twist_y = true;
        topology->shift_y_cells = kind == SURFACE_KLEIN_Y_SHIFT ? 1 : 0;
        return kind == SURFACE_KLEIN_Y || height % 2 == 0;
    case SURFACE_CROSS:
        topology->kind = LC_TOPOLOGY_CROSS_SURFACE;
        return true;
    case SURFACE_SPHERE:
        topology->kind = LC_TOPOLOGY_SPHERE;
        return width == height;
    case SURFACE_COUNT:
        break;
    }
    return false;
}

const char *fill_name(fill kind)
{
    static const char *const names[FILL_COUNT] = {
        "random",       "empty",  "full",  "corners", "vertical stripes", "horizontal stripes",
        "checkerboard", "sparse", "dense", "edges"};
    return names[kind];
}

static uint8_t fill_cell(fill kind, int64_t x, int64_t y, int64_t width, int64_t height, dice *d)
{
    const bool side = x == 0 || x == width - 1, end = y == 0 || y == height - 1;
    const uint64_t roll = dice_word(d) >> 59; // 0 .. 31
    switch (kind) {
    case FILL_RANDOM:
        return roll < 16;
    case FILL_FULL:
        return 1;
    case FILL_CORNERS:
        return side && end;
    case FILL_VERTICAL_STRIPES:
        return x % 2 == 0;
    case FILL_HORIZONTAL_STRIPES:
        return y % 2 == 0;
    case FILL_CHECKERBOARD:
        return (x + y) % 2 == 0;
    case FILL_SPARSE:
        return roll == 0;
    case FILL_DENSE:
        return roll != 0;
    case FILL_EDGES:
        return (side || end) && roll < 16;
    case FILL_EMPTY:
    case FILL_COUNT:
        break;
    }
    return 0;
}

void fill_board(oracle *board, fill kind, uint64_t seed)
{
    dice d = dice_from(seed, 0x46494C4Cu);
    for (int64_t y = 0; y < board->height; y++)
        for (int64_t x = 0; x < board->width; x++)
            oracle_row(board, y)[x] = fill_cell(kind, x, y, board->width, board->height, &d);
}

void fill_words(word_oracle *board, fill kind, uint64_t seed)
{
    dice d = dice_from(seed, 0x46494C4Cu);
    for (int64_t y = 0; y < board->height; y++) {
        uint64_t *row = word_oracle_row(board, y);
        memset(row, 0, board->row_words * sizeof *row);
        for (int64_t x = 0; x < board->width; x++)
            row[x / 64] |= (uint64_t)fill_cell(kind, x, y, board->width, board->height, &d)
                           << (x % 64);
    }
}

static snapshot empty_snapshot(int64_t width, int64_t height, uint64_t generation)
{
    snapshot taken = {.width = width,
                      .height = height,
                      .pitch = ((size_t)width + 63) / 64,
                      .generation = generation};
    taken.words = calloc(taken.pitch * (size_t)height, sizeof *taken.words);
    if (taken.words == NULL) {
        fprintf(stderr, "test: out of memory\n");
        exit(2);
    }
    return taken;
}

snapshot snapshot_take(const oracle *board, uint64_t generation)
{
    snapshot taken = empty_snapshot(board->width, board->height, generation);
    for (int64_t y = 0; y < board->height; y++)
        oracle_pack(board, 0, y, board->width, taken.words + (size_t)y * taken.pitch);
    taken.population = oracle_population(board);
    taken.box = oracle_bounding_box(board);
    return taken;
}

// Adds the live cells of row y. Rows are added from above to below.
static void add_to_box(lc_box *box, int64_t y, const uint64_t *row, size_t words)
{
    size_t first = 0, last = words;
    while (first < words && row[first] == 0)
        first++;
    if (first == words)
        return;
    while (row[last - 1] == 0)
        last--;
    const int64_t left = (int64_t)first * 64 + __builtin_ctzll(row[first]);
    const int64_t end = (int64_t)last * 64 - __builtin_clzll(row[last - 1]);
    if (box->empty) {
        *box = (lc_box){false, left, y, end - left, 1};
        return;
    }
    const int64_t box_end = box->x + box->width_cells;
    box->x = left < box->x ? left : box->x;
    box->width_cells = (end > box_end ? end : box_end) - box->x;
    box->height_cells = y + 1 - box->y;
}

snapshot snapshot_of_words(const word_oracle *board, uint64_t generation)
{
    snapshot taken = empty_snapshot(board->width, board->height, generation);
    taken.box.empty = true;
    for (int64_t y = 0; y < board->height; y++) {
        const uint64_t *row = word_oracle_row(board, y);
        memcpy(taken.words + (size_t)y * taken.pitch, row, taken.pitch * sizeof *row);
        for (size_t i = 0; i < taken.pitch; i++)
            taken.population += (uint64_t)__builtin_popcountll(row[i]);
        add_to_box(&taken.box, y, row, taken.pitch);
    }
    return taken;
}

void snapshot_free(snapshot *taken)
{
    free(taken->words);
    taken->words = NULL;
}

bool snapshot_cell(const snapshot *taken, int64_t x, int64_t y)
{
    return taken->words[(size_t)y * taken->pitch + (size_t)(x / 64)] >> (x % 64) & 1;
}

static const char *topology_text(const lc_topology *topology, char text[160])
{
    static const char *const kinds[] = {"plane", "torus", "Klein bottle", "cross-surface",
                                        "sphere"};
    snprintf(text, 160, "%s %" PRId64 "%s%+" PRId64 ",%" PRId64 "%s%+" PRId64,
             kinds[topology->kind], topology->width_cells, topology->twist_x ? "*" : "",
             topology->shift_x_cells, topology->height_cells, topology->twist_y ? "*" : "",
             topology->shift_y_cells);
    return text;
}

void scene_print(const scene *where)
{
    char topology[160];
    fprintf(stderr,
            "  engine %s, level %s, %d threads, seed %" PRIu64 " (LC_TEST_SEED)\n"
            "  %" PRId64 " x %" PRId64 " cells, %s, rule %s, fill %s\n"
            "  generation %" PRIu64 "\n",
            where->engine, where->level == NULL || *where->level == '\0' ? "-" : where->level,
            where->threads, where->seed, where->width, where->height,
            topology_text(&where->topology, topology), lc_rule_traits(where->rule)->text,
            where->fill, where->generation);
}

// Where two boards differ, gathered cell by cell.
typedef struct difference {
    uint64_t count;
    int64_t first_x, first_y;
    int64_t left, right, top, bottom;
} difference;

static void difference_add(difference *found, int64_t x, int64_t y)
{
    if (found->count++ == 0) {
        *found = (difference){1, x, y, x, x, y, y};
        return;
    }
    found->left = x < found->left ? x : found->left;
    found->right = x > found->right ? x : found->right;
    found->top = y < found->top ? y : found->top;
    found->bottom = y > found->bottom ? y : found->bottom;
}

static void difference_print(const difference *found, const scene *where)
{
    fprintf(stderr, "MISMATCH at cell (%" PRId64 ", %" PRId64 ")\n", found->first_x,
            found->first_y);
    scene_print(where);
    fprintf(stderr,
            "  %" PRIu64 " cells differ, x %" PRId64 " .. %" PRId64 ", y %" PRId64 " .. %" PRId64
            "\n  expected (left) and actual (right) round the first:\n",
            found->count, found->left, found->right, found->top, found->bottom);
}

typedef bool (*cell_reader)(const void *context, int64_t x, int64_t y);

// One row of the surroundings: cells left .. right-1, with '#' beyond the board.
static void surroundings_row(cell_reader cell, const void *context, int64_t y, int64_t left,
                             int64_t right, int64_t width)
{
    for (int64_t x = left; x < right; x++)
        fputc(x < 0 || x >= width ? '#' : cell(context, x, y) ? 'o' : '.', stderr);
}

static void surroundings_print(cell_reader expected, const void *expected_context,
                               cell_reader actual, const void *actual_context,
                               const difference *found, int64_t width, int64_t height)
{
    const int64_t left = found->first_x - 12, right = found->first_x + 13;
    for (int64_t y = found->first_y - 4; y <= found->first_y + 4; y++) {
        if (y < 0 || y >= height)
            continue;
        fprintf(stderr, "  %8" PRId64 "  ", y);
        surroundings_row(expected, expected_context, y, left, right, width);
        fputs("  ", stderr);
        surroundings_row(actual, actual_context, y, left, right, width);
        fputc('\n', stderr);
    }
}

static bool snapshot_cell_of(const void *context, int64_t x, int64_t y)
{
    return snapshot_cell(context, x, y);
}

void snapshot_row(const void *taken, int64_t y, int64_t width, uint64_t *words)
{
    const snapshot *s = taken;
    (void)width;
    memcpy(words, s->words + (size_t)y * s->pitch, s->pitch * sizeof *words);
}

bool snapshot_equals(const snapshot *expected, row_reader read, const void *context,
                     const scene *where)
{
    snapshot actual = *expected;
    actual.words = calloc(actual.pitch * (size_t)actual.height + 1, sizeof *actual.words);
    if (actual.words == NULL) {
        fprintf(stderr, "test: out of memory\n");
        exit(2);
    }
    for (int64_t y = 0; y < actual.height; y++)
        read(context, y, actual.width, actual.words + (size_t)y * actual.pitch);

    difference found = {0};
    for (int64_t y = 0; y < actual.height; y++) {
        for (size_t i = 0; i < actual.pitch; i++) {
            const size_t at = (size_t)y * actual.pitch + i;
            for (uint64_t bits = actual.words[at] ^ expected->words[at]; bits != 0;
                 bits &= bits - 1)
                difference_add(&found, (int64_t)i * 64 + __builtin_ctzll(bits), y);
        }
    }
    if (found.count != 0) {
        difference_print(&found, where);
        surroundings_print(snapshot_cell_of, expected, snapshot_cell_of, &actual, &found,
                           actual.width, actual.height);
    }
    free(actual.words);
    return found.count == 0;
}

typedef struct bytes {
    const uint8_t *cells;
    int64_t width;
} bytes;

static bool bytes_cell(const void *context, int64_t x, int64_t y)
{
    const bytes *board = context;
    return board->cells[y * board->width + x] != 0;
}

bool bytes_equal(const uint8_t *expected, const uint8_t *actual, int64_t x, int64_t y,
                 int64_t width, int64_t height, const scene *where)
{
    difference found = {0};
    for (int64_t j = 0; j < height; j++)
        for (int64_t i = 0; i < width; i++)
            if (expected[j * width + i] != actual[j * width + i])
                difference_add(&found, i, j);
    if (found.count == 0)
        return true;
    difference_print(&found, where);
    fprintf(stderr, "  (coordinates of a window whose (0, 0) is (%" PRId64 ", %" PRId64 "))\n", x,
            y);
    surroundings_print(bytes_cell, &(bytes){expected, width}, bytes_cell, &(bytes){actual, width},
                       &found, width, height);
    return false;
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t modulus)
{
    uint64_t product = 0; // by doubling: slow, and nobody else does it so
    for (; b > 0; b >>= 1) {
        if (b & 1)
            product = product >= modulus - a ? product - (modulus - a) : product + a;
        a = a >= modulus - a ? a - (modulus - a) : a + a;
    }
    return product;
}

uint64_t plain_hash(const uint64_t *words, size_t pitch_words, int64_t rows)
{
    const uint64_t p = UINT64_MAX - 1468, b = 0x8ecd3869f8956240u;
    uint64_t hash = 0, row_weight = 1;
    for (int64_t y = 0; y < rows; y++, row_weight = times(row_weight, b, p)) {
        uint64_t row = 0, weight = 1;
        for (size_t i = 0; i < 64 * pitch_words; i++) {
            if (words[(size_t)y * pitch_words + i / 64] >> (i % 64) & 1)
                row = row >= p - weight ? row - (p - weight) : row + weight;
            weight = weight >= p - weight ? weight - (p - weight) : weight + weight;
        }
        const uint64_t part = times(row, row_weight, p);
        hash = hash >= p - part ? hash - (p - part) : hash + part;
    }
    return hash;
}
