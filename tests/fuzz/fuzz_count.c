// Fuzzes texts of counts: what is accepted must survive being written and read, and may be followed
// by anything; what is refused must say why and change nothing.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lightcone/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); // its own block, so that reading past the end is seen
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';

    const lc_count before = {{1, 2, 3, 4}};
    lc_count count = before, again = before;
    lc_message message = {0};
    const char *end = NULL;
    const lc_status status = lc_count_parse(text, &end, &count, &message);
    if (status == LC_OK) {
        char written[LC_COUNT_TEXT_BYTES];
        require(end > text && end <= text + size);
        lc_count_format(count, written);
        require(memchr(written, '\0', sizeof written) != NULL);
        require(lc_count_parse(written, NULL, &again, NULL) == LC_OK);
        require(lc_count_compare(count, again) == 0);
        const lc_status whole = lc_count_parse(text, NULL, &again, NULL);
        require(whole == (*end == '\0' ? LC_OK : LC_ERROR_FORMAT));
    } else {
        require(status == LC_ERROR_FORMAT || status == LC_ERROR_LIMIT ||
                status == LC_ERROR_ARGUMENT);
        require(end == NULL && memcmp(&count, &before, sizeof count) == 0);
        require(message.text[0] != '\0' && memchr(message.text, '\0', sizeof message.text));
        require(message.line == 0 && message.column >= 1 && message.column <= size + 1);
    }
    free(text);
    return 0;
}
