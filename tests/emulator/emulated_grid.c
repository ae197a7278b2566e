// A grid of threads on one CPU: each thread is a coroutine, which runs until it meets others. Of a
// warp, lane 0 runs up to its next meeting, then lane 1 ...; when all that a meeting names are
// there, each gets its result, and the next sweep begins. So a result that depends on lanes going
// in step without a meeting between them comes out wrong here, and it always comes out the same.
//
// A lane that meets switches to the next lane; only a warp that cannot go on by itself returns to
// the scheduler. A lane that ends leaves its stack to the next one that has not begun: up to the
// first meeting, and where a kernel has none, lanes run in a plain loop on one stack.
//
// The blocks of a usual launch run one after another, of every second launch in reverse order;
// those of a cooperative launch take turns, warp by warp.
#include "emulator/emulated_grid.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emulator/coroutine.h"
#include "emulator/stand_in.h"

enum {
    STACK_BYTES = 64 << 10,
    STAGGER_BYTES = 576, // stacks of a warp begin at other lines of a page: caches like that
    SIGNAL_STACK_BYTES = 64 << 10,
};

typedef struct lane {
    coroutine place; // once it has begun
    emulated_thread seen;
    char *stack; // kept from launch to launch
} lane;

// The lanes that run side by side. Their values for a meeting lie in arrays: when the last lane
// comes, the emulator reads all of them.
typedef struct warp {
    lane *lanes;
    unsigned int lane_count;
    unsigned int first_number; // of its lanes, in their block
    unsigned int block_number;
    unsigned int all; // its lanes, one bit each
    // Where each lane is; it is in one of these, or has ended.
    unsigned int fresh; // has not begun
    unsigned int ready;
    unsigned int meeting;
    unsigned int spinning;
    unsigned int at_barrier;
    // Of those that meet, the ones that came to the same meeting as `leader` did.
    unsigned int together;
    unsigned int leader;
    // Of those that wait: for what, and with what result.
    const emulated_site *site[EMULATED_WARP];
    unsigned int mask[EMULATED_WARP];
    unsigned int argument[EMULATED_WARP];
    unsigned long long value[EMULATED_WARP];
    unsigned long long result[EMULATED_WARP];
} warp;

typedef struct block {
    warp *warps;
    unsigned int warp_count; // 0 once it has ended
    void *shared_pool;
    char *shared; // its LC_SHARED variables while another block runs
} block;

static struct {
    const emulated_grid *grid;
    const emulated_thread **seen; // what the kernel takes for the running lane
    coroutine scheduler;
    warp *warp;           // the running one
    unsigned int running; // the lane of it
    bool in_kernel;
    block *loaded; // whose LC_SHARED variables are in place
    lane *lanes;
    size_t lane_count; // that have stacks
    emulated_result result;
    char *text;
    size_t text_bytes;
    const void *fault;
    bool fault_is_alignment;
} now;

static const unsigned long long rubbish = 0xDEADBEEFDEADBEEF;

// ---- what the threads call ----------------------------------------------------------------------

enum { NOBODY = EMULATED_WARP };

static void run_lanes(void);
static void settle_warp(warp *w);

static inline unsigned int bit(unsigned int lane_number)
{
    return 1u << lane_number;
}

static inline unsigned int lowest(unsigned int lanes)
{
    return (unsigned int)__builtin_ctz(lanes);
}

// The lane whose turn is after this one's; NOBODY if the warp cannot go on.
static inline unsigned int next_lane(warp *w, unsigned int self)
{
    const unsigned int after = (w->fresh | w->ready) & (~1u << self);
    if (after != 0)
        return lowest(after);
    settle_warp(w);
    const unsigned int runnable = w->fresh | w->ready;
    return runnable != 0 ? lowest(runnable) : NOBODY;
}

static inline void select_lane(warp *w, unsigned int next)
{
    now.running = next;
    *now.seen = &w->lanes[next].seen;
}

// Where a lane goes on; a fresh one gets its stack.
static inline coroutine *place_of(warp *w, unsigned int next)
{
    lane *self = &w->lanes[next];
    if (w->fresh & bit(next)) {
        w->fresh &= ~bit(next);
        w->ready |= bit(next);
        coroutine_init(&self->place, self->stack, STACK_BYTES - next * STAGGER_BYTES, run_lanes);
    }
    return &self->place;
}

static unsigned long long meet(const emulated_site *site, unsigned int mask,
                               unsigned long long value, unsigned int argument)
{
    warp *const w = now.warp;
    const unsigned int self = now.running;
    w->ready &= ~bit(self);
    w->site[self] = site;
    w->mask[self] = mask;
    w->value[self] = value;
    w->argument[self] = argument;
    if (site->kind == EMULATED_SPIN) {
        w->spinning |= bit(self);
    } else if (site->kind == EMULATED_SYNCTHREADS) {
        w->at_barrier |= bit(self);
    } else {
        w->meeting |= bit(self);
        if (w->together == 0)
            w->leader = self;
        if (site == w->site[w->leader] && mask == w->mask[w->leader])
            w->together |= bit(self);
    }
    const unsigned int next = next_lane(w, self);
    lane *const mine = &w->lanes[self];
    if (next == NOBODY) {
        coroutine_switch(&mine->place, &now.scheduler);
    } else if (next != self) {
        select_lane(w, next);
        coroutine_switch(&mine->place, place_of(w, next));
    }
    return w->result[self];
}

// "block 1 thread 35", counted along x, then y, then z.
enum { NAME_BYTES = 48 };
static const char *name_of_running(char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "block %u thread %u", now.warp->block_number,
             now.warp->first_number + now.running);
    return name;
}

static void fail(const char *what, const char *file, int line)
{
    char name[NAME_BYTES];
    now.result = EMULATED_FAILED;
    snprintf(now.text, now.text_bytes, "%s at %s:%d: %s", name_of_running(name), file, line, what);
    coroutine_abandon(&now.scheduler);
}

// Runs the selected lane, and after it each that comes next and has not begun.
static void run_lanes(void)
{
    for (;;) {
        now.grid->kernel->run(now.grid->arguments);
        warp *const w = now.warp;
        lane *const self = &w->lanes[now.running];
        w->ready &= ~bit(now.running);
        const unsigned int next = next_lane(w, now.running);
        if (next == NOBODY)
            coroutine_abandon(&now.scheduler);
        select_lane(w, next);
        lane *const other = &w->lanes[next];
        if (!(w->fresh & bit(next)))
            coroutine_abandon(&other->place);
        char *stack = other->stack;
        other->stack = self->stack;
        self->stack = stack;
        w->fresh &= ~bit(next);
        w->ready |= bit(next);
    }
}

// ---- faults -------------------------------------------------------------------------------------

static struct sigaction before_segv;
static struct sigaction before_bus;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (!now.in_kernel) { // not a kernel's: comes again, to whom it would have gone
        sigaction(signal, signal == SIGSEGV ? &before_segv : &before_bus, NULL);
        return;
    }
    now.fault = info->si_addr;
    now.fault_is_alignment = signal == SIGBUS || info->si_code == SI_KERNEL; // as x86-64 has it
    now.result = EMULATED_ILLEGAL_ADDRESS;
    coroutine_abandon(&now.scheduler);
}

// SA_NODEFER, since the handler does not return.
static void catch_faults(stack_t *before_stack)
{
    static char signal_stack[SIGNAL_STACK_BYTES];
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, before_stack);
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
}

static void release_faults(const stack_t *before_stack)
{
    sigaction(SIGSEGV, &before_segv, NULL);
    sigaction(SIGBUS, &before_bus, NULL);
    sigaltstack(before_stack, NULL);
}

static void explain_fault(void)
{
    char name[NAME_BYTES];
    char where[160];
    const char *stack_start = now.warp->lanes[now.running].stack;
    const char *fault = now.fault;
    if (now.fault_is_alignment)
        snprintf(where, sizeof where, "an address that is not aligned");
    else if (fault < stack_start && fault >= stack_start - sysconf(_SC_PAGESIZE))
        snprintf(where, sizeof where, "its stack beyond %d bytes", STACK_BYTES);
    else
        stand_in_describe(now.fault, where, sizeof where);
    snprintf(now.text, now.text_bytes, "%s uses %s", name_of_running(name), where);
}

// ---- meetings -----------------------------------------------------------------------------------

static unsigned int reduce(emulated_kind kind, unsigned int a, unsigned int b)
{
    switch (kind) {
    case EMULATED_REDUCE_ADD:
        return a + b;
    case EMULATED_REDUCE_MIN:
        return a < b ? a : b;
    case EMULATED_REDUCE_MAX:
        return a > b ? a : b;
    case EMULATED_REDUCE_AND:
        return a & b;
    case EMULATED_REDUCE_XOR:
        return a ^ b;
    default:
        return a | b;
    }
}

// The lane from which a lane that shuffles gets its result.
static inline unsigned int source_of(emulated_kind kind, unsigned int self, unsigned int argument)
{
    switch (kind) {
    case EMULATED_SHUFFLE:
        return argument % EMULATED_WARP;
    case EMULATED_SHUFFLE_UP:
        return argument <= self ? self - argument : self;
    case EMULATED_SHUFFLE_DOWN:
        return argument < EMULATED_WARP - self ? self + argument : self;
    default:
        return (self ^ argument) % EMULATED_WARP;
    }
}

// Inlined once a kind, so that the loop does not ask for it. Rubbish comes from a lane that takes
// no part.
__attribute__((always_inline)) static inline void shuffle(warp *w, unsigned int present,
                                                          emulated_kind kind)
{
    if (present == ~0u) { // nearly always
        for (unsigned int i = 0; i < EMULATED_WARP; i++)
            w->result[i] = w->value[source_of(kind, i, w->argument[i])];
        return;
    }
    for (unsigned int left = present; left != 0; left &= left - 1) {
        const unsigned int i = lowest(left);
        const unsigned int from = source_of(kind, i, w->argument[i]);
        w->result[i] = present >> from & 1 ? w->value[from] : rubbish;
    }
}

static unsigned int ballot_of(const warp *w, unsigned int present)
{
    unsigned int ballot = 0;
    for (unsigned int i = 0; i < EMULATED_WARP; i++)
        ballot |= (unsigned int)(w->value[i] & 1) << i;
    return ballot & present;
}

static unsigned int reduction_of(const warp *w, unsigned int present, emulated_kind kind)
{
    unsigned int reduced = (unsigned int)w->value[lowest(present)];
    for (unsigned int left = present & (present - 1); left != 0; left &= left - 1)
        reduced = reduce(kind, reduced, (unsigned int)w->value[lowest(left)]);
    return reduced;
}

static void share(warp *w, unsigned int present, unsigned int result)
{
    for (unsigned int i = 0; i < EMULATED_WARP; i++)
        if (present >> i & 1)
            w->result[i] = result;
}

// All lanes of `present` are at the same meeting.
static void settle(warp *w, unsigned int present)
{
    const emulated_kind kind = w->site[lowest(present)]->kind;
    switch (kind) {
    case EMULATED_SYNCWARP:
        break;
    case EMULATED_SHUFFLE:
        shuffle(w, present, EMULATED_SHUFFLE);
        break;
    case EMULATED_SHUFFLE_UP:
        shuffle(w, present, EMULATED_SHUFFLE_UP);
        break;
    case EMULATED_SHUFFLE_DOWN:
        shuffle(w, present, EMULATED_SHUFFLE_DOWN);
        break;
    case EMULATED_SHUFFLE_XOR:
        shuffle(w, present, EMULATED_SHUFFLE_XOR);
        break;
    case EMULATED_BALLOT:
        share(w, present, ballot_of(w, present));
        break;
    case EMULATED_ANY:
        share(w, present, ballot_of(w, present) != 0);
        break;
    case EMULATED_ALL:
        share(w, present, ballot_of(w, present) == present);
        break;
    default:
        share(w, present, reduction_of(w, present, kind));
    }
    w->meeting &= ~present;
    w->ready |= present;
}

static bool same_meeting(const warp *w, unsigned int a, unsigned int b)
{
    const emulated_site *at_a = w->site[a], *at_b = w->site[b];
    return w->mask[a] == w->mask[b] &&
           (at_a == at_b || (at_a->kind == at_b->kind && at_a->line == at_b->line &&
                             strcmp(at_a->file, at_b->file) == 0));
}

static unsigned int not_ended(const warp *w)
{
    return w->fresh | w->ready | w->meeting | w->spinning | w->at_barrier;
}

// Lets those go on whose meeting is complete: whoever it names has come, or has ended.
static void settle_warp(warp *w)
{
    const unsigned int live = not_ended(w);
    for (unsigned int waiting = w->meeting; waiting != 0; waiting &= waiting - 1) {
        const unsigned int i = lowest(waiting);
        const unsigned int named = w->mask[i] & live;
        bool complete = (named & bit(i)) && (named & ~w->meeting) == 0;
        const bool all_equal = w->together >> i & 1 && (named & ~w->together) == 0;
        for (unsigned int left = named; complete && !all_equal && left != 0; left &= left - 1)
            complete = same_meeting(w, i, lowest(left));
        if (complete) {
            settle(w, named);
            waiting &= w->meeting | bit(i);
        }
    }
    w->together = 0; // those that are left are compared one by one
}

// ---- the scheduler ------------------------------------------------------------------------------

static void load_shared(block *one)
{
    const emulated_module *module = now.grid->module;
    size_t size_bytes = (size_t)(module->shared_end - module->shared_start);
    if (now.loaded == one)
        return;
    if (now.loaded != NULL && size_bytes > 0)
        memcpy(now.loaded->shared, module->shared_start, size_bytes);
    if (size_bytes > 0)
        memcpy(module->shared_start, one->shared, size_bytes);
    now.loaded = one;
}

// Runs a warp as far as it gets by itself. False if the launch ended in a failure.
static bool run_warp(warp *w, bool *progress)
{
    const unsigned int runnable = w->fresh | w->ready;
    if (runnable == 0)
        return true;
    *progress = true;
    now.warp = w;
    now.in_kernel = true;
    select_lane(w, lowest(runnable));
    coroutine_switch(&now.scheduler, place_of(w, now.running));
    now.in_kernel = false;
    if (now.result == EMULATED_ILLEGAL_ADDRESS)
        explain_fault();
    return now.result == EMULATED_DONE;
}

// Where a lane is: "thread 3 at strip.cu:120 in __ballot_sync 0xffffffff".
static void describe_wait(const warp *w, unsigned int self, char *text, size_t text_bytes)
{
    const unsigned int number = w->first_number + self;
    const emulated_site *site = w->site[self];
    if (!(not_ended(w) & bit(self)))
        snprintf(text, text_bytes, "thread %u has ended", number);
    else if (w->meeting & bit(self))
        snprintf(text, text_bytes, "thread %u at %s:%d in %s %#x", number, site->file, site->line,
                 site->name, w->mask[self]);
    else
        snprintf(text, text_bytes, "thread %u at %s:%d in %s", number, site->file, site->line,
                 site->name);
}

static void explain_two(const warp *a, unsigned int lane_a, const warp *b, unsigned int lane_b)
{
    char first[160];
    char second[160];
    describe_wait(a, lane_a, first, sizeof first);
    describe_wait(b, lane_b, second, sizeof second);
    now.result = EMULATED_FAILED;
    snprintf(now.text, now.text_bytes, "block %u: %s, %s", a->block_number, first, second);
}

// No thread of the block can go on, and none only spins.
static void explain_deadlock(const block *one)
{
    const warp *waiting = NULL, *other = NULL;
    unsigned int waiting_lane = 0, other_lane = 0;
    for (const warp *w = one->warps; w < one->warps + one->warp_count; w++) {
        for (unsigned int meeting = w->meeting; meeting != 0; meeting &= meeting - 1) {
            const unsigned int self = lowest(meeting);
            if (!(w->mask[self] >> self & 1)) {
                explain_two(w, self, w, self);
                return;
            }
            for (unsigned int left = w->mask[self] & not_ended(w); left != 0; left &= left - 1) {
                const unsigned int named = lowest(left);
                if (!(w->meeting & bit(named)) || !same_meeting(w, named, self)) {
                    explain_two(w, self, w, named);
                    return;
                }
            }
        }
    }
    for (const warp *w = one->warps; w < one->warps + one->warp_count; w++)
        for (unsigned int i = 0; i < w->lane_count; i++) {
            const bool at_barrier = w->at_barrier >> i & 1;
            *(at_barrier ? &waiting : &other) = w;
            *(at_barrier ? &waiting_lane : &other_lane) = i;
        }
    explain_two(waiting, waiting_lane, other, other_lane);
}

typedef enum block_state { BLOCK_RUNNING, BLOCK_SPINNING, BLOCK_ENDED, BLOCK_FAILED } block_state;

// Lets all threads at the barrier go on if nobody is missing there; different barriers are one.
// A lane that has ended counts as missing.
static bool settle_barrier(block *one)
{
    unsigned int missing = 0;
    for (warp *w = one->warps; w < one->warps + one->warp_count; w++)
        missing |= w->at_barrier ^ w->all;
    if (missing != 0)
        return false;
    for (warp *w = one->warps; w < one->warps + one->warp_count; w++) {
        w->ready = w->at_barrier;
        w->at_barrier = 0;
    }
    return true;
}

// Runs each warp of a block once as far as it gets.
static block_state run_block(block *one)
{
    bool progress = false;
    unsigned int spinning = 0;
    unsigned int live = 0;
    load_shared(one);
    for (warp *w = one->warps; w < one->warps + one->warp_count; w++)
        if (!run_warp(w, &progress))
            return BLOCK_FAILED;
    bool passed = settle_barrier(one);
    for (warp *w = one->warps; w < one->warps + one->warp_count; w++) {
        live |= not_ended(w);
        spinning |= w->spinning;
        w->ready |= w->spinning;
        w->spinning = 0;
    }
    if (live == 0)
        return BLOCK_ENDED;
    if (passed)
        return BLOCK_RUNNING;
    if (spinning != 0)
        return BLOCK_SPINNING;
    if (progress) // all that ran are at a meeting now, which the next round can complete
        return BLOCK_RUNNING;
    explain_deadlock(one);
    return BLOCK_FAILED;
}

static unsigned int warps_of(unsigned int threads)
{
    return (threads + EMULATED_WARP - 1) / EMULATED_WARP;
}

// Nobody may count on zeros.
static void fill_with_rubbish(char *memory, size_t size_bytes)
{
    size_t at = 0;
    for (; at + sizeof rubbish <= size_bytes; at += sizeof rubbish)
        memcpy(memory + at, &rubbish, sizeof rubbish);
    memcpy(memory + at, &rubbish, size_bytes - at);
}

static void start_block(block *one, warp *warps, lane *lanes, unsigned int index)
{
    const emulated_grid *grid = now.grid;
    size_t shared_bytes = (size_t)(grid->module->shared_end - grid->module->shared_start);
    const unsigned int threads = grid->block.x * grid->block.y * grid->block.z;
    emulated_thread seen = {
        .block = {index % grid->grid.x, index / grid->grid.x % grid->grid.y,
                  index / grid->grid.x / grid->grid.y},
        .block_size = grid->block,
        .grid_size = grid->grid,
        .shared_pool = one->shared_pool,
        .meet = meet,
        .fail = fail,
    };
    one->warps = warps;
    one->warp_count = warps_of(threads);
    fill_with_rubbish(one->shared, shared_bytes);
    if (one->shared_pool != NULL)
        fill_with_rubbish(one->shared_pool, grid->shared_bytes);
    for (unsigned int i = 0; i < threads; i++) {
        lanes[i].seen = seen;
        lanes[i].seen.thread = (uint3){i % grid->block.x, i / grid->block.x % grid->block.y,
                                       i / grid->block.x / grid->block.y};
    }
    for (unsigned int i = 0; i < one->warp_count; i++) {
        warp *w = &warps[i];
        w->lanes = lanes + (size_t)i * EMULATED_WARP;
        w->first_number = i * EMULATED_WARP;
        w->lane_count =
            threads - w->first_number < EMULATED_WARP ? threads - w->first_number : EMULATED_WARP;
        w->block_number = index;
        w->all = w->fresh = ~0u >> (EMULATED_WARP - w->lane_count);
        w->ready = w->meeting = w->spinning = w->at_barrier = w->together = 0;
    }
    if (now.loaded == one)
        now.loaded = NULL;
}

static void run_blocks(block *blocks, unsigned int count)
{
    unsigned int idle_rounds = 0;
    unsigned int left = count;
    while (left > 0) {
        bool progress = false;
        for (unsigned int i = 0; i < count; i++) {
            if (blocks[i].warp_count == 0)
                continue;
            block_state state = run_block(&blocks[i]);
            if (state == BLOCK_FAILED)
                return;
            progress = progress || state != BLOCK_SPINNING;
            if (state == BLOCK_ENDED) {
                blocks[i].warp_count = 0;
                left--;
            }
        }
        idle_rounds = progress ? 0 : idle_rounds + 1;
        if (idle_rounds > EMULATED_PATIENCE) {
            now.result = EMULATED_HANGING;
            snprintf(now.text, now.text_bytes, "all threads spin for what none does%s",
                     now.grid->cooperative ? "" : ", in a launch that is not cooperative");
            return;
        }
    }
}

// ---- a launch -----------------------------------------------------------------------------------

// Stacks for so many threads, each above a page that cannot be touched.
static void need_lanes(size_t count)
{
    if (count <= now.lane_count)
        return;
    now.lanes = realloc(now.lanes, count * sizeof *now.lanes);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (; now.lanes != NULL && now.lane_count < count; now.lane_count++) {
        char *mapping = mmap(NULL, page + STACK_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapping == MAP_FAILED || mprotect(mapping, page, PROT_NONE) != 0)
            abort();
        now.lanes[now.lane_count] = (lane){.stack = mapping + page};
    }
    if (now.lanes == NULL)
        abort();
}

static void run_in_turn(block *one, warp *warps, unsigned int count)
{
    static bool backwards;
    for (unsigned int i = 0; i < count && now.result == EMULATED_DONE; i++) {
        start_block(one, warps, now.lanes, backwards ? count - 1 - i : i);
        run_blocks(one, 1);
    }
    backwards = !backwards;
}

static void run_at_once(block *blocks, warp *warps, unsigned int count, unsigned int threads)
{
    for (unsigned int i = 0; i < count; i++)
        start_block(&blocks[i], warps + (size_t)i * warps_of(threads),
                    now.lanes + (size_t)i * threads, i);
    run_blocks(blocks, count);
}

emulated_result emulated_grid_run(const emulated_grid *grid, char *text, size_t text_bytes)
{
    unsigned int count = grid->grid.x * grid->grid.y * grid->grid.z;
    unsigned int threads = grid->block.x * grid->block.y * grid->block.z;
    unsigned int at_once = grid->cooperative ? count : 1;
    size_t shared_bytes = (size_t)(grid->module->shared_end - grid->module->shared_start);
    stack_t before_stack;
    now.grid = grid;
    now.seen = grid->module->self;
    now.result = EMULATED_DONE;
    now.text = text;
    now.text_bytes = text_bytes;
    now.loaded = NULL;
    need_lanes((size_t)at_once * threads);
    block *blocks = calloc(at_once, sizeof *blocks);
    warp *warps = calloc((size_t)at_once * warps_of(threads), sizeof *warps);
    if (blocks == NULL || warps == NULL)
        abort();
    for (unsigned int i = 0; i < at_once; i++) {
        blocks[i].shared = malloc(shared_bytes + 1);
        blocks[i].shared_pool =
            grid->shared_bytes > 0 ? stand_in_memory(STAND_IN_POOL, grid->shared_bytes) : NULL;
    }
    catch_faults(&before_stack);
    if (grid->cooperative)
        run_at_once(blocks, warps, count, threads);
    else
        run_in_turn(blocks, warps, count);
    release_faults(&before_stack);
    for (unsigned int i = 0; i < at_once; i++) {
        free(blocks[i].shared);
        if (blocks[i].shared_pool != NULL)
            stand_in_memory_free(blocks[i].shared_pool);
    }
    free(warps);
    free(blocks);
    return now.result;
}
