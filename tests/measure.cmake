# Included by ctest before it reads the list of tests. Where tools/run-tests.sh has started ctest,
# each test is started by the same script, which writes down the CPU time. Otherwise, and where a
# program reads the list (ctest --show-only), the commands are those of tests/CMakeLists.txt.
if(DEFINED ENV{LC_TEST_RECORD})
  get_filename_component(LC_RUN_TESTS ${CMAKE_CURRENT_LIST_DIR}/../tools/run-tests.sh ABSOLUTE)
  function(add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 the "" "" "") # keeps a ";" that is inside of an argument
    _add_test(${name} ${LC_RUN_TESTS} --measure ${name} ${the_UNPARSED_ARGUMENTS})
  endfunction()
endif()
