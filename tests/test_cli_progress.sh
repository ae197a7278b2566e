#!/usr/bin/env bash
# The line that says how far a run is.
# Usage: test_cli_progress.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there
# was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"

# By this rule a soup never comes to rest.
endless=(run --soup 0.5 --size 700 -r B2/S -g 1e15)
"$lightcone" "${endless[@]}" --progress --stats quiet.csv --every 1000 -q 2>err &
pid=$!
wait_until test -s quiet.csv
sleep 0.4 # the first line of progress would come
kill -INT $pid
wait $pid
is "--quiet is stronger than --progress" "$(wc -c <err)" 0
"$lightcone" "${endless[@]}" --progress >out 2>err &
pid=$!
wait_until grep -q " left" err
kill -INT $pid
wait $pid
for text in "  gen " "gen/s" "cells/s" "  pop " " left"; do
    has "progress without a terminal" err "$text"
done
# The population is that of the generation beside it, or of the one that is named after it.
line='s/,//g; s/.*  gen \([0-9]*\) of .*  pop \([0-9]*\)\( at \([0-9]*\)\)\{0,1\} .*/\1 \2 \4/p'
sed -n "$line" err >lines
is "progress: lines with a population" "$(wc -l <lines)" "$(wc -l <err)"
while read -r generation population counted; do
    expect 0 "progress: generation ${counted:-$generation}" \
        "${endless[@]:0:7}" -g "${counted:-$generation}" --json
    is "progress: population of generation ${counted:-$generation}" "$(field population)" "$population"
done <lines
if command -v script >/dev/null; then
    ln -s "$lightcone" "light cone (1)"
    script -qefc 'stty cols 66; echo $$ >terminal.pid
        TERM=xterm exec "./light cone (1)" run --soup 0.5 --size 700 -r B2/S -g 1e15' \
        terminal >/dev/null 2>&1 </dev/null &
    pid=$!
    wait_until grep -qs "gen/s" terminal
    kill -INT "$(cat terminal.pid)"
    wait $pid
    tr '\r' '\n' <terminal | sed 's/\x1b\[[0-9;]*[mK]//g' >lines
    has "progress on a terminal" lines "gen/s"
    has "progress on a terminal is coloured" terminal "$(printf '\033[32m')"
    checks=$((checks + 1))
    grep '^ .*gen/s' lines | awk 'length > 66 { exit 1 }' ||
        fail "progress is wider than the terminal"
fi

# ---- searches -----------------------------------------------------------------------------------
# A search shows its line after two seconds, if stderr is a terminal. Searches that began before it
# have no terminal, or are quiet.
endless_glider=(glider --rule "B3/S23:K1048575,1048576" --limit 1e9) # its period is 2^43
search=(glider --topology klein --size 1048575x1048576 --until empty -g 1e12)
soups=(--soup 0.5 --size 16 --topology infinite --seeds 1..1000000000)
"$lightcone" identify "${endless_glider[@]}" >out1 2>err1 &
pids=$!
"$lightcone" run "${search[@]}" >out2 2>err2 &
pids+=" $!"
"$lightcone" run "${search[@]}" --progress -q >out3 2>err3 &
pids+=" $!"
"$lightcone" run "${soups[@]}" -t 1 >out4 2>err4 &
pids+=" $!"
"$lightcone" run "${search[@]}" --progress >out5 2>searching &
pids+=" $!"
"$lightcone" run "${soups[@]}" -t 1 --progress >out6 2>counting &
pids+=" $!"
wait_until grep -qs "gen/s" searching
wait_until grep -q "soups/s" counting
has "a search" searching "searching  gen "
has "a search" searching " of at most 1,000,000,000,000  "
has "many soups" counting " of 1,000,000,000  "
if command -v script >/dev/null; then
    script -qefc 'stty cols 66; echo $$ >terminal.pid
        TERM=xterm exec "./light cone (1)" identify glider --rule B3/S23:K1048575,1048576 \
            --limit 1e9' \
        found >/dev/null 2>&1 </dev/null &
    pid=$!
    wait_until grep -qs "searching" found
    kill -INT "$(cat terminal.pid)"
    wait $pid
    has "a search on a terminal" found "of at most 1,000,000,000"
fi
# shellcheck disable=SC2086 # several numbers
kill -INT $pids
# shellcheck disable=SC2086
wait $pids
for quiet in err1 err2 err3 err4; do
    is "$quiet: only the end is said" "$(grep -c '' $quiet)$(grep -c 'stopped by SIGINT' $quiet)" 11
done

# ---- what may take long is said before it does --------------------------------------------------
printf '#Life 1.06\n0 0\n1 0\n2 0\n9000 9000\n9001 9000\n9002 9000\n' >far.life
# started ARGUMENT...: a run without end, stopped once it has done a pass.
started() {
    local begin=$SECONDS
    rm -f pass.lcs
    "$lightcone" run -g 1e12 --checkpoint pass.lcs --checkpoint-every 1 "$@" >out 2>err &
    local pid=$!
    while [ ! -e pass.lcs ] && [ $((SECONDS - begin)) -lt 120 ]; do
        sleep 0.02
    done
    kill -INT $pid
    wait $pid
    is "run $*: it was stopped" $? 130
}
started far.life --engine simd
is "two lines far apart: one note" "$(grep -c '' err)" 1
has "two lines far apart" err "lightcone: note: this run may be slow:"
has "two lines far apart" err "9,003 x 9,001, 81.0 M cells with 6 alive"
has "two lines far apart" err "MiB of memory and, by a rough estimate, "
has "two lines far apart: what to do" err "--size WxH"
started far.life --engine hashlife
is "an engine that does not step the box gets no note" "$(cat err)" ""
started far.life -q
is "--quiet says no note" "$(cat err)" ""
started far.life --size 20000
is "a bounded universe gets no note" "$(cat err)" ""
started acorn
is "a small universe gets no note" "$(cat err)" ""
expect 0 "a short run gets no note" run far.life -g 1
is "a short run gets no note" "$(cat err)" ""
expect 0 "nor does none at all" run far.life -g 0
is "nor does none at all" "$(cat err)" ""

finish
