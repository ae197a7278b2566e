// Compresses on several threads.
//
// The input is split into blocks of one size. Each block is deflated separately, with the 32 KiB
// before it as dictionary, so little compression is lost. All blocks except the last end with an
// empty stored block (Z_SYNC_FLUSH), which ends at a byte boundary. So their concatenation is one
// deflate stream, in one member of a gzip file (RFC 1951, RFC 1952), which any program reads. pigz
// has done so since 2007. Block boundaries depend only on the number of bytes and on flushes, and
// so does the output.
//
//     input    [ history ][ block 0 ][ block 1 ] ...    a batch; history: 32 KiB before it
//     output              [ room 0  ][ room 1  ] ...    one room per block
//
// A batch is compressed when it is full and more bytes follow, so the last block is never empty,
// unless it is the only one. The buffers hold one block until that is full, because most files are
// small.
#include "file/gzip_writer.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "file/zlib_memory.h"

enum {
    HISTORY_BYTES = 32 * 1024, // deflate's window
    BLOCK_BYTES = 128 * 1024,
    BLOCKS_A_THREAD = 2, // so that threads wait little for the slowest
    MOST_THREADS = 32,   // no source of bytes needs more
    FLUSH_BYTES = 64,    // more than a flush adds to deflateBound
};

typedef struct result {
    size_t size_bytes; // 0: zlib failed
    uLong crc;         // of the block's input
} result;

struct lc_gzip_writer {
    lc_gzip_sink sink;
    void *context;
    int level;     // zlib level
    int threads;   // requested; 1 after grow_batch has asked for them
    lc_pool *pool; // NULL: only the caller's thread
    int stream_count;
    z_stream streams[MOST_THREADS]; // one per thread; zlib does not allow moving them
    size_t blocks;                  // per batch
    unsigned char *input;           // HISTORY_BYTES, then `blocks` times BLOCK_BYTES
    size_t used;                    // bytes in the batch
    size_t room_bytes;              // per block in `output`
    unsigned char *output;
    result *results;      // [blocks]
    bool has_begun;       // the first batch was compressed
    size_t history_bytes; // bytes of earlier batches, up to HISTORY_BYTES
    bool last;            // this is the last batch
    bool failed;
    uLong crc; // of all earlier batches
    uint32_t size_bytes;
};

// Adds streams up to `count`.
static bool add_streams(lc_gzip_writer *w, int count)
{
    while (w->stream_count < count) {
        z_stream *stream = &w->streams[w->stream_count];
        *stream = (z_stream){.zalloc = lc_zlib_alloc, .zfree = lc_zlib_free};
        if (deflateInit2(stream, w->level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
            return false;
        w->stream_count++;
    }
    return true;
}

// Enlarges the buffers for batches of `blocks` blocks. Returns false if memory is missing; buffers
// may have grown.
static bool make_buffers(lc_gzip_writer *w, size_t blocks)
{
    unsigned char *input = lc_realloc(w->input, HISTORY_BYTES + blocks * BLOCK_BYTES);
    w->input = input != NULL ? input : w->input;
    unsigned char *output = lc_realloc(w->output, blocks * w->room_bytes);
    w->output = output != NULL ? output : w->output;
    result *results = lc_realloc(w->results, blocks * sizeof *results);
    w->results = results != NULL ? results : w->results;
    return input != NULL && output != NULL && results != NULL;
}

lc_status lc_gzip_writer_create(lc_gzip_writer **out, int threads, lc_gzip_sink sink, void *context)
{
    *out = NULL;
    lc_gzip_writer *w = lc_calloc(1, sizeof *w);
    if (w == NULL)
        return LC_ERROR_MEMORY;
    w->sink = sink;
    w->context = context;
    w->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    w->blocks = 1;
    w->level = Z_DEFAULT_COMPRESSION;
    w->crc = crc32(0, NULL, 0);
    bool ready = add_streams(w, 1);
    if (ready) {
        w->room_bytes = deflateBound(&w->streams[0], BLOCK_BYTES) + FLUSH_BYTES;
        ready = make_buffers(w, 1);
    }
    if (!ready) {
        lc_gzip_writer_destroy(&w);
        return LC_ERROR_MEMORY;
    }
    *out = w;
    return LC_OK;
}

bool lc_gzip_writer_set_fast(lc_gzip_writer *w)
{
    w->level = Z_BEST_SPEED;
    return deflateParams(&w->streams[0], w->level, Z_DEFAULT_STRATEGY) == Z_OK;
}

static void compress_block(void *context, size_t index, int worker)
{
    lc_gzip_writer *w = context;
    z_stream *stream = &w->streams[worker];
    const size_t begin = index * BLOCK_BYTES;
    const size_t length = w->used - begin < BLOCK_BYTES ? w->used - begin : BLOCK_BYTES;
    unsigned char *from = w->input + HISTORY_BYTES + begin;
    const bool ends = w->last && begin + length == w->used;
    bool fine = deflateReset(stream) == Z_OK;
    const size_t known = index > 0 ? HISTORY_BYTES : w->history_bytes;
    if (known > 0)
        fine = fine && deflateSetDictionary(stream, from - known, (uInt)known) == Z_OK;
    stream->next_in = from;
    stream->avail_in = (uInt)length;
    stream->next_out = w->output + index * w->room_bytes;
    stream->avail_out = (uInt)w->room_bytes;
    // A flush is complete only if room is left.
    fine = fine && (ends ? deflate(stream, Z_FINISH) == Z_STREAM_END
                         : deflate(stream, Z_SYNC_FLUSH) == Z_OK && stream->avail_out > 0);
    w->results[index].size_bytes = fine ? w->room_bytes - stream->avail_out : 0;
    w->results[index].crc = crc32(crc32(0, NULL, 0), from, (uInt)length);
}

static void compress_batch(lc_gzip_writer *w)
{
    // No name and no time, so the same bytes give the same file.
    static const unsigned char head[] = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 3};
    const size_t count = w->used > 0 ? (w->used + BLOCK_BYTES - 1) / BLOCK_BYTES : 1;
    if (!w->has_begun)
        w->sink(w->context, head, sizeof head);
    if (w->pool != NULL)
        lc_pool_run(w->pool, count, compress_block, w);
    else
        for (size_t i = 0; i < count; i++)
            compress_block(w, i, 0);
    for (size_t i = 0; i < count && !w->failed; i++) {
        const result *r = &w->results[i];
        const size_t left = w->used - i * BLOCK_BYTES;
        w->failed = r->size_bytes == 0;
        w->sink(w->context, w->output + i * w->room_bytes, r->size_bytes);
        w->crc = crc32_combine(w->crc, r->crc, (z_off_t)(left < BLOCK_BYTES ? left : BLOCK_BYTES));
    }
    w->size_bytes += (uint32_t)w->used; // the format stores it modulo 2^32
    if (!w->last)
        memmove(w->input, w->input + w->used, HISTORY_BYTES);
    const size_t history = w->history_bytes + w->used;
    w->history_bytes = history < HISTORY_BYTES ? history : HISTORY_BYTES;
    w->has_begun = true;
    w->used = 0;
}

// Enlarges the batch for all threads. Without memory or threads, one thread continues block by
// block.
static void grow_batch(lc_gzip_writer *w)
{
    const size_t blocks = (size_t)w->threads * BLOCKS_A_THREAD;
    if (make_buffers(w, blocks) && add_streams(w, w->threads) &&
        lc_pool_create(&w->pool, w->threads) == LC_OK)
        w->blocks = blocks;
    w->threads = 1;
}

void lc_gzip_writer_write(lc_gzip_writer *w, const void *data, size_t size_bytes)
{
    const unsigned char *from = data;
    while (size_bytes > 0 && !w->failed) {
        if (w->used == w->blocks * BLOCK_BYTES && w->threads > 1)
            grow_batch(w);
        if (w->used == w->blocks * BLOCK_BYTES)
            compress_batch(w);
        const size_t room = w->blocks * BLOCK_BYTES - w->used;
        const size_t part = size_bytes < room ? size_bytes : room;
        memcpy(w->input + HISTORY_BYTES + w->used, from, part);
        w->used += part;
        from += part;
        size_bytes -= part;
    }
}

void lc_gzip_writer_flush(lc_gzip_writer *w)
{
    if (w->used > 0 && !w->failed)
        compress_batch(w);
}

lc_status lc_gzip_writer_finish(lc_gzip_writer *w)
{
    w->last = true;
    if (!w->failed)
        compress_batch(w);
    if (w->failed)
        return LC_ERROR_SYSTEM;
    unsigned char trailer[8];
    for (int i = 0; i < 4; i++) {
        trailer[i] = (unsigned char)(w->crc >> 8 * i);
        trailer[4 + i] = (unsigned char)(w->size_bytes >> 8 * i);
    }
    w->sink(w->context, trailer, sizeof trailer);
    return LC_OK;
}

void lc_gzip_writer_destroy(lc_gzip_writer **writer)
{
    if (writer == NULL || *writer == NULL)
        return;
    lc_gzip_writer *w = *writer;
    lc_pool_destroy(&w->pool);
    for (int i = 0; i < w->stream_count; i++)
        (void)deflateEnd(&w->streams[i]);
    lc_free(w->input);
    lc_free(w->output);
    lc_free(w->results);
    lc_free(w);
    *writer = NULL;
}
