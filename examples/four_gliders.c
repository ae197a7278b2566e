// Pastes four gliders that fly round a square, and undoes the last one.
//
// Shows clips (lc_clip_from_text, lc_clip_turn) and edits with undo (lc_edits_paste,
// lc_edits_undo). Build and run it:
//
//     cc -std=c17 four_gliders.c $(pkg-config --cflags --libs lightcone) -o four_gliders
//     ./four_gliders
#include <stdio.h>
#include <string.h>

#include <lightcone/lightcone.h>

enum { SIDE = 16 };

static const char glider[] = "x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n";

// Pastes the glider in the four corners of a square, turned by a quarter from corner to corner.
static lc_status paste_gliders(lc_edits *edits, lc_universe *universe, lc_message *message)
{
    static const int64_t corners[4][2] = {
        {1, 1}, {SIDE - 4, 1}, {SIDE - 4, SIDE - 4}, {1, SIDE - 4}};
    lc_clip *clip;
    lc_status status = lc_clip_from_text(&clip, glider, strlen(glider), 0, message);
    for (int i = 0; i < 4 && status == LC_OK; i++) {
        status = lc_edits_paste(edits, universe, clip, corners[i][0], corners[i][1], LC_PASTE_OR,
                                message);
        if (status == LC_OK)
            status = lc_clip_turn(clip, LC_TURN_RIGHT, message);
    }
    lc_clip_destroy(&clip);
    return status;
}

static lc_status print_board(const lc_universe *universe, const char *title, lc_message *message)
{
    const lc_rectangle area = {0, 0, SIDE, SIDE};
    lc_clip *clip;
    const lc_status status = lc_clip_from_universe(&clip, universe, &area, message);
    if (status != LC_OK)
        return status;
    printf("%s: %d live cells\n", title, (int)lc_clip_population(clip));
    for (int64_t y = 0; y < SIDE; y++) {
        const uint64_t *row = lc_cells_row(lc_clip_cells(clip), y);
        for (int64_t x = 0; x < SIDE; x++)
            putchar(row[x / 64] >> (x % 64) & 1 ? 'O' : '.');
        putchar('\n');
    }
    lc_clip_destroy(&clip);
    return LC_OK;
}

int main(void)
{
    const lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
    lc_universe *universe = NULL;
    lc_edits *edits = NULL;
    lc_message message;
    lc_status status = lc_universe_create(&universe, &options, &message);
    if (status == LC_OK)
        status = lc_edits_create(&edits, 1 << 20, &message);
    if (status == LC_OK)
        status = paste_gliders(edits, universe, &message);
    if (status == LC_OK)
        status = print_board(universe, "four gliders", &message);
    if (status == LC_OK)
        status = lc_edits_undo(edits, universe, &message);
    if (status == LC_OK)
        status = print_board(universe, "after undo", &message);
    if (status != LC_OK)
        fprintf(stderr, "%s\n", message.text);
    lc_edits_destroy(&edits);
    lc_universe_destroy(&universe);
    return status != LC_OK;
}
