#pragma once
/// The modes of the load generator; each is a client for one connection. See client.hpp for threads.

#include <random>

#include "bench/load/client.hpp"

namespace parley::load {

/// GETs random results; every answer must name its result and have the same length as before.
class GetClient : public Client {
 public:
  GetClient(Work& work, std::size_t number) : work_(work), random_(work.options.seed * 1'000 + number) {}
  bool ask(std::string& out) override;
  std::string hear(const Answer& answer) override;

 private:
  Work& work_;
  std::minstd_rand random_;
  std::size_t index_ = 0;
};

/// Appends entries to its own result, and begins a new one before the conversation is full.
class AppendClient : public Client {
 public:
  AppendClient(Work& work, std::size_t number);
  bool ask(std::string& out) override;
  bool is_measured() const override { return !is_creating_; }
  std::string hear(const Answer& answer) override;
  void stop() override;

 private:
  Work& work_;
  std::string body_;
  std::string path_;
  std::string result_;
  std::size_t entries_ = 0;
  bool is_creating_ = true;
};

/// Plays whole conversations: create, turns, end, score.
class ConversationClient : public Client {
 public:
  explicit ConversationClient(Work& work);
  bool ask(std::string& out) override;
  std::string hear(const Answer& answer) override;

 private:
  enum class Phase : std::uint8_t { create, turn, reply, end, score };
  [[nodiscard]] Phase after_reply() const;
  void finish();

  Work& work_;
  std::string create_body_;
  std::string reply_body_;
  std::string result_;
  std::string expected_;  ///< what the tester is expected to say
  Phase phase_ = Phase::create;
  std::size_t turn_ = 0;
};

/// Repeats one fixed request.
class RawClient : public Client {
 public:
  explicit RawClient(Work& work);
  bool ask(std::string& out) override;
  std::string hear(const Answer& answer) override;

 private:
  Work& work_;
  std::string body_;
};

/// Heartbeats of a local runner (D73); each connection is a separate runner, and must keep getting the same agent.
class HeartbeatClient : public Client {
 public:
  HeartbeatClient(Work& work, std::size_t number);
  bool ask(std::string& out) override;
  std::string hear(const Answer& answer) override;

 private:
  Work& work_;
  std::string body_;
  std::string agent_;  ///< from the first answer, in its JSON form
};

/// One request for each id of a file; the connections share the ids.
class EachClient : public Client {
 public:
  explicit EachClient(Work& work) : work_(work) {}
  bool ask(std::string& out) override;
  std::string hear(const Answer& answer) override;

 private:
  Work& work_;
};

}  // namespace parley::load
