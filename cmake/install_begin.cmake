# Run by `cmake --install` before anything is copied. Writes down the folders that are about to be
# made, so that `make uninstall` removes these and no others, and chooses the .pc file.
cmake_minimum_required(VERSION 3.20)

# What was made by an installation before still counts.
set(record "${LC_BUILD}/install_folders.txt")
set(made "")
if(EXISTS "${record}")
  file(READ "${record}" made)
  file(REMOVE "${record}") # it may be root's, in a folder of somebody else's
endif()
foreach(folder IN LISTS LC_FOLDERS)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  set(folder "$ENV{DESTDIR}${folder}")
  while(NOT EXISTS "${folder}")
    string(FIND "\n${made}" "\n${folder}\n" position)
    if(position EQUAL -1)
      string(APPEND made "${folder}\n")
    endif()
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endforeach()
file(WRITE "${record}" "${made}")

# The folders that the loader looks into, as ldconfig knows them.
cmake_path(ABSOLUTE_PATH LC_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
           OUTPUT_VARIABLE LC_LIBRARIES)
file(REAL_PATH "${LC_LIBRARIES}" libraries)
set(LC_LOADER_LOOKS FALSE)
find_program(LC_LDCONFIG ldconfig PATHS /sbin /usr/sbin)
if(LC_LDCONFIG)
  execute_process(COMMAND "${LC_LDCONFIG}" -v -N -X OUTPUT_VARIABLE listing ERROR_QUIET)
  string(REGEX MATCHALL "\n/[^:\n]*:" folders "\n${listing}")
  foreach(folder IN LISTS folders)
    string(REGEX REPLACE "^\n(.*):$" "\\1" folder "${folder}")
    file(REAL_PATH "${folder}" folder)
    if(folder STREQUAL libraries)
      set(LC_LOADER_LOOKS TRUE)
    endif()
  endforeach()
endif()

# A package for the system never has an rpath, whatever machine it is made on.
set(pc_file "${LC_BUILD}/pkgconfig/rpath/lightcone.pc")
if(LC_LOADER_LOOKS OR CMAKE_INSTALL_PREFIX MATCHES "^(/usr)?/?$")
  set(pc_file "${LC_BUILD}/pkgconfig/lightcone.pc")
endif()
file(INSTALL "${pc_file}" DESTINATION "${LC_LIBRARIES}/pkgconfig")
