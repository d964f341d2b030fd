#include <string>
#include <vector>

#include "model/check.hpp"
#include "model/pattern/pattern.hpp"
#include "model/records/test_result.hpp"
#include "outbound/agents/agent.hpp"
#include "outbound/agents/openai.hpp"
#include "scoring/kinds.hpp"
#include "scoring/prompts/criteria_question.hpp"
#include "scoring/verdict.hpp"
#include "tester/actions.hpp"
#include "tester/script.hpp"
#include "tests/fuzz/targets.hpp"

namespace parley::fuzz {
namespace {

constexpr int turns_max = 20;

/// A conversation with these texts as messages, the tester first.
std::vector<Entry> conversation_of(const std::vector<std::string>& texts) {
  CountingIds ids;
  std::vector<Entry> entries;
  for (const std::string& text : texts) {
    Entry entry;
    entry.id = ids.next({});
    entry.role = entries.size() % 2 == 0 ? Role::tester : Role::chatbot;
    entry.content = text;
    entry.turn = static_cast<std::int64_t>(entries.size() / 2);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::string> texts_of(const json::Value& root) {
  std::vector<std::string> texts{"Hello", "Your order 4711 is on its way."};
  const auto list = root.find("texts");
  if (!list || !list->is(json::Kind::array)) return texts;
  texts.clear();
  for (const json::Value& item : list->children()) {
    if (item.is(json::Kind::string)) texts.emplace_back(item.string());
  }
  return texts;
}

/// The first byte selects the status, so that the mutator reaches every class of statuses.
outbound::HttpAnswer answer_of(std::string_view bytes) {
  outbound::HttpAnswer answer;
  answer.status = bytes.empty() || bytes[0] == '2' ? 200 : 100 + 2 * static_cast<unsigned char>(bytes[0]);
  answer.body = bytes.empty() ? std::string() : std::string(bytes.substr(1));
  answer.content_type = "application/json";
  return answer;
}

void read_agent(std::string_view type, std::string_view config, const outbound::HttpAnswer& answer) {
  Agent agent;
  agent.type = type;
  agent.config.text = config;
  constexpr std::string_view canary = "canary-secret-7410";
  const auto read = outbound::finish_turn(agent, answer, {{"token", std::string(canary)}});
  const auto* reply = std::get_if<outbound::AgentReply>(&read);
  if (reply == nullptr) {
    const auto& fault = std::get<outbound::AgentFault>(read);
    CHECK(!fault.code.empty() && !fault.detail.empty());
    CHECK(fault.detail.find(canary) == std::string::npos);
    return;
  }
  CHECK(answer.status >= 200 && answer.status < 300);
  CHECK(reply->tools.size() + reply->events.size() <= outbound::reply_entries_max);
  CHECK(json::parse(reply->metadata.text).ok());
  for (const auto& tool : reply->tools) CHECK(json::parse(tool.metadata.text).ok());
  for (const auto& event : reply->events) CHECK(json::parse(event.metadata.text).ok());
}

}  // namespace

void script(std::string_view bytes) {
  const auto read = tester::Script::parse(bytes);
  Findings findings;
  tester::check_script(bytes, "/instruction", findings);
  if (!read) return;
  CHECK(tester::Script::parse(bytes).value() == *read);
  std::vector<std::uint32_t> used;
  tester::Past past;
  for (int turn = 0; turn < turns_max; ++turn) {
    past.used_lines = used;
    past.tester_turns = turn;
    const tester::Turn next = tester::next_turn(*read, past, turns_max);
    if (std::holds_alternative<tester::End>(next) || std::holds_alternative<tester::BrokenScript>(next))
      return;
    const auto* say = std::get_if<tester::Say>(&next);
    used.push_back(say != nullptr ? say->line : std::get<tester::Invoke>(next).line);
    past.last_chatbot_text = say != nullptr ? say->text : std::get<tester::Invoke>(next).arguments.text;
    past.chatbot_replied = true;
  }
}

void patterns(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view pattern = bytes.substr(0, end);
  const std::string_view text = end < bytes.size() ? bytes.substr(end + 1) : std::string_view{};
  auto compiled = Pattern::compile(pattern);
  CompiledPatterns kept;
  if (!compiled) return;
  const auto found_by = [text](Pattern& one) {
    Steps left = 1'000'000'000;
    return std::pair(one.search(text, left), left);
  };
  const auto found = found_by(*compiled);
  CHECK(found_by(kept.of(pattern).value()) == found);
  CHECK(found_by(kept.of(pattern).value()) == found);
}

void assertions(std::string_view bytes) {
  const auto document = json::parse(bytes);
  if (!document || !document->root().is(json::Kind::object)) return;
  TestCase given;
  Findings findings;
  Parser parser(document->root(), ParseMode::create, "", findings);
  TestCase::describe(given, parser);
  scoring::check_assertions(given.assertions, "/assertions", findings);
  const auto entries = conversation_of(texts_of(document->root()));
  const auto results = scoring::judge({entries, EndReason::tester_ended}, given.assertions);
  CHECK(results.size() == given.assertions.size());
  for (const auto& result : results) CHECK(result.status != AssertionStatus::pending);
  const scoring::Score score = scoring::score_of(results);
  CHECK(score.score >= 0 && score.score <= 100);
}

void agent(std::string_view bytes) {
  const outbound::HttpAnswer answer = answer_of(bytes);
  read_agent("HTTP", R"({"url":"http://agent.example/turn"})", answer);
  read_agent("OPENAI", R"({"url":"http://agent.example/v1","model":"m"})", answer);
}

void model(std::string_view bytes) {
  const auto read = outbound::read_chat(answer_of(bytes));
  const auto* chat = std::get_if<ChatAnswer>(&read);
  if (chat == nullptr) {
    CHECK(!std::get<CallFault>(read).code.empty());
    return;
  }
  const auto entries = conversation_of({"Hello", "Your order 4711 is on its way.", "Thanks"});
  const auto judged = scoring::read_judgement({entries, EndReason::tester_ended}, *chat);
  const auto* judgement = std::get_if<scoring::Judgement>(&judged);
  if (judgement == nullptr) return;
  // A verdict cites entries that exist (D33).
  CHECK(!judgement->passed || !judgement->evidence.empty());
  for (const Id& id : judgement->evidence) {
    bool is_there = false;
    for (const Entry& entry : entries) is_there = is_there || entry.id == id;
    CHECK(is_there);
  }
}

}  // namespace parley::fuzz
