// The lightcone command: finds the subcommand and runs it.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "help.h"
#include "message.h"
#include "mpi_ranks.h"
#include "options.h"
#include "pattern_input.h"
#include "shared_context.h"

typedef struct command {
    const char *name;
    const char *summary;
    int (*main)(int argc, char **argv);
} command;

static int help(int argc, char **argv);
static int version(int argc, char **argv);

static const command commands[] = {
    {"run", "run a pattern or a soup", lc_cli_run},
    {"show", "draw a pattern in the terminal", lc_cli_show},
    {"info", "print the properties of a pattern file", lc_cli_info},
    {"identify", "find out what a pattern is", lc_cli_identify},
    {"census", "run many soups and count their objects", lc_cli_census},
    {"find", "search soups for an object or a long life", lc_cli_find},
    {"convert", "convert a pattern file to another format", lc_cli_convert},
    {"devices", "list engines, CPU levels and GPUs", lc_cli_devices},
    {"bench", "measure speed and compare it with this machine's limit", lc_cli_bench},
    {"gallery", "read, run and time published Game of Life designs", lc_cli_gallery},
    {"tune", "find and store the fastest plan for boards of a size on a GPU", lc_cli_tune},
#ifdef LC_VIEWER
    {"view", "watch, control and edit a universe in a browser", lc_cli_view},
#endif
    {"patterns", "list the built-in patterns", lc_cli_patterns},
    {"rules", "list named rules", lc_cli_rules},
    {"help", "explain a command", help},
    {"version", "print the version", version},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

// Returns the command with this name, or NULL if there is none.
static const command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

// Prints an error about the unknown command `name` and suggests the nearest command.
static int refuse_command(const char *name)
{
#ifndef LC_VIEWER
    if (strcmp(name, "view") == 0) {
        lc_cli_error("this lightcone was built without the viewer; one with it is built with "
                     "-DLC_VIEWER=ON, and needs libwebsockets and jansson");
        return LC_EXIT_FAILURE;
    }
#endif
    lc_cli_nearest nearest = {.word = name};
    for (int i = 0; i < COMMANDS; i++)
        lc_cli_nearest_try(&nearest, commands[i].name);
    return lc_cli_unknown(NULL, "command", &nearest, "'lightcone help' lists them");
}

static int version(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return lc_help_print(lc_help_version);
    if (argc > 1)
        return lc_cli_usage("version", "unexpected argument \"%s\"", argv[1]);
    printf("lightcone %s\n", lc_version());
    return LC_EXIT_OK;
}

static void print_overview(void)
{
    printf("lightcone %s: a fast engine for Conway's Game of Life and its relatives\n\n",
           lc_version());
    puts("lightcone COMMAND ...\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    puts("\n'lightcone help COMMAND' explains a command; 'man lightcone' is the manual.\n"
         "\n"
         "Examples\n"
         "  lightcone show acorn\n"
         "  lightcone run acorn -g 5206\n"
         "  lightcone run --soup 0.5 --size 4096x4096 -g 1000 -o soup.png");
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_overview();
        return LC_EXIT_OK;
    }
    if (argc == 3 && strcmp(argv[1], "gallery") == 0) {
        char *arguments[] = {"gallery", argv[2], "--help", NULL};
        return lc_cli_gallery(3, arguments);
    }
    if (argc > 2)
        return lc_cli_usage("help", "unexpected argument \"%s\"", argv[2]);
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
        return lc_help_print(lc_help_help);
    const command *found = find_command(argv[1]);
    if (found == NULL)
        return refuse_command(argv[1]);
    char *arguments[] = {argv[1], "--help", NULL};
    return found->main(2, arguments);
}

// Prints an error about a first word that is not a command. Users often type the name of a file as
// the first word and forget the command.
static int refuse_first_word(const char *word)
{
    struct stat facts;
    const char *what = NULL;
    if (strcmp(word, "-") == 0)
        what = "standard input";
    else if (stat(word, &facts) == 0 && !S_ISDIR(facts.st_mode))
        what = "a file";
    else if (lc_cli_is_built_in(word))
        what = strchr(word, '_') != NULL ? "an apgcode" : "a built-in pattern";
    if (what == NULL && lc_format_from_path(word, NULL) != LC_FORMAT_AUTO)
        return lc_cli_usage(NULL, "\"%s\" is neither a command nor a file", word);
    if (what == NULL)
        return refuse_command(word);
    if (find_command("view") == NULL) {
        return lc_cli_usage(NULL,
                            "\"%s\" is %s; a command comes first, as in 'lightcone run %s -g 1000'",
                            word, what, word);
    }
    return lc_cli_usage(NULL,
                        "\"%s\" is %s; a command comes first, as in 'lightcone run %s -g 1000' or "
                        "'lightcone view %s'",
                        word, what, word, word);
}

// Opens the file descriptors 0 to 2 if they are closed. If standard output (1) or standard error
// (2) stayed closed, a file opened later could get the descriptor 1 or 2, and printed output would
// go into the file. The descriptors are opened in the wrong mode, so that reading and writing fail
// as if the descriptors were closed.
static void occupy_standard_streams(void)
{
    const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) < 0)
            return; // opening another file will fail too and report the reason
}

static int run(int argc, char **argv)
{
    char *no_arguments[] = {"help", NULL};
    if (argc < 2) {
        char names[256] = "";
        size_t used = 0;
        for (int i = 0; i < COMMANDS; i++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                     commands[i].name);
        return lc_cli_usage(NULL, "missing command: %s", names);
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0 || strcmp(name, "-v") == 0)
        return lc_cli_finish_stdout(version(1, argv));
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return lc_cli_finish_stdout(help(1, no_arguments));
    if (name[0] == '-' && name[1] != '\0')
        return lc_cli_usage(NULL, "unknown option %s; a command comes first", name);
    const command *found = find_command(name);
    if (found == NULL)
        return refuse_first_word(name);
    return lc_cli_finish_stdout(found->main(argc - 1, argv + 1));
}

int main(int argc, char **argv)
{
    int code;
    occupy_standard_streams();
    // While SIGPIPE and SIGXFSZ are ignored, write() returns an error if a pipe is closed or a file
    // exceeds the size limit. After an error of write(), the command can still print a message and
    // return an exit code.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (lc_cli_ranks_begin(&code))
        return code;
    code = run(argc, argv);
    lc_cli_context_end();
    lc_cli_ranks_end();
    return code;
}
