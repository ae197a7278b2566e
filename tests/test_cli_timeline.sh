#!/usr/bin/env bash
# Recording timelines with `run --record`, and what info, run and convert make of them.
# Usage: test_cli_timeline.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there
# was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns

hash_at() { "$lightcone" run "$@" --json -q >out 2>err && field hash; }

for engine in auto hashlife sparse simd; do
    expect 0 "record by $engine" run acorn -g 1234 --engine $engine --record $engine.lct --every 100
    expect 0 "info of $engine" info $engine.lct --json
    json "info of $engine"
    is "frames of $engine" "$(field frames)" 14
    is "ends of $engine" "$(sed -n 's/^    "generation": \([0-9]*\),$/\1/p' out | tr '\n' ' ')" "0 1234 "
    for at in 0 700 1234; do
        is "generation $at of $engine" "$(hash_at $engine.lct --at $at -g 0)" \
            "$(hash_at acorn -g $at)"
    done
    is "on from a frame of $engine" "$(hash_at $engine.lct --frame 3 -g 50)" "$(hash_at acorn -g 350)"
    is "on from the end of $engine" "$(hash_at $engine.lct -g 6)" "$(hash_at acorn -g 1240)"
done
expect 0 "info for people" info auto.lct
for text in "format        timeline, gzip" "frames        14, 0 to 13" "generation 1,234" \
    "every         100 generations"; do
    has "info for people" out "$text"
done
expect 0 "record a torus" run --soup 0.4 --size 70x50 -g 20 --record torus.lct --every 7
is "a frame of a torus" "$(hash_at torus.lct --at 14 -g 0)" \
    "$(hash_at --soup 0.4 --size 70x50 -g 14)"

# Plain text, statistics beside it, and one frame of each as a pattern.
expect 0 "record as .mc" run acorn -g 300 --record a.mc --stats a.csv --every 100
is "rows of statistics" "$(wc -l <a.csv)" 5
has "plain text" a.mc "#FRAMES 0 0 100^1"
has "plain text" a.mc "#FRAME 3 "
for out in b.mc b.rle b.lcs; do
    expect 0 "convert a frame to $out" convert a.mc --at 200 $out
    is "a frame as $out" "$(hash_at $out -g 0)" "$(hash_at acorn -g 200)"
done
"$lightcone" convert --frame 2 - - --to mc <auto.lct >c.mc
is "through a pipe" "$(hash_at c.mc -g 0)" "$(hash_at acorn -g 200)"

# A file that was cut off has its frames up to there.
head -c 2000 auto.lct >cut.lct
expect 0 "info of a cut file" info cut.lct
has "info of a cut file" err "cut short"
has "info of a cut file" err "are complete"
head -c 50 auto.lct >cut.lct
mistake 1 "cut short" info cut.lct

# What cannot be.
mistake 1 "the nearest frames are of generations 100 and 200" run auto.lct --at 150 -g 0
mistake 1 "frames are of generations 0 to 1,234" convert auto.lct --at 2000 b.rle
mistake 1 "frames are 0 to 13" convert auto.lct --frame 14 b.rle
mistake 1 "not a timeline" convert acorn --frame 0 b.rle
mistake 2 "--frame conflicts with --at" run auto.lct --frame 0 --at 0 -g 0
"$lightcone" run acorn -g 0 -q -o saved.lcs
mistake 2 "--frame and --at need a timeline" convert saved.lcs b.rle --frame 0
mistake 2 "--frame and --at need a timeline" convert saved.lcs b.rle --at 0
mistake 2 "need a timeline" run --soup 0.5 --size 9 --at 0 -g 0
mistake 2 "needs --stats" run acorn -g 5 --every 5
mistake 2 "not standard output" run acorn -g 5 --record -
mistake 2 "run --record" run acorn -g 5 -o b.lct
mistake 2 "run --record" convert acorn b.lct
mistake 2 "overwrite the pattern" run auto.lct -g 5 --record auto.lct
mistake 2 "both write to" run acorn -g 5 --record c.csv --stats c.csv
mistake 1 "No such file" run acorn -g 5 --record nowhere/c.lct
mistake 1 "out to infinity" run glider.rle --rule B0/S8 -g 5 --record c.lct
checks=$((checks + 1))
[ ! -e c.lct ] || fail "nothing was recorded" "c.lct is there"
# A full disk ends the recording, not the run.
if [ -w /dev/full ]; then
    mistake 1 "No space left" run acorn -g 300 --record /dev/full --every 100 -o whole.rle -q
    is "the run went on" "$(hash_at whole.rle -g 0)" "$(hash_at acorn -g 300)"
fi
# Nor does an old file suffer from a run that is refused.
cp auto.lct old.lct
mistake 1 "No such file" run missing.rle -g 5 --record old.lct
same "the old timeline" auto.lct old.lct

finish
