#include "client/exec/exec_runner.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"
#include "model/text/shown_text.hpp"

namespace parley::client {
namespace {

/// Standard error is stored in the metadata of a result, which the server limits to 100 KB.
constexpr std::size_t kept_errors_bytes = 64 << 10;

/// Writes the turn in the form that an HTTP agent receives.
std::string turn_text(const json::Value& result, const json::Value& turn, std::int64_t number,
                      bool has_conversation) {
  json::Writer out;
  out.begin_object().member("testResultId", text_at(result, "id")).key("turn").integer(number);
  for (const char* key : {"message", "action"})
    if (const auto said = json::given(turn, key)) out.key(key).raw(said->compact().text);
  if (has_conversation) {
    out.key("conversation").begin_array();
    if (const auto entries = json::given(result, "conversation")) {
      for (const json::Value& each : entries->children()) {
        if (text_at(each, "id") == text_at(turn, "message_id") || text_at(each, "type") == "internal-event")
          continue;
        out.raw(each.compact().text);
      }
    }
    out.end_array();
  }
  if (const auto metadata = json::given(result, "metadata"))
    out.key("metadata").raw(metadata->compact().text);
  out.end_object();
  return std::move(out).text();
}

std::int64_t turns_before(const json::Value& result, const std::string& message_id) {
  std::int64_t count = 0;
  const auto entries = json::given(result, "conversation");
  if (!entries) return 0;
  for (const json::Value& each : entries->children())
    if (text_at(each, "role") == "tester" && text_at(each, "id") != message_id) ++count;
  return count;
}

/// Returns the end of the text, cut between characters.
std::string_view tail_of(std::string_view text) {
  if (text.size() <= kept_errors_bytes) return text;
  text.remove_prefix(text.size() - kept_errors_bytes);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) text.remove_prefix(1);
  return text;
}

std::string failure_body(const CaseFault& fault, const std::string& errors, const json::Value& result) {
  json::Writer out;
  out.begin_object().member("status", "failed").key("error").begin_object();
  out.member("source", fault.source)
      .member("code", fault.code)
      .member("detail", cut_text(fault.detail, 2'000));
  out.end_object();
  if (!errors.empty()) {
    out.key("metadata").begin_object();
    if (const auto metadata = json::given(result, "metadata"))
      for (const json::Value& each : metadata->children())
        if (each.key() != "stderr") out.key(each.key()).raw(each.compact().text);
    out.member("stderr", tail_of(errors)).end_object();
  }
  out.end_object();
  return std::move(out).text();
}

/// Ends a result that cannot continue. If the server refuses the details, the end is sent without them, so that the
/// run does not keep waiting.
void fail(Api& api, const std::string& path, const CaseFault& fault, const std::string& errors,
          const json::Value& result) {
  const std::string whole = failure_body(fault, errors, result);
  const std::string bare = failure_body(fault, "", result);
  for (const std::string& body : {whole, bare, std::string(R"({"status":"failed"})")})
    if (api.call("PATCH", path, {.body = body})) return;
}

}  // namespace

bool answer_turn(Api& api, json::Document& result, const json::Value& turn, ExecAgent& agent) {
  const std::string path = "/test-results/" + text_at(result.root(), "id");
  const json::Value root = result.root();
  const std::int64_t number = turns_before(root, text_at(turn, "message_id"));
  AnswerOrFault read =
      agent.ask({number, turn_text(root, turn, number, true), turn_text(root, turn, number, false)});
  if (!read.answer) {
    if (read.fault.source == "agent") fail(api, path, read.fault, agent.errors(), root);
    return false;
  }
  for (const std::string& entry : read.answer->entries) {
    auto recorded = api.post(path + "/conversation", entry);
    if (!recorded) {
      const CaseFault fault{"agent", "wrong_shape", recorded.problem().detail};
      if (recorded.problem().status() == 400) fail(api, path, fault, agent.errors(), result.root());
      return false;
    }
    result = std::move(recorded).value();
  }
  return true;
}

ExecRunner::ExecRunner(ServerAddress server, ExecOptions options, std::vector<std::string> results,
                       std::int64_t workers)
    : server_(std::move(server)), options_(std::move(options)), results_(std::move(results)) {
  options_.stop = &stop_;
  if (options_.settings.mode == ExecSettings::Mode::pool)
    workers = std::min(workers, options_.settings.pool_size);
  const auto count = std::min(results_.size(), static_cast<std::size_t>(std::max<std::int64_t>(workers, 1)));
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

ExecRunner::~ExecRunner() {
  stop_ = true;
  for (std::thread& each : threads_) each.join();
}

void ExecRunner::work() {
  ExecAgent agent(options_);
  for (std::size_t next = next_++; next < results_.size() && !stop_; next = next_++)
    drive(results_[next], agent);
  surplus_ += agent.surplus();
  ++ended_;
}

std::int64_t ExecRunner::surplus() const {
  for (int waited_ms = 0; !has_ended() && waited_ms < 1'000; waited_ms += 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return surplus_;
}

void ExecRunner::drive(const std::string& id, ExecAgent& agent) {
  Api api(server_, &stop_);
  const std::string path = "/test-results/" + id;
  auto result = api.get(path);
  if (!result) return;
  agent.begin_conversation();
  while (!stop_) {
    const auto turn = api.call("POST", path + "/next-message", {.prefer = "wait=30"});
    if (!turn) {
      if (!stop_) fail(api, path, {"client", "runner", turn.problem().detail}, "", result->root());
      break;
    }
    if (flag_at(turn->root(), "end_chat")) break;
    if (!flag_at(turn->root(), "ready")) continue;
    if (!answer_turn(api, *result, turn->root(), agent)) break;
  }
  agent.end_conversation();
}

}  // namespace parley::client
