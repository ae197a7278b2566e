#!/usr/bin/env bash
# What is said of files, and what becomes of them in another format: info and convert.
# shellcheck disable=SC2016 # the $ of RLE is no expansion
# Usage: test_cli_files.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns
"$lightcone" run --soup 0.5 --size 300 -g 0 -q -o soup.rle.gz

# ---- info ---------------------------------------------------------------------------------------
expect 0 "info" info glider.rle
for text in "format        RLE" "population    5" "bounding box  3 x 3 at (0, 0)" "  Glider"; do
    has "info" out "$text"
done
# One system of coordinates: a bounded direction begins at 0, whatever the file counts from.
for head in 'x = 3, y = 3, rule = B3/S23:T40,30' '#CXRLE Pos=-5,6\nx = 3, y = 3, rule = B3/S23:P41,0' \
    'x = 99, y = 3, rule = B3/S23:T40,30' '#CXRLE Pos=-5,6\nx = 3, y = 3, rule = B3/S23'; do
    printf '%b' "$head\nbo\$2bo\$3o!\n" >placed.rle
    expect 0 "info of a placed pattern" info placed.rle
    grep '^bounding box' out >info.box
    expect 0 "run of a placed pattern" run placed.rle -g 0
    grep '^bounding box' out >run.box
    same "info and run say where $head is" info.box run.box
done
is "the first of them" "$("$lightcone" run --topology T40,30 -g 0 glider.rle | grep '^bounding')" \
    "bounding box  3 x 3 at (19, 14)"
expect 0 "info --json" info --json soup.rle.gz
json "info --json"
is "gzip" "$(field gzip)" true
expect 0 "info of cells listed twice" info twice.lif
has "info of cells listed twice" out "twice"
printf '#C \033[31m "quoted" \\ \377\001\nx = 1, y = 1, rule = B3/S23\no!\n' >"we\"ird.rle"
expect 0 "info of a hostile comment" info 'we"ird.rle' --json
json "info of a hostile comment"
expect 0 "info of a hostile comment" info 'we"ird.rle'
is "no escape sequence gets through" "$(tr -cd '\033' <out | wc -c)" 0
mistake 2 "give a pattern" info
mistake 1 "No such file" info missing.rle

# ---- convert ------------------------------------------------------------------------------------
population() { "$lightcone" info "$1" --json >out 2>err && field population; }
for name in a.cells a.lif a.rle a.rle.gz a.cells.gz a.lcs; do
    expect 0 "convert to $name" convert rpentomino.cells $name
    is "population of $name" "$(population $name)" 5
    expect 0 "convert back from $name" convert $name back.cells
    is "population of $name and back" "$(population back.cells)" 5
done
"$lightcone" convert glider.rle a.cells && "$lightcone" convert a.cells b.rle
is "RLE to .cells to RLE" "$(tail -1 b.rle)" 'bo$2bo$3o!'
expect 0 "comments are kept" convert glider.rle - --to rle
has "comments are kept" out "first line"
expect 0 "life106" convert glider.rle - --to life106
has "life106" out "#Life 1.06"
expect 0 "the topology is kept" convert torus.rle b.rle
has "the topology is kept" b.rle "B3/S23:T20,10"
expect 0 "--rule" convert glider.rle - --rule HighLife:T30,40
has "--rule" out "B36/S23:T30,40"
if has_png; then
    expect 0 "PNG" convert glider.rle glider.png
    is "PNG" "$(head -c 4 glider.png | tail -c 3)" PNG
fi
"$lightcone" convert - - --to cells <glider.rle >piped.cells
has "convert through pipes" piped.cells ".O"
lost() { # WHAT... of ARGUMENT...: one line on stderr, nothing with --quiet
    local what=$1
    shift
    expect 0 "lost: $what" convert "$@"
    is "lost: $what" "$(sed -n 's/.*cannot store it: //p' err)" "$what"
    is "lost in a line" "$(wc -l <err)" "$([ -n "$what" ] && echo 1 || echo 0)"
    expect 0 "lost: $what" convert --quiet "$@"
    is "lost, and --quiet" "$(cat err)" ""
}
printf '#CXRLE Pos=7,-9 Gen=12\n#C words\nx = 3, y = 3, rule = B36/S23:T40,50\nbob$2bo$3o!\n' >all.rle
lost "" all.rle lost.rle
lost "" all.rle - --to rle
lost "comments" all.rle lost.lcs
lost "rule, topology, position and generation" all.rle lost.cells
lost "rule, topology, position and generation" all.rle - --to cells
lost "topology and generation" all.rle lost.lif
lost "rule, topology, generation and comments" all.rle lost.life
if has_png; then
    lost "rule, topology, position, generation and comments" all.rle lost.png
    lost "rule, topology and generation" lost.lcs lost.png
fi
lost "comments" glider.rle lost.life
lost "topology" torus.rle lost.lif
if has_png; then
    lost "" rpentomino.cells lost.png
    lost "rule" rpentomino.cells lost.png --rule HighLife
fi
expect 0 "a glider that went away" run glider.rle -g 40 -q -o away.lcs
lost "position and generation" away.lcs away.cells
lost "generation" away.lcs away.lif
# Cells far apart, in the memory of what is alive. What would have to draw the dead ones says so.
printf '#Life 1.06\n1000000000000 5\n-3 999999999999\n0 0\n1 0\n0 0\n' >far.life
printf '#CXRLE Pos=-3,0\nx = 1000000000004, y = 1000000000000, rule = B3/S23\n' >far.want
printf '3b2o5$1000000000003bo999999999994$o!\n' >>far.want
expect 0 "cells far apart" convert far.life far.rle --max-memory 1M
same "cells far apart" far.rle far.want
for name in far.lif far.rle.gz; do
    expect 0 "cells far apart to $name" convert far.rle $name --max-memory 1M
    expect 0 "and back" convert $name back.rle --max-memory 1M
    same "cells far apart through $name" back.rle far.want
done
mistake 1 "too many for plaintext" convert far.rle far.cells
mistake 1 "too many for a PNG" convert far.rle far.png
expect 0 "cells far apart to a checkpoint" convert far.rle far.lcs
expect 0 "and back" convert far.lcs back.rle
same "cells far apart through a checkpoint" back.rle far.want
# The squares of a macrocell file take no more than the limit, and nothing is lost if they would.
expect 0 "a soup of many squares" run --soup 0.5 --size 4096 -g 1 -q -o soup.mc
sed 's/:T4096,4096$//' soup.mc >plane.mc
mistake 1 "more squares need more than the limit of 6.0 MiB (--max-memory)" info soup.mc --max-memory 6M
mistake 1 "more squares need more than the limit of 6.0 MiB (--max-memory)" info plane.mc --max-memory 6M
expect 0 "room for the squares" info soup.mc --max-memory 64M
mistake 1 "more squares need more than the limit of 6.0 MiB (--max-memory)" convert soup.mc soup.rle --max-memory 6M
mistake 1 "an RLE file (.rle) needs none" \
    run --soup 0.5 --size 4096 -g 2 -q --engine simd --max-memory 8M -o full.mc
has "a file that needs too much memory" err "generation 2 was saved in the checkpoint full.mc.lcs"
printf '999999999999o!' >run.rle
mistake 1 "2^36 live cells" convert run.rle run.life
mistake 1 "2^36 live cells" convert run.rle run.lif
printf '4611686018427387903bo!' >edge.rle
expect 0 "the last column" convert edge.rle edge.life
is "the last column" "$(tail -1 edge.life)" "4611686018427387903 0"
printf '#Life 1.06\n-4611686018427387904 0\n4611686018427387904 0\n' >edge.life
mistake 1 "further than 2^62" convert edge.life edge.rle
mistake 1 "2^62" info edge.life

# Where a pattern lies does not change, nor do dead rows and columns before its first cell.
printf '!\n.\n\n  O\n' >leading.cells
expect 0 "leading dead cells" convert leading.cells leading.rle
is "leading dead cells" "$(tail -2 leading.rle | tr '\n' ' ')" 'x = 3, y = 3, rule = B3/S23 2$2bo! '
expect 0 "and back" convert leading.rle leading2.cells
is "and back" "$(tr '\n' ' ' <leading2.cells)" '! . . ..O '
for head in 'x = 0, y = 0' 'x = 3, y = 1' 'x = 2, y = 2' 'x = 13, y = 2' 'x = 5, y = 3' \
    '#CXRLE Pos=-4,-1\nx = 1, y = 1'; do
    printf '%b' "$head, rule = B3/S23:P12,11\nb3o!\n" >placed.rle
    expect 0 "convert what lies at $head" convert placed.rle moved.rle
    "$lightcone" run placed.rle -g 3 -q -o placed3.rle
    "$lightcone" run moved.rle -g 3 -q -o moved3.rle
    same "what lies at $head stays there" placed3.rle moved3.rle
done
mistake 2 "give an input and an output" convert glider.rle
mistake 1 "larger" convert glider.rle - --rule B3/S23:T2,2

# A rule that nobody knows matters only where it is followed or stated.
printf 'x = 3, y = 3, rule = LostRule:T30,20\nbob$2bo$3o!\n' >leap.rle
mistake 1 "leap.rle:1:22" run leap.rle -g 4
mistake 1 "leap.rle:1:22" info leap.rle
mistake 1 "leap.rle:1:22" convert leap.rle - --to rle
mistake 1 "leap.rle:1:22" convert leap.rle leap.lcs
expect 0 "--rule counts" run leap.rle -g 4 --rule B3/S23 -o leap.out.rle
has "--rule counts, and so does the topology" leap.out.rle "rule = B3/S23:T30,20"
expect 0 "--rule counts" convert leap.rle - --rule HighLife
has "--rule counts" out "rule = B36/S23:T30,20"
lost "rule and topology" leap.rle lost.cells
printf '.O\n..O\nOOO\n' >leap.cells
grep -v '^!' lost.cells | cmp -s - leap.cells || fail "the cells of an unknown rule"

# Squares of few bytes may be more cells than a disk holds: 2^39 in stripes.
{
    printf '[M2] (stripes)\n'
    printf '*.*.*.*.$%.0s' 1 2 3 4 5 6 7 8
    printf '\n'
    for k in $(seq 4 20); do
        printf '%d %d %d %d %d\n' "$k" $((k - 3)) $((k - 3)) $((k - 3)) $((k - 3))
    done
} >stripes.mc
for format in rle lif life; do
    mistake 1 "or more" convert stripes.mc "stripes.$format"
    [ ! -e "stripes.$format" ] || fail "stripes.$format is there"
done
expect 1 "a run's output of that kind" run stripes.mc -g 2 -o stripes.rle
has "a run's output of that kind" err "was saved in the checkpoint"
expect 0 "the checkpoint" info stripes.rle.lcs
timeout 1 "$lightcone" convert stripes.mc stripes.rle --any-size 2>err
is "--any-size begins to write" "$?" 124
# Rows may be so many that have no more than a run each.
{
    printf '[M2] (full)\n'
    printf '********$%.0s' 1 2 3 4 5 6 7 8
    printf '\n'
    for k in $(seq 4 40); do
        printf '%d %d %d %d %d\n' "$k" $((k - 3)) $((k - 3)) $((k - 3)) $((k - 3))
    done
} >full.mc
timeout 10 "$lightcone" convert full.mc full.rle 2>err
is "more rows than a disk has room for" "$?" 1
has "more rows than a disk has room for" err "1.0 TiB (1099511627776 bytes) or more"
[ ! -e full.rle ] || fail "full.rle is there"

# Half a file may look like a whole one.
printf 'x = 3, y = 3, rule = B3/S23\nbob$2bo$' >half.rle
for command in "run half.rle -g 1" "info half.rle" "convert half.rle half.cells"; do
    # shellcheck disable=SC2086 # it is words
    "$lightcone" $command >out 2>err || fail "$command"
    has "$command" err "half.rle: no '!' at the end"
done
mistake 2 "own rule" convert a.lcs - --rule Life

# ---- several patterns in one file --------------------------------------------------------------
printf '%s\n' '#N Glider' 'x = 3, y = 3, rule = B3/S23' 'bo$2bo$3o!' 'A text.' 'x = 3, y = 1' '3o!' \
    $'#N Six\033[31m' '#CXRLE Pos=7,8' 'x = 6, y = 1, rule = B36/S23:T30,20' '6o!' >several.rle
gzip -k several.rle
cp several.rle named.rle
taken="took the first of 3 patterns; --nth N takes another"
for words in "run several.rle -g 0" "show several.rle" "convert several.rle -" \
    "convert several.rle one.mc" "run several.rle.gz -g 0 --json"; do
    # shellcheck disable=SC2086 # they are words
    expect 0 "several: $words" $words
    is "several: $words" "$(cat err)" "lightcone: $(grep -o 'several.rle[.gz]*' <<<"$words"): $taken"
done
for words in "run several.rle -g 0 -q" "convert several.rle - -q" "info several.rle" \
    "run several.rle -g 0 --nth 1" "show several.rle --nth 3" "convert several.rle - --nth 2"; do
    # shellcheck disable=SC2086
    expect 0 "several, nothing said: $words" $words
    is "several, nothing said: $words" "$(cat err)" ""
done
# Each of them, from a file, compressed, and through pipes.
for number in 1 2 3; do
    expect 0 "several: number $number" convert several.rle "number-$number.rle" --nth $number
    expect 0 "several: number $number" convert several.rle.gz - --nth $number
    same "several: number $number, gzip" out "number-$number.rle"
    for name in several.rle several.rle.gz; do
        # shellcheck disable=SC2002 # a pipe cannot go back
        cat $name | "$lightcone" convert - - --nth $number >out 2>err
        same "several: number $number of $name, pipe" out "number-$number.rle"
    done
    "$lightcone" run several.rle --nth $number -g 0 -q -o stepped.lcs
    "$lightcone" info several.rle --nth $number | grep -E '^(population|bounding)' >info.facts
    "$lightcone" info stepped.lcs | grep -E '^(population|bounding)' >run.facts
    same "several: info and run agree about number $number" info.facts run.facts
done
is "several: the second" "$(cat number-2.rle)" $'x = 3, y = 1, rule = B3/S23\n3o!'
has "several: the third" number-3.rle "x = 6, y = 1, rule = B36/S23:T30,20"
"$lightcone" run - -g 0 <several.rle >out 2>err
is "several: standard input" "$(cat err)" "lightcone: standard input: $taken"
# What info says.
expect 0 "several: info" info several.rle --nth 3
for text in "patterns      3; this is number 3" "  1           Glider" "  2           no name" \
    "  3           Six" "rule          B36/S23" "population    6"; do
    has "several: info" out "$text"
done
is "several: no escape sequence gets through" "$(tr -cd '\033' <out | wc -c)" 0
expect 0 "several: info --json" info several.rle.gz --json --nth 2
json "several: info --json"
is "several: patterns" "$(field patterns)" 3
is "several: nth" "$(field nth)" 2
is "several: names" "$(tr -d ' \n' <out | grep -o '"names":.*]')" \
    '"names":["Glider",null,"Six\u001b[31m"]'
expect 0 "one pattern: info" info glider.rle
is "one pattern: info" "$(grep -c '^patterns' out)" 0
expect 0 "one pattern: info --json" info glider.rle --json
is "one pattern: patterns" "$(field patterns)" 1
yes $'#N a name\nx = 1, y = 1\no!' 2>/dev/null | head -n 30000 >many.rle
expect 0 "10,000 patterns: info" info many.rle
has "10,000 patterns: info" out "patterns      10,000; this is number 1"
has "10,000 patterns: info" out "  and 638 more"
# What there is not.
mistake 1 "several.rle: there is no pattern 5; the file has 3" run several.rle --nth 5 -g 1
mistake 1 "several.rle.gz: there is no pattern 4; the file has 3" info several.rle.gz --nth 4
mistake 1 "glider.rle: there is no pattern 2; the file has 1" show glider.rle --nth 2
mistake 1 "rpentomino.cells: there is no pattern 2; the file has 1" convert rpentomino.cells - --nth 2
mistake 1 "acorn: there is no pattern 2; the file has 1" run acorn --nth 2 -g 1
expect 0 "a built-in pattern is the first" run acorn --nth 1 -g 1
mistake 2 "--nth: \"0\" must be at least 1" run several.rle --nth 0 -g 1
mistake 2 "--nth: \"x\" is not a number" show several.rle --nth x
for words in "info a.lcs" "show a.lcs" "convert a.lcs -" "run a.lcs -g 1" "run --soup 0.5 -s 9 -g 1"; do
    # shellcheck disable=SC2086
    mistake 2 "--nth needs a pattern file" $words --nth 2
done
# Other text behind '!' begins no pattern. An error has its place in the file.
printf '#N a\nx = 3, y = 1\n3o!\n\n#C a comment\nx = 3 is its width\n' >comments.rle
expect 0 "text behind a pattern" run comments.rle -g 0
is "text behind a pattern" "$(cat err)" ""
printf '3o!\nx = 1, y = 1, rule = NoSuchRule\no!\nx = 3, y = 1\nbo$\n?!\n' >faulty.rle
expect 0 "an error in another pattern" run faulty.rle -g 0
mistake 1 "faulty.rle:2:22: " run faulty.rle -g 0 --nth 2
printf 'x = 1, y = 1, rule = NoSuchRule\no!\nx = 3, y = 1\n3o!\n' >family.rle
mistake 1 "family.rle:1:22: " info family.rle
expect 0 "an unknown rule in another pattern" info family.rle --nth 2
mistake 1 "faulty.rle:6:1: unexpected character '?'" run faulty.rle -g 0 --nth 3

# ---- a terminal as standard output --------------------------------------------------------------
cat >terminal.py <<'END'
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
END
# on_terminal CODE ARGUMENT...: standard output and error are a terminal, and go to ./out.
on_terminal() {
    local code=$1
    shift
    "$python" -B terminal.py "$lightcone" "$@" >out 2>&1 </dev/null
    is "on a terminal: $*: exit code" $? "$code"
}
if [ -n "$python" ]; then
    formats=(lcs)
    ! has_png || formats+=(png)
    for format in "${formats[@]}"; do
        on_terminal 2 convert glider.rle - --to "$format"
        has "convert to $format on a terminal" out "standard output is a terminal and the output is binary"
        on_terminal 2 run glider.rle -s 9 -g 1 -o - --output-format "$format"
        has "run -o - of $format on a terminal" out "standard output is a terminal"
        on_terminal 2 convert glider.rle /dev/stdout --to "$format"
        has "convert to $format on /dev/stdout" out "/dev/stdout is a terminal"
        expect 0 "convert to $format into a pipe" convert glider.rle - --to "$format" -q
        on_terminal 0 convert glider.rle "file.$format" -q
    done
    on_terminal 2 run glider.rle -s 9 -g 1 --film /dev/stdout
    has "a film on a terminal" out "/dev/stdout is a terminal"
    on_terminal 0 convert glider.rle - --to rle
    has "text on a terminal" out "bo"
fi

finish
