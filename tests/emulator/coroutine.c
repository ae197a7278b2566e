// Coroutines. On x86-64 a switch is a dozen instructions; elsewhere it is ucontext's, with two
// calls of the system.
#include "emulator/coroutine.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef COROUTINE_SANITIZED
#include <sanitizer/asan_interface.h>
#endif

#ifdef __x86_64__

static void prepare(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void))
{
    // From the top: the return address that `run` never uses, at which the stack is aligned as it
    // is in a function that was called; `run`, to which the switch jumps.
    uintptr_t *top = (uintptr_t *)((char *)stack + stack_bytes);
    top -= 2;
    *--top = 0;
    *--top = (uintptr_t)run;
    self->stack_pointer = top;
}

#else

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
    COROUTINE_LEAVE(NULL, to);
    coroutine_save_and_go(&nobody, to);
}
