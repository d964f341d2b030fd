#pragma once
/// Gunzip: decompresses gzip (RFC 1952) piece by piece as an answer's body arrives. libcurl could decompress
/// too, but does not distinguish a truncated stream from a whole one. Owned by a transfer whose answer is
/// compressed; used on its thread only.

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
    refused,    ///< by `take`
    broken,     ///< not gzip, or with a wrong checksum
    no_memory,  ///< not enough memory, also for the decompressor itself
  };
  /// Passes the decompressed bytes to `take`, in pieces of at most 16 KiB, until it returns false.
  [[nodiscard]] Fed feed(std::string_view packed, const std::function<bool(std::string_view)>& take);
  /// Every started stream has ended with its checksum. Several consecutive streams are one (RFC 1952
  /// 2.2); no bytes at all mean that nothing is compressed.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
  bool is_whole_ = true;
};

}  // namespace parley::outbound
