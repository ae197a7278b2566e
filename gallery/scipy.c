// Byte a cell by NumPy and SciPy themselves, in a Python process.
//
// Source: Lorenzo Cappetti, "Game of Life: Performance Optimization with CUDA Parallelization"
// (2026), section 3: the sequential baseline. convolution.c is the same method in C.
//
//     this process                      python3 -c scipy_convolve.py
//     generations, cells  -- socket -->  neighbours = ndimage.convolve(cells, ring, mode="wrap")
//     time, cells        <-- socket --   masks of births and survivors, united
//
//                                        one byte a cell, 0 or 1, rows one after the other
//
// The time is the script's own, from perf_counter around the generations, with the garbage
// collector off: it includes neither starting Python nor moving the cells there and back.
//
// roll=1 is the baseline's fallback for machines without SciPy (which the script loads either way):
// the sum of eight shifted matrices, all NumPy. SciPy's convolution multiplies and adds in double
// precision, a cell at a time, whatever the type of the matrix; NumPy's additions are on vectors of
// bytes. So roll=1 is slower only on the smallest boards, and the document's table (1,024 x 1,024:
// 1.5 Gcells/s) looks like roll=1: measured with the same versions, NumPy 1.24 and SciPy 1.10, on
// one core of an EPYC (family 26), that board ran at 1.5 Gcells/s with roll=1 and at 0.15 by
// convolution.
//
// Bytes a cell: 26 (2 for the convolution, 24 for masks and their types); 65 with roll=1.
// Operations a cell: 26 (16 of the convolution, 10 for masks); 18 with roll=1.
// Knobs: roll (0: scipy.ndimage.convolve; 1: numpy.roll).
// Limits: a python3 with NumPy and SciPy has to be installed: the first in the path, the one in
// /usr/bin, or the one that LIGHTCONE_PYTHON names. One thread, however many there are.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_design.h"

extern char **environ;

enum { ROLL };

static const lc_knob knobs[] = {
    {"roll", "neighbours: 0 by scipy.ndimage.convolve, 1 by numpy.roll", 0, LC_KNOB_VALUES(0, 1)},
    {.name = NULL},
};

static const char ready[] = {'r', 'e', 'a', 'd', 'y'};

// A running script.
typedef struct script {
    pid_t process; // 0: none
    int socket;    // its standard input and output
    int errors;    // a file in memory: its standard error
} script;

// The process ------------------------------------------------------------------------------------

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

// Kills it, as it may be deep in a generation, and leaves neither a zombie nor open files; what it
// wrote to standard error stays.
static void end_process(script *s)
{
    close_file(&s->socket);
    if (s->process == 0)
        return;
    kill(s->process, SIGKILL);
    while (waitpid(s->process, NULL, 0) < 0 && errno == EINTR)
        ;
    s->process = 0;
}

static void stop(script *s)
{
    end_process(s);
    close_file(&s->errors);
}

// The last line that the script wrote to standard error: what a Python exception ends with.
static void last_line(const script *s, char *line, size_t line_bytes)
{
    const off_t size = lseek(s->errors, 0, SEEK_END);
    const off_t from = size > (off_t)line_bytes - 1 ? size - (off_t)line_bytes + 1 : 0;
    ssize_t length = size > 0 ? pread(s->errors, line, line_bytes - 1, from) : 0;
    while (length > 0 && line[length - 1] == '\n')
        length--;
    line[length > 0 ? length : 0] = '\0';
    const char *newline = strrchr(line, '\n');
    if (newline != NULL)
        memmove(line, newline + 1, strlen(newline));
}

// The script is no longer usable.
static lc_status fail(script *s, lc_message *message)
{
    char line[200];
    end_process(s);
    last_line(s, line, sizeof line);
    return lc_fail(message, LC_ERROR_SYSTEM, "the script of the design \"scipy\" ended%s%s",
                   line[0] != '\0' ? ": " : " early", line);
}

// A socket, not a pipe: a script that has died is then an error and not the signal SIGPIPE.
static bool send_all(const script *s, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        const ssize_t sent = send(s->socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        at += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool receive_all(const script *s, void *bytes, size_t size)
{
    for (char *at = bytes; size > 0;) {
        const ssize_t received = recv(s->socket, at, size, 0);
        if (received == 0 || (received < 0 && errno != EINTR))
            return false;
        at += received > 0 ? received : 0;
        size -= received > 0 ? (size_t)received : 0;
    }
    return true;
}

static int spawn(script *s, int their_end, char *const arguments[])
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    // The file was opened after the socket, so that its descriptor is neither 0 nor 1 even if this
    // process has no standard input or output.
    error = posix_spawn_file_actions_adddup2(&actions, their_end, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, their_end, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, s->errors, STDERR_FILENO);
    if (error == 0)
        error = posix_spawnp(&s->process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        s->process = 0;
    return error;
}

// A script for one board; returns when it is ready for orders.
static lc_status start(script *s, const char *interpreter, const lc_gallery_board *board,
                       lc_message *message)
{
    char width[24], height[24], roll[24], greeting[sizeof ready];
    snprintf(width, sizeof width, "%lld", (long long)board->width);
    snprintf(height, sizeof height, "%lld", (long long)board->height);
    snprintf(roll, sizeof roll, "%d", board->knob[ROLL]);
    char *const arguments[] = {
        (char *)interpreter,
        "-c",
        (char *)lc_gallery_text("scipy_convolve.py"),
        width,
        height,
        roll,
        NULL,
    };
    int ends[2];
    *s = (script){.socket = -1, .errors = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return lc_fail(message, LC_ERROR_SYSTEM, "no socket: %s", strerror(errno));
    s->socket = ends[0];
    s->errors = memfd_create("scipy", MFD_CLOEXEC);
    const int error = s->errors >= 0 ? spawn(s, ends[1], arguments) : errno;
    close(ends[1]);
    if (error != 0) {
        stop(s);
        return lc_fail(message, LC_ERROR_SYSTEM, "%s does not start: %s", interpreter,
                       strerror(error));
    }
    if (receive_all(s, greeting, sizeof greeting) && memcmp(greeting, ready, sizeof greeting) == 0)
        return LC_OK;
    lc_status status = fail(s, message);
    stop(s);
    return status;
}

// Which Python has them; looked for once in a process ---------------------------------------------

static struct {
    pthread_once_t once;
    const char *found; // NULL: none
} python = {.once = PTHREAD_ONCE_INIT};

// The first Python in the path may be the user's own, while the packages are installed for the
// system's. If lc_gallery_use named one, only that one is tried.
static void find_python(void)
{
    const char *const usual[] = {"python3", "/usr/bin/python3"};
    const char *const chosen[] = {lc_gallery_python()};
    const char *const *candidates = chosen[0] != NULL ? chosen : usual;
    const size_t count = chosen[0] != NULL ? 1 : sizeof usual / sizeof usual[0];
    const lc_gallery_board board = {.width = 1, .height = 1};
    for (size_t i = 0; i < count && python.found == NULL; i++) {
        script s;
        if (start(&s, candidates[i], &board, NULL) != LC_OK)
            continue;
        python.found = candidates[i];
        stop(&s);
    }
}

static const char *missing(void)
{
    pthread_once(&python.once, find_python);
    return python.found != NULL ? NULL : "python3 with numpy and scipy is not installed";
}

// Boards -----------------------------------------------------------------------------------------

static lc_status prepare(lc_cpu_run *run, lc_message *message)
{
    if (missing() != NULL)
        return lc_fail(message, LC_ERROR_UNSUPPORTED, "%s", missing());
    script *s = malloc(sizeof *s);
    if (s == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a script");
    lc_status status = start(s, python.found, &run->board, message);
    if (status != LC_OK) {
        free(s);
        return status;
    }
    run->own = s;
    return LC_OK;
}

static void release(lc_cpu_run *run)
{
    stop(run->own);
    free(run->own);
}

static lc_status step(lc_cpu_run *run, uint64_t generations, lc_message *message)
{
    script *s = run->own;
    const size_t size_bytes = (size_t)run->layout.size_bytes;
    uint64_t took_ns;
    if (!send_all(s, &generations, sizeof generations) || !send_all(s, run->cells, size_bytes) ||
        !receive_all(s, &took_ns, sizeof took_ns) || !receive_all(s, run->next, size_bytes))
        return fail(s, message);
    run->own_ns += (double)took_ns;
    lc_cpu_swap(run);
    return LC_OK;
}

static uint64_t extra_bytes(const lc_gallery_board *board)
{
    // The cells, their neighbours, and as many masks as exist at once.
    return 6 * (uint64_t)board->width * (uint64_t)board->height;
}

static void cost(const lc_gallery_board *board, double *bytes, double *operations)
{
    *bytes = board->knob[ROLL] != 0 ? 65 : 26;
    *operations = board->knob[ROLL] != 0 ? 18 : 26;
}

const lc_design lc_design_scipy = {
    .name = "scipy",
    .title = "byte a cell by NumPy and SciPy themselves, in a Python process",
    .source = "Cappetti 2026, section 3",
    .file = "scipy.c",
    .knobs = knobs,
    .one_thread = true,
    .layout = lc_gallery_byte_layout,
    .cost = cost,
    .cpu = &(const lc_cpu_design){.extra_bytes = extra_bytes,
                                  .prepare = prepare,
                                  .release = release,
                                  .missing = missing,
                                  .step = step},
};
