#!/usr/bin/env bash
# .ci/run leaves out a step only if nothing that .ci/inputs names for it has changed since it
# passed. The script and the table are the real ones, in a small tree of their own; what the steps
# call are stand-ins that note each call.
# Usage: test_ci_records.sh. One line for each failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
if ! command -v git >/dev/null || [ ! -e "$root/.ci/run" ]; then
    echo "skipped: there is no git here, or no .ci/run"
    exit 77
fi
work=$(mktemp -d)
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
export CALLS=$work/calls FACTS=$work/facts XDG_CACHE_HOME=$work/cache PATH="$work/bin:$PATH"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
ninja=$(type -P ninja)

# NAME --version and NAME --targets print facts/NAME; facts/fail-NAME makes every other call fail,
# and facts/edit-NAME names a file that the call changes. They are started a thousand times, so they
# start little themselves.
stand_in() { # PATH
    cat >"$1" <<'END'
#!/bin/sh
name=${0##*/}
if [ "$1" = --version ] || [ "$1" = --targets ]; then
    [ ! -e "$FACTS/$name" ] || cat "$FACTS/$name"
    exit 0
fi
echo "$name $*" >>"$CALLS"
[ ! -e "$FACTS/edit-$name" ] || echo changed >>"$(cat "$FACTS/edit-$name")"
[ ! -e "$FACTS/fail-$name" ]
END
    chmod +x "$1"
}

mkdir -p "$work"/{bin,facts,tree/.ci,tree/tools,tree/src/pattern,tree/src/record,tree/viewer,tree/docs} \
    "$work"/tree/tests/browser
cd "$work/tree" || exit 1
cp "$root"/.ci/{run,inputs} .ci/
cp "$root"/tools/{steps,records}.sh tools/
for name in cmake ctest ninja make python3 node npm gcc clang dpkg-query qemu-aarch64 \
    aarch64-linux-gnu-gcc; do
    stand_in "$work/bin/$name"
done
for name in install-deps check-layers check-style check-scripts check-abi test-threads \
    test-browser run-fuzzers arm64-libraries check-fresh-root; do
    stand_in "tools/$name.sh"
done
for name in src/pattern/rle.c viewer/server.c src/record/themes.c tests/browser/a.test.mjs \
    tests/test_rle.c docs/rules.md CMakeLists.txt; do
    echo "$name" >"$name"
done
mkdir build build-clang build-tsan build-arm64
printf 'build*\n' >.gitignore
git init -q .
git add -A
git -c user.name=a -c user.email=a@b commit -qm first

# run [ARGUMENT...]: .ci/run, its output in `output` and the calls of the stand-ins in `calls`.
run() {
    : >"$CALLS"
    .ci/run "$@" >"$work/output" 2>&1
}
# expect_run NAME STEPS: those of the five steps that can be left out which the last run called.
expect_run() {
    local called='' step
    for step in threads:test-threads page:test-browser fuzzers:run-fuzzers \
        aarch64:arm64-libraries fresh_root:check-fresh-root; do
        ! grep -q "^${step#*:}.sh " "$CALLS" || called+=" ${step%:*}"
    done
    is "$1" "$called" "${2:+ $2}"
}
all="threads page fuzzers aarch64 fresh_root"

run
is "exit status of a first run" $? 0
expect_run "a first run" "$all"
run
expect_run "nothing has changed" ""
has "release always runs" "$CALLS" "make test"
has "sanitizers always run" "$CALLS" "ctest --test-dir build-clang"
has "the reason" "$work/output" "left out: it passed with the same inputs on $(date '+%-d %B %Y')"
has "the summary" "$work/output" "threads: left out"
run --all
expect_run "--all" "$all"
has "--all has Firefox" "$CALLS" "test-browser.sh build/lightcone"
run threads
expect_run "a step that is named" threads

# Inputs: changed, new, deleted, no longer executable.
echo more >>src/pattern/rle.c
run
expect_run "a file of src/ has changed" "$all"
has "Firefox is left out" "$CALLS" "test-browser.sh --no-firefox build/lightcone"
has "that is said" "$work/output" "Firefox and the pictures are left out: it passed"
echo more >viewer/new.c
run
expect_run "a file of viewer/ is new" "threads page fuzzers fresh_root"
has "Firefox runs" "$CALLS" "test-browser.sh build/lightcone"
rm viewer/new.c
run
expect_run "the file is gone again" ""
rm src/pattern/rle.c
run
expect_run "a tracked file is gone" "$all"
git checkout -q src/pattern/rle.c
chmod +x tests/test_rle.c
run
expect_run "a file has become executable" "threads aarch64 fresh_root"
echo more >>docs/rules.md
run
expect_run "a document has changed" fresh_root
echo more >>tests/browser/a.test.mjs
run
expect_run "a test of the page has changed" page
echo more >build/output
run
expect_run "an ignored file is new" ""
echo more >>CMakeLists.txt
run
expect_run "what all steps need has changed" "$all"
echo '#' >>tools/run-fuzzers.sh
run
expect_run "the script of a step has changed" "fuzzers fresh_root"
git -c user.name=a -c user.email=a@b commit -qam second
run
expect_run "another commit, the same files" fresh_root
echo more >>src/pattern/rle.c
git -c user.name=a -c user.email=a@b commit -qam third
run
expect_run "a file that uses only C has changed" "threads page fuzzers aarch64"
echo '#include <new.h>' >>src/pattern/rle.c
git -c user.name=a -c user.email=a@b commit -qam fourth
run
expect_run "it includes a header of the system" "$all"

# Versions and the environment.
echo 'clang 99' >facts-clang
mv facts-clang "$FACTS/clang"
run
expect_run "another version of clang" fuzzers
LC_FUZZ_SECONDS=3 run
expect_run "a variable of the tests" "$all"
run
expect_run "without the variable again" ""

# A step that fails has no record, and neither has one whose files changed while it ran.
echo more >>src/pattern/rle.c
touch "$FACTS/fail-test-threads.sh"
run
is "exit status where a step fails" $? 1
rm "$FACTS/fail-test-threads.sh"
echo src/pattern/rle.c >"$FACTS/edit-run-fuzzers.sh"
run
expect_run "after a failure" "$all"
rm "$FACTS/edit-run-fuzzers.sh"
run
expect_run "a file had changed during fuzzers" "threads page fuzzers"
run
expect_run "and has not since" ""
touch "$work/not a folder"
XDG_CACHE_HOME="$work/not a folder" run
is "exit status where there can be no records" $? 0
expect_run "there can be no records" "$all"
mv .git "$work/git"
run
expect_run "there is no git" "$all"
mv "$work/git" .git

# Files that a build reads, as the real ninja and compiler say.
if [ -n "$ninja" ] && cc=$(command -v cc); then
    rm "$work/bin/ninja"
    mkdir -p include src/base
    echo '#include "../../include/a.h"' >src/base/a.c
    echo 'int a;' >include/a.h
    cat >build/build.ninja <<END
rule configure
  command = true
  generator = 1
build build.ninja: configure $PWD/CMakeLists.txt
rule cc
  command = $cc -MD -MF \$out.d -c \$in -o \$out
  depfile = \$out.d
  deps = gcc
build a.o: cc $PWD/src/base/a.c
rule copy
  command = cp \$in \$out
build archive: copy a.o
build first: phony archive
build copy: copy $PWD/viewer/server.c
build second: phony first copy
END
    ninja -C build second >/dev/null
    # shellcheck source=tools/records.sh
    . tools/records.sh
    check_inputs aarch64 build first
    is "all files are in the table" $? 0
    check_inputs aarch64 build second 2>"$work/err"
    is "a file of another room" "$? $(cat "$work/err")" \
        "1 .ci/inputs: aarch64 reads this file, and its lines lack it: viewer/server.c"
    sed -i '/^aarch64/s/ include / /' .ci/inputs
    check_inputs aarch64 build first 2>"$work/err"
    is "a header that only the compiler names" "$? $(cat "$work/err")" \
        "1 .ci/inputs: aarch64 reads this file, and its lines lack it: include/a.h"
fi

finish
