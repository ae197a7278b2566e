#!/usr/bin/env bash
# Films with `run --film`: what they show, how long they are, and what is left when a run is ended
# or a disk is full. Every pixel is looked at by test_film.c.
# Usage: test_cli_film.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns

no_temporaries() { # NAME
    is "$1: nothing is left" "$(find . -name '.lightcone-*' | wc -l)" 0
}

# ---- what it shows ------------------------------------------------------------------------------
expect 0 "acorn" run acorn -g 500 --film acorn.png --every 5 --theme embers
has "acorn" out "film          acorn.png, 101 pictures of 696 x 888 pixels, 6 x 6 a cell"
whole "acorn" acorn.png 101
is "acorn: its size" "$(size_of acorn.png)" "696 x 888"
for engine in sparse simd hashlife scalar; do
    expect 0 "acorn by $engine" run acorn -g 100 --film $engine.png --theme heat --engine $engine -q
    same "acorn by $engine" $engine.png sparse.png
done
"$lightcone" convert acorn acorn.rle
"$lightcone" run - -g 100 --film piped.png --theme heat -q <acorn.rle
same "from standard input" piped.png sparse.png
# As far as a glider comes in 40 generations, and two cells more; once around a tube.
expect 0 "glider" run glider.rle -g 40 --film auto.png
has "glider" out "pictures of 272 x 272 pixels, 16 x 16 a cell"
expect 0 "an area" run glider.rle -g 40 --film area.png --area -2,-2,17x17 -q
same "an area" area.png auto.png
expect 0 "an area, and another scale" run glider.rle -g 40 --film area.png --area -7,1,9x4 --scale 3
is "an area, and another scale" "$(size_of area.png)" "27 x 12"
expect 0 "a tube" run glider.rle -g 40 --topology T20,0 --film tube.png --scale 1 -q
is "a tube" "$(size_of tube.png)" "20 x 17"
expect 0 "a board" run --soup 0.5 --size 300x200 -g 20 --every 7 --film board.png
has "a board" out "4 pictures of 900 x 600 pixels, 3 x 3 a cell"
whole "a board" board.png 4
expect 0 "a large board" run --soup 0.5 --size 4096x100 -g 20 --every 10 --film far.png --theme ice
has "a large board" out "pictures of 1,024 x 25 pixels, 1 for 4 x 4 cells"
expect 0 "a scale" run --soup 0.5 --size 256 -g 5 --film scale.png --scale 1:8
is "a scale" "$(size_of scale.png)" "32 x 32"
expect 0 "cells that are very far" run gosper-glider-gun -g 1e18 --every 5e17 --film wide.png
has "cells that are very far" out "1 for 281,474,976,710,656 x 281,474,976,710,656 cells"
expect 0 "nothing alive" run glider.rle --size 3 -g 9 --topology plane --film none.png --scale 1 -q
is "nothing alive" "$(size_of none.png)" "3 x 3"
printf 'x = 1, y = 1\nb!\n' >empty.rle
expect 0 "an empty plane" run empty.rle -g 9 --film empty.png
whole "an empty plane" empty.png 1
expect 0 "a live background" run glider.rle --rule B0/S8 -g 5 --film b0.png -q
expect 0 "a first generation and no more" run glider.rle -g 0 --film one.png
whole "a first generation and no more" one.png 1

# ---- rate and theme -----------------------------------------------------------------------------
expect 0 "a rate" run glider.rle -g 40 --film rate.png --rate 12 -q
at=$(grep -aob fcTL rate.png | head -1 | cut -d: -f1)
is "a rate" "$(number_at rate.png $((at + 24)))" $((65536 + 12)) # 1/12 s
for theme in sea-light comet comet-light; do
    expect 0 "$theme" run glider.rle -g 40 --film $theme.png --theme $theme -q
    checks=$((checks + 1))
    ! cmp -s $theme.png auto.png || fail "$theme" "it is as with sea"
done

# ---- beside others ------------------------------------------------------------------------------
expect 0 "beside others" run acorn -g 100 --every 10 --film beside.png --record beside.lct \
    --stats beside.csv -o beside.rle --json -q
json "beside others"
whole "beside others" beside.png 11
is "beside others: rows" "$(wc -l <beside.csv)" 12
"$lightcone" run acorn -g 100 -o alone.rle -q
same "beside others: the output" beside.rle alone.rle
"$lightcone" run acorn -g 100 -o half.lcs -q
expect 0 "from a checkpoint" run half.lcs --until 155 --every 10 --film resumed.png
has "from a checkpoint" out "7 pictures" # 100, 110, ... 150, 155
expect 0 "from a timeline" run beside.lct --frame 2 -g 30 --every 10 --film resumed.png
has "from a timeline" out "4 pictures"

# ---- a run that is ended ------------------------------------------------------------------------
has_grown() { [ -n "$(find . -name '.lightcone-*' -size +100k)" ]; }
end_by() { # SIGNAL ARGUMENT...: runs until something has been written, and ends it; sets $got
    local signal=$1 pid
    shift
    "$lightcone" "$@" >out 2>err </dev/null &
    pid=$!
    wait_until has_grown || fail "end by $signal" "nothing was written: $(cat err)"
    kill -s "$signal" "$pid"
    wait "$pid" 2>/dev/null
    got=$?
}
cp auto.png ended.png
for signal in INT TERM; do
    number=$(kill -l $signal)
    end_by $signal run --soup 0.5 --size 300 -g 1e9 --film ended.png --theme embers
    is "SIG$signal: the exit code" $got $((128 + number))
    has "SIG$signal" out "stopped by SIG$signal"
    pictures=$(sed -n 's/^generation  *\([0-9,]*\) .*/\1/p' out | tr -d ,)
    has "SIG$signal" out ", $(sed -n 's/^film .*png, \([0-9,]*\) pictures .*/\1/p' out) pictures of 900"
    is "SIG$signal: its pictures" "$(sed -n 's/^film .*png, \([0-9,]*\) .*/\1/p' out | tr -d ,)" \
        $((pictures + 1))
    whole "SIG$signal" ended.png $((pictures + 1))
    no_temporaries "SIG$signal"
done
# While it is found out how far life comes: what other runs have written stays.
cp auto.png ahead.png
for other in rle csv lct lcs; do
    echo "of another run" >ahead.$other
done
"$lightcone" run acorn -g 1e12 --film ahead.png -o ahead.rle --stats ahead.csv --record ahead.lct \
    --checkpoint ahead.lcs --progress >out 2>err </dev/null &
pid=$!
wait_until test -s err || fail "ended before the run" "it does not say how far it is"
kill -s INT $pid
wait $pid
is "ended before the run: the exit code" $? 130
has "ended before the run" err "nothing was written"
same "ended before the run: the film" ahead.png auto.png
for other in rle csv lct lcs; do
    is "ended before the run: ahead.$other" "$(cat ahead.$other)" "of another run"
done
no_temporaries "ended before the run"
# A run that ends early for want of memory, as the look ahead does: all that it came to is seen.
limited=(run acorn --engine simd --every 1000 --film)
expect 1 "no more memory" "${limited[@]}" limited.png -g 1e6 --max-memory 4M
reached=$(sed -n 's/^generation  *\([0-9,]*\) .*/\1/p' out | tr -d ,)
expect 0 "as far as memory was enough" "${limited[@]}" unlimited.png -g "$reached"
same "no more memory" limited.png unlimited.png
# What is killed leaves the old film, and the next one cleans up.
cp auto.png killed.png
end_by KILL run --soup 0.5 --size 300 -g 1e9 --film killed.png --theme embers
same "SIGKILL" killed.png auto.png
expect 0 "after SIGKILL" run glider.rle -g 40 --film killed.png -q
no_temporaries "after SIGKILL"

# ---- a full disk ends the film, and not the run -------------------------------------------------
cp auto.png full.png
(
    trap '' XFSZ
    ulimit -f 100
    "$lightcone" run --soup 0.5 --size 300 -g 60 --film full.png --theme heat -o full.rle -q
) >out 2>err
is "a full disk: the exit code" $? 1
has "a full disk" err "lightcone: full.png: cannot write: File too large"
is "a full disk is said once" "$(wc -l <err)" 1
same "a full disk" full.png auto.png
no_temporaries "a full disk"
"$lightcone" run --soup 0.5 --size 300 -g 60 -o full2.rle -q
same "a full disk: the run went on" full.rle full2.rle
if [ -w /dev/full ]; then
    mistake 1 "/dev/full: cannot write: No space left" run acorn -g 50 --film /dev/full -q
fi

# ---- mistakes -----------------------------------------------------------------------------------
rm -f x.png
mistake 2 "--film needs a file, not standard output" run acorn -g 5 --film -
mistake 2 "\"x.gif\": a film is an animated PNG: .png or .apng" run acorn -g 5 --film x.gif
mistake 2 "did you mean \"embers\"" run acorn -g 5 --film x.png --theme ember-
mistake 2 "unknown theme \"blue\"; themes are sea, ink, amber," run acorn -g 5 --film x.png --theme blue
mistake 2 "need --film FILE.png" run acorn -g 5 --theme sea
mistake 2 "need --film FILE.png" run acorn -g 5 --rate 5
mistake 2 "need --film FILE.png" run acorn -g 5 --area 0,0,5x5
mistake 2 "need --film FILE.png" run acorn -g 5 --scale 3
mistake 2 "or --film FILE.png" run acorn -g 5 --every 5
mistake 2 "did you mean --rate N?" run acorn -g 5 --film x.png --fps 5
mistake 2 "unknown option --film" view acorn --film x.png
for rate in 0 -1 1001 fast; do
    mistake 2 "must be 1 to 1000 frames per second" run acorn -g 5 --film x.png \
        --rate $rate
done
for scale in 0 -1 1:0 1:3 1:x 2:1; do
    mistake 2 "is neither a number of pixels a cell" run acorn -g 5 --film x.png --scale $scale
done
for area in 1,2 1,2,3x 1,2,0x5 1,2,3xx 1e30,0,5x5 a,b,5x5; do
    mistake 2 "is not a rectangle X,Y,WxH of cells" run acorn -g 5 --film x.png --area $area
done
mistake 2 "both write to" run acorn -g 5 --film x.png -o x.png
cp acorn.rle acorn-rle.png
mistake 2 "overwrite the pattern" run acorn-rle.png -g 5 --film acorn-rle.png
mistake 1 "No such file" run acorn -g 5 --film nowhere/x.png
mistake 1 "too large for a film: at most 67108864 pixels" run acorn -g 5 --film x.png --scale 9999
has "too large" err "--area X,Y,WxH, and how large with --scale N or --scale 1:N"
mistake 1 "too large" run acorn -g 5 --film x.png --area 0,0,1e18x1e18 --scale 1
mistake 1 "too large" run gosper-glider-gun -g 1e19 --every 1e18 --film x.png --scale 1
checks=$((checks + 1))
[ ! -e x.png ] || fail "mistakes" "x.png is there"
mkfifo pipe.png
timeout 60 cat pipe.png >/dev/null &
mistake 1 "a film needs a file" run acorn -g 5 --film pipe.png
wait

finish
