// Timelines in memory: a store with the squares of all frames, and a pattern for each opened frame.
#include "lightcone/timeline.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "pattern/macrocell.h"

struct lc_timeline {
    lc_timeline_info info;
    lc_pattern_header header;
    char rule_text[LC_RULE_BYTES];
    char *comments;
    lc_store store;
    lc_kept_frames frames;
};

// A frame as a pattern ----------------------------------------------------------------------------

static lc_status read_cells(lc_pattern *pattern, const lc_sink *sink, lc_message *message)
{
    return lc_macrocell_give(pattern->store, pattern->root, pattern->root_log2, sink, message);
}

// Copies squares from one store to another. Keeps the copy of each node.
typedef struct copier {
    const lc_store *from;
    lc_store *to;
    lc_square *copies; // by number; 0: not copied yet
    uint64_t end;
    lc_square waiting[4 * 256]; // quarters on the path from the root
    size_t waiting_count;
    lc_message *message;
} copier;

static void keep(void *context, const lc_keeping *keeping)
{
    copier *c = context;
    for (uint64_t i = 0; i < c->end; i++)
        if (c->copies[i] != 0)
            lc_keep(keeping, &c->copies[i]);
    for (size_t i = 0; i < c->waiting_count; i++)
        lc_keep(keeping, &c->waiting[i]);
}

static lc_status copy(copier *c, lc_square square, int log2, lc_square *out)
{
    *out = 0;
    if (square == 0)
        return LC_OK;
    const bool is_leaf = lc_square_is_leaf(square);
    if (!is_leaf && c->copies[square] != 0) {
        *out = c->copies[square];
        return LC_OK;
    }
    const size_t first = c->waiting_count;
    lc_status status = LC_OK;
    for (int i = 0; i < 4 && !is_leaf && status == LC_OK; i++) {
        lc_square quarter;
        status = copy(c, lc_store_child(c->from, square, i), log2 - 1, &quarter);
        c->waiting[c->waiting_count++] = quarter;
    }
    if (status == LC_OK)
        status = lc_store_reserve(c->to, &c->to->stock, 1, 1, c->message);
    if (status == LC_OK && is_leaf)
        *out = lc_store_find_leaf(c->to, lc_store_leaf(c->from, square));
    else if (status == LC_OK)
        *out = c->copies[square] = lc_store_find_node(c->to, c->waiting + first);
    c->waiting_count = first;
    return status;
}

static lc_status read_tree(lc_pattern *pattern, lc_store *store, lc_square *root, int *root_log2,
                           lc_message *message)
{
    copier c = {.from = pattern->store, .to = store, .message = message};
    c.end = lc_store_node_end(c.from);
    c.copies = lc_calloc((size_t)c.end, sizeof *c.copies);
    if (c.copies == NULL)
        return lc_fail_memory(message, "the squares of a frame");
    lc_gc_root gc_root = {.each = keep, .context = &c};
    lc_store_add_root(store, &gc_root);
    *root_log2 = pattern->root_log2;
    const lc_status status = copy(&c, pattern->root, pattern->root_log2, root);
    lc_store_remove_root(store, &gc_root);
    lc_free(c.copies);
    return status;
}

static const lc_format_ops frame_ops = {
    .format = LC_FORMAT_MACROCELL,
    .read_cells = read_cells,
    .read_tree = read_tree,
};

lc_status lc_timeline_open_frame(lc_pattern **out, const lc_timeline *t, uint64_t frame,
                                 lc_message *message)
{
    *out = NULL;
    if (t == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the timeline is NULL");
    if (frame >= t->info.frames)
        return lc_fail(message, LC_ERROR_ARGUMENT, "there is no frame %llu: the last one is %llu",
                       (unsigned long long)frame, (unsigned long long)t->info.frames - 1);
    lc_pattern *pattern = lc_calloc(1, sizeof *pattern);
    if (pattern == NULL)
        return lc_fail_memory(message, "opening a frame");
    const lc_kept_frame *f = &t->frames.frames[frame];
    pattern->header = t->header;
    (void)lc_rule_retain(pattern->header.rule);
    pattern->header.has_frames = false;
    pattern->header.generation = f->generation;
    pattern->ops = &frame_ops;
    pattern->store = &t->store;
    pattern->root = f->root;
    pattern->root_log2 = f->root_log2;
    *out = pattern;
    return LC_OK;
}

// Frames ------------------------------------------------------------------------------------------

static lc_status fill(lc_timeline *t, lc_pattern *pattern, lc_message *message)
{
    const lc_status status = lc_macrocell_read_frames(pattern, &t->store, &t->frames, message);
    if (status != LC_OK)
        return status;
    const size_t length = strlen(pattern->header.comments);
    t->comments = lc_malloc(length + 1);
    if (t->comments == NULL)
        return lc_fail_memory(message, "reading a timeline");
    memcpy(t->comments, pattern->header.comments, length + 1);
    memcpy(t->rule_text, pattern->header.rule_text, strlen(pattern->header.rule_text) + 1);
    t->info = (lc_timeline_info){.frames = t->frames.count,
                                 .every = t->frames.every,
                                 .first = t->frames.frames[0].generation,
                                 .last = t->frames.frames[t->frames.count - 1].generation,
                                 .is_cut = t->frames.is_cut,
                                 .cut = t->frames.cut};
    t->header = pattern->header;
    t->header.rule = lc_rule_retain(pattern->header.rule);
    t->header.generation = t->info.last;
    t->header.rule_text = t->rule_text;
    t->header.comments = t->comments;
    t->header.names = "";
    return LC_OK;
}

lc_status lc_timeline_read(lc_timeline **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                           lc_message *message)
{
    *out = NULL;
    lc_status status = lc_pattern_check_unread(pattern, message);
    if (status != LC_OK)
        return status;
    if (!pattern->header.has_frames)
        return lc_fail(message, LC_ERROR_FORMAT, "this is no timeline: it has no #FRAMES");
    if (pattern->header.rule_error != NULL) // frames use the rule of their timeline
        return lc_fail_again(message, LC_ERROR_UNSUPPORTED, pattern->header.rule_error);
    pattern->was_read = true;
    lc_timeline *t = lc_calloc(1, sizeof *t);
    if (t == NULL)
        return lc_fail_memory(message, "reading a timeline");
    status = lc_store_init_within(&t->store, NULL, lc_memory_limit(max_memory_bytes), message);
    if (status != LC_OK) {
        lc_free(t);
        return status;
    }
    status = fill(t, pattern, message);
    if (status != LC_OK)
        lc_timeline_destroy(&t);
    *out = t;
    return status;
}

void lc_timeline_destroy(lc_timeline **timeline)
{
    if (timeline == NULL || *timeline == NULL)
        return;
    lc_timeline *t = *timeline;
    lc_rule_release(&t->header.rule);
    lc_store_free(&t->store);
    lc_free(t->frames.frames);
    lc_free(t->comments);
    lc_free(t);
    *timeline = NULL;
}

const lc_timeline_info *lc_timeline_get_info(const lc_timeline *t)
{
    return &t->info;
}

const lc_pattern_header *lc_timeline_get_header(const lc_timeline *t)
{
    return &t->header;
}

lc_count lc_timeline_generation(const lc_timeline *t, uint64_t frame)
{
    return t->frames.frames[frame < t->info.frames ? frame : t->info.frames - 1].generation;
}

uint64_t lc_timeline_find(const lc_timeline *t, lc_count generation)
{
    uint64_t from = 0, to = t->info.frames; // frame `from` is not above it, or is the first
    while (to - from > 1) {
        const uint64_t middle = from + (to - from) / 2;
        if (lc_count_compare(t->frames.frames[middle].generation, generation) <= 0)
            from = middle;
        else
            to = middle;
    }
    return from;
}
