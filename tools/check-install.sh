#!/bin/bash
# Installs a build into an empty folder, looks for every part, and compiles and runs a small program
# against it with pkg-config, with the shared and with the static library.
#
#     tools/check-install.sh FOLDER_OF_BUILD
set -euo pipefail
build=$1
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
prefix=$scratch/prefix

cmake --install "$build" --prefix "$prefix" >/dev/null
libraries=$(dirname "$(find "$prefix" -name liblightcone.a)")
for file in bin/lightcone include/lightcone/lightcone.h include/lightcone/universe.h \
    share/man/man1/lightcone.1 share/bash-completion/completions/lightcone \
    share/zsh/site-functions/_lightcone share/doc/lightcone/LICENSE \
    "${libraries#"$prefix"/}/pkgconfig/lightcone.pc" \
    "${libraries#"$prefix"/}/liblightcone.so"; do
    if [ ! -e "$prefix/$file" ]; then
        echo "check-install: $file was not installed" >&2
        exit 1
    fi
done
if [ -z "$(find "$prefix/share/lightcone/patterns" -name '*.rle')" ]; then
    echo "check-install: no patterns were installed" >&2
    exit 1
fi

# The R-pentomino has 116 cells at generation 1103.
cat >"$scratch/program.c" <<'C'
#include <lightcone/lightcone.h>
#include <stdio.h>

int main(void)
{
    static const char text[] = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n";
    lc_universe_options options = {.rule = {1 << 3, 1 << 2 | 1 << 3}};
    lc_universe *universe;
    lc_pattern *pattern;
    lc_message message = {.text = ""};
    if (lc_universe_create(&universe, &options, &message) ||
        lc_pattern_open_memory(&pattern, text, sizeof text - 1, &message) ||
        lc_universe_load(universe, pattern, 0, 0, &message) ||
        lc_universe_step(universe, 1103, NULL, NULL, &message)) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    printf("%llu\n", (unsigned long long)lc_universe_population(universe));
    lc_pattern_close(&pattern);
    lc_universe_destroy(&universe);
    return 0;
}
C
export PKG_CONFIG_PATH=$libraries/pkgconfig

read -ra flags <<<"$(pkg-config --cflags --libs lightcone)"
cc -std=c17 -o "$scratch/shared" "$scratch/program.c" "${flags[@]}"
result=$(LD_LIBRARY_PATH=$libraries "$scratch/shared")
if [ "$result" != 116 ]; then
    echo "check-install: with the shared library the program says '$result', not 116" >&2
    exit 1
fi
read -ra flags <<<"$(pkg-config --cflags --libs --static lightcone)"
cc -std=c17 -o "$scratch/static" "$scratch/program.c" "${flags[@]/-llightcone/-l:liblightcone.a}"
result=$("$scratch/static")
if [ "$result" != 116 ]; then
    echo "check-install: with the static library the program says '$result', not 116" >&2
    exit 1
fi
"$prefix/bin/lightcone" --version >/dev/null
echo "check-install: all parts are there, and a program built with them counts right"
