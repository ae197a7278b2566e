# The themes of the viewer's page as a C table, so that films have its colours. The one place where
# they stand is viewer/page/themes.js.
#
#     lc_embed_themes(OUTPUT)
#
# makes the build write OUTPUT, a C file with the table of record/film_colours.h, lc_themes. The
# list of themes in that module is nothing but names, texts, lists and calls of `tone`, and is C
# as well once these are written as C writes them. What the compiler then reads it checks.
set(LC_THEMES_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(lc_embed_themes output)
  set(module ${PROJECT_SOURCE_DIR}/viewer/page/themes.js)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DMODULE=${module} -P ${LC_THEMES_SCRIPT}
    DEPENDS ${module} ${LC_THEMES_SCRIPT}
    VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# The script's half: writes OUTPUT.
cmake_minimum_required(VERSION 3.20)
file(READ ${MODULE} text)
set(begin "export const themes = [\n")
string(FIND "${text}" "${begin}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${MODULE} has no list of themes")
endif()
string(SUBSTRING "${text}" 0 ${at} head)
string(LENGTH "${begin}" length)
math(EXPR at "${at} + ${length}")
string(SUBSTRING "${text}" ${at} -1 list)
string(FIND "${list}" "\n]" end)
string(SUBSTRING "${list}" 0 ${end} list)

# Colours that have a name.
string(REGEX REPLACE ".*\nconst night = .([0-9, ]+).\;.*" "\\1" night "${head}")
string(REGEX REPLACE ".*\nconst paper = .([0-9, ]+).\;.*" "\\1" paper "${head}")
string(REPLACE "dead: night" "dead: {${night}}" list "${list}")
string(REPLACE "dead: paper" "dead: {${paper}}" list "${list}")

string(REGEX REPLACE "tone\\(([^)]*)\\)" "{\\1}" list "${list}")
string(REPLACE "[]" "{{0}}" list "${list}")
string(REPLACE "[" "{" list "${list}")
string(REPLACE "]" "}" list "${list}")
string(REPLACE "'" "\"" list "${list}")
string(REGEX REPLACE "([ {\n])([a-z]+): " "\\1.\\2 = " list "${list}")
file(WRITE ${OUTPUT} "// Written by cmake/embed_themes.cmake from viewer/page/themes.js.\n"
     "#include \"record/film_colours.h\"\n\nconst lc_theme lc_themes[] = {\n${list}\n    {0},\n};\n")
