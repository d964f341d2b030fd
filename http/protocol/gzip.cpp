#include "http/protocol/gzip.hpp"

#include <zlib.h>

#include <algorithm>

#include "http/protocol/field_grammar.hpp"
#include "model/check.hpp"

namespace parley::http {
namespace {

constexpr int gzip_level = 1;
constexpr int gzip_window_bits = 15 + 16;  // the largest window, with a gzip header
constexpr int gzip_memory_level = 8;
constexpr int weight_most = 1000;

/// The weight in thousandths; a malformed weight counts as 0.
int weight_of(std::string_view digits) {
  if (digits.empty()) return weight_most;
  if (digits.size() > 5 || (digits.size() > 1 && digits[1] != '.')) return 0;
  if (digits[0] != '0' && digits[0] != '1') return 0;
  int weight = digits[0] == '1' ? weight_most : 0;
  int unit = 100;
  for (const char digit : digits.substr(std::min<std::size_t>(2, digits.size()))) {
    if (digit < '0' || digit > '9') return 0;
    weight += (digit - '0') * unit;
    unit /= 10;
  }
  return weight > weight_most ? 0 : weight;
}

bool has_body_to_pack(const Response& response) {
  const bool is_packed = std::any_of(response.fields.begin(), response.fields.end(),
                                     [](const auto& field) { return field.first == "Content-Encoding"; });
  return !is_packed && may_have_body(response.status) && response.body.size() >= gzip_bytes_min &&
         response.body.size() <= gzip_bytes_max;
}

}  // namespace

bool wants_gzip(std::string_view accept_encoding) {
  std::optional<int> gzip;
  std::optional<int> identity;
  std::optional<int> others;
  for (const std::string_view element : list_elements(accept_encoding)) {
    const auto [coding, written] = preferred(element);
    const int weight = weight_of(written);
    if (same_ignoring_case(coding, "gzip") || same_ignoring_case(coding, "x-gzip")) gzip = weight;
    if (same_ignoring_case(coding, "identity")) identity = weight;
    if (coding == "*") others = weight;
  }
  const int packed = gzip ? *gzip : others.value_or(0);
  return packed > 0 && packed >= identity.value_or(0);
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, gzip_level, Z_DEFLATED, gzip_window_bits, gzip_memory_level,
                     Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  // zlib takes its input as a non-const pointer, but does not write to it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::optional<std::string> unzipped(std::string_view packed, std::size_t most) {
  z_stream stream{};
  CHECK(inflateInit2(&stream, gzip_window_bits) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int code = Z_OK;
  while (code == Z_OK && text.size() <= most) {
    constexpr std::size_t step = 64 * 1024;
    const std::size_t before = text.size();
    text.resize(before + step);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
    stream.avail_out = static_cast<uInt>(step);
    code = inflate(&stream, Z_NO_FLUSH);
    text.resize(before + step - stream.avail_out);
  }
  const bool is_whole = code == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_whole || text.size() > most) return std::nullopt;
  return text;
}

std::string packed_tag(std::string_view tag) {
  if (tag.empty() || tag.back() != '"') return std::string(tag);
  return std::string(tag.substr(0, tag.size() - 1)) + "-gzip\"";
}

void encode(Response& response, bool client_wants_gzip) {
  if (!client_wants_gzip || !has_body_to_pack(response)) return;
  response.body = gzipped(response.body);
  response.fields.emplace_back("Content-Encoding", "gzip");
  for (auto& [name, value] : response.fields) {
    if (name == "ETag") value = packed_tag(value);
  }
}

}  // namespace parley::http
