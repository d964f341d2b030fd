#include "tests/sim/engine/model_words.hpp"

#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"
#include "tests/sim/engine/agents.hpp"

namespace parley::sim {
namespace {

/// The number that follows the word, or 0.
std::uint32_t number_after(std::string_view text, std::string_view word) {
  const auto place = text.find(word);
  if (place == std::string_view::npos) return 0;
  std::uint32_t number = 0;
  for (std::size_t i = place + word.size(); i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    number = number * 10 + static_cast<std::uint32_t>(text[i] - '0');
  }
  return number;
}

/// The function name of the only tool besides the one that ends the chat.
std::optional<std::string> action_of(const std::string& body) {
  const auto document = json::parse(body);
  const auto tools = document->root().find("tools");
  if (!tools) return std::nullopt;
  for (const json::Value& tool : tools->children()) {
    const auto name = json::at_pointer(tool, "/function/name");
    if (name && name->string() != "end_conversation") return std::string(name->string());
  }
  return std::nullopt;
}

outbound::Failure too_late() {
  return outbound::Failure{outbound::FailureKind::timeout, "too late", true};
}

/// A chat completion whose message has these members.
outbound::HttpAnswer chat(const std::string& members, const std::string& finish = "stop") {
  return answered_with(200, R"({"model":"simulated","choices":[{"finish_reason":")" + finish +
                                R"(","message":{"role":"assistant",)" + members + "}}]}");
}

outbound::HttpAnswer says(const std::string& text) {
  std::string member = R"("content":)";
  json::append_quoted(member, text);
  return chat(member);
}

std::string call(const std::string& name, const std::string& arguments) {
  std::string text = R"({"id":"c1","type":"function","function":{"name":")" + name + R"(","arguments":)";
  json::append_quoted(text, arguments);
  return text + "}}";
}

outbound::HttpAnswer invokes(const std::string& name) {
  return chat(R"("content":null,"tool_calls":[)" + call(name, "{}") + "]");
}

std::string verdict(bool passed, const std::string& evidence) {
  return std::string(R"({"verdict":")") + (passed ? "passed" : "failed") +
         R"(","reason":"because","evidence":[)" + evidence + "]}";
}

std::string evidence_of(const std::string& entry, const std::string& quote) {
  std::string text = R"({"entry":")" + entry + R"(","quote":)";
  json::append_quoted(text, quote);
  return text + "}";
}

std::string evidence_in(const std::string& body) {
  const auto found = citation_of(body);
  return found ? evidence_of(found->entry, found->quote) : std::string();
}

}  // namespace

std::string free_instruction(std::uint32_t root, Kind kind, std::uint32_t turns_max) {
  return "You ask about parcel " + std::to_string(root) + (kind == Kind::driven ? ", driven" : "") +
         ".\nmax turns: " + std::to_string(turns_max);
}

std::string criterion_text(std::uint32_t root, std::uint32_t criterion) {
  return "Clause " + std::to_string(criterion) + " holds for parcel " + std::to_string(root);
}

Asked asked_of(const std::string& body) {
  return {number_after(body, " parcel "), number_after(body, "Clause "),
          body.find(", driven.") != std::string::npos};
}

std::string transcript_of(const std::string& body) {
  const auto document = json::parse(body);
  const auto shown = json::at_pointer(document->root(), "/messages/1/content");
  if (!shown) return {};
  const std::string_view text = shown->string();
  const auto begin = text.find('\n');
  const auto end = text.rfind('\n');
  return begin < end ? std::string(text.substr(begin + 1, end - begin - 1)) : std::string();
}

std::optional<Citation> citation_of(const std::string& body) {
  const auto transcript = json::parse(transcript_of(body));
  if (!transcript.ok()) return std::nullopt;
  const auto entries = transcript->root().find("entries");
  for (const json::Value& entry : entries->children()) {
    for (const std::string_view key : {"content", "name"}) {
      const auto text = entry.find(key);
      if (text && !text->string().empty()) {
        return Citation{std::string(entry.find("id")->string()), std::string(text->string())};
      }
    }
  }
  return std::nullopt;
}

bool sends_schema(const std::string& body) {
  return body.find("\"response_format\"") != std::string::npos;
}

bool offers_action(const std::string& body) {
  return action_of(body).has_value();
}

outbound::HttpOutcome words_of(TesterSays said, const std::string& body) {
  switch (said) {
    case TesterSays::types: return says("well then");
    case TesterSays::invokes: return invokes(action_of(body).value_or("none"));
    case TesterSays::ends:
      return chat(R"("content":null,"tool_calls":[)" +
                  call("end_conversation", R"({"reason":"goal_reached"})") + "]");
    case TesterSays::invokes_unknown: return invokes(std::string(unknown_action));
    case TesterSays::prose: return answered_with(200, "<html>");
    case TesterSays::refusal: return chat(R"("content":null,"refusal":"no")");
    case TesterSays::cut_off: return chat(R"("content":"well th")", "length");
    case TesterSays::nothing: return says(" ");
    case TesterSays::two_calls:
      return chat(R"("content":null,"tool_calls":[)" + call("fly", "{}") + "," + call("swim", "{}") + "]");
    case TesterSays::too_many: return answered_with(429, "{}");
    case TesterSays::broken: return answered_with(500, "{}");
    case TesterSays::late: break;
  }
  return too_late();
}

outbound::HttpOutcome words_of(JudgeSays said, const std::string& body) {
  switch (said) {
    case JudgeSays::passed: return says(verdict(true, evidence_in(body)));
    case JudgeSays::failed: return says(verdict(false, ""));
    case JudgeSays::uncited: return says(verdict(true, ""));
    case JudgeSays::misquoting: return says(verdict(true, evidence_of("e1", "nobody said so")));
    case JudgeSays::of_nothing: return says(verdict(true, evidence_of("e999", "hello")));
    case JudgeSays::chatty: return says("My verdict: " + verdict(true, evidence_in(body)));
    case JudgeSays::prose: return answered_with(200, "<html>");
    case JudgeSays::refusal: return chat(R"("content":null,"refusal":"no")");
    case JudgeSays::cut_off: return chat(R"("content":"{")", "length");
    case JudgeSays::no_schema: return answered_with(400, R"({"error":"response_format is not supported"})");
    case JudgeSays::too_many: return answered_with(429, "{}");
    case JudgeSays::broken: return answered_with(500, "{}");
    case JudgeSays::late: break;
  }
  return too_late();
}

}  // namespace parley::sim
