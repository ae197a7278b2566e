# shellcheck shell=bash
# shellcheck disable=SC2154 # build, root: of those who source this
# What the scripts that try `make install` share. Sourced by them.

# An installation writes its list into the folder of the build. So that a `make uninstall` there
# still finds its own, these scripts install from a folder that has the build's settings and
# programs.

# cached VARIABLE: what CMake knows in $build.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# copy_build FOLDER: makes it of $build; the source is $root.
copy_build() {
    local settings
    mapfile -t settings < <(grep -E '^LC_[A-Z_]+:BOOL=' "$build/CMakeCache.txt")
    cmake -G "$(cached CMAKE_GENERATOR)" -S "$root" -B "$1" "${settings[@]/#/-D}" -DLC_TESTS=OFF \
        "-DCMAKE_C_COMPILER=$(cached CMAKE_C_COMPILER)" \
        "-DCMAKE_BUILD_TYPE=$(cached CMAKE_BUILD_TYPE)" >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
    cp -P "$build"/lightcone "$build"/liblightcone.* "$1"
    [ ! -e "$build"/lightcone-mpi.so ] || cp "$build"/lightcone-mpi.so "$1"
}

# What an outer make or the caller's shell has set is not what is tried.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL PREFIX DESTDIR BUILD
unset PKG_CONFIG_PATH LD_LIBRARY_PATH LD_RUN_PATH MANPATH
