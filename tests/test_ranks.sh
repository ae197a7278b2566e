#!/usr/bin/env bash
# The command started by mpirun: boards shared by ranks that are processes of this machine.
# Usage: test_ranks.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_ranks.sh"

begin "$@"

# ranks N ARGUMENT...: in N processes.
ranks() {
    timeout -s KILL 300 mpirun -n "$1" "$lightcone" "${@:2}" </dev/null
}

# Generation, population and box, and nothing of how it was done.
result() {
    grep -E '^(generation|population|bounding box|rule) '
}

# ---- the same cells ------------------------------------------------------------------------------
for board in "torus 300x201 simd" "klein 257x130 simd" "plane 500x99 simd" "sphere 128x128 simd" \
    "cross 190x133 scalar" "T64+5,40 - scalar"; do
    read -r topology size engine <<<"$board"
    of=(run --soup 0.4 --seed 3 --topology "$topology" -g 333 --engine "$engine")
    [ "$size" = - ] || of+=(--size "$size")
    "$lightcone" "${of[@]}" -o alone.rle >alone.txt
    for count in 2 3; do
        ranks "$count" "${of[@]}" -o shared.rle >shared.txt 2>err
        is "$board: exit code on $count ranks" $? 0
        is "$board: on $count ranks" "$(result <shared.txt)" "$(result <alone.txt)"
        same "$board: cells of $count ranks" shared.rle alone.rle
        is "$board: what is said" "$(cat err)" ""
    done
done

# Patterns come in, checkpoints go out and come back, on as many ranks as there are.
"$lightcone" run acorn --size 400x300 -g 900 -q -o alone.rle
ranks 4 run acorn --size 400x300 -g 400 -q --checkpoint acorn.lcs
ranks 3 run acorn.lcs -g 300 -q --checkpoint acorn.lcs
"$lightcone" run acorn.lcs -g 100 -q --checkpoint acorn.lcs
ranks 2 run acorn.lcs -g 100 -q -o shared.rle
same "a run over checkpoints" shared.rle alone.rle
ranks 2 run --soup 0.3 --size 500x500 -g 400 --audit 20 --engine simd --json >json.txt
is "audits: exit code" $? 0
has "the settings name the ranks" json.txt '"ranks=2,blocks=1"'
ranks 2 run --soup 0.3 --size 500x500 -g 100 --engine simd:blocks=2 >shared.txt
has "blocks of each rank" shared.txt "ranks=2,blocks=2"
"$lightcone" run --soup 0.3 --size 500x500 -g 100 -o alone.png -q
ranks 2 run --soup 0.3 --size 500x500 -g 100 -o shared.png -q
! has_png || same "a picture" shared.png alone.png
for theme in sea heat; do
    "$lightcone" run --soup 0.3 --size 300x200 -g 30 --every 3 --film alone.png --theme $theme -q
    ranks 3 run --soup 0.3 --size 300x200 -g 30 --every 3 --film shared.png --theme $theme -q
    same "a film, $theme" shared.png alone.png
done

# ---- what is refused, once -----------------------------------------------------------------------
# refused TEXT ARGUMENT...: by rank 0 alone.
refused() {
    if ranks 2 "${@:2}" >out 2>err; then
        fail "$*" "the exit code is 0"
    fi
    is "${*:2}: how often it is said" "$(grep -c '^lightcone: ' err)" 1
    has "${*:2}" err "$1"
}
refused "this universe has no end" run acorn -g 10
refused "cannot be shared by 2 ranks" run --soup 0.5 --size 100x1 -g 10
refused "the engine \"sparse\" cannot share a board" run --soup 0.5 --size 100x100 -g 10 \
    --engine sparse
refused "did you mean" run acrn -g 10
refused "there is no engine 'siimd'" run acorn --size 50 -g 10 --engine siimd
LIGHTCONE_MPI=$work/nowhere.so refused "cannot work together" run acorn --size 50 -g 10
printf 'no component' >broken.so
LIGHTCONE_MPI=$work/broken.so refused "cannot work together" run acorn --size 50 -g 10
ranks 2 info acorn >shared.txt 2>err
is "a command without a universe: exit code" $? 0
is "a command without a universe" "$(cat shared.txt)" "$("$lightcone" info acorn)"

# ---- a signal, and a rank that is lost -----------------------------------------------------------
# A job that would take hours, whose processes' parent is $job, until its first checkpoint.
begin_job() {
    rm -f long.lcs
    mpirun -n 3 "$lightcone" run --soup 0.4 --size 3000x3000 -g 1e12 -q --checkpoint long.lcs \
        --checkpoint-every 200 </dev/null >out 2>err &
    job=$!
    for _ in $(seq 300); do
        [ ! -e long.lcs ] || return
        sleep 0.1
    done
    fail "a job's first checkpoint" "there is none after 30 s: $(cat err)"
}
# What was saved is right: so many generations of the same soup, made alone.
check_saved() {
    generation=$("$lightcone" info long.lcs | awk '$1 == "generation" { gsub(",", "", $2); print $2 }')
    "$lightcone" run --soup 0.4 --size 3000x3000 -g "$generation" -q -o alone.lcs
    is "$1: generation $generation" "$("$lightcone" run long.lcs -g 0 | result)" \
        "$("$lightcone" run alone.lcs -g 0 | result)"
}
begin_job
pkill -TERM -P "$job" -f "$lightcone" # all ranks get it, as from mpirun
wait_for_job "$job"
is "SIGTERM: exit code" $? 143
check_saved "SIGTERM"
begin_job
kill -USR1 "$job" # mpirun itself
wait_for_job "$job"
is "SIGUSR1: exit code" $? 138
check_saved "SIGUSR1"
for time in 1 2 3; do
    begin_job
    rank=$(pgrep -P "$job" -f "$lightcone" | sed -n "${time}p")
    sleep "0.$time"
    kill -KILL "$rank"
    if wait_for_job "$job"; then
        fail "kill -9 of a rank" "the job's exit code is 0"
    fi
    has "kill -9 of a rank" err "signal 9"
    check_saved "kill -9 of a rank"
done

finish
