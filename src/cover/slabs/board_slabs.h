// A bounded board in several blocks. Settings of an engine: "blocks=N", "shares=2+1" for blocks of
// different heights, and "devices=LIST" for engines on GPUs.
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
    LC_WAY_MEMORY, // ranks reach each other's memory; lc_slab_ops.exchange_halos
    LC_WAY_ROWS,   // messages with rows as the engine stores them (halo_rows.h)
    LC_WAY_CELLS,  // messages with cells, on any surface (halo_exchange.h)
} lc_halo_way;

// The settings, and the layout that follows from them.
typedef struct lc_parts {
    int blocks;                     // of this process; 0: not set
    bool blocks_for_devices;        // `blocks` follows from device_count
    bool blocks_for_shares;         // `blocks` follows from share_count
    int device_count;               // 0: not set
    int devices[LC_SLABS_MAX];      // the driver's numbers, from the top block down
    int share_count;                // 0: not set
    uint64_t shares[LC_SLABS_MAX];  // of all slabs of the board
    lc_ranks *ranks;                // each with as many blocks and devices; NULL: one process
    lc_halo_way way;                // of ranks
    const int64_t *all_rows;        // with ranks: first rows of slabs, and the height; not owned
    int64_t rows[LC_SLABS_MAX + 1]; // without ranks
    bool uneven;                    // slabs have different heights
    char alike[LC_ENGINE_SETTINGS_BYTES]; // settings of all slabs; "": those of the first
    char shares_text[LC_SHARES_BYTES];    // shares that give these heights; "": equal heights
} lc_parts;

// Moves these settings from *asked to *parts. LC_ERROR_ARGUMENT (invalid number of blocks, device
// or shares), LC_ERROR_UNSUPPORTED (an unbounded universe, or an engine that cannot step slabs).
lc_status lc_board_slabs_take_settings(lc_cover_options *asked, lc_parts *parts,
                                       lc_message *message);

// Assigns rows to the blocks of a board in one process, which can then be checked and created.
// LC_ERROR_ARGUMENT (shares and slabs differ in number, or the settings become too long).
lc_status lc_board_slabs_lay_out(const lc_cover_options *asked, lc_parts *parts,
                                 lc_message *message);

// The same with ranks, in two steps. Each rank finds the abilities of its own blocks. Rank 0 turns
// the abilities of all slabs into `rows`, parts->alike and parts->shares_text, and sends these to
// all ranks. `slabs` is overwritten.
void lc_board_slabs_abilities(const lc_cover_options *asked, const lc_parts *parts,
                              lc_slab_ability *slabs);
lc_status lc_board_slabs_assign_rows(const lc_cover_options *asked, lc_parts *parts,
                                     lc_slab_ability *slabs, int64_t *rows, lc_message *message);

// Returns the block with the highest slab of this process, for which common settings are chosen.
int lc_board_slabs_leader(const lc_cover_options *asked, const lc_parts *parts);

// Returns the memory limit of the first block. Rows need not be assigned.
uint64_t lc_board_slabs_limit_bytes(const lc_cover_options *asked, const lc_parts *parts);

// Return the one-block cover of the i-th slab without its block, with its part of the memory; and
// the slab's area.
lc_one_block lc_board_slabs_block(const lc_cover_options *asked, const lc_parts *parts, int i);
lc_area lc_board_slabs_area(const lc_cover_options *asked, const lc_parts *parts, int i);

// lc_cover_check and lc_cover_create for one or more blocks. With ranks, all ranks call them, and
// later `advance`. Each rank holds and describes its own blocks, and only their cells can be read,
// written and viewed.
lc_status lc_board_slabs_check(const lc_cover_options *asked, const lc_parts *parts,
                               lc_universe_needs *needs, lc_message *message);
lc_status lc_board_slabs_create(lc_cover **out, const lc_cover_options *asked,
                                const lc_parts *parts, lc_message *message);

// Whether ranks must connect the slabs of such a board before they step it. Then
// lc_board_slabs_lend writes the keys of this rank's blocks, and lc_board_slabs_join takes the keys
// of all slabs. LC_ERROR_UNSUPPORTED: the ranks cannot reach each other's slabs and create the
// board again for the next way. In every case all ranks call lc_board_slabs_join before they
// destroy the cover.
bool lc_board_slabs_joins(const lc_cover_options *asked, const lc_parts *parts);
lc_status lc_board_slabs_lend(lc_cover *cover, lc_slab_key *keys, lc_message *message);
lc_status lc_board_slabs_join(lc_cover *cover, const lc_slab_key *keys, lc_message *message);

// The same for LC_WAY_ROWS: checks that the slabs of all ranks store rows alike.
lc_status lc_board_slabs_join_rows(lc_cover *cover, const lc_parts *parts, lc_message *message);

// Returns the first row of a rank; for the rank number after the last, the height of the board.
int64_t lc_board_slabs_first_row(const lc_parts *parts, int rank);

#endif
