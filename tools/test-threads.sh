#!/bin/bash
# ThreadSanitizer over what runs on more than one thread: the pool, also when universes of several
# threads share it, modules of a GPU that they share, the engines and the halos that they fill,
# passes that are watched, and the viewer's server. It does not see the machine code that the simd
# engine writes for a rule; that touches only the memory of one worker. The grids that workers share
# are read and written by code that it does see.
#
#     tools/test-threads.sh FOLDER_OF_BUILD             a share of the cases, some minutes
#     tools/test-threads.sh FOLDER_OF_BUILD --all       all of them, and more tests: long
set -euo pipefail
folder=$1
tests=(pool cache context modules topology engines sparse hashlife store laws watch viewer_deflater
    viewer_saving viewer_identify viewer_entry viewer_server viewer_greed viewer_hostile soup_census)
thorough=OFF
if [ "${2-}" = --all ]; then
    thorough=ON
    tests+=(audit checkpoint charts sparse_facts tiles universe edits census_gpus census_ranks)
else
    export LC_TEST_SHARE=${LC_TEST_SHARE:-61} LC_TEST_RULES=${LC_TEST_RULES:-4}
    export LC_TEST_THREADED=1
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p "$folder"
cmake -G Ninja -S . -B "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DLC_THOROUGH=$thorough -DLC_TESTS_BUILT="$(IFS=';' && echo "${tests[*]}")" \
    -DCMAKE_C_FLAGS=-fsanitize=thread -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=thread \
    -DCMAKE_SHARED_LINKER_FLAGS=-fsanitize=thread >"$folder/configure.log" 2>&1 ||
    { cat "$folder/configure.log"; exit 1; }
cmake --build "$folder" --target lc_tests
# Some tests ask for absurd sizes; the answer must be NULL.
export TSAN_OPTIONS="halt_on_error=1 allocator_may_return_null=1 ${TSAN_OPTIONS-}"
ctest --test-dir "$folder" -j "$(nproc)" --output-on-failure --no-label-summary --no-tests=error \
    --timeout 3600 -R "^($(IFS='|' && echo "${tests[*]}"))\$"
