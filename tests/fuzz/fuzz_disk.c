// Damaged boards on disk: whatever the bytes, lc_disk_open returns a status and keeps to
// max_memory_bytes; what it opens can be counted, drawn in, stepped, kept and opened again.
//
// Each input is a list of edits to a good file with two states. Checksums would stop nearly all of
// them, so the file is sealed again: the first byte says which of its checksums. What is not sealed
// must be found damaged, or the cells are the good ones. The input may also state another size of
// the board, in all places that have it, and the file is made as long as it then has to be.
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>

#include "../support_facts.h"
#include "chunks/chunks_header.h"
#include "fuzz_file.h"
#include "lightcone/lightcone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

enum {
    SEAL_HEADERS = 1,
    SEAL_INDICES = 2,
    SEAL_BANDS = 4,
    PREVIOUS = 8,
    STATES_SIZE = 16, // the next SIZE_BYTES say of what board
    RING = 32,        // reads and writes with io_uring
    WINDOWS = 64,     // several, however small the board is
    STEPS = 128,
};
enum { SIZE_BYTES = 7, EDIT_BYTES = 3, BANDS = 4, BAND_BYTES = 4096 };
enum { INDICES_AT = LC_CHUNKS_HEADERS_BYTES, BANDS_AT = INDICES_AT + 2 * 4096 };
enum {
    BOARD_BYTES = BANDS_AT + 2 * BANDS * BAND_BYTES,
    INDEX_SUM_AT = 64,
    NOTE_TEXT_AT = 128 + 32
};
enum { MOST_BANDS = 1 << 18 }; // of a board that the input states

static const uint64_t limit = (uint64_t)2 << 20;
static const uint64_t most_file_bytes = (uint64_t)1 << 40; // of nothing but a hole, nearly all

static char path[64];

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void remove_file(void)
{
    unlink(path);
}

// The file without the hole before its bands.
typedef struct board {
    uint8_t bytes[BOARD_BYTES];
    uint64_t hashes[2]; // of the newest state, and of the one before
} board;

static uint64_t bands_at(const lc_chunks_shape *shape)
{
    return lc_chunks_band_at(shape, 0, 0);
}

static lc_chunks_shape good_shape(void)
{
    lc_chunks_shape shape;
    require(lc_chunks_lay_out(1024, 2, BAND_BYTES, &shape, NULL) == LC_OK);
    require(shape.band_count == BANDS && shape.band_bytes == BAND_BYTES);
    return shape;
}

static const board *good_board(void)
{
    static board good;
    if (path[0] != '\0')
        return &good;
    name_own_file(path, sizeof path, "lcd");
    atexit(remove_file);
    const lc_universe_options options = {
        .struct_bytes = sizeof options,
        .rule_text = "B3/S23",
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 100, .height_cells = 1024},
        .engine = "simd",
        .threads = 1,
        .disk = path,
        .disk_settings = "band=4096,io=threads,cached"};
    lc_universe *universe;
    unlink(path);
    require(lc_universe_create(&universe, &options, NULL) == LC_OK);
    require(lc_universe_soup(universe, 10, 100, 80, 700, 0.4, 1, NULL) == LC_OK);
    require(lc_disk_keep(universe, NULL) == LC_OK);
    good.hashes[1] = test_hash(universe);
    require(lc_universe_step(universe, lc_count_of(3), NULL, NULL, NULL) == LC_OK);
    good.hashes[0] = test_hash(universe);
    lc_universe_destroy(&universe);
    const lc_chunks_shape shape = good_shape();
    const int file = open(path, O_RDONLY);
    require(pread(file, good.bytes, BANDS_AT, 0) == BANDS_AT);
    require(pread(file, good.bytes + BANDS_AT, BOARD_BYTES - BANDS_AT, (off_t)bands_at(&shape)) ==
            BOARD_BYTES - BANDS_AT);
    close(file);
    return &good;
}

// Edits ------------------------------------------------------------------------------------------

// Nearly all of the headers and of the indices is 0: those bytes that are not.
static size_t place_of_edit(size_t place)
{
    enum { NUMBERS = 72, TEXT = 160, END = 16, INDEX = 8 * BANDS };
    enum { A_HEADER = NUMBERS + TEXT + END, FACTS = 2 * (A_HEADER + INDEX) };
    if (place >= 1024)
        return BANDS_AT + place % (BOARD_BYTES - BANDS_AT);
    place %= FACTS;
    const size_t header = place / (A_HEADER + INDEX), at = place % (A_HEADER + INDEX);
    if (at >= A_HEADER)
        return INDICES_AT + header * 4096 + at - A_HEADER;
    const size_t begin = header * LC_CHUNKS_HEADER_BYTES;
    if (at < NUMBERS)
        return begin + at;
    if (at < NUMBERS + TEXT)
        return begin + 128 + at - NUMBERS;
    return begin + LC_CHUNKS_HEADER_BYTES - END + at - NUMBERS - TEXT;
}

static void edit(uint8_t *bytes, const uint8_t *data, size_t size_bytes)
{
    for (size_t i = 0; i + EDIT_BYTES <= size_bytes; i += EDIT_BYTES)
        bytes[place_of_edit((size_t)take(data + i, 2))] = data[i + 2];
}

// Another size of the board, in the newest header. Nothing lives in it if it has other bands.
static void state_size(uint8_t *bytes, const uint8_t *data)
{
    static const uint64_t no_cells[MOST_BANDS];
    uint8_t *header = bytes;
    lc_chunks_shape shape;
    const int64_t width = (int64_t)(1 + take(data, 2)) << data[2] % 16;
    const int64_t height = (int64_t)(1 + take(data + 3, 2)) << data[5] % 24;
    const uint64_t row_words = ((uint64_t)width + 63) / 64;
    if (lc_chunks_lay_out(height, row_words, UINT64_C(1) << data[6] % 32, &shape, NULL) != LC_OK)
        return;
    const uint64_t words[] = {(uint64_t)shape.rows, shape.row_words, shape.pitch_words,
                              (uint64_t)shape.band_rows, shape.band_bytes};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        put_u64(header + 24 + 8 * i, words[i]);
    snprintf((char *)header + NOTE_TEXT_AT, 64, "B3/S23:T%lld,%lld", (long long)width,
             (long long)height);
    if (shape.band_count == BANDS || shape.band_count > MOST_BANDS)
        return;
    memset(bytes + INDICES_AT, 0, BANDS_AT - INDICES_AT);
    put_u64(header + INDEX_SUM_AT,
            XXH3_64bits_withSeed(no_cells, 8 * (size_t)shape.band_count, take(header + 16, 8)));
}

static void seal(uint8_t *bytes, uint8_t how)
{
    for (size_t i = 0; i < 2; i++) {
        uint8_t *header = bytes + i * LC_CHUNKS_HEADER_BYTES;
        uint8_t *index = bytes + INDICES_AT + i * 4096;
        for (uint64_t band = 0; how & SEAL_BANDS && band < BANDS; band++) {
            const uint64_t word = take(index + 8 * band, 8);
            const uint8_t *cells = bytes + BANDS_AT + ((word & 1) * BANDS + band) * BAND_BYTES;
            if (word != 0)
                put_u64(index + 8 * band,
                        (XXH3_64bits_withSeed(cells, BAND_BYTES, band) & ~UINT64_C(1)) |
                            (word & 1));
        }
        if (how & SEAL_INDICES && !(how & STATES_SIZE))
            put_u64(header + INDEX_SUM_AT,
                    XXH3_64bits_withSeed(index, 8 * BANDS, take(header + 16, 8)));
        if (how & SEAL_HEADERS)
            put_u64(header + LC_CHUNKS_HEADER_BYTES - 8,
                    XXH3_64bits(header, LC_CHUNKS_HEADER_BYTES - 8));
    }
}

// How long a file must be for its headers; the good one's length if they are refused.
static uint64_t file_bytes_of(const uint8_t *bytes, bool previous, uint64_t *at)
{
    lc_chunks_choice choice;
    lc_chunks_shape shape = good_shape();
    if (lc_chunks_header_choose(bytes, previous, &choice, NULL) == LC_OK &&
        lc_chunks_file_bytes(&choice.header.shape) <= most_file_bytes)
        shape = choice.header.shape;
    *at = bands_at(&shape);
    return lc_chunks_file_bytes(&shape);
}

static void write_board(const uint8_t *bytes, bool previous)
{
    uint64_t at;
    const uint64_t file_bytes = file_bytes_of(bytes, previous, &at);
    const uint64_t left = file_bytes - at;
    const size_t some = left < BOARD_BYTES - BANDS_AT ? (size_t)left : BOARD_BYTES - BANDS_AT;
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && ftruncate(file, (off_t)file_bytes) == 0);
    require(pwrite(file, bytes, BANDS_AT, 0) == BANDS_AT);
    require(pwrite(file, bytes + BANDS_AT, some, (off_t)at) == (ssize_t)some);
    close(file);
}

// Opening ----------------------------------------------------------------------------------------

static lc_status open_board(lc_universe **universe, uint8_t how, lc_message *message)
{
    static lc_context *context; // for all inputs
    char settings[64];
    if (context == NULL)
        require(lc_context_create(&context, NULL, NULL) == LC_OK);
    snprintf(settings, sizeof settings, "%s%s%s", how & RING ? "io=ring" : "io=threads,cached",
             how & PREVIOUS ? ",previous" : "", how & WINDOWS ? ",rows=768" : "");
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = context,
                                         .engine = "simd",
                                         .threads = 1,
                                         .max_memory_bytes = limit,
                                         .disk_settings = settings};
    return lc_disk_open(universe, path, &options, message);
}

// Of a large board only the first cells are looked at: all of it may be as much as the file.
static bool is_small(const lc_universe *universe)
{
    const lc_topology *t = lc_universe_topology(universe);
    return t->width_cells <= 4096 && t->height_cells <= 4096;
}

// Changes and keeps it, and opens it again.
static void use(lc_universe **universe, uint8_t how)
{
    lc_message message = {0};
    const lc_topology topology = *lc_universe_topology(*universe);
    const int64_t x = topology.width_cells / 2, y = topology.height_cells / 2;
    lc_status status = lc_universe_set(*universe, x, y, !test_get(*universe, x, y), &message);
    if (status == LC_OK && how & STEPS)
        status = lc_universe_step(*universe, lc_count_of(2), NULL, NULL, &message);
    if (status == LC_OK)
        status = lc_disk_keep(*universe, &message);
    require(status == LC_OK || message.text[0] != '\0');
    if (status != LC_OK)
        return;
    const uint64_t hash = test_hash(*universe);
    const lc_count generation = lc_universe_generation(*universe);
    lc_universe_destroy(universe);
    require(open_board(universe, how & ~PREVIOUS, &message) == LC_OK);
    require(lc_count_compare(lc_universe_generation(*universe), generation) == 0);
    require(test_hash(*universe) == hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    static uint8_t bytes[BOARD_BYTES];
    const board *good = good_board();
    if (size_bytes < 1)
        return 0;
    const uint8_t how = data[0];
    memcpy(bytes, good->bytes, sizeof bytes);
    data++;
    size_bytes--;
    if (how & STATES_SIZE && size_bytes >= SIZE_BYTES) {
        state_size(bytes, data);
        data += SIZE_BYTES;
        size_bytes -= SIZE_BYTES;
    }
    edit(bytes, data, size_bytes);
    seal(bytes, how);
    write_board(bytes, (how & PREVIOUS) != 0);

    lc_universe *universe = NULL;
    lc_disk_info info;
    lc_facts facts;
    lc_message message = {0};
    const bool is_good = memcmp(bytes, good->bytes, sizeof bytes) == 0;
    const lc_status looked = lc_disk_look(path, &info, NULL);
    lc_status status = open_board(&universe, how, &message);
    require(!is_good || (looked == LC_OK && status == LC_OK));
    require(looked == LC_OK || how & PREVIOUS || status == looked);
    require((status == LC_OK) == (universe != NULL));
    require(status == LC_OK || message.text[0] != '\0');
    if (status != LC_OK)
        return 0;
    require(lc_universe_info_of(universe).memory_bytes <= limit);
    if (is_small(universe)) {
        status = lc_universe_facts(universe, LC_FACT_ALL, &facts, &message);
        require(status == LC_OK || message.text[0] != '\0');
        // The cells of an older state may be the newest ones of the file that an edit makes.
        const bool is_sealed = (how & (SEAL_HEADERS | SEAL_INDICES | SEAL_BANDS)) != 0;
        if (status == LC_OK && !is_sealed && !(how & STATES_SIZE))
            require(facts.hash == good->hashes[0] || facts.hash == good->hashes[1]);
        if (status == LC_OK)
            use(&universe, how);
    }
    lc_universe_destroy(&universe);
    return 0;
}
