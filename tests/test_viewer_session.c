// The session without clients: the ways back to a beginning, to a snapshot, and to what was edited
// before it ran.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"
#include "support_facts.h"
#include "viewer/session.h"
#include "viewer_client.h"

// What the session has called.
typedef struct heard {
    int passes, busy, over;
    int most_passes;
} heard;

static bool passed(void *context)
{
    heard *h = context;
    return ++h->passes >= h->most_passes;
}

static bool in_a_pass(void *context)
{
    (void)context;
    return false;
}

static void busy(void *context, const char *doing)
{
    heard *h = context;
    if (*doing != '\0')
        h->busy++;
    else
        h->over++;
}

static lc_status reopen(void *context, lc_universe **out, lc_message *message)
{
    (void)context;
    (void)message;
    *out = viewer_glider();
    return LC_OK;
}

static void open_session(lc_session *session, heard *h, bool has_a_way_back)
{
    const lc_session_calls calls = {
        .passed = passed, .in_a_pass = in_a_pass, .busy = busy, .context = h};
    lc_viewer_options options = viewer_options();
    options.reopen = has_a_way_back ? reopen : NULL;
    *h = (heard){.most_passes = 1000000};
    assert_int_equal(lc_session_create(session, &options, &calls, viewer_glider(), NULL), LC_OK);
}

static void close_session(lc_session *session)
{
    char folder[sizeof session->folder.path];
    snprintf(folder, sizeof folder, "%s", session->folder.path);
    lc_universe *universe = lc_session_close(session);
    assert_non_null(universe);
    lc_universe_destroy(&universe);
    assert_true(*folder == '\0' || access(folder, F_OK) != 0);
}

static void draw_by(lc_session *session, uint32_t stroke, int64_t x, int64_t y)
{
    const lc_rectangle row = {x, y, 3, 1};
    assert_int_equal(lc_edits_paint(session->edits, session->universe, LC_PAINT_ALIVE, stroke, &row,
                                    1, false, NULL),
                     LC_OK);
    lc_session_edited(session, stroke);
}

static void draw(lc_session *session, int64_t x, int64_t y)
{
    draw_by(session, 0, x, y);
}

// As the thread does it.
static void run(lc_session *session, uint64_t generations)
{
    assert_int_equal(lc_session_keep_edits(session, NULL), LC_OK);
    assert_int_equal(lc_session_keep_origin(session, NULL), LC_OK);
    assert_int_equal(lc_session_step(session, lc_count_of(generations), NULL), LC_OK);
}

// Whoever looks is shown each generation once.
static void a_pass_is_one_change(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    for (int i = 0; i < 5; i++) {
        const uint64_t before = session.revision;
        run(&session, 1);
        assert_int_equal(session.revision, before + 1);
    }
    const uint64_t before = session.revision;
    const int passes = h.passes;
    run(&session, 1000);
    assert_true(h.passes > passes);
    assert_int_equal(session.revision, before + (uint64_t)(h.passes - passes));
    draw(&session, 100, 100);
    assert_int_equal(session.revision, before + (uint64_t)(h.passes - passes) + 1);
    close_session(&session);
}

// A viewer begins without reading hundreds of patterns that perhaps nobody asks for.
static void the_library_is_read_when_it_is_asked_for(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    assert_null(session.library);
    assert_int_equal(lc_session_open_library(&session, NULL), LC_OK);
    const lc_library *library = session.library;
    assert_non_null(lc_library_at(library, 0));
    assert_int_equal(lc_session_open_library(&session, NULL), LC_OK);
    assert_ptr_equal(session.library, library);
    close_session(&session);
}

static void a_reset_goes_back_to_what_was_edited(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    const uint64_t glider = test_hash(session.universe);
    run(&session, 9);
    assert_false(session.at_origin);
    assert_int_equal(h.busy, 0); // as it was made, it can be made again
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_true(session.at_origin);
    assert_int_equal(test_hash(session.universe), glider);
    draw(&session, 100, 100);
    const uint64_t drawn = test_hash(session.universe);
    assert_int_not_equal(drawn, glider);
    run(&session, 9);
    assert_int_equal(h.busy, 2); // for the undoing, and for the reset
    assert_int_equal(h.over, 2);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), drawn);
    assert_int_equal(test_generation(session.universe), 0);
    // It is kept already; and an edit on the way is none of the beginning.
    run(&session, 9);
    assert_int_equal(h.busy, 2);
    draw(&session, 200, 200);
    run(&session, 9);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), drawn);
    close_session(&session);
}

// Where nothing can be kept the edits are lost to undoing and to a reset, and nothing else is.
static void it_runs_even_if_nothing_can_be_kept(void **state)
{
    (void)state;
    lc_session session;
    lc_message message = {0};
    heard h;
    open_session(&session, &h, true);
    const uint64_t glider = test_hash(session.universe);
    draw(&session, 60, 60);
    const char *usual = session.folder.base;
    session.folder.base = "/no/such/folder";
    assert_int_equal(lc_session_keep_edits(&session, &message), LC_ERROR_IO);
    assert_string_not_equal(message.text, "");
    assert_int_equal(lc_session_keep_origin(&session, NULL), LC_ERROR_IO);
    assert_int_equal(lc_session_take_snapshot(&session, NULL), LC_ERROR_IO);
    assert_int_equal(h.busy, 2);
    assert_int_equal(h.over, 2);
    assert_int_equal(session.snapshot_count, 0);
    session.folder.base = usual;
    assert_int_equal(lc_session_step(&session, lc_count_of(4), NULL), LC_OK);
    assert_int_equal(test_generation(session.universe), 4);
    assert_false(lc_session_can_undo(&session));
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), glider);
    close_session(&session);
}

static void a_universe_that_cannot_be_made_again_is_kept(void **state)
{
    (void)state;
    lc_session session;
    lc_message message = {0};
    heard h;
    open_session(&session, &h, false);
    const uint64_t glider = test_hash(session.universe);
    assert_int_equal(lc_session_reset(&session, &message), LC_ERROR_ARGUMENT);
    assert_string_not_equal(message.text, "");
    run(&session, 20);
    assert_int_equal(h.busy, 1);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), glider);
    close_session(&session);
}

static void undoing_goes_back_to_before_it_ran(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    run(&session, 4);
    assert_false(lc_session_can_undo(&session));
    draw(&session, 50, 50);
    const uint64_t drawn = test_hash(session.universe);
    assert_true(lc_edits_can_undo(session.edits));
    run(&session, 4);
    assert_false(lc_edits_can_undo(session.edits));
    assert_true(session.has_before && lc_session_can_undo(&session));
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), drawn);
    assert_int_equal(test_generation(session.universe), 4);
    assert_false(lc_session_can_undo(&session)); // once
    close_session(&session);
}

static void snapshots_come_back(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    uint64_t hashes[LC_USER_SNAPSHOTS_MAX];
    open_session(&session, &h, true);
    for (uint32_t i = 0; i < LC_USER_SNAPSHOTS_MAX; i++) {
        run(&session, 3);
        hashes[i] = test_hash(session.universe);
        assert_int_equal(lc_session_take_snapshot(&session, NULL), LC_OK);
        assert_int_equal(session.snapshots[i].id, i + 1);
        assert_int_equal(session.snapshots[i].generation.words[0], 3 * (i + 1));
        assert_int_equal(session.snapshots[i].population.words[0], 5);
    }
    assert_null(lc_session_find_snapshot(&session, LC_USER_SNAPSHOTS_MAX + 1));
    lc_session_delete_snapshot(&session, lc_session_find_snapshot(&session, 3));
    assert_null(lc_session_find_snapshot(&session, 3));
    assert_int_equal(session.snapshot_count, LC_USER_SNAPSHOTS_MAX - 1);
    for (uint32_t id = LC_USER_SNAPSHOTS_MAX; id > 0; id--) {
        if (id == 3)
            continue;
        const uint64_t revision = session.revision;
        assert_int_equal(lc_session_return(&session, lc_session_find_snapshot(&session, id), NULL),
                         LC_OK);
        assert_int_equal(test_hash(session.universe), hashes[id - 1]);
        assert_int_equal(test_generation(session.universe), 3 * id);
        assert_true(session.revision > revision);
        assert_false(session.at_origin);
    }
    close_session(&session);
}

// Another universe has its own beginning, and no snapshots of the one before; one that cannot be
// opened changes nothing.
static void another_universe_takes_the_place(void **state)
{
    (void)state;
    static const char block[] = "x = 2, y = 2\n2o$2o!\n", rubbish[] = "x = oops\n";
    lc_session session;
    lc_message message = {0};
    heard h;
    char long_name[2 * LC_SESSION_NAME_BYTES];
    memset(long_name, 'n', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    open_session(&session, &h, true);
    run(&session, 3);
    assert_int_equal(lc_session_take_snapshot(&session, NULL), LC_OK);
    char path[sizeof session.snapshots[0].kept.path];
    snprintf(path, sizeof path, "%s", session.snapshots[0].kept.path);
    lc_origin origin = {
        .kind = LC_ORIGIN_PATTERN, .bytes = strdup(rubbish), .size_bytes = strlen(rubbish)};
    assert_int_not_equal(
        lc_session_replace(&session, &origin, "rubbish", strdup("no comment"), &message), LC_OK);
    assert_string_not_equal(message.text, "");
    assert_string_equal(session.name, "test");
    assert_string_equal(session.comments, "");
    assert_int_equal(session.snapshot_count, 1);
    assert_int_equal(test_generation(session.universe), 3);
    assert_int_equal(access(path, F_OK), 0);
    origin =
        (lc_origin){.kind = LC_ORIGIN_PATTERN, .bytes = strdup(block), .size_bytes = strlen(block)};
    assert_int_equal(lc_session_replace(&session, &origin, long_name, strdup("a block"), NULL),
                     LC_OK);
    assert_int_equal(strlen(session.name), LC_SESSION_NAME_BYTES - 1);
    assert_string_equal(session.comments, "a block");
    assert_int_equal(session.snapshot_count, 0);
    assert_true(session.at_origin);
    assert_int_equal(test_population(session.universe), 4);
    // Until something else is kept for undoing, the one before can come back.
    assert_int_equal(access(path, F_OK), 0);
    draw(&session, 30, 30);
    run(&session, 1);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_population(session.universe), 7);
    close_session(&session);
}

static lc_status open_block(lc_session *session)
{
    static const char block[] = "x = 2, y = 2\n2o$2o!\n";
    lc_origin origin = {
        .kind = LC_ORIGIN_PATTERN, .bytes = strdup(block), .size_bytes = strlen(block)};
    return lc_session_replace(session, &origin, "block", strdup("a block"), NULL);
}

// With its name, its beginning, its snapshots, and what is known of its edits.
static void undoing_brings_the_universe_before_back(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    const uint64_t glider = test_hash(session.universe);
    // Nothing was done to it: it is made again, and not kept.
    assert_int_equal(open_block(&session), LC_OK);
    assert_int_equal(h.busy, 0);
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), glider);
    assert_string_equal(session.name, "test");
    assert_false(lc_session_can_undo(&session));
    // Drawn on at the beginning, run, drawn on again.
    draw(&session, 100, 100);
    const uint64_t start = test_hash(session.universe);
    run(&session, 3);
    assert_int_equal(lc_session_take_snapshot(&session, NULL), LC_OK);
    draw(&session, 200, 200);
    const uint64_t drawn = test_hash(session.universe);
    assert_true(session.unsaved && session.strays);
    assert_int_equal(open_block(&session), LC_OK);
    assert_false(session.unsaved || session.strays);
    assert_string_equal(session.name, "block");
    assert_int_equal(session.snapshot_count, 0);
    // Running it and going back to its start changes nothing about that.
    run(&session, 5);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_true(lc_session_can_undo(&session));
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), drawn);
    assert_int_equal(test_generation(session.universe), 3);
    assert_string_equal(session.name, "test");
    assert_string_equal(session.comments, "");
    assert_int_equal(session.snapshot_count, 1);
    assert_true(session.unsaved && session.strays);
    assert_false(lc_session_can_undo(&session)); // once
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), start);
    close_session(&session);
}

// What a reset or a snapshot would lose is known, and undoing brings it back; what was drawn at the
// beginning it does not lose.
static void a_reset_loses_nothing_for_good(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    draw(&session, 100, 100);
    assert_true(session.unsaved && !session.strays);
    run(&session, 3);
    assert_true(session.unsaved && !session.strays);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_true(session.unsaved && !session.strays);
    run(&session, 3);
    assert_int_equal(lc_session_take_snapshot(&session, NULL), LC_OK);
    draw(&session, 200, 200);
    const uint64_t drawn = test_hash(session.universe);
    assert_true(session.strays);
    assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
    assert_true(session.unsaved && !session.strays);
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), drawn);
    assert_true(session.strays && !session.at_origin);
    assert_int_equal(lc_session_return(&session, lc_session_find_snapshot(&session, 1), NULL),
                     LC_OK);
    assert_int_not_equal(test_hash(session.universe), drawn);
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), drawn);
    lc_session_saved(&session);
    assert_false(session.unsaved);
    // Where the beginning cannot be kept, a reset does lose it.
    assert_int_equal(open_block(&session), LC_OK);
    draw(&session, 50, 50);
    session.folder.base = "/no/such/folder";
    snprintf(session.folder.path, sizeof session.folder.path, "%s", "/no/such/folder");
    assert_int_not_equal(lc_session_keep_origin(&session, NULL), LC_OK);
    assert_true(session.strays);
    lc_universe *universe = lc_session_close(&session);
    lc_universe_destroy(&universe);
}

static void a_stroke_is_undone_after_it_ran_on(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    run(&session, 4);
    const uint64_t before = test_hash(session.universe);
    // In two messages, with generations between them.
    lc_session_keep_before_stroke(&session, 7);
    draw_by(&session, 7, 60, 60);
    assert_int_equal(lc_session_step(&session, lc_count_of(2), NULL), LC_OK);
    lc_session_keep_before_stroke(&session, 7);
    draw_by(&session, 7, 70, 60);
    assert_int_equal(lc_session_step(&session, lc_count_of(2), NULL), LC_OK);
    assert_true(lc_session_can_undo(&session) && !lc_edits_can_undo(session.edits));
    assert_true(lc_session_can_undo_stroke(&session, 7));
    assert_false(lc_session_can_undo_stroke(&session, 6));
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_generation(session.universe), 4);
    assert_int_equal(test_hash(session.universe), before);
    assert_false(lc_session_can_undo_stroke(&session, 7));
    // One that changed nothing, or failed, is nothing that can be undone, and what can be stays.
    lc_session_keep_before_stroke(&session, 8);
    lc_session_not_edited(&session);
    assert_false(lc_session_can_undo(&session) || lc_session_can_undo_stroke(&session, 8));
    lc_session_keep_before_stroke(&session, 9);
    draw_by(&session, 9, 60, 60);
    assert_int_equal(lc_session_step(&session, lc_count_of(1), NULL), LC_OK);
    lc_session_keep_before_stroke(&session, 10);
    lc_session_not_edited(&session);
    assert_true(lc_session_can_undo_stroke(&session, 9));
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), before);
    // A stroke of the same number, after that, is another one.
    lc_session_keep_before_stroke(&session, 7);
    draw_by(&session, 7, 60, 60);
    assert_int_equal(lc_session_step(&session, lc_count_of(1), NULL), LC_OK);
    assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), before);
    close_session(&session);
}

// Whatever the topology: the same cells in the same places, which go on by the other rule, and are
// a new beginning.
static void the_rule_changes_in_place(void **state)
{
    (void)state;
    static const char *const boards[] = {
        "x = 7, y = 5, rule = B3/S23\n3b2o$o5bo$bo3b2o$2b3o$o!",
        "x = 7, y = 5, rule = B3/S23:T31,22\n3b2o$o5bo$bo3b2o$2b3o$o!",
        "x = 7, y = 5, rule = B3/S23:P9,40\n3b2o$o5bo$bo3b2o$2b3o$o!",
        "x = 7, y = 5, rule = B3/S23:K30*,20\n3b2o$o5bo$bo3b2o$2b3o$o!",
        "x = 7, y = 5, rule = B3/S23:T24,0\n3b2o$o5bo$bo3b2o$2b3o$o!",
    };
    const lc_rule *highlife = rule_of("B36/S23");
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        lc_session session;
        heard h;
        uint64_t lost;
        open_session(&session, &h, true);
        lc_origin origin = {
            .kind = LC_ORIGIN_PATTERN, .bytes = strdup(boards[i]), .size_bytes = strlen(boards[i])};
        assert_int_equal(lc_session_replace(&session, &origin, "board", strdup("odd"), NULL),
                         LC_OK);
        run(&session, 3);
        draw(&session, 2, 3);
        const uint64_t cells = test_hash(session.universe);
        const lc_topology shape = *lc_universe_topology(session.universe);
        assert_int_equal(lc_session_recast(&session, highlife, NULL, false, &lost, NULL), LC_OK);
        assert_int_equal(lost, 0);
        assert_int_equal(test_hash(session.universe), cells);
        assert_int_equal(test_generation(session.universe), 3);
        assert_true(lc_universe_rule(session.universe) == highlife);
        assert_memory_equal(lc_universe_topology(session.universe), &shape, sizeof shape);
        assert_string_equal(session.name, "board");
        assert_string_equal(session.comments, "odd");
        assert_true(session.unsaved && !session.strays);
        run(&session, 4);
        assert_int_equal(lc_session_reset(&session, NULL), LC_OK);
        assert_int_equal(test_hash(session.universe), cells);
        assert_true(lc_universe_rule(session.universe) == highlife);
        assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
        assert_int_equal(test_hash(session.universe), cells);
        assert_true(lc_universe_rule(session.universe) == LIFE);
        close_session(&session);
    }
}

// Opens a pattern in a session.
static void open_text(lc_session *session, const char *text)
{
    lc_origin origin = {
        .kind = LC_ORIGIN_PATTERN, .bytes = strdup(text), .size_bytes = strlen(text)};
    assert_int_equal(lc_session_replace(session, &origin, "board", strdup(""), NULL), LC_OK);
}

// The topology changes too: the middle stays the middle, cells that do not fit are told of before
// anything is done, and undoing brings them back.
static void the_topology_changes_in_place(void **state)
{
    (void)state;
    // Seven cells a row: of what is 31 cells wide, the middle is cell 15.
    static const struct {
        const char *text, *topology;
        int64_t moved_x, moved_y; // where a cell goes
        uint64_t lost;
    } cases[] = {
        {"x = 7, y = 5, rule = B3/S23\n3b2o$o5bo$bo3b2o$2b3o$o!", "T31,22", 15, 11, 0},
        {"x = 7, y = 5, rule = B3/S23:T31,22\n3b2o$o5bo$bo3b2o$2b3o$o!", "", -15, -11, 0},
        {"x = 7, y = 5, rule = B3/S23:T31,22\n3b2o$o5bo$bo3b2o$2b3o$o!", "K50*,41", 10, 9, 0},
        {"x = 7, y = 5, rule = B3/S23:P9,40\n3b2o$o5bo$bo3b2o$2b3o$o!", "T24,0", 8, -20, 0},
        // It does not fit where it is, but elsewhere.
        {"#CXRLE Pos=1000,-2000\nx = 7, y = 5, rule = B3/S23\n3b2o$o5bo$bo3b2o$2b3o$o!", "T9,9",
         -999, 2002, 0},
        // Nor there: all but the first and the last column, then all but the first row.
        {"x = 7, y = 5, rule = B3/S23\n3b2o$o5bo$bo3b2o$2b3o$o!", "T5,5", -1, 0, 4},
        {"x = 9, y = 2, rule = B3/S23:P9,2\n9o$9o!", "P9,1", 0, -1, 9},
        // Runs and words that begin and end outside.
        {"x = 300, y = 3, rule = B3/S23\n300o$300o$150b150o!", "P100,3", -100, 0, 500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_session session;
        heard h;
        lc_topology topology;
        lc_facts before, after;
        char text[64];
        uint64_t lost = 99;
        open_session(&session, &h, true);
        open_text(&session, cases[i].text);
        const uint64_t cells = test_hash(session.universe);
        assert_int_equal(lc_universe_facts(session.universe, LC_FACT_ALL, &before, NULL), LC_OK);
        snprintf(text, sizeof text, "B3/S23%s%s", *cases[i].topology ? ":" : "", cases[i].topology);
        const lc_rule *life = rule_and_topology(text, &topology);
        assert_int_equal(lc_session_recast(&session, NULL, &topology, true, &lost, NULL), LC_OK);
        assert_int_equal(test_hash(session.universe), cells); // only tried
        const uint64_t told = lost;
        assert_int_equal(lc_session_recast(&session, NULL, &topology, false, &lost, NULL), LC_OK);
        assert_int_equal(lost, told);
        assert_int_equal(lc_universe_facts(session.universe, LC_FACT_ALL, &after, NULL), LC_OK);
        uint64_t live_before, live_after;
        assert_true(lc_count_to_u64(before.population, &live_before));
        assert_true(lc_count_to_u64(after.population, &live_after));
        assert_int_equal(live_after + lost, live_before);
        // Where there is a loss, what is left is compared cell by cell.
        const lc_topology *shape = lc_universe_topology(session.universe);
        assert_memory_equal(shape, &topology, sizeof topology);
        assert_true(lc_session_can_undo(&session));
        assert_int_equal(lc_session_undo_run(&session, NULL), LC_OK);
        assert_int_equal(test_hash(session.universe), cells);
        lc_universe *old = session.universe;
        // Once more, beside the old one.
        lc_universe *new;
        const lc_universe_options options = session.creation;
        assert_int_equal(
            lc_origin_recast(old, life, &topology, &session.folder, &options, &lost, &new, NULL),
            LC_OK);
        for (int64_t y = before.box.y - 1; y <= before.box.y + before.box.height_cells; y++)
            for (int64_t x = before.box.x - 1; x <= before.box.x + before.box.width_cells; x++) {
                bool was, is;
                assert_int_equal(lc_universe_get(old, x, y, &was, NULL), LC_OK);
                assert_int_equal(
                    lc_universe_get(new, x + cases[i].moved_x, y + cases[i].moved_y, &is, NULL),
                    LC_OK);
                const int64_t to_x = x + cases[i].moved_x, to_y = y + cases[i].moved_y;
                const bool inside =
                    (topology.width_cells == 0 || (to_x >= 0 && to_x < topology.width_cells)) &&
                    (topology.height_cells == 0 || (to_y >= 0 && to_y < topology.height_cells));
                if (inside && is != was)
                    fail_msg("case %zu: cell %d, %d", i, (int)x, (int)y);
            }
        if (lost != cases[i].lost)
            fail_msg("case %zu: %d cells are lost, not %d", i, (int)lost, (int)cases[i].lost);
        lc_universe_destroy(&new);
        close_session(&session);
    }
}

// A rule that cannot live there leaves everything as it was.
static void a_topology_that_cannot_be_changes_nothing(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    uint64_t lost;
    const lc_topology sphere = {
        .kind = LC_TOPOLOGY_SPHERE, .width_cells = 1000000000, .height_cells = 1000000000};
    open_session(&session, &h, true);
    // (With B0 all of it lives, so no engine can hold it.)
    open_text(&session, "x = 3, y = 3, rule = B02n3/S23-q\nbo$2bo$3o!");
    const uint64_t cells = test_hash(session.universe);
    assert_int_not_equal(lc_session_recast(&session, NULL, &sphere, false, &lost, NULL), LC_OK);
    assert_int_equal(test_hash(session.universe), cells);
    close_session(&session);
}

static void patterns_and_small_boards_are_shown_calmly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double speed;
    } cases[] = {{"x = 3, y = 1\n3o!", 30},
                 {"x = 3, y = 1, rule = B3/S23:T2048,2048\n3o!", 30},
                 {"x = 3, y = 1, rule = B3/S23:T2048,2049\n3o!", 0},
                 {"x = 3, y = 1, rule = B3/S23:T5000,0\n3o!", 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_session session;
        heard h;
        open_session(&session, &h, true);
        open_text(&session, cases[i].text);
        assert_true(lc_session_speed(&session) == cases[i].speed);
        close_session(&session);
    }
}

static void stepping_ends_when_it_is_told_to(void **state)
{
    (void)state;
    lc_session session;
    heard h;
    open_session(&session, &h, true);
    const uint64_t revision = session.revision;
    h.most_passes = 2;
    assert_int_equal(lc_session_step(&session, lc_count_of(1000000), NULL), LC_ERROR_STOPPED);
    assert_int_equal(h.passes, 2);
    assert_true(test_generation(session.universe) > 0);
    assert_true(test_generation(session.universe) < 1000000);
    assert_true(session.revision >= revision + 2);
    close_session(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_is_one_change),
        cmocka_unit_test(the_library_is_read_when_it_is_asked_for),
        cmocka_unit_test(a_reset_goes_back_to_what_was_edited),
        cmocka_unit_test(it_runs_even_if_nothing_can_be_kept),
        cmocka_unit_test(a_universe_that_cannot_be_made_again_is_kept),
        cmocka_unit_test(undoing_goes_back_to_before_it_ran),
        cmocka_unit_test(snapshots_come_back),
        cmocka_unit_test(another_universe_takes_the_place),
        cmocka_unit_test(undoing_brings_the_universe_before_back),
        cmocka_unit_test(a_reset_loses_nothing_for_good),
        cmocka_unit_test(a_stroke_is_undone_after_it_ran_on),
        cmocka_unit_test(the_rule_changes_in_place),
        cmocka_unit_test(the_topology_changes_in_place),
        cmocka_unit_test(a_topology_that_cannot_be_changes_nothing),
        cmocka_unit_test(patterns_and_small_boards_are_shown_calmly),
        cmocka_unit_test(stepping_ends_when_it_is_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
