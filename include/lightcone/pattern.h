// Pattern files: reads and writes RLE, macrocell, plaintext (.cells), Life 1.05 and Life 1.06, with
// or without gzip compression.
//
// Example:
//
//     lc_pattern *pattern = NULL;
//     if (lc_pattern_open(&pattern, "glider.rle", &message) != LC_OK ||
//         lc_universe_load(universe, pattern, 0, 0, &message) != LC_OK)
//         fprintf(stderr, "%s\n", message.text);
//     lc_pattern_close(&pattern); // also after an error.
//
// Threads: any thread may call these functions. Only one thread at a time may use the same pattern.
#ifndef LIGHTCONE_PATTERN_H
#define LIGHTCONE_PATTERN_H

#include "lightcone/cells.h"
#include "lightcone/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lc_format {
    // Reading: the library recognises the format by the content of the file. Writing: the suffix of
    // the path names the format, and a path without a suffix means RLE.
    LC_FORMAT_AUTO = 0,
    LC_FORMAT_RLE,
    LC_FORMAT_CELLS,
    LC_FORMAT_LIFE_105,
    LC_FORMAT_LIFE_106,
    LC_FORMAT_PNG,        // writing only
    LC_FORMAT_CHECKPOINT, // lightcone's own format (.lcs), read by lc_universe_restore
    LC_FORMAT_MACROCELL,
    LC_FORMAT_TIMELINE, // timelines (.lct): macrocell files that lc_recorder_create writes
    LC_FORMAT_APGCODE,  // the name of an object in Catagolue, such as xq4_153; reading only
    LC_FORMAT_MCELL,    // files of the program MCell (.mcl); reading only
} lc_format;

// Returns the name of a format: "RLE", "plaintext", "Life 1.05", "PNG", "checkpoint", "timeline";
// "automatic" for LC_FORMAT_AUTO and for values that are not formats. Static string, never NULL.
LC_API const char *lc_format_name(lc_format format);

// Describes a file format. All strings are static.
typedef struct lc_format_info {
    lc_format format;
    const char *name;   // as lc_format_name
    const char *word;   // short name for options: "rle", "mc", "life105"
    const char *suffix; // of files: ".rle"; "": none
    bool is_written;    // lc_pattern_write or lc_universe_save writes the format
} lc_format_info;

// Describes the i-th format, counted from 0. Returns false past the last one.
LC_API bool lc_format_at(size_t index, lc_format_info *info);

// Returns the format that a path's suffix names (".rle", ".cells.gz", ".lif", ".life", ".png",
// ".lcs", ".lct", in upper or lower case), or LC_FORMAT_AUTO if the suffix names no format. The
// path need not exist. The function ignores a final ".gz" and sets *gzip to whether the path has
// one. `gzip` may be NULL.
LC_API lc_format lc_format_from_path(const char *path, bool *gzip);

// Returns the suffix of a path, for example ".jpg". If the path ends in ".gz", the result includes
// the suffix before ".gz": ".jpg.gz". Returns "" if the file name has no dot, ends with a dot, or
// has its only dot at the beginning. The result points into `path`.
LC_API const char *lc_format_ending(const char *path);

// Chooses the format in which a file is written. If `asked` is LC_FORMAT_AUTO, the choice is the
// format that the path's suffix names, or RLE if the path has no suffix. If `asked` names a format,
// the choice is `asked`. Every function that writes a pattern file chooses the format as
// lc_format_choose does.
// Returns LC_OK; LC_ERROR_ARGUMENT (no format has the suffix, the format is a timeline, or the path
// of a checkpoint ends in ".gz"). On error *format is not written. Any thread.
LC_API lc_status lc_format_choose(const char *path, lc_format asked, lc_format *format,
                                  lc_message *message);

// The header of a pattern file: everything before the cells. The strings in the header belong to
// the pattern, are valid until it is closed, and are never NULL.
typedef struct lc_pattern_header {
    lc_format format;
    bool gzip;
    const char *rule_text; // as written in the file; "" if the file states no rule
    bool has_rule;         // the file states the rule and topology below
    const lc_rule *rule;   // B3/S23 if the file states no rule; valid until the pattern is closed
    lc_topology topology;  // the infinite plane if the file states no topology
    // The size that the file states (RLE's x and y), or 0 if the file states no size. Live cells
    // may lie outside the stated size.
    int64_t width_cells;
    int64_t height_cells;
    bool has_position;    // the file states a position (#CXRLE Pos, Life 1.05 #P, Life 1.06)
    int64_t x, y;         // position of the top left cell in RLE; 0 in other formats
    lc_count generation;  // generation in the file (#CXRLE Gen); 0 if the file states none
    const char *comments; // lines separated by '\n', without comment marks; "" if none
    // True: the file is a timeline. The function lc_timeline_read reads all frames of a timeline;
    // lc_pattern_read reads the last frame only. Once the cells of a timeline have been read,
    // `generation` is the generation of the last frame.
    bool has_frames;
    // If lc_pattern_open_cells does not know the file's rule: the reason, and the place of the rule
    // in the file. If rule_error is not NULL, rule_text is the rule as written in the file. NULL:
    // the rule is known, or the file states no rule.
    const lc_message *rule_error;
    // True: the file is RLE and lacks the final '!', so the file may be incomplete. The reader sets
    // has_no_end once the cells have been read.
    bool has_no_end;
    // An RLE file may hold several patterns. `number` is the number of this header's pattern,
    // counted from 1. Once the cells have been read, `patterns` is the number of patterns in the
    // file; until then it equals `number`. In all formats but RLE, `number` and `patterns` are 1.
    uint64_t number;
    uint64_t patterns;
    // The names of an RLE file's patterns in turn, separated by '\n': the first #N line of each
    // pattern, at most 255 bytes, or an empty line if a pattern has no name. Names beyond 64 KiB
    // are dropped. In all formats but RLE, `names` is "".
    const char *names;
} lc_pattern_header;

// Computes where `lightcone run` and Golly put a pattern in a universe of the given topology. The
// pattern's cell (0, 0) goes to the universe's cell (*x, *y). If the file states a position, the
// pattern goes to that position. In a bounded direction of n cells, stated positions count from
// cell n / 2. If the file states no position, a pattern on the infinite plane goes to (0, 0). If
// the file states no position and the universe is not the infinite plane, the pattern is centred:
// the middle of the stated size goes to the middle of the universe. The middle of an unbounded
// direction is coordinate 0. If the stated size does not fit, or if an RLE file states a rule and
// no size, the pattern goes to the top left corner (0, 0).
LC_API void lc_pattern_place(const lc_pattern_header *header, const lc_topology *topology,
                             int64_t *x, int64_t *y);

// Receives the live cells of a pattern in any order. A cell may be received twice, and then has the
// state received last. Coordinates: x to the right, y down. In RLE and plaintext patterns, (0, 0)
// is the top left cell. In Life 1.05 and 1.06 patterns, the coordinates are those in the file. No
// coordinate is further than LC_UNIVERSE_REACH from 0. If a function of the sink does not return
// LC_OK, lc_pattern_read stops and returns the same status.
typedef struct lc_sink {
    size_t struct_bytes; // sizeof(lc_sink)
    void *context;       // passed to both functions
    // Receives `length` > 0 live cells, x to x + length - 1 of row y.
    lc_status (*run)(void *context, int64_t x, int64_t y, int64_t length);
    // Receives `length` > 0 live and dead cells, x to x + length - 1 of row y. Cell x + i is bit i
    // % 64 of words[i / 64]. Bits past `length` are zero. Dead cells change nothing. The words are
    // valid only during the call.
    lc_status (*bits)(void *context, int64_t x, int64_t y, const uint64_t *words, int64_t length);
    // Memory limit in bytes for the quadtree of a macrocell file. 0: half of the machine's memory.
    // Formats other than macrocell need little memory.
    uint64_t max_memory_bytes;
    // For patterns with states above 1. NULL: a pattern with such cells is refused. `run` and
    // `bits` receive only cells of state 1. States are not checked: the file may state another
    // rule, or none. Receives a row of cells of all planes that its states need. Cells of state 0
    // change nothing. The words are valid only during the call, and bits past the width are zero.
    lc_status (*cells)(void *context, const lc_cells *row);
    // Receives a run of `length` > 0 cells of one state, 2 to 255.
    lc_status (*state_run)(void *context, int64_t x, int64_t y, int64_t length, int state);
} lc_sink;

typedef struct lc_pattern lc_pattern; // a pattern that is being read

// Opens a pattern file and reads its header. `path` "-" is standard input. If an RLE file holds
// several patterns, opens the first one. The caller closes the pattern.
// Returns LC_OK; LC_ERROR_IO (cannot be opened or read); LC_ERROR_FORMAT (unknown format, or
// damaged file); LC_ERROR_UNSUPPORTED (a rule of another family, or a format that the library
// recognises but does not read); LC_ERROR_MEMORY. On error *out is NULL. The message of
// LC_ERROR_FORMAT has line and column, or line and offset if the gzip data are damaged.
LC_API lc_status lc_pattern_open(lc_pattern **out, const char *path, lc_message *message);

// Opens a pattern of `size_bytes` bytes in memory. The bytes must stay unchanged until the pattern
// is closed. `data` may be NULL if size_bytes is 0. Returns the same statuses as lc_pattern_open.
LC_API lc_status lc_pattern_open_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                        lc_message *message);

// Open a pattern to run its cells under another rule. An unknown rule in the file is not an error:
// the header then has has_rule = false, rule B3/S23, and the reason in rule_error. Apart from
// unknown rules, lc_pattern_open_cells works like lc_pattern_open, and lc_pattern_open_cells_memory
// works like lc_pattern_open_memory.
LC_API lc_status lc_pattern_open_cells(lc_pattern **out, const char *path, lc_message *message);
LC_API lc_status lc_pattern_open_cells_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                              lc_message *message);

// Returns the header, which belongs to the pattern. Never NULL.
LC_API const lc_pattern_header *lc_pattern_get_header(const lc_pattern *pattern);

// Opens another pattern of an RLE file that holds several patterns. `number` counts from 1.
// Patterns before the selected pattern are skipped and are not checked for errors. Once a later
// pattern is selected, an earlier pattern cannot be selected. The function reads forward only, so a
// pipe works too. Call it before lc_pattern_read. The header keeps its address and becomes the
// header of the selected pattern.
// Returns LC_OK; LC_ERROR_ARGUMENT (the file has fewer patterns, and the header's `patterns` is the
// number of patterns; `number` is less than the header's number; or the cells were read);
// LC_ERROR_LIMIT (the '#' lines before this pattern have more than 128 KiB); or a status that
// lc_pattern_open returns for this pattern. After an error the pattern can only be closed.
LC_API lc_status lc_pattern_select(lc_pattern *pattern, uint64_t number, lc_message *message);

// Passes the cells of a pattern to `sink`, on the calling thread. Also verifies the end of a gzip
// stream. Can be called once per pattern. After the cells of an RLE file, the function reads on and
// counts the patterns that follow, until 1 MiB of text contains no further header. Uses a small,
// fixed amount of memory. Only a macrocell file may need more memory, up to the sink's
// max_memory_bytes.
// Returns LC_OK; LC_ERROR_FORMAT (a damaged file; the message has the place, as in
// lc_pattern_open); LC_ERROR_UNSUPPORTED (cells of more than two states, for which the sink or the
// format's reader lacks functions); LC_ERROR_IO; LC_ERROR_MEMORY; LC_ERROR_LIMIT (a macrocell file
// needs more than max_memory_bytes, or has cells further than 2^62 from the middle);
// LC_ERROR_ARGUMENT (the cells were read before, or the sink lacks a function); or the status that
// the sink returned. On error the sink has received some of the cells.
LC_API lc_status lc_pattern_read(lc_pattern *pattern, const lc_sink *sink, lc_message *message);

// Closes the pattern and sets *pattern to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_pattern_close(lc_pattern **pattern);

// Writing ------------------------------------------------------------------------------------

// Largest number of cells in a file whose format stores cells one by one. With one byte per cell,
// LC_TEXT_CELLS_MAX cells make 64 GiB of text. In plaintext and PNG files the limit applies to all
// cells of the rectangle, in Life 1.05 and 1.06 files to the live cells. A quadtree, from a
// macrocell file or from the engine "hashlife", can have more cells than a disk can hold. Before
// the library writes a quadtree as RLE or Life 1.06, the library computes whether the file would
// have more than LC_TEXT_CELLS_MAX bytes.
#define LC_TEXT_CELLS_MAX (INT64_C(1) << 36)

// A callback that supplies one row to lc_pattern_write or lc_pattern_write_memory: it fills `words`
// with row y of the rectangle, 0 <= y < height. A row has ceil(width / 64) words. Cell x + i is bit
// i % 64 of word i / 64. Under a rule of several planes, the words of plane 1 follow those of plane
// 0, and so on. Bits past the width must be zero. The writing function asks for every row once, in
// order, on the thread that called it. If the callback returns anything but LC_OK, writing ends
// with that status.
typedef lc_status (*lc_row_source)(void *context, int64_t y, uint64_t *words);

// Options for the writers below. Set struct_bytes and rule; 0 in any other member selects its
// default.
typedef struct lc_pattern_write_options {
    size_t struct_bytes;         // sizeof(lc_pattern_write_options)
    lc_format format;            // LC_FORMAT_AUTO: by the path's suffix
    const lc_rule *rule;         // required
    const lc_topology *topology; // NULL: the infinite plane
    int64_t x, y;                // position of the rectangle's top left cell (#CXRLE Pos, #P ...)
    bool has_position;           // true: write the position; false: x and y count as 0
    lc_count generation;         // the generation to write (#CXRLE Gen); 0: none
    const char *comments;        // lines separated by '\n'; NULL or "": none
    int64_t width_cells, height_cells; // size of the rectangle; 0 x 0: the empty pattern
    int threads; // that compress a large ".gz"; 0: one per CPU that this process may use
    // True: lc_spans_write may write cells from a macrocell file as an RLE file of more than
    // LC_TEXT_CELLS_MAX bytes.
    bool any_size;
    // Memory limit in bytes for the quadtree of a macrocell file. 0: half of the machine's memory.
    // For lc_spans_write, 0 means the memory limit of lc_spans_read, less the memory that the cells
    // take. Formats other than macrocell need little memory.
    uint64_t max_memory_bytes;
} lc_pattern_write_options;

// Writes a rectangle of cells, gzip-compressed if `path` ends in ".gz". Leaves out facts that the
// format cannot store. A table in formats.md shows which facts each format stores.
// `path` "-" is standard output. Devices and pipes are written directly. A regular file is first
// written under a temporary name beside `path`, or beside its target if `path` is a link. The file
// is then flushed to disk and renamed, so any error leaves an old file unchanged. Temporary files
// of processes that were killed are removed from the folder.
// Returns
// - LC_OK;
// - LC_ERROR_IO (with the system's reason);
// - LC_ERROR_ARGUMENT (no rule, an error of lc_format_choose, a negative size or
//   number of threads, cells beyond LC_UNIVERSE_REACH, LC_FORMAT_CHECKPOINT);
// - LC_ERROR_LIMIT (a rectangle too large for the format, for example a PNG side above 2^31-1; more
//   cells than LC_TEXT_CELLS_MAX; a macrocell file that needs more than max_memory_bytes);
// - LC_ERROR_UNSUPPORTED (RLE or Life 1.05 with a rule that is not outer-totalistic; PNG in a
//   library built without libpng);
// - LC_ERROR_MEMORY;
// - LC_ERROR_SYSTEM (zlib failed);
// - or the status that `row` returned.
LC_API lc_status lc_pattern_write(const char *path, const lc_pattern_write_options *options,
                                  lc_row_source row, void *context, lc_message *message);

// Writes a rectangle of cells into memory, in at most limit_bytes bytes. The memory at *data has
// *size_bytes bytes, and a zero byte after them. The caller frees *data with free(). LC_FORMAT_AUTO
// is RLE. Only the format PNG is compressed.
// Returns the same statuses as lc_pattern_write. Also returns LC_ERROR_LIMIT if more than
// limit_bytes bytes are needed. On error *data is NULL.
LC_API lc_status lc_pattern_write_memory(void **data, size_t *size_bytes, size_t limit_bytes,
                                         const lc_pattern_write_options *options, lc_row_source row,
                                         void *context, lc_message *message);

// All live cells of a pattern in memory, for converting a file. The memory needed depends on the
// live cells and not on the rectangle around them.
typedef struct lc_spans lc_spans;

// Reads the cells of a pattern into memory. The cells take at most max_memory_bytes (0: half of the
// machine's memory). The caller destroys *out.
// Returns the same statuses as lc_pattern_read. Also returns LC_ERROR_LIMIT if more than
// max_memory_bytes are needed, or if two cells are further than LC_UNIVERSE_REACH apart. On error
// *out is NULL.
LC_API lc_status lc_spans_read(lc_spans **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                               lc_message *message);

// Frees the cells and sets *spans to NULL. Accepts NULL and a pointer to NULL.
LC_API void lc_spans_destroy(lc_spans **spans);

// Returns the bounding box of the live cells, in the coordinates of lc_sink.
LC_API lc_box lc_spans_box(const lc_spans *spans);

// Writes the cells of a rectangle as a file. The top left cell of the rectangle is (x, y); its size
// is options->width_cells x options->height_cells. The rectangle must contain all live cells. Empty
// space costs no time in the formats RLE, Life 1.05 and Life 1.06.
// Returns the same statuses as lc_pattern_write. Also returns LC_ERROR_ARGUMENT if a live cell lies
// outside the rectangle or has a state that the rule of the options lacks, and LC_ERROR_LIMIT if
// there are more cells than LC_TEXT_CELLS_MAX.
LC_API lc_status lc_spans_write(const lc_spans *spans, int64_t x, int64_t y, const char *path,
                                const lc_pattern_write_options *options, lc_message *message);

// Well-known patterns in the library. A build with -DLC_PATTERNS=OFF has none.
typedef struct lc_built_in_pattern {
    const char *name; // file name: "acorn.rle"
    const char *text; // RLE, for lc_pattern_open_memory
} lc_built_in_pattern;

// Returns the built-in patterns by name, followed by one whose members are NULL. Static.
LC_API const lc_built_in_pattern *lc_built_in_patterns(void);

#ifdef __cplusplus
}
#endif
#endif
