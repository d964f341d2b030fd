#include "convert/traces/otlp_wire.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "model/json/json_writer.hpp"
#include "model/text/utf8.hpp"

namespace parley::convert {
namespace wire {
namespace {

constexpr int levels_of_values_max = 16;  ///< one level adds three levels of JSON
constexpr unsigned varint_bits_max = 63;
constexpr std::size_t values_max = 500'000;  ///< in one message

enum class Wire : std::uint8_t { varint = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };
enum class Shape : std::uint8_t {
  message,
  messages,
  text,
  hex,
  time,
  number,
  boolean,
  integer,
  decimal,
  octets
};

struct Message;

/// A field to read: its number, its form in JSON, and the message inside it.
struct Field {
  std::uint32_t number;
  Shape shape;
  std::string_view name;
  const Message* inner = nullptr;
};
struct Message {
  std::span<const Field> fields;
};

extern const Message any_value;

constexpr Field array_fields[] = {{1, Shape::messages, "values", &any_value}};
constexpr Message array_value{array_fields};
constexpr Field pair_fields[] = {{1, Shape::text, "key"}, {2, Shape::message, "value", &any_value}};
constexpr Message pair{pair_fields};
constexpr Field map_fields[] = {{1, Shape::messages, "values", &pair}};
constexpr Message map_value{map_fields};
constexpr Field value_fields[] = {{1, Shape::text, "stringValue"},
                                  {2, Shape::boolean, "boolValue"},
                                  {3, Shape::integer, "intValue"},
                                  {4, Shape::decimal, "doubleValue"},
                                  {5, Shape::message, "arrayValue", &array_value},
                                  {6, Shape::message, "kvlistValue", &map_value},
                                  {7, Shape::octets, "bytesValue"}};
constexpr Message any_value{value_fields};
constexpr Field event_fields[] = {
    {1, Shape::time, "timeUnixNano"}, {2, Shape::text, "name"}, {3, Shape::messages, "attributes", &pair}};
constexpr Message event{event_fields};
constexpr Field status_fields[] = {{2, Shape::text, "message"}, {3, Shape::number, "code"}};
constexpr Message status{status_fields};
constexpr Field span_fields[] = {{1, Shape::hex, "traceId"},
                                 {2, Shape::hex, "spanId"},
                                 {4, Shape::hex, "parentSpanId"},
                                 {5, Shape::text, "name"},
                                 {6, Shape::number, "kind"},
                                 {7, Shape::time, "startTimeUnixNano"},
                                 {8, Shape::time, "endTimeUnixNano"},
                                 {9, Shape::messages, "attributes", &pair},
                                 {11, Shape::messages, "events", &event},
                                 {15, Shape::message, "status", &status}};
constexpr Message span{span_fields};
constexpr Field scope_fields[] = {{2, Shape::messages, "spans", &span}};
constexpr Message scope_spans{scope_fields};
constexpr Field resource_fields[] = {{1, Shape::messages, "attributes", &pair}};
constexpr Message resource{resource_fields};
constexpr Field resource_span_fields[] = {{1, Shape::message, "resource", &resource},
                                          {2, Shape::messages, "scopeSpans", &scope_spans}};
constexpr Message resource_spans{resource_span_fields};
constexpr Field request_fields[] = {{1, Shape::messages, "resourceSpans", &resource_spans}};
constexpr Message request{request_fields};

struct Value {
  std::uint32_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t bits = 0;  ///< the value of a number
  std::string_view bytes;
};

/// Reads varints and fixed-size numbers from the front of a text.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  [[nodiscard]] bool at_end() const { return text_.empty(); }

  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift <= varint_bits_max; shift += 7) {
      if (text_.empty()) return std::nullopt;
      const auto byte = static_cast<unsigned char>(text_.front());
      text_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> fixed(std::size_t size) {
    if (text_.size() < size) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(text_[i]);
    text_.remove_prefix(size);
    return value;
  }

  std::optional<Value> value() {
    const auto tag = varint();
    if (!tag || *tag >> 3U == 0 || *tag > UINT32_MAX) return std::nullopt;
    Value value{static_cast<std::uint32_t>(*tag >> 3U), static_cast<Wire>(*tag & 7U), 0, {}};
    std::optional<std::uint64_t> bits;
    switch (value.wire) {
      case Wire::varint: bits = varint(); break;
      case Wire::eight_bytes: bits = fixed(8); break;
      case Wire::four_bytes: bits = fixed(4); break;
      case Wire::bytes:
        bits = varint();
        if (!bits || *bits > text_.size()) return std::nullopt;
        value.bytes = text_.substr(0, *bits);
        text_.remove_prefix(*bits);
        break;
    }
    if (!bits) return std::nullopt;  // also for the wire types of groups, which OTLP does not use
    value.bits = *bits;
    return value;
  }

 private:
  std::string_view text_;
};

Wire wire_of(Shape shape) {
  switch (shape) {
    case Shape::number:
    case Shape::boolean:
    case Shape::integer: return Wire::varint;
    case Shape::time:
    case Shape::decimal: return Wire::eight_bytes;
    case Shape::message:
    case Shape::messages:
    case Shape::text:
    case Shape::hex:
    case Shape::octets: return Wire::bytes;
  }
  return Wire::bytes;
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += digits[static_cast<unsigned char>(c) >> 4U];
    out += digits[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

class Writer {
 public:
  bool message(std::string_view bytes, const Message& described, int level) {
    if (level > levels_of_values_max || out.size() > otlp_json_bytes_max) return false;
    std::vector<Value> values;
    for (Reader reader(bytes); !reader.at_end();) {
      const auto value = reader.value();
      if (!value || values.size() == values_max) return false;
      values.push_back(*value);
    }
    out.begin_object();
    for (const Field& field : described.fields) {
      if (!member(values, field, level)) return false;
    }
    out.end_object();
    return true;
  }

  json::Writer out;

 private:
  bool member(const std::vector<Value>& values, const Field& field, int level) {
    const bool is_list = field.shape == Shape::messages;
    const Value* last = nullptr;  // if a field is sent twice, the last value counts
    for (const Value& value : values) {
      if (value.number != field.number) continue;
      if (value.wire != wire_of(field.shape)) return false;
      if (is_list) {
        if (last == nullptr) out.key(field.name).begin_array();
        if (!message(value.bytes, *field.inner, level + (field.inner == &any_value ? 1 : 0))) return false;
      }
      last = &value;
    }
    if (last == nullptr) return true;
    if (is_list) return static_cast<void>(out.end_array()), true;
    out.key(field.name);
    return single(*last, field, level);
  }

  bool single(const Value& value, const Field& field, int level) {
    switch (field.shape) {
      case Shape::message:
        return message(value.bytes, *field.inner, level + (field.inner == &any_value ? 1 : 0));
      case Shape::messages: return false;
      case Shape::text:
        if (!is_utf8(value.bytes)) return false;
        out.string(value.bytes);
        return true;
      case Shape::hex:
      case Shape::octets: out.string(hex(value.bytes)); return true;
      case Shape::time: out.string(std::to_string(value.bits)); return true;
      case Shape::integer: out.string(std::to_string(static_cast<std::int64_t>(value.bits))); return true;
      case Shape::number: out.integer(static_cast<std::int64_t>(value.bits)); return true;
      case Shape::boolean: out.boolean(value.bits != 0); return true;
      case Shape::decimal: {
        const auto number = std::bit_cast<double>(value.bits);
        std::isfinite(number) ? out.number(number) : out.null();
        return true;
      }
    }
    return false;
  }
};

}  // namespace
}  // namespace wire

std::optional<std::string> otlp_json(std::string_view protobuf) {
  wire::Writer writer;
  if (!writer.message(protobuf, wire::request, 0) || writer.out.size() > otlp_json_bytes_max)
    return std::nullopt;
  return std::move(writer.out).text();
}

}  // namespace parley::convert
