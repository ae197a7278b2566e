// Statuses that functions return, and messages that explain errors.
//
// Example:
//
//     lc_pattern *pattern;
//     const lc_status status = lc_pattern_open(&pattern, "glider.rle", &message);
//     if (status != LC_OK)
//         fprintf(stderr, "%s: %s\n", lc_status_text(status), message.text);
//     lc_pattern_close(&pattern); // also after an error.
//
// Threads: any thread may call these functions.
#ifndef LIGHTCONE_STATUS_H
#define LIGHTCONE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LC_API __attribute__((visibility("default")))
#else
#define LC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The list of all statuses: name, value, text.
#define LC_STATUS_LIST(X)                                                                          \
    X(LC_OK, 0, "success")                                                                         \
    X(LC_ERROR_ARGUMENT, -1, "invalid argument")                                                   \
    X(LC_ERROR_MEMORY, -2, "out of memory")                                                        \
    X(LC_ERROR_LIMIT, -3, "a limit was reached")                                                   \
    X(LC_ERROR_IO, -4, "input or output failed")                                                   \
    X(LC_ERROR_FORMAT, -5, "damaged or malformed input")                                           \
    X(LC_ERROR_UNSUPPORTED, -6, "not supported")                                                   \
    X(LC_ERROR_STOPPED, -7, "stopped on request")                                                  \
    X(LC_ERROR_MISMATCH, -8, "results differ")                                                     \
    X(LC_ERROR_SYSTEM, -9, "the operating system refused a request")                               \
    X(LC_ERROR_DEVICE, -10, "the GPU or its driver failed")

typedef enum lc_status {
#define LC_STATUS_ENUM(name, value, text) name = value,
    LC_STATUS_LIST(LC_STATUS_ENUM)
#undef LC_STATUS_ENUM
} lc_status;

// Bytes of the longest sentence in a message, including the terminator. Longer sentences are cut.
#define LC_MESSAGE_TEXT_BYTES 320

// A message explains an error to a person: it gives the reason and the place. The caller owns the
// message. A function that takes a message fills in the message when it returns an error. After
// LC_OK the contents of the message are undefined. Every function accepts NULL instead of a
// message. If the status came from the caller's own callback, the library writes no text into the
// message.
typedef struct lc_message {
    uint64_t line;   // line of text input, counted from 1; 0 if the place is not a line
    uint64_t column; // byte in the line, counted from 1; 0 if unknown
    uint64_t offset; // byte offset in binary input, after decompression; 0 if unknown
    // One sentence without a newline, always terminated. The sentence does not contain the path
    // that the caller passed, the line, the column or the offset. The caller prints
    // "PATH:LINE:COLUMN: " itself.
    char text[LC_MESSAGE_TEXT_BYTES];
} lc_message;

#if defined(__GNUC__)
#define LC_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define LC_PRINTF(format_index, first)
#endif

// Writes the sentence of a message, clears the message's line, column and offset, and returns
// `status`. A function can end with `return lc_fail(message, LC_ERROR_IO, "cannot open: %s",
// strerror(errno));`. The engines (lc_engine_add) and callbacks of a program may use lc_fail, as
// the library does. `message` may be NULL.
LC_API lc_status lc_fail(lc_message *message, lc_status status, const char *format, ...)
    LC_PRINTF(3, 4);

// Sets a callback that can stop long calls of this thread: calls that read or load patterns or
// timelines, or that write or restore checkpoints. During a long call, the library calls the
// callback on this thread, some hundreds of times per second. The callback must not use the objects
// that the long call works on. Return true to stop: the long call then behaves as after any other
// error, and returns LC_ERROR_STOPPED. `asks` NULL: no callback, the default. `context` must stay
// valid until the next call of lc_set_give_up on this thread.
typedef bool (*lc_give_up)(void *context);
LC_API void lc_set_give_up(lc_give_up asks, void *context);

// Return the name ("LC_ERROR_IO") and the meaning ("input or output failed") of a status. Static
// strings, never NULL.
LC_API const char *lc_status_name(lc_status status);
LC_API const char *lc_status_text(lc_status status);

// Version of these headers. Until version 1.0 an incompatible change raises the minor number. From
// version 1.0 on, an incompatible change raises the major number. LC_VERSION_NUMBER grows with
// every version: 0.1.0 is 100, 2.13.4 is 21304.
#define LC_VERSION_MAJOR 0
#define LC_VERSION_MINOR 1
#define LC_VERSION_PATCH 0
#define LC_VERSION_NUMBER (LC_VERSION_MAJOR * 10000 + LC_VERSION_MINOR * 100 + LC_VERSION_PATCH)

// Returns the version of the library that the program runs with, "MAJOR.MINOR.PATCH". Static
// string.
LC_API const char *lc_version(void);

#ifdef __cplusplus
}
#endif
#endif
