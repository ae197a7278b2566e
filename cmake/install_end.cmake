# Run by `cmake --install` when everything is copied: tells the loader about the library, and says
# what has to be set for the command, the manual and pkg-config's file to be found, if anything has.
cmake_minimum_required(VERSION 3.20)

# With DESTDIR nothing is where it will be used.
if(NOT "$ENV{DESTDIR}" STREQUAL "")
  return()
endif()

cmake_path(ABSOLUTE_PATH LC_BINDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
           OUTPUT_VARIABLE commands)
cmake_path(ABSOLUTE_PATH LC_MANDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE manuals)
set(settings "")

# first_line(NAME COMMAND...): what a command prints first; empty if it fails or is not there.
function(first_line name)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE result)
  string(REGEX REPLACE "\n.*" "" text "${text}")
  if(NOT result EQUAL 0)
    set(text "")
  endif()
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

# set_path(VARIABLE FOLDER): a line for the shell that puts the folder first in the variable.
function(set_path variable folder)
  string(REGEX REPLACE "([\\\\\"$`])" "\\\\\\1" folder "${folder}")
  set(settings "${settings}    export ${variable}=\"${folder}:$${variable}\"\n" PARENT_SCOPE)
endfunction()

first_line(found sh -c "command -v lightcone")
if(NOT found STREQUAL "${commands}/lightcone")
  set_path(PATH "${commands}")
endif()

# man finds share/man beside a bin that is in PATH, unless it was told otherwise.
find_program(LC_MANPATH manpath)
if(LC_MANPATH)
  first_line(found ${CMAKE_COMMAND} -E env "PATH=${commands}:$ENV{PATH}" "${LC_MANPATH}" -q)
  string(FIND ":${found}:" ":${manuals}:" position)
  if(position EQUAL -1)
    set_path(MANPATH "${manuals}") # an empty part is what man knows by itself
  endif()
endif()

set(pkg_config "$ENV{PKG_CONFIG}")
if(pkg_config STREQUAL "")
  set(pkg_config pkg-config)
endif()
first_line(found "${pkg_config}" --variable=pcfiledir lightcone)
string(REGEX REPLACE "\\\\(.)" "\\1" found "${found}") # it puts backslashes before blanks
if(NOT found STREQUAL "${LC_LIBRARIES}/pkgconfig")
  set_path(PKG_CONFIG_PATH "${LC_LIBRARIES}/pkgconfig")
endif()

# The loader has a list of what is in its folders, which only root can renew.
set(once "")
if(LC_LOADER_LOOKS)
  first_line(user id -u)
  if(user STREQUAL "0")
    execute_process(COMMAND "${LC_LDCONFIG}" ERROR_QUIET)
  endif()
  execute_process(COMMAND "${LC_LDCONFIG}" -p OUTPUT_VARIABLE known ERROR_QUIET)
  string(FIND "${known}" " => ${LC_LIBRARIES}/liblightcone.so" position)
  if(position EQUAL -1)
    set(once "\nSo that programs find the library, type this once:\n    sudo ldconfig\n")
  endif()
endif()

set(text "lightcone is installed in ${CMAKE_INSTALL_PREFIX}.")
if(NOT settings STREQUAL "")
  string(APPEND text "\nTo use it, type these lines, and add them to ~/.profile:\n${settings}")
endif()
string(STRIP "${text}${once}" text) # message() ends the line
message(NOTICE "\n${text}")
