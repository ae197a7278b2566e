// PNG pictures: one bit per pixel, live cells white on black; under a rule of more states, a colour
// for each state (lc_rule_colours). Write only.
//
// libpng reports errors by longjmp. So all data that must survive setjmp is in a struct that setjmp
// does not affect, and nothing of ours is allocated in between.
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "grid/planes.h"
#include "pattern/text.h"

enum { COMPRESSION_LEVEL = 3 }; // soups do not compress, and patterns do at any level

#define PNG_SIDE_LIMIT ((int64_t)0x7fffffff) // of the format
#define PNG_CELLS_LIMIT ((int64_t)1 << 36)   // 8 GiB of pixels, which programs may still open

typedef struct png_job {
    lc_output *output;
    const lc_pattern_write_options *options;
    lc_span_source next;
    void *context;
    lc_span span;          // the next one; length 0: none
    lc_cells row;          // one row of cells
    unsigned char *pixels; // the same cells: leftmost in the highest bit, or bytes of states
    size_t count;          // words of a plane
    lc_status status;
    lc_message *message;
} png_job;

static void on_write(png_structp png, png_bytep data, size_t size_bytes)
{
    png_job *job = png_get_io_ptr(png);
    lc_output_write(job->output, data, size_bytes);
    if (lc_output_failed(job->output))
        png_error(png, "output"); // committing reports the error
}

static void on_flush(png_structp png)
{
    (void)png; // committing flushes
}

_Noreturn static void on_error(png_structp png, png_const_charp text)
{
    png_job *job = png_get_error_ptr(png);
    if (job->status == LC_OK && !lc_output_failed(job->output))
        job->status = lc_fail(job->message, LC_ERROR_MEMORY, "cannot write the PNG: %s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static png_voidp on_alloc(png_structp png, png_alloc_size_t size_bytes)
{
    (void)png;
    return lc_malloc(size_bytes);
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    lc_free(memory);
}

// Reverses the bits of each byte, and puts the bytes in the order of cells; or makes bytes of
// states.
static void make_pixels(png_job *job)
{
    if (job->row.planes > 1) {
        lc_cells_unpack(&job->row, 0, job->pixels);
        return;
    }
    for (size_t i = 0; i < job->count; i++) {
        uint64_t w = job->row.words[i];
        w = (w >> 1 & UINT64_C(0x5555555555555555)) | (w & UINT64_C(0x5555555555555555)) << 1;
        w = (w >> 2 & UINT64_C(0x3333333333333333)) | (w & UINT64_C(0x3333333333333333)) << 2;
        w = (w >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (w & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
        for (size_t byte = 0; byte < 8; byte++)
            job->pixels[i * 8 + byte] = (unsigned char)(w >> (8 * byte));
    }
}

// Collects the cells of row y.
static lc_status make_row(png_job *job, int64_t y)
{
    lc_status status = LC_OK;
    memset(job->row.words, 0, job->row.pitch_words * sizeof *job->row.words);
    while (status == LC_OK && job->span.length > 0 && job->span.y == y) {
        const lc_span *span = &job->span;
        const lc_cells cells = lc_span_of(span, 0, span->length);
        if (span->words == NULL)
            lc_cells_fill(&job->row, 0, span->x, span->length, 1);
        else
            lc_cells_merge(&job->row, 0, span->x, &cells, 0, 0, span->length);
        status = job->next(job->context, &job->span);
    }
    return status;
}

static int depth_of(int states)
{
    return states == 2 ? 1 : states <= 4 ? 2 : states <= 16 ? 4 : 8;
}

static void set_palette(const lc_rule *rule, png_structp png, png_infop info)
{
    uint8_t rgb[LC_STATES_MAX][3];
    png_color palette[LC_STATES_MAX];
    const int states = lc_rule_traits(rule)->states;
    lc_rule_colours(rule, rgb);
    for (int i = 0; i < states; i++)
        palette[i] = (png_color){rgb[i][0], rgb[i][1], rgb[i][2]};
    png_set_PLTE(png, info, palette, states);
}

static void write_image(png_job *job, png_structp png, png_infop info)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return;
    // PNG has no empty pictures, so the empty pattern becomes one dead cell.
    const int64_t width = job->options->width_cells > 0 ? job->options->width_cells : 1;
    const int64_t height = job->options->height_cells > 0 ? job->options->height_cells : 1;
    png_set_write_fn(png, job, on_write, on_flush);
    png_set_user_limits(png, (png_uint_32)PNG_SIDE_LIMIT, (png_uint_32)PNG_SIDE_LIMIT);
    const int states = lc_rule_traits(job->options->rule)->states;
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth_of(states),
                 states == 2 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (states > 2)
        set_palette(job->options->rule, png, info);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_write_info(png, info);
    if (states > 2)
        png_set_packing(png);
    for (int64_t y = 0; y < height; y++) {
        job->status = make_row(job, y);
        if (job->status != LC_OK)
            return;
        make_pixels(job);
        png_write_row(png, job->pixels);
    }
    png_write_end(png, info);
}

static lc_status check_size(int64_t width_cells, int64_t height_cells, lc_message *message)
{
    if (width_cells > PNG_SIDE_LIMIT || height_cells > PNG_SIDE_LIMIT ||
        (height_cells > 0 && width_cells > PNG_CELLS_LIMIT / height_cells)) {
        return lc_fail(message, LC_ERROR_LIMIT,
                       "%lld x %lld cells are too many for a PNG: at most 2^31-1 a side and 2^36 "
                       "in all",
                       (long long)width_cells, (long long)height_cells);
    }
    return LC_OK;
}

static lc_status write(lc_output *output, const lc_pattern_write_options *options,
                       lc_span_source next, void *context, lc_message *message)
{
    png_job job = {
        .output = output, .options = options, .next = next, .context = context, .message = message};
    const int64_t width = options->width_cells > 0 ? options->width_cells : 1; // at most 2^31
    job.row = lc_span_cells(0, 0, width, lc_rule_traits(options->rule)->planes, NULL);
    job.count = job.row.plane_words;
    job.row.words = lc_calloc(job.row.pitch_words, sizeof *job.row.words);
    job.pixels = lc_malloc(job.row.planes > 1 ? (size_t)width : job.count * sizeof(uint64_t));
    png_infop info = NULL;
    png_structp png = NULL;
    if (job.row.words != NULL && job.pixels != NULL) {
        png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning, NULL,
                                        on_alloc, on_free);
    }
    if (png != NULL)
        info = png_create_info_struct(png);
    if (info != NULL) {
        job.status = next(context, &job.span);
        if (job.status == LC_OK)
            write_image(&job, png, info);
    } else if (job.status == LC_OK) {
        job.status = lc_fail_memory(message, "writing a PNG");
    }
    if (png != NULL)
        png_destroy_write_struct(&png, &info);
    lc_free(job.pixels);
    lc_free(job.row.words);
    return job.status;
}

const lc_format_ops lc_format_png = {
    .format = LC_FORMAT_PNG,
    .has_many_states = true,
    .check_size = check_size,
    .write = write,
};
