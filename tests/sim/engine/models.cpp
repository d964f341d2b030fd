#include "tests/sim/engine/models.hpp"

#include <array>

#include "tests/sim/engine/model_words.hpp"

namespace parley::sim {
namespace {

constexpr std::string_view tester_url = "http://127.0.0.1:2/v1";
constexpr std::string_view judge_url = "http://127.0.0.1:3/v1";
/// Larger than any number of a call to an agent.
constexpr outbound::CallId first_call = outbound::CallId{1} << 32U;

outbound::ChatEndpoint endpoint(std::string_view url) {
  outbound::ChatEndpoint made;
  made.url = url;
  made.model = "simulated";
  made.is_trusted = true;
  return made;
}

/// A random member of the set; nullopt if the set is empty.
template <class Says>
std::optional<Says> drawn(std::mt19937_64& dice, std::uint32_t known, std::size_t sayings) {
  std::vector<Says> all;
  for (std::size_t i = 0; i < sayings; ++i) {
    if ((known >> i & 1U) != 0) all.push_back(static_cast<Says>(i));
  }
  if (all.empty()) return std::nullopt;
  return all[dice() % all.size()];
}

}  // namespace

Worth worth_of(TesterSays says) {
  if (says < TesterSays::prose) return Worth::good;
  return says >= TesterSays::too_many ? Worth::never : Worth::again;
}

Worth worth_of(JudgeSays says) {
  if (says < JudgeSays::uncited) return Worth::good;
  return says >= JudgeSays::too_many ? Worth::never : Worth::again;
}

bool Models::is_model(const outbound::HttpRequest& request) {
  return request.url.starts_with(tester_url) || request.url.starts_with(judge_url);
}

void Models::configure(actors::Settings& settings, const ModelsPlan& plan) {
  if (plan.has_tester) settings.tester_model = endpoint(tester_url);
  if (plan.has_judge) settings.judge_model = endpoint(judge_url);
  settings.keeps_answers = plan.keeps_answers;
}

outbound::CallId Models::start(const outbound::HttpRequest& request, Done done) {
  if (is_dead_) return 0;
  Call call;
  call.is_judge = request.url.starts_with(judge_url);
  call.body = request.body;
  call.done = std::move(done);
  const Asked asked = asked_of(call.body);
  call.root = asked.root;
  call.criterion = asked.criterion;
  call.is_driven = asked.is_driven;
  for (const auto& [id, other] : open_) {
    const bool is_same = !call.is_judge && !other.is_judge && other.root == call.root;
    if (is_same) asked_twice_.insert(call.root);
  }
  if (call.is_judge) ask_judge(call);
  open_.emplace(first_call + ++last_, std::move(call));
  return first_call + last_;
}

/// A question that follows a void answer belongs to the inquiry that it continues.
void Models::ask_judge(Call& call) {
  auto& all = inquiries_[{call.root, call.criterion}];
  const std::string transcript = transcript_of(call.body);
  call.inquiry = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Inquiry& one = all[i];
    const bool continues = one.epoch == epoch_ && one.end == Inquiry::End::none && !one.is_open;
    if (continues && one.transcript == transcript) call.inquiry = i;
  }
  if (call.inquiry == all.size()) {
    all.emplace_back();
    all.back().epoch = epoch_;
    all.back().transcript = transcript;
  }
  Inquiry& mine = all[call.inquiry];
  mine.is_open = true;
  ++mine.asked;
}

bool Models::cancel(outbound::CallId id) {
  if (id < first_call) return false;
  const Done done = take(id);
  if (done) done(outbound::Failure{outbound::FailureKind::canceled, "canceled", true}, 1);
  return true;
}

bool Models::end_one(std::mt19937_64& dice, const ModelsPlan& plan, bool is_well) {
  if (open_.empty()) return false;
  const auto place = std::next(open_.begin(), static_cast<std::ptrdiff_t>(dice() % open_.size()));
  const outbound::CallId id = place->first;
  const std::uint64_t draw = dice();
  if (place->second.is_judge) {
    const auto bad = is_well ? std::nullopt : drawn<JudgeSays>(dice, plan.judge_knows, judge_sayings);
    end(id, bad.value_or(draw % 2 == 0 ? JudgeSays::passed : JudgeSays::failed));
    return true;
  }
  const auto bad = is_well ? std::nullopt : drawn<TesterSays>(dice, plan.tester_knows, tester_sayings);
  constexpr std::array well{TesterSays::types, TesterSays::types, TesterSays::invokes, TesterSays::types,
                            TesterSays::ends};
  end(id, bad.value_or(well.at(draw % well.size())));
  return true;
}

void Models::end(outbound::CallId id, TesterSays says) {
  const Call& call = open_.at(id);
  if (says == TesterSays::invokes && !offers_action(call.body)) says = TesterSays::types;
  last_said_ = "tester of " + std::to_string(call.root) + ": " + std::to_string(static_cast<int>(says));
  Spoken& spoken = spoken_[call.root];
  spoken.all.insert(says);
  ++spoken.asked;
  spoken.is_void = spoken.is_void || worth_of(says) == Worth::again;
  // A void answer is requested again at most twice; one that a reply overtook counts as well.
  const bool used_up = spoken.is_void && spoken.asked > 2;
  spoken.has_failed = spoken.has_failed || worth_of(says) == Worth::never || used_up;
  testers_end_ = testers_end_ || says == TesterSays::ends;
  testers_fail_ = testers_fail_ || spoken.has_failed || says == TesterSays::invokes_unknown;
  const auto outcome = words_of(says, call.body);
  take(id)(outcome, 1);
}

void Models::end(outbound::CallId id, JudgeSays says) {
  const Call& call = open_.at(id);
  const bool cites = says == JudgeSays::passed || says == JudgeSays::chatty;
  if (cites && !citation_of(call.body)) says = JudgeSays::failed;  // nothing to cite
  if (says == JudgeSays::no_schema && !sends_schema(call.body)) says = JudgeSays::prose;
  last_said_ = "judge of " + std::to_string(call.root) + "/" + std::to_string(call.criterion) + ": " +
               std::to_string(static_cast<int>(says));
  settle(call, says);
  const auto outcome = words_of(says, call.body);
  take(id)(outcome, 1);
}

/// D51a: at most two questions while the answers are void.
void Models::settle(const Call& call, JudgeSays says) {
  Inquiry& mine = inquiries_.at({call.root, call.criterion})[call.inquiry];
  mine.is_open = false;
  switch (worth_of(says)) {
    case Worth::good:
      mine.end = says == JudgeSays::passed ? Inquiry::End::passed : Inquiry::End::failed;
      return;
    case Worth::again:
      if (++mine.voids == 2) mine.end = Inquiry::End::error;
      return;
    case Worth::never: mine.end = Inquiry::End::error; return;
  }
}

Models::Done Models::take(outbound::CallId id) {
  const auto found = open_.find(id);
  if (found == open_.end()) return {};
  Done done = std::move(found->second.done);
  open_.erase(found);
  return done;
}

void Models::die() {
  is_dead_ = true;
  open_.clear();
}

std::size_t Models::open_driven() const {
  std::size_t count = 0;
  for (const auto& [id, call] : open_) count += call.is_driven ? 1U : 0U;
  return count;
}

const std::vector<Inquiry>& Models::inquiries(std::uint32_t root, std::uint32_t criterion) const {
  static const std::vector<Inquiry> none;
  const auto found = inquiries_.find({root, criterion});
  return found == inquiries_.end() ? none : found->second;
}

bool Models::has_said(std::uint32_t root, TesterSays says) const {
  const auto found = spoken_.find(root);
  return found != spoken_.end() && found->second.all.contains(says);
}

bool Models::has_failed(std::uint32_t root) const {
  const auto found = spoken_.find(root);
  return found != spoken_.end() && found->second.has_failed;
}

}  // namespace parley::sim
