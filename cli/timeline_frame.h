// Opens a pattern from a file of one or several patterns, or opens a frame of a timeline. The
// commands treat a frame like a pattern.
#ifndef LC_CLI_TIMELINE_FRAME_H
#define LC_CLI_TIMELINE_FRAME_H

#include "lightcone/lightcone.h"

// Selects a pattern of a file with several patterns, or a frame of a timeline by number or by
// generation. If the user selects no frame of a timeline, the last frame is selected, or the first
// frame if `begins` is true.
typedef struct lc_cli_frame {
    uint64_t nth; // number of the pattern, from 1; 0: the first pattern
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
