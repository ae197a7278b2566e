// Settings: the values of a design's knobs as text.
#include "settings.h"

#include <stdio.h>
#include <string.h>

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
                       "unknown setting \"%.*s\" for design \"%s\"; it accepts none", length, name,
                       design->name);
    return lc_fail(message, LC_ERROR_ARGUMENT,
                   "unknown setting \"%.*s\" for design \"%s\"; it accepts %s", length, name,
                   design->name, names);
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
