#!/usr/bin/env bash
# Tests `lightcone identify`: its output, its limits, and mistakes of users.
# Usage: test_cli_identify.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there
# was any.
set -u
# shellcheck disable=SC2016 # the $ of RLE is no expansion

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns
printf 'o!' >one.rle
printf 'x = 0, y = 0, rule = B3/S23\n!' >empty.rle
printf 'bo$o$3o10$14bo$15bo$13b3o!' >apart.rle

# says NAME LINES ARGUMENT...: what `identify` prints, which begins with these lines.
says() {
    local name=$1 lines=$2
    shift 2
    expect 0 "$name" identify "$@"
    is "$name" "$(head -n "$(wc -l <<<"$lines")" out)" "$lines"
}

says "a still life" "kind          still life
population    4
objects       1 block, xs4_33
rule          B3/S23, infinite plane" block
says "an oscillator" "kind          oscillator
period        3
population    48 to 72
cells         64 in the rotor, 24 in the stator
heat          42.67 cells change in a generation, 0.67 for each cell of the rotor
volatility    0.727, strict 0.727
objects       1 pulsar, xp3_co9nas0san9oczgoldlo0oldlogz1047210127401" pulsar
says "a spaceship" "kind          spaceship
period        4
speed         c/4 diagonal
displacement  1, -1
population    5" xq4_153
says "a gun" "kind          gun
period        30" gosper-glider-gun
is "what a gun sends out" "$(grep -c '^each period   1 glider, xq4_153$' out)" 1
says "a methuselah" "kind          settles in generation 1,103
period        4
population    116
objects       8 block, xs4_33" r-pentomino
says "gliders that fly apart" "kind          several objects that never meet
period        4
population    10
objects       2 glider, xq4_153" apart.rle
says "another rule" "kind          undecided after 50 generations; --limit N looks further" \
    --rule B1357/S1357 --limit 50 acorn
says "a torus" "kind          spaceship
period        4
speed         c/4 diagonal
displacement  1, 1
population    5
objects       1 glider, xq4_153" --rule B3/S23:T10,10 glider
says "a Klein bottle" "kind          oscillator
period        120" --rule B3/S23:K10*,15 glider
says "a pattern that dies" "kind          dies in generation 1" one.rle
says "no cell" "kind          dies in generation 0" empty.rle

expect 0 "JSON" identify --json glider
is "JSON: kind" "$(grep -c '"kind": "spaceship"' out)" 2
is "JSON: speed" "$(grep -c '"speed": "c/4 diagonal"' out)" 1
is "JSON: name" "$(grep -c '"name": "glider"' out)" 1

# ---- mistakes -----------------------------------------------------------------------------------
expect 2 "no pattern" identify
expect 2 "two patterns" identify block glider
expect 2 "a limit that is none" identify --limit x block
expect 2 "an unknown rule" identify --rule B9/S block
expect 1 "no such file" identify nothing.rle
expect 1 "too many generations" identify --limit 1T block
expect 1 "not a pattern" identify /dev/null
expect 2 "no generation at all" identify --limit 0 acorn
expect 0 "the smallest limit" identify --limit 1 acorn

# ---- Ctrl-C -------------------------------------------------------------------------------------
"$lightcone" identify highlife-replicator >out 2>err &
child=$!
sleep 1
kill -INT $child
wait $child
is "interrupted: exit code" $? 130
is "interrupted: what it says" "$(grep -c 'stopped by SIGINT' err)" 1

finish
