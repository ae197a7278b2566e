# shellcheck shell=bash
# Support for the scripts that test the command; they source it. They call begin, then checks, which
# print what is wrong, then the last function. They run $lightcone in a folder of their own.
checks=0
failures=0

# begin PATH-TO-LIGHTCONE: sets $lightcone, and enters a folder $work, which is removed at the end.
begin() {
    lightcone=$(realpath "${1:?the path of the lightcone binary}")
    work=$(mktemp -d)
    trap '[ "$BASHPID" != $$ ] || { chmod -R u+w "$work"; rm -rf "$work"; }' EXIT
    cd "$work" || exit 1
    unset NO_COLOR COLUMNS
}

# Writes small patterns in all formats to the current folder.
write_patterns() {
    cat >glider.rle <<'END'
#N Glider
#C first line
x = 3, y = 3, rule = B3/S23
bob$2bo$3o!
END
    printf '.OO\nOO\n.O\n' >rpentomino.cells
    printf '#Life 1.06\n0 0\n1 0\n2 0\n1 0\n' >twice.lif
    printf 'x = 3, y = 3, rule = B3/S23:T20,10\nbob$2bo$3o!\n' >torus.rle
}

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$1"
    [ $# -lt 2 ] || printf '        %s\n' "${@:2}"
}

# Returns whether this build has PNG.
has_png() {
    [ "${LC_TEST_PNG-}" != no ]
}

# read_small FILE: sets $text; returns whether that is the whole file. Scripts read files a thousand
# times, and starting a program takes ten times as long.
read_small() {
    text=
    ! IFS= read -r -d '' -n 20000 text <"$1"
}

# has NAME FILE TEXT: the file contains the text, which is one line or a part of one.
has() {
    local text
    checks=$((checks + 1))
    if [ -n "$3" ] && [[ $3 != *$'\n'* ]] && read_small "$2" && [[ $text = *"$3"* ]]; then
        return
    fi
    grep -qF -- "$3" "$2" || fail "$1" "no '$3' in $2: $(head -c 300 "$2")"
}

# same NAME FILE FILE: both files have the same bytes.
same() {
    checks=$((checks + 1))
    cmp -s "$2" "$3" || fail "$1" "$2 and $3 differ"
}

# is NAME TEXT TEXT: the actual and the expected text are equal.
is() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1" "'$2' is not '$3'"
}

# without_rights COMMAND...: runs it without root's right to ignore permissions.
without_rights() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --bounding-set=-dac_override,-dac_read_search -- "$@"
    else
        "$@"
    fi
}

# wait_until COMMAND...: waits until it succeeds; fails after five minutes.
wait_until() {
    local begin=$SECONDS
    until "$@"; do
        [ $((SECONDS - begin)) -lt 300 ] || return 1
        sleep 0.02
    done
}

# has_ended PID: the process has ended.
has_ended() {
    ! kill -0 "$1" 2>/dev/null
}

# expect CODE NAME [ARGUMENT...]: runs lightcone, keeps its output in ./out and ./err.
expect() {
    local want=$1 name=$2 got text
    shift 2
    checks=$((checks + 1))
    "$lightcone" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] ||
        fail "$name" "lightcone $*" "exit code $got, not $want" "stderr: $(head -c 300 err)"
    # A crash does not count as an expected failure.
    if ! read_small err || [[ $text = *AddressSanitizer* || $text = *"runtime error"* ]]; then
        ! grep -qE 'AddressSanitizer|runtime error' err || fail "$name" "$(head -3 err)"
    fi
}

# mistake CODE TEXT ARGUMENT...: the command fails with CODE and a message in the usual form that
# contains TEXT, and prints nothing to stdout.
mistake() {
    local code=$1 wanted=$2 start=
    shift 2
    expect "$code" "mistake: $*" "$@"
    has "mistake: $*" err "$wanted"
    checks=$((checks + 1))
    IFS= read -r -N 11 start <err
    [ "$start" = "lightcone: " ] || fail "mistake: $*" "stderr is $(head -c 80 err)"
    [ ! -s out ] || fail "mistake: $*" "it wrote to stdout: $(head -c 80 out)"
}

python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null || true) # no script that finds it
json() { # NAME: ./out is one JSON value
    checks=$((checks + 1))
    [ -z "$python" ] || "$python" -ISc 'import json, sys; json.load(sys.stdin)' <out 2>/dev/null ||
        fail "$1" "not JSON: $(head -c 300 out)"
}

field() { # KEY: its value in the JSON in ./out, which has one key a line
    sed -n 's/^  "'"$1"'": \(.*[^,]\),\{0,1\}$/\1/p' out
}

# Properties of PNG files.
number_at() { # FILE OFFSET: four bytes, the highest first
    od -An -tu1 -j"$2" -N4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'
}
# whole NAME FILE FRAMES: a complete PNG file that states its number of different pictures and has
# them.
whole() {
    is "$1: it begins" "$(head -c 8 "$2" | od -An -tx1 | tr -d ' \n')" 89504e470d0a1a0a
    is "$1: it ends" "$(tail -c 8 "$2" | od -An -tx1 | tr -d ' \n')" 49454e44ae426082
    is "$1: its frames" "$(number_at "$2" 41)" "$3"
    is "$1: frames that it has" "$(grep -aob fcTL "$2" | wc -l)" "$3"
}
# size_of FILE: "WIDTH x HEIGHT", in pixels.
size_of() { echo "$(number_at "$1" 16) x $(number_at "$1" 20)"; }

# Prints the number of checks and ends the script.
finish() {
    if [ $failures -gt 0 ]; then
        echo "$failures of $checks checks failed"
        exit 1
    fi
    echo "$checks checks passed"
    exit 0
}
