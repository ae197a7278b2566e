#!/bin/bash
# Makes a release of the commit that is checked out, and tries it:
#
#     tools/make-release.sh              tarball, its build and tests, Debian packages, lintian
#     tools/make-release.sh tarball      only the tarball
#     tools/make-release.sh --install    first installs what only this needs (Debian, as root)
#
# Into build-release/: lightcone-VERSION.tar.xz, the same bytes for the same commit; and debian/
# with the source package and lightcone, liblightcone0 and liblightcone-dev. Their maintainer is who
# makes them: DEBFULLNAME and DEBEMAIL, or the name and address that git has.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
needed=(build-essential cmake debhelper dpkg-dev fakeroot git lintian ninja-build xz-utils)

parts="tarball try debian"
if [ "${1-}" = --install ]; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -q "${needed[@]}"
    shift
fi
[ $# -eq 0 ] || parts=$*

# Says all that is missing before anything is made.
missing=()
need() { # TOOL PACKAGE
    [[ -n $(type -P "$1") || " ${missing[*]-}" = *" $1 "* ]] || missing+=("$1 (package $2)")
}
for part in $parts; do
    case $part in
    tarball)
        need git git
        need xz xz-utils
        ;;
    try)
        need cc build-essential
        need cmake cmake
        need ninja ninja-build
        ;;
    debian)
        need cc build-essential
        need dh debhelper
        need dpkg-buildpackage dpkg-dev
        need fakeroot fakeroot
        need lintian lintian
        ;;
    *)
        echo "make-release: $part is none of: tarball try debian" >&2
        exit 2
        ;;
    esac
done
if [ ${#missing[@]} -gt 0 ]; then
    echo "make-release: these are not on this machine; as root: $0 --install" >&2
    printf '    %s\n' "${missing[@]}" >&2
    exit 1
fi
if [[ " $parts " = *" debian "* ]] && ! dpkg-checkbuilddeps packaging/debian/control; then
    echo "make-release: the packages need these to be built; tools/install-deps.sh gets them" >&2
    exit 1
fi

version=$(sed -nE 's/^project\(lightcone VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
name=lightcone-$version
out=$PWD/build-release
tarball=$out/$name.tar.xz
mkdir -p "$out"

make_tarball() {
    if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
        echo "make-release: some files differ from the commit; please commit first" >&2
        exit 1
    fi
    # Names in git's order, the commit's time, nobody's name, one thread: always the same bytes.
    git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD |
        xz -9 --threads=1 >"$tarball.part"
    mv "$tarball.part" "$tarball"
    (cd "$out" && sha256sum "$name.tar.xz")
}

# The tarball has to build where there is no git, and nothing of this checkout beside it.
try_tarball() {
    local work
    work=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    mkdir "$work/no-git"
    printf '#!/bin/sh\necho "there is no git here" >&2\nexit 127\n' >"$work/no-git/git"
    chmod +x "$work/no-git/git"
    tar -C "$work" -xf "$tarball"
    (
        cd "$work/$name"
        export PATH=$work/no-git:$PATH
        cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release >configure.log ||
            { cat configure.log; exit 1; }
        cmake --build build
        ctest --test-dir build -j "$(nproc)" --output-on-failure --no-tests=error \
            -R '^(base|rule|oracle|known|laws|pattern.*|checkpoint|cli|cli_files|view|exported_names)$'
        [ "$(build/lightcone --version | head -n 1)" = "lightcone $version" ] ||
            { build/lightcone --version; exit 1; }
        tools/check-install.sh build
    )
    rm -rf "$work"
    trap - EXIT
}

make_packages() {
    local folder=$out/debian source date
    source=$folder/$name
    rm -rf "$folder"
    mkdir -p "$folder"
    cp "$tarball" "$folder/lightcone_$version.orig.tar.xz"
    tar -C "$folder" -xf "$tarball"
    cp -r packaging/debian "$source/debian"
    date=$(git log -1 --format=%cD)
    sed -i "s|@MAINTAINER@|$maintainer|" "$source/debian/control"
    cat >"$source/debian/changelog" <<TEXT
lightcone ($version-1) unstable; urgency=medium

  * Release $version; CHANGELOG.md says what is new.

 -- $maintainer  $date
TEXT
    (cd "$source" && dpkg-buildpackage -us -uc)
    # That an upload closes a bug is a rule of Debian's own archive.
    lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs \
        "$folder"/*.changes
    ls -l "$folder"/*.deb "$folder"/*.dsc
}

for part in $parts; do
    case $part in
    tarball) make_tarball ;;
    try) try_tarball ;;
    debian)
        maintainer="${DEBFULLNAME:-$(git config user.name)}"
        maintainer+=" <${DEBEMAIL:-$(git config user.email)}>"
        make_packages
        ;;
    esac
done
