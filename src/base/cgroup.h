// What the control group of this process (a container, a batch job) lets it use.
#ifndef LC_BASE_CGROUP_H
#define LC_BASE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

// The lowest CPU quota, in whole CPUs rounded up (at least 1), of this process's group and of the
// groups above it; versions 1 and 2. False if there is none. `root` stands before /proc and
// /sys/fs/cgroup: "" for this machine, a folder in tests.
bool lc_cgroup_cpus(const char *root, uint64_t *cpus);

// The same for memory, in bytes.
bool lc_cgroup_memory(const char *root, uint64_t *size_bytes);

#endif
