#include "tests/sim/engine/stand.hpp"

#include <algorithm>
#include <filesystem>

#include "model/check.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"

namespace parley::sim {
namespace {

constexpr Time first_noon{1'700'000'000'000};
constexpr std::int64_t never_ms = std::int64_t{1} << 50;

template <class T>
T must(Expected<T> result) {
  CHECK(result.ok());
  return std::move(result).value();
}

}  // namespace

Stand::Stand() {
  options_.directory = home_.path() / "data";
  options_.fsync = false;
  options_.map_bytes = std::uint64_t{1} << 30;
  options_.free_bytes_min = 1;
}

Stand::~Stand() {
  close();
}

void Stand::begin(const Plan& plan) {
  close();
  settings_ = {};
  settings_.conversation_ms = plan.deadline_ms;
  settings_.stuck_after_ms = plan.is_stuck_at_once ? 0 : never_ms;
  Models::configure(settings_, plan.models);
  clock_.emplace(first_noon);
  ids_.emplace();
  agents_.emplace();
  models_.emplace();
  most_driven_ = 0;
  hurry_ = Hurry(plan.deadline_ms);
  commits_left_ = unlimited;
  error_ = 0;
  epoch_ = 0;
  if (store_) wipe();
  open();
  owner_ = ids_->next(clock_->now());
  external_ = plan.has_runners ? register_runner() : create(Agent{});
  Agent hosted;
  hosted.type = "HTTP";
  hosted.config.text = R"({"url":"http://127.0.0.1:1/x"})";
  driven_ = create(hosted);
  scenario_ = create(Scenario{});
}

void Stand::beat(bool is_stranger, std::function<void(Time)> decided, Heard done) {
  const std::string name = is_stranger ? "stranger" : "runner";
  const actors::Heartbeat beat{name, name, owner_, lease_ms};
  const auto offer = std::make_shared<actors::RunnerOffer>();
  gateway().change_records(
      [beat, offer, decided](const store::Snapshot& snapshot, Time now, IdSource& ids) {
        decided(now);
        return actors::decide_heartbeat(snapshot, beat, now, ids, *offer);
      },
      [offer, done](Expected<Done> answer) { done(std::move(answer), *offer); });
}

void Stand::score_again(ScoreAgain wish, std::function<void(const Expected<ScoredAgain>&)> done) {
  gateway().in_background(
      [this, epoch = epoch_, wish = std::move(wish), done = std::move(done)](Expected<Done> turn) {
        if (epoch != epoch_) return;  // the process is ending
        if (!turn.ok()) return done(std::move(turn).problem());
        decide_again(wish, done);
      });
}

void Stand::decide_again(const ScoreAgain& wish,
                         const std::function<void(const Expected<ScoredAgain>&)>& done) {
  const store::Snapshot taken = snapshot();
  const auto head = taken.find<ResultHead>(wish.result);
  CHECK(head.ok() && *head);
  wish.deciding(**head);
  actors::Rescorer rescorer(taken, wish.assertions, clock_->now(), *ids_, gateway().is_stopping());
  auto made = rescorer.rescore(**head);
  if (!made) return done(std::move(made).problem());
  const ScoredAgain unsaved{std::move(made).value(), false};
  if (wish.is_preview || !unsaved.made.changes) return done(unsaved);
  gateway().to_result(wish.result, unsaved.made.command, wish.keep,
                      [done, unsaved](const Expected<actors::ResultReply>& answer) {
                        if (!answer.ok()) return done(answer.problem());
                        done(ScoredAgain{unsaved.made, true});
                      });
}

void Stand::pass(std::int64_t ms) {
  hurry_.pass(ms);
  actors_->pass(std::chrono::milliseconds(ms));
}

Id Stand::register_runner() {
  Id agent;
  beat(
      false, [](Time) {},
      [&](const Expected<Done>& answer, const actors::RunnerOffer& offer) {
        CHECK(answer.ok());
        agent = offer.agent;
      });
  actors_->settle();
  return agent;
}

template <class T>
Id Stand::create(T record) {
  record.stamp.id = ids_->next(clock_->now());
  record.stamp.updated_at = record.stamp.created_at();
  store::ChangeSet set;
  set.create(record);
  CHECK(store_->committer().commit({&set, 1}).front().kind == store::Outcome::Kind::committed);
  return record.stamp.id;
}

/// Opening a new directory costs more than a whole schedule, so the tables are emptied instead.
void Stand::wipe() {
  const store::Environment& environment = store::RawSnapshot(store_->snapshot()).environment;
  store::WriteTransaction transaction(environment.handle());
  for (std::size_t table = 1; table < store::all_tables.size(); ++table) {
    store::require(mdb_drop(transaction.handle(), environment[static_cast<store::TableId>(table)], 0),
                   "empty");
  }
  CHECK(transaction.commit() == 0);
  marks_.reset();
  std::filesystem::remove(options_.directory / "working");
}

void Stand::open() {
  if (!store_) {
    store_ = must(store::Store::open(options_));
  }
  is_broken_ = false;
  store_->committer().surround({[this]() -> std::uint64_t {
                                  if (commits_left_ == 0) return 0;
                                  if (commits_left_ != unlimited) --commits_left_;
                                  return std::uint64_t{1} << 30;
                                },
                                [this] { return std::exchange(error_, 0); }});
  marks_ = must(store::WorkMarks::open(options_.directory));
  world_.emplace(actors::Services{*store_, *clock_, *ids_, settings_,
                                  [this](const std::string&) { is_broken_ = true; }});
  agents_->revive();
  models_->revive();
  hurry_.begin_process();
  world_->outside = outside();
  world_->marks = marks_.get();
  actors_ = std::make_unique<actors::test::Actors>(*world_);
  ++epoch_;
}

actors::OutboundPort Stand::outside() {
  actors::OutboundPort made;
  const actors::OutboundPort to_agents = agents_->outside();
  made.start = [this, to_agents](outbound::HttpRequest request, outbound::RetryRules rules,
                                 Models::Done done) {
    const bool is_model = Models::is_model(request);
    if (!is_model) hurry_.asked(request);
    const outbound::CallId id = is_model ? models_->start(request, std::move(done))
                                         : to_agents.start(std::move(request), rules, std::move(done));
    most_driven_ = std::max(most_driven_, agents_->open() + models_->open_driven());
    return id;
  };
  made.cancel = [this, to_agents](outbound::CallId id) {
    if (!models_->cancel(id)) to_agents.cancel(id);
  };
  return made;
}

/// Disconnects work in progress from disk and agents.
void Stand::close() {
  if (!actors_) return;
  ++epoch_;  // answers of a dying process are discarded
  commits_left_ = 0;
  agents_->die();
  models_->die();
  actors_.reset();
  world_.reset();
  marks_.reset();
  commits_left_ = unlimited;
  error_ = 0;
}

void Stand::crash(const std::optional<Id>& within) {
  close();
  store_.reset();
  if (within) store::leave_mark(options_.directory, *within);
  open();
}

bool Stand::recover(std::optional<std::uint32_t> refused_after) {
  commits_left_ = refused_after.value_or(unlimited);
  const bool is_recovered = actors_->recover().ok();
  commits_left_ = unlimited;
  return is_recovered;
}

}  // namespace parley::sim
