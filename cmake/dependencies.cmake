# The Debian packages as imported targets. CAF, LMDB and Pistache ship no CMake config.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(RapidJSON REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(pistache REQUIRED IMPORTED_TARGET libpistache)
pkg_check_modules(libcurl REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(libzstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(libfyaml REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(jemalloc IMPORTED_TARGET jemalloc)  # optional: without it the program is slower (ADR 14)

# parley_find_library(TARGET HEADER LIBRARY): an imported target for a package without pkg-config and CMake files.
function(parley_find_library target header library)
  find_path(${target}_include ${header} REQUIRED)
  find_library(${target}_library ${library} REQUIRED)
  add_library(parley::${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(parley::${target} SYSTEM INTERFACE ${${target}_include})
  target_link_libraries(parley::${target} INTERFACE ${${target}_library} Threads::Threads)
endfunction()

parley_find_library(caf caf/all.hpp caf_core)
parley_find_library(lmdb lmdb.h lmdb)
parley_find_library(date date/date.h date-tz)
# The static library, because Debian's shared library does not export the hooks of RE2 that report a search on its slow path.
parley_find_library(re2 re2/re2.h libre2.a)
# Since 2023, RE2 uses Abseil, whose libraries the static library does not name.
pkg_check_modules(re2_package REQUIRED re2)
list(REMOVE_ITEM re2_package_STATIC_LIBRARIES re2)
target_link_libraries(parley::re2 INTERFACE ${re2_package_STATIC_LIBRARIES})
