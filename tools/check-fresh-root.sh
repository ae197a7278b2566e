#!/bin/bash
# What happens on a fresh machine: in an empty Debian, made by debootstrap, an ordinary user who may
# use sudo clones this repository's HEAD into a path with blanks and parentheses, and types `make`,
# `make test`, `make install` and `make run`, warnings being errors. Whatever fails there fails
# here. At the end it says how long each part took.
#
#     tools/check-fresh-root.sh [--suite NAME] [--compiler gcc|clang] [--user root]
#                               [--tests REGEX] [--no-run] [--mirror URL] [--components LIST]
#                               [--keep]
#
#     --suite NAME      the release: trixie (this is the default), bookworm, ...
#     --compiler NAME   gcc (default), or clang, which is then there before the user comes
#     --user root       root does all of it, and there is no sudo
#     --tests REGEX     only those tests, as `ctest -R` takes it; otherwise `make test`
#     --no-run          without the main job
#     --mirror URL      the packages come from there; otherwise from a source of this machine's apt
#     --components LIST those of the archive, with commas: main (default); Ubuntu needs
#                       main,universe, and here its keyring and debootstrap's script of the release
#     --keep            leaves the folder of the system, and says where it is
#
# Needs root, debootstrap, git and unshare, and a kernel that allows it namespaces for mounts and
# processes: nothing is mounted for others to see. Interrupted, it ends what it started and removes
# it. The empty system is kept in LC_FRESH_CACHE (/var/cache/lightcone) for a month.
# shellcheck disable=SC2317 # `part` calls the functions
set -euo pipefail

die() {
    echo "check-fresh-root: $*" >&2
    exit 1
}

usage() {
    sed -n '2,/^# shellcheck/{/^# shellcheck/d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"
}

suite=trixie
compiler=gcc
user=life
tests=
runs=yes
mirror=
components=main
keep=
while [ $# -gt 0 ]; do
    case $1 in
    --suite | --compiler | --user | --tests | --mirror | --components)
        [ $# -ge 2 ] || die "$1 needs a value; see --help"
        declare "${1#--}=$2"
        shift
        ;;
    --no-run) runs= ;;
    --keep) keep=yes ;;
    -h | --help) usage && exit 0 ;;
    *) die "'$1' is not an option; see --help" ;;
    esac
    shift
done
[[ $compiler == gcc || $compiler == clang ]] || die "--compiler is gcc or clang, not '$compiler'"
[[ $user == life || $user == root ]] || die "--user is root, or not given"

[ "$(id -u)" -eq 0 ] || die "this makes a system of its own, for which it has to be run as root"
for tool in debootstrap git unshare apt-get chroot; do
    command -v "$tool" >/dev/null || die "there is no $tool here; please install it"
done
unshare --mount --pid --fork true 2>/dev/null ||
    die "namespaces are not allowed here (unshare --mount --pid)"

source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
cache=${LC_FRESH_CACHE:-/var/cache/lightcone}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/lightcone-fresh-XXXXXX")
root=$work/root
# The mounts are in the other namespace. Should one be here all the same, its files stay.
clean_up() {
    if [ -n "$job" ]; then # the first process of the other namespace ends all of it
        kill -KILL -- "-$job" 2>/dev/null || true
        wait "$job" 2>/dev/null || true
    fi
    if [ -n "$now" ]; then
        echo "check-fresh-root: failed: $now" >&2
    fi
    if [ -n "$keep" ]; then
        echo "check-fresh-root: the system is in $root"
    else
        rm -rf --one-file-system "$work"
    fi
}
now=
job=
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

parts=()
began=$SECONDS
# part NAME COMMAND...: runs it, and notes how long it took. It is a job of its own, since a signal
# would otherwise have to wait for its end.
set -m
part() {
    local start=$SECONDS
    now=$1
    shift
    printf '\n==== [%4d s] %s\n' $((SECONDS - began)) "$now"
    "$@" </dev/null &
    job=$!
    wait "$job"
    job=
    parts+=("$(printf '%5d s  %s' $((SECONDS - start)) "$now")")
    now=
}

# ---- an empty system -----------------------------------------------------------------------------

# The first of apt's own sources that has the release.
find_mirror() {
    local site
    # shellcheck disable=SC2016 # for apt to expand
    while read -r site; do
        if /usr/lib/apt/apt-helper download-file "${site%/}/dists/$suite/Release" \
            "$work/release" >/dev/null 2>&1; then
            echo "${site%/}"
            return
        fi
    done < <(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        sed -n 's/^main //p' | awk '!seen[$0]++')
    die "none of the sources of this machine's apt has $suite; please give --mirror"
}

# Proxies, and whatever else this machine's apt needs to reach them.
settings_of_apt() {
    apt-config dump | grep -E '^Acquire::(https?|Check-|Retries|ForceIPv)' || true
}

make_system() {
    local proxy='' extra=()
    if [ -e "$kept" ] && [ -z "$(find "$kept" -mtime +30)" ]; then
        echo "as it was kept in $kept"
        mkdir "$root"
        tar -xf "$kept" -C "$root"
        return
    fi
    if [ -z "$mirror" ]; then
        mirror=$(find_mirror)
    fi
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    if [ -n "$proxy" ] && [ "$proxy" != DIRECT ]; then
        export http_proxy=$proxy
    fi
    if [[ $mirror == https:* ]]; then
        extra=(--include=ca-certificates)
    fi
    debootstrap --variant=minbase --components="$components" "${extra[@]}" "$suite" "$root" \
        "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log" && die "debootstrap has failed"; }
    mkdir -p "$cache"
    tar -cf "$kept.$$" -C "$root" .
    mv "$kept.$$" "$kept"
}

# ---- who is there, and what ----------------------------------------------------------------------

# inside COMMAND...: in the system, as root. What is mounted for it is gone when it ends.
inside() {
    # shellcheck disable=SC2016 # for that shell to expand
    unshare --mount --propagation private --pid --fork --kill-child bash -c '
        set -e
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        exec chroot "$root" env -i PATH=$path HOME=/root LANG=C.UTF-8 TERM=dumb \
            DEBIAN_FRONTEND=noninteractive "$@"
        ' bash "$root" "$@"
}

# What a fresh machine has before somebody comes and clones: make, git and sudo.
prepare() {
    local packages=(make git ca-certificates)
    if [ "$user" != root ]; then
        packages+=(sudo)
    fi
    if [ "$compiler" = clang ]; then
        packages+=(clang)
    fi
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    settings_of_apt >"$root/etc/apt/apt.conf.d/99machine"
    inside apt-get update -q
    inside apt-get install -y -q --no-install-recommends "${packages[@]}"
    if [ "$user" != root ]; then
        inside useradd --create-home --shell /bin/bash "$user"
        echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
    fi
    git -C "$source" -c safe.directory="$source" bundle create -q "$root/srv/lightcone.bundle" HEAD
}

# as_user COMMAND...: the user does it, in the clone.
as_user() {
    local home=/home/$user
    if [ "$user" = root ]; then
        home=/root
    fi
    # shellcheck disable=SC2016 # for that shell to expand
    inside chroot --userspec="$user:$user" / env -u DEBIAN_FRONTEND HOME="$home" USER="$user" \
        PATH=/usr/local/bin:/usr/bin:/bin bash -c '
        mkdir -p "$HOME/games of life (fresh)/light cone"
        cd "$HOME/games of life (fresh)/light cone"
        exec "$@"' bash "$@"
}

install_it() {
    # shellcheck disable=SC2016 # for that shell to expand
    as_user bash -ec '
        make install PREFIX="$HOME/my own (tools)"
        "$HOME/my own (tools)/bin/lightcone" run patterns/spaceships/glider.rle -g 1000 -q -o glider.rle
        "$HOME/my own (tools)/bin/lightcone" info glider.rle
        tools/check-install.sh build'
}

test_it() {
    if [ -z "$tests" ]; then
        as_user make test "CMAKE_FLAGS=${flags[*]}"
    else
        as_user ctest --test-dir build -j "$(nproc)" --output-on-failure --no-label-summary \
            --no-tests=error -R "$tests"
    fi
}

kept=$cache/fresh-$suite.tar
flags=(-DLC_WERROR=ON)
if [ "$compiler" != gcc ]; then
    flags+=("-DCMAKE_C_COMPILER=$compiler")
fi

main() {
    echo "check-fresh-root: $suite, $compiler, as ${user/life/an ordinary user}," \
        "HEAD is $(git -C "$source" -c safe.directory="$source" log -1 --format='%h %s')"
    part "an empty system" make_system
    part "what is there before: git, make, sudo" prepare
    part "git clone" as_user git clone -q /srv/lightcone.bundle .
    part "make deps" as_user make deps "CMAKE_FLAGS=${flags[*]}"
    part "make" as_user make "CMAKE_FLAGS=${flags[*]}"
    part "${tests:+some tests of }make test" test_it
    part "make install" install_it
    if [ -n "$runs" ]; then
        part "make run" as_user make run "CMAKE_FLAGS=${flags[*]}"
    fi

    printf '\ncheck-fresh-root: all of it passed (%s, %s, as %s)\n' "$suite" "$compiler" \
        "${user/life/an ordinary user}"
    printf '%s\n' "${parts[@]}"
}

main
exit # what may have been changed below while it ran is not read
