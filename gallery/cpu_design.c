// Designs for the CPU as engines: two boards in the design's layout, in this process's memory.
#include "cpu_design.h"

#include <stdlib.h>
#include <string.h>

#include "design_board.h"
#include "settings.h"

typedef struct cpu_board {
    lc_cpu_run run;
    const lc_design *design;
    char settings[LC_ENGINE_SETTINGS_BYTES];
} cpu_board;

static bool available(const void *context, const char **reason)
{
    const lc_design *design = context;
    const char *missing = design->cpu->missing != NULL ? design->cpu->missing() : NULL;
    *reason = missing != NULL ? missing : "runs on any CPU";
    return missing == NULL;
}

static lc_status check(const void *context, const lc_guest_board *guest, uint64_t *memory_bytes,
                       lc_message *message)
{
    const lc_design *design = context;
    lc_gallery_board board;
    lc_cell_layout layout;
    lc_status status = lc_gallery_board_make(design, guest, &board, message);
    if (status != LC_OK)
        return status;
    design->layout(&board, &layout);
    *memory_bytes = 2 * layout.size_bytes;
    if (design->cpu->extra_bytes != NULL)
        *memory_bytes += design->cpu->extra_bytes(&board);
    return LC_OK;
}

static void destroy(void *state)
{
    cpu_board *b = state;
    if (b == NULL)
        return;
    if (b->design->cpu->release != NULL && b->run.own != NULL)
        b->design->cpu->release(&b->run);
    free(b->run.cells);
    free(b->run.next);
    free(b);
}

static lc_status create(void **out, const void *context, const lc_guest_board *guest,
                        lc_message *message)
{
    const lc_design *design = context;
    *out = NULL;
    cpu_board *b = calloc(1, sizeof *b);
    if (b == NULL)
        return lc_fail(message, LC_ERROR_MEMORY, "out of memory for a board");
    b->design = design;
    b->run.guest = *guest;
    lc_status status = lc_gallery_board_make(design, guest, &b->run.board, message);
    if (status != LC_OK) {
        destroy(b);
        return status;
    }
    lc_gallery_format_settings(design, b->run.board.knob, b->settings, sizeof b->settings);
    design->layout(&b->run.board, &b->run.layout);
    b->run.cells = calloc(1, (size_t)b->run.layout.size_bytes);
    b->run.next = calloc(1, (size_t)b->run.layout.size_bytes);
    if (b->run.cells == NULL || b->run.next == NULL)
        status = lc_fail(message, LC_ERROR_MEMORY, "out of memory for two boards of %llu bytes",
                         (unsigned long long)b->run.layout.size_bytes);
    else if (design->cpu->prepare != NULL)
        status = design->cpu->prepare(&b->run, message);
    if (status != LC_OK) {
        destroy(b);
        return status;
    }
    *out = b;
    return LC_OK;
}

// Cells ------------------------------------------------------------------------------------------

static uint8_t reversed(uint8_t byte)
{
    byte = (uint8_t)(byte >> 4 | byte << 4);
    byte = (uint8_t)((byte & 0xcc) >> 2 | (byte & 0x33) << 2);
    return (uint8_t)((byte & 0xaa) >> 1 | (byte & 0x55) << 1);
}

static uint8_t *row_at(const lc_cpu_run *run, int64_t y)
{
    const lc_cell_layout *l = &run->layout;
    return run->cells + (l->top_rows + y) * l->pitch_bytes + l->left_cells * l->cell_bits / 8;
}

// The last byte of a row of bits may hold fewer than eight cells; its other bits stay as they are.
static void write_bits(const lc_cpu_run *run, uint8_t *row, const uint8_t *bits)
{
    const int64_t width = run->board.width;
    for (int64_t i = 0; i < width / 8; i++)
        row[i] = run->layout.high_bit_first ? reversed(bits[i]) : bits[i];
    if (width % 8 == 0)
        return;
    uint8_t mask = (uint8_t)((1u << (width % 8)) - 1), last = bits[width / 8];
    if (run->layout.high_bit_first) {
        mask = reversed(mask);
        last = reversed(last);
    }
    row[width / 8] = (uint8_t)((row[width / 8] & ~mask) | (last & mask));
}

static lc_status write_rows(void *state, const lc_cells *from, lc_message *message)
{
    (void)message;
    const lc_cpu_run *run = &((cpu_board *)state)->run;
    for (int64_t i = 0; i < from->height_cells; i++) {
        const uint64_t *words = lc_cells_row(from, i);
        uint8_t *row = row_at(run, from->y + i);
        if (run->layout.cell_bits == 1)
            write_bits(run, row, (const uint8_t *)words); // little-endian, as all of lightcone
        for (int64_t x = 0; x < run->board.width && run->layout.cell_bits == 8; x++)
            row[x] = words[x / 64] >> (x % 64) & 1;
        for (int64_t x = 0; x < run->board.width && run->layout.cell_bits == 32; x++)
            ((uint32_t *)(void *)row)[x] = words[x / 64] >> (x % 64) & 1;
    }
    return LC_OK;
}

static lc_status read_rows(void *state, const lc_cells *to, lc_message *message)
{
    (void)message;
    const lc_cpu_run *run = &((cpu_board *)state)->run;
    const int64_t width = run->board.width;
    for (int64_t i = 0; i < to->height_cells; i++) {
        uint64_t *words = lc_cells_row(to, i);
        const uint8_t *row = row_at(run, to->y + i);
        memset(words, 0, to->pitch_words * sizeof *words);
        if (run->layout.cell_bits == 1) {
            uint8_t *bits = (uint8_t *)words;
            for (int64_t j = 0; j < (width + 7) / 8; j++)
                bits[j] = run->layout.high_bit_first ? reversed(row[j]) : row[j];
            if (width % 8 != 0)
                bits[width / 8] &= (uint8_t)((1u << (width % 8)) - 1);
        }
        for (int64_t x = 0; x < width && run->layout.cell_bits == 8; x++)
            words[x / 64] |= (uint64_t)row[x] << (x % 64);
        for (int64_t x = 0; x < width && run->layout.cell_bits == 32; x++)
            words[x / 64] |= (uint64_t)((const uint32_t *)(const void *)row)[x] << (x % 64);
    }
    return LC_OK;
}

// Stepping ---------------------------------------------------------------------------------------

void lc_cpu_swap(lc_cpu_run *run)
{
    uint8_t *cells = run->cells;
    run->cells = run->next;
    run->next = cells;
}

typedef struct share {
    const lc_cpu_run *run;
    void (*rows)(const lc_cpu_run *run, int64_t first, int64_t end);
    int64_t band;
} share;

static void work_on_band(void *context, size_t index, int worker)
{
    (void)worker;
    const share *s = context;
    const int64_t first = (int64_t)index * s->band, height = s->run->board.height;
    s->rows(s->run, first, first + s->band < height ? first + s->band : height);
}

void lc_cpu_for_rows(lc_cpu_run *run,
                     void (*rows)(const lc_cpu_run *run, int64_t first, int64_t end))
{
    if (run->board.threads == 1) {
        rows(run, 0, run->board.height);
        return;
    }
    // Several bands for each thread, since threads are not equally fast.
    share s = {run, rows, run->board.height / (run->board.threads * 8) + 1};
    run->guest.run(run->guest.pool, (size_t)((run->board.height + s.band - 1) / s.band),
                   work_on_band, &s);
}

static lc_status step(void *state, uint64_t generations, double *stepping_ns, lc_message *message)
{
    cpu_board *b = state;
    const lc_cpu_design *of = b->design->cpu;
    lc_status status = LC_OK;
    b->run.own_ns = 0;
    if (of->step != NULL)
        status = of->step(&b->run, generations, message);
    for (; of->rows != NULL && generations > 0; generations--) {
        lc_cpu_for_rows(&b->run, of->rows);
        lc_cpu_swap(&b->run);
    }
    *stepping_ns = b->run.own_ns;
    return status;
}

static void facts(const void *state, lc_step_facts *facts)
{
    const cpu_board *b = state;
    *facts = (lc_step_facts){0};
    b->design->cost(&b->run.board, &facts->bytes_per_cell, &facts->operations_per_cell);
}

static const char *settings(const void *state)
{
    return ((const cpu_board *)state)->settings;
}

void lc_cpu_guest(lc_guest_engine *engine)
{
    *engine = (lc_guest_engine){
        .available = available,
        .check = check,
        .create = create,
        .destroy = destroy,
        .write_rows = write_rows,
        .read_rows = read_rows,
        .step = step,
        .facts = facts,
        .settings = settings,
    };
}
