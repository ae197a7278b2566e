// The status that functions return, and the message that comes with an error.
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

// One list: name, value, text.
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

// Room for the longest sentence, with its terminator; longer ones are cut.
#define LC_MESSAGE_TEXT_BYTES 320

// Where and why something went wrong, for a person to read. Owned by the caller. A function that
// takes one fills it in when it returns an error; after LC_OK its contents mean nothing. NULL is
// always accepted in its place. A status that a caller's own sink or row source returned comes back
// without a sentence.
typedef struct lc_message {
    uint64_t line;   // 1-based line of text input, 0 if the place is not a line
    uint64_t column; // 1-based column (in bytes) on that line, 0 if unknown
    uint64_t offset; // byte offset in binary input (after decompression), 0 if unknown
    // One sentence, no trailing newline, always terminated. It repeats neither the path that the
    // function was given nor the place above: "PATH:LINE:COLUMN: " is for the caller to print.
    char text[LC_MESSAGE_TEXT_BYTES];
} lc_message;

#if defined(__GNUC__)
#define LC_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define LC_PRINTF(format_index, first)
#endif

// Writes the sentence, clears line, column and offset, and returns `status`, so that a function can
// end with `return lc_fail(message, LC_ERROR_IO, "cannot open: %s", strerror(errno));`. For the
// library, and for a program's own engines (lc_engine_add) and other parts. `message` may be NULL.
// Any thread.
LC_API lc_status lc_fail(lc_message *message, lc_status status, const char *format, ...)
    LC_PRINTF(3, 4);

// Sets what long calls of this thread ask from now on: reading patterns and timelines, loading
// them, writing and restoring checkpoints. It is called on this thread, some hundreds of times a
// second, and must not call the library's functions for what is being read or written. True: the
// call gives up. It leaves what it leaves after any other error, and returns LC_ERROR_STOPPED.
// NULL: nothing is asked, as at first. `context` is lent until the next call of this function.
typedef bool (*lc_give_up)(void *context);
LC_API void lc_set_give_up(lc_give_up asks, void *context);

// The name ("LC_ERROR_IO") and the meaning ("input or output failed") of a status. Static strings,
// never NULL. Any thread.
LC_API const char *lc_status_name(lc_status status);
LC_API const char *lc_status_text(lc_status status);

// The version of these headers. Until 1.0 the interface may change with the minor number, from then
// on with the major one. The number is larger for later versions: 0.1.0 is 100, 2.13.4 is 21304.
#define LC_VERSION_MAJOR 0
#define LC_VERSION_MINOR 1
#define LC_VERSION_PATCH 0
#define LC_VERSION_NUMBER (LC_VERSION_MAJOR * 10000 + LC_VERSION_MINOR * 100 + LC_VERSION_PATCH)

// The version of the library that the program runs with, "MAJOR.MINOR.PATCH". Static string. Any
// thread.
LC_API const char *lc_version(void);

#ifdef __cplusplus
}
#endif
#endif
