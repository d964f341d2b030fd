#pragma once
/// The models of a simulated world: one plays the tester, one judges. The schedule decides when and how each call ends,
/// if ever. Questions and answers are recorded, so that verdicts and failures can be checked against them; the expected
/// value of an answer derives from the bytes sent, and not from the product's parser. One thread.

#include <map>
#include <random>
#include <set>

#include "actors/services.hpp"
#include "tests/sim/engine/plan.hpp"

namespace parley::sim {

/// The answers of a tester model; those from `prose` on are not turns.
enum class TesterSays : std::uint8_t {
  types,
  invokes,
  ends,
  invokes_unknown,  ///< D62: the result fails because of this
  prose,            ///< an answer that is not JSON
  refusal,
  cut_off,
  nothing,
  two_calls,
  too_many,  ///< 429
  broken,    ///< 500
  late,      ///< no answer in time
};
/// The answers of a judge model; those from `uncited` on are not verdicts.
enum class JudgeSays : std::uint8_t {
  passed,
  failed,
  uncited,
  misquoting,
  of_nothing,  ///< cites evidence that is not an entry
  chatty,      ///< text around the verdict
  prose,
  refusal,
  cut_off,
  no_schema,  ///< 400: it does not support response_format
  too_many,
  broken,
  late,
};
inline constexpr std::size_t tester_sayings = static_cast<std::size_t>(TesterSays::late) + 1;
inline constexpr std::size_t judge_sayings = static_cast<std::size_t>(JudgeSays::late) + 1;

/// The action invoked by `invokes_unknown`: no chatbot of this world registers it.
inline constexpr std::string_view unknown_action = "fly";

/// What an answer is worth (D48, D51a).
enum class Worth : std::uint8_t { good, again, never };
[[nodiscard]] Worth worth_of(TesterSays says);
[[nodiscard]] Worth worth_of(JudgeSays says);

/// The questions on one criterion of one lineage, up to the answer that decided it.
struct Inquiry {
  int epoch = 0;  ///< the process that asked
  std::string transcript;
  int asked = 0;
  int voids = 0;
  bool is_open = false;
  enum class End : std::uint8_t { none, passed, failed, error } end = End::none;
};

class Models {
 public:
  using Done = std::function<void(outbound::HttpOutcome, int)>;

  /// Whether the request is for one of the models.
  [[nodiscard]] static bool is_model(const outbound::HttpRequest& request);
  static void configure(actors::Settings& settings, const ModelsPlan& plan);

  outbound::CallId start(const outbound::HttpRequest& request, Done done);
  /// Returns false if it has no such call.
  bool cancel(outbound::CallId id);
  /// Ends one of the open calls: well, or in a random way that the plan allows. Returns false if no call is open.
  bool end_one(std::mt19937_64& dice, const ModelsPlan& plan, bool is_well);
  void die();
  void revive() {
    is_dead_ = false;
    ++epoch_;
  }

  /// The number of open calls for conversations that the service drives.
  [[nodiscard]] std::size_t open_driven() const;

  // The outcomes, by the root of the lineage.
  [[nodiscard]] const std::vector<Inquiry>& inquiries(std::uint32_t root, std::uint32_t criterion) const;
  /// Whether the tester of a lineage ever gave this answer.
  [[nodiscard]] bool has_said(std::uint32_t root, TesterSays says) const;
  /// Whether that tester ever failed to give a turn (D48).
  [[nodiscard]] bool has_failed(std::uint32_t root) const;
  /// Lineages whose tester was called while another call of the same lineage was open.
  [[nodiscard]] const std::set<std::uint32_t>& asked_twice() const { return asked_twice_; }

  [[nodiscard]] bool testers_end() const { return testers_end_; }
  [[nodiscard]] bool testers_fail() const { return testers_fail_; }
  [[nodiscard]] const std::string& last_said() const { return last_said_; }

 private:
  struct Call {
    bool is_judge = false;
    bool is_driven = false;
    std::uint32_t root = 0;
    std::uint32_t criterion = 0;
    std::size_t inquiry = 0;
    std::string body;
    Done done;
  };
  struct Spoken {
    std::set<TesterSays> all;
    int asked = 0;
    bool is_void = false;
    bool has_failed = false;
  };
  void ask_judge(Call& call);
  void end(outbound::CallId id, TesterSays says);
  void end(outbound::CallId id, JudgeSays says);
  void settle(const Call& call, JudgeSays says);
  Done take(outbound::CallId id);

  std::map<outbound::CallId, Call> open_;
  outbound::CallId last_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Inquiry>> inquiries_;
  std::map<std::uint32_t, Spoken> spoken_;
  std::set<std::uint32_t> asked_twice_;
  bool testers_end_ = false;
  bool testers_fail_ = false;
  std::string last_said_;
  int epoch_ = 0;
  bool is_dead_ = false;
};

/// The texts by which the models recognize the question.
[[nodiscard]] std::string free_instruction(std::uint32_t root, Kind kind, std::uint32_t turns_max);
[[nodiscard]] std::string criterion_text(std::uint32_t root, std::uint32_t criterion);

}  // namespace parley::sim
