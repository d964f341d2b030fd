#pragma once
/// Unpacker: unpacks gzip (RFC 1952) piece by piece, as an answer's body comes. libcurl could unpack as well, but does not tell
/// a stream that was cut off from a whole one. A transfer whose answer is packed owns one; its thread only.

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
    broken,     ///< not gzip, or its checksum is another one
    no_memory,  ///< also where there was none for the unpacker itself
  };
  /// Hands what the next bytes unpack to over to `take`, in pieces of at most 16 KiB, until it says false.
  [[nodiscard]] Fed feed(std::string_view packed, const std::function<bool(std::string_view)>& take);
  /// Nothing is begun that has not come to its end with its checksum. Several streams one behind the other are one (RFC 1952 2.2);
  /// no byte at all is nothing packed.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
  bool is_whole_ = true;
};

}  // namespace parley::outbound
