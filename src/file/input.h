// Reads the bytes of a pattern from a file, standard input or memory, plain or gzip.
//
// A reader sees one window of decompressed bytes and asks for more when it has used them:
//
//        buffer                    next                     end
//          |   already read         |   not yet read         |   free
//          +------------------------+------------------------+-----------
//                                    <------- window ------->
//
// lc_input_more moves the unread bytes to the front and appends, so a token across two reads is
// seen whole. The buffer's size is fixed, whatever the size of the input.
//
// Line counting does not slow the hot loops: a reader calls lc_input_newline at the line ends that
// it meets anyway, and columns are computed only for error messages.
#ifndef LC_FILE_INPUT_H
#define LC_FILE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lightcone/status.h"

typedef struct lc_inflater lc_inflater;

typedef struct lc_input {
    const unsigned char *next; // the window
    const unsigned char *end;
    uint64_t end_offset;  // decompressed offset of `end`
    uint64_t line;        // 1-based, of the line after the last lc_input_newline
    uint64_t line_offset; // offset of that line
    lc_status status;     // the reason why input ended; LC_OK at a regular end
    lc_message message;   // set if status is an error
    bool gzip;

    // Private to input.c.
    uint64_t cr_offset; // offset after the last carriage return
    unsigned char *buffer;
    int descriptor; // -1: memory
    bool owns_descriptor;
    bool at_end;
    size_t held;                 // bytes behind `end` that may not belong to the text
    const unsigned char *memory; // the unread rest
    size_t memory_bytes;
    lc_inflater *inflater;
} lc_input;

// Both fill the first window. After an error the caller closes nothing.
lc_status lc_input_open(lc_input *input, const char *path, lc_message *message);
lc_status lc_input_open_memory(lc_input *input, const void *data, size_t size_bytes,
                               lc_message *message);
void lc_input_close(lc_input *input);

// Enlarges the window. Returns false at the end of the input or after an error (input->status).
bool lc_input_more(lc_input *input);

// Reads a gzip stream to its end, so that damage behind the last cell is found too.
lc_status lc_input_finish(lc_input *input, lc_message *message);

// Returns LC_OK at a regular end, otherwise the recorded error and its message.
lc_status lc_input_end(const lc_input *input, lc_message *message);

// Returns the byte at input->next, or -1 at the end or after an error (lc_input_end tells them
// apart).
static inline int lc_input_peek(lc_input *input)
{
    if (input->next == input->end && !lc_input_more(input))
        return -1;
    return *input->next;
}

static inline uint64_t lc_input_offset(const lc_input *input, const unsigned char *at)
{
    return input->end_offset - (uint64_t)(input->end - at);
}

// Counts the line end byte ('\n' or '\r') at `at` in the window. "\r\n" is one line end.
void lc_input_newline(lc_input *input, const unsigned char *at);

// Returns whether input->next is the '\n' of a "\r\n" whose '\r' was already counted.
bool lc_input_second_half(const lc_input *input);

// Reads one line, without its end, into text[capacity] and terminates it. A longer line is cut to
// capacity - 1 bytes, and *cut is true. *length: bytes in `text`. *line: the line's number. Returns
// false at the end or on error. A NUL byte is an error.
bool lc_input_line(lc_input *input, char *text, size_t capacity, size_t *length, bool *cut,
                   uint64_t *line);

// Reports an error at a position in the window, with line and column.
lc_status lc_input_fail(const lc_input *input, const unsigned char *at, lc_message *message,
                        lc_status status, const char *format, ...) LC_PRINTF(5, 6);

#endif
