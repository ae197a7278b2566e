// Whatever a client says is taken or refused with a sentence; what is taken is within its bounds.
#include <stdint.h>
#include <stdlib.h>

#include "viewer/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int64_t reach = INT64_C(1) << 62;
    lc_view_command command;
    lc_message message = {0};
    if (lc_view_command_parse(&command, (const char *)data, size, &message) != LC_OK) {
        require(message.text[0] != '\0');
        return 0;
    }
    if (command.what == LC_DO_LOOK) {
        const lc_look *look = &command.look;
        require(look->width >= 1 && look->height >= 1 && look->scale >= 0 && look->scale <= 15);
        require((int64_t)look->width * look->height <= LC_VIEW_PIXELS_MAX);
        require(look->x > -reach && look->x < reach - ((int64_t)look->width << look->scale));
    }
    for (size_t i = 0; i < command.run_count; i++)
        require(command.runs[i].length >= 1 && command.runs[i].length <= LC_VIEW_RUN_CELLS_MAX);
    require(command.file_bytes <= LC_VIEW_FILE_BYTES_MAX && command.file == NULL);
    require(command.density >= 0 && command.density <= 1);
    require(command.area.width_cells >= 0 && command.area.height_cells >= 0);
    lc_view_command_free(&command);
    return 0;
}
