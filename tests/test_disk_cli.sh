#!/usr/bin/env bash
# Boards on disk as people use them: made, gone on with, ended by kill -9 at any moment, on a disk
# that fills up, by two programs at once, by a GPU.
# Usage: test_disk_cli.sh PATH-TO-LIGHTCONE. One line a failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
emulated=$(dirname "$lightcone")/tests/libemulated_cuda.so # a GPU that is this CPU

# Generation, population, box and rule, and nothing of how it was done.
result() {
    grep -E '^(generation|population|bounding box|rule) ' | sed 's/ (.*stepped.*//'
}

# expect CODE NAME ARGUMENT...: runs it; what it says is in ./out and ./err.
expect() {
    local want=$1 name=$2 got
    shift 2
    "$lightcone" "$@" >out 2>err </dev/null
    got=$?
    is "$name: exit code ($(head -c 200 err))" $got "$want"
}

soup=(run --soup 0.4 --seed 7 --engine simd -t 2)
# shellcheck disable=SC2054 # commas are the settings' own
small=(--disk-settings band=4096,rows=400,depth=32)

# ---- made, and gone on with ----------------------------------------------------------------------
for board in "torus 1000x700" "plane 999x701" "klein 1000x700" "sphere 1024x1024"; do
    read -r topology size <<<"$board"
    of=("${soup[@]}" --topology "$topology" --size "$size")
    expect 0 "$board in memory" "${of[@]}" -g 150 -o memory.rle
    result <out >memory.txt
    rm -f board.lcd
    expect 0 "$board is made" "${of[@]}" -g 100 --disk board.lcd "${small[@]}"
    has "$board: its windows" out "in windows of"
    expect 0 "$board goes on" run board.lcd -g 30 "${small[@]}"
    expect 0 "$board goes on as --disk" run --disk board.lcd -g 20 -o disk.rle
    is "$board: result" "$(result <out)" "$(cat memory.txt)"
    same "$board: cells" disk.rle memory.rle
done
expect 0 "info" info board.lcd
has "info says the generation" out "generation    150"
has "info says the format" out "board on disk"
expect 0 "info --json" info board.lcd --json
has "info --json says the file's size" out '"file_bytes": '
expect 0 "audits" run board.lcd -g 64 --audit 10 "${small[@]}"
expect 0 "until" run board.lcd --until 300 --json "${small[@]}"
has "JSON" out '"passes": '
mkdir folder
expect 0 "a folder" "${soup[@]}" --size 500 -g 10 --disk folder
expect 0 "a folder goes on" run --disk folder -g 10
has "its file" out "folder/board.lcd"
expect 0 "a pattern" run acorn --size 400x300 -g 100 --disk acorn.lcd -q -o disk.rle
expect 0 "a pattern in memory" run acorn --size 400x300 -g 100 -q -o memory.rle
same "cells of a pattern" disk.rle memory.rle
expect 0 "a checkpoint" run acorn.lcd -g 10 -q --checkpoint acorn.lcs
expect 0 "from a checkpoint" run acorn.lcs -g 10 -q --disk again.lcd -o disk.rle
expect 0 "a pattern goes on" run acorn.lcd -g 10 -q -o memory.rle
same "cells of a checkpoint" disk.rle memory.rle

# ---- what is refused -----------------------------------------------------------------------------
refused() { # TEXT CODE ARGUMENT...
    expect "$2" "${*:3}" "${@:3}"
    has "${*:3}" err "$1"
}
refused "exists already" 1 "${soup[@]}" --size 500 -g 10 --disk folder
refused "exists already" 1 run acorn --size 400x300 -g 1 --disk acorn.lcd
refused "no such board; create it" 2 run --disk missing.lcd -g 10
refused "needs --disk" 2 run acorn -g 10 --disk-settings rows=4
refused "has no end" 2 run acorn -g 10 --disk plane.lcd
refused "has its own rule" 2 run acorn.lcd -g 1 --rule HighLife
refused "no/folder/b.lcd: cannot be made" 1 "${soup[@]}" --size 500 -g 1 --disk no/folder/b.lcd
printf 'x = 3, y = 3\n3o$bad' >bad.rle
expect 1 "a damaged pattern" run bad.rle --size 99 -g 1 --disk bad.lcd
[ ! -e bad.lcd ] || fail "a damaged pattern" "a file of it is left"

# ---- a newest state that is damaged --------------------------------------------------------------
rm -f board.lcd
expect 0 "kept twice" "${soup[@]}" --size 1000 -g 50 --disk board.lcd -q "${small[@]}" -o before.rle
expect 0 "kept again" run board.lcd -g 32 -q "${small[@]}" -o memory.rle
flip() { # FILE OFFSET
    local byte
    byte=$(dd if="$1" bs=1 skip="$2" count=1 status=none | od -An -tu1)
    # shellcheck disable=SC2059 # the format is the byte
    printf "\\x$(printf %x $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
# Both headers and both indexes: the older one of each does no harm, the newer one is refused.
damaged=0
for offset in 136 4232 8200 12296; do
    cp board.lcd bad.lcd
    flip bad.lcd $offset
    cp bad.lcd copy.lcd
    if "$lightcone" run bad.lcd -g 0 -q -o disk.rle 2>err; then
        same "an older state is damaged: cells" disk.rle memory.rle
        is "an older state is damaged: warnings" "$(cat err)" ""
        continue
    fi
    damaged=$((damaged + 1))
    for command in "info bad.lcd" "info bad.lcd --json" "run bad.lcd -g 9" \
        "view bad.lcd --no-open"; do
        # shellcheck disable=SC2086 # words
        mistake 1 "the state kept before it, generation 50, can be opened (--previous)" $command
    done
    expect 0 "info --previous" info bad.lcd --previous
    has "info --previous" out "generation    50"
    has "info --previous" err "bad.lcd: this is the state kept before the newest one"
    expect 0 "info --previous --json" info bad.lcd --previous --json
    has "info --previous --json" out '"note": "this is the state kept before'
    expect 0 "run --previous" run bad.lcd --previous -g 0 -q -o disk.rle
    has "run --previous" err "generation 50"
    same "the previous state's cells" disk.rle before.rle
    same "the file is as it was" bad.lcd copy.lcd
    expect 0 "goes on from it" run bad.lcd --previous -g 32 -q "${small[@]}"
    expect 0 "which is the newest then" run bad.lcd -g 0 -q -o disk.rle
    is "which is the newest then" "$(cat err)" ""
    same "its cells" disk.rle memory.rle
done
is "damaged newest states" $damaged 2
mistake 2 "--previous needs a board on disk" info acorn --previous
mistake 2 "--previous needs a board on disk" run acorn -g 1 --previous
mistake 2 "--previous needs a board on disk" run acorn --size 99 -g 1 --disk made.lcd --previous

# The two indexes begin at 8,192 and 12,288.
cp board.lcd bad.lcd
for offset in 8200 12296; do
    printf x | dd of=bad.lcd bs=1 seek=$offset conv=notrunc status=none
done
for command in "info bad.lcd" "info bad.lcd --json" "run bad.lcd -g 0"; do
    # shellcheck disable=SC2086 # words
    mistake 1 "its index is damaged" $command
done

# ---- two programs --------------------------------------------------------------------------------
"$lightcone" run acorn.lcd -g 1000000000 -q --disk-settings cached >/dev/null 2>&1 &
first=$!
# It is stopped while others try for two seconds to have the board: it has it all the same, and
# takes no time of the CPUs. It may not have opened it yet; then it goes on.
for ((i = 0; i < 200; i++)); do
    sleep 0.05
    kill -STOP $first
    expect 0 "info beside it" info acorn.lcd
    grep -q "is in use" err && break
    kill -CONT $first
done
has "info beside it" err "is in use"
expect 1 "a second program" run acorn.lcd -g 1
has "a second program" err "is in use"
kill -TERM $first
kill -CONT $first
wait $first
is "SIGTERM" $? 143

# ---- kill -9 at any moment -----------------------------------------------------------------------
of=("${soup[@]}" --size 2000x1500)
end=3000
expect 0 "in memory" "${of[@]}" -g $end -o memory.rle
rm -f board.lcd
expect 0 "to be killed" "${of[@]}" -g 0 --disk board.lcd
kills=0
for ((i = 0; i < 200; i++)); do
    "$lightcone" run board.lcd --until $end -q "${small[@]}" >/dev/null 2>err &
    run=$!
    sleep "0.0$((RANDOM % 90 + 10))"
    kill -9 $run 2>/dev/null
    wait $run 2>/dev/null
    code=$?
    [ $code != 137 ] || kills=$((kills + 1))
    [ $code != 0 ] || break
    [ $code = 137 ] || fail "between kills" "exit code $code: $(cat err)"
    [ $kills -lt 20 ] || break
done
[ $kills -ge 3 ] || fail "kill -9" "only $kills were in time"
expect 0 "after $kills kills" run board.lcd --until $end -q -o disk.rle
same "cells after kills" disk.rle memory.rle

# ---- a disk that fills up ------------------------------------------------------------------------
if (trap '' XFSZ && ulimit -f 1024 &&
    exec "$lightcone" "${soup[@]}" --size 9000 -g 10 --disk limited.lcd) >/dev/null 2>err; then
    fail "a file that may not grow so far" "the exit code is 0"
fi
has "a file that may not grow so far" err "limited.lcd: cannot have"
[ ! -e limited.lcd ] || fail "a file that may not grow so far" "it is left"
mkdir disk
if mount -t tmpfs -o size=64m tmpfs disk 2>/dev/null; then
    trap 'umount "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
    expect 1 "a board larger than the disk" "${soup[@]}" --size 20000 -g 10 --disk disk/large.lcd
    has "a board larger than the disk" err "disk/large.lcd: the board takes"
    is "and nothing is left of it" "$(ls disk)" ""
    expect 0 "a board that fits" "${soup[@]}" --size 14000 -g 40 --disk disk/board.lcd -q
    expect 1 "a second one" "${soup[@]}" --size 14000 -g 40 --disk disk/second.lcd -q
    head -c 64m /dev/zero >disk/rest 2>/dev/null # the disk is full now
    expect 0 "on a full disk" run disk/board.lcd -g 40 -q -o disk.rle
    expect 0 "in memory" "${soup[@]}" --size 14000 -g 80 -q -o memory.rle
    same "cells on a full disk" disk.rle memory.rle
    umount disk
else
    echo "not run: a disk of 64 MiB that fills up: nothing can be mounted here"
fi

# ---- a GPU ---------------------------------------------------------------------------------------
if [ -f "$emulated" ] && command -v cc >/dev/null; then
    export LIGHTCONE_CUDA=$emulated LIGHTCONE_NVRTC=$emulated LIGHTCONE_CACHE=$work/kernels
    for board in "torus 1024x300" "plane 1000x301" "klein 1000x300"; do
        read -r topology size <<<"$board"
        of=(run --soup 0.4 --seed 7 --topology "$topology" --size "$size" -g 40)
        rm -f gpu.lcd
        expect 0 "$board in memory" "${of[@]}" --engine simd -q -o memory.rle
        expect 0 "$board by a GPU" "${of[@]}" --engine cuda --disk gpu.lcd -q -o disk.rle \
            "${small[@]/rows=400/rows=192}"
        same "$board: cells of a GPU" disk.rle memory.rle
    done
fi

finish
