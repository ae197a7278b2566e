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

# The commands that the viewer's protocol explains, a line each.
viewer_commands() {
    grep -ohE '\{"do":"[^`]*\}' "$source/docs/viewer-protocol.md"
}

# A file of its own for each line of the input, behind a text that all begin with.
file_a_line() {
    local to=$1 before=${2:-} number=0 line
    while IFS= read -r line; do
        number=$((number + 1))
        printf '%s%s' "$before" "$line" >"$to/$number"
    done
}

# A macrocell file or a timeline behind a byte that says which head the fuzzer puts before it.
put_behind_head() {
    printf '%s' "$1"
    tail -n +2
}

# What is worth starting from, in a folder: what the tree has, as the fuzzer takes it.
make_seeds() {
    local name=$1 to=$2 take=$'{"do":"take"}\n' pattern
    mkdir -p "$to"
    case $name in
    fuzz_rle | fuzz_life | fuzz_cells | fuzz_gzip | fuzz_clip)
        cp "$source"/patterns/*/*.rle "$to"
        cat "$source"/patterns/spaceships/*.rle >"$to/several"
        printf 'xp1_1w2x4y08yzgzz1' >"$to/apgcode" ;;
    fuzz_macrocell)
        for pattern in acorn gosper-glider-gun; do
            "$folder/lightcone" convert "$pattern" - --to mc | put_behind_head d >"$to/$pattern"
        done ;;
    fuzz_timeline)
        "$folder/lightcone" run acorn -g 40 --every 10 --record "$to.lct" >/dev/null 2>&1
        gzip -dc "$to.lct" | put_behind_head f >"$to/acorn" ;;
    fuzz_rule) grep -ohE '`[^`]+`' "$source/docs/rules.md" | tr -d '`' | file_a_line "$to" ;;
    fuzz_haul)
        printf '%s\n' '@MD5 8ce4b16b22b58894aa86c421e8759df3' '@ROOT k' '@RULE b3s23' \
            '@SYMMETRY C1' '@NUM_SOUPS 9' '@NUM_OBJECTS 3' '' '@CENSUS TABLE' 'xs4_33 2' \
            'xp2_7 1' '' '@SAMPLE_SOUPIDS' 'xs4_33 0 7' 'xp2_7 8' >"$to/haul" ;;
    fuzz_viewer_command) viewer_commands | file_a_line "$to" ;;
    fuzz_viewer_scene)
        viewer_commands | file_a_line "$to" "$take"
        viewer_commands | split -l 8 --filter='{ echo "{\"do\":\"take\"}"; cat; } >"$FILE"' - \
            "$to/eight-" ;;
    esac
}

# The longest input that is of use, and what else a fuzzer is told, an argument a line.
options_of() {
    local dictionaries=$source/tests/fuzz
    case $1 in
    fuzz_identify) printf '%s\n' -max_len=66 ;; # 32 cells
    fuzz_sparse) printf '%s\n' -max_len=293 ;; # 48 operations
    # No block of memory may be much larger than the universe's limit.
    fuzz_disk) printf '%s\n' -max_len=512 -malloc_limit_mb=64 ;;
    fuzz_viewer_scene) printf '%s\n' -max_len=1024 ;; # some 20 commands
    fuzz_macrocell | fuzz_timeline)
        printf '%s\n' -max_len=65536 "-dict=$dictionaries/macrocell.dict" ;;
    fuzz_rule) printf '%s\n' -max_len=65536 "-dict=$dictionaries/rule.dict" ;;
    *) printf '%s\n' -max_len=65536 ;;
    esac
}

run_one() {
    local program=$1 name=${1##*/} work status=0 options
    work=$folder/fuzz/$name
    mkdir -p "$work/corpus"
    make_seeds "$name" "$work/seeds"
    mapfile -t options < <(options_of "$name")
    "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$work/" -print_final_stats=1 "${options[@]}" "$work/corpus" \
        "$work/seeds" >"$work/log" 2>&1 || status=$?
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
