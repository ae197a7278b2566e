// A bounded board in several blocks: the settings "blocks=N" of an engine, and "devices=LIST" of
// one that is on GPUs.
#ifndef LC_COVER_SPLIT_H
#define LC_COVER_SPLIT_H

#include "cover/cover.h"
#include "ranks/ranks.h"

// What the settings say.
typedef struct lc_parts {
    int blocks;                // 0: nothing was said
    bool blocks_for_devices;   // it is one for each device, since no number was said
    int device_count;          // 0: nothing was said
    int devices[LC_SLABS_MAX]; // by the driver's numbers, from the uppermost block's on
    lc_ranks *ranks;           // that have as many blocks each, and such devices; NULL: this alone
    bool apart;                // ranks cannot reach each other's memory: halos are given
} lc_parts;

// Takes these out of the settings of what is asked for. LC_ERROR_ARGUMENT (no such number of
// blocks, or no such device), LC_ERROR_UNSUPPORTED (an unbounded universe, or an engine whose
// blocks cannot go together).
lc_status lc_split_take(lc_cover_options *asked, lc_parts *parts, lc_message *message);

// lc_cover_check and lc_cover_create for such options and 1 or more blocks. With ranks it is called
// by all of them, and each holds and describes its own blocks. Advancing is then done by all, and
// only blocks' own cells can be read, written and looked at.
lc_status lc_split_check(const lc_cover_options *asked, const lc_parts *parts,
                         lc_universe_needs *needs, lc_message *message);
lc_status lc_split_create(lc_cover **out, const lc_cover_options *asked, const lc_parts *parts,
                          lc_message *message);

// Whether ranks are to let each other know of such a board's slabs before they step it; then
// lc_split_lend writes the keys of this rank's blocks, and lc_split_join takes those of all ranks'.
// LC_ERROR_UNSUPPORTED: they do not reach each other, and are to be made anew, apart. Whatever
// comes of it, all ranks have called lc_split_join before they destroy the cover.
bool lc_split_joins(const lc_cover_options *asked, const lc_parts *parts);
lc_status lc_split_lend(lc_cover *cover, lc_slab_key *keys, lc_message *message);
lc_status lc_split_join(lc_cover *cover, const lc_slab_key *keys, lc_message *message);

// The first row that a rank holds; that of the rank behind the last is the board's height.
int64_t lc_split_first_row(const lc_cover_options *asked, const lc_parts *parts, int rank);

#endif
