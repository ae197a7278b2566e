// Included before a kernel's text when it is compiled for the emulator: what CUDA C has and C has
// not, as far as the kernels use it, and the kernel macros of kernels/cuda.h.
//
// Everything in which threads meet goes through emulated_self->meet. Memory needs no care: one
// thread runs at a time, and only a meeting lets another one run.
#pragma GCC system_header
#ifndef LC_TESTS_EMULATED_BUILTINS_H
#define LC_TESTS_EMULATED_BUILTINS_H

#include <stdbool.h>

#include "emulated_abi.h"

static const emulated_thread *emulated_self;

#define threadIdx (emulated_self->thread)
#define blockIdx (emulated_self->block)
#define blockDim (emulated_self->block_size)
#define gridDim (emulated_self->grid_size)
#define warpSize 32

// Kernels ---------------------------------------------------------------------------------------

// The emulator's compiler looks for these words in the preprocessed text.
#define LC_KERNEL EMULATED_KERNEL
#define LC_LAUNCH_BOUNDS(...) EMULATED_BOUNDS(__VA_ARGS__)
// Inlined wherever they are called, the large functions of topology_map.h took three quarters of
// the time that board.cu takes to compile.
#define LC_INLINE static inline __attribute__((unused))
#define EMULATED_INLINE static inline __attribute__((always_inline, unused))

// All blocks use the same variables; where blocks take turns, their contents are exchanged.
#define LC_SHARED static __attribute__((section("emulated_shared")))
#define LC_SHARED_POOL(type, name) type *const name = (type *)emulated_self->shared_pool

#define EMULATED_MEET(kind, mask, value, argument, name)                                           \
    __extension__({                                                                                \
        static const emulated_site emulated_here = {EMULATED_##kind, name, __FILE__, __LINE__};    \
        emulated_self->meet(&emulated_here, mask, (unsigned long long)(value),                     \
                            (unsigned int)(argument));                                             \
    })

#define LC_ARRIVE(count) ((void)++*(volatile unsigned int *)(count))
#define LC_ARRIVED(count) (*(volatile const unsigned int *)(count))
#define LC_SHOW_ALL() ((void)0)
#define LC_SHOW(at, number) ((void)(*(volatile unsigned long long *)(at) = (number)))
#define LC_PREFETCH(at) ((void)(at))
#define LC_WAIT_FOR_KERNEL_BEFORE() ((void)0) // kernels run one after the other

#define LC_SPIN() ((void)EMULATED_MEET(SPIN, 0, 0, 0, "LC_SPIN"))

// Meetings --------------------------------------------------------------------------------------

#define __syncthreads() ((void)EMULATED_MEET(SYNCTHREADS, 0, 0, 0, "__syncthreads"))
#define __syncwarp(...)                                                                            \
    ((void)EMULATED_MEET(                                                                          \
        SYNCWARP,                                                                                  \
        ((unsigned int[2]){~0u,                                                                    \
                           ##__VA_ARGS__})[sizeof((unsigned int[]){0, ##__VA_ARGS__}) / 4 - 1],    \
        0, 0, "__syncwarp"))

// The value's type is that of the result.
#define EMULATED_SHUFFLE_AS(kind, mask, value, argument, name)                                     \
    ((__typeof__(value))EMULATED_MEET(kind, mask, value, argument, name))
#define __shfl_sync(mask, value, lane)                                                             \
    EMULATED_SHUFFLE_AS(SHUFFLE, mask, value, lane, "__shfl_sync")
#define __shfl_up_sync(mask, value, distance)                                                      \
    EMULATED_SHUFFLE_AS(SHUFFLE_UP, mask, value, distance, "__shfl_up_sync")
#define __shfl_down_sync(mask, value, distance)                                                    \
    EMULATED_SHUFFLE_AS(SHUFFLE_DOWN, mask, value, distance, "__shfl_down_sync")
#define __shfl_xor_sync(mask, value, bits)                                                         \
    EMULATED_SHUFFLE_AS(SHUFFLE_XOR, mask, value, bits, "__shfl_xor_sync")

#define __ballot_sync(mask, value)                                                                 \
    ((unsigned int)EMULATED_MEET(BALLOT, mask, (value) != 0, 0, "__ballot_sync"))
#define __any_sync(mask, value) ((int)EMULATED_MEET(ANY, mask, (value) != 0, 0, "__any_sync"))
#define __all_sync(mask, value) ((int)EMULATED_MEET(ALL, mask, (value) != 0, 0, "__all_sync"))

#if __CUDA_ARCH__ >= 800 // older ones do not have it
#define EMULATED_REDUCE(kind, mask, value, name)                                                   \
    ((unsigned int)EMULATED_MEET(kind, mask, (unsigned int)(value), 0, name))
#define __reduce_add_sync(mask, value) EMULATED_REDUCE(REDUCE_ADD, mask, value, "__reduce_add_sync")
#define __reduce_min_sync(mask, value) EMULATED_REDUCE(REDUCE_MIN, mask, value, "__reduce_min_sync")
#define __reduce_max_sync(mask, value) EMULATED_REDUCE(REDUCE_MAX, mask, value, "__reduce_max_sync")
#define __reduce_and_sync(mask, value) EMULATED_REDUCE(REDUCE_AND, mask, value, "__reduce_and_sync")
#define __reduce_or_sync(mask, value) EMULATED_REDUCE(REDUCE_OR, mask, value, "__reduce_or_sync")
#define __reduce_xor_sync(mask, value) EMULATED_REDUCE(REDUCE_XOR, mask, value, "__reduce_xor_sync")
#endif

// The matrix unit ---------------------------------------------------------------------------------

EMULATED_INLINE double emulated_half_value(unsigned int half)
{
    const unsigned int exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 31)
        emulated_self->fail("a half that is no number", __FILE__, __LINE__);
    // In steps of 2^-24, which are those of the smallest halves.
    const double steps = exponent == 0
                             ? fraction
                             : (double)((unsigned long long)(1024 + fraction) << (exponent - 1));
    return (half >> 15 & 1 ? -steps : steps) * 0x1p-24;
}

// Rounded to nearest, to even.
EMULATED_INLINE unsigned int emulated_half_of(double value)
{
    const unsigned int sign = value < 0 ? 1u << 15 : 0;
    double steps = (value < 0 ? -value : value) * 0x1p24;
    unsigned int exponent = 1;
    for (; steps >= 2048 && exponent < 31; exponent++)
        steps /= 2;
    if (exponent == 31)
        return sign | 31 << 10;
    unsigned int whole = (unsigned int)steps;
    const double rest = steps - whole;
    whole += rest > 0.5 || (rest == 0.5 && (whole & 1));
    return sign | (((exponent - 1) << 10) + whole); // a carry into the exponent is right
}

// What a lane holds of the two factors, as halves' values.
typedef struct emulated_factors {
    double a[4][2], b[2][2];
} emulated_factors;

// As kernels/cuda.h has it. Sums are exact up to the one rounding at the end. The lanes bring what
// they hold to a table of lane 0's, which stays until all have read it.
EMULATED_INLINE void emulated_multiply_halves(unsigned int d[2], const unsigned int a[4],
                                              const unsigned int b[2])
{
    const unsigned int lane =
        (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
    const unsigned int g = lane / 4, t = lane % 4;
    emulated_factors table[32];
    emulated_factors *const all =
        (emulated_factors *)EMULATED_MEET(SHUFFLE, ~0u, table, 0, "LC_MULTIPLY_HALVES");
    for (unsigned int i = 0; i < 8; i++)
        all[lane].a[i / 2][i % 2] = emulated_half_value(a[i / 2] >> 16 * (i % 2) & 0xFFFF);
    for (unsigned int i = 0; i < 4; i++)
        all[lane].b[i / 2][i % 2] = emulated_half_value(b[i / 2] >> 16 * (i % 2) & 0xFFFF);
    EMULATED_MEET(SYNCWARP, ~0u, 0, 0, "LC_MULTIPLY_HALVES");
    for (unsigned int row = 0; row < 2; row++) {
        unsigned int halves[2];
        for (unsigned int column = 0; column < 2; column++) {
            double sum = emulated_half_value(d[row] >> 16 * column & 0xFFFF);
            for (unsigned int k = 0; k < 16; k++)
                sum += all[4 * g + k % 8 / 2].a[row + 2 * (k / 8)][k % 2] *
                       all[4 * (2 * t + column) + k % 8 / 2].b[k / 8][k % 2];
            halves[column] = emulated_half_of(sum);
        }
        d[row] = halves[0] | halves[1] << 16;
    }
    EMULATED_MEET(SYNCWARP, ~0u, 0, 0, "LC_MULTIPLY_HALVES");
}

#define LC_MULTIPLY_HALVES(d, a, b) emulated_multiply_halves(d, a, b)

#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)
#define __nanosleep(nanoseconds) ((void)(nanoseconds))

// Atomics: what they return is what was there before. -------------------------------------------

#define EMULATED_ATOMIC(name, result)                                                              \
    EMULATED_INLINE unsigned int emulated_##name##_32(unsigned int *at, unsigned int value)        \
    {                                                                                              \
        unsigned int old = *at;                                                                    \
        *at = result;                                                                              \
        return old;                                                                                \
    }                                                                                              \
    EMULATED_INLINE unsigned long long emulated_##name##_64(unsigned long long *at,                \
                                                            unsigned long long value)              \
    {                                                                                              \
        unsigned long long old = *at;                                                              \
        *at = result;                                                                              \
        return old;                                                                                \
    }                                                                                              \
    EMULATED_INLINE int emulated_##name##_int(int *at, int value)                                  \
    {                                                                                              \
        int old = *at;                                                                             \
        *at = (int)(result);                                                                       \
        return old;                                                                                \
    }

EMULATED_ATOMIC(add, old + value)
EMULATED_ATOMIC(min, value < old ? value : old)
EMULATED_ATOMIC(max, value > old ? value : old)
EMULATED_ATOMIC(and, old &value)
EMULATED_ATOMIC(or, old | value)
EMULATED_ATOMIC(xor, old ^ value)
EMULATED_ATOMIC(exchange, value)

#define EMULATED_BY_TYPE(name, at)                                                                 \
    _Generic((at), unsigned int *                                                                  \
             : emulated_##name##_32, unsigned long long *                                          \
             : emulated_##name##_64, int *                                                         \
             : emulated_##name##_int)
#define atomicAdd(at, value) EMULATED_BY_TYPE(add, at)(at, value)
#define atomicMin(at, value) EMULATED_BY_TYPE(min, at)(at, value)
#define atomicMax(at, value) EMULATED_BY_TYPE(max, at)(at, value)
#define atomicAnd(at, value) EMULATED_BY_TYPE(and, at)(at, value)
#define atomicOr(at, value) EMULATED_BY_TYPE(or, at)(at, value)
#define atomicXor(at, value) EMULATED_BY_TYPE(xor, at)(at, value)
#define atomicExch(at, value) EMULATED_BY_TYPE(exchange, at)(at, value)

EMULATED_INLINE unsigned int emulated_swap_32(unsigned int *at, unsigned int expected,
                                              unsigned int value)
{
    unsigned int old = *at;
    if (old == expected)
        *at = value;
    return old;
}

EMULATED_INLINE unsigned long long
emulated_swap_64(unsigned long long *at, unsigned long long expected, unsigned long long value)
{
    unsigned long long old = *at;
    if (old == expected)
        *at = value;
    return old;
}

#define atomicCAS(at, expected, value)                                                             \
    _Generic((at), unsigned int * : emulated_swap_32, unsigned long long * : emulated_swap_64)(    \
        at, expected, value)

// Bits ------------------------------------------------------------------------------------------

#define __popc(x) __builtin_popcount((unsigned int)(x))
#define __popcll(x) __builtin_popcountll((unsigned long long)(x))
#define __ffs(x) __builtin_ffs((int)(x))
#define __ffsll(x) __builtin_ffsll((long long)(x))

EMULATED_INLINE int emulated_clz(unsigned int x)
{
    return x ? __builtin_clz(x) : 32;
}
#define __clz(x) emulated_clz((unsigned int)(x))

EMULATED_INLINE int emulated_clzll(unsigned long long x)
{
    return x ? __builtin_clzll(x) : 64;
}
#define __clzll(x) emulated_clzll((unsigned long long)(x))

EMULATED_INLINE unsigned int __brev(unsigned int x)
{
    unsigned int reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1u) << (31 - i);
    return reversed;
}

EMULATED_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}

EMULATED_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                             unsigned int shift)
{
    shift &= 31;
    return shift ? high << shift | low >> (32 - shift) : high;
}

EMULATED_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                             unsigned int shift)
{
    shift &= 31;
    return shift ? low >> shift | high << (32 - shift) : low;
}

EMULATED_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++)
        result |= (unsigned int)(bytes >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    return result;
}

#define __umulhi(x, y)                                                                             \
    ((unsigned int)((unsigned long long)(unsigned int)(x) * (unsigned int)(y) >> 32))
__extension__ typedef unsigned __int128 emulated_u128;
#define __umul64hi(x, y)                                                                           \
    ((unsigned long long)((emulated_u128)(unsigned long long)(x) * (unsigned long long)(y) >> 64))

// Both of one type, as CUDA's own overloads would have it.
#define min(x, y)                                                                                  \
    __extension__({                                                                                \
        __typeof__(x) emulated_x = (x);                                                            \
        __typeof__(y) emulated_y = (y);                                                            \
        _Static_assert(                                                                            \
            __builtin_types_compatible_p(__typeof__(emulated_x), __typeof__(emulated_y)),          \
            "min of two types");                                                                   \
        emulated_x < emulated_y ? emulated_x : emulated_y;                                         \
    })
#define max(x, y)                                                                                  \
    __extension__({                                                                                \
        __typeof__(x) emulated_x = (x);                                                            \
        __typeof__(y) emulated_y = (y);                                                            \
        _Static_assert(                                                                            \
            __builtin_types_compatible_p(__typeof__(emulated_x), __typeof__(emulated_y)),          \
            "max of two types");                                                                   \
        emulated_x > emulated_y ? emulated_x : emulated_y;                                         \
    })

// Vectors, and accesses with a word for the caches. ---------------------------------------------

typedef struct __attribute__((aligned(8))) uint2 {
    unsigned int x;
    unsigned int y;
} uint2;

typedef struct __attribute__((aligned(16))) uint4 {
    unsigned int x;
    unsigned int y;
    unsigned int z;
    unsigned int w;
} uint4;

typedef struct __attribute__((aligned(16))) ulonglong2 {
    unsigned long long x;
    unsigned long long y;
} ulonglong2;

#define make_uint2(x, y) ((uint2){x, y})
#define make_uint4(x, y, z, w) ((uint4){x, y, z, w})
#define make_ulonglong2(x, y) ((ulonglong2){x, y})

#define __ldg(at) (*(at))
#define __ldca(at) (*(at))
#define __ldcg(at) (*(at))
#define __ldcs(at) (*(at))
#define __ldlu(at) (*(at))
#define __ldcv(at) (*(const volatile __typeof__(*(at)) *)(at))
#define __stcg(at, value) ((void)(*(at) = (value)))
#define __stcs(at, value) ((void)(*(at) = (value)))
#define __stwb(at, value) ((void)(*(at) = (value)))
#define __stwt(at, value) ((void)(*(at) = (value)))

// Textures --------------------------------------------------------------------------------------

// Of `size` texels, the one at a coordinate that counts from 0 to 1 and goes round.
EMULATED_INLINE unsigned int emulated_texel(float at, unsigned int size)
{
    double fraction = (double)at - (double)(long long)at;
    if (fraction < 0)
        fraction += 1;
    unsigned int texel = (unsigned int)(fraction * size);
    return texel < size ? texel : size - 1; // so little below 0 that it was rounded to 1
}

EMULATED_INLINE int emulated_texture_int(unsigned long long texture, float x, float y)
{
    const emulated_texture *of = (const emulated_texture *)texture;
    return of->texels[(unsigned long long)emulated_texel(y, of->height) * of->width +
                      emulated_texel(x, of->width)];
}
#define LC_TEXTURE_INT(texture, x, y) emulated_texture_int(texture, x, y)

// What the compiler's checks call ---------------------------------------------------------------

// The kernels are compiled with UBSan but not with its library, whose place these take. What they
// are given begins with where it happened.
typedef struct emulated_place {
    const char *file;
    unsigned int line;
    unsigned int column;
} emulated_place;

#define EMULATED_UNDEFINED(name, text)                                                             \
    __attribute__((visibility("hidden"), used)) void __ubsan_handle_##name(                        \
        const emulated_place *place)                                                               \
    {                                                                                              \
        emulated_self->fail(text, place->file, (int)place->line);                                  \
    }
EMULATED_UNDEFINED(add_overflow_abort, "an addition overflows")
EMULATED_UNDEFINED(sub_overflow_abort, "a subtraction overflows")
EMULATED_UNDEFINED(mul_overflow_abort, "a multiplication overflows")
EMULATED_UNDEFINED(negate_overflow_abort, "a negation overflows")
EMULATED_UNDEFINED(divrem_overflow_abort, "a division by zero, or one that overflows")
EMULATED_UNDEFINED(shift_out_of_bounds_abort,
                   "a shift by too much, or of what cannot be shifted so")
EMULATED_UNDEFINED(out_of_bounds_abort, "an index beyond its array")
EMULATED_UNDEFINED(type_mismatch_v1_abort, "an address that is null, not aligned, or has no room")
EMULATED_UNDEFINED(pointer_overflow_abort, "an address that overflows")
EMULATED_UNDEFINED(load_invalid_value_abort, "a value that its type does not have")
EMULATED_UNDEFINED(builtin_unreachable, "a place that cannot be reached")
EMULATED_UNDEFINED(missing_return, "a function that returns nothing")
EMULATED_UNDEFINED(vla_bound_not_positive_abort, "an array without a size")
EMULATED_UNDEFINED(float_cast_overflow_abort, "a conversion that overflows")
EMULATED_UNDEFINED(invalid_builtin_abort, "a builtin with an argument that it does not take")
EMULATED_UNDEFINED(nonnull_arg_abort, "a null argument")
EMULATED_UNDEFINED(function_type_mismatch_abort, "a call of a function of another type")

#endif
