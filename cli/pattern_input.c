// Inputs of the commands: files, standard input, and built-in patterns.
#include "pattern_input.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats.h"
#include "message.h"
#include "number.h"
#include "options.h"
#include "shape.h"
#include "shared_context.h"

// ---- built-in patterns -------------------------------------------------------------------------

// Returns the length of a name without the extension of a pattern file.
static size_t stem_length(const char *name)
{
    bool gzip;
    size_t length = strlen(name);
    bool known = lc_format_from_path(name, &gzip) != LC_FORMAT_AUTO;
    length -= gzip ? 3 : 0;
    for (size_t i = length; known && i-- > 1;)
        if (name[i] == '.')
            return i;
    return length;
}

// Whether a name begins like an apgcode, such as xq4_153. The parser of apgcodes checks the rest of
// the name.
static bool is_apgcode(const char *name)
{
    if (name[0] != 'x' || (name[1] != 's' && name[1] != 'p' && name[1] != 'q'))
        return false;
    const size_t digits = strspn(name + 2, "0123456789");
    return digits > 0 && name[2 + digits] == '_';
}

// Accepts NAME and NAME.rle. A name with another extension means a file, never a built-in pattern.
const char *lc_cli_built_in_pattern(const char *name)
{
    if (is_apgcode(name))
        return name;
    const char *ending = lc_format_ending(name);
    const size_t length = strcmp(ending, ".rle") == 0 ? (size_t)(ending - name) : strlen(name);
    for (const lc_built_in_pattern *pattern = lc_built_in_patterns(); pattern->name != NULL;
         pattern++)
        if (stem_length(pattern->name) == length && memcmp(pattern->name, name, length) == 0)
            return pattern->text;
    return NULL;
}

bool lc_cli_built_in_name(size_t index, char name[LC_CLI_BUILT_IN_BYTES])
{
    const lc_built_in_pattern *p = lc_built_in_patterns();
    for (size_t i = 0; i < index && p->name != NULL; i++)
        p++;
    const char *file = p->name;
    if (file == NULL)
        return false;
    snprintf(name, LC_CLI_BUILT_IN_BYTES, "%.*s", (int)stem_length(file), file);
    return true;
}

// ---- suggestions -------------------------------------------------------------------------------

enum { STEM_BYTES = 64, MOST_FILES = 10000 };

// The nearest name so far. Extensions are compared separately, because two short names with the
// same extension would always seem similar.
typedef struct guess {
    const char *name; // name as typed, without the folder
    char stem[STEM_BYTES];
    char best[NAME_MAX + 1]; // "": none
    unsigned distance;
} guess;

// Copies the name without its extension and in lower case, so that case does not add to the edit
// distance.
static void copy_stem(const char *name, char stem[STEM_BYTES])
{
    size_t length = stem_length(name);
    size_t i = 0;
    for (; i < length && length < STEM_BYTES; i++)
        stem[i] = (char)tolower((unsigned char)name[i]);
    stem[i] = '\0';
}

static bool try_name(guess *g, const char *name, bool ending_counts)
{
    char stem[STEM_BYTES];
    copy_stem(name, stem);
    lc_cli_nearest nearest = {.word = g->stem};
    lc_cli_nearest_try(&nearest, stem);
    if (nearest.best == NULL)
        return false;
    unsigned distance = 2 * nearest.distance; // a different extension counts as half a letter
    distance += ending_counts && strcmp(name + stem_length(name), g->name + stem_length(g->name));
    if (g->best[0] != '\0' && g->distance <= distance)
        return false;
    snprintf(g->best, sizeof g->best, "%s", name);
    g->distance = distance;
    return true;
}

// Tries the names of all files in `folder`, which is the folder of the missing file. `folder` is ""
// or ends with a slash.
static void try_files(guess *g, const char *folder)
{
    DIR *directory = opendir(*folder != '\0' ? folder : ".");
    const struct dirent *entry;
    if (directory == NULL)
        return;
    for (int i = 0; i < MOST_FILES && (entry = readdir(directory)) != NULL; i++)
        if (entry->d_name[0] != '.' &&
            (entry->d_type == DT_REG || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN))
            try_name(g, entry->d_name, true);
    (void)closedir(directory);
}

// Adds a suggestion to the message that the file `path` does not exist.
static void suggest(const char *path, lc_message *message)
{
    struct stat facts;
    const char *slash = strrchr(path, '/');
    guess g = {.name = slash != NULL ? slash + 1 : path};
    char folder[PATH_MAX];
    bool built_in = false;
    int length = slash != NULL ? (int)(slash + 1 - path) : 0;
    if (strcmp(path, "-") == 0 || stat(path, &facts) == 0 || length >= PATH_MAX)
        return;
    snprintf(folder, sizeof folder, "%.*s", length, path);
    copy_stem(g.name, g.stem);
    try_files(&g, folder);
    for (const lc_built_in_pattern *p = lc_built_in_patterns(); slash == NULL && p->name != NULL;
         p++)
        built_in = try_name(&g, p->name, false) || built_in;
    size_t used = strlen(message->text);
    if (built_in) {
        snprintf(message->text + used, sizeof message->text - used,
                 "; did you mean the built-in pattern \"%.*s\"?", (int)stem_length(g.best), g.best);
    } else if (g.best[0] != '\0') {
        snprintf(message->text + used, sizeof message->text - used, "; did you mean \"%s%s\"?",
                 folder, g.best);
    } else if (slash == NULL && lc_built_in_patterns()->name == NULL) {
        snprintf(message->text + used, sizeof message->text - used,
                 "; this build has no built-in patterns");
    }
}

// ---- opening -----------------------------------------------------------------------------------

bool lc_cli_is_built_in(const char *path)
{
    struct stat facts;
    return lc_cli_built_in_pattern(path) != NULL &&
           (stat(path, &facts) != 0 ? errno == ENOENT : S_ISDIR(facts.st_mode));
}

lc_status lc_cli_refuse_rule_of(const lc_pattern_header *header, lc_message *message)
{
    const lc_status status = lc_rule_parse(header->rule_text, NULL, NULL, NULL);
    *message = *header->rule_error;
    lc_cli_suggest_rule(header->rule_text, status, message);
    return status != LC_OK ? status : LC_ERROR_UNSUPPORTED;
}

lc_status lc_cli_open_pattern(lc_pattern **out, const char *path, uint64_t nth, bool any_rule,
                              lc_message *message)
{
    lc_status status;
    if (lc_cli_is_built_in(path)) {
        const char *text = lc_cli_built_in_pattern(path);
        status = lc_pattern_open_memory(out, text, strlen(text), message);
    } else {
        status = lc_pattern_open_cells(out, path, message);
        if (status == LC_ERROR_IO)
            suggest(path, message);
    }
    if (status == LC_OK && nth > 0)
        status = lc_pattern_select(*out, nth, message);
    if (status == LC_OK && !any_rule && lc_pattern_get_header(*out)->rule_error != NULL)
        status = lc_cli_refuse_rule_of(lc_pattern_get_header(*out), message);
    if (status != LC_OK)
        lc_pattern_close(out);
    return status;
}

void lc_cli_warn_of_no_end(const char *path, const lc_pattern_header *header)
{
    if (header->has_no_end)
        lc_cli_error("%s: no '!' at the end: the file may have been cut off",
                     lc_cli_input_name(path));
}

void lc_cli_note_others(const char *path, uint64_t nth, const lc_pattern_header *header)
{
    char count[LC_CLI_NUMBER_BYTES];
    if (nth == 0 && header->patterns > 1)
        lc_cli_error("%s: took the first of %s patterns; --nth N takes another",
                     lc_cli_input_name(path), lc_cli_format_u64(header->patterns, count));
}

lc_status lc_cli_restore(lc_universe **out, const char *path, const lc_universe_options *options,
                         lc_message *message)
{
    lc_status status = lc_universe_restore(out, path, options, message);
    if (status == LC_ERROR_IO)
        suggest(path, message);
    return status;
}

lc_status lc_cli_restore_to_look(lc_universe **out, const char *path, uint64_t max_memory_bytes,
                                 lc_message *message)
{
    lc_universe_options options = {.struct_bytes = sizeof options,
                                   .max_memory_bytes = max_memory_bytes,
                                   .context = lc_cli_context()};
    const lc_status status = lc_cli_restore(out, path, &options, message);
    if (status != LC_ERROR_UNSUPPORTED)
        return status;
    options.engine = "scalar";
    return lc_cli_restore(out, path, &options, message);
}

bool lc_cli_is_checkpoint(const char *path)
{
    return lc_format_from_path(path, NULL) == LC_FORMAT_CHECKPOINT ||
           lc_universe_is_checkpoint(path);
}

const char *lc_cli_engine_for(lc_format format, const lc_rule *rule, const lc_topology *topology,
                              const char *usual)
{
    const bool is_plane = topology->width_cells == 0 && topology->height_cells == 0;
    const bool is_tree = format == LC_FORMAT_MACROCELL && lc_rule_traits(rule)->states == 2;
    return is_tree && is_plane ? "hashlife" : usual;
}
