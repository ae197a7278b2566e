#!/bin/bash
# The page of `lightcone view`: its types, all that can be done on it in a real Chromium, and the
# main gestures in Firefox too.
#
#     tools/test-browser.sh build/lightcone [FILE.test.mjs ...]
#
# Needs node 18 or newer, npm, Chromium (or LC_CHROMIUM=/path/of/it) and Firefox (LC_FIREFOX).
# Where one of them is missing the exit status is 77, but with CI=true it is an error.
# LC_TEST_LONG=1: also ten minutes of the page's memory.
set -euo pipefail

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

for tool in node npm; do
    command -v "$tool" >/dev/null || skip "there is no $tool here, so the page was not tested"
done
for name in chromium chromium-browser google-chrome; do
    LC_CHROMIUM=${LC_CHROMIUM:-$(command -v "$name" || true)}
done
[ -n "$LC_CHROMIUM" ] || skip "there is no Chromium here, so the page was not tested"
export LC_CHROMIUM
for name in firefox-esr firefox; do
    LC_FIREFOX=${LC_FIREFOX:-$(command -v "$name" || true)}
done
[ -n "$LC_FIREFOX" ] || skip "there is no Firefox here, so the page was not tested"
export LC_FIREFOX

cd "$(dirname "${BASH_SOURCE[0]}")/../tests/browser"
if [ ! package-lock.json -ot node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund --loglevel=error
fi
node_modules/.bin/tsc -p tsconfig.json
node_modules/.bin/tsc -p tsconfig.tests.json

files=("$@")
if [ ${#files[@]} -eq 0 ]; then
    files=(*.test.mjs)
fi
# One file at a time: what is measured is not to be disturbed by the others, and two browsers at
# once saved two minutes and cost tests that wait for what they see. What hangs is ended: all of it
# takes eight minutes, and ten more with LC_TEST_LONG.
exec timeout 1800 node --test --test-concurrency=1 --test-reporter=spec "${files[@]}"
