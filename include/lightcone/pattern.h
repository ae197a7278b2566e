// Pattern files: reads and writes RLE, macrocell, plaintext .cells, Life 1.05 and Life 1.06, each
// also gzip-compressed.
//
//     lc_pattern *pattern = NULL;
//     if (lc_pattern_open(&pattern, "glider.rle", &message) != LC_OK ||
//         lc_universe_load(universe, pattern, 0, 0, &message) != LC_OK)
//         fprintf(stderr, "%s\n", message.text);
//     lc_pattern_close(&pattern);
//
// Threads: any thread may call these functions. A pattern is used by one thread at a time.
#ifndef LIGHTCONE_PATTERN_H
#define LIGHTCONE_PATTERN_H

#include "lightcone/cells.h"
#include "lightcone/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lc_format {
    LC_FORMAT_AUTO = 0, // reading: by content; writing: by the suffix of the path, RLE without one
    LC_FORMAT_RLE,
    LC_FORMAT_CELLS,
    LC_FORMAT_LIFE_105,
    LC_FORMAT_LIFE_106,
    LC_FORMAT_PNG,        // writing only
    LC_FORMAT_CHECKPOINT, // lightcone's own (.lcs): read by lc_universe_restore
    LC_FORMAT_MACROCELL,
    LC_FORMAT_TIMELINE, // lightcone's own (.lct), a macrocell file: written by lc_recorder_create
    LC_FORMAT_APGCODE,  // an object's name in Catagolue, such as xq4_153: reading only
} lc_format;

// Returns the name of a format: "RLE", "plaintext", "Life 1.05", "PNG", "checkpoint", "timeline";
// "automatic" for LC_FORMAT_AUTO and for values that are not formats. Static string, never NULL.
LC_API const char *lc_format_name(lc_format format);

// Returns the format of a path's suffix (".rle", ".cells.gz", ".lif", ".life", ".png", ".lcs",
// ".lct", in upper or lower case), or LC_FORMAT_AUTO if the suffix names no format. The path need
// not exist. A final ".gz" is removed first; *gzip tells whether there was one. `gzip` may be NULL.
LC_API lc_format lc_format_from_path(const char *path, bool *gzip);

// Returns the suffix of a path: ".jpg". If the path ends in ".gz", the result includes the suffix
// before it: ".jpg.gz". Returns "" for a name without a dot, with its only dot at the beginning, or
// with a dot at the end. The result points into `path`.
LC_API const char *lc_format_ending(const char *path);

// Chooses the format in which a file is written. This is `asked`, unless that is LC_FORMAT_AUTO.
// Then it is the format of the path's suffix, or RLE if the path has no suffix. Every function that
// writes a file uses this choice.
// Returns LC_OK; LC_ERROR_ARGUMENT (no format has that suffix; the format is a timeline; or the
// path of a checkpoint ends in ".gz", although a checkpoint is compressed already). On error
// *format is not written. Any thread.
LC_API lc_status lc_format_choose(const char *path, lc_format asked, lc_format *format,
                                  lc_message *message);

// Header of a pattern: everything before its cells. Its strings belong to the pattern, live as long
// as it does, and are never NULL.
typedef struct lc_pattern_header {
    lc_format format;
    bool gzip;
    const char *rule_text; // as written in the file; "" if the file states no rule
    bool has_rule;         // the file states rule and topology below
    lc_rule rule;          // B3/S23 if not stated
    lc_topology topology;  // the infinite plane if not stated
    int64_t width_cells;   // stated size (RLE's x and y), 0 if not stated; cells may lie outside it
    int64_t height_cells;
    bool has_position;    // the file states a position (#CXRLE Pos, Life 1.05 #P, Life 1.06)
    int64_t x, y;         // position of the top left cell (RLE); 0 if each cell has its own
    lc_count generation;  // #CXRLE Gen; 0 if not stated
    const char *comments; // lines separated by '\n', without comment marks; "" if none
    // The file is a timeline: lc_timeline_read reads all of its frames. lc_pattern_read reads its
    // last frame only, and `generation` is that of this frame once the cells have been read.
    bool has_frames;
    // Set by lc_pattern_open_cells if the file's rule is not known: the reason and the place of the
    // rule. rule_text is the rule as written. NULL: the rule is known, or the file states none.
    const lc_message *rule_error;
    // The file is RLE and lacks the final '!', so it may be incomplete. Set once the cells have
    // been read.
    bool has_no_end;
    // An RLE file may hold several patterns. `number` counts this one from 1. `patterns` is the
    // number of patterns in the file, once the cells have been read; until then it is `number`.
    // Both are 1 for all other formats.
    uint64_t number;
    uint64_t patterns;
    // The first #N line of each of these patterns in turn, separated by '\n', at most 255 bytes
    // each; an empty line if a pattern has no name. Names beyond 64 KiB are dropped. "" for all
    // other formats.
    const char *names;
} lc_pattern_header;

// Computes where `lightcone run` and Golly put a pattern in a universe of that topology: (*x, *y),
// in the universe's coordinates, is the place of the pattern's (0, 0).
// - With a stated position: at that position. In a bounded direction of n cells, positions count
//   from cell n / 2.
// - Without one, on the infinite plane: (0, 0).
// - Without one, in any other universe: centred. The middle of the stated size is at the middle of
//   the universe; the middle of an unbounded direction is 0. If the size does not fit, or an RLE
//   file states a rule and no size, the pattern is at the top left corner (0, 0).
LC_API void lc_pattern_place(const lc_pattern_header *header, const lc_topology *topology,
                             int64_t *x, int64_t *y);

// Receives the live cells of a pattern in any order; a cell may come twice. x goes to the right, y
// down. Coordinates start at the pattern's top left (RLE, .cells), or are those in the file (Life
// 1.05, 1.06). No coordinate is further than LC_UNIVERSE_REACH from 0. If a function returns
// anything but LC_OK, the reader stops and returns that status.
typedef struct lc_sink {
    size_t struct_bytes; // sizeof(lc_sink)
    void *context;       // passed to both functions
    // Receives `length` > 0 live cells, x to x + length - 1 of row y.
    lc_status (*run)(void *context, int64_t x, int64_t y, int64_t length);
    // Receives `length` > 0 cells, x to x + length - 1 of row y: cell x + i is bit i % 64 of
    // words[i / 64]. Bits past `length` are zero. Dead cells change nothing. The words are valid
    // during the call.
    lc_status (*bits)(void *context, int64_t x, int64_t y, const uint64_t *words, int64_t length);
    // Memory limit in bytes for the quadtree of a macrocell file. 0: half of the machine's memory.
    // The other formats need little memory.
    uint64_t max_memory_bytes;
} lc_sink;

typedef struct lc_pattern lc_pattern; // a pattern that is being read

// Opens a pattern file and reads its header. `path` "-" is standard input. If an RLE file holds
// several patterns, this is the first. The caller closes the pattern.
// Returns LC_OK; LC_ERROR_IO (cannot be opened or read); LC_ERROR_FORMAT (unknown format or
// damaged: the message has line and column, or line and offset if the gzip data are damaged);
// LC_ERROR_UNSUPPORTED (a rule of another family, or a known format that is not read);
// LC_ERROR_MEMORY. On error *out is NULL.
LC_API lc_status lc_pattern_open(lc_pattern **out, const char *path, lc_message *message);

// Opens a pattern of `size_bytes` bytes in memory. The bytes must stay unchanged until the pattern
// is closed. `data` may be NULL if size_bytes is 0. Returns the same statuses as lc_pattern_open.
LC_API lc_status lc_pattern_open_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                        lc_message *message);

// Open a pattern for its cells only, to run them under another rule. A rule that is not known is
// not an error: the header then has has_rule = false, rule B3/S23, and the reason in rule_error.
// Otherwise the two functions behave like lc_pattern_open and lc_pattern_open_memory.
LC_API lc_status lc_pattern_open_cells(lc_pattern **out, const char *path, lc_message *message);
LC_API lc_status lc_pattern_open_cells_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                              lc_message *message);

// Returns the header, never NULL. It belongs to the pattern.
LC_API const lc_pattern_header *lc_pattern_get_header(const lc_pattern *pattern);

// Goes on to another pattern of an RLE file that holds several. `number` counts from 1; patterns
// can be skipped, but not returned to. The header becomes that of the new pattern, with the same
// address. Skipped patterns are not checked for errors. Nothing is sought in the file, so this
// works on a pipe. Call it before lc_pattern_read.
// Returns LC_OK; LC_ERROR_ARGUMENT (the file has fewer patterns, and the header's `patterns` is how
// many; `number` is less than the header's number; or the cells were read); or what lc_pattern_open
// returns for this pattern. On error the pattern can only be closed.
LC_API lc_status lc_pattern_select(lc_pattern *pattern, uint64_t number, lc_message *message);

// Streams the cells into `sink`, on the calling thread, and verifies the end of a gzip stream. Can
// be called once per pattern. Then counts the patterns that follow in an RLE file: it reads on
// until 1 MiB of text holds no further header. Uses a small, fixed amount of memory, except for a
// macrocell file, which may use up to the sink's max_memory_bytes.
// Returns LC_OK; LC_ERROR_FORMAT (line and column as in lc_pattern_open); LC_ERROR_UNSUPPORTED
// (cells of more than two states); LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_LIMIT (a macrocell file
// needs more than max_memory_bytes, or has cells further than 2^62 from the middle);
// LC_ERROR_ARGUMENT (the cells were read before, or the sink lacks a function); or the status that
// the sink returned. On error the sink has received some of the cells.
LC_API lc_status lc_pattern_read(lc_pattern *pattern, const lc_sink *sink, lc_message *message);

// Closes the pattern and sets *pattern to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_pattern_close(lc_pattern **pattern);

// Writing ------------------------------------------------------------------------------------

// Largest number of cells in formats that write cells one by one: 64 GiB of text at one byte per
// cell. It applies to all cells of the rectangle (plaintext, PNG) or to the live cells (Life 1.05,
// 1.06). A quadtree (from a macrocell file or the engine "hashlife") can hold more cells than any
// disk. Before such cells are written as RLE or Life 1.06, the library computes whether the file
// would have more bytes than this.
#define LC_TEXT_CELLS_MAX (INT64_C(1) << 36)

// Supplies one row to a writer: fills `words` with row y of the rectangle, 0 <= y < height. Cell x
// + i is bit i % 64 of word i / 64, ceil(width / 64) words; bits past the width must be zero. The
// writer asks for every row once, in order, on its calling thread. Any status but LC_OK ends the
// writing.
typedef lc_status (*lc_row_source)(void *context, int64_t y, uint64_t *words);

// Options for the writers below. Set struct_bytes and rule; 0 in any other member selects its
// default.
typedef struct lc_pattern_write_options {
    size_t struct_bytes;         // sizeof(lc_pattern_write_options)
    lc_format format;            // LC_FORMAT_AUTO: by the path's suffix
    const lc_rule *rule;         // required
    const lc_topology *topology; // NULL: the infinite plane
    int64_t x, y;                // position of the rectangle's top left cell (#CXRLE Pos, #P ...)
    bool has_position;           // write the position; false: x and y count as 0
    lc_count generation;         // written as #CXRLE Gen if not 0
    const char *comments;        // lines separated by '\n'; NULL or "": none
    int64_t width_cells, height_cells; // of the rectangle; 0 x 0 is the empty pattern
    int threads; // to compress a large ".gz"; 0: one per CPU that this process may use
    // For lc_spans_write: cells from a macrocell file may be written as an RLE file of more than
    // LC_TEXT_CELLS_MAX bytes.
    bool any_size;
    // Memory limit in bytes for the quadtree of a macrocell file. 0: half of the machine's memory;
    // for lc_spans_write, the part of the limit of lc_spans_read that the cells do not use. The
    // other formats need little memory.
    uint64_t max_memory_bytes;
} lc_pattern_write_options;

// Writes a rectangle of cells, gzip-compressed if `path` ends in ".gz". Leaves out facts that the
// format cannot hold; formats.md has a table.
// `path` "-" is standard output. Devices and pipes are written directly. Any other file is written
// beside `path` (or beside the target of a link) under a temporary name, flushed to disk and then
// renamed, so an old file stays on any error. Temporary files that killed processes left in that
// folder are removed.
// Returns
// - LC_OK;
// - LC_ERROR_IO (with the system's reason);
// - LC_ERROR_ARGUMENT (no rule, an error of lc_rule_check or lc_format_choose, a negative size or
//   number of threads, cells beyond LC_UNIVERSE_REACH, LC_FORMAT_CHECKPOINT);
// - LC_ERROR_LIMIT (too large for the format, for example a PNG side above 2^31-1; too many cells,
//   see lc_spans_write; a macrocell file needs more than max_memory_bytes);
// - LC_ERROR_UNSUPPORTED (RLE or Life 1.05 with a rule that is not outer-totalistic; PNG in a
//   library built without libpng);
// - LC_ERROR_MEMORY;
// - LC_ERROR_SYSTEM (zlib failed);
// - or the status that `row` returned.
LC_API lc_status lc_pattern_write(const char *path, const lc_pattern_write_options *options,
                                  lc_row_source row, void *context, lc_message *message);

// Writes a rectangle into memory, at most limit_bytes bytes. *data has *size_bytes bytes and a zero
// byte after them; the caller frees it with free(). LC_FORMAT_AUTO is RLE. Only a PNG is
// compressed.
// Returns the same statuses as lc_pattern_write. It also returns LC_ERROR_LIMIT if more bytes are
// needed. On error *data is NULL.
LC_API lc_status lc_pattern_write_memory(void **data, size_t *size_bytes, size_t limit_bytes,
                                         const lc_pattern_write_options *options, lc_row_source row,
                                         void *context, lc_message *message);

// All live cells of a pattern in memory, for converting a file. The memory needed depends on the
// live cells, not on the rectangle around them.
typedef struct lc_spans lc_spans;

// Reads the cells of a pattern into memory, at most max_memory_bytes (0: half of the machine's
// memory). The caller destroys *out.
// Returns the same statuses as lc_pattern_read. It also returns LC_ERROR_LIMIT if more memory is
// needed, or if two cells are further than LC_UNIVERSE_REACH apart. On error *out is NULL.
LC_API lc_status lc_spans_read(lc_spans **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                               lc_message *message);

// Frees the cells and sets *spans to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_spans_destroy(lc_spans **spans);

// Returns the bounding box, in the coordinates of lc_sink.
LC_API lc_box lc_spans_box(const lc_spans *spans);

// Writes the rectangle of options->width_cells x options->height_cells cells whose top left cell is
// (x, y). It must contain all live cells. Empty space costs no time in RLE, Life 1.05 and Life
// 1.06.
// Returns the same statuses as lc_pattern_write. It also returns LC_ERROR_ARGUMENT if a live cell
// lies outside, and LC_ERROR_LIMIT if there are more cells than LC_TEXT_CELLS_MAX.
LC_API lc_status lc_spans_write(const lc_spans *spans, int64_t x, int64_t y, const char *path,
                                const lc_pattern_write_options *options, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
