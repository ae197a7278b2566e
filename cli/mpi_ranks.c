#include "mpi_ranks.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "exit_code.h"
#include "lightcone/machine.h"
#include "message.h"
#include "shared_context.h"

static lc_ranks *the_ranks;

// Environment variables of MPI launchers for the number of processes and the rank of this process.
static const struct {
    const char *count, *rank;
} starters[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, // Open MPI's mpirun
    {"PMI_SIZE", "PMI_RANK"},                         // MPICH's and Intel's
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},            // srun --mpi=pmix
};

// Returns the number of processes and sets *rank. Without a launcher, there is one process, and its
// rank is 0.
static int count_ranks(int *rank)
{
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
        const char *count = getenv(starters[i].count), *own = getenv(starters[i].rank);
        if (count == NULL || own == NULL)
            continue;
        *rank = atoi(own);
        return atoi(count);
    }
    *rank = 0;
    return 1;
}

// Finds the MPI component, which is in the command's own folder or in the installation folder. If
// the component is in neither of the two folders, `path` is the path in the installation folder.
static void find_component(char path[PATH_MAX])
{
    static const char *const folders[] = {".", LC_COMPONENT_FOLDER};
    const char *chosen = getenv("LIGHTCONE_MPI");
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const int written =
            chosen != NULL ? snprintf(path, PATH_MAX, "%s", chosen)
                           : snprintf(path, PATH_MAX, "%s/%s/lightcone-mpi.so", own, folders[i]);
        if (written >= PATH_MAX)
            path[0] = '\0';
        if (access(path, R_OK) == 0)
            return;
    }
}

bool lc_cli_ranks_begin(int *code)
{
    char component[PATH_MAX];
    lc_message why;
    int rank;
    if (count_ranks(&rank) < 2)
        return false;
    find_component(component);
    lc_status status = lc_ranks_open(&the_ranks, component, &why);
    *code = LC_EXIT_FAILURE;
    if (status != LC_OK) {
        if (rank == 0)
            lc_cli_error("the MPI ranks cannot work together: %s", why.text);
        return true;
    }
    if (lc_ranks_rank(the_ranks) == 0)
        return false;
    // Rank 0 decides how to stop, because rank 0 may have to save a file first.
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    status = lc_ranks_serve(the_ranks, lc_cli_context(), &why);
    if (status == LC_OK)
        *code = LC_EXIT_OK;
    else
        lc_cli_error("rank %d: %s", lc_ranks_rank(the_ranks), why.text);
    lc_cli_context_end();
    lc_cli_ranks_end();
    return true;
}

lc_ranks *lc_cli_ranks(void)
{
    return the_ranks;
}

int lc_cli_ranks_threads(void)
{
    if (the_ranks == NULL)
        return 0;
    // mpirun may bind each process to CPUs of its own, or let several processes share CPUs.
    const long each = sysconf(_SC_NPROCESSORS_ONLN) / lc_ranks_count_here(the_ranks);
    lc_machine machine;
    lc_machine_get(&machine);
    return each < 1 ? 1 : each < machine.threads ? (int)each : machine.threads;
}

void lc_cli_ranks_end(void)
{
    lc_ranks_close(&the_ranks);
}
