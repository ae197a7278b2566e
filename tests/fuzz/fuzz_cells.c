// Plaintext.
#include "fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_both("!\n", data, size);
    return 0;
}
