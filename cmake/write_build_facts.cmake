# Writes OUTPUT, a header that says what a program was built from and how: at each build, but only
# if something in it has changed.
#
#     cmake -DOUTPUT=FILE -DSOURCE=FOLDER -DFLAGS=TEXT -P write_build_facts.cmake
#
# LC_COMMIT is the commit that the source tree stands at, "" if that is no git repository of its own
# (an archive unpacked inside another one's is not), with "-dirty" where files differ from it.
set(commit "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    file(REAL_PATH "${top}" top)
    file(REAL_PATH "${SOURCE}" source)
    if(top STREQUAL source)
      execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12
                      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
  endif()
endif()
string(STRIP "${FLAGS}" flags)
string(REGEX REPLACE " +" " " flags "${flags}")
string(REPLACE "\\" "\\\\" flags "${flags}")
string(REPLACE "\"" "\\\"" flags "${flags}")
set(text "#define LC_COMMIT \"${commit}\"\n#define LC_COMPILER_FLAGS \"${flags}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUTPUT} "${text}")
endif()
