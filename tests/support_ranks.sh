# What the scripts with ranks share: jobs of Open MPI's mpirun on this machine.
# shellcheck shell=bash

# More ranks than CPUs, root too, and no other machine to be asked for.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none
# With sanitizers: MPI keeps memory to the end. What lightcone keeps, test_engines would show.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
