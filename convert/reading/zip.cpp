#include "convert/reading/zip.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace parley::convert {
namespace {

constexpr std::string_view end_mark("PK\5\6", 4);
constexpr std::string_view entry_mark("PK\1\2", 4);
constexpr std::string_view local_mark("PK\3\4", 4);
constexpr std::size_t members_max = 100'000;

// Compression methods.
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint16_t zstandard = 93;

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

bool has_mark(std::string_view bytes, std::size_t at, std::string_view mark, std::size_t size) {
  return at + size <= bytes.size() && at + size >= size && bytes.substr(at, 4) == mark;
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || name[0] == '/' || name.find('\\') != std::string_view::npos) return false;
  return name != ".." && !name.starts_with("../") && name.find("/../") == std::string_view::npos &&
         !name.ends_with("/..");
}

/// Inflates raw deflate data into `out`, which has the expected size. False: the data is damaged or has another size.
bool inflate_into(std::string_view packed, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  Bytef spare = 0;
  if (out.empty()) {
    stream.next_out = &spare;
    stream.avail_out = 1;
  }
  const int ended = inflate(&stream, Z_FINISH);
  const bool is_whole = ended == Z_STREAM_END && stream.total_out == out.size();
  inflateEnd(&stream);
  return is_whole;
}

/// The same for Zstandard data in any number of frames.
bool decompress_into(std::string_view packed, std::string& out) {
  const std::size_t size = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
  return ZSTD_isError(size) == 0 && size == out.size();
}

}  // namespace

bool is_zip(std::string_view bytes) {
  return bytes.starts_with(local_mark) || bytes.starts_with(end_mark);
}

std::optional<std::vector<ZipMember>> zip_members(const std::string& path, std::string_view bytes,
                                                  Faults& faults) {
  const std::size_t end = bytes.rfind(end_mark);
  if (end == std::string_view::npos || end + 22 > bytes.size()) {
    faults.add(path, "is not a whole zip archive: its directory is missing");
    return std::nullopt;
  }
  std::size_t at = number_at(bytes, end + 16, 4);
  const std::size_t count = number_at(bytes, end + 10, 2);
  std::vector<ZipMember> members;
  for (std::size_t i = 0; i < count && i < members_max; ++i) {
    if (!has_mark(bytes, at, entry_mark, 46)) {
      faults.add(path,
                 "is a damaged zip archive: entry " + std::to_string(i + 1) + " of its directory is missing");
      return std::nullopt;
    }
    const std::size_t name_size = number_at(bytes, at + 28, 2);
    if (at + 46 + name_size > bytes.size()) {
      faults.add(path, "is a damaged zip archive: a name is cut off");
      return std::nullopt;
    }
    ZipMember member{std::string(bytes.substr(at + 46, name_size)),
                     static_cast<std::uint16_t>(number_at(bytes, at + 10, 2)),
                     number_at(bytes, at + 16, 4),
                     number_at(bytes, at + 20, 4),
                     number_at(bytes, at + 24, 4),
                     number_at(bytes, at + 42, 4)};
    if (!is_plain_name(member.name)) {
      faults.add(path, "the zip archive names a member outside its folder");
      return std::nullopt;
    }
    at += 46 + name_size + number_at(bytes, at + 30, 2) + number_at(bytes, at + 32, 2);
    members.push_back(std::move(member));
  }
  return members;
}

std::optional<std::string> zip_content(const std::string& path, std::string_view bytes,
                                       const ZipMember& member, Inputs& inputs, Faults& faults) {
  const std::string shown_path = path + "/" + member.name;
  const auto damaged = [&](const std::string& why) {
    faults.add(shown_path, why);
    return std::nullopt;
  };
  if (!has_mark(bytes, member.header_at, local_mark, 30))
    return damaged("is damaged: the header of the member is missing");
  const std::size_t begin = member.header_at + 30 + number_at(bytes, member.header_at + 26, 2) +
                            number_at(bytes, member.header_at + 28, 2);
  if (begin > bytes.size() || member.packed_size > bytes.size() - begin)
    return damaged("is damaged: the member is cut off");
  if (!inputs.take(member.size, shown_path)) return std::nullopt;
  const std::string_view packed = bytes.substr(begin, member.packed_size);
  std::string content;
  if (member.method == stored) {
    content = packed;
  } else if (member.method == deflated || member.method == zstandard) {
    content.resize(member.size);
    if (!(member.method == deflated ? inflate_into(packed, content) : decompress_into(packed, content)))
      return damaged("is damaged: it cannot be inflated to the size it claims");
  } else {
    return damaged("uses an unsupported compression; only deflate and Zstandard are supported");
  }
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  if (content.size() != member.size || sum != member.crc) return damaged("is damaged: its checksum is wrong");
  return content;
}

}  // namespace parley::convert
