#!/usr/bin/env bash
# Checks that programs built with the last release work with the library built now: compares the
# shared library of the tree with that of the last tag v*, as abidiff (Debian: abigail-tools) reads
# both from their debugging information. New functions are fine, and so are new members at the end
# of structures that begin with struct_bytes, where the old structure had no padding. All else is an
# incompatible change, and needs a higher major version, or below 1.0 a higher minor one.
#
#     tools/check-abi.sh               exit status 0: compared, and fine; 1: not fine; 77: there is
#                                      no tag, and nothing was compared
#     tools/check-abi.sh --self-test   pairs of tiny libraries, compatible and not
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for tool in abidiff git cmake cc; do
    if ! command -v "$tool" >/dev/null; then
        echo "check-abi: there is no $tool here (abidiff is of Debian's abigail-tools)" >&2
        exit 1
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Types that are in no public header are nobody's business.
differences() { # OLD_HEADERS OLD_LIBRARY NEW_HEADERS NEW_LIBRARY [FLAG...]
    abidiff --headers-dir1 "$1" --headers-dir2 "$3" --drop-private-types --no-added-syms \
        --leaf-changes-only --fail-no-debug-info "${@:5}" "$2" "$4"
}

# Of a report: the structures that have only grown, by members from where they ended. A block that
# has any other line, of a member that differs or of one in what was padding, is not among them.
grown_structures() {
    awk '
        function finish() {
            if (name != "" && size > 0 && inserted > 0 && !other)
                print name
            name = ""
        }
        /^[^ ]/ || /^$/ { finish() }
        /^\047struct [a-z0-9_]+ at .*\047 changed:$/ {
            name = $2
            size = inserted = other = 0
            next
        }
        name == "" { next }
        /^  type size changed from [0-9]+ to [0-9]+ \(in bits\)$/ { size = $5; next }
        /^  [0-9]+ data member insertions?:$/ { next }
        /^    \047.*\047, at offset [0-9]+ \(in bits\)/ {
            offset = $0
            sub(/.*, at offset /, "", offset)
            if (size == 0 || offset + 0 < size)
                other = 1
            inserted++
            next
        }
        { other = 1 }
        END { finish() }'
}

# 0: compatible; 1: not, and the report says why.
compare() { # OLD_HEADERS OLD_LIBRARY NEW_HEADERS NEW_LIBRARY
    local status=0 name sized
    differences "$@" >"$work/report" 2>&1 || status=$?
    if [ "$status" -ne 0 ] && [ $((status & 3)) -eq 0 ]; then
        sized=$(sed -n 's|.*size_t struct_bytes; *// sizeof(\([a-z0-9_]*\))$|\1|p' "$1"/*.h)
        : >"$work/grown"
        for name in $(grown_structures <"$work/report"); do
            if grep -qx "$name" <<<"$sized"; then
                printf '[suppress_type]\n  name = %s\n' "$name" >>"$work/grown"
            fi
        done
        status=0
        differences "$@" --suppressions "$work/grown" >"$work/report" 2>&1 || status=$?
    fi
    if [ $((status & 3)) -ne 0 ]; then
        echo "check-abi: abidiff failed:" >&2
        cat "$work/report" >&2
        exit 1
    fi
    [ "$status" -eq 0 ]
}

# Whether incompatible changes may come with that step.
is_raised() { # OLD_VERSION NEW_VERSION
    local old new
    IFS=. read -ra old <<<"$1"
    IFS=. read -ra new <<<"$2"
    ((new[0] > old[0] || (new[0] == 0 && old[0] == 0 && new[1] > old[1])))
}

version_of() { # ROOT
    sed -nE 's/^project\(lightcone VERSION ([0-9.]+).*/\1/p' "$1/CMakeLists.txt"
}

# With debugging information, and nothing that does not belong to the library.
build() { # ROOT FOLDER
    if ! { cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-g -O1" \
        -DLC_TESTS=OFF -DLC_VIEWER=OFF -DLC_PNG=OFF -DLC_URING=OFF &&
        cmake --build "$2" --parallel --target lightcone_shared; } >"$2.log" 2>&1; then
        echo "check-abi: $1 cannot be built:" >&2
        tail -30 "$2.log" >&2
        exit 1
    fi
}

# The last tag before what is here: if the tree is the tagged commit itself, the tag before it.
last_tag() {
    local tag
    tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' HEAD 2>/dev/null) || return 0
    if [ "$(git rev-parse "$tag^{commit}")" = "$(git rev-parse HEAD)" ] &&
        [ -z "$(git status --porcelain --untracked-files=no)" ]; then
        tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' HEAD^ 2>/dev/null) || return 0
    fi
    echo "$tag"
}

check_tree() {
    local tag old new
    tag=$(last_tag)
    if [ -z "$tag" ]; then
        echo "check-abi: NOTHING WAS COMPARED: there is no tag v* before this commit"
        exit 77
    fi
    mkdir "$work/old"
    git archive "$tag" | tar -x -C "$work/old"
    old=$(version_of "$work/old")
    new=$(version_of .)
    build "$work/old" "$work/old-build"
    build . "$work/new-build"
    if compare "$work/old/include/lightcone" "$work/old-build/liblightcone.so" \
        include/lightcone "$work/new-build/liblightcone.so"; then
        echo "check-abi: programs built with $tag work with this library"
    elif is_raised "$old" "$new"; then
        cat "$work/report"
        echo "check-abi: incompatible with $tag, as $new may be after $old"
    else
        cat "$work/report" >&2
        echo "check-abi: incompatible with $tag (above). Version $new may not be, after $old:" \
            "take the change back, or raise the version" >&2
        exit 1
    fi
}

# One pair of libraries each: what a change of the header and of the source gives.
self_test() {
    local failed=0 tried=0 base=$work/base
    mkdir "$base"
    cat >"$base/tiny.h" <<'C'
#include <stddef.h>
typedef enum tiny_status { TINY_OK, TINY_BAD } tiny_status;
typedef struct tiny tiny;
typedef struct tiny_rule { unsigned short birth; } tiny_rule;
typedef struct tiny_options {
    size_t struct_bytes; // sizeof(tiny_options)
    const char *name;
    int threads;
} tiny_options;
tiny_status tiny_create(tiny **out, const tiny_options *options, const tiny_rule *rule);
void tiny_destroy(tiny *one);
C
    cat >"$base/tiny.c" <<'C'
#include "tiny.h"
struct tiny { int inside; };
tiny_status tiny_create(tiny **out, const tiny_options *options, const tiny_rule *rule)
{
    *out = NULL;
    return options->threads > rule->birth ? TINY_OK : TINY_BAD;
}
void tiny_destroy(tiny *one) { one->inside = 0; }
C
    cc -g -fPIC -shared -o "$base/tiny.so" "$base/tiny.c"
    try() { # fine|wrong WHAT SED_OF_HEADER [SED_OF_SOURCE]
        local verdict=fine one=$work/changed
        rm -rf "$one"
        cp -r "$base" "$one"
        sed -i "$3" "$one/tiny.h"
        sed -i "${4-}" "$one/tiny.c"
        if [ -n "$3${4-}" ] && diff -r "$base" "$one" >/dev/null; then
            echo "check-abi: '$2' changes nothing" >&2
            failed=1
        fi
        cc -g -fPIC -shared -o "$one/tiny.so" "$one/tiny.c"
        compare "$base" "$base/tiny.so" "$one" "$one/tiny.so" || verdict=wrong
        tried=$((tried + 1))
        if [ "$verdict" != "$1" ]; then
            echo "check-abi: '$2' is found $verdict" >&2
            cat "$work/report" >&2
            failed=1
        fi
    }
    try fine "nothing" ''
    try fine "a new function" '$a void tiny_rest(void);' '$a void tiny_rest(void) {}'
    try fine "what no header shows" '' 's/int inside/long more, inside/'
    try fine "a status at the end" 's/TINY_BAD }/TINY_BAD, TINY_WORSE }/'
    try fine "members at the end" 's/int threads;/&\n    long more;\n    const char *last;/'
    try wrong "a member in padding" 's/int threads;/&\n    int more;/'
    try wrong "padding, and the end" 's/int threads;/&\n    int more;\n    long last;/'
    try wrong "a member in the middle" 's/int threads;/long more;\n    &/'
    try wrong "a member removed" 's/const char \*name;//'
    try wrong "a member of another type" 's/int threads;/float threads;/'
    try wrong "that, and one at the end" 's/int threads;/float threads;\n    long more;/'
    try wrong "a structure without a size" 's/unsigned short birth;/& unsigned short survival;/'
    try wrong "that, and one with a size" \
        's/unsigned short birth;/& unsigned short survival;/; s/int threads;/&\n    long more;/'
    try wrong "a status moved" 's/TINY_OK, TINY_BAD/TINY_OK, TINY_ODD, TINY_BAD/'
    try wrong "a function removed" '/tiny_destroy/d' '/tiny_destroy/d'
    try wrong "another parameter" 's/tiny_destroy(/&int why, /' 's/tiny_destroy(/&int why, /'
    versions() { # yes|no OLD NEW
        local raised=no
        ! is_raised "$2" "$3" || raised=yes
        tried=$((tried + 1))
        if [ "$raised" != "$1" ]; then
            echo "check-abi: from $2 to $3: $raised" >&2
            failed=1
        fi
    }
    versions no 0.1.0 0.1.0
    versions no 0.1.0 0.1.1
    versions no 0.2.0 0.1.9
    versions yes 0.1.0 0.2.0
    versions yes 0.9.3 0.10.0
    versions yes 0.9.0 1.0.0
    versions no 1.1.0 1.2.0
    versions yes 1.9.0 2.0.0
    versions no 1.0.0 0.9.0
    [ "$failed" -eq 0 ] || exit 1
    echo "check-abi: $tried planted changes, all judged rightly"
}

case ${1-} in
--self-test) self_test ;;
'') check_tree ;;
*)
    sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
