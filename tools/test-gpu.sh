#!/bin/bash
# Everything that only a real GPU can show, for `make test-gpu`: the tests of the cuda engine and of
# the gallery on it, whole boards against the CPU's engine by their hashes, and compute-sanitizer
# where that is installed. One line a check; the exit status is 1 if any failed. Nothing is built:
# the programs are those of the build folder.
#
#     LC_BUILD=FOLDER tools/test-gpu.sh
#
# LC_TEST_FULL=1            every case of every test, every rule (long)
# LC_TEST_SCALE=N           boards 1/N as wide and high (1)
# LC_SANITIZER=PROGRAM      compute-sanitizer; none: not run
# LC_TEST_PARTS="..."       of these: tests boards settled in-place ages census sanitizer
#                           gallery (all)
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${LC_BUILD:-$source/build}
lightcone=$build/lightcone
scale=${LC_TEST_SCALE:-1}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LIGHTCONE_CACHE=$work/kernels
parts=" ${LC_TEST_PARTS:-tests boards settled in-place ages census sanitizer gallery} "

passed=0
failed=0
skipped=0

# report STATUS SECONDS TEXT: STATUS is ok, FAILED or skipped; after a failure, the end of its log.
report() {
    printf '%-7s %6.1f s  %s\n' "$1" "$2" "$3"
    case $1 in
    ok) passed=$((passed + 1)) ;;
    skipped) skipped=$((skipped + 1)) ;;
    *)
        failed=$((failed + 1))
        tail -n 25 "$work/log" | sed 's/^/          | /'
        ;;
    esac
}

now() {
    date +%s.%N
}

since() {
    awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'
}

# check TEXT COMMAND...: passes if the command does.
check() {
    local text=$1 begin status=FAILED
    shift
    begin=$(now)
    if timeout "${LC_TEST_SECONDS:-300}" "$@" >"$work/log" 2>&1; then
        status=ok
    fi
    # A test without its GPU skips its cases and passes.
    if [ $status = ok ] && grep -q 'SKIPPED ] [0-9]* test' "$work/log" &&
        ! grep -q '\[       OK \]' "$work/log"; then
        status=skipped
        text="$text: $(sed -n 's/^skipped: //p' "$work/log" | sort -u | head -1)"
    fi
    report $status "$(since "$begin")" "$text"
}

# The value of a number or text in lightcone's JSON.
value_of() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" "$2" | head -1
}

# run_board ENGINE RULE GENERATIONS FILE [OPTION...]: the JSON of a soup.
run_board() {
    local engine=$1 rule=$2 generations=$3 file=$4
    shift 4
    timeout "${LC_TEST_SECONDS:-300}" "$lightcone" run --soup 0.5 --seed 42 --rule "$rule" \
        -g "$generations" --engine "$engine" --no-progress --json "$@" >"$file" 2>"$work/log"
}

# compare_board RULE [ENGINE [GENERATIONS]]: every cell after so many generations (177), by the hash
# of all of them, on the GPU and on the CPU.
compare_board() {
    local rule=$1 engine=${2:-cuda} generations=${3:-177} begin hash expected status=FAILED
    begin=$(now)
    if run_board "$engine" "$rule" "$generations" "$work/gpu.json" \
        --audit $((generations * 2 / 7)) &&
        run_board simd "$rule" "$generations" "$work/cpu.json"; then
        hash=$(value_of hash "$work/gpu.json")/$(value_of population "$work/gpu.json")
        expected=$(value_of hash "$work/cpu.json")/$(value_of population "$work/cpu.json")
        printf 'hash and population are %s, but %s on the CPU\n' "$hash" "$expected" >"$work/log"
        [ "$hash" = "$expected" ] && [ "$hash" != / ] && status=ok
    fi
    report $status "$(since "$begin")" \
        "$engine, $rule: $generations generations, audited, as on the CPU"
}

# side N: N of the full size, at this scale.
side() {
    echo $(($1 / scale))
}

echo "lightcone of $build"
if ! "$lightcone" devices >"$work/log" 2>&1 || ! "$lightcone" run --engine cuda --soup 0.5 \
    --size 64x64 -g 1 -q >>"$work/log" 2>&1; then
    report FAILED 0 "the cuda engine runs on this machine"
    exit 1
fi
sed -n '/^GPU/,$p' "$work/log"

wanted() {
    [[ $parts == *" $1 "* ]]
}

export LC_TEST_ENGINE=cuda LC_TEST_RULES=${LC_TEST_RULES:-8} LC_TEST_SHARE=${LC_TEST_SHARE:-7}
tests() {
    echo
    echo "== Tests, on this GPU"
    for name in device emulated_cuda; do
        check "test_$name, the cases for a real GPU" env LC_TEST_GPU=1 "$build/tests/lc_tests" "$name"
    done
    for name in cuda_board cuda_in_place cuda_plans cuda_settled engines laws checkpoint audit; do
        check "test_$name" "$build/tests/lc_tests" "$name"
    done
    check test_universe env \
        LC_TEST_SETTINGS=words=1,generations=0,tile-warps=8,tile-rows=8,depth=16 \
        "$build/tests/lc_tests" universe
}

boards() {
    echo
    echo "== Whole boards, GPU against CPU"
    a=$(side 16384)
    for topology in "T$(side 4096),$(side 4096)" "T$(side 8192),$(side 8192)" "T$a,$a" \
        "T$((a + 6)),$((a + 6))" "P$((a + 1)),$((a + 1))" "K$a*,$a" "S$a" "C$a,$((a - 4))" \
        "T$(side 65536),$(side 8192)" "T$a+5,$a"; do
        compare_board "B3/S23:$topology"
    done
    for rule in B36/S23 B3678/S34678 B2/S B03/S23; do
        compare_board "$rule:T$(side 8192),$(side 8192)"
        compare_board "$rule:K$((a + 6))*,$(side 4096)"
    done
}

# Steps only where something happens: whole boards once more, and what it brings, beside the figures
# of stepping everything; the cells have to be the same.
settled() {
    echo
    echo "== Boards that have settled"
    a=$(side 4096)
    for topology in "T$a,$a" "T$((a + 6)),$((a - 1))" "P$((a + 1)),$((a + 1))" "K$a*,$a" "S$a" \
        "C$a,$((a - 4))" "T$a+5,$a"; do
        compare_board "B3/S23:$topology" cuda:settled=yes 1507
    done
    check "settled_rate: the same cells" "$build/tests/settled_rate" "$(side 65536)"
    sed 's/^/    /' "$work/log"
}

# What pictures of ages cost: at most 15 % of the time.
ages() {
    echo
    echo "== Ages"
    check "test_ages with the GPU" env LC_TEST_ENGINE=cuda "$build/tests/lc_tests" ages
    check "ages_rate" "$build/tests/ages_rate" 2 cuda
    sed 's/^/    /' "$work/log"
}

# One buffer: whole boards, in bands of the engine's choice, in low ones that begin and end
# anywhere, and in slabs.
in_place() {
    echo
    echo "== Boards that are stepped in place"
    a=$(side 16384)
    for topology in "T$a,$a" "T$((a + 6)),$((a + 6))" "P$((a + 1)),$((a + 1))" "K$a*,$a" "S$a"; do
        compare_board "B3/S23:$topology" cuda:in-place=yes
        compare_board "B3/S23:$topology" cuda:in-place=yes,band-rows=$((a / 61 + 7))
    done
    compare_board "B3/S23:T$a,$a" cuda:in-place=yes,blocks=3
    compare_board "B36/S23:P$((a + 1)),$a" cuda:in-place=yes,blocks=3
    compare_board "B3/S23:T$(side 262144),$(side 8192)" cuda:in-place=yes
}

# compare_census RULE SYMMETRY: the same counts and samples as on the CPU.
compare_census() {
    local rule=$1 symmetry=$2 begin status=FAILED soups
    soups=$((200000 / scale))
    begin=$(now)
    if "$lightcone" census -n $soups --seed l_gpu --rule "$rule" --symmetry "$symmetry" --gpus 1 \
        --format haul -q -o "$work/gpu.haul" 2>"$work/log" &&
        "$lightcone" census -n $soups --seed l_gpu --rule "$rule" --symmetry "$symmetry" --gpus 0 \
            --format haul -q -o "$work/cpu.haul" 2>>"$work/log" &&
        diff "$work/gpu.haul" "$work/cpu.haul" >>"$work/log"; then
        status=ok
    fi
    report $status "$(since "$begin")" "$rule, $symmetry: $soups soups, as on the CPU"
}

census() {
    echo
    echo "== Censuses, and batches of boards"
    for symmetry in C1 iC1 D8_4 C2_1 8x32; do
        compare_census B3/S23 $symmetry
    done
    for rule in B38/S23 B3678/S34678; do
        compare_census $rule D8_1
    done
    for side in 64 62 33 16; do
        check "batch_rate, $side x $side: the cells of the oracle" \
            "$build/tests/batch_rate" $side $((16384 / scale)) 100 3 cuda
    done
}

sanitizer=${LC_SANITIZER:-$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)}

has_sanitizer() {
    if [ "$sanitizer" = none ] || [ -z "$sanitizer" ]; then
        true >"$work/log"
        report skipped 0 "compute-sanitizer is not here"
        return 1
    fi
}

sanitizer() {
    echo
    echo "== Kernels under compute-sanitizer"
    has_sanitizer || return
    local tool rule plan
    plan=words=4,generations=8,strip-warps=8,runs=3,tile-warps=8,tile-rows=12,depth=8
    # Not initcheck: bits beyond the width and columns beyond the halo are read and never used.
    for tool in memcheck racecheck synccheck; do
        for rule in B3/S23:T640,300 B3/S23:T1029,301 B3/S23:P1029,301 B3/S23:K1029*,301; do
            check "$tool, strips and tiles, $rule" "$sanitizer" \
                --tool "$tool" --error-exitcode 9 "$lightcone" run --engine "cuda:$plan" --soup 0.5 \
                --rule "$rule" -g 43 --no-progress --json -o "$work/out.png"
            check "$tool, settled, $rule" "$sanitizer" --tool "$tool" --error-exitcode 9 \
                "$lightcone" run --engine cuda:settled=yes --soup 0.1 --rule "$rule" -g 157 \
                --no-progress --json -o "$work/out.png"
            check "$tool, in place, $rule" "$sanitizer" --tool "$tool" --error-exitcode 9 \
                "$lightcone" run --engine "cuda:in-place=yes,$plan,band-rows=70" --soup 0.5 \
                --rule "$rule" -g 43 --no-progress --json -o "$work/out.png"
        done
    done
    for tool in memcheck racecheck synccheck initcheck; do
        for symmetry in C1 iC1; do
            check "$tool, a census, $symmetry" "$sanitizer" --tool "$tool" --error-exitcode 9 \
                "$lightcone" census -n 3000 --seed l_gpu --symmetry $symmetry --gpus 1 -q
        done
        check "$tool, a batch" "$sanitizer" --tool "$tool" --error-exitcode 9 \
            "$build/tests/batch_rate" 62 64 20 1 cuda
    done
}

# The names of the designs for the GPU.
gpu_designs() {
    "$lightcone" gallery list | awk '$2 == "GPU" && $1 != "cuda" { print $1 }'
}

gallery() {
    echo
    echo "== The gallery, on this GPU"
    check test_gallery "$build/tests/lc_tests" gallery
    has_sanitizer || return
    local tool design
    for design in $(gpu_designs); do
        for tool in memcheck racecheck synccheck initcheck; do
            check "$tool, $design" "$sanitizer" --tool "$tool" --error-exitcode 9 \
                "$lightcone" gallery run "$design" --soup 0.5 --size 512x128 -g 35 -q \
                -o "$work/out.png"
        done
    done
}

for part in tests boards settled in-place ages census sanitizer gallery; do
    wanted "$part" && "${part//-/_}"
done

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
