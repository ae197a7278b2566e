// The model: groups of runs, their curves, and the lines that follow from them.
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What a link is if nobody measured it.
//
// Between GPUs of a host: NVLink of H200s, measured. Between hosts: InfiniBand of 400 Gb/s for each
// host, as its makers state it. Within a GPU: two copies of some rows, as a slab alone makes them.
// Between ranks of a host: Open MPI through shared memory, and packing and unpacking rows, which is
// most of it, measured; between hosts the same behind 200 Gb/s. docs/scale.md says more.
static const lc_link gpu_inside = {2.2e-6, 396e9}, gpu_network = {5e-6, 50e9},
                     gpu_own = {2.0e-6, 2e12}, cpu_inside = {2e-6, 6e9}, cpu_network = {5e-6, 5e9},
                     nothing = {0, INFINITY};

enum { GPUS_A_HOST = 8, RANKS_A_HOST = 64 };

// The size of a rank's reply to rank 0 (lc_rank_reply), and the time between two replies
// (engine/time_slice.h).
static const double answer_bytes = 584, slice_s = 0.05;

static const uint64_t gpu_counts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
                      cpu_counts[] = {1,    2,    4,     8,     16,     64,     256,
                                      1024, 4096, 16384, 65536, 262144, 1000000};

void lc_model_begin(lc_model *model, const lc_model_options *options)
{
    *model = (lc_model){.options = *options};
}

static void free_group(lc_model_group *g)
{
    free(g->slab_points);
    free(g->whole_points);
    free(g->company_points);
    free(g->checks);
    for (size_t i = 0; i < g->line_count; i++)
        free(g->lines[i].points);
    *g = (lc_model_group){.first = NULL};
}

void lc_model_end(lc_model *model)
{
    for (size_t i = 0; i < model->group_count; i++)
        free_group(&model->groups[i]);
    free(model->runs);
    *model = (lc_model){.runs = NULL};
}

// Groups ------------------------------------------------------------------------------------------

static bool are_alike(const lc_model_run *a, const lc_model_run *b)
{
    return a->on_gpu == b->on_gpu && a->threads == b->threads &&
           strcmp(a->engine, b->engine) == 0 && strcmp(a->cpu_level, b->cpu_level) == 0 &&
           strcmp(a->rule, b->rule) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->surface, b->surface) == 0;
}

static bool belong_together(const lc_model_run *a, const lc_model_run *b)
{
    return are_alike(a, b) && a->width_cells == b->width_cells;
}

static bool is_alone(const lc_model_run *run)
{
    return run->devices == 1 && run->slabs_each <= 1;
}

static int by_rows(const void *a, const void *b)
{
    const lc_slab_time *p = a, *q = b;
    return (p->rows > q->rows) - (p->rows < q->rows);
}

typedef enum curve_kind { PIECES, SLABS, SLABS_IN_COMPANY } curve_kind;

// What a run says of a curve; 0: nothing.
static double curve_seconds(const lc_model_run *run, curve_kind kind)
{
    if ((run->slabs_each == 1) != (kind != PIECES))
        return 0;
    if (kind != SLABS_IN_COMPANY)
        return run->seconds;
    return run->company > 0 ? run->seconds * fmax(run->company, 1) : 0;
}

// The curve of a group's runs of one slab, or of one piece. Of the same height the last one
// counts: it was measured again.
static lc_status make_curve(const lc_model *model, const lc_model_run *first, curve_kind kind,
                            lc_slab_time **points, lc_slab_curve *curve)
{
    size_t count = 0;
    lc_slab_time *all = calloc(model->run_count, sizeof *all);
    if (all == NULL)
        return LC_ERROR_MEMORY;
    for (size_t i = 0; i < model->run_count; i++) {
        const lc_model_run *run = &model->runs[i];
        const double seconds = curve_seconds(run, kind);
        if (!belong_together(run, first) || !is_alone(run) || seconds == 0)
            continue;
        size_t k = 0;
        while (k < count && all[k].rows != run->height_cells)
            k++;
        all[k] = (lc_slab_time){run->height_cells, seconds, fmax(run->pass_generations, 1)};
        count = k == count ? count + 1 : count;
    }
    qsort(all, count, sizeof *all, by_rows);
    *points = all;
    *curve = (lc_slab_curve){all, count};
    return LC_OK;
}

static lc_link chosen(lc_link asked, lc_link usual)
{
    return asked.bytes_per_second > 0 ? asked : usual;
}

static lc_status make_facts(const lc_model *model, lc_model_group *g)
{
    const lc_model_options *o = &model->options;
    const bool gpu = g->first->on_gpu;
    lc_scale_facts *f = &g->facts;
    *f = (lc_scale_facts){
        .width_cells = g->first->width_cells,
        .passes_a_message = (double)o->passes_a_message,
        .host_devices = o->host_devices > 0 ? o->host_devices
                        : gpu               ? GPUS_A_HOST
                                            : RANKS_A_HOST,
        .inside = chosen(o->inside, gpu ? gpu_inside : cpu_inside),
        .network = chosen(o->network, gpu ? gpu_network : cpu_network),
        .overlaps = o->overlaps,
    };
    lc_status status = make_curve(model, g->first, SLABS, &g->slab_points, &f->slabs);
    if (status == LC_OK)
        status = make_curve(model, g->first, SLABS_IN_COMPANY, &g->company_points, &f->company);
    if (status == LC_OK)
        status = make_curve(model, g->first, PIECES, &g->whole_points, &f->wholes);
    f->own = gpu && f->slabs.count > 0 ? gpu_own : nothing;
    if (f->slabs.count == 0)
        f->slabs = f->wholes;
    if (f->wholes.count == 0)
        f->wholes = f->slabs;
    return status;
}

// Several GPUs of a host are one process' and need not agree; ranks do.
static lc_scale_facts facts_for(const lc_model_group *g, uint64_t devices)
{
    lc_scale_facts facts = g->facts;
    facts.agrees = !g->first->on_gpu || devices > facts.host_devices;
    facts.answer_bytes = facts.agrees ? answer_bytes : 0;
    facts.slice_s = slice_s;
    return facts;
}

// Comparing ---------------------------------------------------------------------------------------

static lc_status make_checks(const lc_model *model, lc_model_group *g)
{
    g->checks = calloc(model->run_count, sizeof *g->checks);
    if (g->checks == NULL)
        return LC_ERROR_MEMORY;
    for (size_t i = 0; i < model->run_count; i++) {
        const lc_model_run *run = &model->runs[i];
        const lc_scale_board board = {run->width_cells, run->height_cells};
        lc_model_check *c = &g->checks[g->check_count];
        lc_scale_facts facts = facts_for(g, run->devices);
        facts.agrees = run->ranks > 1;
        facts.answer_bytes = run->ranks > 1 ? answer_bytes : 0;
        if (!belong_together(run, g->first) || is_alone(run) ||
            !lc_scale_cost_of(&facts, &board, run->devices, run->slabs_each, &c->cost))
            continue;
        c->run = run;
        c->predicted_s = c->cost.all_s;
        c->error = c->predicted_s / run->seconds - 1;
        g->check_count++;
    }
    return LC_OK;
}

// Lines -------------------------------------------------------------------------------------------

static lc_status make_line(const lc_model *model, lc_model_group *g, bool weak,
                           lc_scale_board board)
{
    const lc_model_options *o = &model->options;
    const bool gpu = g->first->on_gpu;
    const uint64_t *counts = o->count_count > 0 ? o->counts : gpu ? gpu_counts : cpu_counts;
    const size_t count = o->count_count > 0 ? o->count_count
                         : gpu              ? sizeof gpu_counts / sizeof *gpu_counts
                                            : sizeof cpu_counts / sizeof *cpu_counts;
    lc_model_line *line = &g->lines[g->line_count];
    *line = (lc_model_line){.weak = weak, .board = board, .count = count};
    line->alone_s = lc_scale_alone_s(&g->facts, &board);
    line->points = calloc(count, sizeof *line->points);
    if (line->points == NULL)
        return LC_ERROR_MEMORY;
    g->line_count++;
    for (size_t i = 0; i < count; i++) {
        lc_model_point *p = &line->points[i];
        const lc_scale_facts facts = facts_for(g, counts[i]);
        *p = (lc_model_point){.devices = counts[i], .board = board};
        if (weak)
            p->board.height_cells *= (double)counts[i];
        if (counts[i] == 1) // in one piece, as one would
            p->cost = (lc_scale_cost){
                .rows = board.height_cells, .cells_s = line->alone_s, .all_s = line->alone_s};
        p->known = counts[i] == 1 || lc_scale_cost_of(&facts, &p->board, counts[i], 1, &p->cost);
        if (!p->known)
            continue;
        const double gain = line->alone_s / p->cost.all_s;
        p->speed_up = weak ? gain * (double)counts[i] : gain;
        p->efficiency = p->speed_up / (double)counts[i];
    }
    return LC_OK;
}

// Of groups that differ in their width alone, the widest that is not wider than the board says what
// becomes of it. None does if all are wider: narrow boards are slower, cell for cell.
static bool is_for(const lc_model *model, const lc_model_group *g, const lc_scale_board *board)
{
    const double own = g->facts.width_cells;
    if (own > board->width_cells)
        return false;
    for (size_t i = 0; i < model->run_count; i++) {
        const lc_model_run *run = &model->runs[i];
        if (is_alone(run) && are_alike(run, g->first) && run->width_cells > own &&
            run->width_cells <= board->width_cells)
            return false;
    }
    return true;
}

static lc_status make_lines(const lc_model *model, lc_model_group *g)
{
    const lc_model_options *o = &model->options;
    const lc_slab_curve *all = &g->facts.wholes;
    const lc_scale_board largest = {g->facts.width_cells, all->points[all->count - 1].rows};
    lc_status status = LC_OK;
    for (size_t i = 0; i < o->board_count && status == LC_OK; i++)
        if (is_for(model, g, &o->boards[i]))
            status = make_line(model, g, false, o->boards[i]);
    if (o->board_count == 0)
        status = make_line(model, g, false, largest);
    return status == LC_OK ? make_line(model, g, true, largest) : status;
}

lc_status lc_model_solve(lc_model *model, lc_message *message)
{
    lc_status status = LC_OK;
    for (size_t i = 0; i < model->run_count && status == LC_OK; i++) {
        const lc_model_run *run = &model->runs[i];
        size_t k = 0;
        while (k < model->group_count && !belong_together(run, model->groups[k].first))
            k++;
        if (!is_alone(run) || k < model->group_count)
            continue;
        if (k == LC_MODEL_GROUPS_MAX)
            return lc_fail(message, LC_ERROR_LIMIT,
                           "runs of more than %d kinds: give the model fewer of them",
                           (int)LC_MODEL_GROUPS_MAX);
        lc_model_group *g = &model->groups[model->group_count++];
        *g = (lc_model_group){.first = run};
        status = make_facts(model, g);
        if (status == LC_OK)
            status = make_checks(model, g);
        if (status == LC_OK)
            status = make_lines(model, g);
    }
    if (status != LC_OK)
        return lc_fail(message, status, "out of memory for the model");
    for (size_t i = 0; i < model->options.board_count; i++) {
        const lc_scale_board *board = &model->options.boards[i];
        bool taken = model->group_count == 0;
        for (size_t k = 0; k < model->group_count && !taken; k++)
            taken = is_for(model, &model->groups[k], board);
        if (!taken)
            return lc_fail(
                message, LC_ERROR_ARGUMENT,
                "a board %.0f cells wide is narrower than all that was measured: measure "
                "one that is no wider",
                board->width_cells);
    }
    if (model->group_count == 0)
        return lc_fail(
            message, LC_ERROR_ARGUMENT,
            "nothing was measured with one device alone, which is where the model begins");
    return LC_OK;
}
