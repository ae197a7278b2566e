// Timelines: every frame is a pattern that loads, read cell by cell or as squares.
#include "fuzz_pattern.h"
#include "lightcone/timeline.h"

typedef struct some {
    fuzz_result result;
    int left; // a few lines may be more cells than can be looked at
} some;

static lc_status take_run(void *context, int64_t x, int64_t y, int64_t length)
{
    some *s = context;
    return --s->left < 0 ? LC_ERROR_STOPPED : fuzz_run(&s->result, x, y, length);
}

static lc_status take_bits(void *context, int64_t x, int64_t y, const uint64_t *words,
                           int64_t length)
{
    some *s = context;
    return --s->left < 0 ? LC_ERROR_STOPPED : fuzz_bits(&s->result, x, y, words, length);
}

static void look_at(const lc_timeline *timeline, uint64_t frame)
{
    some s = {.left = 2000};
    lc_pattern *pattern;
    const lc_sink sink = {.struct_bytes = sizeof sink,
                          .context = &s,
                          .run = take_run,
                          .bits = take_bits,
                          .max_memory_bytes = (uint64_t)64 << 20};
    fuzz_check(lc_timeline_open_frame(&pattern, timeline, frame, NULL) == LC_OK);
    const lc_status cells = lc_pattern_read(pattern, &sink, NULL);
    lc_pattern_close(&pattern);
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = fuzz_context(),
                                         .rule_text = "B3/S23",
                                         .engine = "hashlife",
                                         .threads = 1,
                                         .max_memory_bytes = (uint64_t)64 << 20};
    lc_universe *universe;
    lc_facts facts;
    fuzz_check(lc_universe_create(&universe, &options, NULL) == LC_OK);
    fuzz_check(lc_timeline_open_frame(&pattern, timeline, frame, NULL) == LC_OK);
    const lc_status squares = lc_universe_load(universe, pattern, 0, 0, NULL);
    fuzz_check(cells == LC_ERROR_STOPPED || cells == squares);
    if (squares == LC_OK)
        fuzz_check(lc_count_compare(lc_universe_generation(universe),
                                    lc_timeline_generation(timeline, frame)) == 0);
    fuzz_check(lc_universe_facts(universe, LC_FACT_ALL, &facts, NULL) == LC_OK);
    lc_pattern_close(&pattern);
    lc_universe_destroy(&universe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const heads[] = {
        "[M2]\n#FRAMES 0 0 1\n", "[M2]\n#G 9\n#FRAMES 2 0 2^2\n*$\n4 1 0 0 1\n#FRAME 0 2\n",
        "[M2]\n", "[M2]\n#FRAMES 1 5 10\n*.*$.*$\n4 1 0 1 1\n5 2 2 0 2\n#G 5\n#FRAME 0 3\n"};
    if (size == 0)
        return 0;
    const char *head = heads[data[0] % 4];
    const size_t length = strlen(head), total = length + size - 1;
    char *text = malloc(total + 1);
    if (text == NULL)
        abort();
    memcpy(text, head, length);
    memcpy(text + length, data + 1, size - 1);
    lc_pattern *pattern;
    lc_timeline *timeline = NULL;
    lc_message message = {0};
    lc_status status = lc_pattern_open_memory(&pattern, text, total, &message);
    if (status == LC_OK)
        status = lc_timeline_read(&timeline, pattern, (uint64_t)64 << 20, &message);
    lc_pattern_close(&pattern);
    fuzz_check(status == LC_OK || (message.text[0] != '\0' && timeline == NULL));
    if (status == LC_OK) {
        const lc_timeline_info *info = lc_timeline_get_info(timeline);
        fuzz_check(info->frames >= 1 && (!info->is_cut || info->cut.text[0] != '\0'));
        look_at(timeline, 0);
        look_at(timeline, info->frames - 1);
        for (uint64_t i = 1; i < info->frames; i++)
            fuzz_check(lc_timeline_find(timeline, lc_timeline_generation(timeline, i)) == i);
    }
    lc_timeline_destroy(&timeline);
    free(text);
    return 0;
}
