#include "outbound/client/gunzip.hpp"

#include <array>

namespace parley::outbound {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;
constexpr std::size_t piece_bytes = 16 * 1024;

}  // namespace

Gunzip::Gunzip() : is_ready_(inflateInit2(&stream_, gzip_only) == Z_OK) {}

Gunzip::~Gunzip() {
  if (is_ready_) inflateEnd(&stream_);
}

Gunzip::Fed Gunzip::feed(std::string_view packed, const std::function<bool(std::string_view)>& take) {
  if (!is_ready_) return Fed::no_memory;
  // zlib does not write to it; whether its pointer is const depends on how zlib was built.
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream_.avail_in = static_cast<uInt>(packed.size());
  std::array<char, piece_bytes> piece;
  while (true) {
    if (is_whole_) {
      if (stream_.avail_in == 0) return Fed::all;
      inflateReset(&stream_);  // another stream begins
    }
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = static_cast<uInt>(piece.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) return Fed::no_memory;
    // Z_BUF_ERROR: all received bytes are decompressed, and more must follow.
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return Fed::broken;
    is_whole_ = code == Z_STREAM_END;
    const std::size_t unpacked = piece.size() - stream_.avail_out;
    if (unpacked > 0 && !take({piece.data(), unpacked})) return Fed::refused;
    if (!is_whole_ && stream_.avail_in == 0 && stream_.avail_out > 0) return Fed::all;
  }
}

}  // namespace parley::outbound
