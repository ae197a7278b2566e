# The viewer's page has the themes of films. Their table is src/record/themes.c.
#
#     lc_embed_themes(OUTPUT)
#
# makes the build write OUTPUT: the module viewer/page/themes.js with the themes in its empty list.
set(LC_THEMES_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(lc_embed_themes output)
  set(table ${PROJECT_SOURCE_DIR}/src/record/themes.c)
  set(module ${PROJECT_SOURCE_DIR}/viewer/page/themes.js)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DTABLE=${table} -DMODULE=${module}
            -P ${LC_THEMES_SCRIPT}
    DEPENDS ${table} ${module} ${LC_THEMES_SCRIPT}
    VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

# The script's half: writes OUTPUT.
cmake_minimum_required(VERSION 3.20)
file(READ ${TABLE} list)
string(REGEX REPLACE ".* lc_themes\\[\\] = {\n(.*)\n    {0},\n.*" "\\1" list "${list}")
string(REPLACE "{{0}}" "{}" list "${list}")
string(REGEX REPLACE "\\.dead = {([^}]*)}" "dead: [\\1]" list "${list}")
set(number "([0-9.]+)")
string(REGEX REPLACE "{${number}, ${number}, ${number}}" "(lightness: \\1, chroma: \\2, hue: \\3)"
       list "${list}")
string(REGEX REPLACE "\\.(levels|live|trail) = {([^}]*)}" "\\1: [\\2]" list "${list}")
string(REPLACE "(" "{" list "${list}")
string(REPLACE ")" "}" list "${list}")
string(REGEX REPLACE "\\.([a-z]+) = " "\\1: " list "${list}")
string(REPLACE "\"" "'" list "${list}")
file(READ ${MODULE} text)
string(REPLACE "const themes = [];" "const themes = [\n${list}\n];" whole "${text}")
if(whole STREQUAL text OR list MATCHES "lc_themes")
  message(FATAL_ERROR "${MODULE} has no empty list of themes, or ${TABLE} no themes")
endif()
file(WRITE ${OUTPUT} "${whole}")
