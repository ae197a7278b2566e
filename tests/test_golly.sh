#!/bin/bash
# The lightcone command against Golly's bgolly: patterns, rules and topologies, cell by cell and in
# absolute coordinates.
#
# usage: test_golly.sh LIGHTCONE [BGOLLY]
#
# Both read the same RLE and run as many generations. lightcone writes RLE; Golly writes a
# macrocell file, because its RLE says nothing about the position. Both are decoded by the awk
# programs below, which share no code with either, into sorted lines "x y" with Golly's coordinates:
# a bounded direction of n cells begins at -int(n/2). Rules with B0 run in Golly's QuickLife only,
# which writes no macrocell files; for those the two sets of cells are moved to (0, 0) first. (And
# it holds the opposite of every cell in odd generations, so those are left out.)
set -u

lightcone=$1
bgolly=${2:-$(command -v bgolly)}
if [ -z "$bgolly" ]; then
    echo "skipped: bgolly (Debian's package golly) is not installed"
    exit 77
fi

work=$(mktemp -d) || exit 2
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
seed=${LC_TEST_SEED:-1}
failed=0
compared=0

# soup WIDTH HEIGHT RULE: the next pattern is random, of that size, half full; each differs.
soup() {
    awk -v w="$1" -v h="$2" -v rule="$3" -v seed="$seed" 'BEGIN {
        srand(seed); printf "x = %d, y = %d, rule = %s\n", w, h, rule
        for (y = 0; y < h; y++) {
            row = ""
            for (x = 0; x < w; x++) row = row (rand() < 0.5 ? "o" : "b")
            print row (y == h - 1 ? "!" : "$")
        }
    }' > "$work/in.rle"
    seed=$((seed + 1))
}

# placed X,Y: the pattern says where it stands.
placed() {
    sed -i "1i #CXRLE Pos=$1" "$work/in.rle"
}

# rle_cells WIDTH HEIGHT FILE: the live cells of an RLE file; the sizes are those of the universe,
# 0 for an unbounded direction, and say where the cells are if the file does not.
rle_cells() {
    awk -v w="$1" -v h="$2" '
        BEGIN { left = -int(w / 2); top = -int(h / 2) }
        /^#CXRLE/ {
            if (match($0, /Pos=-?[0-9]+,-?[0-9]+/)) {
                split(substr($0, RSTART + 4, RLENGTH - 4), pos, ",")
                left = pos[1]; top = pos[2]
            }
        }
        /^#/ || /^x/ { next }
        { text = text $0 }
        END {
            x = left; y = top; digits = ""
            for (i = 1; i <= length(text); i++) {
                c = substr(text, i, 1)
                if (c ~ /[0-9]/) { digits = digits c; continue }
                n = digits == "" ? 1 : digits + 0
                digits = ""
                if (c == "!") break
                if (c == "$") { y += n; x = left }
                else if (c == "b") x += n
                else if (c == "o") while (n-- > 0) print x++, y
            }
        }' "$3" | LC_ALL=C sort
}

# mc_cells FILE: the live cells of a macrocell file. Node k is the k-th line: eight rows of up to
# eight cells, or "level nw ne sw se". A root of level n spans -2^(n-1) .. 2^(n-1)-1, with its
# middle one row above Golly's row 0.
mc_cells() {
    awk '
        function walk(node, level, x, y,    i, j, row, rows, half, part) {
            if (node == 0) return
            if (level == 3) {
                rows = split(leaf[node], row, "[$]")
                for (j = 1; j <= rows; j++)
                    for (i = 1; i <= length(row[j]); i++)
                        if (substr(row[j], i, 1) == "*") print x + i - 1, y + j - 1
                return
            }
            split(quarters[node], part, " ")
            half = 2 ^ (level - 1)
            walk(part[2], level - 1, x, y)
            walk(part[3], level - 1, x + half, y)
            walk(part[4], level - 1, x, y + half)
            walk(part[5], level - 1, x + half, y + half)
        }
        /^\[/ || /^#/ || /^$/ { next }
        /^[0-9]/ { quarters[++nodes] = $0; root_level = $1; next }
        { leaf[++nodes] = $0; root_level = 3 }
        END { if (nodes) walk(nodes, root_level, -(2 ^ (root_level - 1)), 1 - 2 ^ (root_level - 1)) }
    ' "$1" | LC_ALL=C sort
}

# moved: lines "x y" moved so that the smallest x and y are 0.
moved() {
    awk 'NR == 1 || $1 < left { left = $1 } NR == 1 || $2 < top { top = $2 }
         { x[NR] = $1; y[NR] = $2 }
         END { for (i = 1; i <= NR; i++) print x[i] - left, y[i] - top }' | LC_ALL=C sort
}

fail() {
    echo "FAILED: $*"
    failed=1
}

# golly_cells GENERATIONS: what bgolly makes of the pattern, in golly.cells; 1 if it fails.
golly_cells() {
    local algorithm=HashLife out=$work/golly.mc
    if grep -q 'rule = B0' "$work/in.rle"; then
        algorithm=QuickLife
        out=$work/golly.rle
    fi
    rm -f "$out"
    "$bgolly" -q -q -a $algorithm -m "$1" -o "$out" "$work/in.rle" > "$work/log" 2>&1 &&
        [ -s "$out" ] || return 1
    if [ $algorithm = HashLife ]; then
        mc_cells "$out" > "$work/golly.cells"
    else
        rle_cells 0 0 "$out" | moved > "$work/golly.cells"
    fi
}

# compare GENERATIONS WIDTH HEIGHT NAME [lightcone's options ...]: the pattern in in.rle, which is
# of the generation $start (0 if there is none).
compare() {
    local generations=$1 width=$2 height=$3 name=$4
    shift 4
    if ! golly_cells $((generations + ${start:-0})); then
        fail "$name: bgolly: $(tail -n 1 "$work/log")"
        return
    fi
    rm -f "$work/out.rle"
    if ! "$lightcone" run "$work/in.rle" -g "$generations" -o "$work/out.rle" --quiet "$@" \
            > "$work/log" 2>&1; then
        fail "$name: lightcone: $(tail -n 1 "$work/log")"
        return
    fi
    rle_cells "$width" "$height" "$work/out.rle" > "$work/lightcone.cells"
    if grep -q 'rule = B0' "$work/in.rle"; then
        moved < "$work/lightcone.cells" > "$work/moved.cells"
        mv "$work/moved.cells" "$work/lightcone.cells"
    fi
    if [ ! -s "$work/golly.cells" ]; then
        fail "$name: nothing is alive at generation $generations, so nothing is compared"
    elif cmp -s "$work/golly.cells" "$work/lightcone.cells"; then
        compared=$((compared + 1))
        echo "ok: $name, generation $generations, $(wc -l < "$work/golly.cells") cells"
    else
        fail "$name: generation $generations, Golly has $(wc -l < "$work/golly.cells") cells," \
            "lightcone $(wc -l < "$work/lightcone.cells"); first differences (< Golly, > lightcone):"
        diff "$work/golly.cells" "$work/lightcone.cells" | grep '^[<>]' | head -n 8
        echo "of this pattern:"
        head -n 100 "$work/in.rle"
    fi
}

# The decoders, on files whose cells are known, and one that must not be equal.
printf '#CXRLE Pos=3,-2\nx = 3, y = 2, rule = B3/S23\nb2o$\no1\n2b!\n' > "$work/known.rle"
printf '[M2] (golly 3.3)\n#R B3/S23\n$$$$$....**$...*$\n4 0 1 0 0\n' > "$work/known.mc"
printf '3 -1\n4 -2\n5 -2\n' > "$work/known.cells"
rle_cells 0 0 "$work/known.rle" | cmp -s - "$work/known.cells" || fail "the RLE decoder is wrong"
mc_cells "$work/known.mc" | cmp -s - "$work/known.cells" || fail "the macrocell decoder is wrong"
printf 'x = 9, y = 8, rule = B3/S23:T9,8\nbo!\n' > "$work/known.rle"
[ "$(rle_cells 9 8 "$work/known.rle")" = "-3 -4" ] || fail "the middle of a board is wrong"

# The infinite plane.
printf 'x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n' > "$work/in.rle"
compare 1103 0 0 "R-pentomino"
printf '#CXRLE Pos=-40,1000000\nx = 36, y = 9, rule = B3/S23\n24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o
12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!\n' > "$work/in.rle"
compare 1234 0 0 "Gosper's gun far from the middle"
soup 60 47 B3/S23
compare 300 0 0 "soup in Life"
soup 41 70 B36/S23
compare 200 0 0 "soup in HighLife"
soup 33 33 B3678/S34678
compare 128 0 0 "soup in Day & Night"
soup 12 9 B2/S
compare 50 0 0 "Seeds"
soup 20 20 B1357/S1357
compare 61 0 0 "Replicator"
soup 24 24 B03/S23
compare 40 0 0 "births from nothing, an even generation"
soup 15 11 B0/S
compare 20 0 0 "births from nothing only"

# Bounded boards: every surface, sizes that no word likes.
soup 37 29 B3/S23:P37,29
compare 100 37 29 "plane"
soup 70 65 B36/S125:P70,65
compare 100 70 65 "plane, another rule"
soup 64 40 B3/S23:T64,40
compare 130 64 40 "torus"
soup 37 29 B3678/S34678:T37,29
compare 65 37 29 "torus, Day & Night"
soup 38 29 B3/S23:T38+5,29
compare 100 38 29 "torus shifted to the right"
soup 37 30 B3/S23:T37-11,30
compare 100 37 30 "torus shifted to the left"
soup 37 29 B3/S23:T37,29+4
compare 100 37 29 "torus shifted down"
soup 67 29 B36/S23:T67,29-3
compare 100 67 29 "torus shifted up"
soup 31 21 B3/S23:K31*,21
compare 100 31 21 "Klein bottle, top and bottom twisted"
soup 30 23 B3/S23:K30,23*
compare 100 30 23 "Klein bottle, left and right twisted"
soup 30 20 B3/S23:K30*+1,20
compare 100 30 20 "Klein bottle, top and bottom shifted"
soup 21 32 B36/S23:K21,32*-1
compare 100 21 32 "Klein bottle, left and right shifted"
soup 33 20 B3/S23:C33,20
compare 100 33 20 "cross-surface"
soup 26 31 B3678/S34678:C26,31
compare 60 26 31 "cross-surface, Day & Night"
soup 25 25 B3/S23:S25
compare 100 25 25 "sphere"
soup 66 66 B2/S34:S66
compare 100 66 66 "sphere, another rule"
soup 40 30 B02/S3:T40,30
compare 30 40 30 "torus, births from nothing"
soup 3 2 B1/S012:T3,2
compare 3 3 2 "tiny torus"
soup 25 20 B3/S23:T0,20
placed 1000,-10
compare 90 0 20 "tube"
soup 20 33 B3/S23:P20,0
placed -10,-77
compare 90 20 0 "strip"
printf '#CXRLE Pos=-20,3\nx = 3, y = 3, rule = B3/S23:T41,33\nbob$2bo$3o!\n' > "$work/in.rle"
compare 100 41 33 "placed glider"
printf 'x = 3, y = 3, rule = B3/S23:P40,30\nbob$2bo$3o!\n' > "$work/in.rle"
compare 30 40 30 "glider put into the middle"

# What does not say where it stands, with an odd and an even size in each direction.
for topology in P23,0 P0,24 T24,0 T0,23; do
    bounds=${topology#?}
    soup 17 20 "B3/S23:$topology"
    compare 20 "${bounds%,*}" "${bounds#*,}" "not placed, on $topology"
    soup 20 19 "B3/S23:$topology"
    compare 21 "${bounds%,*}" "${bounds#*,}" "not placed, on $topology"
done

# RLE as other programs write it, as it is read: reads NAME WIDTH HEIGHT TEXT, with printf's
# escapes.
reads() {
    printf '%b' "$4" > "$work/in.rle"
    compare 0 "$2" "$3" "$1"
}
for letter in p q r s t u v w x y; do
    reads "the letter $letter" 0 0 "x = 9, y = 2\n${letter}b2${letter}o\$b$letter$letter!\n"
done
reads "letters at the ends of lines" 0 0 'x = 9, y = 2\n3p\nAxb\n2x$bx!\n'
reads "a count before the end" 0 0 'x = 9, y = 2\n3obo$2bo12!\n'
reads "blanks round the place" 0 0 '#CXRLE Pos = -5, -6\nx = 3, y = 3\n3o!\n'
reads "a blank before the place" 0 0 '#CXRLE Pos= -5,-6 Gen= 0\nx = 3, y = 3\n3o!\n'
reads "text behind the rule" 0 0 'x = 3, y = 3, rule = B36/S23 as it was\n3o!\n'
reads "a comma behind the rule" 0 0 'x = 3, y = 3, rule = B36/S23, as it was\n3o!\n'
reads "text behind the topology" 12 11 'x = 3, y = 1, rule = B3/S23:T12,11 a torus\n3o!\n'
for rule in B2aceikn3/S B2-/S34 B2-aceikn3/S23 b3aceijknqrys2ceaikn3; do
    printf 'x = 9, y = 3, rule = %s\n2obo$b3ob2o$o2bo!\n' "$rule" > "$work/in.rle"
    compare 9 0 0 "letters of all arrangements: $rule"
done

# A stated size that does not fit, and none: the pattern begins in the corner.
for text in 'x = 12, y = 1, rule = B3/S23:P10,11\n9o!\n' 'x = 3, y = 12, rule = B3/S23:T10,11\n3o!\n' \
    'x = 0, y = 0, rule = B3/S23:P10,11\n3o!\n' 'x = 10, y = 11, rule = B3/S23:T10,11\n3o!\n'; do
    printf '%b' "$text" > "$work/in.rle"
    compare 1 10 11 "placed in $(printf '%b' "$text" | sed -n 1p)"
done
printf 'x = 12, y = 13, rule = B3/S23:P0,11\n3o!\n' > "$work/in.rle"
compare 1 0 11 "too high for a strip"

# The phase of births from nothing follows the generation that the file states.
for rule in B02/S3 B03/S23; do
    soup 14 12 $rule
    sed -i '1i #CXRLE Gen=1' "$work/in.rle"
    start=1 compare 19 0 0 "births from nothing, $rule from an odd generation"
    sed -i '1s/.*/#CXRLE Gen=6/' "$work/in.rle"
    start=6 compare 14 0 0 "births from nothing, $rule from an even generation"
done

# The slow engine has a topology of its own to get wrong.
soup 37 29 B3/S23:K37*,29
compare 60 37 29 "scalar engine, Klein bottle" --engine scalar
soup 37 29 B36/S23:T37+9,29
compare 60 37 29 "scalar engine, shifted torus" --engine scalar

echo "$compared results equal Golly's"
[ $failed = 0 ] && [ $compared -ge 30 ]
