// The loop of ranks 1 and up: receives the commands of rank 0 and executes them. And the end of
// all ranks.
#include <string.h>

#include "base/context_resources.h"
#include "base/error.h"
#include "base/memory.h"
#include "cover/ranks/rank_part.h"

typedef struct served {
    struct served *next;
    int number;
    lc_rank_part *part;
} served;

// Returns the link to the universe with that number, or to the end of the list.
static served **find(served **list, int number)
{
    while (*list != NULL && (*list)->number != number)
        list = &(*list)->next;
    return list;
}

static lc_status make(served *u, const lc_rank_command *command, int64_t *rows, lc_context *context,
                      lc_message *message)
{
    static const lc_engine_watch no_watch = {.call = NULL};
    if (u != NULL)
        return lc_rank_part_create(&u->part, command, rows, context, NULL, &no_watch, message);
    lc_free(rows);
    return lc_fail_memory(message, "a universe");
}

// The first rows of all slabs follow the command.
static lc_status create(served **list, const lc_rank_command *command, lc_context *context,
                        lc_ranks *ranks, lc_rank_reply *reply, lc_message *message)
{
    lc_message why = {0};
    const size_t bytes = lc_rank_command_row_count(command, ranks) * sizeof(int64_t);
    int64_t *rows = lc_malloc(bytes);
    bool passed;
    const lc_status status = lc_rank_broadcast(ranks, rows, bytes, &passed, message);
    if (status != LC_OK || !passed) {
        lc_free(rows);
        lc_rank_reply_set(reply, lc_fail_memory(&why, "all slabs"), &why);
        return status;
    }
    served *u = lc_calloc(1, sizeof *u);
    const lc_status made = make(u, command, rows, context, &why);
    lc_rank_reply_set(reply, made, &why);
    if (made != LC_OK) {
        lc_free(u);
        return LC_OK;
    }
    u->number = command->universe;
    *find(list, u->number) = u;
    lc_rank_part_describe(u->part, reply);
    return LC_OK;
}

static void destroy(served **at)
{
    served *u = *at;
    if (u == NULL)
        return; // CREATE failed on this rank
    *at = u->next;
    lc_rank_part_destroy(&u->part);
    lc_free(u);
}

static lc_status run_collective(lc_rank_part *part, lc_ranks *ranks, lc_collective_work *work,
                                uint64_t bytes, lc_rank_reply *reply, lc_message *message)
{
    lc_collective collective = {.data = lc_malloc(bytes), .bytes = bytes};
    lc_message why = {0};
    bool passed;
    const lc_status status = lc_rank_broadcast(ranks, collective.data, bytes, &passed, message);
    if (status == LC_OK && passed)
        lc_rank_part_run_collective(part, ranks, work, &collective, reply);
    else if (collective.data == NULL)
        lc_rank_reply_set(reply, lc_fail_memory(&why, "a command for ranks"), &why);
    lc_free(collective.data);
    return status;
}

lc_status lc_rank_loop(lc_ranks *ranks, lc_context *context, lc_collective_work *work,
                       const lc_rank_census *census, lc_message *message)
{
    served *list = NULL;
    lc_rank_command command;
    lc_status status;
    for (;;) {
        lc_rank_reply reply = {.status = LC_OK};
        status = ranks->broadcast(ranks, &command, sizeof command, message);
        if (status != LC_OK || command.kind == LC_RANK_COMMAND_END)
            break;
        served **at = find(&list, command.universe);
        if (command.kind == LC_RANK_COMMAND_DESTROY) {
            destroy(at);
            continue;
        }
        if (command.kind == LC_RANK_COMMAND_CREATE)
            status = create(&list, &command, context, ranks, &reply, message);
        else if (command.kind == LC_RANK_COMMAND_ABILITIES)
            lc_rank_part_abilities(&command, ranks, context, NULL, &reply);
        else if (command.kind == LC_RANK_COMMAND_CENSUS)
            status = census->run(census->kept, &command, ranks, context, &reply, message);
        else if (command.kind == LC_RANK_COMMAND_COLLECTIVE)
            status = run_collective((*at)->part, ranks, work, command.bytes, &reply, message);
        else
            lc_rank_part_execute((*at)->part, ranks, &command, NULL, NULL, &reply);
        if (status == LC_OK)
            status = ranks->gather(ranks, &reply, NULL, sizeof reply, message);
        if (status != LC_OK)
            break;
    }
    while (list != NULL)
        destroy(&list);
    return status;
}

void lc_ranks_close(lc_ranks **ranks)
{
    if (ranks == NULL || *ranks == NULL)
        return;
    lc_rank_command command;
    memset(&command, 0, sizeof command);
    command.kind = LC_RANK_COMMAND_END;
    if ((*ranks)->rank == 0 && (*ranks)->count > 1)
        (void)(*ranks)->broadcast(*ranks, &command, sizeof command, NULL);
    (*ranks)->close(*ranks);
    *ranks = NULL;
}
