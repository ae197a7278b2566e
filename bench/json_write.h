// Values of the bench's JSON.
#ifndef LC_BENCH_JSON_WRITE_H
#define LC_BENCH_JSON_WRITE_H

#include <stdio.h>

// In quotes, escaped.
void lc_json_write_text(FILE *file, const char *text);
// null for what JSON has no number for.
void lc_json_write_real(FILE *file, double value);

#endif
