#include "scale.h"

#include <math.h>

enum {
    EVEN_ROWS = 16,      // as the library cuts boards: a slab's height is a multiple of it,
    LEAST_EVEN_ROWS = 64 // where slabs are as high as that
};

double lc_slab_curve_at(const lc_slab_curve *curve, double rows)
{
    const lc_slab_time *p = curve->points;
    const size_t last = curve->count - 1;
    if (last == 0 || rows >= p[last].rows)
        return p[last].seconds * rows / p[last].rows;
    size_t i = 1;
    while (i < last && rows > p[i].rows)
        i++;
    const double slope = (p[i].seconds - p[i - 1].seconds) / (p[i].rows - p[i - 1].rows);
    const double line = p[i - 1].seconds + slope * (rows - p[i - 1].rows);
    return rows < p[0].rows ? fmax(line, p[0].seconds * rows / p[0].rows) : line;
}

double lc_slab_curve_pass(const lc_slab_curve *curve, double rows)
{
    const lc_slab_time *nearest = &curve->points[0];
    for (size_t i = 1; i < curve->count; i++)
        if (fabs(log(curve->points[i].rows / rows)) <= fabs(log(nearest->rows / rows)))
            nearest = &curve->points[i];
    return nearest->pass_generations;
}

double lc_scale_rows(double height_cells, double slabs)
{
    const double even = height_cells / slabs >= LEAST_EVEN_ROWS ? EVEN_ROWS : 1;
    const double units = floor(height_cells / even);
    return ceil(units / slabs) * even + (height_cells - units * even);
}

// Of the messages before a pass, for each of its generations.
static double exchange_s(const lc_scale_facts *facts, const lc_link *link, double pass,
                         double messages, double width_cells)
{
    return link->latency_s * messages / facts->passes_a_message / pass +
           2 * width_cells / 8 / link->bytes_per_second;
}

static double link_s(const lc_scale_facts *facts, const lc_scale_board *board, uint64_t devices,
                     double slabs, double pass)
{
    const double deep = pass * facts->passes_a_message, width = board->width_cells;
    const double messages = ceil(deep / floor(board->height_cells / slabs));
    double slowest_s = 0;
    if (facts->host_devices > 1)
        slowest_s = exchange_s(facts, &facts->inside, pass, messages, width);
    if (devices > facts->host_devices)
        slowest_s = fmax(slowest_s, exchange_s(facts, &facts->network, pass, messages, width));
    return fmax(slowest_s - exchange_s(facts, &facts->own, pass, 1, width), 0);
}

static double agree_s(const lc_scale_facts *facts, uint64_t devices, double pass)
{
    const uint64_t hosts = (devices + facts->host_devices - 1) / facts->host_devices;
    const uint64_t here = devices < facts->host_devices ? devices : facts->host_devices;
    return (ceil(log2((double)here)) * facts->inside.latency_s +
            ceil(log2((double)hosts)) * facts->network.latency_s) /
           facts->passes_a_message / pass;
}

bool lc_scale_cost_of(const lc_scale_facts *facts, const lc_scale_board *board, uint64_t devices,
                      uint64_t slabs_each, lc_scale_cost *cost)
{
    const double slabs = (double)devices * (double)slabs_each;
    // Wider boards than those measured are as fast, cell for cell.
    const double scale = (double)slabs_each * board->width_cells / facts->width_cells;
    const double even = board->height_cells / slabs;
    if (even < 1)
        return false;
    *cost = (lc_scale_cost){.rows = lc_scale_rows(board->height_cells, slabs)};
    cost->pass_generations = lc_slab_curve_pass(&facts->slabs, cost->rows);
    const double again = (facts->passes_a_message - 1) * cost->pass_generations;
    const double rows_s = lc_slab_curve_at(&facts->slabs, cost->rows);
    cost->cells_s = scale * lc_slab_curve_at(&facts->slabs, even);
    cost->uneven_s = scale * rows_s - cost->cells_s;
    if (devices > 1) {
        const double stepped_s = lc_slab_curve_at(&facts->slabs, cost->rows + again);
        cost->again_s = scale * (stepped_s - rows_s);
        if (facts->host_devices > 1 && facts->company.count > 0)
            cost->company_s =
                scale * (lc_slab_curve_at(&facts->company, cost->rows + again) - stepped_s);
        cost->link_s = link_s(facts, board, devices, slabs, cost->pass_generations);
        cost->hidden_s = facts->overlaps ? fmin(cost->link_s, cost->cells_s) : 0;
        cost->agree_s = facts->agrees ? agree_s(facts, devices, cost->pass_generations) : 0;
    }
    cost->all_s = cost->cells_s + cost->uneven_s + cost->again_s + cost->company_s + cost->link_s -
                  cost->hidden_s + cost->agree_s;
    if (devices > 1 && facts->answer_bytes > 0)
        cost->answers_s = cost->all_s * (double)devices * facts->answer_bytes /
                          facts->network.bytes_per_second / facts->slice_s;
    cost->all_s += cost->answers_s;
    return true;
}

double lc_scale_alone_s(const lc_scale_facts *facts, const lc_scale_board *board)
{
    return board->width_cells / facts->width_cells *
           lc_slab_curve_at(&facts->wholes, board->height_cells);
}
