// Damaged checkpoints: whatever the bytes, lc_universe_restore returns a status, keeps to
// max_memory_bytes, and what it accepts can be stepped and written again.
//
// Checksums would stop nearly every mutation at the door, so the file is sealed first: wherever a
// checksum belongs, by the file's own sizes, the right one is put. The first byte of the input says
// which of them, and whether the rest is a file or a list of edits (two bytes where, one byte what)
// to a good checkpoint, so that no corpus is needed to get past the header. That may also be one of
// several files, an index and two shares, which are edited as if they were one behind the other.
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>

#include "../support_facts.h"
#include "fuzz_file.h"
#include "lightcone/lightcone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

enum { FIRST_HEADER_BYTES = 136, FIRST_HEAD_BYTES = 16, FIRST_TRAILER_BYTES = 24 };
// The header of a checkpoint with a rule of at most 8 bytes; that of versions 2 and 3.
enum { HEADER_BYTES = 120, OLD_HEADER_BYTES = 176, HEAD_BYTES = 64, TRAILER_BYTES = 80 };
enum { SEAL_HEADER = 1, SEAL_PARTS = 2, SEAL_FILE = 4, EDITS = 8, SHARES = 16 };

static void seal_first(uint8_t *bytes, size_t size_bytes, uint8_t how)
{
    if (size_bytes < FIRST_HEADER_BYTES)
        return;
    if (how & SEAL_HEADER)
        put_u64(bytes + 128, XXH64(bytes, 128, 0));
    size_t at = FIRST_HEADER_BYTES;
    for (uint64_t part = 0;
         how & SEAL_PARTS && size_bytes - at > FIRST_HEAD_BYTES + FIRST_TRAILER_BYTES; part++) {
        const size_t frame_bytes = (size_t)take(bytes + at, 4);
        if (frame_bytes > size_bytes - at - FIRST_HEAD_BYTES)
            break;
        put_u64(bytes + at + 8, XXH64(bytes + at + FIRST_HEAD_BYTES, frame_bytes, part));
        at += FIRST_HEAD_BYTES + frame_bytes;
    }
    if (how & SEAL_FILE && size_bytes - at >= FIRST_TRAILER_BYTES) {
        put_u64(bytes + size_bytes - 16, size_bytes);
        put_u64(bytes + size_bytes - 8, XXH64(bytes, size_bytes - 8, 0));
    }
}

// What a trailer says of what is before it.
typedef struct totals {
    uint64_t count, checksums, population, hash;
} totals;

static void count(totals *all, uint64_t checksum, uint64_t population, uint64_t hash)
{
    all->count++;
    all->checksums += checksum;
    all->population += population;
    all->hash = lc_hash_joined(all->hash, hash);
}

static void seal_trailer(uint8_t *trailer, const totals *all, size_t file_bytes, uint64_t header)
{
    put_u64(trailer + 8, file_bytes);
    put_u64(trailer + 16, all->count);
    put_u64(trailer + 24, all->checksums);
    put_u64(trailer + 32, all->population);
    put_u64(trailer + 64, all->hash);
    put_u64(trailer + TRAILER_BYTES - 8, XXH64(trailer, TRAILER_BYTES - 8, header));
}

// Parts from `at` on, and the trailer behind them.
static totals seal_parts(uint8_t *bytes, size_t size_bytes, size_t at, uint64_t header, uint8_t how)
{
    totals all = {0};
    while (size_bytes - at >= HEAD_BYTES + TRAILER_BYTES) {
        uint8_t *head = bytes + at;
        const size_t frame_bytes = (size_t)take(head + 4, 4);
        if (frame_bytes > size_bytes - at - HEAD_BYTES - TRAILER_BYTES)
            break;
        if (how & SEAL_PARTS) {
            put_u64(head + 48, XXH64(head + HEAD_BYTES, frame_bytes, 0));
            put_u64(head + HEAD_BYTES - 8, XXH64(head, HEAD_BYTES - 8, header));
        }
        count(&all, take(head + HEAD_BYTES - 8, 8), take(head + 32, 8), take(head + 40, 8));
        at += HEAD_BYTES + frame_bytes;
    }
    if (how & SEAL_FILE && size_bytes - at >= TRAILER_BYTES)
        seal_trailer(bytes + at, &all, size_bytes, header);
    return all;
}

static void seal_header(uint8_t *bytes, size_t header_bytes, uint8_t how)
{
    if (how & SEAL_HEADER)
        put_u64(bytes + header_bytes - 8, XXH64(bytes, header_bytes - 8, 0));
}

static void seal(uint8_t *bytes, size_t size_bytes, uint8_t how)
{
    if (size_bytes >= 12 && take(bytes + 8, 4) == 1) {
        seal_first(bytes, size_bytes, how);
        return;
    }
    if (size_bytes < OLD_HEADER_BYTES + TRAILER_BYTES)
        return;
    const bool is_old = take(bytes + 8, 4) < 4;
    const size_t stated = (size_t)take(bytes + 12, 4);
    const size_t header_bytes = is_old                                       ? OLD_HEADER_BYTES
                                : stated >= 16 && stated <= OLD_HEADER_BYTES ? stated
                                                                             : HEADER_BYTES;
    seal_header(bytes, header_bytes, how);
    (void)seal_parts(bytes, size_bytes, header_bytes, take(bytes + header_bytes - 8, 8), how);
}

// Several files ----------------------------------------------------------------------------------

enum { NAME_BYTES = 256, RECORDS_AT = HEADER_BYTES + NAME_BYTES + 8, RECORD_BYTES = 96 };
enum { INDEX_BYTES = RECORDS_AT + 2 * RECORD_BYTES + TRAILER_BYTES, FILES = 3 };

// The index, and the shares behind it.
static void seal_shared(uint8_t *index, const size_t sizes[FILES], uint8_t how)
{
    uint8_t *share = index + INDEX_BYTES;
    totals all = {0};
    seal_header(index, HEADER_BYTES, how);
    const uint64_t header = take(index + HEADER_BYTES - 8, 8);
    for (int i = 0; i < FILES - 1; i++) {
        uint8_t *record = index + RECORDS_AT + (size_t)i * RECORD_BYTES;
        if (how & SEAL_HEADER) {
            put_u64(share + 40, take(index + 96, 8));
            put_u64(share + 48, header);
            put_u64(share + HEAD_BYTES - 8, XXH64(share, HEAD_BYTES - 8, 0));
        }
        const totals own = seal_parts(share, sizes[1 + i], HEAD_BYTES, header, how);
        if (how & SEAL_FILE) {
            put_u64(record + 24, sizes[1 + i]);
            put_u64(record + 32, own.count);
            put_u64(record + 40, own.checksums);
            put_u64(record + 48, own.population);
            put_u64(record + 80, own.hash);
            put_u64(record + RECORD_BYTES - 8, XXH64(record, RECORD_BYTES - 8, header));
        }
        count(&all, take(record + RECORD_BYTES - 8, 8), own.population, own.hash);
        share += sizes[1 + i];
    }
    if (!(how & SEAL_FILE))
        return;
    put_u64(index + RECORDS_AT - 8, XXH64(index + HEADER_BYTES, NAME_BYTES, header));
    seal_trailer(index + INDEX_BYTES - TRAILER_BYTES, &all, INDEX_BYTES, header);
}

static const uint64_t limit = (uint64_t)2 << 20;
static const lc_universe_options options = {
    .struct_bytes = sizeof options,
    .rule_text = "B3/S23",
    .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300},
    .engine = "scalar",
    .threads = 1,
    .max_memory_bytes = (uint64_t)2 << 20};

static char path[64];            // of the file that is restored
static char share_paths[2][128]; // "": there is none

static void remove_shares(void)
{
    for (int i = 0; i < FILES - 1; i++) {
        if (share_paths[i][0] != '\0')
            unlink(share_paths[i]);
        share_paths[i][0] = '\0';
    }
}

static void remove_file(void)
{
    unlink(path);
    remove_shares();
}

// The file of a universe, which is given up.
static size_t write_and_read(lc_universe *universe, uint8_t *bytes, size_t room)
{
    if (lc_universe_checkpoint(universe, path, NULL) != LC_OK)
        abort();
    lc_universe_destroy(&universe);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        abort();
    const size_t size_bytes = fread(bytes, 1, room, file);
    fclose(file);
    return size_bytes;
}

// A good checkpoint: some cells of a soup on a tube.
static uint8_t *good_checkpoint(size_t *size_bytes)
{
    static uint8_t bytes[1 << 16];
    static size_t filled;
    if (filled == 0) {
        name_own_file(path, sizeof path, "lcs");
        atexit(remove_file);
        lc_universe *universe = NULL;
        if (lc_universe_create(&universe, &options, NULL) != LC_OK ||
            lc_universe_soup(universe, 100, 7, 90, 40, 0.4, 1, NULL) != LC_OK)
            abort();
        filled = write_and_read(universe, bytes, sizeof bytes);
    }
    *size_bytes = filled;
    return bytes;
}

// A good one in several files: each half of a board becomes the part of a share.
static uint8_t *good_shares(size_t sizes[FILES])
{
    enum { ROWS = 20 };
    static uint8_t bytes[1 << 16], part[1 << 15];
    static size_t known[FILES];
    if (known[0] == 0) {
        lc_universe_options halves = options;
        size_t good_bytes;
        (void)good_checkpoint(&good_bytes); // makes the path
        halves.topology.height_cells = (FILES - 1) * ROWS;
        known[0] = INDEX_BYTES;
        uint8_t *share = bytes + INDEX_BYTES;
        for (int i = 0; i < FILES - 1; i++) {
            lc_universe *universe = NULL;
            if (lc_universe_create(&universe, &halves, NULL) != LC_OK ||
                lc_universe_soup(universe, 100, i * ROWS, 90, ROWS, 0.4, 1, NULL) != LC_OK)
                abort();
            const size_t part_bytes = write_and_read(universe, part, sizeof part) - HEADER_BYTES;
            memcpy(bytes, part, HEADER_BYTES);
            uint8_t *record = bytes + RECORDS_AT + (size_t)i * RECORD_BYTES;
            memcpy(record, "SHAR", 4);
            record[4] = (uint8_t)i;
            put_u64(record + 8, (uint64_t)i * ROWS);
            put_u64(record + 16, (uint64_t)(i + 1) * ROWS);
            memcpy(share, "LCSHARE1", 8);
            share[8] = 3;
            share[12] = HEAD_BYTES;
            share[16] = (uint8_t)i;
            share[20] = FILES - 1;
            memcpy(share + 24, record + 8, 16);
            memcpy(share + HEAD_BYTES, part + HEADER_BYTES, part_bytes);
            known[1 + i] = HEAD_BYTES + part_bytes;
            share += known[1 + i];
        }
        bytes[16] = FILES - 1;
        put_u64(bytes + 96, 0x0123456789abcdef);
        memcpy(bytes + HEADER_BYTES, strrchr(path, '/') + 1, strlen(strrchr(path, '/') + 1));
        memcpy(bytes + INDEX_BYTES - TRAILER_BYTES, "LCSTEND2", 8);
        seal_shared(bytes, known, SEAL_HEADER | SEAL_PARTS | SEAL_FILE);
    }
    memcpy(sizes, known, sizeof known);
    return bytes;
}

static void edit(uint8_t *bytes, size_t file_bytes, const uint8_t *data, size_t size_bytes)
{
    for (size_t i = 0; i + 3 <= size_bytes; i += 3)
        bytes[(data[i] | (size_t)data[i + 1] << 8) % file_bytes] = data[i + 2];
}

// The file, or files, that the input says.
static bool write_one(const uint8_t *data, size_t size_bytes, uint8_t how)
{
    size_t good_bytes;
    const uint8_t *good = good_checkpoint(&good_bytes);
    const size_t file_bytes = how & EDITS ? good_bytes : size_bytes;
    uint8_t *bytes = malloc(file_bytes + 1);
    if (bytes == NULL)
        return false;
    memcpy(bytes, how & EDITS ? good : data, file_bytes);
    if (how & EDITS)
        edit(bytes, file_bytes, data, size_bytes);
    seal(bytes, file_bytes, how);
    write_file(path, bytes, file_bytes);
    free(bytes);
    return true;
}

static bool write_several(const uint8_t *data, size_t size_bytes, uint8_t how)
{
    size_t sizes[FILES], file_bytes = 0;
    const uint8_t *good = good_shares(sizes);
    for (int i = 0; i < FILES; i++)
        file_bytes += sizes[i];
    uint8_t *bytes = malloc(file_bytes);
    if (bytes == NULL)
        return false;
    memcpy(bytes, good, file_bytes);
    edit(bytes, file_bytes, data, size_bytes);
    seal_shared(bytes, sizes, how);
    write_file(path, bytes, sizes[0]);
    remove_shares();
    const uint8_t *share = bytes + sizes[0];
    for (int i = 0; i < FILES - 1; i++) {
        snprintf(share_paths[i], sizeof share_paths[i], "%s-%016llx-%d.share", path,
                 (unsigned long long)take(bytes + 96, 8), i);
        write_file(share_paths[i], share, sizes[1 + i]);
        share += sizes[1 + i];
    }
    free(bytes);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    if (size_bytes < 1)
        return 0;
    const uint8_t how = data[0];
    if (!(how & SHARES ? write_several : write_one)(data + 1, size_bytes - 1, how))
        return 0;

    lc_universe *universe = NULL;
    lc_message message = {0};
    lc_status status = lc_universe_restore(&universe, path, &options, &message);
    // What is not edited is good.
    if (size_bytes < 4 && how & (EDITS | SHARES) && status != LC_OK)
        abort();
    if (status != LC_OK) {
        if (universe != NULL || message.text[0] == '\0')
            abort();
        return 0;
    }
    if (lc_universe_info_of(universe).memory_bytes > limit)
        abort();
    const uint64_t hash = test_hash(universe);
    const uint64_t population = test_population(universe);
    lc_universe *again = NULL;
    if (lc_universe_checkpoint(universe, path, &message) != LC_OK ||
        lc_universe_restore(&again, path, &options, &message) != LC_OK ||
        test_hash(again) != hash || test_population(again) != population)
        abort();
    lc_universe_destroy(&again);
    (void)lc_universe_step(universe, lc_count_of(1), NULL, NULL, &message);
    lc_universe_destroy(&universe);
    return 0;
}
