#include "store/changelog/change_log.hpp"

#include <openssl/sha.h>

#include <ctime>

namespace parley::store {

LogPosition next_position(const LogPosition& before, std::string_view body) {
  std::array<std::uint8_t, 64> chained{};
  std::copy(before.digest.begin(), before.digest.end(), chained.begin());
  SHA256(reinterpret_cast<const unsigned char*>(body.data()), body.size(), chained.data() + 32);
  LogPosition after{before.seq + 1, {}};
  SHA256(chained.data(), chained.size(), after.digest.data());
  return after;
}

std::string_view bytes_of(const Digest256& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::int64_t boottime_ms() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000 + now.tv_nsec / 1'000'000;
}

}  // namespace parley::store
