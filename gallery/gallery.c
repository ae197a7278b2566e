// What the designs share: settings, messages, layouts, and how they become engines.
#include "gallery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "device/kernel_text.h"
#include "gpu.h"

extern const lc_kernel_text lc_gallery_texts[]; // written by the build

lc_status lc_gallery_check_width(const lc_gallery_board *board, int64_t cells, lc_message *message)
{
    if (board->width % cells == 0)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "this design steps boards whose width is a multiple of %lld, and not "
                   "%lld cells",
                   (long long)cells, (long long)board->width);
}

lc_status lc_gallery_check_sides(const lc_gallery_board *board, lc_message *message)
{
    const int64_t most = INT64_C(1) << 30;
    if (board->width <= most && board->height <= most)
        return LC_OK;
    return lc_fail(message, LC_ERROR_UNSUPPORTED,
                   "this design steps boards of up to %lld cells a side, and not %lld x %lld",
                   (long long)most, (long long)board->width, (long long)board->height);
}

void lc_gallery_plain_layout(const lc_gallery_board *board, int cell_bits, lc_cell_layout *layout)
{
    *layout = (lc_cell_layout){
        .cell_bits = cell_bits,
        .pitch_bytes = (board->width * cell_bits + 7) / 8,
    };
    layout->size_bytes = (uint64_t)layout->pitch_bytes * (uint64_t)board->height;
}

// The table --------------------------------------------------------------------------------------

const lc_design *lc_gallery_find(const char *name)
{
    const size_t length = strcspn(name, ":");
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++)
        if (strncmp(name, design->name, length) == 0 && design->name[length] == '\0')
            return design;
    return NULL;
}

const char *lc_gallery_text(const char *file)
{
    return lc_kernel_text_find(lc_gallery_texts, file);
}

// Settings ---------------------------------------------------------------------------------------

size_t lc_gallery_knob_count(const lc_design *design)
{
    size_t count = 0;
    while (design->knobs != NULL && design->knobs[count].name != NULL)
        count++;
    return count;
}

static lc_status refuse_knob(const lc_design *design, const char *name, int length,
                             lc_message *message)
{
    char names[160] = "";
    const size_t count = lc_gallery_knob_count(design);
    for (size_t i = 0; i < count; i++) {
        strncat(names, i == 0 ? "" : ", ", sizeof names - 1 - strlen(names));
        strncat(names, design->knobs[i].name, sizeof names - 1 - strlen(names));
    }
    if (count == 0)
        return lc_fail(message, LC_ERROR_ARGUMENT,
                       "the design \"%s\" has no knobs, so not \"%.*s\" either", design->name,
                       length, name);
    return lc_fail(message, LC_ERROR_ARGUMENT, "the design \"%s\" has no knob \"%.*s\"; it has %s",
                   design->name, length, name, names);
}

static lc_status refuse_value(const lc_knob *knob, const char *value, int length,
                              lc_message *message)
{
    char values[160] = "";
    size_t used = 0;
    for (const int *v = knob->values; *v >= 0; v++)
        used += (size_t)snprintf(values + used, sizeof values - used, "%s%d",
                                 v == knob->values ? "" : ", ", *v);
    return lc_fail(message, LC_ERROR_ARGUMENT, "\"%s\" can be %s, and not \"%.*s\"", knob->name,
                   values, length, value);
}

// `set`: which knobs have been set.
static lc_status set_knob(const lc_design *design, const char *text, size_t length,
                          int values[LC_KNOBS_MAX], bool set[LC_KNOBS_MAX], lc_message *message)
{
    const char *equals = memchr(text, '=', length);
    const size_t name_length = equals != NULL ? (size_t)(equals - text) : length;
    const size_t count = lc_gallery_knob_count(design);
    for (size_t i = 0; i < count; i++) {
        const lc_knob *knob = &design->knobs[i];
        if (strlen(knob->name) != name_length || strncmp(knob->name, text, name_length) != 0)
            continue;
        if (set[i])
            return lc_fail(message, LC_ERROR_ARGUMENT, "\"%s\" is set twice", knob->name);
        set[i] = true;
        const char *value = equals != NULL ? equals + 1 : text + length;
        const int value_length = (int)(length - (size_t)(value - text));
        for (const int *v = knob->values; *v >= 0; v++) {
            char number[16];
            snprintf(number, sizeof number, "%d", *v);
            if ((int)strlen(number) == value_length &&
                strncmp(number, value, (size_t)value_length) == 0) {
                values[i] = *v;
                return LC_OK;
            }
        }
        return refuse_value(knob, value, value_length, message);
    }
    return refuse_knob(design, text, (int)name_length, message);
}

lc_status lc_gallery_settings(const lc_design *design, const char *text, int values[LC_KNOBS_MAX],
                              lc_message *message)
{
    const size_t count = lc_gallery_knob_count(design);
    bool set[LC_KNOBS_MAX] = {false};
    for (size_t i = 0; i < LC_KNOBS_MAX; i++)
        values[i] = i < count ? design->knobs[i].usual : 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        lc_status status = set_knob(design, text, length, values, set, message);
        if (status != LC_OK)
            return status;
        text += length + (text[length] == ',');
    }
    return LC_OK;
}

void lc_gallery_format_settings(const lc_design *design, const int values[LC_KNOBS_MAX], char *text,
                                size_t text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < lc_gallery_knob_count(design) && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s=%d", i == 0 ? "" : ",",
                                 design->knobs[i].name, values[i]);
}

// Engines ----------------------------------------------------------------------------------------

static void make_engine(const lc_design *design, lc_guest_engine *engine)
{
    if (design->cpu != NULL)
        lc_cpu_guest(design, engine);
    else
        lc_gpu_guest(design, engine);
}

bool lc_gallery_available(const lc_design *design, const char **reason)
{
    lc_guest_engine engine;
    make_engine(design, &engine);
    return engine.available(design, reason);
}

lc_status lc_gallery_add_engines(lc_message *message)
{
    const lc_design *design;
    for (size_t i = 0; (design = lc_gallery_at(i)) != NULL; i++) {
        if (design->engine != NULL)
            continue;
        lc_guest_engine engine;
        make_engine(design, &engine);
        lc_status status = lc_engine_add(&engine, message);
        if (status != LC_OK)
            return status;
    }
    return LC_OK;
}
