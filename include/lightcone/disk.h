// Boards on disk: bounded universes whose cells are in a file, which may be larger than memory.
//
// Example:
//
//     lc_universe_options options = {.struct_bytes = sizeof options, .max_memory_bytes = 1 << 30};
//     if (lc_disk_open(&universe, "huge.lcd", &options, &message) == LC_OK)
//         lc_universe_step(universe, lc_count_of(4096), NULL, NULL, &message);
//     lc_universe_destroy(&universe); // closes the file.
//
// To create a board on disk, set lc_universe_options.disk. A pass steps tens to thousands of
// generations, and reads and writes the file once. The option lc_universe_options.max_memory_bytes
// limits the part of the board that is in memory at a time.
//
// After each pass, and when lc_disk_keep returns, cells, rule, topology and generation are safely
// in the file. If the program or the machine fails later, lc_disk_open opens the board at the
// generation that was saved last. Every cell is stored twice, with checksums. The document
// formats.md describes the file.
//
// The file also holds the previous state, until the next pass overwrites that state. If the newest
// state is damaged, lc_disk_open fails, and the message names the generation of the previous state.
// The setting "previous" in lc_universe_options.disk_settings opens the previous state.
#ifndef LIGHTCONE_DISK_H
#define LIGHTCONE_DISK_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns whether `path` is a regular file that begins like a board file. The file's name does not
// matter. Returns false if the file cannot be read. Any thread.
LC_API bool lc_disk_is_board(const char *path);

// Header of a board file. Cells are not read.
typedef struct lc_disk_info {
    char rule_text[LC_RULE_TEXT_BYTES]; // canonical text of the rule, without the topology
    lc_topology topology;
    lc_count generation;
    uint64_t file_bytes;
} lc_disk_info;

// Reads the header of a board file. Another program may be stepping the board at the same time.
// Returns LC_OK; LC_ERROR_IO; LC_ERROR_FORMAT (not a board file, a damaged file, a file that is cut
// short, or a file whose first cells were never completely written); LC_ERROR_UNSUPPORTED (a later
// version of the format). Messages name the file. Any thread.
LC_API lc_status lc_disk_look(const char *path, lc_disk_info *info, lc_message *message);

// Opens a board file at the generation that was saved last. With the setting "previous",
// lc_disk_open opens the state that was saved before the newest state. Rule and topology come from
// the file, everything else from `options` (NULL: defaults). The member `disk` of `options` is
// ignored. The file stays unchanged until cells are written or stepped. The caller destroys the
// universe.
// With "previous" the call first reads the whole previous state. After lc_disk_open with
// "previous", the first change to the cells overwrites the newest state.
// A file without write permission can be opened, but changing its cells returns LC_ERROR_IO.
// Returns the same statuses as lc_disk_look and lc_universe_create. Also returns LC_ERROR_IO if
// another process has the file open. With "previous", also returns LC_ERROR_FORMAT if a pass has
// begun to overwrite the previous state. On error *out is NULL.
LC_API lc_status lc_disk_open(lc_universe **out, const char *path,
                              const lc_universe_options *options, lc_message *message);

// Saves the current cells and generation in the file, including cells that were loaded or written
// since the last pass. If a new file was never saved by a pass or by lc_disk_keep,
// lc_universe_destroy removes the file. If the file has already been saved, lc_universe_destroy
// tries to save the current cells.
// Returns LC_OK (also if the universe is not on disk); LC_ERROR_IO; or the error of
// lc_universe_failure. After LC_ERROR_IO the file holds the current state or the state saved
// before, and no later state can be saved.
LC_API lc_status lc_disk_keep(lc_universe *universe, lc_message *message);

// Describes how a board on disk is stepped, and counts its input and output so far. The strings are
// valid until the universe is destroyed.
typedef struct lc_disk_facts {
    const char *path;
    const char *way; // how the file is read and written: "io_uring, direct"
    uint64_t file_bytes;
    int64_t window_rows; // number of rows in memory at a time
    int64_t depth;       // depth of the halo in the last pass, in rows; 0: no halo, or no pass
    uint64_t passes;
    uint64_t read_bytes, written_bytes;
    uint64_t moving_ns; // time in which the file was being read or written
    // The note is one sentence if the state in use is not the newest state, or if a header is
    // damaged and the file may have had a newer state. The note is "" if the state in use is
    // certainly the newest state.
    const char *note;
} lc_disk_facts;

// Returns false, with nothing written, if the universe is not on disk.
LC_API bool lc_disk_get_facts(const lc_universe *universe, lc_disk_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
