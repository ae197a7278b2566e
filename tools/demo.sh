#!/bin/bash
# The main job, for `make run`: a soup at full speed, patterns whose future is known, and pictures
# to look at; some ten seconds in all. What it says was measured, or compared with what is known,
# just now; if something is not as it is known to be the script says so and fails.
#
#     tools/demo.sh LIGHTCONE FOLDER_FOR_PICTURES
set -euo pipefail
lightcone=$1
folder=$2
soup_seconds=3

# run TITLE ARGUMENTS...: shows the command, with its live progress, and how fast it was. The
# result is in $result.
run() {
    printf '\n%s\n    $ lightcone run %s\n' "$1" "${*:2}"
    result=$("$lightcone" run "${@:2}")
    printf '    %s: %s\n' "$(fact time)" "$(fact speed)"
}

fact() { # NAME: what the result says behind this word
    sed -n "s/^$1  *//p" <<<"$result"
}

# known POPULATION WHAT-IS-KNOWN
known() {
    local found
    found=$(fact population | tr -d ,)
    if [ "$found" != "$1" ]; then
        echo "    $found cells are alive, and it should be $1: $2" >&2
        exit 1
    fi
    printf '    %s cells are alive: %s\n' "$(fact population)" "$2"
}

# A build without libpng writes the same cells as patterns.
ending=png
if ! "$lightcone" run --soup 0.5 --size 8 -g 0 -q -o "$folder/soup.png" 2>/dev/null; then
    ending=rle
fi

# How many generations of that soup last some seconds, in whole passes.
elapsed=$("$lightcone" run --soup 50% --size 16384 -g 128 --no-progress --json |
    sed -n 's/^  "elapsed_seconds": \(.*\),$/\1/p')
generations=$(awk -v one="$elapsed" -v all=$soup_seconds \
    'BEGIN { n = int(all / one); print 128 * (n < 1 ? 1 : n > 1000 ? 1000 : n) }')

run "268 million random cells on a torus, at full speed" \
    --soup 50% --seed 42 --size 16384 -g "$generations"
printf '    by %s\n' "$(fact engine)"
run "Any rule of the family: Day & Night" \
    --soup 50% --seed 42 --size 4096 --rule DayAndNight -g 2000
run "Acorn: seven cells on the infinite plane" acorn -g 5206
known 633 "it settles in this generation, with so many"
run "The first gun" gosper-glider-gun -g 3000
known 536 "the gun's 36, and 5 for each of the 100 gliders that it has sent out"
run "A spacefiller: it grows at the greatest speed there is" \
    spacefiller -g 1000 -o "$folder/spacefiller.$ending"
known $((((1000 + 17) * (1000 + 17) + 511) / 4)) "((t + 17)^2 + 511) / 4, as it is known to grow"
run "A million random cells, for a picture" \
    --soup 50% --seed 42 --size 1024 -g 10k -o "$folder/soup.$ending"

printf '\nTo look at:\n'
printf '    %s\n' "$(realpath "$folder")/spacefiller.$ending" "$(realpath "$folder")/soup.$ending"
printf 'To see it live, and for more:\n'
if "$lightcone" help | grep -q '^  view '; then
    printf '    %s view gosper-glider-gun --start\n' "$lightcone"
fi
printf '    %s patterns\n    %s help\n' "$lightcone" "$lightcone"
