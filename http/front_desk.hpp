#pragma once
/// FrontDesk: the handler of a cluster node. The node's Api is created when it has its copy of the log and removed
/// when the copy must be replaced. Without an Api, the desk answers health, readiness, version, the API description
/// and, if they are public, the metrics. It answers every other request with 503 `no-leader`, because no key can be
/// checked.
/// Thread: open() and close() on one thread; the handlers on any worker.

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
