// Bands of rows for stepping in place.
#include "engine/cuda/cuda_in_place.h"

#include "engine/cuda/cuda_plan.h"
#include "kernels/board_layout.h"

lc_cuda_bands lc_cuda_bands_of(int64_t height_cells, int64_t band_rows)
{
    const int64_t least = (height_cells - 1) / band_rows + 1;
    const int64_t most = height_cells / LC_CUDA_TURN_ROWS;
    const int64_t count = least < most ? least : most;
    return (lc_cuda_bands){height_cells, count > 1 ? count : 1};
}

int64_t lc_cuda_bands_shift(const lc_cuda_bands *bands)
{
    return (bands->height_cells - 1) / bands->count + 1 + LC_HALO_ROWS;
}

lc_cuda_band lc_cuda_band_at(const lc_cuda_bands *bands, int64_t i, bool up)
{
    const int64_t band = up ? i : bands->count - 1 - i;
    const int64_t rows = bands->height_cells / bands->count;
    const int64_t longer = bands->height_cells % bands->count; // first bands with one more row
    return (lc_cuda_band){.first_row = band * rows + (band < longer ? band : longer),
                          .rows = rows + (band < longer)};
}
