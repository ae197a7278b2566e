// Checkpoints of quadtrees, which may have 10^30 cells. The checkpoint holds the macrocell file of
// the quadtree, cut into pieces that are compressed one by one. Cells are not visited.
#include "checkpoint/checkpoint_quadtree.h"

#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/error.h"
#include "base/least.h"
#include "base/memory.h"
#include "pattern/format.h"

enum {
    COMPRESSION_LEVEL = 1, // of repetitive text
    PIECE_BYTES = 1 << 20,
    PIECE_CHECKSUM = LC_CHECKPOINT_PART_BYTES - 8,
};

static const char piece_magic[4] = {'S', 'Q', 'R', 'S'};

// Writing -----------------------------------------------------------------------------------------

// A stream that cuts the text into pieces as it comes, because there may be no memory for all of
// it.
typedef struct pieces {
    lc_checkpoint_writer *out;
    char *text; // of the next piece
    size_t text_bytes;
    void *frame;
    size_t frame_room;
    ZSTD_CCtx *compressor;
} pieces;

static uint64_t encode_piece(const lc_checkpoint_header *header, size_t index, size_t text_bytes,
                             const void *frame, size_t frame_bytes,
                             uint8_t bytes[LC_CHECKPOINT_PART_BYTES])
{
    memset(bytes, 0, LC_CHECKPOINT_PART_BYTES);
    memcpy(bytes, piece_magic, sizeof piece_magic);
    lc_put_bytes(bytes + 4, frame_bytes, 4);
    lc_put_bytes(bytes + 8, text_bytes, 8);
    lc_put_bytes(bytes + 16, index, 8);
    lc_put_bytes(bytes + 24, XXH64(frame, frame_bytes, 0), 8);
    const uint64_t checksum = XXH64(bytes, PIECE_CHECKSUM, header->checksum);
    lc_put_bytes(bytes + PIECE_CHECKSUM, checksum, 8);
    return checksum;
}

static lc_status write_piece(pieces *p, lc_message *message)
{
    uint8_t head[LC_CHECKPOINT_PART_BYTES];
    const size_t frame_bytes = ZSTD_compressCCtx(p->compressor, p->frame, p->frame_room, p->text,
                                                 p->text_bytes, COMPRESSION_LEVEL);
    if (ZSTD_isError(frame_bytes))
        return lc_fail_memory(message, "compressing a checkpoint");
    lc_checkpoint_totals *totals = &p->out->totals;
    totals->checksum +=
        encode_piece(&p->out->header, totals->parts, p->text_bytes, p->frame, frame_bytes, head);
    totals->parts++;
    lc_checkpoint_emit(p->out, head, sizeof head);
    lc_checkpoint_emit(p->out, p->frame, frame_bytes);
    p->text_bytes = 0;
    return LC_OK;
}

static lc_status take_text(void *context, const void *data, size_t size_bytes, lc_message *message)
{
    pieces *p = context;
    const char *from = data;
    lc_status status = LC_OK;
    while (size_bytes > 0 && status == LC_OK) {
        const size_t room = PIECE_BYTES - p->text_bytes;
        const size_t part = size_bytes < room ? size_bytes : room;
        memcpy(p->text + p->text_bytes, from, part);
        p->text_bytes += part;
        from += part;
        size_bytes -= part;
        if (p->text_bytes == PIECE_BYTES)
            status = write_piece(p, message);
        if (status == LC_OK)
            status = lc_check_give_up(message);
    }
    // If the file cannot be written, the rest of the quadtree is skipped.
    return status == LC_OK && lc_output_failed(p->out->output) ? LC_ERROR_IO : status;
}

// Writes the quadtree as a macrocell file.
static lc_status write_text(pieces *p, lc_message *message)
{
    const lc_universe *u = p->out->universe;
    lc_square root;
    int root_log2;
    lc_output *text;
    lc_cover *cover = u->cover;
    const lc_pattern_write_options options = {.struct_bytes = sizeof options,
                                              .rule = u->rule,
                                              .topology = &u->topology,
                                              .has_position = true,
                                              .comments = ""};
    lc_status status = cover->vtable->get_root(cover, &root, &root_log2, message);
    if (status == LC_OK)
        status = lc_output_create_pieces(&text, take_text, p, message);
    if (status != LC_OK)
        return status;
    status = lc_macrocell_write_tree(text, &options, cover->vtable->store(cover), root, root_log2,
                                     message);
    if (status == LC_OK)
        return lc_output_commit(&text, message);
    lc_output_abandon(&text);
    return status;
}

lc_status lc_checkpoint_write_pieces(lc_checkpoint_writer *out, const lc_facts *facts,
                                     lc_message *message)
{
    pieces p = {.out = out,
                .text = lc_malloc(PIECE_BYTES),
                .frame_room = ZSTD_compressBound(PIECE_BYTES),
                .compressor = ZSTD_createCCtx()};
    lc_status status;
    out->totals = (lc_checkpoint_totals){.population = facts->population, .hash = facts->hash};
    p.frame = lc_malloc(p.frame_room);
    if (p.text == NULL || p.frame == NULL || p.compressor == NULL)
        status = lc_fail_memory(message, "writing a checkpoint");
    else
        status = write_text(&p, message);
    if (status == LC_OK && p.text_bytes > 0)
        status = write_piece(&p, message);
    lc_free(p.text);
    lc_free(p.frame);
    ZSTD_freeCCtx(p.compressor);
    return lc_output_failed(out->output) ? LC_OK : status; // the end of the stream finds the error
}

// Reading -----------------------------------------------------------------------------------------

bool lc_checkpoint_is_piece(const uint8_t bytes[4])
{
    return memcmp(bytes, piece_magic, sizeof piece_magic) == 0;
}

lc_status lc_checkpoint_decode_piece(const lc_checkpoint_reader *r,
                                     const uint8_t bytes[LC_CHECKPOINT_PART_BYTES], uint64_t start,
                                     lc_checkpoint_part *piece, uint64_t *checksum)
{
    *checksum = lc_get_bytes(bytes + PIECE_CHECKSUM, 8);
    if (*checksum != XXH64(bytes, PIECE_CHECKSUM, r->header.checksum))
        return lc_checkpoint_damaged(r->message, start + PIECE_CHECKSUM,
                                     "the head of a piece does not have the checksum that stands "
                                     "there");
    *piece = (lc_checkpoint_part){.text_bytes = lc_get_bytes(bytes + 8, 8),
                                  .start = start,
                                  .checksum = lc_get_bytes(bytes + 24, 8),
                                  .checksum_at = start + 24,
                                  .frame_start = start + LC_CHECKPOINT_PART_BYTES,
                                  .frame_bytes = lc_get_bytes(bytes + 4, 4)};
    if (piece->text_bytes < 1 || piece->text_bytes > PIECE_BYTES)
        return lc_checkpoint_invalid(r->message, start + 8, "the length of a piece");
    if (lc_get_bytes(bytes + 16, 8) != r->part_count)
        return lc_checkpoint_invalid(r->message, start + 16, "the number of a piece");
    if (piece->frame_bytes > ZSTD_compressBound(PIECE_BYTES))
        return lc_checkpoint_invalid(r->message, start + 4, "the size of a piece");
    for (int i = 32; i < PIECE_CHECKSUM; i += 8)
        if (lc_get_bytes(bytes + i, 8) != 0)
            return lc_checkpoint_invalid(r->message, start + (uint64_t)i, "a reserved field");
    return LC_OK;
}

static lc_status unpack(const lc_checkpoint_reader *r, void *frame, char *text)
{
    for (size_t i = 0; i < r->part_count; i++) {
        const lc_checkpoint_part *piece = &r->parts[i];
        const size_t frame_bytes = (size_t)piece->frame_bytes;
        lc_status status = lc_check_give_up(r->message);
        if (status == LC_OK)
            status = lc_checkpoint_take(r, piece->frame_start, frame, frame_bytes, r->message);
        if (status != LC_OK)
            return status;
        if (XXH64(frame, frame_bytes, 0) != piece->checksum)
            return lc_checkpoint_damaged(r->message, piece->checksum_at,
                                         "a piece does not have the checksum that stands there");
        if (ZSTD_decompress(text, (size_t)piece->text_bytes, frame, frame_bytes) !=
            piece->text_bytes)
            return lc_checkpoint_damaged(r->message, piece->frame_start,
                                         "a piece cannot be decompressed");
        text += piece->text_bytes;
    }
    return LC_OK;
}

// Loads the text as stored cells, with any background.
static lc_status read_text(const lc_checkpoint_reader *r, const char *text, size_t size_bytes)
{
    lc_square root;
    int root_log2;
    lc_pattern *pattern;
    lc_universe *u = r->universe;
    lc_cover *cover = u->cover;
    lc_status status = lc_pattern_open_memory(&pattern, text, size_bytes, r->message);
    if (status != LC_OK)
        return status;
    if (pattern->ops->read_tree == NULL)
        status = lc_checkpoint_invalid(r->message, r->header.bytes, "what it holds");
    else if (!lc_universe_is_squares(u))
        status = lc_universe_load(u, pattern, 0, 0, r->message);
    else if ((status = lc_pattern_read_tree(pattern, cover->vtable->store(cover), &root, &root_log2,
                                            r->message)) == LC_OK)
        status = cover->vtable->set_root(cover, root, root_log2, r->message);
    lc_pattern_close(&pattern);
    return status;
}

lc_status lc_checkpoint_read_quadtree(lc_checkpoint_reader *r)
{
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < r->part_count; i++)
        size_bytes += r->parts[i].text_bytes;
    if (size_bytes > r->limit_bytes || size_bytes > SIZE_MAX)
        return lc_fail_limit(r->message, size_bytes, r->limit_bytes,
                             "the checkpoint's squares need");
    char *text = lc_malloc(size_bytes > 0 ? (size_t)size_bytes : 1);
    void *frame = lc_malloc(ZSTD_compressBound(PIECE_BYTES));
    lc_status status = LC_OK;
    if (text == NULL || frame == NULL)
        status = lc_fail_memory(r->message, "reading a checkpoint");
    if (status == LC_OK)
        status = unpack(r, frame, text);
    lc_free(frame);
    if (status == LC_OK)
        status = read_text(r, text, (size_t)size_bytes);
    lc_free(text);
    return status;
}
