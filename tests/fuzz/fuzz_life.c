// Life 1.05 and 1.06.
#include "fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const prefixes[] = {"#Life 1.05\n", "#Life 1.06\n", "#Life 1.05\n#P ",
                                           "#P "};
    if (size == 0)
        return 0;
    fuzz_both(prefixes[data[0] % 4], data + 1, size - 1);
    return 0;
}
