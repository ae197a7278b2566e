#!/usr/bin/env bash
# Tests `lightcone census` and `lightcone find`: reports, census files, signals, conditions, and
# mistakes of users.
# Usage: test_cli_census.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"

# Reports.
expect 0 "a census" census -n 100
has "soups" out "soups         100"
has "how to repeat it" out "of            --seed l_lightcone --symmetry C1 --rule B3/S23"
is "the most frequent kind is last" "$(tail -n 1 out | grep -c 'block .* xs4_33')" 1
cp out text
expect 0 "the most frequent kind first" census -n 100 --common-first
is "the order is turned round" "$(tail -n +7 out | tac)" "$(tail -n +7 text)"
expect 0 "two threads count the same" census -n 100 -t 2
same "two threads" out text
expect 0 "JSON" census -n 100 --format json
json "JSON"
is "soups in JSON" "$(field soups)" 100
objects=$(field objects)
expect 0 "CSV" census -n 100 -o report.csv
is "objects in CSV" "$(awk -F, 'NR > 1 { sum += $3 } END { print sum }' report.csv)" "$objects"
is "columns" "$(head -n 1 report.csv)" "apgcode,name,count,per_soup,low,high,samples"
is "a file leaves nothing on stdout" "$(wc -c <out)" 0
expect 0 "a haul" census -n 100 --format haul
has "objects in a haul" out "@NUM_OBJECTS $objects"
is "objects of a haul" "$(sed -n '/^@CENSUS/,/^$/p' out | awk 'NF == 2 && !/^@/ { sum += $2 }
    END { print sum }')" "$objects"
expect 0 "a page" census -n 100 -o report.html
is "a picture of each kind" "$(grep -o '<svg' report.html | wc -l)" "$(tail -n +2 report.csv | wc -l)"
is "no links and no scripts" "$(grep -cE 'https?:|<script|src=|href=' report.html)" 0
expect 0 "soups with a symmetry" census -n 20 --symmetry D8_1 --seed "it's" --rule B36/S23
has "quotes" out "of            --seed 'it'\\''s' --symmetry D8_1 --rule B36/S23"
expect 0 "random rectangles" census -n 20 --soup 0.5 --size 10x8 --seed 3
has "random rectangles" out "of            --soup 0.5 --size 10x8 --seed 3 --rule B3/S23"
expect 0 "quiet" census -n 1 -q
is "quiet" "$(wc -c <out)" 0

# The interval of a count of 1 in 100 soups, as tables have it: 0.0253 to 5.572.
is "an exact interval" "$(awk -F, '$3 == 1 { print $5, $6; exit }' report.csv)" \
    "0.00025317808 0.0557164339"

# Census files.
expect 0 "a new file" census -n 50 --file a.census -q
expect 0 "the file goes on" census -n 100 --file a.census
same "in two parts as in one" out text
expect 0 "a report on a file" census --file a.census
same "a report on a file" out text
expect 0 "another file" census -n 50 --first 50 --file b.census -q
expect 0 "a first half" census -n 50 --file c.census -q
expect 0 "files are merged" census --merge c.census b.census -o all.census
has "soups of both" out "soups         100"
expect 0 "the merged file" census --file all.census
same "the merged file" out text
cp a.census kept
mistake 1 "this is the census of other soups" census --file a.census -n 5 --seed other
mistake 1 "both censuses have counted soup" census --merge a.census b.census -o x.census
mistake 1 "this is not a census" census --file report.csv -n 5
head -c 200 a.census >cut.census
mistake 1 "checksum" census --file cut.census
mistake 1 "no.census: No such file" census --file no.census
mistake 1 "report.csv: this is not a census" census --merge report.csv -o x.census
same "mistakes change no file" a.census kept
is "mistakes create no file" "$(ls x.census 2>/dev/null)" ""
(
    failures=0
    ulimit -f 1
    mistake 1 "a.census: cannot write" census --file a.census -n 1000 -q
    exit "$failures"
) || fail "a full disk"
same "a full disk loses nothing" a.census kept
is "a full disk leaves no file" "$(ls -d ./*.tmp .*.tmp 2>/dev/null)" ""

# Signals.
"$lightcone" census -n 1e9 --file s.census >out 2>err &
pid=$!
sleep 0.3
kill -INT "$pid"
wait "$pid"
is "SIGINT" "$?" 130
has "SIGINT" err "stopped by SIGINT after"
has "SIGINT" err "'lightcone census --file s.census' goes on"
has "what was counted" out "are left"
is "what was counted is saved" "$(grep -c '^wanted 0-999999999$' s.census)" 1

# Finds.
expect 0 "an object by name" find --object pulsar
has "the code" out "#C leaves xp3_co9nas0san9oczgoldlo0oldlogz1047210127401"
cp out pulsar.rle
again=$(sed -n 's/^#C lightcone //p' out)
# shellcheck disable=SC2086 # words of a command
expect 0 "the command that makes it again" $again
has "makes it again" out "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401"
expect 0 "the pattern can be read" identify pulsar.rle
has "the pattern leaves it" out "pulsar"
expect 0 "an object by a part of its code" find --object xp3 -q
expect 0 "a spaceship" find --ship-speed c/2 -n 1000
has "a spaceship" out "#C leaves xq4_"
expect 0 "long lives" find --lives-longer 5000 --reaches 300 --limit 2 -n 3000 -o folder
is "two files" "$(find folder -name '*.rle' | wc -l)" 2
is "the files are named" "$(wc -l <out)" 2
expect 0 "not in a report" find --not-in report.csv -n 10000
expect 0 "not in a census" find --not-in a.census -n 10000
code=$(sed -n 's/^#C leaves //p' out)
is "it is new" "$(grep -c "^$code " a.census)" 0
expect 1 "nothing" find --object xp999 -n 10
has "nothing" err "no soup of 10 meets the conditions"
expect 0 "another kind of soup" find --object block --soup 0.4 --size 20x10 --rule B36/S23 --seed 7
has "how" out "--soup 0.399993896 --size 20x10 --seed 7 --rule B36/S23 --first"

# Mistakes.
mistake 2 "missing number of soups" census
mistake 2 "-n: \"0\"" census -n 0
mistake 2 "unknown symmetry \"D9\"" census -n 1 --symmetry D9
mistake 2 "without B0" census -n 1 --rule B03/S23
mistake 2 "has a topology" census -n 1 --rule B3/S23:T10,10
mistake 2 "unknown suffix \".pdf\"" census -n 1 -o x.pdf
mistake 2 "unknown format" census -n 1 --format xml
mistake 2 "--size needs --soup" census -n 1 --size 5x5
mistake 2 "--soup needs --size" census -n 1 --soup 0.5
mistake 2 "1 to 256 cells" census -n 1 --soup 0.5 --size 300x5
mistake 2 "--symmetry conflicts with --soup" census -n 1 --soup 0.5 --size 5x5 --symmetry C1
mistake 2 "\"abc\" is not a number" census -n 1 --soup 0.5 --size 5x5 --seed abc
mistake 2 "not of random rectangles" census -n 1 --soup 0.5 --size 5x5 --format haul
mistake 2 "unexpected argument \"x\"" census -n 1 x
mistake 2 "--merge needs files" census --merge
mistake 2 "--merge needs -o FILE" census --merge a.census
mistake 2 "--merge runs no soups" census --merge a.census -n 1 -o x.census
mistake 2 "would overwrite the census" census -n 1 --file a.census -o a.census --format text
mistake 2 "missing condition" find -n 1
mistake 2 "did you mean" find --object pulsr
mistake 2 "is not one object" find --object gosper-glider-gun
mistake 2 "is not a speed" find --ship-speed 3
mistake 1 "no.txt: No such file" find --not-in no.txt
mistake 1 "is not an apgcode" find --not-in report.html
mistake 1 "a.census: cannot create the folder" find --object block -o a.census
if [ -e /dev/full ]; then
    for format in text csv json haul html; do
        mistake 1 "No space left on device" census -n 1 -o /dev/full --format "$format"
    done
    "$lightcone" census -n 1 >/dev/full 2>err
    is "a full standard output" "$?" 1
    has "a full standard output" err "cannot write standard output: No space left on device"
    "$lightcone" find --object block >/dev/full 2>err
    is "a find for a full standard output" "$?" 1
fi

finish
