#!/bin/bash
# Unpacks the arm64 libraries that lightcone and its tests need into a folder, for cross-compiling
# (cmake/aarch64.cmake). Nothing is installed and no root is needed: apt keeps its lists for arm64
# in that folder too, so that the machine's own package state stays as it is. Debian; on Ubuntu the
# arm64 packages come from another server, which must be among the machine's sources.
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: $0 FOLDER" >&2
    exit 2
fi
mkdir -p "$1"
root=$(cd "$1" && pwd)
packages=(libcmocka-dev zlib1g-dev libpng-dev libzstd-dev libxxhash-dev libmd-dev
    # their shared libraries, under the names of this release
    libcmocka0 zlib1g libzstd1 libxxhash0 libmd0)

wanted=${packages[*]}
if [ "$(cat "$root/complete" 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi

state=$root/apt
mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/packages"
apt=(apt-get -qq -o "APT::Architectures::=$(dpkg --print-architecture)" -o APT::Architectures::=arm64
    -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=)
"${apt[@]}" update

# libpng's name has changed with the transition to 64-bit time.
cache=("apt-cache" "${apt[@]:2}")
for name in libpng16-16t64 libpng16-16; do
    if "${cache[@]}" show "$name:arm64" >/dev/null 2>&1; then
        packages+=("$name")
        break
    fi
done

(cd "$state/packages" && "${apt[@]}" download "${packages[@]/%/:arm64}")
# Older releases put some libraries into /lib; as on a real system that is a link to usr/lib here.
mkdir -p "$root/usr/lib"
ln -sfn usr/lib "$root/lib"
for package in "$state"/packages/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
done
# Links from the root of the system become links from this root.
find "$root" -type l -lname '/*' | while read -r link; do
    ln -sfn "$root$(readlink "$link")" "$link"
done
rm -r "$state"
echo "$wanted" >"$root/complete"
