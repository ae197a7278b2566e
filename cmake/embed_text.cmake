# Text files as C arrays, without any tool but CMake.
#
#     lc_embed_texts(OUTPUT SYMBOL [HEADER header TYPE type] FILE...)
#
# makes the build write OUTPUT, a C file with `const lc_kernel_text SYMBOL[]` (or of another type with
# the same two members, from its header): each file's name without its folder, and its text; sorted
# by name, ended by an entry whose name is NULL. With no file at all, that is the only entry.
set(LC_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(lc_embed_texts output symbol)
  cmake_parse_arguments(PARSE_ARGV 2 embed "" "HEADER;TYPE" "")
  if(NOT embed_HEADER)
    set(embed_HEADER device/kernel_text.h)
    set(embed_TYPE lc_kernel_text)
  endif()
  set(sources ${embed_UNPARSED_ARGUMENTS})
  list(JOIN sources "|" files) # a list's own separator would not get through a command line
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} -DFILES=${files}
            -DHEADER=${embed_HEADER} -DTYPE=${embed_TYPE} -P ${LC_EMBED_SCRIPT}
    DEPENDS ${sources} ${LC_EMBED_SCRIPT}
    VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# The script's half: writes OUTPUT.
string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(entries "")
set(index 0)
set(names "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  list(APPEND names ${name})
  set(path_of_${name} ${file})
endforeach()
list(SORT names)
foreach(name IN LISTS names)
  file(READ ${path_of_${name}} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text_${index}[] = {\n    ${bytes}0x00};\n\n")
  string(APPEND entries "    {\"${name}\", (const char *)text_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_text.cmake.\n#include \"${HEADER}\"\n\n"
     "${arrays}const ${TYPE} ${SYMBOL}[] = {\n${entries}    {NULL, NULL},\n};\n")
