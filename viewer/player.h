// How a timeline is played: which way, how fast, once or round and round; and which frame is due.
//
// Only numbers: frames and times come from the caller, so nothing here knows a timeline or looks at
// a clock. Only player.c writes an lc_player; others read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_PLAYER_H
#define LC_VIEWER_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lc_player {
    int way;             // 1: forwards, -1: backwards, 0: it does not play
    bool loops;          // goes on at the other end
    double speed;        // frames a second
    uint64_t due_ns;     // when the next frame is to be shown
    uint64_t opening_ns; // what opening a frame took last
} lc_player;

// It does not play; ten frames a second, once.
void lc_player_create(lc_player *player);

// Plays from now on. The frame that is shown has its time, too, before the next one comes.
void lc_player_play(lc_player *player, int way, uint64_t now_ns);
void lc_player_pause(lc_player *player);
void lc_player_set_speed(lc_player *player, double speed, uint64_t now_ns);
void lc_player_set_loops(lc_player *player, bool loops);
void lc_player_took(lc_player *player, uint64_t opening_ns);

// Whether a frame is to be shown now: it goes to *next. If not, *wake_ns is when to ask again;
// UINT64_MAX: it does not play. `frame` is the one that is shown, of `frames`. No frame is left out
// if opening them takes longer than their time.
bool lc_player_next(lc_player *player, uint64_t frame, uint64_t frames, uint64_t now_ns,
                    uint64_t *next, uint64_t *wake_ns);

// Whether playing that way ends with this frame.
bool lc_player_is_over(const lc_player *player, int way, uint64_t frame, uint64_t frames);

#endif
