// Checkpoints written and read by all ranks at once, each its own rows (checkpoint_rank_files.h).
// Both are collective operations (cover/cover.h). To write:
//
//     1  rank 0 has created the index, a temporary file; each rank creates and locks its rank file
//     2  rank 0 checks that it sees all rank files; if not, they are removed and rank 0 writes one
//        file
//     3  each rank writes its rank file and syncs it to disk, and reports its totals to rank 0
//     4  after all reports, rank 0 writes the index and renames it to its path: this replaces the
//        old checkpoint by the new one
//     5  each rank keeps its rank file after success and removes it after a failure; a rank that
//        gets no report keeps its rank file, because the index may exist
//
// To read, rank 0 reads the heads and sends them to the others. Each rank tries to open the file,
// or the rank files that have some of its rows. If all ranks succeed, each reads the parts of its
// rows; otherwise rank 0 reads all parts.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "checkpoint/checkpoint_rank_files.h"
#include "checkpoint/checkpoint_writer.h"
#include "cover/ranks/rank_part.h"
#include "file/output.h"
#include "ranks/rank_calls.h"

enum { COLLECTIVE_WRITE = 1, COLLECTIVE_READ };

// Writing ----------------------------------------------------------------------------------------

typedef struct write_order {
    uint32_t kind;
    lc_checkpoint_header header; // as encoded
    lc_output_place place;       // of the index
    char folder[PATH_MAX], name[LC_RANK_FILE_NAME_BYTES];
} write_order;

typedef struct write_caller {
    lc_output *index;
    char target[PATH_MAX]; // its final path
    bool is_alone;         // not all ranks see one folder
} write_caller;

// The report of a rank file to rank 0.
typedef struct report {
    uint64_t is_fine;
    lc_checkpoint_rank_file rank_file;
} report;

typedef struct writing {
    const write_order *order;
    lc_ranks *ranks;
    lc_area held;
    lc_checkpoint_writer parts; // its output is the rank file
} writing;

static lc_status name_rank(const writing *w, lc_status status, const lc_message *why,
                           lc_message *message)
{
    char file[LC_RANK_FILE_TEXT_BYTES];
    lc_rank_file_format(w->order->name, w->order->header.id, (uint32_t)w->ranks->rank, file);
    return lc_fail(message, status, "%s: %s", file, why->text);
}

// Without such a folder, sets *sees_folder to false and returns LC_OK.
static lc_status begin_rank_file(writing *w, bool *sees_folder, lc_message *message)
{
    const write_order *o = w->order;
    char path[PATH_MAX];
    uint8_t bytes[LC_RANK_FILE_HEAD_BYTES];
    struct stat facts;
    *sees_folder = stat(o->folder, &facts) == 0 && S_ISDIR(facts.st_mode);
    if (!*sees_folder)
        return LC_OK;
    if (!lc_rank_file_path(o->folder, o->name, o->header.id, (uint32_t)w->ranks->rank, path))
        return lc_fail(message, LC_ERROR_IO, "cannot write: %s", strerror(ENAMETOOLONG));
    const lc_status status = lc_output_create_beside(&w->parts.output, path, &o->place, message);
    if (status != LC_OK)
        return status;
    const lc_rank_file_head head = {.number = (uint32_t)w->ranks->rank,
                                    .rank_files = o->header.rank_files,
                                    .first_row = w->held.y0,
                                    .end_row = w->held.y1,
                                    .id = o->header.id,
                                    .header_checksum = o->header.checksum};
    lc_rank_file_encode(&head, bytes);
    lc_checkpoint_emit(&w->parts, bytes, sizeof bytes);
    return LC_OK;
}

// Returns whether rank 0 sees all rank files.
static bool sees_rank_files(const writing *w)
{
    const write_order *o = w->order;
    char path[PATH_MAX];
    bool sees = true;
    for (uint32_t i = 0; i < o->header.rank_files && sees; i++)
        sees =
            lc_rank_file_path(o->folder, o->name, o->header.id, i, path) && access(path, F_OK) == 0;
    return sees;
}

static lc_status write_rank_file(writing *w, lc_message *message)
{
    lc_facts facts;
    lc_cover *own = w->parts.cover;
    lc_status status = own->vtable->facts(own, LC_FACT_BOX, &facts, message);
    if (status == LC_OK)
        status = lc_checkpoint_write_parts(&w->parts, facts.box, message);
    if (status != LC_OK)
        return status;
    lc_checkpoint_write_trailer(&w->parts);
    return lc_output_sync(w->parts.output, message);
}

// Rank 0: writes the index, after all rank files are on the disk.
static lc_status write_index(const writing *w, const report *reports, lc_output **index,
                             lc_message *message)
{
    const uint32_t count = w->order->header.rank_files;
    lc_checkpoint_header header = w->order->header;
    lc_checkpoint_rank_file *rank_files = lc_calloc(count, sizeof *rank_files);
    if (rank_files == NULL)
        return lc_fail_memory(message, "writing a checkpoint");
    for (uint32_t i = 0; i < count; i++)
        rank_files[i] = reports[i].rank_file;
    lc_checkpoint_write_index(&header, w->order->name, rank_files, *index);
    lc_free(rank_files);
    return lc_output_commit(index, message);
}

// Agrees on whether all rank files are written and the index names them. Sets *may_go to true if
// surely no index names them.
static lc_status finish(const writing *w, lc_status status, write_caller *caller, bool *may_go,
                        lc_message *message)
{
    lc_ranks *ranks = w->ranks;
    const report own = {status == LC_OK,
                        {.first_row = w->held.y0,
                         .end_row = w->held.y1,
                         .file_bytes = w->parts.written_bytes,
                         .totals = w->parts.totals}};
    report *reports = NULL;
    lc_status heard = LC_OK;
    *may_go = true;
    if (ranks->rank == 0)
        reports = lc_calloc((size_t)ranks->count, sizeof *reports);
    if (ranks->rank == 0 && reports == NULL)
        heard = lc_fail_memory(message, "writing a checkpoint");
    heard = lc_ranks_agree(ranks, heard, message); // all ranks get the reports, or none
    *may_go = heard != LC_OK;
    if (heard == LC_OK)
        heard = ranks->gather(ranks, &own, reports, sizeof own, message);
    bool all = heard == LC_OK;
    for (int i = 0; i < ranks->count && ranks->rank == 0 && all; i++)
        all = reports[i].is_fine;
    if (heard == LC_OK && ranks->rank == 0 && all)
        status = write_index(w, reports, &caller->index, message);
    lc_free(reports);
    if (heard != LC_OK)
        return status != LC_OK ? status : heard;
    // The failure may have come after the index was renamed.
    const bool stands =
        ranks->rank == 0 && lc_checkpoint_index_id(caller->target) == w->order->header.id;
    uint64_t outcome[] = {status == LC_OK && all, ranks->rank != 0 || !stands};
    heard = ranks->least(ranks, outcome, 2, status == LC_OK ? message : NULL);
    *may_go = heard == LC_OK && outcome[1];
    if (status != LC_OK || heard != LC_OK)
        return status != LC_OK ? status : heard;
    return outcome[0] ? LC_OK : lc_fail(message, LC_ERROR_STOPPED, "another rank failed");
}

static lc_status write_collective(const lc_collective *collective, lc_cover *own, lc_area held,
                                  lc_ranks *ranks, lc_message *message)
{
    const write_order *order = collective->data;
    write_caller *caller = collective->caller;
    writing w = {.order = order,
                 .ranks = ranks,
                 .held = held,
                 .parts = {.cover = own, .header = order->header}};
    lc_message why = {0};
    bool sees_folder, may_go = true;
    lc_status status = begin_rank_file(&w, &sees_folder, &why);
    if (status != LC_OK)
        (void)name_rank(&w, status, &why, message);
    status = lc_ranks_agree(ranks, status, message);
    uint64_t sees = sees_folder;
    if (status == LC_OK)
        status = ranks->least(ranks, &sees, 1, message);
    if (status == LC_OK && sees) {
        sees = ranks->rank != 0 || sees_rank_files(&w);
        status = ranks->least(ranks, &sees, 1, message);
    }
    if (status == LC_OK && sees) {
        status = write_rank_file(&w, &why);
        if (status != LC_OK)
            (void)name_rank(&w, status, &why, message);
        status = finish(&w, status, caller, &may_go, message);
    }
    if (caller != NULL)
        caller->is_alone = status == LC_OK && !sees;
    if ((status != LC_OK && may_go) || !sees)
        lc_output_abandon(&w.parts.output);
    else if (w.parts.output != NULL) {
        const lc_status kept = lc_output_commit(&w.parts.output, status == LC_OK ? &why : NULL);
        if (status == LC_OK && kept != LC_OK)
            status = name_rank(&w, kept, &why, message);
    }
    return status;
}

static uint64_t make_id(void)
{
    uint64_t id = 0;
    while (id == 0)
        if (getrandom(&id, sizeof id, 0) != (ssize_t)sizeof id)
            id = lc_clock_ns() * 0x9e3779b97f4a7c15u + (uint64_t)getpid();
    return id;
}

lc_status lc_checkpoint_write_by_ranks(const lc_universe *u, const lc_checkpoint_header *header,
                                       const char *path, bool *done, lc_message *message)
{
    lc_cover *cover = u->cover;
    const lc_ranks *ranks = cover->asked.context->options.ranks;
    uint8_t bytes[LC_CHECKPOINT_HEADER_MOST];
    write_caller caller = {.index = NULL};
    write_order *order = lc_calloc(1, sizeof *order);
    *done = false;
    if (order == NULL)
        return lc_fail_memory(message, "writing a checkpoint");
    order->kind = COLLECTIVE_WRITE;
    order->header = *header;
    order->header.rank_files = (uint32_t)ranks->count;
    order->header.id = make_id();
    lc_checkpoint_encode(&order->header, bytes);
    lc_status status = lc_output_create(&caller.index, path, 0, message);
    const char *target = status == LC_OK ? lc_output_target(caller.index, &order->place) : NULL;
    if (target != NULL)
        memcpy(caller.target, target, strlen(target) + 1);
    if (target != NULL && lc_rank_file_folder(target, order->folder)) {
        lc_rank_file_take_name(target, order->name);
        const lc_collective collective = {.data = order, .bytes = sizeof *order, .caller = &caller};
        status =
            cover->vtable->run_collective(cover, lc_checkpoint_collective, &collective, message);
        *done = !caller.is_alone;
    }
    lc_output_abandon(&caller.index);
    lc_free(order);
    return status;
}

// Reading ----------------------------------------------------------------------------------------

typedef struct read_order {
    uint32_t kind;
    lc_checkpoint_header header;
    uint64_t size_bytes, limit_bytes;
    uint64_t count; // of parts, or of rank files
    char path[PATH_MAX],
        name[LC_RANK_FILE_NAME_BYTES]; // the rank files' folder, or the file of parts
} read_order;                          // the parts or rank files follow

// Opens the file and checks that it is the one that rank 0 has read.
static bool open_same(lc_checkpoint_reader *r, const char *path)
{
    uint8_t bytes[8]; // the header's checksum
    struct stat facts;
    r->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return r->descriptor >= 0 && fstat(r->descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
           (uint64_t)facts.st_size == r->size_bytes &&
           lc_checkpoint_take(r, r->header.bytes - 8, bytes, 8, NULL) == LC_OK &&
           lc_get_bytes(bytes, 8) == r->header.checksum;
}

static bool wants_rank_file(const lc_checkpoint_reader *r, uint32_t number)
{
    return lc_checkpoint_wants(r, r->rank_files[number].first_row, r->rank_files[number].end_row);
}

static bool finds_rank_files(const lc_checkpoint_reader *r)
{
    bool found = true;
    for (uint32_t i = 0; i < r->header.rank_files && found; i++)
        found = !wants_rank_file(r, i) || lc_checkpoint_find_rank_file(r, i) == LC_OK;
    return found;
}

// Puts the offset of a faulty part into the message, because other ranks get messages only.
static lc_status read_parts(const lc_checkpoint_reader *r, lc_message *message)
{
    const lc_status status = lc_checkpoint_read_parts(r);
    const lc_message *why = r->message;
    if (status != LC_OK && why->offset != 0)
        return lc_fail(message, status, "byte %" PRIu64 ": %s", why->offset, why->text);
    return status == LC_OK ? LC_OK : lc_fail(message, status, "%s", why->text);
}

static lc_status read_all(lc_checkpoint_reader *r, lc_message *message)
{
    lc_status status = LC_OK;
    if (r->header.rank_files == 0)
        return read_parts(r, message);
    for (uint32_t i = 0; i < r->header.rank_files && status == LC_OK; i++)
        if (wants_rank_file(r, i))
            status = lc_checkpoint_read_rank_file(r, i);
    return status == LC_OK ? LC_OK : lc_fail(message, status, "%s", r->message->text);
}

static lc_status read_collective(const lc_collective *collective, lc_cover *own, lc_area held,
                                 lc_ranks *ranks, lc_message *message)
{
    read_order *order = collective->data;
    bool *done = collective->caller;
    lc_message why = {0};
    lc_checkpoint_reader r = {.message = &why,
                              .descriptor = -1,
                              .header = order->header,
                              .size_bytes = order->size_bytes,
                              .limit_bytes = order->limit_bytes,
                              .cover = own,
                              .held = held};
    memcpy(r.name, order->name, sizeof r.name);
    memcpy(r.folder, order->path, sizeof r.folder);
    if (order->header.rank_files > 0) {
        r.rank_files = (lc_checkpoint_rank_file *)(order + 1);
    } else {
        r.parts = (lc_checkpoint_part *)(order + 1);
        r.part_count = order->count;
    }
    uint64_t can = r.rank_files != NULL ? finds_rank_files(&r) : open_same(&r, order->path);
    lc_status status = ranks->least(ranks, &can, 1, message);
    if (status == LC_OK && can)
        status = read_all(&r, message);
    if (done != NULL)
        *done = can;
    if (r.descriptor >= 0)
        (void)close(r.descriptor);
    return status;
}

static bool make_order(const lc_checkpoint_reader *r, read_order **out, uint64_t *size_bytes)
{
    const bool has_rank_files = r->header.rank_files > 0;
    const uint64_t count = has_rank_files ? r->header.rank_files : r->part_count;
    const uint64_t each = has_rank_files ? sizeof *r->rank_files : sizeof *r->parts;
    *size_bytes = sizeof **out + count * each; // lists of them exist already
    read_order *order = lc_calloc(1, *size_bytes);
    *out = order;
    if (order == NULL)
        return false;
    order->kind = COLLECTIVE_READ;
    order->header = r->header;
    order->size_bytes = r->size_bytes;
    order->limit_bytes = r->limit_bytes;
    order->count = count;
    memcpy(order->path, has_rank_files ? r->folder : r->path, sizeof order->path);
    memcpy(order->name, r->name, sizeof order->name);
    if (count > 0)
        memcpy(order + 1, has_rank_files ? (const void *)r->rank_files : r->parts, count * each);
    return true;
}

lc_status lc_checkpoint_read_by_ranks(const lc_checkpoint_reader *r, bool *done)
{
    lc_cover *cover = r->universe->cover;
    uint64_t size_bytes;
    read_order *order;
    *done = false;
    if (cover->vtable->run_collective == NULL || r->header.version == 1)
        return LC_OK;
    if (!make_order(r, &order, &size_bytes))
        return lc_fail_memory(r->message, "reading a checkpoint");
    const lc_collective collective = {.data = order, .bytes = size_bytes, .caller = done};
    const lc_status status =
        cover->vtable->run_collective(cover, lc_checkpoint_collective, &collective, r->message);
    lc_free(order);
    return status;
}

// Collectives ------------------------------------------------------------------------------------

lc_status lc_checkpoint_collective(const lc_collective *collective, lc_cover *own, lc_area held,
                                   lc_ranks *ranks, lc_message *message)
{
    uint32_t kind;
    memcpy(&kind, collective->data, sizeof kind);
    return kind == COLLECTIVE_WRITE ? write_collective(collective, own, held, ranks, message)
                                    : read_collective(collective, own, held, ranks, message);
}
