#pragma once
/// Builds conversations and assertions for the tests of scoring/. One builder per test.

#include <gtest/gtest.h>

#include "scoring/kinds.hpp"
#include "scoring/verdict.hpp"

namespace parley::scoring {

class Builder {
 public:
  /// A message of the tester starts the next exchange, except for the first message (D53).
  Builder& tester(std::string text) {
    if (tester_turns_++ > 0) ++turn_;
    return add(EntryType::message, Role::tester, {}, "{}", std::move(text));
  }
  Builder& chatbot(std::string text, std::string metadata = "{}") {
    return add(EntryType::message, Role::chatbot, {}, std::move(metadata), std::move(text));
  }
  Builder& tool(std::string name, std::string metadata = "{}") {
    return add(EntryType::tool, Role::chatbot, std::move(name), std::move(metadata), {});
  }
  Builder& event(EntryType type, std::string name, std::string metadata = "{}") {
    return add(type, Role::chatbot, std::move(name), std::move(metadata), {});
  }
  Builder& action(std::string name, std::string metadata = "{}") {
    if (tester_turns_++ > 0) ++turn_;
    return add(EntryType::action, Role::tester, std::move(name), std::move(metadata), {});
  }
  Builder& ends(EndReason reason) {
    end_reason_ = reason;
    return *this;
  }

  [[nodiscard]] Subject subject() const { return {entries_, end_reason_}; }
  [[nodiscard]] std::string id(std::size_t index) const { return to_text(entries_[index].id); }

 private:
  Builder& add(EntryType type, Role role, std::optional<std::string> name, std::string metadata,
               std::optional<std::string> content) {
    Entry entry;
    entry.id = ids_.next({});
    entry.type = type;
    entry.role = role;
    entry.name = std::move(name);
    entry.metadata.text = std::move(metadata);
    entry.content = std::move(content);
    entry.turn = turn_;
    entries_.push_back(std::move(entry));
    return *this;
  }

  CountingIds ids_;
  std::vector<Entry> entries_;
  std::optional<EndReason> end_reason_;
  std::int64_t turn_ = 0;
  int tester_turns_ = 0;
};

inline Assertion assertion(std::string type, std::string config) {
  Assertion made;
  made.type = std::move(type);
  if (!config.empty()) made.config = json::Text{std::move(config)};
  return made;
}

inline AssertionResult judge_one(const Subject& subject, const Assertion& asserted) {
  return judge(subject, {&asserted, 1}).front();
}

/// A config and its expected outcome.
struct Row {
  std::string config;
  AssertionStatus status;
};

inline void expect_rows(const Builder& conversation, const std::string& type, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto result = judge_one(conversation.subject(), assertion(type, row.config));
    EXPECT_EQ(word_of(result.status), word_of(row.status)) << type << " " << row.config << "\n"
                                                           << result.reason;
    EXPECT_FALSE(result.reason.empty()) << type << " " << row.config;
    EXPECT_LE(result.evidence.size(), evidence_max);
  }
}

/// A config and the pointer of its only fault.
struct BadRow {
  std::string config;
  std::string pointer;
};

inline void expect_faults(const std::string& type, const std::vector<BadRow>& rows) {
  for (const BadRow& row : rows) {
    const Assertion bad = assertion(type, row.config);
    Findings findings;
    check_assertions({&bad, 1}, "/assertions", findings);
    ASSERT_EQ(findings.faults.size(), 1u) << type << " " << row.config;
    EXPECT_EQ(findings.faults[0].pointer, "/assertions/0/config" + row.pointer) << row.config;
    EXPECT_FALSE(findings.faults[0].detail.empty());
    EXPECT_EQ(judge_one({}, bad).status, AssertionStatus::error) << type << " " << row.config;
  }
}

inline constexpr auto passed = AssertionStatus::passed;
inline constexpr auto failed = AssertionStatus::failed;
inline constexpr auto in_error = AssertionStatus::error;

}  // namespace parley::scoring
