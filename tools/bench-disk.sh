#!/bin/bash
# How near a board on disk comes to what the disk and the engine allow: rates of the disk alone
# (dd, past the system's cache), of the engine alone (the board in memory), and passes from disk at
# fixed depths and at those that lightcone chooses. Hashes are compared: a cell that differs ends it
# with 1. Nothing is built: the program is that of the build folder.
#
#     LC_BUILD=FOLDER tools/bench-disk.sh FOLDER-ON-THE-DISK
#
# LC_BENCH_SIZE=WxH       the board (524288x262144: 32 GiB of file, and 16 GiB for dd before that)
# LC_BENCH_ENGINE=cuda    simd ...
# LC_BENCH_MEMORY=24G     what --max-memory is
# LC_BENCH_DEPTHS="N .."  fixed depths (1024 2048 4096)
# LC_BENCH_GENERATIONS=N  of the passes whose depth is chosen (16384)
# LC_BENCH_DD_MIB=N       what dd moves (8192)
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lightcone=${LC_BUILD:-$source/build}/lightcone
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
size=${LC_BENCH_SIZE:-524288x262144}
engine=${LC_BENCH_ENGINE:-cuda}
memory=${LC_BENCH_MEMORY:-24G}
depths=${LC_BENCH_DEPTHS:-1024 2048 4096}
chosen=${LC_BENCH_GENERATIONS:-16384}
mib=${LC_BENCH_DD_MIB:-8192}
work=$(mktemp -d "$1/bench-disk.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
width=${size%x*} height=${size#*x}

now() {
    date +%s.%N
}

write_one() {
    dd if=/dev/zero of="$1" bs=4M count=$((mib / 4)) oflag=direct conv=fsync 2>/dev/null
}

read_one() {
    dd if="$1" of=/dev/null bs=4M iflag=direct 2>/dev/null
}

read_and_write() {
    read_one a &
    write_one b
    wait
}

rate_of() { # MIB COMMAND...: GB/s
    local begin moved=$1
    shift
    begin=$(now)
    "$@" || return 1
    awk -v a="$begin" -v b="$(now)" -v mib="$moved" \
        'BEGIN { printf "%.3f\n", mib * 1048576 / (b - a) / 1e9 }'
}

number() { # NAME: a number of ./out, which is JSON
    sed -n "s/^ *\"$1\": *\"\{0,1\}\([0-9a-f.e+]*\).*/\1/p" out | head -n 1
}

step() { # ARGUMENT...
    "$lightcone" run "$@" --engine "$engine" --json >out 2>err && return
    cat err >&2
    exit 1
}

write_rate=$(rate_of "$mib" write_one a) || exit 1
write_rate=$(rate_of "$mib" write_one a) || exit 1 # the first time the file is made
read_rate=$(rate_of "$mib" read_one a)
write_one b
both_rate=$(rate_of $((2 * mib)) read_and_write)
rm -f a b
echo "disk alone   reads $read_rate GB/s, writes $write_rate GB/s, both at once $both_rate GB/s"

soup=(--soup 0.5 --seed 7 --size "$size")
step "${soup[@]}" -g 128
step "${soup[@]}" -g 1024
cell_rate=$(number cells_per_second)
echo "stepping     $(awk -v r="$cell_rate" 'BEGIN { printf "%.2f", r / 1e12 }') Tcells/s in memory"

# Prints the time of a run and the shortest time that disk and engine allow.
report() { # NAME
    awk -v name="$1" -v took="$(number elapsed_seconds)" -v in_="$(number read_bytes)" \
        -v out="$(number written_bytes)" -v passes="$(number passes)" -v depth="$(number depth)" \
        -v rows="$(number window_rows)" -v generations="$(number generations)" \
        -v rate="$cell_rate" -v disk="$both_rate" -v width="$width" -v height="$height" 'BEGIN {
        inside = rows - 2 * depth
        windows = int((height + inside - 1) / inside)
        stepping = windows * rows * width * generations / rate
        moving = (in_ + out) / disk / 1e9
        least = stepping > moving ? stepping : moving
        printf "%-12s %d pass(es), last one %d deep in windows of %d rows: %.1f s; disk alone " \
               "%.1f s, stepping alone %.1f s: %.0f %%; %.2f ms a generation\n",
               name, passes, depth, rows, took, moving, stepping, 100 * least / took,
               1000 * took / generations
    }'
}

board=(board.lcd --max-memory "$memory")
"$lightcone" run "${soup[@]}" --disk board.lcd --max-memory "$memory" --engine "$engine" -g 0 -q
# Both places of every band are written once, since a new file's first writes take longer.
step "${board[@]}" -g 128
step "${board[@]}" -g 128
report "first two"
for depth in $depths; do
    step "${board[@]}" -g "$depth" --disk-settings "depth=$depth"
    report "depth=$depth"
    step "${board[@]}" -g "$depth" --disk-settings "depth=$depth"
    report "again"
done
step "${board[@]}" -g "$chosen"
report "chosen"
step "${board[@]}" -g "$chosen"
report "again"
generation=$(number generation) hash=$(number hash)
step "${soup[@]}" -g "$generation"
echo "hash         $hash from disk at generation $generation, $(number hash) in memory"
[ "$hash" = "$(number hash)" ]
