#!/bin/bash
# Runs ctest and prints each test's CPU time, dearest first. A test that takes more than twice the
# seconds of tests/cpu_seconds.txt is named; it does not fail.
#
#     tools/run-tests.sh FOLDER_OF_BUILD [CTEST_ARGUMENTS...]
#     tools/run-tests.sh --write FOLDER_OF_BUILD     also writes the table, if all tests pass
#
# A test's CPU time is that of its process and of the children that it waited for, user and system.
# The machine that wrote the table may be faster, so the table's seconds are first multiplied by the
# median ratio of all tests that take a second or more. Below 3 seconds more, nothing is named.
#
# tests/measure.cmake, which ctest includes, puts `tools/run-tests.sh --measure NAME` before each
# test's command while LC_TEST_RECORD names the file to write to.
set -euo pipefail

usage() {
    sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}

# Adds "NAME USER SYSTEM" to the record, as `times` writes them (0m1.234s), and ends as the command
# ended: ctest tells crashes from failures, so a signal is passed on.
measure() { # NAME COMMAND...
    local name=$1 status=0 times=$LC_TEST_RECORD.$BASHPID user system
    shift
    "$@" || status=$?
    times >"$times" # not in a pipe: a subshell has times of its own
    { read -r _ && read -r user system; } <"$times" # the second line: the children's
    rm "$times"
    echo "$name $user $system" >>"$LC_TEST_RECORD"
    if [ "$status" -gt 128 ] && [ "$status" -le 192 ]; then
        ulimit -c 0
        kill -"$((status - 128))" "$BASHPID"
    fi
    exit "$status"
}

# Prints the 20 dearest tests of a record, the sum of all, and the tests that have doubled.
report() { # RECORD [TABLE]
    local record=$1 table=${2-/dev/null}
    echo
    echo "CPU seconds of the tests, with their children:"
    sort -k2,2nr "$record" | awk '
        NR <= 20 { printf "%9.2f  %s\n", $2, $1 }
        { sum += $2 }
        END {
            if (NR > 20)
                printf "      ...  %d others\n", NR - 20
            printf "%9.2f  all %d tests\n", sum, NR
        }'
    awk -v table="$table" '
        BEGIN {
            while ((getline line <table) > 0)
                if (split(line, word) == 2 && word[1] !~ /^#/)
                    before[word[1]] = word[2]
        }
        { now[$1] = $2 }
        END {
            for (name in now)
                if (name in before && before[name] >= 1) {
                    ratio = now[name] / before[name]
                    for (i = count++; i > 0 && ratios[i - 1] > ratio; i--)
                        ratios[i] = ratios[i - 1]
                    ratios[i] = ratio
                }
            slower = count > 0 ? ratios[int((count - 1) / 2)] : 1
            for (name in now)
                if (name in before) {
                    usual = before[name] * slower
                    if (now[name] > 2 * usual && now[name] > usual + 3)
                        printf "%s takes %.1f CPU seconds; %.1f were usual (tests/cpu_seconds.txt).\n",
                            name, now[name], usual
                }
        }' "$record" | sort
}

write_table() { # RECORD
    {
        echo "# CPU seconds of each test; written by tools/run-tests.sh --write."
        LC_ALL=C sort "$1"
    } >"$table"
}

table=$(dirname "${BASH_SOURCE[0]}")/../tests/cpu_seconds.txt
case ${1-} in
--measure)
    shift
    measure "$@"
    ;;
--report)
    shift
    report "$@"
    exit
    ;;
esac
writes=
if [ "${1-}" = --write ]; then
    writes=yes
    shift
fi
if [ $# -eq 0 ] || [ ! -d "$1" ]; then
    usage
fi
folder=$1
shift
LC_TEST_RECORD=$(mktemp)
export LC_TEST_RECORD
trap 'rm -f "$LC_TEST_RECORD" "$LC_TEST_RECORD".*' EXIT
status=0
ctest --test-dir "$folder" -j "$(nproc)" --output-on-failure --no-label-summary "$@" || status=$?
if [ -s "$LC_TEST_RECORD" ]; then
    awk '{
            split($2, user, /[ms]/)
            split($3, kernel, /[ms]/)
            printf "%s %.2f\n", $1, (user[1] + kernel[1]) * 60 + user[2] + kernel[2]
        }' "$LC_TEST_RECORD" >"$LC_TEST_RECORD.seconds"
    report "$LC_TEST_RECORD.seconds" "$table"
    if [ -n "$writes" ] && [ "$status" -eq 0 ]; then
        write_table "$LC_TEST_RECORD.seconds"
    fi
fi
exit "$status"
