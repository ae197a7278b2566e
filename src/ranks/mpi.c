// Ranks that are the processes of an MPI job. It is compiled into a file of its own, loaded when a
// program was started by mpirun: who runs alone needs no MPI and does not wait for it.
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ranks/rank_calls.h"

// One message of MPI holds at most INT_MAX bytes.
#define MOST_BYTES (UINT64_C(1) << 30)

// Who waits for an order looks so often, and after a while as rarely as the other.
static const long least_pause_ns = 2000, longest_pause_ns = 200000;

static const long porter_pause_ns = 50000;

typedef struct mpi_ranks {
    lc_ranks base;
    MPI_Comm all;
    bool started; // MPI, by us
    MPI_Request *requests;
    int request_room;
    int posted;      // requests that are to be collected
    bool has_porter; // a thread that sees to them meanwhile,
    pthread_t porter;
    int porter_code; // and what came of it
} mpi_ranks;

LC_API lc_ranks_component lightcone_ranks_2;

static lc_status fail(lc_message *message, const char *what, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    (void)MPI_Error_string(code, text, &length);
    if (message != NULL) {
        *message = (lc_message){0};
        (void)snprintf(message->text, sizeof message->text, "MPI: %s: %.200s", what, text);
    }
    return LC_ERROR_IO;
}

static lc_status broadcast(lc_ranks *ranks, void *data, uint64_t bytes, lc_message *message)
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    MPI_Request request;
    int code = MPI_Ibcast(data, (int)bytes, MPI_BYTE, 0, r->all, &request), done = 0;
    long pause_ns = least_pause_ns;
    while (code == MPI_SUCCESS && !done) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && ranks->rank != 0) {
            (void)nanosleep(&(struct timespec){0, pause_ns}, NULL);
            pause_ns = 2 * pause_ns < longest_pause_ns ? 2 * pause_ns : longest_pause_ns;
        }
    }
    return code == MPI_SUCCESS ? LC_OK : fail(message, "an order did not arrive", code);
}

static lc_status gather(lc_ranks *ranks, const void *own, void *all, uint64_t bytes,
                        lc_message *message)
{
    const mpi_ranks *r = (mpi_ranks *)ranks;
    const int code = MPI_Gather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, 0, r->all);
    return code == MPI_SUCCESS ? LC_OK : fail(message, "answers did not arrive", code);
}

static lc_status least(lc_ranks *ranks, uint64_t *numbers, int count, lc_message *message)
{
    const mpi_ranks *r = (mpi_ranks *)ranks;
    const int code = MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_UINT64_T, MPI_MIN, r->all);
    return code == MPI_SUCCESS ? LC_OK : fail(message, "ranks could not agree", code);
}

static lc_status all_to_all(lc_ranks *ranks, const uint64_t *to, uint64_t *from,
                            lc_message *message)
{
    const mpi_ranks *r = (mpi_ranks *)ranks;
    const int code = MPI_Alltoall(to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, r->all);
    return code == MPI_SUCCESS ? LC_OK : fail(message, "ranks could not agree", code);
}

static bool make_room(mpi_ranks *r, uint64_t requests)
{
    if (requests <= (uint64_t)r->request_room)
        return true;
    if (requests > INT32_MAX / sizeof *r->requests)
        return false;
    MPI_Request *larger = realloc(r->requests, requests * sizeof *larger);
    if (larger == NULL)
        return false;
    r->requests = larger;
    r->request_room = (int)requests;
    return true;
}

static uint64_t pieces_of(const lc_rank_buffer *buffers, int count)
{
    uint64_t pieces = 0;
    for (int i = 0; i < count; i++)
        pieces += (buffers[i].bytes + MOST_BYTES - 1) / MOST_BYTES;
    return pieces;
}

// Begins to send or to receive, in pieces; *used counts the requests.
static int begin(mpi_ranks *r, const lc_rank_buffer *buffer, bool out, int *used)
{
    int code = MPI_SUCCESS;
    for (uint64_t at = 0; at < buffer->bytes && code == MPI_SUCCESS; at += MOST_BYTES) {
        const uint64_t rest = buffer->bytes - at;
        const int bytes = (int)(rest < MOST_BYTES ? rest : MOST_BYTES);
        char *data = (char *)buffer->data + at;
        MPI_Request *request = &r->requests[(*used)++];
        code = out ? MPI_Isend(data, bytes, MPI_BYTE, buffer->rank, 0, r->all, request)
                   : MPI_Irecv(data, bytes, MPI_BYTE, buffer->rank, 0, r->all, request);
    }
    return code;
}

static int begin_all(mpi_ranks *r, const lc_rank_buffer *out, int out_count,
                     const lc_rank_buffer *in, int in_count, int *used)
{
    int code = MPI_SUCCESS;
    *used = 0;
    if (!make_room(r, pieces_of(out, out_count) + pieces_of(in, in_count)))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < in_count && code == MPI_SUCCESS; i++)
        code = begin(r, &in[i], false, used);
    for (int i = 0; i < out_count && code == MPI_SUCCESS; i++)
        code = begin(r, &out[i], true, used);
    return code;
}

static lc_status say(int code, lc_message *message)
{
    return code == MPI_SUCCESS ? LC_OK : fail(message, "cells did not arrive", code);
}

static lc_status exchange(lc_ranks *ranks, const lc_rank_buffer *out, int out_count,
                          const lc_rank_buffer *in, int in_count, lc_message *message)
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    int used;
    int code = begin_all(r, out, out_count, in, in_count, &used);
    if (code == MPI_SUCCESS)
        code = MPI_Waitall(used, r->requests, MPI_STATUSES_IGNORE);
    return say(code, message);
}

// MPI moves large messages only while somebody calls it. It is looked in on now and then, since the
// CPUs have something better to do.
static void *carry(void *context)
{
    mpi_ranks *r = context;
    int done = 0;
    r->porter_code = MPI_SUCCESS;
    while (r->porter_code == MPI_SUCCESS && !done) {
        r->porter_code = MPI_Testall(r->posted, r->requests, &done, MPI_STATUSES_IGNORE);
        if (!done)
            (void)nanosleep(&(struct timespec){0, porter_pause_ns}, NULL);
    }
    return NULL;
}

static lc_status begin_exchange(lc_ranks *ranks, const lc_rank_buffer *out, int out_count,
                                const lc_rank_buffer *in, int in_count, lc_message *message)
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    const int code = begin_all(r, out, out_count, in, in_count, &r->posted);
    if (code == MPI_SUCCESS) // without a thread they are moved when they are collected
        r->has_porter = r->posted > 0 && pthread_create(&r->porter, NULL, carry, r) == 0;
    return say(code, message);
}

static lc_status end_exchange(lc_ranks *ranks, lc_message *message)
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    const bool had_porter = r->has_porter;
    if (had_porter)
        (void)pthread_join(r->porter, NULL);
    r->has_porter = false;
    return say(had_porter ? r->porter_code
                          : MPI_Waitall(r->posted, r->requests, MPI_STATUSES_IGNORE),
               message);
}

static void close_ranks(lc_ranks *ranks)
{
    mpi_ranks *r = (mpi_ranks *)ranks;
    if (r->all != MPI_COMM_NULL)
        (void)MPI_Comm_free(&r->all);
    if (r->started)
        (void)MPI_Finalize();
    free(r->requests);
    free(r);
}

static int join(mpi_ranks *r)
{
    int started = 0, level;
    MPI_Comm here;
    int code = MPI_Initialized(&started);
    if (code == MPI_SUCCESS && !started) {
        code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
        r->started = code == MPI_SUCCESS;
    }
    if (code == MPI_SUCCESS)
        code = MPI_Comm_dup(MPI_COMM_WORLD, &r->all);
    if (code != MPI_SUCCESS)
        return code;
    (void)MPI_Comm_set_errhandler(r->all, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(r->all, &r->base.rank);
    (void)MPI_Comm_size(r->all, &r->base.count);
    code = MPI_Comm_split_type(r->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    if (code == MPI_SUCCESS) {
        (void)MPI_Comm_rank(here, &r->base.rank_here);
        (void)MPI_Comm_size(here, &r->base.count_here);
        code = MPI_Comm_free(&here);
    }
    return code;
}

lc_status lightcone_ranks_2(lc_ranks **out, lc_message *message)
{
    *out = NULL;
    mpi_ranks *r = calloc(1, sizeof *r);
    if (r == NULL)
        return LC_ERROR_MEMORY;
    r->all = MPI_COMM_NULL;
    r->base = (lc_ranks){.broadcast = broadcast,
                         .gather = gather,
                         .least = least,
                         .all_to_all = all_to_all,
                         .exchange = exchange,
                         .begin_exchange = begin_exchange,
                         .end_exchange = end_exchange,
                         .close = close_ranks};
    const int code = join(r);
    if (code != MPI_SUCCESS) {
        const lc_status status = fail(message, "the job cannot be joined", code);
        close_ranks(&r->base);
        return status;
    }
    *out = &r->base;
    return LC_OK;
}
