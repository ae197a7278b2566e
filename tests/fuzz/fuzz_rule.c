// Fuzzes rule strings: what is accepted must be valid, and must survive being written and read;
// what is refused must say why.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_refusal(lc_status status, const lc_message *message, size_t size)
{
    require(status == LC_ERROR_FORMAT || status == LC_ERROR_UNSUPPORTED);
    require(message->text[0] != '\0' && memchr(message->text, '\0', sizeof message->text));
    require(message->column >= 1 && message->column <= size + 1);
}

static int same_topology(const lc_topology *a, const lc_topology *b)
{
    return a->kind == b->kind && a->width_cells == b->width_cells &&
           a->height_cells == b->height_cells && a->shift_x_cells == b->shift_x_cells &&
           a->shift_y_cells == b->shift_y_cells && a->twist_x == b->twist_x &&
           a->twist_y == b->twist_y;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); // its own block, so that reading past the end is seen
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';

    const lc_rule *rule, *again;
    lc_topology topology, topology_again;
    lc_message message = {0};
    char written[LC_RULE_TEXT_BYTES], written_again[LC_RULE_TEXT_BYTES];
    lc_status status = lc_rule_parse(text, &rule, &topology, &message);
    if (status == LC_OK) {
        require(lc_topology_check(&topology, &message) == LC_OK);
        lc_rule_format(rule, &topology, written);
        require(lc_rule_parse(written, &again, &topology_again, &message) == LC_OK);
        require(again == rule);
        require(same_topology(&topology, &topology_again));
        lc_rule_format(again, &topology_again, written_again);
        require(strcmp(written, written_again) == 0);
        lc_topology_format(&topology, written);
        lc_rule_release(&again);
        lc_rule_release(&rule);
    } else {
        require(rule == NULL);
        check_refusal(status, &message, size);
    }
    message = (lc_message){0};
    status = lc_topology_parse(text, &topology, &message);
    if (status == LC_OK)
        require(lc_topology_check(&topology, &message) == LC_OK);
    else
        check_refusal(status, &message, size);
    free(text);
    return 0;
}
