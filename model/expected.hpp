#pragma once
/// Expected<T>: a value, or the Problem that explains why there is no value. Expected failures travel as
/// values (docs/STYLE.md).

#include <utility>
#include <variant>

#include "model/check.hpp"
#include "model/problem.hpp"

namespace parley {

template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Expected(Problem problem) : held_(std::in_place_index<1>, std::move(problem)) {}

  [[nodiscard]] bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// Needs: ok().
  [[nodiscard]] T& value() & {
    CHECK(ok());
    return std::get<0>(held_);
  }
  [[nodiscard]] const T& value() const& {
    CHECK(ok());
    return std::get<0>(held_);
  }
  [[nodiscard]] T&& value() && {
    CHECK(ok());
    return std::get<0>(std::move(held_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// Needs: !ok().
  [[nodiscard]] const Problem& problem() const& {
    CHECK(!ok());
    return std::get<1>(held_);
  }
  [[nodiscard]] Problem&& problem() && {
    CHECK(!ok());
    return std::get<1>(std::move(held_));
  }

 private:
  std::variant<T, Problem> held_;
};

/// Success without a value.
struct Done {
  bool operator==(const Done&) const = default;
};

}  // namespace parley

/// TRY(name, expression): binds the value of an Expected, or returns its Problem from the calling function.
#define TRY(name, expression)                                                 \
  auto name##_or_problem = (expression);                                      \
  if (!name##_or_problem.ok()) return std::move(name##_or_problem).problem(); \
  [[maybe_unused]] auto name = std::move(name##_or_problem).value()  // NOLINT(bugprone-macro-parentheses)

/// TRY_DONE(expression): evaluates an Expected<Done>, and returns its Problem from the calling function.
#define TRY_DONE(expression)                                        \
  do {                                                              \
    if (auto done_or_problem = (expression); !done_or_problem.ok()) \
      return std::move(done_or_problem).problem();                  \
  } while (false)
