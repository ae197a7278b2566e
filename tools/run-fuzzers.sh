#!/bin/bash
# Runs each fuzzer for some seconds, two at a time. A crash, a leak, a hang over 10 seconds or more
# than 2 GiB of memory is a failure; what caused it stays in FOLDER/fuzz.
#
#     tools/run-fuzzers.sh FOLDER_OF_BUILD SECONDS
set -euo pipefail
folder=$1
seconds=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

shopt -s nullglob
fuzzers=()
for program in "$folder"/tests/fuzz_*; do
    if [ -f "$program" ] && [ -x "$program" ]; then
        fuzzers+=("$program")
    fi
done
if [ ${#fuzzers[@]} -eq 0 ]; then
    echo "run-fuzzers: there is no fuzzer in $folder/tests" >&2
    exit 1
fi

run_one() {
    local program=$1 name=${1##*/} work status=0
    work=$folder/fuzz/$name
    mkdir -p "$work/corpus"
    # What is worth starting from: the fuzzer's own seeds if there are any, and the patterns.
    local seeds=()
    if [ -d "$source/tests/fuzz/seeds/${name#fuzz_}" ]; then
        seeds+=("$source/tests/fuzz/seeds/${name#fuzz_}")
    fi
    if [ -d "$source/patterns" ]; then
        seeds+=("$source/patterns")
    fi
    "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -artifact_prefix="$work/" -print_final_stats=1 "$work/corpus" "${seeds[@]}" \
        >"$work/log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        echo "run-fuzzers: $name failed; the end of its log:"
        tail -n 40 "$work/log"
        return 1
    fi
    echo "$name: $(awk '/number_of_executed_units/ { print $2 }' "$work/log") inputs, no fault"
}

failed=0
for ((i = 0; i < ${#fuzzers[@]}; i += 2)); do
    run_one "${fuzzers[i]}" &
    first=$!
    if [ $((i + 1)) -lt ${#fuzzers[@]} ]; then
        run_one "${fuzzers[i + 1]}" || failed=1
    fi
    wait "$first" || failed=1
done
exit "$failed"
