#include "http/ui_assets/ui_assets.hpp"

#include <zlib.h>

#include <algorithm>

#include "model/check.hpp"
#include "ui_assets_table.hpp"

namespace parley::http {
namespace {

constexpr int gzip_window_bits = 15 + 16;  // the largest window, with a gzip header

std::string text_of(std::string_view start, std::string_view end) {
  const auto all = ui_assets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const UiAsset& each) {
    return each.name.starts_with(start) && each.name.ends_with(end);
  });
  return found == all.end() ? std::string() : unpacked(*found);
}

}  // namespace

std::span<const UiAsset> ui_assets() {
  return ui_table::assets;
}

std::string_view ui_shell() {
  return ui_table::shell;
}

std::string unpacked(const UiAsset& asset) {
  z_stream stream{};
  CHECK(inflateInit2(&stream, gzip_window_bits) == Z_OK);
  // zlib takes its input as a non-const pointer, but does not write to it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(asset.gzip.data()));
  stream.avail_in = static_cast<uInt>(asset.gzip.size());
  std::string plain;
  int state = Z_OK;
  while (state == Z_OK) {
    constexpr std::size_t step = 1 << 16;
    plain.resize(stream.total_out + step);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + stream.total_out);
    stream.avail_out = static_cast<uInt>(step);
    state = inflate(&stream, Z_NO_FLUSH);
  }
  CHECK(state == Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

const std::string& report_script() {
  static const std::string script = text_of("report-", ".js");
  return script;
}

const std::string& report_style() {
  static const std::string style = text_of("report-", ".css");
  return style;
}

}  // namespace parley::http
