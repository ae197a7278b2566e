// Life 1.05 and 1.06, and MCell.
#include "fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const prefixes[] = {"#Life 1.05\n", "#Life 1.06\n", "#Life 1.05\n#P ", "#P ",
                                           "#MCell 4.00\n#RULE 345/2/4\n#L "};
    if (size == 0)
        return 0;
    fuzz_both(prefixes[data[0] % (sizeof prefixes / sizeof *prefixes)], data + 1, size - 1);
    return 0;
}
