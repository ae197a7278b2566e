#!/usr/bin/env bash
# What README.md and docs/guide.md show is true: every command in them is run in a folder of its
# own, and its output is compared with the output that they show. The C program is compiled in both
# ways, and run. The pattern files of docs/formats.md and the rules of docs/rules.md are read. All
# links between the documents lead to a file and a heading that exist.
# Usage: test_readme.sh PATH-TO-LIGHTCONE [EMULATED-GPU [README]]. One line for each failure; exit
# status 1 if there was any; 77 if the command was built without libpng.
#
# A block (indented by four blanks) is a session if a line begins with "$ ": each such line is a
# command, and what follows is its output, where "..." stands for any lines. A block without "$ "
# holds commands alone. All run in one folder and in one shell, first the README's, then the
# guide's, so that a later one finds what an earlier one made, and each must end with 0. A viewer is
# stopped when it has said how.
# shellcheck disable=SC2016 # the $ and ` of the documents are no expansion
set -u

if [ "${LC_TEST_PNG-yes}" = no ]; then
    echo "skipped: this lightcone was built without libpng, and the documents draw PNG pictures"
    exit 77
fi
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
root=$(dirname "$here")
# shellcheck source-path=SCRIPTDIR
source "$here/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$here/support_install.sh"
# shellcheck source-path=SCRIPTDIR
source "$here/support_ranks.sh"
lightcone=$(realpath "${1:?the path of the lightcone binary}")
build=$(dirname "$lightcone")
emulated=${2:+$(realpath "$2")}
readme=$(realpath "${3:-$root/README.md}")
guide=$root/docs/guide.md

# ---- commands that are not run as written --------------------------------------------------------
# Each command here must stand in one of the two documents, or the entry is a mistake.

# Not run at all, and why not.
declare -A not_run=(
    ["git clone ADDRESS lightcone && cd lightcone"]="it needs the network and a published address"
    ["make run"]="it is this build, and then boards that keep a slow machine busy for minutes"
    ["make test"]="it runs this test"
    ["cmake -S . -B build"]="what \`make\` calls, and this build came from"
    ["cmake --build build"]="what \`make\` calls, and this build came from"
    ["ctest --test-dir build"]="it runs this test"
    ["lightcone run acorn -g 500 --watch"]="it needs a terminal: tests/test_cli_show.sh has one"
)

# Run otherwise: smaller, because a test has neither the memory nor the time; on the emulated GPU,
# where it needs one (it is slow: a board of 64 x 64); into the folder of this test.
declare -A run_as=(
    ["lightcone run --soup 0.5 --seed 42 --size 65536x65536 -g 1000"]="
      lightcone run --soup 0.5 --seed 42 --size 2048x2048 -g 1000"
    ["lightcone run --soup 0.5 --size 30000x30000 -g 1M --checkpoint soup.lcs \
--checkpoint-every 5m"]="
      lightcone run --soup 0.5 --size 300x300 -g 100k --checkpoint soup.lcs --checkpoint-every 5m"
    ["lightcone run --soup 0.5 --size 524288 --disk huge.lcd --max-memory 4G -g 4096"]="
      lightcone run --soup 0.5 --size 4096 --disk huge.lcd --max-memory 4G -g 400"
    ["lightcone run huge.lcd --max-memory 4G -g 4096"]="
      lightcone run huge.lcd --max-memory 4M -g 100"
    ["lightcone bench --quick"]="
      lightcone bench --quick -s 256 -t 1 -g 16 --runs 1 --warmup 0"
    ["lightcone bench --size 65536x65536 --threads 1,2 --json bench.json"]="
      lightcone bench --size 256 --threads 1,2 --json bench.json -g 16 --runs 1 --warmup 0"
    ["lightcone run --soup 0.5 --size 65536 -g 10k --engine cuda"]="
      emulated lightcone run --soup 0.5 --size 64 -g 10 --engine cuda"
    ["lightcone run --soup 0.5 --size 262144 -g 10k --devices all"]="
      emulated lightcone run --soup 0.5 --size 64 -g 10 --devices all"
    ["lightcone tune -s 65536x65536"]="
      emulated lightcone tune -s 64x64"
    ["mpirun -n 4 lightcone run --soup 0.5 --size 65536x65536 -g 10000 --checkpoint big.lcs"]="
      ranks lightcone run --soup 0.5 --size 512x512 -g 100 --checkpoint big.lcs"
    ["lightcone gallery run shared-tile:block=32 --soup 0.5 --size 4096 -g 100"]="
      emulated lightcone gallery run shared-tile:block=32 --soup 0.5 --size 64 -g 10"
    ["lightcone gallery bench bytes-cpu table-cpu convolution simd --size 4096 -t 1 \
--against bytes-cpu"]="
      lightcone gallery bench bytes-cpu table-cpu convolution simd --size 256 -t 1 \
          --against bytes-cpu -g 1 --warmup 0"
    ["lightcone gallery bench shared-tile --sweep --size 16384 --charts sweep"]="
      emulated lightcone gallery bench shared-tile --sweep --size 32 --charts sweep \
          -g 1 --warmup 0 --runs 1 --quick"
    ["lightcone gallery bench multistep:steps=16 --against multistep --size 65536"]="
      emulated lightcone gallery bench multistep:steps=16 --against multistep --size 64 \
          -g 16 --warmup 0 --runs 1 --quick"
    ["lightcone view --soup 0.5 --size 65536x65536 --start"]="
      lightcone view --soup 0.5 --size 1024x1024 --start"
    ["make install PREFIX=\$HOME/.local"]="
      make --no-print-directory -C \"\$root\" install BUILD=\"\$own\" PREFIX=\$HOME/.local"
)

# varying: what differs from machine to machine and from run to run becomes a word in <>, in what is
# shown and in what came, where it has the right form. All else must be equal.
varying() {
    local time='[0-9.]+ (ns|us|ms|s|min|h)' amount='[0-9.]+ ?[kMGTP]?'
    sed -E "
        s#^(time +)$time\$#\1<time>#
        s#^(speed +)$amount gen/s, $amount cells/s\$#\1<generations and cells a second>#
        s#^(speed +)$amount gen/s\$#\1<generations a second>#
        s#^(engine +simd), (portable|neon|avx2|avx512), [0-9]+ threads?\$#\1, <level>, <threads>#
        /^settings +[0-9]+ nodes and [0-9]+ leaves /d # where hashlife was chosen
        s#^(engine +)(sparse|hashlife), (portable|neon|avx2|avx512), [0-9]+ threads?\$#\1<of planes>#
        s#^(chosen +).*#\1<why>#
        s#^(open +http://127.0.0.1):[0-9]+/\$#\1:<port>/#
        s#^(from afar +ssh -L) [0-9]+:localhost:[0-9]+ [^ ,]+,#\1 <port>:localhost:<port> <host>,#
        s#^(simd)/(portable|neon|avx2|avx512) #\1/<level> #
        /^[a-z-]+(\/<level>)? .* [0-9]+x[0-9]+ /{
            s# [0-9]+x[0-9]+ # <board> #
            s#[0-9]+(\.[0-9]+)?%#<share>#g
            s# [0-9.]+\.\.[0-9.]+ # <interval> #
            s# [0-9]+(\.[0-9]+)? # <number> #g
            s# [0-9]+(\.[0-9]+)? # <number> #g
            s# +# #g
        }
        s#/lib(64)?/pkgconfig#/lib/pkgconfig#
        s#$HOME/#/home/you/#"
}

# ---- running -------------------------------------------------------------------------------------
# The documents' lines have no quotes round paths, so the folder's name may have no blanks either.
work=$(mktemp -d)
[[ $work != *[[:space:]]* ]] || { rmdir "$work"; work=$(mktemp -d /tmp/lightcone.XXXXXX); }
work=$(realpath "$work")
trap '[ "$BASHPID" != $$ ] || rm -rf "$work"' EXIT
own=$work/build # what is installed from; the README's build is the real one
mkdir "$work/home" "$work/bin" "$work/readme"
cd "$work/readme" || exit 1
export HOME=$work/home TMPDIR=$work LIGHTCONE_CUDA=none # a real GPU would be another engine
unset DISPLAY WAYLAND_DISPLAY XDG_DATA_HOME LIGHTCONE_CACHE
# It is run where the source is: these are of its folder.
ln -s "$root/include" "$root/patterns" .
ln -s "$build" build
ln -s "$lightcone" "$work/bin/lightcone"
ln -s "$(cached CMAKE_C_COMPILER)" "$work/bin/cc"
export PATH="$work/bin:$PATH"

# shellcheck disable=SC2317 # this and the next are called by what run_as has
emulated() {
    if [ -z "$emulated" ]; then
        echo "there is no emulated GPU in this build" >&2
        return 1
    fi
    # What a GPU does at most is measured by keeping all of it busy: so it is a small one.
    FAKE_MULTIPROCESSORS=1 LIGHTCONE_CUDA=$emulated LIGHTCONE_NVRTC=$emulated \
        LIGHTCONE_CACHE=$work/kernels "$@"
}

# ranks COMMAND...: by two processes, where this build has MPI; by one where it has not.
# shellcheck disable=SC2317
ranks() {
    if [ -e "$build/lightcone-mpi.so" ]; then
        new_session
        mpirun -n 2 "$@"
    else
        "$@"
    fi
}

# until_stopped COMMAND...: runs until it has said how to stop it, and is stopped so.
# shellcheck disable=SC2317
until_stopped() {
    local status
    rm -f shown # or the last one's is taken for this one's
    "$@" >shown 2>&1 &
    until grep -qs '^stop ' shown || ! kill -0 $! 2>/dev/null; do
        sleep 0.05
    done
    kill -INT $!
    wait $!
    status=$?
    cat shown
    return "$status"
}

# differs SHOWN CAME: says the first line of one file that the other does not have where it should
# be. "..." in the first is any lines, and blank lines at its end are none.
differs() {
    awk -v shown="$1" '
        # Are the lines from want[from] to the next "..." those at got[at] and on?
        function fits(from, at,   i) {
            for (i = from; i <= wants && want[i] != "..."; i++)
                if (at + i - from > gots || want[i] != got[at + i - from]) {
                    if (i > missing) missing = i
                    return 0
                }
            next_want = i
            return 1
        }
        BEGIN { while ((getline line <shown) > 0) want[++wants] = line }
        { got[++gots] = $0 }
        END {
            while (wants > 0 && want[wants] == "") wants--
            at = from = 1
            while (from <= wants) {
                any = want[from] == "..."
                from += any
                while (!fits(from, at)) {
                    if (!any || at > gots) { print "not there: " want[missing]; exit }
                    at++
                }
                if (any && next_want > wants && next_want > from) {
                    at = gots - (next_want - from) + 1 # the last lines are to be the last
                    if (!fits(from, at)) { print "not at the end: " want[missing]; exit }
                }
                at += next_want - from
                if (next_want == from) at = gots + 1 # nothing behind "..."
                from = next_want
            }
            if (at <= gots) print "not in the document: " got[at]
        }' "$2"
}

# try COMMAND COMPARE: runs what a document has as COMMAND; ./shown_lines is what it shows, which is
# compared if COMPARE is "session".
declare -A tried=()
tests_run=0
try() {
    local command=$1 run status difference
    tried["$command"]=1
    run=${run_as[$command]-$command}
    # A viewer serves until somebody stops it.
    [[ $run != *"lightcone view "* ]] || run="until_stopped ${run##*$'\n'} --port 0 --no-open"
    if [ -n "${not_run[$command]-}" ]; then
        echo "not run: $command: ${not_run[$command]}"
        return
    fi
    if [[ $command == "lightcone view "* ]] && ! lightcone help | grep -q '^  view '; then
        echo "not run: $command: this lightcone was built without the viewer"
        return
    fi
    tests_run=$((tests_run + 1))
    checks=$((checks + 1))
    eval "$run" >came 2>&1 </dev/null
    status=$?
    if [ $status -ne 0 ]; then
        fail "$command" "exit code $status" "$(tail -n 5 came)"
    elif [ "$2" = session ]; then
        varying <shown_lines >shown_same
        varying <came >came_same
        difference=$(differs shown_same came_same)
        [ -z "$difference" ] || fail "$command: the document shows something else" "$difference" \
            "what came ends with" "$(tail -n 12 came)"
    fi
    if [[ $command == "make install "* ]]; then
        # Somebody who reads what it says types it.
        set +u
        eval "$(sed -n 's/^    \(export .*\)/\1/p' came)"
        set -u
    fi
}

# blocks FILE: its indented blocks, each line without the four blanks, and a line "--" behind each.
blocks() {
    awk '/^```/ { fenced = !fenced }
         fenced { next }
         /^    / { while (blank-- > 0) print ""; blank = 0; print substr($0, 5); inside = 1; next }
         /^$/ { blank += inside; next }
         inside { print "--"; inside = blank = 0 }
         END { if (inside) print "--" }' "$1"
}

# What is done with a block, whose lines are in the array `block`.
session() {
    local line command=
    for line in "${block[@]}" "\$ "; do
        if [[ $line == "\$ "* ]]; then
            [ -z "$command" ] || try "$command" session
            : >shown_lines
            command=${line#"\$ "}
        else
            printf '%s\n' "$line" >>shown_lines
        fi
    done
}

commands() {
    local line
    for line in "${block[@]}"; do
        [[ $line =~ ^(.*[^[:space:]])[[:space:]]+#.*$ ]] && line=${BASH_REMATCH[1]} # a comment
        [ -z "$line" ] || try "$line" alone
    done
}

copy_build "$own"
sessions=0
programs=0
block=()
while IFS= read -r line; do
    if [ "$line" != -- ]; then
        block+=("$line")
        continue
    fi
    if printf '%s\n' "${block[@]}" | grep -q '^\$ '; then
        sessions=$((sessions + 1))
        session
    elif [[ ${block[0]} == "#include "* ]]; then
        programs=$((programs + 1))
        printf '%s\n' "${block[@]}" >soup.c
    else
        commands
    fi
    block=()
done < <(blocks "$readme"; blocks "$guide")
# Documents that are written in another way must not be found true because nothing is found in them.
checks=$((checks + 1))
if [ $sessions -lt 12 ] || [ $programs -ne 1 ] || [ $tests_run -lt 40 ]; then
    fail "README and guide" "only $sessions sessions, $programs programs, $tests_run commands found"
fi
for command in "${!not_run[@]}" "${!run_as[@]}"; do
    is "this test knows a command: is it in a document? $command" "${tried[$command]-}" 1
done

# ---- what else it speaks of ----------------------------------------------------------------------
lightcone help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >words
[ -n "$(sed -n '/^view$/p' words)" ] || echo view >>words
while read -r word; do
    is "'lightcone $word' in README or guide is a command" "$(grep -cxF -- "$word" words)" 1
done < <(grep -oh '`lightcone [a-z]*' "$readme" "$guide" | sed 's/.* //' | sort -u)

# ---- links between documents ---------------------------------------------------------------------
# headings FILE: the names that GitHub gives its headings, for the part of a link behind #.
headings() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

for document in "$readme" "$root"/docs/*.md "$root"/{CHANGELOG,CONTRIBUTING,SECURITY}.md; do
    while IFS='#' read -r path heading; do
        target=${path:+$(dirname "$document")/$path}
        target=${target:-$document}
        is "$document links to $path" "$(test -e "$target" && echo there)" there
        [ -z "$heading" ] || is "$document links to $path#$heading" \
            "$(headings "$target" | grep -cxF -- "$heading")" 1
    done < <(grep -oE '\]\([^):]+\)' "$document" | sed 's/^](//; s/)$//' | sort -u)
done

# ---- docs/formats.md and docs/rules.md -----------------------------------------------------------
# The files shown are files of their formats. Soups are no files: that part has formulas.
formats=()
block=()
while IFS= read -r line; do
    if [ "$line" != -- ]; then
        block+=("$line")
        continue
    fi
    checks=$((checks + 1))
    printf '%s\n' "${block[@]}" | lightcone info - >came 2>&1 ||
        fail "docs/formats.md: ${block[*]}" "$(cat came)"
    formats+=("$(sed -n 's/^format  *//p' came)")
    block=()
done < <(blocks <(sed '/^## Soups/,/^## /d' "$root/docs/formats.md"))
is "docs/formats.md: what it shows" "${formats[*]}" "RLE RLE macrocell timeline plaintext Life 1.05 Life 1.06 MCell apgcode"

# The names in its table mean the rules beside them.
names=0
while IFS='|' read -r name rule; do
    names=$((names + 1))
    lightcone run --soup 0 --size 3 -g 0 --rule "$name" >came 2>&1
    is "docs/rules.md: $name" "$(sed -n 's/^rule  *\([^,]*\),.*/\1/p' came)" "$rule"
done < <(grep -oE '\| [A-Z0-9][^|`]* \| `B[0-9]*/S[0-9]*`' "$root/docs/rules.md" |
    sed -E 's/^\| (.*) \| `(.*)`$/\1|\2/')
is "docs/rules.md: are there names?" "$((names > 80))" 1

finish
