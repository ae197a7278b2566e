// Timelines as commands read them: a frame is a pattern like any other.
#ifndef LC_CLI_TIMELINE_H
#define LC_CLI_TIMELINE_H

#include "lightcone/lightcone.h"

// Which frame of a timeline is meant; neither: the last one, or the first if `begins`.
typedef struct lc_cli_frame {
    bool begins;
    bool has_number;
    uint64_t number;
    bool has_generation;
    lc_count generation;
} lc_cli_frame;

// A pattern that was opened, and the timeline that it is of; NULL: it is of none.
typedef struct lc_cli_opened {
    lc_pattern *pattern;
    lc_timeline *timeline;
    uint64_t frame; // of it
} lc_cli_opened;

// lc_cli_open_pattern, and of a timeline that frame. What a file that was cut off still has is
// taken, and that is said. LC_ERROR_ARGUMENT: the file has no such frame, or is no timeline though
// a frame was asked for. On error there is nothing to close.
lc_status lc_cli_open(lc_cli_opened *opened, const char *path, bool any_rule,
                      const lc_cli_frame *frame, uint64_t max_memory_bytes, lc_message *message);
void lc_cli_close(lc_cli_opened *opened);

#endif
