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
    enum { FRESH, READY, MEETING, SPINNING, AT_BARRIER, GONE } state;
    // The meeting at which it waits, and its result.
    unsigned int mask;
    const emulated_site *site;
    unsigned long long value;
    unsigned long long result;
    unsigned int argument;
    unsigned int number; // in its block
    unsigned int block_number;
    emulated_thread seen;
    char *stack; // kept from launch to launch
} lane;

typedef struct block {
    lane *lanes;
    unsigned int lane_count;
    void *shared_pool;
    char *shared; // its LC_SHARED variables while another block runs
} block;

static struct {
    const emulated_grid *grid;
    coroutine scheduler;
    coroutine *starter;    // of the stack that was begun last
    lane *warp, *warp_end; // the running one
    lane *running;
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

static void run_lanes(void);
static bool settle_warp(lane *warp, unsigned int count);

static lane *first_ready(lane *from)
{
    for (; from < now.warp_end; from++)
        if (from->state <= READY)
            return from;
    return NULL;
}

// The lane whose turn is after this one's; NULL if the warp cannot go on.
static lane *next_lane(lane *self)
{
    lane *next = first_ready(self + 1);
    if (next == NULL && settle_warp(now.warp, (unsigned int)(now.warp_end - now.warp)))
        next = first_ready(now.warp);
    return next;
}

static void select_lane(lane *next)
{
    now.running = next;
    *now.grid->module->self = &next->seen;
}

// Where a lane goes on; a fresh one gets its stack.
static coroutine *place_of(lane *next, coroutine *from)
{
    if (next->state == FRESH) {
        next->state = READY;
        now.starter = from;
        coroutine_init(&next->place, next->stack,
                       STACK_BYTES - next->number % EMULATED_WARP * STAGGER_BYTES, run_lanes);
    }
    return &next->place;
}

static unsigned long long meet(const emulated_site *site, unsigned int mask,
                               unsigned long long value, unsigned int argument)
{
    lane *self = now.running;
    self->site = site;
    self->mask = mask;
    self->value = value;
    self->argument = argument;
    self->state = site->kind == EMULATED_SPIN          ? SPINNING
                  : site->kind == EMULATED_SYNCTHREADS ? AT_BARRIER
                                                       : MEETING;
    lane *next = next_lane(self);
    if (next == NULL) {
        coroutine_switch(&self->place, &now.scheduler);
    } else if (next != self) {
        select_lane(next);
        coroutine_switch(&self->place, place_of(next, &self->place));
    }
    return self->result;
}

// "block 1 thread 35", counted along x, then y, then z.
enum { NAME_BYTES = 48 };
static const char *name_of(const lane *self, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "block %u thread %u", self->block_number, self->number);
    return name;
}

static void fail(const char *what, const char *file, int line)
{
    char name[NAME_BYTES];
    now.result = EMULATED_FAILED;
    snprintf(now.text, now.text_bytes, "%s at %s:%d: %s", name_of(now.running, name), file, line,
             what);
    coroutine_abandon(&now.scheduler);
}

// Runs the selected lane, and after it each that comes next and has not begun.
static void run_lanes(void)
{
    coroutine_arrive(now.starter);
    for (;;) {
        lane *self = now.running;
        now.grid->kernel->run(now.grid->arguments);
        self->state = GONE;
        lane *next = next_lane(self);
        if (next == NULL)
            coroutine_abandon(&now.scheduler);
        select_lane(next);
        if (next->state != FRESH)
            coroutine_abandon(&next->place);
        char *stack = next->stack;
        next->stack = self->stack;
        self->stack = stack;
        next->place = self->place; // which says where the stack lies
        next->state = READY;
    }
}

// ---- faults -------------------------------------------------------------------------------------

static struct sigaction before_segv;
static struct sigaction before_bus;

// Leaves nothing that ASan would find on the signals' stack the next time.
__attribute__((no_sanitize("address"))) static void on_fault(int signal, siginfo_t *info,
                                                             void *context)
{
    (void)context;
    if (now.running == NULL) { // not a kernel's: comes again, to whom it would have gone
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

static void explain_fault(const lane *self)
{
    char name[NAME_BYTES];
    char where[160];
    const char *stack_start = self->stack;
    const char *fault = now.fault;
    if (now.fault_is_alignment)
        snprintf(where, sizeof where, "an address that is not aligned");
    else if (fault < stack_start && fault >= stack_start - sysconf(_SC_PAGESIZE))
        snprintf(where, sizeof where, "its stack beyond %d bytes", STACK_BYTES);
    else
        stand_in_describe(now.fault, where, sizeof where);
    snprintf(now.text, now.text_bytes, "%s uses %s", name_of(self, name), where);
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
__attribute__((always_inline)) static inline void shuffle(lane *warp, unsigned int present,
                                                          emulated_kind kind)
{
    for (unsigned int left = present; left != 0; left &= left - 1) {
        const unsigned int i = (unsigned int)__builtin_ctz(left);
        const unsigned int from = source_of(kind, i, warp[i].argument);
        warp[i].result = present >> from & 1 ? warp[from].value : rubbish;
    }
}

// The result that all lanes of a meeting share.
static unsigned int shared_result(const lane *warp, unsigned int present, emulated_kind kind)
{
    unsigned int ballot = 0;
    unsigned int reduced = (unsigned int)warp[__builtin_ctz(present)].value;
    for (unsigned int left = present & (present - 1); left != 0; left &= left - 1)
        reduced = reduce(kind, reduced, (unsigned int)warp[__builtin_ctz(left)].value);
    for (unsigned int left = present; left != 0; left &= left - 1)
        ballot |= (unsigned int)(warp[__builtin_ctz(left)].value & 1) << __builtin_ctz(left);
    switch (kind) {
    case EMULATED_BALLOT:
        return ballot;
    case EMULATED_ANY:
        return ballot != 0;
    case EMULATED_ALL:
        return ballot == present;
    default:
        return reduced;
    }
}

// All lanes of `present` are at the same meeting.
static void settle(lane *warp, unsigned int present)
{
    const emulated_kind kind = warp[__builtin_ctz(present)].site->kind;
    unsigned int shared = 0;
    switch (kind) {
    case EMULATED_SHUFFLE:
        shuffle(warp, present, EMULATED_SHUFFLE);
        break;
    case EMULATED_SHUFFLE_UP:
        shuffle(warp, present, EMULATED_SHUFFLE_UP);
        break;
    case EMULATED_SHUFFLE_DOWN:
        shuffle(warp, present, EMULATED_SHUFFLE_DOWN);
        break;
    case EMULATED_SHUFFLE_XOR:
        shuffle(warp, present, EMULATED_SHUFFLE_XOR);
        break;
    default:
        shared = shared_result(warp, present, kind);
        for (unsigned int left = present; left != 0; left &= left - 1)
            warp[__builtin_ctz(left)].result = shared;
    }
    for (unsigned int left = present; left != 0; left &= left - 1)
        warp[__builtin_ctz(left)].state = READY;
}

static bool same_meeting(const lane *a, const lane *b)
{
    return a->mask == b->mask &&
           (a->site == b->site ||
            (a->site->kind == b->site->kind && a->site->line == b->site->line &&
             strcmp(a->site->file, b->site->file) == 0));
}

// Lets those go on whose meeting is complete: whoever it names has come, or has ended.
static bool settle_warp(lane *warp, unsigned int count)
{
    bool settled = false;
    for (unsigned int i = 0; i < count; i++) {
        if (warp[i].state != MEETING)
            continue;
        unsigned int mask = warp[i].mask;
        unsigned int present = 0;
        bool complete = mask >> i & 1;
        for (unsigned int j = 0; j < count && complete; j++) {
            if (!(mask >> j & 1) || warp[j].state == GONE)
                continue;
            complete = warp[j].state == MEETING && same_meeting(&warp[i], &warp[j]);
            present |= 1u << j;
        }
        if (complete) {
            settle(warp, present);
            settled = true;
        }
    }
    return settled;
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
static bool run_warp(lane *warp, unsigned int count, bool *progress)
{
    now.warp = warp;
    now.warp_end = warp + count;
    lane *first = first_ready(warp);
    if (first == NULL)
        return true;
    *progress = true;
    select_lane(first);
    coroutine_switch(&now.scheduler, place_of(first, &now.scheduler));
    const lane *last = now.running;
    now.running = NULL;
    if (now.result == EMULATED_ILLEGAL_ADDRESS)
        explain_fault(last);
    return now.result == EMULATED_DONE;
}

// Where a lane is: "thread 3 at strip.cu:120 in __ballot_sync 0xffffffff".
static void describe_wait(const lane *self, char *text, size_t text_bytes)
{
    if (self->state == GONE)
        snprintf(text, text_bytes, "thread %u has ended", self->number);
    else if (self->state == MEETING)
        snprintf(text, text_bytes, "thread %u at %s:%d in %s %#x", self->number, self->site->file,
                 self->site->line, self->site->name, self->mask);
    else
        snprintf(text, text_bytes, "thread %u at %s:%d in %s", self->number, self->site->file,
                 self->site->line, self->site->name);
}

static void explain_two(const lane *a, const lane *b)
{
    char first[160];
    char second[160];
    describe_wait(a, first, sizeof first);
    describe_wait(b, second, sizeof second);
    now.result = EMULATED_FAILED;
    snprintf(now.text, now.text_bytes, "block %u: %s, %s", a->block_number, first, second);
}

// No thread of the block can go on, and none only spins.
static void explain_deadlock(const block *one)
{
    for (unsigned int i = 0; i < one->lane_count; i++) {
        const lane *self = &one->lanes[i];
        const lane *warp = &one->lanes[i / EMULATED_WARP * EMULATED_WARP];
        if (self->state != MEETING)
            continue;
        if (!(self->mask >> i % EMULATED_WARP & 1)) {
            explain_two(self, self);
            return;
        }
        for (unsigned int j = 0; j < EMULATED_WARP && warp + j < one->lanes + one->lane_count;
             j++) {
            if (self->mask >> j & 1 && warp[j].state != GONE &&
                (warp[j].state != MEETING || !same_meeting(&warp[j], self))) {
                explain_two(self, &warp[j]);
                return;
            }
        }
    }
    const lane *waiting = NULL;
    const lane *other = NULL;
    for (unsigned int i = 0; i < one->lane_count; i++)
        if (one->lanes[i].state == AT_BARRIER)
            waiting = &one->lanes[i];
        else
            other = &one->lanes[i];
    explain_two(waiting, other);
}

typedef enum block_state { BLOCK_RUNNING, BLOCK_SPINNING, BLOCK_ENDED, BLOCK_FAILED } block_state;

// Lets all threads at the barrier go on if nobody is missing there; different barriers are one.
static bool settle_barrier(block *one)
{
    for (unsigned int i = 0; i < one->lane_count; i++)
        if (one->lanes[i].state != AT_BARRIER)
            return false;
    for (unsigned int i = 0; i < one->lane_count; i++)
        one->lanes[i].state = READY;
    return true;
}

// Runs each warp of a block once as far as it gets.
static block_state run_block(block *one)
{
    bool progress = false;
    bool spinning = false;
    unsigned int gone = 0;
    load_shared(one);
    for (unsigned int first = 0; first < one->lane_count; first += EMULATED_WARP) {
        unsigned int count =
            one->lane_count - first < EMULATED_WARP ? one->lane_count - first : EMULATED_WARP;
        if (!run_warp(one->lanes + first, count, &progress))
            return BLOCK_FAILED;
    }
    bool passed = settle_barrier(one);
    for (unsigned int i = 0; i < one->lane_count; i++) {
        lane *self = &one->lanes[i];
        gone += self->state == GONE;
        if (self->state == SPINNING) {
            self->state = READY;
            spinning = true;
        }
    }
    if (gone == one->lane_count)
        return BLOCK_ENDED;
    if (passed)
        return BLOCK_RUNNING;
    if (spinning)
        return BLOCK_SPINNING;
    if (progress) // all that ran are at a meeting now, which the next round can complete
        return BLOCK_RUNNING;
    explain_deadlock(one);
    return BLOCK_FAILED;
}

// Nobody may count on zeros.
static void fill_with_rubbish(char *memory, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++)
        memory[i] = (char)(rubbish >> 8 * (i % sizeof rubbish));
}

static void start_block(block *one, lane *lanes, unsigned int index)
{
    const emulated_grid *grid = now.grid;
    size_t shared_bytes = (size_t)(grid->module->shared_end - grid->module->shared_start);
    one->lanes = lanes;
    one->lane_count = grid->block.x * grid->block.y * grid->block.z;
    fill_with_rubbish(one->shared, shared_bytes);
    fill_with_rubbish(one->shared_pool, grid->shared_bytes);
    for (unsigned int i = 0; i < one->lane_count; i++) {
        lane *self = &lanes[i];
        self->seen = (emulated_thread){
            .thread = {i % grid->block.x, i / grid->block.x % grid->block.y,
                       i / grid->block.x / grid->block.y},
            .block = {index % grid->grid.x, index / grid->grid.x % grid->grid.y,
                      index / grid->grid.x / grid->grid.y},
            .block_size = grid->block,
            .grid_size = grid->grid,
            .shared_pool = one->shared_pool,
            .meet = meet,
            .fail = fail,
        };
        self->block_number = index;
        self->number = i;
        self->state = FRESH;
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
            if (blocks[i].lane_count == 0)
                continue;
            block_state state = run_block(&blocks[i]);
            if (state == BLOCK_FAILED)
                return;
            progress = progress || state != BLOCK_SPINNING;
            if (state == BLOCK_ENDED) {
                blocks[i].lane_count = 0;
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

static void run_in_turn(block *one, unsigned int count)
{
    static bool backwards;
    for (unsigned int i = 0; i < count && now.result == EMULATED_DONE; i++) {
        start_block(one, now.lanes, backwards ? count - 1 - i : i);
        run_blocks(one, 1);
    }
    backwards = !backwards;
}

static void run_at_once(block *blocks, unsigned int count, unsigned int threads)
{
    for (unsigned int i = 0; i < count; i++)
        start_block(&blocks[i], now.lanes + (size_t)i * threads, i);
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
    now.result = EMULATED_DONE;
    now.text = text;
    now.text_bytes = text_bytes;
    now.loaded = NULL;
    need_lanes((size_t)at_once * threads);
    coroutine_init_thread(&now.scheduler);
    block *blocks = calloc(at_once, sizeof *blocks);
    for (unsigned int i = 0; i < at_once; i++) {
        blocks[i].shared = malloc(shared_bytes + 1);
        blocks[i].shared_pool =
            grid->shared_bytes > 0 ? stand_in_memory(STAND_IN_POOL, grid->shared_bytes) : NULL;
    }
    catch_faults(&before_stack);
    if (grid->cooperative)
        run_at_once(blocks, count, threads);
    else
        run_in_turn(blocks, count);
    release_faults(&before_stack);
    for (unsigned int i = 0; i < at_once; i++) {
        free(blocks[i].shared);
        if (blocks[i].shared_pool != NULL)
            stand_in_memory_free(blocks[i].shared_pool);
    }
    free(blocks);
    return now.result;
}
