#!/bin/bash
# Checks that the shared library shows exactly the functions that its public headers declare with
# LC_API: no more (a name that leaked), no fewer (one that was declared but never written).
#
#     tools/check-exports.sh LIBRARY FOLDER_OF_HEADERS
set -euo pipefail
library=$1
headers=$2

# Names with two underscores are the compiler's own (a sanitizer adds some).
exported=$(nm -D --defined-only "$library" | awk '$NF !~ /^__/ { print $NF }' | sed 's/@.*//' | sort -u)
declared=$(cat "$headers"/*.h | grep -oE '^LC_API .*' | grep -oE 'lc_[a-z0-9_]+\(' | tr -d '(' |
    sort -u)
if [ -z "$declared" ]; then
    echo "check-exports: no LC_API function in $headers" >&2
    exit 1
fi
leaked=$(comm -23 <(echo "$exported") <(echo "$declared"))
missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
for name in $leaked; do
    echo "check-exports: $name can be seen from outside, but no public header declares it" >&2
done
for name in $missing; do
    echo "check-exports: $name is declared, but the library does not have it" >&2
done
[ -z "$leaked$missing" ]
echo "check-exports: $(wc -l <<<"$declared") functions, all declared and all there"
