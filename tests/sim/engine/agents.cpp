#include "tests/sim/engine/agents.hpp"

#include "tests/sim/engine/hurry.hpp"

namespace parley::sim {

std::string result_of(const outbound::HttpRequest& request) {
  constexpr std::string_view key = "\"testResultId\":\"";
  const auto place = request.body.find(key);
  return place == std::string::npos ? std::string() : request.body.substr(place + key.size(), 36);
}

outbound::HttpAnswer answered_with(int status, std::string body) {
  outbound::HttpAnswer made;
  made.status = status;
  made.body = std::move(body);
  made.content_type = "application/json";
  return made;
}

namespace {

outbound::HttpOutcome outcome_of(Agents::Ending ending) {
  switch (ending) {
    case Agents::Ending::says: return answered_with(200, R"({"message":"fine, hello"})");
    case Agents::Ending::ends: return answered_with(200, R"({"message":"bye","end":true})");
    case Agents::Ending::no_json: return answered_with(200, "<html>");
    case Agents::Ending::refuses: return answered_with(500, "{}");
    case Agents::Ending::times_out: break;
  }
  return outbound::Failure{outbound::FailureKind::timeout, "too late", true};
}

}  // namespace

actors::OutboundPort Agents::outside() {
  actors::OutboundPort made;
  made.start = [this](const outbound::HttpRequest& request, const outbound::RetryRules&, Done done) {
    if (is_dead_) return outbound::CallId{0};
    std::string result = result_of(request);
    for (const auto& [id, call] : open_) asked_twice_ = asked_twice_ || call.result == result;
    open_.emplace(++last_, Call{std::move(result), std::move(done)});
    return last_;
  };
  made.cancel = [this](outbound::CallId id) {
    end(id, outbound::Failure{outbound::FailureKind::canceled, "canceled", true});
  };
  return made;
}

bool Agents::end_one(std::mt19937_64& dice, Ending ending) {
  if (open_.empty()) return false;
  const auto place = std::next(open_.begin(), static_cast<std::ptrdiff_t>(dice() % open_.size()));
  if (ending > Ending::ends) failed_.insert(place->second.result);
  end(place->first, outcome_of(ending));
  return true;
}

void Agents::die() {
  is_dead_ = true;
  open_.clear();
}

void Agents::end(outbound::CallId id, const outbound::HttpOutcome& outcome) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const Done done = std::move(found->second.done);
  open_.erase(found);
  done(outcome, 1);
}

}  // namespace parley::sim
