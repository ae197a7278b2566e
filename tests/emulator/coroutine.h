// Coroutines: stacks that are switched between, all in one thread of the system.
#ifndef LC_TESTS_COROUTINE_H
#define LC_TESTS_COROUTINE_H

#include <stddef.h>

#if !defined __x86_64__
#include <ucontext.h>
#endif

// Where one stands while another one runs. The first of a thread has the thread's own stack, and is
// filled in by its first switch. ASan knows nothing of these: the emulator is compiled without it.
typedef struct coroutine {
#ifdef __x86_64__
    void *stack_pointer;
#else
    ucontext_t context;
#endif
} coroutine;

// When it is first switched to, `run` is called, on the stack given; it must never return.
void coroutine_init(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void));

// Goes on where `to` stands; returns when somebody switches to `from`.
static inline void coroutine_switch(coroutine *from, coroutine *to);

// Goes on where `to` stands, and leaves where it is for good what runs now; also from a handler of
// a signal. Never returns.
void coroutine_abandon(coroutine *to);

// ---- how a switch is done -----------------------------------------------------------------------

#ifdef __x86_64__

// Leaves on the stack what the compiler may not be told is lost, and where to go on, and that
// stack's pointer in *from; then the same backwards. Inlined, and by a jump: a processor foretells
// where a jump goes by where it went before, and a return by the call before it, which here was
// another lane's. Below the stack's pointer the compiler may keep something: 128 bytes.
__attribute__((always_inline)) static inline void coroutine_switch(coroutine *from, coroutine *to)
{
    void **save = &from->stack_pointer;
    void *load = to->stack_pointer;
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     "pushq %%rbp\n\t"
                     "pushq %%rbx\n\t"
                     "leaq 1f(%%rip), %%rcx\n\t"
                     "pushq %%rcx\n\t"
                     "movq %%rsp, (%0)\n\t"
                     "movq %1, %%rsp\n\t"
                     "popq %%rcx\n\t"
                     "jmp *%%rcx\n"
                     "1:\n\t"
                     "popq %%rbx\n\t"
                     "popq %%rbp\n\t"
                     "leaq 128(%%rsp), %%rsp"
                     : "+D"(save), "+S"(load)
                     :
                     : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory",
                       "cc");
}

#else

#include <stdlib.h>

static inline void coroutine_switch(coroutine *from, coroutine *to)
{
    if (swapcontext(&from->context, &to->context) != 0)
        abort();
}

#endif

#endif
