#pragma once
/// NodeLife: the life of a cluster node from the moment it has its copy of the log until it stops or must replace the
/// copy. It assembles the store, the actors, the Api and the node's thread. Thread: the second thread of
/// serve_cluster.

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <thread>

#include "actors/cluster/cluster_actor.hpp"
#include "actors/lifecycle/supervisor.hpp"
#include "app/cluster/leader_calls.hpp"
#include "app/process/server_parts.hpp"
#include "http/api.hpp"
#include "http/cluster/node_signature.hpp"
#include "store/changelog/log_join.hpp"

namespace parley::app {

class NodeLife {
 public:
  /// Needs: all members outlive the node.
  struct Surroundings {
    const Config& config;
    const ServeEvents& events;
    const Clock& clock;
    const Serving& serving;
    actors::ClusterFigures& figures;
  };

  NodeLife(const Surroundings& around, store::Joined joined);
  ~NodeLife();
  NodeLife(const NodeLife&) = delete;
  NodeLife& operator=(const NodeLife&) = delete;

  [[nodiscard]] http::Api& api() { return *api_; }
  void start();
  /// Why the node ended on its own; nullopt if it still runs.
  [[nodiscard]] std::optional<actors::NodeEnd> ended();
  /// If this node leads, hands the lead to another node. Waits at most a few seconds.
  void hand_over();
  /// Called when the process was asked to end or the copy is replaced: from here on clients no longer wait.
  void begin_to_end();
  /// Ends everything except the Api, which still counts the answers being sent.
  void end();
  [[nodiscard]] std::unique_ptr<http::Api> take_api() { return std::move(api_); }

 private:
  [[nodiscard]] Expected<Done> begin_leading();
  void keep_log_small();
  [[nodiscard]] actors::NodeDuties duties();
  [[nodiscard]] outbound::Fields sign(std::string_view method, std::string_view target) const;

  Surroundings around_;
  store::Joined joined_;
  store::Store& store_;
  http::Keys keys_;
  http::NodeSignature signature_;
  LeaderCalls calls_;
  outbound::HttpClient peers_;
  RandomIds ids_;
  std::unique_ptr<store::WorkMarks> marks_;
  actors::NodeState state_;
  actors::TelemetryOptions telemetry_;
  actors::Services world_;
  std::optional<actors::Supervisor> supervisor_;
  std::optional<actors::NodeThread> node_;
  std::optional<actors::ClusterLinks> links_;
  std::optional<actors::ClusterOfActor> cluster_;
  std::unique_ptr<http::Api> api_;
  std::promise<actors::NodeEnd> end_;
  std::future<actors::NodeEnd> ending_;
  std::atomic<bool> is_ending_{false};
  std::thread keeper_;  ///< keeps the log small
  bool has_led_ = false;
  bool is_over_ = false;
};

}  // namespace parley::app
