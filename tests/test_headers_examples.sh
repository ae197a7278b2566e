#!/usr/bin/env bash
# Each public header opens with one sentence and an example, which compiles. The example is the
# first block of lines behind "//     ", three to six lines. lightcone.h says which variables it
# has.
# Usage: test_headers_examples.sh PATH-TO-LIGHTCONE. One line for each failure; exit status 1 if
# there is any.
set -u

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR
source "$here/support_cli.sh"
# shellcheck source-path=SCRIPTDIR
source "$here/support_install.sh"
include=$(realpath "$here/../include")
begin "$@"
build=$(dirname "$lightcone")
compiler=$(cached CMAKE_C_COMPILER)

examples=0
for header in "$include"/lightcone/*.h; do
    name=$(basename "$header")
    sentence=$(sed -n '/^\/\/$/q; s|^// ||p' "$header" | tr '\n' ' ')
    is "$name: begins with one sentence" \
        "$(grep -E '^[A-Za-z].*\. $' <<<"$sentence" | grep -cvE '\. [A-Z]')" 1
    awk '/^\/\/     / { print substr($0, 8); found = 1; next }
         found { exit }' "$header" >example
    lines=$(wc -l <example)
    is "$name: an example of three to six lines" "$((lines >= 3 && lines <= 6))" 1
    cat - example >example.c <<'C'
#include <lightcone/lightcone.h>
#include <stdio.h>

int main(void)
{
    lc_universe *universe = NULL;
    lc_context *context = NULL;
    lc_message message = {.text = ""};
    (void)universe, (void)context, (void)message;
{
C
    printf '}\nreturn 0;\n}\n' >>example.c
    checks=$((checks + 1))
    "$compiler" -std=c17 -fsyntax-only -Wall -Wextra -Werror -I "$include" example.c >log 2>&1 ||
        fail "$name: the example does not compile" "$(cat log)"
    examples=$((examples + 1))
done
is "are there headers?" "$((examples > 10))" 1
finish
