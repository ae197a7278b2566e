#!/usr/bin/env bash
# Patterns drawn in the terminal: `lightcone show` and `lightcone run --watch`.
# shellcheck disable=SC2016 # the $ of RLE is no expansion
# Usage: test_cli_show.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u
shopt -s extglob

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"
write_patterns
export LC_ALL=C.UTF-8 TERM=xterm

# shows NAME LINES [ARGUMENT...]: what `show` prints, which is these lines.
shows() {
    local name=$1 lines=$2
    shift 2
    expect 0 "show: $name" show "$@"
    printf '%s\n' "$lines" >wanted
    checks=$((checks + 1))
    cmp -s out wanted || fail "show: $name" "it printed:" "$(cat out)" "and not:" "$lines"
}

# ---- characters ---------------------------------------------------------------------------------
line='glider, 3 x 3, population 5, B3/S23'
shows "half blocks" " ▀▄
▀▀▀
$line" glider
shows "braille" "⠬⠆
$line" glider --width 2 --height 1
shows "larger dots" "⠛
$line, 1 dot = 2 x 2 cells" glider --width 1
shows "letters" ".O.
..O
OOO
$line" glider --ascii
shows "larger letters" "OO
OO
$line, 1 letter = 2 x 2 cells" glider --ascii --width 2
printf 'x = 3, y = 2, rule = 345/2/4\n.AC$B!\n' >states.rle
shows "more than two states" "▄▀▀
states.rle, 3 x 2, population 3, 345/2/4" states.rle
gun="                      ▄ █
           ▄▀▀ ▄    ██            ██
██        █   ▄ █▄  ▀▀▄ ▄
          ▀▄   ▄▀       ▀
            ▀▀
gosper-glider-gun, 36 x 9, population 36, B3/S23"
shows "a gun" "$gun" gosper-glider-gun
shows "a gun that just fits" "$gun" gosper-glider-gun --width 36 --height 5
shows "a gun, too wide for half blocks" "⠀⠀⠀⠀⠀⢀⠤⢀⠀⠀⣤⠂⠃⠀⠀⠀⠀⣤
⠛⠀⠀⠀⠀⢇⠀⢂⠗⠀⠉⠂⠆
⠀⠀⠀⠀⠀⠀⠉
gosper-glider-gun, 36 x 9, population 36, B3/S23" gosper-glider-gun --width 35
# Each dot of braille: three corners, and one more dot.
for dot in '0 0 ⢉' '0 1 ⢋' '0 2 ⢍' '1 1 ⢙' '1 2 ⢩' '0 3 ⣉'; do
    read -r x y character <<<"$dot"
    printf '#Life 1.06\n0 0\n1 0\n1 3\n%s %s\n' "$x" "$y" >dot.life
    "$lightcone" show dot.life --width 1 --height 1 >out
    is "the dot at $x, $y" "$(head -1 out)" "$character"
done

# ---- the locale ---------------------------------------------------------------------------------
# in_locale LC_ALL LC_CTYPE LANG: the first letter of a glider's first line.
in_locale() {
    LC_ALL=$1 LC_CTYPE=$2 LANG=$3 "$lightcone" show rpentomino.cells | head -c 1
}
is "C" "$(in_locale C '' '')" .
is "POSIX before UTF-8" "$(in_locale POSIX en_US.UTF-8 en_US.UTF-8)" .
is "none" "$(in_locale '' '' '')" .
is "Latin-1" "$(in_locale '' '' de_DE.ISO-8859-1)" .
is "LC_CTYPE before LANG" "$(in_locale '' C en_US.UTF-8)" .
is "LANG" "$(in_locale '' '' en_US.UTF-8 | od -An -tx1 | tr -d ' ')" e2
is "utf8" "$(in_locale '' '' en_US.utf8 | od -An -tx1 | tr -d ' ')" e2
is "LC_ALL" "$(in_locale C.UTF-8 C C | od -An -tx1 | tr -d ' ')" e2

# ---- what is drawn ------------------------------------------------------------------------------
printf 'x = 0, y = 0\n!\n' >empty.rle
shows "nothing" "empty.rle, population 0, B3/S23" empty.rle
printf '!\nO\n' >cell.cells
shows "a cell" "▀
cell.cells, 1 x 1, population 1, B3/S23" cell.cells
printf '#Life 1.06\n4611686018427387903 -4611686018427387903\n' >corner.life
shows "a cell in the last corner" "▀
corner.life, 1 x 1, population 1, B3/S23" corner.life
printf '#Life 1.06\n-4611686018427387903 0\n4611686018427387903 0\n' >ends.life
expect 0 "cells at both ends" show ends.life --ascii --width 9
has "cells at both ends" out "9,223,372,036,854,775,807 x 1, population 2, B3/S23, 1 letter = 2^6"
shows "a torus" " ▀▄
▀▀▀
torus.rle, 3 x 3, population 5, B3/S23:T20,10" torus.rle
printf 'x = 1, y = 1, rule = B3/S23:T1000000000,1000000000\no!\n' >large.rle
shows "a torus larger than memory" "▀
large.rle, 1 x 1, population 1, B3/S23:T1000000000,1000000000" large.rle --max-memory 100M
printf 'x = 1, y = 1, rule = NoSuchRule\no!\n' >unknown.rle
shows "a rule that is not known" "▀
unknown.rle, 1 x 1, population 1, unknown rule" unknown.rle
printf 'x = 1, y = 1, rule = B0/S4\no!\n' >background.rle
shows "a rule with B0" "▀
background.rle, 1 x 1, population 1, B0/S4" background.rle
"$lightcone" show - <glider.rle >out
is "standard input" "$(tail -1 out)" "standard input, 3 x 3, population 5, B3/S23"
expect 0 "a file that was cut off" show <(printf 'x = 2, y = 1\n2o') --ascii
has "a file that was cut off" err "the file may have been cut off"
is "a file that was cut off" "$(head -1 out)" OO
gzip -kf glider.rle
expect 0 "gzip" show glider.rle.gz
has "gzip" out "glider.rle.gz, 3 x 3, population 5"
"$lightcone" run glider -g 28 -q -o glider.lcs --record glider.lct --every 14
shows "a checkpoint" " ▀▄
▀▀▀
glider.lcs, 3 x 3, population 5, generation 28, B3/S23" glider.lcs
shows "a timeline" " ▀▄
▀▀▀
glider.lct, 3 x 3, population 5, generation 28, B3/S23" glider.lct
shows "a timeline at a generation" "▄ █
 ▀▀
glider.lct, 3 x 3, population 5, generation 14, B3/S23" glider.lct --at 14
shows "a timeline's frame" " ▀▄
▀▀▀
glider.lct, 3 x 3, population 5, B3/S23" glider.lct --frame 0
"$lightcone" run glider --size 64 --disk board.lcd -g 4 -q
shows "a board on disk" " ▀▄
▀▀▀
board.lcd, 3 x 3, population 5, generation 4, B3/S23:T64,64" board.lcd

# ---- large patterns -----------------------------------------------------------------------------
# A square of 2^43 cells a side, a cell in the corner of each quarter of each quarter ...
{
    printf '[M2] (test)\n#R B3/S23\n*$\n'
    for level in {4..43}; do
        node=$((level - 3))
        echo "$level $node $node $node $node"
    done
} >huge.mc
expect 0 "a huge macrocell file" show huge.mc --width 32 --ascii
has "a huge macrocell file" out "huge.mc, 8,796,093,022,201 x 8,796,093,022,201"
has "a huge macrocell file" out "population 1,208,925,819,614,629,174,706,176, B3/S23"
has "a huge macrocell file" out "1 letter = 2^38 x 2^38 cells"
is "a huge macrocell file: all is full of life" "$(sed '1d;$d' out | cut -c 2-31 | sort -u)" OOOOOOOOOOOOOOOOOOOOOOOOOOOOOO
printf 'x = 0, y = 0\n1000000000000000o!\n' >run.rle
shows "a run of 10^15 cells" "⠉⠉⠉⠉⠉⠉⠉⠁
run.rle, 1,000,000,000,000,000 x 1, population 1,000,000,000,000,000, B3/S23, 1 dot = 2^46 x 2^46 cells" \
    run.rle --width 8
awk 'BEGIN { print "x = 1, y = 5000"; for (i = 0; i < 5000; i++) print "o$"; print "!" }' >tall.rle
expect 0 "a tall pattern" show tall.rle
is "a tall pattern: at most 1000 lines" "$(wc -l <out)" 626
has "a tall pattern" out "tall.rle, 1 x 5,000, population 5,000, B3/S23, 1 dot = 2 x 2 cells"
expect 0 "a tall pattern, 3 lines" show tall.rle --height 3
is "a tall pattern, 3 lines" "$(wc -l <out)" 4

# ---- nothing that a terminal obeys --------------------------------------------------------------
printf '#N \033[2Jtitle\n#C \033]0;comment\007\nx = 1, y = 1, rule = \033[31mRule\no!\n' >escape.rle
name=$'escape\033[31m.rle'
cp escape.rle "$name"
for file in escape.rle "$name"; do
    expect 0 "control characters" show "$file"
    is "control characters" "$(tr -d '[:print:]\n▀' <out | od -An -c)" ""
done
for seed in 1 2 3 4 5; do
    awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 3000; i++) printf "%c", 1 + rand() * 254 }' \
        >garbage
    expect 1 "garbage $seed" show garbage
    [ ! -s out ] || fail "garbage $seed: something was drawn"
    checks=$((checks + 1))
    ! grep -q $'\033' err || fail "garbage $seed: an escape on stderr"
done

# ---- mistakes -----------------------------------------------------------------------------------
mistake 2 "give a pattern; - is standard input" show
mistake 2 "two patterns, \"glider\" and \"acorn\"; give one" show glider acorn
mistake 1 "No such file or directory; did you mean \"glider.rle\"" show glidr.rle
for number in 0 -1 1001 x 1e30 ''; do
    mistake 2 "--width: \"$number\" must be a number of characters from 1 to 1000" show glider --width "$number"
    mistake 2 "--height: \"$number\" must be a number of characters from 1 to 1000" show glider --height="$number"
done
mistake 2 "--frame conflicts with --at" show glider.lct --frame 0 --at 14
mistake 1 "unknown frame 9; frames are 0 to 2" show glider.lct --frame 9
mistake 1 "not a timeline" show glider --frame 0
mistake 2 "--frame and --at need a timeline" show glider.lcs --at 28
mistake 2 "unknown option" show glider --rule B3/S23
mkdir folder
mistake 1 "folder: " show folder
mistake 1 "needs more than the limit of 1 byte" show glider.lcs --max-memory 1

# ---- run --watch: without a terminal ------------------------------------------------------------
mistake 2 "--watch needs a terminal" run glider -g 4 --watch
mistake 2 "--json and --watch both write to standard output" run glider -g 4 --watch --json
mistake 2 "-o - and --watch both write to standard output" run glider -g 4 --watch -o -
mistake 2 "--speed needs --watch" run glider -g 4 --speed 4
mistake 2 "--speed: \"0\" must be max or 1 to 10^12" run glider -g 4 --watch --speed 0
command -v script >/dev/null || finish

# ---- on a terminal ------------------------------------------------------------------------------
# in_terminal COLUMNS ROWS WORDS...: what lightcone writes to a terminal of that size, in ./screen;
# sets $code.
in_terminal() {
    local columns=$1 rows=$2
    shift 2
    script -qefc "stty cols $columns rows $rows; exec $(printf '%q ' "$lightcone" "$@")" \
        /dev/null >screen 2>&1 </dev/null
    code=$?
    # The end of script's own input shows as ^D.
    sed -i 's/\^D\x08\x08//; s/\r$//' screen
}

# last_drawing: that of ./screen, and what follows it.
last_drawing() {
    local all
    all=$(<screen)
    all=${all##*$'\033['+([0-9])A$'\r'}
    all=${all//$'\033[K'/}
    all=${all//$'\033[J'/}
    printf '%s\n' "${all%$'\n'}"
}

in_terminal 20 24 show gosper-glider-gun
is "show on a terminal of 20 columns" "$(<screen)" "$("$lightcone" show gosper-glider-gun --width 20)"
in_terminal 80 6 show gosper-glider-gun
is "show on a terminal of 6 lines" "$(wc -l <screen)" 4
in_terminal 13 6 run glider -g 3 --watch -q --speed max
is "watch: exit code" $code 0
is "watch: the first drawing" "$(sed -n '1,/generatio/p' screen | sed 's/\x1b\[K//')" "
     ▀▄
    ▀▀▀

generatio..."
is "watch: the last drawing" "$(last_drawing)" "
     ▄
     ▄█▀

generatio..."
in_terminal 79 6 run glider -g 3 --size 12x8 --watch --speed 1000
is "watch: a torus" "$(last_drawing | head -5)" "

      ▀▄▄
      ▀▀
generation 3 of 3, population 5, B3/S23:T12,8"
has "watch: the result follows" screen "bounding box  3 x 3 at (6, 4)"
in_terminal 79 6 run glider -g 10 --size 8x4 --watch --speed 100 -q
# On a slow machine some are left out.
is "watch: a drawing each 5 generations" \
    "$(grep -o 'generation [0-9]*' screen | sort -un -k 2 | grep -vx 'generation 5' | tr '\n' ' ')" \
    "generation 0 generation 10 "
in_terminal 79 6 run glider -g 3 --watch -q --checkpoint /dev/full --checkpoint-every 1
is "watch: messages stay: exit code" $code 1
is "watch: messages stay" "$(grep -c 'No space left' screen)" 4
checks=$((checks + 1))
[ "$(grep -c $'\033\\[[0-9]*A' screen)" -le 1 ] || fail "watch: a drawing takes a message's place"
LC_ALL=C in_terminal 13 6 run glider -g 3 --watch -q --speed max
is "watch: letters" "$(last_drawing)" "............
.....O......
......OO....
.....OO.....
generatio..."
TERM=dumb in_terminal 80 24 run glider -g 4 --watch
is "watch: a terminal whose cursor does not move" $code 2
# Far away, and where nothing lives any more.
printf 'x = 1, y = 1\no!\n' >one.rle
in_terminal 40 6 run one.rle -g 2 --watch -q --speed max
is "watch: nothing lives" "$(last_drawing | tail -1)" "generation 2 of 2, population 0, B3/S23"
in_terminal 99 6 run gosper-glider-gun -g 10^30 --engine hashlife --watch -q --speed max
is "watch: 10^30 generations" $code 0
has "watch: 10^30 generations" screen "generation 1,000,000,000,000,000"

# Ctrl-C ends it as any run.
script -qefc "stty cols 79 rows 6; echo \$\$ >terminal.pid
    exec $(printf '%q' "$lightcone") run glider -g 1e15 --size 8x4 --watch -o stopped.rle" \
    /dev/null >screen 2>&1 </dev/null &
pid=$!
wait_until grep -qs "generation 2 of" screen
kill -INT "$(cat terminal.pid)"
wait $pid
is "watch: SIGINT" $? 130
sed -i 's/\r$//' screen
has "watch: SIGINT: the result is printed" screen "stopped by SIGINT)"
generation=$(last_drawing | sed -n 's/^generation \([0-9]*\) of.*/\1/p')
expect 0 "watch: SIGINT: the output" info stopped.rle --json
is "watch: SIGINT: the output is that of the last drawing" "$(field generation)" "$generation"

finish
