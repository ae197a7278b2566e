#!/usr/bin/env bash
# tools/run-tests.sh: each test's CPU time is counted with its children's, what has doubled is
# named, and results are those of ctest alone.
# Usage: test_run_tests.sh. One line for each failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
script=$here/../tools/run-tests.sh
work=$(mktemp -d)
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
cd "$work" || exit 1
unset LC_TEST_RECORD # of a run that has this test in it

cat >CTestTestfile.cmake <<END
include("$here/measure.cmake")
add_test([=[child]=] "bash" "-c" "bash -c 'for ((i = 0; i < 100000; i++)); do :; done'; true")
add_test([=[idle]=] "sleep" "0.3")
add_test([=[arguments]=] "bash" "-c" "[ \$# = 2 ] && [ \"\$1\" = 'a b' ]" "0" "a b" "c;d")
add_test([=[fails]=] "false")
add_test([=[skips]=] "bash" "-c" "exit 77")
set_tests_properties([=[skips]=] PROPERTIES SKIP_RETURN_CODE "77")
add_test([=[crashes]=] "bash" "-c" "kill -SEGV \$\$")
END

# seconds NAME: what the report in `output` says of a test.
seconds() {
    awk -v name="$1" '$2 == name && NF == 2 { print $1 }' output
}

"$script" . >output 2>&1
is "exit status where a test fails" $? 8
is "results" "$(sed -n 's/^ *[0-9]*\/6 Test *#[0-9]*: \([a-z]*\) \.*[* ]*\([A-Z][A-Za-z: ]*[a-z]\) .*/\1 \2/p' output |
    sort | tr '\n' ',')" \
    "arguments Passed,child Passed,crashes Exception: SegFault,fails Failed,idle Passed,skips Skipped,"
is "the dearest test" "$(sed -n '/^CPU seconds/{n; s/.* //; p}' output)" child
is "a child's CPU time is counted, and a pause is not" \
    "$(awk -v child="$(seconds child)" -v idle="$(seconds idle)" \
        'BEGIN { print (child > 0.05 && idle < child) }')" 1
has "the sum" output "all 6 tests"
is "a crashed test has left no file" "$(find . -name 'tmp*' -o -name 'core*')" ""

"$script" . -R idle >output 2>&1
is "exit status where all tests pass" $? 0
has "ctest's arguments are passed on" output "all 1 tests"
ctest --show-only=json-v1 >output
is "commands that ctest alone shows" "$(grep -c run-tests output)" 0

# What has doubled, on machines as fast as the table's and slower ones.
cat >table <<'END'
# seconds
a 10.00
b 20.00
c 30.00
d 4.00
short 0.50
END
# expect_named NAMES TEST...: of these tests, NAME=SECONDS, those have doubled.
expect_named() {
    local names=$1
    shift
    printf '%s\n' "${@/=/ }" >record
    "$script" --report record table >output
    is "named of $*" "$(sed -n 's/ takes .* CPU seconds.*//p' output | tr '\n' ' ')" "$names"
}
expect_named '' a=10 b=20 c=30 d=4 short=0.5 new=90
expect_named '' a=25 b=50 c=75 d=10 short=1.25
expect_named 'a ' a=31 b=30 c=45 d=6 short=3
expect_named 'd short ' a=15 b=30 c=45 d=15.5 short=4
expect_named '' a=10 d=6.9 b=20 c=30
mapfile -t many < <(seq -f 'test%.0f=1.00' 30)
expect_named '' "${many[@]}"
has "no more than 20 tests are shown" output "10 others"

finish
