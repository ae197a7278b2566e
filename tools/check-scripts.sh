#!/bin/bash
# Runs shellcheck over every script of the tree.
#
#     tools/check-scripts.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v shellcheck >/dev/null; then
    echo "check-scripts: there is no shellcheck here; please install it" >&2
    exit 1
fi
mapfile -t scripts < <(find .ci cli tests tools \
    -name node_modules -prune -o \
    -type f \( -name '*.sh' -o -name '*.bash' -o -path '.ci/run' \) -print | sort)
# A $ between single quotes is meant, in RLE too (SC2016); functions are called by wait_until and
# the like, which shellcheck does not see (SC2317).
shellcheck -x -P SCRIPTDIR -e SC2016,SC2317 "${scripts[@]}"
echo "check-scripts: ${#scripts[@]} scripts, no complaint"
