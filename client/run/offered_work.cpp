#include "client/run/offered_work.hpp"

#include "model/json/json_writer.hpp"

namespace parley::client {

std::string heartbeat_of(const NamedExec& agent) {
  json::Writer beat;
  beat.begin_object()
      .member("name", agent.options.name)
      .member("unique_identifier", agent.identifier)
      .end_object();
  return std::move(beat).text();
}

bool is_of_command(const json::Value& run) {
  const auto metadata = json::given(run, "metadata");
  return metadata && text_at(*metadata, "command").starts_with("parley ");
}

Expected<std::string> OfferedWork::beat(Api& api) {
  TRY(work, api.post("/agents/local", heartbeat_of(agent_)));
  std::erase_if(runners_, [](const auto& runner) { return runner->has_ended(); });
  std::vector<std::string> ids;
  if (const auto offered = json::given(work.root(), "test_result_ids"))
    for (const json::Value& each : offered->children())
      if (!seen_.contains(std::string(each.string()))) ids.emplace_back(each.string());
  if (ids.empty()) return text_at(work.root(), "agent_id");
  const std::string run = text_at(work.root(), "run_id");
  bool is_elsewhere = false;
  if (!run.empty()) {
    TRY(stored, api.get("/runs/" + run));
    is_elsewhere = is_of_command(stored.root());
  }
  seen_.insert(ids.begin(), ids.end());
  if (!is_elsewhere)
    runners_.push_back(
        std::make_unique<ExecRunner>(api.server(), agent_.options, std::move(ids), agent_.workers()));
  return text_at(work.root(), "agent_id");
}

}  // namespace parley::client
