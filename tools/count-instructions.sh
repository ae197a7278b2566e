#!/usr/bin/env bash
# Compares the instructions that two builds execute on small versions of the CPU rows of
# docs/benchmarks.md. Counts do not depend on the machine's load, so a change of 1 % is a change of
# the code. valgrind knows no AVX-512: avx2 and portable stand for it. HashLife chooses its jumps by
# the time that they take, so each look at the clock is 1 microsecond later than the one before.
#
#     tools/count-instructions.sh BEFORE AFTER [ROW]    two lightcone programs; rows named ROW* only
#
# Exit status: 1 if a row's number changes by more than 1 %, or its cells change; 77 without
# valgrind or cc.
set -euo pipefail

if [ $# -lt 2 ] || [ ! -x "$1" ] || [ ! -x "$2" ]; then
    echo "usage: tools/count-instructions.sh BEFORE AFTER [ROW]" >&2
    exit 2
fi
if ! command -v valgrind >/dev/null || ! command -v cc >/dev/null; then
    echo "SKIPPED: no valgrind, or no cc" >&2
    exit 77
fi

map=MAPfVq+GPqOu574maALS8tY96egah8Cjmkhtpy4FCVHaTlxFsxqH/6072mYtVQ658tq0oc0/NKIPrZBIUL4de4PoA
rows=(
    "simd-avx2           --engine simd --cpu avx2 --soup 0.5 -s 2048 -g 512"
    "simd-portable       --engine simd --cpu portable --soup 0.5 -s 1024 -g 128"
    "simd-highlife       --engine simd --cpu avx2 -r HighLife --soup 0.5 -s 2048 -g 256"
    "simd-map            --engine simd --cpu avx2 -r $map --soup 0.5 -s 512 -g 64"
    "simd-b0             --engine simd --cpu avx2 -r B0123478/S34678 --soup 0.5 -s 1024 -g 256"
    "simd-klein          --engine simd --cpu avx2 --topology klein --soup 0.5 -s 1024 -g 512"
    "simd-walls          --engine simd --cpu avx2 --topology plane --soup 0.5 -s 1024 -g 512"
    "simd-plane          --engine simd --cpu avx2 r-pentomino -g 1103"
    "simd-blocks         --engine simd:blocks=3 --cpu avx2 --soup 0.5 -s 1024 -g 512"
    "simd-small          --engine simd --cpu avx2 --soup 0.5 -s 200 -g 5000"
    "scalar              --engine scalar --soup 0.5 -s 512 -g 16"
    "scalar-sphere       --engine scalar --topology sphere --soup 0.5 -s 256 -g 16"
    "sparse-acorn        --engine sparse --cpu avx2 acorn -g 5206"
    "sparse-gun          --engine sparse --cpu avx2 gosper-glider-gun -g 3000"
    "sparse-soup         --engine sparse --cpu avx2 --soup 0.3 -s 256 --topology infinite -g 1000"
    "sparse-torus        --engine sparse --cpu avx2 --soup 0.3 -s 1024 -g 200"
    "hashlife-acorn      --engine hashlife acorn -g 8192"
    "hashlife-gun        --engine hashlife gosper-glider-gun -g 10^20"
    "hashlife-soup       --engine hashlife --soup 0.3 -s 256 --topology infinite -g 1024"
    "hashlife-torus      --engine hashlife --soup 0.3 -s 512 -g 1024"
)

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cc -shared -fPIC -o "$work/clock.so" -x c - <<'END'
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time)
{
    static long looks;
    const long now_us = __atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);
    (void)clock;
    *time = (struct timespec){now_us / 1000000, now_us % 1000000 * 1000};
    return 0;
}
END

# count NAME PROGRAM ARGUMENT...: writes the instructions and the cells' hash to NAME.
count() {
    local name=$1
    shift
    LD_PRELOAD=$work/clock.so valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/$name.log" \
        "$1" run "${@:2}" --threads 1 --json --no-progress >"$work/$name.json"
    printf '%s %s\n' "$(sed -n 's/,//g; s/.*refs: *//p' "$work/$name.log")" \
        "$(sed -n 's/.*"hash": "\(.*\)".*/\1/p' "$work/$name.json")" >"$work/$name"
}

failed=0
printf '%-16s %14s %14s %8s\n' row before after ratio
for row in "${rows[@]}"; do
    read -ra words <<<"$row"
    [[ ${words[0]} = "${3-}"* ]] || continue
    count before "$1" "${words[@]:1}" &
    count after "$2" "${words[@]:1}"
    wait $!
    read -r before cells <"$work/before"
    read -r after others <"$work/after"
    verdict=$(awk -v b="$before" -v a="$after" 'BEGIN { r = a / b
        printf "%.4f%s", r, (r < 0.99 || r > 1.01 ? "  CHANGED" : "") }')
    [ "$cells" = "$others" ] || verdict+="  OTHER CELLS"
    [[ $verdict != *[A-Z]* ]] || failed=1
    printf '%-16s %14d %14d   %s\n' "${words[0]}" "$before" "$after" "$verdict"
done
exit "$failed"
