#!/bin/bash
# What is too slow for .ci/run, for the night: some hours. As .ci/run it prints its steps first, and
# at its end what each took; but it goes on after a step that fails, and fails at the end. It leaves
# out no step, whatever passed before.
#
#     tools/check-all.sh               all steps (make check-all)
#     tools/check-all.sh STEP ...      some of them
#
# Packages are those of tools/install-deps.sh --ci, and valgrind. LC_FUZZ_SECONDS=N: so long for
# each fuzzer (1200).
set -euo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/steps.sh
. tools/steps.sh

fuzz_seconds=${LC_FUZZ_SECONDS:-1200}

# Seconds are not known yet where there is a "?"; a run prints them.
steps=(
    "tests          ? gcc, Release: make test"
    "thorough       ? the larger shares of cases that take long (LC_THOROUGH)"
    "full           ? whole products of cases, every rule that a sample stands for (LC_TEST_FULL=1)"
    "seeds          ? other random cases than always, three times"
    "patterns       ? pattern files that come with Golly, and 3,000 random rules"
    "levels         ? the comparison with Golly, at each CPU level of this machine"
    "sanitizers     ? clang with ASan and UBSan, all of its checks: all tests"
    "threads        ? ThreadSanitizer, all cases"
    "valgrind       ? reads of memory that nobody wrote"
    "without        ? builds without libpng, viewer and tests; gcc and clang, Debug"
    "fuzzers        ? each for $fuzz_seconds s, two at a time"
    "aarch64        ? tests of the engines under qemu, all cases"
    "page           ? the viewer's page, with Firefox, pictures, ten minutes of memory"
    "fresh_root     ? a clean Debian 13: install, build, all tests, as an ordinary user"
    "mutants        ? faults planted one by one: each is seen by a test"
)

build() { # FOLDER CMAKE_FLAGS...
    mkdir -p "$1"
    cmake -G Ninja -S . -B "$1" -DLC_WERROR=ON "${@:2}" >"$1/configure.log" 2>&1 ||
        { cat "$1/configure.log"; return 1; }
    cmake --build "$1"
}

tests() { # FOLDER CTEST_ARGUMENTS...
    ctest --test-dir "$1" -j "$(nproc)" --output-on-failure --no-label-summary --no-tests=error \
        "${@:2}"
}

step_tests() {
    make test CMAKE_FLAGS=-DLC_WERROR=ON BUILD=build
}

step_thorough() {
    build build-thorough -DCMAKE_BUILD_TYPE=Release -DLC_THOROUGH=ON
    tests build-thorough -R 'emulated|ranks|soups|cuda_engine|laws_on_blocks'
}

# On the emulated GPU the whole products would take days. Tests with limits of their own for their
# time are started here, not by ctest.
step_full() {
    local name
    for name in audit engines gallery known levels laws network rule tiles topology universe; do
        echo "== $name"
        LC_TEST_FULL=1 build/tests/lc_tests "$name" >build/full.log 2>&1 ||
            { cat build/full.log; return 1; }
    done
    LC_TEST_FULL=1 build/tests/gallery_kernels || [ $? -eq 77 ]
    LC_TEST_FULL=1 build/tests/kernel_registers tests/kernel_variants.txt \
        tests/kernel_registers.txt || [ $? -eq 77 ]
}

step_seeds() {
    local seed
    for seed in 1 2 3; do
        LC_TEST_SEED=$((seed + $(date +%s))) tests build
    done
}

step_patterns() {
    tools/check-golly-patterns.py build/lightcone || [ $? -eq 77 ]
    tools/check-golly-rules.py build/lightcone || [ $? -eq 77 ]
}

# In the command's place stands a script that adds the level, where there is one.
step_levels() {
    local level
    for level in $(build/lightcone devices |
        sed -n '/^CPU levels/,/^$/{/not available/d; s/^[* ] \([a-z0-9]*\)  .*/\1/p}'); do
        echo "== $level"
        cat >build/lightcone-level <<TEXT
#!/bin/bash
command=\$1
shift
if [ "\$command" = run ] && [[ " \$* " != *" --engine scalar "* ]]; then
    set -- --cpu $level "\$@"
fi
exec $(printf '%q' "$PWD/build/lightcone") "\$command" "\$@"
TEXT
        chmod +x build/lightcone-level
        bash tests/test_golly.sh "$PWD/build/lightcone-level"
    done
}

step_sanitizers() {
    build build-thorough-clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release -DLC_FUZZ=ON \
        -DLC_THOROUGH=ON
    tests build-thorough-clang
}

step_threads() {
    tools/test-threads.sh build-tsan --all
}

# What reads files. Not the tests of engines: valgrind knows no AVX-512.
step_valgrind() {
    local name
    for name in rule pattern pattern_reject pattern_write; do
        echo "== $name"
        valgrind -q --error-exitcode=9 build/tests/lc_tests "$name" >build/valgrind.log 2>&1 ||
            { cat build/valgrind.log; return 1; }
    done
}

step_without() {
    build build-small -DCMAKE_BUILD_TYPE=Release -DLC_PNG=OFF -DLC_URING=OFF -DLC_VIEWER=OFF
    tests build-small -E 'emulated_gpu|^cuda_|gallery|kernel_'
    build build-smaller -DCMAKE_BUILD_TYPE=Release -DLC_PNG=OFF -DLC_VIEWER=OFF -DLC_TESTS=OFF \
        -DLC_PATTERNS=OFF
    (build-smaller/lightcone run acorn -g 1 2>&1 || true) | grep "has no built-in patterns"
    build build-debug-gcc -DCMAKE_BUILD_TYPE=Debug
    build build-debug-clang -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang
}

step_fuzzers() {
    tools/run-fuzzers.sh build-thorough-clang "$fuzz_seconds"
}

step_aarch64() {
    tools/arm64-libraries.sh build-arm64/root
    build build-arm64 --toolchain cmake/aarch64.cmake -DCMAKE_BUILD_TYPE=Release -DLC_VIEWER=OFF
    tests build-arm64 -L engine
}

step_page() {
    LC_TEST_LONG=1 CI=true tools/test-browser.sh build/lightcone
    for seed in 1 2 3; do
        LC_TEST_SEED=$seed LC_TEST_LONG=1 CI=true tools/test-browser.sh build/lightcone monkey.mjs
    done
}

step_fresh_root() {
    tools/check-fresh-root.sh
}

# Those that are written down, and others each night.
step_mutants() {
    tools/mutate.py --faults tests/faults.txt
    tools/mutate.py --count 30 --seed "${LC_TEST_SEED:-$(date +%Y%m%d)}" --allow 2
}

keep_going=yes
choose_steps "$@"
run_steps "${chosen[@]}"
