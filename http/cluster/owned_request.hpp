#pragma once
/// OwnedRequest: owns all bytes of a request that is answered after its handler has returned. Immutable; any thread.

#include <memory>
#include <string>

#include "http/protocol/request.hpp"

namespace parley::http {

class OwnedRequest {
 public:
  explicit OwnedRequest(const Request& request);
  OwnedRequest(const OwnedRequest&) = delete;
  OwnedRequest& operator=(const OwnedRequest&) = delete;

  /// The request, with views into this object.
  [[nodiscard]] const Request& view() const { return view_; }

 private:
  [[nodiscard]] std::string_view keep(std::string_view text);

  std::string bytes_;
  Request view_;
};

using OwnedRequestPtr = std::shared_ptr<const OwnedRequest>;

}  // namespace parley::http
