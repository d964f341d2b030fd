#include "http/protocol/framing_fault.hpp"

#include <algorithm>
#include <array>

#include "model/check.hpp"

namespace parley::http {
namespace {

struct Row {
  std::string_view slug;
  int status;
};

constexpr std::array rows{
    Row{"invalid-request-line", 400},
    Row{"target-too-long", 414},
    Row{"unknown-method", 501},
    Row{"unsupported-version", 505},
    Row{"invalid-field", 400},
    Row{"fields-too-large", 431},
    Row{"invalid-host", 400},
    Row{"invalid-content-length", 400},
    Row{"invalid-transfer-encoding", 400},
    Row{"unknown-transfer-encoding", 501},
    Row{"repeated-authorization", 400},
    Row{"invalid-chunk", 400},
    Row{"body-too-large", 413},
    Row{"expectation-failed", 417},
    Row{"request-timeout", 408},
    Row{"internal", 500},
    Row{"busy", 503},
    Row{"draining", 503},
};

}  // namespace

FramingFault framing_fault(std::string_view slug, std::string detail) {
  const auto* row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return each.slug == slug; });
  CHECK(row != rows.end());
  return {row->status, row->slug, std::move(detail), {}};
}

}  // namespace parley::http
