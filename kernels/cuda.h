// The language of the kernels: a subset of CUDA C that is also C17.
//
// NVRTC compiles the files of this folder for a GPU. A C compiler compiles them for the CPU: the
// library includes the headers without kernels, and tests/emulator runs the kernels. There
// emulated_builtins.h defines CUDA's names (threadIdx, __shfl_up_sync ...) and the kernel macros
// below. The files therefore use no templates, references or overloads outside __CUDACC__.
#ifndef LC_KERNELS_CUDA_H
#define LC_KERNELS_CUDA_H

typedef unsigned int lc_word;
typedef unsigned long long lc_u64; // NVRTC has no stdint.h

#ifdef __CUDACC__

// A kernel: LC_KERNEL void LC_LAUNCH_BOUNDS(threads, blocks) name(parameters).
#define LC_KERNEL extern "C" __global__
// Maximum number of threads of a block, and minimum number of blocks that must fit on a
// multiprocessor at a time.
#define LC_LAUNCH_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
#define LC_INLINE static __device__ __forceinline__

// Inside a kernel: LC_SHARED lc_word rows[8]; declares an array shared by a block.
// LC_SHARED_POOL(lc_word, pool); declares a pointer to the launch's dynamic shared memory.
#define LC_SHARED __shared__
#define LC_SHARED_POOL(type, name)                                                                 \
    extern __shared__ uint4 lc_shared_pool[];                                                      \
    type *const name = (type *)lc_shared_pool

// A counter of blocks that have reached a point. A block that has read a count sees everything that
// the counted blocks wrote before arriving.
LC_INLINE void lc_arrive(unsigned int *count)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
}

LC_INLINE unsigned int lc_arrived(const unsigned int *count)
{
    unsigned int arrived;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(count) : "memory");
    return arrived;
}

#define LC_ARRIVE(count) lc_arrive(count)
#define LC_ARRIVED(count) lc_arrived(count)

// Publishing to other GPUs. LC_SHOW_ALL: a GPU that sees this thread's later writes also sees its
// earlier ones. LC_SHOW: such a later write, of a number at an address.
LC_INLINE void lc_show(lc_u64 at, lc_u64 number)
{
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(number) : "memory");
}

#define LC_SHOW_ALL() __threadfence_system()
#define LC_SHOW(at, number) lc_show(at, number)

// Body of a loop that waits for another block.
#define LC_SPIN() ((void)0)

// Prefetches the line at an address into the L2 cache. The address may be invalid.
#define LC_PREFETCH(at) asm volatile("prefetch.global.L2 [%0];" ::"l"(at))

// First statement of kernels launched with `overlapped`. Waits until the previous kernel's writes
// are visible, and lets the next kernel start.
#if __CUDA_ARCH__ >= 900
#define LC_WAIT_FOR_KERNEL_BEFORE()                                                                \
    asm volatile("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;" ::: "memory")
#else
#define LC_WAIT_FOR_KERNEL_BEFORE() ((void)0)
#endif

// LC_MULTIPLY_HALVES(d, a, b): d += a b on the tensor cores, by a whole warp. a is 16 x 16, b 16 x
// 8, d 16 x 8. Elements are half-precision numbers, two per word, the lower one first. With g =
// lane / 4 and t = lane % 4 a lane holds
//
//     a[0], a[1]    row g, row g + 8; columns 2t and 2t + 1     b[0]   rows 2t and 2t + 1, column g
//     a[2], a[3]    the same rows; columns 2t + 8 and 2t + 9    b[1]   rows 2t + 8 and 2t + 9
//     d[0], d[1]    row g, row g + 8; columns 2t and 2t + 1
//
// Two adjacent products d can therefore be the a of the next multiplication without data movement.
LC_INLINE void lc_multiply_halves(lc_word d[2], const lc_word a[4], const lc_word b[2])
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%0, %1};"
        : "+r"(d[0]), "+r"(d[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%6}, {%0, %1};\n\t"
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%4, %5}, {%7}, {%0, %1};"
        : "+r"(d[0]), "+r"(d[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

#define LC_MULTIPLY_HALVES(d, a, b) lc_multiply_halves(d, a, b)

// Reads the integer at (x, y) of a texture of integers. The texture is an lc_u64.
#define LC_TEXTURE_INT(texture, x, y) tex2D<int>(texture, x, y)

#define LC_SQUARE_ROOT(x) __fsqrt_rn(x) // single precision
#define LC_MULTIPLY_HIGH(a, b) __umul64hi(a, b) // upper 64 bits of a product

#define LC_RESTRICT __restrict__

// LC_UNROLL(3) before a loop unrolls it three times; 1 forbids unrolling. The number must be a
// constant.
#define LC_PRAGMA(text) _Pragma(#text)
#define LC_UNROLL(times) LC_PRAGMA(unroll times)

// Inline asm guarantees one instruction. Its table must be a constant before inlining, hence the
// template.
template <int table> LC_INLINE lc_word lc_gate_3(lc_word a, lc_word b, lc_word c)
{
    lc_word result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
    return result;
}

#define LC_GATE(table, a, b, c) lc_gate_3<table>(a, b, c)

#else

#ifndef LC_INLINE // emulated_builtins.h leaves inlining to the compiler
#define LC_INLINE static inline __attribute__((always_inline, unused))
#endif
#define LC_SQUARE_ROOT(x) __builtin_sqrtf(x)
#define LC_MULTIPLY_HIGH(a, b) ((lc_u64)((unsigned __int128)(a) * (b) >> 64))
#define LC_RESTRICT restrict
#define LC_UNROLL(times)

// Functions of one and two inputs with tables of 2 and 4 bits, for lc_gate_3.
LC_INLINE lc_word lc_gate_1(int table, lc_word c)
{
    return ((table & 1) ? ~c : 0) | ((table & 2) ? c : 0);
}

LC_INLINE lc_word lc_gate_2(int table, lc_word b, lc_word c)
{
    lc_word without = lc_gate_1(table & 3, c);
    return without ^ (b & (without ^ lc_gate_1(table >> 2, c)));
}

LC_INLINE lc_word lc_gate_3(int table, lc_word a, lc_word b, lc_word c)
{
    lc_word without = lc_gate_2(table & 15, b, c);
    return without ^ (a & (without ^ lc_gate_2(table >> 4, b, c)));
}

#define LC_GATE(table, a, b, c) lc_gate_3(table, a, b, c)

#endif

// LC_GATE(table, a, b, c): a function of three bits, applied to 32 bits of each operand. For bits
// a, b and c the result is bit 4a + 2b + c of `table`, a constant from 0 to 255.

#endif
