# The commands people type. The build itself is CMake's; see CMakeLists.txt.
#
#     make run        install what is missing, build, and run the main job
#     make test       install what is missing, build, and run all tests
#     make bench      measure this machine
#     make test-gpu   on a machine with a GPU: what only that can show
#     make bench-gpu  on a machine with a GPU: one table of what it does
#     make check-all  what is too slow for .ci/run, for a night
#     make release    a tarball and Debian packages of the commit that is checked out
#     make install PREFIX=/usr/local [DESTDIR=...]
BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=

.PHONY: all run test bench test-gpu bench-gpu deps build install uninstall format check-format check-all \
        release clean
.DEFAULT_GOAL := build

deps:
	@tools/install-deps.sh

build: deps
	@mkdir -p $(BUILD)
	@cmake -G Ninja -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release $(CMAKE_FLAGS) \
	    >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }
	@cmake --build $(BUILD)

all: build

run: build
	@tools/demo.sh $(BUILD)/lightcone $(BUILD)

test: build
	@cd $(BUILD) && ctest -j $(shell nproc) --output-on-failure --no-label-summary

bench: build
	@$(BUILD)/lightcone bench

test-gpu: build
	@LC_BUILD=$(BUILD) tools/test-gpu.sh

bench-gpu: build
	@LC_BUILD=$(BUILD) tools/bench-gpu.sh

install:
	@test -e $(BUILD)/lightcone || { echo "Type 'make' first: there is no $(BUILD)/lightcone."; exit 1; }
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

uninstall:
	@test -e $(BUILD)/install_manifest.txt || { echo "Nothing was installed from $(BUILD)."; exit 1; }
	@sed 's|^|$(DESTDIR)|' $(BUILD)/install_manifest.txt | tr '\n' '\0' | xargs -0 rm -fv

SOURCES = $(shell find include src gallery viewer cli bench tests tools -name '*.[ch]')

format:
	@clang-format -i $(SOURCES)

check-format:
	@clang-format --dry-run --Werror $(SOURCES)

check-all:
	@tools/check-all.sh

release:
	@tools/make-release.sh

clean:
	@rm -rf $(BUILD)
