# Support for scripts with ranks: jobs of Open MPI's mpirun on this machine. Sourced after
# support_cli.sh.
# shellcheck shell=bash

# Allow more ranks than CPUs and root; use only this machine.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
# MPI leaks memory under sanitizers. test_engines finds leaks of lightcone.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0

# new_session: gives later jobs a folder of their own. By default all jobs of a user share a folder
# in /tmp, which each job creates and removes, so a job that starts beside another may fail: "A call
# to mkdir was unable to create the desired directory".
new_session() {
    # shellcheck disable=SC2154 # begin, of support_cli.sh, sets it
    OMPI_MCA_orte_tmpdir_base=$(mktemp -d "$work/mpi.XXXX")
    export OMPI_MCA_orte_tmpdir_base
}

# wait_for_job PID: waits for that mpirun, a child of this shell, and returns its exit code. After a
# rank was killed, the mpirun of Open MPI 4.1 with PMIx 4.2 sometimes never ends, because it waits
# for a lock in memory that it has freed (docs/scale.md). So this kills an mpirun whose ranks all
# ended 10 s ago. While a rank lives, a hang may be lightcone's.
wait_for_job() {
    local without=0
    until has_ended "$1"; do
        if pgrep -P "$1" -r R,S,D,T >/dev/null; then
            without=0
        elif [ $((without += 1)) -eq 100 ]; then
            kill -KILL "$1"
        fi
        sleep 0.1
    done
    wait "$1"
}
