// What the others of a machine take from each: CPUs share caches, memory and clock, so boards that
// are stepped side by side, each by threads of its own, take longer than one of them alone.
#ifndef LC_BENCH_COMPANY_H
#define LC_BENCH_COMPANY_H

#include "runner.h"

// How many such universes this machine can step side by side, each on CPUs of its own.
int lc_company_size(const lc_bench_configuration *configuration);

// Steps `first` alone and then as many side by side as there is room for, in turns, and says how
// many times as long they take together (the last one of them): the median of `rounds`. LC_OK; what
// making and stepping universes returns; LC_ERROR_LIMIT: the machine has no memory for so many.
lc_status lc_company_measure(lc_universe *first, const lc_bench_configuration *configuration,
                             const lc_verify_options *options, uint64_t generations, int rounds,
                             double *times, lc_message *message);

#endif
