#!/usr/bin/env bash
# What the shells' completions offer: every option of every command's help, and files of patterns.
# Fish is asked where there is one; of its file and zsh's the options are read.
# Usage: test_completions.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there is
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

completions=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../cli/completions")
begin "$@"

# shellcheck source=../cli/completions/lightcone.bash
source "$completions/lightcone.bash"

# of_bash WORD ...: what is offered in place of the last word, a line each.
of_bash() {
    COMP_WORDS=("$lightcone" "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _lightcone 2>/dev/null
    [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
}

fish=$(command -v fish)
of_fish() { # WORDS
    PATH=$(dirname "$lightcone"):$PATH "$fish" -c "source $completions/lightcone.fish
        complete -C 'lightcone $1'" | cut -f 1
}

# ---- options ------------------------------------------------------------------------------------
options=0
for command in run view show info convert patterns rules devices bench tune 'gallery list' \
    'gallery bench'; do
    read -ra words <<<"$command"
    "$lightcone" help "${words[@]}" >text 2>/dev/null || continue # no viewer in this build
    mapfile -t of_help < <(sed -n 's/^ \{2,6\}\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' text)
    of_bash "${words[@]}" -- >bash
    [ -z "$fish" ] || of_fish "$command --" >fish
    for option in "${of_help[@]}"; do
        options=$((options + 1))
        checks=$((checks + 1))
        grep -qx -- "$option" bash || fail "bash: $command $option"
        grep -q -- "[^a-z]${option}[^a-z-]" "$completions/_lightcone" || fail "zsh: $option"
        grep -q -- " -l ${option#--} " "$completions/lightcone.fish" || fail "fish: $option"
        [ -z "$fish" ] || grep -qx -- "$option" fish || fail "fish: $command $option"
    done
done
is "the help texts have options" "$((options > 80))" 1

# ---- commands -----------------------------------------------------------------------------------
of_bash '' >bash
[ -z "$fish" ] || of_fish '' >fish
while read -r command; do
    grep -qx -- "$command" bash || fail "bash: $command"
    grep -q -- "'$command:" "$completions/_lightcone" || fail "zsh: $command"
    grep -q -- " -a $command -d" "$completions/lightcone.fish" || fail "fish: $command"
    [ -z "$fish" ] || grep -qx -- "$command" fish || fail "fish: $command"
done < <("$lightcone" help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' | grep -v lightcone)

# ---- files --------------------------------------------------------------------------------------
endings=(rle mc cells lif life lcs lcd lct rle.gz mc.gz)
for ending in "${endings[@]}" txt png; do
    : >"own-file.$ending"
done
of_bash run own- >bash
is "bash: files" "$(sort bash | tr '\n' ' ')" \
    "$(printf 'own-file.%s\n' "${endings[@]}" | sort | tr '\n' ' ')"
for ending in "${endings[@]%.gz}"; do
    grep -q "_files -g '.*[(|]${ending}[|)]" "$completions/_lightcone" || fail "zsh: $ending"
    grep -q "string match .*[:|]${ending}[|)]" "$completions/lightcone.fish" || fail "fish: $ending"
done
if [ -n "$fish" ]; then
    of_fish 'run own-' >fish
    is "fish: files" "$(sort fish | tr '\n' ' ')" \
        "$(printf 'own-file.%s\n' "${endings[@]}" | sort | tr '\n' ' ')"
fi
of_bash info aco >bash
is "bash: a built-in pattern" "$(cat bash)" acorn

finish
