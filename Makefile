# The commands people type. The build itself is CMake's; see CMakeLists.txt.
#
#     make            install what is missing, build
#     make run        build the command only, and run the main job
#     make test       the same, and run all tests: about 4 minutes on two cores
#     make check      checks and tests for the files that have changed: a minute or two
#     make mutate     plant faults in a copy and see that tests fail (docs/testing.md): hours
#     make bench      measure this machine
#     make test-gpu   on a machine with a GPU: what only that can show
#     make bench-gpu  on a machine with a GPU: one table of what it does
#     make check-all  what is too slow for .ci/run, for a night
#     make release    a tarball and Debian packages of the commit that is checked out
#     make install PREFIX=/usr/local [DESTDIR=...]
#     make uninstall  remove what the last `make install` put there
#     make clean      remove the build
#
# BUILD=build is the folder to build in. CMAKE_FLAGS=-DLC_VIEWER=OFF, or whatever CMake takes, says
# what to build. DEPS=no asks for nothing and installs nothing; with DEPS=yes tools/install-deps.sh
# looks first, and installs what is missing on Debian and Ubuntu.
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
DEPS ?= yes

.PHONY: all help run test check mutate bench test-gpu bench-gpu deps configure build install \
    uninstall format check-format check-all release clean
.DEFAULT_GOAL := build

help:
	@sed -n '3,/^[^#]/s/^# \{0,1\}//p' Makefile

deps:
ifneq ($(DEPS),no)
	@tools/install-deps.sh --build "$(BUILD)" -- $(CMAKE_FLAGS)
endif

configure: deps
	@mkdir -p "$(BUILD)"
	@cmake -G Ninja -S . -B "$(BUILD)" -DCMAKE_BUILD_TYPE=Release $(CMAKE_FLAGS) \
	    >"$(BUILD)/configure.log" 2>&1 || { cat "$(BUILD)/configure.log"; exit 1; }

build: configure
	@cmake --build "$(BUILD)"

all: build

run: configure
	@cmake --build "$(BUILD)" --target lightcone
	@tools/demo.sh "$(BUILD)/lightcone" "$(BUILD)"

test: build
	@tools/run-tests.sh "$(BUILD)"

# SINCE=COMMIT: files that differ from that commit.
check: configure
	@tools/check.py --build "$(BUILD)" $(if $(SINCE),--since "$(SINCE)")

# SEED= draws others, COUNT= more.
mutate: deps
	@tools/mutate.py --faults tests/faults.txt
	@tools/mutate.py --count $(or $(COUNT),20) --seed $(or $(SEED),1)

bench: build
	@"$(BUILD)/lightcone" bench

test-gpu: build
	@cmake --build "$(BUILD)" --target settled_rate ages_rate batch_rate
	@LC_BUILD="$(BUILD)" tools/test-gpu.sh

bench-gpu: build
	@cmake --build "$(BUILD)" --target batch_rate
	@LC_BUILD="$(BUILD)" tools/bench-gpu.sh

# In the environment a path needs no quotes. CMake wants whole paths.
install uninstall: export DESTDIR := $(DESTDIR)
install: export PREFIX := $(PREFIX)
install:
	@test -e "$(BUILD)/lightcone" || { echo "Type 'make' first: there is no $(BUILD)/lightcone."; exit 1; }
	@DESTDIR=$${DESTDIR:+$$(realpath -m -- "$$DESTDIR")} \
	    cmake --install "$(BUILD)" --prefix "$$(realpath -ms -- "$$PREFIX")"

uninstall:
	@tools/uninstall.sh "$(BUILD)"

SOURCES = $(shell find include examples src gallery patterns viewer cli bench tests tools \
    -name node_modules -prune -o -name '*.[ch]' -print)

format:
	@clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run --Werror $(SOURCES)

check-all:
	@tools/check-all.sh

release:
	@tools/make-release.sh

clean:
	@rm -rf "$(BUILD)"
