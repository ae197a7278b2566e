// Parses the settings of blocks and devices: "blocks=4,devices=0+2,shares=3+3+1+1".
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/least.h"
#include "cover/slabs/board_slabs.h"

static lc_status refuse(const char *text, const char *what, lc_message *message)
{
    return lc_fail(message, LC_ERROR_ARGUMENT, "%.*s: %s", (int)strcspn(text, ","), text, what);
}

static lc_status parse_blocks(lc_parts *parts, const lc_cover_options *asked, const char *text,
                              lc_message *message)
{
    const int64_t height = asked->topology.height_cells, most = lc_least(LC_SLABS_MAX, height);
    char *end;
    const long count = strtol(text, &end, 10);
    if (end == text || (*end != '\0' && *end != ',') || *text < '0' || *text > '9' || count < 1 ||
        count > most)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "blocks=%.*s: a board %lld cells high can be cut into at most %lld blocks, "
                       "at least 1",
                       (int)strcspn(text, ","), text, (long long)height, (long long)most);
    parts->blocks = (int)count;
    return LC_OK;
}

static bool has_device(const lc_parts *parts, int device)
{
    for (int i = 0; i < parts->device_count; i++)
        if (parts->devices[i] == device)
            return true;
    return false;
}

static lc_status parse_devices(lc_parts *parts, const lc_cover_options *asked, const char *text,
                               lc_message *message)
{
    static const char wanted[] = "devices are \"all\", or numbers like 0+2, each at most once";
    if (asked->engine->choice == NULL || asked->engine->choice->devices == NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the engine \"%s\" has no devices",
                       asked->engine->name);
    if (strncmp(text, "all", 3) == 0 && (text[3] == '\0' || text[3] == ','))
        return asked->engine->choice->devices(asked->context, LC_SLABS_MAX, parts->devices,
                                              &parts->device_count, message);
    for (const char *at = text;; at++) {
        char *end;
        const long device = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || device > INT32_MAX || parts->device_count == LC_SLABS_MAX ||
            has_device(parts, (int)device))
            return refuse(text, wanted, message);
        parts->devices[parts->device_count++] = (int)device;
        at = end;
        if (*at == '\0' || *at == ',')
            return LC_OK;
        if (*at != '+')
            return refuse(text, wanted, message);
    }
}

static lc_status parse_shares(lc_parts *parts, const lc_cover_options *asked, const char *text,
                              lc_message *message)
{
    static const char wanted[] = "shares are numbers like 2+1, one for each slab of the board";
    (void)asked;
    for (const char *at = text;; at++) {
        char *end;
        const unsigned long long share = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || share < 1 || share > UINT32_MAX ||
            parts->share_count == LC_SLABS_MAX)
            return refuse(text, wanted, message);
        parts->shares[parts->share_count++] = share;
        at = end;
        if (*at == '\0' || *at == ',')
            return LC_OK;
        if (*at != '+')
            return refuse(text, wanted, message);
    }
}

// Parses one item of the list. *taken: it is a setting of the cover.
static lc_status parse_item(lc_parts *parts, const lc_cover_options *asked, const char *item,
                            bool *taken, lc_message *message)
{
    const struct {
        const char *key;
        bool said;
        lc_status (*parse)(lc_parts *parts, const lc_cover_options *asked, const char *text,
                           lc_message *message);
    } items[] = {{"blocks=", parts->blocks > 0, parse_blocks},
                 {"devices=", parts->device_count > 0, parse_devices},
                 {"shares=", parts->share_count > 0, parse_shares}};
    *taken = false;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        const size_t length = strlen(items[i].key);
        if (strncmp(item, items[i].key, length) != 0)
            continue;
        *taken = true;
        if (items[i].said)
            return lc_fail(message, LC_ERROR_ARGUMENT, "the settings say %s twice", items[i].key);
        if (asked->topology.width_cells == 0 || asked->topology.height_cells == 0)
            return lc_fail(message, LC_ERROR_UNSUPPORTED,
                           "blocks are parts of a bounded board, and this universe has no end");
        return items[i].parse(parts, asked, item + length, message);
    }
    return LC_OK;
}

lc_status lc_board_slabs_take_settings(lc_cover_options *asked, lc_parts *parts,
                                       lc_message *message)
{
    *parts = (lc_parts){0};
    if (asked->engine == NULL || asked->engine->guest != NULL)
        return LC_OK; // a guest's settings are its own
    for (char *item = asked->settings; *item != '\0';) {
        char *next = item + strcspn(item, ",");
        next += *next == ',';
        bool taken;
        const lc_status status = parse_item(parts, asked, item, &taken, message);
        if (status != LC_OK)
            return status;
        if (!taken) {
            item = next;
            continue;
        }
        memmove(item, next, strlen(next) + 1);
        if (*item == '\0' && item > asked->settings)
            item[-1] = '\0'; // the comma before it
    }
    parts->blocks_for_devices = parts->device_count > 0 && parts->blocks == 0;
    if (parts->blocks_for_devices)
        parts->blocks = (int)lc_least(parts->device_count, asked->topology.height_cells);
    parts->blocks_for_shares = parts->share_count > 0 && parts->blocks == 0;
    if (parts->blocks_for_shares)
        parts->blocks = (int)lc_least(parts->share_count, asked->topology.height_cells);
    parts->device_count = (int)lc_least(parts->device_count, parts->blocks);
    if (parts->blocks > 0 && !lc_engine_splits(asked->engine))
        return lc_fail(message, LC_ERROR_UNSUPPORTED,
                       "the engine \"%s\" does not step a board in several blocks",
                       asked->engine->name);
    if (parts->device_count > 0 &&
        strlen(asked->settings) + sizeof "device=2147483647," > sizeof asked->settings)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the engine's settings are too long for devices of their own");
    if (parts->device_count > 0 && strstr(asked->settings, "device=") != NULL)
        return lc_fail(message, LC_ERROR_ARGUMENT, "the settings say both device= and devices=");
    return LC_OK;
}
