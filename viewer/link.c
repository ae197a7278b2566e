// How fast a client's connection is.
#include "link.h"

enum {
    SMALL_BYTES = 1500, // what takes no time by itself
    LARGE_BYTES = 100000,
    SLOW_RATE = 500000, // bytes a second: a faster connection has no bound
    LEAST_ROOM = 1024,
};

static const double second_ns = 1e9;
static const double least_ns = 1e6; // that a picture takes
static const double share_s = 0.2 / LC_FRAMES_UNDER_WAY;

void lc_link_sent(lc_link *link, uint32_t frame, size_t size_bytes, uint64_t now_ns)
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

void lc_link_arrived(lc_link *link, uint32_t frame, uint64_t now_ns)
{
    const size_t place = frame % LC_FRAMES_UNDER_WAY;
    const double sent_ns = (double)link->under_way[place].sent_ns;
    const double size_bytes = (double)link->under_way[place].size_bytes;
    if (link->under_way[place].frame != frame || link->under_way[place].sent_ns == 0)
        return;
    link->under_way[place].sent_ns = 0;
    const double before_ns = (double)link->arrived_ns;
    link->arrived_ns = now_ns;
    if (size_bytes <= SMALL_BYTES) {
        const double this_ns = (double)now_ns - sent_ns;
        // What others make slower counts little, and what makes it quicker at once.
        if (link->under_way[place].alone)
            link->latency_ns = link->latency_ns == 0 || this_ns < link->latency_ns
                                   ? this_ns
                                   : link->latency_ns + (this_ns - link->latency_ns) / 16;
        return;
    }
    // It waited for the one before it.
    const double begin_ns = most(sent_ns + link->latency_ns, before_ns);
    const double rate = size_bytes * second_ns / most((double)now_ns - begin_ns, least_ns);
    const double weight = link->rate == 0 ? 1 : rate < link->rate ? 0.5 : 0.25;
    link->rate += (rate - link->rate) * weight;
}

static bool is_slow(const lc_link *link)
{
    return link->rate != 0 && link->rate < SLOW_RATE;
}

size_t lc_link_room(const lc_link *link)
{
    if (!is_slow(link))
        return SIZE_MAX;
    const double room = link->rate * share_s;
    return room < LEAST_ROOM ? LEAST_ROOM : (size_t)room;
}

bool lc_link_compresses(const lc_link *link, size_t size_bytes)
{
    return size_bytes > lc_link_room(link) || (link->rate == 0 && size_bytes > LARGE_BYTES);
}
