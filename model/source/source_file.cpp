#include "model/source/source_file.hpp"

#include <algorithm>

#include "model/check.hpp"

namespace parley::source {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
  begins_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
    begins_.push_back(at + 1);
  }
}

Position SourceFile::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
  const auto line = static_cast<std::size_t>(after - begins_.begin());
  const std::string_view before =
      std::string_view(text_).substr(begins_[line - 1], offset - begins_[line - 1]);
  const auto characters = std::count_if(before.begin(), before.end(), begins_character);
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(characters + 1)};
}

std::string_view SourceFile::line(std::uint32_t number) const {
  CHECK(number >= 1 && number <= begins_.size());
  const std::size_t begin = begins_[number - 1];
  const std::size_t end = number < begins_.size() ? begins_[number] - 1 : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

SourceFilePtr source_file(std::string name, std::string text) {
  return std::make_shared<const SourceFile>(std::move(name), std::move(text));
}

}  // namespace parley::source
