#pragma once
/// Shared by the tests of the API: a real store in its own directory, a gateway in which the test plays the actors, and
/// an Api that is called without a socket. One thread.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "http/api.hpp"
#include "http/auth/bootstrap.hpp"

namespace parley::http {

using Json = nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

/// Commits decisions on records; stores the commands to runs and results, and answers them with what the test has set.
class FakeGateway final : public actors::Gateway {
 public:
  FakeGateway(store::Store& store, const Clock& clock, IdSource& ids)
      : store_(store), clock_(clock), ids_(ids) {}

  void to_result(const Id& result, actors::ResultCommand command, actors::Origin origin,
                 actors::Completion<actors::ResultReply> done) override {
    result_ids.push_back(result);
    result_commands.push_back(std::move(command));
    keeps.push_back(std::move(origin.keep));
    done(answer_result(result));
  }
  void to_run(const Id& run, actors::RunCommand command, actors::Origin origin,
              actors::Completion<actors::RunReply> done) override {
    keeps.push_back(std::move(origin.keep));
    run_ids.push_back(run);
    run_commands.push_back(std::move(command));
    if (problem) return done(*problem);
    if (holds) return held.push_back([this, done = std::move(done)] { done(run_reply); });
    done(run_reply);
  }
  void create_preview(actors::CreateResult command, actors::Origin origin,
                      actors::Completion<actors::ResultReply> done) override {
    keeps.push_back(std::move(origin.keep));
    previews.push_back(std::move(command));
    if (problem) return done(*problem);
    done(result_reply);
  }
  void change_records(actors::Decide decide, actors::Completion<Done> done) override {
    if (drops_changes) return;
    if (!thrown.empty()) throw std::runtime_error(thrown);
    for (int tries = 3; tries > 0; --tries) {
      auto changes = decide(store_.snapshot(), clock_.now(), ids_);
      if (!changes) return done(std::move(changes).problem());
      if (between) std::exchange(between, {})();
      const store::Outcome outcome = store_.committer().commit({&changes.value(), 1}).front();
      if (outcome.kind == store::Outcome::Kind::committed) return done(Done{});
    }
    done(parley::problem(ProblemKind::busy, "conflict"));
  }
  void check_agent(const Agent& agent, const std::optional<std::string>& trace,
                   actors::Completion<actors::AgentProbe> done) override {
    traces.push_back(trace.value_or(""));
    checked.push_back(agent.stamp.id);
    if (problem) return done(*problem);
    done(agent_check);
  }
  void ask_reviewer(actors::Reviewing reviewing, actors::Completion<actors::SaveReview> done) override {
    if (problem) return done(*problem);
    done(std::move(reviewing.command));
  }
  void judge_log(actors::LogToJudge log, actors::Completion<actors::LogVerdict> done) override {
    judged_logs.push_back(std::move(log));
    if (problem) return done(*problem);
    done(log_verdict);
  }
  void in_background(actors::Completion<Done> work) override {
    ++background_works;
    run_work(work);
  }
  void in_turn(const Id& owner, std::size_t bytes, actors::Completion<Done> work) override {
    turns.emplace_back(owner, bytes);
    run_work(work);
  }
  void wait(actors::Wait wait) override { waits.push_back(std::move(wait)); }
  void end_waits() override { has_ended_waits = true; }
  [[nodiscard]] const std::atomic<bool>& is_stopping() const override { return has_ended_waits; }
  void pause_scoring(bool paused) override { is_paused = paused; }
  [[nodiscard]] bool is_scoring_paused() const override { return is_paused; }
  [[nodiscard]] actors::GatewayCounters counters() const override { return {}; }

  /// The answers to commands: the problem if one is set, else the reply.
  std::optional<Problem> problem;
  std::optional<Problem> background_problem;  ///< for all work in the background, queued by owner or not
  int background_works = 0;
  std::function<void()> meanwhile;  ///< called once, before the next piece of work in the background
  std::vector<std::pair<Id, std::size_t>> turns;  ///< the turns requested: the owner, and the number of bytes
  actors::ResultReply result_reply;
  actors::RunReply run_reply;
  actors::AgentProbe agent_check;
  actors::LogVerdict log_verdict;
  std::vector<actors::LogToJudge> judged_logs;
  bool is_paused = false;
  bool drops_changes = false;  ///< changes of records are never answered
  /// Called once between a decision on records and its commit, so that another request can interfere.
  std::function<void()> between;
  std::string thrown;  ///< thrown when records are to be changed; nothing is thrown if empty
  std::vector<Id> checked;
  std::vector<std::string> traces;  ///< the traces of the checks; empty if they had none
  std::vector<actors::Wait> waits;
  std::atomic<bool> has_ended_waits = false;
  /// If set, commands to runs are answered when the test calls the held completions.
  bool holds = false;
  std::vector<std::function<void()>> held;

  std::vector<Id> result_ids;
  std::vector<actors::ResultCommand> result_commands;
  std::vector<Id> run_ids;
  std::vector<actors::RunCommand> run_commands;
  std::vector<actors::CreateResult> previews;
  std::vector<actors::OptionalIdempotency> keeps;  ///< from the commands to results, runs and previews

 private:
  void run_work(const actors::Completion<Done>& work) {
    if (meanwhile) std::exchange(meanwhile, {})();
    if (background_problem) return work(*background_problem);
    work(Done{});
  }
  Expected<actors::ResultReply> answer_result(const Id& result) {
    if (problem) return *problem;
    actors::ResultReply reply = result_reply;
    if (reply.head.stamp.id.is_nil()) {
      if (auto head = store_.snapshot().find<ResultHead>(result); head.ok() && *head) reply.head = **head;
    }
    const bool is_post = std::holds_alternative<actors::PostEntry>(result_commands.back());
    if (is_post && !reply.entry) reply.entry.emplace();
    return reply;
  }

  store::Store& store_;
  const Clock& clock_;
  IdSource& ids_;
};

/// Stores the single answer of a request.
class KeptAnswer final : public AnswerSink {
 public:
  void post(Answer answer) override {
    if (auto* now = std::get_if<Response>(&answer.content)) response = std::move(*now);
    if (auto* late = std::get_if<LateResponse>(&answer.content)) response = (*late)();
    if (response && response->report) response->report->sent(response->status);
    ++answers;
  }
  void on_answered_twice() override { ADD_FAILURE() << "answered twice"; }

  std::optional<Response> response;
  int answers = 0;
};

struct Reading {
  int status = 0;
  std::string text;
  std::map<std::string, std::string> headers;

  [[nodiscard]] Json json() const { return Json::parse(text); }
  /// The pointers (or parameters) of a problem's faults, sorted.
  [[nodiscard]] std::vector<std::string> faults() const {
    std::vector<std::string> all;
    const Json body = json();
    for (const Json& fault : body.value("errors", Json::array())) {
      all.push_back(fault.contains("pointer") ? fault["pointer"] : fault["parameter"]);
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  [[nodiscard]] std::string slug() const { return json()["type"].get<std::string>().substr(10); }
};

class ApiWorld {
 public:
  explicit ApiWorld(ApiOptions options = {}) : home_(make_home()), store_(open(home_)) {
    Bootstrap first{home_, "bootstrap-key-for-tests-only", clock.now()};
    auto made =
        bootstrap(*store_, keys, first, ids, [this](store::ChangeSet changes) { return commit(changes); });
    EXPECT_TRUE(made.ok());
    admin_key = made.value().value_or("");
    gateway.emplace(*store_, clock, ids);
    api.emplace(*store_, *gateway, keys, store::Secrets(store::Key256{2}), clock, std::move(options));
  }
  ~ApiWorld() {
    api.reset();
    store_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(home_, ignored);
  }
  ApiWorld(const ApiWorld&) = delete;
  ApiWorld& operator=(const ApiWorld&) = delete;

  Reading call(const std::string& method, const std::string& target, const std::string& body = "",
               const Headers& headers = {}) {
    const auto kept = begin(method, target, body, headers);
    EXPECT_EQ(kept->answers, 1) << method << " " << target;
    return read(*kept);
  }
  /// Passes the request on; the answer may come later.
  std::shared_ptr<KeptAnswer> begin(const std::string& method, const std::string& target,
                                    const std::string& body, const Headers& headers = {}) {
    Request request;
    request.method = method;
    request.target = target;
    const auto mark = target.find('?');
    request.path = std::string_view(target).substr(0, mark);
    if (mark != std::string::npos) request.query = std::string_view(target).substr(mark + 1);
    request.body = body;
    const std::string bearer = "Bearer " + key.value_or(admin_key);
    bool has_type = false;
    for (const auto& [name, value] : headers) {
      request.fields.push_back({name, value});
      has_type = has_type || name == "Content-Type";
    }
    if (!key || !key->empty()) request.fields.push_back({"Authorization", bearer});
    if (!body.empty() && !has_type) request.fields.push_back({"Content-Type", "application/json"});
    const auto kept = std::make_shared<KeptAnswer>();
    api->handle(request, Responder(kept, 1, 1));
    return kept;
  }
  static Reading read(const KeptAnswer& kept) {
    Reading reading;
    if (!kept.response) return reading;
    reading.status = kept.response->status;
    reading.text = kept.response->body;
    for (const auto& [name, value] : kept.response->fields) reading.headers[name] = value;
    return reading;
  }
  Reading get(const std::string& target, const Headers& headers = {}) {
    return call("GET", target, "", headers);
  }
  Reading post(const std::string& target, const Json& body = Json::object(), const Headers& headers = {}) {
    return call("POST", target, body.dump(), headers);
  }
  Reading patch(const std::string& target, const Json& body, const Headers& headers = {}) {
    return call("PATCH", target, body.dump(), headers);
  }
  /// Creates a record and returns its id. Precondition: a body without faults.
  std::string made(const std::string& collection, const Json& body) {
    const Reading reading = post(collection, body);
    EXPECT_EQ(reading.status, 201) << collection << " " << reading.text;
    return reading.json().value("id", "");
  }

  [[nodiscard]] Expected<Done> commit(const store::ChangeSet& changes) {
    const store::Outcome outcome = store_->committer().commit({&changes, 1}).front();
    if (outcome.kind == store::Outcome::Kind::committed) return Done{};
    ADD_FAILURE() << outcome.problem.detail;
    return outcome.problem;
  }
  template <class T>
  [[nodiscard]] T stored(const std::string& id) const {
    auto found = store_->snapshot().find<T>(id_from_text(id).value_or(Id{}));
    EXPECT_TRUE(found.ok() && *found);
    return found.ok() && *found ? **found : T{};
  }
  [[nodiscard]] Id next_id() { return ids.next(clock.now()); }
  [[nodiscard]] store::Store& store() { return *store_; }

  ManualClock clock{Time{1'700'000'000'000}};
  CountingIds ids;
  Keys keys{store::Key256{1}};
  std::string admin_key;
  /// The key sent with calls: none if empty, the admin's if nullopt.
  std::optional<std::string> key;
  std::optional<FakeGateway> gateway;
  std::optional<Api> api;

 private:
  static std::filesystem::path make_home() {
    std::string name = (std::filesystem::temp_directory_path() / "parley-api-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }
  static std::unique_ptr<store::Store> open(const std::filesystem::path& home) {
    store::Options options;
    options.directory = home;
    options.fsync = false;
    options.map_bytes = std::uint64_t{1} << 28;
    options.free_bytes_min = 0;
    auto opened = store::Store::open(options);
    if (!opened) std::abort();
    return std::move(opened).value();
  }

  std::filesystem::path home_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace parley::http
