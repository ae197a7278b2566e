// Fuzzes hauls: what is accepted must survive being written and read; what is refused must say why
// and where.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "census/haul.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static lc_status read_haul(lc_haul *haul, const void *data, size_t size, lc_message *message)
{
    lc_input input;
    lc_status status = lc_input_open_memory(&input, data, size, message);
    if (status != LC_OK)
        return status;
    status = lc_haul_read(haul, &input, message);
    lc_input_close(&input);
    return status;
}

static void write_haul(lc_haul *haul, void **text, size_t *size)
{
    lc_output *output;
    require(lc_output_create_memory(&output, SIZE_MAX / 2, NULL) == LC_OK);
    lc_haul_write(haul, output);
    require(lc_output_take_memory(&output, text, size, NULL) == LC_OK);
}

// The object without cells has no samples in what is written.
static void drop_unwritten(lc_haul *haul)
{
    for (size_t i = 0; i < haul->kind_count; i++)
        if (strcmp(haul->kinds[i].code, "xs0_0") == 0)
            haul->kinds[i].sample_count = 0;
}

static void check_accepted(lc_haul *haul)
{
    lc_haul again;
    void *text, *text_again;
    size_t size, size_again;
    write_haul(haul, &text, &size);
    require(read_haul(&again, text, size, NULL) == LC_OK);
    write_haul(&again, &text_again, &size_again);
    require(size == size_again && memcmp(text, text_again, size) == 0);
    drop_unwritten(haul);
    require(lc_haul_compare(haul, &again, NULL) == LC_OK);
    lc_haul_free(&again);
    free(text);
    free(text_again);
}

static void check_refused(lc_status status, const lc_message *message)
{
    require(status == LC_ERROR_FORMAT || status == LC_ERROR_LIMIT);
    require(message->text[0] != '\0' && memchr(message->text, '\0', sizeof message->text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_haul haul = {0};
    lc_message message = {0};
    const lc_status status = read_haul(&haul, data, size, &message);
    if (status == LC_OK)
        check_accepted(&haul);
    else
        check_refused(status, &message);
    lc_haul_free(&haul);
    return 0;
}
