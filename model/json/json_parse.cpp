// The only file that uses RapidJSON: its SAX events become the tree of json.hpp.

#if defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"
#include "model/limits.hpp"
#include "model/text/text_scan.hpp"
#include "model/text/utf8.hpp"

namespace parley::json {
namespace {

/// Parses in place, because RapidJSON then finds and keeps strings 16 bytes at a time. Its own check of the encoding would
/// read each byte, so parley checks the encoding.
constexpr unsigned parse_flags =
    rapidjson::kParseIterativeFlag | rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag;

/// RapidJSON may read this many bytes after the end of the text, without using them.
constexpr std::size_t read_ahead = 16;

/// Above this many members duplicate names are looked up in a hash set instead of one by one.
constexpr std::size_t linear_keys_max = 8;

/// An object or array whose end has not been read yet.
struct Open {
  std::uint32_t node;
  std::vector<std::uint32_t> keys;  ///< nodes of the members so far; objects only
};

/// Receives RapidJSON's events. Returning false stops the parser; `reason` then has the cause.
class TreeBuilder {
 public:
  using Ch = char;
  using SizeType = rapidjson::SizeType;

  /// `pool` is a copy of `text`; `stream` reads it and leaves the decoded strings in it.
  TreeBuilder(std::string_view text, std::string_view pool, rapidjson::InsituStringStream& stream,
              const Bounds& bounds)
      : text_(text), pool_(pool), stream_(stream), bounds_(bounds) {}

  // RapidJSON prescribes these names. A word is consumed before its event, a number or a string is not.
  // NOLINTBEGIN(readability-identifier-naming)
  bool Null() { return scalar(Kind::null, stream_.Tell() - 4, stream_.Tell()); }
  bool Bool(bool value) {
    scalar(Kind::boolean, stream_.Tell() - (value ? 4 : 5), stream_.Tell());
    nodes.back().flag = value;
    return true;
  }
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const Ch*, SizeType length, bool) {
    if (length > limits::json_number_bytes_max) return stop("a number of more than 64 characters");
    return scalar(Kind::number, stream_.Tell(), stream_.Tell() + length);
  }
  bool String(const Ch* characters, SizeType length, bool) {
    scalar(Kind::string, stream_.Tell(), string_end(text_, stream_.Tell()));
    return keep(characters, length, nodes.back().text_begin, nodes.back().text_size);
  }
  bool StartObject() { return open(Kind::object); }
  bool Key(const Ch* characters, SizeType length, bool) {
    if (open_.back().keys.size() >= bounds_.keys_max) return stop("an object of more than 1,000 keys");
    return keep(characters, length, key_begin_, key_size_);
  }
  bool EndObject(SizeType count) { return has_no_duplicate() && close(count); }
  bool StartArray() { return open(Kind::array); }
  bool EndArray(SizeType count) { return close(count); }
  // NOLINTEND(readability-identifier-naming)

  std::vector<Node> nodes;
  std::string reason;
  /// The position of the fault, if it is not where the parser stopped.
  std::optional<std::size_t> place;

 private:
  bool stop(std::string why) {
    reason = std::move(why);
    return false;
  }

  bool keep(const Ch* characters, SizeType length, std::uint32_t& begin, std::uint32_t& size) {
    const std::string_view decoded(characters, length);
    begin = static_cast<std::uint32_t>(characters - pool_.data());
    size = length;
    // RapidJSON accepts a lone low surrogate escape; its UTF-8 form begins with ED A0..BF.
    for (auto at = decoded.find('\xed'); at != std::string_view::npos; at = decoded.find('\xed', at + 1)) {
      if (at + 1 < decoded.size() && static_cast<unsigned char>(decoded[at + 1]) >= 0xa0) {
        return stop("half a surrogate pair");
      }
    }
    return true;
  }

  Node& add(Kind kind) {
    if (!open_.empty() && nodes[open_.back().node].kind == Kind::object) {
      open_.back().keys.push_back(static_cast<std::uint32_t>(nodes.size()));
    }
    Node& node = nodes.emplace_back();
    node.kind = kind;
    node.key_begin = key_begin_;
    node.key_size = key_size_;
    key_size_ = 0;
    return node;
  }

  bool scalar(Kind kind, std::size_t begin, std::size_t end) {
    Node& node = add(kind);
    node.raw_begin = static_cast<std::uint32_t>(begin);
    node.raw_end = static_cast<std::uint32_t>(end);
    node.next = static_cast<std::uint32_t>(nodes.size());
    return true;
  }

  bool open(Kind kind) {
    if (open_.size() >= bounds_.depth_max)
      return stop("more than " + std::to_string(bounds_.depth_max) + " levels of nesting");
    Node& node = add(kind);
    // The event comes before the bracket is consumed.
    node.raw_begin = static_cast<std::uint32_t>(stream_.Tell());
    open_.push_back({static_cast<std::uint32_t>(nodes.size() - 1), {}});
    return true;
  }

  bool close(SizeType count) {
    Node& node = nodes[open_.back().node];
    node.raw_end = static_cast<std::uint32_t>(stream_.Tell() + 1);
    node.next = static_cast<std::uint32_t>(nodes.size());
    node.count = count;
    open_.pop_back();
    return true;
  }

  [[nodiscard]] std::string_view key_of(std::uint32_t node) const {
    return pool_.substr(nodes[node].key_begin, nodes[node].key_size);
  }

  bool has_no_duplicate() {
    const auto& keys = open_.back().keys;
    if (keys.size() > linear_keys_max) {
      std::unordered_set<std::string_view> seen;
      for (const std::uint32_t key : keys) {
        if (!seen.insert(key_of(key)).second) return duplicate(key);
      }
      return true;
    }
    for (std::size_t i = 1; i < keys.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (key_of(keys[i]) == key_of(keys[j])) return duplicate(keys[i]);
      }
    }
    return true;
  }

  /// Duplicates are found only at the end of the object, but the reported place is the key, which a client
  /// searches for.
  bool duplicate(std::uint32_t key) {
    // A decoded key begins where its characters were in the text, after the quote.
    place = nodes[key].key_begin - 1;
    return stop("duplicate key '" + std::string(key_of(key)) + "'");
  }

  std::string_view text_;
  std::string_view pool_;
  rapidjson::InsituStringStream& stream_;
  const Bounds& bounds_;
  std::vector<Open> open_;
  std::uint32_t key_begin_ = 0;
  std::uint32_t key_size_ = 0;
};

/// The control characters 0x1a to 0x1f, which are not allowed anywhere: RapidJSON 1.1.0 misses them in
/// strings that it scans 16 bytes at a time.
constexpr auto is_overlooked = [](auto c) { return (c >= 0x1a) & (c <= 0x1f); };

/// The fault at that byte in RapidJSON's words, except for a control character in a string, which it calls an
/// escape.
std::string words_of(rapidjson::ParseErrorCode code, std::string_view text, std::size_t offset) {
  const bool is_of_string = code == rapidjson::kParseErrorStringEscapeInvalid ||
                            code == rapidjson::kParseErrorStringInvalidEncoding;
  if (!is_of_string || static_cast<unsigned char>(text[offset]) >= 0x20)
    return rapidjson::GetParseError_En(code);
  std::string quoted;
  append_quoted(quoted, text.substr(offset, 1));
  return "a control character in a string: write " + quoted.substr(1, quoted.size() - 2);
}

Problem malformed(std::size_t offset, const std::string& reason) {
  return problem(ProblemKind::invalid_json,
                 "not valid JSON at byte " + std::to_string(offset) + ": " + reason);
}

}  // namespace

Expected<Document> parse(std::string_view text, const Bounds& bounds) {
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) return malformed(nul, "a NUL byte");
  // Node offsets have 32 bits; --max-body keeps bodies far smaller.
  if (text.size() > 1'000'000'000) return malformed(0, "the text is too long");
  std::string pool;
  pool.reserve(text.size() + read_ahead);
  pool = text;
  rapidjson::InsituStringStream stream(pool.data());
  TreeBuilder builder(text, pool, stream, bounds);
  rapidjson::Reader reader;
  const rapidjson::ParseResult parsed = reader.Parse<parse_flags>(stream, builder);
  const std::size_t undecodable = std::min(utf8_fault(text), find_where(text, 0, is_overlooked));
  const std::size_t fault = parsed.IsError() ? builder.place.value_or(parsed.Offset()) : text.size();
  if (undecodable < fault)
    return malformed(undecodable, words_of(rapidjson::kParseErrorStringInvalidEncoding, text, undecodable));
  if (parsed.IsError())
    return malformed(fault, builder.reason.empty() ? words_of(parsed.Code(), text, fault) : builder.reason);
  return Document(std::string(text), std::move(pool), std::move(builder.nodes));
}

}  // namespace parley::json
