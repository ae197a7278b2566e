// Coroutines: stacks that are switched between, all in one thread of the system.
#ifndef LC_TESTS_COROUTINE_H
#define LC_TESTS_COROUTINE_H

#include <stddef.h>

#if !defined __x86_64__
#include <ucontext.h>
#endif
#if defined __SANITIZE_ADDRESS__
#define COROUTINE_SANITIZED
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define COROUTINE_SANITIZED
#endif
#endif

// Where one stands while another one runs. The first of a thread has the thread's own stack.
typedef struct coroutine {
#ifdef __x86_64__
    void *stack_pointer;
#else
    ucontext_t context;
#endif
    const void *stack; // its lowest address
    size_t stack_bytes;
#ifdef COROUTINE_SANITIZED
    void *fake_stack;
#endif
} coroutine;

// For the thread that will switch to others: nothing needs to be known about it.
void coroutine_init_thread(coroutine *self);

// When it is first switched to, `run` is called, on the stack given; it must never return.
void coroutine_init(coroutine *self, void *stack, size_t stack_bytes, void (*run)(void));

// Goes on where `to` stands; returns when somebody switches to `from`.
void coroutine_switch(coroutine *from, coroutine *to);

// To be called first thing in `run`; `from` is the one that switched here.
void coroutine_arrive(coroutine *from);

// Goes on where `to` stands, and leaves where it is for good what runs now; also from a handler of
// a signal. Never returns; the compiler is not told, since it would then have ASan clear what it
// takes to be the stack.
void coroutine_abandon(coroutine *to);

#endif
