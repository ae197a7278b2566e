// Reads bytes from a file, standard input or memory, plain or gzip.
#include "file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/zlib_memory.h"

enum {
    BUFFER_BYTES = 128 * 1024, // fits in the L2 cache
    FIRST_BYTES = 4096,        // minimum of the first window, unless the input is shorter
    CONTROL_Z = 0x1a,
    MOST_HELD = 256, // maximum: old systems padded to blocks of 128 bytes
};

struct lc_inflater {
    z_stream stream;
    unsigned char *compressed;  // BUFFER_BYTES
    uint64_t compressed_offset; // offset of the bytes read so far
    bool member_open;           // within a gzip member
};

// Reads up to `capacity` bytes without decompressing. Returns false after recording an error.
static bool read_raw(lc_input *input, unsigned char *to, size_t capacity, size_t *got)
{
    if (input->descriptor < 0) {
        *got = capacity < input->memory_bytes ? capacity : input->memory_bytes;
        if (*got > 0) {
            memcpy(to, input->memory, *got);
            input->memory += *got;
            input->memory_bytes -= *got;
        }
        return true;
    }
    ssize_t count;
    do {
        count = read(input->descriptor, to, capacity);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        input->status = lc_fail(&input->message, LC_ERROR_IO, "cannot read: %s", strerror(errno));
        return false;
    }
    *got = (size_t)count;
    return true;
}

static bool gzip_damaged(lc_input *input, uint64_t offset, const char *what)
{
    const lc_inflater *inflater = input->inflater;
    input->status = lc_fail_at_byte(
        &input->message, LC_ERROR_FORMAT, offset, "%s at compressed byte %llu", what,
        (unsigned long long)(inflater->compressed_offset - inflater->stream.avail_in));
    input->message.line = input->line;
    return false;
}

// Inflates up to `capacity` bytes; *got is 0 only at the end. Returns false after recording an
// error.
static bool read_gzip(lc_input *input, unsigned char *to, size_t capacity, size_t *got)
{
    lc_inflater *inflater = input->inflater;
    z_stream *stream = &inflater->stream;
    stream->next_out = to;
    stream->avail_out = (uInt)capacity;
    *got = 0;
    while (stream->avail_out == (uInt)capacity) {
        if (stream->avail_in == 0) {
            size_t count;
            if (!read_raw(input, inflater->compressed, BUFFER_BYTES, &count))
                return false;
            if (count == 0) {
                if (inflater->member_open)
                    return gzip_damaged(input, input->end_offset, "the gzip data is cut short");
                return true;
            }
            stream->next_in = inflater->compressed;
            stream->avail_in = (uInt)count;
            inflater->compressed_offset += count;
        }
        if (!inflater->member_open) { // more members may follow, or zeros that pad a block
            while (stream->avail_in > 0 && *stream->next_in == 0) {
                stream->next_in++;
                stream->avail_in--;
            }
            if (stream->avail_in == 0)
                continue;
            (void)inflateReset(stream);
            inflater->member_open = true;
        }
        int result = inflate(stream, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            inflater->member_open = false;
        } else if (result == Z_MEM_ERROR) {
            input->status = lc_fail_memory(&input->message, "decompressing");
            return false;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return gzip_damaged(input, input->end_offset + (capacity - stream->avail_out),
                                "the gzip data is damaged");
        }
    }
    *got = capacity - stream->avail_out;
    return true;
}

// Adds the held bytes and `got` new ones to the window. Returns whether the window is larger. Some
// systems ended a text with control-Z bytes, so control-Z bytes at the end are held back until
// other bytes follow.
static bool extend_window(lc_input *input, size_t got)
{
    const unsigned char *const before = input->end;
    if (got == 0)
        return false;
    input->end += input->held + got;
    input->held = 0;
    for (; input->end > before && input->end[-1] == CONTROL_Z; input->end--)
        input->held++;
    if (input->held > MOST_HELD) {
        input->end += input->held;
        input->held = 0;
    }
    input->end_offset += (uint64_t)(input->end - before);
    return input->end > before;
}

bool lc_input_more(lc_input *input)
{
    if (input->at_end || input->status != LC_OK)
        return false;
    input->status = lc_check_give_up(&input->message);
    if (input->status != LC_OK)
        return false;
    do {
        const size_t kept = (size_t)(input->end - input->next) + input->held;
        if (kept > 0)
            memmove(input->buffer, input->next, kept);
        input->next = input->buffer;
        input->end = input->buffer + kept - input->held;
        const size_t room = BUFFER_BYTES - kept;
        size_t got;
        if (room == 0)
            return false;
        if (!(input->inflater != NULL ? read_gzip(input, input->buffer + kept, room, &got)
                                      : read_raw(input, input->buffer + kept, room, &got)))
            return false;
        input->at_end = got == 0;
        if (extend_window(input, got))
            return true;
    } while (!input->at_end);
    return false;
}

// Detects gzip and fills the first window.
static lc_status start(lc_input *input, lc_message *message)
{
    lc_status status;
    input->line = 1;
    input->cr_offset = UINT64_MAX;
    input->buffer = lc_malloc(BUFFER_BYTES);
    if (input->buffer == NULL)
        goto no_memory;
    size_t have = 0;
    while (have < FIRST_BYTES) {
        size_t got;
        if (!read_raw(input, input->buffer + have, BUFFER_BYTES - have, &got))
            goto failed;
        if (got == 0)
            break;
        have += got;
    }
    if (have >= 2 && input->buffer[0] == 0x1f && input->buffer[1] == 0x8b) {
        input->gzip = true;
        lc_inflater *inflater = lc_calloc(1, sizeof *inflater);
        if (inflater == NULL)
            goto no_memory;
        inflater->stream.zalloc = lc_zlib_alloc;
        inflater->stream.zfree = lc_zlib_free;
        if (inflateInit2(&inflater->stream, 16 + MAX_WBITS) != Z_OK) {
            lc_free(inflater);
            goto no_memory;
        }
        input->inflater = inflater;
        inflater->compressed = input->buffer;
        inflater->compressed_offset = have;
        inflater->stream.next_in = input->buffer;
        inflater->stream.avail_in = (uInt)have;
        inflater->member_open = true;
        input->buffer = lc_malloc(BUFFER_BYTES);
        if (input->buffer == NULL)
            goto no_memory;
        have = 0;
    }
    input->next = input->end = input->buffer;
    (void)extend_window(input, have);
    while ((size_t)(input->end - input->next) < FIRST_BYTES && lc_input_more(input)) {
    }
    if (input->status == LC_OK || input->end != input->next)
        return LC_OK; // an error after readable bytes is reported when the reader reaches it
failed:
    status = lc_input_end(input, message);
    lc_input_close(input);
    return status;
no_memory:
    status = lc_fail_memory(message, "opening a pattern");
    lc_input_close(input);
    return status;
}

lc_status lc_input_open(lc_input *input, const char *path, lc_message *message)
{
    *input = (lc_input){.descriptor = STDIN_FILENO};
    if (strcmp(path, "-") == 0)
        return start(input, message);
    do {
        input->descriptor = open(path, O_RDONLY | O_CLOEXEC);
    } while (input->descriptor < 0 && errno == EINTR);
    if (input->descriptor < 0)
        return lc_fail(message, LC_ERROR_IO, "cannot open: %s", strerror(errno));
    input->owns_descriptor = true;
    return start(input, message);
}

lc_status lc_input_open_memory(lc_input *input, const void *data, size_t size_bytes,
                               lc_message *message)
{
    *input = (lc_input){.descriptor = -1, .memory = data, .memory_bytes = size_bytes};
    return start(input, message);
}

void lc_input_close(lc_input *input)
{
    if (input->inflater != NULL) {
        (void)inflateEnd(&input->inflater->stream);
        lc_free(input->inflater->compressed);
        lc_free(input->inflater);
        input->inflater = NULL;
    }
    lc_free(input->buffer);
    input->buffer = NULL;
    if (input->owns_descriptor) {
        (void)close(input->descriptor);
        input->owns_descriptor = false;
    }
    input->next = input->end = NULL;
    input->at_end = true;
}

lc_status lc_input_finish(lc_input *input, lc_message *message)
{
    if (input->gzip)
        do {
            input->next = input->end;
        } while (lc_input_more(input));
    return lc_input_end(input, message);
}

lc_status lc_input_end(const lc_input *input, lc_message *message)
{
    return lc_fail_again(message, input->status, &input->message);
}

void lc_input_newline(lc_input *input, const unsigned char *at)
{
    uint64_t after = lc_input_offset(input, at) + 1;
    if (*at == '\r') {
        input->cr_offset = after;
        input->line++;
    } else if (input->cr_offset != after - 1) {
        input->line++;
    }
    input->line_offset = after;
}

bool lc_input_second_half(const lc_input *input)
{
    return input->next != input->end && *input->next == '\n' &&
           input->cr_offset == lc_input_offset(input, input->next);
}

bool lc_input_line(lc_input *input, char *text, size_t capacity, size_t *length, bool *cut,
                   uint64_t *line)
{
    if (lc_input_peek(input) < 0)
        return false;
    if (lc_input_second_half(input)) {
        lc_input_newline(input, input->next++);
        if (lc_input_peek(input) < 0)
            return false;
    }
    *line = input->line;
    *length = 0;
    *cut = false;
    for (int byte; (byte = lc_input_peek(input)) >= 0; input->next++) {
        if (byte == '\n' || byte == '\r') {
            text[*length] = '\0';
            lc_input_newline(input, input->next++);
            return true; // also if an error follows
        }
        if (byte == 0) {
            input->status = lc_input_fail(input, input->next, &input->message, LC_ERROR_FORMAT,
                                          "a NUL byte: this is not a text file");
            return false;
        }
        if (*length + 1 < capacity)
            text[(*length)++] = (char)byte;
        else
            *cut = true;
    }
    text[*length] = '\0';
    return input->status == LC_OK;
}

lc_status lc_input_fail(const lc_input *input, const unsigned char *at, lc_message *message,
                        lc_status status, const char *format, ...)
{
    char text[sizeof message->text];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uint64_t column = lc_input_offset(input, at) - input->line_offset + 1;
    return lc_fail_at_line(message, status, input->line, column, "%s", text);
}
