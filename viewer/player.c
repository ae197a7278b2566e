// Plays a timeline.
#include "player.h"

static uint64_t interval_ns(const lc_player *player)
{
    return (uint64_t)(1e9 / player->speed);
}

void lc_player_create(lc_player *player)
{
    *player = (lc_player){.speed = 10};
}

void lc_player_play(lc_player *player, int way, uint64_t now_ns)
{
    player->way = way;
    player->due_ns = now_ns + interval_ns(player);
}

void lc_player_pause(lc_player *player)
{
    player->way = 0;
}

void lc_player_set_speed(lc_player *player, double speed, uint64_t now_ns)
{
    player->speed = speed;
    player->due_ns = now_ns + interval_ns(player);
}

void lc_player_set_loops(lc_player *player, bool loops)
{
    player->loops = loops;
}

void lc_player_took(lc_player *player, uint64_t opening_ns)
{
    player->opening_ns = opening_ns;
}

bool lc_player_is_over(const lc_player *player, int way, uint64_t frame, uint64_t frames)
{
    const uint64_t end = way > 0 ? frames - 1 : 0;
    return frames == 1 || (frame == end && !player->loops);
}

bool lc_player_next(lc_player *player, uint64_t frame, uint64_t frames, uint64_t now_ns,
                    uint64_t *next, uint64_t *wake_ns)
{
    *wake_ns = player->way != 0 ? player->due_ns : UINT64_MAX;
    if (now_ns < *wake_ns)
        return false;
    if (player->way > 0)
        *next = frame < frames - 1 ? frame + 1 : 0;
    else
        *next = frame > 0 ? frame - 1 : frames - 1;
    // Counted from the due time, to keep the speed. A long delay is not made up for.
    player->due_ns += interval_ns(player);
    if (player->due_ns < now_ns)
        player->due_ns = now_ns;
    return true;
}
