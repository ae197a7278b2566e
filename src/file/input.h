// The bytes of a pattern, whatever they come from: a file, standard input or memory, plain or gzip.
//
// A reader sees one window of decompressed bytes and asks for more when it has used them up:
//
//        buffer                    next                     end
//          |   already read         |   not yet read         |   room for more
//          +------------------------+------------------------+-----------
//                                    <------- window ------->
//
// lc_input_more moves what is not yet read to the front and appends, so that a token which
// straddles two reads is seen whole. Memory is the buffer's size whatever the input says.
//
// Lines cost the hot loops nothing: a reader calls lc_input_newline at each line end that it meets
// anyway, and columns are worked out only when an error is reported.
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
    uint64_t line;        // 1-based, of the line that the last lc_input_newline began
    uint64_t line_offset; // where that line begins
    lc_status status;     // why no more can come, LC_OK at a proper end
    lc_message message;   // filled if status is an error
    bool gzip;

    // From here on only input.c.
    uint64_t cr_offset; // just behind the last carriage return
    unsigned char *buffer;
    int descriptor; // -1: memory
    bool owns_descriptor;
    bool at_end;
    size_t held;                 // bytes behind `end` that may be no part of the text
    const unsigned char *memory; // what is left of it
    size_t memory_bytes;
    lc_inflater *inflater;
} lc_input;

// Both fill the first window. On error there is nothing to close.
lc_status lc_input_open(lc_input *input, const char *path, lc_message *message);
lc_status lc_input_open_memory(lc_input *input, const void *data, size_t size_bytes,
                               lc_message *message);
void lc_input_close(lc_input *input);

// Enlarges the window. False: there is no more, or reading failed (input->status).
bool lc_input_more(lc_input *input);

// Reads a gzip stream to its end, so that damage behind the last cell is found too.
lc_status lc_input_finish(lc_input *input, lc_message *message);

// What a reader returns at the end of the window: LC_OK at a proper end, else the error met.
lc_status lc_input_end(const lc_input *input, lc_message *message);

// The byte at input->next, or -1 at the end (also after an error: see lc_input_end).
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

// Tells that a line end byte ('\n' or '\r') stands at `at` in the window. "\r\n" is one line end.
void lc_input_newline(lc_input *input, const unsigned char *at);

// Whether input->next is the '\n' of a "\r\n" whose '\r' was already told.
bool lc_input_second_half(const lc_input *input);

// Reads one line, without its end, into text[capacity], terminated. What does not fit is dropped
// and *length (the part kept) is then capacity - 1 and *cut is true. False: end or error. A NUL
// byte is an error. The line's number is *line.
bool lc_input_line(lc_input *input, char *text, size_t capacity, size_t *length, bool *cut,
                   uint64_t *line);

// An error at a place in the window.
lc_status lc_input_fail(const lc_input *input, const unsigned char *at, lc_message *message,
                        lc_status status, const char *format, ...) LC_PRINTF(5, 6);

#endif
