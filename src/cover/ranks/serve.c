// What ranks 1 and up do: rank 0's orders, one after the other. And the end of it, for all.
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "cover/ranks/share.h"

typedef struct served {
    struct served *next;
    int number;
    lc_share *share;
} served;

// Where the universe stands in the list, or its end.
static served **find(served **list, int number)
{
    while (*list != NULL && (*list)->number != number)
        list = &(*list)->next;
    return list;
}

static lc_status make(served *u, const lc_order *order, int64_t *rows, lc_context *context,
                      lc_message *message)
{
    static const lc_engine_watch nobody = {.call = NULL};
    if (u != NULL)
        return lc_share_create(&u->share, order, rows, context, NULL, &nobody, message);
    lc_free(rows);
    return lc_fail_memory(message, "a universe");
}

// The numbers that say where slabs begin follow the order.
static lc_status create(served **list, const lc_order *order, lc_context *context, lc_ranks *ranks,
                        lc_answer *answer, lc_message *message)
{
    lc_message why = {0};
    const size_t bytes = lc_share_row_count(order, ranks) * sizeof(int64_t);
    int64_t *rows = lc_malloc(bytes);
    bool passed;
    const lc_status status = lc_share_pass_on(ranks, rows, bytes, &passed, message);
    if (status != LC_OK || !passed) {
        lc_free(rows);
        answer->status = lc_fail_memory(&why, "all slabs");
        memcpy(answer->text, why.text, sizeof answer->text);
        return status;
    }
    served *u = lc_calloc(1, sizeof *u);
    answer->status = make(u, order, rows, context, &why);
    memcpy(answer->text, why.text, sizeof answer->text);
    if (answer->status != LC_OK) {
        lc_free(u);
        return LC_OK;
    }
    u->number = order->universe;
    *find(list, u->number) = u;
    lc_share_describe(u->share, answer);
    return LC_OK;
}

static void destroy(served **at)
{
    served *u = *at;
    if (u == NULL)
        return; // it could not be made
    *at = u->next;
    lc_share_destroy(&u->share);
    lc_free(u);
}

static void refuse_errand(lc_answer *answer)
{
    lc_message why = {0};
    answer->status = lc_fail_memory(&why, "a command for ranks");
    memcpy(answer->text, why.text, sizeof answer->text);
}

static lc_status run_errand(lc_share *share, lc_ranks *ranks, lc_errand_work *work, uint64_t bytes,
                            lc_answer *answer, lc_message *message)
{
    lc_errand errand = {.data = lc_malloc(bytes), .bytes = bytes};
    bool passed;
    const lc_status status = lc_share_pass_on(ranks, errand.data, bytes, &passed, message);
    if (status == LC_OK && passed)
        lc_share_work(share, ranks, work, &errand, answer);
    else if (errand.data == NULL)
        refuse_errand(answer);
    lc_free(errand.data);
    return status;
}

lc_status lc_share_serve(lc_ranks *ranks, lc_context *context, lc_errand_work *work,
                         lc_message *message)
{
    served *list = NULL;
    lc_order order;
    lc_status status;
    for (;;) {
        lc_answer answer = {.status = LC_OK};
        status = ranks->broadcast(ranks, &order, sizeof order, message);
        if (status != LC_OK || order.kind == LC_ORDER_END)
            break;
        served **at = find(&list, order.universe);
        if (order.kind == LC_ORDER_DESTROY) {
            destroy(at);
            continue;
        }
        if (order.kind == LC_ORDER_CREATE)
            status = create(&list, &order, context, ranks, &answer, message);
        else if (order.kind == LC_ORDER_WEIGH)
            lc_share_weigh(&order, ranks, context, NULL, &answer);
        else if (order.kind == LC_ORDER_ERRAND)
            status = run_errand((*at)->share, ranks, work, order.bytes, &answer, message);
        else
            lc_share_obey((*at)->share, ranks, &order, NULL, NULL, &answer);
        if (status == LC_OK)
            status = ranks->gather(ranks, &answer, NULL, sizeof answer, message);
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
    lc_order order;
    memset(&order, 0, sizeof order);
    order.kind = LC_ORDER_END;
    if ((*ranks)->rank == 0 && (*ranks)->count > 1)
        (void)(*ranks)->broadcast(*ranks, &order, sizeof order, NULL);
    (*ranks)->close(*ranks);
    *ranks = NULL;
}
