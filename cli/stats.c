// The CSV file of `run --stats`: one row per sampled generation.
//
// The columns x, y, width and height are the bounding box. The columns x and y are empty if there
// are no live cells. An example of a file:
//
//     generation,population,x,y,width,height,hash
//     100,1234,-5,17,300,280,0123456789abcdef
#include "stats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] = "generation,population,x,y,width,height,hash\n";

struct lc_stats {
    FILE *file;
    bool any; // the file has rows, and `last` is the generation of the last row
    lc_count last;
};

static lc_status fail(lc_message *message, lc_status status, uint64_t line, const char *what,
                      int error)
{
    *message = (lc_message){.line = line};
    snprintf(message->text, sizeof message->text, "%s%s%s", what, error != 0 ? ": " : "",
             error != 0 ? strerror(error) : "");
    return status;
}

// Parses the generation at the start of a complete row.
static bool row_generation(const char *row, lc_count *generation)
{
    const size_t digits = strspn(row, "0123456789"); // lc_count_parse would accept other forms, too
    const char *end;
    size_t commas = 0;
    for (const char *at = row; *at != '\0'; at++)
        commas += *at == ',';
    return commas == 6 && row[digits] == ',' &&
           lc_count_parse(row, &end, generation, NULL) == LC_OK;
}

// Truncates the file after the last row whose generation is at most `generation`. Sets the file
// position to the new end.
static lc_status keep_rows(lc_stats *stats, lc_count generation, lc_message *message)
{
    char row[512]; // at most two numbers of 78 digits and five numbers of 20 digits
    uint64_t line = 1;
    long keep = (long)strlen(header);
    if (fgets(row, sizeof row, stats->file) == NULL) {
        keep = 0; // an empty file
    } else if (strcmp(row, header) != 0) {
        return fail(message, LC_ERROR_FORMAT, 1,
                    "this is not a file of statistics that could be continued; "
                    "it is left as it is",
                    0);
    }
    while (keep > 0 && fgets(row, sizeof row, stats->file) != NULL) {
        lc_count found;
        line++;
        if (strchr(row, '\n') == NULL)
            break; // the row was truncated while it was being written
        if (!row_generation(row, &found)) {
            return fail(message, LC_ERROR_FORMAT, line,
                        "this row is damaged; the file is left as it is", 0);
        }
        if (lc_count_compare(found, generation) > 0)
            break;
        stats->any = true;
        stats->last = found;
        keep += (long)strlen(row);
    }
    if (ferror(stats->file) || fseek(stats->file, keep, SEEK_SET) != 0 ||
        ftruncate(fileno(stats->file), keep) != 0)
        return fail(message, LC_ERROR_IO, 0, "cannot continue the statistics", errno);
    if (keep == 0)
        fputs(header, stats->file);
    return LC_OK;
}

lc_status lc_stats_open(lc_stats **out, const char *path, bool resume, lc_count generation,
                        lc_message *message)
{
    *out = NULL;
    lc_stats *stats = calloc(1, sizeof *stats);
    if (stats == NULL)
        return fail(message, LC_ERROR_MEMORY, 0, "out of memory for statistics", 0);
    stats->file = resume ? fopen(path, "r+") : NULL;
    bool continued = stats->file != NULL;
    if (!continued && (!resume || errno == ENOENT))
        stats->file = fopen(path, "w");
    if (stats->file == NULL) {
        free(stats);
        return fail(message, LC_ERROR_IO, 0, "cannot open the file for statistics", errno);
    }
    lc_status status = LC_OK;
    if (continued)
        status = keep_rows(stats, generation, message);
    else
        fputs(header, stats->file);
    if (status == LC_OK && (fflush(stats->file) != 0 || ferror(stats->file)))
        status = fail(message, LC_ERROR_IO, 0, "cannot write the statistics", errno);
    if (status != LC_OK) {
        fclose(stats->file);
        free(stats);
        return status;
    }
    *out = stats;
    return LC_OK;
}

lc_status lc_stats_add(lc_stats *stats, const lc_universe *universe, lc_message *message)
{
    const lc_count generation = lc_universe_generation(universe);
    if (stats->any && lc_count_compare(stats->last, generation) == 0)
        return LC_OK;
    lc_facts facts;
    FILE *file = stats->file;
    lc_status status = lc_universe_facts(universe, LC_FACT_ALL, &facts, message);
    const lc_wide_box *box = &facts.wide_box;
    if (status != LC_OK)
        return status;
    char population[LC_COUNT_TEXT_BYTES], passed[LC_COUNT_TEXT_BYTES];
    lc_count_format(facts.population, population);
    lc_count_format(generation, passed);
    fprintf(file, "%s,%s,", passed, population);
    if (box->empty) {
        fputs(",,0,0,", file);
    } else {
        char x[LC_COORDINATE_TEXT_BYTES], y[LC_COORDINATE_TEXT_BYTES];
        char width[LC_COUNT_TEXT_BYTES], height[LC_COUNT_TEXT_BYTES];
        lc_coordinate_format(box->x, x);
        lc_coordinate_format(box->y, y);
        lc_count_format(box->width_cells, width);
        lc_count_format(box->height_cells, height);
        fprintf(file, "%s,%s,%s,%s,", x, y, width, height);
    }
    fprintf(file, "%016" PRIx64 "\n", facts.hash);
    if (fflush(file) != 0 || ferror(file))
        return fail(message, LC_ERROR_IO, 0, "cannot write the statistics", errno);
    stats->any = true;
    stats->last = generation;
    return LC_OK;
}

lc_status lc_stats_close(lc_stats **stats, lc_message *message)
{
    lc_stats *closing = *stats;
    if (closing == NULL)
        return LC_OK;
    *stats = NULL;
    bool failed = fclose(closing->file) != 0;
    int error = errno;
    free(closing);
    return failed ? fail(message, LC_ERROR_IO, 0, "cannot write the statistics", error) : LC_OK;
}
