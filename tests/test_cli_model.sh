#!/usr/bin/env bash
# `lightcone bench --model`: what several devices would do.
# Usage: test_cli_model.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if there was
# any.
set -u

# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/support_cli.sh"

begin "$@"

quickly=(--quick --runs 3 --warmup 0 -g 20)

# ---- measuring -----------------------------------------------------------------------------------
expect 0 "a model" bench --model --size 128x256 -t 1 --engine simd "${quickly[@]}" \
    --json facts.json --charts charts --board 256x512,1024 --counts 1,2,1000
has "a model: what was measured" out "simd:blocks=1"
is "a model: slabs that were measured" "$(grep -cE '^ +(64|128|256) +a slab ' out)" 3
has "a model: strong scaling" out "Strong scaling: 256 x 512, predicted"
has "a model: both boards" out "Strong scaling: 1024 x 1024, predicted"
has "a model: weak scaling" out "Weak scaling: 128 x 256 for each, predicted"
has "a model: too many" out "     1000  more than there are rows"
is "a model: charts" "$(cd charts && echo {strong,weak}-cpu.svg)" "strong-cpu.svg weak-cpu.svg"
has "a model: the page has them" charts/index.html "Strong scaling"
cp facts.json out
json "the model as JSON"
has "the model as JSON" facts.json '"scaling": "weak"'

# ---- from files ----------------------------------------------------------------------------------
expect 0 "blocks" bench --size 128x256 -t 1 --engine simd:blocks=2,simd:blocks=4 "${quickly[@]}" \
    --json blocks.json
expect 0 "a model of files" bench --model --facts facts.json --facts blocks.json
has "a model of files: no runs" out "Measured with several slabs"
is "a model of files: runs that it is compared with" "$(grep -cE '^ +256 +1 +1 +[24] ' out)" 2
expect 0 "a model of files as JSON" bench --model --facts facts.json --json -
json "a model of files as JSON"
has "a model of files: tables go to stderr then" err "Weak scaling"
is "links" "$("$lightcone" bench --model --facts facts.json --link 1.5G,2.2us --network 10M,3ms \
    --per-host 3 | grep -A1 '3 ranks a host' | tail -1)" \
    "Links:   in a host 2.2 us and 1.5 GB/s, between hosts 3 ms and 10 MB/s; waited for"
expect 0 "overlap" bench --model --facts facts.json --overlap --message-passes 4
has "overlap" out "hidden behind"
has "passes a message" out "a message for 4 passes"

# ---- what is refused -----------------------------------------------------------------------------
mistake 2 "--link needs --model" bench --link 1G,1us
mistake 2 "--overlap needs --model" bench --overlap
mistake 2 '"1G"' bench --model --link 1G
mistake 2 "is not a link (396G,2.2us is" bench --model --link 1G,2
mistake 2 "is not a link" bench --model --network x,2us
mistake 2 "must carry more than 0" bench --model --network 0,2us
mistake 2 "at least 1" bench --model --per-host 0
mistake 2 "at least 1" bench --model --message-passes 0
mistake 2 "too large" bench --model --message-passes 1e6
mistake 2 "ascending" bench --model --counts 1,4,2
mistake 2 "empty word" bench --model --counts 1,,2
mistake 2 "at least 1" bench --model --counts 0
mistake 2 "bounded in both directions" bench --model --board 100x0
mistake 2 "is not a size" bench --model --board 100y100
mistake 2 "too many boards" bench --model --board 1,2,3,4,5,6,7,8,9
mistake 2 "--model conflicts with --against" bench --model --against simd
mistake 2 "--facts replaces measurements" bench --model --facts facts.json --size 64
mistake 2 "must not be empty" bench --model --facts ""
mistake 1 "nowhere.json: cannot open it" bench --model --facts nowhere.json
echo '{"format": "lightcone bench", "records": [' >broken.json
mistake 1 "broken.json:2:1: " bench --model --facts broken.json
echo '{"records": []}' >other.json
mistake 1 "no file of 'lightcone bench --json'" bench --model --facts other.json
mistake 1 "narrower than all" bench --model --facts facts.json --board 64
mistake 1 "nothing was measured with one device alone" bench --model --facts blocks.json

finish
