#pragma once
/// Reads zip archives whose members are stored, deflated or compressed with Zstandard. The decompressed size is
/// limited, and a member's name is never used as a path. One thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/inputs.hpp"

namespace parley::convert {

struct ZipMember {
  std::string name;
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::size_t packed_size = 0;
  std::size_t size = 0;
  std::size_t header_at = 0;
};

[[nodiscard]] bool is_zip(std::string_view bytes);
/// The members listed in the central directory. nullopt: a fault was added.
[[nodiscard]] std::optional<std::vector<ZipMember>> zip_members(const std::string& path,
                                                                std::string_view bytes, Faults& faults);
/// The content of a member; its size counts toward the limit of `inputs`. nullopt: a fault was added.
[[nodiscard]] std::optional<std::string> zip_content(const std::string& path, std::string_view bytes,
                                                     const ZipMember& member, Inputs& inputs, Faults& faults);

}  // namespace parley::convert
