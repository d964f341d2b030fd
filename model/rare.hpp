#pragma once
/// Rare: an optional value that is usually absent. It is allocated separately, so that an absent one costs a pointer; heads of
/// results are kept in memory by the ten thousand. Otherwise as std::optional: a copy copies the value. Any thread, as T.

#include <concepts>
#include <memory>
#include <optional>
#include <utility>

namespace parley {

template <class T>
class Rare {
 public:
  using value_type = T;

  Rare() = default;
  Rare(std::nullopt_t) {}  // NOLINT(google-explicit-constructor): as std::optional
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  Rare(std::optional<T> value) {                                    // NOLINT(google-explicit-constructor)
    if (value) value_ = std::make_unique<T>(std::move(*value));
  }
  Rare(const Rare& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Rare(Rare&& other) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Rare& operator=(Rare&& other) noexcept = default;
  ~Rare() = default;

  [[nodiscard]] bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  /// Needs: a value.
  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] T* operator->() { return value_.get(); }
  [[nodiscard]] const T* operator->() const { return value_.get(); }
  T& emplace() { return *(value_ = std::make_unique<T>()); }
  void reset() { value_.reset(); }
  /// The same as a plain optional.
  [[nodiscard]] std::optional<T> copy() const { return value_ ? std::optional<T>(*value_) : std::nullopt; }

  bool operator==(const Rare& other) const {
    return value_ && other.value_ ? *value_ == *other.value_ : !value_ && !other.value_;
  }

 private:
  std::unique_ptr<T> value_;
};

/// std::optional or Rare.
template <class M>
concept Optional = requires(M& member) {
  typename M::value_type;
  { member.has_value() } -> std::same_as<bool>;
  member.emplace();
};

}  // namespace parley
