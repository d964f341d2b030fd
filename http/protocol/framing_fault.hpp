#pragma once
/// FramingFault: why the transport cannot read or answer a request (D14). Its kinds are rows of the table of problems
/// in model/problem; the product renders it. A plain value; any thread.

#include <string>
#include <string_view>
#include <utility>

#include "model/problem.hpp"

namespace parley::http {

struct FramingFault {
  ProblemKind kind = ProblemKind::internal;
  std::string detail;           ///< a sentence that says what the client must do
  std::string request_id = {};  ///< the X-Request-Id received before the fault; empty: none
  std::string origin = {};      ///< the Origin received before the fault; empty: none

  [[nodiscard]] int status() const { return row_of(kind).status; }
  [[nodiscard]] std::string_view slug() const { return row_of(kind).slug; }
  bool operator==(const FramingFault&) const = default;
};

[[nodiscard]] inline FramingFault framing_fault(ProblemKind kind, std::string detail) {
  return {kind, std::move(detail), {}, {}};
}

}  // namespace parley::http
