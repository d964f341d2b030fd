# The page under /ui/ (ui/): bundled with Debian's esbuild, React and d3, compressed, and embedded in the program. The target
# parley_ui_assets has the table of its files. -DPARLEY_UI=OFF omits the page.
option(PARLEY_UI "Build the page into the program" ON)
enable_language(ASM)

set(ui_out ${CMAKE_BINARY_DIR}/generated/ui)
set(ui_tool ${CMAKE_SOURCE_DIR}/ui/bundle.py)
set(ui_inputs ${ui_tool})
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(PARLEY_UI)
  find_program(ESBUILD esbuild)
  if(NOT ESBUILD OR NOT EXISTS /usr/share/nodejs/react-dom OR NOT EXISTS /usr/share/nodejs/d3-array)
    message(FATAL_ERROR "The page needs: apt-get install esbuild node-react node-react-dom node-d3 "
                        "(or -DPARLEY_UI=OFF leaves the page out)")
  endif()
  file(GLOB_RECURSE ui_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/ui/*.ts ${CMAKE_SOURCE_DIR}/ui/*.tsx
       ${CMAKE_SOURCE_DIR}/ui/*.css ${CMAKE_SOURCE_DIR}/ui/*.html)
  list(APPEND ui_inputs ${ui_sources})
  set(ui_with --esbuild ${ESBUILD})
endif()

add_custom_command(
  OUTPUT ${ui_out}/ui_assets.S ${ui_out}/ui_assets_table.hpp
  COMMAND ${Python3_EXECUTABLE} ${ui_tool} --source ${CMAKE_SOURCE_DIR}/ui --out ${ui_out} ${ui_with}
  DEPENDS ${ui_inputs} COMMENT "Bundling the page" VERBATIM)
add_custom_target(parley_ui_table DEPENDS ${ui_out}/ui_assets_table.hpp)
add_library(parley_ui_assets STATIC ${ui_out}/ui_assets.S)
set_target_properties(parley_ui_assets PROPERTIES LINKER_LANGUAGE CXX UNITY_BUILD OFF)
target_include_directories(parley_ui_assets INTERFACE ${ui_out})
add_dependencies(parley_ui_assets parley_ui_table)
