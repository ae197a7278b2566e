// The driver that runs kernels on the CPU: each thing that threads can do together, compared with
// what plain loops say; each mistake that it is to find; and that what is queued is done when it is
// waited for. On a machine with a GPU the same kernels run there too, since the emulator is to be
// like it.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "device/gpu_device.h"
#include "device/kernel_cache.h"
#include "support.h"
#include "support_device.h"

extern const lc_kernel_text emulated_kernel_texts[]; // tests/emulator/kernels, kernels/cuda.h

enum { MOST_ARGUMENTS = 4, MOST_BLOCKS = 4 };

typedef struct bench {
    lc_device *device;
    lc_module *module;
    lc_kernel kernel;
    lc_device_stream *stream;
    lc_device_address memory[MOST_BLOCKS];
    size_t memory_count;
    lc_message message;
} bench;

static void must(lc_status status, const lc_message *message)
{
    if (status != LC_OK)
        fprintf(stderr, "%s\n", message->text);
    CHECK(status == LC_OK);
}

// Opens the GPU with a kernel of tests/emulator/kernels on it.
static bench set_up(const char *file, const char *kernel, const char *option)
{
    bench set = {.device = NULL};
    lc_kernel_source source = {.name = file, .texts = emulated_kernel_texts};
    char *log = NULL;
    lc_status status = lc_device_open(&set.device, test_context(), 0, &set.message);
    if (status == LC_ERROR_UNSUPPORTED && getenv("LIGHTCONE_CUDA") == NULL)
        skip_case(set.message.text);
    must(status, &set.message);
    if (option != NULL) {
        source.options = &option;
        source.option_count = 1;
    }
    status = lc_module_create(&set.module, set.device, &source, &log, &set.message);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", log);
    must(status, &set.message);
    lc_free(log);
    must(lc_kernel_find(&set.kernel, set.module, kernel, &set.message), &set.message);
    must(lc_device_stream_create(set.device, &set.stream, &set.message), &set.message);
    return set;
}

static void tear_down(bench *set)
{
    while (set->memory_count > 0)
        lc_device_free(set->device, &set->memory[--set->memory_count]);
    lc_device_stream_destroy(set->device, &set->stream);
    lc_module_destroy(&set->module);
    lc_device_close(&set->device);
}

// Memory of the GPU, good until the end; with these bytes in it if `from` is not NULL.
static lc_device_address put(bench *set, const void *from, size_t size_bytes)
{
    lc_device_address *memory = &set->memory[set->memory_count++];
    must(lc_device_alloc(set->device, "numbers", size_bytes, memory, &set->message), &set->message);
    if (from != NULL)
        must(lc_device_upload(set->device, *memory, from, size_bytes, set->stream, &set->message),
             &set->message);
    return *memory;
}

static void get(bench *set, void *to, lc_device_address from, size_t size_bytes)
{
    must(lc_device_download(set->device, to, from, size_bytes, set->stream, &set->message),
         &set->message);
    must(lc_device_synchronize(set->device, set->stream, &set->message), &set->message);
}

static void launch(bench *set, uint32_t blocks, uint32_t threads, void **arguments)
{
    lc_launch how = {.grid = {blocks}, .block = {threads}, .stream = set->stream};
    must(lc_kernel_launch(&set->kernel, &how, arguments, &set->message), &set->message);
}

// ---- what threads do together -------------------------------------------------------------------

static void warps(void)
{
    enum { THREADS = 96, BLOCKS = 2, ALL = THREADS * BLOCKS, RESULTS = 14 };
    static uint32_t got[ALL * RESULTS];
    static uint64_t wide[ALL];
    uint32_t mask = 0x8421F00D;
    bench set = set_up("features.cu", "warps", NULL);
    lc_device_address results = put(&set, got, sizeof got);
    lc_device_address more = put(&set, wide, sizeof wide);
    void *arguments[MOST_ARGUMENTS] = {&results, &more, &mask};
    launch(&set, BLOCKS, THREADS, arguments);
    get(&set, got, results, sizeof got);
    get(&set, wide, more, sizeof wide);
    bool reduces = lc_device_facts_of(set.device)->architecture >= 80;
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t lane = i % 32;
        uint32_t first = i - lane;
        uint32_t want[RESULTS] = {0};
        uint32_t least = UINT32_MAX;
        uint32_t most = 0;
        uint32_t ands = UINT32_MAX;
        uint32_t ors = 0;
        uint32_t xors = 0;
#define VALUE(lane) ((first + (lane)) * 0x9E3779B9U)
        want[0] = VALUE((lane * 7 + 5) % 32);
        want[1] = VALUE(lane < 3 ? lane : lane - 3);
        want[2] = VALUE(lane == 31 ? 31 : lane + 1);
        want[3] = VALUE(lane ^ 9);
        want[6] = 1;
        want[9] = 1;
        for (uint32_t k = 0; k < 32; k++) {
            uint32_t value = VALUE(k);
            want[4] |= (value >> 31) << k;
            if (!(mask >> k & 1))
                continue;
            want[7] |= (value & 1) << k;
            want[8] |= value >> 1 & 1;
            want[9] &= value >> 2 & 1;
            want[10] += value;
            least = value < least ? value : least;
            most = value > most ? value : most;
            ands &= value | 1;
            ors |= value;
            xors ^= value;
        }
        if (reduces) {
            want[11] = want[10];
            want[12] = least ^ most;
            want[13] = ands ^ ors ^ xors;
        }
        if (!(mask >> lane & 1))
            memset(want + 7, 0, 7 * sizeof *want);
        for (uint32_t k = 0; k < RESULTS; k++) {
            if (got[i * RESULTS + k] != want[k])
                fprintf(stderr, "thread %u, result %u: %#x, not %#x\n", i, k, got[i * RESULTS + k],
                        want[k]);
            CHECK(got[i * RESULTS + k] == want[k]);
        }
        CHECK(wide[i] == (uint64_t)VALUE(lane >= 30 ? lane : lane + 2) << 20);
#undef VALUE
    }
    tear_down(&set);
}

static uint64_t reversed(uint64_t number, int bits)
{
    uint64_t result = 0;
    for (int i = 0; i < bits; i++)
        result |= (number >> i & 1) << (bits - 1 - i);
    return result;
}

static uint64_t count_bits(uint64_t number, int bits)
{
    uint64_t count = 0;
    for (int i = 0; i < bits; i++)
        count += number >> i & 1;
    return count;
}

// The highest bit counted from above, or the lowest from 1.
static uint64_t leading_zeros(uint64_t number, int bits)
{
    int count = 0;
    while (count < bits && !(number >> (bits - 1 - count) & 1))
        count++;
    return (uint64_t)count;
}

static uint64_t first_bit(uint64_t number, int bits)
{
    uint64_t zeros = leading_zeros(reversed(number, bits), bits);
    return zeros == (uint64_t)bits ? 0 : zeros + 1;
}

static uint32_t gate(int table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i++)
        result |= (uint32_t)(table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1)
                  << i;
    return result;
}

static void bits(void)
{
    enum { COUNT = 200, RESULTS = 12 };
    static uint64_t numbers[COUNT];
    static uint64_t got[COUNT * RESULTS];
    int count = COUNT;
    uint64_t random = 88172645463325252;
    for (int i = 0; i < COUNT; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        numbers[i] = i == 0 ? 0 : i == 1 ? UINT64_MAX : random >> i % 60;
    }
    bench set = set_up("features.cu", "bits", NULL);
    lc_device_address from = put(&set, numbers, sizeof numbers);
    lc_device_address results = put(&set, got, sizeof got);
    void *arguments[MOST_ARGUMENTS] = {&from, &results, &count};
    launch(&set, 4, 64, arguments);
    get(&set, got, results, sizeof got);
    for (int i = 0; i < COUNT; i++) {
        uint64_t n = numbers[i];
        uint32_t low = (uint32_t)n;
        uint32_t high = (uint32_t)(n >> 32);
        unsigned int shift = n >> 7 & 31;
        const uint64_t want[RESULTS] = {
            count_bits(low, 32) * 100 + count_bits(n, 64),
            leading_zeros(low, 32) * 100 + leading_zeros(n, 64),
            first_bit(low, 32) * 100 + first_bit(n, 64),
            reversed(low, 32),
            reversed(n, 64),
            (uint32_t)(n << shift >> 32),
            (uint32_t)(n >> shift),
            (uint64_t)low * high >> 32,
            (n & 255) | (n >> 56) << 8 | (n >> 8 & 255) << 16 | (n >> 40 & 255) << 24,
            gate(0x96, low, high, low >> 5) ^ gate(0xE8, low, high, low >> 9),
            gate(0x1B, low, high, low << 3),
            (low < high ? low : high) ^ (low > high ? low : high) << 1,
        };
        for (int k = 0; k < RESULTS; k++) {
            if (got[i * RESULTS + k] != want[k])
                fprintf(stderr, "number %#llx, result %d: %#llx, not %#llx\n",
                        (unsigned long long)n, k, (unsigned long long)got[i * RESULTS + k],
                        (unsigned long long)want[k]);
            CHECK(got[i * RESULTS + k] == want[k]);
        }
    }
    tear_down(&set);
}

// A whole number as a half, if it has one.
static uint16_t half_of(int number)
{
    const int size = abs(number);
    int exponent = 25; // of a half that counts ones
    CHECK(size < 2048);
    if (number == 0)
        return 0;
    for (; size << (25 - exponent) < 1024; exponent--)
        ;
    return (uint16_t)((number < 0 ? 0x8000 : 0) + ((exponent - 1) << 10) +
                      (size << (25 - exponent)));
}

// Products of whole numbers of either sign, and, every other time, with the right factor and the
// sum as multiples of 2^-24, the smallest half: these are their own bits.
static void matrix_products(void)
{
    enum { WARPS = 6, BLOCKS = 3 };
    static uint16_t a[WARPS][16][16], b[WARPS][16][8], d[WARPS][16][8], want[WARPS][16][8];
    uint32_t random = 12345;
    for (int w = 0; w < WARPS; w++) {
        const bool smallest = w % 2;
        int left[16][16], right[16][8];
        for (int i = 0; i < 16; i++)
            for (int k = 0; k < 16; k++) {
                random = random * 1664525 + 1013904223;
                left[i][k] = smallest ? (int)(random >> 24) % 18 : (int)(random >> 24) % 9 - 4;
                a[w][i][k] = half_of(left[i][k]);
                right[i][k % 8] =
                    smallest ? (int)(random >> 16 & 255) % 7 : (int)(random >> 16 & 255) % 23 - 11;
                b[w][i][k % 8] = smallest ? (uint16_t)right[i][k % 8] : half_of(right[i][k % 8]);
            }
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) {
                int sum = 10 * i + j;
                d[w][i][j] = smallest ? (uint16_t)sum : half_of(sum);
                for (int k = 0; k < 16; k++)
                    sum += left[i][k] * right[k][j];
                want[w][i][j] = smallest ? (uint16_t)sum : half_of(sum);
            }
    }
    bench set = set_up("features.cu", "products", NULL);
    lc_device_address of_a = put(&set, a, sizeof a), of_b = put(&set, b, sizeof b);
    lc_device_address of_d = put(&set, d, sizeof d);
    void *arguments[MOST_ARGUMENTS] = {&of_a, &of_b, &of_d};
    launch(&set, BLOCKS, WARPS / BLOCKS * 32, arguments);
    get(&set, d, of_d, sizeof d);
    CHECK(memcmp(d, want, sizeof d) == 0);
    tear_down(&set);
}

static void shared_memory(void)
{
    enum { THREADS = 128, BLOCKS = 5, ALL = THREADS * BLOCKS };
    uint32_t numbers[ALL];
    for (uint32_t i = 0; i < ALL; i++)
        numbers[i] = i * i;
    bench set = set_up("features.cu", "turn", NULL);
    lc_device_address memory = put(&set, numbers, sizeof numbers);
    void *arguments[MOST_ARGUMENTS] = {&memory};
    lc_launch how = {.grid = {BLOCKS},
                     .block = {THREADS},
                     .shared_bytes = THREADS * sizeof *numbers,
                     .stream = set.stream};
    CHECK(set.kernel.shared_bytes >= THREADS * (int)sizeof *numbers);
    CHECK(set.kernel.threads_max == THREADS);
    must(lc_kernel_launch(&set.kernel, &how, arguments, &set.message), &set.message);
    get(&set, numbers, memory, sizeof numbers);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t from = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
        CHECK(numbers[i] == from * from);
    }
    how.block[0] = THREADS + 1;
    CHECK(lc_kernel_launch(&set.kernel, &how, arguments, &set.message) == LC_ERROR_DEVICE);
    tear_down(&set);
}

static void atomics(void)
{
    enum { THREADS = 160, BLOCKS = 3, ALL = THREADS * BLOCKS };
    uint32_t results[8] = {0, UINT32_MAX, 0, 0, 0, UINT32_MAX, 0, 7};
    uint64_t wide[3] = {0, UINT64_MAX, 0};
    int signs[2] = {-1000, 1000};
    bench set = set_up("features.cu", "atomics", NULL);
    lc_device_address a = put(&set, results, sizeof results);
    lc_device_address b = put(&set, wide, sizeof wide);
    lc_device_address c = put(&set, signs, sizeof signs);
    void *arguments[MOST_ARGUMENTS] = {&a, &b, &c};
    launch(&set, BLOCKS, THREADS, arguments);
    get(&set, results, a, sizeof results);
    get(&set, wide, b, sizeof wide);
    get(&set, signs, c, sizeof signs);
    uint32_t sum = 0;
    uint32_t xors = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        sum += i;
        xors ^= i;
    }
    CHECK(results[0] == sum && results[1] == 17 && results[2] == 3 * (ALL - 1));
    CHECK(results[3] == 0x7FFFFFFF && results[4] == xors && results[5] == ~127U);
    CHECK(results[6] + results[7] == sum + 7);
    CHECK(wide[0] == (uint64_t)sum << 30 && wide[1] == ~((uint64_t)(ALL - 1) << 8));
    CHECK(wide[2] == sum);
    CHECK(signs[0] == ALL - 51 && signs[1] == 6 - ALL);
    tear_down(&set);
}

// Every element is found from its neighbours, in textures as wide and as high as there are too.
static void textures(void)
{
    static const int sizes[][2] = {{1, 1},      {3, 2},      {5, 7},     {100, 33},
                                   {131071, 1}, {131072, 2}, {1, 65535}, {2, 65536}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        enum { THREADS = 256, PADDING = 3 };
        int width = sizes[s][0], height = sizes[s][1];
        const int count = width * height, pitch = width + PADDING;
        lc_device_array *array;
        lc_device_texture texture;
        int *cells = calloc((size_t)pitch * (size_t)height, sizeof *cells);
        int *got = calloc(2 * (size_t)count, sizeof *got);
        bench set = set_up("features.cu", "corners", NULL);
        for (int i = 0; i < count; i++)
            cells[i / width * pitch + i % width] = i;
        lc_device_address from = put(&set, cells, (size_t)pitch * (size_t)height * sizeof *cells);
        lc_device_address results = put(&set, NULL, 2 * (size_t)count * sizeof *got);
        must(lc_device_array_create(set.device, "a board", (size_t)width, (size_t)height, &array,
                                    &set.message),
             &set.message);
        must(lc_device_texture_create(set.device, array, &texture, &set.message), &set.message);
        must(lc_device_array_copy_from(set.device, array, from, (size_t)pitch * sizeof *cells,
                                       (size_t)width, (size_t)height, set.stream, &set.message),
             &set.message);
        void *arguments[MOST_ARGUMENTS] = {&texture, &results, &width, &height};
        launch(&set, (uint32_t)(count + THREADS - 1) / THREADS, THREADS, arguments);
        get(&set, got, results, 2 * (size_t)count * sizeof *got);
        for (int i = 0; i < count; i++) {
            const int x = i % width, y = i / width;
            CHECK(got[2 * i] == (y + height - 1) % height * width + (x + width - 1) % width);
            CHECK(got[2 * i + 1] == (y + 1) % height * width + (x + 1) % width);
        }
        lc_device_texture_destroy(set.device, &texture);
        lc_device_array_destroy(set.device, &array);
        tear_down(&set);
        free(got);
        free(cells);
    }
}

static void barrier_across_blocks(void)
{
    enum { THREADS = 64, BLOCKS = 4, ALL = THREADS * BLOCKS, ROUNDS = 9 };
    uint32_t cells[2 * ALL];
    uint32_t want[2 * ALL];
    uint32_t arrived = 0;
    int rounds = ROUNDS;
    for (uint32_t i = 0; i < ALL; i++)
        want[i] = i * 11 + 1;
    memset(want + ALL, 0, sizeof want / 2);
    memcpy(cells, want, sizeof cells);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t *from = want + (round & 1) * ALL;
        uint32_t *to = want + (1 - (round & 1)) * ALL;
        for (uint32_t i = 0; i < ALL; i++)
            to[i] = from[i] + 3 * from[(i + THREADS) % ALL];
    }
    bench set = set_up("features.cu", "rounds", NULL);
    lc_device_address memory = put(&set, cells, sizeof cells);
    lc_device_address counter = put(&set, &arrived, sizeof arrived);
    void *arguments[MOST_ARGUMENTS] = {&memory, &counter, &rounds};
    lc_launch how = {
        .grid = {BLOCKS}, .block = {THREADS}, .cooperative = true, .stream = set.stream};
    must(lc_kernel_launch(&set.kernel, &how, arguments, &set.message), &set.message);
    get(&set, cells, memory, sizeof cells);
    CHECK(memcmp(cells, want, sizeof cells) == 0);
    get(&set, &arrived, counter, sizeof arrived);
    CHECK(arrived == 2 * ROUNDS * BLOCKS);
    how.grid[0] = 1 << 20;
    CHECK(lc_kernel_launch(&set.kernel, &how, arguments, &set.message) == LC_ERROR_DEVICE);
    CHECK_HAS(set.message.text, "too many blocks in cooperative launch");
    tear_down(&set);
}

// ---- mistakes -----------------------------------------------------------------------------------

// Runs the kernel with this mistake on a block of memory. What the device says, in set->message.
static lc_status run_mistake(bench *set, int which, bool from_start, uint32_t threads,
                             uint32_t blocks)
{
    char option[32];
    uint32_t zeros[64] = {0};
    int size_bytes = sizeof zeros - 4; // so that the end is no page's
    snprintf(option, sizeof option, "-DMISTAKE=%d", which);
    *set = set_up("mistakes.cu", "mistake", option);
    if (from_start) // blocks take turns in where they lie
        (void)put(set, NULL, 4);
    lc_device_address memory = put(set, zeros, (size_t)size_bytes);
    void *arguments[MOST_ARGUMENTS] = {&memory, &size_bytes};
    lc_launch how = {
        .grid = {blocks}, .block = {threads}, .shared_bytes = 128, .stream = set->stream};
    must(lc_kernel_launch(&set->kernel, &how, arguments, &set->message), &set->message);
    return lc_device_synchronize(set->device, set->stream, &set->message);
}

static void finds(int which, bool from_start, uint32_t threads, uint32_t blocks, const char *code,
                  const char *text)
{
    bench set;
    CHECK(run_mistake(&set, which, from_start, threads, blocks) == LC_ERROR_DEVICE);
    CHECK_HAS(set.message.text, "cuStreamSynchronize after mistake failed on GPU 0");
    CHECK_HAS(set.message.text, code);
    CHECK_HAS(set.message.text, text);
    CHECK(lc_device_is_lost(set.device));
    tear_down(&set);
}

static void no_mistake(void)
{
    bench set;
    must(run_mistake(&set, 0, false, 32, 2), &set.message);
    tear_down(&set);
}

static void diverging(void)
{
    finds(1, false, 32, 1, "(719)",
          "mistake: block 0: thread 0 at mistakes.cu:10 in __shfl_xor_sync 0xffffffff, "
          "thread 16 at mistakes.cu:12 in __");
    finds(2, false, 32, 1, "(719)", "thread 3 at mistakes.cu:14 in __ballot_sync 0xf");
}

static void barriers_that_some_miss(void)
{
    finds(3, false, 63, 1, "(719)",
          "thread 62 at mistakes.cu:18 in __syncthreads, thread 40 has ended");
    finds(4, false, 63, 1, "(719)", "__syncthreads");
}

static void wrong_addresses(void)
{
    finds(5, false, 32, 1, "(700)",
          "mistake: block 0 thread 1 uses byte 4348 of 252 of GPU memory");
    finds(5, true, 32, 1, "(700)", "thread 1 uses byte 4348 of 252 of GPU memory");
    finds(6, true, 32, 1, "(700)", "thread 0 uses 4 bytes before 252 of GPU memory");
    finds(7, true, 32, 1, "(700)", "some thread wrote to byte 252 of 252 of GPU memory");
    finds(7, false, 1, 1, "(700)", "some thread wrote to byte 252 of 252 of GPU memory");
    finds(8, false, 32, 1, "(7", "mistake: block 0 thread 0 "); // seen by a check, or by the system
    finds(9, true, 32, 1, "(7", "not aligned");
    finds(14, false, 32, 1, "(700)", "thread 31 uses byte 128 of 128 of shared memory");
}

static void undefined_behaviour(void)
{
    finds(10, false, 32, 1, "(719)", "block 0 thread 0 at mistakes.cu:37: a shift by too much");
    finds(11, false, 32, 1, "(719)", "mistakes.cu:39: an index beyond its array");
}

static void hanging(void)
{
    bench set;
    // Whichever block comes first: one of two launches begins with the one that waits.
    bool first = run_mistake(&set, 12, false, 1, 2) == LC_OK;
    if (first)
        tear_down(&set);
    if (first)
        CHECK(run_mistake(&set, 12, false, 1, 2) != LC_OK);
    CHECK_HAS(set.message.text, "(702)");
    CHECK_HAS(set.message.text,
              "all threads spin for what none does, in a launch that is not cooperative");
    tear_down(&set);
}

// No fault is found, but the result is wrong, and is so every time: lane 0 is given what was there
// before lane 1 wrote.
static void counting_on_step(void)
{
    bench set;
    uint32_t numbers[32];
    must(run_mistake(&set, 13, false, 32, 1), &set.message);
    get(&set, numbers, set.memory[0], sizeof numbers);
    CHECK(numbers[0] != 1 + 252);
    tear_down(&set);
}

static void shuffling_with_nobody(void)
{
    bench set;
    uint32_t numbers[32];
    must(run_mistake(&set, 15, false, 32, 1), &set.message);
    get(&set, numbers, set.memory[0], sizeof numbers);
    CHECK(numbers[1] != 0 + 252);
    tear_down(&set);
}

static void text_that_is_not_c(void)
{
    static const lc_kernel_text texts[] = {
        {"bad.cu", "#include \"cuda.h\"\n\nLC_KERNEL void f(lc_word &x) { x = 1; }\n"},
        {"cuda.h", "typedef unsigned int lc_word;\n"},
        {NULL, NULL}};
    lc_kernel_source source = {.name = "bad.cu", .texts = texts};
    lc_message message;
    lc_device *device;
    lc_module *module;
    must(lc_device_open(&device, test_context(), 0, &message), &message);
    CHECK(lc_module_create(&module, device, &source, NULL, &message) == LC_ERROR_DEVICE);
    CHECK_HAS(message.text, "bad.cu does not compile for sm_90 with NVRTC 12.8: bad.cu:3:");
    lc_device_close(&device);
}

// ---- the driver ---------------------------------------------------------------------------------

// A buffer that is touched before the copy was waited for has what was there before.
static void work_waits(void)
{
    bench set = set_up("features.cu", "turn", NULL);
    uint32_t *from;
    uint32_t *to;
    uint32_t pageable = 5;
    lc_device_address memory;
    must(lc_device_host_alloc(set.device, "a buffer", 4, (void **)&from, &set.message),
         &set.message);
    must(lc_device_host_alloc(set.device, "a buffer", 4, (void **)&to, &set.message), &set.message);
    memory = put(&set, NULL, 4);
    *from = 1;
    *to = 2;
    must(lc_device_upload(set.device, memory, from, 4, set.stream, &set.message), &set.message);
    must(lc_device_download(set.device, to, memory, 4, set.stream, &set.message), &set.message);
    *from = 3;
    CHECK(*to == 2);
    must(lc_device_synchronize(set.device, set.stream, &set.message), &set.message);
    CHECK(*to == 3);
    // Pageable memory is copied at once.
    must(lc_device_upload(set.device, memory, &pageable, 4, set.stream, &set.message),
         &set.message);
    pageable = 6;
    must(lc_device_download(set.device, &pageable, memory, 4, set.stream, &set.message),
         &set.message);
    CHECK(pageable == 5);

    // Another stream waits for an event, and not without.
    lc_device_stream *other;
    lc_device_event *event;
    must(lc_device_stream_create(set.device, &other, &set.message), &set.message);
    must(lc_device_event_create(set.device, &event, &set.message), &set.message);
    *from = 9;
    must(lc_device_upload(set.device, memory, from, 4, set.stream, &set.message), &set.message);
    must(lc_device_event_record(set.device, event, set.stream, &set.message), &set.message);
    must(lc_device_download(set.device, to, memory, 4, other, &set.message), &set.message);
    must(lc_device_synchronize(set.device, other, &set.message), &set.message);
    CHECK(*to == 5);
    must(lc_device_event_wait(set.device, other, event, &set.message), &set.message);
    must(lc_device_download(set.device, to, memory, 4, other, &set.message), &set.message);
    must(lc_device_synchronize(set.device, other, &set.message), &set.message);
    CHECK(*to == 9);
    lc_device_event_destroy(set.device, &event);
    lc_device_stream_destroy(set.device, &other);
    lc_device_host_free(set.device, (void **)&from);
    lc_device_host_free(set.device, (void **)&to);
    tear_down(&set);
    CHECK(ask_fake("fake_used_bytes") == 0 && ask_fake("fake_context_depth") == 0);
}

static void memory_begins_as_rubbish(void)
{
    bench set = set_up("features.cu", "turn", NULL);
    lc_device_address memory;
    uint64_t words[100] = {0};
    memory = put(&set, NULL, sizeof words);
    get(&set, words, memory, sizeof words);
    for (int i = 0; i < 100; i++)
        CHECK(words[i] != 0);
    CHECK(lc_device_fill(set.device, memory + sizeof words, 0, 1, set.stream, &set.message) ==
          LC_ERROR_DEVICE);
    tear_down(&set);
}

static void facts(void)
{
    setenv("FAKE_MULTIPROCESSORS", "5", 1);
    setenv("FAKE_BLOCKS", "3", 1);
    setenv("FAKE_MEMORY", "2", 1);
    bench set = set_up("features.cu", "turn", NULL);
    const lc_device_facts *all = lc_device_facts_of(set.device);
    lc_device_address memory;
    int blocks;
    CHECK(all->multiprocessors == 5 && all->memory_bytes == 2 << 20);
    CHECK(lc_kernel_occupancy(&set.kernel, 128, 0, &blocks, &set.message) == LC_OK && blocks == 3);
    CHECK(lc_kernel_occupancy(&set.kernel, 128, 1 << 17, &blocks, &set.message) == LC_OK);
    CHECK(blocks == 0);
    CHECK(lc_kernel_allow_shared(&set.kernel, 1 << 17, &set.message) == LC_OK);
    CHECK(lc_kernel_occupancy(&set.kernel, 128, 1 << 17, &blocks, &set.message) == LC_OK);
    CHECK(blocks == 3);
    CHECK(lc_device_alloc(set.device, "cells", 3 << 20, &memory, &set.message) == LC_ERROR_MEMORY);
    tear_down(&set);
}

static void graph_of_kernels(void)
{
    enum { THREADS = 128 };
    uint32_t numbers[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        numbers[i] = i;
    bench set = set_up("features.cu", "turn", NULL);
    lc_device_address memory = put(&set, numbers, sizeof numbers);
    lc_device_graph *graph;
    void *arguments[MOST_ARGUMENTS] = {&memory};
    lc_launch how = {.block = {THREADS}, .shared_bytes = sizeof numbers, .stream = set.stream};
    must(lc_device_capture_begin(set.device, set.stream, &set.message), &set.message);
    for (int i = 0; i < 3; i++)
        must(lc_kernel_launch(&set.kernel, &how, arguments, &set.message), &set.message);
    must(lc_device_capture_end(set.device, set.stream, &graph, &set.message), &set.message);
    must(lc_device_graph_launch(set.device, graph, set.stream, &set.message), &set.message);
    get(&set, numbers, memory, sizeof numbers);
    for (uint32_t i = 0; i < THREADS; i++)
        CHECK(numbers[i] == THREADS - 1 - i);
    lc_device_graph_destroy(set.device, &graph);
    tear_down(&set);
}

// Every call in turn fails once. Whatever it is, the device layer says so or does without.
static void any_call_fails(void)
{
    char plan[32];
    int failures = 0;
    uint32_t number = 1;
    bench set = set_up("features.cu", "turn", NULL); // the libraries load: what fails then is final
    tear_down(&set);
    for (int call = 1; call < 60; call++) {
        snprintf(plan, sizeof plan, "any=719@%d", call);
        lc_message message = {0};
        lc_device *device = NULL;
        lc_device_address memory = 0;
        setenv("FAKE_FAIL", plan, 1);
        lc_status status = lc_device_open(&device, test_context(), 0, &message);
        if (status == LC_OK)
            status = lc_device_alloc(device, "a number", 4, &memory, &message);
        if (status == LC_OK)
            status = lc_device_upload(device, memory, &number, 4, NULL, &message);
        if (status == LC_OK)
            status = lc_device_synchronize(device, NULL, &message);
        if (status != LC_OK) {
            CHECK_HAS(message.text, "(719)");
            failures++;
        }
        lc_device_free(device, &memory);
        lc_device_close(&device);
        unsetenv("FAKE_FAIL");
    }

    CHECK(failures > 15 && failures < 40);
}

static void compiled_once(void)
{
    for (int i = 0; i < 3; i++) {
        test_context_anew();
        bench set = set_up("features.cu", "turn", NULL);
        CHECK(lc_module_was_cached(set.module) == (i > 0));
        tear_down(&set);
    }
    CHECK(ask_fake("fake_compilations") == 1);
}

// Compiles a kernel. The inode of the one file in the folder of kept libraries, and its path.
static ino_t compile_and_keep(char path[600])
{
    char folder[500];
    struct dirent **entries;
    struct stat facts;
    test_context_anew(); // which remembers modules
    bench set = set_up("mistakes.cu", "mistake", "-DMISTAKE=0");
    CHECK(!lc_module_was_cached(set.module));
    tear_down(&set);
    snprintf(folder, sizeof folder, "%s/lightcone-tests/emulated", getenv("XDG_CACHE_HOME"));
    CHECK(scandir(folder, &entries, NULL, alphasort) == 3); // "." and ".." come first
    CHECK(snprintf(path, 600, "%s/%s", folder, entries[2]->d_name) < 600);
    for (int i = 0; i < 3; i++)
        free(entries[i]);
    free(entries);
    CHECK(stat(path, &facts) == 0);
    return facts.st_ino;
}

// A kept library is taken; one that is damaged in any place is replaced.
static void kept_by_content(void)
{
    char path[600];
    setenv("XDG_CACHE_HOME", getenv("LIGHTCONE_CACHE"), 1);
    unsetenv("LIGHTCONE_CACHE");
    ino_t file = compile_and_keep(path);
    CHECK(compile_and_keep(path) == file);
    for (long place = 0; place < 32; place += 8) { // key, checksum, library
        const ino_t before = file;
        FILE *damaged = fopen(path, "r+b");
        CHECK(damaged != NULL && fseek(damaged, place, SEEK_SET) == 0);
        const int byte = fgetc(damaged);
        CHECK(fseek(damaged, -1, SEEK_CUR) == 0 && fputc(byte ^ 1, damaged) != EOF);
        CHECK(fclose(damaged) == 0 && (file = compile_and_keep(path)) != before);
    }
    CHECK(truncate(path, 20) == 0 && compile_and_keep(path) != file);
}

int main(void)
{
#define EMULATED(name) CASE(name, EMULATED_CUDA, EMULATED_CUDA)
    const struct CMUnitTest tests[] = {
        EMULATED(warps),
        EMULATED(bits),
        EMULATED(matrix_products),
        EMULATED(shared_memory),
        EMULATED(atomics),
        EMULATED(textures),
        EMULATED(barrier_across_blocks),
        EMULATED(no_mistake),
        EMULATED(diverging),
        EMULATED(barriers_that_some_miss),
        EMULATED(wrong_addresses),
        EMULATED(undefined_behaviour),
        EMULATED(hanging),
        EMULATED(counting_on_step),
        EMULATED(shuffling_with_nobody),
        EMULATED(text_that_is_not_c),
        EMULATED(work_waits),
        EMULATED(memory_begins_as_rubbish),
        EMULATED(facts),
        EMULATED(graph_of_kernels),
        EMULATED(any_call_fails),
        EMULATED(compiled_once),
        EMULATED(kept_by_content),
    };
    const struct CMUnitTest real[] = {
        CASE(warps, NULL, NULL),
        CASE(bits, NULL, NULL),
        CASE(matrix_products, NULL, NULL),
        CASE(shared_memory, NULL, NULL),
        CASE(atomics, NULL, NULL),
        CASE(textures, NULL, NULL),
        CASE(barrier_across_blocks, NULL, NULL),
    };
    const int failed =
        only_gpu_cases() ? 0 : cmocka_run_group_tests_name("emulated", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("real", real, NULL, NULL);
}
