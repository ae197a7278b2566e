// RLE: cells behind a header, headers of the fuzzer's own, and several patterns.
#include "fuzz_pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const prefixes[] = {"x = 3, y = 3\n",
                                           "#",
                                           "#CXRLE ",
                                           "x = ",
                                           "",
                                           "3o!\nx = 3, y = 3\n",
                                           "3o!\n#N",
                                           "x = 3, y = 3, rule = /2/256\n"};
    const size_t count = sizeof prefixes / sizeof prefixes[0];
    if (size == 0)
        return 0;
    fuzz_both(prefixes[data[0] % count], data + 1, size - 1);
    return 0;
}
