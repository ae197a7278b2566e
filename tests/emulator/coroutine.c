// Coroutines. On x86-64 a switch is a dozen instructions; elsewhere it is ucontext's, with two
// calls of the system.
#include "emulator/coroutine.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __x86_64__

void coroutine_init(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void))
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

void coroutine_init(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void))
{
    if (getcontext(&self->context) != 0)
        abort();
    self->context.uc_stack.ss_sp = stack;
    self->context.uc_stack.ss_size = stack_bytes;
    makecontext(&self->context, run, 0);
}

#endif

void coroutine_abandon(coroutine *to)
{
    coroutine nobody;
    coroutine_switch(&nobody, to);
}
