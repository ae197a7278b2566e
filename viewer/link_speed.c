// Measures the speed of a client's connection.
#include "link_speed.h"

enum {
    SMALL_BYTES = 1500, // pictures of this size have no transfer time
    LARGE_BYTES = 100000,
    SLOW_RATE = 500000, // bytes a second; a faster connection has no limit
    MOST_GROWTH = 2,
    LEAST_ROOM = 1024,
    FIRST_ROOM = 12500, // two take a fifth of a second at 1 Mbit/s
};

static const double second_ns = 1e9;
static const double least_ns = 1e6;    // shortest transfer time of a picture
static const double refresh_ns = 16e6; // a page draws at the next display refresh
static const double same_moment_ns = 4e6;
static const double share_s = 0.2 / LC_FRAMES_UNDER_WAY;

void lc_link_speed_sent(lc_link_speed *link, uint32_t frame, size_t size_bytes, uint64_t now_ns)
{
    bool alone = true;
    for (int i = 0; i < LC_FRAMES_UNDER_WAY; i++)
        alone = alone && link->under_way[i].sent_ns == 0;
    const size_t place = frame % LC_FRAMES_UNDER_WAY;
    link->under_way[place].frame = frame;
    link->under_way[place].sent_ns = now_ns;
    link->under_way[place].size_bytes = size_bytes;
    link->under_way[place].alone = alone;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

void lc_link_speed_arrived(lc_link_speed *link, uint32_t frame, uint64_t held_ns, uint64_t now_ns)
{
    const size_t place = frame % LC_FRAMES_UNDER_WAY;
    const double sent_ns = (double)link->under_way[place].sent_ns;
    const double size_bytes = (double)link->under_way[place].size_bytes;
    if (link->under_way[place].frame != frame || link->under_way[place].sent_ns == 0)
        return;
    const uint64_t since_ns = now_ns - link->under_way[place].sent_ns;
    now_ns -= held_ns < since_ns ? held_ns : since_ns;
    now_ns = now_ns > link->arrived_ns ? now_ns : link->arrived_ns;
    link->under_way[place].sent_ns = 0;
    const double before_ns = (double)link->arrived_ns;
    link->arrived_ns = now_ns;
    if (size_bytes <= SMALL_BYTES) {
        const double this_ns = (double)now_ns - sent_ns;
        // Higher values, caused by other traffic, count little; lower ones count at once.
        if (link->under_way[place].alone)
            link->latency_ns = link->latency_ns == 0 || this_ns < link->latency_ns
                                   ? this_ns
                                   : link->latency_ns + (this_ns - link->latency_ns) / 16;
        return;
    }
    // The picture waited for the one before it. But a page that draws two at once reports both at
    // once, so only their common transfer time is known.
    const bool is_pair = link->begin_ns != 0 && (double)now_ns - before_ns < same_moment_ns;
    if (!is_pair) {
        link->begin_ns = most(sent_ns + most(link->latency_ns, refresh_ns), before_ns);
        link->bytes = 0;
    }
    link->bytes += size_bytes;
    const double took_ns = most((double)now_ns - link->begin_ns, least_ns);
    double rate = link->bytes * second_ns / took_ns;
    if (rate < link->rate && took_ns < share_s * second_ns)
        return; // in time: a small picture does not show that the line is slower
    if (link->rate != 0 && rate > MOST_GROWTH * link->rate)
        rate = MOST_GROWTH * link->rate; // it may have come quickly by chance
    const double weight = link->rate == 0 ? 1 : rate < link->rate ? 0.5 : 0.25;
    link->rate += (rate - link->rate) * weight;
}

static bool is_slow(const lc_link_speed *link)
{
    return link->rate != 0 && link->rate < SLOW_RATE;
}

bool lc_link_speed_is_known(const lc_link_speed *link)
{
    return link->rate != 0;
}

bool lc_link_speed_is_quick(const lc_link_speed *link)
{
    return lc_link_speed_is_known(link) && !is_slow(link);
}

size_t lc_link_speed_limit_bytes(const lc_link_speed *link)
{
    if (link->rate == 0)
        return FIRST_ROOM;
    if (!is_slow(link))
        return SIZE_MAX;
    const double room = link->rate * share_s;
    return room < LEAST_ROOM ? LEAST_ROOM : (size_t)room;
}

bool lc_link_speed_compresses(const lc_link_speed *link, size_t size_bytes)
{
    return size_bytes > (link->rate == 0 ? LARGE_BYTES : lc_link_speed_limit_bytes(link));
}
