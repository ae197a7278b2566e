// The model's tables, as people read them.
#include <math.h>
#include <string.h>

#include "model.h"
#include "svg.h"

enum { TEXT_BYTES = 48 };

static void format_time(double seconds, char text[TEXT_BYTES])
{
    static const struct {
        double below, unit;
        const char *name;
    } units[] = {{1e-6, 1e-9, "ns"}, {1e-3, 1e-6, "us"}, {1, 1e-3, "ms"}, {INFINITY, 1, "s"}};
    size_t i = 0;
    while (seconds >= units[i].below)
        i++;
    snprintf(text, TEXT_BYTES, "%.4g %s", seconds / units[i].unit, units[i].name);
}

// "4.29 T", of cells, bytes and the like.
static void format_rate(double value, char text[TEXT_BYTES])
{
    static const char units[] = " kMGTPEZY";
    size_t i = 0;
    while (value >= 999.5 && units[i + 1] != '\0') {
        value /= 1000;
        i++;
    }
    snprintf(text, TEXT_BYTES, "%.3g%s%c", value, i > 0 ? " " : "", i > 0 ? units[i] : '\0');
}

static void format_board(const lc_scale_board *board, char text[2 * TEXT_BYTES])
{
    snprintf(text, 2 * TEXT_BYTES, "%.0f x %.0f", board->width_cells, board->height_cells);
}

static void write_link(FILE *file, const char *name, const lc_link *link)
{
    char latency[TEXT_BYTES], rate[TEXT_BYTES];
    format_time(link->latency_s, latency);
    format_rate(link->bytes_per_second, rate);
    fprintf(file, "%s %s and %sB/s", name, latency, rate);
}

static const char *unit_of(const lc_model_group *g)
{
    return g->first->on_gpu ? "GPU" : "rank";
}

static void write_heading(FILE *file, const lc_model_group *g)
{
    const lc_model_run *first = g->first;
    const lc_scale_facts *f = &g->facts;
    fprintf(file, "\nModel:   %s%s%s on %s, %s, %s %.0f cells wide", first->engine,
            first->cpu_level[0] != '\0' ? "/" : "", first->cpu_level,
            first->device[0] != '\0' ? first->device : "an unknown processor", first->rule,
            first->surface, f->width_cells);
    if (!first->on_gpu)
        fprintf(file, ", %llu thread%s a rank", (unsigned long long)first->threads,
                first->threads == 1 ? "" : "s");
    fprintf(file, ",\n         a message for %.0f pass%s, %llu %s%s a host", f->passes_a_message,
            f->passes_a_message > 1 ? "es" : "", (unsigned long long)f->host_devices, unit_of(g),
            f->host_devices > 1 ? "s" : "");
    fputs("\nLinks:  ", file);
    write_link(file, " in a host", &f->inside);
    write_link(file, ", between hosts", &f->network);
    if (f->own.latency_s > 0)
        write_link(file, ",\n         in a GPU", &f->own);
    fputs(f->overlaps ? "; hidden behind the inside of slabs\n" : "; waited for\n", file);
}

static void write_points(FILE *file, const lc_model_group *g, const lc_slab_curve *curve,
                         const char *what)
{
    for (size_t i = curve->count; i-- > 0;) {
        char time[TEXT_BYTES], rate[TEXT_BYTES];
        const lc_slab_time *p = &curve->points[i];
        format_time(p->seconds, time);
        format_rate(p->rows * g->facts.width_cells / p->seconds, rate);
        fprintf(file, "%12.0f %14s %8.0f %16s %12s\n", p->rows, what, p->pass_generations, time,
                rate);
    }
}

static void write_curves(FILE *file, const lc_model_group *g)
{
    const lc_scale_facts *f = &g->facts;
    fprintf(file, "\nOne %s, measured\n%12s %14s %8s %16s %12s\n", unit_of(g), "rows", "as",
            "a pass", "a generation", "cells/s");
    if (f->wholes.points == g->whole_points)
        write_points(file, g, &f->wholes, "one piece");
    if (f->slabs.points == g->slab_points)
        write_points(file, g, &f->slabs, "a slab");
    write_points(file, g, &f->company, "in company");
}

static void write_checks(FILE *file, const lc_model_group *g)
{
    if (g->check_count == 0)
        return;
    fprintf(file,
            "\nMeasured with several slabs, a generation\n%12s %8s %8s %8s %14s %14s %8s %8s\n",
            "rows", "ranks", "devices", "slabs", "predicted", "measured", "+-", "error");
    for (size_t i = 0; i < g->check_count; i++) {
        const lc_model_check *c = &g->checks[i];
        char predicted[TEXT_BYTES], measured[TEXT_BYTES];
        format_time(c->predicted_s, predicted);
        format_time(c->run->seconds, measured);
        fprintf(file, "%12.0f %8llu %8llu %8llu %14s %14s %6.1f %% %+6.1f %%\n",
                c->run->height_cells, (unsigned long long)c->run->ranks,
                (unsigned long long)c->run->devices,
                (unsigned long long)(c->run->devices * c->run->slabs_each), predicted, measured,
                50 * (c->run->most_s - c->run->least_s) / c->run->seconds, 100 * c->error);
    }
}

static void write_point(FILE *file, const lc_model_point *p)
{
    char time[TEXT_BYTES], speed[TEXT_BYTES], count[TEXT_BYTES];
    snprintf(count, sizeof count, "%llu", (unsigned long long)p->devices);
    if (!p->known) {
        fprintf(file, "%9s  more than there are rows\n", count);
        return;
    }
    const lc_scale_cost *c = &p->cost;
    const double share = 100 / c->all_s;
    format_time(c->all_s, time);
    format_rate(p->board.width_cells * p->board.height_cells / c->all_s, speed);
    fprintf(file, "%9s %12.0f %13s %7.1f %7.1f %7.1f %8.1f %7.1f %7.1f %10s %11.4g %8.1f %%\n",
            count, c->rows, time, share * c->cells_s, share * c->uneven_s, share * c->again_s,
            share * c->company_s, share * (c->link_s - c->hidden_s),
            share * (c->agree_s + c->answers_s), speed, p->speed_up, 100 * p->efficiency);
}

static void write_line(FILE *file, const lc_model_group *g, const lc_model_line *line)
{
    char board[2 * TEXT_BYTES];
    format_board(&line->board, board);
    fprintf(file, "\n%s scaling: %s%s, predicted\n", line->weak ? "Weak" : "Strong", board,
            line->weak ? " for each" : "");
    fprintf(file, "%9s %12s %13s %7s %7s %7s %8s %7s %7s %10s %11s %10s\n", unit_of(g), "rows",
            "a generation", "cells%", "uneven%", "again%", "company%", "link%", "agree%", "cells/s",
            "times one", "efficient");
    for (size_t i = 0; i < line->count; i++)
        write_point(file, &line->points[i]);
}

void lc_model_write_text(const lc_model *model, FILE *file)
{
    for (size_t i = 0; i < model->group_count; i++) {
        const lc_model_group *g = &model->groups[i];
        write_heading(file, g);
        write_curves(file, g);
        write_checks(file, g);
        for (size_t k = 0; k < g->line_count; k++)
            write_line(file, g, &g->lines[k]);
    }
    fputs(
        "\nuneven: slabs that are higher than others; again: rows that two devices step; company: "
        "what\nthe others of a host take; link: rows from neighbours, as far as one waits for "
        "them; agree:\nhearing of all others, and rank 0 their answers\n",
        file);
}
