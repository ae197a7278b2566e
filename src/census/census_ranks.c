// Ranks share a census: rank 0 has it, and the others count soups for it.
//
// In each round, rank 0 sends every rank a share of the numbers, as the text of a census that wants
// them. All count for the same time, so a fast rank does not wait for a slow one. Each sends back
// its counts, as the text of a census. Rank 0 adds them to its own, which only ever has whole
// soups. In the next round a rank gets as many soups as its speed promises.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "census/census_internal.h"
#include "checkpoint/checkpoint_rank_files.h"
#include "cover/ranks/rank_part.h"

// Less than any rank's, so that one without a figure gets few soups.
static const double first_rate = 1e-6;

// Time of the first round and of the longest. A signal waits for the end of a round, and at the end
// of a round each GPU has no next batch.
static const uint64_t first_round_ns = 1000000000, round_max_ns = 10000000000,
                      rate_min_ns = 100000000;

// Sharing the numbers ----------------------------------------------------------------------------

// Moves numbers from the front of one set to the end of another. Returns false if out of memory.
static bool move_numbers(lc_number_ranges *to, lc_number_ranges *from, uint64_t count)
{
    size_t done = 0;
    bool has_room = true;
    while (count > 0 && done < from->count && (has_room = lc_ranges_reserve(to, 1))) {
        lc_number_range *range = &from->at[done], piece = *range;
        piece.end = count < piece.end - piece.first ? piece.first + count : piece.end;
        lc_ranges_add(to, piece);
        count -= piece.end - piece.first;
        range->first = piece.end;
        done += range->first == range->end;
    }
    from->count -= done;
    memmove(from->at, from->at + done, from->count * sizeof *from->at);
    return has_room;
}

// The memory of rank 0, for all rounds.
typedef struct sharing {
    lc_soup_census *census;
    lc_ranks *ranks;
    double *rates;     // soups in a nanosecond, of each rank
    uint64_t *counted; // soups of the round, of each rank
    uint64_t *sizes;
    lc_rank_reply *replies;
    char *data; // of a round
    size_t bytes;
} sharing;

static void free_sharing(sharing *s)
{
    lc_free(s->rates);
    lc_free(s->counted);
    lc_free(s->sizes);
    lc_free(s->replies);
    lc_free(s->data);
}

static lc_status begin_sharing(sharing *s, lc_soup_census *census, lc_message *message)
{
    lc_ranks *ranks = census->ranks;
    const size_t count = (size_t)ranks->count;
    *s = (sharing){.census = census,
                   .ranks = ranks,
                   .rates = lc_calloc(count, sizeof *s->rates),
                   .counted = lc_calloc(count, sizeof *s->counted),
                   .sizes = lc_calloc(count, sizeof *s->sizes),
                   .replies = lc_calloc(count, sizeof *s->replies)};
    if (s->rates == NULL || s->counted == NULL || s->sizes == NULL || s->replies == NULL)
        return lc_fail_memory(message, "a census of ranks");
    for (size_t r = 0; r < count; r++)
        s->rates[r] = first_rate;
    return LC_OK;
}

// Takes a rank's share of the numbers that it and the ranks behind it get.
static bool take_share(const sharing *s, int rank, lc_number_ranges *to, lc_number_ranges *left)
{
    const uint64_t all = lc_ranges_size(left);
    double rates = 0;
    for (int r = rank; r < s->ranks->count; r++)
        rates += s->rates[r];
    const double part = (double)all * (s->rates[rank] / rates);
    const uint64_t count = part < (double)all ? (uint64_t)part + 1 : all;
    return move_numbers(to, left, count);
}

// Appends the text of a census that wants a share, with its size in front.
static lc_status append_share(sharing *s, lc_number_ranges share, lc_message *message)
{
    lc_soup_census wanted = *s->census;
    void *text;
    size_t bytes = 0;
    wanted.kinds = (lc_kinds){0};
    wanted.objects = 0;
    wanted.counted = (lc_number_ranges){0};
    wanted.wanted = share;
    const lc_status status = lc_census_make_text(&text, &bytes, &wanted, message);
    if (status != LC_OK)
        return status;
    const uint64_t size = bytes;
    char *data = lc_realloc(s->data, s->bytes + sizeof size + bytes);
    if (data != NULL) {
        memcpy(data + s->bytes, &size, sizeof size);
        memcpy(data + s->bytes + sizeof size, text, bytes);
        s->data = data;
        s->bytes += sizeof size + bytes;
    }
    free(text);
    return data != NULL ? LC_OK : lc_fail_memory(message, "a census of ranks");
}

// Sets *own to the share of rank 0, and the data to those of the others. Uses up `left`.
static lc_status share_numbers(sharing *s, lc_number_ranges *own, lc_number_ranges *left,
                               lc_message *message)
{
    lc_status status = LC_OK;
    s->bytes = 0;
    memset(s->counted, 0, (size_t)s->ranks->count * sizeof *s->counted);
    if (!take_share(s, 0, own, left))
        return lc_fail_memory(message, "the numbers of soups");
    for (int r = 1; r < s->ranks->count && status == LC_OK; r++) {
        lc_number_ranges share = {0};
        status = take_share(s, r, &share, left) ? append_share(s, share, message)
                                                : lc_fail_memory(message, "the numbers of soups");
        lc_ranges_free(&share);
    }
    return status;
}

// Rounds -----------------------------------------------------------------------------------------

// Adds what a rank has counted. A rank without memory sends nothing.
static lc_status add_text(sharing *s, int rank, const void *text, lc_message *message)
{
    lc_soup_census *counted = NULL;
    if (s->sizes[rank] == 0)
        return LC_OK;
    lc_status status =
        lc_census_read_text(&counted, text, (size_t)s->sizes[rank], s->census->context, message);
    if (status == LC_OK)
        status = lc_soup_census_merge(s->census, counted, message);
    if (status == LC_OK)
        s->counted[rank] = lc_ranges_size(&counted->counted);
    lc_soup_census_destroy(&counted);
    return status;
}

// Receives the texts of the other ranks, one after the other. `status`: of the texts before.
static lc_status receive(sharing *s, int rank, lc_status *status, lc_message *message)
{
    lc_message why = {0};
    const size_t bytes = (size_t)s->sizes[rank];
    char *text = lc_malloc(bytes + 1);
    uint64_t has_room = text != NULL;
    const lc_rank_buffer in = {rank, text, bytes};
    lc_status link = s->ranks->least(s->ranks, &has_room, 1, message);
    if (link == LC_OK && has_room && bytes > 0)
        link = s->ranks->exchange(s->ranks, NULL, 0, &in, 1, message);
    if (link == LC_OK && *status == LC_OK)
        *status = has_room ? add_text(s, rank, text, &why) : lc_fail_memory(&why, "a census");
    if (link == LC_OK && *status != LC_OK && message != NULL && message->text[0] == '\0')
        *message = why;
    lc_free(text);
    return link;
}

// Collects what the other ranks have counted. Returns an error of the link between ranks, or else
// the first one of a rank.
static lc_status collect(sharing *s, uint64_t took_ns, lc_message *message)
{
    const uint64_t nothing = 0;
    const lc_rank_reply own = {.done = took_ns};
    lc_status of_texts = LC_OK;
    lc_status status = s->ranks->gather(s->ranks, &nothing, s->sizes, sizeof nothing, message);
    for (int r = 1; r < s->ranks->count && status == LC_OK; r++)
        status = receive(s, r, &of_texts, message);
    if (status == LC_OK)
        status = s->ranks->gather(s->ranks, &own, s->replies, sizeof own, message);
    if (status != LC_OK)
        return status;
    for (int r = 0; r < s->ranks->count; r++) {
        const lc_rank_reply *reply = &s->replies[r];
        if (reply->done >= rate_min_ns) // a shorter time says little
            s->rates[r] = (double)(s->counted[r] + 1) / (double)reply->done;
        if (reply->status != LC_OK && of_texts == LC_OK)
            of_texts = lc_fail(message, (lc_status)reply->status, "rank %d: %s", r, reply->text);
    }
    return of_texts;
}

// Sends the shares. *passed: all ranks have got them.
static lc_status send_shares(sharing *s, uint64_t run_ns, bool *passed, lc_message *message)
{
    lc_rank_command command;
    memset(&command, 0, sizeof command);
    command.kind = LC_RANK_COMMAND_CENSUS;
    command.census.bytes = s->bytes;
    command.census.run_ns = run_ns;
    command.census.gpus = s->census->gpus_asked;
    const lc_status status = s->ranks->broadcast(s->ranks, &command, sizeof command, message);
    return status == LC_OK ? lc_rank_broadcast(s->ranks, s->data, s->bytes, passed, message)
                           : status;
}

// Counts for some time. Uses up `left`. Returns an error of this rank, of the link, or of another
// rank.
static lc_status run_round(sharing *s, lc_number_ranges *left,
                           const lc_soup_census_callbacks *callbacks, uint64_t run_ns,
                           lc_message *message)
{
    lc_number_ranges own = {0};
    lc_message why = {0};
    bool passed = false;
    lc_status status = share_numbers(s, &own, left, message), here = LC_OK;
    if (status == LC_OK)
        status = send_shares(s, run_ns, &passed, message);
    if (status == LC_OK) {
        const uint64_t before = lc_ranges_size(&s->census->counted), begin_ns = lc_clock_ns();
        if (passed)
            here = lc_census_run_here(s->census, &own, callbacks, run_ns, message);
        s->counted[0] = lc_ranges_size(&s->census->counted) - before;
        status = collect(s, lc_clock_ns() - begin_ns, &why);
        if (here == LC_OK && status != LC_OK && message != NULL)
            *message = why;
    }
    lc_ranges_free(&own);
    return here != LC_OK ? here : status;
}

lc_status lc_census_run_by_ranks(lc_soup_census *census, const lc_soup_census_callbacks *callbacks,
                                 lc_message *message)
{
    sharing s;
    lc_status status = begin_sharing(&s, census, message);
    uint64_t run_ns = first_round_ns;
    for (bool has_soups = true; status == LC_OK && has_soups;) {
        lc_number_ranges left = {0};
        if (!lc_ranges_subtract(&left, &census->wanted, &census->counted))
            status = lc_fail_memory(message, "the numbers of soups");
        has_soups = left.count > 0;
        if (status == LC_OK && has_soups && callbacks->progress != NULL &&
            !callbacks->progress(callbacks->user, census))
            status = LC_ERROR_STOPPED;
        if (status == LC_OK && has_soups)
            status = run_round(&s, &left, callbacks, run_ns, message);
        lc_ranges_free(&left);
        run_ns = 2 * run_ns < round_max_ns ? 2 * run_ns : round_max_ns;
    }
    free_sharing(&s);
    return status;
}

// Ranks 1 and up ---------------------------------------------------------------------------------

// The census of a rank. It has threads' and GPUs' memory, and is empty between rounds.
typedef struct kept_census {
    lc_context *context; // without ranks
    lc_soup_census *census;
    int32_t gpus;
} kept_census;

// Returns a rank's text in the data of a round.
static const char *find_text(const char *data, int rank, uint64_t *size)
{
    for (int r = 1;; r++) {
        memcpy(size, data, sizeof *size);
        data += sizeof *size;
        if (r == rank)
            return data;
        data += *size;
    }
}

// Sets what the rank has to count. The GPUs that rank 0 has need not be here, too.
static lc_status prepare(kept_census *kept, const char *data, lc_ranks *ranks, int32_t gpus,
                         lc_message *message)
{
    uint64_t size;
    lc_soup_census *asked;
    const char *text = find_text(data, ranks->rank, &size);
    const lc_status status =
        lc_census_read_text(&asked, text, (size_t)size, kept->context, message);
    if (status != LC_OK)
        return status;
    if (kept->census != NULL && kept->gpus == gpus &&
        lc_census_check_alike(kept->census, asked, NULL) == LC_OK) {
        const lc_number_ranges wanted = kept->census->wanted;
        kept->census->wanted = asked->wanted;
        asked->wanted = wanted;
        lc_soup_census_destroy(&asked);
        return LC_OK;
    }
    lc_soup_census_destroy(&kept->census);
    kept->census = asked;
    kept->gpus = gpus;
    asked->ranks = ranks;
    (void)lc_soup_census_use_gpus(asked, gpus, NULL);
    return LC_OK;
}

static lc_status count(kept_census *kept, uint64_t run_ns, void **text, size_t *bytes,
                       lc_message *message)
{
    const lc_soup_census_callbacks none = {0};
    lc_number_ranges numbers = {0};
    if (!lc_ranges_subtract(&numbers, &kept->census->wanted, &kept->census->counted))
        return lc_fail_memory(message, "the numbers of soups");
    lc_status status = lc_census_run_here(kept->census, &numbers, &none, run_ns, message);
    // After an error, too, rank 0 gets the soups that were counted.
    const lc_status made =
        lc_census_make_text(text, bytes, kept->census, status == LC_OK ? message : NULL);
    status = status == LC_OK ? made : status;
    lc_census_clear(kept->census);
    lc_ranges_free(&numbers);
    return status;
}

// Sends the text to rank 0, which takes the ranks' texts one after the other.
static lc_status send(lc_ranks *ranks, void *text, uint64_t bytes, lc_message *message)
{
    const lc_rank_buffer out = {0, text, bytes};
    lc_status status = ranks->gather(ranks, &bytes, NULL, sizeof bytes, message);
    for (int r = 1; r < ranks->count && status == LC_OK; r++) {
        uint64_t has_room = 1;
        status = ranks->least(ranks, &has_room, 1, message);
        if (status == LC_OK && r == ranks->rank && has_room && bytes > 0)
            status = ranks->exchange(ranks, &out, 1, NULL, 0, message);
    }
    return status;
}

static lc_status run_rank(void *to, const lc_rank_command *command, lc_ranks *ranks,
                          lc_context *context, lc_rank_reply *reply, lc_message *message)
{
    kept_census *kept = to;
    lc_message why = {0};
    void *text = NULL;
    size_t bytes = 0;
    bool passed;
    char *data = lc_malloc((size_t)command->census.bytes);
    lc_status here = data != NULL ? LC_OK : lc_fail_memory(&why, "a census");
    if (here == LC_OK && kept->context == NULL)
        here = lc_context_hold_alone(&kept->context, context, &why);
    lc_status status = lc_rank_broadcast(ranks, data, command->census.bytes, &passed, message);
    if (status == LC_OK && passed && here == LC_OK)
        here = prepare(kept, data, ranks, command->census.gpus, &why);
    const uint64_t begin_ns = lc_clock_ns();
    if (status == LC_OK && passed && here == LC_OK)
        here = count(kept, command->census.run_ns, &text, &bytes, &why);
    reply->done = lc_clock_ns() - begin_ns;
    if (status == LC_OK)
        status = send(ranks, text, bytes, message);
    lc_rank_reply_set(reply, here, &why);
    free(text);
    lc_free(data);
    return status;
}

lc_status lc_ranks_serve(lc_ranks *ranks, lc_context *context, lc_message *message)
{
    kept_census kept = {0};
    const lc_rank_census census = {run_rank, &kept};
    const lc_status status =
        lc_rank_loop(ranks, context, lc_checkpoint_collective, &census, message);
    lc_soup_census_destroy(&kept.census);
    lc_context_destroy(&kept.context);
    return status;
}
