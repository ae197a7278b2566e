#!/bin/bash
# Runs shellcheck over every script of the tree, or over those that are named.
#
#     tools/check-scripts.sh [FILE...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v shellcheck >/dev/null; then
    echo "check-scripts: there is no shellcheck here; please install it" >&2
    exit 1
fi
scripts=("$@")
if [ $# -eq 0 ]; then
    mapfile -t scripts < <(find .ci cli tests tools \
        -name node_modules -prune -o \
        -type f \( -name '*.sh' -o -name '*.bash' -o -path '.ci/run' \) -print | sort)
fi
# A $ between single quotes is meant, in RLE too (SC2016); functions are called by wait_until and
# the like, which shellcheck does not see (SC2317).
shellcheck -x -P SCRIPTDIR -e SC2016,SC2317 "${scripts[@]}"
echo "check-scripts: ${#scripts[@]} scripts, no complaint"
