// Work that is queued (stand_in_work.h): streams, events, graphs.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/stand_in_work.h"

typedef struct queue {
    operation *first;
    operation **end;
} queue;

struct CUstream_st {
    struct CUstream_st *next;
    queue work;
    struct CUgraph_st *recording;
};

struct CUgraph_st {
    queue work;
};

struct CUgraphExec_st {
    queue work;
};

struct CUevent_st {
    uint64_t serial; // of the operation that records it; 0: none does
    uint64_t done;   // the last of those that were done
    CUstream stream;
    double when; // milliseconds
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
_Thread_local int stand_in_context_depth;
CUresult stand_in_sticky;
static struct CUstream_st default_stream;
static CUstream streams = &default_stream;
static uint64_t last_serial;

int stand_in_lock(void)
{
    return pthread_mutex_lock(&mutex);
}

void stand_in_unlock(const int *locked)
{
    (void)locked;
    pthread_mutex_unlock(&mutex);
}

static void append(queue *work, operation *one)
{
    if (work->first == NULL)
        work->end = &work->first;
    one->next = NULL;
    *work->end = one;
    work->end = &one->next;
}

static operation *take(queue *work)
{
    operation *one = work->first;
    if (one != NULL)
        work->first = one->next;
    return one;
}

static void drop(operation *one)
{
    free(one->staged);
    free(one);
}

static void drop_all(queue *work)
{
    for (operation *one; (one = take(work)) != NULL;)
        drop(one);
}

static operation *duplicate(const operation *one)
{
    operation *copy = malloc(sizeof *copy);
    *copy = *one;
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) { // the pointers go into the copy
        if (one->launch.arguments[i] != NULL)
            copy->launch.arguments[i] =
                copy->argument_bytes +
                ((unsigned char *)one->launch.arguments[i] - one->argument_bytes);
    }
    return copy;
}

static void perform(operation *one)
{
    switch (one->kind) {
    case COPY:
        memmove(one->to, one->staged != NULL ? one->staged : one->from, one->size_bytes);
        break;
    case FILL:
        memset(one->to, one->value, one->size_bytes);
        break;
    case LAUNCH:
        stand_in_sticky = stand_in_run(&one->launch);
        break;
    case RECORD:
        one->event->when = stand_in_milliseconds();
        one->event->done = one->serial;
        break;
    default: // it had to come first, and did
        break;
    }
}

static bool work_through(CUstream stream, uint64_t until);

static bool may_begin(const operation *one)
{
    if (stand_in_sticky)
        return true;
    if (one->kind == WAIT)
        return work_through(one->stream, one->until);
    return one->kind != AWAIT || (int64_t)(*(const uint64_t *)one->to - one->until) >= 0;
}

// Does what was queued up to this operation; false: as far as it could, since one waits for
// something that is not there yet.
static bool work_through(CUstream stream, uint64_t until)
{
    while (stream->work.first != NULL && stream->work.first->serial <= until) {
        if (!may_begin(stream->work.first))
            return false;
        operation *one = take(&stream->work);
        if (!stand_in_sticky)
            perform(one);
        drop(one);
    }
    return true;
}

void stand_in_work_all(void)
{
    for (CUstream stream = streams; stream != NULL; stream = stream->next)
        (void)work_through(stream, UINT64_MAX);
}

// Until it is done. What it waits for may be queued on other streams, or be another thread's to
// queue.
static void wait_for(CUstream stream, uint64_t until)
{
    static const int most_ms = 20000;
    for (int ms = 0; !work_through(stream, until); ms++) {
        stand_in_work_all();
        if (work_through(stream, until))
            return;
        if (ms == most_ms) {
            stand_in_explain("nobody writes the number that a stream waits for");
            stand_in_sticky = CUDA_ERROR_LAUNCH_TIMEOUT;
        }
        pthread_mutex_unlock(&mutex);
        usleep(1000);
        pthread_mutex_lock(&mutex);
    }
}

static CUstream stream_of(CUstream handle)
{
    return handle != NULL ? handle : &default_stream;
}

void stand_in_enqueue(CUstream handle, const operation *one)
{
    CUstream stream = stream_of(handle);
    operation *copy = duplicate(one);
    copy->serial = ++last_serial;
    append(stream->recording != NULL ? &stream->recording->work : &stream->work, copy);
}

bool stand_in_records(CUstream stream)
{
    return stream_of(stream)->recording != NULL;
}

void stand_in_finish(CUstream stream)
{
    wait_for(stream_of(stream), UINT64_MAX);
}

// ---- streams and events -------------------------------------------------------------------------

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    IN_CONTEXT;
    *stream = calloc(1, sizeof **stream);
    (*stream)->next = streams;
    streams = *stream;
    return flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    ALONE;
    stand_in_work_all(); // others may wait for this one
    for (CUstream *at = &streams; *at != NULL; at = &(*at)->next) {
        if (*at == stream) {
            *at = stream->next;
            free(stream);
            return CUDA_SUCCESS;
        }
    }
    return ERROR_INVALID_VALUE;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    CUresult failure = stand_in_planned(__func__);
    ALONE;
    if (failure)
        stand_in_sticky = failure;
    if (stand_in_context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    if (stand_in_records(stream))
        return ERROR_CAPTURE_UNSUPPORTED;
    stand_in_finish(stream);
    return stand_in_sticky;
}

CUresult cuStreamQuery(CUstream stream)
{
    CUresult failure = stand_in_planned(__func__);
    ALONE;
    if (failure)
        stand_in_sticky = failure;
    if (stand_in_context_depth == 0)
        return ERROR_INVALID_CONTEXT;
    stand_in_work_all(); // a GPU does not need to be asked
    const bool done = work_through(stream_of(stream), UINT64_MAX);
    return stand_in_sticky ? stand_in_sticky : done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                unsigned int flags)
{
    IN_CONTEXT;
    if (!on_gpu(address, sizeof value) || address % sizeof value != 0 ||
        flags != CU_STREAM_WAIT_VALUE_GEQ)
        return ERROR_INVALID_VALUE;
    if (stand_in_records(stream))
        return ERROR_CAPTURE_UNSUPPORTED;
    operation await = {.kind = AWAIT, .to = host_address(address), .until = value};
    stand_in_enqueue(stream, &await);
    return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    IN_CONTEXT;
    if (event == NULL || flags != 0)
        return ERROR_INVALID_VALUE;
    if (stand_in_records(stream))
        return ERROR_CAPTURE_UNSUPPORTED;
    if (event->serial > event->done && event->stream != stream_of(stream)) {
        operation wait = {.kind = WAIT, .stream = event->stream, .until = event->serial};
        stand_in_enqueue(stream, &wait);
    }
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    IN_CONTEXT;
    *event = calloc(1, sizeof **event);
    return flags == CU_EVENT_DEFAULT ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    ALONE;
    stand_in_work_all();
    free(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    IN_CONTEXT;
    if (stand_in_records(stream))
        return ERROR_CAPTURE_UNSUPPORTED;
    operation record = {.kind = RECORD, .event = event};
    stand_in_enqueue(stream, &record);
    event->serial = last_serial;
    event->stream = stream_of(stream);
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    IN_CONTEXT;
    if (event->serial == 0)
        return ERROR_INVALID_VALUE;
    if (event->done < event->serial)
        wait_for(event->stream, event->serial);
    return stand_in_sticky;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    IN_CONTEXT;
    if (start->serial == 0 || end->serial == 0)
        return ERROR_INVALID_VALUE;
    if (start->done < start->serial || end->done < end->serial)
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)(end->when - start->when);
    return CUDA_SUCCESS;
}

// ---- graphs -------------------------------------------------------------------------------------

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    IN_CONTEXT;
    if (stream == NULL || stream->recording != NULL)
        return ERROR_CAPTURE_UNSUPPORTED;
    stream->recording = calloc(1, sizeof *stream->recording);
    return mode == CU_STREAM_CAPTURE_MODE_RELAXED ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    IN_CONTEXT;
    *graph = stream->recording;
    stream->recording = NULL;
    return *graph != NULL ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags)
{
    IN_CONTEXT;
    *executable = calloc(1, sizeof **executable);
    for (const operation *one = graph->work.first; one != NULL; one = one->next)
        append(&(*executable)->work, duplicate(one));
    return flags == 0 ? CUDA_SUCCESS : ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    ALONE;
    drop_all(&graph->work);
    free(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable)
{
    ALONE;
    drop_all(&executable->work);
    free(executable);
    return CUDA_SUCCESS;
}

#ifndef FAKE_IS_OLD
CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream)
{
    IN_CONTEXT;
    for (const operation *one = executable->work.first; one != NULL; one = one->next)
        stand_in_enqueue(stream, one);
    return CUDA_SUCCESS;
}
#endif
