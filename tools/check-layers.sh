#!/bin/bash
# Checks who may include whom, for every #include "..." and <lightcone/...> line of the house:
#
#     kernels, base <- rule, logic, grid, device, file, chunks, ranks <- level <- quadtree, object
#                   <- pattern, engine
#                   <- choice <- cover <- universe <- checkpoint, record, edit, identify, census
#                   <- bench, gallery, patterns, viewer, cli
#
# A room sees itself and what stands left of its own group; but patterns know no logic, no device
# and no object, engines no files, and src/engine itself no object. Edit sees base and the public
# headers. The last five see the public headers only; the gallery also sees device, its kernels what
# kernels are written in, the viewer and the command's room the patterns' texts, and the command's
# room sees bench, the gallery and the viewer, which are commands of its.
# No engine sees another one, and public headers name nothing but plain C. The environment is read
# in the command's room alone. CMake makes texts only of the files that may_embed lists.
#
#     tools/check-layers.sh [ROOT]        checks the tree; exit status 1 if a line breaks a rule
#     tools/check-layers.sh --self-test   plants one violation of each kind and expects to see it
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

folders=(include src kernels gallery patterns bench cli viewer)

# Sets `room` to that of a path relative to the root of the tree. An engine's folder is a room.
find_room() {
    local path=$1
    case $path in
    include/*) room=public ;;
    src/engine/*/*)
        path=${path#src/engine/}
        room=engine/${path%%/*}
        ;;
    src/*)
        path=${path#src/}
        room=${path%%/*}
        ;;
    *) room=${path%%/*} ;;
    esac
}

# Whether FILE, of room FROM, may include a header of room TO.
may_include() {
    local file=$1 from=$2 to=$3
    if [ "$to" = public ] || [ "$from" = "$to" ]; then
        return 0
    fi
    local floor="base kernels" allowed
    local engine="$floor rule logic grid device level quadtree" pattern="$floor rule grid file level quadtree"
    case $from in
    rule | logic | grid | device | file | chunks | ranks) allowed=$floor ;;
    level) allowed="$floor logic" ;;
    quadtree) allowed="$floor level" ;;
    object) allowed=$floor ;;
    pattern) allowed=$pattern ;;
    engine) allowed=$engine ;;
    engine/*) allowed="$engine object engine" ;; # what all engines share
    choice) allowed="$engine engine" ;;
    cover) allowed="$engine engine choice chunks ranks" ;;
    universe) allowed="$engine object pattern engine choice cover" ;;
    checkpoint) allowed="$floor rule grid file pattern cover ranks universe" ;;
    record) allowed="$floor grid file pattern quadtree universe" ;;
    edit) allowed="$floor grid" ;;
    identify) allowed="$floor object universe" ;;
    census) allowed="$floor level rule logic grid device file pattern object ranks cover universe checkpoint" ;;
    gallery) allowed="device kernels" ;;
    cli) allowed="bench gallery patterns viewer" ;;
    viewer) allowed="patterns" ;;
    *) allowed= ;;
    esac
    case $from in # those who choose among the engines
    engine | choice | cover | universe) [[ $to = engine/* ]] && return 0 ;;
    esac
    [[ " $allowed " = *" $to "* ]]
}

# Sets `target` to the path, relative to ROOT, of header NAME as a file in folder DIR sees it; ""
# if there is none.
find_target() {
    local root=$1 dir=$2 name=$3
    for target in "$dir/$name" "include/$name" "src/$name" "bench/$name" "gallery/$name" "patterns/$name" "viewer/$name" "kernels/$name" "$name"; do
        if [ -f "$root/$target" ]; then
            if [[ $target = *..* ]]; then
                target=$(realpath -ms --relative-to="$root" "$root/$target")
            fi
            return
        fi
    done
    target=
}

# Whether KEY may make a text of PATH, a file or a pattern of files: the symbol of the text, or the
# script in cmake/ that reads it.
may_embed() {
    case $1:$2 in
    lc_kernel_texts:kernels/* | lc_gallery_texts:gallery/* | lc_built_in_texts:patterns/*) ;;
    lc_page_texts:viewer/page/* | embed_themes:viewer/page/themes.js) ;;
    embed_themes:src/record/themes.c) ;; # for the page
    CMakeLists:include/lightcone/status.h) ;; # the version
    *) return 1 ;;
    esac
}

# Lines "FILE:NUMBER:KEY PATH", for each file that CMake reads or makes a text of. Commands may have
# several lines. set, list(APPEND) and file(GLOB) give ${NAME} its value.
list_embedded() {
    (cd "$1" && awk '
        FNR == 1 { command = ""; key = FILENAME; gsub(/.*\/|\.(cmake|txt)$/, "", key) }
        command == "" { begin = FNR }
        { sub(/^ *#.*|  *# .*/, ""); command = command " " $0 }
        gsub(/\(/, "(", command) > gsub(/\)/, ")", command) { next }
        {
            gsub(/[()]/, " ", command)
            gsub(/\$\{PROJECT_SOURCE_DIR\}\//, "", command)
            for (i = split(command, word, " "); i > 0; i--)
                for (more = 9; more > 0 && match(word[i], /\$\{[a-z_]+\}/) &&
                               (name = substr(word[i], RSTART + 2, RLENGTH - 3)) in value; more--)
                    word[i] = substr(word[i], 1, RSTART - 1) value[name] substr(word[i], RSTART + RLENGTH)
            count = split(command, first, " ")
            all = ""
            for (i = 3; i <= count; i++)
                all = all " " word[i]
            if (word[1] == "set")
                value[word[2]] = all
            else if (word[1] == "file" && word[2] == "GLOB" || word[1] == "list" && word[2] == "APPEND") {
                name = word[3]
                sub(/^ [^ ]+/, "", all)
                value[name] = (word[1] == "list" ? value[name] : "") all
            } else if (word[1] ~ /^lc_embed/ || word[1] == "add_custom_command" ||
                       word[1] == "file" && word[2] ~ /^(READ|STRINGS)$/) {
                count = split(all, path, " ")
                for (i = 1; i <= count; i++)
                    if (path[i] ~ /^(include|src|kernels|gallery|patterns|bench|cli|viewer)\//)
                        print FILENAME ":" begin ":" (word[1] == "lc_embed_texts" ? word[3] : key) " " path[i]
            }
            command = ""
        }' CMakeLists.txt cmake/*.cmake)
}

check_tree() {
    local root=$1 faults=0 lines=0 file number line name room target from
    local present=()
    for folder in "${folders[@]}"; do
        if [ -d "$root/$folder" ]; then
            present+=("$folder")
        fi
    done
    fault() {
        echo "$file:$number: $1" >&2
        faults=$((faults + 1))
    }
    while IFS=: read -r file number line; do
        lines=$((lines + 1))
        [[ $line =~ [\<\"]([^\>\"]*) ]]
        name=${BASH_REMATCH[1]}
        find_room "$file"
        from=$room
        if [ "$from" = public ]; then
            case $name in
            stdbool.h | stddef.h | stdint.h | lightcone/*) ;;
            *) fault "a public header includes $name" ;;
            esac
        fi
        if [[ $line = *\"* || $name = lightcone/* ]]; then
            find_target "$root" "${file%/*}" "$name"
            if [ -z "$target" ]; then
                [ "$room/$name" = kernels/rule.h ] || # made for each rule when it is compiled
                    fault "there is no $name"
                continue
            fi
            find_room "$target"
            if ! may_include "$file" "$from" "$room"; then
                fault "$from must not include $room ($name)"
            fi
        fi
    done < <(cd "$root" && grep -rnE --include='*.[chS]' --include='*.cu' --include='*.cuh' \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "${present[@]}")
    while IFS=: read -r file number line; do
        fault "a type of SIMD or CUDA in a public header"
    done < <(cd "$root" && grep -nE '\b(__m(128|256|512)[id]?|u?int(8|16|32|64)x[0-9]+_t|CU[a-z]+|cuda[A-Z][A-Za-z]*)\b' \
        include/lightcone/*.h)
    while IFS=: read -r file number line; do
        [[ $file = cli/* ]] || fault "only cli reads the environment"
    done < <(cd "$root" && grep -rnE --include='*.[chS]' --include='*.cu' --include='*.cuh' \
        '\b(secure_)?getenv\b' "${present[@]}")
    while IFS=: read -r file number line; do
        may_embed "${line% *}" "${line#* }" || fault "${line% *} must not read ${line#* }"
    done < <(list_embedded "$root")
    if [ "$faults" -gt 0 ]; then
        echo "check-layers: $faults faults, in $lines includes and the rest" >&2
        return 1
    fi
    if [ "$lines" -lt 20 ]; then
        echo "check-layers: only $lines includes found; this is not the tree" >&2
        return 1
    fi
    echo "check-layers: $lines includes, all within the rules"
}

self_test() {
    local scratch folder
    scratch=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -r '$scratch'" EXIT
    mkdir "$scratch/tree"
    cp -r "$here/CMakeLists.txt" "$here/cmake" "$scratch/tree/"
    for folder in "${folders[@]}"; do
        if [ -d "$here/$folder" ]; then
            cp -r "$here/$folder" "$scratch/tree/"
        fi
    done
    # Headers to be included wrongly, for rooms that may not have been built yet.
    local room
    for room in base rule logic grid device file level quadtree object pattern engine engine/simd engine/scalar choice cover universe checkpoint record edit identify census; do
        mkdir -p "$scratch/tree/src/$room"
        touch "$scratch/tree/src/$room/planted.h"
    done
    for room in bench cli viewer gallery patterns; do
        mkdir -p "$scratch/tree/$room"
        touch "$scratch/tree/$room/planted.h"
    done
    if ! check_tree "$scratch/tree" >/dev/null; then
        echo "check-layers: the tree breaks the rules before anything is planted" >&2
        return 1
    fi

    # All are planted before the tree is looked at, which takes half a second each time. So each is
    # a file of its own; "wrong.c" is "wrong-7.c" there.
    local missed=0 tried=0 output status file files=() lines=() findings=()
    plant() { # FILE LINE FINDING: this line in this file must give this finding
        tried=$((tried + 1))
        file=${1%.*}-$tried.${1##*.}
        mkdir -p "$scratch/tree/${file%/*}"
        echo "$2" >"$scratch/tree/$file"
        files+=("$file")
        lines+=("$2")
        findings+=("$3")
    }
    look() { # sets `output` and `status`
        status=0
        output=$(check_tree "$scratch/tree" 2>&1) || status=$?
    }
    plant src/base/wrong.c '#include "grid/planted.h"' "base must not include grid"
    look
    if [ "$status" = 0 ]; then
        echo "check-layers: the exit status is 0 if one line breaks a rule" >&2
        missed=$((missed + 1))
    fi
    plant src/rule/wrong.c '#include "grid/planted.h"' "rule must not include grid"
    plant src/grid/wrong.c '  #  include "../engine/planted.h"' "grid must not include engine"
    plant src/logic/wrong.c '#include "rule/planted.h"' "logic must not include rule"
    plant src/file/wrong.c '#include "pattern/planted.h"' "file must not include pattern"
    plant src/chunks/wrong.c '#include "grid/planted.h"' "chunks must not include grid"
    plant src/pattern/wrong.c '#include "device/planted.h"' "pattern must not include device"
    plant src/engine/wrong.c '#include "file/planted.h"' "engine must not include file"
    plant src/device/wrong.c '#include "rule/planted.h"' "device must not include rule"
    plant src/pattern/wrong.c '#include "engine/planted.h"' "pattern must not include engine"
    plant src/engine/wrong.c '#include "pattern/planted.h"' "engine must not include pattern"
    plant src/engine/simd/wrong.h '#include "pattern/planted.h"' "must not include pattern"
    plant src/engine/simd/wrong.c '#include "engine/scalar/planted.h"' "include engine/scalar"
    plant src/engine/simd/wrong.c '#include "../scalar/planted.h"' "include engine/scalar"
    plant src/engine/simd/wrong.c '#include "universe/planted.h"' "must not include universe"
    plant src/cover/wrong.c '#include "universe/planted.h"' "cover must not include universe"
    plant src/cover/wrong.c '#include "pattern/planted.h"' "cover must not include pattern"
    plant src/engine/wrong.c '#include "cover/planted.h"' "engine must not include cover"
    plant src/engine/wrong.c '#include "choice/planted.h"' "engine must not include choice"
    plant src/choice/wrong.c '#include "cover/planted.h"' "choice must not include cover"
    plant src/universe/wrong.c '#include "../../cli/planted.h"' "universe must not include cli"
    plant src/object/wrong.c '#include "grid/planted.h"' "object must not include grid"
    plant src/engine/wrong.c '#include "object/planted.h"' "engine must not include object"
    plant src/universe/wrong.c '#include "identify/planted.h"' "universe must not include identify"
    plant src/universe/wrong.c '#include "checkpoint/planted.h"' "universe must not include checkpoint"
    plant src/universe/wrong.c '#include "record/planted.h"' "universe must not include record"
    plant src/record/wrong.c '#include "checkpoint/planted.h"' "record must not include checkpoint"
    plant src/identify/wrong.c '#include "cover/planted.h"' "identify must not include cover"
    plant src/census/wrong.c '#include "identify/planted.h"' "census must not include identify"
    plant src/edit/wrong.c '#include "universe/planted.h"' "edit must not include universe"
    plant cli/wrong.c '#include "base/planted.h"' "cli must not include base"
    plant cli/wrong.c '#include "../src/universe/planted.h"' "cli must not include universe"
    plant viewer/wrong.c '#include "../cli/planted.h"' "viewer must not include cli"
    plant bench/wrong.c '#include "engine/simd/planted.h"' "bench must not include engine/simd"
    plant bench/wrong.c '#include "../cli/planted.h"' "bench must not include cli"
    plant viewer/wrong.c '#include "grid/planted.h"' "viewer must not include grid"
    plant patterns/wrong.h '#include "../cli/planted.h"' "patterns must not include cli"
    plant bench/wrong.c '#include "patterns/planted.h"' "bench must not include patterns"
    plant gallery/wrong.c '#include "base/planted.h"' "gallery must not include base"
    plant src/grid/wrong.c '#include "missing_header.h"' "there is no"
    plant include/lightcone/wrong.h '#include <immintrin.h>' "includes immintrin.h"
    plant include/lightcone/wrong.h '#include "base/planted.h"' "public must not include base"
    plant include/lightcone/wrong.h 'void lc_step(__m512i cells);' "a type of"
    plant include/lightcone/wrong.h 'void lc_device_use(CUdeviceptr cells);' "a type of"
    plant src/base/wrong.c 'const char *home = getenv("HOME");' "only cli reads the environment"
    plant cmake/wrong.cmake 'lc_embed_texts(${x} lc_kernel_texts viewer/page/themes.js)' "lc_kernel_texts must not read viewer/page/themes.js"
    plant cmake/wrong.cmake 'file(READ ${PROJECT_SOURCE_DIR}/viewer/page/themes.js text)' "must not read viewer/page/themes.js"
    plant cmake/wrong.cmake 'add_custom_command(OUTPUT x DEPENDS cli/help.c)' "must not read cli/help.c"
    plant gallery/wrong.c 'char *home = secure_getenv("HOME");' "only cli reads the environment"
    look
    local i found said=0
    declare -A of=()
    while IFS= read -r found; do
        if [[ $found = *:1:\ * ]]; then
            of[${found%%:*}]+="${found#*:1: } "
            said=$((said + 1))
        fi
    done <<<"$output"
    for i in "${!files[@]}"; do
        if [[ ${of[${files[i]}]-} != *"${findings[i]}"* ]]; then
            echo "check-layers: not seen: ${lines[i]} in ${files[i]}" >&2
            missed=$((missed + 1))
        fi
    done
    if [ "$status" = 0 ] || [[ $output != *"check-layers: $said faults, "* ]]; then
        echo "check-layers: $said faults were found; its exit status is $status, its last line" \
            "${output##*$'\n'}" >&2
        missed=$((missed + 1))
    fi
    if [ "$missed" -gt 0 ]; then
        return 1
    fi
    echo "check-layers: all $tried planted violations were seen"
}

case ${1-} in
--self-test) self_test ;;
*) check_tree "${1:-$here}" ;;
esac
