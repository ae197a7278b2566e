// The functions of a file format, and an open pattern.
#ifndef LC_PATTERN_FORMAT_H
#define LC_PATTERN_FORMAT_H

#include "base/least.h"
#include "file/input.h"
#include "file/output.h"
#include "lightcone/pattern.h"
#include "quadtree/store.h"

enum {
    LC_LINE_BYTES = 4096,          // longest stored header or comment line
    LC_COMMENTS_BYTES = 64 * 1024, // limit of the stored comments
    LC_RULE_BYTES = 1024,          // longest rule text, with its terminator
    LC_NAME_BYTES = 256,           // longest name of a pattern, with its terminator
};

// A part of a row of the rectangle to write, whose top left cell is (0, 0): `length` > 0 cells from
// (x, y) on. `words` NULL: all have state 1. Otherwise bit p of the state of cell x + i is bit i %
// 64 of words[p * plane_words + i / 64], and bits past `length` are zero.
typedef struct lc_span {
    int64_t x, y, length;
    const uint64_t *words;
    int planes; // those of the rule; 0 is 1
    size_t plane_words;
} lc_span;

// Returns at most `most` cells of a span with words, from its cell `begin` on, a multiple of 64, as
// row 0 of a rectangle.
static inline lc_cells lc_span_of(const lc_span *span, int64_t begin, int64_t most)
{
    return (lc_cells){.width_cells = lc_least(span->length - begin, most),
                      .height_cells = 1,
                      .planes = span->planes == 0 ? 1 : span->planes,
                      .words = (uint64_t *)(uintptr_t)span->words + begin / 64, // only read
                      .plane_words = span->plane_words};
}

// Passes the next span to a writer. Spans come row by row and from left to right without overlap.
// Cells outside all spans are dead, so a source can skip empty regions. The words are valid until
// the next call. `length` 0: the end. The writer stops at any status but LC_OK and returns it.
typedef lc_status (*lc_span_source)(void *context, lc_span *span);

typedef struct lc_format_ops {
    lc_format format;
    // Whether `text`, the first window of the input without leading blank lines, looks like this
    // format. NULL: the format cannot be read.
    bool (*probe)(const char *text, size_t length);
    // Reads the part before the cells into pattern->header.
    lc_status (*read_header)(lc_pattern *pattern, lc_message *message);
    lc_status (*read_cells)(lc_pattern *pattern, const lc_sink *sink, lc_message *message);
    // Skips this pattern and goes on to the part before the cells of the next one in the file. Adds
    // it to the header's `patterns` and `names`. Sets *found. NULL: a file has one pattern.
    lc_status (*next)(lc_pattern *pattern, bool *found, lc_message *message);
    // Reads the cells as a square of the store, with its middle at (0, 0), instead of as spans.
    // NULL: not supported.
    lc_status (*read_tree)(lc_pattern *pattern, lc_store *store, lc_square *root, int *root_log2,
                           lc_message *message);
    bool states_counts;   // its files state a rule, which must be outer-totalistic
    bool has_many_states; // its files hold cells of rules of more than two states
    // Returns LC_ERROR_LIMIT if a rectangle of that size cannot be written; LC_ERROR_UNSUPPORTED if
    // this build cannot write the format. NULL: every size can be written.
    lc_status (*check_size)(int64_t width_cells, int64_t height_cells, lc_message *message);
    // Writes the whole file. Time and memory are proportional to the file: dead space that takes no
    // bytes in it costs nothing. The writer need not check for failures of the output, because
    // committing reports them.
    lc_status (*write)(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message);
    // Like write, from a square of a store with its middle at (0, 0). NULL: not supported.
    lc_status (*write_tree)(lc_output *output, const lc_pattern_write_options *options,
                            const lc_store *store, lc_square root, int root_log2,
                            lc_message *message);
} lc_format_ops;

struct lc_pattern {
    lc_pattern_header header;
    const lc_format_ops *ops;
    lc_input input;
    bool was_read;
    bool takes_any_rule;
    lc_message rule_error; // header.rule_error
    char *comments;        // header.comments, allocated for the first comment
    size_t comments_length;
    char *names; // header.names, allocated for the second pattern of a file
    size_t names_length;
    char name[LC_NAME_BYTES]; // of the first pattern
    bool head_is_cut;     // the input has dropped '#' lines before the last pattern that was found
    int64_t indent_cells; // spaces before the first character, on its line; cells in plaintext
    bool indent_tab;      // not all of them are spaces
    char *cells;          // MCell: the text of the cells, owned
    size_t cells_length;
    int64_t block_x; // Life 1.05: the block that the header ended at
    int64_t block_y;
    lc_count first_generation, every; // of a timeline, as the file states them
    const lc_store *store;            // of a frame of a timeline: it has the cells, and `input`
    lc_square root;                   // is not used
    int root_log2;
    char rule_text[LC_RULE_BYTES];
};

// Returns LC_ERROR_ARGUMENT for NULL and for a pattern whose cells have been read.
lc_status lc_pattern_check_unread(const lc_pattern *pattern, lc_message *message);

// Returns whether the cells can be read as a square of a store: the format supports it, and the
// rule has two states.
bool lc_pattern_is_tree(const lc_pattern *pattern);

// Like lc_pattern_read, into a store, if lc_pattern_is_tree.
lc_status lc_pattern_read_tree(lc_pattern *pattern, lc_store *store, lc_square *root,
                               int *root_log2, lc_message *message);

// Checks before there are cells whether the format (not AUTO) can be written. Returns LC_OK;
// LC_ERROR_LIMIT (no rectangle of that size); LC_ERROR_UNSUPPORTED (not by this build).
lc_status lc_pattern_check_size(lc_format format, int64_t width_cells, int64_t height_cells,
                                lc_message *message);

// Returns LC_ERROR_LIMIT if a file of that format would need more than LC_TEXT_CELLS_MAX bytes for
// the cells of a square, of any population. The check uses the minimum size of the file.
lc_status lc_pattern_check_square(lc_format format, const lc_store *store, lc_square square,
                                  lc_message *message);

// Returns LC_ERROR_UNSUPPORTED if files of the format (not AUTO) state rules, but cannot state this
// one.
lc_status lc_pattern_check_rule(lc_format format, const lc_rule *rule, lc_message *message);

// A span source that reads rows. Its context is an lc_row_spans. It skips rows without live cells.
typedef struct lc_row_spans {
    lc_row_source row;
    void *context;
    int64_t width_cells, height_cells;
    int64_t y; // the next row
    int planes;
    uint64_t *words; // plane by plane
    size_t plane_words;
} lc_row_spans;

// LC_ERROR_LIMIT, LC_ERROR_MEMORY: there is nothing to close.
lc_status lc_row_spans_open(lc_row_spans *spans, const lc_pattern_write_options *options,
                            lc_row_source row, void *context, lc_message *message);
lc_status lc_row_spans_next(void *context, lc_span *span);
void lc_row_spans_close(lc_row_spans *spans);

// Like lc_pattern_write, with spans instead of rows. The options have this version's size.
lc_status lc_pattern_write_spans(const char *path, const lc_pattern_write_options *options,
                                 lc_span_source next, void *context, lc_message *message);

// Like lc_pattern_write_spans, with a square of a store that has its middle at (0, 0). The
// rectangle of the options is ignored. LC_ERROR_UNSUPPORTED: the format cannot use squares, and
// nothing was written.
lc_status lc_pattern_write_tree(const char *path, const lc_pattern_write_options *options,
                                const lc_store *store, lc_square root, int root_log2,
                                lc_message *message);

// Adds the number of a span's cells to *cells. LC_ERROR_LIMIT: there are more than
// LC_TEXT_CELLS_MAX; the message names `format`.
lc_status lc_span_count(const lc_span *span, const char *format, int64_t *cells,
                        lc_message *message);

extern const lc_format_ops lc_format_rle;
extern const lc_format_ops lc_format_cells;
extern const lc_format_ops lc_format_life_105;
extern const lc_format_ops lc_format_life_106;
extern const lc_format_ops lc_format_mcell;
// macrocell_write.c
lc_status lc_macrocell_write(lc_output *output, const lc_pattern_write_options *options,
                             lc_span_source next, void *context, lc_message *message);
lc_status lc_macrocell_write_tree(lc_output *output, const lc_pattern_write_options *options,
                                  const lc_store *store, lc_square root, int root_log2,
                                  lc_message *message);

extern const lc_format_ops lc_format_macrocell;
extern const lc_format_ops lc_format_png;
extern const lc_format_ops lc_format_apgcode;

// Returns the kind of a file that no format accepts, from its start: "an MCell file (.mcl)". Sets
// *status to LC_ERROR_UNSUPPORTED for an unsupported pattern and to LC_ERROR_FORMAT for another
// file. NULL: unknown kind.
const char *lc_foreign_name(const unsigned char *data, size_t size_bytes, lc_status *status);

#endif
