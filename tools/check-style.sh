#!/usr/bin/env bash
# What clang-format cannot hold of one dialect: how statuses, sizes and increments are written, and
# lines of at most 100 columns, comments and documents included. (Texts in scripts, and tables and
# examples in documents, may be longer where they cannot be wrapped.) Also names: no two files have
# the same name, and no lc_ type is defined in two files.
#
#     tools/check-style.sh                says each place; exit status 1 if there is one
#     tools/check-style.sh --self-test    plants one of each kind, and sees that it is found
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

c='\.(c|h|cu|cuh)$'
source='\.(c|h|cu|cuh|js|mjs|css)$'
script='\.(sh|py|cmake)$|CMakeLists\.txt$|Makefile$|\.ci/run$'
prose='\.md$'
named='\.(c|h|cu|cuh|js|mjs|css|sh|py|cmake)$'

# Names that stand twice, until one of the two gets another name. A name that no longer does so is a
# fault, so the lists can only shrink.
doubled_files=""
doubled_types="lc_field lc_level"

# rule WHAT FILES PATTERN: no line of the files has the pattern.
rule() {
    local file
    while IFS= read -r file; do
        { grep -nP -- "$3" "$file" || true; } | sed "s|^|$file:|; s|^\([^:]*:[0-9]*\):.*|\1: $1|"
    done < <(files "$2")
}

files() {
    if [ -n "${planted-}" ]; then
        find "$planted" -type f | grep -E "$1"
    else
        git ls-files | grep -E "$1"
    fi || true
}

# defined: lines "TYPE FILE", for each lc_ type that a file defines.
defined() {
    files "$c" | xargs -r awk '
        /^typedef struct lc_[a-z0-9_]+ lc_[a-z0-9_]+;/ && $3 ";" == $4 { next } # only declared
        /^struct lc_[a-z0-9_]+ \{/ { print $2, FILENAME }
        /^(typedef [^(]*|\} ?)lc_[a-z0-9_]+;/ {
            sub(/;.*/, "")
            print $NF, FILENAME
        }' | sort -u
}

# twice WHAT KNOWN: of lines "NAME FILE", each name with several files that is not known; and each
# known one that has only one.
twice() {
    awk -v what="$1" -v known="$2" -v planted="${planted-}" '
        { count[$1]++; where[$1] = where[$1] " " $2 }
        END {
            for (i = split(known, list); i > 0; i--)
                is_known[list[i]] = 1
            for (name in count)
                if (count[name] > 1 && !(name in is_known))
                    print what " " name " stands in" where[name]
            for (name in is_known)
                if (count[name] < 2 && planted == "")
                    print "tools/check-style.sh: " name " stands once now: take it off the list"
        }' | sort
}

check() {
    files "$named" | sed 's|.*/\(.*\)|\1 &|' | twice "a file" "$doubled_files"
    defined | twice "a type" "$doubled_types"
    rule "a status is compared with LC_OK" "$c" '(?<![\w.>])(?<!== )(?<!!= )(!status\b|(if|while) \(status\)|status \?|status &&|&& status\b(?! *[!=<>]))'
    rule "sizeof has parentheses round types only" "$c" '\bsizeof\((\*|\w+(->|\.|\[))'
    rule "an increment stands behind what it counts" "$c" '^\s*(\+\+|--)[\w(*]|; ?(\+\+|--)\w+\)'
    rule "more than 100 columns" "$source" '^.{101,}$'
    rule "more than 100 columns" "$script" '^\s*#.{100,}$'
    rule "more than 100 columns" "$prose" '^(?!\||    ).{101,}$'
}

if [ "${1-}" = --self-test ]; then
    planted=$(mktemp -d)
    trap 'rm -r "$planted"' EXIT
    long=$(printf '%0101d' 0)
    number=0
    for line in '    if (status)' '    if (!status)' '    return status ? status : 0;' \
        '    bytes = sizeof(*word);' '    bytes = sizeof(a->b);' '    ++i;' \
        '    for (int i = 0; i < 9; ++i)' "// $long"; do
        number=$((number + 1))
        printf '%s\n' "$line" >"$planted/planted.c"
        if [ "$(check | wc -l)" -ne 1 ]; then
            echo "check-style: '$line' is not found, or not once" >&2
            exit 1
        fi
    done
    mkdir "$planted/other"
    echo 'typedef struct lc_twice {' >"$planted/planted.c"
    echo '} lc_twice;' >>"$planted/planted.c"
    for text in '} lc_twice;' 'typedef int lc_twice;' 'struct lc_twice {'; do
        number=$((number + 1))
        printf '%s\n' "$text" >"$planted/other/other.h"
        if [ "$(check)" != "a type lc_twice stands in $planted/other/other.h $planted/planted.c" ]; then
            echo "check-style: the type of '$text' is not found: $(check)" >&2
            exit 1
        fi
    done
    number=$((number + 1))
    echo 'typedef struct lc_twice lc_twice;' >"$planted/other/planted.c"
    rm "$planted/other/other.h"
    if [ "$(check)" != "a file planted.c stands in $planted/other/planted.c $planted/planted.c" ]; then
        echo "check-style: the second planted.c is not found: $(check)" >&2
        exit 1
    fi
    rm -r "$planted/other"
    printf '%s\n' '    if (status != LC_OK)' '    i++; x = sizeof *p + sizeof(lc_box);' >"$planted/planted.c"
    if [ -n "$(check)" ]; then
        echo "check-style: it finds what is right: $(check)" >&2
        exit 1
    fi
    echo "check-style: $number planted faults, all found"
    exit 0
fi

found=$(check)
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi
echo "check-style: nothing to say"
