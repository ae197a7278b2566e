// The table of designs, in the order in which `lightcone gallery list` shows them.
#include "design.h"

// One list: the designs' symbols.
#define LC_DESIGNS(X)                                                                              \
    X(lc_design_bytes_cpu)                                                                         \
    X(lc_design_bits_cpu)                                                                          \
    X(lc_design_words_cpu)                                                                         \
    X(lc_design_table_cpu)                                                                         \
    X(lc_design_bytes_gpu)                                                                         \
    X(lc_design_bits_gpu)                                                                          \
    X(lc_design_words_gpu)                                                                         \
    X(lc_design_table_gpu)                                                                         \
    X(lc_design_ghost_cells)                                                                       \
    X(lc_design_overlapped_tile)                                                                   \
    X(lc_design_texture)                                                                           \
    X(lc_design_scipy)                                                                             \
    X(lc_design_convolution)                                                                       \
    X(lc_design_shared_tile)                                                                       \
    X(lc_design_shared_tile_words)                                                                 \
    X(lc_design_ballot)                                                                            \
    X(lc_design_simple)                                                                            \
    X(lc_design_wide_loads)                                                                        \
    X(lc_design_packed)                                                                            \
    X(lc_design_grouped)                                                                           \
    X(lc_design_multistep)                                                                         \
    X(lc_design_multistep_sums)                                                                    \
    X(lc_design_multistep_registers)                                                               \
    X(lc_design_coalescing)                                                                        \
    X(lc_design_counted)                                                                           \
    X(lc_design_pulled_apart)                                                                      \
    X(lc_design_matrix)                                                                            \
    X(lc_design_warp_shuffle)

#define LC_DECLARE(symbol) extern const lc_design symbol;
LC_DESIGNS(LC_DECLARE)
#undef LC_DECLARE

static const lc_design simd = {
    .name = "simd",
    .title = "lightcone on the CPU: bits dealt out to vectors, gates, blocked in time",
    .source = "this project: docs/architecture.md",
    .engine = "simd",
    .any_rule = true,
};

static const lc_design cuda = {
    .name = "cuda",
    .title = "lightcone on the GPU: a pipeline of generations in a warp's registers",
    .source = "this project: docs/gpu.md",
    .engine = "cuda",
    .any_rule = true,
};

static const lc_design *const designs[] = {
#define LC_ADDRESS(symbol) &symbol,
    LC_DESIGNS(LC_ADDRESS)
#undef LC_ADDRESS
        & simd,
    &cuda,
};

const lc_design *lc_gallery_at(size_t index)
{
    return index < sizeof designs / sizeof designs[0] ? designs[index] : NULL;
}
