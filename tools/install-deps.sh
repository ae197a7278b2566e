#!/usr/bin/env bash
# Installs what a build of lightcone needs and this machine does not have; the usage below says how.
# A library is there if pkg-config finds it, wherever it comes from. When all of it is there,
# nothing is done, and nobody is asked for a password.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: tools/install-deps.sh [--ci] [--print] [--build FOLDER] [-- CMAKE_FLAGS...]

Installs what a build of lightcone needs and this machine does not have: a C compiler, CMake, Ninja,
pkg-config and libraries. On Debian and Ubuntu it calls apt-get, through sudo if you are not root;
on Fedora and Arch it says what to type. `make` calls it first; `make DEPS=no` does not.

  --ci            also what .ci/run needs (Debian and Ubuntu)
  --print         say the command and do nothing
  --build FOLDER  a folder that CMake has configured: its settings count
  CMAKE_FLAGS     what CMake is given: -DLC_VIEWER=OFF needs no libwebsockets and no jansson,
                  -DLC_PNG=OFF no libpng, -DLC_URING=OFF no liburing, -DLC_TESTS=OFF no cmocka;
                  -DCMAKE_C_COMPILER, or CC in the environment, is the compiler that has to be there
TEXT
}

say() {
    printf 'lightcone: %s\n' "$1" >&2
    shift
    [ $# -eq 0 ] || printf '    %s\n' "$@" >&2
}

has_command() {
    command -v "$1" >/dev/null
}

ci=
print=
build=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage && exit 0 ;;
    --ci) ci=yes ;;
    --print) print=yes ;;
    --build)
        if [ $# -lt 2 ]; then
            say "tools/install-deps.sh: --build needs a folder"
            exit 2
        fi
        build=$2
        shift
        ;;
    --)
        shift
        break
        ;;
    *)
        say "tools/install-deps.sh: '$1' is not an option; CMake's flags come after --"
        usage >&2
        exit 2
        ;;
    esac
    shift
done
flags=("$@")

# setting NAME DEFAULT: what CMake will take a variable to be: its flags, or what it took before.
setting() {
    local name=$1 value=$2 i flag
    if [ -n "$build" ] && [ -e "$build/CMakeCache.txt" ]; then
        value=$(sed -n "s/^$name:[A-Z]*=//p" "$build/CMakeCache.txt")
        value=${value:-$2}
    fi
    for ((i = 0; i < ${#flags[@]}; i++)); do
        flag=${flags[i]}
        if [ "$flag" = -D ] && [ $((i + 1)) -lt ${#flags[@]} ]; then
            i=$((i + 1))
            flag=-D${flags[i]}
        fi
        if [[ $flag =~ ^-D"$name"(:[A-Z]+)?=(.*)$ ]]; then
            value=${BASH_REMATCH[2]}
        fi
    done
    printf '%s\n' "$value"
}

is_on() { # NAME: an option of CMake's that is ON unless it is said to be off
    local value
    value=$(setting "$1" ON)
    [ -n "$value" ] && ! [[ ${value^^} =~ ^(0|OFF|NO|N|FALSE|IGNORE|NOTFOUND|.*-NOTFOUND)$ ]]
}

libraries=(zlib)
! is_on LC_PNG || libraries+=(libpng)
libraries+=(libzstd libxxhash libmd)
! is_on LC_URING || libraries+=(liburing)
! is_on LC_VIEWER || libraries+=(libwebsockets jansson)
! is_on LC_VIEWER || ! is_on LC_QR || libraries+=(libqrencode)
! is_on LC_TESTS || libraries+=(cmocka)

# One line for each thing: its package for apt-get, dnf and pacman. gcc-13, clang-19 and the like
# are packages of that name.
packages='
cmake           cmake               cmake                 cmake
ninja           ninja-build         ninja-build           ninja
pkg-config      pkg-config          pkgconf-pkg-config    pkgconf
stdio.h         libc6-dev           glibc-devel           glibc
zlib            zlib1g-dev          zlib-devel            zlib
libpng          libpng-dev          libpng-devel          libpng
libzstd         libzstd-dev         libzstd-devel         zstd
libxxhash       libxxhash-dev       xxhash-devel          xxhash
libmd           libmd-dev           libmd-devel           libmd
liburing        liburing-dev        liburing-devel        liburing
libwebsockets   libwebsockets-dev   libwebsockets-devel   libwebsockets
jansson         libjansson-dev      jansson-devel         jansson
libqrencode     libqrencode-dev     qrencode-devel        qrencode
cmocka          libcmocka-dev       libcmocka-devel       cmocka
'

package_of() { # THING
    local thing apt dnf pacman
    # shellcheck disable=SC2034 # one of the three is read by its name
    while read -r thing apt dnf pacman; do
        if [ "$thing" = "$1" ] && [ -n "$manager" ]; then
            printf '%s\n' "${!manager}"
            return
        fi
    done <<<"$packages"
    printf '%s\n' "$1"
}

# Debian's apt and dpkg exist elsewhere too, and others' tools on Debian: what dpkg knows decides.
manager=
if has_command apt-get && dpkg-query -W base-files >/dev/null 2>&1; then
    manager=apt
elif has_command dnf; then
    manager=dnf
elif has_command pacman; then
    manager=pacman
fi

is_installed() { # PACKAGE
    # shellcheck disable=SC2016 # for dpkg-query to expand
    [[ $(dpkg-query -W -f '${db:Status-Abbrev}\n' "$1" 2>/dev/null) == *ii* ]]
}

# The compiler: what was asked for, or else what CMake finds first.
find_compiler() {
    local asked candidate
    asked=$(setting CMAKE_C_COMPILER "${CC-}")
    compiler=("$asked")
    if [ -z "$asked" ]; then
        compiler=(gcc)
        for candidate in cc gcc clang; do
            if has_command "$candidate"; then
                compiler=("$candidate")
                break
            fi
        done
    elif ! has_command "$asked"; then
        read -ra compiler <<<"$asked" # CC may have flags behind it
    fi
}

# look: fills the list of what is not there.
look() {
    local library
    missing=()
    has_command cmake || missing+=(cmake)
    has_command ninja || has_command ninja-build || has_command samu || missing+=(ninja)
    has_command "${PKG_CONFIG:-pkg-config}" || missing+=(pkg-config)
    # With a toolchain file, compiler and libraries are another machine's.
    if [[ -n $(setting CMAKE_TOOLCHAIN_FILE "") || " ${flags[*]-}" == *" --toolchain"* ]]; then
        return
    fi
    find_compiler
    if ! has_command "${compiler[0]}"; then
        missing+=("${compiler[0]}")
        # Its package only recommends the headers.
        [ "$manager" != apt ] || is_installed libc6-dev || missing+=(stdio.h)
    elif ! "${compiler[@]}" -E -x c - <<<'#include <stdio.h>' >/dev/null 2>&1; then
        missing+=(stdio.h)
    fi
    for library in "${libraries[@]}"; do
        if has_command "${PKG_CONFIG:-pkg-config}"; then
            "${PKG_CONFIG:-pkg-config}" --exists "$library" || missing+=("$library")
        elif [ "$manager" != apt ] || ! is_installed "$(package_of "$library")"; then
            missing+=("$library")
        fi
    done
}

look
wanted=()
for thing in "${missing[@]}"; do
    if [ "$thing" = "${compiler[0]-}" ] && ! [[ $thing =~ ^(gcc|clang)(-[0-9]+)?$ ]]; then
        say "the C compiler '$thing' (CC or CMAKE_C_COMPILER) is not there"
        exit 1
    fi
    wanted+=("$(package_of "$thing")")
done
if [ -n "$ci" ]; then
    if [ "$manager" != apt ]; then
        say "--ci knows the packages of Debian and Ubuntu only"
        exit 1
    fi
    extras=(g++ clang clang-format golly python3-scipy gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        qemu-user shellcheck debootstrap abigail-tools libopenmpi-dev openmpi-bin iproute2 lld ccache)
    # These often come from elsewhere, and then Debian's would be in their way.
    has_command node || extras+=(nodejs)
    has_command npm || extras+=(npm)
    has_command chromium || extras+=(chromium)
    has_command firefox-esr || has_command firefox || extras+=(firefox-esr)
    for package in "${extras[@]}"; do
        is_installed "$package" || wanted+=("$package")
    done
fi
if [ ${#wanted[@]} -eq 0 ]; then
    exit 0
fi

case $manager in
apt) command=(apt-get install -y --no-install-recommends "${wanted[@]}") ;;
dnf) command=(dnf install "${wanted[@]}") ;;
pacman) command=(pacman -S --needed "${wanted[@]}") ;;
*)
    say "missing: ${missing[*]}" \
        "Please install them with this system's package manager; the names of libraries are" \
        "pkg-config's. Then type the command again."
    exit 1
    ;;
esac
user=$(id -u)
typed=${command[*]}
[ "$user" -eq 0 ] || typed="sudo $typed"
if [ -n "$print" ]; then
    printf '%s\n' "$typed"
    exit 0
fi
if [ "$manager" != apt ]; then
    say "missing: ${missing[*]}. Please type this, then the command again:" "$typed"
    exit 1
fi

as_root=()
if [ "$user" -ne 0 ]; then
    if ! has_command sudo; then
        say "missing: ${missing[*]}. There is no sudo here; please type this as root:" \
            "${command[*]}"
        exit 1
    fi
    say "installing with apt-get, which takes a while: ${wanted[*]}" \
        "sudo may ask for your password"
    if ! sudo env true; then
        say "sudo has refused, so nothing was installed. Somebody who may has to type this:" \
            "$typed"
        exit 1
    fi
    as_root=(sudo)
else
    say "installing with apt-get, which takes a while: ${wanted[*]}"
fi
# sudo drops variables, so they are set behind it. What apt-get does is not shown, only its errors.
quiet=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0
    -o DPkg::Lock::Timeout=60)
# The lists of a fresh machine are empty or old; try what is there only if they cannot be renewed.
"${quiet[@]}" update </dev/null >/dev/null || say "the package lists could not be renewed"
if ! "${quiet[@]}" "${command[@]:1}" </dev/null >/dev/null; then
    say "apt-get could not install them; it says above why. The command was" "$typed"
    exit 1
fi
look
if [ ${#missing[@]} -gt 0 ]; then
    say "installed, but still not found: ${missing[*]}. Is PATH or PKG_CONFIG_PATH set otherwise?"
    exit 1
fi
