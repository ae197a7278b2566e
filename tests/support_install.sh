# shellcheck shell=bash
# shellcheck disable=SC2154 # build, root: of those who source this
# Support for the scripts that test `make install`; they source it.

# An installation writes its list into the build folder. These scripts install from a copy of the
# build's settings and programs, so a later `make uninstall` of the build finds its own list.

# cached VARIABLE: prints the variable's value in $build's CMake cache.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# copy_build FOLDER: copies $build to it; the source is $root.
copy_build() {
    local settings
    mapfile -t settings < <(grep -E '^LC_[A-Z_]+:BOOL=' "$build/CMakeCache.txt")
    cmake -G "$(cached CMAKE_GENERATOR)" -S "$root" -B "$1" "${settings[@]/#/-D}" -DLC_TESTS=OFF \
        "-DCMAKE_C_COMPILER=$(cached CMAKE_C_COMPILER)" \
        "-DCMAKE_BUILD_TYPE=$(cached CMAKE_BUILD_TYPE)" >"$1.log" 2>&1 || { cat "$1.log"; exit 1; }
    cp -P "$build"/lightcone "$build"/liblightcone.* "$1"
    [ ! -e "$build"/lightcone-mpi.so ] || cp "$build"/lightcone-mpi.so "$1"
}

# Removes settings of an outer make or the caller's shell.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL PREFIX DESTDIR BUILD
unset PKG_CONFIG_PATH LD_LIBRARY_PATH LD_RUN_PATH MANPATH
