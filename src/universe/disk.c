// Universes on disk: opens and commits them, and reads the headers of their files.
#include "lightcone/disk.h"

#include "base/error.h"
#include "base/structure.h"
#include "cover/disk/disk_board.h"
#include "universe/universe_internal.h"

bool lc_disk_is_board(const char *path)
{
    return lc_disk_board_is_file(path);
}

lc_status lc_disk_look(const char *path, lc_disk_info *info, lc_message *message)
{
    return lc_disk_board_info(path, NULL, info, message);
}

lc_status lc_disk_open(lc_universe **out, const char *path, const lc_universe_options *options,
                       lc_message *message)
{
    lc_universe_options all = {.struct_bytes = sizeof all};
    lc_disk_info info;
    lc_status status = LC_OK;
    *out = NULL;
    if (options != NULL)
        status = lc_structure_take(&all, sizeof all, options, "lc_universe_options", message);
    if (status == LC_OK)
        status = lc_disk_board_info(path, all.disk_settings, &info, message);
    if (status != LC_OK)
        return status;
    all.rule = NULL;
    all.rule_text = info.rule_text;
    all.topology = info.topology;
    all.disk = path;
    return lc_universe_make(out, &all, true, message);
}

lc_status lc_disk_keep(lc_universe *u, lc_message *message)
{
    LC_RETURN_FAILURE(u, message);
    u->cover->generation = u->generation;
    return lc_disk_board_keep_now(u->cover, message);
}

bool lc_disk_get_facts(const lc_universe *u, lc_disk_facts *facts)
{
    return lc_disk_board_describe(u->cover, facts);
}
