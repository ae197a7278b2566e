// The model as JSON: its facts, what it says of what was measured, and its lines.
#include <math.h>
#include <string.h>

#include "json_write.h"
#include "model.h"

static void write_link(FILE *file, const char *name, const lc_link *link)
{
    fprintf(file, "        \"%s\": {\"latency_s\": ", name);
    lc_json_write_real(file, link->latency_s);
    fputs(", \"bytes_per_second\": ", file);
    lc_json_write_real(file, link->bytes_per_second);
    fputs("},\n", file);
}

static void write_curve(FILE *file, const char *name, const lc_slab_curve *curve)
{
    fprintf(file, "        \"%s\": [", name);
    for (size_t i = 0; i < curve->count; i++) {
        const lc_slab_time *p = &curve->points[i];
        fprintf(file, "%s\n          {\"rows\": %.0f, \"pass_generations\": %.0f, \"seconds\": ",
                i > 0 ? "," : "", p->rows, p->pass_generations);
        lc_json_write_real(file, p->seconds);
        fputc('}', file);
    }
    fputs("\n        ],\n", file);
}

static void write_cost(FILE *file, const lc_scale_cost *cost)
{
    const struct {
        const char *name;
        double value;
    } parts[] = {
        {"rows", cost->rows},       {"pass_generations", cost->pass_generations},
        {"cells_s", cost->cells_s}, {"uneven_s", cost->uneven_s},
        {"again_s", cost->again_s}, {"company_s", cost->company_s},
        {"link_s", cost->link_s},   {"hidden_s", cost->hidden_s},
        {"agree_s", cost->agree_s}, {"answers_s", cost->answers_s},
        {"all_s", cost->all_s},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fprintf(file, ", \"%s\": ", parts[i].name);
        lc_json_write_real(file, parts[i].value);
    }
}

static void write_checks(FILE *file, const lc_model_group *g)
{
    fputs("        \"measured\": [", file);
    for (size_t i = 0; i < g->check_count; i++) {
        const lc_model_check *c = &g->checks[i];
        fprintf(file,
                "%s\n          {\"height_cells\": %.0f, \"ranks\": %llu, \"devices\": %llu, "
                "\"slabs\": %llu, \"predicted_s\": ",
                i > 0 ? "," : "", c->run->height_cells, (unsigned long long)c->run->ranks,
                (unsigned long long)c->run->devices,
                (unsigned long long)(c->run->devices * c->run->slabs_each));
        lc_json_write_real(file, c->predicted_s);
        fputs(", \"measured_s\": ", file);
        lc_json_write_real(file, c->run->seconds);
        fputs(", \"error\": ", file);
        lc_json_write_real(file, c->error);
        fputc('}', file);
    }
    fputs("\n        ],\n", file);
}

static void write_line(FILE *file, const lc_model_line *line)
{
    fprintf(file,
            "          {\n            \"scaling\": \"%s\", \"width_cells\": %.0f, "
            "\"height_cells\": %.0f,\n            \"points\": [",
            line->weak ? "weak" : "strong", line->board.width_cells, line->board.height_cells);
    bool first = true;
    for (size_t i = 0; i < line->count; i++) {
        const lc_model_point *p = &line->points[i];
        if (!p->known)
            continue;
        fprintf(file, "%s\n              {\"devices\": %llu, \"speed_up\": ", first ? "" : ",",
                (unsigned long long)p->devices);
        lc_json_write_real(file, p->speed_up);
        fputs(", \"efficiency\": ", file);
        lc_json_write_real(file, p->efficiency);
        write_cost(file, &p->cost);
        fputc('}', file);
        first = false;
    }
    fputs("\n            ]\n          }", file);
}

static void write_group(FILE *file, const lc_model_group *g)
{
    const lc_model_run *first = g->first;
    const lc_scale_facts *f = &g->facts;
    fputs("      {\n        \"engine\": ", file);
    lc_json_write_text(file, first->engine);
    fputs(",\n        \"cpu_level\": ", file);
    lc_json_write_text(file, first->cpu_level);
    fputs(",\n        \"device\": ", file);
    lc_json_write_text(file, first->device);
    fputs(",\n        \"rule\": ", file);
    lc_json_write_text(file, first->rule);
    fputs(",\n        \"surface\": ", file);
    lc_json_write_text(file, first->surface);
    fprintf(file,
            ",\n        \"threads\": %llu,\n        \"width_cells\": %.0f,\n"
            "        \"passes_a_message\": %.0f,\n"
            "        \"devices_a_host\": %llu,\n        \"overlaps\": %s,\n",
            (unsigned long long)first->threads, f->width_cells, f->passes_a_message,
            (unsigned long long)f->host_devices, f->overlaps ? "true" : "false");
    write_link(file, "link", &f->inside);
    write_link(file, "network", &f->network);
    write_link(file, "own", &f->own);
    write_curve(file, "one_slab", &f->slabs);
    write_curve(file, "one_slab_in_company", &f->company);
    write_curve(file, "one_piece", &f->wholes);
    write_checks(file, g);
    fputs("        \"lines\": [\n", file);
    for (size_t i = 0; i < g->line_count; i++) {
        fputs(i > 0 ? ",\n" : "", file);
        write_line(file, &g->lines[i]);
    }
    fputs("\n        ]\n      }", file);
}

void lc_model_write_json(const lc_model *model, FILE *file)
{
    fputs("{\n    \"groups\": [\n", file);
    for (size_t i = 0; i < model->group_count; i++) {
        fputs(i > 0 ? ",\n" : "", file);
        write_group(file, &model->groups[i]);
    }
    fputs("\n    ]\n  }", file);
}
