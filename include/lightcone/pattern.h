// Pattern files: RLE, macrocell, plaintext .cells, Life 1.05, Life 1.06; each may be
// gzip-compressed.
//
// Threads: functions may run in several at once, but only one at a time for a given lc_pattern.
#ifndef LIGHTCONE_PATTERN_H
#define LIGHTCONE_PATTERN_H

#include "lightcone/cells.h"
#include "lightcone/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lc_format {
    LC_FORMAT_AUTO = 0, // reading: by content; writing: by the file name's ending, RLE without one
    LC_FORMAT_RLE,
    LC_FORMAT_CELLS,
    LC_FORMAT_LIFE_105,
    LC_FORMAT_LIFE_106,
    LC_FORMAT_PNG,        // writing only
    LC_FORMAT_CHECKPOINT, // lightcone's own (.lcs): read by lc_universe_restore
    LC_FORMAT_MACROCELL,
    LC_FORMAT_TIMELINE, // lightcone's own (.lct), a macrocell file: written by lc_recorder_create
} lc_format;

// "RLE", "plaintext", "Life 1.05", "PNG", "checkpoint", "timeline"; "automatic" for
// AUTO and for values that are not formats. A static string, never NULL.
LC_API const char *lc_format_name(lc_format format);

// The format that a path's ending asks for (".rle", ".cells.gz", ".lif", ".life", ".png", ".lcs",
// ".lct", in upper or lower case), or LC_FORMAT_AUTO if it says nothing. The path need not exist.
// *gzip (`gzip` may be NULL) says whether there is a final ".gz", which is taken off first.
LC_API lc_format lc_format_from_path(const char *path, bool *gzip);

// The last ending of a path, ".jpg"; of what ends in ".gz" the one before it, ".jpg.gz". "" if
// there is none: a name that only begins or ends with a dot has none. It points into `path`.
LC_API const char *lc_format_ending(const char *path);

// The format that a file is written in: the one that is asked for, or for LC_FORMAT_AUTO that of
// the path's ending, RLE without one. All functions that write files choose so. LC_OK, or
// LC_ERROR_ARGUMENT, and nothing is written to *format: no format has that ending; it is a
// timeline's; or a checkpoint's and ".gz", which is compressed already. Any thread.
LC_API lc_status lc_format_choose(const char *path, lc_format asked, lc_format *format,
                                  lc_message *message);

// What comes before the cells. The strings belong to the pattern, are never NULL, and live as long
// as it does.
typedef struct lc_pattern_header {
    lc_format format;
    bool gzip;
    const char *rule_text; // as written in the file; "" if the file names none
    bool has_rule;         // rule and topology below were stated by the file
    lc_rule rule;          // B3/S23 if not stated
    lc_topology topology;  // the infinite plane if not stated
    int64_t width_cells;   // stated size (RLE's x and y), 0 if not stated; cells may lie beyond it
    int64_t height_cells;
    bool has_position;    // the file places its cells (#CXRLE Pos, Life 1.05 #P, Life 1.06)
    int64_t x, y;         // position of the top left cell (RLE), or 0 where each cell has its own
    lc_count generation;  // #CXRLE Gen, else 0
    const char *comments; // '\n'-separated lines without their marks, "" if none
    // A timeline: lc_timeline_read gives all of its frames. Read as a pattern, it is the last one,
    // and the generation is that one's when the cells have been read.
    bool has_frames;
    // lc_pattern_open_cells: why the rule that the file names is none that is known, and where it
    // stands; NULL: it is known, or there is none. rule_text is what the file says.
    const lc_message *rule_error;
    // An RLE without the '!' that ends one, which may be half of a file. Known when the cells have
    // been read.
    bool has_no_end;
} lc_pattern_header;

// Where `lightcone run` and Golly put the cells of a file in a universe of that topology: (*x, *y),
// in the universe's coordinates, is where the file's (0, 0) goes. If the file states a position,
// there; in a bounded direction of n cells it is counted from cell n / 2. If it states none, at (0,
// 0) on the infinite plane, and elsewhere with the middle of its stated size on the universe's
// middle, which is 0 in an unbounded direction. A size that does not fit goes into the top left
// corner (0, 0), and so does an RLE pattern that names a rule and no size.
LC_API void lc_pattern_place(const lc_pattern_header *header, const lc_topology *topology,
                             int64_t *x, int64_t *y);

// Receives the live cells of a pattern, in any order; a cell may come twice. Coordinates are those
// of the file's header: x to the right, y down, counted from the pattern's top left (RLE, .cells)
// or as the file states them (Life 1.05, 1.06); none is further than LC_UNIVERSE_REACH from 0.
// Returning anything but LC_OK ends the reading, and the reader returns that status.
typedef struct lc_sink {
    size_t struct_bytes; // sizeof(lc_sink)
    void *context;
    // `length` > 0 live cells at (x..x+length-1, y).
    lc_status (*run)(void *context, int64_t x, int64_t y, int64_t length);
    // `length` > 0 cells at (x..x+length-1, y): cell x+i is bit i % 64 of words[i / 64]; bits past
    // `length` are zero. Dead cells among them change nothing. The sink may read the words until it
    // returns.
    lc_status (*bits)(void *context, int64_t x, int64_t y, const uint64_t *words, int64_t length);
    // Most that reading may take for the squares of a macrocell file, 0: half of the machine's
    // memory. The other formats take little.
    uint64_t max_memory_bytes;
} lc_sink;

typedef struct lc_pattern lc_pattern; // one pattern being read

// Opens a pattern and reads everything before its cells. `path` "-" is standard input. Returns
// LC_OK; LC_ERROR_IO (cannot be opened or read); LC_ERROR_FORMAT (not a known format, or damaged:
// the message has line and column, or for damaged gzip the line and the offset);
// LC_ERROR_UNSUPPORTED (a rule of another family, or a known format that is not read);
// LC_ERROR_MEMORY. On every error *out is NULL. The caller closes the pattern.
LC_API lc_status lc_pattern_open(lc_pattern **out, const char *path, lc_message *message);

// The same for `size_bytes` bytes in memory, which must stay as they are until the pattern is
// closed. `data` may be NULL if there are none.
LC_API lc_status lc_pattern_open_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                        lc_message *message);

// The same for cells that are to follow another rule than the file's, or none: a rule that is not
// known is no error, and the header says has_rule = false, rule B3/S23, and what is wrong with it.
LC_API lc_status lc_pattern_open_cells(lc_pattern **out, const char *path, lc_message *message);
LC_API lc_status lc_pattern_open_cells_memory(lc_pattern **out, const void *data, size_t size_bytes,
                                              lc_message *message);

// Never NULL; belongs to the pattern.
LC_API const lc_pattern_header *lc_pattern_get_header(const lc_pattern *pattern);

// Streams the cells into `sink`, on the calling thread, and checks the rest of a gzip stream.
// Memory use is small and bounded, whatever the file says; that of a macrocell file is bounded by
// the sink's max_memory_bytes. Returns LC_OK; LC_ERROR_FORMAT (line and column as above);
// LC_ERROR_UNSUPPORTED (cells of more than two states); LC_ERROR_IO; LC_ERROR_MEMORY;
// LC_ERROR_LIMIT (the squares of a macrocell file need more than max_memory_bytes, or it has cells
// further than 2^62 from the middle); LC_ERROR_ARGUMENT (the cells were read before, or a function
// of the sink is missing); or what the sink returned. After an error the sink has received some of
// the cells.
LC_API lc_status lc_pattern_read(lc_pattern *pattern, const lc_sink *sink, lc_message *message);

// Closes and clears *pattern. NULL and a pointer to NULL are fine.
LC_API void lc_pattern_close(lc_pattern **pattern);

// Writing ------------------------------------------------------------------------------------

// Formats that draw or list cells one by one hold at most so many, 64 GiB of text. Plaintext and
// PNG count all cells of the rectangle, Life 1.05 and 1.06 the live ones. Squares that are
// remembered (a macrocell file, the engine "hashlife") may be more cells than any disk holds:
// before they become an RLE or Life 1.06 file it is counted whether that would be larger than so
// many bytes.
#define LC_TEXT_CELLS_MAX (INT64_C(1) << 36)

// Rows for a writer: fills `words` (ceil(width/64) of them, bit i % 64 of word i / 64 is cell
// x + i; bits past the width are zero) with row y of the rectangle being written, 0 <= y < height.
// Rows are asked for in order, each once, on the thread that called lc_pattern_write. Anything but
// LC_OK ends the writing.
typedef lc_status (*lc_row_source)(void *context, int64_t y, uint64_t *words);

typedef struct lc_pattern_write_options {
    size_t struct_bytes;         // sizeof(lc_pattern_write_options)
    lc_format format;            // LC_FORMAT_AUTO: by the path's ending
    const lc_rule *rule;         // required
    const lc_topology *topology; // NULL: the infinite plane
    int64_t x, y;                // position of the rectangle's top left cell (#CXRLE Pos, #P ...)
    bool has_position;           // write the position; else x and y count as 0
    lc_count generation;         // written as #CXRLE Gen if not 0
    const char *comments;        // '\n'-separated; NULL or "" for none
    int64_t width_cells, height_cells; // the rectangle; 0 x 0 is the empty pattern
    int threads; // that compress a large ".gz"; 0: one for each CPU this process may use
    // lc_spans_write: an RLE of macrocell's squares may be larger than LC_TEXT_CELLS_MAX bytes.
    bool any_size;
    // Most that writing may take for the squares of a macrocell file. 0: half of the machine's
    // memory; lc_spans_write: what the cells leave of lc_spans_read's. The other formats take
    // little.
    uint64_t max_memory_bytes;
} lc_pattern_write_options;

// Writes a rectangle of cells, gzip-compressed if `path` ends in ".gz". What the format cannot hold
// (formats.md has a table) is left out. `path` "-" is standard output; devices and pipes are
// written to directly. Otherwise a temporary file beside `path` (or where a link leads) is written,
// flushed to the disk and renamed, so that on any error the old file stays. Temporary files that
// killed processes left in that directory are removed. Returns LC_OK; LC_ERROR_IO (with the
// system's reason); LC_ERROR_ARGUMENT (no rule, or what lc_rule_check refuses; a negative size or
// number of threads, cells beyond LC_UNIVERSE_REACH, LC_FORMAT_CHECKPOINT, or what lc_format_choose
// refuses); LC_ERROR_LIMIT (the format cannot hold that size, e.g. a PNG beyond 2^31-1, or so many
// cells: see lc_spans_write; or a macrocell file's squares need more than max_memory_bytes);
// LC_ERROR_UNSUPPORTED (RLE or Life 1.05, and a rule that is not outer-totalistic; or a PNG, and
// the library was built without libpng); LC_ERROR_MEMORY; LC_ERROR_SYSTEM (zlib failed); or what
// `row` returned.
LC_API lc_status lc_pattern_write(const char *path, const lc_pattern_write_options *options,
                                  lc_row_source row, void *context, lc_message *message);

// The same into memory: *data has *size_bytes bytes and a zero byte after them; the caller frees it
// with free(). LC_FORMAT_AUTO is RLE here, and only a PNG is compressed. Returns what
// lc_pattern_write does, and LC_ERROR_LIMIT also if there would be more than limit_bytes bytes. On
// error *data is NULL.
LC_API lc_status lc_pattern_write_memory(void **data, size_t *size_bytes, size_t limit_bytes,
                                         const lc_pattern_write_options *options, lc_row_source row,
                                         void *context, lc_message *message);

// All live cells of a pattern, held in memory of the size of what is alive, not of the rectangle
// that it lies in: for turning one file into another.
typedef struct lc_spans lc_spans;

// Reads the cells of a pattern, as lc_pattern_read does and with what it returns. LC_ERROR_LIMIT:
// they need more than max_memory_bytes (0: half of the memory of this machine), or lie further than
// LC_UNIVERSE_REACH from each other; then, and with every other error, *out is NULL.
LC_API lc_status lc_spans_read(lc_spans **out, lc_pattern *pattern, uint64_t max_memory_bytes,
                               lc_message *message);

// Frees it and clears *spans. NULL and pointer to NULL are fine.
LC_API void lc_spans_destroy(lc_spans **spans);

// In the coordinates of the sink of lc_pattern_read.
LC_API lc_box lc_spans_box(const lc_spans *spans);

// Writes the rectangle of options->width_cells x height_cells whose top left cell is (x, y), which
// must hold all live cells (else LC_ERROR_ARGUMENT), as lc_pattern_write does and with what it
// returns. It takes the time of what the file holds: dead space costs nothing in RLE, Life 1.05 and
// Life 1.06. LC_ERROR_LIMIT also means more cells than LC_TEXT_CELLS_MAX.
LC_API lc_status lc_spans_write(const lc_spans *spans, int64_t x, int64_t y, const char *path,
                                const lc_pattern_write_options *options, lc_message *message);

#ifdef __cplusplus
}
#endif
#endif
