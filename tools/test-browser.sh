#!/bin/bash
# The page of `lightcone view`: its types, all that can be done on it in a real Chromium, the main
# gestures in Firefox too, and the pictures that docs/ has of it.
#
#     tools/test-browser.sh [--no-firefox] build/lightcone [FILE.test.mjs ...]
#
#     --no-firefox    neither Firefox nor those pictures, where nothing of the page has changed
#
# Needs node 18 or newer, npm, Chromium (or LC_CHROMIUM=/path/of/it) and, for the test that runs in
# it, Firefox (LC_FIREFOX). Where one of them is missing the exit status is 77, but with CI=true it
# is an error. LC_TEST_LONG=1: also ten minutes of the page's memory, and longer measurements.
set -euo pipefail

firefox=yes
if [ "${1-}" = --no-firefox ]; then
    firefox=
    shift
fi
if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "tools/test-browser.sh: please give the path of lightcone" >&2
    exit 2
fi
LC_BINARY=$(realpath -- "$1")
export LC_BINARY
shift

skip() {
    echo "tools/test-browser.sh: $1" >&2
    [ "${CI-}" = true ] && exit 1
    exit 77
}

cd "$(dirname "${BASH_SOURCE[0]}")/../tests/browser"
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    for file in *.test.mjs; do
        case $file in
        firefox.test.mjs | pictures.test.mjs) [ -n "$firefox" ] || continue ;;
        esac
        files+=("$file")
    done
fi

for tool in node npm; do
    command -v "$tool" >/dev/null || skip "there is no $tool here, so the page was not tested"
done
for name in chromium chromium-browser google-chrome; do
    LC_CHROMIUM=${LC_CHROMIUM:-$(command -v "$name" || true)}
done
[ -n "$LC_CHROMIUM" ] || skip "there is no Chromium here, so the page was not tested"
export LC_CHROMIUM
if [[ " ${files[*]##*/} " == *" firefox.test.mjs "* ]]; then
    for name in firefox-esr firefox; do
        LC_FIREFOX=${LC_FIREFOX:-$(command -v "$name" || true)}
    done
    [ -n "$LC_FIREFOX" ] || skip "there is no Firefox here, so the page was not tested"
    export LC_FIREFOX
fi

if [ ! package-lock.json -ot node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund --loglevel=error
fi
node_modules/.bin/tsc -p tsconfig.json
node_modules/.bin/tsc -p tsconfig.tests.json

# What hangs is ended. LC_TEST_LONG takes ten minutes more.
exec timeout 1800 node run.mjs "${files[@]}"
