#!/usr/bin/env bash
# `lightcone view` as people start and end it: mistakes, addresses, who gets in, what Ctrl-C saves.
# What the server says to its clients is in test_viewer_server.c.
# shellcheck disable=SC2016 # the $ of RLE is no expansion
# Usage: test_view.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was any,
# 77 if the command was built without the viewer.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

lightcone=$(realpath "${1:?the path of the lightcone binary}")
if ! "$lightcone" help | grep -q '^  view '; then
    for arguments in "view" "view glider.rle" "help view"; do
        # shellcheck disable=SC2086 # two words
        said=$("$lightcone" $arguments 2>&1)
        is "'lightcone $arguments' without a viewer: exit code" $? 1
        is "'lightcone $arguments' without a viewer" "${said%%;*}" \
            "lightcone: this lightcone was built without the viewer"
    done
    said=$("$lightcone" 2>&1)
    is "'lightcone' without a viewer does not offer one" "$(grep -cw view <<<"$said")" 0
    [ $failures -eq 0 ] || finish
    echo "this lightcone has no viewer"
    exit 77
fi
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
pid=
clean_up() {
    [ "$BASHPID" = $$ ] || return # what was forked, and ended before it became another program
    [ -z "$pid" ] || kill -KILL "$pid"
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap clean_up EXIT
cd "$work" || exit 1
export XDG_DATA_HOME=$work XDG_STATE_HOME=$work/state TMPDIR=$work BROWSER=
unset DISPLAY WAYLAND_DISPLAY

# mistake CODE TEXT ARGUMENT...: refused before anything is served, with a sentence that has TEXT.
mistake() {
    local code=$1 text=$2 got
    shift 2
    timeout -k 5 300 "$lightcone" view --no-open "$@" >out 2>err </dev/null
    got=$?
    is "mistake: $*: exit code" $got "$code"
    has "mistake: $*" err "$text"
    is "mistake: $*: how stderr starts" "$(head -c 11 err)" "lightcone: "
    is "mistake: $*: what is on stdout" "$(head -c 80 out)" ""
}

# start ARGUMENT...: a viewer on a free port; waits until it says where it is: $url, $port.
start() {
    rm -f out err # the last one's
    "$lightcone" view --port 0 --no-open "$@" >out 2>err <"${input:-/dev/null}" &
    pid=$!
    wait_until says_where_or_has_ended
    grep -qs '^stop ' out err ||
        fail "view $*" "it does not say where it is: $(head -c 300 err)"
    url=$(sed -n 's/^open  *//p' out err)
    port=${url#http://*:}
    port=${port%%/*}
}

says_where_or_has_ended() {
    grep -qs '^stop ' out err || has_ended "$pid"
}

# stop [SIGNAL]: ends the viewer; its exit code is in $ended.
stop() {
    kill "-${1:-INT}" $pid
    wait $pid
    ended=$?
    pid=
}

# get ADDRESS HOST [HEADER...]: what is answered is in ./answer; of a WebSocket, the headers.
get() {
    local address=$1 host=$2 line
    shift 2
    : >answer
    {
        exec 3<>"/dev/tcp/127.0.0.1/$port"
    } 2>/dev/null || return 1
    {
        printf 'GET %s HTTP/1.1\r\nHost: %s\r\n' "$address" "$host"
        [ $# -gt 0 ] || printf 'Connection: close\r\n'
        [ $# -eq 0 ] || printf '%s\r\n' "$@"
        printf '\r\n'
    } >&3
    while read -r -t 300 line <&3 && [ "$line" != $'\r' ]; do
        printf '%s\n' "$line" >>answer
    done
    [ $# -gt 0 ] || timeout 300 cat <&3 >>answer
    exec 3>&-
}

# Waits until the universe has been stepped, as a client hears it.
wait_for_a_step() {
    local part
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /socket HTTP/1.1\r\nHost: localhost\r\n' >&3
    printf '%s\r\n' "${socket[@]}" '' >&3
    while read -r -t 300 -d '}' part <&3; do
        if [[ $part =~ \"generation\":\ ?\"[1-9] ]]; then
            break
        fi
    done
    exec 3>&-
}

# code NAME CODE: that of the answer.
code() {
    is "$1" "$(head -1 answer | cut -d ' ' -f 2)" "$2"
}

printf '#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n' >glider.rle

# ---- help, and mistakes --------------------------------------------------------------------------
"$lightcone" help view >text1
"$lightcone" view --help >text2
same "help view is view --help" text1 text2
has "help view" text1 "lightcone view"
checks=$((checks + 1))
awk 'length > 88 { exit 1 }' text1 || fail "help view is too wide for a terminal"
grep -oE -- '--[a-z-]+' text1 | sort -u >options
sed 's/\\-/-/g' "$root/docs/man/lightcone.1" | sed -n '/^\.Ss view/,/^\.Ss info/p' >manual
sed -n '/^    view)/,/;;/p' "$root/cli/completions/lightcone.bash" >of_bash
sed -n '/^    local [amn][a-z]*=/p; /universe_options=(/,/^    )/p; /moment=(/,/^    )/p; /^        view)/,/;;/p' \
    "$root/cli/completions/_lightcone" >of_zsh
sed -n '/-n \$\(universe\|engines\|view\) /s/-l /--/p' "$root/cli/completions/lightcone.fish" >of_fish
is "help view lists options" "$(($(wc -l <options) > 15))" 1
while read -r option; do
    for text in manual of_bash of_zsh of_fish; do
        grep -qE -- "${option#-}([^a-z-]|$)" $text || fail "$text has no $option"
        checks=$((checks + 1))
    done
done <options
mistake 2 "must be a port" --port 65536
mistake 2 "is not a number" --port http
mistake 2 "-p needs a value" -p
mistake 2 "must be max or 1 to 10^12" --speed fast
mistake 2 "must be max or 1 to 10^12" --speed 0
mistake 2 "8 to 80 letters" --token short
mistake 2 "8 to 80 letters" --token 'with spaces and &'
mistake 2 "--seed needs --soup" --seed 5
mistake 2 "a soup needs a size" --soup 0.5
mistake 2 "--soup conflicts with a pattern" glider.rle --soup 0.5 --size 10
mistake 2 "did you mean --port" --prot 80
mistake 2 "did you mean --no-open" --noopen
mistake 2 "-g: not available: the page runs the universe; --start" -g 100
mistake 2 "--until: not available: the page runs" --until=5
mistake 2 "--checkpoint-every: not available: a view writes its checkpoint when it ends" --checkpoint-every 5m
mistake 2 "'lightcone run' writes statistics" --stats out.csv
mistake 2 "--bind: \"\" is not an address" --bind ''
mistake 1 "--patterns: ./missing: No such" --patterns ./missing
mistake 1 "--patterns: glider.rle: Not a dir" --patterns glider.rle
mistake 2 "; give one" glider.rle glider.rle
mistake 2 "--output-format needs -o" --output-format png
mistake 2 "would overwrite the pattern" glider.rle --checkpoint glider.rle
mistake 2 "unknown suffix \".jpg\"" glider.rle -o out.jpg
mistake 1 "missing.rle" missing.rle
mistake 1 "cannot write: folder ./missing" -o ./missing/out.rle
mistake 1 "cannot write: folder ./missing" --checkpoint ./missing/out.lcs
mistake 1 "it is a folder" --output-format rle -o .
# An address for documents; libwebsockets 4.3 would try it for ever.
mistake 1 "192.0.2.1: that is not an address of this machine" --port 0 --bind 192.0.2.1
mistake 2 "'life.example': that is not an address in numbers" --port 0 --bind life.example

# ---- addresses, and who is let in ----------------------------------------------------------------
start glider.rle
is "the address" "$url" "http://127.0.0.1:$port/"
has "the way from elsewhere" out "ssh -L $port:localhost:$port "
has "how to stop it, saving nothing" out "stop          Ctrl-C"
checks=$((checks + 1))
! grep -q "which saves" out || fail "it says that it saves, and was not asked to"
for host in "127.0.0.1:$port" "localhost:$port" "localhost"; do
    get / "$host"
    code "the page of $host" 200
    has "the page of $host" answer "<title>lightcone</title>"
    has "the page of $host" answer "default-src 'none'"
done
get /main.js "localhost:$port"
code "a file of the page" 200
get /../etc/passwd "localhost:$port"
checks=$((checks + 1))
! grep -q root: answer || fail "a file from elsewhere"
get /nothing "localhost:$port"
code "nothing there" 404
get / "life.example:$port"
code "a name that someone points here" 403
socket=('Connection: Upgrade' 'Upgrade: websocket' 'Sec-WebSocket-Version: 13'
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' 'Sec-WebSocket-Protocol: lightcone-view')
get /socket "localhost:$port" "${socket[@]}"
code "a program without a browser" 101
get /socket "localhost:$port" "${socket[@]}" "Origin: http://localhost:$port"
code "the page itself" 101
for origin in http://life.example "http://life.example:$port" null; do
    get /socket "localhost:$port" "${socket[@]}" "Origin: $origin"
    code "a page of $origin" 403
done
is "it says nothing else" "$(cat err)" ""
mistake 1 "127.0.0.1, port $port: another program uses this port" --port "$port"
stop
is "Ctrl-C without anything to save: exit code" $ended 0

start acorn.rle -o built_in.rle
stop
"$lightcone" info built_in.rle >out 2>err
has "a built-in pattern" out "population    7"

# A board on disk is looked at, and stays as it is.
"$lightcone" run --soup 0.4 --seed 3 --size 500x300 -g 10 --disk board.lcd -q
"$lightcone" info board.lcd >board.txt
mistake 2 "only looked at" board.lcd --start
start board.lcd -o of_disk.rle
mistake 1 "is in use" board.lcd --port 0
stop
is "a board on disk: exit code" $ended 0
"$lightcone" info board.lcd >out 2>err
same "a board on disk that was looked at" out board.txt
"$lightcone" run --soup 0.4 --seed 3 --size 500x300 -g 10 -q -o in_memory.rle
same "what was saved of a board on disk" of_disk.rle in_memory.rle

start --bind localhost
is "--bind localhost" "$url" "http://127.0.0.1:$port/"
stop

token='#token='
start --bind 0.0.0.0
has "for others: the address has a token" out "$token"
checks=$((checks + 1))
[[ ${url#*"$token"} =~ ^[0-9a-f]{32}$ ]] || fail "the token" "$url"
checks=$((checks + 1))
! grep -q "ssh -L" out || fail "for others: no ssh is needed"
first=$url
get / "life.example:$port"
code "the page by any name, where a token is needed" 200
get /socket "life.example:$port" "${socket[@]}"
code "no token" 403
get "/socket?token=00000000000000000000000000000000" "life.example:$port" "${socket[@]}"
code "a wrong token" 403
get "/socket?token=${url#*"$token"}" "life.example:$port" "${socket[@]}"
code "the token" 101
stop
start --bind 0.0.0.0
checks=$((checks + 1))
[ "${url#*"$token"}" != "${first#*"$token"}" ] || fail "two tokens are alike"
stop
start --token tell-nobody_1
is "a token of one's own" "$url" "http://127.0.0.1:$port/${token}tell-nobody_1"
get /socket "localhost:$port" "${socket[@]}"
code "no token, on this machine" 403
get "/socket?token=tell-nobody_1" "localhost:$port" "${socket[@]}"
code "one's own token" 101
stop

# Where others reach it, in numbers; and by name, which comes last.
start --bind 0.0.0.0 --watch-token look-on-only
for address in $(hostname -I 2>/dev/null); do
    [[ $address == *:* || $address == 169.254.* ]] ||
        has "an address of this machine" out "http://$address:$port/$token"
done
has "this machine's name" out "http://$(uname -n):$port/$token"
is "addresses to watch at" "$(grep -c "http://.*:$port/${token}look-on-only$" out)" \
    "$(grep -c "http://.*:$port/${token}[0-9a-f]\{32\}$" out)"
has "an address to watch at" out "only watch    http"
get "/socket?token=look-on-only" "localhost:$port" "${socket[@]}"
code "the token of those who watch" 101
stop
start --watch-token look-on-only
checks=$((checks + 1))
[[ ${url#*"$token"} =~ ^[0-9a-f]{32}$ ]] || fail "who may only watch: who steers has a token" "$url"
stop
mistake 2 "must differ from --token" --token look-on-only --watch-token look-on-only
mistake 2 "8 to 80 letters" --watch-token short

start --origin https://life.example/
checks=$((checks + 1))
[[ $url =~ ^https://life.example/${token}[0-9a-f]{32}$ ]] || fail "--origin: its address" "$url"
port=$(sed -n 's,^ *or  *http://127.0.0.1:\([0-9]*\)/.*,\1,p' out)
get "/socket?token=${url#*"$token"}" "life.example" "${socket[@]}" "Origin: https://life.example"
code "a page behind a proxy" 101
get "/socket?token=${url#*"$token"}" "life.example" "${socket[@]}" "Origin: https://evil.example"
code "a page of another site" 403
stop
for origin in life.example https:// ftp://life.example https://life.example/life \
    'https://life.example?x' "https://$(printf 'x%.0s' {1..300})"; do
    mistake 2 "must have the form https://life.example" --origin "$origin"
done

# The usual port, or one after it.
says_stop() {
    grep -qs '^stop ' "$1"
}
usual_port() {
    sed -n 's,^open  *http://127.0.0.1:\([0-9]*\)/$,\1,p' "$1"
}
"$lightcone" view --no-open >out 2>err &
pid=$!
wait_until says_stop out
"$lightcone" view --no-open >second 2>err &
other=$!
wait_until says_stop second
checks=$((checks + 1))
[[ $(usual_port out) -ge 8080 && $(usual_port second) -gt $(usual_port out) &&
    $(usual_port second) -le 8100 ]] ||
    fail "the usual port, and the next free one" "$(cat out second err)"
kill $other
wait $other
stop

# The address as a QR code.
if "$lightcone" view --qr --token 12345678 --watch-token 12345678 2>&1 | grep -q libqrencode; then
    echo "this lightcone prints no QR codes"
else
    start --qr
    # Each letter is two squares, one above the other.
    sed -n 's/^\x1b\[30;107m\(.*\)\x1b\[0m$/\1/p' out |
        sed 's/ /./g; s/▀/T/g; s/▄/L/g; s/█/B/g' >squares
    is "the code is square" "$(awk 'NR == 1 { n = length } length != n { bad = 1 }
        END { print bad + 0, int((n + 1) / 2) - NR }' squares)" "0 0"
    is "its corners" "$(sed -n '3,6s/^....\(.......\).*/\1/p' squares)" \
        $'BTTTTTB\nB.BBB.B\nB.TTT.B\nTTTTTTT'
    if command -v zbarimg >/dev/null; then
        awk '{ for (row = 0; row < 2; row++) {
                   line = ""
                   for (i = 1; i <= length; i++) {
                       c = substr($0, i, 1)
                       black = c == "B" || c == (row ? "L" : "T")
                       for (k = 0; k < 4; k++) line = line (black ? " 0" : " 255")
                   }
                   for (k = 0; k < 4; k++) print line
               }
               width = 4 * length }
             END { print width, 8 * NR >"size" }' squares >pixels
        { echo "P2 $(cat size) 255" && cat pixels; } >code.pgm
        is "the code says" "$(zbarimg --quiet --raw code.pgm 2>/dev/null)" "$url"
    fi
    stop
fi

# ---- what Ctrl-C saves ---------------------------------------------------------------------------
# Stopped anywhere, what is saved is what a run of as many generations makes.
soup="--soup 0.5 --seed 7 --size 200x100"
for signal in INT TERM; do
    # shellcheck disable=SC2086 # words
    start $soup --start -o saved.rle --checkpoint saved.lcs
    has "SIG$signal: it says that it saves" out "Ctrl-C, which saves"
    wait_for_a_step
    stop $signal
    is "SIG$signal: exit code" $ended 0
    reached=$("$lightcone" info saved.rle | sed -n 's/^generation *//p' | tr -d ,)
    checks=$((checks + 1))
    [ "${reached:-0}" -gt 0 ] || fail "SIG$signal: it has not run" "$(head -3 saved.rle)"
    # shellcheck disable=SC2086
    "$lightcone" run $soup --until "${reached:-0}" -q -o whole.rle
    same "SIG$signal: what was saved is generation $reached" saved.rle whole.rle
    "$lightcone" run saved.lcs -g 0 -q -o restored.rle
    same "SIG$signal: the checkpoint, too" restored.rle whole.rle
done
start saved.lcs -o again.rle
stop
is "a checkpoint: exit code" $ended 0
same "a checkpoint is viewed, and not stepped" again.rle whole.rle
input=glider.rle
start - -o stdin.rle
stop
is "standard input: exit code" $ended 0
"$lightcone" run glider.rle -g 0 -q -o whole.rle
same "standard input" stdin.rle whole.rle
unset input
start --rule HighLife -o empty.rle
stop
has "an empty universe" empty.rle "rule = B36/S23"

input=glider.rle
start - -o -
has "a pattern on standard output: the address is not there" err "open "
stop
unset input
same "a pattern on standard output, and nothing else" out whole.rle

# What cannot be saved as asked is kept all the same: a live background only a checkpoint holds.
start --rule B0/S8 --start -o alive.rle
wait_for_a_step
stop
is "a live background: exit code" $ended 1
has "a live background: what is kept" err "the universe was saved in the checkpoint alive.rle.lcs"
"$lightcone" info alive.rle.lcs >facts 2>err || fail "a live background: $(cat err)"
start --rule B0/S8 --start -o alive.rle --checkpoint alive.lcs
wait_for_a_step
stop
is "a live background with a checkpoint: exit code" $ended 1
has "a live background with a checkpoint" err "the universe was saved in the checkpoint alive.lcs"
is "it is kept once" "$(find . -name 'alive*' | sort | tr '\n' ' ')" "./alive.lcs ./alive.rle.lcs "
mistake 1 "out.rle: " alive.lcs -o out.rle # it is alive already
if [ -c /dev/full ]; then
    start glider.rle -o /dev/full
    stop
    is "a full disk: exit code" $ended 1
    has "a full disk" err "/dev/full: cannot write"
fi

# A pipe that nobody reads keeps the first Ctrl-C busy for ever; the second one ends that.
mkfifo pipe
start glider.rle --output-format rle -o pipe
kill -INT $pid
sleep 1
is "the first Ctrl-C: it is still there" "$(jobs -r | wc -l)" 1
interrupt_again() { # the first one may not have been looked at yet
    kill -INT "$pid" 2>/dev/null
    [ -z "$(jobs -r)" ]
}
wait_until interrupt_again || kill -KILL $pid
wait $pid
is "a second Ctrl-C: exit code" $? 130
pid=

# ---- the client of the docs ----------------------------------------------------------------------
if command -v python3 >/dev/null; then
    start glider.rle --token tell-nobody_1
    python3 "$root/docs/client.py" "$url" 40 >drawn 2>err
    is "docs/client.py: exit code" $? 0
    is "docs/client.py: how far it went" "$(tail -n 1 drawn)" "generation 40"
    is "docs/client.py: the glider" "$(tr -d ' \n' <drawn | sed 's/gen.*//')" "▄▄▄█"
    python3 "$root/docs/client.py" "${url%#*}" 1 >drawn 2>err
    is "docs/client.py without the token: exit code" $? 1
    has "docs/client.py without the token" err "not let in: HTTP/1.0 403"
    stop
fi

# ---- one of several patterns in a file -----------------------------------------------------------
# That there are others is said once, and not again after a reset.
if command -v python3 >/dev/null; then
    printf 'x = 3, y = 1\n3o!\n#N b\nx = 2, y = 2\n2o$2o!\n' >several.rle
    for number in '' 1 2; do
        start several.rle ${number:+--nth $number}
        python3 - "$root/docs" "$url" >population 2>&1 <<'END'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from client import Viewer
viewer = Viewer(sys.argv[2])
viewer.ask(do="step", generations=3)
while viewer.last.get("state", {}).get("generation") != "3":
    viewer.receive()
viewer.ask(do="reset")
while viewer.last["state"]["generation"] != "0":
    viewer.receive()
print(viewer.last["state"]["population"])
END
        stop
        is "pattern ${number:-not chosen}" "$(cat population)" $((${number:-1} + 2))
        said="lightcone: several.rle: took the first of 2 patterns; --nth N takes another"
        [ -z "$number" ] || said=
        is "pattern ${number:-not chosen}: what is said" "$(cat err)" "$said"
    done
fi

# ---- a drawing that was never saved --------------------------------------------------------------
if command -v python3 >/dev/null; then
    # Draws three cells far from the glider, and steps them, if it is told so.
    draw() {
        python3 - "$root/docs" "$url" "$@" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from client import Viewer
viewer = Viewer(sys.argv[2])
viewer.ask(do="cells", alive=True, stroke=1, runs=[50, 50, 3])
for what in sys.argv[3:]:
    viewer.ask(do=what, format="rle")
END
    }
    kept() {
        sed -n 's/^lightcone: the unsaved drawing is kept in //p' err
    }
    start glider.rle
    draw
    stop
    is "a drawing: exit code" $ended 0
    file=$(kept)
    is "a drawing: where it is kept" "${file%/*}" "$work/state/lightcone"
    "$lightcone" run "$file" -g 0 -q -o drawn.rle
    "$lightcone" info drawn.rle >facts
    is "a drawing: what is kept" "$(sed -n 's/^population *//p' facts)" 8
    is "a drawing: nobody else sees it" "$(stat -c %a state/lightcone)" 700
    start glider.rle
    draw save
    stop
    is "a drawing that was saved" "$(cat err)" ""
    start glider.rle -o drawn.rle
    draw
    stop
    is "a drawing, and -o" "$(cat err)" ""
    # No more than twenty, whatever else lies there.
    rm -f state/lightcone/*
    for i in $(seq -w 1 25); do
        : >"state/lightcone/drawing-200001$i-000000-old.lcs"
    done
    : >state/lightcone/mine.lcs
    start glider.rle
    draw
    stop
    is "many drawings" "$(find state/lightcone -name 'drawing-*' | wc -l)" 20
    is "the oldest went" "$(find state/lightcone -name 'drawing-2000010[1-6]*')" ""
    is "others stay" "$(ls state/lightcone/mine.lcs)" state/lightcone/mine.lcs
    if [ "$(id -u)" != 0 ]; then
        chmod 500 state/lightcone
        start glider.rle
        draw
        stop
        chmod 700 state/lightcone
        is "a folder that cannot be written: exit code" $ended 1
        has "a folder that cannot be written" err "the drawing was not saved and is lost"
    fi
    rm -rf state
    : >state
    start glider.rle
    draw
    stop
    is "no folder: exit code" $ended 1
    has "no folder" err "the drawing was not saved and is lost"
    rm state
fi

# ---- --quiet -------------------------------------------------------------------------------------
start
stop # $port is free now
"$lightcone" view -q --no-open --port "$port" >out 2>err </dev/null &
pid=$!
answers() {
    get / localhost && [ -s answer ]
}
wait_until answers
code "--quiet serves" 200
stop
is "--quiet: exit code" $ended 0
is "--quiet: what it prints" "$(cat out err)" ""

is "what is left behind" "$(find . -name 'lightcone-*' -o -name '.lightcone-*')" ""

finish
