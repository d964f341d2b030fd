#pragma once
/// Calls to agents, models and GitHub that the test itself ends, at any time and in any way. One thread, the test's.

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "actors/services.hpp"
#include "outbound/admission/canceled_groups.hpp"

namespace parley::actors::test {

/// The outside world: every call waits until the test ends it.
class Calls {
 public:
  using Done = std::function<void(outbound::HttpOutcome, int)>;

  [[nodiscard]] OutboundPort outside() {
    OutboundPort made;
    made.epoch = [this] { return epoch_; };
    made.held_bytes = [this] {
      ++looks;
      return held_bytes;
    };
    made.cancel_group = [this](const Id& run, const auto& done) {
      canceled_groups_.add(run, ++epoch_);
      done();
    };
    made.start = [this](const outbound::HttpRequest& request, outbound::RetryRules, Done done) {
      if (canceled_groups_.holds(request)) {
        done(outbound::Failure{outbound::FailureKind::canceled, "canceled", false}, 0);
        return ++last_;
      }
      keys_.push_back(key_of(request));
      open_.emplace(++last_, std::move(done));
      most_ = std::max(most_, open_.size());
      return last_;
    };
    made.cancel = [this](outbound::CallId call) {
      end(call, outbound::Failure{outbound::FailureKind::canceled, "canceled", true});
    };
    return made;
  }
  /// Ends one of the calls with this outcome.
  void end_any(std::mt19937_64& dice, const outbound::HttpOutcome& outcome) {
    if (open_.empty()) return;
    end(std::next(open_.begin(), static_cast<std::ptrdiff_t>(dice() % open_.size()))->first, outcome);
  }
  /// Leaves the state of a killed process: the open calls are never answered.
  void forget() { open_.clear(); }
  [[nodiscard]] bool empty() const { return open_.empty(); }
  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t started() const { return keys_.size(); }
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }

  std::size_t held_bytes = 0;  ///< simulates other calls in progress
  int looks = 0;               ///< how many times held_bytes was read

 private:
  static std::string key_of(const outbound::HttpRequest& request) {
    for (const auto& [name, value] : request.fields) {
      if (name == "Idempotency-Key") return value;
    }
    return {};
  }
  void end(outbound::CallId call, const outbound::HttpOutcome& outcome) {
    const auto found = open_.find(call);
    if (found == open_.end()) return;
    const Done done = std::move(found->second);
    open_.erase(found);
    done(outcome, 1);
  }

  outbound::CanceledGroups canceled_groups_;
  std::uint64_t epoch_ = 0;
  std::map<outbound::CallId, Done> open_;
  outbound::CallId last_ = 0;
  std::size_t most_ = 0;
  std::vector<std::string> keys_;
};

}  // namespace parley::actors::test
