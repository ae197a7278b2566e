#!/usr/bin/env bash
# tools/make-release.sh on a machine that has nothing: it says all that is missing before it makes
# anything. And what is installed names no files of the tree.
# Usage: test_release.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there is
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
begin "$@"

# ---- what a release needs ------------------------------------------------------------------------
mkdir bin tree tree/tools
for tool in bash dirname; do
    ln -s "$(type -P $tool)" bin/$tool
done
cp "$root/tools/make-release.sh" tree/tools
lacking() { # PARTS: ./err is what a release of these parts says
    # shellcheck disable=SC2086
    PATH=$work/bin "$work/bin/bash" tree/tools/make-release.sh $1 >out 2>err
    is "make-release $1: exit code" $? 1
    is "make-release $1 makes nothing" "$(ls tree)" tools
}
lacking ''
for tool in git xz cc cmake ninja dh dpkg-buildpackage fakeroot lintian; do
    is "make-release says that $tool is missing" "$(grep -c "^    $tool (package " err)" 1
done
has "make-release says what to do" err "make-release.sh --install"
lacking tarball
is "a tarball needs less" "$(grep -c '^    ' err)" 2

# ---- what is installed ---------------------------------------------------------------------------
grep -rnE '(docs|src|tests|tools|cli|bench)/[a-z_]+\.(md|c|h|sh)' "$root/include" >out
is "headers name what is installed" "$(cat out)" ""
for command in run view info convert patterns rules devices bench gallery 'gallery bench' tune; do
    # shellcheck disable=SC2086
    "$lightcone" help $command
done >out 2>/dev/null
is "help names what is installed" "$(grep -E '(docs|src|tests|tools|cli)/[a-z]' out)" ""
is "the manual names what is installed" "$(grep -E '(docs|src|tests|tools|cli)/[a-z]' \
    "$root/docs/man/lightcone.1" | grep -v share/doc)" ""

finish
