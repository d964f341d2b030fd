#pragma once
/// SchemaId: names the JSON schema of a C++ type, for the rows of the route table and the OpenAPI document.
/// Constants; any thread.

namespace parley::http {

template <class T>
inline constexpr char schema_tag = 0;

/// Equal only for the same type. A default-constructed id names no type.
class SchemaId {
 public:
  constexpr SchemaId() = default;
  template <class T>
  [[nodiscard]] static constexpr SchemaId of() {
    SchemaId id;
    id.tag_ = &schema_tag<T>;
    id.named_ = true;
    return id;
  }

  constexpr explicit operator bool() const { return named_; }
  constexpr bool operator==(const SchemaId&) const = default;

 private:
  const char* tag_ = nullptr;
  bool named_ = false;  // g++ 12 with -fsanitize=undefined: `tag_ != nullptr` is not a constant expression
};

}  // namespace parley::http
