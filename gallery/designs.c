#include "designs.h"

static const char fiser[] = "Marek Fiser, \"Conway's Game of Life on GPU using CUDA\" (2013)";
static const char olcf[] =
    "Oak Ridge Leadership Computing Facility, \"CUDA Game of Life\" tutorial";
static const char cappetti[] =
    "Lorenzo Cappetti, \"Game of Life: Performance Optimization with CUDA Parallelization\" (2026)";
static const char boris[] =
    "BorisTheBrave, \"Accelerated Game of Life with CUDA / Triton\" and its sequel (2025)";
static const char skarupke[] = "Malte Skarupke, \"Initial CUDA Performance Lessons\" (2024)";
static const char fujita[] =
    "Fujita, Nakano, Ito, Int. Journal of Foundations of Computer Science 27 (2016)";
static const char here[] = "This project, for comparison";

// One list: the designs' symbols, each after the document that it is from.
#define LC_DESIGNS(X)                                                                              \
    X(fiser, lc_design_bytes_cpu)                                                                  \
    X(fiser, lc_design_bits_cpu)                                                                   \
    X(fiser, lc_design_words_cpu)                                                                  \
    X(fiser, lc_design_table_cpu)                                                                  \
    X(fiser, lc_design_bytes_gpu)                                                                  \
    X(fiser, lc_design_bits_gpu)                                                                   \
    X(fiser, lc_design_words_gpu)                                                                  \
    X(fiser, lc_design_table_gpu)                                                                  \
    X(olcf, lc_design_ghost_cells)                                                                 \
    X(olcf, lc_design_overlapped_tile)                                                             \
    X(olcf, lc_design_texture)                                                                     \
    X(cappetti, lc_design_scipy)                                                                   \
    X(cappetti, lc_design_convolution)                                                             \
    X(cappetti, lc_design_shared_tile)                                                             \
    X(cappetti, lc_design_shared_tile_words)                                                       \
    X(cappetti, lc_design_ballot)                                                                  \
    X(boris, lc_design_simple)                                                                     \
    X(boris, lc_design_wide_loads)                                                                 \
    X(boris, lc_design_packed)                                                                     \
    X(boris, lc_design_grouped)                                                                    \
    X(boris, lc_design_multistep)                                                                  \
    X(boris, lc_design_multistep_sums)                                                             \
    X(boris, lc_design_multistep_registers)                                                        \
    X(skarupke, lc_design_coalescing)                                                              \
    X(skarupke, lc_design_counted)                                                                 \
    X(skarupke, lc_design_pulled_apart)                                                            \
    X(skarupke, lc_design_matrix)                                                                  \
    X(fujita, lc_design_warp_shuffle)

#define LC_DECLARE(document, symbol) extern const lc_design symbol;
LC_DESIGNS(LC_DECLARE)
#undef LC_DECLARE

static const lc_design simd = {
    .name = "simd",
    .title = "lightcone on the CPU: bits dealt out to vectors, gates, blocked in time",
    .source = "this project: src/engine/simd",
    .engine = "simd",
    .any_rule = true,
};

static const lc_design cuda = {
    .name = "cuda",
    .title = "lightcone on the GPU: a pipeline of generations in a warp's registers",
    .source = "this project: src/engine/cuda",
    .engine = "cuda",
    .any_rule = true,
};

static const struct {
    const char *document;
    const lc_design *design;
} designs[] = {
#define LC_ENTRY(document, symbol) {document, &symbol},
    LC_DESIGNS(LC_ENTRY)
#undef LC_ENTRY
        {here, &simd},
    {here, &cuda},
};

enum { DESIGNS = sizeof designs / sizeof designs[0] };

const lc_design *lc_gallery_at(size_t index)
{
    return index < DESIGNS ? designs[index].design : NULL;
}

const char *lc_gallery_document_at(size_t index)
{
    return index < DESIGNS ? designs[index].document : NULL;
}
