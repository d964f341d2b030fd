# The flags of all targets, and the two helpers for folders: parley_library and parley_test.

find_program(CCACHE ccache)
if(CCACHE)
  # ccache settings for precompiled headers. All clones of the repository share compiled files.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

add_library(parley_flags INTERFACE)
target_include_directories(parley_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(parley_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Wimplicit-fallthrough -Wduplicated-cond
  -Wlogical-op -Werror -fstack-protector-strong)
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT PARLEY_SANITIZE)
  # -Wnull-dereference depends on the optimizer. Under the sanitizers it reports inserted code, and g++ 14 reports the
  # internals of the hash tables of the standard library.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(parley_flags INTERFACE -Wnull-dereference)
  endif()
  target_compile_definitions(parley_flags INTERFACE _GLIBCXX_ASSERTIONS _FORTIFY_SOURCE=3)
  target_link_options(parley_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # This warning reports every call that returns a reference and has a temporary among its arguments.
  target_compile_options(parley_flags INTERFACE -Wno-dangling-reference)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
if(CMAKE_UNITY_BUILD)
  # A batch includes .cpp files; the warning treats their anonymous namespaces as those of a header.
  target_compile_options(parley_flags INTERFACE -Wno-subobject-linkage)
endif()
if(PARLEY_SANITIZE)
  # Halves the build time, and debuggers find the code of a line at that line.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  target_compile_options(parley_flags INTERFACE -fsanitize=${PARLEY_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(parley_flags INTERFACE -fsanitize=${PARLEY_SANITIZE})
  if(PARLEY_SANITIZE MATCHES "undefined")
    target_compile_options(parley_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Only for fuzzing: the warnings are for g++, and clang 14 needs help with std::source_location.
  target_compile_options(parley_flags INTERFACE -Wno-unknown-warning-option -Wno-error
                         -include ${CMAKE_SOURCE_DIR}/tests/fuzz/driver/source_location.hpp
                         -fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/tests/fuzz/driver/ignored.txt)
endif()

set(PARLEY_ROOM_FILES 12 CACHE STRING "Files of a room that are compiled together")

# parley_group_by_room(TARGET SOURCES...): compiles the files of a room in batches of at most PARLEY_ROOM_FILES, so that a change
# recompiles only its room.
function(parley_group_by_room target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS ARGN)
    get_filename_component(room ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${room}" room)
    if(NOT DEFINED files_in_${room})
      set(files_in_${room} 0)
    endif()
    math(EXPR number "${files_in_${room}} / ${PARLEY_ROOM_FILES}")
    math(EXPR files_in_${room} "${files_in_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${room}_${number}")
  endforeach()
endfunction()

# parley_headers(NAME HEADERS...): a target whose precompiled header other targets reuse. It contains the standard headers that
# most files include and HEADERS. Targets that reuse it need the same optimization, but may have other warnings and definitions.
file(WRITE ${CMAKE_BINARY_DIR}/generated/empty.cpp "")
function(parley_headers name)
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/generated/empty.cpp)
  target_link_libraries(${name} PRIVATE parley_flags)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <atomic> <chrono> <cstdint> <functional> <map> <memory> <mutex> <optional> <set> <span> <string>
    <string_view> <unordered_map> <utility> <variant> <vector> ${ARGN})
endfunction()

# parley_library(NAME DEPENDS...): one library from every .cpp file of the calling folder and its rooms.
function(parley_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp)
  add_library(parley_${name} STATIC ${sources})
  parley_group_by_room(parley_${name} ${sources})
  set_target_properties(parley_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(parley_${name} PUBLIC parley_flags ${ARGN})
  if(ARGN MATCHES "caf|actors")
    target_precompile_headers(parley_${name} REUSE_FROM parley_actor_headers)
  else()
    target_precompile_headers(parley_${name} REUSE_FROM parley_standard_headers)
  endif()
endfunction()

# The tests, half of all code, need not be optimized; the product is.
set(parley_test_optimization -O0 -U_FORTIFY_SOURCE)

function(parley_sanitized_tests folder)
  set(filter *)
  if(PARLEY_SANITIZE MATCHES "thread" AND folder STREQUAL "actors")
    set(filter *Machine*)  # Debian builds CAF without TSan, which then reports nonexistent races in the scheduler of CAF
  endif()
  foreach(shard 0 1)
    add_test(NAME ${folder}.${shard} COMMAND ${folder}_test --gtest_brief=1 --gtest_filter=${filter})
    set_tests_properties(${folder}.${shard} PROPERTIES TIMEOUT 900 LABELS ${folder}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# parley_test(FOLDER LIBRARIES...): tests/FOLDER/*_test.cpp and those of its rooms as one GoogleTest program, one ctest entry for each test. Under
# the sanitizers, where a process takes long to start, two entries share all tests.
function(parley_test folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${folder}_test ${sources})
  target_link_libraries(${folder}_test PRIVATE parley_flags ${ARGN} GTest::gtest GTest::gmock GTest::gtest_main)
  if(ARGN MATCHES "actors|http|app|simulator")
    target_precompile_headers(${folder}_test REUSE_FROM parley_actor_test_headers)
  else()
    target_precompile_headers(${folder}_test REUSE_FROM parley_test_headers)
  endif()
  # The macros of GoogleTest trigger these warnings in every use.
  target_compile_options(${folder}_test PRIVATE -Wno-error=null-dereference)
  if(PARLEY_SANITIZE)
    target_compile_options(${folder}_test PRIVATE -Wno-maybe-uninitialized)
  endif()
  target_compile_options(${folder}_test PRIVATE ${parley_test_optimization})
  set_target_properties(${folder}_test PROPERTIES UNITY_BUILD_BATCH_SIZE 12)
  if(PARLEY_SANITIZE)
    parley_sanitized_tests(${folder})
    return()
  endif()
  include(GoogleTest)
  gtest_discover_tests(${folder}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 LABELS ${folder})
endfunction()
