// The reports of `lightcone census`: text, CSV, JSON and HTML.
#ifndef LC_CLI_CENSUS_REPORT_H
#define LC_CLI_CENSUS_REPORT_H

#include <stdio.h>

#include "lightcone/census.h"

typedef struct lc_census_report {
    lc_soup_census *census;
    lc_soup_census_facts facts;
    const lc_soup_kind *kinds; // the most frequent first
    size_t kind_count;
    bool common_first; // otherwise the rarest kinds are printed first
} lc_census_report;

// Bounds of a mean number of objects in a soup.
typedef struct lc_census_interval {
    double low, high;
} lc_census_interval;

// Fills in the report of what the census has counted. The report is valid until the census
// changes.
void lc_census_report_init(lc_census_report *report, lc_soup_census *census, bool common_first);

// Returns the kind in line `row`, counted from 0.
const lc_soup_kind *lc_census_report_kind(const lc_census_report *report, size_t row);

// Returns the exact 95 % confidence interval of the objects in a soup, if `count` were counted in
// `soups` soups and their number has a Poisson distribution.
lc_census_interval lc_census_poisson(uint64_t count, uint64_t soups);

// Write the whole report.
void lc_census_report_text(FILE *file, const lc_census_report *report);
void lc_census_report_csv(FILE *file, const lc_census_report *report);
void lc_census_report_json(FILE *file, const lc_census_report *report);
void lc_census_report_page(FILE *file, const lc_census_report *report); // HTML, census_page.c

#endif
