# shellcheck shell=bash
# What the scripts that try the command share: checks that say what is wrong, and how it ends.
# Sourced by them.
checks=0
failures=0

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$1"
    [ $# -lt 2 ] || printf '        %s\n' "${@:2}"
}

# has NAME FILE TEXT: the file contains the text.
has() {
    checks=$((checks + 1))
    grep -qF -- "$3" "$2" || fail "$1" "no '$3' in $2: $(head -c 300 "$2")"
}

# same NAME FILE FILE: they have the same bytes.
same() {
    checks=$((checks + 1))
    cmp -s "$2" "$3" || fail "$1" "$2 and $3 differ"
}

# is NAME TEXT TEXT: what came, and what should have come.
is() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1" "'$2' is not '$3'"
}

# Says how many checks there were; ends the script.
finish() {
    if [ $failures -gt 0 ]; then
        echo "$failures of $checks checks failed"
        exit 1
    fi
    echo "$checks checks passed"
    exit 0
}
