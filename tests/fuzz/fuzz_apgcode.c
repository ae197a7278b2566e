// Apgcodes.
#include "fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_both("xp2_", data, size);
    return 0;
}
