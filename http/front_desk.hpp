#pragma once
/// FrontDesk: the handler of a node of a cluster. Its Api is created when the node has its copy of the log and removed when the copy
/// must be replaced. Without one it answers health, readiness, version, the API's description and, if they are public, its
/// metrics, and 503 `no-leader` to all else: no key can be checked.
/// Thread: open and close on one; the handlers on any worker.

#include <atomic>

#include "http/api.hpp"

namespace parley::http {

class FrontDesk {
 public:
  FrontDesk(ApiOptions options, const Clock& clock);

  void open(Api& api) { api_ = &api; }
  /// Needs: the Api outlives the server.
  void close() { api_ = nullptr; }

  [[nodiscard]] Handler handler();
  [[nodiscard]] FaultRenderer fault_renderer();
  [[nodiscard]] Preauthorizer preauthorizer();

 private:
  [[nodiscard]] Expected<Reply> answer(const Request& request) const;
  [[nodiscard]] Reply state(std::string_view path) const;
  [[nodiscard]] Reply metrics() const;

  ApiOptions options_;
  RequestIdSource request_ids_;
  RequestCounts counts_;
  std::atomic<Api*> api_{nullptr};
};

}  // namespace parley::http
