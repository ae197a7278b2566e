# Text files as C arrays, without any tool but CMake.
#
#     lc_embed_texts(OUTPUT SYMBOL FILE... [TYPE lc_kernel_text HEADER device/kernel_text.h])
#
# makes the build write OUTPUT, a C file with `const TYPE SYMBOL[]`, declared by HEADER: each file's
# name without its folder, and its text; sorted by name, ended by an entry whose name is NULL. With
# no file at all, that is the only entry.
#
# With WEB behind it, for the files of a page: an entry then also has the text compressed by gzip,
# the number of its bytes, and a word that changes with the text. And first.js and main.js then have
# in them all modules that they import, since a browser would fetch those one after the other: what
# first.js has in it main.js takes from there, so that each module is there once. index.html has
# early.js in it, whose hash, as a content security policy has it, is SYMBOL_script_hash.
set(LC_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(lc_embed_texts output symbol)
  cmake_parse_arguments(embed "WEB" "TYPE;HEADER" "" ${ARGN})
  if(NOT embed_TYPE)
    set(embed_TYPE lc_kernel_text)
    set(embed_HEADER device/kernel_text.h)
  endif()
  # A list's own separator would not get through a command line.
  list(JOIN embed_UNPARSED_ARGUMENTS "|" files)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} -DFILES=${files}
            -DTYPE=${embed_TYPE} -DHEADER=${embed_HEADER} -DWEB=${embed_WEB} -P ${LC_EMBED_SCRIPT}
    DEPENDS ${embed_UNPARSED_ARGUMENTS} ${LC_EMBED_SCRIPT}
    VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# The script's half: writes OUTPUT.
cmake_minimum_required(VERSION 3.20)
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

# Appends a module to the bundle, behind those that it imports: a function that has its text, and
# returns what it exports, is called where it stands. Imports are
# `import { a, b } from './name.js';`, exports have `export` in front of them, and no module imports
# itself through others.
function(add_module name)
  get_property(modules GLOBAL PROPERTY lc_modules)
  if(name IN_LIST modules)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY lc_modules ${name})
  file(READ ${path_of_${name}.js} text)
  string(REGEX MATCHALL "from '\\./[a-z0-9_]+\\.js';" imports "\n${text}")
  string(REGEX MATCHALL "[a-z0-9_]+\\.js" imports "${imports}")
  foreach(import IN LISTS imports)
    string(REPLACE ".js" "" import ${import})
    add_module(${import})
  endforeach()
  string(REGEX REPLACE "\nimport ({[^}]*})[ \n]+from '\\./([a-z0-9_]+)\\.js';"
         "\nconst \\1 = in_\\2;" text "\n${text}")
  if(NOT name STREQUAL "first" AND NOT name STREQUAL "main")
    string(REGEX MATCHALL "\nexport (async )?[a-z]+ [A-Za-z0-9_]+" exports "${text}")
    string(REGEX REPLACE "\nexport [a-z ]* ([A-Za-z0-9_]+)" "\\1" exports "${exports}")
    string(REPLACE ";" ", " exports "${exports}")
    string(REPLACE "\nexport " "\n" text "${text}")
    set(text "\nconst in_${name} = (() => {${text}\nreturn { ${exports} };\n})();\n")
  endif()
  get_property(bundle GLOBAL PROPERTY lc_bundle)
  set_property(GLOBAL PROPERTY lc_bundle "${bundle}${text}")
endfunction()

# Makes a bundle of a module and all that it imports, but what the bundles before it have.
function(make_bundle name before)
  set_property(GLOBAL PROPERTY lc_bundle "${before}")
  add_module(${name})
  get_property(bundle GLOBAL PROPERTY lc_bundle)
  if(name STREQUAL "first")
    get_property(modules GLOBAL PROPERTY lc_modules)
    list(REMOVE_ITEM modules first)
    list(TRANSFORM modules PREPEND "in_")
    list(JOIN modules ", " modules)
    string(APPEND bundle "export { ${modules} };\n")
    set(in_first "import * as in_first from './first.js';\nconst { ${modules} } = in_first;\n"
        PARENT_SCOPE)
  endif()
  # Comments that begin a line are half of it, and stay in the modules, which are served, too.
  string(REGEX REPLACE "\n *//[^\n]*" "\n" bundle "${bundle}")
  string(REGEX REPLACE "\n */\\*\\*([^*]|\\*+[^*/])*\\*+/" "\n" bundle "${bundle}")
  file(WRITE ${OUTPUT}.${name}.js "${bundle}")
  set(path_of_${name}.js ${OUTPUT}.${name}.js PARENT_SCOPE)
endfunction()
if(WEB)
  make_bundle(first "")
  make_bundle(main "${in_first}")
endif()

# Sets `out` to the base64 of 32 bytes in hexadecimal digits.
function(base64_of_hash hex out)
  set(letters "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hex}00" ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR letter "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING "${letters}" ${letter} 1 letter)
      string(APPEND text "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${out} "${text}=" PARENT_SCOPE)
endfunction()

if(WEB)
  file(READ ${path_of_early.js} early)
  string(REGEX REPLACE "(^|\n) *//[^\n]*" "\n" early "${early}")
  string(SHA256 hash "${early}")
  base64_of_hash(${hash} hash)
  file(READ ${path_of_index.html} html)
  string(REPLACE "<script src=\"early.js\"></script>" "<script>${early}</script>" html "${html}")
  file(WRITE ${OUTPUT}.index.html "${html}")
  set(path_of_index.html ${OUTPUT}.index.html)
  string(APPEND arrays "const char ${SYMBOL}_script_hash[] = \"sha256-${hash}\";\n\n")
endif()

# Adds an array of bytes, of which `hex` has the digits.
function(add_array name hex)
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(arrays "${arrays}static const unsigned char ${name}[] = {\n    ${bytes}0x00};\n\n"
      PARENT_SCOPE)
endfunction()

foreach(name IN LISTS names)
  set(path ${path_of_${name}})
  file(READ ${path} bytes HEX)
  add_array(text_${index} "${bytes}")
  string(APPEND entries "    {\"${name}\", (const char *)text_${index}")
  if(WEB)
    file(ARCHIVE_CREATE OUTPUT ${OUTPUT}.gz PATHS ${path} FORMAT raw COMPRESSION GZip
         COMPRESSION_LEVEL 9)
    file(READ ${OUTPUT}.gz bytes HEX)
    file(REMOVE ${OUTPUT}.gz)
    # Without the time: what is built from the same files is the same.
    string(SUBSTRING "${bytes}" 0 8 head)
    string(SUBSTRING "${bytes}" 16 -1 bytes)
    set(bytes "${head}00000000${bytes}")
    add_array(gzip_${index} "${bytes}")
    file(SHA256 ${path} word)
    string(SUBSTRING ${word} 0 16 word)
    string(APPEND entries ", gzip_${index}, sizeof gzip_${index} - 1, \"${word}\"")
  endif()
  string(APPEND entries "},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_text.cmake.\n#include \"${HEADER}\"\n\n"
     "${arrays}const ${TYPE} ${SYMBOL}[] = {\n${entries}    {0},\n};\n")
