#include "bench/load/modes.hpp"

namespace parley::load {
namespace {

constexpr std::string_view minimal = "Prefer: return=minimal\r\n";

/// The id at the end of the Location of a created record.
std::string created_id(const Answer& answer) {
  std::string_view place = field(answer.head, "location");
  if (!place.empty() && place.back() == '/') place.remove_suffix(1);
  const auto slash = place.rfind('/');
  return std::string(slash == std::string_view::npos ? place : place.substr(slash + 1));
}

void append_member(std::string& body, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  body += body.size() > 1 ? ",\"" : "\"";
  body += name;
  body += "\":\"";
  body += value;
  body += '"';
}

std::string path_of(const std::string& result, std::string_view operation) {
  return "/test-results/" + result + std::string(operation);
}

bool is_right(int status, int wanted) {
  return wanted == 0 ? status / 100 == 2 : status == wanted;
}

}  // namespace

bool GetClient::ask(std::string& out) {
  index_ = random_() % work_.ids.size();
  append_request(out, work_, "GET", path_of(work_.ids[index_], {}));
  return true;
}

std::string GetClient::hear(const Answer& answer) {
  if (answer.status != 200) return unexpected(answer);
  if (answer.body.find(work_.ids[index_]) == std::string_view::npos) return "another result came back";
  std::uint32_t known = 0;
  const auto here = static_cast<std::uint32_t>(answer.body.size());
  if (!work_.lengths[index_].compare_exchange_strong(known, here) && known != here) {
    return "length " + std::to_string(here) + " after " + std::to_string(known);
  }
  return {};
}

AppendClient::AppendClient(Work& work, std::size_t number) : work_(work) {
  std::string content = "c" + std::to_string(number) + " ";
  if (content.size() < work.options.entry_bytes) content.resize(work.options.entry_bytes, 'x');
  body_ = R"({"content":")" + content + R"("})";
}

bool AppendClient::ask(std::string& out) {
  is_creating_ = result_.empty() || entries_ >= work_.options.entries_max;
  if (is_creating_) {
    stop();
    std::string body = "{";
    append_member(body, "agent", work_.options.agent);
    append_member(body, "run", work_.options.run);
    append_member(body, "completionMode", "manual");
    append_request(out, work_, "POST", "/test-results/", body + "}");
  } else {
    append_request(out, work_, "POST", path_, body_, minimal);
  }
  return true;
}

std::string AppendClient::hear(const Answer& answer) {
  if (answer.status != 201) return unexpected(answer);
  if (is_creating_) {
    result_ = created_id(answer);
    if (result_.empty()) return "a create without Location";
    path_ = path_of(result_, "/conversation");
    entries_ = 0;
    return {};
  }
  ++entries_;
  const bool has_entry = answer.body.find("\"entry\"") != std::string_view::npos;
  return has_entry && answer.body.size() > work_.options.entry_bytes ? "" : "the entry did not come back";
}

void AppendClient::stop() {
  if (!result_.empty()) work_.add_made(result_ + " " + std::to_string(entries_));
  result_.clear();
}

ConversationClient::ConversationClient(Work& work) : work_(work) {
  const Options& options = work.options;
  std::string body = "{";
  append_member(body, "agent", options.agent);
  append_member(body, "run", options.run);
  append_member(body, "test", options.test);
  append_member(body, "completionMode", options.completion_mode);
  std::string script = "max turns: " + std::to_string(options.turns + 1);
  for (std::size_t i = 0; i < options.turns; ++i) script += "\\nsay: turn " + std::to_string(i);
  append_member(body, "testInstruction", script);
  create_body_ = body;
  std::string content = "A reply of the chatbot. ";
  if (content.size() < options.entry_bytes) content.resize(options.entry_bytes, 'y');
  reply_body_ = R"({"content":")" + content +
                R"(","metadata":{"responseTime":120,"inputTokens":90,"outputTokens":30}})";
}

bool ConversationClient::ask(std::string& out) {
  switch (phase_) {
    case Phase::create:
      if (const std::size_t number = work_.next.fetch_add(1);
          work_.options.count == 0 || number < work_.options.count) {
        std::string body = create_body_;
        if (!work_.ids.empty()) append_member(body, "run", work_.ids[number % work_.ids.size()]);
        append_request(out, work_, "POST", "/test-results/", body + "}");
        break;
      }
      return false;
    case Phase::turn:
      expected_ = "\"turn " + std::to_string(turn_) + "\"";
      append_request(out, work_, "POST", path_of(result_, "/next-message"));
      break;
    case Phase::reply:
      append_request(out, work_, "POST", path_of(result_, "/conversation"), reply_body_, minimal);
      break;
    case Phase::end:
      expected_ = "\"end_chat\":true";
      append_request(out, work_, "POST", path_of(result_, "/next-message"));
      break;
    case Phase::score:
      append_request(out, work_, "GET", path_of(result_, {}), {}, "Prefer: wait=5\r\n");
      break;
  }
  return true;
}

std::string ConversationClient::hear(const Answer& answer) {
  const bool is_create = phase_ == Phase::create || phase_ == Phase::reply;
  if (answer.status != (is_create ? 201 : 200)) {
    const std::string wrong = unexpected(answer);
    phase_ = Phase::create;  // abandons this conversation
    return wrong;
  }
  switch (phase_) {
    case Phase::create:
      result_ = created_id(answer);
      turn_ = 0;
      phase_ = work_.options.turns > 0 ? Phase::turn : after_reply();
      if (result_.empty()) return "a create without Location";
      if (phase_ == Phase::create) finish();
      return {};
    case Phase::turn:
    case Phase::end:
      if (answer.body.find(expected_) == std::string_view::npos) {
        if (answer.body.find("\"ready\":false") != std::string_view::npos) return {};  // ask again
        phase_ = Phase::create;
        return "not " + expected_ + " but " + std::string(answer.body.substr(0, 200));
      }
      if (phase_ == Phase::turn) {
        phase_ = Phase::reply;
      } else if (work_.options.waits_for_score && work_.options.mode == "conversation") {
        phase_ = Phase::score;
      } else {
        finish();
      }
      return {};
    case Phase::reply:
      ++turn_;
      phase_ = turn_ < work_.options.turns ? Phase::turn : after_reply();
      if (phase_ == Phase::create) finish();
      return {};
    case Phase::score:
      if (answer.body.find(R"("status":"completed")") != std::string_view::npos) finish();
      return {};
  }
  return {};
}

ConversationClient::Phase ConversationClient::after_reply() const {
  return work_.options.is_ended ? Phase::end : Phase::create;
}

void ConversationClient::finish() {
  work_.finished.fetch_add(1, std::memory_order_relaxed);
  if (!work_.options.ids_out.empty()) work_.add_made(result_ + " " + std::to_string(2 * turn_));
  phase_ = Phase::create;
}

RawClient::RawClient(Work& work) : work_(work), body_(work.options.body) {
  if (body_.empty()) body_.assign(work.options.body_bytes, 'x');
}

bool RawClient::ask(std::string& out) {
  if (work_.options.count > 0 && work_.next.fetch_add(1) >= work_.options.count) return false;
  append_request(out, work_, work_.options.method, work_.options.path, body_);
  return true;
}

std::string RawClient::hear(const Answer& answer) {
  if (!is_right(answer.status, work_.options.status)) return unexpected(answer);
  if (work_.options.length > 0 && answer.body.size() != work_.options.length) {
    return "length " + std::to_string(answer.body.size());
  }
  if (!work_.options.ids_out.empty()) work_.add_made(created_id(answer));
  return {};
}

HeartbeatClient::HeartbeatClient(Work& work, std::size_t number) : work_(work) {
  const std::string name = "bench runner " + std::to_string(number);
  body_ = R"({"name":")" + name + R"(","unique_identifier":")" + name + R"("})";
}

bool HeartbeatClient::ask(std::string& out) {
  append_request(out, work_, "POST", "/agents/local", body_);
  return true;
}

std::string HeartbeatClient::hear(const Answer& answer) {
  if (!is_right(answer.status, work_.options.status)) return unexpected(answer);
  constexpr std::string_view begin = R"({"agent_id":")";
  if (!answer.body.starts_with(begin)) return "no agent_id: " + std::string(answer.body.substr(0, 200));
  const std::string_view agent = answer.body.substr(0, answer.body.find('"', begin.size()) + 1);
  if (agent_.empty()) agent_ = agent;
  return agent == agent_ ? "" : "another agent: " + std::string(agent);
}

bool EachClient::ask(std::string& out) {
  const std::size_t index = work_.next.fetch_add(1);
  if (index >= work_.ids.size()) return false;
  std::string path = work_.options.path;
  if (const auto place = path.find("{}"); place != std::string::npos)
    path.replace(place, 2, work_.ids[index]);
  append_request(out, work_, work_.options.method, path);
  return true;
}

std::string EachClient::hear(const Answer& answer) {
  if (!is_right(answer.status, work_.options.status)) return unexpected(answer);
  work_.finished.fetch_add(1, std::memory_order_relaxed);
  return {};
}

}  // namespace parley::load
