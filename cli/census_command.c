// `lightcone census`: runs many soups and counts the objects that they leave.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "census_report.h"
#include "commands.h"
#include "formats.h"
#include "help.h"
#include "message.h"
#include "mpi_ranks.h"
#include "number.h"
#include "shared_context.h"
#include "signals.h"
#include "soup_options.h"
#include "text_output.h"

enum {
    MERGED_MAX = 4096,
    GPUS_MAX = 1024,
    GPU_SOUPS_MIN = 1000000, // for fewer it takes longer to compile the kernels
};

static const uint64_t save_interval_ns = UINT64_C(60000000000);

typedef enum report_format {
    REPORT_AUTO,
    REPORT_TEXT,
    REPORT_CSV,
    REPORT_JSON,
    REPORT_HAUL,
    REPORT_PAGE,
} report_format;

static const struct {
    const char *word, *suffixes; // suffixes have a blank behind each
    report_format format;
    void (*write)(FILE *file, const lc_census_report *report);
} formats[] = {
    {"text", ".txt ", REPORT_TEXT, lc_census_report_text},
    {"csv", ".csv ", REPORT_CSV, lc_census_report_csv},
    {"json", ".json ", REPORT_JSON, lc_census_report_json},
    {"haul", ".haul ", REPORT_HAUL, NULL},
    {"html", ".html .htm ", REPORT_PAGE, lc_census_report_page},
};

enum { FORMATS = sizeof formats / sizeof *formats };

typedef struct request {
    lc_cli_soup_options soups;
    const char *file; // the census is kept here; NULL: it is not kept
    const char *output;
    report_format format;
    bool common_first, merge;
    bool has_gpus;
    uint64_t gpus; // at most
    const char *merged[MERGED_MAX];
    size_t merged_count;
} request;

// Options ----------------------------------------------------------------------------------------

static const char *take_format(const char *text, void *to)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcasecmp(text, formats[i].word) == 0) {
            *(report_format *)to = formats[i].format;
            return NULL;
        }
    }
    return "is an unknown format; formats are text, csv, json, haul, html";
}

static const char *take_gpus(const char *text, void *to)
{
    request *r = to;
    r->has_gpus = true;
    const char *wrong = lc_cli_parse_u64(text, &r->gpus);
    return wrong == NULL && r->gpus > GPUS_MAX ? "is more than 1,024 GPUs" : wrong;
}

static int take_operand(const char *operand, void *to)
{
    request *r = to;
    if (r->merged_count == MERGED_MAX)
        return lc_cli_usage("census", "more than %d files to merge", (int)MERGED_MAX);
    r->merged[r->merged_count++] = operand;
    return LC_EXIT_OK;
}

static bool is_suffix_of(const char *suffixes, const char *suffix)
{
    const size_t length = strlen(suffix);
    for (const char *at = suffixes; *at != '\0'; at += strcspn(at, " ") + 1)
        if (length > 0 && strcspn(at, " ") == length && strncasecmp(at, suffix, length) == 0)
            return true;
    return false;
}

static int choose_format(request *r)
{
    if (r->format != REPORT_AUTO)
        return LC_EXIT_OK;
    const char *suffix = r->output != NULL ? lc_format_ending(r->output) : "";
    for (size_t i = 0; i < FORMATS; i++)
        if (is_suffix_of(formats[i].suffixes, suffix))
            r->format = formats[i].format;
    if (r->format == REPORT_AUTO && suffix[0] != '\0')
        return lc_cli_usage("census",
                            "-o %s: unknown suffix \"%s\"; use .txt, .csv, .json, .haul or .html, "
                            "or choose with --format",
                            r->output, suffix);
    r->format = r->format == REPORT_AUTO ? REPORT_TEXT : r->format;
    return LC_EXIT_OK;
}

static int check_merge(const request *r)
{
    if (r->merged_count == 0)
        return lc_cli_usage("census", "--merge needs files of censuses");
    if (r->output == NULL || strcmp(r->output, "-") == 0)
        return lc_cli_usage("census", "--merge needs -o FILE for the merged census");
    if (lc_cli_soup_options_given(&r->soups) || r->soups.has_soups || r->has_gpus ||
        r->file != NULL)
        return lc_cli_usage("census", "--merge runs no soups, so it takes only files and -o FILE");
    if (r->format != REPORT_AUTO)
        return lc_cli_usage("census", "--merge writes a census file, which has no --format; "
                                      "'lightcone census --file FILE' reports on it");
    return LC_EXIT_OK;
}

static int check(request *r)
{
    if (r->merge)
        return check_merge(r);
    if (r->merged_count > 0)
        return lc_cli_usage("census", "unexpected argument \"%s\"; --file FILE keeps a census",
                            r->merged[0]);
    int code = choose_format(r);
    if (code == LC_EXIT_OK && r->file != NULL && lc_cli_same_file(r->file, r->output))
        code = lc_cli_usage("census", "-o would overwrite the census %s", r->file);
    if (code == LC_EXIT_OK && r->file != NULL && strcmp(r->file, "-") == 0)
        code = lc_cli_usage("census", "--file needs the name of a file");
    if (code == LC_EXIT_OK && (r->soups.is_random || r->soups.enumerates) &&
        r->format == REPORT_HAUL)
        code = lc_cli_usage("census", "--format haul: a haul is of soups with a symmetry, "
                                      "not of rectangles");
    return code;
}

static bool parse_options(request *r, int argc, char **argv, int *code)
{
    lc_cli_option shared[LC_CLI_SOUP_OPTIONS];
    const lc_cli_option options[] = {
        {0, "common-first", NULL, .given = &r->common_first},
        {0, "file", "FILE", .text = &r->file},
        {0, "format", "FORMAT", .take = take_format, .to = &r->format},
        {0, "gpus", "N", .take = take_gpus, .to = r},
        {0, "merge", NULL, .given = &r->merge},
        {'o', "output", "FILE", .text = &r->output},
        {0},
    };
    const lc_cli_syntax syntax = {.command = "census",
                                  .help = lc_help_census,
                                  .options = options,
                                  .shared = shared,
                                  .take_operand = take_operand,
                                  .to = r};
    lc_cli_soup_options_table(&r->soups, shared);
    if (!lc_cli_parse(&syntax, argc, argv, code))
        return false;
    *code = check(r);
    return *code == LC_EXIT_OK;
}

// Census files -----------------------------------------------------------------------------------

static int open_census(lc_soup_census **out, const char *path, const request *r)
{
    lc_message message = {0};
    lc_cli_context_set_threads((int)r->soups.threads);
    const lc_status status = lc_soup_census_open(out, path, lc_cli_context(), &message);
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report(path, status, &message);
}

// Checks that the options and the file are of the same soups.
static int check_same(const request *r, const lc_soup_census *opened)
{
    lc_soup_census *asked;
    lc_soup_census_facts facts;
    char in_file[1024], wanted[1024];
    const int code = lc_cli_soup_options_create(&r->soups, &asked);
    if (code != LC_EXIT_OK)
        return code;
    lc_soup_census_get_facts(opened, &facts);
    lc_cli_soup_options_format(&facts, in_file, sizeof in_file);
    lc_soup_census_get_facts(asked, &facts);
    lc_cli_soup_options_format(&facts, wanted, sizeof wanted);
    lc_soup_census_destroy(&asked);
    if (strcmp(in_file, wanted) == 0)
        return LC_EXIT_OK;
    lc_cli_error("%s: this is the census of other soups: %s; not of %s", r->file, in_file, wanted);
    return LC_EXIT_FAILURE;
}

static int go_on(const request *r, lc_soup_census **out)
{
    lc_message message = {0};
    int code = open_census(out, r->file, r);
    if (code == LC_EXIT_OK && lc_cli_soup_options_given(&r->soups))
        code = check_same(r, *out);
    if (code != LC_EXIT_OK || !r->soups.has_soups)
        return code;
    const lc_status status = lc_soup_census_want(*out, r->soups.first, r->soups.soups, &message);
    return status == LC_OK ? LC_EXIT_OK : lc_cli_refuse("census", status, &message);
}

static int start(const request *r, lc_soup_census **out)
{
    struct stat facts;
    *out = NULL;
    if (r->file != NULL && stat(r->file, &facts) == 0)
        return go_on(r, out);
    if (!r->soups.has_soups && r->file != NULL && !lc_cli_soup_options_given(&r->soups)) {
        lc_cli_error("%s: %s; -n N and --seed ROOT start a census", r->file, strerror(errno));
        return LC_EXIT_FAILURE;
    }
    if (!r->soups.has_soups && !r->soups.enumerates)
        return lc_cli_usage("census", "missing number of soups: -n N");
    return lc_cli_soup_options_create(&r->soups, out);
}

// Lets GPUs take part: those that were asked for, or all if there is much to do.
static int use_gpus(const request *r, lc_soup_census *census)
{
    lc_message message = {0};
    lc_soup_census_facts facts;
    lc_soup_census_get_facts(census, &facts);
    if (!r->has_gpus && facts.soups_left < GPU_SOUPS_MIN)
        return LC_EXIT_OK;
    const lc_status status =
        lc_soup_census_use_gpus(census, r->has_gpus ? (int64_t)r->gpus : GPUS_MAX, &message);
    return status == LC_OK || !r->has_gpus ? LC_EXIT_OK : lc_cli_refuse("census", status, &message);
}

static int merge(const request *r)
{
    lc_soup_census *all = NULL, *next = NULL;
    lc_message message = {0};
    lc_soup_census_facts facts;
    char a[LC_CLI_NUMBER_BYTES], b[LC_CLI_NUMBER_BYTES];
    int code = lc_cli_check_output("census", r->output);
    if (code == LC_EXIT_OK)
        code = open_census(&all, r->merged[0], r);
    for (size_t i = 1; i < r->merged_count && code == LC_EXIT_OK; i++) {
        code = open_census(&next, r->merged[i], r);
        if (code != LC_EXIT_OK)
            break;
        const lc_status status = lc_soup_census_merge(all, next, &message);
        if (status != LC_OK)
            code = lc_cli_report(r->merged[i], status, &message);
        lc_soup_census_destroy(&next);
    }
    if (code == LC_EXIT_OK) {
        const lc_status status = lc_soup_census_save(all, r->output, &message);
        if (status != LC_OK)
            code = lc_cli_report(r->output, status, &message);
    }
    if (code == LC_EXIT_OK && !r->soups.quiet) {
        lc_soup_census_get_facts(all, &facts);
        printf("soups         %s\nobjects       %s\noutput        %s\n",
               lc_cli_format_u64(facts.soups, a), lc_cli_format_u64(facts.objects, b), r->output);
    }
    lc_soup_census_destroy(&all);
    return code;
}

// Running ----------------------------------------------------------------------------------------

typedef struct run_state {
    const request *request;
    lc_cli_progress progress;
    uint64_t counted_before;
    uint64_t save_due_ns;
} run_state;

// Saves the census, if it is kept. Returns LC_EXIT_OK, or LC_EXIT_FAILURE after printing an error.
static int save(const request *r, const lc_soup_census *census)
{
    lc_message message = {0};
    if (r->file == NULL)
        return LC_EXIT_OK;
    const lc_status status = lc_soup_census_save(census, r->file, &message);
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report(r->file, status, &message);
}

static bool on_progress(void *user, const lc_soup_census *census)
{
    run_state *s = user;
    lc_soup_census_facts facts;
    const uint64_t now_ns = lc_cli_now_ns();
    lc_soup_census_get_facts(census, &facts);
    lc_cli_progress_update(&s->progress, NULL, lc_count_of(facts.soups - s->counted_before),
                           now_ns);
    // The other ranks end their soups before the run ends, and mpirun may not wait so long.
    const bool is_stopped = lc_signals_received() != 0;
    if (now_ns >= s->save_due_ns || (is_stopped && lc_cli_ranks() != NULL)) {
        (void)save(s->request, census); // a disk may have room again a minute later
        s->save_due_ns = now_ns + save_interval_ns;
    }
    return !is_stopped;
}

static lc_status run(const request *r, lc_soup_census *census, lc_message *message)
{
    lc_soup_census_facts facts;
    run_state s = {.request = r, .save_due_ns = lc_cli_now_ns() + save_interval_ns};
    const lc_soup_census_callbacks callbacks = {
        .struct_bytes = sizeof callbacks, .user = &s, .progress = on_progress};
    lc_soup_census_get_facts(census, &facts);
    s.counted_before = facts.soups;
    lc_cli_progress_begin_soups(&s.progress, r->soups.progress, lc_count_of(facts.soups_left));
    s.progress.start = lc_count_of(facts.soups);
    const lc_status status = lc_soup_census_run(census, &callbacks, message);
    lc_cli_progress_end(&s.progress);
    return status;
}

static int write_report(const request *r, lc_soup_census *census)
{
    lc_message message = {0};
    lc_census_report report;
    lc_text_output output;
    const char *path = r->output != NULL ? r->output : "-";
    lc_status status = LC_OK;
    if (r->soups.quiet && r->output == NULL)
        return LC_EXIT_OK;
    if (r->format == REPORT_HAUL) {
        status = lc_soup_census_write_haul(census, path, &message);
    } else if ((status = lc_text_output_begin(&output, &message)) == LC_OK) {
        lc_census_report_init(&report, census, r->common_first);
        for (size_t i = 0; i < FORMATS; i++)
            if (formats[i].format == r->format)
                formats[i].write(output.file, &report);
        status = lc_text_output_end(&output, path, &message);
    }
    return status == LC_OK ? LC_EXIT_OK : lc_cli_report_output(path, status, &message);
}

static int stopped(const request *r, const lc_soup_census *census, bool is_saved)
{
    char number[LC_CLI_NUMBER_BYTES];
    lc_soup_census_facts facts;
    const int signal = lc_signals_received();
    lc_soup_census_get_facts(census, &facts);
    lc_cli_error("stopped by %s after %s soups%s%s%s", lc_signals_name(signal),
                 lc_cli_format_u64(facts.soups, number),
                 is_saved ? "; 'lightcone census --file " : "", is_saved ? r->file : "",
                 is_saved ? "' goes on" : "");
    return LC_EXIT_SIGNAL + signal;
}

static int count_soups(const request *r, lc_soup_census *census)
{
    lc_message message = {0};
    lc_signals_catch();
    const lc_status status = run(r, census, &message);
    const int saved = save(r, census), written = write_report(r, census);
    if (status == LC_ERROR_STOPPED && lc_signals_received() != 0)
        return stopped(r, census, r->file != NULL && saved == LC_EXIT_OK);
    if (status != LC_OK)
        return lc_cli_report(NULL, status, &message);
    return saved != LC_EXIT_OK ? saved : written;
}

int lc_cli_census(int argc, char **argv)
{
    static request r = {.soups = {.command = "census"}};
    lc_soup_census *census = NULL;
    int code;
    if (!parse_options(&r, argc, argv, &code))
        return code;
    if (r.merge)
        return merge(&r);
    if (r.output != NULL)
        code = lc_cli_check_output("census", r.output);
    if (code == LC_EXIT_OK && r.file != NULL)
        code = lc_cli_check_output("census", r.file);
    if (code == LC_EXIT_OK)
        code = start(&r, &census);
    if (code == LC_EXIT_OK)
        code = use_gpus(&r, census);
    if (code == LC_EXIT_OK)
        code = count_soups(&r, census);
    lc_soup_census_destroy(&census);
    return code;
}
