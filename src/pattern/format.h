// What a file format provides, and the pattern that is being read.
#ifndef LC_PATTERN_FORMAT_H
#define LC_PATTERN_FORMAT_H

#include "lightcone/pattern.h"
#include "pattern/input.h"
#include "pattern/output.h"

// No coordinate that a file states or reaches goes further than this from 0.
#define LC_COORDINATE_LIMIT ((int64_t)1 << 62)

enum {
    LC_LINE_BYTES = 4096,          // longest header or comment line that is kept
    LC_COMMENTS_BYTES = 64 * 1024, // most text of comments that is kept
    LC_RULE_BYTES = 1024,          // longest rule text, with its terminator
};

typedef struct lc_format_ops {
    lc_format format;
    const char *name;
    // Whether `text`, the first window of the input without leading blank lines, looks like this
    // format. NULL: it cannot be read.
    bool (*probe)(const char *text, size_t length);
    // Reads what stands before the cells into pattern->header.
    lc_status (*read_header)(lc_pattern *pattern, lc_message *message);
    lc_status (*read_cells)(lc_pattern *pattern, const lc_sink *sink, lc_message *message);
    // LC_ERROR_LIMIT if a rectangle of that size cannot be written, LC_ERROR_UNSUPPORTED if this
    // build writes none at all. NULL: any can.
    lc_status (*check_size)(int64_t width_cells, int64_t height_cells, lc_message *message);
    // Writes the whole file. Failures of the output itself need no check: committing reports them.
    lc_status (*write)(lc_output *output, const lc_pattern_write_options *options,
                       lc_row_source row, void *context, lc_message *message);
} lc_format_ops;

struct lc_pattern {
    lc_pattern_header header;
    const lc_format_ops *ops;
    lc_input input;
    bool was_read;
    char *comments; // header.comments, allocated when the first comment comes
    size_t comments_length;
    int64_t block_x; // Life 1.05: the block that the header ended at
    int64_t block_y;
    char rule_text[LC_RULE_BYTES];
};

// What of writing can be known before there are cells: LC_ERROR_LIMIT if the format (not AUTO)
// holds no rectangle of that size, LC_ERROR_UNSUPPORTED if this build does not write it.
lc_status lc_pattern_check_size(lc_format format, int64_t width_cells, int64_t height_cells,
                                lc_message *message);

extern const lc_format_ops lc_format_rle;
extern const lc_format_ops lc_format_cells;
extern const lc_format_ops lc_format_life_105;
extern const lc_format_ops lc_format_life_106;
extern const lc_format_ops lc_format_png;

// What the start of a file that no format accepts looks like: "a macrocell file (Golly's .mc)".
// *status says whether it is a thing not supported or no pattern at all.
const char *lc_foreign_name(const unsigned char *data, size_t size_bytes, lc_status *status);

#endif
