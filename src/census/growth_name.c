// See growth_name.h.
#include "census/growth_name.h"

#include <math.h>
#include <md5.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "census/cell_counts.h"
#include "object/field.h"

enum {
    PERIODS = 4800, // M
    POPULATIONS = 3 * PERIODS,
    POINTS = 8000,
    POINT_STEP = 128,
    LINEAR_CELLS_MAX = 1 << 20,
    MEMORY_MAX = 256 << 20,
    NODES_MAX = 1 << 23,       // some seconds of HashLife
    QUICK_NODES_MAX = 1 << 20, // growth is regular, and HashLife is faster than sparse tiles
    // Some 50 ms of a field, which is fastest for a few moving cells: words, rows and live cells.
    WORDS_MAX = 1 << 23,
    WORK_MAX = 1 << 26,
    BETWEEN_ASKING = 1024, // generations of a field
    NAME_BYTES = 96,
};

// Returns the growth of the population in `period` generations from generation i on.
static uint64_t growth(const uint64_t *populations, size_t i, size_t period)
{
    return populations[i + period] - populations[i];
}

// Returns whether the growth in `period` generations is the same after another `shift` generations.
static bool growth_repeats(const uint64_t *populations, size_t period, size_t shift)
{
    for (size_t i = 0; i < PERIODS; i++)
        if (growth(populations, i, period) != growth(populations, i + shift, period))
            return false;
    return true;
}

// Returns p; PERIODS: there is none.
static size_t find_growth_period(const uint64_t *populations)
{
    size_t p = 1;
    while (p < PERIODS && !growth_repeats(populations, p, p))
        p++;
    return p;
}

// Returns q; PERIODS: there is none.
static size_t find_shift(const uint64_t *populations, size_t period)
{
    size_t q = 1;
    while (q < PERIODS && !growth_repeats(populations, period, q))
        q++;
    return q;
}

static void find_moments(uint32_t moments[3], const uint64_t *populations, size_t p, size_t q)
{
    for (size_t i = 0; i < p; i++) {
        const uint32_t e = (uint32_t)growth(populations, i, q);
        moments[0] += e;
        moments[1] += e * e;
        moments[2] += e * e * e;
    }
}

// Writes the name of linear growth. Returns false if the growth is not linear.
static bool name_linear(char name[NAME_BYTES], const uint64_t *populations)
{
    char text[NAME_BYTES], digest[MD5_DIGEST_STRING_LENGTH];
    uint32_t moments[3] = {0};
    const size_t p = find_growth_period(populations);
    const size_t q = p < PERIODS ? find_shift(populations, p) : PERIODS;
    if (q == PERIODS)
        return false;
    find_moments(moments, populations, p, q);
    const int bytes =
        snprintf(text, sizeof text, "%d#%d", (int32_t)moments[1], (int32_t)moments[2]);
    MD5Data((const uint8_t *)text, (size_t)bytes, digest);
    snprintf(name, NAME_BYTES, "yl%zu_%zu_%d_%s", p, q, (int32_t)moments[0], digest);
    return moments[0] != 0;
}

// Returns the slope of the least-squares line through `count` points (log(factor * i + first),
// y[i]).
static double find_slope(const double *y, size_t count, double factor, double first)
{
    double mean_x = 0, mean_y = 0, covariance = 0, variance = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += log(factor * (double)i + first) / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        const double x = log(factor * (double)i + first) - mean_x;
        covariance += x * (y[i] - mean_y);
        variance += x * x;
    }
    return covariance / variance;
}

static const char *name_slopes(double slope, double slope_of_steps)
{
    return slope_of_steps < 1.15 ? "PATHOLOGICAL"
           : slope < 1.65        ? "zz_REPLICATOR"
           : slope < 2.1         ? "zz_LINEAR"
           : slope < 2.9         ? "zz_EXPLOSIVE"
                                 : "zz_QUADRATIC";
}

// Returns the name of growth that is not linear. The populations are those of generations 0, 128,
// 256 .. `logs` is scratch of one number a point; generation 0 is left out.
static const char *name_power(const uint64_t *populations, size_t counted, double *logs)
{
    double sum = 1;
    if (counted < 3)
        return "zz_QUADRATIC";
    const size_t points = counted - 1;
    for (size_t i = 0; i < points; i++) {
        sum += (double)populations[i + 1];
        logs[i] = log(sum);
    }
    return name_slopes(find_slope(logs, points, POINT_STEP, PERIODS),
                       find_slope(logs, points, 1, 1));
}

// Counts the live cells of generations in a field, until too many words are stepped.
static lc_status count_in_field(uint64_t *populations, size_t *counted, const lc_live *cells,
                                const lc_rule *rule, lc_message *message)
{
    lc_field_rule prepared;
    lc_field_rule_set(&prepared, rule);
    lc_field field = lc_field_of(&prepared);
    lc_status status = lc_field_set(&field, cells);
    *counted = 0;
    while (status == LC_OK && *counted < POPULATIONS && field.words_stepped < WORDS_MAX &&
           field.work < WORK_MAX) {
        populations[(*counted)++] = field.population;
        status = *counted % BETWEEN_ASKING == 0 ? lc_check_give_up(message) : LC_OK;
        if (status == LC_OK)
            status = lc_field_step(&field);
    }
    lc_field_free(&field);
    if (status == LC_ERROR_MEMORY)
        return lc_fail_memory(message, "populations");
    return status == LC_ERROR_LIMIT ? LC_OK : status;
}

// Counts the live cells of generations 0 .. POPULATIONS - 1, or of fewer if they are too many.
static lc_status count_generations(uint64_t *populations, size_t *counted, const lc_live *cells,
                                   lc_counting counting, lc_message *message)
{
    const lc_status in_field = count_in_field(populations, counted, cells, counting.rule, message);
    if (in_field != LC_OK || *counted == POPULATIONS)
        return in_field;
    counting.step = 1;
    counting.cells_max = LINEAR_CELLS_MAX;
    counting.engine = "hashlife";
    counting.nodes_max = QUICK_NODES_MAX;
    const lc_status status =
        lc_cells_count(populations, POPULATIONS, counted, &counting, cells, message);
    if (status != LC_OK || *counted == POPULATIONS)
        return status;
    counting.engine = "sparse";
    return lc_cells_count(populations, POPULATIONS, counted, &counting, cells, message);
}

static lc_status find_linear(char name[NAME_BYTES], bool *is_linear, const lc_live *cells,
                             const lc_counting *counting, lc_message *message)
{
    size_t counted = 0;
    uint64_t *populations = lc_malloc(POPULATIONS * sizeof *populations);
    if (populations == NULL)
        return lc_fail_memory(message, "populations");
    const lc_status status = count_generations(populations, &counted, cells, *counting, message);
    *is_linear = status == LC_OK && counted == POPULATIONS && name_linear(name, populations);
    lc_free(populations);
    return status;
}

static lc_status find_power(char name[NAME_BYTES], const lc_live *cells, lc_counting counting,
                            lc_message *message)
{
    size_t counted = 0;
    uint64_t *populations = lc_malloc((POINTS + 1) * sizeof *populations);
    double *logs = lc_malloc(POINTS * sizeof *logs);
    lc_status status = LC_ERROR_MEMORY;
    counting.engine = "hashlife";
    counting.cells_max = UINT64_MAX;
    counting.nodes_max = NODES_MAX;
    counting.step = POINT_STEP;
    if (populations == NULL || logs == NULL)
        lc_fail_memory(message, "populations");
    else
        status = lc_cells_count(populations, POINTS + 1, &counted, &counting, cells, message);
    if (status == LC_OK)
        strcpy(name, name_power(populations, counted, logs));
    lc_free(populations);
    lc_free(logs);
    return status;
}

lc_status lc_growth_name(char **name, const lc_live *cells, const lc_rule *rule,
                         lc_context *context, lc_message *message)
{
    const lc_counting counting = {.rule = rule, .context = context, .max_memory_bytes = MEMORY_MAX};
    bool is_linear = false;
    char *text = lc_malloc(NAME_BYTES);
    lc_status status = LC_OK;
    *name = NULL;
    if (text == NULL)
        return lc_fail_memory(message, "a name");
    status = find_linear(text, &is_linear, cells, &counting, message);
    if (status == LC_OK && !is_linear)
        status = find_power(text, cells, counting, message);
    if (status == LC_OK)
        *name = text;
    else
        lc_free(text);
    return status;
}
