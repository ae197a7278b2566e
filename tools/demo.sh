#!/bin/bash
# The main job, for `make run`: a real pattern and a large soup, evolved with live progress, and a
# picture of each result to look at.
#
#     tools/demo.sh LIGHTCONE FOLDER_FOR_PICTURES
set -euo pipefail
lightcone=$1
folder=$2
patterns=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/patterns

say() {
    printf '\n== %s\n   %s\n\n' "$1" "${*:2}"
}

run() { # TITLE ARGUMENTS...
    say "$1" lightcone run "${@:2}"
    "$lightcone" run "${@:2}"
}

# Lidka: 13 cells that take 29,055 generations to settle, on the infinite plane.
run "Lidka, a methuselah: 13 cells, 29,055 generations, on the infinite plane" \
    "$patterns/lidka.rle" -g 29055 -o "$folder/lidka.png"

# A soup the size of a poster that one can open, and one that shows the speed.
run "A soup of a million cells on a torus, 10,000 generations" \
    --soup 0.5 --seed 42 --size 1024x1024 -g 10k -o "$folder/soup.png"
run "A soup of 268 million cells on a torus, 1,000 generations" \
    --soup 0.5 --seed 42 --size 16384x16384 -g 1k

printf '\nPictures to look at:\n'
printf '    %s\n' "$(realpath "$folder")/lidka.png" "$(realpath "$folder")/soup.png"
