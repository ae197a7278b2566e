#!/bin/bash
# Installs a build the ways people do, into folders of its own, and uses what was installed just as
# the installation says: the command, the manual, programs with the shared and the static library.
# Then it is uninstalled, and nothing may be left. Needs neither root nor the network.
#
#     tools/check-install.sh FOLDER_OF_BUILD
set -euo pipefail
build=$(realpath "$1")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(realpath "$(mktemp -d)")
trap 'rm -r "$work"' EXIT

# shellcheck source-path=SCRIPTDIR
source "$root/tests/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$root/tests/support_install.sh"
# shellcheck source-path=SCRIPTDIR
source "$root/tests/support_examples.sh"
# there NAME PATH, and gone NAME PATH
there() { is "$1: is $2 there?" "$(test -e "$2" && echo yes)" yes; }
gone() { is "$1: is $2 there?" "$(test -e "$2" && echo yes)" ""; }
without() { # NAME FILE TEXT: the file does not contain the text
    checks=$((checks + 1))
    ! grep -qF -- "$3" "$2" || fail "$1" "'$3' is in $2: $(head -c 600 "$2")"
}

cc=$(cached CMAKE_C_COMPILER)
own=$work/the\ build
copy_build "$own"

run_make() { # TARGET VARIABLE=VALUE...: make, what it says in $work/said
    make -C "$root" "BUILD=$own" "$@" >"$work/said" 2>&1 || fail "make $*" "$(cat "$work/said")"
}
advice() { sed -n 's/^    \(export .*\)/\1/p' "$work/said"; }

# The R-pentomino has 116 cells at generation 1103.
cat >"$work/program.c" <<'C'
#include <lightcone/lightcone.h>
#include <stdio.h>

int main(void)
{
    static const char text[] = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n";
    lc_universe_options options = {.struct_bytes = sizeof options, .rule_text = "B3/S23"};
    lc_universe *universe;
    lc_pattern *pattern;
    lc_message message = {.text = ""};
    lc_facts facts;
    if (lc_universe_create(&universe, &options, &message) ||
        lc_pattern_open_memory(&pattern, text, sizeof text - 1, &message) ||
        lc_universe_load(universe, pattern, 0, 0, &message) ||
        lc_universe_step(universe, lc_count_of(1103), NULL, NULL, &message) ||
        lc_universe_facts(universe, LC_FACT_POPULATION, &facts, &message)) {
        fprintf(stderr, "%s\n", message.text);
        return 1;
    }
    char alive[LC_COUNT_TEXT_BYTES];
    lc_count_format(facts.population, alive);
    printf("%s\n", alive);
    lc_pattern_close(&pattern);
    lc_universe_destroy(&universe);
    return 0;
}
C

# compile NAME FLAG...: with what pkg-config says, and these flags of its own. The shell's $(...)
# does not see the backslashes that pkg-config puts before blanks; xargs does.
compile() {
    local name=$1 flags
    shift
    checks=$((checks + 1))
    mapfile -t flags < <(pkg-config --cflags --libs "$@" lightcone | xargs -n 1 printf '%s\n')
    if [ "${1-}" = --static ]; then
        flags=("${flags[@]/#-llightcone/-l:liblightcone.a}")
    fi
    rm -f "$work/program"
    "$cc" -std=c17 -o "$work/program" "$work/program.c" "${flags[@]}" >"$work/log" 2>&1 ||
        fail "$name: compiling" "$(cat "$work/log")"
    is "$name: the population" "$("$work/program" 2>&1)" 116
}

# examples_with_pkg_config NAME FOLDER: builds the examples as each says, and runs them.
examples_with_pkg_config() {
    local name=$1 example flags
    mapfile -t flags < <(pkg-config --cflags --libs lightcone | xargs -n 1 printf '%s\n')
    mkdir "$work/programs"
    for example in "$2"/*.c; do
        checks=$((checks + 1))
        "$cc" -std=c17 -Wall -Wextra -Werror "$example" "${flags[@]}" \
            -o "$work/programs/$(basename "$example" .c)" >"$work/log" 2>&1 ||
            fail "$name: compiling $example" "$(cat "$work/log")"
    done
    run_examples "$name" "$work/programs"
    rm -r "$work/programs"
}

# examples_with_cmake NAME FOLDER [OPTION...]: the same with find_package(lightcone).
examples_with_cmake() {
    local name=$1
    checks=$((checks + 1))
    { cmake -S "$2" -B "$work/programs" -G "$(cached CMAKE_GENERATOR)" "-DCMAKE_C_COMPILER=$cc" \
        "${@:3}" && cmake --build "$work/programs"; } >"$work/log" 2>&1 ||
        fail "$name: building the examples" "$(cat "$work/log")"
    run_examples "$name" "$work/programs"
    rm -r "$work/programs"
}

# names_in FOLDER: the files of the source that texts in a folder name, one a line: sources, scripts
# and documents, what links lead to, and all in folders that only the source has.
names_in() {
    local path='[A-Za-z0-9_./-]*[A-Za-z0-9_]'
    grep -rIhv '^#include <' "$1" --exclude='*.rle' | grep -oE \
        -e "(^|[^A-Za-z0-9_./*-])$path\.(md|h|c|cu|cuh|sh|py|mjs|svg)\b" \
        -e "\]\(${path}[)#]" \
        -e "(^|[^A-Za-z0-9_./-])(docs|src|tests|tools|cli|bench|viewer|gallery|kernels|cmake)/$path" |
        sed 's/[)#]$//' | grep -oE '[A-Za-z0-9_./-]+$' | sort -u
}

# ---- a prefix that nothing knows of --------------------------------------------------------------
prefix="$work/pre fix (new)"
mkdir "$work/home" # what was there before stays
run_make install "PREFIX=$prefix"
libraries=$(dirname "$(find "$prefix" -name liblightcone.a)")
for file in bin/lightcone include/lightcone/lightcone.h include/lightcone/universe.h \
    share/man/man1/lightcone.1 share/bash-completion/completions/lightcone \
    share/zsh/site-functions/_lightcone \
    share/fish/vendor_completions.d/lightcone.fish share/doc/lightcone/LICENSE \
    share/doc/lightcone/formats.md share/doc/lightcone/rules.md share/doc/lightcone/scale.md \
    share/lightcone/patterns/spaceships/glider.rle \
    share/doc/lightcone/examples/pattern_film.c share/doc/lightcone/examples/CMakeLists.txt \
    "${libraries#"$prefix"/}/cmake/lightcone/lightconeConfig.cmake" \
    "${libraries#"$prefix"/}/cmake/lightcone/lightconeConfigVersion.cmake" \
    "${libraries#"$prefix"/}/pkgconfig/lightcone.pc" "${libraries#"$prefix"/}/liblightcone.so"; do
    there "make install" "$prefix/$file"
done
for file in "${libraries}"/cmake/lightcone/*; do
    without "the files for CMake know no folder of the build" "$file" "$root"
done
while read -r name; do
    is "what is installed names $name: is it installed?" \
        "$(find "$prefix" -path "*/$(basename "$name")" | head -c 1)" /
done < <(names_in "$prefix")
has "make install" "$work/said" "lightcone is installed in $prefix."
without "the loader needs no list there" "$work/said" ldconfig
is "what is to be set" "$(advice | sed 's/=.*//' | grep -v MANPATH | tr '\n' ' ')" \
    "export PATH export PKG_CONFIG_PATH "
(
    set +u # the lines are for people's shells
    eval "$(advice)"
    set -u
    is "the command" "$(command -v lightcone)" "$prefix/bin/lightcone"
    lightcone --version >/dev/null || fail "the command does not run"
    if command -v manpath >/dev/null; then
        has "the manual" <(manpath -q) "$prefix/share/man"
    fi
    compile "the shared library"
    compile "the static library" --static
    examples_with_pkg_config "the examples with pkg-config" "$prefix/share/doc/lightcone/examples"
    # CMake looks beside each bin/ that is in PATH.
    examples_with_cmake "the examples with CMake" "$prefix/share/doc/lightcone/examples"
    cp -r "$prefix/share/doc/lightcone/examples" "$work/static examples"
    sed -i 's/lightcone::lightcone)/lightcone::static)/' "$work/static examples/CMakeLists.txt"
    examples_with_cmake "the examples with CMake and the static library" "$work/static examples"
    run_make install "PREFIX=$prefix"
    is "all of it is set" "$(advice)" ""
    has "all of it is set" "$work/said" "lightcone is installed in $prefix."
    mv "$prefix" "$work/moved here"
    export PKG_CONFIG_PATH="$work/moved here${libraries#"$prefix"}/pkgconfig"
    compile "a tree that was moved"
    cp -r "$work/moved here/share/doc/lightcone/examples" "$work/moved examples"
    PATH="$work/moved here/bin:$PATH" examples_with_cmake "the examples with a tree that was moved" \
        "$work/moved examples"
    mv "$work/moved here" "$prefix"
    echo "$checks $failures" >"$work/counts"
)
read -r checks failures <"$work/counts"
run_make uninstall
gone "make uninstall" "$prefix"
there "make uninstall" "$work/home"
if make -C "$root" "BUILD=$own" uninstall >"$work/said" 2>&1; then
    fail "a second make uninstall" "it found something: $(cat "$work/said")"
fi
has "a second make uninstall" "$work/said" "nothing was installed from $own"

# ---- other people's files in the same folders ----------------------------------------------------
prefix=$work/shared
mkdir -p "$prefix/bin" "$prefix/share/man/man1"
run_make install "PREFIX=$prefix"
touch "$prefix/include/other.h"
run_make uninstall
is "what is left beside other people's files" "$(cd "$prefix" && find . | LC_ALL=C sort | xargs)" \
    ". ./bin ./include ./include/other.h ./share ./share/man ./share/man/man1"
rm -r "$prefix"

# ---- a loader and a user of our own --------------------------------------------------------------
mkdir "$work/bin"
cat >"$work/bin/ldconfig" <<'END'
#!/bin/sh
# Knows one folder of ours and one that is not there; lists what is in it only when told by root.
case "$*" in
"-v -N -X") printf '/some/lib: (hwcap)\n\tlibc.so.6 -> libc.so.6\n%s: (from a file)\n' "$FAKE_FOLDER" ;;
-p) cat "$FAKE_CACHE" 2>/dev/null ;;
"") ls "$FAKE_FOLDER" | sed -n "s|^liblightcone.so.*|& => $FAKE_FOLDER/&|p" >"$FAKE_CACHE" ;;
*) exit 1 ;;
esac
END
# shellcheck disable=SC2016 # for that script to expand
printf '#!/bin/sh\necho "$FAKE_USER"\n' >"$work/bin/id"
chmod +x "$work/bin/ldconfig" "$work/bin/id"
export FAKE_FOLDER=/nowhere FAKE_CACHE=$work/cache FAKE_USER=1000
export PATH="$work/bin:$PATH"

# ---- packages ------------------------------------------------------------------------------------
for prefix in /usr /usr/local /opt/light\ cone; do
    run_make install "PREFIX=$prefix" "DESTDIR=$work/root of a package"
    there "DESTDIR, $prefix" "$work/root of a package$prefix/bin/lightcone"
    without "DESTDIR, $prefix" "$work/said" export
    without "DESTDIR, $prefix" "$work/said" "is installed"
    pc_file=$(find "$work/root of a package" -name lightcone.pc)
    without "DESTDIR, $prefix: the .pc file knows no folder" "$pc_file" "$work"
    case $prefix in
    /usr) without "$prefix: no rpath" "$pc_file" rpath ;;
    /opt*) has "$prefix: an rpath" "$pc_file" "-Wl,-rpath,\${libdir}" ;;
    esac
    run_make uninstall "DESTDIR=$work/root of a package"
    gone "uninstalled from DESTDIR" "$work/root of a package"
done

# ---- a prefix that the loader knows, as root and not as root -------------------------------------
prefix="$work/usr local"
FAKE_FOLDER="$prefix${libraries#"$work/pre fix (new)"}"
run_make install "PREFIX=$prefix"
has "not as root" "$work/said" "    sudo ldconfig"
without "the loader knows the folder" "$(find "$prefix" -name lightcone.pc)" rpath
FAKE_USER=0 run_make install "PREFIX=$prefix"
without "as root" "$work/said" "sudo ldconfig"
has "as root: the loader's list" "$work/cache" "=> $FAKE_FOLDER/liblightcone.so"
run_make install "PREFIX=$prefix"
without "not as root, after root" "$work/said" "sudo ldconfig"
FAKE_USER=0 run_make uninstall
gone "uninstalled" "$prefix"
is "uninstalled: the loader's list" "$(cat "$work/cache")" ""

finish
