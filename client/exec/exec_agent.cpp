#include "client/exec/exec_agent.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "client/remote/connection.hpp"
#include "client/report/safe_text.hpp"
#include "model/text/shown_text.hpp"

namespace parley::client {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t answer_bytes_max = 4 << 20;  ///< a message of 1 MiB, with its tools and events
constexpr std::chrono::milliseconds input_grace{5'000};
constexpr std::chrono::milliseconds term_grace{2'000};

std::int64_t ms_since(Clock::time_point start_time) {
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start_time).count();
  return (took + 999) / 1000;
}

/// Returns the last line that is not blank.
std::string last_line(const std::string& text) {
  std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
  return one_line(cut_text(std::string_view(text).substr(from, end + 1 - from), 300));
}

/// Whether a line of the text is an answer. A program may print other text when its input ends.
bool has_answer(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (read_answer(std::string_view(text).substr(begin, end - begin), 0).answer) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::vector<std::string> exec_environment(const ExecSettings& settings, const char* const* environment) {
  std::vector<std::string> names{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"};
  names.insert(names.end(), settings.env.begin(), settings.env.end());
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (name == "PARLEY_KEY") continue;
    if (const auto value = variable(environment, name)) out.push_back(name + "=" + *value);
  }
  return out;
}

Expected<Done> ExecAgent::start() {
  process_ = std::make_unique<ChildProcess>();
  lines_ = 0;
  return process_->start({options_.settings.command, options_.settings.cwd, options_.environment,
                          options_.stop, options_.on_stderr});
}

void ExecAgent::begin_conversation() {
  is_first_ = true;
  note_surplus();
  if (has_broken_ || options_.settings.mode != ExecSettings::Mode::pool) process_.reset();
  has_broken_ = false;
}

CaseFault ExecAgent::fault_of(ChildProcess::Wait wait, const ExecTurn& turn) {
  has_broken_ = true;
  switch (wait) {
    case ChildProcess::Wait::timeout:
      process_->kill();
      return {"agent", "timeout",
              fmt::format("no answer within {} ms in turn {}", options_.settings.timeout_ms, turn.number)};
    case ChildProcess::Wait::too_long:
      process_->kill();
      return {"agent", "too_large",
              fmt::format("the answer in turn {} exceeds {} bytes", turn.number, answer_bytes_max)};
    case ChildProcess::Wait::stopped:
      process_->kill();
      return {"client", "interrupted", "the command that plays this suite was interrupted"};
    case ChildProcess::Wait::ended:
    case ChildProcess::Wait::done: break;
  }
  const std::string said = without_secrets(last_line(process_->errors()), options_.secrets);
  std::string how = process_->ending();
  if (how.empty()) how = "closed its output";
  return {"agent", "exit",
          fmt::format("{} in turn {}{}{}", how, turn.number, said.empty() ? "" : ": ", said)};
}

void ExecAgent::note_surplus() {
  if (has_broken_ || !process_ || !process_->has_output()) return;
  ++surplus_;
  has_broken_ = true;
}

AnswerOrFault ExecAgent::surplus_fault(std::string_view when) {
  has_broken_ = true;
  return {
      std::nullopt,
      {"agent", "not_json",
       fmt::format("stdout has more than one line for a turn ({}). Log to stderr, or use mode: turn", when)}};
}

AnswerOrFault ExecAgent::ask_line(const ExecTurn& turn) {
  if (!process_ || !process_->is_started()) {
    if (const auto started = start(); !started)
      return {std::nullopt, {"agent", "exit", started.problem().detail}};
  }
  // Such a line would be recorded as the answer to this turn.
  if (process_->has_output()) return surplus_fault("one came before turn " + std::to_string(turn.number));
  const auto start_time = Clock::now();
  process_->write((is_first_ ? turn.with_conversation : turn.without_conversation) + "\n");
  is_first_ = false;
  std::string line;
  const auto wait = process_->read_line(start_time + std::chrono::milliseconds(options_.settings.timeout_ms),
                                        answer_bytes_max, line);
  if (wait != ChildProcess::Wait::done) return {std::nullopt, fault_of(wait, turn)};
  ++lines_;
  if (process_->has_output()) return surplus_fault("two came in turn " + std::to_string(turn.number));
  AnswerOrFault read = read_answer(without_secrets(line, options_.secrets), ms_since(start_time));
  if (read.answer) return read;
  has_broken_ = true;
  if (read.fault.code == "not_json")
    read.fault.detail =
        fmt::format("line {} of stdout {}. Log to stderr, or use mode: turn", lines_, read.fault.detail);
  return read;
}

AnswerOrFault ExecAgent::ask_process(const ExecTurn& turn) {
  if (const auto started = start(); !started)
    return {std::nullopt, {"agent", "exit", started.problem().detail}};
  const auto start_time = Clock::now();
  process_->write(turn.with_conversation + "\n");
  process_->close_input();
  std::string output;
  const auto wait = process_->read_to_end(
      start_time + std::chrono::milliseconds(options_.settings.timeout_ms), answer_bytes_max, output);
  if (wait != ChildProcess::Wait::done || process_->has_failed()) return {std::nullopt, fault_of(wait, turn)};
  process_->kill();  // ends the processes that it left running
  const std::string shown = without_secrets(output, options_.secrets);
  const std::size_t begin = shown.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    return {std::nullopt, {"agent", "empty_answer", fmt::format("printed nothing in turn {}", turn.number)}};
  // Text that begins like JSON and is not JSON is an answer that was cut off, or several answers.
  if (shown[begin] == '{') return read_answer(shown, ms_since(start_time));
  return {plain_answer(shown, ms_since(start_time)), {}};
}

AnswerOrFault ExecAgent::ask(const ExecTurn& turn) {
  return options_.settings.mode == ExecSettings::Mode::turn ? ask_process(turn) : ask_line(turn);
}

void ExecAgent::end_conversation() {
  if (!process_) return;
  if (has_broken_) {
    process_->kill();
  } else if (options_.settings.mode == ExecSettings::Mode::session) {
    if (has_answer(process_->end(input_grace, term_grace))) ++surplus_;
  } else {
    note_surplus();
  }
}

std::string ExecAgent::errors() const {
  return process_ ? without_secrets(several_lines(process_->errors()), options_.secrets) : "";
}

}  // namespace parley::client
