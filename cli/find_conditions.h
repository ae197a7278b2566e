// The conditions of `lightcone find`, and how a soup's result is compared with them.
#ifndef LC_CLI_FIND_CONDITIONS_H
#define LC_CLI_FIND_CONDITIONS_H

#include "lightcone/census.h"
#include "lightcone/lightcone.h"

// Facts about an apgcode that soups left. Codes occur often, so each is examined once.
typedef struct lc_find_code lc_find_code;

typedef struct lc_find_conditions {
    bool has_generations, has_population;
    uint64_t generations; // the soup settles later
    uint64_t population;  // the final population is at least this
    const char *object;   // as typed, and a code once prepared; NULL: any
    char *object_code;    // `object`, if it was not typed as a code
    const char *speed;    // as typed; NULL: any
    int64_t dx, dy;       // of `speed`, 0 <= dy <= dx, in `period` generations
    uint64_t period;
    const char *known_path; // NULL: none
    const lc_rule *rule;    // of the soups; belongs to the caller
    // Codes of the file `known_path`, sorted.
    char **known;
    size_t known_count, known_room;
    lc_find_code *codes; // a hash table
    size_t code_count, code_room;
} lc_find_conditions;

// Parses "c/2", "c/4d", "2c/5", "(2,1)c/6", for lc_cli_parse. `to` is a lc_find_conditions.
const char *lc_find_parse_speed(const char *text, void *to);

bool lc_find_has_conditions(const lc_find_conditions *conditions);

// Checks the object's name and reads the file of known objects. Returns LC_EXIT_OK, or another exit
// code after printing an error.
int lc_find_prepare(lc_find_conditions *conditions, const char *command);

// Whether a soup meets all conditions. Sets *code to the object that meets those about objects;
// NULL: there are no such conditions. LC_ERROR_MEMORY is returned through *status.
bool lc_find_meets(lc_find_conditions *conditions, const lc_soup_result *result, const char **code,
                   lc_status *status);

void lc_find_free(lc_find_conditions *conditions);

#endif
