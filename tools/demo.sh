#!/bin/bash
# The main job, for `make run`: real patterns and a large soup, evolved with live progress, and
# pictures to look at.
#
#     tools/demo.sh LIGHTCONE FOLDER_FOR_PICTURES
set -euo pipefail
lightcone=$1
folder=$2
patterns=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/patterns

# A build without libpng writes the same cells as patterns.
ending=png
if ! "$lightcone" run --soup 0.5 --size 8 -g 0 -q -o "$folder/soup.png" 2>/dev/null; then
    ending=rle
fi

say() {
    printf '\n== %s\n   %s\n\n' "$1" "${*:2}"
}

run() { # TITLE ARGUMENTS...
    say "$1" lightcone run "${@:2}"
    "$lightcone" run "${@:2}"
}

run "Lidka: 15 cells that take 29,053 generations to settle, on the infinite plane" \
    "$patterns/lidka.rle" -g 30000
run "A spacefiller: it grows as fast as anything can, and fills the plane with stripes" \
    "$patterns/spacefiller.rle" -g 1000 -o "$folder/spacefiller.$ending"
run "A soup of a million cells on a torus, 10,000 generations" \
    --soup 0.5 --seed 42 --size 1024x1024 -g 10k -o "$folder/soup.$ending"
run "A soup of a thousand million cells on a torus, 2,000 generations" \
    --soup 0.5 --seed 42 --size 32768x32768 -g 2k

printf '\nPictures to look at:\n'
printf '    %s\n' "$(realpath "$folder")/spacefiller.$ending" "$(realpath "$folder")/soup.$ending"
