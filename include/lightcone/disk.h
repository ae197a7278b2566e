// Boards that lie in a file, which may be larger than memory: lc_universe_options.disk.
//
// Such a universe is stepped in passes of tens to thousands of generations, each of which reads and
// writes the file once; lc_universe_options.max_memory_bytes says how much of the board is in
// memory at a time. When a pass is over, or lc_disk_keep returns, the cells are in the file for
// good, with their rule, topology and generation: whatever ends the program afterwards, even the
// machine, the file can be opened at that generation. Every cell lies in it twice, beside a
// checksum. formats.md describes the file.
//
// The file also holds the state that was kept before the newest one, until the next pass writes
// over it. If the newest state is damaged, opening is refused, and the message names the generation
// of the one before it; the setting "previous" in lc_universe_options.disk_settings opens that one.
#ifndef LIGHTCONE_DISK_H
#define LIGHTCONE_DISK_H

#include "lightcone/universe.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether `path` is a regular file that begins like such a board, whatever its name; false if it
// cannot be read. Any thread.
LC_API bool lc_disk_is_board(const char *path);

// What a file says of itself; of its cells nothing is looked at.
typedef struct lc_disk_info {
    lc_rule rule;
    lc_topology topology;
    lc_count generation;
    uint64_t file_bytes;
} lc_disk_info;

// LC_OK; LC_ERROR_IO; LC_ERROR_FORMAT (no such file, damaged, cut short, or its first cells were
// never completely written), LC_ERROR_UNSUPPORTED (of a later version). Messages name the file.
// Another program may be stepping it. Any thread.
LC_API lc_status lc_disk_look(const char *path, lc_disk_info *info, lc_message *message);

// Opens such a board, at the generation that was kept last, or before that with the setting
// "previous". Rule and topology come from the file, the rest from options (NULL: defaults), where
// `disk` is not looked at. The previous state is read through first: LC_ERROR_FORMAT if a pass has
// begun to write over it. It leaves the file as it is until cells are changed or stepped, which
// writes over the newest state. Returns what lc_disk_look and lc_universe_create do; LC_ERROR_IO
// also if another process has it open. A file that may only be read can be looked at; what changes
// cells is then LC_ERROR_IO. On error *out is NULL.
LC_API lc_status lc_disk_open(lc_universe **out, const char *path,
                              const lc_universe_options *options, lc_message *message);

// Keeps cells and generation in the file as they are now: what was written since the last pass, or
// was loaded into a new file. Before the first pass and without this a new file is removed again by
// lc_universe_destroy, and what was written into an old one is kept then, if it can be. LC_OK, also
// if the universe is not on disk; LC_ERROR_IO, after which nothing can be kept and the file has
// what was kept before, or this; or the universe's failure.
LC_API lc_status lc_disk_keep(lc_universe *universe, lc_message *message);

// How a universe on disk is stepped, and what that has moved so far. Strings live as long as the
// universe.
typedef struct lc_disk_facts {
    const char *path;
    const char *way; // how the file is read and written: "io_uring, direct"
    uint64_t file_bytes;
    int64_t window_rows; // that are in memory at a time
    int64_t depth;       // of their halo in the last pass; 0: there is none, or no pass was made
    uint64_t passes;
    uint64_t read_bytes, written_bytes;
    uint64_t moving_ns; // in which something was read or written
    // "", or a sentence: the state is not the newest one, or there may have been a newer one, of
    // which the header is damaged.
    const char *note;
} lc_disk_facts;

// False, and nothing written: it is not on disk.
LC_API bool lc_disk_get_facts(const lc_universe *universe, lc_disk_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
