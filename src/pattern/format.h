// What a file format provides, and the pattern that is being read.
#ifndef LC_PATTERN_FORMAT_H
#define LC_PATTERN_FORMAT_H

#include "file/input.h"
#include "file/output.h"
#include "lightcone/pattern.h"
#include "quadtree/store.h"

enum {
    LC_LINE_BYTES = 4096,          // longest header or comment line that is kept
    LC_COMMENTS_BYTES = 64 * 1024, // most text of comments that is kept
    LC_RULE_BYTES = 1024,          // longest rule text, with its terminator
};

// A part of a row of the rectangle that is written, whose top left cell is (0, 0): `length` > 0
// cells from (x, y) on. `words` NULL: all of them are alive. Else cell x + i is bit i % 64 of
// words[i / 64], and bits past `length` are zero.
typedef struct lc_span {
    int64_t x, y, length;
    const uint64_t *words;
} lc_span;

// Gives a writer the next span: in the order of rows, and in each from left to right, without
// overlap. What no span holds is dead, so a source can skip whatever is empty. The words are good
// until the next call. `length` 0 is the end. Anything but LC_OK ends the writing, and the writer
// returns it.
typedef lc_status (*lc_span_source)(void *context, lc_span *span);

typedef struct lc_format_ops {
    lc_format format;
    const char *name;
    // Whether `text`, the first window of the input without leading blank lines, looks like this
    // format. NULL: it cannot be read.
    bool (*probe)(const char *text, size_t length);
    // Reads what stands before the cells into pattern->header.
    lc_status (*read_header)(lc_pattern *pattern, lc_message *message);
    lc_status (*read_cells)(lc_pattern *pattern, const lc_sink *sink, lc_message *message);
    // Reads the cells as a square of the store, whose middle is (0, 0), instead. NULL: it cannot.
    lc_status (*read_tree)(lc_pattern *pattern, lc_store *store, lc_square *root, int *root_log2,
                           lc_message *message);
    bool states_counts; // its files have a rule, which can only be an outer-totalistic one
    // LC_ERROR_LIMIT if a rectangle of that size cannot be written, LC_ERROR_UNSUPPORTED if this
    // build writes none at all. NULL: any can.
    lc_status (*check_size)(int64_t width_cells, int64_t height_cells, lc_message *message);
    // Writes the whole file, in time and memory of the size of what the file holds: dead space that
    // costs no bytes in it costs nothing here. Failures of the output itself need no check:
    // committing reports them.
    lc_status (*write)(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message);
    // The same from a square of a store, whose middle is (0, 0). NULL: it cannot.
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
    char *comments;        // header.comments, allocated when the first comment comes
    size_t comments_length;
    int64_t indent_cells; // blanks before the first character, on its line; cells in plaintext
    bool indent_tab;      // one of them is no simple blank
    int64_t block_x;      // Life 1.05: the block that the header ended at
    int64_t block_y;
    lc_count first_generation, every; // of a timeline, as the file states them
    const lc_store *store;            // a frame of a timeline: its cells are there, and there is no
    lc_square root;                   // input
    int root_log2;
    char rule_text[LC_RULE_BYTES];
};

// Returns LC_OK, or LC_ERROR_ARGUMENT if there is no pattern or its cells have been read.
lc_status lc_pattern_check_unread(const lc_pattern *pattern, lc_message *message);

// As lc_pattern_read, into a store, if the format can: ops->read_tree.
lc_status lc_pattern_read_tree(lc_pattern *pattern, lc_store *store, lc_square *root,
                               int *root_log2, lc_message *message);

// What of writing can be known before there are cells: LC_ERROR_LIMIT if the format (not AUTO)
// holds no rectangle of that size, LC_ERROR_UNSUPPORTED if this build does not write it.
lc_status lc_pattern_check_size(lc_format format, int64_t width_cells, int64_t height_cells,
                                lc_message *message);

// LC_ERROR_LIMIT if a file of that format would have more than LC_TEXT_CELLS_MAX bytes for the
// cells of a square, whose number may be anything. What the file has at least is what counts.
lc_status lc_pattern_check_square(lc_format format, const lc_store *store, lc_square square,
                                  lc_message *message);

// LC_ERROR_UNSUPPORTED if files of the format (not AUTO) state rules, but cannot state this one.
lc_status lc_pattern_check_rule(lc_format format, const lc_rule *rule, lc_message *message);

// A span source of rows: its context is an lc_row_spans. A row without a live cell is no span.
typedef struct lc_row_spans {
    lc_row_source row;
    void *context;
    int64_t width_cells, height_cells;
    int64_t y; // the next row
    uint64_t *words;
    size_t count; // of words
} lc_row_spans;

// LC_ERROR_LIMIT, LC_ERROR_MEMORY: there is nothing to close.
lc_status lc_row_spans_open(lc_row_spans *spans, const lc_pattern_write_options *options,
                            lc_row_source row, void *context, lc_message *message);
lc_status lc_row_spans_next(void *context, lc_span *span);
void lc_row_spans_close(lc_row_spans *spans);

// lc_pattern_write with spans instead of rows, and options that are of this version.
lc_status lc_pattern_write_spans(const char *path, const lc_pattern_write_options *options,
                                 lc_span_source next, void *context, lc_message *message);

// The same with a square of a store, whose middle is (0, 0); LC_ERROR_UNSUPPORTED, and nothing was
// done: the format has no use for it. The rectangle of the options does not matter.
lc_status lc_pattern_write_tree(const char *path, const lc_pattern_write_options *options,
                                const lc_store *store, lc_square root, int root_log2,
                                lc_message *message);

// Adds a span's cells to *cells; LC_ERROR_LIMIT beyond LC_TEXT_CELLS_MAX, which is said of
// `format`.
lc_status lc_span_count(const lc_span *span, const char *format, int64_t *cells,
                        lc_message *message);

extern const lc_format_ops lc_format_rle;
extern const lc_format_ops lc_format_cells;
extern const lc_format_ops lc_format_life_105;
extern const lc_format_ops lc_format_life_106;
// macrocell_write.c
lc_status lc_macrocell_write(lc_output *output, const lc_pattern_write_options *options,
                             lc_span_source next, void *context, lc_message *message);
lc_status lc_macrocell_write_tree(lc_output *output, const lc_pattern_write_options *options,
                                  const lc_store *store, lc_square root, int root_log2,
                                  lc_message *message);

extern const lc_format_ops lc_format_macrocell;
extern const lc_format_ops lc_format_png;
extern const lc_format_ops lc_format_apgcode;

// What the start of a file that no format accepts looks like: "a macrocell file (Golly's .mc)".
// *status says whether it is a thing not supported or no pattern at all.
const char *lc_foreign_name(const unsigned char *data, size_t size_bytes, lc_status *status);

#endif
