// The model of scaling: its arithmetic at the ends where the answer is known, laws in between, and
// what it makes of records and files.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/company.h"
#include "bench/json_text.h"
#include "bench/model.h"
#include "support.h"

static void is_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

// A generation takes 1 us, and 1 ns for each row.
static const lc_slab_time points[] = {
    {128, 1.128e-6, 32}, {1024, 2.024e-6, 64}, {8192, 9.192e-6, 128}};
static const lc_slab_time even_points[] = {{1024, 1.024e-6, 128}};

static lc_scale_facts with(const lc_slab_time *all, size_t count)
{
    const lc_slab_curve curve = {all, count};
    return (lc_scale_facts){
        .slabs = curve,
        .wholes = curve,
        .width_cells = 4096,
        .passes_a_message = 1,
        .host_devices = 8,
        .own = {0, INFINITY},
        .inside = {0, INFINITY},
        .network = {0, INFINITY},
    };
}

static void test_curve(void **state)
{
    (void)state;
    const lc_slab_curve curve = {points, 3};
    for (size_t i = 0; i < 3; i++)
        is_near(lc_slab_curve_at(&curve, points[i].rows), points[i].seconds);
    is_near(lc_slab_curve_at(&curve, 4096), 1e-6 + 4.096e-6);    // between
    is_near(lc_slab_curve_at(&curve, 16384), 2 * 9.192e-6);      // above: the same rate
    is_near(lc_slab_curve_at(&curve, 16), 1.016e-6);             // below: the line
    const lc_slab_time odd[] = {{100, 1e-6, 1}, {200, 3e-6, 1}}; // whose line would be below 0
    is_near(lc_slab_curve_at(&(lc_slab_curve){odd, 2}, 10), 1e-7);
    is_near(lc_slab_curve_at(&(lc_slab_curve){even_points, 1}, 512), 0.512e-6);
    assert_true(lc_slab_curve_pass(&curve, 20000) == 128);
    assert_true(lc_slab_curve_pass(&curve, 1000) == 64);
    assert_true(lc_slab_curve_pass(&curve, 1) == 32);
}

// As src/cover/slabs/slab_heights.c assigns rows.
static void test_rows(void **state)
{
    (void)state;
    for (int64_t height = 1; height < 3000; height += 37)
        for (int64_t count = 1; count <= height && count < 70; count++) {
            const int64_t even = height / count >= 64 ? 16 : 1, units = height / even;
            int64_t most = 0, before = 0;
            for (int64_t i = 1; i <= count; i++) {
                const int64_t unit = units / count * i + units % count * i / count;
                const int64_t row = i == count ? height : unit * even;
                most = row - before > most ? row - before : most;
                before = row;
            }
            assert_true(lc_scale_rows((double)height, (double)count) == (double)most);
        }
}

static void test_one_device_costs_what_was_measured(void **state)
{
    (void)state;
    lc_scale_facts facts = with(points, 3);
    facts.inside = facts.network = (lc_link){1, 1};
    facts.agrees = true;
    lc_scale_cost cost;
    const lc_scale_board board = {4096, 8192}, wide = {8192, 8192};
    assert_true(lc_scale_cost_of(&facts, &board, 1, 1, &cost));
    is_near(cost.all_s, 9.192e-6);
    is_near(cost.all_s, lc_scale_alone_s(&facts, &board));
    is_near(2 * cost.all_s, lc_scale_alone_s(&facts, &wide));
    // Four slabs of it cost what they cost one after the other.
    assert_true(lc_scale_cost_of(&facts, &board, 1, 4, &cost));
    is_near(cost.all_s, 4 * (1e-6 + 2.048e-6));
}

// If links cost nothing, and rows nothing but their own time, so many are so many times as fast.
static void test_ideal(void **state)
{
    (void)state;
    lc_scale_facts facts = with(even_points, 1);
    facts.agrees = true;
    const lc_scale_board board = {4096, 1 << 20};
    for (uint64_t devices = 1; devices <= 16384; devices *= 2) {
        lc_scale_cost cost;
        assert_true(lc_scale_cost_of(&facts, &board, devices, 1, &cost));
        is_near(cost.all_s * (double)devices, lc_scale_alone_s(&facts, &board));
    }
}

// The parts of a case that was worked out by hand: 4 devices on 2 hosts.
static void test_parts(void **state)
{
    (void)state;
    lc_scale_facts facts = with(points, 3);
    facts.host_devices = 2;
    facts.inside = (lc_link){1e-6, 1e9};
    facts.network = (lc_link){8e-6, 1e9};
    facts.own = (lc_link){64e-9, 1e12};
    facts.agrees = true;
    lc_scale_cost cost;
    const lc_scale_board board = {4096, 4096 + 16};
    assert_true(lc_scale_cost_of(&facts, &board, 4, 1, &cost));
    assert_true(cost.rows == 1040 && cost.pass_generations == 64);
    is_near(cost.cells_s, 1e-6 + 1.028e-6);
    is_near(cost.uneven_s, 12e-9);
    is_near(cost.link_s, 8e-6 / 64 + 1024 / 1e9 - (64e-9 / 64 + 1024 / 1e12));
    is_near(cost.agree_s, (1e-6 + 8e-6) / 64);
    assert_true(cost.again_s == 0 && cost.hidden_s == 0);
    is_near(cost.all_s, cost.cells_s + cost.uneven_s + cost.link_s + cost.agree_s);

    // Four passes a message: latency a quarter as often, bytes as many, and 3 x 64 rows again.
    const double link_s = cost.link_s;
    facts.passes_a_message = 4;
    assert_true(lc_scale_cost_of(&facts, &board, 4, 1, &cost));
    is_near(cost.link_s - link_s, -(8e-6 - 64e-9) / 64 * 3 / 4);
    is_near(cost.again_s, 192e-9);

    // Hidden behind the inside, as far as that lasts.
    facts.overlaps = true;
    assert_true(lc_scale_cost_of(&facts, &board, 4, 1, &cost));
    is_near(cost.hidden_s, cost.link_s);
    facts.network.bytes_per_second = 1e6;
    assert_true(lc_scale_cost_of(&facts, &board, 4, 1, &cost));
    is_near(cost.hidden_s, cost.cells_s);
    assert_true(cost.all_s > cost.link_s);
}

// The others of a host take their share, and of no more than that.
static void test_company(void **state)
{
    (void)state;
    static const lc_slab_time busy[] = {{1024, 3e-6, 64}, {8192, 12e-6, 128}};
    lc_scale_facts facts = with(points, 3);
    const lc_scale_board board = {8192, 4096};
    lc_scale_cost cost;
    facts.company = (lc_slab_curve){busy, 2};
    assert_true(lc_scale_cost_of(&facts, &board, 4, 1, &cost));
    is_near(cost.company_s, 2 * (3e-6 - 2.024e-6));
    is_near(cost.all_s, 2 * 3e-6);
    facts.host_devices = 1;
    assert_true(lc_scale_cost_of(&facts, &board, 4, 1, &cost));
    is_near(cost.all_s, 2 * 2.024e-6);
    facts.host_devices = 8;
    assert_true(lc_scale_cost_of(&facts, &board, 1, 4, &cost)); // alone with its four slabs
    assert_true(cost.company_s == 0);
}

static void test_company_is_measured(void **state)
{
    (void)state;
    lc_machine machine;
    lc_machine_get(&machine);
    const int threads = machine.threads > 4 ? machine.threads / 4 : 1; // a few universes
    const lc_bench_configuration c = {
        .engine = "simd",
        .threads = threads,
        .rule = LIFE,
        .topology = {.kind = LC_TOPOLOGY_TORUS, .width_cells = 256, .height_cells = 128}};
    const lc_verify_options options = {.seed = 3};
    lc_universe *universe = NULL;
    lc_message message;
    double times = 0;
    assert_int_equal(lc_bench_universe(&universe, &c, &options, &message), LC_OK);
    assert_int_equal(lc_company_measure(universe, &c, &options, 30, 4, &times, &message), LC_OK);
    assert_true(times > 0);
    // Each of four rounds, and one to warm up, alone and together.
    assert_int_equal(lc_bench_generation(universe), 2 * 5 * 30);
    lc_universe_destroy(&universe);
}

// Rank 0 hears all others: some of all time, more with more of them.
static void test_answers(void **state)
{
    (void)state;
    lc_scale_facts facts = with(points, 3);
    const lc_scale_board board = {4096, 4096};
    lc_scale_cost without, cost;
    facts.network = (lc_link){0, 1e9};
    assert_true(lc_scale_cost_of(&facts, &board, 8, 1, &without));
    facts.answer_bytes = 500;
    facts.slice_s = 0.1;
    assert_true(lc_scale_cost_of(&facts, &board, 8, 1, &cost));
    is_near(cost.answers_s, without.all_s * 8 * 500 / 1e9 / 0.1);
    is_near(cost.all_s, without.all_s + cost.answers_s);
    assert_true(lc_scale_cost_of(&facts, &board, 1, 8, &cost));
    assert_true(cost.answers_s == 0);
}

// Rows of slabs that are thinner than the halo come from several neighbours.
static void test_thin_slabs(void **state)
{
    (void)state;
    lc_scale_facts facts = with(points, 3);
    facts.inside = (lc_link){1e-6, INFINITY};
    lc_scale_cost cost;
    assert_true(lc_scale_cost_of(&facts, &(lc_scale_board){4096, 64}, 8, 1, &cost));
    is_near(cost.link_s, 4 * 1e-6 / 32);
    assert_true(lc_scale_cost_of(&facts, &(lc_scale_board){4096, 8}, 8, 1, &cost));
    is_near(cost.link_s, 32 * 1e-6 / 32);
    assert_false(lc_scale_cost_of(&facts, &(lc_scale_board){4096, 7}, 8, 1, &cost));
}

// Whatever gets worse makes it slower; more devices on a large board make it faster.
static void test_laws(void **state)
{
    (void)state;
    const lc_scale_board boards[] = {{4096, 4096}, {65536, 65536}, {1048576, 100000}};
    for (size_t b = 0; b < 3; b++)
        for (uint64_t devices = 2; devices <= 2048; devices *= 2) {
            lc_scale_facts facts = with(points, 3);
            facts.inside = (lc_link){1e-6, 1e11};
            facts.network = (lc_link){2e-6, 1e10};
            lc_scale_cost cost, worse;
            assert_true(lc_scale_cost_of(&facts, &boards[b], devices, 1, &cost));
            assert_true(cost.all_s >= lc_scale_alone_s(&facts, &boards[b]) / (double)devices);
            lc_scale_facts slow = facts;
            slow.inside.latency_s = slow.network.latency_s = 1e-5;
            assert_true(lc_scale_cost_of(&slow, &boards[b], devices, 1, &worse));
            assert_true(worse.all_s > cost.all_s);
            slow = facts;
            slow.inside.bytes_per_second = slow.network.bytes_per_second = 1e8;
            assert_true(lc_scale_cost_of(&slow, &boards[b], devices, 1, &worse));
            assert_true(worse.all_s > cost.all_s);
            slow = facts;
            slow.agrees = true;
            assert_true(lc_scale_cost_of(&slow, &boards[b], devices, 1, &worse));
            assert_true(worse.all_s > cost.all_s);
            facts.overlaps = true;
            assert_true(lc_scale_cost_of(&facts, &boards[b], devices, 1, &worse));
            assert_true(worse.all_s < cost.all_s);
        }
}

// Small boards are bound by latency: from some number of devices on, more of them are slower.
static void test_latency(void **state)
{
    (void)state;
    lc_scale_facts facts = with(points, 3);
    facts.inside = facts.network = (lc_link){1e-5, 1e10};
    facts.agrees = true;
    lc_scale_cost few, many;
    const lc_scale_board board = {4096, 1024};
    assert_true(lc_scale_cost_of(&facts, &board, 8, 1, &few));
    assert_true(lc_scale_cost_of(&facts, &board, 512, 1, &many));
    assert_true(many.all_s > few.all_s);
    assert_true(many.link_s + many.agree_s > many.cells_s);
}

// Files -------------------------------------------------------------------------------------------

static lc_status read_text(lc_model *model, const char *text, lc_message *message)
{
    char path[] = "/tmp/lc-scale-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    *message = (lc_message){.line = 0};
    const lc_status status = lc_model_read(model, path, message);
    unlink(path);
    return status;
}

#define HEAD "{\"format\": \"lightcone bench\", \"format_version\": 1, \"records\": ["
#define RECORD(engine, plan, width, height, ns)                                                    \
    "{\"engine\": \"" engine "\", \"plan\": " plan ", \"cpu_level\": \"avx512\", \"rule\": "       \
    "\"B3/S23\", \"topology\": \"torus " #width " x " #height "\", \"threads\": 1, "               \
    "\"cpu_model\": \"A \\u0022CPU\\u0022\", \"on_gpu\": false, \"width_cells\": " #width          \
    ", \"height_cells\": " #height ", \"status\": \"LC_OK\", \"pass_generations\": 128, "          \
    "\"run_ns\": [1, 2, 3], \"times_as_long_in_company\": 1.5, \"ns_per_generation\": " #ns "}"

static const char file_text[] = HEAD RECORD("simd", "null", 4096, 4096, 4000) "," //
    RECORD("simd:blocks=1", "\"blocks=1\"", 4096, 4096, 4100) ","                 //
    RECORD("simd:blocks=1", "\"blocks=1\"", 4096, 2048, 2100) ","                 //
    RECORD("simd:blocks=2", "\"blocks=2\"", 4096, 4096, 4300) ","                 //
    RECORD("simd", "\"ranks=2,blocks=1\"", 4096, 4096, 2150) ","                  //
    RECORD("simd", "\"ranks=2,blocks=2\"", 4096, 4096, 2200) ","                  //
    RECORD("simd", "null", 8192, 64, 400) "], \"more\": {\"a\": [1, {}]}}";

static void test_files(void **state)
{
    (void)state;
    lc_model model;
    lc_message message;
    const lc_model_options options = {
        .inside = {1e-6, 1e9}, .network = {1e-6, INFINITY}, .passes_a_message = 1};
    lc_model_begin(&model, &options);
    assert_int_equal(read_text(&model, file_text, &message), LC_OK);
    assert_int_equal(model.run_count, 7);
    assert_string_equal(model.runs[0].device, "A \"CPU\"");
    assert_string_equal(model.runs[0].surface, "torus");
    assert_int_equal(lc_model_solve(&model, &message), LC_OK);
    assert_int_equal(model.group_count, 2);
    const lc_model_group *g = &model.groups[0];
    assert_int_equal(g->facts.slabs.count, 2);
    assert_int_equal(g->facts.wholes.count, 1);
    assert_int_equal(g->facts.company.count, 2);
    is_near(g->facts.company.points[0].seconds, 3150e-9);
    assert_int_equal(g->check_count, 3);
    is_near(g->checks[0].predicted_s, 4200e-9);
    is_near(g->checks[0].error, 4200. / 4300 - 1);
    is_near(g->checks[1].predicted_s, 3150e-9 + 1e-6 / 128 + 1024 / 1e9 + 1e-6 / 128);
    assert_int_equal(g->checks[2].run->devices, 2);
    assert_int_equal(g->checks[2].run->slabs_each, 2);
    is_near(g->lines[0].points[0].speed_up, 1);
    assert_true(g->lines[0].points[1].devices == 2);
    is_near(g->lines[0].points[1].speed_up, 4000e-9 / g->checks[1].predicted_s);
    // Weak scaling: what a slab costs more than a board in one piece, and the link.
    const lc_model_line *weak = &g->lines[g->line_count - 1];
    assert_true(weak->weak);
    for (size_t i = 1; i < weak->count; i++) {
        assert_true(weak->points[i].known);
        assert_true(weak->points[i].efficiency <= weak->points[i - 1].efficiency + 1e-12);
    }
    lc_model_end(&model);
}

// A board that is named is asked of the group whose width is the nearest below.
static void test_boards(void **state)
{
    (void)state;
    lc_model model;
    lc_message message;
    const lc_model_options options = {.passes_a_message = 1,
                                      .boards = {{6000, 6000}, {8192, 100}, {4096, 16}},
                                      .board_count = 3,
                                      .counts = {2, 50},
                                      .count_count = 2};
    lc_model_begin(&model, &options);
    assert_int_equal(read_text(&model, file_text, &message), LC_OK);
    assert_int_equal(lc_model_solve(&model, &message), LC_OK);
    assert_int_equal(model.groups[0].line_count, 3); // two boards, and weak
    assert_int_equal(model.groups[1].line_count, 2);
    assert_true(model.groups[0].lines[0].board.width_cells == 6000);
    assert_true(model.groups[0].lines[1].board.width_cells == 4096);
    assert_true(model.groups[1].lines[0].board.width_cells == 8192);
    assert_int_equal(model.groups[0].lines[1].count, 2);
    assert_true(model.groups[0].lines[1].points[0].known);
    assert_false(model.groups[0].lines[1].points[1].known); // 50 devices, 16 rows
    lc_model_end(&model);

    const lc_model_options narrow = {
        .passes_a_message = 1, .boards = {{4095, 9999}}, .board_count = 1};
    lc_model_begin(&model, &narrow);
    assert_int_equal(read_text(&model, file_text, &message), LC_OK);
    assert_int_equal(lc_model_solve(&model, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "4095 cells wide is narrower"));
    lc_model_end(&model);
}

// GPUs: what is queued at a time says nothing of a pass, the plan does; GPUs of a host do not
// agree.
static void test_gpus(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "{\"engine\": \"cuda:blocks=1\", \"plan\": \"blocks=1,words=4,generations=8\", "
             "\"gpu_name\": \"G\", \"cpu_model\": \"C\", \"on_gpu\": true, \"threads\": 16, "
             "\"width_cells\": 4096, \"height_cells\": 4096, \"status\": \"LC_OK\", "
             "\"pass_generations\": 640, \"ns_per_generation\": 1000}, "
             "{\"engine\": \"cuda:devices=0+1\", \"plan\": "
             "\"blocks=4,devices=0+1,words=4,generations=8\", \"gpu_name\": \"G\", \"on_gpu\": "
             "true, \"width_cells\": 4096, \"height_cells\": 4096, \"status\": \"LC_OK\", "
             "\"pass_generations\": 640, \"ns_per_generation\": 510}, "
             "{\"engine\": \"cuda\", \"width_cells\": 1, \"status\": \"LC_ERROR_DEVICE\"}]}";
    lc_model model;
    lc_message message;
    const lc_model_options options = {.passes_a_message = 1};
    lc_model_begin(&model, &options);
    assert_int_equal(read_text(&model, text, &message), LC_OK);
    assert_int_equal(model.run_count, 2);
    assert_string_equal(model.runs[0].device, "G");
    assert_int_equal(lc_model_solve(&model, &message), LC_OK);
    const lc_model_group *g = &model.groups[0];
    assert_int_equal(g->check_count, 1);
    assert_int_equal(g->checks[0].run->devices, 2);
    assert_int_equal(g->checks[0].run->slabs_each, 2);
    assert_true(g->checks[0].cost.pass_generations == 8);
    assert_true(g->checks[0].cost.agree_s == 0 && g->checks[0].cost.link_s > 0);
    const lc_model_line *line = &g->lines[0];
    for (size_t i = 0; i < line->count; i++)
        assert_true((line->points[i].cost.agree_s > 0) == (line->points[i].devices > 8));
    lc_model_end(&model);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        lc_status status;
    } cases[] = {
        {"", "too early", LC_ERROR_FORMAT},
        {"{}", "no file of", LC_ERROR_FORMAT},
        {"[1, 2]", "no file of", LC_ERROR_FORMAT},
        {"{\"format\": \"another\", \"records\": []}", "no file of", LC_ERROR_FORMAT},
        {"{\"format\": \"lightcone bench\", \"format_version\": 2}", "later", LC_ERROR_FORMAT},
        {HEAD "{\"status\": \"LC_OK\"}]}", "no engine or no board (record 1)", LC_ERROR_FORMAT},
        {HEAD RECORD("simd", "null", 4096, 4096, 0) "]}", "no time", LC_ERROR_FORMAT},
        {HEAD RECORD("simd", "null", 4096.5, 4096, 1) "]}", "no board", LC_ERROR_FORMAT},
        {HEAD RECORD("simd", "null", 1e300, 1, 1) "]}", "no board", LC_ERROR_FORMAT},
        {HEAD "]", "closing bracket", LC_ERROR_FORMAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_model model;
        lc_message message;
        const lc_model_options options = {.passes_a_message = 1};
        lc_model_begin(&model, &options);
        assert_int_equal(read_text(&model, cases[i].text, &message), cases[i].status);
        if (strstr(message.text, cases[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", message.text, cases[i].says);
        lc_model_end(&model);
    }
    lc_model model;
    lc_message message;
    const lc_model_options options = {.passes_a_message = 1};
    lc_model_begin(&model, &options);
    assert_int_equal(lc_model_read(&model, "/nowhere/at/all.json", &message), LC_ERROR_IO);
    // Ranks alone are no beginning.
    assert_int_equal(
        read_text(&model, HEAD RECORD("simd", "\"ranks=2,blocks=1\"", 64, 64, 1) "]}", &message),
        LC_OK);
    assert_int_equal(lc_model_solve(&model, &message), LC_ERROR_ARGUMENT);
    lc_model_end(&model);
}

// JSON --------------------------------------------------------------------------------------------

typedef struct heard {
    char text[512];
    int left; // values until enough was heard; below 0: never
} heard;

static bool hear(void *context, const lc_json_value *v)
{
    heard *h = context;
    char one[128];
    snprintf(one, sizeof one, "%d%s%c%s%s%.6g ", v->depth, v->key, "{[;sntf0"[v->kind],
             v -> kind == LC_JSON_STRING ? v -> text : "", v->kind == LC_JSON_NUMBER ? "=" : "",
             v->number);
    strncat(h->text, one, sizeof h->text - strlen(h->text) - 1);
    return --h->left != 0;
}

static lc_status walk(const char *text, heard *h, lc_message *message)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    const lc_status status = lc_json_walk(copy, strlen(copy), hear, h, message);
    free(copy);
    return status;
}

static void test_json(void **state)
{
    (void)state;
    lc_message message;
    heard h = {.text = ""};
    assert_int_equal(
        walk(" {\"a\": [1, -2.5e3, true ], \"b\\n\":\"\\u00e9\\ud83d\\ude00\\\\\", \"c\": null,"
             "\"d\": {}, \"e\": false}\n",
             &h, &message),
        LC_OK);
    assert_string_equal(h.text, "0{0 1a[0 2n=1 2n=-2500 2t0 1a;0 1b\ns\xc3\xa9\xf0\x9f\x98\x80\\0 "
                                "1c00 1d{0 1d;0 1ef0 0;0 ");
    h = (heard){.left = 2};
    assert_int_equal(walk("[1, 2, wrong", &h, &message), LC_OK); // heard enough before
    assert_string_equal(h.text, "0[0 1n=1 ");

    static const struct {
        const char *text;
        uint64_t line, column;
    } wrong[] = {
        {"{\"a\" 1}", 1, 6}, {"[1 2]", 1, 4},       {"{\n\"a\": 01}", 2, 6}, {"\"ab", 1, 4},
        {"\"\\x\"", 1, 4},   {"\"\\ud800\"", 1, 8}, {"\"\\u12g4\"", 1, 4},   {"[1,]", 1, 4},
        {"1.", 1, 1},        {"1e", 1, 1},          {"nul", 1, 1},           {"[] []", 1, 4},
        {"{1: 2}", 1, 2},    {"1e999", 1, 6},       {"\"a\tb\"", 1, 4},      {"+1", 1, 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        h = (heard){.left = -1};
        assert_int_equal(walk(wrong[i].text, &h, &message), LC_ERROR_FORMAT);
        if (message.line != wrong[i].line || message.column != wrong[i].column)
            fail_msg("%s: line %d, column %d: %s", wrong[i].text, (int)message.line,
                     (int)message.column, message.text);
    }
    char deep[100];
    memset(deep, '[', 99);
    deep[99] = '\0';
    assert_int_equal(walk(deep, &h, &message), LC_ERROR_FORMAT);
    assert_non_null(strstr(message.text, "nested"));
}

// What the model writes is JSON, and has a line for each board.
typedef struct counted {
    size_t lines, points, checks;
    int bad;
} counted;

static bool count(void *context, const lc_json_value *v)
{
    counted *c = context;
    c->lines += strcmp(v->key, "scaling") == 0;
    c->points += strcmp(v->key, "efficiency") == 0;
    c->checks += strcmp(v->key, "error") == 0;
    c->bad += v->kind == LC_JSON_NULL;
    return true;
}

static void test_what_is_written(void **state)
{
    (void)state;
    lc_model model;
    lc_message message;
    const lc_model_options options = {
        .passes_a_message = 1, .counts = {1, 2, 100000}, .count_count = 3};
    lc_model_begin(&model, &options);
    assert_int_equal(read_text(&model, file_text, &message), LC_OK);
    assert_int_equal(lc_model_solve(&model, &message), LC_OK);
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    lc_model_write_json(&model, file);
    fclose(file);
    counted c = {0};
    assert_int_equal(lc_json_walk(text, bytes, count, &c, &message), LC_OK);
    free(text);
    assert_int_equal(c.lines, 4);
    assert_int_equal(c.points, 2 + 3 + 2 + 3); // strong: not more devices than rows
    assert_int_equal(c.checks, 3);
    assert_int_equal(c.bad, 2); // links within a CPU cost nothing: no number for their rate

    file = open_memstream(&text, &bytes);
    lc_model_write_text(&model, file);
    fclose(file);
    assert_non_null(strstr(text, "Strong scaling: 4096 x 4096"));
    assert_non_null(strstr(text, "more than there are rows"));
    assert_non_null(strstr(text, "Measured with several slabs"));
    free(text);
    lc_model_end(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_one_device_costs_what_was_measured),
        cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_company),
        cmocka_unit_test(test_company_is_measured),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_thin_slabs),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_gpus),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_what_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
