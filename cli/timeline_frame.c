// Opens patterns and frames of timelines.
#include "timeline_frame.h"

#include "message.h"
#include "number.h"
#include "pattern_input.h"

static lc_status choose(const lc_timeline *timeline, const lc_cli_frame *frame, uint64_t *number,
                        lc_message *message)
{
    const lc_timeline_info *info = lc_timeline_get_info(timeline);
    char asked[LC_CLI_NUMBER_BYTES], first[LC_CLI_NUMBER_BYTES], last[LC_CLI_NUMBER_BYTES];
    const uint64_t usual = frame->begins ? 0 : info->frames - 1;
    *number = frame->has_number ? frame->number : usual;
    if (*number >= info->frames)
        return lc_fail(message, LC_ERROR_ARGUMENT, "unknown frame %s; frames are 0 to %s",
                       lc_cli_format_u64(*number, asked),
                       lc_cli_format_u64(info->frames - 1, last));
    if (!frame->has_generation)
        return LC_OK;
    *number = lc_timeline_find(timeline, frame->generation);
    const lc_count found = lc_timeline_generation(timeline, *number);
    if (lc_count_compare(found, frame->generation) == 0)
        return LC_OK;
    if (lc_count_compare(found, frame->generation) < 0 && *number + 1 < info->frames)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "no frame of generation %s; the nearest frames are of generations %s and %s",
                       lc_cli_format_count(frame->generation, asked),
                       lc_cli_format_count(found, first),
                       lc_cli_format_count(lc_timeline_generation(timeline, *number + 1), last));
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "no frame of generation %s; frames are of generations %s to %s",
                   lc_cli_format_count(frame->generation, asked),
                   lc_cli_format_count(info->first, first), lc_cli_format_count(info->last, last));
}

lc_status lc_cli_open(lc_cli_opened *opened, const char *path, bool any_rule,
                      const lc_cli_frame *frame, uint64_t max_memory_bytes, lc_message *message)
{
    *opened = (lc_cli_opened){0};
    lc_status status = lc_cli_open_pattern(&opened->pattern, path, frame->nth, any_rule, message);
    if (status != LC_OK)
        return status;
    if (lc_pattern_get_header(opened->pattern)->has_frames) {
        status = lc_timeline_read(&opened->timeline, opened->pattern, max_memory_bytes, message);
        lc_pattern_close(&opened->pattern);
        if (status == LC_OK)
            status = choose(opened->timeline, frame, &opened->frame, message);
        if (status == LC_OK)
            status =
                lc_timeline_open_frame(&opened->pattern, opened->timeline, opened->frame, message);
        const lc_timeline_info *info =
            status == LC_OK ? lc_timeline_get_info(opened->timeline) : NULL;
        if (info != NULL && info->is_cut) {
            char last[LC_CLI_NUMBER_BYTES];
            (void)lc_cli_report(lc_cli_input_name(path), LC_ERROR_FORMAT, &info->cut);
            lc_cli_error("%s: the frames up to generation %s are complete", lc_cli_input_name(path),
                         lc_cli_format_count(info->last, last));
        }
    } else if (frame->has_number || frame->has_generation) {
        status = lc_fail(message, LC_ERROR_ARGUMENT, "not a timeline: the file has no frames");
    }
    if (status != LC_OK)
        lc_cli_close(opened);
    return status;
}

void lc_cli_close(lc_cli_opened *opened)
{
    lc_pattern_close(&opened->pattern);
    lc_timeline_destroy(&opened->timeline);
}
