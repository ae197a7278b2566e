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
    --rule B36/S23 --limit 50 acorn
says "a torus" "kind          spaceship
period        4
speed         c/4 diagonal
displacement  1, 1
returns       after 40 generations
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

# ---- a picture of one period --------------------------------------------------------------------
# pictures NAME PERIOD SIZE ARGUMENT...: the picture has as many generations and this size. Sets
# $file to the picture.
pictures() {
    local name=$1 period=$2 size=$3
    shift 3
    file=$(tr -c 'a-z0-9\n' _ <<<"$name").png
    expect 0 "picture of $name" identify --picture "$file" "$@"
    has "picture of $name" out "picture       $file, $period picture"
    whole "picture of $name" "$file" "$period"
    is "picture of $name: size" "$(size_of "$file")" "$size"
}

pictures "a still life" 1 "96 x 96" block
pictures "an oscillator" 3 "304 x 304" pulsar
"$lightcone" run pulsar -g 2 --film film.png --rate 6 -q
same "an oscillator is as a film of it" "$file" film.png
pictures "a spaceship" 4 "128 x 128" glider
"$lightcone" run glider -g 3 --film film.png --rate 6 -q
same "a spaceship is as a film of it" "$file" film.png
pictures "what is left" 4 "507 x 531" r-pentomino
"$lightcone" run r-pentomino -g 1103 -o left.lcs -q
"$lightcone" run left.lcs -g 3 --film film.png --rate 6 -q
same "what is left is as a film of it" "$file" film.png
pictures "a gun" 30 "640 x 256" gosper-glider-gun
"$lightcone" run gosper-glider-gun -g 180 -o gun.lcs -q
"$lightcone" run gun.lcs -g 29 --area -2,-2,40x16 --film film.png --rate 6 -q
same "a gun begins when its gliders have crossed the area" "$file" film.png
pictures "a torus" 4 "100 x 100" --rule B3/S23:T10,10 --scale 10 glider
pictures "an area, a rate and a theme" 2 "20 x 16" --area -5,-4,10x8 --scale 2 --theme heat-light \
    --rate 2 blinker
at=$(grep -aob fcTL "$file" | head -1 | cut -d: -f1)
is "a rate" "$(number_at "$file" $((at + 24)))" $((65536 + 2)) # 1/2 s
expect 0 "from a checkpoint" run acorn -g 500 -o half.lcs -q
pictures "a checkpoint" 4 "584 x 627" half.lcs
"$lightcone" identify - --picture stdin.png <apart.rle >out
whole "from standard input" stdin.png 4

expect 0 "JSON and a picture" identify --json --picture json.png pulsar
json "JSON and a picture"
has "JSON and a picture" out '"picture": "json.png"'
same "JSON and a picture" json.png an_oscillator.png
expect 0 "JSON without a picture" identify --json pulsar
has "JSON without a picture" out '"picture": null'

# without NAME MESSAGE ARGUMENT...: the command prints the kind and makes no picture.
without() {
    local name=$1 message=$2
    shift 2
    expect 1 "no picture: $name" identify "$@" --picture kept.png
    has "no picture: $name" err "$message"
    has "no picture: $name: the kind" out "kind  "
}

cp json.png kept.png
without undecided "kept.png: not written, because the period is unknown; --limit N looks further" \
    acorn --limit 50
without dies "kept.png: not written, because no cell is alive from generation 1 on" one.rle
without empty "kept.png: not written, because no cell is alive" empty.rle
without "a long period" "a picture has at most 10,000 generations and the period is 40,400" \
    glider --rule B3/S23:K101,100
expect 1 "JSON of a pattern without a picture" identify one.rle --json --picture kept.png
json "JSON of a pattern without a picture"
has "JSON of a pattern without a picture" out '"picture": null'
without "too large" "too large for a film: at most 67108864 pixels" block --scale 9999
has "too large" err "choose what a picture shows with --area X,Y,WxH"
(
    trap '' XFSZ
    ulimit -f 1
    "$lightcone" identify gosper-glider-gun --theme heat --picture kept.png
) >out 2>err
is "a full disk: exit status" $? 1
has "a full disk" err "kept.png: cannot write: File too large"
has "a full disk: the kind is printed all the same" out "kind          gun"
same "the old picture stays" kept.png json.png
is "nothing else is left" "$(find . -name '.lightcone-*' | wc -l)" 0
mistake 1 "folder nowhere: No such file" identify block --picture nowhere/x.png
mistake 2 "--picture needs a file, not standard output" identify block --picture -
mistake 2 '"x.gif": a picture is an animated PNG: .png or .apng' identify block --picture x.gif
mistake 2 "--picture would overwrite the pattern" identify one.rle --picture one.rle
mistake 2 'did you mean "embers"' identify block --picture x.png --theme ember-
for option in "--rate 5" "--theme sea" "--area 0,0,5x5" "--scale 3"; do
    # shellcheck disable=SC2086 # an option and its value
    mistake 2 "need --picture FILE.png" identify block $option
done
ln one.rle one.png
mistake 2 "--picture would overwrite the pattern" identify one.rle --picture one.png

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
"$lightcone" identify --rule B3/S23:K1048575,1048576 --limit 1e9 glider >out 2>err &
child=$!
sleep 1
kill -INT $child
wait $child
is "interrupted: exit code" $? 130
is "interrupted: what it says" "$(grep -c 'stopped by SIGINT' err)" 1

finish
