// Going to other generations without clients: the cells are those that were there, whatever was
// edited, and however little memory there is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_facts.h"
#include "support_universe.h"
#include "viewer/travel.h"
#include "viewer_client.h"

enum { SIDE = 96 };

static bool never(void *context)
{
    (void)context;
    return false;
}

static void busy(void *context, const char *doing)
{
    (void)context;
    (void)doing;
}

static lc_universe *soup(void)
{
    return viewer_soup(SIDE, SIDE, 7);
}

static lc_status reopen(void *context, lc_universe **out, lc_message *message)
{
    (void)context;
    (void)message;
    *out = soup();
    return LC_OK;
}

typedef struct place {
    lc_session session;
    lc_travel travel;
} place;

static void open_place(place *p, lc_universe *universe, bool has_a_way_back)
{
    const lc_session_calls calls = {.passed = never, .in_a_pass = never, .busy = busy};
    lc_viewer_options options = viewer_options();
    options.reopen = has_a_way_back ? reopen : NULL;
    assert_int_equal(lc_session_create(&p->session, &options, &calls, universe, NULL), LC_OK);
    lc_travel_create(&p->travel, &p->session, never, NULL);
}

static void close_place(place *p)
{
    lc_travel_stop(&p->travel);
    lc_universe *universe = lc_session_close(&p->session);
    lc_universe_destroy(&universe);
}

static void draw_in(lc_universe *universe, lc_edits *edits, int64_t x, int64_t y)
{
    const lc_rectangle row = {x, y, 9, 1};
    assert_int_equal(lc_edits_paint(edits, universe, LC_PAINT_ALIVE, 0, &row, 1, false, NULL),
                     LC_OK);
}

static void draw(place *p, int64_t x, int64_t y)
{
    draw_in(p->session.universe, p->session.edits, x, y);
    lc_session_edited(&p->session, 0);
}

// As the thread does it: in pieces.
static void run_in(place *p, uint64_t generations, uint64_t piece)
{
    assert_int_equal(lc_session_keep_edits(&p->session, NULL), LC_OK);
    while (generations > 0) {
        const uint64_t now = generations < piece ? generations : piece;
        lc_session_keep_origin(&p->session, NULL);
        p->session.schedule.next_ns = 0; // as if time had gone by
        assert_int_equal(lc_session_step(&p->session, lc_count_of(now), NULL), LC_OK);
        generations -= now;
    }
}

static void run(place *p, uint64_t generations)
{
    run_in(p, generations, 1);
}

static void go(place *p, uint64_t to)
{
    bool arrived = false;
    lc_message message = {0};
    if (lc_travel_go(&p->travel, lc_count_of(to), 0, &message) != LC_OK)
        fail_msg("to %llu: %s", (unsigned long long)to, message.text);
    while (!arrived)
        assert_int_equal(lc_travel_work(&p->travel, &arrived, NULL), LC_OK);
}

// The soup after so many generations, with what is drawn at those in `edits` (0: the end of them).
typedef struct drawn {
    uint64_t at;
    int64_t x, y;
} drawn;

static uint64_t hash_of(uint64_t generation, const drawn *list)
{
    lc_universe *u = soup();
    lc_edits *edits;
    assert_int_equal(lc_edits_create(&edits, 1 << 20, NULL), LC_OK);
    uint64_t at = 0;
    for (; list->x != 0 && list->at <= generation; list++) {
        assert_int_equal(lc_universe_step(u, lc_count_of(list->at - at), NULL, NULL, NULL), LC_OK);
        at = list->at;
        draw_in(u, edits, list->x, list->y);
    }
    assert_int_equal(lc_universe_step(u, lc_count_of(generation - at), NULL, NULL, NULL), LC_OK);
    const uint64_t hash = test_hash(u);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&u);
    return hash;
}

static const drawn nothing[] = {{0, 0, 0}};

static void is_at(const place *p, uint64_t generation, const drawn *list)
{
    assert_int_equal(test_generation(p->session.universe), generation);
    if (test_hash(p->session.universe) != hash_of(generation, list))
        fail_msg("other cells at generation %llu", (unsigned long long)generation);
}

static uint64_t last(const place *p)
{
    uint64_t value;
    assert_true(lc_count_to_u64(lc_travel_last(&p->travel), &value));
    return value;
}

static void any_generation_can_be_gone_to(void **state)
{
    (void)state;
    static const uint64_t to[] = {999, 998, 990, 500, 501, 37, 1, 0, 1, 1000, 64, 63, 62, 1000};
    for (uint64_t piece = 1; piece < 2000; piece *= 11) {
        place p;
        open_place(&p, soup(), true);
        run_in(&p, 1000, piece);
        is_at(&p, 1000, nothing);
        for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
            go(&p, to[i]);
            is_at(&p, to[i], nothing);
            assert_int_equal(last(&p), 1000);
            assert_int_equal(p.session.at_origin, to[i] == 0);
            assert_false(lc_session_can_undo(&p.session));
        }
        run(&p, 5);
        is_at(&p, 1005, nothing);
        assert_int_equal(last(&p), 1005);
        close_place(&p);
    }
}

static void what_was_edited_is_a_part_of_it(void **state)
{
    (void)state;
    static const drawn twice[] = {{100, 20, 20}, {150, 40, 40}, {0, 0, 0}};
    static const drawn other[] = {{60, 9, 9}, {0, 0, 0}};
    place p;
    open_place(&p, soup(), true);
    run(&p, 100);
    draw(&p, 20, 20);
    run(&p, 50);
    draw(&p, 40, 40);
    run(&p, 50);
    for (int i = 0; i < 2; i++) {
        go(&p, 170);
        is_at(&p, 170, twice);
        go(&p, 150);
        is_at(&p, 150, twice);
        go(&p, 120);
        is_at(&p, 120, twice);
        assert_true(p.session.strays && p.session.unsaved);
        go(&p, 100);
        is_at(&p, 100, twice); // with what was drawn there
        go(&p, 99);
        is_at(&p, 99, nothing); // and there not yet
        assert_false(p.session.strays || p.session.unsaved);
        go(&p, 200);
        is_at(&p, 200, twice);
    }
    // Going back before an edit can be undone.
    go(&p, 99);
    assert_true(lc_session_can_undo(&p.session));
    assert_int_equal(lc_session_undo_run(&p.session, NULL), LC_OK);
    is_at(&p, 200, twice);
    go(&p, 130);
    is_at(&p, 130, twice);
    // Who runs on from before an edit makes another future, as soon as it is one.
    go(&p, 95);
    run(&p, 5);
    is_at(&p, 100, nothing);
    assert_int_equal(last(&p), 200);
    run(&p, 1);
    is_at(&p, 101, nothing);
    assert_int_equal(last(&p), 101);
    go(&p, 100);
    is_at(&p, 100, nothing);
    // And so does who edits, even if it is undone by running.
    run(&p, 20);
    go(&p, 60);
    draw(&p, 9, 9);
    assert_int_equal(last(&p), 120);
    run(&p, 1);
    is_at(&p, 61, other);
    assert_int_equal(last(&p), 61);
    go(&p, 59);
    is_at(&p, 59, nothing);
    go(&p, 61);
    is_at(&p, 61, other);
    close_place(&p);
}

// What is drawn and not run yet can be come back to.
static void leaving_a_drawing_keeps_it(void **state)
{
    (void)state;
    static const drawn once[] = {{100, 20, 20}, {0, 0, 0}};
    place p;
    open_place(&p, soup(), true);
    run(&p, 100);
    draw(&p, 20, 20);
    go(&p, 80);
    is_at(&p, 80, nothing);
    go(&p, 100);
    is_at(&p, 100, once);
    assert_true(p.session.strays && p.session.unsaved);
    go(&p, 80);
    assert_int_equal(lc_session_undo_run(&p.session, NULL), LC_OK);
    is_at(&p, 100, once);
    run(&p, 3);
    is_at(&p, 103, once);
    close_place(&p);
}

static void resets_and_snapshots_are_generations_of_the_history(void **state)
{
    (void)state;
    static const drawn once[] = {{100, 20, 20}, {0, 0, 0}};
    place p;
    open_place(&p, soup(), true);
    run(&p, 100);
    draw(&p, 20, 20);
    run(&p, 50);
    assert_int_equal(lc_session_take_snapshot(&p.session, NULL), LC_OK);
    run(&p, 50);
    assert_int_equal(lc_session_reset(&p.session, NULL), LC_OK);
    is_at(&p, 0, nothing);
    assert_int_equal(last(&p), 200);
    go(&p, 160);
    is_at(&p, 160, once);
    assert_int_equal(lc_session_return(&p.session, &p.session.snapshots[0], NULL), LC_OK);
    is_at(&p, 150, once);
    assert_int_equal(last(&p), 200);
    go(&p, 99);
    run(&p, 10); // another future, in which the snapshot is not
    is_at(&p, 109, nothing);
    assert_int_equal(lc_session_return(&p.session, &p.session.snapshots[0], NULL), LC_OK);
    is_at(&p, 150, once);
    run(&p, 10);
    is_at(&p, 160, once);
    go(&p, 155);
    is_at(&p, 155, once);
    go(&p, 105);
    is_at(&p, 105, nothing);
    close_place(&p);
}

static void another_rule_is_a_beginning(void **state)
{
    (void)state;
    const lc_rule *high_life = rule_of("B36/S23");
    place p;
    open_place(&p, soup(), true);
    run(&p, 50);
    uint64_t lost;
    assert_int_equal(lc_session_recast(&p.session, high_life, NULL, false, &lost, NULL), LC_OK);
    run(&p, 20);
    const uint64_t after = test_hash(p.session.universe);
    run(&p, 20);
    go(&p, 70);
    assert_int_equal(test_hash(p.session.universe), after);
    assert_true(lc_universe_rule(p.session.universe) == high_life);
    go(&p, 50);
    assert_int_equal(test_hash(p.session.universe), hash_of(50, nothing));
    uint64_t first;
    assert_true(lc_count_to_u64(lc_travel_first(&p.travel), &first));
    assert_int_equal(first, 50);
    // Undoing brings back the one before, and all of its history.
    assert_int_equal(lc_session_undo_run(&p.session, NULL), LC_OK);
    is_at(&p, 50, nothing);
    go(&p, 31);
    is_at(&p, 31, nothing);
    close_place(&p);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    static const uint64_t to[] = {2999, 2900, 1234, 5, 0, 2048, 2047, 3000};
    for (size_t limit = 4096; limit < 100000; limit *= 3) {
        place p;
        open_place(&p, soup(), true);
        lc_history_limit(&p.session.history, limit);
        for (int i = 0; i < 300; i++) {
            run_in(&p, 10, 3);
            assert_true(p.session.history.held_bytes <= limit);
        }
        for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
            go(&p, to[i]);
            is_at(&p, to[i], nothing);
            assert_true(p.session.history.held_bytes <= limit);
        }
        close_place(&p);
    }
}

// Without room for a single copy there is the beginning, if that can be made again.
static void without_room_there_is_the_beginning(void **state)
{
    (void)state;
    lc_message message = {0};
    place p;
    open_place(&p, soup(), true);
    lc_history_limit(&p.session.history, 100);
    run(&p, 50);
    assert_true(p.session.is_too_large);
    go(&p, 20);
    is_at(&p, 20, nothing);
    close_place(&p);

    open_place(&p, soup(), false);
    lc_history_limit(&p.session.history, 100);
    for (int i = 0; i < 50; i++)
        assert_int_equal(lc_session_step(&p.session, lc_count_of(1), NULL), LC_OK);
    assert_int_equal(lc_travel_go(&p.travel, lc_count_of(20), 0, &message), LC_ERROR_ARGUMENT);
    assert_non_null(strstr(message.text, "nothing that was kept"));
    is_at(&p, 50, nothing);
    close_place(&p);
}

static void it_plays_backwards(void **state)
{
    (void)state;
    place p;
    open_place(&p, soup(), true);
    run_in(&p, 400, 7);
    for (uint64_t stride = 1; stride < 100; stride *= 6) {
        go(&p, 400);
        uint64_t now_ns = 0, at = 400;
        lc_travel_rewind(&p.travel, lc_count_of(stride), now_ns);
        while (p.travel.plays) {
            bool arrived = false;
            lc_status status;
            // 100 generations a second: a picture of `stride` of them lasts that long.
            const uint64_t due_ns = lc_travel_play(&p.travel, 100, now_ns, &status, NULL);
            assert_int_equal(status, LC_OK);
            if (due_ns > now_ns) {
                assert_true(due_ns - now_ns <= stride * 10000000);
                now_ns = due_ns;
                continue;
            }
            if (!p.travel.plays)
                break;
            while (!arrived)
                assert_int_equal(lc_travel_work(&p.travel, &arrived, NULL), LC_OK);
            at = at > stride ? at - stride : 0;
            is_at(&p, at, nothing);
        }
        assert_int_equal(at, 0);
    }
    close_place(&p);
}

// Plays backwards to the first generation.
static void play_back(place *p)
{
    lc_status status = LC_OK;
    lc_travel_rewind(&p->travel, lc_count_of(1), 0);
    while (p->travel.plays && status == LC_OK) {
        bool arrived = false;
        (void)lc_travel_play(&p->travel, 0, 0, &status, NULL);
        while (p->travel.universe != NULL && !arrived && status == LC_OK)
            status = lc_travel_work(&p->travel, &arrived, NULL);
    }
    assert_int_equal(status, LC_OK);
}

// However many edits playing has passed, undoing leads to where none was passed yet.
static void undoing_leads_to_before_all_edits_passed(void **state)
{
    (void)state;
    static const drawn all[] = {{3, 10, 20}, {6, 20, 40}, {9, 30, 60}, {0, 0, 0}};
    place p;
    open_place(&p, soup(), true);
    for (const drawn *d = all; d->x != 0; d++) {
        run(&p, 3);
        draw(&p, d->x, d->y);
    }
    for (int i = 0; i < 2; i++) {
        play_back(&p);
        is_at(&p, 0, nothing);
        assert_int_equal(lc_session_undo_run(&p.session, NULL), LC_OK);
        is_at(&p, 9, all);
    }
    // Each time anew; the generations ahead of it can be visited.
    go(&p, 7);
    play_back(&p);
    assert_int_equal(lc_session_undo_run(&p.session, NULL), LC_OK);
    is_at(&p, 6, all);
    go(&p, 9);
    is_at(&p, 9, all);
    close_place(&p);
}

// Where the cells that are left cannot be kept, that is said, and undoing leads to none before.
static void what_cannot_be_kept_is_said(void **state)
{
    (void)state;
    static const drawn once[] = {{20, 10, 20}, {0, 0, 0}};
    place p;
    bool arrived = false;
    lc_message message = {0};
    open_place(&p, soup(), true);
    run(&p, 20);
    draw(&p, 10, 20);
    p.session.folder.base = "/nonexistent";
    assert_int_equal(lc_travel_go(&p.travel, lc_count_of(15), 0, &message), LC_OK);
    lc_status status = LC_OK;
    while (!arrived && status == LC_OK)
        status = lc_travel_work(&p.travel, &arrived, &message);
    assert_true(arrived);
    assert_int_equal(status, LC_ERROR_IO);
    assert_non_null(strstr(message.text, "nonexistent"));
    is_at(&p, 15, nothing);
    assert_false(lc_session_can_undo(&p.session));
    // It is a part of the history all the same.
    go(&p, 20);
    is_at(&p, 20, once);
    close_place(&p);
}

// Of what is asked for quickly the last counts; and what is on its way can be given up.
static void the_last_one_counts(void **state)
{
    (void)state;
    bool arrived = false;
    place p;
    open_place(&p, soup(), true);
    run(&p, 300);
    assert_int_equal(lc_travel_go(&p.travel, lc_count_of(200), 0, NULL), LC_OK);
    for (uint64_t to = 199; to > 150; to--)
        assert_int_equal(lc_travel_go(&p.travel, lc_count_of(to), 1, NULL), LC_OK);
    uint64_t aim;
    assert_true(lc_count_to_u64(lc_travel_aim(&p.travel), &aim));
    assert_int_equal(aim, 151);
    while (p.travel.universe != NULL)
        assert_int_equal(lc_travel_work(&p.travel, &arrived, NULL), LC_OK);
    is_at(&p, 151, nothing);
    assert_int_equal(lc_travel_go(&p.travel, lc_count_of(10), 2, NULL), LC_OK);
    lc_travel_stop(&p.travel);
    assert_null(p.travel.universe);
    is_at(&p, 151, nothing);
    run(&p, 1);
    is_at(&p, 152, nothing);
    close_place(&p);
}

static bool count_pass(void *context)
{
    int *passes = context;
    *passes += 1;
    return false;
}

// The newest generation that is kept before this one, by how much.
static uint64_t kept_before(const place *p, uint64_t generation)
{
    lc_count to = lc_count_of(generation);
    uint64_t found;
    const lc_kept *kept = lc_history_find(&p->session.history, &to);
    assert_non_null(kept);
    assert_true(lc_count_to_u64(kept->generation, &found));
    return generation - found;
}

// On the way cells are kept, so that the next time it is not as far: some in any case.
static void it_keeps_on_the_way(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bool arrived = false;
        place p;
        open_place(&p, soup(), true);
        assert_int_equal(lc_session_step(&p.session, lc_count_of(1), NULL), LC_OK);
        p.session.schedule.next_ns = UINT64_MAX;
        assert_int_equal(lc_session_step(&p.session, lc_count_of(2999), NULL), LC_OK);
        assert_true(kept_before(&p, 2998) > 2900);
        assert_int_equal(lc_travel_go(&p.travel, lc_count_of(2999), 0, NULL), LC_OK);
        while (!arrived) {
            p.session.schedule.next_ns = i == 0 ? UINT64_MAX : 0; // as if time had gone by
            assert_int_equal(lc_travel_work(&p.travel, &arrived, NULL), LC_OK);
        }
        is_at(&p, 2999, nothing);
        assert_true(kept_before(&p, 2998) <= 64);
        if (i == 1)
            assert_true(kept_before(&p, 2500) < 2400);
        close_place(&p);
    }
}

// Keeping a large board takes so long that it may not be kept again for seconds while it runs. Who
// goes back then does not wait for that.
static void who_goes_back_keeps_at_once(void **state)
{
    (void)state;
    place p;
    open_place(&p, viewer_soup(12000, 12000, 7), true);
    assert_int_equal(lc_session_step(&p.session, lc_count_of(2), NULL), LC_OK);
    p.session.schedule.next_ns = UINT64_MAX;
    assert_int_equal(lc_travel_go(&p.travel, lc_count_of(1), 0, NULL), LC_OK);
    assert_true(p.session.schedule.next_ns < UINT64_MAX / 2);
    close_place(&p);
}

// And where it may not be kept soon it goes there at once, not in small pieces, each of which would
// go through all of memory.
static void what_is_not_kept_is_not_stepped_in_pieces(void **state)
{
    (void)state;
    int passes = 0;
    bool arrived = false;
    place p;
    open_place(&p, soup(), true);
    lc_travel_create(&p.travel, &p.session, count_pass, &passes);
    p.session.schedule.next_ns = UINT64_MAX;
    assert_int_equal(lc_session_step(&p.session, lc_count_of(1000), NULL), LC_OK);
    assert_int_equal(lc_travel_go(&p.travel, lc_count_of(999), 0, NULL), LC_OK);
    p.session.schedule.next_ns = UINT64_MAX;
    while (!arrived)
        assert_int_equal(lc_travel_work(&p.travel, &arrived, NULL), LC_OK);
    is_at(&p, 999, nothing);
    assert_in_range(passes, 1, 30);
    close_place(&p);
}

// A large board is not compressed, which takes most of the time of keeping it.
static void large_boards_are_kept_as_they_are(void **state)
{
    (void)state;
    const size_t sides[] = {1024, 12000};
    for (int i = 0; i < 4; i++) {
        place p;
        const size_t side = sides[i % 2], bytes = side * side / 8;
        const bool has_room = i < 2; // else for a few of them only
        open_place(&p, viewer_soup((int64_t)side, (int64_t)side, 7), false);
        lc_history_limit(&p.session.history, has_room ? 9 * bytes : 7 * bytes);
        assert_int_equal(lc_session_step(&p.session, lc_count_of(1), NULL), LC_OK);
        const lc_history *history = &p.session.history;
        assert_true(history->kept_count > 0);
        assert_int_equal(history->kept[0].size_bytes > bytes, side == 12000 && has_room);
        close_place(&p);
    }
}

static lc_universe *leaping_glider(void)
{
    lc_universe *u = test_create("hashlife", LIFE, infinite_plane, 64 << 20);
    assert_int_equal(test_load(u, "x = 3, y = 3\nb2o$2o$bo!", 0, 0, NULL), LC_OK);
    return u;
}

// Long leaps: 2^40 generations and more.
static void leaps_can_be_gone_back(void **state)
{
    (void)state;
    static const uint64_t to[] = {(UINT64_C(1) << 41) + 12345, 1 << 20, 1103, 7, 0};
    place p;
    open_place(&p, leaping_glider(), false);
    for (int i = 0; i < 42; i++)
        run_in(&p, UINT64_C(1) << i, UINT64_C(1) << i);
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        lc_universe *other = leaping_glider();
        assert_int_equal(lc_universe_step(other, lc_count_of(to[i]), NULL, NULL, NULL), LC_OK);
        go(&p, to[i]);
        assert_int_equal(test_generation(p.session.universe), to[i]);
        assert_int_equal(test_hash(p.session.universe), test_hash(other));
        lc_universe_destroy(&other);
    }
    close_place(&p);
}

// ---- the list alone ----------------------------------------------------------------------------

static void keep(lc_history *h, uint64_t generation)
{
    lc_history_pass(h, lc_count_of(generation));
    lc_history_keep(h, lc_history_era(h), lc_count_of(generation), calloc(1, 10), 10,
                    lc_count_of(generation));
}

static void what_is_kept_is_the_closer_the_nearer(void **state)
{
    (void)state;
    lc_history h;
    assert_true(lc_history_create(&h, 1 << 20));
    lc_history_fork(&h, lc_count_of(0), false, false);
    for (uint64_t g = 0; g <= 100000; g++) {
        keep(&h, g);
        assert_true(h.kept_count <= LC_HISTORY_KEPT_MAX);
    }
    for (uint64_t back = 1; back <= 100000; back += back < 100 ? 1 : 997) {
        lc_count to = lc_count_of(100000 - back);
        uint64_t found;
        const lc_kept *kept = lc_history_find(&h, &to);
        assert_non_null(kept);
        assert_true(lc_count_to_u64(kept->generation, &found));
        assert_true(found <= 100000 - back);
        assert_true(100000 - back - found <= back / 8); // never far from what is looked for
    }
    // Of a tenth of the memory, the same with larger steps: it is doubled at most.
    lc_history_limit(&h, 400);
    assert_in_range(h.held_bytes, 100, 400);
    lc_history_free(&h);
}

static void eras_without_end(void **state)
{
    (void)state;
    lc_history h;
    assert_true(lc_history_create(&h, 1 << 20));
    for (uint64_t g = 0; g < 1000; g++) {
        lc_history_fork(&h, lc_count_of(g), true, true);
        keep(&h, g);
        assert_true(h.era_count <= LC_HISTORY_ERAS_MAX);
        assert_true(h.kept_count <= LC_HISTORY_KEPT_MAX);
    }
    // What has no place any more leads to the one before that has.
    for (uint64_t g = 0; g < 1000; g += 9) {
        lc_count to = lc_count_of(g);
        uint64_t found = 0, target = 0;
        const lc_kept *kept = lc_history_find(&h, &to);
        assert_non_null(kept);
        assert_true(lc_count_to_u64(kept->generation, &found) && lc_count_to_u64(to, &target));
        assert_true(found <= target && target <= g);
        assert_true(g < 760 || target == g);
    }
    lc_history_free(&h);
}

static void the_population_is_a_line(void **state)
{
    (void)state;
    lc_history h;
    assert_true(lc_history_create(&h, 1 << 20));
    for (uint64_t g = 0; g <= 50000; g += 3)
        lc_history_count(&h, lc_count_of(g), lc_count_of(2 * g));
    for (uint64_t g = 0; g <= 50000; g += 1000) // again, as who goes back and looks
        lc_history_count(&h, lc_count_of(g), lc_count_of(2 * g));
    assert_in_range(h.point_count, LC_HISTORY_POINTS_MAX / 4, LC_HISTORY_POINTS_MAX);
    uint64_t before = 0, generation, population;
    for (size_t i = 0; i < h.point_count; i++) {
        assert_true(lc_count_to_u64(h.points[i].generation, &generation));
        assert_true(lc_count_to_u64(h.points[i].population, &population));
        assert_true(i == 0 ? generation == 0 : generation > before);
        assert_int_equal(population, 2 * generation);
        before = generation;
    }
    assert_in_range(before, 49998, 50000);
    lc_history_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_generation_can_be_gone_to),
        cmocka_unit_test(what_was_edited_is_a_part_of_it),
        cmocka_unit_test(leaving_a_drawing_keeps_it),
        cmocka_unit_test(resets_and_snapshots_are_generations_of_the_history),
        cmocka_unit_test(another_rule_is_a_beginning),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(without_room_there_is_the_beginning),
        cmocka_unit_test(it_plays_backwards),
        cmocka_unit_test(undoing_leads_to_before_all_edits_passed),
        cmocka_unit_test(what_cannot_be_kept_is_said),
        cmocka_unit_test(the_last_one_counts),
        cmocka_unit_test(it_keeps_on_the_way),
        cmocka_unit_test(who_goes_back_keeps_at_once),
        cmocka_unit_test(what_is_not_kept_is_not_stepped_in_pieces),
        cmocka_unit_test(large_boards_are_kept_as_they_are),
        cmocka_unit_test(leaps_can_be_gone_back),
        cmocka_unit_test(what_is_kept_is_the_closer_the_nearer),
        cmocka_unit_test(eras_without_end),
        cmocka_unit_test(the_population_is_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
