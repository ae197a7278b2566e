#!/usr/bin/env bash
# The command in pipes: readers that have seen enough, and what comes through standard input.
# shellcheck disable=SC2002 # the pipe is what is tried
# Usage: test_cli_pipes.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"

# ---- readers that go away -----------------------------------------------------------------------
exec 3> >(:) # a pipe that nobody reads any more
wait $!
# unread ARGUMENT...: says nothing, and ends as if by SIGPIPE.
unread() {
    timeout -s KILL 300 "$lightcone" "$@" >&3 2>err </dev/null
    is "$* | head: exit code" $? 141
    is "$* | head: what is said" "$(cat err)" ""
}
"$lightcone" run glider -g 4 -q -o saved.lcs
for words in "help" "help run" "help gallery bench" "--help" "--version" "version" "patterns" \
    "patterns --json" "info acorn" "info acorn --json" "info saved.lcs" "devices" "devices --json" \
    "convert acorn -" "convert acorn - --to png" "convert saved.lcs -" "convert saved.lcs - --to lcs" \
    "gallery --help" "gallery list" "gallery list --knobs" "gallery list --json" \
    "gallery show words-cpu" "run acorn -g 1" "run acorn -g 1 --json" "run acorn -g 1 -q -o -" \
    "run --soup 0.5 --size 2000 -g 1 -q -o -" "run acorn -g 1 -q -o - --output-format lcs" \
    "bench --size 64 --quick --runs 6 -g 20" "gallery bench simd --size 64 --quick --runs 6 -g 20"; do
    # shellcheck disable=SC2086
    unread $words
done
# What would take hours is not done for nobody.
unread bench --size 64 -t 1 -g 1G --runs 1000
# But a run goes on, and keeps what it was to keep.
unread run acorn -g 50 -q -o - --checkpoint kept.lcs --stats kept.csv --every 10
expect 0 "what it kept" info kept.lcs --json
is "what it kept" "$(field generation)" 50
is "what it kept" "$(tail -1 kept.csv | cut -d, -f1)" 50
timeout -s KILL 300 "$lightcone" bench --size 64 --quick --runs 6 -g 20 --csv kept.csv >&3 2>err
is "a bench with a file: exit code" $? 141
is "a bench with a file: what is said" "$(cat err)" ""
has "a bench with a file" kept.csv "engine,"
# A mistake is still said, and a failure that is none of the reader's.
"$lightcone" run acorn -g x >&3 2>err
is "a mistake" $? 2
has "a mistake" err "is not a number"
"$lightcone" run no-such-file.rle -g 1 >&3 2>err
is "a failure" $? 1
has "a failure" err "No such file"
exec 3>&-
"$lightcone" run --soup 0.5 --size 2000 -g 0 -q -o - 2>err | head -c 10 >/dev/null
is "head" "${PIPESTATUS[0]}" 141
is "head" "$(cat err)" ""

# ---- checkpoints --------------------------------------------------------------------------------
for words in "run - -g 1" "info -" "convert - -"; do
    # shellcheck disable=SC2086
    cat saved.lcs | "$lightcone" $words >out 2>err
    is "a checkpoint through a pipe: $words" $? 1
    has "a checkpoint through a pipe: $words" err \
        "lightcone: standard input:1:1: this is a lightcone checkpoint, which is restored from a file"
done

finish
