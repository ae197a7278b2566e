// Compressing on several threads: whatever the number of bytes and of threads, zlib and gunzip get
// the same bytes back, out of one member, and what was written is the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/memory.h"
#include "file/gzip_writer.h"
#include "support.h"
#include "support_pattern.h"

enum { BLOCK = 128 * 1024, MOST_BYTES = 36 * BLOCK }; // a batch of 8 threads is 16 blocks

// The linker gives us this call of the library's, so that it can fail: each block's but the first.
static unsigned calls_to_failure; // 0: none is to fail

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
int __real_deflateSetDictionary(z_streamp stream, const Bytef *data, uInt size_bytes);
int __wrap_deflateSetDictionary(z_streamp stream, const Bytef *data, uInt size_bytes);

int __wrap_deflateSetDictionary(z_streamp stream, const Bytef *data, uInt size_bytes)
{
    if (calls_to_failure != 0 && --calls_to_failure == 0)
        return Z_STREAM_ERROR;
    return __real_deflateSetDictionary(stream, data, size_bytes);
}
// NOLINTEND(bugprone-reserved-identifier)

typedef struct bytes {
    unsigned char *list;
    size_t count, room;
} bytes;

static void append(void *context, const void *data, size_t size_bytes)
{
    bytes *to = context;
    if (size_bytes > to->room - to->count) {
        to->room = 2 * to->room + size_bytes;
        to->list = realloc(to->list, to->room);
        assert_non_null(to->list);
    }
    if (size_bytes > 0) {
        memcpy(to->list + to->count, data, size_bytes);
        to->count += size_bytes;
    }
}

// Bytes as RLE files have them, bytes that cannot be compressed, zeros, and bytes that come again
// after as long as deflate remembers.
typedef enum kind { KIND_TEXT, KIND_RANDOM, KIND_ZEROS, KIND_AGAIN, KIND_COUNT } kind;

static unsigned char *make_bytes(kind what, size_t count)
{
    static const char text[] = "o2bob$3b";
    unsigned char *list = malloc(count + 1);
    assert_non_null(list);
    dice d = dice_from(test_seed(), (uint64_t)what);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = what == KIND_ZEROS ? 0 : dice_word(&d);
        list[i] = (unsigned char)word;
        if (what == KIND_TEXT)
            list[i] = (unsigned char)text[word % 8];
        else if (what == KIND_AGAIN && i >= 30000)
            list[i] = list[i - 30000];
    }
    return list;
}

// Compresses `count` bytes, which come in pieces of `piece` bytes or of any size (0).
static bytes compress_bytes(const unsigned char *list, size_t count, int threads, size_t piece)
{
    lc_gzip_writer *writer;
    bytes out = {0};
    dice d = dice_from(test_seed(), count);
    assert_int_equal(lc_gzip_writer_create(&writer, threads, append, &out), LC_OK);
    for (size_t at = 0; at < count;) {
        size_t part = piece != 0 ? piece : (size_t)dice_below(&d, 3 * BLOCK);
        part = part < count - at ? part : count - at;
        lc_gzip_writer_write(writer, list + at, part);
        at += part;
    }
    assert_int_equal(lc_gzip_writer_finish(writer), LC_OK);
    lc_gzip_writer_destroy(&writer);
    assert_null(writer);
    return out;
}

// One member that holds these bytes, and nothing behind it.
static void assert_inflates(const bytes *compressed, const unsigned char *expected, size_t count)
{
    unsigned char *got = malloc(count + 1);
    assert_non_null(got);
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
    stream.next_in = compressed->list;
    stream.avail_in = (uInt)compressed->count;
    stream.next_out = got;
    stream.avail_out = (uInt)(count + 1);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(stream.total_out, count);
    assert_memory_equal(got, expected, count);
    assert_int_equal(inflateEnd(&stream), Z_OK);
    free(got);
}

static size_t size_by_zlib(unsigned char *list, size_t count)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                                  Z_DEFAULT_STRATEGY),
                     Z_OK);
    const size_t room = deflateBound(&stream, count);
    unsigned char *out = malloc(room);
    assert_non_null(out);
    stream.next_in = list;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    const size_t size = stream.total_out;
    assert_int_equal(deflateEnd(&stream), Z_OK);
    free(out);
    return size;
}

// What one thread writes is good and small; it is what so many threads write.
static void assert_compresses(unsigned char *list, size_t count, int threads)
{
    bytes one = compress_bytes(list, count, 1, 4096);
    assert_inflates(&one, list, count);
    // A block costs its last bytes and a new code: less than 1 %, and 40 bytes.
    const size_t most = size_by_zlib(list, count);
    assert_in_range(one.count, 1, most + most / 100 + 40 * (1 + count / BLOCK));
    for (int i = 0; i < 2; i++) {
        bytes more = compress_bytes(list, count, threads, i == 0 ? 0 : 70000);
        assert_int_equal(more.count, one.count);
        assert_memory_equal(more.list, one.list, one.count);
        free(more.list);
    }
    free(one.list);
}

static void test_sizes(void **state)
{
    (void)state;
    static const size_t counts[] = {0,
                                    1,
                                    2,
                                    32767,
                                    32768,
                                    BLOCK - 1,
                                    BLOCK,
                                    BLOCK + 1,
                                    2 * BLOCK,
                                    2 * BLOCK + 1,
                                    3 * BLOCK,
                                    4 * BLOCK,
                                    4 * BLOCK + 1};
    for (kind what = 0; what < KIND_COUNT; what++) {
        unsigned char *list = make_bytes(what, MOST_BYTES);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            assert_compresses(list, counts[i], 2);
        free(list);
    }
}

// A batch is two blocks a thread: some that are just full, nearly full, and begun.
static void test_threads(void **state)
{
    (void)state;
    unsigned char *list = make_bytes(KIND_AGAIN, MOST_BYTES); // quick to compress
    for (int threads = 1; threads <= 8; threads++) {
        const size_t batch = (size_t)threads * 2 * BLOCK;
        const size_t counts[] = {batch - 1, batch, batch + 1, 2 * batch, 2 * batch + 12345};
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            assert_compresses(list, counts[i], threads);
    }
    free(list);
}

static void test_gunzip(void **state)
{
    (void)state;
    unsigned char *list = make_bytes(KIND_TEXT, MOST_BYTES);
    const size_t counts[] = {0, BLOCK, MOST_BYTES};
    for (size_t i = 0; i < 3; i++) {
        bytes out = compress_bytes(list, counts[i], 4, 0);
        char command[700];
        file_put(test_path("a.gz"), out.list, out.count);
        (void)snprintf(command, sizeof command, "gunzip -c '%s' >'%s'", test_path("a.gz"),
                       test_path("a"));
        assert_int_equal(system(command), 0); // NOLINT: names of our own
        size_t size;
        char *text = file_text(test_path("a"), &size);
        assert_int_equal(size, counts[i]);
        assert_memory_equal(text, list, size);
        free(text);
        free(out.list);
    }
    free(list);
}

// Without memory for a writer there is none; without memory for threads the work is done by one.
static void test_no_memory(void **state)
{
    (void)state;
    unsigned char *list = make_bytes(KIND_AGAIN, MOST_BYTES);
    bytes expected = compress_bytes(list, MOST_BYTES, 1, 0);
    unsigned refused = 0, done = 0;
    for (uint64_t n = 1; n < 60; n++) {
        lc_gzip_writer *writer;
        bytes out = {0};
        lc_fail_allocation(n);
        const lc_status status = lc_gzip_writer_create(&writer, 3, append, &out);
        if (status != LC_OK) {
            assert_int_equal(status, LC_ERROR_MEMORY);
            assert_null(writer);
            refused++;
            continue;
        }
        lc_gzip_writer_write(writer, list, MOST_BYTES);
        assert_int_equal(lc_gzip_writer_finish(writer), LC_OK);
        lc_fail_allocation(0);
        lc_gzip_writer_destroy(&writer);
        assert_int_equal(out.count, expected.count);
        assert_memory_equal(out.list, expected.list, expected.count);
        free(out.list);
        done++;
    }
    lc_fail_allocation(0);
    assert_in_range(refused, 4, 20);
    assert_in_range(done, 30, 55);
    free(expected.list);
    free(list);
    lc_gzip_writer *none = NULL;
    lc_gzip_writer_destroy(&none);
    lc_gzip_writer_destroy(NULL);
}

// Should zlib fail, that is said, and nothing more is written.
static void test_zlib_fails(void **state)
{
    (void)state;
    unsigned char *list = make_bytes(KIND_AGAIN, MOST_BYTES);
    for (unsigned n = 1; n <= 35; n += 2) {
        lc_gzip_writer *writer;
        bytes out = {0};
        assert_int_equal(lc_gzip_writer_create(&writer, 1, append, &out), LC_OK);
        calls_to_failure = n;
        lc_gzip_writer_write(writer, list, MOST_BYTES);
        const lc_status status = lc_gzip_writer_finish(writer);
        calls_to_failure = 0;
        assert_int_equal(status, LC_ERROR_SYSTEM);
        lc_gzip_writer_destroy(&writer);
        free(out.list);
    }
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_threads),
        cmocka_unit_test(test_gunzip),     cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_zlib_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
