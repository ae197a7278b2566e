// Macrocell: read cell by cell and as squares, which must come to the same.
#include "fuzz_pattern.h"
#include "lightcone/universe.h"

// A few lines may be more cells than can be looked at.
typedef struct some {
    fuzz_result result;
    int left;
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

static lc_status take_cells(void *context, const lc_cells *row)
{
    some *s = context;
    return --s->left < 0 ? LC_ERROR_STOPPED : fuzz_cells(&s->result, row);
}

static lc_status take_state_run(void *context, int64_t x, int64_t y, int64_t length, int state)
{
    some *s = context;
    return --s->left < 0 ? LC_ERROR_STOPPED : fuzz_state_run(&s->result, x, y, length, state);
}

// Sets *states to the number that the rule has.
static lc_status read_cells(const void *text, size_t size, some *s, int *states)
{
    lc_message message = {0};
    lc_pattern *pattern;
    *states = 0;
    *s = (some){.left = 20000};
    const lc_sink sink = {.struct_bytes = sizeof sink,
                          .context = s,
                          .run = take_run,
                          .bits = take_bits,
                          .max_memory_bytes = (uint64_t)64 << 20,
                          .cells = take_cells,
                          .state_run = take_state_run};
    lc_status status = lc_pattern_open_memory(&pattern, text, size, &message);
    if (status == LC_OK) {
        *states = lc_rule_traits(lc_pattern_get_header(pattern)->rule)->states;
        status = lc_pattern_read(pattern, &sink, &message);
    }
    lc_pattern_close(&pattern);
    fuzz_check(status == LC_OK || status == LC_ERROR_STOPPED || message.text[0] != '\0');
    return status;
}

static lc_status read_squares(const void *text, size_t size, lc_universe *universe)
{
    lc_message message = {0};
    lc_pattern *pattern;
    lc_status status = lc_pattern_open_memory(&pattern, text, size, &message);
    if (status == LC_OK)
        status = lc_universe_load(universe, pattern, 0, 0, &message);
    lc_pattern_close(&pattern);
    fuzz_check(status == LC_OK || message.text[0] != '\0');
    return status;
}

// The cells of the universe, seen one by one.
static void count_cells(lc_universe *universe, const lc_box *box, fuzz_result *result)
{
    enum { WORDS = 64 };
    for (int64_t y = box->y; y < box->y + box->height_cells; y++) {
        for (int64_t x = box->x; x < box->x + box->width_cells; x += WORDS * 64) {
            uint64_t words[WORDS] = {0};
            const int64_t rest = box->x + box->width_cells - x;
            lc_cells cells = {.x = x,
                              .y = y,
                              .width_cells = rest < WORDS * 64 ? rest : WORDS * 64,
                              .height_cells = 1,
                              .planes = 1,
                              .words = words,
                              .pitch_words = WORDS};
            fuzz_check(lc_universe_read(universe, &cells, NULL) == LC_OK);
            (void)fuzz_bits(result, x, y, words, cells.width_cells);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const heads[] = {"[M2]\n", "[M2] (fuzz)\n*.*$.*$\n4 1 0 1 1\n5 2 2 0 2\n",
                                        "[M2]\n1 1 0 1 1\n2 1 0 0 1\n", "[M2]\n#R B36/S23\n#G 7\n",
                                        "[M2]\n#R /2/256\n1 0 7 255 1\n2 1 0 0 1\n"};
    if (size == 0)
        return 0;
    const char *head = heads[data[0] % (sizeof heads / sizeof *heads)];
    const size_t length = strlen(head), total = length + size - 1;
    char *text = malloc(total + 1);
    if (text == NULL)
        abort();
    memcpy(text, head, length);
    memcpy(text + length, data + 1, size - 1);
    const lc_universe_options options = {.struct_bytes = sizeof options,
                                         .context = fuzz_context(),
                                         .rule_text = "B3/S23",
                                         .engine = "hashlife",
                                         .threads = 1,
                                         .max_memory_bytes = (uint64_t)64 << 20};
    lc_universe *universe;
    fuzz_check(lc_universe_create(&universe, &options, NULL) == LC_OK);
    some s;
    int states;
    const lc_status cells = read_cells(text, total, &s, &states);
    if (states > 2) { // the universe has two
        lc_universe_destroy(&universe);
        free(text);
        return 0;
    }
    const lc_status squares = read_squares(text, total, universe);
    if (cells != LC_ERROR_STOPPED)
        fuzz_check(cells == squares);
    lc_facts facts;
    fuzz_check(lc_universe_facts(universe, LC_FACT_ALL, &facts, NULL) == LC_OK);
    if (cells == LC_OK && !facts.box.empty && facts.box.height_cells <= 256 &&
        facts.box.width_cells <= 1 << 14) {
        fuzz_result seen = {0};
        count_cells(universe, &facts.box, &seen);
        fuzz_check(seen.sum == s.result.sum);
    }
    if (squares == LC_OK && !facts.box.empty) // stepped and looked at, whatever it is
        fuzz_check(lc_universe_step(universe, lc_count_of(3), NULL, NULL, NULL) <= LC_OK);
    lc_universe_destroy(&universe);
    free(text);
    return 0;
}
