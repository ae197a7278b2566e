#!/bin/bash
# How fast `lightcone run` is beside QuickLife, the engine of Golly that forgets nothing and
# remembers nothing, or beside its HashLife: both programs run the same files on the infinite plane,
# in turns, in one go.
# The table is Markdown. Debian's package golly has bgolly and most of the patterns.
#
#     LC_BUILD=FOLDER tools/race-golly.sh [options]
#
# --rounds N        each program runs each pattern N times (3); which of them is first alternates
# --engine NAME     what lightcone computes with (none is named: it chooses)
# --hashlife        Golly's HashLife with 8,000 MB and the engine hashlife, and patterns for that
# --only REGEX      patterns whose name or group has this, and those of --also
# --list            names, groups, generations and sources, and no race
# --patterns DIR    Golly's patterns (/usr/share/golly/Patterns/Life)
# --also FILE:N     one more pattern, to generation N; may stand several times
# --quick           a tenth of the generations where there are 10,000 or more
# --threads-too     lightcone with 2 threads, too
# --start-to-end    the wall time of the whole process, starting and reading included
# --cells           one more run of each pattern, and the last cells of both are compared, wherever
#                   they lie (Golly's RLE does not say it)
# --timeout S       no run takes longer than S seconds (120)
#
# The time is that of stepping. bgolly stamps what it prints (-b): the time is from the stamp of the
# first population, when the file is read, to that of the last generation, before the population is
# counted again. Taking the difference to a run of no generations would say the same with more
# noise. lightcone says elapsed_seconds, also without reading, counting and writing.
#
# bgolly takes all generations as one step (-i): lidka's 30,000 took QuickLife 0.072 s so, 0.077 s
# in steps of 1,024, 0.084 s in steps of 64 and 0.235 s in single ones; the doubling steps of -2 and
# the growing ones that it takes if nothing is said were no faster (0.077 s, 0.072 s). The p30 gun,
# the breeder and twinprimes took the same, within 3 %, in steps of 128 to 32,768. QuickLife has one
# thread; here it may take three quarters of the memory that is free.
#
# "timeout" and "refused" (the universe would outgrow the memory that it may take) stand where there
# is no figure; such a pattern counts in no mean, and the last lines say so. The exit status is 1
# if a population or the cells differ or a program fails, and not for timeouts and refusals.
set -uo pipefail
export LC_ALL=C

# NAME GENERATIONS GROUP SOURCE. The source is a file of Golly's, own:FILE of ../patterns,
# cut:X,Y,W,H:FILE for a part of a file of Golly's, or soup:SIDE, half full, seed 1.
set_of_patterns='
lidka             30000   methuselahs        own:methuselahs/lidka.rle
r-pentomino       1103    methuselahs        own:methuselahs/r-pentomino.rle
acorn             5206    methuselahs        own:methuselahs/acorn.rle
breeder           8192    breeders           Breeders/breeder.lif
spacefiller       16384   breeders           Breeders/spacefiller.rle
switch-breeder    32768   breeders           Breeders/switch-engine-breeder.rle
switch-engines    100000  puffers-and-rakes  Breeders/c4-diag-switch-engines.rle
line-unstable     65536   puffers-and-rakes  Puffers/line-puffer-unstable.rle
line-superstable  65536   puffers-and-rakes  Puffers/line-puffer-superstable.rle
puffer-train      131072  puffers-and-rakes  Puffers/puffer-train.rle
p100-H-track      65536   puffers-and-rakes  Puffers/p100-H-track-puffer.rle
puffer-2c5        131072  puffers-and-rakes  Puffers/puffer-2c5.rle
basic-rakes       32768   puffers-and-rakes  Rakes/basic-rakes.rle
spider-rake       100000  puffers-and-rakes  Rakes/spider-rake.rle
rake-p185         65536   puffers-and-rakes  Rakes/2c5-engineless-rake-p185.rle
turing-3-state    65536   machines           Signal-Circuitry/Turing-Machine-3-state.rle
twinprimes        16384   machines           Miscellaneous/twinprimes.rle
fermat-primes     16384   machines           Miscellaneous/fermat-primes.rle
gun-p30           100000  guns-and-circuits  own:guns/gosper-glider-gun.rle
gun-p46           92000   guns-and-circuits  Guns/vacuum-cleaner.rle
gun-p60           100000  guns-and-circuits  cut:0,140,39,27:Signal-Circuitry/p30-racetrack.rle
gun-p59-snarks    65536   guns-and-circuits  Guns/p59-gun-with-Snark-reflectors.rle
gun-p784          32768   guns-and-circuits  Guns/Cordership-gun-p784.rle
golly-ticker      65536   guns-and-circuits  Guns/golly-ticker.rle
racetrack-p30     500000  guns-and-circuits  Signal-Circuitry/p30-racetrack.rle
racetrack-p46     200000  guns-and-circuits  Signal-Circuitry/p46racetrack.rle
heisenburp-46     500000  guns-and-circuits  Signal-Circuitry/heisenburp-46.rle
stargate          500000  guns-and-circuits  Signal-Circuitry/stargate.rle
unit-life-cell    115200  guns-and-circuits  Signal-Circuitry/Unit-Life-Cell-512x512.rle
extruder          32768   guns-and-circuits  Signal-Circuitry/traffic-lights-extruder.rle
chase-the-glider  65536   guns-and-circuits  Signal-Circuitry/chase-the-glider.rle
telegraph         16384   guns-and-circuits  Signal-Circuitry/high-bandwidth-telegraph.rle.gz
spiral-growth     16384   guns-and-circuits  Signal-Circuitry/single-channel-spiral-growth.rle.gz
corder-lineship   65536   spaceships         Spaceships/Corder-lineship.rle
c4-orthogonal     32768   spaceships         Spaceships/c4-orthogonal.rle
2c5-orthogonal    16384   spaceships         Spaceships/2c5-orthogonal.rle
soup-1000         1000    soups              soup:4096
soup-10000        10000   soups              soup:4096
'

# Each for a second or so of Golly's, where it takes that long at all.
set_for_hashlife='
broken-lines      4194304   puffers            ../HashLife/broken-lines.mc
jagged            131072    puffers            ../HashLife/jagged.mc
jagged2           262144    puffers            ../HashLife/jagged2.mc
puzzle            65536     puffers            ../HashLife/puzzle.mc
wedge-grow        4194304   puffers            ../HashLife/wedge-grow.mc
gotts-dots        16777216  growth             ../HashLife/gotts-dots.mc
catacryst         67108864  growth             ../HashLife/catacryst.mc
metacatacryst     16777216  growth             ../HashLife/metacatacryst.mc
nick-gotts-1      1048576   growth             ../HashLife/nick-gotts-1.mc
oddity-1          67108864  growth             ../HashLife/hashlife-oddity1.mc
logarithmic-width 16777216  growth             ../HashLife/logarithmic-width.mc
novelty           4194304   growth             ../HashLife/unlimited-novelty.mc
ruler             262144    circuits           ../HashLife/ruler.mc
totalperiodic     1048576   circuits           ../HashLife/totalperiodic.mc
hexadecimal       262144    circuits           ../HashLife/hexadecimal.mc.gz
galaxy            1048576   metapixels         ../HashLife/metapixel-galaxy.mc.gz
p216-gun          65536     metapixels         ../HashLife/metapixel-p216-gun.mc.gz
parity64          65536     metapixels         ../HashLife/metapixel-parity64.mc.gz
demonoid-c512     131072    machines           ../HashLife/demonoid-c512-hashlife-friendly.mc.gz
loafer-gun        131072    machines           ../HashLife/loafer-gun-p8388608-linear.mc.gz
propagator        131072    machines           ../HashLife/linear-propagator-p237228340.mc.gz
'

die() {
    echo "race-golly: $*" >&2
    exit 2
}

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lightcone=${LC_BUILD:-$source/build}/lightcone
rounds=3
engine=()
only=
list=
also_patterns=
patterns=/usr/share/golly/Patterns/Life
quick=
threads_too=
start_to_end=
cells=
limit_s=120
algorithm=QuickLife
while [ $# -gt 0 ]; do
    case $1 in
    --list) list=yes ;;
    --hashlife) algorithm=HashLife ;;
    --quick) quick=yes ;;
    --threads-too) threads_too=yes ;;
    --start-to-end) start_to_end=yes ;;
    --cells) cells=yes ;;
    --rounds | --engine | --only | --patterns | --also | --timeout)
        [ $# -ge 2 ] || die "$1 wants a value"
        case $1 in
        --rounds) rounds=$2 ;;
        --engine) engine=(--engine "$2") ;;
        --only) only=$2 ;;
        --patterns) patterns=$2 ;;
        --also)
            [[ $2 =~ ^[^[:space:]]+:[1-9][0-9]*$ ]] ||
                die "--also wants FILE:GENERATIONS, without spaces: $2"
            also=$(realpath "${2%:*}")
            [ -r "$also" ] || die "cannot read ${2%:*}"
            name=${also##*/}
            also_patterns+="${name%%.*} ${2##*:} others $also"$'\n'
            ;;
        --timeout) limit_s=$2 ;;
        esac
        shift
        ;;
    *)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
[[ $rounds =~ ^[1-9][0-9]*$ ]] || die "--rounds wants a number from 1: $rounds"
[[ $limit_s =~ ^[1-9][0-9]*$ ]] || die "--timeout wants whole seconds from 1: $limit_s"

if [ $algorithm = HashLife ]; then
    set_of_patterns=$set_for_hashlife$also_patterns
    [ ${#engine[@]} -gt 0 ] || engine=(--engine hashlife)
else
    set_of_patterns+=$also_patterns
fi

chosen=()
while read -r name generations group from; do
    [ -n "$name" ] || continue
    [ -z "$only" ] || [[ $group = others || $name =~ $only || $group =~ $only ]] || continue
    if [ -n "$quick" ] && [ "$generations" -ge 10000 ]; then
        generations=$((generations / 10))
    fi
    chosen+=("$name $generations $group $from")
done <<<"$set_of_patterns"
[ ${#chosen[@]} -gt 0 ] || die "no pattern's name or group has '$only'"
if [ -n "$list" ]; then
    for line in "${chosen[@]}"; do
        read -r name generations group from <<<"$line"
        printf '%-20s %8d  %-18s %s\n' "$name" "$generations" "$group" "$from"
    done
    exit 0
fi

command -v bgolly >/dev/null || die "there is no bgolly here; please install Debian's golly"
[ -x "$lightcone" ] || die "there is no $lightcone; please build it, or set LC_BUILD"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
memory_mb=$(awk '/^MemAvailable:/ { print int($2 / 1024 * 3 / 4) }' /proc/meminfo) || exit 1
[ $algorithm = QuickLife ] || memory_mb=8000
if ! "$lightcone" run r-pentomino "${engine[@]}" -t 1 -g 1 -q 2>"$work/log"; then
    die "lightcone does not run: $(head -n 1 "$work/log")"
fi
failed=0
notes=()

# value_of NAME: what JSON on standard input has as its value; the first such name counts.
value_of() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" | head -n 1
}

# part_of X Y W H: of the RLE file on standard input.
part_of() {
    awk -v left="$1" -v top="$2" -v width="$3" -v height="$4" '
        /^#/ || /^ *x/ { next }
        { text = text $0 }
        END {
            for (i = 1; i <= length(text); i++) {
                c = substr(text, i, 1)
                if (c ~ /[0-9]/) { digits = digits c; continue }
                count = digits == "" ? 1 : digits + 0
                digits = ""
                if (c == "$") { y += count; x = 0 }
                else if (c == "b") x += count
                else if (c == "o") for (; count > 0; count--) alive[x++, y] = 1
                else if (c == "!") break
            }
            printf "x = %d, y = %d, rule = B3/S23\n", width, height
            for (y = top; y < top + height; y++) {
                row = ""
                for (x = left; x < left + width; x++) row = row ((x, y) in alive ? "o" : "b")
                print row (y < top + height - 1 ? "$" : "!")
            }
        }'
}

# input_of SOURCE: sets `input`, the file that both programs read. What is packed is unpacked, so
# that neither has that to do; the name says RLE for what a wrong ending says is packed, too.
input_of() {
    local file
    case $1 in
    own:*) file=$source/patterns/${1#own:} ;;
    cut:*) file=$patterns/${1##*:} ;;
    soup:*)
        input=$work/soup-${1#soup:}.rle
        [ -s "$input" ] || "$lightcone" run --soup 0.5 --seed 1 --size "${1#soup:}" \
            --topology infinite -g 0 -q -o "$input"
        return
        ;;
    /*) file=$1 ;;
    *) file=$patterns/$1 ;;
    esac
    [ -r "$file" ] || return 1
    input=$file
    case $1 in
    cut:*)
        local part=${1#cut:} box
        input=$work/part.rle
        IFS=, read -r -a box <<<"${part%%:*}"
        part_of "${box[@]}" <"$file" >"$input"
        ;;
    *.gz)
        input=$work/$(basename "$file" .gz)
        gzip -dc "$file" >"$input" 2>/dev/null || cp "$file" "$input"
        ;;
    esac
}

# run_one golly|1|2 GENERATIONS [OPTIONS...]: runs bgolly, or lightcone with so many threads, on the
# `input`. Sets `seconds`, or the word that stands for it, and if there are seconds `population`.
run_one() {
    local who=$1 generations=$2 begin status
    local -a command
    shift 2
    if [ "$who" = golly ]; then
        command=(bgolly -a "$algorithm" -b -M "$memory_mb" -m "$generations" -i "$generations" "$@")
    else
        command=("$lightcone" run "${engine[@]}" -t "$who" --until "$generations" --json
            --no-progress "$@")
    fi
    begin=$EPOCHREALTIME
    timeout -k 10 "$limit_s" "${command[@]}" "$input" >"$work/out" 2>"$work/log"
    status=$?
    wall=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.6f\n", b - a }')
    if awk -v wall="$wall" -v limit="$limit_s" 'BEGIN { exit !(wall >= limit) }'; then
        seconds=timeout
        return
    fi
    if [ "$who" = golly ]; then
        # SECONDS GENERATION and SECONDS "pop" POPULATION, first for generation 0.
        read -r seconds population < <(awk -v last="$generations" '
            { gsub(",", "") }
            !/^[0-9]/ { next }
            $2 == "pop" { population = $3; if (!reached) begin = $1; next }
            first == "" { first = $2 }
            $2 == last { end = $1; reached = 1 }
            END { if (first == "0" && reached) printf "%.9f %s\n", end - begin, population }
        ' "$work/out")
    else
        seconds=$(value_of elapsed_seconds <"$work/out")
        population=$(value_of population <"$work/out")
        if [ "$(value_of stopped <"$work/out")" = "memory limit" ]; then
            seconds=refused
            return
        fi
    fi
    if [ "$status" -ne 0 ] || [ -z "$seconds" ] || [ -z "$population" ]; then
        seconds=failed
        failed=1
        notes+=("$name: ${command[0]##*/} failed (exit status $status): $(
            cat "$work/log" "$work/out" | tail -n 1
        )")
    elif [ -n "$start_to_end" ]; then
        seconds=$wall
    fi
}

# summary_of SECONDS...: "MEDIAN MIN MAX", or the word that one of them is.
summary_of() {
    local one
    for one in "$@"; do
        if [[ $one =~ ^[a-z]+$ ]]; then
            echo "$one"
            return
        fi
    done
    printf '%s\n' "$@" | sort -g | awk '
        { s[NR] = $1 }
        END { m = int((NR + 1) / 2); print (s[m] + s[NR + 1 - m]) / 2, s[1], s[NR] }'
}

# cell_of MEDIAN MIN MAX, or of a word: as it stands in the table.
cell_of() {
    awk -v text="$*" '
        function show(s) { return sprintf(s < 0.001 ? "%.6f" : s < 100 ? "%.3g" : "%.0f", s) }
        BEGIN {
            n = split(text, s, " ")
            print n < 3 ? text : show(s[1]) " (" show(s[2]) " .. " show(s[3]) ")"
        }'
}

# factor_of MEDIAN MEDIAN: the first by the second; "-" if one of them is a word.
factor_of() {
    awk -v a="$1" -v b="$2" 'BEGIN { if (a + 0 > 0 && b + 0 > 0) print a / b; else print "-" }'
}

# Three digits of a factor; what is no number stays.
short() {
    awk -v f="$1" 'BEGIN { print f == "-" ? f : sprintf(f < 100 ? "%.3g" : "%.0f", f) " x" }'
}

# compare_cells GENERATIONS: one more run of both, which write RLE. The files are compared without
# their comments, which say in lightcone's only where the box of what is alive lies.
compare_cells() {
    local mine=$work/mine.rle theirs=$work/theirs.rle one
    rm -f "$mine" "$theirs"
    for one in "golly $theirs" "1 $mine"; do
        run_one "${one%% *}" "$1" -o "${one#* }"
        if [[ $seconds =~ ^[a-z]+$ ]]; then
            same=$seconds
            return
        fi
    done
    for one in "$theirs" "$mine"; do
        grep -v '^#' "$one" >"$work/bare.rle"
        if ! "$lightcone" convert -q "$work/bare.rle" "$one.canonical" --to rle 2>"$work/log"; then
            same=failed
            failed=1
            notes+=("$name: cells not compared: $(head -n 1 "$work/log")")
            return
        fi
    done
    same=yes
    if ! cmp -s "$theirs.canonical" "$mine.canonical"; then
        same='**no**'
        failed=1
        notes+=("$name: the cells at generation $1 DIFFER")
    fi
}

declare -A title=([golly]=$algorithm [1]=one-thread [2]=two-threads)
measured=stepping
[ -z "$start_to_end" ] || measured="start to end"
golly_version=$(bgolly --help 2>&1 | sed -n 's/^This is \(bgolly [0-9.]*\).*/\1/p')
echo "$("$lightcone" version), $golly_version,"
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs," \
    "$(date -u +%Y-%m-%dT%H:%MZ), load $(cut -d' ' -f1 /proc/loadavg). Seconds of $measured:"
echo "median (fastest .. slowest) of $rounds rounds${engine[1]+, engine ${engine[1]}}."
echo
head="| pattern | generations | $algorithm | lightcone, 1 thread | factor |"
rule="|---|--:|--:|--:|--:|"
if [ -n "$threads_too" ]; then
    head+=" 2 threads | against 1 |"
    rule+="--:|--:|"
fi
head+=" engine | population | equal |"
rule+="---|--:|---|"
if [ -n "$cells" ]; then
    head+=" cells equal |"
    rule+="---|"
fi
printf '%s\n' "$head" "$rule"

for line in "${chosen[@]}"; do
    read -r name generations group from <<<"$line"
    if ! input_of "$from"; then
        printf '| %s | %s | no file %s |\n' "$name" "$generations" "$from"
        notes+=("$name: there is no file $from")
        echo "$name $group - -" >>"$work/factors"
        failed=1
        continue
    fi
    order=(golly 1)
    [ -z "$threads_too" ] || order+=(2)
    declare -A times=() populations=()
    used=-
    for ((round = 1; round <= rounds; round++)); do
        for ((k = 0; k < ${#order[@]}; k++)); do
            who=${order[round % 2 == 1 ? k : ${#order[@]} - 1 - k]}
            # Who has failed once would fail again.
            [[ ! ${times[$who]-} =~ [a-z] ]] || continue
            run_one "$who" "$generations"
            times[$who]+=" $seconds"
            [[ ! $seconds =~ [a-z] ]] || continue
            [[ ${populations[$population]-} = *"${title[$who]}"* ]] ||
                populations[$population]+=" ${title[$who]}"
            [ "$who" = golly ] || used=$(value_of engine <"$work/out")
        done
    done
    # shellcheck disable=SC2086 # lists of numbers
    {
        golly=$(summary_of ${times[golly]})
        mine=$(summary_of ${times[1]})
        both=$(summary_of ${times[2]-})
    }
    factor=$(factor_of "${golly%% *}" "${mine%% *}")
    row="| $name | $(printf "%d" "$generations") | $(cell_of "$golly") | $(cell_of "$mine")"
    row+=" | $(short "$factor") |"
    if [ -n "$threads_too" ]; then
        row+=" $(cell_of "$both") | $(short "$(factor_of "${mine%% *}" "${both%% *}")") |"
    fi
    equal=yes
    if [ ${#populations[@]} -gt 1 ]; then
        equal='**no**'
        failed=1
        note="$name: the populations at generation $generations DIFFER:"
        for population in "${!populations[@]}"; do
            note+=" $population (${populations[$population]# }),"
        done
        notes+=("${note%,}")
    elif [[ ${populations[*]-} != *" "*" "* ]]; then
        # Nothing to compare with: at most one of them has come to the end.
        equal=-
    fi
    row+=" $used | ${!populations[*]} | $equal |"
    if [ -n "$cells" ]; then
        same=-
        [ "$factor" = - ] || compare_cells "$generations"
        row+=" $same |"
    fi
    printf '%s\n' "$row"
    echo "$name $group $factor $equal" >>"$work/factors"
done

echo
awk '
    function mean_of(label, sum, n) {
        if (n > 0) printf "%s: %.3g x, of %d patterns\n", label, exp(sum / n), n
        else print label ": no pattern has a factor"
    }
    $3 == "-" || $4 != "yes" { left = left (left == "" ? "" : ", ") $1; next }
    { n++; sum += log($3) }
    $2 == "guns-and-circuits" { guns++; guns_sum += log($3) }
    least == "" || $3 < least { least = $3; slowest = $1 }
    END {
        mean_of("Geometric mean of the factors", sum, n)
        if (guns > 0) mean_of("Guns and circuits", guns_sum, guns)
        if (n > 0) printf "Smallest: %.3g x, %s\n", least, slowest
        if (left != "") print "Left out of these: " left
    }' "$work/factors"
if [ ${#notes[@]} -gt 0 ]; then
    printf '%s\n' "${notes[@]}"
fi
exit "$failed"
