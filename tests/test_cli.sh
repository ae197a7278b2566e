#!/usr/bin/env bash
# The lightcone command as people use it: every command, the mistakes they make, signals, pipes.
# shellcheck disable=SC2016 # the $ of RLE is no expansion
# Usage: test_cli.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns

# ---- help and version ---------------------------------------------------------------------------
expect 0 "version" --version
has "version" out "lightcone "
expect 0 "help" help
expect 0 "-h" -h
for command in run show info convert patterns rules devices bench gallery tune help version; do
    has "help lists $command" out "  $command"
done
for command in run info convert patterns devices bench gallery "gallery bench" tune version; do
    # shellcheck disable=SC2086 # two words
    "$lightcone" help $command >text1 2>&1 || fail "help $command"
    # shellcheck disable=SC2086
    expect 0 "$command --help" $command --help
    same "help $command is $command --help" text1 out
    has "help $command" out "lightcone $command"
    checks=$((checks + 1))
    awk 'length > 88 { exit 1 }' out || fail "help $command is too wide for a terminal"
done
mistake 2 "missing command: run, show, "
mistake 2 "did you mean \"run\"" rnu
mistake 2 "unknown command" frobnicate
mistake 2 "unknown command" help frobnicate

# Lists in the help are those that messages make from the tables.
listed() { # COMMAND BEGIN MISTAKE ...: each name behind BEGIN in the message is in the command's help
    local command=$1 begin=$2 names name
    shift 2
    expect 2 "a list of names" "$@"
    names=$(sed -n "s/.*$begin\([^;]*\).*/\1/p" err | sed 's/, each also.*//; s/(text also .gz)//; s/,/ /g')
    is "names behind '$begin'" "$(($(wc -w <<<"$names") > 5))" 1
    "$lightcone" help "$command" >text1
    for name in $names; do
        is "help $command has $name" \
            "$(grep -cE -- "(^|[ ,])${name//./\\.}([ ,;.:)]|$)" text1 | sed 's/^[1-9].*/some/')" some
    done
}
listed run "formats are " run acorn -g 1 -o x --output-format bmp
listed convert "formats are " convert acorn x --to bmp
listed run "themes are " run acorn -g 1 --film x.png --theme blue
listed run "suffixes are " run acorn -g 1 -o x.bmp
listed convert "suffixes are " convert acorn x.bmp

# ---- run: results -------------------------------------------------------------------------------
expect 0 "glider" run glider.rle -g 4k
has "glider" out "generation    4,000 (4,000 stepped)"
has "glider" out "population    5"
has "glider" out "bounding box  3 x 3 at (1000, 1000)"
expect 0 "options in any order" run --json -g=4000 --rule=Life glider.rle
json "glider"
is "generation" "$(field generation)" 4000
is "population" "$(field population)" 5
is "rule" "$(field rule)" '"B3/S23"'
is "topology" "$(field topology)" '"plane"'
is "stopped" "$(field stopped)" null
is "cells_per_second of an unbounded universe" "$(field cells_per_second)" null
is "hash" "$(field hash | grep -cE '^"[0-9a-f]{16}"$')" 1
for key in version generations background bounding_box engine cpu_level threads elapsed_seconds \
    generations_per_second output skipped_generations; do
    has "JSON has $key" out "\"$key\":"
done
expect 0 "R-pentomino" run rpentomino.cells -g1103 --json
is "R-pentomino at 1103" "$(field population)" 116
expect 0 "glider on the file's torus" run torus.rle -g 40 --json -o torus40.rle
is "topology of the file" "$(field topology)" '"T20,10"'
has "cells a second of a torus" out '"cells_per_second": '
expect 0 "the same glider by options" run glider.rle --size 20x10 -g 40 -o size40.rle -q
has "torus kept in the output" torus40.rle "B3/S23:T20,10"
same "--size is a torus" torus40.rle size40.rle
expect 0 "--topology" run glider.rle --topology T20,10 -g 40 -o size40.rle -q
same "--topology T20,10 is the same" torus40.rle size40.rle
expect 0 "rule with suffix" run glider.rle --rule B3/S23:T20,10 -g 40 -o size40.rle -q
same "--rule ...:T20,10 is the same" torus40.rle size40.rle
for same in "T20,10" "torus --size 20x10"; do
    # shellcheck disable=SC2086
    expect 0 "--rule with the same topology" run glider.rle --rule B3/S23:T20,10 --topology $same \
        -g 40 -o size40.rle -q
    same "--rule ...:T20,10 with --topology $same" torus40.rle size40.rle
done
for other in T10,20 T20+1,10 P20,10 infinite "torus --size 20" "klein --size 20x10"; do
    # shellcheck disable=SC2086
    mistake 2 "--topology ${other%% *} conflicts with the topology in --rule B3/S23:T20,10" \
        run glider.rle --rule B3/S23:T20,10 --topology $other -g 1
done
expect 0 "--size N is a square" run glider.rle --size 20 -g 1 --json
is "--size N is a square" "$(field topology)" '"T20,20"'
expect 0 "infinite overrides the file" run torus.rle --topology infinite -g 400 --json
is "infinite" "$(field topology)" '"plane"'
for topology in torus plane klein cross sphere; do
    expect 0 "$topology" run glider.rle --size 32 --topology $topology -g 1000 --json
    json "$topology"
done
# A glider that leaves a bounded plane ends as a block in its corner.
expect 0 "bounded plane" run glider.rle --size 32 --topology plane -g 1000 --json
is "bounded plane" "$(field population)" 4
expect 0 "--quiet" run glider.rle -g 1 --quiet
is "--quiet says nothing" "$(cat out err)" ""
expect 0 "-g 0" run glider.rle -g 0 -o zero.rle
has "-g 0" out "(0 stepped)"
expect 0 "--until" run glider.rle --until 8 --json
is "--until" "$(field generation)" 8
expect 0 "B0" run glider.rle --rule B03/S23 -g 3 --json
is "B0 has a live background" "$(field background)" true

# ---- numbers ------------------------------------------------------------------------------------
for pair in 1e3:1000 2^10:1024 1_000:1000 1.5k:1500 0.002M:2000 1e3k:1000000 0:0; do
    expect 0 "-g ${pair%:*}" run --soup 0 --size 1x1 -g "${pair%:*}" --json
    is "-g ${pair%:*}" "$(field generation)" "${pair#*:}"
done
# Exact to the last digit: a blinker is as it was after an even number of generations.
printf 'x = 3, y = 1, rule = B3/S23:T64,64\n3o!\n' >blinker.rle
expect 0 "a blinker" run blinker.rle -g 0 --json
lying=$(field hash)
expect 0 "a blinker" run blinker.rle -g 1 --json
standing=$(field hash)
expect 0 "-g 10^30" run blinker.rle -g 10^30 --json -o even.rle
is "-g 10^30" "$(field generation)" 1000000000000000000000000000000
has "-g 10^30" even.rle " Gen=1000000000000000000000000000000"
is "the same phase" "$(field hash)" "$lying"
expect 0 "on from there" run even.rle -g 2 -q --stats far.csv
is "stats far out" "$(cut -d, -f1 far.csv | tail -n 1)" 1000000000000000000000000000002
expect 0 "1.5e30" run even.rle -g 1.5e30 --json
is "1.5e30" "$(field generation)" 2500000000000000000000000000000
expect 0 "as far as there are numbers" run even.rle --until 2^256-1 --json --checkpoint far.lcs
is "the other phase" "$(field hash)" "$standing"
mistake 1 "exceed 2^256-1" run far.lcs -g 1
expect 0 "a late checkpoint" info far.lcs
has "a late checkpoint" out "generation    115,792,089,237,316,195,423,570,985,008,687,907,853,269,"
for number in 1.5 1e-1 0.0001k; do
    mistake 2 "is not a whole number" run glider.rle -g $number
done
for number in 2^256 1e78 9e75k 9e999999999999999; do
    mistake 2 "is larger than 2^256-1" run glider.rle -g $number
done
for number in '' x 10x 1__0 _1 1_ 0x10 ' 5' +5 1e 2^ k; do
    mistake 2 "not a number" run glider.rle -g "$number"
done
mistake 2 "must not be negative" run glider.rle -g -5
mistake 2 "is not a size" run glider.rle -g 1 --size 10x10x10
mistake 2 "must be more than 0" run glider.rle -g 1 --max-memory 0
mistake 2 "not a size of memory" run glider.rle -g 1 --max-memory 10Q
mistake 2 "more than this machine's memory" run glider.rle -g 1 --max-memory 101%
mistake 2 "at least 1" run glider.rle -g 1 --audit 0
mistake 2 "at least 1" bench --audit 0
mistake 2 "not a time" run glider.rle -g 1 --checkpoint c.lcs --checkpoint-every 5y
mistake 2 "density" run --soup 1.5 --size 10 -g 1
mistake 2 "density" run --soup nan --size 10 -g 1

# ---- mistakes -----------------------------------------------------------------------------------
mistake 2 "did you mean --generations" run glider.rle --genrations 5
mistake 2 "unknown option -Z" run glider.rle -Z
mistake 2 "needs a value" run glider.rle -g
mistake 2 "takes no value" run glider.rle -g 1 --json=yes
mistake 2 "missing number of generations" run glider.rle
mistake 2 "-g conflicts with --until" run glider.rle -g 1 --until 2
mistake 2 "give a pattern" run -g 1
mistake 2 "; give one" run glider.rle torus.rle -g 1
mistake 2 "both write to standard output" run glider.rle -g 1 --json -o -
mistake 2 "needs a size" run --soup 0.5 -g 1
mistake 2 "conflicts with a pattern" run --soup 0.5 glider.rle -g 1
mistake 2 "cannot fill an unbounded" run --soup 0.5 --topology infinite -g 1
mistake 2 "larger than the universe" run --soup 0.5 --topology T10,10 --size 20x5 -g 1
mistake 2 "needs --size" run glider.rle --topology klein -g 1
mistake 2 "conflicts with the size in" run glider.rle --topology T10,10 --size 20x20 -g 1
mistake 2 "sphere" run glider.rle --topology sphere --size 20x10 -g 1
mistake 2 "--topology" run glider.rle --topology donut --size 20x10 -g 1
mistake 2 "--rule: \"B9/S23\": column 2: " run glider.rle --rule B9/S23 -g 1
mistake 2 "--rule: \"B9/S23\": column 2: " convert glider.rle x.rle --rule B9/S23
mistake 2 "--topology: \"T5,x\": column 4: " run glider.rle --topology T5,x -g 1
mistake 2 "did you mean \"scalar\"" run glider.rle --engine scaler -g 1
mistake 2 "unknown CPU level" run glider.rle --cpu mmx -g 1
mistake 2 "needs --stats" run glider.rle -g 1 --every 5
mistake 2 "needs --checkpoint" run glider.rle -g 1 --checkpoint-every 5
mistake 2 "--every: \"0\" must be at least 1" run glider.rle -g 1 --stats s.csv --every 0
mistake 2 "--every: \"2^256\" is larger than 2^256-1" run glider.rle -g 1 --stats s.csv --every 2^256
mistake 2 "needs --soup" run glider.rle -g 1 --seed 5
mistake 2 "needs -o" run glider.rle -g 1 --output-format rle
mistake 2 "formats are rle, mc, cells, life105, life106, png, lcs" run glider.rle -g 1 -o x --output-format bmp
mistake 1 "No such file" run missing.rle -g 1
mistake 1 "directory" run . -g 1
mistake 1 "outside" run glider.rle --size 2x2 -g 1
mistake 1 "folder" run glider.rle -g 1 -o no/such/folder/x.rle
mistake 1 "Not a directory" run glider.rle -g 1 -o glider.rle/x.rle
mistake 1 "too long" run glider.rle -g 1 -o "$(printf '%0300d' 0).rle"
mistake 2 "missing name of an output" run glider.rle -g 1 -o ''
mistake 2 "missing name of an output" run glider.rle -g 1 --stats ''
mistake 2 "missing name of an output" convert glider.rle ''
mistake 1 "it is a folder" run glider.rle -g 1 -o .
printf '#CXRLE Pos=0,0 Gen=115792089237316195423570985008687907853269984665640564039457584007913129639930\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n' >late.rle
mistake 1 "exceed 2^256-1" run late.rle -g 10
expect 0 "up to the last generation" run late.rle -g 5 --json
is "the last generation" "$(field generation)" \
    115792089237316195423570985008687907853269984665640564039457584007913129639935
mistake 1 "already" run late.rle --until 5
printf 'x = 3, y = 3, rule = B3/S23\nbo?\n' >bad.rle
mistake 1 "bad.rle:2:3: " run bad.rle -g 1
mistake 1 "bad.rle:2:3: " info bad.rle
mistake 1 "bad.rle:2:3: " convert bad.rle x.rle
printf 'x = 3, y = 3, rule = B3/S23Super\nbo!\n' >foreign.rle
mistake 1 "foreign.rle" run foreign.rle -g 1
: >empty.rle
mistake 1 "empty.rle" run empty.rle -g 1
"$lightcone" run --soup 0.5 --size 300 -g 0 -q -o soup.rle.gz
head -c 3000 soup.rle.gz >cut.rle.gz
mistake 1 "cut.rle.gz" run cut.rle.gz -g 1
mistake 1 "cut.rle.gz" info cut.rle.gz
printf 'x = 3, y = 3, rule = B3/S23\n999999999999o999999999999$999999999999o!\n' >bomb.rle
mistake 1 "bomb.rle" run bomb.rle -g 1 --max-memory 64M
expect 0 "info counts a bomb" info bomb.rle --json
is "info counts a bomb" "$(field population)" 1999999999998

# ---- outputs that fail --------------------------------------------------------------------------
if [ -w /dev/full ]; then
    mistake 1 "No space left" run glider.rle -g 1 -q -o /dev/full
    for words in "run glider.rle -g 1" "run glider.rle -g 1 --json" "info glider.rle" \
        "devices" "help run" "convert glider.rle -" "run glider.rle -g 1 -q -o -"; do
        # shellcheck disable=SC2086
        "$lightcone" $words >/dev/full 2>err
        is "$words >/dev/full" $? 1
        has "$words >/dev/full" err "No space left"
    done
    mistake 1 "No space left" run glider.rle -g 10 --stats /dev/full
fi
expect 0 "an old file" run glider.rle -g 1 -o old.rle
cp old.rle old.copy
# The shell's limit on file sizes stands for a full disk.
(ulimit -f 4 && "$lightcone" run --soup 0.5 --size 400 -g 1 -q -o old.rle) 2>err
is "a file that may not grow" $? 1
has "a file that may not grow" err "lightcone: "
same "the old file stays" old.rle old.copy
is "nothing is left beside it" "$(find . -name '*old*' | wc -l)" 2
mkdir locked && chmod 555 locked
without_rights "$lightcone" run glider.rle -g 1 -o locked/x.rle >out 2>err
is "a folder that may not be written" $? 1
has "a folder that may not be written" err "Permission denied"
is "a folder that may not be written" "$(ls -A locked)" ""

# What cannot be saved is refused before the run; what only the result shows, after it and with a
# rescue checkpoint, which is a straight run's.
mistake 1 "alive at generation 3" run glider.rle -r B0/S23 -g 3 -q -o b0.rle --stats b0.csv
is "refused before the run" "$(find . -name 'b0*')" ""
expect 0 "a checkpoint can hold it" run glider.rle -r B0/S23 -g 3 -q -o b0.lcs
expect 0 "it is dead at generation 4" run glider.rle -r B0/S23 -g 4 -q -o b0.rle
expect 0 "a soup" run --soup 0.5 --size 400 -g 0 -q -o soup400.rle
# 160,000 characters do not fit into 32 KiB, their bits do.
rescued() { # NAME OF CHECKPOINT [ARGUMENT...]
    local name=$1
    shift
    (ulimit -f 32 && "$lightcone" run soup400.rle -g 5 -q -o big.cells "$@") >out 2>err
    is "an output that is too large" $? 1
    has "an output that is too large" err "lightcone: big.cells: cannot write: File too large"
    has "a rescue" err "lightcone: generation 5 was saved in the checkpoint $name"
    is "a rescue is two lines" "$(wc -l <err)" 2
    expect 0 "the rescue" run "$name" -g 0 -q -o rescued.rle
    same "the rescue is the result" rescued.rle straight5.rle
}
expect 0 "straight" run soup400.rle -g 5 -q -o straight5.rle
rescued big.cells.lcs
cp big.cells.lcs first.lcs
rescued big.cells.2.lcs
same "a rescue overwrites nothing" big.cells.lcs first.lcs
rescued own.lcs --checkpoint own.lcs
is "no rescue beside the run's own checkpoint" "$(find . -name 'big.cells.3*')" ""
is "no half of the output" "$(find . -name big.cells -o -name '.lightcone*')" ""

# ---- endings ------------------------------------------------------------------------------------
for name in x.jpg x.mcl x.txt x.RLE.bak x.jpg.gz; do
    mistake 2 "unknown suffix \"." run glider.rle -g 1 -o $name
    has "the way out" err "--output-format"
    mistake 2 "unknown suffix \"." convert glider.rle $name
    has "the way out" err "--to"
done
has "the endings that exist" err "suffixes are .rle .mc .cells .lif .life .png .lcs (text also .gz)"
mistake 2 "compressed already" run glider.rle -g 1 -o x.lcs.gz
mkdir dotted.d
for name in ending dotted.d/ending .hidden ending.gz trailing.; do
    expect 0 "no ending: $name" run glider.rle -g 4 -q -o $name
    expect 0 "no ending: $name" info $name
    has "no ending: $name" out "RLE"
done
if has_png; then
    expect 0 "the format was said" run glider.rle -g 4 -q -o x.jpg --output-format png
    is "the format was said" "$(head -c 4 x.jpg | tail -c 3)" PNG
else
    for arguments in "run glider.rle -g 1T -o x.png" "convert glider.rle x.png" \
        "run --soup 0.5 --size 9 -g 1T -o x.jpg --output-format png"; do
        # shellcheck disable=SC2086
        mistake 1 "built without libpng and writes no PNG" $arguments
        has "the way out" err "another format"
    done
    is "no PNG was begun" "$(find . -name 'x.png' -o -name x.jpg)" ""
fi
expect 0 "upper case" run glider.rle -g 4 -q -o X.LIFE
has "upper case" X.LIFE "#Life 1.06"

# ---- links, and streams that are closed ---------------------------------------------------------
mkdir folder
for link in "folder/new.rle to-new.rle" "to-new2.rle to-link.rle" "$PWD/folder/new3.rle to-new3.rle"; do
    read -r to from <<<"$link"
    ln -s "$to" "$from"
done
ln -s folder/new2.rle to-new2.rle
ln -s round.rle round.rle
for name in to-new to-link to-new3; do
    expect 0 "a link to nothing yet" run glider.rle -g 4 -q -o $name.rle
    expect 0 "a link to what is there" run glider.rle -g 4 -q -o $name.rle
    checks=$((checks + 1))
    [ -L $name.rle ] || fail "a link stays a link" "$(ls -l $name.rle)"
    expect 0 "it leads to the file" info $name.rle
done
is "where links lead" "$(cd folder && echo *)" "new.rle new2.rle new3.rle"
mistake 1 "symbolic links" run glider.rle -g 4 -q -o round.rle
"$lightcone" run glider.rle -g 300 --progress --stats closed.csv -o closed.rle <&- >&- 2>&-
is "closed streams" $? 1
is "nothing printed gets into a file" "$(grep -cE '^(generation,|[0-9]+,)' closed.csv)" \
    "$(wc -l <closed.csv)"
expect 0 "all was written" info closed.rle
"$lightcone" run - -g 1 <&- 2>err
is "standard input is closed" $? 1
has "standard input is closed" err "standard input: cannot read"
mkfifo fifo.rle
cat glider.rle >fifo.rle &
expect 0 "a named pipe" run fifo.rle -g 4 -q -o fifo.out.rle
expect 0 "what came through it" run glider.rle -g 4 -q -o plain.rle
same "what came through it" fifo.out.rle plain.rle
gzip -c glider.rle | gzip -c >twice.rle.gz
mistake 1 "compressed with gzip twice" info twice.rle.gz

# ---- files that would overwrite each other ------------------------------------------------------
cp glider.rle mine.rle
ln mine.rle link.csv
mistake 2 "would overwrite the pattern" run mine.rle -g 1 --stats mine.rle
mistake 2 "would overwrite the pattern" run mine.rle -g 1 --stats link.csv
mistake 2 "would overwrite the pattern" run mine.rle -g 1 --checkpoint mine.rle
same "the pattern is as it was" mine.rle glider.rle
mistake 2 "both write to" run mine.rle -g 1 --stats same --checkpoint same
mistake 2 "both write to" run mine.rle -g 1 -o same --checkpoint same
mistake 2 "both write to" run mine.rle -g 1 -o same --stats same
# Two paths to a file that is not there yet.
ln -s folder folder-link
ln -s to-nowhere nowhere-link
ln -s "$PWD/folder-link/deep" deep-link
for pair in "new ./new" "folder/new folder-link/new" "$PWD/new new" "folder/../new new" \
    "nowhere-link to-nowhere" "deep-link folder/deep"; do
    read -r one other <<<"$pair"
    mistake 2 "both write to" run mine.rle -g 1 -o "$one" --stats "$other"
    mistake 2 "both write to" run mine.rle -g 1 -o "$other" --checkpoint "$one"
    mistake 2 "both write to" bench --size 64 --csv "$one" --json "$other"
done
is "nothing was written" "$(find . -name new -o -name to-nowhere -o -name deep)" ""
expect 0 "alike in another folder" run mine.rle -g 1 -q -o new --stats folder/new
rm new folder/new
mistake 2 "needs a file" run mine.rle -g 1 --checkpoint -
mistake 2 "needs a file" run mine.rle -g 1 --stats -
expect 0 "in its own place" run mine.rle -g 4 -q -o mine.rle
expect 0 "in its own place" run b0.lcs -g 1 -q --checkpoint b0.lcs -o b0.lcs

# ---- what a message is like ---------------------------------------------------------------------
once() { # NAME: the message names it, and only once
    checks=$((checks + 1))
    [ "$(grep -oF -- "$1" err | wc -l)" = 1 ] || fail "$1 is named once" "$(cat err)"
}
gzip -c glider.rle | head -c 40 >cut.gz
mistake 1 "cut.gz:1: the gzip data is cut short at compressed byte 40" info cut.gz
once cut.gz
mistake 1 "lightcone: empty.rle:1:1: the input is empty" info empty.rle
mistake 1 "lightcone: standard input:1:1: the input is empty" info -
once "standard input"
printf '\211PNG\r\n\032\n' >picture.png
mistake 1 "lightcone: picture.png:1:1: this is a PNG image" run picture.png -g 1
once picture.png
mistake 1 "lightcone: missing.rle: cannot open: No such file" info missing.rle
mistake 1 "lightcone: missing.lcs: cannot open: No such file" run missing.lcs -g 1
printf 'LCSTATE1' >short.lcs
mistake 1 "lightcone: short.lcs: byte 8: " run short.lcs -g 1
once short.lcs

# ---- pipes --------------------------------------------------------------------------------------
"$lightcone" run - -g 8 -o - <glider.rle >piped.rle 2>err
is "stdin to stdout" $? 0
has "the result is on stderr then" err "population    5"
"$lightcone" run glider.rle -g 8 -q -o direct.rle
same "stdin to stdout" piped.rle direct.rle
gzip -c glider.rle | "$lightcone" run - -g 8 -q -o - >piped.rle
same "gzip through a pipe" piped.rle direct.rle
"$lightcone" run - -g 4 -q -o - <glider.rle | "$lightcone" run - -g 4 -q -o - >piped.rle
same "4 + 4 = 8 through a pipe" piped.rle direct.rle

# ---- devices ------------------------------------------------------------------------------------
expect 0 "devices" devices
has "devices" out "scalar"
has "devices" out "portable"
checks=$((checks + 1))
! grep -E '\b0 operations' out || fail "devices knows no operations of a level that is not built"
LIGHTCONE_CUDA=$work/no/libcuda.so expect 0 "devices without a driver" devices
has "devices without a driver" out "none: cannot load the given CUDA driver: $work/no/libcuda.so"
LIGHTCONE_CUDA=$work/no/libcuda.so expect 0 "devices --json without a driver" devices --json
json "devices --json without a driver"
has "devices --json without a driver" out '"gpus": ['
has "devices --json without a driver" out "\"no_gpu_reason\": \"cannot load the given CUDA driver"
fake=$(dirname "$lightcone")/tests/libfake_cuda.so # a driver that is none, of the tests for it
if [ -f "$fake" ]; then
    LIGHTCONE_CUDA=$fake LIGHTCONE_NVRTC=$fake FAKE_GPUS=2 expect 0 "devices with GPUs" devices
    has "devices with GPUs" out "0  Fake 40: "
    has "devices with GPUs" out "1  Fake 41: "
    has "devices with GPUs" out "1016 multiprocessors, compute capability 9.0"
    has "devices with GPUs" out "driver for CUDA 12.8, NVRTC 12.8"
    LIGHTCONE_CUDA=$fake LIGHTCONE_NVRTC=$work/no.so expect 0 "devices without NVRTC" devices
    has "devices without NVRTC" out "not available: cannot load the given NVRTC library"
    LIGHTCONE_CUDA=$fake LIGHTCONE_NVRTC=$work/no.so expect 0 "devices --json without NVRTC" devices --json
    json "devices --json without NVRTC"
    has "devices --json without NVRTC" out '"nvrtc": null'
fi
expect 0 "devices --json" devices --json
json "devices --json"
sed -n 's/.*"name": "\(.*\)",/\1/p' out >names
"$lightcone" run --soup 0.5 --size 100x80 -g 50 -q --engine scalar -o reference.rle
while read -r level; do
    "$lightcone" run --soup 0.5 --size 100x80 -g 50 -q --cpu "$level" -o level.rle 2>/dev/null &&
        same "--cpu $level is the same" reference.rle level.rle
done <names
for threads in 1 2 7; do
    expect 0 "--threads" run --soup 0.5 --size 100x80 -g 50 -q --threads $threads -o level.rle
    same "--threads $threads is the same" reference.rle level.rle
done
expect 0 "another seed" run --soup 0.5 --seed 1 --size 100x80 -g 50 -q -o level.rle
checks=$((checks + 1))
! cmp -s reference.rle level.rle || fail "seeds 0 and 1 make the same soup"
# Every bit of a seed counts; the numbers are in tests/test_soup.c, too.
expect 0 "the guide's soup" run --soup 0.5 --seed 42 --size 720x270 -g 250 --json
is "the guide's soup" "$(field population) $(field hash)" '13160 "08c037d17ea94c3f"'
expect 0 "a large seed" run --soup 0.5 --seed 9223372036854775850 --size 720x270 -g 0 --json
is "a large seed" "$(field population) $(field hash)" '97301 "7ca75e691af5d43c"'
expect 0 "a soup on the infinite plane" run --soup 1 --size 3x1 --topology infinite -g 1 --json
is "a blinker" "$(field population)" 3
expect 0 "a soup in the middle of a torus" run --soup 1 --size 3x1 --topology T9,9 -g 0 --json
is "a soup in the middle of a torus" "$(sed -n 's/^    "[xy]": //p' out | tr -d ',\n')" 34

# ---- tune ---------------------------------------------------------------------------------------
LIGHTCONE_CUDA=$work/no/libcuda.so mistake 1 "cannot load the given CUDA driver" \
    tune -s 64x64
LIGHTCONE_CUDA=$work/no/libcuda.so mistake 1 "the given CUDA driver" tune --json -r HighLife:K30*,20
mistake 2 "missing size" tune
mistake 2 "missing size" tune --topology klein
mistake 2 "unexpected argument \"glider.rle\"" tune glider.rle
mistake 2 "is not a size" tune -s 64y64
mistake 2 "--rule: \"B9/S\"" tune -s 64 -r B9/S
mistake 2 'no engine is called "nope"' tune -s 64 --engine nope
mistake 2 "\"first\" is neither all nor numbers of GPUs" tune -s 64 --devices first
mistake 2 "\"1;2\" is neither all nor numbers of GPUs" run --soup 0.5 -s 64 -g 1 --devices '1;2'
mistake 2 "--topology: \"mobius\"" tune -s 64 --topology mobius
mistake 2 "--size conflicts with the size in the topology" tune -s 64 --topology T30,20
mistake 2 "--topology conflicts with the topology in --rule" tune -r B3/S23:T30,20 --topology klein
mistake 2 "as wide as it is high" tune -s 64x65 --topology sphere
mistake 2 "bounded in both directions" tune --topology T0,20
emulated=$(dirname "$lightcone")/tests/libemulated_cuda.so # a GPU that is this CPU
emulate() {
    LIGHTCONE_CUDA=$emulated LIGHTCONE_NVRTC=$emulated LIGHTCONE_CACHE=$work/kernels "$@"
}
if [ -f "$emulated" ] && command -v cc >/dev/null; then
    mkdir kernels
    # It compiles everything again; meanwhile the others are tried.
    LIGHTCONE_CUDA=$emulated LIGHTCONE_NVRTC=$emulated LIGHTCONE_CACHE='' \
        "$lightcone" tune -s 2304x12 >uncached.out 2>uncached.err &
    uncached=$!
    emulate expect 0 "tune" tune -s 2304x12
    has "tune" out "100.0%"
    has "tune" out "torus 2304 x 12"
    has "tune" out "$work/kernels"
    best=$(sed -n 's/^\(words=[^ ]*\) .* 100\.0%$/\1/p' out)
    emulate expect 0 "run by what is kept" run --soup 0.5 -s 2304x12 --engine cuda -g 40 --json
    is "run by what is kept" "$(field plan)" "\"$best\""
    is "run by what is kept" "$(field hash)" \
        "$("$lightcone" run --soup 0.5 -s 2304x12 --engine scalar -g 40 --json | sed -n 's/^  "hash": \(.*\),$/\1/p')"
    emulate expect 0 "tune --json" tune --json --topology P2304,12
    json "tune --json"
    is "tune --json" "$(field topology)" '"P2304,12"'
    is "tune --json" "$(field kept_in)" "\"$work/kernels\""
    emulate expect 0 "run by a plan that is asked for" run --soup 0.5 -s 2304x12 -g 40 --json \
        --engine cuda:device=0,words=1,generations=0,tile-warps=8,tile-rows=8,depth=4
    is "run by a plan that is asked for" "$(field plan)" \
        '"device=0,words=1,generations=0,tile-warps=8,tile-rows=8,depth=4"'
    is "run by a plan that is asked for" "$(field engine)" '"cuda"'
    emulate mistake 2 'unknown setting "colour=red" for engine "cuda"; it accepts device=N, ' run --soup 0.5 -s 2304x12 -g 1 \
        --engine cuda:colour=red
    emulate mistake 2 'there is no GPU 7' run --soup 0.5 -s 2304x12 -g 1 --engine cuda:device=7
    # Slabs of 12 and 12 rows are alike; those of 8 and 16 are not.
    FAKE_GPUS=2 emulate expect 0 "tune slabs" tune -s 256x24 --devices all \
        --engine cuda:words=1,generations=0,depth=8
    has "tune slabs" out "slab 1 of 2, 12 rows"
    ! grep -q "slab 2 of 2" out || fail "tune slabs: the second is like the first"
    FAKE_GPUS=2 emulate expect 0 "tune slabs that differ" tune -s 256x24 --devices 0,1 --json \
        --engine cuda:shares=1+2,words=1,generations=0,depth=8
    json "tune slabs that differ"
    has "tune slabs that differ" out '"slab": 1'
    has "tune slabs that differ" out '"rows": 16'
    emulate mistake 2 'has nothing to tune' tune -s 64 --engine simd
    FAKE_GPUS=3 emulate expect 0 "two GPUs" run --soup 0.5 -s 2304x24 -g 40 --json --devices 0,2
    has "two GPUs" out '"plan": "blocks=2,devices=0+2,words='
    is "two GPUs" "$(field hash)" \
        "$("$lightcone" run --soup 0.5 -s 2304x24 --engine scalar -g 40 --json | sed -n 's/^  "hash": \(.*\),$/\1/p')"
    emulate mistake 2 'there is no GPU 7' run --soup 0.5 -s 2304x12 -g 1 --devices 0,7
    emulate mistake 2 'say both device= and devices=' run --soup 0.5 -s 2304x12 -g 1 \
        --engine cuda:device=0 --devices all
    emulate mistake 2 'each at most once' run --soup 0.5 -s 2304x12 -g 1 --devices 0,0
    emulate mistake 2 'has no end' run glider.rle -g 1 --devices all
fi
mistake 2 'unknown setting "words=4" for engine "simd"; it accepts blocks=N and shares=N+N' \
    run glider.rle -g 1 --engine simd:words=4
mistake 2 '"auto" takes no settings' run glider.rle -g 1 --engine auto:blocks=2
mistake 2 'the engine "simd" has no devices' run --soup 0.5 -s 60x40 -g 1 --engine simd --devices 0
mistake 2 'blocks=0: a board 40 cells high can be cut into at most 40 blocks' \
    run --soup 0.5 -s 60x40 -g 1 --engine simd:blocks=0
mistake 2 'say blocks= twice' run --soup 0.5 -s 60x40 -g 1 --engine simd:blocks=2,blocks=3
expect 0 "one block" run --soup 0.5 -r B3/S23:C60,40 -g 100 -o one-block.rle -q --engine simd
expect 0 "seven blocks" run --soup 0.5 -r B3/S23:C60,40 -g 100 -o blocks.rle --json \
    --engine simd:blocks=7
is "seven blocks" "$(field plan)" '"blocks=7"'
same "seven blocks are one board" one-block.rle blocks.rle
expect 0 "a CPU has no plan" run glider.rle -g 1 --json --engine simd
is "a CPU has no plan" "$(field plan)" '""'

# ---- the gallery --------------------------------------------------------------------------------
no_gpu() {
    LIGHTCONE_CUDA=$work/no/libcuda.so "$@"
}
no_gpu expect 0 "gallery list" gallery list
has "gallery list" out 'Marek Fiser, "'
has "gallery list" out "  bytes-cpu "
has "gallery list without a GPU" out "Those for the GPU cannot run here:"
checks=$((checks + 1))
sed '/^Those/,$d' out | awk 'length > 100 { exit 1 }' || fail "gallery list is too wide"
awk '$2 == "CPU" || $2 == "GPU" { print $1 }' out >designs
is "gallery list: all of them" "$(wc -l <designs)" "$(grep -cE '^  [a-z][^ ]* +[CG]PU ' out)"
no_gpu expect 0 "gallery list --knobs" gallery list --knobs
has "gallery list --knobs" out "      threads: 32 64 [128] "
awk '$2 == "CPU" || $2 == "GPU" { print $1 }' out >names
same "gallery list --knobs has the same designs" designs names
no_gpu expect 0 "gallery list --json" gallery list --json
json "gallery list --json"
sed -n 's/^      "name": "\(.*\)",/\1/p' out >names
same "gallery list --json has the same designs" designs names
LIGHTCONE_PYTHON=$work/no/python expect 0 "gallery list without Python" gallery list
has "gallery list without Python" out "      cannot run here: "
# Of each: its name, what it is, its knobs, its text with the table's entry at the end.
while read -r design; do
    expect 0 "gallery show $design" gallery show "$design"
    checks=$((checks + 1))
    grep -q "^$design: ." <(head -1 out) || fail "gallery show $design" "$(head -1 out)"
    awk 'length > 100 { exit 1 }' out || fail "gallery show $design is too wide"
    case $design in simd | cuda) continue ;; esac
    has "gallery show $design" out "==> gallery/$(tr - _ <<<"$design").c"
    has "gallery show $design" out "Bytes a cell: "
    has "gallery show $design" out "const lc_design lc_design_$(tr - _ <<<"$design") = {"
    is "gallery show $design: its knobs" "$(grep -c '^Knobs, with' out)" \
        "$(grep -c '^    .knobs = knobs' out)"
done <designs
expect 0 "gallery show: what it includes" gallery show multistep
is "gallery show: what it includes" "$(grep -c '^==> gallery/packed_tile.cuh <==$' out)" 1
expect 0 "a pattern by the engine" run rpentomino.cells -g 200 --json
expected=$(field hash)
for design in bytes-cpu bits-cpu words-cpu table-cpu:cb=2 convolution simd; do
    expect 0 "gallery run $design, a pattern" gallery run $design rpentomino.cells -g 200 --json
    is "gallery run $design, a pattern" "$(field hash)" "$expected"
    expect 0 "gallery run $design, a soup" gallery run $design --soup 0.5 --size 64x40 -g 20 \
        --stats $design.csv --every 5 -q -o $design.rle
    same "gallery run $design: the soup" bytes-cpu.rle $design.rle
    same "gallery run $design: its statistics" bytes-cpu.csv $design.csv
done
expect 0 "the soup by the engine" run --soup 0.5 --size 64x40 -g 20 --engine scalar \
    --stats scalar.csv --every 5 -q -o scalar.rle
same "the soup by the engine" bytes-cpu.rle scalar.rle
same "its statistics by the engine" bytes-cpu.csv scalar.csv
expect 0 "gallery run: settings" gallery run table-cpu:cb=2 --soup 0.5 --size 64x40 -g 8 -q \
    --checkpoint design.lcs
expect 0 "gallery run: another design resumes" gallery run bits-cpu:cb=4 design.lcs --until 20 \
    -o resumed.rle --json
is "gallery run: settings" "$(field plan)" '"cb=4"'
is "gallery run: the design" "$(field engine)" '"bits-cpu"'
same "gallery run: another design resumes" scalar.rle resumed.rle
soup=(--soup 0.5 --size 64x40 -g 1)
mistake 2 "list, show, run or bench" gallery
mistake 2 "did you mean \"list\"" gallery lst
mistake 2 "unexpected argument" gallery list bytes-cpu
mistake 2 "did you mean --knobs" gallery list --knob
mistake 2 "did you mean \"bytes-cpu\"" gallery show bytes-cpo
mistake 2 "did you mean \"bytes-cpu\"" gallery run bytes-cpo:block=1 "${soup[@]}"
mistake 2 "unknown design \"xyzzy\"; 'lightcone gallery list' lists them" gallery show xyzzy
mistake 2 "give one design" gallery show
mistake 2 "give one design" gallery show simd cuda
mistake 2 "without settings" gallery show bits-cpu:cb=1
mistake 2 "give a design" gallery run
mistake 2 "give a design" gallery run "${soup[@]}"
mistake 2 "give a pattern" gallery run bytes-cpu
mistake 2 'unknown setting "colour" for design "bits-cpu"; it accepts cb' gallery run bits-cpu:colour=3 "${soup[@]}"
mistake 2 "it accepts none" gallery run bytes-cpu:cb=1 "${soup[@]}"
mistake 2 '"cb" can be 1, 2, 4, ' gallery run bits-cpu:cb=3 "${soup[@]}"
mistake 2 '"cb" can be 1, 2, 4, ' gallery run bits-cpu:cb "${soup[@]}"
mistake 2 "the design is the engine" gallery run bytes-cpu --engine simd "${soup[@]}"
no_gpu mistake 1 "the given CUDA driver" gallery run shared-tile "${soup[@]}"
if [ -f "$emulated" ] && command -v cc >/dev/null; then
    emulate expect 0 "gallery list with a GPU" gallery list
    checks=$((checks + 1))
    ! grep -F "for the GPU cannot" out || fail "gallery list with a GPU"
    emulate expect 0 "gallery run on a GPU" gallery run shared-tile:block=8 --soup 0.5 \
        --size 64x40 -g 20 -q -o gpu.rle
    same "gallery run on a GPU" scalar.rle gpu.rle
    wait "$uncached"
    is "tune without a cache" $? 1
    has "tune without a cache" uncached.out "100.0%"
    has "tune without a cache" uncached.err "cannot store the best plan"
fi

# ---- the benches --------------------------------------------------------------------------------
quickly=(--quick --runs 6 --warmup 0 -g 20)
column() { # NAME LINE: what stands there in the CSV in ./out
    [ -z "$python" ] || "$python" -c 'import csv, sys
print(list(csv.DictReader(open("out")))[int(sys.argv[2])][sys.argv[1]])' "$1" "$2"
}
expect 0 "bench: engines" bench --engine simd,bytes-cpu --size 128x64 --threads 1 \
    "${quickly[@]}" --csv - --json bench.json
has "bench: the table goes to stderr then" err "bytes-cpu"
if [ -n "$python" ]; then
    is "bench: first engine" "$(column engine 0)" simd
    is "bench: second engine" "$(column engine 1)" bytes-cpu
    is "bench: it was checked" "$(column verified 1)" true
    is "bench: runs" "$(column run_ns 1 | tr ';' '\n' | wc -l)" 6
    is "bench: confidence of 6 runs" "$(column median_confidence 1)" 0.96875
    is "bench: commit or none, but a column" "$(head -1 out | tr , '\n' | grep -cx commit)" 1
    is "bench: compiler's flags" "$(head -1 out | tr , '\n' | grep -cx compiler_flags)" 1
fi
cp bench.json out
json "bench --json"
expect 0 "gallery bench" gallery bench bytes-cpu simd --size 128x64 -t 1 "${quickly[@]}" \
    --against simd --json -
json "gallery bench --json"
is "gallery bench: one is compared" "$(grep -c '"times_as_fast": [0-9]' out)" 1
has "gallery bench: the table" err "times as fast"
checks=$((checks + 1))
expect 0 "gallery bench: a table" gallery bench bytes-cpu --size 64,128 -t 1 "${quickly[@]}"
grep -A9 '^design' out | awk 'length > 100 { exit 1 }' || fail "gallery bench: its table is too wide"
expect 0 "gallery bench: a sweep" gallery bench bits-cpu --sweep --size 64 "${quickly[@]}"
is "gallery bench: a sweep" "$(grep -cE '^bits-cpu( cb=[0-9]+)? ' out)" 8
expect 0 "gallery bench: sweeps" gallery bench bytes-cpu --sweep-all --size 64 "${quickly[@]}"
expect 0 "gallery bench: files" gallery bench bits-cpu:cb=2 simd --size 64,128 -t 1 \
    "${quickly[@]}" --csv both.csv --json both.json --charts charts
has "gallery bench --charts" charts/index.html "bits-cpu"
is "gallery bench --charts" "$(cd charts && echo ./*.svg | grep -c throughput)" 1
is "gallery bench --csv" "$(wc -l <both.csv)" 5
has "gallery bench --csv has the settings" both.csv "bits-cpu:cb=2,"
cp both.json out
json "gallery bench: files"
expect 0 "gallery bench: a size that one refuses" gallery bench bits-cpu bytes-cpu --size 60 -t 1 \
    "${quickly[@]}"
has "gallery bench: a size that one refuses" out "    refused: this design steps boards whose width"
expect 1 "gallery bench: a size that all refuse" gallery bench bits-cpu --size 60 "${quickly[@]}"
# A table that is interrupted has what was done; so have the files.
rm out # or it is looked at before the new one is there
"$lightcone" gallery bench simd --size 64 -t 1 -g 1M --runs 100 --csv stopped.csv \
    --charts stopped >out 2>err &
pid=$!
wait_until test -s out
kill -INT $pid
wait $pid
is "gallery bench, interrupted: exit code" $? 130
has "gallery bench, interrupted: the table" out "interval: of the median"
has "gallery bench, interrupted: the CSV" stopped.csv "engine,"
has "gallery bench, interrupted: the page" stopped/index.html "</html>"
mistake 1 "cannot write to the folder" bench --size 64 --charts glider.rle/charts
mistake 1 "cannot write to the folder" gallery bench simd --size 64 --charts no/such/charts
mistake 1 "No such file" gallery bench simd --size 64 --csv no/such/x.csv
mistake 2 "both write to both" gallery bench simd --csv both --json both
mistake 2 "Try 'lightcone help gallery bench'" gallery bench simd --engine cuda
mistake 2 "not a number" gallery bench simd -t many
mistake 2 "it accepts none" bench --engine bytes-cpu:block=1,colour=2,simd --size 64
for words in "--engine nope" "--engine simd:foo=1" "--against nope" "--model --engine nope"; do
    # shellcheck disable=SC2086
    mistake 2 "" bench --size 64 $words
    has "bench $words" err "Try 'lightcone help bench'"
done
mistake 2 "\"nope\" is an unknown CPU level" bench --size 64 --cpu nope
mistake 2 "0 (automatic) to" bench --size 64 --threads 100000
mistake 2 "as wide as it is high" bench --size 64x32 --topology sphere
mistake 2 "at most 2^61" bench --size 2305843009213693953
mistake 2 "it accepts none" gallery bench bytes-cpu:block=1
mistake 2 "did you mean \"bytes-cpu\"" gallery bench bytes-cpo
mistake 2 "did you mean \"bytes-cpu\"" gallery bench simd --against bytes-cqu --size 64
mistake 2 "--against conflicts with --no-interleave" gallery bench simd --against bytes-cpu --no-interleave
mistake 2 "standard output" bench --csv - --json -
mistake 2 "empty word" bench --engine simd,,scalar
mistake 2 "bounded" gallery bench simd --size 64x0
mistake 2 "must not be empty" gallery bench simd --csv ""
mistake 2 "unexpected argument" bench simd

# ---- statistics ---------------------------------------------------------------------------------
expect 0 "stats" run rpentomino.cells -g 100 --stats stats.csv --every 30 -q
is "stats header" "$(head -1 stats.csv)" "generation,population,x,y,width,height,hash"
is "stats rows" "$(cut -d, -f1 stats.csv | tr '\n' ' ')" "generation 0 30 60 90 100 "
expect 0 "stats of generation 100" run rpentomino.cells -g 100 --json
is "stats agree with the result" "$(tail -1 stats.csv | cut -d, -f2,7)" \
    "$(field population),$(field hash | tr -d '"')"
printf 'precious\n' >precious.csv
expect 0 "part one" run rpentomino.cells -g 60 --stats half.csv --every 30 -q --checkpoint half.lcs
expect 0 "rows past the checkpoint" run half.lcs -g 25 --stats half.csv --every 5 -q
expect 0 "part two" run half.lcs --until 100 --stats half.csv --every 30 -q
same "stats of a resumed run" stats.csv half.csv
mistake 1 "left as it is" run half.lcs -g 10 --stats precious.csv
is "a file that is no statistics is left alone" "$(cat precious.csv)" precious
expect 0 "a torn last row" run half.lcs -g 0 --stats half.csv -q
printf '90,12' >>half.csv
expect 0 "a torn last row" run half.lcs --until 100 --stats half.csv --every 30 -q
same "a torn last row is replaced" stats.csv half.csv
expect 0 "nothing alive" run --soup 0 --size 5 -g 1 --stats dead.csv -q
is "nothing alive" "$(tail -1 dead.csv | cut -d, -f1-6)" "1,0,,,0,0"

for every in 1,000 2^64 2^255; do
    expect 0 "--every $every" run glider.rle -g 2,000 --stats wide.csv --every $every -q
    is "--every $every" "$(tail -n +2 wide.csv | cut -d, -f1 | tr '\n' ' ')" \
        "$([ $every = 1,000 ] && echo "0 1000 2000 " || echo "0 2000 ")"
    rm wide.csv
done
expect 0 "--every with more than 64 bits" run glider.rle -g 3e20 --engine hashlife \
    --stats wide.csv --every 2^67 -q
is "--every with more than 64 bits" "$(tail -n +2 wide.csv | cut -d, -f1 | tr '\n' ' ')" \
    "0 147573952589676412928 295147905179352825856 300000000000000000000 "
expect 0 "a timeline of two frames" run glider.rle -g 10 --record wide.lct --every 2^200 -q

# ---- checkpoints --------------------------------------------------------------------------------
expect 0 "straight" run rpentomino.cells -g 500 -q -o straight.rle
expect 0 "an audited run" run rpentomino.cells -g 200 -q --audit 10
expect 0 "first part" run rpentomino.cells -g 200 -q --checkpoint part.lcs --checkpoint-every 64
expect 0 "second part" run part.lcs -g 300 -q -o resumed.rle
same "a resumed run is a straight one" straight.rle resumed.rle
cp part.lcs part.saved
expect 0 "a checkpoint by its content" run part.saved --until 500 -q -o resumed.rle
same "a checkpoint by its content" straight.rle resumed.rle
expect 0 "info of a checkpoint" info part.lcs --json
is "info of a checkpoint" "$(field generation)" 200
mistake 2 "own rule" run part.lcs --rule Life -g 1
# A rule that is a table, in which every cell becomes its left neighbour: two cells on a torus.
shift_lcs="
4c4353544154453102000000b00000000102020001000000000001000000000000000000ffffffff00000000ffff
ffff00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff00000000ffffffff00000000
ffffffff28000000000000001e000000000000000000000000000000000000000000000002000000000000000000
000000000000000000000000000000000000000000000000000000000000bb5458acd00707605041525419000000
00000000000000000000000000000000000001000400030002000000000000001c62cfc23d1730e23313eb3acfe4
8dadeda2964605010c0728b52ffd20188500005020004000000000000000010032c0024c435354454e4432590100
00000000000100000000000000eda2964605010c0702000000000000000000000000000000000000000000000000
000000000000001c62cfc23d1730e2a8216b9c6f4fd2cf"
printf '%b' "$(tr -d '\n' <<<"$shift_lcs" | sed 's/../\\x&/g')" >shift.lcs
expect 0 "info of a map" info shift.lcs --json
is "info of a map: population" "$(field population)" 2
expect 0 "a map is stepped by the usual engine" run shift.lcs -g 1 -q
expect 0 "a map is stepped" run shift.lcs -g 2 --engine scalar -q -o shifted.lcs
expect 0 "a map is converted" convert shifted.lcs shifted.cells
is "a map does what it says" "$(grep -v '^!' shifted.cells | tail -3 | tr '\n' /)" \
    ".......O/./........O/"
head -c $(($(stat -c %s part.lcs) - 5)) part.lcs >cut.lcs
mistake 1 "cut.lcs" run cut.lcs -g 1
mistake 1 "glider.lcs" run glider.lcs -g 1
cp glider.rle glider.lcs
mistake 1 "glider.lcs" run glider.lcs -g 1

# ---- the memory limit ---------------------------------------------------------------------------
expect 1 "the memory limit" run glider.rle --rule Seeds -g 1e6 --max-memory 2M -o full.rle --json
json "the memory limit"
is "the memory limit" "$(field stopped)" '"memory limit"'
has "the memory limit" err "stopped at generation"
reached=$(field generation)
expect 0 "the last whole generation" run glider.rle --rule Seeds -g "$reached" -q -o whole.rle
same "the last whole generation was saved" full.rle whole.rle
mistake 1 "memory" run --soup 0.5 --size 1Mx1M -g 1 --max-memory 1.5G
has "memory in units" err " GiB ("
has "memory in units" err "and the limit is 1.5 GiB (--max-memory)"

printf '#CXRLE Pos=4611686018427387800,0\nx = 3, y = 3\nbob$2bo$3o!\n' >end.rle
expect 1 "the end of the coordinates" run end.rle -g 1000 --json
is "the end of the coordinates" "$(field stopped)" '"end of the coordinates"'

# ---- signals ------------------------------------------------------------------------------------
# interrupt SIGNAL CODE NAME: a run without end is stopped; what it saved is what a run of as many
# generations saves.
interrupt() {
    local signal=$1 code=$2 got
    rm -f stopped.lcs stopped.rle stopped.csv
    "$lightcone" run --soup 0.5 --seed 7 --size 200x100 -r B2/S -g 1e15 --json -o stopped.rle \
        --checkpoint stopped.lcs --checkpoint-every 1 >out 2>err &
    local pid=$!
    wait_until test -e stopped.lcs # the run has begun
    kill "-$signal" $pid
    wait $pid
    got=$?
    is "SIG$signal: exit code" $got "$code"
    json "SIG$signal"
    is "SIG$signal: stopped" "$(field stopped)" "\"SIG$signal\""
    reached=$(field generation)
    "$lightcone" run --soup 0.5 --seed 7 --size 200x100 -r B2/S -g "$reached" -q -o whole.rle
    same "SIG$signal: what was saved is generation $reached" stopped.rle whole.rle
    "$lightcone" run stopped.lcs -g 0 -q -o restored.rle
    same "SIG$signal: the checkpoint, too" restored.rle whole.rle
}
interrupt INT 130
interrupt TERM 143

finish
