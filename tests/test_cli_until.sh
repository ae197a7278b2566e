#!/usr/bin/env bash
# Tests the generations at which `lightcone run --until CONDITION` and `run --seeds A..B` stop, and
# compares them with plain runs.
# Usage: test_cli_until.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there is
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns

member() { # KEY: of the object `until` in ./out
    sed -n 's/^    "'"$1"'": \(.*[^,]\),\{0,1\}$/\1/p' out
}

# stops NAME GENERATION POPULATION ARGUMENT...: the run stops there, its condition reached.
stops() {
    local name=$1 generation=$2 population=$3
    shift 3
    expect 0 "$name" run "$@" --json
    json "$name"
    is "$name: generation" "$(field generation)" "$generation"
    is "$name: population" "$(field population)" "$population"
    is "$name: reached" "$(member reached)" true
    is "$name: stderr" "$(cat err)" ""
}

# lacks NAME GENERATION REASON ARGUMENT...: the run ends there, its condition not reached.
lacks() {
    local name=$1 generation=$2 reason=$3
    shift 3
    expect 1 "$name" run "$@" --json
    json "$name"
    is "$name: generation" "$(field generation)" "$generation"
    is "$name: reached" "$(member reached)" false
    has "$name: stderr" err "$reason"
    has "$name: JSON" out "$reason"
}

# ---- conditions ---------------------------------------------------------------------------------
stops stable 1103 116 r-pentomino --until stable
is "stable: kind" "$(member kind)" '"settles"'
is "stable: period" "$(member period)" 4
stops "a limit that is just enough" 1103 116 r-pentomino --until stable -g 1103
lacks "a limit that is not" 1102 "not within 1,102 generations, but after 1,103" \
    r-pentomino --until stable -g 1102
stops "standard input" 1103 116 rpentomino.cells --until stable
"$lightcone" run - --until stable --json <rpentomino.cells >out 2>err
is "standard input is read once" "$(field generation)" 1103
stops "a still life" 0 4 block --until stable
stops "a spaceship is stable" 0 5 glider --until stable
stops dies 6 0 --soup 1 --size 8 --topology infinite --until stable -g 100
stops "on a torus" 0 5 torus.rle --until stable
is "on a torus: it moves as on the plane" "$(member period)" 4
printf 'x = 6, y = 21, rule = B3/S23:T40,40\nbo$2bo$3o17$2o$2o!\n' >passing.rle
stops "on a torus, what flies away comes back" 0 9 passing.rle --until period
is "on a torus: it comes back" "$(member period)" 160
lacks gun 0 "never: it grows for ever (gun, 5 cells every 30 generations" \
    gosper-glider-gun --until stable
lacks "gun with a limit" 90 "never: it grows for ever" gosper-glider-gun --until stable -g 90
lacks "not known" 5 "not known after" acorn --until stable -g 5

stops period 173 55 pi-heptomino --until period
stops "a period that moves" 0 5 glider --until period
is "a period that moves: dx" "$(member dx)" 1
lacks "ships that leave" 1103 "from generation 1,103 on its objects move apart" \
    r-pentomino --until period
printf '2bo8bo$obo6bobo$b2o7b2o!\n' | sed '1i x = 12, y = 3' >two.rle
stops "ships that move alike" 0 10 two.rle --until period

stops empty 6 0 --soup 1 --size 8 --topology infinite --until empty
lacks "not empty" 60 "not within 60 generations" glider --until empty -g 60
stops population 528 200 r-pentomino --until population=200
stops "the start counts" 0 5 r-pentomino --until population=5
lacks "no such population" 40 "not within 40 generations" blinker --until population=4 -g 40

# A pattern that repeats itself can no longer meet the condition after a period.
lacks "a still life" 0 "never: from generation 0 on, no cell changes" block --until empty
is "a still life: kind" "$(member kind)" '"still life"'
lacks "a spaceship" 0 "never: from generation 0 on, the cells repeat, period 4, moved by (1, 1)" \
    glider --until population=6
lacks "objects" 1103 "never: from generation 1,103 on, its objects repeat and never meet, period 4" \
    r-pentomino --until empty
is "objects: settles" "$(member settles)" 1103
lacks "no cells" 6 "never: from generation 6 on, no cell is alive" \
    --soup 1 --size 8 --topology infinite --until population=1
lacks "a torus" 0 "never: from generation 0 on, the cells repeat, period 4, moved by (1, 1)" \
    glider --size 50 --until population=4
lacks "with a limit" 900 "never: from generation 0 on, the cells repeat, period 4, moved by (1, 1)" \
    glider --size 50 --until population=4 -g 900
lacks "growth" 0 "never: from generation 0 on, it grows for ever (gun, 5 cells every 30 generations)" \
    gosper-glider-gun --until empty
lacks "growth to a population" 3000 "not within 3,000 generations" \
    gosper-glider-gun --until population=7 -g 3000
lacks "a replicator" 0 "it makes copies of itself (replicator, 2 copies after 12 generations)" \
    highlife-replicator --until stable
# Two oscillators whose common period is long: each population, also those that come late.
"$lightcone" convert -q queen-bee-shuttle - --to life106 >late.life
"$lightcone" convert -q twin-bees-shuttle - --to life106 |
    awk '/^#/ { next } { print $1 + 500, $2 }' >>late.life
"$lightcone" run late.life -g 1000 --stats late.csv -q
awk -F, 'NR > 1 && !seen[$2]++ { print $1, $2 }' late.csv | sort -n | tail -3 >latest
is "populations that come late" "$(awk '$1 > 256' latest | wc -l)" 3
while read -r generation population; do
    stops "population $population" "$generation" "$population" \
        late.life --until "population=$population"
done <latest
lacks "one that never comes" 0 "never: from generation 0 on, the cells repeat, period 690" \
    late.life --until population=1

# The generations before do not meet the condition.
"$lightcone" run r-pentomino -g 528 --stats r.csv -q
is "population: the first" "$(awk -F, '$2 == 200 { print $1; exit }' r.csv)" 528

# From another start, and to other outputs.
expect 0 "a checkpoint" run r-pentomino -g 500 -q --checkpoint half.lcs
stops "from a checkpoint" 1103 116 half.lcs --until stable
is "from a checkpoint: stepped" "$(field generations)" 603
expect 0 "outputs" run r-pentomino --until stable -q -o stable.rle --stats until.csv --every 400
expect 0 "by number" run r-pentomino -g 1103 -q -o number.rle --stats number.csv --every 400
same "outputs" stable.rle number.rle
same "statistics" until.csv number.csv
expect 0 "text" run r-pentomino --until stable
has "text" out "until         stable: its objects repeat and never meet, period 4"
expect 0 "a number as before" run glider --until 8 --json
is "a number: until" "$(field until)" null

mistake 2 'did you mean "stable"?' run glider --until stabel
mistake 2 'must be a generation, stable, period, empty or population=N' run glider --until whenever
mistake 2 'is not population=N with a number' run glider --until population=-1
mistake 2 'needs a number: population=N' run glider --until population
mistake 2 "is not a number" run glider --until ""
mistake 2 "-g conflicts with --until" run glider --until 5 -g 5
mistake 2 "--until stable needs a board in memory" \
    run --soup 0.5 --size 64 --disk b.lcd --until stable

# ---- many soups ---------------------------------------------------------------------------------
soups=(--soup 0.5 --size 16 --topology infinite)
expect 0 "many soups" run "${soups[@]}" --seeds 0..19
cp out all
expect 0 "one thread" run "${soups[@]}" --seeds 0..19 -t 1 --until stable
same "one thread" out all
is "many soups: seeds" "$(sed -n '2,21p' all | awk '{ print $1 }' | tr '\n' ' ')" \
    "$(seq 0 19 | tr '\n' ' ')"
has "many soups: the longest" all "longest       seed 2: 2,068 generations, then 341 cells"
has "many soups: sums" all "soups         20 settled, 0 grow, 0 undecided"

# Each against plain runs: the cells of that generation and those a period later have the same
# population. If they are the same cells, those of the generation before are not. The soup alone
# stops there, too.
hash_of() { # GENERATION: from s.csv
    awk -F, -v g="$1" '$1 == g { print $7 }' s.csv
}
in_place=0
while read -r seed lifespan population period _; do
    end=$((lifespan + period))
    "$lightcone" run "${soups[@]}" --seed "$seed" -g $end --stats s.csv -q
    is "seed $seed" "$(awk -F, -v a="$lifespan" -v b=$end '$1 == a || $1 == b { print $2 }' s.csv |
        tr '\n' ' ')" "$population $population "
    if [ "$(hash_of "$lifespan")" = "$(hash_of $end)" ]; then
        in_place=$((in_place + 1))
        [ "$(hash_of $((lifespan - 1)))" != "$(hash_of $((end - 1)))" ] ||
            fail "seed $seed" "it repeats from an earlier generation on"
    fi
    "$lightcone" run "${soups[@]}" --seed "$seed" --until stable --json >out
    is "seed $seed alone" "$(field generation) $(field population)" "$lifespan $population"
done < <(sed -n '2,21p' all)
is "soups that repeat in place" "$((in_place >= 5))" 1

expect 0 "JSON" run "${soups[@]}" --seeds 7..8 --json
json "JSON"
is "JSON: settled" "$(field settled)" 2
is "JSON: seeds" "$(sed -n 's/^      "seed": \([0-9]*\),/\1/p' out | tr '\n' ' ')" "7 8 "
expect 0 "on a torus" run --soup 0.5 --size 16 --seeds 1..3
expect 0 "a limit" run "${soups[@]}" --seeds 2..3 -g 140
has "a limit: too late" out "undecided"
has "a limit: just in time" out "                   3        140         44          2  settles"
expect 0 "the last seed" run "${soups[@]}" --seeds 2^64-1..2^64-1
has "the last seed" out "18446744073709551615"

mistake 2 "is empty" run "${soups[@]}" --seeds 5..1
mistake 2 "is not a range of seeds" run "${soups[@]}" --seeds x
mistake 2 "is not a range of seeds" run "${soups[@]}" --seeds 1..
mistake 2 "is not a range of seeds" run "${soups[@]}" --seeds -1..5
mistake 2 "--seeds needs --soup" run acorn --seeds 1..5
mistake 2 "--seeds conflicts with a pattern" run acorn "${soups[@]}" --seeds 1..5
mistake 2 "--seeds conflicts with -o" run "${soups[@]}" --seeds 1..5 -o out.rle
mistake 2 "--seeds conflicts with --stats" run "${soups[@]}" --seeds 1..5 --stats s.csv
mistake 2 "--seeds conflicts with --film" run "${soups[@]}" --seeds 1..5 --film s.png
mistake 2 "--seeds conflicts with --checkpoint" run "${soups[@]}" --seeds 1..5 --checkpoint s.lcs
mistake 2 "--seed conflicts with --seeds" run "${soups[@]}" --seeds 1..5 --seed 1
mistake 2 "--seeds allows --until stable only" run "${soups[@]}" --seeds 1..5 --until empty
mistake 2 "unknown engine" run "${soups[@]}" --seeds 1..5 --engine sparce

# ---- signals ------------------------------------------------------------------------------------
"$lightcone" run "${soups[@]}" --seeds 0..10000000 >out 2>err &
# The first line is the heading, the second one a soup that is done.
has_two_lines() { [ "$(wc -l <out)" -ge 2 ]; }
wait_until has_two_lines || fail "many soups" "nothing is printed while they run"
kill -INT $!
wait $!
is "SIGINT: many soups" $? 130
has "SIGINT: what is done" out "longest       seed"
has "SIGINT: many soups" err "stopped by SIGINT after"

# A search that takes long: a period of 2^43.
printf 'x = 3, y = 3, rule = B3/S23:K1048575,1048576\nbob$2bo$3o!\n' >long.rle
"$lightcone" run long.rle --until empty -g 10^12 >out 2>err &
sleep 0.3
kill -INT $!
wait $!
is "SIGINT: a search" $? 130
has "SIGINT: a search" err "stopped by SIGINT at generation"

finish
