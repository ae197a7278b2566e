#!/bin/bash
# One table of what a GPU does, for `make bench-gpu`; about six minutes on an H200. Nothing is
# built: the program is that of the build folder. Every figure of `lightcone bench` was found right
# in the same process first; what is too large for that says how it was checked.
#
#     LC_BUILD=FOLDER tools/bench-gpu.sh [--rules N] [--csv FILE] [--charts FOLDER]
#
# --rules N          so many random rules (20)
# --csv FILE         all records (bench-gpu.csv in the build folder)
# --charts FOLDER  charts of the gallery (bench-gpu-charts in the build folder)
#
# For another GPU, or a trial:
# LC_BENCH_SIZES="65536 ..."  sides of tori       LC_BENCH_SURFACES="65536 16384"
# LC_BENCH_LARGEST=WxH        "" leaves it out    LC_BENCH_RULES_SIZE=16384
# LC_BENCH_FILE=WxH           of the files read   LC_BENCH_ENGINE=cuda
# LC_BENCH_SOUPS=1e8          of a census, 0: none
# LC_BENCH_GALLERY="NAME ..." of these designs, none: not at all (all that can run here)
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${LC_BUILD:-$source/build}
lightcone=$build/lightcone
rules=20
csv=$build/bench-gpu.csv
charts=$build/bench-gpu-charts
while [ $# -gt 0 ]; do
    case $1 in
    --rules) rules=$2 ;;
    --csv) csv=$2 ;;
    --charts) charts=$2 ;;
    *)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift 2
done
engine=${LC_BENCH_ENGINE:-cuda}
largest=${LC_BENCH_LARGEST-1048576x524288}
file_size=${LC_BENCH_FILE:-16384x65536}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LIGHTCONE_CACHE=$work/kernels
failed=0
true >"$csv" || exit 1

now() {
    date +%s.%N
}

seconds_of() { # SECONDS_OF COMMAND...: its wall time; nothing, and a line, if it fails
    local begin
    begin=$(now)
    if ! "$@" >"$work/out" 2>"$work/log"; then
        tail -n 5 "$work/log" >&2
        return 1
    fi
    awk -v a="$begin" -v b="$(now)" 'BEGIN { printf "%.3f\n", b - a }'
}

# Records of a CSV file as a table. With "relative", the first is what the others are compared with.
table() {
    awk -v relative="${2-}" '
        function cells_of(line, field,    n, i, c, quoted, text) {
            n = 1; text = ""
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) { field[n++] = text; text = "" }
                else text = text c
            }
            field[n] = text
        }
        NR == 1 { cells_of($0, name); for (i in name) at[name[i]] = i; next }
        {
            cells_of($0, f)
            label = sprintf("  %-26.26s %-18s", f[at["topology"]], f[at["rule"]])
            if (f[at["status"]] != "LC_OK") {
                printf "%s %s: %s\n", label, f[at["status"]], f[at["message"]]
                next
            }
            rate = f[at["cells_per_second"]]
            if (first == 0) first = rate
            share = f[at["fraction_of_limit"]] == "" ? "     -" : sprintf("%5.1f%%", 100 * f[at["fraction_of_limit"]])
            printf "%s %8.3f %8.3f .. %-8.3f %10.3f  %s", label, rate / 1e12,
                f[at["worst_cells_per_second"]] / 1e12, f[at["best_cells_per_second"]] / 1e12,
                f[at["ns_per_generation"]] / 1e3, share
            if (relative != "") printf "  %5.1f%%", 100 * rate / first
            printf "\n"
            if (relative != "" && rate != first) ratio[++count] = 100 * rate / first
        }
        END {
            for (i = 1; i <= count; i++)
                for (j = i + 1; j <= count; j++)
                    if (ratio[j] < ratio[i]) { t = ratio[i]; ratio[i] = ratio[j]; ratio[j] = t }
            if (count > 0)
                printf "  slowest %.1f%%, median %.1f%%, fastest %.1f%% of the first line\n",
                    ratio[1], ratio[int((count + 1) / 2)], ratio[count]
        }' "$1"
}

# keep FILE: its records among all records, which have the same columns.
keep() {
    if [ -s "$csv" ]; then
        tail -n +2 "$1" >>"$csv"
    else
        cat "$1" >"$csv"
    fi
}

# measure TITLE relative|"" ARGUMENTS OF BENCH...
measure() {
    local title=$1 relative=$2 begin=$SECONDS part=$work/part.csv
    shift 2
    printf '\n== %s\n   lightcone bench --engine %s --quick %s\n' "$title" "$engine" "$*"
    printf '  %-26s %-18s %8s %20s %12s %7s%s\n' board rule Tcells/s 'slowest .. fastest' \
        'us a gen.' 'limit' "${relative:+  relative}"
    rm -f "$part"
    "$lightcone" bench --engine "$engine" --quick --csv "$part" "$@" \
        >"$work/out" 2>"$work/log" || failed=1
    if [ ! -s "$part" ]; then
        failed=1
        tail -n 5 "$work/log"
        return
    fi
    table "$part" "$relative"
    keep "$part"
    printf '   (%d s with verifying)\n' $((SECONDS - begin))
}

# N rules of the kind B../S.., the same ones every time.
random_rules() {
    awk -v n="$1" 'BEGIN {
        srand(42)
        for (i = 0; i < n; i++) {
            text = "B"
            for (k = 0; k <= 8; k++) if (rand() < 0.5) text = text k
            text = text "/S"
            for (k = 0; k <= 8; k++) if (rand() < 0.5) text = text k
            print text
        }
    }'
}

value_of() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" "$2" | head -1
}

echo "lightcone of $build, $(date -u +%Y-%m-%dT%H:%M:%SZ)"
"$lightcone" devices
command -v nvidia-smi >/dev/null && nvidia-smi --format=csv,noheader \
    --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,power.draw,temperature.gpu

for side in ${LC_BENCH_SIZES-65536 262144 16384 4096 1024}; do
    measure "Torus $side x $side, B3/S23" "" --size "$side"
done
for side in ${LC_BENCH_SURFACES-65536 16384}; do
    measure "Surfaces, $side x $side" relative --size "$side" \
        --topology torus,klein,cross,sphere,plane
done

# At most 31 of them beside B3/S23 in one call.
random_rules "$rules" >"$work/rules"
for ((first = 1; first <= rules; first += 31)); do
    list=$(sed -n "$first,$((first + 30))p" "$work/rules" | paste -sd,)
    measure "Random rules" relative --size "${LC_BENCH_RULES_SIZE:-16384}" --rule "B3/S23,$list" \
        --runs 3
done

if [ -n "$largest" ]; then
    printf '\n== The largest board, %s, B3/S23\n' "$largest"
    # No CPU holds a second one: the kernel is checked on a board of its own, and by audits.
    begin=$(now)
    if "$lightcone" run --engine "$engine" --soup 0.5 --seed 42 --size "$largest" \
        -g 200 --audit 100 --no-progress --json >"$work/json" 2>"$work/log"; then
        awk -v rate="$(value_of cells_per_second "$work/json")" \
            -v elapsed="$(value_of elapsed_seconds "$work/json")" \
            -v size="$largest" -v begin="$begin" -v end="$(now)" 'BEGIN {
            split(size, side, "x")
            rest = end - begin - elapsed
            printf "  %.3f Tcells/s over 200 generations, audited; %.0f Gcells\n", rate / 1e12,
                side[1] * side[2] / 1e9
            printf "  %.1f s before and after: start, soup, hash (%.2f GB/s of packed cells in)\n",
                rest, side[1] * side[2] / 8e9 / rest
        }'
    else
        failed=1
        tail -n 5 "$work/log"
    fi
fi

printf '\n== From start to the first generation, wall time in seconds\n'
start() { # SIZE
    seconds_of "$lightcone" run --engine "$engine" --soup 0.5 --size "$1" -g 1 -q
}
for size in 1024x1024 16384x16384; do
    rm -rf "$LIGHTCONE_CACHE"
    cold=$(start "$size") && warm=$(for _ in 1 2 3; do start "$size"; done | sort -n | sed -n 2p) &&
        printf '  %-16s no kernels kept %s, kept %s\n' "$size" "$cold" "$warm" || failed=1
done

printf '\n== From file to board, %s\n' "$file_size"
for ending in lcs rle; do
    file=$work/soup.$ending
    "$lightcone" run --engine simd --soup 0.5 --seed 1 --size "$file_size" -g 0 -q -o "$file" \
        2>"$work/log" || failed=1
    # What is left of the time without the file's is starting, and is taken off.
    base=$(for _ in 1 2 3; do
        seconds_of "$lightcone" run --engine "$engine" --soup 0.5 --size 1024 -g 0 -q
    done | sort -n | sed -n 2p)
    whole=$(for _ in 1 2 3; do
        seconds_of "$lightcone" run "$file" --engine "$engine" -g 0 -q
    done | sort -n | sed -n 2p)
    if [ -z "$whole" ] || [ -z "$base" ]; then
        failed=1
        continue
    fi
    awk -v whole="$whole" -v base="$base" -v size="$file_size" -v name=".$ending" \
        -v bytes="$(stat -c %s "$file")" 'BEGIN {
        split(size, side, "x")
        net = whole - base > 0.001 ? whole - base : 0.001
        printf "  %s  %.1f MB: %.3f s, of which %.3f s are starting: %.2f GB/s of packed cells\n",
            name, bytes / 1e6, whole, base, side[1] * side[2] / 8e9 / net
    }'
    rm -f "$file"
done

soups=${LC_BENCH_SOUPS-1e8}
if [ "$soups" != 0 ]; then
    printf '\n== A census of %s soups, wall time\n' "$soups"
    for symmetry in C1 D8_1 iC1; do
        took=$(seconds_of "$lightcone" census -n "$soups" --seed l_bench --symmetry $symmetry \
            --gpus 1 -q) &&
            awk -v soups="$soups" -v took="$took" -v symmetry=$symmetry 'BEGIN {
                printf "  %-6s %.2f s: %.3f million soups a second\n", symmetry, took,
                    soups / took / 1e6 }' || failed=1
    done
    printf '\n== Batches of boards\n'
    "$build/tests/batch_rate" 64 131072 2000 5 cuda || failed=1
fi

if [ "${LC_BENCH_GALLERY-}" != none ]; then
    printf '\n== The gallery: published designs beside the engines\n'
    begin=$SECONDS
    part=$work/gallery.csv
    # shellcheck disable=SC2086 # a list
    "$lightcone" gallery bench ${LC_BENCH_GALLERY-} --quick --csv "$part" --charts "$charts" ||
        failed=1
    [ ! -s "$part" ] || keep "$part"
    printf '   (%d s with verifying; charts: %s/index.html)\n' $((SECONDS - begin)) "$charts"
fi

printf '\nrecords: %s; %d s in all%s\n' "$csv" "$SECONDS" \
    "$([ $failed -eq 0 ] || echo '; something FAILED, see above')"
exit $failed
