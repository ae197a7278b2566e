// Opens patterns: the one of a file, one of several, or a frame of a timeline, which the commands
// treat like a pattern.
#ifndef LC_CLI_TIMELINE_H
#define LC_CLI_TIMELINE_H

#include "lightcone/lightcone.h"

// Selects a pattern of a file with several patterns. Also selects a frame of a timeline by number
// or by generation. If neither is given, selects the last frame, or the first frame if `begins` is
// true.
typedef struct lc_cli_frame {
    uint64_t nth; // pattern, from 1; 0: not given, which is the first
    bool begins;
    bool has_number;
    uint64_t number;
    bool has_generation;
    lc_count generation;
} lc_cli_frame;

// An open pattern. If the pattern is a frame of a timeline, `timeline` is that timeline. Otherwise
// `timeline` is NULL.
typedef struct lc_cli_opened {
    lc_pattern *pattern;
    lc_timeline *timeline;
    uint64_t frame; // number within the timeline
} lc_cli_opened;

// Opens the selected pattern with lc_cli_open_pattern, or opens the selected frame of a timeline.
// If the timeline's file is truncated, uses the complete frames and prints a warning. Returns
// LC_ERROR_ARGUMENT if the file has no such pattern or frame, or if a frame was selected and the
// file is not a timeline. On error there is nothing to close.
lc_status lc_cli_open(lc_cli_opened *opened, const char *path, bool any_rule,
                      const lc_cli_frame *frame, uint64_t max_memory_bytes, lc_message *message);
void lc_cli_close(lc_cli_opened *opened);

#endif
