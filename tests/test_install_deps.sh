#!/usr/bin/env bash
# tools/install-deps.sh on machines that are none: a PATH that holds nothing but a few real tools
# and stand-ins for apt-get, dpkg-query, pkg-config, sudo and compilers. Needs no root, no network.
# Usage: test_install_deps.sh. One line for each failure; exit status 1 if there was any.
# shellcheck disable=SC2016 # the stand-ins expand these
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

script=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../tools/install-deps.sh")
bash=$(type -P bash)
work=$(mktemp -d)
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
cd "$work" || exit 1
unset CC PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_LIBDIR DEBIAN_FRONTEND
export FAKE=$work/facts
MV=$(type -P mv)
export MV

stand_in() { # NAME: a command, from standard input
    { echo "#!$bash"; cat; } >"bin/$1"
    chmod +x "bin/$1"
}

# fresh [THING...]: a Debian machine of an ordinary user who may use sudo, with these things there:
# commands, and libraries by pkg-config's name. Other commands are on a shelf, for apt-get.
fresh() {
    local thing
    rm -rf bin facts
    mkdir bin facts facts/shelf
    for thing in bash cat env sed true; do
        ln -s "$(type -P "$thing")" "bin/$thing"
    done
    echo 1000 >facts/user
    touch facts/installed facts/found facts/calls
    stand_in id <<<'cat "$FAKE/user"'
    stand_in dpkg-query <<'END'
[ "$*" != "-W base-files" ] || exit 0
while read -r package; do
    [ "$package" != "${!#}" ] || { echo "ii "; exit 0; }
done <"$FAKE/installed"
echo "dpkg-query: no packages found matching ${!#}" >&2
exit 1
END
    # What is installed by apt-get, pkg-config finds and the shell has. It minds who calls, and how.
    stand_in apt-get <<'END'
echo "apt-get ${DEBIAN_FRONTEND-a terminal} ${FAKE_ROOT-$(cat "$FAKE/user")} $*" >>"$FAKE/calls"
echo "Setting up a lot of things"
for word; do
    case $word in
    update | install) [ ! -e "$FAKE/refuse-$word" ] || { echo "E: Could not" >&2; exit 100; } ;;
    esac
done
for package; do
    case $package in
    libwebsockets-dev | libpng-dev | libzstd-dev | libxxhash-dev | libmd-dev | liburing-dev) package=${package%-dev} ;;
    zlib1g-dev) package=zlib ;;
    libjansson-dev) package=jansson ;;
    libqrencode-dev) package=libqrencode ;;
    libcmocka-dev) package=cmocka ;;
    ninja-build) package=ninja ;;
    esac
    [ ! -e "$FAKE/shelf/$package" ] || "$MV" "$FAKE/shelf/$package" "$FAKE/../bin"
    [ -e "$FAKE/useless" ] || echo "$package" >>"$FAKE/found"
done
END
    # As the real one does: only what is allowed passes, and DEBIAN_FRONTEND does not.
    stand_in sudo <<'END'
echo "sudo $*" >>"$FAKE/calls"
[ ! -e "$FAKE/refuse-sudo" ] || { echo "sudo: a password is required" >&2; exit 1; }
unset DEBIAN_FRONTEND
export FAKE_ROOT=0
exec "$@"
END
    stand_in pkg-config <<'END'
[ "$1" = --exists ] || exit 2
while read -r library; do [ "$library" != "$2" ] || exit 0; done <"$FAKE/found"
exit 1
END
    for thing; do
        case $thing in
        cc | clang | cmake | ninja | node | npm) stand_in "$thing" </dev/null ;;
        *) echo "$thing" >>facts/found ;;
        esac
    done
    for thing in cmake ninja gcc gcc-13 clang-19; do
        if [ ! -e "bin/$thing" ]; then
            stand_in "$thing" </dev/null
            mv "bin/$thing" facts/shelf
        fi
    done
}
whole=(cc cmake ninja zlib libpng libzstd libxxhash libmd liburing libwebsockets jansson libqrencode cmocka)

# deps CODE NAME ARGUMENT...: runs the script; what it says is in ./out and ./err.
deps() {
    local want=$1 name=$2 got
    shift 2
    : >facts/calls
    PATH=$work/bin "$bash" "$script" "$@" >out 2>err </dev/null
    got=$?
    is "$name: exit code ($(head -c 300 err))" $got "$want"
}

# wants NAME PACKAGE...: the packages that apt-get was told to install.
wants() {
    is "$1: what is installed" "$(sed -n 's/^apt-get .*--no-install-recommends //p' facts/calls)" \
        "${*:2}"
}

silent() { # NAME: nothing was said and nobody called
    is "$1: what it says" "$(cat out err)" ""
    is "$1: who is called" "$(cat facts/calls)" ""
}

# ---- what a build needs, and no more -------------------------------------------------------------
fresh "${whole[@]}"
deps 0 "all is there, and dpkg knows none of it"
silent "all is there, and dpkg knows none of it"

fresh
deps 0 "a fresh machine"
wants "a fresh machine" cmake ninja-build gcc libc6-dev zlib1g-dev libpng-dev libzstd-dev \
    libxxhash-dev libmd-dev liburing-dev libwebsockets-dev libjansson-dev libqrencode-dev libcmocka-dev
deps 0 "a second time"
silent "a second time"

fresh cc cmake ninja zlib libpng libzstd libxxhash libmd liburing
deps 0 "no viewer and no tests" -- -DLC_VIEWER=OFF -DLC_TESTS:BOOL=no
silent "no viewer and no tests"
deps 0 "no viewer" -- -Wno-dev -D LC_VIEWER=0
wants "no viewer" libcmocka-dev
fresh cc cmake ninja zlib libzstd libxxhash libmd liburing libwebsockets jansson libqrencode cmocka
deps 0 "no PNG" -- -DLC_PNG=OFF
silent "no PNG"
deps 0 "PNG if it can be had" -- -DLC_PNG=AUTO
wants "PNG if it can be had" libpng-dev
fresh cc cmake ninja zlib libpng libzstd libxxhash libmd libwebsockets jansson libqrencode cmocka
deps 0 "no io_uring" -- -DLC_URING=OFF
silent "no io_uring"
fresh cc cmake ninja zlib libpng libzstd libxxhash libmd liburing
deps 0 "no tests" -- -DLC_TESTS=FALSE -DLC_VIEWER=OFF -DLC_VIEWER=ON
wants "no tests; the last flag counts" libwebsockets-dev libjansson-dev libqrencode-dev
fresh cc cmake ninja zlib libpng libzstd libxxhash libmd liburing libwebsockets jansson cmocka
deps 0 "no QR codes" -- -DLC_QR=OFF
silent "no QR codes"

fresh cc cmake ninja zlib libpng libzstd libxxhash libmd liburing
mkdir -p "a build"
printf '%s\n' '//Build it' 'LC_VIEWER:BOOL=OFF' 'LC_TESTS:BOOL=OFF' >"a build/CMakeCache.txt"
deps 0 "as the build was configured" --build "a build"
silent "as the build was configured"
deps 0 "flags are newer than the build" --build "a build" -- -DLC_TESTS=ON
wants "flags are newer than the build" libcmocka-dev
deps 0 "no build yet" --build missing -- -DLC_VIEWER=OFF
silent "no build yet"

# ---- compilers -----------------------------------------------------------------------------------
fresh "${whole[@]:1}" clang
deps 0 "only clang"
silent "only clang"
CC="clang -m64" deps 0 "CC with a flag"
silent "CC with a flag"
fresh "${whole[@]}"
CC=clang-19 deps 0 "CC that is not there"
wants "CC that is not there" clang-19 libc6-dev
deps 0 "CMAKE_C_COMPILER" -- -DCMAKE_C_COMPILER=gcc-13
wants "CMAKE_C_COMPILER" gcc-13 libc6-dev
CC=tcc deps 1 "a compiler of no package"
has "a compiler of no package" err "the C compiler 'tcc' (CC or CMAKE_C_COMPILER) is not there"
fresh "${whole[@]}"
stand_in cc <<<'exit 1'
deps 1 "a compiler without headers"
wants "a compiler without headers" libc6-dev
fresh cmake ninja
deps 0 "a toolchain file" -- --toolchain cmake/aarch64.cmake
silent "a toolchain file"

# ---- pkg-config ----------------------------------------------------------------------------------
fresh "${whole[@]}"
mv bin/pkg-config facts/shelf
printf '%s\n' libpng-dev libzstd-dev libxxhash-dev libmd-dev liburing-dev \
    libwebsockets-dev libjansson-dev libqrencode-dev >facts/installed
deps 0 "no pkg-config: what dpkg knows is there"
wants "no pkg-config: what dpkg knows is there" pkg-config zlib1g-dev libcmocka-dev
fresh "${whole[@]}"
mv bin/pkg-config bin/another
PKG_CONFIG=another deps 0 "PKG_CONFIG"
silent "PKG_CONFIG"
fresh cc cmake ninja zlib
touch facts/useless
deps 1 "installed, and pkg-config looks elsewhere"
has "installed, and pkg-config looks elsewhere" err "still not found: libpng libzstd"

# ---- apt-get, sudo, root -------------------------------------------------------------------------
fresh "${whole[@]:0:12}"
deps 0 "sudo"
wants "sudo" libcmocka-dev
has "sudo" err "sudo may ask for your password"
is "sudo: what apt-get does is not shown" "$(cat out)" ""
is "sudo: apt-get asks nothing, as root" \
    "$(grep -c '^apt-get noninteractive 0 -qq .*\(update\|install -y\)' facts/calls)" 2
fresh "${whole[@]:0:12}"
echo 0 >facts/user
deps 0 "root"
wants "root" libcmocka-dev
is "root: no sudo" "$(grep -c sudo facts/calls err)" "facts/calls:0
err:0"
is "root: apt-get asks nothing" "$(grep -c '^apt-get noninteractive 0' facts/calls)" 2
fresh "${whole[@]:0:12}"
touch facts/refuse-sudo
deps 1 "sudo refuses"
has "sudo refuses" err "sudo has refused, so nothing was installed"
has "sudo refuses" err "    sudo apt-get install -y --no-install-recommends libcmocka-dev"
is "sudo refuses: the lists are not blamed" "$(grep -c lists err)" 0
fresh "${whole[@]:0:12}"
rm bin/sudo
deps 1 "no sudo"
has "no sudo" err "please type this as root:"
has "no sudo" err "apt-get install -y --no-install-recommends libcmocka-dev"
fresh "${whole[@]:0:12}"
touch facts/refuse-update
deps 0 "no lists"
has "no lists" err "the package lists could not be renewed"
wants "no lists" libcmocka-dev
fresh "${whole[@]:0:12}"
touch facts/refuse-install
deps 1 "apt-get fails"
has "apt-get fails" err "apt-get could not install them"

# ---- other systems -------------------------------------------------------------------------------
fresh cc cmake libpng libzstd
stand_in dpkg-query <<<'exit 1' # apt-get is there, and is not what this system is made with
stand_in dnf </dev/null
deps 1 "Fedora"
has "Fedora" err "    sudo dnf install ninja-build zlib-devel xxhash-devel libmd-devel liburing-devel libwebsockets-devel \
jansson-devel qrencode-devel libcmocka-devel"
is "Fedora: apt-get is not called" "$(cat facts/calls)" ""
fresh
rm bin/apt-get bin/dpkg-query bin/pkg-config
stand_in pacman </dev/null
deps 1 "Arch"
has "Arch" err "    sudo pacman -S --needed cmake ninja pkgconf gcc zlib libpng zstd xxhash libmd liburing \
libwebsockets jansson qrencode cmocka"
fresh "${whole[@]:0:12}"
rm bin/apt-get bin/dpkg-query
deps 1 "a system that nobody knows"
has "a system that nobody knows" err "missing: cmocka"
echo cmocka >>facts/found
deps 0 "a system that nobody knows, with all of it"
silent "a system that nobody knows, with all of it"

# ---- options -------------------------------------------------------------------------------------
fresh
for option in --help -h; do
    deps 0 "$option" $option
    has "$option" out "usage: tools/install-deps.sh"
    is "$option: who is called" "$(cat err facts/calls)" ""
done
for arguments in --frobnicate -DLC_VIEWER=OFF "--ci extra" --build; do
    # shellcheck disable=SC2086 # two words
    deps 2 "a mistake: $arguments" $arguments
    is "a mistake: $arguments: who is called" "$(cat facts/calls)" ""
done
has "a mistake" err "--build needs a folder"
deps 0 "--print" --print -- -DLC_VIEWER=OFF -DLC_TESTS=OFF
is "--print" "$(cat out)" "sudo apt-get install -y --no-install-recommends cmake ninja-build gcc \
libc6-dev zlib1g-dev libpng-dev libzstd-dev libxxhash-dev libmd-dev liburing-dev"
is "--print: who is called" "$(cat facts/calls)" ""
fresh "${whole[@]}" node npm
echo clang >facts/installed
deps 0 "--ci" --ci
wants "--ci" g++ clang-format golly python3-scipy gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
    qemu-user shellcheck debootstrap abigail-tools libopenmpi-dev openmpi-bin iproute2 lld ccache chromium \
    firefox-esr

# ---- make ----------------------------------------------------------------------------------------
root=$(dirname "$(dirname "$script")")
dry() { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DEPS make -n -C "$root" deps "$@"; }
has "make says what it builds" <(dry CMAKE_FLAGS=-DLC_VIEWER=OFF BUILD="a build") \
    'tools/install-deps.sh --build "a build" -- -DLC_VIEWER=OFF'
is "make DEPS=no" "$(dry DEPS=no | grep -c install-deps)" 0

finish
