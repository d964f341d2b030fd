#pragma once
/// Gunzip: decompresses gzip (RFC 1952) piece by piece as the body of an answer arrives. libcurl could also
/// decompress, but it does not distinguish a truncated stream from a complete one. Owned by a transfer whose
/// answer is compressed; used on its thread only.

#include <zlib.h>

#include <functional>
#include <string_view>

namespace parley::outbound {

class Gunzip {
 public:
  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  enum class Fed {
    all,
    refused,    ///< `take` returned false
    broken,     ///< not gzip, or a wrong checksum
    no_memory,  ///< not enough memory, also for the decompressor itself
  };
  /// Passes the decompressed bytes to `take` in pieces of at most 16 KiB, until `take` returns false.
  [[nodiscard]] Fed feed(std::string_view packed, const std::function<bool(std::string_view)>& take);
  /// Whether every started stream has ended with its checksum. Several consecutive streams count as one (RFC
  /// 1952 2.2). No bytes at all means that nothing is compressed.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
  bool is_whole_ = true;
};

}  // namespace parley::outbound
