// Coroutines. On x86-64 a switch is a dozen instructions; elsewhere it is ucontext's, with two
// calls of the system.
#include "emulator/coroutine.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef COROUTINE_SANITIZED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

#define LEAVING(fake_stack, to)                                                                    \
    __sanitizer_start_switch_fiber(fake_stack, (to)->stack, (to)->stack_bytes)
#define ARRIVED(self) __sanitizer_finish_switch_fiber((self)->fake_stack, NULL, NULL)
#else
#define LEAVING(fake_stack, to) ((void)0)
#define ARRIVED(self) ((void)0)
#endif

#ifdef __x86_64__

// Saves what a function must keep on its stack, and that stack's pointer in *from; then the same
// backwards.
__attribute__((naked, noinline)) static void switch_stacks(__attribute__((unused)) void **from,
                                                           __attribute__((unused)) void *to)
{
    __asm__ volatile("pushq %rbp\n\t"
                     "pushq %rbx\n\t"
                     "pushq %r12\n\t"
                     "pushq %r13\n\t"
                     "pushq %r14\n\t"
                     "pushq %r15\n\t"
                     "movq %rsp, (%rdi)\n\t"
                     "movq %rsi, %rsp\n\t"
                     "popq %r15\n\t"
                     "popq %r14\n\t"
                     "popq %r13\n\t"
                     "popq %r12\n\t"
                     "popq %rbx\n\t"
                     "popq %rbp\n\t"
                     "ret");
}

static void save_and_go(coroutine *from, coroutine *to)
{
    switch_stacks(&from->stack_pointer, to->stack_pointer);
}

static void prepare(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void))
{
    // From the top: the return address that `run` never uses, at which the stack is aligned as it
    // is in a function that was called; `run` for the `ret` above; the six registers.
    uintptr_t *top = (uintptr_t *)((char *)stack + stack_bytes);
    top -= 2;
    *--top = 0;
    *--top = (uintptr_t)run;
    for (int i = 0; i < 6; i++)
        *--top = 0;
    self->stack_pointer = top;
}

#else

static void save_and_go(coroutine *from, coroutine *to)
{
    if (swapcontext(&from->context, &to->context) != 0)
        abort();
}

static void prepare(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void))
{
    if (getcontext(&self->context) != 0)
        abort();
    self->context.uc_stack.ss_sp = stack;
    self->context.uc_stack.ss_size = stack_bytes;
    makecontext(&self->context, run, 0);
}

#endif

void coroutine_init_thread(coroutine *self)
{
    *self = (coroutine){0};
}

void coroutine_init(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void))
{
    *self = (coroutine){.stack = stack, .stack_bytes = stack_bytes};
#ifdef COROUTINE_SANITIZED
    ASAN_UNPOISON_MEMORY_REGION(stack, stack_bytes); // what was abandoned there last time
#endif
    prepare(self, stack, stack_bytes, run);
}

void coroutine_switch(coroutine *from, coroutine *to)
{
    LEAVING(&from->fake_stack, to);
    save_and_go(from, to);
    ARRIVED(from);
}

void coroutine_arrive(coroutine *from)
{
#ifdef COROUTINE_SANITIZED
    __sanitizer_finish_switch_fiber(NULL, &from->stack, &from->stack_bytes);
#else
    (void)from;
#endif
}

void coroutine_abandon(coroutine *to)
{
    coroutine nobody;
    LEAVING(NULL, to);
    save_and_go(&nobody, to);
}
