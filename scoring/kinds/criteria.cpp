// The type `criteria`: a judge model decides a free text (D33).

#include "scoring/kinds/rows.hpp"

namespace parley::scoring {
namespace criteria_kind {
namespace {

Verdict decide(const json::Value&, Conversation&) {
  return {
      AssertionStatus::skipped,
      {},
      "No judge model is configured, and criteria are never guessed: set `judge` in the suite, or start the "
      "server with --judge-url and --judge-model.",
      {}};
}

}  // namespace
}  // namespace criteria_kind

constinit const Kind rows::criteria{
    .name = "criteria",
    .summary = "Free text in `criteria` that a judge model decides; skipped without a judge model.",
    .keys = {},
    .turn_scoped = true,
    .negatable = false,
    .decide = criteria_kind::decide,
};

}  // namespace parley::scoring
