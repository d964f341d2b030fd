#include "tests/sim/engine/model_parts.hpp"

#include <algorithm>

namespace parley::sim {

/// The tester turn that no reply has followed yet (D47).
const Said* unanswered(const One& one) {
  const Said* turn = nullptr;
  for (const Said& said : one.talk) {
    if (said.sort == Said::Sort::turn && (turn == nullptr || said.born > turn->born)) turn = &said;
  }
  if (turn == nullptr) return nullptr;
  for (const Said& said : one.talk) {
    const bool is_event = said.sort == Said::Sort::registers && one.kind != Kind::driven;
    const bool is_reply = !said.is_inserted && (said.sort == Said::Sort::message || is_event);
    if (is_reply && said.born > turn->born) return nullptr;
  }
  return turn;
}

std::uint32_t turns_of(const One& one) {
  return static_cast<std::uint32_t>(std::count_if(
      one.talk.begin(), one.talk.end(), [](const Said& said) { return said.sort == Said::Sort::turn; }));
}

/// D49, I23, I24: a conversation that ends is claimed immediately unless a client wants to finish it.
void end(One& one) {
  if (one.status == Status::pending) one.status = Status::running;
  one.is_ended = true;
  if (!one.is_manual || one.kind == Kind::driven) one.is_claimed = true;
}
void close(One& one, Status status) {
  one.status = status;
  one.is_ended = true;
}
void say(One& one, std::uint32_t token, Said::Sort sort) {
  if (one.status == Status::pending) one.status = Status::running;
  Said said;
  said.token = token;
  said.sort = sort;
  said.born = static_cast<std::uint32_t>(one.talk.size());
  one.talk.push_back(said);
}

bool waits_for_runner(const One& one) {
  return one.status == Status::pending && one.kind == Kind::client;
}

bool has_live(const Shape& shape) {
  return std::any_of(shape.ones.begin(), shape.ones.end(),
                     [](const One& one) { return !one.is_preview && !is_over(one.status); });
}

}  // namespace parley::sim
