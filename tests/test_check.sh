#!/usr/bin/env bash
# tools/check.py (`make check`): which checks and tests it chooses for files that have changed, and
# that each of them can fail. In a small tree of its own with the real table; what is called are
# stand-ins. With a build it also sees that the table names only tests that exist.
# Usage: test_check.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
build=$(realpath "$(dirname "${1:?the path of the lightcone binary}")")
if ! command -v git >/dev/null || ! command -v python3 >/dev/null; then
    echo "skipped: there is no git here, or no Python"
    exit 77
fi
work=$(mktemp -d)
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
export CALLS=$work/calls FACTS=$work PATH="$work/bin:$PATH"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# Each test of the table is one that some build has.
ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort >"$work/tests"
[ -s "$work/tests" ] || fail "the build has no tests"
for name in $(PYTHONPATH=$root/tools python3 -B -c '
import rooms
print(*{name for _, names in rooms.ROOMS for name in names.split()})'); do
    case $name in
    viewer_* | view) grep -q '^viewer_' "$work/tests" || continue ;; # built without the viewer
    readme | install) continue ;; # not with the sanitizers
    esac
    is "a test of tools/rooms.py" "$(grep -cx "$name" "$work/tests")" 1
done
for room in "$root"/src/*/ "$root"/src/engine/*/; do
    room=${room#"$root/"}
    [ -n "$(PYTHONPATH=$root/tools python3 -B -c '
import rooms, sys
print(*rooms.tests_of(sys.argv[1]))' "${room}a.c")" ] || case $room in
    src/ranks/ | src/chunks/) ;; # the tests of ranks and disks take minutes
    *) fail "tools/rooms.py has no tests for $room" ;;
    esac
done

# NAME: notes its call, and fails if there is a file fail-NAME.
stand_in() { # PATH
    cat >"$1" <<'END'
#!/bin/bash
echo "${0##*/} $*" >>"$CALLS"
[ "$3 $4" != "-t targets" ] || echo "tests/test_rule: CREATE"
[ ! -e "$FACTS/fail-${0##*/}" ]
END
    chmod +x "$1"
}

mkdir -p "$work"/{bin,tree/tools,tree/build/tests,tree/src/rule} "$work"/tree/tests/browser \
    "$work"/tree/viewer/page "$work"/tree/include/lightcone "$work"/tree/docs
cd "$work/tree" || exit 1
cp "$root"/tools/{check,rooms}.py tools/
for name in clang-format ninja; do
    stand_in "$work/bin/$name"
done
for name in check-layers check-style check-scripts run-tests test-browser; do
    stand_in "tools/$name.sh"
done
stand_in tools/check-prose.py
for name in src/rule/rule.c viewer/page/tools.js tests/browser/load.test.mjs docs/words.md \
    tests/browser/tools.test.mjs include/lightcone/rule.h tests/support.h; do
    echo "$name" >"$name"
done
echo '#include "support.h"' >tests/test_rule.c
echo 'build' >.gitignore
touch build/CTestTestfile.cmake
cat >build/tests/CTestTestfile.cmake <<END
add_test([=[rule]=] "$PWD/build/tests/test_rule")
set_tests_properties([=[rule]=] PROPERTIES ENVIRONMENT "A=$PWD/build/tests/none;B=2")
add_test([=[cli]=] "bash" "$PWD/tests/test_cli.sh" "$PWD/build/lightcone")
END
git init -q .
commit() {
    git add -A
    git -c user.name=a -c user.email=a@b commit -qm "$1"
}
commit first
commit_before=$(git rev-parse HEAD)

# chosen NAME CHECKS TESTS: of the files that have changed; then they are as before.
chosen() {
    tools/check.py --since HEAD --list >"$work/output" 2>&1
    is "checks: $1" "$(sed -n 's/^checks: //p' "$work/output")" "$2"
    is "tests: $1" "$(sed -n 's/^tests: //p' "$work/output")" "$3"
    git checkout -q .
    git clean -qfd
}
chosen "nothing" "" ""
echo more >>src/rule/rule.c
chosen "a source file" "format layers style prose" "rule rule_names network pattern cli golly"
echo more >src/rule/new.c
chosen "an untracked file" "format layers style prose" "rule rule_names network pattern cli golly"
rm src/rule/rule.c
chosen "a removed file" "layers" "rule rule_names network pattern cli golly"
echo more >>tests/support.h
chosen "a helper of tests" "format layers style prose" rule
echo more >>tests/test_rule.c
chosen "a test" "format layers style prose" rule
echo more >>include/lightcone/rule.h
chosen "a public header" "format layers style prose" \
    "headers_c headers_cxx headers_examples rule rule_values exported_names"
echo more >>tools/check-style.sh
chosen "a script" "style prose scripts" style_can_fail
echo more >>docs/words.md
chosen "a document" "style prose" ""
has "it says that no test is known" "$work/output" "without a test here"
echo more >>viewer/page/tools.js
tools/check.py --since HEAD --list >"$work/output"
has "a module of the page" "$work/output" " load.test.mjs tools.test.mjs"
git checkout -q .

# The commit that is compared with: HEAD~1, the upstream branch, or one that is named.
echo more >>docs/words.md
commit second
tools/check.py --list >"$work/output"
has "without an upstream" "$work/output" "1 files differ from HEAD~1"
git branch -q other "$commit_before"
git branch -q --set-upstream-to=other
echo more >>src/rule/rule.c
commit third
tools/check.py --list >"$work/output"
has "with an upstream" "$work/output" "2 files differ from other"
tools/check.py --since HEAD~1 --list >"$work/output"
has "named" "$work/output" "1 files differ from HEAD~1"
tools/check.py --since nothing --list >"$work/output" 2>&1
is "an unknown commit" $? 2

# All of it is called, builds what the tests need, and can fail.
echo more >>viewer/page/tools.js
: >"$CALLS"
tools/check.py >"$work/output" 2>&1
is "exit status where all passes" $? 0
for call in "clang-format --dry-run --Werror src/rule/rule.c" "check-layers.sh" "check-style.sh" \
    "check-prose.py" "ninja -C $PWD/build tests/test_rule" "run-tests.sh $PWD/build -R ^(rule|cli)\$" \
    "test-browser.sh $PWD/build/lightcone load.test.mjs tools.test.mjs"; do
    has "it is called" "$CALLS" "$call"
done
for name in clang-format check-layers.sh check-style.sh check-prose.py ninja run-tests.sh \
    test-browser.sh; do
    touch "$FACTS/fail-$name"
    tools/check.py >"$work/output" 2>&1
    is "exit status where $name fails" $? 1
    rm "$FACTS/fail-$name"
done

finish
