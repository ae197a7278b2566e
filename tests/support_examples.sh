# shellcheck shell=bash
# shellcheck disable=SC2154 # work: the sourcing script has it
# Checks that the six programs of examples/ print and write the expected results. Sourced by
# tools/check-install.sh, after support_cli.sh.

# run_examples NAME FOLDER-OF-PROGRAMS: runs them in a new folder; `lightcone` is in PATH.
run_examples() {
    local name=$1 programs=$2 here=$PWD generation population at
    mkdir "$work/ran"
    cd "$work/ran" || exit 1

    # A glider returns after 48 generations; after 16 it is 4 cells further right and down.
    "$programs/array" >array.txt 2>&1
    is "$name: array: exit code" $? 0
    is "$name: array: the last line" "$(tail -n 1 array.txt)" "the last board is the first"
    is "$name: array: generation 48 is generation 0" \
        "$(grep -A 12 '^generation 48' array.txt | sed 1d)" "$(sed -n 2,13p array.txt)"
    is "$name: array: generation 16" "$(grep -A 7 '^generation 16' array.txt | tail -n 3)" \
        $'.....O......\n......O.....\n....OOO.....'

    # Row k of Sierpinski's triangle has 2^(number of ones in k) cells.
    "$programs/own_rule" >triangle.txt 2>&1
    is "$name: own_rule: exit code" $? 0
    is "$name: own_rule: its rule" "$(head -n 1 triangle.txt)" "rule W90"
    is "$name: own_rule: cells in each row" \
        "$(sed 1d triangle.txt | awk '{ printf "%d ", gsub(/O/, "") }')" \
        "1 2 2 4 2 4 4 8 2 4 4 8 4 8 8 16 "

    "$programs/pattern_film" >film.txt 2>&1
    is "$name: pattern_film: exit code" $? 0
    is "$name: pattern_film: what it says" "$(cat film.txt)" "film.png has 251 pictures"
    whole "$name: pattern_film" film.png 251
    is "$name: pattern_film: its size" "$(size_of film.png)" "480 x 360"

    # The written soup has settled at that generation but not 60 generations earlier.
    "$programs/longest_soup" >soup.txt 2>&1
    is "$name: longest_soup: exit code" $? 0
    read -r generation population <<<"$(sed -En \
        's/^soup [0-9]+ lives longest: .* generation ([0-9]+) with ([0-9]+) live cells$/\1 \2/p' soup.txt)"
    is "$name: longest_soup: more than 2000 generations" "$((${generation:-0} > 2000))" 1
    for at in $generation $((${generation:-0} + 60)) $((${generation:-0} - 60)); do
        lightcone run longest.rle -g "$at" --json | sed -n 's/.*"population": *\([0-9]*\).*/\1/p'
    done >populations.txt
    is "$name: longest_soup: populations at its end" "$(head -n 2 populations.txt | xargs)" \
        "$population $population"
    is "$name: longest_soup: before its end" \
        "$(tail -n 1 populations.txt | grep -cvx "$population")" 1

    "$programs/settled_objects" >objects.txt 2>&1
    is "$name: settled_objects: exit code" $? 0
    is "$name: settled_objects: generation" "$(head -n 1 objects.txt)" "generation 1103"
    is "$name: settled_objects: gliders" "$(grep -c '^glider (xq4_153) at .* every 4 generations$' objects.txt)" 6
    is "$name: settled_objects: a boat" "$(grep '^boat' objects.txt)" "boat (xs5_253) at (-6, -13)"
    is "$name: settled_objects: the last line" "$(tail -n 1 objects.txt)" "25 objects, and 0 cells in none"

    # Undo removes the fourth glider.
    "$programs/four_gliders" >gliders.txt 2>&1
    is "$name: four_gliders: exit code" $? 0
    is "$name: four_gliders: live cells" "$(grep cells gliders.txt)" \
        $'four gliders: 20 live cells\nafter undo: 15 live cells'
    is "$name: four_gliders: the first and the fourth" "$(sed -n '3,5p; 14,16p' gliders.txt)" \
        $'..O.........O...\n...O........O.O.\n.OOO........OO..\n..OO........OOO.\n.O.O........O...\n...O.........O..'

    cd "$here" || exit 1
    rm -r "$work/ran"
}
