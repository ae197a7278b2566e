# shellcheck shell=bash
# Sourced by scripts that are a list of steps (.ci/run, tools/check-all.sh). A step is a line
# "NAME SECONDS TITLE" and a function step_NAME; SECONDS is what it took when it was last measured,
# or "?". run_steps says what it will do, does it, and says what each step took, also after a
# failure. It ends at the first failure; with keep_going=yes it goes on, and fails at the end. With
# leave_out=yes it leaves out steps that tools/records.sh has a record of, and says so.

run_steps() { # LINE...
    local line name seconds title begin status mark found files
    steps_done=()
    steps_failed=0
    echo "These steps will be run. Seconds as last measured on 2 cores:"
    for line in "$@"; do
        read -r name seconds title <<<"$line"
        if ! declare -F "step_$name" >/dev/null; then
            echo "steps.sh: there is no step called $name" >&2
            return 2
        fi
        printf '%6s s  %-13s %s\n' "$seconds" "$name" "$title"
    done
    trap print_steps EXIT
    for line in "$@"; do
        read -r name seconds title <<<"$line"
        printf '\n#### [%4d s] %s: %s\n' "$SECONDS" "$name" "$title"
        if [ "${leave_out-}" = yes ] && found=$(find_record "$name"); then
            echo "left out: $found"
            steps_done+=("$(printf '%6s    %s: left out' - "$name")")
            continue
        fi
        begin=$SECONDS
        steps_now=$name
        mark=
        files=
        if declare -F write_record >/dev/null && has_inputs "$name"; then
            files=$(hash_files "$name") || true
        fi
        if [ "${keep_going-}" = yes ]; then
            set +e
            (
                set -e
                "step_$name"
            )
            status=$?
            set -e
            if [ "$status" -ne 0 ]; then
                mark="  FAILED"
                steps_failed=$((steps_failed + 1))
            fi
        else
            "step_$name"
        fi
        steps_now=
        if [ -n "$files" ] && [ -z "$mark" ]; then
            write_record "$name" "$files"
        fi
        steps_done+=("$(printf '%6d s  %s%s' $((SECONDS - begin)) "$name" "$mark")")
    done
    trap - EXIT
    print_steps
    [ "$steps_failed" -eq 0 ]
}

print_steps() {
    printf '\n#### [%4d s] What each step took:\n' "$SECONDS"
    if [ ${#steps_done[@]} -gt 0 ]; then
        printf '%s\n' "${steps_done[@]}"
    fi
    if [ -n "${steps_now-}" ]; then
        echo "FAILED    $steps_now"
    fi
}

# Of the script's `steps`: those that are named, in their order; all of them if none is.
choose_steps() { # NAME...
    local line name found
    # shellcheck disable=SC2154
    local -a all=("${steps[@]}")
    chosen=()
    for name in "$@"; do
        found=
        for line in "${all[@]}"; do
            [ "${line%% *}" != "$name" ] || found=yes
        done
        if [ -z "$found" ]; then
            echo "steps.sh: there is no step called $name" >&2
            return 2
        fi
    done
    for line in "${all[@]}"; do
        if [ $# -eq 0 ] || [[ " $* " == *" ${line%% *} "* ]]; then
            chosen+=("$line")
        fi
    done
}
