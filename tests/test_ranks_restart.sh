#!/usr/bin/env bash
# A job of ranks that is killed 20 times, at any moment, and started again by the loop of
# docs/scale.md: in the end its cells are those of a run that nobody disturbed. And what becomes of
# checkpoints where a rank's disk is full, or its folder is another one.
# Usage: test_ranks_restart.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there
# was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_ranks.sh"

begin "$@"
new_session
# Who is left when a rank was killed is killed at once.
export OMPI_MCA_odls_base_sigkill_timeout=0

# files NAME: how many there are of a checkpoint, its index included, and temporary ones.
files() {
    find . -maxdepth 1 \( -name "$1" -o -name "$1-*" -o -name '.lightcone-*.tmp' \) | wc -l
}

# ---- killed 20 times -----------------------------------------------------------------------------
soup=(--soup 0.4 --seed 5 --size 2000x1500)
kills=0

# Some time after it has begun, or after it has written its next checkpoint, which takes most of its
# time, one of its ranks is killed.
kill_one() {
    local job=$1 before=$2 ranks=() pause
    for _ in $(seq 500); do
        mapfile -t ranks < <(pgrep -P "$job" -f "$lightcone")
        [ ${#ranks[@]} -lt 3 ] || break
        sleep 0.02
    done
    if [ $((kills % 4)) -ne 0 ]; then
        for _ in $(seq 1500); do
            [ "$(inode)" = "$before" ] || break
            sleep 0.02
        done
    fi
    printf -v pause '0.%03d' $((RANDOM % 200))
    sleep "$pause"
    kill -KILL "${ranks[RANDOM % ${#ranks[@]}]}"
}

inode() {
    stat -c %i big.lcs 2>/dev/null
}

# mpirun_of_the_loop ARGUMENT...: mpirun, killed if it is not yet time for the end.
mpirun_of_the_loop() {
    local before job code
    before=$(inode)
    mpirun -n 3 "$lightcone" run "$@" -q --checkpoint big.lcs --checkpoint-every 20 </dev/null \
        >>out 2>>err &
    job=$!
    [ "$kills" -ge 20 ] || kill_one "$job" "$before"
    wait_for_job "$job"
    code=$?
    [ "$kills" -ge 20 ] || kills=$((kills + 1))
    return "$code"
}

# Where it ends is said when it has been killed often enough.
last() {
    if [ "$kills" -lt 20 ]; then
        echo 1e12
    else
        "$lightcone" info big.lcs |
            awk '$1 == "generation" { gsub(",", "", $2); print $2 + 37 }' | tee last
    fi
}

job() {
    [ ! -e big.lcs ] || set -- big.lcs
    mpirun_of_the_loop "$@" --until "$(last)"
}
rm -f out err
until job "${soup[@]}"; do
    if [ -e big.lcs ] && ! "$lightcone" info big.lcs >info.txt 2>&1; then
        fail "kill $kills" "the checkpoint is not whole: $(cat info.txt)"
        break
    fi
done
is "how often it was killed" "$kills" 20
"$lightcone" run "${soup[@]}" --until "$(cat last)" -q -o alone.lcs
"$lightcone" convert big.lcs shared.rle
"$lightcone" convert alone.lcs alone.rle
same "a job that was killed 20 times, generation $(cat last)" shared.rle alone.rle
# Who was killed last may still have been dying, its locks held, when the job after it looked round.
mpirun -n 3 "$lightcone" run big.lcs -g 0 -q --checkpoint big.lcs </dev/null >out 2>err
is "files that are left" "$(files big.lcs)" 4

# ---- disks ---------------------------------------------------------------------------------------
# One rank cannot write as much as it wants: the old checkpoint stays, the run goes on.
"$lightcone" convert big.lcs before.rle
# shellcheck disable=SC2016
mpirun -n 2 "$lightcone" run big.lcs -g 60 -q --checkpoint big.lcs --checkpoint-every 20 -o full.rle \
    : -n 1 bash -c 'trap "" XFSZ; ulimit -f 16; exec "$@"' - "$lightcone" run </dev/null >out 2>err
is "a full disk: exit code" $? 1
has "a full disk" err "rank 2: big.lcs-"
has "a full disk" err "-2.share: cannot write: File too large"
"$lightcone" convert big.lcs after.rle
same "a full disk: the old checkpoint" before.rle after.rle
is "a full disk: files that are left" "$(files big.lcs)" 4
"$lightcone" run big.lcs -g 60 -q -o alone.rle
same "a full disk: what the run ends with" full.rle alone.rle

# A rank that sees another folder under the same name: rank 0 reads and writes for it.
if unshare -m true 2>/dev/null; then
    mkdir far
    cp big.lcs big.lcs-*.share far
    # shellcheck disable=SC2016
    mpirun -n 2 "$lightcone" run far/big.lcs -g 60 -q --checkpoint far/two.lcs \
        : -n 1 unshare -m bash -c 'mount -t tmpfs none far && exec "$@"' - "$lightcone" run \
        </dev/null >out 2>err
    is "a rank elsewhere: exit code" $? 0
    is "a rank elsewhere" "$(cat err)" ""
    "$lightcone" convert far/two.lcs far.rle
    same "a rank elsewhere" far.rle alone.rle
    is "a rank elsewhere: files" "$(cd far && files two.lcs)" 1
fi

finish
