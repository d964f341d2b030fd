#pragma once
/// The services that every actor uses: the store's snapshots, the clock, the settings. Owned by the
/// supervisor, outlives all actors, read-only for them.

#include <atomic>
#include <functional>
#include <memory>

#include "model/clock.hpp"
#include "model/id.hpp"
#include "model/values/model_use.hpp"
#include "outbound/agents/openai.hpp"
#include "store/secrets/secrets.hpp"
#include "store/side/work_marks.hpp"
#include "store/store.hpp"

namespace parley::actors {

/// Who plays the tester (D61).
enum class TesterMode : std::uint8_t {
  automatic,  ///< the model if one is configured and the instruction is not a script
  script,
  model,  ///< the model, except for instructions that are scripts
};

struct Settings {
  std::int64_t turns_max = 30;            ///< --max-turns (D49)
  std::int64_t stuck_after_ms = 600'000;  ///< --stuck-after (D50)
  std::int64_t rest_after_ms = 30'000;    ///< an actor without work for this long leaves memory
  bool scoring_paused = false;            ///< --scoring paused (D95)
  std::size_t scoring_threads = 1;        ///< --scoring-threads; at least 1
  bool driving_paused = false;    ///< --driving paused: no conversation is driven and no workflow started
  std::int64_t retention_ms = 0;  ///< --retention (D25); 0: nothing is deleted
  std::int64_t tests_max = 100;   ///< --max-concurrent-tests: for runs that set no limit (D55)
  std::int64_t conversations_max = 10'000;     ///< --max-conversations: driven at a time, over all runs
  std::int64_t github_timeout_ms = 3'600'000;  ///< --github-timeout (D72)
  /// --conversation-deadline: a conversation driven for longer without interruption fails before its next
  /// call; 0: never.
  std::int64_t conversation_ms = 1'800'000;
  std::int64_t webhook_give_up_ms = 259'200'000;  ///< --webhook-give-up
  std::string public_url;                         ///< --public-url: where workflows reach the service
  TesterMode tester = TesterMode::automatic;
  std::optional<outbound::ChatEndpoint> tester_model = std::nullopt;
  std::optional<outbound::ChatEndpoint> judge_model = std::nullopt;
  std::shared_ptr<const PriceTable> prices = nullptr;  ///< --prices
  bool keeps_answers = false;  ///< --keep-answers: the same question to a model is not asked twice
};

/// Calls to agents and models; in the product outbound::HttpClient implements it. Any thread; neither function
/// may block.
struct OutboundPort {
  std::function<outbound::CallId(outbound::HttpRequest, outbound::RetryRules,
                                 std::function<void(outbound::HttpOutcome, int attempts)>)>
      start;
  /// The call's completion still runs, with `canceled` if the cancellation was in time.
  std::function<void(outbound::CallId)> cancel;
  /// Read before the records that cause a call, and passed along with the call.
  std::function<std::uint64_t()> epoch = [] { return std::uint64_t{0}; };
  /// Bytes held by the bodies of all calls in progress.
  std::function<std::size_t()> held_bytes = [] { return std::size_t{0}; };
  /// After `done` is called, no call of this run from an older epoch begins on any thread.
  std::function<void(const Id& run, std::function<void()> done)> cancel_group =
      [](const Id&, const auto& done) { done(); };
};

/// Counters of the tester's model since the server started. Thread: any.
struct TesterFigures {
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> input_tokens{0};
  std::atomic<std::uint64_t> output_tokens{0};

  void add(const ModelUse& use) {
    calls += static_cast<std::uint64_t>(use.calls);
    input_tokens += static_cast<std::uint64_t>(use.input_tokens.value_or(0));
    output_tokens += static_cast<std::uint64_t>(use.output_tokens.value_or(0));
  }
};

/// Counters of webhooks since the server started. Thread: any.
struct WebhookFigures {
  std::atomic<std::uint64_t> owed{0};
  std::atomic<std::uint64_t> delivered{0};
  std::atomic<std::uint64_t> attempts_failed{0};
  std::atomic<std::uint64_t> given_up{0};
};

struct Services {
  store::Store& store;
  const Clock& clock;
  /// Safe from any thread.
  IdSource& ids;
  Settings settings;
  /// Called on the writer's thread if the disk failed during a commit, so that nothing may be acknowledged
  /// any more (F7), and on the thread of a singleton actor that threw. The product ends the process here.
  std::function<void(const std::string& why)> on_broken_store;
  OutboundPort outside = {};
  /// Decrypts the agents' secrets (D23).
  const store::Secrets* secrets = nullptr;
  /// Where result actors mark their work in progress (I10); null: nowhere.
  store::WorkMarks* marks = nullptr;
  std::shared_ptr<TesterFigures> tester_figures = std::make_shared<TesterFigures>();
  std::shared_ptr<WebhookFigures> webhook_figures = std::make_shared<WebhookFigures>();
  /// Set once, when the process is asked to stop: long work on any thread checks it and stops.
  std::shared_ptr<std::atomic<bool>> is_stopping = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace parley::actors
