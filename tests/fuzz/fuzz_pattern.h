// What the pattern fuzzers share: reading any bytes, and the laws that hold whatever they are.
//
// - Nothing crashes, hangs or leaks, and a sink sees only what pattern.h promises.
// - An error has a message; success has none.
// - The same bytes through gzip, where the windows end elsewhere, give the same cells and status.
#ifndef LC_FUZZ_PATTERN_H
#define LC_FUZZ_PATTERN_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lightcone/context.h"
#include "lightcone/pattern.h"

#define FUZZ_REACH ((int64_t)1 << 62)

typedef struct fuzz_result {
    lc_status opened, read;
    uint64_t line, column;
    uint64_t sum;             // of live cells in any order; runs and bits count alike
    uint64_t patterns, names; // in the file; the names as a hash
} fuzz_result;

static inline void fuzz_check(bool holds)
{
    if (!holds)
        abort();
}

// Adds up over cells 0 .. n-1 of a row without visiting them: sum of (x + i) * k1 + y * k2 + k3.
static inline lc_status fuzz_run(void *context, int64_t x, int64_t y, int64_t length)
{
    fuzz_result *result = context;
    fuzz_check(length > 0 && length <= FUZZ_REACH && x >= -FUZZ_REACH && x <= FUZZ_REACH);
    fuzz_check(y >= -FUZZ_REACH && y <= FUZZ_REACH && x <= FUZZ_REACH + 1 - length);
    uint64_t n = (uint64_t)length;
    uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    result->sum += ((uint64_t)x * n + pairs) * UINT64_C(0x9e3779b97f4a7c15) +
                   n * ((uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f) + 1);
    return LC_OK;
}

static inline lc_status fuzz_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                                  int64_t length)
{
    fuzz_check(length > 0 && length <= 65 * 64);
    fuzz_check(length % 64 == 0 || words[length / 64] >> length % 64 == 0);
    for (int64_t i = 0; i < length; i++)
        if (words[i / 64] >> i % 64 & 1)
            (void)fuzz_run(context, x + i, y, 1);
    return LC_OK;
}

// A run of cells of a state: each state adds its own constant.
static inline lc_status fuzz_state_run(void *context, int64_t x, int64_t y, int64_t length,
                                       int state)
{
    fuzz_result *result = context;
    fuzz_check(state > 0 && state < LC_STATES_MAX);
    result->sum += (uint64_t)length * (uint64_t)(state - 1) * UINT64_C(0xd6e8feb86659fd93);
    return fuzz_run(context, x, y, length);
}

static inline lc_status fuzz_cells(void *context, const lc_cells *row)
{
    fuzz_check(row->width_cells > 0 && row->width_cells <= 65 * 64 && row->height_cells == 1);
    fuzz_check(row->planes > 0 && row->planes <= LC_PLANES_MAX);
    for (int64_t i = 0; i < row->width_cells; i++) {
        int state = 0;
        for (int plane = 0; plane < row->planes; plane++)
            state |=
                (int)(row->words[(size_t)plane * row->plane_words + (size_t)i / 64] >> i % 64 & 1)
                << plane;
        if (state != 0)
            (void)fuzz_state_run(context, row->x + i, row->y, 1, state);
    }
    return LC_OK;
}

// Reads pattern `number` of a file.
static inline fuzz_result fuzz_read(const void *data, size_t size, uint64_t number)
{
    fuzz_result result = {.read = LC_OK};
    lc_message message = {0};
    lc_pattern *pattern;
    result.opened = lc_pattern_open_memory(&pattern, data, size, &message);
    fuzz_check((result.opened == LC_OK) == (pattern != NULL));
    if (result.opened == LC_OK)
        result.opened = lc_pattern_select(pattern, number, &message);
    if (result.opened == LC_OK) {
        const lc_pattern_header *header = lc_pattern_get_header(pattern);
        fuzz_check(header->rule_text && header->comments);
        fuzz_check(strlen(header->comments) < 65536 && header->number == number);
        fuzz_check(lc_topology_check(&header->topology, NULL) == LC_OK);
        const lc_sink sink = {.struct_bytes = sizeof sink,
                              .context = &result,
                              .run = fuzz_run,
                              .bits = fuzz_bits,
                              .cells = fuzz_cells,
                              .state_run = fuzz_state_run};
        result.read = lc_pattern_read(pattern, &sink, &message);
        result.patterns = header->patterns;
        fuzz_check(strlen(header->names) < 65536 && header->patterns >= number);
        for (const char *at = header->names; *at != '\0'; at++)
            result.names = (result.names + (unsigned char)*at) * UINT64_C(0x9e3779b97f4a7c15);
    }
    lc_pattern_close(&pattern);
    if (result.opened != LC_OK || result.read != LC_OK)
        fuzz_check(message.text[0] != '\0' && (message.line > 0 || message.offset > 0));
    result.line = message.line;
    result.column = message.column;
    return result;
}

// The first pattern of a file and the last one agree about how many there are.
static inline void fuzz_several(const void *data, size_t size, const fuzz_result *first)
{
    if (first->opened != LC_OK || first->read != LC_OK || first->patterns == 1)
        return;
    const fuzz_result last = fuzz_read(data, size, first->patterns);
    if (last.opened == LC_OK && last.read == LC_OK)
        fuzz_check(last.patterns == first->patterns && last.names == first->names);
}

// Reads prefix + data, plain and compressed in two members.
static inline void fuzz_both(const char *prefix, const uint8_t *data, size_t size)
{
    size_t length = strlen(prefix);
    size_t total = length + size;
    uint8_t *plain = malloc(total + 1);
    uint8_t *packed = malloc(2 * compressBound(total) + 64);
    if (!plain || !packed)
        abort();
    memcpy(plain, prefix, length);
    if (size > 0)
        memcpy(plain + length, data, size);
    fuzz_result first = fuzz_read(plain, total, 1);
    fuzz_several(plain, total, &first);
    size_t packed_size = 0;
    const size_t parts[2] = {total / 2, total - total / 2};
    const uint8_t *from = plain;
    for (int i = 0; i < 2; i++) {
        z_stream stream = {0};
        if (deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            abort();
        stream.next_in = (z_const Bytef *)from;
        stream.avail_in = (uInt)parts[i];
        stream.next_out = packed + packed_size;
        stream.avail_out = (uInt)(compressBound(total) + 32);
        fuzz_check(deflate(&stream, Z_FINISH) == Z_STREAM_END);
        packed_size += stream.total_out;
        (void)deflateEnd(&stream);
        from += parts[i];
    }
    bool zipped = total >= 2 && plain[0] == 0x1f && plain[1] == 0x8b;
    if (!zipped) {
        fuzz_result second = fuzz_read(packed, packed_size, 1);
        fuzz_several(packed, packed_size, &second);
        fuzz_check(first.opened == second.opened && first.read == second.read);
        fuzz_check(first.line == second.line && first.column == second.column);
        fuzz_check(first.sum == second.sum);
        fuzz_check(first.patterns == second.patterns && first.names == second.names);
    }
    free(packed);
    free(plain);
}

// For the universes of all inputs, which then do not look anew at the machine that they are on.
static inline lc_context *fuzz_context(void)
{
    static lc_context *context;
    if (context == NULL)
        fuzz_check(lc_context_create(&context, NULL, NULL) == LC_OK);
    return context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
