#!/usr/bin/env bash
# What people call things: commands, patterns that are built in, files, options, densities; and what
# is said when they mistake one.
# shellcheck disable=SC2016 # the $ of RLE is no expansion
# Usage: test_cli_names.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

patterns=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../patterns")
begin "$@"

printf 'x = 3, y = 1, rule = B36/S23\n3o!\n' >line.rle

# ---- commands -----------------------------------------------------------------------------------
"$lightcone" --version >version
for words in version -v -V; do
    expect 0 "$words" $words
    same "$words is --version" out version
done
mistake 2 "unexpected argument" version 1
for name in list show run; do
    "$lightcone" gallery $name --help >text
    expect 0 "help gallery $name" help gallery $name
    same "help gallery $name" out text
done
"$lightcone" gallery bench --help >text
expect 0 "help gallery bench" help gallery bench
same "help gallery bench" out text
mistake 2 "unknown command \"brun\"; did you mean \"run\"" help gallery brun
mistake 2 'unexpected argument "info"' help run info
views=$("$lightcone" help | grep -c '^  view ')
mistake 2 "\"line.rle\" is a file; a command comes first, as in 'lightcone run line.rle -g 1000'" line.rle
is "a file as the first word: view" "$(grep -c "'lightcone view line.rle'" err)" "$views"
mistake 2 "\"acorn\" is a built-in pattern; a command comes first, as in 'lightcone run acorn -g 1000'" acorn
mistake 2 "\"-\" is standard input; a command comes first" -
mistake 2 "\"other.rle\" is neither a command nor a file" other.rle
mkdir rnu
mistake 2 "did you mean \"run\"" rnu

# ---- built-in patterns --------------------------------------------------------------------------
expect 0 "patterns" patterns
checks=$((checks + 1))
awk 'length > 100 { exit 1 }' out || fail "patterns is too wide"
awk '/^[a-z-]+:$/ { category = $1 }
    $2 ~ /^[0-9]+x[0-9]+$/ && $3 != "" { print category $0 }' out >listed
all=0
for file in "$patterns"/*/*.rle; do
    name=$(basename "$file" .rle)
    category=$(basename "$(dirname "$file")")
    is "patterns lists $name once, and what it is" "$(grep -c "^$category:$name " listed)" 1
    # What is one is all: a few are read.
    all=$((all + 1))
    [ $((all % 29)) -eq 1 ] || continue
    expect 0 "info $name" info "$name"
    "$lightcone" info "$file" >text
    same "info $name" out text
    "$lightcone" convert "$file" text.rle
    expect 0 "convert $name" convert "$name" built_in.rle
    same "convert $name" built_in.rle text.rle
done
is "patterns lists no others" "$(wc -l <listed)" "$(find "$patterns" -name '*.rle' | wc -l)"
has "patterns has the rule" listed ", B36/S23"
expect 0 "patterns --json" patterns --json
json "patterns --json"
is "patterns --json has all of them" "$(grep -c '"name": ' out)" "$(wc -l <listed)"
is "patterns --json has the periods" "$(grep -c '"period": 30,' out)" "$(grep -c ' p30 ' listed)"
expect 0 "patterns guns p30" patterns GUNS p30
is "patterns guns p30" "$(awk '$2 ~ /x/ { print $1 }' out)" gosper-glider-gun
expect 0 "patterns c/10" patterns c/10
is "patterns c/10" "$(awk '$2 ~ /x/ { print $1 }' out | tr '\n' ' ')" "copperhead fireship "
expect 0 "patterns: an author and a year" patterns gosper 1971 --json
is "patterns: an author and a year" "$(grep -c '"author": "Bill Gosper"' out)" \
    "$(grep -c '"year": 1971' out)"
# Hyphens, blanks and apostrophes of names do not count.
for words in rpentomino "R-Pentomino" "r pentomino" $'R\xe2\x80\x91pentomino'; do
    # shellcheck disable=SC2086
    expect 0 "patterns $words" patterns $words
    is "patterns $words" "$(grep -c '^r-pentomino ' out)" 1
done
expect 0 "patterns: a genitive" patterns $'gosper\xe2\x80\x99s' glider-gun
has "patterns: a genitive" out "gosper-glider-gun"
expect 0 "patterns: an apostrophe left out" patterns koksgalaxy
is "patterns: an apostrophe left out" "$(awk '$2 ~ /x/ { print $1 }' out)" koks-galaxy
mistake 1 "no built-in pattern has all of these words" patterns glider xyzzy
expect 0 "run acorn" run acorn -g 5206 --json
is "run acorn" "$(field population)" 633
is "run acorn: the input" "$(field input)" '"acorn"'
expect 0 "gallery run" gallery run words-cpu glider -g 4 --json
is "gallery run" "$(field population)" 5
for ending in '' .rle; do
    expect 0 "info acorn$ending" info acorn$ending --json
    is "info acorn$ending" "$(field population)" 7
done
expect 0 "run acorn.rle" run acorn.rle -g 5206 --json
is "run acorn.rle" "$(field population)" 633
is "run acorn.rle: the input" "$(field input)" '"acorn.rle"'
expect 0 "convert acorn.rle" convert acorn.rle acorn.cells -q
is "convert acorn.rle writes another file, and no acorn.rle" "$(echo acorn*)" acorn.cells
expect 0 "a file comes first, whatever it holds" info acorn.cells --json
has "a file comes first, whatever it holds" out '"format": "plaintext"'
near_built_in="did you mean the built-in pattern \"acorn\"?"
mistake 1 "No such file or directory; $near_built_in" info acorn.lcs
rm acorn.cells
for ending in .mc .cells .lif .life .gz .rle.gz .lcs .png .lct .txt .rle.rle .; do
    mistake 1 "No such file or directory" info acorn$ending
done
mistake 2 "\"acorn.rle\" is a built-in pattern" acorn.rle
expect 0 "an apgcode is a pattern" run xq4_153 -g 4 --json
is "an apgcode is a pattern" "$(field population) $(grep -c '"y": -1,' out)" "5 1"
expect 0 "an apgcode is converted" convert xs4_33 - --to cells
is "an apgcode is converted" "$(grep -v '^!' out)" "$(printf 'OO\nOO')"
mistake 1 "xq4_15!:1:7: '!' is not a character of an apgcode" run xq4_15! -g 4
mistake 2 "\"xq4_153\" is an apgcode" xq4_153
mkdir glider
expect 0 "a folder of that name is no pattern" run glider -g 4 --json
is "a folder of that name is no pattern" "$(field population)" 5
cp line.rle acorn
expect 0 "a file of that name comes first" info acorn --json
is "a file of that name comes first" "$(field population)" 3
rm acorn
expect 0 "no file is overwritten" run acorn -g 4 --stats acorn -q
is "no file is overwritten" "$(tail -1 acorn | cut -d, -f1)" 4
mistake 1 "acorn:1:1: " run acorn -g 1
rm acorn

# ---- names that are nearly right ----------------------------------------------------------------
mkdir folder
cp line.rle folder/straight.rle
: >folder/.straigh.rle
near() { # WHAT ARGUMENT...: a missing file, and what was meant
    mistake 1 "cannot open: No such file or directory; did you mean $1?" "${@:2}"
}
for words in "run lime.rle -g 1" "info lime.rle" "convert lime.rle -"; do
    # shellcheck disable=SC2086
    near '"line.rle"' $words
done
near '"line.rle"' run line.cells -g 1
near '"line.rle"' run line -g 1
near '"line.rle"' run LINE.RLE -g 1
near '"folder/straight.rle"' run folder/straight.rel -g 1
near '"folder/straight.rle"' run folder/straigt.rle -g 1
near 'the built-in pattern "acorn"' run acron -g 1
near 'the built-in pattern "acorn"' run acron.rle -g 1
near 'the built-in pattern "acorn"' run ACORN.rle -g 1
near 'the built-in pattern "gosper-glider-gun"' info gosper
"$lightcone" run line.rle -g 0 -q -o saved.lcs
near '"saved.lcs"' run save.lcs -g 1
near '"saved.lcs"' info save.lcs
near '"saved.lcs"' convert save.lcs -
far() { # ARGUMENT...: a missing file that is near to none
    mistake 1 "No such file or directory" "$@"
    checks=$((checks + 1))
    ! grep -q 'did you mean' err || fail "$*: nothing is near" "$(cat err)"
}
far run a.rle -g 1
far run gun -g 1
far run gun.rle -g 1
far run xyzzy.rle -g 1
far run folder/acorn -g 1
far run folder/acorn.rle -g 1
far run nowhere/line.rle -g 1
expect 1 "standard input is no name" run - -g 1
is "standard input is no name" "$(grep -c 'did you mean' err)" 0

# ---- topologies and rules -----------------------------------------------------------------------
near_topology() { # TYPED MEANT
    mistake 2 "unknown topology \"$1\"; did you mean \"$2\"?" \
        run line.rle --size 30 --topology "$1" -g 1
    mistake 2 "unknown topology \"$1\"; did you mean \"$2\"?" tune --size 30 --topology "$1"
    mistake 2 "is an unknown topology; did you mean \"$2\"?" bench --size 30 --topology "$1"
}
near_topology klien klein
near_topology spere sphere
near_topology TORSU torus
near_topology cross-surfcae cross-surface
for topology in Klein klein-bottle SPHERE cross-surface Cross; do
    expect 0 "--topology $topology" run line.rle --size 30 --topology $topology -g 1 -q
done
mistake 2 "unknown topology 'x'" run line.rle --size 30 --topology xyzzy -g 1
near_rule() { # TYPED MEANT
    mistake 2 "did you mean \"$2\"?" run line.rle -r "$1" -g 1
    mistake 2 "did you mean \"$2\"?" convert line.rle - -r "$1"
    mistake 2 "did you mean \"$2\"?" bench --size 30 -r "$1"
}
near_rule hilife HighLife
near_rule hilife:T30,20 HighLife
near_rule "DAY-NIGTH" "Day & Night"
near_rule leaplfe LeapLife
near_rule "life wihout death" "Life without Death"
# So for the rule of a file, of any format that has one.
printf 'x = 3, y = 1, rule = hilife\n3o!\n' >near.rle
printf '[M2]\n#R hilife:T64,64\n*\n' >near.mc
printf '#Life 1.05\n#R hilife\n#P 0 0\n***\n' >near.lif
while read -r file place; do
    for command in "run -g 1" info "view --no-open" "convert - --to rle"; do
        # shellcheck disable=SC2086
        set -- $command
        mistake 1 "$file:$place: unknown rule name; write a rule as in B3/S23; \
did you mean \"HighLife\"?" "$1" "$file" "${@:2}"
    done
    expect 0 "$file by another rule" run "$file" -r Life -g 1 -q
done <<'EOF'
near.rle 1:22
near.mc 2:4
near.lif 2:4
EOF
"$lightcone" run - -g 1 <near.rle 2>err
has "a rule from standard input" err "did you mean \"HighLife\"?"
for rule in xyzzy B3/S29 B3S2x abcd; do
    expect 2 "no rule is near $rule" run line.rle -r $rule -g 1
    is "no rule is near $rule" "$(grep -c 'did you mean' err)" 0
done

# ---- names of rules -----------------------------------------------------------------------------
expect 0 "rules" rules
is "rules lists Life first" "$(head -1 out | tr -s ' ')" "Life B3/S23"
cp out all
while read -r name rule; do
    expect 0 "run -r $name" run line.rle -r "${name//+/ }" -g 0 --json
    is "run -r $name" "$(field rule)" "\"$rule\""
done < <(sed -n 's/^\(.*[^ ]\)  *\(B[^ ]*\)$/\1\t\2/p' all | grep -v + | tr ' ' + | sed -n '1~37p')
expect 0 "rules --json" rules --json
json "rules --json"
is "rules --json has all of them" "$(grep -c '"name": ' out)" "$(wc -l <all)"
expect 0 "rules: words" rules CONWAY B3/S23
is "rules: words" "$(grep -c . out)" "$(grep -i conway all | grep -c 'B3/S23')"
has "rules: words" out "Conway's Game of Life"
mistake 1 "no named rule has all of these words" rules life xyzzy
mistake 2 "two rules, B45678/S5678 and R4,C2,M1" run line.rle -r Majority -g 1
is "a name of two rules is no other one" "$(grep -c "did you mean" err)" 0
mistake 2 "this is a Larger than Life rule" run line.rle -r Smudge -g 1
mistake 2 "supported are rules of a cell" run line.rle -r Smudge -g 1
expect 0 "a name with a colon" run line.rle -r "9:43 at Knight" -g 1
has "a name with a colon" out "237/34578/4"

# ---- options ------------------------------------------------------------------------------------
for option in -n -n100 --steps --step --iterations --iters --ticks --turns -steps -iterations; do
    mistake 2 "; did you mean -g N?" run line.rle $option 100
done
mistake 2 "unknown option --steps; did you mean -g N?" run line.rle --steps=100
mistake 2 "unknown option -n; did you mean -g N?" run line.rle -n100
mistake 2 "-g: \"enerations\" is not a number; did you mean -g N?" run line.rle -generations 5
mistake 2 "-s: \"ize\" is not a number; did you mean -s WxH?" run line.rle -size 10 -g 1
mistake 2 "unknown option -j; did you mean --json?" run line.rle -g 1 -json
mistake 2 "unknown option -u; did you mean -q?" run line.rle -g 1 -quiet
mistake 2 "unknown option --density; did you mean --soup DENSITY?" run --density 0.5 --size 9 -g 1
mistake 2 "unknown option --width; did you mean -s WxH?" run --soup 0.5 --width 9 -g 1
mistake 2 "unknown option -j; did you mean -t N?" run line.rle -g 1 -j 2
mistake 2 "unknown option --memory; did you mean --max-memory SIZE?" run line.rle -g 1 --memory 1G
mistake 2 "unknown option --format; did you mean --output-format FORMAT?" run line.rle -g 1 --format rle
mistake 2 "unknown option --format; did you mean --to FORMAT?" convert line.rle - --format rle
mistake 2 "unknown option --output-format; did you mean --to FORMAT?" convert line.rle - --output-format rle
mistake 2 "unknown option --genrations; did you mean --generations?" run line.rle --genrations 5
mistake 2 "unexpected argument \"1000\"; to run 1000 generations use -g 1000" run line.rle 1000
mistake 2 "; give one" run line.rle folder/straight.rle -g 1
# No hint where none fits.
for words in "info line.rle -n 5" "run line.rle -g x10" "run line.rle -Z" "run line.rle --xyzzy"; do
    # shellcheck disable=SC2086
    expect 2 "no hint: $words" $words
    is "no hint: $words" "$(grep -c 'did you mean' err)" 0
done

# ---- what never goes together --------------------------------------------------------------------
soup=(--soup 0.5 --size 64x40 -g 1)
no_cuda() {
    LIGHTCONE_CUDA=$work/none/libcuda.so "$@"
}
mistake 2 'the engine "simd" has nothing to tune' tune -s 64 --engine simd
mistake 2 'has nothing to tune' tune -s 64 --engine hashlife
for command in "run -g 1" "view --no-open"; do
    # shellcheck disable=SC2086
    mistake 2 'the engine "hashlife" steps infinite planes' $command line.rle --engine hashlife \
        --size 100
done
mistake 2 'the engine "hashlife" holds its cells in a way of its own' \
    run "${soup[@]}" --engine hashlife --disk never.lcd
mistake 2 'a board on disk has a size' run line.rle -g 1 --disk never.lcd
is "a board that cannot be on disk" "$(find . -name 'never*')" ""
mistake 2 'has no end' run line.rle -g 1 --engine simd:blocks=2
for rule in B3/S23H:S64 "B3/S23H --topology sphere --size 64"; do
    # shellcheck disable=SC2086
    mistake 2 "beyond the edges of this sphere" run line.rle -g 1 --rule $rule
done
mistake 2 "beyond the edges of this sphere" tune --rule B3/S23H:S64
mistake 2 "beyond the edges of this sphere" convert line.rle other.lcs --rule B3/S23H:S64
mistake 2 "has no CPU levels" gallery run bytes-cpu --cpu portable "${soup[@]}"
mistake 2 "steps a torus" gallery run bytes-cpu --topology klein "${soup[@]}"
mistake 2 "steps a torus" gallery run bytes-cpu line.rle -r Life --topology T20+1,10 -g 1
mistake 2 "multiple of 8, and not 63" gallery run bits-cpu --soup 0.5 --size 63x40 -g 1
mistake 2 "steps B3/S23 only" gallery run bytes-cpu --rule HighLife "${soup[@]}"
mistake 2 "no rule with B0" gallery run bytes-cpu --rule B03/S23 "${soup[@]}"
# A missing device and a file's contents are not mistakes of the command line.
no_cuda mistake 1 "cannot run here" run "${soup[@]}" --engine cuda
no_cuda mistake 1 "cannot run here" tune -s 64 --engine cuda
no_cuda mistake 1 "the given CUDA driver" tune -s 64
other_level=$([ "$(uname -m)" = x86_64 ] && echo neon || echo avx2)
mistake 1 "another CPU architecture" run "${soup[@]}" --engine simd --cpu "$other_level"
printf 'x = 3, y = 1, rule = B3/S23H:S64\n3o!\n' >sphere.rle
mistake 1 "beyond the edges of this sphere" run sphere.rle -g 1

# ---- densities ----------------------------------------------------------------------------------
expect 0 "--soup 0.5" run --soup 0.5 --size 300 -g 0 -q -o half.rle
for density in 50% 50.0% .5 5e-1; do
    expect 0 "--soup $density" run --soup $density --size 300 -g 0 -q -o other.rle
    same "--soup $density" half.rle other.rle
done
mistake 2 "is not a density from 0 to 1, or from 0% to 100%" run --soup 150% --size 10 -g 1
mistake 2 "1e-06 lies between 0 and 1.525878906e-05" run --soup 1e-6 --size 10 -g 1 -o none.rle
mistake 2 "1e-06 lies between 0 and 1.525878906e-05" run --soup 0.0001% --size 10 -g 1
is "a density that is refused writes nothing" "$(find . -name 'none*')" ""
expect 0 "the smallest density" run --soup 1.525878906e-05 --size 4096 -g 0 --json
checks=$((checks + 1))
[ "$(field population)" -gt 150 ] || fail "the smallest density: $(field population) cells of 256"

finish
