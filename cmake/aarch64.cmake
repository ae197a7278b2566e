# Cross-compiling for 64-bit Arm on Debian or Ubuntu: gcc-aarch64-linux-gnu, qemu-user, and the
# target's libraries as tools/arm64-libraries.sh unpacks them. Usage:
#
#     tools/arm64-libraries.sh build-arm64/root
#     cmake -G Ninja -S . -B build-arm64 --toolchain cmake/aarch64.cmake
#
# The tests then run under qemu-aarch64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

if(NOT LC_ARM64_ROOT)
  set(LC_ARM64_ROOT ${CMAKE_BINARY_DIR}/root)
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LC_ARM64_ROOT)
set(CMAKE_FIND_ROOT_PATH ${LC_ARM64_ROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(ENV{PKG_CONFIG_SYSROOT_DIR} ${LC_ARM64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR}
    ${LC_ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${LC_ARM64_ROOT}/usr/share/pkgconfig)

# The C library is the cross compiler's, the others are those unpacked.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${LC_ARM64_ROOT}/usr/lib/aarch64-linux-gnu)
