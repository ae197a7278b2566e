// `lightcone view`: shows a universe in a browser.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "drawings.h"
#include "formats.h"
#include "message.h"
#include "qr.h"
#include "signals.h"
#include "start.h"
#include "viewer.h"

enum { TOKEN_BYTES = 16 };

// How long the command waits for the universe's thread at the end. If the command must save the
// universe, the command waits longer, because the cells could be lost.
static const uint64_t patience_ns = 2000000000, long_patience_ns = 20000000000;

// Creates the first universe again after a reset.
static lc_status reopen(void *context, lc_universe **out, lc_message *message)
{
    const char *name;
    lc_run_options options = *(const lc_run_options *)context;
    options.quiet = true; // notes about the file were printed at the start
    return lc_start(&options, out, NULL, &name, message);
}

static bool stopped(void)
{
    return lc_signals_received() != 0;
}

static bool is_loopback(const char *address)
{
    return address == NULL || strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
           strcmp(address, "localhost") == 0;
}

// Makes an unpredictable token. Returns false if the system has no random numbers.
static bool make_token(char token[2 * TOKEN_BYTES + 1])
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

// Checks whether the folder of --patterns exists. Prints an error if the folder does not exist.
static bool is_folder(const char *path)
{
    struct stat facts;
    const bool exists = stat(path, &facts) == 0;
    if (exists && S_ISDIR(facts.st_mode))
        return true;
    lc_cli_error("--patterns: %s: %s", path, strerror(exists ? ENOTDIR : errno));
    return false;
}

// Finds the default folder of the user's patterns. Returns false if HOME is not set or the path is
// too long.
static bool find_patterns(char *path, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    if (data != NULL && *data == '/')
        return snprintf(path, size, "%s/lightcone/patterns", data) < (int)size;
    return home != NULL &&
           snprintf(path, size, "%s/.local/share/lightcone/patterns", home) < (int)size;
}

// Opens the page in the user's browser if there is a display. If the browser does not start, the
// command reports no error, because the command also prints the address.
static void open_browser(const char *url)
{
    const char *opener = getenv("BROWSER");
    if (opener == NULL || *opener == '\0') {
        opener = "xdg-open";
        if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
            return;
    }
    pid_t child = fork();
    if (child == 0) {
        // The browser runs as a grandchild process, so that this process need not wait for the
        // browser. The browser prints nothing on this terminal, and Ctrl-C does not end the
        // browser.
        if (fork() == 0) {
            setsid();
            if (freopen("/dev/null", "w", stdout) != NULL &&
                freopen("/dev/null", "w", stderr) != NULL)
                execlp(opener, opener, url, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

// Prints the addresses, one per line. `word` precedes the first address.
static void print_addresses(FILE *file, const lc_viewer *viewer, bool watch, const char *word)
{
    const char *url;
    for (size_t i = 0; (url = lc_viewer_url(viewer, i, watch)) != NULL; i++)
        fprintf(file, "%-14s%s\n", i == 0 ? word : "  or", url);
}

static void greet(const lc_run_options *options, const lc_viewer *viewer)
{
    int port = lc_viewer_port(viewer);
    if (options->quiet)
        return;
    // If the universe is saved to standard output, messages go to standard error.
    const bool taken = options->output != NULL && strcmp(options->output, "-") == 0;
    FILE *file = taken ? stderr : stdout;
    print_addresses(file, viewer, false, "open");
    print_addresses(file, viewer, true, "only watch");
    if (is_loopback(options->view.bind) && *options->view.origin == '\0') {
        char host[256] = "HOST";
        gethostname(host, sizeof host - 1);
        fprintf(file, "from afar     ssh -L %d:localhost:%d %s, then the same address\n", port,
                port, host);
    }
    fprintf(file, "stop          Ctrl-C%s\n",
            options->output != NULL || options->checkpoint != NULL ? ", which saves" : "");
    // The QR code lets people open the page on another device, such as a telephone.
    const bool for_others = !is_loopback(options->view.bind) || *options->view.origin != '\0';
    const bool can_watch = lc_viewer_url(viewer, 0, true) != NULL;
    if (options->view.qr || (for_others && isatty(fileno(file))))
        lc_cli_print_qr(file, lc_viewer_url(viewer, 0, can_watch));
    fflush(file);
}

// Saves the universe. If the output cannot be written, saves a checkpoint beside the output,
// because drawings must not be lost.
static int save(const lc_run_options *options, const lc_universe *universe)
{
    lc_message message = {0};
    char path[PATH_MAX];
    bool unsaved = false;
    int code = LC_EXIT_OK;
    if (options->output != NULL) {
        lc_status status =
            lc_universe_save(universe, options->output, options->output_format, &message);
        if (status != LC_OK) {
            code = lc_cli_report_output(options->output, status, &message);
            unsaved = true;
        }
    }
    if (options->checkpoint != NULL) {
        lc_status status = lc_universe_checkpoint(universe, options->checkpoint, &message);
        if (status != LC_OK) {
            code = lc_cli_report(options->checkpoint, status, &message);
        } else if (unsaved) {
            lc_cli_error("the universe was saved in the checkpoint %s", options->checkpoint);
            unsaved = false;
        }
    }
    if (unsaved && lc_cli_name_rescue(options->output, path)) {
        lc_status status = lc_universe_checkpoint(universe, path, &message);
        if (status != LC_OK)
            return lc_cli_report(path, status, &message);
        lc_cli_error("the universe was saved in the checkpoint %s", path);
    }
    return code;
}

// Returns the universe's name without folders, because people who watch need not know the folders.
static const char *name_universe(const lc_run_options *options)
{
    if (options->input == NULL)
        return options->soup ? "soup" : "a new universe";
    const char *slash = strrchr(options->input, '/');
    return slash != NULL ? slash + 1 : lc_cli_input_name(options->input);
}

static int serve(const lc_run_options *options, const lc_viewer_options *viewer_options,
                 lc_universe *universe)
{
    lc_message message = {0};
    lc_viewer *viewer;
    int code = LC_EXIT_OK;
    const lc_universe_info info = lc_universe_info_of(universe);
    if (*info.engine_note != '\0')
        lc_cli_error("%s", info.engine_note);
    lc_status status = LC_OK;
    if (options->output != NULL) {
        status = lc_universe_check_save(universe, lc_count_of(0), options->output,
                                        options->output_format, &message);
    }
    if (status != LC_OK) {
        lc_universe_destroy(&universe);
        return lc_cli_report(lc_cli_output_name(options->output), status, &message);
    }
    status = lc_viewer_create(&viewer, viewer_options, universe, &message);
    if (status != LC_OK) {
        lc_universe_destroy(&universe);
        return lc_cli_refuse("view", status, &message);
    }
    lc_signals_catch();
    greet(options, viewer);
    if (options->view.opens)
        open_browser(lc_viewer_url(viewer, 0, false));
    status = lc_viewer_serve(viewer, stopped, &message);
    if (status != LC_OK)
        code = lc_cli_report(NULL, status, &message);
    const bool saves = options->output != NULL || options->checkpoint != NULL;
    if (!lc_viewer_end(viewer, saves ? long_patience_ns : patience_ns)) {
        // The viewer's thread still uses the universe and may hold locks, so nothing can be saved
        // or freed.
        lc_cli_error("the universe does not answer, so nothing of it could be saved%s",
                     saves ? ": the files that were asked for are as they were" : "");
        _exit(LC_EXIT_FAILURE);
    }
    universe = lc_viewer_release(viewer);
    const bool is_drawing = lc_viewer_is_unsaved(viewer) && !saves;
    char name[256];
    snprintf(name, sizeof name, "%s", lc_viewer_name(viewer));
    lc_viewer_destroy(&viewer);
    if (lc_universe_failure(universe, &message) != LC_OK) {
        code = LC_EXIT_FAILURE; // the page has shown the error, and nothing can be saved
        lc_cli_error("%s", message.text);
    } else {
        int saved = is_drawing ? lc_cli_keep_drawing(universe, name) : save(options, universe);
        code = saved != LC_EXIT_OK ? saved : code;
    }
    lc_universe_destroy(&universe);
    return code;
}

int lc_cli_view(int argc, char **argv)
{
    lc_run_options options;
    char token[2 * TOKEN_BYTES + 1];
    char folder[4096];
    int code;
    if (!lc_run_options_parse(&options, "view", NULL, argc, argv, &code))
        return code;
    if (options.view.patterns != NULL && !is_folder(options.view.patterns))
        return LC_EXIT_FAILURE;
    const char *outputs[] = {options.output, options.checkpoint};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && code == LC_EXIT_OK; i++)
        if (outputs[i] != NULL)
            code = lc_cli_check_output("view", outputs[i]);
    if (code != LC_EXIT_OK)
        return code;
    options.every_generation = true; // people who watch want to see each generation
    options.frame.begins = true;     // people want to see a timeline from its start
    if (options.disk_exists && options.view.starts)
        return lc_cli_usage("view", "--start: a board on disk is only looked at; 'lightcone run' "
                                    "steps it");
    lc_universe_options creation = lc_start_options(&options);
    creation.disk = creation.disk_settings = NULL; // clients open universes in memory, not on disk
    lc_viewer_options viewer = {
        .address = options.view.bind,
        .port = options.view.port,
        .more_ports = options.view.more_ports,
        .token = options.view.token,
        .watch_token = options.view.watch_token,
        .origin = *options.view.origin != '\0' ? options.view.origin : NULL,
        .patterns_folder = options.view.patterns,
        .temporary_folder = getenv("TMPDIR"),
        .name = name_universe(&options),
        .running = options.view.starts,
        .speed = options.speed,
        .creation = creation,
        // Standard input can be read only once.
        .reopen = options.input != NULL && strcmp(options.input, "-") == 0 ? NULL : reopen,
        .context = &options,
    };
    if (options.view.qr && !lc_cli_has_qr())
        return lc_cli_usage("view", "--qr: this lightcone was built without libqrencode");
    if (viewer.token != NULL && viewer.watch_token != NULL &&
        strcmp(viewer.token, viewer.watch_token) == 0)
        return lc_cli_usage("view", "--watch-token: must differ from --token");
    const bool for_others = !is_loopback(viewer.address) || viewer.origin != NULL;
    if (viewer.token == NULL && (for_others || viewer.watch_token != NULL)) {
        if (!make_token(token)) {
            lc_cli_error("cannot create a token: no random numbers");
            return LC_EXIT_FAILURE;
        }
        viewer.token = token;
    }
    if (viewer.patterns_folder == NULL && find_patterns(folder, sizeof folder))
        viewer.patterns_folder = folder;
    lc_cli_opened opened = {0};
    lc_universe *universe = NULL;
    code = lc_start_report(&options, &universe, &opened);
    if (code != LC_EXIT_OK)
        return code;
    viewer.timeline = opened.timeline;
    viewer.frame = opened.frame;
    code = serve(&options, &viewer, universe);
    lc_cli_close(&opened);
    return code;
}
