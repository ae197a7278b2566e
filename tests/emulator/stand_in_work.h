// What the parts of the stand-in driver share: work that is queued on streams, and what each call
// of the driver begins with.
//
// A stream is a list of operations, which are done, in order, when somebody waits for it. Any
// failure of a kernel stays, as with a real driver, until nobody uses the GPU any more.
#ifndef LC_TESTS_STAND_IN_WORK_H
#define LC_TESTS_STAND_IN_WORK_H

#include <stdint.h>

#include "emulator/stand_in.h"

typedef struct operation operation;

struct operation {
    operation *next;
    uint64_t serial;
    enum { COPY, FILL, LAUNCH, RECORD, WAIT, AWAIT } kind;
    void *to; // what to change, or the number that is awaited
    const void *from;
    void *staged; // what was at `from` when it was queued
    size_t size_bytes;
    unsigned char value;
    stand_in_launch launch;
    unsigned char argument_bytes[MOST_ARGUMENT_BYTES];
    CUevent event;
    uint64_t until; // what to wait for: an operation, or a number
    CUstream stream;
};

extern _Thread_local int stand_in_context_depth;
extern CUresult stand_in_sticky;

// One call at a time, from here to the end of the function.
#define ALONE __attribute__((cleanup(stand_in_unlock), unused)) const int locked = stand_in_lock()
int stand_in_lock(void);
void stand_in_unlock(const int *locked);

// Calls that need a context, and that a lost device no longer answers.
#define IN_CONTEXT                                                                                 \
    PLANNED;                                                                                       \
    ALONE;                                                                                         \
    do {                                                                                           \
        if (stand_in_context_depth == 0)                                                           \
            return ERROR_INVALID_CONTEXT;                                                          \
        if (stand_in_sticky)                                                                       \
            return stand_in_sticky;                                                                \
    } while (0)

// Queues a copy of an operation; stream NULL: the default one.
void stand_in_enqueue(CUstream stream, const operation *one);

// Whether a stream records a graph.
bool stand_in_records(CUstream stream);

// Does all that can be done; and what was queued on a stream, until it is done.
void stand_in_work_all(void);
void stand_in_finish(CUstream stream);

static inline void *host_address(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static inline bool on_gpu(CUdeviceptr address, size_t size_bytes)
{
    return stand_in_memory_has(STAND_IN_GPU, host_address(address), size_bytes);
}

#endif
