// Damaged gzip: the fuzzer's bytes as they are, behind a gzip header, and as a change to a stream
// that was whole.
#include "fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "#C changed\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n";
    static const uint8_t header[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    (void)fuzz_read(data, size, 1);

    uint8_t *raw = malloc(size + sizeof header);
    if (!raw)
        abort();
    memcpy(raw, header, sizeof header);
    if (size > 0)
        memcpy(raw + sizeof header, data, size);
    (void)fuzz_read(raw, size + sizeof header, 1);
    free(raw);

    uint8_t whole[256];
    z_stream stream = {0};
    if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    stream.next_in = (z_const Bytef *)(uintptr_t)text;
    stream.avail_in = sizeof text - 1;
    stream.next_out = whole;
    stream.avail_out = sizeof whole;
    fuzz_check(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    size_t length = stream.total_out;
    (void)deflateEnd(&stream);
    for (size_t i = 0; i + 1 < size; i += 2)
        whole[data[i] % length] ^= data[i + 1];
    (void)fuzz_read(whole, length, 1);
    return 0;
}
