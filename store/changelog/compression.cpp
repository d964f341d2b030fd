#include "store/changelog/compression.hpp"

#include <zstd.h>

#include "model/check.hpp"

namespace parley::store {
namespace {

constexpr int compression_level = 1;

}  // namespace

std::string compressed(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t got =
      ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), compression_level);
  CHECK(ZSTD_isError(got) == 0);
  out.resize(got);
  return out;
}

std::optional<std::string> decompressed(std::string_view frame, std::size_t bytes_max) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN || bytes == ZSTD_CONTENTSIZE_ERROR || bytes > bytes_max)
    return std::nullopt;
  std::string out(bytes, '\0');
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != out.size()) return std::nullopt;
  return out;
}

}  // namespace parley::store
