#!/bin/bash
# Removes what the last `make install` from a build put there, and the folders that were made for it
# if nothing else is in them. DESTDIR in the environment is that of the installation.
#
#     tools/uninstall.sh FOLDER_OF_BUILD
set -euo pipefail
build=$1
if [ ! -e "$build/install_manifest.txt" ]; then
    echo "uninstall: nothing was installed from $build" >&2
    exit 1
fi
destination=${DESTDIR:+$(realpath -m -- "$DESTDIR")}
ldconfig=$(PATH=$PATH:/sbin:/usr/sbin command -v ldconfig || true)

files=()
known_to_loader=
while IFS= read -r file || [ -n "$file" ]; do # CMake ends the last line without a newline
    files+=("$destination$file")
    if [[ -z $destination && -n $ldconfig && $file == */liblightcone.so* ]] &&
        "$ldconfig" -p 2>/dev/null | grep -qF " => $file"; then
        known_to_loader=yes
    fi
done <"$build/install_manifest.txt"
rm -fv -- "${files[@]}"

# The innermost folders come first in the list of each installation.
while IFS= read -r folder; do
    if [ -d "$folder" ]; then
        rmdir --ignore-fail-on-non-empty -v -- "$folder"
    fi
done < <(LC_ALL=C sort -r "$build/install_folders.txt")
rm -f -- "$build/install_manifest.txt" "$build/install_folders.txt"
if [ -n "$known_to_loader" ] && [ "$(id -u)" -eq 0 ]; then
    "$ldconfig"
fi
