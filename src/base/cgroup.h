// CPU and memory limits of this process's control group, such as a container or a batch job.
#ifndef LC_BASE_CGROUP_H
#define LC_BASE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

// Finds the lowest CPU quota of this process's group and the groups above it, in whole CPUs rounded
// up (at least 1). Supports versions 1 and 2. Returns false if there is none. `root` precedes /proc
// and /sys/fs/cgroup in paths: "" for this machine, a folder in tests.
bool lc_cgroup_cpus(const char *root, uint64_t *cpus);

// Like lc_cgroup_cpus, for memory in bytes.
bool lc_cgroup_memory(const char *root, uint64_t *size_bytes);

#endif
