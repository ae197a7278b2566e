# shellcheck shell=bash
# Sourced by .ci/run. Records of steps that passed lie in the user's cache folder, outside of the
# tree. A record's name has the hash of all that .ci/inputs says the step depends on, and of the
# LC_ variables, flags and sanitizer options in the environment. tools/steps.sh leaves out a step
# that has a record. Where there is no git, no cache folder or no line for the step, it runs.

records_folder=${XDG_CACHE_HOME:-${HOME-}/.cache}/lightcone-ci

# The words behind "STEP KIND" in the table, a line each.
inputs_of() { # STEP KIND
    sed -nE "s/^(all|$1) +$2 +//p" .ci/inputs
}

has_inputs() { # STEP
    grep -qE "^$1 +(reads|says) " .ci/inputs
}

# The files of the tree that a step reads or lists, a line each: tracked or untracked, but not
# ignored.
files_of() { # STEP reads|lists
    local word specs=()
    for word in $(set -f && inputs_of "$1" "$2"); do
        case $word in
        !*) specs+=(":(exclude)${word#!}") ;;
        *) specs+=("$word") ;;
        esac
    done
    [ ${#specs[@]} -gt 0 ] || return 0
    git -c core.quotePath=off ls-files -co --exclude-standard -- "${specs[@]}" |
        LC_ALL=C sort -u | while IFS= read -r word; do
        [ ! -e "$word" ] || printf '%s\n' "$word"
    done
}

# Fails where there is no git, or where git ignores the whole tree.
hash_files() { # STEP
    local files listed
    files=$(files_of "$1" reads 2>/dev/null) && [ -n "$files" ] || return 1
    listed=$(files_of "$1" lists)
    {
        xargs -r -d '\n' stat -c '%A %n' <<<"$files" | sed -E 's/^...(.)[^ ]*/\1/' # may run: x
        xargs -r -d '\n' sha256sum <<<"$files"
        if [ -n "$listed" ]; then
            echo "$listed"
            xargs -d '\n' cat <<<"$listed" | sed -nE '/^ *# *include *</p' | LC_ALL=C sort -u
        fi
    } | sha256sum
}

# A command that fails says so by its exit status, and its message counts.
hash_versions() { # STEP
    local command
    {
        inputs_of "$1" says | while IFS= read -r command; do
            (set -f && $command) </dev/null 2>&1 || echo "exit status $?"
        done
        env | grep -E '^(LC_[A-Z_]+|CC|C[A-Z]*FLAGS|LDFLAGS|[A-Z]+SAN_OPTIONS)=' | LC_ALL=C sort || true
    } | sha256sum
}

# Prints the path of the record that the step has, or would have.
record_of() { # STEP HASH_OF_FILES
    local versions
    versions=$(hash_versions "$1")
    echo "$records_folder/$1-$(echo "$2 $versions" | sha256sum | cut -c 1-32)"
}

# Whether the step passed before with the same inputs; then prints when.
find_record() { # STEP
    local files record
    has_inputs "$1" && files=$(hash_files "$1") || return 1
    record=$(record_of "$1" "$files")
    [ -f "$record" ] && cat "$record"
}

# To be called after a step has passed, with the files' hash from before it ran, or "" if there was
# none. If a file was changed meanwhile, either state may have passed, and no record is written.
write_record() { # STEP HASH_OF_FILES
    local record
    if [ -z "$2" ] || [ "$(hash_files "$1")" != "$2" ]; then
        return 0
    fi
    record=$(record_of "$1" "$2")
    if mkdir -p "$records_folder" 2>/dev/null && [ -w "$records_folder" ]; then
        echo "it passed with the same inputs on $(date '+%-d %B %Y, %H:%M')" >"$record.$$"
        mv "$record.$$" "$record"
        find "$records_folder" -maxdepth 1 -type f -mtime +60 -delete
    fi
}

# Fails if the targets of a build read a file of the tree that the step's lines in .ci/inputs lack.
check_inputs() { # STEP FOLDER_OF_BUILD TARGET...
    local step=$1 folder=$2 inputs missing
    shift 2
    inputs=$(ninja -C "$folder" -t inputs build.ninja "$@") || return 1
    missing=$({
        echo "$inputs"
        # Headers are not among a target's inputs, but in what the compiler said it has read.
        sed -n '/\.o$/p' <<<"$inputs" | xargs -r ninja -C "$folder" -t deps | sed -n 's/^    //p'
    } | sed '/^ninja: /d; /^$/d' | sort -u | (cd "$folder" && xargs -r -d '\n' realpath -ms) |
        sed -n "s|^$PWD/||p" | LC_ALL=C sort -u |
        LC_ALL=C comm -12 - <(git -c core.quotePath=off ls-files -co --exclude-standard |
            LC_ALL=C sort -u) |
        LC_ALL=C comm -23 - <({ files_of "$step" reads; files_of "$step" lists; } |
            LC_ALL=C sort -u))
    if [ -n "$missing" ]; then
        printf '%s\n' "$missing" | sed "s|^|.ci/inputs: $step reads this file, and its lines lack it: |" >&2
        return 1
    fi
}
