// Runs: records of this process and of files, by the same names of fields.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "model.h"
#include "report.h"

enum { FILE_BYTES_MAX = 1 << 28 };

// What a record says of itself, field by field.
typedef struct draft {
    lc_model_run run;
    char plan[LC_MODEL_PLAN_BYTES];
    char status[32];
    char gpu_name[LC_MODEL_NAME_BYTES];
} draft;

static void set_text(draft *d, const char *name, const char *text)
{
    const struct {
        const char *name;
        char *to;
        size_t bytes;
    } fields[] = {
        {"engine", d->run.engine, sizeof d->run.engine},
        {"cpu_level", d->run.cpu_level, sizeof d->run.cpu_level},
        {"cpu_model", d->run.device, sizeof d->run.device},
        {"gpu_name", d->gpu_name, sizeof d->gpu_name},
        {"rule", d->run.rule, sizeof d->run.rule},
        {"plan", d->plan, sizeof d->plan},
        {"status", d->status, sizeof d->status},
        {"topology", d->run.surface, sizeof d->run.surface},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(name, fields[i].name) == 0)
            (void)snprintf(fields[i].to, fields[i].bytes, "%s", text);
}

static void set_number(draft *d, const char *name, double number)
{
    const struct {
        const char *name;
        double *to;
    } fields[] = {
        {"width_cells", &d->run.width_cells},
        {"height_cells", &d->run.height_cells},
        {"pass_generations", &d->run.pass_generations},
        {"ns_per_generation", &d->run.seconds},
        {"best_cells_per_second", &d->run.least_s}, // rates, until the draft is done
        {"worst_cells_per_second", &d->run.most_s},
        {"times_as_long_in_company", &d->run.company},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(name, fields[i].name) == 0)
            *fields[i].to = number;
    if (strcmp(name, "threads") == 0 && number >= 1 && number < 1e6)
        d->run.threads = (uint64_t)number;
    if (strcmp(name, "on_gpu") == 0)
        d->run.on_gpu = number != 0;
}

// The number behind "NAME=" in a plan; 0: it is not there.
static uint64_t plan_number(const char *plan, const char *name)
{
    const size_t length = strlen(name);
    for (const char *c = plan; *c != '\0'; c += strcspn(c, ","), c += *c == ',')
        if (strncmp(c, name, length) == 0 && c[length] == '=')
            return strtoull(c + length + 1, NULL, 10);
    return 0;
}

// How many there are in "devices=0+1+3"; 1 if nobody said.
static uint64_t plan_devices(const char *plan)
{
    uint64_t count = 1;
    const char *list = strstr(plan, "devices=");
    for (size_t i = 0; list != NULL && list[i] != '\0' && list[i] != ','; i++)
        count += list[i] == '+';
    return count;
}

static bool is_size(double cells)
{
    return cells >= 1 && cells <= 0x1p62 && cells == floor(cells);
}

// Whether it was measured at all; and *wrong, if it says what cannot be.
static bool finish(draft *d, const char **wrong)
{
    lc_model_run *run = &d->run;
    const double cells = run->width_cells * run->height_cells;
    *wrong = NULL;
    if (strcmp(d->status, lc_status_name(LC_OK)) != 0)
        return false;
    if (!is_size(run->width_cells) || !is_size(run->height_cells) || run->engine[0] == '\0')
        *wrong = "a record has no engine or no board";
    else if (!(run->seconds > 0))
        *wrong = "a record has no time of a generation";
    if (*wrong != NULL)
        return false;
    run->seconds /= 1e9;
    run->least_s = run->least_s > 0 ? cells / run->least_s : run->seconds;
    run->most_s = run->most_s > 0 ? cells / run->most_s : run->seconds;
    run->engine[strcspn(run->engine, ":")] = '\0';
    run->surface[strcspn(run->surface, "0123456789")] = '\0'; // its size follows
    for (size_t end = strlen(run->surface); end > 0 && run->surface[end - 1] == ' '; end--)
        run->surface[end - 1] = '\0';
    if (run->on_gpu)
        memcpy(run->device, d->gpu_name, sizeof run->device);
    run->threads = run->on_gpu || run->threads == 0 ? 1 : run->threads;
    const uint64_t blocks = plan_number(d->plan, "blocks"), ranks = plan_number(d->plan, "ranks");
    run->ranks = ranks > 0 ? ranks : 1;
    const uint64_t here = plan_devices(d->plan);
    run->devices = run->ranks * here;
    run->slabs_each = blocks > 0 ? (blocks + here - 1) / here : 0;
    if (run->devices > 1 && run->slabs_each == 0)
        run->slabs_each = 1;
    // Where passes are queued, what comes back at a time is many of them; the plan says how long
    // one is.
    const uint64_t planned = plan_number(d->plan, "generations");
    if (run->on_gpu)
        run->pass_generations = (double)planned;
    else if (run->ranks > 1)
        run->pass_generations = 0;
    return true;
}

static lc_status keep(lc_model *model, const lc_model_run *run)
{
    if (model->run_count == model->run_room) {
        const size_t room = 2 * model->run_room + 16;
        lc_model_run *larger = realloc(model->runs, room * sizeof *larger);
        if (larger == NULL)
            return LC_ERROR_MEMORY;
        model->runs = larger;
        model->run_room = room;
    }
    model->runs[model->run_count++] = *run;
    return LC_OK;
}

lc_status lc_model_add(lc_model *model, const lc_bench_record *record,
                       const lc_machine_facts *facts)
{
    lc_fields fields;
    draft d = {0};
    const char *wrong;
    lc_fields_fill(&fields, record, facts);
    for (size_t i = 0; i < fields.count; i++) {
        const lc_report_field *f = &fields.fields[i];
        if (f->kind == LC_FIELD_TEXT)
            set_text(&d, f->name, f->text);
        else if (f->kind == LC_FIELD_REAL)
            set_number(&d, f->name, f->real);
        else if (f->kind == LC_FIELD_INTEGER || f->kind == LC_FIELD_BOOL)
            set_number(&d, f->name, (double)f->integer);
    }
    return finish(&d, &wrong) ? keep(model, &d.run) : LC_OK;
}

// Files -------------------------------------------------------------------------------------------

typedef struct reader {
    lc_model *model;
    draft d;
    bool is_bench;   // the file says that it is ours
    bool in_records; // among the elements of "records"
    size_t records;
    lc_status status;
    const char *wrong;
} reader;

static bool end_record(reader *r)
{
    r->records++;
    if (finish(&r->d, &r->wrong))
        r->status = keep(r->model, &r->d.run);
    return r->status == LC_OK && r->wrong == NULL;
}

static bool visit(void *context, const lc_json_value *v)
{
    reader *r = context;
    if (v->depth == 1) {
        r->in_records = v->kind == LC_JSON_ARRAY && strcmp(v->key, "records") == 0;
        if (v->kind == LC_JSON_STRING && strcmp(v->key, "format") == 0)
            r->is_bench = strcmp(v->text, "lightcone bench") == 0;
        if (v->kind == LC_JSON_NUMBER && strcmp(v->key, "format_version") == 0 && v->number != 1)
            r->wrong = "it is of a later version of lightcone";
        return r->wrong == NULL;
    }
    if (!r->in_records || v->depth > 3)
        return true;
    if (v->depth == 2 && v->kind == LC_JSON_OBJECT)
        r->d = (draft){0};
    else if (v->depth == 2 && v->kind == LC_JSON_END)
        return end_record(r);
    else if (v->kind == LC_JSON_STRING)
        set_text(&r->d, v->key, v->text);
    else if (v->kind == LC_JSON_NUMBER || v->kind == LC_JSON_TRUE)
        set_number(&r->d, v->key, v->kind == LC_JSON_TRUE ? 1 : v->number);
    return true;
}

// The whole file, and a 0 behind it; NULL and the status if it cannot be read.
static char *read_file(const char *path, size_t *bytes, lc_status *status, lc_message *message)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *bytes = 0;
    *status = LC_OK;
    if (file == NULL) {
        *status = lc_fail(message, LC_ERROR_IO, "cannot open it: %s", strerror(errno));
        return NULL;
    }
    for (;;) {
        if (room - *bytes < 2) {
            room = 2 * room + 65536;
            char *larger = room <= FILE_BYTES_MAX ? realloc(text, room) : NULL;
            if (larger == NULL) {
                *status = lc_fail(message, LC_ERROR_MEMORY, "it is too large");
                break;
            }
            text = larger;
        }
        errno = 0;
        const size_t some = fread(text + *bytes, 1, room - *bytes - 1, file);
        *bytes += some;
        if (some == 0)
            break;
    }
    if (*status == LC_OK && ferror(file))
        *status = lc_fail(message, LC_ERROR_IO, "cannot read it: %s",
                          errno != 0 ? strerror(errno) : "reading failed");
    (void)fclose(file);
    if (*status != LC_OK) {
        free(text);
        return NULL;
    }
    text[*bytes] = '\0';
    return text;
}

lc_status lc_model_read(lc_model *model, const char *path, lc_message *message)
{
    size_t bytes;
    lc_status status;
    char *text = read_file(path, &bytes, &status, message);
    if (text == NULL)
        return status;
    reader r = {.model = model, .status = LC_OK};
    status = lc_json_walk(text, bytes, visit, &r, message);
    free(text);
    if (status != LC_OK)
        return status;
    if (r.status != LC_OK)
        return lc_fail(message, r.status, "out of memory for its records");
    if (!r.is_bench)
        return lc_fail(message, LC_ERROR_FORMAT, "it is no file of 'lightcone bench --json'");
    if (r.wrong != NULL)
        return lc_fail(message, LC_ERROR_FORMAT, "%s (record %zu)", r.wrong, r.records);
    return LC_OK;
}
