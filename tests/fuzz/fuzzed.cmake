# The files of http/ and store/ that the fuzz targets use: neither actors nor the reactor, whose packages are not built for the
# sanitizers. fuzz_test links them too, so that every build detects a missing file.
set(sources)
foreach(name protocol/framer protocol/chunked protocol/head protocol/field_grammar
        bodies/log_messages protocol/request)
  list(APPEND sources ${CMAKE_SOURCE_DIR}/http/${name}.cpp)
endforeach()
foreach(name engine/value engine/entry_codec views/aggregates tables engine/encoding)
  list(APPEND sources ${CMAKE_SOURCE_DIR}/store/${name}.cpp)
endforeach()
add_library(parley_fuzzed STATIC ${sources})
target_link_libraries(parley_fuzzed PUBLIC parley_flags parley_convert parley_scoring parley_tester parley_outbound parley_model
                                           OpenSSL::Crypto ZLIB::ZLIB parley::lmdb)
