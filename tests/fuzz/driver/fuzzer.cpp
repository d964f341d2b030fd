// One target under libFuzzer; PARLEY_FUZZ_TARGET is its function.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  parley::fuzz::PARLEY_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
