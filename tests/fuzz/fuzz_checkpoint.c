// Damaged checkpoints: whatever the bytes, lc_universe_restore returns a status, keeps to
// max_memory_bytes, and what it accepts can be stepped and written again.
//
// Checksums would stop nearly every mutation at the door, so the file is sealed first: wherever a
// checksum belongs, by the file's own sizes, the right one is put. The first byte of the input says
// which of them, and whether the rest is a file or a list of edits (two bytes where, one byte what)
// to a good checkpoint, so that no corpus is needed to get past the header.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "../support_facts.h"
#include "lightcone/lightcone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

enum { FIRST_HEADER_BYTES = 136, FIRST_HEAD_BYTES = 16, FIRST_TRAILER_BYTES = 24 };
enum { HEADER_BYTES = 176, HEAD_BYTES = 64, TRAILER_BYTES = 80 };
enum { SEAL_HEADER = 1, SEAL_PARTS = 2, SEAL_FILE = 4, EDITS = 8 };

static void put_u64(uint8_t *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t take(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

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

static void seal(uint8_t *bytes, size_t size_bytes, uint8_t how)
{
    if (size_bytes >= 12 && take(bytes + 8, 4) == 1) {
        seal_first(bytes, size_bytes, how);
        return;
    }
    if (size_bytes < HEADER_BYTES + TRAILER_BYTES)
        return;
    if (how & SEAL_HEADER)
        put_u64(bytes + HEADER_BYTES - 8, XXH64(bytes, HEADER_BYTES - 8, 0));
    const uint64_t header = take(bytes + HEADER_BYTES - 8, 8);
    uint64_t parts = 0, checksums = 0, population = 0, hash = 0;
    size_t at = HEADER_BYTES;
    while (size_bytes - at >= HEAD_BYTES + TRAILER_BYTES) {
        uint8_t *head = bytes + at;
        const size_t frame_bytes = (size_t)take(head + 4, 4);
        if (frame_bytes > size_bytes - at - HEAD_BYTES - TRAILER_BYTES)
            break;
        if (how & SEAL_PARTS) {
            put_u64(head + 48, XXH64(head + HEAD_BYTES, frame_bytes, 0));
            put_u64(head + HEAD_BYTES - 8, XXH64(head, HEAD_BYTES - 8, header));
        }
        parts++;
        checksums += take(head + HEAD_BYTES - 8, 8);
        population += take(head + 32, 8);
        hash = lc_hash_joined(hash, take(head + 40, 8));
        at += HEAD_BYTES + frame_bytes;
    }
    uint8_t *trailer = bytes + at;
    if (!(how & SEAL_FILE) || size_bytes - at < TRAILER_BYTES)
        return;
    put_u64(trailer + 8, size_bytes);
    put_u64(trailer + 16, parts);
    put_u64(trailer + 24, checksums);
    put_u64(trailer + 32, population);
    put_u64(trailer + 64, hash);
    put_u64(trailer + TRAILER_BYTES - 8, XXH64(trailer, TRAILER_BYTES - 8, header));
}

static const uint64_t limit = (uint64_t)2 << 20;
static const lc_universe_options options = {
    .struct_bytes = sizeof options,
    .rule = LC_RULE_LIFE,
    .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 300},
    .engine = "scalar",
    .threads = 1,
    .max_memory_bytes = (uint64_t)2 << 20};

static char path[64]; // of the file that is restored

static void remove_file(void)
{
    unlink(path);
}

// A good checkpoint: some cells of a soup on a tube.
static uint8_t *good_checkpoint(size_t *size_bytes)
{
    static uint8_t bytes[1 << 16];
    static size_t filled;
    if (filled == 0) {
        snprintf(path, sizeof path, "/tmp/fuzz-checkpoint-%ld.lcs", (long)getpid());
        atexit(remove_file);
        lc_universe *universe = NULL;
        if (lc_universe_create(&universe, &options, NULL) != LC_OK ||
            lc_universe_soup(universe, 100, 7, 90, 40, 0.4, 1, NULL) != LC_OK ||
            lc_universe_checkpoint(universe, path, NULL) != LC_OK)
            abort();
        lc_universe_destroy(&universe);
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            abort();
        filled = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
    }
    *size_bytes = filled;
    return bytes;
}

static void write_file(const uint8_t *bytes, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size_bytes, file) != size_bytes || fclose(file) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    size_t good_bytes, file_bytes;
    const uint8_t *good = good_checkpoint(&good_bytes);
    if (size_bytes < 1)
        return 0;
    const uint8_t how = data[0];
    data++;
    size_bytes--;
    file_bytes = how & EDITS ? good_bytes : size_bytes;
    uint8_t *bytes = malloc(file_bytes + 1);
    if (bytes == NULL)
        return 0;
    memcpy(bytes, how & EDITS ? good : data, file_bytes);
    for (size_t i = 0; how & EDITS && i + 3 <= size_bytes; i += 3)
        bytes[(data[i] | (size_t)data[i + 1] << 8) % file_bytes] = data[i + 2];
    seal(bytes, file_bytes, how);
    write_file(bytes, file_bytes);
    free(bytes);

    lc_universe *universe = NULL;
    lc_message message = {0};
    lc_status status = lc_universe_restore(&universe, path, &options, &message);
    if (status != LC_OK) {
        if (universe != NULL || message.text[0] == '\0')
            abort();
        return 0;
    }
    if (lc_universe_memory_bytes(universe) > limit)
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
