// A bounded board in several blocks: the settings "blocks=N" of an engine, "shares=2+1" for blocks
// of different heights, and "devices=LIST" of an engine that is on GPUs.
#ifndef LC_COVER_BOARD_SLABS_H
#define LC_COVER_BOARD_SLABS_H

#include "cover/block/one_block.h"
#include "cover/slabs/slab_heights.h"
#include "ranks/rank_calls.h"

enum {
    LC_SHARES_BYTES = LC_SLABS_MAX * 14,
    LC_BOARD_SLABS_PLAN_BYTES =
        LC_ENGINE_SETTINGS_BYTES + LC_SLABS_MAX * (int)sizeof "+2147483647" + LC_SHARES_BYTES
};

// How halos of slabs of several ranks are filled, the fastest way first.
typedef enum lc_halo_way {
    LC_WAY_MEMORY, // ranks reach each other's memory: by the engine's exchange
    LC_WAY_ROWS,   // they send each other rows as the engine has them (halo_rows.h)
    LC_WAY_CELLS,  // or cells, of any surface, and halos are given (halo_exchange.h)
} lc_halo_way;

// What the settings say, and what comes of it: how the rows are shared.
typedef struct lc_parts {
    int blocks;                     // 0: nothing was said
    bool blocks_for_devices;        // it is one for each device, since no number was said,
    bool blocks_for_shares;         // or for each share
    int device_count;               // 0: nothing was said
    int devices[LC_SLABS_MAX];      // by the driver's numbers, from the uppermost block's on
    int share_count;                // 0: nothing was said
    uint64_t shares[LC_SLABS_MAX];  // of all slabs of the board
    lc_ranks *ranks;                // that have as many blocks each, and such devices; NULL: this
                                    // alone
    lc_halo_way way;                // of ranks
    const int64_t *all_rows;        // with ranks, lent: where slabs begin, and the board's height
    int64_t rows[LC_SLABS_MAX + 1]; // without
    bool uneven;                    // slabs are not as high as each other, with
    char alike[LC_ENGINE_SETTINGS_BYTES]; // these settings in common; "": the first block's plan
    char shares_text[LC_SHARES_BYTES];    // and these shares; "": there is no need to say
} lc_parts;

// Takes these out of the settings of what is asked for. LC_ERROR_ARGUMENT (no such number of
// blocks, or no such device), LC_ERROR_UNSUPPORTED (an unbounded universe, or an engine whose
// blocks cannot go together).
lc_status lc_board_slabs_take_settings(lc_cover_options *asked, lc_parts *parts,
                                       lc_message *message);

// Shares the rows of a board that this process has alone; then it can be checked and created.
// LC_ERROR_ARGUMENT: there are not as many slabs as shares, or the settings become too long.
lc_status lc_board_slabs_lay_out(const lc_cover_options *asked, lc_parts *parts,
                                 lc_message *message);

// The same with ranks, in two halves: what each block of this process can do; and what all of the
// board's can, at rank 0, becomes `rows`, parts->alike and parts->shares_text, which all ranks are
// to have. `slabs` is used up.
void lc_board_slabs_abilities(const lc_cover_options *asked, const lc_parts *parts,
                              lc_slab_ability *slabs);
lc_status lc_board_slabs_assign_rows(const lc_cover_options *asked, lc_parts *parts,
                                     lc_slab_ability *slabs, int64_t *rows, lc_message *message);

// The block here whose slab is the highest: what suits it is what slabs that differ have in common.
int lc_board_slabs_leader(const lc_cover_options *asked, const lc_parts *parts);

// The most that may be held where the first block is. Nothing needs to be laid out.
uint64_t lc_board_slabs_limit_bytes(const lc_cover_options *asked, const lc_parts *parts);

// A part of a board, of which no block has been made, with these rows; the i-th one with its own,
// and its part of the memory; and where that is.
lc_one_block lc_board_slabs_slab(const lc_cover_options *asked, const lc_parts *parts, int i,
                                 lc_area area);
lc_one_block lc_board_slabs_block(const lc_cover_options *asked, const lc_parts *parts, int i);
lc_area lc_board_slabs_area(const lc_cover_options *asked, const lc_parts *parts, int i);

// lc_cover_check and lc_cover_create for such options and 1 or more blocks. With ranks it is called
// by all of them, and each holds and describes its own blocks. Advancing is then done by all, and
// only blocks' own cells can be read, written and looked at.
lc_status lc_board_slabs_check(const lc_cover_options *asked, const lc_parts *parts,
                               lc_universe_needs *needs, lc_message *message);
lc_status lc_board_slabs_create(lc_cover **out, const lc_cover_options *asked,
                                const lc_parts *parts, lc_message *message);

// Whether ranks are to let each other know of such a board's slabs before they step it; then
// lc_board_slabs_lend writes the keys of this rank's blocks, and lc_board_slabs_join takes those of
// all ranks'. LC_ERROR_UNSUPPORTED: they do not reach each other, and are to be made anew, for the
// next way. Whatever comes of it, all ranks have called lc_board_slabs_join before they destroy the
// cover.
bool lc_board_slabs_joins(const lc_cover_options *asked, const lc_parts *parts);
lc_status lc_board_slabs_lend(lc_cover *cover, lc_slab_key *keys, lc_message *message);
lc_status lc_board_slabs_join(lc_cover *cover, const lc_slab_key *keys, lc_message *message);

// The same for LC_WAY_ROWS: whether rows lie alike in all ranks' slabs.
lc_status lc_board_slabs_join_rows(lc_cover *cover, const lc_parts *parts, lc_message *message);

// The first row that a rank holds; that of the rank behind the last is the board's height.
int64_t lc_board_slabs_first_row(const lc_parts *parts, int rank);

#endif
