// Plays a timeline: direction, speed, loop, and the frame that is due.
//
// A pure calculation: the caller passes all frames and times. Only player.c writes an lc_player;
// others read it.
//
// Threads: only the universe's.
#ifndef LC_VIEWER_PLAYER_H
#define LC_VIEWER_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lc_player {
    int way;             // 1: forwards, -1: backwards, 0: paused
    bool loops;          // goes on at the other end
    double speed;        // frames a second
    uint64_t due_ns;     // time of the next frame
    uint64_t opening_ns; // duration of opening the last frame
} lc_player;

// Initialises a player: paused, ten frames a second, no loop.
void lc_player_create(lc_player *player);

// Plays from now on. The frame that is shown stays for its full time.
void lc_player_play(lc_player *player, int way, uint64_t now_ns);
void lc_player_pause(lc_player *player);
void lc_player_set_speed(lc_player *player, double speed, uint64_t now_ns);
void lc_player_set_loops(lc_player *player, bool loops);
void lc_player_took(lc_player *player, uint64_t opening_ns);

// Returns whether a frame is due, and sets *next to it. If none is, *wake_ns is when to ask again;
// UINT64_MAX: the player is paused. `frame` is the shown one of `frames`. If opening frames takes
// longer than their time, no frame is skipped.
bool lc_player_next(lc_player *player, uint64_t frame, uint64_t frames, uint64_t now_ns,
                    uint64_t *next, uint64_t *wake_ns);

// Returns whether playing in direction `way` ends with this frame.
bool lc_player_is_over(const lc_player *player, int way, uint64_t frame, uint64_t frames);

#endif
