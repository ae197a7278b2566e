// Prints messages of the commands, and checks whether stdout accepted all output.
#include "message.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "shared_context.h"
#include "terminal_watch.h"

void lc_cli_print_text(FILE *stream, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, stream);
    }
}

static void print_line(const char *format, va_list arguments)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    lc_cli_progress_clear_line();
    lc_cli_watch_leave();
    fputs("lightcone: ", stderr);
    lc_cli_print_text(stderr, line);
    fputc('\n', stderr);
}

void lc_cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

const char *lc_cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *lc_cli_output_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

const char *lc_cli_limit_option(const lc_message *message)
{
    static const char begin[] = "out of memory: ";
    return strncmp(message->text, begin, sizeof begin - 1) == 0 &&
                   strstr(message->text, " limit ") != NULL
               ? " (--max-memory)"
               : "";
}

int lc_cli_report(const char *name, lc_status status, const lc_message *message)
{
    const char *text = message->text[0] != '\0' ? message->text : lc_status_text(status);
    const char *option = lc_cli_limit_option(message);
    if (name == NULL) {
        lc_cli_error("%s%s", text, option);
        return LC_EXIT_FAILURE;
    }
    if (message->line > 0 && message->column > 0)
        lc_cli_error("%s:%" PRIu64 ":%" PRIu64 ": %s", name, message->line, message->column, text);
    else if (message->line > 0)
        lc_cli_error("%s:%" PRIu64 ": %s", name, message->line, text);
    else if (message->offset > 0)
        lc_cli_error("%s: byte %" PRIu64 ": %s", name, message->offset, text);
    else
        lc_cli_error("%s: %s%s", name, text, option);
    return LC_EXIT_FAILURE;
}

int lc_cli_report_output(const char *path, lc_status status, const lc_message *message)
{
    if (strcmp(path, "-") == 0 && lc_cli_reader_left())
        return LC_EXIT_UNREAD;
    return lc_cli_report(lc_cli_output_name(path), status, message);
}

bool lc_cli_reader_left(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

int lc_cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    if (command != NULL)
        fprintf(stderr, "Try 'lightcone help %s'.\n", command);
    else
        fputs("Try 'lightcone help'.\n", stderr);
    return LC_EXIT_USAGE;
}

int lc_cli_refuse(const char *command, lc_status status, const lc_message *message)
{
    return status == LC_ERROR_ARGUMENT ? lc_cli_usage(command, "%s", message->text)
                                       : lc_cli_report(NULL, status, message);
}

static bool is_missing_here(const char *engine, const char *cpu_level)
{
    lc_engine_info info;
    lc_cpu_level_info level;
    if (engine != NULL && lc_engine_named(lc_cli_context(), engine, &info) && !info.available)
        return true;
    for (size_t i = 0; cpu_level != NULL && lc_cpu_level_at(i, &level); i++)
        if (strcmp(cpu_level, level.name) == 0)
            return !level.available;
    return false;
}

int lc_cli_refuse_universe(const char *command, const char *engine, const char *cpu_level,
                           lc_status status, const lc_message *message)
{
    return status == LC_ERROR_UNSUPPORTED && !is_missing_here(engine, cpu_level)
               ? lc_cli_usage(command, "%s", message->text)
               : lc_cli_refuse(command, status, message);
}

int lc_cli_refuse_text(const char *command, const char *option, const char *value,
                       const lc_message *message)
{
    if (message->column > 0) {
        return lc_cli_usage(command, "%s: \"%s\": column %" PRIu64 ": %s", option, value,
                            message->column, message->text);
    }
    return lc_cli_usage(command, "%s: \"%s\": %s", option, value, message->text);
}

void lc_cli_print_box(FILE *file, const char *label, const lc_wide_box *box)
{
    char x[LC_COORDINATE_TEXT_BYTES], y[LC_COORDINATE_TEXT_BYTES];
    char width[LC_COUNT_TEXT_BYTES], height[LC_COUNT_TEXT_BYTES];
    lc_coordinate_format(box->x, x);
    lc_coordinate_format(box->y, y);
    lc_count_format(box->width_cells, width);
    lc_count_format(box->height_cells, height);
    if (box->empty)
        fprintf(file, "%snone\n", label);
    else
        fprintf(file, "%s%s x %s at (%s, %s)\n", label, width, height, x, y);
}

int lc_cli_finish_stdout(int code)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (lc_cli_reader_left())
            return code == LC_EXIT_OK ? LC_EXIT_UNREAD : code;
        lc_cli_error("cannot write standard output: %s",
                     errno != 0 ? strerror(errno) : "an earlier write failed");
        return code == LC_EXIT_OK ? LC_EXIT_FAILURE : code;
    }
    return code;
}
