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
    if (command.what == LC_DO_LOOK || command.what == LC_DO_PICTURE) {
        const lc_look *look = &command.look;
        const int shift = look->scale <= LC_VIEW_NEAR_SCALE_MAX ? look->scale : 0;
        require(look->width >= 1 && look->height >= 1);
        require(look->scale >= 0 && look->scale <= LC_VIEW_SCALE_MAX);
        require((int64_t)look->width * look->height <= LC_VIEW_PIXELS_MAX);
        require(look->x > -reach && look->x < reach - ((int64_t)look->width << shift));
    }
    for (size_t i = 0; i < command.run_count; i++)
        require(command.runs[i].width_cells >= 1 &&
                command.runs[i].width_cells <= LC_VIEW_RUN_CELLS_MAX);
    const lc_edit_symmetry *symmetry = &command.symmetry;
    require(symmetry->kind <= LC_EDIT_SYMMETRY_ALL);
    require(symmetry->x_halves >= -reach && symmetry->x_halves <= reach);
    require(!lc_edit_symmetry_is_square(symmetry->kind) || command.what == LC_DO_FILL ||
            (symmetry->x_halves - symmetry->y_halves) % 2 == 0);
    require(command.thickness_cells >= 0 && command.thickness_cells <= LC_VIEW_THICKNESS_MAX);
    require(command.at_x >= -reach && command.at_x <= reach);
    require(command.at_y >= -reach && command.at_y <= reach);
    require(command.file_bytes <= LC_VIEW_FILE_BYTES_MAX && command.file == NULL);
    require(command.density >= 0 && command.density <= 1);
    require(command.area.width_cells >= 0 && command.area.height_cells >= 0);
    lc_view_command_free(&command);
    return 0;
}
