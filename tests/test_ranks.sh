#!/usr/bin/env bash
# The command started by mpirun: boards shared by ranks that are processes of this machine.
# Usage: test_ranks.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_ranks.sh"

begin "$@"
new_session

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
ranks 2 run --soup 0.3 --size 500x500 -g 100 --audit 20 --engine simd --json >json.txt
is "audits: exit code" $? 0
has "the settings name the ranks" json.txt '"ranks=2,blocks=1"'
ranks 2 run --soup 0.3 --size 500x500 -g 100 --engine simd:blocks=2 >shared.txt
has "blocks of each rank" shared.txt "ranks=2,blocks=2"
"$lightcone" run --soup 0.3 --size 500x500 -g 100 -o alone.png -q
ranks 2 run --soup 0.3 --size 500x500 -g 100 -o shared.png -q
! has_png || same "a picture" shared.png alone.png
# Ranks share a census. Soup 17402 is a switch engine.
"$lightcone" census --first 16000 -n 1500 --seed l_mpi --format haul -o alone.haul
ranks 3 census --first 16000 -n 1500 --seed l_mpi --format haul -o shared.haul
same "a census" shared.haul alone.haul
for theme in sea heat; do
    "$lightcone" run --soup 0.3 --size 300x200 -g 30 --every 3 --film alone.png --theme $theme -q
    ranks 3 run --soup 0.3 --size 300x200 -g 30 --every 3 --film shared.png --theme $theme -q
    same "a film, $theme" shared.png alone.png
done

# ---- what is refused, once -----------------------------------------------------------------------
# When a job has failed, mpirun waits for two seconds, in which another rank might say something,
# too. So the jobs wait together: refused_N.out, .err and .code are those of the Nth.
refusals=()
texts=()
# refused TEXT ARGUMENT...: by rank 0 alone, as is seen below.
refused() {
    local name=refused_${#refusals[@]}
    refusals+=("${*:2}")
    texts+=("$1")
    {
        new_session
        ranks 2 "${@:2}" >"$name.out" 2>"$name.err"
        echo $? >"$name.code"
    } &
}
refused "this universe has no end" run acorn -g 10
refused "cannot be shared by 2 ranks" run --soup 0.5 --size 100x1 -g 10
refused "the engine \"sparse\" cannot share a board" run --soup 0.5 --size 100x100 -g 10 \
    --engine sparse
refused "did you mean" run acrn -g 10
refused 'unknown engine "siimd"; did you mean "simd"?' run acorn --size 50 -g 10 --engine siimd
LIGHTCONE_MPI=$work/nowhere.so refused "cannot work together" run acorn --size 50 -g 10
printf 'no component' >broken.so
LIGHTCONE_MPI=$work/broken.so refused "cannot work together" run acorn --size 50 -g 10
wait
for i in "${!refusals[@]}"; do
    [ "$(cat refused_"$i".code)" != 0 ] || fail "${refusals[i]}" "the exit code is 0"
    is "${refusals[i]}: how often it is said" "$(grep -c '^lightcone: ' refused_"$i".err)" 1
    has "${refusals[i]}" refused_"$i".err "${texts[i]}"
done
ranks 2 info acorn >shared.txt 2>err
is "a command without a universe: exit code" $? 0
is "a command without a universe" "$(cat shared.txt)" "$("$lightcone" info acorn)"

# ---- a signal, and a rank that is lost -----------------------------------------------------------
# begin_job NAME: a job that would take hours, whose processes' parent is $job, until its first
# checkpoint, NAME.lcs; what it says is in NAME.out and NAME.err.
begin_job() {
    new_session
    mpirun -n 3 "$lightcone" run --soup 0.4 --size 3000x3000 -g 1e12 -q --checkpoint "$1.lcs" \
        --checkpoint-every 200 </dev/null >"$1.out" 2>"$1.err" &
    job=$!
    for _ in $(seq 300); do
        [ ! -e "$1.lcs" ] || return
        sleep 0.1
    done
    fail "a job's first checkpoint" "there is none after 30 s: $(cat "$1.err")"
}
# What was saved is right: so many generations of the same soup, made alone.
check_saved() { # NAME
    local generation
    generation=$("$lightcone" info "$1.lcs" |
        awk '$1 == "generation" { gsub(",", "", $2); print $2 }')
    "$lightcone" run --soup 0.4 --size 3000x3000 -g "$generation" -q -o alone.lcs
    is "$1: generation $generation" "$("$lightcone" run "$1.lcs" -g 0 | result)" \
        "$("$lightcone" run alone.lcs -g 0 | result)"
}
# The next job begins while mpirun still waits at the end of the one before, for seconds.
begin_job SIGTERM
pkill -TERM -P "$job" -f "$lightcone" # all ranks get it, as from mpirun
terminated=$job
begin_job SIGUSR1
kill -USR1 "$job" # mpirun itself
signalled=$job
lost=()
for time in 1 2 3; do
    begin_job lost_rank_$time
    rank=$(pgrep -P "$job" -f "$lightcone" | sed -n "${time}p")
    sleep "0.$time"
    kill -KILL "$rank"
    lost+=("$job")
done
wait_for_job "$terminated"
is "SIGTERM: exit code" $? 143
check_saved SIGTERM
wait_for_job "$signalled"
is "SIGUSR1: exit code" $? 138
check_saved SIGUSR1
for time in 1 2 3; do
    if wait_for_job "${lost[time - 1]}"; then
        fail "kill -9 of a rank" "the job's exit code is 0"
    fi
    has "kill -9 of a rank" lost_rank_$time.err "signal 9"
    check_saved lost_rank_$time
done

finish
