#include "tests/sim/engine/history.hpp"

namespace parley::sim {
namespace {

std::string text_of(const Op& op) {
  std::string text = std::string(word_of(op.deed)) + "#" + std::to_string(op.token);
  if (is_of_result(op.deed)) text += " on " + sim::text_of(op.target);
  if (op.deed == Deed::insert || op.deed == Deed::merge) {
    text += (op.is_after ? " after #" : " before #") + std::to_string(op.anchor);
  }
  if (op.deed == Deed::rescore) text += wish_of(op.value).is_preview ? " as a preview" : " to save";
  if (op.has_key) text += " with key";
  return text;
}

}  // namespace

std::string text_of(const History& history) {
  std::string text;
  for (const Event& event : history.events) {
    switch (event.sort) {
      case Event::Sort::invoked: text += "  > " + text_of(history.ops[event.op]); break;
      case Event::Sort::answered:
        text += "  < " + text_of(history.ops[event.op]) + ": " +
                std::to_string(history.ops[event.op].reply.status) + " " +
                std::to_string(history.ops[event.op].reply.detail);
        break;
      case Event::Sort::looked: text += "  = " + text_of(event.shape); break;
      case Event::Sort::crashed: text += "  ! crash"; break;
      case Event::Sort::noted: text += "  . " + event.note; break;
    }
    text += "\n";
  }
  return text;
}

}  // namespace parley::sim
