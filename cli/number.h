// Parses and formats the numbers that users type and read.
#ifndef LC_CLI_NUMBER_H
#define LC_CLI_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "lightcone/count.h"

// On success a parser writes its result and returns NULL. On error a parser writes nothing and
// returns a static message that says why the text is invalid.

// Parses an integer from 0 to 2^64-1: "1000", "1_000", "1e6", "1.5e6", "2^20", "2^64-1", "10k",
// "3M", "2G", "1T".
const char *lc_cli_parse_u64(const char *text, uint64_t *value);

// Parses an integer of at least 1 in the forms of lc_cli_parse_u64.
const char *lc_cli_parse_positive(const char *text, uint64_t *value);

// Parses an integer from 0 to 2^256-1 in the forms of lc_cli_parse_u64: "1e30", "10^30".
const char *lc_cli_parse_count(const char *text, lc_count *value);

// Parses a size: "65536x65536", or "65536" for a square. Each number has a form of lc_cli_parse_u64
// and is at most 2^62.
const char *lc_cli_parse_size(const char *text, int64_t *width_cells, int64_t *height_cells);

// Parses a memory size in bytes, such as "8G", "512M", "1.5GiB", "1000000" or "2^33". "50%" is half
// of `machine_bytes`. Units are powers of 1024.
const char *lc_cli_parse_memory(const char *text, uint64_t machine_bytes, uint64_t *bytes);

// Parses a duration, such as "60s", "5m", "1h", "500ms", "2.2us", "800ns" or "2d".
const char *lc_cli_parse_duration(const char *text, uint64_t *ns);

// Parses a rate and a latency, such as "396G,2.2us". The rate is in bytes per second, and its units
// are powers of 1000.
const char *lc_cli_parse_link(const char *text, uint64_t *bytes_per_second, uint64_t *latency_ns);

// Parses a number from 0 to 1, or from "0%" to "100%", for lc_cli_parse. `to` is a double.
const char *lc_cli_parse_density(const char *text, void *to);

// Size of the buffer for every formatter below.
#define LC_CLI_NUMBER_BYTES 112 // digits and commas of the largest lc_count

// Each formatter returns `text`. The formatters of integers write "1,234,567".
char *lc_cli_format_u64(uint64_t value, char text[LC_CLI_NUMBER_BYTES]);
char *lc_cli_format_count(lc_count count, char text[LC_CLI_NUMBER_BYTES]);
char *lc_cli_format_i64(int64_t value, char text[LC_CLI_NUMBER_BYTES]);
// Writes a value with three or four digits and a decimal unit: "431", "1.23 k", "550 G", "48.7 T".
// A value below 1 has no unit: "0.123".
char *lc_cli_format_rate(double value, char text[LC_CLI_NUMBER_BYTES]);
// Writes a number of bytes: "1.5 GiB", "512 MiB".
char *lc_cli_format_bytes(uint64_t bytes, char text[LC_CLI_NUMBER_BYTES]);
// Writes a duration: "12.3 ms", "12.3 s", "5 min 03 s", "2 h 05 min", "3 d 04 h".
char *lc_cli_format_seconds(double seconds, char text[LC_CLI_NUMBER_BYTES]);

#endif
