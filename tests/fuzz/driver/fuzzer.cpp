// Runs one target under libFuzzer; PARLEY_FUZZ_TARGET is the function of the target.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  parley::fuzz::PARLEY_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
