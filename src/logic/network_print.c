// Prints networks as C text, which GPU kernels include.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "logic/network.h"

typedef struct {
    char *text;
    size_t size_bytes, length;
} writer;

static void put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *w, const char *format, ...)
{
    const bool room = w->length < w->size_bytes;
    va_list list;
    va_start(list, format);
    const int written = vsnprintf(room ? w->text + w->length : NULL,
                                  room ? w->size_bytes - w->length : 0, format, list);
    va_end(list);
    w->length += written > 0 ? (size_t)written : 0;
}

// Common view of both kinds of networks.
typedef struct {
    const char *const *signal_names;
    int signals;
    const lc_gate *gate;
    int gates;
} listing;

typedef struct {
    char text[16];
} operand_name;

static operand_name name_of(const listing *l, int operand)
{
    operand_name name;
    if (operand < l->signals)
        (void)snprintf(name.text, sizeof name.text, "%s", l->signal_names[operand]);
    else
        (void)snprintf(name.text, sizeof name.text, "g%d", operand - l->signals);
    return name;
}

static void put_parameters(writer *w, const listing *l)
{
    for (int i = 0; i < l->signals; i++)
        put(w, "%slc_word %s", i == 0 ? "" : ", ", l->signal_names[i]);
}

static void put_unused(writer *w, const listing *l)
{
    for (int signal = 0; signal < l->signals; signal++) {
        bool used = false;
        for (int i = 0; i < l->gates; i++) {
            const lc_gate *g = &l->gate[i];
            used = used || g->a == signal || g->b == signal || g->c == signal;
        }
        if (!used)
            put(w, "    (void)%s;\n", name_of(l, signal).text);
    }
}

static void put_gate(writer *w, const listing *l, int index)
{
    const lc_gate *g = &l->gate[index];
    put(w, " LC_GATE(0x%02X, %s, %s, %s);\n", g->table, name_of(l, g->a).text,
        name_of(l, g->b).text, name_of(l, g->c).text);
}

static void put_constants(writer *w, const listing *l, int gates)
{
    for (int i = 0; i < gates; i++) {
        put(w, "    const lc_word g%d =", i);
        put_gate(w, l, i);
    }
}

size_t lc_network_print(const lc_network *network, const char *rule_text, char *text,
                        size_t size_bytes)
{
    static const char *const names[LC_SIGNALS] = {"sa", "ca", "sb", "cb", "sc", "cc", "x"};
    const listing l = {names, LC_SIGNALS, network->gate, network->gates};
    writer w = {text, size_bytes, 0};
    put(&w, "// %s\n", rule_text);
    put(&w, "LC_INLINE lc_word lc_next(");
    put_parameters(&w, &l);
    put(&w, ")\n{\n");
    put_unused(&w, &l);
    put_constants(&w, &l, network->gates - 1);
    put(&w, "    return");
    put_gate(&w, &l, network->gates - 1);
    put(&w, "}\n");
    return w.length;
}

size_t lc_network_print_pair(const lc_pair_network *network, const char *rule_text, char *text,
                             size_t size_bytes)
{
    static const char *const names[LC_PAIR_SIGNALS] = {"sa", "ca", "sb", "cb", "sc",
                                                       "cc", "sd", "cd", "xb", "xc"};
    const listing l = {names, LC_PAIR_SIGNALS, network->gate, network->gates};
    writer w = {text, size_bytes, 0};
    put(&w, "// %s\n", rule_text);
    put(&w, "LC_INLINE void lc_next_pair(");
    put_parameters(&w, &l);
    put(&w, ", lc_word *next_b, lc_word *next_c)\n{\n");
    put_unused(&w, &l);
    put_constants(&w, &l, network->gates);
    put(&w, "    *next_b = %s;\n    *next_c = %s;\n}\n", name_of(&l, network->next_b).text,
        name_of(&l, network->next_c).text);
    return w.length;
}

static bool write_networks(lc_cache *cache, void *value, const void *key, void *argument)
{
    const lc_counts *counts = key;
    const char *rule_text = argument;
    char *text = value;
    lc_network network;
    lc_pair_network pair;
    lc_network_build(&network, *counts, cache);
    lc_network_build_pair(&pair, *counts, cache);
    const size_t length = lc_network_print(&network, rule_text, text, LC_NETWORK_TEXT_BYTES);
    (void)lc_network_print_pair(&pair, rule_text, text + length, LC_NETWORK_TEXT_BYTES);
    return true;
}

static const lc_cache_kind network_texts = {
    .key_bytes = sizeof(lc_counts), .value_bytes = LC_NETWORKS_TEXT_BYTES, .make = write_networks};

void lc_networks_print(char text[LC_NETWORKS_TEXT_BYTES], lc_counts counts, const char *rule_text,
                       lc_cache *cache)
{
    (void)lc_cache_copy(cache, &network_texts, &counts, (void *)rule_text, text);
}
