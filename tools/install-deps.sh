#!/bin/bash
# Installs what lightcone is built and tested with, on Debian and Ubuntu. Does nothing, and asks the
# network nothing, when all of it is there.
#
#     tools/install-deps.sh          compiler, CMake, Ninja, libraries, cmocka
#     tools/install-deps.sh --ci     also clang, clang-format, Golly, SciPy, the arm64 compiler, qemu,
#                                    and Chromium, node and npm where there are none
set -euo pipefail

packages=(gcc g++ libc6-dev cmake ninja-build make pkg-config zlib1g-dev libpng-dev libzstd-dev
    libxxhash-dev libwebsockets-dev libjansson-dev libcmocka-dev)
if [ "${1-}" = --ci ]; then
    packages+=(clang clang-format golly python3-scipy gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        qemu-user)
    # These often come from elsewhere, and then Debian's would be in their way.
    command -v node >/dev/null || packages+=(nodejs)
    command -v npm >/dev/null || packages+=(npm)
    command -v chromium >/dev/null || packages+=(chromium)
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Another system: its own package manager has put the things there, or has not.
    missing=()
    for tool in cc cmake ninja pkg-config; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    for library in zlib libpng libzstd libxxhash libwebsockets jansson cmocka; do
        if command -v pkg-config >/dev/null && ! pkg-config --exists "$library"; then
            missing+=("$library")
        fi
    done
    if [ ${#missing[@]} -eq 0 ]; then
        exit 0
    fi
    cat >&2 <<TEXT
lightcone: missing: ${missing[*]}
This script installs packages on Debian and Ubuntu only. Here, please install with your own package
manager: a C17 compiler (gcc or clang), CMake 3.20, Ninja, pkg-config, and the development files of
zlib, libpng, libzstd, libxxhash, libwebsockets, jansson and cmocka. Then type the command again.
TEXT
    exit 1
fi

missing=()
for package in "${packages[@]}"; do
    # shellcheck disable=SC2016
    state=$(dpkg-query -W -f '${db:Status-Abbrev}\n' "$package" 2>/dev/null || true)
    if [[ $state != *ii* ]]; then
        missing+=("$package")
    fi
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "lightcone: please install as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "lightcone: installing with apt-get: ${missing[*]}"
if [ ${#as_root[@]} -gt 0 ]; then
    echo "lightcone: sudo may ask for your password"
fi
export DEBIAN_FRONTEND=noninteractive
install=("${as_root[@]}" apt-get install -y --no-install-recommends -q "${missing[@]}")
# The lists of a fresh machine are empty or old; try what is there only if they cannot be renewed.
"${as_root[@]}" apt-get update -q || echo "lightcone: the package lists could not be renewed" >&2
"${install[@]}" </dev/null
