// Runs the soups of a census on all threads of a pool, beside its GPUs.
//
// A worker takes pieces: soups with consecutive numbers. It counts them by itself, and adds the
// counts to the census when the piece is done, or when the run ends early. So the census only ever
// has whole soups, and knows which.
#include "census/census_run.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/structure.h"
#include "ranks/rank_calls.h"

enum { PIECE_MIN = 16, PIECE_MAX = 1024, LEFT_PIECE = 8 };

static const uint64_t progress_ns = 200000000, piece_ns = 50000000;
static const long wait_ns = 50000000; // for a GPU, until progress is reported again

// A soup of a worker, and the memory for the caller's view of it.
typedef struct census_work {
    lc_census_run *run;
    lc_census_worker *worker;
    lc_soup_cells cells;
    const char **codes;
    uint64_t *counts;
    size_t room;
    lc_message message;
} census_work;

void lc_census_run_end(lc_census_run *run, lc_status status, const lc_message *message)
{
    pthread_mutex_lock(&run->mutex);
    if (run->status == LC_OK) {
        run->status = status;
        if (status != LC_OK)
            run->message = *message;
    }
    atomic_store(&run->ends, true);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->mutex);
}

// Callbacks --------------------------------------------------------------------------------------

static lc_status reserve_result(census_work *work, size_t kinds)
{
    size_t bytes;
    if (kinds <= work->room)
        return LC_OK;
    if (!lc_mul_size(2 * kinds, sizeof *work->counts, &bytes))
        return LC_ERROR_MEMORY;
    lc_free(work->codes);
    lc_free(work->counts);
    work->codes = lc_malloc(bytes);
    work->counts = lc_malloc(bytes);
    work->room = work->codes != NULL && work->counts != NULL ? 2 * kinds : 0;
    return work->room > 0 ? LC_OK : LC_ERROR_MEMORY;
}

static void set_result(lc_soup_result *result, const census_work *work, uint64_t number)
{
    const lc_soup_taker *taker = work->worker->taker;
    for (size_t i = 0; i < taker->objects.count; i++) {
        work->codes[i] = taker->names.kinds.at[taker->objects.at[i].kind].name;
        work->counts[i] = taker->objects.at[i].count;
    }
    *result = (lc_soup_result){.number = number,
                               .generations = taker->settled_at,
                               .population = (uint64_t)taker->population,
                               .kinds = taker->objects.count,
                               .codes = work->codes,
                               .counts = work->counts};
}

// Passes the soup to the callback. Sets *counts to whether the soup counts: not after the callback
// has ended the run.
static lc_status report_soup(census_work *work, uint64_t number, bool *counts)
{
    lc_census_run *run = work->run;
    lc_soup_result result;
    if (run->callbacks.soup == NULL)
        return LC_OK;
    if (reserve_result(work, work->worker->taker->objects.count) != LC_OK)
        return lc_fail_memory(&work->message, "the objects of a soup");
    set_result(&result, work, number);
    pthread_mutex_lock(&run->reports);
    *counts = !atomic_load(&run->ends);
    if (*counts && !run->callbacks.soup(run->callbacks.user, &result))
        lc_census_run_end(run, LC_OK, NULL);
    pthread_mutex_unlock(&run->reports);
    return LC_OK;
}

static void report_progress(lc_census_run *run)
{
    if (run->callbacks.progress == NULL || !pthread_equal(pthread_self(), run->caller) ||
        lc_clock_ns() < run->progress_at_ns)
        return;
    pthread_mutex_lock(&run->mutex);
    const bool goes_on = run->callbacks.progress(run->callbacks.user, run->census);
    pthread_mutex_unlock(&run->mutex);
    run->progress_at_ns = lc_clock_ns() + progress_ns;
    if (!goes_on)
        lc_census_run_end(run, LC_OK, NULL);
}

// Pieces -----------------------------------------------------------------------------------------

bool lc_census_run_take(lc_census_run *run, uint64_t soups, lc_number_range *piece)
{
    if (run->next == run->left->count)
        return false;
    lc_number_range *range = &run->left->at[run->next];
    soups = soups < range->end - range->first ? soups : range->end - range->first;
    *piece = (lc_number_range){range->first, range->first + soups};
    range->first += soups;
    run->soups_left -= soups;
    run->next += range->first == range->end;
    return true;
}

// Takes the next numbers for a worker. Near the end pieces become shorter, so that all workers
// finish at the same time.
static bool next_piece(lc_census_run *run, const lc_census_worker *worker, lc_number_range *piece)
{
    pthread_mutex_lock(&run->mutex);
    const uint64_t share =
        run->soups_left / (4 * (uint64_t)lc_pool_threads(run->census->context->pool)) + 1;
    const bool is_left =
        lc_census_run_take(run, share < worker->piece ? share : worker->piece, piece);
    pthread_mutex_unlock(&run->mutex);
    return is_left;
}

// Adds the counts of a worker's soups to the census.
static lc_status add_piece(census_work *work, lc_number_range piece)
{
    lc_census_run *run = work->run;
    lc_kinds *kinds = &work->worker->taker->names.kinds;
    bool is_added = true;
    pthread_mutex_lock(&run->mutex);
    if (piece.first < piece.end)
        is_added = lc_census_add(run->census, kinds, &(lc_number_ranges){&piece, 1, 1});
    pthread_mutex_unlock(&run->mutex);
    lc_kinds_clear_counts(kinds);
    return is_added ? LC_OK : lc_fail_memory(&work->message, "a census");
}

static lc_status take_soup(census_work *work, uint64_t number, bool *counts)
{
    lc_soup_taker *taker = work->worker->taker;
    lc_soup_source_make(&work->cells, &work->run->census->source, number);
    lc_status status = lc_soup_take(taker, &work->cells, &work->message);
    *counts = status == LC_OK;
    if (status == LC_ERROR_MEMORY)
        return lc_fail_memory(&work->message, "soup %llu", (unsigned long long)number);
    if (status == LC_OK)
        status = report_soup(work, number, counts);
    if (status == LC_OK && *counts)
        lc_soup_count(taker, number);
    return status;
}

static void choose_piece(lc_census_worker *worker, uint64_t took_ns)
{
    if (took_ns < piece_ns / 2 && worker->piece < PIECE_MAX)
        worker->piece *= 2;
    else if (took_ns > piece_ns * 2 && worker->piece > 1)
        worker->piece /= 2;
}

static lc_status run_piece(census_work *work, lc_number_range piece)
{
    const uint64_t begin_ns = lc_clock_ns(), soups = piece.end - piece.first;
    lc_status status = LC_OK;
    uint64_t number = piece.first;
    bool counts = true;
    while (number < piece.end && status == LC_OK && counts && !atomic_load(&work->run->ends)) {
        status = take_soup(work, number, &counts);
        number += status == LC_OK && counts;
        report_progress(work->run);
    }
    piece.end = number;
    const lc_status added = add_piece(work, piece);
    if (soups == work->worker->piece)
        choose_piece(work->worker, lc_clock_ns() - begin_ns);
    return status != LC_OK ? status : added;
}

// Left soups -------------------------------------------------------------------------------------

// Some soups of a batch.
typedef struct left_piece {
    lc_left_batch *batch;
    const uint64_t *numbers;
    size_t count;
} left_piece;

// Takes soups that a GPU has left. Returns false if there are none.
static bool next_left(lc_census_run *run, left_piece *piece)
{
    *piece = (left_piece){0};
    pthread_mutex_lock(&run->mutex);
    lc_left_batch *batch = run->batches;
    while (batch != NULL && batch->taken == batch->count)
        batch = batch->next;
    if (batch != NULL) {
        const size_t left = batch->count - batch->taken;
        *piece = (left_piece){batch, batch->numbers + batch->taken,
                              left < LEFT_PIECE ? left : LEFT_PIECE};
        batch->taken += piece->count;
    }
    pthread_mutex_unlock(&run->mutex);
    return batch != NULL;
}

// Adds soups that are done to their batch, and counts the batch if it was the last ones.
static lc_status add_left(census_work *work, const left_piece *piece)
{
    lc_census_run *run = work->run;
    lc_kinds *kinds = &work->worker->taker->names.kinds;
    lc_left_batch *batch = piece->batch;
    pthread_mutex_lock(&run->mutex);
    bool is_added = lc_kinds_add_names(&batch->kinds, kinds);
    if (is_added) {
        lc_kinds_add_counts(&batch->kinds, kinds);
        batch->done += piece->count;
    }
    if (is_added && batch->done == batch->count)
        is_added = lc_census_gpus_count(run, batch);
    pthread_mutex_unlock(&run->mutex);
    lc_kinds_clear_counts(kinds);
    return is_added ? LC_OK : lc_fail_memory(&work->message, "a census");
}

static lc_status run_left(census_work *work, const left_piece *piece)
{
    lc_status status = LC_OK;
    for (size_t i = 0; i < piece->count && status == LC_OK; i++) {
        bool counts;
        status = take_soup(work, piece->numbers[i], &counts);
        report_progress(work->run);
        if (atomic_load(&work->run->ends)) { // the whole batch is taken again in the next run
            lc_kinds_clear_counts(&work->worker->taker->names.kinds);
            return status;
        }
    }
    return status == LC_OK ? add_left(work, piece) : status;
}

// Waits for soups that a GPU leaves. Returns false if none will come.
static bool wait_for_left(lc_census_run *run)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += wait_ns;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&run->mutex);
    bool comes = run->gpus > 0, is_here = false;
    for (const lc_left_batch *b = run->batches; b != NULL; b = b->next)
        is_here |= b->taken < b->count;
    if (comes && !is_here)
        (void)pthread_cond_timedwait(&run->changed, &run->mutex, &until);
    pthread_mutex_unlock(&run->mutex);
    report_progress(run);
    return comes || is_here;
}

// Workers ----------------------------------------------------------------------------------------

static lc_status prepare_worker(census_work *work)
{
    const lc_soup_census *census = work->run->census;
    lc_census_worker *worker = work->worker;
    if (worker->taker != NULL)
        return LC_OK;
    worker->piece = PIECE_MIN;
    return lc_soup_taker_create(&worker->taker, census->rule,
                                lc_soup_source_square(&census->source), census->context,
                                &work->message);
}

// Drops all numbers that are left when the time is up.
static void check_time(lc_census_run *run)
{
    if (run->ends_ns == 0 || lc_clock_ns() < run->ends_ns)
        return;
    pthread_mutex_lock(&run->mutex);
    run->next = run->left->count;
    run->soups_left = 0;
    pthread_mutex_unlock(&run->mutex);
}

static lc_status run_pieces(census_work *work)
{
    lc_number_range piece;
    left_piece left;
    lc_status status = LC_OK;
    while (status == LC_OK && !atomic_load(&work->run->ends)) {
        check_time(work->run);
        if (next_left(work->run, &left))
            status = run_left(work, &left);
        else if (next_piece(work->run, work->worker, &piece))
            status = run_piece(work, piece);
        else if (!wait_for_left(work->run))
            break;
    }
    return status;
}

// A task of the pool. After an error the worker begins anew the next time.
static void work_on(void *context, size_t index, int number)
{
    lc_census_run *run = context;
    lc_message message = {0};
    (void)index;
    census_work *work = lc_calloc(1, sizeof *work);
    if (work == NULL) {
        lc_census_run_end(run, lc_fail_memory(&message, "a soup"), &message);
        return;
    }
    work->run = run;
    work->worker = &run->census->workers[number];
    lc_status status = prepare_worker(work);
    if (status == LC_OK)
        status = run_pieces(work);
    if (status != LC_OK) {
        lc_soup_taker_destroy(&work->worker->taker);
        lc_census_run_end(run, status, &work->message);
    }
    lc_free(work->codes);
    lc_free(work->counts);
    lc_free(work);
}

static lc_status run_all(lc_census_run *run)
{
    lc_pool *pool = run->census->context->pool;
    const size_t threads = (size_t)lc_pool_threads(pool);
    run->soups_left = lc_ranges_size(run->left);
    run->progress_at_ns = lc_clock_ns() + progress_ns;
    pthread_mutex_init(&run->mutex, NULL);
    pthread_mutex_init(&run->reports, NULL);
    pthread_cond_init(&run->changed, NULL);
    const uint64_t soups = run->soups_left;
    if (soups > 0) {
        lc_census_gpus_start(run);
        lc_pool_run(pool, soups < threads ? (size_t)soups : threads, work_on, run);
    }
    lc_census_gpus_end(run);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->mutex);
    pthread_mutex_destroy(&run->reports);
    return run->status == LC_OK && atomic_load(&run->ends) ? LC_ERROR_STOPPED : run->status;
}

lc_status lc_census_run_here(lc_soup_census *census, lc_number_ranges *numbers,
                             const lc_soup_census_callbacks *callbacks, uint64_t run_ns,
                             lc_message *message)
{
    lc_census_run run = {.census = census,
                         .callbacks = *callbacks,
                         .caller = pthread_self(),
                         .left = numbers,
                         .ends_ns = run_ns == 0 ? 0 : lc_clock_ns() + run_ns};
    const lc_status status = run_all(&run);
    if (run.status != LC_OK && message != NULL)
        *message = run.message;
    return status;
}

lc_status lc_soup_census_run(lc_soup_census *census, const lc_soup_census_callbacks *stated,
                             lc_message *message)
{
    lc_soup_census_callbacks callbacks = {0};
    lc_number_ranges numbers = {0};
    lc_status status = LC_OK;
    if (stated != NULL)
        status = lc_structure_take(&callbacks, sizeof callbacks, stated, "lc_soup_census_callbacks",
                                   message);
    if (status != LC_OK)
        return status;
    if (census->ranks != NULL && census->ranks->count > 1 && callbacks.soup == NULL)
        return lc_census_run_by_ranks(census, &callbacks, message);
    if (!lc_ranges_subtract(&numbers, &census->wanted, &census->counted))
        return lc_fail_memory(message, "the numbers of soups");
    status = lc_census_run_here(census, &numbers, &callbacks, 0, message);
    lc_ranges_free(&numbers);
    return status;
}
